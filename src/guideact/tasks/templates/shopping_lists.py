"""Lists of products: the cheapest, how many are reduced, a list set up as asked."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import filter_by, first_listed, open_category
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import Params, Query, Template
from guideact.types import AnswerCheck, Check, UrlCheck

# --- the cheapest of a brand --------------------------------------------------------------------------------------


def _brands(db: Query) -> list[Params]:
    """Categories with a brand of at least three products, one brand a category."""
    rows = db.execute(
        "SELECT c.name AS category, d.name AS department, c.slug, p.brand, COUNT(*) AS size FROM product p"
        " JOIN category c ON c.id = p.category_id JOIN category d ON d.id = c.parent_id"
        " GROUP BY c.id, p.brand HAVING size BETWEEN 3 AND 7 ORDER BY size DESC, c.id, p.brand"
    ).fetchall()
    found: dict[str, Params] = {}
    for row in rows:
        found.setdefault(
            row["category"],
            {"category": row["category"], "department": row["department"], "slug": row["slug"], "brand": row["brand"]},
        )
    return list(found.values())


def _cheapest_params(db: Query) -> Sequence[Params]:
    fitting = [p for p in _brands(db) if len(_cheapest_names(db, p)) == 1]
    return fitting[:8:2]


def _cheapest_names(db: Query, p: Params) -> list[str]:
    rows = db.execute(
        "WITH offer AS (SELECT p.name, MIN(price_cents, COALESCE(special_price_cents, price_cents)) AS cents"
        " FROM product p JOIN category c ON c.id = p.category_id WHERE c.name = ? AND p.brand = ?)"
        " SELECT name FROM offer WHERE cents = (SELECT MIN(cents) FROM offer)",
        (p["category"], p["brand"]),
    ).fetchall()
    return [row["name"] for row in rows]


def _cheapest_check(db: Query, p: Params) -> Check:
    (name,) = _cheapest_names(db, p)
    return Check(answer=AnswerCheck(kind="text", expected=(name,)))


def _sort_by_price(page: Page) -> Solver:
    yield from page.select(
        "Sort by",
        "Price, low to high",
        say=(
            "Set “Sort by”, above the products, to “Price, low to high”; the list is put in that order at once.",
            "The order of the cards is up to the list named “Sort by”. With “Price, low to high” the first card is the "
            "least expensive.",
        ),
    )


def _cheapest(page: Page, p: Params) -> Solver:
    yield from open_category(page, p["department"], p["category"])
    yield from filter_by(page, "Brand", p["brand"])
    yield from _sort_by_price(page)
    yield from page.reach_text("Items", what="the top of the list")
    yield from page.finish(
        first_listed(page),
        say=(
            "The name on the very first card is what you were looking for.",
            "Since the list begins with the lowest price, you can stop here and give the name of its first product.",
        ),
    )


# --- how many are reduced -----------------------------------------------------------------------------------------


def _reduced_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT c.name AS category, d.name AS department, COUNT(*) AS size FROM product p"
        " JOIN category c ON c.id = p.category_id JOIN category d ON d.id = c.parent_id"
        " WHERE p.special_price_cents < p.price_cents GROUP BY c.id ORDER BY size DESC, c.id"
    ).fetchall()
    by_size = {row["size"]: row for row in reversed(rows)}
    chosen = [*(by_size[size] for size in sorted(by_size, reverse=True)), rows[1], rows[-1]]
    return [{"category": row["category"], "department": row["department"]} for row in dict.fromkeys(chosen)][:4]


def _reduced_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT COUNT(special_price_cents) AS size FROM product"
        " WHERE category_id = (SELECT id FROM category WHERE name = ?)",
        (p["category"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(row["size"]),)))


def _reduced(page: Page, p: Params) -> Solver:
    yield from open_category(page, p["department"], p["category"])
    yield from filter_by(page, "Availability", "On sale")
    yield from page.reach_text("Items", what="the line that counts the products")
    yield from page.finish(
        page.matches(r"Items \d+–\d+ of (\d+)")[0].group(1),
        say=(
            "Above the cards a line counts what is left of the list; its last figure is what you were asked for.",
            "You need not count cards: the small text beside the view buttons gives the total.",
        ),
    )


# --- a list set up as asked ---------------------------------------------------------------------------------------


def _list_params(db: Query) -> Sequence[Params]:
    return _brands(db)[1:8:2]


def _list_check(db: Query, p: Params) -> Check:
    (slug,) = db.execute("SELECT slug FROM category WHERE name = ?", (p["category"],)).fetchone()
    # The form that sorts also sends how many products a page shows.
    (size,) = db.execute("SELECT value FROM setting WHERE key = 'catalog.products_per_page'").fetchone()
    query = (("brand", p["brand"]), ("sort", "price"), ("size", size))
    return Check(url=UrlCheck(site="shopping", path=f"/c/{slug}", query=query, exact_query=True))


def _list(page: Page, p: Params) -> Solver:
    yield from open_category(page, p["department"], p["category"])
    yield from filter_by(page, "Brand", p["brand"])
    yield from _sort_by_price(page)
    yield from page.finish(
        say=(
            "The list is as it should be when the brand's label stands above it and the prices rise from card to card.",
            "Check that one brand is left and that the least expensive card comes first; there is nothing else to do.",
        ),
    )


def _list_sorted_first(page: Page, p: Params) -> Solver:
    yield from open_category(page, p["department"], p["category"])
    yield from _sort_by_price(page)
    yield from filter_by(page, "Brand", p["brand"])
    yield from page.finish(
        say=(
            "Both settings are in place: the order in “Sort by”, the brand as a label above the cards.",
            "Nothing remains to be done once the brand's label and the rising prices can be seen.",
        ),
    )


def _another_brand(db: Query, p: Params) -> Params:
    row = db.execute(
        "SELECT p.brand FROM product p JOIN category c ON c.id = p.category_id WHERE c.name = ? AND p.brand <> ?"
        " ORDER BY p.brand LIMIT 1",
        (p["category"], p["brand"]),
    ).fetchone()
    return {**p, "brand": row["brand"]}


TEMPLATES = (
    Template(
        id="shopping.cheapest",
        sites=("shopping",),
        intents=(
            "Which {brand} product in {category} is the cheapest?",
            "I'm on a budget but I like {brand}. In {category}, what is their least expensive product called?",
        ),
        params=_cheapest_params,
        check=_cheapest_check,
        solve=_cheapest,
        wrong_value=_another_brand,
    ),
    Template(
        id="shopping.reduced",
        sites=("shopping",),
        intents=(
            "How many products in {category} are on sale?",
            "Count the {category} that are reduced at the moment.",
        ),
        params=_reduced_params,
        check=_reduced_check,
        solve=_reduced,
    ),
    Template(
        id="shopping.list",
        sites=("shopping",),
        intents=(
            "Show me everything from {brand} in {category}, the cheapest first.",
            "Take me to {category}, only {brand} please, with prices going up.",
        ),
        params=_list_params,
        check=_list_check,
        solve=_list,
        second_route=_list_sorted_first,
        wrong_value=_another_brand,
    ),
)
