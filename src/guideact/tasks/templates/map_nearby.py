"""What is near: the closest place of a kind, how far it is, how many there are."""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence

from guideact.tasks.map_deeds import nearby, open_place, tab
from guideact.tasks.map_survey import closest, of_kinds, tens
from guideact.tasks.solve import Act, Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Candidate, Check, Observation

_KINDS = {
    "Cafés": ("amenity=cafe",),
    "Museums": ("tourism=museum",),
    "Hotels": ("tourism=hotel", "tourism=hostel"),
    "Pharmacies": ("amenity=pharmacy", "shop=medical_supply"),
    "Supermarkets": ("shop=supermarket", "shop=convenience", "shop=grocery"),
    "Restaurants": ("amenity=restaurant", "amenity=food_court"),
}
_ONE = {
    "Cafés": "café",
    "Museums": "museum",
    "Hotels": "hotel or hostel",
    "Pharmacies": "pharmacy",
    "Supermarkets": "supermarket or convenience store",
    "Restaurants": "restaurant",
}


def _pairs(*pairs: tuple[str, str]) -> list[Params]:
    return [{"place": place, "category": category, "kind": _ONE[category]} for place, category in pairs]


def _away(page: Page, link: Candidate) -> str:
    """How far the place is whose name in a list this link is, as its row says; "" for any other link."""
    # The pins of the map bear the same names but show a number, and its scale stands beside the credit.
    if link.text != link.name or link.name == "OpenStreetMap contributors":
        return ""
    beside = [line.text for line in page.lines() if abs(line.box.y - link.box.y) < 14]
    return next((text for text in beside if re.fullmatch(r"\d+ m|\d\.\d km", text)), "")


def _first_row(page: Page) -> Generator[Act, Observation, Candidate]:
    """The name of the first place of a list that tells distances."""
    what = "the first of the list"
    return (yield from page.reach("link", what=what, within=lambda link: bool(_away(page, link))))


# --- the nearest --------------------------------------------------------------------------------------------------


def _nearest_params(db: Query) -> Sequence[Params]:
    return _pairs(
        ("Cable Hall", "Pharmacies"),
        ("Nordvik House", "Museums"),
        ("Töölö Bicycle Workshop", "Supermarkets"),
        ("Vanha kirkko", "Hotels"),
    )


def _nearest_check(db: Query, p: Params) -> Check:
    (_, found), *_ = closest(p["place"], of_kinds(*_KINDS[p["category"]]))
    return Check(answer=AnswerCheck(kind="text", expected=(found["name"],)))


def _nearest(page: Page, p: Params) -> Solver:
    yield from nearby(page, p["place"], p["category"])
    first = yield from _first_row(page)
    yield from page.finish(
        first.name,
        say=(
            "The list is sorted by distance already, so its first name is the answer.",
            "What is closest comes first. Take the name next to the green or coloured 1.",
        ),
    )


# --- how far ------------------------------------------------------------------------------------------------------


def _far_params(db: Query) -> Sequence[Params]:
    return _pairs(
        ("Esplanadi Reading Room", "Pharmacies"),
        ("Trailhead Outpost", "Museums"),
        ("Slow Kettle Tea Room", "Supermarkets"),
        ("Kampin kappeli", "Museums"),
    )


def _far_check(db: Query, p: Params) -> Check:
    (metres, _), *_ = closest(p["place"], of_kinds(*_KINDS[p["category"]]))
    return Check(answer=AnswerCheck(kind="number", expected=(str(tens(metres)),)))


def _far(page: Page, p: Params) -> Solver:
    yield from nearby(page, p["place"], p["category"])
    first = yield from _first_row(page)
    yield from page.finish(
        _away(page, first).removesuffix(" m"),
        say=(
            "At the right of each entry stands how far it is; report the first figure.",
            "Distances are given at the edge of the list, and the one at the top is the shortest.",
        ),
    )


# --- without steps ------------------------------------------------------------------------------------------------


def _step_free_params(db: Query) -> Sequence[Params]:
    return _pairs(
        ("Harbour Code", "Restaurants"),
        ("Papier Corner", "Cafés"),
        ("Cafeo Espresso Bar", "Restaurants"),
    )


def _step_free_check(db: Query, p: Params) -> Check:
    fit = [one for one in of_kinds(*_KINDS[p["category"]]) if one.get("wheelchair") == "yes"]
    (_, found), *_ = closest(p["place"], fit)
    return Check(answer=AnswerCheck(kind="text", expected=(found["name"],)))


