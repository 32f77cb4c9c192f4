"""Labels that a person should look at before they are believed.

| kind | suspected where |
|---|---|
| `no-candidate` | the gold point lies in no candidate's box: under marks, nothing could be right |
| `covered` | another candidate's box, neither around the target's nor inside it, lies over the gold point |
| `equal` | other candidates have the same role, name and text as the target, so one of them may serve as well |
| `names-another` | a guide quotes the name of another candidate, and nothing of the target or its value |
| `no-change` | the page after the step is the page before it, to the last value and state |

A dataset that knows points alone has no candidates: of it only `no-change` can be told, by its screenshots.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

from guideact.data import DemoStep
from guideact.errors import InputError
from guideact.offline.gold import Demo
from guideact.offline.settled import Decision, Settled, parse
from guideact.types import Box, Candidate, Frozen, Observation

Kind = Literal["no-candidate", "covered", "equal", "names-another", "no-change"]
KINDS: tuple[Kind, ...] = get_args(Kind)

_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")


class Suspect(Frozen):
    """A label to look at."""

    task_id: str
    index: int
    kind: Kind
    detail: str
    marks: tuple[int, ...] = ()
    """The candidates that raise the suspicion, the target's own left out."""
    settled: str = ""
    """`verdict by NAME: how`, once somebody has looked."""


def suspects(demos: Iterable[Demo], settled: Settled | None = None) -> tuple[Suspect, ...]:
    """All suspect labels of some demonstrations, by task, step and kind; those that were settled say so."""
    decided = {(d.task_id, d.index, d.kind): d for d in (settled or Settled()).decisions}
    found = []
    for demo in demos:
        for step in demo.steps:
            after = demo.steps[step.index + 1] if step.index + 1 < len(demo.steps) else None
            for suspect in _of_step(step, after):
                decision = decided.get((suspect.task_id, suspect.index, suspect.kind))
                said = "" if decision is None else f"{decision.verdict} by {decision.by}: {decision.how}"
                found.append(suspect.model_copy(update={"settled": said}))
    return tuple(found)


def _of_step(step: DemoStep, after: DemoStep | None) -> Iterator[Suspect]:
    def suspect(kind: Kind, detail: str, marks: Iterable[int] = ()) -> Suspect:
        return Suspect(task_id=step.task_id, index=step.index, kind=kind, detail=detail, marks=tuple(marks))

    seen, target = step.observation, step.target
    if step.point is not None and seen.candidates and not _at(seen, step.point):
        yield suspect("no-candidate", f"nothing can be acted on at {step.point}")
    if target is not None:
        over = [each for each in _at(seen, step.point or target.point) if _crosses(each.box, target.box)]
        if over:
            yield suspect("covered", f"{_named(over[0])} lies over {_named(target)}", (each.mark for each in over))
        equal = [each for each in seen.candidates if each.mark != target.mark and _looks(each) == _looks(target)]
        if equal:
            yield suspect("equal", f"{len(equal) + 1} times {_named(target)}", (each.mark for each in equal))
        for guide in step.guides:
            if others := _named_instead(guide, target, step.value, seen):
                detail = f"{guide} names {_named(others[0])}, not {_named(target)}"
                yield suspect("names-another", detail, (each.mark for each in others))
                break
    if after is not None and step.verb not in ("scroll", "finish") and _same(seen, after.observation):
        yield suspect("no-change", f"after {step.verb} the page is as before")


def _at(seen: Observation, point: tuple[float, float]) -> list[Candidate]:
    return [each for each in seen.candidates if each.box.contains(*point)]


def _crosses(one: Box, other: Box) -> bool:
    """Whether neither box lies in the other."""
    return not _inside(one, other) and not _inside(other, one)


def _inside(inner: Box, outer: Box) -> bool:
    return (
        outer.x - 1 <= inner.x
        and outer.y - 1 <= inner.y
        and inner.x + inner.width <= outer.x + outer.width + 1
        and inner.y + inner.height <= outer.y + outer.height + 1
    )


def _looks(candidate: Candidate) -> tuple[str, str, str]:
    return (candidate.role, candidate.name.strip(), candidate.text.strip())


def _named(candidate: Candidate) -> str:
    name = " ".join((candidate.name or candidate.text).split())[:60]
    return f"[{candidate.mark}] {candidate.role} “{name}”"


