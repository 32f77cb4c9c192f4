"""Datasets on the disk: written whole or not at all, and the same bytes whenever the same rows are written.

Each table has plain columns for whoever opens it with other tools, and one column of JSON (`json`) that holds the whole
record: a row is read back from that one alone.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from guideact.data import ledger as ledgers
from guideact.data import manifest as manifests
from guideact.data.ledger import Ledger, read_ledger, write_ledger
from guideact.data.manifest import File, Manifest, read_manifest
from guideact.data.records import DemoStep, DemoTask
from guideact.errors import InputError
from guideact.outputs import refuse_taken
from guideact.types import Screenshot, Split

if TYPE_CHECKING:
    import pyarrow

SPLITS: tuple[Split, ...] = ("train", "test")
STEPS_A_SHARD = 4000
BYTES_A_SHARD = 200_000_000
"""Of images."""
CARD = "README.md"
_JPEG = b"\xff\xd8"


@dataclass(frozen=True)
class Dataset:
    """A dataset that lies on the disk. Tables are read when they are asked for."""

    folder: Path
    manifest: Manifest
    _pictures: dict[str, dict[str, bytes]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def paths(self) -> tuple[Path, ...]:
        """All its files."""
        return tuple(self.folder / name for name in (manifests.FILE, *(file.path for file in self.manifest.files)))

    def tasks(self) -> tuple[DemoTask, ...]:
        """All tasks, by id."""
        return tuple(DemoTask.model_validate_json(text) for text in self._json("tasks.parquet"))

    def steps(self, split: Split | None = None) -> Iterator[DemoStep]:
        """The steps of a split (or of both, train first), ordered by task and index. Screenshots hold no bytes."""
        for file in self.manifest.files:
            if file.path.startswith("steps-") and (split is None or file.path.startswith(f"steps-{split}-")):
                yield from map(DemoStep.model_validate_json, self._json(file.path))

    def ledger(self) -> Ledger:
        return read_ledger(self.folder / ledgers.FILE)

    def image(self, sha256: str) -> bytes:
        """The picture of a screenshot, PNG or JPEG as it was given. Raises KeyError for one that is not held."""
        for file in self.manifest.files:
            if not file.path.startswith("images-"):
                continue
            if file.path not in self._pictures:
                table = _read(self.folder / file.path, ["sha256", "image"])
                names, pictures = table.column("sha256").to_pylist(), table.column("image").to_pylist()
                self._pictures[file.path] = {n: p["bytes"] for n, p in zip(names, pictures, strict=True)}
            if sha256 in self._pictures[file.path]:
                return self._pictures[file.path][sha256]
        raise KeyError(sha256)

    def step_texts(self, split: Split) -> Iterator[tuple[str, int, str]]:
        """Task, index and JSON of each step of a split, ordered so, for whoever reads only a part of it."""
        for file in self.manifest.files:
            if file.path.startswith(f"steps-{split}-"):
                table = _read(self.folder / file.path, ["task_id", "index", "json"])
                columns = (table.column(name).to_pylist() for name in ("task_id", "index", "json"))
                yield from zip(*columns, strict=True)

    def verify(self, beginnings: tuple[str, ...] = ("",)) -> None:
        """Raises InputError for the first file that is not what the manifest says.

        `beginnings` are those of the names of the files to look at; all files by default.
        """
        for file in self.manifest.files:
            if not file.path.startswith(beginnings):
                continue
            path = self.folder / file.path
            if not path.is_file():
                raise InputError(f"{path} is missing", fix="Build the dataset again, or fetch it anew.")
            if _sha256(path) != file.sha256:
                raise InputError(f"{path} was changed since it was built", fix="Build it again, or fetch it anew.")

    def _json(self, name: str) -> Sequence[str]:
        found: list[str] = _read(self.folder / name, ["json"]).column("json").to_pylist()
        return found


def open_dataset(folder: Path) -> Dataset:
    """A dataset in a folder. Raises InputError for a folder that holds none; tables are checked by `Dataset.verify`."""
    return Dataset(folder, read_manifest(folder))


def write_dataset(
    folder: Path,
    manifest: Manifest,
    tasks: Iterable[DemoTask],
    steps: Iterable[DemoStep],
    ledger: Ledger,
    *,
    picture: Callable[[str], bytes] | None = None,
    card: Callable[[Manifest, Mapping[str, int]], str],
) -> Dataset:
    """Write a dataset into a folder that is not there yet, or empty.

    Args:
        manifest: what it is; its counts and files are filled in here.
        tasks: in any order.
        steps: in any order; each belongs to one of the tasks. Gone through once, and only the text of each is kept: all
            steps of a large dataset would fill gigabytes of memory.
        picture: gives the PNG of a screenshot by its SHA-256; None for a dataset without pictures.
        card: the text of README.md, made from the finished manifest and the number of steps of each verb.

    Raises:
        InputError: the folder holds something, or cannot be written.
        ValueError: a step belongs to no task, steps are missing, or the ledger does not add up.
    """
    known = {task.id: task for task in sorted(tasks, key=lambda task: task.id)}
    rows = sorted(map(_row, steps), key=lambda row: (row.task_id, row.index))
    _check(known, rows, ledger)
    verbs = Counter(row.columns["verb"] for row in rows)
    try:
        refuse_taken(folder)
        whole = folder.absolute()
        whole.parent.mkdir(parents=True, exist_ok=True)
        # A name that nobody has: what lies beside the folder is somebody's.
        beside = Path(tempfile.mkdtemp(prefix=f"{whole.name}.part-", dir=whole.parent))
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another folder.") from error
    try:
        part = beside / whole.name
        part.mkdir()
        files = [_write(part / "tasks.parquet", map(_task_row, known.values()), _TASK_COLUMNS)]
        references = sum(len(row.columns["guides"]) for row in rows)
        counts = {"tasks": len(known), "steps": len(rows), "references": references}
        for split in SPLITS:
            of_split = [row for row in rows if row.split == split]
            counts |= {f"{split}_tasks": len({row.task_id for row in of_split}), f"{split}_steps": len(of_split)}
            for number, start in enumerate(range(0, len(of_split), STEPS_A_SHARD)):
                path = part / f"steps-{split}-{number:05}.parquet"
                shard = of_split[start : start + STEPS_A_SHARD]
                files.append(_write(path, (row.columns for row in shard), _STEP_COLUMNS))
        pictures = _write_images(part, rows, picture)
        counts["images"] = sum(file.rows or 0 for file in pictures)
        write_ledger(part / ledgers.FILE, ledger)
        files += [*pictures, _file(part / ledgers.FILE)]
        finished = manifest.model_copy(update={"counts": counts, "files": tuple(files)})
        (part / CARD).write_text(card(finished, verbs), encoding="utf-8")
        finished = finished.model_copy(update={"files": (*files, _file(part / CARD))})
        (part / manifests.FILE).write_text(finished.model_dump_json(indent=2) + "\n", encoding="utf-8")
        if whole.exists():
            # Somebody may stand in it, so it stays, and is a dataset once its manifest is there.
            for path in sorted(part.iterdir(), key=lambda path: (path.name == manifests.FILE, path.name)):
                os.replace(path, whole / path.name)
        else:
            os.replace(part, whole)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another folder.") from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
    return Dataset(folder, finished)


def _check(tasks: Mapping[str, DemoTask], steps: Sequence[_Row], ledger: Ledger) -> None:
    ledger.check()
    frozen = {entry.task_id for entry in ledger.entries if not entry.reason}
    if frozen != set(tasks):
        raise ValueError(f"the ledger and the tasks differ: {sorted(frozen ^ set(tasks))[:5]}")
    by_task: dict[str, list[_Row]] = {task_id: [] for task_id in tasks}
    for step in steps:
        if step.task_id not in by_task:
            raise ValueError(f"step {step.index} belongs to {step.task_id}, which is no task of the dataset")
        by_task[step.task_id].append(step)
    for task_id, own in by_task.items():
        if [step.index for step in own] != list(range(tasks[task_id].steps)):
            raise ValueError(f"{task_id} has the steps {[step.index for step in own]}, not {tasks[task_id].steps}")
        if any(step.split != tasks[task_id].task.split for step in own):
            raise ValueError(f"a step of {task_id} is of another split than its task")


# --- rows -------------------------------------------------------------------------------------------------------

_TASK_COLUMNS = {
    **dict.fromkeys(("id", "intent", "template_id", "split", "start_url", "source", "language"), "string"),
    "sites": "list<string>",
    "steps": "int32",
    "skeleton": "list<string>",
    "json": "string",
}
_STEP_COLUMNS = {
    "task_id": "string",
    "index": "int32",
    **dict.fromkeys(("url", "title", "verb", "value", "action_som", "action_coord"), "string"),
    "target_mark": "int32",
    **dict.fromkeys(("target_role", "target_name"), "string"),
    "target_box": "list<double>",
    "target_point": "list<double>",
    "guides": "list<string>",
    "candidates": "int32",
    "screenshot": "string",
    "json": "string",
}


def _task_row(task: DemoTask) -> dict[str, Any]:
    return {
        **{name: getattr(task.task, name) for name in _TASK_COLUMNS if name in type(task.task).model_fields},
        "sites": list(task.task.sites),
        "steps": task.steps,
        "skeleton": list(task.skeleton),
        "json": task.model_dump_json(),
    }


@dataclass(frozen=True)
class _Row:
    """What is kept of a step until it is written."""

    task_id: str
    index: int
    split: Split
    screenshot: Screenshot | None
    columns: dict[str, Any]


def _row(step: DemoStep) -> _Row:
    return _Row(step.task_id, step.index, step.split, step.observation.screenshot, _step_columns(step))


def _step_columns(step: DemoStep) -> dict[str, Any]:
    target, box = step.target, step.box
    screenshot = step.observation.screenshot
    return {
        "task_id": step.task_id,
        "index": step.index,
        "url": step.observation.url,
        "title": step.observation.title,
        "verb": step.verb,
        "value": step.value,
        "action_som": None if step.action_som is None else step.action_som.model_dump_json(),
        "action_coord": step.action_coord.model_dump_json(),
        "target_mark": None if target is None else target.mark,
        "target_role": None if target is None else target.role,
        "target_name": None if target is None else target.name,
        "target_box": None if box is None else [box.x, box.y, box.width, box.height],
        "target_point": None if step.point is None else list(step.point),
        "guides": list(step.guides),
        "candidates": len(step.observation.candidates),
        "screenshot": None if screenshot is None else screenshot.sha256,
        "json": step.model_dump_json(),
    }


# --- tables -----------------------------------------------------------------------------------------------------


def _type(name: str) -> pyarrow.DataType:
    import pyarrow as pa

    if name.startswith("list<"):
        return pa.list_(_type(name[5:-1]))
    found: dict[str, pyarrow.DataType] = {"string": pa.string(), "int32": pa.int32(), "double": pa.float64()}
    return found[name]


def _write(path: Path, rows: Iterable[dict[str, Any]], columns: Mapping[str, str]) -> File:
    import pyarrow as pa

    schema = pa.schema([(name, _type(kind)) for name, kind in columns.items()])
    return _store(path, pa.Table.from_pylist(list(rows), schema=schema))


def _store(path: Path, table: pyarrow.Table) -> File:
    from pyarrow import parquet

    parquet.write_table(table, path, compression="zstd", row_group_size=500)
    return _file(path, rows=table.num_rows)


def _write_images(folder: Path, steps: Sequence[_Row], picture: Callable[[str], bytes] | None) -> list[File]:
    """Each picture once, in the order of its name, in shards of at most `BYTES_A_SHARD`."""
    import pyarrow as pa

    if picture is None:
        return []
    shots = {shot.sha256: shot for step in steps if (shot := step.screenshot) is not None}
    schema = pa.schema(
        [
            ("sha256", pa.string()),
            ("width", pa.int32()),
            ("height", pa.int32()),
            ("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])),
        ]
    )
    files: list[File] = []
    rows: list[dict[str, Any]] = []
    held = 0

    def flush() -> None:
        nonlocal rows, held
        files.append(_store(folder / f"images-{len(files):05}.parquet", pa.Table.from_pylist(rows, schema=schema)))
        rows, held = [], 0

    for name in sorted(shots):
        png = picture(name)
        if hashlib.sha256(png).hexdigest() != name:
            raise ValueError(f"the picture {name} is another one than its name says")
        if rows and held + len(png) > BYTES_A_SHARD:
            flush()
        shot = shots[name]
        rows.append(
            {
                "sha256": name,
                "width": shot.width,
                "height": shot.height,
                "image": {"bytes": png, "path": f"{name}.{'jpg' if png.startswith(_JPEG) else 'png'}"},
            }
        )
        held += len(png)
    if rows:
        flush()
    return files


def _read(path: Path, columns: list[str]) -> pyarrow.Table:
    import pyarrow as pa
    from pyarrow import parquet

    try:
        # Not `read_table`: it loads pyarrow's datasets and pandas, which takes longer than most tables here.
        with parquet.ParquetFile(path) as file:
            return file.read(columns=columns)
    except FileNotFoundError as error:
        raise InputError(f"{path} is missing", fix="Build the dataset again, or fetch it anew.") from error
    except (OSError, pa.ArrowException, ValidationError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(f"{path} is damaged: {first}", fix="Build the dataset again, or fetch it anew.") from error


def _file(path: Path, rows: int | None = None) -> File:
    return File(path=path.name, sha256=_sha256(path), bytes=path.stat().st_size, rows=rows)


def _sha256(path: Path) -> str:
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
