"""Signing in and out, and one's own account."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web
from guideact.sites.shopping_admin import shell
from guideact.sites.shopping_admin.forms import Field, Section, fields_of, raw_of, read

LOGIN = (
    Field("username", "Username", required=True, autocomplete="username"),
    Field("password", "Password", "password", required=True, autocomplete="current-password"),
)
ACCOUNT = (
    Section(
        "Profile",
        (
            Field("full_name", "Full name", required=True, autocomplete="name"),
            Field("email", "Email", "email", required=True, autocomplete="email"),
        ),
        "Your name stands under the comments you write.",
    ),
)
PASSWORD = Section(
    "Password",
    (
        Field("current", "Current password", "password", autocomplete="current-password"),
        Field("password", "New password", "password", hint="At least 8 characters.", autocomplete="new-password"),
        Field("again", "Repeat new password", "password", autocomplete="new-password"),
    ),
    "Leave all three empty to keep your password.",
)


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


async def login(request: Request) -> Response:
    """The sign-in form; a signed-in person goes straight to the dashboard."""
    if web.user(request) is not None:
        return web.redirect(web.safe_next(request, "/"))
    following = web.safe_next(request, "/")
    if request.method == "GET":
        return web.render(request, "login.html", fields=LOGIN, raw={}, errors={}, following=following)
    reading = read(LOGIN, web.form(request))
    if reading.ok:
        found = web.row(
            request, "SELECT id, password, full_name FROM staff WHERE username = ?", reading.values["username"]
        )
        if found is not None and _same(found["password"], reading.values["password"]):
            web.sign_in(request, found["id"])
            return web.redirect(following)
        reading.errors["password"] = "The username or the password is wrong."
    raw = {"username": reading.raw["username"]}
    return web.render(
        request, "login.html", status=422, fields=LOGIN, raw=raw, errors=reading.errors, following=following
    )


async def logout(request: Request) -> Response:
    web.sign_out(request)
    web.flash(request, "You are signed out.", "info")
    return web.redirect("/login")


@web.signed_in
async def account(request: Request) -> Response:
    """Name, address and password of the person signed in."""
    person = web.user(request)
    assert person is not None
    fields = fields_of(ACCOUNT)
    if request.method == "GET":
        return web.render(request, "account.html", sections=(*ACCOUNT, PASSWORD), raw=raw_of(fields, person), errors={})
    reading = read((*fields, *PASSWORD.fields), web.form(request))
    values = {each.name: reading.values.get(each.name) for each in fields}
    if any(reading.raw[each.name] for each in PASSWORD.fields):
        if not _same(reading.raw["current"], person["password"]):
            reading.errors["current"] = "This is not your current password."
        if len(reading.raw["password"]) < 8:
            reading.errors["password"] = "A password needs at least 8 characters."
        elif reading.raw["password"] != reading.raw["again"]:
            reading.errors["again"] = "The two new passwords differ."
        values["password"] = reading.raw["password"]
    if not reading.ok:
        raw = {each.name: reading.raw[each.name] for each in fields}
        return web.render(
            request, "account.html", status=422, sections=(*ACCOUNT, PASSWORD), raw=raw, errors=reading.errors
        )
    shell.update(request, "staff", person["id"], shell.changed(person, values))
    web.flash(request, "Your account was saved.")
    return web.redirect("/account")


ROUTES = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/account", account, methods=["GET", "POST"]),
]
