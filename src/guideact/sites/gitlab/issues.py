"""Issues: the list with its filters, one issue with its thread, and everything that can be set in it."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.rights import Opened, open_project, rank, visible_to
from guideact.sites.gitlab.shell import me, number, paragraphs, person_choices, project_page, query, valid_day
from guideact.sites.gitlab.threads import add_note, add_todo, note_done, replace_set, thread_of

SORTS = {
    "created": ("Newest", "i.created_at DESC"),
    "oldest": ("Oldest", "i.created_at"),
    "due": ("Due date", "i.due_on = '', i.due_on"),
    "weight": ("Highest weight", "coalesce(i.weight, -1) DESC"),
    "comments": ("Most comments", "comments DESC"),
    "title": ("Title", "fold(i.title)"),
}
SIZE = 20
HIGHEST_WEIGHT = 20


def labels_of(request: Request, project: Opened) -> list[sqlite3.Row]:
    return query(request, "SELECT * FROM label WHERE project_id = :id ORDER BY fold(name)", id=project["id"])


def milestones_of(request: Request, project: Opened, closed: bool = False) -> list[sqlite3.Row]:
    """The milestones that something can be put into, or all of them."""
    condition = "1" if closed else "state = 'active'"
    return query(
        request,
        f"SELECT * FROM milestone WHERE project_id = :id AND {condition} ORDER BY due_on, title",
        id=project["id"],
    )


def _seen(project: Opened) -> str:
    """SQL: confidential issues are for members from Reporter on, and for their authors."""
    return "1" if rank(project.role) >= rank("Reporter") else "(i.is_confidential = 0 OR i.author_id = :me)"


async def index(request: Request) -> Response:
    """The list, by state, words, label, assignee, author and milestone."""
    project = open_project(request)
    chosen = {
        name: web.field(request, name) for name in ("text", "label", "assignee", "author", "milestone", "sort", "state")
    }
    chosen["state"] = chosen["state"] if chosen["state"] in ("closed", "all") else "open"
    chosen["sort"] = chosen["sort"] if chosen["sort"] in SORTS else "created"
    condition = (
        f" i.project_id = :id AND {_seen(project)}"
        " AND (:text = '' OR instr(fold(i.title || ' ' || i.body), fold(:text)))"
        " AND (:label = '' OR EXISTS (SELECT 1 FROM issue_label x JOIN label l ON l.id = x.label_id"
        "  WHERE x.issue_id = i.id AND l.name = :label))"
        " AND (:author = '' OR a.username = :author)"
        " AND (:milestone = '' OR (:milestone = '-' AND i.milestone_id IS NULL) OR m.title = :milestone)"
        " AND (:assignee = '' OR (:assignee = '-' AND NOT EXISTS (SELECT 1 FROM issue_assignee x"
        " WHERE x.issue_id = i.id))"
        "  OR EXISTS (SELECT 1 FROM issue_assignee x JOIN account b ON b.id = x.account_id"
        "  WHERE x.issue_id = i.id AND b.username = :assignee))"
    )
    source = (
        " FROM issue i JOIN account a ON a.id = i.author_id LEFT JOIN milestone m ON m.id = i.milestone_id"
        f" WHERE {condition}"
    )
    given: dict[str, Any] = {**chosen, "id": project["id"], "me": visible_to(request)}
    tallies = {
        row["state"]: row["n"] for row in query(request, f"SELECT i.state, count(*) AS n{source} GROUP BY 1", **given)
    }
    count = sum(tallies.values()) if chosen["state"] == "all" else tallies.get(chosen["state"], 0)
    pager = web.Pager.of(request, count, SIZE)
    issues = query(
        request,
        "SELECT i.*, a.username, a.full_name, m.title AS milestone,"
        f" (SELECT count(*) FROM note n WHERE n.issue_id = i.id) AS comments{source}"
        f" AND (:state = 'all' OR i.state = :state) ORDER BY {SORTS[chosen['sort']][1]}, i.iid DESC"
        " LIMIT :size OFFSET :offset",
        **given,
        size=pager.size,
        offset=pager.offset,
    )
    return project_page(
        request,
        project,
        "issues.html",
        "issues",
        issues=issues,
        tallies=tallies,
        pager=pager,
        chosen=chosen,
        sorts=SORTS,
        labels=labels_of(request, project),
        milestones=milestones_of(request, project, closed=True),
        people=person_choices(request, project),
        authors=query(
            request,
            "SELECT DISTINCT a.username, a.full_name FROM issue i JOIN account a ON a.id = i.author_id"
            " WHERE i.project_id = :id ORDER BY a.full_name",
            id=project["id"],
        ),
        **attached(request, [issue["id"] for issue in issues]),
    )


def attached(request: Request, numbers: list[int]) -> dict[str, Any]:
    """Labels and assignees of several issues, by issue."""
    marks = ", ".join(str(int(number)) for number in numbers)
    out: dict[str, dict[int, list[sqlite3.Row]]] = {"labels_by_issue": {}, "people_by_issue": {}}
    for row in query(
        request,
        f"SELECT x.issue_id, l.* FROM issue_label x JOIN label l ON l.id = x.label_id WHERE x.issue_id IN ({marks})"
        " ORDER BY fold(l.name)",
    ):
        out["labels_by_issue"].setdefault(row["issue_id"], []).append(row)
    for row in query(
        request,
        "SELECT x.issue_id, a.id, a.username, a.full_name FROM issue_assignee x JOIN account a ON a.id = x.account_id"
        f" WHERE x.issue_id IN ({marks}) ORDER BY a.full_name",
    ):
        out["people_by_issue"].setdefault(row["issue_id"], []).append(row)
    return out


def find_issue(request: Request, project: Opened) -> sqlite3.Row:
    """The issue that the address names; 404 for none, or for one that may not be seen."""
    found = query(
        request,
        "SELECT i.*, a.username, a.full_name, m.title AS milestone, m.due_on AS milestone_due,"
        " (SELECT max(iid) FROM issue WHERE project_id = i.project_id) AS last"
        " FROM issue i JOIN account a ON a.id = i.author_id LEFT JOIN milestone m ON m.id = i.milestone_id"
        f" WHERE i.project_id = :id AND i.iid = :iid AND {_seen(project)}",
        id=project["id"],
        iid=request.path_params["iid"],
        me=visible_to(request),
    )
    if not found:
        web.not_found("There is no such issue.")
    return found[0]


def may_close(request: Request, project: Opened, issue: sqlite3.Row) -> bool:
    """Whoever opened it, and everybody who plans."""
    mine = issue["author_id"] == visible_to(request)
    return project.may("plan") or (mine and project.may("discuss"))


async def show(request: Request) -> Response:
    project = open_project(request)
    issue = find_issue(request, project)
    linked = attached(request, [issue["id"]])
    return project_page(
        request,
        project,
        "issue.html",
        "issues",
        issue=issue,
        thread=thread_of(request, "issue_id", issue["id"]),
        issue_labels=linked["labels_by_issue"].get(issue["id"], []),
        assignees=linked["people_by_issue"].get(issue["id"], []),
        labels=labels_of(request, project),
        milestones=milestones_of(request, project),
        people=person_choices(request, project),
        may_close=may_close(request, project, issue),
        highest_weight=HIGHEST_WEIGHT,
        todo=query(
            request,
            "SELECT id FROM todo WHERE account_id = :me AND issue_id = :id AND state = 'pending' ORDER BY id LIMIT 1",
            me=visible_to(request),
            id=issue["id"],
        ),
    )


# --- opening one ----------------------------------------------------------------------------------------------------


@web.signed_in
async def new(request: Request) -> Response:
    """The form of a new issue. Who does not plan gives a title and a description only."""
    project = open_project(request, "discuss")
    planner = project.may("plan")
    given = _given(request)
    errors: dict[str, str] = {}
    if request.method == "POST":
        errors = _faults(given)
        if not errors:
            iid = (web.value(request, "SELECT max(iid) FROM issue WHERE project_id = ?", project["id"]) or 0) + 1
            issue = web.execute(
                request,
                "INSERT INTO issue (project_id, iid, title, body, author_id, milestone_id, due_on, weight,"
                " is_confidential, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                project["id"],
                iid,
                given["title"],
                given["body"],
                me(request)["id"],
                _own(request, "milestone", project, given["milestone"]) if planner else None,
                given["due_on"] if planner else "",
                int(given["weight"]) if planner and given["weight"] else None,
                int(bool(given["confidential"])),
                web.now_text(),
            )
            if planner:
                _set_labels(request, project, issue, given["labels"])
                _set_assignees(request, project, issue, given["assignees"])
            web.flash(request, f"Issue #{iid} was opened.")
            return web.redirect(f"/{project['full_path']}/issues/{iid}")
    return project_page(
        request,
        project,
        "issue_new.html",
        "issues",
        status=422 if errors else 200,
        given=given,
        errors=errors,
        labels=labels_of(request, project),
        milestones=milestones_of(request, project),
        people=person_choices(request, project),
        highest_weight=HIGHEST_WEIGHT,
    )


def _given(request: Request) -> dict[str, Any]:
    return {
        "title": web.field(request, "title"),
        "body": paragraphs(request, "body"),
        "milestone": number(request, "milestone"),
        "due_on": web.field(request, "due_on"),
        "weight": web.field(request, "weight"),
        "confidential": web.field(request, "confidential"),
        "labels": _numbers(web.fields(request, "labels")),
        "assignees": _numbers(web.fields(request, "assignees")),
    }


def _numbers(texts: list[str]) -> list[int]:
    return [int(text) for text in texts if text.isdecimal() and len(text) < 10]


def _faults(given: dict[str, Any]) -> dict[str, str]:
    errors = {}
    if not given["title"]:
        errors["title"] = "Enter a title."
    if given["due_on"] and not valid_day(given["due_on"]):
        errors["due_on"] = "Enter a day as YYYY-MM-DD."
    if given["weight"] and not _weight_fits(given["weight"]):
        errors["weight"] = f"Enter a whole number from 0 to {HIGHEST_WEIGHT}."
    return errors


def _weight_fits(text: str) -> bool:
    return text.isdecimal() and len(text) < 4 and int(text) <= HIGHEST_WEIGHT


def _own(request: Request, table: str, project: Opened, number: int | None) -> int | None:
    """The number where it is that of a label or milestone of the project, otherwise None."""
    found = web.value(request, f"SELECT id FROM {table} WHERE id = ? AND project_id = ?", number, project["id"])
    return None if found is None else int(found)


def _set_labels(request: Request, project: Opened, issue: int, wanted: list[int]) -> tuple[list[str], list[str]]:
    names = {row["id"]: row["name"] for row in labels_of(request, project)}
    came, went = replace_set(
        request, "issue_label", ("issue_id", issue), "label_id", [number for number in wanted if number in names]
    )
    return [names[number] for number in came], [names[number] for number in went]


def _set_assignees(request: Request, project: Opened, issue: int, wanted: list[int]) -> tuple[list[str], list[str]]:
    people = {row["id"]: row["full_name"] for row in person_choices(request, project)}
    came, went = replace_set(
        request, "issue_assignee", ("issue_id", issue), "account_id", [number for number in wanted if number in people]
    )
    for account in came:
        add_todo(request, "issue_id", issue, "assigned", account)
    gone = [str(web.value(request, "SELECT full_name FROM account WHERE id = ?", account)) for account in went]
    return [people[number] for number in came], gone


# --- changing one ---------------------------------------------------------------------------------------------------


@web.signed_in
async def comment(request: Request) -> Response:
    """A comment; the second button of its form also closes the issue or opens it again."""
    project = open_project(request, "discuss")
    issue = find_issue(request, project)
    back = f"/{project['full_path']}/issues/{issue['iid']}"
    body = paragraphs(request, "body")
    state = web.field(request, "state")
    if not body and not state:
        web.flash(request, "Write something first.", "error")
        return web.redirect(back)
    if body:
        add_note(request, "issue_id", issue["id"], body)
    if state in ("open", "closed") and state != issue["state"]:
        if not may_close(request, project, issue):
            web.forbidden("Only who opened an issue and members from Reporter on may close it.")
        web.execute(
            request,
            "UPDATE issue SET state = ?, closed_at = ? WHERE id = ?",
            state,
            web.now_text() if state == "closed" else None,
            issue["id"],
        )
        note_done(request, "issue_id", issue["id"], "closed this" if state == "closed" else "opened this again")
        web.flash(request, f"Issue #{issue['iid']} is {'closed' if state == 'closed' else 'open again'}.")
    elif body:
        web.flash(request, "Your comment was added.")
    return web.redirect(f"{back}#end")


@web.signed_in
async def note_change(request: Request) -> Response:
    """Edit or delete a comment of one's own."""
    project = open_project(request, "discuss")
    note = query(
        request,
        "SELECT n.*, coalesce(i.iid, r.iid) AS iid, i.id IS NULL AS merge FROM note n"
        " LEFT JOIN issue i ON i.id = n.issue_id LEFT JOIN merge_request r ON r.id = n.merge_request_id"
        " WHERE n.id = :id AND coalesce(i.project_id, r.project_id) = :project",
        id=request.path_params["id"],
        project=project["id"],
    )
    if not note:
        web.not_found("There is no such comment.")
    if note[0]["author_id"] != me(request)["id"]:
        web.forbidden("Only the author of a comment may change it.")
    body = paragraphs(request, "body")
    if web.field(request, "deed") == "delete":
        web.execute(request, "DELETE FROM note WHERE id = ?", note[0]["id"])
        web.flash(request, "The comment was deleted.")
    elif body:
        web.execute(request, "UPDATE note SET body = ? WHERE id = ?", body, note[0]["id"])
        web.flash(request, "The comment was changed.")
    kind = "merge_requests" if note[0]["merge"] else "issues"
    return web.redirect(f"/{project['full_path']}/{kind}/{note[0]['iid']}")


