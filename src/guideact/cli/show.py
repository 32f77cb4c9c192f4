"""Writing to the terminal: results to stdout, everything else to stderr.

What is written may quote pages, models and files of others, so none of it can steer the terminal.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

PIPED_WIDTH = 120
"""Columns of a table that goes to a file or another program."""

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with control characters (but newline and tab) and lone surrogates as visible escapes.

    They are written as JSON writes them, so that a line of JSON still says the same.
    """
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def say(text: str) -> None:
    """A line of the result."""
    sys.stdout.write(f"{clean(text)}\n")


def show(table: RenderableType) -> None:
    """A table of the result."""
    from rich.console import Console
    from rich.segment import Segment, Segments

    console = Console(width=None if sys.stdout.isatty() else PIPED_WIDTH)
    # Segments hold the text apart from the colours, which are ours and stay.
    written = (Segment(clean(part.text), part.style, part.control) for part in console.render(table))
    lines: list[Segment] = []
    for line in Segment.split_lines(written):
        # Cells are filled up with blanks, which would wrap in a narrower window and be copied along.
        while line and not line[-1].text.strip():
            line.pop()
        if line:
            last = line.pop()
            line.append(Segment(last.text.rstrip(), last.style, last.control))
        lines += [*line, Segment.line()]
    with console.capture() as printed:
        console.print(Segments(lines))
    # By ourselves: rich would end the program with an error where a reader such as `head` has read enough.
    sys.stdout.write(printed.get())


@contextmanager
def resumable(place: object) -> Iterator[None]:
    """Around work that the same command goes on with in `place`, which whoever stops it is told."""
    try:
        yield
    except KeyboardInterrupt:
        raise KeyboardInterrupt(f"The same command goes on with {place}.") from None


def note(text: str) -> None:
    """A line for whoever watches; on stderr, so that stdout can be piped."""
    _tell(clean(text))


def complain(text: str) -> None:
    """An error: one line, red on a terminal."""
    _tell(f"\x1b[31m{clean(text)}\x1b[0m" if sys.stderr.isatty() else clean(text))


def _tell(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
