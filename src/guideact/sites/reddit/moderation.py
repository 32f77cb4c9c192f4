"""What the moderators of a forum do: reports, posts, bans, rules, flairs, the forum's own words, the log."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.layout import forum_or_none, is_moderator
from guideact.sites.reddit.posts import post_url
from guideact.sites.reddit.seed_moderation import REASONS
from guideact.sites.web import (
    Pager,
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
    safe_next,
    signed_in,
    value,
)

__all__ = ["ROUTES"]

TABS: tuple[tuple[str, str], ...] = (
    ("queue", "Reports"),
    ("removed", "Removed"),
    ("bans", "Bans"),
    ("rules", "Rules"),
    ("flairs", "Flairs"),
    ("about", "Forum settings"),
    ("log", "Log"),
)
DURATIONS: tuple[tuple[str, str], ...] = (
    ("1", "1 day"),
    ("3", "3 days"),
    ("7", "7 days"),
    ("30", "30 days"),
    ("90", "90 days"),
    ("", "For good"),
)
POSTING: tuple[tuple[str, str], ...] = (
    ("everyone", "Everyone"),
    ("subscribers", "Subscribers only"),
    ("moderators", "Moderators only"),
)

Guarded = Callable[[Request, sqlite3.Row], Awaitable[Response]]


def moderators_only(handler: Guarded) -> Callable[[Request], Awaitable[Response]]:
    """Guard: gives the handler the forum of the address, to its moderators only."""

    @functools.wraps(handler)
    async def guarded(request: Request) -> Response:
        forum = forum_or_none(request, request.path_params["slug"])
        if forum is None:
            not_found("There is no forum of this name.")
        if not is_moderator(request, forum["id"]):
            forbidden("Only moderators of the forum see this page.")
        return await handler(request, forum)

    return signed_in(guarded)


def log(request: Request, forum_id: int, action: str, target: str) -> None:
    """Note what a moderator did."""
    execute(
        request,
        "INSERT INTO mod_log (forum_id, member_id, action, target, done_at) VALUES (?, ?, ?, ?, ?)",
        forum_id,
        request.state.session.user_id,
        action,
        target[:120],
        now_text(),
    )


def _page(request: Request, forum: sqlite3.Row, tab: str, status: int = 200, **context: Any) -> Response:
    open_reports = value(
        request,
        "SELECT count(DISTINCT coalesce(post_id, -comment_id)) FROM report WHERE status = 'open' AND forum_id = ?",
        forum["id"],
    )
    return render(
        request, f"mod/{tab}.html", status=status, forum=forum, tabs=TABS, tab=tab, open_reports=open_reports, **context
    )


# --- reports ----------------------------------------------------------------------------------------------------


def _reported(request: Request, where: str, *given: Any) -> list[dict[str, Any]]:
    """Open reports, one entry for each post or comment, the latest first, with all that was said about it."""
    found = rows(
        request,
        "SELECT r.*, m.username AS reporter, f.slug, f.name AS forum_name, coalesce(p.id, cp.id) AS in_post,"
        " coalesce(p.title, cp.title) AS title, coalesce(c.body, p.body) AS body, a.username AS author,"
        " coalesce(c.created_at, p.created_at) AS written_at FROM report r JOIN member m ON m.id = r.reporter_id"
        " JOIN forum f ON f.id = r.forum_id LEFT JOIN post p ON p.id = r.post_id"
        " LEFT JOIN comment c ON c.id = r.comment_id LEFT JOIN post cp ON cp.id = c.post_id"
        f" JOIN member a ON a.id = coalesce(p.author_id, c.author_id) WHERE r.status = 'open' AND {where}"
        " ORDER BY r.created_at DESC, r.id DESC",
        *given,
    )
    entries: dict[tuple[str, int], dict[str, Any]] = {}
    for one in found:
        kind = "post" if one["post_id"] is not None else "comment"
        key = (kind, one["post_id"] if kind == "post" else one["comment_id"])
        entry = entries.setdefault(key, {"kind": kind, "id": key[1], "row": one, "reports": []})
        entry["reports"].append(one)
    return list(entries.values())


@signed_in
async def overview(request: Request) -> Response:
    """The reports of all forums that the member moderates."""
    me = request.state.session.user_id
    mine = rows(
        request,
        "SELECT f.*, (SELECT count(DISTINCT coalesce(post_id, -comment_id)) FROM report WHERE forum_id ="
        " f.id AND status = 'open')"
        " AS reports FROM moderator x JOIN forum f ON f.id = x.forum_id WHERE x.member_id = ? ORDER BY f.name",
        me,
    )
    if not mine:
        forbidden("You do not moderate a forum.")
    entries = _reported(request, "r.forum_id IN (SELECT forum_id FROM moderator WHERE member_id = ?)", me)
    return render(request, "mod/overview.html", entries=entries, mine=mine)


@moderators_only
async def queue(request: Request, forum: sqlite3.Row) -> Response:
    return _page(request, forum, "queue", entries=_reported(request, "r.forum_id = ?", forum["id"]))


def _thing(request: Request, forum: sqlite3.Row) -> tuple[str, sqlite3.Row, str]:
    """Kind, row and a few words of a post or comment of the forum."""
    kind = request.path_params["kind"]
    number = request.path_params["number"]
    if kind == "post":
        found = row(request, "SELECT *, title AS words FROM post WHERE id = ? AND forum_id = ?", number, forum["id"])
    elif kind == "comment":
        found = row(
            request,
            "SELECT c.*, c.body AS words FROM comment c JOIN post p ON p.id = c.post_id WHERE c.id = ?"
            " AND p.forum_id = ?",
            number,
            forum["id"],
        )
    else:
        found = None
    if found is None:
        not_found("This is not there any more.")
    return kind, found, found["words"]


@moderators_only
async def judge(request: Request, forum: sqlite3.Row) -> Response:
    """Approve or remove a post or a comment; its open reports are settled by it."""
    kind, thing, words = _thing(request, forum)
    verdict = request.path_params["verdict"]
    if verdict not in ("approve", "remove"):
        not_found()
    if thing["status"] == "deleted":
        forbidden("Its author has deleted it.")
    status = "visible" if verdict == "approve" else "removed"
    if thing["status"] != status:
        execute(request, f"UPDATE {kind} SET status = ? WHERE id = ?", status, thing["id"])
    execute(
        request,
        f"UPDATE report SET status = ? WHERE {kind}_id = ? AND status = 'open'",
        "approved" if verdict == "approve" else "removed",
        thing["id"],
    )
    done = "Approved" if verdict == "approve" else "Removed"
    log(request, forum["id"], f"{done} {kind}", words)
    flash(request, f"The {kind} is {done.lower()}.")
    return redirect(safe_next(request, f"/f/{forum['slug']}/mod/queue"))


@moderators_only
async def removed(request: Request, forum: sqlite3.Row) -> Response:
    """Posts and comments that were taken down."""
    posts = rows(
        request,
        "SELECT p.id, p.title AS words, m.username AS author, p.created_at, 'post' AS kind, p.id AS in_post FROM post p"
        " JOIN member m ON m.id = p.author_id WHERE p.forum_id = ? AND p.status = 'removed'"
        " UNION ALL SELECT c.id, c.body, m.username, c.created_at, 'comment', p.id FROM comment c JOIN"
        " post p ON p.id = c.post_id"
        " JOIN member m ON m.id = c.author_id WHERE p.forum_id = ? AND c.status = 'removed' ORDER BY 4 DESC",
        forum["id"],
        forum["id"],
    )
    return _page(request, forum, "removed", things=posts)


# --- posts ------------------------------------------------------------------------------------------------------

_SWITCHES = {
    "pin": ("is_pinned", "Pinned post", "Unpinned post", "The post is pinned.", "The post is no longer pinned."),
    "lock": (
        "is_locked",
        "Locked post",
        "Unlocked post",
        "The post is locked.",
        "The post is open for comments again.",
    ),
}


@moderators_only
async def switch(request: Request, forum: sqlite3.Row) -> Response:
    """Pin or lock a post, or undo it."""
    number = request.path_params["number"]
    found = row(request, "SELECT * FROM post WHERE id = ? AND forum_id = ?", number, forum["id"])
    if found is None or request.path_params["what"] not in _SWITCHES:
        not_found()
    column, on, off, say_on, say_off = _SWITCHES[request.path_params["what"]]
    turned = int(not found[column])
    execute(request, f"UPDATE post SET {column} = ? WHERE id = ?", turned, number)
    log(request, forum["id"], on if turned else off, found["title"])
    flash(request, say_on if turned else say_off)
    return redirect(post_url(forum["slug"], number))


@moderators_only
async def set_flair(request: Request, forum: sqlite3.Row) -> Response:
    """Give somebody's post another flair."""
    number = request.path_params["number"]
    found = row(request, "SELECT * FROM post WHERE id = ? AND forum_id = ?", number, forum["id"])
    if found is None:
        not_found()
    flair = integer(request, "flair")
    name = value(request, "SELECT name FROM flair WHERE id = ? AND forum_id = ?", flair, forum["id"])
    execute(request, "UPDATE post SET flair_id = ? WHERE id = ?", flair if name else None, number)
    log(request, forum["id"], f"Set flair {name}" if name else "Took flair away", found["title"])
    flash(request, "The flair is changed.")
    return redirect(post_url(forum["slug"], number))


