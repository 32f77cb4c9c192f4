"""The moving line of a run on a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self, TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TextColumn
from rich.text import Text

from guideact.cli.progress import Counts, begun_anew, going_on, result
from guideact.cli.show import clean
from guideact.harness.log import Key
from guideact.types import Episode


class LiveWatcher:
    """A bar with the counts beside it; what went wrong is printed above it and stays."""

    def __init__(self, out: TextIO) -> None:
        self.counts = Counts()
        self._console = Console(file=out)
        self._bar = Progress(BarColumn(bar_width=30), TextColumn("{task.description}"), console=self._console)
        self._task: TaskID | None = None

    def begin(self, done: Mapping[Key, bool], total: int, redone: int) -> None:
        self.counts.begin(done, total)
        if redone:
            self._above(going_on(len(done), total, redone), "yellow")
        self._task = self._bar.add_task(self.counts.line(), total=total, completed=self.counts.done)

    def step(self) -> None:
        self.counts.steps += 1
        self._show()

    def retry(self, key: Key, error: str, seconds: float) -> None:
        self._above(f"{key[0]}: {begun_anew(error, seconds)}", "yellow")

    def episode(self, episode: Episode) -> None:
        self.counts.episode(episode)
        if episode.check is None:
            self._above(f"{episode.task_id}: {result(episode)}", "red")
        self._show()

    def say(self, text: str) -> None:
        self._above(text, "yellow")

    def _show(self) -> None:
        if self._task is not None:
            self._bar.update(self._task, description=self.counts.line(), completed=self.counts.done)

    def _above(self, text: str, style: str) -> None:
        # Text, not markup: what a page or an endpoint said must not colour the terminal.
        self._console.print(Text(clean(text), style=style))

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