def _named_instead(guide: str, target: Candidate, value: str, seen: Observation) -> list[Candidate]:
    """The candidates whose whole name the guide quotes, if no quotation has to do with the target or the value."""
    quotes = [_fold(text) for text in _QUOTED.findall(guide)]
    own = [_fold(text) for text in (target.name, target.text, target.placeholder, target.value, value) if text.strip()]
    if not quotes or any(quote in text or text in quote for quote in quotes for text in own):
        return []
    return [each for each in seen.candidates if each.mark != target.mark and _fold(each.name) in quotes]


def _same(before: Observation, after: Observation) -> bool:
    if not before.candidates and not after.candidates:
        shots = (before.screenshot, after.screenshot)
        return shots[0] is not None and shots[1] is not None and shots[0].sha256 == shots[1].sha256
    return _content(before) == _content(after)


def _content(seen: Observation) -> tuple[object, ...]:
    """All that a person could see to have changed."""
    controls = tuple((c.role, c.name, c.value, c.states, c.box) for c in seen.candidates)
    return (seen.url, seen.title, seen.scroll, controls, tuple(line.text for line in seen.texts), seen.dialogs)


def _fold(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".")


# --- settling -----------------------------------------------------------------------------------------------------


def settle(folder: Path, new: Path, demos: Iterable[Demo]) -> tuple[Decision, ...]:
    """Take the decisions of a file into those kept beside a dataset. Returns the new ones.

    Raises InputError for a line that is none, or that speaks of a step or a mark that is not there.
    """
    from guideact.offline.settled import FILE

    try:
        data = new.read_bytes()
    except OSError as error:
        raise InputError(f"{new} cannot be read: {error.strerror}", fix="Check the path.") from error
    decisions = parse(new, data)
    steps = {(step.task_id, step.index): step for demo in demos for step in demo.steps}
    for decision in decisions:
        step = steps.get((decision.task_id, decision.index))
        if step is None:
            raise InputError(f"{new}: there is no step {decision.index} of {decision.task_id}", fix="Check the line.")
        if decision.kind not in KINDS:
            raise InputError(f"{new}: {decision.kind!r} is no kind of suspicion", fix=f"Kinds are {', '.join(KINDS)}.")
        for mark in decision.also:
            if step.observation.candidate(mark) is None:
                raise InputError(
                    f"{new}: step {decision.index} of {decision.task_id} has no mark {mark}", fix="Check the line."
                )
    fresh = _beyond(Settled.read(folder).decisions, decisions)
    try:
        _append(folder / FILE, "".join(decision.model_dump_json() + "\n" for decision in fresh).encode())
    except OSError as error:
        raise InputError(
            f"{folder / FILE} cannot be written: {error.strerror}", fix="Check who may write it."
        ) from error
    return fresh


def _beyond(kept: Iterable[Decision], new: Iterable[Decision]) -> tuple[Decision, ...]:
    """The new decisions, but for those that the kept ones about the same step end with already.

    One that was kept earlier, and overruled since, is new: it takes the later one back.
    """
    before, after = _by_step(kept), _by_step(new)
    fresh: list[Decision] = []
    for step, mine in after.items():
        last = before.get(step, [])
        known = next(n for n in range(min(len(mine), len(last)), -1, -1) if last[len(last) - n :] == mine[:n])
        fresh += mine[known:]
    return tuple(fresh)


def _by_step(decisions: Iterable[Decision]) -> dict[tuple[str, int], list[Decision]]:
    found: dict[tuple[str, int], list[Decision]] = {}
    for decision in decisions:
        found.setdefault((decision.task_id, decision.index), []).append(decision)
    return found


def _append(path: Path, lines: bytes) -> None:
    """All the lines or none of them: with half a line in the file nothing could be scored."""
    with open(path, "a+b", buffering=0) as file:
        size = file.seek(0, os.SEEK_END)
        if size and lines:
            file.seek(size - 1)
            # An editor may have left off the end of the last line.
            lines = lines if file.read(1) == b"\n" else b"\n" + lines
        try:
            while lines:
                lines = lines[file.write(lines) :]
        except OSError:
            file.truncate(size)
            raise
