"""The tables of a study of training on rewards, from the episodes and rounds that its folder holds, or that were kept.

Everything is computed anew from these, so each row of the tables can be had again by one command.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from guideact.errors import InputError
from guideact.stats import Estimate, Row, mean_interval, noise_floor, pass_at_k, ratio_interval
from guideact.tasks.catalogue import all_tasks
from guideact.train.attempts import Attempt, Found, find
from guideact.train.settings import RoundRecord
from guideact.types import VERBS

ARMS = ("untrained", "sft", "ce", "grpo", "grpo-34", "grpo-100", "shuffled")
PAIRS = (
    ("grpo-100", "grpo"),
    ("grpo-34", "grpo"),
    ("grpo-100", "ce"),
    ("grpo", "sft"),
    ("ce", "sft"),
    ("shuffled", "sft"),
)
LONG = 9
"""Gold steps; MAG reports what is longer apart."""
SMALLEST = 0.09
"""The smallest difference that counts; see the study's plan."""


@dataclass(frozen=True)
class Tested:
    """What an arm did on the test tasks."""

    arm: str
    seeds: tuple[tuple[Attempt, ...], ...]

    @property
    def attempts(self) -> list[Attempt]:
        """Those that count, all seeds together."""
        return [each for own in self.seeds for each in own if each.passed is not None]

    @property
    def errors(self) -> int:
        return sum(map(len, self.seeds)) - len(self.attempts)

    def rates(self, which: Callable[[Attempt], bool] = lambda attempt: True) -> dict[str, tuple[str, float]]:
        """Task -> (template, mean success over samples and seeds)."""
        found: dict[str, list[Attempt]] = {}
        for each in self.attempts:
            if which(each):
                found.setdefault(each.task_id, []).append(each)
        return {
            task: (own[0].template_id, math.fsum(bool(each.passed) for each in own) / len(own))
            for task, own in found.items()
        }


@dataclass(frozen=True)
class Study:
    """All that a study has come to."""

    tested: Mapping[str, Tested]
    rounds: Mapping[str, tuple[tuple[RoundRecord, ...], ...]]
    """Of each arm that was trained on rewards, the rounds of each seed."""


def read_study(folder: Path) -> Study:
    """Read a study, or what was kept of one. Raises InputError for a folder that holds no tested arm, and for damaged
    files."""
    return study_of(find(folder, ARMS), folder)


def study_of(found: Found, folder: Path) -> Study:
    """What was found in a folder, by arm. Raises InputError if no arm was tested."""
    if not found.attempts:
        raise InputError(f"{folder} holds no tested arm", fix="Run runs/mag_grpo.sh, or give its --out.")
    tested = {
        arm: Tested(arm, tuple(own for (of, _), own in found.attempts.items() if of == arm))
        for arm in ARMS
        if any(of == arm for of, _ in found.attempts)
    }
    rounds = {
        arm: tuple(own for (of, _), own in found.rounds.items() if of == arm)
        for arm in ARMS
        if any(of == arm for of, _ in found.rounds)
    }
    return Study(tested, rounds)


def tables(study: Study) -> str:
    """The tables of the study, as Markdown."""
    return "\n".join([_arms(study), _pairs(study), _training(study), _mix(study)])


# --- test ---------------------------------------------------------------------------------------------------------


def _arms(study: Study) -> str:
    seen = {task.template_id for task in all_tasks() if task.split == "train"}
    kinds: tuple[tuple[str, Callable[[Attempt], bool]], ...] = (
        ("seen", lambda each: each.template_id in seen),
        ("unseen", lambda each: each.template_id not in seen),
        (f"gold up to {LONG}", lambda each: 0 < each.gold_steps <= LONG),
        ("longer", lambda each: each.gold_steps > LONG),
    )
    head = [
        "arm",
        "seeds",
        "tasks",
        "SR",
        "pass@1",
        "pass@3",
        "pass@6",
        *(name for name, _ in kinds),
        "noise",
        "errors",
    ]
    rows = []
    for arm, tested in study.tested.items():
        rates = tested.rates()
        rows.append(
            [
                f"`{arm}`",
                str(len(tested.seeds)),
                str(len(rates)),
                _interval(mean_interval(rates.values())),
                *(_pass(tested, k) for k in (1, 3, 6)),
                *(_mean(tested.rates(which)) for _, which in kinds),
                _noise(tested),
                str(tested.errors),
            ]
        )
    return markdown("Test tasks", head, rows)


