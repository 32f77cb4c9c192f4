"""Members of the boards, one's own profile and settings, and messages."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.boards import done, fill, mark, open_menu, open_settings, press, search
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _state(*changes: Change) -> tuple[StateCheck, ...]:
    return (StateCheck(site="reddit", required=changes),)


def _open_member(page: Page, name: str) -> Solver:
    yield from search(page, name)
    yield from page.click(
        "link",
        "People",
        near="Forums",
        say=(
            "Switch to “People”, the last tab over the results.",
            "Results are posts at first; members are listed under the tab “People”.",
        ),
    )
    yield from page.click(
        "link",
        name,
        say=(
            f"Open the page of “{name}” by the name in the list.",
            f"The member you look for, “{name}”, is among the results, and the name leads to the profile.",
        ),
    )


def _member_by_suggestion(page: Page, name: str) -> Solver:
    yield from page.type(
        "Search the boards",
        name,
        say=(
            f"Type “{name}” into the search box in the header; suggestions drop down.",
            f"Names of members are suggested while you type, so begin with “{name}” in the field at the top.",
        ),
    )
    yield from page.click(
        "option",
        name,
        say=(
            f"Take “{name}” from the suggestions, the line with the small figure of a person.",
            "The suggestion with the outline of a person leads straight to the profile.",
        ),
    )


# --- when somebody joined -------------------------------------------------------------------------------------------


def _joined_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT username, full_name FROM member WHERE username IN ('villeh', 'gracie_b', 'freya_d', 'tmorris')"
        " ORDER BY username"
    ).fetchall()
    return [{"member": row["username"]} for row in rows]


def _joined_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT joined_at FROM member WHERE username = ?", (p["member"],)).fetchone()
    return Check(answer=AnswerCheck(kind="date", expected=(row["joined_at"][:10],)))


def _joined(page: Page, p: Params) -> Solver:
    yield from _open_member(page, p["member"])
    yield from _read_joined(page)


def _joined_shortly(page: Page, p: Params) -> Solver:
    yield from _member_by_suggestion(page, p["member"])
    yield from _read_joined(page)


def _read_joined(page: Page) -> Solver:
    yield from page.reach_text("Joined", what="the line “Joined”")
    yield from page.finish(
        page.read("Joined"),
        say=(
            "Look at the box “In figures” on the right: the date beside “Joined” is the answer.",
            "The first line of the figures, at the right of the profile, says since when the person has been a member.",
        ),
    )


# --- points ---------------------------------------------------------------------------------------------------------

_SUM = (
    "SELECT coalesce(sum(x.ups - x.downs + coalesce((SELECT sum(v.value) FROM vote v WHERE v.{kind}_id = x.id), 0)), 0)"
    " FROM {kind} x WHERE x.author_id = (SELECT id FROM member WHERE username = ?) AND x.status = 'visible'"
)


def _points_params(db: Query) -> Sequence[Params]:
    return [
        {"member": "hwalsh", "kind": "posts"},
        {"member": "dkim", "kind": "comments"},
        {"member": "emil_s", "kind": "posts"},
        {"member": "naomi_b", "kind": "comments"},
    ]


def _points_check(db: Query, p: Params) -> Check:
    (points,) = db.execute(_SUM.format(kind=p["kind"][:-1]), (p["member"],)).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(points),)))


def _points(page: Page, p: Params) -> Solver:
    yield from _open_member(page, p["member"])
    yield from page.reach_text(f"Points for {p['kind']}")
    yield from page.finish(
        page.read(f"Points for {p['kind']}"),
        say=(
            f"The number beside “Points for {p['kind']}”, in the box on the right, is what was asked.",
            f"At the right of the profile some figures are listed. Read the one for “Points for {p['kind']}”.",
        ),
    )


# --- the words about oneself ----------------------------------------------------------------------------------------


def _bio_params(db: Query) -> Sequence[Params]:
    return [
        {"bio": "Potter in Austin. Both kilns work again."},
        {"bio": "I make mugs, letters and mistakes."},
        {"bio": "Mud on weekdays, ink on weekends. Ask me about celadon."},
    ]


def _bio_check(db: Query, p: Params) -> Check:
    return Check(state=_state(Change(table="member", op="update", where={"id": 1}, values={"bio": {"~": p["bio"]}})))


def _bio(page: Page, p: Params) -> Solver:
    yield from open_menu(page, "My profile")
    yield from page.click(
        "link",
        "Edit profile",
        say=(
            "Press “Edit profile” at the right of your name.",
            "Your public page has a button “Edit profile”, next to the words about you.",
        ),
    )
    yield from _write_bio(page, p)


def _bio_by_settings(page: Page, p: Params) -> Solver:
    yield from open_settings(page, "Profile")
    yield from _write_bio(page, p)


def _write_bio(page: Page, p: Params) -> Solver:
    yield from fill(page, "About me", p["bio"])
    yield from press(page, "Save settings")
    yield from done(page)


# --- settings -------------------------------------------------------------------------------------------------------


def _look_params(db: Query) -> Sequence[Params]:
    return [
        {"view": "Compact", "order": "New", "comments": "Oldest"},
        {"view": "Compact", "order": "Top", "comments": "Newest"},
        {"view": "Compact", "order": "Controversial", "comments": "Best"},
    ]


def _look_check(db: Query, p: Params) -> Check:
    stored = {
        "list_view": p["view"].lower(),
        "default_sort": p["order"].lower(),
        "comment_sort": {"Oldest": "old", "Newest": "new", "Best": "best"}[p["comments"]],
    }
    before = db.execute("SELECT * FROM preference WHERE member_id = 1").fetchone()
    values = {name: value for name, value in stored.items() if before[name] != value}
    return Check(state=_state(Change(table="preference", op="update", where={"id": before["id"]}, values=values)))


def _look(page: Page, p: Params) -> Solver:
    yield from open_settings(page, "Lists")
    yield from mark(page, "How lists look", p["view"])
    for field, value in (("Order of posts", p["order"]), ("Order of comments", p["comments"])):
        yield from page.select(
            field,
            value,
            say=(
                f"Set “{field}” to “{value}”.",
                f"The list called “{field}” decides what comes first; let it say “{value}”.",
            ),
        )
    yield from press(page, "Save settings")
    yield from done(page)


_DIGESTS = {"Never": "never", "Every day": "daily"}


def _digest_params(db: Query) -> Sequence[Params]:
    return [
        {"digest": "Every day", "off": "New messages"},
        {"digest": "Never", "off": "Answers to my posts and comments"},
        {"digest": "Never", "off": "New messages"},
        {"digest": "Every day", "off": "Answers to my posts and comments"},
    ]


def _digest_check(db: Query, p: Params) -> Check:
    column = "notify_messages" if p["off"] == "New messages" else "notify_replies"
    (key,) = db.execute("SELECT id FROM preference WHERE member_id = 1").fetchone()
    values = {"digest": _DIGESTS[p["digest"]], column: 0}
    return Check(state=_state(Change(table="preference", op="update", where={"id": key}, values=values)))


def _digest(page: Page, p: Params) -> Solver:
    yield from open_settings(page, "Email")
    yield from page.select(
        "Digest of your forums",
        p["digest"],
        say=(
            f"Change “Digest of your forums” to “{p['digest']}”.",
            f"How often the summary comes is set by the first list, which should read “{p['digest']}”.",
        ),
    )
    yield from page.click(
        "checkbox",
        p["off"],
        say=(
            f"Take the tick away from “{p['off']}”.",
            f"The box before “{p['off']}” is ticked. Click it, so that no such mail is sent any more.",
        ),
    )
    yield from press(page, "Save settings")
    yield from done(page)


# --- blocking -------------------------------------------------------------------------------------------------------


def _block_params(db: Query) -> Sequence[Params]:
    return [{"member": "isaac_t"}, {"member": "vhlima"}, {"member": "maxschulz"}]


def _block_check(db: Query, p: Params) -> Check:
    (key,) = db.execute("SELECT id FROM member WHERE username = ?", (p["member"],)).fetchone()
    return Check(state=_state(Change(table="blocked", op="insert", values={"member_id": 1, "other_id": key})))


def _block(page: Page, p: Params) -> Solver:
    yield from _open_member(page, p["member"])
    yield from _press_block(page)


def _block_shortly(page: Page, p: Params) -> Solver:
    yield from _member_by_suggestion(page, p["member"])
    yield from _press_block(page)


def _press_block(page: Page) -> Solver:
    yield from page.click(
        "button",
        "Block",
        say=(
            "Press “Block” at the top of the profile and say yes to the question that follows.",
            "Beside “Send message” there is a button “Block”; the browser asks once whether you mean it.",
        ),
    )
    yield from done(page)


def _unblock_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT m.username FROM blocked b JOIN member m ON m.id = b.other_id WHERE b.member_id = 1 ORDER BY m.username"
    ).fetchall()
    return [{"member": row["username"]} for row in rows]


def _unblock_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT b.id FROM blocked b JOIN member m ON m.id = b.other_id WHERE b.member_id = 1 AND m.username = ?",
        (p["member"],),
    ).fetchone()
    return Check(state=_state(Change(table="blocked", op="delete", where={"id": row["id"]})))


def _unblock(page: Page, p: Params) -> Solver:
    yield from open_settings(page, "Privacy")
    yield from page.click(
        "button",
        "Unblock",
        near=p["member"],
        say=(
            f"Under “Blocked members”, press “Unblock” in the line of “{p['member']}”.",
            f"Below the form is the list of blocked members; the button beside “{p['member']}” takes the name off it.",
        ),
    )
    yield from done(page)


TEMPLATES = (
    Template(
        id="reddit.joined",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Since when has {member} been a member of the boards? Give me the date.",
            "On which day did {member} join?",
        ),
        params=_joined_params,
        check=_joined_check,
        solve=_joined,
        second_route=_joined_shortly,
    ),
    Template(
        id="reddit.points",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "How many points has {member} collected for {kind}?",
            "I bet that {member} has more points for {kind} than I do. What does the profile say?",
        ),
        params=_points_params,
        check=_points_check,
        solve=_points,
    ),
    Template(
        id="reddit.bio",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Change what my profile says about me to: {bio}",
            "My “About me” is out of date. From now on it should read “{bio}”",
        ),
        params=_bio_params,
        check=_bio_check,
        solve=_bio,
        second_route=_bio_by_settings,
        wrong_value=lambda db, p: {**p, "bio": "Nothing to say."},
    ),
    Template(
        id="reddit.list_settings",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "I want {view} lists from now on, posts ordered by “{order}” and comments by “{comments}”."
            " Save that in my settings.",
            "Set up my lists: {view} look, default order of posts {order}, default order of comments {comments}.",
        ),
        params=_look_params,
        check=_look_check,
        solve=_look,
        wrong_value=lambda db, p: {**p, "order": "Hot"},
    ),
    Template(
        id="reddit.email_settings",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Set the mail digest of my forums to “{digest}”, and stop writing to me about “{off}”.",
            "Too much mail! The digest: {digest}. And no more mails about: {off}.",
        ),
        params=_digest_params,
        check=_digest_check,
        solve=_digest,
        wrong_value=lambda db, p: {**p, "digest": "Never" if p["digest"] == "Every day" else "Every day"},
    ),
    Template(
        id="reddit.block",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "I do not want to see anything by {member} any more. Block this member.",
            "Please block {member} for me.",
        ),
        params=_block_params,
        check=_block_check,
        solve=_block,
        second_route=_block_shortly,
    ),
    Template(
        id="reddit.unblock",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "I have made up with {member}: take the block off.",
            "Unblock {member}, it was a misunderstanding.",
        ),
        params=_unblock_params,
        check=_unblock_check,
        solve=_unblock,
    ),
)
