"""Merge requests opened, reviewed and merged."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import (
    choose,
    fill,
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
    target, head = db.execute(
        "SELECT id, revision_id FROM branch WHERE project_id = ? AND name = 'main'", (project,)
    ).fetchone()
    files = db.execute("SELECT path, blob FROM file_change WHERE revision_id = ?", (row["head_id"],)).fetchall()
    return _check(
        Change(
            table="merge_request",
            op="update",
            where={"id": request},
            values={"state": "merged", "merged_by_id": 1},
            any_columns=("closed_at",),
        ),
        Change(table="branch", op="update", where={"id": target}, values={"revision_id": {"new": "revision"}}),
        Change(table="branch", op="delete", values={"project_id": project, "name": row["source_branch"]}),
        Change(
            table="revision",
            op="insert",
            values={"project_id": project, "parent_id": head, "merged_id": row["head_id"]},
        ),
        *(
            Change(
                table="file_change",
                op="insert",
                values={"revision_id": {"new": "revision"}, "path": file["path"], "blob": file["blob"]},
            )
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
    project = _project(db, p["path"])
    base, head = (
        db.execute("SELECT revision_id FROM branch WHERE project_id = ? AND name = ?", (project, name)).fetchone()[0]
        for name in ("main", p["branch"])
    )
    return _check(
        Change(
            table="merge_request",
            op="insert",
            values={
                "project_id": project,
                "source_branch": p["branch"],
                "base_id": base,
                "head_id": head,
                "state": "open",
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
