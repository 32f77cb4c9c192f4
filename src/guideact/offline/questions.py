"""What a model is asked at a step of a demonstration, and nothing that it should not see.

A question is made of the task's sentence, of the page that the step was decided on, and of the steps before it; never
of what was done or said at the step itself or later, nor of the task's check. `leakage` proves it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import guideact
from guideact.data import DemoStep
from guideact.harness.memory import UNREADABLE, corrupt, describe
from guideact.models.base import Request, Sampling
from guideact.offline.gold import Demo
from guideact.offline.predictions import ORDERS, Arm, History
from guideact.prompts import Prompt, build_prompt
from guideact.types import Check, Grounding, Observation, Task

_MODULES = ("prompts.py", "harness/memory.py", "offline/questions.py", "offline/interventions.py", "offline/rename.py")
"""What decides how a question is put."""


@dataclass(frozen=True)
class Way:
    """How questions are put."""

    arm: Arm
    grounding: Grounding
    history: History


@dataclass(frozen=True)
class Question:
    """One step to be decided."""

    task: Task
    """Without its check."""
    index: int
    observation: Observation
    memory: tuple[str, ...]
    prompt: Prompt
    prefix: str = ""
    """How the answer has to begin: with a forced guide."""

    def request(self, sampling: Sampling, image: bytes | None = None) -> Request:
        return Request(
            prompt=self.prompt,
            image=image,
            task=self.task,
            observation=self.observation,
            memory=self.memory,
            step=self.index,
            grounding=self.prompt.grounding,
            sampling=sampling,
            prefix=self.prefix,
        )


def question(demo: Demo, index: int, way: Way, *, own: Sequence[str] = (), forced: str | None = None) -> Question:
    """The question of a step.

    Args:
        own: the model's own guides at the earlier steps, for the history `own`.
        forced: the guide that the answer has to begin with; None leaves the answer free.
    """
    task, seen = demo.task, demo.steps[index].observation
    memory = remembered(task.id, demo.steps[:index], way.history, own)
    bare = task.model_copy(update={"check": Check()})
    prompt = build_prompt(task.intent, seen, memory, way.grounding, ORDERS[way.arm], task.max_steps)
    prefix = "" if forced is None else forced_start(forced)
    return Question(bare, index, seen, memory, prompt, prefix)


def remembered(task_id: str, earlier: Sequence[DemoStep], history: History, own: Sequence[str] = ()) -> tuple[str, ...]:
    """What is told of the earlier steps, one line each."""
    match history:
        case "gold":
            return tuple(step.guides[0] if step.guides else UNREADABLE for step in earlier)
        case "own":
            return tuple(guide or UNREADABLE for guide in own)
        case "actions":
            return tuple(describe(step.action, step.target) for step in earlier)
        case "corrupted":
            return tuple(
                corrupt(step.guides[0], step.target, step.observation, f"{task_id}/0/{step.index}")
                if step.guides
                else UNREADABLE
                for step in earlier
            )
        case "none":
            return ()


def forced_start(guide: str) -> str:
    """The start of an answer that says this guide, in the key order guide-action."""
    return f'{{"think": "", "guide": {json.dumps(guide, ensure_ascii=False)},'


def source_sha256(names: Sequence[str] = _MODULES) -> str:
    """A hash of the source of modules of the package, by their paths in it."""
    root = Path(guideact.__file__).parent
    whole = hashlib.sha256()
    for name in names:
        whole.update(name.encode() + b"\0" + (root / name).read_bytes() + b"\0")
    return whole.hexdigest()
