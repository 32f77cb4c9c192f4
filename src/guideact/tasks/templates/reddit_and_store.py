"""Work that begins on the boards and ends in the store, or the other way round."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from guideact.tasks.boards import done, find_post, press, write
from guideact.tasks.shop import PRICE, add_to_cart, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, EMMA_REDDIT, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__REDDIT__/"
_SITES = ("reddit", "shopping")
_LOGINS = {"reddit": EMMA_REDDIT, "shopping": EMMA}

_RECOMMENDED: tuple[tuple[str, str, str], ...] = (
    # a post that asks, the product that its best comment names, why one asks
    ("Which bottle does not taste of bottle?", "Squeeze Bottle", "a bottle that tastes of nothing"),
    ("Something that survives a dark hall and me", "Peace Lily", "a plant for a dark hall"),
    ("An umbrella for a windy bridge", "Storm Umbrella", "an umbrella for a windy bridge"),
    ("A tent that stands up to wind without a second mortgage", "Dome Tent for Two", "a tent that stands up to wind"),
    ("Music for the garden, rain included", "Porch Speaker", "music in the garden"),
    ("Which watering can has a rose that does not fall off?", "Watering Can 5 L", "a watering can"),
    ("Eighteen square metres, four guests for dinner", "Folding Guest Chair", "chairs for a small room"),
    ("Kettle for pour-over that does not cost like a car", "Gooseneck Pour-Over Kettle", "a kettle for pour-over"),
)


def _cents(db: Query, product: str) -> int:
    row = db.execute("SELECT price_cents, special_price_cents FROM shop.product WHERE name = ?", (product,)).fetchone()
    cents: int = row["special_price_cents"] or row["price_cents"]
    return cents


def _product(db: Query, title: str) -> str:
    """What the best comment of a thread recommends: the only product of the shop that it names."""
    (body,) = db.execute(
        "SELECT c.body FROM comment c JOIN post p ON p.id = c.post_id WHERE p.title = ? AND c.status = 'visible'"
        " ORDER BY c.ups - c.downs DESC LIMIT 1",
        (title,),
    ).fetchone()
    rows = db.execute(
        "SELECT name FROM shop.product WHERE instr(?, name) ORDER BY length(name) DESC", (body,)
    ).fetchall()
    name: str = rows[0]["name"]
    return name


def _read_thread(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.reach_text(p["product"], what="the first comment")
    yield from page.click(
        "link",
        "Lumo Market",
        say=(
            "Remember what the first comment recommends, then go to the shop by “Lumo Market” in the left column.",
            "The comment with the most points names a product. “Lumo Market” at the left, under"
            " “Neighbours”, sells it.",
        ),
    )


# --- the price of what is recommended -------------------------------------------------------------------------------


def _price_params(db: Query) -> Sequence[Params]:
    return [{"title": title, "product": product, "why": why} for title, product, why in _RECOMMENDED[1::2]]


def _price_check(db: Query, p: Params) -> Check:
    cents = _cents(db, _product(db, p["title"]))
    return Check(answer=AnswerCheck(kind="money", expected=(f"${cents // 100}.{cents % 100:02}",)))


def _price(page: Page, p: Params) -> Solver:
    yield from _read_thread(page, p)
    yield from open_product(page, p["product"])
    yield from page.finish(
        (yield from page.reach_below(p["product"], PRICE, what="the price")),
        say=(
            "Read the price under the name of the product; where there are two, the bold one holds.",
            "The large figure beside the picture is what it costs today, and what was asked.",
        ),
    )


# --- into the cart --------------------------------------------------------------------------------------------------


def _cart_params(db: Query) -> Sequence[Params]:
    counts = (2, 1, 1, 4)
    return [
        {"title": title, "product": product, "why": why, "quantity": count}
        for (title, product, why), count in zip(_RECOMMENDED[0::2], counts, strict=True)
    ]


def _cart_check(db: Query, p: Params) -> Check:
    (key,) = db.execute("SELECT id FROM shop.product WHERE name = ?", (_product(db, p["title"]),)).fetchone()
    item = Change(table="cart_item", op="insert", values={"product_id": key, "quantity": p["quantity"]})
    return Check(state=(StateCheck(site="shopping", required=(item,)),))


def _cart(page: Page, p: Params) -> Solver:
    yield from _read_thread(page, p)
    yield from open_product(page, p["product"])
    yield from add_to_cart(page, p["product"], quantity=p["quantity"])
    yield from page.finish(
        say=(
            "A message confirms that it lies in the cart, in the number that was asked for.",
            "The count on the cart in the header has gone up, and that is all.",
        )
    )


# --- a link to the shop, and a price for the thread -----------------------------------------------------------------


def _told_params(db: Query) -> Sequence[Params]:
    titles = (
        "A radio that only does radio",
        "A moon for the shelf",
        "Planner for the rest of the year, much reduced",
        "An enamel kettle that complains",
    )
    return [
        {"title": title, "prefix": "Today it costs", "product": _told_product(db, title)["name"]} for title in titles
    ]


def _told_product(db: Query, title: str) -> sqlite3.Row:
    """What a post links to."""
    (url,) = db.execute("SELECT url FROM post WHERE title = ?", (title,)).fetchone()
    query = "SELECT name, price_cents, special_price_cents FROM shop.product WHERE slug = ?"
    found: sqlite3.Row = db.execute(query, (url.rsplit("/", 1)[1],)).fetchone()
    return found


def _told_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM post WHERE title = ?", (p["title"],)).fetchone()
    product = _told_product(db, p["title"])
    cents = product["special_price_cents"] or product["price_cents"]
    body = f"{p['prefix']} ${cents // 100}.{cents % 100:02}"
    values = {"post_id": row["id"], "parent_id": None, "author_id": 1, "body": {"~": body}}
    return Check(state=(StateCheck(site="reddit", required=(Change(table="comment", op="insert", values=values),)),))


def _told(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.click(
        "link",
        "Lumo Market",
        near=p["title"],
        say=(
            "Follow the framed link under the title; it leads to the product in the shop.",
            "The post is a link, shown in a frame with the name of the shop. Open it to see the price.",
        ),
    )
    price = p.get("price") or (yield from page.reach_below(p["product"], PRICE, what="the price"))
    yield from page.go_back(
        say=(
            "Note the price, then go back to the boards.",
            "With the price in mind, return to the post by the way you came.",
        )
    )
    yield from write(page, "Add a comment", f"{p['prefix']} {price}")
    yield from press(page, "Post comment")
    yield from done(page)


# --- a link that sells ----------------------------------------------------------------------------------------------


def _stock_params(db: Query) -> Sequence[Params]:
    titles = (
        "The book with the timetables of 1978",
        "Herbs for people who cook",
        "Storm umbrella, for the record",
        "Four people, one dome: the large one is on sale",
    )
    return [{"title": title} for title in titles]


def _stock_check(db: Query, p: Params) -> Check:
    (url,) = db.execute("SELECT url FROM post WHERE title = ?", (p["title"],)).fetchone()
    (sku,) = db.execute("SELECT sku FROM shop.product WHERE slug = ?", (url.rsplit("/", 1)[1],)).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(sku,)))


def _stock(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.click(
        "link",
        "Lumo Market",
        near=p["title"],
        say=(
            "Open the framed link of the post to get to the shop.",
            "Under the title is a link in a frame, and it ends at the product's own page in the shop.",
        ),
    )
    found = yield from page.reach_matches(r"^SKU (\S+)", what="the code behind “SKU”")
    if not found:
        raise page.stuck("no article number", [line.text for line in page.lines()], "SKU")
    yield from page.finish(
        found[0].group(1),
        say=(
            "The code after “SKU”, in grey beside the stars, is the answer.",
            "In the line below the product's name look for “SKU”; what follows it was asked for.",
        ),
    )


TEMPLATES = (
    Template(
        id="reddit.recommended_price",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Under “{title}” on the boards, what does the comment with the most points recommend, and"
            " what does it cost at"
            " Lumo Market today? Answer with the price.",
            "I need {why}. The best comment in the thread “{title}” names a product that Lumo Market sells. What is its"
            " price there at the moment?",
        ),
        params=_price_params,
        check=_price_check,
        solve=_price,
    ),
    Template(
        id="reddit.recommended_cart",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Find out what the best comment under “{title}” recommends, and put {quantity} of it into my"
            " cart at Lumo Market.",
            "Looking for {why}: take what the top comment in “{title}” advises and put it in my Lumo Market cart,"
            " quantity {quantity}.",
        ),
        params=_cart_params,
        check=_cart_check,
        solve=_cart,
        wrong_value=lambda db, p: {**p, "quantity": p["quantity"] + 2},
    ),
    Template(
        id="reddit.price_told",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "The post “{title}” links to a product of Lumo Market. Comment under it with exactly these words and the"
            " current price: {prefix} $...",
            "Look up what the thing linked in “{title}” costs at Lumo Market now, and tell the others in a comment that"
            " reads “{prefix}” and then the price, such as $1.00, with nothing after it.",
        ),
        params=_told_params,
        check=_told_check,
        solve=_told,
        wrong_value=lambda db, p: {**p, "price": "$1.00"},
    ),
    Template(
        id="reddit.linked_sku",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "What is the SKU of the product that the post “{title}” links to?",
            "The post “{title}” on the boards leads to something at Lumo Market. Which article number (SKU) has it?",
        ),
        params=_stock_params,
        check=_stock_check,
        solve=_stock,
    ),
)
