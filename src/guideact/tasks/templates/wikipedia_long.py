"""Longer work in the encyclopedia: several articles, preferences, the shop and its back office."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.wikipedia.corpus import by_slug
from guideact.sites.wikipedia.records import THINGS
from guideact.tasks.backoffice import fill as fill_field
from guideact.tasks.backoffice import save, search_all
from guideact.tasks.shop import add_to_cart
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.templates.wikipedia_edit import EMMA_ID, article_id
from guideact.tasks.templates.wikipedia_long_edit import put_on_list
from guideact.tasks.wikipedia_deeds import (
    fill,
    follow,
    look_for,
    look_up,
    take_suggestion,
    use_tool,
)
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


# --- a list of three ----------------------------------------------------------------------------------------------

_TRIPS = (
    ("Island hopping", "Tarnholm", "Brackle", "Skerrow"),
    ("Sunday baking", "Sourdough", "Cast iron", "A Short History of Bread"),
    ("Bicycle evening", "Bottom bracket", "Velora", "Gravel Sunday"),
    ("Three directors' films", "The Slow Ferry", "Winter Timetable", "A Kettle for Two"),
)


def _trip_params(db: Query) -> Sequence[Params]:
    return [{"name": name, "a": a, "b": b, "c": c} for name, a, b, c in _TRIPS]


def _trip_check(db: Query, p: Params) -> Check:
    (number,) = db.execute("SELECT MAX(id) + 1 FROM reading_list").fetchone()
    made = Change(table="reading_list", op="insert", values={"user_id": EMMA_ID, "name": {"~": p["name"]}})
    items = tuple(
        Change(table="reading_list_item", op="insert", values={"list_id": number, "article_id": article_id(db, p[key])})
        for key in "abc"
    )
    return Check(state=(StateCheck(site="wikipedia", required=(made, *items)),))


def _make_list(page: Page, name: str) -> Solver:
    yield from page.click(
        "link",
        "Reading lists",
        say=(
            "Open “Reading lists”, beside “Watchlist” at the top.",
            "A list is made on the page “Reading lists”, which the header links to.",
        ),
    )
    yield from fill(page, "Name of the list", name)
    yield from page.click(
        "button",
        "Create list",
        say=("Press “Create list”.", "The button “Create list” on the right makes it."),
    )


def _trip(page: Page, p: Params) -> Solver:
    yield from _make_list(page, p["name"])
    for key in "abc":
        yield from look_up(page, p[key])
        yield from put_on_list(page, p["name"])
    yield from page.finish(
        say=(
            "The third message about the list says that everything is on it.",
            "With all three articles stored, you have finished.",
        )
    )


# --- many preferences ---------------------------------------------------------------------------------------------

_SETTINGS = (
    ("Tokyo", "Asia/Tokyo", "2026-03-16", "iso", "Sepia", "sepia", "Large", "large", "50"),
    ("London, Lisbon", "Europe/London", "March 16, 2026", "month_day", "Dark", "dark", "Small", "small", "20"),
    ("Austin, Chicago", "America/Chicago", "March 16, 2026", "month_day", "Sepia", "sepia", "Small", "small", "50"),
    ("Seattle, Portland", "America/Los_Angeles", "2026-03-16", "iso", "Dark", "dark", "Large", "large", "20"),
)
_KEYS = ("zone", "zone_key", "date", "date_key", "look", "look_key", "text", "text_key", "size")


def _setting_params(db: Query) -> Sequence[Params]:
    return [dict(zip(_KEYS, values, strict=True)) for values in _SETTINGS]


def _setting_check(db: Query, p: Params) -> Check:
    (row,) = db.execute("SELECT id FROM preference WHERE user_id = ?", (EMMA_ID,)).fetchone()
    values = {
        "time_zone": p["zone_key"],
        "date_format": p["date_key"],
        "appearance": p["look_key"],
        "text_size": p["text_key"],
        "results_per_page": int(p["size"]),
    }
    change = Change(table="preference", op="update", where={"id": row}, values=values)
    return Check(state=(StateCheck(site="wikipedia", required=(change,)),))


def _setting(page: Page, p: Params) -> Solver:
    yield from page.click(
        "",
        "emma_l",
        say=(
            "Unfold the menu under your name, at the top right.",
            "Settings are reached by the menu that your user name opens.",
        ),
    )
    yield from page.click(
        "link",
        "Preferences",
        say=("Go to “Preferences”.", "Take “Preferences”, below “Your contributions”."),
    )
    yield from page.select(
        "Time zone",
        p["zone"],
        say=(
            f"Choose “{p['zone']}” as the time zone.",
            f"“Time zone” is the second list; set it to “{p['zone']}”.",
        ),
    )
    yield from _mark(page, "Date format", p["date"])
    yield from _sheet(page, "Appearance")
    yield from _mark(page, "Colours", p["look"])
    yield from _mark(page, "Text size", p["text"])
    yield from _sheet(page, "Search and changes")
    yield from page.select(
        "Search results a page",
        p["size"],
        say=(
            f"Let {p['size']} results be shown on a page.",
            f"The list on this sheet tells how many results a page has: {p['size']}.",
        ),
    )
    yield from page.click(
        "button",
        "Save preferences",
        say=(
            "Store everything with “Save preferences”.",
            "Only now press “Save preferences”, which keeps what you chose on all sheets.",
        ),
    )
    yield from page.finish(
        say=(
            "The look of the page has changed, and a message confirms it.",
            "After the message about your preferences there is nothing left to set.",
        )
    )


def _mark(page: Page, group: str, choice: str) -> Solver:
    yield from page.click(
        "radio",
        choice,
        say=(f"Mark “{choice}” under “{group}”.", f"For “{group}” the choice is “{choice}”; fill its circle."),
    )


def _sheet(page: Page, name: str) -> Solver:
    yield from page.click(
        "tab",
        name,
        say=(
            f"Switch to the sheet “{name}”.",
            f"The next settings are behind the tab “{name}” at the top of the form.",
        ),
    )


# --- the shortest article of a category ---------------------------------------------------------------------------

_SHORT = (
    ("Companies by country", "Companies of Japan"),
    ("Companies by country", "Companies of France"),
    ("Companies by country", "Companies of Spain"),
    ("Companies by trade", "Makers of tableware"),
    ("Companies by trade", "Makers of cookware"),
)


def _short_params(db: Query) -> Sequence[Params]:
    return [{"above": above, "category": category} for above, category in _SHORT]


def _short_check(db: Query, p: Params) -> Check:
    inside = [one.id for one in by_slug().values() if f"[[Category:{p['category']}]]" in one.source]
    marks = ", ".join("?" * len(inside))
    row = db.execute(
        "SELECT a.title FROM article a JOIN revision r ON r.article_id = a.id"
        " AND r.number = (SELECT MAX(number) FROM revision WHERE article_id = a.id)"
        f" WHERE a.id IN ({marks}) ORDER BY r.size LIMIT 1",
        inside,
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["title"],)))


def _short(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Categories",
        say=(
            "Choose “Categories” in the second line of the header.",
            "Articles are grouped; the link “Categories” under the search field shows the groups.",
        ),
    )
    yield from follow(page, p["above"])
    yield from follow(page, p["category"])
    head = next(line.box for line in page.lines() if line.text.startswith("Articles in this category"))
    foot = next((line.box.y for line in page.lines() if line.text.startswith("Everything in this")), 10_000)
    names = [link.name for link in page.find_all("link") if head.y + 10 < link.box.y < foot - 10]
    sizes: dict[str, int] = {}
    for at, name in enumerate(names):
        yield from follow(
            page, name, what="the next article of the category" if at else "the first article", hidden=True
        )
        yield from use_tool(page, "Page information")
        sizes[name] = int(page.read("Length in bytes").replace(",", ""))
        if at < len(names) - 1:
            yield from page.go_back(
                say=(
                    "Note the “Length in bytes” and go back to the article.",
                    "With the length in mind, return to the page before.",
                )
            )
            yield from page.go_back(
                say=(
                    "Go back once more, to the category.",
                    "One more step back brings the list of the category.",
                )
            )
    yield from page.finish(
        min(sizes, key=lambda name: sizes[name]),
        say=(
            "Of the lengths that you have noted, find the smallest and answer with the title of its article.",
            "All lengths are known now. The title that belongs to the lowest number is the answer.",
        ),
    )


# --- two books ----------------------------------------------------------------------------------------------------

_COUPLES = (
    ("Brisa Hawserly", "Ansel Featherstow"),
    ("Florian Teigwart", "Brisa Hawserly"),
    ("Ansel Featherstow", "Emeric Traverse"),
    ("Emeric Traverse", "Florian Teigwart"),
)


def _couple_params(db: Query) -> Sequence[Params]:
    return [{"a": a, "b": b} for a, b in _COUPLES]


def _title_of(author: str) -> str:
    kind = THINGS["books"]
    at = kind.names.index("Author")
    (title,) = (title for title, values in kind.rows.items() if values[at].strip("[]") == author)
    return title


def _couple_check(db: Query, p: Params) -> Check:
    required = []
    for key in "ab":
        row = db.execute("SELECT id FROM shop.product WHERE name = ?", (_title_of(p[key]),)).fetchone()
        required.append(Change(table="cart_item", op="insert", values={"product_id": row["id"], "quantity": 1}))
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _couple(page: Page, p: Params) -> Solver:
    yield from look_up(page, "List of books")
    for key, which in (("a", "the first"), ("b", "the second")):
        yield from page.reach_text(p[key], what=f"the row of {p[key]}")
        row = next(line.box for line in page.lines() if line.text.strip() == p[key])
        books = [
            link.name
            for link in page.find_all("link")
            if link.name in THINGS["books"].rows and abs(link.box.centre[1] - row.centre[1]) < 16
        ]
        yield from follow(page, books[0], what=f"{which} author's book", hidden=True)
        yield from page.click(
            "link",
            "This book at Lumo Market",
            direction="up",
            say=(
                "Go on to “This book at Lumo Market”, in the column on the right.",
                "Beside the article, under “Elsewhere”, a link leads to the book in the shop.",
            ),
        )
        yield from add_to_cart(page, "the book")
        if key == "b":
            break
        for _ in range(5):
            yield from page.go_back(
                say=(
                    "Go back towards the list of books, for the other author.",
                    "The other book is still missing, so return the way you came.",
                )
            )
            if page.shows("List of books") and page.find("link", books[0]) is not None and "List_of" in page.seen.url:
                break
    yield from page.finish(
        say=(
            "Both books are in the cart, one copy of each.",
            "The cart counts the two books, and that is all you wanted.",
        )
    )


# --- stock in the back office -------------------------------------------------------------------------------------


def _restock_params(db: Query) -> Sequence[Params]:
    authors = ("Wilma Zahlmeier", "Emeric Traverse", "Florian Teigwart", "Ansel Featherstow")
    return [
        {"author": author, "stock": stock} for author, stock in zip(authors, ("40", "25", "60", "175"), strict=True)
    ]


def _restock_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM shop.product WHERE name = ?", (_title_of(p["author"]),)).fetchone()
    change = Change(table="product", op="update", where={"id": row["id"]}, values={"stock": int(p["stock"])})
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _restock(page: Page, p: Params) -> Solver:
    yield from look_for(page, p["author"])
    books = [link.name for link in page.find_all("link") if link.name in THINGS["books"].rows]
    yield from take_suggestion(page, "Lumo M", "Lumo Market")
    yield from page.click(
        "link",
        "Back office of Lumo Market",
        direction="up",
        say=(
            "Choose “Back office of Lumo Market” under “Elsewhere”.",
            "The way to the back office is at the right of the article on the shop.",
        ),
    )
    yield from search_all(page, books[0], books[0])
    yield from fill_field(page, "Stock", p["stock"], where="in the part “Price and stock”")
    yield from save(page, "Save product")
    yield from page.finish(
        say=(
            "The product has been saved with its new stock.",
            "A green note says that the product was saved, and “Stock” has the new number.",
        )
    )


TEMPLATES = (
    Template(
        id="wikipedia.list_of_three",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Make a reading list “{name}” and put the articles {a}, {b} and {c} on it.",
            "I would like to have “{a}”, “{b}” and “{c}” on a new reading list called “{name}”.",
        ),
        params=_trip_params,
        check=_trip_check,
        solve=_trip,
        wrong_value=lambda db, p: {**p, "name": "Odds and ends"},
    ),
    Template(
        id="wikipedia.preferences_many",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Please set my preferences: time zone {zone}, dates like {date}, colours “{look}”, text size “{text}” and"
            " {size} search results a page.",
            "In my preferences choose the colours “{look}” and the text size “{text}”, {size} search results a page,"
            " the time zone “{zone}” and the date format “{date}”.",
        ),
        params=_setting_params,
        check=_setting_check,
        solve=_setting,
        wrong_value=lambda db, p: {**p, "text": "Small" if p["text"] == "Large" else "Large"},
    ),
    Template(
        id="wikipedia.shortest_article",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "I want to expand the shortest article of the category “{category}”. Which one is it, by its length in"
            " bytes?",
            "Which article in the category “{category}” has the smallest length in bytes, according to its page"
            " information?",
        ),
        params=_short_params,
        check=_short_check,
        solve=_short,
    ),
    Template(
        id="wikipedia.two_authors_to_cart",
        sites=("wikipedia", "shopping"),
        start=_START,
        logins={"wikipedia": EMMA_WIKIPEDIA, "shopping": EMMA},
        intents=(
            "Put the book by {a} and the one by {b} in my cart at Lumo Market, one copy each. The encyclopedia lists"
            " who wrote what.",
            "The encyclopedia has a list of books. Find those of {a} and {b} and add both to the cart in the shop.",
        ),
        params=_couple_params,
        check=_couple_check,
        solve=_couple,
    ),
    Template(
        id="wikipedia.author_restock",
        sites=("wikipedia", "shopping_admin"),
        start=_START,
        logins={"wikipedia": EMMA_WIKIPEDIA, "shopping_admin": ADMIN},
        intents=(
            "New copies of the book by {author} have come in; the encyclopedia knows its title. Set its stock to"
            " {stock} in the back office of Lumo Market.",
            "Find out what {author} wrote, and change the stock of that book to {stock} in the shop's back office.",
        ),
        params=_restock_params,
        check=_restock_check,
        solve=_restock,
        wrong_value=lambda db, p: {**p, "stock": "3"},
    ),
)
