"""Finding what a step of a guide is about on a page: to the letter, or by likeness.

To the letter: the role and the name that the guide says, so that its sentence is still true. By likeness: whatever
else is remembered of the target, each clue with a weight; nothing here knows the site.
"""

from __future__ import annotations

import difflib
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

from guideact.guides import rows
from guideact.guides.around import distance, fold, near
from guideact.guides.guide import GuideStep, GuideTarget
from guideact.types import Box, Candidate, Observation, Screenshot

FAMILIES: tuple[frozenset[str], ...] = (
    frozenset({"button", "menuitem", "tab", "clickable"}),
    frozenset({"link", "menuitem", "tab", "clickable"}),
    frozenset({"checkbox", "switch", "menuitemcheckbox"}),
    frozenset({"radio", "menuitemradio"}),
    frozenset({"textbox", "searchbox", "spinbutton", "combobox"}),
    frozenset({"combobox", "listbox"}),
    frozenset({"option", "menuitem", "treeitem"}),
)
"""Roles that one and the same sentence may speak of."""

EDITABLE = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
CLUES: dict[str, float] = {
    "css": 0.34,
    "name": 0.22,
    "role": 0.1,
    "near": 0.12,
    "place": 0.08,
    "size": 0.04,
    "picture": 0.1,
}
"""What each clue is worth; they add up to 1."""
OTHER_ROW = 0.3
"""What all clues are worth of something in a row that the sentence does not speak of: too little to be tried."""


@dataclass(frozen=True)
class Likeness:
    """A candidate that may be what a step means."""

    candidate: Candidate
    score: float
    """0..1."""
    clues: dict[str, float]
    """How well each clue fits, 0..1."""


def related(one: str, other: str) -> bool:
    """Whether two roles may be meant by the same sentence."""
    return one == other or not one or any(one in family and other in family for family in FAMILIES)


def same_name(wanted: str, name: str) -> bool:
    """Whether two names say the same: counts in them ("Cart, 4 items") may differ."""
    return fold(wanted) == fold(name) or (_uncounted(wanted) == _uncounted(name) and bool(_uncounted(wanted)))


@dataclass(frozen=True)
class Bearer:
    """What bears the role and the name that a step says."""

    candidate: Candidate
    sure: bool
    """It is the one that is meant. Otherwise one that fits better may be out of view."""
    allowed: bool
    """It may be taken where nothing fits better. What the sentence quotes of its row is missing otherwise."""
    rank: tuple[float, ...]
    """How well it fits, for comparing those of several views."""


def to_the_letter(step: GuideStep, seen: Observation, heard: frozenset[str] = frozenset()) -> Bearer | None:
    """What bears the role and the name that the step says, if it is in view.

    Where the page has several, its row tells: by what the sentence quotes of it, then by what it said when the guide
    was made. Where rows tell nothing: the one at the same place of the document, else the one with the same texts
    around it, else the one that is as many-th. `heard` is what was read of the page in other views (`rows.heard`).
    """
    target = step.target
    if target is None:
        return None
    wanted = target.name or target.text
    heard |= rows.heard(step, seen)
    if not wanted and not (target.row and rows.quoted(step)):
        found = [c for c in seen.candidates if c.role == target.role and c.locator.css == target.css]
        return Bearer(found[0], True, True, ()) if found else None
    exact = [c for c in seen.candidates if related(target.role, c.role) and fold(c.name or c.text) == fold(wanted)]
    found = exact or [
        c for c in seen.candidates if related(target.role, c.role) and same_name(wanted, c.name or c.text)
    ]
    found = [c for c in found if usable(step, c)]
    bearers = [_bearer(step, target, seen, c, [o for o in found if o is not c], heard) for c in found]
    return max(bearers, key=lambda each: each.rank, default=None)


def _bearer(
    step: GuideStep,
    target: GuideTarget,
    seen: Observation,
    candidate: Candidate,
    others: Sequence[Candidate],
    heard: frozenset[str],
) -> Bearer:
    row, name, wanted = candidate.locator.row, candidate.name or candidate.text, target.name or target.text
    said = rows.quoted(step)
    # What the page has but once stands in no row: then its row's words have to be anywhere on the page.
    held = rows.share(said, row) if row else rows.heard_share(said, heard)
    rank = (
        float(fold(name) == fold(wanted)),
        held,
        rows.likeness(target.row, row),
        float(bool(target.css) and candidate.locator.css == target.css),
        _overlap(target, near(seen, candidate)),
        float(candidate.locator.ordinal == target.ordinal),
    )
    if said and target.row:
        return Bearer(candidate, held == 1, held == 1, rank)
    if said and row:
        return Bearer(candidate, held > 0, True, rank)
    # A number in a name tells by itself ("Revision 3"), where it is the same.
    numbered = rank[0] == 1 and not others and rows.numbered(name)
    told = not row or not target.row or numbered
    return Bearer(candidate, told or rows.same(target.row, row, [c.locator.row for c in others]), True, rank)


def usable(step: GuideStep, candidate: Candidate) -> bool:
    """Whether the step's act can be done to a candidate at all."""
    if "disabled" in candidate.states:
        return False
    if step.verb == "type":
        return candidate.role in EDITABLE and candidate.tag != "select"
    if step.verb == "select":
        if candidate.options:
            return any(fold(option) == fold(step.value) for option in candidate.options)
        return candidate.role in ("combobox", "listbox", "button")
    return True


