"""The dashboard: what happened lately, and the global search."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import charts, shell, workflow
from guideact.sites.shopping_admin.grid import like
from guideact.sites.world import NOW

PERIODS = (("7d", "7 days"), ("30d", "30 days"), ("12m", "12 months"), ("year", "This year"))
MEASURES = (("revenue", "Revenue"), ("orders", "Orders"))
COUNTED = "status != 'canceled'"
"""Orders that count as sales."""


@dataclass(frozen=True)
class Span:
    """A stretch of days, both ends included, cut into labelled buckets of days or months."""

    first: date
    last: date
    monthly: bool
    keys: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def previous(self) -> tuple[date, date]:
        """As many days right before."""
        length = (self.last - self.first).days + 1
        return (self.first - timedelta(days=length), self.first - timedelta(days=1))


def span_of(period: str) -> Span:
    """The days of a period that ends today."""
    today = NOW.date()
    if period in ("7d", "30d"):
        first = today - timedelta(days=int(period[:-1]) - 1)
        days = [first + timedelta(days=at) for at in range((today - first).days + 1)]
        return Span(
            first,
            today,
            False,
            tuple(day.isoformat() for day in days),
            tuple(f"{day:%b} {day.day}" for day in days),
        )
    months = 12 if period == "12m" else today.month
    starts = []
    for back in range(months - 1, -1, -1):
        at = today.year * 12 + today.month - 1 - back
        starts.append(date(at // 12, at % 12 + 1, 1))
    return Span(
        starts[0],
        today,
        True,
        tuple(f"{start:%Y-%m}" for start in starts),
        tuple(
            f"{start:%b} {start.year}" if start.month == 1 or at == 0 else f"{start:%b}"
            for at, start in enumerate(starts)
        ),
    )


def _figures(request: Request, first: date, last: date) -> dict[str, int]:
    row = web.rows(
        request,
        "SELECT coalesce(sum(total_cents), 0), count(*), coalesce(sum(discount_cents), 0) FROM sales_order"
        f" WHERE {COUNTED} AND created_at >= ? AND created_at < date(?, '+1 day')",
        first.isoformat(),
        last.isoformat(),
    )[0]
    people = web.value(
        request,
        "SELECT count(*) FROM customer WHERE created_at >= ? AND created_at < date(?, '+1 day')",
        first.isoformat(),
        last.isoformat(),
    )
    return {
        "revenue": row[0],
        "orders": row[1],
        "average": round(row[0] / row[1]) if row[1] else 0,
        "customers": people,
    }


def _trend(now: int, before: int) -> tuple[str, str]:
    """(direction, words) of a figure against the days before."""
    if before == 0:
        return ("", "no earlier days to compare")
    change = round(100 * (now - before) / before)
    direction = "up" if change > 0 else "down" if change < 0 else ""
    return (direction, f"{change:+d}% against the days before")


def _chart(request: Request, span: Span, measure: str, period: str) -> Any:
    bucket = "substr(created_at, 1, 7)" if span.monthly else "substr(created_at, 1, 10)"
    what = "sum(total_cents)" if measure == "revenue" else "count(*)"
    found = dict(
        tuple(row)
        for row in web.rows(
            request,
            f"SELECT {bucket}, {what} FROM sales_order WHERE {COUNTED}"
            " AND created_at >= ? AND created_at < date(?, '+1 day') GROUP BY 1",
            span.first.isoformat(),
            span.last.isoformat(),
        )
    )
    values = [float(found.get(key, 0)) for key in span.keys]
    title = f"{dict(MEASURES)[measure]}, {dict(PERIODS)[period].lower()}, by {'month' if span.monthly else 'day'}"
    if measure == "revenue":
        return charts.draw("bar", span.labels, values, f"Bar chart of {title.lower()}", charts.dollars)
    return charts.draw("line", span.labels, values, f"Line chart of {title.lower()}", charts.number, whole=True)


@web.signed_in
async def dashboard(request: Request) -> Response:
    """Figures and chart of a period (`period`, `measure`), the latest orders, what sells and what is searched."""
    period = web.field(request, "period", "30d")
    measure = web.field(request, "measure", "revenue")
    period = period if period in dict(PERIODS) else "30d"
    measure = measure if measure in dict(MEASURES) else "revenue"
    span = span_of(period)
    now, before = _figures(request, span.first, span.last), _figures(request, *span.previous)
    tiles = [
        ("Revenue", web.money(now["revenue"]), _trend(now["revenue"], before["revenue"])),
        ("Orders", f"{now['orders']:,}", _trend(now["orders"], before["orders"])),
        ("Average order", web.money(now["average"]), _trend(now["average"], before["average"])),
        ("New customers", f"{now['customers']:,}", _trend(now["customers"], before["customers"])),
    ]
    lifetime = web.rows(
        request, f"SELECT coalesce(sum(total_cents - refunded_cents), 0), count(*) FROM sales_order WHERE {COUNTED}"
    )[0]
    return web.render(
        request,
        "dashboard.html",
        tiles=tiles,
        lifetime=lifetime[0],
        lifetime_average=round(lifetime[0] / lifetime[1]) if lifetime[1] else 0,
        chart=_chart(request, span, measure, period),
        periods=[(label, key, key == period) for key, label in PERIODS],
        measures=[(label, key, key == measure) for key, label in MEASURES],
        span_text=f"{web.date_text(span.first)} – {web.date_text(span.last)}",
        orders=web.rows(
            request,
            "SELECT id, number, bill_name, status, created_at, total_cents FROM sales_order"
            " ORDER BY created_at DESC, id DESC LIMIT 7",
        ),
        terms=web.rows(request, "SELECT term, results, uses FROM search_term ORDER BY uses DESC, term LIMIT 7"),
        bestsellers=web.rows(
            request,
            "SELECT p.id, p.name, p.price_cents, s.amount FROM (SELECT i.product_id, sum(i.quantity) AS amount"
            f" FROM order_item i JOIN sales_order o ON o.id = i.order_id AND o.{COUNTED} GROUP BY i.product_id) s"
            " JOIN product p ON p.id = s.product_id ORDER BY s.amount DESC, p.name LIMIT 6",
        ),
        viewed=web.rows(
            request,
            "SELECT p.id, p.name, p.price_cents, v.views AS amount FROM product_view v"
            " JOIN product p ON p.id = v.product_id ORDER BY v.views DESC, p.name LIMIT 6",
        ),
        newest=web.rows(
            request,
            "SELECT id, first_name || ' ' || last_name AS name, customer_group, created_at FROM customer"
            " ORDER BY created_at DESC, id DESC LIMIT 6",
        ),
        statuses=dict(workflow.STATUSES),
    )


# --- global search ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Hit:
    """Something found: what it is called, a few words about it, its page."""

    label: str
    detail: str
    url: str


def find(request: Request, query: str, limit: int) -> dict[str, list[Hit]]:
    """Orders, customers and products that hold every word of the query, for what the role may see."""
    person = web.user(request)
    words = query.split()
    if not words or person is None:
        return {}

    def look(columns: tuple[str, ...], sql: str) -> list[sqlite3.Row]:
        condition = " AND ".join(
            "(" + " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for column in columns) + ")" for _ in words
        )
        patterns = [like(word.removeprefix("#")) for word in words for _ in columns]
        return web.rows(request, sql.format(condition), *patterns, limit)

    found: dict[str, list[Hit]] = {}
    if person["role"] in shell.AREAS["sales"]:
        found["Orders"] = [
            Hit(
                f"Order {row['number']}",
                f"{row['bill_name']}, {web.money(row['total_cents'])}",
                f"/orders/{row['id']}",
            )
            for row in look(
                ("number", "bill_name", "email"),
                "SELECT id, number, bill_name, total_cents FROM sales_order WHERE {} ORDER BY id DESC LIMIT ?",
            )
        ]
    if person["role"] in shell.AREAS["customers"]:
        found["Customers"] = [
            Hit(row["name"], row["email"], f"/customers/{row['id']}")
            for row in look(
                ("first_name || ' ' || last_name", "email", "phone"),
                "SELECT id, first_name || ' ' || last_name AS name, email FROM customer WHERE {} ORDER BY id LIMIT ?",
            )
        ]
    if person["role"] in shell.AREAS["catalog"]:
        found["Products"] = [
            Hit(row["name"], f"{row['sku']}, {web.money(row['price_cents'])}", f"/products/{row['id']}")
            for row in look(
                ("name", "sku", "brand"),
                "SELECT id, name, sku, price_cents FROM product WHERE {} ORDER BY name, id LIMIT ?",
            )
        ]
    return found


@web.signed_in
async def search(request: Request) -> Response:
    query = web.field(request, "q")
    groups = find(request, query, 12)
    return web.render(
        request,
        "search.html",
        query=query,
        global_query=query,
        groups=[(label, hits) for label, hits in groups.items() if hits],
    )


@web.signed_in
async def suggest(request: Request) -> Response:
    """The search box's suggestions: at most four of each kind."""
    groups = find(request, web.field(request, "q"), 4)
    return web.json_response(
        [
            {"label": hit.label, "detail": f"{kind[:-1]} · {hit.detail}", "url": hit.url}
            for kind, hits in groups.items()
            for hit in hits
        ]
    )


ROUTES = [
    Route("/", dashboard),
    Route("/search", search),
    Route("/search/suggest", suggest),
]
