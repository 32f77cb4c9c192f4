"""What the store says and what it is told: pages, contact messages, newsletter subscribers, search terms."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import grid, shell
from guideact.sites.shopping_admin.customers import customer_link
from guideact.sites.shopping_admin.forms import Field, Reading, Section, fields_of, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction
from guideact.sites.shopping_admin.products import slug_of

guard = shell.guard("content")
messages_guard = shell.guard("messages")


def _set(table: str, noun: str, column: str, value: Any, done: str) -> Any:
    def run(request: Request, ids: list[int], _: Any) -> str:
        count = web.execute(
            request,
            f"UPDATE {table} SET {column} = ? WHERE {column} != ? AND id IN ({grid.marks(ids)})",
            value,
            value,
            *ids,
        )
        return f"{web.plural(count, noun)} {done}."

    return run


def _delete(table: str, noun: str) -> Any:
    def run(request: Request, ids: list[int], _: Any) -> str:
        count = web.execute(request, f"DELETE FROM {table} WHERE id IN ({grid.marks(ids)})", *ids)
        return f"{web.plural(count, noun)} deleted."

    return run


DELETE_QUESTION = "Delete {count} {noun}? This cannot be undone."

# --- pages ------------------------------------------------------------------------------------------------------

PAGES = Grid(
    name="pages",
    path="/pages",
    title="Pages",
    noun=("page", "pages"),
    source="cms_page",
    key="id",
    columns=(
        Column("title", "Title", "title", filter="text", link="/pages/{id}"),
        Column("slug", "URL key", "slug", filter="text"),
        Column("updated_at", "Last change", "updated_at", "datetime", filter="date"),
        Column(
            "is_active",
            "Status",
            "is_active",
            filter="select",
            options=(("1", "Enabled"), ("0", "Disabled")),
            render=lambda row: grid.badge("enabled" if row["is_active"] else "disabled"),
        ),
    ),
    row_name=lambda row: f"page {row['title']}",
    search=("title", "slug", "body"),
    search_hint="Title, URL key or words",
    sort="title",
    descending=False,
    views=(("All", ()), ("Enabled", (("is_active", "1"),)), ("Disabled", (("is_active", "0"),))),
    actions=(
        MassAction("enable", "Enable", _set("cms_page", "page", "is_active", 1, "enabled")),
        MassAction(
            "disable", "Disable", _set("cms_page", "page", "is_active", 0, "disabled"), "Disable {count} {noun}?"
        ),
        MassAction("delete", "Delete", _delete("cms_page", "page"), DELETE_QUESTION),
    ),
    row_links=(("Edit", "/pages/{id}"),),
    primary=("New page", "/pages/new"),
)
PAGE = (
    Section(
        "Page",
        (
            Field("title", "Title", required=True, max_length=120, wide=True),
            Field(
                "slug",
                "URL key",
                max_length=120,
                pattern=(r"[a-z0-9]+(-[a-z0-9]+)*", "A URL key has small letters, digits and single dashes only."),
                hint="Made from the title when left empty.",
            ),
            Field("is_active", "Enabled", "switch", hint="A disabled page is not shown in the store."),
        ),
    ),
    Section("Content", (Field("body", "Content", "rich", required=True),)),
)


def _read_page(request: Request, row: sqlite3.Row | None) -> Reading:
    reading = read(fields_of(PAGE), web.form(request))
    values, errors = reading.values, reading.errors
    if row is not None and reading.raw["body"] == row["body"]:
        values["body"] = row["body"]
    if values.get("slug") == "" and values.get("title"):
        values["slug"] = slug_of(values["title"]) or "page"
    own = row["id"] if row is not None else 0
    if web.value(request, "SELECT 1 FROM cms_page WHERE slug = ? AND id != ?", values.get("slug", ""), own):
        errors.setdefault("slug", "Another page has this URL key already.")
    return reading


def _render_page(request: Request, row: sqlite3.Row | None, raw: dict[str, str], errors: dict[str, str]) -> Response:
    return web.render(
        request,
        "page.html",
        status=422 if errors else 200,
        row=row,
        sections=PAGE,
        raw=raw,
        errors=errors,
        action=f"/pages/{row['id']}" if row else "/pages/new",
    )


def _load_page(request: Request) -> sqlite3.Row:
    row = web.row(request, "SELECT * FROM cms_page WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such page.")
    return row


@guard
async def edit_page(request: Request) -> Response:
    row = _load_page(request)
    if request.method == "GET":
        return _render_page(request, row, raw_of(fields_of(PAGE), row), {})
    reading = _read_page(request, row)
    if not reading.ok:
        return _render_page(request, row, reading.raw, reading.errors)
    values = shell.changed(row, reading.values)
    if values:
        shell.update(request, "cms_page", row["id"], {**values, "updated_at": web.now_text()})
    web.flash(request, f"Page {reading.values['title']} was saved.")
    return web.redirect(f"/pages/{row['id']}")


@guard
async def new_page(request: Request) -> Response:
    if request.method == "GET":
        return _render_page(request, None, {"is_active": "1"}, {})
    reading = _read_page(request, None)
    if not reading.ok:
        return _render_page(request, None, reading.raw, reading.errors)
    made = shell.insert(request, "cms_page", {**reading.values, "updated_at": web.now_text()})
    web.flash(request, f"Page {reading.values['title']} was created.")
    return web.redirect(f"/pages/{made}")


@guard
async def delete_page(request: Request) -> Response:
    row = _load_page(request)
    web.execute(request, "DELETE FROM cms_page WHERE id = ?", row["id"])
    web.flash(request, f"Page {row['title']} was deleted.")
    return web.redirect("/pages")


@guard
async def preview_page(request: Request) -> Response:
    """The stored words alone, shown in a frame of the form."""
    row = _load_page(request)
    return web.render(request, "page_preview.html", row=row)


# --- contact messages -------------------------------------------------------------------------------------------

MESSAGES = Grid(
    name="messages",
    path="/messages",
    title="Contact messages",
    noun=("message", "messages"),
    source="contact_message",
    key="id",
    columns=(
        Column("created_at", "Received on", "created_at", "datetime", filter="date"),
        Column("name", "From", "name", filter="text"),
        Column("email", "Email", "email", filter="text"),
        Column("subject", "Subject", "subject", filter="text", link="/messages/{id}"),
        Column("body", "Message", "body", "excerpt", filter="text"),
        Column(
            "is_read",
            "Status",
            "is_read",
            filter="select",
            options=(("0", "Unread"), ("1", "Read")),
            render=lambda row: grid.badge("read" if row["is_read"] else "unread"),
        ),
    ),
    row_name=lambda row: f"message {row['subject'] or row['_id']} from {row['name']}",
    search=("name", "email", "subject", "body"),
    search_hint="Name, email or words",
    sort="created_at",
    views=(("All", ()), ("Unread", (("is_read", "0"),)), ("Read", (("is_read", "1"),))),
    actions=(
        MassAction("read", "Mark as read", _set("contact_message", "message", "is_read", 1, "marked as read")),
        MassAction("unread", "Mark as unread", _set("contact_message", "message", "is_read", 0, "marked as unread")),
        MassAction("delete", "Delete", _delete("contact_message", "message"), DELETE_QUESTION),
    ),
    row_links=(("Open", "/messages/{id}"),),
)


def _load_message(request: Request) -> sqlite3.Row:
    row = web.row(request, "SELECT * FROM contact_message WHERE id = ?", shell.whole_id(request))
    if row is None:
        web.not_found("There is no such message.")
    return row


@messages_guard
async def message(request: Request) -> Response:
    """One message. Looking at it does not mark it as read: the button does."""
    row = _load_message(request)
    customer = web.row(
        request, "SELECT id, first_name, last_name FROM customer WHERE lower(email) = lower(?)", row["email"]
    )
    return web.render(request, "message.html", row=row, customer=customer)


@messages_guard
async def mark_message(request: Request) -> Response:
    row = _load_message(request)
    step = request.url.path.rsplit("/", 1)[1]
    if step == "delete":
        web.execute(request, "DELETE FROM contact_message WHERE id = ?", row["id"])
        web.flash(request, "Message deleted.")
        return web.redirect("/messages")
    shell.update(request, "contact_message", row["id"], shell.changed(row, {"is_read": int(step == "read")}))
    web.flash(request, f"Message marked as {step}.")
    return web.redirect(f"/messages/{row['id']}")


# --- newsletter and search terms --------------------------------------------------------------------------------

SUBSCRIBERS = Grid(
    name="subscribers",
    path="/subscribers",
    title="Newsletter subscribers",
    noun=("subscriber", "subscribers"),
    source="newsletter_subscriber s LEFT JOIN customer c ON c.id = s.customer_id",
    key="s.id",
    extra=(("customer_id", "s.customer_id"),),
    columns=(
        Column("id", "ID", "s.id", "number", shown=False),
        Column("email", "Email", "s.email", filter="text"),
        Column("customer", "Customer", "c.first_name || ' ' || c.last_name", filter="text", render=customer_link),
        Column("created_at", "Signed up on", "s.created_at", "date", filter="date"),
        Column(
            "status",
            "Status",
            "s.status",
            "badge",
            filter="select",
            options=(("subscribed", "Subscribed"), ("unsubscribed", "Unsubscribed")),
        ),
    ),
    row_name=lambda row: f"subscriber {row['email']}",
    search=("s.email", "c.first_name || ' ' || c.last_name"),
    search_hint="Email or name",
    sort="created_at",
    views=(
        ("All", ()),
        ("Subscribed", (("status", "subscribed"),)),
        ("Unsubscribed", (("status", "unsubscribed"),)),
    ),
    actions=(
        MassAction(
            "subscribe", "Subscribe", _set("newsletter_subscriber", "subscriber", "status", "subscribed", "subscribed")
        ),
        MassAction(
            "unsubscribe",
            "Unsubscribe",
            _set("newsletter_subscriber", "subscriber", "status", "unsubscribed", "unsubscribed"),
            "Unsubscribe {count} {noun}?",
        ),
        MassAction("delete", "Delete", _delete("newsletter_subscriber", "subscriber"), DELETE_QUESTION),
    ),
)
SEARCH_TERMS = Grid(
    name="search-terms",
    path="/search-terms",
    title="Search terms",
    noun=("search term", "search terms"),
    source="search_term",
    key="id",
    columns=(
        Column("term", "Search term", "term", filter="text"),
        Column("results", "Results", "results", "number", filter="integer"),
        Column("uses", "Uses", "uses", "number", filter="integer"),
    ),
    row_name=lambda row: f"search term {row['term']}",
    search=("term",),
    search_hint="Search term",
    sort="uses",
    views=(("All", ()), ("Without results", (("results_to", "0"),))),
    actions=(MassAction("delete", "Delete", _delete("search_term", "search term"), DELETE_QUESTION),),
    intro="What visitors typed into the store's search.",
)

ROUTES = [
    *grid.routes(PAGES, guard),
    Route("/pages/new", new_page, methods=["GET", "POST"]),
    Route("/pages/{id:int}", edit_page, methods=["GET", "POST"]),
    Route("/pages/{id:int}/delete", delete_page, methods=["POST"]),
    Route("/pages/{id:int}/preview", preview_page),
    *grid.routes(MESSAGES, messages_guard),
    Route("/messages/{id:int}", message),
    *(Route(f"/messages/{{id:int}}/{step}", mark_message, methods=["POST"]) for step in ("read", "unread", "delete")),
    *grid.routes(SUBSCRIBERS, guard),
    *grid.routes(SEARCH_TERMS, guard),
]
