"""The studio's folder: one SQLite file, the pictures, and the key that signs sessions.

studio/
    studio.sqlite   people, items, assignments, and every label ever given: nothing is overwritten
    images/         the pictures of the items, <sha256>.png or .jpg
    key             32 random bytes, readable by its owner alone
"""

from __future__ import annotations

import os
import secrets
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, Self

from guideact.errors import InputError
from guideact.studio.items import Item, Picture, Source
from guideact.types import Frozen

FILE, IMAGES, KEY = "studio.sqlite", "images", "key"
FORMAT = 1
_JPEG = b"\xff\xd8"
Decision = Literal["accept", "edit", "reject"]
Role = Literal["annotator", "lead"]
Kind = Literal["review", "settled"]
_SCHEMA = f"""
PRAGMA user_version = {FORMAT};
CREATE TABLE person (
    name TEXT PRIMARY KEY, password TEXT NOT NULL, role TEXT NOT NULL, language TEXT NOT NULL, since TEXT NOT NULL
);
CREATE TABLE source (id INTEGER PRIMARY KEY, kind TEXT NOT NULL, path TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
CREATE TABLE item (
    id INTEGER PRIMARY KEY, source INTEGER NOT NULL REFERENCES source, task TEXT NOT NULL, position INTEGER NOT NULL,
    json TEXT NOT NULL, UNIQUE (task, position)
);
CREATE TABLE assignment (
    task TEXT NOT NULL, person TEXT NOT NULL REFERENCES person, given_by TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (task, person)
);
CREATE TABLE label (
    id INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL REFERENCES item, person TEXT NOT NULL REFERENCES person,
    kind TEXT NOT NULL, decision TEXT NOT NULL, text TEXT NOT NULL, reason TEXT NOT NULL, flagged INTEGER NOT NULL,
    note TEXT NOT NULL, seconds REAL NOT NULL, at TEXT NOT NULL
);
CREATE INDEX label_item ON label (item);
CREATE TABLE verdict (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, task TEXT NOT NULL, sample INTEGER NOT NULL,
    person TEXT NOT NULL REFERENCES person, stands TEXT NOT NULL, note TEXT NOT NULL, at TEXT NOT NULL
);
"""


class Person(Frozen):
    """Somebody with an account. A lead assigns, settles and sees everybody's labels."""

    name: str
    password: str
    """Its argon2 hash."""
    role: Role
    language: str


class Label(Frozen):
    """What somebody said about an item at some time."""

    item: int
    person: str
    kind: Kind = "review"
    """`settled`: a lead's last word."""
    decision: Decision
    text: str = ""
    """The sentence as it should be: the draft for `accept`, empty for `reject`."""
    reason: str = ""
    flagged: bool = False
    """The action itself looks wrong."""
    note: str = ""
    seconds: float = 0.0
    """Between seeing the item and deciding."""
    at: str = ""


class Verdict(Frozen):
    """What somebody thinks of an episode without having seen what its check says."""

    run: str
    task: str
    sample: int
    person: str
    stands: Literal["done", "not_done", "cannot_tell"]
    note: str = ""
    at: str = ""


