"""What goes with an act: a text to type, an option to choose, an answer to give. All of them are copied.

Texts come from the goal, from what the memory quotes, or from a line of the page; answers are lines of the page or
parts of them, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from guideact.models.builtin.acts import Act, verb_of
from guideact.models.builtin.bags import Bag, BagBuilder
from guideact.models.builtin.recall import PlanStep, blank, named, slotted
from guideact.models.builtin.view import View, shape
from guideact.models.builtin.words import Goal, Hashes, Span, Token, hashes, padded, quoted, stem
from guideact.types import Box, Candidate, TextLine

Values = tuple[list[str], Bag]
"""What can be chosen among, and the features of each."""

_LONGEST_LINE = 60
_MOST_LINES = 60
_MOST_OPTIONS = 200
_MOST_SOURCES = 6


# --- what is typed ----------------------------------------------------------------------------------------------


def texts_to_type(view: View, act: Act) -> Values:
    """All that could be typed into the target. Never empty: the last resort is the goal itself."""
    field = _field(act)
    goal = view.goal
    builder = BagBuilder()
    name = field.name or field.placeholder
    blanked = view.label(name)
    known = [f"n:{blanked}", f"r:{field.role}", *(f"w:{word}" for word in dict.fromkeys(blanked.split()))]
    around = hashes([*known, f"p:{view.place} {blanked}"])
    context = builder.row(known)
    said_at = [token for root in goal.match(name).asked for token in goal.places[root]]
    starts = [_edge(builder, goal.tokens, number, -1, around) for number in range(len(goal.tokens))]
    ends = [_edge(builder, goal.tokens, number, 1, around) for number in range(len(goal.tokens))]
    nothing = builder.row([])
    values: list[str] = []
    members: list[tuple[int, ...]] = []
    first_open = view.open_slots[0] if view.open_slots else ""
    planned = _planned(view, act)
    for span in goal.spans:
        words = padded(span.text)
        own = _typed(view, span.text, words, field)
        whole = "whole slot" if words in goal.slots else ""
        next_slot = "next" if first_open and words == first_open else ""
        own += [
            f"k:{span.kind} {whole}",
            f"k:{span.kind} {whole} {next_slot}",
            f"l:{min(span.last - span.first, 6)} {span.kind}",
        ]
        own += _distance(said_at, span.first, span.last, span.kind)
        is_value = goal.tokens[span.first].is_value, goal.tokens[span.last].is_value
        own.append(f"iv:{is_value}")
        if planned:
            own += _as_planned(view, planned, span.text, source_of(goal, span))
        values.append(span.text)
        members.append((context, starts[span.first], ends[span.last], builder.row(own, own, around)))
    for source, text in [
        *(("memory", text) for text in _from_memory(view)),
        *(("page", text) for text in _from_page(view)),
        *(("plan", text) for text in dict.fromkeys(each.source[1] for _, each in planned if each.source[0] == "plan")),
    ]:
        words = padded(text)
        own = [f"k:{source}", f"k:{source} {shape(text)}", *_typed(view, text, words, field)]
        own += _as_planned(view, planned, text, (source, shape(text)))
        values.append(text)
        members.append((context, nothing, nothing, builder.row(own, own[:2], around)))
    if not values:
        values, members = [goal.text], [(context, nothing, nothing, nothing)]
    return values, builder.bag(members)


Planned = list[tuple[str, PlanStep]]
"""For the first recalled plans: how similar the request is, and the step that this one goes by."""


def _planned(view: View, act: Act) -> Planned:
    target = act.target
    role, name = ("", "") if target is None else (target.role, slotted(view.goal, named(target)))
    found = [(each.similar, each.step_for(verb_of(act), role, name)) for each in view.standings[:2]]
    return [(similar, step) for similar, step in found if step is not None and step.source]


def source_of(goal: Goal, span: Span) -> tuple[str, ...]:
    """Where a piece of the goal stands: what kind it is and what stands before and after it."""
    return (span.kind, _beside(goal, span.first - 1), _beside(goal, span.last + 1))


def _beside(goal: Goal, number: int) -> str:
    if not 0 <= number < len(goal.tokens):
        return ""
    token = goal.tokens[number]
    return "*" if token.is_value else stem(token.text)


def _as_planned(view: View, planned: Planned, text: str, source: tuple[str, ...]) -> list[str]:
    """How a text to type or an option is like what plans have there."""
    features = []
    words = slotted(view.goal, text) if planned else ""
    for number, (similar, step) in enumerate(planned):
        same = "same" if words == step.value else "blank" if blank(words) == blank(step.value) else "other"
        beside = "".join(str(int(a == b)) for a, b in zip(source[1:], step.source[1:], strict=False))
        features += [
            f"q{number}:{same}",
            f"q{number}:{same} {similar} {step.source[0] == source[0]}",
            f"q{number}:{same} {step.source[0]} {source[0]} {beside}",
            f"q{number}:{same} {beside} {similar}",
            f"q{number}:{step.source[0]} {source[0]} {similar}",
        ]
    return features


def _field(act: Act) -> Candidate:
    if act.target is None:
        raise ValueError(f"{act.verb} has no target, hence no value for one")
    return act.target


def _distance(said_at: list[int], first: int, last: int, kind: str) -> list[str]:
    """How far from a span the goal says a word of the field's name."""
    if not said_at:
        return ["d:unsaid", f"d:unsaid {kind}"]
    gaps = [first - token if token < first else last - token if token > last else 0 for token in said_at]
    nearest = min(gaps, key=lambda gap: (abs(gap), gap < 0))
    gap = "in" if nearest == 0 else f"{'after' if nearest > 0 else 'before'} {min(abs(nearest), 6)}"
    return [f"d:{gap}", f"d:{gap} {kind}"]


