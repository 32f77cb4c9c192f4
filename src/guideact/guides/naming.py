"""Does a sentence say what must be found? Choosing among several that do, and adding what one leaves out."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.guides.around import fold
from guideact.guides.draft import kind_of
from guideact.types import Verb

_QUOTED = re.compile(r"[“「\"]([^”」\"]+)[”」\"]")
_LONGEST = 100
"""Characters of a name that a sentence can quote whole."""


def naming(references: Sequence[str], name: str, value: str) -> str:
    """Of several sentences for one step, the first of those that say most of what must be found: target and value."""

    def says(sentence: str) -> int:
        said = fold(sentence)
        return sum(bool(wanted) and fold(wanted) in said for wanted in (name, value))

    return max(references, key=says)


def names(sentence: str, name: str) -> bool:
    """Whether a sentence quotes a name, or the beginning of one that is long or counts something ("Fork 0")."""
    wanted = fold(name)
    if wanted and wanted in fold(sentence):
        return True
    for quoted in _QUOTED.findall(sentence):
        start = fold(quoted)
        if len(start) > 2 and wanted.startswith(start) and not wanted[len(start) : len(start) + 1].isalnum():
            return True
    return False


def complete(sentence: str, verb: Verb, role: str, name: str, value: str, language: str = "en") -> str:
    """The sentence with its target and its value added in brackets, where it says neither in so many words.

    A guide is followed by people who do not know what the writer saw: "Open the company in that row" names nothing.
    """
    missing = []
    if verb in ("type", "select") and value and fold(value) not in fold(sentence) and "\n" not in value:
        missing.append(f"“{value}”")
    if role and name and not names(sentence, name):
        kind = kind_of(role, language, verb)
        short = name if len(name) <= _LONGEST else name[:_LONGEST].rsplit(" ", 1)[0]
        if language.startswith("zh"):
            missing.append(f"{kind}“{short}”")
        else:
            missing.append(("in the " if missing else "the ") + f"{kind} “{short}”")
    if not missing:
        return sentence
    body, end = (sentence[:-1], sentence[-1]) if sentence[-1:] in ".!。！" else (sentence, "")
    return f"{body} ({' '.join(missing)}){end}"
