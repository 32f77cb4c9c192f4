"""Trees, histories, differences and blame, from the tables `revision` and `file_change`."""

from __future__ import annotations

import difflib
import hashlib
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from guideact.sites.gitlab import blobs
from guideact.sites.web import now_text

__all__ = [
    "DiffRow",
    "Entry",
    "FileDiff",
    "Folder",
    "ancestors",
    "base_of",
    "blame",
    "branch_row",
    "commit",
    "compare",
    "find_revision",
    "history_of",
    "listing",
    "revision_diff",
    "tree",
]

_LINE = (
    "WITH RECURSIVE line(id, depth) AS (SELECT ?, 0 UNION ALL SELECT r.parent_id, line.depth + 1 FROM revision r"
    " JOIN line ON r.id = line.id WHERE r.parent_id IS NOT NULL)"
)
_REVISION = "r.*, a.username, a.full_name"


@dataclass(frozen=True)
class Entry:
    """A file in a tree: the digest of its text and the revision that changed it last."""

    blob: str
    revision_id: int


@dataclass(frozen=True)
class Folder:
    """A line of a listing: a file or a folder directly below the one that is shown."""

    name: str
    path: str
    is_folder: bool
    revision: sqlite3.Row


@dataclass(frozen=True)
class DiffRow:
    """A line of a difference. `kind`: same, add, remove, gap."""

    kind: str
    old: int | None
    new: int | None
    text: str


@dataclass(frozen=True)
class FileDiff:
    """What happened to a file. `kind`: added, removed, changed."""

    path: str
    kind: str
    rows: tuple[DiffRow, ...]
    added: int
    removed: int


def tree(db: sqlite3.Connection, revision_id: int) -> dict[str, Entry]:
    """All files of a revision by path, in alphabetical order."""
    rows = db.execute(
        f"{_LINE} SELECT c.path, c.blob, CASE WHEN r.merged_id IS NULL THEN r.id ELSE"
        " coalesce((SELECT min(o.revision_id)"
        " FROM file_change o JOIN revision s ON s.id = o.revision_id WHERE s.project_id = r.project_id"
        " AND o.path = c.path AND o.blob = c.blob), r.id) END AS revision_id"
        " FROM line JOIN file_change c ON c.revision_id = line.id JOIN revision r ON r.id = line.id"
        " ORDER BY line.depth",
        (revision_id,),
    ).fetchall()
    newest: dict[str, Entry | None] = {}
    for row in rows:
        if row["path"] not in newest:
            newest[row["path"]] = None if row["blob"] is None else Entry(row["blob"], row["revision_id"])
    return {path: entry for path, entry in sorted(newest.items()) if entry is not None}


def listing(db: sqlite3.Connection, files: Mapping[str, Entry], folder: str) -> list[Folder]:
    """What lies directly in a folder ("" for the root): folders first, each with its latest revision."""
    start = f"{folder}/" if folder else ""
    latest: dict[tuple[bool, str], int] = {}
    for path, entry in files.items():
        if path.startswith(start):
            name, slash, _ = path[len(start) :].partition("/")
            key = (not slash, name)
            latest[key] = max(latest.get(key, 0), entry.revision_id)
    numbers = sorted(set(latest.values()))
    marks = ", ".join("?" * len(numbers))
    found = db.execute(
        f"SELECT {_REVISION} FROM revision r JOIN account a ON a.id = r.author_id WHERE r.id IN ({marks})", numbers
    ).fetchall()
    by_id = {row["id"]: row for row in found}
    return [
        Folder(name, start + name, not is_file, by_id[number]) for (is_file, name), number in sorted(latest.items())
    ]


