"""The boards' data hold together, and are the same on every build."""

from __future__ import annotations

import sqlite3
from collections import Counter

import pytest

from guideact.sites.reddit.seed import build
from guideact.sites.reddit.seed_posts import LINKS
from guideact.sites.state import Database, pristine
from guideact.sites.world import NOW

Rows = list[tuple[object, ...]]


@pytest.fixture
def boards() -> sqlite3.Connection:
    connection = Database("reddit").connection
    connection.row_factory = None
    return connection


def test_the_same_bytes_every_time() -> None:
    image = sqlite3.connect(":memory:")
    build(image)
    image.commit()
    image.execute("VACUUM")
    assert image.serialize() == pristine("reddit")
    assert len(pristine("reddit")) < 1_500_000
    image.close()


@pytest.mark.parametrize(
    ("what", "least"),
    [
        ("forum", 20),
        ("post", 600),
        ("comment", 1600),
        ("(SELECT DISTINCT body FROM comment)", 1000),
        ("(SELECT DISTINCT title FROM post)", 600),
        ("post WHERE kind = 'picture'", 30),
        ("post WHERE author_id = 1", 12),
        ("comment WHERE author_id = 1", 15),
        ("report WHERE status = 'open'", 12),
        ("message WHERE is_read = 0 AND sender_id <> 1", 4),
        ("wiki_page", 30),
    ],
)
def test_there_is_enough(boards: sqlite3.Connection, what: str, least: int) -> None:
    assert boards.execute(f"SELECT count(*) FROM {what}").fetchone()[0] >= least


def test_no_title_comes_twice(boards: sqlite3.Connection) -> None:
    titles = Counter(title for (title,) in boards.execute("SELECT title FROM post"))
    assert [title for title, count in titles.items() if count > 1] == []


def test_answers_come_after_what_they_answer(boards: sqlite3.Connection) -> None:
    now = NOW.strftime("%Y-%m-%d %H:%M:%S")
    late = "SELECT p.title FROM comment c JOIN post p ON p.id = c.post_id WHERE c.created_at < p.created_at"
    assert boards.execute(late).fetchall() == []
    early = "SELECT c.id FROM comment c JOIN comment p ON p.id = c.parent_id WHERE c.created_at < p.created_at"
    assert boards.execute(early).fetchall() == []
    assert boards.execute("SELECT id FROM post WHERE created_at > ?", (now,)).fetchall() == []
    assert boards.execute("SELECT id FROM comment WHERE created_at > ?", (now,)).fetchall() == []


def test_flairs_belong_to_the_forum_of_their_post(boards: sqlite3.Connection) -> None:
    strange = "SELECT p.id FROM post p JOIN flair x ON x.id = p.flair_id WHERE x.forum_id <> p.forum_id"
    assert boards.execute(strange).fetchall() == []


def test_products_that_threads_name_are_in_the_shop(boards: sqlite3.Connection) -> None:
    shop = Database("shop").connection
    slugs = {slug for (slug,) in shop.execute("SELECT slug FROM product").fetchall()}
    assert {link[3] for link in LINKS} <= slugs
    names = {row["name"] for row in shop.execute("SELECT name FROM product").fetchall()}
    for name in ("Squeeze Bottle", "Dome Tent for Two", "Gooseneck Pour-Over Kettle", "Calligraphy Pen", "Peace Lily"):
        assert name in names
        assert boards.execute("SELECT 1 FROM comment WHERE instr(body, ?)", (name,)).fetchone()


def test_no_word_is_a_placeholder(boards: sqlite3.Connection) -> None:
    for table in ("post", "comment"):
        texts = boards.execute(f"SELECT body FROM {table}").fetchall()
        assert not [text for (text,) in texts if "lorem" in text.lower() or "{x}" in text or "placeholder" in text]
