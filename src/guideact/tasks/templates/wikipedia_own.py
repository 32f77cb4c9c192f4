"""What members set up for themselves: preferences and reading lists."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.templates.wikipedia_edit import EMMA_ID, article_id
from guideact.tasks.wikipedia_deeds import (
    fill,
    follow,
    look_up,
    use_tool,
)
from guideact.types import Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


# --- preferences --------------------------------------------------------------------------------------------------

_CHOICES = (
    ("March 16, 2026", "month_day", "Dark", "dark"),
    ("2026-03-16", "iso", "Sepia", "sepia"),
    ("2026-03-16", "iso", "Dark", "dark"),
    ("March 16, 2026", "month_day", "Sepia", "sepia"),
)


def _prefer_params(db: Query) -> Sequence[Params]:
    return [
        {"date": date, "date_key": key, "look": look, "look_key": look_key} for date, key, look, look_key in _CHOICES
    ]


def _prefer_check(db: Query, p: Params) -> Check:
    (row,) = db.execute("SELECT id FROM preference WHERE user_id = ?", (EMMA_ID,)).fetchone()
    values = {"date_format": p["date_key"], "appearance": p["look_key"]}
    change = Change(table="preference", op="update", where={"id": row}, values=values)
    return Check(state=(StateCheck(site="wikipedia", required=(change,)),))


def _open_preferences(page: Page) -> Solver:
    yield from page.click(
        "",
        "emma_l",
        say=(
            "Open the menu with your name at the top right.",
            "Your user name in the corner of the header unfolds a menu.",
        ),
    )
    yield from page.click(
        "link",
        "Preferences",
        say=("Choose “Preferences” in it.", "The third entry, “Preferences”, leads to all settings."),
    )


def _prefer(page: Page, p: Params) -> Solver:
    yield from _open_preferences(page)
    yield from page.click(
        "radio",
        p["date"],
        say=(
            f"Under “Date format” choose “{p['date']}”.",
            f"Dates can be written in three ways; mark the one that reads “{p['date']}”.",
        ),
    )
    yield from page.click(
        "tab",
        "Appearance",
        say=(
            "Switch to the tab “Appearance” of the form.",
            "Colours are on another sheet of the same form, called “Appearance”.",
        ),
    )
    yield from page.click(
        "radio",
        p["look"],
        say=(
            f"Mark “{p['look']}” under “Colours”.",
            f"Of the three sets of colours take “{p['look']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Save preferences",
        say=(
            "Save both with “Save preferences”.",
            "One button stores all sheets at once: “Save preferences”.",
        ),
    )
    yield from page.finish(
        say=(
            "The page has changed its colours, and a message confirms the saving.",
            "New colours and a note about your preferences show that it is done.",
        )
    )


_NUMBERS = (("50", "Tokyo"), ("20", "London, Lisbon"), ("50", "Austin, Chicago"), ("20", "Boston, Toronto"))
_ZONES = {
    "Tokyo": "Asia/Tokyo",
    "London, Lisbon": "Europe/London",
    "Austin, Chicago": "America/Chicago",
    "Boston, Toronto": "America/New_York",
}


def _zone_params(db: Query) -> Sequence[Params]:
    return [{"size": size, "zone": zone} for size, zone in _NUMBERS]


def _zone_check(db: Query, p: Params) -> Check:
    (row,) = db.execute("SELECT id FROM preference WHERE user_id = ?", (EMMA_ID,)).fetchone()
    values = {"results_per_page": int(p["size"]), "time_zone": _ZONES[p["zone"]]}
    change = Change(table="preference", op="update", where={"id": row}, values=values)
    return Check(state=(StateCheck(site="wikipedia", required=(change,)),))


def _zone(page: Page, p: Params) -> Solver:
    yield from _open_preferences(page)
    yield from page.select(
        "Time zone",
        p["zone"],
        say=(
            f"Select “{p['zone']}” in the list “Time zone”.",
            f"The second list of the sheet is the time zone, which becomes “{p['zone']}”.",
        ),
    )
    yield from page.click(
        "tab",
        "Search and changes",
        say=(
            "Go to “Search and changes”, the last tab of the form.",
            "The number of results is set on the sheet “Search and changes”.",
        ),
    )
    yield from page.select(
        "Search results a page",
        p["size"],
        say=(
            f"Set “Search results a page” to {p['size']}.",
            f"In the only list here choose {p['size']}.",
        ),
    )
    yield from page.click(
        "button",
        "Save preferences",
        say=(
            "Press “Save preferences”.",
            "Keep the new settings by means of the button at the foot of the form.",
        ),
    )
    yield from page.finish(
        say=(
            "A message says that the preferences were saved.",
            "You have finished when the form is back with a note above it.",
        )
    )


# --- reading lists ------------------------------------------------------------------------------------------------

_LISTS = (
    ("Islands", "Tarnholm"),
    ("Rainy evenings", "Eleven Umbrellas"),
    ("For the workshop", "Bottom bracket"),
    ("Bread and soup", "Sourdough"),
)


def _list_params(db: Query) -> Sequence[Params]:
    return [{"name": name, "title": title} for name, title in _LISTS]


def _list_check(db: Query, p: Params) -> Check:
    made = Change(table="reading_list", op="insert", values={"user_id": EMMA_ID, "name": {"~": p["name"]}})
    (number,) = db.execute("SELECT MAX(id) + 1 FROM reading_list").fetchone()
    item = Change(
        table="reading_list_item", op="insert", values={"list_id": number, "article_id": article_id(db, p["title"])}
    )
    return Check(state=(StateCheck(site="wikipedia", required=(made, item)),))


def _list(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Reading lists",
        say=(
            "Open “Reading lists” in the header.",
            "Lists of articles are kept under “Reading lists”, at the top right.",
        ),
    )
    yield from fill(page, "Name of the list", p["name"])
    yield from page.click(
        "button",
        "Create list",
        say=("Make it with “Create list”.", "The list comes into being when you press “Create list”."),
    )
    yield from look_up(page, p["title"])
    yield from use_tool(page, "Save to a reading list")
    yield from page.select(
        "Reading list",
        p["name"],
        say=(
            f"In the small window select “{p['name']}”.",
            f"A window asks for the list: it is “{p['name']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Add to list",
        say=("Press “Add to list”.", "“Add to list” closes the window and stores the article."),
    )
    yield from page.finish(
        say=(
            "A message names the article and the list that it was put on.",
            "The list exists and has its first article, as the message at the top says.",
        )
    )


_KEPT = (
    ("Pens and paper", "Bookbinding"),
    ("Weekend in Edinburgh", "Silent Pour"),
    ("To read on the train", "Morrow Islands"),
    ("Pens and paper", "A5 paper"),
)


def _drop_params(db: Query) -> Sequence[Params]:
    return [{"name": name, "title": title} for name, title in _KEPT]


def _drop_check(db: Query, p: Params) -> Check:
    (number,) = db.execute(
        "SELECT id FROM reading_list WHERE user_id = ? AND name = ?", (EMMA_ID, p["name"])
    ).fetchone()
    gone = Change(
        table="reading_list_item", op="delete", where={"list_id": number, "article_id": article_id(db, p["title"])}
    )
    return Check(state=(StateCheck(site="wikipedia", required=(gone,)),))


def _drop(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Reading lists",
        say=(
            "Go to “Reading lists” at the top.",
            "The header's link “Reading lists” shows what you have collected.",
        ),
    )
    yield from follow(page, p["name"])
    yield from page.click(
        "button",
        f"Remove {p['title']}",
        say=(
            f"Press “Remove” below “{p['title']}”.",
            f"Every article of the list has its own “Remove”; use that of “{p['title']}”.",
        ),
    )
    yield from page.finish(
        say=(
            "The list comes back without the article.",
            "One article fewer and a message about it: nothing more to do.",
        )
    )


TEMPLATES = (
    Template(
        id="wikipedia.preferences_look",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Set up the encyclopedia for me: dates like “{date}”, and the colours “{look}”.",
            "I would like dates to be written as {date} and the pages to have the colours “{look}”. Change my"
            " preferences.",
        ),
        params=_prefer_params,
        check=_prefer_check,
        solve=_prefer,
        wrong_value=lambda db, p: {**p, "look": "Sepia" if p["look"] == "Dark" else "Dark"},
    ),
    Template(
        id="wikipedia.preferences_zone",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Change my preferences: {size} search results a page, and the time zone of {zone}.",
            "I have moved to the time zone “{zone}” and want {size} results on a page of search results. Set both in my"
            " preferences.",
        ),
        params=_zone_params,
        check=_zone_check,
        solve=_zone,
        wrong_value=lambda db, p: {**p, "size": "20" if p["size"] == "50" else "50"},
    ),
    Template(
        id="wikipedia.list_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Make a new reading list called “{name}” and put the article on {title} on it.",
            "I need a reading list “{name}”. Create it and save “{title}” to it.",
        ),
        params=_list_params,
        check=_list_check,
        solve=_list,
        wrong_value=lambda db, p: {**p, "name": "Miscellaneous"},
    ),
    Template(
        id="wikipedia.list_remove",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Remove “{title}” from my reading list “{name}”.",
            "I have read the article on {title}. Take it off the reading list “{name}”.",
        ),
        params=_drop_params,
        check=_drop_check,
        solve=_drop,
    ),
)