def _edge(builder: BagBuilder, tokens: tuple[Token, ...], number: int, side: int, around: Hashes) -> int:
    """Features of a span's first (side -1) or last (side 1) token and of what stands outside of it."""
    token = tokens[number]
    mark = "<" if side < 0 else ">"
    outside = tokens[number + side] if 0 <= number + side < len(tokens) else None
    beyond = tokens[number + 2 * side] if outside is not None and 0 <= number + 2 * side < len(tokens) else None
    told = outside is not None and outside.is_value and outside.in_quotes == token.in_quotes
    keys = [
        f"e{mark}{_stem(outside)}",
        f"e2{mark}{_stem(beyond)} {_stem(outside)}",
        f"s{mark}{shape(token.text)} {told}",
        f"ov{mark}{token.is_value} {told} {token.in_quotes}",
    ]
    return builder.row([*keys, f"c{mark}{stem(token.text)}"], keys, around)


def _stem(token: Token | None) -> str:
    return "" if token is None else stem(token.text)


def _typed(view: View, text: str, words: str, field: Candidate) -> list[str]:
    """How a text relates to the memory, to what the page's fields hold, and to the guide."""
    mention = view.mentions(words)
    held = "same" if field.value.strip() == text.strip() else "other"
    elsewhere = view.held.get(text.strip(), 0) > (held == "same")
    named = bool(words.strip()) and words in padded(field.name)
    features = [
        f"m:{mention}",
        f"m:{mention} {held} {elsewhere}",
        f"o:{view.is_open(words)}",
        f"y:{shape(text)}",
        f"in name:{named}",
    ]
    if view.guide:
        features.append(f"h:{view.in_guide(text)}")
    return features


def _from_memory(view: View) -> list[str]:
    return list(
        dict.fromkeys(text for line in view.memory for text in quoted(line) if padded(text) not in view.goal.padded)
    )


def _from_page(view: View) -> list[str]:
    lines = (" ".join(line.text.split()) for line in view.observation.texts)
    fits = (line for line in lines if 0 < len(line) <= _LONGEST_LINE and padded(line) not in view.goal.padded)
    return list(dict.fromkeys(fits))[:_MOST_LINES]


# --- which option -----------------------------------------------------------------------------------------------


def options_of(view: View, act: Act) -> Values:
    """The options of the target's list."""
    field = _field(act)
    goal = view.goal
    builder = BagBuilder()
    name = goal.match(field.name)
    blanked = view.label(field.name)
    known = [f"n:{blanked}", f"r:{field.role}", *(f"g:{word}" for word in dict.fromkeys(goal.form))]
    form = hashes(known)
    context = builder.row(known)
    values = list(field.options[:_MOST_OPTIONS])
    planned = _planned(view, act)
    members = []
    for number, option in enumerate(values):
        match = goal.match(option)
        mention, is_open = view.mentions(match.words), view.is_open(match.words)
        keys = [f"t:{match.blanked}", f"m:{match.kind}"]
        asked = len(match.asked)
        gaps = [abs(a - b) for one in match.asked for a in goal.places[one] for r in name.asked for b in goal.places[r]]
        own = [
            *keys,
            f"m:{match.kind} {mention} {is_open}",
            f"m:{match.kind} {min(match.length, 4)} {round(match.share * 4)}",
            f"asked:{min(asked, 3)} of {min(match.content, 4)}",
            f"asked:{min(asked, 3)} of {min(match.content, 4)} {match.kind}",
            f"gap:{min(min(gaps, default=9), 9) // 2} {match.kind}",
            f"slot:{view.slot_state(name.slot)} {match.kind} {_is_in(match.words, view, name.slot)}",
            f"chosen:{option == field.value}",
            f"chosen:{option == field.value} {match.kind}",
            f"i:{min(number, 5)}",
            *(f"w:{word}" for word in match.blanked.split()),
        ]
        if view.guide:
            own.append(f"h:{view.in_guide(option)}")
        own += _as_planned(view, planned, option, ("option",))
        members.append((context, builder.row(own, keys, form)))
    return values, builder.bag(members)