@dataclass(frozen=True)
class Store:
    """An open studio folder. All access is from one event loop."""

    folder: Path
    connection: sqlite3.Connection

    @classmethod
    def open(cls, folder: Path, *, make: bool = False) -> Self:
        """Open a studio, or begin one. Raises InputError where there is none, or one of another version."""
        file = folder / FILE
        if not file.exists():
            if not make:
                raise InputError(f"{folder} holds no studio", fix=f"Begin one: guideact studio add {folder} DATASET")
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise InputError(f"{folder} is not empty and holds no studio", fix="Give a new folder.")
        try:
            (folder / IMAGES).mkdir(parents=True, exist_ok=True)
            connection = sqlite3.connect(file)
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA journal_mode = WAL")
            version = connection.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                connection.executescript(_SCHEMA)
                (folder / KEY).touch(mode=0o600)
                (folder / KEY).write_bytes(secrets.token_bytes(32))
            elif version != FORMAT:
                raise InputError(f"{file} is of format {version}, and this guideact reads {FORMAT}", fix="Upgrade.")
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{folder} cannot be opened as a studio: {error}", fix="Check its files.") from error
        return cls(folder, connection)

    def close(self) -> None:
        self.connection.close()

    @property
    def key(self) -> bytes:
        """What signs sessions. Raises InputError where it is missing or short."""
        path = self.folder / KEY
        try:
            key = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check who may read it.") from error
        if len(key) < 32:
            raise InputError(
                f"{path} is cut short", fix="Remove it and write 32 random bytes there: all sign in again."
            )
        return key

    # --- people -----------------------------------------------------------------------------------------------------

    def add_person(self, name: str, password: str, role: Role, language: str) -> None:
        """Add somebody, or change their password, role and language. `password` is a hash."""
        with self.connection:
            self.connection.execute(
                "INSERT INTO person VALUES (?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE"
                " SET password = excluded.password, role = excluded.role, language = excluded.language",
                (name, password, role, language, now()),
            )

    def person(self, name: str) -> Person | None:
        row = self.connection.execute(
            "SELECT name, password, role, language FROM person WHERE name = ?", (name,)
        ).fetchone()
        return None if row is None else Person.model_validate(dict(row))

    def people(self) -> list[Person]:
        rows = self.connection.execute("SELECT name, password, role, language FROM person ORDER BY name").fetchall()
        return [Person.model_validate(dict(row)) for row in rows]

    def set_language(self, name: str, language: str) -> None:
        with self.connection:
            self.connection.execute("UPDATE person SET language = ? WHERE name = ?", (language, name))

    # --- items ------------------------------------------------------------------------------------------------------

    def add_source(self, source: Source, items: Sequence[Item], picture: Picture) -> int:
        """Add what is not there yet; returns how many items were added. Raises InputError for a task of two sources."""
        images = self.folder / IMAGES
        for sha256 in sorted({item.image for item in items if item.image}):
            if self.image_path(sha256) is None:
                data = picture(sha256)
                name = sha256 + (".jpg" if data.startswith(_JPEG) else ".png")
                part = images / f"{name}.part"
                part.write_bytes(data)
                os.replace(part, images / name)
        with self.connection as connection:
            connection.execute(
                "INSERT INTO source (kind, path, name) VALUES (?, ?, ?) ON CONFLICT (path) DO NOTHING",
                (source.kind, source.path, source.name),
            )
            number = connection.execute("SELECT id FROM source WHERE path = ?", (source.path,)).fetchone()[0]
            tasks = {item.task for item in items}
            for row in connection.execute("SELECT DISTINCT task, source FROM item").fetchall():
                if row["task"] in tasks and row["source"] != number:
                    raise InputError(
                        f"{row['task']} is in this studio already, from another source", fix="Begin another studio."
                    )
            before = connection.total_changes
            connection.executemany(
                "INSERT INTO item (source, task, position, json) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                [(number, item.task, item.position, item.model_dump_json()) for item in items],
            )
            return connection.total_changes - before

    def sources(self) -> list[Source]:
        rows = self.connection.execute("SELECT kind, path, name FROM source ORDER BY id").fetchall()
        return [Source.model_validate(dict(row)) for row in rows]

    def item(self, number: int) -> Item | None:
        row = self.connection.execute("SELECT json FROM item WHERE id = ?", (number,)).fetchone()
        return None if row is None else Item.model_validate_json(row["json"])

    def items(self, task: str | None = None, source: str | None = None) -> dict[int, Item]:
        """Items by number, in order of task and position; of one task, or of one source's path."""
        rows = self.connection.execute(
            "SELECT item.id, json FROM item JOIN source ON source.id = item.source"
            " WHERE (?1 IS NULL OR task = ?1) AND (?2 IS NULL OR path = ?2) ORDER BY task, position",
            (task, source),
        ).fetchall()
        return {row["id"]: Item.model_validate_json(row["json"]) for row in rows}

    def tasks(self) -> dict[str, int]:
        """Tasks in their order, and how many items each has."""
        rows = self.connection.execute("SELECT task, count(*) AS n FROM item GROUP BY task ORDER BY task").fetchall()
        return {row["task"]: row["n"] for row in rows}

    def image_path(self, sha256: str) -> Path | None:
        """The file of a picture; None where there is none. Raises ValueError for what is no SHA-256."""
        if len(sha256) != 64 or set(sha256) - set("0123456789abcdef"):
            raise ValueError(f"{sha256!r} is no SHA-256")
        found = (self.folder / IMAGES / f"{sha256}.{ending}" for ending in ("png", "jpg"))
        return next((path for path in found if path.exists()), None)

    # --- assignments and labels ---------------------------------------------------------------------------------------

    def assign(self, task: str, person: str, given_by: str) -> None:
        with self.connection:
            self.connection.execute(
                "INSERT INTO assignment VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING", (task, person, given_by, now())
            )

    def withdraw(self, task: str, person: str) -> None:
        """Take a task back from somebody. Labels that were given stay."""
        with self.connection:
            self.connection.execute("DELETE FROM assignment WHERE task = ? AND person = ?", (task, person))

    def assignments(self) -> dict[str, list[str]]:
        """Who has each task, in the order in which it was given."""
        found: dict[str, list[str]] = {}
        for row in self.connection.execute("SELECT task, person FROM assignment ORDER BY at, person").fetchall():
            found.setdefault(row["task"], []).append(row["person"])
        return found

    def add_label(self, label: Label) -> None:
        with self.connection:
            self.connection.execute(
                "INSERT INTO label (item, person, kind, decision, text, reason, flagged, note, seconds, at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    label.item, label.person, label.kind, label.decision, label.text, label.reason, int(label.flagged),
                    label.note, label.seconds, now(),
                ),
            )  # fmt: skip

    def labels(self, item: int | None = None) -> list[Label]:
        """Every label that was ever given, oldest first; of one item, or of all."""
        rows = self.connection.execute(
            "SELECT item, person, kind, decision, text, reason, flagged, note, seconds, at FROM label"
            " WHERE ?1 IS NULL OR item = ?1 ORDER BY id",
            (item,),
        ).fetchall()
        return [Label.model_validate(dict(row)) for row in rows]

    # --- audits -------------------------------------------------------------------------------------------------------

    def add_verdict(self, verdict: Verdict) -> None:
        with self.connection:
            self.connection.execute(
                "INSERT INTO verdict (run, task, sample, person, stands, note, at) VALUES (?, ?, ?, ?, ?, ?, ?)",
                (verdict.run, verdict.task, verdict.sample, verdict.person, verdict.stands, verdict.note, now()),
            )

    def verdicts(self) -> list[Verdict]:
        """Oldest first."""
        rows = self.connection.execute(
            "SELECT run, task, sample, person, stands, note, at FROM verdict ORDER BY id"
        ).fetchall()
        return [Verdict.model_validate(dict(row)) for row in rows]


def latest(labels: Iterable[Label]) -> dict[int, dict[str, Label]]:
    """Each person's last review of each item: item -> person -> label. Settled ones stand under ""."""
    found: dict[int, dict[str, Label]] = {}
    for label in labels:
        found.setdefault(label.item, {})["" if label.kind == "settled" else label.person] = label
    return found


def now() -> str:
    """ISO time, UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
