"""Recall of demonstrations: what was done for requests worded like this one, and where in it the agent stands.

The weights hold each train task as a plan: the form of its request, and its steps with the values of the task taken
out. A few plans whose requests share the rarest words with the task at hand are called to mind. The lines of the memory
are laid along each of them, so that it is known which of its steps come next. What a plan says enters as features of
acts and values, never as an order: the network has learned how far plans of how similar requests are to be trusted.

Values are written as slots: `*0` is the first value of the request, `*` another piece that holds one.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from guideact.models.builtin.words import Goal, quoted, read_goal, roots, stems
from guideact.types import Candidate, Observation

FEW = 3
"""Plans that are called to mind."""
_POOL = 24
"""Plans that are looked at before those of other wordings are set apart."""
_LEAST = 0.1
"""How similar a request has to be, at least, 0..1."""
_ELSEWHERE = 0.5
"""What the similarity of a plan counts that was never on the site at hand."""
_OF_NAMES, _OF_GUIDES = 0.5, 0.3
"""What a word of the request counts that stands in a plan's names, or in what was said, and not in its request."""
_UNSAID = 0.5
"""What the words of a plan's request count that are not in the request at hand."""
_SKIPPED, _IGNORED = 0.4, 0.3
"""What it costs to suppose that a step of a plan was left out, and that a line of the memory has none."""


@dataclass(frozen=True)
class PlanStep:
    """What was done in a step of a demonstration. All texts are slotted."""

    verb: str
    role: str = ""
    name: str = ""
    rank: str = ""
    """Which of several things of this name it was."""
    place: str = ""
    """The kind of page."""
    value: str = ""
    source: tuple[str, ...] = ()
    """How the value was got; what the parts mean depends on the verb (`values.py`)."""
    words: frozenset[str] = frozenset()
    """What guides of this step say: roots of words, and quotations behind a quotation mark."""

    @property
    def what(self) -> tuple[str, str, str]:
        """Verb, role and name."""
        return self.verb, self.role, self.name


@dataclass(frozen=True)
class Plan:
    """A demonstration with the values taken out."""

    form: tuple[str, ...]
    """Stems of the request; a value is one slot."""
    steps: tuple[PlanStep, ...]

    @functools.cached_property
    def roots(self) -> frozenset[str]:
        return form_roots(self.form)

    @functools.cached_property
    def marks(self) -> Mapping[str, float]:
        """The roots that it is found by and what each counts: those of the request, of names, and of what was said."""
        found: dict[str, float] = {}
        for step in self.steps:
            for word in step.words:
                found |= dict.fromkeys(form_roots(word.lstrip('"').split()), _OF_GUIDES)
        for step in self.steps:
            found |= dict.fromkeys(form_roots([*step.name.split(), *step.value.split()]), _OF_NAMES)
        return found | dict.fromkeys(self.roots, 1.0)

    @functools.cached_property
    def sites(self) -> frozenset[str]:
        return frozenset(step.place.partition("/")[0] for step in self.steps)


