"""Longer work in the forge: a label made and used, and the heaviest issue of a milestone planned."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.gitlab_checks import changed, id_in_project, issue_id
from guideact.tasks.gitlab_deeds import add_token, fill, filter_by, open_project, open_row, save, side, unfold
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


# --- a label, made and used -----------------------------------------------------------------------------------------

_USED = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "needs a test",
        "Orange",
        "Two workers sometimes take the same job",
        "The pause between attempts should grow",
    ),
    (
        "harbour-code/lantern",
        "Lantern",
        "for the spring",
        "Violet",
        "Umlauts in file names become question marks",
        "A feed for each folder",
    ),
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "quick win",
        "Teal",
        "Lentil soup: say which lentils",
        "Measures in cups?",
    ),
    (
        "harbour-code/camp-site",
        "Camp Site",
        "for the board",
        "Pink",
        "Raise the student ticket to 45 euros",
        "Is there a lift at the terminal?",
    ),
)


def _used_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "label", "colour", "first", "second")
    found = [dict(zip(names, row, strict=True)) for row in _USED]
    return [{**one, "shade": one["colour"].lower()} for one in found]


def _used_check(db: Query, p: Params) -> Check:
    (project,) = db.execute("SELECT id FROM project WHERE full_path = ?", (p["path"],)).fetchone()
    (number,) = db.execute("SELECT MAX(id) + 1 FROM label").fetchone()
    label = {"id": number, "project_id": project, "name": {"~": p["label"]}, "color": p["shade"], "description": ""}
    given = (
        Change(
            table="issue_label",
            op="insert",
            values={"issue_id": issue_id(db, p["path"], p[key]), "label_id": number},
        )
        for key in ("first", "second")
    )
    return changed(Change(table="label", op="insert", values=label), *given)


def _used(page: Page, p: Params) -> Solver:
    yield from side(page, "Labels")
    yield from page.click(
        "link",
        "New label",
        say=(
            "Start with the label itself: “New label”, over the table.",
            "The project does not have this label so far. “New label” at the right opens the form for it.",
        ),
    )
    yield from fill(page, "Label name", p["label"], where="at the top of the form")
    yield from page.click(
        "radio",
        p["colour"],
        say=(
            f"Have it in “{p['colour']}”: mark that colour.",
            f"Below the description you see nine colours to choose from, “{p['colour']}” among them.",
        ),
    )
    yield from save(page, "Create label")
    for key in ("first", "second"):
        yield from side(page, "Issues")
        yield from open_row(page, p[key])
        yield from unfold(page, "Edit labels")
        yield from add_token(page, "Add a label", p["label"])
        yield from save(page, "Save labels")
    yield from page.finish(
        say=(
            "The second issue wears the new label like the first, beside those it had.",
            "One label made, two issues marked with it: the right column shows the last of the three changes.",
        )
    )


# --- the heaviest of a milestone ------------------------------------------------------------------------------------

_HEAVY = (
    ("harbour-code/tidewater", "Tidewater", "1.0", "Daniel Kim", "2026-04-17", "April 17"),
    ("harbour-code/camp-site", "Camp Site", "Tickets", "Elina Mäkinen", "2026-04-10", "April 10"),
    ("lumo-market/storefront", "Storefront", "Checkout in three steps", "Max Schulz", "2026-06-30", "June 30"),
    ("open-atlas/tile-kitchen", "Tile Kitchen", "Menu of spring", "Amelia Hughes", "2026-04-24", "April 24"),
)


def _heavy_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "milestone", "person", "day", "short")
    return [dict(zip(names, row, strict=True)) for row in _HEAVY]


def _heavy_check(db: Query, p: Params) -> Check:
    milestone = id_in_project(db, "milestone", p["path"], "title", p["milestone"])
    rows = db.execute(
        "SELECT id, coalesce(weight, 0) AS weight FROM issue WHERE milestone_id = ? AND state = 'open'"
        " ORDER BY weight DESC LIMIT 2",
        (milestone,),
    ).fetchall()
    if rows[0]["weight"] == rows[1]["weight"]:
        raise ValueError(f"two issues of {p['milestone']} are the heaviest")
    heaviest = rows[0]["id"]
    (person,) = db.execute("SELECT id FROM account WHERE full_name = ?", (p["person"],)).fetchone()
    return changed(
        Change(table="issue_assignee", op="insert", values={"issue_id": heaviest, "account_id": person}),
        Change(table="issue", op="update", where={"id": heaviest}, values={"due_on": p["day"]}),
    )


def _heavy(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Issues")
    yield from filter_by(page, "Milestone", p["milestone"])
    yield from filter_by(page, "Sort by", "Highest weight")
    yield from _heavy_listed(page, p)


def _heavy_listed(page: Page, p: Params) -> Solver:
    number = next((line.box for line in page.lines() if re.match(r"#\d+\b", line.text)), None)
    if number is None:
        raise page.stuck("no list of issues", [line.text for line in page.lines()], "#1")
    above = [link for link in page.find_all("link") if 0 < number.y - link.box.y < 40]
    title = min(above, key=lambda link: abs(link.box.x - number.x)).name
    yield from page.click(
        "link",
        title,
        what="the first issue of the list",
        say=(
            "Open the issue in the first row: with this order it is the heaviest.",
            "What weighs most has come to the top. Its title leads to the issue.",
        ),
    )
    yield from unfold(page, "Edit assignees")
    yield from add_token(page, "Add an assignee", p["person"])
    yield from save(page, "Save assignees")
    yield from unfold(page, "Edit due date")
    yield from fill(page, "Day", p["day"], where="in the small form at the right")
    yield from save(page, "Save due date")
    yield from page.finish(
        say=(
            "Person and date are both in the right column, so the heaviest issue is planned.",
            "Two lines in the thread tell of the assignee and of the date, and no more was wanted.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.new_label_used",
        sites=_SITES,
        start="__GITLAB__/{path}",
        logins=_LOGINS,
        intents=(
            "{project} needs one more label, “{label}”, coloured {shade} and without a description. Make it, and add "
            "it to the issues “{first}” and “{second}”.",
            "In {project}, “{first}” and “{second}” should both be labelled “{label}”. That label does not exist yet: "
            "make it first, in {shade}, with no description.",
        ),
        params=_used_params,
        check=_used_check,
        solve=_used,
        wrong_value=lambda db, p: {**p, "colour": "Grey"},
    ),
    Template(
        id="gitlab.heaviest_given",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Find the open issue with the highest weight in the milestone “{milestone}” of {project}. Assign it to "
            "{person}, due on {short}, 2026.",
            "{person} takes on the heaviest open issue of {project}'s milestone “{milestone}”, until {short} of this "
            "year. Enter both in the issue.",
        ),
        params=_heavy_params,
        check=_heavy_check,
        solve=_heavy,
        wrong_value=lambda db, p: {**p, "day": "2026-12-24"},
    ),
)
