"""GGS and the Guide Tax."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.metrics import GAMMA, SWEEP, ggs, guide_tax

unit = st.floats(0, 1)


def test_the_papers_formula() -> None:
    assert GAMMA == 0.4
    assert ggs(True, 0.5) == pytest.approx(0.4 + 0.6 * 0.5)
    assert ggs(False, 1.0) == 0
    assert guide_tax(True, 0.5) == pytest.approx(0.3)
    assert guide_tax(False, 0.5) == 0


@given(st.booleans(), unit, unit)
def test_ggs_lies_between_nothing_and_success(success: bool, g: float, gamma: float) -> None:
    assert 0 <= ggs(success, g, gamma) <= success
    assert ggs(success, g, 1.0) == success
    assert guide_tax(success, g, gamma) + ggs(success, g, gamma) == pytest.approx(float(success))


def test_the_sweep_runs_from_0_to_1_and_holds_the_papers_gamma() -> None:
    assert SWEEP[0] == 0
    assert SWEEP[-1] == 1
    assert GAMMA in SWEEP


@pytest.mark.parametrize(("g", "gamma"), [(1.1, 0.4), (-0.1, 0.4), (0.5, 1.5), (float("nan"), 0.4)])
def test_values_outside_the_range_are_refused(g: float, gamma: float) -> None:
    with pytest.raises(ValueError, match="outside"):
        ggs(True, g, gamma)
