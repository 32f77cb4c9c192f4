"""pass@k."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.stats import pass_at_k


@given(st.lists(st.booleans(), min_size=1, max_size=9), st.data())
def test_it_is_the_share_of_choices_that_hold_a_success(attempts: list[bool], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, len(attempts)))
    choices = list(itertools.combinations(attempts, k))
    expected = sum(map(any, choices)) / len(choices)
    assert pass_at_k(len(attempts), sum(attempts), k) == pytest.approx(expected)


def test_pass_at_1_is_the_success_rate_and_more_attempts_than_failures_are_sure() -> None:
    assert pass_at_k(6, 2, 1) == pytest.approx(2 / 6)
    assert pass_at_k(6, 2, 5) == 1
    assert pass_at_k(6, 0, 6) == 0


@pytest.mark.parametrize(("attempts", "successes", "k"), [(3, 1, 4), (3, 1, 0), (3, 4, 1), (3, -1, 1)])
def test_what_cannot_be_estimated_is_refused(attempts: int, successes: int, k: int) -> None:
    with pytest.raises(ValueError, match="attempts"):
        pass_at_k(attempts, successes, k)