def alike(step: GuideStep, seen: Observation, picture: bytes | None = None) -> list[Likeness]:
    """Everything in view that the step may mean now, the likeliest first. `picture` is the step's old screenshot."""
    target = step.target
    if target is None:
        return []
    shot = seen.screenshot
    old = _crop(picture, step.box) if picture is not None and step.box is not None else None
    found = []
    for candidate in seen.candidates:
        if not usable(step, candidate) or not _may(target.role, candidate.role, step.verb):
            continue
        clues = {
            "css": _css(target.css, candidate.locator.css),
            "name": _alike(target.name or target.text, candidate.name or candidate.text),
            "role": 1.0 if target.role == candidate.role else 0.6,
            "near": max(_overlap(target, near(seen, candidate)), rows.likeness(target.row, candidate.locator.row)),
            "place": _place(step.box, candidate.box),
            "size": _size(step.box, candidate.box),
            "picture": _same_picture(old, shot, candidate.box) if old is not None else 0.0,
        }
        if step.verb == "select" and candidate.options:
            clues["near"] = max(clues["near"], 0.7)
        worth = OTHER_ROW if rows.of_another(step, candidate.locator.row) else 1.0
        found.append(Likeness(candidate, worth * sum(CLUES[clue] * fit for clue, fit in clues.items()), clues))
    return sorted(found, key=lambda each: (-each.score, each.candidate.mark))


def _may(wanted: str, role: str, verb: str) -> bool:
    if verb == "click":
        both = {"button", "link", "menuitem", "tab", "clickable", "option", "checkbox", "switch", "radio"}
        return related(wanted, role) or (wanted in both and role in both)
    return related(wanted, role) or verb == "select"


def _uncounted(name: str) -> str:
    # A number at the beginning is no count: "1 History" is a heading's entry in a table of contents.
    return re.sub(r"(?<=[^\W\d])[\s,(:]*\d[\d.,]*", "#", fold(name)).strip(" #()")


def _alike(wanted: str, name: str) -> float:
    one, other = fold(wanted), fold(name)
    if not one or not other:
        return 0.0
    if one == other:
        return 1.0
    words, others = set(re.findall(r"\w+", one)), set(re.findall(r"\w+", other))
    shared = 2 * len(words & others) / (len(words) + len(others)) if words and others else 0.0
    return 0.9 * max(shared, difflib.SequenceMatcher(None, one, other).ratio() - 0.25)


def _css(wanted: str, css: str) -> float:
    """1 for the same path; less for one whose end, or whose beginning, is the same."""
    if not wanted or not css:
        return 0.0
    if wanted == css:
        return 1.0
    one, other = wanted.split(" > "), css.split(" > ")
    tail = 0
    while tail < min(len(one), len(other)) and one[-1 - tail] == other[-1 - tail]:
        tail += 1
    head = 0
    while head < min(len(one), len(other)) and one[head] == other[head]:
        head += 1
    return 0.7 * max(head, tail) / max(len(one), len(other))


def _overlap(target: GuideTarget, texts: tuple[str, ...]) -> float:
    """How far the texts around it are the same, 0..1: what stood nearest counts most, and most if it still does."""
    wanted, here = [fold(text) for text in target.near], [fold(text) for text in texts]
    if not wanted:
        return 0.0
    weights = [1 / (at + 1) for at in range(len(wanted))]
    same = sum(
        weight / (1 + abs(at - here.index(text)))
        for at, (weight, text) in enumerate(zip(weights, wanted, strict=True))
        if text in here
    )
    return same / sum(weights)


def _place(old: Box | None, new: Box) -> float:
    return 0.0 if old is None else max(0.0, 1 - distance(old, new) / 400)


def _size(old: Box | None, new: Box) -> float:
    if old is None or not old.width or not old.height or not new.width or not new.height:
        return 0.0
    return (
        min(old.width, new.width)
        / max(old.width, new.width)
        * min(old.height, new.height)
        / max(old.height, new.height)
    )


def _crop(png: bytes, box: Box) -> list[float] | None:
    """A region of a picture as 16 x 16 grey levels about their mean; None where nothing is drawn in it."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as opened:
        region = (round(box.x), round(box.y), round(box.x + max(box.width, 2)), round(box.y + max(box.height, 2)))
        grey = opened.convert("L").crop(region).resize((16, 16), Image.Resampling.BOX)
    levels = [float(level) for level in grey.tobytes()]
    mean = sum(levels) / len(levels)
    centred = [level - mean for level in levels]
    return centred if sum(level * level for level in centred) > 256 else None


def _same_picture(old: list[float], shot: Screenshot | None, box: Box) -> float:
    """Correlation of two regions, 0..1."""
    if shot is None or not shot.png:
        return 0.0
    new = _crop(shot.png, box)
    if new is None:
        return 0.0
    over = sum(a * b for a, b in zip(old, new, strict=True))
    spread = math.sqrt(sum(a * a for a in old) * sum(b * b for b in new))
    return max(0.0, over / spread)
