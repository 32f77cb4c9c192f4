"""The shared facts hold together: known people, known cities, every brand once."""

from __future__ import annotations

import pytest

from guideact.sites.companies import COMPANIES, EVENTS, ORGANISATIONS, person
from guideact.sites.world import BRANDS, NOW, PLACES


def test_every_brand_is_a_company_and_every_company_a_brand() -> None:
    assert set(COMPANIES) == set(BRANDS)
    assert not set(COMPANIES) & set(ORGANISATIONS)


@pytest.mark.parametrize("name", [*COMPANIES, *ORGANISATIONS])
def test_founders_and_cities_are_of_this_world(name: str) -> None:
    company = (COMPANIES | ORGANISATIONS)[name]
    assert person(company.founder).full_name == company.founder
    assert company.city in PLACES
    assert 1850 < company.founded < NOW.year
    assert company.employees > 0


def test_nobody_founded_two_things() -> None:
    founders = [company.founder for company in (COMPANIES | ORGANISATIONS).values()]
    assert len(set(founders)) == len(founders)


def test_events_are_in_this_year_and_hosted_by_somebody_known() -> None:
    for event in EVENTS:
        assert event.city in PLACES
        assert event.host in COMPANIES | ORGANISATIONS
        assert f"{NOW:%Y-%m-%d}" < event.starts <= event.ends < f"{NOW.year + 1}"


def test_a_stranger_is_an_error() -> None:
    with pytest.raises(KeyError, match="Nobody"):
        person("Nobody")
