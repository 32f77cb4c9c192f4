"""Reports and charts: months, bestsellers, what runs out, and what only the bars of a chart tell."""

from __future__ import annotations

import calendar
from collections.abc import Sequence
from datetime import date

from guideact.tasks.backoffice import apply_filters, choose, fill, in_menu, menu, open_filters
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import AnswerCheck, Check

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}


def _show(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Show report",
        say=(
            "Press “Show report” to have it worked out anew.",
            "The figures change only after a click on “Show report”, beside the filters.",
        ),
    )


# --- one month ----------------------------------------------------------------------------------------------------

_MONTHS = (("Complete", "2025-11", "Orders"), ("Canceled", "2025-09", "Items"), ("Complete", "2025-08", "Tax"))
_COLUMN_WORDS = {
    "Orders": "how many orders were placed",
    "Items": "how many pieces were ordered",
    "Tax": "how much tax was charged",
}


def _month_name(key: str) -> str:
    return f"{date.fromisoformat(key + '-01'):%B %Y}"


def _month_params(db: Query) -> Sequence[Params]:
    return [
        {
            "status": status,
            "key": key,
            "month": _month_name(key),
            "column": column,
            "measure": _COLUMN_WORDS[column],
        }
        for status, key, column in _MONTHS
    ]


def _month_check(db: Query, p: Params) -> Check:
    chosen = "FROM sales_order o WHERE substr(o.created_at, 1, 7) = ? AND o.status = lower(?)"
    what = {
        "Orders": f"SELECT count(*) {chosen}",
        "Tax": f"SELECT sum(o.tax_cents) {chosen}",
        "Items": f"SELECT sum(i.quantity) FROM order_item i WHERE i.order_id IN (SELECT o.id {chosen})",
    }[p["column"]]
    (value,) = db.execute(what, (p["key"], p["status"])).fetchone()
    if p["column"] == "Tax":
        return Check(answer=AnswerCheck(kind="money", expected=(f"{value / 100:.2f}",)))
    return Check(answer=AnswerCheck(kind="number", expected=(str(value),)))


def _month(page: Page, p: Params) -> Solver:
    yield from menu(page, "Reports", "Sales report")
    yield from choose(page, "Order status", p["status"], where="above the chart")
    yield from _show(page)
    row = f"{date.fromisoformat(p['key'] + '-01'):%b %Y}"
    yield from page.reach_text(row, what="the row of that month")
    yield from page.finish(
        page.cell(row, p["column"]),
        say=(
            f"Go along the row “{row}” to the column “{p['column']}”: that is the answer.",
            f"Where the line of the month meets “{p['column']}” you read what was asked.",
        ),
    )


def _month_by_dates(page: Page, p: Params) -> Solver:
    yield from menu(page, "Reports", "Sales report")
    yield from fill(page, "From", f"{p['key']}-01", where="above the chart")
    last = calendar.monthrange(int(p["key"][:4]), int(p["key"][5:]))[1]
    yield from fill(page, "To", f"{p['key']}-{last}", where="above the chart")
    yield from choose(page, "Order status", p["status"], where="beside the dates")
    yield from _show(page)
    row = f"{date.fromisoformat(p['key'] + '-01'):%b %Y}"
    yield from page.reach_text(p["column"], what="the table")
    yield from page.finish(
        page.cell(row, p["column"]),
        say=(
            f"Only one month is left in the table; read its “{p['column']}”.",
            f"Below the chart, the single row gives the figure under “{p['column']}”.",
        ),
    )


# --- bestsellers --------------------------------------------------------------------------------------------------

