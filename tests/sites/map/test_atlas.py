"""The map's data and what is made of them: places, streets, hours, routes, words for distances."""

from __future__ import annotations

import heapq
import itertools
import json
import math
from typing import Any

import pytest

from guideact.sites.companies import COMPANIES, ORGANISATIONS
from guideact.sites.map.atlas import DATA, atlas, metres
from guideact.sites.map.businesses import BUSINESSES
from guideact.sites.map.graph import MODES, Mode, graph, legs, routes, turns
from guideact.sites.map.hours import is_open, status, week
from guideact.sites.map.search import find, resolve
from guideact.sites.map.units import distance, duration
from guideact.sites.state import Database

RAW: dict[str, Any] = json.loads(DATA.read_text(encoding="utf-8"))


def test_everything_lies_on_the_map() -> None:
    found = atlas()
    assert len(found.places) > 1300
    assert all(found.holds(place.at) for place in found.places)
    assert len(found.place_by_id) == len(found.places)
    corners = len(RAW["nodes"]) // 2
    assert all(0 <= node < corners for *_, way in RAW["ways"] for node in way)


def test_the_attribution_travels_with_the_data() -> None:
    assert "OpenStreetMap contributors" in RAW["attribution"]


def test_made_up_places_stand_at_houses_that_exist() -> None:
    houses = {(street, number) for street, number, *_ in RAW["addresses"]}
    assert {(one["street"], one["number"]) for one in BUSINESSES} <= houses
    names = {one["name"] for one in BUSINESSES}
    assert {"Harbour Code", "Esplanadi Reading Room", "Töölö Bicycle Workshop"} <= names & set(ORGANISATIONS)
    assert {one["since"] for one in BUSINESSES if one["name"] == "Nordvik House"} == {str(COMPANIES["Nordvik"].founded)}


def test_the_store_is_where_the_shop_says() -> None:
    shop = Database("shop")
    settings = dict(shop.connection.execute("SELECT key, value FROM setting").fetchall())
    shop.close()
    store = atlas().place_by_id["b1"]
    assert store.address == settings["store.street"]
    assert store.facts["phone"] == settings["store.phone"]
    assert settings["store.opening_hours"] == "Mon-Fri 9:00-18:00, Sat 10:00-16:00"
    assert store.facts["hours"] == "Mo-Fr 09:00-18:00; Sa 10:00-16:00"


@pytest.mark.parametrize("mode", MODES)
def test_every_corner_can_be_reached_and_left(mode: Mode) -> None:
    roads = graph(mode)
    assert len(roads.edges) > 500
    ends = {to for found in roads.edges.values() for to, _, _ in found}
    assert ends == set(roads.edges)
    start = min(roads.edges)
    seen, waiting = {start}, [start]
    while waiting:
        for to, _, _ in roads.edges[waiting.pop()]:
            if to not in seen:
                seen.add(to)
                waiting.append(to)
    assert seen == set(roads.edges)


def _shortest(mode: Mode, start: int, end: int) -> float:
    """Seconds by Dijkstra on the file itself."""
    on, back = {"car": (1, 2), "bicycle": (4, 8), "foot": (16, 16)}[mode]
    at = [(x / 1e6, y / 1e6) for x, y in zip(RAW["nodes"][::2], RAW["nodes"][1::2], strict=True)]
    edges: dict[int, list[tuple[int, float]]] = {}
    for _, _, limit, access, way in RAW["ways"]:
        speed = {"car": min(limit, 50) * 0.6, "bicycle": 16.0, "foot": 4.8}[mode] / 3.6
        for a, b in itertools.pairwise(way):
            seconds = metres(at[a], at[b]) / speed
            if access & on:
                edges.setdefault(a, []).append((b, seconds))
            if access & back:
                edges.setdefault(b, []).append((a, seconds))
    best, queue = {start: 0.0}, [(0.0, start)]
    while queue:
        spent, node = heapq.heappop(queue)
        if node == end:
            return spent
        if spent > best[node]:
            continue
        for to, seconds in edges[node]:
            if spent + seconds < best.get(to, math.inf):
                best[to] = spent + seconds
                heapq.heappush(queue, (spent + seconds, to))
    raise AssertionError("there is no way")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("a", "b"), [("b1", "b12"), ("b4", "b5"), ("b11", "b9"), ("w8033120", "b2")])
