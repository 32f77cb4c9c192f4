"""Putting things into the cart, changing it, coupons."""

from __future__ import annotations

import html
import json
import re
from typing import Any

import pytest

from guideact.sites.shopping.carts import MAX_QUANTITY

from .conftest import Visitor


def errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'class="field-error"[^>]*>([^<]+)<', page)]


async def fill(visitor: Visitor, quantity: int = 2, **columns: Any) -> dict[str, Any]:
    """A cart with one line; `columns` are set on its product first."""
    product = visitor.product()
    for name, value in columns.items():
        visitor.write(f"UPDATE product SET {name} = ? WHERE id = ?", value, product["id"])
    await visitor.post("/cart/add", product=product["id"], quantity=quantity)
    line: dict[str, Any] = visitor.rows("SELECT * FROM cart_item WHERE product_id = ? ORDER BY id", product["id"])[-1]
    return line


def totals(page: str) -> dict[str, str]:
    """What the summary says, label -> amount."""
    text = re.search(r'<dl class="totals".*?</dl>', page, re.DOTALL)
    assert text is not None
    return dict(re.findall(r"<dt>([^<]+)</dt><dd[^>]*>([^<]+)</dd>", text[0]))


async def test_the_same_thing_twice_is_one_line(emma: Visitor) -> None:
    line = await fill(emma, 2)
    await emma.post("/cart/add", product=line["product_id"], quantity=1)
    found = emma.rows("SELECT i.quantity FROM cart_item i JOIN cart c ON c.id = i.cart_id WHERE c.customer_id = 1")
    assert found == [{"quantity": 3}]


async def test_options_are_chosen_and_priced(emma: Visitor) -> None:
    product = emma.rows("SELECT * FROM product WHERE slug = 'everyday-tee'")[0]
    size, colour = (
        row["id"]
        for row in emma.rows("SELECT id FROM product_option WHERE product_id = ? ORDER BY name DESC", product["id"])
    )
    emma.write("UPDATE product_option_value SET extra_cents = 250 WHERE option_id = ? AND label = 'XL'", size)
    response = await emma.post(
        "/cart/add", 422, product=product["id"], quantity=3, **{f"option_{size}": "XL", f"option_{colour}": "Pink"}
    )
    assert errors(response.text) == ["Choose a value for Colour."]
    assert re.search(r'<option value="XL"[^>]* selected', response.text), "what was chosen is kept"
    assert 'name="quantity" inputmode="numeric" value="3"' in response.text
    await emma.post(
        "/cart/add", product=product["id"], quantity=3, **{f"option_{size}": "XL", f"option_{colour}": "Sand"}
    )
    await emma.post(
        "/cart/add", product=product["id"], quantity=1, **{f"option_{size}": "S", f"option_{colour}": "Sand"}
    )
    found = emma.rows(
        "SELECT options, quantity, unit_cents FROM cart_item WHERE product_id = ? ORDER BY id", product["id"]
    )
    assert [(json.loads(row["options"]), row["quantity"], row["unit_cents"]) for row in found[-2:]] == [
        ({"Colour": "Sand", "Size": "XL"}, 3, product["price_cents"] + 250),
        ({"Colour": "Sand", "Size": "S"}, 1, product["price_cents"]),
    ]
    assert found[-2]["options"] == '{"Colour": "Sand", "Size": "XL"}'


async def test_a_card_of_a_product_with_options_leads_to_its_page(emma: Visitor) -> None:
    product = emma.product(options=True)
    before = emma.changes()
    response = await emma.post("/cart/add", product=product["id"], quantity=1)
    assert response.headers["location"] == f"/p/{product['slug']}"
    assert emma.changes() == before


async def test_the_sale_price_is_the_one_that_counts(emma: Visitor) -> None:
    line = await fill(emma, 1, special_price_cents=123)
    assert line["unit_cents"] == 123


