"""Mending a guide that no longer holds: new targets and sentences are proposed, tried on the site, and written down.

A guide is carried out; where a step names nothing any more, what is most like its target is tried in its place (by
locator, role, name, place, neighbours and picture). Where nothing is, what is folded away is opened first, which adds a
step. Each trial goes on with the rest of the guide: one that leads nowhere is taken back, by beginning anew, and the
next is tried. So a site is needed on which the guide's deeds do no harm.

What comes out is another guide and a list of changes for a person to review. Nothing here knows a site or its looks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from guideact.guides import rows
from guideact.guides.around import fold, near
from guideact.guides.draft import alone, draft
from guideact.guides.guide import Guide, GuideStep, GuideTarget
from guideact.guides.locate import alike
from guideact.guides.stage import Stage
from guideact.guides.verify import Problem, Walk, elsewhere, missing
from guideact.types import Candidate, Observation, Verb

ENOUGH = 0.3
"""Likeness from which on a candidate is tried."""
SURE = 0.5
"""Likeness at which nothing is opened first to look for something better."""
TRIES = 4
"""Candidates tried for one step."""
REPLAYS = 10
"""How often a guide is begun anew, at most."""
OPENED = 2
"""Folded things that are opened for one step, one inside the other."""
TRIALS = 40
"""Ideas that are tried for a guide, at most."""


@dataclass(frozen=True)
class Change:
    """One change to a guide. `before` is None for a step that was added."""

    step: int
    """0-based, in the mended guide."""
    before: GuideStep | None
    after: GuideStep
    why: str


@dataclass(frozen=True)
class Repaired:
    """What mending came to."""

    guide: Guide
    """Mended, with fresh pictures; the guide as it was where it could not be."""
    changes: tuple[Change, ...]
    problem: Problem | None
    """What is still wrong; None where the guide now runs to its end."""
    pictures: Mapping[str, bytes] = field(default_factory=dict)
    replays: int = 1


@dataclass(frozen=True)
class _Idea:
    """Something to try for a step: act on a candidate, or open something first."""

    kind: str
    """`target`; `open`; `option`, where it is an entry of a list now; `entry`, where an entry stands by itself."""
    key: tuple[str, str, str]
    """Role, name and css of the candidate, by which it is found again when the guide is begun anew."""
    score: float
    why: str


@dataclass(frozen=True)
class _Done:
    """A step of the mended guide, what it came from, and what was seen."""

    step: GuideStep
    origin: int | None
    seen: Observation
    target: Candidate | None
    why: str = ""


Picture = Callable[[str], bytes | None]
"""The old screenshot of a step, by its SHA-256."""


async def repair(guide: Guide, stage: Stage, picture: Picture, secrets: Mapping[str, str] | None = None) -> Repaired:
    """Mend a guide on its stage. A guide that holds comes back unchanged but for fresh pictures."""
    work = _Work(guide, stage, picture, secrets or {})
    await work.begin()
    problem = await work.go(0)
    if problem is not None:
        return Repaired(guide, (), problem, replays=work.replays)
    await work.prune()
    return _result(guide, work)


class _Work:
    """A search, depth first, over what to do at each step that broke."""

    def __init__(self, guide: Guide, stage: Stage, picture: Picture, secrets: Mapping[str, str]) -> None:
        self.guide, self.stage, self.picture, self.secrets = guide, stage, picture, secrets
        self.done: list[_Done] = []
        self.replays = 0
        self.trials = 0
        self.walk: Walk

    async def begin(self) -> None:
        self.replays += 1
        self.walk = Walk(self.stage, self.secrets, await self.stage.begin())

    async def again(self, kept: list[_Done]) -> bool:
        """Begin anew and do what was done so far; whether that worked as it did."""
        await self.begin()
        self.done = []
        for each in kept:
            target = await self.walk.find(each.step) if each.step.target is not None else None
            if each.step.target is not None and target is None:
                return False
            if await self.do(each.step, target, each.origin, each.why) is not None:
                return False
        return True

    async def do(self, step: GuideStep, target: Candidate | None, origin: int | None, why: str = "") -> Problem | None:
        outcome = await self.walk.act(step, target)
        self.done.append(_Done(step, origin, self.walk.pages[-1], self.walk.targets[-1], why))
        if outcome is not None:
            return Problem(kind="failed", step=origin or 0, message=outcome.detail)
        return None

    async def go(self, index: int, opened: frozenset[tuple[str, str, str]] = frozenset()) -> Problem | None:
        """Carry on from a step of the guide to its end, mending what breaks; what could not be mended, or None.

        `opened` are the folded things that were opened for this step already.
        """
        while index < len(self.guide.steps):
            step = self.guide.steps[index]
            if step.verb in ("scroll", "finish"):
                if step.verb == "finish":
                    break
                index += 1
                continue
            if step.target is None:
                if (problem := await self.do(step, None, index)) is not None:
                    return problem
                index += 1
                continue
            target = await self.walk.find(step)
            if target is None:
                return await self.mend(index, None, opened)
            opened = frozenset()
            kept = list(self.done)
            problem = await self.do(step, target, index)
            if problem is not None:
                if self.replays >= REPLAYS or not await self.again(kept):
                    return problem
                return await self.mend(index, problem)
            index += 1
        return elsewhere(self.guide, self.walk.seen)

    async def mend(
        self, index: int, known: Problem | None, opened: frozenset[tuple[str, str, str]] = frozenset()
    ) -> Problem | None:
        """Try ideas for a step whose target is not there, each with all that follows."""
        step = self.guide.steps[index]
        problem = known or missing(step, index, self.walk.seen)
        kept = list(self.done)
        fresh = True
        for idea in await self.ideas(step):
            if idea.kind == "open" and (idea.key in opened or len(opened) >= OPENED):
                continue
            self.trials += 1
            if self.trials > TRIALS:
                return problem
            if not fresh and (self.replays >= REPLAYS or not await self.again(kept)):
                return problem
            fresh = False
            candidate = await self.refind(idea)
            if candidate is None:
                continue
            if idea.kind == "open":
                opening = _opening(self.walk.seen, candidate, step)
                if await self.do(opening, candidate, None, idea.why) is not None:
                    continue
                if not await self.promising(step):
                    continue
                later = await self.go(index, opened | {idea.key})
            else:
                changed = _retargeted(step, self.walk.seen, candidate, idea.kind)
                if await self.do(changed, candidate, index, idea.why) is not None:
                    continue
                later = await self.go(index + 1)
            if later is None:
                return None
            # The trial that came furthest tells most of what is wrong.
            if later.step > problem.step:
                problem = later
        self.done = kept
        return problem

    async def prune(self) -> None:
        """Take out again what was opened to no purpose, where the guide runs to its end without it."""
        for at in reversed([at for at, each in enumerate(self.done) if each.origin is None]):
            whole, without = list(self.done), [each for index, each in enumerate(self.done) if index != at]
            if not await self.again(without) or elsewhere(self.guide, self.walk.seen) is not None:
                await self.again(whole)

    async def promising(self, step: GuideStep) -> bool:
        """Whether opening something has brought up what the step is about, or something like it."""
        if await self.walk.find(step) is not None:
            return True
        best = alike(step, self.walk.seen)
        return bool(best) and best[0].score >= ENOUGH

    async def ideas(self, step: GuideStep) -> list[_Idea]:
        """What to try, best first: what is like the target, in view or after scrolling, and what may hold it."""
        found: dict[tuple[str, str, str], _Idea] = {}
        await self._gather(step, found)
        for direction in ("up", "down"):
            for _ in range(8):
                if not await self.walk.scroll("up" if direction == "up" else "down"):
                    break
                await self._gather(step, found)
        ideas = sorted(found.values(), key=lambda idea: -idea.score)
        targets = [idea for idea in ideas if idea.kind != "open"][:TRIES]
        opens = [idea for idea in ideas if idea.kind == "open"][:TRIES]
        if targets and targets[0].score >= SURE:
            return [*targets[:2], *opens, *targets[2:]]
        return [*opens[:3], *targets, *opens[3:]]

    async def _gather(self, step: GuideStep, found: dict[tuple[str, str, str], _Idea]) -> None:
        seen = self.walk.seen
        old = self.picture(step.image) if step.image else None
        for each in alike(step, seen, old)[: 2 * TRIES]:
            if each.score < ENOUGH:
                continue
            key = _key(each.candidate)
            clues = ", ".join(name for name, fit in each.clues.items() if fit >= 0.5)
            if key not in found or found[key].score < each.score:
                found[key] = _Idea("target", key, each.score, f"it is most like it by {clues}")
        for candidate in seen.candidates:
            if (kind := _other_form(step, candidate)) is not None:
                key = _key(candidate)
                why = "it is an entry of a list now" if kind == "option" else "it stands by itself now"
                found[key] = _Idea(kind, key, SURE + 0.2, why)
        for candidate in seen.candidates:
            if "collapsed" not in candidate.states or candidate.role == "combobox":
                continue
            key = _key(candidate)
            score = _holds(step, seen, candidate)
            if key not in found or found[key].kind == "target":
                if key in found and found[key].score >= SURE:
                    continue
                found[key] = _Idea("open", key, score, "what the step needs is folded away behind it")

    async def refind(self, idea: _Idea) -> Candidate | None:
        """The candidate of an idea in the page as it is now, scrolled to where that is needed."""
        for direction in ("", "up", "down"):
            for _ in range(8):
                if (found := _by_key(self.walk.seen, idea.key)) is not None:
                    return found
                if not direction or not await self.walk.scroll("up" if direction == "up" else "down"):
                    break
        return None


def _key(candidate: Candidate) -> tuple[str, str, str]:
    return (candidate.role, candidate.name, candidate.locator.css)


def _by_key(seen: Observation, key: tuple[str, str, str]) -> Candidate | None:
    """What has this key; elsewhere in the document, what has its role and its name where no other row has them."""
    exact = next((c for c in seen.candidates if _key(c) == key), None)
    named = [c for c in seen.candidates if (c.role, c.name) == key[:2] and c.name]
    alone = len(named) == 1 and (not named[0].locator.row or rows.numbered(named[0].name))
    return exact or (named[0] if alone else None)


def _holds(step: GuideStep, seen: Observation, candidate: Candidate) -> float:
    """How likely a folded thing holds a step's target: by what is near, by the document, by place."""
    target = step.target
    assert target is not None
    score = 0.1
    name = fold(candidate.name)
    # What stood there before already is not what the target has been folded into since.
    if name and any(fold(text) == name for text in target.near):
        score -= 0.2
    score += 0.4 * _common_path(target.css, candidate.locator.css)
    if step.box is not None:
        dx = abs(step.box.centre[0] - candidate.box.centre[0]) + abs(step.box.centre[1] - candidate.box.centre[1])
        score += 0.2 * max(0.0, 1 - dx / 900)
    return score


