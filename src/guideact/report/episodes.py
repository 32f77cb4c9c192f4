"""What the page shows of each episode: one JSON island each, read by the page's script when the episode is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup

from guideact.report.images import Missing, Picture
from guideact.report.words import action_in_words, count, row_change, timing_in_words
from guideact.types import Click, Episode, Point, Scroll, Select, Step, Type

ENDS = {
    "finished": "finished",
    "out_of_steps": "ran out of steps",
    "infrastructure_error": "stopped by an infrastructure error",
}


def result_of(episode: Episode) -> str:
    """`solved`, `failed` or `infrastructure error`: never two of them."""
    if episode.end == "infrastructure_error":
        return "infrastructure error"
    return "solved" if episode.success else "failed"


def island(value: Mapping[str, Any]) -> Markup:
    """JSON that is safe inside `<script type="application/json">`, whatever its strings hold.

    `<`, `>` and `&` are written as escapes, so neither `</script` nor `<!--` can occur; lone surrogates, which a
    file cannot hold, become question marks.
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text.encode("utf-8", "replace").decode("utf-8"))


def episode_data(episode: Episode, pictures: Mapping[str, Picture | Missing], g: float | None) -> dict[str, Any]:
    """The whole episode for the page. `g` is its guide score, None where the task has no reference."""
    facts = [
        count(len(episode.steps), "step") + (f" (gold {episode.gold_steps})" if episode.gold_steps else ""),
        f"{episode.seconds:.1f} s",
        ENDS[episode.end],
        *([f"G {g:.3f}"] if g is not None else []),
        *([f"template {episode.template_id}"] if episode.template_id else []),
        *([count(episode.attempts, "attempt")] if episode.attempts > 1 else []),
        f"{episode.task_id}, sample {episode.sample}",
    ]
    return {
        "task": episode.task_id,
        "intent": episode.intent,
        "result": result_of(episode),
        "facts": " · ".join(facts),
        "answer": episode.answer,
        "error": episode.error,
        "parts": [part.model_dump() for part in episode.check.parts] if episode.check else [],
        "changes": [row_change(change) for change in episode.changes],
        "steps": [_step(step, i, episode.references, pictures) for i, step in enumerate(episode.steps)],
        "unreached": [list(texts) for texts in episode.references[len(episode.steps) :]],
    }


def _step(
    step: Step, index: int, references: Sequence[Sequence[str]], pictures: Mapping[str, Picture | Missing]
) -> dict[str, Any]:
    picture = pictures.get(step.screenshot, Missing("No screenshot was taken: the agent reads no pixels."))
    image = None
    if isinstance(picture, Picture):
        image = {"key": picture.key, "width": picture.width, "height": picture.height}
    return {
        "title": step.title,
        "url": step.url,
        "guide": step.guide,
        "think": step.think,
        "raw": step.raw,
        "words": action_in_words(step.action, step.target),
        "faults": [fault.model_dump() for fault in step.faults],
        "outcome": step.outcome.model_dump() if step.outcome else None,
        "timing": timing_in_words(step),
        "changes": [row_change(change) for change in step.changes],
        "references": list(references[index]) if index < len(references) else [],
        "image": image,
        "image_note": picture.note if isinstance(picture, Missing) else "",
        "lit": _lit(step),
    }


def _lit(step: Step) -> dict[str, Any] | None:
    """What to light in the screenshot: the target's box, and the point where the agent named one."""
    point = None
    if isinstance(step.action, Click | Type | Select | Scroll) and isinstance(step.action.target, Point):
        point = [step.action.target.x, step.action.target.y]
    box = step.target.box if step.target is not None else None
    if box is None and point is None:
        return None
    return {"box": [box.x, box.y, box.width, box.height] if box else None, "point": point}
