"""Forums, their threads, older posts made from patterns, and what Emma voted on, saved and hid."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Sequence
from datetime import timedelta

from guideact.sites.reddit.words import Forum, Thread, patterns, replies
from guideact.sites.world import NOW

__all__ = ["LINKS", "insert_forums", "insert_links", "insert_older", "insert_own_marks", "insert_threads", "moment"]

EMMA_READS = ("ceramics", "austin", "stationery", "coffee", "hiking", "books", "buyonce", "ask", "cycling", "onepot")

OLDER_A_FORUM = 19
_NO_THINGS = frozenset(
    (
        "austin",
        "helsinki",
        "maps",
        "nighttrains",
        "learned",
        "ask",
        "harbour",
        "opensource",
        "running",
        "parents",
        "books",
    )
)
"""Forums whose subjects are not things that one buys, mends and lends."""

_PICTURES = {
    "cycling": "bicycle",
    "hiking": "mountain",
    "coffee": "cups",
    "tea": "teapot",
    "bread": "loaf",
    "onepot": "pot",
    "ceramics": "kiln",
    "woodshop": "stool",
    "stationery": "letter",
    "filmphoto": "harbour",
    "austin": "citynight",
    "helsinki": "snow",
    "maps": "map",
    "nighttrains": "nighttrain",
    "houseplants": "plant",
    "smallspaces": "lamp",
    "parents": "toycar",
    "books": "bookshelf",
}

LINKS: tuple[tuple[str, str, str, str, int, int, int], ...] = (
    (
        "coffee",
        "Gooseneck kettle, ten per cent off until the end of the month",
        "joec",
        "gooseneck-pour-over-kettle",
        24,
        1,
        15,
    ),
    ("cycling", "The helmet I keep recommending", "sofi_bcn", "commuter-helmet", 19, 3, 37),
    ("books", "The March read in the shop", "hwalsh", "the-cartographers-daughter", 21, 0, 170),
    ("nighttrains", "The book with the timetables of 1978", "amelia_h", "night-trains-of-europe", 30, 1, 66),
    ("hiking", "Four people, one dome: the large one is on sale", "ethanb", "dome-tent-for-four", 17, 2, 92),
    ("houseplants", "Herbs for people who cook", "bramv", "kitchen-herb-trio", 14, 1, 59),
    ("stationery", "Planner for the rest of the year, much reduced", "marie.d", "weekly-planner-2026", 26, 2, 46),
    ("smallspaces", "A moon for the shelf", "liv_carter", "paper-moon-table-lamp", 22, 1, 33),
    ("audio", "A radio that only does radio", "eerola", "kitchen-radio", 18, 0, 74),
    ("parents", "The bear everyone talks about", "chloe_m", "barnaby-bear", 28, 2, 25),
    ("running", "The shoe from the thread, with all sizes", "liam_oc", "mile-runner-5", 12, 4, 17),
    ("buyonce", "Storm umbrella, for the record", "hwalsh", "storm-umbrella", 20, 1, 7),
    ("onepot", "The casserole in question", "pablo_n", "cast-iron-casserole", 16, 1, 39),
    ("tea", "An enamel kettle that complains", "freya_d", "enamel-farmhouse-kettle", 13, 0, 8),
)
"""(forum, title, author, product of the shop, ups, downs, hours ago): posts that lead into the shop."""


def moment(hours: float) -> str:
    """The time so many hours before the sites' now, as the database writes it."""
    return (NOW.replace(tzinfo=None) - timedelta(hours=hours)).strftime("%Y-%m-%d %H:%M:%S")


