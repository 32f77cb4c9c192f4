"""Changing the encyclopedia: facts, sections, watchlist, talk, reading lists, preferences, earlier revisions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.wikipedia.library import by_slug
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.past import shipped_text
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import (
    fill,
    follow,
    look_up,
    open_history,
    open_talk,
    summarise,
    take_suggestion,
    use_tool,
)
from guideact.types import Change, Check, StateCheck, UrlCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}
_EMMA = 1


def _article(db: Query, title: str) -> int:
    (number,) = db.execute("SELECT id FROM article WHERE title = ?", (title,)).fetchone()
    return int(number)


def _edited(db: Query, title: str, body: str, summary: str) -> Check:
    """An article has a new revision with this text and summary; that it is watched from then on is a preference."""
    article = _article(db, title)
    values = {"article_id": article, "user_id": _EMMA, "summary": {"~": summary}, "body": {"~": body}}
    return Check(
        state=(
            StateCheck(
                site="wikipedia",
                required=(Change(table="revision", op="insert", values=values),),
                allowed=(Change(table="watch", op="insert", values={"article_id": article}, count=None),),
            ),
        )
    )


# --- a fact in the box --------------------------------------------------------------------------------------------

_FACTS = (
    ("Papier", "Employees", "97", "Two more since February"),
    ("Esplanadi Reading Room", "Seats", "86", "Recounted the seats"),
    ("North Star Orienteering", "Members", "655", "Number from the spring meeting"),
    ("Morrow Islands", "Highest point", "Keld Hill, 216 m", "New survey"),
    ("Tampere", "Founded", "1 October 1779", "Exact date"),
)


def _fact_params(db: Query) -> Sequence[Params]:
    return [{"title": title, "fact": fact, "value": value, "summary": why} for title, fact, value, why in _FACTS]


def _fact_check(db: Query, p: Params) -> Check:
    source = by_slug()[slug_of(p["title"])].source
    body, count = re.subn(rf"(?m)^{re.escape(p['fact'])} = .*$", f"{p['fact']} = {p['value']}", source)
    if count != 1:
        raise ValueError(f"{p['title']} has {count} lines {p['fact']!r}")
    return _edited(db, p["title"], body, p["summary"])


def _fact(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from _fact_opened(page, p)


def _fact_by_suggestion(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, p["title"][:7], p["title"])
    yield from _fact_opened(page, p)


def _fact_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Edit the box of facts",
        say=(
            "Choose “Edit the box of facts” in the last line of the article.",
            "At the very end of the text, after the date of the last change, is a link for editing the box.",
        ),
    )
    yield from fill(page, p["fact"], p["value"])
    yield from summarise(page, p["summary"])
    yield from page.click(
        "button",
        "Save facts",
        say=(
            "Store it with “Save facts”.",
            "The form ends with the button “Save facts”; nothing has changed before it is pressed.",
        ),
    )
    yield from page.finish(
        say=(
            "The article comes back with a message that the edit was saved, and the box shows the new value.",
            "A green note at the top says that your edit was saved: that was all.",
        )
    )


# --- a sentence of a section --------------------------------------------------------------------------------------

_SENTENCES = (
    ("Enamel", "Signs", "a century", "more than a century", "Older signs exist"),
    ("Kiln", "Measuring heat", "a hole in the door", "a small window in the door", "Nobody drills holes any more"),
    ("Tea", "Health", "about half as much", "about a third as much", "See the new table"),
    ("Lantern Bridge", "Lanterns", "until 1999", "until 1998", "Year from the keeper's diary"),
    ("Gullhaven", "Parliament", "on Wednesdays", "on Tuesdays", "New rules of the house"),
)


def _sentence_params(db: Query) -> Sequence[Params]:
    return [
        {"title": title, "section": section, "old": old, "new": new, "summary": why}
        for title, section, old, new, why in _SENTENCES
    ]


def _sentence_check(db: Query, p: Params) -> Check:
    source = by_slug()[slug_of(p["title"])].source
    head = source.index(f"== {p['section']} ==")
    rest = source[head:]
    if p["old"] not in rest:
        raise ValueError(f"{p['title']}, {p['section']}: there is no {p['old']!r}")
    return _edited(db, p["title"], source[:head] + rest.replace(p["old"], p["new"], 1), p["summary"])


def _sentence(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from page.click(
        "link",
        f"Edit “{p['section']}”",
        what=f"the heading “{p['section']}”",
        say=(
            f"Click the small “Edit” beside the heading “{p['section']}”.",
            f"Every section has an “Edit” of its own; use the one next to “{p['section']}”.",
        ),
    )
    field = page.find("textbox", "Section text")
    if field is None:
        raise page.stuck("no field with the section's text")
    text = field.value.replace(p["old"], p["new"], 1)
    yield from page.type(
        "Section text",
        text,
        say=(
            f"In “Section text” put “{p['new']}” where “{p['old']}” stands and leave the rest alone.",
            f"The field holds the source of the section. Only the words “{p['old']}” change, to “{p['new']}”.",
        ),
    )
    yield from summarise(page, p["summary"])
    yield from page.click(
        "button",
        "Save changes",
        say=(
            "Press “Save changes” under the form.",
            "With “Save changes” the new wording becomes the current revision.",
        ),
    )
    yield from page.finish(
        say=(
            "You are back at the article, and a message confirms the edit.",
            "Once “Your edit was saved.” appears, the section reads as it was asked.",
        )
    )


# --- watching -----------------------------------------------------------------------------------------------------

_WATCHED = (("Hark", "Morrow Star"), ("Inkwell", "Crossword"), ("Kyoto", "Bonsai"), ("Silent Pour", "Teapot"))


def _watch_params(db: Query) -> Sequence[Params]:
    return [{"first": first, "second": second} for first, second in _WATCHED]


def _watch_check(db: Query, p: Params) -> Check:
    required = tuple(
        Change(table="watch", op="insert", values={"user_id": _EMMA, "article_id": _article(db, p[name])})
        for name in ("first", "second")
    )
    return Check(state=(StateCheck(site="wikipedia", required=required),))


def _watch(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["first"])
    yield from _press_watch(page)
    yield from look_up(page, p["second"])
    yield from _press_watch(page)
    yield from page.finish(
        say=(
            "Both articles show a filled star and “Unwatch” by now.",
            "The second message about the watchlist was the last thing to wait for.",
        )
    )


def _watch_by_suggestion(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, p["second"][:5], p["second"])
    yield from _press_watch(page)
    yield from take_suggestion(page, p["first"][:4], p["first"])
    yield from _press_watch(page)
    yield from page.finish(
        say=("Two stars are filled now, one in each article.", "Nothing else is needed once both are being watched.")
    )


def _press_watch(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Watch",
        say=(
            "Press “Watch”, the star at the end of the row of tabs.",
            "Right of “History” is a star with the word “Watch”; clicking it fills the star.",
        ),
    )


_UNWATCHED = ("Stoneware", "Gravel Sunday", "Half-frame camera", "Tarnholm Bridge")


def _unwatch_params(db: Query) -> Sequence[Params]:
    return [{"title": title} for title in _UNWATCHED]


def _unwatch_check(db: Query, p: Params) -> Check:
    gone = Change(table="watch", op="delete", where={"user_id": _EMMA, "article_id": _article(db, p["title"])})
    return Check(state=(StateCheck(site="wikipedia", required=(gone,)),))


def _unwatch(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Watchlist",
        say=(
            "Open “Watchlist” at the top right.",
            "In the header, left of “Reading lists”, is the link to the articles you watch.",
        ),
    )
    yield from page.click(
        "button",
        f"Unwatch {p['title']}",
        say=(
            f"Press “Unwatch” in the row of “{p['title']}”.",
            f"Each line ends with a button; the one of “{p['title']}” takes it off the list.",
        ),
    )
    yield from page.finish(
        say=(
            "The row is gone and a message says so.",
            "With the article missing from the table, the watchlist is as it should be.",
        )
    )


def _unwatch_at_the_article(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from page.click(
        "button",
        "Unwatch",
        say=(
            "Click “Unwatch” above the text, where the yellow star is.",
            "The filled star at the right of the tabs reads “Unwatch”. Press it.",
        ),
    )
    yield from page.finish(say=("The star is empty again.", "A message tells that the article is off the watchlist."))


# --- talk ---------------------------------------------------------------------------------------------------------

_TOPICS = (
    ("Bonsai", "Length of the wire", "How long may the wire stay on a branch? The article gives no number."),
    ("Vistula", "Length", "Could somebody add the exact length of the river?"),
    ("Hoshi", "Visiting the archive", "Is the archive open in August as well?"),
    ("Golden Kettle", "Winner of 2025", "Was the prize of 2025 handed over at the congress?"),
)


def _topic_params(db: Query) -> Sequence[Params]:
    return [{"title": title, "topic": topic, "text": text} for title, topic, text in _TOPICS]


def _topic_check(db: Query, p: Params) -> Check:
    topic = Change(
        table="talk_topic",
        op="insert",
        values={"article_id": _article(db, p["title"]), "title": {"~": p["topic"]}},
    )
    comment = Change(table="talk_comment", op="insert", values={"user_id": _EMMA, "body": {"~": p["text"]}})
    return Check(state=(StateCheck(site="wikipedia", required=(topic, comment)),))


def _topic(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_talk(page)
    yield from fill(page, "Topic", p["topic"])
    yield from fill(page, "Comment", p["text"])
    yield from page.click(
        "button",
        "Add topic",
        say=(
            "Press “Add topic” below the comment.",
            "“Add topic” puts your question on the page for all to see.",
        ),
    )
    yield from page.finish(
        say=(
            "The new topic heads a frame of its own, with your comment in it.",
            "When your words appear under their heading with your name, the question is asked.",
        )
    )


def _reply_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT a.title, t.title AS topic FROM talk_topic t JOIN article a ON a.id = t.article_id"
        " WHERE a.title IN ('Nordvik', 'Harbour Cup', 'World Kettle Congress', 'Greenhouse 9')"
        " AND t.title NOT LIKE 'Year%'"
        " ORDER BY t.id"
    ).fetchall()
    texts = (
        "I looked at it and agree with you.",
        "Thank you, I have learned something.",
        "Proceedings 14 is in the library, I will check it.",
        "I would leave it as it is.",
    )
    return [{"title": row["title"], "topic": row["topic"], "text": text} for row, text in zip(rows, texts, strict=True)]


def _reply_check(db: Query, p: Params) -> Check:
    (topic,) = db.execute(
        "SELECT t.id FROM talk_topic t JOIN article a ON a.id = t.article_id WHERE a.title = ? AND t.title = ?",
        (p["title"], p["topic"]),
    ).fetchone()
    comment = Change(
        table="talk_comment", op="insert", values={"topic_id": topic, "user_id": _EMMA, "body": {"~": p["text"]}}
    )
    return Check(state=(StateCheck(site="wikipedia", required=(comment,)),))


def _reply(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_talk(page)
    yield from page.reach_text(p["topic"])
    yield from page.click(
        "",
        f"Reply to “{p['topic']}”",
        say=(
            f"Unfold “Reply” at the end of the topic “{p['topic']}”.",
            f"Under the comments on “{p['topic']}” there is “Reply”, which opens a small form.",
        ),
    )
    yield from fill(page, "Your reply", p["text"])
    yield from page.click(
        "button",
        "Post reply",
        say=(
            "Send it with “Post reply”.",
            "The button “Post reply” below the field adds your words to the topic.",
        ),
    )
    yield from page.finish(
        say=(
            "Your reply is the last comment of the topic now.",
            "As soon as your name stands under the new comment, you have answered.",
        )
    )


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
    (row,) = db.execute("SELECT id FROM preference WHERE user_id = ?", (_EMMA,)).fetchone()
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
    (row,) = db.execute("SELECT id FROM preference WHERE user_id = ?", (_EMMA,)).fetchone()
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


# --- an earlier revision ------------------------------------------------------------------------------------------

_RESTORED = ("Nordvik", "Cafeo", "Optima", "Kiln & Co")


def _restore_params(db: Query) -> Sequence[Params]:
    found = []
    for title in _RESTORED:
        row = db.execute(
            "SELECT r.created_at, u.username FROM revision r JOIN article a ON a.id = r.article_id"
            " JOIN user u ON u.id = r.user_id WHERE a.title = ? AND r.number = 3",
            (title,),
        ).fetchone()
        day = row["created_at"]
        month = _MONTHS[int(day[5:7]) - 1]
        found.append({"title": title, "editor": row["username"], "day": f"{int(day[8:10])} {month} {day[:4]}"})
    return found


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


def _restore_check(db: Query, p: Params) -> Check:
    article = _article(db, p["title"])
    body = {"~": shipped_text(article, 3)}
    change = Change(table="revision", op="insert", values={"article_id": article, "user_id": _EMMA, "body": body})
    return Check(state=(StateCheck(site="wikipedia", required=(change,)),))


def _restore(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_history(page)
    yield from page.reach_text(p["day"])
    yield from page.click(
        "link",
        "Restore revision",
        near=p["day"],
        say=(
            f"Choose “Restore” in the line of {p['day']}.",
            f"Find {p['day']} in the column “Time”; at the end of that line stands “Restore”.",
        ),
    )
    yield from page.click(
        "button",
        "Restore this revision",
        say=(
            "After a look at the differences, confirm with “Restore this revision”.",
            "The page compares both texts first. “Restore this revision” at its end makes the old one current.",
        ),
    )
    yield from page.finish(
        say=(
            "The article shows its earlier text, under a message that it was restored.",
            "A note with the date of the revision tells that it is the current one again.",
        )
    )


def _restore_from_the_revision(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_history(page)
    yield from page.reach_text(p["day"])
    yield from page.click(
        "link",
        p["day"],
        say=(
            f"Open the revision of {p['day']} by its time.",
            f"The time in the line of {p['day']} is a link to the article as it was then.",
        ),
    )
    yield from follow(page, "Restore this revision")
    yield from page.click(
        "button",
        "Restore this revision",
        say=("Confirm with the button of the same name.", "“Restore this revision” has to be pressed once more."),
    )
    yield from page.finish(say=("The old text is back.", "A message confirms that the revision was restored."))


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
    made = Change(table="reading_list", op="insert", values={"user_id": _EMMA, "name": {"~": p["name"]}})
    (number,) = db.execute("SELECT MAX(id) + 1 FROM reading_list").fetchone()
    item = Change(
        table="reading_list_item", op="insert", values={"list_id": number, "article_id": _article(db, p["title"])}
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
    (number,) = db.execute("SELECT id FROM reading_list WHERE user_id = ? AND name = ?", (_EMMA, p["name"])).fetchone()
    gone = Change(
        table="reading_list_item", op="delete", where={"list_id": number, "article_id": _article(db, p["title"])}
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


# --- thanks -------------------------------------------------------------------------------------------------------


_THANKED = (
    ("Slow Kettle Society", "The silence lasts four minutes, not forty"),
    ("Gullhaven", "Number of inhabitants taken from the new sheet"),
    ("Bookbinding", "Sections usually have sixteen pages"),
    ("Velora", "Corrected the weight of the first frame"),
)


def _thank_params(db: Query) -> Sequence[Params]:
    found = []
    for title, summary in _THANKED:
        row = db.execute(
            "SELECT u.username FROM revision r JOIN article a ON a.id = r.article_id JOIN user u ON u.id = r.user_id"
            " WHERE a.title = ? AND r.summary = ?",
            (title, summary),
        ).fetchone()
        found.append({"title": title, "editor": row["username"], "summary": summary})
    return found


def _thank_check(db: Query, p: Params) -> Check:
    (revision,) = db.execute(
        "SELECT r.id FROM revision r JOIN article a ON a.id = r.article_id WHERE a.title = ? AND r.summary = ?",
        (p["title"], p["summary"]),
    ).fetchone()
    change = Change(table="thanks", op="insert", values={"revision_id": revision, "user_id": _EMMA})
    return Check(state=(StateCheck(site="wikipedia", required=(change,)),))


def _thank(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_history(page)
    yield from page.reach_text(p["summary"])
    yield from page.click(
        "button",
        "Thank for revision",
        near=p["summary"],
        say=(
            f"Click “Thank” in the line with the summary “{p['summary']}”.",
            f"The edit of {p['editor']} is the one that says “{p['summary']}”; its line ends with “Thank”.",
        ),
    )
    yield from page.finish(
        say=(
            "A message says whom you have thanked.",
            "The small number in that line counts your thanks now.",
        )
    )


# --- comparing ----------------------------------------------------------------------------------------------------

_COMPARED = ("Stratos", "Compass", "Fjord Press", "Wool")


def _compare_params(db: Query) -> Sequence[Params]:
    return [{"title": title} for title in _COMPARED]


def _compare_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT id FROM revision WHERE article_id = ? ORDER BY number", (_article(db, p["title"]),)
    ).fetchall()
    query = (("old", str(rows[0]["id"])), ("new", str(rows[-1]["id"])))
    return Check(url=UrlCheck(site="wikipedia", path="/compare", query=query))


def _compare(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_history(page)
    yield from page.click(
        "radio",
        "Older: revision 1",
        say=(
            "Mark the circle under “Older” in the last line of the table.",
            "The first revision is the lowest line; fill its circle in the column “Older”.",
        ),
    )
    yield from page.click(
        "button",
        "Compare selected revisions",
        direction="up",
        say=(
            "Press “Compare selected revisions”; the newest one is chosen as the other side already.",
            "Under “Newer” the top line is marked from the start, so the green button can follow.",
        ),
    )
    yield from page.finish(
        say=(
            "Both texts stand side by side, the first on the left and the current one on the right.",
            "The comparison you wanted is on the screen.",
        )
    )


TEMPLATES = (
    Template(
        id="wikipedia.fact_fix",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "In the box of facts of the article “{title}”, “{fact}” should read “{value}”. Correct it with the edit"
            " summary “{summary}”.",
            "Please change “{fact}” in the facts on {title} to “{value}”, and give “{summary}” as the edit summary.",
        ),
        params=_fact_params,
        check=_fact_check,
        solve=_fact,
        second_route=_fact_by_suggestion,
        wrong_value=lambda db, p: {**p, "value": "77"},
    ),
    Template(
        id="wikipedia.section_edit",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "The section “{section}” of the article “{title}” says “{old}”. Change that to “{new}” and use the edit"
            " summary “{summary}”.",
            "In the article on {title}, section “{section}”, replace “{old}” by “{new}”. The edit summary is"
            " “{summary}”.",
        ),
        params=_sentence_params,
        check=_sentence_check,
        solve=_sentence,
        wrong_value=lambda db, p: {**p, "new": "sometimes"},
    ),
    Template(
        id="wikipedia.watch_two",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "I want to know when the articles on {first} and {second} change. Put both on my watchlist.",
            "Add {first} and {second} to the articles I watch in the encyclopedia.",
        ),
        params=_watch_params,
        check=_watch_check,
        solve=_watch,
        second_route=_watch_by_suggestion,
    ),
    Template(
        id="wikipedia.unwatch",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Take “{title}” off my watchlist.",
            "I no longer care for changes of the article on {title}. Stop watching it.",
        ),
        params=_unwatch_params,
        check=_unwatch_check,
        solve=_unwatch,
        second_route=_unwatch_at_the_article,
    ),
    Template(
        id="wikipedia.talk_topic",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Start a topic called “{topic}” on the talk page of {title} and write: {text}",
            "Ask on the talk page of the article “{title}”, under the heading “{topic}”: “{text}”",
        ),
        params=_topic_params,
        check=_topic_check,
        solve=_topic,
        wrong_value=lambda db, p: {**p, "text": "Never mind."},
    ),
    Template(
        id="wikipedia.talk_reply",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "On the talk page of {title}, reply to the topic “{topic}”: “{text}”",
            "There is a topic “{topic}” in the talk about the article on {title}. Answer it with these words: {text}",
        ),
        params=_reply_params,
        check=_reply_check,
        solve=_reply,
        wrong_value=lambda db, p: {**p, "text": "No."},
    ),
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
        id="wikipedia.restore",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Restore the revision of the article “{title}” that {editor} saved on {day}.",
            "The article on {title} was better on {day}, after the edit by {editor}. Make that revision the current"
            " one again.",
        ),
        params=_restore_params,
        check=_restore_check,
        solve=_restore,
        second_route=_restore_from_the_revision,
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
    Template(
        id="wikipedia.thank",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Thank {editor} for the edit “{summary}” in the article on {title}.",
            "{editor} improved the article “{title}” (“{summary}”). Send thanks for this edit.",
        ),
        params=_thank_params,
        check=_thank_check,
        solve=_thank,
    ),
    Template(
        id="wikipedia.compare_first_last",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Show me the first and the newest revision of the article on {title} side by side.",
            "Compare the very first revision of “{title}” with the current one and leave the comparison open.",
        ),
        params=_compare_params,
        check=_compare_check,
        solve=_compare,
    ),
)
