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
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeVar

from guideact.metrics.tokens import Tokeniser, tokenise
from guideact.types import Frozen

T = TypeVar("T", bound=Hashable)
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


@dataclass(frozen=True)
class TokenText:
    """A tokenised text with what the scores count in it."""

    tokens: tuple[str, ...]
    ones: Counter[str]
    twos: Counter[tuple[str, str]]

    @cached_property
    def positions(self) -> dict[str, int]:
        """Token -> where it occurs, as the bits of an integer. Of references alone: a guide can be very long."""
        found: dict[str, int] = {}
        for index, token in enumerate(self.tokens):
            found[token] = found.get(token, 0) | 1 << index
        return found


def read_text(text: str, scoring: GuideScoring = DEFAULT_SCORING) -> TokenText:
    """Tokenise a text once, to score it several times with `score_texts`."""
    tokens = tokenise(text, scoring.tokeniser, lowercase=scoring.lowercase)
    return TokenText(tokens, Counter(tokens), Counter(itertools.pairwise(tokens)))


@dataclass(frozen=True, slots=True)
class References:
    """Tokenised references, those without tokens left out. `ones`, `twos`: the largest count in any of them."""

    texts: tuple[TokenText, ...]
    ones: Counter[str]
    twos: Counter[tuple[str, str]]


def read_references(references: Sequence[str], scoring: GuideScoring = DEFAULT_SCORING) -> References:
    """Tokenise references once, to score several texts against them with `score_texts`."""
    return gather([read_text(reference, scoring) for reference in references])


def gather(texts: Iterable[TokenText]) -> References:
    """Texts that have been tokenised, as references."""
    usable = tuple(text for text in texts if text.tokens)
    ones: Counter[str] = Counter()
    twos: Counter[tuple[str, str]] = Counter()
    for text in usable:
        ones |= text.ones
        twos |= text.twos
    return References(usable, ones, twos)


def has_tokens(text: str, scoring: GuideScoring = DEFAULT_SCORING) -> bool:
    """Whether there is anything in the text to compare. A text of punctuation alone has no tokens."""
    return bool(tokenise(text, scoring.tokeniser, lowercase=scoring.lowercase))


def guide_score(text: str, references: Sequence[str], scoring: GuideScoring = DEFAULT_SCORING) -> GuideScore:
    """The four scores of `text` against one or more references; their order does not matter.

    A text without tokens scores 0. References without tokens are left out.

    Raises:
        ValueError: no reference has a token. Such a task has no G, which is not a G of 0.
    """
    return score_texts(read_text(text, scoring), read_references(references, scoring), scoring.smoothing)


def score_texts(guide: TokenText, references: References, smoothing: Smoothing = "none") -> GuideScore:
    """`guide_score` of texts that have been tokenised."""
    if not references.texts:
        raise ValueError("a guide score needs a reference that has tokens")
    matched = _overlap(guide.ones, references.ones)
    if matched == 0:
        return GuideScore(0.0, 0.0, 0.0, 0.0)
    bleu1, bleu2 = _bleu(guide, references, matched, smoothing)
    length = len(guide.tokens)
    rouge1 = max(2 * _overlap(guide.ones, other.ones) / (length + len(other.tokens)) for other in references.texts)
    rouge_l = max(2 * _common(guide.tokens, other) / (length + len(other.tokens)) for other in references.texts)
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
    usable = [text for text in (read_text(reference, scoring) for reference in references) if text.tokens]
    if len(usable) < 2:
        return None
    others = [gather(usable[:k] + usable[k + 1 :]) for k in range(len(usable))]
    scores = [score_texts(text, other, scoring.smoothing).g for text, other in zip(usable, others, strict=True)]
    return math.fsum(scores) / len(scores)


def floor(references: Sequence[str], steps: int, scoring: GuideScoring = DEFAULT_SCORING) -> float:
    """G of a guide that says the same thing at each of `steps` steps whatever the task (`CONSTANT_GUIDES`), 0..1.

    The better of the two languages counts.
    """
    against = read_references(references, scoring)
    constants = (read_text(" ".join([text] * max(1, steps)), scoring) for text in CONSTANT_GUIDES)
    return max(score_texts(text, against, scoring.smoothing).g for text in constants)


def _bleu(guide: TokenText, references: References, matched: int, smoothing: Smoothing) -> tuple[float, float]:
    """BLEU-1 and BLEU-2 of a guide that has `matched` > 0 tokens in common with its references."""
    length = len(guide.tokens)
    nearest = min((len(text.tokens) for text in references.texts), key=lambda other: (abs(other - length), other))
    brevity = 1.0 if length >= nearest else math.exp(1 - nearest / length)
    first = matched / length
    second = _second_precision(_overlap(guide.twos, references.twos), length - 1, smoothing)
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


def _overlap(one: Counter[T], other: Counter[T]) -> int:
    counts = other.get
    return sum(min(count, counts(token, 0)) for token, count in one.items())


def _common(tokens: Sequence[str], other: TokenText) -> int:
    """Length of the longest common subsequence, a row of the dynamic programme at a time as the bits of one integer.

    Hyyrö's form of the bit-parallel recurrence: a zero bit is a column at which the row rises by one.
    """
    full = (1 << len(other.tokens)) - 1
    row, positions = full, other.positions
    for token in tokens:
        if token in positions:
            matches = row & positions[token]
            row = ((row + matches) | (row - matches)) & full
    return (full ^ row).bit_count()
