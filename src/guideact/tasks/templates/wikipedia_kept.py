"""Longer reading: articles weighed by their length, emblems told apart, and a wish that an article leads to."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.companies import COMPANIES
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.pictures import EMBLEMS
from guideact.tasks.shop import first_listed
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.templates.wikipedia_edit import EMMA_ID, article_id
from guideact.tasks.templates.wikipedia_long_edit import put_on_list
from guideact.tasks.wikipedia_deeds import follow, look_for, look_up, take_suggestion, use_tool
from guideact.types import Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


def _kept(db: Query, watched: str, listed: str, name: str) -> Check:
    """One article watched, one (it may be the same) put on a reading list of Emma's."""
    (number,) = db.execute("SELECT id FROM reading_list WHERE user_id = ? AND name = ?", (EMMA_ID, name)).fetchone()
    required = (
        Change(table="watch", op="insert", values={"user_id": EMMA_ID, "article_id": article_id(db, watched)}),
        Change(
            table="reading_list_item", op="insert", values={"list_id": number, "article_id": article_id(db, listed)}
        ),
    )
    return Check(state=(StateCheck(site="wikipedia", required=required),))


def _watch(page: Page, *, say: tuple[str, str]) -> Solver:
    yield from page.click("button", "Watch", direction="up", say=say)


# --- the longer of two ----------------------------------------------------------------------------------------------

_LONG = (
    ("Sourdough", "Cast iron", "To read on the train"),
    ("Gravel bicycle", "Bottom bracket", "To read on the train"),
    ("Wool", "Umbrella", "Weekend in Edinburgh"),
    ("Tent", "Desk lamp", "To read on the train"),
)


def _longer_params(db: Query) -> Sequence[Params]:
    return [{"a": a, "b": b, "list": name} for a, b, name in _LONG]


def _longer_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT a.title, r.size FROM article a JOIN revision r ON r.article_id = a.id WHERE a.title IN (?, ?)"
        " ORDER BY r.number",
        (p["a"], p["b"]),
    ).fetchall()
    sizes = {row["title"]: row["size"] for row in rows}
    longer = max(sizes, key=lambda title: sizes[title])
    return _kept(db, longer, longer, p["list"])


def _longer(page: Page, p: Params) -> Solver:
    sizes = {}
    for key in "ab":
        yield from look_up(page, p[key])
        yield from use_tool(page, "Page information")
        sizes[key] = int(page.read("Length in bytes").replace(",", ""))
    if sizes["b"] > sizes["a"]:
        yield from page.go_back(
            say=(
                "Of the two lengths this one is the greater, so go back to its article.",
                "The second article has more bytes than the first. It is the page before this one.",
            )
        )
    else:
        yield from look_up(page, p["a"])
    yield from _watch(
        page,
        say=(
            "Keep an eye on this article with “Watch”, above the text.",
            "In the row of views over the article, “Watch” puts it on your watchlist.",
        ),
    )
    yield from put_on_list(page, p["list"])
    yield from page.finish(
        say=(
            "The longer article is watched, and a message confirms the reading list.",
            "A filled star above the text and the note about the list: both things are done.",
        )
    )


# --- emblems --------------------------------------------------------------------------------------------------------

_EMBLEMS = (
    # three companies, the ground of the one to watch and the one to list, and which these are to the eye
    ("Cafeo", "Pacer", "Ferro", "red", "brown", "Ferro", "Cafeo", "To read on the train"),
    ("Inkwell", "Kickers", "Hellbach", "purple", "grey", "Inkwell", "Hellbach", "Pens and paper"),
    ("Lumina", "Optima", "Bimbo & Bo", "black", "pink", "Optima", "Bimbo & Bo", "To read on the train"),
    ("Ladle Books", "Trailhead", "Decibel", "black", "green", "Decibel", "Trailhead", "Weekend in Edinburgh"),
)


def _emblem_params(db: Query) -> Sequence[Params]:
    names = ("a", "b", "c", "ground", "ground_2", "told", "told_2", "list")
    return [dict(zip(names, row, strict=True)) for row in _EMBLEMS]


def _emblem_check(db: Query, p: Params) -> Check:
    grounds = {EMBLEMS[slug_of(p[key])][1]: p[key] for key in "abc"}
    return _kept(db, grounds[p["ground"]], grounds[p["ground_2"]], p["list"])


def _emblem(page: Page, p: Params) -> Solver:
    for key in "abc":
        yield from look_up(page, p[key])
        if p[key] == p["told"]:
            yield from _watch(
                page,
                say=(
                    f"The disc of this emblem is {p['ground']}, so press “Watch” above the article.",
                    f"Here is the {p['ground']} ground you look for; “Watch” over the text marks the article.",
                ),
            )
        elif p[key] == p["told_2"]:
            told = (
                f"A {p['ground_2']} disc: this one is for the list, so choose “Save to a reading list” at the right.",
                f"Here the emblem's ground is {p['ground_2']}. Among the tools is “Save to a reading list”.",
            )
            yield from put_on_list(page, p["list"], say=told)
    yield from page.finish(
        say=(
            "All three emblems have been looked at; one article is watched and one is on the list.",
            "Each of the two colours was found, and what was to be done with it has been confirmed.",
        )
    )


# --- a wish for the dearest thing -----------------------------------------------------------------------------------

_FOUNDERS = (
    ("Eero Lahtinen", "Too loud for the office?"),
    ("Grace Bennett", "When the old set is gone"),
    ("Olivia Carter", "For the new flat"),
    ("Sofía García", "After the winter"),
)


def _dearest_params(db: Query) -> Sequence[Params]:
    return [{"founder": founder, "note": note} for founder, note in _FOUNDERS]