_SPANS = (
    ("2025-12-01", "2025-12-24", "from December 1 to December 24, 2025"),
    ("2025-06-01", "2025-08-31", "in the summer of 2025 (June to August)"),
    ("2026-02-01", "2026-02-28", "in February 2026"),
    ("2025-09-01", "2025-11-30", "in the autumn of 2025, September 1 to November 30"),
    ("2026-01-01", "2026-01-31", "in January 2026"),
    ("2026-03-01", "2026-03-15", "in the first half of March 2026 (March 1 to 15)"),
)
_UNITS = (
    "SELECT p.name, sum(i.quantity) AS units FROM order_item i JOIN sales_order o ON o.id = i.order_id"
    " JOIN product p ON p.id = i.product_id WHERE o.status <> 'canceled'"
    " AND substr(o.created_at, 1, 10) BETWEEN ? AND ? GROUP BY p.id ORDER BY units DESC LIMIT 2"
)


def _best_params(db: Query) -> Sequence[Params]:
    found: list[Params] = []
    for first, last, words in _SPANS:
        top, second = db.execute(_UNITS, (first, last)).fetchall()
        if top["units"] > second["units"]:
            found.append({"first": first, "last": last, "words": words})
    return found[:3]


def _best_check(db: Query, p: Params) -> Check:
    row = db.execute(_UNITS, (p["first"], p["last"])).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["name"],)))


def _best(page: Page, p: Params) -> Solver:
    yield from menu(page, "Reports", "Bestsellers")
    yield from fill(page, "From", p["first"], where="at the top of the report")
    yield from fill(page, "To", p["last"], where="at the top of the report")
    yield from _show(page)
    yield from page.reach_text("Units sold", what="the table under the chart")
    yield from page.finish(
        page.column("Product")[0],
        say=(
            "The table begins with what sold best, so its first row names the answer.",
            "No. 1 of the chart is the first line of the table. Answer with the product named there.",
        ),
    )


# --- what runs out ------------------------------------------------------------------------------------------------


def _low_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT stock FROM product WHERE stock BETWEEN 1 AND 5 AND status = 'enabled' GROUP BY stock"
        " HAVING count(*) BETWEEN 2 AND 5 ORDER BY stock"
    ).fetchall()
    words = {1: "one piece", 2: "two pieces", 3: "three pieces", 4: "four pieces", 5: "five pieces"}
    return [{"stock": row["stock"], "pieces": words[row["stock"]]} for row in rows[:3]]


def _low_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT name FROM product WHERE status = 'enabled' AND stock = ? ORDER BY name", (p["stock"],)
    ).fetchall()
    return Check(answer=AnswerCheck(kind="set", expected=tuple(row["name"] for row in rows)))


def _low(page: Page, p: Params) -> Solver:
    """Goes down the report screen by screen, noting the rows with this stock."""
    yield from menu(page, "Reports", "Low stock")
    found: dict[str, None] = {}
    while True:
        inside = in_menu(page)
        for link in (link for link in page.find_all("link") if not inside(link)):
            right = [
                line.text.strip()
                for line in page.seen.texts
                if abs(line.box.centre[1] - link.box.centre[1]) < 8 and line.box.x > link.box.x + link.box.width
            ]
            if right and right[-1] == str(p["stock"]):
                found[link.name] = None
        if page.seen.scroll.y >= page.seen.scroll.max_y - 1:
            break
        yield from page.scroll(
            say=(
                "Note the names of the rows with that figure in the last column, then go on downwards.",
                "The report is sorted by stock. Scroll until the figure in the last column is above the one wanted.",
            )
        )
    yield from page.finish(
        "; ".join(found),
        say=(
            "Give all the names you have noted.",
            "The rows with this stock stand together in the table: their names are the answer.",
        ),
    )


