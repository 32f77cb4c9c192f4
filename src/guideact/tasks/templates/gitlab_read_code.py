"""Things to be found out in the forge about code: who wrote a line, what a file says, how large a change is."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence

from guideact.sites.gitlab.content_files import blobs
from guideact.tasks.gitlab_deeds import (
    after,
    open_entry,
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
    added = yield from page.reach_matches(r"^\+(\d+)$", what="the sum of the new lines")
    yield from page.finish(
        added[0].group(1),
        say=(
            "Above the files is a green figure with a plus sign: the lines that were added in all.",
            "Read the sum in green over the first file; it counts new lines.",
        ),
    )


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
    # The letter of its mark is large, too; in a dense look the heading is lower than a field, which is no heading.
    written = (line for line in page.seen.texts if line.box.y > 70 and len(line.text) > 1)
    name = next(line.text for line in written if line.box.height > 20)
    yield from page.finish(
        name,
        say=(
            "The heading of this page is the name of the project, and so the answer.",
            "You have arrived at the project itself: its name is written large at the top.",
        ),
    )


TEMPLATES = (
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
