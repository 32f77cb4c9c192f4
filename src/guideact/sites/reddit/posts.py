"""A post with its comments, and writing, editing and deleting comments."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as made
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.feed import COMMENT_SCORE, posts_by_id, preference
from guideact.sites.reddit.layout import forum_or_none, is_moderator
from guideact.sites.reddit.listing import forum_side
from guideact.sites.web import (
    execute,
    field,
    flash,
    forbidden,
    integer,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
    user,
)

__all__ = ["COMMENT_SORTS", "ROUTES", "banned", "post_url"]

LONGEST = 10_000

COMMENT_SORTS: tuple[tuple[str, str], ...] = (
    ("best", "Best"),
    ("new", "Newest"),
    ("old", "Oldest"),
    ("controversial", "Controversial"),
)
_ORDERS = {
    "best": "score DESC, c.id",
    "new": "c.created_at DESC, c.id DESC",
    "old": "c.created_at, c.id",
    "controversial": "min(c.ups, c.downs) * 1.0 / max(c.ups, c.downs, 1) * (c.ups + c.downs) DESC, c.id",
}


@dataclass
class Node:
    """A comment with the answers to it."""

    comment: sqlite3.Row
    answers: list[Node] = made(default_factory=list)

    @property
    def size(self) -> int:
        """How many comments hang below this one."""
        return sum(1 + answer.size for answer in self.answers)


def post_url(slug: str, post_id: int) -> str:
    return f"/f/{slug}/comments/{post_id}"


def banned(request: Request, forum_id: int) -> sqlite3.Row | None:
    """The ban that keeps the signed-in member from writing in a forum, while it lasts."""
    return row(
        request,
        "SELECT * FROM ban WHERE forum_id = ? AND member_id = ?"
        " AND (days IS NULL OR datetime(banned_at, '+' || days || ' days') > ?)",
        forum_id,
        request.state.session.user_id,
        now_text(),
    )


def _tree(request: Request, post_id: int, sort: str) -> list[Node]:
    me = user(request)
    connection: sqlite3.Connection = request.state.db
    found = connection.execute(
        f"SELECT c.*, m.username AS author, m.colour AS author_colour, {COMMENT_SCORE} AS score,"
        " coalesce((SELECT v.value FROM vote v WHERE v.comment_id = c.id AND v.member_id = :me), 0) AS my_vote,"
        " EXISTS (SELECT 1 FROM saved s WHERE s.comment_id = c.id AND s.member_id = :me) AS is_saved"
        " FROM comment c JOIN member m ON m.id = c.author_id WHERE c.post_id = :post"
        f" ORDER BY {_ORDERS[sort]}",
        {"me": None if me is None else me["id"], "post": post_id},
    ).fetchall()
    nodes = {one["id"]: Node(one) for one in found}
    roots: list[Node] = []
    for one in found:
        parent = nodes.get(one["parent_id"])
        (roots if parent is None else parent.answers).append(nodes[one["id"]])
    return _living(roots)


def _living(nodes: Sequence[Node]) -> list[Node]:
    """Without the comments that are gone and have no answers left."""
    kept = []
    for node in nodes:
        node.answers = _living(node.answers)
        if node.answers or node.comment["status"] == "visible":
            kept.append(node)
    return kept


def _post(request: Request) -> sqlite3.Row:
    found = posts_by_id(request, [request.path_params["number"]])
    if not found or found[0]["forum_slug"] != request.path_params["slug"]:
        not_found("This post does not exist.")
    me = user(request)
    post = found[0]
    may_see = post["status"] == "visible" or is_moderator(request, post["forum_id"])
    if not may_see and (me is None or me["id"] != post["author_id"] or post["status"] == "deleted"):
        not_found("This post is not there any more.")
    return post


def _show(request: Request, post: sqlite3.Row, status: int = 200, **context: Any) -> Response:
    sort = field(request, "sort") if request.method == "GET" else ""
    if sort not in _ORDERS:
        sort = str(preference(request)["comment_sort"])
    forum = forum_or_none(request, post["forum_slug"])
    assert forum is not None
    here = {
        "post": post,
        "forum": forum,
        "tree": _tree(request, post["id"], sort),
        "sort": sort,
        "sorts": COMMENT_SORTS,
        "errors": {},
        "typed": "",
        "answered": None,
        "ban": banned(request, forum["id"]) if user(request) is not None else None,
        "related": rows(
            request,
            "SELECT p.id, p.title, f.slug FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.forum_id = ?"
            " AND p.id <> ? AND p.status = 'visible' ORDER BY p.created_at DESC, p.id DESC LIMIT 4",
            forum["id"],
            post["id"],
        ),
        **forum_side(request, forum["id"]),
    }
    return render(request, "post.html", status=status, **{**here, **context})


async def show(request: Request) -> Response:
    return _show(request, _post(request))


async def short(request: Request) -> Response:
    """/post/12 leads to the post's whole address."""
    found = row(
        request,
        "SELECT f.slug, p.id FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.id = ?",
        request.path_params["number"],
    )
    if found is None:
        not_found("This post does not exist.")
    return redirect(post_url(found["slug"], found["id"]))


