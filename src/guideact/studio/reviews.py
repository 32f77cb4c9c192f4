"""Reviewing sentences step by step, settling what people differ about, and how far the work has come."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from guideact.leaks import find_leaks
from guideact.studio.items import Item
from guideact.studio.store import Decision, Kind, Label, Person
from guideact.studio.web import form_of, page, signed_in, studio_of
from guideact.studio.work import Outcome, agreement, finished, next_item, next_task, outcomes, tallies, to_settle

REASONS = ("names another element", "not true", "not clear", "gives the answer away", "several things at once", "other")
"""Why a sentence is rejected."""
LONGEST = 2000
"""Characters of a text."""


async def work(request: Request, person: Person) -> Response:
    """What is mine, and the way to the next step."""
    studio = studio_of(request)
    given, done = studio.store.assignments(), finished(studio.store, person.name)
    sizes = studio.store.tasks()
    mine = [task for task in sizes if person.name in given.get(task, ()) or task in done]
    titles = {item.task: item.title for item in studio.store.items().values()}
    waiting = len(to_settle(outcomes(studio.store))) if person.role == "lead" else 0
    return page(
        request, "work.html",
        mine=[(task, titles[task], sizes[task], task in done) for task in mine], total=len(sizes), waiting=waiting,
    )  # fmt: skip


async def go_on(request: Request, person: Person) -> Response:
    """To the next step that waits for somebody, a new task included."""
    await form_of(request)
    studio = studio_of(request)
    task = next_task(studio.store, studio.plan, person.name)
    number = next_item(studio.store, task, person.name) if task is not None else None
    return RedirectResponse("/work?done=1" if number is None else f"/review/{number}", 303)


async def review(request: Request, person: Person) -> Response:
    """One step: the picture with the target lit, the action, the draft and what came before."""
    number, item = _item(request)
    if person.role != "lead" and person.name not in studio_of(request).store.assignments().get(item.task, ()):
        raise HTTPException(403)
    return _show(request, person, number, item, "review")


async def settle(request: Request, person: Person) -> Response:
    """The same for a lead, with what everybody said."""
    number, item = _item(request)
    return _show(request, person, number, item, "settled")


async def decide(request: Request, person: Person) -> Response:
    """Put down a label, and go on."""
    number, item = _item(request)
    fields = await form_of(request)
    store = studio_of(request).store
    kind: Kind = "settled" if fields.get("kind") == "settled" else "review"
    if kind == "settled" and person.role != "lead":
        raise HTTPException(403)
    if kind == "review" and person.role != "lead" and person.name not in store.assignments().get(item.task, ()):
        raise HTTPException(403)
    label = read_label(number, item, person.name, kind, fields)
    if isinstance(label, Problem):
        return _show(request, person, number, item, kind, problem=label, text=fields.get("text", ""))
    store.add_label(label)
    if kind == "settled":
        return RedirectResponse("/settle", 303)
    store.assign(item.task, person.name, person.name)
    after = next_item(store, item.task, person.name)
    numbers = list(store.items(item.task))
    later = [each for each in numbers if each > number]
    if after is None:
        return RedirectResponse(f"/work?finished={item.task}", 303)
    return RedirectResponse(f"/review/{after if after > number or not later else later[0]}", 303)


@dataclass(frozen=True)
class Problem:
    """What is wrong with a form: a key of the studio's words, and what it speaks of."""

    text: str
    what: str = ""


def read_label(number: int, item: Item, person: str, kind: Kind, fields: dict[str, str]) -> Label | Problem:
    """The label that a form holds, or what is wrong with it. Raises HTTPException for what no page sends."""
    decision = fields.get("decision", "")
    text = " ".join(fields.get("text", "").split())[:LONGEST]
    reason = " ".join(fields.get("reason", "").split())[:200]
    kept: Decision
    match decision:
        case "accept":
            kept, text = "accept", item.draft
        case "edit" if text == " ".join(item.draft.split()):
            return Problem("The sentence is as it was: accept it, or change it.")
        case "edit" if not text:
            return Problem("The sentence is empty: reject it, or write one.")
        case "edit" if leaks := find_leaks(text):
            return Problem("The sentence gives away what a person cannot see: {what}.", leaks[0].detail)
        case "edit":
            kept = "edit"
        case "reject" if not reason:
            return Problem("Say why it is rejected.")
        case "reject":
            kept, text = "reject", ""
        case _:
            raise HTTPException(400)
    try:
        seconds = min(max(float(fields.get("seconds") or 0), 0.0), 3600.0)
    except ValueError as error:
        raise HTTPException(400) from error
    return Label(
        item=number, person=person, kind=kind, decision=kept, text=text, reason=reason if kept == "reject" else "",
        flagged=fields.get("flagged") == "1", note=fields.get("note", "").strip()[:LONGEST], seconds=seconds,
    )  # fmt: skip


