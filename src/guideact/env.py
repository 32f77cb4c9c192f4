"""The environment: one task, one browser context, one instance of the sites.

    async with open_env() as env:
        observation = await env.reset(task)
        while True:
            result = await env.step(action)          # an Action, or None for an answer that could not be read
            if result.terminated or result.truncated:
                break
        verdict = await env.check()

The contract (`env_checker.check_env` tests it):

- `reset` restores every site of the instance, signs in whom the task names, opens the start page in a fresh browser
  context, and returns the first observation. It may be called at any time.
- `step` carries out one action, waits until the page has settled, and returns what is to be seen then. `terminated`
  means that the agent finished; `truncated` that the budget of steps is used up. After either, only `check`, `reset`
  and `close` are left. An action that fails is no exception: its `outcome` names what stood in the way.
- `check` tests the end state once, and gives the same verdict when asked again.
- Whatever is not the agent's doing (a dead browser, a site's 500, a deadline) raises an `InfrastructureError`.

Addresses in observations name the site, never the instance or the port (`http://shopping.localhost/cart`), so that the
same episode reads the same wherever it ran.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager
from typing import Any, TypeVar

from pydantic import Field

from guideact.browser import Browser, LaunchOptions, Session, launch
from guideact.errors import DeadlineExceeded, SiteError
from guideact.sites.registry import database_of
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import Skin
from guideact.sites.state import Snapshot, diff, pristine_snapshot
from guideact.sites.world import NOW
from guideact.tasks.checks import Evidence, run_check
from guideact.tasks.checks.judge import Judge, OffTheClock
from guideact.types import (
    Action,
    Candidate,
    CheckResult,
    Finish,
    Frozen,
    Observation,
    Outcome,
    RowChange,
    Task,
    Viewport,
)

RESET_SECONDS = 30.0
STEP_SECONDS = 30.0
CHECK_SECONDS = 30.0
"""Without what a judge takes, who has deadlines of its own (`models.judge`)."""

T = TypeVar("T")


class StepResult(Frozen):
    """What one step led to."""

    observation: Observation
    outcome: Outcome | None = None
    """None where the action did what it says; otherwise what stood in its way."""
    terminated: bool = False
    truncated: bool = False
    changes: tuple[RowChange, ...] = ()
    """What the step changed in the sites' data."""
    timings: dict[str, float] = Field(default_factory=dict)
    """Milliseconds spent to act, to settle, and to observe what came of it."""


