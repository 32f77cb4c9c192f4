"""Work that begins in the back office and ends in the store."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.backoffice import menu, open_row, save, search_all, search_list
from guideact.tasks.shop import add_to_cart
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__SHOPPING_ADMIN__/"
_SITES = ("shopping_admin", "shopping")
_LOGINS = {"shopping_admin": ADMIN, "shopping": EMMA}


def _view_in_store(page: Page) -> Solver:
    yield from page.click(
        "link",
        "View in store",
        direction="up",
        say=(
            "Look at it as a customer does: “View in store”, at the top right, opens a new tab.",
            "Beside the title is “View in store”, which shows the product's page in the shop.",
        ),
    )


# --- a review taken down ------------------------------------------------------------------------------------------


def _hide_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name, min(r.id) AS review, count(*) AS n FROM review r JOIN product p ON p.id = r.product_id"
        " WHERE r.status = 'approved' AND p.status = 'enabled' GROUP BY p.id HAVING n BETWEEN 4 AND 9"
        " ORDER BY n, p.id"
    ).fetchall()
    found: dict[int, Params] = {}
    for row in rows:
        review = db.execute("SELECT nickname, title FROM review WHERE id = ?", (row["review"],)).fetchone()
        (alike,) = db.execute(
            "SELECT count(*) FROM review WHERE nickname = ? AND title = ?", (review["nickname"], review["title"])
        ).fetchone()
        if alike == 1:
            found.setdefault(
                row["n"], {"product": row["name"], "nickname": review["nickname"], "title": review["title"]}
            )
    return list(found.values())[:3]


def _hide_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT r.id, (SELECT count(*) FROM review o WHERE o.product_id = r.product_id AND o.status = 'approved') AS n"
        " FROM review r WHERE r.nickname = ? AND r.title = ?",
        (p["nickname"], p["title"]),
    ).fetchone()
    change = Change(table="review", op="update", where={"id": row["id"]}, values={"status": "rejected"})
    return Check(
        answer=AnswerCheck(kind="number", expected=(str(row["n"] - 1),)),
        state=(StateCheck(site="shopping", required=(change,)),),
    )


def _hide(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Reviews")
    yield from search_list(page, "Summary, text, nickname or product", p["nickname"])
    yield from page.click(
        "link",
        p["title"],
        near=p["product"],
        say=(
            f"Open the review “{p['title']}” in the row of “{p['product']}”.",
            f"This writer may have several reviews; the one to open is of “{p['product']}” and reads “{p['title']}”.",
        ),
    )
    yield from _hide_opened(page, p)


def _hide_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Reject",
        say=(
            "Take the review down with “Reject” at the top right.",
            "Only approved reviews are public, so “Reject” is all it takes.",
        ),
    )
    yield from page.click(
        "link",
        p["product"],
        say=(
            f"Go on to the product itself: “{p['product']}” is a link in the line below the heading.",
            f"Under the title of the review it says what was reviewed. Follow “{p['product']}” there.",
        ),
    )
    yield from _view_in_store(page)
    yield from page.reach("link", "reviews", what="the stars under the name", direction="up")
    counts = [found.group(1) for link in page.find_all("link") if (found := re.match(r"(\d+) reviews?$", link.name))]
    if not counts:
        raise page.stuck("no number of reviews", [link.name for link in page.find_all("link")], "3 reviews")
    yield from page.finish(
        counts[0],
        say=(
            "Next to the stars under the product's name stands the number of reviews left: answer with it.",
            "The shop counts only what is public; read the figure right beside the stars.",
        ),
    )


# --- a price, tried at once ---------------------------------------------------------------------------------------


def _price_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM product p WHERE status = 'enabled' AND stock > 20 AND special_price_cents IS NULL"
        " AND price_cents > 5000 AND id NOT IN (SELECT product_id FROM product_option)"
        " AND NOT EXISTS (SELECT 1 FROM product q WHERE q.id <> p.id AND instr(q.name, p.name)) ORDER BY id"
    ).fetchall()
    return [
        {"product": rows[4 * at + 2]["name"], "price": price, "quantity": quantity}
        for at, (price, quantity) in enumerate((("39.00", 2), ("44.50", 3), ("35.90", 2)))
    ]


def _price_check(db: Query, p: Params) -> Check:
    (product,) = db.execute("SELECT id FROM product WHERE name = ?", (p["product"],)).fetchone()
    cents = round(float(p["price"]) * 100)
    required = (
        Change(table="product", op="update", where={"id": product}, values={"special_price_cents": cents}),
        Change(
            table="cart_item",
            op="insert",
            values={"product_id": product, "quantity": p["quantity"], "unit_cents": cents},
        ),
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _price(page: Page, p: Params) -> Solver:
    yield from search_all(page, p["product"], p["product"])
    yield from _price_opened(page, p)


def _price_from_the_list(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Products")
    yield from search_list(page, "Name, SKU or brand", p["product"])
    yield from open_row(page, p["product"])
    yield from _price_opened(page, p)


def _price_opened(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Special price",
        p["price"],
        say=(
            f"Write {p['price']} into “Special price”, right of the ordinary one.",
            f"The part “Price and stock” has a second price, for sales. It becomes {p['price']}.",
        ),
    )
    yield from save(page, "Save product")
    yield from _view_in_store(page)
    yield from add_to_cart(page, p["product"], quantity=p["quantity"])
    yield from page.finish(
        say=(
            "The cart holds the pieces at the new price; both halves of the work are finished.",
            "A customer now pays less, which the cart has just shown, so stop here.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping_admin.review_hide_and_count",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "{nickname}'s review “{title}” of the {product} breaks our rules. Reject it in the back office, then look "
            "at the product in the store and tell me how many reviews it still shows.",
            "Reject the review “{title}” that {nickname} wrote about the {product}. How many reviews does the store "
            "show for that product afterwards?",
        ),
        params=_hide_params,
        check=_hide_check,
        solve=_hide,
    ),
    Template(
        id="shopping_admin.price_and_cart",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Give the {product} a special price of ${price} in the back office. Then try it out in the store, where "
            "you are signed in as a customer: put {quantity} of them in the cart.",
            "Set the special price of the {product} to ${price}, and add {quantity} of it to the cart in the store to "
            "see that it works.",
        ),
        params=_price_params,
        check=_price_check,
        solve=_price,
        second_route=_price_from_the_list,
        wrong_value=lambda db, p: {**p, "price": "29.00"},
    ),
)