def _low_by_filter(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from open_filters(page)
    yield from fill(page, "Stock from", str(p["stock"]), where="in the filter panel")
    yield from fill(page, "Stock to", str(p["stock"]), where="in the filter panel")
    yield from choose(page, "Status", "Enabled", where="in the filter panel")
    yield from apply_filters(page)
    yield from page.reach_text("Rows per page", what="the foot of the list")
    names = [box.name.removeprefix("Select product ") for box in page.find_all("checkbox", "Select product ")]
    yield from page.finish(
        "; ".join(names),
        say=(
            "Every product that is still listed belongs to the answer.",
            "Answer with the names of all rows.",
        ),
    )


# --- the tallest bar ----------------------------------------------------------------------------------------------

_BARS = (
    ("30 days", "Orders", "day", "the last 30 days", "number of orders"),
    ("30 days", "Revenue", "day", "the last 30 days", "revenue"),
    ("This year", "Orders", "month", "the year so far", "number of orders"),
    ("12 months", "Revenue", "month", "the last 12 months (leave the present month aside)", "revenue"),
)
_FIRST = {"7 days": "2026-03-10", "30 days": "2026-02-15", "This year": "2026-01-01", "12 months": "2025-04-01"}
_TODAY = "2026-03-16"


def _buckets(db: Query, p: Params) -> list[tuple[str, int]]:
    """(day or month, amount), the largest first."""
    length, what = (10, "sum(total_cents)") if p["bucket"] == "day" else (7, "sum(total_cents)")
    if p["measure"] == "Orders":
        what = "count(*)"
    rows = db.execute(
        f"SELECT substr(created_at, 1, {length}) AS bucket, {what} AS amount FROM sales_order"
        " WHERE status <> 'canceled' AND substr(created_at, 1, 10) BETWEEN ? AND ? GROUP BY 1 ORDER BY 2 DESC, 1",
        (_FIRST[p["period"]], _TODAY),
    ).fetchall()
    return [(row["bucket"], row["amount"]) for row in rows]


def _bar_params(db: Query) -> Sequence[Params]:
    found = []
    for period, measure, bucket, words, noun in _BARS:
        p = {"period": period, "measure": measure, "bucket": bucket, "words": words, "noun": noun}
        keys = [key for key, _ in _buckets(db, p) if not (period == "12 months" and key == _TODAY[:7])]
        seen = keys[0] if bucket == "day" else _month_name(keys[0])
        found.append({**p, "seen": seen})
    return found


def _bar_check(db: Query, p: Params) -> Check:
    days, months = "substr(created_at, 1, 10)", "substr(created_at, 1, 7)"
    key = days if p["bucket"] == "day" else months
    amount = "total(total_cents)" if p["measure"] == "Revenue" else "count(id)"
    rows = db.execute(
        f"SELECT {key} AS bucket, {amount} AS amount FROM sales_order WHERE status IN"
        " ('pending', 'processing', 'complete', 'on_hold', 'closed') AND created_at >= ? GROUP BY bucket",
        (_FIRST[p["period"]],),
    ).fetchall()
    left_out = "2026-03" if p["period"] == "12 months" else ""
    best = max((row for row in rows if row["bucket"] != left_out), key=lambda row: row["amount"])["bucket"]
    if p["bucket"] == "day":
        return Check(answer=AnswerCheck(kind="date", expected=(best,)))
    month = date.fromisoformat(best + "-01")
    return Check(answer=AnswerCheck(kind="text", expected=(f"{month:%B %Y}", f"{month:%b %Y}", f"{month:%Y-%m}")))


def _to_chart(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Dashboard",
        say=(
            "Go to “Dashboard”, the first word of the side menu.",
            "The chart belongs to the start page, which “Dashboard” at the top of the left column brings up.",
        ),
    )
    if p["period"] != "30 days":
        yield from page.click(
            "link",
            p["period"],
            say=(
                f"Switch the dashboard to “{p['period']}” with the small bar at the top right.",
                f"The chart shows thirty days at first. Its period is set above the figures: take “{p['period']}”.",
            ),
        )
    if p["measure"] == "Orders":
        yield from page.click(
            "link",
            "Orders",
            near="Revenue",
            say=(
                "Change the chart from money to “Orders”, at its upper right corner.",
                "Beside the heading “Sales over time” there are two words; “Orders” makes the chart count orders.",
            ),
        )


def _bar(page: Page, p: Params) -> Solver:
    yield from _to_chart(page, p)
    yield from page.reach_text("Sales over time", what="the chart")
    yield from page.finish(
        p["seen"],
        say=(
            f"Find the highest point of the chart and read beneath it which {p['bucket']} it stands for.",
            f"No number is written at the data: compare the heights, and answer with the {p['bucket']} "
            "under the tallest.",
        ),
    )


# --- bars above a line --------------------------------------------------------------------------------------------


def _above_params(db: Query) -> Sequence[Params]:
    found = []
    for period, bucket, dollars in (("7 days", "day", 2000), ("30 days", "day", 2000), ("12 months", "month", 10000)):
        p = {"period": period, "bucket": bucket, "measure": "Revenue", "dollars": dollars}
        count = sum(amount > dollars * 100 for _, amount in _buckets(db, p))
        words = {"7 days": "the last 7 days", "30 days": "the last 30 days", "12 months": "the last 12 months"}
        found.append({**p, "line": f"${dollars:,}", "words": words[period], "seen": str(count)})
    return found


def _above_check(db: Query, p: Params) -> Check:
    length = 10 if p["bucket"] == "day" else 7
    rows = db.execute(
        f"SELECT 1 FROM sales_order WHERE NOT status = 'canceled' AND created_at >= ?"
        f" GROUP BY substr(created_at, 1, {length}) HAVING sum(total_cents) > ?",
        (_FIRST[p["period"]], p["dollars"] * 100),
    ).fetchall()
    return Check(answer=AnswerCheck(kind="number", expected=(str(len(rows)),)))


def _above(page: Page, p: Params) -> Solver:
    yield from _to_chart(page, p)
    yield from page.reach_text("Sales over time", what="the chart")
    yield from page.finish(
        p["seen"],
        say=(
            f"Follow the line at {p['line']} across the chart and count the bars that rise above it.",
            f"The axis on the left tells where {p['line']} is. How many bars are taller than that is what was asked.",
        ),
    )


TEMPLATES = (
    Template(
        id="shopping_admin.report_month",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "According to the sales report, {measure} in {month}? Count only orders with the status “{status}”.",
            "For the books: {measure} in {month}, going by the orders that are now “{status}” and no others?",
        ),
        params=_month_params,
        check=_month_check,
        solve=_month,
        second_route=_month_by_dates,
    ),
    Template(
        id="shopping_admin.bestseller",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which product sold the most units {words}? Canceled orders do not count.",
            "I am writing the newsletter: what was our bestseller by units {words}, canceled orders left out?",
        ),
        params=_best_params,
        check=_best_check,
        solve=_best,
    ),
    Template(
        id="shopping_admin.low_stock",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which enabled products have exactly {pieces} left in stock? List their names.",
            "Make me a list of the enabled products of which precisely {pieces} are left.",
        ),
        params=_low_params,
        check=_low_check,
        solve=_low,
        second_route=_low_by_filter,
    ),
    Template(
        id="shopping_admin.chart_peak",
        sites=("shopping_admin",),
        start="__SHOPPING_ADMIN__/orders",
        logins=_LOGINS,
        intents=(
            "Look at the dashboard's chart: which {bucket} had the highest {noun} in {words}? Give the year as well.",
            "In the chart on the dashboard, covering {words}, which {bucket} stands out with the highest {noun}? Name "
            "its year too.",
        ),
        params=_bar_params,
        check=_bar_check,
        solve=_bar,
        picture=True,
    ),
    Template(
        id="shopping_admin.chart_above",
        sites=("shopping_admin",),
        start="__SHOPPING_ADMIN__/reports/low-stock",
        logins=_LOGINS,
        intents=(
            "On the dashboard's revenue chart of {words}, how many bars are higher than {line}?",
            "How many times does a {bucket} of {words} reach above {line} in the revenue chart of the dashboard?",
        ),
        params=_above_params,
        check=_above_check,
        solve=_above,
        picture=True,
    ),
)