@web.signed_in
async def edit(request: Request) -> Response:
    """Title, description and who may see it."""
    project = open_project(request, "discuss")
    issue = find_issue(request, project)
    if not may_close(request, project, issue):
        web.forbidden("Only who opened an issue and members from Reporter on may edit it.")
    given = {"title": issue["title"], "body": issue["body"], "confidential": issue["is_confidential"]}
    errors: dict[str, str] = {}
    if request.method == "POST":
        given = {
            "title": web.field(request, "title"),
            "body": paragraphs(request, "body"),
            "confidential": int(bool(web.field(request, "confidential"))),
        }
        if not given["title"]:
            errors["title"] = "Enter a title."
        else:
            web.execute(
                request,
                "UPDATE issue SET title = ?, body = ?, is_confidential = ? WHERE id = ?",
                given["title"],
                given["body"],
                given["confidential"],
                issue["id"],
            )
            if given["title"] != issue["title"]:
                note_done(request, "issue_id", issue["id"], f"changed the title from “{issue['title']}”")
            web.flash(request, f"Issue #{issue['iid']} was saved.")
            return web.redirect(f"/{project['full_path']}/issues/{issue['iid']}")
    return project_page(
        request,
        project,
        "issue_edit.html",
        "issues",
        status=422 if errors else 200,
        issue=issue,
        given=given,
        errors=errors,
    )


