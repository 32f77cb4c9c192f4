"""What the arms of the WebMRE study learn besides what every training does: guides alone, and the two controls.

An arm that learns *guides alone* must not be told what was done. Its act, which this agent plans a guide by, is learned
from the sentences: right are all acts that a reference could be said of. A value is known where a reference says it.

Controls keep everything of a joint arm but what its guides say. *Shuffled*: each step is given the guides of another
step, so that form and vocabulary stay and content goes; what it learns to say is taken from another step of the same
verb, for a sentence of another verb is none that it could say. *Neutral*: every step has the same sentence. The memory
of earlier steps keeps the true guides, for only the guide of the step itself is in question.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from guideact.models.builtin.acts import Act, acts_of
from guideact.models.builtin.frames import Frame, fillers_of, frame_of
from guideact.models.builtin.view import View
from guideact.offline.interventions import NEUTRAL
from guideact.train.objective import Guides
from guideact.types import VERBS


@dataclass(frozen=True)
class Told:
    """What is told of a step: sentences, and the frames that they are made from."""

    sentences: tuple[str, ...]
    frames: frozenset[Frame]


def replaced(own: Mapping[tuple[str, int], tuple[str, Told]], guides: Guides, seed: int) -> dict[tuple[str, int], Told]:
    """What is told of each step under a control. `own`: (task, step) -> its verb and what is truly told of it."""
    match guides:
        case "gold":
            return {key: told for key, (_, told) in own.items()}
        case "neutral":
            return {key: Told((NEUTRAL,), frozenset({Frame(verb, NEUTRAL)})) for key, (verb, _) in own.items()}
        case "shuffled":
            return _shuffled(own, seed)


def _shuffled(own: Mapping[tuple[str, int], tuple[str, Told]], seed: int) -> dict[tuple[str, int], Told]:
    sentences = _passed_on(sorted(own), f"{seed}/sentences")
    frames: dict[tuple[str, int], tuple[str, int]] = {}
    for verb in VERBS:
        frames |= _passed_on(sorted(key for key, (each, _) in own.items() if each == verb), f"{seed}/{verb}")
    return {key: Told(own[sentences[key]][1].sentences, own[frames[key]][1].frames) for key in own}


def _passed_on(keys: list[tuple[str, int]], seed: str) -> dict[tuple[str, int], tuple[str, int]]:
    """Each key with the one after it in a drawn round; a single one with itself."""
    random.Random(seed).shuffle(keys)
    return dict(zip(keys, [*keys[1:], *keys[:1]], strict=True))


def neutral_frames() -> tuple[Frame, ...]:
    """The frames that an agent must have to say the neutral sentence."""
    return tuple(Frame(verb, NEUTRAL) for verb in VERBS)


def acts_told(view: View, sentences: Sequence[str], value: str, frames: Iterable[Frame]) -> list[Act]:
    """All acts of the page that a sentence could be said of, and that agree with it in the value it says."""
    known = frozenset(frames)
    by_value: dict[str, list[str]] = {}
    for sentence in sentences:
        by_value.setdefault(value_told([sentence], value), []).append(sentence)

    def may_be(act: Act) -> bool:
        for said, found in by_value.items():
            fillers = fillers_of(view, act, said)
            if any(frame_of(sentence, act.verb, fillers) in known for sentence in found):
                return True
        return False

    return [act for act in acts_of(view) if may_be(act)]


def value_told(sentences: Sequence[str], value: str) -> str:
    """The value, where a sentence says it; otherwise nothing is known of it."""
    return value if value and any(value in sentence for sentence in sentences) else ""
