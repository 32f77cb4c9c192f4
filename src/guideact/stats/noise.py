"""The noise floor: how far a number moves from one run to the next with nothing changed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from guideact.types import Frozen


class NoiseFloor(Frozen):
    """`repeats`: the number in each repeat; `sd`: its standard deviation from one repeat to the next, same tasks.

    `n` tasks have two or more attempts; the others cannot say anything.
    """

    n: int
    repeats: tuple[float, ...]
    sd: float


def noise_floor(attempts: Mapping[str, Mapping[int, float]]) -> NoiseFloor | None:
    """From task -> {repeat: value}; None where no task has two attempts.

    The standard deviation is not taken over the few repeats but from within the tasks, which are many: the number of a
    repeat is a mean over n tasks, so its variance is the sum of the tasks' own unbiased variances divided by n squared.
    """
    tasks = {task: values for task, values in attempts.items() if len(values) >= 2}
    if not tasks:
        return None
    repeats: dict[int, list[float]] = {}
    for values in tasks.values():
        for repeat, value in values.items():
            repeats.setdefault(repeat, []).append(value)
    variance = math.fsum(_variance(list(values.values())) for values in tasks.values())
    means = tuple(math.fsum(repeats[repeat]) / len(repeats[repeat]) for repeat in sorted(repeats))
    return NoiseFloor(n=len(tasks), repeats=means, sd=math.sqrt(variance) / len(tasks))


def _variance(values: Sequence[float]) -> float:
    mean = math.fsum(values) / len(values)
    return math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1)
