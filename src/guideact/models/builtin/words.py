"""Words as the built-in agent reads them: folded, hashed, and compared with what the task asks for.

A task's sentence is part form ("Add the ... to my wish list") and part values (names, numbers, quoted texts). The
values are what differs between two tasks of a kind, so text in which a value of the task stands is read with a blank in
its place: "Save stock of Polka Tee" becomes "save stock of *". What is learned about one product then holds for all.
"""

from __future__ import annotations

import functools
import re
import zlib
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Hashes = npt.NDArray[np.uint32]

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\+?\w+(?:['’.@:/&-]+\w+)*")
_WRITTEN = re.compile(r"\w[./_@]\w|#")
"""What stands in names of files, addresses and accounts, and hardly in words."""
_COUNTED = re.compile(r"^(\d+)-([a-z].*)$", re.IGNORECASE)
_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")
_SENTENCE_END = re.compile(r"[.!?:]\s*$")
_PLAIN_WORDS = """
a an and any are as at be been but by can could did do does for from had has have how i if in into is it its let
make me my no not now of on one only or other our please put s set so than that the their them then there these
they this to up us was we were what when where which who whom whose why will with would yes you your
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())
"""Words that say little about what a sentence is about."""
_ROOT = 5
_JOINING = frozenset({"of", "&", "the", "de", "du", "für", "und"})


@functools.lru_cache(maxsize=200_000)
def hashed(text: str) -> int:
    """A 32-bit hash that is the same on every machine."""
    return zlib.crc32(text.encode())


def hashes(texts: list[str]) -> Hashes:
    return np.fromiter(map(hashed, texts), np.uint32, len(texts))


def mixed(first: Hashes, second: Hashes) -> Hashes:
    """Hashes of all pairs: shape (len(first), len(second))."""
    a = first * np.uint32(0x9E3779B1)
    b = second * np.uint32(0x85EBCA6B)
    crossed: Hashes = (a[:, None] ^ (b + (a[:, None] >> np.uint32(15)))) * np.uint32(0xC2B2AE35)
    return crossed


def stem(word: str) -> str:
    """Case folded, without a plural s."""
    word = word.casefold()
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


@functools.lru_cache(maxsize=50_000)
def stems(text: str) -> tuple[str, ...]:
    return tuple(stem(word) for word in _WORD.findall(text))


@functools.lru_cache(maxsize=50_000)
def roots(text: str) -> tuple[str, ...]:
    """The beginnings of the words that say something: "assign" and "assignee" have the same one."""
    return tuple(word[:_ROOT] for word in stems(text) if word not in _PLAIN and not word.isdigit())


@functools.lru_cache(maxsize=50_000)
def padded(text: str) -> str:
    """The stems with a space on either side of each, so that a sequence of whole words is found with `in`."""
    return f" {' '.join(stems(text))} "


def quoted(text: str) -> list[str]:
    """What stands in quotation marks."""
    return _QUOTED.findall(text)


@dataclass(frozen=True)
class Token:
    """A word of the goal and where it stands in it."""

    text: str
    start: int
    end: int
    first: bool
    """It begins a sentence."""
    in_quotes: bool

    @property
    def is_value(self) -> bool:
        """Whether it looks like a part of a name, a number or a quoted text, rather than like a word of the request."""
        if self.in_quotes or any(character.isdigit() for character in self.text) or _WRITTEN.search(self.text):
            return True
        return (
            not self.first and self.text[:1].isupper() and self.text != "I" and not self.text.startswith(("I'", "I’"))
        )


@dataclass(frozen=True)
class Span:
    """A piece of the goal that could be typed: tokens `first` to `last`, and what kind of piece it is."""

    text: str
    first: int
    last: int
    kind: str
    """words, quoted, number (a word such as "two", as a digit), slug (words as addresses write them), or tail: what
    follows a colon."""


@dataclass(frozen=True)
class Match:
    """What a text has in common with the goal."""

    kind: str
    """`whole`: all its words stand in the goal in this order, a value among them; `words`: the same without a value;
    `part`: a value of the goal is a part of it; `some`: some of its words do; `none`."""
    words: str = ""
    """The longest sequence in common, as `padded` writes it."""
    share: float = 0.0
    """Of its words, those that the goal has."""
    blanked: str = ""
    """The text with values of the goal as `*` and other digits as `#`."""
    length: int = 0
    """Words of the longest sequence in common."""
    asked: tuple[str, ...] = ()
    """Roots of its words that the request has too, values aside."""
    content: int = 0
    """Its words that say something."""
    slot: int = -1
    """The value of the goal that stands next to the first of `asked`; -1 for none."""


@dataclass(frozen=True)
class Goal:
    """What the task asks for, taken apart once."""

    text: str
    tokens: tuple[Token, ...]
    slots: tuple[str, ...]
    """The values in order, as `padded` writes them."""
    slot_of: dict[str, int]
    """For each root of the request's words, the value that stands next to it: the one after it, or else before it."""
    places: dict[str, tuple[int, ...]]
    """For each root of the request's words, the tokens that have it."""
    form: tuple[str, ...]
    """The words that are no values, stemmed."""
    spans: tuple[Span, ...]
    values: frozenset[str]
    """Stems of the values' words."""
    padded: str
    _matches: dict[str, Match] = field(default_factory=dict, repr=False, compare=False)

    def match(self, text: str) -> Match:
        """Compare a text with the goal. Remembered, for pages repeat themselves."""
        found = self._matches.get(text)
        if found is None:
            if len(self._matches) > 5000:
                self._matches.clear()
            found = self._matches[text] = self._compare(text)
        return found

    def _compare(self, text: str) -> Match:
        words = stems(text)
        have = [f" {word} " in self.padded for word in words]
        share = sum(have) / len(words) if words else 0.0
        blank = ["#" if any(c.isdigit() for c in word) else word for word in words]
        best = (0, 0)
        valued = False
        start = 0
        while start < len(words):
            end = start
            while end < len(words) and have[end] and f" {' '.join(words[start : end + 1])} " in self.padded:
                end += 1
            if end > start:
                has_value = any(word in self.values for word in words[start:end])
                if has_value:
                    blank[start:end] = ["*"] + [""] * (end - start - 1)
                if (has_value, end - start) > (valued, best[1] - best[0]):
                    best, valued = (start, end), has_value
                start = end
            else:
                start += 1
        length = best[1] - best[0]
        if length == 0:
            kind = "none"
        elif length == len(words):
            kind = "whole" if valued else "words"
        else:
            kind = "part" if valued else "some"
        return Match(
            kind=kind,
            words=f" {' '.join(words[best[0] : best[1]])} " if length else "",
            share=share,
            blanked=" ".join(word for word in blank if word),
            length=length,
            asked=(asked := tuple(root for root in dict.fromkeys(roots(text)) if root in self.slot_of)),
            content=len(roots(text)),
            slot=next((self.slot_of[root] for root in asked if self.slot_of[root] >= 0), -1),
        )


_LONGEST_SPAN = 10
_LONGEST_QUOTED_PART = 3
_LONGEST_SLUG = 4
_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], 1
    )
}


