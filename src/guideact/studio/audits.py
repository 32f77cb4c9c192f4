"""The blind audit: does a person who has not seen a check's verdict come to the same one?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from guideact.harness.read import Run
from guideact.stats import Estimate
from guideact.stats.bootstrap import mean_interval
from guideact.studio.boards import view
from guideact.studio.runs import audit_order
from guideact.studio.store import Person, Verdict
from guideact.studio.web import form_of, page, signed_in, studio_of
from guideact.types import Episode

STANDS = ("done", "not_done", "cannot_tell")


@dataclass(frozen=True)
class Audit:
    """What came of auditing a run."""

    agree: Estimate
    """Share of the episodes somebody could tell of in which they say what the check says; clusters are templates."""
    wrongly_passed: tuple[tuple[str, int], ...]
    """Task and sample of episodes that the check passed and a person did not."""
    wrongly_failed: tuple[tuple[str, int], ...]
    undecided: int


def audited(run: Run, verdicts: Sequence[Verdict]) -> Audit:
    """Each person's last word on each episode counts."""
    episodes = {(e.task_id, e.sample): e for e in run.episodes if e.check is not None}
    last = {(v.task, v.sample, v.person): v for v in verdicts if (v.task, v.sample) in episodes}
    told = [v for v in last.values() if v.stands != "cannot_tell"]
    rows: list[tuple[str, float]] = []
    passed: set[tuple[str, int]] = set()
    failed: set[tuple[str, int]] = set()
    for v in told:
        episode = episodes[v.task, v.sample]
        same = (v.stands == "done") == episode.success
        rows.append((episode.template_id or episode.task_id, float(same)))
        if not same:
            (passed if episode.success else failed).add((v.task, v.sample))
    return Audit(
        mean_interval(rows),
        tuple(sorted(passed)), tuple(sorted(failed)), len(last) - len(told),
    )  # fmt: skip


async def chooser(request: Request, person: Person) -> Response:
    """Which run to audit. Leads see what came of it; the others would not be blind any more."""
    studio = studio_of(request)
    verdicts = studio.store.verdicts()
    rows = []
    for name in studio.runs.names():
        run = studio.runs.run(name)
        own = {(v.task, v.sample) for v in verdicts if v.run == name and v.person == person.name}
        total = sum(e.check is not None for e in run.episodes)
        found = audited(run, [v for v in verdicts if v.run == name]) if person.role == "lead" else None
        rows.append((name, total, len(own), found))
    return page(request, "audits.html", rows=rows)


async def audit(request: Request, person: Person) -> Response:
    """The next episode that somebody has not judged."""
    name = request.path_params["run"]
    episode = _next(request, name, person)
    if episode is None:
        return RedirectResponse("/audit", 303)
    return page(
        request, "audit.html",
        name=name, intent=episode.intent, answer=episode.answer, steps=[view(step) for step in episode.steps],
        changes=episode.changes, task=episode.task_id, sample=episode.sample,
    )  # fmt: skip


async def judge(request: Request, person: Person) -> Response:
    """Put down a verdict, and go on."""
    name = request.path_params["run"]
    fields = await form_of(request)
    stands = fields.get("stands", "")
    if stands not in STANDS or not fields.get("sample", "").isdecimal():
        raise HTTPException(400)
    task, sample = fields.get("task", ""), int(fields["sample"])
    try:
        studio_of(request).runs.episode(name, task, sample)
    except KeyError as error:
        raise HTTPException(404) from error
    studio_of(request).store.add_verdict(
        Verdict.model_validate(
            {
                "run": name, "task": task, "sample": sample, "person": person.name, "stands": stands,
                "note": fields.get("note", "").strip()[:2000],
            }
        )
    )  # fmt: skip
    return RedirectResponse(f"/audit/{name}", 303)


def _next(request: Request, name: str, person: Person) -> Episode | None:
    studio = studio_of(request)
    try:
        run = studio.runs.run(name)
    except KeyError as error:
        raise HTTPException(404) from error
    judged = {(v.task, v.sample) for v in studio.store.verdicts() if v.run == name and v.person == person.name}
    return next((e for e in audit_order(run, person.name) if (e.task_id, e.sample) not in judged), None)


ROUTES = [
    Route("/audit", signed_in(chooser)),
    Route("/audit/{run}", signed_in(audit)),
    Route("/audit/{run}", signed_in(judge), methods=["POST"]),
]
