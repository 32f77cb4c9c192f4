"""The list component against plain SQL: filters, order, paging, columns, views, files, mass actions."""

from __future__ import annotations

import csv
import io
import re
from typing import Any
from urllib.parse import urlencode

import pytest

from guideact.sites.shopping_admin import grid
from guideact.sites.shopping_admin.content import MESSAGES, PAGES, SEARCH_TERMS, SUBSCRIBERS
from guideact.sites.shopping_admin.customers import CUSTOMERS
from guideact.sites.shopping_admin.fulfilment import INVOICES, REFUNDS, SHIPMENTS
from guideact.sites.shopping_admin.grid import Grid
from guideact.sites.shopping_admin.orders import ORDERS
from guideact.sites.shopping_admin.products import PRODUCTS
from guideact.sites.shopping_admin.promotions import PROMOTIONS
from guideact.sites.shopping_admin.reviews import REVIEWS
from guideact.sites.shopping_admin.settings import STAFF

from .conftest import Office, names

GRIDS = (
    ORDERS,
    INVOICES,
    SHIPMENTS,
    REFUNDS,
    PRODUCTS,
    CUSTOMERS,
    REVIEWS,
    PROMOTIONS,
    PAGES,
    MESSAGES,
    SUBSCRIBERS,
    SEARCH_TERMS,
    STAFF,
)


def selected(page: str) -> list[int]:
    """Ids of the rows of a list, in order."""
    return [int(found) for found in re.findall(r'name="ids" value="(\d+)"', page)]


def total(page: str) -> int:
    found = re.search(r'class="range">(?:\d+–\d+ of )?([\d,]+)', page)
    assert found is not None
    return int(found[1].replace(",", ""))


@pytest.mark.parametrize("shown", GRIDS, ids=lambda one: one.name)
async def test_every_column_sorts_and_every_filter_answers(office: Office, shown: Grid) -> None:
    count = total(await office.get(shown.path))
    assert count == office.value(f"SELECT count(*) FROM {shown.source}")
    for column in shown.columns:
        for direction in ("asc", "desc"):
            page = await office.get(f"{shown.path}?sort={column.key}&dir={direction}")
            assert total(page) == count
            if column.shown:
                assert f'aria-sort="{direction}ending"' in page
    for column in shown.columns:
        if column.filter == "text":
            await office.get(f"{shown.path}?{column.key}=a%25_%27")
        elif column.filter == "date":
            page = await office.get(f"{shown.path}?{column.key}_from=2025-06-01&{column.key}_to=2025-12-31")
            wanted = office.value(
                f"SELECT count(*) FROM {shown.source}"
                f" WHERE substr({column.sql}, 1, 10) BETWEEN '2025-06-01' AND '2025-12-31'"
            )
            assert total(page) == wanted
        elif column.filter in ("integer", "money"):
            scale = 100 if column.filter == "money" else 1
            page = await office.get(f"{shown.path}?{column.key}_from=3&{column.key}_to=40")
            wanted = office.value(
                f"SELECT count(*) FROM {shown.source} WHERE {column.sql} BETWEEN {3 * scale} AND {40 * scale}"
            )
            assert total(page) == wanted


@pytest.mark.parametrize("shown", GRIDS, ids=lambda one: one.name)
async def test_views_are_the_filters_they_promise(office: Office, shown: Grid) -> None:
    for label, pairs in shown.views:
        page = await office.get(f"{shown.path}?{urlencode(pairs)}")
        assert names(page, r'aria-label="Views">(?s:.*?)<a href="[^"]*" aria-current="true">([^<]+)</a>') == [label]


async def test_orders_are_filtered_as_sql_would(office: Office) -> None:
    page = await office.get("/orders?status=complete&total_cents_from=100&total_cents_to=$250.00&size=200&q=e")
    wanted = [
        row[0]
        for row in office.db.execute(
            "SELECT id FROM sales_order WHERE status = 'complete' AND total_cents BETWEEN 10000 AND 25000"
            " AND (number LIKE '%e%' OR ship_name LIKE '%e%' OR bill_name LIKE '%e%' OR email LIKE '%e%')"
            " ORDER BY created_at DESC, id DESC"
        ).fetchall()
    ]
    assert selected(page) == wanted
    assert len(wanted) > 3
    assert names(page, r'aria-label="Remove filter ([^"]+)"') == [
        "Keyword: e",
        "Status: Complete",
        "Total from: $100.00",
        "Total to: $250.00",
    ]