@functools.lru_cache(maxsize=512)
def read_goal(text: str) -> Goal:
    """Take a task's sentence apart."""
    tokens = _tokens(text)
    slots = _slots(text, tokens)
    places: dict[str, tuple[int, ...]] = {}
    for number, token in enumerate(tokens):
        for root in () if token.is_value else roots(token.text):
            places[root] = (*places.get(root, ()), number)
    values = frozenset(part for token in tokens if token.is_value for part in stems(token.text))
    return Goal(
        text=text,
        tokens=tokens,
        slots=tuple(padded(text[tokens[first].start : tokens[last].end]) for first, last in slots),
        slot_of={root: _slot_next_to(slots, numbers[0]) for root, numbers in places.items()},
        places=places,
        form=tuple(part for token in tokens if not token.is_value for part in stems(token.text)),
        spans=_spans(text, tokens),
        values=values,
        padded=padded(text),
    )


def _tokens(text: str) -> tuple[Token, ...]:
    inside = [(m.start(1), m.end(1)) for m in _QUOTED.finditer(text)]
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        pieces = [(match[0], match.start())]
        if counted := _COUNTED.match(match[0]):
            pieces = [(counted[1], match.start()), (counted[2], match.start() + len(counted[1]) + 1)]
        for piece, start in pieces:
            before = text[:start].rstrip(" “\"'‘(")
            found.append(
                Token(
                    piece,
                    start,
                    start + len(piece),
                    first=not before or _SENTENCE_END.search(before) is not None,
                    in_quotes=any(low <= start < high for low, high in inside),
                )
            )
    return tuple(found)


