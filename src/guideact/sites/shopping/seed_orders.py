"""Orders from January 2025 to yesterday, with the invoices, shipments, refunds and comments they stand for.

Amounts come from `pricing.price`, with the promotions that held on the day. What a document of a part of an order comes
to follows the back office's rule: goods share discount and tax in proportion to their price, the first invoice carries
the delivery, and the document that completes an order takes the cent that rounding left over.
"""

from __future__ import annotations

import json
import random
import sqlite3
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from guideact.sites.shopping.pricing import Line, Promotion, Rates, Totals, price
from guideact.sites.shopping.seed_catalogue import Product
from guideact.sites.shopping.seed_people import EMMA, GUESTS, Address, address_in
from guideact.sites.world import NOW, PEOPLE, plain

__all__ = ["insert_orders"]

FIRST_DAY = datetime(2025, 1, 3)
LAST_MOMENT = datetime(2026, 3, 15, 20, 40)
COUNT = 372
RECENT = 56
"""Orders of the last twelve days among them, so that there is something to do in the back office."""
CARRIERS = ("DHL", "UPS", "FedEx", "Posti")
_CARRIER_OF = {"Finland": "Posti", "United States": "UPS", "Canada": "FedEx", "Japan": "FedEx"}

# What Emma's orders look like, oldest first: days before now, status.
_EMMAS = (
    (424, "complete"),
    (401, "complete"),
    (377, "canceled"),
    (352, "complete"),
    (330, "closed"),
    (309, "complete"),
    (288, "complete"),
    (266, "complete"),
    (243, "canceled"),
    (226, "complete"),
    (205, "complete"),
    (187, "complete"),
    (166, "closed"),
    (149, "complete"),
    (131, "complete"),
    (112, "complete"),
    (94, "canceled"),
    (81, "complete"),
    (66, "complete"),
    (52, "complete"),
    (38, "complete"),
    (24, "on_hold"),
    (17, "processing"),
    (9, "processing"),
    (4, "pending"),
    (1, "pending"),
)
_REASONS = (
    "Arrived damaged",
    "Wrong size",
    "Does not match the picture",
    "Changed my mind",
    "Arrived too late",
    "Ordered twice by mistake",
)
_GIFTS = (
    "Happy birthday, Mum! Love from all of us.",
    "Thank you for watering the plants.",
    "Welcome to your new home!",
    "For the best neighbour on the third floor.",
    "Congratulations on the exam!",
    "See you at Easter.",
)
_NOTES = {
    "pending": ("Customer asks for delivery after 5 pm.", "Waiting for the payment to clear."),
    "on_hold": ("Address could not be verified; mail sent to the customer.", "Payment flagged for a manual check."),
    "canceled": ("Canceled at the customer's request.", "Payment was not received within ten days."),
}


@dataclass
class _Item:
    product: Product
    options: dict[str, str]
    quantity: int
    unit_cents: int
    invoiced: int = 0
    shipped: int = 0
    refunded: int = 0


@dataclass
class _Order:
    customer: int | None
    email: str
    status: str
    moment: datetime
    items: list[_Item]
    totals: Totals
    coupon: str
    shipping_method: str
    payment_method: str
    ship: Address
    bill: Address
    gift: str
    refunded_cents: int = 0
    documents: list[_Document] = field(default_factory=list)


@dataclass
class _Document:
    """An invoice, shipment or refund before it has its number."""

    kind: str
    moment: datetime
    total_cents: int
    detail: str


