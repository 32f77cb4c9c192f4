"""Train the built-in agent's guides on rewards that need no site: at steps of frozen demonstrations, one at a time.

A group is a step of a demonstration, seen as it was demonstrated, with gold guides as memory. The agent plans some
guides for it at temperature 1, each guide earns a reward, and its advantage is the reward less the group's mean
(`groups`, `advantages`: the same as for live rollouts). Rewards:

`log`        `offline.reward`: how much likelier the gold action becomes to a frozen scorer that reads the guide, less
             the same for a guide that only names the target
`zero_one`   its 0/1 form: whether the scorer picks the gold action with the guide and not without, less the same
`success`    1 where the agent itself, reading its own guide, then samples the gold action; this trains the reading too
`shuffled`   a control: the rewards of `log`, dealt out anew among all guides of the round

The scorer is a copy of what the training began with and never moves. Every draw comes from the seed, the round, the
step and the sample, and each round ends with a checkpoint: a training that was killed goes on with the same command.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.jsonl import numbered_lines
from guideact.models.builtin.model import action_of, load_named
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.weights import save_weights
from guideact.offline.gold import Demo, demos_of
from guideact.offline.questions import remembered
from guideact.offline.reward import BuiltinScorer, StepReward, step_reward
from guideact.train.board import Board, guide_curves_of
from guideact.train.chain import Chain, done_choices, said_choices
from guideact.train.examples import Choice
from guideact.train.folder import begin, begun
from guideact.train.groups import Rollout, form_groups, rows_of
from guideact.train.learner import Learner, learn, load_checkpoint, new_learner, save_checkpoint
from guideact.train.objective import Objective
from guideact.train.settings import OfflineRound, OfflineSettings

ROUNDS, CHECKPOINT, WEIGHTS = "rounds.jsonl", "checkpoint.npz", "weights.npz"


@dataclass(frozen=True)
class _Sample:
    """A guide that was planned, what came of it, and the choices that are to be made likelier or not."""

    chain: Chain
    reward: float


def train_guides(
    dataset: Dataset, settings: OfflineSettings, watch: Callable[[OfflineRound], None] = lambda record: None
) -> Path:
    """Train on the dataset's train split, or go on; the path of the weights at the end.

    Raises InputError for a dataset without a train split, a folder of another training, and a model that is not
    built in.
    """
    demos = demos_of(dataset, "train")
    places = [(demo, index) for demo in demos for index in range(len(demo.steps))]
    learner = _open(settings, dataset)
    scorer = BuiltinScorer(settings.model, learner.start.policy)
    records = read_guide_rounds(settings.out)[: learner.rounds]
    board = Board(settings.out, [guide_curves_of(record) for record in records])
    while learner.rounds < settings.rounds:
        record = _round(learner, settings, places, scorer)
        records.append(record)
        part = settings.out / f"{ROUNDS}.part"
        part.write_text("".join(each.model_dump_json() + "\n" for each in records), encoding="utf-8")
        os.replace(part, settings.out / ROUNDS)
        learner.rounds += 1
        save_checkpoint(settings.out / CHECKPOINT, learner)
        board.add(guide_curves_of(record))
        watch(record)
    about = {"guides": {**settings.measured(), "rounds": learner.rounds, "dataset": dataset.manifest.signature}}
    save_weights(settings.out / WEIGHTS, learner.weights(about))
    return settings.out / WEIGHTS


def read_guide_rounds(folder: Path) -> list[OfflineRound]:
    """The rounds of a training, in order; empty without any. Raises InputError for a damaged file."""
    path = folder / ROUNDS
    try:
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return [OfflineRound.model_validate_json(line) for _, line in numbered_lines(text)]
    except (OSError, ValidationError) as error:
        raise InputError(f"{path} is damaged", fix="Begin anew with another --out.") from error


def _round(
    learner: Learner, settings: OfflineSettings, places: Sequence[tuple[Demo, int]], scorer: BuiltinScorer
) -> OfflineRound:
    number = learner.rounds
    rollouts: list[Rollout] = []
    chains: dict[tuple[str, int], Chain] = {}
    rewards: list[float] = []
    unscorable = 0
    order = np.random.default_rng((settings.seed, number, 3)).permutation(len(places))[: settings.steps_per_round]
    for demo, index in (places[place] for place in order):
        scored = step_reward(scorer, demo, index)
        if scored is None:
            unscorable += 1
            continue
        for sample in range(settings.samples):
            found = _plan(learner.policy, settings, demo, index, sample, number, scored)
            key = f"{demo.id}/{index}/{sample}"
            chains[key, 0] = found.chain
            rewards.append(found.reward)
            rollouts.append(Rollout(f"{demo.id}/{index}", key, found.reward, (len(found.chain),)))
    if settings.reward == "shuffled":
        dealt = np.random.default_rng((settings.seed, number, 4)).permutation(rewards)
        pairs = zip(rollouts, dealt, strict=True)
        rollouts = [Rollout(each.task_id, each.key, float(reward), each.lengths) for each, reward in pairs]
    formed = form_groups(rollouts)
    learned = learn(
        learner,
        chains,
        rows_of(formed.groups, "episodes"),
        Objective(kl=settings.kl),
        updates=settings.updates,
        rate=settings.rate,
        seed=(settings.seed, number, 5),
    )
    return OfflineRound(
        round=number,
        groups=formed.counts.groups,
        live=formed.counts.live,
        reward=float(np.mean(rewards)) if rewards else None,
        reward_variance=formed.counts.variance,
        updates=learned.updates,
        entropy=learned.entropy,
        kl=learned.kl,
        unscorable=unscorable,
    )


# --- one guide ----------------------------------------------------------------------------------------------------


def _plan(
    policy: Policy,
    settings: OfflineSettings,
    demo: Demo,
    index: int,
    sample: int,
    number: int,
    scored: StepReward,
) -> _Sample:
    """Plan a guide at temperature 1 and reward it."""
    key = f"{settings.seed}/{number}/{demo.id}/{index}/{sample}"
    rng = np.random.default_rng(list(hashlib.sha256(key.encode()).digest()))
    step = demo.steps[index]
    memory = remembered(demo.id, demo.steps[:index], "gold")
    view = policy.view(demo.task.intent, step.observation, memory)
    planned = policy.choose(view, 1.0, rng)
    guide = policy.say(view, planned.act, planned.value, 1.0, rng).text
    choices = done_choices(view, planned.act, planned.value)
    choices += said_choices(policy, view, planned.act, planned.value, guide)
    if settings.reward != "success":
        reward = scored.of(guide)
        return _Sample(_chain(choices), reward.zero_one if settings.reward == "zero_one" else reward.log)
    told = policy.view(demo.task.intent, step.observation, memory, guide)
    done = policy.choose(told, 1.0, rng)
    choices += done_choices(told, done.act, done.value)
    return _Sample(_chain(choices), float(action_of(done) == scored.gold))


def _chain(choices: Sequence[Choice]) -> Chain:
    return Chain(tuple(choices), (0.0,) * len(choices))


# --- the folder ---------------------------------------------------------------------------------------------------


def _open(settings: OfflineSettings, dataset: Dataset) -> Learner:
    if not settings.model.startswith("builtin/"):
        raise InputError(f"{settings.model} is not trained here", fix="Begin with --model builtin/small or a file.")
    start = load_named(settings.model.removeprefix("builtin/"))
    digest = hashlib.sha256(start.policy.network.table.tobytes()).hexdigest()
    about = {"settings": settings.measured(), "start": digest, "dataset": dataset.manifest.signature}
    try:
        if (found := begun(settings.out)) is not None:
            if found != about:
                wrong = sorted(name for name in about if found.get(name) != about[name])
                raise InputError(
                    f"{settings.out} holds a training of other {' and '.join(wrong)}",
                    fix="Use the same ones to go on with it, or give another --out.",
                )
            if (settings.out / CHECKPOINT).is_file():
                return load_checkpoint(settings.out / CHECKPOINT, start)
            return new_learner(start)
        begin(settings.out, about)
    except OSError as error:
        raise InputError(f"{settings.out} cannot be used: {error.strerror}", fix="Give another --out.") from error
    return new_learner(start)
