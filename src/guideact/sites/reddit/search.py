"""Search: posts, comments, forums and people, with filters; suggestions while typing."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.feed import COMMENT_SCORE, ORDERS, PERIODS, period_start, posts_by_id
from guideact.sites.web import Pager, field, now_text, render, rows

__all__ = ["ROUTES"]

TYPES: tuple[tuple[str, str], ...] = (
    ("posts", "Posts"),
    ("comments", "Comments"),
    ("forums", "Forums"),
    ("people", "People"),
)
SORTS: tuple[tuple[str, str], ...] = (
    ("relevance", "Best match"),
    ("new", "Newest"),
    ("top", "Highest score"),
    ("comments", "Most comments"),
)
KINDS: tuple[tuple[str, str], ...] = (("", "Any"), ("text", "Text"), ("link", "Link"), ("picture", "Picture"))


def _words(text: str) -> list[str]:
    return [word for word in text.split() if word][:8]


def _match(columns: str, words: list[str], given: dict[str, Any]) -> str:
    """Every word stands somewhere in the columns, case and accents aside."""
    parts = []
    for at, word in enumerate(words):
        given[f"w{at}"] = word
        parts.append(f"instr(fold({columns}), fold(:w{at})) > 0")
    return " AND ".join(parts) or "1"


def _narrow(request: Request, alias: str, given: dict[str, Any]) -> str:
    """The filters that posts and comments share, as SQL over p, `alias` and their author m."""
    where = ""
    if forum := field(request, "forum"):
        where += " AND p.forum_id = (SELECT id FROM forum WHERE slug = :forum)"
        given["forum"] = forum
    if author := field(request, "author").lstrip("@"):
        where += f" AND {alias}.author_id = (SELECT id FROM member WHERE username = :author)"
        given["author"] = author
    if (period := field(request, "t")) and period != "all":
        where += f" AND {alias}.created_at >= :since"
        given["since"] = period_start(request, period)
    return where


def _run(request: Request, sql: str, given: dict[str, Any]) -> list[sqlite3.Row]:
    connection: sqlite3.Connection = request.state.db
    return connection.execute(sql, given).fetchall()


def _posts(request: Request, words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {"now": now_text()}
    where = (
        "p.status = 'visible' AND " + _match("p.title || ' ' || p.body", words, given) + _narrow(request, "p", given)
    )
    if kind := field(request, "kind"):
        where += " AND p.kind = :kind"
        given["kind"] = kind
    if flair := field(request, "flair"):
        where += " AND p.flair_id IN (SELECT id FROM flair WHERE name = :flair)"
        given["flair"] = flair
    sort = field(request, "sort")
    # The best match has the words in its title.
    order = ORDERS.get(sort) or f"({_match('p.title', words, given)}) DESC, {ORDERS['hot']}"
    count = _run(request, f"SELECT count(*) FROM post p WHERE {where}", given)[0][0]
    pager = Pager.of(request, count, 15)
    ids = _run(
        request,
        f"SELECT p.id FROM post p WHERE {where} ORDER BY {order}, p.id DESC LIMIT {pager.size} OFFSET {pager.offset}",
        given,
    )
    return {"found": posts_by_id(request, [one[0] for one in ids]), "pager": pager}


def _comments(request: Request, words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    where = (
        "c.status = 'visible' AND p.status = 'visible' AND "
        + _match("c.body", words, given)
        + _narrow(request, "c", given)
    )
    order = f"{COMMENT_SCORE} DESC" if field(request, "sort") == "top" else "c.created_at DESC"
    joins = "FROM comment c JOIN post p ON p.id = c.post_id"
    count = _run(request, f"SELECT count(*) {joins} WHERE {where}", given)[0][0]
    pager = Pager.of(request, count, 15)
    found = _run(
        request,
        f"SELECT c.*, {COMMENT_SCORE} AS score, p.title, m.username AS author, f.slug, f.name AS forum_name {joins}"
        " JOIN member m ON m.id = c.author_id JOIN forum f ON f.id = p.forum_id"
        f" WHERE {where} ORDER BY {order}, c.id DESC LIMIT {pager.size} OFFSET {pager.offset}",
        given,
    )
    return {"found": found, "pager": pager}


def _forums(request: Request, words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    where = _match("f.name || ' ' || f.slug || ' ' || f.tagline || ' ' || f.about", words, given)
    found = _run(
        request,
        "SELECT f.*, (SELECT count(*) FROM subscription s WHERE s.forum_id = f.id) AS members FROM forum f"
        f" WHERE {where} ORDER BY members DESC, f.name",
        given,
    )
    return {"found": found, "pager": None}


def _people(request: Request, words: list[str]) -> dict[str, Any]:
    given: dict[str, Any] = {}
    where = _match("m.username || ' ' || m.full_name || ' ' || m.city || ' ' || m.bio", words, given)
    count = _run(request, f"SELECT count(*) FROM member m WHERE {where}", given)[0][0]
    pager = Pager.of(request, count, 20)
    found = _run(
        request,
        f"SELECT m.* FROM member m WHERE {where} ORDER BY m.username LIMIT {pager.size} OFFSET {pager.offset}",
        given,
    )
    return {"found": found, "pager": pager}


async def search(request: Request) -> Response:
    query = field(request, "q")[:100]
    kind = field(request, "type")
    if kind not in dict(TYPES):
        kind = "posts"
    finders = {"posts": _posts, "comments": _comments, "forums": _forums, "people": _people}
    result = finders[kind](request, _words(query))
    chosen = {name: field(request, name) for name in ("forum", "author", "t", "kind", "flair", "sort")}
    return render(
        request,
        "search.html",
        query=query,
        type=kind,
        types=TYPES,
        sorts=SORTS,
        periods=PERIODS,
        kinds=KINDS,
        chosen=chosen,
        forums=rows(request, "SELECT slug, name FROM forum ORDER BY name"),
        flairs=[one["name"] for one in rows(request, "SELECT DISTINCT name FROM flair ORDER BY name")],
        **result,
    )


async def suggest(request: Request) -> Response:
    """Forums, people and posts that begin like what is typed: the list under the search box."""
    words = _words(field(request, "q")[:60])
    given: dict[str, Any] = {}
    forums = _run(
        request, f"SELECT slug, name FROM forum f WHERE {_match('f.name', words, given)} ORDER BY f.name LIMIT 3", given
    )
    people = _run(
        request, f"SELECT username FROM member m WHERE {_match('m.username', words, given)} ORDER BY 1 LIMIT 3", given
    )
    posts = _run(
        request,
        "SELECT p.id, p.title, f.slug FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.status = 'visible' AND "
        f"{_match('p.title', words, given)} ORDER BY p.created_at DESC, p.id LIMIT 4",
        given,
    )
    return render(request, "_suggestions.html", forums=forums, people=people, posts=posts)


ROUTES = [Route("/search", search), Route("/search/suggest", suggest)]
