"""The tables of a study of training on guides' rewards, from the predictions that its folder holds.

    STUDY/start/SEED.npz        what the trainings of a seed began with, and the frozen scorer of their rewards
    STUDY/ARM/SEED.jsonl        `guideact offline predict` with the arm's weights, `start` among the arms

Everything is computed anew from the dataset and these files.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.offline.gold import read_gold
from guideact.offline.measure import StepScore, measure
from guideact.offline.mre import detectable, over_seeds
from guideact.offline.predictions import read_predictions
from guideact.offline.reward import scorer_named
from guideact.offline.rewards import reward_report
from guideact.offline.score import check, micro_rows
from guideact.stats import Estimate, ratio_interval
from guideact.train.study import markdown

ARMS = ("start", "log", "zero_one", "success", "shuffled")
NAMES = ("action", "element", "g", "chrf", "ofcr", "reward")
"""Scores of a step; `reward` is the offline reward (log form) of its guide, to the seed's own start."""

Runs = Mapping[str, Mapping[str, Sequence[StepScore]]]
"""Of each arm, the step scores of each seed, by its name."""


def read_guides_study(dataset: Dataset, folder: Path) -> Runs:
    """Read and score all predictions. Raises InputError for a folder without any, and as scoring does."""
    runs: dict[str, dict[str, tuple[StepScore, ...]]] = {}
    for arm in ARMS:
        for path in sorted((folder / arm).glob("*.jsonl")):
            predictions = read_predictions([path])
            gold = read_gold(dataset, predictions.header.split)
            check(gold, predictions)
            report = reward_report(dataset, predictions, scorer_named(f"builtin/{folder / 'start' / path.stem}.npz"))
            earned = {(row.task, row.index): row.log for row in report.rows}
            steps = (
                replace(step, scores={**step.scores, "reward": earned[step.key]}) if step.key in earned else step
                for step in measure(gold, predictions)
            )
            runs.setdefault(arm, {})[path.stem] = tuple(steps)
    if "start" not in runs:
        raise InputError(f"{folder} holds no predictions of a start", fix="Run runs/webmre_reward.sh.")
    return runs


def guides_tables(runs: Runs) -> str:
    """The tables, as Markdown: the scores of each arm, and what each gained over the start."""
    scores = [
        [f"`{arm}`", str(len(seeds)), *(_mean(over_seeds([*seeds.values()], name), name) for name in NAMES)]
        for arm, seeds in runs.items()
    ]
    gains = [
        [f"`{arm}`", name, *_gain(seeds, runs["start"], name)]
        for arm, seeds in runs.items()
        if arm != "start"
        for name in NAMES
    ]
    head = ["arm", "score", "gain over `start`", "by seed", "smallest detectable", ""]
    return "\n".join(
        [
            markdown("Scores of the test steps, mean over steps and seeds", ["arm", "seeds", *NAMES], scores),
            markdown("Gains, paired by step, templates resampled", head, gains),
        ]
    )


def _mean(steps: Sequence[StepScore], name: str) -> str:
    return f"{math.fsum(step.scores[name] for step in steps) / len(steps):.3f}" if steps else "–"


def _gain(seeds: Mapping[str, Sequence[StepScore]], start: Mapping[str, Sequence[StepScore]], name: str) -> list[str]:
    """Each seed is compared to its own start: a study that is not done yet may lack any of either."""
    both = [(own, start[seed]) for seed, own in seeds.items() if seed in start]
    ours, theirs = (over_seeds(runs, name) for runs in ([own for own, _ in both], [other for _, other in both]))
    keys = {step.key for step in ours} & {step.key for step in theirs}
    ours, theirs = ([step for step in steps if step.key in keys] for steps in (ours, theirs))
    if not keys:
        return ["–"] * 4
    span = None if name == "reward" else (-1.0, 1.0)
    found = ratio_interval(micro_rows(ours, name), micro_rows(theirs, name), span=span)
    each = [_difference(one, other, name) for one, other in both]
    smallest = detectable(ours, theirs, name)
    return [
        interval(found),
        " ".join(f"{value:+.3f}" for value in each),
        f"{smallest:.3f}" if smallest else "–",
        verdict(found, smallest),
    ]


def _difference(one: Sequence[StepScore], other: Sequence[StepScore], name: str) -> float:
    return _plain(one, name) - _plain(other, name)


def _plain(steps: Sequence[StepScore], name: str) -> float:
    values = [step.scores[name] for step in steps if name in step.scores]
    return math.fsum(values) / len(values) if values else 0.0


def interval(estimate: Estimate) -> str:
    """`0.120 [0.050, 0.190]`, signed."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return "–"
    return f"{estimate.value:+.3f} [{estimate.low:+.3f}, {estimate.high:+.3f}]"


def verdict(estimate: Estimate, smallest: float | None) -> str:
    """`inconclusive` where the interval holds 0, or the gain is smaller than what could have been detected.

    Where nothing differs at all, `smallest` is 0 and says nothing.
    """
    low, high, value = estimate.low, estimate.high, estimate.value
    if value is None or low is None or high is None or low <= 0 <= high or not smallest or abs(value) < smallest:
        return "inconclusive"
    return "higher" if value > 0 else "lower"
