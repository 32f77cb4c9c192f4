"""Runs: a leaderboard, two runs task by task, and every episode step by step."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePosixPath
from typing import TypeVar

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from guideact.report.episodes import result_of
from guideact.report.words import action_in_words
from guideact.studio.store import Person
from guideact.studio.web import page, signed_in, studio_of
from guideact.types import Click, Point, Scroll, Select, Step, Type

T = TypeVar("T")


async def board(request: Request, person: Person) -> Response:
    """All runs, the best first."""
    runs = studio_of(request).runs
    a, b = request.query_params.get("a"), request.query_params.get("b")
    if a and b:
        return RedirectResponse(f"/runs/{a}/against/{b}", 303)
    # In a thread: intervals of a long run take seconds.
    rows = await run_in_threadpool(runs.board)
    return page(request, "board.html", rows=rows)


async def run(request: Request, person: Person) -> Response:
    """The episodes of a run, failures first."""
    name = request.path_params["run"]
    found = _known(lambda: studio_of(request).runs.run(name))
    rank = {"failed": 0, "infrastructure error": 1, "solved": 2}
    episodes = sorted(found.episodes, key=lambda e: (rank[result_of(e)], e.task_id, e.sample))
    return page(request, "run.html", run=found, name=name, episodes=[(e, result_of(e)) for e in episodes])


async def against(request: Request, person: Person) -> Response:
    """Two runs: paired differences, then the tasks on which they differ."""
    runs = studio_of(request).runs
    a, b = request.path_params["a"], request.path_params["b"]
    _known(lambda: (runs.run(a), runs.run(b)))
    comparison = await run_in_threadpool(runs.compare, a, b)
    first = {name: {e.task_id: e for e in reversed(runs.run(name).episodes)} for name in (a, b)}
    tasks = [
        (first[a][task], first[b][task], winner)
        for winner, names in (("A", comparison.won), ("B", comparison.lost))
        for task in names
    ]
    return page(request, "against.html", c=comparison, a=a, b=b, tasks=tasks)


async def episode(request: Request, person: Person) -> Response:
    """An episode step by step."""
    name, task, sample = (request.path_params[part] for part in ("run", "task", "sample"))
    found = _known(lambda: studio_of(request).runs.episode(name, task, sample))
    return page(
        request, "episode.html", name=name, episode=found, result=result_of(found), steps=[view(s) for s in found.steps]
    )


async def picture(request: Request, person: Person) -> Response:
    """The picture that a step of a run was decided on."""
    name, path = request.path_params["run"], str(PurePosixPath(request.path_params["path"]))
    return FileResponse(_known(lambda: studio_of(request).runs.picture(name, path)), media_type="image/png")


def view(step: Step) -> dict[str, object]:
    """What a page shows of a step."""
    return {"step": step, "words": action_in_words(step.action, step.target), "lit": _lit(step)}


def _lit(step: Step) -> dict[str, float] | None:
    if step.target is not None:
        box = step.target.box
        return {"x": box.x - 4, "y": box.y - 4, "width": box.width + 8, "height": box.height + 8}
    action = step.action
    if isinstance(action, Click | Type | Select | Scroll) and isinstance(action.target, Point):
        return {"x": action.target.x - 22, "y": action.target.y - 22, "width": 44, "height": 44}
    return None


def _known(read: Callable[[], T]) -> T:
    try:
        return read()
    except KeyError as error:
        raise HTTPException(404) from error


ROUTES = [
    Route("/runs", signed_in(board)),
    Route("/runs/{run}", signed_in(run)),
    Route("/runs/{a}/against/{b}", signed_in(against)),
    Route("/runs/{run}/picture/{path:path}", signed_in(picture)),
    Route("/runs/{run}/{task}/{sample:int}", signed_in(episode)),
]
