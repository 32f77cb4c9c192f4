"""Issues planned: labels, dates, milestones, people, and the board."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.gitlab_checks import changed, id_in_project, issue_id
from guideact.tasks.gitlab_deeds import (
    add_token,
    choose,
    fill,
    open_issue,
    open_listed_project,
    open_project,
    open_row,
    pick_day,
    save,
    side,
    unfold,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


# --- labels ---------------------------------------------------------------------------------------------------------

_LABELS = (
    ("harbour-code/tidewater", "Tidewater", "A million parked jobs make take slow", "good first issue"),
    ("harbour-code/lantern", "Lantern", "The example is too wide on a telephone", "bug"),
    ("lumo-market/storefront", "Storefront", "The stars of a review jump when I hover", "to do"),
    ("open-atlas/gazetteer", "Gazetteer", "Ferro is not in the list", "source needed"),
)


def _label_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "label"), row, strict=True)) for row in _LABELS]


def _label_check(db: Query, p: Params) -> Check:
    values = {
        "issue_id": issue_id(db, p["path"], p["issue"]),
        "label_id": id_in_project(db, "label", p["path"], "name", p["label"]),
    }
    return changed(Change(table="issue_label", op="insert", values=values))


def _label(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from unfold(page, "Edit labels")
    yield from add_token(page, "Add a label", p["label"])
    yield from save(page, "Save labels")
    yield from page.finish(
        say=(
            "The coloured label is now among the others in the right column.",
            "Under “Labels” there is one more than before, so the work is done.",
        )
    )


def _other_label(db: Query, p: Params) -> Params:
    rows = db.execute(
        "SELECT l.name FROM label l JOIN project p ON p.id = l.project_id WHERE p.full_path = ? AND l.name <> ?"
        " AND l.id NOT IN (SELECT label_id FROM issue_label WHERE issue_id = ?) ORDER BY l.id",
        (p["path"], p["label"], issue_id(db, p["path"], p["issue"])),
    ).fetchall()
    return {**p, "label": rows[0]["name"]}


# --- a due date -----------------------------------------------------------------------------------------------------

_DUE = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "A pause button for maintenance",
        "2026-04-08",
        "Wednesday, April 8, 2026",
        "April 8",
    ),
    ("emma_l/recipe-box", "Recipe Box", "Half an egg becomes none", "2026-03-27", "Friday, March 27, 2026", "March 27"),
    (
        "harbour-code/camp-site",
        "Camp Site",
        "My talk is 25 minutes, not 40",
        "2026-03-20",
        "Friday, March 20, 2026",
        "March 20",
    ),
    (
        "lumo-market/storefront",
        "Storefront",
        "The second page of the checkout takes four seconds",
        "2026-05-05",
        "Tuesday, May 5, 2026",
        "May 5",
    ),
)


def _due_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "day", "aloud", "short"), row, strict=True)) for row in _DUE]


def _due_check(db: Query, p: Params) -> Check:
    number = issue_id(db, p["path"], p["issue"])
    return changed(Change(table="issue", op="update", where={"id": number}, values={"due_on": p["day"]}))


def _due_end(page: Page) -> Solver:
    yield from save(page, "Save due date")
    yield from page.finish(
        say=(
            "The new day stands under “Due date” in the right column.",
            "Once the column shows the date in words, the deadline is set.",
        )
    )


def _due(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from unfold(page, "Edit due date")
    yield from pick_day(page, "Choose due date", p["aloud"])
    yield from _due_end(page)


def _due_typed(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from unfold(page, "Edit due date")
    yield from fill(page, "Day", p["day"], where="in the form that has opened")
    yield from _due_end(page)


# --- the board ------------------------------------------------------------------------------------------------------

_MOVES = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "Harbour Code",
        "Schedules: run a job every night at three",
        "to do",
        "in progress",
    ),
    ("harbour-code/lantern", "Lantern", "Harbour Code", "Allow a template for each folder", "to do", "doing"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Raise the student ticket to 45 euros", "to do", "waiting"),
    (
        "lumo-market/storefront",
        "Storefront",
        "Lumo Market",
        'Searching for "mug" does not find "mugs"',
        "doing",
        "testing",
    ),
)


def _move_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "namespace", "issue", "now", "list"), row, strict=True)) for row in _MOVES]


def _move_check(db: Query, p: Params) -> Check:
    number = issue_id(db, p["path"], p["issue"])
    return changed(
        Change(
            table="issue_label",
            op="delete",
            values={"issue_id": number, "label_id": id_in_project(db, "label", p["path"], "name", p["now"])},
        ),
        Change(
            table="issue_label",
            op="insert",
            values={"issue_id": number, "label_id": id_in_project(db, "label", p["path"], "name", p["list"])},
        ),
    )


def _move(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Board")
    yield from page.reach("link", p["issue"], what=f"the card “{p['issue']}”")
    card = page.find("link", p["issue"])
    assert card is not None
    lists = [box for box in page.find_all("combobox", "Move #") if abs(box.box.x - card.box.x) < 30]
    below = min((box for box in lists if box.box.y > card.box.y), key=lambda box: box.box.y)
    yield from page.select(
        below.name,
        p["list"],
        what="the list at the foot of the card",
        say=(
            f"Set the small list at the foot of the card “{p['issue']}” to “{p['list']}”.",
            f"Each card ends with “Move to …”, from which “{p['list']}” is taken for “{p['issue']}”.",
        ),
    )
    yield from page.finish(
        say=(
            f"The card has gone over into the column “{p['list']}”.",
            f"A green note says where the issue went, and it now hangs under “{p['list']}”.",
        )
    )


# --- milestone and weight -------------------------------------------------------------------------------------------

_PLANS = (
    ("harbour-code/tidewater", "Tidewater", "Payloads with emoji come back as question marks", "1.0", "5"),
    ("harbour-code/lantern", "Lantern", "Serve the site while writing", "Feeds", "4"),
    ("emma_l/recipe-box", "Recipe Box", "Lentil soup: say which lentils", "Spring menu", "3"),
    ("open-atlas/tile-kitchen", "Tile Kitchen", "Tiles at the date line are empty", "Menu of spring", "6"),
)


def _plan_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "milestone", "weight"), row, strict=True)) for row in _PLANS]


def _plan_check(db: Query, p: Params) -> Check:
    values = {
        "milestone_id": id_in_project(db, "milestone", p["path"], "title", p["milestone"]),
        "weight": int(p["weight"]),
    }
    where = {"id": issue_id(db, p["path"], p["issue"])}
    return changed(Change(table="issue", op="update", where=where, values=values))


def _plan(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from unfold(page, "Edit milestone")
    yield from choose(page, "Choose a milestone", p["milestone"], where="in the right column")
    yield from save(page, "Save milestone")
    yield from unfold(page, "Edit weight")
    yield from fill(page, "New weight", p["weight"], where="in the right column")
    yield from save(page, "Save weight")
    yield from page.finish(
        say=(
            "Milestone and weight both show their new values in the right column.",
            "Two lines were added to the thread, one for each change: that was all.",
        )
    )


# --- given to somebody ----------------------------------------------------------------------------------------------

_GIVEN = (
    ("harbour-code/tidewater", "Tidewater", "A million parked jobs make take slow", "Daniel Kim", "performance"),
    ("harbour-code/lantern", "Lantern", "A feed for each folder", "Elina Mäkinen", "enhancement"),
    ("lumo-market/storefront", "Storefront", "Three steps instead of five", "Priya Shah", "feature"),
    ("emma_l/recipe-box", "Recipe Box", "Asparagus, somehow", "Julia Peterson", "vegetarian"),
)


def _give_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "issue", "person", "label"), row, strict=True)) for row in _GIVEN]


def _give_check(db: Query, p: Params) -> Check:
    (person,) = db.execute("SELECT id FROM account WHERE full_name = ?", (p["person"],)).fetchone()
    values = {"issue_id": issue_id(db, p["path"], p["issue"]), "account_id": person}
    return changed(Change(table="issue_assignee", op="insert", values=values))


def _give_opened(page: Page, p: Params) -> Solver:
    yield from unfold(page, "Edit assignees")
    yield from add_token(page, "Add an assignee", p["person"])
    yield from save(page, "Save assignees")
    yield from page.finish(
        say=(
            "The person's name has replaced “Nobody” in the right column.",
            "When the first part of the column names the new assignee, you are through.",
        )
    )


def _give(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from _give_opened(page, p)


def _give_by_label(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Labels")
    yield from page.click(
        "link",
        p["label"],
        say=(
            f"Click the label “{p['label']}” to see its issues.",
            f"A label leads to the list of what carries it; here that is “{p['label']}”.",
        ),
    )
    yield from open_row(page, p["issue"])
    yield from _give_opened(page, p)


TEMPLATES = (
    Template(
        id="gitlab.issue_label",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Add the label “{label}” to the issue “{issue}” of {project}; keep the labels it has.",
            "The issue “{issue}” in {project} should also be labelled “{label}”.",
        ),
        params=_label_params,
        check=_label_check,
        solve=_label,
        wrong_value=_other_label,
    ),
    Template(
        id="gitlab.issue_due_set",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "“{issue}” in {project} has to be done by {short}, 2026. Set its due date.",
            "Please give the issue “{issue}” of {project} a deadline: {short} of this year.",
        ),
        params=_due_params,
        check=_due_check,
        solve=_due,
        second_route=_due_typed,
        wrong_value=lambda db, p: {**p, "aloud": "Tuesday, March 24, 2026"},
    ),
    Template(
        id="gitlab.board_move",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "On the board of {project}, move “{issue}” from “{now}” to “{list}”.",
            "The card “{issue}” on {project}'s board belongs into the list “{list}” now. Move it there.",
        ),
        params=_move_params,
        check=_move_check,
        solve=_move,
        wrong_value=lambda db, p: {**p, "list": "Closed"},
    ),
    Template(
        id="gitlab.issue_plan",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Put the issue “{issue}” of {project} into the milestone “{milestone}” and give it a weight of {weight}.",
            "Plan “{issue}” in {project}: milestone “{milestone}”, weight {weight}.",
        ),
        params=_plan_params,
        check=_plan_check,
        solve=_plan,
        wrong_value=lambda db, p: {**p, "weight": "11"},
    ),
    Template(
        id="gitlab.issue_assign",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Assign “{issue}” in {project} to {person}.",
            "{person} will look after “{issue}” of the project {project}. Make {person} the assignee.",
        ),
        params=_give_params,
        check=_give_check,
        solve=_give,
        second_route=_give_by_label,
        wrong_value=lambda db, p: {**p, "person": "Emma Lopez"},
    ),
)
