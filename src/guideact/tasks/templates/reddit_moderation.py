"""What Emma does as a moderator: reports, bans, pinned and locked posts, rules, the words of a forum, wikis."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.boards import choose, done, fill, find_post, open_forum, open_moderation, press
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _logged(db: Query, forum: str, action: str, target: str) -> Change:
    """What a moderator does is written down by itself."""
    (key,) = db.execute("SELECT id FROM forum WHERE name = ?", (forum,)).fetchone()
    return Change(
        table="mod_log", op="insert", values={"forum_id": key, "member_id": 1, "action": action, "target": target}
    )


def _state(*changes: Change) -> tuple[StateCheck, ...]:
    return (StateCheck(site="reddit", required=changes),)


def _open_queue(page: Page, forum: str) -> Solver:
    yield from open_forum(page, forum)
    yield from page.click(
        "link",
        "Moderation",
        near="Wiki",
        direction="up",
        say=(
            "Open the tab “Moderation” in the head of the forum.",
            "Beside “Posts” and “Wiki” you have a third tab, “Moderation”, as you look after this forum.",
        ),
    )


def _open_part(page: Page, forum: str, part: str) -> Solver:
    yield from _open_queue(page, forum)
    yield from page.click(
        "link",
        part,
        near="Reports",
        say=(
            f"Go to the part “{part}” in the bar of the moderators.",
            f"The moderators' pages are named in a bar, from “Reports” to “Log”; “{part}” is the one to open.",
        ),
    )


# --- reports --------------------------------------------------------------------------------------------------------


def _reported(db: Query, title: str) -> tuple[int, str, list[int]]:
    """A reported post: its id, its forum's name, and the ids of the open reports."""
    post = db.execute(
        "SELECT p.id, f.name FROM post p JOIN forum f ON f.id = p.forum_id WHERE p.title = ?", (title,)
    ).fetchone()
    reports = db.execute(
        "SELECT id FROM report WHERE post_id = ? AND status = 'open' ORDER BY id", (post["id"],)
    ).fetchall()
    return post["id"], post["name"], [row["id"] for row in reports]


def _remove_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.title, f.name FROM post p JOIN report r ON r.post_id = p.id JOIN forum f ON f.id = p.forum_id"
        " WHERE r.reason = 'Spam' GROUP BY p.id ORDER BY p.id"
    ).fetchall()
    return [{"title": row["title"], "forum": row["name"]} for row in rows]


def _remove_check(db: Query, p: Params) -> Check:
    post, forum, reports = _reported(db, p["title"])
    return Check(
        state=_state(
            Change(table="post", op="update", where={"id": post}, values={"status": "removed"}),
            *(Change(table="report", op="update", where={"id": key}, values={"status": "removed"}) for key in reports),
            _logged(db, forum, "Removed post", p["title"]),
        )
    )


def _remove(page: Page, p: Params) -> Solver:
    yield from open_moderation(page)
    yield from _judge(page, p["title"], "Remove")


def _remove_in_forum(page: Page, p: Params) -> Solver:
    yield from _open_queue(page, p["forum"])
    yield from _judge(page, p["title"], "Remove")


def _judge(page: Page, title: str, verdict: str) -> Solver:
    yield from page.reach("link", title, what=f"the report about “{title}”")
    # The buttons stand at the foot of the card, which may be below the edge of the window.
    if not _below(page, title, verdict):
        yield from page.scroll(
            say=(
                "Scroll a little further, down to the buttons of this report.",
                "The buttons are at the foot of the card; move the page until they show.",
            )
        )
    buttons = _below(page, title, verdict)
    if not buttons:
        raise page.stuck(f"no {verdict!r} under {title!r}")
    asks = "; agree when the browser asks" if verdict == "Remove" else ""
    yield from page.click(
        "button",
        verdict,
        near=_nearest_text(page, title),
        say=(
            f"Press “{verdict}” under “{title}”{asks}.",
            f"Each report ends with a row of buttons. For “{title}” you need “{verdict}”.",
        ),
    )
    yield from done(page)


def _below(page: Page, title: str, verdict: str) -> list[float]:
    tops = [link.box.y for link in page.find_all("link", title)]
    return [button.box.y for button in page.find_all("button", verdict) if tops and 0 < button.box.y - tops[0] < 330]


def _nearest_text(page: Page, title: str) -> str:
    """The last words of the card: the latest report's reason or note stands right above the buttons."""
    head = page.find_all("link", title)[0].box
    top = head.y
    button = min((one for one in page.find_all("button", "Approve") if one.box.y > top), key=lambda one: one.box.y)
    above = [line for line in page.lines() if top < line.box.y < button.box.y - 4 and -12 < line.box.x - head.x < 600]
    above.sort(key=lambda line: (line.box.y, line.box.x))
    texts = [line.text for line in page.lines()]
    single = [line.text for line in above if texts.count(line.text) == 1]
    return single[-1] if single else title