def ancestors(db: sqlite3.Connection, revision_id: int) -> list[sqlite3.Row]:
    """A revision and all before it, the newest first, with `username` and `full_name` of their authors."""
    return db.execute(
        "WITH RECURSIVE line(id) AS (SELECT ? UNION SELECT p.id FROM line JOIN revision r ON r.id = line.id"
        " JOIN revision p ON p.id IN (r.parent_id, r.merged_id))"
        f" SELECT {_REVISION} FROM line JOIN revision r ON r.id = line.id JOIN account a ON a.id = r.author_id"
        " ORDER BY r.created_at DESC, r.id DESC",
        (revision_id,),
    ).fetchall()


def base_of(db: sqlite3.Connection, one: int, other: int) -> int:
    """The latest revision that two have in common, along first parents; `other` itself where there is none."""
    line = {row["id"] for row in db.execute(f"{_LINE} SELECT id FROM line", (other,)).fetchall()}
    for row in db.execute(f"{_LINE} SELECT id FROM line ORDER BY depth", (one,)).fetchall():
        if row["id"] in line:
            return int(row["id"])
    return other


def branch_row(db: sqlite3.Connection, project_id: int, name: str) -> sqlite3.Row | None:
    found = db.execute("SELECT * FROM branch WHERE project_id = ? AND name = ?", (project_id, name)).fetchall()
    return found[0] if found else None


def find_revision(db: sqlite3.Connection, project_id: int, ref: str) -> int | None:
    """The revision that a branch, a tag or (the beginning of) a hash names."""
    for table in ("branch", "tag"):
        found = db.execute(
            f"SELECT revision_id FROM {table} WHERE project_id = ? AND name = ?", (project_id, ref)
        ).fetchall()
        if found:
            return int(found[0]["revision_id"])
    if len(ref) < 6:
        return None
    found = db.execute(
        "SELECT id FROM revision WHERE project_id = ? AND substr(sha, 1, ?) = ?", (project_id, len(ref), ref)
    ).fetchall()
    return int(found[0]["id"]) if found else None


def history_of(db: sqlite3.Connection, revision_id: int, path: str) -> list[sqlite3.Row]:
    """The revisions that changed a file (or anything in a folder), the newest first, each with the file's `blob`."""
    return db.execute(
        f"{_LINE} SELECT {_REVISION}, c.blob FROM line JOIN revision r ON r.id = line.id"
        " JOIN file_change c ON c.revision_id = r.id JOIN account a ON a.id = r.author_id"
        " WHERE c.path = ? OR substr(c.path, 1, length(?) + 1) = ? || '/' GROUP BY r.id ORDER BY line.depth",
        (revision_id, path, path, path),
    ).fetchall()


def _origin(db: sqlite3.Connection, merge: sqlite3.Row, path: str) -> sqlite3.Row:
    """The revision that brought about the text of a file that a merge took over."""
    found: list[sqlite3.Row] = db.execute(
        f"SELECT {_REVISION}, c.blob FROM file_change c JOIN revision r ON r.id = c.revision_id"
        " JOIN account a ON a.id = r.author_id WHERE r.project_id = ? AND c.path = ? AND c.blob IS ?"
        " ORDER BY r.id LIMIT 1",
        (merge["project_id"], path, merge["blob"]),
    ).fetchall()
    return found[0]


def blame(db: sqlite3.Connection, revision_id: int, path: str) -> list[tuple[str, sqlite3.Row]]:
    """Each line of a file with the revision that wrote it."""
    lines: list[tuple[str, sqlite3.Row]] = []
    for version in reversed(history_of(db, revision_id, path)):
        if version["merged_id"] is not None:
            version = _origin(db, version, path)
        text = blobs.read(db, version["blob"]).splitlines()
        matcher = difflib.SequenceMatcher(None, [line for line, _ in lines], text, autojunk=False)
        newer = [(line, version) for line in text]
        for old, new, size in matcher.get_matching_blocks():
            newer[new : new + size] = lines[old : old + size]
        lines = newer
    return lines


