"""The wiki of a forum: reading, editing with a note, the history, going back to an earlier state."""

from __future__ import annotations

import re
import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.layout import forum_or_none, is_moderator
from guideact.sites.reddit.posts import banned
from guideact.sites.web import (
    execute,
    field,
    flash,
    forbidden,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
    value,
)
from guideact.sites.world import plain

__all__ = ["ROUTES"]

LONGEST = 20_000


def _forum(request: Request) -> sqlite3.Row:
    found = forum_or_none(request, request.path_params["slug"])
    if found is None:
        not_found("There is no forum of this name.")
    return found


def _page(request: Request, forum: sqlite3.Row) -> sqlite3.Row:
    found = row(
        request,
        "SELECT w.*, r.number, r.edited_at, r.note, m.username AS editor FROM wiki_page w"
        " JOIN wiki_revision r ON r.id = (SELECT max(id) FROM wiki_revision WHERE page_id = w.id)"
        " JOIN member m ON m.id = r.author_id WHERE w.forum_id = ? AND w.slug = ?",
        forum["id"],
        request.path_params.get("page", "start"),
    )
    if found is None:
        not_found("The wiki has no such page.")
    return found


def _frame(request: Request, forum: sqlite3.Row) -> dict[str, Any]:
    pages = rows(
        request, "SELECT slug, title FROM wiki_page WHERE forum_id = ? ORDER BY slug <> 'start', title", forum["id"]
    )
    return {"forum": forum, "pages": pages, "moderating": is_moderator(request, forum["id"])}


async def show(request: Request) -> Response:
    forum = _forum(request)
    return render(request, "wiki/page.html", page=_page(request, forum), **_frame(request, forum))


def _may_edit(request: Request, forum: sqlite3.Row) -> None:
    if banned(request, forum["id"]):
        forbidden("You are banned from this forum at the moment.")


def _errors(body: str, note: str) -> dict[str, str]:
    errors: dict[str, str] = {}
    if not body:
        errors["body"] = "A page needs some text."
    elif len(body) > LONGEST:
        errors["body"] = f"Use at most {LONGEST:,} characters."
    if len(note) > 120:
        errors["note"] = "Use at most 120 characters."
    return errors


def _write(request: Request, page_id: int, body: str, note: str) -> None:
    number = value(request, "SELECT coalesce(max(number), 0) + 1 FROM wiki_revision WHERE page_id = ?", page_id)
    execute(request, "UPDATE wiki_page SET body = ? WHERE id = ?", body, page_id)
    execute(
        request,
        "INSERT INTO wiki_revision (page_id, number, body, note, author_id, edited_at) VALUES (?, ?, ?, ?, ?, ?)",
        page_id,
        number,
        body,
        note,
        request.state.session.user_id,
        now_text(),
    )


@signed_in
async def edit(request: Request) -> Response:
    forum = _forum(request)
    page = _page(request, forum)
    _may_edit(request, forum)
    body, note, errors = page["body"], "", {}
    if request.method == "POST":
        body, note = field(request, "body").replace("\r\n", "\n"), field(request, "note")
        errors = _errors(body, note)
        if not errors:
            if body != page["body"]:
                _write(request, page["id"], body, note)
                flash(request, "The page is saved.")
            else:
                flash(request, "Nothing was changed.", "info")
            return redirect(f"/f/{forum['slug']}/wiki/{page['slug']}")
    return render(
        request,
        "wiki/edit.html",
        page=page,
        title=page["title"],
        body=body,
        note=note,
        errors=errors,
        status=422 if errors else 200,
        **_frame(request, forum),
    )


@signed_in
async def new(request: Request) -> Response:
    forum = _forum(request)
    _may_edit(request, forum)
    title, body, note = field(request, "title"), field(request, "body").replace("\r\n", "\n"), field(request, "note")
    errors: dict[str, str] = {}
    if request.method == "POST":
        slug = re.sub(r"[^a-z0-9]+", "-", plain(title).lower()).strip("-")
        errors = _errors(body, note)
        if not slug or len(title) > 60:
            errors["title"] = "Give the page a title of at most 60 characters."
        elif slug in ("new", "start") or row(
            request, "SELECT 1 FROM wiki_page WHERE forum_id = ? AND slug = ?", forum["id"], slug
        ):
            errors["title"] = "There is a page of this title already."
        if not errors:
            number = execute(
                request,
                "INSERT INTO wiki_page (forum_id, slug, title, body) VALUES (?, ?, ?, ?)",
                forum["id"],
                slug,
                title,
                body,
            )
            _write(request, number, body, note)
            flash(request, "The page is saved.")
            return redirect(f"/f/{forum['slug']}/wiki/{slug}")
    return render(
        request,
        "wiki/edit.html",
        page=None,
        title=title,
        body=body,
        note=note,
        errors=errors,
        status=422 if errors else 200,
        **_frame(request, forum),
    )


async def history(request: Request) -> Response:
    forum = _forum(request)
    page = _page(request, forum)
    revisions = rows(
        request,
        "SELECT r.*, m.username FROM wiki_revision r JOIN member m ON m.id = r.author_id WHERE r.page_id = ?"
        " ORDER BY r.number DESC",
        page["id"],
    )
    return render(request, "wiki/history.html", page=page, revisions=revisions, **_frame(request, forum))


def _revision(request: Request, page: sqlite3.Row) -> sqlite3.Row:
    found = row(
        request,
        "SELECT r.*, m.username FROM wiki_revision r JOIN member m ON m.id = r.author_id WHERE r.page_id"
        " = ? AND r.number = ?",
        page["id"],
        request.path_params["number"],
    )
    if found is None:
        not_found("The page has no such revision.")
    return found


async def revision(request: Request) -> Response:
    forum = _forum(request)
    page = _page(request, forum)
    return render(request, "wiki/revision.html", page=page, revision=_revision(request, page), **_frame(request, forum))


@signed_in
async def restore(request: Request) -> Response:
    """Make an earlier state the latest one; moderators only."""
    forum = _forum(request)
    page = _page(request, forum)
    if not is_moderator(request, forum["id"]):
        forbidden("Only moderators of the forum can do this.")
    found = _revision(request, page)
    _write(request, page["id"], found["body"], f"Back to revision {found['number']}")
    flash(request, f"The page is back at revision {found['number']}.")
    return redirect(f"/f/{forum['slug']}/wiki/{page['slug']}")


ROUTES = [
    Route("/f/{slug}/wiki", show),
    Route("/f/{slug}/wiki/new", new, methods=["GET", "POST"]),
    Route("/f/{slug}/wiki/{page}", show),
    Route("/f/{slug}/wiki/{page}/edit", edit, methods=["GET", "POST"]),
    Route("/f/{slug}/wiki/{page}/history", history),
    Route("/f/{slug}/wiki/{page}/history/{number:int}", revision),
    Route("/f/{slug}/wiki/{page}/history/{number:int}/restore", restore, methods=["POST"]),
]
