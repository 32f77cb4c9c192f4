"""What members say about places: reading, writing, judging, and telling the editors what is wrong."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.tasks.map_deeds import account, open_place, suggested, tab
from guideact.tasks.map_survey import named, places
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import EMMA_MAP, Params, Query, Template
from guideact.types import AnswerCheck, Change, Check, StateCheck

_LOGINS = {"map": EMMA_MAP}
_REPORTS = {
    "closed": "It has closed for good",
    "hours": "The opening hours are wrong",
    "moved": "The marker is in the wrong spot",
    "missing": "Something is missing",
}


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="map", required=required),))


# --- the most helpful one -----------------------------------------------------------------------------------------


def _helpful_params(db: Query) -> Sequence[Params]:
    return [
        {"place": name}
        for name in ("Esplanadi Reading Room", "Töölö Bicycle Workshop", "Nordvik House", "Lumo Market Store")
    ]


def _helpful_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT m.full_name FROM review r JOIN member m ON m.id = r.member_id WHERE r.place = ?"
        " ORDER BY r.helpful DESC LIMIT 1",
        (named(p["place"])["id"],),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="text", expected=(row["full_name"],)))


def _helpful(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from tab(page, "Reviews")
    yield from page.select(
        "Order",
        "Most helpful first",
        say=(
            "Order the reviews by “Most helpful first”.",
            "Above the reviews is a list “Order”. Set to “Most helpful first”, it puts the one you want on top.",
        ),
    )
    yield from page.reach_text("found this helpful", what="the first review")
    author = page.matches(r"^\S+ [\w'. -]+$")
    stars = min((line.box for line in page.lines() if line.text.endswith("of 5")), key=lambda box: box.y)
    above = [
        line
        for line in page.lines()
        if 0 < stars.y - line.box.y < 40 and 0 <= stars.x - line.box.x < 140 and " " in line.text
    ]
    if not above or not author:
        raise page.stuck("no author", [line.text for line in page.lines()])
    yield from page.finish(
        max(above, key=lambda line: line.box.y).text,
        say=(
            "The name above the first review is the answer.",
            "Whoever wrote the review on top is whom most readers found helpful; the name is printed in bold.",
        ),
    )


# --- how many stars -----------------------------------------------------------------------------------------------


def _stars_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Slow Kettle Tea Room", "member": "Ella Rantanen"},
        {"place": "Cable Hall", "member": "Lukas Schneider"},
        {"place": "Decibel Listening Room", "member": "Daniel Kim"},
    ]


def _stars_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT rating FROM review r JOIN member m ON m.id = r.member_id WHERE r.place = ? AND m.full_name = ?",
        (named(p["place"])["id"], p["member"]),
    ).fetchone()
    return Check(answer=AnswerCheck(kind="number", expected=(str(row["rating"]),)))


def _stars(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from _stars_read(page, p)


def _stars_suggested(page: Page, p: Params) -> Solver:
    yield from suggested(page, p["place"], p["place"])
    yield from _stars_read(page, p)


def _stars_read(page: Page, p: Params) -> Solver:
    yield from tab(page, "Reviews")
    yield from page.reach_text(p["member"], what=f"the review of {p['member']}")
    yield from page.finish(
        _figure_under(page, p["member"]),
        say=(
            f"Under the name {p['member']} the stars are given as a figure too: that figure is the answer.",
            f"Find {p['member']} among the writers; the number before “of 5” is what was asked for.",
        ),
    )


def _figure_under(page: Page, member: str) -> str:
    """The figure of the first “4 of 5” under a name: it stands behind the stars, not in the name's column."""
    name = next(line for line in page.lines() if line.text == member)
    figures = [line for line in page.lines() if line.text.endswith(" of 5") and line.box.y > name.box.y]
    if not figures:
        raise page.stuck(f"no stars under {member!r}")
    return min(figures, key=lambda line: line.box.y).text.removesuffix(" of 5")


# --- writing one --------------------------------------------------------------------------------------------------


def _write_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Cable Hall", "stars": 4, "text": "Good acoustics, long queue at the coats."},
        {"place": "Papier Corner", "stars": 5, "text": "I left with three pens and no regrets."},
        {"place": "Vanha Kauppahalli", "stars": 3, "text": "Pretty, but full of people at noon."},
        {"place": "Volta Repair Desk", "stars": 2, "text": "Nobody could say when my toaster will be ready."},
    ]


def _write_check(db: Query, p: Params) -> Check:
    values = {"place": named(p["place"])["id"], "member_id": 1, "rating": p["stars"], "body": {"~": p["text"]}}
    return _state(Change(table="review", op="insert", values=values))


def _stars_of(number: int) -> str:
    return "1 star" if number == 1 else f"{number} stars"


