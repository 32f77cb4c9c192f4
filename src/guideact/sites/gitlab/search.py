"""Search of the whole forge by kind, suggestions for the box in the top bar, people by name."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import blobs, highlight, markdown, repository
from guideact.sites.gitlab.dashboard import PROJECT_COLUMNS
from guideact.sites.gitlab.rights import VISIBLE, visible_to
from guideact.sites.gitlab.shell import paragraphs, query

SCOPES = ("projects", "issues", "merge_requests", "code", "milestones", "users")
MOST = 40
AROUND = 2
"""Lines shown before and after a line of code that was found."""


def _projects(request: Request, text: str) -> list[sqlite3.Row]:
    return query(
        request,
        f"SELECT {PROJECT_COLUMNS} FROM project p JOIN namespace n ON n.id = p.namespace_id WHERE {VISIBLE}"
        " AND instr(fold(p.name || ' ' || p.full_path || ' ' || p.description || ' ' || p.topics), fold(:text))"
        " ORDER BY instr(fold(p.name), fold(:text)) = 0, stars DESC, p.id LIMIT :most",
        me=visible_to(request),
        text=text,
        most=MOST,
    )


def _planned(request: Request, table: str, text: str, only: str, state: str) -> list[sqlite3.Row]:
    hidden = " AND (i.is_confidential = 0 OR i.author_id = :me)" if table == "issue" else ""
    return query(
        request,
        "SELECT i.iid, i.title, i.state, i.body, i.created_at, p.full_path, p.name AS project_name, a.full_name"
        f" FROM {table} i JOIN project p ON p.id = i.project_id JOIN account a ON a.id = i.author_id"
        f" WHERE {VISIBLE}{hidden} AND (:only = '' OR p.full_path = :only) AND (:state = '' OR i.state = :state)"
        " AND instr(fold(i.title || ' ' || i.body), fold(:text))"
        " ORDER BY instr(fold(i.title), fold(:text)) = 0, i.created_at DESC LIMIT :most",
        me=visible_to(request),
        text=text,
        only=only,
        state=state,
        most=MOST,
    )


def _code(request: Request, text: str, only: str) -> list[dict[str, object]]:
    """Files of default branches that hold the words, each with the first place and the lines around it."""
    wanted = text.casefold()
    found: list[dict[str, object]] = []
    for project in query(
        request,
        "SELECT p.id, p.full_path, p.name, p.default_branch, b.revision_id FROM project p JOIN branch b"
        f" ON b.project_id = p.id AND b.name = p.default_branch WHERE {VISIBLE} AND (:only = '' OR p.full_path = :only)"
        " ORDER BY p.full_path",
        me=visible_to(request),
        only=only,
    ):
        files = repository.tree(request.state.db, project["revision_id"])
        texts = blobs.read_all(request.state.db, {entry.blob for entry in files.values()})
        for path, entry in files.items():
            content = texts[entry.blob]
            if wanted not in content.casefold():
                continue
            lines = content.splitlines()
            hits = [number for number, line in enumerate(lines) if wanted in line.casefold()]
            if not hits:
                continue
            start, end = max(0, hits[0] - AROUND), hits[0] + AROUND + 1
            shown = highlight.lines(path, content)[start:end]
            found.append(
                {
                    "project": project,
                    "path": path,
                    "lines": list(enumerate(shown, start + 1)),
                    "hit": hits[0] + 1,
                    "count": len(hits),
                }
            )
            if len(found) == MOST:
                return found
    return found


def _milestones(request: Request, text: str, only: str) -> list[sqlite3.Row]:
    return query(
        request,
        "SELECT m.id, m.title, m.description, m.due_on, m.state, p.full_path, p.name AS project_name FROM milestone m"
        f" JOIN project p ON p.id = m.project_id WHERE {VISIBLE} AND (:only = '' OR p.full_path = :only)"
        " AND instr(fold(m.title || ' ' || m.description), fold(:text)) ORDER BY m.due_on LIMIT :most",
        me=visible_to(request),
        text=text,
        only=only,
        most=MOST,
    )


def _users(request: Request, text: str) -> list[sqlite3.Row]:
    return query(
        request,
        "SELECT a.* FROM account a WHERE instr(fold(a.full_name || ' ' || a.username), fold(:text))"
        " ORDER BY a.full_name LIMIT :most",
        text=text,
        most=MOST,
    )


async def search(request: Request) -> Response:
    """One kind of thing that holds the words, everywhere or in one project."""
    text = web.field(request, "search")
    scope = web.field(request, "scope", "projects")
    scope = scope if scope in SCOPES else "projects"
    only = web.field(request, "project")
    state = web.field(request, "state")
    results: list[sqlite3.Row] | list[dict[str, object]] = []
    if text:
        if scope == "projects":
            results = _projects(request, text)
        elif scope == "issues":
            results = _planned(request, "issue", text, only, state)
        elif scope == "merge_requests":
            results = _planned(request, "merge_request", text, only, state)
        elif scope == "code":
            results = _code(request, text, only)
        elif scope == "milestones":
            results = _milestones(request, text, only)
        else:
            results = _users(request, text)
    projects = query(
        request,
        f"SELECT p.full_path FROM project p WHERE {VISIBLE} ORDER BY p.full_path",
        me=visible_to(request),
    )
    return web.render(
        request,
        "search.html",
        search_text=text,
        scope=scope,
        only=only,
        state=state,
        results=results,
        projects=projects,
        most=MOST,
    )


async def suggest(request: Request) -> Response:
    """What the box in the top bar offers while somebody types: projects, then people."""
    text = web.field(request, "q")
    if len(text) < 2:
        return web.json_response([])
    projects = _projects(request, text)[:6]
    people = _users(request, text)[:3]
    return web.json_response(
        [{"label": row["full_path"], "note": row["name"], "url": f"/{row['full_path']}"} for row in projects]
        + [{"label": row["full_name"], "note": "Person", "url": f"/users/{row['username']}"} for row in people]
    )


@web.signed_in
async def people(request: Request) -> Response:
    """People by name or user name, for inviting them."""
    text = web.field(request, "q")
    if len(text) < 2:
        return web.json_response([])
    return web.json_response(
        [
            {"label": row["full_name"], "note": row["username"], "value": row["username"]}
            for row in _users(request, text)[:8]
        ]
    )


@web.signed_in
async def preview(request: Request) -> Response:
    """What a text will look like, for the tab “Preview” of the editor."""
    return web.json_response({"html": str(markdown.render(paragraphs(request, "text"), web.field(request, "project")))})


ROUTES = [
    Route("/search", search, methods=["GET"]),
    Route("/search/suggest", suggest, methods=["GET"]),
    Route("/search/people", people, methods=["GET"]),
    Route("/preview", preview, methods=["POST"]),
]
