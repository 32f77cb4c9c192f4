"""A round of training on rewards: its tasks, its episodes, their rewards and groups, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.agent import ModelAgents
from guideact.harness.log import read_episodes
from guideact.harness.memory import UNREADABLE, memory_line
from guideact.harness.runner import Watcher
from guideact.metrics import action_mix
from guideact.models.builtin import BuiltinModel
from guideact.models.builtin.policy import VALUE_HEADS, Policy
from guideact.train.chain import Chain, expert_chain, sampled_chain
from guideact.train.experts import Expert, Experts, observation_of
from guideact.train.groups import Counts, Formed, Rollout, experts_alone, form_groups
from guideact.train.learner import Learned
from guideact.train.live import Play
from guideact.train.settings import GrpoSettings, RoundRecord
from guideact.types import Episode, Task

Chains = dict[tuple[str, int], Chain]
"""(key of the episode, number of the step) -> its chain."""


@dataclass(frozen=True)
class Round:
    """What a round can learn from."""

    formed: Formed
    chains: Chains
    missed: int
    """Choices of the experts that this policy cannot take."""


def tasks_of_round(tasks: Sequence[Task], count: int, number: int, seed: int) -> tuple[Task, ...]:
    """The tasks of a round: the next `count` of an endless row of shuffles, so each comes once before any twice.

    Where two shuffles meet within a round, a task can come up twice; the round then is that much smaller.
    """
    count = min(count, len(tasks))
    places = range(number * count, (number + 1) * count)
    turns = {place // len(tasks) for place in places}
    orders = {turn: np.random.default_rng((seed, turn, 1)).permutation(len(tasks)) for turn in turns}
    chosen = dict.fromkeys(int(orders[place // len(tasks)][place % len(tasks)]) for place in places)
    return tuple(tasks[place] for place in chosen)


async def roll_out(
    policy: Policy, settings: GrpoSettings, tasks: Sequence[Task], folder: Path, watcher: Watcher, play: Play
) -> tuple[Episode, ...]:
    """The on-policy episodes of a round, by task and sample. Raises InputError where some of them have vanished."""
    number = int(folder.name)
    config = RunConfig(
        model=f"builtin/round-{number:03}.npz",  # the policy of the round, which lies in no file
        temperature=1.0,
        seed=(settings.seed * 10_000 + number) * 100,
        screenshots=False,
        epochs=settings.rollouts,
        max_samples=settings.max_samples,
    )
    agents = ModelAgents(BuiltinModel(config.model, policy), config, logprobs=True)
    await play(tasks, agents, config, folder, watcher)
    episodes = tuple(sorted(read_episodes(folder), key=lambda episode: (episode.task_id, episode.sample)))
    if len(episodes) != len(tasks) * settings.rollouts:
        raise InputError(
            f"{folder} holds {len(episodes)} of {len(tasks) * settings.rollouts} episodes",
            fix="Was it changed meanwhile? The same command goes on.",
        )
    return episodes


def form_round(
    policy: Policy,
    settings: GrpoSettings,
    number: int,
    folder: Path,
    episodes: Sequence[Episode],
    tasks: Sequence[Task],
    experts: Experts,
) -> Round:
    """The groups of a round and the chains of their rows. `folder` is the run that holds the episodes' observations."""
    chains: Chains = {}
    rollouts = []
    for episode, reward in zip(episodes, rewards_of(episodes, settings, number), strict=True):
        key = f"{episode.task_id}/{episode.sample}"
        own = _chains(policy, folder, episode) if reward is not None else ()
        chains |= {(key, step): chain for step, chain in enumerate(own)}
        rollouts.append(Rollout(episode.task_id, key, reward, tuple(map(len, own))))
    cached: dict[str, list[Rollout]] = {}
    missed = 0
    for task in tasks:
        for expert in experts.of(task.id):
            own = expert_chains(policy, task, expert)
            missed += sum(_choices_of(step.action.verb) for step in expert.steps) - sum(map(len, own))
            chains |= {(expert.key, step): chain for step, chain in enumerate(own)}
            cached.setdefault(task.id, []).append(Rollout(task.id, expert.key, 1.0, tuple(map(len, own)), expert=True))
    most, apart = settings.most_experts, settings.expert_loss == "cross_entropy"
    if settings.rollouts:
        formed = form_groups(rollouts, cached, most_experts=most, turn=number, apart=apart)
    else:
        formed = experts_alone(cached, most_experts=most, turn=number)
    return Round(formed, chains, missed)


def rewards_of(episodes: Sequence[Episode], settings: GrpoSettings, number: int) -> list[float | None]:
    """The reward of each episode, None after an infrastructure error.

    `shuffled` deals the rewards of the whole round out anew: as many successes as before, at other episodes.
    """
    rewards = [None if episode.check is None else float(episode.success) for episode in episodes]
    if settings.reward == "success":
        return rewards
    known = [reward for reward in rewards if reward is not None]
    dealt = iter(np.random.default_rng((settings.seed, number, 2)).permutation(known))
    return [None if reward is None else float(next(dealt)) for reward in rewards]


def _chains(policy: Policy, folder: Path, episode: Episode) -> tuple[Chain, ...]:
    """The chain of each step of an episode that this policy sampled."""
    memory: list[str] = []
    chains = []
    for step in episode.steps:
        seen = observation_of(folder, step.observation)
        chains.append(sampled_chain(policy, episode.intent, seen, tuple(memory), step))
        line = memory_line(step, seen, "guides", "")
        if line is not None:
            memory.append(line)
    return tuple(chains)


def expert_chains(policy: Policy, task: Task, expert: Expert) -> tuple[Chain, ...]:
    """The same of an expert, whose own first sentences are its memory."""
    memory: list[str] = []
    chains = []
    for step in expert.steps:
        chains.append(
            expert_chain(policy, task.intent, step.observation, tuple(memory), step.action, step.guides, step.sampled)
        )
        memory.append(next(filter(None, step.guides), UNREADABLE))
    return tuple(chains)


def _choices_of(verb: str) -> int:
    """Choices of a step of this verb: act and sentence, and a value where the verb takes one."""
    return 2 + (verb in VALUE_HEADS)


def record_of(
    number: int,
    tasks: Sequence[Task],
    counts: Counts,
    episodes: Sequence[Episode],
    learned: Learned,
    missed: int,
    seconds_rollouts: float,
    seconds_update: float,
) -> RoundRecord:
    """The line that rounds.jsonl gets."""
    scored = [episode for episode in episodes if episode.check is not None]
    steps = [step for episode in scored for step in episode.steps]
    return RoundRecord(
        round=number,
        tasks=tuple(task.id for task in tasks),
        success_rate=counts.success_rate,
        reward_variance=counts.variance,
        groups=counts.groups,
        live=counts.live,
        all_failed=counts.all_failed,
        all_solved=counts.all_solved,
        lost=counts.lost,
        dead_share=counts.dead_share,
        episodes=counts.episodes,
        errors=counts.errors,
        trained=counts.trained,
        expert_share=counts.expert_share,
        expert_choices_missed=missed,
        actions={verb: count / len(steps) for verb, count in action_mix(steps).items()},
        steps=len(steps) / len(scored) if scored else None,
        entropy=learned.entropy,
        kl=learned.kl,
        updates=learned.updates,
        loss=learned.loss,
        clipped=learned.clipped,
        seconds_rollouts=round(seconds_rollouts, 2),
        seconds_update=round(seconds_update, 2),
    )