def _slots(text: str, tokens: tuple[Token, ...]) -> list[tuple[int, int]]:
    """The first and the last token of each value."""
    slots: list[tuple[int, int]] = []
    run: list[int] = []

    def close() -> None:
        while run and not tokens[run[-1]].is_value:
            run.pop()
        if run:
            slots.append((run[0], run[-1]))
        run.clear()

    for number, token in enumerate(tokens):
        last = tokens[run[-1]] if run else None
        between = text[last.end : token.start] if last else ""
        if last and (token.in_quotes != last.in_quotes or (not token.in_quotes and between.strip(" &"))):
            close()
        if token.is_value or (run and token.text in _JOINING and not tokens[run[-1]].text.isdigit()):
            run.append(number)
        else:
            close()
    close()
    return slots


_BESIDE = 4
"""Tokens between a word and a value that it is said of, at most."""


def _slot_next_to(slots: list[tuple[int, int]], token: int) -> int:
    after = [number for number, (first, _) in enumerate(slots) if 0 < first - token <= _BESIDE]
    before = [number for number, (_, last) in enumerate(slots) if 0 < token - last <= _BESIDE]
    return after[0] if after else before[-1] if before else -1


def _spans(text: str, tokens: tuple[Token, ...]) -> tuple[Span, ...]:
    spans = []
    for number, token in enumerate(tokens):
        for last in range(number, min(number + _LONGEST_SPAN, len(tokens))):
            end = tokens[last]
            if token.in_quotes and last - number >= _LONGEST_QUOTED_PART:
                break
            if end.in_quotes != token.in_quotes or (last > number and _crosses(text[tokens[last - 1].end : end.start])):
                break
            spans.append(Span(text[token.start : end.end], number, last, "words"))
            if token.is_value and end.is_value and last - number < _LONGEST_SLUG:
                words = text[token.start : end.end]
                if (slug := "-".join(re.findall(r"\w+", words.casefold()))) != words:
                    spans.append(Span(slug, number, last, "slug"))
        if token.text.casefold() in _NUMBERS:
            spans.append(Span(_NUMBERS[token.text.casefold()], number, number, "number"))
    for match in _QUOTED.finditer(text):
        within = [n for n, token in enumerate(tokens) if match.start(1) <= token.start < match.end(1)]
        if within:
            spans.append(Span(match[1].strip(), within[0], within[-1], "quoted"))
    for match in re.finditer(r":\s+", text):
        after = [n for n, token in enumerate(tokens) if token.start >= match.end()]
        if after and not tokens[after[0]].in_quotes:
            spans.append(Span(text[tokens[after[0]].start :].strip(), after[0], len(tokens) - 1, "tail"))
    return tuple(spans)


def _crosses(between: str) -> bool:
    """Whether what stands between two words ends a clause. A full stop need not: "No. 5"."""
    return any(mark in between for mark in '!?:;()“”"')
