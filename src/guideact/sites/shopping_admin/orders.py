"""Orders: the list, one order's page with its tabs, and what staff may do with it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping.pricing import PAYMENT_METHODS, SHIPPING_METHODS
from guideact.sites.shopping_admin import grid, shell, workflow
from guideact.sites.shopping_admin.forms import Field, Section, fields_of, raw_of, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction
from guideact.sites.shopping_admin.workflow import Order, Refused

guard = shell.guard("sales")


def options_text(options: str) -> str:
    """{"Size": "M"} as "Size: M"."""
    return ", ".join(f"{name}: {value}" for name, value in json.loads(options).items())


def mass_step(step: Callable[..., None], done: str) -> Callable[[Request, list[int], Any], str]:
    """A mass action out of a workflow step; orders that refuse are left as they are and counted."""

    def run(request: Request, ids: list[int], _: Any) -> str:
        changed = 0
        for order_id in ids:
            order = workflow.load(request.state.db, order_id)
            if order is None:
                continue
            try:
                step(request.state.db, order, author=shell.author(request), now=web.now_text())
                changed += 1
            except Refused:
                continue
        skipped = len(ids) - changed
        text = f"{web.plural(changed, 'order')} {done}."
        return text + (
            f" {web.plural(skipped, 'order')} could not be {done} and stayed as they were." if skipped else ""
        )

    return run


ORDERS = Grid(
    name="orders",
    path="/orders",
    title="Orders",
    noun=("order", "orders"),
    source="sales_order o",
    key="o.id",
    columns=(
        Column("number", "Order", "o.number", filter="text", link="/orders/{id}"),
        Column("created_at", "Placed on", "o.created_at", "datetime", filter="date"),
        Column("ship_name", "Customer", "o.ship_name", filter="text"),
        Column("email", "Email", "o.email", filter="text", shown=False),
        Column("ship_country", "Country", "o.ship_country", filter="text", shown=False),
        Column("status", "Status", "o.status", "badge", filter="select", options=workflow.STATUSES),
        Column(
            "payment_method",
            "Payment",
            "o.payment_method",
            filter="select",
            options=tuple(PAYMENT_METHODS.items()),
            render=lambda row: grid.text_cell(PAYMENT_METHODS.get(row["payment_method"], row["payment_method"])),
        ),
        Column(
            "shipping_method",
            "Delivery",
            "o.shipping_method",
            filter="select",
            options=tuple(SHIPPING_METHODS.items()),
            shown=False,
            render=lambda row: grid.text_cell(SHIPPING_METHODS.get(row["shipping_method"], row["shipping_method"])),
        ),
        Column("coupon_code", "Coupon", "o.coupon_code", filter="text", shown=False),
        Column("items", "Items", "(SELECT sum(i.quantity) FROM order_item i WHERE i.order_id = o.id)", "number"),
        Column("total_cents", "Total", "o.total_cents", "money", filter="money"),
        Column("refunded_cents", "Refunded", "o.refunded_cents", "money", shown=False),
    ),
    row_name=lambda row: f"order {row['number']}",
    search=("o.number", "o.ship_name", "o.bill_name", "o.email"),
    search_hint="Order number, name or email",
    sort="created_at",
    views=(
        ("All", ()),
        *((label, (("status", value),)) for value, label in workflow.STATUSES),
    ),
    actions=(
        MassAction("hold", "Put on hold", mass_step(workflow.hold, "put on hold"), "Put {count} {noun} on hold?"),
        MassAction("unhold", "Release from hold", mass_step(workflow.unhold, "released")),
        MassAction(
            "cancel", "Cancel", mass_step(workflow.cancel, "canceled"), "Cancel {count} {noun}? This cannot be undone."
        ),
    ),
    row_links=(("View", "/orders/{id}"),),
)

ADDRESS = (
    Field("name", "Full name", required=True),
    Field("street", "Street address", required=True),
    Field("city", "City", required=True),
    Field("postcode", "Postcode", required=True, max_length=20),
    Field("country", "Country", required=True),
)
PHONE = Field("phone", "Phone", max_length=40)

STEPS: dict[str, tuple[Callable[..., None], str]] = {
    "hold": (workflow.hold, "Order {} is now on hold."),
    "unhold": (workflow.unhold, "Order {} was released from hold."),
    "cancel": (workflow.cancel, "Order {} was canceled."),
}


def _last_part(request: Request) -> str:
    return str(request.url.path.rsplit("/", 1)[1])


def load_order(request: Request) -> sqlite3.Row:
    """The row of the order in the address, or the 404 page."""
    found = web.row(request, "SELECT * FROM sales_order WHERE id = ?", shell.whole_id(request))
    if found is None:
        web.not_found("There is no such order.")
    return found


def load_rules(request: Request) -> Order:
    """The order in the address as the workflow sees it, or the 404 page."""
    order = workflow.load(request.state.db, shell.whole_id(request))
    if order is None:
        web.not_found("There is no such order.")
    return order


def order_context(request: Request, row: sqlite3.Row, order: Order, tab: str) -> dict[str, Any]:
    """What all tabs of the order page show."""
    counts = web.rows(
        request,
        "SELECT (SELECT count(*) FROM invoice WHERE order_id = ?1),"
        " (SELECT count(*) FROM shipment WHERE order_id = ?1),"
        " (SELECT count(*) FROM refund WHERE order_id = ?1), (SELECT count(*) FROM order_comment WHERE order_id = ?1)",
        order.id,
    )[0]
    base = f"/orders/{order.id}"
    tabs = [("Information", base, tab == "information", None)]
    for at, (label, key) in enumerate(
        (("Invoices", "invoices"), ("Shipments", "shipments"), ("Refunds", "refunds"), ("History", "history"))
    ):
        tabs.append((label, f"{base}/{key}", tab == key, counts[at]))
    return {"row": row, "order": order, "tab": tab, "tabs": tabs, "statuses": dict(workflow.STATUSES)}


def _comments(request: Request, order_id: int) -> list[sqlite3.Row]:
    return web.rows(request, "SELECT * FROM order_comment WHERE order_id = ? ORDER BY id DESC", order_id)


@guard
async def information(request: Request) -> Response:
    row, order = load_order(request), load_rules(request)
    customer = (
        web.row(request, "SELECT * FROM customer WHERE id = ?", row["customer_id"]) if row["customer_id"] else None
    )
    return web.render(
        request,
        "order.html",
        **order_context(request, row, order, "information"),
        customer=customer,
        comments=_comments(request, order.id),
        options_text=options_text,
        payment=PAYMENT_METHODS.get(row["payment_method"], row["payment_method"]),
        shipping=SHIPPING_METHODS.get(row["shipping_method"], row["shipping_method"]),
        error="",
        draft={"body": "", "status": order.status},
    )


@guard
async def documents(request: Request) -> Response:
    """The tabs Invoices, Shipments, Refunds and History."""
    row, order = load_order(request), load_rules(request)
    tab = _last_part(request)
    found: list[sqlite3.Row] = []
    if tab == "history":
        found = _comments(request, order.id)
    else:
        table = {"invoices": "invoice", "shipments": "shipment", "refunds": "refund"}[tab]
        found = web.rows(request, f"SELECT * FROM {table} WHERE order_id = ? ORDER BY id DESC", order.id)
    return web.render(
        request,
        "order_documents.html",
        **order_context(request, row, order, tab),
        found=found,
        error="",
        draft={"body": "", "status": order.status},
    )


@guard
async def step(request: Request) -> Response:
    """Hold, unhold, cancel."""
    order = load_rules(request)
    run, text = STEPS[_last_part(request)]
    try:
        run(request.state.db, order, author=shell.author(request), now=web.now_text())
        web.flash(request, text.format(order.number))
    except Refused as refused:
        web.flash(request, str(refused), "error")
    return web.redirect(f"/orders/{order.id}")


@guard
async def comment(request: Request) -> Response:
    """Add to the history, and change the status where the present one allows it."""
    row, order = load_order(request), load_rules(request)
    body, status = web.field(request, "body").replace("\r\n", "\n"), web.field(request, "status")
    error = ""
    if not body:
        error = "Write a comment first."
    elif len(body) > 2000:
        error = "A comment may have at most 2,000 characters."
    elif status not in order.comment_statuses():
        error = "This status cannot be set by a comment."
    if error:
        return web.render(
            request,
            "order_documents.html",
            status=422,
            **order_context(request, row, order, "history"),
            found=_comments(request, order.id),
            error=error,
            draft={"body": body, "status": status},
        )
    if status != order.status:
        shell.update(request, "sales_order", order.id, {"status": status})
    notify = bool(web.field(request, "notify"))
    workflow.comment(
        request.state.db,
        order.id,
        status,
        body,
        author=shell.author(request),
        now=web.now_text(),
        visible=bool(web.field(request, "visible")) or notify,
    )
    web.flash(request, f"Comment added. {row['email']} is notified." if notify else "Comment added.")
    return web.redirect(web.safe_next(request, f"/orders/{order.id}/history"))


@guard
async def address(request: Request) -> Response:
    """Edit the delivery or the billing address of an order."""
    row, order = load_order(request), load_rules(request)
    kind = _last_part(request)
    prefix, title = ("ship", "Delivery address") if kind == "shipping" else ("bill", "Billing address")
    sections = (Section(title, (*ADDRESS, PHONE) if kind == "shipping" else ADDRESS),)
    fields = fields_of(sections)
    context: dict[str, Any] = {"row": row, "title": title, "sections": sections}
    context["action"] = f"/orders/{order.id}/address/{kind}"
    stored = {each.name: row[f"{prefix}_{each.name}"] for each in fields}
    if request.method == "GET":
        return web.render(request, "order_address.html", **context, raw=raw_of(fields, stored), errors={})
    reading = read(fields, web.form(request))
    if not reading.ok:
        return web.render(request, "order_address.html", status=422, **context, raw=reading.raw, errors=reading.errors)
    values = shell.changed(stored, reading.values)
    shell.update(request, "sales_order", order.id, {f"{prefix}_{key}": value for key, value in values.items()})
    web.flash(request, f"{title} of order {order.number} saved.")
    return web.redirect(f"/orders/{order.id}")


ROUTES = [
    *grid.routes(ORDERS, guard),
    Route("/orders/{id:int}", information),
    *(Route(f"/orders/{{id:int}}/{tab}", documents) for tab in ("invoices", "shipments", "refunds", "history")),
    *(Route(f"/orders/{{id:int}}/{name}", step, methods=["POST"]) for name in STEPS),
    Route("/orders/{id:int}/comment", comment, methods=["POST"]),
    *(
        Route(f"/orders/{{id:int}}/address/{kind}", address, methods=["GET", "POST"])
        for kind in ("shipping", "billing")
    ),
]
