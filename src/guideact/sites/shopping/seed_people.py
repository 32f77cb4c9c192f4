"""Customers, their addresses, wishes and open carts; staff; who reads the newsletter."""

from __future__ import annotations

import random
import sqlite3
from dataclasses import dataclass
from datetime import date, timedelta

from guideact.sites.shopping.seed_catalogue import Product
from guideact.sites.world import PEOPLE, PLACES, STAFF, Person

__all__ = [
    "COUNTRIES",
    "EMMA",
    "GUESTS",
    "Address",
    "insert_carts",
    "insert_newsletter",
    "insert_people",
    "insert_wishes",
]

EMMA = 1
"""Id of the customer that the benchmark signs in."""

PASSWORD = "password123"
STAFF_PASSWORDS = {"admin": "admin1234"}
COUNTRIES = tuple(sorted({place.country for place in PLACES.values()}))
"""Where the shop delivers."""

GUESTS: tuple[tuple[str, str], ...] = (
    ("Walter Simmons", "Chicago"),
    ("Petra Ahonen", "Turku"),
    ("Nils Ekström", "Stockholm"),
    ("Beatriz Pinto", "Lisboa"),
    ("Arthur Cole", "London"),
    ("Mei Nakamura", "Tokyo"),
    ("Stefan Lang", "München"),
    ("Rosa Jiménez", "Madrid"),
    ("Ida Karlsson", "Stockholm"),
    ("Graham Boyd", "Edinburgh"),
    ("Colette Roux", "Paris"),
    ("Megan Doyle", "Boston"),
)
"""People who ordered without an account, with their city."""

_WHOLESALE = {13, 29, 38, 51, 66, 74}
_RETAILER = {17, 24, 43, 58, 79}
_INACTIVE = {40, 77}
_NOTES = {
    3: "Prefers delivery in the afternoon.",
    9: "Called about a late parcel in November; very friendly.",
    13: "Buys for the canteen of a school. Invoice by mail only.",
    24: "Do not offer cash on delivery: two parcels came back.",
    38: "Asked for a price list for hotels.",
    40: "Account closed at the customer's request.",
    66: "Wholesale agreement runs until December 2026.",
}


@dataclass(frozen=True)
class Address:
    """An address of a customer, as orders copy it."""

    name: str
    street: str
    city: str
    postcode: str
    country: str
    phone: str


def insert_people(connection: sqlite3.Connection, chance: random.Random) -> dict[int, list[Address]]:
    """Insert staff, customers and addresses; each customer's addresses, the default for shipping first."""
    for key, (username, name, role) in enumerate(STAFF, 1):
        connection.execute(
            "INSERT INTO staff (id, username, full_name, email, password, role, last_login_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                username,
                name,
                f"{username}@lumo-market.example",
                STAFF_PASSWORDS.get(username, PASSWORD),
                role,
                f"2026-03-{16 - key:02} 17:{12 * key}:00",
            ),
        )
    addresses: dict[int, list[Address]] = {}
    for key, person in enumerate(PEOPLE, 1):
        group = "Wholesale" if key in _WHOLESALE else "Retailer" if key in _RETAILER else "General"
        created = date(2024, 1, 8) + timedelta(days=0 if key == EMMA else chance.randrange(340))
        seen = date(2026, 1, 1) + timedelta(days=chance.randrange(74))
        last_login = f"{seen} {chance.randrange(8, 22):02}:{chance.randrange(60):02}:00"
        phone = _emmas()[0].phone if key == EMMA else _phone(chance, person.city)
        connection.execute(
            "INSERT INTO customer (id, email, first_name, last_name, password, phone, customer_group, is_active, note,"
            " created_at, last_login_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                key,
                person.email,
                person.first_name,
                person.last_name,
                PASSWORD,
                phone,
                group,
                int(key not in _INACTIVE),
                _NOTES.get(key, ""),
                f"{created} 12:{chance.randrange(60):02}:00",
                last_login,
            ),
        )
        addresses[key] = _emmas() if key == EMMA else _addresses_of(person, phone, chance)
        for position, address in enumerate(addresses[key]):
            first, last = (person.first_name, person.last_name)
            if address.name != person.full_name:
                first, _, last = address.name.partition(" ")
            connection.execute(
                "INSERT INTO address (customer_id, first_name, last_name, street, city, postcode, country, phone,"
                " is_default_billing, is_default_shipping) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    key,
                    first,
                    last,
                    address.street,
                    address.city,
                    address.postcode,
                    address.country,
                    address.phone,
                    int(position == 0),
                    int(position == 0),
                ),
            )
    return addresses