def test_the_first_route_is_the_quickest(mode: Mode, a: str, b: str) -> None:
    places, roads = atlas().place_by_id, graph(mode)
    ends = (places[a].at, places[b].at)
    found = routes(mode, ends)
    assert found[0].seconds == pytest.approx(_shortest(mode, *(roads.snap(at) for at in ends)), rel=1e-9)
    assert [path.seconds for path in found] == sorted(path.seconds for path in found)
    for path in found:
        assert path.nodes[0] == found[0].nodes[0]
        assert path.nodes[-1] == found[0].nodes[-1]
        assert sum(leg.metres for leg in legs(path)) == pytest.approx(path.metres)


def test_a_corner_is_the_closest_one() -> None:
    roads = graph("foot")
    for at in [
        (24.9402, 60.1703),
        (24.9511, 60.1654),
        (24.9361, 60.1782),
        *(place.at for place in atlas().places[::97]),
    ]:
        gap = {
            node: math.hypot((roads.at[node][0] - at[0]) * 0.4974, roads.at[node][1] - at[1]) for node in roads.edges
        }
        assert gap[roads.snap(at)] == min(gap.values())


def test_a_one_way_street_is_longer_one_way() -> None:
    places = atlas().place_by_id
    there = routes("car", (places["b3"].at, places["b2"].at))[0].metres
    back = routes("car", (places["b2"].at, places["b3"].at))[0].metres
    assert there != pytest.approx(back, rel=0.05)
    on_foot = [routes("foot", (places[a].at, places[b].at))[0].metres for a, b in (("b3", "b2"), ("b2", "b3"))]
    assert on_foot[0] == pytest.approx(on_foot[1])


def test_directions_begin_and_end_and_add_up() -> None:
    places = atlas().place_by_id
    path = routes("bicycle", (places["b4"].at, places["b5"].at))[0]
    told = turns(graph("bicycle"), path, {}, "Harbour Code")
    assert told[0].text.startswith("Head north on Töölönlahdenkatu")
    assert told[-1].text == "Arrive at Harbour Code"
    assert sum(turn.metres for turn in told) == pytest.approx(path.metres)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("lumo market store", "Lumo Market Store"),
        ("toolo bicycle", "Töölö Bicycle Workshop"),
        ("mikonkatu", "Mikonkatu"),
        ("Mikonkatu 17", "Mikonkatu 17"),
        ("museums", "Museums"),
        ("60.17000, 24.94000", "60.17000, 24.94000"),
    ],
)
def test_what_is_searched_is_found_first(query: str, first: str) -> None:
    assert find(query)[0].name == first


def test_nothing_is_found_for_nonsense() -> None:
    assert find("qwertzuiop") == []
    assert find("  ") == []
    assert resolve("10.0, 10.0") is None
    found = resolve("b6")
    assert found is not None
    assert found.name == "Cable Hall"


def test_hours_are_read_as_they_are_written() -> None:
    assert week("Mo-Fr 09:00-18:00; Sa 10:00-16:00; PH off") == (*[((540, 1080),)] * 5, ((600, 960),), ())
    assert week("Fr-Sa 20:00-03:00") == ((), (), (), (), ((1200, 1620),), ((1200, 1620),), ())
    assert week("Mo,We 08:00-10:00, 12:00-14:00") == (
        ((480, 600), (720, 840)),
        (),
        ((480, 600), (720, 840)),
        (),
        (),
        (),
        (),
    )
    assert week("Jun-Aug: Su-Sa 09:00-24:00") is None
    # It is Monday, 10:00.
    assert status("Mo-Fr 09:00-18:00") == "Open until 18:00"
    assert status("Mo 11:00-18:00") == "Closed, opens at 11:00"
    assert status("Tu-Su 09:00-18:00") == "Closed today"
    assert status("Mo 06:00-09:00") == "Closed now"
    assert is_open("Su 20:00-11:00")
    assert not is_open("Mo 10:30-12:00")


def test_distances_and_times_in_words() -> None:
    assert [distance(m) for m in (4, 644, 646, 994, 996, 1449, 1451)] == [
        "0 m",
        "640 m",
        "650 m",
        "990 m",
        "1.0 km",
        "1.4 km",
        "1.5 km",
    ]
    assert [distance(m, "miles") for m in (100, 1000, 1609.344)] == ["330 ft", "0.6 mi", "1.0 mi"]
    assert [duration(s) for s in (5, 60, 61, 3599, 3900)] == ["1 min", "1 min", "2 min", "1 h 0 min", "1 h 5 min"]
