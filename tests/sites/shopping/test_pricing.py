"""What an order costs, against rules computed in another way."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from math import floor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.sites.shopping.pricing import (
    Line,
    Promotion,
    Rates,
    price,
    refusal,
    shipping_price,
)

TODAY = date(2026, 3, 16)

lines = st.lists(st.builds(Line, st.integers(1, 40), st.integers(1, 60_000)), min_size=1, max_size=6)
promotion = st.builds(
    Promotion,
    id=st.integers(1, 5),
    name=st.just("A promotion"),
    kind=st.sampled_from(["percent", "fixed", "free_shipping"]),
    amount=st.integers(0, 100),
    code=st.sampled_from(["", "SPRING", "OTHER"]),
    minimum_cents=st.integers(0, 50_000),
    customer_group=st.sampled_from(["", "Wholesale"]),
    starts_on=st.none() | st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    ends_on=st.none() | st.dates(date(2026, 1, 1), date(2026, 12, 31)),
    is_active=st.booleans(),
)
methods = st.sampled_from(["standard", "express", "pickup", None])


def half_up(value: Fraction) -> int:
    return floor(value + Fraction(1, 2))


@given(lines, st.lists(promotion, max_size=5), methods, st.sampled_from(["", "General", "Wholesale"]))
def test_totals_follow_the_rules(
    bought: list[Line], promotions: list[Promotion], method: str | None, group: str
) -> None:
    totals = price(
        bought,
        rates=Rates(),
        promotions=promotions,
        coupon_code="spring",
        shipping_method=method,
        group=group,
        today=TODAY,
    )
    subtotal = sum(line.quantity * line.unit_cents for line in bought)
    holding = [
        one
        for one in promotions
        if one.is_active
        and one.code in ("", "SPRING")
        and one.customer_group in ("", group)
        and subtotal >= one.minimum_cents
        and (one.starts_on or TODAY) <= TODAY <= (one.ends_on or TODAY)
    ]
    off = sum(
        half_up(Fraction(subtotal * one.amount, 100)) if one.kind == "percent" else one.amount
        for one in holding
        if one.kind != "free_shipping"
    )
    assert totals.subtotal_cents == subtotal
    assert totals.discount_cents == min(subtotal, off)
    assert totals.applied == tuple(one.id for one in holding)
    goods = subtotal - totals.discount_cents
    assert totals.tax_cents == half_up(Fraction(goods * 8, 100))
    free = goods >= 10_000 or any(one.kind == "free_shipping" for one in holding)
    assert totals.shipping_cents == {None: 0, "pickup": 0, "express": 1490, "standard": 0 if free else 590}[method]
    assert totals.total_cents == goods + totals.shipping_cents + totals.tax_cents
    assert totals.total_cents >= 0


@given(st.integers(0, 200_000), st.decimals(0, 30, places=2))
def test_tax_with_a_fraction_of_a_percent(cents: int, percent: object) -> None:
    rates = Rates.from_settings({"tax.rate_percent": str(percent)})
    totals = price([Line(1, cents)], rates=rates, shipping_method=None, today=TODAY)
    assert totals.tax_cents == half_up(Fraction(cents) * Fraction(str(percent)) / 100)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"is_active": False}, "is not valid."),
        ({"starts_on": date(2026, 3, 28)}, "is not valid before March 28, 2026."),
        ({"ends_on": date(2026, 3, 15)}, "expired on March 15, 2026."),
        ({"customer_group": "Wholesale"}, "is reserved for Wholesale customers."),
        ({"minimum_cents": 5001}, "needs a subtotal of at least $50.01."),
        ({"starts_on": TODAY, "ends_on": TODAY, "minimum_cents": 5000, "customer_group": "General"}, ""),
    ],
)
def test_a_refusal_says_why(change: dict[str, object], says: str) -> None:
    known = Promotion(**{"id": 1, "name": "x", "kind": "percent", "amount": 10, **change})  # type: ignore[arg-type]
    assert refusal(known, 5000, "General", TODAY) == says


def test_an_unknown_method_is_no_free_delivery() -> None:
    with pytest.raises(ValueError, match="no such shipping method"):
        shipping_price("drone", 100, Rates())


def test_nothing_is_free_without_a_limit() -> None:
    rates = Rates.from_settings({"shipping.free_over_cents": "0"})
    assert shipping_price("standard", 10**7, rates) == 590
