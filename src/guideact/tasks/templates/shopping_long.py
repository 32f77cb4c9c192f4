"""Longer work in the shop: two picked by their pictures, three weighed against each other, a wish list put in order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.across import back_to
from guideact.tasks.shop import add_to_cart, open_account
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import Change, Check, StateCheck


def _state(*required: Change, allowed: tuple[Change, ...] = ()) -> Check:
    return Check(state=(StateCheck(site="shopping", required=required, allowed=allowed),))


def _id(db: Query, name: str) -> int:
    (number,) = db.execute("SELECT id FROM product WHERE name = ?", (name,)).fetchone()
    return int(number)


# --- two of a series, by their pictures -----------------------------------------------------------------------------

_PICTURED = (
    ("Harbour Mug", ("red", "stripes", 3), ("blue", "dots", 2)),
    ("Bud Vase", ("blue", "plain", 2), ("green", "zigzag", 4)),
    ("Pilea in Pot", ("red", "dots", 2), ("blue", "dots", 3)),
    ("Harbour Mug", ("green", "stripes", 4), ("blue", "stripes", 5)),
)
_LOOKS = {"stripes": "striped", "dots": "dotted", "plain": "plain", "zigzag": "zigzag"}


def _pictured_params(db: Query) -> Sequence[Params]:
    found = []
    for series, one, two in _PICTURED:
        p: dict[str, object] = {"series": series}
        for key, (colour, pattern, count) in (("", one), ("_2", two)):
            row = db.execute(
                "SELECT name FROM product WHERE name LIKE ? || '%' AND picture_colour = ? AND picture_pattern = ?",
                (series, colour, pattern),
            ).fetchone()
            p |= {
                f"colour{key}": colour,
                f"look{key}": _LOOKS[pattern],
                f"count{key}": count,
                f"seen{key}": row["name"],
            }
        found.append(p)
    return found


def _pictured_check(db: Query, p: Params) -> Check:
    patterns = {look: pattern for pattern, look in _LOOKS.items()}
    required = []
    for key in ("", "_2"):
        (fitting,) = db.execute(
            "SELECT id FROM product WHERE instr(name, ?) = 1 AND picture_colour = ? AND picture_pattern = ?",
            (p["series"], p[f"colour{key}"], patterns[p[f"look{key}"]]),
        ).fetchall()
        values = {"product_id": fitting["id"], "quantity": p[f"count{key}"], "options": {}}
        required.append(Change(table="cart_item", op="insert", values=values))
    return _state(*required)


def _pictured(page: Page, p: Params) -> Solver:
    yield from page.search(p["series"])
    results = page.seen.url
    for key in ("", "_2"):
        colour, look, seen = p[f"colour{key}"], p[f"look{key}"], p[f"seen{key}"]
        yield from back_to(page, results, "the pictures of the series")
        yield from page.click(
            "link",
            seen,
            what=f"the {colour}, {look} one",
            say=(
                f"Look for the picture that is {colour} and {look}, and open what stands below it.",
                f"One picture of the series shows a {look} piece in {colour}; the name under it leads on.",
            ),
        )
        yield from add_to_cart(page, seen, quantity=p[f"count{key}"])
    yield from page.finish(
        say=(
            "Both looks are in the cart in their numbers: the cart in the header counts all pieces.",
            "After the second confirmation nothing is missing any more.",
        )
    )


# --- the lightest of three ------------------------------------------------------------------------------------------

_WEIGHED = (
    ("Kitchen Radio", "Pebble Bluetooth Speaker", "Party Tower", 2),
    ("Enamel Farmhouse Kettle", "Rice Pot", "Milk Pan", 1),
    ("Composition Book", "Travel Journal", "Recipe Journal", 5),
    ("Peace Lily", "Snake Plant", "Kitchen Herb Trio", 3),
)


def _weighed_params(db: Query) -> Sequence[Params]:
    return [{"a": a, "b": b, "c": c, "quantity": quantity} for a, b, c, quantity in _WEIGHED]


def _weighed_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT id FROM product WHERE name IN (?, ?, ?) ORDER BY weight_grams LIMIT 1", (p["a"], p["b"], p["c"])
    ).fetchone()
    item = Change(table="cart_item", op="insert", values={"product_id": row["id"], "quantity": p["quantity"]})
    compared = Change(table="compare_item", op="insert", values={"customer_id": 1}, count=None)
    return _state(item, allowed=(compared,))


def _grams(text: str) -> float:
    number, unit = text.split()
    return float(number) * (1000 if unit == "kg" else 1)


def _weighed(page: Page, p: Params) -> Solver:
    names = [p["a"], p["b"], p["c"]]
    for name in names:
        yield from page.search(name)
        yield from page.click(
            "button",
            f"Add {name} to compare",
            say=(
                f"Mark “{name}” for comparison with the scales on its picture.",
                f"There are two small icons on the card of “{name}”. The lower one, the scales, puts it beside others.",
            ),
        )
    yield from page.click(
        "link",
        "Compare products",
        direction="up",
        say=(
            "See all three side by side: the scales in the header open the comparison.",
            "Three products are marked by now, and “Compare” at the top lays them out in one table.",
        ),
    )
    yield from page.reach_text("Weight", what="the row “Weight”")
    row = [line for line in page.lines() if re.fullmatch(r"[\d.]+ k?g", line.text.strip())]
    if len(row) != len(names):
        raise page.stuck("the table does not show three weights", [line.text for line in page.lines()], "Weight")
    weights = dict(zip(names, (line.text for line in sorted(row, key=lambda line: line.box.x)), strict=True))
    lightest = min(names, key=lambda name: _grams(weights[name]))
    yield from page.click(
        "link",
        lightest,
        direction="up",
        what="the name over the smallest weight",
        say=(
            "Find the smallest figure in the row “Weight”, and open the product at the head of its column.",
            "Of the three columns one has the lowest weight. The name at its top leads to that product's page.",
        ),
    )
    yield from add_to_cart(page, lightest, quantity=p["quantity"])
    yield from page.finish(
        say=(
            "The lightest of the three is in the cart, as the message says.",
            "One product was to be bought, and the cart has it now in the right number.",
        )
    )


# --- a wish list put in order ---------------------------------------------------------------------------------------

_WISHES = (
    ("Barnaby Bear", "For Lena's little one", "Trail Pack 35 L", 2, "Forty Soups", "Bistro Plate, Set of 4"),
    ("Reading Corner Lamp", "Measure the corner first", "Barnaby Bear", 3, "Trail Pack 35 L", "Forty Soups"),
    (
        "Bistro Plate, Set of 4",
        "Not before the move",
        "Gooseneck Pour-Over Kettle",
        4,
        "Reading Corner Lamp",
        "Forty Soups",
    ),
    ("Trail Pack 35 L", "Try it on in the store", "Gooseneck Pour-Over Kettle", 2, "Barnaby Bear", "Forty Soups"),
)


def _wishes_params(db: Query) -> Sequence[Params]:
    names = ("noted", "note", "counted", "count", "dropped", "bought")
    return [dict(zip(names, row, strict=True)) for row in _WISHES]


def _wishes_check(db: Query, p: Params) -> Check:
    def wish(key: str) -> tuple[int, int]:
        row = db.execute(
            "SELECT id, quantity FROM wishlist_item WHERE customer_id = 1 AND product_id = ?", (_id(db, p[key]),)
        ).fetchone()
        return row["id"], row["quantity"]

    def update(key: str, **values: object) -> Change:
        return Change(table="wishlist_item", op="update", where={"id": wish(key)[0]}, values=values)

    return _state(
        update("noted", note={"~": p["note"]}),
        update("counted", quantity=p["count"]),
        *(Change(table="wishlist_item", op="delete", where={"id": wish(key)[0]}) for key in ("dropped", "bought")),
        Change(
            table="cart_item",
            op="insert",
            values={"product_id": _id(db, p["bought"]), "quantity": wish("bought")[1], "cart_id": 1},
        ),
    )


def _wishes(page: Page, p: Params) -> Solver:
    yield from open_account(page, "My wish list")
    yield from page.type(
        f"Note for {p['noted']}",
        p["note"],
        what=f"the note of “{p['noted']}”",
        say=(
            f"Write “{p['note']}” into the box of “{p['noted']}”.",
            f"A remark can be kept beside each wish: give “{p['noted']}” the words “{p['note']}”.",
        ),
    )
    yield from page.type(
        f"Qty of {p['counted']}",
        str(p["count"]),
        what=f"the quantity of “{p['counted']}”",
        say=(
            f"Change the number of “{p['counted']}” to {p['count']}.",
            f"In the row of “{p['counted']}” the small box says how many you would like: {p['count']}.",
        ),
    )
    yield from page.click(
        "button",
        "Update wish list",
        say=(
            "Keep note and number with “Update wish list” below the last wish, before you go on.",
            "Store what you have typed: the button “Update wish list” stands under all rows.",
        ),
    )
    yield from page.click(
        "button",
        f"Remove {p['dropped']} from wish list",
        what=f"the row of “{p['dropped']}”",
        say=(
            f"Take “{p['dropped']}” off the list with the bin in its row.",
            f"“{p['dropped']}” is wanted no longer; the small bin at the right end of its row removes it.",
        ),
    )
    yield from page.click(
        "button",
        f"Add {p['bought']} to cart",
        what=f"the row of “{p['bought']}”",
        say=(
            f"Move “{p['bought']}” over into the cart by the button in its row.",
            f"“{p['bought']}” is to be bought: “Add to cart” beside it takes it from the list into the cart.",
        ),
    )
    yield from page.finish(
        say=(
            "The cart in the header counts what you moved, and the list is in order.",
            "Two wishes have left the list, one of them for the cart, and the others say what they should.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping.picture_pair",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "I need two kinds of the {series}: {count} of the {colour}, {look} one and {count_2} of the {colour_2}, "
            "{look_2} one. Put them in my cart.",
            "From the {series} series, please add {count} pieces in {colour} ({look}) and {count_2} in {colour_2} "
            "({look_2}) to my cart.",
        ),
        params=_pictured_params,
        check=_pictured_check,
        solve=_pictured,
        wrong_value=lambda db, p: {**p, "count_2": p["count_2"] + 1},
        picture=True,
    ),
    Template(
        id="shopping.lightest_to_cart",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "I have to carry it home myself: compare the {a}, the {b} and the {c}, and put {quantity} of the lightest "
            "in my cart.",
            "Which weighs least, the {a}, the {b} or the {c}? Add {quantity} of that one to my cart.",
        ),
        params=_weighed_params,
        check=_weighed_check,
        solve=_weighed,
        wrong_value=lambda db, p: {**p, "quantity": p["quantity"] + 2},
    ),
    Template(
        id="shopping.wishes_sorted",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Put my wish list in order: the note of the {noted} should be “{note}”, I want {count} of the {counted}, "
            "the {dropped} can go, and the {bought} goes into the cart as it is.",
            "On my wish list, write “{note}” as the note of the {noted}, set the quantity of the {counted} to {count}, "
            "remove the {dropped}, and move the {bought} to the cart.",
        ),
        params=_wishes_params,
        check=_wishes_check,
        solve=_wishes,
        wrong_value=lambda db, p: {**p, "note": "Never mind"},
    ),
)
