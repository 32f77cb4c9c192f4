"""Lists of posts: which, in which order, and with everything that a card shows of each."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from guideact.sites.web import field, integer, now_text, rows, user, value, with_query

__all__ = [
    "COMMENT_SCORE",
    "PERIODS",
    "POST_SCORE",
    "SORTS",
    "Feed",
    "find_posts",
    "period_start",
    "posts_by_id",
    "preference",
]

PAGE = 20

SORTS: tuple[tuple[str, str], ...] = (
    ("hot", "Hot"),
    ("new", "New"),
    ("top", "Top"),
    ("controversial", "Controversial"),
)
PERIODS: tuple[tuple[str, str], ...] = (
    ("day", "Today"),
    ("week", "This week"),
    ("month", "This month"),
    ("year", "This year"),
    ("all", "All time"),
)
_SPANS = {"hour": "-1 hours", "day": "-24 hours", "week": "-7 days", "month": "-1 months", "year": "-1 years"}

POST_SCORE = "(p.ups - p.downs + coalesce((SELECT sum(v.value) FROM vote v WHERE v.post_id = p.id), 0))"
COMMENT_SCORE = "(c.ups - c.downs + coalesce((SELECT sum(v.value) FROM vote v WHERE v.comment_id = c.id), 0))"

_AGE = "((julianday(:now) - julianday(p.created_at)) * 24 + 10)"
ORDERS: dict[str, str] = {
    # What is liked sinks with the square of its age, so that a morning's post can pass a week's favourite.
    "hot": f"({POST_SCORE} + 2) / ({_AGE} * {_AGE}) DESC",
    "new": "p.created_at DESC",
    "top": f"{POST_SCORE} DESC",
    # Many votes, and as many of one kind as of the other.
    "controversial": "min(p.ups, p.downs) * 1.0 / max(p.ups, p.downs, 1) * (p.ups + p.downs) DESC",
    "comments": "(SELECT count(*) FROM comment c WHERE c.post_id = p.id AND c.status = 'visible') DESC",
    "old": "p.created_at",
}

_COLUMNS = f"""
  p.*, f.slug AS forum_slug, f.name AS forum_name, f.colour AS forum_colour, m.username AS author,
  fl.name AS flair, {POST_SCORE} AS score,
  (SELECT count(*) FROM comment c WHERE c.post_id = p.id AND c.status = 'visible') AS comments,
  coalesce((SELECT v.value FROM vote v WHERE v.post_id = p.id AND v.member_id = :me), 0) AS my_vote,
  EXISTS (SELECT 1 FROM saved s WHERE s.post_id = p.id AND s.member_id = :me) AS is_saved,
  EXISTS (SELECT 1 FROM hidden h WHERE h.post_id = p.id AND h.member_id = :me) AS is_hidden,
  x.title AS cross_title, xf.slug AS cross_forum, xf.name AS cross_forum_name, x.id AS cross_id
"""
_JOINS = """
  JOIN forum f ON f.id = p.forum_id JOIN member m ON m.id = p.author_id LEFT JOIN flair fl ON fl.id = p.flair_id
  LEFT JOIN post x ON x.id = p.crosspost_id LEFT JOIN forum xf ON xf.id = x.forum_id
"""


_DEFAULTS: dict[str, Any] = {
    "list_view": "card",
    "default_sort": "hot",
    "comment_sort": "best",
    "digest": "weekly",
    "notify_replies": 1,
    "notify_messages": 1,
    "public_profile": 1,
    "messages_from": "everyone",
}


@dataclass(frozen=True)
class Feed:
    """A part of a list of posts. `more_url` leads to the next part, `first_url` back to the first."""

    posts: Sequence[sqlite3.Row]
    sort: str
    period: str
    more_url: str | None
    first_url: str | None
    count: int


def preference(request: Request) -> dict[str, Any]:
    """The signed-in member's settings; the defaults for a guest."""
    state = request.state
    if not hasattr(state, "preference"):
        me = user(request)
        found = rows(request, "SELECT * FROM preference WHERE member_id = ?", me["id"]) if me is not None else []
        state.preference = dict(found[0]) if found else dict(_DEFAULTS)
    known: dict[str, Any] = state.preference
    return known


def period_start(request: Request, period: str) -> str:
    """The first moment of a period that ends now; early enough for anything where there is no such period."""
    span = _SPANS.get(period)
    return "0" if span is None else str(value(request, "SELECT datetime(?, ?)", now_text(), span))


def find_posts(
    request: Request, where: str, parameters: dict[str, Any], *, pinned_first: bool = False, default_sort: str = ""
) -> Feed:
    """The posts that fit `where` (SQL over `p`), by the address's `sort`, `t` (period) and `after` (how"
    " many to skip)."""
    sort = field(request, "sort") or default_sort or str(preference(request)["default_sort"])
    if sort not in ORDERS:
        sort = "hot"
    period = field(request, "t") or ("week" if sort == "top" else "all")
    me = user(request)
    after = max(0, integer(request, "after", 0) or 0)
    given = {**parameters, "me": None if me is None else me["id"], "now": now_text(), "limit": PAGE + 1, "after": after}
    if sort in ("top", "controversial") and period in _SPANS:
        where += " AND p.created_at >= :since"
        given["since"] = period_start(request, period)
    first = "p.is_pinned DESC, " if pinned_first and sort == "hot" else ""
    connection: sqlite3.Connection = request.state.db
    ids = [
        found[0]
        for found in connection.execute(
            f"SELECT p.id FROM post p WHERE {where} ORDER BY {first}{ORDERS[sort]}, p.id DESC LIMIT :limit"
            " OFFSET :after",
            given,
        ).fetchall()
    ]
    count = connection.execute(f"SELECT count(*) FROM post p WHERE {where}", given).fetchall()[0][0]
    return Feed(
        posts=posts_by_id(request, ids[:PAGE]),
        sort=sort,
        period=period,
        more_url=with_query(request, after=after + PAGE) if len(ids) > PAGE else None,
        first_url=with_query(request, after=None) if after else None,
        count=count,
    )


def posts_by_id(request: Request, ids: Sequence[int]) -> list[sqlite3.Row]:
    """Posts with all that their cards show, in the order of the ids."""
    me = user(request)
    marks = ", ".join(str(int(one)) for one in ids)
    connection: sqlite3.Connection = request.state.db
    found = connection.execute(
        f"SELECT {_COLUMNS} FROM post p {_JOINS} WHERE p.id IN ({marks})", {"me": None if me is None else me["id"]}
    ).fetchall()
    order = {one: at for at, one in enumerate(ids)}
    return sorted(found, key=lambda post: order[post["id"]])
