"""Folders and files of a branch, who wrote each line, and how a file came about."""

from __future__ import annotations

import itertools
import sqlite3

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import blobs, highlight, repository
from guideact.sites.gitlab.rights import Opened, open_project
from guideact.sites.gitlab.shell import project_page, query


def at_ref(request: Request) -> tuple[Opened, str, int]:
    """The project, the branch, tag or hash that the address names (`ref`), and its revision; 404 for none."""
    project = open_project(request)
    ref = web.field(request, "ref") or project["default_branch"]
    revision = repository.find_revision(request.state.db, project["id"], ref)
    if revision is None:
        web.not_found(f"There is no branch, tag or commit {ref}.")
    return project, ref, revision


def branches_of(request: Request, project: Opened) -> list[sqlite3.Row]:
    return query(
        request,
        "SELECT name, is_protected FROM branch WHERE project_id = :id ORDER BY name <> :first, name",
        id=project["id"],
        first=project["default_branch"],
    )


def steps_of(path: str) -> list[tuple[str, str]]:
    """The folders on the way to a path, as (name, path)."""
    parts = path.split("/") if path else []
    return [(name, "/".join(parts[: at + 1])) for at, name in enumerate(parts)]


async def show(request: Request) -> Response:
    """A folder's listing or a file's lines, whichever the path names."""
    project, ref, revision = at_ref(request)
    path = request.path_params.get("path", "").strip("/")
    db = request.state.db
    files = repository.tree(db, revision)
    common = {
        "ref": ref,
        "path_shown": path,
        "steps": steps_of(path),
        "branches": branches_of(request, project),
    }
    if path in files:
        text = blobs.read(db, files[path].blob)
        return project_page(
            request,
            project,
            "file.html",
            "files",
            **common,
            lines=highlight.lines(path, text),
            text=text,
            size=len(text.encode()),
            language=highlight.language(path),
            is_markdown=path.endswith(".md"),
            view=web.field(request, "view", "preview" if path.endswith(".md") else "code"),
            latest=repository.history_of(db, revision, path)[0],
        )
    entries = repository.listing(db, files, path)
    if not entries and path:
        web.not_found(f"There is no file {path} on {ref}.")
    readme = f"{path}/README.md".lstrip("/")
    return project_page(
        request,
        project,
        "folder.html",
        "files",
        **common,
        entries=entries,
        latest=repository.ancestors(db, revision)[0],
        readme=blobs.read(db, files[readme].blob) if readme in files else "",
    )


async def raw(request: Request) -> Response:
    project, _, revision = at_ref(request)
    files = repository.tree(request.state.db, revision)
    path = request.path_params["path"]
    if path not in files:
        web.not_found(f"{project['name']} has no file {path}.")
    return PlainTextResponse(blobs.read(request.state.db, files[path].blob))


async def blame(request: Request) -> Response:
    project, ref, revision = at_ref(request)
    path = request.path_params["path"]
    db = request.state.db
    if path not in repository.tree(db, revision):
        web.not_found(f"There is no file {path} on {ref}.")
    rows = repository.blame(db, revision, path)
    markup = highlight.lines(path, "\n".join(line for line, _ in rows))
    blocks = [len(list(block)) for _, block in itertools.groupby(rows, key=lambda row: row[1]["id"])]
    # How many lines a commit has from here on, for the first of them; 0 for the others.
    first = [size if at == 0 else 0 for size in blocks for at in range(size)]
    lines = [
        (number, code, version, begins)
        for number, (code, (_, version), begins) in enumerate(zip(markup, rows, first, strict=True), 1)
    ]
    return project_page(
        request, project, "blame.html", "files", ref=ref, path_shown=path, steps=steps_of(path), lines=lines
    )


async def history(request: Request) -> Response:
    project, ref, revision = at_ref(request)
    path = request.path_params["path"]
    found = repository.history_of(request.state.db, revision, path)
    if not found:
        web.not_found(f"There is no file {path} on {ref}.")
    return project_page(
        request,
        project,
        "commits.html",
        "files",
        ref=ref,
        path_shown=path,
        steps=steps_of(path),
        revisions=found,
        pager=None,
        branches=[],
        author="",
        text="",
        authors=[],
    )


async def finder(request: Request) -> Response:
    """All files of a branch whose path holds some words."""
    project, ref, revision = at_ref(request)
    text = web.field(request, "name")
    paths = [path for path in repository.tree(request.state.db, revision) if text.casefold() in path.casefold()]
    return project_page(request, project, "finder.html", "files", ref=ref, text=text, paths=paths)


ROUTES = [
    Route("/{ns}/{project}/files", show, methods=["GET"]),
    Route("/{ns}/{project}/files/{path:path}", show, methods=["GET"]),
    Route("/{ns}/{project}/raw/{path:path}", raw, methods=["GET"]),
    Route("/{ns}/{project}/blame/{path:path}", blame, methods=["GET"]),
    Route("/{ns}/{project}/history/{path:path}", history, methods=["GET"]),
    Route("/{ns}/{project}/find-file", finder, methods=["GET"]),
]
