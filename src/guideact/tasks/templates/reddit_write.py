"""Voting, saving, writing, editing and deleting on the boards."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from guideact.tasks.boards import (
    beside_menu,
    done,
    fill,
    find_post,
    first_post,
    in_page,
    mark,
    open_forum,
    open_menu,
    press,
    search,
    sort_by,
    write,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import Change, Check, StateCheck

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}


def _state(*changes: Change) -> tuple[StateCheck, ...]:
    return (StateCheck(site="reddit", required=changes),)


def _post(db: Query, title: str) -> int:
    row = db.execute("SELECT id FROM post WHERE title = ?", (title,)).fetchone()
    key: int = row["id"]
    return key


def _comment(db: Query, title: str, author: str) -> int:
    rows = db.execute(
        "SELECT c.id FROM comment c JOIN post p ON p.id = c.post_id JOIN member m ON m.id = c.author_id"
        " WHERE p.title = ? AND m.username = ? AND c.status = 'visible'",
        (title, author),
    ).fetchall()
    assert len(rows) == 1
    key: int = rows[0]["id"]
    return key


def _threads(db: Query, forums: tuple[str, ...]) -> list[tuple[str, str, str]]:
    """(title, author, beginning of the comment): comments at the top level whose author speaks once in the thread."""
    rows = db.execute(
        "SELECT p.title, m.username, c.body, f.slug FROM comment c JOIN post p ON p.id = c.post_id"
        " JOIN member m ON m.id = c.author_id JOIN forum f ON f.id = p.forum_id WHERE c.parent_id IS NULL"
        " AND c.author_id <> 1 AND c.author_id <> p.author_id AND p.created_at >= '2026-03-08' AND p.author_id <> 1"
        " AND p.kind = 'text' AND p.is_locked = 0 AND c.status = 'visible' AND p.status = 'visible'"
        " AND NOT EXISTS (SELECT 1 FROM vote v WHERE v.comment_id = c.id)"
        " AND NOT EXISTS (SELECT 1 FROM report r WHERE r.post_id = p.id)"
        " AND (SELECT count(*) FROM comment x WHERE x.post_id = p.id AND x.author_id = c.author_id) = 1 ORDER BY c.id"
    ).fetchall()
    found: dict[str, tuple[str, str, str]] = {}
    for row in rows:
        if row["slug"] in forums:
            found.setdefault(row["slug"], (row["title"], row["username"], row["body"]))
    return list(found.values())


# --- votes ----------------------------------------------------------------------------------------------------------


def _vote_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.title FROM post p JOIN forum f ON f.id = p.forum_id WHERE f.slug IN ('tea', 'woodshop',"
        " 'maps', 'audio')"
        " AND p.created_at >= '2026-03-08' AND p.kind <> 'link' AND NOT EXISTS (SELECT 1 FROM vote v"
        " WHERE v.post_id = p.id)"
        " GROUP BY f.id HAVING p.id = min(p.id) ORDER BY f.id"
    ).fetchall()
    ways = ("up", "down", "up", "down")
    return [{"title": row["title"], "way": way} for row, way in zip(rows, ways, strict=False)]


def _vote_check(db: Query, p: Params) -> Check:
    values = {"member_id": 1, "post_id": _post(db, p["title"]), "value": 1 if p["way"] == "up" else -1}
    return Check(state=_state(Change(table="vote", op="insert", values=values)))


def _vote(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from _press_vote(page, p)


def _vote_in_list(page: Page, p: Params) -> Solver:
    yield from search(page, p["title"])
    yield from _press_vote(page, p)


def _press_vote(page: Page, p: Params) -> Solver:
    yield from page.click(
        "button",
        f"{p['way'].capitalize()}vote",
        near=p["title"],
        say=(
            f"Press the arrow that points {p['way']}, left of the title.",
            f"To the left of “{p['title']}” are two arrows around the score; the one pointing {p['way']} is yours.",
        ),
    )
    yield from page.finish(
        say=(
            "The arrow is filled with colour now, so your vote counts.",
            "You can tell by the coloured arrow that you have voted.",
        )
    )


def _comment_vote_params(db: Query) -> Sequence[Params]:
    found = _threads(db, ("bread", "running", "parents", "opensource"))
    return [{"title": title, "author": author, "words": body} for title, author, body in found]


def _comment_vote_check(db: Query, p: Params) -> Check:
    values = {"member_id": 1, "comment_id": _comment(db, p["title"], p["author"]), "value": 1}
    return Check(state=_state(Change(table="vote", op="insert", values=values)))


def _comment_vote(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.reach_text(p["words"][:24], what=f"the comment by “{p['author']}”")
    yield from page.click(
        "button",
        "Upvote",
        near=p["words"][:24],
        what=f"the arrow below the comment by “{p['author']}”",
        say=(
            f"Press the upward arrow below the comment by “{p['author']}”.",
            f"Comments have small arrows of their own under the text; use the upper one where “{p['author']}” wrote.",
        ),
    )
    yield from page.finish(
        say=(
            "The little arrow has turned red: done.",
            "With the arrow below the comment coloured, your vote has been counted.",
        )
    )


# --- saving ---------------------------------------------------------------------------------------------------------


def _save_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM forum WHERE slug IN ('houseplants', 'ask', 'coffee', 'nighttrains') ORDER BY slug"
    ).fetchall()
    return [{"forum": row["name"]} for row in rows]


def _save_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT p.id FROM post p JOIN forum f ON f.id = p.forum_id WHERE f.name = ? AND p.status = 'visible'"
        " AND p.id NOT IN (SELECT post_id FROM hidden WHERE member_id = 1)"
        " AND p.author_id NOT IN (SELECT other_id FROM blocked WHERE member_id = 1) ORDER BY p.created_at DESC LIMIT 1",
        (p["forum"],),
    ).fetchone()
    return Check(state=_state(Change(table="saved", op="insert", values={"member_id": 1, "post_id": row["id"]})))


def _save(page: Page, p: Params) -> Solver:
    yield from open_forum(page, p["forum"])
    yield from sort_by(page, "New")
    title = first_post(page)
    yield from page.click(
        "button",
        "Save",
        near=title,
        say=(
            "Press “Save” at the foot of the first card.",
            "The newest post is the first card now. Below its text there is “Save”, with a small ribbon.",
        ),
    )
    yield from done(page)


# --- joining --------------------------------------------------------------------------------------------------------


def _join_params(db: Query) -> Sequence[Params]:
    mine = "SELECT f.name FROM forum f JOIN subscription s ON s.forum_id = f.id AND s.member_id = 1 ORDER BY f.name"
    others = (
        "SELECT name FROM forum WHERE id NOT IN (SELECT forum_id FROM subscription WHERE member_id = 1) ORDER BY name"
    )
    left = [row["name"] for row in db.execute(mine).fetchall()]
    joined = [row["name"] for row in db.execute(others).fetchall()]
    return [{"join": joined[at * 3], "leave": left[at * 2]} for at in range(4)]


def _join_check(db: Query, p: Params) -> Check:
    (new,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["join"],)).fetchone()
    (old,) = db.execute(
        "SELECT s.id FROM subscription s JOIN forum f ON f.id = s.forum_id WHERE f.name = ? AND s.member_id = 1",
        (p["leave"],),
    ).fetchone()
    return Check(
        state=_state(
            Change(table="subscription", op="insert", values={"forum_id": new, "member_id": 1}),
            Change(table="subscription", op="delete", where={"id": old}),
        )
    )


def _join(page: Page, p: Params) -> Solver:
    for forum, button, why in (
        (p["join"], "Join", "become a member"),
        (p["leave"], "Leave", "give up your membership"),
    ):
        yield from open_forum(page, forum)
        yield from page.click(
            "button",
            button,
            direction="up",
            say=(
                f"Press “{button}” at the right of the name “{forum}”.",
                f"The head of the forum has a button “{button}”, by which you {why}.",
            ),
        )
    yield from done(page)


def _join_in_table(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Directory",
        say=(
            "Open the “Directory” at the left; both forums are in its table.",
            "All forums can be joined and left in one table, behind “Directory” in the left column.",
        ),
    )
    for forum, button in ((p["join"], "Join"), (p["leave"], "Leave")):
        # Another link of the same name may stand in the left column.
        yield from page.reach("link", forum, within=in_page(page), what=f"the row of “{forum}”")
        yield from page.click(
            "button",
            button,
            near=_tagline(page, forum),
            say=(
                f"Press “{button}” at the end of the row of “{forum}”.",
                f"The last cell of each row is a button; in the row of “{forum}” it says “{button}”.",
            ),
        )
    yield from done(page)


def _tagline(page: Page, forum: str) -> str:
    """The words under a forum's name in the table, which stand nowhere else."""
    outside = beside_menu(page)
    rows = [link.box for link in page.find_all("link", forum) if outside(link.box)]
    if not rows:
        raise page.stuck(f"no row of {forum!r}")
    below = [line for line in page.lines() if 0 < line.box.y - rows[0].y < 40 and abs(line.box.x - rows[0].x) < 8]
    return below[0].text


