"""Commits, branches, tags and releases."""

from __future__ import annotations

import re
import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import repository
from guideact.sites.gitlab.files import at_ref, branches_of
from guideact.sites.gitlab.rights import Opened, open_project
from guideact.sites.gitlab.shell import me, number, paragraphs, project_page, query

REF = re.compile(r"[A-Za-z0-9][\w./-]{0,60}")
SIZE = 15


async def commits(request: Request) -> Response:
    """The history of a branch, by author and words."""
    project, ref, revision = at_ref(request)
    found = repository.ancestors(request.state.db, revision)
    authors = sorted({(row["username"], row["full_name"]) for row in found}, key=lambda each: each[1])
    author, text = web.field(request, "author"), web.field(request, "text")
    if author:
        found = [row for row in found if row["username"] == author]
    if text:
        found = [row for row in found if text.casefold() in row["title"].casefold()]
    pager = web.Pager.of(request, len(found), SIZE)
    return project_page(
        request,
        project,
        "commits.html",
        "commits",
        ref=ref,
        path_shown="",
        steps=[],
        revisions=found[pager.offset : pager.offset + pager.size],
        pager=pager,
        branches=branches_of(request, project),
        author=author,
        authors=authors,
        text=text,
    )


async def commit(request: Request) -> Response:
    project = open_project(request)
    number = repository.find_revision(request.state.db, project["id"], request.path_params["sha"])
    if number is None:
        web.not_found("There is no such commit.")
    revision = query(
        request,
        "SELECT r.*, a.username, a.full_name, q.sha AS parent_sha FROM revision r JOIN account a ON a.id = r.author_id"
        " LEFT JOIN revision q ON q.id = r.parent_id WHERE r.id = :id",
        id=number,
    )[0]
    diffs = repository.revision_diff(request.state.db, revision)
    return project_page(request, project, "commit.html", "commits", revision=revision, diffs=diffs)


async def compare(request: Request) -> Response:
    """What one branch or tag has that another has not."""
    project = open_project(request)
    db = request.state.db
    base, head = web.field(request, "from") or project["default_branch"], web.field(request, "to")
    refs = [row["name"] for row in branches_of(request, project)]
    refs += [row["name"] for row in query(request, "SELECT name FROM tag WHERE project_id = :id", id=project["id"])]
    diffs, revisions = [], []
    if head:
        one, other = (repository.find_revision(db, project["id"], ref) for ref in (base, head))
        if one is None or other is None:
            web.not_found("There is no such branch or tag.")
        known = {row["id"] for row in repository.ancestors(db, one)}
        revisions = [row for row in repository.ancestors(db, other) if row["id"] not in known]
        diffs = repository.compare(db, repository.base_of(db, one, other), other)
    return project_page(
        request, project, "compare.html", "compare", base=base, head=head, refs=refs, diffs=diffs, revisions=revisions
    )


# --- branches -------------------------------------------------------------------------------------------------------


def _branch_list(request: Request, project: Opened) -> list[sqlite3.Row]:
    return query(
        request,
        "SELECT b.*, r.sha, r.title, r.created_at, a.full_name, a.username,"
        " (SELECT q.iid FROM merge_request q WHERE q.project_id = b.project_id AND q.source_branch = b.name"
        "  AND q.state = 'open') AS merge_iid"
        " FROM branch b JOIN revision r ON r.id = b.revision_id JOIN account a ON a.id = r.author_id"
        " WHERE b.project_id = :id AND (:text = '' OR instr(fold(b.name), fold(:text)))"
        " ORDER BY b.name <> :first, r.created_at DESC",
        id=project["id"],
        first=project["default_branch"],
        text=web.field(request, "text") if request.method == "GET" else "",
    )


async def branches(request: Request) -> Response:
    project = open_project(request)
    return project_page(
        request,
        project,
        "branches.html",
        "branches",
        branches=_branch_list(request, project),
        all_branches=branches_of(request, project),
        text=web.field(request, "text"),
        errors={},
        name="",
    )


@web.signed_in
async def new_branch(request: Request) -> Response:
    project = open_project(request, "push")
    name, source = web.field(request, "name"), web.field(request, "source")
    revision = repository.find_revision(request.state.db, project["id"], source)
    errors = {}
    if not REF.fullmatch(name):
        errors["name"] = "Use letters, digits, dots, dashes, underscores and slashes."
    elif repository.branch_row(request.state.db, project["id"], name):
        errors["name"] = f"There is a branch {name} already."
    if revision is None:
        errors["source"] = "Choose where the branch begins."
    if errors:
        return project_page(
            request,
            project,
            "branches.html",
            "branches",
            status=422,
            branches=_branch_list(request, project),
            all_branches=branches_of(request, project),
            text="",
            errors=errors,
            name=name,
        )
    web.execute(
        request,
        "INSERT INTO branch (project_id, name, revision_id) VALUES (?, ?, ?)",
        project["id"],
        name,
        revision,
    )
    web.flash(request, f"The branch {name} was created.")
    return web.redirect(f"/{project['full_path']}/branches")


