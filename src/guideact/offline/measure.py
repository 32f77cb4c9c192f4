"""Scores of each step: what was said against what the demonstration did."""

from __future__ import annotations

import itertools
import math
import os
import signal
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from guideact.actions import parse_answer
from guideact.leaks import find_leaks
from guideact.metrics import gacs as consistency
from guideact.metrics.chrf import chrf
from guideact.metrics.guide import guide_score, has_tokens
from guideact.metrics.offline import action_scores, element, target_of, value_of
from guideact.offline.gold import Gold, GoldStep
from guideact.offline.predictions import Header, Prediction, Predictions
from guideact.tasks.checks.answer import check_answer, same_item
from guideact.types import Answer, Mark, Point, Task

ACTION_SCORES = (
    "element",
    "element@14",
    "element@25",
    "element@50",
    "verb",
    "operation_f1",
    "step_success",
    "step_success@14",
    "step_success@25",
    "step_success@50",
    "value",
    "answer",
    "action",
    "action@14",
    "action@25",
    "action@50",
)
GUIDE_SCORES = ("bleu1", "bleu2", "rouge1", "rouge_l", "g", "chrf")
BOTH_SCORES = (
    "gacs",
    "gacs_all",
    "gacs_action",
    "gacs_head_verb",
    "gacs_name",
    "gacs_place",
    "gacs_referent",
)
NAMES = (*ACTION_SCORES, *GUIDE_SCORES, *BOTH_SCORES, "ofcr")
"""All scores, in the order in which they are told."""


@dataclass(frozen=True, slots=True)
class StepScore:
    """The scores of a step, each 0..1, those that apply; and what they were made of."""

    task: str
    index: int
    cluster: str
    scores: dict[str, float]
    guide: str
    """As it was read; a forced one too."""
    faults: tuple[str, ...]
    """Kinds."""

    @property
    def key(self) -> tuple[str, int]:
        return (self.task, self.index)


def measure(gold: Gold, predictions: Predictions) -> tuple[StepScore, ...]:
    """The scores of each predicted step that is to be scored, by task and step."""
    dropped = gold.settled.dropped
    rows = [row for row in predictions.rows if row.key not in dropped]
    work = _Work(gold, predictions.header, gold.settled.also)
    workers = _workers(len(rows))
    if workers == 1:
        return tuple(work.scores(rows))
    size = math.ceil(len(rows) / workers)
    parts = [rows[start : start + size] for start in range(0, len(rows), size)]
    with ProcessPoolExecutor(workers, get_context("fork"), _inherit, (work,)) as pool:
        return tuple(itertools.chain.from_iterable(pool.map(_scores, parts)))


@dataclass(frozen=True)
class _Work:
    """What the scores of a step are worked out from, but for the prediction."""

    gold: Gold
    header: Header
    also: dict[tuple[str, int], frozenset[int]]

    def scores(self, rows: Sequence[Prediction]) -> list[StepScore]:
        gold = self.gold
        return [
            measure_step(
                gold, gold.step(row.key), gold.tasks[row.task], self.header, row, self.also.get(row.key, frozenset())
            )
            for row in rows
        ]


ALONE = 1000
"""Steps for which one process is enough: starting others takes as long as some hundred steps."""


