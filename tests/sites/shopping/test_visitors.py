"""Signing in and out, new accounts, comparing, wishing, reviewing, the delivery estimate."""

from __future__ import annotations

import html
import re
from datetime import date

import pytest

from guideact.sites.shopping.product import after_working_days, days_to_deliver

from .conftest import Visitor


def errors(page: str) -> list[str]:
    return [html.unescape(text) for text in re.findall(r'class="field-error"[^>]*>([^<]+)<', page)]


@pytest.mark.parametrize(
    ("sent", "messages"),
    [
        ({}, ["Enter your email address.", "Enter your password."]),
        ({"email": "emma.lopez@example.com", "password": "x"}, ["The email address or the password is not right."]),
        ({"email": "nobody@example.com", "password": "x"}, ["The email address or the password is not right."]),
    ],
)
async def test_a_sign_in_that_fails(guest: Visitor, sent: dict[str, str], messages: list[str]) -> None:
    response = await guest.post("/login", 422, **sent)
    assert errors(response.text) == messages
    assert guest.changes() == ()


async def test_a_closed_account(guest: Visitor) -> None:
    guest.write("UPDATE customer SET is_active = 0 WHERE id = 1")
    response = await guest.post("/login", 422, email="emma.lopez@example.com", password="password123")
    assert errors(response.text) == ["This account is closed. Contact us to open it again."]


async def test_what_a_guest_gathered_comes_along(guest: Visitor) -> None:
    product = guest.product()
    await guest.post("/cart/add", product=product["id"], quantity=2)
    await guest.post("/cart/coupon", code="WELCOME10")
    await guest.post("/compare/add", product=product["id"])
    response = await guest.post("/login", email="Emma.Lopez@example.com", password="password123", next="/cart")
    assert response.headers["location"] == "/cart"
    assert guest.rows(
        "SELECT product_id, quantity FROM cart_item i JOIN cart c ON c.id = i.cart_id WHERE customer_id = 1"
    ) == [{"product_id": product["id"], "quantity": 2}]
    assert guest.rows("SELECT coupon_code FROM cart WHERE customer_id = 1") == [{"coupon_code": "WELCOME10"}]
    assert guest.rows("SELECT product_id FROM compare_item WHERE customer_id = 1")[-1:] == [
        {"product_id": product["id"]}
    ]
    assert guest.rows("SELECT 1 FROM cart WHERE customer_id IS NULL") == []
    assert product["name"] in await guest.get("/cart")


async def test_signing_out(emma: Visitor) -> None:
    product = emma.product()
    await emma.post("/cart/add", product=product["id"], quantity=1)
    await emma.post("/logout")
    page = await emma.get("/cart")
    assert "Your cart is empty" in page
    assert "Create an account" in page


async def test_a_new_account(guest: Visitor) -> None:
    sent = {"first_name": "Aino", "last_name": "Korpi", "email": "aino@example.org", "newsletter": "1"}
    response = await guest.post("/register", 422, **{**sent, "email": "EMMA.lopez@example.com"}, password="short")
    assert errors(response.text) == [
        "There is already an account with this email address.",
        "Use at least 8 characters.",
    ]
    assert 'value="Aino"' in response.text
    assert "short" not in response.text
    response = await guest.post("/register", 422, **sent, password="long enough", password_again="else")
    assert errors(response.text) == ["The two passwords are not the same."]
    await guest.post("/register", **sent, password="long enough", password_again="long enough")
    (row,) = guest.rows("SELECT * FROM customer WHERE email = 'aino@example.org'")
    assert (row["first_name"], row["password"], row["customer_group"]) == ("Aino", "long enough", "General")
    assert row["created_at"] == row["last_login_at"] == "2026-03-16 10:00:00"
    (reader,) = guest.rows("SELECT * FROM newsletter_subscriber WHERE email = 'aino@example.org'")
    assert (reader["customer_id"], reader["status"]) == (row["id"], "subscribed")


async def test_a_forgotten_password(guest: Visitor) -> None:
    response = await guest.post("/forgotten-password", 422, email="emma")
    assert errors(response.text) == ["Enter an email address such as name@example.com."]
    await guest.post("/forgotten-password", email="emma.lopez@example.com")
    assert "we have sent it a link" in await guest.get("/login")
    assert guest.changes() == ()


async def test_comparing(guest: Visitor, emma: Visitor) -> None:
    ids = [row["id"] for row in guest.rows("SELECT id FROM product WHERE status = 'enabled' ORDER BY id LIMIT 5")]
    emma.write("DELETE FROM compare_item WHERE customer_id = 1")
    for visitor in (guest, emma):
        for product_id in (*ids, ids[0]):
            await visitor.post("/compare/add", product=product_id)
        page = await visitor.get("/compare")
        assert "You can compare 4 products." in page
        assert "is already on your comparison list." in page
        assert len(re.findall(r'<th scope="col">\s*<form', page)) == 4
        await visitor.post("/compare/remove", product=ids[1])
        await visitor.post("/compare/remove", product=99999)
        assert len(re.findall(r'<th scope="col">\s*<form', await visitor.get("/compare"))) == 3
    rows = "SELECT product_id FROM compare_item WHERE customer_id = 1 ORDER BY id"
    assert [row["product_id"] for row in emma.rows(rows)] == [ids[0], ids[2], ids[3]]
    await emma.post("/compare/clear")
    assert emma.rows(rows) == []
    assert "Nothing to compare yet" in await emma.get("/compare")
    assert len(re.findall(r'<th scope="col">\s*<form', await guest.get("/compare"))) == 3


