"""What may happen to an order, and what each step does to the data. No request, no markup: only the database.

    pending ──invoice or ship──> processing ──all invoiced and shipped──> complete ──all refunded──> closed
       │  ▲                        │  ▲                                     (closed also from processing)
       │  └───────unhold───────┐   │  │
       ├────hold────────────> on_hold <─┘
       └────cancel (nothing invoiced or shipped)────> canceled

Every step leaves a row in `order_comment`. Stock left the shelf when the order was placed, so cancelling puts it back,
and a refund does when asked to. Amounts are cents.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

STATUSES = (
    ("pending", "Pending"),
    ("processing", "Processing"),
    ("complete", "Complete"),
    ("on_hold", "On hold"),
    ("canceled", "Canceled"),
    ("closed", "Closed"),
)
CARRIERS = ("DHL", "UPS", "FedEx", "Posti")
OPEN = ("pending", "processing")


class Refused(Exception):
    """A step that the order's state does not allow. `str()` is a sentence for the staff."""


@dataclass(frozen=True)
class Item:
    """One line of an order with its unit counts."""

    id: int
    product_id: int
    name: str
    sku: str
    options: str
    quantity: int
    unit_cents: int
    invoiced: int
    shipped: int
    refunded: int

    @property
    def to_invoice(self) -> int:
        return self.quantity - self.invoiced

    @property
    def to_ship(self) -> int:
        return self.quantity - self.shipped

    @property
    def to_refund(self) -> int:
        return self.invoiced - self.refunded


@dataclass(frozen=True)
class Order:
    """The part of an order that the rules look at."""

    id: int
    number: str
    status: str
    subtotal_cents: int
    discount_cents: int
    shipping_cents: int
    tax_cents: int
    total_cents: int
    refunded_cents: int
    payment_method: str
    items: tuple[Item, ...]

    @property
    def can_hold(self) -> bool:
        return self.status in OPEN

    @property
    def can_unhold(self) -> bool:
        return self.status == "on_hold"

    @property
    def can_cancel(self) -> bool:
        untouched = all(item.invoiced == 0 and item.shipped == 0 for item in self.items)
        return self.status in (*OPEN, "on_hold") and untouched

    @property
    def can_invoice(self) -> bool:
        return self.status in OPEN and any(item.to_invoice for item in self.items)

    @property
    def can_ship(self) -> bool:
        return self.status in OPEN and any(item.to_ship for item in self.items)

    @property
    def can_refund(self) -> bool:
        return self.status in ("processing", "complete") and any(item.to_refund for item in self.items)

    @property
    def released_status(self) -> str:
        """Where an order on hold goes back to."""
        touched = any(item.invoiced or item.shipped for item in self.items)
        return "processing" if touched else "pending"

    def comment_statuses(self) -> tuple[str, ...]:
        """The statuses a comment may set, the present one first. Only documents make an order complete or closed."""
        return {
            "pending": ("pending", "processing", "on_hold"),
            "processing": ("processing", "on_hold"),
            "on_hold": ("on_hold", self.released_status),
        }.get(self.status, (self.status,))


def load(connection: sqlite3.Connection, order_id: int) -> Order | None:
    """The order with its items, or None."""
    row = connection.execute(
        "SELECT id, number, status, subtotal_cents, discount_cents, shipping_cents, tax_cents, total_cents,"
        " refunded_cents, payment_method FROM sales_order WHERE id = ?",
        (order_id,),
    ).fetchall()
    if not row:
        return None
    items = connection.execute(
        "SELECT id, product_id, name, sku, options, quantity, unit_cents, invoiced, shipped, refunded"
        " FROM order_item WHERE order_id = ? ORDER BY id",
        (order_id,),
    ).fetchall()
    return Order(**dict(row[0]), items=tuple(Item(*item) for item in items))


def comment(
    connection: sqlite3.Connection,
    order_id: int,
    status: str,
    body: str,
    *,
    author: str,
    now: str,
    visible: bool = False,
) -> None:
    """Add a row to the history of an order."""
    connection.execute(
        "INSERT INTO order_comment (order_id, status, body, is_visible, author, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        (order_id, status, body, int(visible), author, now),
    )


