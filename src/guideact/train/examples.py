"""Demonstrations as choices to learn from: for each step, what was to be chosen among, and what was chosen."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from guideact.data import Dataset, DemoStep
from guideact.harness.choose import in_turn
from guideact.harness.memory import UNREADABLE
from guideact.models.builtin.acts import Act, act_bag, acts_of
from guideact.models.builtin.bags import Bag
from guideact.models.builtin.frames import Frame, fillers_of, fitting, frame_bag, frame_of, learned_frames
from guideact.models.builtin.lore import Clicked, Lore, first_root, learned_lore, new_words
from guideact.models.builtin.policy import VALUE_HEADS, values_of
from guideact.models.builtin.recall import Recall
from guideact.models.builtin.view import NO_PLANS, NOTHING, View, view_of
from guideact.models.builtin.words import read_goal
from guideact.train.arms import Told, acts_told, replaced, value_told
from guideact.train.objective import Guides, TrainArm
from guideact.types import Split

T = TypeVar("T")

SENTENCES = 60
"""Sentences that are drawn for a choice to learn from."""


@dataclass(frozen=True)
class Demo:
    """A demonstrated task."""

    id: str
    template: str
    intent: str
    steps: tuple[DemoStep, ...]
    sites: tuple[str, ...] = ()


@dataclass(frozen=True)
class Choice:
    """One choice: its items, and those of them that were right."""

    head: str
    bag: Bag
    wanted: tuple[int, ...]
    weight: float = 1.0
    """What its log-probability is multiplied by in the loss; negative makes it less likely."""


def demos_of(dataset: Dataset, split: Split, limit: int | None = None) -> tuple[Demo, ...]:
    """The demonstrations of a split, by id; with `limit`, those of the first so many tasks in turn over templates."""
    # To read a step takes milliseconds, so only those are read that are asked for.
    texts: dict[str, list[str]] = {}
    for task_id, _, text in dataset.step_texts(split):
        texts.setdefault(task_id, []).append(text)
    tasks = [task.task for task in dataset.tasks() if task.id in texts]
    if limit is not None:
        tasks = sorted(in_turn(tasks)[:limit], key=lambda task: task.id)
    by_task = {task.id: [DemoStep.model_validate_json(text) for text in texts[task.id]] for task in tasks}
    return tuple(
        Demo(task.id, task.template_id or task.id, task.intent, tuple(by_task[task.id]), task.sites) for task in tasks
    )


def frames_in(demos: Iterable[Demo]) -> tuple[Frame, ...]:
    """The sentence frames of the demonstrations' references."""
    return learned_frames((demo.id, frame) for demo in demos for step in demo.steps for frame in _frames(demo, step))


def _frames(demo: Demo, step: DemoStep) -> list[Frame]:
    view = view_at(demo, step.index)
    fillers = fillers_of(view, act_in(step), step.value)
    return [frame_of(sentence, step.verb, fillers) for sentence in step.guides]


def act_in(step: DemoStep) -> Act:
    """What a step does, without its value."""
    direction = getattr(step.action, "direction", None)
    return Act(step.verb, step.target, direction)


def view_at(
    demo: Demo,
    index: int,
    rng: random.Random | None = None,
    lore: Lore = NOTHING,
    recall: Recall = NO_PLANS,
    without: frozenset[int] = frozenset(),
) -> View:
    """What the agent sees at a step, with reference guides as its memory: the first ones, or any with `rng`."""
    memory = [_told(step, rng) for step in demo.steps[:index]]
    return view_of(demo.intent, demo.steps[index].observation, memory, "", lore, recall, without)


def _told(step: DemoStep, rng: random.Random | None) -> str:
    """A guide of a step; what stands for one where reviewers have rejected it, or nobody has written any."""
    if not step.guides:
        return UNREADABLE
    return step.guides[0] if rng is None else rng.choice(step.guides)


