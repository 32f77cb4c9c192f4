"""Messages between members: the list of conversations, one of them, a new one."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import (
    Pager,
    execute,
    field,
    fields,
    flash,
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

BOXES: tuple[tuple[str, str], ...] = (("inbox", "Inbox"), ("unread", "Unread"), ("sent", "Sent"))
LONGEST = 5_000

_MINE = "(c.starter_id = :me OR c.other_id = :me)"
_IN_BOX = {
    "inbox": _MINE,
    "unread": f"{_MINE} AND EXISTS (SELECT 1 FROM message x WHERE x.conversation_id = c.id AND x.is_read"
    " = 0 AND x.sender_id <> :me)",
    "sent": f"{_MINE} AND EXISTS (SELECT 1 FROM message x WHERE x.conversation_id = c.id AND x.sender_id = :me)",
}


@signed_in
async def inbox(request: Request) -> Response:
    box = field(request, "box")
    if box not in _IN_BOX:
        box = "inbox"
    me = request.state.session.user_id
    connection: sqlite3.Connection = request.state.db
    where = _IN_BOX[box]
    query = field(request, "q")
    given = {"me": me, "q": query}
    if query:
        where += (
            " AND (instr(fold(c.subject), fold(:q)) > 0 OR instr(fold(m.username), fold(:q)) > 0 OR EXISTS"
            " (SELECT 1 FROM message x WHERE x.conversation_id = c.id AND instr(fold(x.body), fold(:q)) > 0))"
        )
    joins = (
        "FROM conversation c JOIN member m ON m.id = CASE c.starter_id WHEN :me THEN c.other_id ELSE c.starter_id END"
    )
    pager = Pager.of(request, connection.execute(f"SELECT count(*) {joins} WHERE {where}", given).fetchall()[0][0], 20)
    found = connection.execute(
        "SELECT c.*, m.username, m.colour, l.body AS last_body, l.sent_at, l.sender_id,"
        " EXISTS (SELECT 1 FROM message x WHERE x.conversation_id = c.id AND x.is_read = 0 AND"
        " x.sender_id <> :me) AS is_unread"
        f" {joins} JOIN message l ON l.id = (SELECT max(x.id) FROM message x WHERE x.conversation_id = c.id)"
        f" WHERE {where} ORDER BY l.sent_at DESC, c.id DESC LIMIT {pager.size} OFFSET {pager.offset}",
        given,
    ).fetchall()
    return render(request, "messages.html", conversations=found, boxes=BOXES, box=box, query=query, pager=pager)


def _conversation(request: Request, number: int) -> sqlite3.Row:
    me = request.state.session.user_id
    found = row(
        request,
        "SELECT c.*, m.username, m.colour, m.id AS with_id FROM conversation c"
        " JOIN member m ON m.id = CASE c.starter_id WHEN ? THEN c.other_id ELSE c.starter_id END"
        " WHERE c.id = ? AND ? IN (c.starter_id, c.other_id)",
        me,
        number,
        me,
    )
    if found is None:
        not_found("There is no such conversation.")
    return found


def _mark(request: Request, number: int, read: bool) -> int:
    """Mark what the other one wrote; unread means the latest only."""
    me = request.state.session.user_id
    if read:
        return execute(
            request,
            "UPDATE message SET is_read = 1 WHERE conversation_id = ? AND sender_id <> ? AND is_read = 0",
            number,
            me,
        )
    return execute(
        request,
        "UPDATE message SET is_read = 0 WHERE id = (SELECT max(id) FROM message WHERE conversation_id = ?"
        " AND sender_id <> ?)",
        number,
        me,
    )


@signed_in
async def conversation(request: Request) -> Response:
    """Read it, answer it. An answer marks what came before as read."""
    found = _conversation(request, request.path_params["number"])
    errors: dict[str, str] = {}
    body = field(request, "body")
    if request.method == "POST":
        if not body:
            errors["body"] = "Write your message first."
        elif len(body) > LONGEST:
            errors["body"] = f"Use at most {LONGEST:,} characters."
        else:
            _mark(request, found["id"], True)
            _send(request, found["id"], body)
            flash(request, f"Your answer to {found['username']} is sent.")
            return redirect(f"/messages/{found['id']}")
    messages = rows(
        request,
        "SELECT x.*, m.username, m.colour FROM message x JOIN member m ON m.id = x.sender_id"
        " WHERE x.conversation_id = ? ORDER BY x.sent_at, x.id",
        found["id"],
    )
    me = request.state.session.user_id
    unread = any(not one["is_read"] and one["sender_id"] != me for one in messages)
    return render(
        request,
        "conversation.html",
        conversation=found,
        thread=messages,
        unread=unread,
        errors=errors,
        body=body if errors else "",
        status=422 if errors else 200,
    )


def _send(request: Request, number: int, body: str) -> None:
    execute(
        request,
        "INSERT INTO message (conversation_id, sender_id, body, sent_at) VALUES (?, ?, ?, ?)",
        number,
        request.state.session.user_id,
        body,
        now_text(),
    )


@signed_in
async def mark(request: Request) -> Response:
    """Mark ticked conversations (or the one whose page it is) as read or unread."""
    read = field(request, "as") != "unread"
    chosen = fields(request, "conversation")
    if not chosen:
        flash(request, "Tick the conversations first.", "error")
        return redirect(safe_next(request, "/messages"))
    changed = sum(_mark(request, _conversation(request, int(one))["id"], read) for one in chosen if one.isdigit())
    flash(
        request,
        ("Marked as read." if read else "Marked as unread.") if changed else "Nothing was changed.",
        "success" if changed else "info",
    )
    return redirect(safe_next(request, "/messages"))


def _takes_messages(request: Request, other: int, me: int) -> bool:
    wish = value(request, "SELECT messages_from FROM preference WHERE member_id = ?", other)
    if wish == "shared":
        return bool(
            value(
                request,
                "SELECT EXISTS (SELECT 1 FROM subscription a JOIN subscription b ON b.forum_id = a.forum_id"
                " WHERE a.member_id = ? AND b.member_id = ?)",
                other,
                me,
            )
        )
    return bool(wish != "nobody")


@signed_in
async def compose(request: Request) -> Response:
    typed = {name: field(request, name) for name in ("to", "subject", "body")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        me = request.state.session.user_id
        other = row(request, "SELECT * FROM member WHERE username = ?", typed["to"].lstrip("@"))
        if not typed["to"]:
            errors["to"] = "Enter the name of a member."
        elif other is None:
            errors["to"] = f"There is no member called {typed['to']}."
        elif other["id"] == me:
            errors["to"] = "You can not write to yourself."
        elif not _takes_messages(request, other["id"], me):
            errors["to"] = f"{other['username']} does not take messages from you."
        if not typed["subject"]:
            errors["subject"] = "Enter a subject."
        elif len(typed["subject"]) > 100:
            errors["subject"] = "Use at most 100 characters."
        if not typed["body"]:
            errors["body"] = "Write your message first."
        elif len(typed["body"]) > LONGEST:
            errors["body"] = f"Use at most {LONGEST:,} characters."
        if not errors and other is not None:
            number = execute(
                request,
                "INSERT INTO conversation (subject, starter_id, other_id) VALUES (?, ?, ?)",
                typed["subject"],
                me,
                other["id"],
            )
            _send(request, number, typed["body"])
            flash(request, f"Your message to {other['username']} is sent.")
            return redirect(f"/messages/{number}")
    return render(request, "compose.html", typed=typed, errors=errors, status=422 if errors else 200)


@signed_in
async def recipients(request: Request) -> Response:
    """Members whose user name or name begins like what is typed, for the field “To”."""
    typed = field(request, "q").lstrip("@")
    found = rows(
        request,
        "SELECT username, full_name, city, colour FROM member WHERE id <> ? AND (instr(fold(username), fold(?)) = 1"
        " OR instr(fold(full_name), fold(?)) > 0) ORDER BY instr(fold(username), fold(?)) <> 1, username LIMIT 6",
        request.state.session.user_id,
        typed,
        typed,
        typed,
    )
    return render(request, "_recipients.html", people=found if typed else [])


ROUTES = [
    Route("/messages", inbox),
    Route("/messages/mark", mark, methods=["POST"]),
    Route("/messages/compose", compose, methods=["GET", "POST"]),
    Route("/messages/recipients", recipients),
    Route("/messages/{number:int}", conversation, methods=["GET", "POST"]),
]
