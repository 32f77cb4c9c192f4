"""What gold changed, and changes that come near it: each of these must fail the task's check.

No browser is needed for them: gold's changed rows are known once it is done, and the check is asked about them with one
row left out, done to another object, with another value, or done twice. So every object and every value that a task
names is shown to matter by itself; a whole other task, done by mistake, differs in all of them at once.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from guideact.sites.registry import SITES, database_of, home_of
from guideact.sites.state import Table, pristine_snapshot
from guideact.tasks.catalogue import database
from guideact.tasks.checks.state import asked_for, check_states
from guideact.types import Change, RowChange, Task

_WORDS = re.compile(r"\w+")

References = dict[str, tuple[str, str]]
"""A table's columns that name a row: which table's, and by which column of it."""


@dataclass(frozen=True)
class NearMiss:
    """All rows that gold changed, but for one of them."""

    name: str
    changes: tuple[RowChange, ...]

    def reason(self, task: Task) -> str:
        """Why the task's check does not take it; empty where it does."""
        return next((part.reason for part in check_states(task.check.state, self.changes) if not part.passed), "")


def near_changes(task: Task, changes: Sequence[RowChange]) -> Iterator[NearMiss]:
    """Every change near gold's, row by row of those that the task asks for.

    Left alone is who does it, since that is whoever is signed in, and a column of which the check says that anything
    will do (`"*"`).
    """
    whole = tuple(changes)
    for wish, row in asked_for(task.check.state, whole):
        at = whole.index(row)
        what = f"{row.op} {row.table}[{row.key}]"
        yield NearMiss(f"without {what}", (*whole[:at], *whole[at + 1 :]))
        for name, other in _others(task, wish, row, whole):
            yield NearMiss(f"{what} {name}", (*whole[:at], other, *whole[at + 1 :]))
        if row.op == "insert":
            yield NearMiss(f"{what} twice", (*whole, row.model_copy(update={"key": f"{row.key} again"})))


def _others(task: Task, wish: Change, row: RowChange, whole: Sequence[RowChange]) -> Iterator[tuple[str, RowChange]]:
    if row.op != "insert" and (other := _of_another(row, whole)) is not None:
        yield f"of {other.key} instead", other
    if row.op == "delete":
        return
    table = pristine_snapshot(database_of(row.site)).tables[row.table]
    keys = {table.columns[at] for at in table.key}
    refers = _references(row.site, row.table)
    for column, value in (row.after or {}).items():
        if {**wish.where, **wish.values}.get(column) == "*":
            continue
        if column in refers:
            if value is not None and (another := _another_id(task, row.site, refers[column], value)) is not None:
                yield f"with {column} {another!r}", _with(row, column, another)
        elif column not in keys and _is_said(value, task.intent) and not _is_said_of_another(column, value, wish):
            other_value = f"{value}, or so" if isinstance(value, str) else value + 1
            yield f"with {column} {other_value!r}", _with(row, column, other_value)


def _with(row: RowChange, column: str, value: Any) -> RowChange:
    return row.model_copy(update={"after": {**(row.after or {}), column: value}})


def _of_another(row: RowChange, whole: Sequence[RowChange]) -> RowChange | None:
    """The same done to that row of the table which is most like it and was not touched; None where there is none."""
    table = pristine_snapshot(database_of(row.site)).tables[row.table]
    touched = {each.key for each in whole if home_of(each.site) == home_of(row.site) and each.table == row.table}
    by_key = {"/".join(map(str, key)): values for key, values in table.by_key().items()}
    mine, rest = by_key.get(row.key), [key for key in by_key if key not in touched]
    if mine is None or not rest:
        return None
    other = max(rest, key=lambda key: sum(a == b for a, b in zip(mine, by_key[key], strict=True)))
    named = dict(zip(table.columns, by_key[other], strict=True))
    return row.model_copy(update={"key": other, "before": {column: named[column] for column in row.before or {}}})


def _another_id(task: Task, site: str, refers: tuple[str, str], value: Any) -> Any:
    """What another row holds in the column referred to, of the user's own rows where the row that `value` names is one.

    None for the user, and where there is no other.
    """
    name, column = refers
    table = pristine_snapshot(database_of(site)).tables[name]
    at = table.columns.index(column)
    people = _signed_in(task, site)
    if (name, value) in people:
        return None
    mine = next((row for row in table.rows if row[at] == value), None)
    own = mine is not None and _is_own(site, name, table, mine, people)
    values = [
        row[at] for row in table.rows if row[at] is not None and (not own or _is_own(site, name, table, row, people))
    ]
    start = values.index(value) + 1 if value in values else 0
    return next((each for each in (*values[start:], *values[:start]) if each != value), None)


def _is_own(site: str, name: str, table: Table, row: tuple[Any, ...], people: set[tuple[str, Any]]) -> bool:
    """Whether a row of this table says that it belongs to who is signed in."""
    refers = _references(site, name)
    return any(
        (refers[column][0], value) in people
        for column, value in zip(table.columns, row, strict=True)
        if column in refers
    )


def _signed_in(task: Task, site: str) -> set[tuple[str, Any]]:
    """The table and id of each user that is signed in on the sites of this one's data."""
    found = set()
    for each, user in task.logins.items():
        if home_of(each) == home_of(site):
            known = SITES[each]
            row = (
                database(each)
                .execute(f"SELECT id FROM {known.user_table} WHERE {known.user_key} = ?", (user,))
                .fetchone()
            )
            found.add((known.user_table, row["id"]))
    return found


@functools.cache
def _references(site: str, table: str) -> References:
    found = database(site).execute(f"PRAGMA foreign_key_list({table})").fetchall()
    return {row["from"]: (row["table"], row["to"] or "id") for row in found}


def _is_said_of_another(column: str, value: Any, wish: Change) -> bool:
    """Whether the check has this value in another column of the row: a weight of 3 says nothing of a third issue."""
    return column not in wish.values and value in wish.values.values()


def _is_said(value: Any, intent: str) -> bool:
    """Whether a request states a value, word by word; of 0 and 1, which mostly mean no and yes, it is never said."""
    if not isinstance(value, str | int | float) or value in (0, 1):
        return False
    words, said = _WORDS.findall(str(value).casefold()), _WORDS.findall(intent.casefold())
    return bool(words) and any(said[at : at + len(words)] == words for at in range(len(said)))
