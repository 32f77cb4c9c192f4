"""One round of GRPO for a real model: what a run's episodes and cached experts teach it, in a few updates.

Groups, advantages, weights and the loss are those of the built-in agent (`groups`, `advantages`), and so are the
differences from textbook GRPO that `grpo.py` lists. What is different here:

 1. A token is a token of the language model; a row is one step: prompt, picture, and the tokens of its answer.
 2. On-policy tokens are the very ones that were sampled, kept by `guideact run --keep-tokens`. The log-probabilities of
    the round's begin (`old`) are computed here, with the weights that are trained and before the first update: what a
    server said of them comes from other kernels. Tokens that stand for pictures have no probability, as in sampling.
 3. Expert text is turned into tokens once, by the template that asks.
 4. Rollouts are made by other commands, since a server makes them: this is the update alone, from one folder of weights
    to the next. The optimiser (AdamW, no decay) begins anew each round.
 5. Each process of torchrun takes every n-th row of an update, and FSDP2 keeps a part of the weights in each.

A row goes through the model by itself, so that no padding is ever computed; the gradient of an update adds up over its
rows.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from guideact.config import RunConfig
from guideact.data import open_dataset
from guideact.data.manifest import FILE as DATASET_FILE
from guideact.errors import InputError
from guideact.harness.choose import choose_tasks
from guideact.harness.log import read_episodes
from guideact.models.hf_decode import allowed_log_softmax
from guideact.models.hf_load import Loaded
from guideact.offline.gold import demos_of
from guideact.offline.questions import Way
from guideact.train.advantages import terms
from guideact.train.experts import Experts
from guideact.train.groups import Formed, Rollout, Rows, experts_alone, form_groups
from guideact.train.hf_rows import Played, Row, open_played, rows_of_demo, rows_of_episode
from guideact.train.hf_settings import UpdateSettings
from guideact.train.hf_spread import Spread
from guideact.train.objective import Objective
from guideact.types import Frozen, Task

Floats = npt.NDArray[np.float64]
Key = tuple[str, int]


@dataclass(frozen=True)
class Material:
    """What a round is made of."""

    formed: Formed
    rows: Mapping[Key, Row]
    """By (key of the episode, number of the step); those of dead groups too."""


class Updated(Frozen):
    """What an update says of itself. Rates are 0..1, None where there is nothing to divide by."""

    groups: int
    live: int
    dead_share: float
    episodes: int
    errors: int
    success_rate: float | None
    reward_variance: float
    expert_share: float
    rows: int
    """That were learned from."""
    tokens: int
    updates: int
    loss: float
    """The sum over the tokens at the first pass over each of them."""
    clipped: float
    """Share of the tokens that had no slope, for their ratio went too far."""
    kl: float | None
    """k3 estimate of the divergence from the reference over on-policy tokens, in nats a token, before the updates."""


# --- what is learned from -----------------------------------------------------------------------------------------


def gather(loaded: Loaded, settings: UpdateSettings) -> Material:
    """Read the rollouts and experts of a round and put them into groups.

    Raises InputError for folders that are none, runs that cannot be learned from, and where nothing is left.
    """
    if not settings.rollouts and not settings.experts:
        raise InputError("neither --rollouts nor --experts are given", fix="Give one of them.")
    rows: dict[Key, Row] = {}
    rollouts: list[Rollout] = []
    tasks: dict[str, Task] = {}
    runs = [open_played(folder) for folder in settings.rollouts]
    groundings = {run.grounding for run in runs}
    if len(groundings) > 1:
        raise InputError("the rollouts are of both groundings", fix="Train one model per grounding.")
    for number, run in enumerate(runs):
        _refuse_drawn_otherwise(run)
        known = _tasks_of(run)
        for episode in read_episodes(run.folder):
            task = known[episode.task_id]
            if task.split != "train":
                raise InputError(f"{run.folder} holds the test task {task.id}", fix="Roll out train tasks alone.")
            tasks[task.id] = task
            reward = None if episode.check is None else float(episode.success)
            own = rows_of_episode(run, episode, task, sampled=True) if reward is not None else []
            key = f"rollout/{number}/{task.id}/{episode.sample}"
            rollouts.append(Rollout(task.id, key, reward, _keep(loaded, rows, key, own)))
    cached: dict[str, list[Rollout]] = {}
    for number, folder in enumerate(settings.experts):
        for task_id, key, own in _experts(loaded, folder, number, runs, set(tasks) if runs else None):
            lengths = _keep(loaded, rows, key, own)
            cached.setdefault(task_id, []).append(Rollout(task_id, key, 1.0, lengths, expert=True))
    if settings.coverage < 1:
        # Of all train tasks and not of this round's: the same ones are covered in every round.
        ids = {task_id for run in runs for task_id in _train_tasks(run)} if runs else set(cached)
        covered = Experts(dict.fromkeys(cached, ())).covering(settings.coverage, ids).tasks
        cached = {task_id: cached[task_id] for task_id in covered}
    most, turn = settings.most_experts, settings.round
    if runs:
        apart = settings.expert_loss == "cross_entropy"
        formed = form_groups(rollouts, cached, most_experts=most, turn=turn, apart=apart)
    else:
        formed = experts_alone(cached, most_experts=most, turn=turn)
    return Material(formed, rows)


def _keep(loaded: Loaded, rows: dict[Key, Row], key: str, own: Sequence[Row]) -> tuple[int, ...]:
    """Put an episode's rows down, and say how many tokens each has; one that does not fit has none that count."""
    lengths = []
    for number, row in enumerate(own):
        rows[key, number] = row
        lengths.append(len(row.wanted(loaded)) if row.length(loaded) <= loaded.context() else 0)
    return tuple(lengths)


