"""Categories, search and filters, against SQL that knows nothing of the code."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest

from .conftest import Visitor

FINAL = "CASE WHEN special_price_cents < price_cents THEN special_price_cents ELSE price_cents END"
RATING = "(SELECT AVG(rating) FROM review r WHERE r.product_id = p.id AND r.status = 'approved')"
REVIEWS = "(SELECT COUNT(*) FROM review r WHERE r.product_id = p.id AND r.status = 'approved')"
CLOTHES = (
    "p.status = 'enabled' AND p.visibility IN ('catalog', 'catalog_search') AND p.category_id IN"
    " (SELECT c.id FROM category c LEFT JOIN category d ON d.id = c.parent_id WHERE 'clothing' IN (c.slug, d.slug))"
)


def shown(page: str) -> list[str]:
    """Slugs of the products in a list, in order."""
    return re.findall(r'class="product-name"><a href="/p/([^"]+)"', page)


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ({}, "1"),
        ({"brand": "Maren"}, "p.brand = 'Maren'"),
        ({"brand": ["Maren", "Plain Goods"]}, "p.brand IN ('Maren', 'Plain Goods')"),
        ({"price_from": "30", "price_to": "60"}, f"{FINAL} BETWEEN 3000 AND 6000"),
        ({"price_to": "$29.00"}, f"{FINAL} <= 2900"),
        ({"rating": "4"}, f"{RATING} >= 4"),
        ({"in_stock": "1"}, "p.stock > 0"),
        ({"on_sale": "1"}, "p.special_price_cents < p.price_cents"),
        ({"material": "Linen", "price_from": "20"}, f"p.material = 'Linen' AND {FINAL} >= 2000"),
        ({"price_from": "nonsense", "rating": "9"}, "1"),
    ],
)
async def test_filters(guest: Visitor, query: dict[str, str], where: str) -> None:
    expected = [
        row["slug"] for row in guest.rows(f"SELECT p.slug FROM product p WHERE {CLOTHES} AND {where} ORDER BY p.id")
    ]
    assert expected
    page = await guest.get("/c/clothing?" + urlencode({**query, "size": "48"}, doseq=True))
    assert shown(page) == expected


@pytest.mark.parametrize(
    ("sort", "order"),
    [
        ("price", f"{FINAL}, fold(p.name), p.id"),
        ("price-desc", f"{FINAL} DESC, fold(p.name), p.id"),
        ("name", "fold(p.name), p.id"),
        ("newest", "p.created_at DESC, fold(p.name), p.id"),
        ("rating", f"COALESCE({RATING}, 0) DESC, {REVIEWS} DESC, fold(p.name), p.id"),
    ],
)
async def test_sorting(guest: Visitor, sort: str, order: str) -> None:
    expected = [row["slug"] for row in guest.rows(f"SELECT p.slug FROM product p WHERE {CLOTHES} ORDER BY {order}")]
    assert shown(await guest.get(f"/c/clothing?sort={sort}&size=48")) == expected


async def test_pages_of_a_list_hold_everything_once(guest: Visitor) -> None:
    seen = [slug for page in (1, 2, 3, 4) for slug in shown(await guest.get(f"/c/clothing?size=12&page={page}"))]
    assert len(seen) == len(set(seen)) == guest.value(f"SELECT COUNT(*) FROM product p WHERE {CLOTHES}")
    assert shown(await guest.get("/c/clothing?size=12&page=99")) == shown(await guest.get("/c/clothing?size=12&page=4"))


async def test_counts_beside_the_filters(guest: Visitor) -> None:
    page = await guest.get("/c/clothing?on_sale=1")
    counted = re.findall(
        r'<a class="filter-link" href="[^"]*brand=[^"]*">([^<]+) <span[^>]*>(\d+)</span>', page.replace("&amp;", "&")
    )
    expected = guest.rows(
        f"SELECT brand, COUNT(*) AS n FROM product p WHERE {CLOTHES} AND special_price_cents < price_cents"
        " GROUP BY brand ORDER BY lower(brand)"
    )
    assert [(brand.replace("&amp;", "&"), int(count)) for brand, count in counted] == [
        (row["brand"], row["n"]) for row in expected
    ]


async def test_a_chip_takes_its_filter_away(guest: Visitor) -> None:
    page = await guest.get("/c/clothing?brand=Maren&on_sale=1")
    assert 'aria-label="Remove filter Brand: Maren"' in page
    link = re.search(r'<a class="chip" href="([^"]+)" aria-label="Remove filter Brand: Maren"', page)
    assert link is not None
    assert link[1] == "/c/clothing?on_sale=1"


async def test_what_is_switched_off_is_not_shown(guest: Visitor) -> None:
    one, two, three = (row["slug"] for row in guest.rows(f"SELECT slug FROM product p WHERE {CLOTHES} LIMIT 3"))
    guest.write("UPDATE product SET status = 'disabled' WHERE slug = ?", one)
    guest.write("UPDATE product SET visibility = 'search' WHERE slug = ?", two)
    guest.write("UPDATE product SET visibility = 'hidden' WHERE slug = ?", three)
    listed = shown(await guest.get("/c/clothing?size=48"))
    assert not {one, two, three} & set(listed)
    await guest.get(f"/p/{one}", status=404)
    await guest.get(f"/p/{two}")
    await guest.get(f"/p/{three}", status=404)
    guest.write("UPDATE category SET is_active = 0 WHERE slug = 'clothing'")
    await guest.get("/c/clothing", status=404)


async def test_search_finds_every_word_and_counts_the_term(guest: Visitor) -> None:
    page = await guest.get("/search?q=HARBOUR++mug&size=48")
    expected = guest.rows("SELECT slug FROM product WHERE name LIKE '%harbour%' AND name LIKE '%mug%'")
    assert set(shown(page)) == {row["slug"] for row in expected}
    assert expected
    before = guest.rows("SELECT uses FROM search_term WHERE term = 'harbour mug'")
    await guest.get("/search?q=Harbour Mug")
    await guest.get("/search?q=harbour mug")
    await guest.get("/search?q=harbour mug&sort=price")
    after = guest.value("SELECT uses FROM search_term WHERE term = 'harbour mug'")
    assert after - (before[0]["uses"] if before else 0) == 2, "sorting the same results is no new search"
    assert guest.value("SELECT results FROM search_term WHERE term = 'harbour mug'") == len(expected)


async def test_search_by_sku_and_accents(guest: Visitor) -> None:
    product = guest.product()
    assert shown(await guest.get(f"/search?q={product['sku'].lower()}")) == [product["slug"]]
    guest.write("UPDATE product SET name = 'Crème Brûlée Dish' WHERE id = ?", product["id"])
    assert product["slug"] in shown(await guest.get("/search?q=creme brulee"))


async def test_search_without_results_and_without_words(guest: Visitor) -> None:
    assert "no results" in await guest.get("/search?q=xyzzy")
    assert guest.value("SELECT results FROM search_term WHERE term = 'xyzzy'") == 0
    assert "What are you looking for?" in await guest.get("/search?q=+")


async def test_suggestions(guest: Visitor) -> None:
    page = await guest.get("/search/suggest?q=harb")
    assert re.findall(r'role="option"', page)
    assert 'data-href="/p/harbour-mug-no-1"' in page
    assert "role" not in await guest.get("/search/suggest?q=xyzzy")


async def test_advanced_search(guest: Visitor) -> None:
    page = await guest.get("/search/advanced?submitted=1&name=mug&price_from=10&price_to=20&size=48")
    expected = guest.rows(f"SELECT slug FROM product p WHERE name LIKE '%mug%' AND {FINAL} BETWEEN 1000 AND 2000")
    assert set(shown(page)) == {row["slug"] for row in expected}
    assert expected


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("submitted=1", "Fill in at least one field."),
        ("price_from=ten", "Enter an amount such as 25 or 19.90."),
        ("price_from=30&price_to=20", "This must not be less than the lowest price."),
    ],
)
async def test_advanced_search_with_bad_input(guest: Visitor, query: str, message: str) -> None:
    page = await guest.get(f"/search/advanced?{query}", status=422)
    assert message in page
    if "=ten" in query:
        assert 'value="ten"' in page


async def test_the_shop_s_settings_of_lists(guest: Visitor) -> None:
    empty = guest.value(f"SELECT slug FROM product p WHERE {CLOTHES} LIMIT 1")
    guest.write("UPDATE product SET stock = 0 WHERE slug = ?", empty)
    guest.write("UPDATE setting SET value = '7' WHERE key = 'catalog.products_per_page'")
    listed = shown(await guest.get("/c/clothing"))
    assert len(listed) == 7
    assert empty in listed
    guest.write("UPDATE setting SET value = '0' WHERE key = 'catalog.show_out_of_stock'")
    assert empty not in shown(await guest.get("/c/clothing"))
