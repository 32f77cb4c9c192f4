"""Did the sites' data change as asked, and in no other way?

Every changed row must be accounted for: it is either one that a task requires, one that it allows, or one that
happens by looking around (`ALLOWED`). A site that a task says nothing about must not change at all, so a task that
only asks a question fails when the agent also buys something.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from guideact.sites.registry import home_of
from guideact.types import Change, CheckPart, RowChange, StateCheck

ALLOWED: Mapping[str, tuple[Change, ...]] = {
    "shopping": (
        Change(table="product_view", op="insert", count=None),
        Change(table="product_view", op="update", values={"views": "*"}, count=None),
        Change(table="search_term", op="insert", count=None),
        Change(table="search_term", op="update", any_columns=("results", "uses"), count=None),
        Change(table="customer", op="update", values={"last_login_at": "*"}, count=None),
        Change(table="staff", op="update", values={"last_login_at": "*"}, count=None),
        # A shop makes a visitor's empty cart on the first look at it.
        Change(table="cart", op="insert", values={"coupon_code": ""}, count=None),
    ),
    "gitlab": (Change(table="account", op="update", values={"last_login_at": "*"}, count=None),),
    "map": (
        Change(table="search_history", op="insert", count=None),
        Change(table="member", op="update", values={"last_login_at": "*"}, count=None),
    ),
    "reddit": (Change(table="member", op="update", values={"last_login_at": "*"}, count=None),),
    "wikipedia": (Change(table="user", op="update", values={"last_login_at": "*"}, count=None),),
}
"""What looking around changes, by site: counters, searches, the time of a sign-in. Counted against nobody."""

PRIMARY_KEYS = {"setting": "key", "product_view": "product_id", "session": "token"}
"""Tables whose primary key is not called `id`."""


Made = Mapping[str, Collection[str]]
"""Of each table, the keys of the rows that were added to it."""
NONE_MADE: Made = {}


class _Text(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # Words of neighbouring blocks do not run together; inline tags keep a word whole.
        if tag not in ("b", "i", "em", "strong", "u", "a", "span", "code", "small"):
            self.parts.append(" ")


def _folded(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip().casefold()


def text_of_markup(markup: str) -> str:
    """The words of a piece of markup, white space and case folded."""
    parser = _Text()
    parser.feed(markup)
    parser.close()
    return _folded("".join(parser.parts))


def value_matches(wanted: Any, actual: Any, made: Made = NONE_MADE) -> bool:
    """Whether a column holds what a `Change` wants of it.

    `"*"` is anything; `{"~": text}` folds white space and case; `{"html": text}` compares the words of markup;
    `{"contains": text}` is a folded part of the value; `{"new": table}` is the key of a row that was `made` in that
    table; any other dict or list is compared with the column read as JSON.
    """
    if isinstance(wanted, str) and wanted == "*":
        return True
    if isinstance(wanted, dict) and len(wanted) == 1:
        (kind, text), *_ = wanted.items()
        if kind == "~":
            return isinstance(actual, str) and _folded(actual) == _folded(str(text))
        if kind == "html":
            return isinstance(actual, str) and text_of_markup(actual) == _folded(str(text))
        if kind == "contains":
            return isinstance(actual, str) and _folded(str(text)) in _folded(actual)
        if kind == "new":
            return str(actual) in made.get(str(text), ())
    if isinstance(wanted, dict | list):
        try:
            return bool(json.loads(actual) == wanted)
        except (TypeError, ValueError):
            return False
    return bool(wanted == actual)


def change_matches(wanted: Change, change: RowChange, made: Made = NONE_MADE) -> bool:
    """Whether one changed row is what a `Change` describes (its table, operation, identity and values).

    An update carries its changed columns only, so its `where` can name those and the primary key.
    """
    if wanted.table != change.table or wanted.op != change.op:
        return False
    before, after = change.before or {}, change.after or {}
    identity = after if change.op == "insert" else before
    primary = PRIMARY_KEYS.get(change.table, "id")
    for column, value in wanted.where.items():
        if column in identity:
            if not value_matches(value, identity[column], made):
                return False
        elif column != primary or (value != "*" and str(value) != change.key):
            return False
    if change.op == "delete":
        return all(
            column in before and value_matches(value, before[column], made) for column, value in wanted.values.items()
        )
    if any(
        column not in after or not value_matches(value, after[column], made) for column, value in wanted.values.items()
    ):
        return False
    return change.op == "insert" or set(after) <= set(wanted.values) | set(wanted.any_columns)


def _assign(required: Sequence[Change], changes: Sequence[RowChange]) -> tuple[dict[int, int], list[Change]]:
    """Give every required row a changed row of its own (a maximum matching, so that overlapping wishes do not compete).

    Returns the changed rows in use (index -> slot) and the wishes left without one.
    """
    slots = [wish for wish in required for _ in range(wish.count or 1)]
    made = _made(changes)
    fits = [[index for index, change in enumerate(changes) if change_matches(wish, change, made)] for wish in slots]
    taken: dict[int, int] = {}

    def place(slot: int, seen: set[int]) -> bool:
        for index in fits[slot]:
            if index in seen:
                continue
            seen.add(index)
            if index not in taken or place(taken[index], seen):
                taken[index] = slot
                return True
        return False

    missing = [slots[slot] for slot in range(len(slots)) if not place(slot, set())]
    return taken, missing


def _made(changes: Iterable[RowChange]) -> Made:
    made: dict[str, set[str]] = {}
    for change in changes:
        if change.op == "insert":
            made.setdefault(change.table, set()).add(change.key)
    return made


def describe(change: RowChange) -> str:
    """One changed row in one line, for a reason or a trace."""
    if change.op == "update":
        shown = ", ".join(
            f"{column} {(change.before or {}).get(column)!r} -> {value!r}"
            for column, value in (change.after or {}).items()
        )
    else:
        row = change.after or change.before or {}
        shown = ", ".join(f"{column}={value!r}" for column, value in list(row.items())[:8])
    return f"{change.op} {change.table}[{change.key}] {shown}"


def _wish(change: Change) -> str:
    shown = {**change.where, **change.values}
    return f"{change.op} {change.table} " + ", ".join(f"{column}={value!r}" for column, value in shown.items())


def check_state(check: StateCheck, changes: Sequence[RowChange]) -> CheckPart:
    """The verdict on the changes of one site's data (those of other sites must have been left out)."""
    made = _made(changes)
    for unwanted in check.forbidden:
        for change in changes:
            if change_matches(unwanted, change, made):
                return CheckPart(part="state", passed=False, reason=f"forbidden: {describe(change)}")
    taken, missing = _assign(check.required, changes)
    if missing:
        return CheckPart(part="state", passed=False, reason=f"missing: {_wish(missing[0])}")
    tolerated = (*check.allowed, *_noise(check.site))
    left = [wish.count for wish in tolerated]
    for index, change in enumerate(changes):
        if index in taken:
            continue
        fitting = [i for i, wish in enumerate(tolerated) if left[i] != 0 and change_matches(wish, change, made)]
        if not fitting:
            return CheckPart(part="state", passed=False, reason=f"not asked for: {describe(change)}")
        # Use up an unlimited permission first, so that a counted one is left for what only it covers.
        spent = next((i for i in fitting if left[i] is None), fitting[0])
        remaining = left[spent]
        left[spent] = None if remaining is None else remaining - 1
    return CheckPart(part="state", passed=True)


