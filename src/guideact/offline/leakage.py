"""Does gold text reach a question that should not hold it? Looked for in two ways.

*By canaries*: a question is put again with everything of the demonstration changed that it must not depend on (what is
done, pointed at and said at this step and later, and the task's check). Prompt, memory and page must stay the same to
the byte. This finds any dependence, in whatever words.

*By reading*: no reference sentence of this step or a later one may stand in the prompt, unless the page, the task or an
earlier step says the same; and no line of the memory may say an answer that the task itself does not name.
"""

from __future__ import annotations

from collections.abc import Sequence

from guideact.data import DemoStep
from guideact.metrics.offline import value_of
from guideact.offline.gold import Demo
from guideact.offline.predictions import History
from guideact.offline.questions import Question, Way, question
from guideact.types import AnswerCheck, Check, Finish, Frozen

CANARY = "canary 7c1f"


class Leak(Frozen):
    """Gold text where it should not be. `kind`: depends, sentence, answer."""

    task_id: str
    index: int
    kind: str
    detail: str


def leaks(demos: Sequence[Demo], way: Way) -> tuple[Leak, ...]:
    """All leaks in the questions of some demonstrations, put in one way. For the history `own`, nothing is said."""
    return tuple(leak for demo in demos for index in range(len(demo.steps)) for leak in leaks_at(demo, index, way))


def leaks_at(demo: Demo, index: int, way: Way) -> tuple[Leak, ...]:
    """The leaks in one question."""
    asked = question(demo, index, way)
    changed = question(with_canaries(demo, index), index, way)
    found = [
        Leak(task_id=demo.id, index=index, kind="depends", detail=f"the {name} changes with what is gold")
        for name in differing(asked, changed)
    ]
    prompt = f"{asked.prompt.system}\n{asked.prompt.user}"
    told = {guide for step in demo.steps[:index] for guide in step.guides}
    if way.history == "corrupted":
        told |= set(asked.memory)  # a guide that was made to name something else may happen to be another step's
    for step in demo.steps[index:]:
        found += [
            Leak(task_id=demo.id, index=index, kind="sentence", detail=f"step {step.index} is told: {guide}")
            for guide in step.guides
            if guide in prompt
            and not any(guide in earlier for earlier in told)
            and guide not in demo.task.intent
            and not _shown(guide, demo, index)
        ]
    if answer := _answer_in(asked, demo, way.history):
        found.append(Leak(task_id=demo.id, index=index, kind="answer", detail=f"the memory says {answer!r}"))
    return tuple(found)


def with_canaries(demo: Demo, index: int) -> Demo:
    """The same demonstration up to a step, and other gold from there on. Pages stay as they are."""
    steps = tuple(step if step.index < index else _changed(step) for step in demo.steps)
    check = Check(answer=AnswerCheck(expected=(CANARY,)))
    return Demo(demo.task.model_copy(update={"check": check}), steps)


def _changed(step: DemoStep) -> DemoStep:
    guides = tuple(f"{CANARY} {number}" for number in range(len(step.guides) + 1))
    return step.model_copy(update={"action": Finish(answer=CANARY), "point": None, "box": None, "guides": guides})


def differing(one: Question, other: Question) -> list[str]:
    """The parts in which two questions differ."""
    names = ("task", "index", "observation", "memory", "prompt", "prefix")
    return [name for name in names if getattr(one, name) != getattr(other, name)]


def _shown(guide: str, demo: Demo, index: int) -> bool:
    """Whether the page itself says it."""
    seen = demo.steps[index].observation
    return any(guide in text for text in (seen.title, *(each.text for each in seen.texts))) or any(
        guide in each.name for each in seen.candidates
    )


def _answer_in(asked: Question, demo: Demo, history: History) -> str:
    """An answer that a line of the memory says and the task does not. Actions may type it; guides may not say it."""
    if history not in ("gold", "corrupted"):
        return ""
    check = demo.task.check.answer
    answers = check.expected if check is not None else tuple(filter(None, map(value_of, _finishing(demo))))
    said = " ".join(asked.memory).casefold()
    intent = demo.task.intent.casefold()
    words = f" {' '.join(said.split())} "
    return next((a for a in answers if len(a) > 3 and f" {a.casefold()} " in words and a.casefold() not in intent), "")


def _finishing(demo: Demo) -> list[Finish]:
    return [step.action for step in demo.steps if isinstance(step.action, Finish)]
