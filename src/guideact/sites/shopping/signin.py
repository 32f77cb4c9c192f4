"""Signing in and out, new accounts, forgotten passwords."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.carts import merge_guest_cart
from guideact.sites.shopping.checkout import EMAIL
from guideact.sites.shopping.compared import add_compared, compared_ids
from guideact.sites.web import (
    execute,
    field,
    flash,
    now_text,
    redirect,
    render,
    row,
    safe_next,
    sign_in,
    sign_out,
    user,
)

SHORTEST_PASSWORD = 8


def enter(request: Request, customer_id: int) -> None:
    """Sign a customer in; what the guest had in the cart and on the list to compare comes along."""
    data = request.state.session.data
    guest_cart = data.pop("cart_id", None)
    compared = data.pop("compare", [])
    data.pop("checkout", None)
    sign_in(request, customer_id)
    if guest_cart is not None and row(request, "SELECT 1 FROM cart WHERE id = ? AND customer_id IS NULL", guest_cart):
        merge_guest_cart(request, guest_cart)
    known = compared_ids(request)
    for product_id in compared:
        if product_id not in known:
            add_compared(request, product_id)


async def login(request: Request) -> Response:
    onward = safe_next(request, "/account")
    if request.method == "GET":
        if user(request) is not None:
            return redirect(onward)
        return render(request, "login.html", email="", errors={}, next=onward)
    email, password = field(request, "email"), field(request, "password")
    errors: dict[str, str] = {}
    if not email:
        errors["email"] = "Enter your email address."
    if not password:
        errors["password"] = "Enter your password."
    if not errors:
        found = row(request, "SELECT * FROM customer WHERE email = ? COLLATE NOCASE", email)
        if found is None or found["password"] != password:
            errors["email"] = "The email address or the password is not right."
        elif not found["is_active"]:
            errors["email"] = "This account is closed. Contact us to open it again."
        else:
            enter(request, found["id"])
            flash(request, f"Welcome back, {found['first_name']}!")
            return redirect(onward)
    return render(request, "login.html", email=email, errors=errors, next=onward, status=422)


async def register(request: Request) -> Response:
    if request.method == "GET" and user(request) is not None:
        return redirect("/account")
    typed = {name: field(request, name) for name in ("first_name", "last_name", "email", "newsletter")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        password, again = field(request, "password"), field(request, "password_again")
        errors = _register_errors(request, typed, password, again)
        if not errors:
            customer_id = _new_customer(request, typed, password)
            enter(request, customer_id)
            flash(request, f"Thank you for joining us, {typed['first_name']}!")
            return redirect("/account")
    return render(request, "register.html", typed=typed, errors=errors, status=422 if errors else 200)


def _register_errors(request: Request, typed: Mapping[str, str], password: str, again: str) -> dict[str, str]:
    errors: dict[str, str] = {}
    for name, word in (("first_name", "first name"), ("last_name", "last name")):
        if not typed[name]:
            errors[name] = f"Enter your {word}."
        elif len(typed[name]) > 40:
            errors[name] = "Use at most 40 characters."
    if not EMAIL.fullmatch(typed["email"]):
        errors["email"] = "Enter an email address such as name@example.com."
    elif row(request, "SELECT 1 FROM customer WHERE email = ? COLLATE NOCASE", typed["email"]) is not None:
        errors["email"] = "There is already an account with this email address."
    if len(password) < SHORTEST_PASSWORD:
        errors["password"] = f"Use at least {SHORTEST_PASSWORD} characters."
    elif password != again:
        errors["password_again"] = "The two passwords are not the same."
    return errors


def _new_customer(request: Request, typed: Mapping[str, str], password: str) -> int:
    customer_id = execute(
        request,
        "INSERT INTO customer (email, first_name, last_name, password, created_at) VALUES (?, ?, ?, ?, ?)",
        typed["email"],
        typed["first_name"],
        typed["last_name"],
        password,
        now_text(),
    )
    if typed["newsletter"] == "1":
        execute(
            request,
            "INSERT INTO newsletter_subscriber (email, customer_id, created_at) VALUES (?, ?, ?)"
            " ON CONFLICT (email) DO UPDATE SET customer_id = excluded.customer_id, status = 'subscribed'",
            typed["email"],
            customer_id,
            now_text(),
        )
    return customer_id


async def logout(request: Request) -> Response:
    closed = request.state.session.data.get("cookies")
    sign_out(request)
    if closed is not None:
        request.state.session.data["cookies"] = closed
    flash(request, "You are signed out.")
    return redirect("/")


async def forgotten(request: Request) -> Response:
    email = field(request, "email")
    errors: dict[str, str] = {}
    if request.method == "POST":
        if EMAIL.fullmatch(email):
            flash(request, f"If there is an account for {email}, we have sent it a link to set a new password.")
            return redirect("/login")
        errors["email"] = "Enter an email address such as name@example.com."
    return render(request, "forgotten.html", email=email, errors=errors, status=422 if errors else 200)


ROUTES = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/register", register, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/forgotten-password", forgotten, methods=["GET", "POST"]),
]
