"""Orders as their buyers see them: the list, one order with its documents, printing, ordering again, canceling.

A guest reaches an order by its number, the mail address it was placed with and the last name on the invoice. The
session remembers which orders it may see.
"""

from __future__ import annotations

import json
import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.carts import (
    EFFECTIVE_PRICE,
    MAX_QUANTITY,
    open_cart,
    picture_url,
    put_in_cart,
    units_in_cart,
)
from guideact.sites.shopping.pricing import PAYMENT_METHODS, SHIPPING_METHODS
from guideact.sites.web import (
    Pager,
    execute,
    field,
    flash,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
    value,
)

__all__ = ["ORDER_COLUMNS", "ROUTES", "STATUSES"]

STATUSES: dict[str, str] = {
    "pending": "Pending",
    "processing": "Processing",
    "complete": "Complete",
    "on_hold": "On hold",
    "canceled": "Canceled",
    "closed": "Closed",
}

ORDER_COLUMNS = (
    "o.id, o.number, o.status, o.created_at, o.total_cents, o.ship_name,"
    " (SELECT sum(i.quantity) FROM order_item i WHERE i.order_id = o.id) AS units"
)
"""SQL: what a list shows of an order `o`."""

_PERIODS = {"30": "Last 30 days", "180": "Last 6 months", "2026": "2026", "2025": "2025"}


@signed_in
async def orders(request: Request) -> Response:
    """The customer's orders, newest first, by status, period and number."""
    status, period, number = (request.query_params.get(name, "").strip() for name in ("status", "period", "number"))
    where, parameters = ["o.customer_id = ?"], [request.state.session.user_id]
    if status in STATUSES:
        where.append("o.status = ?")
        parameters.append(status)
    if period in ("30", "180"):
        where.append("o.created_at >= datetime(?, ?)")
        parameters += [now_text(), f"-{period} days"]
    elif period in _PERIODS:
        where.append("o.created_at LIKE ?")
        parameters.append(f"{period}-%")
    if number:
        where.append("instr(o.number, ?) > 0")
        parameters.append(number.lstrip("#"))
    condition = " AND ".join(where)
    count = value(request, f"SELECT count(*) FROM sales_order o WHERE {condition}", *parameters)
    pager = Pager.of(request, count, 10, (10, 20, 50))
    found = rows(
        request,
        f"SELECT {ORDER_COLUMNS} FROM sales_order o WHERE {condition} ORDER BY o.created_at DESC, o.id DESC"
        " LIMIT ? OFFSET ?",
        *parameters,
        pager.size,
        pager.offset,
    )
    return render(
        request,
        "account/orders.html",
        orders=found,
        pager=pager,
        statuses=STATUSES,
        periods=_PERIODS,
        chosen={"status": status, "period": period, "number": number},
    )


def _own_order(request: Request) -> sqlite3.Row:
    found = row(
        request,
        "SELECT * FROM sales_order WHERE number = ? AND customer_id = ?",
        request.path_params["number"],
        request.state.session.user_id,
    )
    if found is None:
        not_found("You have no order with this number.")
    return found


def _whole(request: Request, order: sqlite3.Row) -> dict[str, Any]:
    """What the pages of an order show."""
    items = [
        {**dict(item), "options": json.loads(item["options"]), "picture": picture_url(item["product_id"])}
        for item in rows(
            request,
            "SELECT i.*, p.slug FROM order_item i JOIN product p ON p.id = i.product_id WHERE i.order_id = ?"
            " ORDER BY i.id",
            order["id"],
        )
    ]
    tables = {
        f"{name}s": rows(request, f"SELECT * FROM {name} WHERE order_id = ? ORDER BY id", order["id"])
        for name in ("invoice", "shipment", "refund")
    }
    return {
        "order": order,
        "items": items,
        **tables,
        "comments": rows(
            request,
            "SELECT * FROM order_comment WHERE order_id = ? AND is_visible = 1 ORDER BY created_at DESC, id DESC",
            order["id"],
        ),
        "status_label": STATUSES[order["status"]],
        "shipping_method": SHIPPING_METHODS[order["shipping_method"]],
        "payment_method": PAYMENT_METHODS[order["payment_method"]],
        "can_cancel": order["status"] == "pending" and not any(item["invoiced"] or item["shipped"] for item in items),
    }


@signed_in
async def show(request: Request) -> Response:
    """One order in tabs: items, invoices, shipments, refunds, history."""
    return render(request, "account/order.html", **_whole(request, _own_order(request)))


