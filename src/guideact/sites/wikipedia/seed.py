"""The encyclopedia's database at the start: its editors, the list of revisions, talk, watchlists, reading lists.

Everything is made from `random.Random` with constant seeds and constant dates, so that the image is the same on every
machine. Threads that other sites complete:

 1. talk of Nordvik: the pattern of Harbour Mug No. 4 is seen in the shop's picture only
 2. talk of Optima: the price of the Reflex Camera R7 is in the shop
 3. talk of Greenhouse 9: the patterns of the Pilea's pots are seen in the shop
 4. Kiln & Co and the list of companies by year: whose mugs are cheapest is told by the shop
 5. Murder on Pier Nine: the shop counts the same seventh case
 6. Fountain pen: the product that the drawing belongs to is sold in the shop
 7. talk of Gravel Sunday: Sofía's new helmet is one of the shop's orders
 8. Gravel Sunday, Nordic Lamp Week and the other events: dates for posts and issues to ask about
 9. Half-Frame Festival: where the Teramachi Gallery stands is for the map to say
10. Harbour Code Camp: the programs that are repaired there are projects
11. Töölö Bicycle Workshop and Esplanadi Reading Room: places on the map
12. Open Atlas Foundation and Institute for Plain Text: organisations whose projects and posts stand elsewhere
13. Velora, table of bicycles: the gears are told here, the prices in the shop
"""

from __future__ import annotations

import random
import re
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path

from guideact.sites.wikipedia.corpus import articles
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.past import revisions_of
from guideact.sites.world import PEOPLE

__all__ = ["build"]

_FOLDER = Path(__file__).parent
_ADMINISTRATORS = ("ainov", "hwalsh", "annavogel", "venlak")
_EMMA = 1
_EMMA_WATCHES = ("Kettle", "Nordvik", "Stoneware", "Gravel Sunday", "Tarnholm Bridge", "Half-frame camera")
_EMMA_LISTS = (
    ("Weekend in Edinburgh", "For the congress in September", ("Edinburgh", "Slow Kettle Society", "Silent Pour")),
    ("Pens and paper", "", ("Fountain pen", "Papier", "Bookbinding", "A5 paper")),
    ("To read on the train", "Long ones", ("Morrow Islands", "The Lighthouse Keeper's Almanac")),
)
_ABOUT = (
    "I write about things that I have repaired. Most often in [[Kettle]].",
    "'''Hello.''' I correct spelling, mostly mine.",
    "I like lighthouses, tables that can be sorted, and articles with few adjectives.",
    "Interested in bicycles, bread and bridges.",
    "I add references. If you know where something is written, tell me on the talk page.",
    "",
    "Here since a rainy Sunday.",
    "I read more than I write.",
)
_EMMA_ABOUT = (
    "I collect mugs and the stories that go with them. At the moment I am expanding [[Stoneware]] and [[Glaze]].\n\n"
    "== Plans ==\n* visit [[Gravel Sunday]]\n* read ''[[Small Houses]]''\n"
)


def build(connection: sqlite3.Connection) -> None:
    """Make the tables and fill them."""
    connection.executescript((_FOLDER / "schema.sql").read_text("utf-8"))
    _people(connection)
    _articles(connection)
    _talk(connection)
    _collections(connection)


def _people(connection: sqlite3.Connection) -> None:
    chance = random.Random("20260316/wikipedia/people")
    for number, person in enumerate(PEOPLE, 1):
        since = datetime(2013, 1, 7, 9) + timedelta(days=chance.randrange(700), minutes=chance.randrange(600))
        seen = datetime(2026, 3, 15, 20) - timedelta(hours=chance.randrange(2400))
        connection.execute(
            "INSERT INTO user VALUES (?, ?, ?, ?, 'password123', ?, ?, ?, ?, ?)",
            (
                number,
                person.handle,
                person.full_name,
                person.email,
                person.city,
                "administrator" if person.handle in _ADMINISTRATORS else "editor",
                _EMMA_ABOUT if number == _EMMA else chance.choice(_ABOUT),
                since.strftime("%Y-%m-%d %H:%M:%S"),
                seen.strftime("%Y-%m-%d %H:%M:%S"),
            ),
        )
        connection.execute("INSERT INTO preference (id, user_id) VALUES (?, ?)", (number, number))
    connection.execute("UPDATE preference SET signature = 'with a full cup' WHERE user_id = ?", (_EMMA,))


