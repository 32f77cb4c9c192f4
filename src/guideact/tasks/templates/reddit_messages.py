"""Messages on the boards: finding what somebody wrote, writing to somebody, marking as read."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.tasks.boards import done, fill, open_conversation, open_messages, press, write
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _state(*changes: Change) -> tuple[StateCheck, ...]:
    return (StateCheck(site="reddit", required=changes),)


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


# --- messages -------------------------------------------------------------------------------------------------------

_FACTS = (
    ("Ethan", "ethanb", "Permit for the creek walk", "the number of the permit for the creek walk", r"\bBC-\d+"),
    ("Tyler", "tmorris", "Slice of the pecan", "his telephone number", r"\b\d{3}-\d{3}-\d{4}\b"),
    ("Ren", "ren_k", "Brass powder", "the mesh of his brass powder", r"(?<=Mesh )\d+"),
)


def _fact_params(db: Query) -> Sequence[Params]:
    return [{"person": name, "member": who, "what": what} for name, who, _, what, _ in _FACTS]


def _fact_check(db: Query, p: Params) -> Check:
    _, who, subject, _, pattern = next(fact for fact in _FACTS if fact[1] == p["member"])
    row = db.execute(
        "SELECT x.body FROM message x JOIN conversation c ON c.id = x.conversation_id JOIN member m ON"
        " m.id = x.sender_id"
        " WHERE c.subject = ? AND m.username = ? ORDER BY x.id DESC LIMIT 1",
        (subject, who),
    ).fetchone()
    found = re.search(pattern, row["body"])
    assert found is not None
    kind = "number" if found[0].isdigit() else "text"
    return Check(answer=AnswerCheck(kind=kind, expected=(found[0],)))


def _fact(page: Page, p: Params) -> Solver:
    _, who, subject, _, pattern = next(fact for fact in _FACTS if fact[1] == p["member"])
    yield from open_messages(page)
    yield from open_conversation(page, subject)
    yield from _read_fact(page, who, pattern)


def _fact_by_search(page: Page, p: Params) -> Solver:
    _, who, subject, _, pattern = next(fact for fact in _FACTS if fact[1] == p["member"])
    yield from open_messages(page)
    yield from page.type(
        "Search messages",
        who,
        say=(
            f"Type “{who}” into “Search messages” over the list.",
            f"The small field above the inbox finds conversations by name, so write “{who}” there.",
        ),
    )
    yield from page.press_enter(
        say=(
            "Press Enter; only the conversations with this person stay.",
            "With Enter the list shrinks to what fits.",
        )
    )
    yield from open_conversation(page, subject)
    yield from _read_fact(page, who, pattern)


def _read_fact(page: Page, who: str, pattern: str) -> Solver:
    found = page.matches(pattern)
    if not found:
        raise page.stuck(f"nothing like {pattern!r} in the conversation")
    yield from page.finish(
        found[-1].group(),
        say=(
            f"Read what “{who}” wrote: the last message holds it.",
            f"The answer stands in the light bubble of “{who}” on the left.",
        ),
    )


def _send_params(db: Query) -> Sequence[Params]:
    return [
        {
            "member": "gracie_b",
            "typed": "graci",
            "subject": "The link",
            "body": "Friday is fine. I am bringing four pots.",
        },
        {
            "member": "villeh",
            "typed": "ville",
            "subject": "Pump",
            "body": "Is the pump outside the workshop back already?",
        },
        {"member": "freya_d", "typed": "freya", "subject": "A whistle", "body": "My kettle whistles for 38 seconds."},
        {"member": "naomi_b", "typed": "naomi", "subject": "Gerald", "body": "Give Jack's starter my best wishes."},
    ]


def _send_check(db: Query, p: Params) -> Check:
    (key,) = db.execute("SELECT id FROM member WHERE username = ?", (p["member"],)).fetchone()
    return Check(
        state=_state(
            Change(
                table="conversation",
                op="insert",
                values={"subject": {"~": p["subject"]}, "starter_id": 1, "other_id": key},
            ),
            Change(
                table="message",
                op="insert",
                values={"conversation_id": {"new": "conversation"}, "sender_id": 1, "body": {"~": p["body"]}},
            ),
        )
    )


def _send(page: Page, p: Params) -> Solver:
    yield from open_messages(page)
    yield from page.click(
        "link",
        "New message",
        say=(
            "Begin with “New message” at the top right of the list.",
            "A letter of your own starts with the button “New message”, over the inbox at the right.",
        ),
    )
    yield from page.type(
        "To",
        p["typed"],
        say=(
            f"Type the beginning of the name, “{p['typed']}”, into “To” and wait for the suggestions.",
            f"The field “To” helps you: after “{p['typed']}” it lists the members that fit.",
        ),
    )
    yield from page.click(
        "option",
        p["member"],
        say=(
            f"Take “{p['member']}” from the list below the field.",
            f"One of the suggestions is “{p['member']}”. Clicking it fills the name in.",
        ),
    )
    yield from _write_message(page, p)


def _send_from_profile(page: Page, p: Params) -> Solver:
    yield from _member_by_suggestion(page, p["member"])
    yield from page.click(
        "link",
        "Send message",
        say=(
            "Press “Send message” on the profile; the name is filled in for you.",
            "At the top of the profile, “Send message” opens a form that knows already whom it is for.",
        ),
    )
    yield from _write_message(page, p)


def _write_message(page: Page, p: Params) -> Solver:
    yield from fill(page, "Subject", p["subject"])
    yield from write(page, "Message", p["body"])
    yield from press(page, "Send message")
    yield from done(page)


def _read_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT c.subject, m.username FROM conversation c JOIN message x ON x.conversation_id = c.id"
        " JOIN member m ON m.id = x.sender_id WHERE x.is_read = 0 AND x.sender_id <> 1 ORDER BY x.sent_at DESC"
    ).fetchall()
    pairs = ((0, 2), (1, 3), (0, 3), (1, 2))
    return [
        {
            "first": rows[a]["username"],
            "second": rows[b]["username"],
            "subjects": [rows[a]["subject"], rows[b]["subject"]],
        }
        for a, b in pairs
    ]


def _read_check(db: Query, p: Params) -> Check:
    changes = []
    for name in (p["first"], p["second"]):
        (key,) = db.execute(
            "SELECT x.id FROM message x JOIN member m ON m.id = x.sender_id WHERE m.username = ? AND x.is_read = 0",
            (name,),
        ).fetchone()
        changes.append(Change(table="message", op="update", where={"id": key}, values={"is_read": 1}))
    return Check(state=_state(*changes))


def _read(page: Page, p: Params) -> Solver:
    yield from open_messages(page)
    for subject in p["subjects"]:
        yield from page.click(
            "checkbox",
            f"Select {subject}",
            say=(
                f"Tick the box at the left of “{subject}”.",
                f"Every line begins with a small box; the one before “{subject}” gets a tick.",
            ),
        )
    yield from page.click(
        "button",
        "Mark as read",
        direction="up",
        say=(
            "Press “Mark as read” above the list.",
            "Both are ticked, so the button “Mark as read” over the inbox settles them at once.",
        ),
    )
    yield from done(page)


def _other(db: Query, p: Params) -> Params:
    return {**p, "body": "I have nothing to say."}


TEMPLATES = (
    Template(
        id="reddit.message_fact",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "{person} ({member}) sent me {what} in a message. Look it up for me.",
            "What is {what}? It must be in my messages with {member}.",
        ),
        params=_fact_params,
        check=_fact_check,
        solve=_fact,
        second_route=_fact_by_search,
    ),
    Template(
        id="reddit.message_send",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Send {member} a message with the subject “{subject}” and the text “{body}”",
            "Write to {member}. Subject: {subject}. Text: {body}",
        ),
        params=_send_params,
        check=_send_check,
        solve=_send,
        second_route=_send_from_profile,
        wrong_value=_other,
    ),
    Template(
        id="reddit.messages_read",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Mark the unread messages of {first} and {second} as read, and leave the others alone.",
            "I have seen what {first} and {second} wrote. Mark those two conversations as read, no others.",
        ),
        params=_read_params,
        check=_read_check,
        solve=_read,
    ),
)
