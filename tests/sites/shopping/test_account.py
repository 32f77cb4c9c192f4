"""The customer's account, and what guests reach of it: every change is exactly what was asked for."""

from __future__ import annotations

import re

import pytest

from guideact.types import RowChange
from tests.sites.shopping.conftest import Visitor


def _changes(visitor: Visitor) -> list[RowChange]:
    """Every change, without the note of the last sign-in."""
    changes = []
    for change in visitor.changes():
        if change.table == "customer" and change.op == "update":
            kept = {name: text for name, text in (change.after or {}).items() if name != "last_login_at"}
            if not kept:
                continue
            change = change.model_copy(update={"after": kept})
        changes.append(change)
    return changes


def _done(visitor: Visitor) -> list[tuple[str, str]]:
    """(table, operation) of every change."""
    return [(change.table, change.op) for change in _changes(visitor)]


def _order(visitor: Visitor, status: str, more: str = "1") -> str:
    number = visitor.value(
        f"SELECT number FROM sales_order o WHERE customer_id = 1 AND status = ? AND {more} ORDER BY id DESC LIMIT 1",
        status,
    )
    assert isinstance(number, str)
    return number


@pytest.mark.parametrize(
    "path",
    [
        "/account", "/account/orders", "/account/orders/000000001", "/account/addresses", "/account/addresses/1",
        "/account/profile", "/account/wishlist", "/account/reviews", "/account/newsletter",
    ],
)  # fmt: skip
async def test_guests_are_sent_to_sign_in_and_back(guest: Visitor, path: str) -> None:
    answer = await guest.client.get(path)
    assert answer.status_code == 303
    assert answer.headers["location"] == f"/login?next={path.replace('/', '%2F')}"


async def test_the_dashboard_shows_what_is_known(emma: Visitor) -> None:
    page = await emma.get("/account")
    for text in ("emma.lopez@example.com", "1204 Barton Springs Road", "View all 26 orders", "not subscribed"):
        assert text in page
    assert page.count('href="/account/orders/0000') == 2 * 5


async def test_orders_are_filtered_and_paged(emma: Visitor) -> None:
    def numbers(page: str) -> list[str]:
        return re.findall(r'scope="row"><a href="/account/orders/(\d+)"', page)

    everything = [
        row["number"] for row in emma.rows("SELECT number FROM sales_order WHERE customer_id = 1 ORDER BY id DESC")
    ]
    assert numbers(await emma.get("/account/orders")) == everything[:10]
    assert numbers(await emma.get("/account/orders?page=3")) == everything[20:]
    assert numbers(await emma.get("/account/orders?size=50")) == everything
    assert numbers(await emma.get("/account/orders?page=99&size=-3")) == everything[20:]
    for status in ("pending", "closed"):
        known = emma.rows(
            "SELECT number FROM sales_order WHERE customer_id = 1 AND status = ? ORDER BY id DESC", status
        )
        assert numbers(await emma.get(f"/account/orders?status={status}")) == [row["number"] for row in known]
    assert numbers(await emma.get(f"/account/orders?number=%23{everything[3]}")) == [everything[3]]
    recent = numbers(await emma.get("/account/orders?period=30&size=50"))
    assert recent == [number for number in everything if number in recent]
    assert 3 <= len(recent) < 10
    assert "No orders found" in await emma.get("/account/orders?number=777777777")


async def test_an_order_shows_its_documents(emma: Visitor) -> None:
    number = _order(emma, "closed")
    page = await emma.get(f"/account/orders/{number}")
    order = emma.rows("SELECT * FROM sales_order WHERE number = ?", number)[0]
    for table in ("invoice", "shipment", "refund"):
        for document in emma.rows(f"SELECT number FROM {table} WHERE order_id = ?", order["id"]):
            assert document["number"] in page
    total = f"${order['total_cents'] / 100:,.2f}"
    assert total in page
    assert total in await emma.get(f"/account/orders/{number}/print")
    assert "Cancel order" not in page


