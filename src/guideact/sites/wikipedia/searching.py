"""The search box and the page of results."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup, escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.state import fold
from guideact.sites.web import Pager, field, redirect, render, rows
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.corpus import article, articles
from guideact.sites.wikipedia.frame import preferences
from guideact.sites.wikipedia.index import MARK, UNMARK, full_text, suggestions
from guideact.sites.wikipedia.markup import categories_of, slug_of

__all__ = ["ROUTES"]

SIZES = (10, 20, 50)


@dataclass(frozen=True)
class Found:
    """A line of the results."""

    title: str
    url: str
    snippet: Markup
    words: int
    categories: tuple[str, ...]


def _snippet(text: str) -> Markup:
    return Markup(str(escape(text)).replace(MARK, "<mark>").replace(UNMARK, "</mark>"))


async def search(request: Request) -> Response:
    """Full text; a query that is a title leads to its article, unless `full` asks for the list."""
    query = field(request, "q")[:200]
    slug = slug_of(query) if query else ""
    page = shelf.find(request, slug) if slug else None
    led = shelf.redirected(slug) if slug and page is None else None
    if not field(request, "full"):
        if page is not None and fold(page.title) == fold(query):
            return redirect(page.url)
        if led is not None and fold(led[0]) == fold(query):
            request.state.session.data["redirected_from"] = led[0]
            return redirect(f"/wiki/{led[1]}")
    now = shelf.written(request)
    hits = full_text(query, now)
    chosen = preferences(request)
    pager = Pager.of(request, len(hits), chosen["results_per_page"] if chosen else 10, SIZES)
    shown = hits[pager.offset : pager.offset + pager.size]
    known = {one["id"]: one["slug"] for one in shelf.pages(request, [hit.article_id for hit in shown])}
    lines = [
        Found(
            hit.title,
            f"/wiki/{known[hit.article_id]}",
            _snippet(hit.snippet),
            hit.words,
            categories_of(now[hit.article_id][1] if hit.article_id in now else article(hit.article_id).source),
        )
        for hit in shown
    ]
    return render(request, "search.html", query=query, pager=pager, lines=lines, exact=page, slug=slug, sizes=SIZES)


async def suggest(request: Request) -> Response:
    """The list under the search box, as markup."""
    made = rows(request, "SELECT id, title FROM article WHERE id > ?", len(articles()))
    found = suggestions(field(request, "q")[:80], {one["id"]: one["title"] for one in made})
    entries = [
        (one.title, slug_of(one.title), f"Redirect from {one.via}" if one.via else shelf.short_of(one.article_id))
        for one in found
    ]
    return render(request, "suggestions.html", entries=entries)


ROUTES = [Route("/search", search), Route("/search/suggest", suggest)]
