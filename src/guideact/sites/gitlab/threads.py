"""What issues and merge requests have in common: comments, what was done, to-dos for others, labels of a set."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence

from starlette.requests import Request

from guideact.sites import web
from guideact.sites.gitlab.shell import me, mentioned, query

__all__ = ["add_note", "add_todo", "note_done", "replace_set", "thread_of"]


def thread_of(request: Request, column: str, number: int) -> list[sqlite3.Row]:
    """Comments and deeds of an issue (`issue_id`) or a merge request (`merge_request_id`), the oldest first."""
    return query(
        request,
        f"SELECT n.id, 'comment' AS kind, n.body, n.created_at, a.id AS author_id, a.username, a.full_name FROM note n"
        f" JOIN account a ON a.id = n.author_id WHERE n.{column} = :id UNION ALL"
        f" SELECT n.id, 'deed', n.text, n.created_at, a.id, a.username, a.full_name FROM system_note n"
        f" JOIN account a ON a.id = n.author_id WHERE n.{column} = :id ORDER BY 4, 1",
        id=number,
    )


def note_done(request: Request, column: str, number: int, text: str) -> None:
    """Write a deed into the thread: "closed this"."""
    web.execute(
        request,
        f"INSERT INTO system_note ({column}, author_id, text, created_at) VALUES (?, ?, ?, ?)",
        number,
        me(request)["id"],
        text,
        web.now_text(),
    )


def add_todo(request: Request, column: str, number: int, reason: str, account_id: int) -> None:
    """Put something on another person's list; nobody gets a to-do of their own making."""
    if account_id != me(request)["id"]:
        web.execute(
            request,
            f"INSERT INTO todo (account_id, author_id, reason, {column}, created_at) VALUES (?, ?, ?, ?, ?)",
            account_id,
            me(request)["id"],
            reason,
            number,
            web.now_text(),
        )


def add_note(request: Request, column: str, number: int, body: str) -> int:
    """A comment, and to-dos for those it mentions; its id."""
    note = web.execute(
        request,
        f"INSERT INTO note ({column}, author_id, body, created_at) VALUES (?, ?, ?, ?)",
        number,
        me(request)["id"],
        body,
        web.now_text(),
    )
    for account in mentioned(request, body):
        add_todo(request, column, number, "mentioned", account)
    return note


def replace_set(
    request: Request, table: str, owner: tuple[str, int], column: str, wanted: Iterable[int]
) -> tuple[Sequence[int], Sequence[int]]:
    """Make a table of pairs hold exactly `wanted` for its owner; what came and what went."""
    name, number = owner
    now = {row[column] for row in web.rows(request, f"SELECT {column} FROM {table} WHERE {name} = ?", number)}
    target = set(wanted)
    for gone in sorted(now - target):
        web.execute(request, f"DELETE FROM {table} WHERE {name} = ? AND {column} = ?", number, gone)
    for new in sorted(target - now):
        web.execute(request, f"INSERT INTO {table} ({name}, {column}) VALUES (?, ?)", number, new)
    return sorted(target - now), sorted(now - target)
