"""What waits for the person signed in: projects, issues, merge requests, to-dos. And all projects, to explore."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.rights import VISIBLE, visible_to
from guideact.sites.gitlab.shell import me, query

PROJECT_COLUMNS = (
    "p.id, p.full_path, p.name, p.description, p.visibility, p.is_archived, p.topics, p.created_at,"
    " n.name AS namespace_name,"
    " (SELECT count(*) FROM star s WHERE s.project_id = p.id) AS stars,"
    " (SELECT count(*) FROM project f WHERE f.forked_from_id = p.id) AS forks,"
    " (SELECT count(*) FROM issue i WHERE i.project_id = p.id AND i.state = 'open') AS open_issues,"
    " (SELECT count(*) FROM merge_request r WHERE r.project_id = p.id AND r.state = 'open') AS open_merges,"
    " (SELECT max(v.created_at) FROM revision v WHERE v.project_id = p.id) AS active_at,"
    " (SELECT m.role FROM project_member m WHERE m.project_id = p.id AND m.account_id = :me) AS own_role,"
    " (SELECT g.role FROM group_member g WHERE g.namespace_id = p.namespace_id AND g.account_id = :me) AS group_role"
)
"""What a card of a project shows; for queries over `project p JOIN namespace n`, with `:me` bound."""

SORTS = {
    "active": ("Last commit", "active_at DESC, p.id"),
    "name": ("Name", "fold(p.name), p.full_path"),
    "stars": ("Most stars", "stars DESC, fold(p.name)"),
    "newest": ("Newest", "p.created_at DESC, p.id"),
    "oldest": ("Oldest", "p.created_at, p.id"),
}
SIZE = 12


def project_list(request: Request, condition: str, template: str, tab: str) -> Response:
    """A page of project cards: `condition` is SQL of our own over `p`, with `:me` bound."""
    text = web.field(request, "name")
    topic = web.field(request, "topic")
    visibility = web.field(request, "visibility")
    sort = web.field(request, "sort", "active")
    order = SORTS.get(sort, SORTS["active"])[1]
    where = (
        f"{VISIBLE} AND {condition} AND (:text = '' OR instr(fold(p.name || ' ' || p.full_path), fold(:text)))"
        " AND (:topic = '' OR ', ' || p.topics || ', ' LIKE '%, ' || :topic || ', %')"
        " AND (:visibility = '' OR p.visibility = :visibility)"
    )
    given = {"me": visible_to(request), "text": text, "topic": topic, "visibility": visibility}
    count = query(request, f"SELECT count(*) FROM project p WHERE {where}", **given)[0][0]
    pager = web.Pager.of(request, count, SIZE)
    projects = query(
        request,
        f"SELECT {PROJECT_COLUMNS} FROM project p JOIN namespace n ON n.id = p.namespace_id WHERE {where}"
        f" ORDER BY {order} LIMIT :size OFFSET :offset",
        **given,
        size=pager.size,
        offset=pager.offset,
    )
    return web.render(
        request,
        template,
        projects=projects,
        pager=pager,
        tab=tab,
        text=text,
        topic=topic,
        visibility=visibility,
        sort=sort,
        sorts=SORTS,
    )


_MINE = (
    "(EXISTS (SELECT 1 FROM project_member m WHERE m.project_id = p.id AND m.account_id = :me)"
    " OR EXISTS (SELECT 1 FROM group_member g WHERE g.namespace_id = p.namespace_id AND g.account_id = :me))"
)


async def home(request: Request) -> Response:
    """The projects of the person signed in; a guest explores."""
    if web.user(request) is None:
        return web.redirect("/explore")
    return project_list(request, _MINE, "projects.html", "yours")


@web.signed_in
async def personal(request: Request) -> Response:
    return project_list(
        request,
        "p.namespace_id IN (SELECT id FROM namespace WHERE account_id = :me)",
        "projects.html",
        "personal",
    )


@web.signed_in
async def starred(request: Request) -> Response:
    return project_list(
        request,
        "EXISTS (SELECT 1 FROM star s WHERE s.project_id = p.id AND s.account_id = :me)",
        "projects.html",
        "starred",
    )


async def explore(request: Request) -> Response:
    return project_list(request, "1", "projects.html", "explore")


@web.signed_in
async def issues(request: Request) -> Response:
    """Issues that are the person's: given to them, or opened by them."""
    scope = web.field(request, "scope", "assigned")
    state = web.field(request, "state", "open")
    mine = (
        "i.author_id = :me"
        if scope == "created"
        else "EXISTS (SELECT 1 FROM issue_assignee x WHERE x.issue_id = i.id AND x.account_id = :me)"
    )
    found = query(
        request,
        "SELECT i.iid, i.title, i.state, i.due_on, i.weight, i.created_at, p.full_path, p.name AS project_name,"
        " m.title AS milestone FROM issue i JOIN project p ON p.id = i.project_id"
        f" LEFT JOIN milestone m ON m.id = i.milestone_id WHERE {mine} AND (:state = 'all' OR i.state = :state)"
        " ORDER BY i.due_on = '', i.due_on, i.created_at DESC",
        me=me(request)["id"],
        state=state,
    )
    return web.render(request, "my_issues.html", issues=found, scope=scope, state=state)


