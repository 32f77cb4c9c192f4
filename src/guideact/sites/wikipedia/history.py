"""How articles came to be: revisions, comparing and restoring them, recent changes, watchlists, thanks."""

from __future__ import annotations

import sqlite3
from datetime import timedelta

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import (
    Pager,
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
    safe_next,
    signed_in,
    user,
    value,
)
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.diffs import compare
from guideact.sites.wikipedia.frame import preferences
from guideact.sites.wikipedia.reading import article_context, check_may_edit
from guideact.sites.world import NOW

__all__ = ["ROUTES"]

LONGEST_SUMMARY = 200
DAYS = (7, 30, 90, 365)


async def history(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    count = value(request, "SELECT COUNT(*) FROM revision WHERE article_id = ?", page.id)
    pager = Pager.of(request, count, 20, (20, 50))
    revisions = rows(
        request,
        "SELECT r.id, r.number, r.created_at, r.summary, r.size, r.is_minor, u.username, u.id AS user_id,"
        " r.size - COALESCE(p.size, 0) AS change,"
        " (SELECT COUNT(*) FROM thanks t WHERE t.revision_id = r.id) AS thanked"
        " FROM revision r JOIN user u ON u.id = r.user_id"
        " LEFT JOIN revision p ON p.article_id = r.article_id AND p.number = r.number - 1"
        " WHERE r.article_id = ? ORDER BY r.number DESC LIMIT ? OFFSET ?",
        page.id,
        pager.size,
        pager.offset,
    )
    return render(
        request, "history.html", revisions=revisions, pager=pager, **article_context(request, page, "history")
    )


def _revision(request: Request, revision_id: int | None) -> sqlite3.Row:
    found = row(
        request,
        "SELECT r.*, a.slug, a.title, u.username FROM revision r JOIN article a ON a.id = r.article_id"
        " JOIN user u ON u.id = r.user_id WHERE r.id = ?",
        revision_id,
    )
    if found is None:
        not_found("There is no revision with this number.")
    return found


async def comparison(request: Request) -> Response:
    """Two revisions of one article side by side, the older one on the left however they were named."""
    old, new = _revision(request, integer(request, "old")), _revision(request, integer(request, "new"))
    if old["article_id"] != new["article_id"]:
        not_found("These revisions belong to two different articles.")
    if old["number"] > new["number"]:
        old, new = new, old
    page = shelf.page(request, new["slug"])
    neighbours = rows(
        request,
        "SELECT id, number FROM revision WHERE article_id = ? AND number IN (?, ?)",
        page.id,
        old["number"] - 1,
        new["number"] + 1,
    )
    by_number = {one["number"]: one["id"] for one in neighbours}
    return render(
        request,
        "compare.html",
        old=old,
        new=new,
        lines=compare(shelf.revision_text(old), shelf.revision_text(new)),
        between=max(0, new["number"] - old["number"] - 1),
        earlier=by_number.get(old["number"] - 1),
        later=by_number.get(new["number"] + 1),
        **article_context(request, page, "history"),
    )


@signed_in
async def restore(request: Request) -> Response:
    """Make the text of an earlier revision the newest one."""
    found = _revision(request, request.path_params["id"])
    page = shelf.page(request, found["slug"])
    check_may_edit(request, page)
    if found["id"] == page.revision_id:
        flash(request, "This is the newest revision already.", "info")
        return redirect(f"/history/{page.slug}")
    text = shelf.revision_text(found)
    if request.method == "POST":
        summary = field(request, "summary")[:LONGEST_SUMMARY]
        if text == page.source:
            flash(request, "The article has this text already. Nothing was changed.", "info")
            return redirect(page.url)
        shelf.save(request, page.id, text, summary, is_minor=False)
        flash(request, f"The revision of {found['created_at'][:10]} was restored.")
        return redirect(page.url)
    return render(
        request,
        "restore.html",
        revision=found,
        lines=compare(page.source, text),
        summary=f"Restored the revision of {found['created_at'][:10]} by {found['username']}",
        **article_context(request, page, "history"),
    )


@signed_in
async def thank(request: Request) -> Response:
    found = _revision(request, request.path_params["id"])
    thanker = request.state.session.user_id
    onward = safe_next(request, f"/history/{found['slug']}")
    if found["user_id"] == thanker:
        flash(request, "You cannot thank yourself.", "error")
    elif row(request, "SELECT 1 FROM thanks WHERE revision_id = ? AND user_id = ?", found["id"], thanker):
        flash(request, f"You have thanked {found['username']} for this edit already.", "info")
    else:
        execute(request, "INSERT INTO thanks (revision_id, user_id) VALUES (?, ?)", found["id"], thanker)
        flash(request, f"You thanked {found['username']} for this edit.")
    return redirect(onward)


_LINES = (
    "SELECT r.id, r.number, r.created_at, r.summary, r.size, r.is_minor, u.username, a.title, a.slug,"
    " r.size - COALESCE(p.size, 0) AS change, p.id AS parent_id"
    " FROM revision r JOIN article a ON a.id = r.article_id JOIN user u ON u.id = r.user_id"
    " LEFT JOIN revision p ON p.article_id = r.article_id AND p.number = r.number - 1"
)


async def recent(request: Request) -> Response:
    """The latest edits of all articles, by day."""
    days = integer(request, "days", 30)
    days = days if days in DAYS else 30
    chosen = preferences(request)
    kind = field(request, "minor") or ("hide" if chosen is not None and chosen["hide_minor"] else "show")
    where = " WHERE r.created_at >= ?" + (" AND r.is_minor = 0" if kind == "hide" else "")
    since = (NOW - timedelta(days)).strftime("%Y-%m-%d %H:%M:%S")
    count = value(request, f"SELECT COUNT(*) FROM revision r{where}", since)
    pager = Pager.of(request, count, 30)
    found = rows(
        request,
        f"{_LINES}{where} ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?",
        since,
        pager.size,
        pager.offset,
    )
    return render(request, "recent.html", lines=_by_day(found), pager=pager, days=days, choices=DAYS, kind=kind)


def _by_day(found: list[sqlite3.Row]) -> list[tuple[str, list[sqlite3.Row]]]:
    groups: dict[str, list[sqlite3.Row]] = {}
    for one in found:
        groups.setdefault(one["created_at"][:10], []).append(one)
    return list(groups.items())


async def contributions(request: Request) -> Response:
    member = row(request, "SELECT * FROM user WHERE username = ?", request.path_params["name"])
    if member is None:
        not_found("There is no editor with this name.")
    count = value(request, "SELECT COUNT(*) FROM revision WHERE user_id = ?", member["id"])
    pager = Pager.of(request, count, 20)
    found = rows(
        request,
        f"{_LINES} WHERE r.user_id = ? ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?",
        member["id"],
        pager.size,
        pager.offset,
    )
    return render(request, "contributions.html", member=member, lines=_by_day(found), pager=pager)


@signed_in
async def watchlist(request: Request) -> Response:
    """The watched articles with their latest edits."""
    reader = user(request)
    assert reader is not None
    found = rows(
        request,
        "SELECT w.id AS watch_id, a.id, a.slug, a.title, r.id AS revision_id, r.created_at, r.summary, u.username"
        " FROM watch w JOIN article a ON a.id = w.article_id"
        " JOIN revision r ON r.article_id = a.id"
        " AND r.number = (SELECT MAX(number) FROM revision WHERE article_id = a.id)"
        " JOIN user u ON u.id = r.user_id WHERE w.user_id = ? ORDER BY r.created_at DESC, a.id",
        reader["id"],
    )
    return render(request, "watchlist.html", found=found)


@signed_in
async def watch(request: Request) -> Response:
    """Put an article on the watchlist or take it off, as the field `do` says."""
    page = shelf.page(request, request.path_params["slug"])
    reader = request.state.session.user_id
    if request.method == "GET":
        return redirect(page.url)
    on = row(request, "SELECT 1 FROM watch WHERE user_id = ? AND article_id = ?", reader, page.id) is not None
    if field(request, "do") == "remove":
        execute(request, "DELETE FROM watch WHERE user_id = ? AND article_id = ?", reader, page.id)
        flash(request, f"“{page.title}” is no longer on your watchlist.")
    elif not on:
        add_watch(request, page.id)
        flash(request, f"“{page.title}” is on your watchlist now.")
    return redirect(safe_next(request, page.url))


def add_watch(request: Request, article_id: int) -> None:
    """Put an article on the signed-in user's watchlist, if it is not there yet."""
    execute(
        request,
        "INSERT OR IGNORE INTO watch (user_id, article_id, added_at) VALUES (?, ?, ?)",
        request.state.session.user_id,
        article_id,
        now_text(),
    )


ROUTES = [
    Route("/history/{slug}", history),
    Route("/compare", comparison),
    Route("/restore/{id:int}", restore, methods=["GET", "POST"]),
    Route("/thank/{id:int}", thank, methods=["POST"]),
    Route("/recent", recent),
    Route("/contributions/{name}", contributions),
    Route("/watchlist", watchlist),
    Route("/watch/{slug}", watch, methods=["GET", "POST"]),
]
