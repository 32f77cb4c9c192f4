"""Many demonstrations performed again: on the embedded sites, or on WebArena's."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

from guideact.data import Dataset, DemoStep, DemoTask
from guideact.errors import InfrastructureError, InputError
from guideact.gold.replay import Replayed, lost, replay_task
from guideact.harness.browsers import SharedBrowser
from guideact.harness.pool import TRIES, Workplace, on_instances
from guideact.sites.skins import Skin
from guideact.tasks.checks.judge import Judge
from guideact.tasks.gold import fingerprint
from guideact.tasks.webarena.place import Place, open_place, probe_place, refuse_unready
from guideact.tasks.webarena.setup import Setup
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.types import Viewport
from guideact.webarena import WebArenaEnv

WIDTH = 1440
Told = Callable[[Replayed], None]


@dataclass(frozen=True)
class Demonstrations:
    """Tasks of a dataset with their steps, in the order of their ids."""

    tasks: Mapping[str, DemoTask]
    steps: Mapping[str, tuple[DemoStep, ...]]


def demonstrations_of(dataset: Dataset, names: Sequence[str] = ()) -> Demonstrations:
    """Those of the tasks that are named by id or pattern; all without a name. Raises InputError for an unknown one."""
    tasks = {task.id: task for task in dataset.tasks()}
    for name in names:
        if not any(fnmatchcase(task_id, name) for task_id in tasks):
            raise InputError(f"{dataset.folder} has no task {name!r}", fix="Check the id.")
    chosen = {
        task_id: task
        for task_id, task in tasks.items()
        if not names or any(fnmatchcase(task_id, name) for name in names)
    }
    steps: dict[str, list[DemoStep]] = {task_id: [] for task_id in chosen}
    for step in dataset.steps():
        if step.task_id in steps:
            steps[step.task_id].append(step)
    return Demonstrations(chosen, {task_id: tuple(own) for task_id, own in steps.items()})


async def replay_embedded(
    demos: Demonstrations, *, workers: int, pictures: Path | None, skin: Skin | None, told: Told
) -> list[Replayed]:
    """On instances of the embedded sites."""
    from guideact.tasks.catalogue import entries

    early = {task_id: lost(task_id, "unknown") for task_id in demos.tasks if task_id not in entries()}
    for task_id, demo in demos.tasks.items():
        # Its check would be another one than that of the task which the record is of.
        if task_id not in early and fingerprint(demo.task) != fingerprint(entries()[task_id].task):
            early[task_id] = lost(task_id, "changed", "the task is another one than when it was recorded")
    for each in early.values():
        told(each)

    async def one(task_id: str, place: Workplace) -> Replayed:
        replayed = await replay_task(
            demos.tasks[task_id],
            demos.steps[task_id],
            place.env,
            entries()[task_id].task,
            pictures=pictures,
            moving=place.last_try,
        )
        told(replayed)
        return replayed

    def given_up(task_id: str, error: InfrastructureError) -> Replayed:
        told(failed := lost(task_id, "infrastructure", str(error)))
        return failed

    found = await on_instances(
        [task_id for task_id in demos.tasks if task_id not in early],
        one,
        workers=workers,
        screenshots=pictures is not None,
        skin=skin,
        begun_anew=lambda task_id, error: None,
        given_up=given_up,
    )
    return [*early.values(), *found.values()]


async def replay_webarena(
    demos: Demonstrations,
    tasks: Sequence[WebArenaTask],
    setup: Setup,
    *,
    workers: int,
    pictures: Path | None,
    judge: Judge | None,
    strict: bool,
    told: Told,
) -> list[Replayed]:
    """On WebArena's sites, each task in its turn. Raises InputError for sites that are not there."""
    known = {task.id: task for task in tasks}
    results: dict[str, Replayed] = {}
    chosen: list[WebArenaTask] = []
    for task_id in demos.tasks:
        task = known.get(task_id)
        if task is None or task.eval is None:
            results[task_id] = lost(task_id, "unknown", "the task file does not hold it")
        elif task.needs_judge and judge is None:
            results[task_id] = lost(task_id, "needs_judge")
        else:
            chosen.append(task)
    refuse_unready(setup, chosen)
    for early in results.values():
        told(early)
    queue = deque(chosen)

    async def work(place: Place, browsers: SharedBrowser) -> None:
        while queue:
            task = queue.popleft()
            results[task.id] = await _in_turn(
                demos, task, place, browsers, pictures=pictures, judge=judge, strict=strict
            )
            told(results[task.id])

    async with open_place(setup) as place, SharedBrowser() as browsers:
        await probe_place(place, chosen, await browsers.get())
        running = [asyncio.create_task(work(place, browsers)) for _ in range(max(1, min(workers, len(queue))))]
        try:
            await asyncio.gather(*running)
        finally:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
    return [results[task_id] for task_id in demos.tasks]


async def _in_turn(
    demos: Demonstrations,
    task: WebArenaTask,
    place: Place,
    browsers: SharedBrowser,
    *,
    pictures: Path | None,
    judge: Judge | None,
    strict: bool,
) -> Replayed:
    demo, steps = demos.tasks[task.id], demos.steps[task.id]
    recorded = steps[0].observation.viewport if steps else Viewport()
    viewport = Viewport(width=WIDTH, height=round(recorded.height * WIDTH / recorded.width))
    tries = 0
    while True:
        tries += 1
        browser = await browsers.get()
        env = WebArenaEnv(
            browser, place, screenshots=pictures is not None, viewport=viewport, judge=judge, strict=strict
        )
        try:
            async with place.turns.turn(task):
                try:
                    return await replay_task(demo, steps, env, task, canonical=place.setup.canonical, pictures=pictures)
                finally:
                    await env.close()
        except InfrastructureError as error:
            if tries == TRIES:
                return lost(task.id, "infrastructure", str(error))
