"""What people have settled about suspect labels, kept beside the dataset in `settled.jsonl`, a line a decision.

A dataset's own files never change once it is built; this one grows. Scores take it in, and their signature names its
hash. Later lines win over earlier ones about the same step.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from guideact.data import Dataset
from guideact.errors import InputError, first_fault
from guideact.types import Frozen

FILE = "settled.jsonl"


def files_of(dataset: Dataset) -> tuple[Path, ...]:
    """What must not be written over: the files of a dataset, and the decisions beside them."""
    return (*dataset.paths, dataset.folder / FILE)


class Decision(Frozen):
    """What was settled about one step, by whom, and how."""

    task_id: str
    index: int
    kind: str
    """What it was suspected of: a kind of `guideact data audit`."""
    verdict: Literal["fine", "also", "drop"]
    """`fine`: the label stands. `also`: the targets in `also` are as good. `drop`: the step is not to be scored."""
    also: tuple[int, ...] = ()
    """Marks."""
    by: str = Field(min_length=1)
    how: str = Field(min_length=1)
    """What was looked at: the screenshot, the live site, the code of the page, ..."""


@dataclass(frozen=True)
class Settled:
    """All decisions about a dataset."""

    decisions: tuple[Decision, ...] = ()
    sha256: str = ""
    """Of the file; empty where there is none."""

    @classmethod
    def read(cls, folder: Path) -> Settled:
        """The decisions beside a dataset. Raises InputError for a line that is none."""
        path = folder / FILE
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check what lies there.") from error
        return cls(parse(path, data), hashlib.sha256(data).hexdigest())

    @property
    def also(self) -> dict[tuple[str, int], frozenset[int]]:
        """Steps with equally good targets, and the marks of these."""
        latest = self._latest("also", "fine")
        return {key: frozenset(each.also) for key, each in latest.items() if each.verdict == "also"}

    @property
    def dropped(self) -> frozenset[tuple[str, int]]:
        """Steps that are not to be scored."""
        return frozenset(key for key, each in self._latest("also", "fine", "drop").items() if each.verdict == "drop")

    def _latest(self, *verdicts: str) -> dict[tuple[str, int], Decision]:
        return {(each.task_id, each.index): each for each in self.decisions if each.verdict in verdicts}


def parse(path: Path, data: bytes) -> tuple[Decision, ...]:
    """The decisions in the bytes of a file. Raises InputError, naming the line, for one that is none."""
    found = []
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            decision = Decision.model_validate_json(line)
        except ValidationError as error:
            raise InputError(f"{path}: line {number}: {first_fault(error)}", fix="Mend that line.") from error
        if (decision.verdict == "also") != bool(decision.also):
            raise InputError(
                f"{path}: line {number}: verdict {decision.verdict!r} with also = {list(decision.also)}",
                fix="Name the marks that are as good with the verdict `also`, and with no other.",
            )
        found.append(decision)
    return tuple(found)
