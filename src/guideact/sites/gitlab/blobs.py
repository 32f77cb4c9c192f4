"""The texts of files: those the site came with, which no instance changes, and those written since."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable

from guideact.sites.gitlab import content_files
from guideact.sites.gitlab.content_files import digest

__all__ = ["keep", "read", "read_all"]


def read_all(connection: sqlite3.Connection, names: Iterable[str]) -> dict[str, str]:
    """Texts by their digests. Raises KeyError for a digest that nothing is known of."""
    known = content_files.blobs()
    found, written = {}, []
    for name in names:
        if name in known:
            found[name] = known[name]
        else:
            written.append(name)
    for name in written:
        rows = connection.execute("SELECT content FROM blob WHERE hash = ?", (name,)).fetchall()
        if not rows:
            raise KeyError(name)
        found[name] = str(rows[0]["content"])
    return found


def read(connection: sqlite3.Connection, name: str | None) -> str:
    """One text; the empty one for a file that is not there."""
    return "" if name is None else read_all(connection, (name,))[name]


def keep(connection: sqlite3.Connection, text: str) -> str:
    """Store a text where it is new; its digest."""
    name = digest(text)
    if name not in content_files.blobs():
        connection.execute("INSERT OR IGNORE INTO blob (hash, content) VALUES (?, ?)", (name, text))
    return name