def _fault(text: str, what: str = "comment") -> str:
    if not text:
        return f"Write your {what} first."
    if len(text) > LONGEST:
        return f"Use at most {LONGEST:,} characters."
    return ""


@signed_in
async def answer(request: Request) -> Response:
    """A new comment under a post, or an answer to a comment (`parent`)."""
    post = _post(request)
    if post["is_locked"] and not is_moderator(request, post["forum_id"]):
        forbidden("The moderators have locked this post: nobody can add comments.")
    if banned(request, post["forum_id"]):
        forbidden("You are banned from this forum at the moment.")
    parent = integer(request, "parent")
    if parent is not None and not row(
        request, "SELECT 1 FROM comment WHERE id = ? AND post_id = ?", parent, post["id"]
    ):
        not_found("The comment that you answered is not there any more.")
    body = field(request, "body")
    fault = _fault(body)
    if fault:
        return _show(request, post, status=422, errors={"body": fault}, typed=body, answered=parent)
    number = execute(
        request,
        "INSERT INTO comment (post_id, parent_id, author_id, body, created_at) VALUES (?, ?, ?, ?, ?)",
        post["id"],
        parent,
        request.state.session.user_id,
        body,
        now_text(),
    )
    flash(request, "Your comment is published.")
    return redirect(f"{post_url(post['forum_slug'], post['id'])}?sort=new#c{number}")


def _own_comment(request: Request) -> sqlite3.Row:
    found = row(
        request,
        "SELECT c.*, p.title, f.slug FROM comment c JOIN post p ON p.id = c.post_id JOIN forum f ON f.id = p.forum_id"
        " WHERE c.id = ? AND c.status = 'visible'",
        request.path_params["number"],
    )
    if found is None:
        not_found("This comment is not there any more.")
    if found["author_id"] != request.state.session.user_id:
        forbidden("Only its author can do this.")
    return found


@signed_in
async def edit_comment(request: Request) -> Response:
    comment = _own_comment(request)
    body, errors = comment["body"], {}
    if request.method == "POST":
        body = field(request, "body")
        fault = _fault(body)
        if not fault:
            execute(request, "UPDATE comment SET body = ?, edited_at = ? WHERE id = ?", body, now_text(), comment["id"])
            flash(request, "Your changes are saved.")
            return redirect(f"{post_url(comment['slug'], comment['post_id'])}#c{comment['id']}")
        errors = {"body": fault}
    return render(
        request, "comment_edit.html", comment=comment, body=body, errors=errors, status=422 if errors else 200
    )


@signed_in
async def delete_comment(request: Request) -> Response:
    comment = _own_comment(request)
    execute(request, "UPDATE comment SET status = 'deleted' WHERE id = ?", comment["id"])
    flash(request, "Your comment is deleted.")
    return redirect(post_url(comment["slug"], comment["post_id"]))


ROUTES = [
    Route("/f/{slug}/comments/{number:int}", show),
    Route("/f/{slug}/comments/{number:int}/answer", answer, methods=["POST"]),
    Route("/post/{number:int}", short),
    Route("/comment/{number:int}/edit", edit_comment, methods=["GET", "POST"]),
    Route("/comment/{number:int}/delete", delete_comment, methods=["POST"]),
]
