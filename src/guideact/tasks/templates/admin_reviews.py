"""Reviews in the back office: moderating many, correcting one, counting."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import (
    apply_filters,
    choose,
    fill,
    mass_action,
    menu,
    open_filters,
    open_row,
    save,
    search_list,
    tick_all,
    view,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}
_HINT = "Summary, text, nickname or product"

# --- all that wait for one product --------------------------------------------------------------------------------


def _approve_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name FROM review r JOIN product p ON p.id = r.product_id WHERE r.status = 'pending'"
        " GROUP BY p.id HAVING count(*) > 1 ORDER BY count(*) DESC, p.id LIMIT 3"
    ).fetchall()
    return [{"product": row["name"]} for row in rows]


def _approve_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT id FROM review WHERE status = 'pending' AND product_id IN (SELECT id FROM product WHERE name = ?)",
        (p["product"],),
    ).fetchall()
    required = tuple(
        Change(table="review", op="update", where={"id": row["id"]}, values={"status": "approved"}) for row in rows
    )
    return Check(state=(StateCheck(site="shopping", required=required),))


def _approve_listed(page: Page) -> Solver:
    yield from tick_all(page, "reviews")
    yield from mass_action(page, "Approve")
    yield from page.finish(
        say=(
            "No review of this product waits any longer, so you are done.",
            "The message counts what was approved, and the list of waiting reviews of this product is empty.",
        )
    )


def _approve(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Reviews")
    yield from view(page, "Pending")
    yield from search_list(page, _HINT, p["product"])
    yield from _approve_listed(page)


def _approve_by_filter(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Reviews")
    yield from open_filters(page)
    yield from fill(page, "Product", p["product"], where="in the filter panel")
    yield from choose(page, "Status", "Pending", where="among the filters")
    yield from apply_filters(page)
    yield from _approve_listed(page)


# --- one put right ------------------------------------------------------------------------------------------------

_CORRECTIONS = (
    ("A friend of the shop", "Good, and it lasts"),
    ("Happy buyer", "Would buy it again"),
    ("Anonymous", "Better than the old one"),
)


def _correct_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT r.nickname, r.title, p.name FROM review r JOIN product p ON p.id = r.product_id"
        " WHERE r.status = 'pending' AND (SELECT count(*) FROM review o WHERE o.status = 'pending'"
        " AND o.nickname = r.nickname) = 1 AND instr(r.title, ',') = 0 ORDER BY r.id"
    ).fetchall()
    return [
        {
            "nickname": rows[3 * at + 1]["nickname"],
            "title": rows[3 * at + 1]["title"],
            "product": rows[3 * at + 1]["name"],
            "shown": shown,
            "summary": summary,
        }
        for at, (shown, summary) in enumerate(_CORRECTIONS)
    ]


def _correct_check(db: Query, p: Params) -> Check:
    (review,) = db.execute(
        "SELECT id FROM review WHERE status = 'pending' AND nickname = ? AND title = ?", (p["nickname"], p["title"])
    ).fetchone()
    values = {"nickname": {"~": p["shown"]}, "title": {"~": p["summary"]}, "status": "approved"}
    change = Change(table="review", op="update", where={"id": review}, values=values)
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _correct_opened(page: Page, p: Params) -> Solver:
    yield from choose(page, "Status", "Approved", where="in the part “Moderation”")
    yield from fill(page, "Nickname", p["shown"], where="in the part “Review”")
    yield from fill(page, "Summary", p["summary"], where="below the nickname")
    yield from save(page, "Save review")
    yield from page.finish(
        say=(
            "The badge at the top says “Approved”, and name and summary are the new ones.",
            "Saved: the review carries its corrected words and can be read in the store.",
        )
    )


def _correct(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Reviews")
    yield from view(page, "Pending")
    yield from search_list(page, _HINT, p["nickname"])
    yield from open_row(page, p["title"])
    yield from _correct_opened(page, p)


def _correct_by_filter(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Reviews")
    yield from open_filters(page)
    yield from fill(page, "Nickname", p["nickname"], where="in the filter panel")
    yield from choose(page, "Status", "Pending", where="among the filters")
    yield from apply_filters(page)
    yield from page.click(
        "link",
        "Edit review",
        say=(
            "Open the one review that is left with “Edit” at its right end.",
            "A single row fits the filters. Its last word, “Edit”, opens the form.",
        ),
    )
    yield from _correct_opened(page, p)


# --- how many of a rating -----------------------------------------------------------------------------------------


def _count_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.name, r.rating, count(*) AS n FROM review r JOIN product p ON p.id = r.product_id"
        " WHERE NOT EXISTS (SELECT 1 FROM product q WHERE q.id <> p.id AND instr(q.name, p.name))"
        " GROUP BY p.id, r.rating HAVING n > 1 ORDER BY n DESC, p.id"
    ).fetchall()
    found: dict[int, Params] = {}
    for row in rows:
        words = f"{row['rating']} star{'s' if row['rating'] > 1 else ''}"
        found.setdefault(row["n"], {"product": row["name"], "rating": words})
    return list(found.values())[:3]


def _count_check(db: Query, p: Params) -> Check:
    (count,) = db.execute(
        "SELECT count(*) FROM review WHERE product_id IN (SELECT id FROM product WHERE name = ?) AND rating = ?",
        (p["product"], int(p["rating"][0])),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(count),)))


def _count_read(page: Page) -> Solver:
    yield from page.reach_text("Rows per page", what="the foot of the list")
    yield from page.finish(
        page.matches(r"of ([\d,]+) reviews?$")[-1].group(1),
        say=(
            "At the foot of the list stands how many reviews fit; report that figure.",
            "The rows that are left are the ones to be counted, and the line beneath them has counted already.",
        ),
    )


def _count(page: Page, p: Params) -> Solver:
    yield from menu(page, "Catalog", "Reviews")
    yield from open_filters(page)
    yield from fill(page, "Product", p["product"], where="in the filter panel")
    yield from choose(page, "Rating", p["rating"], where="in the filter panel")
    yield from apply_filters(page)
    yield from _count_read(page)


TEMPLATES = (
    Template(
        id="shopping_admin.reviews_approve",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Approve all reviews of the {product} that are waiting, and no others.",
            "I have read the pending reviews of the {product}, they are fine. Please approve them.",
        ),
        params=_approve_params,
        check=_approve_check,
        solve=_approve,
        second_route=_approve_by_filter,
    ),
    Template(
        id="shopping_admin.review_correct",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "The pending review “{title}” of the {product} by {nickname} may be published, but with the nickname "
            "“{shown}” and the summary “{summary}”.",
            "{nickname} wrote a review of the {product} that is still pending. Change its summary to “{summary}” and "
            "the nickname to “{shown}”, then approve it.",
        ),
        params=_correct_params,
        check=_correct_check,
        solve=_correct,
        second_route=_correct_by_filter,
        wrong_value=lambda db, p: {**p, "shown": p["nickname"] + " x"},
    ),
    Template(
        id="shopping_admin.reviews_count",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many reviews with {rating} has the {product} got, whatever their status?",
            "Count the reviews of the {product} that give it {rating}: pending and rejected ones too.",
        ),
        params=_count_params,
        check=_count_check,
        solve=_count,
    ),
)
