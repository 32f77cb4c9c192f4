"""Observations written by hand, for what looks at pages without a browser."""

from __future__ import annotations

from guideact.types import Box, Candidate, Locator, Observation, Scroll2D, TextLine


def candidate(mark: int, role: str, name: str, x: float, y: float, **more: object) -> Candidate:
    """A candidate of 100 x 20 px whose top left corner is (x, y)."""
    return Candidate.model_validate(
        {
            "mark": mark,
            "role": role,
            "name": name,
            "box": Box(x=x, y=y, width=100, height=20),
            "point": (x + 50, y + 10),
            "locator": Locator(role=role, name=name),
            **more,
        }
    )


def line(text: str, x: float, y: float, width: float = 100) -> TextLine:
    """A piece of text, 20 px high."""
    return TextLine(text=text, box=Box(x=x, y=y, width=width, height=20))


def page(
    *things: Candidate | TextLine, y: float = 0, max_y: float = 0, url: str = "http://shopping.localhost/"
) -> Observation:
    """An observation with these things on it, scrolled to `y`."""
    return Observation(
        url=url,
        title="Shop",
        scroll=Scroll2D(y=y, max_y=max_y),
        candidates=tuple(thing for thing in things if isinstance(thing, Candidate)),
        texts=tuple(thing for thing in things if isinstance(thing, TextLine)),
    )
