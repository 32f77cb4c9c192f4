"""What is one's own on the forge: snippets, to-dos, status, stars."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import (
    fill,
    open_project,
    open_row,
    save,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


def _project(db: Query, path: str) -> int:
    (number,) = db.execute("SELECT id FROM project WHERE full_path = ?", (path,)).fetchone()
    return int(number)


def _check(*required: Change) -> Check:
    return Check(state=(StateCheck(site="gitlab", required=required),))


# --- snippets -------------------------------------------------------------------------------------------------------

_SNIPPETS = (
    (
        "Days until the camp",
        "days.py",
        "from datetime import date\nprint((date(2026, 6, 11) - date.today()).days)",
        "Public",
    ),
    ("Sort my reading list", "reading.sh", "sort -u reading.txt", "Private"),
    ("Oldest jobs first", "jobs.sql", "SELECT id, name FROM job ORDER BY due LIMIT 10", "Internal"),
)


def _snippet_params(db: Query) -> Sequence[Params]:
    rows = [dict(zip(("title", "file", "text", "visibility"), row, strict=True)) for row in _SNIPPETS]
    return [{**row, "shown": row["text"].replace("\n", " ⏎ "), "level": row["visibility"].lower()} for row in rows]


def _snippet_check(db: Query, p: Params) -> Check:
    values = {
        "author_id": 1,
        "title": {"~": p["title"]},
        "file_name": p["file"],
        "content": {"~": p["text"]},
        "visibility": p["level"],
    }
    return _check(Change(table="snippet", op="insert", values=values))


def _snippet_form(page: Page, p: Params) -> Solver:
    yield from fill(page, "Title", p["title"], where="at the top of the form")
    yield from fill(page, "File name", p["file"], where="above the code")
    yield from page.type(
        "Code",
        p["text"],
        say=(
            "Write the code into the large box.",
            "The box “Code” takes what the request quotes, with a new line where the sign of the Enter key stands.",
        ),
    )
    yield from page.click(
        "radio",
        p["visibility"],
        say=(
            f"Mark “{p['visibility']}” as the visibility.",
            f"Who may see it is decided at the end of the form: “{p['visibility']}”.",
        ),
    )
    yield from save(page, "Create snippet")
    yield from page.finish(
        say=(
            "The snippet is shown with line numbers under its title.",
            "Your code has a page of its own now, and its level of visibility stands below the title.",
        )
    )


def _snippet(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Snippets",
        say=("Go to “Snippets” in the header.", "Snippets have a page of their own; the dark bar leads to “Snippets”."),
    )
    yield from page.click(
        "link",
        "New snippet",
        say=("Press “New snippet”.", "Right of the heading you find “New snippet”, which opens an empty form."),
    )
    yield from _snippet_form(page, p)


def _snippet_by_plus(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Create new",
        say=("Press the plus sign in the header.", "The plus sign at the top, “Create new”, opens a small menu."),
    )
    yield from page.click(
        "link",
        "New snippet",
        say=("Choose “New snippet” there.", "Two things can be created from the menu; yours is “New snippet”."),
    )
    yield from _snippet_form(page, p)


def _snippet_level(db: Query, p: Params) -> Params:
    return {**p, "visibility": "Internal" if p["visibility"] != "Internal" else "Public"}


def _todo_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT t.id, coalesce(i.title, r.title) AS title, a.full_name AS author FROM todo t"
        " JOIN account a ON a.id = t.author_id LEFT JOIN issue i ON i.id = t.issue_id"
        " LEFT JOIN merge_request r ON r.id = t.merge_request_id WHERE t.account_id = 1 AND t.state = 'pending'"
        " ORDER BY t.created_at, t.id"
    ).fetchall()
    titles = [row["title"] for row in rows]
    single = [row for row in rows if titles.count(row["title"]) == 1]
    return [{"title": single[at]["title"], "person": single[at]["author"]} for at in (1, 4, 8, 12)]


def _todo_check(db: Query, p: Params) -> Check:
    (number,) = db.execute(
        "SELECT t.id FROM todo t LEFT JOIN issue i ON i.id = t.issue_id LEFT JOIN merge_request r"
        " ON r.id = t.merge_request_id WHERE t.account_id = 1 AND t.state = 'pending'"
        " AND coalesce(i.title, r.title) = ?",
        (p["title"],),
    ).fetchone()
    return _check(Change(table="todo", op="update", where={"id": number}, values={"state": "done"}))


def _todo(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "To-do list",
        say=(
            "Open your to-do list with the ticked lines in the header.",
            "Among the symbols at the top right is one with three lines and ticks, “To-do list”.",
        ),
    )
    yield from page.click(
        "button",
        f"Mark as done: {p['title']}",
        what=f"“{p['title']}”",
        say=(
            f"Press “Mark as done” in the row of “{p['title']}”.",
            f"Find “{p['title']}” in the list; the button at the end of its row ticks it off.",
        ),
    )
    yield from page.finish(
        say=(
            "The row has left the list, and the number in the header is smaller by one.",
            "A note says that the to-do is done; it can still be found under “Done”.",
        )
    )


# --- status and stars -----------------------------------------------------------------------------------------------

_STATUS = (
    ("🌱", "In the garden until noon", 0),
    ("🎧", "Please write, do not call", 1),
    ("🌴", "Back on the first of April", 1),
    ("☕", "Reviewing, ask me anything", 0),
)


def _status_params(db: Query) -> Sequence[Params]:
    return [
        {"emoji": emoji, "text": text, "busy": busy, "also": ", and mark me as busy" if busy else ""}
        for emoji, text, busy in _STATUS
    ]


def _status_check(db: Query, p: Params) -> Check:
    values = {"status_emoji": p["emoji"], "status_text": {"~": p["text"]}}
    if p["busy"]:
        values["is_busy"] = 1
    return _check(Change(table="account", op="update", where={"id": 1}, values=values))


def _status_form(page: Page, p: Params) -> Solver:
    yield from page.select(
        "Symbol",
        p["emoji"],
        say=(
            f"Choose the symbol {p['emoji']}.",
            f"The small list at the left holds ten symbols, of which {p['emoji']} is wanted.",
        ),
    )
    yield from fill(page, "What is your status?", p["text"], where="in the window that has opened")
    if p["busy"]:
        yield from page.click(
            "checkbox",
            "Set yourself as busy",
            say=(
                "Tick “Set yourself as busy”.",
                "Below the text is a box for being busy; it gets a tick.",
            ),
        )
    yield from save(page, "Save status")
    yield from page.finish(
        say=(
            "Your profile shows the symbol and the words under your name.",
            "The new status stands at the left of your profile page, and a note confirms it.",
        )
    )


def _status(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Account menu",
        say=(
            "Open the menu behind your picture at the top right.",
            "What concerns your account hangs from the round picture in the upper right corner.",
        ),
    )
    yield from page.click(
        "button",
        "Set status",
        say=("Choose “Set status”.", "The menu begins with your name; “Set status” below it opens a window."),
    )
    yield from _status_form(page, p)


def _status_by_profile(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Account menu",
        say=("Unfold the account menu.", "The menu with your own pages is at the right end of the dark bar."),
    )
    yield from page.click(
        "link",
        "My profile",
        say=("Go to “My profile”.", "The page that others see of you is called “My profile” in this menu."),
    )
    yield from page.click(
        "button",
        "Set status",
        say=("Press “Set status” under your details.", "Next to “Edit profile” is “Set status”, which opens a window."),
    )
    yield from _status_form(page, p)


_STARRED = (
    ("open-atlas/gazetteer", "Gazetteer", "maps"),
    ("gracie_b/glaze-notebook", "Glaze Notebook", "pottery"),
    ("slow-kettle/steep-timer", "Steep Timer", "tea"),
    ("north-star/split-times", "Split Times", "sport"),
)


def _star_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "topic"), row, strict=True)) for row in _STARRED]


def _star_check(db: Query, p: Params) -> Check:
    values = {"project_id": _project(db, p["path"]), "account_id": 1}
    return _check(Change(table="star", op="insert", values=values))


def _star_end(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Star",
        say=(
            "Press “Star” beside the name.",
            "At the right of the heading is “Star”; the number in it goes up by one.",
        ),
    )
    yield from page.finish(
        say=(
            "The button now reads “Unstar”: the project is among your favourites.",
            "You know it worked by the button, which offers to take the star back.",
        )
    )


def _star(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from _star_end(page)


def _star_by_exploring(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Explore",
        say=("Go to “Explore” in the header.", "All public projects are listed under “Explore”."),
    )
    yield from page.type(
        "Filter by name",
        p["project"],
        say=(
            f"Filter the list by “{p['project']}”.",
            f"The white bar over the rows has a field for names: “{p['project']}”.",
        ),
    )
    yield from page.press_enter(say=("Press Enter.", "With Enter only the rows with that name stay."))
    link = next(link for link in page.find_all("link") if re.search(rf"/ {re.escape(p['project'])}$", link.name))
    yield from open_row(page, link.name, what="the project")
    yield from _star_end(page)


TEMPLATES = (
    Template(
        id="gitlab.snippet_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Save a snippet “{title}”, visibility {level}, with a file {file} that reads: {shown}",
            "Put this code into a snippet called “{title}” (file {file}, visibility {level}; ⏎ is a new line): {shown}",
        ),
        params=_snippet_params,
        check=_snippet_check,
        solve=_snippet,
        second_route=_snippet_by_plus,
        wrong_value=_snippet_level,
    ),
    Template(
        id="gitlab.todo_done",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Tick off the to-do about “{title}” on the forge.",
            "I have dealt with “{title}”, which {person} put on my list. Mark that to-do as done.",
        ),
        params=_todo_params,
        check=_todo_check,
        solve=_todo,
    ),
    Template(
        id="gitlab.status_set",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Set my status on the forge to {emoji} “{text}”{also}.",
            "Everybody should see {emoji} “{text}” as my status{also}.",
        ),
        params=_status_params,
        check=_status_check,
        solve=_status,
        second_route=_status_by_profile,
        wrong_value=lambda db, p: {**p, "text": "Away"},
    ),
    Template(
        id="gitlab.star",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Give the project {project} a star.",
            "I like {project}, the one about {topic}. Star it for me.",
        ),
        params=_star_params,
        check=_star_check,
        solve=_star,
        second_route=_star_by_exploring,
    ),
)
