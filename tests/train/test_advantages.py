"""Advantages, weights and the loss of a round: by hand, by differences, and by what must hold for any round."""

from __future__ import annotations

from typing import get_args

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guideact.train.advantages import advantages, terms, token_weights
from guideact.train.objective import ExpertLoss, Objective, Unit

Floats = npt.NDArray[np.float64]
UNITS: tuple[Unit, ...] = get_args(Unit)


# --- advantages ---------------------------------------------------------------------------------------------------


def test_two_experts_beside_six_failures() -> None:
    """MAG's case: the mean is 2/8."""
    assert advantages(np.array([0.0] * 6 + [1.0] * 2)) == pytest.approx([-0.25] * 6 + [0.75] * 2)


def test_nothing_is_divided_by_the_spread() -> None:
    assert advantages(np.array([0.0, 0.0, 0.0, 1.0])) == pytest.approx([-0.25, -0.25, -0.25, 0.75])
    assert advantages(np.array([0.0, 100.0])) == pytest.approx([-50, 50])


@settings(deadline=None)
@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=8))
def test_advantages_add_up_to_nothing_and_keep_the_order(rewards: list[float]) -> None:
    found = advantages(np.array(rewards))
    assert found.sum() == pytest.approx(0, abs=1e-12)
    assert all(gain > 0 for gain, reward in zip(found, rewards, strict=True) if reward == 1 and 0 in rewards)
    assert len(set(rewards)) > 1 or (found == 0).all()


# --- weights ------------------------------------------------------------------------------------------------------

EPISODE = np.array([0, 0, 0, 1])
LENGTHS = np.array([2, 3, 1, 4])
"""An episode of three steps with 6 tokens, and one of a single step with 4."""


@pytest.mark.parametrize(
    ("unit", "expected"),
    [
        ("tokens", [1 / 10, 1 / 10, 1 / 10, 1 / 10]),
        ("rows", [1 / 8, 1 / 12, 1 / 4, 1 / 16]),
        ("episodes", [1 / 12, 1 / 12, 1 / 12, 1 / 8]),
    ],
)
def test_weights_by_hand(unit: Unit, expected: list[float]) -> None:
    assert token_weights(EPISODE, LENGTHS, unit) == pytest.approx(expected)


def test_a_failure_of_25_steps_does_not_outweigh_a_success_of_8() -> None:
    episode, lengths = np.repeat([0, 1], [25, 8]), np.full(33, 3)
    pull = {unit: token_weights(episode, lengths, unit) * lengths for unit in UNITS}
    assert pull["episodes"][:25].sum() == pytest.approx(pull["episodes"][25:].sum())
    assert pull["rows"][:25].sum() == pytest.approx(25 / 8 * pull["rows"][25:].sum())
    assert pull["tokens"][:25].sum() == pytest.approx(25 / 8 * pull["tokens"][25:].sum())


rounds = st.lists(st.lists(st.integers(0, 6), min_size=1, max_size=5), min_size=1, max_size=6)
"""Episodes, each with the number of tokens of its steps."""


@settings(deadline=None)
@given(rounds, st.sampled_from(UNITS))
def test_weights_add_up_to_one_over_all_tokens(episodes: list[list[int]], unit: Unit) -> None:
    lengths = np.array([length for steps in episodes for length in steps])
    episode = np.repeat(np.arange(len(episodes)), [len(steps) for steps in episodes])
    weights = token_weights(episode, lengths, unit)
    assert (weights * lengths).sum() == pytest.approx(1.0 if lengths.any() else 0.0)
    assert ((weights > 0) == (lengths > 0)).all()
    shares = np.bincount(episode, weights=weights * lengths)
    if unit == "episodes":
        counted = shares[shares > 0]
        assert counted == pytest.approx(np.full(len(counted), 1 / max(len(counted), 1)))


def test_shapes_that_differ_are_refused() -> None:
    with pytest.raises(ValueError, match="numbers of episodes"):
        token_weights(np.array([0, 0]), np.array([1]), "rows")


# --- the loss -----------------------------------------------------------------------------------------------------

NONE = np.zeros(4, np.bool_)
GAIN = np.array([0.75, 0.75, -0.25, -0.25])
WEIGHT = np.array([0.1, 0.2, 0.3, 0.4])


def test_before_the_first_update_the_slope_is_that_of_reinforce() -> None:
    log_p = np.log([0.9, 0.5, 0.2, 0.01])
    found = terms(log_p, log_p, GAIN, WEIGHT, NONE, Objective())
    assert found.slope == pytest.approx(-WEIGHT * GAIN)
    assert found.loss == pytest.approx(-WEIGHT * GAIN)


def test_clipping_stops_what_has_gone_far_enough_and_not_what_comes_back() -> None:
    old = np.log(np.full(4, 0.5))
    log_p = np.log([0.7, 0.3, 0.3, 0.7])  # ratios 1.4, .6, .6, 1.4
    found = terms(log_p, old, GAIN, WEIGHT, NONE, Objective(clip=0.2))
    assert list(found.clipped) == [True, False, True, False]
    assert found.slope == pytest.approx([0, -0.2 * 0.75 * 0.6, 0, 0.4 * 0.25 * 1.4])
    assert found.loss == pytest.approx([-0.1 * 0.75 * 1.2, -0.2 * 0.75 * 0.6, 0.3 * 0.25 * 0.8, 0.4 * 0.25 * 1.4])
    free = terms(log_p, old, GAIN, WEIGHT, NONE, Objective())
    assert free.slope == pytest.approx(-WEIGHT * GAIN * [1.4, 0.6, 0.6, 1.4])
    assert not free.clipped.any()


