"""Merge requests: the list, the thread, the changes, reviews, merging and closing."""

from __future__ import annotations

import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import repository
from guideact.sites.gitlab.files import branches_of
from guideact.sites.gitlab.issues import labels_of, milestones_of
from guideact.sites.gitlab.rights import Opened, open_project, visible_to
from guideact.sites.gitlab.shell import me, number, paragraphs, person_choices, project_page, query
from guideact.sites.gitlab.threads import add_note, add_todo, note_done, replace_set, thread_of

SORTS = {
    "created": ("Newest", "r.created_at DESC"),
    "oldest": ("Oldest", "r.created_at"),
    "title": ("Title", "fold(r.title)"),
}
STATES = {"approved": "approved this", "changes_requested": "requested changes"}


async def index(request: Request) -> Response:
    project = open_project(request)
    chosen = {name: web.field(request, name) for name in ("state", "text", "author", "label", "sort")}
    chosen["state"] = chosen["state"] if chosen["state"] in ("merged", "closed", "all") else "open"
    chosen["sort"] = chosen["sort"] if chosen["sort"] in SORTS else "created"
    source = (
        " FROM merge_request r JOIN account a ON a.id = r.author_id LEFT JOIN milestone m ON m.id = r.milestone_id"
        " WHERE r.project_id = :id AND (:text = '' OR instr(fold(r.title || ' ' || r.source_branch), fold(:text)))"
        " AND (:author = '' OR a.username = :author)"
        " AND (:label = '' OR EXISTS (SELECT 1 FROM merge_label x JOIN label l ON l.id = x.label_id"
        "  WHERE x.merge_request_id = r.id AND l.name = :label))"
    )
    given = {**chosen, "id": project["id"]}
    tallies = {
        row["state"]: row["n"] for row in query(request, f"SELECT r.state, count(*) AS n{source} GROUP BY 1", **given)
    }
    merges = query(
        request,
        "SELECT r.*, a.username, a.full_name, m.title AS milestone,"
        " (SELECT count(*) FROM note n WHERE n.merge_request_id = r.id) AS comments,"
        " (SELECT count(*) FROM review v WHERE v.merge_request_id = r.id AND v.state = 'approved') AS approvals,"
        f" (SELECT b.full_name FROM account b WHERE b.id = r.assignee_id) AS assignee{source}"
        f" AND (:state = 'all' OR r.state = :state) ORDER BY {SORTS[chosen['sort']][1]}, r.iid DESC",
        **given,
    )
    return project_page(
        request,
        project,
        "merges.html",
        "merges",
        merges=merges,
        tallies=tallies,
        chosen=chosen,
        sorts=SORTS,
        labels=labels_of(request, project),
        labels_by_merge=_labels(request, [row["id"] for row in merges]),
        authors=query(
            request,
            "SELECT DISTINCT a.username, a.full_name FROM merge_request r JOIN account a ON a.id = r.author_id"
            " WHERE r.project_id = :id ORDER BY a.full_name",
            id=project["id"],
        ),
    )


def _labels(request: Request, numbers: list[int]) -> dict[int, list[sqlite3.Row]]:
    marks = ", ".join(str(int(number)) for number in numbers)
    out: dict[int, list[sqlite3.Row]] = {}
    for row in query(
        request,
        "SELECT x.merge_request_id, l.* FROM merge_label x JOIN label l ON l.id = x.label_id"
        f" WHERE x.merge_request_id IN ({marks}) ORDER BY fold(l.name)",
    ):
        out.setdefault(row["merge_request_id"], []).append(row)
    return out


