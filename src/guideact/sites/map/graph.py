"""Ways through the city: the road graph of each mode of travel, and the quickest route through it.

Every corner of a road is a node. By car a road takes its speed limit times `CAR_SHARE`, since one waits at lights; by
bicycle and on foot all roads go at one speed. Turn restrictions at crossings are not part of the data.
"""

from __future__ import annotations

import functools
import heapq
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from guideact.sites.map.atlas import Position, metres, raw

__all__ = ["CAR_SHARE", "MODES", "SPEEDS", "Graph", "Leg", "Mode", "Path", "Turn", "graph", "routes", "turns"]

Mode = Literal["car", "bicycle", "foot"]
MODES: tuple[Mode, ...] = ("car", "bicycle", "foot")
SPEEDS = {"bicycle": 16.0, "foot": 4.8}
"""Kilometres an hour."""
CAR_SHARE = 0.6
_ACCESS = {"car": (1, 2), "bicycle": (4, 8), "foot": (16, 16)}
"""The access bits for going along a way and against it."""
_FASTEST = {"car": 50.0 * CAR_SHARE, **SPEEDS}
_PENALTY = 1.5
"""What a road of an earlier route counts for in the search for another one."""


@dataclass(frozen=True)
class Edge:
    """A straight piece of road from one node to the next."""

    metres: float
    seconds: float
    name: str
    kind: str


@dataclass(frozen=True)
class Graph:
    """The roads of one mode. `edges` by node; nodes that the mode cannot reach have none."""

    mode: Mode
    at: tuple[Position, ...]
    edges: Mapping[int, tuple[tuple[int, float, Edge], ...]]
    """(node, seconds, edge): plain tuples, which the search walks through quicker than objects."""
    cells: Mapping[tuple[int, int], tuple[int, ...]]
    """The nodes by squares of a thousandth of a degree."""

    def snap(self, at: Position) -> int:
        """The node closest to a position, measured in degrees with those of longitude counted for half."""
        x, y, points = at[0], at[1], self.at
        column, line = math.floor(x * 1000), math.floor(y * 1000)
        for reach in range(1, 100):
            near = [
                node
                for cell in itertools.product(
                    range(column - reach, column + reach + 1), range(line - reach, line + reach + 1)
                )
                for node in self.cells.get(cell, ())
            ]
            ranked = [(math.hypot((points[node][0] - x) * 0.4974, points[node][1] - y), node) for node in near]
            # Whatever lies outside these squares is at least this far off.
            if ranked and min(ranked)[0] <= reach * 0.0004974:
                return min(ranked)[1]
        raise ValueError(f"{at} is nowhere near the map")


@functools.cache
def graph(mode: Mode) -> Graph:
    """The graph of a mode, built at the first call."""
    data = raw()
    flat = data["nodes"]
    at = tuple((flat[i] / 1e6, flat[i + 1] / 1e6) for i in range(0, len(flat), 2))
    onward, backward = _ACCESS[mode]
    edges: dict[int, list[tuple[int, float, Edge]]] = {}
    for kind, name, limit, access, way in data["ways"]:
        if not access & (onward | backward):
            continue
        speed = (SPEEDS[mode] if mode in SPEEDS else min(limit, 50) * CAR_SHARE) / 3.6
        for a, b in itertools.pairwise(way):
            length = metres(at[a], at[b])
            edge = Edge(length, length / speed, name, kind)
            if access & onward:
                edges.setdefault(a, []).append((b, edge.seconds, edge))
            if access & backward:
                edges.setdefault(b, []).append((a, edge.seconds, edge))
    cells: dict[tuple[int, int], list[int]] = {}
    for node in edges:
        cells.setdefault((math.floor(at[node][0] * 1000), math.floor(at[node][1] * 1000)), []).append(node)
    return Graph(
        mode,
        at,
        {node: tuple(found) for node, found in edges.items()},
        {cell: tuple(found) for cell, found in cells.items()},
    )


@dataclass(frozen=True)
class Path:
    """A route: its nodes and the edges between them."""

    nodes: tuple[int, ...]
    edges: tuple[Edge, ...]

    @property
    def metres(self) -> float:
        return sum(edge.metres for edge in self.edges)

    @property
    def seconds(self) -> float:
        return sum(edge.seconds for edge in self.edges)