@web.signed_in
async def change_branch(request: Request) -> Response:
    """Delete a branch, or protect it and no longer."""
    project = open_project(request, "push")
    branch = web.row(
        request, "SELECT * FROM branch WHERE id = ? AND project_id = ?", request.path_params["id"], project["id"]
    )
    if branch is None:
        web.not_found("There is no such branch.")
    deed = web.field(request, "deed")
    if deed == "delete":
        if branch["name"] == project["default_branch"] or branch["is_protected"]:
            web.forbidden(f"{branch['name']} is protected and cannot be deleted.")
        web.execute(request, "DELETE FROM branch WHERE id = ?", branch["id"])
        web.flash(request, f"The branch {branch['name']} was deleted.")
    elif deed in ("protect", "unprotect"):
        project.demand("manage")
        web.execute(request, "UPDATE branch SET is_protected = ? WHERE id = ?", int(deed == "protect"), branch["id"])
        web.flash(request, f"The branch {branch['name']} is {'now' if deed == 'protect' else 'no longer'} protected.")
    return web.redirect(f"/{project['full_path']}/branches")


# --- tags and releases ----------------------------------------------------------------------------------------------


async def tags(request: Request) -> Response:
    project = open_project(request)
    found = query(
        request,
        "SELECT t.*, r.sha, r.title AS revision_title, e.id AS release_id, e.title AS release_title FROM tag t"
        " JOIN revision r ON r.id = t.revision_id LEFT JOIN release e ON e.tag_id = t.id WHERE t.project_id = :id"
        " ORDER BY t.created_at DESC",
        id=project["id"],
    )
    return project_page(
        request,
        project,
        "tags.html",
        "tags",
        tags=found,
        branches=branches_of(request, project),
        errors={},
        given={"name": "", "message": ""},
    )


@web.signed_in
async def new_tag(request: Request) -> Response:
    project = open_project(request, "push")
    name, message, source = web.field(request, "name"), web.field(request, "message"), web.field(request, "source")
    revision = repository.find_revision(request.state.db, project["id"], source)
    if not REF.fullmatch(name) or revision is None:
        web.flash(request, "A tag needs a name of letters, digits, dots and dashes, and a branch.", "error")
    elif web.row(request, "SELECT 1 FROM tag WHERE project_id = ? AND name = ?", project["id"], name):
        web.flash(request, f"There is a tag {name} already.", "error")
    else:
        web.execute(
            request,
            "INSERT INTO tag (project_id, name, revision_id, message, created_at) VALUES (?, ?, ?, ?, ?)",
            project["id"],
            name,
            revision,
            message,
            web.now_text(),
        )
        web.flash(request, f"The tag {name} was created.")
    return web.redirect(f"/{project['full_path']}/tags")


async def releases(request: Request) -> Response:
    project = open_project(request)
    found = query(
        request,
        "SELECT e.*, t.name AS tag, r.sha, a.full_name, a.username FROM release e JOIN tag t ON t.id = e.tag_id"
        " JOIN revision r ON r.id = t.revision_id JOIN account a ON a.id = e.author_id WHERE e.project_id = :id"
        " ORDER BY e.created_at DESC",
        id=project["id"],
    )
    return project_page(request, project, "releases.html", "releases", releases=found)


@web.signed_in
async def new_release(request: Request) -> Response:
    """A release of a tag that has none yet."""
    project = open_project(request, "push")
    free = query(
        request,
        "SELECT t.id, t.name FROM tag t WHERE t.project_id = :id AND NOT EXISTS"
        " (SELECT 1 FROM release e WHERE e.tag_id = t.id) ORDER BY t.created_at DESC",
        id=project["id"],
    )
    title, body = web.field(request, "title"), paragraphs(request, "body")
    errors = {}
    if request.method == "POST":
        tag = number(request, "tag")
        if tag not in {row["id"] for row in free}:
            errors["tag"] = "Choose a tag that has no release yet."
        if not title:
            errors["title"] = "Enter a title."
        if not errors:
            web.execute(
                request,
                "INSERT INTO release (project_id, tag_id, author_id, title, body, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                project["id"],
                tag,
                me(request)["id"],
                title,
                body,
                web.now_text(),
            )
            web.flash(request, f"The release {title} was published.")
            return web.redirect(f"/{project['full_path']}/releases")
    return project_page(
        request,
        project,
        "release_new.html",
        "releases",
        status=422 if errors else 200,
        free=free,
        errors=errors,
        title=title,
        body=body,
    )


ROUTES = [
    Route("/{ns}/{project}/commits", commits, methods=["GET"]),
    Route("/{ns}/{project}/commit/{sha}", commit, methods=["GET"]),
    Route("/{ns}/{project}/compare", compare, methods=["GET"]),
    Route("/{ns}/{project}/branches", branches, methods=["GET"]),
    Route("/{ns}/{project}/branches", new_branch, methods=["POST"]),
    Route("/{ns}/{project}/branches/{id:row}", change_branch, methods=["POST"]),
    Route("/{ns}/{project}/tags", tags, methods=["GET"]),
    Route("/{ns}/{project}/tags", new_tag, methods=["POST"]),
    Route("/{ns}/{project}/releases", releases, methods=["GET"]),
    Route("/{ns}/{project}/releases/new", new_release, methods=["GET", "POST"]),
]
