"""Fills the boards' database: the same bytes on every build, from one seed and constant dates.

Threads that only another site completes, and where they stand:

 1. cycling, "Which bottle does not taste of bottle?": a product of the shop, told by the best comment.
 2. hiking, "A tent that stands up to wind ...": a product, told by a comment; its price is the shop's.
 3. coffee, "Kettle for pour-over ...": a product on offer.
 4. stationery, "Left-handed and smearing everything": a product.
 5. houseplants, "Something that survives a dark hall and me": a product.
 6. smallspaces, "Eighteen square metres, four guests": a product, four of it.
 7. audio, "Music for the garden, rain included": a product on offer.
 8. buyonce, "An umbrella for a windy bridge" and "Which watering can ...": products with the years they were owned.
 9. ask, "My order has been on hold for a week": Emma's order in the shop.
10. learned, "Papier has made notebooks in Paris since 1889" and "Ferro cast its first pan in 1931": companies with
    an encyclopedia article each.
11. nighttrains and books: "Night Trains of Europe", a book of the shop; its publisher is a company of the world.
12. helsinki, cycling: the Töölö Bicycle Workshop and the Esplanadi Reading Room, places on the map.
13. opensource, "Harbour Code Camp" and maps, "Open Atlas Summit": events with hosts and places.
14. running, "Mile Runner 4 or 5?": two products to compare.
15. The link posts (`seed_posts.LINKS`): each leads to a page of the shop.
"""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

from guideact.sites.reddit.seed_mail import insert_messages
from guideact.sites.reddit.seed_members import insert_members
from guideact.sites.reddit.seed_moderation import insert_moderation
from guideact.sites.reddit.seed_posts import insert_forums, insert_links, insert_older, insert_own_marks, insert_threads
from guideact.sites.reddit.seed_wiki import insert_wiki
from guideact.sites.reddit.words import forums

__all__ = ["build"]

SEED = 20260316


def build(connection: sqlite3.Connection) -> None:
    """Make all tables in an empty database and fill them."""
    connection.executescript((Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"))
    known = list(forums())
    insert_members(connection, _chance("members"))
    insert_forums(connection, known, _chance("forums"))
    insert_threads(connection, known, _chance("threads"))
    insert_links(connection, _chance("links"))
    insert_older(connection, known, _chance("older"))
    insert_own_marks(connection, _chance("marks"))
    insert_moderation(connection, _chance("moderation"))
    insert_messages(connection)
    insert_wiki(connection)


def _chance(part: str) -> random.Random:
    return random.Random(f"{SEED}/reddit/{part}")
