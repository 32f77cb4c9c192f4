"""How a training on rewards shows that it gets on: curves and the last rounds on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from guideact.cli.progress import Counts, begun_anew, going_on
from guideact.cli.show import clean
from guideact.harness.log import Key
from guideact.train.settings import OfflineRound, RoundRecord
from guideact.types import Episode

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

BARS = "▁▂▃▄▅▆▇█"
CURVES: tuple[tuple[str, Callable[[RoundRecord], float | None], tuple[float, float] | None], ...] = (
    ("SR", lambda record: record.success_rate, (0, 1)),
    ("test SR", lambda record: record.test_success_rate, (0, 1)),
    ("reward variance", lambda record: record.reward_variance, (0, 0.25)),
    ("dead groups", lambda record: record.dead_share, (0, 1)),
    ("expert share", lambda record: record.expert_share, (0, 1)),
    ("entropy", lambda record: record.entropy, None),
    ("KL from the start", lambda record: record.kl, None),
    ("steps an episode", lambda record: record.steps, None),
    ("seconds a round", lambda record: record.seconds_rollouts + record.seconds_update, None),
)
"""Name, value, and the range of its axis where it has one."""


def sparkline(values: Sequence[float | None], span: tuple[float, float] | None = None) -> str:
    """A character a value, on an axis over `span` or over the values' own range; a dot where there is none."""
    known = [value for value in values if value is not None]
    low, high = span if span is not None else (min(known, default=0.0), max(known, default=0.0))
    width = (high - low) or 1.0
    return "".join(
        "·" if value is None else BARS[min(max(int((value - low) / width * len(BARS)), 0), len(BARS) - 1)]
        for value in values
    )


def line(record: RoundRecord) -> str:
    """A round in one line."""
    parts = [
        f"round {record.round + 1}: SR {_number(record.success_rate)}",
        f"variance {record.reward_variance:.3f}",
        f"dead {record.all_failed + record.all_solved + record.lost}/{record.groups}",
        f"experts {record.expert_share:.2f}",
        f"entropy {_number(record.entropy)}",
        f"KL {_number(record.kl)}",
        f"{_number(record.steps, 1)} steps",
        f"{record.seconds_rollouts + record.seconds_update:.0f} s",
        " ".join(f"{verb} {share:.2f}" for verb, share in record.actions.items()),
    ]
    if record.errors:
        parts.append(f"{record.errors} errors")
    if record.test_tasks:
        parts.append(f"test SR {_number(record.test_success_rate)} over {record.test_tasks} tasks")
    return ", ".join(part for part in parts if part)


def guide_line(record: OfflineRound) -> str:
    """A round of a training of guides in one line."""
    parts = [
        f"round {record.round + 1}: reward {_number(record.reward)}",
        f"variance {record.reward_variance:.3f}",
        f"dead {record.groups - record.live}/{record.groups}",
        f"entropy {_number(record.entropy)}",
        f"KL {_number(record.kl)}",
    ]
    return ", ".join(parts)


def table(records: Sequence[RoundRecord]) -> Table:
    """All rounds, one a row."""
    from rich.table import Table

    shown = Table(box=None, pad_edge=False)
    for name in ("round", "SR", "test SR", "variance", "dead", "experts", "entropy", "KL", "steps", "updates", "s"):
        shown.add_column(name, justify="right")
    shown.add_column("actions")
    for record in records:
        shown.add_row(
            str(record.round + 1),
            _number(record.success_rate),
            _number(record.test_success_rate),
            f"{record.reward_variance:.3f}",
            f"{record.all_failed + record.all_solved + record.lost}/{record.groups}",
            f"{record.expert_share:.2f}",
            _number(record.entropy),
            _number(record.kl),
            _number(record.steps, 1),
            str(record.updates),
            f"{record.seconds_rollouts + record.seconds_update:.0f}",
            " ".join(f"{verb} {share:.2f}" for verb, share in record.actions.items()),
        )
    return shown


