"""Questions that articles of the encyclopedia answer: facts, prose, histories."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.companies import COMPANIES, EVENTS
from guideact.sites.wikipedia.corpus import by_slug
from guideact.sites.wikipedia.markup import slug_of
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_WIKIPEDIA, Params, Query, Template
from guideact.tasks.wikipedia_deeds import (
    follow,
    look_for,
    look_up,
    open_history,
    take_suggestion,
)
from guideact.types import AnswerCheck, Check

_START = "__WIKIPEDIA__/"
_SITES = ("wikipedia",)
_LOGINS = {"wikipedia": EMMA_WIKIPEDIA}


# --- a company by its founder -------------------------------------------------------------------------------------

_FOUNDERS = ("Lena Wagner", "Kenji Watanabe", "Priya Shah", "Antoine Bernard", "Noah Fischer")
_COMPANY_LIST = "List of companies by year of foundation"


def _staff_params(db: Query) -> Sequence[Params]:
    return [{"founder": founder} for founder in _FOUNDERS]


def _staff_check(db: Query, p: Params) -> Check:
    (company,) = (one for one in COMPANIES.values() if one.founder == p["founder"])
    return Check(answer=AnswerCheck(kind="number", expected=(str(company.employees),)))


def _staff(page: Page, p: Params) -> Solver:
    yield from look_for(page, p["founder"])
    makers = [link.name for link in page.find_all("link") if link.name in COMPANIES]
    yield from follow(page, makers[0], what="the company among the results", hidden=True)
    yield from page.reach_text("Employees", what="the line “Employees” in the box of facts")
    staff = page.read("Employees")
    yield from page.finish(
        staff,
        say=(
            "The box beside the text has a line “Employees”: answer with the number in it.",
            "How many people work there is stated in the grey box on the right, under the seat of the company.",
        ),
    )


def _staff_from_the_list(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, "List of comp", _COMPANY_LIST)
    yield from page.reach_text(p["founder"], what=f"the row of {p['founder']}")
    yield from page.finish(
        _right_of(page, p["founder"]),
        say=(
            "Read the last cell of the row in which the founder stands.",
            "The table's column “Employees” has the number, in the same line as the founder's name.",
        ),
    )


def _right_of(page: Page, text: str) -> str:
    """The text of the next cell in a table's row, found by a text in it."""
    start = next(line.box for line in page.lines() if line.text.strip() == text)
    row = [line for line in page.lines() if line.box.x > start.x and abs(line.box.centre[1] - start.centre[1]) < 6]
    return min(row, key=lambda line: line.box.x).text.strip()


# --- two companies ------------------------------------------------------------------------------------------------

_PAIRS = (("Tempora", "Sonora"), ("Ferro", "Velora"), ("Holzig", "Maren"), ("Pacer", "Ladle Books"))


def _gap_params(db: Query) -> Sequence[Params]:
    return [{"older": older, "younger": younger} for older, younger in _PAIRS]


def _gap_check(db: Query, p: Params) -> Check:
    years = COMPANIES[p["younger"]].founded - COMPANIES[p["older"]].founded
    return Check(answer=AnswerCheck(kind="number", expected=(str(years),)))


def _gap(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["older"])
    yield from page.reach_text("Founded", what="the box of facts beside the article")
    first = int(page.read("Founded"))
    yield from take_suggestion(page, p["younger"][:5], p["younger"])
    yield from page.reach_text("Founded", what="the box of facts beside the article")
    second = int(page.read("Founded"))
    yield from page.finish(
        str(second - first),
        say=(
            "Subtract the year that you saw before from the “Founded” of this box.",
            "Both boxes give the year of foundation, and the difference of the two is the answer.",
        ),
    )


# --- what the prose says ------------------------------------------------------------------------------------------

_PROSE = (
    ("Ferrymen's Bridge", "In what was the toll on the Ferrymen's Bridge paid?", "herring", r"toll was paid in (\w+)"),
    ("Second Thought", "How often has the lifeboat Second Thought been out, according to the encyclopedia?", "311",
     r"has been out (\d+) times"),
    ("Kiln & Co", "How many pieces fit into the kiln of Kiln & Co?", "900", r"kiln that holds (\d+) pieces"),
    ("Lantern Bridge", "Where did the motors of the Lantern Bridge come from? Answer with one word.", "trams",
     r"came from two (\w+)"),
    ("Quiet Head Light", "What was the name of the keeper who refused the fog horn of the Quiet Head Light?", "Plover",
     r"a Mr (\w+)"),
)  # fmt: skip


