"""The articles of an instance as they are now: what the package ships, and over it what people have written since."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass

from starlette.requests import Request

from guideact.sites.web import execute, not_found, now_text, row, rows
from guideact.sites.wikipedia.corpus import (
    Known,
    article,
    articles,
    by_slug,
    links_to,
    members,
    redirects,
    target_slug,
)
from guideact.sites.wikipedia.markup import Rendered, categories_of, links_of, render_article, slug_of
from guideact.sites.wikipedia.past import shipped_text

__all__ = [
    "Page",
    "category_counts",
    "find",
    "in_category",
    "known",
    "linking",
    "page",
    "pages",
    "read",
    "redirected",
    "revision_text",
    "save",
    "short_of",
    "titles",
    "written",
]


@dataclass(frozen=True)
class Page:
    """An article as it is now."""

    id: int
    slug: str
    title: str
    source: str
    is_protected: bool
    revision_id: int
    changed_at: str
    """Time of the last revision."""
    short: str
    german: str

    @property
    def url(self) -> str:
        return f"/wiki/{self.slug}"

    @property
    def categories(self) -> tuple[str, ...]:
        return categories_of(self.source)


def find(request: Request, slug: str) -> Page | None:
    """The article with this slug (written in any case), or None."""
    found = row(
        request,
        "SELECT a.id, a.slug, a.title, a.is_protected, r.id AS revision_id, r.body, r.created_at"
        " FROM article a JOIN revision r ON r.article_id = a.id WHERE a.slug = ? COLLATE NOCASE"
        " ORDER BY r.number DESC LIMIT 1",
        slug,
    )
    if found is None:
        return None
    shipped = by_slug().get(found["slug"])
    source = found["body"]
    if source is None:
        assert shipped is not None
        source = shipped.source
    return Page(
        id=found["id"],
        slug=found["slug"],
        title=found["title"],
        source=source,
        is_protected=bool(found["is_protected"]),
        revision_id=found["revision_id"],
        changed_at=found["created_at"],
        short=shipped.short if shipped else "",
        german=shipped.german if shipped else "",
    )


def page(request: Request, slug: str) -> Page:
    """The article, or the 404 page."""
    found = find(request, slug)
    if found is None:
        not_found("There is no article with this title.")
    return found


def written(request: Request) -> dict[int, tuple[str, str]]:
    """Articles whose newest text was written in this instance: number -> (title, source)."""
    found = rows(
        request,
        "SELECT a.id, a.title, r.body FROM revision r JOIN article a ON a.id = r.article_id"
        " WHERE r.body IS NOT NULL ORDER BY r.number",
    )
    return {one["id"]: (one["title"], one["body"]) for one in found}


def known(request: Request) -> Known:
    """Which titles lead somewhere in this instance."""
    made = rows(request, "SELECT slug FROM article WHERE id > ?", len(articles()))
    return Known(frozenset(one["slug"] for one in made))


def read(request: Request, found: Page, *, editable: bool = True) -> Rendered:
    """An article as a page."""
    return render_article(found.source, found.title, known(request), editable=editable)


def revision_text(revision: sqlite3.Row) -> str:
    """The source of a row of `revision`."""
    body: str | None = revision["body"]
    return shipped_text(revision["article_id"], revision["number"]) if body is None else body


def _overlaid(request: Request, shipped: tuple[int, ...], holds: dict[int, bool]) -> list[int]:
    kept = [key for key in shipped if holds.get(key, True)]
    return kept + [key for key, holding in holds.items() if holding and key not in shipped]


def linking(request: Request, found: Page) -> list[sqlite3.Row]:
    """id, slug, title of the articles that link to one, by title."""
    holds = {
        key: found.slug in {target_slug(title) for title in links_of(source)}
        for key, (_, source) in written(request).items()
    }
    return pages(request, _overlaid(request, links_to().get(found.slug, ()), holds))


def in_category(request: Request, slug: str) -> list[sqlite3.Row]:
    """id, slug, title of the articles in a category, by title."""
    holds = {
        key: slug in {slug_of(name) for name in categories_of(source)} for key, (_, source) in written(request).items()
    }
    return pages(request, _overlaid(request, members().get(slug, ()), holds))


def category_counts(request: Request) -> dict[str, int]:
    """Slug of a category -> how many articles are in it."""
    now = written(request)
    held = {slug: set(ids) - now.keys() for slug, ids in members().items()}
    for key, (_, source) in now.items():
        for name in categories_of(source):
            held.setdefault(slug_of(name), set()).add(key)
    return {slug: len(ids) for slug, ids in held.items()}


def pages(request: Request, ids: list[int]) -> list[sqlite3.Row]:
    """id, slug, title of articles by number, in the order of their titles."""
    marks = ", ".join("?" * len(ids))
    return rows(request, f"SELECT id, slug, title FROM article WHERE id IN ({marks}) ORDER BY fold(title), id", *ids)


def titles(request: Request) -> list[sqlite3.Row]:
    """id, slug, title of all articles, by title."""
    return rows(request, "SELECT id, slug, title FROM article ORDER BY fold(title), id")


def save(request: Request, article_id: int, source: str, summary: str, is_minor: bool) -> int:
    """Store a new revision by the signed-in user; gives its id."""
    number = rows(request, "SELECT MAX(number) FROM revision WHERE article_id = ?", article_id)[0][0] or 0
    return execute(
        request,
        "INSERT INTO revision (article_id, number, user_id, created_at, summary, size, is_minor, body)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        article_id,
        number + 1,
        request.state.session.user_id,
        now_text(),
        summary,
        len(source.encode()),
        int(is_minor),
        source,
    )


def redirected(slug: str) -> tuple[str, str] | None:
    """(title of the redirect, slug of its article) for the slug of a redirect."""
    folded = slug.casefold()
    for name, (title, target) in redirects().items():
        if name.casefold() == folded:
            return title, target
    return None


def short_of(article_id: int) -> str:
    """The line under a title in suggestions; empty for an article that an instance has added."""
    return article(article_id).short if article_id <= len(articles()) else ""