def _people(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT username, id FROM member").fetchall())


def insert_forums(connection: sqlite3.Connection, known: Sequence[Forum], chance: random.Random) -> None:
    """Forums with rules, flairs, moderators and subscribers."""
    people = _people(connection)
    for number, forum in enumerate(known, start=1):
        connection.execute(
            "INSERT INTO forum (id, slug, name, topic, tagline, about, colour, created_at) VALUES (?, ?,"
            " ?, ?, ?, ?, ?, ?)",
            (
                number,
                forum.slug,
                forum.name,
                forum.topic,
                forum.lines["tagline"],
                forum.lines["about"],
                forum.colour,
                f"{forum.created} 12:00:00",
            ),
        )
        connection.executemany(
            "INSERT INTO forum_rule (forum_id, position, title, body) VALUES (?, ?, ?, ?)",
            [(number, at, title, body) for at, (title, body) in enumerate(forum.rules, start=1)],
        )
        connection.executemany(
            "INSERT INTO flair (forum_id, name) VALUES (?, ?)", [(number, name) for name in forum.flairs]
        )
        moderators = [people[name] for name in forum.moderators]
        connection.executemany(
            "INSERT INTO moderator (forum_id, member_id, since) VALUES (?, ?, ?)",
            [(number, who, forum.created) for who in moderators],
        )
        readers = set(chance.sample(range(2, 85), chance.randint(22, 61))) | set(moderators)
        readers.discard(1)
        if forum.slug in EMMA_READS:
            readers.add(1)
        connection.executemany(
            "INSERT INTO subscription (forum_id, member_id) VALUES (?, ?)", [(number, who) for who in sorted(readers)]
        )


def _forum_ids(connection: sqlite3.Connection) -> dict[str, int]:
    return dict(connection.execute("SELECT slug, id FROM forum").fetchall())


def insert_threads(connection: sqlite3.Connection, known: Sequence[Forum], chance: random.Random) -> None:
    """The threads written by hand."""
    people = _people(connection)
    for forum_id, forum in enumerate(known, start=1):
        flairs = dict(connection.execute("SELECT name, id FROM flair WHERE forum_id = ?", (forum_id,)).fetchall())
        for thread in forum.threads:
            options = thread.options
            hours = float(options["h"]) + chance.randint(0, 50) / 60
            author = people[options["by"]]
            cursor = connection.execute(
                "INSERT INTO post (forum_id, author_id, kind, title, body, picture, flair_id, created_at, ups, downs,"
                " is_pinned, is_locked) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    forum_id,
                    author,
                    "picture" if "pic" in options else "text",
                    thread.title,
                    "\n\n".join(line for line in thread.body if line),
                    options.get("pic", ""),
                    flairs[options["flair"]] if "flair" in options else None,
                    moment(hours),
                    int(options["up"]),
                    int(options["down"]),
                    int("pin" in options),
                    int("lock" in options),
                ),
            )
            assert cursor.lastrowid is not None
            _comment_by_hand(connection, cursor.lastrowid, thread, author, hours, people, chance)