def _prose_params(db: Query) -> Sequence[Params]:
    return [{"title": title, "question": question, "pattern": pattern} for title, question, _, pattern in _PROSE]


def _prose_check(db: Query, p: Params) -> Check:
    (answer,) = (answer for title, _, answer, _ in _PROSE if title == p["title"])
    if answer not in by_slug()[slug_of(p["title"])].source:
        raise ValueError(f"the article {p['title']} does not say {answer!r} any more")
    kind = "number" if answer.isdigit() else "text"
    expected = (answer, f"Mr {answer}") if answer == "Plover" else (answer,)
    return Check(answer=AnswerCheck(kind=kind, expected=expected[:1]))


def _prose(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from _answer_from_text(page, p)


def _prose_by_suggestion(page: Page, p: Params) -> Solver:
    yield from take_suggestion(page, p["title"][:6], p["title"])
    yield from _answer_from_text(page, p)


def _answer_from_text(page: Page, p: Params) -> Solver:
    for _ in range(6):
        said = " ".join(line.text for line in page.seen.texts)
        if found := re.search(p["pattern"], said):
            break
        yield from page.scroll(say=page.phrase("scroll_down", what="the sentence you need"))
    else:
        raise page.stuck(f"nothing like {p['pattern']!r}")
    yield from page.finish(
        found.group(1),
        say=(
            "Read the text until you come to the sentence about it; one word of it is the answer.",
            "It is told in passing in one of the paragraphs here, so read on rather than look at the box.",
        ),
    )


# --- what an edit changed -----------------------------------------------------------------------------------------


def _changed_params(db: Query) -> Sequence[Params]:
    wanted = (
        ("Nordvik", "eerola"),
        ("Cafeo", "gabcosta"),
        ("Long Ness Light", "hwalsh"),
        ("Tarnholm Bridge", "hwalsh"),
        ("Kiln & Co", "samreed"),
    )
    found = []
    for title, editor in wanted:
        row = db.execute(
            "SELECT r.created_at FROM revision r JOIN article a ON a.id = r.article_id JOIN user u ON u.id = r.user_id"
            " WHERE a.title = ? AND u.username = ? ORDER BY r.number DESC LIMIT 1",
            (title, editor),
        ).fetchone()
        found.append({"title": title, "editor": editor, "year": row["created_at"][:4]})
    return found


def _changed_check(db: Query, p: Params) -> Check:
    (edit,) = (edit for edit in by_slug()[slug_of(p["title"])].past if edit.editor == p["editor"])
    new, old = re.findall(r"\d+", edit.new), re.findall(r"\d+", edit.old)
    (was,) = (number for number, now in zip(old, new, strict=True) if number != now)
    return Check(answer=AnswerCheck(kind="number", expected=(was,)))


def _changed(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["title"])
    yield from open_history(page)
    yield from page.reach_text(p["editor"], what=f"the edit of {p['editor']}")
    rows = [line for line in page.lines() if re.fullmatch(r"\d\d:\d\d, .+", line.text.strip())]
    at = next(
        index
        for index, line in enumerate(rows)
        if any(
            abs(other.box.centre[1] - line.box.centre[1]) < 20 and other.text == p["editor"] for other in page.lines()
        )
    )
    yield from _choose_radio(page, "Newer", rows[at].text, "the edit itself")
    yield from _choose_radio(page, "Older", rows[at + 1].text, "the revision just below it")
    yield from page.click(
        "button",
        "Compare selected revisions",
        direction="up",
        say=(
            "Press “Compare selected revisions” above the table.",
            "With both circles filled, the green button over the list shows what is different.",
        ),
    )
    yield from page.reach_text("Line", what="the lines that differ")
    (row,) = _differences(page)
    yield from page.finish(
        row,
        say=(
            "On the left, marked in orange, is what stood there before: answer with that number.",
            "The left half shows the text before the edit; the highlighted figure in it is what was replaced.",
        ),
    )


def _choose_radio(page: Page, side: str, time: str, what: str) -> Solver:
    radio = next(iter(page.find_all("radio", f"{side}: revision", near=time)), None)
    if radio is None:
        raise page.stuck(f"no circle {side!r} near {time!r}")
    if "checked" in radio.states:
        return
    yield from page.click(
        "radio",
        radio.name,
        say=(
            f"In the column “{side}” mark {what}.",
            f"Each line has two circles; the one under “{side}” has to be filled for {what}.",
        ),
    )


def _differences(page: Page) -> list[str]:
    """The numbers that stand in the old half of a comparison and not in the new one."""
    marks = [line.box for line in page.lines() if re.match(r"Line\b", line.text)]
    foot = page.find("link", "Restore the older revision")
    first, middle = min(box.x for box in marks) - 40, max(box.x for box in marks) - 30
    top, bottom = min(box.y for box in marks), foot.box.y if foot is not None else float("inf")
    lines = [line for line in page.lines() if top < line.box.y < bottom and line.box.x > first]
    left = " ".join(line.text for line in lines if line.box.x < middle)
    right = " ".join(line.text for line in lines if line.box.x >= middle)
    old, new = re.findall(r"\d[\d,]*", left), re.findall(r"\d[\d,]*", right)
    return [number for number in dict.fromkeys(old) if number not in new]


# --- a gathering --------------------------------------------------------------------------------------------------


def _venue_params(db: Query) -> Sequence[Params]:
    return [
        {"host": one.host, "month": _MONTHS[int(one.starts[5:7]) - 1]} for one in EVENTS if one.host not in COMPANIES
    ]


_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")


def _venue_check(db: Query, p: Params) -> Check:
    (event,) = (one for one in EVENTS if one.host == p["host"])
    return Check(answer=AnswerCheck(kind="text", expected=(event.venue,)))


def _venue(page: Page, p: Params) -> Solver:
    yield from look_up(page, p["host"])
    event = next(one.name for one in EVENTS if one.host == p["host"])
    yield from follow(page, event)
    yield from page.reach_text("Venue", what="the line “Venue” in the box of facts")
    yield from page.finish(
        page.read("Venue"),
        say=(
            "The box on the right has a line “Venue”, which is what was asked for.",
            "Where it is held stands in the box of facts, between the city and the dates.",
        ),
    )


def _venue_from_the_list(page: Page, p: Params) -> Solver:
    event = next(one for one in EVENTS if one.host == p["host"])
    yield from look_up(page, "List of events in 2026")
    yield from page.reach_text(event.name)
    yield from page.finish(
        page.cell(event.name, "Venue"),
        say=(
            "Look along the row of the gathering as far as “Venue”.",
            "In the table the fifth cell of its line names the place.",
        ),
    )


TEMPLATES = (
    Template(
        id="wikipedia.staff_of_founder",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many people work for the company that {founder} founded?",
            "{founder} founded a company once. How many employees does it have according to the encyclopedia?",
        ),
        params=_staff_params,
        check=_staff_check,
        solve=_staff,
        second_route=_staff_from_the_list,
    ),
    Template(
        id="wikipedia.years_between",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "How many years after {older} was {younger} founded?",
            "By how many years is the company {older} older than the company {younger}?",
        ),
        params=_gap_params,
        check=_gap_check,
        solve=_gap,
    ),
    Template(
        id="wikipedia.prose",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=("{question}", "The encyclopedia must say it somewhere: {question}"),
        params=_prose_params,
        check=_prose_check,
        solve=_prose,
        second_route=_prose_by_suggestion,
    ),
    Template(
        id="wikipedia.edit_replaced",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "{editor} corrected a number in the article on {title}. Which number stood there before that edit?",
            "{editor} put a wrong number right in the article “{title}”. What was the wrong number?",
        ),
        params=_changed_params,
        check=_changed_check,
        solve=_changed,
    ),
    Template(
        id="wikipedia.venue",
        sites=_SITES,
        start=_START,
        logins=_LOGINS,
        intents=(
            "{host} invites people to a gathering in {month}. At which venue is it held?",
            "Where exactly, I mean in which venue, is the gathering that {host} holds in {month} 2026?",
        ),
        params=_venue_params,
        check=_venue_check,
        solve=_venue,
        second_route=_venue_from_the_list,
    ),
)
