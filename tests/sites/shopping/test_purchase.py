"""A whole purchase through the pages, and every row it leaves."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest

from .conftest import Visitor

NEW_ADDRESS = {
    "first_name": "Aino",
    "last_name": "Korpi",
    "street": "Kirkkokatu 5 B",
    "postcode": "90100",
    "city": "Oulu",
    "country": "Finland",
    "phone": "+358 40 555 0101",
}


def errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'class="field-error"[^>]*>([^<]+)<', page)]


async def fill(visitor: Visitor, quantity: int = 2, price_cents: int = 2345) -> dict[str, Any]:
    product = visitor.product()
    visitor.write("UPDATE product SET price_cents = ? WHERE id = ?", price_cents, product["id"])
    await visitor.post("/cart/add", product=product["id"], quantity=quantity)
    return {**product, "price_cents": price_cents}


def by_table(visitor: Visitor, *ignored: str) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for change in visitor.changes():
        if change.table not in ("product_view", "search_term", *ignored):
            found.setdefault(change.table, []).append(change)
    return found


async def test_a_customer_s_purchase(emma: Visitor) -> None:
    product = await fill(emma, 2)
    stock = emma.value("SELECT stock FROM product WHERE id = ?", product["id"])
    uses = emma.value("SELECT uses FROM promotion WHERE code = 'WELCOME10'")
    number = f"{int(emma.value('SELECT MAX(number) FROM sales_order')) + 1:09}"
    await emma.post("/cart/coupon", code="WELCOME10")
    assert (await emma.post("/checkout/address", address="3")).headers["location"] == "/checkout/delivery"
    answer = await emma.post("/checkout/delivery", method="express", is_gift="1", gift_message="For you <3")
    assert answer.headers["location"] == "/checkout/payment"
    assert (
        (await emma.post("/checkout/payment", payment="invoice", same_address="1"))
        .headers["location"]
        .endswith("review")
    )
    page = await emma.get("/checkout/review")
    assert "For you &lt;3" in page
    assert "58 NW Lovejoy Street" in page
    answer = await emma.post("/checkout/review", terms="1")
    assert answer.headers["location"] == "/checkout/success"
    assert f"/account/orders/{number}" in await emma.get("/checkout/success")

    changes = by_table(emma)
    assert set(changes) == {"sales_order", "order_item", "order_comment", "product", "promotion", "customer"}
    assert [change.after for change in changes["customer"]] == [{"last_login_at": "2026-03-16 10:00:00"}]
    (order,) = changes["sales_order"]
    # 4690, less 469; express 1490; 8 percent of 4221 is 337.68
    assert {name: value for name, value in order.after.items() if name != "id"} == {
        "number": number,
        "customer_id": 1,
        "email": "emma.lopez@example.com",
        "status": "pending",
        "created_at": "2026-03-16 10:00:00",
        "subtotal_cents": 4690,
        "discount_cents": 469,
        "shipping_cents": 1490,
        "tax_cents": 338,
        "total_cents": 6049,
        "refunded_cents": 0,
        "coupon_code": "WELCOME10",
        "shipping_method": "express",
        "payment_method": "invoice",
        "ship_name": "Rosa Lopez",
        "ship_street": "58 NW Lovejoy Street",
        "ship_city": "Portland",
        "ship_postcode": "97209",
        "ship_country": "United States",
        "ship_phone": "+1 503 555 0118",
        "bill_name": "Rosa Lopez",
        "bill_street": "58 NW Lovejoy Street",
        "bill_city": "Portland",
        "bill_postcode": "97209",
        "bill_country": "United States",
        "gift_message": "For you <3",
    }
    (item,) = changes["order_item"]
    assert {name: value for name, value in item.after.items() if name != "id"} == {
        "order_id": order.after["id"],
        "product_id": product["id"],
        "name": product["name"],
        "sku": product["sku"],
        "options": "{}",
        "quantity": 2,
        "unit_cents": 2345,
        "invoiced": 0,
        "shipped": 0,
        "refunded": 0,
    }
    (comment,) = changes["order_comment"]
    assert {name: value for name, value in comment.after.items() if name != "id"} == {
        "order_id": order.after["id"],
        "status": "pending",
        "body": "Order placed.",
        "is_visible": 1,
        "author": "",
        "created_at": "2026-03-16 10:00:00",
    }
    assert changes["product"][0].after["stock"] == stock - 2
    assert [change.after for change in changes["promotion"]] == [{"uses": uses + 1}]


async def test_an_order_reads_like_the_ones_before_it(emma: Visitor) -> None:
    """What a purchase writes is of the same kind as the shop's own data: the same sums, the same first comment."""
    await fill(emma)
    await emma.post("/checkout/address", address="1")
    await emma.post("/checkout/delivery", method="standard")
    await emma.post("/checkout/payment", payment="card", same_address="1")
    await emma.post("/checkout/review", terms="1")
    wrong = emma.rows(
        "SELECT number FROM sales_order o"
        " WHERE total_cents <> subtotal_cents - discount_cents + shipping_cents + tax_cents"
        " OR subtotal_cents <> (SELECT SUM(quantity * unit_cents) FROM order_item i WHERE i.order_id = o.id)"
        " OR NOT EXISTS (SELECT 1 FROM order_comment c WHERE c.order_id = o.id AND c.status = 'pending'"
        "   AND c.body = 'Order placed.' AND c.is_visible = 1 AND c.author = '' AND c.created_at = o.created_at)"
    )
    assert wrong == []


