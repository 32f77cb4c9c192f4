"""Cluster bootstrap intervals: against closed forms, scipy, and their coverage on simulated data."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import beta, binomtest
from scipy.stats import bootstrap as scipy_bootstrap

from guideact.stats import Estimate, Resampling, Row, clopper_pearson, mean_interval, ratio_interval

FEW = Resampling(resamples=1000)
values = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from([0.0, 0.25, 0.5, 1.0])), min_size=1, max_size=30
)


def ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.low, estimate.high


def simulated(rng: np.random.Generator, clusters: int, rate: float, alike: float) -> list[tuple[str, float]]:
    """Tasks that succeed or fail in clusters of 1 to 6; `alike` is the correlation of two tasks of one cluster."""
    made = []
    for cluster in range(clusters):
        own = rate if alike == 0 else rng.beta(rate * (1 / alike - 1), (1 - rate) * (1 / alike - 1))
        size = int(rng.integers(1, 7))
        made += [(f"{cluster:03}", float(hit)) for hit in rng.random(size) < own]
    return made


COVERAGE = (
    (10, 0.5, 0.0, 0.92),
    (10, 0.5, 0.4, 0.93),
    (10, 0.1, 0.4, 0.95),
    (25, 0.2, 0.0, 0.92),
    (25, 0.8, 0.4, 0.93),
    (25, 0.05, 0.4, 0.95),
    (40, 0.5, 0.0, 0.91),
    (40, 0.5, 0.4, 0.91),
)
"""Templates, true rate, correlation within a template, least coverage of 95 % intervals: as in docs/metrics.md."""


def coverage(clusters: int, rate: float, alike: float) -> float:
    """The share of 300 simulated runs whose interval holds the true rate."""
    rng = np.random.default_rng(20260316)
    covered = 0
    for _ in range(300):
        low, high = ends(mean_interval(simulated(rng, clusters, rate, alike), resampling=FEW))
        covered += low <= rate <= high
    return covered / 300


@pytest.mark.parametrize(("clusters", "rate", "alike", "least"), COVERAGE)
def test_intervals_cover_the_truth_as_often_as_they_say(clusters: int, rate: float, alike: float, least: float) -> None:
    assert coverage(clusters, rate, alike) >= least


def test_percentiles_are_known_to_be_too_narrow_for_rare_successes() -> None:
    assert 0.8 < coverage(40, 0.05, 0.4) < 0.92


@pytest.mark.parametrize(("clusters", "least"), [(12, 0.93), (40, 0.91)])
def test_paired_differences_are_covered_too(clusters: int, least: float) -> None:
    """Arms of rate 0.45 and 0.30 that share how hard a template is."""
    rng = np.random.default_rng(7)
    covered = 0
    for _ in range(300):
        rows = []
        for cluster in range(clusters):
            ease = rng.uniform(0, 1)
            for _ in range(int(rng.integers(1, 7))):
                a, b = rng.random() < 0.9 * ease, rng.random() < 0.6 * ease
                rows.append((f"{cluster:02}", float(a) - float(b)))
        low, high = ends(mean_interval(rows, span=(-1, 1), resampling=FEW))
        covered += low <= 0.15 <= high
    assert covered / 300 >= least


def test_ignoring_clusters_would_be_too_narrow() -> None:
    rng = np.random.default_rng(1)
    rows = [(f"{c}", value) for c in range(40) for value in [float(rng.random() < 0.5)] * 5]
    low, high = ends(mean_interval(rows))
    alone_low, alone_high = ends(mean_interval([(f"{i}", value) for i, (_, value) in enumerate(rows)]))
    assert high - low > 1.8 * (alone_high - alone_low)


def test_percentiles_agree_with_scipys_bootstrap() -> None:
    rng = np.random.default_rng(5)
    data = rng.random(60)
    ours = ends(mean_interval([(f"{i:02}", float(value)) for i, value in enumerate(data)]))
    oracle = scipy_bootstrap(
        (data,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(8)
    ).confidence_interval
    assert ours == pytest.approx((oracle.low, oracle.high), abs=0.005)


def test_a_ratio_of_clusters_agrees_with_scipys_bootstrap_of_pairs() -> None:
    rng = np.random.default_rng(6)
    steps = rng.integers(2, 12, 50)
    formed = rng.binomial(steps, 0.8)
    rows = [
        Row(f"{i:02}", float(top), float(bottom)) for i, (top, bottom) in enumerate(zip(formed, steps, strict=True))
    ]
    estimate = ratio_interval(rows)
    assert estimate.value == pytest.approx(formed.sum() / steps.sum())
    assert estimate.n == steps.sum()

    def ratio(top: np.ndarray, bottom: np.ndarray, axis: int = -1) -> np.ndarray:
        return np.asarray(top.sum(axis=axis) / bottom.sum(axis=axis))

    oracle = scipy_bootstrap(
        (formed, steps), ratio, paired=True, method="percentile", n_resamples=10_000, rng=np.random.default_rng(9)
    ).confidence_interval
    assert ends(estimate) == pytest.approx((oracle.low, oracle.high), abs=0.005)


def test_few_normal_clusters_give_the_t_interval() -> None:
    """The studentised interval of a symmetric sample is near Student's; the percentile one would be 20 % too narrow."""
    rng = np.random.default_rng(2)
    data = 0.5 + 0.05 * rng.standard_normal(8)
    low, high = ends(mean_interval([(f"{i}", float(value)) for i, value in enumerate(data)]))
    error = data.std(ddof=1) / math.sqrt(8)
    assert 2.0 < (high - low) / 2 / error < 3.4  # Student's quantile for 7 degrees of freedom is 2.36
    assert abs((low + high) / 2 - data.mean()) < error


