"""Fills the map's database: members, lists, reviews, reports and searches; the same bytes on every build.

Threads to other sites, whose other end is there:

 1. Lumo Market Store (b1) stands at the address, and keeps the hours and the phone number, of the shop's settings.
 2. A review of Lumo Market Store asks whether the floor model of the shop's tent is for sale.
 3. Nordvik House (b2) is the house of the shop's brand Nordvik; founder, year and staff are in `companies.py`.
 4. Esplanadi Reading Room (b3) is the library whose shelf finder is a project of the software forge.
 5. Töölö Bicycle Workshop (b4) belongs to Ville Heikkinen, who has an account here and answers as a member.
 6. Harbour Code (b5) writes the projects of the software forge; Mikko Salonen, its founder, reviews places here.
 7. Cable Hall (b6) is the venue of Nordic Lamp Week in April 2026 (`companies.EVENTS`).
 8. Cafeo Espresso Bar (b7) shows the equipment that the shop sells under the brand Cafeo.
 9. Volta Repair Desk (b8) mends the kettles of the shop's brand Volta; a review tells how long it takes.
10. Decibel Listening Room (b9) plays loudspeakers of the shop's brand Decibel.
11. Papier Corner (b10) sells what the shop's brand Papier makes; the brand is of 1889, the corner is not.
12. Slow Kettle Tea Room (b11) belongs to the society of the same name, whose congress is in Edinburgh in September.
13. Trailhead Outpost (b12) has the shop's brand Trailhead; Ethan Brooks, its founder, reviews it.
14. Lumo Market Pickup Kaisaniemi (b13) is where the parcels of the shop's orders to Helsinki wait.
15. All of these but the workshop have an article in the encyclopedia, which their pages link to.
16. Emma's list “Lamp Week” is for the trip to the same fair that the forum talks about.
"""

from __future__ import annotations

import random
import sqlite3
from datetime import timedelta
from pathlib import Path

from guideact.sites.map.seed_words import LISTS, OPENINGS, OWN_REVIEWS, REMARKS, REPORTS, SEARCHES
from guideact.sites.world import NOW, PEOPLE

__all__ = ["build"]

SEED = 20260316
REVIEWED = 150
"""How many places besides those of `OWN_REVIEWS` have reviews."""


def build(connection: sqlite3.Connection) -> None:
    """Make all tables in an empty database and fill them."""
    connection.executescript((Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"))
    _members(connection, _chance("members"))
    _reviews(connection, _chance("reviews"))
    _lists(connection, _chance("lists"))
    _reports(connection)
    _searches(connection)


def _chance(part: str) -> random.Random:
    return random.Random(f"{SEED}/map/{part}")


def _ago(days: int, minutes: int = 0) -> str:
    return (NOW - timedelta(days=days, minutes=minutes)).strftime("%Y-%m-%d %H:%M:%S")


def _members(connection: sqlite3.Connection, chance: random.Random) -> None:
    for number, person in enumerate(PEOPLE, 1):
        american = person.city in ("Austin", "Portland", "Chicago", "Boston", "Seattle", "London", "Edinburgh")
        connection.execute(
            "INSERT INTO member (id, username, full_name, email, password, city, units, travel_mode, joined_at,"
            " last_login_at) VALUES (?, ?, ?, ?, 'password123', ?, ?, ?, ?, ?)",
            (
                number,
                person.handle,
                person.full_name,
                person.email,
                person.city,
                "km" if number == 1 or not american else "miles",
                "foot" if number == 1 else chance.choice(("foot", "foot", "bicycle", "car")),
                _ago(chance.randint(200, 1500), chance.randint(0, 600)),
                _ago(chance.randint(1, 90), chance.randint(0, 600)),
            ),
        )


_MEMBER = {person.handle: number for number, person in enumerate(PEOPLE, 1)}


def _reviews(connection: sqlite3.Connection, chance: random.Random) -> None:
    found: list[tuple[str, str, int, int, int, str]] = list(OWN_REVIEWS)
    taken = {(place, handle) for place, handle, *_ in found}
    # The atlas is read here and nowhere else in the seed: which places have reviews depends on what the map has.
    from guideact.sites.map.atlas import atlas

    wanted = [
        place for place in atlas().places if place.named and place.category.slug in REMARKS and place.id[0] != "b"
    ]
    handles = [person.handle for person in PEOPLE[1:]]
    for place in sorted(chance.sample(wanted, REVIEWED), key=lambda one: one.id):
        for handle in chance.sample(handles, chance.choice((1, 2, 2, 3, 4, 6))):
            rating = chance.choice((2, 3, 4, 4, 4, 5, 5))
            praise, middling, complaint = REMARKS[place.category.slug]
            remark = chance.choice(praise if rating > 3 else middling if rating == 3 else complaint)
            body = f"{chance.choice(OPENINGS[min(rating, 4)])} {remark}"
            if (place.id, handle) not in taken:
                found.append(
                    (place.id, handle, rating, chance.randint(2, 700), chance.choice((0, 0, 1, 2, 3, 5, 8)), body)
                )
    found.sort(key=lambda one: (-one[3], one[0], one[1]))
    for place_id, handle, rating, days, helpful, body in found:
        connection.execute(
            "INSERT INTO review (place, member_id, rating, body, created_at, helpful) VALUES (?, ?, ?, ?, ?, ?)",
            (place_id, _MEMBER[handle], rating, body, _ago(days, 7 * len(body)), helpful),
        )


def _lists(connection: sqlite3.Connection, chance: random.Random) -> None:
    for handle, name, description, public, days, places in LISTS:
        number = connection.execute(
            "INSERT INTO place_list (member_id, name, description, is_public, created_at) VALUES (?, ?, ?, ?, ?)",
            (_MEMBER[handle], name, description, int(public), _ago(days)),
        ).lastrowid
        for at, (place, colour, note) in enumerate(places):
            connection.execute(
                "INSERT INTO saved_place (list_id, place, note, colour, created_at) VALUES (?, ?, ?, ?, ?)",
                (number, place, note, colour, _ago(days - 1, 11 * at)),
            )


def _reports(connection: sqlite3.Connection) -> None:
    for handle, place, kind, details, days, status in REPORTS:
        connection.execute(
            "INSERT INTO report (member_id, place, kind, details, noticed_on, status, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (_MEMBER[handle], place, kind, details, _ago(days + 1)[:10], status, _ago(days, 45)),
        )


def _searches(connection: sqlite3.Connection) -> None:
    for handle, days, minutes, query in SEARCHES:
        connection.execute(
            "INSERT INTO search_history (member_id, query, created_at) VALUES (?, ?, ?)",
            (_MEMBER[handle], query, _ago(days, minutes)),
        )
