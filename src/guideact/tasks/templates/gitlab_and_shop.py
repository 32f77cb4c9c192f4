"""Questions that are asked on the forge and answered by what the shop or its back office knows."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import search_all
from guideact.tasks.gitlab_deeds import fill, open_issue, save, side
from guideact.tasks.shop import PRICE
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__GITLAB__/"


def _answer(db: Query, path: str, issue: str, words: str) -> Check:
    """A comment of Emma's on an issue that holds some words, and nothing else changed."""
    (number,) = db.execute(
        "SELECT i.id FROM issue i JOIN project p ON p.id = i.project_id WHERE p.full_path = ? AND i.title = ?",
        (path, issue),
    ).fetchone()
    values = {"issue_id": number, "author_id": 1, "body": {"contains": words}}
    return Check(state=(StateCheck(site="gitlab", required=(Change(table="note", op="insert", values=values),)),))


def _back_to_the_issue(page: Page, issue: str) -> Solver:
    for _ in range(6):
        if page.find("textbox", "Comment") is not None or page.shows("Edit issue"):
            return
        yield from page.go_back(
            say=(
                "Go back one page.",
                f"What you came for is in your head now, so return towards the issue “{issue}”.",
            )
        )


# --- the state of an order ------------------------------------------------------------------------------------------

_ORDERS = (
    ("Order 000000368: may we send it?", "000000368"),
    ("Order 000000322: what became of it?", "000000322"),
    ("Order 000000365: packed or not?", "000000365"),
)


def _status_params(db: Query) -> Sequence[Params]:
    return [{"issue": issue, "number": number} for issue, number in _ORDERS]


def _status_check(db: Query, p: Params) -> Check:
    (status,) = db.execute(
        "SELECT replace(o.status, '_', ' ') FROM shop.sales_order o WHERE o.number = ?", (p["number"],)
    ).fetchone()
    return _answer(db, "lumo-market/order-desk", p["issue"], status)


def _status(page: Page, p: Params) -> Solver:
    yield from open_issue(page, "lumo-market/order-desk", p["issue"])
    yield from side(page, "Back office")
    yield from search_all(page, p["number"], p["number"])
    heading = f"Order {p['number']}"
    yield from page.reach_text(heading, what="the heading with the number")
    title = next(line for line in page.lines() if line.text.startswith(heading))
    beside = [
        line for line in page.lines() if abs(line.box.centre[1] - title.box.centre[1]) < 14 and line.box.x > title.box.x
    ]
    status = title.text.removeprefix(heading).strip() or min(beside, key=lambda line: line.box.x).text
    yield from _back_to_the_issue(page, p["issue"])
    yield from fill(page, "Comment", status, where="below the thread", shown="the status of the order")
    yield from save(page, "Comment")
    yield from page.finish(
        say=(
            "The question is answered: the status stands in the thread under your name.",
            "With your comment at the end of the activity there is nothing left to look up.",
        )
    )


# --- what something costs -------------------------------------------------------------------------------------------

_PRICES = (
    (
        "lumo-market/storefront",
        "Storefront",
        "The price of the Gooseneck Pour-Over Kettle in our newsletter",
        "Gooseneck Pour-Over Kettle",
    ),
    (
        "lumo-market/storefront",
        "Storefront",
        "Trail Pack 35 L: is it still in the shop, and for how much?",
        "Trail Pack 35 L",
    ),
    ("slow-kettle/steep-timer", "Steep Timer", "Which kettle for the congress?", "Glass Tea Kettle"),
    ("ainov/lamp-timer", "Lamp Timer", "Does it work with the Tripod Floor Lamp?", "Tripod Floor Lamp"),
)


def _price_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "product"), row, strict=True)) for row in _PRICES]


def _price_check(db: Query, p: Params) -> Check:
    (cents,) = db.execute(
        "SELECT coalesce(q.special_price_cents, q.price_cents) FROM shop.product q WHERE q.name = ?", (p["product"],)
    ).fetchone()
    return _answer(db, p["path"], p["issue"], f"{cents / 100:.2f}")


def _price(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from side(page, "The shop")
    yield from page.search(p["product"])
    yield from page.reach("link", p["product"])
    price = yield from page.reach_below(p["product"], PRICE, what="the price")
    yield from _back_to_the_issue(page, p["issue"])
    yield from fill(page, "Comment", price, where="below the thread", shown="the price that the shop shows")
    yield from save(page, "Comment")
    yield from page.finish(
        say=(
            "Your comment with the amount is the last entry of the thread.",
            "Whoever asked can now read the price under your name: that is all.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.order_status_answer",
        sites=("gitlab", "shopping_admin"),
        start=_START,
        logins={"gitlab": EMMA_GITLAB, "shopping_admin": ADMIN},
        intents=(
            "Someone asks “{issue}” in the project Order Desk on the forge. Look the order up in the shop's back "
            "office and comment its status there.",
            "Answer the issue “{issue}” of Order Desk: find the order in the back office and write its status as a "
            "comment.",
        ),
        params=_status_params,
        check=_status_check,
        solve=_status,
        wrong_value=lambda db, p: {**p, "number": "000000001"},
    ),
    Template(
        id="gitlab.price_answer",
        sites=("gitlab", "shopping"),
        start=_START,
        logins={"gitlab": EMMA_GITLAB, "shopping": EMMA},
        intents=(
            "The issue “{issue}” of {project} asks for a price. See what the shop wants for the {product} at the "
            "moment and write the amount below the issue as a comment.",
            "In {project} somebody would like to know what the {product} costs (“{issue}”). Look it up in the shop and "
            "reply with a comment.",
        ),
        params=_price_params,
        check=_price_check,
        solve=_price,
        wrong_value=lambda db, p: {**p, "product": "Whistle Kettle 1.5 L"},
    ),
)
