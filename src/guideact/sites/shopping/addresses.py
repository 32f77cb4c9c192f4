"""The form of an address, as checkout and address book use it."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Mapping

from starlette.requests import Request

from guideact.sites.web import field, rows
from guideact.sites.world import PLACES

COUNTRIES = tuple(sorted({place.country for place in PLACES.values()}))
"""Where the shop delivers."""

FIELDS: tuple[tuple[str, str, int], ...] = (
    ("first_name", "first name", 40),
    ("last_name", "last name", 40),
    ("street", "street address", 120),
    ("city", "city", 60),
    ("postcode", "postcode", 10),
    ("country", "country", 40),
    ("phone", "phone number", 24),
)
"""(field, what the messages call it, most characters); all but the phone number must be filled in."""

_POSTCODE = re.compile(r"[A-Za-z0-9][A-Za-z0-9 -]{1,8}[A-Za-z0-9]")
_PHONE = re.compile(r"\+?[0-9][0-9 ()/-]{4,}")


def read_address(request: Request, prefix: str = "") -> tuple[dict[str, str], dict[str, str]]:
    """The address that was sent, and what is wrong with it: field (with the prefix) -> message.

    The values have no prefix: they are named as the columns of the table `address`.
    """
    values = {name: field(request, prefix + name) for name, _, _ in FIELDS}
    errors: dict[str, str] = {}
    for name, word, longest in FIELDS:
        if not values[name] and name != "phone":
            errors[prefix + name] = f"Enter {'an' if word[0] in 'aeiou' else 'a'} {word}."
        elif len(values[name]) > longest:
            errors[prefix + name] = f"Use at most {longest} characters."
    if values["country"] and values["country"] not in COUNTRIES:
        errors[prefix + "country"] = "Choose a country from the list."
    if prefix + "postcode" not in errors and not _POSTCODE.fullmatch(values["postcode"]):
        errors[prefix + "postcode"] = "Enter a valid postcode."
    if values["phone"] and prefix + "phone" not in errors and not _PHONE.fullmatch(values["phone"]):
        errors[prefix + "phone"] = "Enter a valid phone number, such as +358 40 123 4567."
    return values, errors


def addresses_of(request: Request, customer_id: int) -> list[sqlite3.Row]:
    """A customer's addresses, the default for deliveries first."""
    return rows(
        request, "SELECT * FROM address WHERE customer_id = ? ORDER BY is_default_shipping DESC, id", customer_id
    )


def as_values(address: sqlite3.Row) -> dict[str, str]:
    """A row of `address` as `read_address` gives it."""
    return {name: str(address[name]) for name, _, _ in FIELDS}


def full_name(values: Mapping[str, str]) -> str:
    return f"{values['first_name']} {values['last_name']}"
