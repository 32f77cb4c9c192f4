"""What can be found wrong is found before the first episode."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.evaluate import judge_for, make_manifest
from guideact.models.builtin.model import weights_sha256
from guideact.types import AnswerCheck, Check, JudgeCheck, Task


def task(name: str, check: Check) -> Task:
    return Task(id=name, intent="Why?", sites=("shopping",), start_url="__SHOPPING__/", check=check)


JUDGED = (task("a", Check(judge=JudgeCheck(reference="r"))), task("b", Check(judge=JudgeCheck(reference="s"))))


def test_a_task_that_needs_a_judge_is_refused_where_none_is_configured(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"a and 1 more can only be judged by a model.*--judge openai/NAME"):
        judge_for(RunConfig(), JUDGED, tmp_path)


def test_a_judge_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no judge 'gold'"):
        judge_for(RunConfig(judge="gold"), JUDGED, tmp_path)


def test_no_judge_is_made_where_no_task_needs_one(tmp_path: Path) -> None:
    plain = (task("a", Check(answer=AnswerCheck(expected=("x",)))),)
    assert judge_for(RunConfig(judge="openai/m"), plain, tmp_path) is None
    with pytest.raises(InputError, match="no judge 'gold'"):
        judge_for(RunConfig(judge="gold"), plain, tmp_path)


def test_a_run_of_the_built_in_agent_says_which_weights_it_used() -> None:
    made = make_manifest(RunConfig(model="builtin/small"), JUDGED, "a browser")
    assert made.hashes["weights"] == weights_sha256("small") != ""
    assert "weights" not in make_manifest(RunConfig(model="scripted/gold"), JUDGED, "a browser").hashes
