"""Facts on a place's page: phone, hours, address; what a point of the map is near to."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.map.atlas import atlas
from guideact.sites.map.place import BUSY_FROM, busy_hours
from guideact.tasks.map_deeds import look_up, nav, open_listed, open_place, suggested
from guideact.tasks.map_survey import closing, house_at, named
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Check

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")

# --- the phone number ---------------------------------------------------------------------------------------------


def _phone_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Volta Repair Desk"},
        {"place": "Erottajan Apteekki"},
        {"place": "Kaisaniemen kasvitieteellinen puutarha"},
        {"place": "Slow Kettle Tea Room"},
    ]


def _phone_check(db: Query, p: Params) -> Check:
    return Check(answer=AnswerCheck(kind="text", expected=(named(p["place"])["phone"],)))


def _phone_read(page: Page) -> Solver:
    yield from page.reach_text("Phone", what="the line “Phone”")
    yield from page.finish(
        page.read("Phone"),
        say=(
            "Read the number beside the small receiver; it is the answer, with the country's code.",
            "In the list of facts one line is called “Phone”, and what it says is what you were asked for.",
        ),
    )


def _phone(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _phone_read(page)


def _phone_suggested(page: Page, p: Params) -> Solver:
    yield from suggested(page, p["place"], p["place"])
    yield from _phone_read(page)


# --- when it closes -----------------------------------------------------------------------------------------------


def _closing_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Nordvik House", "day": "Saturday"},
        {"place": "Esplanadi Reading Room", "day": "Friday"},
        {"place": "Vanha Kauppahalli", "day": "Thursday"},
        {"place": "Papier Corner", "day": "Sunday"},
    ]


def _closing_check(db: Query, p: Params) -> Check:
    time = closing(named(p["place"])["hours"], _DAYS.index(p["day"]))
    hour, minute = int(time[:2]), time[3:]
    twelve = f"{hour - 12}:{minute} PM"
    return Check(answer=AnswerCheck(kind="text", expected=(time, twelve, twelve.replace(":00", ""))))


def _closing(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _closing_read(page, p)


def _closing_suggested(page: Page, p: Params) -> Solver:
    yield from suggested(page, p["place"], p["place"])
    yield from _closing_read(page, p)


def _closing_read(page: Page, p: Params) -> Solver:
    yield from page.reach_text(p["day"], what="the table of opening hours")
    yield from page.finish(
        page.read(p["day"]).split("–")[-1],
        say=(
            f"Find {p['day']} in the table of hours and take the later of the two times.",
            f"The table has one line a day; the second time in the line of {p['day']} is when the doors close.",
        ),
    )


# --- the address --------------------------------------------------------------------------------------------------


def _address_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Ateneum"},
        {"place": "Harbour Code"},
        {"place": "Vanha kirkko"},
        {"place": "Decibel Listening Room"},
    ]


def _address_check(db: Query, p: Params) -> Check:
    place = named(p["place"])
    street = f"{place['street']} {place['number']}"
    ways = [street]
    if "postcode" in place:
        ways += [f"{street}, {place['postcode']} Helsinki", f"{street}, {place['postcode']}", f"{street}, Helsinki"]
    return Check(answer=AnswerCheck(kind="text", expected=tuple(ways)))


def _address(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from page.reach_text("Address", what="the line “Address”")
    yield from page.finish(
        page.read("Address").split(",")[0],
        say=(
            "The first line under the buttons is the address; street and number are the answer.",
            "Beside the little pin stands where it is. The street with its number will do.",
        ),
    )


# --- what is at a point -------------------------------------------------------------------------------------------


def _point_params(db: Query) -> Sequence[Params]:
    return [
        {"point": "60.16885, 24.94620"},
        {"point": "60.17105, 24.94985"},
        {"point": "60.16560, 24.94175"},
        {"point": "60.17720, 24.94850"},
    ]


def _point_check(db: Query, p: Params) -> Check:
    latitude, longitude = (float(part) for part in p["point"].split(","))
    return Check(answer=AnswerCheck(kind="text", expected=(house_at((longitude, latitude)),)))


def _point(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["point"])
    yield from page.reach_text("Nearest address", what="the line “Nearest address”")
    yield from page.finish(
        page.read("Nearest address").split(",")[0],
        say=(
            "The page of the point names the house next to it under the heading: that is the answer.",
            "Coordinates lead straight to a page of their own, whose line “Nearest address” tells what you need.",
        ),
    )


def _point_suggested(page: Page, p: Params) -> Solver:
    yield from suggested(page, p["point"], p["point"])
    yield from page.reach_text("Nearest address", what="the line “Nearest address”")
    yield from page.finish(
        page.read("Nearest address").split(",")[0],
        say=(
            "What stands beside “Nearest address” is the answer.",
            "The first of the facts about this point is the house that is closest.",
        ),
    )


# --- who keeps a public list --------------------------------------------------------------------------------------


def _keeper_params(db: Query) -> Sequence[Params]:
    rows = db.execute("SELECT name FROM place_list WHERE is_public = 1 AND member_id <> 1 ORDER BY name").fetchall()
    return [{"list": row["name"]} for row in rows]


def _keeper_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT s.note, m.full_name FROM place_list l JOIN member m ON m.id = l.member_id"
        " JOIN saved_place s ON s.list_id = l.id WHERE l.name = ? AND l.is_public = 1 ORDER BY s.id LIMIT 1",
        (p["list"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["full_name"],)))


def _keeper(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Public lists",
        say=(
            "At the very end of the left column is a link “Public lists”; follow it.",
            "Lists that anybody may see are reached from the foot of the page, by “Public lists”.",
        ),
    )
    yield from open_listed(page, p["list"])
    yield from page.reach_text("Kept by", what="the line “Kept by”")
    yield from page.finish(
        page.read("Kept by"),
        say=(
            "Below the title it says by whom the list is kept. Give that name.",
            "A line near the top begins with “Kept by”, and a person's name follows: the answer.",
        ),
    )


def _keeper_from_the_overview(page: Page, p: Params) -> Solver:
    yield from nav(page, "Directions")
    yield from page.click(
        "link",
        "Public lists",
        say=(
            "Scrolling is not needed here: “Public lists” is at the foot of this short page.",
            "The foot of the left column has a link to the lists of others, “Public lists”.",
        ),
    )
    yield from page.reach("link", p["list"])
    yield from page.finish(
        page.below(p["list"], r"^[^\d]+ [^\d]+$"),
        say=(
            "The card of the list names its owner under the title, so nothing has to be opened.",
            "Each card tells in its second line whose list it is. Take the name from there.",
        ),
    )


# --- when it is fullest -------------------------------------------------------------------------------------------


def _busy_params(db: Query) -> Sequence[Params]:
    """`hour` is what the eye reads off the bars."""
    return [
        {"place": "Cafeo Espresso Bar", "day": "Wednesday", "hour": 13},
        {"place": "Nordvik House", "day": "Saturday", "hour": 14},
        {"place": "Lumo Market Store", "day": "Tuesday", "hour": 16},
        {"place": "Amos Rex", "day": "Wednesday", "hour": 13},
        {"place": "Cafe Engel", "day": "Friday", "hour": 14},
    ]


def _busy_check(db: Query, p: Params) -> Check:
    bars = busy_hours(atlas().place_by_id[named(p["place"])["id"]], _DAYS.index(p["day"]))
    return Check(answer=AnswerCheck(kind="number", expected=(str(BUSY_FROM + bars.index(max(bars))),)))


def _busy(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from page.select(
        "Day",
        p["day"],
        say=(
            f"Set the day of the chart “Busy hours” to {p['day']}.",
            f"A small chart at the end of the page shows one day; have it show {p['day']}.",
        ),
    )
    yield from page.reach_text("Busy hours", what="the chart “Busy hours”")
    yield from page.finish(
        str(p["hour"]),
        say=(
            "Look for the tallest bar and read the hour under it.",
            "Every bar is an hour of the day. The one that stands above all others is the answer.",
        ),
    )


TEMPLATES = (
    Template(
        id="map.busy_hour",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "At which hour is {place} busiest on a {day}? Give the hour as the chart of the map has it, from 0 to 23.",
            "I would like to avoid the crowd at {place} on a {day}. Which hour (0 to 23) is the fullest by its chart?",
        ),
        params=_busy_params,
        check=_busy_check,
        solve=_busy,
        picture=True,
    ),
    Template(
        id="map.phone",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "What is the phone number of {place}?",
            "I need to call {place}. Which number does the map give?",
        ),
        params=_phone_params,
        check=_phone_check,
        solve=_phone,
        second_route=_phone_suggested,
    ),
    Template(
        id="map.closing_time",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "When does {place} close on a {day}?",
            "Until what time could I visit {place} on a {day}?",
        ),
        params=_closing_params,
        check=_closing_check,
        solve=_closing,
        second_route=_closing_suggested,
    ),
    Template(
        id="map.address",
        sites=("map",),
        start="__MAP__/",
        logins={"map": EMMA_MAP},
        intents=(
            "What is the street address of {place}? The street and the number are enough.",
            "I am writing a postcard to {place}. Street and house number, please?",
        ),
        params=_address_params,
        check=_address_check,
        solve=_address,
    ),
    Template(
        id="map.point",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "A friend sent me the coordinates {point}. Which street address is closest to them?",
            "Look up {point} on the map and tell me the nearest address.",
        ),
        params=_point_params,
        check=_point_check,
        solve=_point,
        second_route=_point_suggested,
    ),
    Template(
        id="map.list_keeper",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "Who keeps the public list “{list}” on the map?",
            "I would like to thank the person behind the public list “{list}”. What is their name?",
        ),
        params=_keeper_params,
        check=_keeper_check,
        solve=_keeper,
        second_route=_keeper_from_the_overview,
    ),
)
