"""Demonstrations performed again on live sites: seen anew, grounded both ways, checked, and compared with the record.

Each step is done where the record says. Where the record knows its candidate, the same one (role, name, place among its
like) is looked for and acted on at its pixel; where it knows a point alone, as an import of OpAgent's runs does, the
point is scaled to the viewport, and the candidate under it is written down. Of what differs from the record, the drift:

| drift     | what                                                                                                 |
|-----------|------------------------------------------------------------------------------------------------------|
| `url`     | the step was taken on another page than the record says                                              |
| `jumped`  | that page was opened, because an import had dropped the step that led there                          |
| `moved`   | the candidate stands elsewhere                                                                       |
| `missing` | the page has no such candidate; the step was done at the recorded point                              |
| `outcome` | something stood in the way of the action                                                             |

A step whose target is no candidate is kept with its point alone, and counted by the reason (`unmapped:...`). Stages:

| stage       | a task is lost there when                                                                          |
|-------------|----------------------------------------------------------------------------------------------------|
| `listed`    | never: this is where all of them begin                                                             |
| `performed` | it is not among the tasks given (`unknown`), says something else since it was recorded             |
|             | (`changed`; told of embedded tasks alone), needs a judge and there is none (`needs_judge`), or the |
|             | sites failed it three times (`infrastructure`)                                                     |
| `frozen`    | the check fails at the end (`check_failed`)                                                        |
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Literal, Protocol
from urllib.parse import urlsplit

from guideact import __version__
from guideact.data import DemoStep, DemoTask, Entry, Ledger, Manifest, skeleton_of
from guideact.env import StepResult
from guideact.gold.pictures import keep_picture, refuse_partial
from guideact.types import (
    Action,
    Candidate,
    CheckResult,
    Click,
    Finish,
    Frozen,
    Mark,
    Observation,
    Point,
    Scroll,
    Select,
    Task,
    Type,
)
from guideact.webarena import WebArenaEnv

STAGES = ("listed", "performed", "frozen")
NEAR = 3.0
"""Pixels that a candidate may stand elsewhere and count as unmoved."""
SCROLL_BY = 300
"""Pixels that a scroll of OpAgent's moved the window."""
IMPORTED = "opagent"

Kind = Literal["url", "jumped", "moved", "missing", "outcome"]


class Drift(Frozen):
    """One thing that was otherwise than recorded."""

    task_id: str
    step: int
    """0-based."""
    kind: Kind
    detail: str


class Replayed(Frozen):
    """What came of one task."""

    entry: Entry
    task: DemoTask | None = None
    steps: tuple[DemoStep, ...] = ()
    drifts: tuple[Drift, ...] = ()
    unmapped: tuple[Drift, ...] = ()
    """Steps whose target is no candidate: `missing`, with the reason as the detail."""


class Environment(Protocol):
    """The part of an environment that a replay drives."""

    async def reset(self, task: Task) -> Observation: ...
    async def step(self, action: Action | None) -> StepResult: ...
    async def check(self) -> CheckResult: ...
    def target_of(self, action: Action) -> Candidate | None: ...


class Found(Frozen):
    """Where a step is done."""

    action: Action
    """With its target as a pixel."""
    candidate: Candidate | None = None
    reason: str = ""
    """Why there is no candidate."""
    drift: tuple[Kind, str] | None = None


