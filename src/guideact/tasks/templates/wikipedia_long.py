"""Longer work in the encyclopedia: several articles, an edit and a word about it, the shop and its back office."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.wikipedia.library import by_slug
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.records import THINGS
from guideact.tasks.backoffice import fill as fill_field
from guideact.tasks.backoffice import save, search_all
from guideact.tasks.shop import add_to_cart
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, EMMA, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import (
    fill,
    follow,
    look_for,
    look_up,
    open_history,
    open_talk,
    summarise,
    take_suggestion,
    use_tool,
)
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}
_EMMA = 1


def _article(db: Query, title: str) -> int:
    (number,) = db.execute("SELECT id FROM article WHERE title = ?", (title,)).fetchone()
    return int(number)


def _revision(db: Query, title: str, body: str, summary: str) -> Change:
    values = {"article_id": _article(db, title), "user_id": _EMMA, "summary": {"~": summary}, "body": {"~": body}}
    return Change(table="revision", op="insert", values=values)


_WATCHED = Change(table="watch", op="insert", values={"user_id": _EMMA}, count=None)
"""What one edits is watched from then on, unless one's preferences say otherwise."""


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
    made = Change(table="reading_list", op="insert", values={"user_id": _EMMA, "name": {"~": p["name"]}})
    items = tuple(
        Change(table="reading_list_item", op="insert", values={"list_id": number, "article_id": _article(db, p[key])})
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


def _put_on_list(page: Page, name: str) -> Solver:
    yield from use_tool(page, "Save to a reading list")
    yield from page.select(
        "Reading list",
        name,
        say=(
            f"Select “{name}” in the window that opens.",
            f"All your lists are offered in the window; it is “{name}” that you need.",
        ),
    )
    yield from page.click(
        "button",
        "Add to list",
        say=("Confirm with “Add to list”.", "“Add to list” stores it, and the window goes away."),
    )


def _trip(page: Page, p: Params) -> Solver:
    yield from _make_list(page, p["name"])
    for key in "abc":
        yield from look_up(page, p[key])
        yield from _put_on_list(page, p["name"])
    yield from page.finish(
        say=(
            "The third message about the list says that everything is on it.",
            "With all three articles stored, you have finished.",
        )
    )


# --- a correction and a word about it -----------------------------------------------------------------------------

_TOLD = (
    ("Slow Kettle Society", "Employees", "4", "A librarian has been employed", "Employees"),
    ("Töölö Bicycle Workshop", "Open", "Tuesdays, Thursdays and Saturdays", "New day since March", "Opening days"),
    ("Gravel bicycle", "Tyres", "35 to 55 mm", "Wider tyres exist by now", "Width of tyres"),
    ("Velora", "Employees", "151", "Seven more since January", "Number of employees"),
)


def _told_params(db: Query) -> Sequence[Params]:
    return [
        {"title": title, "fact": fact, "value": value, "summary": why, "topic": topic}
        for title, fact, value, why, topic in _TOLD
    ]


def _told_check(db: Query, p: Params) -> Check:
    source = by_slug()[slug_of(p["title"])].source
    body, count = re.subn(rf"(?m)^{re.escape(p['fact'])} = .*$", f"{p['fact']} = {p['value']}", source)
    if count != 1:
        raise ValueError(f"{p['title']} has {count} lines {p['fact']!r}")
    topic = Change(
        table="talk_topic", op="insert", values={"article_id": _article(db, p["title"]), "title": {"~": p["topic"]}}
    )
    comment = Change(table="talk_comment", op="insert", values={"user_id": _EMMA, "body": {"~": p["summary"]}})
    required = (_revision(db, p["title"], body, p["summary"]), topic, comment)
    return Check(state=(StateCheck(site="wikipedia", required=required, allowed=(_WATCHED,)),))


def _told(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from page.click(
        "link",
        "Edit the box of facts",
        say=(
            "At the end of the article choose “Edit the box of facts”.",
            "The box has a form of its own. Its link “Edit the box of facts” stands in the last line.",
        ),
    )
    yield from fill(page, p["fact"], p["value"])
    yield from summarise(page, p["summary"])
    yield from page.click(
        "button",
        "Save facts",
        say=("Press “Save facts”.", "“Save facts” under the form stores the correction."),
    )
    yield from open_talk(page)
    yield from fill(page, "Topic", p["topic"])
    yield from fill(page, "Comment", p["summary"])
    yield from page.click(
        "button",
        "Add topic",
        say=("Add it with “Add topic”.", "Your words appear on the page when you press “Add topic”."),
    )
    yield from page.finish(
        say=(
            "The fact is corrected, and the talk page says why.",
            "Once the new topic stands on the talk page, both halves are done.",
        )
    )


# --- a tidier watchlist -------------------------------------------------------------------------------------------

_SWAPS = (
    ("Kettle", "Nordvik", "Moka pot", "Volta"),
    ("Stoneware", "Half-frame camera", "Enamel", "Compass"),
    ("Gravel Sunday", "Kettle", "Silent Pour", "Harbour Cup"),
    ("Tarnholm Bridge", "Nordvik", "Lantern Bridge", "Ladder Bridge"),
)


def _swap_params(db: Query) -> Sequence[Params]:
    return [{"out_a": a, "out_b": b, "in_a": c, "in_b": d} for a, b, c, d in _SWAPS]


def _swap_check(db: Query, p: Params) -> Check:
    gone = tuple(
        Change(table="watch", op="delete", where={"user_id": _EMMA, "article_id": _article(db, p[key])})
        for key in ("out_a", "out_b")
    )
    added = tuple(
        Change(table="watch", op="insert", values={"user_id": _EMMA, "article_id": _article(db, p[key])})
        for key in ("in_a", "in_b")
    )
    return Check(state=(StateCheck(site="wikipedia", required=(*gone, *added)),))


def _swap(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Watchlist",
        say=(
            "Begin with “Watchlist” in the header.",
            "The link “Watchlist”, at the top right, shows everything you watch.",
        ),
    )
    for key in ("out_a", "out_b"):
        yield from page.click(
            "button",
            f"Unwatch {p[key]}",
            say=(
                f"Take “{p[key]}” off with the button in its row.",
                f"The row of “{p[key]}” ends with “Unwatch”, which removes it.",
            ),
        )
    for key in ("in_a", "in_b"):
        yield from look_up(page, p[key])
        yield from page.click(
            "button",
            "Watch",
            say=(
                "Click the star “Watch” over the article.",
                "“Watch”, the last of the tabs, puts this article on your list.",
            ),
        )
    yield from page.finish(
        say=(
            "Two articles have left the list and two have come to it.",
            "The message about the second new article was the last step.",
        )
    )


def _swap_at_the_articles(page: Page, p: Params) -> Solver:
    for key, button in (("in_a", "Watch"), ("in_b", "Watch"), ("out_a", "Unwatch"), ("out_b", "Unwatch")):
        yield from look_up(page, p[key])
        yield from page.click(
            "button",
            button,
            say=(f"Press “{button}” above the text.", f"The star at the end of the tabs reads “{button}” here."),
        )
    yield from page.finish(say=("All four stars are as they should be.", "Nothing is left to be changed."))


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
    (row,) = db.execute("SELECT id FROM preference WHERE user_id = ?", (_EMMA,)).fetchone()
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


# --- two sections -------------------------------------------------------------------------------------------------

_TWICE = (
    ("Seine", "In Paris", "the oldest of them", "the oldest bridge among them",
     "Isar", "In Munich", "on eight kilometres", "along eight kilometres", "Clearer wording"),
    ("Spree", "In Berlin", "Excursion boats", "Sightseeing boats",
     "Elbe", "In Hamburg", "pedestrians and bicycles", "walkers and bicycles", "Plainer words"),
    ("Candle", "Burning", "A wide candle", "A broad candle",
     "Felt", "Pens", "were once of real felt", "used to be of real felt", "Style"),
    ("Hark", "Cinema", "in July, in coats", "one July, in coats",
     "Second Thought", "Name", "Nobody is asked", "No one is asked", "Small changes of style"),
)  # fmt: skip


def _twice_params(db: Query) -> Sequence[Params]:
    keys = ("a", "part_a", "old_a", "new_a", "b", "part_b", "old_b", "new_b", "summary")
    return [dict(zip(keys, values, strict=True)) for values in _TWICE]


def _twice_check(db: Query, p: Params) -> Check:
    required = []
    for key in "ab":
        source = by_slug()[slug_of(p[key])].source
        if source.count(p[f"old_{key}"]) != 1:
            raise ValueError(f"{p[key]}: {p['old_' + key]!r} must stand once")
        required.append(_revision(db, p[key], source.replace(p[f"old_{key}"], p[f"new_{key}"]), p["summary"]))
    return Check(state=(StateCheck(site="wikipedia", required=tuple(required), allowed=(_WATCHED,)),))


def _twice(page: Page, p: Params) -> Solver:
    for key in "ab":
        yield from look_up(page, p[key])
        part, old, new = p[f"part_{key}"], p[f"old_{key}"], p[f"new_{key}"]
        yield from page.click(
            "link",
            f"Edit “{part}”",
            what=f"the heading “{part}”",
            say=(
                f"Use the “Edit” beside the heading “{part}”.",
                f"Only one section has to be changed: click “Edit” to the right of “{part}”.",
            ),
        )
        field = page.find("textbox", "Section text")
        if field is None:
            raise page.stuck("no field with the section's text")
        yield from page.type(
            "Section text",
            field.value.replace(old, new, 1),
            say=(
                f"Replace “{old}” by “{new}” in the section's text.",
                f"In the source that is shown, “{old}” becomes “{new}”; everything else stays.",
            ),
        )
        yield from summarise(page, p["summary"])
        yield from page.click(
            "button",
            "Save changes",
            say=("Save with “Save changes”.", "“Save changes” ends the edit and brings back the article."),
        )
    yield from page.finish(
        say=(
            "Both articles have been saved with the new words.",
            "The message after the second edit shows that all is done.",
        )
    )


# --- a new article ------------------------------------------------------------------------------------------------

_NEW = (
    ("Egg cup", "An '''egg cup''' is a small cup that holds a boiled egg upright.", "To read on the train"),
    ("Bread board", "A '''bread board''' is a board on which bread is cut.", "Pens and paper"),
    ("Tea cosy", "A '''tea cosy''' is a cover that keeps a [[teapot]] warm.", "Weekend in Edinburgh"),
    ("Blotting paper", "'''Blotting paper''' takes up the ink that a pen has left.", "Pens and paper"),
)


def _new_params(db: Query) -> Sequence[Params]:
    return [{"title": title, "text": text, "list": name} for title, text, name in _NEW]


def _new_check(db: Query, p: Params) -> Check:
    (number,) = db.execute("SELECT MAX(id) + 1 FROM article").fetchone()
    (listed,) = db.execute("SELECT id FROM reading_list WHERE user_id = ? AND name = ?", (_EMMA, p["list"])).fetchone()
    required = (
        Change(table="article", op="insert", values={"title": p["title"]}),
        Change(table="revision", op="insert", values={"article_id": number, "body": {"~": p["text"]}}),
        Change(table="reading_list_item", op="insert", values={"list_id": listed, "article_id": number}),
    )
    return Check(state=(StateCheck(site="wikipedia", required=required, allowed=(_WATCHED,)),))


def _new(page: Page, p: Params) -> Solver:
    yield from look_for(page, p["title"])
    yield from page.click(
        "link",
        "Start it",
        say=(
            "No article has this title yet: follow “Start it”.",
            "Above the results it says that there is no such article; “Start it” opens an empty form.",
        ),
    )
    yield from fill(page, "Article text", p["text"])
    yield from page.click(
        "button",
        "Show preview",
        say=(
            "Have a look with “Show preview” before you save.",
            "“Show preview” shows the article as readers would see it; nothing is stored by that.",
        ),
    )
    yield from page.click(
        "button",
        "Save article",
        say=(
            "The preview is fine, so press “Save article”.",
            "Below the preview the form is still there. Its button “Save article” makes the article real.",
        ),
    )
    yield from _put_on_list(page, p["list"])
    yield from page.finish(
        say=(
            "The article exists and is on the list, as the message says.",
            "Both messages have been seen: one about the article and one about the list.",
        )
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


# --- the newest edits of two articles -----------------------------------------------------------------------------

_LATEST = (("Cafeo", "Optima"), ("Kiln & Co", "Nordvik"), ("Long Ness Light", "Gullhaven"), ("Velora", "Cafeo"))


def _latest_params(db: Query) -> Sequence[Params]:
    return [{"a": a, "b": b} for a, b in _LATEST]


def _latest_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT u.username FROM revision r JOIN article a ON a.id = r.article_id JOIN user u ON u.id = r.user_id"
        " WHERE a.title IN (?, ?) ORDER BY r.created_at DESC LIMIT 1",
        (p["a"], p["b"]),
    ).fetchone()
    (topics,) = db.execute(
        "SELECT COUNT(*) FROM revision r JOIN user u ON u.id = r.user_id WHERE u.username = ?", (row["username"],)
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(topics),)))


