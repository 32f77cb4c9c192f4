"""The environment on WebArena's sites: the same contract as `guideact.env.WebEnv`, on sites that others serve.

    async with open_webarena(read_setup()) as env:
        observation = await env.reset(task)

Differences: there is one copy of the sites, so `reset` restores nothing (`tasks.webarena.turns` decides when they are
put back); no change of data can be seen, so `changes` is empty; and addresses in observations are the real ones, since
agents type and post them.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from guideact.browser import Browser, LaunchOptions, Session, launch
from guideact.env import StepResult
from guideact.errors import DeadlineExceeded, InputError, SiteError
from guideact.sites.skins import Skin
from guideact.tasks.checks.judge import Judge, OffTheClock
from guideact.tasks.checks.webarena import Eval, evaluate
from guideact.tasks.checks.webarena import passed as all_passed
from guideact.tasks.webarena import verified
from guideact.tasks.webarena.pages import LivePages
from guideact.tasks.webarena.place import Place, open_place
from guideact.tasks.webarena.setup import Setup
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.tasks.webarena.upkeep import check_health
from guideact.types import (
    Action,
    Candidate,
    CheckPart,
    CheckResult,
    Finish,
    Observation,
    Outcome,
    RowChange,
    Task,
    Viewport,
)

RESET_SECONDS = 240.0
STEP_SECONDS = 60.0
CHECK_SECONDS = 240.0
"""Real sites are slow at first: a shop that was just started takes half a minute for a page. What a judge takes is not
in it: it has deadlines of its own (`models.judge`)."""


@dataclass(frozen=True)
class Record:
    """Where what WebArena-Verified reads is written to, and the program that reads it."""

    folder: Path
    """Holds config.json, and a folder for each task."""
    program: str = ""
    """Needed for tasks of WebArena-Verified alone, as is the file that they came from."""
    tasks: Path | None = None


class WebArenaEnv:
    """See the module's docstring. Not safe to share between tasks of an event loop."""

    skin: Skin | None = None

    def __init__(
        self,
        browser: Browser,
        place: Place,
        *,
        screenshots: bool = True,
        viewport: Viewport | None = None,
        judge: Judge | None = None,
        strict: bool = False,
        record: Record | None = None,
    ) -> None:
        """`strict` keeps the faults of WebArena's evaluators; `record` writes down what WebArena-Verified reads."""
        self._browser = browser
        self._place = place
        self._screenshots = screenshots
        self._viewport = viewport or Viewport()
        self._judge = judge
        self._strict = strict
        self._record = record
        self._stack = AsyncExitStack()
        self._session: Session | None = None
        self._task: WebArenaTask | None = None
        self._scratch: Path | None = None
        """Where the browser records."""
        self._steps = 0
        self._over = False
        self._answer = ""
        self._verdict: CheckResult | None = None
        self._observation: Observation | None = None

    async def reset(self, task: Task) -> Observation:
        """Begin a task: sites healthy, signed in, its pages open.

        Raises InputError for a task that is none of WebArena's, SiteError where a site is unhealthy or does not let its
        user in, DeadlineExceeded.
        """
        if not isinstance(task, WebArenaTask):
            raise InputError(f"{task.id} is no task of WebArena", fix="Load it with webarena:PATH.")
        await self.close()
        place = self._place
        async with _deadline("reset", RESET_SECONDS):
            await check_health(place.setup, task.needed_sites)
            state = await place.logins.state(self._browser, place.signs_in(task))
            if self._record is not None:
                self._scratch = Path(tempfile.mkdtemp(prefix="har-", dir=self._browser.folder))
            session = await self._stack.enter_async_context(
                self._browser.session(
                    allow=place.allow,
                    viewport=self._viewport,
                    timezone="UTC",
                    dialogs=task.dialogs,
                    storage=state,
                    geolocation=task.geolocation.model_dump() if task.geolocation is not None else None,
                    har=self._scratch / verified.HAR if self._scratch is not None else None,
                )
            )
            self._session, self._task = session, task
            self._steps, self._over, self._answer, self._verdict = 0, False, "", None
            await self._open_pages(session, task)
            return await self._observe(session)

    async def _open_pages(self, session: Session, task: WebArenaTask) -> None:
        """The start pages in tabs, the first one on top; behind it the page of links, where there are other sites."""
        first, *others = (self._place.setup.fill(url) for url in task.start_urls)
        # The last one lies lowest: going back closes a tab and shows the next page of the task.
        for number, url in enumerate(reversed(others)):
            await (session.open_tab(url) if number else session.goto(url))
        if others:
            await session.open_tab(first)
            session.notice(f"{len(others) + 1} tabs are open. Going back closes this one and shows the next.")
        elif len(task.sites) > 1:
            await session.goto(self._place.links)
            await session.goto(first, begin=False)
            session.notice("Going back from the first page leads to a page of links to the other sites.")
        else:
            await session.goto(first)

    async def step(self, action: Action | None) -> StepResult:
        """Carry out one action. None stands for a malformed answer: it uses up a step and does nothing."""
        session, task = self._running()
        self._steps += 1
        spent = self._steps >= task.max_steps
        outcome: Outcome | None = None
        timings: dict[str, float] = {}
        async with _deadline("step", STEP_SECONDS):
            if isinstance(action, Finish):
                self._over, self._answer = True, action.answer
                assert self._observation is not None
                return StepResult(observation=self._observation, terminated=True)
            if action is None:
                outcome = Outcome(code="malformed", detail="the answer held no valid action")
            else:
                outcome = await session.execute(action)
                timings = dict(session.timings)
            if session.last_status >= 500:
                raise SiteError(f"{session.url} answered {session.last_status}")
            observation = await self._observe(session)
            timings["observe"] = session.timings["observe"]
        self._over = spent
        return StepResult(
            observation=observation,
            outcome=outcome,
            truncated=spent,
            timings={name: round(ms, 2) for name, ms in timings.items()},
        )

    async def visit(self, url: str) -> Observation:
        """Open a page (placeholders are filled) in place of an action, as a replay does where a step was dropped."""
        session, _ = self._running()
        async with _deadline("visit", STEP_SECONDS):
            await session.goto(self._place.setup.fill(url), begin=False)
            return await self._observe(session)

    async def scroll_by(self, x: int, y: int) -> Observation:
        """Move the window by so many pixels in place of an action, as a replay of other people's scrolling does."""
        session, _ = self._running()
        async with _deadline("scroll", STEP_SECONDS):
            await session.active_page.evaluate("([x, y]) => window.scrollBy(x, y)", [x, y])
            await session.settle()
            return await self._observe(session)

    async def check(self) -> CheckResult:
        """The functional test of success, at the end of the episode. Raises ValueError before the end."""
        if self._task is None or not self._over:
            raise ValueError("check tests the end of an episode: step until terminated or truncated first")
        if self._verdict is None:
            async with _deadline("check", CHECK_SECONDS) as clock:
                self._verdict = await self._judged(self._task, clock)
        if self._record is not None:
            # Here, and not at the close: what cannot be written is to be known while the episode can be done again.
            await self._end_session()
        return self._verdict

    async def _judged(self, task: WebArenaTask, clock: asyncio.Timeout) -> CheckResult:
        if task.eval is not None:
            judge = OffTheClock(self._judge, clock) if self._judge is not None else None
            return await self._evaluated(task, task.eval, judge)
        if self._record is None or not self._record.program:
            raise InputError(
                f"{task.id} is scored by WebArena-Verified's program, and none was given",
                fix="Give the environment a record with its program.",
            )
        # The recording is whole when its browser context has ended.
        await self._end_session()
        return await verified.score(self._record.program, self._record.folder, task.number)

    async def _evaluated(self, task: WebArenaTask, check: Eval, judge: Judge | None) -> CheckResult:
        assert self._session is not None
        setup = self._place.setup
        here = Eval.model_validate_json(setup.fill(check.model_dump_json()))
        parts = await evaluate(
            here,
            answer=self._answer,
            url=self._session.url,
            pages=LivePages(setup, self._session, strict=self._strict),
            judge=partial(_ask_judge, judge, task.intent, check) if judge is not None else None,
            strict=self._strict,
        )
        if all_passed(parts) is None:
            raise InputError(f"{task.id} can only be judged by a model", fix="Give the environment a judge.")
        return CheckResult(
            passed=all_passed(parts) is True,
            parts=tuple(CheckPart(part=part.part, passed=part.passed is True, reason=part.reason) for part in parts),
        )

    def changes(self) -> tuple[RowChange, ...]:
        """None: nothing of these sites' data can be seen."""
        return ()

    def target_of(self, action: Action) -> Candidate | None:
        """The candidate of the last observation that an action points at, by its mark or by a hit test."""
        return None if self._session is None else self._session.target_of(action)

    @property
    def session(self) -> Session:
        """The browser session of the episode. Raises ValueError outside of one."""
        if self._session is None:
            raise ValueError("there is no episode: call reset first")
        return self._session

    async def close(self) -> None:
        """End the episode and its browser context. The browser and the sites stay."""
        await self._end_session()
        self._task, self._over = None, False

    # --- inside ---------------------------------------------------------------------------------------------------

    def _running(self) -> tuple[Session, WebArenaTask]:
        if self._session is None or self._task is None:
            raise ValueError("step needs an episode: call reset first")
        if self._over:
            raise ValueError("the episode is over: call reset for another one")
        return self._session, self._task

    async def _observe(self, session: Session) -> Observation:
        self._observation = await session.observe(screenshot=self._screenshots)
        return self._observation

    async def _end_session(self) -> None:
        """Close the context; what it recorded is kept if the episode came to its end."""
        stack, self._stack = self._stack, AsyncExitStack()
        scratch, self._scratch, self._session = self._scratch, None, None
        try:
            # The recording is written as the context ends.
            await stack.aclose()
            if scratch is not None and self._record is not None and self._task is not None and self._over:
                await asyncio.to_thread(
                    verified.write_output,
                    self._record.folder,
                    self._task.number,
                    self._answer,
                    scratch / verified.HAR,
                    self._place.setup,
                    self._record.tasks,
                )
        finally:
            if scratch is not None:
                shutil.rmtree(scratch, ignore_errors=True)


async def _ask_judge(judge: Judge, question: str, check: Eval, reference: str, answer: str) -> bool:
    note = ""
    if reference == check.string_note:
        note = "The question cannot be answered or the task cannot be done; the reference says why."
    return (await judge.judge(question, reference, note, answer)).correct


@asynccontextmanager
async def open_webarena(
    setup: Setup, *, headless: bool = True, screenshots: bool = True, judge: Judge | None = None, strict: bool = False
) -> AsyncIterator[WebArenaEnv]:
    """A browser and an environment on the sites of a setup, gone at the end; the sites stay as they are."""
    async with AsyncExitStack() as stack:
        place = await stack.enter_async_context(open_place(setup))
        browser = await stack.enter_async_context(launch(LaunchOptions(headless=headless)))
        env = WebArenaEnv(browser, place, screenshots=screenshots, judge=judge, strict=strict)
        stack.push_async_callback(env.close)
        yield env


@asynccontextmanager
async def _deadline(layer: str, seconds: float) -> AsyncIterator[asyncio.Timeout]:
    try:
        async with asyncio.timeout(seconds) as clock:
            yield clock
    except TimeoutError as error:
        raise DeadlineExceeded(layer, seconds) from error
