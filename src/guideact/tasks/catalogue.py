"""All embedded tasks: every template with every one of its params, the same on every machine."""

from __future__ import annotations

import difflib
import fnmatch
import functools
import sqlite3
import traceback
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from guideact.errors import InputError
from guideact.sites.registry import database_of
from guideact.sites.skins import Skin
from guideact.sites.state import Database, pristine
from guideact.tasks.solve import Solution
from guideact.tasks.template import Params, Template
from guideact.tasks.templates import all_templates
from guideact.types import Split, Task


@dataclass(frozen=True)
class Entry:
    """An embedded task with what it was made from."""

    task: Task
    template: Template
    params: Params


def split_of(template_id: str, task_id: str) -> Split:
    """The split of a task: fixed by its names, so adding tasks moves none. About 70 % train, 30 % test.

    One template in ten is held out whole, so that a score on unseen templates exists beside one on unseen tasks; of
    the others 22 % of the tasks are.
    """
    if zlib.crc32(template_id.encode()) % 10 == 0:
        return "test"
    return "test" if zlib.crc32(task_id.encode()) % 100 < 22 else "train"


def database(*sites: str) -> sqlite3.Connection:
    """The pristine database of the first site, read only, kept for the life of the process.

    The databases of the other sites are attached by their names: `SELECT title FROM reddit.post`.
    """
    return _open(*dict.fromkeys(database_of(site) for site in sites))


@functools.cache
def _open(name: str, *others: str) -> sqlite3.Connection:
    connection = Database(name).connection
    for other in others:
        connection.execute(f"ATTACH ':memory:' AS {other}")
        connection.deserialize(pristine(other), name=other)
    connection.execute("PRAGMA query_only = ON")
    return connection


def instantiate(template: Template) -> tuple[Entry, ...]:
    """All tasks of one template. Raises InputError, in one line, for any mistake in it: what, where, and the fix."""
    with _mistakes(template, "sites", template.params):
        query = database(*template.sites)
    with _mistakes(template, "params", template.params):
        all_params = list(template.params(query))
        if not all_params:
            raise ValueError("it gave no tasks")
    entries = []
    for number, params in enumerate(all_params, 1):
        task_id = f"{template.id}.{number}"
        with _mistakes(template, "intents and start", template.params):
            intent, start = template.intent(number, params), template.fill(template.start, params)
        with _mistakes(template, "check", template.check):
            check = template.check(query, params)
        with _mistakes(template, "fields", template.params):
            task = Task(
                id=task_id,
                intent=intent,
                sites=template.sites,
                start_url=start,
                template_id=template.id,
                logins=dict(template.logins),
                check=check,
                split=split_of(template.id, task_id),
                max_steps=template.max_steps,
            )
        entries.append(Entry(task, template, params))
    return tuple(entries)


@contextmanager
def _mistakes(template: Template, part: str, function: Callable[..., Any]) -> Iterator[None]:
    """Name the template, the part of it and the line for whatever goes wrong inside.

    `function` is where the mistake is looked for: the line of it that was running, or its first line where none was.
    """
    try:
        yield
    except Exception as error:
        code = function.__code__
        lines = [
            frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == code.co_filename
        ]
        place = f"{code.co_filename}:{lines[-1] if lines else code.co_firstlineno}"
        what, fix = str(error) or "no reason given", "Mend it there; docs/add-a-task.md has whole examples."
        if isinstance(error, ValidationError):
            first = error.errors(include_url=False)[0]
            what = f"{'.'.join(map(str, first['loc']))}: {first['msg']}, not {first['input']!r:.80}"
            # A model given bare is taken for the tuple of its (name, value) pairs, so its first item is what is wrong.
            bare = first["type"] == "model_type" and isinstance(first["input"], tuple)
            if bare or first["type"] == "tuple_type":
                name = first["loc"][-2 if bare else -1]
                what, fix = f"{name} must be a tuple", f"Mind the trailing comma: {name}=(...,)."
        what = " ".join(f"{type(error).__name__}: {what}".split())
        raise InputError(
            f"template {template.id}: {part} ({code.co_name} at {place}) failed, {what}", fix=fix
        ) from error


@functools.cache
def entries() -> dict[str, Entry]:
    """Every embedded task by id, ordered by template and number."""
    return {entry.task.id: entry for template in all_templates() for entry in instantiate(template)}


def all_tasks() -> tuple[Task, ...]:
    """Every embedded task, ordered by template and number."""
    return tuple(entry.task for entry in entries().values())


def entry(task_id: str) -> Entry:
    """An embedded task with its template. Raises InputError for an unknown id."""
    found = entries().get(task_id)
    if found is None:
        raise _unknown(task_id)
    return found


def find(patterns: Sequence[str]) -> tuple[Task, ...]:
    """The tasks with these ids, template ids or patterns (`shopping.*`), in catalogue order, each once.

    Raises InputError, with the closest names, for one that fits nothing.
    """
    wanted: set[str] = set()
    for pattern in patterns:
        hits = {task.id for task in all_tasks() if task.template_id == pattern or fnmatch.fnmatchcase(task.id, pattern)}
        if not hits:
            raise _unknown(pattern)
        wanted |= hits
    return tuple(task for task in all_tasks() if task.id in wanted)


def _unknown(name: str) -> InputError:
    known = [*entries(), *(template.id for template in all_templates())]
    close = difflib.get_close_matches(name, known, n=3, cutoff=0.4)
    hint = f"Did you mean {' or '.join(close)}?" if close else "`guideact tasks` lists all of them."
    return InputError(f"there is no task {name!r}", fix=hint)


def solution(task_id: str, skin: Skin | None = None) -> Solution:
    """The gold route of an embedded task, ready to be driven on sites in this skin. InputError for an unknown id."""
    found = entry(task_id)
    return Solution(task_id, lambda page: found.template.solve(page, found.params), skin)
