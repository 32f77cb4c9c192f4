"""Groups: their projects, and their members, who belong to all of them."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.dashboard import PROJECT_COLUMNS
from guideact.sites.gitlab.rights import ROLES, VISIBLE, rank, visible_to
from guideact.sites.gitlab.shell import query


async def groups(request: Request) -> Response:
    text = web.field(request, "text")
    found = query(
        request,
        "SELECT n.*, (SELECT count(*) FROM group_member g WHERE g.namespace_id = n.id) AS members,"
        f" (SELECT count(*) FROM project p WHERE p.namespace_id = n.id AND {VISIBLE}) AS projects,"
        " (SELECT g.role FROM group_member g WHERE g.namespace_id = n.id AND g.account_id = :me) AS role"
        " FROM namespace n WHERE n.kind = 'group' AND (:text = '' OR instr(fold(n.name),"
        " fold(:text))) ORDER BY fold(n.name)",
        me=visible_to(request),
        text=text,
    )
    return web.render(request, "groups.html", groups=found, text=text)


def _group(request: Request) -> sqlite3.Row:
    found = query(
        request,
        "SELECT n.*, (SELECT g.role FROM group_member g WHERE g.namespace_id = n.id AND g.account_id = :me) AS role"
        " FROM namespace n WHERE n.kind = 'group' AND n.path = :path",
        me=visible_to(request),
        path=request.path_params["group"],
    )
    if not found:
        web.not_found("There is no such group.")
    return found[0]


def _roles_for(found: sqlite3.Row) -> list[str]:
    """The roles that the person who asks may give in a group: none above their own; none at all below Maintainer."""
    mine = rank(found["role"] or "")
    return [role for role in ROLES if rank(role) <= mine] if mine >= rank("Maintainer") else []


def _page(request: Request, found: sqlite3.Row, tab: str, errors: dict[str, str], given: dict[str, str]) -> Response:
    where = {"id": found["id"], "me": visible_to(request)}
    projects = query(
        request,
        f"SELECT {PROJECT_COLUMNS} FROM project p JOIN namespace n ON n.id = p.namespace_id WHERE {VISIBLE}"
        " AND p.namespace_id = :id ORDER BY active_at DESC, p.id",
        **where,
    )
    members = query(
        request,
        "SELECT g.*, a.username, a.full_name FROM group_member g JOIN account a ON a.id = g.account_id"
        " WHERE g.namespace_id = :id ORDER BY a.full_name",
        id=found["id"],
    )
    return web.render(
        request,
        "group.html",
        status=422 if errors else 200,
        group=found,
        tab=tab,
        projects=projects,
        members=members,
        given_roles=_roles_for(found),
        errors=errors,
        given=given,
    )


async def group(request: Request) -> Response:
    """A group's projects."""
    return _page(request, _group(request), "projects", {}, {})


async def members(request: Request) -> Response:
    """A group's members; a POST invites another one."""
    found = _group(request)
    if request.method == "GET":
        return _page(request, found, "members", {}, {"person": "", "role": "Guest"})
    roles = _roles_for(found)
    if not roles:
        web.forbidden("Only maintainers and owners of a group invite members.")
    name, role = web.field(request, "person"), web.field(request, "role")
    account = web.row(
        request, "SELECT * FROM account WHERE username = ? OR full_name = ? OR email = ?", name, name, name
    )
    errors = {}
    if account is None:
        errors["person"] = "Choose somebody from the list, or enter a whole user name."
    elif web.row(
        request, "SELECT 1 FROM group_member WHERE namespace_id = ? AND account_id = ?", found["id"], account["id"]
    ):
        errors["person"] = f"{account['full_name']} is a member already."
    if role not in roles:
        errors["role"] = "Choose a role that is not above your own."
    if errors:
        return _page(request, found, "members", errors, {"person": name, "role": role})
    assert account is not None
    web.execute(
        request,
        "INSERT INTO group_member (namespace_id, account_id, role, joined_on) VALUES (?, ?, ?, ?)",
        found["id"],
        account["id"],
        role,
        web.today_text(),
    )
    web.flash(request, f"{account['full_name']} was added as {role}.")
    return web.redirect(f"/groups/{found['path']}/members")


@web.signed_in
async def change(request: Request) -> Response:
    """Another role for a member of a group, or none. A group keeps at least one owner."""
    found = _group(request)
    member = web.row(
        request,
        "SELECT g.*, a.full_name FROM group_member g JOIN account a ON a.id = g.account_id"
        " WHERE g.id = ? AND g.namespace_id = ?",
        request.path_params["id"],
        found["id"],
    )
    if member is None:
        web.not_found("There is no such member.")
    roles, role = _roles_for(found), web.field(request, "role")
    leaving = web.field(request, "deed") == "remove"
    if member["role"] not in roles or not (leaving or role in roles):
        web.forbidden("Your role in this group does not include this.")
    owners = web.value(
        request, "SELECT count(*) FROM group_member WHERE namespace_id = ? AND role = 'Owner'", found["id"]
    )
    if member["role"] == "Owner" and owners == 1 and (leaving or role != "Owner"):
        web.forbidden("A group keeps at least one owner.")
    if leaving:
        web.execute(request, "DELETE FROM group_member WHERE id = ?", member["id"])
        web.flash(request, f"{member['full_name']} was removed from the group.")
    elif role != member["role"]:
        web.execute(request, "UPDATE group_member SET role = ? WHERE id = ?", role, member["id"])
        web.flash(request, f"{member['full_name']} is {role} now.")
    return web.redirect(f"/groups/{found['path']}/members")


ROUTES = [
    Route("/groups", groups, methods=["GET"]),
    Route("/groups/{group}", group, methods=["GET"]),
    Route("/groups/{group}/members", members, methods=["GET"]),
    Route("/groups/{group}/members", web.signed_in(members), methods=["POST"]),
    Route("/groups/{group}/members/{id:row}", change, methods=["POST"]),
]
