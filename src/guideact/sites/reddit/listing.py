"""The front page, everything, a forum's page, and the directory of forums."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.feed import PERIODS, SORTS, Feed, find_posts
from guideact.sites.reddit.layout import forum_or_none, is_moderator
from guideact.sites.web import (
    Sort,
    execute,
    field,
    flash,
    json_response,
    not_found,
    redirect,
    render,
    row,
    rows,
    safe_next,
    signed_in,
    user,
)

__all__ = ["ROUTES", "forum_side", "show_feed"]

_SHOWN = (
    "p.status = 'visible' AND p.id NOT IN (SELECT post_id FROM hidden WHERE member_id = :reader)"
    " AND p.author_id NOT IN (SELECT other_id FROM blocked WHERE member_id = :reader)"
)


def show_feed(request: Request, template: str, feed: Feed, **context: Any) -> Response:
    """A page with a list of posts, or only its next part where the page asks for that."""
    name = "_feed_part.html" if request.headers.get("x-part") == "feed" else template
    return render(request, name, feed=feed, sorts=SORTS, periods=PERIODS, **context)


async def home(request: Request) -> Response:
    me = user(request)
    where, reader = _SHOWN, None if me is None else me["id"]
    if me is not None:
        where += " AND p.forum_id IN (SELECT forum_id FROM subscription WHERE member_id = :reader)"
    feed = find_posts(request, where, {"reader": reader})
    return show_feed(
        request,
        "home.html",
        feed,
        title="Your front page" if me else "Front page",
        show_forum=True,
        **_popular(request),
    )


async def everything(request: Request) -> Response:
    me = user(request)
    feed = find_posts(request, _SHOWN, {"reader": None if me is None else me["id"]})
    return show_feed(request, "home.html", feed, title="All forums", show_forum=True, **_popular(request))


def _popular(request: Request) -> dict[str, Any]:
    return {
        "popular": rows(
            request,
            "SELECT f.slug, f.name, f.colour, count(s.id) AS members FROM forum f JOIN subscription s ON"
            " s.forum_id = f.id"
            " GROUP BY f.id ORDER BY members DESC, f.name LIMIT 6",
        )
    }


def forum_side(request: Request, forum_id: int) -> dict[str, Any]:
    """What stands beside a forum's pages: rules, moderators, flairs."""
    return {
        "rules": rows(request, "SELECT * FROM forum_rule WHERE forum_id = ? ORDER BY position, id", forum_id),
        "moderators": rows(
            request,
            "SELECT m.username FROM moderator x JOIN member m ON m.id = x.member_id WHERE x.forum_id = ? ORDER BY x.id",
            forum_id,
        ),
        "flairs": rows(request, "SELECT * FROM flair WHERE forum_id = ? ORDER BY id", forum_id),
        "moderating": is_moderator(request, forum_id),
    }


async def forum(request: Request) -> Response:
    found = forum_or_none(request, request.path_params["slug"])
    if found is None:
        not_found("There is no forum of this name.")
    me = user(request)
    where = _SHOWN + " AND p.forum_id = :forum"
    given: dict[str, Any] = {"reader": None if me is None else me["id"], "forum": found["id"]}
    flair = field(request, "flair")
    if flair:
        where += " AND p.flair_id = (SELECT id FROM flair WHERE forum_id = :forum AND name = :flair)"
        given["flair"] = flair
    feed = find_posts(request, where, given, pinned_first=True)
    return show_feed(
        request, "forum.html", feed, forum=found, flair=flair, show_forum=False, **forum_side(request, found["id"])
    )


async def directory(request: Request) -> Response:
    """All forums as a table that can be sorted, and narrowed to a topic."""
    me = user(request)
    sort = Sort.of(
        request, {"name": "f.name", "members": "members", "posts": "posts", "created": "f.created_at"}, "name"
    )
    topic = field(request, "topic")
    found = rows(
        request,
        "SELECT f.*, (SELECT count(*) FROM subscription s WHERE s.forum_id = f.id) AS members,"
        " (SELECT count(*) FROM post p WHERE p.forum_id = f.id AND p.status = 'visible') AS posts,"
        " EXISTS (SELECT 1 FROM subscription s WHERE s.forum_id = f.id AND s.member_id = ?) AS is_subscribed"
        f" FROM forum f WHERE ? IN ('', f.topic) ORDER BY {sort.sql}, f.id",
        None if me is None else me["id"],
        topic,
    )
    topics = [one["topic"] for one in rows(request, "SELECT DISTINCT topic FROM forum ORDER BY topic")]
    return render(request, "forums.html", forums=found, sort=sort, topic=topic, topics=topics)


@signed_in
async def subscribe(request: Request) -> Response:
    """Join the forum, or leave it where the member is in it."""
    forum_id, name = _named(request)
    me = request.state.session.user_id
    if row(request, "SELECT 1 FROM subscription WHERE forum_id = ? AND member_id = ?", forum_id, me):
        execute(request, "DELETE FROM subscription WHERE forum_id = ? AND member_id = ?", forum_id, me)
        flash(request, f"You left {name}.")
    else:
        execute(request, "INSERT INTO subscription (forum_id, member_id) VALUES (?, ?)", forum_id, me)
        flash(request, f"You joined {name}.")
    return redirect(safe_next(request, f"/f/{request.path_params['slug']}"))


def _named(request: Request) -> tuple[int, str]:
    found = row(request, "SELECT id, name FROM forum WHERE slug = ?", request.path_params["slug"])
    if found is None:
        not_found("There is no forum of this name.")
    return found["id"], found["name"]


async def flairs(request: Request) -> Response:
    """The flairs of a forum, for the form of a new post."""
    forum_id, _ = _named(request)
    found = rows(request, "SELECT id, name FROM flair WHERE forum_id = ? ORDER BY id", forum_id)
    return json_response([{"value": str(one["id"]), "text": one["name"]} for one in found])


ROUTES = [
    Route("/", home),
    Route("/all", everything),
    Route("/forums", directory),
    Route("/f/{slug}", forum),
    Route("/f/{slug}/subscribe", subscribe, methods=["POST"]),
    Route("/f/{slug}/flairs", flairs),
]
