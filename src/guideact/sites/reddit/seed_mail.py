"""Emma's messages: conversations with other members, some of them unread."""

# ruff: noqa: E501  words, kept whole

from __future__ import annotations

import sqlite3

from guideact.sites.reddit.seed_posts import moment

__all__ = ["insert_messages"]

_CONVERSATIONS = (
    # with whom, subject, who began, messages: (mine?, text, hours ago, read?)
    ("gracie_b", "Kiln opening on Saturday", False, (
        (False, "We open the big kiln on Saturday at eleven, over video, with coffee. Will you join? Bring a pot that went wrong.", 31, True),
        (True, "I have several to choose from. Count me in.", 29, True),
        (False, "Lovely. The link comes on Friday. Number of pots to be mourned so far: nine.", 3, False),
    )),
    ("ethanb", "Permit for the creek walk", False, (
        (False, "The permit number for the meet-up is BC-2281. Could you put it into the pinned post of the Austin forum? I can not edit it.", 5, False),
    )),
    ("camille_l", "A letter is on its way", False, (
        (False, "Posted this morning, green ink, far too many stamps. It should reach you before the swap closes.", 50, True),
        (True, "I will guard the letterbox.", 48, True),
    )),
    ("ola_w", "Is it normal, part two", False, (
        (False, "You wrote that one should keep a pot from every month. I have lined them up. There IS a difference. Thank you.", 7, False),
    )),
    ("hwalsh", "Unopened boxes", False, (
        (False, "Do we take the unopened-box post down, or do we let him learn? I am for learning, but rule two is mine.", 46, True),
        (True, "Down, with a friendly sentence. I will look at it on Monday.", 44, True),
        (False, "Monday it is. I have put a reminder on my umbrella.", 43, True),
    )),
    ("tmorris", "Slice of the pecan", True, (
        (True, "You wrote that the crew gave you the last slice. Would you sell a piece for a stamp block?", 42, True),
        (False, "Not sell. Bring a mug of yours and we are even. My number is 512-555-0147.", 40, True),
    )),
    ("juliap", "Wiki page for the tacos", False, (
        (False, "Number six is too dear now and the list on the wiki still has it. You or me?", 60, True),
        (True, "Me, when the kiln lets me.", 58, True),
    )),
    ("ren_k", "Brass powder", True, (
        (True, "Which mesh is the brass powder in your kit? Mine looks like sand.", 120, True),
        (False, "Mesh 400. Everything under 300 looks like a beach.", 118, True),
    )),
    ("mikkos", "Teapot, second attempt", False, (
        (False, "The spout is now above the rim. It pours outwards. I thought that you should be the first to know.", 2, False),
    )),
    ("venlak", "Order on hold", False, (
        (False, "I saw your post. It is only the street number; the colleagues in sales will ask you about it by mail. Sorry about the wait!", 23, True),
    )),
    ("leah_m", "Ten mugs, one question", False, (
        (False, "Do you sign on the foot or inside the handle? I have ten and must decide today.", 80, True),
        (True, "Foot. Inside the handle one finds it with a fingernail and is surprised for years.", 79, True),
    )),
)  # fmt: skip


def insert_messages(connection: sqlite3.Connection) -> None:
    """Conversations in the order of the list; the latest message of each may be unread."""
    people = dict(connection.execute("SELECT username, id FROM member").fetchall())
    for other, subject, mine, messages in _CONVERSATIONS:
        cursor = connection.execute(
            "INSERT INTO conversation (subject, starter_id, other_id) VALUES (?, ?, ?)",
            (subject, 1 if mine else people[other], people[other] if mine else 1),
        )
        connection.executemany(
            "INSERT INTO message (conversation_id, sender_id, body, sent_at, is_read) VALUES (?, ?, ?, ?, ?)",
            [
                (cursor.lastrowid, 1 if own else people[other], text, moment(hours), int(read))
                for own, text, hours, read in messages
            ],
        )
