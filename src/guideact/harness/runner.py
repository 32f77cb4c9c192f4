"""Run an agent over tasks: workers, deadlines, retries, and a log that can be gone on with.

Two layers. `LocalHands` make one attempt at an episode, in one process and one event loop: the sites are served in it;
each worker has its own instance of them, and each episode a browser context of its own, so episodes do not see each
other. `run_with` deals out the episodes, counts attempts and writes the log, whoever's hands make them; `ray_crew` has
others, in processes of a cluster. What bounds time, from the inside out:

    a model's request and all its tries     models.http.Patience
    reset, a step, the check of an episode  env.RESET_SECONDS, STEP_SECONDS, CHECK_SECONDS
    an attempt at an episode                EPISODE_SECONDS
    closing what an attempt left open       CLOSE_SECONDS

An infrastructure error ends the attempt, not the episode: it is begun anew `retry_on_error` times, after a rest in
which others are done; then the episode is put down as what it is and kept out of every rate, and a run that goes on
does it again. Attempts that fall with the shared browser are not counted, but for the one whose worker finds it dead.
An error that only the user can mend (a revoked key, a full disk) ends the run, as does an outage of what all need (the
model, every site, the browser): nothing is put down then, and the same command goes on from there.
"""

from __future__ import annotations

import asyncio
import time
import traceback
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol

from playwright.async_api import Error as PlaywrightError

from guideact.browser import Browser
from guideact.browser.draw import draw_marks
from guideact.config import RunConfig
from guideact.errors import (
    DeadlineExceeded,
    InfrastructureError,
    InputError,
    JudgeUnavailable,
    ModelUnavailable,
    SiteError,
)
from guideact.harness.agent import Agent, Agents, skin_of
from guideact.harness.browsers import CLOSE_SECONDS, SharedBrowser
from guideact.harness.log import Key, RunLog
from guideact.harness.world import EmbeddedWorld, Environment, World
from guideact.sites.server import SiteServer
from guideact.sites.skins import Skin
from guideact.tasks.checks.judge import Judge
from guideact.tasks.dressed import reword
from guideact.tasks.gold import Gold, fingerprint, gold_for
from guideact.types import CheckResult, End, Episode, Finish, Observation, RowChange, Step, Task

EPISODE_SECONDS = 3600.0
REST_SECONDS, MOST_REST_SECONDS = 60.0, 600.0
"""How long an episode rests after its first failed attempt, twice as long after each further one, and at most: with the
default of two retries, a site that restarts for three minutes costs no episode."""
MOST_FALLS = 20
"""How often an episode may fall with a browser that others share before that is its own failure."""


class Watcher(Protocol):
    """Whoever shows how a run gets on."""

    def begin(self, done: Mapping[Key, bool], total: int, redone: int) -> None:
        """A run of `total` episodes begins, or goes on: see `RunLog.done` and `RunLog.redone`."""
        ...

    def step(self) -> None:
        """One more step was made, by any worker."""
        ...

    def retry(self, key: Key, error: str, seconds: float) -> None:
        """An attempt came to nothing and is made again, after a rest of so many seconds."""
        ...

    def episode(self, episode: Episode) -> None:
        """An episode ended and was put down."""
        ...

    def say(self, text: str) -> None:
        """Something else that whoever watches should know, in a line."""
        ...


async def run(
    tasks: Sequence[Task],
    agents: Agents,
    config: RunConfig,
    *,
    server: SiteServer | None = None,
    world: World | None = None,
    browsers: SharedBrowser,
    log: RunLog,
    watcher: Watcher,
    judge: Judge | None = None,
) -> None:
    """Do every (task, sample) of the run that is not in the log yet, in a `world`, or on the sites of a `server`.

    Repetitions come one after the other: each task is done once before any is done twice. Raises what ended the run
    early; whatever had finished is in the log.
    """
    if world is None:
        assert server is not None, "a run needs sites"
        world = EmbeddedWorld(server, config.screenshots, judge, skin_of(config))
    hands = [
        LocalHands(number, agents, config, world, browsers, log, watcher.step) for number in range(config.max_samples)
    ]
    await run_with(tasks, config, hands, log, watcher)


