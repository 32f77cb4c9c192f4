"""Two arms over the same tasks: is the difference real, and would it pay to have both?

Every test says what it takes for independent. The sign-flip test and the paired bootstrap (`bootstrap.ratio_interval`)
take templates; McNemar's takes tasks, and is too sure of itself where tasks of one template go together.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from guideact.stats.bootstrap import DEFAULT_RESAMPLING, SAME, Resampling
from guideact.types import Frozen

ENUMERATED = 20
"""Up to so many clusters with a difference, all 2^m sign patterns are gone through."""


class SignFlip(Frozen):
    """A two-sided p-value. `clusters` counts those with a difference: the others cannot matter.

    `patterns` were looked at: all there are where `exact`, else drawn ones.
    """

    p: float
    clusters: int
    exact: bool
    patterns: int


class HeadRoom(Frozen):
    """What a perfect choice between two runs would gain over the better one, as shares of `n` tasks.

    `room` = `either` - `best`: |A or B| - max(|A|, |B|), divided by n.
    """

    n: int
    either: float
    best: float
    room: float


def sign_flip(differences: Iterable[tuple[str, float]], resampling: Resampling = DEFAULT_RESAMPLING) -> SignFlip:
    """Test that the arms are exchangeable within a cluster, from (cluster, difference of a task) pairs.

    The statistic is the absolute sum of all differences; under the null hypothesis the sum of each cluster is as likely
    to have the other sign. Exact by enumeration up to 20 clusters with a difference. Beyond, `resampling.resamples`
    patterns are drawn from `numpy.random.default_rng(seed)` and p = (1 + those as extreme) / (1 + those drawn). With no
    difference at all p = 1.
    """
    grouped: dict[str, list[float]] = {}
    for cluster, difference in differences:
        grouped.setdefault(cluster, []).append(difference)
    sums = [math.fsum(grouped[cluster]) for cluster in sorted(grouped)]
    sums = [total for total in sums if abs(total) > SAME]
    if not sums:
        return SignFlip(p=1.0, clusters=0, exact=True, patterns=1)
    import numpy as np

    seen = abs(math.fsum(sums)) - 1e-9 * math.fsum(abs(total) for total in sums)
    if len(sums) <= ENUMERATED:
        patterns = np.zeros(1)
        for total in sums:
            patterns = np.concatenate((patterns + total, patterns - total))
        p = float(np.mean(np.abs(patterns) >= seen))
        return SignFlip(p=p, clusters=len(sums), exact=True, patterns=len(patterns))
    flips = np.random.default_rng(resampling.seed).integers(0, 2, (resampling.resamples, len(sums))) * 2 - 1
    extreme = int(np.count_nonzero(np.abs((flips * np.array(sums)).sum(axis=1)) >= seen))
    p = (1 + extreme) / (1 + resampling.resamples)
    return SignFlip(p=p, clusters=len(sums), exact=False, patterns=resampling.resamples)


def mcnemar(won: int, lost: int) -> float:
    """McNemar's exact two-sided p-value: of the tasks that one arm alone solved, half would be either's by chance.

    It ignores clusters.
    """
    tail = sum(math.comb(won + lost, k) for k in range(min(won, lost) + 1))
    return min(1.0, 2 * tail / (1 << (won + lost)))


def head_room(a: Mapping[str, bool], b: Mapping[str, bool]) -> HeadRoom | None:
    """The head-room of two runs, task -> solved, over the tasks that both have; None without a common task."""
    tasks = a.keys() & b.keys()
    if not tasks:
        return None
    either = sum(a[task] or b[task] for task in tasks)
    best = max(sum(a[task] for task in tasks), sum(b[task] for task in tasks))
    n = len(tasks)
    return HeadRoom(n=n, either=either / n, best=best / n, room=(either - best) / n)


def mean_head_room(pairs: Iterable[tuple[Mapping[str, bool], Mapping[str, bool]]]) -> HeadRoom | None:
    """The head-room averaged over pairs of runs; None without a pair that has a common task. `n` is the smallest."""
    rooms = [room for room in (head_room(a, b) for a, b in pairs) if room is not None]
    if not rooms:
        return None
    either = math.fsum(room.either for room in rooms) / len(rooms)
    best = math.fsum(room.best for room in rooms) / len(rooms)
    room = math.fsum(room.room for room in rooms) / len(rooms)
    return HeadRoom(n=min(room.n for room in rooms), either=either, best=best, room=room)
