"""The wikis of the forums: what they say, who wrote it, and new pages."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.boards import done, fill, open_forum, press, write
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _state(*changes: Change) -> tuple[StateCheck, ...]:
    return (StateCheck(site="reddit", required=changes),)


# --- wikis ----------------------------------------------------------------------------------------------------------


def _open_wiki(page: Page, forum: str) -> Solver:
    yield from open_forum(page, forum)
    yield from page.click(
        "link",
        "Wiki",
        near="Posts",
        direction="up",
        say=(
            "Open the tab “Wiki” in the head of the forum.",
            "What the forum has written down for good is under “Wiki”, next to “Posts”.",
        ),
    )


def _fact_params(db: Query) -> Sequence[Params]:
    return [
        {"forum": "Coffee Corner", "page": "Ratios", "what": "grams of coffee a litre for a press", "line": "Press: "},
        {
            "forum": "Running",
            "page": "Twelve weeks to five kilometres",
            "what": "minutes without a stop in week 6",
            "line": "Week 6: ",
        },
        {
            "forum": "Pens & Paper",
            "page": "Ink and paper, tested",
            "what": "seconds that green ink needs to dry on laid paper",
            "line": "Green on laid paper: ",
        },
        {
            "forum": "Pottery & Ceramics",
            "page": "Glaze recipes",
            "what": "parts of silica in the celadon for cone 10",
            "line": " silica",
        },
    ]


_NUMBERS = {"twenty": "20"}


def _fact_check(db: Query, p: Params) -> Check:
    (body,) = db.execute(
        "SELECT w.body FROM wiki_page w JOIN forum f ON f.id = w.forum_id WHERE f.name = ? AND w.title = ?",
        (p["forum"], p["page"]),
    ).fetchone()
    line = next(one for one in body.splitlines() if p["line"] in one).removeprefix("- ")
    word = line.replace(p["line"], "", 1).split()[0]
    return Check(answer=AnswerCheck(kind="number", expected=(_NUMBERS.get(word, word),)))


def _fact(page: Page, p: Params) -> Solver:
    yield from _open_wiki(page, p["forum"])
    yield from page.click(
        "link",
        p["page"],
        say=(
            f"Choose the page “{p['page']}” from the list on the right.",
            f"The pages of the wiki are listed at the right, and “{p['page']}” is the one to read.",
        ),
    )
    line = next((one.text for one in page.lines() if p["line"].strip() in one.text), "")
    if not line:
        raise page.stuck(f"no line with {p['line']!r}", [one.text for one in page.lines()], p["line"])
    word = line.replace(p["line"], "", 1).split()[0] if p["line"].endswith(": ") else line.split()[0]
    yield from page.finish(
        _NUMBERS.get(word, word),
        say=(
            "Find the line about it in the list and give its number.",
            "The page holds a short list; one of its lines has the figure that was asked for.",
        ),
    )


def _editor_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT f.name AS forum, w.title, r.note FROM wiki_revision r JOIN wiki_page w ON w.id = r.page_id"
        " JOIN forum f ON f.id = w.forum_id WHERE r.number >= 2 AND r.author_id <> 1 ORDER BY r.id"
    ).fetchall()
    return [{"forum": row["forum"], "page": row["title"], "note": row["note"]} for row in rows]


def _editor_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT m.username FROM wiki_revision r JOIN wiki_page w ON w.id = r.page_id JOIN member m ON"
        " m.id = r.author_id"
        " JOIN forum f ON f.id = w.forum_id WHERE f.name = ? AND w.title = ? AND r.note = ?",
        (p["forum"], p["page"], p["note"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["username"],)))


def _editor(page: Page, p: Params) -> Solver:
    yield from _open_wiki(page, p["forum"])
    yield from page.click(
        "link",
        p["page"],
        say=(
            f"Go to the page “{p['page']}” by the list at the right.",
            f"In the box “Pages” on the right there is “{p['page']}”; open it.",
        ),
    )
    yield from page.click(
        "link",
        "History",
        say=(
            "Press “History” beside the title of the page.",
            "Who changed what is kept under “History”, to the right of the page's title.",
        ),
    )
    yield from page.reach_text(p["note"])
    yield from page.finish(
        page.cell(p["note"], "By"),
        say=(
            f"Find the row with the note “{p['note']}” and read the name in the column “By”.",
            f"One row of the table says “{p['note']}” at its end; the member named in that row did it.",
        ),
    )


def _page_params(db: Query) -> Sequence[Params]:
    return [
        {
            "forum": "Austin",
            "title": "Late libraries",
            "body": "The central library is open until nine.",
            "note": "Begun",
        },
        {
            "forum": "Pens & Paper",
            "title": "Swap rules",
            "body": "Country first, then what you have.",
            "note": "Asked for in March",
        },
        {
            "forum": "Coffee Corner",
            "title": "Grinders by hand",
            "body": "Two turns finer is one step.",
            "note": "From the thread",
        },
    ]


def _page_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    slug = p["title"].lower().replace(" ", "-")
    page = {"forum_id": forum, "slug": slug, "title": {"~": p["title"]}, "body": {"~": p["body"]}}
    revision = {
        "page_id": {"new": "wiki_page"},
        "number": 1,
        "author_id": 1,
        "body": {"~": p["body"]},
        "note": {"~": p["note"]},
    }
    return Check(
        state=_state(
            Change(table="wiki_page", op="insert", values=page),
            Change(table="wiki_revision", op="insert", values=revision),
        )
    )


def _page(page: Page, p: Params) -> Solver:
    yield from _open_wiki(page, p["forum"])
    yield from page.click(
        "link",
        "New page",
        say=(
            "Press “New page” under the list of pages on the right.",
            "The box “Pages” at the right ends with the link “New page”.",
        ),
    )
    yield from fill(page, "Title", p["title"])
    yield from write(page, "Text", p["body"])
    yield from fill(page, "Note on your change", p["note"])
    yield from press(page, "Save page")
    yield from done(page)


TEMPLATES = (
    Template(
        id="reddit.wiki_fact",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Look into the wiki of {forum}, page “{page}”: what is the number of {what}?",
            "How many {what}? The wiki page “{page}” of the forum {forum} should say so.",
        ),
        params=_fact_params,
        check=_fact_check,
        solve=_fact,
    ),
    Template(
        id="reddit.wiki_editor",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Who edited the wiki page “{page}” of {forum} with the note “{note}”?",
            "Somebody changed “{page}” in the wiki of {forum} and noted “{note}”. Which member was it?",
        ),
        params=_editor_params,
        check=_editor_check,
        solve=_editor,
    ),
    Template(
        id="reddit.wiki_page",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Start a new page in the wiki of {forum}: title “{title}”, text “{body}”, note on the change “{note}”.",
            "The wiki of {forum} lacks a page called “{title}”. Make it, with the text “{body}” and the note “{note}”.",
        ),
        params=_page_params,
        check=_page_check,
        solve=_page,
        wrong_value=lambda db, p: {**p, "body": "To be written."},
    ),
)
