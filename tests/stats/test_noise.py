"""The noise floor."""

import numpy as np
import pytest

from guideact.stats import noise_floor


def test_by_hand() -> None:
    found = noise_floor({"a": {0: 1.0, 1: 0.0}, "b": {0: 1.0, 1: 1.0}, "once": {0: 0.0}})
    assert found is not None
    assert found.n == 2
    assert found.repeats == (1.0, 0.5)
    # Task a has variance 1/2, task b none: sqrt(1/2) / 2.
    assert found.sd == pytest.approx(0.5**0.5 / 2)


def test_without_repeats_there_is_none() -> None:
    assert noise_floor({"a": {0: 1.0}}) is None
    assert noise_floor({}) is None


def test_it_finds_how_far_repeats_really_scatter() -> None:
    rng = np.random.default_rng(11)
    rates = rng.random(60)
    runs = rng.random((4000, 60)) < rates
    true = runs.mean(axis=1).std(ddof=1)
    squares = []
    for three in runs[:1200].reshape(400, 3, 60):
        table = {f"{task}": {s: float(three[s, task]) for s in range(3)} for task in range(60)}
        found = noise_floor(table)
        assert found is not None
        squares.append(found.sd**2)
    assert np.sqrt(np.mean(squares)) == pytest.approx(true, rel=0.05)
