"""Directions and distances: how far, how long, which way is quicker, and having a route shown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.map_deeds import end_at, go, nav, open_place, route, route_to, start_at, travel
from guideact.tasks.map_survey import kilometres, minutes, named, straight, tens, way, where
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Candidate, Check, UrlCheck

_NAMES = {"car": "Car", "bicycle": "Bicycle", "foot": "On foot"}
_HOW = {"car": "by car", "bicycle": "by bicycle", "foot": "on foot"}


def _trip(start: str, end: str, mode: str) -> Params:
    return {"start": start, "end": end, "mode": mode, "how": _HOW[mode]}


def _totals(page: Page) -> Solver:
    def whole(button: Candidate) -> bool:
        # At the edge of the window, the button may show before what stands beside it.
        return _beside(page, button, r"[\d.]+ k?m") is not None

    yield from page.reach("button", "Print", what="the line with the whole time and distance", within=whole)


def _total(page: Page, pattern: str) -> str:
    """What the line with the totals of the first route says."""
    button = page.find("button", "Print")
    if button is None:
        raise page.stuck("no totals", [line.text for line in page.lines()])
    found = _beside(page, button, pattern)
    if found is None:
        raise page.stuck(f"nothing like {pattern!r} beside “Print”", [line.text for line in page.lines()])
    return found.group(1)


def _beside(page: Page, button: Candidate, pattern: str) -> re.Match[str] | None:
    row = button.box.centre[1]
    lines = (line.text for line in page.lines() if abs(line.box.centre[1] - row) < 14)
    return next((found for text in lines if (found := re.fullmatch(pattern, text))), None)


# --- how far ------------------------------------------------------------------------------------------------------


def _far_params(db: Query) -> Sequence[Params]:
    return [
        _trip("Vanha kirkko", "Helsingin keskustakirjasto Oodi", "foot"),
        _trip("Lumo Market Store", "Trailhead Outpost", "car"),
        _trip("Harbour Code", "Decibel Listening Room", "bicycle"),
        _trip("Cable Hall", "Töölö Bicycle Workshop", "foot"),
    ]


def _far_check(db: Query, p: Params) -> Check:
    metres, _ = way(p["mode"], p["start"], p["end"])
    return Check(answer=AnswerCheck(kind="number", expected=(kilometres(metres),)))


def _far_read(page: Page) -> Solver:
    yield from _totals(page)
    yield from page.finish(
        _total(page, r"(\d+\.\d) km"),
        say=(
            "The card on top is the quickest route, and the grey figure in it is its length.",
            "Each route has a card with time and distance. Take the distance of the first one.",
        ),
    )


def _far(page: Page, p: Params) -> Solver:
    yield from route(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _far_read(page)


def _far_from_the_place(page: Page, p: Params) -> Solver:
    yield from route_to(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _far_read(page)


# --- how long -----------------------------------------------------------------------------------------------------


def _long_params(db: Query) -> Sequence[Params]:
    return [
        _trip("Kiasma", "Decibel Listening Room", "foot"),
        _trip("Ateneum", "Lumo Market Store", "car"),
        _trip("Esplanadi Reading Room", "Slow Kettle Tea Room", "bicycle"),
        _trip("Helsingin keskustakirjasto Oodi", "Volta Repair Desk", "foot"),
    ]


def _long_check(db: Query, p: Params) -> Check:
    _, seconds = way(p["mode"], p["start"], p["end"])
    return Check(answer=AnswerCheck(kind="number", expected=(str(minutes(seconds)),)))


def _long_read(page: Page) -> Solver:
    yield from _totals(page)
    yield from page.finish(
        _total(page, r"(\d+) min"),
        say=(
            "Of the cards, the first shows the quickest way; its large figure is the answer in minutes.",
            "Routes are listed from quick to slow. Report how many minutes the topmost takes.",
        ),
    )


def _long(page: Page, p: Params) -> Solver:
    yield from route(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _long_read(page)


def _long_from_the_place(page: Page, p: Params) -> Solver:
    yield from route_to(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _long_read(page)


# --- how much sooner ----------------------------------------------------------------------------------------------


def _sooner_params(db: Query) -> Sequence[Params]:
    return [
        {"start": "Nordvik House", "end": "Trailhead Outpost"},
        {"start": "Kampin kappeli", "end": "Volta Repair Desk"},
        {"start": "Harbour Code", "end": "Cafe Engel"},
    ]


def _sooner_check(db: Query, p: Params) -> Check:
    slow, quick = (minutes(way(mode, p["start"], p["end"])[1]) for mode in ("foot", "bicycle"))
    return Check(answer=AnswerCheck(kind="number", expected=(str(slow - quick),)))


def _sooner(page: Page, p: Params) -> Solver:
    yield from route(page, p["start"], p["end"], "On foot")
    yield from _totals(page)
    slow = int(_total(page, r"(\d+) min"))
    yield from page.click(
        "radio",
        "Bicycle",
        direction="up",
        say=(
            "Keep the minutes of the walk in mind, then switch to “Bicycle” at the top; the routes are"
            " worked out anew.",
            "The same way by another means: “Bicycle”, in the row above the fields, shows it at once.",
        ),
    )
    yield from _totals(page)
    quick = int(_total(page, r"(\d+) min"))
    yield from page.finish(
        str(slow - quick),
        say=(
            "Subtract the minutes by bicycle, on the first card, from those of the walk: that is your answer.",
            "Two times have been seen now. What one saves is the difference between them.",
        ),
    )


# --- with a stop --------------------------------------------------------------------------------------------------


def _stop_params(db: Query) -> Sequence[Params]:
    return [
        {**_trip("Lumo Market Store", "Cable Hall", "foot"), "stop": "Esplanadi Reading Room"},
        {**_trip("Trailhead Outpost", "Nordvik House", "bicycle"), "stop": "Slow Kettle Tea Room"},
        {**_trip("Decibel Listening Room", "Harbour Code", "foot"), "stop": "Papier Corner"},
    ]


def _stop_check(db: Query, p: Params) -> Check:
    metres, _ = way(p["mode"], p["start"], p["stop"], p["end"])
    return Check(answer=AnswerCheck(kind="number", expected=(kilometres(metres),)))


def _stop(page: Page, p: Params) -> Solver:
    yield from nav(page, "Directions")
    yield from travel(page, _NAMES[p["mode"]])
    yield from start_at(page, p["start"])
    yield from end_at(page, p["end"])
    yield from page.click(
        "button",
        "Add a stop",
        say=(
            "Add a field for the place on the way with “Add a stop”.",
            "A further field is needed between the two; “Add a stop”, under them, makes one.",
        ),
    )
    yield from page.type(
        "Stop 1",
        p["stop"],
        say=(
            f"Type “{p['stop']}” into the new field “Stop 1”.",
            f"Where you want to pass by, “{p['stop']}”, goes into the field in the middle.",
        ),
    )
    yield from go(page)
    yield from _far_read(page)


# --- a route on the screen ----------------------------------------------------------------------------------------


def _shown_params(db: Query) -> Sequence[Params]:
    return [
        _trip("Ateneum", "Nordvik House", "bicycle"),
        _trip("Lumo Market Pickup Kaisaniemi", "Cafeo Espresso Bar", "foot"),
        _trip("Trailhead Outpost", "Kiasma", "car"),
        _trip("Svenska Teatern", "Slow Kettle Tea Room", "bicycle"),
    ]


def _shown_check(db: Query, p: Params) -> Check:
    for name in (p["start"], p["end"]):
        named(name)
    return Check(
        url=UrlCheck(
            site="map",
            path="/directions",
            query=(("from", p["start"]), ("to", p["end"]), ("mode", p["mode"])),
        )
    )


def _shown_finish(page: Page) -> Solver:
    yield from page.reach_text("Step by step", what="the part “Step by step”")
    yield from page.finish(
        say=(
            "The route is drawn as a blue line from A to B, and its steps are listed: leave it like this.",
            "With cards, a list of turns and a line on the map, everything asked for is on the screen.",
        )
    )


def _shown(page: Page, p: Params) -> Solver:
    yield from route(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _shown_finish(page)


def _shown_from_the_place(page: Page, p: Params) -> Solver:
    yield from route_to(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _shown_finish(page)


# --- the way back -------------------------------------------------------------------------------------------------


def _back_params(db: Query) -> Sequence[Params]:
    return [
        _trip("Esplanadi Reading Room", "Nordvik House", "car"),
        _trip("Cable Hall", "Vanha Kauppahalli", "car"),
        _trip("Slow Kettle Tea Room", "Helsingin keskustakirjasto Oodi", "car"),
    ]


def _back_check(db: Query, p: Params) -> Check:
    there, back = way(p["mode"], p["start"], p["end"])[1], way(p["mode"], p["end"], p["start"])[1]
    return Check(answer=AnswerCheck(kind="number", expected=(str(minutes(there) + minutes(back)),)))


def _back(page: Page, p: Params) -> Solver:
    yield from route(page, p["start"], p["end"], _NAMES[p["mode"]])
    yield from _totals(page)
    there = int(_total(page, r"(\d+) min"))
    yield from page.click(
        "button",
        "Reverse",
        direction="up",
        say=(
            "Note the minutes, then turn the route round with “Reverse” below the two fields.",
            "One-way streets make the way back another one: “Reverse” swaps start and destination.",
        ),
    )
    yield from _totals(page)
    back = int(_total(page, r"(\d+) min"))
    yield from page.finish(
        str(there + back),
        say=(
            "Add what the first card says now to the minutes of the way there; the sum is the answer.",
            "Both times are known, the one noted before and the one shown now. Report them together.",
        ),
    )


# --- straight lines -----------------------------------------------------------------------------------------------


def _line_params(db: Query) -> Sequence[Params]:
    return [
        {"first": "Kiasma", "last": "Amos Rex"},
        {"first": "Nordvik House", "last": "Harbour Code"},
        {"first": "Cafe Engel", "last": "Papier Corner"},
        {"first": "Vanha kirkko", "last": "Ateneum"},
    ]


def _line_check(db: Query, p: Params) -> Check:
    return Check(
        answer=AnswerCheck(kind="number", expected=(str(tens(straight(where(p["first"]), where(p["last"])))),))
    )


def _add_point(page: Page, name: str, say: tuple[str, str]) -> Solver:
    yield from page.type("Next point", name, say=say)
    yield from page.click(
        "button",
        "Add point",
        say=(
            f"Add “{name}” with the green button.",
            f"A click on “Add point” puts a numbered pin on the map where “{name}” is.",
        ),
    )


def _line(page: Page, p: Params) -> Solver:
    yield from nav(page, "Measure")
    yield from _add_point(
        page,
        p["first"],
        (
            f"Type “{p['first']}” into “Next point”.",
            f"Points can be named: the first one is “{p['first']}”, in the field of the white box.",
        ),
    )
    yield from _line_to(page, p)


def _line_from_the_place(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["first"])
    yield from page.click(
        "link",
        "Measure from here",
        say=(
            "Begin at this place with “Measure from here”.",
            "One of the buttons under the name starts a measurement: “Measure from here”.",
        ),
    )
    yield from _line_to(page, p)


def _line_to(page: Page, p: Params) -> Solver:
    yield from _add_point(
        page,
        p["last"],
        (
            f"Write “{p['last']}” into the field for the next point.",
            f"The field is empty again and waits for the other end, “{p['last']}”.",
        ),
    )
    yield from page.reach_text("Total distance", what="the line “Total distance”")
    yield from page.finish(
        page.read("Total distance").removesuffix(" m"),
        say=(
            "Read the figure beside “Total distance”; it is in metres.",
            "Under the form the length of the line is given in bold: report that number.",
        ),
    )


# --- a line through three -----------------------------------------------------------------------------------------


def _three_params(db: Query) -> Sequence[Params]:
    return [
        {"first": "Lumo Market Store", "middle": "Cable Hall", "last": "Trailhead Outpost"},
        {"first": "Harbour Code", "middle": "Helsingin tuomiokirkko", "last": "Trailhead Outpost"},
        {"first": "Kampin kappeli", "middle": "Vanha kirkko", "last": "Slow Kettle Tea Room"},
    ]


def _three_check(db: Query, p: Params) -> Check:
    a, b, c = (where(p[name]) for name in ("first", "middle", "last"))
    return Check(answer=AnswerCheck(kind="number", expected=(kilometres(straight(a, b) + straight(b, c)),)))


def _three(page: Page, p: Params) -> Solver:
    yield from nav(page, "Measure")
    sentences = {
        "first": (
            f"Name the first point, “{p['first']}”, in the field “Next point”.",
            f"The line begins at “{p['first']}”; that is what the field of the white box gets first.",
        ),
        "middle": (
            f"Type “{p['middle']}” as the second point.",
            f"Next on the line comes “{p['middle']}”, to be written where the first name was.",
        ),
        "last": (
            f"Finally enter “{p['last']}”.",
            f"One name is still missing at the end of the line: “{p['last']}”.",
        ),
    }
    for part in ("first", "middle", "last"):
        yield from _add_point(page, p[part], sentences[part])
    yield from page.reach_text("Total distance", what="the line “Total distance”")
    yield from page.finish(
        page.read("Total distance").removesuffix(" km"),
        say=(
            "The bold figure beside “Total distance” is the length of the whole line, in kilometres.",
            "All three pins are set, and the total stands above the list of points. Report it.",
        ),
    )


TEMPLATES = (
    Template(
        id="map.route_distance",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "How many kilometres is the quickest route {how} from {start} to {end}, according to the map?",
            "I want to go from {start} to {end} {how}. How long is the fastest route, in kilometres?",
        ),
        params=_far_params,
        check=_far_check,
        solve=_far,
        second_route=_far_from_the_place,
    ),
    Template(
        id="map.route_time",
        sites=("map",),
        start="__MAP__/",
        logins={"map": EMMA_MAP},
        intents=(
            "How many minutes does it take {how} from {start} to {end} by the quickest route?",
            "Starting at {start}, how many minutes will I need to {end} {how}?",
        ),
        params=_long_params,
        check=_long_check,
        solve=_long,
        second_route=_long_from_the_place,
    ),
    Template(
        id="map.route_sooner",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "How many minutes do I save if I cycle from {start} to {end} instead of walking? Use the"
            " map's quickest routes.",
            "Compare walking and cycling from {start} to {end}: by how many minutes is the bicycle quicker?",
        ),
        params=_sooner_params,
        check=_sooner_check,
        solve=_sooner,
    ),
    Template(
        id="map.route_stop",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "I go {how} from {start} to {end}, but want to stop at {stop} on the way. How many kilometres is that?",
            "How long, in kilometres, is the quickest way {how} from {start} to {end} if I pass {stop}?",
        ),
        params=_stop_params,
        check=_stop_check,
        solve=_stop,
    ),
    Template(
        id="map.route_show",
        sites=("map",),
        start="__MAP__/",
        logins={"map": EMMA_MAP},
        intents=(
            "Show me the directions {how} from {start} to {end}.",
            "Bring up the route from {start} to {end}, {how}.",
        ),
        params=_shown_params,
        check=_shown_check,
        solve=_shown,
        second_route=_shown_from_the_place,
    ),
    Template(
        id="map.route_both_ways",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "I drive from {start} to {end} and back again, each time by the quickest route. How many minutes is that "
            "in all, going by the whole minutes that the map shows?",
            "By car from {start} to {end} and the same way back: how many minutes together, as the map tells them?",
        ),
        params=_back_params,
        check=_back_check,
        solve=_back,
    ),
    Template(
        id="map.measure",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "Measure the straight line between {first} and {last} on the map. How many metres is it?",
            "How many metres are {first} and {last} apart, as the crow flies? Use the map's measuring tool.",
        ),
        params=_line_params,
        check=_line_check,
        solve=_line,
        second_route=_line_from_the_place,
    ),
    Template(
        id="map.measure_three",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "Measure a straight line from {first} to {middle} and on to {last}. How many kilometres is it in total?",
            "What is the total length in kilometres of a line {first} – {middle} – {last}, measured on the map?",
        ),
        params=_three_params,
        check=_three_check,
        solve=_three,
    ),
)
