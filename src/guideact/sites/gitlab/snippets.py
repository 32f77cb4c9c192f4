"""Small pieces of code that belong to a person and to no project."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import highlight
from guideact.sites.gitlab.projects import VISIBILITIES
from guideact.sites.gitlab.rights import visible_to
from guideact.sites.gitlab.shell import me, query, raw_field

_SEEN = "(s.visibility = 'public' OR (s.visibility = 'internal' AND :me > 0) OR s.author_id = :me)"
_NAMES = ("title", "description", "file_name", "visibility")


async def index(request: Request) -> Response:
    """One's own snippets, or everybody's."""
    mine = web.field(request, "scope", "mine") == "mine" and web.user(request) is not None
    found = query(
        request,
        "SELECT s.*, a.full_name, a.username FROM snippet s JOIN account a ON a.id = s.author_id"
        f" WHERE {_SEEN} AND (NOT :mine OR s.author_id = :me) ORDER BY s.created_at DESC, s.id DESC",
        me=visible_to(request),
        mine=mine,
    )
    return web.render(request, "snippets.html", snippets=found, mine=mine)


def _snippet(request: Request) -> sqlite3.Row:
    found = query(
        request,
        "SELECT s.*, a.full_name, a.username FROM snippet s JOIN account a ON a.id = s.author_id"
        f" WHERE s.id = :id AND {_SEEN}",
        id=request.path_params["id"],
        me=visible_to(request),
    )
    if not found:
        web.not_found("There is no such snippet, or you may not see it.")
    return found[0]


async def show(request: Request) -> Response:
    snippet = _snippet(request)
    return web.render(
        request,
        "snippet.html",
        snippet=snippet,
        lines=highlight.lines(snippet["file_name"], snippet["content"]),
        language=highlight.language(snippet["file_name"]),
    )


@web.signed_in
async def form(request: Request) -> Response:
    """A new snippet, or one of one's own that is changed."""
    snippet = _snippet(request) if "id" in request.path_params else None
    if snippet is not None and snippet["author_id"] != me(request)["id"]:
        web.forbidden("Only its author may change a snippet.")
    given = {name: snippet[name] if snippet else "" for name in (*_NAMES, "content")}
    given["visibility"] = given["visibility"] or "private"
    errors = {}
    if request.method == "POST":
        given = {name: web.field(request, name) for name in _NAMES}
        given["content"] = raw_field(request, "content").rstrip("\n") + "\n"
        if not given["title"]:
            errors["title"] = "Enter a title."
        if not given["file_name"]:
            errors["file_name"] = "Enter a file name; its ending tells the language."
        if not given["content"].strip():
            errors["content"] = "Write the code."
        if given["visibility"] not in VISIBILITIES:
            errors["visibility"] = "Choose who may see the snippet."
        if not errors:
            names = ", ".join(given)
            if snippet:
                sets = ", ".join(f"{name} = ?" for name in given)
                web.execute(request, f"UPDATE snippet SET {sets} WHERE id = ?", *given.values(), snippet["id"])
                number = snippet["id"]
            else:
                number = web.execute(
                    request,
                    f"INSERT INTO snippet (author_id, created_at, {names}) VALUES (?, ?, ?, ?, ?, ?, ?)",
                    me(request)["id"],
                    web.now_text(),
                    *given.values(),
                )
            web.flash(request, f"The snippet {given['title']} was saved.")
            return web.redirect(f"/snippets/{number}")
    return web.render(
        request,
        "snippet_form.html",
        status=422 if errors else 200,
        snippet=snippet,
        given=given,
        errors=errors,
        visibilities=VISIBILITIES,
    )


@web.signed_in
async def delete(request: Request) -> Response:
    snippet = _snippet(request)
    if snippet["author_id"] != me(request)["id"]:
        web.forbidden("Only its author may delete a snippet.")
    web.execute(request, "DELETE FROM snippet WHERE id = ?", snippet["id"])
    web.flash(request, f"The snippet {snippet['title']} was deleted.")
    return web.redirect("/snippets")


ROUTES = [
    Route("/snippets", index, methods=["GET"]),
    Route("/snippets/new", form, methods=["GET", "POST"]),
    Route("/snippets/{id:row}", show, methods=["GET"]),
    Route("/snippets/{id:row}/edit", form, methods=["GET", "POST"]),
    Route("/snippets/{id:row}/delete", delete, methods=["POST"]),
]
