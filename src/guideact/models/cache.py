"""Answers that were had once, kept in one SQLite file: a request that is the same in every byte asks nobody again.

The key is a hash over the provider, the address, the seed and every field of the body, pictures included; keys of
endpoints are in none of it. What is kept is the endpoint's own answer, read anew each time. Several workers and several
processes can use one file, and a kill at any moment costs at most what was being written: each answer is a transaction.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sqlite3
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from guideact.errors import InputError

VERSION = 1
"""Of the file's layout and of what goes into a key. A file of another one is refused, never guessed at."""
APPLICATION = 0x67644163
"""Marks a SQLite file as ours ("gdAc")."""
BUSY_SECONDS = 60.0
"""How long another process may hold the file while it writes."""

T = TypeVar("T")


class ResponseCache:
    """An open cache file. Its calls run in threads, one at a time."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self._path = path
        self._connection = connection
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: Path) -> ResponseCache:
        """Open the file, or make it. Raises InputError for one that is damaged, of another version, or no cache."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # Without a transaction opened behind our back: reading needs none, and each write is its own.
            connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        except (OSError, sqlite3.Error) as error:
            raise InputError(f"{path} cannot be opened: {error}", fix="Give another file with --cache.") from error
        cache = cls(path, connection)
        try:
            cache._guarded(cache._prepare)
        except BaseException:
            connection.close()
            raise
        return cache

    async def get(self, asked: Mapping[str, Any]) -> Any | None:
        """The answer to the same request, as JSON; None where there is none. Raises InputError for a damaged file."""
        key = key_of(asked)

        def read() -> Any | None:
            row = self._connection.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
            try:
                return None if row is None else json.loads(row[0])
            except ValueError as error:
                raise sqlite3.DatabaseError(f"the answer {key[:12]} is no JSON") from error

        return await asyncio.to_thread(self._guarded, read)

    async def put(self, asked: Mapping[str, Any], answer: Any) -> None:
        """Keep an answer. Of two to the same request, the first stays."""
        row = (key_of(asked), json.dumps(answer, ensure_ascii=False))

        def write() -> None:
            self._connection.execute("INSERT OR IGNORE INTO answers (key, answer) VALUES (?, ?)", row)

        await asyncio.to_thread(self._guarded, write)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        run = self._connection.execute
        # The lock comes first: of two processes that make the file at once, the second finds it made.
        run("BEGIN IMMEDIATE")
        application, version, tables = (
            run("PRAGMA application_id").fetchone()[0],
            run("PRAGMA user_version").fetchone()[0],
            run("SELECT COUNT(*) FROM sqlite_master").fetchone()[0],
        )
        if not tables and not application and not version:
            run("CREATE TABLE answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL) WITHOUT ROWID")
            run(f"PRAGMA application_id = {APPLICATION}")
            run(f"PRAGMA user_version = {VERSION}")
        elif application != APPLICATION:
            raise InputError(f"{self._path} is no cache of answers", fix="Give another file with --cache.")
        elif version != VERSION:
            raise InputError(
                f"{self._path} is a cache of version {version}, and this guideact reads and writes version {VERSION}",
                fix="Use the guideact that made it, or give another file with --cache.",
            )
        run("COMMIT")
        (found,) = run("PRAGMA quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(found)

    def _guarded(self, work: Callable[[], T]) -> T:
        with self._lock:
            try:
                return work()
            except sqlite3.OperationalError as error:
                raise InputError(
                    f"{self._path} cannot be used: {_line(error)}",
                    fix="Make room, wait, or give another file with --cache.",
                ) from error
            except sqlite3.DatabaseError as error:
                raise InputError(
                    f"{self._path} is damaged: {_line(error)}",
                    fix="If it is a cache, delete it; otherwise give another file with --cache.",
                ) from error


def _line(error: Exception) -> str:
    return " ".join(str(error).split())


def key_of(asked: Mapping[str, Any]) -> str:
    """The hash of a request, whatever the order of its keys."""
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
