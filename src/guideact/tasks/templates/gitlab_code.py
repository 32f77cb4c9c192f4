"""Files and branches, changed in the web editor."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.gitlab.content_files import blobs, digest
from guideact.tasks.gitlab_deeds import (
    choose,
    fill,
    open_entry,
    open_project,
    save,
    side,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}
_LOGGED = (
    Change(table="system_note", op="insert", count=None),
    Change(table="todo", op="insert", count=None),
)


def _project(db: Query, path: str) -> int:
    (number,) = db.execute("SELECT id FROM project WHERE full_path = ?", (path,)).fetchone()
    return int(number)


def _check(*required: Change, allowed: tuple[Change, ...] = _LOGGED) -> Check:
    return Check(state=(StateCheck(site="gitlab", required=required, allowed=allowed),))


# --- a file edited on a branch of its own, up to the merge request --------------------------------------------------

_EDITS = (
    (
        "harbour-code/camp-site",
        "Camp Site",
        "data/prices.json",
        '"student": 40',
        '"student": 45',
        "student tickets 45 instead of 40",
        "student-price",
        "Raise the student ticket",
    ),
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "recipes/pancakes.txt",
        "2 eggs",
        "3 eggs",
        "3 eggs instead of 2",
        "more-eggs",
        "Pancakes need three eggs",
    ),
    (
        "lumo-market/storefront",
        "Storefront",
        "theme/colors.css",
        "#d9480f",
        "#c2410c",
        "the accent colour #c2410c instead of #d9480f",
        "darker-accent",
        "A darker accent",
    ),
    (
        "harbour-code/lantern",
        "Lantern",
        "example/style.css",
        "max-width: 38rem",
        "max-width: 44rem",
        "a max-width of 44rem instead of 38rem",
        "wider-example",
        "Make the example wider",
    ),
)


def _text_of(db: Query, path: str, file: str) -> str:
    (blob,) = db.execute(
        "SELECT c.blob FROM file_change c JOIN revision r ON r.id = c.revision_id JOIN project p ON p.id = r.project_id"
        " JOIN branch b ON b.project_id = p.id AND b.name = 'main' WHERE p.full_path = ? AND c.path = ?"
        " AND r.id IN (WITH RECURSIVE line(id) AS (SELECT b.revision_id UNION SELECT q.parent_id FROM revision q"
        " JOIN line ON q.id = line.id WHERE q.parent_id IS NOT NULL) SELECT id FROM line)"
        " ORDER BY r.created_at DESC LIMIT 1",
        (path, file),
    ).fetchone()
    return blobs()[blob]


def _edit_params(db: Query) -> Sequence[Params]:
    found = []
    for path, project, file, old, new, what, branch, message in _EDITS:
        text = _text_of(db, path, file)
        assert text.count(old) == 1
        found.append(
            {
                "path": path,
                "project": project,
                "file": file,
                "what": what,
                "branch": branch,
                "message": message,
                "text": text.replace(old, new),
            }
        )
    return found


def _head(db: Query, project: int) -> int:
    """The revision that a project's main branch ends in."""
    (revision,) = db.execute(
        "SELECT revision_id FROM branch WHERE project_id = ? AND name = 'main'", (project,)
    ).fetchone()
    return int(revision)


def _committed(db: Query, project: int, p: Params) -> dict[str, object]:
    return {"project_id": project, "parent_id": _head(db, project), "title": {"~": p["message"]}}


def _written(p: Params) -> dict[str, object]:
    return {"revision_id": {"new": "revision"}, "path": p["file"], "blob": digest(p["text"])}


def _edit_check(db: Query, p: Params) -> Check:
    project = _project(db, p["path"])
    return _check(
        Change(table="blob", op="insert", values={"hash": digest(p["text"])}),
        Change(table="revision", op="insert", values=_committed(db, project, p)),
        Change(table="file_change", op="insert", values=_written(p)),
        Change(
            table="branch",
            op="insert",
            values={"project_id": project, "name": p["branch"], "revision_id": {"new": "revision"}},
        ),
        Change(
            table="merge_request",
            op="insert",
            values={
                "project_id": project,
                "source_branch": p["branch"],
                "target_branch": "main",
                "base_id": _head(db, project),
                "head_id": {"new": "revision"},
                "state": "open",
                "title": {"~": p["message"]},
            },
        ),
    )


