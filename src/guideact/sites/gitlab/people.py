"""Profiles with what somebody contributed; one's own profile and status."""

from __future__ import annotations

import functools
import sqlite3
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.dashboard import PROJECT_COLUMNS
from guideact.sites.gitlab.rights import VISIBLE, visible_to
from guideact.sites.gitlab.shell import me, paragraphs, query
from guideact.sites.world import NOW

WEEKS = 40
EMOJI = ("💬", "🏠", "🌴", "🤒", "☕", "🔧", "📚", "🚲", "🎧", "🌱")
_EVENTS = (
    " SELECT 'commit' AS kind, r.title, substr(r.sha, 1, 8) AS ref, r.created_at, r.project_id FROM revision r"
    "  WHERE r.author_id = :who AND NOT EXISTS (SELECT 1 FROM project f WHERE f.id = r.project_id"
    "  AND f.forked_from_id IS NOT NULL AND f.created_at > r.created_at)"
    " UNION ALL SELECT 'issue', i.title, i.iid, i.created_at, i.project_id FROM issue i"
    "  WHERE i.author_id = :who AND i.is_confidential = 0"
    " UNION ALL SELECT 'merge', r.title, r.iid, r.created_at, r.project_id FROM merge_request r"
    " WHERE r.author_id = :who"
    " UNION ALL SELECT 'comment', i.title, i.iid, n.created_at, i.project_id FROM note n JOIN issue"
    " i ON i.id = n.issue_id"
    "  WHERE n.author_id = :who"
)
_DID = {
    "commit": "committed",
    "issue": "opened issue",
    "merge": "opened merge request",
    "comment": "commented on issue",
}


def _account(request: Request) -> sqlite3.Row:
    found = web.row(request, "SELECT * FROM account WHERE username = ?", request.path_params["username"])
    if found is None:
        web.not_found("There is nobody of this name.")
    return found


Week = list[tuple[str, int]]


def weeks_of(days: Mapping[str, int]) -> list[Week]:
    """The last weeks as columns of (day, contributions), Monday first; the last column ends today."""
    today = NOW.date()
    monday = today - timedelta(days=today.weekday() + 7 * (WEEKS - 1))
    everything = [str(monday + timedelta(days=at)) for at in range((today - monday).days + 1)]
    return [[(day, days.get(day, 0)) for day in everything[at : at + 7]] for at in range(0, len(everything), 7)]


@functools.lru_cache(maxsize=128)
def _squares(counted: tuple[tuple[str, int], ...]) -> Markup:
    """The squares and months of the calendar, as SVG: a darker one for a day with more contributions."""
    weeks = weeks_of(dict(counted))
    out = [Markup('<text x="{}" y="11">{}</text>').format(at * 16 + 34, name) for at, name in _months(weeks)]
    for column, week in enumerate(weeks):
        for weekday, (day, count) in enumerate(week):
            place = f'x="{column * 16 + 34}" y="{weekday * 16 + 20}" width="13" height="13" rx="3"'
            if count:
                words = f"{web.date_text(day)}: {web.plural(count, 'contribution')}"
                out.append(Markup(f'<rect class="s{min(4, count)}" {place}><title>{words}</title></rect>'))
            else:
                out.append(Markup(f'<rect class="s0" {place}/>'))
    return Markup("").join(out)


def _months(weeks: list[Week]) -> list[tuple[int, str]]:
    """Where a month begins in the calendar, as (column, name)."""
    found, last = [], ""
    for at, column in enumerate(weeks):
        name = date.fromisoformat(column[0][0]).strftime("%b")
        if name != last and at < len(weeks) - 1:
            found.append((at, name))
            last = name
    return found[1:] if len(found) > 1 and found[1][0] - found[0][0] < 3 else found


async def profile(request: Request) -> Response:
    """Somebody's profile: overview with the calendar and what happened lately, projects, starred projects."""
    account = _account(request)
    tab = web.field(request, "tab", "overview")
    given = {"who": account["id"], "me": visible_to(request)}
    events = query(
        request,
        f"SELECT e.*, p.full_path, p.name AS project_name FROM ({_EVENTS}) e JOIN project p ON p.id = e.project_id"
        f" WHERE {VISIBLE} ORDER BY e.created_at DESC, e.title",
        **given,
    )
    projects = []
    if tab in ("projects", "starred"):
        condition = (
            "n.account_id = :who"
            if tab == "projects"
            else "EXISTS (SELECT 1 FROM star s WHERE s.project_id = p.id AND s.account_id = :who)"
        )
        projects = query(
            request,
            f"SELECT {PROJECT_COLUMNS} FROM project p JOIN namespace n ON n.id = p.namespace_id WHERE {VISIBLE}"
            f" AND {condition} ORDER BY active_at DESC, p.id",
            **given,
        )
    days = Counter(row["created_at"][:10] for row in events)
    groups = query(
        request,
        "SELECT n.path, n.name, g.role FROM group_member g JOIN namespace n ON n.id = g.namespace_id"
        " WHERE g.account_id = :who ORDER BY n.name",
        who=account["id"],
    )
    return web.render(
        request,
        "profile.html",
        account=account,
        tab=tab,
        events=events[:15],
        projects=projects,
        squares=_squares(tuple(sorted(days.items()))),
        width=WEEKS * 16 + 34,
        total=sum(count for week in weeks_of(days) for _, count in week),
        groups=groups,
        did=_DID,
    )


@web.signed_in
async def edit(request: Request) -> Response:
    """One's own profile."""
    person = me(request)
    names = ("full_name", "bio", "location", "organisation", "website")
    given = {name: person[name] for name in names}
    errors = {}
    if request.method == "POST":
        given = {name: paragraphs(request, name) if name == "bio" else web.field(request, name) for name in names}
        if not given["full_name"]:
            errors["full_name"] = "Enter your name."
        if given["website"] and not given["website"].startswith(("http://", "https://")):
            errors["website"] = "Begin the address with https://."
        if len(given["bio"]) > 250:
            errors["bio"] = "Keep it to 250 characters."
        if not errors:
            changed = {name: value for name, value in given.items() if value != person[name]}
            if changed:
                sets = ", ".join(f"{name} = ?" for name in changed)
                web.execute(request, f"UPDATE account SET {sets} WHERE id = ?", *changed.values(), person["id"])
            web.flash(request, "Your profile was saved.")
            return web.redirect(f"/users/{person['username']}")
    return web.render(request, "profile_edit.html", status=422 if errors else 200, given=given, errors=errors)


@web.signed_in
async def status(request: Request) -> Response:
    """Set or clear one's status."""
    clear = web.field(request, "deed") == "clear"
    emoji, text = web.field(request, "status_emoji"), web.field(request, "status_text")[:100]
    busy = int(bool(web.field(request, "is_busy")))
    web.execute(
        request,
        "UPDATE account SET status_emoji = ?, status_text = ?, is_busy = ? WHERE id = ?",
        *(("", "", 0) if clear else (emoji if emoji in EMOJI else "", text, busy)),
        me(request)["id"],
    )
    web.flash(request, "Your status was cleared." if clear else "Your status was set.")
    return web.redirect(web.safe_next(request, f"/users/{me(request)['username']}"))


ROUTES = [
    Route("/users/{username}", profile, methods=["GET"]),
    Route("/profile", edit, methods=["GET", "POST"]),
    Route("/profile/status", status, methods=["POST"]),
]