def _pass(tested: Tested, k: int) -> str:
    """The mean over seeds and tasks that have as many attempts."""
    found = []
    for attempts in tested.seeds:
        by_task: dict[str, list[bool]] = {}
        for each in attempts:
            if each.passed is not None:
                by_task.setdefault(each.task_id, []).append(each.passed)
        found += [pass_at_k(len(own), sum(own), k) for own in by_task.values() if len(own) >= k]
    return f"{math.fsum(found) / len(found):.3f}" if found else "–"


def _mean(rates: Mapping[str, tuple[str, float]]) -> str:
    values = [rate for _, rate in rates.values()]
    return f"{math.fsum(values) / len(values):.3f} ({len(values)})" if values else "–"


def _noise(tested: Tested) -> str:
    """The standard deviation of SR from one set of samples to the next, mean over seeds."""
    found = []
    for attempts in tested.seeds:
        by_task: dict[str, dict[int, float]] = {}
        for each in attempts:
            if each.passed is not None:
                by_task.setdefault(each.task_id, {})[each.sample] = float(each.passed)
        if (floor := noise_floor(by_task)) is not None:
            found.append(floor.sd)
    return f"{math.fsum(found) / len(found):.3f}" if found else "–"


@dataclass(frozen=True)
class Difference:
    """One arm less another on the tasks that both were tested on, and what can be said of it."""

    arm: str
    other: str
    tasks: int
    estimate: Estimate

    @property
    def verdict(self) -> str:
        low, high, value = self.estimate.low, self.estimate.high, self.estimate.value
        if value is None or low is None or high is None or low <= 0 <= high or abs(value) < SMALLEST:
            return "inconclusive"
        return "higher" if value > 0 else "lower"


def difference(study: Study, arm: str, other: str) -> Difference:
    """`arm` less `other`, paired by task, templates resampled."""
    first, second = study.tested[arm].rates(), study.tested[other].rates()
    both = sorted(first.keys() & second.keys())
    rows, minus = ([Row(*rates[task]) for task in both] for rates in (first, second))
    return Difference(arm, other, len(both), ratio_interval(rows, minus, span=(-1.0, 1.0)))


def _pairs(study: Study) -> str:
    rows = []
    for arm, other in PAIRS:
        if arm in study.tested and other in study.tested:
            found = difference(study, arm, other)
            rows.append([f"`{arm}` less `{other}`", str(found.tasks), _interval(found.estimate), found.verdict])
    return markdown(f"Differences of test SR (counted from {SMALLEST} on)", ["", "tasks", "SR", ""], rows)


# --- training -----------------------------------------------------------------------------------------------------


def _training(study: Study) -> str:
    head = ["arm", "rounds", "dead groups", "of them failed", "reward variance", "SR first 2", "SR last 2"]
    head += ["experts", "updates", "KL", "entropy", "hours"]
    rows = []
    for arm, seeds in study.rounds.items():
        records = [record for own in seeds for record in own]
        played = [record for record in records if record.groups]
        dead = sum(record.groups - record.live for record in played)
        groups = sum(record.groups for record in played)
        last = [own[-1] for own in seeds if own]
        rows.append(
            [
                f"`{arm}`",
                " + ".join(str(len(own)) for own in seeds),
                f"{dead / groups:.3f}" if groups else "–",
                f"{sum(record.all_failed for record in played) / dead:.3f}" if dead else "–",
                _average(record.reward_variance for record in played),
                _average(record.success_rate for own in seeds for record in own[:2]),
                _average(record.success_rate for own in seeds for record in own[-2:]),
                _average(record.expert_share for record in records if record.trained),
                str(sum(record.updates for record in records)),
                _average(record.kl for record in last),
                _average(record.entropy for record in last),
                f"{sum(record.seconds_rollouts + record.seconds_update for record in records) / 3600:.2f}",
            ]
        )
    return markdown("Training", head, rows)


def _mix(study: Study) -> str:
    rows = []
    for arm, tested in study.tested.items():
        counts = Counter[str]()
        for each in tested.attempts:
            counts.update(each.acts)
        steps = counts.total()
        shares = [f"{counts[verb] / steps:.3f}" if steps else "–" for verb in VERBS]
        mean = steps / len(tested.attempts) if tested.attempts else 0.0
        rows.append([f"`{arm}`", *shares, f"{mean:.1f}"])
    return markdown("What is done on the test tasks", ["arm", *VERBS, "steps an episode"], rows)


# --- words --------------------------------------------------------------------------------------------------------


def _average(values: Iterable[float | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{math.fsum(known) / len(known):.3f}" if known else "–"


def _interval(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]"


def markdown(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table with a heading."""
    lines = [f"### {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([*lines, ""])
