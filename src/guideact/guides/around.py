"""What stands around a candidate: the texts by which a person would tell it from others that look the same."""

from __future__ import annotations

from guideact.types import Box, Candidate, Observation

MOST = 4
"""Texts that are kept of a target's surroundings."""
_FARTHEST = 420.0
"""CSS px."""
_LONGEST = 80
"""Characters: what is longer is prose, and no label."""


def near(seen: Observation, target: Candidate) -> tuple[str, ...]:
    """The texts around a target, nearest first, at most `MOST`, without its own words.

    What stands on the same line or right above counts as nearer than what stands below: labels and headings come before
    what they belong to.
    """
    own = {fold(text) for text in (target.name, target.text, target.value, target.placeholder, *target.options) if text}
    found: list[tuple[float, int, str]] = []
    places = [(line.text, line.box) for line in seen.texts]
    places += [
        (other.name or other.text, other.box)
        for other in seen.candidates
        if other.mark != target.mark and "scrollable" not in other.states
    ]
    for order, (text, box) in enumerate(places):
        words = fold(text)
        if not words or len(text) > _LONGEST or words in own or any(words in mine or mine in words for mine in own):
            continue
        far = distance(target.box, box)
        if far <= _FARTHEST:
            found.append((far, order, " ".join(text.split())))
    texts = dict.fromkeys(text for _, _, text in sorted(found))
    return tuple(texts)[:MOST]


def distance(target: Box, other: Box) -> float:
    """How far a text is from a target, in CSS px, with what stands below or apart from its line counted double."""
    dx = max(target.x - (other.x + other.width), other.x - (target.x + target.width), 0.0)
    above = target.y - (other.y + other.height)
    below = other.y - (target.y + target.height)
    if above <= 0 and below <= 0:
        return dx
    return dx * 2 + (above if above > 0 else below * 2)


def fold(text: str) -> str:
    """For comparing: case and white space folded."""
    return " ".join(text.split()).casefold()