def lore_in(demos: Sequence[Demo]) -> dict[str, Lore]:
    """What the demonstrations tell of names: under "" all of them, and under each template all but its own.

    The latter is what its demonstrations are trained with: otherwise they would show where to go by having been there.
    """
    clicks = [(demo.template, click) for demo in demos for click in _clicks(demo)]
    asked: dict[str, set[str]] = {}
    for demo in demos:
        for root in read_goal(demo.intent).places:
            asked.setdefault(root, set()).add(demo.template)
    whole = learned_lore((click for _, click in clicks), {root: len(by) for root, by in asked.items()})
    lore = {"": whole}
    for template in dict.fromkeys(demo.template for demo in demos):
        labels = {click.label for other, click in clicks if other == template}
        starts = {first_root(label) for label in labels}
        own = {root for root, by in asked.items() if template in by}
        # Only what the template itself had a part in has to be learned again.
        rest = learned_lore(
            (
                click
                for other, click in clicks
                if other != template and (click.label in labels or first_root(click.label) in starts)
            ),
            {root: len(asked[root]) - 1 for root in own},
        )
        lore[template] = Lore(
            _instead(whole.behind, rest.behind, labels),
            _instead(whole.closing, rest.closing, starts),
            _instead(whole.requested, rest.requested, own),
        )
    return lore


def _instead(whole: Mapping[str, T], rest: Mapping[str, T], keys: set[str]) -> dict[str, T]:
    """The whole, with what `rest` has for the keys in place of its own."""
    return {key: value for key, value in whole.items() if key not in keys} | {
        key: rest[key] for key in sorted(keys) if key in rest
    }


def _clicks(demo: Demo) -> list[Clicked]:
    goal = read_goal(demo.intent)
    return [
        Clicked(
            goal.match(step.target.name or step.target.text).blanked,
            new_words(step.observation, after.observation),
            last=after.verb == "finish",
        )
        for step, after in itertools.pairwise(demo.steps)
        if step.verb == "click" and step.target is not None
    ]


# --- choices ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Noise:
    """What is changed in what the agent sees, so that it learns to do without. Shares, 0..1."""

    context: float = 0.1
    """Features of the page, goal and memory that are left out, one by one."""
    kind: float = 0.1
    """Kinds of such features that are left out altogether: the place, the title, words of the goal, ..."""
    words: tuple[float, ...] = (0.0, 0.0, 0.2, 0.5, 1.0)
    """Words of the page in whose place others are made up; one of these is drawn for each step."""
    line: float = 0.05
    """Lines of the memory that are told twice, and as many that are lost."""
    guided: float = 0.3
    """Steps at which the guide is given."""


def choices_at(
    demo: Demo,
    index: int,
    frames: Sequence[Frame],
    rng: random.Random,
    noise: Noise | None = None,
    arm: TrainArm = "any",
    told: Told | None = None,
    lore: Lore = NOTHING,
    recall: Recall = NO_PLANS,
    without: frozenset[int] = frozenset(),
) -> list[Choice]:
    """The choices of a step. What cannot be chosen at all (a value that stands nowhere) is left out.

    An arm has those that its answers are made of: `action` act and value; `action-guide` the sentence too;
    `guide-action` these, and act and value once more with the sentence before its eyes; `guide` the sentence, and the
    act that this agent plans it by, learned from the sentence alone (`arms`). `any` serves all of them with one set of
    weights: a guide is given at some of the steps. `told` replaces the guides of the step (`arms.replaced`).
    """
    noise = noise or Noise()
    step = demo.steps[index]
    sentences = step.guides if told is None else told.sentences
    view = view_at(demo, index, rng)
    memory = []
    for line in view.memory:
        if rng.random() >= noise.line:
            memory.append(line)
        if rng.random() < noise.line:
            memory.append(line)
    guide = rng.choice(sentences) if arm == "any" and sentences and rng.random() < noise.guided else ""
    view = view_of(demo.intent, step.observation, memory, guide, lore, recall, without)
    made_up = _made_up(view, rng, share := rng.choice(noise.words))
    # On a site that was never seen nothing is recalled either.
    recalled = () if share == 1 else view.recalled
    view = replace(view, unknown=made_up, recalled=recalled)
    lost = {kind for kind in dict.fromkeys(map(_kind, view.context)) if rng.random() < noise.kind}
    context = [each for each in view.context if _kind(each) not in lost and rng.random() >= noise.context]
    if arm == "guide":
        return list(_guide_alone(view, step, frames, context, rng))
    said = () if arm == "action" else sentences
    made = None if told is None or arm == "action" else told.frames
    choices = list(choices_in(view, act_in(step), step.value, said, frames, context, made=made, rng=rng))
    if arm == "guide-action" and sentences:
        view = view_of(demo.intent, step.observation, memory, rng.choice(sentences), lore)
        view = replace(view, unknown=made_up, recalled=recalled)
        choices += choices_in(view, act_in(step), step.value, (), frames, context)
    return choices


