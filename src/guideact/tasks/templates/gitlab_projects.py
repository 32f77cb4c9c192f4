"""Projects begun, forked and released."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.gitlab.content_files import digest
from guideact.tasks.gitlab_deeds import choose, fill, open_project, save, side
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_GITLAB, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_SITES = ("gitlab",)
_START = "__GITLAB__/"
_LOGINS = {"gitlab": EMMA_GITLAB}


def _project(db: Query, path: str) -> int:
    (number,) = db.execute("SELECT id FROM project WHERE full_path = ?", (path,)).fetchone()
    return int(number)


def _check(*required: Change, allowed: tuple[Change, ...] = ()) -> Check:
    return Check(state=(StateCheck(site="gitlab", required=required, allowed=allowed),))


# --- a new project --------------------------------------------------------------------------------------------------

_NEW = (
    ("Bread Diary", "bread-diary", "Flour, water, time.", "Public"),
    ("Trail Notes", "trail-notes", "Where the path is muddy.", "Internal"),
    ("Tax Papers", "tax-papers", "A folder for every year.", "Private"),
    ("Bird Table", "bird-table", "Who came for breakfast.", "Public"),
)


_OWNED = {"project_id": {"new": "project"}, "account_id": 1, "role": "Owner"}


def _new_params(db: Query) -> Sequence[Params]:
    rows = [dict(zip(("name", "slug", "text", "visibility"), row, strict=True)) for row in _NEW]
    return [{**row, "level": row["visibility"].lower()} for row in rows]


def _new_check(db: Query, p: Params) -> Check:
    readme = digest(f"# {p['name']}\n\n{p['text']}\n")
    return _check(
        Change(
            table="project",
            op="insert",
            values={
                "namespace_id": _emmas(db),
                "path": p["slug"],
                "full_path": f"emma_l/{p['slug']}",
                "name": {"~": p["name"]},
                "description": {"~": p["text"]},
                "visibility": p["level"],
            },
        ),
        Change(table="project_member", op="insert", values=_OWNED),
        Change(
            table="file_change",
            op="insert",
            values={"revision_id": {"new": "revision"}, "path": "README.md", "blob": readme},
        ),
        allowed=(
            Change(table="blob", op="insert", values={"hash": readme}),
            Change(table="revision", op="insert", values={"title": "First commit"}),
            Change(table="branch", op="insert", values={"name": "main"}),
        ),
    )


def _new_form(page: Page, p: Params) -> Solver:
    yield from fill(page, "Project name", p["name"], where="at the top of the form")
    yield from fill(page, "Description", p["text"], where="below the address")
    yield from page.click(
        "radio",
        p["visibility"],
        say=(
            f"Mark “{p['visibility']}” under “Visibility”.",
            f"Of the three levels at the end of the form, “{p['visibility']}” is the one you want.",
        ),
    )
    yield from save(page, "Create project")
    yield from page.finish(
        say=(
            "The new project's own page is open, with a README as its only file.",
            "A note names the project that was created; you need not add anything.",
        )
    )


def _new(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "New project",
        say=(
            "Press “New project” at the top right of your list.",
            "The start page has a green button for this in its upper right corner, “New project”.",
        ),
    )
    yield from _new_form(page, p)


def _new_by_plus(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Create new",
        say=(
            "Press the plus sign in the header.",
            "New things begin behind the plus sign of the dark bar, “Create new”.",
        ),
    )
    yield from page.click(
        "link",
        "New project",
        near="New snippet",
        say=("Choose “New project” from the menu.", "The first entry of the small menu is “New project”; take it."),
    )
    yield from _new_form(page, p)


# --- a fork ---------------------------------------------------------------------------------------------------------

_FORKS = (
    ("slow-kettle/steep-timer", "Steep Timer", "My Steep Timer"),
    ("hwalsh/crossword", "Crossword", "Crossword for Sundays"),
    ("toolo-bikes/spoke-calculator", "Spoke Calculator", "Spokes"),
)


def _fork_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "name"), row, strict=True)) for row in _FORKS]


def _fork_check(db: Query, p: Params) -> Check:
    values = {"forked_from_id": _project(db, p["path"]), "name": {"~": p["name"]}, "namespace_id": _emmas(db)}
    # Whoever gives a fork another name may well give it another address too.
    values["path"] = "*"
    return _check(
        Change(table="project", op="insert", values=values),
        Change(table="project_member", op="insert", values=_OWNED),
        allowed=tuple(Change(table=table, op="insert", count=None) for table in ("revision", "file_change", "branch")),
    )


def _emmas(db: Query) -> int:
    (number,) = db.execute("SELECT id FROM namespace WHERE account_id = 1").fetchone()
    return int(number)


def _fork(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from page.click(
        "link",
        "Fork",
        say=(
            "Press “Fork” beside the name of the project.",
            "A copy of your own is made by “Fork”, the button between the star and “Clone”.",
        ),
    )
    yield from fill(page, "Project name", p["name"], where="in the short form")
    yield from save(page, "Fork project")
    yield from page.finish(
        say=(
            "The page that opens belongs to you, and says under the name what it was forked from.",
            "A line with “Forked from” shows that the copy is there.",
        )
    )


# --- a tag and its release ------------------------------------------------------------------------------------------

_RELEASES = (
    (
        "harbour-code/tidewater",
        "Harbour Code's Tidewater",
        "v0.9.0",
        "Tidewater 0.9.0",
        "Schedules and a pause button.",
    ),
    ("harbour-code/lantern", "Lantern", "v1.1", "Lantern 1.1", "Better errors."),
    ("emma_l/recipe-box", "Recipe Box", "spring-2026", "Spring menu 2026", "Six green dishes."),
    ("harbour-code/signal-flags", "Signal Flags", "0.2", "Signal Flags 0.2", "G to J are in."),
)


def _release_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "tag", "title", "text"), row, strict=True)) for row in _RELEASES]


def _release_check(db: Query, p: Params) -> Check:
    project = _project(db, p["path"])
    (head,) = db.execute("SELECT revision_id FROM branch WHERE project_id = ? AND name = 'main'", (project,)).fetchone()
    return _check(
        Change(table="tag", op="insert", values={"project_id": project, "name": p["tag"], "revision_id": head}),
        Change(
            table="release",
            op="insert",
            values={
                "project_id": project,
                "tag_id": {"new": "tag"},
                "title": {"~": p["title"]},
                "body": {"~": p["text"]},
            },
        ),
    )


def _release(page: Page, p: Params) -> Solver:
    yield from open_project(page, p["path"])
    yield from side(page, "Tags")
    yield from page.click(
        "button",
        "New tag",
        say=(
            "Press “New tag”.",
            "A release needs a tag first, and “New tag” at the top right unfolds the form for one.",
        ),
    )
    yield from fill(page, "Tag name", p["tag"], where="in the form that has opened")
    yield from choose(page, "Create from", "main", where="beside the name")
    yield from save(page, "Create tag")
    yield from side(page, "Releases")
    yield from page.click(
        "link",
        "New release",
        say=(
            "Press “New release”.",
            "With the tag in place, “New release” in the upper right corner leads to the next form.",
        ),
    )
    yield from choose(page, "Tag", p["tag"], where="at the top of the form")
    yield from fill(page, "Release title", p["title"], where="below the tag")
    yield from fill(page, "Release notes", p["text"], where="in the lower part of the form")
    yield from save(page, "Create release")
    yield from page.finish(
        say=(
            "The release heads the list, with its tag and your notes.",
            "Title, tag and notes are all shown in the first box of the list: it is out.",
        )
    )


TEMPLATES = (
    Template(
        id="gitlab.project_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Start a project “{name}” in my own namespace, visibility {level}, described as “{text}”, with a README.",
            "I need a new project of my own on the forge: “{name}”, {level}, description “{text}”. It should begin "
            "with a README.",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        second_route=_new_by_plus,
        wrong_value=lambda db, p: {**p, "visibility": "Private" if p["visibility"] != "Private" else "Public"},
    ),
    Template(
        id="gitlab.fork",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Fork the project {project} and call your copy “{name}”.",
            "I would like to have my own copy of {project} ({path}), named “{name}”. Fork it.",
        ),
        params=_fork_params,
        check=_fork_check,
        solve=_fork,
        wrong_value=lambda db, p: {**p, "name": "Copy"},
    ),
    Template(
        id="gitlab.release_new",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "Tag the main branch of {project} as {tag}, and publish a release “{title}” for that tag with the notes "
            "“{text}”",
            "{project} is ready: make the tag {tag} from main and then a release of it, titled “{title}”, whose notes "
            "say “{text}”",
        ),
        params=_release_params,
        check=_release_check,
        solve=_release,
        wrong_value=lambda db, p: {**p, "text": "No notes."},
    ),
)
