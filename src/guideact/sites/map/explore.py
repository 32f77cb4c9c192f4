"""Looking around: the start page, the search, the categories, and what is at a point of the map."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.map.atlas import Place, Position, atlas, vectors
from guideact.sites.map.hours import is_open
from guideact.sites.map.kinds import CATEGORIES
from guideact.sites.map.layout import Marker, map_view, spread
from guideact.sites.map.search import Spot, find, point_of, point_spot, resolve
from guideact.sites.map.units import coordinates
from guideact.sites.web import (
    Pager,
    execute,
    field,
    json_response,
    not_found,
    now_text,
    redirect,
    render,
    rows,
    user,
)

PER_PAGE = 20
MOST_SUGGESTIONS = 7
PICKS = ("b1", "b3", "b7", "b4", "b11", "b6")


async def home(request: Request) -> Response:
    found = atlas()
    picks = [found.place_by_id[number] for number in PICKS]
    station = next(place for place in found.places if place.name == "Helsinki" and place.kind == "railway=station")
    known = user(request)
    history = [] if known is None else recent(request, known["id"], 5)
    return render(
        request,
        "home.html",
        picks=picks,
        history=history,
        map=map_view(spread(picks), centre=station.at, zoom=16),
    )


def recent(request: Request, member_id: int, most: int) -> list[str]:
    """The latest searches, each once."""
    found = rows(
        request,
        "SELECT query FROM search_history WHERE member_id = ? GROUP BY query ORDER BY MAX(id) DESC LIMIT ?",
        member_id,
        most,
    )
    return [one["query"] for one in found]


async def search(request: Request) -> Response:
    query = field(request, "q")[:80]
    if not query:
        return redirect("/")
    known = user(request)
    if known is not None and known["keep_history"]:
        execute(
            request,
            "INSERT INTO search_history (member_id, query, created_at) VALUES (?, ?, ?)",
            known["id"],
            query,
            now_text(),
        )
    hits = find(query)
    if len(hits) == 1 and hits[0].url.startswith("/at/"):
        return redirect(hits[0].url)
    categories = [hit for hit in hits if hit.at is None]
    spots = [hit for hit in hits if hit.at is not None]
    sort = field(request, "sort", "best")
    middle = atlas().centre
    if sort == "name":
        spots.sort(key=lambda spot: spot.name.casefold())
    pager = Pager.of(request, len(spots), PER_PAGE)
    shown = spots[pager.offset : pager.offset + pager.size]
    return render(
        request,
        "search.html",
        words=query,
        categories=categories,
        spots=shown,
        ratings=ratings(request, [spot.place for spot in shown if spot.place]),
        pager=pager,
        sort=sort,
        map=map_view(pins(shown, pager.first), centre=None if shown else middle),
    )


def pins(spots: list[Spot], first: int = 1) -> list[Marker]:
    """Numbered markers for spots."""
    return [
        Marker(f"Marker {number}: {spot.name}", spot.at, spot.url, str(number), spot.colour)
        for number, spot in enumerate(spots, first)
        if spot.at is not None
    ]


def ratings(request: Request, places: list[Place]) -> dict[str, tuple[float, int]]:
    """Average and number of reviews by place, for those that have any."""
    marks = ",".join("?" * len(places))
    found = rows(
        request,
        f"SELECT place, AVG(rating) AS average, COUNT(*) AS size FROM review WHERE place IN ({marks}) GROUP BY place",
        *(place.id for place in places),
    )
    return {one["place"]: (one["average"], one["size"]) for one in found}


async def suggest(request: Request) -> Response:
    """The suggestions under a search field: the search's own, or places and points only for the ends of a route."""
    hits = [spot for spot in find(field(request, "q")[:80]) if spot.at is not None or not field(request, "spots")]
    return render(request, "suggestions.html", spots=hits[:MOST_SUGGESTIONS])


