"""Episodes on a Ray cluster: an actor for each episode at a time, with a browser and sites of its own.

Actors, because a worker keeps its browser over many episodes. They make attempts (`remote.RemoteWorker`); this process
deals them out, counts them and alone writes the run folder (`runner.run_with`), so that a run is killed and gone on
with as ever. An actor that is lost costs the attempt that it was at, which counts as one; another takes its place. An
actor that cannot start its browser any more is given up like one that is lost. As long as one of them works, the
others are waited for; where none has had a place for half an hour, the run ends, and the same command goes on.

Ray itself is imported when a cluster is opened. Authentication by token is on unless RAY_AUTH_MODE says otherwise.
"""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Any

from guideact import __version__
from guideact.config import RunConfig
from guideact.errors import InfrastructureError, InputError, MissingDependency
from guideact.harness.agent import skin_of
from guideact.harness.browsers import CLOSE_SECONDS
from guideact.harness.log import RunLog
from guideact.harness.remote import Carried, Job, Refused, RemoteWorker, code_sha256, package_versions
from guideact.harness.runner import EPISODE_SECONDS, Tried, Watcher, lost
from guideact.types import Task

START_SECONDS = 300.0
"""How long the first worker may take to be given a place on the cluster and to start its browser; the wait of later
ones is told after as long."""
OPEN_SECONDS = 900.0
"""How long a worker that has its place may take to start its browser and to try its model, or to try that again."""
ALONE_SECONDS = 1800.0
"""How long a run waits while none of its workers has a place."""
REST_SECONDS, MOST_REST_SECONDS = 5.0, 300.0
"""Between the starts of a worker that dies as it starts: after the first one, doubled after each, and at most."""
REACH_SECONDS = 15.0
"""How long a cluster's head may take to answer the knock at its port."""
GRACE_SECONDS = 300.0
"""How much longer than an attempt the wait for it may take, before its worker counts as lost."""
STARTS = 3
"""How often a worker is started that dies as it starts, where no other one works."""
LOCAL = "local"
"""The address of a cluster that is started for this process, on this machine, and ends with it."""


@asynccontextmanager
async def open_cluster(address: str | None, workers: int) -> AsyncIterator[Cluster]:
    """Connect to the cluster at an address, or else at RAY_ADDRESS, or else to a local one with room for the workers.

    A process that is connected already stays so. Raises InputError where Ray is missing, the cluster cannot be reached
    or has another Ray or Python, or the token is wrong.
    """
    address = address or os.environ.get("RAY_ADDRESS") or LOCAL
    if address.startswith("ray://"):
        raise InputError(
            f"{address} is Ray Client, which cannot be used here",
            fix="Start guideact on a machine of the cluster, with --ray-address auto.",
        )
    # Read when Ray is loaded.
    os.environ.setdefault("RAY_AUTH_MODE", "token")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Its warnings, one a second, would stand between a user and the line that says what to do.
    os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "error")
    try:
        import ray
    except ImportError as error:
        raise MissingDependency(
            "--executor ray needs Ray, which is not installed", fix="pip install 'guideact[ray]'"
        ) from error
    if ray.is_initialized():
        yield Cluster(ray)
        return
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    await _connect(ray, address, workers)
    try:
        yield Cluster(ray)
    finally:
        await asyncio.to_thread(ray.shutdown)


async def _connect(ray: Any, address: str, workers: int) -> None:
    more: dict[str, Any] = {}
    if address == LOCAL:
        more = {"num_cpus": max(workers, os.cpu_count() or 1), "include_dashboard": False}
        # Ray would have its workers wait for everything else on the machine, and they are the run.
        os.environ.setdefault("RAY_worker_niceness", "0")
    else:
        await _refuse_unreachable(address)
    try:
        # In a thread, for it blocks; and from there Ray leaves our handling of SIGTERM as it is.
        await asyncio.to_thread(ray.init, address=address, log_to_driver=False, logging_level=logging.CRITICAL, **more)
    except ray.exceptions.AuthenticationError as error:
        raise InputError(
            f"the Ray cluster at {address} did not take our token",
            fix="Give its own with RAY_AUTH_TOKEN or RAY_AUTH_TOKEN_PATH; see docs/training.md.",
        ) from error
    except Exception as error:  # Ray raises plain ones, for a node that does not start among others
        raise InputError(
            f"the Ray cluster at {address} cannot be used: {_in_one_line(error)}",
            # A wrong token looks like this too.
            fix="Is it running, and is its token ours (docs/training.md)? See `ray status`.",
        ) from error


