"""Changing articles of the encyclopedia: facts, sections, earlier revisions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.wikipedia.corpus import by_slug
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.past import shipped_text
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import (
    fill,
    follow,
    look_up,
    open_history,
    summarise,
    take_suggestion,
)
from guideact.types import Change, Check, StateCheck, UrlCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}
EMMA_ID = 1


def article_id(db: Query, title: str) -> int:
    (number,) = db.execute("SELECT id FROM article WHERE title = ?", (title,)).fetchone()
    return int(number)


def _edited(db: Query, title: str, body: str, summary: str) -> Check:
    """An article has a new revision with this text and summary; that it is watched from then on is a preference."""
    article = article_id(db, title)
    values = {"article_id": article, "user_id": EMMA_ID, "summary": {"~": summary}, "body": {"~": body}}
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
    article = article_id(db, p["title"])
    body = {"~": shipped_text(article, 3)}
    change = Change(table="revision", op="insert", values={"article_id": article, "user_id": EMMA_ID, "body": body})
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


# --- comparing ----------------------------------------------------------------------------------------------------

_COMPARED = ("Stratos", "Compass", "Fjord Press", "Wool")


def _compare_params(db: Query) -> Sequence[Params]:
    return [{"title": title} for title in _COMPARED]


def _compare_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT id FROM revision WHERE article_id = ? ORDER BY number", (article_id(db, p["title"]),)
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
