"""Keeping a project: labels, milestones, members, settings. And what is one's own: snippets, to-dos, status, stars."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import (
    choose,
    fill,
    open_listed_project,
    open_project,
    open_row,
    pick_day,
    save,
    side,
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


# --- milestones -----------------------------------------------------------------------------------------------------

_MILESTONES = (
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "Summer menu",
        "2026-06-21",
        "Sunday, June 21, 2026",
        "21 June 2026",
        "Cold soups.",
    ),
    (
        "harbour-code/tidewater",
        "Tidewater",
        "1.1",
        "2026-09-30",
        "Wednesday, September 30, 2026",
        "30 September 2026",
        "What 1.0 left out.",
    ),
    (
        "harbour-code/lantern",
        "Lantern",
        "Search",
        "2026-07-10",
        "Friday, July 10, 2026",
        "10 July 2026",
        "Find words in a built site.",
    ),
    (
        "lumo-market/storefront",
        "Storefront",
        "Autumn catalogue",
        "2026-08-14",
        "Friday, August 14, 2026",
        "14 August 2026",
        "New covers.",
    ),
)


def _milestone_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "title", "day", "aloud", "spoken", "text")
    return [dict(zip(names, row, strict=True)) for row in _MILESTONES]


def _milestone_check(db: Query, p: Params) -> Check:
    values = {
        "project_id": _project(db, p["path"]),
        "title": {"~": p["title"]},
        "due_on": p["day"],
        "starts_on": "",
        "description": {"~": p["text"]},
    }
    return _check(Change(table="milestone", op="insert", values=values))


def _milestone_form(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Milestones")
    yield from page.click(
        "link",
        "New milestone",
        say=(
            "Press “New milestone”.",
            "At the top right of the list you can begin another one, with “New milestone”.",
        ),
    )
    yield from fill(page, "Title", p["title"], where="at the top of the form")


def _milestone_end(page: Page, p: Params) -> Solver:
    yield from fill(page, "Description", p["text"], where="below the dates")
    yield from save(page, "Create milestone")
    yield from page.finish(
        say=(
            "The milestone has a page of its own, still without issues.",
            "Title and last day head the new page; there is nothing left to do.",
        )
    )


def _milestone(page: Page, p: Params) -> Solver:
    yield from _milestone_form(page, p)
    yield from pick_day(page, "Choose due date", p["aloud"])
    yield from _milestone_end(page, p)


def _milestone_typed(page: Page, p: Params) -> Solver:
    yield from _milestone_form(page, p)
    yield from fill(page, "Due date", p["day"], where="under the title")
    yield from _milestone_end(page, p)


# --- labels ---------------------------------------------------------------------------------------------------------

_LABELS = (
    ("emma_l/recipe-box", "Recipe Box", "dessert", "Pink", "Sweet things"),
    ("harbour-code/tidewater", "Tidewater", "security", "Red", "Somebody could get in"),
    ("open-atlas/gazetteer", "Gazetteer", "spelling", "Violet", "Accents and umlauts"),
    ("emma_l/garden-log", "Garden Log", "harvest", "Amber", "What came out of the ground"),
)


def _label_params(db: Query) -> Sequence[Params]:
    rows = [dict(zip(("path", "project", "label", "colour", "text"), row, strict=True)) for row in _LABELS]
    return [{**row, "shade": row["colour"].lower()} for row in rows]


def _label_check(db: Query, p: Params) -> Check:
    values = {
        "project_id": _project(db, p["path"]),
        "name": {"~": p["label"]},
        "color": p["shade"],
        "description": {"~": p["text"]},
    }
    return _check(Change(table="label", op="insert", values=values))


def _label(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Labels")
    yield from page.click(
        "link",
        "New label",
        say=("Press “New label”.", "The blue-green button above the table, “New label”, leads to an empty form."),
    )
    yield from fill(page, "Label name", p["label"], where="in the first line")
    yield from fill(page, "Description", p["text"], where="under the name")
    yield from page.click(
        "radio",
        p["colour"],
        say=(
            f"Choose the colour “{p['colour']}”.",
            f"Nine colours are on offer below; mark “{p['colour']}”.",
        ),
    )
    yield from save(page, "Create label")
    yield from page.finish(
        say=(
            "The table of labels holds the new one, in its colour.",
            "Back in the list, the label stands with its description: that was it.",
        )
    )


# --- members --------------------------------------------------------------------------------------------------------

_INVITED = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Priya Shah", "priya_s", "Developer"),
    ("emma_l/garden-log", "Garden Log", "Emma Lopez", "Grace Bennett", "gracie_b", "Reporter"),
    ("harbour-code/lantern", "Lantern", "Harbour Code", "Oskar Nyström", "oskar_n", "Developer"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Zoe Patel", "zoe_p", "Reporter"),
)


def _invite_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "namespace", "person", "username", "role")
    return [dict(zip(names, row, strict=True)) for row in _INVITED]


def _invite_check(db: Query, p: Params) -> Check:
    (person,) = db.execute("SELECT id FROM account WHERE full_name = ?", (p["person"],)).fetchone()
    values = {"project_id": _project(db, p["path"]), "account_id": person, "role": p["role"]}
    return _check(Change(table="project_member", op="insert", values=values))


def _invite(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Members")
    yield from page.click(
        "button",
        "Invite members",
        say=(
            "Press “Invite members”.",
            "The button at the top right, “Invite members”, unfolds a form over the table.",
        ),
    )
    yield from page.type(
        "Name or user name",
        p["person"],
        say=(
            f"Type “{p['person']}” into “Name or user name”; people are suggested below.",
            f"The first field looks people up. With “{p['person']}” in it, a short list drops down.",
        ),
    )
    yield from page.click(
        "option",
        p["person"],
        say=(
            f"Choose “{p['person']}” from the list.",
            f"In the suggestions “{p['person']}” stands with the user name; a click fills it in.",
        ),
    )
    yield from choose(page, "Role of the new member", p["role"], where="beside the name")
    yield from save(page, "Invite")
    yield from page.finish(
        say=(
            "The table of members has a new row, with the right role.",
            "A note says who was added and as what: finished.",
        )
    )


_REMOVED = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Tyler Morris"),
    ("emma_l/garden-log", "Garden Log", "Emma Lopez", "Samuel Reed"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Saara Lehto"),
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Ethan Brooks"),
)


def _remove_params(db: Query) -> Sequence[Params]:
    found = []
    for path, project, namespace, person in _REMOVED:
        member = db.execute(
            "SELECT a.full_name FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = ?"
            " AND a.full_name = ?",
            (_project(db, path), person),
        ).fetchall()
        if member:
            found.append({"path": path, "project": project, "namespace": namespace, "person": person})
    return found


def _remove_check(db: Query, p: Params) -> Check:
    (member,) = db.execute(
        "SELECT m.id FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = ?"
        " AND a.full_name = ?",
        (_project(db, p["path"]), p["person"]),
    ).fetchone()
    values = {"id": member}
    return _check(Change(table="project_member", op="delete", values=values))


def _remove(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Members")
    yield from page.click(
        "button",
        f"Remove {p['person']}",
        what=f"the row of {p['person']}",
        say=(
            f"Press “Remove” in the row of {p['person']} and agree to the question.",
            f"Every row ends with a red button; take the one beside {p['person']}, and say yes when you are asked.",
        ),
    )
    yield from page.finish(
        say=(
            "The row is gone from the table of members.",
            "A message confirms who was removed, and the table is one row shorter.",
        )
    )


_ROLES = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Naomi Brown", "Reporter"),
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Julia Peterson", "Maintainer"),
    ("emma_l/garden-log", "Garden Log", "Emma Lopez", "Leah Morgan", "Maintainer"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Fumiko Mori", "Maintainer"),
)


def _role_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "namespace", "person", "role"), row, strict=True)) for row in _ROLES]


def _role_check(db: Query, p: Params) -> Check:
    (member,) = db.execute(
        "SELECT m.id FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = ?"
        " AND a.full_name = ?",
        (_project(db, p["path"]), p["person"]),
    ).fetchone()
    change = Change(table="project_member", op="update", where={"id": member}, values={"role": p["role"]})
    return _check(change)


def _role(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Members")
    yield from page.select(
        f"Role of {p['person']}",
        p["role"],
        what=f"the row of {p['person']}",
        say=(
            f"Set the role in the row of {p['person']} to “{p['role']}”.",
            f"The column “Role” has a list for {p['person']}, which should show “{p['role']}”; it is stored at once.",
        ),
    )
    yield from page.finish(
        say=(
            "A green note repeats the name and the new role.",
            "The page has come back with the other role in the row, so it is stored.",
        )
    )


# --- settings -------------------------------------------------------------------------------------------------------

_DESCRIBED = (
    ("emma_l/recipe-box", "Recipe Box", "Soups, stews and a script that scales them.", "cooking, soup"),
    ("emma_l/garden-log", "Garden Log", "Four beds and their snails.", "garden, snails"),
    ("harbour-code/tidewater", "Tidewater", "Runs jobs later, from one file.", "python, jobs"),
    ("harbour-code/signal-flags", "Signal Flags", "Every flag of the signal code in pure CSS.", "css, flags"),
)


def _describe_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "text", "topics"), row, strict=True)) for row in _DESCRIBED]


def _describe_check(db: Query, p: Params) -> Check:
    values = {"description": {"~": p["text"]}, "topics": {"~": p["topics"]}}
    return _check(Change(table="project", op="update", where={"id": _project(db, p["path"])}, values=values))


def _describe(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Settings")
    yield from fill(page, "Project description", p["text"], where="in the part “General”")
    yield from fill(page, "Topics", p["topics"], where="in the same part")
    yield from save(page, "Save general settings")
    yield from page.finish(
        say=(
            "The settings come back with your words and a green note.",
            "Both fields show the new texts after saving, and nothing else was touched.",
        )
    )


_VISIBLE = (
    ("emma_l/garden-log", "Garden Log", "Public", "everybody may see it, with or without an account"),
    ("emma_l/recipe-box", "Recipe Box", "Internal", "only people with an account may see it"),
    ("emma_l/dotfiles", "dotfiles", "Internal", "everybody who is signed in may read it"),
)


def _visible_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "visibility", "who"), row, strict=True)) for row in _VISIBLE]


def _visible_check(db: Query, p: Params) -> Check:
    values = {"visibility": p["visibility"].lower()}
    return _check(Change(table="project", op="update", where={"id": _project(db, p["path"])}, values=values))


def _visible(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Settings")
    yield from page.click(
        "radio",
        p["visibility"],
        what="the part “Visibility”",
        say=(
            f"Choose “{p['visibility']}” under “Visibility”.",
            f"Of the three levels in the part “Visibility”, mark “{p['visibility']}”.",
        ),
    )
    yield from save(page, "Save visibility")
    yield from page.finish(
        say=(
            "A note says that the settings were saved.",
            "From now on the project's page shows the new level under its name.",
        )
    )


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


# --- to-dos ---------------------------------------------------------------------------------------------------------


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
        id="gitlab.milestone_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "{project} needs a milestone “{title}” that is due on {spoken}. Describe it as “{text}”",
            "Create the milestone “{title}” in {project}: last day {spoken}, description “{text}”",
        ),
        params=_milestone_params,
        check=_milestone_check,
        solve=_milestone_typed,
        second_route=_milestone,
        wrong_value=lambda db, p: {**p, "day": "2026-12-24"},
    ),
    Template(
        id="gitlab.label_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Add a label “{label}” to {project}. Colour: {shade}; description: “{text}”.",
            "We want to sort the issues of {project} better. Make a {shade} label “{label}”, described as “{text}”.",
        ),
        params=_label_params,
        check=_label_check,
        solve=_label,
        wrong_value=lambda db, p: {**p, "colour": "Grey"},
    ),
    Template(
        id="gitlab.member_invite",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Invite {person} to {project} as {role}.",
            "{person} would like to help with {project}. Add them to its members in the role {role}.",
        ),
        params=_invite_params,
        check=_invite_check,
        solve=_invite,
        wrong_value=lambda db, p: {**p, "role": "Guest"},
    ),
    Template(
        id="gitlab.member_remove",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Take {person} off the members of {project}.",
            "{person} no longer works on {project}. Remove them from the project.",
        ),
        params=_remove_params,
        check=_remove_check,
        solve=_remove,
    ),
    Template(
        id="gitlab.member_role",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Make {person} {role} in {project}.",
            "From today {person} should have the role {role} in the project {project}. Change it.",
        ),
        params=_role_params,
        check=_role_check,
        solve=_role,
        wrong_value=lambda db, p: {**p, "role": "Guest" if p["person"] != "Naomi Brown" else "Developer"},
    ),
    Template(
        id="gitlab.project_describe",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Change the description of {project} to “{text}” and its topics to “{topics}”.",
            "{project} is described badly. Make that “{text}”, with the topics {topics}.",
        ),
        params=_describe_params,
        check=_describe_check,
        solve=_describe,
        wrong_value=lambda db, p: {**p, "topics": "misc"},
    ),
    Template(
        id="gitlab.project_visibility",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Change who can see my project {project}: {who}.",
            "My project {project} has the wrong visibility. I want that {who}.",
        ),
        params=_visible_params,
        check=_visible_check,
        solve=_visible,
        wrong_value=lambda db, p: {**p, "visibility": "Public" if p["visibility"] == "Internal" else "Private"},
    ),
    Template(
        id="gitlab.snippet_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Save a {level} snippet “{title}” with a file {file} that reads: {shown}",
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
