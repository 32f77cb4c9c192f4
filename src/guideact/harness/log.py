"""The run folder: everything a run leaves behind, written so that a kill at any moment loses only what was in flight.

    run.json                            the manifest: format, resolved config, tasks, versions and hashes
    episodes.jsonl                      one `Episode` a line, appended and flushed to the disk when it ends
    redone.jsonl                        infrastructure errors whose episodes were done again, for the record
    steps/<task_id>/<sample>/<nn>.json  the full `Observation` that step nn was decided on
    images/<sha256>.png                 what the model was shown, named by its content
    report.html                         written at the end, from all of the above

A line of `episodes.jsonl` is an episode that ended; (task, sample) names it, and stands there once. A last line that a
kill has torn is cut off when the run goes on, and its episode is done again; so are the episodes that ended in an
infrastructure error, whose lines move to `redone.jsonl`. `run.json` and the images are written beside their place and
moved there, so they are whole or not there at all. The file of episodes is locked while a run writes to it; the lock
goes when the process does, however it ends.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Literal, Self

from pydantic import Field, ValidationError

from guideact.config import RunConfig
from guideact.errors import InputError, first_fault
from guideact.types import Episode, Frozen, Grounding, Memory, Observation

FORMAT = 1
"""Version of the folder's layout. A folder of another one is refused, never guessed at."""

MANIFEST, EPISODES, REDONE = "run.json", "episodes.jsonl", "redone.jsonl"

_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_DENIED = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})


class Manifest(Frozen):
    """The content of run.json."""

    format: Literal[1] = 1
    model: str
    grounding: Grounding
    memory: Memory
    config: dict[str, Any]
    """The resolved `RunConfig`."""
    tasks: tuple[str, ...]
    """Ids of the tasks, in the order in which they are begun."""
    epochs: int = 1
    hashes: dict[str, str] = Field(default_factory=dict)
    """SHA-256 of the tasks, of the prompts' wording, of the font that marks are drawn with, of the weights of a
    built-in agent or a model in this process, and of the guides that a recipient follows."""
    versions: dict[str, str] = Field(default_factory=dict)
    """Of guideact, Python, the packages that matter, and the browser."""
    platform: str = ""
    created: str = ""
    """ISO time, UTC."""


Key = tuple[str, int]
"""(task id, sample)."""


def observation_path(task_id: str, sample: int, index: int) -> str:
    """Where a step's observation lies, relative to the run folder."""
    return f"steps/{task_id}/{sample}/{index:02}.json"


def image_path(png: bytes) -> str:
    """Where an image lies, relative to the run folder."""
    return f"images/{hashlib.sha256(png).hexdigest()}.png"


FREE_VERSIONS = frozenset({"python", "prices"})
"""Versions that change nothing in what is measured: a run may go on with others."""


class RunLog:
    """A run folder that is open for writing. One process at a time; not safe to use from several threads."""

    def __init__(
        self, folder: Path, manifest: Manifest, file: BinaryIO, done: dict[Key, bool], redone: int = 0
    ) -> None:
        self.folder = folder
        self.manifest = manifest
        self.done = done
        """What an earlier process finished, by (task, sample): success or not."""
        self.redone = redone
        """How many episodes an earlier process put down as infrastructure errors: they are to be done again."""
        self._file = file
        self._images: set[str] = set()

    @classmethod
    def open(cls, folder: Path, manifest: Manifest, free: frozenset[str] = frozenset()) -> Self:
        """Begin a run in `folder`, or go on with the one that lies there.

        What had ended in an infrastructure error is due again, and its lines are set aside. Fields of the config named
        in `free` may differ from the run that lies there. Raises InputError where the folder cannot be written, is used
        by another process, holds something else than a run, or holds a run of another format, other settings or other
        tasks.
        """
        with _named(folder):
            folder.mkdir(parents=True, exist_ok=True)
            _refuse_strangers(folder)
            file: BinaryIO = open(folder / EPISODES, "ab", buffering=0)  # noqa: SIM115  the log keeps it
        try:
            if not _locked(file, folder / EPISODES):
                raise InputError(
                    f"another guideact run is writing to {folder}", fix="Wait for it, or give another --log-dir."
                )
            if (folder / MANIFEST).exists():
                found = read_manifest(folder)
                _refuse_another(found, manifest, free, folder)
                manifest = found
                with _named(folder):
                    _heal(folder / EPISODES)
            else:
                _write_whole(folder / MANIFEST, manifest.model_dump_json(indent=2).encode() + b"\n")
            episodes = tuple(read_episodes(folder))
            refuse_foreign(episodes, manifest, folder / EPISODES)
            done = {
                (episode.task_id, episode.sample): episode.success for episode in episodes if episode.check is not None
            }
            redone = len(episodes) - len(done)
            if redone:
                file = _set_aside(folder, file, [episode.check is None for episode in episodes])
            return cls(folder, manifest, file, done, redone)
        except BaseException:
            file.close()
            raise

    def append(self, episode: Episode) -> None:
        """Put an episode down for good. Raises InputError where the disk is full, with the file as it was before."""
        line = episode.model_dump_json().encode() + b"\n"
        with _named(self.folder):
            before = os.fstat(self._file.fileno()).st_size
            try:
                written = 0
                while written < len(line):
                    written += self._file.write(line[written:]) or 0
                os.fsync(self._file.fileno())
            except OSError:
                # A piece of the line that cannot be taken back is cut off when the run goes on.
                with suppress(OSError):
                    os.truncate(self._file.fileno(), before)
                raise

    def begin(self, task_id: str, sample: int) -> None:
        """Clear the steps that an attempt which came to nothing left behind."""
        shutil.rmtree(self.folder / "steps" / task_id / str(sample), ignore_errors=True)

    def keep_observation(self, task_id: str, sample: int, index: int, observation: Observation) -> str:
        """Write what a step was decided on; returns the path relative to the run folder."""
        path = observation_path(task_id, sample, index)
        with _named(self.folder):
            target = self.folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(observation.model_dump_json().encode())
        return path

    def keep_file(self, name: str, data: bytes) -> None:
        """Write what belongs to the run as a whole, unless it lies there already."""
        if not (self.folder / name).exists():
            _write_whole(self.folder / name, data)

    def keep_image(self, png: bytes) -> str:
        """Write an image once, however often it is seen; returns the path relative to the run folder."""
        path = image_path(png)
        if path not in self._images:
            target = self.folder / path
            # A size that differs is what a power cut leaves of a file whose name reached the disk before its bytes.
            if not target.exists() or target.stat().st_size != len(png):
                _write_whole(target, png)
            self._images.add(path)
        return path

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


