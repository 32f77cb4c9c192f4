"""Who does what next, what is settled, and how far people agree: plain functions of what the store holds."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guideact.stats import Estimate
from guideact.stats.agreement import krippendorff_alpha, share_alike
from guideact.studio.items import Item
from guideact.studio.store import Label, Store, latest


@dataclass(frozen=True)
class Plan:
    """How many people review a task: one, or `annotators` for a share `overlap` (0..1) of the tasks."""

    annotators: int = 2
    overlap: float = 0.2

    def wanted(self, task: str) -> int:
        """How many people should review a task. The same on every machine: it is decided by the task's name."""
        draw = int.from_bytes(hashlib.sha256(task.encode()).digest()[:8], "big") / 2**64
        return self.annotators if draw < self.overlap else 1


def next_task(store: Store, plan: Plan, person: str) -> str | None:
    """The task somebody should go on with: one of theirs that is not finished, else a new one, which is given to them.

    None when nothing is left for them.
    """
    given = store.assignments()
    done = finished(store, person)
    for task in store.tasks():
        if person in given.get(task, ()) and task not in done:
            return task
    # Those that already have somebody come first: overlap that is only half there tells nothing.
    open_tasks = [task for task in store.tasks() if person not in given.get(task, ()) and task not in done]
    for task in sorted(open_tasks, key=lambda task: -len(given.get(task, ()))):
        if len(given.get(task, ())) < plan.wanted(task):
            store.assign(task, person, "")
            return task
    return None


def finished(store: Store, person: str) -> frozenset[str]:
    """The tasks all of whose steps somebody has reviewed."""
    items, labels = store.items(), latest(store.labels())
    left = {item.task for number, item in items.items() if person not in labels.get(number, {})}
    return frozenset(item.task for item in items.values()) - left


def next_item(store: Store, task: str, person: str) -> int | None:
    """The first step of a task that somebody has not reviewed."""
    labels = latest(store.labels())
    return next((number for number in store.items(task) if person not in labels.get(number, {})), None)


@dataclass(frozen=True)
class Outcome:
    """What became of an item."""

    number: int
    item: Item
    reviews: tuple[Label, ...]
    """Each person's last word."""
    settled: Label | None
    """A lead's."""

    @property
    def disputed(self) -> bool:
        """Whether people differ about the sentence or the action, or somebody doubts the action."""
        said = {(review.decision, fold(review.text)) for review in self.reviews}
        return len(said) > 1 or any(review.flagged for review in self.reviews)

    @property
    def final(self) -> Label | None:
        """The lead's word, else what everybody says; None where it is open."""
        if self.settled is not None:
            return self.settled
        return None if self.disputed or not self.reviews else self.reviews[0]


def outcomes(store: Store, source: str | None = None) -> list[Outcome]:
    """Of all items, or of one source's, in order of task and position."""
    labels = latest(store.labels())
    found = []
    for number, item in store.items(source=source).items():
        own = dict(labels.get(number, {}))
        settled = own.pop("", None)
        found.append(Outcome(number, item, tuple(own[person] for person in sorted(own)), settled))
    return found


def to_settle(found: Sequence[Outcome]) -> list[Outcome]:
    """What a lead has to decide."""
    return [each for each in found if each.disputed and each.settled is None]


@dataclass(frozen=True)
class Agreement:
    """How far people agree on what several of them reviewed."""

    decision: Estimate
    """Krippendorff's alpha of accept, edit and reject; the interval is over tasks."""
    flag: Estimate
    """The same of whether the action is right."""
    sentence: float | None
    """Share of the steps for which all give the same sentence."""


def agreement(found: Sequence[Outcome]) -> Agreement:
    """Agreement over the steps that two people or more reviewed."""
    decisions = [(each.item.task, [review.decision for review in each.reviews]) for each in found]
    flags = [(each.item.task, [str(review.flagged) for review in each.reviews]) for each in found]
    texts = {str(each.number): [fold(review.text) for review in each.reviews] for each in found}
    return Agreement(krippendorff_alpha(decisions), krippendorff_alpha(flags), share_alike(texts))


@dataclass(frozen=True)
class Tally:
    """What somebody has done so far."""

    person: str
    steps: int
    decisions: Mapping[str, int]
    flagged: int
    seconds: float | None
    """Median of a step."""


def tallies(store: Store, found: Sequence[Outcome]) -> list[Tally]:
    """One for each account, by name."""
    result = []
    for person in store.people():
        own = [review for each in found for review in each.reviews if review.person == person.name]
        times = sorted(review.seconds for review in own if review.seconds > 0)
        result.append(
            Tally(
                person.name,
                len(own),
                {kind: sum(review.decision == kind for review in own) for kind in ("accept", "edit", "reject")},
                sum(review.flagged for review in own),
                times[len(times) // 2] if times else None,
            )
        )
    return result


def fold(text: str) -> str:
    """A sentence without what does not count as a difference: white space."""
    return " ".join(text.split())
