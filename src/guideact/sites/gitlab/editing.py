"""The web editor: a file changed, added or taken away, with a commit on a branch."""

from __future__ import annotations

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.gitlab import blobs, repository
from guideact.sites.gitlab.commits import REF
from guideact.sites.gitlab.files import branches_of, steps_of
from guideact.sites.gitlab.rights import Opened, open_project
from guideact.sites.gitlab.shell import me, project_page, query, raw_field

PATH = re.compile(r"[\w.-]+(?:/[\w.-]+)*")
LONGEST = 100_000
"""Characters of a file that the editor takes."""


def _branch(request: Request, project: Opened) -> Any:
    """The branch that is edited; 404 for a tag or a hash, which cannot be."""
    name = web.field(request, "ref") or project["default_branch"]
    branch = repository.branch_row(request.state.db, project["id"], name)
    if branch is None:
        web.not_found(f"There is no branch {name}.")
    return branch


def _store(
    request: Request, project: Opened, branch: Any, changes: dict[str, str | None], given: dict[str, Any]
) -> Response:
    """Commit the changes to the branch, or to a new one that begins there; then to the file or to a merge request."""
    db = request.state.db
    target = given["new_branch"] if given["target"] == "new" else branch["name"]
    parent = query(request, "SELECT * FROM revision WHERE id = :id", id=branch["revision_id"])[0]
    repository.commit(
        db,
        project_id=project["id"],
        branch=target,
        parent=parent,
        author_id=me(request)["id"],
        title=given["message"],
        blobs_by_path={path: None if text is None else blobs.keep(db, text) for path, text in changes.items()},
    )
    web.flash(request, f"Your changes were committed to {target}.")
    if given["target"] == "new" and given["start"]:
        return web.redirect(f"/{project['full_path']}/merge_requests/new?source={target}&target={branch['name']}")
    kept = [path for path, text in changes.items() if text is not None]
    return web.redirect(f"/{project['full_path']}/files/{kept[0] if kept else ''}?ref={target}")


def _commit_fields(
    request: Request, project: Opened, branch: Any, message: str
) -> tuple[dict[str, Any], dict[str, str]]:
    """What every form of the editor ends with: message, branch, and whether a merge request follows."""
    locked = branch["is_protected"] and not project.may("push_protected")
    if request.method == "GET":
        return {"message": message, "target": "new" if locked else "same", "new_branch": "", "start": "1"}, {}
    given = {
        "message": web.field(request, "message"),
        "target": "new" if locked else web.field(request, "target", "same"),
        "new_branch": web.field(request, "new_branch"),
        "start": web.field(request, "start"),
    }
    errors = {}
    if not given["message"]:
        errors["message"] = "Say in a few words what you changed."
    if given["target"] == "new":
        if not REF.fullmatch(given["new_branch"]):
            errors["new_branch"] = "Enter a name of letters, digits, dots, dashes and slashes."
        elif repository.branch_row(request.state.db, project["id"], given["new_branch"]):
            errors["new_branch"] = f"There is a branch {given['new_branch']} already."
    return given, errors


def _editor(
    request: Request, project: Opened, branch: Any, given: dict[str, Any], errors: dict[str, str], **more: Any
) -> Response:
    return project_page(
        request,
        project,
        "editor.html",
        "files",
        status=422 if errors else 200,
        ref=branch["name"],
        locked=branch["is_protected"] and not project.may("push_protected"),
        branches=branches_of(request, project),
        given=given,
        errors=errors,
        **more,
    )


@web.signed_in
async def edit(request: Request) -> Response:
    project = open_project(request, "push")
    branch = _branch(request, project)
    path = request.path_params["path"]
    files = repository.tree(request.state.db, branch["revision_id"])
    if path not in files:
        web.not_found(f"There is no file {path} on {branch['name']}.")
    text = blobs.read(request.state.db, files[path].blob)
    given, errors = _commit_fields(request, project, branch, f"Update {path.rsplit('/', 1)[-1]}")
    given |= {"path": path, "content": text}
    if request.method == "POST":
        given["path"] = web.field(request, "path") or path
        given["content"] = _ended(raw_field(request, "content"))
        errors |= _path_faults(given["path"], [name for name in files if name != path])
        if len(given["content"]) > LONGEST:
            errors["content"] = "The file is too long for this editor."
        if not errors and given["content"] == text and given["path"] == path:
            errors["content"] = "Nothing has changed."
        if not errors:
            changes: dict[str, str | None] = {given["path"]: given["content"]}
            if given["path"] != path:
                changes[path] = None
            return _store(request, project, branch, changes, given)
    return _editor(request, project, branch, given, errors, path_shown=path, steps=steps_of(path), deed="edit")


def _ended(text: str) -> str:
    """A file ends with one line end; an empty one stays empty."""
    return text.rstrip("\n") + "\n" if text.strip() else ""


def _path_faults(path: str, others: list[str]) -> dict[str, str]:
    if not PATH.fullmatch(path) or ".." in path:
        return {"path": "Enter a name of letters, digits, dots and dashes; slashes make folders."}
    if path in others or any(name.startswith(f"{path}/") for name in others):
        return {"path": f"There is a file or folder {path} already."}
    return {}


@web.signed_in
async def new(request: Request) -> Response:
    """A new file, in the folder that the address names."""
    project = open_project(request, "push")
    branch = _branch(request, project)
    folder = web.field(request, "folder")
    files = repository.tree(request.state.db, branch["revision_id"])
    given, errors = _commit_fields(request, project, branch, "Add a file")
    given |= {"path": f"{folder}/" if folder else "", "content": ""}
    if request.method == "POST":
        given |= {"path": web.field(request, "path"), "content": _ended(raw_field(request, "content"))}
        errors |= _path_faults(given["path"], list(files))
        if not errors:
            return _store(request, project, branch, {given["path"]: given["content"]}, given)
    return _editor(request, project, branch, given, errors, path_shown=folder, steps=steps_of(folder), deed="new")


@web.signed_in
async def delete(request: Request) -> Response:
    project = open_project(request, "push")
    branch = _branch(request, project)
    path = request.path_params["path"]
    if path not in repository.tree(request.state.db, branch["revision_id"]):
        web.not_found(f"There is no file {path} on {branch['name']}.")
    given, errors = _commit_fields(request, project, branch, f"Delete {path.rsplit('/', 1)[-1]}")
    given |= {"path": path, "content": ""}
    if request.method == "POST" and not errors:
        return _store(request, project, branch, {path: None}, given)
    return _editor(request, project, branch, given, errors, path_shown=path, steps=steps_of(path), deed="delete")


ROUTES = [
    Route("/{ns}/{project}/edit/{path:path}", edit, methods=["GET", "POST"]),
    Route("/{ns}/{project}/delete/{path:path}", delete, methods=["GET", "POST"]),
    Route("/{ns}/{project}/new-file", new, methods=["GET", "POST"]),
]
