"""Finding things by words: places, houses, streets, categories and coordinates."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass

from guideact.sites.map.atlas import Address, Place, Position, atlas
from guideact.sites.map.kinds import CATEGORIES, Category
from guideact.sites.map.units import coordinates
from guideact.sites.state import fold

__all__ = ["Spot", "find", "point_of", "resolve"]

_POINT = re.compile(r"\s*(-?\d{1,3}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*")


@dataclass(frozen=True)
class Spot:
    """Something found: where it is, what it is called, and the page it leads to."""

    name: str
    detail: str
    """What it is and where: Café · Mikonkatu 17."""
    at: Position | None
    """None for a category."""
    url: str
    place: Place | None = None
    ref: str = ""
    """How an address names it: the number of a place, or coordinates."""
    icon: str = "pin"
    colour: str = "#475569"


def point_of(text: str) -> Position | None:
    """Coordinates written as latitude, longitude; None for anything else, and for what is not on the map."""
    found = _POINT.fullmatch(text)
    if found is None:
        return None
    at = (float(found[2]), float(found[1]))
    return at if atlas().holds(at) else None


def point_spot(at: Position) -> Spot:
    """A position as a spot of its own, told by the house next to it."""
    house, _ = atlas().nearest_address(at)
    ref = f"{at[1]:.5f},{at[0]:.5f}"
    return Spot(coordinates(at), f"Point near {house.name}", at, f"/at/{ref}", ref=ref)


def place_spot(place: Place) -> Spot:
    detail = " · ".join(part for part in (place.kind_name, place.address) if part)
    category = place.category
    return Spot(place.name, detail, place.at, place.url, place, place.id, category.icon, category.colour)


def address_spot(found: Address) -> Spot:
    ref = f"{found.at[1]:.5f},{found.at[0]:.5f}"
    detail = "Street" if not found.number else " · ".join(p for p in ("Address", found.postcode, "Helsinki") if p)
    return Spot(found.name, detail, found.at, f"/at/{ref}", ref=ref, icon="road" if not found.number else "pin")


def category_spot(category: Category) -> Spot:
    return Spot(
        category.plural, "Category", None, f"/category/{category.slug}", icon=category.icon, colour=category.colour
    )


@dataclass(frozen=True)
class _Entry:
    text: str
    words: tuple[str, ...]
    name: tuple[str, ...]
    """The words of the name alone."""
    natural: tuple[str, int, str]
    """What to sort by: house numbers count as numbers."""
    order: int
    """What comes first among equals: places of our own, categories, known places, streets, houses, the nameless."""
    thing: Place | Address | Category


def _words(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", fold(text)))


@functools.cache
def _index() -> tuple[_Entry, ...]:
    found = atlas()
    entries = []
    for place in found.places:
        names = [place.name, place.facts.get("name_sv", ""), place.facts.get("name_en", "")]
        words = _words(" ".join([*names, place.kind_name]))
        entries.append(_entry(words, place.name, 0 if place.id[0] == "b" else 2 if place.named else 5, place))
    for address in (*found.streets, *found.addresses):
        entries.append(_entry(_words(address.name), address.name, 4 if address.number else 3, address))
    for category in CATEGORIES:
        words = _words(f"{category.plural} {category.singular}")
        entries.append(_entry(words, category.plural, 1, category))
    return tuple(entries)


def _entry(words: tuple[str, ...], name: str, order: int, thing: Place | Address | Category) -> _Entry:
    return _Entry(" " + " ".join(words), words, _words(name), _natural(thing), order, thing)


def find(query: str) -> list[Spot]:
    """Everything whose words begin with all the words of the query, the best first.

    A name that is the query comes before one that begins with it, and that before one that holds its words.
    """
    at = point_of(query)
    if at is not None:
        return [point_spot(at)]
    wanted = _words(query)
    if not wanted:
        return []
    first = " " + wanted[0]
    hits = []
    for number, entry in enumerate(_index()):
        if first not in entry.text or not all(any(w.startswith(t) for w in entry.words) for t in wanted):
            continue
        starts = " ".join(entry.name).startswith(" ".join(wanted))
        rank = 0 if entry.name == wanted else 1 if starts else 2
        hits.append((rank, entry.order, entry.natural, number, entry.thing))
    hits.sort(key=lambda hit: hit[:4])
    return [_spot(hit[4]) for hit in hits]


def _natural(thing: Place | Address | Category) -> tuple[str, int, str]:
    """House numbers count as numbers: 7 before 12."""
    if isinstance(thing, Address):
        digits = re.match(r"\d*", thing.number)
        return (fold(thing.street), int(digits.group() or 0) if digits else 0, thing.number)
    return (fold(thing.plural if isinstance(thing, Category) else thing.name), 0, "")


def _spot(thing: Place | Address | Category) -> Spot:
    if isinstance(thing, Place):
        return place_spot(thing)
    return address_spot(thing) if isinstance(thing, Address) else category_spot(thing)


def resolve(text: str) -> Spot | None:
    """What a reference or a text stands for: the number of a place, coordinates, or else the best find with a place."""
    place = atlas().place_by_id.get(text.strip())
    if place is not None:
        return place_spot(place)
    return next((spot for spot in find(text) if spot.at is not None), None)