async def _refuse_unreachable(address: str) -> None:
    """Raise InputError where nobody listens at HOST:PORT: Ray itself would go on trying for many minutes."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal():
        return
    try:
        async with asyncio.timeout(REACH_SECONDS):
            _, writer = await asyncio.open_connection(host, int(port))
    except (OSError, OverflowError, TimeoutError) as error:
        raise InputError(
            f"the Ray cluster at {address} cannot be reached: {_in_one_line(error)}",
            fix="Is it running, and is this the port of its head (6379 as a rule)?",
        ) from error
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()


@dataclass(frozen=True)
class Cluster:
    """A Ray cluster that this process is connected to."""

    ray: Any
    """The module."""

    @asynccontextmanager
    async def crew(self, job: Job, workers: int) -> AsyncIterator[Crew]:
        """So many workers, the first of which has started and has tried the tasks; the others are on their way.

        Raises InputError where no worker finds a place, runs another guideact, or finds what the user has to mend.
        """
        shared = self.ray.put(job)
        code = await asyncio.to_thread(code_sha256)
        places = Places()
        hands = [RayHands(self.ray, job.config, shared, code, places, probe=number == 0) for number in range(workers)]
        try:
            try:
                async with asyncio.timeout(START_SECONDS):
                    await hands[0].ready()
            except TimeoutError as error:
                raise InputError(
                    f"no worker has started on the cluster within {START_SECONDS:g} s",
                    fix="A worker takes one CPU: see `ray status`.",
                ) from error
            yield Crew(hands)
        finally:
            await asyncio.gather(*(each.close() for each in hands))


class Crew:
    """The workers of a run."""

    def __init__(self, hands: Sequence[RayHands]) -> None:
        self._hands = hands

    @property
    def browser(self) -> str:
        """What drives the pages, as `run.json` names it."""
        return self._hands[0].browser

    def hands(self, log: RunLog, watcher: Watcher) -> Sequence[RayHands]:
        """The workers, with the log that gets what they bring, and the watcher that is told of steps and waits."""
        for each in self._hands:
            each.log, each.watcher, each.browser = log, watcher, self.browser
        return self._hands


class Places:
    """How many of a run's workers have a place on the cluster; known to all of them."""

    def __init__(self) -> None:
        self.held = 0
        self.told = False
        """Whether it was said that workers wait, since one was last given a place."""
        self._since = _now()

    def take(self) -> None:
        self.held += 1
        self.told = False

    def leave(self) -> None:
        self.held -= 1
        self._since = _now()

    @property
    def given_up(self) -> bool:
        """Whether none has had a place for so long that the run is to end."""
        return not self.held and _now() - self._since >= ALONE_SECONDS


def _now() -> float:
    return time.monotonic()