def find_merge(request: Request, project: Opened) -> sqlite3.Row:
    """The merge request that the address names; 404 for none."""
    found = query(
        request,
        "SELECT r.*, a.username, a.full_name, m.title AS milestone, b.full_name AS assignee,"
        " b.username AS assignee_name,"
        " c.full_name AS merger FROM merge_request r JOIN account a ON a.id = r.author_id"
        " LEFT JOIN milestone m ON m.id = r.milestone_id LEFT JOIN account b ON b.id = r.assignee_id"
        " LEFT JOIN account c ON c.id = r.merged_by_id WHERE r.project_id = :id AND r.iid = :iid",
        id=project["id"],
        iid=request.path_params["iid"],
    )
    if not found:
        web.not_found("There is no such merge request.")
    return found[0]


def _reviews(request: Request, merge: sqlite3.Row) -> list[sqlite3.Row]:
    return query(
        request,
        "SELECT v.*, a.username, a.full_name FROM review v JOIN account a ON a.id = v.account_id"
        " WHERE v.merge_request_id = :id ORDER BY a.full_name",
        id=merge["id"],
    )


def obstacles(project: Opened, merge: sqlite3.Row, reviews: list[sqlite3.Row], clashing: list[str]) -> list[str]:
    """Why a merge request cannot be merged now; empty where it can."""
    found = []
    if merge["is_draft"]:
        found.append("This is a draft. Mark it as ready first.")
    approvals = sum(review["state"] == "approved" for review in reviews)
    if missing := max(0, project["needs_approvals"] - approvals):
        found.append(f"{web.plural(missing, 'more approval is', 'more approvals are')} needed.")
    found += [
        f"{review['full_name']} has requested changes." for review in reviews if review["state"] == "changes_requested"
    ]
    if clashing:
        found.append(f"Both branches have changed {', '.join(clashing)}.")
    return found


def _sides(request: Request, merge: sqlite3.Row, project: Opened) -> tuple[dict[str, str | None], list[str]]:
    """What merging would change, and the files that have changed on both sides since they parted."""
    db = request.state.db
    target = repository.branch_row(db, project["id"], merge["target_branch"])
    base = {path: entry.blob for path, entry in repository.tree(db, merge["base_id"]).items()}
    head = {path: entry.blob for path, entry in repository.tree(db, merge["head_id"]).items()}
    trunk = {path: entry.blob for path, entry in repository.tree(db, target["revision_id"]).items()} if target else base
    changes = {path: head.get(path) for path in sorted({*base, *head}) if base.get(path) != head.get(path)}
    clashing = [path for path, blob in changes.items() if trunk.get(path) != base.get(path) and trunk.get(path) != blob]
    return changes, clashing


def _page(request: Request, template: str, tab: str) -> Response:
    project = open_project(request)
    merge = find_merge(request, project)
    db = request.state.db
    diffs = repository.compare(db, merge["base_id"], merge["head_id"])
    known = {row["id"] for row in repository.ancestors(db, merge["base_id"])}
    revisions = [row for row in repository.ancestors(db, merge["head_id"]) if row["id"] not in known]
    reviews = _reviews(request, merge)
    clashing = _sides(request, merge, project)[1] if merge["state"] == "open" else []
    account = visible_to(request)
    target = repository.branch_row(db, project["id"], merge["target_branch"])
    return project_page(
        request,
        project,
        template,
        "merges",
        merge=merge,
        tab=tab,
        diffs=diffs,
        revisions=revisions,
        reviews=reviews,
        my_review=next((review for review in reviews if review["account_id"] == account), None),
        obstacles=obstacles(project, merge, reviews, clashing),
        may_merge=project.may("push_protected" if target and target["is_protected"] else "push"),
        may_edit=project.may("push") or (merge["author_id"] == account and project.may("discuss")),
        is_author=merge["author_id"] == account,
        thread=thread_of(request, "merge_request_id", merge["id"]),
        merge_labels=_labels(request, [merge["id"]]).get(merge["id"], []),
        labels=labels_of(request, project),
        people=person_choices(request, project),
        milestones=milestones_of(request, project),
    )


async def show(request: Request) -> Response:
    return _page(request, "merge.html", "overview")


async def changes(request: Request) -> Response:
    return _page(request, "merge.html", "changes")


