"""Plans out of demonstrations: what the built-in agent recalls (`models/builtin/recall.py`)."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from guideact.models.builtin.acts import verb_of
from guideact.models.builtin.recall import Plan, PlanStep, Recall, form_of, named, said_words, slotted
from guideact.models.builtin.values import answer_sources, source_of, texts_to_type
from guideact.models.builtin.view import NO_PLANS, View, place_of, shape
from guideact.train.examples import Demo, act_in, same_value, view_at

ALONE = 0.25
"""Steps at which no plan of the own template is shown, so that the agent learns what those of others are worth."""


@dataclass(frozen=True)
class Recalled:
    """All plans, and which of them a demonstration must not be shown."""

    recall: Recall = NO_PLANS
    _tasks: Mapping[str, int] = field(default_factory=dict)
    _templates: Mapping[str, frozenset[int]] = field(default_factory=dict)

    def without(self, demo: Demo, template: bool) -> frozenset[int]:
        """Numbers of the demonstration's own plan, or of all those of its template."""
        if template:
            return self._templates.get(demo.template, frozenset())
        return frozenset({self._tasks[demo.id]} if demo.id in self._tasks else ())

    def drawn(self, demo: Demo, rng: random.Random) -> frozenset[int]:
        """The plans that are hidden in a step to learn from. Nothing is drawn where there are no plans."""
        if not self.recall.plans:
            return frozenset()
        return self.without(demo, rng.random() < ALONE)


NOTHING_RECALLED = Recalled()


def recalled_in(demos: Sequence[Demo]) -> Recalled:
    """The plans of all demonstrations."""
    templates: dict[str, frozenset[int]] = {}
    for number, demo in enumerate(demos):
        templates[demo.template] = templates.get(demo.template, frozenset()) | {number}
    return Recalled(
        Recall(tuple(plan_of(demo) for demo in demos)),
        {demo.id: number for number, demo in enumerate(demos)},
        templates,
    )


def plan_of(demo: Demo) -> Plan:
    """A demonstration with the values taken out."""
    steps = tuple(_step(demo, index) for index in range(len(demo.steps)))
    return Plan(form_of(view_at(demo, 0).goal), steps)


def _step(demo: Demo, index: int) -> PlanStep:
    step = demo.steps[index]
    view, act = view_at(demo, index), act_in(step)
    place = place_of(view.goal, step.observation.url)
    words = frozenset(word for sentence in step.guides for word in said_words(view.goal, sentence))
    role = name = rank = ""
    if act.target is not None:
        role, name = act.target.role, slotted(view.goal, named(act.target))
        order, how = view.ranks[act.target.mark]
        rank = f"{min(order, 3)} {how}"
    # The answer itself is of no use to another task; where it stood is.
    value = "" if act.verb == "finish" else slotted(view.goal, step.value)
    return PlanStep(verb_of(act), role, name, rank, place, value, _source(view, demo, index), words)


def _source(view: View, demo: Demo, index: int) -> tuple[str, ...]:
    step = demo.steps[index]
    if step.verb == "finish":
        return answer_sources(view, lambda text: same_value("finish", text, step.value))
    if step.verb == "select":
        return ("option",)
    if step.verb != "type":
        return ()
    spans = [span for span in view.goal.spans if span.text == step.value]
    if spans:
        return source_of(view.goal, spans[0])
    if any(step.value in line for line in view.memory):
        return ("memory", shape(step.value))
    if step.value in texts_to_type(view, act_in(step))[0]:
        return ("page", shape(step.value))
    return ("plan", step.value)