def check_states(checks: Sequence[StateCheck], changes: Iterable[RowChange]) -> tuple[CheckPart, ...]:
    """The verdicts on all sites: those the task names, and every other site that changed."""
    return tuple(check_state(wanted, changed) for wanted, changed in _by_database(checks, changes))


def asked_for(checks: Sequence[StateCheck], changes: Iterable[RowChange]) -> tuple[tuple[Change, RowChange], ...]:
    """What a task requires, each with the changed row that is it."""
    found: list[tuple[Change, RowChange]] = []
    for wanted, changed in _by_database(checks, changes):
        slots = [wish for wish in wanted.required for _ in range(wish.count or 1)]
        taken, _ = _assign(wanted.required, changed)
        found += [(slots[slot], changed[index]) for index, slot in sorted(taken.items())]
    return tuple(found)


def _by_database(
    checks: Sequence[StateCheck], changes: Iterable[RowChange]
) -> list[tuple[StateCheck, list[RowChange]]]:
    """For each database that a task names or that changed: what is wanted of it, and its changed rows."""
    by_database: dict[str, list[RowChange]] = {}
    for change in changes:
        by_database.setdefault(home_of(change.site), []).append(change)
    wanted: dict[str, StateCheck] = {}
    for check in checks:
        name = home_of(check.site)
        earlier = wanted.get(name, StateCheck(site=name))
        wanted[name] = StateCheck(
            site=name,
            required=earlier.required + check.required,
            allowed=earlier.allowed + check.allowed,
            forbidden=earlier.forbidden + check.forbidden,
        )
    names = sorted({*by_database, *wanted})
    return [(wanted.get(name, StateCheck(site=name)), by_database.get(name, [])) for name in names]


def counts(change: RowChange) -> bool:
    """Whether a changed row is more than the noise of looking around."""
    return not any(change_matches(noise, change) for noise in _noise(change.site))


def _noise(site: str) -> tuple[Change, ...]:
    return ALLOWED.get(home_of(site), ())
