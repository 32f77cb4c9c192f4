"""What one click does to a post or a comment: vote, save, hide, report.

Asked by a script, these answer JSON; asked by a plain form, they lead back to where the form was.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.feed import COMMENT_SCORE, POST_SCORE
from guideact.sites.reddit.seed_moderation import REASONS
from guideact.sites.web import (
    execute,
    field,
    flash,
    json_response,
    not_found,
    now_text,
    redirect,
    render,
    row,
    safe_next,
    signed_in,
    value,
)

__all__ = ["ROUTES"]


def _answer(request: Request, text: str, **facts: Any) -> Response:
    if request.headers.get("x-requested-with") == "fetch":
        return json_response({"text": text, **facts})
    if text:
        flash(request, text)
    return redirect(safe_next(request))


def _thing(request: Request) -> tuple[str, sqlite3.Row]:
    """The column that points at it (post_id or comment_id), and its row."""
    kind = request.path_params.get("kind", "post")
    if kind not in ("post", "comment"):
        not_found()
    found = row(request, f"SELECT * FROM {kind} WHERE id = ? AND status = 'visible'", request.path_params["number"])
    if found is None:
        not_found(f"This {kind} is not there any more.")
    return f"{kind}_id", found


@signed_in
async def vote(request: Request) -> Response:
    """Up or down; the same again takes the vote back."""
    column, thing = _thing(request)
    me = request.state.session.user_id
    wanted = 1 if request.path_params["way"] == "up" else -1
    known = row(request, f"SELECT * FROM vote WHERE member_id = ? AND {column} = ?", me, thing["id"])
    if known is None:
        execute(request, f"INSERT INTO vote (member_id, {column}, value) VALUES (?, ?, ?)", me, thing["id"], wanted)
    elif known["value"] == wanted:
        execute(request, "DELETE FROM vote WHERE id = ?", known["id"])
        wanted = 0
    else:
        execute(request, "UPDATE vote SET value = ? WHERE id = ?", wanted, known["id"])
    alias, score = ("p", POST_SCORE) if column == "post_id" else ("c", COMMENT_SCORE)
    table = column.removesuffix("_id")
    total = value(request, f"SELECT {score} FROM {table} {alias} WHERE {alias}.id = ?", thing["id"])
    return _answer(request, "", vote=wanted, score=total)


@signed_in
async def save(request: Request) -> Response:
    column, thing = _thing(request)
    me = request.state.session.user_id
    known = row(request, f"SELECT id FROM saved WHERE member_id = ? AND {column} = ?", me, thing["id"])
    if known is None:
        execute(request, f"INSERT INTO saved (member_id, {column}) VALUES (?, ?)", me, thing["id"])
    else:
        execute(request, "DELETE FROM saved WHERE id = ?", known["id"])
    return _answer(request, "Taken off your saved list." if known else "Saved to your list.", pressed=known is None)


@signed_in
async def hide(request: Request) -> Response:
    _, thing = _thing(request)
    me = request.state.session.user_id
    known = row(request, "SELECT id FROM hidden WHERE member_id = ? AND post_id = ?", me, thing["id"])
    if known is None:
        execute(request, "INSERT INTO hidden (member_id, post_id) VALUES (?, ?)", me, thing["id"])
    else:
        execute(request, "DELETE FROM hidden WHERE id = ?", known["id"])
    return _answer(
        request,
        "The post is back in your lists." if known else "The post is hidden from your lists.",
        pressed=known is None,
    )


@signed_in
async def report(request: Request) -> Response:
    """Tell the moderators of the forum. A page of its own; the dialog of the lists sends the same form."""
    column, thing = _thing(request)
    post_id = thing["id"] if column == "post_id" else thing["post_id"]
    post = row(
        request,
        "SELECT p.id, p.title, p.forum_id, f.slug, f.name FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.id = ?",
        post_id,
    )
    assert post is not None
    errors: dict[str, str] = {}
    typed = {"reason": field(request, "reason"), "note": field(request, "note")}
    if request.method == "POST":
        if typed["reason"] not in REASONS:
            errors["reason"] = "Choose a reason."
        if len(typed["note"]) > 300:
            errors["note"] = "Use at most 300 characters."
        if not errors:
            execute(
                request,
                f"INSERT INTO report (forum_id, {column}, reporter_id, reason, note, created_at) VALUES"
                " (?, ?, ?, ?, ?, ?)",
                post["forum_id"],
                thing["id"],
                request.state.session.user_id,
                typed["reason"],
                typed["note"],
                now_text(),
            )
            flash(request, f"Thank you. The moderators of {post['name']} will look at it.")
            return redirect(f"/f/{post['slug']}/comments/{post['id']}")
    return render(
        request,
        "report.html",
        post=post,
        kind=column.removesuffix("_id"),
        thing=thing,
        reasons=REASONS,
        typed=typed,
        errors=errors,
        status=422 if errors else 200,
    )


ROUTES = [
    Route("/{kind}/{number:int}/vote/{way}", vote, methods=["POST"]),
    Route("/{kind}/{number:int}/save", save, methods=["POST"]),
    Route("/post/{number:int}/hide", hide, methods=["POST"]),
    Route("/{kind}/{number:int}/report", report, methods=["GET", "POST"]),
]
