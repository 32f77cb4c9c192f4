"""What the shop says and is told: pages written in the rich-text editor, messages from visitors."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.backoffice import (
    fill,
    mass_action,
    menu,
    open_row,
    save,
    search_list,
    tick,
    view,
)
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import ADMIN, Params, Query, Template
from guideact.types import Change, Check, PageCheck, StateCheck

_START = "__SHOPPING_ADMIN__/"
_LOGINS = {"shopping_admin": ADMIN}

# --- a page rewritten ---------------------------------------------------------------------------------------------

_TEXTS = (
    ("careers", "Jobs at the shop", "No places are open at the moment. We will write here as soon as that changes."),
    ("press", "For journalists", "Write to press@lumo-market.example; pictures come by return of mail."),
    ("sustainability", "How we pack", "Every box is made of recycled card and closed with paper tape."),
)


def _rewrite_params(db: Query) -> Sequence[Params]:
    found = []
    for slug, title, text in _TEXTS:
        row = db.execute("SELECT title FROM cms_page WHERE slug = ?", (slug,)).fetchone()
        found.append({"page": row["title"], "title": title, "text": text})
    return found


def _rewrite_check(db: Query, p: Params) -> Check:
    (page,) = db.execute("SELECT id FROM cms_page WHERE title = ?", (p["page"],)).fetchone()
    change = Change(
        table="cms_page",
        op="update",
        where={"id": page},
        values={"title": {"~": p["title"]}, "body": {"html": p["text"]}},
        any_columns=("updated_at",),
    )
    return Check(state=(StateCheck(site="shopping", required=(change,)),))


def _rewrite_opened(page: Page, p: Params) -> Solver:
    yield from fill(page, "Title", p["title"], where="at the top of the form")
    yield from page.type(
        "Content",
        p["text"],
        what="the editor",
        say=(
            f"Clear the editor and write “{p['text']}”",
            f"The old text in the large box has to make way for one sentence or two: “{p['text']}”",
        ),
    )
    yield from save(page, "Save page")
    yield from page.finish(
        say=(
            "The heading of the page has changed and the preview at the end shows the new text.",
            "When the green note has named the page, visitors read the new words; that is all.",
        )
    )


def _rewrite(page: Page, p: Params) -> Solver:
    yield from menu(page, "Content", "Pages")
    yield from open_row(page, p["page"])
    yield from _rewrite_opened(page, p)


def _rewrite_by_search(page: Page, p: Params) -> Solver:
    yield from menu(page, "Content", "Pages")
    yield from view(page, "Enabled")
    yield from search_list(page, "Title, URL key or words", p["page"])
    yield from open_row(page, p["page"])
    yield from _rewrite_opened(page, p)


# --- a new page ---------------------------------------------------------------------------------------------------

_PAGES = (
    ("Spring market", "spring-market", "Forty makers, one yard, and coffee for everybody."),
    ("Repair café", "repair-cafe", "Bring what is broken. We bring the glue."),
    ("Opening of the second shop", "second-shop", "The same shelves, a different street."),
)


def _new_params(db: Query) -> Sequence[Params]:
    return [{"title": title, "slug": slug, "text": text} for title, slug, text in _PAGES]


def _new_check(db: Query, p: Params) -> Check:
    values = {"title": {"~": p["title"]}, "slug": p["slug"], "body": {"html": p["text"]}, "is_active": 1}
    return Check(
        page=(
            PageCheck(site="shopping", path=f"/page/{p['slug']}", selector="main blockquote", contains=(p["text"],)),
        ),
        state=(StateCheck(site="shopping", required=(Change(table="cms_page", op="insert", values=values),)),),
    )


def _new(page: Page, p: Params) -> Solver:
    yield from menu(page, "Content", "Pages")
    yield from page.click(
        "link",
        "New page",
        say=(
            "Begin a page with the blue button “New page”.",
            "Above the list of pages, at the right, is what you need for another one: “New page”.",
        ),
    )
    yield from fill(page, "Title", p["title"], where="in the first field")
    yield from fill(page, "URL key", p["slug"], where="under the title")
    yield from page.type(
        "Content",
        p["text"],
        what="the editor",
        say=(
            f"Click into the large white box and write “{p['text']}”",
            f"Below a row of little symbols is the place for the text, which is “{p['text']}”",
        ),
    )
    yield from page.click(
        "button",
        "Quote",
        direction="up",
        say=(
            "With the cursor still in the text, press the symbol of a quotation mark, “Quote”.",
            "The bar over the text formats the paragraph you are in. “Quote” indents it with a line at its left.",
        ),
    )
    yield from save(page, "Save page")
    yield from page.finish(
        say=(
            "The preview shows the saved page with its quotation, and nothing more is needed.",
            "Your page has its own heading and date of change: it is online.",
        )
    )


# --- messages answered --------------------------------------------------------------------------------------------


def _read_params(db: Query) -> Sequence[Params]:
    rows = db.execute(
        "SELECT name, subject FROM contact_message WHERE is_read = 0 AND name <> 'Anonymous' ORDER BY id"
    ).fetchall()
    return [
        {"first": rows[a]["name"], "one": rows[a]["subject"], "second": rows[b]["name"], "other": rows[b]["subject"]}
        for a, b in ((0, 3), (1, 5), (2, 4))
    ]


def _read_check(db: Query, p: Params) -> Check:
    required = []
    for name in (p["first"], p["second"]):
        (message,) = db.execute("SELECT id FROM contact_message WHERE name = ? AND is_read = 0", (name,)).fetchone()
        required.append(Change(table="contact_message", op="update", where={"id": message}, values={"is_read": 1}))
    return Check(state=(StateCheck(site="shopping", required=tuple(required)),))


def _read(page: Page, p: Params) -> Solver:
    yield from menu(page, "Content", "Contact messages")
    yield from view(page, "Unread")
    for name, subject in ((p["first"], p["one"]), (p["second"], p["other"])):
        yield from tick(page, f"Select message {subject} from {name}", f"the message from {name}")
    yield from mass_action(page, "Mark as read")
    yield from page.finish(
        say=(
            "The list of unread messages has become two shorter.",
            "Two messages were marked, as the note at the top says: stop here.",
        )
    )


def _read_one_by_one(page: Page, p: Params) -> Solver:
    for number, subject in enumerate((p["one"], p["other"])):
        if number == 0:
            yield from menu(page, "Content", "Contact messages")
        else:
            yield from page.click(
                "link",
                "Contact messages",
                say=(
                    "Return to the list with “Contact messages” over the heading.",
                    "Back to all messages by the small words above the title.",
                ),
            )
        yield from open_row(page, subject)
        yield from page.click(
            "button",
            "Mark as read",
            say=(
                "Press “Mark as read” at the top right.",
                "Opening a message leaves it unread; the button “Mark as read” is what counts.",
            ),
        )
    yield from page.finish(
        say=("Both messages carry the badge “Read”.", "The second one is marked too, so the work is over.")
    )


TEMPLATES = (
    Template(
        id="shopping_admin.page_rewrite",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Rewrite the page “{page}”: the title becomes “{title}”, and the whole text is replaced by this: {text}",
            "Our page “{page}” is out of date. Call it “{title}” and let its content say only: {text}",
        ),
        params=_rewrite_params,
        check=_rewrite_check,
        solve=_rewrite,
        second_route=_rewrite_by_search,
        wrong_value=lambda db, p: {**p, "text": p["text"].split()[0]},
    ),
    Template(
        id="shopping_admin.page_new",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "Make a new page “{title}” with the URL key {slug}. Its only text, formatted as a quote, is: {text}",
            "We need a page for the store: title {title}, URL key {slug}, and as content this sentence set as a quote: "
            "{text}",
        ),
        params=_new_params,
        check=_new_check,
        solve=_new,
        wrong_value=lambda db, p: {**p, "slug": p["slug"] + "-2026"},
    ),
    Template(
        id="shopping_admin.messages_read",
        sites=("shopping_admin",),
        start=_START,
        logins=_LOGINS,
        intents=(
            "I have answered {first} (“{one}”) and {second} (“{other}”) by phone. Mark their messages as read.",
            "The contact messages of {first} and {second} are dealt with. Mark both as read, the rest stays unread.",
        ),
        params=_read_params,
        check=_read_check,
        solve=_read,
        second_route=_read_one_by_one,
    ),
)
