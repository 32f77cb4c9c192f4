"""G: how close the guide an agent wrote comes to the reference guides, as MAG (arXiv 2607.10079) defines it.

    G = (BLEU-1 + BLEU-2 + ROUGE-1 + ROUGE-L) / 4,  each in 0..1

computed per task on the agent's guide sentences joined together, against the gold sentences joined together.

    BLEU-N  = BP * exp(1/N * sum over n=1..N of log p_n), of one text; p_n with counts clipped at the largest count in
              any reference, BP from the reference length nearest to the guide's (the shorter one of two equally near)
    ROUGE-1 = F1 of the overlap of tokens as multisets; the best of the references
    ROUGE-L = F1 of the longest common subsequence of tokens; the best of the references

What the paper leaves open is a field of `GuideScoring` and part of every signature. Orders of which a guide has no
n-gram at all are left out (sacrebleu's effective order): a guide of one token that equals its reference scores 1.
By default an order without any match makes BLEU-2 zero, as the formula says; smoothing is there for comparisons.
BLEU is computed here and not by sacrebleu because several thousand short texts are scored per run; the tests hold it to
sacrebleu's numbers.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from guideact.metrics.tokens import Tokeniser, tokenise
from guideact.types import Frozen

Smoothing = Literal["none", "floor", "add-k", "exp"]

CONSTANT_GUIDES = ("Click the button on the page.", "点击页面上的按钮。")
"""The sentences of the floor: one for each gold step, the same for every task, in the better of the two languages."""


class GuideScoring(Frozen):
    """The choices that change a guide score. Smoothing constants are sacrebleu's: 0.1 for floor, 1 for add-k."""

    tokeniser: Tokeniser = "words"
    lowercase: bool = True
    smoothing: Smoothing = "none"


DEFAULT_SCORING = GuideScoring()


@dataclass(frozen=True, slots=True)
class GuideScore:
    """The four scores of a text, each 0..1."""

    bleu1: float
    bleu2: float
    rouge1: float
    rouge_l: float

    @property
    def g(self) -> float:
        """Their mean, 0..1."""
        return (self.bleu1 + self.bleu2 + self.rouge1 + self.rouge_l) / 4


@dataclass(frozen=True, slots=True)
class _Text:
    """A tokenised text with what the scores count in it. `positions`: token -> bit set of where it occurs."""

    tokens: tuple[str, ...]
    ones: Counter[str]
    twos: Counter[tuple[str, str]]
    positions: dict[str, int]


@lru_cache(maxsize=16384)
def _read(text: str, scoring: GuideScoring) -> _Text:
    tokens = tokenise(text, scoring.tokeniser, lowercase=scoring.lowercase)
    positions: dict[str, int] = {}
    for index, token in enumerate(tokens):
        positions[token] = positions.get(token, 0) | 1 << index
    return _Text(tokens, Counter(tokens), Counter(itertools.pairwise(tokens)), positions)


def has_tokens(text: str, scoring: GuideScoring = DEFAULT_SCORING) -> bool:
    """Whether there is anything in the text to compare. A text of punctuation alone has no tokens."""
    return bool(_read(text, scoring).tokens)


def guide_score(text: str, references: Sequence[str], scoring: GuideScoring = DEFAULT_SCORING) -> GuideScore:
    """The four scores of `text` against one or more references; their order does not matter.

    A text without tokens scores 0. References without tokens are left out.

    Raises:
        ValueError: no reference has a token. Such a task has no G, which is not a G of 0.
    """
    read = [_read(reference, scoring) for reference in references]
    usable = [reference for reference in read if reference.tokens]
    if not usable:
        raise ValueError("a guide score needs a reference that has tokens")
    guide = _read(text, scoring)
    if not guide.tokens:
        return GuideScore(0.0, 0.0, 0.0, 0.0)
    bleu1, bleu2 = _bleu(guide, usable, scoring.smoothing)
    length = len(guide.tokens)
    rouge1 = max(2 * _overlap(guide.ones, other.ones) / (length + len(other.tokens)) for other in usable)
    rouge_l = max(2 * _common(guide.tokens, other) / (length + len(other.tokens)) for other in usable)
    return GuideScore(bleu1, bleu2, rouge1, rouge_l)


def concatenate(steps: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The whole-task references from the references of each step.

    Reference k joins the k-th sentence of every step; a step with fewer sentences starts again from its first. So there
    are as many references as the best provided step has sentences, and every sentence is in one of them. Steps without
    a sentence add nothing; no sentences at all give no references.
    """
    steps = [step for step in steps if step]
    count = max((len(step) for step in steps), default=0)
    return tuple(" ".join(step[k % len(step)] for step in steps) for k in range(count))


def ceiling(references: Sequence[str], scoring: GuideScoring = DEFAULT_SCORING) -> float | None:
    """G of a careful writer, 0..1: each reference scored against all the others, averaged.

    It stands one reference short of what a guide is scored against, so it is a little low. None where fewer than two
    references have tokens.
    """
    usable = [reference for reference in references if has_tokens(reference, scoring)]
    if len(usable) < 2:
        return None
    scores = [guide_score(text, usable[:k] + usable[k + 1 :], scoring).g for k, text in enumerate(usable)]
    return math.fsum(scores) / len(scores)


def floor(references: Sequence[str], steps: int, scoring: GuideScoring = DEFAULT_SCORING) -> float:
    """G of a guide that says the same thing at each of `steps` steps whatever the task (`CONSTANT_GUIDES`), 0..1.

    The better of the two languages counts.
    """
    return max(guide_score(" ".join([text] * max(1, steps)), references, scoring).g for text in CONSTANT_GUIDES)


def _bleu(guide: _Text, references: Sequence[_Text], smoothing: Smoothing) -> tuple[float, float]:
    length = len(guide.tokens)
    nearest = min((len(reference.tokens) for reference in references), key=lambda other: (abs(other - length), other))
    brevity = 1.0 if length >= nearest else math.exp(1 - nearest / length)
    ones = sum(min(count, max(r.ones[token] for r in references)) for token, count in guide.ones.items())
    if ones == 0:
        return 0.0, 0.0
    twos = sum(min(count, max(r.twos[pair] for r in references)) for pair, count in guide.twos.items())
    first = ones / length
    second = _second_precision(twos, length - 1, smoothing)
    bleu1 = brevity * first
    return bleu1, bleu1 if second is None else brevity * math.sqrt(first * second)


def _second_precision(matched: int, total: int, smoothing: Smoothing) -> float | None:
    """p_2, or None where the guide has no bigram and order 2 is therefore left out."""
    if smoothing == "add-k":
        return (matched + 1) / (total + 1)
    if total == 0:
        return None
    if matched == 0 and smoothing == "exp":
        return 1 / (2 * total)
    if matched == 0 and smoothing == "floor":
        return 0.1 / total
    return matched / total


def _overlap(one: Counter[str], other: Counter[str]) -> int:
    return sum(min(count, other[token]) for token, count in one.items())


def _common(tokens: Sequence[str], other: _Text) -> int:
    """Length of the longest common subsequence, a row of the dynamic programme at a time as the bits of one integer.

    Hyyrö's form of the bit-parallel recurrence: a zero bit is a column at which the row rises by one.
    """
    full = (1 << len(other.tokens)) - 1
    row = full
    for token in tokens:
        matches = row & other.positions.get(token, 0)
        row = ((row + matches) | (row - matches)) & full
    return (full ^ row).bit_count()
