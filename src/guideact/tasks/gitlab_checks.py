"""What checks of the forge's tasks ask its database, and what they let it write by itself."""

from __future__ import annotations

from guideact.tasks.template import Query
from guideact.types import Change, Check, StateCheck

LOGGED = (
    Change(table="system_note", op="insert", count=None),
    Change(table="todo", op="insert", count=None),
)
"""What the forge writes by itself when an issue changes: a line in the thread, a to-do for whoever it is given to."""


def issue_id(db: Query, path: str, title: str) -> int:
    """The id of an issue by its project's path and its title."""
    (number,) = db.execute(
        "SELECT i.id FROM issue i JOIN project p ON p.id = i.project_id WHERE p.full_path = ? AND i.title = ?",
        (path, title),
    ).fetchone()
    return int(number)


def id_in_project(db: Query, table: str, path: str, column: str, value: str) -> int:
    """The id of a project's row in which a column has a value: a label by its name, a milestone by its title."""
    (number,) = db.execute(
        f"SELECT t.id FROM {table} t JOIN project p ON p.id = t.project_id WHERE p.full_path = ? AND t.{column} = ?",
        (path, value),
    ).fetchone()
    return int(number)


def changed(*required: Change, allowed: tuple[Change, ...] = LOGGED) -> Check:
    """These changes of the forge's data and no others, but for what it writes by itself."""
    return Check(state=(StateCheck(site="gitlab", required=required, allowed=allowed),))