def _write(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from tab(page, "Reviews")
    label = _stars_of(p["stars"])
    yield from page.click(
        "radio",
        label,
        say=(
            f"Choose “{label}” under “Your rating”.",
            f"The form starts with the rating; this visit was worth “{label}”.",
        ),
    )
    yield from page.type(
        "Your review",
        p["text"],
        say=(
            f"Write “{p['text']}” into the large field.",
            f"What you think goes below the stars: “{p['text']}”",
        ),
    )
    yield from page.click(
        "button",
        "Post review",
        say=(
            "Publish it with “Post review”.",
            "The green button under the text posts what you have written.",
        ),
    )
    yield from page.finish(
        say=(
            "A note says that the review was posted, and it is listed on the page.",
            "The form is now called “Change your review”, which tells that yours is there.",
        )
    )


# --- changing one's own -------------------------------------------------------------------------------------------


def _change_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Cafe Engel", "stars": 2},
        {"place": "Ateneum", "stars": 4},
        {"place": "Helsingin keskustakirjasto Oodi", "stars": 3},
    ]


def _change_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM review WHERE place = ? AND member_id = 1", (named(p["place"])["id"],)).fetchone()
    return _state(Change(table="review", op="update", where={"id": row["id"]}, values={"rating": p["stars"]}))


def _change(page: Page, p: Params) -> Solver:
    yield from account(page, "Your reviews")
    yield from page.click(
        "link",
        p["place"],
        say=(
            f"Follow “{p['place']}” to the place that you reviewed.",
            f"All you have written is listed here; the name “{p['place']}” leads to where it can be changed.",
        ),
    )
    yield from _change_opened(page, p)