def insert_orders(
    connection: sqlite3.Connection,
    products: list[Product],
    addresses: dict[int, list[Address]],
    promotions: list[Promotion],
    chance: random.Random,
) -> None:
    """Insert everything about orders; promotions' `uses` are counted from them."""
    today = NOW.replace(tzinfo=None)
    moments = [
        ((today - timedelta(days=days)).replace(hour=chance.randrange(8, 22), minute=chance.randrange(60)), status)
        for days, status in _EMMAS
    ]
    plan: list[tuple[datetime, int | None, str]] = [(moment, EMMA, status) for moment, status in moments]
    guests = {at: chance.randrange(len(GUESTS)) for at in chance.sample(range(COUNT - len(plan)), 16)}
    for at in range(COUNT - len(_EMMAS)):
        # The exponent makes the later months busier, as in a shop that grows.
        first = FIRST_DAY if at >= RECENT else LAST_MOMENT - timedelta(days=12)
        moment = first + (LAST_MOMENT - first) * chance.random() ** 0.75
        moment = moment.replace(hour=chance.randrange(7, 21), minute=chance.randrange(60), second=0)
        customer = None if at in guests else chance.randrange(2, len(PEOPLE) + 1)
        plan.append((min(moment, LAST_MOMENT), customer, _status(moment, chance)))
    plan.sort(key=lambda one: (one[0], one[1] or 0))
    people_without = iter(GUESTS * 2)
    orders = []
    for moment, customer, status in plan:
        moment = moment.replace(second=0, microsecond=0)
        if customer is None:
            name, city = next(people_without)
            home, group, email = (
                address_in(name, city, "", chance),
                "",
                f"{plain(name).replace('-', '.').lower()}@example.org",
            )
            known = [home]
        else:
            known = addresses[customer]
            group, email = _group(connection, customer), PEOPLE[customer - 1].email
        orders.append(_make(moment, customer, email, status, known, group, products, promotions, chance))
    _insert(connection, orders, chance)
    for promotion in promotions:
        uses = sum(promotion.id in order.totals.applied for order in orders)
        connection.execute("UPDATE promotion SET uses = ? WHERE id = ?", (uses, promotion.id))


def _group(connection: sqlite3.Connection, customer: int) -> str:
    found: str = connection.execute("SELECT customer_group FROM customer WHERE id = ?", (customer,)).fetchall()[0][0]
    return found


def _status(moment: datetime, chance: random.Random) -> str:
    age = (NOW.replace(tzinfo=None) - moment).days
    if age > 30:
        kinds, weights = ("complete", "canceled", "closed", "processing", "on_hold"), (78, 11, 8, 2, 1)
    elif age > 7:
        kinds, weights = ("complete", "processing", "pending", "canceled", "on_hold"), (48, 28, 9, 8, 7)
    else:
        kinds, weights = ("pending", "processing", "on_hold", "canceled", "complete"), (46, 33, 10, 6, 5)
    return chance.choices(kinds, weights)[0]


def _make(
    moment: datetime,
    customer: int | None,
    email: str,
    status: str,
    known: list[Address],
    group: str,
    products: list[Product],
    promotions: list[Promotion],
    chance: random.Random,
) -> _Order:
    then = _text(moment)
    sold = [product for product in products if product.created_at < then]
    bulk = group in ("Wholesale", "Retailer")
    items = []
    for product in chance.sample(sold, chance.choices((1, 2, 3, 4, 5), (30, 32, 20, 12, 6))[0]):
        quantity = (
            chance.randrange(4, 13) if bulk and product.sale_cents < 9000 else chance.choices((1, 2, 3), (78, 17, 5))[0]
        )
        chosen = {name: chance.choice(values) for name, values in product.options.items()}
        unit = product.sale_cents + sum(extra for _, extra in chosen.values())
        items.append(_Item(product, {name: label for name, (label, _) in sorted(chosen.items())}, quantity, unit))
    today = moment.date()
    subtotal = sum(item.quantity * item.unit_cents for item in items)
    usable = [
        one
        for one in promotions
        if one.code and one.is_active and subtotal >= one.minimum_cents
        and (one.starts_on is None or one.starts_on <= today) and (one.ends_on is None or today <= one.ends_on)
        and one.customer_group in ("", group)
    ]  # fmt: skip
    # A code that soon ends is entered more often than one that is always there.
    weights = [4 if one.ends_on and one.starts_on and (one.ends_on - one.starts_on).days < 70 else 1 for one in usable]
    coupon = chance.choices(usable, weights)[0].code if usable and chance.random() < 0.25 else ""
    method = chance.choices(("standard", "express", "pickup"), (70, 18, 12))[0]
    totals = price(
        [Line(item.quantity, item.unit_cents) for item in items],
        rates=Rates(),
        promotions=promotions,
        coupon_code=coupon,
        shipping_method=method,
        group=group,
        today=today,
    )
    order = _Order(
        customer=customer,
        email=email,
        status=status,
        moment=moment,
        items=items,
        totals=totals,
        coupon=coupon,
        shipping_method=method,
        payment_method=chance.choices(("card", "invoice", "cash_on_delivery"), (70, 20, 10))[0],
        ship=known[0] if chance.random() < 0.75 else chance.choice(known),
        bill=known[0],
        gift=chance.choice(_GIFTS) if chance.random() < 0.07 else "",
    )
    _handle(order, chance)
    return order


