"""Which tasks a run does: the embedded ones or a file's, narrowed down by id, site and split, then limited."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TypeVar

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.sites.registry import SITES
from guideact.tasks.catalogue import all_tasks, find
from guideact.tasks.load import load_tasks
from guideact.tasks.webarena.tasks import PREFIX, WebArenaTask, load_webarena
from guideact.types import Task

T = TypeVar("T")
NO_JUDGE = "none"
"""In place of a judge: tasks that need one are left out."""


def choose_tasks(config: RunConfig) -> tuple[Task, ...]:
    """The tasks in the order in which they are begun.

    A limit takes the tasks in turn (see `in_turn`); without one the order is the catalogue's or the file's.

    Tasks that are named (`sample_id`) or come from a file are taken whatever their split. Raises InputError for a site
    or a task that is not there, and where nothing is left.
    """
    for site in config.sites:
        if site not in SITES:
            close = difflib.get_close_matches(site, SITES, n=1)
            raise InputError(
                f"there is no site {site!r}",
                fix=f"Did you mean {close[0]}?" if close else f"Sites are: {', '.join(SITES)}.",
            )
    if config.tasks is not None:
        tasks = named(load_file(config.tasks), config.sample_id, config.tasks)
    elif config.sample_id:
        tasks = find(config.sample_id)
    else:
        tasks = tuple(task for task in all_tasks() if config.split in ("all", task.split))
    if config.sites:
        tasks = tuple(task for task in tasks if set(task.sites) <= set(config.sites))
    if config.judge == NO_JUDGE:
        tasks = tuple(task for task in tasks if not needs_judge(task))
    if not tasks:
        raise InputError("no task is left to do", fix="Loosen --sites, --split or --sample-id.")
    return tasks if config.limit is None else in_turn(tasks)[: config.limit]


def load_file(path: Path) -> tuple[Task, ...]:
    """The tasks of a file of ours, or with `webarena:` before the path of one of WebArena's."""
    if str(path).startswith(PREFIX):
        return load_webarena(Path(str(path).removeprefix(PREFIX)))
    return load_tasks(path)


def needs_judge(task: Task) -> bool:
    """Whether only a reader can judge the answer."""
    return task.check.judge is not None or (isinstance(task, WebArenaTask) and task.needs_judge)


def in_turn(tasks: Sequence[Task]) -> tuple[Task, ...]:
    """The tasks so that any first few differ most: a task of each template before a second of any, sites alternating.

    Templates of a site, and tasks of a template, keep the order they came in; a task without template is its own.
    """
    by_sites: dict[tuple[str, ...], dict[str, list[Task]]] = {}
    for task in tasks:
        by_sites.setdefault(task.sites, {}).setdefault(task.template_id or task.id, []).append(task)
    templates = _interleaved([list(templates.values()) for templates in by_sites.values()])
    return tuple(_interleaved(templates))


def _interleaved(lists: Sequence[Sequence[T]]) -> list[T]:
    """The first of each list, then the second of each that has one, and so on."""
    longest = max(map(len, lists), default=0)
    return [each[place] for place in range(longest) for each in lists if place < len(each)]


def named(tasks: tuple[Task, ...], names: Sequence[str], file: Path) -> tuple[Task, ...]:
    """The tasks of a file that are named by id or pattern; all without a name. Raises InputError for an unknown one."""
    known = {task.id for task in tasks}
    wanted: set[str] = set()
    for name in names:
        matching = {task_id for task_id in known if fnmatchcase(task_id, name)}
        if not matching:
            close = difflib.get_close_matches(name, known, n=1)
            raise InputError(
                f"{file} has no task {name!r}", fix=f"Did you mean {close[0]}?" if close else "Check the id."
            )
        wanted |= matching
    return tuple(task for task in tasks if not names or task.id in wanted)
