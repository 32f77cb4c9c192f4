"""Forms: what is written, what is refused, and that what was typed comes back."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.sites.shopping_admin.forms import Field, cents_text, parse
from guideact.sites.shopping_admin.settings import SECTIONS

from .conftest import Office, names


def filled(page: str, action: str) -> dict[str, Any]:
    """The fields of the form that posts to `action`, as a browser would send them untouched."""
    start = page.index(f'<form method="post" action="{action}"')
    form = page[start : page.index("</form>", start)]
    data: dict[str, Any] = {}
    for tag in re.findall(r"<input\b[^>]*>", form):
        name, value = re.search(r'\sname="([^"]+)"', tag), re.search(r'\svalue="([^"]*)"', tag)
        if name is None or ('type="checkbox"' in tag and " checked" not in tag):
            continue
        data[name[1]] = unescape(value[1]) if value else ""
    for name, body in re.findall(r'<textarea[^>]*name="([^"]+)"[^>]*>\n?(.*?)</textarea>', form, flags=re.S):
        data[name] = unescape(body).replace("\n", "\r\n")
    for name, body in re.findall(r'<select[^>]*name="([^"]+)"[^>]*>(.*?)</select>', form, flags=re.S):
        chosen = re.search(r'value="([^"]*)" selected', body) or re.search(r'value="([^"]*)"', body)
        data[name] = unescape(chosen[1]) if chosen else ""
    data.pop("csrf")
    return data


FORMS = (
    *(f"/products/{number}" for number in (1, 20, 150, 336)),
    *(f"/customers/{number}" for number in (1, 2, 40)),
    "/categories/3",
    "/reviews/5",
    *(f"/promotions/{number}" for number in range(1, 16)),
    *(f"/pages/{number}" for number in range(1, 13)),
    "/orders/1/address/shipping",
    "/orders/1/address/billing",
    "/customers/1/addresses/1",
    *(f"/settings/{name}" for name in SECTIONS),
    "/staff/2",
    "/account",
)


@pytest.mark.parametrize("path", FORMS)
async def test_saving_an_untouched_form_changes_nothing(office: Office, path: str) -> None:
    await office.post(path, 303, **filled(await office.get(path), path))
    assert await office.changes() == []


async def test_a_product_is_edited_whole(office: Office) -> None:
    data = filled(await office.get("/products/2"), "/products/2")
    data |= {
        "name": "New name",
        "price_cents": "$1,234.50",
        "special_price_cents": "999",
        "stock": "0",
        "category_id": "5",
    }
    data |= {"description": "<p>Hi <b>you</b></p><script>x</script>"}
    data.pop("status")
    await office.post("/products/2", **data)
    row = office.row("SELECT * FROM product WHERE id = 2")
    assert (row["name"], row["price_cents"], row["special_price_cents"]) == ("New name", 123450, 99900)
    assert (row["stock"], row["category_id"], row["status"]) == (0, 5, "disabled")
    assert row["description"] == "<p>Hi <strong>you</strong></p>"
    assert await office.changes() == [("product", "update")]


@pytest.mark.parametrize(
    ("name", "typed", "message"),
    [
        ("name", "", "Name is required."),
        ("sku", "MUG-1001", "This SKU belongs to Harbour Mug No. 1 already."),
        ("sku", "a b", "A SKU has letters"),
        ("price_cents", "ten", "Enter an amount such as 24.90."),
        ("price_cents", "0", "Price must be at least $0.01."),
        ("special_price_cents", "99999", "The special price must be below the price."),
        ("stock", "-1", "Stock must be at least 0."),
        ("stock", "1.5", "Enter a whole number."),
        ("category_id", "", "Choose a category."),
        ("category_id", "9999", "Choose a category."),
        ("visibility", "moon", "Choose one of the listed options"),
        ("slug", "Not A Key", "A URL key has"),
    ],
)
async def test_bad_product_input_is_named_and_kept(office: Office, name: str, typed: str, message: str) -> None:
    data = filled(await office.get("/products/2"), "/products/2")
    answer = await office.post("/products/2", 422, **(data | {name: typed, "material": "Kept words"}))
    assert message in answer.text
    assert f'href="#field-{name}"' in answer.text
    assert 'value="Kept words"' in answer.text
    assert await office.changes() == []


async def test_a_new_product_with_options(office: Office) -> None:
    data = {"name": "Tin Robot & Friends", "sku": "TOY-9", "brand": "Bimbo", "price_cents": "12", "stock": "3"}
    data |= {"visibility": "catalog", "category_id": "4", "status": "1", "slug": "", "description": "Words"}
    data |= {"picture_shape": "car", "picture_colour": "red", "picture_pattern": "plain"}
    data |= {"option__n1": "Size", "option__n1__n2__label": "S", "option__n1__n2__extra": ""}
    data |= {"option__n1__n3__label": "L", "option__n1__n3__extra": "2.50"}
    answer = await office.post("/products/new", **data)
    made = int(answer.headers["location"].rsplit("/", 1)[1])
    row = office.row("SELECT * FROM product WHERE id = ?", made)
    assert (row["slug"], row["created_at"], row["description"]) == (
        "tin-robot-friends",
        "2026-03-16 10:00:00",
        "<p>Words</p>",
    )
    values = office.db.execute(
        "SELECT o.name, v.label, v.extra_cents, v.position FROM product_option o JOIN product_option_value v"
        " ON v.option_id = o.id WHERE o.product_id = ? ORDER BY v.position",
        (made,),
    ).fetchall()
    assert [tuple(value) for value in values] == [("Size", "S", 0, 0), ("Size", "L", 250, 1)]
    # The same form without one value and with another name.
    path = f"/products/{made}"
    again = filled(await office.get(path), path)
    (small,) = [name for name, typed in again.items() if name.endswith("-label") and typed == "S"]
    (title,) = [name for name, typed in again.items() if typed == "Size"]
    again.pop(small)
    again.pop(small.replace("-label", "-extra"))
    again[title] = "Height"
    await office.post(path, **again)
    left = office.value(
        "SELECT group_concat(label) FROM product_option_value v JOIN product_option o ON o.id = v.option_id"
        " WHERE o.product_id = ? AND o.name = 'Height'",
        made,
    )
    assert left == "L"
    again.pop(title)
    await office.post(path, **{name: typed for name, typed in again.items() if not name.startswith("option-")})
    assert office.value("SELECT count(*) FROM product_option WHERE product_id = ?", made) == 0
    await office.post(f"{path}/delete")
    assert await office.changes() == []


async def test_ordered_products_stay(office: Office) -> None:
    ordered = office.value("SELECT product_id FROM order_item LIMIT 1")
    await office.post(f"/products/{ordered}/delete")
    assert "was ordered before and can only be disabled" in await office.get(f"/products/{ordered}")
    await office.post("/products/mass", action="delete", ids=str(ordered))
    assert await office.changes() == []


async def test_stock_in_the_list(office: Office) -> None:
    answer = await office.post("/products/7/stock", 200, stock="41")
    assert answer.json()["stock"] == 41
    assert office.value("SELECT stock FROM product WHERE id = 7") == 41
    bad = await office.post("/products/7/stock", 422, stock="many")
    assert bad.json() == {"error": "Enter a whole number."}


async def test_a_customer_is_made_edited_and_noted(office: Office) -> None:
    data = {"first_name": "Ann", "last_name": "Lee", "email": "ANN@example.com", "customer_group": "Wholesale"}
    answer = await office.post("/customers/new", 422, **data, password="short", note="Kept")
    assert "A password needs at least 8 characters." in answer.text
    assert "short" not in answer.text
    assert "Kept" in answer.text
    answer = await office.post("/customers/new", **data, password="long enough", is_active="1")
    path = answer.headers["location"]
    await office.post(path, **data, note="Calls on Fridays.")
    row = office.row("SELECT * FROM customer WHERE email = 'ANN@example.com'")
    assert (row["note"], row["is_active"], row["customer_group"]) == ("Calls on Fridays.", 0, "Wholesale")
    taken = await office.post(path, 422, **(data | {"email": "Emma.Lopez@example.com"}))
    assert "Another customer has this email address already." in taken.text


async def test_addresses_keep_one_default(office: Office) -> None:
    data = {"first_name": "E", "last_name": "L", "street": "S 1", "city": "C", "postcode": "1", "country": "Spain"}
    await office.post("/customers/1/addresses/new", **data, is_default_shipping="1")
    assert office.value("SELECT count(*) FROM address WHERE customer_id = 1 AND is_default_shipping = 1") == 1
    assert office.value("SELECT count(*) FROM address WHERE customer_id = 1 AND is_default_billing = 1") == 1
    made = office.value("SELECT max(id) FROM address")
    await office.post(f"/customers/1/addresses/{made}/delete")
    await office.get(f"/customers/2/addresses/{made}", 404)


async def test_the_newsletter_switch(office: Office) -> None:
    await office.post("/customers/1/newsletter", subscribed="1")
    sql = "SELECT status FROM newsletter_subscriber WHERE email = 'emma.lopez@example.com'"
    assert office.value(sql) == "subscribed"
    await office.post("/customers/1/newsletter")
    assert office.value(sql) == "unsubscribed"
    assert await office.changes() == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "percent", "amount": "120"}, "Amount may be at most 100."),
        ({"kind": "percent", "amount": ""}, "Amount is required."),
        ({"kind": "fixed", "amount": "x"}, "Enter an amount such as 24.90."),
        ({"code": "welcome10"}, "Another promotion has this code already."),
        ({"starts_on": "2026-04-02", "ends_on": "2026-04-01"}, "The last day must not be before the first."),
        ({"starts_on": "tomorrow"}, "Enter a date as YYYY-MM-DD"),
    ],
)
async def test_bad_promotions(office: Office, changes: dict[str, str], message: str) -> None:
    data = {"name": "Sale", "kind": "percent", "amount": "10"} | changes
    assert message in (await office.post("/promotions/new", 422, **data)).text
    assert await office.changes() == []


async def test_a_promotion(office: Office) -> None:
    data = {"name": "Sale", "kind": "fixed", "amount": "7.50", "minimum_cents": "40", "code": "may7", "is_active": "1"}
    await office.post(
        "/promotions/new", **data, starts_on="2026-05-01", ends_on="2026-05-31", customer_group="Retailer"
    )
    row = office.row("SELECT * FROM promotion WHERE name = 'Sale'")
    assert (row["amount"], row["minimum_cents"], row["code"], row["starts_on"]) == (750, 4000, "MAY7", "2026-05-01")
    page = await office.get("/promotions?state=scheduled")
    assert "Edit promotion Sale" in page


async def test_a_page_notes_when_its_words_changed(office: Office) -> None:
    data = filled(await office.get("/pages/1"), "/pages/1") | {"title": "About the shop"}
    await office.post("/pages/1", **data)
    row = office.row("SELECT * FROM cms_page WHERE id = 1")
    assert (row["title"], row["slug"], row["updated_at"]) == ("About the shop", "about-us", "2026-03-16 10:00:00")


async def test_a_message_is_read_by_its_button_only(office: Office) -> None:
    unread = office.value("SELECT id FROM contact_message WHERE is_read = 0 LIMIT 1")
    await office.get(f"/messages/{unread}")
    assert await office.changes() == []
    await office.post(f"/messages/{unread}/read")
    assert office.value("SELECT is_read FROM contact_message WHERE id = ?", unread) == 1


async def test_a_review_is_moderated(office: Office) -> None:
    pending = office.value("SELECT id FROM review WHERE status = 'pending' LIMIT 1")
    await office.post(f"/reviews/{pending}/approve")
    assert office.value("SELECT status FROM review WHERE id = ?", pending) == "approved"
    await office.post(f"/reviews/{pending}", 422, nickname="", title="t", body="b", rating="9", status="approved")
    await office.post(f"/reviews/{pending}", nickname="n", title="t", body="b", rating="2", status="rejected")
    row = office.row("SELECT nickname, rating, status FROM review WHERE id = ?", pending)
    assert row == {"nickname": "n", "rating": 2, "status": "rejected"}


async def test_settings_write_their_rows_only(office: Office) -> None:
    data = filled(await office.get("/settings/shipping"), "/settings/shipping")
    await office.post("/settings/shipping", **(data | {"shipping.express_cents": "19.90"}))
    assert office.value("SELECT value FROM setting WHERE key = 'shipping.express_cents'") == "1990"
    assert await office.changes() == [("setting", "update")]
    bad = await office.post(
        "/settings/tax", 422, **{"tax.rate_percent": "101", "tax.based_on": "x", "tax.display": "y"}
    )
    assert "Tax rate may be at most 100." in bad.text


async def test_staff_accounts(office: Office) -> None:
    data = {"full_name": "Pat", "email": "pat@example.com", "username": "pat", "role": "Catalog"}
    await office.post("/staff/new", 422, **data, password="")
    await office.post("/staff/new", **data, password="12345678")
    await office.post("/staff/new", 422, **data, password="12345678")
    made = office.value("SELECT id FROM staff WHERE username = 'pat'")
    await office.post(f"/staff/{made}", **(data | {"role": "Sales"}), password="")
    assert office.row("SELECT role, password FROM staff WHERE id = ?", made) == {
        "role": "Sales",
        "password": "12345678",
    }
    assert (
        "Somebody must stay Administrator."
        in (await office.post("/staff/1", 422, **(data | {"username": "admin", "role": "Sales"}))).text
    )
    await office.post("/staff/1/delete")
    await office.post(f"/staff/{made}/delete")
    assert await office.changes() == []


async def test_my_account(office: Office) -> None:
    data = {"full_name": "Morgan H", "email": "m@example.com"}
    bad = await office.post("/account", 422, **data, current="wrong", password="12345678", again="12345678")
    assert "This is not your current password." in bad.text
    await office.post("/account", **data, current="admin1234", password="12345678", again="12345678")
    assert office.value("SELECT password FROM staff WHERE id = 1") == "12345678"


async def test_categories(office: Office) -> None:
    await office.post("/categories/3", 422, name="", position="x", description="Kept")
    await office.post("/categories/3", name="Pots", position="9", description="d")
    row = office.row("SELECT name, position, is_active FROM category WHERE id = 3")
    assert row == {"name": "Pots", "position": 9, "is_active": 0}
    await office.post("/categories/new", name="Mugs & Cups", parent_id="1")
    made = office.row("SELECT * FROM category ORDER BY id DESC LIMIT 1")
    assert (made["parent_id"], made["slug"]) == (1, "mugs-cups-2")
    assert "Mugs &amp; Cups" in await office.get(f"/categories/{made['id']}")


async def test_the_picker_offers_the_whole_tree(office: Office) -> None:
    page = await office.get("/products/new")
    assert len(names(page, r'data-path="([^"]+)"')) == office.value("SELECT count(*) FROM category")


@given(st.integers(0, 10**8))
def test_money_is_read_as_it_is_written(cents: int) -> None:
    field = Field("price", "Price", "money")
    assert parse(field, cents_text(cents)) == cents
    assert parse(field, f"${cents // 100:,}.{cents % 100:02d}") == cents


@given(st.text(max_size=12), st.sampled_from(["money", "integer", "decimal", "date", "email", "text", "textarea"]))
def test_no_input_breaks_a_field(text: str, kind: Any) -> None:
    message = ""
    try:
        parse(Field("x", "X", kind), text)
    except ValueError as error:
        message = str(error)
    assert message == "" or message.endswith(".")
