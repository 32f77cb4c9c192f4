"""Work that begins on the map and goes on in the encyclopedia."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.sites.companies import COMPANIES, ORGANISATIONS, Company
from guideact.tasks.map_deeds import open_place, suggested
from guideact.tasks.map_survey import named
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, EMMA_WIKIPEDIA, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_SITES = ("map", "wikipedia")


def _behind(place: str) -> Company:
    """The company or society that a place belongs to."""
    title = named(place)["article"].replace("_", " ")
    return (COMPANIES | ORGANISATIONS)[title]


def _to_the_article(page: Page) -> Solver:
    yield from page.click(
        "link",
        "Read the encyclopedia article",
        say=(
            "Under the facts, follow “Read the encyclopedia article”.",
            "More than the map knows is in an encyclopedia, which a link below the table leads to.",
        ),
    )


# --- who founded it -----------------------------------------------------------------------------------------------


def _founder_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Volta Repair Desk"},
        {"place": "Papier Corner"},
        {"place": "Slow Kettle Tea Room"},
        {"place": "Decibel Listening Room"},
    ]


def _founder_check(db: Query, p: Params) -> Check:
    return Check(answer=AnswerCheck(kind="text", expected=(_behind(p["place"]).founder,)))


def _founder(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _founder_read(page)


def _founder_suggested(page: Page, p: Params) -> Solver:
    yield from suggested(page, p["place"], p["place"])
    yield from _founder_read(page)


def _founder_read(page: Page) -> Solver:
    yield from _to_the_article(page)
    yield from page.reach_text("Founder", what="the box of facts beside the article")
    yield from page.finish(
        page.read("Founder"),
        say=(
            "Beside the text is a box of facts; the name at “Founder” is the answer.",
            "The box at the right of the article says who founded it. Report that name.",
        ),
    )


# --- how many work there ------------------------------------------------------------------------------------------


def _staff_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Nordvik House", "list": "To be sorted"},
        {"place": "Trailhead Outpost", "list": "Lamp Week"},
        {"place": "Cafeo Espresso Bar", "list": "Coffee and cake"},
    ]


def _staff_check(db: Query, p: Params) -> Check:
    (number,) = db.execute("SELECT id FROM place_list WHERE member_id = 1 AND name = ?", (p["list"],)).fetchone()
    values = {"list_id": number, "place": named(p["place"])["id"], "note": str(_behind(p["place"]).employees)}
    return Check(state=(StateCheck(site="map", required=(Change(table="saved_place", op="insert", values=values),)),))


def _staff(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _to_the_article(page)
    yield from page.reach_text("Employees", what="the line “Employees” in the box of facts")
    number = page.read("Employees")
    yield from page.go_back(
        say=(
            "Remember the number of employees, and go back to the map.",
            "The box of facts gives the number of people at “Employees”. Keep it in mind and return a page.",
        )
    )
    yield from page.click(
        "button",
        "Save",
        direction="up",
        say=(
            "Press “Save” under the name of the place.",
            "To keep the place, use the button with the ribbon at the top.",
        ),
    )
    yield from page.select(
        "List",
        p["list"],
        say=(
            f"Take “{p['list']}” from the lists.",
            f"The place is to go into “{p['list']}”, so choose that in the first field.",
        ),
    )
    yield from page.type(
        "Note",
        number,
        say=(
            "Write the number that you remembered into “Note”.",
            "The note consists of the number from the article and nothing more.",
        ),
    )
    yield from page.click(
        "button",
        "Save place",
        say=(
            "Store it by “Save place”.",
            "“Save place” closes the window and keeps place and note.",
        ),
    )
    yield from page.finish(
        say=(
            "The green note over the map confirms it.",
            "The place has been saved with the number as its note, as a message says.",
        )
    )


TEMPLATES = (
    Template(
        id="map.founder_behind",
        sites=_SITES,
        start="__MAP__/",
        logins={"map": EMMA_MAP, "wikipedia": EMMA_WIKIPEDIA},
        intents=(
            "Who founded the company or society behind {place}? The place's page on the map links to an encyclopedia.",
            "Find {place} on the map, go on to the encyclopedia from there, and tell me who the founder was.",
        ),
        params=_founder_params,
        check=_founder_check,
        solve=_founder,
        second_route=_founder_suggested,
    ),
    Template(
        id="map.staff_in_a_note",
        sites=_SITES,
        start="__MAP__/",
        logins={"map": EMMA_MAP, "wikipedia": EMMA_WIKIPEDIA},
        intents=(
            "Save {place} to my list “{list}” on the map. The note should be the number of employees of the company "
            "behind it, from the encyclopedia that the place's page links to: just the number.",
            "I want {place} in my list “{list}”, and as its note only how many employees the encyclopedia gives for "
            "the company (there is a link on the place's page).",
        ),
        params=_staff_params,
        check=_staff_check,
        solve=_staff,
    ),
)
