"""Comparing two runs over the tasks that both have: `compare_runs(a, b)` gives a `Comparison`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from pathlib import Path

from guideact.errors import InputError
from guideact.harness.measure import TaskResult, measure
from guideact.harness.read import Run, read_run
from guideact.harness.score import Value, ofcr_rows, repeats
from guideact.harness.scores import Comparison, Difference
from guideact.metrics import GAMMA, GuideScoring, sign
from guideact.stats import (
    Resampling,
    mcnemar,
    mean_head_room,
    mean_interval,
    ratio_interval,
    sign_flip,
)
from guideact.stats.bootstrap import DIFFERENCE


@dataclass(frozen=True, slots=True)
class _Pair:
    """A task as both arms did it. The cluster is A's."""

    a: TaskResult
    b: TaskResult


def compare_runs(
    a: Path,
    b: Path,
    *,
    gamma: float = GAMMA,
    scoring: GuideScoring | None = None,
    resampling: Resampling | None = None,
) -> Comparison:
    """Compare the runs in two folders; differences are A less B.

    Raises:
        InputError: as `read_run` does, or the runs have no task in common that both could be scored on.
    """
    return compare(read_run(a), read_run(b), gamma=gamma, scoring=scoring, resampling=resampling)


def compare(
    a: Run, b: Run, *, gamma: float = GAMMA, scoring: GuideScoring | None = None, resampling: Resampling | None = None
) -> Comparison:
    """Compare two runs that have been read."""
    scoring, resampling = scoring or GuideScoring(), resampling or Resampling()
    tasks_a = {task.id: task for task in measure(a.episodes, scoring)}
    tasks_b = {task.id: task for task in measure(b.episodes, scoring)}
    pairs = [_Pair(tasks_a[task], tasks_b[task]) for task in sorted(tasks_a.keys() & tasks_b.keys())]
    if not pairs:
        raise InputError(
            f"{a.folder} and {b.folder} have no scored task in common",
            fix="Compare runs over the same tasks (the same --tasks, --sites, --split and --limit).",
        )
    referenced = [pair for pair in pairs if pair.a.has_reference and pair.b.has_reference]
    won = tuple(pair.a.id for pair in pairs if pair.a.solved > pair.b.solved)
    lost = tuple(pair.a.id for pair in pairs if pair.a.solved < pair.b.solved)
    repeats_a, repeats_b = repeats(pair.a for pair in pairs), repeats(pair.b for pair in pairs)
    room = mean_head_room(product(repeats_a, repeats_b))
    assert room is not None  # every common task has an attempt in both

    def difference(name: str, value: Value, over: Sequence[_Pair] = pairs) -> Difference:
        return _difference(name, value, over, resampling)

    return Comparison(
        a=a.name,
        b=b.name,
        model_a=a.manifest.model,
        model_b=b.manifest.model,
        n=len(pairs),
        clusters=len({pair.a.cluster for pair in pairs}),
        only_a=tuple(sorted(tasks_a.keys() - tasks_b.keys())),
        only_b=tuple(sorted(tasks_b.keys() - tasks_a.keys())),
        infrastructure_errors_a=sum(episode.check is None for episode in a.episodes),
        infrastructure_errors_b=sum(episode.check is None for episode in b.episodes),
        differences=(
            difference("sr", lambda attempt: float(attempt.solved)),
            difference("g", lambda attempt: attempt.g, referenced),
            difference("ggs", lambda attempt: attempt.ggs(gamma)),
            difference("ggs_referenced", lambda attempt: attempt.ggs(gamma), referenced),
            difference("guide_tax", lambda attempt: attempt.tax(gamma)),
            difference("g_aligned", lambda attempt: attempt.aligned, referenced),
            _ofcr(pairs, resampling),
        ),
        won=won,
        lost=lost,
        both=sum(pair.a.solved == pair.b.solved == 1 for pair in pairs),
        neither=sum(pair.a.solved == pair.b.solved == 0 for pair in pairs),
        mcnemar_ignoring_clusters=mcnemar(len(won), len(lost)),
        head_room=room,
        head_room_repeats_a=mean_head_room(combinations(repeats_a, 2)),
        head_room_repeats_b=mean_head_room(combinations(repeats_b, 2)),
        notes=(
            *(f"{run.name}: {note}" for run in (a, b) for note in run.notes),
            *_unlike(a, b, pairs),
        ),
        signature=sign(
            scoring,
            gamma=gamma,
            resamples=resampling.resamples,
            seed=resampling.seed,
            level=resampling.level,
        ),
    )


def _difference(name: str, value: Value, pairs: Sequence[_Pair], resampling: Resampling) -> Difference:
    """Of the means over tasks, each task's mean over its attempts first."""
    means = [(pair.a.cluster, pair.a.mean(value), pair.b.mean(value)) for pair in pairs]
    known = [(cluster, in_a, in_b) for cluster, in_a, in_b in means if in_a is not None and in_b is not None]
    differences = [(cluster, in_a - in_b) for cluster, in_a, in_b in known]
    return Difference(
        name=name,
        a=math.fsum(in_a for _, in_a, _ in known) / len(known) if known else None,
        b=math.fsum(in_b for _, _, in_b in known) / len(known) if known else None,
        difference=mean_interval(differences, span=DIFFERENCE, resampling=resampling),
        sign_flip=sign_flip(differences, resampling) if known else None,
    )


def _ofcr(pairs: Sequence[_Pair], resampling: Resampling) -> Difference:
    """Of well-formed steps over steps in each arm, which is no mean over tasks."""
    # Both arms are resampled by A's clusters, even where B's file names a task's template otherwise.
    rows_a = ofcr_rows(pair.a for pair in pairs)
    rows_b = [
        replace(row, cluster=pair.a.cluster)
        for pair, row in zip(pairs, ofcr_rows(pair.b for pair in pairs), strict=True)
    ]
    sides = [ratio_interval(rows, resampling=resampling).value for rows in (rows_a, rows_b)]
    return Difference(
        name="ofcr",
        a=sides[0],
        b=sides[1],
        difference=ratio_interval(rows_a, rows_b, span=DIFFERENCE, resampling=resampling),
        sign_flip=None,
    )


def _unlike(a: Run, b: Run, pairs: Sequence[_Pair]) -> list[str]:
    """What differs between the runs besides the arm, as far as the folders tell."""
    # What one of them alone has is a part of its arm, or was not hashed yet when the other was begun.
    notes = [
        f"The {name} of the two runs differ."
        for name in sorted(a.manifest.hashes.keys() & b.manifest.hashes.keys())
        if a.manifest.hashes[name] != b.manifest.hashes[name]
    ]
    held = [run.manifest.config.get("structured_output") is True for run in (a, b)]
    if held[0] != held[1]:
        notes.append(f"Decoding was constrained in {'A' if held[0] else 'B'} alone: their OFCR cannot be compared.")
    gold_a = {episode.task_id: episode.references for episode in a.episodes}
    gold_b = {episode.task_id: episode.references for episode in b.episodes}
    moved = sum(gold_a[pair.a.id] != gold_b[pair.a.id] for pair in pairs)
    if moved:
        notes.append(f"{moved} tasks have other reference guides in the two runs: their G cannot be compared.")
    return notes