def _refuse_drawn_otherwise(run: Played) -> None:
    """Raise InputError where the tokens cannot have been drawn from the probabilities that the loss is made of."""
    drawn = run.manifest.config.get("temperature")
    if drawn is None and not run.manifest.model.startswith("hf/"):
        return  # The endpoint's own, which nobody here can know.
    if drawn != 1:
        raise InputError(
            f"{run.folder} was drawn at temperature {drawn or 0:g}, and is learned from as drawn at 1",
            fix="Roll out with --temperature 1.",
        )


def _tasks_of(run: Played) -> dict[str, Task]:
    """The tasks that a run was begun with."""
    known = {task.id: task for task in choose_tasks(RunConfig.model_validate(run.manifest.config))}
    missing = [task_id for task_id in run.manifest.tasks if task_id not in known]
    if missing:
        raise InputError(f"{run.folder} did {missing[0]}, which is no task any more", fix="Make the run again.")
    return known


def _train_tasks(run: Played) -> set[str]:
    """The train tasks that those of a run were taken from."""
    config = RunConfig.model_validate(run.manifest.config)
    pool = choose_tasks(config.model_copy(update={"sample_id": (), "limit": None, "split": "train"}))
    return {task.id for task in pool if task.split == "train"}


def _experts(
    loaded: Loaded, folder: Path, number: int, runs: Sequence[Played], wanted: set[str] | None
) -> list[tuple[str, str, list[Row]]]:
    """(task, key, rows) of each success that a run or a dataset holds for the wanted tasks (None: for any)."""
    like = runs[0] if runs else None
    if (folder / DATASET_FILE).is_file():
        dataset = open_dataset(folder)
        way = Way("action-guide", like.grounding if like is not None else "som", "gold")
        there = bool(dataset.manifest.counts.get("images", 0))
        shown = there if like is None else bool(like.manifest.config.get("screenshots", True))
        pictures = shown and loaded.image_processor is not None
        try:
            return [
                (demo.id, f"expert/{number}/{demo.id}", rows_of_demo(dataset, demo, way, pictures=pictures))
                for demo in demos_of(dataset, "train")
                if wanted is None or demo.id in wanted
            ]
        except InputError as error:
            # The flags that would help elsewhere are none of an update: it asks as the rollouts did.
            raise InputError(f"{folder}: {error.message}", fix="Give other --experts.") from error
    run = open_played(folder)
    if like is not None and run.grounding != like.grounding:
        raise InputError(f"{folder} is in {run.grounding} and the rollouts in {like.grounding}", fix="Use others.")
    tasks = _tasks_of(run)
    return [
        (episode.task_id, f"expert/{number}/{episode.task_id}/{episode.sample}", own)
        for episode in read_episodes(folder)
        if episode.success and tasks[episode.task_id].split == "train" and (wanted is None or episode.task_id in wanted)
        for own in [rows_of_episode(run, episode, tasks[episode.task_id], sampled=False)]
    ]


# --- learning -----------------------------------------------------------------------------------------------------


def log_probabilities(loaded: Loaded, row: Row) -> Any:
    """Tensor (tokens of the answer,), float32: the natural logarithm of each one's probability at temperature 1."""
    import torch

    read, wanted = row.encoded(loaded)
    image_token = getattr(loaded.config, "image_token_id", None)
    tensors = read.tensors(wanted, image_token, loaded.device)
    logits = loaded.model(**tensors, use_cache=False, logits_to_keep=len(wanted) + 1).logits[0, :-1]
    logs = allowed_log_softmax(logits, loaded.barred())
    return logs.gather(1, torch.tensor(wanted, device=logs.device)[:, None])[:, 0]


