"""Signing in and out, new accounts, the cookie notice, the house's own pages."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

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

__all__ = ["EMAIL", "ROUTES", "SHORTEST_PASSWORD"]

SHORTEST_PASSWORD = 8
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_USERNAME = re.compile(r"[a-z][a-z0-9._]{2,19}")


async def login(request: Request) -> Response:
    onward = safe_next(request)
    errors: dict[str, str] = {}
    name, password = field(request, "username"), field(request, "password")
    if request.method == "GET":
        if user(request) is not None:
            return redirect(onward)
        return render(request, "login.html", name="", errors={}, next=onward)
    if not name:
        errors["username"] = "Enter your user name."
    if not password:
        errors["password"] = "Enter your password."
    if not errors:
        found = row(request, "SELECT * FROM member WHERE username = ? OR email = ?", name, name)
        if found is not None and found["password"] == password:
            sign_in(request, found["id"])
            flash(request, f"Welcome back, {found['username']}.")
            return redirect(onward)
        errors["username"] = "The user name or the password is not right."
    return render(request, "login.html", name=name, errors=errors, next=onward, status=422)


async def register(request: Request) -> Response:
    if request.method == "GET" and user(request) is not None:
        return redirect("/")
    typed = {name: field(request, name) for name in ("username", "email")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        password = field(request, "password")
        if not _USERNAME.fullmatch(typed["username"]):
            errors["username"] = "Use 3 to 20 small letters, digits, dots and underscores; begin with a letter."
        elif row(request, "SELECT 1 FROM member WHERE username = ?", typed["username"]):
            errors["username"] = "Somebody has this name already."
        if not EMAIL.fullmatch(typed["email"]):
            errors["email"] = "Enter an email address such as name@example.com."
        if len(password) < SHORTEST_PASSWORD:
            errors["password"] = f"Use at least {SHORTEST_PASSWORD} characters."
        if not errors:
            number = execute(
                request,
                "INSERT INTO member (username, full_name, email, password, colour, joined_at) VALUES (?,"
                " '', ?, ?, '#47566b', ?)",
                typed["username"],
                typed["email"],
                password,
                now_text(),
            )
            sign_in(request, number)
            flash(request, f"Welcome aboard, {typed['username']}.")
            return redirect("/forums")
    return render(request, "register.html", typed=typed, errors=errors, status=422 if errors else 200)


async def logout(request: Request) -> Response:
    sign_out(request)
    flash(request, "You are signed out.")
    return redirect("/")


async def about(request: Request) -> Response:
    return render(request, "about.html")


ROUTES = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/register", register, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/about", about),
]
