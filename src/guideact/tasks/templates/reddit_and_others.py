"""Errands that begin on the boards and need a neighbouring site: the encyclopedia, the map, or the forge."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guideact.sites.companies import COMPANIES
from guideact.tasks.across import back_to, neighbour
from guideact.tasks.boards import done, fill, find_post, open_messages, pick_from, press
from guideact.tasks.gitlab_deeds import open_project, side
from guideact.tasks.map_deeds import end_at, go, nav, start_at, travel
from guideact.tasks.map_survey import minutes, way
from guideact.tasks.solve import Page, Solver
from guideact.tasks.template import (
    EMMA_GITLAB,
    EMMA_MAP,
    EMMA_REDDIT,
    EMMA_WIKIPEDIA,
    Params,
    Query,
    Template,
)
from guideact.tasks.wikipedia_deeds import look_up
from guideact.types import Change, Check, StateCheck

_START = "__REDDIT__/"


def _state(*required: Change) -> Check:
    return Check(state=(StateCheck(site="reddit", required=required),))


# --- which of two is older ------------------------------------------------------------------------------------------

_RIVALS = (
    ("How do you look after your Dutch oven?", "Bread & Baking", "Ferro", "Nordvik"),
    ("Mile Runner 4 or 5?", "Running", "Kickers", "Pacer"),
    ("Quiet One or Quiet One Lite?", "Hi-Fi & Headphones", "Sonora", "Decibel"),
    ("Two-person tent on a journey: take it along or leave it?", "Trails & Tents", "Maren", "Trailhead"),
)


def _older_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("title", "forum", "a", "b"), row, strict=True)) for row in _RIVALS]


def _older_check(db: Query, p: Params) -> Check:
    (post,) = db.execute("SELECT id FROM post WHERE title = ?", (p["title"],)).fetchone()
    first = min((COMPANIES[p["a"]], COMPANIES[p["b"]]), key=lambda company: company.founded)
    body = f"{first.name} came first, in {first.founded}"
    values = {"post_id": post, "parent_id": None, "author_id": 1, "body": {"~": body}}
    return _state(
        Change(table="comment", op="insert", values=values),
        Change(table="saved", op="insert", values={"member_id": 1, "post_id": post}),
    )


def _older(page: Page, p: Params) -> Solver:
    boards = page.seen.url
    yield from neighbour(page, "Almanach")
    years: dict[str, int] = {}
    for key in "ab":
        yield from look_up(page, p[key])
        yield from page.reach_text("Founded", what="the box of facts beside the article")
        years[p[key]] = int(page.read("Founded"))
    first = min(years, key=lambda name: years[name])
    yield from back_to(page, boards, "the boards", noted="the second year")
    yield from find_post(page, p["title"])
    yield from page.click(
        "button",
        "Save",
        near=p["title"],
        say=(
            "Keep the post for yourself with “Save” in the row under it.",
            "Under the text there is a row of small buttons; “Save” puts the post among your saved ones.",
        ),
    )
    yield from page.type(
        "Add a comment",
        p.get("body") or f"{first} came first, in {years[first]}",
        say=(
            "Compare the two years that you have seen, and write the sentence with the older company and its year.",
            "The large box takes your comment: who was first, and when, in the words you were given.",
        ),
    )
    yield from press(page, "Post comment")
    yield from done(page)


# --- how long the walk takes ----------------------------------------------------------------------------------------

_WALKS = (
    ("mikkos", "Saturday", "Kiasma", "Slow Kettle Tea Room"),
    ("ola_w", "The way to the lamps", "Ateneum", "Cable Hall"),
    ("callum_f", "Where we meet", "Vanha kirkko", "Harbour Code"),
    ("yuki_t", "Your question", "Kampin kappeli", "Papier Corner"),
)


def _walk_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("member", "subject", "start", "end"), row, strict=True)) for row in _WALKS]


def _walk_check(db: Query, p: Params) -> Check:
    (member,) = db.execute("SELECT id FROM member WHERE username = ?", (p["member"],)).fetchone()
    _, seconds = way("foot", p["start"], p["end"])
    talk = {"subject": {"~": p["subject"]}, "starter_id": 1, "other_id": member}
    message = {
        "conversation_id": {"new": "conversation"},
        "sender_id": 1,
        "body": {"~": f"Plan {minutes(seconds)} minutes for the walk"},
    }
    return _state(
        Change(table="conversation", op="insert", values=talk),
        Change(table="message", op="insert", values=message),
    )


def _walk(page: Page, p: Params) -> Solver:
    boards = page.seen.url
    yield from neighbour(page, "Wayfinder")
    yield from nav(page, "Directions")
    yield from travel(page, "On foot")
    yield from start_at(page, p["start"])
    yield from end_at(page, p["end"])
    yield from go(page)
    yield from page.reach("link", "Route 1", what="the routes under the button")
    walk = (yield from page.reach_matches(r"^(\d+) min$", what="the line with the whole time"))[0].group(1)
    yield from back_to(page, boards, "the boards", noted="the minutes of the first route")
    yield from open_messages(page)
    yield from page.click(
        "link",
        "New message",
        say=(
            "Start a letter of your own with “New message”.",
            "Nobody has to have written to you first: “New message”, right above the inbox, begins a conversation.",
        ),
    )
    yield from fill(page, "To", p["member"])
    yield from fill(page, "Subject", p["subject"])
    yield from page.type(
        "Message",
        f"Plan {p.get('minutes', walk)} minutes for the walk",
        say=(
            "Write the sentence into “Message”, with the minutes of the first route in it.",
            "What the map said about the quickest way belongs in the letter: fill the gap of the sentence with it.",
        ),
    )
    yield from press(page, "Send message")
    yield from done(page)


# --- the newest version ---------------------------------------------------------------------------------------------

_VERSIONS = (
    ("harbour-code/tidewater", "Tidewater", "Open Source Desk", "Which Tidewater do you run?"),
    ("open-atlas/tile-kitchen", "Tile Kitchen", "Maps & Atlases", "Tiles, freshly made"),
    ("plain-text/plain-lint", "Plain Lint", "Open Source Desk", "A linter for prose"),
    ("harbour-code/lantern", "Lantern", "Ask the Harbour", "Does anybody else build pages with Lantern?"),
)


def _version_params(db: Query) -> Sequence[Params]:
    return [dict(zip(("path", "project", "forum", "title"), row, strict=True)) for row in _VERSIONS]


def _version_check(db: Query, p: Params) -> Check:
    (tag,) = db.execute(
        "SELECT t.name FROM gitlab.release r JOIN gitlab.tag t ON t.id = r.tag_id"
        " JOIN gitlab.project p ON p.id = r.project_id WHERE p.full_path = ? ORDER BY r.created_at DESC LIMIT 1",
        (p["path"],),
    ).fetchone()
    (forum,) = db.execute("SELECT id FROM forum WHERE name = ?", (p["forum"],)).fetchone()
    values = {
        "forum_id": forum,
        "author_id": 1,
        "kind": "text",
        "title": {"~": p["title"]},
        "body": {"~": f"The latest tag is {tag}."},
        "flair_id": None,
    }
    return _state(Change(table="post", op="insert", values=values))


def _version(page: Page, p: Params) -> Solver:
    boards = page.seen.url
    yield from neighbour(page, "Quayside")
    yield from open_project(page, p["path"])
    yield from side(page, "Releases")
    tags = [link for link in page.find_all("link") if re.fullmatch(r"v?\d+(\.\d+)+", link.name)]
    if not tags:
        raise page.stuck("no release with a tag", [link.name for link in page.find_all("link")], "v1.0")
    tag = min(tags, key=lambda link: link.box.y).name
    yield from back_to(page, boards, "the boards", noted="the tag of the newest release")
    yield from page.click(
        "link",
        "Create post",
        direction="up",
        say=(
            "Press “Create post”, up in the header of the boards.",
            "Back on the boards, a new post begins with the button “Create post” at the top right.",
        ),
    )
    yield from pick_from(page, "Forum", p["forum"])
    yield from fill(page, "Title", p["title"])
    yield from page.type(
        "Text",
        p.get("text") or f"The latest tag is {tag}.",
        say=(
            "In the large box write the sentence, ending with the tag of the newest release.",
            "The text is one sentence. Its last word is the tag that stood at the first release of the list.",
        ),
    )
    yield from press(page, "Publish post")
    yield from done(page)


TEMPLATES = (
    Template(
        id="reddit.older_company",
        sites=("reddit", "wikipedia"),
        start=_START,
        logins={"reddit": EMMA_REDDIT, "wikipedia": EMMA_WIKIPEDIA},
        intents=(
            "They argue about {a} and {b} again. Look up in Almanach, the encyclopedia that the boards link to, when "
            "the two were founded. Then save the post “{title}” in {forum} and comment there: “[name] came first, in "
            "[year]”.",
            "Which is older, {a} or {b}? Almanach (linked from the boards) knows. Tell the people under “{title}” in "
            "{forum} with the comment “[the older one] came first, in [its year]”, and save that post for me.",
        ),
        params=_older_params,
        check=_older_check,
        solve=_older,
        wrong_value=lambda db, p: {**p, "body": f"{p['a']} and {p['b']} are of the same age"},
    ),
    Template(
        id="reddit.walk_told",
        sites=("reddit", "map"),
        start=_START,
        logins={"reddit": EMMA_REDDIT, "map": EMMA_MAP},
        intents=(
            "Find out on the map that the boards link to how many minutes the quickest walk from {start} to {end} "
            "takes. Send them to {member} on the boards, subject “{subject}”: “Plan [number] minutes for the walk”.",
            "{member} asked me about the way from {start} to {end}. Ask the map (Wayfinder, a neighbour of the boards) "
            "for the way on foot, and write to {member}: subject “{subject}”, text “Plan [number] minutes for the "
            "walk”, by the quickest route.",
        ),
        params=_walk_params,
        check=_walk_check,
        solve=_walk,
        wrong_value=lambda db, p: {**p, "minutes": "90"},
    ),
    Template(
        id="reddit.version_posted",
        sites=("reddit", "gitlab"),
        start=_START,
        logins={"reddit": EMMA_REDDIT, "gitlab": EMMA_GITLAB},
        intents=(
            "Post in {forum}, without a flair: title “{title}”, text “The latest tag is [tag].” Take the tag from the "
            "newest release of {project} on Quayside, the forge that the boards link to.",
            "Which tag does the newest release of {project} have on the forge (Quayside, a neighbour of the boards)? "
            "Make a text post of it in {forum}: “{title}”, and below it “The latest tag is [tag].” No flair.",
        ),
        params=_version_params,
        check=_version_check,
        solve=_version,
        wrong_value=lambda db, p: {**p, "text": "The latest tag is unknown."},
    ),
)
