"""A worker in a process of its own, on any machine: it has a browser and sites of its own, and makes one attempt at a
time.

It writes no run folder: what an attempt was comes back whole, and whoever asked for it puts it down. Nothing here
knows how it is reached (`ray_crew` is one way). Keys of endpoints are read from this process's own environment.
"""

from __future__ import annotations

import asyncio
import hashlib
import platform
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from guideact import __version__
from guideact.config import RunConfig
from guideact.errors import InfrastructureError, InputError
from guideact.harness.agent import Agents, skin_of
from guideact.harness.browsers import SharedBrowser
from guideact.harness.log import image_path, observation_path
from guideact.harness.probe import probe_tasks
from guideact.harness.runner import LocalHands, Tried
from guideact.harness.world import EmbeddedWorld
from guideact.sites.server import serve
from guideact.types import Observation, Task

PACKAGES = ("httpx", "pillow", "playwright", "pydantic", "sacrebleu", "starlette", "uvicorn")
"""Packages whose version may show in what a run measures."""


@dataclass(frozen=True)
class Job:
    """What a worker is to know."""

    config: RunConfig
    tasks: tuple[Task, ...]
    make_agents: Callable[[], Agents]
    """Called in the worker, so that keys never travel. Raises InputError as `agents_for` does."""


@dataclass(frozen=True)
class Refused:
    """An error of ours, in words: exceptions do not travel well."""

    message: str
    fix: str
    by_user: bool
    """Whether the user can mend it (InputError)."""


@dataclass
class Carried:
    """What an attempt showed, kept until somebody writes it down: a `runner.Keeper`."""

    observations: list[Observation] = field(default_factory=list)
    """One for each step, without the bytes of its screenshot, which no log keeps."""
    images: dict[str, bytes] = field(default_factory=dict)
    """What the model was shown, by where a log keeps it."""

    def begin(self, task_id: str, sample: int) -> None:
        self.observations.clear()
        self.images.clear()

    def keep_observation(self, task_id: str, sample: int, index: int, observation: Observation) -> str:
        shot = observation.screenshot
        if shot is not None:
            observation = observation.model_copy(update={"screenshot": shot.model_copy(update={"png": b""})})
        self.observations.append(observation)
        return observation_path(task_id, sample, index)

    def keep_image(self, png: bytes) -> str:
        path = image_path(png)
        self.images[path] = png
        return path


class RemoteWorker:
    """The worker. Everything that comes in and goes out can be pickled."""

    def __init__(self) -> None:
        self._over = asyncio.Event()
        self._life: asyncio.Task[None] | None = None
        self._hands: LocalHands | None = None
        self._carried = Carried()
        self._tasks: dict[str, Task] = {}

    async def about(self) -> dict[str, str]:
        """Who this is, in nothing but strings, so that any other guideact can read it: host, code, and packages."""
        return {"host": platform.node(), "guideact": __version__, "code": code_sha256(), **package_versions()}

    async def open(self, job: Job, probe: bool) -> str | Refused:
        """Start browser and sites and make the agents; what the browser calls itself. `probe` tries the tasks too."""
        opened: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        # Browser and sites are closed by the task that opened them.
        self._life = asyncio.create_task(self._live(job, probe, opened))
        try:
            return await opened
        except (InputError, InfrastructureError) as error:
            return _refused(error)

    async def _live(self, job: Job, probe: bool, opened: asyncio.Future[str]) -> None:
        try:
            async with AsyncExitStack() as stack:
                browsers = await stack.enter_async_context(SharedBrowser())
                server = await stack.enter_async_context(serve(port=0))
                browser = await browsers.get()
                if probe:
                    await probe_tasks(job.tasks, server, browser)
                agents = job.make_agents()
                stack.push_async_callback(agents.close)
                await agents.probe()
                self._tasks = {task.id: task for task in job.tasks}
                world = EmbeddedWorld(server, job.config.screenshots, None, skin_of(job.config))
                self._hands = LocalHands(0, agents, job.config, world, browsers, self._carried, lambda: None)
                opened.set_result(f"{browser.executable.name} {browser.version}")
                await self._over.wait()
        except Exception as error:
            if opened.done():
                raise
            opened.set_exception(error)

    async def attempt(self, task_id: str, sample: int) -> tuple[Tried, Carried] | Refused:
        """One attempt at an episode, with all that it showed."""
        try:
            hands = self._ready()
            await hands.ready()
            return await hands.attempt(self._tasks[task_id], sample), self._carried
        except (InputError, InfrastructureError) as error:
            return _refused(error)

    async def probe(self) -> Refused | None:
        """See `Agents.probe`."""
        try:
            await self._ready().probe()
        except (InputError, InfrastructureError) as error:
            return _refused(error)
        return None

    async def close(self) -> None:
        """Close the browser and the sites."""
        self._over.set()
        if self._life is not None:
            await self._life

    def _ready(self) -> LocalHands:
        assert self._hands is not None, "the worker was not opened"
        return self._hands


def _refused(error: InputError | InfrastructureError) -> Refused:
    return Refused(error.message, error.fix, isinstance(error, InputError))


def package_versions() -> dict[str, str]:
    """Of `PACKAGES`, as they are installed here."""
    return {package: version(package) for package in PACKAGES}


def code_sha256() -> str:
    """SHA-256, hexadecimal, of every file of the package that came with it."""
    root = Path(str(files("guideact")))
    digest = hashlib.sha256()
    for path in sorted(path for path in root.rglob("*") if path.is_file() and path.suffix != ".pyc"):
        data = path.read_bytes()
        digest.update(f"{path.relative_to(root).as_posix()}\n{len(data)}\n".encode())
        digest.update(data)
    return digest.hexdigest()
