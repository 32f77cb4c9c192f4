"""Reads the projects that the site comes with: one text file each, in `content/`.

Lines that begin with `%%` are directives; what follows one belongs to it. `%%file` gives a whole file, `%%edit` ...
`%%to` replaces a passage that stands in it once. Branches come into being by their first commit.
"""

from __future__ import annotations

import functools
import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Commit", "Event", "Planned", "Project", "blobs", "digest", "projects"]

FOLDER = Path(__file__).parent / "content"


@dataclass
class Commit:
    """A commit: the files it changes, by path, with their new text (None where one goes)."""

    author: str
    when: str
    title: str
    branch: str
    files: dict[str, str | None] = field(default_factory=dict)


@dataclass
class Planned:
    """An issue or a merge request, with its comments as [author, when, text]."""

    kind: str
    state: str
    author: str
    when: str
    title: str
    settings: dict[str, str]
    body: str = ""
    comments: list[list[str]] = field(default_factory=list)


@dataclass
class Event:
    """A tag or a release: name, author, when, title, body."""

    kind: str
    name: str
    author: str
    when: str
    title: str
    body: str = ""


@dataclass
class Project:
    """All of one file. `history` is in the order in which things happened to the repository."""

    path: str
    head: dict[str, str]
    labels: list[tuple[str, str, str]] = field(default_factory=list)
    milestones: list[tuple[str, str, str, str, str]] = field(default_factory=list)
    history: list[Commit | Planned | Event] = field(default_factory=list)
    issues: list[Planned] = field(default_factory=list)


def digest(text: str) -> str:
    """The name under which a text is kept: the first 20 hexadecimal digits of its SHA-1."""
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()[:20]


@functools.cache
def projects() -> tuple[Project, ...]:
    """All projects, by their addresses in alphabetical order."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.txt")))


@functools.cache
def blobs() -> dict[str, str]:
    """Every text of every file that the site came with, by its digest."""
    found: dict[str, str] = {}
    for project in projects():
        for commit in project.history:
            if isinstance(commit, Commit):
                found |= {digest(text): text for text in commit.files.values() if text is not None}
    return found


def moment(text: str) -> str:
    """2025-06-03T10:00 -> 2025-06-03 10:00:00."""
    day, _, clock = text.partition("T")
    return f"{day} {clock or '12:00'}:00"


def _settings(text: str) -> dict[str, str]:
    """`labels=bug,to do weight=2` -> {"labels": "bug,to do", "weight": "2"}."""
    return dict(re.findall(r"(\w+)=(.*?)(?=\s+\w+=|$)", text))


def _read(path: Path) -> Project:
    head, *blocks = re.split(r"^%%", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    fields = dict(line.split(": ", 1) for line in head.strip().splitlines())
    project = Project(path.stem.replace("..", "/"), fields)
    trees: dict[str, dict[str, str]] = {}
    commit: Commit | None = None
    planned: Planned | None = None
    old = ""
    for block in blocks:
        line, _, rest = block.partition("\n")
        order, _, line = line.partition(" ")
        given, _, title = line.partition(" | ")
        words = given.split()
        text = rest.rstrip("\n")
        if order == "label":
            project.labels.append((given.partition(" ")[2], words[0], title))
        elif order == "milestone":
            project.milestones.append((title, words[0], words[1], words[2], text))
        elif order == "commit":
            branch = words[2] if len(words) > 2 else "main"
            trees.setdefault(branch, dict(trees.get("main", {})))
            commit = Commit(words[1], moment(words[0]), title, branch)
            project.history.append(commit)
        elif order in ("file", "to", "delete"):
            assert commit is not None, path
            name = words[0] if words else ""
            if order == "to":
                name, before = old.split("\n", 1)
                content = trees[commit.branch][name]
                if content.count(before) != 1:
                    raise ValueError(f"{path}: {name} holds {content.count(before)} times {before!r}")
                commit.files[name] = content.replace(before, text)
            else:
                commit.files[name] = text + "\n" if order == "file" else None
            changed = commit.files[name]
            if changed is None:
                del trees[commit.branch][name]
            else:
                trees[commit.branch][name] = changed
        elif order == "edit":
            old = f"{words[0]}\n{text}"
        elif order in ("issue", "mr"):
            planned = Planned(order, words[0], words[1], moment(words[2]), title, _settings(" ".join(words[3:])), text)
            (project.issues if order == "issue" else project.history).append(planned)
            if planned.state == "merged":
                trees["main"] |= trees[planned.settings["from"]]
        elif order == "comment":
            assert planned is not None, path
            planned.comments.append([words[0], moment(words[1]), text])
        elif order in ("tag", "release"):
            project.history.append(Event(order, words[0], words[1], moment(words[2]), title, text))
        else:
            raise ValueError(f"{path}: unknown directive {order!r}")
    return project
