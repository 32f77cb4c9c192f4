"""The ledger: what became of every task at every stage, with reasons, in totals that add up.

Each task is one entry: the last stage it got through, and why it went no further. A stage's `came` is the number of
tasks that got through the stage before it; `came - lost` of them went on, and every lost one is counted under a reason.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from guideact.errors import InputError, first_fault
from guideact.types import Frozen

FILE = "ledger.jsonl"


class Entry(Frozen):
    """The fate of one task."""

    task_id: str
    stage: str
    """The last stage it got through."""
    reason: str = ""
    """Why it was lost at the next one; empty for a task that got through all of them."""
    detail: str = ""
    """What exactly, for whoever looks into it. Reasons are few and counted, details are not."""
    steps: dict[str, int] = Field(default_factory=dict)
    """Counts of its steps: `kept`, and what was dropped or changed, by name."""


class StageTotal(Frozen):
    """One line of the totals."""

    stage: str
    came: int
    lost: int
    reasons: dict[str, int]


class _Stages(Frozen):
    """The first line of the file."""

    stages: tuple[str, ...]


class Ledger(Frozen):
    """All entries, with the stages in order. Every task listed got through the first stage."""

    stages: tuple[str, ...] = Field(min_length=1)
    entries: tuple[Entry, ...] = ()

    def fates(self) -> Mapping[str, Entry]:
        """The entries by task."""
        return {entry.task_id: entry for entry in self.entries}

    def totals(self) -> tuple[StageTotal, ...]:
        """For each stage how many came, how many were lost in it, and why."""
        reached = [self.stages.index(entry.stage) for entry in self.entries]
        totals = []
        for number, stage in enumerate(self.stages):
            came = sum(place >= number - 1 for place in reached)
            lost = [entry for entry, place in zip(self.entries, reached, strict=True) if place == number - 1]
            reasons = Counter(entry.reason for entry in lost)
            totals.append(StageTotal(stage=stage, came=came, lost=len(lost), reasons=dict(sorted(reasons.items()))))
        return tuple(totals)

    def step_totals(self) -> dict[str, int]:
        """The counts of steps, summed over the tasks."""
        total: Counter[str] = Counter()
        for entry in self.entries:
            total.update(entry.steps)
        return dict(sorted(total.items()))

    def to_json(self) -> str:
        """The totals of stages and steps and every entry, as one JSON object."""
        whole = {
            "stages": [total.model_dump() for total in self.totals()],
            "steps": self.step_totals(),
            "tasks": [entry.model_dump() for entry in self.entries],
        }
        return json.dumps(whole, ensure_ascii=False)

    def check(self) -> None:
        """Raises ValueError unless every entry is accounted for: known stages, one entry a task, reasons where lost."""
        seen: set[str] = set()
        for entry in self.entries:
            if entry.task_id in seen:
                raise ValueError(f"{entry.task_id} stands in the ledger twice")
            seen.add(entry.task_id)
            if entry.stage not in self.stages:
                raise ValueError(f"{entry.task_id}: there is no stage {entry.stage!r}")
            if (entry.stage == self.stages[-1]) != (not entry.reason):
                raise ValueError(
                    f"{entry.task_id}: a task that ends at {entry.stage!r} has the reason {entry.reason!r}"
                )


def write_ledger(path: Path, ledger: Ledger) -> None:
    """One JSON object a line: the stages first, then the entries in the order of their ids."""
    ledger.check()
    entries = sorted(ledger.entries, key=lambda entry: entry.task_id)
    lines = [
        json.dumps({"stages": ledger.stages}),
        *(entry.model_dump_json(exclude_defaults=True) for entry in entries),
    ]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_ledger(path: Path) -> Ledger:
    """Raises InputError, naming the line, for a file that is missing, damaged, or does not add up."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Build the dataset again.") from error
    entries: list[Entry] = []
    stages: tuple[str, ...] = ()
    for number, line in enumerate(lines, 1):
        try:
            if number == 1:
                stages = _Stages.model_validate_json(line).stages
            else:
                entries.append(Entry.model_validate_json(line))
        except ValidationError as error:
            what = first_fault(error)
            raise InputError(f"line {number} of {path} is damaged: {what}", fix="Build the dataset again.") from error
    try:
        ledger = Ledger(stages=stages, entries=tuple(entries))
        ledger.check()
    except ValueError as error:
        what = first_fault(error) if isinstance(error, ValidationError) else str(error)
        raise InputError(f"{path} does not add up: {what}", fix="Build the dataset again.") from error
    return ledger
