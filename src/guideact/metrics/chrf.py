"""chrF: F-score of character n-grams (Popovic 2015, "chrF: character n-gram F-score for automatic MT evaluation").

    chrF = (1 + b^2) P R / (b^2 P + R)      b = 2; P and R are means over n = 1..6 of the n-grams' precision and recall

White space is left out; orders of which the text or the reference has no n-gram at all are left out of the means
(sacrebleu's effective order). With several references the best one counts. Text is NFKC and lower case, as in the other
guide scores; everything else is a character like any other, so Chinese is exact. The tests hold it to sacrebleu.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

ORDER = 6
BETA = 2


def chrf(text: str, references: Sequence[str]) -> float:
    """chrF of a text, 0..1, against the best of its references.

    Raises:
        ValueError: there is no reference with a character in it.
    """
    usable = [grams for grams in map(_read, references) if grams.length]
    if not usable:
        raise ValueError("chrF needs a reference that has characters")
    own = _read(text)
    return max(_score(own, reference) for reference in usable)


@dataclass(frozen=True, slots=True)
class _Grams:
    """How often each n-gram of a text occurs, all orders together: those of different lengths never meet."""

    length: int
    """Characters."""
    counts: Counter[str]


def _score(own: _Grams, other: _Grams) -> float:
    orders = min(own.length, other.length, ORDER)
    matched = [0] * (ORDER + 1)
    theirs = other.counts
    for gram, count in own.counts.items():
        if gram in theirs:
            matched[len(gram)] += min(count, theirs[gram])
    precision = recall = 0.0
    for order in range(1, orders + 1):
        precision += matched[order] / (own.length - order + 1)
        recall += matched[order] / (other.length - order + 1)
    if precision + recall == 0:
        return 0.0
    precision, recall = precision / orders, recall / orders
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


@lru_cache(maxsize=4096)
def _read(text: str) -> _Grams:
    characters = "".join(unicodedata.normalize("NFKC", text).lower().split())
    length = len(characters)
    return _Grams(
        length,
        Counter(
            [characters[at : at + order] for order in range(1, ORDER + 1) for at in range(length - order + 1)],
        ),
    )
