"""Checkout in four steps: address, delivery, payment, review. What was chosen so far lies in the session's data."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.addresses import COUNTRIES, addresses_of, as_values, read_address
from guideact.sites.shopping.cart import delivery_choices
from guideact.sites.shopping.carts import CartLine, find_cart, lines_of, totals_of
from guideact.sites.shopping.layout import settings
from guideact.sites.shopping.placing import Purchase, counting_coupon, place_order, shortage
from guideact.sites.shopping.pricing import PAYMENT_METHODS, SHIPPING_METHODS
from guideact.sites.web import field, flash, redirect, render, row, user

STEPS = (
    ("address", "Delivery address", "/checkout/address"),
    ("delivery", "Delivery method", "/checkout/delivery"),
    ("payment", "Payment", "/checkout/payment"),
    ("review", "Review", "/checkout/review"),
)
LONGEST_GIFT_MESSAGE = 200
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
DELIVERY_TIMES = {
    "standard": "3 to 5 working days",
    "express": "Next working day",
    "pickup": "Ready in two hours at our shop",
}
PAYMENT_NOTES = {
    "card": "You enter your card on the bank's page once the order is placed.",
    "invoice": "Pay within 14 days of delivery.",
    "cash_on_delivery": "Pay the courier when the parcel arrives.",
}


def _draft(request: Request) -> dict[str, Any]:
    draft: dict[str, Any] = request.state.session.data.setdefault("checkout", {})
    return draft


def _cart(request: Request) -> tuple[tuple[CartLine, ...], str]:
    """The lines to buy, and the coupon that counts for them."""
    cart = find_cart(request)
    if cart is None:
        return (), ""
    lines = lines_of(request, cart["id"])
    return lines, counting_coupon(request, cart["coupon_code"], lines)


def _missing(request: Request, step: str) -> str:
    """Where to go instead of a step that cannot be done yet; empty when it can."""
    lines, _ = _cart(request)
    if not lines:
        flash(request, "Your cart is empty.", "info")
        return "/cart"
    if user(request) is None and settings(request).get("customer.guest_checkout", "1") != "1":
        flash(request, "Sign in to buy.", "info")
        return "/login?next=/checkout"
    problem = shortage(lines)
    if problem:
        flash(request, problem, "error")
        return "/cart"
    needs = {"address": (), "delivery": ("ship_to",), "payment": ("ship_to", "method")}
    draft = _draft(request)
    for key in needs.get(step, ("ship_to", "method", "payment")):
        if key not in draft:
            return {"ship_to": "/checkout/address", "method": "/checkout/delivery", "payment": "/checkout/payment"}[key]
    if step == "review" and draft["payment"] not in {method for method, _, _ in payment_choices(request)}:
        return "/checkout/payment"
    return ""


def _step(name: str) -> Callable[[Callable[[Request], Response]], Callable[[Request], Any]]:
    """A page of the checkout: reached only when the steps before it are done."""

    def wrap(handler: Callable[[Request], Response]) -> Callable[[Request], Any]:
        async def page(request: Request) -> Response:
            elsewhere = _missing(request, name)
            return redirect(elsewhere) if elsewhere else handler(request)

        return page

    return wrap


def payment_choices(request: Request) -> list[tuple[str, str, str]]:
    """(method, label, note) for every way to pay that the shop's settings allow."""
    known = settings(request)
    return [
        (key, label, PAYMENT_NOTES[key])
        for key, label in PAYMENT_METHODS.items()
        if known.get(f"payment.{key}_enabled", "1") == "1"
    ]


def _render(request: Request, step: str, status: int = 200, **context: Any) -> Response:
    lines, code = _cart(request)
    draft = _draft(request)
    method = draft.get("method")
    return render(
        request,
        f"checkout_{step}.html",
        status=status,
        step=step,
        steps=STEPS,
        step_number=[name for name, _, _ in STEPS].index(step),
        lines=lines,
        coupon_code=code,
        totals=totals_of(request, lines, code, method),
        method_label=SHIPPING_METHODS[method] if method else "",
        draft=draft,
        **context,
    )


async def start(request: Request) -> Response:
    return redirect("/checkout/address")


def _address_page(
    request: Request,
    values: Mapping[str, str],
    errors: Mapping[str, str],
    chosen: str,
    email: str,
    save: bool,
) -> Response:
    customer = user(request)
    saved = addresses_of(request, customer["id"]) if customer else []
    return _render(
        request,
        "address",
        status=422 if errors else 200,
        saved=saved,
        chosen=chosen,
        values=values,
        errors=errors,
        email=email,
        save=save,
        countries=[(name, name) for name in COUNTRIES],
    )


