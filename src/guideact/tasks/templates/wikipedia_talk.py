"""Following articles and talking about them: watchlist, talk pages, thanks."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.templates.wikipedia_edit import EMMA_ID, article_id
from guideact.tasks.wikipedia_deeds import (
    fill,
    look_up,
    open_history,
    open_talk,
    take_suggestion,
)
from guideact.types import Change, Check, StateCheck

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


# --- watching -----------------------------------------------------------------------------------------------------

_WATCHED = (("Hark", "Morrow Star"), ("Inkwell", "Crossword"), ("Kyoto", "Bonsai"), ("Silent Pour", "Teapot"))


def _watch_params(db: Query) -> Sequence[Params]:
    return [{"first": first, "second": second} for first, second in _WATCHED]


def _watch_check(db: Query, p: Params) -> Check:
    required = tuple(
        Change(table="watch", op="insert", values={"user_id": EMMA_ID, "article_id": article_id(db, p[name])})
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
    gone = Change(table="watch", op="delete", where={"user_id": EMMA_ID, "article_id": article_id(db, p["title"])})
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
        values={"article_id": article_id(db, p["title"]), "title": {"~": p["topic"]}},
    )
    values = {"topic_id": {"new": "talk_topic"}, "user_id": EMMA_ID, "body": {"~": p["text"]}}
    comment = Change(table="talk_comment", op="insert", values=values)
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
        table="talk_comment", op="insert", values={"topic_id": topic, "user_id": EMMA_ID, "body": {"~": p["text"]}}
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
    change = Change(table="thanks", op="insert", values={"revision_id": revision, "user_id": EMMA_ID})
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


TEMPLATES = (
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
)