def _number(value: float | None, digits: int = 3) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


class PlainCurves:
    """A line for each round, as a log file wants it."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def training(self, records: Sequence[RoundRecord], rounds: int) -> None:
        if records:
            self._line(f"{len(records)} of {rounds} rounds are finished already: going on from there.")

    def phase(self, number: int, what: str) -> None:
        """Said by the line at the round's end."""

    def round(self, record: RoundRecord) -> None:
        self._line(line(record))

    def begin(self, done: Mapping[Key, bool], total: int, redone: int) -> None:
        if said := going_on(len(done), total, redone):
            self._line(said)

    def step(self) -> None:
        """Steps are counted on a terminal alone."""

    def retry(self, key: Key, error: str, seconds: float) -> None:
        self._line(f"{key[0]}: {begun_anew(error, seconds)}")

    def episode(self, episode: Episode) -> None:
        if episode.check is None:
            self._line(f"{episode.task_id}: infrastructure error: {episode.error}")

    def say(self, text: str) -> None:
        self._line(text)

    def _line(self, text: str) -> None:
        self._out.write(clean(text) + "\n")
        self._out.flush()


class LiveCurves:
    """The curves of all rounds, the verbs of the last one, and how far the present one has come."""

    def __init__(self, out: TextIO) -> None:
        from rich.console import Console
        from rich.live import Live

        self._records: list[RoundRecord] = []
        self._rounds = 0
        self._now = ""
        self._counts = Counts()
        self._console = Console(file=out)
        self._live = Live(console=self._console, get_renderable=self._shown, refresh_per_second=4)

    def training(self, records: Sequence[RoundRecord], rounds: int) -> None:
        self._records, self._rounds = list(records), rounds

    def phase(self, number: int, what: str) -> None:
        self._now, self._counts = f"round {number + 1} of {self._rounds}: {what}", Counts()

    def round(self, record: RoundRecord) -> None:
        self._records.append(record)

    def begin(self, done: Mapping[Key, bool], total: int, redone: int) -> None:
        if redone:
            self._above(going_on(len(done), total, redone), "yellow")
        self._counts.begin(done, total)

    def step(self) -> None:
        self._counts.steps += 1

    def retry(self, key: Key, error: str, seconds: float) -> None:
        self._above(f"{key[0]}: {begun_anew(error, seconds)}", "yellow")

    def episode(self, episode: Episode) -> None:
        self._counts.episode(episode)
        if episode.check is None:
            self._above(f"{episode.task_id}: infrastructure error: {episode.error}", "red")

    def say(self, text: str) -> None:
        self._above(text, "yellow")

    def _above(self, text: str, style: str) -> None:
        from rich.text import Text

        # Text, not markup: what a page said must not colour the terminal.
        self._console.print(Text(clean(text), style=style))

    def _shown(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        shown = Table.grid(padding=(0, 2))
        for name, value, span in CURVES:
            values = [value(record) for record in self._records]
            known = [each for each in values if each is not None]
            if known:
                shown.add_row(name, Text(sparkline(values, span), style="cyan"), f"{known[-1]:.3f}")
        rows: list[RenderableType] = [shown] if shown.row_count else []
        if self._records and self._records[-1].actions:
            mix = "  ".join(f"{verb} {share:.2f}" for verb, share in self._records[-1].actions.items())
            rows.append(Text(f"actions  {mix}"))
        counts = f", {self._counts.line()}" if self._counts.total else ""
        return Group(*rows, Text(f"{self._now}{counts}", style="bold"))

    def __enter__(self) -> LiveCurves:
        self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._live.stop()


@contextmanager
def curves(out: TextIO) -> Iterator[PlainCurves | LiveCurves]:
    """The watcher of a training that suits `out`."""
    if not out.isatty():
        yield PlainCurves(out)
        return
    with LiveCurves(out) as live:
        yield live