@pytest.mark.parametrize("quantity", ["0", "-1", "", "two", "1.5"])
async def test_a_quantity_that_is_none(guest: Visitor, quantity: str) -> None:
    product = guest.product()
    response = await guest.post("/cart/add", 422, product=product["id"], quantity=quantity)
    assert errors(response.text) == ["Enter a quantity of 1 or more."]
    assert f'value="{quantity}"' in response.text
    assert guest.changes() == ()


async def test_no_more_than_there_is(emma: Visitor) -> None:
    line = await fill(emma, 2, stock=3)
    response = await emma.post("/cart/add", 422, product=line["product_id"], quantity=2)
    assert errors(response.text) == ["You can buy at most 3, and your cart already holds 2."]
    await emma.post("/cart/add", product=line["product_id"], quantity=1)
    response = await emma.post("/cart/add", 422, product=line["product_id"], quantity=1)
    assert errors(response.text) == ["Your cart already holds all 3 that you can buy."]
    response = await emma.post("/cart/update", 422, **{f"quantity_{line['id']}": "4"})
    assert errors(response.text) == ["Only 3 can be bought."]
    emma.write("UPDATE product SET stock = 0 WHERE id = ?", line["product_id"])
    response = await emma.post("/cart/add", 422, product=line["product_id"], quantity=1)
    assert errors(response.text) == ["This product is out of stock."]
    assert "No longer available" in await emma.get("/cart")


async def test_quantities_are_updated_all_or_nothing(emma: Visitor) -> None:
    first = await fill(emma, 2)
    other = emma.rows(
        "SELECT id FROM product WHERE stock > 9 AND id <> ? AND id NOT IN (SELECT product_id FROM product_option)",
        first["product_id"],
    )[0]["id"]
    await emma.post("/cart/add", product=other, quantity=1)
    second = emma.value("SELECT MAX(id) FROM cart_item")
    response = await emma.post("/cart/update", 422, **{f"quantity_{first['id']}": "5", f"quantity_{second}": "x"})
    assert errors(response.text) == ["Enter a whole number."]
    assert 'value="x"' in response.text
    assert emma.value("SELECT quantity FROM cart_item WHERE id = ?", first["id"]) == 2
    await emma.post("/cart/update", **{f"quantity_{first['id']}": "5", f"quantity_{second}": "0"})
    assert emma.value("SELECT quantity FROM cart_item WHERE id = ?", first["id"]) == 5
    assert emma.rows("SELECT 1 FROM cart_item WHERE id = ?", second) == []
    too_many = str(MAX_QUANTITY + 1)
    await emma.post("/cart/update", 422, **{f"quantity_{first['id']}": too_many})


async def test_removing_and_emptying(emma: Visitor) -> None:
    before = emma.changes()
    line = await fill(emma)
    await emma.post("/cart/remove", line=line["id"])
    assert emma.changes() == before
    await fill(emma)
    await emma.post("/cart/coupon", code="WELCOME10")
    await emma.post("/cart/clear")
    assert emma.changes() == before
    assert "Your cart is empty" in await emma.get("/cart")


async def test_nobody_touches_another_s_cart(guest: Visitor) -> None:
    theirs = guest.rows("SELECT i.id FROM cart_item i JOIN cart c ON c.id = i.cart_id WHERE c.customer_id > 1")
    assert theirs, "the shop's data have open carts"
    await fill(guest)
    before = guest.changes()
    await guest.post("/cart/remove", 404, line=theirs[0]["id"])
    await guest.post("/cart/wish", 404, line=theirs[0]["id"])
    assert guest.changes() == before


async def test_moving_to_the_wish_list(emma: Visitor) -> None:
    line = await fill(emma, 3)
    emma.write("DELETE FROM wishlist_item WHERE customer_id = 1 AND product_id = ?", line["product_id"])
    await emma.post("/cart/wish", line=line["id"])
    assert emma.rows("SELECT 1 FROM cart_item WHERE id = ?", line["id"]) == []
    found = emma.rows(
        "SELECT quantity, added_at FROM wishlist_item WHERE customer_id = 1 AND product_id = ?", line["product_id"]
    )
    assert found == [{"quantity": 3, "added_at": "2026-03-16 10:00:00"}]


