"""Fills the shop's database: the same bytes on every build, from one seed and constant dates."""

from __future__ import annotations

import random
import sqlite3
from pathlib import Path

from guideact.sites.shopping.seed_catalogue import insert_catalogue

__all__ = ["build"]

SEED = 20260316


def build(connection: sqlite3.Connection) -> None:
    """Make all tables in an empty database and fill them."""
    connection.executescript((Path(__file__).parent / "schema.sql").read_text(encoding="utf-8"))
    insert_catalogue(connection, random.Random(f"{SEED}/catalogue"))
