"""What the built-in agent reads of one step: the goal, the page, the memory, and a guide if it is given one."""

from __future__ import annotations

import itertools
import re
from collections import Counter, OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import parse_qsl, unquote, urlsplit

from guideact.models.builtin.bags import Bag
from guideact.models.builtin.lore import Lore
from guideact.models.builtin.recall import Plan, Recall, Standing, standing
from guideact.models.builtin.words import Goal, padded, quoted, read_goal, stems
from guideact.types import Candidate, Observation

NOTHING = Lore()
NO_PLANS = Recall()
EDITABLE = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
"""Roles that take typed text; a combobox with a list of options is chosen from instead."""


@dataclass(frozen=True)
class View:
    """One step, with all that several heads need to know worked out once."""

    goal: Goal
    observation: Observation
    memory: tuple[str, ...]
    guide: str = ""
    """The sentence that says what to do in this step; empty where none is given."""
    unknown: Mapping[str, str] = field(default_factory=dict)
    """What some words are read as instead: training makes words up in their place, so that the agent learns to do with
    pages that it has never seen."""
    lore: Lore = NOTHING
    """What is known of names."""
    recalled: tuple[tuple[Plan, float], ...] = ()
    """Plans of similar requests, the most similar first, with how similar they are, 0..1."""

    @cached_property
    def standings(self) -> tuple[Standing, ...]:
        """How far each recalled plan is done."""
        place = place_of(self.goal, self.observation.url)
        return tuple(
            standing(plan, similar, self.goal, self.memory, self.observation, place) for plan, similar in self.recalled
        )

    def guided(self, guide: str) -> View:
        """The same step with a guide, and all that was worked out of it without one."""
        view = replace(self, guide=guide)
        known = {name: found for name, found in vars(self).items() if not name.startswith("guide")}
        vars(view).update(known)
        return view

    @cached_property
    def bags(self) -> dict[str, Bag]:
        """Features of its choices that no guide changes, by the name of the choice."""
        return {}

    @cached_property
    def values(self) -> dict[tuple[str, int], tuple[Sequence[str], Bag]]:
        """What can go with an act of this verb on this mark (0: none), where there is no guide."""
        return {}

    # --- the memory ---------------------------------------------------------------------------------------------

    @cached_property
    def told(self) -> tuple[str, ...]:
        """The lines of the memory as `padded` writes them."""
        return tuple(padded(line) for line in self.memory)

    @cached_property
    def open_slots(self) -> tuple[str, ...]:
        """Values of the goal that no line of the memory mentions, in the order of the goal."""
        return tuple(slot for slot in self.goal.slots if not any(slot in line for line in self.told))

    @cached_property
    def last_quoted(self) -> str:
        """What the latest line with a quotation quotes first."""
        for line in reversed(self.memory):
            if found := quoted(line):
                return found[0]
        return ""

    def mentions(self, words: str) -> str:
        """How the memory speaks of a sequence of words: `last`, `earlier`, `often`, or `never`."""
        found = self._mentioned.get(words)
        if found is None:
            found = self._mentioned[words] = self._mentions(words)
        return found

    @cached_property
    def _mentioned(self) -> dict[str, str]:
        return {}

    def _mentions(self, words: str) -> str:
        if not words.strip() or not self.told:
            return "never"
        lines = sum(words in line for line in self.told)
        if lines == 0:
            return "never"
        where = "last" if words in self.told[-1] else "earlier"
        return where if lines == 1 else f"{where} {min(lines, 4)}"

    def is_open(self, words: str) -> str:
        """Whether these words belong to the first value not mentioned yet (`next`), to a later one, or to none."""
        if words.strip():
            for number, slot in enumerate(self.open_slots):
                if words in slot or slot in words:
                    return "next" if number == 0 else "later"
        return "no"

    def slot_state(self, slot: int) -> str:
        """Whether a value of the goal, by its number, is mentioned (told), the first that is not (next), or later."""
        if slot < 0:
            return "none"
        words = self.goal.slots[slot]
        if words not in self.open_slots:
            return "told"
        return "next" if words == self.open_slots[0] else "later"

    # --- the page -----------------------------------------------------------------------------------------------

    def label(self, text: str) -> str:
        """A text with values of the goal blanked, as far as it is known."""
        blanked = self.goal.match(text).blanked
        if not self.unknown:
            return blanked
        return " ".join(self.unknown.get(word, word) for word in blanked.split())

    @cached_property
    def place(self) -> str:
        """The kind of page, as far as it is known."""
        return place_of(self.goal, self.observation.url, self.unknown)

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """Keys of the address's query; with their values where these are words of no data."""
        pairs = parse_qsl(urlsplit(self.observation.url).query)
        return tuple(
            key if any(c.isdigit() for c in value) or len(value) > 20 else f"{key}={self.blank(value)}"
            for key, value in pairs
        )

    @cached_property
    def context(self) -> list[str]:
        """Features of the step as a whole, to be combined with those of each item."""
        seen = self.observation
        features = [f"p:{self.place}", f"n:{min(len(self.memory), 20)}", f"u:{min(len(self.open_slots), 6)}"]
        features += [f"q:{query}" for query in self.queries]
        features += [f"t:{word}" for word in dict.fromkeys(self.label(seen.title).split())]
        features += self._standing
        form = self.goal.form
        features += [f"b:{' '.join(form[:length])}" for length in (1, 2, 3)]
        form = tuple(self.unknown.get(word, word) for word in form)
        features += [f"g:{word}" for word in dict.fromkeys(form)]
        features += [f"g2:{a} {b}" for a, b in dict.fromkeys(itertools.pairwise(form))]
        if self.memory:
            features += [f"m1:{word}" for word in dict.fromkeys(self.blank(self.memory[-1]).split())]
        else:
            features.append("m1:none")
        if len(self.memory) > 1:
            features += [f"m2:{word}" for word in dict.fromkeys(self.blank(self.memory[-2]).split())]
        for candidate in seen.candidates:
            if "focused" in candidate.states:
                features.append(f"f:{candidate.role} {self.filling(candidate)}")
                features.append(f"f:{candidate.role} {self.label(candidate.name)} {self.filling(candidate)}")
        if seen.dialogs:
            features.append(f"d:{seen.dialogs[-1].kind} {seen.dialogs[-1].answer}")
        return features

    @property
    def closed(self) -> str:
        """How often what the last line quotes first was the last thing to do; `no` where it quotes nothing."""
        said = quoted(self.memory[-1]) if self.memory else []
        return self.lore.closes(said[0]) if said else "no"

    @property
    def _standing(self) -> list[str]:
        """How far the task is, as far as it can be told without knowing the site."""
        seen = self.observation
        named = self.goal.match(seen.title)
        title = f"{named.kind} {self.is_open(named.words)} {self.mentions(named.words)}"
        sight = "no"
        if self.open_slots:
            wanted = self.open_slots[0]
            if any(wanted in padded(c.name) or wanted in padded(c.text) for c in seen.candidates):
                sight = "candidate"
            elif any(wanted in padded(option) for c in seen.candidates for option in c.options):
                sight = "option"
            elif any(wanted in padded(line.text) for line in seen.texts):
                sight = "text"
        filled = sum(
            bool(c.value) and self.goal.match(c.value).kind == "whole" for c in seen.candidates if c.role in EDITABLE
        )
        empty = sum(not c.value for c in seen.candidates if c.role in EDITABLE)
        left = min(len(self.open_slots), 2)
        told = len(self.goal.slots) - len(self.open_slots)
        asks = "?" in self.goal.text
        most = min(self.most_asked, 2)
        steps = min(len(self.memory), 3)
        closed = self.closed
        closers = {self.lore.closes(c.name or c.text) for c in seen.candidates if c.role == "button"}
        closer = next((each for each in ("often", "sometimes") if each in closers), "no")
        return [
            f"z:{title}",
            f"i:{self.rarest_open}",
            f"i:{self.rarest_open} {left} {closed}",
            f"i:{self.rarest_open} {asks} {steps}",
            f"k:{closed}",
            f"k:{closed} {closer} {asks}",
            f"k:{closed} {closer} {left}",
            f"y:{min(self.most_behind, 2)} {most} {asks}",
            f"y:{asks} {left} {steps}",
            f"y:{asks} {left} {most}",
            f"y:{most} {left} {min(told, 2)} {steps}",
            f"y:{sight}",
            f"y:{sight} {left} {min(told, 2)}",
            f"e:{min(filled, 3)}",
            f"e:{min(filled, 2)} {min(empty, 3)} {left}",
            f"e:{min(filled, 2)} {left} {asks}",
        ]

    @cached_property
    def lines(self) -> list[str]:
        """The lines of text on the page with values blanked: what the page says, messages among them."""
        return list(dict.fromkeys(f"x:{self.label(line.text)}" for line in self.observation.texts if " " in line.text))

    def blank(self, text: str) -> str:
        return self.goal.match(text).blanked

    def filling(self, candidate: Candidate) -> str:
        """What a control holds: nothing, a value of the goal that is open or done, or something else."""
        if not candidate.value:
            return "empty"
        match = self.goal.match(candidate.value)
        if match.kind not in ("whole", "words"):
            return "other"
        return f"goal {self.mentions(padded(candidate.value))}"

    @cached_property
    def turns(self) -> dict[int, str]:
        """For each mark: where it stands in the order of the form, counted from the control that has the focus.

        `1`, `2` or `3` for what follows it, with what stands in between: empty controls or only filled ones.
        """
        controls = [c for c in self.observation.candidates if c.role in EDITABLE or c.options]
        focused = next((c.mark for c in self.observation.candidates if "focused" in c.states), 0)
        turns: dict[int, str] = {}
        for candidate in self.observation.candidates:
            between = [c for c in controls if focused < c.mark < candidate.mark]
            empty = any(not c.value for c in between)
            before = (
                "before" if candidate.mark <= focused else f"{min(len(between) + 1, 3)} {'past empty' if empty else ''}"
            )
            turns[candidate.mark] = before if focused else "no focus"
        return turns

    @cached_property
    def held(self) -> Counter[str]:
        """What the page's controls hold, and how many of them."""
        return Counter(candidate.value.strip() for candidate in self.observation.candidates)

    # --- where things stand -------------------------------------------------------------------------------------

    @cached_property
    def landmarks(self) -> list[tuple[str, float, float]]:
        """Pieces of the page that are values of the goal: the words in common and the centre of each."""
        found = []
        things = [(line.text, line.box) for line in self.observation.texts]
        things += [(candidate.name, candidate.box) for candidate in self.observation.candidates]
        for text, box in things:
            match = self.goal.match(text)
            if match.kind == "whole" or (match.kind == "part" and match.length >= 2):
                found.append((match.words, *box.centre))
        return found

    def nearest(self, candidate: Candidate) -> tuple[str, str, float]:
        """The landmark nearest to a candidate, itself aside: its words, how near, and the distance in px."""
        found = self._near.get(candidate.mark)
        if found is None:
            found = self._near[candidate.mark] = self._nearest(candidate)
        return found

    @cached_property
    def _near(self) -> dict[int, tuple[str, str, float]]:
        return {}

    def _nearest(self, candidate: Candidate) -> tuple[str, str, float]:
        x, y = candidate.box.centre
        best, words = 1e9, ""
        for each, its_x, its_y in self.landmarks:
            dx, dy = abs(its_x - x), abs(its_y - y)
            if dx < 2 and dy < 2:
                continue
            distance = dx + 4 * dy
            if distance < best:
                best, words = distance, each
        if not words:
            return "", "none", best
        if best < 1200 and any(abs(its_y - y) < 14 for each, _, its_y in self.landmarks if each == words):
            return words, "row", best
        return words, "close" if best < 500 else "around" if best < 1200 else "far", best

    @cached_property
    def ranks(self) -> dict[int, tuple[int, str]]:
        """For each mark: its place among candidates alike (same role and blanked name), and whether it is the nearest
        of them to a landmark."""
        groups: dict[str, list[Candidate]] = {}
        for candidate in self.observation.candidates:
            groups.setdefault(f"{candidate.role} {self.blank(candidate.name)}", []).append(candidate)
        ranks: dict[int, tuple[int, str]] = {}
        for group in groups.values():
            distances = [self.nearest(candidate)[2] for candidate in group] if len(group) > 1 else [0.0]
            least = min(distances)
            for number, (candidate, distance) in enumerate(zip(group, distances, strict=True)):
                alone = "alone" if len(group) == 1 else "nearest" if distance == least and least < 1e9 else "other"
                ranks[candidate.mark] = (number, alone)
        return ranks

    @cached_property
    def asked_behind(self) -> dict[str, int]:
        """For each name on the page, how many words of the request are known to stand behind it."""
        names = {self.blank(each.name or each.text) for each in self.observation.candidates if not each.options}
        return {name: self.lore.asked_behind(name, self.goal) for name in names}

    @cached_property
    def most_behind(self) -> int:
        return max(self.asked_behind.values(), default=0)

    @cached_property
    def most_asked(self) -> int:
        """The most words of the request that a candidate's name has in common with it, of those not told yet."""
        return max((self._asked(candidate) for candidate in self.observation.candidates), default=0)

    @cached_property
    def first_asked(self) -> str:
        """The root of the first word of the request that says something."""
        return next(iter(self.goal.places), "")

    @cached_property
    def rarest_open(self) -> str:
        """How rare the rarest word of the request is that a name on the page has and no line of the memory."""
        untold = [
            root
            for candidate in self.observation.candidates
            if self.mentions(padded(name := candidate.name or candidate.text)) == "never"
            for root in self.goal.match(name).asked
        ]
        return self.lore.rarest(untold)

    def _asked(self, candidate: Candidate) -> int:
        name = candidate.name or candidate.text
        return 0 if self.mentions(padded(name)) != "never" else len(self.goal.match(name).asked)

    @cached_property
    def guide_padded(self) -> str:
        return padded(self.guide)

    @cached_property
    def guide_quotes(self) -> tuple[str, ...]:
        return tuple(padded(text) for text in quoted(self.guide))

    @cached_property
    def guide_words(self) -> list[str]:
        return list(dict.fromkeys(f"h:{word}" for word in self.blank(self.guide).split()))

    def in_guide(self, text: str) -> str:
        """How the guide speaks of a thing: quotes its name, a part of it, says it, says some of it, or not at all."""
        words = padded(text)
        if not words.strip():
            return "nameless"
        for quote in self.guide_quotes:
            if quote == words:
                return "quoted"
        for quote in self.guide_quotes:
            if quote in words:
                return "quoted in part"
            if words in quote:
                return "within quotes"
        if words in self.guide_padded:
            return "said"
        own = stems(text)
        share = sum(f" {word} " in self.guide_padded for word in own) / len(own)
        return "half said" if share >= 0.5 else "not"


