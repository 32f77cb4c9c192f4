"""Every forum's wiki: a start page for each, and a few pages that have grown over time."""

# ruff: noqa: E501  words, kept whole

from __future__ import annotations

import sqlite3

from guideact.sites.reddit.seed_posts import moment

__all__ = ["insert_wiki"]

_TACOS = """## The list

Under four dollars, open before eight, no line longer than a song.

1. Doña Flor, East 6th Street
2. The bus that does not move, South 1st
3. Migas Corner, Manor Road
4. Taquería Sin Prisa, East 12th Street
5. The church kitchen, Sundays only
6. Casa Nogal, Congress Avenue
7. Second Cousin, Burnet Road
"""

_PAGES: tuple[tuple[str, str, str, tuple[tuple[str, str, str, int], ...]], ...] = (
    # forum, slug, title, revisions: (author, note, body, hours ago), the oldest first
    ("austin", "breakfast-tacos", "Breakfast tacos", (
        ("juliap", "First seven", _TACOS.replace("6. Casa Nogal, Congress Avenue\n7. Second Cousin, Burnet Road\n", "6. Second Cousin, Burnet Road\n"), 2000),
        ("tmorris", "Added Casa Nogal", _TACOS, 900),
    )),
    ("austin", "shade-map", "Where there is shade", (
        ("ethanb", "Begun", "North side of the library from four o'clock. The low bridge at Barton Creek all day. Zilker, under the three live oaks by the tap.", 1500),
    )),
    ("ceramics", "first-firing", "Your first firing", (
        ("gracie_b", "Begun", "## Before\n\n- Dry for a week, under plastic.\n- Nothing thicker than your thumb.\n\n## The firing\n\n- Bisque to cone 06, 100 degrees an hour up to 600.\n- Leave the lid shut until 100 degrees.\n", 4000),
        ("emma_l", "Lid rule made bold", "## Before\n\n- Dry for a week, under plastic.\n- Nothing thicker than your thumb.\n\n## The firing\n\n- Bisque to cone 06, 100 degrees an hour up to 600.\n- **Leave the lid shut until 100 degrees.**\n", 1200),
    )),
    ("ceramics", "glaze-recipes", "Glaze recipes", (
        ("ren_k", "Celadon", "## Celadon, cone 10\n\n- 27 feldspar\n- 31 silica\n- 20 whiting\n- 20 kaolin\n- 2 red iron oxide\n\nSieve twice, eighty mesh.\n", 3000),
    )),
    ("stationery", "ink-and-paper", "Ink and paper, tested", (
        ("camille_l", "Begun", "| what | dries in |\n\n- Blue-black on dotted paper: 9 seconds\n- Green on laid paper: 14 seconds\n- Purple on newsprint: never\n", 2600),
        ("hanasato", "Took out the broken table", "- Blue-black on dotted paper: 9 seconds\n- Green on laid paper: 14 seconds\n- Purple on newsprint: never\n", 2500),
        ("emma_l", "Added the ballpoint", "- Blue-black on dotted paper: 9 seconds\n- Green on laid paper: 14 seconds\n- Purple on newsprint: never\n- Ballpoint on anything: at once\n", 800),
    )),
    ("coffee", "ratios", "Ratios", (("isa_ramos", "Begun", "- Filter: 60 g a litre\n- Press: 65 g a litre\n- Espresso: 18 g in, 36 g out, 28 seconds\n- Cold brew: 80 g a litre, 16 hours\n", 5000),)),
    ("bread", "starter-rescue", "Rescue for starters", (("naomi_b", "Begun", "1. Throw away all but a spoon.\n2. Feed 1:2:2, twice a day.\n3. Add a spoon of rye on day two.\n4. Give it a name.\n", 4200),)),
    ("buyonce", "ten-year-list", "The ten-year list", (
        ("hwalsh", "Begun", "Things that somebody here has owned for ten years or more.\n\n- Office stapler, grey (annavogel)\n- Enamel mug (ethanb)\n", 3500),
        ("annavogel", "Added the shears", "Things that somebody here has owned for ten years or more.\n\n- Office stapler, grey (annavogel)\n- Enamel mug (ethanb)\n- Garden shears with a brass screw (ewa_k)\n", 700),
    )),
    ("cycling", "tools-for-the-road", "Tools for the road", (("villeh", "Begun", "- Tyre levers, two\n- Tube, pump, patches\n- Chain link\n- 4, 5 and 6 mm keys\n- A coin\n", 3300),)),
    ("running", "twelve-weeks", "Twelve weeks to five kilometres", (("liam_oc", "Begun", "Three times a week. Walk for five minutes first.\n\n- Week 1: eight times one minute, with two minutes of walking\n- Week 6: twenty minutes without a stop\n- Week 12: five kilometres\n", 3900),)),
)  # fmt: skip


def insert_wiki(connection: sqlite3.Connection) -> None:
    """A start page for every forum, then the others."""
    people = dict(connection.execute("SELECT username, id FROM member").fetchall())
    ids = dict(connection.execute("SELECT slug, id FROM forum").fetchall())
    for slug, name, about in connection.execute("SELECT slug, name, about FROM forum ORDER BY id").fetchall():
        moderator = connection.execute(
            "SELECT m.username FROM moderator x JOIN member m ON m.id = x.member_id WHERE x.forum_id = ? ORDER BY x.id",
            (ids[slug],),
        ).fetchone()[0]
        body = f"Welcome to the wiki of {name}.\n\n{about}\n\nEvery member can edit these pages; please leave a note."
        _insert(connection, people, ids[slug], "start", "Start page", ((moderator, "Begun", body, 9000),))
    for slug, page, title, revisions in _PAGES:
        _insert(connection, people, ids[slug], page, title, revisions)


def _insert(
    connection: sqlite3.Connection,
    people: dict[str, int],
    forum_id: int,
    slug: str,
    title: str,
    revisions: tuple[tuple[str, str, str, int], ...],
) -> None:
    cursor = connection.execute(
        "INSERT INTO wiki_page (forum_id, slug, title, body) VALUES (?, ?, ?, ?)",
        (forum_id, slug, title, revisions[-1][2].strip()),
    )
    connection.executemany(
        "INSERT INTO wiki_revision (page_id, number, body, note, author_id, edited_at) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (cursor.lastrowid, number, body.strip(), note, people[author], moment(hours))
            for number, (author, note, body, hours) in enumerate(revisions, start=1)
        ],
    )
