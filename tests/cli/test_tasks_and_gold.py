"""`guideact tasks prove` and `guideact gold record`, on one short task in a real browser."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from guideact.errors import BrowserError, InputError
from guideact.gold import record
from guideact.tasks import catalogue, prove, templates
from guideact.tasks.catalogue import all_tasks
from guideact.tasks.gold import Gold, fingerprint
from guideact.tasks.prove import Proof
from guideact.tasks.templates import all_templates
from guideact.types import Check, StateCheck
from tests.harness.pretend import without_browser

from .calling import call, one_line, spawn

TASK = all_tasks()[0]


async def test_a_task_is_proved() -> None:
    said = await spawn("tasks", "prove", TASK.id)
    assert said.status == 0, said.out + said.err
    assert said.out.startswith(f"{TASK.id}: proved (")
    assert said.err.splitlines()[-1] == "1 of 1 tasks are proved."


def test_a_task_that_the_surroundings_fail_is_not_proved_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    without_browser(monkeypatch)
    other = all_tasks()[1].id

    async def prove_one(task_id: str, *_: object, **__: object) -> Proof:
        if task_id == TASK.id:
            raise BrowserError("it died")
        return Proof(task_id=task_id, trials=(), faults=(), gold_steps=1)

    monkeypatch.setattr(prove, "prove", prove_one)
    said = call(capsys, "tasks", "prove", TASK.id, other, "--max-samples", "1")
    assert said.status == 1
    assert said.out == f"{TASK.id}: NOT PROVED: it died\n{other}: proved (1 gold steps)\n"
    assert said.err.splitlines()[-1] == "1 of 2 tasks are proved."


async def test_gold_is_recorded_into_the_file_that_is_named(tmp_path: Path) -> None:
    out = tmp_path / "gold.jsonl"
    said = await spawn("gold", "record", TASK.id, "--out", str(out))
    assert said.status == 0, said.err
    recorded = {gold.task_id: gold for gold in map(Gold.model_validate_json, out.read_text().splitlines())}
    assert recorded[TASK.id].task_sha256 == fingerprint(TASK)
    assert recorded[TASK.id].steps[-1].verb == "finish"
    assert f"1 recorded, {len(recorded) - 1} kept" in said.out


def test_what_a_file_of_gold_holds_already_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def record_one(task_id: str, env: object) -> Gold:
        return Gold(task_id=task_id, task_sha256="new", steps=())

    without_browser(monkeypatch)
    monkeypatch.setattr(record, "record_task", record_one)
    out, other = tmp_path / "gold.jsonl", all_tasks()[1].id
    record.write_gold(out, [Gold(task_id=each, task_sha256="own", steps=()) for each in (TASK.id, other, "gone.1")])
    said = call(capsys, "gold", "record", TASK.id, "--out", str(out))
    assert said.out == f"{out}: 1 recorded, 1 kept\n"
    assert {task_id: gold.task_sha256 for task_id, gold in record.read_gold(out).items()} == {
        TASK.id: "new",
        other: "own",
    }
    out.write_text("{}\n")
    said = call(capsys, "gold", "record", TASK.id, "--out", str(out))
    assert said.status == 2
    assert f"line 1 of {out} is no gold guide: task_id" in one_line(said)


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
