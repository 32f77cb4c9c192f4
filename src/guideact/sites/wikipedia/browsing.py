"""Finding one's way without searching: the main page, categories, all titles, what links here, pictures, the map."""

from __future__ import annotations

import math
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.companies import EVENTS
from guideact.sites.state import fold
from guideact.sites.web import field, not_found, redirect, render, rows, value
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.corpus import Category, articles, category, category_tree, links_to
from guideact.sites.wikipedia.markup import lead_text, slug_of
from guideact.sites.wikipedia.pictures import all_pictures
from guideact.sites.wikipedia.reading import article_context

__all__ = ["ROUTES"]

FEATURED = ("Kettle", "Tarnholm_Bridge", "Fountain_pen")
DID_YOU_KNOW = (
    ("Ferrymen's Bridge", "that the toll on", "was paid in herring until 1903?"),
    ("Half-frame camera", "that in a", "a film of 36 pictures holds 72?"),
    ("Hark", "that the icebreaker", "spent its first summer as a floating cinema?"),
    ("Slow Kettle Society", "that the", "has a rule against talking while water is poured?"),
    ("The Clockmaker's Paradox", "that chapter twelve of", "is printed twice on purpose?"),
)
_MOST_RANDOM = 10_000


async def home(request: Request) -> Response:
    featured = shelf.page(request, FEATURED[0])
    return render(
        request,
        "home.html",
        featured=featured,
        extract=lead_text(featured.source, 620),
        facts=[(title, slug_of(title), before, after) for title, before, after in DID_YOU_KNOW],
        events=sorted(EVENTS, key=lambda one: one.starts)[:5],
        roots=[one for one in category_tree().values() if not one.parent],
        counts={
            "articles": value(request, "SELECT COUNT(*) FROM article"),
            "edits": value(request, "SELECT COUNT(*) FROM revision"),
            "editors": value(request, "SELECT COUNT(DISTINCT user_id) FROM revision"),
        },
        latest=rows(
            request,
            "SELECT a.slug, a.title, r.created_at, u.username FROM revision r JOIN article a ON a.id = r.article_id"
            " JOIN user u ON u.id = r.user_id ORDER BY r.created_at DESC, r.id DESC LIMIT 5",
        ),
    )


async def random_article(request: Request) -> Response:
    """Another article at every call, the same order in every session."""
    data = request.state.session.data
    turn = data["random"] = (data.get("random", 0) + 1) % _MOST_RANDOM
    found = articles()[turn * 61 % len(articles())]
    return redirect(f"/wiki/{found.slug}")


async def all_articles(request: Request) -> Response:
    letter = field(request, "letter").upper()[:1]
    groups: dict[str, list[object]] = {}
    for one in shelf.titles(request):
        first = fold(one["title"])[:1].upper()
        groups.setdefault(first if first.isalpha() else "0", []).append(one)
    letters = sorted(groups)
    shown = {letter: groups[letter]} if letter in groups else groups
    return render(request, "all.html", groups=shown, letters=letters, letter=letter if letter in groups else "")


# --- categories -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Branch:
    """A category of the tree with those below it."""

    category: Category
    count: int
    children: tuple[Branch, ...]


def _branches(parent: str, counts: dict[str, int]) -> tuple[Branch, ...]:
    return tuple(
        Branch(one, counts.get(one.slug, 0), _branches(one.name, counts))
        for one in category_tree().values()
        if one.parent == parent
    )


async def categories(request: Request) -> Response:
    return render(request, "categories.html", branches=_branches("", shelf.category_counts(request)))


async def category_page(request: Request) -> Response:
    slug = request.path_params["slug"]
    found = category(slug)
    inside = shelf.in_category(request, slug)
    if found is None and not inside:
        not_found("There is no category with this name.")
    groups: dict[str, list[object]] = {}
    for one in inside:
        groups.setdefault(fold(one["title"])[:1].upper(), []).append(one)
    name = found.name if found else slug.replace("_", " ")
    path: list[Category] = []
    above = category(slug_of(found.parent)) if found and found.parent else None
    while above is not None:
        path.insert(0, above)
        above = category(slug_of(above.parent)) if above.parent else None
    return render(
        request,
        "category.html",
        name=name,
        found=found,
        above=path,
        children=[one for one in category_tree().values() if one.parent == name],
        groups=groups,
        count=len(inside),
    )


# --- what belongs to an article ---------------------------------------------------------------------------------


