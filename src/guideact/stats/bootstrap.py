"""Intervals for means over tasks that come in clusters: tasks of one template are alike, so templates are resampled.

A quantity is a ratio of sums, `sum(tops) / sum(bottoms)`, over clusters: the mean over tasks has each task's value on
top and 1 below; OFCR has well-formed steps on top and steps below. A difference of two such ratios over the same
clusters is handled the same way. Method, as every `Estimate` names it:

`clopper-pearson`   where no cluster departs from the whole (all 0, all 1, or no cluster differs between two arms).
    Resampling would claim an interval of no width. Instead: the exact bound on how often a cluster could depart, with
    clusters as trials, moved onto the quantity's range. After 0 in C clusters: `[0, 1 - (alpha/2)^(1/C)]`.
`bootstrap-t`       under 30 clusters. Each resample is studentised by its own linearised standard error, which widens
    and skews the interval as few clusters demand. Where resamples without any spread make an end run away (rare
    successes do that), the end is held at the Clopper-Pearson bound of as many trials as there are clusters, since no
    quantity in 0..1 varies more from cluster to cluster than one that is 0 or 1. Clusters of unequal size count as
    Kish's effective number of them. For differences the bound is that of the gains less that of the losses.
`percentile`        otherwise: percentiles of the resampled ratio.
`none`              nothing to average; or no range and one cluster, or so few that an end runs away.

A single cluster never departs from the whole, so a rate over one template gets the first method's nearly empty bound.

Intervals are cut to the quantity's range. The resamples are the rows of
`numpy.random.default_rng(seed).integers(0, C, (resamples, C))` over clusters in sorted order of their names. So the
same data give the same bytes, whatever order they come in.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Literal

from pydantic import Field

from guideact.types import Frozen

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_Columns = tuple[tuple[float, ...], ...]
"""Tops and bottoms, by cluster."""

Method = Literal["percentile", "bootstrap-t", "clopper-pearson", "none"]

FEW_CLUSTERS = 30
RATE = (0.0, 1.0)
DIFFERENCE = (-1.0, 1.0)

SAME = 1e-12
"""Numbers nearer than this are equal but for rounding."""


class Resampling(Frozen):
    """How intervals are made. `level` is the two-sided confidence, 0..1."""

    resamples: int = Field(default=10_000, ge=100)
    seed: int = Field(default=0, ge=0)
    level: float = Field(default=0.95, gt=0, lt=1)


DEFAULT_RESAMPLING = Resampling()


class Estimate(Frozen):
    """A number, its interval and what stands behind it. `value` is None where there is nothing to average.

    `n` counts the units below the line of the ratio that were averaged (tasks; for OFCR, steps).
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    clusters: int = 0
    method: Method = "none"


@dataclass(frozen=True, slots=True)
class Row:
    """One unit's part of a ratio: `top` is added above the line, `bottom` below, in the cluster named."""

    cluster: str
    top: float
    bottom: float = 1.0


def mean_interval(
    values: Iterable[tuple[str, float]],
    *,
    span: tuple[float, float] | None = RATE,
    resampling: Resampling = DEFAULT_RESAMPLING,
) -> Estimate:
    """The mean of (cluster, value) pairs with its interval. `span` is the range of a value; None: it has no bounds."""
    return ratio_interval([Row(cluster, value) for cluster, value in values], span=span, resampling=resampling)