async def test_a_guest_signs_in_before_wishing(guest: Visitor) -> None:
    line = await fill(guest)
    response = await guest.post("/cart/wish", line=line["id"])
    assert response.headers["location"] == "/login?next=/cart"
    response = await guest.post("/wishlist/add", product=line["product_id"])
    assert response.headers["location"].startswith("/login?next=/p/")


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("", "Enter a coupon code."),
        ("NOSUCH", "The coupon code “NOSUCH” is not valid."),
        ("STAFF30", "The coupon code “STAFF30” is not valid."),
        ("BLACK25", "The coupon code “BLACK25” expired on November 30, 2025."),
        ("EASTER10", "The coupon code “EASTER10” is not valid before March 28, 2026."),
        ("TAKE20", "The coupon code “TAKE20” needs a subtotal of at least $200.00."),
        ("TRADE", "The coupon code “TRADE” is reserved for Wholesale customers."),
    ],
)
async def test_a_coupon_that_does_not_hold(emma: Visitor, code: str, message: str) -> None:
    emma.write(
        "INSERT INTO promotion (name, code, kind, amount, customer_group)"
        " VALUES ('x', 'TRADE', 'percent', 9, 'Wholesale')"
    )
    await fill(emma, 1, price_cents=1000)
    before = emma.changes()
    response = await emma.post("/cart/coupon", 422, code=code)
    assert errors(response.text) == [message]
    assert emma.changes() == before


async def test_a_coupon_comes_and_goes(emma: Visitor) -> None:
    await fill(emma, 3, price_cents=1999)
    await emma.post("/cart/coupon", code=" welcome10 ")
    assert emma.value("SELECT coupon_code FROM cart WHERE customer_id = 1") == "WELCOME10"
    # 5997, less 600 (599.7), and 8 percent of the rest: 431.76
    assert totals(await emma.get("/cart?method=express")) == {
        "Subtotal": "$59.97",
        "Discount (WELCOME10)": "−$6.00",
        "Express delivery": "$14.90",
        "Tax": "$4.32",
        "Order total": "$73.19",
    }
    await emma.post("/cart/coupon/remove")
    page = await emma.get("/cart")
    assert totals(page) == {
        "Subtotal": "$59.97",
        "Delivery": "Chosen at checkout",
        "Tax": "$4.80",
        "Total without delivery": "$64.77",
    }
    assert emma.value("SELECT coupon_code FROM cart WHERE customer_id = 1") == ""


async def test_a_free_delivery_coupon(emma: Visitor) -> None:
    await fill(emma, 1, price_cents=4500)
    assert totals(await emma.get("/cart?method=standard"))["Standard delivery"] == "$5.90"
    await emma.post("/cart/coupon", code="SPRINGSHIP")
    assert totals(await emma.get("/cart?method=standard"))["Standard delivery"] == "Free"
    assert totals(await emma.get("/cart?method=express"))["Express delivery"] == "$14.90"


async def test_a_coupon_that_no_longer_holds_is_pointed_out(emma: Visitor) -> None:
    line = await fill(emma, 3, price_cents=2000)
    await emma.post("/cart/coupon", code="SPRINGSHIP")
    await emma.post("/cart/update", **{f"quantity_{line['id']}": "1"})
    page = await emma.get("/cart?method=standard")
    assert "needs a subtotal of at least $40.00." in page
    assert totals(page)["Standard delivery"] == "$5.90"


async def test_a_wholesale_customer_pays_less_by_itself(emma: Visitor) -> None:
    emma.write("UPDATE customer SET customer_group = 'Wholesale' WHERE id = 1")
    await fill(emma, 1, price_cents=10000)
    assert totals(await emma.get("/cart"))["Discount"] == "−$8.00"
