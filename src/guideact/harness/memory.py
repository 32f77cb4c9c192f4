"""What an agent is told of its earlier steps: one line a step, oldest first.

Guides are MAG's only textual memory. The other three are controls, which show what the guides are worth as a memory:

- `guides`: the agent's own guide sentences, as they are.
- `actions`: what was done, in words that every agent's harness could write: `click "Add to Cart" (button)`.
- `none`: nothing.
- `corrupted`: the agent's own guides, each made to name something else. Form and length stay about the same, what the
  sentence is about does not. The same task, repetition and step are always corrupted in the same way.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from typing import assert_never

from guideact.types import (
    Action,
    Candidate,
    Click,
    Finish,
    GoBack,
    Memory,
    Observation,
    PressEnter,
    Scroll,
    Select,
    Step,
    Type,
)

UNREADABLE = "(an answer that could not be read)"
"""Stands for a step without a guide or without an action, so that the lines count the steps."""
_LETTER = "[0-9A-Za-z_\u00c0-\u024f\u0370-\u052f]"
"""Of the scripts that put spaces around a word and nothing else to it: Latin, Greek, Cyrillic."""


def memory_line(step: Step, seen: Observation, memory: Memory, key: str) -> str | None:
    """What is remembered of a step that was decided on `seen`; None where nothing is.

    `key` names the episode: it fixes what a corrupted guide becomes.
    """
    match memory:
        case "guides":
            return step.guide or UNREADABLE
        case "actions":
            return UNREADABLE if step.action is None else describe(step.action, step.target)
        case "none":
            return None
        case "corrupted":
            return corrupt(step.guide, step.target, seen, f"{key}/{step.index}") if step.guide else UNREADABLE
        case _:
            assert_never(memory)


def describe(action: Action, target: Candidate | None) -> str:
    """An action in words, without marks and places: `type "blue mug" into "Search" (searchbox)`."""
    match action:
        case Click():
            return f"click {_named(target)}"
        case Type(text=text):
            return f'type "{text}" into {_named(target)}'
        case Select(option=option):
            return f'select "{option}" in {_named(target)}'
        case Scroll(direction=direction, target=where):
            return f"scroll {direction}" + (f" in {_named(target)}" if where is not None else "")
        case PressEnter():
            return "press Enter"
        case GoBack():
            return "go back"
        case Finish(answer=answer):
            return f'finish with "{answer}"' if answer else "finish"
        case _:
            assert_never(action)


def corrupt(guide: str, target: Candidate | None, seen: Observation, key: str) -> str:
    """The guide made to name something else; always another text than it was, if it has two different words.

    Wherever the guide says the name of what was acted on, that name becomes the name of another candidate of the same
    page, one of the same role if there is any. Otherwise the words of the sentence change places.
    """
    rng = random.Random(key)
    name = _name(target) if target is not None else ""
    said = _said(name)
    if target is not None and name and said.search(guide):
        others = [c for c in seen.candidates if _name(c) and _name(c).casefold() not in guide.casefold()]
        alike = sorted({_name(c) for c in others if c.role == target.role}) or sorted({_name(c) for c in others})
        if alike:
            other = rng.choice(alike)
            return said.sub(lambda _: other, guide)
    return _shuffled(guide.split(), rng)


def _said(name: str) -> re.Pattern[str]:
    """A name where it stands as words of its own: “Order” is no part of “reorder”.

    Other scripts than those of `_LETTER` write words together, so there a name is found anywhere.
    """
    before = f"(?<!{_LETTER})" if re.match(_LETTER, name) else ""
    after = f"(?!{_LETTER})" if re.search(f"{_LETTER}\\Z", name) else ""
    return re.compile(before + re.escape(name) + after, re.IGNORECASE)


def _shuffled(words: Sequence[str], rng: random.Random) -> str:
    if len(set(words)) < 2:
        return " ".join(words)
    moved = list(words)
    while moved == list(words):
        rng.shuffle(moved)
    return " ".join(moved)


def _name(candidate: Candidate) -> str:
    """What a page calls it, on one line of at most 80 characters."""
    return " ".join((candidate.name or candidate.text or candidate.placeholder).split())[:80].strip()


def _named(target: Candidate | None) -> str:
    if target is None:
        return "an empty place"
    return f'"{_name(target)}" ({target.role})' if _name(target) else f"a {target.role} without a name"