def _listed(came: list[str], went: list[str], noun: str) -> str:
    parts = []
    if came:
        parts.append(f"added {noun} {', '.join(came)}")
    if went:
        parts.append(f"removed {noun} {', '.join(went)}")
    return " and ".join(parts)


@web.signed_in
async def plan(request: Request) -> Response:
    """One part of the side column: labels, assignees, milestone, due date or weight."""
    project = open_project(request, "plan")
    issue = find_issue(request, project)
    part = request.path_params["part"]
    deed = ""
    if part == "labels":
        deed = _listed(*_set_labels(request, project, issue["id"], _numbers(web.fields(request, "labels"))), "label")
    elif part == "assignees":
        wanted = _numbers(web.fields(request, "assignees"))
        deed = _listed(*_set_assignees(request, project, issue["id"], wanted), "assignee")
    elif part == "milestone":
        milestone = _own(request, "milestone", project, number(request, "milestone"))
        if milestone != issue["milestone_id"]:
            web.execute(request, "UPDATE issue SET milestone_id = ? WHERE id = ?", milestone, issue["id"])
            title = web.value(request, "SELECT title FROM milestone WHERE id = ?", milestone)
            deed = f"changed the milestone to {title}" if title else "removed the milestone"
    elif part == "due":
        day = web.field(request, "due_on")
        if day and not valid_day(day):
            web.flash(request, "Enter a day as YYYY-MM-DD.", "error")
        elif day != issue["due_on"]:
            web.execute(request, "UPDATE issue SET due_on = ? WHERE id = ?", day, issue["id"])
            deed = f"changed the due date to {web.date_text(day)}" if day else "removed the due date"
    elif part == "weight":
        text = web.field(request, "weight")
        if text and not _weight_fits(text):
            web.flash(request, f"Enter a whole number from 0 to {HIGHEST_WEIGHT}.", "error")
        elif (int(text) if text else None) != issue["weight"]:
            web.execute(request, "UPDATE issue SET weight = ? WHERE id = ?", int(text) if text else None, issue["id"])
            deed = f"set the weight to {text}" if text else "removed the weight"
    else:
        web.not_found()
    if deed:
        note_done(request, "issue_id", issue["id"], deed)
        web.flash(request, f"Issue #{issue['iid']} was saved.")
    return web.redirect(f"/{project['full_path']}/issues/{issue['iid']}")


ROUTES = [
    Route("/{ns}/{project}/issues", index, methods=["GET"]),
    Route("/{ns}/{project}/issues/new", new, methods=["GET", "POST"]),
    Route("/{ns}/{project}/issues/{iid:row}", show, methods=["GET"]),
    Route("/{ns}/{project}/issues/{iid:row}/edit", edit, methods=["GET", "POST"]),
    Route("/{ns}/{project}/issues/{iid:row}/comment", comment, methods=["POST"]),
    Route("/{ns}/{project}/issues/{iid:row}/{part}", plan, methods=["POST"]),
    Route("/{ns}/{project}/notes/{id:row}", note_change, methods=["POST"]),
]
