"""The cart: what lies in it, what it costs, and the changes to it. A guest's is found by the session's data."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from starlette.requests import Request

from guideact.sites.shopping.pricing import Line, Promotion, Rates, Totals, price
from guideact.sites.web import execute, money, row, rows, today_text, user

MAX_QUANTITY = 99
"""Most units of one line."""

EFFECTIVE_PRICE = "CASE WHEN p.special_price_cents < p.price_cents THEN p.special_price_cents ELSE p.price_cents END"
"""SQL: what a product `p` costs today, without its options."""


@dataclass(frozen=True)
class CartLine:
    """A row of `cart_item` with what its page shows. Prices in cents."""

    id: int
    product_id: int
    name: str
    sku: str
    slug: str
    options: dict[str, str]
    quantity: int
    unit_cents: int
    stock: int
    status: str

    @property
    def total_cents(self) -> int:
        return self.quantity * self.unit_cents

    @property
    def total(self) -> str:
        return money(self.total_cents)

    @property
    def url(self) -> str:
        return f"/p/{self.slug}"

    @property
    def picture(self) -> str:
        return picture_url(self.product_id)

    @property
    def options_text(self) -> str:
        """Size: M, Colour: Red"""
        return ", ".join(f"{name}: {label}" for name, label in self.options.items())


def picture_url(product_id: int) -> str:
    """Address of a product's picture."""
    return f"/media/product/{product_id}.svg"


def options_json(options: Mapping[str, str]) -> str:
    """Chosen options as the tables hold them: JSON with sorted keys."""
    return json.dumps(dict(options), sort_keys=True, ensure_ascii=False)


def find_cart(request: Request) -> sqlite3.Row | None:
    """The visitor's open cart, if there is one."""
    customer = user(request)
    if customer is not None:
        return row(request, "SELECT * FROM cart WHERE customer_id = ? ORDER BY id LIMIT 1", customer["id"])
    cart_id = request.state.session.data.get("cart_id")
    if cart_id is None:
        return None
    return row(request, "SELECT * FROM cart WHERE id = ? AND customer_id IS NULL", cart_id)


def open_cart(request: Request) -> int:
    """The id of the visitor's cart, made where there is none."""
    cart = find_cart(request)
    if cart is not None:
        return int(cart["id"])
    customer = user(request)
    cart_id = execute(request, "INSERT INTO cart (customer_id) VALUES (?)", customer["id"] if customer else None)
    if customer is None:
        request.state.session.data["cart_id"] = cart_id
    return cart_id


def lines_of(request: Request, cart_id: int) -> tuple[CartLine, ...]:
    """The cart's lines, oldest first."""
    found = rows(
        request,
        "SELECT i.id, i.product_id, p.name, p.sku, p.slug, i.options, i.quantity, i.unit_cents, p.stock, p.status"
        " FROM cart_item i JOIN product p ON p.id = i.product_id WHERE i.cart_id = ? ORDER BY i.id",
        cart_id,
    )
    return tuple(CartLine(**{**dict(item), "options": json.loads(item["options"])}) for item in found)


def put_in_cart(
    request: Request, cart_id: int, product_id: int, options: Mapping[str, str], quantity: int, unit_cents: int
) -> None:
    """Add units to the line of the same product and options, or a new line; the line takes today's price."""
    chosen = options_json(options)
    same = row(
        request,
        "SELECT id, quantity FROM cart_item WHERE cart_id = ? AND product_id = ? AND options = ?",
        cart_id,
        product_id,
        chosen,
    )
    if same is None:
        execute(
            request,
            "INSERT INTO cart_item (cart_id, product_id, options, quantity, unit_cents) VALUES (?, ?, ?, ?, ?)",
            cart_id,
            product_id,
            chosen,
            quantity,
            unit_cents,
        )
    else:
        execute(
            request,
            "UPDATE cart_item SET quantity = ?, unit_cents = ? WHERE id = ?",
            same["quantity"] + quantity,
            unit_cents,
            same["id"],
        )


def units_in_cart(request: Request, cart_id: int, product_id: int, *, besides: int = 0) -> int:
    """Units of a product in the cart, over all its lines except the one with the id `besides`."""
    found = row(
        request,
        "SELECT COALESCE(SUM(quantity), 0) FROM cart_item WHERE cart_id = ? AND product_id = ? AND id <> ?",
        cart_id,
        product_id,
        besides,
    )
    return int(found[0]) if found else 0


def merge_guest_cart(request: Request, guest_cart_id: int) -> None:
    """After signing in: move the guest's lines into the customer's cart, as far as the stock reaches."""
    cart_id = open_cart(request)
    for line in lines_of(request, guest_cart_id):
        room = min(MAX_QUANTITY, line.stock) - units_in_cart(request, cart_id, line.product_id)
        if room > 0:
            quantity = min(line.quantity, room)
            put_in_cart(request, cart_id, line.product_id, line.options, quantity, line.unit_cents)
    guest = row(request, "SELECT coupon_code FROM cart WHERE id = ?", guest_cart_id)
    if guest is not None and guest["coupon_code"]:
        execute(request, "UPDATE cart SET coupon_code = ? WHERE id = ?", guest["coupon_code"], cart_id)
    execute(request, "DELETE FROM cart_item WHERE cart_id = ?", guest_cart_id)
    execute(request, "DELETE FROM cart WHERE id = ?", guest_cart_id)


def promotion_of(found: sqlite3.Row) -> Promotion:
    """A row of `promotion` as pricing wants it."""

    def day(text: str | None) -> date | None:
        return date.fromisoformat(text[:10]) if text else None

    return Promotion(
        id=found["id"],
        name=found["name"],
        kind=found["kind"],
        amount=found["amount"],
        code=found["code"],
        minimum_cents=found["minimum_cents"],
        customer_group=found["customer_group"],
        starts_on=day(found["starts_on"]),
        ends_on=day(found["ends_on"]),
        is_active=bool(found["is_active"]),
    )


def promotions(request: Request) -> tuple[Promotion, ...]:
    return tuple(promotion_of(found) for found in rows(request, "SELECT * FROM promotion ORDER BY id"))


def coupon(request: Request, code: str) -> Promotion | None:
    """The promotion with this code, case aside; None for an empty or unknown one."""
    if not code:
        return None
    found = row(request, "SELECT * FROM promotion WHERE code = ? COLLATE NOCASE ORDER BY id LIMIT 1", code)
    return None if found is None else promotion_of(found)


def group_of(request: Request) -> str:
    """The visitor's customer group; empty for a guest."""
    customer = user(request)
    return "" if customer is None else str(customer["customer_group"])


def rates(request: Request) -> Rates:
    found = rows(request, "SELECT key, value FROM setting")
    return Rates.from_settings({one["key"]: one["value"] for one in found})


def totals_of(request: Request, lines: tuple[CartLine, ...], coupon_code: str, shipping_method: str | None) -> Totals:
    """What these lines cost today."""
    return price(
        [Line(line.quantity, line.unit_cents) for line in lines],
        rates=rates(request),
        promotions=promotions(request),
        coupon_code=coupon_code,
        shipping_method=shipping_method,
        group=group_of(request),
        today=date.fromisoformat(today_text()),
    )