async def category(request: Request) -> Response:
    slug = request.path_params["slug"]
    chosen = next((one for one in CATEGORIES if one.slug == slug), None)
    if chosen is None:
        not_found("There is no such category.")
    near = field(request, "near")
    origin = resolve(near) if near else None
    start = origin.at if origin is not None and origin.at is not None else _station()
    places = [place for place in atlas().places if place.kind in chosen.kinds]
    every = len(places)
    if field(request, "open"):
        places = [place for place in places if is_open(place.facts.get("hours", ""))]
    if field(request, "step_free"):
        places = [place for place in places if place.facts.get("wheelchair") == "yes"]
    ranked = atlas().nearest(start, places)
    known = ratings(request, places)
    sort = field(request, "sort", "distance")
    if sort == "name":
        ranked.sort(key=lambda pair: (pair[1].name.casefold(), pair[0]))
    elif sort == "rating":
        ranked.sort(key=lambda pair: (-known.get(pair[1].id, (0.0, 0))[0], pair[0]))
    pager = Pager.of(request, len(ranked), PER_PAGE)
    shown = ranked[pager.offset : pager.offset + pager.size]
    markers = spread([place for _, place in shown], pager.first)
    if origin is not None:
        markers.append(Marker(f"Start: {origin.name}", start, origin.url, "", "#111827"))
    return render(
        request,
        "category.html",
        category=chosen,
        every=every,
        shown=shown,
        ratings=known,
        origin=origin,
        unknown=bool(near) and origin is None,
        near=near,
        pager=pager,
        sort=sort,
        open_only=bool(field(request, "open")),
        step_free=bool(field(request, "step_free")),
        map=map_view(markers) if markers else map_view(centre=start),
    )


def _station() -> Position:
    found = next(place for place in atlas().places if place.name == "Helsinki" and place.kind == "railway=station")
    return found.at


async def categories(request: Request) -> Response:
    counts = {one.slug: 0 for one in CATEGORIES}
    for place in atlas().places:
        if place.category.slug in counts:
            counts[place.category.slug] += 1
    return render(request, "categories.html", categories=CATEGORIES, counts=counts, map=map_view(centre=_station()))


async def point(request: Request) -> Response:
    at = point_of(request.path_params["at"])
    if at is None:
        not_found("This point is not on the map.")
    house, away = atlas().nearest_address(at)
    close = atlas().nearest(at, atlas().places, 8)
    spot = point_spot(at)
    return render(
        request,
        "point.html",
        spot=spot,
        written=coordinates(at),
        house=house,
        away=away,
        close=close,
        map=map_view([Marker(f"Point {spot.name}", at, "", "", "#b91c1c")], centre=at, zoom=17),
    )


async def draw(request: Request) -> Response:
    """The lines and areas of the map, for the script that draws them."""
    return Response(
        vectors(),
        media_type="application/json",
        headers={"Content-Encoding": "gzip", "Cache-Control": "public, max-age=86400"},
    )


async def set_layers(request: Request) -> Response:
    """Remember which layers this session wants to see."""
    chosen = {name: bool(field(request, name)) for name in ("places", "buildings", "numbers", "transit", "cycling")}
    style = field(request, "style")
    request.state.session.data["layers"] = {
        **chosen,
        "style": style if style in ("standard", "quiet", "night") else "standard",
    }
    if request.headers.get("x-requested-with") == "fetch":
        return json_response({"kept": True})
    back = field(request, "back", "/")
    return redirect(back if back.startswith("/") and not back.startswith("//") else "/")


async def about(request: Request) -> Response:
    return render(request, "about.html")


ROUTES = [
    Route("/", home),
    Route("/search", search),
    Route("/suggest", suggest),
    Route("/categories", categories),
    Route("/category/{slug}", category),
    Route("/at/{at}", point),
    Route("/vectors.json", draw),
    Route("/layers", set_layers, methods=["POST"]),
    Route("/about", about),
]