def learn(
    loaded: Loaded,
    optimiser: Any,
    material: Mapping[Key, Row],
    rows: Rows,
    objective: Objective,
    *,
    updates: int,
    seed: Sequence[int],
    old: Mapping[Key, Floats] | None = None,
    reference: Mapping[Key, Floats] | None = None,
    spread: Spread | None = None,
) -> Updated:
    """Go once over the rows of a round in `updates` steps of the optimiser, in an order drawn from the seed.

    `rows` says of each row what it weighs, and `material` holds it. `old` has the log-probabilities of each row's
    tokens at the begin of the round (None: they are found here, before the first update), `reference` those under the
    reference policy. The weights of each update's tokens are scaled up by the number of updates, so
    that it moves by a mean over the round's rows. A round with fewer rows than updates makes as many as it has rows.
    Counts of groups and episodes are left at 0 (see `update`).

    Raises InputError where the loss is no number any more.
    """
    import torch

    spread = spread or Spread()
    filled = np.flatnonzero(rows.lengths)
    count = min(updates, len(filled))
    parts = np.array_split(np.random.default_rng(list(seed)).permutation(filled), count) if count else []
    if old is None:
        # All of them before the first update: what they are measured against must not move.
        old = {key: log for part in parts for key, log in _before(loaded, material, rows, part, spread).items()}
    sums = {"loss": 0.0, "clipped": 0.0, "tokens": 0.0}
    for part in parts:
        optimiser.zero_grad(set_to_none=True)
        for row in spread.share(part):
            # Where the rows do not come out even, a process goes through one that counts nothing: all must take part
            # in gathering the weights.
            counts = row is not None
            place = int(part[0]) if row is None else int(row)
            key = rows.keys[place]
            log_p = log_probabilities(loaded, material[key])
            now = log_p.detach().double().cpu().numpy()
            ones = np.ones(len(now))
            found = terms(
                now,
                old.get(key, now),
                ones * rows.advantage[place],
                ones * rows.weight[place] * count,
                np.full(len(now), bool(rows.expert[place])),
                objective,
                reference=reference[key] if reference is not None else None,
                behaviour=np.zeros(len(now)),
            )
            slope = torch.as_tensor(found.slope * counts * spread.size, dtype=log_p.dtype, device=log_p.device)
            (slope * log_p).sum().backward()
            if counts:
                sums["loss"] += float(found.loss.sum()) / count
                sums["clipped"] += int(found.clipped.sum())
                sums["tokens"] += len(now)
        optimiser.step()
    total = spread.added(sums)
    if not math.isfinite(total["loss"]):
        raise InputError(f"the loss became {total['loss']}", fix="Lower --rate, or give a --clip.")
    tokens = int(total["tokens"])
    return Updated(
        groups=0, live=0, dead_share=0, episodes=0, errors=0, success_rate=None, reward_variance=0, expert_share=0,
        rows=len(filled),
        tokens=tokens,
        updates=count,
        loss=total["loss"],
        clipped=total["clipped"] / tokens if tokens else 0.0,
        kl=_divergence(old, rows, reference, spread),
    )  # fmt: skip


def _before(
    loaded: Loaded, material: Mapping[Key, Row], rows: Rows, part: npt.NDArray[np.int64], spread: Spread
) -> dict[Key, Floats]:
    """The log-probabilities of this process's rows of a part."""
    import torch

    found: dict[Key, Floats] = {}
    with torch.no_grad():
        for row in spread.share(part):
            place = int(part[0]) if row is None else int(row)
            logs = log_probabilities(loaded, material[rows.keys[place]]).double().cpu().numpy()
            if row is not None:
                found[rows.keys[place]] = logs
    return found


def log_probabilities_of(loaded: Loaded, material: Mapping[Key, Row], keys: Sequence[Key]) -> dict[Key, Floats]:
    """The same of some rows, by key, under a model that stays as it is: the reference policy."""
    import torch

    with torch.no_grad():
        return {key: log_probabilities(loaded, material[key]).double().cpu().numpy() for key in keys}


def _divergence(
    old: Mapping[Key, Floats], rows: Rows, reference: Mapping[Key, Floats] | None, spread: Spread
) -> float | None:
    if reference is None:
        return None
    sums = {"k3": 0.0, "tokens": 0.0}
    for place, key in enumerate(rows.keys):
        if key in old and not rows.expert[place]:
            logs = old[key]
            apart = reference[key] - logs
            sums["k3"] += float((np.exp(apart) - apart - 1).sum())
            sums["tokens"] += len(logs)
    total = spread.added(sums)
    return total["k3"] / total["tokens"] if total["tokens"] else None