def quickest(roads: Graph, start: int, end: int, dearer: frozenset[tuple[int, int]] = frozenset()) -> Path | None:
    """The quickest path by A*; None where there is none. Pairs of nodes in `dearer` cost more than they take."""
    points, all_edges = roads.at, roads.edges
    goal_x, goal_y = points[end]
    # Straight-line seconds, kept a little too low so that the estimate never exceeds the truth.
    per_degree = 111_190 / (_FASTEST[roads.mode] / 3.6)
    across, hypot, heappush = 0.497, math.hypot, heapq.heappush
    best: dict[int, float] = {start: 0.0}
    came: dict[int, tuple[int, Edge]] = {}
    queue = [(0.0, start)]
    done: set[int] = set()
    while queue:
        _, node = heapq.heappop(queue)
        if node in done:
            continue
        if node == end:
            break
        done.add(node)
        spent = best[node]
        for to, seconds, edge in all_edges.get(node, ()):
            cost = spent + (seconds * _PENALTY if dearer and (node, to) in dearer else seconds)
            if to not in best or cost < best[to]:
                best[to] = cost
                came[to] = (node, edge)
                x, y = points[to]
                ahead = per_degree * hypot((x - goal_x) * across, y - goal_y)
                heappush(queue, (cost + ahead, to))
    if end not in best:
        return None
    nodes, edges = [end], []
    while nodes[-1] != start:
        node, edge = came[nodes[-1]]
        nodes.append(node)
        edges.append(edge)
    return Path(tuple(reversed(nodes)), tuple(reversed(edges)))


@functools.lru_cache(256)
def routes(mode: Mode, stops: tuple[Position, ...]) -> tuple[Path, ...]:
    """`alternatives` between positions, the latest ones remembered: a page of directions is often asked for again."""
    roads = graph(mode)
    return tuple(alternatives(roads, tuple(roads.snap(stop) for stop in stops)))


def alternatives(roads: Graph, stops: tuple[int, ...], most: int = 3) -> list[Path]:
    """The quickest path through all stops, and up to two others that take half as long again at most.

    A third of each is new.
    """
    found: list[Path] = []
    dearer: set[tuple[int, int]] = set()
    for _ in range(most):
        parts = [quickest(roads, a, b, frozenset(dearer)) for a, b in itertools.pairwise(stops)]
        whole = _chain(parts)
        if whole is None:
            break
        pairs = list(zip(whole.nodes, whole.nodes[1:], strict=False))
        if not found or (whole.seconds <= found[0].seconds * 1.5 and all(_differs(whole, other) for other in found)):
            found.append(whole)
        dearer.update(pairs)
        dearer.update((b, a) for a, b in pairs)
    return [found[0], *sorted(found[1:], key=lambda path: path.seconds)] if found else []


def _chain(parts: list[Path | None]) -> Path | None:
    nodes: list[int] = []
    edges: list[Edge] = []
    for part in parts:
        if part is None:
            return None
        nodes += part.nodes[1:] if nodes else part.nodes
        edges += part.edges
    return Path(tuple(nodes), tuple(edges))


def _differs(path: Path, other: Path) -> bool:
    there = set(zip(other.nodes, other.nodes[1:], strict=False))
    pairs = zip(path.nodes, path.nodes[1:], strict=False)
    alike = sum(edge.metres for pair, edge in zip(pairs, path.edges, strict=True) if pair in there)
    return alike < path.metres * 2 / 3


# --- in words -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Turn:
    """One line of the directions."""

    sign: str
    """start, straight, left, right, slight-left, slight-right, sharp-left, sharp-right, back, via, end."""
    text: str
    metres: float
    seconds: float
    at: Position


@dataclass(frozen=True)
class Leg:
    """A stretch of a path along one street."""

    name: str
    kind: str
    first: int
    last: int
    """Indices of its first and last node in the path."""
    metres: float
    seconds: float


_UNNAMED = {
    "footway": "the footway",
    "cycleway": "the cycle path",
    "steps": "the steps",
    "pedestrian": "the pedestrian street",
    "path": "the path",
    "corridor": "the passage",
    "service": "the service road",
}
_SHORT = 30.0
"""A nameless bit of this many metres, such as a crossing, belongs to what comes before it."""


_CROSSING = 25.0


