"""`guideact tasks prove` and `guideact gold record`, on one short task in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from guideact.errors import InputError
from guideact.tasks import catalogue, templates
from guideact.tasks.catalogue import all_tasks
from guideact.tasks.gold import Gold, fingerprint
from guideact.tasks.templates import all_templates
from guideact.types import Check, StateCheck

from .calling import call, one_line, spawn

TASK = all_tasks()[0]


async def test_a_task_is_proved() -> None:
    said = await spawn("tasks", "prove", TASK.id)
    assert said.status == 0, said.out + said.err
    assert said.out.startswith(f"{TASK.id}: proved (")
    assert said.err.splitlines()[-1] == "1 of 1 tasks are proved."


async def test_gold_is_recorded_into_the_file_that_is_named(tmp_path: Path) -> None:
    out = tmp_path / "gold.jsonl"
    said = await spawn("gold", "record", TASK.id, "--out", str(out))
    assert said.status == 0, said.err
    recorded = {gold.task_id: gold for gold in map(Gold.model_validate_json, out.read_text().splitlines())}
    assert recorded[TASK.id].task_sha256 == fingerprint(TASK)
    assert recorded[TASK.id].steps[-1].verb == "finish"
    assert f"1 recorded, {len(recorded) - 1} kept" in said.out


@pytest.mark.parametrize("command", [["tasks"], ["tasks", "prove", "--all"]])
def test_a_mistake_in_a_template_is_told_in_one_line(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bare: Any = StateCheck(site="shopping")
    broken = replace(all_templates()[0], check=lambda db, p: Check(state=bare))
    monkeypatch.setattr(catalogue, "all_templates", lambda: (broken,))
    monkeypatch.setattr(catalogue, "entries", catalogue.entries.__wrapped__)
    said = call(capsys, *command)
    assert said.status == 2
    assert f"template {broken.id}: check (<lambda> at {__file__}:" in one_line(said)
    assert "state must be a tuple" in one_line(said)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("import json\nTEMPLATES = (nothing,)\n", "zz_broken.py:2 cannot be loaded, NameError: name 'nothing'"),
        ("def (", "zz_broken.py:1 cannot be loaded, SyntaxError: "),
        ("TEMPLATES = 3\n", "zz_broken.py holds no TEMPLATES, a tuple of Template records. Mind the trailing comma"),
    ],
)
def test_a_module_of_templates_that_cannot_be_read_is_named(
    text: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "zz_broken.py").write_text(text)
    monkeypatch.setattr(templates, "__path__", [str(tmp_path)])
    with pytest.raises(InputError) as caught:
        templates.all_templates.__wrapped__()
    assert said in str(caught.value)
