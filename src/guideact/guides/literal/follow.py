"""Following a guide sentence by sentence: one act each, scrolling to look for what is named, and giving up.

The follower does what the sentence at hand says to what bears the name it quotes, and nothing else: it knows no goal,
skips no sentence and repairs nothing. Where nothing in view, above or below bears the name, it stops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guideact.guides.literal.find import Before, Choice, choices
from guideact.guides.literal.read import Reading, fold, read
from guideact.types import (
    Action,
    Candidate,
    Finish,
    Frozen,
    GoBack,
    Mark,
    Observation,
    Outcome,
    PressEnter,
    Scroll,
    Type,
)

CERTAIN = 0.6
"""From which on a quotation counts as the name of something (see `find.Choice.named`)."""
ENOUGH = 0.75
"""The score that an act needs where the sentence quotes no name."""
MOST_SCROLLS = 8
"""In one direction, while looking for one thing."""
_ACTS = re.compile(
    r"^(?:then |now |next,? |finally,? )?(?:click|press|type|write|enter|choose|select|pick|tick|open|follow|fill)\b",
    re.IGNORECASE,
)


class Line(Frozen):
    """One step of a guide as its reader has it."""

    sentence: str
    enter: str = ""
    """What is to be typed or chosen, where the guide shows it beside the sentence."""


@dataclass(frozen=True)
class Move:
    """What the follower does next. `line` counts from 0; `why` says why it stopped, "" otherwise."""

    action: Action
    line: int
    target: Candidate | None = None
    looking: bool = False
    """It scrolls to look for what the line names."""
    why: str = ""


class Follower:
    """Follows one guide, once."""

    def __init__(self, lines: Sequence[Line], secrets: Mapping[str, str] | None = None) -> None:
        """`secrets` are what the reader knows by heart: what a field is called -> what goes into it."""
        self._lines = tuple(lines)
        self._secrets = {fold(name): value for name, value in (secrets or {}).items()}
        self._at = 0
        self._before = Before()
        self._looked: list[str] = []
        """Directions scrolled in for the line at hand."""
        self._view: tuple[object, ...] = ()
        self._failed = 0

    def next(self, seen: Observation, outcome: Outcome | None = None) -> Move:
        """The next act, given what is to be seen and what stood in the way of the last one."""
        if outcome is not None and outcome.code in ("covered", "off_page", "gone"):
            # A bar that stays in the window may lie over it: the page is moved, and the line tried again.
            self._failed += 1
            if self._failed == 1 and self._at > 0:
                self._at -= 1
                return Move(Scroll(direction="down"), self._at, looking=True)
        while self._at < len(self._lines):
            move = self._line(seen, self._lines[self._at])
            if move is not None:
                self._view = _view(seen)
                return move
            self._advance()
        return Move(Finish(), len(self._lines))

    def _advance(self) -> None:
        self._at += 1
        self._looked = []

    def _line(self, seen: Observation, line: Line) -> Move | None:
        """What the line at hand asks for; None where it asks for nothing that is left to do."""
        reading, at = read(line.sentence), self._at
        last = at == len(self._lines) - 1
        if last and not _ACTS.match(line.sentence):
            return Move(Finish(), at)
        if "press_enter" in reading.verbs:
            self._advance()
            return Move(PressEnter(), at)
        if "go_back" in reading.verbs:
            self._advance()
            return Move(GoBack(), at)
        if "scroll" in reading.verbs:
            return self._scroll(seen, reading)
        best = self._best(seen, reading, line)
        if best is not None:
            self._remember(best)
            self._advance()
            self._failed = 0
            return Move(best.action, at, best.target)
        if last:
            return Move(Finish(), at)
        return self._look(seen, reading)

    def _best(self, seen: Observation, reading: Reading, line: Line) -> Choice | None:
        found = choices(reading, seen, self._before, line.enter)
        if not found:
            return None
        best = found[0]
        if isinstance(best.action, Type) and (known := self._secrets.get(fold(best.target.name))):
            return Choice(best.action.model_copy(update={"text": known}), best.target, best.score, best.named)
        if best.named < CERTAIN and any(not reading.is_beside(quote) for quote in reading.quotes):
            # A text to type needs no name of its field, where the sentence tells the field in other words.
            return best if isinstance(best.action, Type) and best.score >= 1.2 + ENOUGH / 2 else None
        return best if best.named >= CERTAIN or best.score >= ENOUGH else None

    def _remember(self, choice: Choice) -> None:
        typed = choice.action.text if isinstance(choice.action, Type) else ""
        self._before = Before(choice.target.box, choice.target.name, typed, choice.target.role)

    def _scroll(self, seen: Observation, reading: Reading) -> Move | None:
        """Scroll until what the sentence names shows, or once where it names nothing; None where it shows already."""
        at = self._at
        if reading.quotes and any(_shows(seen, quote.text) for quote in reading.quotes):
            return None
        if self._looked and (not reading.quotes or self._view == _view(seen) or len(self._looked) >= MOST_SCROLLS):
            return None
        self._looked.append("up" if reading.up else "down")
        inside = _list_in_view(seen) if {"inside", "within", "list"} & reading.said and _inside(reading) else None
        target = Mark(mark=inside.mark) if inside is not None else None
        return Move(Scroll(direction="up" if reading.up else "down", target=target), at, inside)

    def _look(self, seen: Observation, reading: Reading) -> Move:
        """Scroll down, then up, for what the line names; give up at the end."""
        at, scroll = self._at, seen.scroll
        stuck = bool(self._looked) and self._view == _view(seen)
        for direction, more in (("down", scroll.y < scroll.max_y - 1), ("up", scroll.y > 1)):
            done = self._looked.count(direction)
            if direction == "down" and ("up" in self._looked or (stuck and done)):
                continue
            if stuck and direction == "up" and done:
                continue
            if more and done < MOST_SCROLLS:
                self._looked.append(direction)
                return Move(Scroll(direction="down" if direction == "down" else "up"), at, looking=True)
        names = ", ".join(f"“{quote.text}”" for quote in reading.quotes)
        return Move(Finish(), at, why=f"nothing is called {names}" if names else "it does not say what to act on")


def _view(seen: Observation) -> tuple[object, ...]:
    return (seen.url, seen.scroll.y, tuple(line.text for line in seen.texts[:60]))


def _shows(seen: Observation, text: str) -> bool:
    wanted = fold(text)
    return any(wanted in fold(line.text) for line in seen.texts) or any(
        wanted in fold(candidate.name) for candidate in seen.candidates
    )


def _inside(reading: Reading) -> bool:
    return (
        re.search(
            r"inside the list|within it|over the list|the list (?:itself|has its own)|down the list|in it\b"
            r"|part of the list|scrolling area",
            reading.sentence,
        )
        is not None
    )


def _list_in_view(seen: Observation) -> Candidate | None:
    """The largest thing in view that scrolls by itself."""
    found = [candidate for candidate in seen.candidates if "scrollable" in candidate.states]
    return max(found, key=lambda candidate: candidate.box.width * candidate.box.height, default=None)
