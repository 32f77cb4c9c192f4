"""GRPO for the built-in agent: rounds of live episodes, a binary reward, and cached experts beside the rollouts.

Where it differs from textbook GRPO (Shao et al. 2024):

 1. Advantages are rewards less the group's mean; they are not divided by the group's standard deviation (MAG).
 2. An episode is many (page, memory) -> answer rows with one reward; all of its tokens share its advantage.
 3. A token is a choice of the agent (act, value, sentence), of which it knows the exact probability.
 4. The loss is normalised by episodes: each counts the same, however many steps it took. Rows and tokens are options.
 5. Groups of zero variance are dropped, and the mean is over what is left (MAG; DAPO). They are counted.
 6. Up to two cached expert episodes stand in each group and in its mean (MAG). They are off-policy; `advantages.py`
    says what the three ways to treat them are.
 7. No clipping and no KL term unless asked for: the papers do not say whether MAG had any.
 8. One pass over a round in a few updates, so the data are at most that many updates old. The ratio to the policy of
    the round's begin is kept in the loss; it is 1 at the first update.
 9. No reference model is needed; with a KL term it is the policy that the training began with, and never moves.
10. Episodes that ended in an infrastructure error are masked: not in the mean, not in the loss, counted.
11. Sampling is at temperature 1 and nowhere else, so that what is sampled is what is trained.

A training is a folder:

    training.json      settings, what it began with, versions
    rounds.jsonl       one `RoundRecord` a line
    rounds/NNN/        the rollouts of a round, a run like any other; its observations go when they are learned from
    evals/NNN/         the evaluation after a round, a run
    weights-NNN.npz    what was evaluated; weights.npz at the end
    checkpoint.npz     the state after the last finished round
    tensorboard/       the curves, where that package is installed

Killed at any moment, the same command goes on: finished episodes stay, the round's update is done anew from the
checkpoint. Every draw comes from the seed, the round, the task, the sample and the step, so an interrupted training
ends where an uninterrupted one does, bit for bit, as far as the sites show the same page again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from pydantic import ValidationError

from guideact import __version__
from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.agent import ModelAgents
from guideact.harness.choose import choose_tasks
from guideact.harness.log import read_episodes
from guideact.harness.runner import Watcher
from guideact.jsonl import numbered_lines
from guideact.models.builtin import BuiltinModel
from guideact.models.builtin.model import load_named
from guideact.models.builtin.weights import load_weights, save_weights
from guideact.tasks.gold import fingerprint
from guideact.train.board import Board, curves_of
from guideact.train.experts import NO_EXPERTS, Experts, read_experts
from guideact.train.folder import begin, begun
from guideact.train.groups import rows_of
from guideact.train.learner import Learner, learn, load_checkpoint, new_learner, save_checkpoint
from guideact.train.live import Play, playing
from guideact.train.rounds import form_round, record_of, roll_out, tasks_of_round
from guideact.train.settings import GrpoSettings, RoundRecord
from guideact.types import Task

ROUNDS, CHECKPOINT, WEIGHTS = "rounds.jsonl", "checkpoint.npz", "weights.npz"


class TrainWatcher(Watcher, Protocol):
    """Whoever shows how a training gets on; of the episodes too."""

    def training(self, records: Sequence[RoundRecord], rounds: int) -> None:
        """A training of so many rounds begins, or goes on after those that are recorded."""
        ...

    def phase(self, number: int, what: str) -> None:
        """A round (0-based) comes to: rollouts, update, evaluation."""
        ...

    def round(self, record: RoundRecord) -> None:
        """A round ended."""
        ...


async def train_grpo(settings: GrpoSettings, watcher: TrainWatcher) -> None:
    """Train on the embedded sites, or go on; at the end, weights.npz lies in the folder.

    Raises InputError before any episode begins for what the user can mend (unknown tasks, a folder of another training,
    experts that cannot be read), and what playing raises.
    """
    tasks = train_tasks(settings)
    test = test_tasks(settings) if settings.eval_every else ()
    experts = experts_for(settings, tasks)
    async with playing(settings.executor, settings.ray_address, settings.max_samples) as play:
        await train(settings, tasks, test, experts, watcher, play)


async def train(
    settings: GrpoSettings,
    tasks: Sequence[Task],
    test: Sequence[Task],
    experts: Experts,
    watcher: TrainWatcher,
    play: Play,
) -> None:
    """The same on any tasks, wherever they are played."""
    learner = open_training(settings, tasks, experts)
    records = read_rounds(settings.out)[: learner.rounds]
    _write_rounds(settings.out, records)
    board = Board(settings.out, [curves_of(record) for record in records])
    watcher.training(records, settings.rounds)
    while learner.rounds < settings.rounds:
        record = await _round(learner, settings, tasks, test, experts, watcher, play)
        records.append(record)
        _write_rounds(settings.out, records)
        learner.rounds += 1
        save_checkpoint(settings.out / CHECKPOINT, learner)
        shutil.rmtree(_folder(settings, "rounds", record.round) / "steps", ignore_errors=True)
        board.add(curves_of(record))
        watcher.round(record)
    save_weights(settings.out / WEIGHTS, learner.weights(_about(settings, learner.rounds)))


async def _round(
    learner: Learner,
    settings: GrpoSettings,
    tasks: Sequence[Task],
    test: Sequence[Task],
    experts: Experts,
    watcher: TrainWatcher,
    play: Play,
) -> RoundRecord:
    number = learner.rounds
    chosen = tasks_of_round(tasks, settings.tasks_per_round, number, settings.seed)
    watcher.phase(number, "rollouts")
    clock = time.perf_counter()
    folder = _folder(settings, "rounds", number)
    episodes = await roll_out(learner.policy, settings, chosen, folder, watcher, play) if settings.rollouts else ()
    played = time.perf_counter() - clock
    watcher.phase(number, "update")
    clock = time.perf_counter()
    made = form_round(learner.policy, settings, number, folder, episodes, chosen, experts)
    learned = learn(
        learner,
        made.chains,
        rows_of(made.formed.groups, settings.unit),
        settings.objective,
        updates=settings.updates,
        rate=settings.rate,
        seed=(settings.seed, number),
    )
    updated = time.perf_counter() - clock
    record = record_of(number, chosen, made.formed.counts, episodes, learned, made.missed, played, updated)
    if not settings.eval_every or (number + 1) % settings.eval_every:
        return record
    watcher.phase(number, "evaluation")
    rate = await _evaluate(learner, settings, test, number, watcher, play)
    return record.model_copy(update={"test_success_rate": rate, "test_tasks": len(test)})


# --- what it is trained and evaluated on ------------------------------------------------------------------------


def train_tasks(settings: GrpoSettings) -> tuple[Task, ...]:
    """The train tasks that are trained on. Raises InputError where there is none."""
    config = RunConfig(split="train", sites=settings.sites, sample_id=settings.sample_id, limit=settings.limit)
    tasks = choose_tasks(config)
    foreign = [task.id for task in tasks if task.split != "train"]
    if foreign and len(foreign) == len(tasks):
        raise InputError(f"{foreign[0]} is a test task, which nothing may be trained on", fix="Name train tasks.")
    return tuple(task for task in tasks if task.split == "train")


def test_tasks(settings: GrpoSettings) -> tuple[Task, ...]:
    """The test tasks that are evaluated on."""
    return choose_tasks(RunConfig(split="test", sites=settings.sites, limit=settings.eval_limit))


def experts_for(settings: GrpoSettings, tasks: Sequence[Task]) -> Experts:
    """The experts of the tasks that are covered. Raises InputError for a training that has nothing to learn from."""
    if not settings.rollouts and not settings.experts:
        raise InputError("--rollouts 0 without --experts learns from nothing", fix="Give one of them.")
    if not settings.experts:
        return NO_EXPERTS
    ids = [task.id for task in tasks]
    return read_experts(settings.experts, ids).covering(settings.coverage, ids)


async def _evaluate(
    learner: Learner, settings: GrpoSettings, tasks: Sequence[Task], number: int, watcher: TrainWatcher, play: Play
) -> float | None:
    """SR on the test tasks, greedy, with the weights as a file holds them, so that anyone can do it again."""
    path = settings.out / f"weights-{number:03}.npz"
    save_weights(path, learner.weights(_about(settings, number + 1)))
    config = RunConfig(model=f"builtin/{path}", screenshots=False, max_samples=settings.max_samples)
    agents = ModelAgents(BuiltinModel(config.model, load_weights(path).policy), config)
    folder = _folder(settings, "evals", number)
    await play(tasks, agents, config, folder, watcher)
    scored = [episode.success for episode in read_episodes(folder) if episode.check is not None]
    return sum(scored) / len(scored) if scored else None


# --- the folder ---------------------------------------------------------------------------------------------------


def open_training(settings: GrpoSettings, tasks: Sequence[Task], experts: Experts) -> Learner:
    """Begin a training in its folder, or go on with what lies there.

    Raises InputError where the folder cannot be written, holds something else, or a training with other settings.
    """
    if not settings.model.startswith("builtin/"):
        raise InputError(f"{settings.model} is not trained here", fix="Begin with --model builtin/small or a file.")
    start = load_named(settings.model.removeprefix("builtin/"))
    network = start.policy.network
    digest = hashlib.sha256(b"".join(array.tobytes() for array in network.arrays))
    about = {
        "format": 1,
        "settings": settings.measured(),
        "start": digest.hexdigest(),
        "tasks": hashlib.sha256("".join(fingerprint(task) for task in tasks).encode()).hexdigest(),
        "experts": list(experts.sources),
        "guideact": __version__,
    }
    folder = settings.out
    try:
        if (found := begun(folder)) is not None:
            _refuse_another(found, about, folder)
            if (folder / CHECKPOINT).is_file():
                return load_checkpoint(folder / CHECKPOINT, start)
            return new_learner(start)
        begin(folder, about)
    except OSError as error:
        raise InputError(f"{folder} cannot be used: {error.strerror}", fix="Give another --out.") from error
    return new_learner(start)


def _refuse_another(found: dict[str, Any], wanted: dict[str, Any], folder: Path) -> None:
    was, now = found["settings"], wanted["settings"]
    differences = [f"{name} is {now[name]} and was {was.get(name)}" for name in now if now[name] != was.get(name)]
    differences += [
        f"the {name} changed since" for name in ("start", "tasks", "experts") if found.get(name) != wanted[name]
    ]
    if differences:
        raise InputError(
            f"{folder} holds a training of other settings: {'; '.join(differences)}",
            fix="Use the same ones to go on with it, or give another --out.",
        )


def read_rounds(folder: Path) -> list[RoundRecord]:
    """The records of a training, in order; empty without any. Raises InputError for a damaged file."""
    path = folder / ROUNDS
    records = []
    for number, line in numbered_lines(path.read_text(encoding="utf-8") if path.is_file() else ""):
        try:
            records.append(RoundRecord.model_validate_json(line))
        except ValidationError as error:
            raise InputError(
                f"line {number} of {path} is no round", fix="Delete that line and all after it."
            ) from error
    return records


def _write_rounds(folder: Path, records: Sequence[RoundRecord]) -> None:
    """All of them or none: the file is written beside its place and moved there."""
    part = folder / f"{ROUNDS}.part"
    part.write_text("".join(record.model_dump_json() + "\n" for record in records), encoding="utf-8")
    os.replace(part, folder / ROUNDS)


def _folder(settings: GrpoSettings, kind: str, number: int) -> Path:
    return settings.out / kind / f"{number:03}"


def _about(settings: GrpoSettings, rounds: int) -> dict[str, Any]:
    return {"grpo": {**settings.measured(), "rounds": rounds}}