def _handle(order: _Order, chance: random.Random) -> None:
    """Make the documents that the status stands for, and count the units in them."""
    later = order.moment + timedelta(hours=chance.randrange(1, 20), minutes=chance.randrange(60))
    everything = [item.quantity for item in order.items]
    if order.status == "complete":
        _invoice(order, everything, later)
        _ship(order, everything, later + timedelta(hours=chance.randrange(3, 60)), chance)
        if chance.random() < 0.07 and len(order.items) > 1:
            units = [0] * len(order.items)
            units[chance.randrange(len(units))] = 1
            _refund(order, units, 0, later + timedelta(days=chance.randrange(5, 16)), chance)
    elif order.status == "closed":
        _invoice(order, everything, later)
        _ship(order, everything, later + timedelta(hours=chance.randrange(3, 60)), chance)
        _refund(order, everything, order.totals.shipping_cents, later + timedelta(days=chance.randrange(5, 16)), chance)
    elif order.status == "processing":
        kind = chance.randrange(3)
        if kind == 2 and len(order.items) > 1:
            part = [quantity if at else 0 for at, quantity in enumerate(everything)]
            _invoice(order, part, later)
            _ship(order, part, later + timedelta(hours=2), chance)
        elif kind == 1 and len(order.items) > 1:
            _invoice(order, everything, later)
            _ship(
                order,
                [quantity if at == 0 else 0 for at, quantity in enumerate(everything)],
                later + timedelta(hours=2),
                chance,
            )
        else:
            _invoice(order, everything, later)


def _goods_share(order: _Order, units: list[int]) -> int:
    goods = order.totals.subtotal_cents - order.totals.discount_cents + order.totals.tax_cents
    value = sum(item.unit_cents * count for item, count in zip(order.items, units, strict=True))
    return (2 * goods * value + order.totals.subtotal_cents) // (2 * order.totals.subtotal_cents)


def _invoice(order: _Order, units: list[int], moment: datetime) -> None:
    whole = units == [item.quantity for item in order.items]
    total = order.totals.total_cents if whole else _goods_share(order, units) + order.totals.shipping_cents
    for item, count in zip(order.items, units, strict=True):
        item.invoiced += count
    order.documents.append(_Document("invoice", _past(moment), total, "paid"))


def _ship(order: _Order, units: list[int], moment: datetime, chance: random.Random) -> None:
    for item, count in zip(order.items, units, strict=True):
        item.shipped += count
    carrier = _CARRIER_OF.get(order.ship.country, "DHL") if chance.random() < 0.8 else chance.choice(CARRIERS)
    tracking = f"{carrier[:2].upper()}{chance.randrange(10**9, 10**10)}"
    if order.shipping_method == "pickup":
        carrier = tracking = ""
    order.documents.append(_Document("shipment", _past(moment), 0, f"{carrier} {tracking}"))


def _refund(order: _Order, units: list[int], delivery: int, moment: datetime, chance: random.Random) -> None:
    total = min(_goods_share(order, units) + delivery, order.totals.total_cents)
    for item, count in zip(order.items, units, strict=True):
        item.refunded += count
    order.refunded_cents = total
    order.documents.append(_Document("refund", _past(moment), total, chance.choice(_REASONS)))


def _past(moment: datetime) -> datetime:
    """No document is from the future."""
    return min(moment, NOW.replace(tzinfo=None) - timedelta(minutes=35))


def _text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S}"


