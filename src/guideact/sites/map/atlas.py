"""The map itself: what `data/helsinki.json` holds, read once when a page first needs it, and shared by all instances.

Positions are (longitude, latitude) in degrees. How the file is laid out is told at the head of
`scripts/build-map-data`, which builds it from OpenStreetMap; `businesses.py` adds what is made up.
"""

from __future__ import annotations

import functools
import gzip
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from guideact.sites.map.businesses import BUSINESSES
from guideact.sites.map.kinds import Category, category_of, kind_name

__all__ = ["EARTH", "Address", "Atlas", "Place", "Position", "atlas", "metres", "raw", "vectors"]

DATA = Path(__file__).parent / "data" / "helsinki.json"
EARTH = 6_371_008.8
"""Mean radius in metres."""

Position = tuple[float, float]


def metres(a: Position, b: Position) -> float:
    """Distance along the sphere (haversine)."""
    (ax, ay), (bx, by) = a, b
    ay, by = math.radians(ay), math.radians(by)
    half = math.sin((by - ay) / 2) ** 2 + math.cos(ay) * math.cos(by) * math.sin(math.radians(bx - ax) / 2) ** 2
    return 2 * EARTH * math.asin(math.sqrt(half))


@dataclass(frozen=True)
class Place:
    """Something on the map with a page of its own."""

    id: str
    kind: str
    """A tag: amenity=cafe."""
    name: str
    at: Position
    facts: Mapping[str, str]
    named: bool
    """Whether the name is its own; a cash machine is called after its street."""

    @property
    def url(self) -> str:
        return f"/place/{self.id}"

    @property
    def kind_name(self) -> str:
        return kind_name(self.kind)

    @property
    def category(self) -> Category:
        return category_of(self.kind)

    @property
    def address(self) -> str:
        """Street and number; the nearest street where the place has no address of its own; or nothing."""
        facts = self.facts
        if "street" in facts:
            return f"{facts['street']} {facts.get('number', '')}".strip()
        return facts.get("on", "")


@dataclass(frozen=True)
class Address:
    """A house, by street and number; with an empty number a whole street, at its middle."""

    street: str
    number: str
    postcode: str
    at: Position

    @property
    def name(self) -> str:
        return f"{self.street} {self.number}".strip()


@dataclass(frozen=True)
class Atlas:
    """Everything that can be found on the map. `bounds` are west, south, east, north."""

    bounds: tuple[float, float, float, float]
    places: tuple[Place, ...]
    addresses: tuple[Address, ...]
    streets: tuple[Address, ...]
    place_by_id: Mapping[str, Place]

    @property
    def centre(self) -> Position:
        west, south, east, north = self.bounds
        return ((west + east) / 2, (south + north) / 2)

    def holds(self, at: Position) -> bool:
        """Whether a position lies on the map."""
        west, south, east, north = self.bounds
        return west <= at[0] <= east and south <= at[1] <= north

    def nearest_address(self, at: Position) -> tuple[Address, float]:
        """The house closest to a position, and how far it is in metres."""
        found = min(self.addresses, key=lambda one: (_square(at, one.at), one.street, one.number))
        return found, metres(at, found.at)

    def nearest(self, at: Position, places: Iterable[Place], most: int | None = None) -> list[tuple[float, Place]]:
        """Places with their distance in metres, the closest first: all of them, or the first `most`."""
        ranked = sorted((_square(at, place.at), place.id, place) for place in places)[:most]
        return [(metres(at, place.at), place) for _, _, place in ranked]


def _square(a: Position, b: Position) -> float:
    """A number that grows with the distance: enough to compare by, and quick."""
    return ((a[0] - b[0]) * 0.4974) ** 2 + (a[1] - b[1]) ** 2


@functools.cache
def raw() -> dict[str, Any]:
    """The data file as it is."""
    found: dict[str, Any] = json.loads(DATA.read_bytes())
    return found


def _place(given: Mapping[str, Any], at: Position) -> Place:
    facts = {key: text for key, text in given.items() if isinstance(text, str) and key not in ("id", "kind", "name")}
    kind, name = given["kind"], given.get("name", "")
    if not name:
        name = ", ".join(part for part in (kind_name(kind), facts.get("street") or facts.get("on")) if part)
    return Place(given["id"], kind, name, at, facts, "name" in given)


def _streets(data: Mapping[str, Any]) -> tuple[Address, ...]:
    """Every street with a name, at the corner closest to the middle of all of it."""
    nodes = data["nodes"]
    corners: dict[str, set[int]] = {}
    for _, name, _, access, way in data["ways"]:
        if name and access:
            corners.setdefault(name, set()).update(way)
    found = []
    for name, members in sorted(corners.items()):
        points = [(nodes[2 * node] / 1e6, nodes[2 * node + 1] / 1e6) for node in sorted(members)]
        middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
        found.append(Address(name, "", "", min(points, key=lambda point: (_square(point, middle), point))))
    return tuple(found)


@functools.cache
def atlas() -> Atlas:
    """The atlas, made from the file at the first call."""
    data = raw()
    west, south, east, north = (value / 1e6 for value in data["bounds"])
    addresses = tuple(
        Address(street, number, postcode, (x / 1e6, y / 1e6)) for street, number, postcode, x, y in data["addresses"]
    )
    house = {(one.street, one.number): one.at for one in addresses}
    places = [_place(given, (given["at"][0] / 1e6, given["at"][1] / 1e6)) for given in data["places"]]
    places += [_place(given, house[given["street"], given["number"]]) for given in BUSINESSES]
    return Atlas(
        bounds=(west, south, east, north),
        places=tuple(places),
        addresses=addresses,
        streets=_streets(data),
        place_by_id={place.id: place for place in places},
    )


@functools.cache
def vectors() -> bytes:
    """What the browser draws, as JSON in gzip: areas, roads, lines, and the names of places with their colours.

    `roads` are [class, name, access, [longitude, latitude, ...]], `labels` [id, name, colour, icon, rank, longitude,
    latitude]; positions are millionths of a degree.
    """
    data, found = raw(), atlas()
    nodes = data["nodes"]
    roads = [
        [kind, name, access, [value for node in way for value in nodes[2 * node : 2 * node + 2]]]
        for kind, name, _, access, way in data["ways"]
    ]
    labels = [
        [
            place.id,
            place.name if place.named else "",
            place.category.colour,
            place.category.icon,
            _rank(place),
            round(place.at[0] * 1e6),
            round(place.at[1] * 1e6),
        ]
        for place in found.places
    ]
    labels.sort(key=lambda label: (label[4], label[0]))
    shown = {
        "bounds": data["bounds"],
        "areas": data["areas"],
        "lines": data["lines"],
        "roads": roads,
        "houses": [[one.number, round(one.at[0] * 1e6), round(one.at[1] * 1e6)] for one in found.addresses],
        "labels": labels,
    }
    return gzip.compress(json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode(), 6, mtime=0)


_FIRST = {"railway=station", "tourism=museum", "shop=mall", "amenity=townhall", "shop=department_store"}
_SECOND = {"amenity=library", "amenity=theatre", "tourism=hotel", "amenity=place_of_worship", "leisure=park"}


def _rank(place: Place) -> int:
    """How early a place's name is written on the map: 0 first, 3 last."""
    if place.kind in _FIRST or place.id.startswith("b"):
        return 0
    if place.kind in _SECOND:
        return 1
    return 2 if place.named else 3