async def run_with(
    tasks: Sequence[Task], config: RunConfig, hands: Sequence[Hands], log: RunLog, watcher: Watcher
) -> None:
    """The same by any hands, each of which does one episode at a time; no more of them are used than episodes are due.

    Only this process writes to the log.
    """
    keys: list[tuple[Task, int]] = [(task, sample) for sample in range(config.epochs) for task in tasks]
    watcher.begin(log.done, len(keys), log.redone)
    due = _Due(deque(_Turn(task, sample) for task, sample in keys if (task.id, sample) not in log.done))
    if not due.left:
        return
    running = [
        asyncio.create_task(_work(due, each, config, log, watcher), name=f"worker-{number}")
        for number, each in enumerate(hands[: due.left])
    ]
    finished: asyncio.Task[object] = asyncio.create_task(due.finished.wait())
    try:
        while not finished.done():
            await asyncio.wait(
                {finished, *(each for each in running if not each.done())}, return_when=asyncio.FIRST_COMPLETED
            )
            for each in running:
                if each.done():
                    each.result()
    finally:
        finished.cancel()
        for each in running:
            each.cancel()
        await asyncio.gather(finished, *running, return_exceptions=True)


class Hands(Protocol):
    """Whoever makes attempts at episodes, one at a time."""

    async def ready(self) -> None:
        """Wait until an attempt could begin at once. Raises what ends the run where it never could."""
        ...

    async def attempt(self, task: Task, sample: int) -> Tried:
        """Make one attempt. Raises InputError for what only the user can mend; all else is told in what comes back."""
        ...

    async def probe(self) -> None:
        """Find out whether the agents and the sites can still answer; see `Agents.probe` and `World.probe`."""
        ...

    async def close(self) -> None:
        """Let go of what is held: no attempt follows."""
        ...


@dataclass(frozen=True)
class Tried:
    """What an attempt came to."""

    episode: Episode
    """The record of it, as a first attempt; of a failed one as an infrastructure error."""
    failed: bool = False
    paid: bool = True
    """Whether a failure counts: not where others broke what was shared."""
    maybe_outage: bool = False
    """Whether it failed as all would while the model or the sites are away."""


@dataclass(frozen=True)
class _Turn:
    """An episode that is to be done, and how often that failed."""

    task: Task
    sample: int
    failures: int = 0
    falls: int = 0
    """Failures that do not count."""


class _Due:
    """The episodes that are to be done, and whether all of them are."""

    def __init__(self, queue: deque[_Turn]) -> None:
        self.queue = queue
        self.left = len(queue)
        """Episodes that are not put down yet, those in somebody's hands included."""
        self.finished = asyncio.Event()
        self._resting = 0
        self._more = asyncio.Event()

    async def some(self) -> bool:
        """Wait while all that could be taken up rests; whether there is something to take up."""
        while not self.queue:
            if not self._resting:
                return False
            await self._more.wait()
        return True

    def again(self, turn: _Turn, seconds: float) -> None:
        """Take it up once more: now and first, or after a rest and last."""
        if seconds:
            self._resting += 1
            _later(seconds, partial(self._rested, turn))
        else:
            self.queue.appendleft(turn)
            self._wake()

    def _rested(self, turn: _Turn) -> None:
        self._resting -= 1
        self.queue.append(turn)
        self._wake()

    def _wake(self) -> None:
        self._more.set()
        self._more = asyncio.Event()

    def put_down(self) -> None:
        self.left -= 1
        if not self.left:
            self.finished.set()


def _later(seconds: float, do: Callable[[], None]) -> None:
    asyncio.get_running_loop().call_later(seconds, do)


def rest_after(failures: int) -> float:
    """Seconds for which an episode rests after so many failed attempts."""
    return min(REST_SECONDS * 2.0 ** min(failures - 1, 30), MOST_REST_SECONDS)


