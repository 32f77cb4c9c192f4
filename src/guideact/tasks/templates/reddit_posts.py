"""Publishing posts on the boards, editing them, and sharing them with other forums."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from guideact.tasks.boards import done, fill, find_post, mark, open_forum, open_menu, pick_from, press, write
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


# --- posts ----------------------------------------------------------------------------------------------------------


def _new_post(page: Page) -> Solver:
    yield from page.click(
        "link",
        "Create post",
        direction="up",
        say=(
            "Press “Create post” in the header.",
            "Everything new begins with “Create post”, at the top right of every page.",
        ),
    )


def _text_params(db: Query) -> Sequence[Params]:
    return [
        {
            "forum": "Coffee Corner",
            "flair": "Question",
            "title": "Is rain water too soft for filter coffee?",
            "body": "I have a barrel of it and no idea.",
        },
        {
            "forum": "Slow Tea",
            "flair": "Kettle",
            "title": "A whistle from Austin for the collection",
            "body": "Thirty-eight seconds, an A, slightly flat.",
        },
        {
            "forum": "Book Club",
            "flair": "Recommendation",
            "title": "A short novel for a long flight",
            "body": "Nothing with planes in it, please.",
        },
        {
            "forum": "Night Trains",
            "flair": "Question",
            "title": "Is there a sleeper to the kettle congress?",
            "body": "London to Edinburgh on 17 September.",
        },
    ]


def _text_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    (flair,) = db.execute("SELECT id FROM flair WHERE forum_id = ? AND name = ?", (forum, p["flair"])).fetchone()
    values = {
        "forum_id": forum,
        "author_id": 1,
        "kind": "text",
        "flair_id": flair,
        "title": {"~": p["title"]},
        "body": {"~": p["body"]},
    }
    return Check(state=_state(Change(table="post", op="insert", values=values)))


def _text(page: Page, p: Params) -> Solver:
    yield from _new_post(page)
    yield from pick_from(page, "Forum", p["forum"])
    yield from _finish_text(page, p)


def _text_in_forum(page: Page, p: Params) -> Solver:
    # From a forum's page the form knows the forum already.
    yield from open_forum(page, p["forum"])
    yield from _new_post(page)
    yield from _finish_text(page, p)


def _finish_text(page: Page, p: Params) -> Solver:
    yield from pick_from(page, "Flair", p["flair"])
    yield from fill(page, "Title", p["title"])
    yield from write(page, "Text", p["body"])
    yield from press(page, "Publish post")
    yield from done(page)


def _picture_params(db: Query) -> Sequence[Params]:
    return [
        {"forum": "Helsinki", "picture": "Lighthouse", "title": "The last light before the open sea"},
        {"forum": "Trails & Tents", "picture": "Mountains", "title": "Where I slept on Friday"},
        {"forum": "Slow Tea", "picture": "Teapot", "title": "It pours outwards now"},
        {"forum": "Book Club", "picture": "Bookshelf", "title": "Sorted by colour, forgive me"},
    ]


def _picture_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    names = {"Lighthouse": "lighthouse", "Mountains": "mountain", "Teapot": "teapot", "Bookshelf": "bookshelf"}
    values = {
        "forum_id": forum,
        "author_id": 1,
        "kind": "picture",
        "picture": names[p["picture"]],
        "title": {"~": p["title"]},
    }
    return Check(state=_state(Change(table="post", op="insert", values=values)))


def _picture(page: Page, p: Params) -> Solver:
    yield from _new_post(page)
    yield from pick_from(page, "Forum", p["forum"])
    yield from mark(page, "Kind of post", "Picture")
    yield from fill(page, "Title", p["title"])
    box = page.find("group", "Pictures to choose from")
    yield from page.reach("radio", p["picture"], what=f"the picture “{p['picture']}”", inside=box)
    yield from page.click(
        "radio",
        p["picture"],
        say=(
            f"Click the small picture named “{p['picture']}”.",
            f"The pictures have their names below them; choose “{p['picture']}”, and a frame appears around it.",
        ),
    )
    yield from press(page, "Publish post")
    yield from done(page)


def _edit_params(db: Query) -> Sequence[Params]:
    return [
        {
            "title": "Who repairs a kiln in this town?",
            "flair": "Photo",
            "body": "Solved: a man called Rudy did it in an hour.",
        },
        {
            "title": "A tote that carries more than it promises",
            "flair": "Ten years on",
            "body": "Library Tote, owned for 4 years. A seam has opened, I have mended it.",
        },
        {
            "title": "Which notebook survives a year in a back pocket?",
            "flair": "Question",
            "body": "Found one, sewn and small. I will report in a year.",
        },
    ]


def _edit_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id, forum_id FROM post WHERE title = ?", (p["title"],)).fetchone()
    (flair,) = db.execute(
        "SELECT id FROM flair WHERE forum_id = ? AND name = ?", (row["forum_id"], p["flair"])
    ).fetchone()
    return Check(
        state=_state(
            Change(
                table="post",
                op="update",
                where={"id": row["id"]},
                values={"body": {"~": p["body"]}, "flair_id": flair, "edited_at": "*"},
            )
        )
    )


def _edit(page: Page, p: Params) -> Solver:
    yield from open_menu(page, "My profile")
    yield from page.click(
        "link",
        p["title"],
        say=(
            f"Open your post “{p['title']}” from the list.",
            f"All your posts are listed on your profile, and “{p['title']}” is one of them.",
        ),
    )
    yield from _finish_edit(page, p)


def _edit_by_search(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from _finish_edit(page, p)


def _finish_edit(page: Page, p: Params) -> Solver:
    yield from page.click(
        "link",
        "Edit post",
        say=(
            "Choose “Edit post” in the row under the text.",
            "As it is your own, the post has a pencil with “Edit post” below its text.",
        ),
    )
    yield from pick_from(page, "Flair", p["flair"])
    yield from write(page, "Text", p["body"])
    yield from press(page, "Save changes")
    yield from done(page)


def _cross_params(db: Query) -> Sequence[Params]:
    return [
        {"title": "The sea ice is singing off Kaivopuisto", "forum": "Slow Tea", "new": "Ice that whistles"},
        {"title": "A history of bread, read while it proves", "forum": "Book Club", "new": "A book that smells of rye"},
        {"title": "Bats are back, two weeks early", "forum": "Film Photography", "new": "Bring a fast film"},
        {"title": "First bicycle: sixteen inches or wait?", "forum": "Cycling", "new": "Sixteen inches, a report"},
    ]


def _cross_check(db: Query, p: Params) -> Check:
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    values = {
        "forum_id": forum,
        "author_id": 1,
        "crosspost_id": _post(db, p["title"]),
        "title": {"~": p["new"]},
    }
    return Check(state=_state(Change(table="post", op="insert", values=values)))


def _cross(page: Page, p: Params) -> Solver:
    yield from find_post(page, p["title"])
    yield from page.click(
        "link",
        "Crosspost",
        say=(
            "Press “Crosspost” in the row below the text.",
            "Two crossing arrows with the word “Crosspost” stand under the post; they open a small form.",
        ),
    )
    yield from pick_from(page, "Forum", p["forum"])
    yield from fill(page, "Title", p["new"])
    yield from press(page, "Publish crosspost")
    yield from done(page)


TEMPLATES = (
    _template(
        "post_text",
        (
            "Post in {forum} with the flair {flair}. Title: {title} Text: {body}",
            "Write a new text post in the forum {forum}: the title is “{title}”, the text “{body}”, the flair {flair}.",
        ),
        _text_params,
        _text_check,
        _text,
        second_route=_text_in_forum,
        wrong_value=_other,
    ),
    _template(
        "post_picture",
        (
            "Publish a picture post in {forum} with the ready-made picture “{picture}” and the title"
            " “{title}”. No text.",
            "In {forum}, post the picture {picture} from the boards' own set; call it “{title}”.",
        ),
        _picture_params,
        _picture_check,
        _picture,
        wrong_value=lambda db, p: {**p, "title": "Untitled"},
    ),
    _template(
        "edit_post",
        (
            "Edit my post “{title}”: the flair becomes {flair}, and the text becomes “{body}”",
            "My post “{title}” needs an update. New text: {body} New flair: {flair}",
        ),
        _edit_params,
        _edit_check,
        _edit,
        second_route=_edit_by_search,
        wrong_value=_other,
    ),
    _template(
        "crosspost",
        (
            "Crosspost “{title}” to {forum} under the title “{new}”.",
            "The people in {forum} should see “{title}”. Crosspost it there and call it “{new}”.",
        ),
        _cross_params,
        _cross_check,
        _cross,
        wrong_value=lambda db, p: {**p, "new": "Seen elsewhere"},
    ),
)
