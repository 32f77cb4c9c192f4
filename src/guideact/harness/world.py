"""Where episodes take place: the embedded sites, or WebArena's. The runner knows neither."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from guideact.browser import Browser
from guideact.env import StepResult, WebEnv
from guideact.sites.server import SiteServer
from guideact.sites.skins import Skin
from guideact.tasks.checks.judge import Judge
from guideact.tasks.webarena.place import Place
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.tasks.webarena.upkeep import check_any
from guideact.types import Action, Candidate, CheckResult, Observation, RowChange, Task
from guideact.webarena import Record, WebArenaEnv


class Environment(Protocol):
    """One episode after the other; the contract is that of `guideact.env`."""

    async def reset(self, task: Task) -> Observation: ...
    async def step(self, action: Action | None) -> StepResult: ...
    async def check(self) -> CheckResult: ...
    def changes(self) -> tuple[RowChange, ...]: ...
    def target_of(self, action: Action) -> Candidate | None: ...
    async def close(self) -> None: ...


class World(Protocol):
    """The sites of a run."""

    def env(self, browser: Browser, worker: int, sample: int) -> Environment:
        """An environment for one attempt of a worker at a task's repetition."""
        ...

    def turn(self, task: Task) -> AbstractAsyncContextManager[None]:
        """Held during an attempt at a task: whoever would disturb it waits meanwhile, or it for them."""
        ...

    async def probe(self) -> None:
        """Raise SiteError where no site answers, so that no episode could come to anything."""
        ...


@dataclass(frozen=True)
class EmbeddedWorld:
    """The embedded sites: each worker has an instance of its own, so nobody disturbs anybody."""

    server: SiteServer
    screenshots: bool = True
    judge: Judge | None = None
    skin: Skin | None = None

    def env(self, browser: Browser, worker: int, sample: int) -> WebEnv:
        return WebEnv(
            browser, self.server, instance=worker, screenshots=self.screenshots, judge=self.judge, skin=self.skin
        )

    @asynccontextmanager
    async def turn(self, task: Task) -> AsyncIterator[None]:
        yield

    async def probe(self) -> None:
        """Nothing to find out: they are served by this process."""


@dataclass(frozen=True)
class WebArenaWorld:
    """WebArena's sites, of which there is one copy for all workers."""

    place: Place
    sites: tuple[str, ...]
    """Those that the run's tasks need."""
    screenshots: bool = True
    judge: Judge | None = None
    strict: bool = False
    output: Path | None = None
    """Where what WebArena-Verified reads is written to; repetitions have a folder of their own beside it."""
    program: str = ""
    """The evaluator of WebArena-Verified, needed for its tasks, and the file that they came from."""
    task_file: Path | None = None

    def env(self, browser: Browser, worker: int, sample: int) -> WebArenaEnv:
        record = None
        if self.output is not None:
            record = Record(output_of(self.output, sample), self.program, self.task_file)
        return WebArenaEnv(
            browser,
            self.place,
            screenshots=self.screenshots,
            judge=self.judge,
            strict=self.strict,
            record=record,
        )

    @asynccontextmanager
    async def turn(self, task: Task) -> AsyncIterator[None]:
        assert isinstance(task, WebArenaTask), task.id
        async with self.place.turns.turn(task):
            yield

    async def probe(self) -> None:
        await check_any(self.place.setup, self.sites)


def output_of(folder: Path, sample: int) -> Path:
    """The folder of a repetition's output: `verified`, `verified-1`, ..."""
    return folder if sample == 0 else folder.with_name(f"{folder.name}-{sample}")
