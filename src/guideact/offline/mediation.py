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
from dataclasses import dataclass
from typing import TYPE_CHECKING

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.metrics.gacs import overlaps
from guideact.offline.gold import Gold, GoldStep
from guideact.offline.interventions import KINDS
from guideact.offline.measure import StepScore, measure
from guideact.offline.predictions import Header, Predictions
from guideact.offline.score import OfflineSignature, check, gold_of, rounded_as, sign
from guideact.stats import Estimate, Resampling, Row, SignFlip, ratio_interval, sign_flip
from guideact.stats.bootstrap import DIFFERENCE, SAME
from guideact.types import Frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OWN = "own"
ROWS = (OWN, *KINDS)
"""The rows in the order in which they are told."""

_SAME = frozenset({"force", "force_sha256", "shard", "model", "model_sha256", "seed"})
"""Fields of the header in which the runs of one mediation may differ."""


class GuideRow(Frozen):
    """The accuracy of the runs with guides of one kind."""

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
    """Steps that are right with the guide and wrong without, over all seeds."""
    lost: int = 0
    by_seed: tuple[float, ...] = ()
    """`element` of each seed."""


class Flip(Frozen):
    """A step at which the kinds of guides differ: kind -> the share of seeds whose element was right."""

    task: str
    index: int
    right: dict[str, float]
    guides: dict[str, str]
    """Those of the first seed."""


class Mediation(Frozen):
    """The whole report."""

    signature: OfflineSignature
    model: str
    """Of the first seed."""
    seeds: int
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


@dataclass(frozen=True)
class _Step:
    """A step with guides of one kind: a number a seed."""

    key: tuple[str, int]
    cluster: str
    element: tuple[float, ...]
    action: tuple[float, ...]
    baseline: tuple[float, ...]
    guide: str

    def mean(self, name: str) -> float:
        values: tuple[float, ...] = getattr(self, name)
        return math.fsum(values) / len(values)


def mediation(dataset: Dataset, runs: Sequence[Predictions], resampling: Resampling | None = None) -> Mediation:
    """The report over runs that differ in the forced guide; those without one are the model's own.

    Several trainings of a model (seeds) are put together: each must have a run of every kind, and numbers are means
    over seeds at each step.

    Raises InputError where runs differ in more, two are of one kind and seed, or they have no step in common.
    """
    resampling = resampling or Resampling()
    by_kind = _by_kind(runs)
    gold = gold_of(dataset, runs)
    measured = {kind: [_elements(gold, run) for run in of_kind] for kind, of_kind in by_kind.items()}
    every = [set(steps) for seeds in measured.values() for steps in seeds]
    everywhere, anywhere = sorted(set.intersection(*every)), set().union(*every)
    if not everywhere:
        raise InputError("the runs have no step in common that points at something", fix="Give runs over one split.")
    names = [kind for kind in ROWS if kind in measured]
    pages = {key: gold.step(key) for key in everywhere}
    whole = {
        kind: [_step(gold, pages[key], [seed[key] for seed in measured[kind]]) for key in everywhere] for kind in names
    }
    rows = tuple(_row(kind, whole, resampling) for kind in names)
    other = next((kind for kind in ("other-step", "other-task") if kind in measured), "")
    direct = mediated = None
    if other and OWN in measured:
        own, swapped = _hits(whole[OWN]), _hits(whole[other])
        direct = share(swapped, own, resampling)
        mediated = share({c: (own[c] - swapped[c]) for c in own}, own, resampling)
    result = Mediation(
        signature=sign(gold, runs[0].header, resampling),
        model=runs[0].header.model,
        seeds=len(by_kind[names[0]]),
        steps=len(everywhere),
        clusters=len({gold.cluster(task) for task, _ in everywhere}),
        left_out=len(anywhere) - len(everywhere),
        rows=rows,
        other=other if direct is not None else "",
        direct=direct,
        mediated=mediated,
        flips=tuple(_flips(whole)),
    )
    return rounded_as(Mediation, result)


def _by_kind(runs: Sequence[Predictions]) -> dict[str, list[Predictions]]:
    """The runs of each kind, every kind in the same order of seeds."""
    found: dict[str, dict[tuple[str, str, int], Predictions]] = {}
    first = runs[0].header
    for run in runs:
        header, name = run.header, ", ".join(run.files)
        if header.arm != "guide-action":
            raise InputError(
                f"{name}: arm {header.arm} has no guide before its action", fix="Predict with --arm guide-action."
            )
        others = [field for field in Header.model_fields if getattr(header, field) != getattr(first, field)]
        if differing := sorted(set(others) - _SAME):
            raise InputError(
                f"{name} and {', '.join(runs[0].files)} differ in {', '.join(differing)}",
                fix="Give runs that differ in --force and in the seed alone.",
            )
        kind, seed = header.force or OWN, (header.model, header.model_sha256, header.seed)
        if seed in found.setdefault(kind, {}):
            raise InputError(f"{name}: there is a run of kind {kind} already", fix="Give one of each.")
        found[kind][seed] = run
    seeds = sorted(next(iter(found.values())))
    for kind, of_kind in found.items():
        if sorted(of_kind) != seeds:
            raise InputError(
                f"kind {kind} has {len(of_kind)} runs, other kinds have {len(seeds)}, or of other weights",
                fix="Give a run of each kind for every seed.",
            )
    return {kind: [of_kind[seed] for seed in seeds] for kind, of_kind in found.items()}