async def test_like_signs_are_letters(office: Office) -> None:
    office.db.execute("UPDATE search_term SET term = '100%_wool' WHERE id = 1")
    office.db.commit()
    assert selected(await office.get("/search-terms?term=0%25_w")) == [1]
    assert selected(await office.get("/search-terms?q=%25_")) == [1]


async def test_pages_cut_the_list_without_a_gap(office: Office) -> None:
    everything = [row[0] for row in office.db.execute("SELECT id FROM product ORDER BY price_cents, id").fetchall()]
    found: list[int] = []
    for page in range(1, 5):
        found += selected(await office.get(f"/products?sort=price_cents&dir=asc&size=100&page={page}"))
    assert found == everything
    last = selected(await office.get("/products?sort=price_cents&dir=asc&size=100&page=99"))
    assert last == everything[-len(last) :]
    assert len(selected(await office.get("/products?size=7"))) == 20


@pytest.mark.parametrize("query", ["total_cents_from=abc", "total_cents_from=-1", "created_at_to=2026-13-01"])
async def test_a_filter_that_cannot_be_read_is_named_and_kept(office: Office, query: str) -> None:
    page = await office.get(f"/orders?{query}")
    assert re.search(r'<form class="filters"[^>]*>', page)[0].find("hidden") == -1  # type: ignore[index]
    assert 'aria-invalid="true"' in page
    assert f'value="{query.split("=")[1]}"' in page


async def test_columns_are_chosen_by_session(office: Office) -> None:
    await office.post("/orders/columns", column=["number", "ship_country"], next="/orders?status=pending")
    page = await office.get("/orders")
    assert names(page, r'aria-label="Sort by ([^"]+)"') == ["Order", "Country"]
    colleague = office.signed_in("sales.jo")
    assert "Sort by Total" in await colleague.get("/orders")
    await colleague.client.aclose()
    await office.post("/orders/columns", next="/orders")
    assert "A list needs at least one column." in await office.get("/orders")
    await office.post("/orders/columns", reset="1", next="/orders")
    assert "Sort by Total" in await office.get("/orders")
    assert await office.changes() == []


async def test_views_are_saved_and_deleted(office: Office) -> None:
    answer = await office.post("/orders/views", label="Late ones", query="status=pending&q=a")
    assert answer.headers["location"] == "/orders?status=pending&q=a"
    page = await office.get("/orders?status=pending&q=a")
    assert 'aria-label="Delete view Late ones"' in page
    await office.post("/orders/views/delete", label="Late ones")
    assert "Delete view" not in await office.get("/orders")
    assert await office.changes() == []


async def test_the_file_holds_all_filtered_rows_and_no_formulas(office: Office) -> None:
    office.db.execute("UPDATE customer SET first_name = '=HYPERLINK(1)' WHERE id = 1")
    office.db.commit()
    response = await office.client.get("/customers?export=csv&customer_group=General")
    assert response.headers["content-disposition"] == 'attachment; filename="customers.csv"'
    rows = list(csv.reader(io.StringIO(response.text)))
    assert rows[0] == ["Name", "Email", "Group", "Orders", "Lifetime sales", "Customer since", "Status"]
    assert len(rows) - 1 == office.value("SELECT count(*) FROM customer WHERE customer_group = 'General'")
    assert [row[0] for row in rows if "Lopez" in row[0] and "HYPER" in row[0]] == ["'=HYPERLINK(1) Lopez"]


async def test_row_controls_have_names_of_their_own(office: Office) -> None:
    for shown in GRIDS:
        page = await office.get(shown.path)
        found = names(page, r'aria-label="((?:Select|Edit|View|Open) [^"]+)"')
        found = [one for one in found if not one.startswith("Select all")]
        assert len(found) == len(set(found)), shown.name


# --- mass actions -----------------------------------------------------------------------------------------------


