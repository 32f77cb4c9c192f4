"""How solvers match words and places: what fits a name, and what stands near a text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from guideact.types import Box, Candidate, Observation

_CUT = "…"
"""What ends the words of a row that go on."""
_BEGINNING = 12
"""Letters of a text that tell it from others, where a row is cut within it."""


def fold(text: str) -> str:
    """Case, width, kinds of quotes and white space taken away, for finding things by their words."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'").replace("‘", "'")
    return re.sub(r"\s+", " ", text).strip().casefold()


def distance(a: Box, b: Box) -> float:
    """How far apart two boxes stand, by their centres; another line counts for more than another column."""
    (ax, ay), (bx, by) = a.centre, b.centre
    return abs(ax - bx) + 4 * abs(ay - by)


def same_row(a: Box, b: Box) -> bool:
    """Whether the centre of the lower of two boxes lies within the height of the other."""
    return abs(a.centre[1] - b.centre[1]) < max(a.height, b.height) / 2


def gap(a: Box, b: Box) -> float:
    """Horizontal space between two boxes; 0 where one is above the other."""
    return max(0.0, b.x - (a.x + a.width), a.x - (b.x + b.width))


def _above(a: Box, b: Box) -> bool:
    """Whether a box ends before another begins."""
    return a.y + a.height <= b.y


def fits(words: Sequence[str], name: str) -> int | None:
    """How well a thing with these words fits a name: 0 the same, 1 begins with it, 2 holds it, None not at all."""
    wanted = fold(name)
    ranks = []
    for word in map(fold, words):
        if word == wanted:
            ranks.append(0)
        elif word.startswith(wanted):
            ranks.append(1)
        elif wanted in word:
            ranks.append(2)
    return min(ranks, default=None)


def nearest(found: Sequence[Candidate], text: str, anchors: Sequence[Box], seen: Observation) -> list[Candidate]:
    """Those of the candidates that a text is about: the ones in whose row it is written, then the closest to `anchors`,
    which are where the text stands, of those whose row is not known to its end. None where the text is nowhere."""
    if not anchors:
        return []
    placed = [(one, _says(one.locator.row, text)) for one in found]
    if _written(text, seen):
        # Of a row that is cut the head is kept: what the rest of it says has its controls beside it or below.
        placed = [
            (one, said)
            for one, said in placed
            if said or (said is None and not (one.locator.row and all(_above(one.box, at) for at in anchors)))
        ]
    placed.sort(key=lambda each: (not each[1], min(distance(each[0].box, anchor) for anchor in anchors)))
    return [one for one, _ in placed]


def _says(row: str, text: str) -> bool | None:
    """Whether a text is written in a row (`Locator.row`); None where that is not known: no row, or one that is cut."""
    words, wanted = fold(row), fold(text)
    if wanted in words:
        return True
    # What heads a row is cut for itself, so that there may be a second end.
    *kept, _ = row.split(_CUT)
    if not kept:
        return False if row else None
    # A text that is longer than what is left of the row is cut with it.
    starts = tuple(wanted[:n] for n in range(_BEGINNING, len(wanted)))
    return True if any(fold(part).endswith(starts) for part in kept) else None


def _written(text: str, seen: Observation) -> bool:
    """Whether a row that holds a text says so: names that are not shown and what fields hold stand in none."""
    wanted = fold(text)
    shown = [line.text for line in seen.texts] + [one.text for one in seen.candidates]
    return any(wanted in fold(words) for words in shown)
