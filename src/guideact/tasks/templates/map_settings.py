"""The account: units, the usual way to travel, privacy, the history of searches."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.map_deeds import account
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_LOGINS = {"map": EMMA_MAP}
_UNITS = {"km": "Kilometres and metres", "miles": "Miles and feet"}
_MODES = {"car": "Car", "bicycle": "Bicycle", "foot": "On foot"}
_SAID = {"car": "by car", "bicycle": "by bicycle", "foot": "on foot"}


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="map", required=required),))


def _save(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Save settings",
        say=(
            "Keep it with “Save settings” at the end of the form.",
            "Nothing counts before “Save settings” has been pressed; it closes the form.",
        ),
    )
    yield from page.finish(
        say=(
            "The settings come back with a green note that they were saved.",
            "As soon as the note about the saved settings is there, you have finished.",
        )
    )


# --- units and travelling -----------------------------------------------------------------------------------------


def _travel_params(db: Query) -> Sequence[Params]:
    return [
        {"units": "miles", "called": "miles", "mode": "bicycle", "how": _SAID["bicycle"]},
        {"units": "miles", "called": "miles", "mode": "car", "how": _SAID["car"]},
    ]


def _travel_check(db: Query, p: Params) -> Check:
    values = {"units": p["units"], "travel_mode": p["mode"]}
    return _state(Change(table="member", op="update", where={"id": 1}, values=values))


def _travel(page: Page, p: Params) -> Solver:
    yield from account(page, "Settings")
    yield from page.click(
        "radio",
        _UNITS[p["units"]],
        say=(
            f"Under “Units”, choose “{_UNITS[p['units']]}”.",
            f"Distances can be told in two ways, and “{_UNITS[p['units']]}” is to be marked.",
        ),
    )
    yield from _travel_mode(page, p)


def _travel_mode(page: Page, p: Params) -> Solver:
    yield from page.select(
        "Usual way to travel",
        _MODES[p["mode"]],
        say=(
            f"Set “Usual way to travel” to “{_MODES[p['mode']]}”.",
            f"What directions begin with is chosen from a list; pick “{_MODES[p['mode']]}”.",
        ),
    )
    yield from _save(page)


def _travel_from_the_map(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        "Use miles",
        say=(
            "Beside the scale of the map is “Use miles”: click it.",
            "The map's own switch for the units stands at its lower left, and reads “Use miles”.",
        ),
    )
    yield from account(page, "Settings")
    yield from _travel_mode(page, p)


# --- privacy ------------------------------------------------------------------------------------------------------


def _private_params(db: Query) -> Sequence[Params]:
    return [
        {"column": "keep_history", "box": "Keep my search history", "wish": "stop remembering what I search for"},
        {
            "column": "public_reviews",
            "box": "Show my full name on reviews",
            "wish": "no longer show my full name on reviews",
        },
    ]


def _private_check(db: Query, p: Params) -> Check:
    return _state(Change(table="member", op="update", where={"id": 1}, values={p["column"]: 0}))


def _private(page: Page, p: Params) -> Solver:
    yield from account(page, "Settings")
    yield from page.click(
        "checkbox",
        p["box"],
        say=(
            f"Clear the box “{p['box']}”.",
            f"In the part “Privacy” there is a tick at “{p['box']}”, which has to go.",
        ),
    )
    yield from _save(page)


# --- another city -------------------------------------------------------------------------------------------------


def _city_params(db: Query) -> Sequence[Params]:
    return [{"city": city} for city in ("Portland", "Helsinki", "Lisboa")]


def _city_check(db: Query, p: Params) -> Check:
    return _state(Change(table="member", op="update", where={"id": 1}, values={"city": p["city"]}))


def _city(page: Page, p: Params) -> Solver:
    yield from account(page, "Settings")
    yield from page.type(
        "City",
        p["city"],
        say=(
            f"Change the field “City” to “{p['city']}”.",
            f"Where you live stands in the profile, under the email address. It is “{p['city']}” now.",
        ),
    )
    yield from _save(page)


# --- forgetting a search ------------------------------------------------------------------------------------------


def _forget_params(db: Query) -> Sequence[Params]:
    return [{"query": query} for query in ("pharmacy", "espresso", "Cable Hall", "library")]


def _forget_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM search_history WHERE member_id = 1 AND query = ?", (p["query"],)).fetchone()
    return _state(Change(table="search_history", op="delete", where={"id": row["id"]}))


def _forget(page: Page, p: Params) -> Solver:
    yield from account(page, "Search history")
    yield from page.click(
        "button",
        f"Remove {p['query']}",
        say=(
            f"Click the cross in the line “{p['query']}”.",
            f"Every search has a cross at its end; the one of “{p['query']}” takes it out of the list.",
        ),
    )
    yield from page.finish(
        say=(
            "That line is gone, and the others are still there.",
            "A note tells that the search was removed from your history.",
        )
    )


TEMPLATES = (
    Template(
        id="map.settings_travel",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Set the map to {called} and make “{how}” my usual way to travel.",
            "On the map I want distances in {called}, and directions should start out {how}.",
        ),
        params=_travel_params,
        check=_travel_check,
        solve=_travel,
        second_route=_travel_from_the_map,
        wrong_value=lambda db, p: {**p, "mode": "car" if p["mode"] == "bicycle" else "bicycle"},
    ),
    Template(
        id="map.settings_privacy",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "The map should {wish}. Please see to it.",
            "Change my settings on the map: {wish}.",
        ),
        params=_private_params,
        check=_private_check,
        solve=_private,
    ),
    Template(
        id="map.settings_city",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "I have moved: my profile on the map should say {city}.",
            "Update the city in my map account to {city}.",
        ),
        params=_city_params,
        check=_city_check,
        solve=_city,
        wrong_value=lambda db, p: {**p, "city": "Tampere"},
    ),
    Template(
        id="map.history_remove",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Remove “{query}” from my search history on the map, and nothing else.",
            "I once searched the map for “{query}”. Take that one search out of my history.",
        ),
        params=_forget_params,
        check=_forget_check,
        solve=_forget,
    ),
)
