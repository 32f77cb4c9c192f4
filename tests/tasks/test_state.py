"""Every changed row is required, allowed, or a failure."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guideact.sites.registry import database_of, home_of
from guideact.sites.state import pristine_snapshot
from guideact.tasks.checks.state import (
    ALLOWED,
    change_matches,
    check_state,
    check_states,
    counts,
    text_of_markup,
    value_matches,
)
from guideact.types import Change, RowChange, StateCheck


def insert(table: str, key: int, **row: Any) -> RowChange:
    return RowChange(site="shopping", table=table, op="insert", key=str(key), after={"id": key, **row})


def update(table: str, key: int, **columns: tuple[Any, Any]) -> RowChange:
    return RowChange(
        site="shopping",
        table=table,
        op="update",
        key=str(key),
        before={name: pair[0] for name, pair in columns.items()},
        after={name: pair[1] for name, pair in columns.items()},
    )


def delete(table: str, key: int, **row: Any) -> RowChange:
    return RowChange(site="shopping", table=table, op="delete", key=str(key), before={"id": key, **row})


def verdict(changes: list[RowChange], *required: Change, **more: tuple[Change, ...]) -> tuple[bool, str]:
    part = check_state(StateCheck(site="shopping", required=required, **more), changes)
    return part.passed, part.reason


ADD = Change(table="cart_item", op="insert", values={"product_id": 7, "quantity": 2})
ITEM = insert("cart_item", 1, product_id=7, quantity=2, options="{}")


def test_the_required_change_and_nothing_else_passes() -> None:
    assert verdict([ITEM], ADD) == (True, "")


def test_nothing_done_fails_and_says_what_is_missing() -> None:
    passed, reason = verdict([], ADD)
    assert not passed
    assert reason == "missing: insert cart_item product_id=7, quantity=2"


def test_another_value_fails() -> None:
    assert not verdict([insert("cart_item", 1, product_id=7, quantity=3)], ADD)[0]


def test_collateral_damage_fails_and_is_named() -> None:
    extra = insert("newsletter_subscriber", 9, email="a@example.com")
    passed, reason = verdict([ITEM, extra], ADD)
    assert not passed
    assert reason.startswith("not asked for: insert newsletter_subscriber[9]")


def test_the_same_change_twice_fails_when_asked_once() -> None:
    assert not verdict([ITEM, insert("cart_item", 2, product_id=7, quantity=2)], ADD)[0]
    twice = ADD.model_copy(update={"count": 2})
    assert verdict([ITEM, insert("cart_item", 2, product_id=7, quantity=2)], twice)[0]
    assert not verdict([ITEM], twice)[0]


def test_looking_around_is_allowed() -> None:
    noise = [
        RowChange(site="shopping", table="product_view", op="insert", key="7", after={"product_id": 7, "views": 1}),
        update("search_term", 3, uses=(4, 5)),
        update("customer", 1, last_login_at=(None, "2026-03-16T10:00")),
        insert("cart", 5, customer_id=1, coupon_code=""),
    ]
    assert verdict([ITEM, *noise], ADD)[0]
    assert not any(counts(change) for change in noise)
    assert counts(ITEM)


def test_a_login_time_does_not_excuse_a_changed_name() -> None:
    both = update("customer", 1, last_login_at=(None, "now"), first_name=("Emma", "Ema"))
    assert not verdict([both])[0]


def test_an_update_may_change_only_what_is_named() -> None:
    wish = Change(table="address", op="update", where={"id": 3}, values={"city": "Turku"})
    assert verdict([update("address", 3, city=("Oulu", "Turku"))], wish)[0]
    assert not verdict([update("address", 4, city=("Oulu", "Turku"))], wish)[0]
    both = update("address", 3, city=("Oulu", "Turku"), phone=("1", "2"))
    assert not verdict([both], wish)[0]
    assert verdict([both], wish.model_copy(update={"any_columns": ("phone",)}))[0]


def test_an_update_is_found_by_the_value_it_had() -> None:
    wish = Change(table="sales_order", op="update", where={"status": "pending"}, values={"status": "canceled"})
    assert change_matches(wish, update("sales_order", 1, status=("pending", "canceled")))
    assert not change_matches(wish, update("sales_order", 1, status=("processing", "canceled")))


def test_the_key_of_other_tables_has_another_name() -> None:
    wish = Change(table="setting", op="update", where={"key": "tax.rate_percent"}, values={"value": "24"})
    change = RowChange(
        site="shopping_admin",
        table="setting",
        op="update",
        key="tax.rate_percent",
        before={"value": "10"},
        after={"value": "24"},
    )
    assert change_matches(wish, change)
    assert not change_matches(wish.model_copy(update={"where": {"key": "general.store_name"}}), change)


def test_a_delete_is_found_by_its_row() -> None:
    wish = Change(table="wishlist_item", op="delete", where={"customer_id": 1, "product_id": 7})
    assert verdict([delete("wishlist_item", 4, customer_id=1, product_id=7)], wish)[0]
    assert not verdict([delete("wishlist_item", 4, customer_id=2, product_id=7)], wish)[0]


def test_forbidden_beats_allowed() -> None:
    anything = (Change(table="cart_item", op="insert", count=None),)
    never = (Change(table="cart_item", op="insert", values={"product_id": 7}),)
    assert verdict([ITEM], allowed=anything)[0]
    passed, reason = verdict([ITEM], allowed=anything, forbidden=never)
    assert not passed
    assert reason.startswith("forbidden: insert cart_item[1]")


def test_allowed_is_counted() -> None:
    once = (Change(table="cart_item", op="insert"),)
    other = insert("cart_item", 2, product_id=8, quantity=1)
    assert verdict([ITEM], allowed=once)[0]
    assert not verdict([ITEM, other], allowed=once)[0]


def test_overlapping_wishes_do_not_compete() -> None:
    """A loose wish listed first must not take the only row that a strict one can have."""
    loose = Change(table="cart_item", op="insert", values={"product_id": "*"})
    other = insert("cart_item", 2, product_id=8, quantity=1)
    for order in ([ITEM, other], [other, ITEM]):
        assert verdict(order, loose, ADD)[0]
    assert not verdict([other], loose, ADD)[0]


@pytest.mark.parametrize("seed", range(5))
def test_the_verdict_does_not_depend_on_the_order_of_changes(seed: int) -> None:
    changes = [ITEM, delete("wishlist_item", 4, customer_id=1, product_id=7), update("product", 7, stock=(5, 4))]
    required = (
        ADD,
        Change(table="wishlist_item", op="delete", where={"id": 4}),
        Change(table="product", op="update", where={"id": 7}, values={"stock": 4}),
    )
    random.Random(seed).shuffle(changes)
    assert verdict(changes, *required)[0]
    assert not verdict(changes[1:], *required)[0]


@pytest.mark.parametrize(
    ("wanted", "actual", "same"),
    [
        ("*", None, True),
        (None, None, True),
        (None, "", False),
        (1, 1, True),
        (1, "1", False),
        ({"~": "Emma  Lopez"}, " emma lopez ", True),
        ({"~": "Emma"}, "Emma Lopez", False),
        ({"contains": "fragile"}, "Handle with care: FRAGILE!", True),
        ({"contains": "fragile"}, "sturdy", False),
        ({"html": "Now in blue"}, "<p>Now in <b>blue</b></p>", True),
        ({"html": "Now in blue"}, "<p>Now in</p><p>blue</p>", True),
        ({"html": "Now in blue"}, "<p>Now in red</p>", False),
        ({"Size": "M"}, '{"Size": "M"}', True),
        ({"Size": "M", "Colour": "Red"}, '{"Colour": "Red", "Size": "M"}', True),
        ({"Size": "M"}, '{"Size": "L"}', False),
        ({"Size": "M"}, "not json", False),
        ({}, "{}", True),
    ],
)
def test_values(wanted: Any, actual: Any, same: bool) -> None:
    assert value_matches(wanted, actual) is same


def test_markup_keeps_a_word_whole_and_blocks_apart() -> None:
    assert text_of_markup("<p>un<b>believ</b>able</p><ul><li>One</li><li>Two</li></ul>") == "unbelievable one two"


def test_a_site_that_the_task_does_not_name_must_not_change() -> None:
    parts = check_states((), [ITEM])
    assert [part.passed for part in parts] == [False]
    assert check_states((), []) == ()


def test_the_back_office_shares_the_storefronts_changes() -> None:
    check = StateCheck(site="shopping_admin", required=(ADD,))
    assert [part.passed for part in check_states((check,), [ITEM])] == [True]


def test_what_looking_around_changes_is_known_of_real_tables() -> None:
    """By the site under whose name changes are known, and with columns that are there."""
    for site, changes in ALLOWED.items():
        assert home_of(site) == site
        tables = pristine_snapshot(database_of(site)).tables
        for change in changes:
            assert {*change.values, *change.any_columns, *change.where} <= set(tables[change.table].columns)
