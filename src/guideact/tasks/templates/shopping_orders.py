"""What a customer does with earlier orders: look something up, order again, cancel."""

from __future__ import annotations

import datetime
import json
from collections.abc import Sequence

from guideact.tasks.shop import open_account
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck


def _find_order(page: Page, number: str) -> Solver:
    """From anywhere to the list with one order in it: four steps."""
    yield from open_account(page, "My orders")
    yield from page.type(
        "Order number",
        number,
        say=(
            f"Type the order's number, {number}, into the first field above the table.",
            f"The table can be searched: {number} belongs in the field “Order number”.",
        ),
    )
    yield from page.click(
        "button",
        "Filter",
        say=(
            "Press “Filter” to leave only that order in the table.",
            "The button at the end of the same line applies the number, and a single row remains.",
        ),
    )


def _open_order(page: Page, number: str) -> Solver:
    yield from _find_order(page, number)
    yield from page.click(
        "link",
        f"View order {number}",
        say=(
            "Open it with “View order” at the right end of its row.",
            "The row ends with two choices, of which “View order” shows everything about the purchase.",
        ),
    )


# --- the number of a parcel ---------------------------------------------------------------------------------------


def _tracking_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT o.number FROM sales_order o JOIN shipment s ON s.order_id = o.id"
        " WHERE o.customer_id = 1 AND s.tracking_number <> '' GROUP BY o.id HAVING COUNT(*) = 1 ORDER BY o.id"
    ).fetchall()
    return [{"number": rows[at]["number"]} for at in (2, 5, 9, 12)]


def _tracking_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT tracking_number FROM shipment WHERE order_id = (SELECT id FROM sales_order WHERE number = ?)",
        (p["number"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["tracking_number"],)))


def _tracking(page: Page, p: Params) -> Solver:
    yield from _open_order(page, p["number"])
    yield from page.click(
        "tab",
        "Order shipments",
        say=(
            "Switch to the tab “Order shipments”, the third in the row under the heading.",
            "Parcels are listed apart from the items: the tab “Order shipments” brings them up.",
        ),
    )
    yield from page.finish(
        page.column("Tracking number")[0],
        say=(
            "Copy what stands in the last column of the parcel's row.",
            "There is one parcel, and its row ends with the code you were asked for.",
        ),
    )


# --- what one day's order came to ---------------------------------------------------------------------------------


def _total_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT created_at FROM sales_order"
        " WHERE customer_id = 1 AND created_at < '2026-01-01' AND status = 'complete' ORDER BY id"
    ).fetchall()
    found = []
    for at in (3, 5, 8, 11):
        day = datetime.date.fromisoformat(rows[at]["created_at"][:10])
        date = f"{day:%B} {day.day}, {day.year}"
        shown = f"{day:%b} {day.day}, {day.year}"
        found.append({"day": day.isoformat(), "date": date, "shown": shown, "year": str(day.year)})
    return found


def _total_check(db: Query, p: Params) -> Check:
    (order,) = db.execute(
        "SELECT total_cents FROM sales_order WHERE customer_id = 1 AND date(created_at) = ?", (p["day"],)
    ).fetchall()
    return Check(answer=AnswerCheck(kind="money", expected=(f"{order['total_cents'] / 100:.2f}",)))


def _total(page: Page, p: Params) -> Solver:
    yield from open_account(page, "My orders")
    yield from page.select(
        "Placed in",
        p["year"],
        say=(
            f"Set “Placed in” to {p['year']}, the year of the purchase.",
            f"The table goes back further than it shows. Limit it to {p['year']} in the list “Placed in”.",
        ),
    )
    yield from page.click(
        "button",
        "Filter",
        say=(
            "Apply that with the button “Filter”.",
            "Nothing changes before “Filter”, at the end of the line, has been pressed.",
        ),
    )
    while not page.shows(p["shown"]):
        yield from page.reach_text("Orders ", what="the foot of the table")
        if page.shows(p["shown"]):
            break
        yield from page.click(
            "link",
            "Next",
            what="the page numbers below the table",
            say=(
                "The date is not on this page; turn to the next one under the table.",
                "Older purchases follow on further pages, which “Next” leads to.",
            ),
        )
        yield from page.reach_text("Order total", what="the head of the table", direction="up")
    if not page.shows("Order total"):
        raise page.stuck("the table's head is out of view", [line.text for line in page.lines()], "Order total")
    yield from page.finish(
        page.cell(p["shown"], "Order total"),
        say=(
            f"Look along the row of {p['date']}: the amount under “Order total” is your answer.",
            f"Only one purchase was made on {p['date']}, and its row says what it came to.",
        ),
    )


# --- order again --------------------------------------------------------------------------------------------------


def _reorder_params(db: Query) -> Sequence[Params]:
    """Orders of which every item can be had in full today."""
    rows = db.execute(
        "SELECT o.number, COUNT(*) AS lines FROM sales_order o JOIN order_item i ON i.order_id = o.id"
        " JOIN product p ON p.id = i.product_id WHERE o.customer_id = 1 GROUP BY o.id"
        " HAVING MIN(p.stock - i.quantity) >= 0 AND MIN(p.status) = 'enabled' AND MAX(p.status) = 'enabled'"
        " AND lines BETWEEN 2 AND 4 ORDER BY o.id"
    ).fetchall()
    return [{"number": row["number"]} for row in (rows[0], rows[3], rows[-3], rows[-2])]