@pytest.mark.parametrize("clusters", [1, 4, 25, 60])
def test_all_or_nothing_gives_the_exact_bound(clusters: int) -> None:
    names = [f"t{c}" for c in range(clusters) for _ in range(3)]
    nothing, everything = (mean_interval([(name, value) for name in names]) for value in (0.0, 1.0))
    oracle = binomtest(0, clusters).proportion_ci(0.95, method="exact")
    assert ends(nothing) == pytest.approx((0, oracle.high))
    assert ends(everything) == pytest.approx((1 - oracle.high, 1))
    assert oracle.high == pytest.approx(1 - 0.025 ** (1 / clusters))
    assert nothing.method == everything.method == "clopper-pearson"
    assert (nothing.n, nothing.clusters) == (3 * clusters, clusters)


def test_equal_clusters_between_the_ends_are_bounded_on_both_sides() -> None:
    estimate = mean_interval([(f"t{c}", value) for c in range(10) for value in (0.0, 1.0)])
    share = 1 - 0.025 ** (1 / 10)
    assert ends(estimate) == pytest.approx((0.5 - 0.5 * share, 0.5 + 0.5 * share))


def test_no_difference_anywhere_is_bounded_too() -> None:
    estimate = mean_interval([(f"t{c}", 0.0) for c in range(10)], span=(-1, 1))
    share = 1 - 0.025 ** (1 / 10)
    assert ends(estimate) == pytest.approx((-share, share))
    rows = [Row(f"t{c}", float(c), 10.0) for c in range(10)]
    same = ratio_interval(rows, rows, span=(-1, 1))
    assert same.value == 0
    assert same.method == "clopper-pearson"


def test_one_success_in_twenty_clusters_does_not_run_away() -> None:
    """Resamples without the success have no spread; unchecked, the upper end would be 1."""
    estimate = mean_interval([(f"{c:02}", float(c == 7)) for c in range(20)])
    low, high = ends(estimate)
    assert estimate.method == "bootstrap-t"
    oracle = binomtest(1, 20).proportion_ci(0.95, method="exact")
    assert oracle.low - 1e-9 <= low <= 0.05
    assert high == pytest.approx(oracle.high)


