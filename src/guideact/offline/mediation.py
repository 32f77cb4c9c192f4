"""How much of an action goes through the guide before it: the same steps with the guide replaced (`interventions`).

Over the steps that point at something and that every run has, with A(k) the element accuracy where guides of kind k
were forced, and A(own) that of the model's own guides:

    kept(k)   = (A(k) - A(none)) / (A(gold) - A(none))   of what the gold guide adds, the share that kind k still adds
    mediated  = (A(own) - A(other)) / A(own)             of what the model gets right with its own guide, the share that
                                                         is lost when the guide speaks of something else
    direct    = A(other) / A(own)                        the share that stays: what the page and the task say by
                                                         themselves; mediated + direct = 1

where `other` is `other-step`, or else `other-task`. A model that ignores guides has mediated = 0.

Beside each row stands a baseline that has learned nothing: it acts on the candidate whose words share most with the
guide (ties are split evenly). Matching words is no understanding, so only the excess over it is called learned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.metrics.gacs import overlaps
from guideact.offline.gold import Gold, GoldStep, read_gold
from guideact.offline.interventions import KINDS
from guideact.offline.measure import StepScore, measure
from guideact.offline.predictions import Header, Predictions
from guideact.offline.score import OfflineSignature, check, rounded_as, sign
from guideact.stats import Estimate, Resampling, Row, SignFlip, ratio_interval, sign_flip
from guideact.stats.bootstrap import DIFFERENCE
from guideact.types import Frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OWN = "own"
ROWS = (OWN, *KINDS)
"""The rows in the order in which they are told."""

_SAME = frozenset({"force", "force_sha256", "shard"})
"""Fields of the header in which the runs of one mediation may differ."""


class GuideRow(Frozen):
    """The accuracy of a run with guides of one kind."""

    kind: str
    element: Estimate
    action: Estimate
    """Whole action right."""
    baseline: Estimate
    """Element accuracy of the candidate that shares most words with the guide."""
    excess: Estimate
    """`element` less `baseline`, paired: what may be called learned."""
    gain: Estimate | None = None
    """`element` less that without a guide, paired. None in the row `none`, and without one."""
    gain_p: SignFlip | None = None
    kept: Estimate | None = None
    gained: int = 0
    """Steps that are right with the guide and wrong without."""
    lost: int = 0


class Flip(Frozen):
    """A step at which the kinds of guides differ: kind -> whether the element was right."""

    task: str
    index: int
    right: dict[str, bool]
    guides: dict[str, str]


class Mediation(Frozen):
    """The whole report."""

    signature: OfflineSignature
    model: str
    steps: int
    clusters: int
    left_out: int
    """Steps that point at something and that not every run has."""
    rows: tuple[GuideRow, ...]
    other: str
    """The kind that `direct` and `mediated` rest on; empty where it or `own` is missing."""
    direct: Estimate | None = None
    mediated: Estimate | None = None
    flips: tuple[Flip, ...]

    def row(self, kind: str) -> GuideRow | None:
        return next((row for row in self.rows if row.kind == kind), None)


def mediation(dataset: Dataset, runs: Sequence[Predictions], resampling: Resampling | None = None) -> Mediation:
    """The report over runs of one model that differ in the forced guide; the one without is its own.

    Raises InputError where the runs differ in more, two are of one kind, or they have no step in common.
    """
    resampling = resampling or Resampling()
    by_kind = _by_kind(runs)
    gold = read_gold(dataset, runs[0].header.split)
    measured: dict[str, dict[tuple[str, int], StepScore]] = {}
    for kind, run in by_kind.items():
        check(gold, run)
        measured[kind] = {step.key: step for step in measure(gold, run) if "element" in step.scores}
    everywhere = sorted(set.intersection(*(set(steps) for steps in measured.values())))
    anywhere = set().union(*measured.values())
    if not everywhere:
        raise InputError("the runs have no step in common that points at something", fix="Give runs over one split.")
    steps = {key: gold.step(key) for key in everywhere}
    names = [kind for kind in ROWS if kind in measured]
    none = measured.get("none")
    whole = {
        kind: [measured[kind][key] for key in everywhere]  # the same steps in the same order
        for kind in names
    }
    rows = tuple(
        _row(kind, whole[kind], whole.get("none") if none else None, whole.get("gold"), steps, gold, resampling)
        for kind in names
    )
    other = next((kind for kind in ("other-step", "other-task") if kind in measured), "")
    direct = mediated = None
    if other and OWN in measured:
        own, swapped = _hits(whole[OWN]), _hits(whole[other])
        direct = share(swapped, own, resampling)
        mediated = share({c: (own[c] - swapped[c]) for c in own}, own, resampling)
    result = Mediation(
        signature=sign(gold, runs[0].header, resampling),
        model=runs[0].header.model,
        steps=len(everywhere),
        clusters=len({gold.cluster(task) for task, _ in everywhere}),
        left_out=len(anywhere) - len(everywhere),
        rows=rows,
        other=other if direct is not None else "",
        direct=direct,
        mediated=mediated,
        flips=tuple(_flips(names, whole)),
    )
    return rounded_as(Mediation, result)


def _by_kind(runs: Sequence[Predictions]) -> dict[str, Predictions]:
    found: dict[str, Predictions] = {}
    first = runs[0].header
    for run in runs:
        header = run.header
        if header.arm != "guide-action":
            raise InputError(
                f"{', '.join(run.files)}: arm {header.arm} has no guide before its action",
                fix="Predict with --arm guide-action.",
            )
        if differing := [name for name in Header.model_fields if getattr(header, name) != getattr(first, name)]:
            others = sorted(set(differing) - _SAME)
            if others:
                raise InputError(
                    f"{', '.join(run.files)} and {', '.join(runs[0].files)} differ in {', '.join(others)}",
                    fix="Give runs that differ in --force alone.",
                )
        kind = header.force or OWN
        if kind in found:
            raise InputError(f"{', '.join(run.files)}: there is a run of kind {kind} already", fix="Give one of each.")
        found[kind] = run
    return found


def _row(
    kind: str,
    steps: Sequence[StepScore],
    none: Sequence[StepScore] | None,
    gold_run: Sequence[StepScore] | None,
    pages: Mapping[tuple[str, int], GoldStep],
    gold: Gold,
    resampling: Resampling,
) -> GuideRow:
    also = gold.settled.also
    base = [baseline(pages[step.key], step.guide, also.get(step.key, frozenset())) for step in steps]
    own_rows = [Row(step.cluster, step.scores["element"]) for step in steps]
    base_rows = [Row(step.cluster, value) for step, value in zip(steps, base, strict=True)]
    row = GuideRow(
        kind=kind,
        element=ratio_interval(own_rows, resampling=resampling),
        action=ratio_interval([Row(step.cluster, step.scores["action"]) for step in steps], resampling=resampling),
        baseline=ratio_interval(base_rows, resampling=resampling),
        excess=ratio_interval(own_rows, base_rows, span=DIFFERENCE, resampling=resampling),
    )
    if none is None or kind == "none":
        return row
    none_rows = [Row(step.cluster, step.scores["element"]) for step in none]
    pairs = [(a.cluster, a.scores["element"] - b.scores["element"]) for a, b in zip(steps, none, strict=True)]
    kept = None
    if gold_run is not None and kind != "gold":
        without, ours, best = _hits(none), _hits(steps), _hits(gold_run)
        kept = share({c: ours[c] - without[c] for c in ours}, {c: best[c] - without[c] for c in ours}, resampling)
    return row.model_copy(
        update={
            "gain": ratio_interval(own_rows, none_rows, span=DIFFERENCE, resampling=resampling),
            "gain_p": sign_flip(pairs, resampling),
            "kept": kept,
            "gained": sum(difference > 0 for _, difference in pairs),
            "lost": sum(difference < 0 for _, difference in pairs),
        }
    )


def baseline(step: GoldStep, guide: str, also: frozenset[int] = frozenset()) -> float:
    """The chance, 0..1, that the candidate that shares most words with the guide is the gold one; ties are split."""
    place = step.place(also)
    if place is None or not step.candidates:
        return 0.0
    scores = overlaps(guide, [candidate.words for candidate in step.candidates])
    most = max(scores)
    tied = [candidate.mark for candidate, score in zip(step.candidates, scores, strict=True) if score >= most - 1e-12]
    return sum(mark in place.marks for mark in tied) / len(tied)


def _hits(steps: Sequence[StepScore]) -> dict[str, float]:
    """Cluster -> how many elements were right."""
    found: dict[str, float] = {}
    for step in steps:
        found[step.cluster] = found.get(step.cluster, 0.0) + step.scores["element"]
    return found


def share(top: Mapping[str, float], bottom: Mapping[str, float], resampling: Resampling) -> Estimate:
    """A ratio of two sums over clusters, with a percentile interval; clusters that add nothing below count above too.

    None where the sum below is not positive; no interval where it is not in one resample of forty.
    """
    clusters = sorted(top)
    below, above = math.fsum(bottom[c] for c in clusters), math.fsum(top[c] for c in clusters)
    if below <= 0:
        return Estimate(value=None)
    estimate = Estimate(value=above / below, n=round(below), clusters=len(clusters))
    ends = _ends([top[c] for c in clusters], [bottom[c] for c in clusters], resampling)
    if ends is None:
        return estimate
    return estimate.model_copy(update={"low": ends[0], "high": ends[1], "method": "percentile"})


def _ends(top: Sequence[float], bottom: Sequence[float], resampling: Resampling) -> tuple[float, float] | None:
    import numpy as np

    if len(top) < 2:
        return None
    draws = np.random.default_rng(resampling.seed).integers(0, len(top), (resampling.resamples, len(top)))
    above: NDArray[np.float64] = np.array(top)[draws].sum(axis=1)
    below: NDArray[np.float64] = np.array(bottom)[draws].sum(axis=1)
    usable = below > 0
    if usable.mean() < 1 - 1 / 40:
        return None
    tails = ((1 - resampling.level) / 2, (1 + resampling.level) / 2)
    low, high = np.quantile(above[usable] / below[usable], tails)
    return float(low), float(high)


def _flips(names: Sequence[str], whole: Mapping[str, Sequence[StepScore]]) -> list[Flip]:
    found = []
    for together in zip(*(whole[name] for name in names), strict=True):
        right = {name: step.scores["element"] == 1 for name, step in zip(names, together, strict=True)}
        if len(set(right.values())) > 1:
            guides = {name: step.guide for name, step in zip(names, together, strict=True)}
            found.append(Flip(task=together[0].task, index=together[0].index, right=right, guides=guides))
    return found
