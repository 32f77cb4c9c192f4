"""Longer edits in the encyclopedia: an edit and a word about it, two sections, a new article."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.wikipedia.corpus import by_slug
from guideact.sites.wikipedia.markup import slug_of
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.templates.wikipedia_edit import EMMA_ID, article_id
from guideact.tasks.wikipedia_deeds import (
    fill,
    follow,
    look_for,
    look_up,
    open_history,
    open_talk,
    summarise,
    use_tool,
)
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


def _revision(db: Query, title: str, body: str, summary: str) -> Change:
    values = {"article_id": article_id(db, title), "user_id": EMMA_ID, "summary": {"~": summary}, "body": {"~": body}}
    return Change(table="revision", op="insert", values=values)


_WATCHED = Change(table="watch", op="insert", values={"user_id": EMMA_ID}, count=None)
"""What one edits is watched from then on, unless one's preferences say otherwise."""


def put_on_list(page: Page, name: str, *, say: tuple[str, str] | None = None) -> Solver:
    """Put the article in view on a reading list: three steps. `say` are other sentences for the first of them."""
    tool = "Save to a reading list"
    if say is None:
        yield from use_tool(page, tool)
    else:
        yield from page.click("link", tool, direction="up", say=say)
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
        table="talk_topic", op="insert", values={"article_id": article_id(db, p["title"]), "title": {"~": p["topic"]}}
    )
    values = {"topic_id": {"new": "talk_topic"}, "user_id": EMMA_ID, "body": {"~": p["summary"]}}
    comment = Change(table="talk_comment", op="insert", values=values)
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
        Change(table="watch", op="delete", where={"user_id": EMMA_ID, "article_id": article_id(db, p[key])})
        for key in ("out_a", "out_b")
    )
    added = tuple(
        Change(table="watch", op="insert", values={"user_id": EMMA_ID, "article_id": article_id(db, p[key])})
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
    (listed,) = db.execute(
        "SELECT id FROM reading_list WHERE user_id = ? AND name = ?", (EMMA_ID, p["list"])
    ).fetchone()
    # Of a summary nothing is said, so any will do.
    written = {"article_id": {"new": "article"}, "user_id": EMMA_ID, "body": {"~": p["text"]}, "summary": "*"}
    required = (
        Change(table="article", op="insert", values={"title": p["title"]}),
        Change(table="revision", op="insert", values=written),
        Change(table="reading_list_item", op="insert", values={"list_id": listed, "article_id": {"new": "article"}}),
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
    yield from put_on_list(page, p["list"])
    yield from page.finish(
        say=(
            "The article exists and is on the list, as the message says.",
            "Both messages have been seen: one about the article and one about the list.",
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
    yield from page.reach_text("Edits", what="the line “Edits”")
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
