"""The gold guides that come with the package: `tasks/gold.jsonl`, a task a line, written by `guideact gold record`."""

from __future__ import annotations

import functools
import hashlib
from importlib.resources import files

from guideact.jsonl import numbered_lines
from guideact.types import Box, Frozen, Task, Verb


class GoldStep(Frozen):
    """One step of a gold trajectory as it was recorded."""

    verb: Verb
    references: tuple[str, ...]
    """At least two guide sentences."""
    url: str
    """Canonical url of the page the step was taken on."""
    role: str = ""
    name: str = ""
    """Role and accessible name of the target, "" without one."""
    box: Box | None = None
    point: tuple[float, float] | None = None
    """Where the target stood and where a click hits it, in CSS px of the viewport."""
    value: str = ""
    """What was typed or selected, or the direction of a scroll. Answers are not kept."""


class Gold(Frozen):
    """The gold trajectory of a task."""

    task_id: str
    task_sha256: str
    """`fingerprint` of the task it was recorded for."""
    steps: tuple[GoldStep, ...]

    @property
    def references(self) -> tuple[tuple[str, ...], ...]:
        """For each step, its reference sentences."""
        return tuple(step.references for step in self.steps)


def fingerprint(task: Task) -> str:
    """A hash of all that a task says: a gold guide is stale when it no longer is that of its task."""
    return hashlib.sha256(task.model_dump_json().encode()).hexdigest()[:16]


@functools.cache
def shipped() -> dict[str, Gold]:
    """All gold guides of the package by task id; empty where none were recorded."""
    path = files("guideact.tasks").joinpath("gold.jsonl")
    if not path.is_file():
        return {}
    lines = numbered_lines(path.read_text(encoding="utf-8"))
    return {gold.task_id: gold for gold in (Gold.model_validate_json(line) for _, line in lines)}


def gold_for(task_id: str) -> Gold | None:
    """The gold guide of a task, or None: such a task has no G."""
    return shipped().get(task_id)
