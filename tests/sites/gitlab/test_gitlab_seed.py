"""The data that the forge begins with."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from guideact.sites.gitlab import blobs, repository
from guideact.sites.gitlab.seed import build
from guideact.sites.state import Database, pristine


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    database = Database("gitlab")
    yield database.connection
    database.close()


def test_every_build_is_the_same_and_small() -> None:
    one, other = Database("gitlab"), sqlite3.connect(":memory:")
    build(other)
    for name in [row[0] for row in other.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()]:
        ours = [tuple(row) for row in one.connection.execute(f"SELECT * FROM {name}").fetchall()]
        assert ours == other.execute(f"SELECT * FROM {name}").fetchall(), name
    assert len(pristine("gitlab")) < 1_500_000
    one.close()
    other.close()


def test_there_is_enough_of_everything(db: sqlite3.Connection) -> None:
    def count(table: str) -> int:
        return int(db.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0])

    assert count("project") >= 30
    assert count("issue") >= 120
    assert count("revision") >= 100
    assert count("merge_request") >= 18
    assert db.execute("SELECT count(*) FROM namespace WHERE kind = 'group'").fetchall()[0][0] == 8
    assert count("blob") == 0, "texts that the site came with are kept outside"


def test_every_branch_has_a_tree_of_known_texts(db: sqlite3.Connection) -> None:
    for branch in db.execute("SELECT * FROM branch").fetchall():
        files = repository.tree(db, branch["revision_id"])
        assert "README.md" in files, branch["name"]
        assert all(blobs.read(db, entry.blob) for entry in files.values())


def test_blame_gives_each_line_to_the_revision_that_wrote_it(db: sqlite3.Connection) -> None:
    project = db.execute("SELECT id FROM project WHERE full_path = 'harbour-code/tidewater'").fetchall()[0]["id"]
    head = repository.find_revision(db, project, "main")
    assert head is not None
    lines = dict(repository.blame(db, head, "docs/states.md"))
    assert lines["tidewater parked jobs.db"]["username"] == "emma_l"
    assert lines["# States of a job"]["username"] == "villeh"
    assert [line for line, _ in repository.blame(db, head, "docs/states.md")] == blobs.read(
        db, repository.tree(db, head)["docs/states.md"].blob
    ).splitlines()


def test_blame_looks_behind_a_merge(db: sqlite3.Connection) -> None:
    project = db.execute("SELECT id FROM project WHERE full_path = 'harbour-code/tidewater'").fetchall()[0]["id"]
    head = repository.find_revision(db, project, "main")
    assert head is not None
    lines = dict(repository.blame(db, head, "tidewater/worker.py"))
    assert (
        lines["            queue.retry(job_id, str(error))"]["title"] == "Retry a job that fails, three times at most"
    )


def test_a_merge_brings_the_branch_into_the_tree(db: sqlite3.Connection) -> None:
    project = db.execute("SELECT id FROM project WHERE full_path = 'harbour-code/tidewater'").fetchall()[0]["id"]
    head = repository.find_revision(db, project, "main")
    assert head is not None
    assert "def retry" in blobs.read(db, repository.tree(db, head)["tidewater/queue.py"].blob)
    titles = [row["title"] for row in repository.ancestors(db, head)]
    assert "Retry a job that fails, three times at most" in titles
    assert "Merge branch 'retries' into 'main'" in titles


def test_products_and_orders_that_are_named_exist_in_the_shop(db: sqlite3.Connection) -> None:
    shop = Database("shop")
    for name in ("Gooseneck Pour-Over Kettle", "Reading Corner Lamp", "Trail Pack 35 L", "Glass Tea Kettle"):
        assert db.execute("SELECT 1 FROM issue WHERE instr(title || body, ?)", (name,)).fetchall(), name
        assert shop.connection.execute("SELECT 1 FROM product WHERE name = ?", (name,)).fetchall(), name
    for number in ("000000368", "000000322", "000000365", "000000236", "000000371"):
        assert db.execute("SELECT 1 FROM issue WHERE instr(title || body, ?)", (number,)).fetchall(), number
        assert shop.connection.execute("SELECT 1 FROM sales_order WHERE number = ?", (number,)).fetchall(), number
    shop.close()