def _emmas() -> list[Address]:
    return [
        Address("Emma Lopez", "1204 Barton Springs Road", "Austin", "78704", "United States", "+1 512 555 0142"),
        Address("Emma Lopez", "310 Congress Avenue, Floor 6", "Austin", "78701", "United States", "+1 512 555 0177"),
        Address("Rosa Lopez", "58 NW Lovejoy Street", "Portland", "97209", "United States", "+1 503 555 0118"),
    ]


def _addresses_of(person: Person, phone: str, chance: random.Random) -> list[Address]:
    found = [address_in(person.full_name, person.city, phone, chance)]
    if chance.random() < 0.3:
        found.append(address_in(person.full_name, person.city, phone, chance))
    return found


def address_in(name: str, city: str, phone: str, chance: random.Random) -> Address:
    """Somewhere in a city."""
    place = PLACES[city]
    street = chance.choice(place.streets).format(n=chance.randrange(2, 180))
    return Address(name, street, place.city, place.postcode, place.country, phone or _phone(chance, city))


def _phone(chance: random.Random, city: str) -> str:
    return f"{PLACES[city].phone} 555 {chance.randrange(100, 9999):04}"


def insert_wishes(connection: sqlite3.Connection, products: list[Product], chance: random.Random) -> None:
    """Six wishes of Emma's, chosen by hand, and some of other customers."""
    by_name = {product.name: product for product in products}
    emmas = (
        ("Gooseneck Pour-Over Kettle", "For the office, if the old one really breaks.", 1, "2025-11-02"),
        ("Reading Corner Lamp", "", 1, "2025-11-28"),
        ("Trail Pack 35 L", "Before the trip in June!", 1, "2026-01-06"),
        ("Bistro Plate, Set of 4", "Two sets make eight.", 2, "2026-01-19"),
        ("Forty Soups", "Birthday present for Dad", 1, "2026-02-11"),
        ("Barnaby Bear", "", 1, "2026-03-01"),
    )
    wishes = [(EMMA, by_name[name].id, note, quantity, f"{day} 20:15:00") for name, note, quantity, day in emmas]
    for customer in chance.sample(range(2, len(PEOPLE) + 1), 30):
        for product in chance.sample(products, chance.randrange(1, 4)):
            day = date(2025, 6, 1) + timedelta(days=chance.randrange(280))
            wishes.append((customer, product.id, "", 1, f"{day} 19:{chance.randrange(60):02}:00"))
    connection.executemany(
        "INSERT INTO wishlist_item (customer_id, product_id, note, quantity, added_at) VALUES (?, ?, ?, ?, ?)", wishes
    )


def insert_carts(connection: sqlite3.Connection, products: list[Product], chance: random.Random) -> None:
    """An empty cart of Emma's and a few that other customers left behind."""
    connection.execute("INSERT INTO cart (id, customer_id) VALUES (1, ?)", (EMMA,))
    simple = [product for product in products if not product.options and product.stock > 20]
    for key, customer in enumerate(chance.sample(range(2, len(PEOPLE) + 1), 9), 2):
        connection.execute("INSERT INTO cart (id, customer_id) VALUES (?, ?)", (key, customer))
        connection.executemany(
            "INSERT INTO cart_item (cart_id, product_id, quantity, unit_cents) VALUES (?, ?, ?, ?)",
            [
                (key, product.id, chance.choice((1, 1, 1, 2)), product.sale_cents)
                for product in chance.sample(simple, chance.randrange(1, 4))
            ],
        )


def insert_newsletter(connection: sqlite3.Connection, chance: random.Random) -> None:
    """Sixty-eight subscribers: fifty-four customers, Emma among those who left, and fourteen others."""
    found: list[tuple[str, int | None, str, str]] = [(PEOPLE[0].email, EMMA, "unsubscribed", "2024-02-20 08:00:00")]
    for customer in sorted(chance.sample(range(2, len(PEOPLE) + 1), 53)):
        day = date(2024, 3, 1) + timedelta(days=chance.randrange(700))
        status = "unsubscribed" if chance.random() < 0.15 else "subscribed"
        found.append((PEOPLE[customer - 1].email, customer, status, f"{day} 08:{chance.randrange(60):02}:00"))
    others = (
        "winter.kale bookish_otter studio.nord hello.tove max.in.malmo postbox77 greenroom lila.draws the.millers "
        "kitchen.club sundaycyclist harbour.cafe mr.pickles ninaknits"
    )
    for name in others.split():
        day = date(2025, 1, 1) + timedelta(days=chance.randrange(430))
        found.append((f"{name}@example.net", None, "subscribed", f"{day} 21:{chance.randrange(60):02}:00"))
    connection.executemany(
        "INSERT INTO newsletter_subscriber (email, customer_id, status, created_at) VALUES (?, ?, ?, ?)", found
    )