def _elements(gold: Gold, run: Predictions) -> dict[tuple[str, int], StepScore]:
    check(gold, run)
    return {step.key: step for step in measure(gold, run) if "element" in step.scores}


def _step(gold: Gold, page: GoldStep, seeds: Sequence[StepScore]) -> _Step:
    also = gold.settled.also.get(page.key, frozenset())
    # A forced guide is the same for all seeds.
    shares = {guide: baseline(page, guide, also) for guide in dict.fromkeys(each.guide for each in seeds)}
    return _Step(
        key=page.key,
        cluster=seeds[0].cluster,
        element=tuple(each.scores["element"] for each in seeds),
        action=tuple(each.scores["action"] for each in seeds),
        baseline=tuple(shares[each.guide] for each in seeds),
        guide=seeds[0].guide,
    )


def _row(kind: str, whole: Mapping[str, Sequence[_Step]], resampling: Resampling) -> GuideRow:
    steps = whole[kind]

    def rows(of: Sequence[_Step], name: str) -> list[Row]:
        return [Row(step.cluster, step.mean(name)) for step in of]

    row = GuideRow(
        kind=kind,
        element=ratio_interval(rows(steps, "element"), resampling=resampling),
        action=ratio_interval(rows(steps, "action"), resampling=resampling),
        baseline=ratio_interval(rows(steps, "baseline"), resampling=resampling),
        excess=ratio_interval(rows(steps, "element"), rows(steps, "baseline"), span=DIFFERENCE, resampling=resampling),
        by_seed=tuple(math.fsum(values) / len(steps) for values in zip(*(step.element for step in steps), strict=True)),
    )
    none = whole.get("none")
    if none is None or kind == "none":
        return row
    kept = None
    if "gold" in whole and kind != "gold":
        without, ours, best = _hits(none), _hits(steps), _hits(whole["gold"])
        kept = share({c: ours[c] - without[c] for c in ours}, {c: best[c] - without[c] for c in ours}, resampling)
    gaps = [a - b for s, n in zip(steps, none, strict=True) for a, b in zip(s.element, n.element, strict=True)]
    means = [(s.cluster, s.mean("element") - n.mean("element")) for s, n in zip(steps, none, strict=True)]
    return row.model_copy(
        update={
            "gain": ratio_interval(
                rows(steps, "element"), rows(none, "element"), span=DIFFERENCE, resampling=resampling
            ),
            "gain_p": sign_flip(means, resampling),
            "kept": kept,
            "gained": sum(gap > 0 for gap in gaps),
            "lost": sum(gap < 0 for gap in gaps),
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


def _hits(steps: Sequence[_Step]) -> dict[str, float]:
    """Cluster -> how many elements were right."""
    found: dict[str, float] = {}
    for step in steps:
        found[step.cluster] = found.get(step.cluster, 0.0) + step.mean("element")
    return found


def share(top: Mapping[str, float], bottom: Mapping[str, float], resampling: Resampling) -> Estimate:
    """A ratio of two sums over clusters, with a percentile interval; clusters that add nothing below count above too.

    None where the sum below is not positive. No interval where it is not in one resample of forty, or where all
    clusters are alike: resampling would claim one of no width.
    """
    clusters = sorted(top)
    below, above = math.fsum(bottom[c] for c in clusters), math.fsum(top[c] for c in clusters)
    if below <= 0:
        return Estimate(value=None)
    estimate = Estimate(value=above / below, n=round(below), clusters=len(clusters))
    if all(abs(top[c] - above / below * bottom[c]) < SAME for c in clusters):
        return estimate
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


def _flips(whole: Mapping[str, Sequence[_Step]]) -> list[Flip]:
    found = []
    for together in zip(*whole.values(), strict=True):
        right = {kind: step.mean("element") for kind, step in zip(whole, together, strict=True)}
        if len(set(right.values())) > 1:
            guides = {kind: step.guide for kind, step in zip(whole, together, strict=True)}
            found.append(Flip(task=together[0].key[0], index=together[0].key[1], right=right, guides=guides))
    return found