def _is_in(words: str, view: View, slot: int) -> bool:
    """Whether some words are a part of the value of the goal with this number; -1 for no value."""
    return words != "" and slot >= 0 and words in view.goal.slots[slot]


# --- what is answered -------------------------------------------------------------------------------------------

_PART = re.compile(
    r"[$€£]\s?\d[\d,]*(?:\.\d+)?|\d{4}-\d\d-\d\d|[A-Z][a-z]+ \d{1,2}, \d{4}|#?\d[\d,]*(?:\.\d+)?|[A-Z]{2}\d{6,}"
    r"|[“\"][^”\"]+[”\"]"
)
_CUT = re.compile(r"\s+[·–|•]\s+|:\s+|\s+\(|\bby\s+|\bfrom\s+|,\s+")


@dataclass(frozen=True)
class _Piece:
    text: str
    kind: str
    line: int


def answers_on(view: View) -> Values:
    """The answers that can be read off the page; the first one is no answer at all."""
    values, _, bag = _answers(view)
    return values, bag


def answer_sources(view: View, right: Callable[[str], bool]) -> tuple[str, ...]:
    """Where on the page the answers stand that are right, as plans keep it: each place once."""
    values, sources, _ = _answers(view)
    found = dict.fromkeys(source for value, source in zip(values, sources, strict=True) if right(value))
    return tuple(list(found)[:_MOST_SOURCES])


def _answers(view: View) -> tuple[list[str], list[str], Bag]:
    goal = view.goal
    lines = _lines(view)
    builder = BagBuilder()
    asks, first = "?" in goal.text, " ".join(goal.form[:1])
    known = [
        f"asks:{asks}",
        *(f"b:{' '.join(goal.form[:length])}" for length in (1, 2, 3)),
        *(f"g:{word}" for word in dict.fromkeys(goal.form)),
        f"p:{view.place}",
    ]
    form = hashes(known)
    around = builder.row(known)
    ends = [(each.similar, each.plan.steps[-1]) for each in view.standings[:2]]
    sources = ["none"]
    values, members = (
        [""],
        [
            (
                around,
                builder.row([]),
                builder.row(
                    [
                        "none",
                        f"none {asks}",
                        f"none {first}",
                        f"none {asks} {len(view.open_slots) > 0}",
                        *_as_answered(ends, "none"),
                    ],
                    ["none"],
                    form,
                ),
            )
        ],
    )
    neighbours = _Neighbours(lines)
    rows: dict[int, tuple[int, str]] = {}
    for piece in _pieces(lines):
        line = lines[piece.line]
        if piece.line not in rows:
            rows[piece.line] = _line_row(view, builder, neighbours, piece.line, form)
        match = goal.match(piece.text)
        before, _, after = line.text.partition(piece.text)
        keys = [f"k:{piece.kind} {shape(piece.text)}", f"b:{goal.match(before).blanked}>{goal.match(after).blanked}"]
        rest_of = goal.match(before + " " + after)
        own = [
            *keys,
            f"k:{piece.kind}",
            f"m:{match.kind} {piece.kind}",
            f"y:{shape(piece.text)}",
            f"rest:{min(len(rest_of.asked), 3)} {rest_of.kind} {piece.kind}",
            f"m:{match.kind} {len(match.asked) > 0} {view.is_open(match.words)}",
        ]
        if view.guide:
            own.append(f"h:{view.in_guide(piece.text)}")
        row, beside = rows[piece.line]
        source = f"{piece.kind}|{keys[1]}|{beside}|{shape(piece.text)}"
        own += _as_answered(ends, source)
        values.append(piece.text)
        sources.append(source)
        members.append((around, row, builder.row(own, keys, form)))
    return values, sources, builder.bag(members)


def _as_answered(ends: Planned, source: str) -> list[str]:
    """How the place of an answer is like where plans found theirs."""
    features = []
    own = source.split("|")
    for number, (similar, step) in enumerate(ends):
        alike = max(
            ("".join(str(int(a == b)) for a, b in zip(own, each.split("|"), strict=False)) for each in step.source),
            key=lambda same: (same.count("1"), same),
            default="",
        )
        both = f"{source == 'none'} {step.source[:1] == ('none',)} {len(step.source) > 1}"
        features += [f"q{number}:{alike} {both}", f"q{number}:{alike} {both} {similar}"]
    return features


