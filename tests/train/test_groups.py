"""Groups of a round: which are dead, who is masked, what is counted, and the rows they become."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guideact.train.groups import Rollout, form_groups, rows_of


def rollouts(task_id: str, rewards: Sequence[float | None], lengths: tuple[int, ...] = (2, 3)) -> list[Rollout]:
    return [Rollout(task_id, f"{task_id}/{number}", reward, lengths) for number, reward in enumerate(rewards)]


def experts(task_id: str, count: int) -> list[Rollout]:
    return [Rollout(task_id, f"{task_id}/expert{number}", 1.0, (2,), expert=True) for number in range(count)]


def test_a_group_that_fails_altogether_is_dead_and_an_expert_wakes_it() -> None:
    own = rollouts("a", [0.0] * 6)
    dead = form_groups(own)
    assert dead.groups == ()
    assert (dead.counts.all_failed, dead.counts.live, dead.counts.variance) == (1, 0, 0)
    assert dead.counts.dead_share == 1
    alive = form_groups(own, {"a": experts("a", 2)})
    assert [member.key for member in alive.groups[0].members[6:]] == ["a/expert0", "a/expert1"]
    assert alive.groups[0].advantages == pytest.approx([-0.25] * 6 + [0.75] * 2)
    assert alive.counts.variance == pytest.approx(0.25 * 0.75)
    assert alive.counts.expert_share == pytest.approx(2 / 8)
    assert alive.counts.success_rate == 0, "experts are no success of the policy"


def test_a_group_that_succeeds_altogether_is_dead_whatever_the_experts_do() -> None:
    formed = form_groups(rollouts("a", [1.0] * 6), {"a": experts("a", 2)})
    assert formed.groups == ()
    assert formed.counts.all_solved == 1
    assert formed.counts.experts == 0


def test_errors_are_masked_and_counted() -> None:
    formed = form_groups(rollouts("a", [None, 0.0, 1.0, None, 0.0, 0.0]))
    (group,) = formed.groups
    assert [member.key for member in group.members] == ["a/1", "a/2", "a/4", "a/5"]
    assert group.advantages == pytest.approx([-0.25, 0.75, -0.25, -0.25])
    assert (formed.counts.episodes, formed.counts.errors, formed.counts.solved) == (6, 2, 1)
    assert formed.counts.success_rate == pytest.approx(1 / 4)


def test_a_group_of_errors_alone_is_lost_even_beside_experts() -> None:
    formed = form_groups(rollouts("a", [None, None]), {"a": experts("a", 2)})
    assert formed.groups == ()
    assert (formed.counts.lost, formed.counts.dead, formed.counts.success_rate) == (1, 1, None)


def test_at_most_two_experts_who_take_turns() -> None:
    cached = {"a": experts("a", 3)}
    seen = [
        [member.key[-1] for member in form_groups(rollouts("a", [0.0]), cached, turn=turn).groups[0].members[1:]]
        for turn in range(3)
    ]
    assert seen == [["0", "1"], ["2", "0"], ["1", "2"]]
    assert form_groups(rollouts("a", [0.0]), cached, most_experts=0).groups == ()


def test_experts_apart_are_in_no_mean_and_are_trained_on_all_the_same() -> None:
    formed = form_groups(
        [*rollouts("a", [0.0, 1.0]), *rollouts("b", [0.0, 0.0])],
        {"a": experts("a", 1), "b": experts("b", 1)},
        apart=True,
    )
    first, second = formed.groups
    assert first.advantages == pytest.approx([-0.5, 0.5, 1])
    assert [member.key for member in second.members] == ["b/expert0"]
    assert second.advantages == pytest.approx([1])
    assert (formed.counts.live, formed.counts.all_failed, formed.counts.experts) == (1, 1, 2)


def test_rows_by_hand() -> None:
    formed = form_groups(rollouts("a", [0.0, 1.0], lengths=(2, 0, 1)), {"a": experts("a", 1)})
    rows = rows_of(formed.groups, "episodes")
    assert rows.keys == (
        ("a/0", 0), ("a/0", 1), ("a/0", 2), ("a/1", 0), ("a/1", 1), ("a/1", 2), ("a/expert0", 0),
    )  # fmt: skip
    assert list(rows.episode) == [0, 0, 0, 1, 1, 1, 2]
    assert list(rows.lengths) == [2, 0, 1, 2, 0, 1, 2]
    assert rows.advantage == pytest.approx([-2 / 3] * 3 + [1 / 3] * 4)
    assert list(rows.expert) == [False] * 6 + [True]
    assert rows.weight == pytest.approx([1 / 9, 0, 1 / 9, 1 / 9, 0, 1 / 9, 1 / 6])
    assert list(rows.per_token(rows.episode)) == [0, 0, 0, 1, 1, 1, 2, 2]


def test_nothing_is_mixed_up() -> None:
    with pytest.raises(ValueError, match="mixed up"):
        form_groups(experts("a", 1))
    with pytest.raises(ValueError, match="mixed up"):
        form_groups(rollouts("a", [0.0]), {"a": rollouts("a", [1.0])})
    with pytest.raises(ValueError, match="names two"):
        form_groups(rollouts("a", [0.0]) * 2)
    unknown = Rollout("a", "x", None, (1,), expert=True)
    with pytest.raises(ValueError, match="no reward"):
        form_groups(rollouts("a", [0.0]), {"a": [unknown]})


tasks = st.lists(
    st.tuples(st.lists(st.sampled_from([None, 0.0, 1.0]), min_size=1, max_size=6), st.integers(0, 3)),
    min_size=1,
    max_size=5,
)


@settings(deadline=None)
@given(tasks, st.booleans(), st.integers(0, 4))
def test_every_group_and_episode_is_accounted_for(
    drawn: list[tuple[list[float | None], int]], apart: bool, turn: int
) -> None:
    own = [each for number, (rewards, _) in enumerate(drawn) for each in rollouts(f"t{number}", rewards)]
    cached = {f"t{number}": experts(f"t{number}", count) for number, (_, count) in enumerate(drawn) if count}
    formed = form_groups(own, cached, turn=turn, apart=apart)
    counts = formed.counts
    assert counts.groups == counts.live + counts.dead == len(drawn)
    assert counts.episodes == len(own)
    for group in formed.groups:
        on_policy = [gain for m, gain in zip(group.members, group.advantages, strict=True) if not (apart and m.expert)]
        assert sum(on_policy) == pytest.approx(0, abs=1e-12)
        assert sum(member.expert for member in group.members) <= 2
        assert all(member.reward is not None for member in group.members)
    rows = rows_of(formed.groups, "episodes")
    assert len(rows) == sum(len(m.lengths) for group in formed.groups for m in group.members)
    assert counts.trained == len(np.unique(rows.episode))
    # The order of tasks changes nothing but the order of groups.
    again = form_groups(own[::-1], cached, turn=turn, apart=apart)
    assert again.counts.live == counts.live
    assert again.counts.variance == pytest.approx(counts.variance)
