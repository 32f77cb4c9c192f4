"""What the report says in words: actions, outcomes' timings, changed rows, numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from guideact.types import (
    Action,
    Candidate,
    Click,
    Finish,
    GoBack,
    Mark,
    Point,
    PressEnter,
    RowChange,
    Scroll,
    Select,
    Step,
    Target,
    Type,
)

RESULTS = ("solved", "failed", "infrastructure error")


def action_in_words(action: Action | None, target: Candidate | None) -> str:
    """One sentence about what the agent did, naming the element as a reader of the screenshot would."""
    match action:
        case None:
            return "No action: the answer could not be read."
        case Click():
            return f"Click {_where(action.target, target)}."
        case Type():
            return f"Type “{action.text}” into {_where(action.target, target)}."
        case Select():
            return f"Select “{action.option}” in {_where(action.target, target)}."
        case Scroll():
            over = f" over {_where(action.target, target)}" if action.target else ""
            return f"Scroll {action.direction}{over}."
        case PressEnter():
            return "Press Enter."
        case GoBack():
            return "Go back."
        case Finish():
            return f"Finish with the answer “{action.answer}”." if action.answer else "Finish."


def _where(target: Target, candidate: Candidate | None) -> str:
    element = ""
    if candidate is not None:
        label = candidate.name or candidate.text
        element = f"the {candidate.role} “{label}”" if label else f"the {candidate.role} without a name"
    match target:
        case Mark():
            return f"{element} (mark {target.mark})" if element else f"mark {target.mark}"
        case Point():
            place = f"({target.x:g}, {target.y:g})"
            return f"{element} at {place}" if element else f"the point {place}"


def timing_in_words(step: Step) -> str:
    """The step's timings in the order they happen, in ms, its tokens where they are counted, its cost where known."""
    parts = [f"{name} {value:,.0f} ms" for name, value in step.timings.items()]
    if step.usage is not None and (step.usage.input_tokens or step.usage.output_tokens):
        read, written = (
            "?" if number is None else f"{number:,}" for number in (step.usage.input_tokens, step.usage.output_tokens)
        )
        parts.append(f"{read} + {written} tokens")
    if step.usage is not None and step.usage.from_cache:
        parts.append("from the response cache")
    elif step.usage is not None and step.usage.cost is not None:
        parts.append(f"US$ {step.usage.cost:.4f}")
    return " · ".join(parts)


def row_change(change: RowChange) -> dict[str, Any]:
    """A changed row as the page shows it: `columns` holds (name, before, after), empty cells of whole rows left out."""
    before: Mapping[str, Any] = change.before or {}
    after: Mapping[str, Any] = change.after or {}
    names = list(dict.fromkeys([*before, *after]))
    columns = [
        (name, before.get(name), after.get(name))
        for name in names
        if change.op == "update" or (before.get(name), after.get(name)) not in ((None, None), (None, ""), ("", None))
    ]
    return {"op": change.op, "table": change.table, "key": change.key, "site": change.site, "columns": columns}


def rate(value: float | None) -> str:
    """A share between 0 and 1 with three decimals, or a dash where there is nothing to average."""
    return "–" if value is None else f"{value:.3f}"


def count(number: int, noun: str, plural: str = "") -> str:
    """`1 step`, `3 steps`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(names: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""
