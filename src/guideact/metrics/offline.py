"""Scores of a single step against its demonstration, teacher-forced: what was predicted where the page was given.

    element            the predicted target is the gold one: its mark, or a point in its box, edges included
    element@14, @25, @50   where the gold target is only a point: the predicted one lies at most so many px from it
    verb               the verb is the gold one
    operation_f1       Mind2Web: F1 over the sets of tokens, split at white space, of "VERB value"; both empty: 1
    step_success       Mind2Web: element right and operation F1 = 1 (@14, @25, @50 where only a point is known)
    value              the text typed, the option selected or the direction scrolled is the gold one
    action             verb, element, and value or answer right (@14, @25, @50 where only a point is known)

(Mind2Web: Deng et al. 2023, arXiv 2306.06070. It has no step without an element; here such a step counts for
`step_success` where nothing is pointed at either.) Each function says what makes it not applicable, which is not a
score of 0.
"""

from __future__ import annotations

import math
import unicodedata
from dataclasses import dataclass

from guideact.types import Action, Box, Mark, Point, Target

VERSION = "1"
"""Raised whenever a score changes; part of every signature."""

RADII = (14, 25, 50)
"""Px within which a predicted point counts where only a point is known. All three are always given."""

VALUE_FIELDS = {"type": "text", "select": "option", "scroll": "direction", "finish": "answer"}
"""Verbs with a value, and the field of the action that holds it."""


@dataclass(frozen=True)
class Place:
    """Where a gold action points. Equally good targets are further marks and boxes."""

    marks: frozenset[int] = frozenset()
    boxes: tuple[Box, ...] = ()
    point: tuple[float, float] | None = None
    """CSS px. Judged by only where there is no box."""

    @property
    def point_alone(self) -> bool:
        """Whether nothing but a point is known."""
        return self.point is not None and not self.boxes and not self.marks


def element(place: Place, target: Target | None) -> dict[str, bool]:
    """Whether the predicted target is the gold one, by the name of the score; no target at all is a miss.

    A point is judged by the boxes, or where there is none by its distance to the gold point (`element@14`, ...).

    Raises:
        ValueError: a mark was predicted where only a point is known, which can be neither right nor wrong.
    """
    if place.point_alone:
        assert place.point is not None
        if isinstance(target, Mark):
            raise ValueError("a mark cannot be judged by a point")
        off = math.inf if target is None else math.dist((target.x, target.y), place.point)
        return {f"element@{radius}": off <= radius for radius in RADII}
    match target:
        case Mark(mark=mark):
            return {"element": mark in place.marks}
        case Point(x=x, y=y):
            return {"element": any(box.contains(x, y) for box in place.boxes)}
        case None:
            return {"element": False}


def operation(verb: str, value: str) -> str:
    """The operation as Mind2Web writes it: `TYPE blue mug`."""
    return f"{verb.upper()} {value}".strip()


def operation_f1(predicted: str, gold: str) -> float:
    """F1 of the sets of white-space tokens of two operations, 0..1; both empty: 1, one of them: 0 (Mind2Web)."""
    ours, theirs = set(predicted.split()), set(gold.split())
    if not ours and not theirs:
        return 1.0
    return 2 * len(ours & theirs) / (len(ours) + len(theirs))


def value_of(action: Action | None) -> str:
    """What an action types, selects, answers, or the direction that it scrolls in; empty for the others."""
    if action is None:
        return ""
    field = VALUE_FIELDS.get(action.verb)
    return "" if field is None else str(getattr(action, field))


def same_value(predicted: str, gold: str) -> bool:
    """Whether two values are one but for width (NFKC), case and white space at the ends or in a row."""
    return _fold(predicted) == _fold(gold)


def target_of(action: Action | None) -> Target | None:
    """What an action points at."""
    found: Target | None = getattr(action, "target", None)
    return found


def action_scores(
    gold: Action,
    place: Place | None,
    predicted: Action | None,
    answer_right: bool | None = None,
    *,
    points_alone: bool = False,
) -> dict[str, float]:
    """All scores of a predicted action, each 0..1; the names that do not apply are left out.

    Args:
        gold: what the demonstration does.
        place: where it points; None where it points at nothing.
        predicted: None for an answer that could not be read, which is wrong in all that applies.
        answer_right: for a gold `finish`: whether the predicted answer is right, None where none is asked for.
        points_alone: the demonstrations know no boxes, so that steps without a target are told by distances too, and
            each distance is over all steps.
    """
    scores: dict[str, float] = {}
    same_verb = predicted is not None and predicted.verb == gold.verb
    target = target_of(predicted)
    if place is not None:
        hits = element(place, target)
        scores |= hits
    else:
        names = [f"element@{radius}" for radius in RADII] if points_alone else ["element"]
        hits = dict.fromkeys(names, target is None)
    scores["verb"] = same_verb
    said = "" if predicted is None else operation(predicted.verb, value_of(predicted))
    scores["operation_f1"] = operation_f1(said, operation(gold.verb, value_of(gold)))
    right_value = True
    if gold.verb in ("type", "select", "scroll"):
        right_value = same_verb and same_value(value_of(predicted), value_of(gold))
        scores["value"] = right_value
    elif gold.verb == "finish" and answer_right is not None:
        right_value = same_verb and answer_right
        scores["answer"] = right_value
    for name, hit in hits.items():
        radius = name.removeprefix("element")
        scores[f"step_success{radius}"] = hit and scores["operation_f1"] == 1
        scores[f"action{radius}"] = hit and same_verb and right_value
    return {name: float(score) for name, score in scores.items()}


def _fold(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