@dataclass(frozen=True)
class Recall:
    """All plans, and where to look for them."""

    plans: tuple[Plan, ...] = ()
    _found: dict[tuple[str, str, frozenset[int]], tuple[tuple[Plan, float], ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    @functools.cached_property
    def _plans_with(self) -> dict[str, list[tuple[int, float]]]:
        """For each root the plans that are found by it, and what it counts there."""
        found: dict[str, list[tuple[int, float]]] = {}
        for number, plan in enumerate(self.plans):
            for root, counts in plan.marks.items():
                found.setdefault(root, []).append((number, counts))
        return found

    @functools.cached_property
    def _rarity(self) -> dict[str, float]:
        """The weight of a root: the logarithm of how few forms have it."""
        forms = {plan.form: plan for plan in self.plans}
        counts: dict[str, int] = {}
        for plan in forms.values():
            for root in plan.roots:
                counts[root] = counts.get(root, 0) + 1
        return {root: math.log((len(forms) + 1) / count) for root, count in counts.items()}

    @functools.cached_property
    def _sizes(self) -> tuple[float, ...]:
        return tuple(self._weight(plan.roots) for plan in self.plans)

    def _weight(self, found: Iterable[str]) -> float:
        new = math.log(len(self.plans) + 1)
        return sum(self._rarity.get(root, new) for root in sorted(found))

    def find(self, goal: Goal, site: str, without: frozenset[int] = frozenset()) -> tuple[tuple[Plan, float], ...]:
        """The plans most similar to a request, each with its similarity, 0..1, the most similar first.

        No two of them have the same steps, nor the same form. `without` are numbers of plans that must not be shown.
        """
        if not self.plans:
            return ()
        key = (goal.text, site, without)
        found = self._found.get(key)
        if found is None:
            if len(self._found) > 2000:
                self._found.clear()
            found = self._found[key] = self._find(goal, site, without)
        return found

    def _find(self, goal: Goal, site: str, without: frozenset[int]) -> tuple[tuple[Plan, float], ...]:
        form = form_of(goal)
        own = form_roots(form)
        size = self._weight(own)
        shared: dict[int, float] = {}
        both: dict[int, float] = {}
        for root in sorted(own):
            rarity = self._weight((root,))
            for number, counts in self._plans_with.get(root, ()):
                shared[number] = shared.get(number, 0.0) + counts * rarity
                if counts == 1:
                    both[number] = both.get(number, 0.0) + rarity
        scores: list[tuple[float, int]] = []
        for number, weight in shared.items():
            if number in without:
                continue
            similar = weight / (size + _UNSAID * (self._sizes[number] - both.get(number, 0.0)))
            if site not in self.plans[number].sites:
                similar *= _ELSEWHERE
            if similar >= _LEAST:
                scores.append((-similar, number))
        # Of those alike, the one whose words stand in the same order.
        ranked = sorted(
            (round(similar, 3), -_in_order(form, self.plans[number].form), number)
            for similar, number in sorted(scores)[:_POOL]
        )
        chosen: list[tuple[Plan, float]] = []
        for similar, _, number in ranked:
            plan = self.plans[number]
            if any(_same(plan, other) for other, _ in chosen):
                continue
            chosen.append((plan, -similar))
            if len(chosen) == FEW:
                break
        return tuple(chosen)


def _same(one: Plan, other: Plan) -> bool:
    if one.form == other.form:
        return True
    return [step.what for step in one.steps] == [step.what for step in other.steps]


def _in_order(one: Sequence[str], other: Sequence[str]) -> float:
    """The share of neighbouring words that two forms have in common."""
    a, b = set(itertools.pairwise(one)), set(itertools.pairwise(other))
    return round(len(a & b) / max(len(a | b), 1), 3)


# --- slots ----------------------------------------------------------------------------------------------------------


def slotted(goal: Goal, text: str) -> str:
    """The stems of a text, with values of the goal as slots and other digits as `#`."""
    return _slotted(goal.text, text)


@functools.lru_cache(maxsize=50_000)
def _slotted(request: str, text: str) -> str:
    goal = read_goal(request)
    words = stems(text)
    slots = _slot_words(request)
    found: list[str] = []
    start = 0
    while start < len(words):
        for number, slot in slots:
            if words[start : start + len(slot)] == slot:
                found.append(f"*{number}")
                start += len(slot)
                break
        else:
            word = words[start]
            each = "*" if word in goal.values else "#" if any(c.isdigit() for c in word) else word
            if each not in "*#" or not found or found[-1] != each:
                found.append(each)
            start += 1
    return " ".join(found)


@functools.lru_cache(maxsize=2_000)
def _slot_words(request: str) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """The words of each slot, the longest first."""
    slots = [(number, tuple(slot.split())) for number, slot in enumerate(read_goal(request).slots)]
    return tuple(sorted((each for each in slots if each[1]), key=lambda each: (-len(each[1]), each[0])))


@functools.lru_cache(maxsize=50_000)
def blank(slots: str) -> str:
    """A slotted text without saying which slot is which."""
    return " ".join("*" if word[:1] == "*" else word for word in slots.split())


def form_of(goal: Goal) -> tuple[str, ...]:
    """The request's stems, each value one slot."""
    return tuple(slotted(goal, goal.text).split())


def form_roots(form: Iterable[str]) -> frozenset[str]:
    """What a form is found by: the roots of its words that say something."""
    return frozenset(roots(" ".join(word for word in form if word[:1] not in "*#")))


def said_words(goal: Goal, line: str) -> frozenset[str]:
    """What a guide says: roots of its words, values aside, and its quotations, slotted, behind a quotation mark."""
    return _said_words(goal.text, line)


@functools.lru_cache(maxsize=50_000)
def _said_words(request: str, line: str) -> frozenset[str]:
    quotes = quoted(line)
    for quote in quotes:
        line = line.replace(quote, " ")
    rest = _slotted(request, line).replace("*", " ").replace("#", " ")
    return frozenset(roots(rest)) | {f'"{_slotted(request, quote)}' for quote in quotes}


# --- where the agent stands -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Standing:
    """A plan, and how far it is done as it seems."""

    plan: Plan
    similar: str
    """How similar the request is, in steps from `0` to `5`."""
    position: int
    """The number of the step that comes next, from 0."""
    here: bool
    """Whether the page is of the kind on which that step was done."""
    in_view: str
    """How what it needs is there: `exact`, `blank` or `role`; `no`; or `plain` where it needs nothing."""
    exact: dict[tuple[str, str, str], str]
    """For verb, role and slotted name: when the plan does this."""
    blanked: dict[tuple[str, str, str], str]
    """The same where it is not asked which slot is which."""

    @property
    def next(self) -> PlanStep:
        return self.plan.steps[self.position]

    @property
    def coming(self) -> tuple[str, str, str, str]:
        """Of the next step: its verb, which of several things of its name it is done to, whether that is in view and
        the page the right one, and how similar the request is."""
        return self.next.verb, self.next.rank, f"{self.in_view} {self.here}", self.similar

    def when(self, verb: str, role: str, name: str) -> tuple[str, str]:
        """How a plan speaks of an act on a thing, and when the act is due."""
        if due := self.exact.get((verb, role, name)):
            return "exact", due
        if due := self.blanked.get((verb, role, blank(name))):
            return "blank", due
        coming = self.next
        return ("role", "next") if (coming.verb, coming.role) == (verb, role) else ("no", "")

    def step_for(self, verb: str, role: str, name: str) -> PlanStep | None:
        """The plan's step for an act on a thing: the next one if it fits, else the nearest in the plan."""
        for same in (lambda step: step.what == (verb, role, name), lambda step: _alike(step, verb, role, name)):
            fits = [number for number, step in enumerate(self.plan.steps) if same(step)]
            if fits:
                return self.plan.steps[min(fits, key=lambda number: (abs(number - self.position), number))]
        coming = self.next
        return coming if coming.verb == verb else None


def _alike(step: PlanStep, verb: str, role: str, name: str) -> bool:
    return step.verb == verb and step.role == role and blank(step.name) == blank(name)


def standing(plan: Plan, similar: float, goal: Goal, memory: Sequence[str], seen: Observation, place: str) -> Standing:
    """How far a plan is done, by what the memory says and what is in view."""
    shown = {(each.role, slotted(goal, named(each))) for each in seen.candidates}
    blanks = {(role, blank(name)) for role, name in shown}
    roles = {each.role for each in seen.candidates}

    def in_view(step: PlanStep) -> str:
        if not step.role:
            return "plain"
        if (step.role, step.name) in shown:
            return "exact"
        if (step.role, blank(step.name)) in blanks:
            return "blank"
        return "role" if step.role in roles else "no"

    along = _along(plan, [said_words(goal, line) for line in memory])
    views = [in_view(step) for step in plan.steps]
    scores = [
        told + (0.6 if step.place == place else 0.0) + _IN_VIEW[view]
        for told, step, view in zip(along, plan.steps, views, strict=True)
    ]
    position = max(range(len(scores)), key=lambda number: (scores[number], -number))
    exact: dict[tuple[str, str, str], str] = {}
    blanked: dict[tuple[str, str, str], str] = {}
    for number, step in enumerate(plan.steps):
        due = _due(number - position)
        for held, what in ((exact, step.what), (blanked, (step.verb, step.role, blank(step.name)))):
            held[what] = due if what not in held else "+".join(sorted({*held[what].split("+"), due}))
    return Standing(
        plan,
        _bin(similar),
        position,
        plan.steps[position].place == place,
        views[position],
        exact,
        blanked,
    )


_IN_VIEW = {"exact": 0.6, "plain": 0.3, "blank": 0.4, "role": 0.0, "no": -0.3}


def _along(plan: Plan, lines: Sequence[frozenset[str]]) -> list[float]:
    """For each step: how well the lines fit the steps before it, some of either left out."""
    count = len(plan.steps)
    before = [-_SKIPPED * number for number in range(count)]
    for line in lines:
        after = [score - _IGNORED for score in before]
        reach = -math.inf
        for number in range(count - 1):
            reach = max(reach - _SKIPPED, before[number])
            fit = reach + _fits(line, plan.steps[number].words)
            if fit > after[number + 1]:
                after[number + 1] = fit
        before = after
    return before


def _fits(line: frozenset[str], words: frozenset[str]) -> float:
    """How well a line of the memory is one that speaks of a step."""
    both = line & words
    quotes = [word for word in line if word[0] == '"']
    if any(word[0] == '"' for word in both):
        return 1.0 + 0.5 * len(both) / len(line)
    share = len(both) / len(line) if line else 0.0
    return share if not quotes else share - 0.5


def _due(distance: int) -> str:
    if distance < 0:
        return "done"
    return "next" if distance == 0 else "soon" if distance <= 2 else "late"


def _bin(similar: float) -> str:
    return str(sum(similar >= step for step in (0.2, 0.3, 0.45, 0.65, 0.9)))


def named(candidate: Candidate) -> str:
    """The name that plans know a candidate by."""
    return candidate.name or candidate.text or candidate.placeholder


# --- on the disk ----------------------------------------------------------------------------------------------------


def as_lists(recall: Recall) -> dict[str, list[object]]:
    """As JSON holds it; steps that several plans share are written once."""
    steps = {step: number for number, step in enumerate(dict.fromkeys(s for plan in recall.plans for s in plan.steps))}
    return {
        "steps": [
            [s.verb, s.role, s.name, s.rank, s.place, s.value, list(s.source), "|".join(sorted(s.words))] for s in steps
        ],
        "plans": [[" ".join(plan.form), [steps[step] for step in plan.steps]] for plan in recall.plans],
    }


def from_lists(held: Any) -> Recall:
    """What `as_lists` wrote. Raises ValueError, TypeError or LookupError for anything else."""
    steps = []
    for verb, role, name, rank, place, value, source, words in held["steps"]:
        said = frozenset(filter(None, str(words).split("|")))
        steps.append(
            PlanStep(str(verb), str(role), str(name), str(rank), str(place), str(value), tuple(map(str, source)), said)
        )
    plans = []
    for form, numbers in held["plans"]:
        if not numbers:
            raise ValueError("a plan has no steps")
        plans.append(Plan(tuple(str(form).split()), tuple(steps[number] for number in numbers)))
    return Recall(tuple(plans))
