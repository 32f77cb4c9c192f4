"""What a run does when its surroundings fail; they are made up, so nothing is waited for."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error as PlaywrightError

from guideact.browser import Browser
from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.env import StepResult
from guideact.errors import BrowserError, InputError, MissingDependency, SiteError
from guideact.harness import browsers as shared
from guideact.harness import runner
from guideact.harness.browsers import SharedBrowser
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog, read_episodes
from guideact.harness.read import read_run
from guideact.harness.remote import Carried
from guideact.harness.runner import LocalHands, Tried, lost, rest_after, run_with
from guideact.types import CheckResult, Episode, Observation, Task

from .actors import FINISH, Notes, Says, agents

PAGE = Observation(url="http://shopping.localhost/", title="Shop")


def task(number: int = 1) -> Task:
    return Task.model_validate(
        {
            "id": f"t.{number}",
            "intent": "Say that it is done",
            "sites": ["shopping"],
            "start_url": "__SHOPPING__/",
            "check": {"answer": {"expected": ["done"]}},
        }
    )


# --- a run, with hands that are made up -----------------------------------------------------------------------------


class Hands:
    """Attempts come to what a function of the task says: None for a success, else the error."""

    def __init__(self, trouble: Callable[[Task], str | None], away: BaseException | None = None) -> None:
        self._trouble = trouble
        self._away = away

    async def ready(self) -> None: ...
    async def close(self) -> None: ...

    async def probe(self) -> None:
        if self._away is not None:
            raise self._away

    async def attempt(self, task: Task, sample: int) -> Tried:
        await asyncio.sleep(0)
        error = self._trouble(task)
        if error is not None:
            tried = lost(task, sample, None, error)
            return Tried(tried.episode, failed=True, maybe_outage=True)
        check = CheckResult(passed=True)
        return Tried(Episode(task_id=task.id, sample=sample, end="finished", check=check))


async def go(folder: Path, tasks: tuple[Task, ...], hands: list[Hands], **config: object) -> Notes:
    settings, notes = RunConfig.model_validate(config), Notes()
    with RunLog.open(folder, make_manifest(settings, tasks, "test"), FREE_ON_RESUME) as log:
        await run_with(tasks, settings, hands, log, notes)
    return notes


def refusals(count: int) -> Callable[[Task], str | None]:
    """So many attempts are refused, whosever they are, and then none."""
    left = [count]

    def trouble(task: Task) -> str | None:
        left[0] -= 1
        return "the site answers 503" if left[0] >= 0 else None

    return trouble


@pytest.fixture
def rests(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The rests that were asked for, none of which is waited for longer than for whoever else can do something."""
    asked: list[float] = []

    def later(seconds: float, do: Callable[[], None]) -> None:
        asked.append(seconds)

        async def rest() -> None:
            for _ in range(500):
                await asyncio.sleep(0)
            do()

        resting.add(asyncio.ensure_future(rest()))

    resting: set[asyncio.Future[None]] = set()
    monkeypatch.setattr(runner, "REST_SECONDS", 60.0)
    monkeypatch.setattr(runner, "_later", later)
    return asked


def test_a_rest_doubles_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "REST_SECONDS", 60.0)
    assert [rest_after(failures) for failures in (1, 2, 3, 4, 5, 5000)] == [60, 120, 240, 480, 600, 600]


async def test_an_outage_that_passes_loses_no_episode(tmp_path: Path, rests: list[float]) -> None:
    tasks, trouble = tuple(task(number) for number in range(40)), refusals(60)
    notes = await go(tmp_path, tasks, [Hands(trouble) for _ in range(4)])
    episodes = list(read_episodes(tmp_path))
    assert len(episodes) == 40
    assert all(episode.success for episode in episodes)
    # What failed goes behind what has not been tried yet, and rests longer the second time.
    assert rests == [60.0] * 40 + [120.0] * 20
    assert {seconds for *_, seconds in notes.waits} == {60.0, 120.0}


async def test_an_outage_of_all_sites_ends_the_run_and_puts_nothing_down(tmp_path: Path, rests: list[float]) -> None:
    away = SiteError("no site answers any more")
    with pytest.raises(SiteError, match="no site answers"):
        await go(tmp_path, (task(1), task(2)), [Hands(lambda task: "gone", away)])
    assert list(read_episodes(tmp_path)) == []
    assert rests == [60.0, 60.0, 120.0, 120.0]


async def test_a_run_that_goes_on_does_infrastructure_errors_again_and_counts_none_twice(tmp_path: Path) -> None:
    tasks = tuple(task(number) for number in range(3))
    await go(tmp_path, tasks, [Hands(lambda task: "gone" if task.id != "t.1" else None)], retry_on_error=1)
    assert [episode.end for episode in read_run(tmp_path).episodes].count("infrastructure_error") == 2
    notes = await go(tmp_path, tasks, [Hands(lambda task: None)])
    assert (notes.begun, notes.redone) == ([(1, 3)], 2)
    assert sorted(episode.task_id for episode in notes.episodes) == ["t.0", "t.2"]
    run = read_run(tmp_path)
    assert [episode.task_id for episode in run.episodes] == ["t.0", "t.1", "t.2"]
    assert all(episode.success and episode.attempts == 1 for episode in run.episodes)
    assert run.notes == ()
    assert len((tmp_path / "redone.jsonl").read_text().splitlines()) == 2
    notes = await go(tmp_path, tasks, [Hands(lambda task: "gone")])
    assert (notes.begun, notes.redone, notes.episodes) == ([(3, 3)], 0, [])


# --- an attempt, in a world that is made up -------------------------------------------------------------------------


class Clock:
    now = 100.0

    def perf_counter(self) -> float:
        return self.now