def ratio_interval(
    rows: Sequence[Row],
    minus: Sequence[Row] = (),
    *,
    span: tuple[float, float] | None = RATE,
    resampling: Resampling = DEFAULT_RESAMPLING,
) -> Estimate:
    """sum(top) / sum(bottom) of `rows`, less that of `minus` where given, with its interval.

    With `minus` the clusters of both are resampled together: a paired comparison.
    """
    n = round(math.fsum(row.bottom for row in rows))
    sides = [_by_cluster(side) for side in (rows, minus)]
    if not sides[0] or (minus and not sides[1]):
        return Estimate(value=None)
    clusters = sorted(sides[0].keys() | sides[1].keys())
    terms = [
        _Term([side.get(cluster, (0.0, 0.0)) for cluster in clusters], sign)
        for side, sign in zip(sides, (1, -1), strict=True)
        if side
    ]
    value = math.fsum(term.sign * term.ratio for term in terms)
    departures = [math.fsum(term.sign * term.influence(c) for term in terms) for c in range(len(clusters))]
    count, level = len(clusters), resampling.level
    if span is not None and max(abs(departure) for departure in departures) < SAME:
        _, share = clopper_pearson(0, count, level)
        low, high = value - (value - span[0]) * share, value + (span[1] - value) * share
        return Estimate(value=value, low=low, high=high, n=n, clusters=count, method="clopper-pearson")
    if count < 2:
        return Estimate(value=value, n=n, clusters=count)
    method: Method = "bootstrap-t" if count < FEW_CLUSTERS else "percentile"
    low, high = _resampled(terms, value, departures if method == "bootstrap-t" else None, resampling)
    if span is not None:
        if method == "bootstrap-t":
            lowest, highest = _exact_ends(terms, level)
            low, high = max(low, lowest), min(high, highest)
        low, high = max(low, span[0]), min(high, span[1])
    if not (math.isfinite(low) and math.isfinite(high)):
        return Estimate(value=value, n=n, clusters=count)
    return Estimate(value=value, low=low, high=high, n=n, clusters=count, method=method)


def clopper_pearson(successes: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """The exact two-sided interval of a binomial proportion; fractional counts are interpolated by the beta function.

    Raises:
        ValueError: no trials, or more successes than trials.
    """
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} successes in {trials} trials")
    tail = (1 - level) / 2
    # None or all, as where a score never departs: a power, for which nothing has to be imported.
    far = -math.expm1(math.log(tail) / trials)
    if successes == 0:
        return 0.0, far
    if successes == trials:
        return 1 - far, 1.0
    # Not scipy.stats.beta: its import takes longer than all the rest of scoring.
    from scipy.special import betaincinv

    low = float(betaincinv(successes, trials - successes + 1, tail))
    high = float(betaincinv(successes + 1, trials - successes, 1 - tail))
    return low, high


@dataclass(frozen=True)
class _Term:
    """One ratio: the (top, bottom) of each cluster in order, and whether it is added or taken away."""

    pairs: Sequence[tuple[float, float]]
    sign: int

    @cached_property
    def bottom(self) -> float:
        return math.fsum(bottom for _, bottom in self.pairs)

    @cached_property
    def ratio(self) -> float:
        return math.fsum(top for top, _ in self.pairs) / self.bottom

    def influence(self, cluster: int) -> float:
        """How far the cluster moves the ratio, linearised."""
        top, bottom = self.pairs[cluster]
        return (top - self.ratio * bottom) / self.bottom


def _by_cluster(rows: Sequence[Row]) -> dict[str, tuple[float, float]]:
    """Cluster -> (sum of tops, sum of bottoms); clusters with nothing below the line are dropped."""
    grouped: dict[str, list[Row]] = {}
    for row in rows:
        grouped.setdefault(row.cluster, []).append(row)
    sums = {c: (math.fsum(r.top for r in rs), math.fsum(r.bottom for r in rs)) for c, rs in grouped.items()}
    return {c: pair for c, pair in sums.items() if pair[1] > 0}


def _exact_ends(terms: Sequence[_Term], level: float) -> tuple[float, float]:
    """How far the ends may go at all, from gains and losses by cluster (a single rate has gains alone)."""
    weights = [math.fsum(t.pairs[c][1] / t.bottom for t in terms) / len(terms) for c in range(len(terms[0].pairs))]
    trials = 1 / math.fsum(weight * weight for weight in weights)
    parts = [math.fsum(t.sign * t.pairs[c][0] / t.bottom for t in terms) for c in range(len(weights))]
    gains = min(1.0, math.fsum(part for part in parts if part > 0))
    losses = min(1.0, math.fsum(-part for part in parts if part < 0))
    if len(terms) == 1 and losses == 0:
        return clopper_pearson(gains * trials, trials, level)
    level = (1 + level) / 2  # two bounds hold at once
    gain_low, gain_high = clopper_pearson(gains * trials, trials, level)
    loss_low, loss_high = clopper_pearson(losses * trials, trials, level)
    return gain_low - loss_high, gain_high - loss_low


