"""Reviews: titles, praise and complaints from `reviews.txt`, put together so that the text fits the stars."""

from __future__ import annotations

import random
import re
import sqlite3
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from guideact.sites.shopping.seed_catalogue import Product
from guideact.sites.shopping.seed_people import EMMA
from guideact.sites.world import NOW, PEOPLE

__all__ = ["insert_reviews"]

PENDING = 25
REJECTED = 12
_STARS = (5, 4, 3, 2, 1)
_OUTSIDERS = (
    "nightowl",
    "BikeMum",
    "T.",
    "coffee_first",
    "Anders",
    "Lola42",
    "grumpy_cat",
    "Mr. Finch",
    "paperplane",
    "Zsófia",
    "the_baker",
    "Jo from Leeds",
    "sunny",
    "RM",
    "oldsailor",
    "pixie",
    "Ulla",
    "k.m.",
    "teacher_amy",
    "Hugo",
)
_EMMAS = (
    ("Harbour Mug No. 2", 5, "My office mug",
     "Thick walls, a good handle, and nobody else in the office has the same one.", "2025-04-02"),
    ("Commuter Backpack 20 L", 4, "Good, but mind the bottle",
     "Sits well on the bike. A large bottle falls out of the side pocket.", "2025-06-21"),
    ("Breton Top", 3, "Runs large",
     "Nice cotton, but the M is more of an L. I kept it as a pyjama top.", "2025-08-13"),
    ("The Lighthouse Keeper's Almanac", 5, "Read it in one night",
     "Slow, salty and very funny. The chapter about the lamp oil alone!", "2025-12-29"),
    ("Whistle Kettle 1.5 L", 2, "Quieter than expected",
     "It boils fast, but the whistle is so soft that I do not hear it from the next room.", "2026-02-08"),
)  # fmt: skip


def insert_reviews(connection: sqlite3.Connection, products: Sequence[Product], chance: random.Random) -> None:
    """Between no and eight reviews for each product, oldest first; the last `PENDING` wait for approval."""
    texts = _read()
    shapes = dict(connection.execute("SELECT id, picture_shape FROM product").fetchall())
    slugs = dict(
        connection.execute("SELECT p.id, c.slug FROM product p JOIN category c ON c.id = p.category_id").fetchall()
    )
    found: list[tuple[str, int, int | None, str, int, str, str]] = []
    for product in products:
        # Every product has its own quality, so that some are loved and some are not.
        quality = chance.choice(((52, 30, 11, 5, 2), (40, 32, 16, 8, 4), (64, 24, 8, 3, 1), (18, 24, 26, 19, 13)))
        count = chance.choices(range(9), (7, 22, 23, 18, 12, 7, 5, 3, 3))[0]
        titles: set[str] = set()
        said: set[str] = set()
        bodies: set[str] = set()
        for author in chance.sample(range(len(PEOPLE) + len(_OUTSIDERS) - 1), count):
            rating = chance.choices(_STARS, quality)[0]
            title = _fresh(texts[f"title {rating}"], titles, chance)
            body = _body(texts, slugs[product.id], shapes[product.id], rating, said, chance)
            while body in bodies:
                body = _body(texts, slugs[product.id], shapes[product.id], rating, said, chance)
            bodies.add(body)
            first = max(datetime.fromisoformat(product.created_at), datetime(2025, 1, 1))
            span = NOW.replace(tzinfo=None) - timedelta(days=6) - first
            moment = first + timedelta(minutes=chance.randrange(max(1, int(span.total_seconds() // 60))))
            known = author < len(PEOPLE) - 1
            customer = author + 2 if known else None
            nickname = PEOPLE[author + 1].handle if known else _OUTSIDERS[author - len(PEOPLE) + 1]
            found.append((f"{moment:%Y-%m-%d %H:%M:00}", product.id, customer, nickname, rating, title, body))
    by_name = {product.name: product.id for product in products}
    for name, rating, title, body, day in _EMMAS:
        found.append((f"{day} 21:05:00", by_name[name], EMMA, PEOPLE[0].handle, rating, title, body))
    found.sort(key=lambda one: (one[0], one[1]))
    waiting = [at for at, review in enumerate(found) if review[2] != EMMA][-PENDING:]
    rejected = set(chance.sample([at for at in range(waiting[0]) if found[at][2] is None], REJECTED))
    for at, (moment_text, product_id, customer, nickname, rating, title, body) in enumerate(found):
        status = "pending" if at in waiting else "rejected" if at in rejected else "approved"
        connection.execute(
            "INSERT INTO review (product_id, customer_id, nickname, rating, title, body, status, created_at)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (product_id, customer, nickname, rating, title, body, status, moment_text),
        )


def _read() -> dict[str, list[str]]:
    """The sections of the file by their heading."""
    sections: dict[str, list[str]] = {}
    current: list[str] = []
    for line in (Path(__file__).parent / "reviews.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            current = sections.setdefault(line.strip("[]"), [])
        elif line and not line.startswith(";"):
            current.append(line)
    return sections


def _fresh(choices: Sequence[str], used: set[str], chance: random.Random) -> str:
    """One that has not been used for the product yet, if there is one left."""
    left = [text for text in choices if text not in used] or list(choices)
    chosen = chance.choice(left)
    used.add(chosen)
    return chosen


def _fitting(lines: Sequence[str], shape: str) -> list[str]:
    fitting = []
    for line in lines:
        limit = re.match(r"\{([^}]*)\} ", line)
        if limit is None:
            fitting.append(line)
        elif shape in limit[1].split(","):
            fitting.append(line[limit.end() :])
    return fitting


def _body(
    texts: dict[str, list[str]], slug: str, shape: str, rating: int, said: set[str], chance: random.Random
) -> str:
    praise, complaint = _fitting(texts[f"{slug} +"], shape), _fitting(texts[f"{slug} -"], shape)
    if rating >= 4:
        sentences = [_fresh(praise, said, chance)]
        if rating == 5 and chance.random() < 0.5:
            sentences.append(_fresh(praise, said, chance))
    elif rating == 3:
        sentences = [_fresh(praise, said, chance), f"But: {_lower(_fresh(complaint, said, chance))}"]
    else:
        sentences = [_fresh(complaint, said, chance)]
        if rating == 1 and chance.random() < 0.5:
            sentences.append(_fresh(complaint, said, chance))
    if chance.random() < 0.7:
        sentences.append(_fresh(texts[f"closing {rating}"], said, chance))
    return " ".join(sentences)


def _lower(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