# --- reading ----------------------------------------------------------------------------------------------------


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a run. Raises InputError where there is none, or one of another format."""
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{folder} is no run: it holds no {MANIFEST}", fix="Give the folder of a run.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check its permissions.") from error
    found = _format_of(data, path)
    if found != FORMAT:
        raise InputError(
            f"{folder} holds a run of format {found}, and this guideact reads and writes format {FORMAT}",
            fix="Use the guideact that made it, or give another folder.",
        )
    try:
        return Manifest.model_validate_json(data)
    except ValidationError as error:
        raise InputError(
            f"{path} is damaged: {first_fault(error)}", fix="Mend it there, or give another folder."
        ) from error


def read_episodes(folder: Path) -> Iterator[Episode]:
    """The finished episodes of a run, in the order in which they ended; a torn last line is passed over.

    Raises InputError for a line that is no episode, naming it, and for a file that cannot be read.
    """
    path = folder / EPISODES
    if not path.exists():
        return
    try:
        opened = open(path, "rb")  # noqa: SIM115  closed below
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check its permissions.") from error
    with opened as file:
        for number, line in enumerate(file, start=1):
            try:
                yield Episode.model_validate_json(line)
            except ValidationError as error:
                if not line.endswith(b"\n"):
                    return
                raise InputError(
                    f"line {number} of {path} is no episode: {first_fault(error)}",
                    fix="Delete that line: the run then does the episode again.",
                ) from error


def refuse_foreign(episodes: Iterable[Episode], manifest: Manifest, path: Path) -> None:
    """Raise InputError for an episode that stands there twice, or that is none of the manifest's run."""
    tasks, seen = set(manifest.tasks), set[Key]()
    for episode in episodes:
        key = (episode.task_id, episode.sample)
        if key in seen:
            raise InputError(
                f"{path} holds task {key[0]}, sample {key[1]}, twice", fix="Delete the line that is not wanted."
            )
        if episode.task_id not in tasks or not 0 <= episode.sample < manifest.epochs:
            raise InputError(
                f"{path} holds task {key[0]}, sample {key[1]}, which is no episode of this run by its {MANIFEST}",
                fix="Delete that line.",
            )
        seen.add(key)


def check_folder(folder: Path) -> None:
    """Raise InputError, before anything is started or made, for a folder that no run could be written to."""
    if folder.exists():
        if not folder.is_dir():
            raise InputError(f"{folder} is a file, and a run is a folder", fix="Give another --log-dir.")
        with _named(folder):
            _refuse_strangers(folder)
        parent = folder
    else:
        parent = next(above for above in folder.absolute().parents if above.exists())
    if not parent.is_dir():
        raise InputError(f"{folder} cannot be made: {parent} is a file", fix="Give another --log-dir.")
    if not os.access(parent, os.W_OK | os.X_OK):
        raise InputError(f"{folder} cannot be written", fix="Give a folder of yours with --log-dir.")


def _format_of(data: bytes, path: Path) -> object:
    try:
        loaded = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{path} is damaged: it is no JSON ({error})", fix="Mend it there, or give another folder."
        ) from error
    return loaded.get("format", "unknown") if isinstance(loaded, dict) else "unknown"


# --- writing ----------------------------------------------------------------------------------------------------