class Views:
    """The latest views that were asked for: agents of the same lore that are shown a step one after the other, as in a
    study, read it once."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[tuple[str, int, tuple[str, ...], int, int], tuple[View, Recall]] = OrderedDict()

    def of(
        self, intent: str, observation: Observation, memory: Sequence[str], lore: Lore, recall: Recall = NO_PLANS
    ) -> View:
        """What is read of a step without a guide."""
        # By identity: to compare two observations takes as long as to read one. All three are held with the view, so no
        # number can become another's while it is kept.
        key = (intent, id(observation), tuple(memory), id(lore), id(recall))
        view, _ = self._kept.get(key, (None, recall))
        if view is None:
            view = view_of(intent, observation, memory, lore=lore, recall=recall)
            self._kept[key] = view, recall
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(key)
        return view


def view_of(
    intent: str,
    observation: Observation,
    memory: Sequence[str],
    guide: str = "",
    lore: Lore = NOTHING,
    recall: Recall = NO_PLANS,
    without: frozenset[int] = frozenset(),
) -> View:
    """What the agent reads of a step. `without` are numbers of plans that must not come to mind."""
    goal = read_goal(intent)
    site = urlsplit(observation.url).hostname or ""
    return View(goal, observation, tuple(memory), guide, lore=lore, recalled=recall.find(goal, site, without))


def place_of(goal: Goal, url: str, unknown: Mapping[str, str] | None = None) -> str:
    """The kind of page: site and path without what names a single thing. `unknown`: what parts are read as instead."""
    parts = urlsplit(url)
    steps = []
    for part in parts.path.strip("/").split("/"):
        words = unquote(part).replace("-", " ").replace("_", " ")
        is_data = any(c.isdigit() for c in part) or part.count("-") >= 2 or goal.match(words).kind == "whole"
        steps.append("*" if is_data else (unknown or {}).get(part, part))
    return f"{parts.hostname or ''}/{'/'.join(steps)}"


def shape(text: str) -> str:
    """What a short text looks like: `$#.#`, `Aa Aa`, `#-#-#`, ...; at most 16 characters."""
    text = re.sub(r"\d+", "#", text.strip())
    text = re.sub(r"[^\W\d_]+", lambda word: "Aa" if word[0][0].isupper() else "a", text)
    return text[:16]