async def test_a_guest_s_purchase_leaves_no_cart(guest: Visitor) -> None:
    product = await fill(guest, 1)
    await guest.post("/checkout/address", address="new", email="aino@example.org", **NEW_ADDRESS)
    await guest.post("/checkout/delivery", method="pickup")
    other = {f"bill_{name}": value for name, value in {**NEW_ADDRESS, "city": "Turku", "phone": ""}.items()}
    await guest.post("/checkout/payment", payment="cash_on_delivery", **other)
    await guest.post("/checkout/review", terms="1")
    assert "Thank you for your purchase!" in await guest.get("/checkout/success")
    changes = by_table(guest)
    assert set(changes) == {"sales_order", "order_item", "order_comment", "product"}
    order = changes["sales_order"][0].after
    assert (order["customer_id"], order["email"], order["shipping_cents"]) == (None, "aino@example.org", 0)
    assert (order["ship_name"], order["ship_city"], order["ship_phone"]) == ("Aino Korpi", "Oulu", "+358 40 555 0101")
    assert (order["bill_name"], order["bill_city"]) == ("Aino Korpi", "Turku")
    assert changes["product"][0].key == str(product["id"])
    assert "Your cart is empty" in await guest.get("/cart")


async def test_an_address_is_saved_only_when_asked(emma: Visitor) -> None:
    for save, expected in ({}, 0), ({"save_address": "1"}, 1):
        await fill(emma)
        await emma.post("/checkout/address", address="new", **NEW_ADDRESS, **save)
        await emma.post("/checkout/delivery", method="standard")
        await emma.post("/checkout/payment", payment="card", same_address="1")
        await emma.post("/checkout/review", terms="1")
        found = emma.rows("SELECT * FROM address WHERE customer_id = 1 AND city = 'Oulu'")
        assert len(found) == expected
    assert {name: found[0][name] for name in NEW_ADDRESS} == NEW_ADDRESS
    assert (found[0]["is_default_billing"], found[0]["is_default_shipping"]) == (0, 0)


@pytest.mark.parametrize("path", ["address", "delivery", "payment", "review"])
async def test_an_empty_cart_cannot_be_bought(emma: Visitor, path: str) -> None:
    assert "Your cart is empty" in await emma.get(f"/checkout/{path}")


async def test_steps_cannot_be_skipped(emma: Visitor) -> None:
    await fill(emma)
    for path in ("delivery", "payment", "review"):
        assert "<h1>Delivery address</h1>" in await emma.get(f"/checkout/{path}")
    await emma.post("/checkout/review", terms="1")
    assert "sales_order" not in by_table(emma)
    await emma.post("/checkout/address", address="1")
    assert "<h1>Delivery method</h1>" in await emma.get("/checkout/review")
    assert "<h1>Delivery method</h1>" in await emma.get("/checkout/payment")