def _common_path(one: str, other: str) -> float:
    """The share of a selector's path that another one begins with."""
    path, others = one.split(" > "), other.split(" > ")
    shared = 0
    while shared < min(len(path), len(others)) and path[shared] == others[shared]:
        shared += 1
    return shared / len(path) if one else 0.0


def _target(seen: Observation, candidate: Candidate) -> GuideTarget:
    return GuideTarget(
        role=candidate.role,
        name=candidate.name,
        ordinal=candidate.locator.ordinal,
        css=candidate.locator.css,
        text=candidate.text if candidate.text != candidate.name else "",
        near=near(seen, candidate),
        row=candidate.locator.row,
        frame=candidate.frame,
    )


def _other_form(step: GuideStep, candidate: Candidate) -> str | None:
    """The other form in which a candidate is the same choice: a link as an entry of a list, or the other way."""
    assert step.target is not None
    wanted = step.target.name or step.target.text
    if step.verb == "click" and any(fold(option) == fold(wanted) for option in candidate.options):
        return "option"
    if step.verb == "select" and not candidate.options and fold(candidate.name) == fold(step.value):
        return "entry"
    return None


def _retargeted(step: GuideStep, seen: Observation, candidate: Candidate, kind: str) -> GuideStep:
    """The step about another target, its sentence naming that."""
    assert step.target is not None
    target = _target(seen, candidate)
    if kind in ("option", "entry"):
        verb: Verb = "select" if kind == "option" else "click"
        value = (step.target.name or step.target.text) if kind == "option" else ""
        sentence = draft(verb, target, value, alone=alone(seen, candidate))
        return step.model_copy(update={"verb": verb, "value": value, "target": target, "sentence": sentence})
    old, new = step.target.name or step.target.text, target.name or target.text
    return step.model_copy(
        update={"target": target, "sentence": renamed(step.sentence, old, new, step, target, seen, candidate)}
    )