def legs(path: Path) -> list[Leg]:
    """The path by streets: edges of one name together, short nameless bits swallowed by their neighbours."""
    made: list[Leg] = []
    for index, edge in enumerate(path.edges):
        name = edge.name or _UNNAMED.get(edge.kind, "the road")
        last = made[-1] if made else None
        if last is not None and last.name == name:
            made[-1] = Leg(
                name, edge.kind, last.first, index + 1, last.metres + edge.metres, last.seconds + edge.seconds
            )
        else:
            made.append(Leg(name, edge.kind, index, index + 1, edge.metres, edge.seconds))
    merged: list[Leg] = []
    for leg in made:
        last = merged[-1] if merged else None
        short = leg.metres < _SHORT and leg is not made[-1] and leg.name.startswith("the ")
        if last is not None and (short or leg.name == last.name):
            merged[-1] = Leg(
                last.name, last.kind, last.first, leg.last, last.metres + leg.metres, last.seconds + leg.seconds
            )
        elif last is not None and last.metres < _SHORT and last.name.startswith("the "):
            merged[-1] = Leg(
                leg.name, leg.kind, last.first, leg.last, last.metres + leg.metres, last.seconds + leg.seconds
            )
        else:
            merged.append(leg)
    return _without_crossings(merged)


def _without_crossings(found: list[Leg]) -> list[Leg]:
    """Without the few metres of another street that one walks along while crossing it."""
    kept: list[Leg] = []
    for index, leg in enumerate(found):
        last = kept[-1] if kept else None
        brief = leg.metres < _CROSSING and index < len(found) - 1
        if last is not None and (brief or last.name == leg.name):
            kept[-1] = Leg(
                last.name, last.kind, last.first, leg.last, last.metres + leg.metres, last.seconds + leg.seconds
            )
        else:
            kept.append(leg)
    return kept


def bearing(a: Position, b: Position) -> float:
    """Degrees clockwise from north."""
    return math.degrees(math.atan2((b[0] - a[0]) * 0.4974, b[1] - a[1])) % 360


_WINDS = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")


def wind(degrees: float) -> str:
    """The name of a direction: 90 -> east."""
    return _WINDS[round(degrees / 45) % 8]


def _sign(angle: float) -> tuple[str, str]:
    """(sign, words) of a turn by this many degrees, positive to the right."""
    side = "right" if angle > 0 else "left"
    size = abs(angle)
    if size < 25:
        return "straight", "Continue straight onto"
    if size < 50:
        return f"slight-{side}", f"Bear {side} onto"
    if size < 125:
        return side, f"Turn {side} onto"
    if size < 165:
        return f"sharp-{side}", f"Turn sharply {side} onto"
    return "back", "Turn back onto"


def turns(roads: Graph, path: Path, via: Mapping[int, str], end: str) -> list[Turn]:
    """The path as a list of turns. `via` names the stops by node; `end` is what is arrived at."""
    at, made = roads.at, []
    for number, leg in enumerate(legs(path)):
        here = path.nodes[leg.first]
        ahead = bearing(at[here], at[path.nodes[_beyond(roads, path, leg.first, leg.last)]])
        if number == 0:
            made.append(Turn("start", f"Head {wind(ahead)} on {leg.name}", leg.metres, leg.seconds, at[here]))
        else:
            before = bearing(at[path.nodes[_before(roads, path, leg.first)]], at[here])
            sign, words = _sign((ahead - before + 180) % 360 - 180)
            made.append(Turn(sign, f"{words} {leg.name}", leg.metres, leg.seconds, at[here]))
        for index in range(leg.first + 1, leg.last + 1):
            if path.nodes[index] in via and index < len(path.nodes) - 1:
                made.append(Turn("via", f"Pass {via[path.nodes[index]]}", 0.0, 0.0, at[path.nodes[index]]))
    made.append(Turn("end", f"Arrive at {end}", 0.0, 0.0, at[path.nodes[-1]]))
    return made


def _beyond(roads: Graph, path: Path, first: int, last: int) -> int:
    """The node about 15 m on, so that a bend within a crossing does not decide what the turn is called."""
    gone = 0.0
    for index in range(first, last):
        gone += path.edges[index].metres
        if gone >= 15:
            return index + 1
    return last


def _before(roads: Graph, path: Path, first: int) -> int:
    gone = 0.0
    for index in range(first - 1, -1, -1):
        gone += path.edges[index].metres
        if gone >= 15:
            return index
    return 0
