"""Reading lists: articles that somebody wants to keep together."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import (
    execute,
    field,
    flash,
    integer,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
)
from guideact.sites.wikipedia import shelf

__all__ = ["ROUTES"]

LONGEST_NAME = 60


def _own(request: Request, list_id: int | None) -> sqlite3.Row:
    found = row(
        request,
        "SELECT * FROM reading_list WHERE id = ? AND user_id = ?",
        list_id,
        request.state.session.user_id,
    )
    if found is None:
        not_found("You have no reading list with this number.")
    return found


def _lists(request: Request, errors: dict[str, str], typed: dict[str, str]) -> Response:
    found = rows(
        request,
        "SELECT l.*, (SELECT COUNT(*) FROM reading_list_item i WHERE i.list_id = l.id) AS articles"
        " FROM reading_list l WHERE l.user_id = ? ORDER BY l.name, l.id",
        request.state.session.user_id,
    )
    return render(request, "reading_lists.html", found=found, errors=errors, typed=typed, status=422 if errors else 200)


@signed_in
async def lists(request: Request) -> Response:
    if request.method == "GET":
        return _lists(request, {}, {"name": "", "description": ""})
    name, description = field(request, "name")[:LONGEST_NAME], field(request, "description")[:200]
    if not name:
        return _lists(request, {"name": "Give the list a name."}, {"name": name, "description": description})
    made = execute(
        request,
        "INSERT INTO reading_list (user_id, name, description, created_at) VALUES (?, ?, ?, ?)",
        request.state.session.user_id,
        name,
        description,
        now_text(),
    )
    flash(request, f"The list “{name}” was made.")
    return redirect(f"/lists/{made}")


@signed_in
async def one_list(request: Request) -> Response:
    found = _own(request, request.path_params["id"])
    items = rows(
        request,
        "SELECT i.id, i.added_at, a.slug, a.title, a.id AS article_id FROM reading_list_item i"
        " JOIN article a ON a.id = i.article_id WHERE i.list_id = ? ORDER BY i.added_at, i.id",
        found["id"],
    )
    return render(
        request,
        "reading_list.html",
        found=found,
        items=[(one, shelf.short_of(one["article_id"])) for one in items],
    )


@signed_in
async def add(request: Request) -> Response:
    """Put an article on one of one's lists."""
    page = shelf.page(request, request.path_params["slug"])
    if request.method == "GET":
        return redirect(page.url)
    found = _own(request, integer(request, "list"))
    known = row(request, "SELECT 1 FROM reading_list_item WHERE list_id = ? AND article_id = ?", found["id"], page.id)
    if known:
        flash(request, f"“{page.title}” is on the list “{found['name']}” already.", "info")
    else:
        execute(
            request,
            "INSERT INTO reading_list_item (list_id, article_id, added_at) VALUES (?, ?, ?)",
            found["id"],
            page.id,
            now_text(),
        )
        flash(request, f"“{page.title}” was put on the list “{found['name']}”.")
    return redirect(page.url)


@signed_in
async def take_off(request: Request) -> Response:
    found = _own(request, request.path_params["id"])
    execute(
        request,
        "DELETE FROM reading_list_item WHERE id = ? AND list_id = ?",
        request.path_params["item"],
        found["id"],
    )
    flash(request, "The article was taken off the list.")
    return redirect(f"/lists/{found['id']}")


@signed_in
async def rename(request: Request) -> Response:
    found = _own(request, request.path_params["id"])
    name = field(request, "name")[:LONGEST_NAME]
    if name:
        execute(
            request,
            "UPDATE reading_list SET name = ?, description = ? WHERE id = ?",
            name,
            field(request, "description")[:200],
            found["id"],
        )
        flash(request, "The list was saved.")
    else:
        flash(request, "A list needs a name.", "error")
    return redirect(f"/lists/{found['id']}")


@signed_in
async def remove(request: Request) -> Response:
    found = _own(request, request.path_params["id"])
    execute(request, "DELETE FROM reading_list_item WHERE list_id = ?", found["id"])
    execute(request, "DELETE FROM reading_list WHERE id = ?", found["id"])
    flash(request, f"The list “{found['name']}” was deleted.")
    return redirect("/lists")


ROUTES = [
    Route("/lists", lists, methods=["GET", "POST"]),
    Route("/lists/{id:int}", one_list),
    Route("/lists/{id:int}/rename", rename, methods=["POST"]),
    Route("/lists/{id:int}/delete", remove, methods=["POST"]),
    Route("/lists/{id:int}/items/{item:int}/remove", take_off, methods=["POST"]),
    Route("/lists/add/{slug}", add, methods=["GET", "POST"]),
]
