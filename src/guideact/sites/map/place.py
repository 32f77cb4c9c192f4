"""A place's page: its facts, hours and busy times, what people write about it, and what can be done with it."""

from __future__ import annotations

import functools
import random
import sqlite3
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.map.atlas import Place, atlas
from guideact.sites.map.hours import DAYS, span_text, status, week
from guideact.sites.map.layout import Marker, map_view
from guideact.sites.map.units import coordinates
from guideact.sites.web import (
    execute,
    field,
    flash,
    forbidden,
    integer,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
    site_url,
    today_text,
    user,
    value,
)
from guideact.sites.world import NOW

NEARBY = 6
SHORTEST_REVIEW = 10
LONGEST_REVIEW = 1000
REPORT_KINDS = (
    ("closed", "It has closed for good"),
    ("hours", "The opening hours are wrong"),
    ("moved", "The marker is in the wrong spot"),
    ("name", "The name is wrong"),
    ("missing", "Something is missing"),
    ("other", "Something else"),
)
_FACTS = (
    ("cuisine", "Cuisine"),
    ("denomination", "Denomination"),
    ("artist", "Artist"),
    ("operator", "Run by"),
    ("since", "Since"),
    ("stars", "Stars"),
    ("rooms", "Rooms"),
    ("capacity", "Room for"),
    ("covered", "Covered"),
    ("fee", "Fee"),
    ("floor", "Floor"),
    ("wheelchair", "Step-free access"),
    ("outdoor_seating", "Seats outside"),
    ("wifi", "Wi-Fi"),
    ("collection", "Collected"),
)
_VISITED = frozenset({"cafes", "restaurants", "museums", "supermarkets", "bookshops", "libraries", "home", "malls",
                      "bars", "bakeries", "galleries", "sport-shops", "electronics", "bicycle-shops"})  # fmt: skip
BUSY_FROM, BUSY_TO = 8, 22
_SHOP_PAGES = {"b1": "/contact", "b13": "/contact"}


def place_of(request: Request) -> Place:
    """The place that the address names, or the 404 page."""
    found = atlas().place_by_id.get(request.path_params["id"])
    if found is None:
        not_found("There is no such place on the map.")
    return found


def facts_of(place: Place) -> list[tuple[str, str]]:
    """What is known besides address and hours, in words."""
    known = place.facts
    return [
        (label, known[key].replace("_", " ").replace(";", ", ").capitalize()) for key, label in _FACTS if key in known
    ]


def busy_hours(place: Place, day: int) -> tuple[int, ...]:
    """How full it is, from 0 to 100, for each hour from `BUSY_FROM`: made up, always the same, with one clear peak."""
    return _busy_hours(place.id, place.category.slug, place.facts.get("hours", ""))[day]


@functools.lru_cache(64)
def _busy_hours(number: str, category: str, hours: str) -> tuple[tuple[int, ...], ...]:
    """All seven days of a place."""
    known = week(hours)
    if known is None or category not in _VISITED:
        return ((),) * 7
    return tuple(
        _busy_day(spans, random.Random(f"20260316/map/busy/{number}/{day}")) for day, spans in enumerate(known)
    )