# --- bans -------------------------------------------------------------------------------------------------------


@moderators_only
async def bans(request: Request, forum: sqlite3.Row) -> Response:
    """Who is banned, and the form to ban somebody."""
    typed = {name: field(request, name) for name in ("username", "reason", "days", "note")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        other = row(request, "SELECT * FROM member WHERE username = ?", typed["username"].lstrip("@"))
        if other is None:
            errors["username"] = "There is no member of this name."
        elif other["id"] == request.state.session.user_id:
            errors["username"] = "You can not ban yourself."
        elif row(request, "SELECT 1 FROM ban WHERE forum_id = ? AND member_id = ?", forum["id"], other["id"]):
            errors["username"] = "This member is banned already."
        if typed["reason"] not in REASONS:
            errors["reason"] = "Choose a reason."
        if typed["days"] not in dict(DURATIONS):
            errors["days"] = "Choose how long."
        if not errors and other is not None:
            execute(
                request,
                "INSERT INTO ban (forum_id, member_id, reason, note, days, banned_at, by_id) VALUES (?,"
                " ?, ?, ?, ?, ?, ?)",
                forum["id"],
                other["id"],
                typed["reason"],
                typed["note"],
                int(typed["days"]) if typed["days"] else None,
                now_text(),
                request.state.session.user_id,
            )
            log(request, forum["id"], "Banned member", other["username"])
            flash(request, f"{other['username']} is banned.")
            return redirect(f"/f/{forum['slug']}/mod/bans")
    found = rows(
        request,
        "SELECT b.*, m.username, o.username AS by_name FROM ban b JOIN member m ON m.id = b.member_id"
        " JOIN member o ON o.id = b.by_id WHERE b.forum_id = ? ORDER BY b.banned_at DESC, b.id DESC",
        forum["id"],
    )
    if request.method == "GET" and not typed["days"]:
        typed["days"] = "7"
    return _page(
        request,
        forum,
        "bans",
        422 if errors else 200,
        bans=found,
        typed=typed,
        errors=errors,
        reasons=REASONS,
        durations=DURATIONS,
    )


@moderators_only
async def unban(request: Request, forum: sqlite3.Row) -> Response:
    found = row(
        request,
        "SELECT b.id, m.username FROM ban b JOIN member m ON m.id = b.member_id WHERE b.id = ? AND b.forum_id = ?",
        request.path_params["number"],
        forum["id"],
    )
    if found is None:
        not_found("This ban is over.")
    execute(request, "DELETE FROM ban WHERE id = ?", found["id"])
    log(request, forum["id"], "Lifted ban", found["username"])
    flash(request, f"{found['username']} can write again.")
    return redirect(f"/f/{forum['slug']}/mod/bans")


# --- rules, flairs, the forum's words -----------------------------------------------------------------------------


@moderators_only
async def rules(request: Request, forum: sqlite3.Row) -> Response:
    """The rules, each of which can be edited; a form for a new one."""
    typed = {name: field(request, name) for name in ("title", "body")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        errors = _rule_errors(typed)
        if not errors:
            at = value(request, "SELECT coalesce(max(position), 0) + 1 FROM forum_rule WHERE forum_id = ?", forum["id"])
            execute(
                request,
                "INSERT INTO forum_rule (forum_id, position, title, body) VALUES (?, ?, ?, ?)",
                forum["id"],
                at,
                typed["title"],
                typed["body"],
            )
            log(request, forum["id"], "Added rule", typed["title"])
            flash(request, "The rule is added.")
            return redirect(f"/f/{forum['slug']}/mod/rules")
    found = rows(request, "SELECT * FROM forum_rule WHERE forum_id = ? ORDER BY position, id", forum["id"])
    return _page(request, forum, "rules", 422 if errors else 200, rules=found, typed=typed, errors=errors)


def _rule_errors(typed: dict[str, str]) -> dict[str, str]:
    errors: dict[str, str] = {}
    if not typed["title"] or len(typed["title"]) > 80:
        errors["title"] = "Give the rule a title of at most 80 characters."
    if len(typed["body"]) > 400:
        errors["body"] = "Use at most 400 characters."
    return errors


@moderators_only
async def rule(request: Request, forum: sqlite3.Row) -> Response:
    """Edit a rule."""
    found = row(
        request, "SELECT * FROM forum_rule WHERE id = ? AND forum_id = ?", request.path_params["number"], forum["id"]
    )
    if found is None:
        not_found("There is no such rule.")
    typed, errors = {"title": found["title"], "body": found["body"]}, {}
    if request.method == "POST":
        typed = {name: field(request, name) for name in ("title", "body")}
        errors = _rule_errors(typed)
        if not errors:
            execute(
                request,
                "UPDATE forum_rule SET title = ?, body = ? WHERE id = ?",
                typed["title"],
                typed["body"],
                found["id"],
            )
            log(request, forum["id"], "Edited rule", typed["title"])
            flash(request, "The rule is saved.")
            return redirect(f"/f/{forum['slug']}/mod/rules")
    return render(
        request,
        "mod/rule.html",
        forum=forum,
        tabs=TABS,
        tab="rules",
        open_reports=0,
        rule=found,
        typed=typed,
        errors=errors,
        status=422 if errors else 200,
    )


@moderators_only
async def delete_rule(request: Request, forum: sqlite3.Row) -> Response:
    found = row(
        request, "SELECT * FROM forum_rule WHERE id = ? AND forum_id = ?", request.path_params["number"], forum["id"]
    )
    if found is None:
        not_found("There is no such rule.")
    execute(request, "DELETE FROM forum_rule WHERE id = ?", found["id"])
    log(request, forum["id"], "Deleted rule", found["title"])
    flash(request, "The rule is deleted.")
    return redirect(f"/f/{forum['slug']}/mod/rules")


@moderators_only
async def flairs(request: Request, forum: sqlite3.Row) -> Response:
    name = field(request, "name")
    errors: dict[str, str] = {}
    if request.method == "POST":
        if not name or len(name) > 30:
            errors["name"] = "Give the flair a name of at most 30 characters."
        elif row(request, "SELECT 1 FROM flair WHERE forum_id = ? AND name = ? COLLATE NOCASE", forum["id"], name):
            errors["name"] = "There is a flair of this name."
        else:
            execute(request, "INSERT INTO flair (forum_id, name) VALUES (?, ?)", forum["id"], name)
            log(request, forum["id"], "Added flair", name)
            flash(request, "The flair is added.")
            return redirect(f"/f/{forum['slug']}/mod/flairs")
    found = rows(
        request,
        "SELECT x.*, (SELECT count(*) FROM post p WHERE p.flair_id = x.id AND p.status = 'visible') AS"
        " uses FROM flair x"
        " WHERE x.forum_id = ? ORDER BY x.id",
        forum["id"],
    )
    return _page(request, forum, "flairs", 422 if errors else 200, flairs=found, name=name, errors=errors)


@moderators_only
async def about(request: Request, forum: sqlite3.Row) -> Response:
    """Tagline, description and who may post."""
    typed = {name: forum[name] for name in ("tagline", "about", "posting")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        typed = {name: field(request, name).replace("\r\n", "\n") for name in ("tagline", "about", "posting")}
        if not typed["tagline"] or len(typed["tagline"]) > 120:
            errors["tagline"] = "Write a tagline of at most 120 characters."
        if not typed["about"] or len(typed["about"]) > 1000:
            errors["about"] = "Write a description of at most 1,000 characters."
        if typed["posting"] not in dict(POSTING):
            errors["posting"] = "Choose who may post."
        if not errors:
            execute(
                request,
                "UPDATE forum SET tagline = ?, about = ?, posting = ? WHERE id = ?",
                typed["tagline"],
                typed["about"],
                typed["posting"],
                forum["id"],
            )
            log(request, forum["id"], "Changed forum settings", forum["name"])
            flash(request, "The forum's settings are saved.")
            return redirect(f"/f/{forum['slug']}/mod/about")
    return _page(request, forum, "about", 422 if errors else 200, typed=typed, errors=errors, posting=POSTING)


@moderators_only
async def show_log(request: Request, forum: sqlite3.Row) -> Response:
    pager = Pager.of(request, value(request, "SELECT count(*) FROM mod_log WHERE forum_id = ?", forum["id"]), 20)
    found = rows(
        request,
        "SELECT l.*, m.username FROM mod_log l JOIN member m ON m.id = l.member_id WHERE l.forum_id = ?"
        " ORDER BY l.done_at DESC, l.id DESC LIMIT ? OFFSET ?",
        forum["id"],
        pager.size,
        pager.offset,
    )
    return _page(request, forum, "log", entries=found, pager=pager)


ROUTES = [
    Route("/moderation", overview),
    Route("/f/{slug}/mod", queue),
    Route("/f/{slug}/mod/queue", queue),
    Route("/f/{slug}/mod/removed", removed),
    Route("/f/{slug}/mod/bans", bans, methods=["GET", "POST"]),
    Route("/f/{slug}/mod/bans/{number:int}/lift", unban, methods=["POST"]),
    Route("/f/{slug}/mod/rules", rules, methods=["GET", "POST"]),
    Route("/f/{slug}/mod/rules/{number:int}", rule, methods=["GET", "POST"]),
    Route("/f/{slug}/mod/rules/{number:int}/delete", delete_rule, methods=["POST"]),
    Route("/f/{slug}/mod/flairs", flairs, methods=["GET", "POST"]),
    Route("/f/{slug}/mod/about", about, methods=["GET", "POST"]),
    Route("/f/{slug}/mod/log", show_log),
    Route("/f/{slug}/mod/post/{number:int}/switch/{what}", switch, methods=["POST"]),
    Route("/f/{slug}/mod/post/{number:int}/flair", set_flair, methods=["POST"]),
    Route("/f/{slug}/mod/{kind}/{number:int}/{verdict}", judge, methods=["POST"]),
]
