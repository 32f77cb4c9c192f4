"""Weighing things up: two products side by side, and when a parcel would come."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from guideact.tasks.shop import open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import Params, Query, Template
from guideact.types import AnswerCheck, Check

# --- the heavier of two -------------------------------------------------------------------------------------------


def _pairs(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT a.name AS first, b.name AS second FROM product a JOIN product b ON b.category_id = a.category_id"
        " WHERE a.id < b.id AND ABS(a.weight_grams - b.weight_grams) > 100 AND a.price_cents > b.price_cents"
        " AND a.name NOT LIKE b.name || '%' AND b.name NOT LIKE a.name || '%'"
        " AND a.id IN (SELECT MIN(id) + 2 FROM product GROUP BY category_id) ORDER BY a.id, b.id DESC"
    ).fetchall()
    found: dict[str, Params] = {}
    for row in rows:
        found.setdefault(row["first"], {"first": row["first"], "second": row["second"]})
    return [list(found.values())[at] for at in (0, 3, 6, 9)]


def _pair_check(db: Query, p: Params) -> Check:
    heavy = db.execute(
        "SELECT name FROM product WHERE name IN (?, ?) ORDER BY weight_grams DESC LIMIT 1", (p["first"], p["second"])
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(heavy["name"],)))


def _grams(text: str) -> float:
    number, unit = text.split()
    return float(number) * (1000 if unit == "kg" else 1)


def _pair(page: Page, p: Params) -> Solver:
    for name in (p["first"], p["second"]):
        yield from page.search(name)
        yield from page.click(
            "button",
            f"Add {name} to compare",
            say=(
                f"On the card of “{name}”, click the scales below the heart.",
                f"The second small icon on a picture marks a product for comparison. Do that for “{name}”.",
            ),
        )
    yield from page.click(
        "link",
        "Compare products",
        direction="up",
        say=(
            "Open the comparison with “Compare” at the top of the page.",
            "Both are marked, so have them put side by side: the scales in the header do that.",
        ),
    )
    yield from page.reach_text("Weight", what="the row about weight")
    row = [line for line in page.lines() if line.text.strip().endswith((" g", " kg"))]
    if len(row) < 2:
        raise page.stuck("the table does not show two weights", [line.text for line in page.lines()], "Weight")
    first, second = (line.text for line in sorted(row, key=lambda line: line.box.x)[:2])
    yield from page.finish(
        p["first"] if _grams(first) > _grams(second) else p["second"],
        say=(
            "Compare the two figures in the row “Weight” and name the product above the larger one.",
            "One row of the table gives the weights. Mind the units when you decide which column wins.",
        ),
    )


def _pair_one_by_one(page: Page, p: Params) -> Solver:
    weights = []
    for name in (p["first"], p["second"]):
        yield from open_product(page, name)
        yield from page.click(
            "tab",
            "More information",
            say=(
                "Look at the tab “More information”.",
                "The weight is among the facts that the middle tab lists.",
            ),
        )
        yield from page.reach_text("Weight", what="the table of facts")
        weights.append(_grams(page.read("Weight")))
    yield from page.finish(
        p["first"] if weights[0] > weights[1] else p["second"],
        say=(
            "Having seen both weights, name the product with the larger one.",
            "The higher of the two figures decides.",
        ),
    )


# --- when it would arrive -----------------------------------------------------------------------------------------

_PLACES = (
    ("Finland", "00530", "Standard delivery"),
    ("Germany", "80331", "Express delivery"),
    ("United States", "97209", "Standard delivery"),
    ("Sweden", "41101", "Standard delivery"),
)


def _arrival_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM product WHERE stock > 10 AND id NOT IN (SELECT product_id FROM product_option)"
        " ORDER BY weight_grams DESC, id"
    ).fetchall()
    return [
        {"product": rows[at]["name"], "country": country, "postcode": postcode, "way": way, "how": way.lower()}
        for at, (country, postcode, way) in zip((0, 40, 3, 90), _PLACES, strict=True)
    ]


def _arrival_check(db: Query, p: Params) -> Check:
    """The shop's rule, worked out by hand: working days by country, region and weight, counted from 16 March 2026."""
    (grams,) = db.execute("SELECT weight_grams FROM product WHERE name = ?", (p["product"],)).fetchone()
    days = {"Finland": 2, "Sweden": 3, "Estonia": 3, "Germany": 4, "United States": 7}[p["country"]]
    days += {"0": 0, "1": 0, "2": 0, "3": 0, "4": 1, "5": 1, "6": 1, "7": 1, "8": 2, "9": 2}[p["postcode"][0]]
    days += grams > 10_000
    if p["way"] == "Express delivery":
        days = max(1, days - 2)
    weeks, rest = divmod(days, 5)
    # 16 March 2026 is a Monday: fewer than five working days more stay within the week.
    day = date(2026, 3, 16) + timedelta(days=7 * weeks + rest)
    return Check(answer=AnswerCheck(kind="date", expected=(day.isoformat(),)))


def _arrival(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from page.select(
        "Country",
        p["country"],
        say=(
            f"In the box “When would it arrive?”, pick {p['country']}.",
            f"A small form under the cart button estimates delivery. It starts with the country: {p['country']}.",
        ),
    )
    yield from page.type(
        "Postcode",
        p["postcode"],
        say=(
            f"Type the postcode {p['postcode']} beside it.",
            f"The field to its right is for the postcode, {p['postcode']}.",
        ),
    )
    yield from page.click(
        "button",
        "Estimate delivery",
        say=(
            "Ask for the dates with “Estimate delivery”.",
            "Once both are filled in, the button under them works out two dates.",
        ),
    )
    yield from page.reach_text(p["way"], what="the dates under the form")
    yield from page.finish(
        page.read(p["way"]),
        say=(
            f"Read the day that stands next to “{p['way']}”.",
            f"Two kinds of delivery are listed with a day each, and “{p['way']}” is the one in question.",
        ),
    )


def _other_country(db: Query, p: Params) -> Params:
    return {**p, "country": "Estonia" if p["country"] != "Sweden" else "Germany"}


TEMPLATES = (
    Template(
        id="shopping.heavier",
        sites=("shopping",),
        intents=(
            "Which is heavier, the {first} or the {second}?",
            "I have to carry it home: of the {first} and the {second}, which one weighs more?",
        ),
        params=_pairs,
        check=_pair_check,
        solve=_pair,
        second_route=_pair_one_by_one,
    ),
    Template(
        id="shopping.arrival",
        sites=("shopping",),
        intents=(
            "If I order the {product} today by {how}, on which date does it reach postcode {postcode} in {country}?",
            "When would the {product} arrive in {country}, postcode {postcode}, with {how}? Give me the date.",
        ),
        params=_arrival_params,
        check=_arrival_check,
        solve=_arrival,
        wrong_value=_other_country,
    ),
)
