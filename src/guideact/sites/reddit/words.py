"""Reads the hand-written words of the boards: forums with their threads, patterns of older posts, replies.

A file of forums is written like this:

    == slug | Name | Topic | #colour | founded on | moderators
    tagline: ...           about: ...
    rules: Title: text. / Title: text.
    flairs: Question, Repair          subjects: a; ~b; c (a tilde marks what one cannot count)
    tips: One. | Two.
    # Title of a thread
    @ by=emma_l flair=Lost_&_found h=5 up=34 down=3 pic=kiln pin lock
    Body, in markdown.
    > a comment
    >> an answer to it; [emma_l] in front names who wrote it
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Forum", "Pattern", "Reply", "Thread", "forums", "patterns", "replies"]

FOLDER = Path(__file__).parent / "words"


@dataclass(frozen=True)
class Reply:
    """A comment of a thread; `depth` 1 stands directly under the post."""

    depth: int
    author: str
    text: str


@dataclass
class Thread:
    """A post as it was written by hand, with the comments under it."""

    title: str
    options: dict[str, str] = field(default_factory=dict)
    body: list[str] = field(default_factory=list)
    replies: list[Reply] = field(default_factory=list)


@dataclass
class Forum:
    """A forum and everything that was written for it."""

    slug: str
    name: str
    topic: str
    colour: str
    created: str
    moderators: list[str]
    lines: dict[str, str] = field(default_factory=dict)
    threads: list[Thread] = field(default_factory=list)

    @property
    def rules(self) -> list[tuple[str, str]]:
        """(title, text) of each."""
        pairs = (one.partition(":") for one in self.lines["rules"].split(" / "))
        return [(title.strip(), text.strip()) for title, _, text in pairs]

    @property
    def flairs(self) -> list[str]:
        return [one.strip() for one in self.lines["flairs"].split(",")]

    @property
    def subjects(self) -> list[str]:
        return [one.strip() for one in self.lines["subjects"].split(";")]

    @property
    def tips(self) -> list[str]:
        return [one.strip() for one in self.lines["tips"].split("|")]


@dataclass(frozen=True)
class Pattern:
    """A post with a gap for a subject, `{x}`."""

    title: str
    body: str
    general: bool
    """Whether it suits anything, not only things that one can hold: a star in front says so."""

    @property
    def counts(self) -> bool:
        """Whether it speaks of one of several: "a {x}", "your first {x}"."""
        return re.search(r"\b(a|second|second-hand|first|new|best|most|good|one|wrong) \{x\}", self.title) is not None

    def fill(self, subject: str) -> tuple[str, str]:
        """Title and body for a subject, with the right article and a capital at the start."""
        title = re.sub(r"\b([Aa]) \{x\}", r"\1n {x}", self.title) if subject[0] in "aeiou" else self.title
        title = title.replace("{x}", subject)
        return title[0].upper() + title[1:], self.body


def _lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def forums() -> Iterator[Forum]:
    """All forums in the order of the files."""
    for path in sorted(FOLDER.glob("[0-9]*.txt")):
        made: list[Forum] = []
        for line in _lines(path.name):
            _read(line, made)
        yield from made


def _read(line: str, made: list[Forum]) -> None:
    if line.startswith("== "):
        slug, name, topic, colour, created, moderators = (part.strip() for part in line[3:].split("|"))
        made.append(Forum(slug, name, topic, colour, created, moderators.split(",")))
    elif line.startswith("# "):
        made[-1].threads.append(Thread(line[2:].strip()))
    elif not made[-1].threads:
        key, _, text = line.partition(":")
        made[-1].lines[key] = text.strip()
    elif line.startswith("@ "):
        for option in line[2:].split():
            key, _, text = option.partition("=")
            made[-1].threads[-1].options[key] = text.replace("_", " ") if key == "flair" else text
    elif found := re.match(r"(>+) (?:\[(\S+)\] )?(.*)", line):
        made[-1].threads[-1].replies.append(Reply(len(found[1]), found[2] or "", found[3]))
    else:
        made[-1].threads[-1].body.append(line)


def patterns() -> list[Pattern]:
    """The posts with a gap."""
    made = []
    for line in _lines("patterns.txt"):
        title, body = line.removeprefix("*").split("|", 1)
        made.append(Pattern(title, body, line.startswith("*")))
    return made


def replies() -> list[str]:
    """Comments that fit under most posts."""
    return _lines("replies.txt")
