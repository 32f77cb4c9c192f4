"""Who may do what in a project.

A person's role is the higher one of those in the project and in its group. Everybody who is signed in may open issues
and comment in what they can see; an archived project is for reading only.
"""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from guideact.sites import web

__all__ = ["ROLES", "VISIBLE", "Opened", "open_project", "rank", "visible_to"]

ROLES = ("Guest", "Reporter", "Developer", "Maintainer", "Owner")
"""From the one with the fewest rights to the one with all."""

_NEEDS = {
    "discuss": None,  # anybody who is signed in and can see the project
    "plan": "Reporter",  # labels, assignees, milestones, boards; closing what others opened
    "push": "Developer",  # files on unprotected branches, branches, tags, merge requests, reviews
    "push_protected": "Maintainer",
    "manage": "Maintainer",  # members, settings, protected branches
    "own": "Owner",  # visibility, archiving, deleting
}

VISIBLE = (
    "(p.visibility = 'public' OR (p.visibility = 'internal' AND :me > 0)"
    " OR EXISTS (SELECT 1 FROM project_member m WHERE m.project_id = p.id AND m.account_id = :me)"
    " OR EXISTS (SELECT 1 FROM group_member g WHERE g.namespace_id = p.namespace_id AND g.account_id = :me))"
)
"""SQL: the project `p` can be seen by the account `:me` (0 for a guest)."""


def rank(role: str) -> int:
    """0 for nobody's role, 1 for Guest ... 5 for Owner."""
    return ROLES.index(role) + 1 if role in ROLES else 0


@dataclass(frozen=True)
class Opened:
    """A project as the person who looks at it may use it. `opened["name"]` is a column of the project's row."""

    row: sqlite3.Row
    role: str
    """Empty for somebody who is no member."""
    signed_in: bool

    def __getitem__(self, column: str) -> Any:
        return self.row[column]

    def may(self, deed: str) -> bool:
        """Whether a deed of the table above is open to this person."""
        if not self.signed_in or (self.row["is_archived"] and deed != "own"):
            return False
        needed = _NEEDS[deed]
        return needed is None or rank(self.role) >= rank(needed)

    def demand(self, deed: str) -> None:
        """Give the 403 page where `may` says no."""
        if not self.may(deed):
            if self.row["is_archived"]:
                web.forbidden("This project is archived. It can be read and no longer be changed.")
            mine = f"Your role here is {self.role}." if self.role else "You are not a member of this project."
            web.forbidden(f"{mine} It does not include this.")


def visible_to(request: Request) -> int:
    """What `:me` stands for in `VISIBLE`."""
    person = web.user(request)
    return 0 if person is None else int(person["id"])


def open_project(request: Request, needs: str = "") -> Opened:
    """The project that the address names, for the person who asks; 404 for an unseen one, 403 for too few rights.

    A guest who would need an account is refused as well: handlers that change something stand behind `web.signed_in`.
    """
    me = visible_to(request)
    path = f"{request.path_params['ns']}/{request.path_params['project']}"
    found = request.state.db.execute(
        f"SELECT p.*, n.name AS namespace_name, n.kind AS namespace_kind, n.path AS namespace_path, {VISIBLE} AS seen,"
        " (SELECT m.role FROM project_member m WHERE m.project_id = p.id AND m.account_id = :me) AS own_role,"
        " (SELECT g.role FROM group_member g WHERE g.namespace_id = p.namespace_id AND g.account_id"
        " = :me) AS group_role,"
        " (SELECT count(*) FROM star s WHERE s.project_id = p.id) AS stars,"
        " (SELECT count(*) FROM project f WHERE f.forked_from_id = p.id) AS forks,"
        " EXISTS (SELECT 1 FROM star s WHERE s.project_id = p.id AND s.account_id = :me) AS is_starred,"
        " (SELECT count(*) FROM issue i WHERE i.project_id = p.id AND i.state = 'open') AS open_issues,"
        " (SELECT count(*) FROM merge_request r WHERE r.project_id = p.id AND r.state = 'open') AS open_merges"
        " FROM project p JOIN namespace n ON n.id = p.namespace_id WHERE p.full_path = :path",
        {"me": me, "path": path},
    ).fetchall()
    if not found or not found[0]["seen"]:
        web.not_found("There is no such project, or you may not see it.")
    row = found[0]
    role = max(row["own_role"] or "", row["group_role"] or "", key=rank)
    opened = Opened(row, role, me > 0)
    if needs:
        opened.demand(needs)
    return opened
