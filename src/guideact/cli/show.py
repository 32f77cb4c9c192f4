"""Writing to the terminal: results to stdout, everything else to stderr."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

PIPED_WIDTH = 120
"""Columns of a table that goes to a file or another program."""


def say(text: str) -> None:
    """A line of the result."""
    sys.stdout.write(f"{text}\n")


def show(table: RenderableType) -> None:
    """A table of the result."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else PIPED_WIDTH).print(table)


def note(text: str) -> None:
    """A line for whoever watches; on stderr, so that stdout can be piped."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def complain(text: str) -> None:
    """An error: one line, red on a terminal."""
    note(f"\x1b[31m{text}\x1b[0m" if sys.stderr.isatty() else text)