@web.signed_in
async def merge_requests(request: Request) -> Response:
    """Merge requests that wait for the person, or that they opened."""
    scope = web.field(request, "scope", "review")
    conditions = {
        "review": "EXISTS (SELECT 1 FROM review v WHERE v.merge_request_id = r.id AND v.account_id = :me"
        " AND v.state = 'asked') AND r.state = 'open'",
        "assigned": "r.assignee_id = :me AND r.state = 'open'",
        "created": "r.author_id = :me",
    }
    found = query(
        request,
        "SELECT r.iid, r.title, r.state, r.is_draft, r.created_at, r.source_branch, p.full_path,"
        " p.name AS project_name,"
        " a.full_name AS author FROM merge_request r JOIN project p ON p.id = r.project_id"
        f" JOIN account a ON a.id = r.author_id WHERE {conditions.get(scope, conditions['review'])}"
        " ORDER BY r.created_at DESC",
        me=me(request)["id"],
    )
    return web.render(request, "my_merges.html", merges=found, scope=scope)


@web.signed_in
async def todos(request: Request) -> Response:
    """To-dos by state, and by what they are about."""
    state = web.field(request, "state", "pending")
    reason = web.field(request, "reason")
    where = "t.account_id = :me AND t.state = :state AND (:reason = '' OR t.reason = :reason)"
    found = query(
        request,
        "SELECT t.id, t.reason, t.state, t.created_at, a.full_name AS author, a.username, p.full_path,"
        " p.name AS project_name, coalesce(i.iid, r.iid) AS iid, i.id IS NULL AS merge,"
        " coalesce(i.title, r.title) AS title FROM todo t JOIN account a ON a.id = t.author_id"
        " LEFT JOIN issue i ON i.id = t.issue_id LEFT JOIN merge_request r ON r.id = t.merge_request_id"
        f" JOIN project p ON p.id = coalesce(i.project_id, r.project_id) WHERE {where}"
        " ORDER BY t.created_at DESC, t.id DESC",
        me=me(request)["id"],
        state=state,
        reason=reason,
    )
    tallies = {
        row["state"]: row["n"]
        for row in query(
            request,
            "SELECT state, count(*) AS n FROM todo WHERE account_id = :me GROUP BY state",
            me=me(request)["id"],
        )
    }
    return web.render(request, "todos.html", todos=found, state=state, reason=reason, tallies=tallies)


@web.signed_in
async def todo_state(request: Request) -> Response:
    """Mark one to-do as done, or take that back."""
    state = "pending" if web.field(request, "state") == "pending" else "done"
    changed = web.execute(
        request,
        "UPDATE todo SET state = ? WHERE id = ? AND account_id = ?",
        state,
        request.path_params["id"],
        me(request)["id"],
    )
    if not changed:
        web.not_found("There is no such to-do.")
    web.flash(request, "The to-do is done." if state == "done" else "The to-do is back on your list.")
    return web.redirect(web.safe_next(request, "/dashboard/todos"))


@web.signed_in
async def todos_done(request: Request) -> Response:
    count = web.execute(
        request, "UPDATE todo SET state = 'done' WHERE state = 'pending' AND account_id = ?", me(request)["id"]
    )
    web.flash(request, f"{web.plural(count, 'to-do')} marked as done.")
    return web.redirect("/dashboard/todos")


ROUTES = [
    Route("/", home, methods=["GET"]),
    Route("/dashboard/personal", personal, methods=["GET"]),
    Route("/dashboard/starred", starred, methods=["GET"]),
    Route("/explore", explore, methods=["GET"]),
    Route("/dashboard/issues", issues, methods=["GET"]),
    Route("/dashboard/merge_requests", merge_requests, methods=["GET"]),
    Route("/dashboard/todos", todos, methods=["GET"]),
    Route("/dashboard/todos/done", todos_done, methods=["POST"]),
    Route("/dashboard/todos/{id:row}", todo_state, methods=["POST"]),
]