async def replay_task(
    demo: DemoTask,
    steps: Sequence[DemoStep],
    env: Environment,
    task: Task,
    *,
    canonical: Callable[[str], str] = str,
    pictures: Path | None = None,
    moving: bool = False,
) -> Replayed:
    """Perform a demonstration on the sites of `env`.

    Args:
        demo: the task as the dataset has it, and `steps` its steps in order.
        task: the same task, as the environment takes it.
        canonical: an address as the record writes it.
        pictures: screenshots go there, as `<sha256>.png`; None for none.
        moving: keep a page of the embedded sites that does not stand still, and count it, rather than begin anew.

    Raises InfrastructureError for what is not the demonstration's doing: an embedded page that was not seen whole, and
    a screenshot that could not be taken. WebArena's pages can be too large to be seen whole, and their steps say so.
    """
    # A demonstration may be longer than an agent's budget.
    observation = await env.reset(task.model_copy(update={"max_steps": len(steps) + 1}))
    done: list[DemoStep] = []
    drifts: list[Drift] = []
    unmapped: list[Drift] = []
    moved = 0

    def note(kind: Kind, detail: str, to: list[Drift] = drifts) -> None:
        to.append(Drift(task_id=demo.id, step=len(done), kind=kind, detail=detail))

    for step in steps:
        here = canonical(observation.url)
        if page_of(here) != page_of(step.observation.url):
            if task.source == "webarena" and isinstance(env, WebArenaEnv) and not isinstance(step.action, Finish):
                note("jumped", f"from {here} to {step.observation.url}")
                observation = await env.visit(step.observation.url)
            else:
                note("url", f"{here} instead of {step.observation.url}")
        found = find(step, observation, env)
        if found.drift is not None:
            note(*found.drift)
        if found.reason:
            note("missing", found.reason, unmapped)
        if not isinstance(env, WebArenaEnv):
            refuse_partial(observation, f"step {len(done) + 1} of {demo.id}", moving=moving)
            moved += bool(observation.partial)
            observation = observation.model_copy(update={"partial": ""})
        if pictures is not None:
            keep_picture(pictures, observation, f"step {len(done) + 1} of {demo.id}")
        done.append(_seen_anew(demo, step, observation, found, canonical, len(done)))
        if isinstance(env, WebArenaEnv) and isinstance(step.action, Scroll) and demo.task.source == IMPORTED:
            observation = await env.scroll_by(*_by(step.action))
            continue
        result = await env.step(found.action)
        if result.outcome is not None:
            drifts.append(
                Drift(
                    task_id=demo.id,
                    step=len(done) - 1,
                    kind="outcome",
                    detail=f"{result.outcome.code}: {result.outcome.detail}",
                )
            )
        observation = result.observation
    if not done or not isinstance(done[-1].action, Finish):
        await env.step(Finish())
    verdict = await env.check()
    counts = Counter(f"drift:{drift.kind}" for drift in drifts)
    counts.update(f"unmapped:{each.detail}" for each in unmapped)
    counts["kept" if verdict.passed else "lost"] = len(done)
    counts.update({"moving": moved} if moved else {})
    counts["mapped"] = sum(each.target is not None for each in done)
    counted = dict(sorted(counts.items()))
    if not verdict.passed:
        why = "; ".join(part.reason for part in verdict.parts if not part.passed)
        entry = Entry(
            task_id=demo.id, stage="performed", reason="check_failed", detail=" ".join(why.split())[:500], steps=counted
        )
        return Replayed(entry=entry, drifts=tuple(drifts), unmapped=tuple(unmapped))
    return Replayed(
        entry=Entry(task_id=demo.id, stage="frozen", steps=counted),
        task=DemoTask(task=demo.task, steps=len(done), skeleton=tuple(skeleton_of(step) for step in done)),
        steps=tuple(done),
        drifts=tuple(drifts),
        unmapped=tuple(unmapped),
    )


def lost(task_id: str, reason: str, detail: str = "") -> Replayed:
    """A task that could not be performed."""
    return Replayed(entry=Entry(task_id=task_id, stage="listed", reason=reason, detail=" ".join(detail.split())[:500]))


def ledger_of(replayed: Iterable[Replayed]) -> Ledger:
    """The ledger of a replay."""
    return Ledger(stages=STAGES, entries=tuple(one.entry for one in replayed))


def manifest_of(name: str, source: Manifest, browser: str, skin: str = "") -> Manifest:
    """What a replayed dataset says of itself, before its files are written."""
    from importlib.metadata import version

    return Manifest(
        name=name,
        licence=source.licence,
        source=f"{source.source}+replay",
        skin=skin,
        versions={"guideact": __version__, "pyarrow": version("pyarrow"), "browser": browser},
    )


