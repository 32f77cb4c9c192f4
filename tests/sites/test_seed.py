"""The shop's data hold together: every rule that the pages rely on, checked on the database alone."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from collections import Counter
from datetime import date, datetime
from typing import Any

import pytest

from guideact.sites.shopping.pictures import COLOURS, PATTERNS, draw
from guideact.sites.shopping.pricing import Line, Rates, percent_of, shipping_price
from guideact.sites.shopping.shapes import SHAPES
from guideact.sites.state import Database, fold
from guideact.sites.world import NOW, PEOPLE, PLACES


def rows(shop: Database, sql: str, *parameters: object) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in shop.connection.execute(sql, parameters).fetchall()]


def count(shop: Database, sql: str, *parameters: object) -> int:
    found = shop.connection.execute(f"SELECT count(*) FROM {sql}", parameters).fetchall()[0][0]
    assert isinstance(found, int)
    return found


@pytest.mark.parametrize(
    ("what", "least"),
    [
        ("product", 320),
        ("category WHERE parent_id IS NOT NULL", 24),
        ("(SELECT DISTINCT product_id FROM product_option)", 112),
        ("product WHERE special_price_cents IS NOT NULL", 30),
        ("product WHERE stock = 0", 15),
        ("product WHERE stock BETWEEN 1 AND 5", 15),
        ("product WHERE is_new = 1", 15),
        ("review", 700),
        ("customer", 80),
        ("sales_order", 320),
        ("sales_order WHERE customer_id IS NULL", 10),
        ("promotion", 12),
        ("cms_page", 10),
        ("newsletter_subscriber", 60),
        ("contact_message", 15),
        ("search_term", 40),
        ("setting", 30),
        ("sales_order WHERE customer_id = 1", 24),
        ("review WHERE customer_id = 1", 5),
        ("wishlist_item WHERE customer_id = 1", 6),
    ],
)
def test_there_is_enough(shop: Database, what: str, least: int) -> None:
    assert count(shop, what) >= least


def test_no_reference_dangles(shop: Database) -> None:
    assert rows(shop, "PRAGMA foreign_key_check") == []
    assert rows(shop, "PRAGMA integrity_check") == [("ok",)]


def test_primary_keys_have_no_gaps(shop: Database) -> None:
    tables = [str(name) for (name,) in rows(shop, "SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        if any(column[1] == "id" for column in rows(shop, f"PRAGMA table_info({table})")):
            keys = [key for (key,) in rows(shop, f"SELECT id FROM {table} ORDER BY id")]
            assert keys == list(range(1, len(keys) + 1)), table


def test_every_category_at_the_bottom_has_products_and_none_above(shop: Database) -> None:
    tree = rows(
        shop,
        "SELECT c.parent_id IS NULL, (SELECT count(*) FROM product p WHERE p.category_id = c.id) FROM category c",
    )
    assert all(number == 0 if top else number >= 10 for top, number in tree)
    children = Counter(parent for (parent,) in rows(shop, "SELECT parent_id FROM category WHERE parent_id IS NOT NULL"))
    assert len(children) == 8
    assert set(children.values()) == {3}


def test_prices_are_sensible(shop: Database) -> None:
    for price, special, weight in rows(shop, "SELECT price_cents, special_price_cents, weight_grams FROM product"):
        assert isinstance(price, int)
        assert 500 <= price <= 150_000
        assert isinstance(weight, int)
        assert weight > 0
        if special is not None:
            assert isinstance(special, int)
            assert price * 0.6 <= special < price


def test_names_and_words_never_tell_the_colour_of_the_picture(shop: Database) -> None:
    told = [
        (name, colour)
        for name, description, colour in rows(shop, "SELECT name, description, picture_colour FROM product")
        if colour in re.findall(r"[a-z]+", re.sub(r"<[^>]+>", " ", f"{name} {description}").lower())
    ]
    assert told == []


def test_some_products_differ_for_the_eye_only(shop: Database) -> None:
    families: dict[object, list[tuple[object, ...]]] = {}
    for description, price, *picture in rows(
        shop,
        "SELECT substr(description, 1, instr(description, '</p>')), price_cents, picture_shape, picture_colour,"
        " picture_pattern FROM product WHERE id NOT IN (SELECT product_id FROM product_option)",
    ):
        families.setdefault((description, price), []).append(tuple(picture))
    alike = [pictures for pictures in families.values() if len(pictures) > 1]
    assert len(alike) >= 8
    assert all(len(set(pictures)) == len(pictures) for pictures in alike)


def test_every_picture_can_be_drawn(shop: Database) -> None:
    pictures = rows(shop, "SELECT DISTINCT picture_shape, picture_colour, picture_pattern FROM product")
    drawn = {draw(str(shape), str(colour), str(pattern)) for shape, colour, pattern in pictures}
    assert len(drawn) == len(pictures)
    assert {shape for shape, _, _ in pictures} == set(SHAPES)
    assert len(SHAPES) >= 25


@pytest.mark.parametrize("shape", SHAPES)
def test_pictures_are_whole_and_silent(shape: str) -> None:
    for colour, pattern in (*((colour, "plain") for colour in COLOURS), *(("red", pattern) for pattern in PATTERNS)):
        picture = draw(shape, colour, pattern)
        assert "$" not in picture
        ElementTree.fromstring(picture)
        text = re.sub(r"<rect|<path", "", picture).lower()
        assert not any(re.search(rf"\b{word}\b", text) for word in (*COLOURS, "stripes", "dots", "stars", "checks"))


def test_descriptions_are_a_sentence_and_bullets(shop: Database) -> None:
    for (text,) in rows(shop, "SELECT description FROM product"):
        assert re.fullmatch(r"<p>[^<]+[.!?]</p><ul>(<li>[^<]+</li>){3,4}</ul>", str(text)), text


# --- reviews ----------------------------------------------------------------------------------------------------


def test_reviews(shop: Database) -> None:
    status: dict[str, int] = dict(rows(shop, "SELECT status, count(*) FROM review GROUP BY status"))
    assert status["pending"] == 25
    assert set(status) == {"pending", "approved", "rejected"}
    stars = Counter(rating for (rating,) in rows(shop, "SELECT rating FROM review"))
    assert set(stars) == {1, 2, 3, 4, 5}
    assert stars[5] > stars[3] > stars[1]
    assert count(shop, "review r JOIN product p ON p.id = r.product_id WHERE r.created_at < p.created_at") == 0
    assert count(shop, "review WHERE created_at > '2026-03-16'") == 0
    assert rows(shop, "SELECT created_at FROM review ORDER BY id") == rows(
        shop, "SELECT created_at FROM review ORDER BY 1"
    )


def test_nobody_reviews_a_product_twice_in_the_same_words(shop: Database) -> None:
    for column in ("nickname", "body"):
        twice = rows(shop, f"SELECT product_id, {column} FROM review GROUP BY 1, 2 HAVING count(*) > 1")
        assert twice == [], column


def test_reviewers_are_who_they_say(shop: Database) -> None:
    for key, nickname in rows(shop, "SELECT customer_id, nickname FROM review WHERE customer_id IS NOT NULL"):
        assert isinstance(key, int)
        assert PEOPLE[key - 1].handle == nickname


# --- people -----------------------------------------------------------------------------------------------------


def test_emma(shop: Database) -> None:
    [emma] = rows(shop, "SELECT email, first_name, last_name, password, is_active FROM customer WHERE id = 1")
    assert emma == ("emma.lopez@example.com", "Emma", "Lopez", "password123", 1)
    statuses = {status for (status,) in rows(shop, "SELECT status FROM sales_order WHERE customer_id = 1")}
    assert statuses == {"pending", "processing", "complete", "canceled", "on_hold", "closed"}
    assert count(shop, "address WHERE customer_id = 1") == 3
    assert rows(shop, "SELECT status FROM newsletter_subscriber WHERE customer_id = 1") == [("unsubscribed",)]
    assert count(shop, "cart WHERE customer_id = 1") == 1
    assert count(shop, "cart_item i JOIN cart c ON c.id = i.cart_id WHERE c.customer_id = 1") == 0


def test_staff(shop: Database) -> None:
    people = rows(shop, "SELECT username, role FROM staff ORDER BY id")
    assert people[0] == ("admin", "Administrator")
    assert len(people) == 4
    assert {role for _, role in people} == {"Administrator", "Catalog", "Sales"}
    assert rows(shop, "SELECT password FROM staff WHERE id = 1") == [("admin1234",)]


def test_customers_come_from_the_world(shop: Database) -> None:
    found = rows(shop, "SELECT first_name, last_name, email FROM customer ORDER BY id")
    assert found == [(person.first_name, person.last_name, person.email) for person in PEOPLE]
    assert len({person.email for person in PEOPLE}) == len(PEOPLE)
    assert len({person.handle for person in PEOPLE}) == len(PEOPLE)
    assert sum(not person.full_name.isascii() for person in PEOPLE) >= 5
    assert all(person.email.isascii() and " " not in person.email for person in PEOPLE)


def test_every_customer_has_one_default_address_of_each_kind(shop: Database) -> None:
    for kind in ("billing", "shipping"):
        wrong = rows(shop, f"SELECT customer_id FROM address GROUP BY 1 HAVING sum(is_default_{kind}) <> 1")
        assert wrong == []
    assert count(shop, "customer WHERE id NOT IN (SELECT customer_id FROM address)") == 0
    countries = {str(country) for (country,) in rows(shop, "SELECT DISTINCT country FROM address")}
    assert countries <= {place.country for place in PLACES.values()}
    assert {"Finland", "Germany", "United States", "Japan", "Spain"} <= countries


# --- orders -----------------------------------------------------------------------------------------------------


def test_order_numbers_follow_the_dates(shop: Database) -> None:
    found = rows(shop, "SELECT id, number, created_at FROM sales_order ORDER BY id")
    assert [number for _, number, _ in found] == [f"{key:09}" for key, _, _ in found]
    moments = [str(moment) for _, _, moment in found]
    assert moments == sorted(moments)
    assert moments[0] >= "2025-01-01"
    assert moments[-1] < "2026-03-16"


def test_totals_are_exact(shop: Database) -> None:
    orders = shop.connection.execute("SELECT * FROM sales_order").fetchall()
    promotions = {
        row["code"]: row for row in shop.connection.execute("SELECT * FROM promotion").fetchall() if row["code"]
    }
    groups: dict[int, str] = dict(rows(shop, "SELECT id, customer_group FROM customer"))
    discounts = {"Wholesale": 8, "Retailer": 5}
    for order in orders:
        items = shop.connection.execute("SELECT * FROM order_item WHERE order_id = ?", (order["id"],)).fetchall()
        assert items
        subtotal = sum(Line(item["quantity"], item["unit_cents"]).total_cents for item in items)
        assert order["subtotal_cents"] == subtotal
        discount = percent_of(subtotal, discounts.get(groups.get(order["customer_id"], ""), 0))
        free = False
        if order["coupon_code"]:
            rule = promotions[order["coupon_code"]]
            assert rule["is_active"]
            assert (rule["starts_on"] or "") <= order["created_at"][:10] <= (rule["ends_on"] or "9999")
            assert subtotal >= rule["minimum_cents"]
            if rule["kind"] == "percent":
                discount += percent_of(subtotal, rule["amount"])
            elif rule["kind"] == "fixed":
                discount += rule["amount"]
            free = rule["kind"] == "free_shipping"
        discount = min(discount, subtotal)
        goods = subtotal - discount
        assert order["discount_cents"] == discount
        assert order["shipping_cents"] == shipping_price(order["shipping_method"], goods, Rates(), free=free)
        assert order["tax_cents"] == percent_of(goods, Rates().tax_percent)
        assert order["total_cents"] == goods + order["shipping_cents"] + order["tax_cents"]


def test_items_were_sold_as_the_catalogue_has_them(shop: Database) -> None:
    for item in shop.connection.execute(
        "SELECT i.*, p.name AS now_name, p.sku AS now_sku, coalesce(p.special_price_cents, p.price_cents) AS now_cents"
        " FROM order_item i JOIN product p ON p.id = i.product_id"
    ).fetchall():
        assert (item["name"], item["sku"]) == (item["now_name"], item["now_sku"])
        chosen = json.loads(item["options"])
        assert list(chosen) == sorted(chosen)
        offered = shop.connection.execute(
            "SELECT o.name, v.label, v.extra_cents FROM product_option o"
            " JOIN product_option_value v ON v.option_id = o.id WHERE o.product_id = ?",
            (item["product_id"],),
        ).fetchall()
        extras = {(name, label): extra for name, label, extra in offered}
        assert set(chosen) == {name for name, _ in extras}
        assert item["unit_cents"] == item["now_cents"] + sum(extras[pair] for pair in chosen.items())


def test_documents_fit_the_status(shop: Database) -> None:
    for order in shop.connection.execute("SELECT * FROM sales_order").fetchall():
        key, status = order["id"], order["status"]
        items = shop.connection.execute("SELECT * FROM order_item WHERE order_id = ?", (key,)).fetchall()
        invoiced = [total for (total,) in rows(shop, "SELECT total_cents FROM invoice WHERE order_id = ?", key)]
        shipped = count(shop, "shipment WHERE order_id = ?", key)
        refunded = [total for (total,) in rows(shop, "SELECT total_cents FROM refund WHERE order_id = ?", key)]
        for item in items:
            assert 0 <= item["refunded"] <= item["invoiced"] <= item["quantity"]
            assert 0 <= item["shipped"] <= item["invoiced"]
        assert bool(invoiced) == any(item["invoiced"] for item in items)
        assert bool(shipped) == any(item["shipped"] for item in items)
        assert bool(refunded) == any(item["refunded"] for item in items)
        assert sum(refunded) == order["refunded_cents"] <= order["total_cents"]
        whole_invoiced = all(item["invoiced"] == item["quantity"] for item in items)
        whole_shipped = all(item["shipped"] == item["quantity"] for item in items)
        whole_refunded = all(item["refunded"] == item["quantity"] for item in items)
        billed = sum(invoiced)
        assert billed == order["total_cents"] if whole_invoiced else billed < order["total_cents"]
        if status in ("pending", "canceled", "on_hold"):
            assert (invoiced, shipped, refunded) == ([], 0, [])
        elif status == "processing":
            assert invoiced
            assert not (whole_invoiced and whole_shipped)
        elif status == "complete":
            assert whole_invoiced
            assert whole_shipped
            assert not whole_refunded
        else:
            assert status == "closed"
            assert whole_refunded
            assert order["refunded_cents"] == order["total_cents"]


def test_documents_are_numbered_by_date_and_never_older_than_the_order(shop: Database) -> None:
    for table in ("invoice", "shipment", "refund"):
        found = rows(
            shop,
            f"SELECT d.number, d.created_at, o.created_at FROM {table} d JOIN sales_order o ON o.id = d.order_id"
            " ORDER BY d.id",
        )
        assert [number for number, _, _ in found] == [f"{at:09}" for at in range(1, len(found) + 1)]
        moments = [str(moment) for _, moment, _ in found]
        assert moments == sorted(moments)
        assert all(str(moment) >= str(placed) for _, moment, placed in found)
        assert moments[-1] < NOW.strftime("%Y-%m-%d %H:%M:%S")


def test_the_history_begins_with_the_order_and_ends_with_its_status(shop: Database) -> None:
    history: dict[object, list[tuple[object, object]]] = {}
    for key, status, body in rows(shop, "SELECT order_id, status, body FROM order_comment ORDER BY id"):
        history.setdefault(key, []).append((status, body))
    for key, status in rows(shop, "SELECT id, status FROM sales_order"):
        assert history[key][0] == ("pending", "Order placed.")
        assert history[key][-1][0] == status


def test_uses_of_promotions_are_counted(shop: Database) -> None:
    for code, uses in rows(shop, "SELECT code, uses FROM promotion WHERE code <> ''"):
        assert count(shop, "sales_order WHERE coupon_code = ?", code) == uses


def test_promotions_of_every_kind(shop: Database) -> None:
    today = f"{NOW:%Y-%m-%d}"
    assert {kind for (kind,) in rows(shop, "SELECT kind FROM promotion")} == {"percent", "fixed", "free_shipping"}
    assert count(shop, "promotion WHERE ends_on < ?", today) >= 3
    assert count(shop, "promotion WHERE starts_on > ?", today) >= 1
    assert count(shop, "promotion WHERE is_active = 0") >= 2
    assert count(shop, "promotion WHERE code = ''") >= 2
    usable = (
        "promotion WHERE is_active = 1 AND code <> '' AND ? BETWEEN coalesce(starts_on, '') AND coalesce(ends_on, 'z')"
    )
    assert count(shop, usable, today) >= 3


# --- words ------------------------------------------------------------------------------------------------------


def test_pages_are_linked_by_their_slugs(shop: Database) -> None:
    slugs = {slug for (slug,) in rows(shop, "SELECT slug FROM cms_page WHERE is_active = 1")}
    assert {"about-us", "delivery-and-returns", "privacy-policy", "size-guide"} <= slugs
    assert count(shop, "cms_page WHERE is_active = 0") == 2


def test_the_shop_tells_the_truth_about_its_size(shop: Database) -> None:
    [(about,)] = rows(shop, "SELECT body FROM cms_page WHERE slug = 'about-us'")
    assert f"<td>2026</td><td>24</td><td>{count(shop, 'product')}</td>" in str(about)


def test_search_terms_count_what_the_search_finds(shop: Database) -> None:
    texts = [
        fold(" ".join(str(part) for part in parts))
        for parts in rows(
            shop,
            "SELECT p.name, p.brand, p.sku, p.material, c.name FROM product p JOIN category c ON c.id = p.category_id",
        )
    ]
    for term, results in rows(shop, "SELECT term, results FROM search_term"):
        assert results == sum(all(word in text for word in fold(str(term)).split()) for text in texts), term


def test_dates_are_dates(shop: Database) -> None:
    for table, column in (
        ("sales_order", "created_at"), ("review", "created_at"), ("customer", "created_at"), ("product", "created_at"),
        ("customer", "last_login_at"), ("cms_page", "updated_at"), ("contact_message", "created_at"),
        ("newsletter_subscriber", "created_at"), ("wishlist_item", "added_at"), ("staff", "last_login_at"),
    ):  # fmt: skip
        for (text,) in rows(shop, f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL"):
            moment = datetime.strptime(str(text), "%Y-%m-%d %H:%M:%S")
            assert date(2024, 1, 1) <= moment.date() < NOW.date(), (table, column)