async def links_here(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    return render(request, "links.html", linking=shelf.linking(request, page), **article_context(request, page, "read"))


async def information(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    history = rows(
        request,
        "SELECT r.created_at, r.size, u.username FROM revision r JOIN user u ON u.id = r.user_id"
        " WHERE r.article_id = ? ORDER BY r.number",
        page.id,
    )
    return render(
        request,
        "information.html",
        first=history[0],
        last=history[-1],
        edits=len(history),
        editors=len({one["username"] for one in history}),
        watchers=value(request, "SELECT COUNT(*) FROM watch WHERE article_id = ?", page.id),
        incoming=len(links_to().get(page.slug, ())),
        **article_context(request, page, "read"),
    )


async def file_page(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in all_pictures():
        not_found("There is no picture with this name.")
    users = [one for one in articles() if f"image = {name}\n" in one.source or f"{{{{image {name} " in one.source]
    return render(request, "file.html", name=name, users=users)


# --- the map that articles embed --------------------------------------------------------------------------------

CITIES: dict[str, tuple[float, float]] = {
    "Helsinki": (60.2, 24.9), "Tampere": (61.5, 23.8), "Turku": (60.5, 22.3), "Berlin": (52.5, 13.4),
    "Hamburg": (53.6, 10.0), "Munich": (48.1, 11.6), "Austin": (30.3, -97.7), "Portland": (45.5, -122.7),
    "Chicago": (41.9, -87.6), "Boston": (42.4, -71.1), "Seattle": (47.6, -122.3), "Tokyo": (35.7, 139.7),
    "Kyoto": (35.0, 135.8), "Madrid": (40.4, -3.7), "Barcelona": (41.4, 2.2), "Paris": (48.9, 2.4),
    "Lyon": (45.8, 4.8), "London": (51.5, -0.1), "Edinburgh": (56.0, -3.2), "Stockholm": (59.3, 18.1),
    "Kraków": (50.1, 19.9), "Lisbon": (38.7, -9.1), "Toronto": (43.7, -79.4), "Amsterdam": (52.4, 4.9),
}  # fmt: skip
"""Latitude and longitude in degrees, to a tenth."""

_SPANS = (3.0, 8.0, 20.0, 60.0)
"""Half the width of the map in degrees of longitude, by step of the zoom."""
_WIDTH, _HEIGHT = 320, 214


@dataclass(frozen=True)
class Dot:
    """A city on the embedded map, in pixels."""

    name: str
    x: float
    y: float
    is_middle: bool


async def embedded_map(request: Request) -> Response:
    names = {slug_of(name): name for name in CITIES}
    slug = request.path_params["slug"]
    if slug not in names:
        not_found("There is no map of this place.")
    try:
        zoom = min(max(int(field(request, "zoom", "2")), 0), len(_SPANS) - 1)
    except ValueError:
        zoom = 2
    north, east = CITIES[names[slug]]
    span = _SPANS[zoom]
    scale = _WIDTH / 2 / span
    # A degree of longitude shrinks towards the poles; one scale for the middle of the map is enough for a sketch.
    tall = scale / math.cos(math.radians(north))
    dots = []
    for name, (lat, lon) in CITIES.items():
        x, y = _WIDTH / 2 + (lon - east) * scale, _HEIGHT / 2 - (lat - north) * tall
        if 8 <= x <= _WIDTH - 8 and 12 <= y <= _HEIGHT - 8:
            dots.append(Dot(name, round(x, 1), round(y, 1), name == names[slug]))
    step = {0: 1, 1: 2, 2: 5, 3: 15}[zoom]
    meridians = [
        (degree, round(_WIDTH / 2 + (degree - east) * scale, 1))
        for degree in range(-180, 181, step)
        if abs(degree - east) < span
    ]
    half = _HEIGHT / 2 / tall
    parallels = [
        (degree, round(_HEIGHT / 2 - (degree - north) * tall, 1))
        for degree in range(-90, 91, step)
        if abs(degree - north) < half
    ]
    return render(
        request,
        "embed_map.html",
        name=names[slug],
        slug=slug,
        dots=dots,
        meridians=meridians,
        parallels=parallels,
        zoom=zoom,
        last=len(_SPANS) - 1,
        width=_WIDTH,
        height=_HEIGHT,
    )


ROUTES = [
    Route("/", home),
    Route("/random", random_article),
    Route("/all", all_articles),
    Route("/categories", categories),
    Route("/category/{slug}", category_page),
    Route("/links/{slug}", links_here),
    Route("/information/{slug}", information),
    Route("/file/{name}", file_page),
    Route("/embed/map/{slug}", embedded_map),
]
