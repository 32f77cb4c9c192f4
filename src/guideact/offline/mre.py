"""The mutual reinforcement effect: does learning to act and to guide together make both better?

    gain(side) = the joint arm's score on that side, less the score of the arm that learned that side alone

on both sides: action (element, whole action) and guide (G, chrF). Each is a mean over seeds at every step, then paired
step by step, templates resampled. The strict rule of the wider literature: it counts only where *both* sides gain.

| verdict | action side | guide side |
|---|---|---|
| reinforcement | interval above 0 | interval above 0 |
| interference | interval below 0 | interval below 0 |
| trade-off | one interval above 0, the other below | |
| one side gains / one side loses | one interval off 0, the other holds it: no reinforcement | |
| inconclusive | both hold 0 | |

*Smallest detectable effect*: 2.80 standard errors of the paired difference, which a two-sided test at 5 % finds four
times in five. An interval that holds 0 says nothing about effects smaller than that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.offline.measure import StepScore, measure
from guideact.offline.predictions import Predictions
from guideact.offline.score import OfflineSignature, check, gold_of, macro_rows, micro_rows, rounded_as, sign
from guideact.stats import Estimate, Resampling, ratio_interval
from guideact.stats.bootstrap import DIFFERENCE, SAME
from guideact.types import Frozen

SIDES = {
    "action": ("element", "element@25", "action", "action@25"),
    "guide": ("g", "chrf"),
}
"""The first score of a side that applies decides the verdict."""

POWER = 2.80
"""Standard errors that a two-sided test at 5 % detects with a power of 80 %: 1.960 + 0.842."""

ASKED = {
    "grounding": "--grounding",
    "history": "--history",
    "tasks_sha256": "their tasks (--tasks, --limit)",
    "images": "--screenshots",
}
"""What runs whose arms are compared must have in common: fields of their headers, and the flags."""


class Gain(Frozen):
    """The joint arm against the single one, in one score."""

    side: str
    name: str
    joint: float
    single: float
    gain: Estimate
    """Micro."""
    macro_gain: Estimate
    by_seed: tuple[float, ...]
    """Micro, seed by seed; the runs are paired in the order in which they were given."""
    detectable: float | None
    """The smallest detectable effect, as a difference; None where there is no interval."""


class Mre(Frozen):
    """The effect and what may be said of it."""

    signature: OfflineSignature
    joint: str
    seeds: int
    gains: tuple[Gain, ...]
    verdict: str

    def gain(self, name: str) -> Gain | None:
        return next((each for each in self.gains if each.name == name), None)


def mre(
    dataset: Dataset,
    joint: Sequence[Predictions],
    action: Sequence[Predictions],
    guide: Sequence[Predictions],
    resampling: Resampling | None = None,
    smallest: Mapping[str, float] | None = None,
) -> Mre:
    """The effect from runs of the joint arm and of both single ones, a run a seed.

    `smallest`: score -> the effect below which a study has said beforehand that it concludes nothing.

    Raises InputError where arms are mixed up, or the numbers of seeds differ.
    """
    resampling = resampling or Resampling()
    arms = {run.header.arm for run in joint}
    if len(arms) != 1 or not arms <= {"guide-action", "action-guide"}:
        raise InputError("--joint wants runs of one arm: guide-action or action-guide", fix="Give others.")
    for name, runs in (("action", action), ("guide", guide)):
        if any(run.header.arm != name for run in runs):
            raise InputError(f"--{name} wants runs of the arm {name}", fix="Give others.")
        if len(runs) != len(joint):
            raise InputError(
                f"{len(joint)} joint runs and {len(runs)} of the arm {name}", fix="Give one a seed of each."
            )
    runs = [*joint, *action, *guide]
    for name, told in ASKED.items():
        if len({getattr(run.header, name) for run in runs}) > 1:
            raise InputError(
                f"the runs differ in {told}, and not in their arm alone", fix="Give runs that were asked the same way."
            )
    gold = gold_of(dataset, runs)
    measured: dict[str, list[tuple[StepScore, ...]]] = {}
    for name, runs in (("joint", joint), ("action", action), ("guide", guide)):
        for run in runs:
            check(gold, run)
            measured.setdefault(name, []).append(measure(gold, run))
    gains = tuple(
        found
        for side, names in SIDES.items()
        for name in names
        if (found := _gain(side, name, measured["joint"], measured[side], resampling)) is not None
    )
    result = Mre(
        signature=sign(gold, joint[0].header, resampling),
        joint=arms.pop(),
        seeds=len(joint),
        gains=gains,
        verdict=verdict(gains, smallest),
    )
    return rounded_as(Mre, result)


def verdict(gains: Sequence[Gain], smallest: Mapping[str, float] | None = None) -> str:
    """By the strict rule, from the first score of each side."""
    signs = []
    for side in SIDES:
        first = next((gain for gain in gains if gain.side == side), None)
        signs.append(0 if first is None else direction(first.gain, (smallest or {}).get(first.name, 0.0)))
    match tuple(sorted(signs)):
        case (1, 1):
            return "reinforcement"
        case (-1, -1):
            return "interference"
        case (-1, 1):
            return "trade-off"
        case (0, 1):
            return "one side gains"
        case (-1, 0):
            return "one side loses"
    return "inconclusive"


def direction(estimate: Estimate, smallest: float = 0.0) -> int:
    """1 for a gain, -1 for a loss, 0 where the interval holds 0 or the effect is smaller than `smallest`."""
    if estimate.value is None or estimate.low is None or estimate.high is None or abs(estimate.value) < smallest:
        return 0
    return 1 if estimate.low > 0 else -1 if estimate.high < 0 else 0


def _gain(
    side: str,
    name: str,
    joint: Sequence[Sequence[StepScore]],
    single: Sequence[Sequence[StepScore]],
    resampling: Resampling,
) -> Gain | None:
    ours, theirs = over_seeds(joint, name), over_seeds(single, name)
    keys = {step.key for step in ours} & {step.key for step in theirs}
    if not keys:
        return None
    ours = [step for step in ours if step.key in keys]
    theirs = [step for step in theirs if step.key in keys]
    gain = ratio_interval(micro_rows(ours, name), micro_rows(theirs, name), span=DIFFERENCE, resampling=resampling)
    return Gain(
        side=side,
        name=name,
        joint=mean_of(ours, name),
        single=mean_of(theirs, name),
        gain=gain,
        macro_gain=ratio_interval(
            macro_rows(ours, name), macro_rows(theirs, name), span=DIFFERENCE, resampling=resampling
        ),
        by_seed=tuple(
            mean_of(_of(one, keys), name) - mean_of(_of(other, keys), name)
            for one, other in zip(joint, single, strict=True)
        ),
        detectable=detectable(ours, theirs, name),
    )


def over_seeds(runs: Sequence[Sequence[StepScore]], name: str) -> list[StepScore]:
    """Each step with the mean of a score over the runs, where all of them have it."""
    found: dict[tuple[str, int], list[StepScore]] = {}
    for run in runs:
        for step in run:
            if name in step.scores:
                found.setdefault(step.key, []).append(step)
    return [
        StepScore(
            task=steps[0].task,
            index=steps[0].index,
            cluster=steps[0].cluster,
            scores={name: math.fsum(step.scores[name] for step in steps) / len(steps)},
            guide="",
            faults=(),
        )
        for key, steps in sorted(found.items())
        if len(steps) == len(runs)
    ]


def detectable(ours: Sequence[StepScore], theirs: Sequence[StepScore], name: str) -> float | None:
    """`POWER` linearised standard errors of the paired micro difference over clusters.

    None for one cluster, and where no cluster departs from the others: such a sample says nothing of the spread.
    """
    sums: dict[str, float] = {}
    counts: dict[str, int] = {}
    for a, b in zip(ours, theirs, strict=True):
        sums[a.cluster] = sums.get(a.cluster, 0.0) + a.scores[name] - b.scores[name]
        counts[a.cluster] = counts.get(a.cluster, 0) + 1
    total, clusters = len(ours), len(sums)
    if clusters < 2:
        return None
    mean = math.fsum(sums.values()) / total
    spread = math.fsum(((sums[c] - mean * counts[c]) / total) ** 2 for c in sums)
    return POWER * math.sqrt(clusters / (clusters - 1) * spread) if spread > SAME**2 else None


def _of(steps: Sequence[StepScore], keys: set[tuple[str, int]]) -> list[StepScore]:
    return [step for step in steps if step.key in keys]


def mean_of(steps: Sequence[StepScore], name: str) -> float:
    return math.fsum(step.scores[name] for step in steps) / len(steps)