def test_one_cluster_says_next_to_nothing() -> None:
    assert ends(mean_interval([("a", 0.0), ("a", 1.0)])) == pytest.approx((0.0125, 0.9875))
    assert mean_interval([("a", 3.0), ("a", 1.0)], span=None) == Estimate(value=2.0, n=2, clusters=1)


def test_nothing_to_average_has_no_value() -> None:
    assert mean_interval([]) == Estimate(value=None)
    assert ratio_interval([Row("a", 0, 0)]) == Estimate(value=None)
    assert ratio_interval([Row("a", 1, 1)], [Row("a", 0, 0)]) == Estimate(value=None)


def test_unbounded_quantities_have_no_exact_bound() -> None:
    assert mean_interval([("a", 7.0), ("b", 7.0), ("c", 7.0)], span=None).method != "clopper-pearson"
    low, high = ends(mean_interval([(f"{i}", float(i)) for i in range(20)], span=None))
    assert low < 9.5 < high


def test_a_paired_difference_is_narrower_than_an_unpaired_one() -> None:
    rng = np.random.default_rng(3)
    hard = rng.random(40)
    a = [Row(f"{i:02}", float(h), 1) for i, h in enumerate(hard)]
    b = [Row(f"{i:02}", float(h) - 0.1 + 0.02 * float(rng.random()), 1) for i, h in enumerate(hard)]
    low, high = ends(ratio_interval(a, b, span=(-1, 1)))
    alone_low, alone_high = ends(ratio_interval(a))
    assert low > 0
    assert high - low < 0.2 * (alone_high - alone_low)


@settings(max_examples=40)
@given(values, st.randoms())
def test_order_never_matters_and_the_value_lies_inside(rows: list[tuple[str, float]], random: object) -> None:
    estimate = mean_interval(rows, resampling=FEW)
    shuffled = rows[:]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert mean_interval(shuffled, resampling=FEW) == estimate
    assert estimate.value == pytest.approx(sum(value for _, value in rows) / len(rows))
    low, high = ends(estimate)
    assert estimate.value is not None
    assert 0 <= low <= estimate.value + 1e-12
    assert estimate.value - 1e-12 <= high <= 1


@settings(max_examples=40)
@given(values)
def test_counting_failures_mirrors_the_interval(rows: list[tuple[str, float]]) -> None:
    one = mean_interval(rows, resampling=FEW)
    other = mean_interval([(cluster, 1 - value) for cluster, value in rows], resampling=FEW)
    assert one.method == other.method
    low, high = ends(one)
    assert ends(other) == pytest.approx((1 - high, 1 - low), abs=1e-9)


def test_a_higher_level_is_wider_and_a_seed_is_kept() -> None:
    rng = np.random.default_rng(4)
    rows = simulated(rng, 35, 0.5, 0.2)
    narrow, wide = (mean_interval(rows, resampling=Resampling(level=level)) for level in (0.8, 0.99))
    assert ends(wide)[0] < ends(narrow)[0]
    assert ends(wide)[1] > ends(narrow)[1]
    assert mean_interval(rows) == mean_interval(rows)
    assert mean_interval(rows) != mean_interval(rows, resampling=Resampling(seed=1))


@given(st.integers(1, 60), st.data(), st.sampled_from([0.8, 0.95, 0.99]))
def test_clopper_pearson_is_scipys(trials: int, data: st.DataObject, level: float) -> None:
    successes = data.draw(st.integers(0, trials))
    oracle = binomtest(successes, trials).proportion_ci(level, method="exact")
    assert clopper_pearson(successes, trials, level) == pytest.approx((oracle.low, oracle.high), abs=1e-9)


def test_clopper_pearson_takes_fractions_of_trials() -> None:
    low, high = clopper_pearson(2.5, 10.5)
    assert low == pytest.approx(beta.ppf(0.025, 2.5, 9))
    assert high == pytest.approx(beta.ppf(0.975, 3.5, 8))
    for successes, trials in ((1, 0), (-1, 5), (6, 5)):
        with pytest.raises(ValueError, match="trials"):
            clopper_pearson(successes, trials)
