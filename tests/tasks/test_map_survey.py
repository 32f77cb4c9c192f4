"""The checks' own reading of the map agrees with the site's, and says when a task would not be clear."""

from __future__ import annotations

import pytest

from guideact.sites.map.atlas import atlas, metres
from guideact.sites.map.graph import MODES, Mode, routes
from guideact.sites.map.hours import span_text, week
from guideact.sites.map.units import distance, duration
from guideact.tasks import map_survey as survey
from guideact.tasks.templates import map_routes

PAIRS = (("Lumo Market Store", "Trailhead Outpost"), ("Kiasma", "Slow Kettle Tea Room"), ("Cafe Engel", "Vanha kirkko"))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("start", "end"), PAIRS)
def test_routes_are_as_long_as_the_site_says(mode: Mode, start: str, end: str) -> None:
    length, seconds = survey.way(mode, start, end)
    [first, *_] = routes(mode, (survey.where(start), survey.where(end)))
    assert length == pytest.approx(first.metres)
    assert seconds == pytest.approx(first.seconds)
    assert duration(first.seconds) == f"{survey.minutes(seconds)} min"


def test_places_are_where_the_site_has_them() -> None:
    found = atlas().place_by_id
    assert set(survey.places()) == set(found)
    for number, place in survey.places().items():
        x, y = place["at"]
        assert found[number].at == (x / 1e6, y / 1e6)
    a, b = survey.where("Kiasma"), survey.where("Ateneum")
    assert survey.straight(a, b) == pytest.approx(metres(a, b))
    assert atlas().nearest_address(a)[0].name == survey.house_at(a)


def test_distances_are_rounded_as_the_site_rounds_them() -> None:
    for length in (4.9, 5.1, 644.9, 645.1, 994.0, 1049.9, 1050.1, 2251.0):
        if survey.tens(length) < 1000:
            assert distance(length) == f"{survey.tens(length)} m"
            with pytest.raises(ValueError, match="told in metres"):
                survey.kilometres(length)
        else:
            assert distance(length) == f"{survey.kilometres(length)} km"


def test_simple_hours_are_read_alike_and_others_refused() -> None:
    for place in survey.places().values():
        known = week(place.get("hours", ""))
        for day in range(7):
            try:
                closes = survey.closing(place.get("hours", ""), day)
            except (ValueError, KeyError):
                continue
            assert known is not None
            last = span_text(known[day]).split("–")[-1]
            assert {closes, last} in ({closes}, {"24:00", "00:00"})


def test_names_that_are_not_clear_are_refused() -> None:
    with pytest.raises(ValueError, match="0 places are called"):
        survey.where("Nowhere at all")
    with pytest.raises(ValueError, match="2 places are called"):
        survey.where("Kansalliskirjasto")


def test_no_answer_hangs_on_the_last_digit() -> None:
    """A rounding of the ninth decimal, other on another machine, must not change what a task expects."""
    for template in map_routes.TEMPLATES:
        for params in template.params(None):  # type: ignore[arg-type]  # these templates ask no database
            if "mode" in params and "stop" not in params:
                length, seconds = survey.way(params["mode"], params["start"], params["end"])
                assert abs(length % 100 - 50) > 0.1, params
                assert 0.01 < seconds % 60 < 59.99, params