def _workers(steps: int) -> int:
    """How many processes share the work. Steps are independent, so their number changes no score.

    Only where a process can be forked, for a split is too large to be handed over. macOS can, but its libraries may
    not survive it.
    """
    if steps < ALONE or sys.platform != "linux":
        return 1
    return min(len(os.sched_getaffinity(0)), steps // (ALONE // 2))


_inherited: list[_Work] = []
"""In a forked process, its work."""


def _inherit(work: _Work) -> None:
    # Ctrl-C reaches all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _inherited[:] = [work]


def _scores(rows: Sequence[Prediction]) -> list[StepScore]:
    return _inherited[0].scores(rows)


def measure_step(
    gold: Gold, step: GoldStep, task: Task, header: Header, row: Prediction, also: frozenset[int] = frozenset()
) -> StepScore:
    """The scores of one step.

    A guide that was forced is not the model's: it has no guide scores, and neither OFCR nor GACS is told of it.
    """
    answer = read(gold, step, header, row)
    order, free = header.order, not header.force
    scores: dict[str, float] = {}
    if "action" in order:
        place = step.place(also)
        scores |= action_scores(
            step.action,
            place,
            answer.action,
            answer_right(task, step, value_of(answer.action)),
            points_alone=gold.dataset.manifest.grounding == "coord",
        )
    if "guide" in order and free and any(has_tokens(guide) for guide in step.guides):
        found = guide_score(answer.guide, step.guides)
        scores |= {
            "bleu1": found.bleu1,
            "bleu2": found.bleu2,
            "rouge1": found.rouge1,
            "rouge_l": found.rouge_l,
            "g": found.g,
            "chrf": chrf(answer.guide, step.guides),
        }
    if "action" in order and "guide" in order and free:
        scores |= consistent(step, answer, scores, also)
    if free:
        scores["ofcr"] = float(not answer.faults)
    kinds = tuple(sorted({fault.kind for fault in answer.faults}))
    return StepScore(row.task, row.index, gold.cluster(row.task), scores, answer.guide, kinds)


def read(gold: Gold, step: GoldStep, header: Header, row: Prediction) -> Answer:
    """What a prediction says, with all its faults, leaks included."""
    if row.fault is not None:
        return Answer(faults=(row.fault,))
    marks = len(step.candidates) if header.grounding == "som" else None
    answer = parse_answer(row.raw, header.grounding, viewport=step.viewport, marks=marks, order=header.order)
    if "guide" in header.order and find_leaks(answer.guide):
        # Rare, so the whole page is read only now: what stands on it is no leak.
        leaks = find_leaks(answer.guide, gold.whole_step(step.key).observation)
        return answer.model_copy(update={"faults": answer.faults + leaks})
    return answer


def answer_right(task: Task, step: GoldStep, said: str) -> bool | None:
    """Whether the answer of a `finish` is right: by the task's own check, which is typed, or else by the demonstration.

    None where no answer is asked for, or the step is none that answers.
    """
    if step.action.verb != "finish":
        return None
    if task.check.answer is not None:
        return check_answer(task.check.answer, said).passed
    wanted = value_of(step.action)
    return same_item(said, wanted) if wanted.strip() else None


def consistent(step: GoldStep, answer: Answer, scores: dict[str, float], also: frozenset[int]) -> dict[str, float]:
    """GACS and its parts; a step without an action or a guide has a GACS of 0 and no parts."""
    action = answer.action
    if action is None or not answer.guide:
        return {"gacs": 0.0, "gacs_all": 0.0}
    target = target_of(action)
    names = [candidate.words for candidate in step.candidates]
    number = None if target is None else _number(step, target)
    right = scores["verb"] == 1 and scores.get("value", 1) == 1 and scores.get("answer", 1) == 1
    place = step.place(also)
    hit = None
    if place is not None:
        hit = _near(place.point, target) if place.point_alone else any(element(place, target).values())
    elif target is not None:
        hit = False
    found = consistency.parts(
        answer.guide,
        action.verb,
        action_right=right,
        place_right=hit,
        names=names,
        target=number,
        target_name="" if number is None else step.candidates[number].label,
    )
    return consistency.gacs(found)


def _near(point: tuple[float, float] | None, target: Mark | Point | None) -> bool:
    if point is None or not isinstance(target, Point):
        return False
    x, y = target.x - point[0], target.y - point[1]
    return math.hypot(x, y) <= consistency.DEFAULT.px


def _number(step: GoldStep, target: Mark | Point) -> int | None:
    """The place of what was pointed at among the candidates: the smallest box that holds the point."""
    if isinstance(target, Mark):
        return target.mark - 1 if target.mark <= len(step.candidates) else None
    holding = [
        (box.width * box.height, at)
        for at, box in enumerate(candidate.box for candidate in step.candidates)
        if box.contains(target.x, target.y)
    ]
    return min(holding)[1] if holding else None
