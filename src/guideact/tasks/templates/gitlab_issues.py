"""Issues opened, answered and closed."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.gitlab_checks import changed, id_in_project, issue_id
from guideact.tasks.gitlab_deeds import (
    add_token,
    fill,
    open_issue,
    open_project,
    save,
    side,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


# --- a new one ------------------------------------------------------------------------------------------------------

_NEW = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "Workers do not stop on SIGTERM",
        "They finish nothing and just hang.",
        "bug",
        "Ville Heikkinen",
        "3",
    ),
    (
        "harbour-code/lantern",
        "Lantern",
        "Say which page is being built",
        "A line per page would help to find slow ones.",
        "enhancement",
        "Elina Mäkinen",
        "1",
    ),
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "Rhubarb before it is too late",
        "A crumble would do.",
        "idea",
        "Julia Peterson",
        "2",
    ),
    (
        "lumo-market/storefront",
        "Storefront",
        "The newsletter box overlaps the footer",
        "On narrow screens only.",
        "bug",
        "Max Schulz",
        "2",
    ),
)


def _new_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "title", "text", "label", "person", "weight")
    return [dict(zip(names, row, strict=True)) for row in _NEW]


def _new_check(db: Query, p: Params) -> Check:
    (project,) = db.execute("SELECT id FROM project WHERE full_path = ?", (p["path"],)).fetchone()
    (person,) = db.execute("SELECT id FROM account WHERE full_name = ?", (p["person"],)).fetchone()
    return changed(
        Change(
            table="issue",
            op="insert",
            values={
                "project_id": project,
                "title": {"~": p["title"]},
                "body": {"~": p["text"]},
                "weight": int(p["weight"]),
                "due_on": "",
                "milestone_id": None,
                "is_confidential": 0,
                "state": "open",
            },
        ),
        Change(
            table="issue_label",
            op="insert",
            values={
                "issue_id": {"new": "issue"},
                "label_id": id_in_project(db, "label", p["path"], "name", p["label"]),
            },
        ),
        Change(table="issue_assignee", op="insert", values={"issue_id": {"new": "issue"}, "account_id": person}),
    )


def _new_form(page: Page, p: Params) -> Solver:
    yield from fill(page, "Title", p["title"], where="at the top of the form")
    yield from fill(page, "Description", p["text"], where="under the title")
    yield from add_token(page, "Assignees", p["person"])
    yield from add_token(page, "Labels", p["label"])
    yield from fill(page, "Weight", p["weight"], where="in the lower part of the form")
    yield from save(page, "Create issue")
    yield from page.finish(
        say=(
            "The new issue has a page and a number of its own, with everything you entered in the right column.",
            "A note at the top says that it was opened; compare label, person and weight, and stop here.",
        )
    )


def _new(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Issues")
    yield from page.click(
        "link",
        "New issue",
        say=(
            "Press “New issue” at the top right.",
            "Above the list, on the right, is what you need to begin one: “New issue”.",
        ),
    )
    yield from _new_form(page, p)


def _new_by_plus(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from page.click(
        "button",
        "Create new",
        say=(
            "Press the plus sign in the header.",
            "New things of every kind begin behind the plus sign of the top bar, “Create new”.",
        ),
    )
    yield from page.click(
        "link",
        "New issue in this project",
        say=(
            "Choose “New issue in this project”.",
            "The small menu knows where you are, so take “New issue in this project” from it.",
        ),
    )
    yield from _new_form(page, p)


# --- a comment ------------------------------------------------------------------------------------------------------

_COMMENTS = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "Two workers sometimes take the same job",
        "I can test a fix with two hundred workers on Friday.",
    ),
    ("open-atlas/tile-kitchen", "Tile Kitchen", "A style for cyclists", "Please draw bicycle pumps as well."),
    ("plain-text/plain-lint", "Plain Lint", "Words that stand twice", "That that is, is."),
    ("dkim/bike-route", "Bike Route", "Stairs are not streets", "Ramps beside stairs should stay."),
)


def _comment_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "text"), row, strict=True)) for row in _COMMENTS]


def _comment_check(db: Query, p: Params) -> Check:
    values = {"issue_id": issue_id(db, p["path"], p["issue"]), "author_id": 1, "body": {"~": p["text"]}}
    return changed(Change(table="note", op="insert", values=values), allowed=())


def _comment(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from fill(page, "Comment", p["text"], where="below the thread")
    yield from save(page, "Comment")
    yield from page.finish(
        say=(
            "Your words have become the last entry of the thread, with your name over them.",
            "The comment shows up at the end of the activity: nothing else is to be done.",
        )
    )


# --- closed with a word ---------------------------------------------------------------------------------------------

_CLOSED = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "tidewater put without a payload prints a traceback",
        "Fixed with the new argument parser.",
    ),
    ("emma_l/recipe-box", "Recipe Box", "Measures in cups?", "No scales, no cake. Sorry!"),
    ("emma_l/garden-log", "Garden Log", "Count harvests in kilograms", "The log says kilograms already."),
    ("harbour-code/lantern", "Lantern", "Build stops at an empty page", "Empty pages are skipped since Tuesday."),
)


def _close_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "text"), row, strict=True)) for row in _CLOSED]


def _close_check(db: Query, p: Params) -> Check:
    number = issue_id(db, p["path"], p["issue"])
    return changed(
        Change(
            table="issue", op="update", where={"id": number}, values={"state": "closed"}, any_columns=("closed_at",)
        ),
        Change(table="note", op="insert", values={"issue_id": number, "author_id": 1, "body": {"~": p["text"]}}),
    )


def _close(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from fill(page, "Comment", p["text"], where="at the end of the page")
    yield from page.click(
        "button",
        "Close issue",
        say=(
            "Press “Close issue” instead of “Comment”: it does both.",
            "The second button below the box, “Close issue”, adds your words and closes at once.",
        ),
    )
    yield from page.finish(
        say=(
            "The mark over the title has turned from “Open” to “Closed”.",
            "A line in the thread says that you closed it, right after your comment.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.issue_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Open an issue in {project} called “{title}”. Write “{text}” as its description, give it the label "
            "“{label}” and a weight of {weight}, and assign it to {person}.",
            "Something for {project}: “{title}”. Please file it with the description “{text}”, label it “{label}”, set "
            "the weight to {weight}, and let {person} have it.",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        second_route=_new_by_plus,
        wrong_value=lambda db, p: {**p, "weight": "9"},
    ),
    Template(
        id="gitlab.issue_comment",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Comment “{text}” on the issue “{issue}” of {project}.",
            "Tell the people at {project} under “{issue}”: “{text}”",
        ),
        params=_comment_params,
        check=_comment_check,
        solve=_comment,
        wrong_value=lambda db, p: {**p, "text": "I have nothing to add."},
    ),
    Template(
        id="gitlab.issue_close",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Close the issue “{issue}” in {project} with the comment “{text}”",
            "“{issue}” ({project}) is settled. Write “{text}” below it and close it.",
        ),
        params=_close_params,
        check=_close_check,
        solve=_close,
        wrong_value=lambda db, p: {**p, "text": "Closed."},
    ),
)
