"""A project's front page, its activity, stars and forks; new projects."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import blobs, highlight, repository
from guideact.sites.gitlab.rights import open_project
from guideact.sites.gitlab.shell import me, number, project_page, query, slug

VISIBILITIES = {
    "private": "Only members see the project.",
    "internal": "Everybody who is signed in sees it.",
    "public": "Everybody sees it, without an account too.",
}
PATH = re.compile(r"[a-z0-9_][a-z0-9_.-]*")


async def overview(request: Request) -> Response:
    """Files of the default branch, the latest commit, and the README."""
    project = open_project(request)
    db = request.state.db
    branch = repository.branch_row(db, project["id"], project["default_branch"])
    if branch is None:
        return project_page(request, project, "project_empty.html", "overview")
    files = repository.tree(db, branch["revision_id"])
    line = repository.ancestors(db, branch["revision_id"])
    readme = blobs.read(db, files["README.md"].blob) if "README.md" in files else ""
    counts = query(
        request,
        "SELECT (SELECT count(*) FROM branch WHERE project_id = :id) AS branches,"
        " (SELECT count(*) FROM tag WHERE project_id = :id) AS tags,"
        " (SELECT count(*) FROM release WHERE project_id = :id) AS releases,"
        " (SELECT full_path FROM project WHERE id = :source) AS source",
        id=project["id"],
        source=project["forked_from_id"],
    )[0]
    languages: dict[str, int] = {}
    for path in files:
        if name := highlight.language(path):
            languages[name] = languages.get(name, 0) + 1
    return project_page(
        request,
        project,
        "project.html",
        "overview",
        entries=repository.listing(db, files, ""),
        latest=line[0],
        commits=len(line),
        readme=readme,
        counts=counts,
        languages=sorted(languages.items(), key=lambda item: (-item[1], item[0])),
        ref=project["default_branch"],
        branches=query(request, "SELECT name FROM branch WHERE project_id = :id ORDER BY name", id=project["id"]),
    )


async def activity(request: Request) -> Response:
    """What happened lately, of every kind."""
    project = open_project(request)
    kind = web.field(request, "kind")
    events = query(
        request,
        "SELECT * FROM ("
        " SELECT 'commit' AS kind, r.title, substr(r.sha, 1, 8) AS ref, 'committed' AS did, r.author_id, r.created_at"
        "  FROM revision r WHERE r.project_id = :id"
        " UNION ALL SELECT 'issue', i.title, i.iid, 'opened issue', i.author_id, i.created_at FROM issue i"
        "  WHERE i.project_id = :id"
        " UNION ALL SELECT 'merge', r.title, r.iid, 'opened merge request', r.author_id, r.created_at"
        "  FROM merge_request r WHERE r.project_id = :id"
        " UNION ALL SELECT 'comment', i.title, i.iid, 'commented on issue', n.author_id, n.created_at FROM note n"
        "  JOIN issue i ON i.id = n.issue_id WHERE i.project_id = :id"
        ") e JOIN account a ON a.id = e.author_id WHERE :kind = '' OR e.kind = :kind"
        " ORDER BY e.created_at DESC, e.title LIMIT 40",
        id=project["id"],
        kind=kind,
    )
    return project_page(request, project, "activity.html", "activity", events=events, kind=kind)


@web.signed_in
async def star(request: Request) -> Response:
    """Star the project, or take the star away."""
    project = open_project(request)
    account = me(request)["id"]
    if project["is_starred"]:
        web.execute(request, "DELETE FROM star WHERE project_id = ? AND account_id = ?", project["id"], account)
    else:
        web.execute(request, "INSERT INTO star (project_id, account_id) VALUES (?, ?)", project["id"], account)
    return web.redirect(f"/{project['full_path']}")


@web.signed_in
async def fork(request: Request) -> Response:
    """A copy of the project among one's own: its branches and revisions, not its issues."""
    project = open_project(request)
    person = me(request)
    db = request.state.db
    if request.method == "GET":
        return project_page(
            request, project, "fork.html", "overview", errors={}, name=project["name"], slug=project["path"]
        )
    name, path = web.field(request, "name"), web.field(request, "path")
    full_path = f"{person['username']}/{path}"
    errors = {}
    if not name:
        errors["name"] = "Enter a name."
    if not PATH.fullmatch(path):
        errors["path"] = "Use small letters, digits, dots, dashes and underscores."
    elif web.row(request, "SELECT 1 FROM project WHERE full_path = ?", full_path):
        errors["path"] = f"You already have a project at {full_path}."
    if errors:
        return project_page(request, project, "fork.html", "overview", status=422, errors=errors, name=name, slug=path)
    copy = web.execute(
        request,
        "INSERT INTO project (namespace_id, path, full_path, name, description, topics, visibility, default_branch,"
        " forked_from_id, created_at) SELECT n.id, ?, ?, ?, ?, ?, ?, ?, ?, ? FROM namespace n WHERE n.account_id = ?",
        path,
        full_path,
        name,
        project["description"],
        project["topics"],
        project["visibility"],
        project["default_branch"],
        project["id"],
        web.now_text(),
        person["id"],
    )
    web.execute(
        request,
        "INSERT INTO project_member (project_id, account_id, role, joined_on) VALUES (?, ?, 'Owner', ?)",
        copy,
        person["id"],
        web.today_text(),
    )
    numbers: dict[int, int] = {}
    for revision in web.rows(request, "SELECT * FROM revision WHERE project_id = ? ORDER BY id", project["id"]):
        numbers[revision["id"]] = web.execute(
            request,
            "INSERT INTO revision (project_id, sha, parent_id, merged_id, author_id, title, body, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            copy,
            revision["sha"],
            numbers.get(revision["parent_id"]),
            numbers.get(revision["merged_id"]),
            revision["author_id"],
            revision["title"],
            revision["body"].partition("\n\nSee !")[0],
            revision["created_at"],
        )
        db.execute(
            "INSERT INTO file_change (revision_id, path, blob) SELECT ?, path, blob FROM file_change"
            " WHERE revision_id = ? ORDER BY id",
            (numbers[revision["id"]], revision["id"]),
        )
    for branch in web.rows(request, "SELECT * FROM branch WHERE project_id = ? ORDER BY id", project["id"]):
        web.execute(
            request,
            "INSERT INTO branch (project_id, name, revision_id, is_protected) VALUES (?, ?, ?, ?)",
            copy,
            branch["name"],
            numbers[branch["revision_id"]],
            branch["is_protected"],
        )
    web.flash(request, f"The project was forked to {full_path}.")
    return web.redirect(f"/{full_path}")


