"""Does a guide still hold? It is carried out on the live site, step by step, as its sentences say.

A step holds where what it names is there, under that name, and its act does what it says. A guide holds where all its
steps do and it ends where it ended: by the check of its task where it has one, by the address otherwise. Scrolling is
done as needed and is no part of the truth of a guide.
"""

from __future__ import annotations

import re
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import urlsplit

from guideact.guides import rows
from guideact.guides.guide import Guide, GuideStep
from guideact.guides.locate import Bearer, alike, to_the_letter
from guideact.guides.stage import Stage
from guideact.types import (
    Action,
    Candidate,
    Click,
    Direction,
    Finish,
    Frozen,
    GoBack,
    Mark,
    Observation,
    Outcome,
    PressEnter,
    Scroll,
    Select,
    Type,
)

Kind = Literal["gone", "failed", "elsewhere", "check"]
MOST_SCROLLS = 12
MOST_LISTS = 3
"""Lists with a scroll bar of their own that are looked through."""


class Problem(Frozen):
    """Where and how a guide breaks.

    `kind`: `gone` nothing bears the name, `failed` the act had no effect, `elsewhere` it ends at another place,
    `check` the check of its task fails.
    """

    kind: Kind
    step: int
    """0-based."""
    message: str
    here: tuple[str, ...] = ()
    """What is there now that is most like it: "button “Put in the bag”", likeliest first."""


@dataclass(frozen=True)
class Verdict:
    """What carrying out a guide came to."""

    guide: Guide
    problem: Problem | None
    seconds: float
    after: Observation | None = None
    """What was to be seen where it broke."""
    pages: tuple[Observation, ...] = ()
    """What each step that was done was decided on."""
    targets: tuple[Candidate | None, ...] = ()
    judged: bool = False
    """The check of its task was asked, or its end compared."""

    @property
    def holds(self) -> bool:
        return self.problem is None


@dataclass
class Walk:
    """Carrying out steps on a stage; keeps what was seen."""

    stage: Stage
    secrets: Mapping[str, str]
    seen: Observation
    pages: list[Observation] = field(default_factory=list)
    targets: list[Candidate | None] = field(default_factory=list)

    async def find(self, step: GuideStep) -> Candidate | None:
        """What the step names, to the letter: in view, or after scrolling down and then up.

        Something of that name that may be another row's is taken only where the page has none that fits better.
        """
        best: Bearer | None = None
        heard: frozenset[str] = frozenset()
        async for seen in self._views(step):
            heard |= rows.heard(step, seen)
            found = to_the_letter(step, seen, heard)
            if found is not None and found.sure:
                return found.candidate
            if found is not None and (best is None or found.rank > best.rank):
                best = found
        if best is None:
            return None
        async for seen in self._views(step):
            if (again := _same(best.candidate, seen)) is not None:
                # What its row says may have been read since, further along the page.
                now = to_the_letter(step, seen, heard)
                return again if best.allowed or (now is not None and now.allowed) else None
        return None

    async def _views(self, step: GuideStep) -> AsyncIterator[Observation]:
        """The page as it is, then scrolled down and up, then its lists that scroll by themselves."""
        yield self.seen
        if step.target is None or step.target.frame != "":
            return
        for direction in ("down", "up"):
            for _ in range(MOST_SCROLLS):
                if not await self.scroll(direction):
                    break
                yield self.seen
        async for seen in self._inside():
            yield seen

    async def _inside(self) -> AsyncIterator[Observation]:
        """The lists that scroll by themselves, the tallest first, each from top to bottom."""
        lists = [each for each in self.seen.candidates if "scrollable" in each.states]
        lists.sort(key=lambda each: -each.box.height)
        for each in lists[:MOST_LISTS]:
            for direction in ("up", "down"):
                for _ in range(MOST_SCROLLS):
                    inner = _same(each, self.seen)
                    if inner is None:
                        break
                    shown = self.seen.candidates
                    done = await self.stage.do(
                        Scroll(direction="up" if direction == "up" else "down", target=Mark(mark=inner.mark))
                    )
                    self.seen = done.seen
                    yield self.seen
                    if done.outcome is not None or [c.box for c in self.seen.candidates] == [c.box for c in shown]:
                        break

    async def scroll(self, direction: Direction) -> bool:
        """Scroll the page; whether that showed anything new."""
        at = self.seen.scroll
        if (direction == "down" and at.y >= at.max_y - 1) or (direction == "up" and at.y <= 1):
            return False
        before = at.y
        done = await self.stage.do(Scroll(direction=direction))
        self.seen = done.seen
        return done.outcome is None and self.seen.scroll.y != before

    async def act(self, step: GuideStep, target: Candidate | None) -> Outcome | None:
        """Do what the step says; None where it did that. What covers a target is scrolled away once."""
        self.pages.append(self.seen)
        self.targets.append(target)
        if target is None and step.verb in ("click", "type", "select"):
            # To go on as if it had been done would call a guide sound that nobody can follow.
            return Outcome(code="malformed", detail=f"it names no target, so there is nothing to {step.verb}")
        action = self.action(step, target)
        if isinstance(action, Finish):
            return None
        done = await self.stage.do(action)
        if done.outcome is not None and done.outcome.code == "covered" and target is not None:
            for direction in ("down", "up"):
                self.seen = done.seen
                await self.scroll(direction)
                again = _same(target, self.seen)
                if again is not None:
                    self.pages[-1], self.targets[-1] = self.seen, again
                    done = await self.stage.do(self.action(step, again))
                    if done.outcome is None:
                        break
        self.seen = done.seen
        return done.outcome

    def action(self, step: GuideStep, target: Candidate | None) -> Action:
        mark = Mark(mark=target.mark) if target is not None else None
        match step.verb:
            case "click" if mark is not None:
                return Click(target=mark)
            case "type" if mark is not None:
                return Type(target=mark, text=self.secrets.get(step.secret, step.value) if step.secret else step.value)
            case "select" if mark is not None:
                return Select(target=mark, option=step.value)
            case "press_enter":
                return PressEnter()
            case "go_back":
                return GoBack()
            case _:
                return Finish()