def _file_diff(path: str, before: str | None, after: str | None, texts: Mapping[str, str]) -> FileDiff:
    old = texts[before].splitlines() if before else []
    new = texts[after].splitlines() if after else []
    rows: list[DiffRow] = []
    added = removed = 0
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for number, group in enumerate(matcher.get_grouped_opcodes(3)):
        if number or group[0][1] > 0:
            rows.append(DiffRow("gap", None, None, ""))
        for kind, i1, i2, j1, j2 in group:
            if kind == "equal":
                rows += [DiffRow("same", i1 + at + 1, j1 + at + 1, line) for at, line in enumerate(old[i1:i2])]
                continue
            rows += [DiffRow("remove", at + 1, None, old[at]) for at in range(i1, i2)]
            rows += [DiffRow("add", None, at + 1, new[at]) for at in range(j1, j2)]
            removed += i2 - i1
            added += j2 - j1
    kind = "added" if before is None else "removed" if after is None else "changed"
    return FileDiff(path, kind, tuple(rows), added, removed)


def _diffs(db: sqlite3.Connection, before: Mapping[str, str | None], after: Mapping[str, str | None]) -> list[FileDiff]:
    changed = sorted(path for path in {*before, *after} if before.get(path) != after.get(path))
    names = {blob for path in changed for blob in (before.get(path), after.get(path)) if blob}
    texts = blobs.read_all(db, sorted(names))
    return [_file_diff(path, before.get(path), after.get(path), texts) for path in changed]


def compare(db: sqlite3.Connection, base: int, head: int) -> list[FileDiff]:
    """What differs between the trees of two revisions."""
    return _diffs(
        db,
        {path: entry.blob for path, entry in tree(db, base).items()},
        {path: entry.blob for path, entry in tree(db, head).items()},
    )


def revision_diff(db: sqlite3.Connection, revision: sqlite3.Row) -> list[FileDiff]:
    """What a revision changed against its first parent."""
    rows = db.execute("SELECT path, blob FROM file_change WHERE revision_id = ?", (revision["id"],)).fetchall()
    earlier = {} if revision["parent_id"] is None else tree(db, revision["parent_id"])
    before = {row["path"]: earlier[row["path"]].blob if row["path"] in earlier else None for row in rows}
    return _diffs(db, before, {row["path"]: row["blob"] for row in rows})


def commit(
    db: sqlite3.Connection,
    *,
    project_id: int,
    branch: str,
    parent: sqlite3.Row | None,
    author_id: int,
    title: str,
    blobs_by_path: Mapping[str, str | None],
    body: str = "",
    merged_id: int | None = None,
) -> int:
    """Add a revision on top of `parent` and let the branch (made where it is new) point to it; its id.

    Merge requests that are open from this branch go along.
    """
    changes: Sequence[tuple[str, str | None]] = sorted(blobs_by_path.items())
    words: list[Any] = [project_id, parent["sha"] if parent else "", author_id, title, body, now_text(), *changes]
    sha = hashlib.sha1(repr(words).encode(), usedforsecurity=False).hexdigest()
    revision = db.execute(
        "INSERT INTO revision (project_id, sha, parent_id, merged_id, author_id, title, body, created_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (project_id, sha, parent["id"] if parent else None, merged_id, author_id, title, body, now_text()),
    ).lastrowid
    assert revision is not None
    db.executemany(
        "INSERT INTO file_change (revision_id, path, blob) VALUES (?, ?, ?)",
        [(revision, path, blob) for path, blob in changes],
    )
    if branch_row(db, project_id, branch) is None:
        db.execute(
            "INSERT INTO branch (project_id, name, revision_id) VALUES (?, ?, ?)", (project_id, branch, revision)
        )
    else:
        db.execute(
            "UPDATE branch SET revision_id = ? WHERE project_id = ? AND name = ?", (revision, project_id, branch)
        )
    db.execute(
        "UPDATE merge_request SET head_id = ? WHERE project_id = ? AND source_branch = ? AND state = 'open'",
        (revision, project_id, branch),
    )
    return revision
