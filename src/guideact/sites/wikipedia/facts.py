"""What articles say about companies, organisations and events, taken from the world's own tables.

Written out into plain source when the articles are read: `{{company}}` and `{{event}}` become an infobox,
`{{table NAME}}` becomes rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from guideact.sites.companies import COMPANIES, EVENTS, ORGANISATIONS, Company, Event
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.records import RECORDS, THINGS, Record, thing
from guideact.sites.world import PLACES

__all__ = ["day_words", "written_out"]

_MACRO = re.compile(r"\{\{(company|event|organisation|thing|cup|table)(?: ([^}\n]*))?\}\}\n")


def written_out(title: str, source: str) -> str:
    """An article's source with the facts in place. Raises KeyError for a name that the world does not know."""

    def put(found: re.Match[str]) -> str:
        kind, name = found[1], (found[2] or title).strip()
        if kind == "table":
            if name in THINGS:
                return _things(name)
            return _TABLES[name]() if name in _TABLES else _record_table(RECORDS[name])
        extra = found[2] or ""
        if kind == "thing":
            return _thing(title, extra)
        if kind == "cup":
            return _cup(title, extra)
        if kind == "event":
            return _event(next(one for one in EVENTS if one.name == title), extra)
        return _company(title, (COMPANIES | ORGANISATIONS)[title], kind, extra)

    return _MACRO.sub(put, source)


def day_words(iso: str) -> str:
    """2026-04-13 -> 13 April 2026."""
    day = date.fromisoformat(iso)
    return f"{day.day} {day:%B} {day.year}"


def _company(title: str, company: Company, kind: str, extra: str) -> str:
    """`extra` holds further facts: "Slogan = Light; Colours = two"."""
    lines = [
        "{{infobox",
        f"kind = {'Company' if kind == 'company' else 'Organisation'}",
        f"image = emblem-{slug_of(title)}",
        "caption = The emblem",
        f"Founded = {company.founded}",
        f"Founder = {company.founder}",
        f"Headquarters = [[{_city_title(company.city)}]], {PLACES[company.city].country}",
        f"Employees = {company.employees:,}",
        f"{'Products' if kind == 'company' else 'Field'} = {company.trade[0].upper()}{company.trade[1:]}",
        *(part.strip() for part in extra.split(";") if part.strip()),
        "}}",
    ]
    return "\n".join(lines) + "\n"


def _event(event: Event, extra: str) -> str:
    same = event.starts == event.ends
    dates = day_words(event.starts) if same else f"{day_words(event.starts)} to {day_words(event.ends)}"
    lines = [
        "{{infobox",
        "kind = Event",
        f"image = visitors-{slug_of(event.name)}",
        "caption = Visitors by year",
        f"City = [[{_city_title(event.city)}]]",
        f"Venue = {event.venue}",
        f"Next = {dates}",
        f"Host = [[{event.host}]]",
        f"Visitors (2025) = {event.visitors:,}",
        *(part.strip() for part in extra.split(";") if part.strip()),
        "}}",
    ]
    return "\n".join(lines) + "\n"


def _thing(title: str, extra: str) -> str:
    kind, values = thing(title)
    lines = ["{{infobox", f"kind = {kind.label}"]
    if kind.picture:
        lines += [f"image = {kind.picture}-{slug_of(title)}", f"caption = {extra.partition(';')[0]}"]
    lines += [f"{name} = {value}" for name, value in zip(kind.names, values, strict=True)]
    lines += [part.strip() for part in extra.split(";")[1:] if part.strip()]
    return "\n".join([*lines, "}}"]) + "\n"


def _things(name: str) -> str:
    kind = THINGS[name]
    rows = [[f"[[{title}]]", *values] for title, values in kind.rows.items()]
    return _table(f"List of {name}", [kind.label, *kind.names], rows)


def _cup(title: str, extra: str) -> str:
    record = RECORDS[title]
    best = record.most_wins
    lines = [
        "{{infobox",
        "kind = Contest",
        f"image = trophy-{slug_of(title)}",
        "caption = The trophy",
        f"First held = {record.first}",
        f"Held in = {record.held}",
        f"Most wins = {best[0]} ({best[1]})" if best else "",
        *(part.strip() for part in extra.split(";") if part.strip()),
        "}}",
    ]
    return "\n".join(line for line in lines if line) + "\n"


_ENGLISH = {"München": "Munich", "Lisboa": "Lisbon"}


def _city_title(city: str) -> str:
    """The title of a city's article: its English name where English has one."""
    return _ENGLISH.get(city, city)


def _table(caption: str, head: list[str], rows: list[list[str]]) -> str:
    lines = [f"{{| {caption}", "! " + " ! ".join(head)]
    lines += ["| " + " | ".join(row) for row in rows]
    return "\n".join([*lines, "|}"]) + "\n"


def _companies_by_year() -> str:
    rows = [
        [str(one.founded), f"[[{one.name}]]", f"[[{_city_title(one.city)}]]", one.founder, f"{one.employees:,}"]
        for one in sorted(COMPANIES.values(), key=lambda one: (one.founded, one.name))
    ]
    return _table("Companies by year of foundation", ["Founded", "Company", "City", "Founder", "Employees"], rows)


def _companies_by_city() -> str:
    rows = [
        [f"[[{_city_title(one.city)}]]", PLACES[one.city].country, f"[[{one.name}]]", one.trade]
        for one in sorted(COMPANIES.values(), key=lambda one: (_city_title(one.city), one.name))
    ]
    return _table("Companies by city", ["City", "Country", "Company", "Products"], rows)


def _organisations() -> str:
    rows = [
        [
            f"[[{one.name}]]",
            str(one.founded),
            f"[[{_city_title(one.city)}]]",
            one.founder,
            str(one.employees),
            one.trade,
        ]
        for one in sorted(ORGANISATIONS.values(), key=lambda one: one.name)
    ]
    return _table("Organisations", ["Organisation", "Founded", "City", "Founder", "Staff", "Field"], rows)


def _events() -> str:
    rows = [
        [f"[[{one.name}]]", one.starts, one.ends, f"[[{_city_title(one.city)}]]", one.venue, f"{one.visitors:,}"]
        for one in sorted(EVENTS, key=lambda one: one.starts)
    ]
    return _table("Gatherings of 2026", ["Event", "First day", "Last day", "City", "Venue", "Visitors in 2025"], rows)


def _local(city: str) -> Callable[[], str]:
    def table() -> str:
        here = [one for one in (COMPANIES | ORGANISATIONS).values() if one.city == city]
        rows = [
            [f"[[{one.name}]]", str(one.founded), one.founder, f"{one.employees:,}", one.trade]
            for one in sorted(here, key=lambda one: one.founded)
        ]
        return _table(
            f"Companies and organisations in {_city_title(city)}",
            ["Name", "Founded", "Founder", "Employees", "Field"],
            rows,
        )

    return table


_TABLES: dict[str, Callable[[], str]] = {
    "companies by year": _companies_by_year,
    "companies by city": _companies_by_city,
    "organisations": _organisations,
    "events": _events,
    **{f"in {city}": _local(city) for city in PLACES},
}


def _record_table(record: Record) -> str:
    return _table(record.caption, list(record.head), [list(row) for row in record.rows()])
