"""Groups of episodes at the same task, and what becomes of each: numpy alone, for the built-in agent and real models.

A group is a task's on-policy rollouts and, beside them, at most so many cached expert episodes (MAG: 6 and 2). What a
group learns from is how its rewards differ, so a group whose rewards are all alike is *dead*: dropped and counted. An
episode that ended in an infrastructure error has no reward: it is masked, in no mean, and counted.

    formed = form_groups(rollouts, experts, turn=round_number)
    rows = rows_of(formed.groups, unit="episodes")      # flat arrays, one row a step, for `advantages.terms`
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from guideact.train.advantages import advantages, token_weights
from guideact.train.objective import EXPERTS, Unit

Floats = npt.NDArray[np.float64]
Index = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Scalar = TypeVar("Scalar", bound=np.generic)


@dataclass(frozen=True)
class Rollout:
    """An episode as its group sees it."""

    task_id: str
    key: str
    """Names the episode; its trainer finds the rows by it."""
    reward: float | None
    """None after an infrastructure error."""
    lengths: tuple[int, ...]
    """Of each step, in order, the tokens that are trained on (for the built-in agent: choices). 0 is allowed."""
    expert: bool = False


@dataclass(frozen=True)
class Group:
    """Episodes at one task that learn from each other."""

    task_id: str
    members: tuple[Rollout, ...]
    """On-policy ones first. None of them is without a reward."""
    advantages: Floats
    """Shape (members,). Of an expert that stands apart: 1."""


@dataclass(frozen=True)
class Counts:
    """What became of the groups and episodes of a round."""

    groups: int
    live: int
    """Groups in which the rewards that the advantages come from differ."""
    all_failed: int
    """Dead: every reward is 0."""
    all_solved: int
    """Dead: every reward is alike, and above 0."""
    lost: int
    """Dead: no rollout is left after infrastructure errors."""
    episodes: int
    """On-policy ones, errors included."""
    errors: int
    solved: int
    """On-policy ones with a reward above 0."""
    experts: int
    """Expert episodes that are trained on."""
    trained: int
    """Episodes that are trained on, experts included."""
    variance: float
    """Mean over all groups of the population variance of the rewards that the advantages come from."""

    @property
    def dead(self) -> int:
        return self.all_failed + self.all_solved + self.lost

    @property
    def dead_share(self) -> float:
        return self.dead / self.groups if self.groups else 0.0

    @property
    def success_rate(self) -> float | None:
        """Of the on-policy episodes that have a reward; None where none has."""
        scored = self.episodes - self.errors
        return self.solved / scored if scored else None

    @property
    def expert_share(self) -> float:
        """Of the episodes that are trained on."""
        return self.experts / self.trained if self.trained else 0.0


@dataclass(frozen=True)
class Formed:
    """The groups that a round can learn from, in the order in which their tasks came, and the count of all."""

    groups: tuple[Group, ...]
    counts: Counts


def form_groups(
    rollouts: Iterable[Rollout],
    experts: Mapping[str, Sequence[Rollout]] | None = None,
    *,
    most_experts: int = EXPERTS,
    turn: int = 0,
    apart: bool = False,
) -> Formed:
    """Put the on-policy rollouts of a round into groups by task, with cached experts beside them.

    Args:
        rollouts: of any tasks, in any order; their order within a task is kept.
        experts: task id -> its cached expert episodes, each with a reward.
        most_experts: beside a group. Where more are cached, they take turns by `turn`.
        turn: number of the round.
        apart: the experts stand beside the group and not in it: they are in no mean, their advantage is 1, and they are
            trained on even where the group is dead. This is what cross-entropy on experts needs; see `advantages`.

    Raises:
        ValueError: an expert without a reward, a rollout that is marked as expert or the other way round, or a key
            that names two episodes.
    """
    by_task: dict[str, list[Rollout]] = {}
    for each in rollouts:
        by_task.setdefault(each.task_id, []).append(each)
    cached = experts or {}
    groups: list[Group] = []
    variances: list[float] = []
    fates = {"live": 0, "all_failed": 0, "all_solved": 0, "lost": 0}
    for task_id, own in by_task.items():
        beside = _in_turn(cached.get(task_id, ()), most_experts, turn)
        _refuse_mixed(own, beside)
        scored = tuple(each for each in own if each.reward is not None)
        judged = scored if apart else (*scored, *beside)
        rewards = np.array([each.reward for each in judged], np.float64)
        live = bool(scored) and bool((rewards != rewards[0]).any())
        variances.append(float(rewards.var()) if scored else 0.0)
        fates["live" if live else "lost" if not scored else "all_solved" if rewards[0] > 0 else "all_failed"] += 1
        members = judged if live else ()
        found = advantages(rewards) if live else np.zeros(0)
        if apart and beside:
            members, found = (*members, *beside), np.concatenate([found, np.ones(len(beside))])
        if members:
            groups.append(Group(task_id, members, found))
    everyone = [each for own in by_task.values() for each in own]
    trained = [member for group in groups for member in group.members]
    counts = Counts(
        groups=len(by_task),
        live=fates["live"],
        all_failed=fates["all_failed"],
        all_solved=fates["all_solved"],
        lost=fates["lost"],
        episodes=len(everyone),
        errors=sum(each.reward is None for each in everyone),
        solved=sum(each.reward is not None and each.reward > 0 for each in everyone),
        experts=sum(each.expert for each in trained),
        trained=len(trained),
        variance=float(np.mean(variances)) if variances else 0.0,
    )
    return Formed(tuple(groups), counts)


def experts_alone(experts: Mapping[str, Sequence[Rollout]], *, most_experts: int = EXPERTS, turn: int = 0) -> Formed:
    """Groups of experts without any rollouts, each with an advantage of 1: imitation, for comparison with GRPO.

    The same experts take their turn as in `form_groups`. A task without experts makes no group.
    """
    groups = tuple(
        Group(task_id, beside, np.ones(len(beside)))
        for task_id, cached in experts.items()
        if (beside := _in_turn(cached, most_experts, turn))
    )
    shown = sum(len(group.members) for group in groups)
    return Formed(groups, Counts(0, 0, 0, 0, 0, 0, 0, 0, experts=shown, trained=shown, variance=0.0))


def _in_turn(cached: Sequence[Rollout], most: int, turn: int) -> tuple[Rollout, ...]:
    """At most so many of them, beginning with another one each time."""
    start = turn * most % len(cached) if cached and most else 0
    return tuple(cached[(start + number) % len(cached)] for number in range(min(most, len(cached))))


def _refuse_mixed(own: Sequence[Rollout], beside: Sequence[Rollout]) -> None:
    if any(each.expert for each in own) or not all(each.expert for each in beside):
        raise ValueError(f"{own[0].task_id}: rollouts and experts are mixed up")
    if any(each.reward is None for each in beside):
        raise ValueError(f"{own[0].task_id}: an expert has no reward")
    keys = [each.key for each in (*own, *beside)]
    if len(set(keys)) != len(keys):
        raise ValueError(f"{own[0].task_id}: a key names two episodes")


# --- rows ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rows:
    """The steps of all members of some groups, flat. Arrays have the shape (rows,)."""

    keys: tuple[tuple[str, int], ...]
    """(the episode's key, number of the step), for each row."""
    episode: Index
    """Number of the episode, 0-based; an episode's rows stand together."""
    lengths: Index
    """Tokens of the row that are trained on."""
    advantage: Floats
    weight: Floats
    """What the loss of each of the row's tokens is multiplied by; see `advantages.token_weights`."""
    expert: Flags

    def __len__(self) -> int:
        return len(self.keys)

    def per_token(self, values: npt.NDArray[Scalar]) -> npt.NDArray[Scalar]:
        """Values of rows repeated for each of their tokens: shape (rows,) -> (tokens,)."""
        return np.repeat(values, self.lengths)


def rows_of(groups: Sequence[Group], unit: Unit) -> Rows:
    """All steps of the groups' members, in the order of groups, members and steps; weights add up to 1 over tokens."""
    members = [(member, gain) for group in groups for member, gain in zip(group.members, group.advantages, strict=True)]
    steps = [len(member.lengths) for member, _ in members]
    lengths = np.array([length for member, _ in members for length in member.lengths], np.int64)
    episode = np.repeat(np.arange(len(members), dtype=np.int64), steps)
    return Rows(
        keys=tuple((member.key, step) for member, _ in members for step in range(len(member.lengths))),
        episode=episode,
        lengths=lengths,
        advantage=np.repeat(np.array([gain for _, gain in members], np.float64), steps),
        weight=token_weights(episode, lengths, unit),
        expert=np.repeat(np.array([member.expert for member, _ in members], np.bool_), steps),
    )