def _latest(page: Page, p: Params) -> Solver:
    newest: list[tuple[str, str]] = []
    for key in "ab":
        yield from look_up(page, p[key])
        yield from open_history(page)
        times = [line for line in page.lines() if re.fullmatch(r"\d\d:\d\d, \d+ \w+ \d{4}", line.text.strip())]
        top = min(times, key=lambda line: line.box.y)
        editors = [
            link
            for link in page.find_all("link")
            if abs(link.box.centre[1] - top.box.centre[1]) < 12 and link.box.x > top.box.x + top.box.width
        ]
        newest.append((_sortable(top.text.strip()), min(editors, key=lambda link: link.box.x).name))
    editor = max(newest)[1]
    if editor != newest[1][1]:
        yield from page.go_back(
            say=(
                "The other article was changed later, so begin to go back to its history.",
                "As the newer of the two dates was on the page before, return to it.",
            )
        )
        for _ in range(3):
            if page.find("link", editor) is not None and page.shows("Choose two revisions"):
                break
            yield from page.go_back(
                say=("Go back once more.", "One more step back, until the earlier history is shown.")
            )
    yield from follow(page, editor, what="the name in the top line", hidden=True)
    yield from page.finish(
        page.read("Edits"),
        say=(
            "The editor's page has a line “Edits”, whose number is the answer.",
            "Under “In numbers” it is told how many edits this person has made.",
        ),
    )


