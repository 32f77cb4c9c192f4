"""From what a sentence says to what it names on a page: every act that the page allows is weighed, the best is taken.

What counts, most first: a name that is quoted, an option that is quoted, the field that a value goes into, the kind of
control, words that the name shares with the sentence, what is quoted beside it, where it stands.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, replace

from guideact.guides.literal import wording
from guideact.guides.literal.read import Quote, Reading, fold, stem, stems
from guideact.types import Action, Box, Candidate, Click, Mark, Observation, Select, Type

EDITABLE = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_TICKED = frozenset({"checkbox", "radio", "switch", "option"})
_ICONS: dict[str, tuple[str, ...]] = {
    "pencil": ("edit", "rename"),
    "bin": ("delete", "remove"),
    "trash": ("delete", "remove"),
    "cross": ("close", "remove", "clear", "dismiss"),
    "heart": ("wish", "favourite", "save"),
    "scales": ("compare",),
    "envelope": ("message", "mail", "inbox"),
    "bell": ("notification",),
    "gear": ("settings",),
    "cog": ("settings",),
    "glass": ("search", "enlarge"),
    "magnifying": ("search",),
    "look": ("search",),
    "upward": ("upvote", "up"),
    "downward": ("downvote", "down"),
    "larger": ("enlarge",),
    "bigger": ("enlarge",),
    "bag": ("cart",),
    "basket": ("cart",),
    "plus": ("add", "increase", "more"),
    "minus": ("decrease", "less"),
    "bell-shaped": ("notification",),
    "every": ("all",),
    "writing": ("edit",),
    "message": ("body", "text"),
}
"""What a picture on a control mostly means."""


_SUGGESTED = frozenset({"suggestions", "suggestion", "suggested", "dropped", "entry", "entries", "offer", "appeared"})
_SEARCHING = frozenset(
    {
        "search",
        "searching",
        "searched",
        "look",
        "find",
        "magnifying",
        "results",
        "query",
        "finds",
        "wide",
        "logo",
        "header",
        "bar",
    }
)


@dataclass(frozen=True)
class Choice:
    """An act that a sentence may mean."""

    action: Action
    target: Candidate
    score: float
    named: float
    """How well something that the sentence quotes is the name of the target (or of its option), 0..1."""


@dataclass(frozen=True)
class Before:
    """What was acted on in the step before."""

    box: Box | None = None
    name: str = ""
    text: str = ""
    """What was typed."""
    role: str = ""


def choices(reading: Reading, seen: Observation, before: Before | None = None, enter: str = "") -> list[Choice]:
    """Every act on a candidate in view that the sentence may mean, the best first.

    `enter` is what is to be typed or chosen where the guide says it beside the sentence: then nothing else is.
    """
    if enter:
        reading = _with_value(reading, enter)
    page = _Page(reading, seen, before or Before())
    found: list[Choice] = []
    for candidate in seen.candidates:
        if "disabled" in candidate.states or (
            candidate.role in ("region", "group") and "scrollable" in candidate.states
        ):
            continue
        found += page.clicks(candidate)
        if candidate.role in EDITABLE and candidate.tag != "select" and "type" in reading.verbs:
            found += page.types(candidate)
        if candidate.options:
            found += page.selects(candidate)
    found.sort(key=lambda choice: (-choice.score, choice.target.mark))
    return _counted(found, reading)


def _with_value(reading: Reading, enter: str) -> Reading:
    """The reading with what is to be entered as its only value, and no quotation of it left to be taken for a name."""
    quotes = tuple(quote for quote in reading.quotes if fold(quote.text) != fold(enter))
    verbs = reading.verbs | {"type", "type_surely", "select"}
    return replace(reading, quotes=quotes, values=(enter,), verbs=verbs, given=True)


def _counted(found: list[Choice], reading: Reading) -> list[Choice]:
    """Where several things bear the name and the sentence says which of them, that one comes first."""
    if not found or not reading.ordinal:
        return found
    top = found[0]
    alike = [
        each
        for each in found
        if each.target.role == top.target.role
        and each.action.verb == top.action.verb
        and abs(each.named - top.named) < 0.12
        and top.score - each.score < 0.6
    ]
    alike.sort(key=lambda each: each.target.mark)
    at = reading.ordinal - 1 if reading.ordinal > 0 else len(alike) - 1
    if len(alike) < 2 or at >= len(alike):
        return found
    return [alike[at], *(each for each in found if each is not alike[at])]


class _Page:
    """An observation as one sentence looks at it."""

    def __init__(self, reading: Reading, seen: Observation, before: Before) -> None:
        self.reading, self.seen, self.before = reading, seen, before
        self.names = {c.mark: _names(c) for c in seen.candidates}
        self.bags = {c.mark: frozenset(w for n in self.names[c.mark] for w in stems(n)) for c in seen.candidates}
        counts = Counter(word for bag in self.bags.values() for word in bag)
        self.rarity = {word: 1 / (1 + math.log(count)) for word, count in counts.items()}
        self.wanted = dict(reading.words)
        for word in reading.said:
            for meant in _ICONS.get(word, ()):
                self.wanted.setdefault(stem(meant), 0.8)
        self.icons = frozenset(stem(meant) for word in reading.said for meant in _ICONS.get(word, ()))
        self.searching = bool(reading.said & _SEARCHING) or "top" in reading.places
        self.beside = [reading.is_beside(quote) for quote in reading.quotes]
        self.grades = {
            (c.mark, i): max((_grade(q.text, name) for name in self.names[c.mark]), default=0.0)
            for c in seen.candidates
            for i, q in enumerate(reading.quotes)
        }
        self.texts = [(fold(line.text), line.box) for line in seen.texts]

    # --- the acts ---------------------------------------------------------------------------------------------------

    def clicks(self, c: Candidate) -> list[Choice]:
        if "click" not in self.reading.verbs and "select" not in self.reading.verbs:
            return []
        quotes = range(len(self.reading.quotes))
        best = max(quotes, key=lambda i: (self.grades[c.mark, i] - 0.3 * self.beside[i], -i), default=None)
        named = self.grades[c.mark, best] if best is not None else 0.0
        if named < 0.5:
            named, best = 0.0, None
        score = 3 * named + (0.25 if named >= 0.97 else 0.0) + self.words(c, used=best) + self.kind(c) + self.place(c)
        if best is not None and self.beside[best] and not self.says_which(best):
            # The name of what it stands beside: what bears more than that name is meant.
            score -= (2.0 if self.icons else 1.3) if named >= 0.85 else 0.2
        score += self.around(c, [q for i, q in enumerate(self.reading.quotes) if i != best])
        score += self.unfolding(c) + self.suggested(c, best) + self.pictured(c)
        if c.role in EDITABLE and c.tag == "input":
            score -= 1.0
        if c.tag == "textarea" or (c.role in ("textbox", "searchbox") and c.tag != "input"):
            score -= 1.0
        if c.options:
            score -= 0.8
        if "type_surely" in self.reading.verbs and c.role not in EDITABLE:
            score -= 1.7
        if "current" in c.states or (c.role == "radio" and "checked" in c.states):
            score -= 0.15
        return [Choice(Click(target=Mark(mark=c.mark)), c, score, named)]

    def types(self, c: Candidate) -> list[Choice]:
        found = []
        quotes = self.reading.quotes
        for i, q in enumerate(quotes if not self.reading.given else ()):
            others = [j for j in range(len(quotes)) if j != i]
            best = max(others, key=lambda j: self.grades[c.mark, j], default=None)
            named = self.grades[c.mark, best] if best is not None else 0.0
            if named < 0.5:
                named, best = 0.0, None
            cue = self.cue(q, quotes[best] if best is not None else None)
            taken = 0.8 if self.grades[c.mark, i] >= 0.95 else 0.0
            left = [other for j, other in enumerate(quotes) if j not in (i, best)]
            score = 1.2 + 2.5 * named + cue - taken + self.words(c, used=best) + self.kind(c) + self.place(c)
            score += self.around(c, left) + self.after_before(c) + self.field(c) - self.written(c, q.text)
            found.append(Choice(Type(target=Mark(mark=c.mark), text=q.text), c, score, max(named, 0.01)))
        for value in self.reading.values:
            given = self.reading.given
            best = max(range(len(quotes)), key=lambda j: self.grades[c.mark, j], default=None)
            named = self.grades[c.mark, best] if best is not None else 0.0
            if named < 0.5:
                named, best = 0.0, None
            left = [other for j, other in enumerate(quotes) if j != best]
            score = 0.9 + 2.5 * named + self.words(c, used=best) + self.kind(c) + self.place(c) + self.around(c, left)
            score += (
                self.after_before(c)
                + self.field(c)
                - self.written(c, value)
                - (0.8 if quotes and not named and not given else 0.0)
                + (1.0 if given else 0.0)
            )
            found.append(Choice(Type(target=Mark(mark=c.mark), text=value), c, score, max(named, 0.01)))
        return found

    def selects(self, c: Candidate) -> list[Choice]:
        found = []
        quotes = self.reading.quotes
        for option in c.options:
            ways = [(i, _grade(q.text, option)) for i, q in enumerate(quotes)]
            ways += [(-1, 1.0) for value in self.reading.values if self.reading.given and fold(value) == fold(option)]
            i, fit = max(ways, key=lambda way: way[1], default=(-1, 0.0))
            if fit < 0.6:
                said = stems(option)
                heard = {stem(word) for word in self.reading.said}
                if not said or not all(word in heard for word in said):
                    continue
                i, fit = -1, 0.6
            others = [j for j in range(len(quotes)) if j != i]
            best = max(others, key=lambda j: self.grades[c.mark, j], default=None)
            named = self.grades[c.mark, best] if best is not None else 0.0
            if named < 0.5:
                named, best = 0.0, None
            left = [q for j, q in enumerate(quotes) if j not in (i, best)]
            score = 0.7 + 2.6 * fit - (1 - fit) + 1.6 * named + self.words(c, used=best) + self.kind(c) + self.place(c)
            score += self.around(c, left) - (0.5 if fold(c.value) == fold(option) else 0.0) + self.after_before(c) / 2
            found.append(Choice(Select(target=Mark(mark=c.mark), option=option), c, score, fit))
        return found

    def says_which(self, quote: int) -> bool:
        """Whether a quotation is all that the sentence has to name its target: no other one, and no telling word."""
        return len(self.reading.quotes) == 1 and not any(
            self.wanted.get(word) for bag in self.bags.values() for word in bag if word in self.wanted
        )

    # --- what counts --------------------------------------------------------------------------------------------------

    def words(self, c: Candidate, used: int | None) -> float:
        """How many of the sentence's words the candidate bears, rare ones more; less of it where its name is quoted."""
        bag = self.bags[c.mark]
        shared = sum(self.wanted[word] * self.rarity[word] for word in bag if word in self.wanted)
        if not shared:
            return 0.0
        own = sum(self.rarity[word] for word in bag) or 1.0
        share = shared / own
        return (0.4 if used is not None else 1.1) * min(shared, 2.0) * (0.5 + 0.5 * share)

    def pictured(self, c: Candidate) -> float:
        """It bears the picture that is spoken of, told by what such pictures mean; and is it about what is quoted?"""
        if not self.icons & self.bags[c.mark]:
            return 0.0
        about = any(fold(q.text) in fold(name) for q in self.reading.quotes for name in self.names[c.mark])
        return 1.4 if about else 0.6

    def unfolding(self, c: Candidate) -> float:
        """A menu that is to be opened is a closed one."""
        if self.reading.mine:
            x, y = c.box.centre
            corner = y < 0.2 * self.seen.viewport.height and x > 0.6 * self.seen.viewport.width
            return 1.0 if corner and "collapsed" in c.states else 0.0
        if not self.reading.said & {"menu", "unfold", "unfolds", "drop-down"}:
            return 0.0
        return 0.5 if "collapsed" in c.states else -0.2 if "expanded" in c.states else 0.0

    def suggested(self, c: Candidate, quote: int | None) -> float:
        """What has come up below the field that was typed into right before."""
        if quote is None or c.role != "option":
            return 0.0
        if self.before.role in ("combobox", "listbox") and not self.before.text:
            return 1.1
        if not self.before.text:
            return 0.0
        likely = self.reading.said & _SUGGESTED
        just = fold(self.reading.quotes[quote].text) == fold(self.before.text)
        return 1.1 if likely or just else 0.35

    def kind(self, c: Candidate) -> float:
        roles = self.reading.roles
        if not roles:
            return 0.0
        if c.role in roles:
            return 0.45
        if c.options and roles & {"combobox", "listbox"}:
            return 0.45
        return -0.15

    def place(self, c: Candidate) -> float:
        """Where it stands in the window, as far as the sentence says where."""
        x, y = c.box.centre
        width, height = self.seen.viewport.width, self.seen.viewport.height
        score = 0.0
        for place in self.reading.places:
            there = {
                "top": y < 0.2 * height,
                "bottom": y > 0.7 * height,
                "left": x < 0.3 * width,
                "right": x > 0.65 * width,
            }
            score += 0.3 if there[place] else -0.1
        if self.reading.listed and c.box.y < 110:
            score -= 0.8
        return score

    def around(self, c: Candidate, quotes: list[Quote]) -> float:
        """What else is quoted stands beside it: in its name, in its row, or right above."""
        score = 0.0
        for quote in quotes:
            wanted = fold(quote.text)
            if any(wanted in fold(name) for name in self.names[c.mark]):
                score += 0.9
                continue
            near = [_below(c.box, box) for text, box in self.texts if wanted in text]
            near += [
                _below(c.box, other.box)
                for other in self.seen.candidates
                if other.mark != c.mark and any(wanted in fold(name) for name in self.names[other.mark])
            ]
            if near:
                score += 0.7 * max(0.0, 1 - min(near) / 500)
        return score

    def after_before(self, c: Candidate) -> float:
        """Forms are filled in from top to bottom: what comes right after the field before is likelier."""
        if self.before.box is None:
            return 0.15 if "focused" in c.states else 0.0
        if self.before.name and self.before.name == c.name:
            # A list that has just been opened is typed into; a field that has just been filled is not.
            return 0.7 if self.before.role == "combobox" and not self.before.text else -0.35
        below = c.box.y - self.before.box.y
        return 0.25 * max(0.0, 1 - below / 300) if below >= -5 else 0.0

    def field(self, c: Candidate) -> float:
        """What kind of field is meant: one of several lines, or the search of the whole site."""
        score = 0.0
        tall = c.tag == "textarea" or c.box.height > 70
        if self.reading.large:
            score += 0.7 if tall else -0.2
        search = c.role == "searchbox" or "search" in self.bags[c.mark]
        if search and not self.searching:
            score -= 0.6
        if "type_surely" not in self.reading.verbs:
            score -= 0.3
        return score

    def written(self, c: Candidate, value: str) -> float:
        return 0.8 if fold(c.value) == fold(value) else 0.0

    def cue(self, value: Quote, target: Quote | None) -> float:
        """Whether the wording makes this quotation the text to enter, and that one the field."""
        sentence = self.reading.sentence
        score = 0.0
        if wording.BEFORE_VALUE.search(sentence[: value.start]):
            score += 0.5
        if wording.AFTER_VALUE.search(sentence[value.end :]):
            score += 0.4
        if wording.AFTER_TARGET.match(sentence[value.end :]) and target is not None:
            score -= 0.4
        if target is not None:
            if wording.BEFORE_TARGET.search(sentence[: target.start]):
                score += 0.2
            if wording.AFTER_TARGET.match(sentence[target.end :]):
                score += 0.4
        return score


