"""Directions: from one place to another by car, by bicycle or on foot, with stops on the way and other routes."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.map.atlas import Position, metres
from guideact.sites.map.graph import MODES, Mode, Path, Turn, graph, legs, routes, turns
from guideact.sites.map.layout import Marker, map_view
from guideact.sites.map.search import Spot, resolve
from guideact.sites.map.units import duration
from guideact.sites.web import field, fields, integer, redirect, render, user, with_query

MOST_STOPS = 3
MODE_NAMES = {"car": "Car", "bicycle": "Bicycle", "foot": "On foot"}
_HOW = {"car": "by car", "bicycle": "by bicycle", "foot": "on foot"}


@dataclass(frozen=True)
class End:
    """One field of the form: what is written in it, and what that was taken for."""

    text: str
    spot: Spot | None

    @property
    def missing(self) -> bool:
        return bool(self.text) and self.spot is None


@dataclass(frozen=True)
class Choice:
    """One route to choose from."""

    path: Path
    by: str
    """The street that it follows for longest."""
    url: str
    time: str


def _end(text: str, ref: str) -> End:
    """A text and the reference that came with it, which counts as long as it still is what the text says."""
    known = resolve(ref) if ref else None
    if known is not None and known.name == text:
        return End(text, known)
    found = resolve(text) if text else None
    # A place may be named by its number alone, as links of other pages do.
    return End(found.name if found is not None and text == found.ref else text, found)


def _mode(request: Request) -> Mode:
    known = user(request)
    wanted = field(request, "mode") or (known["travel_mode"] if known is not None else "foot")
    return next((mode for mode in MODES if mode == wanted), "foot")


def _ends(request: Request) -> tuple[End, list[End], End]:
    refs = fields(request, "via_ref")
    via = [_end(text, refs[at] if at < len(refs) else "") for at, text in enumerate(fields(request, "via"))]
    return (
        _end(field(request, "from"), field(request, "from_ref")),
        via[:MOST_STOPS],
        _end(field(request, "to"), field(request, "to_ref")),
    )


def _address(start: End, via: list[End], end: End, mode: Mode) -> str:
    """The page's address for these ends."""
    pairs: list[tuple[str, str]] = []
    for name, one in (("from", start), *(("via", stop) for stop in via), ("to", end)):
        pairs += [(name, one.text), (f"{name}_ref", one.spot.ref if one.spot else "")]
    return f"/directions?{urlencode([*pairs, ('mode', mode)])}"


def _edited(request: Request, start: End, via: list[End], end: End, mode: Mode) -> str | None:
    """Where the buttons of the form lead that change it: reverse, a stop more, a stop less."""
    if field(request, "reverse"):
        return _address(end, via[::-1], start, mode)
    if field(request, "add"):
        return _address(start, [*via, End("", None)][:MOST_STOPS], end, mode)
    drop = integer(request, "drop")
    if drop is not None and 0 <= drop < len(via):
        return _address(start, via[:drop] + via[drop + 1 :], end, mode)
    return None


async def directions(request: Request) -> Response:
    mode = _mode(request)
    start, via, end = _ends(request)
    elsewhere = _edited(request, start, via, end, mode)
    if elsewhere is not None:
        return redirect(elsewhere)
    stops = [one.spot for one in (start, *via, end) if one.spot is not None]
    errors = [f"Nothing on the map is called “{one.text}”." for one in (start, *via, end) if one.missing]
    ready = start.spot is not None and end.spot is not None and not errors
    points = tuple(spot.at for spot in stops if spot.at is not None)
    paths = routes(mode, points) if ready else ()
    paths = tuple(path for path in paths if path.edges)
    if ready and not paths:
        errors.append("Start and destination are so close that there is no route to tell.")
    chosen = min(max(integer(request, "route", 0) or 0, 0), max(len(paths) - 1, 0))
    letters = "ABCDE"
    markers = [
        Marker(f"{letters[at]}: {spot.name}", spot.at, spot.url, letters[at], "#111827")
        for at, spot in enumerate(stops)
        if spot.at is not None
    ]
    return render(
        request,
        "directions.html",
        start=start,
        via=via,
        end=end,
        mode=mode,
        modes=MODE_NAMES,
        how=_HOW[mode],
        most_stops=MOST_STOPS,
        errors=errors,
        choices=_choices(request, paths),
        chosen=chosen,
        time=duration(paths[chosen].seconds) if paths else "",
        turns=_turns(mode, paths[chosen], points, stops) if paths else [],
        map=map_view(
            markers,
            routes=[_line(mode, path, points) for path in paths],
            chosen=chosen,
            click="directions",
        ),
    )


def _choices(request: Request, paths: tuple[Path, ...]) -> list[Choice]:
    made: list[Choice] = []
    for number, path in enumerate(paths):
        others = {edge.name for other in paths if other is not path for edge in other.edges}
        by: dict[str, float] = {}
        for leg in legs(path):
            # A street of its own tells one route from another better than one that all share.
            own = 3.0 if leg.name not in others else 1.0
            by[leg.name] = by.get(leg.name, 0.0) + leg.metres * (own if not leg.name.startswith("the ") else 0.1)
        name = max(by, key=lambda street: (by[street], street))
        made.append(Choice(path, name, with_query(request, route=number or None), duration(path.seconds)))
    return made


def _line(mode: Mode, path: Path, points: tuple[Position, ...]) -> list[Position]:
    """The route as it is drawn, from door to door."""
    at = graph(mode).at
    return [points[0], *(at[node] for node in path.nodes), points[-1]]


def _turns(mode: Mode, path: Path, points: tuple[Position, ...], stops: list[Spot]) -> list[Turn]:
    roads = graph(mode)
    via = {roads.snap(at): spot.name for at, spot in zip(points[1:-1], stops[1:-1], strict=True)}
    return turns(roads, path, via, stops[-1].name)


async def measure(request: Request) -> Response:
    """A line through points, as the crow flies: clicked on the map, or named."""
    refs = [ref for ref in fields(request, "p") if ref]
    added, missing = field(request, "add"), ""
    if added:
        spot = resolve(field(request, "add_ref")) if field(request, "add_ref") else None
        if spot is None or spot.name != added:
            spot = resolve(added)
        if spot is not None:
            return redirect(f"/measure?{urlencode([('p', ref) for ref in (*refs, spot.ref)])}")
        missing = added
    spots = [spot for spot in (resolve(ref) for ref in refs) if spot is not None and spot.at is not None]
    places = [spot.at for spot in spots if spot.at is not None]
    parts = [metres(a, b) for a, b in itertools.pairwise(places)]
    rest = [
        f"/measure?{urlencode([('p', spot.ref) for index, spot in enumerate(spots) if index != at])}"
        for at in range(len(spots))
    ]
    return render(
        request,
        "measure.html",
        spots=spots,
        parts=parts,
        total=sum(parts),
        rest=rest,
        refs=[spot.ref for spot in spots],
        missing=missing,
        map=map_view(
            [
                Marker(f"Point {number}: {spot.name}", at, "", str(number), "#111827")
                for number, (spot, at) in enumerate(zip(spots, places, strict=True), 1)
            ],
            routes=[places] if len(places) > 1 else [],
            click="measure",
        ),
    )


ROUTES = [Route("/directions", directions), Route("/measure", measure)]
