"""The data of a site's instance: an SQLite database in memory, put back from a pristine image, and compared row by row.

Everything here runs on the event loop's thread. `deserialize` swaps the whole database under the connection, which is
why no cursor may be half read when it happens: handlers always `fetchall()` and never await inside a transaction.
"""

from __future__ import annotations

import functools
import importlib
import sqlite3
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from guideact.types import RowChange

__all__ = [
    "IGNORED_TABLES",
    "Database",
    "Image",
    "Snapshot",
    "diff",
    "fold",
    "pristine",
    "pristine_snapshot",
    "snapshot",
]

Image = bytes

IGNORED_TABLES = frozenset({"session"})
"""Tables that no comparison looks at."""

_BUILDERS = {
    "shop": "guideact.sites.shopping.seed",
    "wikipedia": "guideact.sites.wikipedia.seed",
    "map": "guideact.sites.map.seed",
    "gitlab": "guideact.sites.gitlab.seed",
    "reddit": "guideact.sites.reddit.seed",
}
"""Name of a database -> the module whose `build(connection)` makes the tables and fills them."""


def fold(text: str | None) -> str:
    """Text with case and accents taken away, for searching; also the SQL function `fold`."""
    if text is None:
        return ""
    folded = text.casefold()
    if folded.isascii():
        return folded
    return "".join(letter for letter in unicodedata.normalize("NFKD", folded) if not unicodedata.combining(letter))


def _connect() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", check_same_thread=True)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.create_function("fold", 1, fold, deterministic=True)
    return connection


@functools.cache
def pristine(name: str) -> Image:
    """The image of a database as it is at the start: the same bytes on every build with the same SQLite."""
    build = cast("Callable[[sqlite3.Connection], None]", importlib.import_module(_BUILDERS[name]).build)
    connection = _connect()
    try:
        build(connection)
        connection.commit()
        connection.execute("VACUUM")
        return connection.serialize()
    finally:
        connection.close()


class Database:
    """One database of one instance. `connection` gives `sqlite3.Row`s, enforces foreign keys, knows `fold(text)`."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.connection = _connect()
        self.connection.row_factory = sqlite3.Row
        self._snapshot: Snapshot | None = None
        self._snapshot_at = 0
        self._pristine_at = -1
        """What `total_changes` was when the data were last put back; -1 before the first time."""
        self.reset()

    def reset(self) -> None:
        """Back to the pristine image, sessions included."""
        self.connection.rollback()
        if self.connection.total_changes == self._pristine_at:
            return
        self.connection.deserialize(pristine(self.name))
        self._pristine_at = self.connection.total_changes
        self._snapshot = None

    def image(self) -> Image:
        """Everything as it is now, sessions included."""
        return self.connection.serialize()

    def restore(self, image: Image) -> None:
        """Put back what `image` gave."""
        self.connection.rollback()
        self.connection.deserialize(image)
        self._pristine_at, self._snapshot = -1, None

    def snapshot(self) -> Snapshot:
        """The data as it is now; read anew only if something was written since the last time.

        Rolling back does not count as writing, so nothing is remembered while a transaction is open.
        """
        if self.connection.in_transaction:
            return snapshot(self.connection)
        written = self.connection.total_changes
        if written == self._pristine_at:
            return pristine_snapshot(self.name)
        if self._snapshot is None or written != self._snapshot_at:
            self._snapshot, self._snapshot_at = snapshot(self.connection), written
        return self._snapshot

    def changes(self, site: str = "") -> tuple[RowChange, ...]:
        """All differences from the pristine image."""
        return diff(pristine_snapshot(self.name), self.snapshot(), site)

    def close(self) -> None:
        self.connection.close()


@dataclass(frozen=True)
class Table:
    """The rows of a table in the order of its primary key."""

    columns: tuple[str, ...]
    key: tuple[int, ...]
    """Positions of the primary key's columns."""
    rows: list[tuple[Any, ...]]

    def by_key(self) -> dict[tuple[Any, ...], tuple[Any, ...]]:
        return {tuple(row[at] for at in self.key): row for row in self.rows}


@dataclass(frozen=True)
class Snapshot:
    """All tables that count, by name."""

    tables: dict[str, Table]


def snapshot(connection: sqlite3.Connection) -> Snapshot:
    """Read every table but the ignored ones."""
    cursor = connection.cursor()
    cursor.row_factory = None
    names = cursor.execute(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    ).fetchall()
    tables = {}
    for (name,) in names:
        if name in IGNORED_TABLES:
            continue
        info = cursor.execute(f"PRAGMA table_info({name})").fetchall()
        columns = tuple(column[1] for column in info)
        keys = sorted((column[5], at) for at, column in enumerate(info) if column[5])
        order = ", ".join(columns[at] for _, at in keys)
        rows = cursor.execute(f"SELECT * FROM {name} ORDER BY {order}").fetchall()
        tables[name] = Table(columns, tuple(at for _, at in keys), rows)
    return Snapshot(tables)


@functools.cache
def pristine_snapshot(name: str) -> Snapshot:
    """The snapshot of a pristine image, read once."""
    connection = _connect()
    try:
        connection.deserialize(pristine(name))
        return snapshot(connection)
    finally:
        connection.close()


def diff(before: Snapshot, after: Snapshot, site: str = "") -> tuple[RowChange, ...]:
    """What changed between two snapshots, by table and primary key; `site` is written into every change."""
    # Not at the head: a server that only serves pages starts twice as fast without pydantic.
    from guideact.types import RowChange

    changes: list[RowChange] = []
    for name, old in before.tables.items():
        new = after.tables[name]
        if old.rows == new.rows:
            continue
        old_rows, new_rows = old.by_key(), new.by_key()
        for key in sorted(old_rows.keys() | new_rows.keys()):
            was, now = old_rows.get(key), new_rows.get(key)
            if was == now:
                continue
            text = "/".join(str(part) for part in key)
            if was is None:
                assert now is not None
                row = dict(zip(old.columns, now, strict=True))
                changes.append(RowChange(site=site, table=name, op="insert", key=text, after=row))
            elif now is None:
                row = dict(zip(old.columns, was, strict=True))
                changes.append(RowChange(site=site, table=name, op="delete", key=text, before=row))
            else:
                moved = [at for at, value in enumerate(was) if value != now[at]]
                changes.append(
                    RowChange(
                        site=site,
                        table=name,
                        op="update",
                        key=text,
                        before={old.columns[at]: was[at] for at in moved},
                        after={old.columns[at]: now[at] for at in moved},
                    )
                )
    return tuple(changes)