def _lines(view: View) -> list[TextLine]:
    """The page's text, and the names of what can be acted on where they are not among it."""
    lines = [line for line in view.observation.texts if line.text.strip()]
    there = {line.text for line in lines}
    for candidate in view.observation.candidates:
        for text in (candidate.name, candidate.text, candidate.value):
            if text.strip() and text not in there:
                there.add(text)
                lines.append(TextLine(text=text, box=candidate.box))
    return lines


def _pieces(lines: list[TextLine]) -> list[_Piece]:
    pieces = []
    for number, line in enumerate(lines):
        text = " ".join(line.text.split())
        found = {text: "line"}
        for match in _PART.finditer(text):
            if part := match[0].strip('“”"#'):
                found.setdefault(part, "part")
        cut = [part.strip(" ()") for part in _CUT.split(text)]
        if len(cut) > 1:
            for place, part in enumerate(cut[:6]):
                if part:
                    found.setdefault(part, f"cut {min(place, 2)}" if place < len(cut) - 1 else "cut last")
        pieces += [_Piece(each, kind, number) for each, kind in found.items() if len(each) <= 120]
    return pieces


class _Neighbours:
    """What stands beside and above each line."""

    def __init__(self, lines: list[TextLine]) -> None:
        import numpy as np

        self.lines = lines
        self._boxes = np.array(
            [[b.x, b.y, b.x + b.width, b.y + b.height] for b in (line.box for line in lines)]
        ).reshape(-1, 4)

    def left(self, number: int) -> int | None:
        """The nearest line that ends before this one in the same row."""
        x1, y1, _, y2 = self._boxes[number]
        middle = (y1 + y2) / 2
        fits = (self._boxes[:, 1] <= middle) & (self._boxes[:, 3] >= middle) & (self._boxes[:, 2] <= x1 + 2)
        fits[number] = False
        places = fits.nonzero()[0]
        return int(places[self._boxes[places, 2].argmax()]) if len(places) else None

    def row(self, number: int) -> list[int]:
        _x1, y1, _, y2 = self._boxes[number]
        middle = (y1 + y2) / 2
        fits = (self._boxes[:, 1] <= middle) & (self._boxes[:, 3] >= middle)
        fits[number] = False
        return [int(each) for each in fits.nonzero()[0]]

    def above(self, number: int) -> list[int]:
        """The lines above it that share a column with it, nearest first."""
        x1, y1, x2, _ = self._boxes[number]
        fits = (self._boxes[:, 3] <= y1 + 2) & (self._boxes[:, 0] < x2) & (self._boxes[:, 2] > x1)
        fits[number] = False
        places = fits.nonzero()[0]
        return [int(each) for each in places[(-self._boxes[places, 3]).argsort(kind="stable")]]


def _line_row(view: View, builder: BagBuilder, neighbours: _Neighbours, number: int, form: Hashes) -> tuple[int, str]:
    """The row of a line's features, and what stands to the left of it and above it."""
    goal, lines = view.goal, neighbours.lines
    blanked = goal.match(lines[number].text).blanked
    left, above = neighbours.left(number), neighbours.above(number)
    beside = goal.match(lines[left].text).blanked if left is not None else "-"
    nearest = goal.match(lines[above[0]].text).blanked if above else "-"
    in_row = [goal.match(lines[each].text) for each in neighbours.row(number)]
    row_kind = (
        "whole" if any(m.kind == "whole" for m in in_row) else "part" if any(m.kind == "part" for m in in_row) else "no"
    )
    heads = [goal.match(lines[each].text).blanked for each in above[:25]]
    keys = [f"l:{blanked}", f"left:{beside}", f"above:{nearest}", f"row:{row_kind}"]
    asked_left = len(goal.match(lines[left].text).asked) if left is not None else 0
    asked_above = len(goal.match(lines[above[0]].text).asked) if above else 0
    asked_head = max((len(goal.match(lines[each].text).asked) for each in above[:25]), default=0)
    asked_row = max((len(m.asked) for m in in_row), default=0)
    box: Box = lines[number].box
    own = [
        *keys,
        f"row:{row_kind} {beside}",
        f"al:{min(asked_left, 2)} {row_kind}",
        f"aa:{min(asked_above, 2)} {row_kind}",
        f"ah:{min(asked_head, 2)} {min(asked_row, 2)} {row_kind}",
        f"as:{min(asked_left, 2)} {min(asked_above, 2)} {min(len(goal.match(lines[number].text).asked), 2)}",
        *(f"head:{head}" for head in dict.fromkeys(heads)),
        *(f"head:{head} row {row_kind}" for head in dict.fromkeys(heads)),
        *(f"w:{word}" for word in blanked.split()[:8]),
        f"place:{int(box.x // 240)} {int(box.y // 150)}",
        f"p:{view.place} {beside}",
        f"p:{view.place} {blanked}",
        f"p:{view.place} above {nearest}",
        f"height:{int(box.height // 6)}",
    ]
    return builder.row(own, keys, form), f"{beside}|{nearest}"
