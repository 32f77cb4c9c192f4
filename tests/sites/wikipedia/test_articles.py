"""What the package ships holds together: links, categories, pictures, facts, histories, and the database."""

from __future__ import annotations

import re
import sqlite3
import statistics
from itertools import pairwise

import pytest

from guideact.sites.companies import COMPANIES, EVENTS, ORGANISATIONS
from guideact.sites.state import pristine
from guideact.sites.wikipedia.corpus import (
    Known,
    articles,
    by_slug,
    category_tree,
    german,
    german_article,
    links_to,
    redirects,
)
from guideact.sites.wikipedia.markup import categories_of, links_of, plain_text, render_article, sections, slug_of
from guideact.sites.wikipedia.past import revisions_of
from guideact.sites.wikipedia.pictures import CHARTS, DIAGRAMS, all_pictures, drawing, visitors
from guideact.sites.wikipedia.records import RECORDS, THINGS
from guideact.sites.wikipedia.seed import build
from guideact.sites.world import PEOPLE, PLACES


def test_there_are_many_articles_with_real_texts() -> None:
    assert len(articles()) >= 150
    assert len(by_slug()) == len(articles())
    assert statistics.median(len(plain_text(one.source).split()) for one in articles()) >= 250
    assert sum(len(sections(one.source)) > 2 for one in articles()) > 150


def test_every_company_organisation_event_and_city_has_its_article() -> None:
    english = {"München": "Munich", "Lisboa": "Lisbon"}
    wanted = {*COMPANIES, *ORGANISATIONS, *(one.name for one in EVENTS), *(english.get(city, city) for city in PLACES)}
    wanted |= {title for kind in THINGS.values() for title in kind.rows} | set(RECORDS)
    assert {slug_of(title) for title in wanted} <= set(by_slug())


def test_no_link_leads_nowhere_and_every_category_hangs_in_the_tree() -> None:
    known = Known()
    assert {
        title for one in articles() for title in links_of(one.source) if not known(title.partition("#")[0])
    } == set()
    used = {name for one in articles() for name in categories_of(one.source)}
    assert {slug_of(name) for name in used} <= set(category_tree())
    assert all(categories_of(one.source) for one in articles())


def test_redirects_lead_to_articles_and_hide_none() -> None:
    assert len(redirects()) >= 25
    assert {target for _, target in redirects().values()} <= set(by_slug())
    assert not redirects().keys() & by_slug().keys()


def test_the_facts_of_companies_are_those_of_the_world() -> None:
    for name, company in (COMPANIES | ORGANISATIONS).items():
        source = by_slug()[slug_of(name)].source
        assert f"Founded = {company.founded}\n" in source
        assert f"Founder = {company.founder}\n" in source
        prose = plain_text(re.sub(r"(?ms)^\{\{infobox$.*?^\}\}$", "", source))
        assert str(company.founded) in prose, name
        assert company.founder in prose, name


def test_pictures_of_articles_exist_and_their_numbers_stand_in_no_text() -> None:
    known = set(all_pictures())
    used = {name for one in articles() for name in re.findall(r"(?m)^image = (\S+)$|\{\{image (\S+)", one.source)}
    names = {first or second for first, second in used}
    assert names <= known
    for name in sorted(names):
        assert drawing(name).startswith("<svg")
    assert set(CHARTS) | set(DIAGRAMS) <= names
    with pytest.raises(KeyError):
        drawing("emblem-Nobody")
    with pytest.raises(KeyError):
        drawing("nonsense")


def test_every_event_had_one_best_year_and_ends_with_what_its_article_says() -> None:
    for event in EVENTS:
        bars = visitors(event.name)
        numbers = [number for _, number in bars]
        assert numbers.count(max(numbers)) == 1
        assert bars[-1] == (2025, event.visitors)


def test_the_german_edition_is_linked_both_ways() -> None:
    assert len(german()) >= 10
    for one in articles():
        if one.german:
            found = german_article(slug_of(one.german))
            assert found is not None, one.title
            assert found.short == one.title
    assert {one.short for one in german()} <= {one.title for one in articles()}


def test_histories_grow_to_the_article_as_it_stands() -> None:
    handles = {person.handle for person in PEOPLE}
    for one in articles():
        revisions = revisions_of(one.id)
        assert revisions[-1].text == one.source, one.title
        assert [revision.number for revision in revisions] == list(range(1, len(revisions) + 1))
        assert [revision.created_at for revision in revisions] == sorted(revision.created_at for revision in revisions)
        assert {revision.editor for revision in revisions} <= handles
        assert all(before.text != after.text for before, after in pairwise(revisions))
        assert revisions[-1].created_at < "2026-03-16"


def test_edits_written_by_hand_are_in_the_histories() -> None:
    for one in articles():
        for edit in one.past:
            assert one.source.count(edit.new) == 1, (one.title, edit.new)
            (revision,) = (found for found in revisions_of(one.id) if found.summary == edit.summary)
            before = revisions_of(one.id)[revision.number - 2]
            assert edit.new in revision.text
            assert edit.old in before.text
            assert edit.new not in before.text


def test_the_database_is_small_and_the_same_at_every_build() -> None:
    assert len(pristine("wikipedia")) < 1_500_000
    images = []
    for _ in range(2):
        connection = sqlite3.connect(":memory:")
        build(connection)
        connection.commit()
        images.append(connection.serialize())
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        connection.close()
    assert images[0] == images[1]


def test_pages_stay_light() -> None:
    for one in articles():
        rendered = render_article(one.source, one.title, Known())
        assert (rendered.lead + rendered.body).count("<") < 2600, one.title


def test_links_are_known_backwards() -> None:
    kettle = by_slug()["Kettle"]
    assert kettle.id in links_to()["Golden_Kettle"]