async def test_wishing(emma: Visitor) -> None:
    product = emma.product()
    emma.write("DELETE FROM wishlist_item WHERE customer_id = 1 AND product_id = ?", product["id"])
    for _ in range(2):
        await emma.post("/wishlist/add", product=product["id"], next="/sale")
    wished = "SELECT quantity, note, added_at FROM wishlist_item WHERE customer_id = 1 AND product_id = ?"
    assert emma.rows(wished, product["id"]) == [{"quantity": 1, "note": "", "added_at": "2026-03-16 10:00:00"}]
    assert "is already on your wish list." in await emma.get("/sale")


REVIEW = {
    "rating": "4",
    "nickname": "<b>Em</b>",
    "title": '"><script>alert(1)</script>',
    "body": "Nice & {{ 7 * 7 }} </p>",
}


async def test_a_review_waits_for_approval_and_is_shown_as_text(emma: Visitor) -> None:
    await emma.post("/p/everyday-tee/review", **REVIEW)
    (row,) = emma.rows("SELECT * FROM review WHERE nickname = '<b>Em</b>'")
    assert (row["customer_id"], row["rating"], row["status"]) == (1, 4, "pending")
    assert (row["title"], row["body"], row["created_at"]) == (REVIEW["title"], REVIEW["body"], "2026-03-16 10:00:00")
    assert "&lt;b&gt;Em" not in await emma.get("/p/everyday-tee")
    emma.write("UPDATE review SET status = 'approved' WHERE id = ?", row["id"])
    page = await emma.get("/p/everyday-tee")
    assert "<script>alert(1)" not in page
    assert "<b>Em</b>" not in page
    assert "&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "Nice &amp; {{ 7 * 7 }} &lt;/p&gt;" in page


async def test_a_review_with_something_missing(guest: Visitor) -> None:
    response = await guest.post("/p/everyday-tee/review", 422, rating="9", nickname="Em", title="x" * 121, body="")
    assert errors(response.text) == ["Choose a rating.", "Use at most 120 characters.", "Enter a review."]
    assert 'value="Em"' in response.text
    assert 'id="tab-reviews" aria-controls="panel-reviews" aria-selected="true"' in response.text
    assert guest.changes() == ()


async def test_who_may_review_is_the_shop_s_choice(guest: Visitor) -> None:
    guest.write("UPDATE setting SET value = '0' WHERE key = 'catalog.allow_guest_reviews'")
    assert "Submit review" not in await guest.get("/p/everyday-tee")
    await guest.post("/p/everyday-tee/review", 403, **REVIEW)
    guest.write("UPDATE setting SET value = '0' WHERE key = 'catalog.reviews_need_approval'")
    await guest.sign_in()
    await guest.post("/p/everyday-tee/review", **REVIEW)
    assert guest.rows("SELECT status FROM review WHERE nickname = '<b>Em</b>'") == [{"status": "approved"}]


async def test_reviews_are_paged_and_sorted(guest: Visitor) -> None:
    busiest = guest.rows(
        "SELECT p.id, p.slug, COUNT(*) AS n FROM product p JOIN review r ON r.product_id = p.id"
        " WHERE r.status = 'approved' GROUP BY p.id ORDER BY n DESC, p.id LIMIT 1"
    )[0]
    assert busiest["n"] > 5
    seen: list[str] = []
    for page in range(1, (busiest["n"] + 4) // 5 + 1):
        text = await guest.get(f"/p/{busiest['slug']}?sort=lowest&page={page}")
        seen += re.findall(r'aria-label="(\d)\.0 out of 5 stars".*?<h3>', text[text.index("review-list") :])
    expected = guest.rows(
        "SELECT rating FROM review WHERE product_id = ? AND status = 'approved' ORDER BY rating", busiest["id"]
    )
    assert seen == [str(row["rating"]) for row in expected]


async def test_hostile_words_in_a_search(guest: Visitor) -> None:
    page = await guest.get("/search?q=%22%3E%3Cscript%3Ealert(1)%3C/script%3E")
    assert "<script>alert" not in page
    assert "&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;" in page
    await guest.get("/search?q=%25' OR 1=1 --")


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("country=Finland&postcode=00100", ["Wednesday, Mar 18, 2026", "Tuesday, Mar 17, 2026"]),
        ("country=Germany&postcode=80331", ["Tuesday, Mar 24, 2026", "Friday, Mar 20, 2026"]),
    ],
)
async def test_the_delivery_estimate(guest: Visitor, query: str, expected: list[str]) -> None:
    guest.write("UPDATE product SET weight_grams = 500 WHERE id = 1")
    page = await guest.get(f"/delivery-estimate?product=1&{query}")
    assert re.findall(r"<dd>([^<]+)</dd>", page) == expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("country=Finland&postcode=", "Enter a postcode of five digits."),
        ("country=Finland&postcode=12a45", "Enter a postcode of five digits."),
        ("country=Narnia&postcode=12345", "Choose a country from the list."),
    ],
)
async def test_a_bad_postcode(guest: Visitor, query: str, message: str) -> None:
    assert errors(await guest.get(f"/delivery-estimate?product=1&{query}")) == [message]


def test_working_days() -> None:
    friday = date(2026, 3, 20)
    assert after_working_days(friday, 1) == date(2026, 3, 23)
    assert after_working_days(friday, 6) == date(2026, 3, 30)
    assert days_to_deliver("United States", "97209", 10_001) == 2 + 5 + 2 + 1
