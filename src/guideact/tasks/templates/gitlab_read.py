"""Things to be found out in the forge: dates, people, numbers, lines of code."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from guideact.sites.gitlab.content_files import blobs
from guideact.tasks.gitlab_deeds import (
    after,
    filter_by,
    open_entry,
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

# --- when is it due -------------------------------------------------------------------------------------------------


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


# --- who has it -----------------------------------------------------------------------------------------------------


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
    (name,) = [link.name for link in page.find_all("link", near="Assignees") if link.box.x > 1100][:1]
    yield from page.finish(
        name,
        say=(
            "The first part of the right column, “Assignees”, names the person.",
            "Who is at work on it stands right of the title, under “Assignees”; that name is the answer.",
        ),
    )


# --- who wrote a line -----------------------------------------------------------------------------------------------

_LINES = (
    ("harbour-code/tidewater", "Tidewater", ("docs", "states.md"), "tidewater parked jobs.db"),
    ("harbour-code/lantern", "Lantern", ("lantern", "build.py"), "shutil.copy"),
    ("lumo-market/storefront", "Storefront", ("search", "rank.py"), "total += 4"),
    ("slow-kettle/steep-timer", "Steep Timer", ("leaves.json",), "oolong"),
)


def _blame_params(db: Query) -> Sequence[Params]:
    return [
        {"path": path, "project": project, "file": "/".join(steps), "line": line}
        for path, project, steps, line in _LINES
    ]


def _blame_check(db: Query, p: Params) -> Check:
    # The first revision after which a text of this file holds the line.
    texts = blobs()
    rows = db.execute(
        "SELECT a.full_name, c.blob FROM file_change c JOIN revision r ON r.id = c.revision_id"
        " JOIN account a ON a.id = r.author_id JOIN project p ON p.id = r.project_id"
        " WHERE p.full_path = ? AND c.path = ? AND r.merged_id IS NULL ORDER BY r.created_at",
        (p["path"], p["file"]),
    ).fetchall()
    name = next(row["full_name"] for row in rows if p["line"] in texts[row["blob"]])
    return Check(answer=AnswerCheck(kind="text", expected=(name,)))


def _blame(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    for step in p["file"].split("/"):
        yield from open_entry(page, step)
    yield from page.click(
        "link",
        "Blame",
        say=(
            "Press “Blame” in the bar over the file.",
            "Who wrote which line is told by “Blame”, one of the small buttons above the text.",
        ),
    )
    yield from page.reach_text(p["line"], what="the line that was asked about")
    (line,) = page.matches(re.escape(p["line"]))[:1]
    at = next(seen for seen in page.lines() if line.string == seen.text)
    yield from page.finish(
        _author_beside(page, at.box.y),
        say=(
            "Left of each block of lines is its commit, with the author below: answer with that name.",
            "Go left from the line to the commit it came with. The name under the commit's title is asked for.",
        ),
    )


def _author_beside(page: Page, y: float) -> str:
    """The author of the block of lines that a height belongs to: of the last commit that begins at or above it."""
    pattern = re.compile(r"(.+), [A-Z][a-z]{2} \d+, \d{4}")
    commits = [link.box for link in page.find_all("link") if re.search(r", line \d+$", link.name)]
    begun = max(box.y for box in commits if box.y <= y + 4)
    lines = [line for line in page.lines() if line.box.y > begun and (pattern.fullmatch(line.text))]
    first = min(lines, key=lambda line: line.box.y)
    found = pattern.fullmatch(first.text)
    assert found is not None
    return found.group(1)


# --- how many with a label ------------------------------------------------------------------------------------------


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


# --- what a file says -----------------------------------------------------------------------------------------------

_FACTS = (
    (
        "harbour-code/camp-site",
        "Camp Site",
        ("data", "prices.json"),
        "a student ticket",
        "student",
        r'"student": (\d+)',
    ),
    (
        "open-atlas/street-survey",
        "Street Survey",
        ("surveys", "leith-walk.json"),
        "benches",
        "benches",
        r'"benches": (\d+)',
    ),
    ("plain-text/days-2026", "Days 2026", ("budget.csv",), "microphones", "Microphones", r"Microphones,(\d+)"),
    (
        "pnowak/packing-list",
        "Packing List",
        ("list.json",),
        "the sleeping bag",
        "Sleeping bag",
        r'Sleeping bag", "grams": (\d+)',
    ),
)
_QUESTIONS = {
    "a student ticket": "What does a student ticket cost according to the file {file} of {project}?",
    "benches": "How many benches did the survey in {file} of {project} count?",
    "microphones": "How many euros does {file} of the project {project} set aside for microphones?",
    "the sleeping bag": "How many grams does the sleeping bag weigh in {file} of {project}?",
}


def _fact_params(db: Query) -> Sequence[Params]:
    return [
        {
            "path": path,
            "project": project,
            "file": "/".join(steps),
            "word": word,
            "pattern": pattern,
            "question": _QUESTIONS[what].format(file="/".join(steps), project=project),
        }
        for path, project, steps, what, word, pattern in _FACTS
    ]


def _fact_check(db: Query, p: Params) -> Check:
    (blob,) = db.execute(
        "SELECT c.blob FROM file_change c JOIN revision r ON r.id = c.revision_id JOIN project p ON p.id = r.project_id"
        " WHERE p.full_path = ? AND c.path = ? ORDER BY r.created_at DESC LIMIT 1",
        (p["path"], p["file"]),
    ).fetchone()
    found = re.search(p["word"] + r"\D+(\d+)", blobs()[blob])
    assert found is not None
    return Check(answer=AnswerCheck(kind="number", expected=(found.group(1),)))


def _fact(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Files")
    for step in p["file"].split("/"):
        yield from open_entry(page, step)
    yield from _fact_read(page, p)


def _fact_read(page: Page, p: Params) -> Solver:
    yield from page.reach_text(p["word"], what="the line in question")
    yield from page.finish(
        page.matches(p["pattern"])[0].group(1),
        say=(
            f"Find the line with “{p['word']}” in the file; the figure in it is the answer.",
            f"One numbered line mentions “{p['word']}”. What was asked for stands in the same line.",
        ),
    )


def _fact_by_finder(page: Page, p: Params) -> Solver:
    name = p["file"].rsplit("/", 1)[-1]
    yield from open_project(page, p["path"])
    yield from page.click(
        "link",
        "Find file",
        say=(
            "Press “Find file” above the table of files.",
            "Instead of walking through folders, use “Find file”, at the right over the listing.",
        ),
    )
    yield from page.type(
        "File name",
        name,
        say=(f"Type “{name}” as the file name.", f"The field on this page takes part of a name, here “{name}”."),
    )
    yield from page.press_enter(
        say=("Press Enter to look for it.", "After Enter the list holds only files of that name.")
    )
    yield from page.click(
        "link",
        p["file"],
        say=(f"Open “{p['file']}”.", f"The path “{p['file']}” is left in the list and leads to the file."),
    )
    yield from _fact_read(page, p)


# --- how large a change is ------------------------------------------------------------------------------------------

_REQUESTS = (
    ("harbour-code/tidewater", "Tidewater", "Double the pause after each failure"),
    ("harbour-code/lantern", "Lantern", "Atom feed of the newest pages"),
    ("open-atlas/tile-kitchen", "Tile Kitchen", "A style for the night"),
    ("emma_l/recipe-box", "Recipe Box", "Waffles"),
)


def _size_params(db: Query) -> Sequence[Params]:
    return [{"path": path, "project": project, "request": title} for path, project, title in _REQUESTS]


def _size_check(db: Query, p: Params) -> Check:
    texts = blobs()
    row = db.execute(
        "SELECT r.base_id, r.head_id FROM merge_request r JOIN project p ON p.id = r.project_id"
        " WHERE p.full_path = ? AND r.title = ?",
        (p["path"], p["request"]),
    ).fetchone()
    added = 0
    for change in db.execute("SELECT path, blob FROM file_change WHERE revision_id = ?", (row["head_id"],)).fetchall():
        before = db.execute(
            "SELECT c.blob FROM file_change c JOIN revision r ON r.id = c.revision_id WHERE c.path = ?"
            " AND r.project_id ="
            " (SELECT project_id FROM revision WHERE id = ?) AND r.id <= ? ORDER BY r.created_at DESC,"
            " r.id DESC LIMIT 1",
            (change["path"], row["base_id"], row["base_id"]),
        ).fetchone()
        old = texts[before["blob"]].splitlines() if before else []
        diff = difflib.unified_diff(old, texts[change["blob"]].splitlines(), lineterm="", n=0)
        added += sum(line.startswith("+") and not line.startswith("+++") for line in diff)
    return Check(answer=AnswerCheck(kind="number", expected=(str(added),)))


def _size(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Merge requests")
    yield from open_row(page, p["request"])
    yield from page.click(
        "link",
        "Changes",
        say=(
            "Switch to the tab “Changes”.",
            "Of the three tabs under the title, “Changes” shows what would become different.",
        ),
    )
    yield from page.finish(
        page.matches(r"^\+(\d+)$")[0].group(1),
        say=(
            "Above the files is a green figure with a plus sign: the lines that were added in all.",
            "Read the sum in green over the first file; it counts new lines.",
        ),
    )


# --- the heaviest issue ---------------------------------------------------------------------------------------------


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
    titles = [link for link in page.find_all("link") if link.box.y > 330 and link.box.x > 224]
    yield from page.finish(
        titles[0].name,
        say=(
            "The first row of the sorted list is the heaviest one; answer with its title.",
            "Sorted like this, the issue that was asked for stands at the very top.",
        ),
    )


# --- when did it come out -------------------------------------------------------------------------------------------


def _release_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.full_path, p.name, e.title FROM release e JOIN project p ON p.id = e.project_id"
        " WHERE e.title <> 'Tidewater 0.5.0' ORDER BY e.created_at DESC, e.id"
    ).fetchall()
    return [{"path": row["full_path"], "project": row["name"], "release": row["title"]} for row in rows[:4]]


def _release_check(db: Query, p: Params) -> Check:
    (moment,) = db.execute("SELECT created_at FROM release WHERE title = ?", (p["release"],)).fetchone()
    return Check(answer=AnswerCheck(kind="date", expected=(moment[:10],)))


def _release(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Releases")
    yield from _release_read(page, p)


def _release_by_figures(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from page.click(
        "link",
        "releases" if page.find("link", "releases") else "release",
        near="commits",
        say=(
            "Click the number of releases in the line under the description.",
            "A row of figures stands over the files; the rocket leads to the releases.",
        ),
    )
    yield from _release_read(page, p)


def _release_read(page: Page, p: Params) -> Solver:
    yield from page.reach_text(p["release"])
    yield from page.finish(
        after(page, p["release"], r"[A-Z][a-z]{2} \d+, \d{4}"),
        say=(
            "Under the title of the release is a grey line with its date: that is the answer.",
            f"Look below the heading “{p['release']}” for the day on which it was published.",
        ),
    )


# --- how far a milestone is -----------------------------------------------------------------------------------------


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
    yield from page.finish(
        page.below("Total weight", r"^\d+$"),
        say=(
            "Four boxes sum the milestone up; read the one called “Total weight”.",
            "The figure under “Total weight”, above the list of issues, was asked for.",
        ),
    )


# --- where is it written --------------------------------------------------------------------------------------------

_PHRASES = (
    ("heapq.heappush", "pushes onto a heap with heapq"),
    ("prefers-color-scheme", "asks for a dark colour scheme in its style sheet"),
    ("unicodedata.normalize", "normalises letters with unicodedata"),
    ("math.radians", "turns degrees into radians"),
)


def _code_params(db: Query) -> Sequence[Params]:
    return [{"phrase": phrase, "what": what} for phrase, what in _PHRASES]


def _code_check(db: Query, p: Params) -> Check:
    texts = blobs()
    rows = db.execute(
        "SELECT DISTINCT p.name, c.blob FROM file_change c JOIN revision r ON r.id = c.revision_id"
        " JOIN project p ON p.id = r.project_id WHERE c.blob IS NOT NULL AND p.forked_from_id IS NULL ORDER BY p.name"
    ).fetchall()
    names = sorted({row["name"] for row in rows if p["phrase"] in texts[row["blob"]]})
    assert len(names) == 1, names
    return Check(answer=AnswerCheck(kind="text", expected=(names[0],)))


def _code(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Search Quayside",
        p["phrase"],
        role="combobox",
        say=(
            f"Type “{p['phrase']}” into the search box of the header.",
            f"What the code must contain goes into the box at the top: “{p['phrase']}”.",
        ),
    )
    yield from page.press_enter(
        say=("Press Enter; a page of results opens.", "As no suggestion helps here, run the search with the Enter key.")
    )
    yield from page.click(
        "link",
        "Code",
        say=(
            "Go to the tab “Code”.",
            "Nothing but projects is shown at first. The tab “Code” looks into the files.",
        ),
    )
    addresses = [link for link in page.find_all("link") if re.fullmatch(r"[a-z_]+[\w.-]*/[\w.-]+", link.name)]
    project = max(addresses, key=lambda link: link.box.x - 2 * link.box.y)
    yield from page.click(
        "link",
        project.name,
        what="the project beside the file",
        say=(
            "Follow the grey address of the project beside the name of the file.",
            "Right of the file's path is the project it belongs to; open that to learn its name.",
        ),
    )
    name = next(line.text for line in page.lines() if line.box.height > 24 and line.box.y > 70 and line.box.x > 300)
    yield from page.finish(
        name,
        say=(
            "The heading of this page is the name of the project, and so the answer.",
            "You have arrived at the project itself: its name is written large at the top.",
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
        id="gitlab.blame_line",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Who wrote the line with “{line}” in {file} of the project {project}?",
            "The file {file} of {project} has a line with “{line}”. Find out who committed it.",
        ),
        params=_blame_params,
        check=_blame_check,
        solve=_blame,
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
        id="gitlab.file_fact",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=("{question}", "{question} Look at the main branch."),
        params=_fact_params,
        check=_fact_check,
        solve=_fact,
        second_route=_fact_by_finder,
    ),
    Template(
        id="gitlab.lines_added",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many lines does the merge request “{request}” of {project} add?",
            "Before I review “{request}” in {project}: how many new lines are there?",
        ),
        params=_size_params,
        check=_size_check,
        solve=_size,
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
        id="gitlab.release_date",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "When was “{release}” of the project {project} released?",
            "On which day did {project} publish the release “{release}”?",
        ),
        params=_release_params,
        check=_release_check,
        solve=_release,
        second_route=_release_by_figures,
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
    Template(
        id="gitlab.code_search",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Which project on the forge {what}? Search the code for “{phrase}” and give me the project's name.",
            "I remember a project that {what} (“{phrase}”). What is its name?",
        ),
        params=_code_params,
        check=_code_check,
        solve=_code,
    ),
)
