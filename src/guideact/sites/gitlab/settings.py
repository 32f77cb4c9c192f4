"""What a project is called, who sees it, and the end of it."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab.files import branches_of
from guideact.sites.gitlab.projects import VISIBILITIES
from guideact.sites.gitlab.rights import open_project
from guideact.sites.gitlab.shell import number, project_page


@web.signed_in
async def settings(request: Request) -> Response:
    """Name, description, topics; default branch and approvals; for owners also who may see the project."""
    project = open_project(request)
    if project["is_archived"]:
        project.demand("own")
    else:
        project.demand("manage")
    names = ("name", "description", "topics", "default_branch", "needs_approvals", "visibility")
    given = {name: project[name] for name in names}
    errors: dict[str, str] = {}
    branches = branches_of(request, project)
    if request.method == "POST":
        part = web.field(request, "part")
        if part == "general":
            given |= {name: web.field(request, name) for name in ("name", "description", "topics")}
            given["topics"] = ", ".join(filter(None, (topic.strip() for topic in given["topics"].split(","))))
            if not given["name"]:
                errors["name"] = "Enter a name."
        elif part == "repository":
            given["default_branch"] = web.field(request, "default_branch")
            given["needs_approvals"] = number(request, "needs_approvals", -1)
            if given["default_branch"] not in {row["name"] for row in branches}:
                errors["default_branch"] = "Choose one of the branches."
            if not 0 <= given["needs_approvals"] <= 5:
                errors["needs_approvals"] = "Enter a number from 0 to 5."
        elif part == "visibility":
            project.demand("own")
            given["visibility"] = web.field(request, "visibility")
            if given["visibility"] not in VISIBILITIES:
                errors["visibility"] = "Choose who may see the project."
        if not errors:
            changed = {name: value for name, value in given.items() if value != project[name]}
            if changed:
                sets = ", ".join(f"{name} = ?" for name in changed)
                web.execute(request, f"UPDATE project SET {sets} WHERE id = ?", *changed.values(), project["id"])
            web.flash(request, "The settings were saved.")
            return web.redirect(f"/{project['full_path']}/settings")
    return project_page(
        request,
        project,
        "settings.html",
        "settings",
        status=422 if errors else 200,
        given=given,
        errors=errors,
        branches=branches,
        visibilities=VISIBILITIES,
    )


@web.signed_in
async def archive(request: Request) -> Response:
    """Archive the project or bring it back."""
    project = open_project(request, "own")
    archived = int(not project["is_archived"])
    web.execute(request, "UPDATE project SET is_archived = ? WHERE id = ?", archived, project["id"])
    web.flash(request, "The project is archived." if archived else "The project is in use again.")
    return web.redirect(f"/{project['full_path']}/settings")


@web.signed_in
async def delete(request: Request) -> Response:
    """Delete the project for good, once its address has been typed."""
    project = open_project(request, "own")
    if web.field(request, "confirmation") != project["full_path"]:
        web.flash(request, f"To delete the project, type {project['full_path']}.", "error")
        return web.redirect(f"/{project['full_path']}/settings")
    web.execute(request, "DELETE FROM project WHERE id = ?", project["id"])
    web.flash(request, f"The project {project['full_path']} was deleted.")
    return web.redirect("/")


ROUTES = [
    Route("/{ns}/{project}/settings", settings, methods=["GET", "POST"]),
    Route("/{ns}/{project}/settings/archive", archive, methods=["POST"]),
    Route("/{ns}/{project}/settings/delete", delete, methods=["POST"]),
]