async def test_notes_of_the_staff_are_not_shown(emma: Visitor) -> None:
    number = _order(emma, "on_hold")
    hidden = emma.rows(
        "SELECT body FROM order_comment c JOIN sales_order o ON o.id = c.order_id"
        " WHERE o.number = ? AND NOT is_visible",
        number,
    )
    assert hidden
    page = await emma.get(f"/account/orders/{number}")
    assert all(comment["body"] not in page for comment in hidden)


async def test_other_peoples_orders_and_addresses_do_not_exist(emma: Visitor) -> None:
    other = emma.value("SELECT number FROM sales_order WHERE customer_id = 2 LIMIT 1")
    address = emma.value("SELECT id FROM address WHERE customer_id = 2 LIMIT 1")
    await emma.get(f"/account/orders/{other}", 404)
    await emma.get(f"/account/orders/{other}/print", 404)
    await emma.get(f"/account/addresses/{address}", 404)
    await emma.post(f"/account/orders/{other}/cancel", 404)
    await emma.post(f"/account/orders/{other}/reorder", 404)
    await emma.post(f"/account/addresses/{address}/delete", 404)
    await emma.post(f"/account/wishlist/{emma.value('SELECT max(id) FROM wishlist_item')}/remove", 404)
    assert _changes(emma) == []


async def test_a_pending_order_can_be_canceled(emma: Visitor) -> None:
    number = _order(emma, "pending")
    page = await emma.get(f"/account/orders/{number}")
    assert f'data-confirm="Cancel order {number}?' in page
    items = emma.rows(
        "SELECT i.product_id, i.quantity FROM order_item i JOIN sales_order o ON o.id = i.order_id WHERE o.number = ?",
        number,
    )
    stock = {
        item["product_id"]: emma.value("SELECT stock FROM product WHERE id = ?", item["product_id"]) for item in items
    }
    await emma.post(f"/account/orders/{number}/cancel")
    assert "Canceled" in await emma.get(f"/account/orders/{number}")
    changes = _changes(emma)
    assert sorted({(change.table, change.op) for change in changes}) == [
        ("order_comment", "insert"),
        ("product", "update"),
        ("sales_order", "update"),
    ]
    for item in items:
        now = emma.value("SELECT stock FROM product WHERE id = ?", item["product_id"])
        assert now == stock[item["product_id"]] + item["quantity"]
    await emma.post(f"/account/orders/{number}/cancel")
    assert _changes(emma) == changes


@pytest.mark.parametrize("status", ["processing", "complete", "on_hold", "canceled", "closed"])
async def test_no_other_order_can(emma: Visitor, status: str) -> None:
    await emma.post(f"/account/orders/{_order(emma, status)}/cancel")
    assert _changes(emma) == []
    assert "can no longer be canceled" in await emma.get("/account")


async def test_ordering_again_fills_the_cart_at_todays_prices(emma: Visitor) -> None:
    number = _order(
        emma,
        "complete",
        "NOT EXISTS (SELECT 1 FROM order_item i JOIN product p ON p.id = i.product_id"
        " WHERE i.order_id = o.id AND p.stock < i.quantity)",
    )
    items = emma.rows(
        "SELECT i.* FROM order_item i JOIN sales_order o ON o.id = i.order_id WHERE o.number = ? ORDER BY i.id", number
    )
    emma.write(
        "UPDATE product SET price_cents = price_cents + 100, special_price_cents = NULL WHERE id = ?",
        items[0]["product_id"],
    )
    before = emma.value("SELECT price_cents FROM product WHERE id = ?", items[0]["product_id"])
    await emma.post(f"/account/orders/{number}/reorder")
    lines = emma.rows("SELECT * FROM cart_item WHERE cart_id = 1 ORDER BY id")
    assert [(line["product_id"], line["options"], line["quantity"]) for line in lines] == [
        (item["product_id"], item["options"], item["quantity"]) for item in items
    ]
    assert lines[0]["unit_cents"] >= before
    assert [line["unit_cents"] for line in lines[1:]] == [item["unit_cents"] for item in items[1:]]