def _names(c: Candidate) -> tuple[str, ...]:
    """What it is called: its name, its text, what stands in it."""
    value = c.value if c.role in ("combobox", "listbox") and not c.options and c.tag != "input" else ""
    return tuple(dict.fromkeys(text for text in (c.name, c.text, c.placeholder, value) if text))


def _grade(quoted: str, name: str) -> float:
    """How well a quotation is a name, 0..1."""
    wanted, got = fold(quoted), fold(name)
    if not wanted or not got:
        return 0.0
    if wanted == got:
        return 1.0
    if re.sub(r"[\W_]+", " ", wanted).strip() == re.sub(r"[\W_]+", " ", got).strip():
        return 0.9
    pattern = rf"(?<!\w){re.escape(wanted)}(?!\w)"
    if got.startswith(wanted) and re.match(pattern, got):
        rest = got[len(wanted) :].strip(" (),·:")
        return 0.92 if re.fullmatch(r"[\d.,]*(?: \w+)?", rest) else 0.85
    if re.search(pattern, got):
        return 0.45 + 0.4 * len(wanted) / len(got)
    return 0.0


def _below(box: Box, text: Box) -> float:
    """How far something is from a text that it belongs to, CSS px: on its line or under it is near, over it is far."""
    dx = max(box.x - (text.x + text.width), text.x - (box.x + box.width), 0.0)
    under, over = box.y - (text.y + text.height), text.y - (box.y + box.height)
    return dx * 0.6 + max(under * 1.6, over * 4, 0.0)
