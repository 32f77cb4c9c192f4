"""What may happen to an order: rules, sums, stock and history."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import guideact.sites.shopping
from guideact.sites.shopping_admin import workflow
from guideact.sites.shopping_admin.workflow import Order, Refused

from .conftest import Office

SCHEMA = (Path(guideact.sites.shopping.__file__).parent / "schema.sql").read_text()
WHO: dict[str, Any] = {"author": "Test", "now": "2026-03-16 10:00:00"}


def shop(
    lines: list[tuple[int, int]], discount: int = 0, shipping: int = 590, payment: str = "card"
) -> sqlite3.Connection:
    """A shop with one pending order of (quantity, unit cents) lines."""
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.executescript(SCHEMA)
    db.execute("INSERT INTO category (id, name, slug) VALUES (1, 'C', 'c')")
    subtotal = sum(quantity * cents for quantity, cents in lines)
    discount = min(discount, subtotal)
    tax = (subtotal - discount) * 8 // 100
    db.execute(
        "INSERT INTO sales_order (id, number, email, status, created_at, subtotal_cents, discount_cents,"
        " shipping_cents, tax_cents, total_cents, shipping_method, payment_method, ship_name, ship_street, ship_city,"
        " ship_postcode, ship_country, bill_name, bill_street, bill_city, bill_postcode, bill_country) VALUES"
        " (1, '000000001', 'a@b.c', 'pending', '2026-01-01 00:00:00', ?, ?, ?, ?, ?, 'standard', ?,"
        " 'n', 's', 'c', 'p', 'x', 'n', 's', 'c', 'p', 'x')",
        (subtotal, discount, shipping, tax, subtotal - discount + shipping + tax, payment),
    )
    for at, (quantity, cents) in enumerate(lines, 1):
        db.execute(
            "INSERT INTO product (id, sku, name, slug, brand, category_id, price_cents, stock, picture_shape,"
            " picture_colour, created_at) VALUES (?, ?, 'P', ?, 'B', 1, ?, 10, 's', 'c', '2026-01-01')",
            (at, f"S{at}", f"s{at}", cents),
        )
        db.execute(
            "INSERT INTO order_item (id, order_id, product_id, name, sku, quantity, unit_cents)"
            " VALUES (?, 1, ?, 'P', ?, ?, ?)",
            (at, at, f"S{at}", quantity, cents),
        )
    return db


def order(db: sqlite3.Connection) -> Order:
    found = workflow.load(db, 1)
    assert found is not None
    return found


def everything(found: Order, limit: str) -> dict[int, int]:
    return {item.id: getattr(item, limit) for item in found.items}


LINES = st.lists(st.tuples(st.integers(1, 6), st.integers(1, 90_000)), min_size=1, max_size=4)


@settings(max_examples=60, deadline=None)
@given(LINES, st.integers(0, 40_000), st.integers(0, 2_000), st.data())
def test_invoices_and_refunds_add_up_whatever_the_split(
    lines: list[tuple[int, int]], discount: int, shipping: int, data: st.DataObject
) -> None:
    db = shop(lines, discount, shipping)
    total = order(db).total_cents
    while order(db).can_invoice:
        now = order(db)
        units = {item.id: data.draw(st.integers(0, item.to_invoice)) for item in now.items}
        if not any(units.values()):
            units = everything(now, "to_invoice")
        workflow.invoice(db, now, units, **WHO)
        assert order(db).status == "processing"
    invoiced = [row[0] for row in db.execute("SELECT total_cents FROM invoice").fetchall()]
    assert sum(invoiced) == total or (min(invoiced) == 0 and abs(sum(invoiced) - total) < len(invoiced))
    workflow.ship(db, order(db), everything(order(db), "to_ship"), carrier="DHL", tracking_number="", **WHO)
    assert order(db).status == "complete"
    first = True
    while order(db).can_refund:
        now = order(db)
        units = {item.id: data.draw(st.integers(0, item.to_refund)) for item in now.items}
        if not any(units.values()):
            units = everything(now, "to_refund")
        workflow.refund(db, now, units, shipping_cents=shipping if first else 0, reason="r", to_stock=True, **WHO)
        first = False
    end = order(db)
    refunds = [row[0] for row in db.execute("SELECT total_cents FROM refund").fetchall()]
    assert end.status == "closed"
    assert end.refunded_cents == sum(refunds) <= total
    assert total - end.refunded_cents <= len(refunds)
    for item, (quantity, _) in zip(end.items, lines, strict=True):
        assert (item.invoiced, item.shipped, item.refunded) == (quantity, quantity, quantity)
        assert (
            db.execute("SELECT stock FROM product WHERE id = ?", (item.product_id,)).fetchall()[0][0] == 10 + quantity
        )


STEPS = st.sampled_from(["hold", "unhold", "cancel", "invoice", "ship", "refund"])


@settings(max_examples=80, deadline=None)
@given(LINES, st.lists(st.tuples(STEPS, st.integers(0, 7)), max_size=14))
def test_no_sequence_of_steps_breaks_an_order(lines: list[tuple[int, int]], steps: list[tuple[str, int]]) -> None:
    db = shop(lines)
    for name, count in steps:
        now = order(db)
        before = db.execute("SELECT count(*) FROM order_comment").fetchall()[0][0]
        units = {item.id: count for item in now.items}
        try:
            if name in ("hold", "unhold", "cancel"):
                {"hold": workflow.hold, "unhold": workflow.unhold, "cancel": workflow.cancel}[name](db, now, **WHO)
            elif name == "invoice":
                workflow.invoice(db, now, units, **WHO)
            elif name == "ship":
                workflow.ship(db, now, units, carrier="UPS", tracking_number="1Z", **WHO)
            else:
                workflow.refund(db, now, units, shipping_cents=0, reason="", to_stock=False, **WHO)
        except Refused:
            assert order(db) == now
            assert db.execute("SELECT count(*) FROM order_comment").fetchall()[0][0] == before
            continue
        end = order(db)
        assert db.execute("SELECT count(*) FROM order_comment").fetchall()[0][0] == before + 1
        last = db.execute("SELECT status FROM order_comment ORDER BY id DESC LIMIT 1").fetchall()[0][0]
        assert last == end.status
        for item in end.items:
            assert 0 <= item.refunded <= item.invoiced <= item.quantity
            assert 0 <= item.shipped <= item.quantity
        assert end.refunded_cents <= end.total_cents
        if end.status == "canceled":
            assert all(item.invoiced == item.shipped == 0 for item in end.items)
        if end.status == "complete":
            assert all(item.to_invoice == item.to_ship == 0 for item in end.items)


def test_canceling_puts_units_back_once() -> None:
    db = shop([(3, 1000)])
    workflow.cancel(db, order(db), **WHO)
    assert db.execute("SELECT stock FROM product").fetchall()[0][0] == 13
    with pytest.raises(Refused, match="it is canceled"):
        workflow.cancel(db, order(db), **WHO)
    assert db.execute("SELECT stock FROM product").fetchall()[0][0] == 13


def test_hold_remembers_how_far_an_order_was() -> None:
    db = shop([(2, 1000)])
    workflow.invoice(db, order(db), {1: 1}, **WHO)
    workflow.hold(db, order(db), **WHO)
    assert not order(db).can_invoice
    assert not order(db).can_cancel
    workflow.unhold(db, order(db), **WHO)
    assert order(db).status == "processing"


def test_only_cards_pay_at_once() -> None:
    for payment, state in (("card", "paid"), ("invoice", "open"), ("cash_on_delivery", "open")):
        db = shop([(1, 1000)], payment=payment)
        workflow.invoice(db, order(db), {1: 1}, **WHO)
        assert db.execute("SELECT number, state FROM invoice").fetchall()[0][:] == ("000000001", state)


# --- the same through the pages ---------------------------------------------------------------------------------


def pending(office: Office) -> int:
    """An untouched order with at least one line of two or more units."""
    return int(
        office.value(
            "SELECT o.id FROM sales_order o JOIN order_item i ON i.order_id = o.id WHERE o.status = 'pending'"
            " GROUP BY o.id HAVING max(i.quantity) > 1 AND sum(i.invoiced + i.shipped) = 0 LIMIT 1"
        )
    )


async def test_an_order_from_invoice_to_refund(office: Office) -> None:
    number = pending(office)
    items = office.db.execute(
        "SELECT id, product_id, quantity FROM order_item WHERE order_id = ?", (number,)
    ).fetchall()
    stock = [office.value("SELECT stock FROM product WHERE id = ?", item["product_id"]) for item in items]
    all_units = {f"quantity__{item['id']}": str(item["quantity"]) for item in items}
    page = await office.get(f"/orders/{number}")
    assert "Hold" in page
    assert f'action="/orders/{number}/cancel"' in page
    await office.post(f"/orders/{number}/invoice", **all_units, note="As agreed")
    assert office.value("SELECT status FROM sales_order WHERE id = ?", number) == "processing"
    assert "As agreed" in office.value("SELECT body FROM order_comment ORDER BY id DESC LIMIT 1")
    assert f'action="/orders/{number}/cancel"' not in await office.get(f"/orders/{number}")
    await office.post(f"/orders/{number}/ship", **all_units, carrier="FedEx", tracking_number="FX 12")
    assert office.value("SELECT status FROM sales_order WHERE id = ?", number) == "complete"
    shipment = office.row("SELECT * FROM shipment WHERE order_id = ?", number)
    assert (shipment["carrier"], shipment["tracking_number"]) == ("FedEx", "FX 12")
    shipping = office.value("SELECT shipping_cents FROM sales_order WHERE id = ?", number)
    await office.post(
        f"/orders/{number}/refund",
        **all_units,
        reason="Wrong size",
        shipping=f"{shipping / 100:.2f}",
        restock="1",
    )
    end = office.row("SELECT * FROM sales_order WHERE id = ?", number)
    assert (end["status"], end["refunded_cents"]) == ("closed", end["total_cents"])
    for item, before in zip(items, stock, strict=True):
        now = office.value("SELECT stock FROM product WHERE id = ?", item["product_id"])
        assert now >= before + item["quantity"]


@pytest.mark.parametrize("quantity", ["-1", "99", "x", "1.5", ""])
async def test_bad_quantities_are_named_and_kept(office: Office, quantity: str) -> None:
    number = pending(office)
    item = office.value("SELECT id FROM order_item WHERE order_id = ? LIMIT 1", number)
    data = {f"quantity__{item}": quantity}
    answer = await office.post(f"/orders/{number}/ship", 422, **data, carrier="", tracking_number="AB 1")
    assert 'aria-invalid="true"' in answer.text
    assert "Carrier is required." in answer.text
    assert 'value="AB 1"' in answer.text
    assert await office.changes() == []


async def test_refunds_cannot_exceed_what_was_paid(office: Office) -> None:
    number = office.value("SELECT id FROM sales_order WHERE status = 'complete' AND shipping_cents > 0 LIMIT 1")
    item = office.value("SELECT id FROM order_item WHERE order_id = ? LIMIT 1", number)
    data = {f"quantity__{item}": "1", "reason": "Other", "shipping": "999.00"}
    answer = await office.post(f"/orders/{number}/refund", 422, **data)
    assert "The delivery cost $" in answer.text
    assert await office.changes() == []


async def test_comments_change_the_status_within_the_rules(office: Office) -> None:
    number = pending(office)
    await office.post(f"/orders/{number}/comment", 422, body="", status="pending")
    await office.post(f"/orders/{number}/comment", 422, body="Done?", status="complete")
    assert await office.changes() == []
    await office.post(f"/orders/{number}/comment", body="Called the customer.", status="on_hold", visible="1")
    assert office.value("SELECT status FROM sales_order WHERE id = ?", number) == "on_hold"
    last = office.row("SELECT * FROM order_comment ORDER BY id DESC LIMIT 1")
    assert (last["body"], last["is_visible"], last["author"]) == ("Called the customer.", 1, "Morgan Hale")
    assert sorted(await office.changes()) == [("order_comment", "insert"), ("sales_order", "update")]


async def test_addresses_of_an_order(office: Office) -> None:
    path = f"/orders/{pending(office)}/address/shipping"
    filled = {"name": "Ann", "street": "New street 1", "city": "Turku", "postcode": "20100", "country": "Finland"}
    answer = await office.post(path, 422, **(filled | {"city": ""}))
    assert "City is required." in answer.text
    assert 'value="New street 1"' in answer.text
    await office.post(path, **filled, phone="1")
    assert (
        office.value("SELECT count(*) FROM sales_order WHERE ship_city = 'Turku' AND ship_street = 'New street 1'") == 1
    )
    assert await office.changes() == [("sales_order", "update")]


async def test_open_invoices_are_paid_once(office: Office) -> None:
    office.db.execute("UPDATE invoice SET state = 'open' WHERE id = 3")
    office.db.commit()
    assert "Mark as paid" in await office.get("/invoices/3")
    await office.post("/invoices/3/pay")
    assert office.value("SELECT state FROM invoice WHERE id = 3") == "paid"
    assert 'action="/invoices/3/pay"' not in await office.get("/invoices/3")


async def test_tracking_of_a_shipment(office: Office) -> None:
    await office.post("/shipments/2/tracking", 422, carrier="Owl", tracking_number="x")
    await office.post("/shipments/2/tracking", carrier="Posti", tracking_number="JJ 9")
    assert office.row("SELECT carrier, tracking_number FROM shipment WHERE id = 2") == {
        "carrier": "Posti",
        "tracking_number": "JJ 9",
    }
