"""The member's settings in four parts: profile, lists, mail, privacy; and the account."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.reddit.feed import SORTS, preference
from guideact.sites.reddit.posts import COMMENT_SORTS
from guideact.sites.reddit.signin import EMAIL, SHORTEST_PASSWORD
from guideact.sites.web import execute, field, flash, redirect, render, rows, signed_in, user

__all__ = ["ROUTES"]

PARTS: tuple[tuple[str, str], ...] = (
    ("profile", "Profile"),
    ("lists", "Lists"),
    ("email", "Email"),
    ("privacy", "Privacy"),
    ("account", "Account"),
)
VIEWS: tuple[tuple[str, str], ...] = (("card", "Cards"), ("compact", "Compact"))
DIGESTS: tuple[tuple[str, str], ...] = (("never", "Never"), ("daily", "Every day"), ("weekly", "Every week"))
SENDERS: tuple[tuple[str, str], ...] = (
    ("everyone", "Everyone"),
    ("shared", "Members of forums that I read"),
    ("nobody", "Nobody"),
)
COLOURS: tuple[tuple[str, str], ...] = (
    ("#1f6f6b", "Teal"),
    ("#b4532a", "Rust"),
    ("#5a4a8a", "Violet"),
    ("#2d6a9f", "Blue"),
    ("#7a6a1e", "Olive"),
    ("#9b3d5b", "Berry"),
)


@signed_in
async def settings(request: Request) -> Response:
    part = request.path_params.get("part", "profile")
    if part not in dict(PARTS):
        return redirect("/settings")
    member = user(request)
    assert member is not None
    errors: dict[str, str] = {}
    values = {**preference(request), **dict(member)}
    if request.method == "POST":
        save = {"profile": _profile, "lists": _lists, "email": _email, "privacy": _privacy, "account": _account}[part]
        errors = save(request, member)
        if not errors:
            flash(request, "Your settings are saved.")
            return redirect(f"/settings/{part}")
        values |= {name: field(request, name) for name in ("full_name", "city", "bio", "email")}
    return render(
        request,
        "settings.html",
        part=part,
        parts=PARTS,
        values=values,
        errors=errors,
        views=VIEWS,
        sorts=SORTS,
        comment_sorts=COMMENT_SORTS,
        digests=DIGESTS,
        senders=SENDERS,
        colours=COLOURS,
        blocked=rows(
            request,
            "SELECT m.username FROM blocked b JOIN member m ON m.id = b.other_id WHERE b.member_id = ?"
            " ORDER BY m.username",
            member["id"],
        ),
        status=422 if errors else 200,
    )


def _profile(request: Request, member: sqlite3.Row) -> dict[str, str]:
    bio, name, city, colour = (field(request, one) for one in ("bio", "full_name", "city", "colour"))
    errors: dict[str, str] = {}
    if len(bio) > 300:
        errors["bio"] = "Use at most 300 characters."
    if len(name) > 60:
        errors["full_name"] = "Use at most 60 characters."
    if len(city) > 40:
        errors["city"] = "Use at most 40 characters."
    if not errors:
        chosen = colour if colour in dict(COLOURS) else member["colour"]
        execute(
            request,
            "UPDATE member SET bio = ?, full_name = ?, city = ?, colour = ? WHERE id = ?",
            bio.replace("\r\n", "\n"),
            name,
            city,
            chosen,
            member["id"],
        )
    return errors


def _write(request: Request, member: sqlite3.Row, values: Mapping[str, str | int]) -> dict[str, str]:
    sets = ", ".join(f"{name} = ?" for name in values)
    execute(request, "INSERT INTO preference (member_id) VALUES (?) ON CONFLICT (member_id) DO NOTHING", member["id"])
    execute(request, f"UPDATE preference SET {sets} WHERE member_id = ?", *values.values(), member["id"])
    return {}


def _one_of(request: Request, name: str, choices: tuple[tuple[str, str], ...]) -> str:
    sent = field(request, name)
    return sent if sent in dict(choices) else choices[0][0]


def _lists(request: Request, member: sqlite3.Row) -> dict[str, str]:
    return _write(
        request,
        member,
        {
            "list_view": _one_of(request, "list_view", VIEWS),
            "default_sort": _one_of(request, "default_sort", SORTS),
            "comment_sort": _one_of(request, "comment_sort", COMMENT_SORTS),
        },
    )


def _email(request: Request, member: sqlite3.Row) -> dict[str, str]:
    return _write(
        request,
        member,
        {
            "digest": _one_of(request, "digest", DIGESTS),
            "notify_replies": int(field(request, "notify_replies") == "1"),
            "notify_messages": int(field(request, "notify_messages") == "1"),
        },
    )


def _privacy(request: Request, member: sqlite3.Row) -> dict[str, str]:
    return _write(
        request,
        member,
        {
            "messages_from": _one_of(request, "messages_from", SENDERS),
            "public_profile": int(field(request, "public_profile") == "1"),
        },
    )


def _account(request: Request, member: sqlite3.Row) -> dict[str, str]:
    email, password, again = (field(request, one) for one in ("email", "new_password", "new_password_again"))
    errors: dict[str, str] = {}
    if not EMAIL.fullmatch(email):
        errors["email"] = "Enter an email address such as name@example.com."
    if field(request, "password") != member["password"]:
        errors["password"] = "The password is not right."
    if password and len(password) < SHORTEST_PASSWORD:
        errors["new_password"] = f"Use at least {SHORTEST_PASSWORD} characters."
    elif password != again:
        errors["new_password_again"] = "The two passwords are not the same."
    if not errors:
        execute(
            request,
            "UPDATE member SET email = ?, password = ? WHERE id = ?",
            email,
            password or member["password"],
            member["id"],
        )
    return errors


ROUTES = [
    Route("/settings", settings, methods=["GET", "POST"]),
    Route("/settings/{part}", settings, methods=["GET", "POST"]),
]
