"""Longer work on the map: planning a day, comparing ways, tidying a list, changing several things at once."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.map_deeds import account, end_at, go, nav, open_list, open_place, start_at, tab, travel
from guideact.tasks.map_survey import kilometres, minutes, named, way
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_LOGINS = {"map": EMMA_MAP}
_MODES = {"car": "Car", "bicycle": "Bicycle", "foot": "On foot"}


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="map", required=required),))


def _own_list(db: Query, name: str) -> int:
    found: int = db.execute("SELECT id FROM place_list WHERE member_id = 1 AND name = ?", (name,)).fetchone()[0]
    return found


def _saved(db: Query, name: str, place: str) -> int:
    found: int = db.execute(
        "SELECT id FROM saved_place WHERE list_id = ? AND place = ?", (_own_list(db, name), named(place)["id"])
    ).fetchone()[0]
    return found


# --- three places into a new list ---------------------------------------------------------------------------------


def _trip_params(db: Query) -> Sequence[Params]:
    return [
        {"list": "Saturday", "first": "Papier Corner", "second": "Amos Rex", "third": "Slow Kettle Tea Room"},
        {"list": "For my brother", "first": "Trailhead Outpost", "second": "Volta Repair Desk", "third": "Ateneum"},
        {"list": "Rain plan", "first": "Kiasma", "second": "Decibel Listening Room", "third": "Cafe Engel"},
        {"list": "Work visit", "first": "Harbour Code", "second": "Vanha Kauppahalli", "third": "Cable Hall"},
    ]


def _trip_check(db: Query, p: Params) -> Check:
    (number,) = db.execute("SELECT MAX(id) + 1 FROM place_list").fetchone()
    return _state(
        Change(table="place_list", op="insert", values={"id": number, "member_id": 1, "name": {"~": p["list"]}}),
        *(
            Change(
                table="saved_place",
                op="insert",
                values={"list_id": number, "place": named(p[part])["id"], "note": ""},
            )
            for part in ("first", "second", "third")
        ),
    )


def _trip(page: Page, p: Params) -> Solver:
    for part in ("first", "second", "third"):
        yield from open_place(page, p[part])
        yield from page.click(
            "button",
            "Save",
            say=(
                f"Press “Save” on the page of “{p[part]}”.",
                "The button with the ribbon opens a small window for keeping the place.",
            ),
        )
        if part == "first":
            yield from page.type(
                "Or make a new list",
                p["list"],
                say=(
                    f"Type “{p['list']}” where a new list can be named.",
                    f"No list of that name exists so far, so let the lower field read “{p['list']}”.",
                ),
            )
        else:
            yield from page.select(
                "List",
                p["list"],
                say=(
                    f"This time “{p['list']}” is in the list of lists; choose it.",
                    f"The list made a moment ago is offered now: set the first field to “{p['list']}”.",
                ),
            )
        yield from page.click(
            "button",
            "Save place",
            say=(
                f"Confirm “{p[part]}” with “Save place”.",
                "With “Save place” the window closes, and a green note repeats what was done.",
            ),
        )
    yield from page.finish(
        say=(
            "All three places have been confirmed by a note, the last one just now.",
            "The third green note was the last that is needed.",
        )
    )


def _beside_print(page: Page, pattern: str) -> str:
    """What the line with the totals of a route says."""
    row = page.find_all("button", "Print")[0].box.centre[1]
    lines = [line.text for line in page.lines() if abs(line.box.centre[1] - row) < 14]
    found = [match.group(1) for text in lines if (match := re.fullmatch(pattern, text))]
    if not found:
        raise page.stuck(f"nothing like {pattern!r} beside “Print”", lines)
    return found[0]


# --- which of three is nearest by road ----------------------------------------------------------------------------


def _which_params(db: Query) -> Sequence[Params]:
    return [
        {"start": "Lumo Market Store", "a": "Cafe Engel", "b": "Ateneum", "c": "Volta Repair Desk"},
        {"start": "Trailhead Outpost", "a": "Cafe Engel", "b": "Papier Corner", "c": "Cafeo Espresso Bar"},
        {"start": "Harbour Code", "a": "Kampin kappeli", "b": "Papier Corner", "c": "Cable Hall"},
        {"start": "Töölö Bicycle Workshop", "a": "Kampin kappeli", "b": "Nordvik House", "c": "Ateneum"},
    ]


def _which_check(db: Query, p: Params) -> Check:
    times = {p[part]: minutes(way("foot", p["start"], p[part])[1]) for part in ("a", "b", "c")}
    least = min(times.values())
    (best,) = [name for name, time in times.items() if time == least]
    return Check(answer=AnswerCheck(kind="text", expected=(best,)))


def _which(page: Page, p: Params) -> Solver:
    yield from nav(page, "Directions")
    yield from travel(page, "On foot")
    yield from start_at(page, p["start"])
    times: dict[str, int] = {}
    for part in ("a", "b", "c"):
        yield from page.reach("combobox", "Destination", direction="up")
        yield from end_at(page, p[part])
        yield from go(page)
        yield from page.reach("button", "Print", what="the line with the whole time and distance")
        times[p[part]] = int(_beside_print(page, r"(\d+) min"))
    yield from page.finish(
        min(times, key=lambda name: times[name]),
        say=(
            "Compare the three times you have seen; the place with the least is the answer.",
            "Having noted the minutes of each walk, name the destination of the shortest.",
        ),
    )


# --- a walk with two stops ----------------------------------------------------------------------------------------


def _ride(mode: str, *stops: str) -> Params:
    how = {"car": "by car", "bicycle": "by bicycle", "foot": "on foot"}[mode]
    return {"mode": mode, "how": how, **dict(zip(("start", "one", "two", "end"), stops, strict=True))}


def _round_params(db: Query) -> Sequence[Params]:
    return [
        _ride("foot", "Lumo Market Store", "Nordvik House", "Cafeo Espresso Bar", "Trailhead Outpost"),
        _ride("foot", "Kiasma", "Ateneum", "Cafe Engel", "Harbour Code"),
        _ride("bicycle", "Töölö Bicycle Workshop", "Papier Corner", "Esplanadi Reading Room", "Vanha kirkko"),
        _ride("car", "Slow Kettle Tea Room", "Cable Hall", "Kampin kappeli", "Decibel Listening Room"),
    ]


def _round_check(db: Query, p: Params) -> Check:
    metres, _ = way(p["mode"], p["start"], p["one"], p["two"], p["end"])
    return Check(answer=AnswerCheck(kind="number", expected=(kilometres(metres),)))


def _round(page: Page, p: Params) -> Solver:
    yield from nav(page, "Directions")
    yield from travel(page, _MODES[p["mode"]])
    yield from start_at(page, p["start"])
    yield from end_at(page, p["end"])
    for number, part in enumerate(("one", "two"), 1):
        yield from page.click(
            "button",
            "Add a stop",
            say=(
                ("Make room for a place on the way with “Add a stop”.", "Ask for another field by “Add a stop” again.")[
                    number - 1
                ],
                "“Add a stop”, below the fields, puts one more of them before the destination.",
            ),
        )
        yield from page.type(
            f"Stop {number}",
            p[part],
            say=(
                f"Enter “{p[part]}” as stop {number}.",
                f"The new field is for “{p[part]}”, which lies on the way.",
            ),
        )
    yield from go(page)
    yield from page.reach("button", "Print", what="the line with the whole time and distance")
    yield from page.finish(
        _beside_print(page, r"(\d+\.\d) km"),
        say=(
            "The first card tells the length of the whole way beside the time; report it.",
            "Under “Routes” the quickest way comes first, and its kilometres are the answer.",
        ),
    )


# --- a list put in order ------------------------------------------------------------------------------------------


def _tidy_params(db: Query) -> Sequence[Params]:
    return [
        {
            "list": "Lamp Week",
            "noted": "Cable Hall",
            "note": "Doors open at noon",
            "painted": "Nordvik House",
            "colour": "purple",
            "dropped": "Cafeo Espresso Bar",
        },
        {
            "list": "Coffee and cake",
            "noted": "Cafe Ekberg",
            "note": "Since 1852",
            "painted": "Café Strindberg",
            "colour": "green",
            "dropped": "Cafe Engel",
        },
        {
            "list": "Rainy afternoons",
            "noted": "Kiasma",
            "note": "Start on the top floor",
            "painted": "Ateneum",
            "colour": "red",
            "dropped": "Esplanadi Reading Room",
        },
    ]


def _tidy_check(db: Query, p: Params) -> Check:
    noted, painted = (_saved(db, p["list"], p[part]) for part in ("noted", "painted"))
    return _state(
        Change(table="saved_place", op="update", where={"id": noted}, values={"note": {"~": p["note"]}}),
        Change(table="saved_place", op="update", where={"id": painted}, values={"colour": p["colour"]}),
        Change(table="saved_place", op="delete", where={"id": _saved(db, p["list"], p["dropped"])}),
    )


def _edit(page: Page, place: str) -> Solver:
    yield from page.click(
        "link",
        f"Edit {place}",
        say=(
            f"Open “{place}” for editing with the pencil in its row.",
            f"At the right end of the row of “{place}” is a pencil. Click it.",
        ),
    )


def _keep(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Save changes",
        say=(
            "Keep it by “Save changes”; the list comes back.",
            "Press “Save changes” under the form before you go on.",
        ),
    )


def _tidy(page: Page, p: Params) -> Solver:
    yield from open_list(page, p["list"])
    yield from _edit(page, p["noted"])
    yield from page.type(
        "Note",
        p["note"],
        say=(
            f"Let the note say “{p['note']}”.",
            f"What is in the field “Note” gives way to “{p['note']}”.",
        ),
    )
    yield from _keep(page)
    yield from _edit(page, p["painted"])
    yield from page.click(
        "radio",
        p["colour"].capitalize(),
        say=(
            f"Mark “{p['colour'].capitalize()}” among the colours.",
            f"The pin of this place is to be “{p['colour'].capitalize()}”, which is one of six choices.",
        ),
    )
    yield from _keep(page)
    yield from page.click(
        "button",
        f"Remove {p['dropped']}",
        say=(
            f"Take “{p['dropped']}” out with the bin beside it, and agree when asked.",
            f"The bin in the row of “{p['dropped']}” removes it, after a question.",
        ),
    )
    yield from page.finish(
        say=(
            "The list has the new note, and one place fewer; the pins show the new colour.",
            "All three changes are made, as the list and the map beside it show.",
        )
    )


# --- kept and reviewed --------------------------------------------------------------------------------------------


def _both_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Papier Corner", "list": "Rainy afternoons", "stars": 4, "text": "Good paper, small shop."},
        {
            "place": "Trailhead Outpost",
            "list": "To be sorted",
            "stars": 5,
            "text": "They let me try the boots on a rock.",
        },
        {"place": "Slow Kettle Tea Room", "list": "Lamp Week", "stars": 3, "text": "Lovely tea, hard chairs."},
    ]


def _both_check(db: Query, p: Params) -> Check:
    place = named(p["place"])["id"]
    return _state(
        Change(table="saved_place", op="insert", values={"list_id": _own_list(db, p["list"]), "place": place}),
        Change(
            table="review",
            op="insert",
            values={"place": place, "member_id": 1, "rating": p["stars"], "body": {"~": p["text"]}},
        ),
    )


def _both(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from page.click(
        "button",
        "Save",
        say=(
            "First keep the place: “Save”, next to “Directions”.",
            "One of the buttons under the name reads “Save”, and it opens a small window.",
        ),
    )
    yield from page.select(
        "List",
        p["list"],
        say=(
            f"Pick “{p['list']}” as the list to keep it in.",
            f"Have the field “List” show “{p['list']}”.",
        ),
    )
    yield from page.click(
        "button",
        "Save place",
        say=(
            "Press “Save place”; you stay with this place.",
            "The lower button “Save place” stores it and closes the window.",
        ),
    )
    yield from tab(page, "Reviews")
    yield from page.click(
        "radio",
        f"{p['stars']} stars",
        say=(
            f"Give {p['stars']} stars in the form.",
            f"Under “Your rating”, the choice is “{p['stars']} stars”.",
        ),
    )
    yield from page.type(
        "Your review",
        p["text"],
        say=(
            f"Add the words “{p['text']}”",
            f"In the large field below the stars write “{p['text']}”",
        ),
    )
    yield from page.click(
        "button",
        "Post review",
        say=(
            "Hand the review in by “Post review”.",
            "It is published when you press the green button “Post review”.",
        ),
    )
    yield from page.finish(
        say=(
            "Saved and reviewed: two green notes have confirmed it.",
            "The review stands on the page now, and the place is in the list. Stop here.",
        )
    )


# --- all the settings ---------------------------------------------------------------------------------------------


def _all_params(db: Query) -> Sequence[Params]:
    return [
        {"city": "Portland", "name": "Emma R. Lopez", "mode": "bicycle", "how": "by bicycle"},
        {"city": "Tampere", "name": "E. Lopez", "mode": "car", "how": "by car"},
        {"city": "Lisboa", "name": "Emma Lopez-Reed", "mode": "bicycle", "how": "by bicycle"},
    ]


def _all_check(db: Query, p: Params) -> Check:
    values = {
        "full_name": p["name"],
        "city": p["city"],
        "units": "miles",
        "travel_mode": p["mode"],
        "keep_history": 0,
    }
    return _state(Change(table="member", op="update", where={"id": 1}, values=values))


def _all(page: Page, p: Params) -> Solver:
    yield from account(page, "Settings")
    yield from page.type(
        "Full name",
        p["name"],
        say=(
            f"Change the name to “{p['name']}”.",
            f"The first field of the form is the full name; it becomes “{p['name']}”.",
        ),
    )
    yield from page.type(
        "City",
        p["city"],
        say=(
            f"Replace the city by “{p['city']}”.",
            f"Two fields further down is the city. Write “{p['city']}”.",
        ),
    )
    yield from page.click(
        "radio",
        "Miles and feet",
        say=(
            "Choose “Miles and feet” as units.",
            "Of the two kinds of units the second one, “Miles and feet”, is wanted.",
        ),
    )
    yield from page.select(
        "Usual way to travel",
        _MODES[p["mode"]],
        say=(
            f"In the list of ways to travel take “{_MODES[p['mode']]}”.",
            f"Directions are to start with “{_MODES[p['mode']]}”: set that below the units.",
        ),
    )
    yield from page.click(
        "checkbox",
        "Keep my search history",
        say=(
            "Take the tick away from “Keep my search history”.",
            "The first box under “Privacy” is ticked; click it so that searches are forgotten.",
        ),
    )
    yield from page.click(
        "button",
        "Save settings",
        say=(
            "Store all of it with “Save settings”.",
            "One click on “Save settings” at the end keeps everything you have set.",
        ),
    )
    yield from page.finish(
        say=(
            "The note “Your settings were saved.” stands over the map.",
            "When the green note appears, all five changes have been taken over.",
        )
    )


TEMPLATES = (
    Template(
        id="map.trip_list",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Make a new list “{list}” on the map and save {first}, {second} and {third} to it. No notes.",
            "I am planning something: put {first}, {second} and {third} into a new list named “{list}”, without notes.",
        ),
        params=_trip_params,
        check=_trip_check,
        solve=_trip,
        wrong_value=lambda db, p: {**p, "list": "Miscellaneous"},
    ),
    Template(
        id="map.which_is_nearer",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "I am at {start}. Which can I reach soonest on foot, by the quickest routes of the map: {a}, {b} or {c}?",
            "To which of these is the walk from {start} the shortest in minutes: {a}, {b} or {c}?",
        ),
        params=_which_params,
        check=_which_check,
        solve=_which,
    ),
    Template(
        id="map.round_trip",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "I want to go {how} from {start} to {end}, passing first {one} and then {two}. How many kilometres is the "
            "quickest way?",
            "How long in kilometres is the quickest route {how} from {start} to {end} with stops at {one} and {two}, "
            "in this order?",
        ),
        params=_round_params,
        check=_round_check,
        solve=_round,
    ),
    Template(
        id="map.list_tidy",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Put my list “{list}” in order: the note of {noted} should be “{note}”, the marker of {painted} {colour}, "
            "and {dropped} can go.",
            "In “{list}”, change the note of {noted} to “{note}”, make the marker of {painted} {colour}, and remove "
            "{dropped}.",
        ),
        params=_tidy_params,
        check=_tidy_check,
        solve=_tidy,
        wrong_value=lambda db, p: {**p, "note": "Nothing"},
    ),
    Template(
        id="map.save_and_review",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Save {place} to my list “{list}”, and review it with {stars} stars: “{text}”",
            "I liked {place} enough to keep it in “{list}”. Do that, and post a review of {stars} stars: “{text}”",
        ),
        params=_both_params,
        check=_both_check,
        solve=_both,
        wrong_value=lambda db, p: {**p, "stars": 2},
    ),
    Template(
        id="map.settings_all",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Update my map account: full name “{name}”, city {city}, distances in miles, directions {how}, and no more "
            "search history.",
            "In my settings on the map, set the name to “{name}” and the city to {city}; use miles; I usually travel "
            "{how}; and stop keeping my searches.",
        ),
        params=_all_params,
        check=_all_check,
        solve=_all,
        wrong_value=lambda db, p: {**p, "city": "Boston"},
    ),
)