def _insert(connection: sqlite3.Connection, orders: list[_Order], chance: random.Random) -> None:
    comments: list[tuple[str, int, str, str, int, str]] = []
    documents: list[tuple[datetime, int, _Document]] = []
    for key, order in enumerate(orders, 1):
        totals = order.totals
        connection.execute(
            "INSERT INTO sales_order (id, number, customer_id, email, status, created_at, subtotal_cents,"
            " discount_cents, shipping_cents, tax_cents, total_cents, refunded_cents, coupon_code, shipping_method,"
            " payment_method, ship_name, ship_street, ship_city, ship_postcode, ship_country, ship_phone, bill_name,"
            " bill_street, bill_city,"
            " bill_postcode, bill_country, gift_message)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                f"{key:09}",
                order.customer,
                order.email,
                order.status,
                _text(order.moment),
                totals.subtotal_cents,
                totals.discount_cents,
                totals.shipping_cents,
                totals.tax_cents,
                totals.total_cents,
                order.refunded_cents,
                order.coupon,
                order.shipping_method,
                order.payment_method,
                order.ship.name,
                order.ship.street,
                order.ship.city,
                order.ship.postcode,
                order.ship.country,
                order.ship.phone,
                order.bill.name,
                order.bill.street,
                order.bill.city,
                order.bill.postcode,
                order.bill.country,
                order.gift,
            ),
        )
        connection.executemany(
            "INSERT INTO order_item (order_id, product_id, name, sku, options, quantity, unit_cents, invoiced, shipped,"
            " refunded) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    key,
                    item.product.id,
                    item.product.name,
                    item.product.sku,
                    json.dumps(item.options, sort_keys=True, ensure_ascii=False),
                    item.quantity,
                    item.unit_cents,
                    item.invoiced,
                    item.shipped,
                    item.refunded,
                )
                for item in order.items
            ],
        )
        comments.append((_text(order.moment), key, "pending", "Order placed.", 1, ""))
        documents += [(document.moment, key, document) for document in order.documents]
        if order.status in _NOTES and (order.status != "pending" or chance.random() < 0.4):
            moment = _past(order.moment + timedelta(hours=chance.randrange(2, 40)))
            comments.append((_text(moment), key, order.status, chance.choice(_NOTES[order.status]), 0, "Ari Peltola"))
    comments += _insert_documents(connection, documents, orders)
    comments.sort(key=lambda one: (one[0], one[1]))
    connection.executemany(
        "INSERT INTO order_comment (created_at, order_id, status, body, is_visible, author) VALUES (?, ?, ?, ?, ?, ?)",
        comments,
    )


def _insert_documents(
    connection: sqlite3.Connection, documents: list[tuple[datetime, int, _Document]], orders: list[_Order]
) -> list[tuple[str, int, str, str, int, str]]:
    """Number the documents in the order of their dates, insert them, and give the comments that go with them."""
    count = {"invoice": 0, "shipment": 0, "refund": 0}
    rank = {"invoice": 0, "shipment": 1, "refund": 2}
    comments = []
    for moment, key, document in sorted(documents, key=lambda one: (one[0], one[1], rank[one[2].kind])):
        kind = document.kind
        count[kind] += 1
        number = f"{count[kind]:09}"
        status = orders[key - 1].status if document is orders[key - 1].documents[-1] else "processing"
        if kind == "invoice":
            connection.execute(
                "INSERT INTO invoice (number, order_id, total_cents, state, created_at) VALUES (?, ?, ?, ?, ?)",
                (number, key, document.total_cents, document.detail, _text(moment)),
            )
            body = f"Invoice {number} created."
        elif kind == "shipment":
            carrier, tracking = document.detail.split(" ")
            connection.execute(
                "INSERT INTO shipment (number, order_id, carrier, tracking_number, created_at) VALUES (?, ?, ?, ?, ?)",
                (number, key, carrier, tracking, _text(moment)),
            )
            body = f"Shipment {number} created ({f'{carrier}, {tracking}' if carrier else 'picked up in the store'})."
        else:
            connection.execute(
                "INSERT INTO refund (number, order_id, total_cents, reason, created_at) VALUES (?, ?, ?, ?, ?)",
                (number, key, document.total_cents, document.detail, _text(moment)),
            )
            body = f"Refund {number} of ${document.total_cents / 100:,.2f} created. Reason: {document.detail}"
        comments.append((_text(moment), key, status, body, int(kind == "shipment"), "Jo Whitaker"))
    return comments
