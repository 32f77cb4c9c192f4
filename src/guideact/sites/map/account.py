"""Members: signing in and out, the settings, and what they have written, searched and reported."""

from __future__ import annotations

import re

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.map.atlas import atlas
from guideact.sites.map.graph import MODES
from guideact.sites.map.place import REPORT_KINDS
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
    safe_next,
    sign_in,
    sign_out,
    signed_in,
    user,
    value,
)

SHORTEST_PASSWORD = 8
_USERNAME = re.compile(r"[a-z0-9._-]{3,30}")
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s.]+")


def _member(request: Request) -> int:
    known = user(request)
    return 0 if known is None else known["id"]


async def login(request: Request) -> Response:
    onward = safe_next(request)
    name, errors = field(request, "username"), {}
    if request.method == "POST":
        found = row(
            request,
            "SELECT id, password, full_name FROM member WHERE username = ? COLLATE NOCASE OR email = ? COLLATE NOCASE",
            name,
            name,
        )
        if not name:
            errors["username"] = "Enter your user name."
        elif found is None or found["password"] != field(request, "password"):
            errors["username"] = "The user name or the password is not right."
        else:
            sign_in(request, found["id"])
            flash(request, f"Welcome back, {found['full_name'].split()[0]}!")
            return redirect(onward)
    elif user(request) is not None:
        return redirect(onward)
    return render(request, "login.html", status=422 if errors else 200, name=name, errors=errors, next=onward)


async def logout(request: Request) -> Response:
    sign_out(request)
    flash(request, "You are signed out.")
    return redirect("/")


async def register(request: Request) -> Response:
    typed = {name: field(request, name) for name in ("username", "full_name", "email", "city")}
    errors = {}
    if request.method == "POST":
        if not _USERNAME.fullmatch(typed["username"]):
            errors["username"] = "Use 3 to 30 small letters, digits, dots, dashes or underscores."
        elif value(request, "SELECT 1 FROM member WHERE username = ?", typed["username"]):
            errors["username"] = "This user name is taken."
        if not typed["full_name"]:
            errors["full_name"] = "Enter your name."
        if not _EMAIL.fullmatch(typed["email"]):
            errors["email"] = "Enter an email address such as name@example.com."
        if len(field(request, "password")) < SHORTEST_PASSWORD:
            errors["password"] = f"Use at least {SHORTEST_PASSWORD} characters."
        if not errors:
            number = execute(
                request,
                "INSERT INTO member (username, full_name, email, city, password, joined_at) VALUES (?, ?, ?, ?, ?, ?)",
                *typed.values(),
                field(request, "password"),
                now_text(),
            )
            sign_in(request, number)
            flash(request, f"Welcome, {typed['full_name'].split()[0]}!")
            return redirect("/")
    return render(request, "register.html", status=422 if errors else 200, typed=typed, errors=errors)


@signed_in
async def settings(request: Request) -> Response:
    known = user(request)
    assert known is not None
    typed = dict(known)
    errors = {}
    if request.method == "POST":
        typed |= {name: field(request, name) for name in ("full_name", "email", "city", "units", "travel_mode")}
        typed |= {name: int(field(request, name) == "1") for name in ("keep_history", "public_reviews")}
        if not typed["full_name"]:
            errors["full_name"] = "Enter your name."
        if not _EMAIL.fullmatch(typed["email"]):
            errors["email"] = "Enter an email address such as name@example.com."
        if typed["units"] not in ("km", "miles") or typed["travel_mode"] not in MODES:
            errors["units"] = "Choose one of the two."
        if not errors:
            execute(
                request,
                "UPDATE member SET full_name = ?, email = ?, city = ?, units = ?, travel_mode = ?, keep_history = ?,"
                " public_reviews = ? WHERE id = ?",
                *(
                    typed[name]
                    for name in (
                        "full_name", "email", "city", "units", "travel_mode", "keep_history", "public_reviews", "id",
                    )
                ),
            )  # fmt: skip
            flash(request, "Your settings were saved.")
            return redirect("/account")
    return render(request, "settings.html", status=422 if errors else 200, typed=typed, errors=errors)


async def set_units(request: Request) -> Response:
    """The switch beside the scale: in the account of a member, in the session of a guest."""
    units = "miles" if field(request, "units") == "miles" else "km"
    if user(request) is not None:
        execute(request, "UPDATE member SET units = ? WHERE id = ?", units, _member(request))
    else:
        request.state.session.data["units"] = units
    return redirect(safe_next(request))


@signed_in
async def my_reviews(request: Request) -> Response:
    found = rows(
        request,
        "SELECT r.*, r.helpful + (SELECT COUNT(*) FROM helpful_vote v WHERE v.review_id = r.id) AS votes"
        " FROM review r WHERE r.member_id = ? ORDER BY r.created_at DESC, r.id DESC",
        _member(request),
    )
    places = atlas().place_by_id
    return render(request, "my_reviews.html", reviews=[(one, places[one["place"]]) for one in found])


@signed_in
async def my_reports(request: Request) -> Response:
    found = rows(
        request, "SELECT * FROM report WHERE member_id = ? ORDER BY created_at DESC, id DESC", _member(request)
    )
    places = atlas().place_by_id
    return render(
        request,
        "my_reports.html",
        reports=[(one, places[one["place"]]) for one in found],
        kinds=dict(REPORT_KINDS),
    )


@signed_in
async def history(request: Request) -> Response:
    count = value(request, "SELECT COUNT(*) FROM search_history WHERE member_id = ?", _member(request))
    pager = Pager.of(request, count, 15)
    found = rows(
        request,
        "SELECT * FROM search_history WHERE member_id = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?",
        _member(request),
        pager.size,
        pager.offset,
    )
    return render(request, "history.html", searches=found, pager=pager)


@signed_in
async def forget(request: Request) -> Response:
    """Take one search out of the history, or all of them."""
    one = field(request, "search")
    if one:
        execute(request, "DELETE FROM search_history WHERE id = ? AND member_id = ?", one, _member(request))
        flash(request, "The search was removed from your history.")
    else:
        execute(request, "DELETE FROM search_history WHERE member_id = ?", _member(request))
        flash(request, "Your search history is empty now.")
    return redirect("/account/history")


ROUTES = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/register", register, methods=["GET", "POST"]),
    Route("/units", set_units, methods=["POST"]),
    Route("/account", settings, methods=["GET", "POST"]),
    Route("/account/reviews", my_reviews),
    Route("/account/reports", my_reports),
    Route("/account/history", history),
    Route("/account/history/forget", forget, methods=["POST"]),
]
