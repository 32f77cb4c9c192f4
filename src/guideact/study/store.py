"""What happened in a study: one SQLite file of events that are added and never changed.

The only deletion is a withdrawal, which takes a participant's events out and leaves the word that they withdrew. An
event is on the disk before anybody is told of it, so killing the server loses nothing. Beside the events lies the
websites' data of trials that go on, which end with them.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Self

from guideact.errors import InputError

FILE = "responses.sqlite"
FORMAT = 1
Kind = Literal["served", "consent", "begin", "page", "fault", "end", "answers", "withdrawn"]
_SCHEMA = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE event (
    id INTEGER PRIMARY KEY AUTOINCREMENT, participant INTEGER NOT NULL, trial INTEGER, at TEXT NOT NULL,
    kind TEXT NOT NULL, json TEXT NOT NULL
);
CREATE INDEX event_participant ON event (participant);
CREATE TABLE site (
    instance INTEGER NOT NULL, participant INTEGER NOT NULL, site TEXT NOT NULL, image BLOB NOT NULL,
    PRIMARY KEY (instance, site)
);
"""


@dataclass(frozen=True)
class Event:
    """One thing that happened. `participant` 0 is the server."""

    id: int
    participant: int
    trial: int | None
    """Place in the participant's order, from 0 on."""
    at: datetime
    kind: Kind
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Store:
    """The open file. All access is from one event loop."""

    connection: sqlite3.Connection

    @classmethod
    def open(cls, folder: Path, *, make: bool = False) -> Self:
        """Open what happened so far; `make` begins it. Raises InputError where there is none or it cannot be read."""
        file = folder / FILE
        if not file.exists() and not make:
            raise InputError(f"{folder} was never served", fix=f"guideact study serve {folder}")
        try:
            file.touch(mode=0o600)
            connection = sqlite3.connect(file)
            connection.row_factory = sqlite3.Row
            # Every event is on the disk when it is committed, and what is deleted is overwritten.
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "secure_delete = ON"):
                connection.execute(f"PRAGMA {pragma}")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                connection.executescript(_SCHEMA)
            elif version != FORMAT:
                raise InputError(f"{file} is of format {version}, and this guideact reads {FORMAT}", fix="Upgrade.")
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{file} cannot be opened: {error}", fix="Check the file.") from error
        return cls(connection)

    def close(self) -> None:
        self.connection.close()

    def add(
        self,
        participant: int,
        kind: Kind,
        at: datetime,
        trial: int | None = None,
        data: Mapping[str, Any] = MappingProxyType({}),
    ) -> int:
        """Add an event; its number."""
        with self.connection:
            row = self.connection.execute(
                "INSERT INTO event (participant, trial, at, kind, json) VALUES (?, ?, ?, ?, ?)",
                (participant, trial, _text(at), kind, json.dumps(dict(data), ensure_ascii=False)),
            )
        assert row.lastrowid is not None
        return row.lastrowid

    def events(self, participant: int | None = None) -> list[Event]:
        """Of one participant, or of all and the server, oldest first."""
        rows = self.connection.execute(
            "SELECT * FROM event WHERE ?1 IS NULL OR participant = ?1 ORDER BY id", (participant,)
        ).fetchall()
        return [
            Event(
                row["id"],
                row["participant"],
                row["trial"],
                datetime.fromisoformat(row["at"]),
                row["kind"],
                json.loads(row["json"]),
            )
            for row in rows
        ]

    def event(self, number: int) -> Event | None:
        row = self.connection.execute("SELECT participant FROM event WHERE id = ?", (number,)).fetchone()
        found = self.events(row["participant"]) if row is not None else ()
        return next((event for event in found if event.id == number), None)

    def withdraw(self, participant: int, at: datetime) -> None:
        """Delete all of a participant, and say that they withdrew."""
        with self.connection:
            self.connection.execute("DELETE FROM site WHERE participant = ?", (participant,))
            self.connection.execute("DELETE FROM event WHERE participant = ?", (participant,))
            self.connection.execute(
                "INSERT INTO event (participant, at, kind, json) VALUES (?, ?, 'withdrawn', '{}')",
                (participant, _text(at)),
            )
        # The write-ahead log holds pages as they were: it is emptied too.
        self.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    # --- the websites' data of trials that go on ------------------------------------------------------------------

    def keep_site(self, instance: int, participant: int, site: str, image: bytes) -> None:
        with self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO site VALUES (?, ?, ?, ?)", (instance, participant, site, image)
            )

    def sites(self, instance: int) -> dict[str, bytes]:
        rows = self.connection.execute("SELECT site, image FROM site WHERE instance = ?", (instance,)).fetchall()
        return {row["site"]: row["image"] for row in rows}

    def drop_sites(self, instance: int) -> None:
        with self.connection:
            self.connection.execute("DELETE FROM site WHERE instance = ?", (instance,))


def starts(events: Sequence[Event]) -> tuple[datetime, ...]:
    """When the server was started."""
    return tuple(event.at for event in events if event.kind == "served")


def utc_now() -> datetime:
    """To the millisecond, as events keep it."""
    now = datetime.now(UTC)
    return now.replace(microsecond=now.microsecond // 1000 * 1000)


def _text(at: datetime) -> str:
    return at.isoformat(timespec="milliseconds")
