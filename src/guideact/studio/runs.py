"""The runs that the studio shows: read when asked for, scored once as long as they stay as they are."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from guideact.errors import InputError
from guideact.harness.compare import compare
from guideact.harness.log import EPISODES, MANIFEST
from guideact.harness.read import Run, read_run
from guideact.harness.score import score
from guideact.harness.scores import Comparison, Score
from guideact.types import Episode

Stamp = tuple[int, int]


@dataclass(frozen=True)
class Row:
    """A run on the leaderboard. `problem` says why a folder cannot be scored."""

    name: str
    score: Score | None
    problem: str = ""


@dataclass(frozen=True)
class Runs:
    """The run folders inside a folder, or that folder itself where it is a run."""

    folder: Path | None
    _read: dict[str, tuple[Stamp, Run]] = field(default_factory=dict)
    _scored: dict[str, tuple[Stamp, Score]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """Names of the runs, sorted."""
        return sorted(self._folders())

    def run(self, name: str) -> Run:
        """A run by its name. Raises KeyError where there is none, InputError where it cannot be read."""
        folder = self._folders()[name]
        stamp = _stamp(folder)
        known = self._read.get(name)
        if known is None or known[0] != stamp:
            known = self._read[name] = (stamp, read_run(folder))
        return known[1]

    def board(self) -> list[Row]:
        """All runs, the best SR first. Scoring takes seconds for a run that has grown."""
        rows = []
        for name in self.names():
            try:
                rows.append(Row(name, self._score(name)))
            except InputError as error:
                rows.append(Row(name, None, str(error)))
        return sorted(rows, key=lambda row: (-(row.score.sr.value or 0) if row.score else 1, row.name))

    def compare(self, a: str, b: str) -> Comparison:
        """Raises KeyError and InputError as `run` does."""
        return compare(self.run(a), self.run(b))

    def episode(self, name: str, task: str, sample: int) -> Episode:
        """Raises KeyError where there is none."""
        found = (e for e in self.run(name).episodes if (e.task_id, e.sample) == (task, sample))
        episode = next(found, None)
        if episode is None:
            raise KeyError((task, sample))
        return episode

    def picture(self, name: str, path: str) -> Path:
        """The file of a picture that some step names. Raises KeyError for any other path."""
        run = self.run(name)
        if not any(step.screenshot == path for episode in run.episodes for step in episode.steps):
            raise KeyError(path)
        file = (run.folder / path).resolve()
        if not file.is_relative_to(run.folder.resolve()) or not file.is_file():
            raise KeyError(path)
        return file

    def _score(self, name: str) -> Score:
        run = self.run(name)
        stamp = _stamp(run.folder)
        known = self._scored.get(name)
        if known is None or known[0] != stamp:
            known = self._scored[name] = (stamp, score(run))
        return known[1]

    def _folders(self) -> dict[str, Path]:
        if self.folder is None:
            return {}
        inside = [self.folder, *sorted(self.folder.iterdir())] if self.folder.is_dir() else []
        return {path.resolve().name: path for path in inside if (path / MANIFEST).is_file()}


def audit_order(run: Run, person: str) -> list[Episode]:
    """The episodes with a verdict, in an order of somebody's own that has nothing to do with the outcome."""

    def key(episode: Episode) -> bytes:
        return hashlib.sha256(f"{person}\n{episode.task_id}\n{episode.sample}".encode()).digest()

    return sorted((episode for episode in run.episodes if episode.check is not None), key=key)


def _stamp(folder: Path) -> Stamp:
    found = (folder / EPISODES).stat() if (folder / EPISODES).exists() else None
    return (0, 0) if found is None else (found.st_mtime_ns, found.st_size)
