"""What can be found wrong is found before the first episode."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError, ModelUnavailable
from guideact.harness import evaluate
from guideact.harness.evaluate import Judged, judge_for, make_manifest
from guideact.models.builtin.model import weights_sha256
from guideact.models.hf_load import Source
from guideact.models.judge import ModelJudge
from guideact.types import AnswerCheck, Check, JudgeCheck, Task

from .actors import FINISH, Says, agents


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


def test_a_run_of_a_model_that_lies_here_says_which_files_it_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluate, "locate", lambda name: Source(str(tmp_path / name), "llama"))
    config, found = RunConfig(model="hf/model"), set()
    (tmp_path / "model").mkdir()
    for weights in (b"first", b"other"):
        (tmp_path / "model" / "model.safetensors").write_bytes(weights)
        found.add(make_manifest(config, JUDGED, "a browser").hashes["weights"])
    assert len(found) == 2


async def test_whether_a_run_can_go_on_is_asked_of_the_judge_too(tmp_path: Path) -> None:
    class Asked:
        name = "test/judge"
        closed = False

        async def probe(self) -> None:
            raise ModelUnavailable("the judge is gone")

        async def ask(self, system: str, user: str) -> str:
            raise AssertionError

        async def close(self) -> None:
            self.closed = True

    model = Asked()
    both = Judged(agents(Says(lambda request: FINISH)), ModelJudge(model, tmp_path / "verdicts.jsonl"))
    assert (both.name, both.reads_pixels) == ("test/says", False)
    with pytest.raises(ModelUnavailable, match="the judge is gone"):
        await both.probe()
    unreachable = Judged(agents(Says(lambda request: FINISH, probe=ModelUnavailable("the model is gone"))), both.judge)
    with pytest.raises(ModelUnavailable, match="the model is gone"):
        await unreachable.probe()
    await both.close()
    assert model.closed