def _resampled(
    terms: Sequence[_Term], value: float, departures: Sequence[float] | None, resampling: Resampling
) -> tuple[float, float]:
    """Both ends, by bootstrap-t where the departures of the clusters are given; infinite where an end runs away."""
    import numpy as np

    columns = [tuple(zip(*term.pairs, strict=True)) for term in terms]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = [_sums(tops, resampling) / _bottoms(bottoms, resampling) for tops, bottoms in columns]
    shift = np.zeros(resampling.resamples)
    for term, ratio in zip(terms, ratios, strict=True):
        shift += term.sign * ratio
    shift -= value
    error = np.zeros_like(shift) if departures is None else _errors(terms, columns, ratios, resampling)
    usable = np.isfinite(shift)  # a difference has resamples in which one side has no unit at all
    shift, error = shift[usable], error[usable]
    tails = ((1 - resampling.level) / 2, (1 + resampling.level) / 2)
    if departures is None:
        low, high = np.quantile(shift, tails)
        return float(value + low), float(value + high)
    # A resample of equal clusters has no spread: it lies infinitely far out on its side, unless it did not move.
    flat, still = error < SAME, np.abs(shift) < SAME
    t = np.where(still, 0.0, np.where(flat, np.copysign(np.inf, shift), shift / np.where(flat, 1.0, error)))
    own = float(_standard_error(np.array([departures]))[0])
    t_low, t_high = np.quantile(t, tails[0], method="lower"), np.quantile(t, tails[1], method="higher")
    return float(value - t_high * own), float(value - t_low * own)


def _errors(
    terms: Sequence[_Term], columns: Sequence[_Columns], ratios: Sequence[Floats], resampling: Resampling
) -> Floats:
    """The standard error of each resample. For few clusters alone: all resamples are held at once."""
    import numpy as np

    draws = _draws(len(columns[0][0]), resampling)
    influence = np.zeros(draws.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        for term, (tops, bottoms), ratio in zip(terms, columns, ratios, strict=True):
            top, bottom = np.array(tops).take(draws), np.array(bottoms).take(draws)
            influence += term.sign * (top - ratio[:, None] * bottom) / _bottoms(bottoms, resampling)[:, None]
    return _standard_error(influence)


def _standard_error(influence: Floats) -> Floats:
    """Row-wise sqrt(C / (C - 1) * sum of squares): the linearised standard error of a ratio over C clusters."""
    import numpy as np

    clusters = influence.shape[1]
    error: Floats = np.sqrt(clusters / (clusters - 1) * np.square(influence).sum(axis=1))
    return error


def _sums(column: Sequence[float], resampling: Resampling) -> Floats:
    """The sum over the clusters of each resample."""
    import numpy as np

    values, draws = np.array(column, dtype=np.float64), _draws(len(column), resampling)
    sums = np.empty(len(draws))
    for start in range(0, len(draws), 1000):  # bounds the memory
        sums[start : start + 1000] = values.take(draws[start : start + 1000]).sum(axis=1)
    return sums


@lru_cache(maxsize=16)
def _bottoms(column: tuple[float, ...], resampling: Resampling) -> Floats:
    # Scores that apply to the same units have the same numbers below the line.
    return _sums(column, resampling)


@lru_cache(maxsize=4)
def _draws(clusters: int, resampling: Resampling) -> NDArray[np.int64]:
    import numpy as np

    return np.random.default_rng(resampling.seed).integers(0, clusters, (resampling.resamples, clusters))
