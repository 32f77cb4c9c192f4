"""How each article came to be: its earlier revisions, made up once and the same for everybody.

An article begins as its lead, gets its box of facts and its sections one after the other, loses slips of the pen and,
now and then, somebody's nonsense. The last revision is the text that the package ships. Edits that were written by
hand (`% was:` in the article files) come at their own days.
"""

from __future__ import annotations

import functools
import random
import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from guideact.sites.wikipedia.corpus import Article, article
from guideact.sites.wikipedia.markup import sections
from guideact.sites.world import PEOPLE

__all__ = ["Revision", "revisions_of", "shipped_text"]

_LATEST = datetime(2026, 3, 15, 20, 0)
_YEAR = re.compile(r"(?<![\d,.-])(1[89]\d\d|20[01]\d)(?![\d,.-])")
_WORD = re.compile(r"(?<![\[|\w'’=])[a-z]{7,}(?![\]|\w'’])")
_NONSENSE = (
    "Nobody has ever read this far.",
    "My uncle knows a much better one.",
    "This is the most boring article of all.",
    "Buy two and get a third for free!",
    "The rest of this page is left to the reader.",
)
_CREATED = ("Started the article", "New article", "A first version, please expand", "Beginning")
_BOX = ("Added the box of facts", "Facts now in a box", "Box of facts, from the yearbook")
_GROWN = ("Added “{}”", "New section: {}", "Wrote the part on “{}”", "Expanded: {}")
_YEAR_FIXED = ("Corrected a year", "Wrong year put right, see source", "Year corrected after the reference")
_SPELLED = ("Spelling", "Typo", "Fixed a slip of the pen", "Language")


@dataclass(frozen=True)
class Revision:
    """One revision. `parts` are the sections it has, `swaps` the pairs (right, wrong) in which it is still wrong."""

    article_id: int
    number: int
    editor: str
    created_at: str
    summary: str
    is_minor: bool
    parts: frozenset[int]
    has_box: bool
    swaps: tuple[tuple[str, str], ...]
    nonsense: str

    @functools.cached_property
    def text(self) -> str:
        """The whole source at this revision."""
        source = article(self.article_id).source
        text = "".join(
            part if at else _lead(part, self.has_box)
            for at, part in enumerate(sections(source))
            if at in self.parts or at == 0
        )
        if max(self.parts, default=0) < len(sections(source)) - 1:
            categories = _category_lines(source)
            text = f"{text.rstrip()}\n\n{categories}\n" if categories not in text else text
        for right, wrong in self.swaps:
            text = text.replace(right, wrong, 1)
        if self.nonsense:
            text = re.sub(r"(?m)^('''.*)$", lambda found: f"{found[1]} {self.nonsense}", text, count=1)
        return text.strip() + "\n"


@dataclass(frozen=True)
class _Step:
    at: datetime
    kind: str
    editor: str
    summary: str
    part: int = 0
    right: str = ""
    wrong: str = ""


@functools.lru_cache(maxsize=16)
def _category_lines(source: str) -> str:
    return "\n".join(line for line in source.splitlines() if line.startswith("[[Category:"))


def _lead(text: str, has_box: bool) -> str:
    return text if has_box else re.sub(r"(?ms)^\{\{infobox$.*?^\}\}$\n?", "", text, count=1)


@functools.cache
def revisions_of(article_id: int) -> tuple[Revision, ...]:
    """All revisions that the package ships, the first one first; the last is the article as it stands."""
    one = article(article_id)
    chance = random.Random(f"20260316/wikipedia/past/{one.slug}")
    made: list[Revision] = []
    steps = _steps(one, chance)
    wrong = [(step.right, step.wrong) for step in steps if step.right]
    parts: set[int] = {0}
    has_box = "{{infobox" not in one.source
    nonsense = ""
    for step in steps:
        if step.kind == "part":
            parts.add(step.part)
        has_box = has_box or step.kind == "box"
        nonsense = step.right if step.kind == "nonsense" else ""
        if step.kind == "fix":
            wrong.remove((step.right, step.wrong))
        swaps = tuple(pair for pair in wrong if pair[1])
        revision = Revision(
            article_id,
            len(made) + 1,
            step.editor,
            step.at.strftime("%Y-%m-%d %H:%M:%S"),
            step.summary,
            step.summary in _SPELLED,
            frozenset(parts),
            has_box,
            swaps,
            nonsense,
        )
        if made and revision.text == made[-1].text:
            continue
        made.append(revision)
    return tuple(made)


