"""Who did how much, which project of a group is the busiest, and one's own profile."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import fill, filter_by, open_project, open_row, save, side
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import AnswerCheck, Box, Candidate, Change, Check, StateCheck

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}

# --- commits of a person --------------------------------------------------------------------------------------------

_AUTHORS = (
    ("harbour-code/lantern", "Lantern", "Emma Lopez"),
    ("harbour-code/tidewater", "Harbour Code's Tidewater", "Elina Mäkinen"),
    ("emma_l/garden-log", "Garden Log", "Leah Morgan"),
    ("lumo-market/storefront", "Storefront", "Priya Shah"),
)


def _commit_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "person"), row, strict=True)) for row in _AUTHORS]


def _commit_check(db: Query, p: Params) -> Check:
    (count,) = db.execute(
        "WITH RECURSIVE line(id) AS (SELECT b.revision_id FROM branch b JOIN project p ON p.id = b.project_id"
        " WHERE p.full_path = ? AND b.name = p.default_branch UNION SELECT q.id FROM line"
        " JOIN revision r ON r.id = line.id JOIN revision q ON q.id = r.parent_id OR q.id = r.merged_id)"
        " SELECT count(*) FROM line JOIN revision r ON r.id = line.id JOIN account a ON a.id = r.author_id"
        " WHERE a.full_name = ?",
        (p["path"], p["person"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(count),)))


def _commits(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Commits")
    yield from filter_by(page, "Author", p["person"])
    shown = [link for link in page.find_all("link") if re.match(r"Browse files at ", link.name)]
    yield from page.finish(
        str(len(shown)),
        say=(
            "Count the rows that are left: each of them is one commit.",
            "The list holds nothing but commits of that person now; their number is the answer.",
        ),
    )


# --- the busiest project of a group ---------------------------------------------------------------------------------


def _busy_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT n.path, n.name FROM namespace n WHERE n.path IN ('harbour-code', 'lumo-market', 'open-atlas',"
        " 'plain-text') ORDER BY n.name"
    ).fetchall()
    return [{"group": row["path"], "name": row["name"]} for row in rows]


def _busy_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT p.name, count(*) AS n FROM project p JOIN issue i ON i.project_id = p.id AND i.state = 'open'"
        " JOIN namespace s ON s.id = p.namespace_id WHERE s.path = ? GROUP BY p.id ORDER BY n DESC",
        (p["group"],),
    ).fetchall()
    assert rows[0]["n"] > rows[1]["n"]
    return Check(answer=AnswerCheck(kind="text", expected=(rows[0]["name"],)))


def _busy(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Groups",
        say=("Go to “Groups” in the header.", "Groups have an entry of their own in the dark bar, “Groups”."),
    )
    yield from open_row(page, p["name"])
    links = [link for link in page.find_all("link", f"{p['name']} / ") if link.box.y > 150]
    best = max(links, key=lambda link: _open_issues(page, link, links))
    yield from page.finish(
        best.name.removeprefix(f"{p['name']} / "),
        say=(
            "The last figure of each row, with a ringed dot, counts open issues: name the project with the most.",
            "Compare the numbers at the right end of the rows; they stand beside a small circle with a dot in it.",
        ),
    )


def _open_issues(page: Page, project: Candidate, projects: Sequence[Candidate]) -> int:
    """The last of the four figures of a project: they stand right of its title or below, before the next title."""

    def owner(box: Box) -> Candidate | None:
        before = [one for one in projects if one.box.x <= box.x and one.box.y <= box.y + 20]
        return max(before, key=lambda one: (one.box.y, one.box.x), default=None)

    figures = [line for line in page.lines() if line.text.isdecimal() and owner(line.box) is project]
    if not figures:
        raise page.stuck("no figures beside a project", [line.text for line in page.lines()])
    return int(max(figures, key=lambda line: line.box.x).text)


# --- one's own profile ----------------------------------------------------------------------------------------------

_PROFILES = (
    ("Soup, seeds and small programs.", "Helsinki", "Recipe Box"),
    ("Ask me about snails.", "Portland", "Garden Log"),
    ("Reviewer of other people's loops.", "Austin, Texas", "Harbour Code"),
)


def _profile_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("bio", "location", "organisation"), row, strict=True)) for row in _PROFILES]


def _profile_check(db: Query, p: Params) -> Check:
    values = {
        "bio": {"~": p["bio"]},
        "location": {"~": p["location"]},
        "organisation": {"~": p["organisation"]},
    }
    change = Change(table="account", op="update", where={"id": 1}, values=values)
    return Check(state=(StateCheck(site="gitlab", required=(change,)),))


def _profile(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Account menu",
        say=(
            "Open the menu behind your picture, at the top right.",
            "Your own pages hang from the round picture in the upper right corner.",
        ),
    )
    yield from page.click(
        "link",
        "Edit profile",
        say=("Choose “Edit profile”.", "The entry that leads to a form with your details is “Edit profile”."),
    )
    yield from fill(page, "Bio", p["bio"], where="under your name")
    yield from fill(page, "Location", p["location"], where="below the bio")
    yield from fill(page, "Organisation", p["organisation"], where="beside the location")
    yield from save(page, "Update profile")
    yield from page.finish(
        say=(
            "Your profile shows the new words below your picture.",
            "All three details have changed on your public page, and that was the task.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.commits_by",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many commits on the main branch of {project} are by {person}?",
            "Count the commits that {person} made to main in the project {project}.",
        ),
        params=_commit_params,
        check=_commit_check,
        solve=_commits,
    ),
    Template(
        id="gitlab.busiest_project",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which project of the group {name} has the most open issues?",
            "Tell me which of {name}'s projects has the largest number of open issues.",
        ),
        params=_busy_params,
        check=_busy_check,
        solve=_busy,
    ),
    Template(
        id="gitlab.profile_edit",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Change my profile on the forge: bio “{bio}”, location {location}, organisation {organisation}.",
            "My profile should say “{bio}” about me, {location} as where I am, and {organisation} as my organisation.",
        ),
        params=_profile_params,
        check=_profile_check,
        solve=_profile,
        wrong_value=lambda db, p: {**p, "location": "Nowhere"},
    ),
)
