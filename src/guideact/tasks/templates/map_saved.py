"""Saved places: keeping, noting, moving them, and what their markers look like."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.map_deeds import open_list, open_place, suggested
from guideact.tasks.map_survey import named, places
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_LOGINS = {"map": EMMA_MAP}
_LISTS = ("Lamp Week", "Coffee and cake", "Rainy afternoons", "To be sorted")


def list_id(db: Query, name: str) -> int:
    found: int = db.execute("SELECT id FROM place_list WHERE member_id = 1 AND name = ?", (name,)).fetchone()[0]
    return found


def _saved_id(db: Query, name: str, place: str) -> int:
    found: int = db.execute(
        "SELECT id FROM saved_place WHERE list_id = ? AND place = ?", (list_id(db, name), named(place)["id"])
    ).fetchone()[0]
    return found


def state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="map", required=required),))


def _open_dialog(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Save",
        say=(
            "Press “Save”, the button with the ribbon.",
            "Next to “Directions” is a button for keeping the place, “Save”; a small window opens.",
        ),
    )


def _confirm(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Save place",
        say=(
            "Confirm with “Save place” at the foot of the small window.",
            "The place is kept once you click “Save place”; a green note names the list.",
        ),
    )
    yield from page.finish(
        say=(
            "The note above the map says where the place was saved, so the job is complete.",
            "A green message has confirmed it. Nothing else is left.",
        )
    )


def _note(page: Page, note: str) -> Solver:
    yield from page.type(
        "Note",
        note,
        say=(
            f"Write “{note}” into “Note”.",
            f"The large field of the window is for your own words. Here they are “{note}”.",
        ),
    )


# --- a place into a list ------------------------------------------------------------------------------------------


def _save_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Slow Kettle Tea Room", "list": "Lamp Week", "note": "Tea after the fair"},
        {"place": "Cafe Esplanad", "list": "Coffee and cake", "note": "Cinnamon buns"},
        {"place": "Päivälehden museo", "list": "Rainy afternoons", "note": "Small, next to the Erottaja hill"},
        {"place": "Decibel Listening Room", "list": "Lamp Week", "note": "Bring the blue record"},
    ]


def _save_check(db: Query, p: Params) -> Check:
    values = {
        "list_id": list_id(db, p["list"]),
        "place": named(p["place"])["id"],
        "note": {"~": p["note"]},
        "colour": "blue",
    }
    return state(Change(table="saved_place", op="insert", values=values))


def _save(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _save_opened(page, p)


def _save_suggested(page: Page, p: Params) -> Solver:
    yield from suggested(page, p["place"], p["place"])
    yield from _save_opened(page, p)


def _save_opened(page: Page, p: Params) -> Solver:
    yield from _open_dialog(page)
    yield from page.select(
        "List",
        p["list"],
        say=(
            f"Set “List” to “{p['list']}”.",
            f"All your lists are offered in the first field; “{p['list']}” is the one for this place.",
        ),
    )
    yield from _note(page, p["note"])
    yield from _confirm(page)


# --- a place into a new list --------------------------------------------------------------------------------------


def _fresh_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Trailhead Outpost", "list": "Before the hike", "note": "Ask for the map of Nuuksio"},
        {"place": "Volta Repair Desk", "list": "Things to mend", "note": "The kettle"},
        {"place": "Töölö Bicycle Workshop", "list": "On two wheels", "note": "Closed on Mondays"},
    ]


def _fresh_check(db: Query, p: Params) -> Check:
    (number,) = db.execute("SELECT MAX(id) + 1 FROM place_list").fetchone()
    place = {"list_id": number, "place": named(p["place"])["id"], "note": {"~": p["note"]}}
    return state(
        Change(table="place_list", op="insert", values={"id": number, "member_id": 1, "name": {"~": p["list"]}}),
        Change(table="saved_place", op="insert", values=place),
    )


def _fresh(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _open_dialog(page)
    yield from page.type(
        "Or make a new list",
        p["list"],
        say=(
            f"Name the new list “{p['list']}” in the second field.",
            f"As the list does not exist yet, “{p['list']}” goes into “Or make a new list”.",
        ),
    )
    yield from _note(page, p["note"])
    yield from _confirm(page)


# --- another note -------------------------------------------------------------------------------------------------


def _edit(page: Page, place: str) -> Solver:
    yield from page.click(
        "link",
        f"Edit {place}",
        say=(
            f"Click the pencil in the row of “{place}”.",
            f"Each saved place has a pencil at the right; the one beside “{place}” opens its form.",
        ),
    )


def _keep(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Save changes",
        say=(
            "Store it with “Save changes”.",
            "Below the form is “Save changes”; only after a click on it the change is kept.",
        ),
    )
    yield from page.finish(
        say=(
            "You are back in the list, and a green note says that the place was changed.",
            "The list shows how it is now. That is all.",
        )
    )


def _words_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Cable Hall", "list": "Lamp Week", "note": "Tickets are on my phone now"},
        {"place": "Ateneum", "list": "Rainy afternoons", "note": "Ask for the audio guide"},
        {"place": "Cafe Ekberg", "list": "Coffee and cake", "note": "Reserve a table by the window"},
        {"place": "Nordvik House", "list": "Lamp Week", "note": "Second floor for the linen"},
    ]


def _words_check(db: Query, p: Params) -> Check:
    saved = _saved_id(db, p["list"], p["place"])
    return state(Change(table="saved_place", op="update", where={"id": saved}, values={"note": {"~": p["note"]}}))


def _words(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from _edit(page, p["place"])
    yield from page.type(
        "Note",
        p["note"],
        say=(
            f"Replace the note by “{p['note']}”.",
            f"In the field “Note” the old words give way to “{p['note']}”.",
        ),
    )
    yield from _keep(page)


# --- another list -------------------------------------------------------------------------------------------------


def _move_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Erottajan Apteekki", "list": "To be sorted", "target": "Lamp Week"},
        {"place": "Slow Kettle Tea Room", "list": "Coffee and cake", "target": "Rainy afternoons"},
        {"place": "Cafeo Espresso Bar", "list": "Lamp Week", "target": "Coffee and cake"},
    ]


def _move_check(db: Query, p: Params) -> Check:
    saved = _saved_id(db, p["list"], p["place"])
    target = list_id(db, p["target"])
    return state(Change(table="saved_place", op="update", where={"id": saved}, values={"list_id": target}))


def _move(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from _edit(page, p["place"])
    yield from page.select(
        "List",
        p["target"],
        say=(
            f"Choose “{p['target']}” in the field “List”.",
            f"Which list it belongs to is set below the colours. Change it to “{p['target']}”.",
        ),
    )
    yield from _keep(page)


# --- another colour -----------------------------------------------------------------------------------------------


def _paint_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Lumo Market Store", "list": "Lamp Week", "colour": "yellow"},
        {"place": "Kiasma", "list": "Rainy afternoons", "colour": "purple"},
        {"place": "Cafe Engel", "list": "Coffee and cake", "colour": "orange"},
    ]


def _paint_check(db: Query, p: Params) -> Check:
    saved = _saved_id(db, p["list"], p["place"])
    return state(Change(table="saved_place", op="update", where={"id": saved}, values={"colour": p["colour"]}))


def _paint(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from _edit(page, p["place"])
    yield from page.click(
        "radio",
        p["colour"].capitalize(),
        say=(
            f"Pick “{p['colour'].capitalize()}” under “Marker colour”.",
            f"Six colours are offered for the pin on the map, and “{p['colour'].capitalize()}” is wanted.",
        ),
    )
    yield from _keep(page)


# --- out of a list ------------------------------------------------------------------------------------------------


def _drop_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Amos Rex", "list": "Rainy afternoons"},
        {"place": "Café Strindberg", "list": "Coffee and cake"},
        {"place": "Helsingin keskustakirjasto Oodi", "list": "Lamp Week"},
    ]


def _drop_check(db: Query, p: Params) -> Check:
    return state(Change(table="saved_place", op="delete", where={"id": _saved_id(db, p["list"], p["place"])}))


def _drop(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from page.click(
        "button",
        f"Remove {p['place']}",
        say=(
            f"Click the bin beside “{p['place']}” and agree to the question.",
            f"To take “{p['place']}” out, use the bin at the right end of its row; a question comes up first.",
        ),
    )
    yield from page.finish(
        say=(
            "The place has gone from the list, as the green note says.",
            "One entry fewer is listed now, which is what you wanted.",
        )
    )


# --- what only the map shows --------------------------------------------------------------------------------------


def _pin_params(db: Query) -> Sequence[Params]:
    """`name` is what the eye finds: the place whose pin has the colour."""
    return [
        {"list": "Lamp Week", "hue": "green", "name": "Lumo Market Store"},
        {"list": "Lamp Week", "hue": "purple", "name": "Helsingin keskustakirjasto Oodi"},
        {"list": "Rainy afternoons", "hue": "orange", "name": "Ateneum"},
        {"list": "Coffee and cake", "hue": "yellow", "name": "Slow Kettle Tea Room"},
    ]


def _pin_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT place FROM saved_place WHERE list_id = ? AND colour = ?", (list_id(db, p["list"]), p["hue"])
    ).fetchall()
    (row,) = rows
    return Check(answer=AnswerCheck(kind="text", expected=(places()[row["place"]]["name"],)))


def _pin(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from page.click(
        "link",
        f": {p['name']}",
        what="the right pin on the map",
        say=(
            f"Look at the pins on the map for the {p['hue']} one and click it.",
            f"Only one of the pins is {p['hue']}. Its page opens with a click, and so you learn what it is.",
        ),
    )
    yield from page.finish(
        p["name"],
        say=(
            "The heading of the page that has opened is the name asked for.",
            "You are on the page of that place; answer with its title.",
        ),
    )


TEMPLATES = (
    Template(
        id="map.save_place",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Save {place} to my list “{list}” with the note “{note}”.",
            "Put {place} on the list “{list}” for me. Note: “{note}”.",
        ),
        params=_save_params,
        check=_save_check,
        solve=_save,
        second_route=_save_suggested,
        wrong_value=lambda db, p: {**p, "note": "Nothing special"},
    ),
    Template(
        id="map.save_to_new_list",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Start a new list called “{list}” with {place} in it, noting “{note}”.",
            "Save {place} to a list that I do not have yet, “{list}”, with the note “{note}”.",
        ),
        params=_fresh_params,
        check=_fresh_check,
        solve=_fresh,
        wrong_value=lambda db, p: {**p, "list": "Miscellaneous"},
    ),
    Template(
        id="map.note_change",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "In my list “{list}”, change the note of {place} to “{note}”.",
            "The note at {place} in “{list}” is out of date. Let it say “{note}”.",
        ),
        params=_words_params,
        check=_words_check,
        solve=_words,
        wrong_value=lambda db, p: {**p, "note": "No note"},
    ),
    Template(
        id="map.saved_move",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Move {place} from my list “{list}” to “{target}”.",
            "{place} does not belong in “{list}”. Put it into “{target}” instead.",
        ),
        params=_move_params,
        check=_move_check,
        solve=_move,
        wrong_value=lambda db, p: {**p, "target": next(n for n in _LISTS if n not in (p["list"], p["target"]))},
    ),
    Template(
        id="map.saved_colour",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Make the marker of {place} in my list “{list}” {colour}.",
            "In “{list}”, the marker of {place} should be {colour}.",
        ),
        params=_paint_params,
        check=_paint_check,
        solve=_paint,
        wrong_value=lambda db, p: {**p, "colour": "red"},
    ),
    Template(
        id="map.saved_remove",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Remove {place} from my list “{list}”.",
            "I no longer want {place} in “{list}”. Take it out, please.",
        ),
        params=_drop_params,
        check=_drop_check,
        solve=_drop,
    ),
    Template(
        id="map.pin_colour",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "In my list “{list}”, which place has the {hue} pin on the map?",
            "One pin of my list “{list}” is {hue}. Which place does it stand for?",
        ),
        params=_pin_params,
        check=_pin_check,
        solve=_pin,
        picture=True,
    ),
)