def _edit(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    for step in p["file"].split("/"):
        yield from open_entry(page, step)
    yield from page.click(
        "link",
        "Edit",
        say=(
            "Press “Edit” at the right end of the bar over the file.",
            "The file can be changed right here: “Edit” opens it in an editor.",
        ),
    )
    yield from page.type(
        "File content",
        p["text"],
        say=(
            f"Change the text of the file: {p['what']}.",
            f"In the large box with the code, all stays as it is but for {p['what']}.",
        ),
    )
    yield from fill(page, "Commit message", p["message"], where="below the editor")
    # A protected branch leaves no choice. Where there is one, it may stand below what is in view.
    choices = ("Commit to a new branch", "New branch name")
    found = yield from page.reach(
        ("radio", "textbox"), what="the “New branch name” field", within=lambda one: one.name in choices
    )
    if found.role == "radio":
        yield from page.click(
            "radio",
            "Commit to a new branch",
            say=(
                "Choose “Commit to a new branch”.",
                "The change must not go to main directly, so take the second choice, “Commit to a new branch”.",
            ),
        )
    yield from fill(page, "New branch name", p["branch"], where="below that choice")
    yield from save(page, "Commit changes")
    yield from page.reach("button", "Create merge request", what="the end of the form")
    yield from save(page, "Create merge request")
    yield from page.finish(
        say=(
            "A merge request with your commit is open; its tab “Changes” shows what you changed.",
            "The note at the top gives the number of the new merge request, and that was the last step.",
        )
    )


# --- a new file -----------------------------------------------------------------------------------------------------

_FILES = (
    ("emma_l/recipe-box", "Recipe Box", "recipes/toast.txt", "Toast\nfeeds 1\n\n2 slices of bread\n", "Add toast"),
    ("emma_l/garden-log", "Garden Log", "beds.csv", "bed,metres\n1,4\n2,6\n", "Measure the beds"),
    (
        "harbour-code/camp-site",
        "Camp Site",
        "pages/food.md",
        "title: Food\n\nSoup at noon, bread all day.\n",
        "A page on food",
    ),
    ("emma_l/dotfiles", "dotfiles", ".inputrc", "set bell-style none\n", "No more bells"),
)


def _file_params(db: Query) -> Sequence[Params]:
    rows = [dict(zip(("path", "project", "file", "text", "message"), row, strict=True)) for row in _FILES]
    return [
        {**row, "shown": " / ".join(row["text"].strip().splitlines()).replace("/  /", "/ (empty line) /")}
        for row in rows
    ]


def _file_check(db: Query, p: Params) -> Check:
    project = _project(db, p["path"])
    (main,) = db.execute("SELECT id FROM branch WHERE project_id = ? AND name = 'main'", (project,)).fetchone()
    return _check(
        Change(table="blob", op="insert", values={"hash": digest(p["text"]), "content": p["text"]}),
        Change(table="revision", op="insert", values=_committed(db, project, p)),
        Change(table="file_change", op="insert", values=_written(p)),
        Change(table="branch", op="update", where={"id": main}, values={"revision_id": {"new": "revision"}}),
    )


def _file(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Files")
    yield from page.click(
        "link",
        "New file",
        say=(
            "Press “New file” above the table.",
            "To the right of the branch are some buttons, of which “New file” opens an empty editor.",
        ),
    )
    yield from fill(page, "File name", p["file"], where="over the editor")
    yield from page.type(
        "File content",
        p["text"],
        say=(
            "Write the lines of the file into the large box, one below the other.",
            "The editor is empty. Give it exactly the lines that you were told, each on a line of its own.",
        ),
    )
    yield from fill(page, "Commit message", p["message"], where="below the editor")
    yield from save(page, "Commit changes")
    yield from page.finish(
        say=(
            "The file is shown with line numbers: it has been committed.",
            "You are taken to the new file, and a green note names the branch. That is all.",
        )
    )


# --- a branch, a tag ------------------------------------------------------------------------------------------------

_BRANCHES = (
    ("emma_l/recipe-box", "Recipe Box", "summer-menu", "main"),
    ("harbour-code/tidewater", "Harbour Code's Tidewater", "pause-docs", "pause-button"),
    ("harbour-code/lantern", "Lantern", "feed-escaping", "feed"),
    ("lumo-market/storefront", "Storefront", "stars-do-not-jump", "main"),
)


def _branch_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "branch", "source"), row, strict=True)) for row in _BRANCHES]


def _branch_check(db: Query, p: Params) -> Check:
    project = _project(db, p["path"])
    (revision,) = db.execute(
        "SELECT revision_id FROM branch WHERE project_id = ? AND name = ?", (project, p["source"])
    ).fetchone()
    values = {"project_id": project, "name": p["branch"], "revision_id": revision, "is_protected": 0}
    return _check(Change(table="branch", op="insert", values=values), allowed=())


def _branch(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Branches")
    yield from page.click(
        "button",
        "New branch",
        say=(
            "Press “New branch” at the top right.",
            "A form for another branch is hidden behind “New branch”, above the list.",
        ),
    )
    yield from fill(page, "Branch name", p["branch"], where="in the form that has opened")
    yield from choose(page, "Create from", p["source"], where="beside the name")
    yield from save(page, "Create branch")
    yield from page.finish(
        say=(
            f"The list of branches has grown by “{p['branch']}”.",
            "A note confirms the new branch, which now stands in the list as well.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.file_edit",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "In {project}, the file {file} should have {what}. Commit that with the message “{message}”"
            " to a new branch "
            "“{branch}”, and open a merge request into main with the title that is suggested.",
            "Edit {file} of {project} on the web: {what}. Put it on a new branch called “{branch}” with the commit "
            "message “{message}” and start a merge request to main, leaving its title as it is.",
        ),
        params=_edit_params,
        check=_edit_check,
        solve=_edit,
        wrong_value=lambda db, p: {**p, "text": p["text"] + "# end\n"},
    ),
    Template(
        id="gitlab.file_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Add a file {file} to the main branch of {project} with the commit message “{message}”. Its lines, with "
            "a slash between them here: {shown}",
            "{project} needs a new file {file} on main (commit message: “{message}”). These are its lines, separated "
            "by slashes: {shown}",
        ),
        params=_file_params,
        check=_file_check,
        solve=_file,
        wrong_value=lambda db, p: {**p, "text": p["text"].upper()},
    ),
    Template(
        id="gitlab.branch_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Create a branch “{branch}” from {source} in {project}.",
            "I want to begin something in {project}: make a branch called “{branch}” that starts at {source}.",
        ),
        params=_branch_params,
        check=_branch_check,
        solve=_branch,
        wrong_value=lambda db, p: {**p, "branch": "something-else"},
    ),
)
