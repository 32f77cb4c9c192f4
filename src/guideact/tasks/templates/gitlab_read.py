"""Things to be found out in the forge about issues and milestones: dates, people, numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import (
    filter_by,
    open_issue,
    open_listed_project,
    open_project,
    open_row,
    side,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import AnswerCheck, Check

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


def _due_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.full_path, p.name, i.title FROM issue i JOIN project p ON p.id = i.project_id"
        " WHERE i.due_on <> '' AND i.state = 'open' AND p.full_path IN ('harbour-code/camp-site',"
        " 'open-atlas/tile-kitchen', 'plain-text/days-2026', 'harbour-code/lantern')"
        " AND i.iid = (SELECT min(iid) FROM issue j WHERE j.project_id = p.id AND j.due_on <> '' AND j.state = 'open')"
        " ORDER BY p.full_path"
    ).fetchall()
    return [{"path": row["full_path"], "project": row["name"], "issue": row["title"]} for row in rows]


def _due_check(db: Query, p: Params) -> Check:
    (day,) = db.execute(
        "SELECT due_on FROM issue WHERE title = ? AND project_id = (SELECT id FROM project WHERE full_path = ?)",
        (p["issue"], p["path"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="date", expected=(day,)))


def _due(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    yield from _read_due(page)


def _read_due(page: Page) -> Solver:
    yield from page.reach_text("Due date", what="the due date")
    day = page.below("Due date", r"[A-Z][a-z]{2} \d+, \d{4}")
    yield from page.finish(
        day,
        say=(
            "The right column names the due date under the milestone: answer with that day.",
            "Look for “Due date” beside the description; what stands below it was asked for.",
        ),
    )


def _due_by_search(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Search Quayside",
        p["issue"],
        role="combobox",
        say=(
            f"Type “{p['issue']}” into the search box in the header.",
            f"The title of the issue is known, so the header's search can look for “{p['issue']}”.",
        ),
    )
    yield from page.press_enter(
        say=("Press Enter to search everything.", "With Enter the page of results opens; it begins with projects.")
    )
    yield from page.click(
        "link",
        "Issues",
        near="Merge requests",
        say=("Switch to the tab “Issues”.", "Results come by kind, and this time “Issues” are wanted."),
    )
    yield from open_row(page, p["issue"])
    yield from _read_due(page)


def _assignee_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.full_path, p.name, i.title FROM issue i JOIN project p ON p.id = i.project_id"
        " JOIN issue_assignee x ON x.issue_id = i.id WHERE x.account_id <> 1 AND i.state = 'open'"
        " AND p.visibility = 'public' GROUP BY i.id HAVING count(*) = 1 ORDER BY i.weight DESC, i.id"
    ).fetchall()
    chosen = [row for row in rows if row["name"] in ("Tidewater", "Storefront", "Plain Lint", "Bike Route")]
    found: dict[str, Params] = {}
    for row in chosen:
        found.setdefault(row["name"], {"path": row["full_path"], "project": row["name"], "issue": row["title"]})
    return list(found.values())


def _assignee_check(db: Query, p: Params) -> Check:
    (name,) = db.execute(
        "SELECT a.full_name FROM account a JOIN issue_assignee x ON x.account_id = a.id JOIN issue i ON"
        " i.id = x.issue_id"
        " JOIN project p ON p.id = i.project_id WHERE i.title = ? AND p.full_path = ?",
        (p["issue"], p["path"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(name,)))


def _assignee(page: Page, p: Params) -> Solver:
    yield from open_issue(page, p["path"], p["issue"])
    head = next(line.box for line in page.lines() if line.text == "Assignees")
    under = [link for link in page.find_all("link") if 0 < link.box.y - head.y < 60 and abs(link.box.x - head.x) < 60]
    name = min(under, key=lambda link: link.box.y).name
    yield from page.finish(
        name,
        say=(
            "The first part of the right column, “Assignees”, names the person.",
            "Who is at work on it stands right of the title, under “Assignees”; that name is the answer.",
        ),
    )


def _label_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.full_path, p.name AS project, n.name AS namespace, l.name AS label, count(*) AS n FROM label l"
        " JOIN project p ON p.id = l.project_id JOIN namespace n ON n.id = p.namespace_id"
        " JOIN issue_label x ON x.label_id = l.id JOIN issue i ON i.id = x.issue_id AND i.state = 'open'"
        " WHERE p.full_path IN ('harbour-code/tidewater', 'harbour-code/lantern', 'lumo-market/storefront',"
        " 'emma_l/recipe-box') GROUP BY l.id HAVING n BETWEEN 2 AND 5 ORDER BY n DESC, p.id, l.name"
    ).fetchall()
    found: dict[str, Params] = {}
    for row in rows:
        found.setdefault(
            row["project"],
            {
                "path": row["full_path"],
                "project": row["project"],
                "namespace": row["namespace"],
                "label": row["label"],
            },
        )
    return list(found.values())


def _label_check(db: Query, p: Params) -> Check:
    (count,) = db.execute(
        "SELECT count(*) FROM issue i JOIN project p ON p.id = i.project_id WHERE p.full_path = ? AND i.state = 'open'"
        " AND EXISTS (SELECT 1 FROM issue_label x JOIN label l ON l.id = x.label_id WHERE x.issue_id ="
        " i.id AND l.name = ?)",
        (p["path"], p["label"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(count),)))


def _label(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Issues")
    yield from filter_by(page, "Label", p["label"])
    found = page.find("link", "Open")
    assert found is not None
    yield from page.finish(
        re.sub(r"\D", "", found.name),
        say=(
            "The tab of open issues now counts only those with the label: that figure is the answer.",
            "Read the small number at the tab “Open”, which has followed the filter.",
        ),
    )


def _label_page(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Labels")
    yield from page.reach("link", p["label"], what="the label")
    yield from page.finish(
        page.cell(p["label"], "Open issues"),
        say=(
            "The table counts the open issues of each label; take the figure from its row.",
            "In the row of the label, under “Open issues”, stands what was asked.",
        ),
    )


def _weight_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.full_path, p.name, n.name AS namespace FROM project p JOIN namespace n ON n.id = p.namespace_id"
        " WHERE p.full_path IN ('harbour-code/tidewater', 'lumo-market/storefront', 'harbour-code/camp-site',"
        " 'open-atlas/tile-kitchen') ORDER BY p.name"
    ).fetchall()
    return [{"path": row["full_path"], "project": row["name"], "namespace": row["namespace"]} for row in rows]


def _weight_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT i.title, i.weight FROM issue i JOIN project p ON p.id = i.project_id WHERE p.full_path = ?"
        " AND i.state = 'open' AND i.weight IS NOT NULL ORDER BY i.weight DESC LIMIT 2",
        (p["path"],),
    ).fetchall()
    assert rows[0]["weight"] > rows[1]["weight"]
    return Check(answer=AnswerCheck(kind="text", expected=(rows[0]["title"],)))


def _weight(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Issues")
    yield from filter_by(page, "Sort by", "Highest weight")
    number = next(line.box for line in page.lines() if re.match(r"#\d+\b", line.text))
    above = [link for link in page.find_all("link") if 0 < number.y - link.box.y < 40]
    title = min(above, key=lambda link: abs(link.box.x - number.x))
    yield from page.finish(
        title.name,
        say=(
            "The first row of the sorted list is the heaviest one; answer with its title.",
            "Sorted like this, the issue that was asked for stands at the very top.",
        ),
    )


def _milestone_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.full_path, p.name, m.title, sum(i.weight) AS weight FROM milestone m"
        " JOIN project p ON p.id = m.project_id JOIN issue i ON i.milestone_id = m.id"
        " WHERE m.state = 'active' AND p.visibility = 'public' GROUP BY m.id HAVING weight > 2"
        " ORDER BY weight DESC, m.id"
    ).fetchall()
    return [{"path": row["full_path"], "project": row["name"], "milestone": row["title"]} for row in rows[:4]]


def _milestone_check(db: Query, p: Params) -> Check:
    (weight,) = db.execute(
        "SELECT sum(i.weight) FROM issue i JOIN milestone m ON m.id = i.milestone_id JOIN project p ON"
        " p.id = m.project_id"
        " WHERE m.title = ? AND p.full_path = ?",
        (p["milestone"], p["path"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(weight),)))


def _milestone(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Milestones")
    yield from open_row(page, p["milestone"])
    yield from page.reach_text("Total weight")
    yield from page.finish(
        page.below("Total weight", r"^\d+$"),
        say=(
            "Four boxes sum the milestone up; read the one called “Total weight”.",
            "The figure under “Total weight”, above the list of issues, was asked for.",
        ),
    )


TEMPLATES = (
    Template(
        id="gitlab.issue_due",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "By when does “{issue}” in the project {project} have to be done?",
            "I forgot the due date of the issue “{issue}” ({project}). Which day is it?",
        ),
        params=_due_params,
        check=_due_check,
        solve=_due,
        second_route=_due_by_search,
    ),
    Template(
        id="gitlab.issue_assignee",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Who is assigned to the issue “{issue}” of {project}?",
            "Somebody in {project} has taken on “{issue}”. Give me that person's full name.",
        ),
        params=_assignee_params,
        check=_assignee_check,
        solve=_assignee,
    ),
    Template(
        id="gitlab.label_count",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many open issues of {project} carry the label “{label}”?",
            "Count the open issues labelled “{label}” in my project {project}, please.",
        ),
        params=_label_params,
        check=_label_check,
        solve=_label,
        second_route=_label_page,
    ),
    Template(
        id="gitlab.heaviest_issue",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which open issue of {project} has the highest weight?",
            "Tell me the title of the heaviest open issue in {project}.",
        ),
        params=_weight_params,
        check=_weight_check,
        solve=_weight,
    ),
    Template(
        id="gitlab.milestone_weight",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "What is the total weight of the milestone “{milestone}” in {project}?",
            "{project} plans the milestone “{milestone}”. How much weight do its issues have all together?",
        ),
        params=_milestone_params,
        check=_milestone_check,
        solve=_milestone,
    ),
)