def _busy_day(spans: tuple[tuple[int, int], ...], chance: random.Random) -> tuple[int, ...]:
    hours = [hour for hour in range(BUSY_FROM, BUSY_TO) if any(first <= hour * 60 < last for first, last in spans)]
    if not hours:
        return ()
    peak = chance.choice(hours[len(hours) // 4 :])
    levels = {hour: max(8, 74 - 11 * abs(hour - peak) + chance.randint(-7, 7)) for hour in hours if hour != peak}
    return tuple(96 if hour == peak else levels.get(hour, 0) for hour in range(BUSY_FROM, BUSY_TO))


async def busy(request: Request) -> Response:
    """The bars of one day as a picture. Its numbers stand nowhere else."""
    place, day = place_of(request), request.path_params["day"]
    if not 0 <= day <= 6:
        not_found("There is no such day.")
    levels = busy_hours(place, day)
    bars = []
    for at, level in enumerate(levels):
        height = level * 0.7
        bars.append(f'<rect x="{at * 24 + 4}" y="{74 - height:.1f}" width="16" height="{height:.1f}" rx="3"/>')
    lines = "".join(f'<path d="M0 {y}H336" stroke="#e2e8f0"/>' for y in (4, 39, 74))
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 336 78" width="336" height="78">'
        f'{lines}<g fill="#0f766e">{"".join(bars)}</g></svg>'
    )
    return Response(drawn, media_type="image/svg+xml")


def reviews_of(request: Request, place: Place) -> list[sqlite3.Row]:
    """The reviews of a place in the order asked for; `votes` counts who found them helpful."""
    order = {
        "helpful": "votes DESC, r.created_at DESC",
        "highest": "r.rating DESC, r.created_at DESC",
        "lowest": "r.rating, r.created_at DESC",
    }.get(field(request, "order"), "r.created_at DESC")
    return rows(
        request,
        "SELECT r.*, m.username, m.full_name, m.public_reviews, m.city,"
        " r.helpful + (SELECT COUNT(*) FROM helpful_vote v WHERE v.review_id = r.id) AS votes,"
        " EXISTS (SELECT 1 FROM helpful_vote v WHERE v.review_id = r.id AND v.member_id = ?) AS mine"
        f" FROM review r JOIN member m ON m.id = r.member_id WHERE r.place = ? ORDER BY {order}, r.id DESC",
        _member_id(request),
        place.id,
    )


def _member_id(request: Request) -> int:
    known = user(request)
    return 0 if known is None else known["id"]


async def show(request: Request) -> Response:
    return _page(request, place_of(request))


def _page(request: Request, place: Place, status_code: int = 200, **more: Any) -> Response:
    found = atlas()
    known_week = week(place.facts.get("hours", ""))
    others = (one for one in found.places if one.named and one.id != place.id)
    close = found.nearest(place.at, others, NEARBY)
    member = _member_id(request)
    reviews = reviews_of(request, place)
    own = next((review for review in reviews if review["member_id"] == member), None)
    lists = rows(
        request,
        "SELECT l.id, l.name, s.id AS saved_id FROM place_list l"
        " LEFT JOIN saved_place s ON s.list_id = l.id AND s.place = ? WHERE l.member_id = ? ORDER BY l.id",
        place.id,
        member,
    )
    day = NOW.weekday()
    chosen_day = integer(request, "day", day) or 0
    chosen_day = chosen_day if 0 <= chosen_day <= 6 else day
    return render(
        request,
        "place.html",
        status=status_code,
        place=place,
        facts=facts_of(place),
        written=coordinates(place.at),
        about=place.facts.get("about", ""),
        hours=[(name, span_text(known_week[at]), at == day) for at, name in enumerate(DAYS)] if known_week else [],
        hours_now=status(place.facts.get("hours", "")),
        busy=busy_hours(place, chosen_day),
        any_busy=any(busy_hours(place, at) for at in range(7)),
        busy_day=chosen_day,
        days=DAYS,
        close=close,
        reviews=reviews,
        average=sum(review["rating"] for review in reviews) / len(reviews) if reviews else 0,
        own=own,
        order=field(request, "order", "newest"),
        lists=lists,
        saved_in=[one for one in lists if one["saved_id"] is not None],
        share=site_url(request, "map", place.url),
        shop_url=site_url(request, "shopping", _SHOP_PAGES[place.id]) if place.id in _SHOP_PAGES else "",
        article_url=site_url(request, "wikipedia", f"/wiki/{place.facts['article']}")
        if "article" in place.facts
        else "",
        errors=more.get("errors", {}),
        typed=more.get("typed", {}),
        map=map_view(
            [Marker(f"{place.name} on the map", place.at, "", "", place.category.colour)], centre=place.at, zoom=17
        ),
    )


@signed_in
async def review(request: Request) -> Response:
    """Write a review, or change one's own: one a place and member."""
    place = place_of(request)
    if request.method == "GET":
        return redirect(f"{place.url}#reviews")
    rating, body = integer(request, "rating"), field(request, "body")
    errors = {}
    if rating is None or not 1 <= rating <= 5:
        errors["rating"] = "Choose how many stars."
    if len(body) < SHORTEST_REVIEW:
        errors["body"] = f"Write at least {SHORTEST_REVIEW} characters."
    elif len(body) > LONGEST_REVIEW:
        errors["body"] = f"Use at most {LONGEST_REVIEW} characters."
    if errors:
        return _page(request, place, 422, errors=errors, typed={"rating": rating, "body": body})
    member = _member_id(request)
    own = value(request, "SELECT id FROM review WHERE place = ? AND member_id = ?", place.id, member)
    if own is None:
        execute(
            request,
            "INSERT INTO review (place, member_id, rating, body, created_at) VALUES (?, ?, ?, ?, ?)",
            place.id,
            member,
            rating,
            body,
            now_text(),
        )
        flash(request, "Your review was posted.")
    else:
        execute(request, "UPDATE review SET rating = ?, body = ? WHERE id = ?", rating, body, own)
        flash(request, "Your review was changed.")
    return redirect(f"{place.url}#reviews")


def _review(request: Request) -> sqlite3.Row:
    found = row(request, "SELECT * FROM review WHERE id = ?", request.path_params["review"])
    if found is None:
        not_found("This review is gone.")
    return found


@signed_in
async def delete_review(request: Request) -> Response:
    found = _review(request)
    if found["member_id"] != _member_id(request):
        forbidden("Only the author may delete a review.")
    execute(request, "DELETE FROM review WHERE id = ?", found["id"])
    flash(request, "Your review was deleted.")
    return redirect("/account/reviews" if field(request, "from") == "account" else f"/place/{found['place']}#reviews")


@signed_in
async def vote(request: Request) -> Response:
    """Find a review helpful, or no longer."""
    found, member = _review(request), _member_id(request)
    if found["member_id"] == member:
        forbidden("You cannot vote for your own review.")
    if not execute(request, "DELETE FROM helpful_vote WHERE review_id = ? AND member_id = ?", found["id"], member):
        execute(request, "INSERT INTO helpful_vote (review_id, member_id) VALUES (?, ?)", found["id"], member)
    return redirect(f"/place/{found['place']}#review-{found['id']}")


@signed_in
async def report(request: Request) -> Response:
    """Tell that something about a place is wrong."""
    place = place_of(request)
    typed = {name: field(request, name) for name in ("kind", "details", "noticed_on")}
    errors = {}
    if request.method == "POST":
        if typed["kind"] not in dict(REPORT_KINDS):
            errors["kind"] = "Choose what is wrong."
        if len(typed["details"]) < 5:
            errors["details"] = "Say in a few words what you found."
        if not _is_past(typed["noticed_on"]):
            errors["noticed_on"] = "Enter a date that is not in the future."
        if not errors:
            execute(
                request,
                "INSERT INTO report (member_id, place, kind, details, noticed_on, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                _member_id(request),
                place.id,
                typed["kind"],
                typed["details"],
                typed["noticed_on"],
                now_text(),
            )
            flash(request, "Thank you. Your report was sent to the map's editors.")
            return redirect(place.url)
    else:
        typed["noticed_on"] = today_text()
    return render(
        request,
        "report.html",
        status=422 if errors else 200,
        place=place,
        kinds=REPORT_KINDS,
        typed=typed,
        errors=errors,
        today=today_text(),
        map=map_view([Marker(f"{place.name} on the map", place.at)], centre=place.at, zoom=17),
    )


def _is_past(text: str) -> bool:
    return len(text) == 10 and text[4] == text[7] == "-" and text <= today_text()


async def embed(request: Request) -> Response:
    """A place's map without anything around it, to be shown in another page's frame."""
    place = place_of(request)
    return render(
        request,
        "embed.html",
        place=place,
        map=map_view([Marker(f"{place.name} on the map", place.at)], centre=place.at, zoom=17, click="nothing"),
    )


ROUTES = [
    Route("/place/{id}", show),
    Route("/place/{id}/busy/{day:int}.svg", busy),
    Route("/place/{id}/embed", embed),
    Route("/place/{id}/review", review, methods=["GET", "POST"]),
    Route("/place/{id}/report", report, methods=["GET", "POST"]),
    Route("/review/{review:int}/delete", delete_review, methods=["POST"]),
    Route("/review/{review:int}/helpful", vote, methods=["POST"]),
]
