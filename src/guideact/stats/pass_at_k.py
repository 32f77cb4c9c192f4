"""pass@k: the chance that at least one of k attempts at a task succeeds, estimated without bias from n >= k attempts.

    pass@k = 1 - C(n - c, k) / C(n, k)       c of n attempts succeeded

(Chen et al. 2021, "Evaluating Large Language Models Trained on Code", arXiv 2107.03374.)
"""

from __future__ import annotations

from math import comb

REPORTED = (1, 2, 3, 4, 6, 8, 10, 16, 32, 64)
"""The k that are reported, as far as there are attempts."""


def pass_at_k(attempts: int, successes: int, k: int) -> float:
    """The unbiased estimate for one task, 0..1.

    Raises:
        ValueError: fewer than k attempts, k < 1, or more successes than attempts.
    """
    if not 1 <= k <= attempts:
        raise ValueError(f"pass@{k} cannot be estimated from {attempts} attempts")
    if not 0 <= successes <= attempts:
        raise ValueError(f"{successes} successes in {attempts} attempts")
    return 1 - comb(attempts - successes, k) / comb(attempts, k)
