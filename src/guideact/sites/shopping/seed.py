"""Fills the shop's database: the same bytes on every build, from one seed and constant dates.

Each part draws from a source of chance of its own, so that a change in one leaves the others as they are.
"""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

from guideact.sites.shopping.seed_catalogue import insert_catalogue
from guideact.sites.shopping.seed_orders import insert_orders
from guideact.sites.shopping.seed_people import insert_carts, insert_newsletter, insert_people, insert_wishes
from guideact.sites.shopping.seed_reviews import insert_reviews
from guideact.sites.shopping.seed_words import (
    insert_messages,
    insert_pages,
    insert_promotions,
    insert_search_terms,
    insert_settings,
)

__all__ = ["build"]

SEED = 20260316


def build(connection: sqlite3.Connection) -> None:
    """Make all tables in an empty database and fill them."""
    connection.executescript((Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"))
    insert_settings(connection)
    products = insert_catalogue(connection, _chance("catalogue"))
    addresses = insert_people(connection, _chance("people"))
    promotions = insert_promotions(connection)
    insert_orders(connection, products, addresses, promotions, _chance("orders"))
    insert_reviews(connection, products, _chance("reviews"))
    insert_wishes(connection, products, _chance("wishes"))
    insert_carts(connection, products, _chance("carts"))
    insert_newsletter(connection, _chance("newsletter"))
    insert_pages(connection)
    insert_messages(connection)
    insert_search_terms(connection)


def _chance(part: str) -> random.Random:
    return random.Random(f"{SEED}/{part}")
