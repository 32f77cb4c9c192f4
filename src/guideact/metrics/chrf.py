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
from functools import lru_cache

ORDER = 6
BETA = 2


def chrf(text: str, references: Sequence[str]) -> float:
    """chrF of a text, 0..1, against the best of its references.

    Raises:
        ValueError: there is no reference with a character in it.
    """
    usable = [grams for grams in map(_grams, references) if grams[0]]
    if not usable:
        raise ValueError("chrF needs a reference that has characters")
    own = _grams(text)
    return max(_score(own, reference) for reference in usable)


def _score(own: tuple[Counter[str], ...], other: tuple[Counter[str], ...]) -> float:
    precision = recall = 0.0
    orders = 0
    for ours, theirs in zip(own, other, strict=True):
        if not ours or not theirs:
            continue
        orders += 1
        matched = sum(min(count, theirs[gram]) for gram, count in ours.items() if gram in theirs)
        precision += matched / ours.total()
        recall += matched / theirs.total()
    if precision + recall == 0:
        return 0.0
    precision, recall = precision / orders, recall / orders
    return (1 + BETA**2) * precision * recall / (BETA**2 * precision + recall)


@lru_cache(maxsize=4096)
def _grams(text: str) -> tuple[Counter[str], ...]:
    characters = "".join(unicodedata.normalize("NFKC", text).lower().split())
    return tuple(
        Counter(characters[at : at + order] for at in range(len(characters) - order + 1))
        for order in range(1, ORDER + 1)
    )