async def revisions(request: Request) -> Response:
    return _page(request, "merge.html", "commits")


# --- opening and editing --------------------------------------------------------------------------------------------


@web.signed_in
async def new(request: Request) -> Response:
    project = open_project(request, "push")
    db = request.state.db
    branches = branches_of(request, project)
    source, target = web.field(request, "source"), web.field(request, "target") or project["default_branch"]
    given: dict[str, Any] = {
        "source": source,
        "target": target,
        "title": web.field(request, "title"),
        "body": paragraphs(request, "body"),
        "draft": web.field(request, "draft"),
        "assignee": number(request, "assignee"),
        "reviewers": [int(text) for text in web.fields(request, "reviewers") if text.isdecimal()],
        "milestone": number(request, "milestone"),
    }
    errors: dict[str, str] = {}
    people = person_choices(request, project)
    if request.method == "POST":
        names = {row["name"] for row in branches}
        one, other = repository.branch_row(db, project["id"], source), repository.branch_row(db, project["id"], target)
        if one is None or source not in names:
            errors["source"] = "Choose the branch with your changes."
        if other is None:
            errors["target"] = "Choose the branch to merge into."
        if one is not None and other is not None:
            base = repository.base_of(db, one["revision_id"], other["revision_id"])
            if source == target or not repository.compare(db, base, one["revision_id"]):
                errors["source"] = f"{source} has nothing that {target} has not."
            elif web.row(
                request,
                "SELECT 1 FROM merge_request WHERE project_id = ? AND source_branch = ? AND target_branch = ?"
                " AND state = 'open'",
                project["id"],
                source,
                target,
            ):
                errors["source"] = f"There is an open merge request from {source} already."
        if not given["title"]:
            errors["title"] = "Enter a title."
        if not errors:
            assert one is not None
            iid = (
                web.value(request, "SELECT max(iid) FROM merge_request WHERE project_id = ?", project["id"]) or 0
            ) + 1
            allowed = {row["id"] for row in people}
            assignee = given["assignee"] if given["assignee"] in allowed else None
            merge = web.execute(
                request,
                "INSERT INTO merge_request (project_id, iid, title, body, author_id, is_draft, source_branch,"
                " target_branch, base_id, head_id, milestone_id, assignee_id, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                project["id"],
                iid,
                given["title"],
                given["body"],
                me(request)["id"],
                int(bool(given["draft"])),
                source,
                target,
                base,
                one["revision_id"],
                web.value(
                    request,
                    "SELECT id FROM milestone WHERE id = ? AND project_id = ?",
                    given["milestone"],
                    project["id"],
                ),
                assignee,
                web.now_text(),
            )
            for reviewer in given["reviewers"]:
                if reviewer in allowed:
                    web.execute(
                        request, "INSERT INTO review (merge_request_id, account_id) VALUES (?, ?)", merge, reviewer
                    )
                    add_todo(request, "merge_request_id", merge, "review", reviewer)
            if assignee is not None:
                add_todo(request, "merge_request_id", merge, "assigned", assignee)
            web.flash(request, f"Merge request !{iid} was opened.")
            return web.redirect(f"/{project['full_path']}/merge_requests/{iid}")
    if not given["title"] and source and request.method == "GET":
        row = repository.branch_row(db, project["id"], source)
        if row is not None:
            given["title"] = str(web.value(request, "SELECT title FROM revision WHERE id = ?", row["revision_id"]))
    return project_page(
        request,
        project,
        "merge_new.html",
        "merges",
        status=422 if errors else 200,
        branches=branches,
        people=people,
        milestones=milestones_of(request, project),
        given=given,
        errors=errors,
    )


