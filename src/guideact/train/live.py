"""Where a training's episodes are played: on the live sites, into a run folder, through the harness of every run."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from guideact.config import FREE_ON_RESUME, Executor, RunConfig
from guideact.harness.agent import Agents
from guideact.harness.browsers import SharedBrowser
from guideact.harness.evaluate import Cast, made_already, make_manifest, run_on_cluster
from guideact.harness.log import RunLog
from guideact.harness.ray_crew import open_cluster
from guideact.harness.runner import Watcher, run
from guideact.harness.world import EmbeddedWorld
from guideact.sites.server import serve
from guideact.types import Task


class Play(Protocol):
    """Plays episodes: every (task, sample) of the config that does not lie in the folder yet."""

    def __call__(
        self, tasks: Sequence[Task], agents: Agents, config: RunConfig, folder: Path, watcher: Watcher
    ) -> Awaitable[None]: ...


async def play_live(tasks: Sequence[Task], agents: Agents, config: RunConfig, folder: Path, watcher: Watcher) -> None:
    """Play on the embedded sites, an instance for each worker.

    Browser and sites are begun anew each time: what a long training leaves behind in them ends with the round.
    Raises what `harness.runner.run` does.
    """
    async with serve(port=0) as server, SharedBrowser() as browsers:
        browser = await browsers.get()
        manifest = make_manifest(config, tasks, f"{browser.executable.name} {browser.version}")
        with RunLog.open(folder, manifest, FREE_ON_RESUME) as log:
            world = EmbeddedWorld(server, config.screenshots)
            await run(tasks, agents, config, world=world, browsers=browsers, log=log, watcher=watcher)


@asynccontextmanager
async def playing(executor: Executor, ray_address: str | None, workers: int) -> AsyncIterator[Play]:
    """Where so many workers play while the block runs: in this process, or on a Ray cluster (see `open_cluster`).

    On a cluster too, workers are begun anew each time, and the agents travel to them as they are.
    """
    if executor == "local":
        yield play_live
        return
    async with open_cluster(ray_address, workers) as cluster:

        async def play(
            tasks: Sequence[Task], agents: Agents, config: RunConfig, folder: Path, watcher: Watcher
        ) -> None:
            await run_on_cluster(cluster, tasks, Cast(made_already(agents)), config, folder, watcher)

        yield play
