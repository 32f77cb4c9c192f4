"""A run on WebArena's sites: what is refused before it begins, and the world that it takes place in."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from guideact.browser import Browser
from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.world import WebArenaWorld
from guideact.tasks.checks.judge import Judge
from guideact.tasks.webarena.place import open_place, probe_place, refuse_unready
from guideact.tasks.webarena.setup import Setup, read_setup
from guideact.tasks.webarena.tasks import PREFIX, WebArenaTask, load_webarena, needs
from guideact.tasks.webarena.verified import WHOLE, find_program
from guideact.types import Task

OUTPUT = "verified"
"""Folder, in a run's, of what WebArena-Verified reads."""


@dataclass(frozen=True)
class WebArenaRun:
    """Tasks of WebArena, and all that is known of its sites before anything starts."""

    tasks: tuple[WebArenaTask, ...]
    setup: Setup
    program: str
    """The evaluator of WebArena-Verified; empty where no task needs it."""
    task_file: Path | None = None
    """What the evaluator shall read the tasks from; None for the file that comes with it."""

    @asynccontextmanager
    async def world(
        self, config: RunConfig, folder: Path, browser: Browser, judge: Judge | None
    ) -> AsyncIterator[WebArenaWorld]:
        """The sites, all of them answering and signed in to. Raises InputError for what the user has to mend."""
        output = folder / OUTPUT if self.program or config.verified_output else None
        async with open_place(self.setup) as place:
            await probe_place(place, self.tasks, browser)
            yield WebArenaWorld(
                place,
                tuple(needs(self.tasks)),
                screenshots=config.screenshots,
                judge=judge,
                strict=config.strict_webarena,
                output=output,
                program=self.program,
                task_file=self.task_file,
            )


def webarena_of(config: RunConfig, tasks: Sequence[Task]) -> WebArenaRun | None:
    """What a run of these tasks needs of WebArena; None for other tasks.

    Raises InputError where a site has no address, a check cannot be read, or the evaluator is missing.
    """
    found = tuple(task for task in tasks if isinstance(task, WebArenaTask))
    if not found:
        if config.webarena is not None or config.address:
            raise InputError(
                "--webarena and --address are for WebArena's tasks", fix="Name those with --tasks webarena:PATH."
            )
        return None
    if config.skin is not None:
        raise InputError("--skin dresses the embedded sites alone", fix="Leave it out.")
    setup = read_setup(config.webarena, config.address)
    refuse_unready(setup, found)
    if all(task.eval is not None for task in found):
        return WebArenaRun(found, setup, "")
    file = Path(str(config.tasks).removeprefix(PREFIX))
    # The evaluator takes no file but a whole one; tasks of a part of it are found, by number, in its own.
    whole = len(load_webarena(file)) == WHOLE
    return WebArenaRun(found, setup, find_program(), file if whole else None)
