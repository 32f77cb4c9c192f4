"""Two texts side by side: the lines that differ, a little of what is around them, and the words that changed."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass

from markupsafe import Markup, escape

__all__ = ["Line", "compare"]

_AROUND = 1


@dataclass(frozen=True)
class Line:
    """A row of the comparison. `kind`: same, changed, removed, added, gap. Sides that are not there are None."""

    kind: str
    old: Markup | None
    new: Markup | None
    old_number: int
    new_number: int


def compare(old: str, new: str) -> list[Line]:
    """The rows of the comparison; empty where the texts are the same."""
    before, after = _lines(old), _lines(new)
    made: list[Line] = []
    for group in difflib.SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(_AROUND):
        made.append(Line("gap", None, None, group[0][1] + 1, group[0][3] + 1))
        for tag, a, b, c, d in group:
            if tag == "equal":
                made += [
                    Line("same", escape(text), escape(text), a + at + 1, c + at + 1)
                    for at, text in enumerate(before[a:b])
                ]
                continue
            for at in range(max(b - a, d - c)):
                left = before[a + at] if a + at < b else None
                right = after[c + at] if c + at < d else None
                if left is not None and right is not None:
                    was, now = _words(left, right)
                    made.append(Line("changed", was, now, a + at + 1, c + at + 1))
                elif left is not None:
                    made.append(Line("removed", Markup("<del>{}</del>").format(left), None, a + at + 1, 0))
                elif right is not None:
                    made.append(Line("added", None, Markup("<ins>{}</ins>").format(right), 0, c + at + 1))
    return made


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.strip()]


def _words(old: str, new: str) -> tuple[Markup, Markup]:
    before, after = re.findall(r"\w+|\W", old), re.findall(r"\w+|\W", new)
    was, now = Markup(""), Markup("")
    for tag, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        left, right = "".join(before[a:b]), "".join(after[c:d])
        if tag == "equal":
            was += escape(left)
            now += escape(right)
            continue
        if left:
            was += Markup("<del>{}</del>").format(left)
        if right:
            now += Markup("<ins>{}</ins>").format(right)
    return was, now
