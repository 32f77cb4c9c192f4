"""The category tree: its page, its form, and the paths that the product form's picker shows."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import shell
from guideact.sites.shopping_admin.forms import Field, raw_of, read

guard = shell.guard("catalog")

FIELDS = (
    Field("name", "Name", required=True, max_length=80),
    Field("position", "Position", "integer", required=True, minimum=0, maximum=999, hint="Smaller numbers come first."),
    Field("description", "Description", "textarea", max_length=500),
    Field("is_active", "Active", "switch", hint="An inactive category is not shown in the store."),
)


@dataclass(frozen=True)
class Node:
    """A category in the tree."""

    row: sqlite3.Row
    products: int
    children: tuple[Node, ...]


@dataclass(frozen=True)
class Path:
    """A category as the picker offers it: "Kitchen & Dining / Mugs & Cups"."""

    id: int
    name: str
    path: str
    depth: int


def tree(request: Request) -> tuple[Node, ...]:
    """All categories, with how many products each holds itself."""
    children: dict[int | None, list[sqlite3.Row]] = {}
    for row in web.rows(request, "SELECT * FROM category ORDER BY position, id"):
        children.setdefault(row["parent_id"], []).append(row)
    counts = dict(
        tuple(row) for row in web.rows(request, "SELECT category_id, count(*) FROM product GROUP BY category_id")
    )

    def grow(parent: int | None) -> tuple[Node, ...]:
        return tuple(Node(row, counts.get(row["id"], 0), grow(row["id"])) for row in children.get(parent, ()))

    return grow(None)


def paths(request: Request) -> list[Path]:
    """The tree as a flat list, parents before their children."""
    children: dict[int | None, list[sqlite3.Row]] = {}
    for row in web.rows(request, "SELECT id, parent_id, name FROM category ORDER BY position, id"):
        children.setdefault(row["parent_id"], []).append(row)
    found: list[Path] = []

    def walk(parent: int | None, before: str, depth: int) -> None:
        for row in children.get(parent, ()):
            path = f"{before} / {row['name']}" if before else row["name"]
            found.append(Path(row["id"], row["name"], path, depth))
            walk(row["id"], path, depth + 1)

    walk(None, "", 0)
    return found


@guard
async def index(request: Request) -> Response:
    """The tree, with nothing chosen yet."""
    return web.render(request, "categories.html", tree=tree(request), row=None, raw={}, errors={}, fields=FIELDS)


@guard
async def edit(request: Request) -> Response:
    """The tree and the form of one category."""
    row = web.row(request, "SELECT * FROM category WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such category.")
    context: dict[str, Any] = {"row": row, "fields": FIELDS, "tree": tree(request)}
    if request.method == "GET":
        return web.render(request, "categories.html", **context, raw=raw_of(FIELDS, row), errors={})
    reading = read(FIELDS, web.form(request))
    if not reading.ok:
        return web.render(request, "categories.html", status=422, **context, raw=reading.raw, errors=reading.errors)
    shell.update(request, "category", row["id"], shell.changed(row, reading.values))
    web.flash(request, f"Category {reading.values['name']} was saved.")
    return web.redirect(f"/categories/{row['id']}")


@guard
async def add(request: Request) -> Response:
    """A new category under a chosen parent; it opens for editing."""
    name = " ".join(web.field(request, "name").split())[:80]
    parent = web.integer(request, "parent_id")
    if not name:
        web.flash(request, "Give the category a name.", "error")
        return web.redirect("/categories")
    if parent is not None and web.value(request, "SELECT 1 FROM category WHERE id = ?", parent) is None:
        web.flash(request, "Choose a parent category from the list.", "error")
        return web.redirect("/categories")
    base = "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name.lower())
    slug = base = "-".join(part for part in base.split("-") if part) or "category"
    number = 2
    while web.value(request, "SELECT 1 FROM category WHERE slug = ?", slug):
        slug = f"{base}-{number}"
        number += 1
    last = web.value(request, "SELECT max(position) FROM category WHERE parent_id IS ?", parent)
    made = shell.insert(
        request,
        "category",
        {"parent_id": parent, "name": name, "slug": slug, "position": (last or 0) + 1},
    )
    web.flash(request, f"Category {name} was created.")
    return web.redirect(f"/categories/{made}")


ROUTES = [
    Route("/categories", index),
    Route("/categories/new", add, methods=["POST"]),
    Route("/categories/{id:int}", edit, methods=["GET", "POST"]),
]