def _approve_params(db: Query) -> Sequence[Params]:
    titles = (
        "Free pecans, bring a bag",
        "Whose bowl is this? It was on my shelf",
        "I have not opened it yet, but it is great",
    )
    return [{"title": title, "forum": _reported(db, title)[1]} for title in titles]


def _approve_check(db: Query, p: Params) -> Check:
    _, forum, reports = _reported(db, p["title"])
    return Check(
        state=_state(
            *(Change(table="report", op="update", where={"id": key}, values={"status": "approved"}) for key in reports),
            _logged(db, forum, "Approved post", p["title"]),
        )
    )


def _approve(page: Page, p: Params) -> Solver:
    yield from open_moderation(page)
    yield from _judge(page, p["title"], "Approve")


def _approve_in_forum(page: Page, p: Params) -> Solver:
    yield from _open_queue(page, p["forum"])
    yield from _judge(page, p["title"], "Approve")


# --- bans -----------------------------------------------------------------------------------------------------------


def _ban_params(db: Query) -> Sequence[Params]:
    return [
        {
            "forum": "Pottery & Ceramics",
            "member": "isaac_t",
            "reason": "Spam",
            "days": "30 days",
            "note": "Glaze by the pallet",
        },
        {"forum": "Austin", "member": "maxschulz", "reason": "Unkind", "days": "7 days", "note": "Rude to a newcomer"},
        {
            "forum": "Pens & Paper",
            "member": "haruto_s",
            "reason": "Unkind",
            "days": "3 days",
            "note": "Called someone grandma",
        },
        {"forum": "Austin", "member": "joec", "reason": "Unkind", "days": "1 day", "note": "The silver car again"},
    ]


def _ban_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    (member,) = db.execute("SELECT id FROM member WHERE username = ?", (p["member"],)).fetchone()
    values = {
        "forum_id": forum,
        "member_id": member,
        "reason": p["reason"],
        "days": int(p["days"].split()[0]),
        "note": {"~": p["note"]},
    }
    return Check(
        state=_state(
            Change(table="ban", op="insert", values=values), _logged(db, p["forum"], "Banned member", p["member"])
        )
    )


def _ban(page: Page, p: Params) -> Solver:
    yield from _open_part(page, p["forum"], "Bans")
    yield from fill(page, "User name", p["member"])
    if p["days"] != "7 days":
        yield from choose(page, "How long", p["days"])
    yield from choose(page, "Reason", p["reason"])
    yield from fill(page, "Note for moderators", p["note"])
    yield from press(page, "Ban member")
    yield from done(page)


def _lift_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT f.name, m.username FROM ban b JOIN forum f ON f.id = b.forum_id JOIN member m ON m.id = b.member_id"
        " ORDER BY b.id"
    ).fetchall()
    return [{"forum": row["name"], "member": row["username"]} for row in rows]


def _lift_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT b.id FROM ban b JOIN forum f ON f.id = b.forum_id JOIN member m ON m.id = b.member_id"
        " WHERE f.name = ? AND m.username = ?",
        (p["forum"], p["member"]),
    ).fetchone()
    return Check(
        state=_state(
            Change(table="ban", op="delete", where={"id": row["id"]}),
            _logged(db, p["forum"], "Lifted ban", p["member"]),
        )
    )


def _lift(page: Page, p: Params) -> Solver:
    yield from _open_part(page, p["forum"], "Bans")
    yield from page.click(
        "button",
        "Lift ban",
        near=p["member"],
        say=(
            f"Press “Lift ban” in the row of “{p['member']}” and confirm the question.",
            f"Below the form is a table of those who are banned; the row of “{p['member']}” ends with “Lift ban”.",
        ),
    )
    yield from done(page)


# --- posts ----------------------------------------------------------------------------------------------------------


def _lock_params(db: Query) -> Sequence[Params]:
    return [
        {"title": "Best place to read outside without being talked to", "forum": "Austin", "flair": "Event"},
        {"title": "Celadon that is green and not grey", "forum": "Pottery & Ceramics", "flair": "Kiln"},
        {"title": "Left-handed and smearing everything", "forum": "Pens & Paper", "flair": "Review"},
        {"title": "Ten years on: the office stapler", "forum": "Buy It Once", "flair": "Recommendation"},
    ]


def _lock_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id, forum_id FROM post WHERE title = ?", (p["title"],)).fetchone()
    (flair,) = db.execute(
        "SELECT id FROM flair WHERE forum_id = ? AND name = ?", (row["forum_id"], p["flair"])
    ).fetchone()
    return Check(
        state=_state(
            Change(table="post", op="update", where={"id": row["id"]}, values={"is_locked": 1, "flair_id": flair}),
            _logged(db, p["forum"], "Locked post", p["title"]),
            _logged(db, p["forum"], f"Set flair {p['flair']}", p["title"]),
        )
    )


