"""Krippendorff's alpha against his own worked example and an independent implementation."""

from __future__ import annotations

import random

import krippendorff
import pytest

from guideact.stats.agreement import krippendorff_alpha, share_alike
from guideact.stats.bootstrap import Resampling

# Krippendorff (2018), the four observers and twelve units of chapter 12; "" is a missing value.
OBSERVERS = (
    ("1", "2", "3", "3", "2", "1", "4", "1", "2", "", "", ""),
    ("1", "2", "3", "3", "2", "2", "4", "1", "2", "5", "", "3"),
    ("", "3", "3", "3", "2", "3", "4", "2", "2", "5", "1", ""),
    ("1", "2", "3", "3", "2", "4", "4", "1", "2", "5", "1", ""),
)
FEW = Resampling(resamples=500)


def _units(observers: tuple[tuple[str, ...], ...]) -> list[tuple[str, list[str]]]:
    return [(f"u{i}", [label for label in labels if label]) for i, labels in enumerate(zip(*observers, strict=True))]


def test_the_worked_example_of_the_book() -> None:
    found = krippendorff_alpha(_units(OBSERVERS), FEW)
    assert found.value == pytest.approx(0.743, abs=0.0005)
    assert found.n == 11
    assert found.low is not None
    assert found.high is not None
    assert found.low < 0.743 < found.high <= 1


@pytest.mark.parametrize("seed", range(5))
def test_against_another_implementation(seed: int) -> None:
    draw = random.Random(seed)
    observers = tuple(tuple(draw.choice(["accept", "edit", "reject", ""]) for _ in range(40)) for _ in range(3))
    found = krippendorff_alpha(_units(observers), FEW).value
    numbers = {"accept": 0.0, "edit": 1.0, "reject": 2.0, "": float("nan")}
    theirs = krippendorff.alpha(
        reliability_data=[[numbers[label] for label in row] for row in observers], level_of_measurement="nominal"
    )
    assert found == pytest.approx(theirs)


def test_one_kind_of_label_says_nothing() -> None:
    assert krippendorff_alpha([("a", ["accept", "accept"]), ("b", ["accept", "accept"])], FEW).value is None
    assert krippendorff_alpha([("a", ["accept"])], FEW).value is None


def test_the_interval_is_over_clusters_not_units() -> None:
    # Twenty units that are copies of each other within two tasks are no more evidence than the two tasks.
    units = [("a", ["x", "x"])] * 10 + [("b", ["x", "y"])] * 10
    wide = krippendorff_alpha(units, FEW)
    narrow = krippendorff_alpha([(f"{c}{i}", labels) for i, (c, labels) in enumerate(units)], FEW)
    assert wide.low is not None
    assert wide.high is not None
    assert narrow.low is not None
    assert narrow.high is not None
    assert wide.high - wide.low > narrow.high - narrow.low
    assert wide.clusters == 2


def test_the_share_alike() -> None:
    assert share_alike({"a": ["x", "x"], "b": ["x", "y"], "c": ["x"]}) == 0.5
    assert share_alike({"c": ["x"]}) is None