MASS: list[tuple[str, str, dict[str, Any], str, Any]] = [
    ("/products", "disable", {}, "SELECT count(*) FROM product WHERE id IN (3, 4) AND status = 'disabled'", 2),
    ("/reviews", "approve", {}, "SELECT count(*) FROM review WHERE id IN (3, 4) AND status = 'approved'", 2),
    ("/reviews", "reject", {}, "SELECT count(*) FROM review WHERE id IN (3, 4) AND status = 'rejected'", 2),
    ("/reviews", "delete", {}, "SELECT count(*) FROM review WHERE id IN (3, 4)", 0),
    ("/customers", "deactivate", {}, "SELECT count(*) FROM customer WHERE id IN (3, 4) AND is_active = 0", 2),
    (
        "/customers",
        "group",
        {"customer_group": "Retailer"},
        "SELECT count(*) FROM customer WHERE id IN (3, 4) AND customer_group = 'Retailer'",
        2,
    ),
    ("/promotions", "deactivate", {}, "SELECT count(*) FROM promotion WHERE id IN (3, 4) AND is_active = 0", 2),
    ("/promotions", "delete", {}, "SELECT count(*) FROM promotion WHERE id IN (3, 4)", 0),
    ("/pages", "disable", {}, "SELECT count(*) FROM cms_page WHERE id IN (3, 4) AND is_active = 0", 2),
    ("/messages", "unread", {}, "SELECT count(*) FROM contact_message WHERE id IN (3, 4) AND is_read = 0", 2),
    (
        "/subscribers",
        "unsubscribe",
        {},
        "SELECT count(*) FROM newsletter_subscriber WHERE id IN (3, 4) AND status = 'unsubscribed'",
        2,
    ),
    ("/search-terms", "delete", {}, "SELECT count(*) FROM search_term WHERE id IN (3, 4)", 0),
]


@pytest.mark.parametrize(("path", "action", "extra", "sql", "expected"), MASS)
async def test_mass_actions_touch_the_selected_rows_only(
    office: Office, path: str, action: str, extra: dict[str, Any], sql: str, expected: Any
) -> None:
    before = office.server.database(0, "shopping_admin").snapshot().tables
    await office.post(f"{path}/mass", action=action, ids=["3", "4"], next=f"{path}?page=1", **extra)
    assert office.value(sql) == expected
    changed = office.server.database(0, "shopping_admin").changes()
    assert {change.key for change in changed} <= {"3", "4"}
    assert len({change.table for change in changed}) <= 1
    assert set(before) == set(office.server.database(0, "shopping_admin").snapshot().tables)


async def test_mass_price_change_rounds_to_cents(office: Office) -> None:
    before = office.value("SELECT price_cents FROM product WHERE id = 2")
    await office.post("/products/mass", action="price", ids="2", percent="-15")
    assert office.value("SELECT price_cents FROM product WHERE id = 2") == (before * 85 + 50) // 100
    await office.post("/products/mass", action="price", ids="2", percent="lots")
    assert "Enter a whole number." in await office.get("/products")
    assert await office.changes() == [("product", "update")]


async def test_mass_cancel_leaves_orders_that_refuse(office: Office) -> None:
    pending = office.value(
        "SELECT id FROM sales_order o WHERE status = 'pending' AND NOT EXISTS"
        " (SELECT 1 FROM order_item WHERE order_id = o.id AND invoiced + shipped > 0) LIMIT 1"
    )
    complete = office.value("SELECT id FROM sales_order WHERE status = 'complete' LIMIT 1")
    await office.post("/orders/mass", action="cancel", ids=[str(pending), str(complete)])
    page = await office.get("/orders")
    assert "1 order canceled. 1 order could not be canceled" in page
    assert office.value("SELECT status FROM sales_order WHERE id = ?", complete) == "complete"
    assert office.value("SELECT status FROM sales_order WHERE id = ?", pending) == "canceled"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"action": "hold"}, "Select at least one order first."),
        ({"ids": "1", "action": "fly"}, "Choose an action first."),
    ],
)
async def test_mass_actions_need_rows_and_an_action(office: Office, data: dict[str, str], message: str) -> None:
    answer = await office.post("/orders/mass", next="https://evil.example/", **data)
    assert answer.headers["location"] == "/orders"
    assert message in await office.get("/orders")
    assert await office.changes() == []


def test_like_escapes() -> None:
    assert grid.like("50%_\\") == "%50\\%\\_\\\\%"
