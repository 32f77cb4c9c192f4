"""Signing in and out."""

from __future__ import annotations

import secrets

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites import web


async def login(request: Request) -> Response:
    """The sign-in form; somebody who is signed in goes on at once."""
    onward = web.safe_next(request, "/")
    if request.method == "GET":
        if web.user(request) is not None:
            return web.redirect(onward)
        return web.render(request, "login.html", name="", error="", onward=onward)
    name, password = web.field(request, "username"), web.field(request, "password")
    found = web.row(request, "SELECT id, password FROM account WHERE username = ? OR email = ?", name, name)
    if found is None or not secrets.compare_digest(found["password"].encode(), password.encode()):
        error = "The user name or the password is wrong."
        return web.render(request, "login.html", status=422, name=name, error=error, onward=onward)
    web.sign_in(request, found["id"])
    return web.redirect(onward)


async def logout(request: Request) -> Response:
    web.sign_out(request)
    web.flash(request, "You are signed out.", "info")
    return web.redirect("/login")


ROUTES = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
]
