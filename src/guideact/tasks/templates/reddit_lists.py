"""Finding posts and forums by their order: the best, the newest, the largest."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.boards import (
    beside_menu,
    find_post,
    first_post,
    in_page,
    open_directory,
    open_forum,
    search,
    sort_by,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_REDDIT, Params, Query, Template
from guideact.types import AnswerCheck, Check

_START = "__REDDIT__/"
_LOGIN = {"reddit": EMMA_REDDIT}
_SCORE = "(p.ups - p.downs + coalesce((SELECT sum(v.value) FROM vote v WHERE v.post_id = p.id), 0))"

# --- the best post of a forum ---------------------------------------------------------------------------------------


def _best_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name FROM forum WHERE slug IN ('cycling', 'stationery', 'bread', 'filmphoto',"
        " 'opensource') ORDER BY name"
    ).fetchall()
    return [{"forum": row["name"]} for row in rows]


def _best_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        f"SELECT p.title, {_SCORE} AS score FROM post p JOIN forum f ON f.id = p.forum_id WHERE f.name = ?"
        " AND p.status = 'visible' AND p.id NOT IN (SELECT post_id FROM hidden WHERE member_id = 1)"
        " AND p.author_id NOT IN (SELECT other_id FROM blocked WHERE member_id = 1)"
        " ORDER BY score DESC LIMIT 2",
        (p["forum"],),
    ).fetchall()
    assert rows[0]["score"] > rows[1]["score"]
    return Check(answer=AnswerCheck(kind="text", expected=(rows[0]["title"],)))


def _best(page: Page, p: Params) -> Solver:
    yield from open_forum(page, p["forum"])
    yield from _read_best(page)


def _best_by_directory(page: Page, p: Params) -> Solver:
    yield from open_directory(page)
    yield from page.click(
        "link",
        p["forum"],
        within=in_page(page),
        say=(
            f"Find “{p['forum']}” in the table and follow its name.",
            f"The first column of the table holds the names; the one you want reads “{p['forum']}”.",
        ),
    )
    yield from _read_best(page)


def _read_best(page: Page) -> Solver:
    yield from sort_by(page, "Top", "All time")
    yield from page.finish(
        first_post(page),
        say=(
            "Give the bold title of the first card: sorted like this, it is the one with the most points.",
            "The list now begins with the best post of all years, so its title is the answer.",
        ),
    )


# --- the newest post with a flair -----------------------------------------------------------------------------------


def _flair_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT f.name AS forum, x.name AS flair, count(*) AS n FROM post p JOIN forum f ON f.id = p.forum_id"
        " JOIN flair x ON x.id = p.flair_id WHERE p.status = 'visible' AND f.slug IN ('coffee', 'ceramics', 'hiking',"
        " 'austin', 'woodshop') GROUP BY x.id HAVING n BETWEEN 3 AND 12 ORDER BY f.name, n DESC, x.id"
    ).fetchall()
    found: dict[str, Params] = {}
    for row in rows:
        if "&" not in row["flair"]:
            found.setdefault(row["forum"], {"forum": row["forum"], "flair": row["flair"]})
    return list(found.values())


def _flair_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT p.title FROM post p JOIN forum f ON f.id = p.forum_id JOIN flair x ON x.id = p.flair_id"
        " WHERE f.name = ? AND x.name = ? AND p.status = 'visible'"
        " AND p.id NOT IN (SELECT post_id FROM hidden WHERE member_id = 1)"
        " AND p.author_id NOT IN (SELECT other_id FROM blocked WHERE member_id = 1) ORDER BY p.created_at DESC LIMIT 1",
        (p["forum"], p["flair"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["title"],)))


def _flair(page: Page, p: Params) -> Solver:
    yield from open_forum(page, p["forum"])
    yield from page.click(
        "link",
        p["flair"],
        near="Flairs",
        say=(
            f"Click the label “{p['flair']}” in the box “Flairs” on the right, so that only such posts stay.",
            f"At the right, below the rules, all flairs of the forum are listed; “{p['flair']}” narrows"
            " the list to it.",
        ),
    )
    yield from sort_by(page, "New")
    yield from page.finish(
        first_post(page),
        say=(
            "The card on top is the latest with this flair; its bold title is what was asked for.",
            "Sorted by age the newest comes first, so read off the title of the first card.",
        ),
    )


# --- the largest forum on a topic -----------------------------------------------------------------------------------


def _largest_params(db: Query) -> Sequence[Params]:
    rows = db.execute("SELECT DISTINCT topic FROM forum ORDER BY topic").fetchall()
    return [{"topic": row["topic"]} for row in rows][:5]


def _largest_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT f.name, count(*) AS n FROM forum f JOIN subscription s ON s.forum_id = f.id WHERE f.topic = ?"
        " GROUP BY f.id ORDER BY n DESC LIMIT 2",
        (p["topic"],),
    ).fetchall()
    assert rows[0]["n"] > rows[1]["n"]
    return Check(answer=AnswerCheck(kind="text", expected=(rows[0]["name"],)))


def _largest(page: Page, p: Params) -> Solver:
    yield from open_directory(page)
    yield from page.click(
        "link",
        p["topic"],
        near="All topics",
        say=(
            f"Narrow the table to “{p['topic']}” in the bar over it.",
            f"A row of topics stands above the table, and “{p['topic']}” leaves only the forums that matter here.",
        ),
    )
    for say in (
        (
            "Click the head “Members” to sort the table by it.",
            "The heads of the columns are links; the one called “Members” arranges the rows by size.",
        ),
        (
            "Press “Members” once more, so that the largest number stands on top.",
            "An arrow pointing up means smallest first: a second click on “Members” turns it round.",
        ),
    ):
        yield from page.click("link", "Members", say=say)
    outside, head = beside_menu(page), _head(page)
    rows = [link for link in page.find_all("link") if outside(link.box) and link.box.y > head + 20]
    yield from page.finish(
        min(rows, key=lambda link: link.box.y).name,
        say=(
            "Answer with the name in the first row: no other forum on this topic has more members.",
            "The forum that now heads the table is the largest one.",
        ),
    )


def _head(page: Page) -> float:
    head = page.find("link", "Members")
    if head is None:
        raise page.stuck("no column of members")
    return head.box.y


# --- the best comment -----------------------------------------------------------------------------------------------


def _comment_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT p.title FROM post p JOIN forum f ON f.id = p.forum_id WHERE f.slug IN ('ask', 'bread',"
        " 'running', 'audio')"
        " AND (SELECT count(*) FROM comment c WHERE c.post_id = p.id AND c.parent_id IS NULL) >= 3"
        " AND p.created_at >= '2026-03-08' AND p.status = 'visible' ORDER BY f.id, p.id"
    ).fetchall()
    return [{"title": row["title"]} for row in rows[::3]][:4]


def _comment_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT m.username, c.ups - c.downs + coalesce((SELECT sum(v.value) FROM vote v WHERE"
        " v.comment_id = c.id), 0) AS n"
        " FROM comment c JOIN member m ON m.id = c.author_id JOIN post p ON p.id = c.post_id WHERE p.title = ?"
        " AND c.status = 'visible' ORDER BY n DESC LIMIT 2",
        (p["title"],),
    ).fetchall()
    assert rows[0]["n"] > rows[1]["n"]
    return Check(answer=AnswerCheck(kind="text", expected=(rows[0]["username"],)))


def _comment(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from _read_comment(page)


def _comment_by_suggestion(page: Page, p: Params) -> Solver:
    yield from page.type(
        "Search the boards",
        p["title"],
        say=(
            f"Type “{p['title']}” into the search box in the header and wait for the suggestions.",
            f"As soon as “{p['title']}” stands in the field at the top, matching posts are offered below it.",
        ),
    )
    yield from page.click(
        "option",
        p["title"],
        say=(
            "Take the suggestion with the very same title.",
            "Below the search box the post is offered; one click on it opens the thread.",
        ),
    )
    yield from _read_comment(page)


def _read_comment(page: Page) -> Solver:
    fold = yield from page.reach("button", "Fold comment", what="the first comment")
    names = [
        link
        for link in page.find_all("link")
        if abs(link.box.centre[1] - fold.box.centre[1]) < 14 and 0 < link.box.x - fold.box.x < 120
    ]
    if not names:
        raise page.stuck("no author beside the first comment", [link.name for link in page.find_all("link")])
    yield from page.finish(
        min(names, key=lambda link: link.box.x).name,
        say=(
            "Comments are sorted by “Best” at first, so the name over the first one is the answer.",
            "The topmost comment has the most points; give the name that stands beside its small round button.",
        ),
    )


# --- where somebody said something ----------------------------------------------------------------------------------


def _said_params(db: Query) -> Sequence[Params]:
    wanted = ("Drying rooms", "Rudy on Springdale", "plum dumplings", "Zenon")
    found: list[Params] = []
    for words in wanted:
        row = db.execute(
            "SELECT m.username FROM comment c JOIN member m ON m.id = c.author_id WHERE instr(c.body, ?)", (words,)
        ).fetchone()
        found.append({"words": words, "author": row["username"]})
    return found


def _said_check(db: Query, p: Params) -> Check:
    rows = db.execute(
        "SELECT p.title FROM comment c JOIN post p ON p.id = c.post_id JOIN member m ON m.id = c.author_id"
        " WHERE instr(c.body, ?) AND m.username = ?",
        (p["words"], p["author"]),
    ).fetchall()
    assert len(rows) == 1
    return Check(answer=AnswerCheck(kind="text", expected=(rows[0]["title"],)))


def _said(page: Page, p: Params) -> Solver:
    yield from search(page, p["words"])
    yield from page.click(
        "link",
        "Comments",
        near="Forums",
        say=(
            "Switch from posts to comments with the tab “Comments” over the results.",
            "What was said below a post is found under “Comments”, the second tab above the list.",
        ),
    )
    authors = page.find_all("link", p["author"])
    if not authors:
        raise page.stuck("the comment is not among the results", [link.name for link in page.find_all("link")])
    at = authors[0].box
    outside = beside_menu(page)
    below = [link for link in page.find_all("link") if 10 < link.box.y - at.y < 50 and outside(link.box)]
    titles = [link for link in below if -10 < at.x - link.box.x < 260]
    yield from page.finish(
        min(titles, key=lambda link: link.box.y).name,
        say=(
            f"Find the comment by “{p['author']}”: the bold line under the name is the post it belongs to.",
            "Each result shows in bold which post was commented on. That line is the answer.",
        ),
    )


TEMPLATES = (
    Template(
        id="reddit.best_post",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Which post in the forum {forum} has the highest score of all time? I need its title.",
            "Find the post with the most points that was ever written in {forum} and tell me its title.",
        ),
        params=_best_params,
        check=_best_check,
        solve=_best,
        second_route=_best_by_directory,
    ),
    Template(
        id="reddit.newest_with_flair",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "What is the title of the latest post flaired “{flair}” in {forum}?",
            "Somebody has just posted in {forum} with the flair {flair}. What is that newest post called?",
        ),
        params=_flair_params,
        check=_flair_check,
        solve=_flair,
    ),
    Template(
        id="reddit.largest_forum",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Of the forums in the topic “{topic}”, which one has the most members?",
            "I would like to join the biggest forum under {topic}. What is its name?",
        ),
        params=_largest_params,
        check=_largest_check,
        solve=_largest,
    ),
    Template(
        id="reddit.best_comment",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "Who wrote the comment with the most points under “{title}”? Give me the user name.",
            "Look at the thread “{title}”: which member got the highest score for a comment there?",
        ),
        params=_comment_params,
        check=_comment_check,
        solve=_comment,
        second_route=_comment_by_suggestion,
    ),
    Template(
        id="reddit.where_said",
        sites=("reddit",),
        start=_START,
        logins=_LOGIN,
        intents=(
            "{author} once wrote a comment that mentions “{words}”. Under which post was that?",
            "I remember a comment by {author} with the words “{words}”. What is the title of the post it belongs to?",
        ),
        params=_said_params,
        check=_said_check,
        solve=_said,
    ),
)
