"""Files of JSON lines, as text."""

from __future__ import annotations

from collections.abc import Iterator


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines that are not blank, each with its number, counted from 1.

    Not `str.splitlines`, which also breaks at U+2028 and its like: a string of JSON may hold these as they are.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line