@web.signed_in
async def edit(request: Request) -> Response:
    """Title, description, target, draft or ready."""
    project = open_project(request, "discuss")
    merge = find_merge(request, project)
    if not project.may("push") and merge["author_id"] != me(request)["id"]:
        web.forbidden("Only its author and members from Developer on may edit a merge request.")
    given = {"title": merge["title"], "body": merge["body"], "draft": merge["is_draft"]}
    errors = {}
    if request.method == "POST":
        given = {
            "title": web.field(request, "title"),
            "body": paragraphs(request, "body"),
            "draft": int(bool(web.field(request, "draft"))),
        }
        if not given["title"]:
            errors["title"] = "Enter a title."
        else:
            web.execute(
                request,
                "UPDATE merge_request SET title = ?, body = ?, is_draft = ? WHERE id = ?",
                given["title"],
                given["body"],
                given["draft"],
                merge["id"],
            )
            web.flash(request, f"Merge request !{merge['iid']} was saved.")
            return web.redirect(f"/{project['full_path']}/merge_requests/{merge['iid']}")
    return project_page(
        request,
        project,
        "merge_edit.html",
        "merges",
        status=422 if errors else 200,
        merge=merge,
        given=given,
        errors=errors,
    )


@web.signed_in
async def plan(request: Request) -> Response:
    """One part of the side column: labels, assignee, reviewers or milestone."""
    project = open_project(request, "push")
    merge = find_merge(request, project)
    part = request.path_params["part"]
    people = {row["id"]: row["full_name"] for row in person_choices(request, project)}
    if part == "labels":
        known = {row["id"] for row in labels_of(request, project)}
        wanted = [int(text) for text in web.fields(request, "labels") if text.isdecimal() and int(text) in known]
        replace_set(request, "merge_label", ("merge_request_id", merge["id"]), "label_id", wanted)
    elif part == "reviewers":
        wanted = [int(text) for text in web.fields(request, "reviewers") if text.isdecimal() and int(text) in people]
        came, _ = replace_set(request, "review", ("merge_request_id", merge["id"]), "account_id", wanted)
        for account in came:
            add_todo(request, "merge_request_id", merge["id"], "review", account)
            note_done(request, "merge_request_id", merge["id"], f"asked {people[account]} for a review")
    elif part == "assignee":
        chosen = number(request, "assignee")
        assignee = chosen if chosen in people else None
        if assignee != merge["assignee_id"]:
            web.execute(request, "UPDATE merge_request SET assignee_id = ? WHERE id = ?", assignee, merge["id"])
            if assignee is not None:
                add_todo(request, "merge_request_id", merge["id"], "assigned", assignee)
                note_done(request, "merge_request_id", merge["id"], f"assigned this to {people[assignee]}")
    elif part == "milestone":
        milestone = web.value(
            request,
            "SELECT id FROM milestone WHERE id = ? AND project_id = ?",
            number(request, "milestone"),
            project["id"],
        )
        if milestone != merge["milestone_id"]:
            web.execute(request, "UPDATE merge_request SET milestone_id = ? WHERE id = ?", milestone, merge["id"])
    else:
        web.not_found()
    web.flash(request, f"Merge request !{merge['iid']} was saved.")
    return web.redirect(f"/{project['full_path']}/merge_requests/{merge['iid']}")


# --- thread, reviews, the end -----------------------------------------------------------------------------------------


@web.signed_in
async def comment(request: Request) -> Response:
    project = open_project(request, "discuss")
    merge = find_merge(request, project)
    body = paragraphs(request, "body")
    if body:
        add_note(request, "merge_request_id", merge["id"], body)
        web.flash(request, "Your comment was added.")
    else:
        web.flash(request, "Write something first.", "error")
    return web.redirect(f"/{project['full_path']}/merge_requests/{merge['iid']}#end")


