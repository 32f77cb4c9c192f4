"""Facts about one product: its price, its material, how many are left."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import PRICE, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import Params, Query, Template
from guideact.types import AnswerCheck, Check

# --- the price ----------------------------------------------------------------------------------------------------


def _price_params(db: Query) -> Sequence[Params]:
    on_sale = db.execute(
        "SELECT name FROM product WHERE special_price_cents IS NOT NULL AND stock > 0"
        " AND id NOT IN (SELECT product_id FROM product_option) ORDER BY id LIMIT 12"
    ).fetchall()
    regular = db.execute(
        "SELECT name FROM product WHERE special_price_cents IS NULL AND stock > 5 AND price_cents > 10000"
        " AND id NOT IN (SELECT product_id FROM product_option) ORDER BY id"
    ).fetchall()
    return [{"product": row["name"]} for row in (on_sale[1], regular[2], on_sale[6], regular[9])]


def _price_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT COALESCE(special_price_cents, price_cents) AS cents FROM product WHERE name = ?", (p["product"],)
    ).fetchone()
    return Check(answer=AnswerCheck(kind="money", expected=(f"{row['cents'] / 100:.2f}",)))


def _price(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from page.finish(
        (yield from page.reach_below(p["product"], PRICE, what="the price")),
        say=(
            "Read the price in large print under the product's name; a crossed-out figure next to it no longer counts.",
            "What the product costs today stands right below its title. That amount is your answer.",
        ),
    )


def _price_from_the_list(page: Page, p: Params) -> Solver:
    yield from page.search(p["product"])
    yield from page.reach("link", p["product"])
    yield from page.finish(
        (yield from page.reach_below(p["product"], PRICE, what="the price")),
        say=(
            "There is no need to open anything: the card of the product shows its price under the name.",
            "Take the amount on the card itself, leaving aside any price that is struck through.",
        ),
    )


# --- the material -------------------------------------------------------------------------------------------------


def _material_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM product WHERE id IN"
        " (SELECT MIN(id) FROM product WHERE material <> '' GROUP BY category_id) ORDER BY material, id"
    ).fetchall()
    return [{"product": rows[at]["name"]} for at in (1, 7, 13, 19)]


def _material_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT material FROM product WHERE name = ?", (p["product"],)).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["material"],)))


def _material(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from page.click(
        "tab",
        "More information",
        say=(
            "Switch to the tab “More information” below the picture; a small table of facts replaces the description.",
            "Three tabs divide the lower part of the page. The facts about the make are in the middle one, "
            "“More information”.",
        ),
    )
    yield from page.reach_text("Material", what="the table of facts")
    yield from page.finish(
        page.read("Material"),
        say=(
            "Find the row “Material” in the table: what stands to its right is the answer.",
            "The table has one fact a row, and the one about the material tells what you were asked.",
        ),
    )


def _material_from_the_list(page: Page, p: Params) -> Solver:
    yield from page.search(p["product"])
    yield from page.click(
        "link",
        "View as list",
        say=(
            "Change the results to a list with the second of the two small buttons above them.",
            "In list view every entry gets a line with its material: the switch for that is above the results.",
        ),
    )
    yield from page.reach("link", p["product"])
    found = page.below(p["product"], r".+ · SKU")
    yield from page.finish(
        found.removesuffix(" · SKU"),
        say=(
            "The grey line of the entry names the material before the SKU, and nothing more is needed.",
            "Read what comes first in the line under the price.",
        ),
    )


# --- what is left in stock ----------------------------------------------------------------------------------------


def _left_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM product WHERE stock BETWEEN 2 AND 5 AND id NOT IN (SELECT product_id FROM product_option)"
        " ORDER BY id"
    ).fetchall()
    return [{"product": rows[at]["name"]} for at in (1, 2, 5, 8)]


def _left_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT stock FROM product WHERE name = ?", (p["product"],)).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(row["stock"]),)))


def _left(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    left = yield from page.reach_matches(r"Only (\d+) left", what="the label that warns how few are left")
    yield from page.finish(
        left[0].group(1),
        say=(
            "Look at the small label under the price: it warns how few pieces remain, and that figure is the answer.",
            "A product that is nearly gone says so between its price and the quantity. Report the number given there.",
        ),
    )


TEMPLATES = (
    Template(
        id="shopping.price",
        sites=("shopping",),
        intents=(
            "What does the {product} cost right now?",
            "I'd like to buy a {product} for a friend. How much would I pay for one today?",
            "Tell me today's price of the {product}.",
        ),
        params=_price_params,
        check=_price_check,
        solve=_price,
        second_route=_price_from_the_list,
    ),
    Template(
        id="shopping.material",
        sites=("shopping",),
        intents=(
            "What is the {product} made of?",
            "My sister is picky about materials. Which one does the shop give for the {product}?",
        ),
        params=_material_params,
        check=_material_check,
        solve=_material,
        second_route=_material_from_the_list,
    ),
    Template(
        id="shopping.left_in_stock",
        sites=("shopping",),
        intents=(
            "How many of the {product} are left?",
            "I want to order several of the {product}. What is the most the shop still has?",
        ),
        params=_left_params,
        check=_left_check,
        solve=_left,
    ),
)
