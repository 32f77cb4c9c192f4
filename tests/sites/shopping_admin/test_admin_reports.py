"""Reports, charts and the dashboard against figures computed another way."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from datetime import date, timedelta
from html import unescape

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from guideact.sites.shopping_admin import charts
from guideact.sites.shopping_admin.dashboard import span_of
from guideact.sites.web import money

from .conftest import Office


def table(page: str) -> list[list[str]]:
    """The rows of a report's table, the totals row last."""
    body = page[page.index('<table class="table">', page.index("page-header")) :]
    rows = []
    for row in re.findall(r"<tr>(.*?)</tr>", body, flags=re.S)[1:]:
        rows.append(
            [
                unescape(re.sub(r"<[^>]+>", "", cell)).strip()
                for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)
            ]
        )
    return rows


@pytest.mark.parametrize("bucket", ["day", "month", "year"])
async def test_the_sales_report_adds_up(office: Office, bucket: str) -> None:
    page = await office.get(f"/reports/sales?from=2025-05-03&to=2025-11-20&period={bucket}")
    totals: Counter[str] = Counter()
    length = {"day": 10, "month": 7, "year": 4}[bucket]
    for row in office.db.execute("SELECT * FROM sales_order").fetchall():
        if "2025-05-03" <= row["created_at"][:10] <= "2025-11-20" and row["status"] != "canceled":
            totals[row["created_at"][:length]] += row["total_cents"]
    rows = table(page)
    assert sorted(row[7] for row in rows[:-1] if row[1] != "0") == sorted(money(cents) for cents in totals.values())
    assert rows[-1][0] == "Total"
    assert rows[-1][7] == money(sum(totals.values()))


async def test_the_order_status_narrows_a_report(office: Office) -> None:
    page = await office.get("/reports/sales?from=2025-01-01&to=2026-03-16&period=year&status=canceled")
    assert table(page)[-1][1] == str(office.value("SELECT count(*) FROM sales_order WHERE status = 'canceled'"))
    page = await office.get("/reports/sales?from=2025-01-01&to=2026-03-16&period=year&status=any")
    assert table(page)[-1][1] == str(office.value("SELECT count(*) FROM sales_order"))


async def test_bestsellers_count_units(office: Office) -> None:
    units: Counter[int] = Counter()
    names = dict(tuple(row) for row in office.db.execute("SELECT id, name FROM product").fetchall())
    for row in office.db.execute(
        "SELECT product_id, quantity FROM order_item JOIN sales_order o ON o.id = order_id"
        " WHERE o.status != 'canceled' AND substr(o.created_at, 1, 4) = '2025'"
    ).fetchall():
        units[row[0]] += row[1]
    wanted = sorted(units.items(), key=lambda one: (-one[1], names[one[0]]))[:50]
    page = await office.get("/reports/bestsellers?from=2025-01-01&to=2025-12-31")
    assert [(row[0], row[3]) for row in table(page)[:-1]] == [(names[one], str(count)) for one, count in wanted]


async def test_low_stock_follows_the_setting(office: Office) -> None:
    await office.post(
        "/settings/catalog",
        **{"catalog.low_stock": "20", "catalog.products_per_page": "24", "catalog.show_out_of_stock": "1"},
    )
    page = await office.get("/reports/low-stock")
    wanted = office.value("SELECT count(*) FROM product WHERE status = 'enabled' AND stock <= 20")
    assert len(table(page)) - 1 == wanted


@pytest.mark.parametrize("key", ["sales", "bestsellers", "coupons", "best-customers", "reviews", "search-terms"])
async def test_a_report_as_a_file(office: Office, key: str) -> None:
    page = await office.get(f"/reports/{key}")
    response = await office.client.get(f"/reports/{key}?export=csv")
    assert response.headers["content-type"].startswith("text/csv")
    rows = list(csv.reader(io.StringIO(response.text)))
    assert len(rows) == len(table(page))


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("from=yesterday", "Enter a date as YYYY-MM-DD"),
        ("from=2026-02-02&to=2026-01-01", "must not be before the first"),
    ],
)
async def test_bad_dates_are_named_and_kept(office: Office, query: str, message: str) -> None:
    page = await office.get(f"/reports/sales?{query}")
    assert message in page
    assert f'value="{query.split("&")[0].split("=")[1]}"' in page


@pytest.mark.parametrize(("period", "days"), [("7d", 7), ("30d", 30)])
async def test_the_dashboard_counts_the_period(office: Office, period: str, days: int) -> None:
    first = (date(2026, 3, 16) - timedelta(days=days - 1)).isoformat()
    revenue = office.value(
        "SELECT sum(total_cents) FROM sales_order WHERE status != 'canceled' AND substr(created_at, 1, 10) >= ?", first
    )
    page = await office.get(f"/?period={period}")
    assert f"<dd>{money(revenue)}</dd>" in page
    chart = page[page.index('<svg class="chart"') : page.index("</svg>", page.index('<svg class="chart"'))]
    bars = len(
        office.db.execute(
            "SELECT DISTINCT substr(created_at, 1, 10) FROM sales_order"
            " WHERE status != 'canceled' AND substr(created_at, 1, 10) >= ?",
            (first,),
        ).fetchall()
    )
    assert chart.count('class="bar"') == bars
    assert money(revenue) not in chart


def test_spans_end_today() -> None:
    for period, count in (("7d", 7), ("30d", 30), ("12m", 12), ("year", 3)):
        span = span_of(period)
        assert len(span.keys) == len(span.labels) == count
        assert span.last == date(2026, 3, 16)
    assert span_of("12m").keys[0] == "2025-04"


@given(st.floats(0.01, 1e9))
def test_ticks_are_round_and_few(top: float) -> None:
    step = charts.nice_step(top)
    assert step * 5 >= top * (1 - 1e-6)
    assert top / step > 1.9


@given(st.lists(st.floats(0, 1e7), max_size=60), st.sampled_from(["bar", "line"]), st.booleans())
@example([5e-324], "bar", False)
@example([1e-320, 0.0], "line", True)
def test_charts_stay_inside_their_frame(values: list[float], kind: str, whole: bool) -> None:
    drawn = charts.draw(kind, [str(at) for at in range(len(values))], values, "T & t", charts.number, whole)
    assert 'aria-label="T &amp; t"' in drawn
    for y in re.findall(r' (?:y|y1|cy)="([-\d.]+)"', drawn):
        assert 0 <= float(y) <= charts.HEIGHT
    assert drawn.count("<text") <= 2 * charts.LABELS + 8


@pytest.mark.parametrize(("cents", "text"), [(0, "$0"), (250_000, "$2,500"), (1_250_000, "$12.5k"), (50, "$0.50")])
def test_money_ticks(cents: int, text: str) -> None:
    assert charts.dollars(cents) == text