async def test_ordering_again_leaves_out_what_is_gone(emma: Visitor) -> None:
    number = _order(emma, "complete")
    emma.write("UPDATE product SET stock = 0")
    await emma.post(f"/account/orders/{number}/reorder")
    assert emma.value("SELECT count(*) FROM cart_item WHERE cart_id = 1") == 0
    assert "Not available any more" in await emma.get("/cart")


ADDRESS = {
    "first_name": "Emma",
    "last_name": "López",
    "street": "Bulevardi 3 B",
    "city": "Helsinki",
    "postcode": "00120",
    "country": "Finland",
    "phone": "+358 40 555 0101",
}


async def test_a_new_address(emma: Visitor) -> None:
    await emma.post("/account/addresses/new", **ADDRESS)
    [change] = _changes(emma)
    assert (change.table, change.op) == ("address", "insert")
    assert change.after is not None
    assert {name: change.after[name] for name in ADDRESS} == ADDRESS
    assert (change.after["customer_id"], change.after["is_default_billing"], change.after["is_default_shipping"]) == (
        1,
        0,
        0,
    )
    assert "Bulevardi 3 B" in await emma.get("/account/addresses")


async def test_a_new_default_address_replaces_the_old_one(emma: Visitor) -> None:
    await emma.post("/account/addresses/new", **ADDRESS, default_shipping="1")
    defaults = emma.rows("SELECT street FROM address WHERE customer_id = 1 AND is_default_shipping = 1")
    assert defaults == [{"street": "Bulevardi 3 B"}]
    assert emma.value("SELECT street FROM address WHERE customer_id = 1 AND is_default_billing = 1") != "Bulevardi 3 B"


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("street", ""), ("postcode", "!"), ("country", "Atlantis"), ("phone", "call me"), ("last_name", "x" * 41)],
)
async def test_a_wrong_address_comes_back(emma: Visitor, field: str, wrong: str) -> None:
    answer = await emma.post("/account/addresses/new", 422, **{**ADDRESS, field: wrong})
    assert answer.text.count('aria-invalid="true"') == 1
    assert f'id="e-{field}"' in answer.text
    assert _changes(emma) == []


async def test_editing_an_address_changes_what_was_typed(emma: Visitor) -> None:
    page = await emma.get("/account/addresses/2")
    assert 'value="310 Congress Avenue, Floor 6"' in page
    known = emma.rows("SELECT * FROM address WHERE id = 2")[0]
    sent = {name: known[name] for name in ADDRESS}
    await emma.post("/account/addresses/2", **{**sent, "street": "310 Congress Avenue, Floor 9"})
    [change] = _changes(emma)
    assert (change.table, change.key, change.after) == ("address", "2", {"street": "310 Congress Avenue, Floor 9"})


async def test_default_addresses_change_hands(emma: Visitor) -> None:
    await emma.post("/account/addresses/3/default", use="billing")
    assert {(change.key, str(change.after)) for change in _changes(emma)} == {
        ("1", "{'is_default_billing': 0}"),
        ("3", "{'is_default_billing': 1}"),
    }
    await emma.post("/account/addresses/3/default", 404, use="everything")


async def test_only_other_addresses_can_be_deleted(emma: Visitor) -> None:
    await emma.post("/account/addresses/1/delete")
    assert _changes(emma) == []
    assert "default address cannot be deleted" in await emma.get("/account/addresses")
    await emma.post("/account/addresses/3/delete")
    assert _done(emma) == [("address", "delete")]


async def test_the_profile_changes_names_only_where_nothing_else_is_ticked(emma: Visitor) -> None:
    await emma.post(
        "/account/profile", first_name="Emma Maria", last_name="Lopez", phone="+1 512 555 0142", email="new@example.com"
    )
    [change] = _changes(emma)
    assert (change.table, change.after) == ("customer", {"first_name": "Emma Maria"})