def _steps(one: Article, chance: random.Random) -> list[_Step]:
    """What happened to an article, in the order of time."""
    names = [re.sub(r"[=\[\]]|\|.*", "", part.splitlines()[0]).strip() for part in sections(one.source)]
    hands = chance.sample([person.handle for person in PEOPLE], 5)
    born = (
        datetime.fromisoformat(one.created) if one.created else datetime(2015, 3, 1) + timedelta(chance.randrange(2600))
    )
    first_past = datetime.fromisoformat(one.past[0].day) if one.past else _LATEST - timedelta(200)
    grown_up = min(first_past - timedelta(20), born + timedelta(900))
    if born > grown_up:
        born = grown_up - timedelta(400)
    growth: list[tuple[str, int]] = [("box", 0)] if "{{infobox" in one.source else []
    growth += [("part", at) for at in range(1, len(names))]
    days = sorted(chance.sample(range(2, max(3 + len(growth), (grown_up - born).days)), len(growth)))
    creator = one.creator or hands[0]
    steps = [_Step(_clock(born, chance), "new", creator, chance.choice(_CREATED))]
    for day, (kind, part) in zip(days, growth, strict=True):
        summary = chance.choice(_BOX) if kind == "box" else chance.choice(_GROWN).format(names[part])
        steps.append(_Step(_clock(born + timedelta(day), chance), kind, chance.choice(hands), summary, part))
    for edit in one.past:
        at = _clock(datetime.fromisoformat(edit.day), chance)
        steps.append(_Step(at, "fix", edit.editor, edit.summary, right=edit.new, wrong=edit.old))
    steps += _slips(one, chance, grown_up, hands)
    return sorted(steps, key=lambda step: step.at)


def _slips(one: Article, chance: random.Random, since: datetime, hands: list[str]) -> list[_Step]:
    """A wrong year, a misspelt word, nonsense taken out again: some articles have them, after they have grown."""
    room = (_LATEST - since).days
    # Most slips are found by somebody who read the article lately.
    earliest = max(5, room - chance.choice((20, 60, 200, room - 5)))
    steps: list[_Step] = []
    prose = re.sub(r"(?ms)^\{\{infobox$.*?^\}\}$|^\{\|.*?^\|\}$", "", one.source)
    taken = " ".join(edit.new for edit in one.past)
    years = [year for year in dict.fromkeys(_YEAR.findall(prose)) if one.source.count(year) == 1 and year not in taken]
    if years and chance.random() < 0.55:
        right = chance.choice(years)
        wrong = f"{right[:2]}{right[3]}{right[2]}" if right[2] != right[3] else f"{right[:3]}{(int(right[3]) + 3) % 10}"
        at = _clock(since + timedelta(chance.randrange(earliest, room)), chance)
        steps.append(_Step(at, "fix", chance.choice(hands), chance.choice(_YEAR_FIXED), right=right, wrong=wrong))
    words = [word for word in dict.fromkeys(_WORD.findall(prose)) if one.source.count(word) == 1 and word not in taken]
    if words and chance.random() < 0.7:
        right = chance.choice(words)
        middle = len(right) // 2
        wrong = right[: middle - 1] + right[middle] + right[middle - 1] + right[middle + 1 :]
        if wrong != right:
            when = _clock(since + timedelta(chance.randrange(earliest, room)), chance)
            steps.append(_Step(when, "fix", chance.choice(hands), chance.choice(_SPELLED), right=right, wrong=wrong))
    if not one.protected and chance.random() < 0.25 and re.search(r"(?m)^'''", one.source):
        when = _clock(since + timedelta(chance.randrange(earliest, room - 1)), chance)
        culprit, watcher = chance.sample(hands, 2)
        steps.append(_Step(when, "nonsense", culprit, "", right=chance.choice(_NONSENSE)))
        undone = when + timedelta(minutes=chance.randrange(4, 900))
        steps.append(_Step(undone, "undo", watcher, f"Undid the edit of {culprit}"))
    return steps


def _clock(day: datetime, chance: random.Random) -> datetime:
    return day.replace(hour=0, minute=0, second=0) + timedelta(seconds=chance.randrange(7 * 3600, 23 * 3600))


def shipped_text(article_id: int, number: int) -> str:
    """The source of a revision that the package ships. Raises IndexError for one that it does not."""
    revisions = revisions_of(article_id)
    if not 1 <= number <= len(revisions):
        raise IndexError(number)
    return revisions[number - 1].text
