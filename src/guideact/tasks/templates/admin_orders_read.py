"""Orders of the back office, looked at: the largest of a status, and one sum of one order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.backoffice import (
    apply_filters,
    choose,
    menu,
    open_filters,
    open_order,
    search_all,
    view,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import AnswerCheck, Check

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}


# --- the largest order of a status --------------------------------------------------------------------------------


def _largest_params(db: Query) -> Sequence[Params]:
    return [
        {"status": label, "words": words}
        for label, words in (
            ("Pending", "that are still pending"),
            ("Processing", "being processed"),
            ("On hold", "that are on hold"),
            ("Closed", "that have been closed"),
        )
    ]


def _largest_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT number FROM sales_order WHERE replace(status, '_', ' ') = lower(?) ORDER BY total_cents DESC, id",
        (p["status"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["number"],)))


def _sort_by_total(page: Page) -> Solver:
    yield from page.click(
        "link",
        "Sort by Total",
        say=(
            "Click the column title “Total” to sort by it; the smallest amounts come first.",
            "The rows can be put in order by their amounts: the head of the column “Total” is a link.",
        ),
    )
    yield from page.click(
        "link",
        "Sort by Total",
        say=(
            "Click the same title again so that the largest amount moves to the top.",
            "The order is rising now. A second click on “Total” turns it round, as the little arrow shows.",
        ),
    )


def _first_number(page: Page) -> str:
    return next(link.name for link in page.find_all("link") if re.fullmatch(r"\d{9}", link.name))


def _largest(page: Page, p: Params) -> Solver:
    yield from menu(page, "Sales", "Orders")
    yield from view(page, p["status"])
    yield from _sort_by_total(page)
    yield from page.finish(
        _first_number(page),
        say=(
            "The first row is the largest order; its number, at the left, is the answer.",
            "Answer with what is printed in blue in the topmost row.",
        ),
    )


def _largest_by_filter(page: Page, p: Params) -> Solver:
    yield from menu(page, "Sales", "Orders")
    yield from _sort_by_total(page)
    yield from open_filters(page)
    yield from choose(page, "Status", p["status"], where="in the filter panel")
    yield from apply_filters(page)
    yield from page.reach("link", "View order", what="the first row of the table")
    yield from page.finish(
        _first_number(page),
        say=(
            "Read the number at the beginning of the first row.",
            "The order by amount is kept while filtering, so the top row has what was asked for.",
        ),
    )


# --- one sum of one order -----------------------------------------------------------------------------------------

_SUMS = {"Tax": "tax_cents", "Delivery": "shipping_cents", "Discount": "discount_cents", "Subtotal": "subtotal_cents"}
_SUM_WORDS = {
    "Tax": "tax was charged",
    "Delivery": "was charged for delivery",
    "Discount": "discount was given",
    "Subtotal": "were the goods alone, before discount, delivery and tax,",
}


def _sum_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT number FROM sales_order WHERE discount_cents > 0 AND shipping_cents > 0 AND status = 'complete'"
        " ORDER BY id DESC LIMIT 8"
    ).fetchall()
    return [{"order": rows[at]["number"], "label": label, "words": _SUM_WORDS[label]} for at, label in enumerate(_SUMS)]


def _sum_check(db: Query, p: Params) -> Check:
    (cents,) = db.execute(f"SELECT {_SUMS[p['label']]} FROM sales_order WHERE number = ?", (p["order"],)).fetchone()
    return Check(answer=AnswerCheck(kind="money", expected=(f"{cents / 100:.2f}",)))


def _amount(page: Page, label: str) -> str:
    """The amount right of a label: the word “Delivery” also stands before the way of sending."""
    for head in (line.box for line in page.seen.texts if line.text == label):
        for line in page.seen.texts:
            if line.box.x > head.x and abs(line.box.centre[1] - head.centre[1]) < 8 and "$" in line.text:
                return line.text.lstrip("−")
    raise page.stuck(f"no amount beside {label!r}", [line.text for line in page.seen.texts], label)


def _sum_opened(page: Page, p: Params) -> Solver:
    yield from page.reach_text("Totals", what="the frame “Totals”")
    yield from page.finish(
        _amount(page, p["label"]),
        say=(
            f"In the frame “Totals” on the right, the line “{p['label']}” holds the answer.",
            f"Look to the right of the items: the sums of the order are listed there, “{p['label']}” among them.",
        ),
    )


def _sum(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["order"], f"Order {p['order']}")
    yield from _sum_opened(page, p)


def _sum_from_the_list(page: Page, p: Params) -> Solver:
    yield from open_order(page, p["order"])
    yield from _sum_opened(page, p)


TEMPLATES = (
    Template(
        id="shopping_admin.order_largest",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which order with the status “{status}” has the highest total? I need its number.",
            "Of all orders {words}, find the one worth most and tell me the order number.",
        ),
        params=_largest_params,
        check=_largest_check,
        solve=_largest,
        second_route=_largest_by_filter,
    ),
    Template(
        id="shopping_admin.order_sum",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "How much {words} on order {order}?",
            "A customer has order {order} in front of them and asks how much {words} on it. What do I say?",
        ),
        params=_sum_params,
        check=_sum_check,
        solve=_sum,
        second_route=_sum_from_the_list,
    ),
)
