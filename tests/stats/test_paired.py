"""Paired tests and the head-room."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, permutation_test

from guideact.stats import Resampling, head_room, mcnemar, mean_head_room, sign_flip

solved = st.dictionaries(st.sampled_from("abcdefgh"), st.booleans(), min_size=1)


def test_sign_flip_by_hand() -> None:
    # Cluster sums 2, 1, 1: of the eight patterns |sum| is 4, 4, 2, 2, 2, 2, 0, 0.
    found = sign_flip([("x", 1), ("x", 1), ("y", 1), ("z", 1), ("w", 0)])
    assert found.p == 2 / 8
    assert (found.clusters, found.exact, found.patterns) == (3, True, 8)
    assert sign_flip([("x", 1), ("x", 1), ("y", 1), ("z", -1)]).p == 6 / 8


def test_sign_flip_flips_clusters_not_tasks() -> None:
    together = sign_flip([("x", 1.0)] * 8)
    assert together.p == 1
    assert sign_flip([(f"{i}", 1.0) for i in range(8)]).p == 2 / 2**8


@settings(max_examples=30)
@given(st.lists(st.integers(-6, 6), min_size=1, max_size=8))
def test_enumeration_in_exact_arithmetic(sums: list[int]) -> None:
    # Thirds are no binary fractions: equal sums must count as equal however they round.
    found = sign_flip([(f"{i}", total / 3) for i, total in enumerate(sums)])
    moved = [Fraction(total, 3) for total in sums if total]
    seen = abs(sum(moved, Fraction(0)))
    totals = [
        abs(sum((s * m for s, m in zip(signs, moved, strict=True)), Fraction(0)))
        for signs in itertools.product((1, -1), repeat=len(moved))
    ]
    assert found.p == sum(total >= seen for total in totals) / len(totals)


def test_enumeration_is_scipys_permutation_test() -> None:
    rng = np.random.default_rng(3)
    sums = rng.normal(0.2, 0.5, 12)
    oracle = permutation_test((sums,), np.sum, permutation_type="samples", n_resamples=10**9, alternative="two-sided")
    assert sign_flip([(f"{i:02}", float(s)) for i, s in enumerate(sums)]).p == pytest.approx(oracle.pvalue)


def test_many_clusters_are_sampled_with_a_seed() -> None:
    rng = np.random.default_rng(4)
    rows = [(f"{i:02}", float(value)) for i, value in enumerate(rng.normal(0.15, 0.5, 40))]
    found = sign_flip(rows)
    assert not found.exact
    assert found.patterns == 10_000
    assert found == sign_flip(rows[::-1])
    oracle = permutation_test(
        ([value for _, value in rows],),
        np.sum,
        permutation_type="samples",
        n_resamples=100_000,
        rng=np.random.default_rng(1),
    )
    assert found.p == pytest.approx(oracle.pvalue, abs=0.012)
    assert sign_flip(rows, Resampling(seed=9)).p == pytest.approx(found.p, abs=0.02)
    assert sign_flip([(f"{i:02}", 1.0) for i in range(40)]).p == 1 / 10_001


def test_sign_flip_rejects_a_true_null_no_more_often_than_it_says() -> None:
    rng = np.random.default_rng(5)
    rejected = 0
    for _ in range(400):
        rows = [(f"{c}", float(d)) for c in range(10) for d in rng.integers(-1, 2, int(rng.integers(1, 5)))]
        rejected += sign_flip(rows).p <= 0.05
    assert 0.01 <= rejected / 400 <= 0.07


def test_no_difference_has_p_1() -> None:
    assert sign_flip([("x", 0.0), ("y", 1.0), ("y", -1.0)]).p == 1
    assert sign_flip([]).p == 1


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_the_exact_binomial_test(won: int, lost: int) -> None:
    oracle = binomtest(won, won + lost).pvalue if won + lost else 1.0
    assert mcnemar(won, lost) == pytest.approx(oracle, abs=1e-12)
    assert mcnemar(won, lost) == mcnemar(lost, won)


def test_head_room_by_hand() -> None:
    a = {"1": True, "2": True, "3": False, "4": False, "only a": True}
    b = {"1": True, "2": False, "3": True, "4": False, "only b": True}
    found = head_room(a, b)
    assert found is not None
    assert (found.n, found.either, found.best, found.room) == (4, 3 / 4, 2 / 4, 1 / 4)
    assert head_room({"1": True}, {"2": True}) is None
    assert mean_head_room([]) is None


@given(solved, solved)
def test_head_room_is_what_the_worse_one_adds(a: dict[str, bool], b: dict[str, bool]) -> None:
    found, swapped = head_room(a, b), head_room(b, a)
    assert found == swapped
    if found is not None:
        assert 0 <= found.room <= 0.5
        assert found.room == pytest.approx(found.either - found.best)
    same = head_room(a, a)
    assert same is not None
    assert same.room == 0


def test_mean_head_room_averages_the_pairs_that_share_tasks() -> None:
    one, other = {"1": True, "2": False}, {"1": False, "2": True}
    found = mean_head_room([(one, other), (one, one), (one, {"9": True})])
    assert found is not None
    assert (found.n, found.room) == (2, 0.25)