async def test_bad_input_comes_back_with_its_field(guest: Visitor) -> None:
    await fill(guest)
    sent = {**NEW_ADDRESS, "street": "", "postcode": "!", "country": "Atlantis", "phone": "call me", "city": "x" * 61}
    response = await guest.post("/checkout/address", 422, address="new", email="aino", **sent)
    assert errors(response.text) == [
        "Enter an email address such as name@example.com.",
        "Enter a street address.",
        "Enter a valid postcode.",
        "Use at most 60 characters.",
        "Choose a country from the list.",
        "Enter a valid phone number, such as +358 40 123 4567.",
    ]
    assert 'value="Aino"' in response.text
    assert 'value="call me"' in response.text
    await guest.post("/checkout/address", address="new", email="aino@example.org", **NEW_ADDRESS)
    response = await guest.post("/checkout/delivery", 422, method="drone")
    assert errors(response.text) == ["Choose a delivery method."]
    response = await guest.post("/checkout/delivery", 422, method="standard", is_gift="1", gift_message="x" * 201)
    assert errors(response.text) == ["Use at most 200 characters."]
    await guest.post("/checkout/delivery", method="standard")
    response = await guest.post("/checkout/payment", 422, same_address="1")
    assert errors(response.text) == ["Choose how you want to pay."]
    await guest.post("/checkout/payment", payment="card", same_address="1")
    response = await guest.post("/checkout/review", 422)
    assert errors(response.text) == ["Accept the terms to place the order."]
    assert "sales_order" not in by_table(guest)


async def test_another_s_address_cannot_be_used(emma: Visitor) -> None:
    await fill(emma)
    theirs = emma.value("SELECT MIN(id) FROM address WHERE customer_id <> 1")
    response = await emma.post("/checkout/address", 422, address=str(theirs))
    assert errors(response.text) == ["Choose one of your addresses."]


async def test_what_was_sold_meanwhile_cannot_be_bought(emma: Visitor) -> None:
    product = await fill(emma, 3)
    await emma.post("/checkout/address", address="1")
    await emma.post("/checkout/delivery", method="standard")
    await emma.post("/checkout/payment", payment="card", same_address="1")
    emma.write("UPDATE product SET stock = 2 WHERE id = ?", product["id"])
    response = await emma.post("/checkout/review", terms="1")
    assert response.headers["location"] == "/cart"
    assert f"Only 2 of {product['name']} can be bought." in await emma.get("/cart")
    emma.write("UPDATE product SET status = 'disabled' WHERE id = ?", product["id"])
    assert f"{product['name']} is no longer available." in await emma.get("/checkout")
    assert "sales_order" not in by_table(emma)


async def test_an_expired_coupon_in_the_cart_is_not_written_into_the_order(emma: Visitor) -> None:
    await fill(emma)
    await emma.post("/cart/coupon", code="WELCOME10")
    emma.write("UPDATE promotion SET ends_on = '2026-03-15' WHERE code = 'WELCOME10'")
    await emma.post("/checkout/address", address="1")
    await emma.post("/checkout/delivery", method="standard")
    await emma.post("/checkout/payment", payment="card", same_address="1")
    await emma.post("/checkout/review", terms="1")
    order = by_table(emma)["sales_order"][0].after
    assert (order["coupon_code"], order["discount_cents"]) == ("", 0)
    assert emma.value("SELECT coupon_code FROM cart WHERE customer_id = 1") == ""


async def test_the_shop_s_settings_hold(emma: Visitor, guest: Visitor) -> None:
    emma.write("UPDATE setting SET value = '0' WHERE key IN ('payment.invoice_enabled', 'customer.guest_checkout')")
    emma.write("UPDATE setting SET value = '10' WHERE key = 'tax.rate_percent'")
    await fill(emma, 1, 5000)
    await emma.post("/checkout/address", address="1")
    await emma.post("/checkout/delivery", method="standard")
    assert 'value="invoice"' not in await emma.get("/checkout/payment")
    response = await emma.post("/checkout/payment", 422, payment="invoice", same_address="1")
    assert errors(response.text) == ["Choose how you want to pay."]
    await emma.post("/checkout/payment", payment="card", same_address="1")
    emma.write("UPDATE setting SET value = '0' WHERE key = 'payment.card_enabled'")
    assert (await emma.post("/checkout/review", terms="1")).headers["location"] == "/checkout/payment"
    assert "sales_order" not in by_table(emma)
    emma.write("UPDATE setting SET value = '1' WHERE key = 'payment.card_enabled'")
    await emma.post("/checkout/review", terms="1")
    assert by_table(emma)["sales_order"][0].after["tax_cents"] == 500
    await fill(guest)
    assert '<h1 class="page-head">Sign in</h1>' in await guest.get("/checkout")
