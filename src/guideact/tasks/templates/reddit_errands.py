"""Longer errands on the boards, each of several deeds that belong together."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.boards import choose, done, fill, find_post, open_forum, open_messages, pick_from, press, write
from guideact.tasks.shop import PRICE, open_product
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA, EMMA_REDDIT, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _forum(db: Query, name: str) -> int:
    row = db.execute("SELECT id FROM forum WHERE name = ?", (name,)).fetchone()
    key: int = row["id"]
    return key


def _member(db: Query, username: str) -> int:
    row = db.execute("SELECT id FROM member WHERE username = ?", (username,)).fetchone()
    key: int = row["id"]
    return key


# --- spam and its author --------------------------------------------------------------------------------------------


def _spam_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT DISTINCT p.id, p.title, f.name, m.username FROM report r JOIN post p ON p.id = r.post_id"
        " JOIN forum f ON f.id = p.forum_id JOIN member m ON m.id = p.author_id WHERE r.reason = 'Spam' ORDER BY p.id"
    ).fetchall()
    spans = ("30 days", "90 days", "1 day")
    return [
        {"title": row["title"], "forum": row["name"], "author": row["username"], "days": days}
        for row, days in zip(rows, spans, strict=True)
    ]


def _spam_check(db: Query, p: Params) -> Check:
    (post,) = db.execute("SELECT id FROM post WHERE title = ?", (p["title"],)).fetchone()
    reports = db.execute("SELECT id FROM report WHERE post_id = ? AND status = 'open'", (post,)).fetchall()
    forum = _forum(db, p["forum"])
    ban = {
        "forum_id": forum,
        "member_id": _member(db, p["author"]),
        "reason": "Spam",
        "days": int(p["days"].split()[0]),
        "note": "",
    }
    return Check(
        state=(
            StateCheck(
                site="reddit",
                required=(
                    Change(table="post", op="update", where={"id": post}, values={"status": "removed"}),
                    *(
                        Change(table="report", op="update", where={"id": row["id"]}, values={"status": "removed"})
                        for row in reports
                    ),
                    Change(table="ban", op="insert", values=ban),
                    *(
                        Change(
                            table="mod_log", op="insert", values={"forum_id": forum, "member_id": 1, "target": target}
                        )
                        for target in (p["title"], p["author"])
                    ),
                ),
            ),
        )
    )


def _spam(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.click(
        "button",
        "Remove post",
        say=(
            "Press the red “Remove post” in the yellow bar below the text and agree to the question.",
            "For moderators there is a yellow bar under the post, where “Remove post” takes it down.",
        ),
    )
    yield from page.click(
        "link",
        "Moderation",
        direction="up",
        say=(
            "Go on to the moderators' pages by the shield in the header.",
            "The ban comes next: the shield at the top right leads to the pages for it.",
        ),
    )
    yield from page.click(
        "link",
        p["forum"],
        near="Forums you moderate",
        say=(
            f"Choose “{p['forum']}” in the box of your forums on the right.",
            f"At the right are the forums you moderate; go to the pages of “{p['forum']}”.",
        ),
    )
    yield from page.click(
        "link",
        "Bans",
        say=(
            "Switch to “Bans” in the bar under the forum's head.",
            "One of the parts in the bar is “Bans”, with a form at its top.",
        ),
    )
    yield from fill(page, "User name", p["author"])
    yield from choose(page, "How long", p["days"])
    yield from choose(page, "Reason", "Spam")
    yield from press(page, "Ban member")
    yield from done(page)


# --- an announcement ------------------------------------------------------------------------------------------------


def _announce_params(db: Query) -> Sequence[Params]:
    return [
        {
            "forum": "Pottery & Ceramics",
            "flair": "Kiln",
            "title": "Kiln opening on Saturday at eleven",
            "body": "Bring a pot that went wrong. The link comes on Friday.",
        },
        {
            "forum": "Austin",
            "flair": "Event",
            "title": "Creek walk on 28 March",
            "body": "The permit is here. Bring a cup and a hat.",
        },
        {
            "forum": "Pens & Paper",
            "flair": "Swap",
            "title": "April swap opens on the first",
            "body": "Start sorting your drawers.",
        },
        {
            "forum": "Buy It Once",
            "flair": "Question",
            "title": "Which things shall go on the ten-year list?",
            "body": "One thing a comment, with the years.",
        },
    ]


def _announce_check(db: Query, p: Params) -> Check:
    forum = _forum(db, p["forum"])
    (flair,) = db.execute("SELECT id FROM flair WHERE forum_id = ? AND name = ?", (forum, p["flair"])).fetchone()
    values = {
        "forum_id": forum,
        "author_id": 1,
        "kind": "text",
        "flair_id": flair,
        "title": {"~": p["title"]},
        "body": {"~": p["body"]},
        "is_pinned": 1,
    }
    pinned = {"forum_id": forum, "member_id": 1, "action": "Pinned post", "target": {"~": p["title"]}}
    return Check(
        state=(
            StateCheck(
                site="reddit",
                required=(
                    Change(table="post", op="insert", values=values),
                    Change(table="mod_log", op="insert", values=pinned),
                ),
            ),
        )
    )


def _announce(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Create post",
        say=(
            "Start with “Create post” at the top right.",
            "The header has a button for new posts, “Create post”; press it first.",
        ),
    )
    yield from pick_from(page, "Forum", p["forum"])
    yield from _announce_rest(page, p)


def _announce_in_forum(page: Page, p: Params) -> Solver:
    yield from open_forum(page, p["forum"])
    yield from page.click(
        "link",
        "Create post",
        say=(
            "Now press “Create post” in the header: the forum is filled in already.",
            "Being in the forum, “Create post” at the top right opens a form that knows where you are.",
        ),
    )
    yield from _announce_rest(page, p)


def _announce_rest(page: Page, p: Params) -> Solver:
    yield from pick_from(page, "Flair", p["flair"])
    yield from fill(page, "Title", p["title"])
    yield from write(page, "Text", p["body"])
    yield from press(page, "Publish post")
    yield from page.click(
        "button",
        "Pin",
        say=(
            "Press “Pin” in the yellow bar under your new post.",
            "The post is out. To keep it on top, use “Pin” among the moderators' buttons below it.",
        ),
    )
    yield from done(page)


# --- a price for a friend -------------------------------------------------------------------------------------------


def _friend_params(db: Query) -> Sequence[Params]:
    return [
        {
            "title": "Kettle for pour-over that does not cost like a car",
            "product": "Gooseneck Pour-Over Kettle",
            "member": "ola_w",
            "subject": "The kettle",
        },
        {
            "title": "An umbrella for a windy bridge",
            "product": "Storm Umbrella",
            "member": "callum_f",
            "subject": "An umbrella",
        },
        {
            "title": "Something that survives a dark hall and me",
            "product": "Peace Lily",
            "member": "mikkos",
            "subject": "A plant with a doorbell",
        },
    ]


def _friend_check(db: Query, p: Params) -> Check:
    (comment,) = db.execute(
        "SELECT c.body FROM comment c JOIN post p ON p.id = c.post_id WHERE p.title = ? AND c.status = 'visible'"
        " ORDER BY c.ups - c.downs DESC LIMIT 1",
        (p["title"],),
    ).fetchone()
    product = db.execute(
        "SELECT price_cents, special_price_cents FROM shop.product WHERE instr(?, name) ORDER BY length(name) DESC",
        (comment,),
    ).fetchone()
    cents = product["special_price_cents"] or product["price_cents"]
    talk = {"subject": {"~": p["subject"]}, "starter_id": 1, "other_id": _member(db, p["member"])}
    message = {
        "conversation_id": {"new": "conversation"},
        "sender_id": 1,
        "body": {"~": f"It costs ${cents // 100}.{cents % 100:02}"},
    }
    return Check(
        state=(
            StateCheck(
                site="reddit",
                required=(
                    Change(table="conversation", op="insert", values=talk),
                    Change(table="message", op="insert", values=message),
                ),
            ),
        )
    )


def _friend(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.reach_text(p["product"], what="the comment with the most points")
    yield from page.click(
        "link",
        "Lumo Market",
        say=(
            "Note which product the first comment names, and follow “Lumo Market” at the left to look it up.",
            "The best comment comes first and names a product. Its price is in the shop: “Lumo Market”, left column.",
        ),
    )
    yield from open_product(page, p["product"])
    price = p.get("price") or (yield from page.reach_below(p["product"], PRICE, what="the price"))
    for say in (
        (
            "Keep the price in mind and go back one page, to the results of the shop.",
            "Once you know the price, leave the product by going back.",
        ),
        (
            "Go back again, to the start page of the shop.",
            "One more step back leaves the list of results.",
        ),
        (
            "Go back a last time; you are on the boards again.",
            "The third step back brings the thread up again.",
        ),
    ):
        yield from page.go_back(say=say)
    yield from open_messages(page)
    yield from page.click(
        "link",
        "New message",
        say=(
            "Press “New message” over the inbox.",
            "At the right above the list is “New message”, which opens an empty letter.",
        ),
    )
    yield from fill(page, "To", p["member"])
    yield from fill(page, "Subject", p["subject"])
    yield from write(page, "Message", f"It costs {price}")
    yield from press(page, "Send message")
    yield from done(page)


TEMPLATES = (
    Template(
        id="reddit.spam_and_ban",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "“{title}” in {forum} is spam. Remove the post, then ban its author {author} from that forum"
            " for {days} with"
            " the reason “Spam” and no note.",
            "{author} has been advertising in {forum}. Take down “{title}” and ban the member there for {days}, reason"
            " Spam, without a note.",
        ),
        params=_spam_params,
        check=_spam_check,
        solve=_spam,
        wrong_value=lambda db, p: {**p, "days": "3 days"},
    ),
    Template(
        id="reddit.announce",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Announce something in {forum}: a text post with the flair {flair}, the title “{title}” and"
            " the text “{body}”."
            " Then pin it.",
            "Write a pinned post for my forum {forum}. Title: {title} Flair: {flair} Text: {body}",
        ),
        params=_announce_params,
        check=_announce_check,
        solve=_announce,
        second_route=_announce_in_forum,
        wrong_value=lambda db, p: {**p, "body": "More soon."},
    ),
    Template(
        id="reddit.price_for_friend",
        sites=("reddit", "shopping"),
        start=_START,
        logins={"reddit": EMMA_REDDIT, "shopping": EMMA},
        intents=(
            "The best comment under “{title}” recommends something that Lumo Market sells. Look up its"
            " price there and send"
            " it to {member} in a message with the subject “{subject}” and the text “It costs” followed by the price.",
            "Tell {member} what the thing recommended by the top comment of “{title}” costs at Lumo"
            " Market now. Subject of"
            " the message: {subject}. Text: “It costs”, then the price, such as $1.00, and nothing more.",
        ),
        params=_friend_params,
        check=_friend_check,
        solve=_friend,
        wrong_value=lambda db, p: {**p, "price": "$1.00"},
    ),
)
