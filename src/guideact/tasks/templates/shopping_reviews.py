"""Reviews of a product: counting them, finding one, writing one."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.shop import open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck


def _open_reviews(page: Page) -> Solver:
    yield from page.click(
        "tab",
        "Reviews",
        say=(
            "Open the tab “Reviews” in the lower half of the page.",
            "What others think has a tab of its own below the product; the number of opinions stands in its title.",
        ),
    )


# --- how many stars -----------------------------------------------------------------------------------------------


def _stars_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name, r.rating, COUNT(*) AS size,"
        " (SELECT COUNT(*) FROM review x WHERE x.product_id = p.id AND x.status = 'approved') AS total"
        " FROM review r JOIN product p ON p.id = r.product_id WHERE r.status = 'approved' AND r.rating BETWEEN 2 AND 5"
        " GROUP BY p.id, r.rating HAVING size BETWEEN 2 AND 6 AND total > 5 AND size <> r.rating"
        " ORDER BY p.id, r.rating"
    ).fetchall()
    chosen: dict[str, Params] = {}
    for row in rows:
        chosen.setdefault(row["name"], {"product": row["name"], "stars": row["rating"]})
    found = list(chosen.values())
    return [found[at] for at in (0, 3, 7, 12)]


def _stars_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT SUM(rating = ?) AS size FROM review WHERE status = 'approved'"
        " AND product_id = (SELECT id FROM product WHERE name = ?)",
        (p["stars"], p["product"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(row["size"]),)))


def _stars(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from _open_reviews(page)
    label = f"{p['stars']} stars"
    yield from page.reach_text("1 star", what="the overview of ratings")
    yield from page.finish(
        page.read(label),
        say=(
            f"Find the bar labelled “{label}” in the overview; the count at its end is what you were asked for.",
            "Each rating has a bar, and a number to the right of it tells how many gave that many stars.",
        ),
    )


# --- the harshest critic ------------------------------------------------------------------------------------------


def _critic_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name FROM product p JOIN review r ON r.product_id = p.id AND r.status = 'approved'"
        " GROUP BY p.id HAVING COUNT(*) > 6"
        " AND SUM(r.rating = (SELECT MIN(x.rating) FROM review x WHERE x.product_id = p.id"
        " AND x.status = 'approved')) = 1"
        " ORDER BY p.id"
    ).fetchall()
    return [{"product": rows[at]["name"]} for at in (1, 3, 5, 7)]


def _critic_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT nickname FROM review WHERE status = 'approved' AND product_id = (SELECT id FROM product WHERE name = ?)"
        " ORDER BY rating LIMIT 1",
        (p["product"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["nickname"],)))


def _critic(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from _open_reviews(page)
    yield from page.select(
        "Sort reviews by",
        "Lowest rating",
        say=(
            "Sort the reviews with the list above them, by “Lowest rating”.",
            "To have the unhappiest voice first, set “Sort reviews by” to “Lowest rating”; the page loads again.",
        ),
    )
    yield from page.reach_text("By ", what="the first review")
    names = page.matches(r"^By (.+), [A-Z][a-z]{2} \d+, \d{4}$")
    yield from page.finish(
        names[0].group(1),
        say=(
            "The first review now is the least favourable one, and the line below its text says who wrote it.",
            "Take the name from the small line under the review at the top of the list.",
        ),
    )


# --- writing one --------------------------------------------------------------------------------------------------

_REVIEWS = (
    (5, "Emma", "Exactly what I needed", "It arrived on time and works as described."),
    (4, "EmmaL", "Very good", "One star less because the box was dented."),
    (2, "Austin Emma", "Not for me", "Smaller than I had expected from the description."),
    (3, "EmmaReads", "It is all right", "Fine for the price, nothing more."),
)


def _write_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT DISTINCT i.product_id, i.name FROM order_item i JOIN sales_order o ON o.id = i.order_id"
        " WHERE o.customer_id = 1 AND o.status = 'complete'"
        " AND i.product_id NOT IN (SELECT product_id FROM review WHERE customer_id = 1) ORDER BY i.product_id"
    ).fetchall()
    return [
        {"product": rows[at * 3]["name"], "stars": stars, "nickname": nickname, "title": title, "body": body}
        for at, (stars, nickname, title, body) in enumerate(_REVIEWS)
    ]


def _write_check(db: Query, p: Params) -> Check:
    product = db.execute("SELECT id FROM product WHERE name = ?", (p["product"],)).fetchone()
    values = {
        "product_id": product["id"],
        "customer_id": 1,
        "rating": p["stars"],
        "nickname": {"~": p["nickname"]},
        "title": {"~": p["title"]},
        "body": {"~": p["body"]},
    }
    return Check(state=(StateCheck(site="shopping", required=(Change(table="review", op="insert", values=values),)),))


def _write(page: Page, p: Params) -> Solver:
    yield from open_product(page, p["product"])
    yield from _open_reviews(page)
    label = f"{p['stars']} stars"
    yield from page.click(
        "radio",
        label,
        say=(
            f"Give {label} in the form “Write a review” on the right.",
            f"The form begins with a row of empty stars. A click on the right one makes it {label}.",
        ),
    )
    yield from page.type(
        "Nickname",
        p["nickname"],
        say=(
            f"Sign the review as “{p['nickname']}”.",
            f"The name that others will see goes into “Nickname”; here it is “{p['nickname']}”.",
        ),
    )
    yield from page.type(
        "Summary",
        p["title"],
        say=(
            f"Write the headline “{p['title']}” into “Summary”.",
            f"A few words sum it up in the next field: “{p['title']}”.",
        ),
    )
    yield from page.type(
        "Review",
        p["body"],
        role="textbox",
        say=(
            f"Enter the text in the large box: “{p['body']}”",
            f"What you have to say in full belongs in the box “Review”. It reads “{p['body']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Submit review",
        say=(
            "Send it with “Submit review” below the box.",
            "The button at the end of the form hands the review in, and a message says that it waits for approval.",
        ),
    )
    yield from page.finish(
        say=(
            "The note at the top says that your review was sent. It appears once the shop has approved it.",
            "Do not look for the review yet: being told that it was received is all there is to see today.",
        )
    )


TEMPLATES = (
    Template(
        id="shopping.review_stars",
        sites=("shopping",),
        intents=(
            "How many customers gave the {product} exactly {stars} stars?",
            "I don't trust averages. How many {stars}-star reviews does the {product} have?",
        ),
        params=_stars_params,
        check=_stars_check,
        solve=_stars,
    ),
    Template(
        id="shopping.review_critic",
        sites=("shopping",),
        intents=(
            "Who wrote the least favourable review of the {product}? Give me the nickname.",
            "One customer liked the {product} less than everybody else did. Under which nickname?",
        ),
        params=_critic_params,
        check=_critic_check,
        solve=_critic,
    ),
    Template(
        id="shopping.review_write",
        sites=("shopping",),
        logins={"shopping": EMMA},
        intents=(
            "Review the {product} for me: {stars} stars, nickname {nickname}, summary “{title}”, and the text “{body}”",
            "Leave a {stars}-star review of the {product} as {nickname}. Headline: “{title}”. Text: “{body}”",
        ),
        params=_write_params,
        check=_write_check,
        solve=_write,
        wrong_value=lambda db, p: {**p, "stars": 2 + p["stars"] % 4},
    ),
)