def _sortable(text: str) -> str:
    """“18:43, 20 January 2026” as a text that sorts by time."""
    found = re.fullmatch(r"(\d\d:\d\d), (\d+) (\w+) (\d{4})", text)
    assert found is not None
    months = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"]
    months += ["November", "December"]
    return f"{found[4]}-{months.index(found[3]):02}-{int(found[2]):02} {found[1]}"


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
        id="wikipedia.fix_and_tell",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "In the facts on {title}, set “{fact}” to “{value}”, with the edit summary “{summary}”. Then start a topic"
            " “{topic}” on the talk page with the same words as a comment.",
            "Correct “{fact}” in the box of the article “{title}” to “{value}” (edit summary: “{summary}”) and tell the"
            " others: open a topic “{topic}” in the talk that says “{summary}”.",
        ),
        params=_told_params,
        check=_told_check,
        solve=_told,
        wrong_value=lambda db, p: {**p, "value": "none"},
    ),
    Template(
        id="wikipedia.watch_swap",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Tidy up my watchlist: take {out_a} and {out_b} off and add {in_a} and {in_b}.",
            "I want to watch {in_a} and {in_b} in place of {out_a} and {out_b}. Change my watchlist.",
        ),
        params=_swap_params,
        check=_swap_check,
        solve=_swap,
        second_route=_swap_at_the_articles,
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
        id="wikipedia.two_sections",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Two small edits, please, both with the summary “{summary}”: in “{a}”, section “{part_a}”, write “{new_a}”"
            " for “{old_a}”; in “{b}”, section “{part_b}”, write “{new_b}” for “{old_b}”.",
            "Replace “{old_a}” by “{new_a}” in the section “{part_a}” of {a}, and “{old_b}” by “{new_b}” in the section"
            " “{part_b}” of {b}. The edit summary is “{summary}” each time.",
        ),
        params=_twice_params,
        check=_twice_check,
        solve=_twice,
        wrong_value=lambda db, p: {**p, "new_b": "something else"},
    ),
    Template(
        id="wikipedia.new_article",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Start an article “{title}” that consists of this text: {text} Then save the new article to my reading list"
            " “{list}”.",
            "There is no article on “{title}” yet. Write one with exactly this text, “{text}”, and put it on the"
            " reading list “{list}”.",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        wrong_value=lambda db, p: {**p, "text": "It is a thing."},
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
    Template(
        id="wikipedia.later_editor",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which of the articles “{a}” and “{b}” was changed last? Tell me how many edits the person who did it has"
            " made altogether.",
            "Look at the newest edits of {a} and of {b}. How many edits has the editor of the later one made in all?",
        ),
        params=_latest_params,
        check=_latest_check,
        solve=_latest,
    ),
)
