"""Keeping a project: labels, milestones, settings."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import (
    fill,
    open_project,
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
        "Harbour Code's Tidewater",
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
    ("harbour-code/tidewater", "Harbour Code's Tidewater", "security", "Red", "Somebody could get in"),
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


# --- settings -------------------------------------------------------------------------------------------------------

_DESCRIBED = (
    ("emma_l/recipe-box", "Recipe Box", "Soups, stews and a script that scales them.", "cooking, soup"),
    ("emma_l/garden-log", "Garden Log", "Four beds and their snails.", "garden, snails"),
    ("harbour-code/tidewater", "Harbour Code's Tidewater", "Runs jobs later, from one file.", "python, jobs"),
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


def _wrong_level(db: Query, p: Params) -> Params:
    """The level that the project neither has nor is to have."""
    (now,) = db.execute("SELECT visibility FROM project WHERE full_path = ?", (p["path"],)).fetchone()
    levels = ("Public", "Internal", "Private")
    return {**p, "visibility": next(each for each in levels if each not in (p["visibility"], now.capitalize()))}


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
        solve=_milestone,
        second_route=_milestone_typed,
        wrong_value=lambda db, p: {**p, "aloud": "Monday, May 11, 2026"},
    ),
    Template(
        id="gitlab.label_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Add a label “{label}” to {project}. Colour: {shade}; description: “{text}”.",
            "We want to sort the issues of {project} better. Make a label “{label}” in {shade}, described as “{text}”.",
        ),
        params=_label_params,
        check=_label_check,
        solve=_label,
        wrong_value=lambda db, p: {**p, "colour": "Grey"},
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
        wrong_value=_wrong_level,
    ),
)
