"""The rows of a dataset: tasks, and the steps of their demonstrations."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

from guideact.types import Action, Box, Candidate, Frozen, Mark, Observation, Point, Split, Task, Verb


class DemoTask(Frozen):
    """A task with a demonstration."""

    task: Task
    steps: int
    """Of the demonstration, `finish` included."""
    skeleton: tuple[str, ...]
    """`skeleton_of` each step."""

    @property
    def id(self) -> str:
        return self.task.id


class DemoStep(Frozen):
    """One step of a demonstration: what was seen, what was done then, and sentences that tell it to a person."""

    task_id: str
    index: int
    """0-based."""
    split: Split
    observation: Observation
    """What the step was decided on; the screenshot's bytes are kept apart, by its SHA-256."""
    action: Action
    """Its target is a `Mark` where the demonstration knows its candidates, otherwise a `Point`."""
    point: tuple[float, float] | None = None
    """The same target as a pixel, CSS px of the viewport; None for an action without a target."""
    box: Box | None = None
    """The target's box; None without a target, or where only a point is known."""
    guides: tuple[str, ...] = ()
    """Sentences for a person, all of them good; the first is the one to train on."""
    rationale: str = ""
    """Why this step is the one to take, where somebody or a model has said so."""

    @property
    def verb(self) -> Verb:
        return self.action.verb

    @property
    def target(self) -> Candidate | None:
        """The candidate that the action names, if it names one."""
        named = getattr(self.action, "target", None)
        return self.observation.candidate(named.mark) if isinstance(named, Mark) else None

    @property
    def value(self) -> str:
        """What is typed, selected or answered, or the direction of a scroll; empty for other verbs."""
        for name in ("text", "option", "answer", "direction"):
            if hasattr(self.action, name):
                return str(getattr(self.action, name))
        return ""

    @property
    def action_coord(self) -> Action:
        """The action with its target named by a pixel."""
        return _retarget(self.action, None if self.point is None else Point(x=self.point[0], y=self.point[1]))

    @property
    def action_som(self) -> Action | None:
        """The action with its target named by a mark; None where the demonstration does not know its candidates."""
        named = getattr(self.action, "target", None)
        return None if isinstance(named, Point) else self.action


def _retarget(action: Action, target: Point | None) -> Action:
    if getattr(action, "target", None) is None or target is None:
        return action
    changed: Any = action.model_copy(update={"target": target})
    return changed  # type: ignore[no-any-return]


_DATA = re.compile(r"[^/]*\d[^/]*|[^/]*%[^/]*|[^/]+(?:-[^/]+){2,}")
"""A part of a path that names a thing and no kind of page: it holds a digit, an escape, or many words."""
_NAMES = {
    "shopping": ((r"^(c|p|page)/[^/]+", r"\1/*"),),
    "reddit": ((r"^(f|user)/[^/]+", r"\1/*"), (r"^(f/\*/wiki)/(?!new$)[^/]+", r"\1/*")),
    "gitlab": (
        (r"^(groups|users)/[^/]+", r"\1/*"),
        (r"^(?!(?:dashboard|groups|search|snippets|users)/)[^/]+/[^/]+", "*/*"),
        (r"^(\*/\*/(?:blame|delete|edit|files|history|raw))/.+", r"\1/*"),
    ),
    "map": ((r"^category/[^/]+", "category/*"),),
    "wikipedia": (
        (
            r"^(category|cite|contributions|de|edit|embed/map|facts|file|history|information|links|lists/add|preview"
            r"|print|source|talk|user|watch|wiki)/[^/]+",
            r"\1/*",
        ),
    ),
}
"""Of the embedded sites: where a path names a thing by a word, which `_DATA` takes for a kind of page."""


def skeleton(url: str, verb: str, role: str) -> str:
    """The kind of page, the verb and the kind of control of a step: `shopping/p/* click button`.

    Two demonstrations with the same skeletons ask for the same skill on other data.
    """
    parts = urlsplit(url)
    site = (parts.hostname or "").removesuffix(".localhost")
    path = parts.path.strip("/")
    for named, kind in _NAMES.get(site, ()):
        path = re.sub(named, kind, path)
    path = "/".join("*" if _DATA.fullmatch(part) else part for part in path.split("/"))
    return " ".join(word for word in (f"{site}/{path}", verb, role) if word)


def skeleton_of(step: DemoStep) -> str:
    """`skeleton` of a step."""
    return skeleton(step.observation.url, step.verb, step.target.role if step.target is not None else "")