def _change_by_search(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from tab(page, "Reviews")
    yield from _change_opened(page, p)


def _change_opened(page: Page, p: Params) -> Solver:
    label = _stars_of(p["stars"])
    yield from page.click(
        "radio",
        label,
        say=(
            f"Set the rating to “{label}”.",
            f"Your old rating is marked in the form. Choose “{label}” in its place.",
        ),
    )
    yield from page.click(
        "button",
        "Save review",
        say=(
            "Store the new rating with “Save review”.",
            "Leave the text as it is and press “Save review”.",
        ),
    )
    yield from page.finish(
        say=(
            "A green note tells that your review was changed.",
            "The other number of stars now stands under your name: finished.",
        )
    )


# --- taking one back ----------------------------------------------------------------------------------------------


def _delete_params(db: Query) -> Sequence[Params]:
    rows = db.execute("SELECT place FROM review WHERE member_id = 1 ORDER BY id").fetchall()
    return [{"place": places()[row["place"]]["name"]} for row in rows]


def _delete_check(db: Query, p: Params) -> Check:
    row = db.execute("SELECT id FROM review WHERE place = ? AND member_id = 1", (named(p["place"])["id"],)).fetchone()
    return _state(Change(table="review", op="delete", where={"id": row["id"]}))


def _delete(page: Page, p: Params) -> Solver:
    yield from account(page, "Your reviews")
    yield from page.click(
        "button",
        f"Delete review of {p['place']}",
        say=(
            f"Press “Delete” under the review of “{p['place']}”, and say yes to the question.",
            f"Each review ends with “Delete”. Use the one that belongs to “{p['place']}” and confirm.",
        ),
    )
    yield from page.finish(
        say=(
            "The review has left the list, and a note says so.",
            "You see one review fewer than before; nothing else is to be done.",
        )
    )


# --- finding one helpful ------------------------------------------------------------------------------------------


def _vote_params(db: Query) -> Sequence[Params]:
    return [
        {"place": "Volta Repair Desk", "member": "Ruth Goldman"},
        {"place": "Cafeo Espresso Bar", "member": "Venla Korhonen"},
        {"place": "Trailhead Outpost", "member": "Milla Koskinen"},
    ]


def _vote_check(db: Query, p: Params) -> Check:
    row = db.execute(
        "SELECT r.id FROM review r JOIN member m ON m.id = r.member_id WHERE r.place = ? AND m.full_name = ?",
        (named(p["place"])["id"], p["member"]),
    ).fetchone()
    return _state(Change(table="helpful_vote", op="insert", values={"review_id": row["id"], "member_id": 1}))


def _vote(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from tab(page, "Reviews")
    yield from page.click(
        "button",
        f"Helpful: review by {p['member']}",
        what=f"the review by {p['member']}",
        say=(
            f"Click “Helpful” under the review by {p['member']}.",
            f"A raised thumb closes each review; use the one that belongs to {p['member']}.",
        ),
    )
    yield from page.finish(
        say=(
            "The count beside the review has gone up by one, and the thumb is shaded.",
            "Your vote is in when the button under that review looks pressed.",
        )
    )


# --- telling what is wrong ----------------------------------------------------------------------------------------


def _report_params(db: Query) -> Sequence[Params]:
    return [
        {
            "place": "Cafeo Espresso Bar",
            "kind": "hours",
            "text": "It opens at eight, not at seven.",
            "day": "2026-03-12",
            "said": "March 12, 2026",
        },
        {
            "place": "Café Strindberg",
            "kind": "missing",
            "text": "There is a second entrance without steps.",
            "day": "2026-03-09",
            "said": "March 9, 2026",
        },
        {
            "place": "Trailhead Outpost",
            "kind": "moved",
            "text": "The door is round the corner, by the bridge.",
            "day": "2026-02-27",
            "said": "February 27, 2026",
        },
    ]


def _report_check(db: Query, p: Params) -> Check:
    values = {
        "member_id": 1,
        "place": named(p["place"])["id"],
        "kind": p["kind"],
        "details": {"~": p["text"]},
        "noticed_on": p["day"],
    }
    return _state(Change(table="report", op="insert", values=values))


def _report(page: Page, p: Params) -> Solver:
    yield from open_place(page, p["place"])
    yield from page.click(
        "link",
        "Report a problem",
        say=(
            "Go to “Report a problem” at the end of the overview.",
            "Under everything that is known about the place is a link with a flag: “Report a problem”.",
        ),
    )
    reason = _REPORTS[p["kind"]]
    yield from page.select(
        "What is wrong?",
        reason,
        say=(
            f"Choose “{reason}” from the list.",
            f"The form first asks what kind of problem it is, and here that is “{reason}”.",
        ),
    )
    yield from page.type(
        "Details",
        p["text"],
        say=(
            f"Explain it in “Details”: “{p['text']}”",
            f"The editors need a sentence to go by. Write “{p['text']}”",
        ),
    )
    yield from page.type(
        "When did you notice it?",
        p["day"],
        role="",
        say=(
            f"Set the date to {p['said']}.",
            f"Today is filled in as the day. You noticed it on {p['said']}, so change that.",
        ),
    )
    yield from page.click(
        "button",
        "Send report",
        say=(
            "Send it off with “Send report”.",
            "With all three fields filled, press “Send report”; a note thanks you.",
        ),
    )
    yield from page.finish(
        say=(
            "Back on the page of the place, a green note thanks you for the report.",
            "Once the thanks have appeared the editors have your report, and you are through.",
        )
    )


def _other_report(db: Query, p: Params) -> Params:
    return {**p, "day": "2026-03-01", "said": "March 1, 2026"}


TEMPLATES = (
    Template(
        id="map.most_helpful",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "Who wrote the review of {place} that most people found helpful?",
            "Of the reviews of {place}, whose has helped most readers?",
        ),
        params=_helpful_params,
        check=_helpful_check,
        solve=_helpful,
    ),
    Template(
        id="map.review_stars",
        sites=("map",),
        start="__MAP__/",
        intents=(
            "How many stars did {member} give {place}?",
            "What was {member}'s rating of {place}, in stars?",
        ),
        params=_stars_params,
        check=_stars_check,
        solve=_stars,
        second_route=_stars_suggested,
    ),
    Template(
        id="map.review_write",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Write a review of {place} for me, {stars} stars: “{text}”",
            "Rate {place} with {stars} stars and this text: “{text}”",
        ),
        params=_write_params,
        check=_write_check,
        solve=_write,
        wrong_value=lambda db, p: {**p, "stars": 1},
    ),
    Template(
        id="map.review_change",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Change my rating of {place} to {stars} stars, and leave the text alone.",
            "I was wrong about {place}: my review should have {stars} stars. Keep what I wrote.",
        ),
        params=_change_params,
        check=_change_check,
        solve=_change,
        second_route=_change_by_search,
        wrong_value=lambda db, p: {**p, "stars": 1},
    ),
    Template(
        id="map.review_delete",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Delete my review of {place}.",
            "Take back what I wrote about {place} on the map.",
        ),
        params=_delete_params,
        check=_delete_check,
        solve=_delete,
    ),
    Template(
        id="map.review_helpful",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Mark {member}'s review of {place} as helpful.",
            "{member}'s words about {place} helped me. Let the map know that.",
        ),
        params=_vote_params,
        check=_vote_check,
        solve=_vote,
    ),
    Template(
        id="map.report",
        sites=("map",),
        start="__MAP__/",
        logins=_LOGINS,
        intents=(
            "Report a problem with {place} that I noticed on {said}. Pick the fitting reason; details: “{text}”",
            "Tell the map's editors about {place}: “{text}” I noticed it on {said}.",
        ),
        params=_report_params,
        check=_report_check,
        solve=_report,
        wrong_value=_other_report,
    ),
)
