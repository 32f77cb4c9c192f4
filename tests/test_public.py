"""The public face: pinned, documented, and light to import."""

from __future__ import annotations

import inspect
import subprocess
import sys
from typing import get_origin

import guideact


def test_the_names_at_the_root_are_these() -> None:
    assert sorted(guideact.__all__) == [
        *("Action", "Answer", "Candidate", "Click", "Episode", "Finish", "GoBack", "GuideActError"),
        *("InfrastructureError", "InputError", "Mark", "Observation", "Point", "PressEnter", "Scroll", "Select"),
        *("Step", "Task", "Type", "WebEnv", "build_prompt", "check_env", "find_leaks", "format_answer", "open_env"),
        *("open_sync_env", "parse_answer"),
    ]
    assert len(guideact.__all__) < 30


def test_every_public_name_is_there_and_documented() -> None:
    for name in guideact.__all__:
        value = getattr(guideact, name)
        if get_origin(value) is None:
            assert inspect.getdoc(value), f"{name} has no docstring"


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(guideact, "no_such_name")


def test_import_loads_nothing_heavy() -> None:
    code = (
        "import sys, guideact; "
        "heavy = {'pydantic', 'scipy', 'numpy', 'matplotlib', 'playwright', 'starlette', 'httpx', 'rich', 'PIL'}; "
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