async def test_mail_and_password_need_the_password(emma: Visitor) -> None:
    sent = {
        "first_name": "Emma", "last_name": "Lopez", "phone": "+1 512 555 0142",
        "change_email": "1", "change_password": "1",
        "email": "emma@example.net", "new_password": "much longer", "new_password_again": "much longer",
    }  # fmt: skip
    for current, again in (("wrong", "much longer"), ("password123", "much shorter")):
        answer = await emma.post(
            "/account/profile", 422, **{**sent, "current_password": current, "new_password_again": again}
        )
        assert 'aria-invalid="true"' in answer.text
    taken = emma.value("SELECT email FROM customer WHERE id = 2").upper()
    await emma.post("/account/profile", 422, **{**sent, "current_password": "password123", "email": taken})
    assert _changes(emma) == []
    await emma.post("/account/profile", **{**sent, "current_password": "password123"})
    [change] = _changes(emma)
    assert change.after == {"email": "emma@example.net", "password": "much longer"}


async def test_wishes_keep_notes_and_quantities(emma: Visitor) -> None:
    [first, *others] = emma.rows("SELECT * FROM wishlist_item WHERE customer_id = 1 ORDER BY id")
    sent = {f"note-{wish['id']}": wish["note"] for wish in others} | {f"quantity-{wish['id']}": "1" for wish in others}
    same = {f"quantity-{wish['id']}": str(wish["quantity"]) for wish in others}
    await emma.post(
        "/account/wishlist/update",
        **{**sent, **same, f"note-{first['id']}": " For <b>May</b> ", f"quantity-{first['id']}": "3"},
    )
    [change] = _changes(emma)
    assert (change.table, change.key, change.after) == (
        "wishlist_item",
        str(first["id"]),
        {"note": "For <b>May</b>", "quantity": 3},
    )
    assert "For &lt;b&gt;May&lt;/b&gt;" in await emma.get("/account/wishlist")
    await emma.post("/account/wishlist/update", **{f"quantity-{first['id']}": "0"})
    assert "Enter a quantity from 1 to 99" in await emma.get("/account/wishlist")
    assert _changes(emma) == [change]


async def test_a_wish_moves_into_the_cart(emma: Visitor) -> None:
    wish = emma.rows(
        "SELECT w.id AS wish, p.* FROM wishlist_item w JOIN product p ON p.id = w.product_id"
        " WHERE w.customer_id = 1 AND p.name = 'Bistro Plate, Set of 4'"
    )[0]
    await emma.post(f"/account/wishlist/{wish['wish']}/to-cart")
    assert sorted(_done(emma)) == [("cart_item", "insert"), ("wishlist_item", "delete")]
    line = emma.rows("SELECT product_id, quantity, unit_cents FROM cart_item WHERE cart_id = 1")
    assert line == [{"product_id": wish["id"], "quantity": 2, "unit_cents": wish["special_price_cents"]}]


async def test_a_wish_with_options_leads_to_its_page(emma: Visitor) -> None:
    key = emma.value(
        "SELECT w.id FROM wishlist_item w JOIN product p ON p.id = w.product_id"
        " WHERE w.customer_id = 1 AND p.name = 'Barnaby Bear'"
    )
    answer = await emma.post(f"/account/wishlist/{key}/to-cart")
    assert answer.headers["location"] == "/p/barnaby-bear"
    assert _changes(emma) == []


async def test_all_wishes_at_once(emma: Visitor) -> None:
    await emma.post("/account/wishlist/all-to-cart")
    left = emma.rows("SELECT p.name FROM wishlist_item w JOIN product p ON p.id = w.product_id WHERE w.customer_id = 1")
    assert {row["name"] for row in left} == {"Barnaby Bear", "Trail Pack 35 L"}
    assert emma.value("SELECT count(*) FROM cart_item WHERE cart_id = 1") == 4
    page = await emma.get("/account/wishlist")
    assert "4 wishes were moved" in page
    assert "Still on the list" in page


async def test_removing_a_wish(emma: Visitor) -> None:
    key = emma.value("SELECT min(id) FROM wishlist_item WHERE customer_id = 1")
    await emma.post(f"/account/wishlist/{key}/remove")
    assert [(change.table, change.op, change.key) for change in _changes(emma)] == [
        ("wishlist_item", "delete", str(key))
    ]


async def test_own_reviews(emma: Visitor) -> None:
    page = await emma.get("/account/reviews")
    for review in emma.rows("SELECT title FROM review WHERE customer_id = 1"):
        assert review["title"] in page
    assert page.count("Published") == 5