async def _work(due: _Due, hands: Hands, config: RunConfig, log: RunLog, watcher: Watcher) -> None:
    """Take from the queue until it is empty, and put each episode down as it ends.

    What failed goes to the queue's tail after a rest; what fell with a browser of others, to its head: these hands take
    it up again, unless they have to be replaced first and others are quicker.
    """
    this = asyncio.current_task()
    assert this is not None
    try:
        while await due.some():
            await hands.ready()
            if not due.queue:
                continue
            turn = due.queue.popleft()
            tried = await hands.attempt(turn.task, turn.sample)
            if this.cancelling():
                # What ends a run may reach the browser as well (a signal to the whole group does), and its failure
                # then hides the cancellation: beginning anew would go on with a run that is to end.
                raise asyncio.CancelledError
            if tried.failed:
                seconds = 0.0
                if not tried.paid and turn.falls < MOST_FALLS:
                    turn = replace(turn, falls=turn.falls + 1)
                else:
                    turn = replace(turn, failures=turn.failures + 1)
                    seconds = rest_after(turn.failures)
                if turn.failures <= config.retry_on_error:
                    watcher.retry((turn.task.id, turn.sample), tried.episode.error, seconds)
                    due.again(turn, seconds)
                    continue
                if tried.maybe_outage:
                    # Gone for this episode, or for all of them? Then nothing is put down, and the run ends here.
                    await hands.probe()
            attempts = turn.failures + (not tried.failed)
            episode = tried.episode.model_copy(update={"attempts": attempts})
            log.append(episode)
            due.put_down()
            watcher.episode(episode)
    finally:
        await hands.close()


class Keeper(Protocol):
    """Keeps what an attempt shows: a `RunLog`, or whoever carries it to one."""

    def begin(self, task_id: str, sample: int) -> None: ...
    def keep_observation(self, task_id: str, sample: int, index: int, observation: Observation) -> str: ...
    def keep_image(self, png: bytes) -> str: ...


class LocalHands:
    """Makes attempts in this process; of the embedded sites it has an instance of its own."""

    def __init__(
        self,
        instance: int,
        agents: Agents,
        config: RunConfig,
        world: World,
        browsers: SharedBrowser,
        keeper: Keeper,
        stepped: Callable[[], None],
    ) -> None:
        """`stepped` is called after each step."""
        self.instance = instance
        self._agents = agents
        self._skin = skin_of(config)
        self._world = world
        self._browsers = browsers
        self._keeper = keeper
        self._stepped = stepped

    async def ready(self) -> None:
        """Have a living browser. Raises what `SharedBrowser.get` does where none can be started any more."""
        await self._browsers.get()

    async def probe(self) -> None:
        await self._agents.probe()
        await self._world.probe()

    async def close(self) -> None:
        """Browser and agents belong to all."""

    async def attempt(self, task: Task, sample: int) -> Tried:
        failure: InfrastructureError | None = None
        self._keeper.begin(task.id, sample)
        attempt = _Attempt(task, sample, self._skin)
        try:
            async with self._world.turn(task):
                # Only now: it may have died in the meantime, and waiting for one's turn is no part of the episode.
                attempt.browser = await self._browsers.get()
                await self._attempt(attempt, attempt.browser)
        except InputError:
            raise
        except InfrastructureError as error:
            failure, message = error, str(error)
        except Exception as error:  # noqa: BLE001  a bug met in one episode is put down with it, and ends no run
            message = _where(error)
        else:
            return Tried(attempt.episode())
        paid = True
        if attempt.browser is not None and not self._browsers.is_current(attempt.browser):
            # Where another worker met the dead browser first, that one paid for it.
            paid = attempt.broke or await self._browsers.discard(attempt.browser)
        if isinstance(failure, JudgeUnavailable):
            # The episode was done and lacks its verdict: where there is none for any, doing it anew would only cost.
            await self.probe()
        outage = isinstance(failure, ModelUnavailable | SiteError | DeadlineExceeded)
        return Tried(attempt.episode(message), failed=True, paid=paid, maybe_outage=outage)

    async def _attempt(self, attempt: _Attempt, browser: Browser) -> None:
        attempt.started = time.perf_counter()
        env = self._world.env(browser, self.instance, attempt.sample)
        agent = self._agents.agent(attempt.task, attempt.sample)
        try:
            async with _deadline("episode", EPISODE_SECONDS):
                await self._act(env, agent, attempt)
                attempt.check = await env.check()
                attempt.changes = env.changes()
        finally:
            attempt.seconds = time.perf_counter() - attempt.started
            await self._close(env, attempt, browser)

    async def _close(self, env: Environment, attempt: _Attempt, browser: Browser) -> None:
        """Let go of what the attempt held. What goes wrong in that changes nothing of what the attempt came to."""
        try:
            async with asyncio.timeout(CLOSE_SECONDS):
                await env.close()
        except InputError:
            raise
        except (TimeoutError, PlaywrightError, InfrastructureError):
            # A context that does not close goes with its browser.
            attempt.broke = await self._browsers.discard(browser)
            return
        except Exception:  # noqa: BLE001, S110  a bug in clearing away takes no verdict along
            pass
        if not browser.alive:
            attempt.broke = await self._browsers.discard(browser)

    async def _act(self, env: Environment, agent: Agent, attempt: _Attempt) -> None:
        clock = time.perf_counter()
        observation = await env.reset(attempt.task)
        timings = {"reset": _since(clock)}
        while True:
            image = await self._image(observation)
            clock = time.perf_counter()
            decision = await agent.decide(observation, image, len(attempt.steps))
            timings["model"] = _since(clock)
            action = decision.answer.action
            target = env.target_of(action) if action is not None else None
            result = await env.step(action)
            step = Step(
                index=len(attempt.steps),
                url=observation.url,
                title=observation.title,
                observation=self._keeper.keep_observation(
                    attempt.task.id, attempt.sample, len(attempt.steps), observation
                ),
                screenshot=self._keeper.keep_image(image) if image is not None else "",
                prompt_sha256=decision.prompt_sha256,
                raw=decision.raw,
                think=decision.answer.think,
                action=action,
                guide=decision.answer.guide,
                faults=decision.answer.faults,
                target=target,
                outcome=result.outcome,
                changes=result.changes,
                timings={**timings, **{name: ms for name, ms in result.timings.items() if name != "observe"}},
                usage=decision.usage,
                sampled=decision.sampled,
            )
            attempt.steps.append(step)
            self._stepped()
            if isinstance(action, Finish):
                attempt.answer = action.answer
            if result.terminated or result.truncated:
                attempt.end = "finished" if result.terminated else "out_of_steps"
                return
            agent.remember(step, observation)
            observation = result.observation
            timings = {"observe": result.timings["observe"]} if "observe" in result.timings else {}

    async def _image(self, observation: Observation) -> bytes | None:
        """What the model is shown; drawn in a thread, for it takes as long as a page does to load."""
        shot = observation.screenshot
        if shot is None:
            return None
        return await asyncio.to_thread(draw_marks, shot.png, observation.candidates, observation.viewport)


