"""Reports: tables with a totals row and a chart, over a range of dates where that means something."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import charts, shell, workflow
from guideact.sites.shopping_admin.forms import Field, parse
from guideact.sites.world import NOW

guard = shell.guard("reports")

Kind = Literal["text", "money", "number", "rating"]
BUCKETS = (("day", "Day"), ("month", "Month"), ("year", "Year"))
STATUSES = (("", "All but canceled"), ("any", "Any"), *workflow.STATUSES)


@dataclass(frozen=True)
class Column:
    """A column of a report; `total` says whether the totals row adds it up."""

    label: str
    kind: Kind = "text"
    total: bool = False


@dataclass(frozen=True)
class Table:
    """What a report found. `links` gives each row's page, where it has one; the first column becomes the link."""

    columns: tuple[Column, ...]
    rows: Sequence[Sequence[Any]]
    links: Sequence[str] = ()
    chart: Markup | None = None
    note: str = ""


@dataclass
class Filters:
    """The dates and choices a report was asked for, and what was wrong with them."""

    first: str = ""
    last: str = ""
    bucket: str = "month"
    status: str = ""
    errors: dict[str, str] = field(default_factory=dict)

    def orders(self, alias: str = "o") -> tuple[str, list[Any]]:
        """The condition on orders, with its parameters."""
        conditions = [f"{alias}.created_at >= ? AND {alias}.created_at < date(?, '+1 day')"]
        parameters = [self.first, self.last]
        if self.status == "":
            conditions.append(f"{alias}.status != 'canceled'")
        elif self.status != "any":
            conditions.append(f"{alias}.status = ?")
            parameters.append(self.status)
        return " AND ".join(conditions), parameters


@dataclass(frozen=True)
class Report:
    """One report: how it is called, which filters it has, and how it is made."""

    key: str
    title: str
    intro: str
    make: Callable[[Request, Filters], Table]
    dated: bool = False
    bucketed: bool = False


def read_filters(request: Request) -> Filters:
    """Filters of the address; dates default to the last twelve months."""
    today = NOW.date()
    filters = Filters(first=date(today.year - 1, today.month, 1).isoformat(), last=today.isoformat())
    for name, attribute, label in (("from", "first", "From"), ("to", "last", "To")):
        text = web.field(request, name)
        if not text:
            continue
        try:
            setattr(filters, attribute, parse(Field(name, label, "date"), text))
        except ValueError as problem:
            filters.errors[name] = str(problem)
    if not filters.errors and filters.last < filters.first:
        filters.errors["to"] = "The last day must not be before the first."
    bucket, status = web.field(request, "period", "month"), web.field(request, "status")
    filters.bucket = bucket if bucket in dict(BUCKETS) else "month"
    filters.status = status if status in dict(STATUSES) else ""
    return filters


# --- the reports ------------------------------------------------------------------------------------------------


def period_label(key: str) -> str:
    """2026-03-16 -> Mar 16, 2026; 2026-03 -> Mar 2026; 2026 -> 2026."""
    if len(key) == 10:
        return web.date_text(key)
    if len(key) == 7:
        return f"{date.fromisoformat(key + '-01'):%b %Y}"
    return key


def _periods(filters: Filters) -> list[str]:
    """All buckets of the range, so that days without a sale show as such."""
    length = {"day": 10, "month": 7, "year": 4}[filters.bucket]
    day, last = date.fromisoformat(filters.first), date.fromisoformat(filters.last)
    found: dict[str, None] = {}
    while day <= last:
        found[day.isoformat()[:length]] = None
        day += timedelta(days=1)
    return list(found)


def _tick_label(key: str, first: bool) -> str:
    """A period under the axis, with the year only where it begins."""
    if len(key) == 10:
        day = date.fromisoformat(key)
        return f"{day:%b} {day.day}"
    if len(key) == 7:
        month = date.fromisoformat(key + "-01")
        return f"{month:%b %Y}" if first or month.month == 1 else f"{month:%b}"
    return key


def sales(request: Request, filters: Filters) -> Table:
    length = {"day": 10, "month": 7, "year": 4}[filters.bucket]
    condition, parameters = filters.orders()
    found = {
        row[0]: tuple(row)[1:]
        for row in web.rows(
            request,
            f"SELECT substr(o.created_at, 1, {length}), count(*),"
            " sum((SELECT sum(i.quantity) FROM order_item i WHERE i.order_id = o.id)), sum(o.subtotal_cents),"
            " sum(o.discount_cents), sum(o.shipping_cents), sum(o.tax_cents), sum(o.total_cents), sum(o.refunded_cents)"
            f" FROM sales_order o WHERE {condition} GROUP BY 1",
            *parameters,
        )
    }
    keys = _periods(filters)
    rows = [(period_label(key), *found.get(key, (0,) * 8)) for key in keys if filters.bucket != "day" or key in found]
    chart = charts.draw(
        "bar" if filters.bucket != "day" else "line",
        [_tick_label(key, at == 0) for at, key in enumerate(keys)],
        [float(found[key][6]) if key in found else 0.0 for key in keys],
        f"Chart of order totals by {filters.bucket}",
        charts.dollars,
    )
    columns = (
        Column("Period"),
        Column("Orders", "number", True),
        Column("Items", "number", True),
        Column("Subtotal", "money", True),
        Column("Discount", "money", True),
        Column("Delivery", "money", True),
        Column("Tax", "money", True),
        Column("Total", "money", True),
        Column("Refunded", "money", True),
    )
    return Table(columns, rows, chart=chart if rows else None)