async def test_the_newsletter_is_subscribed_to_and_left(emma: Visitor) -> None:
    await emma.post("/account/newsletter", subscribed="1")
    [change] = _changes(emma)
    assert (change.table, change.op, change.after) == ("newsletter_subscriber", "update", {"status": "subscribed"})
    assert "You get our letter" in await emma.get("/account")
    await emma.post("/account/newsletter")
    assert _changes(emma) == []


async def test_the_footers_form_knows_who_is_subscribed(guest: Visitor) -> None:
    await guest.get("/contact")
    origin = str(guest.client.base_url).rstrip("/")
    guest.client.headers["Referer"] = f"{origin}/contact?x=1"
    answer = await guest.post("/newsletter/subscribe", email="someone.new@example.com")
    assert answer.headers["location"] == "/contact?x=1"
    await guest.post("/newsletter/subscribe", email="Someone.New@example.com")
    assert "subscribed already" in await guest.get("/contact")
    await guest.post("/newsletter/subscribe", email="not an address")
    assert _done(guest) == [("newsletter_subscriber", "insert")]
    guest.client.headers["Referer"] = "http://elsewhere.example/contact"
    answer = await guest.post("/newsletter/subscribe", email="one.more@example.com")
    assert answer.headers["location"] == "/"


async def test_a_customer_who_left_comes_back_through_the_footer(guest: Visitor) -> None:
    await guest.post("/newsletter/subscribe", email="emma.lopez@example.com")
    [change] = _changes(guest)
    assert (change.op, change.after) == ("update", {"status": "subscribed"})


async def test_a_message_to_the_shop(guest: Visitor) -> None:
    sent = {
        "name": "Ada Quist",
        "email": "ada@example.com",
        "phone": "",
        "subject": "Lids",
        "body": "Do you sell lids?",
    }
    for name, wrong in (("name", ""), ("email", "ada"), ("body", ""), ("body", "x" * 2001)):
        answer = await guest.post("/contact", 422, **{**sent, name: wrong})
        assert f'id="e-{name}"' in answer.text
    assert _changes(guest) == []
    await guest.post("/contact", **sent)
    [change] = _changes(guest)
    assert (change.table, change.op) == ("contact_message", "insert")
    assert change.after is not None
    assert {name: change.after[name] for name in sent} == sent
    assert (change.after["is_read"], change.after["created_at"]) == (0, "2026-03-16 10:00:00")


async def test_the_contact_form_knows_the_customer(emma: Visitor) -> None:
    page = await emma.get("/contact")
    assert 'value="Emma Lopez"' in page
    assert 'value="emma.lopez@example.com"' in page


async def test_pages_of_the_shop(guest: Visitor) -> None:
    for page in guest.rows("SELECT slug, title, is_active FROM cms_page"):
        text = await guest.get(f"/page/{page['slug']}", 200 if page["is_active"] else 404)
        assert (f"<h1>{page['title']}</h1>" in text) == bool(page["is_active"])


async def test_guests_look_up_an_order(guest: Visitor) -> None:
    order = guest.rows("SELECT * FROM sales_order WHERE customer_id IS NULL LIMIT 1")[0]
    sent = {
        "number": order["number"].lstrip("0"),
        "email": order["email"].upper(),
        "last_name": order["bill_name"].split()[-1],
    }
    await guest.get("/order-lookup")
    hidden = await guest.client.get(f"/order-lookup/{order['number']}")
    assert hidden.status_code == 303
    for name, wrong in (
        ("number", "000000002"),
        ("email", "other@example.com"),
        ("last_name", "Nobody"),
        ("email", ""),
    ):
        answer = await guest.post("/order-lookup", 422, **{**sent, name: wrong})
        assert 'aria-invalid="true"' in answer.text
    answer = await guest.post("/order-lookup", **sent)
    assert answer.headers["location"] == f"/order-lookup/{order['number']}"
    page = await guest.get(f"/order-lookup/{order['number']}")
    assert order["ship_street"] in page
    assert _changes(guest) == []