def _heal(path: Path) -> None:
    """Cut off a last line without an end; one that is whole but for its end gets it."""
    if not path.exists():
        return
    data = path.read_bytes()
    torn = data[data.rfind(b"\n") + 1 :]
    if not torn:
        return
    with open(path, "r+b") as file:
        try:
            Episode.model_validate_json(torn)
        except ValidationError:
            file.truncate(len(data) - len(torn))
        else:
            file.seek(0, os.SEEK_END)
            file.write(b"\n")
        os.fsync(file.fileno())


def _locked(file: BinaryIO, path: Path) -> bool:
    """Take the lock of the file of episodes, unless somebody has it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    # Whoever had it may have put another file into its place meanwhile, and have the lock of that.
    return path.exists() and os.path.samestat(os.fstat(file.fileno()), path.stat())


def _set_aside(folder: Path, file: BinaryIO, errors: Sequence[bool]) -> BinaryIO:
    """Move the lines marked in `errors` from the locked file of episodes to `redone.jsonl`; the file, locked, anew.

    A kill in between leaves all of them in their place.
    """
    path, part, kept = folder / EPISODES, folder / f"{EPISODES}.part", folder / REDONE
    with _named(folder):
        with open(path, "rb") as old:
            lines = old.readlines()
        gone = b"".join(line for line, error in zip(lines, errors, strict=True) if error)
        _write_whole(kept, (kept.read_bytes() if kept.exists() else b"") + gone)
        part.unlink(missing_ok=True)
        anew = open(part, "ab", buffering=0)  # noqa: SIM115  the log keeps it
        try:
            # Before it is in its place, so that nobody finds it there without its lock.
            fcntl.flock(anew, fcntl.LOCK_EX)
            part.write_bytes(b"".join(line for line, error in zip(lines, errors, strict=True) if not error))
            os.fsync(anew.fileno())
            os.replace(part, path)
        except BaseException:
            anew.close()
            part.unlink(missing_ok=True)
            raise
    file.close()
    return anew


def _refuse_strangers(folder: Path) -> None:
    """Raise InputError where the folder holds things, but no run: nothing is mixed with the files of others."""
    inside = {path.name: path for path in folder.iterdir()}
    if MANIFEST in inside:
        return
    inside.pop(MANIFEST + ".part", None)
    # A run that was killed before it had a manifest leaves an empty file of episodes.
    if EPISODES in inside and inside[EPISODES].stat().st_size == 0:
        del inside[EPISODES]
    if inside:
        raise InputError(f"{folder} is not empty and holds no run", fix="Give a new or an empty folder with --log-dir.")


def _refuse_another(found: Manifest, wanted: Manifest, free: frozenset[str], folder: Path) -> None:
    """Raise InputError where the run that lies there is not the one that is wanted, saying what differs."""
    # A setting that came into being after the run was begun had its default then.
    was = {**RunConfig().model_dump(mode="json"), **found.config}
    differences = [
        f"{name} is {_shown(wanted.config.get(name))} and was {_shown(was.get(name))}"
        for name in sorted(was.keys() | wanted.config.keys())
        if name not in free and was.get(name) != wanted.config.get(name)
    ]
    if not differences and found.tasks != wanted.tasks:
        differences.append("the list of tasks has changed")
    # What a run of an earlier version has no hash of cannot be compared.
    differences += [
        f"the {name} changed since"
        for name, sha256 in sorted(found.hashes.items())
        if sha256 != wanted.hashes.get(name)
    ]
    if differences:
        raise InputError(
            f"{folder} holds a run of other settings: {'; '.join(differences)}",
            fix="Use the same settings to go on with it, or give another --log-dir.",
        )
    others = [
        f"{name} is {wanted.versions.get(name, 'unknown')} and was {found.versions.get(name, 'unknown')}"
        for name in sorted(found.versions.keys() | wanted.versions.keys())
        if name not in FREE_VERSIONS and found.versions.get(name) != wanted.versions.get(name)
    ]
    if others:
        raise InputError(
            f"{folder} holds a run of other versions: {'; '.join(others)}",
            fix="Install those to go on with it, or give another --log-dir.",
        )


def _shown(value: object) -> str:
    return "unset" if value is None else json.dumps(value, ensure_ascii=False)


def _write_whole(path: Path, data: bytes) -> None:
    """All of the bytes at that path, or none: written beside it, then moved."""
    part = path.with_name(path.name + ".part")
    with _named(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with open(part, "wb") as file:
                file.write(data)
                file.flush()
                if path.name in (MANIFEST, REDONE):
                    os.fsync(file.fileno())
            os.replace(part, path)
        except OSError:
            part.unlink(missing_ok=True)
            raise


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    """Turn what the file system refuses into one line that says what to do."""
    try:
        yield
    except OSError as error:
        if error.errno in _FULL:
            raise InputError(
                f"the disk of {folder} is full",
                fix="Make room; the same command with this --log-dir goes on, no finished episode is lost.",
            ) from error
        if error.errno in _DENIED:
            raise InputError(
                f"{folder} cannot be written: {error.strerror}", fix="Give a folder of yours with --log-dir."
            ) from error
        raise InputError(
            f"{folder} cannot be used: {error.strerror or error}", fix="Give another folder with --log-dir."
        ) from error
