"""Krippendorff's alpha for labels without an order, with an interval over clusters of units.

Krippendorff, *Content Analysis* (4th ed., 2018), chapter 12: alpha = 1 - Do / De, where Do is the disagreement seen
between labels of one unit, and De the one expected of labels dealt out by chance. 1 is perfect agreement, 0 is chance,
below 0 is systematic disagreement.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from guideact.stats.bootstrap import DEFAULT_RESAMPLING, Estimate, Resampling


def krippendorff_alpha(
    units: Sequence[tuple[str, Sequence[str]]], resampling: Resampling = DEFAULT_RESAMPLING
) -> Estimate:
    """Agreement over units that several people labelled.

    Args:
        units: for each unit its cluster (the task whose step it is) and the labels it got, one a person. Units with
            fewer than two labels say nothing of agreement and are left out.

    Returns:
        alpha, -1..1; `n` counts the units with two labels or more. Its value is None where there is none, or where all
        labels are the same, so that there is nothing that chance could have got wrong. The interval is the percentile
        one over resampled clusters; none with fewer than two clusters.
    """
    import numpy as np

    paired = [(cluster, labels) for cluster, labels in units if len(labels) > 1]
    kinds = sorted({label for _, labels in paired for label in labels})
    clusters = sorted({cluster for cluster, _ in paired})
    if len(kinds) < 2:
        return Estimate(value=None, n=len(paired), clusters=len(clusters))
    column = {kind: i for i, kind in enumerate(kinds)}
    row = {cluster: i for i, cluster in enumerate(clusters)}
    # How often two labels of one unit are (c, k): a matrix for each cluster, so that clusters can be drawn again.
    seen = np.zeros((len(clusters), len(kinds), len(kinds)))
    for cluster, labels in paired:
        counts = np.zeros(len(kinds))
        for label in labels:
            counts[column[label]] += 1
        seen[row[cluster]] += (np.outer(counts, counts) - np.diag(counts)) / (len(labels) - 1)
    value = _alpha(seen.sum(axis=0))
    assert value is not None  # there are two kinds
    if len(clusters) < 2:
        return Estimate(value=value, n=len(paired), clusters=len(clusters))
    draws = np.random.default_rng(resampling.seed).integers(0, len(clusters), (resampling.resamples, len(clusters)))
    times = np.zeros((resampling.resamples, len(clusters)))
    np.add.at(times, (np.arange(resampling.resamples)[:, None], draws), 1)
    resampled = np.einsum("rc,cij->rij", times, seen)
    found = [alpha for alpha in map(_alpha, resampled) if alpha is not None]
    tail = (1 - resampling.level) / 2 * 100
    low, high = np.percentile(found, [tail, 100 - tail])
    return Estimate(
        value=value, low=float(low), high=float(high), n=len(paired), clusters=len(clusters), method="percentile"
    )


def _alpha(seen: Sequence[Sequence[float]]) -> float | None:
    """Alpha of a coincidence matrix; None where only one kind of label occurs."""
    import numpy as np

    matrix = np.asarray(seen)
    totals = matrix.sum(axis=0)
    whole = totals.sum()
    expected = whole * whole - (totals * totals).sum()
    if expected <= 0:
        return None
    return float(1 - (whole - 1) * (whole - np.trace(matrix)) / expected)


def share_alike(units: Mapping[str, Sequence[str]]) -> float | None:
    """Of the units with two labels or more, the share whose labels are all the same; None where there is none."""
    paired = [labels for labels in units.values() if len(labels) > 1]
    return sum(len(set(labels)) == 1 for labels in paired) / len(paired) if paired else None