def _same(target: Candidate, seen: Observation) -> Candidate | None:
    """The same candidate in a later look."""
    return next(
        (
            each
            for each in seen.candidates
            if each.locator.css == target.locator.css and each.role == target.role and each.frame == target.frame
        ),
        None,
    )


async def verify(guide: Guide, stage: Stage, secrets: Mapping[str, str] | None = None) -> Verdict:
    """Carry a guide out on its stage. Raises InfrastructureError for what is not the guide's doing."""
    started = time.perf_counter()
    walk = Walk(stage, secrets or {}, await stage.begin())
    problem = None
    for index, step in enumerate(guide.steps):
        if step.verb == "scroll":
            continue
        if step.verb == "finish":
            break
        problem = await _step(walk, step, index)
        if problem is not None:
            break
    judged = False
    if problem is None:
        problem, judged = await end_of(guide, walk)
    return Verdict(
        guide=guide,
        problem=problem,
        seconds=time.perf_counter() - started,
        after=walk.seen,
        pages=tuple(walk.pages),
        targets=tuple(walk.targets),
        judged=judged,
    )


async def _step(walk: Walk, step: GuideStep, index: int) -> Problem | None:
    target = None
    if step.target is not None:
        target = await walk.find(step)
        if target is None:
            return missing(step, index, walk.seen)
    outcome = await walk.act(step, target)
    if outcome is not None:
        return Problem(kind="failed", step=index, message=outcome.detail)
    return None


def missing(step: GuideStep, index: int, seen: Observation) -> Problem:
    """The problem of a step whose target is not there."""
    assert step.target is not None
    name = step.target.name or step.target.text
    likely = [each for each in alike(step, seen) if each.score >= 0.25][:3]
    here = tuple(f"{each.candidate.role} “{each.candidate.name or each.candidate.text}”" for each in likely)
    message = f"there is no {step.target.role} “{name}”" if name else f"the {step.target.role} is not there"
    if step.target.row and (said := rows.quoted(step)):
        message += f" in the row of {', '.join(f'“{text}”' for text in said)}"
    return Problem(kind="gone", step=index, message=message, here=here)


async def end_of(guide: Guide, walk: Walk) -> tuple[Problem | None, bool]:
    """What is wrong with where a guide ends, and whether anything could tell."""
    last = len(guide.steps) - 1
    final = guide.steps[last]
    verdict = await walk.stage.check()
    if verdict is not None:
        # What the guide's reader answers is not the guide's.
        parts = [part for part in verdict.parts if part.part != "answer"]
        if failed := [part for part in parts if not part.passed]:
            return Problem(kind="check", step=last, message="; ".join(part.reason for part in failed)), True
    ends = final.verb == "finish" and bool(final.url)
    return elsewhere(guide, walk.seen), ends or verdict is not None


def elsewhere(guide: Guide, seen: Observation) -> Problem | None:
    """The problem of a guide that ends on another kind of page than it did."""
    final = guide.steps[-1]
    if final.verb != "finish" or not final.url or place(final.url) == place(seen.url):
        return None
    message = f"it ends at {seen.url}, and used to end at {final.url}"
    return Problem(kind="elsewhere", step=len(guide.steps) - 1, message=message)


def place(url: str) -> str:
    """The kind of page behind an address: its host and path, numbers left out."""
    parts = urlsplit(url)
    return f"{parts.hostname or ''}{re.sub(r'[0-9]+', '#', parts.path).rstrip('/')}"
