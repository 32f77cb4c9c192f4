"""The file of predictions: a line that says how they were made, then one line a step, put there when it is answered.

What a model said is kept as it came; how it is read is the scorer's business, so a better reading needs no second
asking. A run that was killed loses at most the line that was being written.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Literal

from pydantic import Field, ValidationError

from guideact.actions import KEYS
from guideact.errors import InputError, first_fault
from guideact.types import Effort, Fault, Frozen, Grounding, Split, Usage

Arm = Literal["action", "guide", "guide-action", "action-guide"]
History = Literal["gold", "own", "actions", "corrupted", "none"]

ORDERS: dict[Arm, tuple[str, ...]] = {
    "action": tuple(key for key in KEYS if key != "guide"),
    "guide": ("think", "guide"),
    "guide-action": ("think", "guide", "action", "target", "value"),
    "action-guide": KEYS,
}
"""The keys that are asked for, in the order in which they are decoded. Nothing else differs between arms."""

FORMAT = 1
FREE = frozenset({"shard"})
"""Fields in which files of one run may differ: they are its parts."""


class Header(Frozen):
    """How the predictions of a file were made."""

    format: Literal[1] = 1
    dataset: str
    """Its name."""
    dataset_sha256: str
    """`Manifest.signature`: a hash of all its data."""
    split: Split
    tasks_sha256: str = ""
    """Of the ids of the tasks, one a line, where not the whole split was asked for."""
    shard: str = "1/1"
    model: str
    model_sha256: str = ""
    """Of its weights, where they are a file."""
    grounding: Grounding
    arm: Arm
    history: History
    force: str = ""
    """The kind of guide that every answer was made to begin with (`interventions.KINDS`); empty: none was."""
    force_sha256: str = ""
    """Of the file of audited paraphrases, where one was given."""
    images: bool
    temperature: float | None = None
    seed: int = 0
    max_tokens: int = 4096
    effort: Effort | None = None
    prompt_version: str
    system_sha256: str
    """Of the system prompt."""
    code_sha256: str
    """Of the modules that make the questions."""
    deterministic: str
    """`yes`, or why the same command may not give the same predictions."""
    guideact: str
    """Version."""

    @property
    def order(self) -> tuple[str, ...]:
        return ORDERS[self.arm]


class Prediction(Frozen):
    """What a model said at one step."""

    task: str
    index: int
    """0-based."""
    prompt_sha256: str
    raw: str
    """The whole answer, a forced start included."""
    fault: Fault | None = None
    """A failure of the model's own that left nothing to read: a refusal, an empty or a cut answer."""
    usage: Usage | None = None

    @property
    def key(self) -> tuple[str, int]:
        return (self.task, self.index)


class Predictions(Frozen):
    """All predictions of a run, ordered by task and step, from one file or from its shards."""

    header: Header
    rows: tuple[Prediction, ...] = Field(repr=False)
    files: tuple[str, ...] = ()


# --- writing ------------------------------------------------------------------------------------------------------