def renamed(
    sentence: str,
    old: str,
    new: str,
    step: GuideStep,
    target: GuideTarget,
    seen: Observation,
    candidate: Candidate,
) -> str:
    """The sentence with the old name, where it quotes it, replaced by the new one; otherwise as a rule puts it.

    A sentence that does not quote the name stays where the name stayed: it may still be true.
    """
    if fold(old) == fold(new):
        return sentence
    for quoted in re.findall(r"[“\"「]([^”\"」]+)[”\"」]", sentence):
        wanted = fold(quoted)
        if (
            wanted
            and (wanted == fold(old) or (len(wanted) > 2 and fold(old).startswith(wanted)))
            and wanted != fold(step.value)
        ):
            return sentence.replace(quoted, new, 1)
    found = re.search(rf"(?<!\w){re.escape(old)}(?!\w)", sentence, re.IGNORECASE) if old else None
    if found is not None:
        return sentence[: found.start()] + new + sentence[found.end() :]
    return draft(step.verb, target, step.value, secret=step.secret, alone=alone(seen, candidate))


def _opening(seen: Observation, candidate: Candidate, step: GuideStep) -> GuideStep:
    """A step that opens what is folded away."""
    target = _target(seen, candidate)
    return GuideStep(
        sentence=draft("click", target, alone=alone(seen, candidate)),
        verb="click",
        target=target,
        url=seen.url,
        title=seen.title,
        viewport=seen.viewport,
    )


def _result(guide: Guide, work: _Work) -> Repaired:
    """The mended guide, with what was seen on the way as its pictures."""
    steps: list[GuideStep] = []
    changes: list[Change] = []
    pictures: dict[str, bytes] = {}

    def shown(step: GuideStep, seen: Observation, target: Candidate | None) -> GuideStep:
        shot = seen.screenshot
        fresh: dict[str, object] = {"url": seen.url, "title": seen.title, "viewport": seen.viewport}
        if shot is not None and shot.png:
            pictures[shot.sha256] = shot.png
            fresh["image"] = shot.sha256
        if target is not None:
            fresh |= {"box": target.box, "point": target.point, "target": _target(seen, target)}
        return step.model_copy(update=fresh)

    for each in work.done:
        steps.append(shown(each.step, each.seen, each.target))
        before = guide.steps[each.origin] if each.origin is not None else None
        if each.why:
            changes.append(Change(len(steps) - 1, before, steps[-1], each.why))
    last = guide.steps[-1]
    if last.verb == "finish":
        steps.append(shown(last, work.walk.seen, None))
    return Repaired(guide.model_copy(update={"steps": tuple(steps)}), tuple(changes), None, pictures, work.replays)
