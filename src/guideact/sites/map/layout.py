"""What every page of the map shows around its content, and what the map beside it is told."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from guideact.sites.map.atlas import Place, Position, atlas, vectors
from guideact.sites.map.kinds import CATEGORIES
from guideact.sites.map.units import coordinates, measure, units_of
from guideact.sites.web import field, static_url, user, value

__all__ = ["COLOURS", "LAYERS", "Marker", "here", "map_view", "site_context", "spread"]

COLOURS = {
    "red": "#dc2626",
    "orange": "#ea580c",
    "yellow": "#ca8a04",
    "green": "#15803d",
    "blue": "#2563eb",
    "purple": "#7c3aed",
}
"""What a saved place's marker may look like."""

LAYERS = (
    ("places", "Places"),
    ("buildings", "Buildings"),
    ("numbers", "House numbers"),
    ("transit", "Rails and tramways"),
    ("cycling", "Cycle routes"),
)
STYLES = (("standard", "Standard"), ("quiet", "Quiet"), ("night", "Night"))
_USUAL = {"places": True, "buildings": True, "numbers": True, "transit": True, "cycling": False}


@dataclass(frozen=True)
class Marker:
    """A pin over the map: a link or, without an address, a mark only. `label` is the number or letter in it."""

    name: str
    at: Position
    url: str = ""
    label: str = ""
    colour: str = "#1d4ed8"

    @property
    def place(self) -> str:
        """The position as the script wants it."""
        return f"{self.at[1]:.6f},{self.at[0]:.6f}"


def map_view(
    markers: Iterable[Marker] = (),
    *,
    routes: Sequence[Sequence[Position]] = (),
    chosen: int = 0,
    centre: Position | None = None,
    zoom: int = 16,
    click: str = "open",
) -> dict[str, Any]:
    """What `_map.html` draws. `click` says what a click on the map does: open a point's page, or fill in a field.

    Without a centre the map shows all markers and routes; without those the middle of the town.
    """
    pins = list(markers)
    fits = [pin.at for pin in pins] + [at for route in routes for at in route]
    return {
        "markers": pins,
        "routes": json.dumps([[[round(x, 6), round(y, 6)] for x, y in route] for route in routes]),
        "chosen": chosen,
        "centre": coordinates(centre or atlas().centre).replace(" ", ""),
        "zoom": zoom,
        "fit": centre is None and bool(fits),
        "click": click,
    }


def spread(places: Iterable[Place], start: int = 1) -> list[Marker]:
    """Numbered markers for a list of places."""
    return [
        Marker(f"Marker {number}: {place.name}", place.at, place.url, str(number), place.category.colour)
        for number, place in enumerate(places, start)
    ]


def here(request: Request) -> str:
    """This page's path and query."""
    query = request.url.query
    return f"{request.url.path}?{query}" if query else request.url.path


def layers_of(request: Request) -> dict[str, Any]:
    """Which layers the map of this session shows: name -> bool, and `style`."""
    return {**_USUAL, "style": "standard", **request.state.session.data.get("layers", {})}


@functools.cache
def _version() -> str:
    return hashlib.sha256(vectors()).hexdigest()[:12]


def site_context(request: Request) -> dict[str, Any]:
    """For every template: counts in the header, layers, units, and the map as it is without anything on it."""
    known = user(request)
    saved = (
        0
        if known is None
        else value(
            request,
            "SELECT COUNT(*) FROM saved_place s JOIN place_list l ON l.id = s.list_id WHERE l.member_id = ?",
            known["id"],
        )
    )
    return {
        "icons": static_url(request.state.site, "icons.svg"),
        "saved_count": saved,
        "top_categories": [category for category in CATEGORIES if category.top],
        "layers": layers_of(request),
        "layer_names": LAYERS,
        "style_names": STYLES,
        "units": units_of(request),
        "distance": measure(request),
        "map": map_view(),
        "vectors_url": f"/vectors.json?v={_version()}",
        "here": here(request),
        "query": field(request, "q") if request.url.path == "/search" else "",
    }
