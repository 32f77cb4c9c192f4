"""Sentence frames: what the agent says. They are learned from the reference guides of the train split alone.

A frame is a reference sentence in which the name of the target, the value, and other things that the agent knows have
become slots: `Type “{value}” into the search box at the top of the page.` A sentence that holds data which no slot
explains is kept only if several demonstrations share it, for then it is no data but the wording of the site.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from guideact.models.builtin.acts import Act
from guideact.models.builtin.bags import Bag
from guideact.models.builtin.view import View
from guideact.models.builtin.words import Hashes, hashes, mixed, quoted

SLOTS = ("value", "name", "match", "near", "next", "last")
"""In the order in which they explain a text: what is typed, chosen or scrolled to; the target's name; what of it the
goal names; the value of the goal that stands nearest to it; the first value not mentioned yet; what was quoted last."""

_SLOT = re.compile(r"\{(\w+)\}")
_MOST_FRAMES = 2000


@dataclass(frozen=True)
class Frame:
    """A sentence with slots, for acts of one verb."""

    verb: str
    text: str

    @functools.cached_property
    def keys(self) -> Hashes:
        """What it is known by: its words, and what they leave open."""
        return hashes([f"f:{self.text}", f"slots:{' '.join(sorted(self.slots))}"])

    @functools.cached_property
    def slots(self) -> frozenset[str]:
        return frozenset(_SLOT.findall(self.text))

    def fill(self, fillers: Mapping[str, str]) -> str:
        """The sentence for these fillers, all of whose slots they must have."""
        pieces = list(self._pieces)
        pieces[1::2] = [fillers[slot] for slot in pieces[1::2]]
        return "".join(pieces)

    def says(self, text: str, fillers: Mapping[str, str]) -> bool:
        """Whether this is what `fill` gives. Most frames begin or end otherwise, which is soon seen."""
        pieces = self._pieces
        return text.startswith(pieces[0]) and text.endswith(pieces[-1]) and self.fill(fillers) == text

    @functools.cached_property
    def _pieces(self) -> list[str]:
        """What stands before, between and behind the slots, and the slots, in turn."""
        return _SLOT.split(self.text)


def fillers_of(view: View, act: Act, value: str) -> dict[str, str]:
    """What the slots stand for in a step. A slot for which there is nothing is left out."""
    fillers: dict[str, str] = {}
    if value and act.verb in ("type", "select"):
        fillers["value"] = value
    if act.target is not None:
        target = act.target
        name = " ".join((target.name or target.text or target.placeholder).split())
        if name:
            fillers["name"] = name
            match = view.goal.match(name)
            if match.kind in ("part", "whole") and (piece := _as_written(name, match.words)) and piece != name:
                fillers["match"] = piece
        near, how_near, _ = view.nearest(target)
        if how_near in ("row", "close", "around") and (piece := _as_written(view.goal.text, near)):
            fillers["near"] = piece
    if view.open_slots and (piece := _as_written(view.goal.text, view.open_slots[0])):
        fillers["next"] = piece
    if view.last_quoted:
        fillers["last"] = view.last_quoted
    return fillers


def _as_written(text: str, words: str) -> str:
    """The piece of a text whose stems are these words, as it is written there."""
    wanted = words.split()
    places = list(re.finditer(r"\w+", text))
    for start in range(len(places) - len(wanted) + 1):
        piece = text[places[start].start() : places[start + len(wanted) - 1].end()]
        if all(_same(p[0], w) for p, w in zip(places[start:], wanted, strict=False)):
            return piece
    return ""


def _same(word: str, wanted: str) -> bool:
    folded = word.casefold()
    return folded == wanted or folded == wanted + "s"


def frame_of(sentence: str, verb: str, fillers: Mapping[str, str]) -> Frame:
    """The frame that a sentence is made from, if these are its fillers."""
    if "{" in sentence or "}" in sentence:
        sentence = sentence.replace("{", "(").replace("}", ")")
    for slot in SLOTS:
        filler = fillers.get(slot, "")
        if not filler:
            continue
        for opening, closing in ("“”", '""'):
            sentence = sentence.replace(f"{opening}{filler}{closing}", f"{opening}{{{slot}}}{closing}")
        if slot in ("value", "name") and (len(filler) > 3 or filler.isdigit()):
            sentence = re.sub(rf"(?<![\w“\"{{]){re.escape(filler)}(?![\w”\"}}])", f"{{{slot}}}", sentence)
    return Frame(verb, sentence)


def has_data(frame: Frame) -> bool:
    """Whether something is left in it that may be data: a quotation, a digit, an address."""
    rest = _SLOT.sub("", frame.text)
    return bool(re.search(r"\d|@", rest)) or any(text.strip() for text in quoted(rest))


def learned_frames(found: Iterable[tuple[str, Frame]]) -> tuple[Frame, ...]:
    """The frames worth keeping of (task, frame) pairs, in the order of their texts."""
    tasks: dict[Frame, set[str]] = {}
    uses: Counter[Frame] = Counter()
    for task, frame in found:
        tasks.setdefault(frame, set()).add(task)
        uses[frame] += 1
    kept = [frame for frame, of in tasks.items() if not has_data(frame) or len(of) > 1]
    kept.sort(key=lambda frame: (-uses[frame], frame.verb, frame.text))
    return tuple(sorted(kept[:_MOST_FRAMES], key=lambda frame: (frame.verb, frame.text)))


def fitting(frames: Iterable[Frame], act: Act, fillers: Mapping[str, str]) -> list[Frame]:
    """The frames that can be filled for an act, in order."""
    have = fillers.keys()
    return [frame for frame in frames if frame.verb == act.verb and frame.slots <= have]


def frame_bag(view: View, act: Act, value: str, frames: list[Frame]) -> Bag:
    """The features of each frame, of which there is one at least, given what is done."""
    around = [f"p:{view.place}", f"dir:{act.direction or ''}"]
    if act.target is None:
        around += [f"g:{word}" for word in dict.fromkeys(view.goal.form)]
    else:
        blanked = view.goal.match(act.target.name or act.target.text).blanked
        _, how_near, _ = view.nearest(act.target)
        around += [f"r:{act.target.role}", f"n:{blanked}", f"p:{view.place} {blanked}", f"near:{how_near}"]
        around += [f"s:{state}" for state in act.target.states if state in ("checked", "unchecked", "expanded")]
    combined = hashes(around)
    keys = np.concatenate([frame.keys for frame in frames])
    # As a builder would make it of a row for the step and one for each frame, in a few large steps: frames are many.
    count, own, pairs = len(frames), len(frames[0].keys), len(frames[0].keys) * len(combined)
    return Bag(
        features=np.concatenate([combined, keys]),
        offsets=np.concatenate([[0], len(combined) + own * np.arange(count + 1)]),
        pairs=mixed(keys, combined).ravel(),
        pair_offsets=np.concatenate([[0], pairs * np.arange(count + 1)]),
        members=np.stack([np.zeros(count, np.int64), np.arange(1, count + 1)], axis=1),
    )


def plain_sentence(act: Act, fillers: Mapping[str, str]) -> str:
    """What is said where no learned frame fits: a page of a kind that no demonstration showed."""
    name = f"“{fillers['name']}”" if "name" in fillers else f"the {act.target.role if act.target else 'page'}"
    match act.verb:
        case "click":
            return f"Click {name}."
        case "type":
            return f"Type “{fillers.get('value', '')}” into {name}."
        case "select":
            return f"Choose “{fillers.get('value', '')}” in {name}."
        case "scroll":
            return f"Scroll {act.direction} on {name}."
        case "press_enter":
            return "Press Enter."
        case "go_back":
            return "Go back to the page before."
        case "finish":
            return "Finish here."