def test_the_kl_term_is_never_negative_and_nothing_at_the_reference() -> None:
    log_p, reference = np.log([0.5, 0.5, 0.1, 0.9]), np.log([0.5, 0.25, 0.4, 0.9])
    bare = terms(log_p, log_p, GAIN, WEIGHT, NONE, Objective())
    found = terms(log_p, log_p, GAIN, WEIGHT, NONE, Objective(kl=0.5), reference=reference)
    extra = found.loss - bare.loss
    assert extra == pytest.approx([0, 0.2 * 0.5 * (0.5 - np.log(0.5) - 1), 0.3 * 0.5 * (4 - np.log(4) - 1), 0])
    assert found.slope - bare.slope == pytest.approx([0, 0.2 * 0.5 * 0.5, 0.3 * 0.5 * -3, 0])


def test_experts_three_ways() -> None:
    expert = np.array([True, True, False, False])
    log_p = np.log([0.2, 0.9, 0.5, 0.5])
    by_hand = {
        "plain": [-0.1 * 0.75, -0.2 * 0.75],
        "importance": [-0.1 * 0.75 * 0.2, -0.2 * 0.75 * 0.9],
        "cross_entropy": [-0.1, -0.2],
    }
    for kind in get_args(ExpertLoss):
        found = terms(log_p, log_p, GAIN, WEIGHT, expert, Objective(experts=kind), behaviour=np.zeros(4))
        assert found.slope[:2] == pytest.approx(by_hand[kind]), kind
        assert found.slope[2:] == pytest.approx([0.3 * 0.25, 0.4 * 0.25]), kind


def test_an_expert_that_was_unsure_counts_no_more_than_once() -> None:
    log_p, behaviour = np.log([0.8, 0.8, 0.5, 0.5]), np.log([0.2, 0.8, 0.5, 0.5])
    found = terms(log_p, log_p, GAIN, WEIGHT, ~NONE, Objective(experts="importance"), behaviour=behaviour)
    assert found.slope == pytest.approx(-WEIGHT * GAIN)


def test_the_kl_term_and_clipping_leave_experts_alone() -> None:
    old, log_p = np.log(np.full(4, 0.5)), np.log([0.9, 0.9, 0.1, 0.1])
    for kind in ("importance", "cross_entropy"):
        objective = Objective(clip=0.1, kl=1.0, experts=kind)
        found = terms(log_p, old, GAIN, WEIGHT, ~NONE, objective, reference=old, behaviour=np.zeros(4))
        bare = terms(log_p, old, GAIN, WEIGHT, ~NONE, Objective(experts=kind), behaviour=np.zeros(4))
        assert found.slope == pytest.approx(bare.slope)
        assert not found.clipped.any()
    plain = terms(log_p, old, GAIN, WEIGHT, ~NONE, Objective(clip=0.1, kl=1.0), reference=old)
    assert plain.clipped.all(), "plain mixing is to treat them like any other token"


def test_what_is_missing_is_said() -> None:
    with pytest.raises(ValueError, match="reference"):
        terms(GAIN, GAIN, GAIN, WEIGHT, NONE, Objective(kl=0.1))
    with pytest.raises(ValueError, match="log-probabilities of the expert"):
        terms(GAIN, GAIN, GAIN, WEIGHT, NONE, Objective(experts="importance"))


logs = st.floats(-3, 0)
tokens = st.lists(
    st.tuples(logs, logs, logs, logs, st.floats(-1, 1), st.floats(0.01, 1), st.booleans()), min_size=1, max_size=6
)


@settings(deadline=None)
@given(tokens, st.sampled_from([None, 0.1, 0.3]), st.sampled_from([0.0, 0.4]), st.sampled_from(get_args(ExpertLoss)))
def test_the_slope_is_the_derivative_of_the_loss(
    drawn: list[tuple[float, ...]], clip: float | None, kl: float, experts: ExpertLoss
) -> None:
    columns = [np.array(column) for column in zip(*drawn, strict=True)]
    log_p, old, reference, behaviour, gain, weight, expert = columns
    objective = Objective(clip=clip, kl=kl, experts=experts)

    def at(moved: Floats) -> Floats:
        return terms(moved, old, gain, weight, expert, objective, reference=reference, behaviour=behaviour).loss

    step = 1e-6
    found = terms(log_p, old, gain, weight, expert, objective, reference=reference, behaviour=behaviour)
    ratio = np.exp(log_p - old)
    # At the edge of the clip the loss has a kink, and where an expert was as sure as the policy a seam.
    smooth = np.abs(log_p - behaviour) > 2 * step
    for edge in () if clip is None else (1 - clip, 1 + clip):
        smooth &= np.abs(ratio - edge) > 1e-4
    slope = (at(log_p + step) - at(log_p - step)) / (2 * step)
    assert found.slope[smooth] == pytest.approx(slope[smooth], rel=1e-4, abs=1e-6)
