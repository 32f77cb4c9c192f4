"""The frame around every page: counts in the top bar, the project's side menu, and look-ups that many pages share."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response

from guideact.sites import web
from guideact.sites.gitlab.rights import Opened
from guideact.sites.registry import SITES
from guideact.sites.world import NOW

__all__ = [
    "COLORS",
    "ago",
    "context",
    "me",
    "mentioned",
    "number",
    "paragraphs",
    "person_choices",
    "project_page",
    "query",
    "raw_field",
    "slug",
    "valid_day",
]

SITE_NAMES = {
    "shopping": "The shop",
    "shopping_admin": "Back office",
    "map": "Map",
    "reddit": "Forum",
    "wikipedia": "Encyclopaedia",
}
"""What the side menu of a project calls the sites that it leads to."""

COLORS = ("red", "orange", "amber", "green", "teal", "blue", "violet", "pink", "grey")
"""Of labels; the style sheet knows them."""


class _Row(IntegerConvertor):
    """`{id:row}` in a route: a whole number that a column can hold. Longer ones are addresses of nothing."""

    regex = "[0-9]{1,15}"


register_url_convertor("row", _Row())


def number(request: Request, name: str, default: int | None = None) -> int | None:
    """A field as a whole number that a column can hold, or the default where it is none."""
    found = web.integer(request, name, default)
    return default if found is None or abs(found) >= 10**15 else found


def query(request: Request, sql: str, **named: Any) -> list[sqlite3.Row]:
    """All rows of a query with named parameters."""
    connection: sqlite3.Connection = request.state.db
    return connection.execute(sql, named).fetchall()


def me(request: Request) -> sqlite3.Row:
    """The signed-in person; only for handlers behind `web.signed_in`."""
    person = web.user(request)
    assert person is not None
    return person


def raw_field(request: Request, name: str) -> str:
    """A field of a form as it was typed, with line ends of one kind."""
    sent = web.form(request).get(name)
    return sent.replace("\r\n", "\n").replace("\r", "\n") if isinstance(sent, str) else ""


def paragraphs(request: Request, name: str) -> str:
    """A field of several lines, with the white space around it taken off."""
    return raw_field(request, name).strip()


def valid_day(text: str) -> bool:
    """Whether a text is a day as YYYY-MM-DD."""
    try:
        return len(text) == 10 and bool(date.fromisoformat(text))
    except ValueError:
        return False


def slug(text: str) -> str:
    """The part of an address that a name gives: "Spring Menu!" -> spring-menu."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")


def ago(given: str | None) -> str:
    """How long before now: 3 days ago, 2 months ago."""
    if not given:
        return ""
    moment = datetime.fromisoformat(given)
    seconds = int((datetime(NOW.year, NOW.month, NOW.day, NOW.hour, NOW.minute) - moment).total_seconds())
    for unit, size in (("year", 31_536_000), ("month", 2_592_000), ("week", 604_800), ("day", 86_400), ("hour", 3600)):
        if seconds >= size:
            return f"{web.plural(seconds // size, unit)} ago"
    return f"{web.plural(seconds // 60, 'minute')} ago" if seconds >= 60 else "just now"


def person_choices(request: Request, project: Opened) -> list[sqlite3.Row]:
    """Everybody who can be given work in a project: its members and its group's, by name."""
    return query(
        request,
        "SELECT a.id, a.username, a.full_name FROM account a WHERE a.id IN"
        " (SELECT account_id FROM project_member WHERE project_id = :project UNION"
        "  SELECT account_id FROM group_member WHERE namespace_id = :namespace) ORDER BY a.full_name",
        project=project["id"],
        namespace=project["namespace_id"],
    )


def mentioned(request: Request, text: str) -> Iterable[int]:
    """Accounts that a text speaks to with @name, but for its author."""
    names = sorted(set(re.findall(r"(?<![\w/@.])@([a-z][\w.]*\w)", text)))
    for name in names:
        found = web.value(request, "SELECT id FROM account WHERE username = ?", name)
        if found is not None and found != me(request)["id"]:
            yield int(found)


def project_page(
    request: Request, project: Opened, template: str, section: str, /, status: int = 200, **more: Any
) -> Response:
    """A page of a project: with its side menu, in which `section` is marked."""
    links = [(SITE_NAMES[name], web.site_url(request, name)) for name in project["links"].split(",") if name in SITES]
    return web.render(
        request, template, status=status, project=project, may=project.may, section=section, links=links, **more
    )


_NAMES = {"assigned": "assigned you", "mentioned": "mentioned you in", "review": "asked you to review"}


def context(request: Request) -> Mapping[str, Any]:
    """What every template of the site needs besides the common names."""
    person = web.user(request)
    if person is None:
        return {"pending": [], "waiting": None, "search_text": ""}
    pending = query(
        request,
        "SELECT t.id, t.reason, a.full_name AS author, p.full_path, coalesce(i.iid, r.iid) AS iid,"
        " i.id IS NULL AS merge,"
        " coalesce(i.title, r.title) AS title, t.created_at FROM todo t JOIN account a ON a.id = t.author_id"
        " LEFT JOIN issue i ON i.id = t.issue_id LEFT JOIN merge_request r ON r.id = t.merge_request_id"
        " JOIN project p ON p.id = coalesce(i.project_id, r.project_id)"
        " WHERE t.account_id = :me AND t.state = 'pending' ORDER BY t.created_at DESC, t.id DESC",
        me=person["id"],
    )
    (counts,) = query(
        request,
        "SELECT (SELECT count(*) FROM issue_assignee x JOIN issue i ON i.id = x.issue_id"
        "  WHERE x.account_id = :me AND i.state = 'open') AS issues,"
        " (SELECT count(*) FROM merge_request WHERE state = 'open' AND (assignee_id = :me OR id IN"
        "  (SELECT merge_request_id FROM review WHERE account_id = :me AND state = 'asked'))) AS merges",
        me=person["id"],
    )
    return {"pending": pending, "reasons": _NAMES, "waiting": counts, "search_text": ""}
