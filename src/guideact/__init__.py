"""guideact: web agents that do a task and teach it.

The names below are the public face; each is imported when it is first used, so that `import guideact` stays light.

    from guideact import open_env, Click, Mark
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from guideact.actions import format_answer, parse_answer
    from guideact.env import WebEnv, open_env, open_sync_env
    from guideact.env_checker import check_env
    from guideact.errors import GuideActError, InfrastructureError, InputError
    from guideact.leaks import find_leaks
    from guideact.prompts import build_prompt
    from guideact.types import (
        Action,
        Answer,
        Candidate,
        Click,
        Episode,
        Finish,
        GoBack,
        Mark,
        Observation,
        Point,
        PressEnter,
        Scroll,
        Select,
        Step,
        Task,
        Type,
    )

__version__ = "0.1.0"

_HOME = {
    "actions": ("format_answer", "parse_answer"),
    "env": ("WebEnv", "open_env", "open_sync_env"),
    "env_checker": ("check_env",),
    "errors": ("GuideActError", "InfrastructureError", "InputError"),
    "leaks": ("find_leaks",),
    "prompts": ("build_prompt",),
    "types": (
        *("Action", "Answer", "Candidate", "Click", "Episode", "Finish", "GoBack", "Mark"),
        *("Observation", "Point", "PressEnter", "Scroll", "Select", "Step", "Task", "Type"),
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}

__all__ = [
    "Action",
    "Answer",
    "Candidate",
    "Click",
    "Episode",
    "Finish",
    "GoBack",
    "GuideActError",
    "InfrastructureError",
    "InputError",
    "Mark",
    "Observation",
    "Point",
    "PressEnter",
    "Scroll",
    "Select",
    "Step",
    "Task",
    "Type",
    "WebEnv",
    "build_prompt",
    "check_env",
    "find_leaks",
    "format_answer",
    "open_env",
    "open_sync_env",
    "parse_answer",
]


def __getattr__(name: str) -> Any:
    if name not in _MODULE_OF:
        raise AttributeError(f"module 'guideact' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"guideact.{_MODULE_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
