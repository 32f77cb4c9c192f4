"""Who belongs to a project or a group, and in which role."""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.rights import ROLES, Opened, open_project, rank
from guideact.sites.gitlab.shell import me, project_page, query


def is_last_owner(request: Request, project: Opened, member: sqlite3.Row) -> bool:
    """Whether a personal project would be left without an owner."""
    owners = web.value(
        request, "SELECT count(*) FROM project_member WHERE project_id = ? AND role = 'Owner'", project["id"]
    )
    return bool(member["role"] == "Owner" and owners == 1 and project["namespace_kind"] == "user")


def roles_for(project: Opened) -> list[str]:
    """The roles that a person may give: none above their own."""
    return [role for role in ROLES if rank(role) <= rank(project.role)]


def _members(request: Request, project: Opened, text: str = "", role: str = "") -> list[sqlite3.Row]:
    return query(
        request,
        "SELECT m.id, m.role, m.joined_on, a.id AS account_id, a.username, a.full_name, 0 AS of_group"
        " FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = :id"
        " AND (:text = '' OR instr(fold(a.full_name || ' ' || a.username), fold(:text)))"
        " AND (:role = '' OR m.role = :role) UNION ALL"
        " SELECT g.id, g.role, g.joined_on, a.id, a.username, a.full_name, 1"
        " FROM group_member g JOIN account a ON a.id = g.account_id WHERE g.namespace_id = :namespace"
        " AND (:text = '' OR instr(fold(a.full_name || ' ' || a.username), fold(:text)))"
        " AND (:role = '' OR g.role = :role) ORDER BY of_group, full_name",
        id=project["id"],
        namespace=project["namespace_id"],
        text=text,
        role=role,
    )


async def members(request: Request) -> Response:
    project = open_project(request)
    text, role = web.field(request, "text"), web.field(request, "role")
    return project_page(
        request,
        project,
        "members.html",
        "members",
        members=_members(request, project, text, role),
        text=text,
        role=role,
        roles=ROLES,
        given_roles=roles_for(project),
        errors={},
        given={"person": "", "role": "Guest"},
    )


@web.signed_in
async def invite(request: Request) -> Response:
    project = open_project(request, "manage")
    name, role = web.field(request, "person"), web.field(request, "role")
    account = web.row(
        request, "SELECT * FROM account WHERE username = ? OR full_name = ? OR email = ?", name, name, name
    )
    errors = {}
    if account is None:
        errors["person"] = "Choose somebody from the list, or enter a whole user name."
    elif web.row(
        request,
        "SELECT 1 FROM project_member WHERE project_id = ? AND account_id = ?",
        project["id"],
        account["id"],
    ):
        errors["person"] = f"{account['full_name']} is a member already."
    if role not in roles_for(project):
        errors["role"] = "Choose a role that is not above your own."
    if errors:
        return project_page(
            request,
            project,
            "members.html",
            "members",
            status=422,
            members=_members(request, project),
            text="",
            role="",
            roles=ROLES,
            given_roles=roles_for(project),
            errors=errors,
            given={"person": name, "role": role},
        )
    assert account is not None
    web.execute(
        request,
        "INSERT INTO project_member (project_id, account_id, role, joined_on) VALUES (?, ?, ?, ?)",
        project["id"],
        account["id"],
        role,
        web.today_text(),
    )
    web.flash(request, f"{account['full_name']} was added as {role}.")
    return web.redirect(f"/{project['full_path']}/members")


@web.signed_in
async def change(request: Request) -> Response:
    """Another role, or none: removed by who manages, or left by oneself."""
    project = open_project(request, "discuss")
    member = web.row(
        request,
        "SELECT m.*, a.full_name FROM project_member m JOIN account a ON a.id = m.account_id"
        " WHERE m.id = ? AND m.project_id = ?",
        request.path_params["id"],
        project["id"],
    )
    if member is None:
        web.not_found("There is no such member.")
    mine = member["account_id"] == me(request)["id"]
    leaving = web.field(request, "deed") == "remove"
    if not (mine and leaving):
        project.demand("manage")
    if rank(member["role"]) > rank(project.role):
        web.forbidden("The role of this member is above your own.")
    last = is_last_owner(request, project, member)
    back = f"/{project['full_path']}/members"
    if leaving:
        if last:
            web.forbidden("A project keeps at least one owner.")
        web.execute(request, "DELETE FROM project_member WHERE id = ?", member["id"])
        web.flash(request, "You left the project." if mine else f"{member['full_name']} was removed from the project.")
        return web.redirect("/" if mine and project["visibility"] == "private" else back)
    role = web.field(request, "role")
    if role not in roles_for(project) or (last and role != "Owner"):
        web.forbidden("This role cannot be given here.")
    if role != member["role"]:
        web.execute(request, "UPDATE project_member SET role = ? WHERE id = ?", role, member["id"])
        web.flash(request, f"{member['full_name']} is {role} now.")
    return web.redirect(back)


ROUTES = [
    Route("/{ns}/{project}/members", members, methods=["GET"]),
    Route("/{ns}/{project}/members", invite, methods=["POST"]),
    Route("/{ns}/{project}/members/{id:row}", change, methods=["POST"]),
]
