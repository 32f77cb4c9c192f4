"""Longer work on the map: what closes last, what is nearest, and what an encyclopedia adds to one's own lists."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.companies import COMPANIES, ORGANISATIONS
from guideact.tasks.map_deeds import nearby, open_place, suggested
from guideact.tasks.map_survey import closest, closing, named, of_kinds
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_LOGINS = {"map": EMMA_MAP}
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def _saved(db: Query, p: Params, place: str, note: str) -> Change:
    (number,) = db.execute("SELECT id FROM place_list WHERE member_id = 1 AND name = ?", (p["list"],)).fetchone()
    return Change(table="saved_place", op="insert", values={"list_id": number, "place": place, "note": {"~": note}})


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="map", required=required),))


def _keep(page: Page, name: str, note: str, *, told: tuple[str, str]) -> Solver:
    """Save the place on the screen to a list, with a note: four steps. `told` are the sentences about the note."""
    yield from page.click(
        "button",
        "Save",
        direction="up",
        say=(
            "Open the window for keeping a place with “Save”, under the name.",
            "Next to “Directions” there is a button with a ribbon, “Save”; a small window answers it.",
        ),
    )
    yield from page.select(
        "List",
        name,
        say=(
            f"Let the list be “{name}”.",
            f"Of your own lists, offered in the first field, “{name}” is meant.",
        ),
    )
    yield from page.type("Note", note, say=told)
    yield from page.click(
        "button",
        "Save place",
        say=(
            "Store place and note with “Save place”.",
            "A click on “Save place” closes the window, and a green note repeats what was kept.",
        ),
    )


# --- what closes last -----------------------------------------------------------------------------------------------

_LATE = (
    ("Friday", "Harbour Code", "Cable Hall", "Volta Repair Desk", "To be sorted"),
    ("Saturday", "Trailhead Outpost", "Esplanadi Reading Room", "Papier Corner", "Rainy afternoons"),
    ("Saturday", "Slow Kettle Tea Room", "Cafeo Espresso Bar", "Nordvik House", "Lamp Week"),
    ("Wednesday", "Cafeo Espresso Bar", "Decibel Listening Room", "Töölö Bicycle Workshop", "Coffee and cake"),
)


def _late_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("day", "a", "b", "c", "list"), row, strict=True)) for row in _LATE]


def _late_check(db: Query, p: Params) -> Check:
    times = {p[key]: closing(named(p[key])["hours"], _DAYS.index(p["day"])) for key in "abc"}
    (last,) = [name for name, time in times.items() if time == max(times.values())]
    return _state(_saved(db, p, named(last)["id"], f"Until {times[last]}"))


def _late(page: Page, p: Params) -> Solver:
    times: dict[str, str] = {}
    for key in "abc":
        yield from suggested(page, p[key], p[key])
        yield from page.reach_text(p["day"], what="the table of opening hours")
        times[p[key]] = page.read(p["day"]).split("–")[-1]
    last = max(times, key=lambda name: times[name])
    if last != p["c"]:
        yield from suggested(page, last, last)
    told = (
        "Note the later time of that day, after the word “Until”.",
        "The note is the word “Until” and the hour at which the doors close, as the table had it.",
    )
    yield from _keep(page, p["list"], p.get("note") or f"Until {times[last]}", told=told)
    yield from page.finish(
        say=(
            "The place that is open the longest has been kept, with its hour.",
            "Of the three only one was to be saved, and the message over the map names it.",
        )
    )


# --- what is nearest ------------------------------------------------------------------------------------------------

_NEAR = (
    ("Harbour Code", "Pharmacies", "pharmacy", "Lamp Week", "For the first-aid kit"),
    ("Cable Hall", "Supermarkets", "supermarket or convenience store", "Lamp Week", "Batteries and plasters"),
    ("Trailhead Outpost", "Cafés", "café", "Coffee and cake", "After trying on boots"),
    ("Papier Corner", "Museums", "museum", "To be sorted", "If the shop is full"),
)
_KINDS = {
    "Pharmacies": ("amenity=pharmacy", "shop=medical_supply"),
    "Supermarkets": ("shop=supermarket", "shop=convenience", "shop=grocery"),
    "Cafés": ("amenity=cafe",),
    "Museums": ("tourism=museum",),
}


def _near_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("place", "category", "kind", "list", "note"), row, strict=True)) for row in _NEAR]


def _near_check(db: Query, p: Params) -> Check:
    (_, found), *_ = closest(p["place"], of_kinds(*_KINDS[p["category"]]))
    return _state(_saved(db, p, found["id"], p["note"]))


def _near(page: Page, p: Params) -> Solver:
    yield from nearby(page, p["place"], p["category"])
    yield from page.reach_text(" m", what="the first of the list")
    away = [line for line in page.lines() if line.text.strip().endswith(" m") and line.text.strip()[:1].isdigit()]
    # The pins of the map bear the same names, but show a number.
    names = [link for link in page.find_all("link") if link.text == link.name]
    if not away or not names:
        raise page.stuck("no list of places", [line.text for line in page.lines()])
    first = min(names, key=lambda link: abs(link.box.y - away[0].box.y)).name
    yield from page.click(
        "link",
        first,
        what="the first name of the list",
        say=(
            "The list begins with the shortest distance; open its first entry.",
            "Take the entry at the top by its name, for nothing of this kind is nearer.",
        ),
    )
    told = (
        f"Write the note: “{p['note']}”.",
        f"So that you know later why you kept it, the field “Note” takes “{p['note']}”.",
    )
    yield from _keep(page, p["list"], p["note"], told=told)
    yield from page.finish(
        say=(
            f"The nearest one is in “{p['list']}” now, as the green note says.",
            "With the message over the map the place is kept, and no other was asked for.",
        )
    )


# --- two founding years ---------------------------------------------------------------------------------------------

_YEARS = (
    ("Volta Repair Desk", "Papier Corner", "Lamp Week"),
    ("Trailhead Outpost", "Decibel Listening Room", "To be sorted"),
    ("Slow Kettle Tea Room", "Harbour Code", "Rainy afternoons"),
    ("Cafeo Espresso Bar", "Nordvik House", "To be sorted"),
)


def _years_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("a", "b", "list"), row, strict=True)) for row in _YEARS]


def _years_check(db: Query, p: Params) -> Check:
    required = []
    for key in "ab":
        place = named(p[key])
        company = (COMPANIES | ORGANISATIONS)[place["article"].replace("_", " ")]
        required.append(_saved(db, p, place["id"], f"Since {company.founded}"))
    return _state(*required)


def _years(page: Page, p: Params) -> Solver:
    for key in "ab":
        yield from open_place(page, p[key])
        yield from page.click(
            "link",
            "Read the encyclopedia article",
            say=(
                f"Go over to the encyclopedia: the link below the facts of “{p[key]}”.",
                "The map knows hours and address; the rest is behind “Read the encyclopedia article”.",
            ),
        )
        yield from page.reach_text("Founded", what="the line “Founded” in the box of facts")
        year = page.read("Founded")
        yield from page.go_back(
            say=(
                "With the founding year in mind, go back to the place on the map.",
                "The box beside the article says when it was founded. Return to the map with that.",
            )
        )
        told = (
            "Put “Since” and the founding year into “Note”.",
            "The note says since when the house exists: the word “Since”, then the year from the article.",
        )
        yield from _keep(page, p["list"], p.get("note") or f"Since {year}", told=told)
    yield from page.finish(
        say=(
            "Both places are in the list, each with its year.",
            "The second green note has come; there is no third place to keep.",
        )
    )


TEMPLATES = (
    Template(
        id="map.closes_last",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "I finish late on {day}s. Which of {a}, {b} and {c} closes last on that day? Save it to my list “{list}” "
            "with the note “Until [time]”, the time as the map writes it.",
            "Compare how long {a}, {b} and {c} are open on a {day}, and keep the one that closes last in “{list}”. "
            "Note: “Until [time]”, as on the map.",
        ),
        params=_late_params,
        check=_late_check,
        solve=_late,
        wrong_value=lambda db, p: {**p, "note": "Until midnight"},
    ),
    Template(
        id="map.nearest_kept",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Which {kind} is nearest to {place}? Save it to my list “{list}” with the note “{note}”.",
            "Keep the {kind} closest to {place} in “{list}”, noting “{note}”.",
        ),
        params=_near_params,
        check=_near_check,
        solve=_near,
        wrong_value=lambda db, p: {**p, "note": "No idea"},
    ),
    Template(
        id="map.two_founded",
        sites=("map", "wikipedia"),
        start="__MAP__/",
        logins={"map": EMMA_MAP, "wikipedia": EMMA_WIKIPEDIA},
        intents=(
            "Save {a} and {b} to my list “{list}” on the map. The note of each should say since when the company or "
            "society behind it exists: “Since [year]”. Their pages link to an encyclopedia that knows.",
            "I want {a} and {b} in “{list}”, with notes like “Since 1900”: the years in which the houses behind them "
            "were founded, from the encyclopedia that their pages on the map lead to.",
        ),
        params=_years_params,
        check=_years_check,
        solve=_years,
        wrong_value=lambda db, p: {**p, "note": "Since 1066"},
    ),
)