@web.signed_in
async def new(request: Request) -> Response:
    """A new project, in one's own namespace or in a group that one may add to."""
    person = me(request)
    spaces = query(
        request,
        "SELECT n.id, n.path, n.name FROM namespace n LEFT JOIN group_member g ON g.namespace_id = n.id"
        " AND g.account_id = :me WHERE n.account_id = :me OR g.role IN ('Maintainer', 'Owner')"
        " ORDER BY n.kind DESC, n.path",
        me=person["id"],
    )
    given = {
        "name": web.field(request, "name"),
        "path": web.field(request, "path"),
        "namespace": number(request, "namespace", spaces[0]["id"]),
        "description": web.field(request, "description"),
        "visibility": web.field(request, "visibility", "private"),
        "readme": web.field(request, "readme", "" if request.method == "POST" else "1"),
    }
    errors: dict[str, str] = {}
    if request.method == "POST":
        path = str(given["path"] or slug(str(given["name"])))
        space = next((row for row in spaces if row["id"] == given["namespace"]), None)
        if not given["name"]:
            errors["name"] = "Enter a name."
        if given["name"] and not PATH.fullmatch(path):
            errors["path"] = "Use small letters, digits, dots, dashes and underscores."
        if space is None:
            errors["namespace"] = "Choose one of your namespaces."
        elif web.row(request, "SELECT 1 FROM project WHERE full_path = ?", f"{space['path']}/{path}"):
            errors["path"] = f"There is a project at {space['path']}/{path} already."
        if given["visibility"] not in VISIBILITIES:
            errors["visibility"] = "Choose who may see the project."
        if not errors:
            assert space is not None
            full_path = f"{space['path']}/{path}"
            project = web.execute(
                request,
                "INSERT INTO project (namespace_id, path, full_path, name, description, visibility, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?)",
                space["id"],
                path,
                full_path,
                given["name"],
                given["description"],
                given["visibility"],
                web.now_text(),
            )
            web.execute(
                request,
                "INSERT INTO project_member (project_id, account_id, role, joined_on) VALUES (?, ?, 'Owner', ?)",
                project,
                person["id"],
                web.today_text(),
            )
            if given["readme"]:
                text = f"# {given['name']}\n\n{given['description']}\n".replace("\n\n\n", "\n")
                repository.commit(
                    request.state.db,
                    project_id=project,
                    branch="main",
                    parent=None,
                    author_id=person["id"],
                    title="First commit",
                    blobs_by_path={"README.md": blobs.keep(request.state.db, text)},
                )
                web.execute(request, "UPDATE branch SET is_protected = 1 WHERE project_id = ?", project)
            web.flash(request, f"The project {given['name']} was created.")
            return web.redirect(f"/{full_path}")
    return web.render(
        request,
        "project_new.html",
        status=422 if errors else 200,
        spaces=spaces,
        given=given,
        errors=errors,
        visibilities=VISIBILITIES,
    )


ROUTES = [
    Route("/new", new, methods=["GET", "POST"]),
    Route("/{ns}/{project}", overview, methods=["GET"]),
    Route("/{ns}/{project}/activity", activity, methods=["GET"]),
    Route("/{ns}/{project}/star", star, methods=["POST"]),
    Route("/{ns}/{project}/fork", fork, methods=["GET", "POST"]),
]
