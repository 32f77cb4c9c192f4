"""Posts and comments that were reported, people who were banned, and what moderators have done so far."""

# ruff: noqa: E501  words, kept whole

from __future__ import annotations

import random
import sqlite3

from guideact.sites.reddit.seed_posts import moment

__all__ = ["REASONS", "insert_moderation"]

REASONS = ("Spam", "Off topic", "Unkind", "Breaks a rule of the forum", "Not safe", "Something else")
"""What one can report for, in the order in which it is offered."""

_POSTS = (
    # forum, title, body, author, ups, downs, hours, flair, reports: (reporter, reason, note, hours)
    ("ceramics", "Wholesale glaze powder, message me for prices", "All colours, by the pallet. First hundred customers get a spatula. Write to me today, the lorry leaves tomorrow.", "isaac_t", 1, 9, 20, None, (("gracie_b", "Spam", "Third time this month.", 19), ("leah_m", "Breaks a rule of the forum", "Sales belong in the sale thread.", 17))),
    ("ceramics", "My glaze is food safe because I licked it", "Nothing happened to me, so there is nothing to worry about. You are all far too careful.", "vhlima", 3, 12, 34, "Glaze", (("ren_k", "Breaks a rule of the forum", "Rule 4.", 33),)),
    ("ceramics", "Whose bowl is this? It was on my shelf", "Blue inside, rough outside, a thumb mark on the foot. I would like to give it back and keep my shelf.", "ola_w", 8, 0, 49, "Studio", (("mikkos", "Off topic", "", 44),)),
    ("austin", "Make money from your porch in three days", "I was like you. Then I met the man with the method. Ask me about the method.", "bramv", 1, 14, 12, None, (("tmorris", "Spam", "The method is a pyramid.", 11), ("juliap", "Spam", "", 10), ("ethanb", "Something else", "Account may have been taken over, Bram sells plants.", 9))),
    ("austin", "People from the north side can not drive", "You know who you are. All of you. Especially the silver one.", "joec", 6, 19, 40, "Traffic", (("ines_v", "Unkind", "", 38),)),
    ("austin", "Free pecans, bring a bag", "The tree on our street had a good year. They are in a tub by the gate. Please leave the tub.", "tmorris", 24, 0, 57, "Food", (("joec", "Off topic", "Is this not for the market thread?", 50),)),
    ("stationery", "Ink that never fades, doctors hate it", "Click on my profile for the link. Only today. Only ink.", "emil_s", 1, 11, 15, None, (("camille_l", "Spam", "", 14),)),
    ("stationery", "A letter I found in a second-hand book, in full", "Dear Margaret, it goes, and then come four pages that were not written for us. I have typed out all of them, with the address.", "fumi_m", 18, 6, 71, "Letter", (("hanasato", "Breaks a rule of the forum", "Names and address are readable.", 69),)),
    ("buyonce", "I have not opened it yet, but it is great", "Ten out of ten. The box is very heavy. I will never need another one of whatever it is.", "gabcosta", 2, 7, 52, "Recommendation", (("annavogel", "Breaks a rule of the forum", "No unopened boxes.", 51),)),
)  # fmt: skip

_COMMENTS = (
    # a word of the post's title, the comment, author, hours, reporter, reason, note
    ("Opened the kiln at ninety", "Anyone who opens a kiln that early should not be allowed near one. Take up knitting.", "noahf", 6, "gracie_b", "Unkind", "To our own moderator, too."),
    ("Is it normal to hate everything", "Buy my course, it helped thousands. Code MUD20.", "isaac_t", 30, "ola_w", "Spam", ""),
    ("Best place to read outside", "If you do not like talking to people then go back to where you came from.", "maxschulz", 50, "juliap", "Unkind", "Not how we speak here."),
    ("Which notebook survives", "Paper is dead. Get a phone, grandma.", "haruto_s", 29, "camille_l", "Unkind", ""),
    ("Thirty days, thirty letters", "I also wrote thirty letters. All of them to the parking office.", "cmoreno", 9, "lottie_e", "Off topic", "I laughed, but still."),
)  # fmt: skip

_BANS = (
    ("ceramics", "lucia_f", "Spam", "Four adverts for the same kiln in a day.", 30, 300),
    ("austin", "felixb", "Unkind", "Third warning. Said sorry afterwards.", 7, 60),
    ("stationery", "willgrant", "Spam", "", None, 2400),
)  # fmt: skip


def insert_moderation(connection: sqlite3.Connection, chance: random.Random) -> None:
    """Reports with what they are about, bans, and the log."""
    people = dict(connection.execute("SELECT username, id FROM member").fetchall())
    ids = dict(connection.execute("SELECT slug, id FROM forum").fetchall())
    for forum, title, body, author, ups, downs, hours, flair, reports in _POSTS:
        flair_id = connection.execute(
            "SELECT id FROM flair WHERE forum_id = ? AND name = ?", (ids[forum], flair)
        ).fetchone()
        cursor = connection.execute(
            "INSERT INTO post (forum_id, author_id, title, body, flair_id, created_at, ups, downs)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (ids[forum], people[author], title, body, flair_id[0] if flair_id else None, moment(hours), ups, downs),
        )
        for reporter, reason, note, at in reports:
            connection.execute(
                "INSERT INTO report (forum_id, post_id, reporter_id, reason, note, created_at) VALUES (?, ?, ?, ?, ?, ?)",
                (ids[forum], cursor.lastrowid, people[reporter], reason, note, moment(at)),
            )
    for beginning, body, author, hours, reporter, reason, note in _COMMENTS:
        post_id, forum_id = connection.execute(
            "SELECT id, forum_id FROM post WHERE title LIKE ? || '%'", (beginning,)
        ).fetchone()
        cursor = connection.execute(
            "INSERT INTO comment (post_id, author_id, body, created_at, ups, downs) VALUES (?, ?, ?, ?, 1, ?)",
            (post_id, people[author], body, moment(hours), chance.randint(4, 9)),
        )
        connection.execute(
            "INSERT INTO report (forum_id, comment_id, reporter_id, reason, note, created_at) VALUES (?, ?, ?, ?, ?, ?)",
            (forum_id, cursor.lastrowid, people[reporter], reason, note, moment(hours - 1)),
        )
    for forum, who, reason, note, days, hours in _BANS:
        connection.execute(
            "INSERT INTO ban (forum_id, member_id, reason, note, days, banned_at, by_id) VALUES (?, ?, ?, ?, ?, ?, 1)",
            (ids[forum], people[who], reason, note, days, moment(hours)),
        )
        connection.execute(
            "INSERT INTO mod_log (forum_id, member_id, action, target, done_at) VALUES (?, 1, 'Banned member', ?, ?)",
            (ids[forum], who, moment(hours)),
        )
    for forum_id, title, created in connection.execute(
        "SELECT p.forum_id, p.title, p.created_at FROM post p WHERE p.is_pinned = 1 ORDER BY p.id"
    ).fetchall():
        who = connection.execute(
            "SELECT member_id FROM moderator WHERE forum_id = ? ORDER BY id LIMIT 1", (forum_id,)
        ).fetchone()[0]
        connection.execute(
            "INSERT INTO mod_log (forum_id, member_id, action, target, done_at) VALUES (?, ?, 'Pinned post', ?, ?)",
            (forum_id, who, title, created),
        )