@_step("address")
def address(request: Request) -> Response:
    customer = user(request)
    draft = _draft(request)
    saved = addresses_of(request, customer["id"]) if customer else []
    if request.method == "GET":
        default = str(saved[0]["id"]) if saved else "new"
        values = draft.get("ship_to", {})
        if not values and customer is not None:
            values = {"first_name": customer["first_name"], "last_name": customer["last_name"]}
        chosen = draft.get("address", default)
        return _address_page(request, values, {}, chosen, draft.get("email", ""), draft.get("save_address", False))
    chosen = field(request, "address") or "new"
    email = customer["email"] if customer else field(request, "email")
    save = customer is not None and field(request, "save_address") == "1"
    errors: dict[str, str] = {}
    if customer is None and not EMAIL.fullmatch(email):
        errors["email"] = "Enter an email address such as name@example.com."
    if chosen == "new":
        values, problems = read_address(request)
        errors |= problems
    else:
        known = next((one for one in saved if str(one["id"]) == chosen), None)
        values = as_values(known) if known is not None else {}
        save = False
        if known is None:
            errors["address"] = "Choose one of your addresses."
    if errors:
        return _address_page(request, values, errors, chosen, email, save)
    draft.update(ship_to=dict(values), address=chosen, email=email, save_address=save)
    return redirect("/checkout/delivery")


@_step("delivery")
def delivery(request: Request) -> Response:
    draft = _draft(request)
    lines, code = _cart(request)
    choices = delivery_choices(request, totals_of(request, lines, code, None))
    method = draft.get("method", "standard")
    message = draft.get("gift_message", "")
    errors: dict[str, str] = {}
    if request.method == "POST":
        method, message = field(request, "method"), field(request, "gift_message")
        if method not in SHIPPING_METHODS:
            errors["method"] = "Choose a delivery method."
        if field(request, "is_gift") != "1":
            message = ""
        elif not message:
            errors["gift_message"] = "Enter the message, or do not send it as a gift."
        elif len(message) > LONGEST_GIFT_MESSAGE:
            errors["gift_message"] = f"Use at most {LONGEST_GIFT_MESSAGE} characters."
        if not errors:
            draft.update(method=method, gift_message=message)
            return redirect("/checkout/payment")
    return _render(
        request,
        "delivery",
        status=422 if errors else 200,
        choices=[(key, label, DELIVERY_TIMES[key], cost) for key, label, cost in choices],
        chosen=method,
        gift_message=message,
        is_gift=bool(message) or "gift_message" in errors,
        errors=errors,
    )


@_step("payment")
def payment(request: Request) -> Response:
    draft = _draft(request)
    choices = payment_choices(request)
    chosen = draft.get("payment", "")
    same = "bill_to" not in draft
    values: Mapping[str, str] = draft.get("bill_to", {})
    errors: dict[str, str] = {}
    if request.method == "POST":
        chosen = field(request, "payment")
        same = field(request, "same_address") == "1"
        if chosen not in {key for key, _, _ in choices}:
            errors["payment"] = "Choose how you want to pay."
        if not same:
            values, problems = read_address(request, "bill_")
            errors |= problems
        if not errors:
            draft["payment"] = chosen
            if same:
                draft.pop("bill_to", None)
            else:
                draft["bill_to"] = dict(values)
            return redirect("/checkout/review")
    return _render(
        request,
        "payment",
        status=422 if errors else 200,
        choices=choices,
        chosen=chosen,
        same=same,
        values=values,
        errors=errors,
        countries=[(name, name) for name in COUNTRIES],
    )


@_step("review")
def review(request: Request) -> Response:
    draft = _draft(request)
    errors: dict[str, str] = {}
    if request.method == "POST":
        if field(request, "terms") == "1":
            purchase = Purchase(
                email=draft["email"],
                ship_to=draft["ship_to"],
                bill_to=draft.get("bill_to", draft["ship_to"]),
                shipping_method=draft["method"],
                payment_method=draft["payment"],
                gift_message=draft["gift_message"],
                save_address=draft["save_address"],
            )
            number = place_order(request, purchase)
            data = request.state.session.data
            del data["checkout"]
            data["placed"] = number
            return redirect("/checkout/success")
        errors["terms"] = "Accept the terms to place the order."
    return _render(
        request,
        "review",
        status=422 if errors else 200,
        errors=errors,
        payment_label=PAYMENT_METHODS[draft["payment"]],
        delivery_time=DELIVERY_TIMES[draft["method"]],
    )


async def success(request: Request) -> Response:
    number = request.state.session.data.get("placed")
    order = row(request, "SELECT * FROM sales_order WHERE number = ?", number)
    if order is None:
        return redirect("/cart")
    return render(request, "checkout_success.html", order=order, delivery_time=DELIVERY_TIMES[order["shipping_method"]])


ROUTES = [
    Route("/checkout", start),
    Route("/checkout/address", address, methods=["GET", "POST"]),
    Route("/checkout/delivery", delivery, methods=["GET", "POST"]),
    Route("/checkout/payment", payment, methods=["GET", "POST"]),
    Route("/checkout/review", review, methods=["GET", "POST"]),
    Route("/checkout/success", success),
]
