"""Lists of saved places: making, renaming, deleting them."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.map_deeds import nav, open_list
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.tasks.templates.map_saved import list_id, state
from guideact.types import Change, Check

_LOGINS = {"map": EMMA_MAP}


# --- an empty list ------------------------------------------------------------------------------------------------


def _make_params(db: Query) -> Sequence[Params]:
    return [
        {"list": "Sunday walks", "text": "Along the water only."},
        {"list": "Gifts", "text": "Shops where I found something last time."},
        {"list": "With the children", "text": "Nothing that needs quiet."},
    ]


def _make_check(db: Query, p: Params) -> Check:
    values = {"member_id": 1, "name": {"~": p["list"]}, "description": {"~": p["text"]}}
    return state(Change(table="place_list", op="insert", values=values))


def _make(page: Page, p: Params) -> Solver:
    yield from nav(page, "Saved places")
    yield from page.type(
        "Name",
        p["list"],
        say=(
            f"Under “New list”, type “{p['list']}” as the name.",
            f"At the end of the page is a form for a further list. Its name is to be “{p['list']}”.",
        ),
    )
    yield from page.type(
        "Description",
        p["text"],
        say=(
            f"Describe it as “{p['text']}”",
            f"What the list is for goes into the lower field: “{p['text']}”",
        ),
    )
    yield from page.click(
        "button",
        "Make list",
        say=(
            "Press “Make list”.",
            "The green button under the two fields makes the list and opens it.",
        ),
    )
    yield from page.finish(
        say=(
            "The empty list has opened under its new name, so it exists.",
            "You see the title you typed and a remark that nothing is saved here yet: done.",
        )
    )


# --- a whole list -------------------------------------------------------------------------------------------------


def _delete_params(db: Query) -> Sequence[Params]:
    return [{"list": name} for name in ("To be sorted", "Rainy afternoons", "Coffee and cake")]


def _delete_check(db: Query, p: Params) -> Check:
    number = list_id(db, p["list"])
    (size,) = db.execute("SELECT COUNT(*) FROM saved_place WHERE list_id = ?", (number,)).fetchone()
    return state(
        Change(table="place_list", op="delete", where={"id": number}),
        Change(table="saved_place", op="delete", where={"list_id": number}, count=size),
    )


def _delete(page: Page, p: Params) -> Solver:
    yield from nav(page, "Saved places")
    yield from page.click(
        "button",
        f"Delete list {p['list']}",
        say=(
            f"Use the bin on the card of “{p['list']}”, and confirm that you mean it.",
            f"Each list has a bin at its right edge; after a click on that of “{p['list']}” agree to deleting it.",
        ),
    )
    yield from _deleted(page)


def _delete_inside(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from page.click(
        "button",
        "Delete list",
        say=(
            "Go to “Delete list” at the end of the list and confirm it.",
            "Under the last place is a red button for the list as a whole, which asks once more.",
        ),
    )
    yield from _deleted(page)


def _deleted(page: Page) -> Solver:
    yield from page.finish(
        say=(
            "Its card is gone from the page “Saved places”.",
            "A note confirms that the list was deleted; nothing else is needed.",
        )
    )


# --- another name -------------------------------------------------------------------------------------------------


def _rename_params(db: Query) -> Sequence[Params]:
    return [
        {"list": "Lamp Week", "name": "Helsinki in April"},
        {"list": "To be sorted", "name": "Odds and ends"},
        {"list": "Rainy afternoons", "name": "Indoors"},
    ]


def _rename_check(db: Query, p: Params) -> Check:
    values = {"name": {"~": p["name"]}, "is_public": 1}
    return state(Change(table="place_list", op="update", where={"id": list_id(db, p["list"])}, values=values))


def _rename(page: Page, p: Params) -> Solver:
    yield from nav(page, "Saved places")
    yield from page.click(
        "link",
        f"Edit list {p['list']}",
        say=(
            f"Open the form of “{p['list']}” with the pencil on its card.",
            f"The pencil at the right of “{p['list']}” is for changing its name and more.",
        ),
    )
    yield from _rename_opened(page, p)


def _rename_inside(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from page.click(
        "link",
        "Edit list",
        say=(
            "Press “Edit list” under the title.",
            "The list has a button with a pencil, “Edit list”, near the top.",
        ),
    )
    yield from _rename_opened(page, p)


def _rename_opened(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Name",
        p["name"],
        say=(
            f"Change the name to “{p['name']}”.",
            f"The first field holds the old name; let it read “{p['name']}”.",
        ),
    )
    yield from page.click(
        "checkbox",
        "Anybody may see this list",
        say=(
            "Tick “Anybody may see this list” to make it public.",
            "A check box decides who sees the list. Switch it on.",
        ),
    )
    yield from page.click(
        "button",
        "Save list",
        say=(
            "Keep both changes with “Save list”.",
            "Finish the form by pressing “Save list” below it.",
        ),
    )
    yield from page.finish(
        say=(
            "The list comes back with its new title and the word “Public”.",
            "Under the heading it now says that the list is public; that is how you know.",
        )
    )


TEMPLATES = (
    Template(
        id="map.list_make",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Make an empty list “{list}” among my saved places, described as “{text}”",
            "I need another list of places: name “{list}”, description “{text}”",
        ),
        params=_make_params,
        check=_make_check,
        solve=_make,
        wrong_value=lambda db, p: {**p, "text": "To be described."},
    ),
    Template(
        id="map.list_delete",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Delete my list “{list}” of saved places.",
            "Get rid of the whole list “{list}” on the map.",
        ),
        params=_delete_params,
        check=_delete_check,
        solve=_delete,
        second_route=_delete_inside,
    ),
    Template(
        id="map.list_rename",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Rename my list “{list}” to “{name}” and make it public.",
            "My list “{list}” should be called “{name}” and be visible to anybody.",
        ),
        params=_rename_params,
        check=_rename_check,
        solve=_rename,
        second_route=_rename_inside,
        wrong_value=lambda db, p: {**p, "name": "Untitled"},
    ),
)