def page_of(url: str) -> str:
    """What makes an address a page: host or placeholder, and path without a slash at its end."""
    parts = urlsplit(url)
    return (f"{parts.netloc}{parts.path}" if parts.scheme else url.partition("?")[0].partition("#")[0]).rstrip("/")


# --- finding the target -----------------------------------------------------------------------------------------


def find(step: DemoStep, observation: Observation, env: Environment) -> Found:
    """Where a recorded step is done on the page as it is now."""
    action = step.action
    target = getattr(action, "target", None)
    if target is None or not isinstance(action, Click | Type | Select | Scroll):
        return Found(action=action)
    recorded = step.target
    if recorded is not None:
        same = alike(recorded, observation)
        if same is not None:
            apart = math.dist(recorded.point, same.point)
            moved: tuple[Kind, str] | None = ("moved", f"{recorded.role} {recorded.name!r} by {apart:.0f} px")
            return Found(action=_at(action, same.point), candidate=same, drift=moved if apart > NEAR else None)
    point = step.point or (recorded.point if recorded is not None else None)
    assert point is not None, "a step with a target has a point"
    scale = observation.viewport.width / step.observation.viewport.width
    placed = _at(action, (point[0] * scale, point[1] * scale))
    candidate = env.target_of(placed)
    if isinstance(placed, Scroll) and candidate is None:
        # What lies there is the page itself.
        return Found(action=Scroll(direction=placed.direction))
    missing: tuple[Kind, str] | None = None
    if recorded is not None:
        missing = ("missing", f"no {recorded.role} {recorded.name!r} here")
    return Found(action=placed, candidate=candidate, reason=_why_none(placed, candidate, observation), drift=missing)


def alike(recorded: Candidate, observation: Observation) -> Candidate | None:
    """The candidate of the same frame, role and name; of several, the one at the same place among its like."""
    same = [
        each
        for each in observation.candidates
        if (each.frame, each.role, each.name) == (recorded.frame, recorded.role, recorded.name)
        and (each.name or each.text == recorded.text)
    ]
    exact = [each for each in same if each.locator.ordinal == recorded.locator.ordinal]
    return next(iter([*exact, *same]), None)


def _why_none(action: Action, candidate: Candidate | None, observation: Observation) -> str:
    if candidate is not None:
        return ""
    target = getattr(action, "target", None)
    assert isinstance(target, Point)
    if target.x >= observation.viewport.width or target.y >= observation.viewport.height:
        return "outside_the_viewport"
    return "nothing_to_act_on"


def _at(action: Click | Type | Select | Scroll, point: tuple[float, float]) -> Action:
    placed = Point(x=round(max(point[0], 0), 2), y=round(max(point[1], 0), 2))
    return action.model_copy(update={"target": placed})


def _by(action: Scroll) -> tuple[int, int]:
    across = {"left": -SCROLL_BY, "right": SCROLL_BY}.get(action.direction, 0)
    return across, {"up": -SCROLL_BY, "down": SCROLL_BY}.get(action.direction, 0)


def _seen_anew(
    demo: DemoTask,
    step: DemoStep,
    observation: Observation,
    found: Found,
    canonical: Callable[[str], str],
    index: int,
) -> DemoStep:
    target = getattr(found.action, "target", None)
    point = (target.x, target.y) if isinstance(target, Point) else None
    action = found.action
    if found.candidate is not None:
        action = action.model_copy(update={"target": Mark(mark=found.candidate.mark)})
    tabs = tuple(tab.model_copy(update={"url": canonical(tab.url)}) for tab in observation.tabs)
    return DemoStep(
        task_id=demo.id,
        index=index,
        split=demo.task.split,
        observation=observation.model_copy(update={"url": canonical(observation.url), "tabs": tabs}),
        action=action,
        point=point,
        box=found.candidate.box if found.candidate is not None else None,
        guides=step.guides,
        rationale=step.rationale,
    )
