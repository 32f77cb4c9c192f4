"""The map's data read a second time, for checks: nothing here is shared with the site that they check.

Positions are (longitude, latitude) in degrees, lengths metres. The file is described in `scripts/build-map-data`.
"""

from __future__ import annotations

import functools
import heapq
import json
import re
from importlib import resources
from itertools import pairwise
from math import asin, ceil, cos, floor, hypot, inf, radians, sin, sqrt
from typing import Any

from guideact.sites.map.businesses import BUSINESSES

Position = tuple[float, float]

_RADIUS = 6_371_008.8
_LIMITS = {"car": (1, 2), "bicycle": (4, 8), "foot": (16, 16)}
_DAYS = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")


@functools.cache
def _file() -> dict[str, Any]:
    text = (resources.files("guideact.sites.map") / "data" / "helsinki.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


@functools.cache
def places() -> dict[str, dict[str, Any]]:
    """Every place as the file has it, by number; those that are made up stand where their house does."""
    houses = {(street, number): (x, y) for street, number, _, x, y in _file()["addresses"]}
    found = {one["id"]: one for one in _file()["places"]}
    found |= {one["id"]: {**one, "at": houses[one["street"], one["number"]]} for one in BUSINESSES}
    return found


@functools.cache
def _by_name() -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in places().values():
        if "name" in one:
            found.setdefault(one["name"], []).append(one)
    return found


def named(name: str) -> dict[str, Any]:
    """The place of this name. Raises ValueError where there is none, or more than one: a task must be clear."""
    found = _by_name().get(name, [])
    if len(found) != 1:
        raise ValueError(f"{len(found)} places are called {name!r}")
    return found[0]


def where(name: str) -> Position:
    """Where the place of this name stands."""
    x, y = named(name)["at"]
    return x / 1e6, y / 1e6


def straight(a: Position, b: Position) -> float:
    """Metres along the earth's surface."""
    lat_a, lat_b = radians(a[1]), radians(b[1])
    across = sin(radians(b[0] - a[0]) / 2) ** 2 * cos(lat_a) * cos(lat_b)
    return 2 * _RADIUS * asin(sqrt(sin((lat_b - lat_a) / 2) ** 2 + across))


def of_kinds(*kinds: str) -> list[dict[str, Any]]:
    """The places of these tags."""
    return [one for one in places().values() if one["kind"] in kinds]


def closest(name: str, among: list[dict[str, Any]]) -> list[tuple[float, dict[str, Any]]]:
    """These places by their distance from a named one, without itself."""
    start = where(name)
    ranked = [
        (straight(start, (one["at"][0] / 1e6, one["at"][1] / 1e6)), one["id"], one)
        for one in among
        if one.get("name") != name
    ]
    return [(metres, one) for metres, _, one in sorted(ranked, key=lambda entry: entry[:2])]


def house_at(at: Position) -> str:
    """The address closest to a point."""
    best = min(_file()["addresses"], key=lambda one: straight(at, (one[3] / 1e6, one[4] / 1e6)))
    return f"{best[0]} {best[1]}"


def closing(hours: str, day: int) -> str:
    """When a place with simple hours closes on a day (0 is Monday): 18:00. Raises ValueError for what is not simple."""
    told: dict[int, str] = {}
    for rule in re.split(r"[;]", hours):
        found = re.fullmatch(r"\s*(\w\w)(?:-(\w\w))?\s+\d\d:\d\d-(\d\d:\d\d)\s*", rule)
        if found is None:
            raise ValueError(f"{hours!r} is not simple")
        first = _DAYS.index(found[1])
        for one in range(first, _DAYS.index(found[2] or found[1]) + 1):
            told[one] = found[3]
    return told[day]


# --- the way there ------------------------------------------------------------------------------------------------


@functools.cache
def _roads(mode: str) -> tuple[list[Position], dict[int, list[tuple[int, float, float]]]]:
    flat = _file()["nodes"]
    at = [(flat[2 * n] / 1e6, flat[2 * n + 1] / 1e6) for n in range(len(flat) // 2)]
    ahead, against = _LIMITS[mode]
    edges: dict[int, list[tuple[int, float, float]]] = {}
    for _, _, limit, access, way in _file()["ways"]:
        if not access & (ahead | against):
            continue
        kmh = {"foot": 4.8, "bicycle": 16.0}.get(mode, 0.6 * min(limit, 50))
        for n in range(len(way) - 1):
            a, b = way[n], way[n + 1]
            metres = straight(at[a], at[b])
            for one, other, bit in ((a, b, ahead), (b, a, against)):
                if access & bit:
                    edges.setdefault(one, []).append((other, metres, metres * 3.6 / kmh))
    return at, edges


@functools.cache
def _corner(mode: str, place: Position) -> int:
    """The closest point of a road that may be taken."""
    at, edges = _roads(mode)
    # Degrees of longitude are half as long as those of latitude here.
    return min(edges, key=lambda n: hypot((at[n][0] - place[0]) * 0.4974, at[n][1] - place[1]))


@functools.cache
def _leg(mode: str, start: Position, end: Position) -> tuple[float, float]:
    """(metres, seconds) of the quickest way, by Dijkstra."""
    _, edges = _roads(mode)
    source, target = _corner(mode, start), _corner(mode, end)
    best: dict[int, tuple[float, float]] = {source: (0.0, 0.0)}
    queue = [(0.0, 0.0, source)]
    while queue:
        seconds, metres, node = heapq.heappop(queue)
        if node == target:
            return metres, seconds
        if seconds > best[node][0]:
            continue
        for to, length, time in edges.get(node, ()):
            if seconds + time < best.get(to, (inf, 0.0))[0]:
                best[to] = (seconds + time, metres + length)
                heapq.heappush(queue, (seconds + time, metres + length, to))
    raise ValueError(f"no way from {start} to {end}")


def way(mode: str, *stops: str) -> tuple[float, float]:
    """(metres, seconds) of the quickest way through named places."""
    parts = [_leg(mode, where(a), where(b)) for a, b in pairwise(stops)]
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def minutes(seconds: float) -> int:
    """Whole minutes, a begun one counted, as the map tells them."""
    return ceil(seconds / 60)


def kilometres(metres: float) -> str:
    """With one decimal, as the map tells a distance of a kilometre or more. Raises ValueError for a shorter one."""
    if tens(metres) < 1000:
        raise ValueError(f"{metres:.0f} m are told in metres")
    return f"{floor(metres / 100 + 0.5) / 10:.1f}"


def tens(metres: float) -> int:
    """To the nearest ten metres, as the map tells a shorter distance."""
    return floor(metres / 10 + 0.5) * 10
