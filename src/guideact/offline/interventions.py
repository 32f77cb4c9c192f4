"""What the guide of a step is replaced by, to see what of the action it carries (mediation).

| kind | the guide |
|---|---|
| `gold` | the first reference |
| `paraphrase` | another reference of the same step |
| `rename` | a sentence that tells the target by role, place and neighbours and shares no content word with its name |
| `target` | the target's name alone |
| `verb` | what to do without what to: "Click." |
| `shuffled` | the words of the first reference in another order |
| `other-step` | the first reference of another step of the task, which does something else |
| `other-task` | the first reference of a step of a task of another template, one of the same verb where there is any |
| `neutral` | a sentence of the same form that says nothing: the same at every step |
| `none` | nothing |

The model's own guide is no replacement: those are predictions without `--force`. What is drawn is drawn from the seed,
the kind and the step, so it is the same on every machine and whatever is asked for besides.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from guideact.data import DemoStep
from guideact.errors import InputError
from guideact.offline.gold import Demo
from guideact.offline.rename import renamed, shared_words
from guideact.types import Verb

Kind = Literal[
    "gold", "paraphrase", "rename", "target", "verb", "shuffled", "other-step", "other-task", "neutral", "none"
]
KINDS: tuple[Kind, ...] = get_args(Kind)

_ALONE = re.compile("[\u3040-\u30ff\u3400-\u9fff]")
_WORDS = re.compile(rf"{_ALONE.pattern}|(?:(?!{_ALONE.pattern})\S)+")

NEUTRAL = "Do what comes next on this page."
BARE_VERBS: dict[Verb, str] = {
    "click": "Click.",
    "type": "Type.",
    "select": "Choose.",
    "scroll": "Scroll.",
    "press_enter": "Press Enter.",
    "go_back": "Go back.",
    "finish": "Finish.",
}


@dataclass(frozen=True)
class Interventions:
    """The replaced guides of a split."""

    demos: tuple[Demo, ...]
    seed: int = 0
    audited: Mapping[tuple[str, int], str] = field(default_factory=dict)
    """Renaming paraphrases that people approved; they win over made ones."""
    _made: dict[tuple[Kind, str, int], str | None] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises InputError for an audited paraphrase of no step, or one that names its target after all."""
        steps = {(step.task_id, step.index): step for demo in self.demos for step in demo.steps}
        for key, guide in self.audited.items():
            step = steps.get(key)
            if step is None:
                raise InputError(f"there is no step {key[1]} of {key[0]}", fix="Take its paraphrase out.")
            if step.target is not None and (shared := shared_words(guide, step.target)):
                raise InputError(
                    f"the paraphrase of step {key[1]} of {key[0]} names the target: {', '.join(sorted(shared))}",
                    fix="Use other words.",
                )

    def guide(self, kind: Kind, demo: Demo, index: int) -> str | None:
        """What the guide of a step is replaced by; None where there is nothing of the kind."""
        key = (kind, demo.id, index)
        if key not in self._made:
            self._made[key] = self._make(kind, demo, index)
        return self._made[key]

    def _make(self, kind: Kind, demo: Demo, index: int) -> str | None:
        step = demo.steps[index]
        rng = random.Random(f"{self.seed}/{kind}/{demo.id}/{index}")
        match kind:
            case "gold":
                return step.guides[0] if step.guides else None
            case "paraphrase":
                return step.guides[1] if len(step.guides) > 1 else None
            case "rename":
                return self.audited.get((demo.id, index)) or renamed(step)
            case "target":
                return target_only(step)
            case "verb":
                return BARE_VERBS[step.verb]
            case "shuffled":
                return shuffled(step.guides[0], rng) if step.guides else None
            case "other-step":
                return _of_another_step(demo, step, rng)
            case "other-task":
                return self._of_another_task(demo, step, rng)
            case "neutral":
                return NEUTRAL
            case "none":
                return ""

    def _of_another_task(self, demo: Demo, step: DemoStep, rng: random.Random) -> str | None:
        others = [each for each in self.demos if each.template != demo.template]
        told = [other for each in others for other in each.steps if _says_else(other, step)]
        alike = [other for other in told if other.verb == step.verb]
        pool = alike or told
        return rng.choice(pool).guides[0] if pool else None


def _of_another_step(demo: Demo, step: DemoStep, rng: random.Random) -> str | None:
    pool = [other for other in demo.steps if other.action != step.action and _says_else(other, step)]
    return rng.choice(pool).guides[0] if pool else None


def _says_else(other: DemoStep, step: DemoStep) -> bool:
    return bool(other.guides) and other.guides[0] not in step.guides


def target_only(step: DemoStep) -> str | None:
    """The name of the target, and nothing besides; None for a step without a target that has a name."""
    target = step.target
    name = "" if target is None else " ".join((target.name or target.text or target.placeholder).split())
    return f"“{name}”." if name else None


def shuffled(sentence: str, rng: random.Random) -> str:
    """The words of a sentence in another order, never its own if it has two different ones.

    Each Chinese character and each kana is a word.
    """
    words: list[str] = _WORDS.findall(sentence)
    if len({*words}) < 2:
        return sentence
    moved = list(words)
    while moved == words:
        rng.shuffle(moved)
    joined = moved[0]
    for before, word in itertools.pairwise(moved):
        joined += word if _ALONE.fullmatch(before) or _ALONE.fullmatch(word) else f" {word}"
    return joined