def _comment_by_hand(
    connection: sqlite3.Connection,
    post_id: int,
    thread: Thread,
    author: int,
    hours: float,
    people: dict[str, int],
    chance: random.Random,
) -> None:
    """The comments of a thread. Every second answer to an answer is the first speaker's again, as in a conversation."""
    others = [number for number in range(2, 85) if number != author]
    chance.shuffle(others)
    line: list[tuple[int, int]] = []
    last = hours
    best = int(thread.options["up"])
    tops = 0
    for reply in thread.replies:
        line = line[: reply.depth - 1]
        parent = line[-1] if line else None
        if reply.author:
            who = people[reply.author]
        elif parent is None:
            who = others.pop()
        elif parent[1] == author:
            who = line[0][1] if len(line) > 1 and line[0][1] != author else others.pop()
        else:
            who = author
        last = max(0.05, last * (0.72 + chance.random() * 0.2))
        # The first comment is the best liked one, so that "the top answer" is the one that was meant to be it.
        if parent is None:
            tops += 1
            ups = max(2, int(best * (0.62 if tops == 1 else 0.36 / tops)) + chance.randint(0, 2))
        else:
            ups = chance.randint(2, max(4, best // 4))
        cursor = connection.execute(
            "INSERT INTO comment (post_id, parent_id, author_id, body, created_at, ups, downs) VALUES (?,"
            " ?, ?, ?, ?, ?, ?)",
            (post_id, parent[0] if parent else None, who, reply.text, moment(last), ups, chance.choice((0, 0, 0, 1))),
        )
        assert cursor.lastrowid is not None
        line.append((cursor.lastrowid, who))


def insert_links(connection: sqlite3.Connection, chance: random.Random) -> None:
    """Posts that lead to a page of the shop."""
    people, ids = _people(connection), _forum_ids(connection)
    says = replies()
    for at, (forum, title, author, product, ups, downs, hours) in enumerate(LINKS):
        cursor = connection.execute(
            "INSERT INTO post (forum_id, author_id, kind, title, url, created_at, ups, downs)"
            " VALUES (?, ?, 'link', ?, ?, ?, ?, ?)",
            (ids[forum], people[author], title, f"__SHOPPING__/p/{product}", moment(hours + at / 60), ups, downs),
        )
        for number in range(2):
            connection.execute(
                "INSERT INTO comment (post_id, author_id, body, created_at, ups, downs) VALUES (?, ?, ?, ?, ?, 0)",
                (
                    cursor.lastrowid,
                    chance.randint(2, 84),
                    says[(at * 2 + number) % len(says)],
                    moment(hours * (0.8 - number / 4)),
                    chance.randint(1, 9),
                ),
            )


def insert_older(connection: sqlite3.Connection, known: Sequence[Forum], chance: random.Random) -> None:
    """Posts of the last two years, from patterns and the forum's own subjects; no title comes twice."""
    shapes, says = patterns(), replies()
    order = list(range(len(shapes)))
    for forum_id, forum in enumerate(known, start=1):
        flairs = [found[0] for found in connection.execute("SELECT id FROM flair WHERE forum_id = ?", (forum_id,))]
        chance.shuffle(order)
        made = 0
        hours = 175.0 + forum_id * 3
        for at in order:
            subject = forum.subjects[made % len(forum.subjects)]
            shape = shapes[at]
            if (subject.startswith("~") and shape.counts) or (forum.slug in _NO_THINGS and not shape.general):
                continue
            title, body = shape.fill(subject.lstrip("~"))
            hours += chance.randint(60, 1400) if made > 2 else chance.randint(30, 120)
            author = 1 if chance.random() < 0.02 else chance.randint(2, 84)
            ups = max(2, int(chance.lognormvariate(2.4, 0.7)))
            picture = _PICTURES.get(forum.slug, "") if made % 9 == 4 else ""
            cursor = connection.execute(
                "INSERT INTO post (forum_id, author_id, kind, title, body, picture, flair_id, created_at, ups, downs)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    forum_id,
                    author,
                    "picture" if picture else "text",
                    title,
                    body,
                    picture,
                    chance.choice(flairs) if chance.random() < 0.7 else None,
                    moment(hours),
                    ups,
                    int(ups * chance.choice((0, 0, 0.05, 0.1, 0.2, 0.8))),
                ),
            )
            assert cursor.lastrowid is not None
            _comment_by_chance(connection, cursor.lastrowid, forum, author, hours, says, chance)
            made += 1
            if made == OLDER_A_FORUM:
                break


def _comment_by_chance(
    connection: sqlite3.Connection,
    post_id: int,
    forum: Forum,
    author: int,
    hours: float,
    says: Sequence[str],
    chance: random.Random,
) -> None:
    count = chance.choice((0, 1, 2, 3, 3, 4, 5))
    tips = chance.sample(forum.tips, min(len(forum.tips), count))
    parents: list[int] = []
    for number in range(count):
        hours *= 0.9985 - chance.random() * 0.002
        say = chance.choice(says)
        text = (
            (tips[number] if number < len(tips) else say)
            if chance.random() < 0.45
            else f"{say} {tips[number % len(tips)]}"
        )
        if chance.random() < 0.25:
            text = say
        parent = chance.choice(parents) if parents and chance.random() < 0.4 else None
        who = author if parent and chance.random() < 0.4 else (1 if chance.random() < 0.012 else chance.randint(2, 84))
        cursor = connection.execute(
            "INSERT INTO comment (post_id, parent_id, author_id, body, created_at, ups, downs) VALUES (?,"
            " ?, ?, ?, ?, ?, ?)",
            (post_id, parent, who, text, moment(hours), chance.randint(1, 14), chance.choice((0, 0, 0, 1, 2))),
        )
        assert cursor.lastrowid is not None
        parents.append(cursor.lastrowid)


def insert_own_marks(connection: sqlite3.Connection, chance: random.Random) -> None:
    """What Emma voted on, saved and hid. Her votes are not among the counted ones."""
    readable = [
        found[0]
        for found in connection.execute(
            "SELECT id FROM post WHERE author_id <> 1 AND forum_id IN (SELECT forum_id FROM subscription"
            " WHERE member_id = 1)"
            " ORDER BY created_at DESC, id LIMIT 90"
        )
    ]
    for post_id in sorted(chance.sample(readable, 16)):
        connection.execute(
            "INSERT INTO vote (member_id, post_id, value) VALUES (1, ?, ?)", (post_id, chance.choice((1, 1, 1, 1, -1)))
        )
    for post_id in sorted(chance.sample(readable[8:], 7)):
        connection.execute("INSERT INTO saved (member_id, post_id) VALUES (1, ?)", (post_id,))
    for post_id in sorted(chance.sample(readable[30:], 3)):
        connection.execute("INSERT INTO hidden (member_id, post_id) VALUES (1, ?)", (post_id,))
    comments = [
        found[0] for found in connection.execute("SELECT id FROM comment WHERE author_id <> 1 ORDER BY id LIMIT 200")
    ]
    for comment_id in sorted(chance.sample(comments, 2)):
        connection.execute("INSERT INTO saved (member_id, comment_id) VALUES (1, ?)", (comment_id,))
    for comment_id in sorted(chance.sample(comments, 6)):
        connection.execute("INSERT INTO vote (member_id, comment_id, value) VALUES (1, ?, 1)", (comment_id,))
