"""Guide scores step by step, which a joined text cannot give: it does not see whether a sentence comes at its step.

Predicted and gold steps are aligned in order: each predicted step is paired with at most one gold step and the other
way round, and pairs do not cross. Among all such alignments the one with the largest sum of G over its pairs is taken.
It is found by dynamic programming over prefixes, as a longest common subsequence is, with a weight instead of a match:

    best[i][j] = max(best[i-1][j], best[i][j-1], best[i-1][j-1] + G(predicted i, gold j))

    score = 2 * best[P][N] / (P + N)

with P predicted and N gold sentences. This is an F1 over steps in which a pair counts as much as its sentences agree:
1 only where each gold step has its own identical sentence in its place; a missing and a superfluous sentence cost the
same.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from guideact.metrics.guide import DEFAULT_SCORING, GuideScoring, read_references, read_text, score_texts


@dataclass(frozen=True, slots=True)
class Alignment:
    """`pairs`: (predicted index, gold index, G of the pair), in order; pairs worth nothing are left out.

    The indexes count all the sequences given, including the empty ones that took no part. `score` is 0..1.
    """

    score: float
    pairs: tuple[tuple[int, int, float], ...]


def align(
    predicted: Sequence[str], gold: Sequence[Sequence[str]], scoring: GuideScoring = DEFAULT_SCORING
) -> Alignment:
    """Align guide sentences with the references of the gold steps.

    A predicted step without a sentence is no step of the guide and is left out, as it is when sentences are joined; so
    are gold steps without a reference.

    Raises:
        ValueError: no gold step has a reference with tokens.
    """
    guides = [read_text(text, scoring) for text in predicted]
    references = [read_references(step, scoring) for step in gold]
    said = [index for index, guide in enumerate(guides) if guide.tokens]
    asked = [index for index, step in enumerate(references) if step.texts]
    if not asked:
        raise ValueError("aligning needs a gold step whose references have tokens")
    worth = [[score_texts(guides[i], references[j], scoring.smoothing).g for j in asked] for i in said]
    best = [[0.0] * (len(asked) + 1) for _ in range(len(said) + 1)]
    for i, row in enumerate(worth, start=1):
        for j, g in enumerate(row, start=1):
            best[i][j] = max(best[i - 1][j], best[i][j - 1], best[i - 1][j - 1] + g)
    pairs: list[tuple[int, int, float]] = []
    i, j = len(said), len(asked)
    while i and j:
        if best[i][j] == best[i - 1][j]:
            i -= 1
        elif best[i][j] == best[i][j - 1]:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((said[i], asked[j], worth[i][j]))
    pairs.reverse()
    total = math.fsum(g for _, _, g in pairs)
    return Alignment(2 * total / (len(said) + len(asked)), tuple(pairs))
