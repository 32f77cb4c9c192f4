"""Things that only the picture tells: colour, pattern, shape. Names never say them."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import PRICE, add_to_cart, open_category, open_listed
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

# --- one of a series ----------------------------------------------------------------------------------------------

_SERIES = (
    ("Harbour Mug", "green", "striped", "stripes"),
    ("Atelier Lamp", "black", "plain", "plain"),
    ("Bud Vase", "yellow", "plain", "plain"),
    ("Roll-Top Backpack", "red", "plain", "plain"),
    ("Harbour Mug", "blue", "dotted", "dots"),
)


def _series_params(db: Query) -> Sequence[Params]:
    found = []
    for series, colour, look, pattern in _SERIES:
        row = db.execute(
            "SELECT name FROM product WHERE name LIKE ? || '%' AND picture_colour = ? AND picture_pattern = ?",
            (series, colour, pattern),
        ).fetchone()
        found.append({"series": series, "colour": colour, "look": look, "pattern": pattern, "seen": row["name"]})
    return found


def _series_check(db: Query, p: Params) -> Check:
    (fitting,) = db.execute(
        "SELECT id, picture_colour, picture_pattern FROM product WHERE substr(name, 1, ?) = ?"
        " AND picture_colour || picture_pattern = ?",
        (len(p["series"]), p["series"], p["colour"] + p["pattern"]),
    ).fetchall()
    values = {"product_id": fitting["id"], "quantity": 1, "options": {}}
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="cart_item", op="insert", values=values),)),)
    )


def _series(page: Page, p: Params) -> Solver:
    yield from page.search(p["series"])
    yield from page.click(
        "link",
        p["seen"],
        what=f"the {p['colour']}, {p['look']} one",
        say=(
            f"Compare the pictures and open the {p['colour']}, {p['look']} one, named “{p['seen']}”.",
            f"The names of this series are alike, so go by the pictures: “{p['seen']}” is the right one.",
        ),
    )
    yield from add_to_cart(page, p["seen"])
    yield from page.finish(
        say=(
            "The right one is in your cart when the message names the product whose picture you chose.",
            "One more item is counted beside the cart icon; nothing else is needed.",
        )
    )


def _series_from_the_list(page: Page, p: Params) -> Solver:
    yield from page.search(p["series"])
    yield from page.click(
        "button",
        f"Add {p['seen']} to cart",
        what=f"the button under the {p['look']} one in {p['colour']}",
        say=(
            f"Use the button on the card whose picture is {p['colour']} and {p['look']}.",
            "The cards have cart buttons of their own, so there is no need to open anything once you know the picture.",
        ),
    )
    yield from page.finish(
        say=(
            "A note at the top confirms that the piece is in the cart.",
            "You are through when the number by the cart icon has gone up.",
        )
    )


# --- the price of what looks so -----------------------------------------------------------------------------------

_LOOKS = (
    ("Kettles & Cookware", "kettle", "yellow"),
    ("Tableware", "glass", "purple"),
    ("Vases, Clocks & Candles", "clock", "red"),
    ("Garden & Umbrellas", "umbrella", "green"),
    ("Toys", "car", "red"),
    ("Lamps & Lighting", "pendant", "orange"),
    ("Hats & Scarves", "hat", "blue"),
)


def _look_params(db: Query) -> Sequence[Params]:
    found = []
    for category, shape, colour in _LOOKS:
        rows = db.execute(
            "SELECT p.name, d.name AS department FROM product p JOIN category c ON c.id = p.category_id"
            " JOIN category d ON d.id = c.parent_id"
            " WHERE c.name = ? AND p.picture_shape = ? AND p.picture_colour = ?",
            (category, shape, colour),
        ).fetchall()
        if len(rows) == 1:
            row = rows[0]
            found.append(
                {
                    "category": category,
                    "department": row["department"],
                    "shape": shape,
                    "colour": colour,
                    "seen": row["name"],
                }
            )
    return found[:5]


def _look_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT price_cents, special_price_cents FROM product WHERE picture_shape = ? AND picture_colour = ?"
        " AND category_id IN (SELECT id FROM category WHERE name = ?)",
        (p["shape"], p["colour"], p["category"]),
    ).fetchone()
    cents = row["special_price_cents"] or row["price_cents"]
    return Check(answer=AnswerCheck(kind="money", expected=(f"${cents / 100:.2f}",)))


def _look(page: Page, p: Params) -> Solver:
    yield from open_category(page, p["department"], p["category"])
    while page.find("link", p["seen"]) is None and page.find("link", "Next") is not None:
        yield from page.click(
            "link",
            "Next",
            say=(
                f"No {p['colour']} {p['shape']} on this page: turn to the next one below the cards.",
                f"The list goes on. “Next”, under the last row, shows more pictures to look for the {p['shape']} in.",
            ),
        )
    yield from open_listed(page, p["seen"], what=f"the {p['colour']} {p['shape']}")
    yield from page.finish(
        (yield from page.reach_below(p["seen"], PRICE, what="the price")),
        say=(
            f"The large picture shows the {p['colour']} {p['shape']}, so the price beside it is the one you want.",
            "With the right picture in front of you, read what it costs: the figure under the name.",
        ),
    )


TEMPLATES = (
    Template(
        id="shopping.picture_series",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Of the {series} series, add the {colour}, {look} one to my cart.",
            "I saw the {series} in {colour} ({look}) at a friend's place. Put that one in my cart, please.",
        ),
        params=_series_params,
        check=_series_check,
        solve=_series,
        second_route=_series_from_the_list,
        picture=True,
    ),
    Template(
        id="shopping.picture_price",
        sites=("shopping",),
        intents=(
            "How much is the {colour} {shape} in {category}?",
            "There is a {colour} {shape} under {category}. What does it cost?",
        ),
        params=_look_params,
        check=_look_check,
        solve=_look,
        picture=True,
    ),
)