def _dearest_check(db: Query, p: Params) -> Check:
    (maker,) = (one.name for one in COMPANIES.values() if one.founder == p["founder"])
    rows = db.execute(
        "SELECT id, COALESCE(special_price_cents, price_cents) AS cents FROM shop.product WHERE brand = ?"
        " AND status = 'enabled' ORDER BY cents DESC LIMIT 2",
        (maker,),
    ).fetchall()
    if rows[0]["cents"] == rows[1]["cents"]:
        raise ValueError(f"two products of {maker} cost the most")
    values = {"customer_id": 1, "product_id": rows[0]["id"], "quantity": 1, "note": {"~": p["note"]}}
    return Check(
        state=(StateCheck(site="shopping", required=(Change(table="wishlist_item", op="insert", values=values),)),)
    )


def _dearest(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, "List of companies by y", "List of companies by year of foundation")
    yield from page.reach_text(p["founder"], what=f"the row of {p['founder']}")
    row = next(line.box for line in page.lines() if line.text.strip() == p["founder"])
    makers = [
        link
        for link in page.find_all("link")
        if link.name in COMPANIES and abs(link.box.centre[1] - row.centre[1]) < row.height
    ]
    if not makers:
        raise page.stuck(f"no company in the row of {p['founder']}", [link.name for link in page.find_all("link")])
    yield from follow(page, makers[0].name, what="the company in that row", hidden=True)
    yield from _dearest_wished(page, p)


def _dearest_by_search(page: Page, p: Params) -> Solver:
    yield from look_for(page, p["founder"])
    makers = [link.name for link in page.find_all("link") if link.name in COMPANIES]
    for at, maker in enumerate(makers):
        what = "the next company that was found" if at else "the first company among the results"
        yield from follow(page, maker, what=what, hidden=True)
        yield from page.reach_text("Founder", what="the box of facts")
        if page.read("Founder") == p["founder"]:
            break
        yield from page.go_back(
            say=("Somebody else founded this one; go back.", "The box names another founder. Return to the results.")
        )
    yield from _dearest_wished(page, p)


def _dearest_wished(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Products at Lumo Market",
        direction="up",
        say=(
            "See what the shop sells of it: “Products at Lumo Market”, at the right of the article.",
            "The right-hand column has a part “Elsewhere” with the way to this company's goods in the shop.",
        ),
    )
    yield from page.select(
        "Sort by",
        "Price, high to low",
        say=(
            "Have the list begin with the dearest thing: “Price, high to low” under “Sort by”.",
            "Set “Sort by” above the cards to “Price, high to low”, so that the most expensive comes first.",
        ),
    )
    name = first_listed(page)
    yield from page.click(
        "link",
        name,
        what="the first card",
        say=(
            "Open the product on the first card by its name.",
            "Nothing costs more than what is listed first; its name leads to its page.",
        ),
    )
    yield from page.click(
        "button",
        "Add to wish list",
        say=(
            "Keep it for later with “Add to wish list”, below the cart button.",
            "It is not to be bought but wished for: the words beside the small heart do that.",
        ),
    )
    yield from page.click(
        "link",
        "Wish list",
        direction="up",
        say=(
            "Go to your wishes by the heart in the header.",
            "Notes are written on the list itself, which the heart at the top of the page opens.",
        ),
    )
    yield from page.type(
        f"Note for {name}",
        p["note"],
        what="the row of the new wish",
        say=(
            f"In the row of the new wish, write “{p['note']}”.",
            f"The wish you have just added has an empty box for a remark. It takes “{p['note']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Update wish list",
        say=(
            "Store the remark with “Update wish list”, under the last row.",
            "Only “Update wish list” at the end of the list keeps what you have written.",
        ),
    )
    yield from page.finish(
        say=(
            "The list comes back with the new wish and its remark.",
            "A message says that the list was updated, and there is nothing else to add.",
        )
    )


TEMPLATES = (
    Template(
        id="wikipedia.longer_watched",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which article is longer, “{a}” or “{b}”? Their page information gives the length in bytes. Watch the "
            "longer one and put it on my reading list “{list}”.",
            "Compare the articles on {a} and {b} by their length in bytes. The longer one should be on my watchlist "
            "and on the reading list “{list}”.",
        ),
        params=_longer_params,
        check=_longer_check,
        solve=_longer,
        wrong_value=lambda db, p: {**p, "list": "Pens and paper"},
    ),
    Template(
        id="wikipedia.emblem_kept",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Look at the emblems of {a}, {b} and {c} in the encyclopedia. Watch the article of the company whose "
            "emblem has a {ground} ground, and put the one with the {ground_2} ground on my reading list “{list}”.",
            "Of the companies {a}, {b} and {c}, one has a {ground} disc as its emblem and one a {ground_2} disc. Put "
            "the article of the first on my watchlist, and that of the second on the reading list “{list}”.",
        ),
        params=_emblem_params,
        check=_emblem_check,
        solve=_emblem,
        wrong_value=lambda db, p: {**p, "told": p["told_2"], "told_2": p["told"]},
        picture=True,
    ),
    Template(
        id="wikipedia.dearest_wished",
        sites=("wikipedia", "shopping"),
        start=_START,
        logins={"wikipedia": EMMA_WIKIPEDIA, "shopping": EMMA},
        intents=(
            "One of the companies in the encyclopedia was founded by {founder}. Put the most expensive product that "
            "Lumo Market sells of it on my wish list there, with the note “{note}”.",
            "Find out which company {founder} founded, and add the dearest thing that the shop has of it to my wish "
            "list. The note should be “{note}”.",
        ),
        params=_dearest_params,
        check=_dearest_check,
        solve=_dearest,
        second_route=_dearest_by_search,
        wrong_value=lambda db, p: {**p, "note": "Maybe"},
    ),
)