@web.signed_in
async def review(request: Request) -> Response:
    """Approve, request changes, or take either back; with a comment where one was written."""
    project = open_project(request, "push")
    merge = find_merge(request, project)
    person = me(request)
    state = web.field(request, "verdict")
    if merge["state"] != "open" or state not in (*STATES, "asked"):
        web.forbidden("Only an open merge request can be reviewed.")
    if merge["author_id"] == person["id"] and state == "approved":
        web.forbidden("Nobody approves a merge request of their own.")
    body = paragraphs(request, "body")
    if body:
        add_note(request, "merge_request_id", merge["id"], body)
    if not web.execute(
        request,
        "UPDATE review SET state = ? WHERE merge_request_id = ? AND account_id = ?",
        state,
        merge["id"],
        person["id"],
    ):
        web.execute(
            request,
            "INSERT INTO review (merge_request_id, account_id, state) VALUES (?, ?, ?)",
            merge["id"],
            person["id"],
            state,
        )
    note_done(request, "merge_request_id", merge["id"], STATES.get(state, "took the review back"))
    web.flash(
        request,
        {"approved": "You approved this.", "changes_requested": "You requested changes."}.get(
            state, "Your review was taken back."
        ),
    )
    return web.redirect(f"/{project['full_path']}/merge_requests/{merge['iid']}")


@web.signed_in
async def finish(request: Request) -> Response:
    """Merge, close, or open again."""
    project = open_project(request, "discuss")
    merge = find_merge(request, project)
    db = request.state.db
    person = me(request)
    back = f"/{project['full_path']}/merge_requests/{merge['iid']}"
    deed = web.field(request, "deed")
    if deed in ("close", "reopen"):
        if not project.may("push") and merge["author_id"] != person["id"]:
            web.forbidden("Only its author and members from Developer on may close a merge request.")
        now, then = ("open", "closed") if deed == "close" else ("closed", "open")
        if merge["state"] == now:
            web.execute(
                request,
                "UPDATE merge_request SET state = ?, closed_at = ? WHERE id = ?",
                then,
                web.now_text() if deed == "close" else None,
                merge["id"],
            )
            note_done(
                request, "merge_request_id", merge["id"], "closed this" if deed == "close" else "opened this again"
            )
            web.flash(request, f"Merge request !{merge['iid']} is {'closed' if deed == 'close' else 'open again'}.")
        return web.redirect(back)
    target = repository.branch_row(db, project["id"], merge["target_branch"])
    project.demand("push_protected" if target and target["is_protected"] else "push")
    changed, clashing = _sides(request, merge, project)
    if merge["state"] != "open" or target is None or obstacles(project, merge, _reviews(request, merge), clashing):
        web.forbidden("This merge request cannot be merged now.")
    parent = query(request, "SELECT * FROM revision WHERE id = :id", id=target["revision_id"])[0]
    repository.commit(
        db,
        project_id=project["id"],
        branch=merge["target_branch"],
        parent=parent,
        author_id=person["id"],
        title=f"Merge branch '{merge['source_branch']}' into '{merge['target_branch']}'",
        body=f"{merge['title']}\n\nSee !{merge['iid']}",
        blobs_by_path=changed,
        merged_id=merge["head_id"],
    )
    web.execute(
        request,
        "UPDATE merge_request SET state = 'merged', closed_at = ?, merged_by_id = ? WHERE id = ?",
        web.now_text(),
        person["id"],
        merge["id"],
    )
    note_done(request, "merge_request_id", merge["id"], "merged this")
    if web.field(request, "delete_branch"):
        web.execute(
            request,
            "DELETE FROM branch WHERE project_id = ? AND name = ? AND is_protected = 0",
            project["id"],
            merge["source_branch"],
        )
    web.flash(request, f"Merge request !{merge['iid']} was merged.")
    return web.redirect(back)


ROUTES = [
    Route("/{ns}/{project}/merge_requests", index, methods=["GET"]),
    Route("/{ns}/{project}/merge_requests/new", new, methods=["GET", "POST"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}", show, methods=["GET"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/changes", changes, methods=["GET"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/commits", revisions, methods=["GET"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/edit", edit, methods=["GET", "POST"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/comment", comment, methods=["POST"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/review", review, methods=["POST"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/finish", finish, methods=["POST"]),
    Route("/{ns}/{project}/merge_requests/{iid:row}/{part}", plan, methods=["POST"]),
]