class WebEnv:
    """See the module's docstring for the contract. Not safe to share between tasks of an event loop."""

    def __init__(
        self,
        browser: Browser,
        server: SiteServer,
        *,
        instance: int = 0,
        screenshots: bool = True,
        steady: bool = False,
        viewport: Viewport | None = None,
        judge: Judge | None = None,
        skin: Skin | None = None,
    ) -> None:
        """`judge` is needed for tasks whose answer only a reader can judge, and no others. `skin` dresses the sites.

        `steady` wants every screenshot confirmed by a second one: see `Session.observe`.
        """
        self.skin = skin
        self._judge = judge
        self._browser = browser
        self._server = server
        self._instance = instance
        self._screenshots = screenshots
        self._steady = steady
        self._viewport = viewport or Viewport()
        self._stack = AsyncExitStack()
        self._session: Session | None = None
        self._task: Task | None = None
        self._steps = 0
        self._over = False
        self._answer = ""
        self._verdict: CheckResult | None = None
        self._observation: Observation | None = None
        self._start: dict[str, Snapshot] = {}
        self._last: dict[str, Snapshot] = {}

    async def reset(self, task: Task) -> Observation:
        """Begin `task` on pristine sites.

        Raises SiteError where a site is unhealthy or the login does not hold, DeadlineExceeded after 30 s.
        """
        await self.close()
        async with _deadline("reset", RESET_SECONDS):
            self._server.reset(self._instance)
            self._server.dress(self._instance, self.skin)
            cookies = [self._server.cookie(self._instance, site, user) for site, user in task.logins.items()]
            session = await self._stack.enter_async_context(self._open_session(task, cookies))
            self._session = session
            self._task, self._steps, self._over, self._answer, self._verdict = task, 0, False, "", None
            await session.goto(self._server.actual(task.start_url, self._instance))
            await session.settle()
            for site, cookie in zip(task.logins, cookies, strict=True):
                if not self._server.signed_in(self._instance, site, cookie["value"]):
                    raise SiteError(f"{site} lost the login of {task.logins[site]} at the start")
            self._raise_site_faults()
            # Opening the start page may itself count a view: what the agent changes is measured from here.
            self._start = self._snapshots()
            self._last = self._start
            return await self._observe()

    async def step(self, action: Action | None) -> StepResult:
        """Carry out one action. None stands for a malformed answer: it uses up a step and does nothing."""
        session, task = self._running()
        self._steps += 1
        spent = self._steps >= task.max_steps
        clock = _Clock()
        async with _deadline("step", STEP_SECONDS):
            if isinstance(action, Finish):
                self._over, self._answer = True, action.answer
                return StepResult(observation=self._last_observation(), terminated=True)
            if action is None:
                outcome: Outcome | None = Outcome(code="malformed", detail="the answer held no valid action")
            else:
                outcome = await session.execute(action)
                clock.lap("act")
                await session.settle()
                clock.lap("settle")
            self._raise_site_faults()
            observation = await self._observe()
            clock.lap("observe")
            changes = self._changes_since_last_step()
        self._over = spent
        return StepResult(
            observation=observation, outcome=outcome, truncated=spent, changes=changes, timings=clock.laps
        )

    async def check(self) -> CheckResult:
        """The functional test of success, at the end of the episode.

        Raises ValueError before the end, DeadlineExceeded after 30 s, and what the judge does.
        """
        if self._task is None or not self._over:
            raise ValueError("check tests the end of an episode: step until terminated or truncated first")
        if self._verdict is None:
            async with _deadline("check", CHECK_SECONDS) as clock:
                self._verdict = await run_check(self._task.check, self._evidence(self._task, clock))
        return self._verdict

    def changes(self) -> tuple[RowChange, ...]:
        """Every difference between the sites' data now and at the start of the episode."""
        return self._diff(self._start, self._snapshots())

    def target_of(self, action: Action) -> Candidate | None:
        """The candidate of the last observation that an action points at, by its mark or by a hit test."""
        return None if self._session is None else self._session.target_of(action)

    async def close(self) -> None:
        """End the episode and its browser context. The browser and the sites stay."""
        self._session, self._task, self._over = None, None, False
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _open_session(self, task: Task, cookies: list[dict[str, str]]) -> AbstractAsyncContextManager[Session]:
        return self._browser.session(
            allow=self._server.allow(self._instance),
            viewport=self._viewport,
            now=NOW,
            dialogs=task.dialogs,
            cookies=cookies,
        )

    def _running(self) -> tuple[Session, Task]:
        if self._session is None or self._task is None:
            raise ValueError("step needs an episode: call reset first")
        if self._over:
            raise ValueError("the episode is over: call reset for another one")
        return self._session, self._task

    async def _observe(self) -> Observation:
        assert self._session is not None
        seen = await self._session.observe(screenshot=self._screenshots, steady=self._steady)
        canonical = self._server.canonical
        tabs = tuple(tab.model_copy(update={"url": canonical(tab.url)}) for tab in seen.tabs)
        self._observation = seen.model_copy(update={"url": canonical(seen.url), "tabs": tabs})
        return self._observation

    def _last_observation(self) -> Observation:
        assert self._observation is not None
        return self._observation

    def _raise_site_faults(self) -> None:
        if faults := self._server.faults(self._instance):
            raise SiteError(f"a site answered 500: {faults[-1].strip().splitlines()[-1]}")

    def _snapshots(self) -> dict[str, Snapshot]:
        return self._server.snapshots(self._instance)

    def _changes_since_last_step(self) -> tuple[RowChange, ...]:
        now = self._snapshots()
        changes = self._diff(self._last, now)
        self._last = now
        return changes

    def _diff(self, before: dict[str, Snapshot], after: dict[str, Snapshot]) -> tuple[RowChange, ...]:
        # A site that came into use in between was pristine before.
        return tuple(
            change
            for site, now in after.items()
            for change in diff(before.get(site) or pristine_snapshot(database_of(site)), now, site=site)
        )

    def _evidence(self, task: Task, clock: asyncio.Timeout) -> Evidence:
        return Evidence(
            answer=self._answer,
            url=self._last_observation().url,
            changes=self.changes(),
            page_text=self._page_text(task),
            intent=task.intent,
            judge=OffTheClock(self._judge, clock) if self._judge is not None else None,
        )

    def _page_text(self, task: Task) -> Callable[[str, str, str], Awaitable[str]]:
        """A function that reads a page in a browser context of its own, signed in as the task was."""

        async def read(site: str, path: str, selector: str) -> str:
            cookies = [self._server.cookie(self._instance, name, user) for name, user in task.logins.items()]
            # What a check expects is written in the sites' own words.
            self._server.dress(self._instance, None)
            try:
                async with self._open_session(task, cookies) as session:
                    return await session.page_text(self._server.url(site, self._instance) + path, selector)
            finally:
                self._server.dress(self._instance, self.skin)

        return read


