"""Members: their pages, the card that hovers over their names, blocking."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.feed import COMMENT_SCORE, POST_SCORE, find_posts
from guideact.sites.web import (
    Pager,
    execute,
    field,
    flash,
    not_found,
    redirect,
    render,
    row,
    rows,
    safe_next,
    signed_in,
    user,
    value,
)

__all__ = ["ROUTES"]

PUBLIC_TABS: tuple[tuple[str, str], ...] = (("posts", "Posts"), ("comments", "Comments"))
OWN_TABS: tuple[tuple[str, str], ...] = (
    *PUBLIC_TABS,
    ("saved", "Saved"),
    ("hidden", "Hidden"),
    ("upvoted", "Upvoted"),
    ("downvoted", "Downvoted"),
)
_LISTS = {
    "posts": "p.author_id = :member AND p.status = 'visible'",
    "saved": "p.status = 'visible' AND p.id IN (SELECT post_id FROM saved WHERE member_id = :member)",
    "hidden": "p.status = 'visible' AND p.id IN (SELECT post_id FROM hidden WHERE member_id = :member)",
    "upvoted": "p.status = 'visible' AND p.id IN (SELECT post_id FROM vote WHERE member_id = :member AND value = 1)",
    "downvoted": "p.status = 'visible' AND p.id IN (SELECT post_id FROM vote WHERE member_id = :member AND value = -1)",
}


def _member(request: Request) -> sqlite3.Row:
    found = row(request, "SELECT * FROM member WHERE username = ?", request.path_params["username"])
    if found is None:
        not_found("There is no member of this name.")
    return found


def _numbers(request: Request, member_id: int) -> dict[str, int]:
    return {
        "posts": value(request, "SELECT count(*) FROM post WHERE author_id = ? AND status = 'visible'", member_id),
        "comments": value(
            request, "SELECT count(*) FROM comment WHERE author_id = ? AND status = 'visible'", member_id
        ),
        "post_points": value(
            request,
            f"SELECT coalesce(sum({POST_SCORE}), 0) FROM post p WHERE author_id = ? AND status = 'visible'",
            member_id,
        ),
        "comment_points": value(
            request,
            f"SELECT coalesce(sum({COMMENT_SCORE}), 0) FROM comment c WHERE author_id = ? AND status = 'visible'",
            member_id,
        ),
    }


async def profile(request: Request) -> Response:
    member = _member(request)
    me = user(request)
    own = me is not None and me["id"] == member["id"]
    tabs = OWN_TABS if own else PUBLIC_TABS
    tab = request.path_params.get("tab", "posts")
    if tab not in dict(tabs):
        not_found("This list is seen by its owner only." if tab in dict(OWN_TABS) else "There is no such list.")
    context: dict[str, Any] = {"feed": None, "comments": [], "pager": None}
    private = not own and value(request, "SELECT public_profile FROM preference WHERE member_id = ?", member["id"]) == 0
    if private:
        pass
    elif tab == "comments":
        pager = Pager.of(
            request,
            value(request, "SELECT count(*) FROM comment WHERE author_id = ? AND status = 'visible'", member["id"]),
            15,
        )
        context["pager"] = pager
        order = f"{COMMENT_SCORE} DESC" if field(request, "sort") == "top" else "c.created_at DESC"
        context["comments"] = _comments(
            request,
            "c.author_id = ?",
            member["id"],
            f"ORDER BY {order}, c.id DESC LIMIT {pager.size} OFFSET {pager.offset}",
        )
    else:
        context["feed"] = find_posts(request, _LISTS[tab], {"member": member["id"]}, default_sort="new")
        if request.headers.get("x-part") == "feed":
            return render(request, "_feed_part.html", feed=context["feed"], show_forum=True)
        if tab == "saved":
            context["comments"] = _comments(
                request,
                "c.id IN (SELECT comment_id FROM saved WHERE member_id = ?)",
                member["id"],
                "ORDER BY c.id DESC",
            )
    return render(
        request,
        "profile.html",
        member=member,
        own=own,
        private=private,
        tabs=tabs,
        tab=tab,
        numbers=_numbers(request, member["id"]),
        is_blocked=me is not None
        and row(request, "SELECT 1 FROM blocked WHERE member_id = ? AND other_id = ?", me["id"], member["id"])
        is not None,
        moderates=rows(
            request,
            "SELECT f.slug, f.name, f.colour FROM moderator x JOIN forum f ON f.id = x.forum_id WHERE"
            " x.member_id = ? ORDER BY f.name",
            member["id"],
        ),
        show_forum=True,
        **context,
    )


def _comments(request: Request, where: str, given: Any, tail: str) -> list[sqlite3.Row]:
    return rows(
        request,
        f"SELECT c.*, {COMMENT_SCORE} AS score, p.title, m.username AS author, f.slug, f.name AS"
        " forum_name FROM comment c"
        " JOIN post p ON p.id = c.post_id JOIN member m ON m.id = c.author_id JOIN forum f ON f.id = p.forum_id"
        f" WHERE c.status = 'visible' AND {where} {tail}",
        given,
    )


async def card(request: Request) -> Response:
    """The little card over a member's name."""
    member = _member(request)
    return render(request, "_card.html", member=member, numbers=_numbers(request, member["id"]))


@signed_in
async def block(request: Request) -> Response:
    """Block a member, or unblock one who is blocked."""
    member = _member(request)
    me = request.state.session.user_id
    known = row(request, "SELECT id FROM blocked WHERE member_id = ? AND other_id = ?", me, member["id"])
    if known is not None:
        execute(request, "DELETE FROM blocked WHERE id = ?", known["id"])
        flash(request, f"You see {member['username']} again.")
    elif member["id"] != me:
        execute(request, "INSERT INTO blocked (member_id, other_id) VALUES (?, ?)", me, member["id"])
        flash(request, f"You will not see posts of {member['username']} any more.")
    return redirect(safe_next(request, f"/user/{member['username']}"))


ROUTES = [
    Route("/user/{username}", profile),
    Route("/user/{username}/card", card),
    Route("/user/{username}/block", block, methods=["POST"]),
    Route("/user/{username}/{tab}", profile),
]