async def disputed(request: Request, person: Person) -> Response:
    """What waits for a lead."""
    return page(request, "disputed.html", waiting=to_settle(outcomes(studio_of(request).store)))


async def progress(request: Request, person: Person) -> Response:
    """How far the work has come, who did what, and how far people agree."""
    studio = studio_of(request)
    found = outcomes(studio.store)
    kinds = Counter("open" if each.final is None else each.final.decision for each in found)
    given = studio.store.assignments()
    tasks = [
        (task, size, studio.plan.wanted(task), given.get(task, []), [p for p in given.get(task, []) if task in done])
        for done in [_done_by(found)]
        for task, size in studio.store.tasks().items()
    ]
    return page(
        request, "progress.html",
        steps=len(found), kinds=kinds, reviewed=sum(bool(each.reviews) for each in found),
        doubly=sum(len(each.reviews) > 1 for each in found), waiting=len(to_settle(found)),
        tallies=tallies(studio.store, found), agreement=agreement(found), tasks=tasks,
        people=[each.name for each in studio.store.people()],
    )  # fmt: skip


def _done_by(found: list[Outcome]) -> dict[str, list[str]]:
    """The people who have reviewed every step of a task."""
    people: dict[str, set[str]] = {}
    for each in found:
        own = {review.person for review in each.reviews}
        people[each.item.task] = people[each.item.task] & own if each.item.task in people else own
    return {task: sorted(names) for task, names in people.items() if names}


async def give(request: Request, person: Person) -> Response:
    """A lead gives a task to somebody, or takes it back."""
    fields = await form_of(request)
    store = studio_of(request).store
    task, name = fields.get("task", ""), fields.get("person", "")
    if task not in store.tasks() or store.person(name) is None:
        raise HTTPException(400)
    if fields.get("take") == "1":
        store.withdraw(task, name)
    else:
        store.assign(task, name, person.name)
    return RedirectResponse("/progress#tasks", 303)


async def picture(request: Request, person: Person) -> Response:
    """A screenshot."""
    try:
        path = studio_of(request).store.image_path(request.path_params["sha256"])
    except ValueError as error:
        raise HTTPException(404) from error
    if path is None:
        raise HTTPException(404)
    return FileResponse(path, media_type="image/png" if path.suffix == ".png" else "image/jpeg")


def _item(request: Request) -> tuple[int, Item]:
    number = int(request.path_params["number"])
    item = studio_of(request).store.item(number)
    if item is None:
        raise HTTPException(404)
    return number, item


def _show(
    request: Request,
    person: Person,
    number: int,
    item: Item,
    kind: Kind,
    problem: Problem | None = None,
    text: str | None = None,
) -> Response:
    studio = studio_of(request)
    steps = studio.store.items(item.task)
    numbers = list(steps)
    here = numbers.index(number)
    labels = studio.store.labels(number)
    own = [label for label in labels if label.kind == kind and (kind == "settled" or label.person == person.name)]
    last = own[-1] if own else None
    shown = text if text is not None else last.text if last is not None and last.decision != "reject" else item.draft
    before = [
        (position + 1, _said(studio.store.labels(each), steps[each], person))
        for position, each in enumerate(numbers[:here])
    ]
    return page(
        request, "review.html", 422 if problem else 200,
        number=number, item=item, kind=kind, count=len(numbers), text=shown, last=last, problem=problem,
        before=before, reasons=REASONS, previous=numbers[here - 1] if here else None,
        following=numbers[here + 1] if here + 1 < len(numbers) else None,
        # Whoever reviews sees only what they said themselves: labels that are not independent measure nothing.
        history=labels if kind == "settled" else own, lit=lit(item),
    )  # fmt: skip


def _said(labels: list[Label], item: Item, person: Person) -> str:
    """The sentence of an earlier step as somebody left it."""
    own = [label for label in labels if label.person == person.name and label.text]
    return own[-1].text if own else item.draft


def lit(item: Item) -> dict[str, float] | None:
    """Where the target stands in the picture, with a margin; None where nothing is pointed at."""
    if item.box is not None:
        box = item.box
        return {"x": box.x - 4, "y": box.y - 4, "width": box.width + 8, "height": box.height + 8}
    if item.point is not None:
        return {"x": item.point[0] - 22, "y": item.point[1] - 22, "width": 44, "height": 44}
    return None


ROUTES = [
    Route("/work", signed_in(work)),
    Route("/next", signed_in(go_on), methods=["POST"]),
    Route("/review/{number:int}", signed_in(review)),
    Route("/review/{number:int}", signed_in(decide), methods=["POST"]),
    Route("/settle", signed_in(disputed, lead=True)),
    Route("/settle/{number:int}", signed_in(settle, lead=True)),
    Route("/progress", signed_in(progress, lead=True)),
    Route("/give", signed_in(give, lead=True), methods=["POST"]),
    Route("/picture/{sha256}", signed_in(picture)),
]
