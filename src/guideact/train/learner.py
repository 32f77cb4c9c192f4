"""The built-in agent's parameters while it is trained on rewards: one round's updates, and checkpoints.

A checkpoint holds everything as it is, float32 and the optimiser's moments included, so that a training which goes on
from it does exactly what one that was never interrupted does.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from guideact.errors import InputError
from guideact.models.builtin.network import ARRAYS, Network
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.weights import Weights
from guideact.train.advantages import terms
from guideact.train.chain import Chain
from guideact.train.fit import Adam, backward, forward, optimiser
from guideact.train.groups import Rows
from guideact.train.objective import Objective

Floats = npt.NDArray[np.float64]

FORMAT = 1
BLOCK = 600
"""Choices that are scored at a time where no gradient is needed: bounds the memory."""


@dataclass
class Learner:
    """A policy in training; `learn` changes it in place."""

    start: Weights
    """Where it began: the frames, and the reference of the KL term."""
    policy: Policy
    adam: Adam
    rounds: int = 0
    """Rounds that it has learned from."""

    def weights(self, about: Mapping[str, Any]) -> Weights:
        """What it has become, with what is to be said of it."""
        return Weights(self.policy, {**self.start.about, **about})


@dataclass(frozen=True)
class Learned:
    """What a round's updates were made of. Means are over all on-policy choices of the round, those of dead groups
    included, before the updates; None without any."""

    updates: int
    loss: float
    """The sum over the round's tokens at its first pass over each of them."""
    entropy: float | None
    """Of a choice, in nats."""
    kl: float | None
    """KL(policy || start) of a choice, exact, in nats."""
    clipped: float
    """Share of the tokens learned from that had no slope for the ratio went too far."""


def new_learner(start: Weights) -> Learner:
    """A learner at some weights, which stay as they are."""
    network = _copy(start.policy.network)
    return Learner(
        start,
        Policy(network, start.policy.frames, start.policy.lore, start.policy.recall),
        optimiser(network, decay=0.0),
    )


def learn(
    learner: Learner,
    chains: Mapping[tuple[str, int], Chain],
    rows: Rows,
    objective: Objective,
    *,
    updates: int,
    rate: float,
    seed: Sequence[int],
) -> Learned:
    """Go once over the rows of a round in `updates` steps of equally many rows each, in an order drawn from the seed.

    `chains` holds those of all rows, and of rows that are not learned from. The weights of each update's tokens are
    scaled up by the number of updates, so that it moves by a mean over the round's rows and not by a piece of it. A
    round with fewer rows than updates makes as many as it has rows.
    """
    network, reference = learner.policy.network, learner.start.policy.network
    known = _before(network, reference, chains)
    choices = [choice for key in rows.keys for choice in chains[key].choices]
    behaviour = np.array([log for key in rows.keys for log in chains[key].behaviour], np.float64)
    old, start = (np.concatenate([np.zeros(0), *(known[key][kind] for key in rows.keys)]) for kind in ("now", "start"))
    first = np.concatenate([np.zeros(1, np.int64), np.cumsum(rows.lengths)])
    advantage, expert, weight = map(rows.per_token, (rows.advantage, rows.expert, rows.weight))
    filled = np.flatnonzero(rows.lengths)
    count = min(updates, len(filled))
    loss, clipped = 0.0, 0
    for part in np.array_split(np.random.default_rng(seed).permutation(filled), count) if count else ():
        tokens = np.concatenate([np.arange(first[row], first[row + 1]) for row in part])
        batch = [choices[token] for token in tokens]
        found = forward(network, batch)
        made_of = terms(
            found.log_p,
            old[tokens],
            advantage[tokens],
            weight[tokens] * count,
            expert[tokens],
            objective,
            reference=start[tokens],
            behaviour=behaviour[tokens],
        )
        learner.adam.step(backward(network, batch, found, made_of.slope), rate)
        loss += float(made_of.loss.sum()) / count
        clipped += int(made_of.clipped.sum())
    own = [known[key] for key, chain in chains.items() if not chain.expert and len(chain)]
    return Learned(
        updates=count,
        loss=loss,
        entropy=float(np.concatenate([each["entropy"] for each in own]).mean()) if own else None,
        kl=float(np.concatenate([each["kl"] for each in own]).mean()) if own else None,
        clipped=clipped / len(choices) if choices else 0.0,
    )


def _before(
    network: Network, reference: Network, chains: Mapping[tuple[str, int], Chain]
) -> dict[tuple[str, int], dict[str, Floats]]:
    """Of each chain, for each of its choices: log-probability `now` and at the `start`, `entropy`, and `kl` from the
    start."""
    choices = [choice for chain in chains.values() for choice in chain.choices]
    found: dict[str, list[Floats]] = {kind: [np.zeros(0)] for kind in ("now", "start", "entropy", "kl")}
    for begin in range(0, len(choices), BLOCK):
        block = choices[begin : begin + BLOCK]
        now, was = forward(network, block), forward(reference, block)
        found["now"].append(now.log_p)
        found["start"].append(was.log_p)
        found["entropy"].append(now.entropy)
        found["kl"].append(now.divergence(was))
    flat = {kind: np.concatenate(pieces) for kind, pieces in found.items()}
    known, first = {}, 0
    for key, chain in chains.items():
        known[key] = {kind: values[first : first + len(chain)] for kind, values in flat.items()}
        first += len(chain)
    return known


# --- checkpoints --------------------------------------------------------------------------------------------------


def save_checkpoint(path: Path, learner: Learner) -> None:
    """Write a checkpoint, whole or not at all. Raises InputError where it cannot be written."""
    network, adam = learner.policy.network, learner.adam
    arrays: dict[str, npt.NDArray[Any]] = {name: getattr(network, name) for name in ARRAYS}
    first, second = adam.moments()
    arrays |= {f"first_{name}": array for name, array in zip(ARRAYS, first, strict=True)}
    arrays |= {f"second_{name}": array for name, array in zip(ARRAYS, second, strict=True)}
    meta = {"format": FORMAT, "rounds": learner.rounds, "steps": adam.steps}
    part = path.with_name(path.name + ".part")
    try:
        with open(part, "wb") as file:
            np.savez(file, meta=np.frombuffer(json.dumps(meta).encode(), np.uint8), **arrays)  # type: ignore[arg-type]
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}", fix="Make room, or check who may.") from error


def load_checkpoint(path: Path, start: Weights) -> Learner:
    """A learner as it was when the checkpoint was written. `start` is what the training began with.

    Raises InputError for a file that is missing, damaged, or of another size of network.
    """
    learner = new_learner(start)
    fix = "Delete the folder and begin anew, or give another --out."
    try:
        with np.load(path, allow_pickle=False) as file:
            meta = json.loads(file["meta"].tobytes())
            if meta["format"] != FORMAT:
                raise InputError(f"{path} is a checkpoint of another format", fix=fix)
            for name in ARRAYS:
                getattr(learner.policy.network, name)[:] = file[name]
            moments = [[file[f"{kind}_{name}"] for name in ARRAYS] for kind in ("first", "second")]
            learner.adam.restore(int(meta["steps"]), *moments)
            learner.rounds = int(meta["rounds"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(f"{path} is no checkpoint of this training, or damaged", fix=fix) from error
    return learner


def _copy(network: Network) -> Network:
    return Network(network.size, *(array.copy() for array in network.arrays))