class _Clock:
    """Milliseconds from lap to lap."""

    def __init__(self) -> None:
        self._last = time.perf_counter()
        self.laps: dict[str, float] = {}

    def lap(self, name: str) -> None:
        now = time.perf_counter()
        self.laps[name] = round((now - self._last) * 1000, 2)
        self._last = now


@asynccontextmanager
async def open_env(
    *, headless: bool = True, screenshots: bool = True, viewport: Viewport | None = None
) -> AsyncIterator[WebEnv]:
    """A browser, the embedded sites and an environment over them, all gone at the end."""
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(serve(port=0))
        browser = await stack.enter_async_context(launch(LaunchOptions(headless=headless)))
        env = WebEnv(browser, server, screenshots=screenshots, viewport=viewport)
        stack.push_async_callback(env.close)
        yield env


class SyncWebEnv:
    """The same environment for code that is not async: each call runs on an event loop in a thread of its own."""

    def __init__(self, env: WebEnv, loop: asyncio.AbstractEventLoop) -> None:
        self._env = env
        self._loop = loop

    def reset(self, task: Task) -> Observation:
        return self._run(self._env.reset(task))

    def step(self, action: Action | None) -> StepResult:
        return self._run(self._env.step(action))

    def check(self) -> CheckResult:
        return self._run(self._env.check())

    def changes(self) -> tuple[RowChange, ...]:
        async def changes() -> tuple[RowChange, ...]:
            return self._env.changes()

        return self._run(changes())

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result()


@contextmanager
def open_sync_env(
    *, headless: bool = True, screenshots: bool = True, viewport: Viewport | None = None
) -> Iterator[SyncWebEnv]:
    """`open_env` for code that is not async; works inside a running event loop and in any thread too."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="guideact-env", daemon=True)
    thread.start()
    manager = open_env(headless=headless, screenshots=screenshots, viewport=viewport)
    try:
        env = asyncio.run_coroutine_threadsafe(manager.__aenter__(), loop).result()
        try:
            yield SyncWebEnv(env, loop)
        finally:
            asyncio.run_coroutine_threadsafe(manager.__aexit__(None, None, None), loop).result()
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@asynccontextmanager
async def _deadline(layer: str, seconds: float) -> AsyncIterator[asyncio.Timeout]:
    try:
        async with asyncio.timeout(seconds) as clock:
            yield clock
    except TimeoutError as error:
        raise DeadlineExceeded(layer, seconds) from error
