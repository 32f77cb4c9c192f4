"""From episodes to numbers per attempt and per task: what every table is averaged from.

An *attempt* is an episode that counts, which is every one that did not end in an infrastructure error. A task's number
is the mean over its attempts, and a run's number is the mean over tasks: a task that lost an attempt to the
infrastructure weighs as much as the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from guideact.metrics import GuideScore, GuideScoring, align, ceiling, concatenate, floor, ggs, guide_score, guide_tax
from guideact.metrics.guide import has_tokens
from guideact.types import Episode, Step

LENGTHS = ((1, 3), (4, 6), (7, 9), (10, 14), (15, None))
"""Buckets of gold length in steps, ends included; MAG reports what is longer than 9 apart."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """One episode that counts. `guide` and `aligned` are None where the task has no reference."""

    sample: int
    solved: bool
    steps: tuple[Step, ...]
    seconds: float
    guide: GuideScore | None
    aligned: float | None

    @property
    def g(self) -> float | None:
        return None if self.guide is None else self.guide.g

    @property
    def well_formed(self) -> int:
        return sum(step.well_formed for step in self.steps)

    def part(self, name: Literal["bleu1", "bleu2", "rouge1", "rouge_l"]) -> float | None:
        """One of the four scores that G is the mean of."""
        return None if self.guide is None else float(getattr(self.guide, name))

    def ggs(self, gamma: float) -> float:
        """GGS with a missing G counted as 0."""
        return ggs(self.solved, self.g or 0.0, gamma)

    def tax(self, gamma: float) -> float:
        """S - GGS with a missing G counted as 0."""
        return guide_tax(self.solved, self.g or 0.0, gamma)

    def tokens(self) -> tuple[int, int] | None:
        """Input and output tokens of all its calls; None where it has none, or one was not counted in full."""
        read, written = 0, 0
        usages = [step.usage for step in self.steps if step.usage is not None]
        for usage in usages:
            # No prompt is empty: 0 is what earlier versions put down for one that was not counted.
            if not usage.input_tokens or usage.output_tokens is None:
                return None
            read, written = read + usage.input_tokens, written + usage.output_tokens
        return (read, written) if usages else None

    def cost(self) -> float | None:
        """US dollars of all its calls; None where no call was counted, or the cost of one is not known."""
        return cost_of(self.steps)


@dataclass(frozen=True, slots=True)
class TaskResult:
    """A task with its attempts, at least one. `ceiling` and `floor` belong to its references."""

    id: str
    template: str
    sites: str
    length: str
    attempts: tuple[Attempt, ...]
    ceiling: float | None
    floor: float | None

    @property
    def cluster(self) -> str:
        """What is resampled: the template, or the task itself where it has none."""
        return self.template or f"task {self.id}"

    @property
    def solved(self) -> float:
        """The share of its attempts that solved it."""
        return sum(attempt.solved for attempt in self.attempts) / len(self.attempts)

    @property
    def has_reference(self) -> bool:
        return self.floor is not None

    def mean(self, value: Callable[[Attempt], float | None]) -> float | None:
        """The mean over the attempts that have the value, None where none has."""
        values = [number for number in map(value, self.attempts) if number is not None]
        return math.fsum(values) / len(values) if values else None


def measure(episodes: Iterable[Episode], scoring: GuideScoring) -> tuple[TaskResult, ...]:
    """Results of all tasks that have an episode that counts, sorted by task id."""
    by_task: dict[str, list[Episode]] = {}
    for episode in episodes:
        if episode.end != "infrastructure_error":
            by_task.setdefault(episode.task_id, []).append(episode)
    return tuple(_task(by_task[task], scoring) for task in sorted(by_task))


def cost_of(steps: Iterable[Step]) -> float | None:
    """US dollars of all calls of these steps; None where none was counted, or the cost of one is not known."""
    costs = [step.usage.cost for step in steps if step.usage is not None]
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if costs and len(known) == len(costs) else None


def length_bucket(gold_steps: int) -> str:
    """The name of the bucket: `1-3`, ..., `15+`, or `no gold`."""
    for low, high in LENGTHS:
        if gold_steps >= low and (high is None or gold_steps <= high):
            return f"{low}+" if high is None else f"{low}-{high}"
    return "no gold"


def _task(episodes: Sequence[Episode], scoring: GuideScoring) -> TaskResult:
    first = episodes[0]
    references = _references(first, scoring)
    steps = sum(1 for step in first.references if step)
    return TaskResult(
        id=first.task_id,
        template=first.template_id,
        sites=" + ".join(first.sites),
        length=length_bucket(first.gold_steps or len(first.references)),
        attempts=tuple(_attempt(episode, scoring) for episode in episodes),
        ceiling=ceiling(references, scoring) if references else None,
        floor=floor(references, steps, scoring) if references else None,
    )


def _attempt(episode: Episode, scoring: GuideScoring) -> Attempt:
    references = _references(episode, scoring)
    guides = [step.guide for step in episode.steps]
    return Attempt(
        sample=episode.sample,
        solved=episode.success,
        steps=episode.steps,
        seconds=episode.seconds,
        guide=guide_score(" ".join(guides), references, scoring) if references else None,
        aligned=align(guides, episode.references, scoring).score if references else None,
    )


def _references(episode: Episode, scoring: GuideScoring) -> tuple[str, ...]:
    """The joined references that have tokens; none where the task has no gold."""
    return tuple(text for text in concatenate(episode.references) if has_tokens(text, scoring))
