"""Where a training's episodes are played: on the live sites, into a run folder, through the harness of every run."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from pathlib import Path
from typing import Protocol

from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.harness.agent import Agents
from guideact.harness.browsers import SharedBrowser
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog
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
