"""The customer's account: dashboard, profile, reviews, newsletter.

Orders, addresses and wishes have files of their own.
"""

from __future__ import annotations

import sqlite3

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping import account_addresses, account_orders, account_wishes
from guideact.sites.shopping.account_orders import ORDER_COLUMNS
from guideact.sites.shopping.checkout import EMAIL
from guideact.sites.shopping.signin import SHORTEST_PASSWORD
from guideact.sites.web import (
    Pager,
    execute,
    field,
    flash,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
    user,
    value,
)

__all__ = ["ROUTES", "subscription", "write_subscription"]


def subscription(request: Request, email: str) -> sqlite3.Row | None:
    """The newsletter's row for a mail address, case aside."""
    return row(request, "SELECT * FROM newsletter_subscriber WHERE email = ? COLLATE NOCASE", email)


def write_subscription(request: Request, email: str, customer_id: int | None, subscribed: bool) -> bool:
    """Make an address a subscriber or not; whether that changed anything."""
    known = subscription(request, email)
    status = "subscribed" if subscribed else "unsubscribed"
    if known is None:
        if subscribed:
            execute(
                request,
                "INSERT INTO newsletter_subscriber (email, customer_id, created_at) VALUES (?, ?, ?)",
                email,
                customer_id,
                now_text(),
            )
        return subscribed
    if known["status"] != status:
        execute(request, "UPDATE newsletter_subscriber SET status = ? WHERE id = ?", status, known["id"])
    return bool(known["status"] != status)


@signed_in
async def dashboard(request: Request) -> Response:
    """Who the customer is, where parcels go, and the latest orders."""
    customer = user(request)
    assert customer is not None
    key = customer["id"]
    known = subscription(request, customer["email"])
    return render(
        request,
        "account/dashboard.html",
        orders=rows(
            request,
            f"SELECT {ORDER_COLUMNS} FROM sales_order o WHERE o.customer_id = ?"
            " ORDER BY o.created_at DESC, o.id DESC LIMIT 5",
            key,
        ),
        order_count=value(request, "SELECT count(*) FROM sales_order WHERE customer_id = ?", key),
        billing=row(request, "SELECT * FROM address WHERE customer_id = ? AND is_default_billing = 1", key),
        shipping=row(request, "SELECT * FROM address WHERE customer_id = ? AND is_default_shipping = 1", key),
        subscribed=known is not None and known["status"] == "subscribed",
        reviews=rows(
            request,
            "SELECT r.rating, r.title, p.name, p.slug FROM review r JOIN product p ON p.id = r.product_id"
            " WHERE r.customer_id = ? ORDER BY r.created_at DESC, r.id DESC LIMIT 3",
            key,
        ),
    )


@signed_in
async def profile(request: Request) -> Response:
    """Name and telephone number; mail address and password where the boxes to change them are ticked."""
    customer = user(request)
    assert customer is not None
    names = ("first_name", "last_name", "phone", "email")
    if request.method == "GET":
        values = {name: customer[name] for name in names}
        return render(
            request, "account/profile.html", values=values, errors={}, change_email=False, change_password=False
        )
    change_email, change_password = field(request, "change_email") == "1", field(request, "change_password") == "1"
    values = {name: field(request, name) for name in names}
    if not change_email:
        values["email"] = customer["email"]
    errors = _profile_errors(request, customer, values, change_email, change_password)
    if errors:
        return render(
            request,
            "account/profile.html",
            values=values,
            errors=errors,
            change_email=change_email,
            change_password=change_password,
            status=422,
        )
    password = field(request, "new_password") if change_password else customer["password"]
    execute(
        request,
        "UPDATE customer SET first_name = ?, last_name = ?, phone = ?, email = ?, password = ? WHERE id = ?",
        *(values[name] for name in names),
        password,
        customer["id"],
    )
    flash(request, "You saved your account information.")
    return redirect("/account")


def _profile_errors(
    request: Request, customer: sqlite3.Row, values: dict[str, str], change_email: bool, change_password: bool
) -> dict[str, str]:
    errors: dict[str, str] = {}
    for name, word in (("first_name", "first name"), ("last_name", "last name")):
        if not values[name]:
            errors[name] = f"Enter your {word}."
        elif len(values[name]) > 40:
            errors[name] = "Use at most 40 characters."
    if len(values["phone"]) > 24:
        errors["phone"] = "Use at most 24 characters."
    if change_email:
        if not EMAIL.fullmatch(values["email"]):
            errors["email"] = "Enter an email address such as name@example.com."
        elif row(
            request,
            "SELECT 1 FROM customer WHERE email = ? COLLATE NOCASE AND id <> ?",
            values["email"],
            customer["id"],
        ):
            errors["email"] = "There is already an account with this email address."
    if (change_email or change_password) and field(request, "current_password") != customer["password"]:
        errors["current_password"] = "The password is not right."
    if change_password:
        if len(field(request, "new_password")) < SHORTEST_PASSWORD:
            errors["new_password"] = f"Use at least {SHORTEST_PASSWORD} characters."
        elif field(request, "new_password") != field(request, "new_password_again"):
            errors["new_password_again"] = "The two passwords are not the same."
    return errors


@signed_in
async def reviews(request: Request) -> Response:
    """What the customer wrote, newest first, with what became of it."""
    key = request.state.session.user_id
    pager = Pager.of(request, value(request, "SELECT count(*) FROM review WHERE customer_id = ?", key), 10)
    found = rows(
        request,
        "SELECT r.*, p.name, p.slug FROM review r JOIN product p ON p.id = r.product_id WHERE r.customer_id = ?"
        " ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?",
        key,
        pager.size,
        pager.offset,
    )
    return render(request, "account/reviews.html", reviews=found, pager=pager)


@signed_in
async def newsletter(request: Request) -> Response:
    """Whether the customer gets the weekly letter."""
    customer = user(request)
    assert customer is not None
    if request.method == "GET":
        known = subscription(request, customer["email"])
        subscribed = known is not None and known["status"] == "subscribed"
        return render(request, "account/newsletter.html", subscribed=subscribed)
    wanted = field(request, "subscribed") == "1"
    changed = write_subscription(request, customer["email"], customer["id"], wanted)
    if not changed:
        flash(request, "Nothing was changed: that is how it was already.", "info")
    elif wanted:
        flash(request, "You are subscribed to the newsletter.")
    else:
        flash(request, "You are no longer subscribed to the newsletter.")
    return redirect("/account/newsletter")


ROUTES = [
    Route("/account", dashboard),
    Route("/account/profile", profile, methods=["GET", "POST"]),
    Route("/account/reviews", reviews),
    Route("/account/newsletter", newsletter, methods=["GET", "POST"]),
    *account_orders.ROUTES,
    *account_addresses.ROUTES,
    *account_wishes.ROUTES,
]