@dataclass
class _Attempt:
    """What is known of an episode while it is going on."""

    task: Task
    sample: int
    skin: Skin | None = None
    steps: list[Step] = field(default_factory=list)
    answer: str = ""
    end: End = "infrastructure_error"
    check: CheckResult | None = None
    changes: tuple[RowChange, ...] = ()
    started: float = 0.0
    seconds: float = 0.0
    """From the reset to the verdict."""
    browser: Browser | None = None
    """Once it is the episode's turn."""
    broke: bool = False
    """Whether these hands were the first to find that browser broken."""

    def episode(self, error: str = "") -> Episode:
        """The record of it; with `error`, as an infrastructure error."""
        task, gold = self.task, gold_for(self.task.id)
        if gold is not None and gold.task_sha256 != fingerprint(task):
            gold = None
        return Episode(
            task_id=task.id,
            sample=self.sample,
            template_id=task.template_id,
            sites=task.sites,
            split=task.split,
            intent=task.intent,
            steps=tuple(self.steps),
            answer=self.answer,
            end="infrastructure_error" if error else self.end,
            check=None if error else self.check,
            changes=self.changes,
            references=_references(gold, self.skin) if gold is not None else (),
            gold_steps=len(gold.steps) if gold is not None else 0,
            seconds=round(self.seconds, 3),
            error=error,
        )


def lost(task: Task, sample: int, skin: Skin | None, error: str) -> Tried:
    """An attempt that nobody can tell of: whoever made it is gone."""
    return Tried(_Attempt(task, sample, skin).episode(error), failed=True)


def _references(gold: Gold, skin: Skin | None) -> tuple[tuple[str, ...], ...]:
    """The reference sentences of each gold step, naming what the skin shows."""
    return tuple(tuple(reword(said, skin, step.url) for said in step.references) for step in gold.steps)


def _since(start: float) -> float:
    return round((time.perf_counter() - start) * 1000, 2)


def _where(error: Exception) -> str:
    """An unexpected exception in one line, with the place it came from."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    said = (str(error).strip().splitlines() or [""])[0][:300]
    return f"{type(error).__name__}: {said} ({Path(last.filename).name}:{last.lineno})"


@asynccontextmanager
async def _deadline(layer: str, seconds: float) -> AsyncIterator[None]:
    try:
        async with asyncio.timeout(seconds):
            yield
    except TimeoutError as error:
        raise DeadlineExceeded(layer, seconds) from error