class FakeBrowser:
    alive = True


class Env:
    """An episode of one step."""

    def __init__(self, world: Stage) -> None:
        self._world = world

    async def reset(self, task: Task) -> Observation:
        self._world.clock.now += 3
        if self._world.resetting is not None:
            raise self._world.resetting
        return PAGE

    async def step(self, action: object) -> StepResult:
        self._world.clock.now += 4
        return StepResult(observation=PAGE, terminated=True)

    async def check(self) -> CheckResult:
        self._world.clock.now += 5
        return CheckResult(passed=True)

    def changes(self) -> tuple[Any, ...]:
        return ()

    def target_of(self, action: object) -> None:
        return None

    async def close(self) -> None:
        self._world.clock.now += 1000
        await self._world.close()


class Stage:
    """A world of such episodes; `close` says how their end goes."""

    def __init__(self, close: BaseException | Callable[[], Any] | None = None) -> None:
        self.clock = Clock()
        self.waits = 600.0
        self.resetting: BaseException | None = None
        self._close = close

    async def close(self) -> None:
        if isinstance(self._close, BaseException):
            raise self._close
        if self._close is not None:
            await self._close()

    def env(self, browser: Browser, worker: int, sample: int) -> Env:
        return Env(self)

    @asynccontextmanager
    async def turn(self, task: Task) -> AsyncIterator[None]:
        self.clock.now += self.waits
        yield

    async def probe(self) -> None: ...


async def hang() -> None:
    await asyncio.Event().wait()


class Launches:
    """Browsers start as `plan` says, in order, and then well; `tried` are those that were to start, last one last."""

    def __init__(self) -> None:
        self.plan: list[BaseException] = []
        self.tried: list[FakeBrowser | BaseException] = []

    @asynccontextmanager
    async def launch(self) -> AsyncIterator[FakeBrowser]:
        if self.plan:
            self.tried.append(self.plan.pop(0))
            raise self.tried[-1]  # type: ignore[misc]
        made = FakeBrowser()
        self.tried.append(made)
        yield made


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> Launches:
    launches = Launches()
    monkeypatch.setattr(shared, "launch", launches.launch)
    return launches


async def attempt(world: Stage, monkeypatch: pytest.MonkeyPatch, *, then: Callable[[SharedBrowser], Any]) -> Tried:
    monkeypatch.setattr(runner, "time", world.clock)
    monkeypatch.setattr(runner, "CLOSE_SECONDS", 0.0)
    async with SharedBrowser() as browsers:
        acting = agents(Says(lambda request: FINISH))
        hands = LocalHands(0, acting, RunConfig(), world, browsers, Carried(), lambda: None)
        await hands.ready()
        tried = await hands.attempt(task(), 0)
        await then(browsers)
    return tried


async def nothing(browsers: SharedBrowser) -> None: ...


async def test_seconds_hold_neither_the_wait_for_a_turn_nor_the_close(
    launched: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = await attempt(Stage(), monkeypatch, then=nothing)
    assert tried.episode.seconds == 3 + 4 + 5


@pytest.mark.parametrize("error", [KeyError("log"), PlaywrightError("no such context"), BrowserError("gone"), hang])
async def test_what_goes_wrong_at_the_close_takes_no_verdict_along(
    error: Any, launched: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A browser that does not close a context is replaced; a slip of ours is no reason to.
    wanted = not isinstance(error, KeyError)
    tried = await attempt(Stage(error), monkeypatch, then=lambda browsers: _replaced(browsers, launched, wanted))
    assert not tried.failed
    assert tried.episode.success


async def _replaced(browsers: SharedBrowser, launched: Launches, wanted: bool) -> None:
    await browsers.get()
    assert (len(launched.tried) == 2) == wanted


async def test_what_only_the_user_can_mend_at_the_close_ends_the_run(
    launched: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(InputError, match="disk"):
        await attempt(Stage(InputError("the disk is full")), monkeypatch, then=nothing)


async def test_an_attempt_that_makes_its_browser_hang_pays_for_it(
    launched: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = Stage(hang)
    world.resetting = SiteError("nothing came")
    tried = await attempt(world, monkeypatch, then=nothing)
    assert (tried.failed, tried.paid, tried.maybe_outage) == (True, True, True)


async def test_a_browser_that_turned_out_to_hang_at_the_close_is_replaced(
    launched: Launches, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def turns_out() -> None:
        browser = launched.tried[-1]
        assert isinstance(browser, FakeBrowser)
        browser.alive = False  # as `Browser.session` says it where a context does not end

    tried = await attempt(Stage(turns_out), monkeypatch, then=lambda browsers: _replaced(browsers, launched, True))
    assert tried.episode.success


# --- the browser of all ---------------------------------------------------------------------------------------------


async def test_a_browser_that_takes_anothers_place_may_fail_to_start_twice(launched: Launches) -> None:
    async with SharedBrowser() as browsers:
        first = await browsers.get()
        launched.plan = [BrowserError("no memory"), BrowserError("no memory")]
        await browsers.discard(first)
        again = await browsers.get()
        assert len(launched.tried) == 4
        launched.plan = [BrowserError("no memory") for _ in range(4)]
        await browsers.discard(again)
        with pytest.raises(BrowserError, match="no memory"):
            await browsers.get()
        assert len(launched.plan) == 1


@pytest.mark.parametrize("error", [BrowserError("no sandbox"), MissingDependency("No Chromium was found")])
async def test_a_first_browser_that_does_not_start_is_told_at_once(launched: Launches, error: Exception) -> None:
    launched.plan = [error]
    async with SharedBrowser() as browsers:
        with pytest.raises(type(error)):
            await browsers.get()
    assert launched.tried == [error]