def _kind(feature: str) -> str:
    return feature.partition(":")[0]


def _made_up(view: View, rng: random.Random, share: float) -> dict[str, str]:
    """Made-up words for a share of those in the page's names, its address, and the request."""
    if not share:
        return {}
    seen = view.observation
    texts = [seen.title, *(candidate.name or candidate.text for candidate in seen.candidates)]
    words = dict.fromkeys(word for text in texts for word in view.blank(text).split() if word not in "*#")
    words |= dict.fromkeys(view.goal.form) | dict.fromkeys(view.place.split("/")[1:])
    return {word: f"{word}{rng.randrange(10**6)}" for word in words if rng.random() < share}


def _guide_alone(
    view: View, step: DemoStep, frames: Sequence[Frame], context: list[str], rng: random.Random
) -> Iterable[Choice]:
    """The choices that lead to a reference sentence, from what the sentences say and not from what was done."""
    acts, right = acts_of(view), acts_told(view, step.guides, step.value, frames)
    if not right:
        return
    yield Choice("act", act_bag(view, acts, context), tuple(number for number, act in enumerate(acts) if act in right))
    act, value = rng.choice(right), value_told(step.guides, step.value)
    # An answer is never said, so of it a guide teaches nothing.
    yield from (
        choice
        for choice in choices_in(view, act, value, step.guides, frames, context, rng=rng)
        if choice.head not in ("act", "answer")
    )


def guides_of(demos: Sequence[Demo], guides: Guides, seed: int) -> dict[tuple[str, int], Told]:
    """What is told of each step, replaced as a control wants it."""
    own = {
        (demo.id, step.index): (step.verb, Told(step.guides, frozenset(_frames(demo, step))))
        for demo in demos
        for step in demo.steps
    }
    return replaced(own, guides, seed)


def choices_in(
    view: View,
    act: Act,
    value: str,
    guides: Sequence[str],
    frames: Sequence[Frame],
    context: list[str] | None = None,
    weight: float = 1.0,
    made: frozenset[Frame] | None = None,
    rng: random.Random | None = None,
) -> Iterable[Choice]:
    """The choices that lead to an act, a value and any of some sentences, or of those made from some frames.

    With `rng`, a sentence is chosen among a few that are drawn from it, which is enough to learn from.
    """
    acts = acts_of(view)
    if act in acts:
        yield Choice("act", act_bag(view, acts, context), (acts.index(act),), weight)
    if act.verb in VALUE_HEADS:
        values, bag = values_of(view, act)
        if wanted := tuple(number for number, each in enumerate(values) if same_value(act.verb, each, value)):
            yield Choice(VALUE_HEADS[act.verb], bag, wanted, weight)
    fillers = fillers_of(view, act, value)
    fits = fitting(frames, act, fillers)
    told = {frame_of(sentence, act.verb, fillers) for sentence in guides} if made is None else made
    if rng is not None and len(fits) > SENTENCES:
        drawn = set(rng.sample(range(len(fits)), SENTENCES))
        fits = [frame for number, frame in enumerate(fits) if number in drawn or frame in told]
    if wanted := tuple(number for number, frame in enumerate(fits) if frame in told):
        yield Choice("sentence", frame_bag(view, act, value, fits), wanted, weight)


def same_value(verb: str, one: str, other: str) -> bool:
    """Whether two values are the same; signs of money and number are no part of an answer."""
    if verb != "finish":
        return one == other
    return _bare(one) == _bare(other)


def _bare(answer: str) -> str:
    return answer.strip().strip("$€£#.").replace(",", "").casefold().strip()