# --- comments -------------------------------------------------------------------------------------------------------


def _say_params(db: Query) -> Sequence[Params]:
    words = (
        "Thank you, I will try that on Saturday.",
        "Mine does the same and I have stopped worrying.",
        "Please keep us posted about how it ends.",
        "I learned this from my aunt and never doubted it.",
    )
    found = _threads(db, ("coffee", "onepot", "learned", "hiking"))
    return [{"title": title, "body": body} for (title, _, _), body in zip(found, words, strict=True)]


def _say_check(db: Query, p: Params) -> Check:
    values = {"post_id": _post(db, p["title"]), "parent_id": None, "author_id": 1, "body": {"~": p["body"]}}
    return Check(state=_state(Change(table="comment", op="insert", values=values)))


def _say(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from write(page, "Add a comment", p["body"])
    yield from press(page, "Post comment")
    yield from done(page)


def _reply_params(db: Query) -> Sequence[Params]:
    words = (
        "That is exactly what I needed to hear.",
        "Which one do you have?",
        "I did not know that, thank you!",
        "We should talk about this over tea.",
    )
    found = _threads(db, ("tea", "filmphoto", "maps", "smallspaces"))
    return [
        {"title": title, "author": author, "words": words_said, "body": body}
        for (title, author, words_said), body in zip(found, words, strict=True)
    ]


def _reply_check(db: Query, p: Params) -> Check:
    values = {
        "post_id": _post(db, p["title"]),
        "parent_id": _comment(db, p["title"], p["author"]),
        "author_id": 1,
        "body": {"~": p["body"]},
    }
    return Check(state=_state(Change(table="comment", op="insert", values=values)))


def _reply(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.reach_text(p["words"][:24], what=f"the comment by “{p['author']}”")
    yield from page.click(
        "button",
        "Reply",
        near=p["words"][:24],
        what=f"“Reply” below the comment by “{p['author']}”",
        say=(
            f"Press “Reply” below the comment by “{p['author']}”; a box opens there.",
            f"Under what “{p['author']}” wrote stands “Reply”, which unfolds a field for your answer.",
        ),
    )
    yield from fill(page, "Your reply", p["body"])
    yield from press(page, "Post reply")
    yield from done(page)


def _delete_params(db: Query) -> Sequence[Params]:
    return [
        {"title": "March swap thread", "words": "I have lighthouses!"},
        {"title": "Studio shelf etiquette, please discuss", "words": "I make plates."},
        {"title": "Who repairs a kiln in this town?", "words": "Rudy came, Rudy saw"},
    ]


def _delete_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT c.id FROM comment c JOIN post p ON p.id = c.post_id WHERE p.title = ? AND c.author_id = 1"
        " AND instr(c.body, ?) = 1",
        (p["title"], p["words"]),
    ).fetchone()
    return Check(
        state=_state(Change(table="comment", op="update", where={"id": row["id"]}, values={"status": "deleted"}))
    )


def _delete(page: Page, p: Params) -> Solver:
    yield from open_menu(page, "My profile")
    yield from page.click(
        "link",
        "Comments",
        near="Downvoted",
        say=(
            "Switch to your “Comments” in the bar under your name.",
            "Your posts are shown first; what you said below other posts is under “Comments”.",
        ),
    )
    yield from page.click(
        "link",
        p["title"],
        say=(
            f"Open the thread by its bold title, “{p['title']}”, above your comment.",
            f"Over each comment stands the post it belongs to. Follow “{p['title']}”.",
        ),
    )
    yield from _press_delete(page, p)


def _delete_by_search(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from _press_delete(page, p)


def _press_delete(page: Page, p: Params) -> Solver:
    yield from page.reach_text(p["words"], what="your comment")
    yield from page.click(
        "button",
        "Delete",
        near=p["words"],
        what="“Delete” below your comment",
        say=(
            "Press “Delete” right below your own comment and agree when you are asked.",
            "Only your own comments have a bin with the word “Delete” under them. The browser asks once more.",
        ),
    )
    yield from done(page)


# --- reporting ------------------------------------------------------------------------------------------------------


def _report_params(db: Query) -> Sequence[Params]:
    found = _threads(db, ("cycling", "houseplants", "books", "buyonce"))
    reasons = ("Off topic", "Spam", "Not safe", "Something else")
    notes = (
        "Wrong forum, I think.",
        "I have seen this before.",
        "Please check this advice.",
        "Has the link been paid for?",
    )
    return [
        {"title": title, "reason": reason, "note": note}
        for (title, _, _), reason, note in zip(found, reasons, notes, strict=True)
    ]


def _report_check(db: Query, p: Params) -> Check:
    post = _post(db, p["title"])
    (forum,) = db.execute("SELECT forum_id FROM post WHERE id = ?", (post,)).fetchone()
    values = {
        "post_id": post,
        "forum_id": forum,
        "reporter_id": 1,
        "reason": p["reason"],
        "note": {"~": p["note"]},
    }
    return Check(state=_state(Change(table="report", op="insert", values=values)))


def _report(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.click(
        "link",
        "Report post",
        say=(
            "Press “Report post” below the text; a window opens over the page.",
            "The little flag with “Report post”, under the post, brings up a form for the moderators.",
        ),
    )
    yield from mark(page, "Reason", p["reason"])
    yield from fill(page, "Note for the moderators", p["note"])
    yield from press(page, "Send report")
    yield from done(page)


def _other(db: Query, p: Params) -> Params:
    return {**p, "body": "Something else altogether."}


def _template(
    name: str,
    intents: tuple[str, ...],
    params: Callable[[Query], Sequence[Params]],
    check: Callable[[Query, Params], Check],
    solve: Callable[[Page, Params], Solver],
    *,
    second_route: Callable[[Page, Params], Solver] | None = None,
    wrong_value: Callable[[Query, Params], Params] | None = None,
) -> Template:
    return Template(
        id=f"reddit.{name}",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=intents,
        params=params,
        check=check,
        solve=solve,
        second_route=second_route,
        wrong_value=wrong_value,
    )


TEMPLATES = (
    _template(
        "vote",
        (
            "Vote {way} the post “{title}”.",
            "Give the post “{title}” a vote {way}.",
        ),
        _vote_params,
        _vote_check,
        _vote,
        second_route=_vote_in_list,
        wrong_value=lambda db, p: {**p, "way": "down" if p["way"] == "up" else "up"},
    ),
    _template(
        "comment_vote",
        (
            "I agree with what {author} says under “{title}”: upvote that comment.",
            "Upvote the comment by {author} in the thread “{title}”.",
        ),
        _comment_vote_params,
        _comment_vote_check,
        _comment_vote,
    ),
    _template(
        "save_newest",
        (
            "Save the newest post in {forum} for me, so that I can read it tonight.",
            "Put the latest post of the forum {forum} on my saved list.",
        ),
        _save_params,
        _save_check,
        _save,
    ),
    _template(
        "join_and_leave",
        (
            "Join the forum {join} and leave {leave}.",
            "I have lost interest in {leave}, take me out of it. Make me a member of {join} instead.",
        ),
        _join_params,
        _join_check,
        _join,
        second_route=_join_in_table,
    ),
    _template(
        "comment",
        (
            "Comment on the post “{title}”: {body}",
            "Under “{title}”, write this for me: “{body}”",
        ),
        _say_params,
        _say_check,
        _say,
        wrong_value=_other,
    ),
    _template(
        "reply",
        (
            "Reply to the comment by {author} under “{title}”: {body}",
            "In the thread “{title}”, answer {author} with “{body}”",
        ),
        _reply_params,
        _reply_check,
        _reply,
        wrong_value=_other,
    ),
    _template(
        "delete_comment",
        (
            "Delete my comment under “{title}” that begins “{words}”.",
            "I regret what I wrote under “{title}” (it starts with “{words}”). Delete that comment.",
        ),
        _delete_params,
        _delete_check,
        _delete,
        second_route=_delete_by_search,
    ),
    _template(
        "report",
        (
            "Report the post “{title}” to the moderators: the reason is “{reason}”, and add the note “{note}”",
            "Tell the moderators about “{title}”. Reason: {reason}. Note: {note}",
        ),
        _report_params,
        _report_check,
        _report,
        wrong_value=lambda db, p: {**p, "note": "No comment."},
    ),
)
