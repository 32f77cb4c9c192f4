"""Images, snapshots and differences."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guideact.sites.state import Database, diff, fold, pristine
from guideact.types import RowChange


def _digest_in_another_process(hash_seed: str) -> str:
    code = (
        "import hashlib; from guideact.sites.state import pristine; print(hashlib.sha256(pristine('shop')).hexdigest())"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "TZ": "America/Lima"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_the_image_is_the_same_bytes_on_every_build() -> None:
    here = hashlib.sha256(pristine("shop")).hexdigest()
    assert {_digest_in_another_process(seed) for seed in ("1", "4242")} == {here}


def test_nothing_changed_is_no_difference(shop: Database) -> None:
    assert shop.changes() == ()


def test_every_kind_of_change_is_seen(shop: Database) -> None:
    before = shop.snapshot()
    run = shop.connection.execute
    run("UPDATE product SET stock = 5, price_cents = 1 WHERE id = 3")
    run("DELETE FROM setting WHERE key = 'tax.display'")
    run("INSERT INTO compare_item (customer_id, product_id) VALUES (1, 2)")
    run("INSERT INTO session (token, site, csrf) VALUES ('t', 'shopping', 'c')")
    shop.connection.commit()
    old = run("SELECT value FROM setting").fetchall()
    assert len(old) == len(before.tables["setting"].rows) - 1
    was = {name: row for name, *row in before.tables["product"].rows}[3]
    columns = before.tables["product"].columns
    assert diff(before, shop.snapshot(), "shopping") == (
        RowChange(
            site="shopping",
            table="compare_item",
            op="insert",
            key="1",
            after={"id": 1, "customer_id": 1, "product_id": 2},
        ),
        RowChange(
            site="shopping",
            table="product",
            op="update",
            key="3",
            before={name: was[columns.index(name) - 1] for name in ("price_cents", "stock")},
            after={"price_cents": 1, "stock": 5},
        ),
        RowChange(
            site="shopping",
            table="setting",
            op="delete",
            key="tax.display",
            before={"key": "tax.display", "value": "excluding"},
        ),
    )


def test_a_row_put_back_as_it_was_is_no_change(shop: Database) -> None:
    run = shop.connection.execute
    run("UPDATE product SET stock = stock + 1 WHERE id = 9")
    run("UPDATE product SET stock = stock - 1 WHERE id = 9")
    assert shop.changes() == ()


def test_what_is_rolled_back_was_no_change(shop: Database) -> None:
    shop.connection.execute("DELETE FROM product_view")
    assert len(shop.changes()) == 336
    shop.connection.rollback()
    assert shop.changes() == ()


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    stock=st.dictionaries(st.integers(1, 336), st.integers(0, 10**6), max_size=6),
    gone=st.sets(st.integers(1, 15), max_size=4),
)
def test_the_difference_is_what_was_done(shop: Database, stock: dict[int, int], gone: set[int]) -> None:
    shop.reset()
    run = shop.connection.execute
    old = {key: run("SELECT stock FROM product WHERE id = ?", (key,)).fetchall()[0][0] for key in stock}
    for key, value in stock.items():
        run("UPDATE product SET stock = ? WHERE id = ?", (value, key))
    for key in gone:
        run("DELETE FROM contact_message WHERE id = ?", (key,))
    found = {(change.table, change.op, change.key): (change.before, change.after) for change in shop.changes()}
    expected: dict[tuple[str, str, str], object] = {
        ("product", "update", str(key)): ({"stock": old[key]}, {"stock": value})
        for key, value in stock.items()
        if value != old[key]
    }
    assert {key for key in found if key[0] == "contact_message"} == {
        ("contact_message", "delete", str(key)) for key in gone
    }
    assert {key: value for key, value in found.items() if key[0] == "product"} == expected


def test_a_reset_rolls_back_what_is_open(shop: Database) -> None:
    shop.connection.execute("DELETE FROM product_view")
    assert shop.connection.in_transaction
    shop.reset()
    assert not shop.connection.in_transaction
    assert shop.changes() == ()
    shop.connection.execute("SELECT fold('x')").fetchall()


def test_foreign_keys_hold_after_a_reset(shop: Database) -> None:
    shop.reset()
    with pytest.raises(Exception, match="FOREIGN KEY"):
        shop.connection.execute("INSERT INTO compare_item (customer_id, product_id) VALUES (1, 99999)")


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Élodie", "elodie"),
        ("MÜLLER", "muller"),
        ("Straße", "strasse"),
        ("Tea", "tea"),
        (None, ""),
        ("Ångström", "angstrom"),
    ],
)
def test_fold(shop: Database, text: str | None, folded: str) -> None:
    assert fold(text) == folded
    assert shop.connection.execute("SELECT fold(?)", (text,)).fetchall()[0][0] == folded
