"""What an order costs, to the cent: the one set of rules that the cart, the checkout and the seeded orders follow.

    total = subtotal - discount + shipping + tax

* *subtotal*: the sum of quantity x unit price.
* *discount*: every promotion that applies, each computed on the subtotal and added up, never more than the subtotal. A
  promotion without a code applies by itself; one with a code (a coupon) applies when the buyer enters it. A percentage
  is rounded half up to the cent.
* *shipping*: the price of the chosen method. Standard delivery is free from `shipping.free_over_cents` on (goods after
  discount), or when a promotion of the kind `free_shipping` applies; express and pickup never change.
* *tax*: `tax.rate_percent` of the goods after discount (delivery is not taxed), rounded half up to the cent.

All amounts are whole cents. Nothing here touches a database, so the seed can use it before there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from typing import Literal

PromotionKind = Literal["percent", "fixed", "free_shipping"]

SHIPPING_METHODS: dict[str, str] = {
    "standard": "Standard delivery",
    "express": "Express delivery",
    "pickup": "Store pickup",
}
PAYMENT_METHODS: dict[str, str] = {
    "card": "Credit card",
    "invoice": "Invoice",
    "cash_on_delivery": "Cash on delivery",
}

SETTING_DEFAULTS: dict[str, str] = {
    "tax.rate_percent": "8",
    "shipping.standard_cents": "590",
    "shipping.express_cents": "1490",
    "shipping.pickup_cents": "0",
    "shipping.free_over_cents": "10000",
}
"""The rows of table `setting` that pricing reads, with the values that hold where a row is missing."""


@dataclass(frozen=True)
class Rates:
    """The shop's settings that bear on prices. `tax_percent` may have decimals; `free_over_cents` 0: never free."""

    tax_percent: Decimal = Decimal(SETTING_DEFAULTS["tax.rate_percent"])
    standard_cents: int = int(SETTING_DEFAULTS["shipping.standard_cents"])
    express_cents: int = int(SETTING_DEFAULTS["shipping.express_cents"])
    pickup_cents: int = int(SETTING_DEFAULTS["shipping.pickup_cents"])
    free_over_cents: int = int(SETTING_DEFAULTS["shipping.free_over_cents"])

    @classmethod
    def from_settings(cls, settings: Mapping[str, str]) -> Rates:
        """From the rows of table `setting` as key -> value; missing keys take their defaults."""
        values = {**SETTING_DEFAULTS, **settings}
        return cls(
            tax_percent=Decimal(values["tax.rate_percent"]),
            standard_cents=int(values["shipping.standard_cents"]),
            express_cents=int(values["shipping.express_cents"]),
            pickup_cents=int(values["shipping.pickup_cents"]),
            free_over_cents=int(values["shipping.free_over_cents"]),
        )


@dataclass(frozen=True)
class Promotion:
    """A cart price rule: a row of table `promotion`. `amount` is percent points or cents; dates are inclusive."""

    id: int
    name: str
    kind: PromotionKind
    amount: int = 0
    code: str = ""
    minimum_cents: int = 0
    customer_group: str = ""
    starts_on: date | None = None
    ends_on: date | None = None
    is_active: bool = True


@dataclass(frozen=True)
class Line:
    """So many units at a price each."""

    quantity: int
    unit_cents: int

    @property
    def total_cents(self) -> int:
        return self.quantity * self.unit_cents


@dataclass(frozen=True)
class Totals:
    """The price of a cart or an order, in cents; `applied` holds the ids of the promotions that count."""

    subtotal_cents: int
    discount_cents: int
    shipping_cents: int
    tax_cents: int
    applied: tuple[int, ...] = ()

    @property
    def total_cents(self) -> int:
        return self.subtotal_cents - self.discount_cents + self.shipping_cents + self.tax_cents


def percent_of(cents: int, percent: Decimal | int) -> int:
    """`percent` of an amount, rounded half up to the cent."""
    return int((Decimal(cents) * Decimal(percent) / 100).quantize(Decimal(1), ROUND_HALF_UP))


def refusal(promotion: Promotion, subtotal_cents: int, group: str, today: date) -> str:
    """Why a promotion does not apply to this cart, as a sentence for the buyer; empty when it does.

    `group` is the buyer's customer group, and empty for a guest.
    """
    if not promotion.is_active:
        return "is not valid."
    if promotion.starts_on is not None and today < promotion.starts_on:
        return f"is not valid before {promotion.starts_on:%B} {promotion.starts_on.day}, {promotion.starts_on.year}."
    if promotion.ends_on is not None and today > promotion.ends_on:
        return f"expired on {promotion.ends_on:%B} {promotion.ends_on.day}, {promotion.ends_on.year}."
    if promotion.customer_group and promotion.customer_group != group:
        return f"is reserved for {promotion.customer_group} customers."
    if subtotal_cents < promotion.minimum_cents:
        return f"needs a subtotal of at least ${promotion.minimum_cents / 100:,.2f}."
    return ""


def discount_of(promotion: Promotion, subtotal_cents: int) -> int:
    """Cents that one promotion takes off the goods, not yet capped."""
    if promotion.kind == "percent":
        return percent_of(subtotal_cents, promotion.amount)
    if promotion.kind == "fixed":
        return promotion.amount
    return 0


def shipping_price(method: str, goods_cents: int, rates: Rates, *, free: bool = False) -> int:
    """Cents for a delivery method. `goods_cents` is the subtotal after discount; `free` that a promotion frees it."""
    if method == "express":
        return rates.express_cents
    if method == "pickup":
        return rates.pickup_cents
    if method != "standard":
        raise ValueError(f"no such shipping method: {method!r}")
    if free or (rates.free_over_cents > 0 and goods_cents >= rates.free_over_cents):
        return 0
    return rates.standard_cents


def price(
    lines: Iterable[Line],
    *,
    rates: Rates,
    promotions: Iterable[Promotion] = (),
    coupon_code: str = "",
    shipping_method: str | None,
    group: str = "",
    today: date,
) -> Totals:
    """The totals of a cart.

    `promotions` are all rows that may matter: those without a code count by themselves, those with one when
    `coupon_code` equals it, case aside. A coupon that does not apply is passed over; `refusal` says why.
    `shipping_method` None leaves delivery out (a cart whose delivery is not chosen yet).
    """
    subtotal = sum(line.total_cents for line in lines)
    applied = [
        promotion
        for promotion in promotions
        if (not promotion.code or promotion.code.casefold() == coupon_code.casefold())
        and not refusal(promotion, subtotal, group, today)
    ]
    discount = min(subtotal, sum(discount_of(promotion, subtotal) for promotion in applied))
    goods = subtotal - discount
    free = any(promotion.kind == "free_shipping" for promotion in applied)
    shipping = 0 if shipping_method is None else shipping_price(shipping_method, goods, rates, free=free)
    return Totals(
        subtotal_cents=subtotal,
        discount_cents=discount,
        shipping_cents=shipping,
        tax_cents=percent_of(goods, rates.tax_percent),
        applied=tuple(promotion.id for promotion in applied),
    )
