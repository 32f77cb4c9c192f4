"""Searching: titles by their beginning, texts by their words.

The shipped articles are indexed once, in a read-only SQLite database in memory that all instances share. What an
instance has written since is indexed for the length of one search: it is a handful of articles at most.
"""

from __future__ import annotations

import functools
import re
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from guideact.sites.state import fold
from guideact.sites.wikipedia.corpus import articles, redirects
from guideact.sites.wikipedia.markup import plain_text

__all__ = ["Hit", "Suggestion", "full_text", "suggestions"]

_TITLE, _TEXT = 8.0, 1.0
"""How much a word counts in a title and in a text."""

MARK, UNMARK = "\x02", "\x03"
"""What stands around found words in a snippet; templates turn it into markup."""


@dataclass(frozen=True)
class Hit:
    """An article that a search found."""

    article_id: int
    title: str
    snippet: str
    words: int


@dataclass(frozen=True)
class Suggestion:
    """A title that begins with what was typed, or holds a word that does. `via`: the redirect by which it was found."""

    article_id: int
    title: str
    via: str


def _build(entries: Iterable[tuple[int, str, str]]) -> sqlite3.Connection:
    # Every thread may read: nothing is written after this function.
    connection = sqlite3.connect(":memory:", check_same_thread=False)
    connection.execute("CREATE VIRTUAL TABLE page USING fts5(title, body, tokenize = 'porter unicode61')")
    connection.executemany("INSERT INTO page (rowid, title, body) VALUES (?, ?, ?)", entries)
    connection.commit()
    connection.execute("PRAGMA query_only = ON")
    return connection


@functools.cache
def _shipped() -> sqlite3.Connection:
    return _build((one.id, one.title, plain_text(one.source)) for one in articles())


def _expression(query: str) -> str:
    """A query as FTS5 wants it: every word must be there, the last may be a beginning, quoted words stand together."""
    parts = re.findall(r'"([^"]+)"|(\w+)', query)
    terms = []
    for phrase, word in parts:
        words = re.findall(r"\w+", phrase or word)
        if words:
            terms.append('"' + " ".join(words) + '"')
    if terms and parts[-1][1]:
        terms[-1] += "*"
    return " AND ".join(terms)


def _search(connection: sqlite3.Connection, expression: str) -> list[tuple[int, str, str, int, float]]:
    return connection.execute(
        "SELECT rowid, title, snippet(page, 1, ?, ?, ' … ', 34), length(body) - length(replace(body, ' ', '')) + 1,"
        " bm25(page, ?, ?) FROM page WHERE page MATCH ? ORDER BY 5, rowid",
        (MARK, UNMARK, _TITLE, _TEXT, expression),
    ).fetchall()


def full_text(query: str, rewritten: Mapping[int, tuple[str, str]]) -> list[Hit]:
    """The articles that hold all words of a query, the best first.

    `rewritten` maps the articles that differ from the shipped ones to their title and source: those are searched as
    they are now.
    """
    expression = _expression(query)
    if not expression:
        return []
    found = [hit for hit in _search(_shipped(), expression) if hit[0] not in rewritten]
    if rewritten:
        own = _build((key, title, plain_text(source)) for key, (title, source) in rewritten.items())
        try:
            found += _search(own, expression)
        finally:
            own.close()
        # A small collection rates its words otherwise, so titles that match come first and the rest keep their order.
        found.sort(key=lambda hit: (hit[4], hit[0]))
    return [Hit(key, title, snippet, words) for key, title, snippet, words, _ in found]


@functools.cache
def _titles() -> tuple[tuple[str, int, str, str], ...]:
    """(folded name, article, title, redirect) of every title and redirect."""
    names = [(fold(one.title), one.id, one.title, "") for one in articles()]
    by_slug = {one.slug: one for one in articles()}
    for name, slug in redirects().values():
        names.append((fold(name), by_slug[slug].id, by_slug[slug].title, name))
    return tuple(sorted(names))


def suggestions(typed: str, made: Mapping[int, str], most: int = 8) -> list[Suggestion]:
    """Titles that begin with what was typed come first, then those in which a later word does. `made`: new articles."""
    wanted = fold(typed).strip()
    if not wanted:
        return []
    names = [*_titles(), *((fold(title), key, title, "") for key, title in made.items())]
    starts = [entry for entry in names if entry[0].startswith(wanted)]
    inside = [entry for entry in names if entry not in starts and f" {wanted}" in entry[0]]
    found: dict[int, Suggestion] = {}
    for _, key, title, via in sorted(starts, key=lambda entry: (entry[3] != "", entry[0])) + inside:
        found.setdefault(key, Suggestion(key, title, via))
    return list(found.values())[:most]
