"""Longer work on the boards: a forum with stricter manners, and a first day in a new one."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.boards import choose, done, fill, first_post, in_page, open_directory, open_forum, press, sort_by
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="reddit", required=required),))


def _forum(db: Query, name: str) -> int:
    (key,) = db.execute("SELECT id FROM forum WHERE name = ?", (name,)).fetchone()
    return int(key)


# --- a forum made stricter ------------------------------------------------------------------------------------------

_STRICT = (
    ("Austin", "One taco thread a week", "It opens on Friday.", "Weather", "Subscribers only"),
    ("Pens & Paper", "Swaps need a picture", "Of both sides, please.", "Repair", "Subscribers only"),
    ("Pottery & Ceramics", "Name the cone", "Others cannot guess the temperature.", "Mishap", "Moderators only"),
    (
        "Buy It Once",
        "Say how long you have had it",
        "Under two years is a first impression.",
        "Update",
        "Subscribers only",
    ),
)


def _strict_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("forum", "rule", "body", "flair", "posting"), row, strict=True)) for row in _STRICT]


def _strict_check(db: Query, p: Params) -> Check:
    forum = _forum(db, p["forum"])
    rule = {"forum_id": forum, "title": {"~": p["rule"]}, "body": {"~": p["body"]}}
    flair = {"forum_id": forum, "name": {"~": p["flair"]}}
    return _state(
        Change(table="forum_rule", op="insert", values=rule),
        Change(table="flair", op="insert", values=flair),
        Change(table="forum", op="update", where={"id": forum}, values={"posting": p["posting"].split()[0].lower()}),
        *(
            Change(table="mod_log", op="insert", values={"forum_id": forum, "member_id": 1, "target": {"~": target}})
            for target in (p["rule"], p["flair"], p["forum"])
        ),
    )


def _part(page: Page, name: str) -> Solver:
    yield from page.click(
        "link",
        name,
        near="Log",
        direction="up",
        say=(
            f"Turn to the moderators' part “{name}”.",
            f"In the bar that runs from “Reports” to “Log”, the next thing to open is “{name}”.",
        ),
    )


def _strict(page: Page, p: Params) -> Solver:
    yield from open_forum(page, p["forum"])
    yield from page.click(
        "link",
        "Moderation",
        near="Wiki",
        direction="up",
        say=(
            "Go behind the scenes of the forum with its tab “Moderation”.",
            "As a moderator you have a third tab in the head of the forum: “Moderation”.",
        ),
    )
    yield from _part(page, "Rules")
    yield from fill(page, "Title", p["rule"])
    yield from fill(page, "Description", p["body"])
    yield from press(page, "Add rule")
    yield from _part(page, "Flairs")
    yield from fill(page, "Name", p["flair"])
    yield from press(page, "Add flair")
    yield from _part(page, "Forum settings")
    yield from choose(page, "Who may post", p["posting"])
    yield from press(page, "Save settings")
    yield from done(page)


# --- a first day in a forum -----------------------------------------------------------------------------------------

_NEW = (
    ("Film Photography", "That roll deserves a frame."),
    ("Open Source Desk", "Mine was a missing full stop."),
    ("House Plants", "I wish I had known this two plants ago."),
    ("Night Trains", "Best wishes from the lower berth."),
)


def _new_params(db: Query) -> Sequence[Params]:
    return [{"forum": forum, "text": text} for forum, text in _NEW]


def _new_check(db: Query, p: Params) -> Check:
    forum = _forum(db, p["forum"])
    rows = db.execute(
        "SELECT p.id, p.ups - p.downs + (SELECT coalesce(sum(v.value), 0) FROM vote v WHERE v.post_id = p.id) AS points"
        " FROM post p WHERE p.forum_id = ? AND p.status = 'visible' ORDER BY points DESC LIMIT 2",
        (forum,),
    ).fetchall()
    if rows[0]["points"] == rows[1]["points"]:
        raise ValueError(f"two posts lead in {p['forum']}")
    best = rows[0]["id"]
    return _state(
        Change(table="subscription", op="insert", values={"forum_id": forum, "member_id": 1}),
        Change(table="vote", op="insert", values={"member_id": 1, "post_id": best, "value": 1}),
        Change(table="saved", op="insert", values={"member_id": 1, "post_id": best}),
        Change(
            table="comment",
            op="insert",
            values={"post_id": best, "parent_id": None, "author_id": 1, "body": {"~": p["text"]}},
        ),
    )


def _new(page: Page, p: Params) -> Solver:
    yield from open_directory(page)
    yield from page.click(
        "link",
        p["forum"],
        within=in_page(page),
        what=f"the row of “{p['forum']}”",
        say=(
            f"Enter “{p['forum']}” by its name in the table.",
            f"You are no member of “{p['forum']}” yet, so take the way through its row in the directory.",
        ),
    )
    yield from page.click(
        "button",
        "Join",
        direction="up",
        say=(
            "Become a member with “Join”, in the head of the forum.",
            "At the right of the forum's name is “Join”; the button turns into “Leave” when you belong to it.",
        ),
    )
    yield from sort_by(page, "Top", "All time")
    best = first_post(page)
    yield from page.click(
        "link",
        best,
        what="the post at the top of the list",
        say=(
            "The best of all stands first now. Open it by its title.",
            "With this order and period the topmost card is the one with the most points; go to its page.",
        ),
    )
    yield from page.click(
        "button",
        "Upvote",
        near=best,
        say=(
            "Give it a point with the upward arrow left of the title.",
            "Two arrows surround the score of the post. Press the upper one.",
        ),
    )
    yield from page.click(
        "button",
        "Save",
        near=best,
        say=(
            "Put it among your saved posts by “Save”.",
            "The row of small buttons under the text has “Save”, so that you find the post again.",
        ),
    )
    yield from page.type(
        "Add a comment",
        p["text"],
        say=(
            f"Say something below it: “{p['text']}”",
            f"The box for comments, under the post, takes your words: “{p['text']}”",
        ),
    )
    yield from press(page, "Post comment")
    yield from done(page)


TEMPLATES = (
    Template(
        id="reddit.stricter_forum",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "{forum} needs more order. Add the rule “{rule}” ({body}), a flair “{flair}”, and let only these post: "
            "{posting}.",
            "As a moderator of {forum}, please do three things: a new rule titled “{rule}” with the description "
            "“{body}”, a new flair “{flair}”, and in the forum's settings “{posting}” for who may post.",
        ),
        params=_strict_params,
        check=_strict_check,
        solve=_strict,
        wrong_value=lambda db, p: {**p, "flair": "Other"},
    ),
    Template(
        id="reddit.first_day",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "I would like to get into {forum}: join it, open the best post of all time there, vote it up, save it, and "
            "comment “{text}”",
            "Join the forum {forum} for me. Its post with the most points of all time should get my upvote, be among "
            "my saved posts, and have this comment of mine: “{text}”",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        wrong_value=lambda db, p: {**p, "text": "First!"},
    ),
)
