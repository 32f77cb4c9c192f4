"""Workers on a cluster that is made up: what becomes of those that cannot go on, or that wait for a place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.errors import InfrastructureError, InputError
from guideact.harness import ray_crew
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog
from guideact.harness.ray_crew import Places, RayHands
from guideact.harness.remote import Carried, Refused, package_versions
from guideact.harness.runner import Tried
from guideact.types import CheckResult, Episode, Task

from .actors import Notes

ABOUT = {"host": "far", "guideact": "1", "code": "c0de", **package_versions()}
TASK = Task(id="t", intent="Do it", sites=("shopping",), start_url="__SHOPPING__/")
DONE = (Tried(Episode(task_id="t", end="finished", check=CheckResult(passed=True))), Carried())


class RayError(Exception): ...


class RayTaskError(RayError): ...


async def says(what: object) -> Any:
    if isinstance(what, BaseException):
        raise what
    return what


async def never() -> Any:
    await asyncio.Event().wait()


class Cluster:
    """Stands for the module; `actors` says what the next actors answer, and those after them answer well."""

    exceptions = SimpleNamespace(RayError=RayError, RayTaskError=RayTaskError)

    def __init__(self, *actors: dict[str, Callable[[], Awaitable[Any]]]) -> None:
        self._plan = list(actors)
        self.started = 0
        self.killed = 0

    def remote(self, kind: type) -> Any:
        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=self._actor))

    def _actor(self) -> Any:
        self.started += 1
        well = {"about": lambda: says(ABOUT), "open": lambda: says("chrome 1"), "attempt": lambda: says(DONE)}
        answers = {**well, "close": lambda: says(None), **(self._plan.pop(0) if self._plan else {})}
        return SimpleNamespace(
            **{name: SimpleNamespace(remote=lambda *_, answer=answer: answer()) for name, answer in answers.items()}
        )

    def kill(self, actor: Any) -> None:
        self.killed += 1


def hands_of(cluster: Cluster, places: Places, log: RunLog | None = None) -> RayHands:
    hands = RayHands(cluster, RunConfig(), None, "c0de", places, probe=False)
    hands.log, hands.watcher = log, Notes()
    return hands


def dies() -> dict[str, Callable[[], Awaitable[Any]]]:
    return {"open": lambda: says(RayError("its machine is gone"))}


async def test_a_worker_that_dies_as_it_starts_is_started_anew_and_given_up_where_none_works() -> None:
    cluster, places = Cluster(dies(), dies()), Places()
    hands = hands_of(cluster, places)
    await hands.ready()
    assert (cluster.started, cluster.killed, places.held) == (3, 2, 1)
    await hands.close()
    assert (cluster.killed, places.held) == (3, 0)
    with pytest.raises(InfrastructureError, match="its machine is gone"):
        await hands_of(Cluster(dies(), dies(), dies()), places).ready()


async def test_a_worker_is_started_over_and_over_while_others_work() -> None:
    places = Places()
    await hands_of(Cluster(), places).ready()
    cluster = Cluster(*(dies() for _ in range(9)))
    await hands_of(cluster, places).ready()
    assert (cluster.started, places.held) == (10, 2)


async def test_a_worker_that_does_not_get_ready_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = Cluster({"open": never})
    monkeypatch.setattr(ray_crew, "OPEN_SECONDS", 0.0)
    hands = hands_of(cluster, Places())
    with pytest.raises(InfrastructureError, match="the worker on far was not ready within 0 s"):
        await hands._start()
    assert cluster.killed == 1


async def test_a_wait_for_a_place_is_told_once_and_ends_where_none_works(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def now() -> float:
        clock[0] += 100
        return clock[0]

    monkeypatch.setattr(ray_crew, "_now", now)
    monkeypatch.setattr(ray_crew, "START_SECONDS", 0.0)
    cluster, places = Cluster({"about": never}), Places()
    first, second = hands_of(cluster, places), hands_of(Cluster({"about": never}), places)
    second.watcher = first.watcher
    ended = await asyncio.gather(first.ready(), second.ready(), return_exceptions=True)
    assert [type(error) for error in ended] == [InfrastructureError, InfrastructureError]
    assert "no worker has had a place on the cluster for 30 min. See" in str(ended[0])
    assert isinstance(first.watcher, Notes)
    assert first.watcher.said == ["workers wait for a place on the cluster, 0 work: `ray status`"]
    assert cluster.killed == 1


async def test_a_worker_that_cannot_go_on_costs_an_attempt_and_not_the_run(tmp_path: Path) -> None:
    refused = Refused("no browser starts", "", by_user=False)
    mended = Refused("the key was revoked", "", by_user=True)
    cluster, places = Cluster({"attempt": lambda: says(refused)}, {"attempt": lambda: says(mended)}), Places()
    with RunLog.open(tmp_path, make_manifest(RunConfig(), (TASK,), "test"), FREE_ON_RESUME) as log:
        hands = hands_of(cluster, places, log)
        await hands.ready()
        tried = await hands.attempt(TASK, 0)
        assert (tried.failed, tried.paid) == (True, True)
        assert tried.episode.error == "its worker on far was given up: no browser starts"
        assert (cluster.killed, places.held) == (1, 0)
        await hands.ready()
        with pytest.raises(InputError, match="revoked"):
            await hands.attempt(TASK, 0)
        await hands.close()
