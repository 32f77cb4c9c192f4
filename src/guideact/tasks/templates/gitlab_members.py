"""Who belongs to a project, and in which role."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.gitlab_deeds import (
    choose,
    open_listed_project,
    open_project,
    save,
    side,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


def _project(db: Query, path: str) -> int:
    (number,) = db.execute("SELECT id FROM project WHERE full_path = ?", (path,)).fetchone()
    return int(number)


def _check(*required: Change) -> Check:
    return Check(state=(StateCheck(site="gitlab", required=required),))


# --- members --------------------------------------------------------------------------------------------------------

_INVITED = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Priya Shah", "priya_s", "Developer"),
    ("emma_l/garden-log", "Garden Log", "Emma Lopez", "Grace Bennett", "gracie_b", "Reporter"),
    ("harbour-code/lantern", "Lantern", "Harbour Code", "Oskar Nyström", "oskar_n", "Developer"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Zoe Patel", "zoe_p", "Reporter"),
)


def _invite_params(db: Query) -> Sequence[Params]:
    names = ("path", "project", "namespace", "person", "username", "role")
    return [dict(zip(names, row, strict=True)) for row in _INVITED]


def _invite_check(db: Query, p: Params) -> Check:
    (person,) = db.execute("SELECT id FROM account WHERE full_name = ?", (p["person"],)).fetchone()
    values = {"project_id": _project(db, p["path"]), "account_id": person, "role": p["role"]}
    return _check(Change(table="project_member", op="insert", values=values))


def _invite(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Members")
    yield from page.click(
        "button",
        "Invite members",
        say=(
            "Press “Invite members”.",
            "The button at the top right, “Invite members”, unfolds a form over the table.",
        ),
    )
    yield from page.type(
        "Name or user name",
        p["person"],
        say=(
            f"Type “{p['person']}” into “Name or user name”; people are suggested below.",
            f"The first field looks people up. With “{p['person']}” in it, a short list drops down.",
        ),
    )
    yield from page.click(
        "option",
        p["person"],
        say=(
            f"Choose “{p['person']}” from the list.",
            f"In the suggestions “{p['person']}” stands with the user name; a click fills it in.",
        ),
    )
    yield from choose(page, "Role of the new member", p["role"], where="beside the name")
    yield from save(page, "Invite")
    yield from page.finish(
        say=(
            "The table of members has a new row, with the right role.",
            "A note says who was added and as what: finished.",
        )
    )


_REMOVED = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Tyler Morris"),
    ("emma_l/garden-log", "Garden Log", "Emma Lopez", "Samuel Reed"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Ella Rantanen"),
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Ethan Brooks"),
)


def _remove_params(db: Query) -> Sequence[Params]:
    found = []
    for path, project, namespace, person in _REMOVED:
        member = db.execute(
            "SELECT a.full_name FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = ?"
            " AND a.full_name = ?",
            (_project(db, path), person),
        ).fetchall()
        if member:
            found.append({"path": path, "project": project, "namespace": namespace, "person": person})
    return found


def _remove_check(db: Query, p: Params) -> Check:
    (member,) = db.execute(
        "SELECT m.id FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = ?"
        " AND a.full_name = ?",
        (_project(db, p["path"]), p["person"]),
    ).fetchone()
    values = {"id": member}
    return _check(Change(table="project_member", op="delete", values=values))


def _remove(page: Page, p: Params) -> Solver:
    yield from open_listed_project(page, p["namespace"], p["project"])
    yield from side(page, "Members")
    yield from page.click(
        "button",
        f"Remove {p['person']}",
        what=f"the row of {p['person']}",
        say=(
            f"Press “Remove” in the row of {p['person']} and agree to the question.",
            f"Every row ends with a red button; take the one beside {p['person']}, and say yes when you are asked.",
        ),
    )
    yield from page.finish(
        say=(
            "The row is gone from the table of members.",
            "A message confirms who was removed, and the table is one row shorter.",
        )
    )


_ROLES = (
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Naomi Brown", "Reporter"),
    ("emma_l/recipe-box", "Recipe Box", "Emma Lopez", "Julia Peterson", "Maintainer"),
    ("emma_l/garden-log", "Garden Log", "Emma Lopez", "Leah Morgan", "Maintainer"),
    ("harbour-code/camp-site", "Camp Site", "Harbour Code", "Fumiko Mori", "Maintainer"),
)


def _role_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "namespace", "person", "role"), row, strict=True)) for row in _ROLES]


def _role_check(db: Query, p: Params) -> Check:
    (member,) = db.execute(
        "SELECT m.id FROM project_member m JOIN account a ON a.id = m.account_id WHERE m.project_id = ?"
        " AND a.full_name = ?",
        (_project(db, p["path"]), p["person"]),
    ).fetchone()
    change = Change(table="project_member", op="update", where={"id": member}, values={"role": p["role"]})
    return _check(change)


def _role(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Members")
    yield from page.select(
        f"Role of {p['person']}",
        p["role"],
        what=f"the row of {p['person']}",
        say=(
            f"Set the role in the row of {p['person']} to “{p['role']}”.",
            f"The column “Role” has a list for {p['person']}, which should show “{p['role']}”; it is stored at once.",
        ),
    )
    yield from page.finish(
        say=(
            "A green note repeats the name and the new role.",
            "The page has come back with the other role in the row, so it is stored.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.member_invite",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Invite {person} to {project} as {role}.",
            "{person} would like to help with {project}. Add them to its members in the role {role}.",
        ),
        params=_invite_params,
        check=_invite_check,
        solve=_invite,
        wrong_value=lambda db, p: {**p, "role": "Guest"},
    ),
    Template(
        id="gitlab.member_remove",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Take {person} off the members of {project}.",
            "{person} no longer works on {project}. Remove them from the project.",
        ),
        params=_remove_params,
        check=_remove_check,
        solve=_remove,
    ),
    Template(
        id="gitlab.member_role",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Make {person} {role} in {project}.",
            "From today {person} should have the role {role} in the project {project}. Change it.",
        ),
        params=_role_params,
        check=_role_check,
        solve=_role,
        wrong_value=lambda db, p: {**p, "role": "Guest" if p["person"] != "Naomi Brown" else "Developer"},
    ),
)