def _move(
    connection: sqlite3.Connection,
    order: Order,
    status: str,
    body: str,
    *,
    author: str,
    now: str,
    visible: bool = False,
) -> None:
    connection.execute("UPDATE sales_order SET status = ? WHERE id = ?", (status, order.id))
    comment(connection, order.id, status, body, author=author, now=now, visible=visible)


def hold(connection: sqlite3.Connection, order: Order, *, author: str, now: str) -> None:
    """Put an open order on hold. Refused for any other."""
    if not order.can_hold:
        raise Refused(f"Order {order.number} is {order.status.replace('_', ' ')} and cannot be put on hold.")
    _move(connection, order, "on_hold", "Order put on hold.", author=author, now=now)


def unhold(connection: sqlite3.Connection, order: Order, *, author: str, now: str) -> None:
    """Release an order that is on hold."""
    if not order.can_unhold:
        raise Refused(f"Order {order.number} is not on hold.")
    _move(connection, order, order.released_status, "Order released from hold.", author=author, now=now)


def cancel(connection: sqlite3.Connection, order: Order, *, author: str, now: str) -> None:
    """Cancel an order of which nothing is invoiced or shipped, and put its units back into stock."""
    if not order.can_cancel:
        why = "part of it is invoiced or shipped" if order.status in (*OPEN, "on_hold") else f"it is {order.status}"
        raise Refused(f"Order {order.number} cannot be canceled: {why}.")
    restock(connection, order, {item.id: item.quantity for item in order.items})
    _move(connection, order, "canceled", "Order canceled.", author=author, now=now)


def restock(connection: sqlite3.Connection, order: Order, units: Mapping[int, int]) -> None:
    """Add units (item id -> count) to the stock of their products."""
    connection.executemany(
        "UPDATE product SET stock = stock + ? WHERE id = ?",
        [(units[item.id], item.product_id) for item in order.items if units.get(item.id)],
    )


def _checked(order: Order, units: Mapping[int, int], limit: str, verb: str) -> dict[int, int]:
    """The units above zero, each within what is left; Refused otherwise."""
    chosen = {}
    for item in order.items:
        count = units.get(item.id, 0)
        if not 0 <= count <= getattr(item, limit):
            raise Refused(f"Only {getattr(item, limit)} of {item.name} can be {verb}.")
        if count:
            chosen[item.id] = count
    if not chosen:
        raise Refused(f"Nothing can be {verb} without a quantity: enter at least one unit.")
    return chosen


def goods_share(order: Order, units: Mapping[int, int]) -> int:
    """What some units cost with their part of discount and tax, without delivery, rounded half up to the cent."""
    goods = order.subtotal_cents - order.discount_cents + order.tax_cents
    if not order.subtotal_cents:
        return 0
    value = sum(item.unit_cents * units.get(item.id, 0) for item in order.items)
    return (2 * goods * value + order.subtotal_cents) // (2 * order.subtotal_cents)


def next_number(connection: sqlite3.Connection, table: str) -> str:
    """The number after the highest one of `invoice`, `shipment` or `refund`, nine digits."""
    assert table in ("invoice", "shipment", "refund")
    highest = connection.execute(f"SELECT max(CAST(number AS INTEGER)) FROM {table}").fetchall()[0][0]
    return f"{(highest or 0) + 1:09d}"


def _after_documents(connection: sqlite3.Connection, order: Order) -> str:
    """The status that the unit counts now stand for."""
    fresh = load(connection, order.id)
    assert fresh is not None
    if all(item.invoiced and item.refunded == item.invoiced == item.quantity for item in fresh.items):
        return "closed"
    if all(item.to_invoice == 0 and item.to_ship == 0 for item in fresh.items):
        return "complete"
    return "processing"