def _top_chart(rows: Sequence[Sequence[Any]], at: int, title: str, money: bool = False) -> Markup | None:
    """A bar chart of the first ten rows; under the bars stand their ranks, the names are in the table."""
    if not rows:
        return None
    top = rows[:10]
    tick = charts.dollars if money else charts.number
    return charts.draw(
        "bar",
        [f"No. {rank}" for rank in range(1, len(top) + 1)],
        [float(row[at] or 0) for row in top],
        title,
        tick,
        not money,
    )


def bestsellers(request: Request, filters: Filters) -> Table:
    condition, parameters = filters.orders()
    found = web.rows(
        request,
        "SELECT p.id, p.name, p.sku, count(DISTINCT o.id), sum(i.quantity) AS units, sum(i.quantity * i.unit_cents)"
        " FROM order_item i JOIN sales_order o ON o.id = i.order_id JOIN product p ON p.id = i.product_id"
        f" WHERE {condition} GROUP BY p.id ORDER BY units DESC, p.name LIMIT 50",
        *parameters,
    )
    columns = (
        Column("Product"),
        Column("SKU"),
        Column("Orders", "number"),
        Column("Units sold", "number", True),
        Column("Sales", "money", True),
    )
    rows = [tuple(row)[1:] for row in found]
    links = [f"/products/{row[0]}" for row in found]
    return Table(columns, rows, links, _top_chart(rows, 3, "Bar chart of units sold of the ten bestsellers"))


def most_viewed(request: Request, filters: Filters) -> Table:
    found = web.rows(
        request,
        "SELECT p.id, p.name, p.sku, p.price_cents, v.views FROM product_view v JOIN product p ON p.id = v.product_id"
        " ORDER BY v.views DESC, p.name LIMIT 50",
    )
    columns = (Column("Product"), Column("SKU"), Column("Price", "money"), Column("Views", "number", True))
    rows = [tuple(row)[1:] for row in found]
    links = [f"/products/{row[0]}" for row in found]
    return Table(columns, rows, links, _top_chart(rows, 3, "Bar chart of views of the ten most viewed products"))


def low_stock(request: Request, filters: Filters) -> Table:
    limit = shell.low_stock(request)
    found = web.rows(
        request,
        "SELECT p.id, p.name, p.sku, c.name, p.stock FROM product p JOIN category c ON c.id = p.category_id"
        " WHERE p.status = 'enabled' AND p.stock <= ? ORDER BY p.stock, p.name",
        limit,
    )
    columns = (Column("Product"), Column("SKU"), Column("Category"), Column("Stock", "number", True))
    note = f"Enabled products with {web.plural(limit, 'unit')} or fewer."
    return Table(columns, [tuple(row)[1:] for row in found], [f"/products/{row[0]}" for row in found], note=note)


def coupons(request: Request, filters: Filters) -> Table:
    condition, parameters = filters.orders()
    found = web.rows(
        request,
        "SELECT o.coupon_code, coalesce(max(p.name), ''), count(*) AS uses, sum(o.discount_cents), sum(o.total_cents)"
        " FROM sales_order o LEFT JOIN promotion p ON p.code = o.coupon_code"
        f" WHERE o.coupon_code != '' AND {condition} GROUP BY o.coupon_code ORDER BY uses DESC, o.coupon_code",
        *parameters,
    )
    columns = (
        Column("Coupon"),
        Column("Promotion"),
        Column("Uses", "number", True),
        Column("Discount", "money", True),
        Column("Order totals", "money", True),
    )
    rows = [tuple(row) for row in found]
    return Table(columns, rows, chart=_top_chart(rows, 2, "Bar chart of uses of each coupon"))


def search_terms(request: Request, filters: Filters) -> Table:
    found = web.rows(request, "SELECT term, results, uses FROM search_term ORDER BY uses DESC, term")
    columns = (Column("Search term"), Column("Results", "number"), Column("Uses", "number", True))
    rows = [tuple(row) for row in found]
    return Table(columns, rows, chart=_top_chart(rows, 2, "Bar chart of uses of the ten top search terms"))