class Writer:
    """Appends predictions to a file, each flushed. `done` holds what the file had before."""

    def __init__(self, path: Path, header: Header) -> None:
        """Begin a file, or go on with one. A torn last line is cut off.

        Raises InputError where the file is of other settings, damaged, written to by another process, or cannot be
        written.
        """
        self.done: dict[tuple[str, int], Prediction] = {}
        self._path = path
        with _writing(path):
            self._file: IO[bytes] = open(path, "a+b", buffering=0)  # noqa: SIM115  kept, and closed in `__exit__`
        try:
            with _writing(path):
                try:
                    fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError as error:
                    raise InputError(
                        f"another process is writing to {path}", fix="Wait for it, or give another --out."
                    ) from error
                keep = self._take(path, header)
                self._file.truncate(keep)
                if not keep:
                    self._put(header.model_dump_json())
        except BaseException:
            self._file.close()
            raise

    def _take(self, path: Path, header: Header) -> int:
        """Take in what the file holds; returns how many of its bytes are whole lines."""
        self._file.seek(0)
        data = self._file.read()
        end = data.rfind(b"\n") + 1
        if not end:
            if data and not header.model_dump_json().encode().startswith(data):
                raise InputError(f"{path} is no file of predictions", fix="Give another --out.")
            return 0
        found, rows = _parse(path, data[:end])
        if found != header:
            names = [name for name in type(header).model_fields if getattr(found, name) != getattr(header, name)]
            raise InputError(
                f"{path} holds predictions of other settings ({', '.join(names)})",
                fix="Go on with those, or give another --out.",
            )
        self.done = {row.key: row for row in rows}
        return end

    def add(self, row: Prediction) -> None:
        """Append a row. Raises InputError, naming the file, where it cannot be written whole (a full disk)."""
        with _writing(self._path):
            self._put(row.model_dump_json())

    def _put(self, line: str) -> None:
        data = line.encode() + b"\n"
        while data:
            data = data[self._file.write(data) :]

    def __enter__(self) -> Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            with _writing(self._path):
                os.fsync(self._file.fileno())
        finally:
            self._file.close()


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    """Name the file that cannot be written. What it holds already stays good."""
    try:
        yield
    except OSError as error:
        raise InputError(
            f"{path} cannot be written: {error.strerror}",
            fix="Mend that and call again, which goes on with what is there, or give another --out.",
        ) from error


# --- reading ------------------------------------------------------------------------------------------------------


def read_predictions(paths: Sequence[Path]) -> Predictions:
    """The predictions of a file, or of the shards of one run. A torn last line is left out.

    Raises InputError where a file is none, files are of different runs, or two of them hold the same step.
    """
    parts = [_read(path) for path in paths]
    first = parts[0][0]
    rows: dict[tuple[str, int], Prediction] = {}
    for path, (header, found) in zip(paths, parts, strict=True):
        if run_of(header) != run_of(first):
            raise InputError(f"{path} and {paths[0]} are no shards of one run", fix="Score them one by one.")
        for row in found:
            if row.key in rows:
                raise InputError(f"{path} holds step {row.index} of {row.task} again", fix="Delete one of the two.")
            rows[row.key] = row
    ordered = tuple(rows[key] for key in sorted(rows))
    return Predictions(header=run_of(first), rows=ordered, files=tuple(path.name for path in paths))


def group_runs(paths: Iterable[Path]) -> list[Predictions]:
    """The runs that some files belong to, shards put together, in the order in which the files come."""
    runs: dict[str, list[Path]] = {}
    for path in paths:
        runs.setdefault(run_of(_read_header(path)).model_dump_json(), []).append(path)
    return [read_predictions(found) for found in runs.values()]


def run_of(header: Header) -> Header:
    """The header without what tells parts of one run apart."""
    return header.model_copy(update={"shard": "1/1"})


def _read_header(path: Path) -> Header:
    return _read(path)[0]


def _read(path: Path) -> tuple[Header, list[Prediction]]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check the path.") from error
    return _parse(path, data[: data.rfind(b"\n") + 1])


def _parse(path: Path, data: bytes) -> tuple[Header, list[Prediction]]:
    lines = data.split(b"\n")[:-1]
    try:
        header = Header.model_validate_json(lines[0])
    except (IndexError, ValidationError) as error:
        why = "it holds no whole line" if isinstance(error, IndexError) else f"line 1: {first_fault(error)}"
        raise InputError(
            f"{path} is no file of predictions of format {FORMAT}: {why}",
            fix="Make one with `guideact offline predict`.",
        ) from error
    rows: dict[tuple[str, int], Prediction] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            row = Prediction.model_validate_json(line)
        except ValidationError as error:
            raise InputError(
                f"{path}: line {number} is no prediction: {first_fault(error)}", fix="Delete that line."
            ) from error
        if row.key in rows:
            raise InputError(
                f"{path}: line {number} holds step {row.index} of {row.task} again", fix="Delete one of the two."
            )
        rows[row.key] = row
    return header, list(rows.values())
