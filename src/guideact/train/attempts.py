"""What the episodes and rounds of a study say, and a small folder that keeps it.

    STUDY/ARM/SEED/test/        a run: the test tasks, some samples each
    STUDY/ARM/SEED/train/       a training of `train grpo`; not there for arms that are not trained on rewards

The episodes of a study take gigabytes, and what its tables need of them a few kilobytes: whether an attempt passed, and
how often it did what. `keep_in` writes that down, one row an attempt:

    KEPT/attempts.parquet       arm, seed, the fields of `Attempt`
    KEPT/rounds.jsonl           arm, seed, a round's record

Another folder's arms and seeds can be kept beside those that are there, so a study can be done in parts.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow
from pyarrow import parquet
from pydantic import ValidationError

from guideact.errors import InputError
from guideact.harness.log import MANIFEST
from guideact.harness.read import read_run
from guideact.jsonl import numbered_lines
from guideact.train.folder import TRAINING
from guideact.train.grpo import read_rounds
from guideact.train.settings import RoundRecord
from guideact.types import VERBS, Episode, Frozen

ATTEMPTS, ROUNDS = "attempts.parquet", "rounds.jsonl"
UNREADABLE = "unreadable"
"""Counted beside the verbs: answers that were no action."""
ACTS = (*VERBS, UNREADABLE)
SCHEMA = pyarrow.schema(
    [
        ("arm", pyarrow.string()),
        ("seed", pyarrow.string()),
        ("task_id", pyarrow.string()),
        ("template_id", pyarrow.string()),
        ("sample", pyarrow.int32()),
        ("gold_steps", pyarrow.int32()),
        ("passed", pyarrow.bool_()),
        *((act, pyarrow.int32()) for act in ACTS),
    ]
)


@dataclass(frozen=True)
class Attempt:
    """One episode, as far as a study asks."""

    task_id: str
    template_id: str
    sample: int
    gold_steps: int
    passed: bool | None
    """None: it ended in an error of the infrastructure, and counts in no rate."""
    acts: Mapping[str, int]
    """How many of its steps were what: verbs, or `UNREADABLE`."""


@dataclass(frozen=True)
class Found:
    """All that a study has come to so far, by arm and seed."""

    attempts: Mapping[tuple[str, str], tuple[Attempt, ...]] = field(default_factory=dict)
    rounds: Mapping[tuple[str, str], tuple[RoundRecord, ...]] = field(default_factory=dict)


class KeptRound(Frozen):
    """A line of the kept rounds."""

    arm: str
    seed: str
    record: RoundRecord


def find(folder: Path, arms: Sequence[str]) -> Found:
    """Read a study's folder, or one that `keep_in` wrote. Raises InputError for damaged files."""
    if (folder / ATTEMPTS).exists():
        return _kept(folder, arms)
    attempts, rounds = {}, {}
    for arm in arms:
        for seed in sorted((folder / arm).glob("*"), key=lambda path: path.name):
            if (seed / "test" / MANIFEST).is_file():
                attempts[arm, seed.name] = tuple(attempt(episode) for episode in read_run(seed / "test").episodes)
            if (seed / "train" / TRAINING).is_file():
                rounds[arm, seed.name] = tuple(read_rounds(seed / "train"))
    return Found(attempts, rounds)


def attempt(episode: Episode) -> Attempt:
    """What a study asks of an episode."""
    acts = dict(Counter(UNREADABLE if step.action is None else step.action.verb for step in episode.steps))
    passed = None if episode.check is None else episode.success
    template = episode.template_id or episode.task_id
    return Attempt(episode.task_id, template, episode.sample, episode.gold_steps, passed, acts)


def keep_in(folder: Path, found: Found, arms: Sequence[str]) -> Found:
    """Write what was found into a folder, beside the arms and seeds that it holds already; returns all of them.

    Raises InputError for a folder that cannot be written, and where it holds something else of the same arm and seed.
    """
    before = _kept(folder, arms) if (folder / ATTEMPTS).exists() else Found()
    for name, old, new in (("attempts", before.attempts, found.attempts), ("rounds", before.rounds, found.rounds)):
        for key in sorted(old.keys() & new.keys()):
            if old[key] != new[key]:
                raise InputError(
                    f"{folder} keeps other {name} of the arm {key[0]}, seed {key[1]}",
                    fix="Keep these in another folder, or remove that one.",
                )
    both = Found({**before.attempts, **found.attempts}, {**before.rounds, **found.rounds})
    order = sorted(both.attempts, key=lambda key: (arms.index(key[0]), key[1]))
    rows = [_row(key, each) for key in order for each in both.attempts[key]]
    lines = [
        KeptRound(arm=key[0], seed=key[1], record=record).model_dump_json() + "\n"
        for key in sorted(both.rounds, key=lambda key: (arms.index(key[0]), key[1]))
        for record in both.rounds[key]
    ]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        parquet.write_table(pyarrow.Table.from_pylist(rows, SCHEMA), folder / f"{ATTEMPTS}.part", compression="zstd")
        (folder / f"{ROUNDS}.part").write_text("".join(lines), encoding="utf-8")
        for name in (ROUNDS, ATTEMPTS):
            os.replace(folder / f"{name}.part", folder / name)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another --keep.") from error
    return both


def _row(key: tuple[str, str], of: Attempt) -> dict[str, Any]:
    return {
        "arm": key[0],
        "seed": key[1],
        "task_id": of.task_id,
        "template_id": of.template_id,
        "sample": of.sample,
        "gold_steps": of.gold_steps,
        "passed": of.passed,
        **{act: of.acts.get(act, 0) for act in ACTS},
    }


def _kept(folder: Path, arms: Sequence[str]) -> Found:
    path = folder / ATTEMPTS
    try:
        table = parquet.read_table(path)
    except (OSError, pyarrow.ArrowException) as error:
        raise InputError(f"{path} cannot be read: {error}", fix="Keep the study anew.") from error
    if not table.schema.equals(SCHEMA):
        raise InputError(f"{path} has other columns than a study's attempts", fix="Keep the study anew.")
    attempts: dict[tuple[str, str], list[Attempt]] = {}
    for row in table.to_pylist():
        acts = {act: row[act] for act in ACTS if row[act]}
        each = Attempt(row["task_id"], row["template_id"], row["sample"], row["gold_steps"], row["passed"], acts)
        attempts.setdefault((row["arm"], row["seed"]), []).append(each)
    rounds: dict[tuple[str, str], list[RoundRecord]] = {}
    file = folder / ROUNDS
    for number, line in numbered_lines(file.read_text(encoding="utf-8") if file.is_file() else ""):
        try:
            kept = KeptRound.model_validate_json(line)
        except ValidationError as error:
            raise InputError(f"line {number} of {file} is no round", fix="Keep the study anew.") from error
        rounds.setdefault((kept.arm, kept.seed), []).append(kept.record)
    for arm, _ in (*attempts, *rounds):
        if arm not in arms:
            raise InputError(f"{folder} holds an arm {arm!r}, which the study has not", fix=f"Arms: {', '.join(arms)}.")
    return Found(
        {key: tuple(each) for key, each in attempts.items()}, {key: tuple(each) for key, each in rounds.items()}
    )
