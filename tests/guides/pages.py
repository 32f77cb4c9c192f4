"""Small pages for tests: observations with the candidates that a test names."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.types import Box, Candidate, Locator, Observation, Scroll2D, TextLine


def thing(
    role: str,
    name: str,
    at: tuple[float, float] = (100, 100),
    *,
    size: tuple[float, float] = (120, 30),
    options: Sequence[str] = (),
    states: Sequence[str] = (),
    value: str = "",
    tag: str = "",
    css: str = "",
) -> Candidate:
    """A candidate; its mark is given by `page`."""
    tags = {"textbox": "input", "searchbox": "input", "link": "a", "button": "button", "checkbox": "input"}
    return Candidate(
        mark=1,
        role=role,
        name=name,
        tag=tag or tags.get(role, "select" if options else "div"),
        options=tuple(options),
        states=tuple(states),
        value=value,
        box=Box(x=at[0], y=at[1], width=size[0], height=size[1]),
        point=(at[0] + 5, at[1] + 5),
        locator=Locator(role=role, name=name, css=css),
    )


def page(
    *things: Candidate, texts: Sequence[tuple[str, tuple[float, float]]] = (), scroll: Scroll2D | None = None
) -> Observation:
    """A page of these things, numbered in the order given."""
    return Observation(
        url="http://x.example/",
        title="X",
        candidates=tuple(each.model_copy(update={"mark": mark}) for mark, each in enumerate(things, 1)),
        texts=tuple(TextLine(text=text, box=Box(x=x, y=y, width=9 * len(text), height=20)) for text, (x, y) in texts),
        scroll=scroll or Scroll2D(),
    )
