"""What the benchmark holds, counted: sizes, kinds, lengths, the split, and how alike train and test are.

Everything is computed from the catalogue and the gold guides that come with the package, without a browser.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from guideact.data import skeleton
from guideact.tasks.catalogue import Entry
from guideact.tasks.gold import Gold
from guideact.tasks.references import common_share
from guideact.types import Frozen, Task

LONG = 9
"""Gold steps that a long task has more than (the mean of the published benchmark)."""
ALIKE = 0.8
"""Share of words (Jaccard) from which on two intents are called nearly the same."""


class Overlap(Frozen):
    """How much of the test split can be had from the train split. All counts are of test tasks."""

    seen_templates: int
    """Their template has train tasks too."""
    unseen_templates: int
    nearest_intent: float
    """Mean share of words (Jaccard) that a test intent has in common with the train intent closest to it."""
    alike_intents: int
    """Some train intent shares at least 80 % of the words."""
    same_checks: int
    """Some train task asks for exactly the same end: answer, address and changes."""
    same_skeletons: int
    """Some train gold takes the same kinds of steps in the same order."""
    same_trajectories: int
    """Some train gold takes the same steps: pages, verbs, targets and values."""


class Census(Frozen):
    """The counts."""

    tasks: int
    templates: int
    by_sites: dict[str, int]
    """Tasks by the sites that they need, joined by +."""
    across_sites: int
    by_kind: dict[str, int]
    """Tasks by what is asked: an answer, a page to go to, one change, several changes, or an answer and changes."""
    picture: int
    second_route: int
    gold_steps: int
    shortest: int
    longest: int
    long: int
    """Tasks of more than 9 gold steps."""
    going_back: int
    """Tasks whose gold goes back."""
    without_gold: int
    verbs: dict[str, int]
    skeletons: int
    """Different (kind of page, verb, kind of control) over all gold steps."""
    references: int
    fewest_references: int
    """At any step."""
    common_share: float
    """Share of all reference sentences that the ten commonest patterns cover."""
    train: int
    test: int
    overlap: Overlap


def kind_of(task: Task) -> str:
    """What a task asks for."""
    changes = sum(len(state.required) for state in task.check.state)
    asks = task.check.answer is not None or task.check.judge is not None
    if asks:
        return "answer and change" if changes else "answer"
    if changes:
        return "one change" if changes == 1 else "several changes"
    return "page" if task.check.url is not None or task.check.page else "nothing"


def census(entries: Iterable[Entry], golds: Mapping[str, Gold]) -> Census:
    """Count a set of tasks with the gold guides that belong to them. Raises ValueError for no tasks."""
    found = list(entries)
    if not found:
        raise ValueError("there is nothing to count")
    tasks = [entry.task for entry in found]
    own = {task.id: golds[task.id] for task in tasks if task.id in golds}
    steps = [step for gold in own.values() for step in gold.steps]
    lengths = [len(gold.steps) for gold in own.values()]
    sentences = [sentence for step in steps for sentence in step.references]
    return Census(
        tasks=len(tasks),
        templates=len({task.template_id for task in tasks}),
        by_sites=_counted("+".join(task.sites) for task in tasks),
        across_sites=sum(len(task.sites) > 1 for task in tasks),
        by_kind=_counted(map(kind_of, tasks)),
        picture=sum(entry.template.picture for entry in found),
        second_route=sum(entry.template.second_route is not None for entry in found),
        gold_steps=len(steps),
        shortest=min(lengths, default=0),
        longest=max(lengths, default=0),
        long=sum(length > LONG for length in lengths),
        going_back=sum(any(step.verb == "go_back" for step in gold.steps) for gold in own.values()),
        without_gold=len(tasks) - len(own),
        verbs=_counted(step.verb for step in steps),
        skeletons=len({skeleton(step.url, step.verb, step.role) for step in steps}),
        references=len(sentences),
        fewest_references=min((len(step.references) for step in steps), default=0),
        common_share=common_share(sentences),
        train=sum(task.split == "train" for task in tasks),
        test=sum(task.split == "test" for task in tasks),
        overlap=overlap(tasks, own),
    )


def overlap(tasks: Sequence[Task], golds: Mapping[str, Gold]) -> Overlap:
    """Compare the test tasks with the train tasks."""
    train = [task for task in tasks if task.split == "train"]
    test = [task for task in tasks if task.split == "test"]
    templates = {task.template_id for task in train}
    nearest = _nearest([task.intent for task in test], [task.intent for task in train])
    checks = {_check_key(task) for task in train}
    skeletons = {_skeletons(golds[task.id]) for task in train if task.id in golds}
    trajectories = {_trajectory(golds[task.id]) for task in train if task.id in golds}
    measured = [golds[task.id] for task in test if task.id in golds]
    return Overlap(
        seen_templates=sum(task.template_id in templates for task in test),
        unseen_templates=sum(task.template_id not in templates for task in test),
        nearest_intent=sum(nearest) / len(nearest) if nearest else 0.0,
        alike_intents=sum(share >= ALIKE for share in nearest),
        same_checks=sum(_check_key(task) in checks for task in test),
        same_skeletons=sum(_skeletons(gold) in skeletons for gold in measured),
        same_trajectories=sum(_trajectory(gold) in trajectories for gold in measured),
    )


def _counted(values: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(values).items(), key=lambda pair: (-pair[1], pair[0])))


def _nearest(texts: Sequence[str], others: Sequence[str]) -> list[float]:
    """For each text the largest share of words that it has in common with one of the others."""
    bags = [_words(other) for other in others]
    return [max((len(mine & bag) / len(mine | bag) for bag in bags), default=0.0) for mine in map(_words, texts)]


def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", text.casefold()))


def _check_key(task: Task) -> str:
    return f"{task.sites}{task.check.model_dump_json()}"


def _skeletons(gold: Gold) -> tuple[str, ...]:
    return tuple(skeleton(step.url, step.verb, step.role) for step in gold.steps)


def _trajectory(gold: Gold) -> tuple[tuple[str, ...], ...]:
    return tuple((step.url, step.verb, step.role, step.name, step.value) for step in gold.steps)
