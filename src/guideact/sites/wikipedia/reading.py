"""Reading an article: as it is now, as it was, for printing, for quoting, and the card that a link shows."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.companies import COMPANIES
from guideact.sites.web import forbidden, not_found, redirect, render, row, rows, site_url, user
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.corpus import german, german_article
from guideact.sites.wikipedia.markup import infobox_of, lead_text, render_article, slug_of
from guideact.sites.wikipedia.records import THINGS
from guideact.sites.wikipedia.shelf import Page

__all__ = ["ROUTES", "article_context"]


def article_context(request: Request, page: Page, tab: str) -> dict[str, Any]:
    """What the frame of an article's pages needs. `tab`: read, talk, edit, history."""
    reader = user(request)
    watched = reader is not None and (
        row(request, "SELECT 1 FROM watch WHERE user_id = ? AND article_id = ?", reader["id"], page.id) is not None
    )
    lists = (
        rows(request, "SELECT id, name FROM reading_list WHERE user_id = ? ORDER BY name, id", reader["id"])
        if reader is not None
        else []
    )
    return {
        "page": page,
        "tab": tab,
        "watched": watched,
        "reading_lists": lists,
        "may_edit": not page.is_protected or (reader is not None and reader["role"] == "administrator"),
        "german_slug": slug_of(page.german) if page.german else "",
        "elsewhere": _elsewhere(request, page.title),
    }


def _elsewhere(request: Request, title: str) -> list[tuple[str, str]]:
    """(words, address) of the pages of other sites that an article is about."""
    if title in COMPANIES:
        query = urlencode({"q": title, "brand": title})
        return [("Products at Lumo Market", site_url(request, "shopping", f"/search?{query}"))]
    if title in THINGS["books"].rows:
        slug = re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", ""))
        return [("This book at Lumo Market", site_url(request, "shopping", f"/p/{slug}"))]
    if title == "Lumo Market":
        return [
            ("Visit Lumo Market", site_url(request, "shopping")),
            ("Back office of Lumo Market", site_url(request, "shopping_admin")),
        ]
    return []


async def article(request: Request) -> Response:
    slug = request.path_params["slug"]
    page = shelf.find(request, slug)
    if page is None:
        led = shelf.redirected(slug)
        if led is not None:
            request.state.session.data["redirected_from"] = led[0]
            return redirect(f"/wiki/{led[1]}")
        wanted = slug.replace("_", " ")
        return render(request, "missing.html", title=wanted, slug=slug, status=404)
    if page.slug != slug:
        return redirect(page.url)
    via = request.state.session.data.pop("redirected_from", "")
    return render(
        request,
        "article.html",
        rendered=shelf.read(request, page),
        via=via,
        **article_context(request, page, "read"),
    )


async def old_revision(request: Request) -> Response:
    """A permanent link: the article as it was after one edit."""
    found = _revision(request, request.path_params["id"])
    page = shelf.page(request, found["slug"])
    text = shelf.revision_text(found)
    return render(
        request,
        "revision.html",
        revision=found,
        is_latest=found["id"] == page.revision_id,
        rendered=render_article(text, page.title, shelf.known(request), editable=False),
        before=_neighbour(request, found, -1),
        after=_neighbour(request, found, 1),
        **article_context(request, page, "history"),
    )


def _revision(request: Request, revision_id: int) -> Any:
    found = row(
        request,
        "SELECT r.*, a.slug, a.title, u.username FROM revision r JOIN article a ON a.id = r.article_id"
        " JOIN user u ON u.id = r.user_id WHERE r.id = ?",
        revision_id,
    )
    if found is None:
        not_found("There is no revision with this number.")
    return found


def _neighbour(request: Request, revision: Any, step: int) -> int | None:
    found = row(
        request,
        "SELECT id FROM revision WHERE article_id = ? AND number = ?",
        revision["article_id"],
        revision["number"] + step,
    )
    return None if found is None else found["id"]


async def printed(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    return render(request, "print.html", page=page, rendered=shelf.read(request, page, editable=False))


async def cite(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    return render(request, "cite.html", **article_context(request, page, "read"))


async def preview(request: Request) -> Response:
    """The card that stands beside a link while the pointer or the focus rests on it."""
    slug = request.path_params["slug"]
    page = shelf.find(request, slug)
    if page is None:
        led = shelf.redirected(slug)
        page = shelf.find(request, led[1]) if led else None
    if page is None:
        not_found("There is no article with this title.")
    image = ""
    lines = page.source.splitlines()
    if lines and lines[0].startswith("{{infobox"):
        end = next((at for at, line in enumerate(lines) if line == "}}"), len(lines) - 1)
        image = infobox_of(lines[: end + 1]).image
    return render(request, "preview.html", page=page, extract=lead_text(page.source), image=image)


async def german_page(request: Request) -> Response:
    found = german_article(request.path_params["slug"])
    if found is None:
        not_found("There is no article with this title in the German edition.")
    rendered = render_article(found.source, found.title, shelf.known(request), editable=False)
    # Its links lead to the English edition.
    english = shelf.find(request, slug_of(found.short))
    return render(request, "german.html", found=found, rendered=rendered, english=english, others=german())


async def source(request: Request) -> Response:
    """The source of an article that the reader may not edit."""
    page = shelf.page(request, request.path_params["slug"])
    if not page.is_protected:
        return redirect(f"/edit/{page.slug}")
    return render(request, "source.html", **article_context(request, page, "edit"))


def check_may_edit(request: Request, page: Page) -> None:
    """Answer 403 where an article is protected from this user."""
    found = user(request)
    if page.is_protected and (found is None or found["role"] != "administrator"):
        forbidden("This article is protected: only administrators can change it.")


ROUTES = [
    Route("/wiki/{slug}", article),
    Route("/revision/{id:int}", old_revision),
    Route("/print/{slug}", printed),
    Route("/cite/{slug}", cite),
    Route("/preview/{slug}", preview),
    Route("/source/{slug}", source),
    Route("/de/{slug}", german_page),
]