def _step_free(page: Page, p: Params) -> Solver:
    yield from nearby(page, p["place"], p["category"])
    yield from page.click(
        "checkbox",
        "Step-free access",
        say=(
            "Tick “Step-free access” in the grey box above the list.",
            "The box at the top filters the list, and “Step-free access” is the filter to switch on.",
        ),
    )
    yield from page.click(
        "button",
        "Update list",
        say=(
            "Press “Update list” so that the filter counts.",
            "Nothing happens until you click “Update list”; then fewer places are left.",
        ),
    )
    first = yield from _first_row(page)
    yield from page.finish(
        first.name,
        say=(
            "Of the places that remain, the one on top is the closest: that name is the answer.",
            "Give the first name of the shortened list.",
        ),
    )


# --- how many -----------------------------------------------------------------------------------------------------


def _count_params(db: Query) -> Sequence[Params]:
    return [
        {"category": "Hotels", "kind": "hotels and hostels"},
        {"category": "Supermarkets", "kind": "supermarkets and convenience stores"},
        {"category": "Museums", "kind": "museums"},
    ]


def _count_check(db: Query, p: Params) -> Check:
    fit = [one for one in of_kinds(*_KINDS[p["category"]]) if one.get("wheelchair") == "yes"]
    return Check(answer=AnswerCheck(kind="number", expected=(str(len(fit)),)))


def _count(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        p["category"],
        say=(
            f"Choose “{p['category']}” under “Browse nearby”.",
            f"The start page offers kinds of places as round labels. One of them is “{p['category']}”.",
        ),
    )
    yield from _counted(page)


def _count_from_all(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "All categories",
        say=(
            "Open “All categories” behind the last of the labels.",
            "The whole list of kinds is behind “All categories”, the label with a plus.",
        ),
    )
    yield from page.click(
        "link",
        p["category"],
        say=(
            f"Pick “{p['category']}” from the list.",
            f"Each line is a kind of place; take “{p['category']}”.",
        ),
    )
    yield from _counted(page)


def _counted(page: Page) -> Solver:
    yield from page.click(
        "checkbox",
        "Step-free access",
        say=(
            "Switch the filter “Step-free access” on.",
            "In the grey box is a check box for places without steps; tick it.",
        ),
    )
    yield from page.click(
        "button",
        "Update list",
        say=(
            "Apply the filter with “Update list”.",
            "To have the list shortened, press the button “Update list” in the same box.",
        ),
    )
    left = yield from page.reach_matches(r"^(\d+) places?\b", what="the line that counts the places")
    yield from page.finish(
        left[0].group(1),
        say=(
            "Right above the list it says how many places are left: give that number.",
            "Read the count between the filters and the first entry.",
        ),
    )


# --- next door ----------------------------------------------------------------------------------------------------


def _door_params(db: Query) -> Sequence[Params]:
    return [{"place": name} for name in ("Cable Hall", "Trailhead Outpost", "Amos Rex")]


def _door_check(db: Query, p: Params) -> Check:
    (_, nearest), *_ = closest(p["place"], [one for one in of_kinds(*_all_kinds()) if "name" in one])
    return Check(answer=AnswerCheck(kind="text", expected=(nearest["name"],)))


def _all_kinds() -> tuple[str, ...]:
    from guideact.tasks.map_survey import places

    return tuple(sorted({one["kind"] for one in places().values()}))


def _door(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from tab(page, "Nearby")
    yield from page.reach_text("Next door", what="the heading “Next door”")
    first = yield from _first_row(page)
    yield from page.finish(
        first.name,
        say=(
            "Below “Next door” the neighbours are listed by distance; the first of them is meant.",
            "The heading “Next door” is followed by names, of which the topmost is the answer.",
        ),
    )


TEMPLATES = (
    Template(
        id="map.nearest",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "Which {kind} is closest to {place}, as the crow flies?",
            "I will be at {place}. What is the nearest {kind} called? Straight-line distance counts.",
        ),
        params=_nearest_params,
        check=_nearest_check,
        solve=_nearest,
    ),
    Template(
        id="map.how_far",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "How many metres is it in a straight line from {place} to the nearest {kind}, according to the map?",
            "According to the map, how far (in metres, straight line) is the closest {kind} from {place}?",
        ),
        params=_far_params,
        check=_far_check,
        solve=_far,
    ),
    Template(
        id="map.nearest_step_free",
        sites=("map",),
        start="__MAP__/",
        logins={"map": EMMA_MAP},
        intents=(
            "My friend uses a wheelchair. Which {kind} with step-free access is closest to {place}?",
            "Find the nearest {kind} to {place} that has step-free access, and tell me its name.",
        ),
        params=_step_free_params,
        check=_step_free_check,
        solve=_step_free,
    ),
    Template(
        id="map.count_step_free",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "How many {kind} on the map have step-free access?",
            "Count the {kind} with step-free access that the map knows.",
        ),
        params=_count_params,
        check=_count_check,
        solve=_count,
        second_route=_count_from_all,
    ),
    Template(
        id="map.next_door",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "Which place does the map list first as being next door to {place}?",
            "What is right next to {place}, according to the page of that place?",
        ),
        params=_door_params,
        check=_door_check,
        solve=_door,
    ),
)
