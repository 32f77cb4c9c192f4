"""Turning a cart into an order: the rows that a purchase writes, exact to the cent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from starlette.requests import Request

from guideact.sites.shopping.addresses import full_name
from guideact.sites.shopping.carts import (
    CartLine,
    coupon,
    find_cart,
    group_of,
    lines_of,
    options_json,
    totals_of,
)
from guideact.sites.shopping.pricing import refusal
from guideact.sites.web import execute, now_text, today_text, user, value


@dataclass(frozen=True)
class Purchase:
    """What the buyer has chosen. Addresses are named as the columns of the table `address`."""

    email: str
    ship_to: Mapping[str, str]
    bill_to: Mapping[str, str]
    shipping_method: str
    payment_method: str
    gift_message: str = ""
    save_address: bool = False


def shortage(lines: tuple[CartLine, ...]) -> str:
    """Why these lines cannot be bought any more, as a sentence; empty when they can."""
    wanted: dict[int, int] = {}
    for line in lines:
        wanted[line.product_id] = wanted.get(line.product_id, 0) + line.quantity
    for line in lines:
        if line.status != "enabled" or line.stock <= 0:
            return f"{line.name} is no longer available. Remove it from your cart to go on."
        if wanted[line.product_id] > line.stock:
            return f"Only {line.stock} of {line.name} can be bought. Change the quantity to go on."
    return ""


def counting_coupon(request: Request, code: str, lines: tuple[CartLine, ...]) -> str:
    """The cart's coupon code as the promotion writes it where it applies to these lines, otherwise empty."""
    found = coupon(request, code)
    if found is None:
        return ""
    subtotal = sum(line.total_cents for line in lines)
    today = date.fromisoformat(today_text())
    return "" if refusal(found, subtotal, group_of(request), today) else found.code


def place_order(request: Request, purchase: Purchase) -> str:
    """Write the order of the visitor's cart, take the goods out of stock, empty the cart. Returns the order's number.

    The cart must not be empty, and `shortage` of its lines must be.
    """
    cart = find_cart(request)
    assert cart is not None
    lines = lines_of(request, cart["id"])
    code = counting_coupon(request, cart["coupon_code"], lines)
    totals = totals_of(request, lines, code, purchase.shipping_method)
    customer = user(request)
    number = f"{int(value(request, 'SELECT COALESCE(MAX(CAST(number AS INTEGER)), 0) FROM sales_order')) + 1:09}"
    order = {
        "number": number,
        "customer_id": customer["id"] if customer else None,
        "email": purchase.email,
        "status": "pending",
        "created_at": now_text(),
        "subtotal_cents": totals.subtotal_cents,
        "discount_cents": totals.discount_cents,
        "shipping_cents": totals.shipping_cents,
        "tax_cents": totals.tax_cents,
        "total_cents": totals.total_cents,
        "coupon_code": code,
        "shipping_method": purchase.shipping_method,
        "payment_method": purchase.payment_method,
        "gift_message": purchase.gift_message,
    }
    for kind, address in (("ship", purchase.ship_to), ("bill", purchase.bill_to)):
        order[f"{kind}_name"] = full_name(address)
        for name in ("street", "city", "postcode", "country"):
            order[f"{kind}_{name}"] = address[name]
    order["ship_phone"] = purchase.ship_to["phone"]
    marks = ", ".join("?" * len(order))
    order_id = execute(request, f"INSERT INTO sales_order ({', '.join(order)}) VALUES ({marks})", *order.values())
    for line in lines:
        execute(
            request,
            "INSERT INTO order_item (order_id, product_id, name, sku, options, quantity, unit_cents)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            order_id,
            line.product_id,
            line.name,
            line.sku,
            options_json(line.options),
            line.quantity,
            line.unit_cents,
        )
        execute(request, "UPDATE product SET stock = stock - ? WHERE id = ?", line.quantity, line.product_id)
    execute(
        request,
        "INSERT INTO order_comment (order_id, status, body, is_visible, created_at)"
        " VALUES (?, 'pending', 'Order placed.', 1, ?)",
        order_id,
        now_text(),
    )
    for promotion_id in totals.applied:
        execute(request, "UPDATE promotion SET uses = uses + 1 WHERE id = ?", promotion_id)
    if customer is not None and purchase.save_address:
        save_address(request, customer["id"], purchase.ship_to)
    execute(request, "DELETE FROM cart_item WHERE cart_id = ?", cart["id"])
    if customer is None:
        execute(request, "DELETE FROM cart WHERE id = ?", cart["id"])
        request.state.session.data.pop("cart_id", None)
    elif cart["coupon_code"]:
        execute(request, "UPDATE cart SET coupon_code = '' WHERE id = ?", cart["id"])
    return number


def save_address(request: Request, customer_id: int, values: Mapping[str, str]) -> None:
    """Keep an address in the customer's book; the first one becomes the default for both uses."""
    first = value(request, "SELECT 1 FROM address WHERE customer_id = ?", customer_id) is None
    execute(
        request,
        "INSERT INTO address (customer_id, first_name, last_name, street, city, postcode, country, phone,"
        " is_default_billing, is_default_shipping) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        customer_id,
        *(values[name] for name in ("first_name", "last_name", "street", "city", "postcode", "country", "phone")),
        int(first),
        int(first),
    )
