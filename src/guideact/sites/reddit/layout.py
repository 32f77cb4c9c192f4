"""What every page shows around its content, and the filters that the boards' templates use."""

from __future__ import annotations

import sqlite3
from typing import Any

from markupsafe import Markup
from starlette.requests import Request

from guideact.sites.reddit.cardview import ago, card, domain
from guideact.sites.reddit.feed import preference
from guideact.sites.reddit.markdown import excerpt, markdown
from guideact.sites.registry import SITES
from guideact.sites.web import row, rows, static_url, user, value

__all__ = ["FILTERS", "forum_or_none", "is_moderator", "is_staff", "site_context"]


NEIGHBOURS = (
    ("shopping", "Lumo Market"),
    ("wikipedia", "Almanach"),
    ("map", "Wayfinder"),
    ("gitlab", "Quayside"),
)
"""Sites that every page has a link to, where they are served."""


def initials(username: str) -> str:
    """Two letters for the round picture of a member."""
    letters = [letter for letter in username if letter.isalpha()]
    return "".join(letters[:2]).upper() or "?"


FILTERS = {"ago": ago, "markdown": markdown, "excerpt": excerpt, "initials": initials, "domain": domain, "card": card}


def is_moderator(request: Request, forum_id: int) -> bool:
    """Whether the signed-in member moderates the forum."""
    return forum_id in _moderated(request)


def is_staff(request: Request) -> bool:
    """Whether the signed-in member moderates any forum."""
    return bool(_moderated(request))


def _moderated(request: Request) -> frozenset[int]:
    if not hasattr(request.state, "moderated"):
        me = user(request)
        found = rows(request, "SELECT forum_id FROM moderator WHERE member_id = ?", me["id"]) if me is not None else []
        request.state.moderated = frozenset(one["forum_id"] for one in found)
    known: frozenset[int] = request.state.moderated
    return known


def forum_or_none(request: Request, slug: str) -> sqlite3.Row | None:
    """A forum with its number of subscribers and whether the signed-in member is one of them."""
    me = user(request)
    return row(
        request,
        "SELECT f.*, (SELECT count(*) FROM subscription s WHERE s.forum_id = f.id) AS members,"
        " EXISTS (SELECT 1 FROM subscription s WHERE s.forum_id = f.id AND s.member_id = ?) AS is_subscribed,"
        " (SELECT count(*) FROM post p WHERE p.forum_id = f.id AND p.status = 'visible') AS posts"
        " FROM forum f WHERE f.slug = ?",
        None if me is None else me["id"],
        slug,
    )


def site_context(request: Request) -> dict[str, Any]:
    """For every template: `boards` (subscribed forums, counts, preferences), `icons`, `here`, `href`."""
    me = user(request)
    query = request.url.query
    mine: list[sqlite3.Row] = []
    unread = reports = 0
    if me is not None:
        mine = rows(
            request,
            "SELECT f.slug, f.name, f.colour FROM subscription s JOIN forum f ON f.id = s.forum_id"
            " WHERE s.member_id = ? ORDER BY f.name",
            me["id"],
        )
        unread = value(
            request,
            "SELECT count(*) FROM message x JOIN conversation c ON c.id = x.conversation_id"
            " WHERE x.is_read = 0 AND x.sender_id <> ? AND ? IN (c.starter_id, c.other_id)",
            me["id"],
            me["id"],
        )
        if is_staff(request):
            reports = value(
                request,
                "SELECT count(DISTINCT coalesce(post_id, -comment_id)) FROM report WHERE status = 'open'"
                " AND forum_id IN (SELECT forum_id FROM moderator WHERE member_id = ?)",
                me["id"],
            )
    here = f"{request.url.path}?{query}" if query else request.url.path

    def href(url: str) -> str:
        if url.startswith("__"):
            name, _, path = url[2:].partition("__")
            made: str = request.state.site_url(name.lower(), path)
            return made
        return url

    def rich(text: str) -> Markup:
        made = markdown(text)
        if "__SHOPPING__" in made:
            made = Markup(str(made).replace("__SHOPPING__", request.state.site_url("shopping", "")))
        return made

    return {
        "boards": {
            "mine": mine,
            "unread": unread,
            "reports": reports,
            "staff": is_staff(request),
            "view": preference(request)["list_view"],
            "neighbours": [(title, request.state.site_url(name, "/")) for name, title in NEIGHBOURS if name in SITES],
        },
        "icons": static_url(request.state.site, "icons.svg"),
        "here": here,
        "href": href,
        "rich": rich,
    }