def _reorder_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT i.product_id, i.options, i.quantity FROM sales_order o JOIN order_item i ON o.id = i.order_id"
        " WHERE o.number = ?",
        (p["number"],),
    ).fetchall()
    required = tuple(
        Change(
            table="cart_item",
            op="insert",
            values={
                "product_id": row["product_id"],
                "options": json.loads(row["options"]),
                "quantity": row["quantity"],
            },
        )
        for row in rows
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _reorder(page: Page, p: Params) -> Solver:
    yield from _open_order(page, p["number"])
    yield from page.click(
        "button",
        "Reorder",
        say=(
            "Press “Reorder” at the top of the order; all its items are put in the cart.",
            "Beside the order's number is a button that buys the same once more. It takes you to the cart.",
        ),
    )
    yield from page.finish(
        say=(
            "The cart opens with the items of that order in it, which is all that was wanted.",
            "Check that the lines in the cart are those of the earlier purchase, and leave it at that.",
        )
    )


def _reorder_from_list(page: Page, p: Params) -> Solver:
    yield from _find_order(page, p["number"])
    yield from page.click(
        "button",
        f"Reorder {p['number']}",
        say=(
            "Use “Reorder” in the order's own row.",
            "There is no need to open the order, since its row has a button for buying it again.",
        ),
    )
    yield from page.finish(
        say=(
            "As soon as the cart shows the items, the work is done.",
            "You land in the cart; what it holds is the former order.",
        )
    )


# --- cancel -------------------------------------------------------------------------------------------------------


def _cancel_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT number FROM sales_order WHERE customer_id = 1 AND status = 'pending' ORDER BY id"
    ).fetchall()
    return [{"number": row["number"]} for row in rows]


def _cancel_check(db: Query, p: Params) -> Check:
    order = db.execute("SELECT id FROM sales_order WHERE number = ?", (p["number"],)).fetchone()
    back = db.execute(
        "SELECT p.id, p.stock + SUM(i.quantity) AS stock FROM order_item i JOIN product p ON p.id = i.product_id"
        " WHERE i.order_id = ? GROUP BY p.id",
        (order["id"],),
    ).fetchall()
    required = (
        Change(table="sales_order", op="update", where={"id": order["id"]}, values={"status": "canceled"}),
        Change(table="order_comment", op="insert", values={"order_id": order["id"], "status": "canceled"}),
        *(
            Change(table="product", op="update", where={"id": row["id"]}, values={"stock": row["stock"]})
            for row in back
        ),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _cancel(page: Page, p: Params) -> Solver:
    yield from _open_order(page, p["number"])
    yield from page.click(
        "button",
        "Cancel order",
        say=(
            "Press the red button “Cancel order” and agree to the question that follows.",
            "An order that has not been handled yet can be called off by the last button beside its number; the shop "
            "asks once whether you mean it.",
        ),
    )
    yield from page.finish(
        say=(
            "The status next to the number has changed to “Canceled”.",
            "A message confirms that the order was called off, so nothing is left to do.",
        )
    )


def _cancel_from_list(page: Page, p: Params) -> Solver:
    yield from open_account(page, "My orders")
    yield from page.click(
        "link",
        p["number"],
        say=(
            f"Click the number {p['number']} in the first column.",
            "Recent orders head the table, and each number opens its order.",
        ),
    )
    yield from page.click(
        "button",
        "Cancel order",
        say=(
            "Call it off with “Cancel order”, confirming the question.",
            "The red button near the top does what you want once you have said yes to its question.",
        ),
    )
    yield from page.finish(
        say=(
            "You are done when the order is marked as “Canceled”.",
            "Its new status stands right beside the number.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping.order_tracking",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "What is the tracking number of my order {number}?",
            "I'd like to follow the parcel of order #{number}. Which tracking number does it have?",
        ),
        params=_tracking_params,
        check=_tracking_check,
        solve=_tracking,
    ),
    Template(
        id="shopping.order_of_a_day",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "How much did I pay in total for the order I placed on {date}?",
            "I'm doing my accounts: what did my order of {date} come to, everything included?",
        ),
        params=_total_params,
        check=_total_check,
        solve=_total,
    ),
    Template(
        id="shopping.reorder",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "I want the same again as in order {number}. Put it all in my cart.",
            "Please fill my cart with everything from my order {number}, same options and quantities.",
        ),
        params=_reorder_params,
        check=_reorder_check,
        solve=_reorder,
        second_route=_reorder_from_list,
    ),
    Template(
        id="shopping.cancel_order",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "I ordered the wrong thing. Cancel my order {number}.",
            "Please call off order {number} before it is packed.",
        ),
        params=_cancel_params,
        check=_cancel_check,
        solve=_cancel,
        second_route=_cancel_from_list,
    ),
)