class RayHands:
    """Makes attempts in an actor: `runner.Hands`."""

    def __init__(self, ray: Any, config: RunConfig, job: Any, code: str, places: Places, *, probe: bool) -> None:
        self.browser = ""
        """What the actors' browser is called; empty before any is known."""
        self.log: RunLog | None = None
        self.watcher: Watcher | None = None
        self._ray = ray
        self._config = config
        self._job = job
        self._code = code
        self._places = places
        self._probe = probe
        self._actor: Any = None
        self._host = ""

    async def ready(self) -> None:
        """Start the actor if there is none, and wait until the cluster has room for it.

        Raises InfrastructureError where that comes to nothing and no other worker of the run has a place.
        """
        failures = 0
        while self._actor is None:
            try:
                await self._start()
            except InfrastructureError:
                failures += 1
                if self._places.given_up or (failures >= STARTS and not self._places.held):
                    raise
                await asyncio.sleep(min(REST_SECONDS * 2.0 ** min(failures - 1, 30), MOST_REST_SECONDS))

    async def _start(self) -> None:
        ray = self._ray
        actor = ray.remote(RemoteWorker).options(num_cpus=1, scheduling_strategy="SPREAD").remote()
        try:
            try:
                about = await self._placed(actor.about.remote())
                self._refuse_another(about)
                async with asyncio.timeout(OPEN_SECONDS):
                    opened = await actor.open.remote(self._job, self._probe)
            except ray.exceptions.RayError as error:
                if missing := _not_importable(error):
                    raise InputError(
                        f"a worker of the cluster cannot load this guideact: {missing}",
                        fix=f"Install guideact {__version__} on every machine, as it is here.",
                    ) from error
                raise InfrastructureError(f"a worker was lost as it started: {_in_one_line(error)}") from error
            except TimeoutError as error:
                raise InfrastructureError(
                    f"the worker on {about['host']} was not ready within {OPEN_SECONDS:g} s"
                ) from error
            if isinstance(opened, Refused):
                raise _error(opened, about["host"])
            if self.browser and opened != self.browser:
                raise InputError(
                    f"{about['host']} has the browser {opened}, and the run began with {self.browser}",
                    fix="Install the same on every machine.",
                )
        except BaseException:
            ray.kill(actor)
            raise
        self.browser, self._host, self._actor = opened, about["host"], actor
        self._places.take()

    async def _placed(self, asked: Awaitable[dict[str, str]]) -> dict[str, str]:
        """Wait until the cluster has room, however long others work meanwhile; say so if it takes long."""
        answer = asyncio.ensure_future(asked)
        try:
            while not (await asyncio.wait({answer}, timeout=START_SECONDS))[0]:
                if self._places.given_up:
                    raise InfrastructureError(
                        f"no worker has had a place on the cluster for {ALONE_SECONDS / 60:g} min",
                        fix="See `ray status`; the same command goes on.",
                    )
                if self.watcher is not None and not self._places.told:
                    self._places.told = True
                    self.watcher.say(f"workers wait for a place on the cluster, {self._places.held} work: `ray status`")
            return answer.result()
        finally:
            answer.cancel()

    def _refuse_another(self, about: dict[str, str]) -> None:
        if about["code"] != self._code:
            raise InputError(
                f"{about['host']} has another guideact: {about['guideact']} ({about['code'][:12]}), and here is "
                f"{__version__} ({self._code[:12]})",
                fix="Install the same on every machine.",
            )
        for package, here in package_versions().items():
            if about[package] != here:
                raise InputError(
                    f"{about['host']} has {package} {about[package]}, and here is {here}",
                    fix="Install the same on every machine.",
                )

    async def attempt(self, task: Task, sample: int) -> Tried:
        assert self.log is not None, "the crew was given no log"
        try:
            async with asyncio.timeout(EPISODE_SECONDS + GRACE_SECONDS):
                brought: tuple[Tried, Carried] | Refused = await self._actor.attempt.remote(task.id, sample)
        except self._ray.exceptions.RayTaskError:
            raise
        except (self._ray.exceptions.RayError, TimeoutError) as error:
            self._kill()
            self.log.begin(task.id, sample)
            return lost(
                task, sample, skin_of(self._config), f"its worker on {self._host} was lost: {_in_one_line(error)}"
            )
        if isinstance(brought, Refused):
            if brought.by_user:
                raise _error(brought, self._host)
            self._kill()
            self.log.begin(task.id, sample)
            return lost(
                task, sample, skin_of(self._config), f"its worker on {self._host} was given up: {brought.message}"
            )
        tried, carried = brought
        self._put_down(task, sample, carried)
        return tried

    def _put_down(self, task: Task, sample: int, carried: Carried) -> None:
        assert self.log is not None
        self.log.begin(task.id, sample)
        for index, observation in enumerate(carried.observations):
            self.log.keep_observation(task.id, sample, index, observation)
            if self.watcher is not None:
                self.watcher.step()
        for png in carried.images.values():
            self.log.keep_image(png)

    async def probe(self) -> None:
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                refused: Refused | None = await self._actor.probe.remote()
        except (self._ray.exceptions.RayError, TimeoutError) as error:
            raise InfrastructureError(f"the worker on {self._host} was lost: {_in_one_line(error)}") from error
        if refused is not None:
            raise _error(refused, self._host)

    async def close(self) -> None:
        """Let the browser close, and end the actor whether it does or not. May be called again."""
        if self._actor is None:
            return
        with suppress(self._ray.exceptions.RayError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                await self._actor.close.remote()
        self._kill()

    def _kill(self) -> None:
        if self._actor is not None:
            self._ray.kill(self._actor)
            self._actor = None
            self._places.leave()


def _error(refused: Refused, host: str) -> InputError | InfrastructureError:
    message = f"{refused.message} (on {host})"
    return InputError(message, fix=refused.fix) if refused.by_user else InfrastructureError(message, fix=refused.fix)


def _in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:300] or type(error).__name__


def _not_importable(error: Exception) -> str:
    """What could not be imported, where that is what went wrong; Ray tells it in the text of its error alone."""
    lines = [line.strip() for line in str(error).splitlines()]
    return next((line for line in reversed(lines) if line.startswith(("ModuleNotFoundError", "ImportError"))), "")
