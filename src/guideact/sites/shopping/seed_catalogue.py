"""Reads `catalogue.txt` and makes departments, categories, products and their options of it."""

from __future__ import annotations

import random
import re
import sqlite3
from dataclasses import dataclass
from html import escape
from pathlib import Path

from guideact.sites.world import plain

__all__ = ["OPTIONS", "Product", "insert_catalogue", "slug_of"]

FIRST_SKU = 1001

OPTIONS: dict[str, tuple[tuple[str, int], ...]] = {
    "Size": (("S", 0), ("M", 0), ("L", 0), ("XL", 200)),
    "ShoeSize": tuple((f"EU {size}", 0) for size in range(37, 46)),
    "Colour": (("Black", 0), ("Sand", 0), ("Forest", 0), ("Burgundy", 0)),
    "Length": (("Short", 0), ("Regular", 0), ("Long", 500)),
    "Finish": (("Matt", 0), ("Gloss", 0), ("Brushed", 300)),
    "Cover": (("Standard", 0), ("Premium", 900)),
    "Capacity": (("Small", 0), ("Medium", 600), ("Large", 1200)),
    "Pack": (("Single", 0), ("Pack of 3", 1200), ("Pack of 6", 2200)),
}
"""Values of each option with what they add to the price in cents."""

_TITLES = {"ShoeSize": "Size"}


@dataclass
class Product:
    """A product of the file, as the other parts of the seed need it."""

    id: int
    sku: str
    name: str
    price_cents: int
    special_cents: int | None
    stock: int
    created_at: str
    options: dict[str, tuple[tuple[str, int], ...]]
    category: str

    @property
    def sale_cents(self) -> int:
        return self.price_cents if self.special_cents is None else self.special_cents


def slug_of(name: str) -> str:
    """The part of a web address that stands for a name: Bed & Bath -> bed-bath."""
    return re.sub(r"[^a-z0-9]+", "-", plain(name).lower()).strip("-")


def insert_catalogue(connection: sqlite3.Connection, chance: random.Random) -> list[Product]:
    """Insert categories, products, options and views; the products in order of their id."""
    products: list[Product] = []
    category_id = department_id = 0
    position = {"=": 0, "-": 0}
    prefix, weights = "", (0, 0)
    materials: tuple[str, ...] = ()
    features: list[str] = []
    name = ""
    for line in (Path(__file__).parent / "catalogue.txt").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith(";"):
            continue
        parts = [part.strip() for part in line.lstrip("=-+ ").split("|")]
        if line.startswith("="):
            position = {"=": position["="] + 1, "-": 0}
            department_id = category_id = category_id + 1
            _insert_category(connection, category_id, None, parts[0], parts[1], parts[2], position["="])
        elif line.startswith("-"):
            position["-"] += 1
            category_id += 1
            name, slug, prefix, weight, material, description = parts
            low, high = weight.split("-")
            weights, materials = (int(low), int(high)), tuple(material.split(", "))
            features = []
            _insert_category(connection, category_id, department_id, name, slug, description, position["-"])
        elif line.startswith("+"):
            features.append(parts[0])
        else:
            material = chance.choice(materials)
            weight_grams = chance.randrange(weights[0] // 10, weights[1] // 10) * 10
            fitting = _fitting(features, parts[3].split()[0])
            bullets = [fitting[at] for at in sorted(chance.sample(range(len(fitting)), chance.choice((3, 4))))]
            products.append(
                _insert_product(connection, chance, parts, category_id, name, prefix, bullets, material, weight_grams)
            )
    connection.executemany(
        "INSERT INTO product_view (product_id, views) VALUES (?, ?)",
        [(product.id, chance.randrange(12, 900)) for product in products],
    )
    return products


def _fitting(features: list[str], shape: str) -> list[str]:
    """The features that hold for a shape, without the brackets that limit them."""
    fitting = []
    for feature in features:
        limit, _, text = feature.rpartition("] ")
        if not limit or shape in limit.lstrip("[").split(","):
            fitting.append(text)
    return fitting


def _insert_category(
    connection: sqlite3.Connection, key: int, parent: int | None, name: str, slug: str, description: str, position: int
) -> None:
    connection.execute(
        "INSERT INTO category (id, parent_id, name, slug, description, position) VALUES (?, ?, ?, ?, ?, ?)",
        (key, parent, name, slug, description, position),
    )


def _insert_product(
    connection: sqlite3.Connection,
    chance: random.Random,
    parts: list[str],
    category_id: int,
    category: str,
    prefix: str,
    bullets: list[str],
    material: str,
    weight_grams: int,
) -> Product:
    name, brand, price, picture, flags, sentence = parts
    shape, colour, pattern = picture.split()
    words = flags.split()
    key = connection.execute("SELECT coalesce(max(id), 0) + 1 FROM product").fetchall()[0][0]
    price_cents = round(float(price) * 100)
    off = next((int(word[1:-1]) for word in words if word.endswith("%")), 0)
    special = None if not off else price_cents * (100 - off) // 100 // 10 * 10
    stock = 0 if "sold-out" in words else chance.randrange(1, 6) if "low" in words else chance.randrange(12, 240)
    is_new = "new" in words
    month = chance.randrange(1, 3) if is_new else chance.randrange(1, 13)
    created = f"{2026 if is_new else 2024}-{month:02}-{chance.randrange(1, 28):02} 09:{chance.randrange(60):02}:00"
    listed = "".join(f"<li>{escape(bullet, quote=False)}</li>" for bullet in bullets)
    description = f"<p>{escape(sentence, quote=False)}</p><ul>{listed}</ul>"
    options = {word[1:]: OPTIONS[word[1:]] for word in words if word.startswith("@")}
    product = Product(
        id=key,
        sku=f"{prefix}-{FIRST_SKU + key - 1}",
        name=name,
        price_cents=price_cents,
        special_cents=special,
        stock=stock,
        created_at=created,
        options={_TITLES.get(option, option): values for option, values in options.items()},
        category=category,
    )
    connection.execute(
        "INSERT INTO product (id, sku, name, slug, brand, category_id, price_cents, special_price_cents, stock, status,"
        " visibility, description, material, weight_grams, picture_shape, picture_colour, picture_pattern,"
        " created_at, is_new)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'enabled', 'catalog_search', ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            product.sku,
            name,
            slug_of(name),
            brand,
            category_id,
            price_cents,
            special,
            stock,
            description,
            material,
            weight_grams,
            shape,
            colour,
            pattern,
            created,
            int(is_new),
        ),
    )
    for position, (option, values) in enumerate(product.options.items(), 1):
        option_id = connection.execute(
            "INSERT INTO product_option (product_id, name, position) VALUES (?, ?, ?)", (key, option, position)
        ).lastrowid
        connection.executemany(
            "INSERT INTO product_option_value (option_id, label, extra_cents, position) VALUES (?, ?, ?, ?)",
            [(option_id, label, extra, at) for at, (label, extra) in enumerate(values, 1)],
        )
    return product