def _articles(connection: sqlite3.Connection) -> None:
    connection.executemany(
        "INSERT INTO article VALUES (?, ?, ?, ?)",
        [(one.id, one.slug, one.title, int(one.protected)) for one in articles()],
    )
    people = {person.handle: number for number, person in enumerate(PEOPLE, 1)}
    everything = [revision for one in articles() for revision in revisions_of(one.id)]
    everything.sort(key=lambda one: (one.created_at, one.article_id, one.number))
    connection.executemany(
        "INSERT INTO revision VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        [
            (
                number,
                one.article_id,
                one.number,
                people[one.editor],
                one.created_at,
                one.summary,
                len(one.text.encode()),
                int(one.is_minor),
            )
            for number, one in enumerate(everything, 1)
        ],
    )
    chance = random.Random("20260316/wikipedia/thanks")
    given = set()
    for _ in range(90):
        number = chance.randrange(1, len(everything) + 1)
        thanker = chance.randrange(2, len(PEOPLE) + 1)
        if people[everything[number - 1].editor] != thanker and (number, thanker) not in given:
            given.add((number, thanker))
    connection.executemany("INSERT INTO thanks (revision_id, user_id) VALUES (?, ?)", sorted(given))


def _talk(connection: sqlite3.Connection) -> None:
    """`talk.txt`: "= Article | Topic", then "handle: comment" a line."""
    chance = random.Random("20260316/wikipedia/talk")
    people = {person.handle: number for number, person in enumerate(PEOPLE, 1)}
    known = {one.slug: one.id for one in articles()}
    topic = 0
    at = datetime(2025, 1, 1)
    for line in (_FOLDER / "talk.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            title, name = (part.strip() for part in line[2:].split(" | "))
            topic += 1
            connection.execute("INSERT INTO talk_topic VALUES (?, ?, ?, 0)", (topic, known[slug_of(title)], name))
            at = datetime(2025, 9, 1, 8) + timedelta(days=chance.randrange(180), minutes=chance.randrange(800))
        elif found := re.match(r"([\w.]+): (.+)", line):
            connection.execute(
                "INSERT INTO talk_comment (topic_id, user_id, body, created_at) VALUES (?, ?, ?, ?)",
                (topic, people[found[1]], found[2], at.strftime("%Y-%m-%d %H:%M:%S")),
            )
            at += timedelta(minutes=chance.randrange(20, 4000))


def _collections(connection: sqlite3.Connection) -> None:
    """Watchlists of everybody, reading lists of Emma and some others."""
    chance = random.Random("20260316/wikipedia/watch")
    known = {one.title: one.id for one in articles()}
    pairs = [(_EMMA, known[title]) for title in _EMMA_WATCHES]
    for number in range(2, len(PEOPLE) + 1):
        pairs += [(number, key) for key in sorted(chance.sample(range(1, len(known) + 1), chance.randrange(2, 9)))]
    connection.executemany(
        "INSERT INTO watch (user_id, article_id, added_at) VALUES (?, ?, '2026-01-12 18:30:00')", pairs
    )
    for number, (name, description, titles) in enumerate(_EMMA_LISTS, 1):
        connection.execute(
            "INSERT INTO reading_list VALUES (?, ?, ?, ?, '2026-02-01 12:00:00')", (number, _EMMA, name, description)
        )
        connection.executemany(
            "INSERT INTO reading_list_item (list_id, article_id, added_at) VALUES (?, ?, '2026-02-01 12:05:00')",
            [(number, known[title]) for title in titles],
        )
    for number, owner in enumerate(sorted(chance.sample(range(2, len(PEOPLE) + 1), 20)), len(_EMMA_LISTS) + 1):
        name = chance.choice(("Later", "For work", "Winter evenings", "Favourites"))
        connection.execute(
            "INSERT INTO reading_list VALUES (?, ?, ?, '', '2026-01-20 09:00:00')", (number, owner, name)
        )
        connection.executemany(
            "INSERT INTO reading_list_item (list_id, article_id, added_at) VALUES (?, ?, '2026-01-20 09:10:00')",
            [(number, key) for key in sorted(chance.sample(range(1, len(known) + 1), 3))],
        )
