"""How a run shows that it gets on: a moving line on a terminal, plain lines everywhere else."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from guideact.cli.show import clean
from guideact.harness.log import REDONE, Key
from guideact.types import Episode

if TYPE_CHECKING:
    from guideact.cli.live import LiveWatcher


class Counts:
    """What has been seen of a run so far."""

    def __init__(self) -> None:
        self.total = 0
        self.done = 0
        self.scored = 0
        self.solved = 0
        self.errors = 0
        self.steps = 0
        self._new = 0
        self._start = time.monotonic()

    def begin(self, done: Mapping[Key, bool], total: int) -> None:
        self.total = total
        for verdict in done.values():
            self._count(verdict)
        self._start = time.monotonic()

    def episode(self, episode: Episode) -> None:
        self._new += 1
        self._count(None if episode.check is None else episode.success)

    def _count(self, verdict: bool | None) -> None:
        self.done += 1
        if verdict is None:
            self.errors += 1
        else:
            self.scored += 1
            self.solved += verdict

    def line(self) -> str:
        """`12/90 episodes, SR 0.917 so far, 0 errors, 6.4 steps/s, 1 min 20 s left`."""
        passed = max(time.monotonic() - self._start, 1e-9)
        success = f"SR {self.solved / self.scored:.3f} so far" if self.scored else "no score yet"
        parts = [
            f"{self.done}/{self.total} episodes",
            success,
            _errors(self.errors),
            f"{self.steps / passed:.1f} steps/s",
        ]
        if self._new and self.done < self.total:
            parts.append(f"{_duration(passed / self._new * (self.total - self.done))} left")
        return ", ".join(parts)


class PlainWatcher:
    """A line for each episode, as a log file wants it."""

    def __init__(self, out: TextIO) -> None:
        self.counts = Counts()
        self._out = out

    def begin(self, done: Mapping[Key, bool], total: int, redone: int) -> None:
        self.counts.begin(done, total)
        if said := going_on(len(done), total, redone):
            self._line(said)

    def step(self) -> None:
        self.counts.steps += 1

    def retry(self, key: Key, error: str, seconds: float) -> None:
        self._line(f"{_key(key)}: {begun_anew(error, seconds)}")

    def episode(self, episode: Episode) -> None:
        self.counts.episode(episode)
        key, said, counts = _key((episode.task_id, episode.sample)), result(episode), self.counts.line()
        if episode.check is not None:
            # What a check missed may be a whole row of data; the run folder has all of it.
            said = _cut(said, max(60, shutil.get_terminal_size((120, 24)).columns - len(f"{key}: . {counts}")))
        self._line(f"{key}: {said}. {counts}")

    def say(self, text: str) -> None:
        self._line(text)

    def _line(self, text: str) -> None:
        self._out.write(clean(text) + "\n")
        self._out.flush()


@contextmanager
def watcher(out: TextIO) -> Iterator[PlainWatcher | LiveWatcher]:
    """The watcher that suits `out`."""
    if not out.isatty():
        yield PlainWatcher(out)
        return
    from guideact.cli.live import LiveWatcher

    with LiveWatcher(out) as live:
        yield live


def going_on(done: int, total: int, redone: int) -> str:
    """What a run that goes on finds in its folder, in one line; empty where that is nothing."""
    if not done and not redone:
        return ""
    said = f"{done} of {total} episodes are finished already: going on from there."
    if redone:
        said += f" Done again: {redone} that ended in an infrastructure error (now in {REDONE})."
    return said


def begun_anew(error: str, seconds: float) -> str:
    """That an attempt is made again, and when."""
    return f"begun anew{f' in {_duration(seconds)}' if seconds else ''}: {error}"


def result(episode: Episode) -> str:
    """What became of an episode, in a few words."""
    if episode.check is None:
        return f"infrastructure error after {episode.attempts} attempts: {episode.error}"
    steps = f"{len(episode.steps)} step{'' if len(episode.steps) == 1 else 's'}"
    if episode.success:
        return f"solved in {steps}"
    reasons = "; ".join(part.reason for part in episode.check.parts if not part.passed and part.reason)
    ended = "out of steps" if episode.end == "out_of_steps" else f"not solved in {steps}"
    return f"{ended}: {' '.join(reasons.split())}" if reasons else ended


def _key(key: Key) -> str:
    return f"{key[0]}" if key[1] == 0 else f"{key[0]} (repetition {key[1] + 1})"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1].rstrip()}…"


def _errors(count: int) -> str:
    return f"{count} error{'' if count == 1 else 's'}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