def best_customers(request: Request, filters: Filters) -> Table:
    condition, parameters = filters.orders()
    found = web.rows(
        request,
        "SELECT c.id, c.first_name || ' ' || c.last_name, c.email, c.customer_group, count(*),"
        " sum(o.total_cents) AS spent, CAST(round(avg(o.total_cents)) AS INTEGER)"
        " FROM sales_order o JOIN customer c ON c.id = o.customer_id"
        f" WHERE {condition} GROUP BY c.id ORDER BY spent DESC, c.id LIMIT 50",
        *parameters,
    )
    columns = (
        Column("Customer"),
        Column("Email"),
        Column("Group"),
        Column("Orders", "number", True),
        Column("Total", "money", True),
        Column("Average order", "money"),
    )
    rows = [tuple(row)[1:] for row in found]
    links = [f"/customers/{row[0]}" for row in found]
    return Table(columns, rows, links, _top_chart(rows, 4, "Bar chart of order totals of the ten best customers", True))


def reviews(request: Request, filters: Filters) -> Table:
    found = web.rows(
        request,
        "SELECT p.id, p.name, count(*) AS written, sum(r.status = 'approved'), sum(r.status = 'pending'),"
        " avg(r.rating), max(r.created_at) FROM review r JOIN product p ON p.id = r.product_id"
        " WHERE r.created_at >= ? AND r.created_at < date(?, '+1 day')"
        " GROUP BY p.id ORDER BY written DESC, p.name LIMIT 100",
        filters.first,
        filters.last,
    )
    columns = (
        Column("Product"),
        Column("Reviews", "number", True),
        Column("Approved", "number", True),
        Column("Pending", "number", True),
        Column("Average rating", "rating"),
        Column("Last review"),
    )
    rows = [(*tuple(row)[1:6], web.date_text(row[6])) for row in found]
    links = [f"/products/{row[0]}" for row in found]
    return Table(columns, rows, links, _top_chart(rows, 1, "Bar chart of reviews of the ten most reviewed products"))


REPORTS = {
    report.key: report
    for report in (
        Report("sales", "Sales report", "Orders by the day they were placed.", sales, True, True),
        Report("bestsellers", "Bestsellers", "Products by units ordered.", bestsellers, True),
        Report("most-viewed", "Most viewed", "Products by visits of their page.", most_viewed),
        Report("low-stock", "Low stock", "What should be ordered again.", low_stock),
        Report("coupons", "Coupon usage", "Orders placed with a coupon.", coupons, True),
        Report("search-terms", "Search term report", "What visitors searched for.", search_terms),
        Report("best-customers", "Best customers", "Customers by what they ordered.", best_customers, True),
        Report("reviews", "Reviews by product", "How many were written and how good they are.", reviews, True),
    )
}


# --- showing them -----------------------------------------------------------------------------------------------


def text_of(column: Column, value: Any) -> str:
    """One value as it is shown."""
    if value is None:
        return "–"
    if column.kind == "money":
        return web.money(value)
    if column.kind == "number":
        return f"{value:,}"
    if column.kind == "rating":
        return f"{value:.1f}"
    return str(value)


def totals(table: Table) -> list[str]:
    """The totals row, empty where adding up says nothing."""
    return [
        text_of(column, sum(row[at] or 0 for row in table.rows)) if column.total else ""
        for at, column in enumerate(table.columns)
    ]


@guard
async def report(request: Request) -> Response:
    """One report; `?export=csv` gives it as a file."""
    found = REPORTS.get(request.path_params["key"])
    if found is None:
        web.not_found("There is no such report.")
    filters = read_filters(request)
    table = Table((), ()) if filters.errors else found.make(request, filters)
    if request.query_params.get("export") == "csv":
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\r\n")
        writer.writerow([column.label for column in table.columns])
        for row in table.rows:
            writer.writerow(
                [
                    f"{value / 100:.2f}" if column.kind == "money" and value is not None else value
                    for column, value in zip(table.columns, row, strict=True)
                ]
            )
        disposition = f'attachment; filename="{found.key}.csv"'
        return Response(out.getvalue(), media_type="text/csv", headers={"Content-Disposition": disposition})
    person = web.user(request)
    assert person is not None
    area = "customers" if found.key == "best-customers" else "catalog"
    return web.render(
        request,
        "report.html",
        report=found,
        filters=filters,
        typed={"from": web.field(request, "from", filters.first), "to": web.field(request, "to", filters.last)},
        buckets=BUCKETS,
        statuses=STATUSES,
        table=table,
        rows=[[text_of(column, value) for column, value in zip(table.columns, row, strict=True)] for row in table.rows],
        links=table.links if person["role"] in shell.AREAS[area] else (),
        totals=totals(table),
        summed=any(column.total for column in table.columns),
    )


@guard
async def index(request: Request) -> Response:
    """All reports."""
    return web.render(request, "reports.html", reports=list(REPORTS.values()))


ROUTES = [Route("/reports", index), Route("/reports/{key:str}", report)]
