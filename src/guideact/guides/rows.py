"""Telling apart what bears the same name: by what is written in its row.

A row is the largest part of the page that holds none of the others, with what heads it (`Locator.row`). A sentence says
which one is meant by quoting something of it ("Press “Approve” under “Free pecans”"); a guide also remembers what the
row said.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.guides.around import fold
from guideact.guides.guide import GuideStep
from guideact.types import Observation

TELLING = 0.6
"""Of the words by which a row was told from those in view, as many have to be there for it to be the same row."""
_QUOTED = re.compile(r"[“「\"]([^”」\"]+)[”」\"]")


def quoted(step: GuideStep) -> tuple[str, ...]:
    """What the sentence quotes of the row of its target, folded; its target's name and its value are none of that.

    Where the guide does not know the row, that is all else that it quotes.
    """
    target = step.target
    if target is None:
        return ()
    own = (fold(target.name), fold(target.text), fold(step.value))
    said = dict.fromkeys(fold(text).rstrip(".…") for text in _QUOTED.findall(step.sentence))
    others = [text for text in said if text and not any(text in mine for mine in own)]
    row = fold(target.row)
    return tuple(text for text in others if not row or _says(row, text))


def share(said: tuple[str, ...], row: str) -> float:
    """The share of what is quoted that a row holds, 0..1; 0 where nothing is quoted."""
    words = fold(row)
    return sum(_says(words, text) for text in said) / len(said) if said else 0.0


def heard(step: GuideStep, seen: Observation) -> frozenset[str]:
    """What of the quoted is written anywhere in view."""
    said = quoted(step)
    if not said:
        return frozenset()
    texts = [fold(line.text) for line in seen.texts]
    texts += [fold(text) for c in seen.candidates for text in (c.name, c.text, c.locator.row)]
    return frozenset(quote for quote in said if any(_says(text, quote) for text in texts))


def of_another(step: GuideStep, row: str) -> bool:
    """Whether a row is another one for sure: it holds nothing of what the sentence quotes of its target's."""
    said = quoted(step)
    return bool(row and said and step.target is not None and step.target.row) and share(said, row) == 0


def heard_share(said: tuple[str, ...], known: frozenset[str]) -> float:
    """The share of what is quoted that was heard."""
    return sum(text in known for text in said) / len(said) if said else 0.0


def likeness(old: str, new: str) -> float:
    """How far two rows say the same, 0..1: twice the words in both over all words."""
    one, other = _words(old), _words(new)
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def same(old: str, new: str, others: Sequence[str]) -> bool:
    """Whether a row is surely the one it was: word for word, or by the words that not all `others` have, too."""
    if fold(old) == fold(new):
        return True
    if not others:
        return False
    telling = _words(old) - frozenset.intersection(*(_words(row) for row in (new, *others)))
    return bool(telling) and len(telling & _words(new)) >= TELLING * len(telling)


def numbered(name: str) -> bool:
    """Whether a name is told from others of its kind by a number ("Revision 3")."""
    return re.search(r"\d", name) is not None


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", fold(text)))


def _says(words: str, text: str) -> bool:
    """Whether folded words hold a folded text, from word to word."""
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", words) is not None
