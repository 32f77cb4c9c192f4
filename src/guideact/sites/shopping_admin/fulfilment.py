"""Invoices, shipments and refunds: their lists and pages, and the forms that make them out of an order."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import grid, shell, workflow
from guideact.sites.shopping_admin.forms import Field, cents_text, read
from guideact.sites.shopping_admin.grid import Column, Grid, MassAction
from guideact.sites.shopping_admin.orders import guard, load_order, load_rules, options_text
from guideact.sites.shopping_admin.workflow import Item

CARRIERS = tuple((name, name) for name in workflow.CARRIERS)
REASONS = (
    ("", "Choose a reason"),
    *(
        (reason, reason)
        for reason in (
            "Arrived damaged",
            "Arrived too late",
            "Changed my mind",
            "Does not match the picture",
            "Ordered twice by mistake",
            "Wrong size",
            "Other",
        )
    ),
)
NOTE = Field("note", "Comment", "textarea", max_length=500, hint="Added to the history of the order.")
SHIPMENT = (
    Field("carrier", "Carrier", "select", required=True, options=(("", "Choose a carrier"), *CARRIERS)),
    Field(
        "tracking_number",
        "Tracking number",
        max_length=40,
        pattern=(r"[A-Za-z0-9 -]+", "A tracking number has letters, digits, spaces and dashes only."),
    ),
)
REFUND = (
    Field("reason", "Reason", "select", required=True, options=REASONS),
    Field("shipping", "Delivery to refund", "money", hint="Goods are refunded by their quantities above."),
    Field("restock", "Return the units to stock", "switch"),
)


def _orders_column() -> Column:
    return Column(
        "order_number",
        "Order",
        "o.number",
        filter="text",
        render=lambda row: grid.link_cell(row["order_number"], f"/orders/{row['order_id']}"),
    )


def _mark_paid(request: Request, ids: list[int], _: Any) -> str:
    count = web.execute(
        request, f"UPDATE invoice SET state = 'paid' WHERE state = 'open' AND id IN ({grid.marks(ids)})", *ids
    )
    return f"{web.plural(count, 'invoice')} marked as paid."


INVOICES = Grid(
    name="invoices",
    path="/invoices",
    title="Invoices",
    noun=("invoice", "invoices"),
    source="invoice d JOIN sales_order o ON o.id = d.order_id",
    key="d.id",
    extra=(("order_id", "o.id"),),
    columns=(
        Column("number", "Invoice", "d.number", filter="text", link="/invoices/{id}"),
        Column("created_at", "Invoiced on", "d.created_at", "datetime", filter="date"),
        _orders_column(),
        Column("bill_name", "Bill to", "o.bill_name", filter="text"),
        Column(
            "state",
            "State",
            "d.state",
            "badge",
            filter="select",
            options=(("open", "Open"), ("paid", "Paid"), ("canceled", "Canceled")),
        ),
        Column("total_cents", "Amount", "d.total_cents", "money", filter="money"),
    ),
    row_name=lambda row: f"invoice {row['number']}",
    search=("d.number", "o.number", "o.bill_name", "o.email"),
    search_hint="Invoice, order or name",
    sort="created_at",
    views=(("All", ()), ("Open", (("state", "open"),)), ("Paid", (("state", "paid"),))),
    actions=(MassAction("paid", "Mark as paid", _mark_paid, "Mark {count} {noun} as paid?"),),
    row_links=(("View", "/invoices/{id}"),),
)
SHIPMENTS = Grid(
    name="shipments",
    path="/shipments",
    title="Shipments",
    noun=("shipment", "shipments"),
    source="shipment d JOIN sales_order o ON o.id = d.order_id",
    key="d.id",
    extra=(("order_id", "o.id"),),
    columns=(
        Column("number", "Shipment", "d.number", filter="text", link="/shipments/{id}"),
        Column("created_at", "Shipped on", "d.created_at", "datetime", filter="date"),
        _orders_column(),
        Column("ship_name", "Ship to", "o.ship_name", filter="text"),
        Column("ship_city", "City", "o.ship_city", filter="text"),
        Column("carrier", "Carrier", "d.carrier", filter="select", options=CARRIERS),
        Column("tracking_number", "Tracking number", "d.tracking_number", filter="text"),
    ),
    row_name=lambda row: f"shipment {row['number']}",
    search=("d.number", "o.number", "o.ship_name", "d.tracking_number"),
    search_hint="Shipment, order, name or tracking number",
    sort="created_at",
    row_links=(("View", "/shipments/{id}"),),
)
REFUNDS = Grid(
    name="refunds",
    path="/refunds",
    title="Refunds",
    noun=("refund", "refunds"),
    source="refund d JOIN sales_order o ON o.id = d.order_id",
    key="d.id",
    extra=(("order_id", "o.id"),),
    columns=(
        Column("number", "Refund", "d.number", filter="text", link="/refunds/{id}"),
        Column("created_at", "Refunded on", "d.created_at", "datetime", filter="date"),
        _orders_column(),
        Column("bill_name", "Customer", "o.bill_name", filter="text"),
        Column("reason", "Reason", "d.reason", filter="text"),
        Column("total_cents", "Amount", "d.total_cents", "money", filter="money"),
    ),
    row_name=lambda row: f"refund {row['number']}",
    search=("d.number", "o.number", "o.bill_name", "d.reason"),
    search_hint="Refund, order, name or reason",
    sort="created_at",
    row_links=(("View", "/refunds/{id}"),),
)


def _load(request: Request, table: str) -> tuple[sqlite3.Row, sqlite3.Row]:
    found = web.row(request, f"SELECT * FROM {table} WHERE id = ?", shell.whole_id(request))
    if found is None:
        web.not_found(f"There is no such {table}.")
    order = web.row(request, "SELECT * FROM sales_order WHERE id = ?", found["order_id"])
    assert order is not None
    return found, order


def _items(request: Request, order_id: int) -> list[sqlite3.Row]:
    return web.rows(request, "SELECT * FROM order_item WHERE order_id = ? ORDER BY id", order_id)


def _page(request: Request, table: str) -> Response:
    found, order = _load(request, table)
    return web.render(
        request,
        "document.html",
        kind=table,
        document=found,
        row=order,
        items=_items(request, order["id"]),
        options_text=options_text,
        carriers=CARRIERS,
        error="",
        raw={"carrier": found["carrier"], "tracking_number": found["tracking_number"]} if table == "shipment" else {},
    )


@guard
async def invoice_page(request: Request) -> Response:
    return _page(request, "invoice")


@guard
async def shipment_page(request: Request) -> Response:
    return _page(request, "shipment")


@guard
async def refund_page(request: Request) -> Response:
    return _page(request, "refund")


@guard
async def pay_invoice(request: Request) -> Response:
    found, _ = _load(request, "invoice")
    if found["state"] == "open":
        shell.update(request, "invoice", found["id"], {"state": "paid"})
        web.flash(request, f"Invoice {found['number']} is marked as paid.")
    else:
        web.flash(request, f"Invoice {found['number']} is {found['state']} already.", "error")
    return web.redirect(f"/invoices/{found['id']}")


@guard
async def track_shipment(request: Request) -> Response:
    """Change carrier and tracking number of a shipment."""
    found, order = _load(request, "shipment")
    reading = read(SHIPMENT, web.form(request))
    if not reading.ok:
        return web.render(
            request,
            "document.html",
            status=422,
            kind="shipment",
            document=found,
            row=order,
            items=_items(request, order["id"]),
            options_text=options_text,
            carriers=CARRIERS,
            error=" ".join(reading.errors.values()),
            raw=reading.raw,
        )
    shell.update(request, "shipment", found["id"], shell.changed(found, reading.values))
    web.flash(request, f"Tracking of shipment {found['number']} saved.")
    return web.redirect(f"/shipments/{found['id']}")


def _units(
    request: Request, items: Sequence[Item], limit: str
) -> tuple[dict[int, int], dict[str, str], dict[str, str]]:
    """Quantities of the form: item id -> units, what was typed, errors by control."""
    units: dict[int, int] = {}
    raw: dict[str, str] = {}
    errors: dict[str, str] = {}
    for item in items:
        name = f"quantity-{item.id}"
        most = getattr(item, limit)
        text = raw[name] = web.field(request, name, "0") or "0"
        if not re.fullmatch(r"[0-9]{1,6}", text):
            errors[name] = f"Enter a whole number for {item.name}."
        elif int(text) > most:
            errors[name] = f"At most {most} of {item.name}."
        else:
            units[item.id] = int(text)
    if not errors and not any(units.values()):
        errors["quantities"] = "Enter a quantity for at least one item."
    return units, raw, errors


def _form(
    request: Request,
    kind: str,
    limit: str,
    fields: tuple[Field, ...],
    raw: dict[str, str],
    errors: dict[str, str],
    status: int = 200,
) -> Response:
    order = load_rules(request)
    return web.render(
        request,
        "document_new.html",
        status=status,
        kind=kind,
        order=order,
        row=load_order(request),
        left={item.id: getattr(item, limit) for item in order.items},
        fields=fields,
        raw=raw,
        errors=errors,
        options_text=options_text,
        shipping_left=order.shipping_cents,
    )


def _refuse(request: Request, order: workflow.Order, allowed: bool, what: str) -> Response | None:
    if allowed:
        return None
    web.flash(request, f"Order {order.number} has nothing to {what}.", "error")
    return web.redirect(f"/orders/{order.id}")


@guard
async def new_invoice(request: Request) -> Response:
    """Choose quantities; the rest is computed."""
    order = load_rules(request)
    if (away := _refuse(request, order, order.can_invoice, "invoice")) is not None:
        return away
    if request.method == "GET":
        raw = {f"quantity-{item.id}": str(item.to_invoice) for item in order.items}
        return _form(request, "invoice", "to_invoice", (NOTE,), raw, {})
    units, raw, errors = _units(request, order.items, "to_invoice")
    reading = read((NOTE,), web.form(request))
    errors |= reading.errors
    if errors:
        return _form(request, "invoice", "to_invoice", (NOTE,), raw | reading.raw, errors, 422)
    made = workflow.invoice(
        request.state.db,
        order,
        units,
        author=shell.author(request),
        now=web.now_text(),
        note=reading.values["note"],
    )
    number = web.value(request, "SELECT number FROM invoice WHERE id = ?", made)
    web.flash(request, f"Invoice {number} was created.")
    return web.redirect(f"/orders/{order.id}/invoices")


@guard
async def new_shipment(request: Request) -> Response:
    """Carrier, tracking number and quantities."""
    order = load_rules(request)
    if (away := _refuse(request, order, order.can_ship, "ship")) is not None:
        return away
    if request.method == "GET":
        raw = {f"quantity-{item.id}": str(item.to_ship) for item in order.items}
        return _form(request, "shipment", "to_ship", SHIPMENT, raw, {})
    units, raw, errors = _units(request, order.items, "to_ship")
    reading = read(SHIPMENT, web.form(request))
    errors |= reading.errors
    if errors:
        return _form(request, "shipment", "to_ship", SHIPMENT, raw | reading.raw, errors, 422)
    made = workflow.ship(
        request.state.db, order, units, author=shell.author(request), now=web.now_text(), **reading.values
    )
    number = web.value(request, "SELECT number FROM shipment WHERE id = ?", made)
    web.flash(request, f"Shipment {number} was created.")
    return web.redirect(f"/orders/{order.id}/shipments")


@guard
async def new_refund(request: Request) -> Response:
    """Quantities, delivery, reason, and whether the units go back to stock."""
    order = load_rules(request)
    if (away := _refuse(request, order, order.can_refund, "refund")) is not None:
        return away
    if request.method == "GET":
        raw = {f"quantity-{item.id}": "0" for item in order.items} | {"shipping": cents_text(0)}
        return _form(request, "refund", "to_refund", REFUND, raw, {})
    units, raw, errors = _units(request, order.items, "to_refund")
    reading = read(REFUND, web.form(request))
    errors |= reading.errors
    shipping = reading.values.get("shipping") or 0
    if shipping > order.shipping_cents:
        errors["shipping"] = f"The delivery cost ${cents_text(order.shipping_cents)}."
    elif (
        "shipping" not in errors
        and not errors
        and (workflow.goods_share(order, units) + shipping > order.total_cents - order.refunded_cents + 1)
    ):
        errors["shipping"] = (
            f"Only ${cents_text(order.total_cents - order.refunded_cents)} of this order is left to refund."
        )
    if errors:
        return _form(request, "refund", "to_refund", REFUND, raw | reading.raw, errors, 422)
    made = workflow.refund(
        request.state.db,
        order,
        units,
        shipping_cents=shipping,
        reason=reading.values["reason"],
        to_stock=bool(reading.values["restock"]),
        author=shell.author(request),
        now=web.now_text(),
    )
    row = web.row(request, "SELECT number, total_cents FROM refund WHERE id = ?", made)
    assert row is not None
    web.flash(request, f"Refund {row['number']} of {web.money(row['total_cents'])} was created.")
    return web.redirect(f"/orders/{order.id}/refunds")


ROUTES = [
    *grid.routes(INVOICES, guard),
    *grid.routes(SHIPMENTS, guard),
    *grid.routes(REFUNDS, guard),
    Route("/invoices/{id:int}", invoice_page),
    Route("/invoices/{id:int}/pay", pay_invoice, methods=["POST"]),
    Route("/shipments/{id:int}", shipment_page),
    Route("/shipments/{id:int}/tracking", track_shipment, methods=["POST"]),
    Route("/refunds/{id:int}", refund_page),
    Route("/orders/{id:int}/invoice", new_invoice, methods=["GET", "POST"]),
    Route("/orders/{id:int}/ship", new_shipment, methods=["GET", "POST"]),
    Route("/orders/{id:int}/refund", new_refund, methods=["GET", "POST"]),
]
