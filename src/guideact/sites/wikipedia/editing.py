"""Changing an article: its source or one section of it, its box of facts, and starting a new one."""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import execute, field, flash, form, integer, not_found, redirect, render, signed_in
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.diffs import compare
from guideact.sites.wikipedia.frame import preferences
from guideact.sites.wikipedia.history import LONGEST_SUMMARY, add_watch
from guideact.sites.wikipedia.markup import (
    Infobox,
    infobox_of,
    plain_text,
    render_article,
    sections,
    slug_of,
    with_section,
)
from guideact.sites.wikipedia.reading import article_context
from guideact.sites.wikipedia.shelf import Page

__all__ = ["ROUTES"]

LONGEST_ARTICLE = 60_000


def _protected(request: Request, page: Page) -> Response | None:
    context = article_context(request, page, "edit")
    return None if context["may_edit"] else redirect(f"/source/{page.slug}")


@signed_in
async def edit(request: Request) -> Response:
    """The source of an article or, with `section`, of one section. Buttons (`do`): preview, changes, save."""
    slug = request.path_params["slug"]
    page = shelf.find(request, slug)
    if page is None:
        return await _start(request, slug)
    if (refusal := _protected(request, page)) is not None:
        return refusal
    parts = sections(page.source)
    section = integer(request, "section")
    if section is not None and not 0 <= section < len(parts):
        not_found("The article has no such section.")
    before = page.source if section is None else parts[section]
    chosen = preferences(request)
    typed: dict[str, Any] = {
        "source": before.rstrip() + "\n",
        "summary": "",
        "minor": False,
        "watch": bool(chosen and chosen["watch_edited"]),
    }
    context: dict[str, Any] = {
        "section": section,
        "base": page.revision_id,
        "errors": {},
        "preview": None,
        "lines": None,
    }
    if section is not None and section > 0:
        context["heading"] = plain_text(re.sub(r"[={}]", "", parts[section].splitlines()[0]).strip())
    else:
        context["heading"] = ""
    status = 200
    if request.method == "POST":
        typed = _typed(request)
        whole = _whole(page, section, typed["source"])
        context["base"] = integer(request, "base", page.revision_id)
        deed = field(request, "do", "save")
        if deed == "save":
            context["errors"] = _errors(typed, page, context["base"])
            if not context["errors"]:
                return _store(request, page, whole, typed)
            status = 422
        elif deed == "changes":
            context["lines"] = compare(page.source, whole)
        else:
            context["preview"] = render_article(typed["source"], page.title, shelf.known(request), editable=False)
    return render(request, "edit.html", status=status, typed=typed, **context, **article_context(request, page, "edit"))


def _typed(request: Request) -> dict[str, Any]:
    sent = form(request).get("source")
    return {
        "source": (sent if isinstance(sent, str) else "").replace("\r\n", "\n"),
        "summary": field(request, "summary")[:LONGEST_SUMMARY],
        "minor": field(request, "minor") == "1",
        "watch": field(request, "watch") == "1",
    }


def _whole(page: Page, section: int | None, text: str) -> str:
    return text.strip() + "\n" if section is None else with_section(page.source, section, text)


def _errors(typed: dict[str, Any], page: Page, base: int | None) -> dict[str, str]:
    errors = {}
    if not typed["source"].strip():
        errors["source"] = "An article cannot be empty."
    elif len(typed["source"]) > LONGEST_ARTICLE:
        errors["source"] = f"Use at most {LONGEST_ARTICLE:,} characters."
    if base != page.revision_id:
        errors["source"] = "Somebody has changed the article meanwhile. Copy your text, reload the page and try again."
    return errors


def _store(request: Request, page: Page, whole: str, typed: dict[str, Any]) -> Response:
    if whole.strip() == page.source.strip():
        flash(request, "Nothing was changed, so there is nothing to save.", "info")
        return redirect(page.url)
    shelf.save(request, page.id, whole, typed["summary"], typed["minor"])
    if typed["watch"]:
        add_watch(request, page.id)
    flash(request, "Your edit was saved.")
    return redirect(page.url)


@signed_in
async def facts(request: Request) -> Response:
    """The box of facts as a form, a field for each fact."""
    page = shelf.page(request, request.path_params["slug"])
    if (refusal := _protected(request, page)) is not None:
        return refusal
    lines = page.source.splitlines()
    if not lines or not lines[0].startswith("{{infobox"):
        not_found("This article has no box of facts.")
    end = lines.index("}}")
    box = infobox_of(lines[: end + 1])
    chosen = preferences(request)
    typed: dict[str, Any] = {"summary": "", "minor": False, "watch": bool(chosen and chosen["watch_edited"])}
    values = dict(box.facts)
    errors: dict[str, str] = {}
    base = page.revision_id
    if request.method == "POST":
        typed = _typed(request)
        values = {name: _one_line(field(request, f"fact-{at}")) for at, (name, _) in enumerate(box.facts)}
        base = integer(request, "base", page.revision_id) or 0
        if base != page.revision_id:
            errors["base"] = "Somebody has changed the article meanwhile. Reload the page and try again."
        if not errors:
            whole = "\n".join([*_box_lines(box, values), *lines[end + 1 :]]) + "\n"
            return _store(request, page, whole, typed)
    return render(
        request,
        "facts.html",
        status=422 if errors else 200,
        facts=list(values.items()),
        typed=typed,
        errors=errors,
        base=base,
        **article_context(request, page, "edit"),
    )


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def _box_lines(box: Infobox, values: dict[str, str]) -> list[str]:
    special = (("kind", box.kind), ("image", box.image), ("caption", box.caption))
    made = ["{{infobox", *(f"{name} = {value}" for name, value in special if value)]
    made += [f"{name} = {value}" for name, value in values.items() if value]
    return [*made, "}}"]


async def _start(request: Request, slug: str) -> Response:
    """A new article: the first revision makes it."""
    title = field(request, "title") or slug.replace("_", " ")
    chosen = preferences(request)
    typed: dict[str, Any] = {
        "source": f"'''{title}''' is \n",
        "summary": "New article",
        "minor": False,
        "watch": bool(chosen and chosen["watch_created"]),
    }
    errors: dict[str, str] = {}
    rendered = None
    if slug_of(title) != slug:
        not_found("An article cannot have this title.")
    if request.method == "POST":
        typed = _typed(request)
        deed = field(request, "do", "save")
        if deed == "save":
            if not typed["source"].strip():
                errors["source"] = "An article cannot be empty."
            else:
                made = execute(request, "INSERT INTO article (slug, title) VALUES (?, ?)", slug, title)
                shelf.save(request, made, typed["source"].strip() + "\n", typed["summary"], is_minor=False)
                if typed["watch"]:
                    add_watch(request, made)
                flash(request, f"“{title}” is an article now.")
                return redirect(f"/wiki/{slug}")
        else:
            rendered = render_article(typed["source"], title, shelf.known(request), editable=False)
    return render(
        request,
        "start.html",
        status=422 if errors else 200,
        title=title,
        slug=slug,
        typed=typed,
        errors=errors,
        preview=rendered,
    )


ROUTES = [
    Route("/edit/{slug}", edit, methods=["GET", "POST"]),
    Route("/facts/{slug}", facts, methods=["GET", "POST"]),
]