def invoice(
    connection: sqlite3.Connection, order: Order, units: Mapping[int, int], *, author: str, now: str, note: str = ""
) -> int:
    """Invoice some units (item id -> count); the id of the invoice.

    One that is paid by card is paid at once, any other stays open until somebody marks it as paid.
    The first invoice also carries the delivery. The one that completes the order takes what is left, so that all
    invoices of an order add up to its total.
    """
    if not order.can_invoice:
        raise Refused(f"Order {order.number} has nothing to invoice.")
    chosen = _checked(order, units, "to_invoice", "invoiced")
    before = connection.execute(
        "SELECT coalesce(sum(total_cents), 0), count(*) FROM invoice WHERE order_id = ? AND state != 'canceled'",
        (order.id,),
    ).fetchall()[0]
    if all(item.to_invoice == chosen.get(item.id, 0) for item in order.items):
        total = order.total_cents - before[0]
    else:
        total = goods_share(order, chosen) + (order.shipping_cents if before[1] == 0 else 0)
    number = next_number(connection, "invoice")
    cursor = connection.execute(
        "INSERT INTO invoice (number, order_id, total_cents, state, created_at) VALUES (?, ?, ?, ?, ?)",
        (number, order.id, max(0, total), "paid" if order.payment_method == "card" else "open", now),
    )
    connection.executemany(
        "UPDATE order_item SET invoiced = invoiced + ? WHERE id = ?", [(count, key) for key, count in chosen.items()]
    )
    body = f"Invoice {number} created." + (f" {note}" if note else "")
    _move(connection, order, _after_documents(connection, order), body, author=author, now=now)
    return int(cursor.lastrowid or 0)


def ship(
    connection: sqlite3.Connection,
    order: Order,
    units: Mapping[int, int],
    *,
    carrier: str,
    tracking_number: str,
    author: str,
    now: str,
) -> int:
    """Ship some units (item id -> count); the id of the shipment."""
    if not order.can_ship:
        raise Refused(f"Order {order.number} has nothing to ship.")
    chosen = _checked(order, units, "to_ship", "shipped")
    number = next_number(connection, "shipment")
    cursor = connection.execute(
        "INSERT INTO shipment (number, order_id, carrier, tracking_number, created_at) VALUES (?, ?, ?, ?, ?)",
        (number, order.id, carrier, tracking_number, now),
    )
    connection.executemany(
        "UPDATE order_item SET shipped = shipped + ? WHERE id = ?", [(count, key) for key, count in chosen.items()]
    )
    body = f"Shipment {number} created ({carrier}{f', {tracking_number}' if tracking_number else ''})."
    _move(connection, order, _after_documents(connection, order), body, author=author, now=now, visible=True)
    return int(cursor.lastrowid or 0)


def refund_total(order: Order, units: Mapping[int, int], shipping_cents: int) -> int:
    """What a refund of some units and some of the delivery comes to: never more than is left of the order."""
    total = goods_share(order, units) + shipping_cents
    return max(0, min(total, order.total_cents - order.refunded_cents))


def refund(
    connection: sqlite3.Connection,
    order: Order,
    units: Mapping[int, int],
    *,
    shipping_cents: int,
    reason: str,
    to_stock: bool,
    author: str,
    now: str,
) -> int:
    """Refund invoiced units (item id -> count); the id of the refund. When every unit is refunded, the order closes."""
    if not order.can_refund:
        raise Refused(f"Order {order.number} has nothing to refund.")
    chosen = _checked(order, units, "to_refund", "refunded")
    if not 0 <= shipping_cents <= order.shipping_cents:
        raise Refused("More delivery costs than the order had cannot be refunded.")
    total = refund_total(order, chosen, shipping_cents)
    number = next_number(connection, "refund")
    cursor = connection.execute(
        "INSERT INTO refund (number, order_id, total_cents, reason, created_at) VALUES (?, ?, ?, ?, ?)",
        (number, order.id, total, reason, now),
    )
    connection.executemany(
        "UPDATE order_item SET refunded = refunded + ? WHERE id = ?", [(count, key) for key, count in chosen.items()]
    )
    connection.execute("UPDATE sales_order SET refunded_cents = refunded_cents + ? WHERE id = ?", (total, order.id))
    if to_stock:
        restock(connection, order, chosen)
    body = f"Refund {number} of ${total / 100:,.2f} created." + (f" Reason: {reason}" if reason else "")
    _move(connection, order, _after_documents(connection, order), body, author=author, now=now)
    return int(cursor.lastrowid or 0)