@signed_in
async def printed(request: Request) -> Response:
    """One order on a page for the printer."""
    return render(request, "account/print.html", **_whole(request, _own_order(request)))


@signed_in
async def reorder(request: Request) -> Response:
    """Put everything of an order into the cart again, at today's prices and as far as the stock reaches."""
    order = _own_order(request)
    cart_id = open_cart(request)
    missing: list[str] = []
    added = 0
    for item in rows(request, "SELECT * FROM order_item WHERE order_id = ? ORDER BY id", order["id"]):
        product = row(
            request,
            f"SELECT p.id, p.name, p.stock, p.status, {EFFECTIVE_PRICE} AS final_cents FROM product p WHERE p.id = ?",
            item["product_id"],
        )
        assert product is not None
        options: dict[str, str] = json.loads(item["options"])
        extra = [
            value(
                request,
                "SELECT v.extra_cents FROM product_option o JOIN product_option_value v ON v.option_id = o.id"
                " WHERE o.product_id = ? AND o.name = ? AND v.label = ?",
                product["id"],
                name,
                label,
            )
            for name, label in options.items()
        ]
        room = min(MAX_QUANTITY, product["stock"]) - units_in_cart(request, cart_id, product["id"])
        quantity = min(item["quantity"], room)
        if quantity <= 0 or product["status"] != "enabled" or None in extra:
            missing.append(product["name"])
            continue
        put_in_cart(request, cart_id, product["id"], options, quantity, product["final_cents"] + sum(extra))
        added += quantity
    if added:
        flash(request, f"{added} {'item was' if added == 1 else 'items were'} added to your cart.")
    if missing:
        flash(request, f"Not available any more: {', '.join(missing)}.", "warning")
    return redirect("/cart")


@signed_in
async def cancel(request: Request) -> Response:
    """Cancel an order that is still pending; its units go back on the shelf."""
    order = _own_order(request)
    if not _whole(request, order)["can_cancel"]:
        flash(request, f"Order {order['number']} can no longer be canceled.", "error")
        return redirect(f"/account/orders/{order['number']}")
    execute(request, "UPDATE sales_order SET status = 'canceled' WHERE id = ?", order["id"])
    for item in rows(request, "SELECT product_id, quantity FROM order_item WHERE order_id = ?", order["id"]):
        execute(request, "UPDATE product SET stock = stock + ? WHERE id = ?", item["quantity"], item["product_id"])
    execute(
        request,
        "INSERT INTO order_comment (order_id, status, body, is_visible, created_at)"
        " VALUES (?, 'canceled', 'Order canceled by the customer.', 1, ?)",
        order["id"],
        now_text(),
    )
    flash(request, f"Order {order['number']} was canceled.")
    return redirect(f"/account/orders/{order['number']}")


async def lookup(request: Request) -> Response:
    """Find an order without an account, by its number and mail address."""
    values = {name: field(request, name) for name in ("number", "email", "last_name")}
    if request.method == "GET":
        return render(request, "account/lookup.html", values=values, errors={})
    errors = {
        name: f"Enter the {word}."
        for name, word in (("number", "order number"), ("email", "email address"), ("last_name", "last name"))
        if not values[name]
    }
    if not errors:
        found = row(
            request,
            "SELECT number FROM sales_order WHERE number = ? AND email = ? COLLATE NOCASE"
            " AND instr(fold(bill_name), fold(?)) > 0",
            values["number"].lstrip("#").zfill(9),
            values["email"],
            values["last_name"],
        )
        if found is not None:
            seen = request.state.session.data.setdefault("orders", [])
            if found["number"] not in seen:
                seen.append(found["number"])
            return redirect(f"/order-lookup/{found['number']}")
        errors["number"] = "We found no order with these details. Check them and try again."
    return render(request, "account/lookup.html", values=values, errors=errors, status=422)


async def looked_up(request: Request) -> Response:
    """The order that a guest has found."""
    number = request.path_params["number"]
    if number not in request.state.session.data.get("orders", []):
        return redirect("/order-lookup")
    found = row(request, "SELECT * FROM sales_order WHERE number = ?", number)
    assert found is not None
    return render(request, "account/guest_order.html", **_whole(request, found))


ROUTES = [
    Route("/account/orders", orders),
    Route("/account/orders/{number}", show),
    Route("/account/orders/{number}/print", printed),
    Route("/account/orders/{number}/reorder", reorder, methods=["POST"]),
    Route("/account/orders/{number}/cancel", cancel, methods=["POST"]),
    Route("/order-lookup", lookup, methods=["GET", "POST"]),
    Route("/order-lookup/{number}", looked_up),
]
