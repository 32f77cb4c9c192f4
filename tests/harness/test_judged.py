"""A judge that is away loses no episode, and has none done over and over."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.errors import JudgeUnavailable, ModelUnavailable
from guideact.harness import runner
from guideact.harness.browsers import SharedBrowser
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog, read_episodes
from guideact.models.judge import Verdict
from guideact.sites.server import serve
from guideact.types import Check, Episode, JudgeCheck, Task

from .actors import FINISH, Notes, Says, agents

TASK = Task(
    id="t.1",
    intent="Say that it is done",
    sites=("shopping",),
    start_url="__SHOPPING__/",
    check=Check(judge=JudgeCheck(reference="It is done.")),
)


class Away:
    """A judge that answers after so many failures."""

    def __init__(self, failures: int) -> None:
        self.failures = failures

    async def judge(self, question: str, reference: str, note: str, answer: str) -> Verdict:
        self.failures -= 1
        if self.failures >= 0:
            raise JudgeUnavailable("no verdict")
        return Verdict(correct=True)


async def do(folder: Path, model: Says, judge: Away) -> list[Episode]:
    settings = RunConfig(screenshots=False, max_samples=1, retry_on_error=2)
    with RunLog.open(folder, make_manifest(settings, (TASK,), "test"), FREE_ON_RESUME) as log:
        async with serve(port=0) as server, SharedBrowser() as browsers:
            await runner.run(
                (TASK,), agents(model), settings, server=server, browsers=browsers, log=log, watcher=Notes(),
                judge=judge,
            )  # fmt: skip
    return list(read_episodes(folder))


async def test_where_there_is_no_judge_for_any_the_run_ends_and_the_episode_is_done_once(tmp_path: Path) -> None:
    # Whoever can answer for all of them says so: see `evaluate.Judged`.
    model = Says(lambda request: FINISH, probe=ModelUnavailable("nobody judges"))
    with pytest.raises(ModelUnavailable, match="nobody judges"):
        await do(tmp_path, model, Away(99))
    assert len(model.requests) == 1
    assert list(read_episodes(tmp_path)) == []


async def test_a_verdict_that_is_lacking_is_nothing_that_the_agent_failed_in(tmp_path: Path) -> None:
    (episode,) = await do(tmp_path, Says(lambda request: FINISH), Away(1))
    assert (episode.success, episode.attempts) == (True, 2)
