"""Work on files, branches and merge requests."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.gitlab.content_files import blobs, digest
from guideact.tasks.gitlab_deeds import (
    choose,
    fill,
    open_entry,
    open_listed_project,
    open_merge_request,
    open_project,
    open_row,
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


def _request(db: Query, path: str, title: str) -> int:
    (number,) = db.execute(
        "SELECT r.id FROM merge_request r JOIN project p ON p.id = r.project_id WHERE p.full_path = ? AND r.title = ?",
        (path, title),
    ).fetchone()
    return int(number)


def _check(*required: Change, allowed: tuple[Change, ...] = _LOGGED) -> Check:
    return Check(state=(StateCheck(site="gitlab", required=required, allowed=allowed),))


# --- a review -------------------------------------------------------------------------------------------------------

_REVIEWS = (
    (
        "harbour-code/tidewater",
        "Tidewater",
        "Double the pause after each failure",
        "approved",
        "Approve",
        "The numbers are right.",
    ),
    (
        "harbour-code/lantern",
        "Lantern",
        "Atom feed of the newest pages",
        "changes_requested",
        "Request changes",
        "Please escape the titles.",
    ),
    (
        "lumo-market/storefront",
        "Storefront",
        "Find mugs when asked for a mug",
        "approved",
        "Approve",
        "Tried it with plates and bowls.",
    ),
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "Camp stew",
        "changes_requested",
        "Request changes",
        "How much water goes in?",
    ),
)


def _review_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "request", "state", "verdict", "text")
    wishes = {"approved": "Approve", "changes_requested": "Request changes in"}
    return [{**dict(zip(names, row, strict=True)), "wish": wishes[row[3]]} for row in _REVIEWS]


def _review_check(db: Query, p: Params) -> Check:
    request = _request(db, p["path"], p["request"])
    (review,) = db.execute("SELECT id FROM review WHERE merge_request_id = ? AND account_id = 1", (request,)).fetchone()
    return _check(
        Change(table="review", op="update", where={"id": review}, values={"state": p["state"]}),
        Change(table="note", op="insert", values={"merge_request_id": request, "body": {"~": p["text"]}}),
    )


def _review_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Your review",
        say=(
            "Unfold “Your review” under the box about merging.",
            "Reviews are written in a part that is closed at first: “Your review”, in the middle of the page.",
        ),
    )
    yield from fill(page, "Summary of your review", p["text"], where="in the part that has opened")
    yield from page.click(
        "radio",
        p["verdict"],
        say=(
            f"Choose “{p['verdict']}” as your verdict.",
            f"Below the text is the verdict, which must be “{p['verdict']}”.",
        ),
    )
    yield from save(page, "Submit review")
    yield from page.finish(
        say=(
            "Your name among the reviewers, at the right, now has a coloured mark.",
            "The verdict has been noted in the thread and in the list of reviewers.",
        )
    )


def _review(page: Page, p: Params) -> Solver:
    yield from open_merge_request(page, p["path"], p["request"])
    yield from _review_opened(page, p)


def _review_by_header(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Merge requests for you",
        say=(
            "Click the symbol of two joined branches in the header.",
            "Reviews that you were asked for are behind “Merge requests for you”, among the symbols at the top right.",
        ),
    )
    yield from open_row(page, p["request"])
    yield from _review_opened(page, p)


# --- merging --------------------------------------------------------------------------------------------------------

_MERGES = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Waffles"),
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Camp stew"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "The boat trip"),
)


def _merge_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "namespace", "request"), row, strict=True)) for row in _MERGES]


def _merge_check(db: Query, p: Params) -> Check:
    request = _request(db, p["path"], p["request"])
    row = db.execute("SELECT * FROM merge_request WHERE id = ?", (request,)).fetchone()
    project = _project(db, p["path"])
    (target,) = db.execute("SELECT id FROM branch WHERE project_id = ? AND name = 'main'", (project,)).fetchone()
    files = db.execute("SELECT path, blob FROM file_change WHERE revision_id = ?", (row["head_id"],)).fetchall()
    return _check(
        Change(
            table="merge_request",
            op="update",
            where={"id": request},
            values={"state": "merged", "merged_by_id": 1},
            any_columns=("closed_at",),
        ),
        Change(table="branch", op="update", where={"id": target}, any_columns=("revision_id",)),
        Change(table="branch", op="delete", values={"project_id": project, "name": row["source_branch"]}),
        Change(table="revision", op="insert", values={"project_id": project, "merged_id": row["head_id"]}),
        *(
            Change(table="file_change", op="insert", values={"path": file["path"], "blob": file["blob"]})
            for file in files
        ),
    )


def _merge_opened(page: Page, p: Params) -> Solver:
    yield from page.click(
        "checkbox",
        "Delete source branch",
        say=(
            "Tick “Delete source branch” in the box about merging.",
            "The branch shall go as well, so “Delete source branch” needs its tick before you merge.",
        ),
    )
    yield from page.click(
        "button",
        "Merge",
        say=(
            "Press the green button “Merge”.",
            "Nothing stands in the way any more: “Merge” brings the changes in.",
        ),
    )
    yield from page.finish(
        say=(
            "The mark over the title has become “Merged”.",
            "The box now tells by whom it was merged, so the work is over.",
        )
    )


def _merge(page: Page, p: Params) -> Solver:
    yield from open_merge_request(page, p["path"], p["request"])
    yield from _merge_opened(page, p)


def _merge_listed(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Merge requests")
    yield from open_row(page, p["request"])
    yield from _merge_opened(page, p)


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


def _edit_check(db: Query, p: Params) -> Check:
    project = _project(db, p["path"])
    return _check(
        Change(table="blob", op="insert", values={"hash": digest(p["text"])}),
        Change(table="revision", op="insert", values={"project_id": project, "title": {"~": p["message"]}}),
        Change(table="file_change", op="insert", values={"path": p["file"], "blob": digest(p["text"])}),
        Change(table="branch", op="insert", values={"project_id": project, "name": p["branch"]}),
        Change(
            table="merge_request",
            op="insert",
            values={
                "project_id": project,
                "source_branch": p["branch"],
                "target_branch": "main",
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
    if page.find("radio", "Commit to a new branch") is not None:
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
        Change(table="revision", op="insert", values={"project_id": project, "title": {"~": p["message"]}}),
        Change(table="file_change", op="insert", values={"path": p["file"], "blob": digest(p["text"])}),
        Change(table="branch", op="update", where={"id": main}, any_columns=("revision_id",)),
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
    ("harbour-code/tidewater", "Tidewater", "pause-docs", "pause-button"),
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


# --- a merge request from a branch ----------------------------------------------------------------------------------

_OPENED = (
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "fix-scale",
        "Keep halves when scaling",
        "Half an egg stays half an egg.",
        "Ethan Brooks",
    ),
    (
        "emma_l/recipe-box",
        "Recipe Box",
        "fix-scale",
        "Scale without rounding",
        "Fixes half portions.",
        "Julia Peterson",
    ),
    ("emma_l/tidewater", "Tidewater", "schedules", "Schedules, first part", "Only the rules so far.", "Emma Lopez"),
)


def _open_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "branch", "title", "text", "person"), row, strict=True)) for row in _OPENED]


def _open_check(db: Query, p: Params) -> Check:
    (person,) = db.execute("SELECT id FROM account WHERE full_name = ?", (p["person"],)).fetchone()
    return _check(
        Change(
            table="merge_request",
            op="insert",
            values={
                "project_id": _project(db, p["path"]),
                "source_branch": p["branch"],
                "target_branch": "main",
                "title": {"~": p["title"]},
                "body": {"~": p["text"]},
                "is_draft": 0,
                "assignee_id": person,
            },
        )
    )


def _open_form(page: Page, p: Params) -> Solver:
    yield from fill(page, "Title", p["title"], where="in the upper part of the form")
    yield from fill(page, "Description", p["text"], where="under the title")
    yield from choose(page, "Assignee", p["person"], where="below the description")
    yield from save(page, "Create merge request")
    yield from page.finish(
        say=(
            "The new merge request shows its branches under the mark “Open”.",
            "It has got a number, and the right column names the assignee: you are through.",
        )
    )


def _open(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Merge requests")
    yield from page.click(
        "link",
        "New merge request",
        say=(
            "Press “New merge request” above the list.",
            "At the top right of the list is the button to begin one, “New merge request”.",
        ),
    )
    yield from choose(page, "Source branch", p["branch"], where="at the top of the form")
    yield from _open_form(page, p)


def _open_by_branches(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Branches")
    yield from page.click(
        "link",
        f"New merge request from {p['branch']}",
        say=(
            f"In the row of “{p['branch']}”, press “New merge request”.",
            f"Each branch has a short cut to a merge request at its right; use that of “{p['branch']}”.",
        ),
    )
    yield from _open_form(page, p)


TEMPLATES = (
    Template(
        id="gitlab.merge_review",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "{wish} the merge request “{request}” of {project}, and write “{text}” as the summary of your review.",
            "You were asked to review “{request}” in {project}. Your verdict: {verdict}. Your words: “{text}”",
        ),
        params=_review_params,
        check=_review_check,
        solve=_review,
        second_route=_review_by_header,
        wrong_value=lambda db, p: {
            **p,
            "verdict": "Approve" if p["verdict"] == "Request changes" else "Request changes",
        },
    ),
    Template(
        id="gitlab.merge",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Merge “{request}” in {project} and have its source branch deleted.",
            "“{request}” of the project {project} is good. Bring it in, and let the branch go with it.",
        ),
        params=_merge_params,
        check=_merge_check,
        solve=_merge,
        second_route=_merge_listed,
    ),
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
            "Add a file {file} to the main branch of {project} with these lines: {shown}. Commit message: “{message}”.",
            "{project} needs a new file {file} on main. Its lines, separated here by slashes: {shown}. Use the commit "
            "message “{message}”.",
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
    Template(
        id="gitlab.merge_request_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Open a merge request from {branch} into main in {path}. Title: “{title}”, description: “{text}”, assigned "
            "to {person}.",
            "The branch {branch} of {path} should be merged into main. File a merge request “{title}”"
            " that says “{text}” "
            "and assign {person}.",
        ),
        params=_open_params,
        check=_open_check,
        solve=_open,
        second_route=_open_by_branches,
        wrong_value=lambda db, p: {**p, "text": "No description."},
    ),
)