def _lock(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.click(
        "button",
        "Lock",
        say=(
            "Press “Lock” in the yellow bar under the post.",
            "Moderators have a yellow bar below the text; “Lock” in it ends the discussion.",
        ),
    )
    yield from page.select(
        "Flair",
        p["flair"],
        say=(
            f"In the same bar, set the list “Flair” to “{p['flair']}”.",
            f"The post is locked. Next, the list called “Flair” beside the buttons should say “{p['flair']}”.",
        ),
    )
    yield from press(page, "Set flair")
    yield from done(page)


# --- rules and words ------------------------------------------------------------------------------------------------


def _rule_params(db: Query) -> Sequence[Params]:
    return [
        {
            "forum": "Pottery & Ceramics",
            "title": "Shelf space is shared",
            "body": "Two boards each, four weeks at most.",
        },
        {"forum": "Austin", "title": "Name the street", "body": "Others want to find it as well."},
        {"forum": "Pens & Paper", "title": "Scan, do not photograph", "body": "Your handwriting deserves even light."},
    ]


def _rule_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    values = {"forum_id": forum, "title": {"~": p["title"]}, "body": {"~": p["body"]}}
    return Check(
        state=_state(
            Change(table="forum_rule", op="insert", values=values), _logged(db, p["forum"], "Added rule", p["title"])
        )
    )


def _rule(page: Page, p: Params) -> Solver:
    yield from _open_part(page, p["forum"], "Rules")
    yield from fill(page, "Title", p["title"])
    yield from fill(page, "Description", p["body"])
    yield from press(page, "Add rule")
    yield from done(page)


def _words_params(db: Query) -> Sequence[Params]:
    return [
        {"forum": "Austin", "tagline": "Bats, heat, tacos. In this order.", "posting": "Subscribers only"},
        {"forum": "Pens & Paper", "tagline": "Ink on fingers, letters in the post.", "posting": "Subscribers only"},
        {"forum": "Pottery & Ceramics", "tagline": "Mud, fire, patience.", "posting": "Moderators only"},
    ]


def _words_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    values = {"tagline": {"~": p["tagline"]}, "posting": p["posting"].split()[0].lower()}
    return Check(
        state=_state(
            Change(table="forum", op="update", where={"id": forum}, values=values),
            _logged(db, p["forum"], "Changed forum settings", p["forum"]),
        )
    )


def _words(page: Page, p: Params) -> Solver:
    yield from _open_part(page, p["forum"], "Forum settings")
    yield from fill(page, "Tagline", p["tagline"])
    yield from choose(page, "Who may post", p["posting"])
    yield from press(page, "Save settings")
    yield from done(page)


TEMPLATES = (
    Template(
        id="reddit.report_remove",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "The post “{title}” in {forum} has been reported as spam, and rightly so. Remove it.",
            "Take down the reported spam “{title}” from the forum {forum}.",
        ),
        params=_remove_params,
        check=_remove_check,
        solve=_remove,
        second_route=_remove_in_forum,
    ),
    Template(
        id="reddit.report_approve",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Somebody reported “{title}” in {forum}. I think it is fine, so approve it.",
            "The report about “{title}” is petty. Approve the post, it may stay in {forum}.",
        ),
        params=_approve_params,
        check=_approve_check,
        solve=_approve,
        second_route=_approve_in_forum,
    ),
    Template(
        id="reddit.ban",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Ban {member} from {forum} for {days}. Reason: {reason}. Note for the other moderators: {note}",
            "In {forum}, {member} gets a ban of {days} with the reason “{reason}” and the moderators' note “{note}”.",
        ),
        params=_ban_params,
        check=_ban_check,
        solve=_ban,
        wrong_value=lambda db, p: {**p, "days": "90 days"},
    ),
    Template(
        id="reddit.ban_lift",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "{member} may write in {forum} again: lift the ban.",
            "Lift the ban on {member} in the forum {forum}.",
        ),
        params=_lift_params,
        check=_lift_check,
        solve=_lift,
    ),
    Template(
        id="reddit.lock_and_flair",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Lock the post “{title}” in {forum} and give it the flair {flair}.",
            "Enough has been said under “{title}” ({forum}). Lock it, and set its flair to “{flair}”.",
        ),
        params=_lock_params,
        check=_lock_check,
        solve=_lock,
        wrong_value=lambda db, p: {**p, "flair": "Question"},
    ),
    Template(
        id="reddit.rule_add",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Add a rule to the forum {forum}. Title: {title}. Description: {body}",
            "The forum {forum} needs one more rule, “{title}”, with the explanation “{body}”",
        ),
        params=_rule_params,
        check=_rule_check,
        solve=_rule,
        wrong_value=lambda db, p: {**p, "body": "Because we say so."},
    ),
    Template(
        id="reddit.forum_settings",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Change the tagline of {forum} to “{tagline}” and let only this group post: {posting}.",
            "New settings for {forum}: the tagline is “{tagline}”, and who may post is “{posting}”.",
        ),
        params=_words_params,
        check=_words_check,
        solve=_words,
        wrong_value=lambda db, p: {**p, "tagline": "Welcome."},
    ),
)
