"""Labels, milestones and the board of a project."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.issues import attached, labels_of
from guideact.sites.gitlab.rights import Opened, open_project, visible_to
from guideact.sites.gitlab.shell import COLORS, number, paragraphs, project_page, query, valid_day
from guideact.sites.gitlab.threads import note_done

# --- labels ---------------------------------------------------------------------------------------------------------


async def labels(request: Request) -> Response:
    project = open_project(request)
    text = web.field(request, "text")
    found = query(
        request,
        "SELECT l.*, (SELECT count(*) FROM issue_label x JOIN issue i ON i.id = x.issue_id WHERE x.label_id = l.id"
        " AND i.state = 'open') AS open_issues FROM label l WHERE l.project_id = :id"
        " AND (:text = '' OR instr(fold(l.name || ' ' || l.description), fold(:text))) ORDER BY fold(l.name)",
        id=project["id"],
        text=text,
    )
    return project_page(request, project, "labels.html", "labels", labels=found, text=text)


def _label_faults(request: Request, project: Opened, given: dict[str, str], number: int) -> dict[str, str]:
    errors = {}
    if not given["name"]:
        errors["name"] = "Enter a name."
    elif web.row(
        request,
        "SELECT 1 FROM label WHERE project_id = ? AND fold(name) = fold(?) AND id <> ?",
        project["id"],
        given["name"],
        number,
    ):
        errors["name"] = f"There is a label {given['name']} already."
    if given["color"] not in COLORS:
        errors["color"] = "Choose a colour."
    return errors


@web.signed_in
async def label_form(request: Request) -> Response:
    """A new label, or one that is changed."""
    project = open_project(request, "plan")
    number = request.path_params.get("id", 0)
    label = web.row(request, "SELECT * FROM label WHERE id = ? AND project_id = ?", number, project["id"])
    if number and label is None:
        web.not_found("There is no such label.")
    given = {name: label[name] if label else "" for name in ("name", "color", "description")}
    given["color"] = given["color"] or "blue"
    errors: dict[str, str] = {}
    if request.method == "POST":
        given = {name: web.field(request, name) for name in given}
        errors = _label_faults(request, project, given, number)
        if not errors:
            if label:
                web.execute(
                    request,
                    "UPDATE label SET name = ?, color = ?, description = ? WHERE id = ?",
                    *given.values(),
                    number,
                )
            else:
                web.execute(
                    request,
                    "INSERT INTO label (project_id, name, color, description) VALUES (?, ?, ?, ?)",
                    project["id"],
                    *given.values(),
                )
            web.flash(request, f"The label {given['name']} was saved.")
            return web.redirect(f"/{project['full_path']}/labels")
    return project_page(
        request,
        project,
        "label_form.html",
        "labels",
        status=422 if errors else 200,
        label=label,
        given=given,
        errors=errors,
        colors=COLORS,
    )


@web.signed_in
async def label_delete(request: Request) -> Response:
    project = open_project(request, "plan")
    number = request.path_params["id"]
    name = web.value(request, "SELECT name FROM label WHERE id = ? AND project_id = ?", number, project["id"])
    if name is None:
        web.not_found("There is no such label.")
    web.execute(request, "DELETE FROM label WHERE id = ?", number)
    web.flash(request, f"The label {name} was deleted.")
    return web.redirect(f"/{project['full_path']}/labels")


# --- milestones -----------------------------------------------------------------------------------------------------

_TALLY = (
    " (SELECT count(*) FROM issue i WHERE i.milestone_id = m.id) AS issues,"
    " (SELECT count(*) FROM issue i WHERE i.milestone_id = m.id AND i.state = 'closed') AS closed_issues,"
    " (SELECT count(*) FROM merge_request r WHERE r.milestone_id = m.id) AS merges,"
    " (SELECT coalesce(sum(i.weight), 0) FROM issue i WHERE i.milestone_id = m.id) AS weight"
)


async def milestones(request: Request) -> Response:
    project = open_project(request)
    state = "closed" if web.field(request, "state") == "closed" else "active"
    found = query(
        request,
        f"SELECT m.*, {_TALLY} FROM milestone m WHERE m.project_id = :id AND m.state = :state ORDER"
        " BY m.due_on, m.title",
        id=project["id"],
        state=state,
    )
    return project_page(request, project, "milestones.html", "milestones", milestones=found, state=state)


def _milestone(request: Request, project: Opened) -> sqlite3.Row:
    found = query(
        request,
        f"SELECT m.*, {_TALLY} FROM milestone m WHERE m.id = :number AND m.project_id = :id",
        number=request.path_params["id"],
        id=project["id"],
    )
    if not found:
        web.not_found("There is no such milestone.")
    return found[0]


async def milestone(request: Request) -> Response:
    project = open_project(request)
    found = _milestone(request, project)
    issues = query(
        request,
        "SELECT i.* FROM issue i WHERE i.milestone_id = :id AND (i.is_confidential = 0 OR :member OR i.author_id = :me)"
        " ORDER BY i.state DESC, i.due_on = '', i.due_on, i.iid",
        id=found["id"],
        member=project.may("plan"),
        me=visible_to(request),
    )
    merges = query(request, "SELECT * FROM merge_request WHERE milestone_id = :id ORDER BY iid", id=found["id"])
    return project_page(
        request,
        project,
        "milestone.html",
        "milestones",
        milestone=found,
        issues=issues,
        merges=merges,
        **attached(request, [issue["id"] for issue in issues]),
    )


@web.signed_in
async def milestone_form(request: Request) -> Response:
    project = open_project(request, "plan")
    number = request.path_params.get("id", 0)
    known = _milestone(request, project) if number else None
    names = ("title", "description", "starts_on", "due_on")
    given: dict[str, Any] = {name: known[name] if known else "" for name in names}
    errors: dict[str, str] = {}
    if request.method == "POST":
        given = {
            name: paragraphs(request, name) if name == "description" else web.field(request, name) for name in names
        }
        if not given["title"]:
            errors["title"] = "Enter a title."
        elif web.row(
            request,
            "SELECT 1 FROM milestone WHERE project_id = ? AND title = ? AND id <> ?",
            project["id"],
            given["title"],
            number,
        ):
            errors["title"] = "There is a milestone of this title already."
        for name in ("starts_on", "due_on"):
            if given[name] and not valid_day(given[name]):
                errors[name] = "Enter a day as YYYY-MM-DD."
        if not errors and given["starts_on"] and given["due_on"] and given["due_on"] < given["starts_on"]:
            errors["due_on"] = "The due date lies before the start."
        if not errors:
            if known:
                web.execute(
                    request,
                    "UPDATE milestone SET title = ?, description = ?, starts_on = ?, due_on = ? WHERE id = ?",
                    *given.values(),
                    number,
                )
            else:
                number = web.execute(
                    request,
                    "INSERT INTO milestone (project_id, title, description, starts_on, due_on) VALUES (?, ?, ?, ?, ?)",
                    project["id"],
                    *given.values(),
                )
            web.flash(request, f"The milestone {given['title']} was saved.")
            return web.redirect(f"/{project['full_path']}/milestones/{number}")
    return project_page(
        request,
        project,
        "milestone_form.html",
        "milestones",
        status=422 if errors else 200,
        milestone=known,
        given=given,
        errors=errors,
    )


@web.signed_in
async def milestone_state(request: Request) -> Response:
    """Close a milestone, open it again, or delete it."""
    project = open_project(request, "plan")
    found = _milestone(request, project)
    deed = web.field(request, "deed")
    if deed == "delete":
        web.execute(request, "DELETE FROM milestone WHERE id = ?", found["id"])
        web.flash(request, f"The milestone {found['title']} was deleted.")
        return web.redirect(f"/{project['full_path']}/milestones")
    state = "closed" if deed == "close" else "active"
    if state != found["state"]:
        web.execute(request, "UPDATE milestone SET state = ? WHERE id = ?", state, found["id"])
        web.flash(request, f"The milestone {found['title']} is {'closed' if state == 'closed' else 'open again'}.")
    return web.redirect(f"/{project['full_path']}/milestones/{found['id']}")


# --- the board ------------------------------------------------------------------------------------------------------


async def board(request: Request) -> Response:
    """Open issues by the label that is their column; without one at the left, closed ones at the right."""
    project = open_project(request)
    text, assignee = web.field(request, "text"), web.field(request, "assignee")
    lists = query(
        request,
        "SELECT b.id AS list_id, l.* FROM board_list b JOIN label l ON l.id = b.label_id WHERE b.project_id = :id"
        " ORDER BY b.position, b.id",
        id=project["id"],
    )
    issues = query(
        request,
        "SELECT i.* FROM issue i WHERE i.project_id = :id AND (i.is_confidential = 0 OR :member OR i.author_id = :me)"
        " AND (:text = '' OR instr(fold(i.title), fold(:text))) AND (:assignee = '' OR EXISTS (SELECT 1 FROM"
        " issue_assignee x JOIN account a ON a.id = x.account_id WHERE x.issue_id = i.id AND a.username = :assignee))"
        " ORDER BY i.due_on = '', i.due_on, i.iid",
        id=project["id"],
        member=project.may("plan"),
        me=visible_to(request),
        text=text,
        assignee=assignee,
    )
    linked = attached(request, [issue["id"] for issue in issues])
    columns: dict[int | str, list[sqlite3.Row]] = {"open": [], **{row["id"]: [] for row in lists}, "closed": []}
    for issue in issues:
        if issue["state"] == "closed":
            columns["closed"].append(issue)
            continue
        mine = [row["id"] for row in linked["labels_by_issue"].get(issue["id"], [])]
        columns[next((row["id"] for row in lists if row["id"] in mine), "open")].append(issue)
    taken = {row["id"] for row in lists}
    return project_page(
        request,
        project,
        "board.html",
        "board",
        lists=lists,
        columns=columns,
        text=text,
        assignee=assignee,
        people=query(
            request,
            "SELECT DISTINCT a.username, a.full_name FROM issue_assignee x JOIN issue i ON i.id = x.issue_id"
            " JOIN account a ON a.id = x.account_id WHERE i.project_id = :id ORDER BY a.full_name",
            id=project["id"],
        ),
        free=[label for label in labels_of(request, project) if label["id"] not in taken],
        **linked,
    )


@web.signed_in
async def board_move(request: Request) -> Response:
    """Put an issue into another column: its label changes, or it is closed or opened."""
    project = open_project(request, "plan")
    issue = web.row(
        request,
        "SELECT * FROM issue WHERE project_id = ? AND iid = ?",
        project["id"],
        number(request, "issue"),
    )
    if issue is None:
        web.not_found("There is no such issue.")
    lists = {
        str(row["label_id"]): row["name"]
        for row in query(
            request,
            "SELECT b.label_id, l.name FROM board_list b JOIN label l ON l.id = b.label_id WHERE b.project_id = :id",
            id=project["id"],
        )
    }
    target = web.field(request, "column")
    if target not in ("open", "closed", *lists):
        web.not_found("There is no such list.")
    state = "closed" if target == "closed" else "open"
    if state != issue["state"]:
        web.execute(
            request,
            "UPDATE issue SET state = ?, closed_at = ? WHERE id = ?",
            state,
            web.now_text() if state == "closed" else None,
            issue["id"],
        )
        note_done(request, "issue_id", issue["id"], "closed this" if state == "closed" else "opened this again")
    if target != "closed":
        for label in lists:
            if label != target:
                web.execute(
                    request, "DELETE FROM issue_label WHERE issue_id = ? AND label_id = ?", issue["id"], int(label)
                )
        if target in lists:
            web.execute(
                request,
                "INSERT OR IGNORE INTO issue_label (issue_id, label_id) VALUES (?, ?)",
                issue["id"],
                int(target),
            )
            note_done(request, "issue_id", issue["id"], f"moved this to {lists[target]}")
    name = lists.get(target, "Closed" if target == "closed" else "Open")
    web.flash(request, f"#{issue['iid']} was moved to {name}.")
    return web.redirect(f"/{project['full_path']}/board")


@web.signed_in
async def board_lists(request: Request) -> Response:
    """Add a list for a label, or take one away."""
    project = open_project(request, "plan")
    if web.field(request, "deed") == "remove":
        web.execute(
            request,
            "DELETE FROM board_list WHERE id = ? AND project_id = ?",
            number(request, "list"),
            project["id"],
        )
        web.flash(request, "The list was removed from the board. Its label stays.")
    else:
        label = web.row(
            request,
            "SELECT * FROM label WHERE id = ? AND project_id = ? AND NOT EXISTS"
            " (SELECT 1 FROM board_list b WHERE b.label_id = label.id)",
            number(request, "label"),
            project["id"],
        )
        if label is None:
            web.flash(request, "Choose a label that has no list yet.", "error")
        else:
            last = web.value(request, "SELECT max(position) FROM board_list WHERE project_id = ?", project["id"])
            web.execute(
                request,
                "INSERT INTO board_list (project_id, label_id, position) VALUES (?, ?, ?)",
                project["id"],
                label["id"],
                0 if last is None else last + 1,
            )
            web.flash(request, f"The list {label['name']} was added.")
    return web.redirect(f"/{project['full_path']}/board")


ROUTES = [
    Route("/{ns}/{project}/labels", labels, methods=["GET"]),
    Route("/{ns}/{project}/labels/new", label_form, methods=["GET", "POST"]),
    Route("/{ns}/{project}/labels/{id:row}", label_form, methods=["GET", "POST"]),
    Route("/{ns}/{project}/labels/{id:row}/delete", label_delete, methods=["POST"]),
    Route("/{ns}/{project}/milestones", milestones, methods=["GET"]),
    Route("/{ns}/{project}/milestones/new", milestone_form, methods=["GET", "POST"]),
    Route("/{ns}/{project}/milestones/{id:row}", milestone, methods=["GET"]),
    Route("/{ns}/{project}/milestones/{id:row}/edit", milestone_form, methods=["GET", "POST"]),
    Route("/{ns}/{project}/milestones/{id:row}/state", milestone_state, methods=["POST"]),
    Route("/{ns}/{project}/board", board, methods=["GET"]),
    Route("/{ns}/{project}/board/move", board_move, methods=["POST"]),
    Route("/{ns}/{project}/board/lists", board_lists, methods=["POST"]),
]
