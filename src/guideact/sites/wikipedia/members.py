"""Editors: signing in and out, their pages, their preferences."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import (
    execute,
    field,
    flash,
    forbidden,
    form,
    not_found,
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
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.frame import APPEARANCES, DATE_FORMATS, TEXT_SIZES, TIME_ZONES
from guideact.sites.wikipedia.markup import render_article
from guideact.sites.wikipedia.searching import SIZES

__all__ = ["ROUTES"]

LANGUAGES = (("en", "English"), ("de", "Deutsch"))
LONGEST_ABOUT = 4000
SWITCHES = ("show_previews", "watch_edited", "watch_created", "hide_minor", "mail_talk")


async def login(request: Request) -> Response:
    onward = safe_next(request, "/")
    if request.method == "GET":
        if user(request) is not None:
            return redirect(onward)
        return render(request, "login.html", username="", errors={}, next=onward)
    username, password = field(request, "username"), field(request, "password")
    errors: dict[str, str] = {}
    if not username:
        errors["username"] = "Enter your user name."
    if not password:
        errors["password"] = "Enter your password."
    if not errors:
        found = row(request, "SELECT * FROM user WHERE username = ? COLLATE NOCASE", username)
        if found is None or found["password"] != password:
            errors["username"] = "The user name or the password is not right."
        else:
            sign_in(request, found["id"])
            flash(request, f"Welcome back, {found['username']}.")
            return redirect(onward)
    return render(request, "login.html", username=username, errors=errors, next=onward, status=422)


async def logout(request: Request) -> Response:
    sign_out(request)
    flash(request, "You are signed out.", "info")
    return redirect("/")


async def member_page(request: Request) -> Response:
    member = row(request, "SELECT * FROM user WHERE username = ?", request.path_params["name"])
    if member is None:
        not_found("There is no editor with this name.")
    return render(
        request,
        "member.html",
        member=member,
        about=render_article(member["about"], member["username"], shelf.known(request), editable=False),
        counts={
            "edits": value(request, "SELECT COUNT(*) FROM revision WHERE user_id = ?", member["id"]),
            "comments": value(request, "SELECT COUNT(*) FROM talk_comment WHERE user_id = ?", member["id"]),
            "thanks": value(
                request,
                "SELECT COUNT(*) FROM thanks t JOIN revision r ON r.id = t.revision_id WHERE r.user_id = ?",
                member["id"],
            ),
        },
        most=rows(
            request,
            "SELECT a.title, a.slug, COUNT(*) AS edits FROM revision r JOIN article a ON a.id = r.article_id"
            " WHERE r.user_id = ? GROUP BY a.id ORDER BY edits DESC, a.id LIMIT 5",
            member["id"],
        ),
    )


@signed_in
async def edit_member(request: Request) -> Response:
    member = user(request)
    assert member is not None
    if member["username"] != request.path_params["name"]:
        forbidden("Only its owner can change a user page.")
    if request.method == "POST":
        sent = form(request).get("about")
        about = (sent if isinstance(sent, str) else "").replace("\r\n", "\n").strip()[:LONGEST_ABOUT]
        execute(request, "UPDATE user SET about = ? WHERE id = ?", about, member["id"])
        flash(request, "Your page was saved.")
        return redirect(f"/user/{member['username']}")
    return render(request, "member_edit.html", member=member)


@signed_in
async def change_preferences(request: Request) -> Response:
    member = user(request)
    assert member is not None
    chosen = row(request, "SELECT * FROM preference WHERE user_id = ?", member["id"])
    assert chosen is not None
    if request.method == "POST":
        _save_preferences(request, chosen["id"])
        flash(request, "Your preferences were saved.")
        return redirect("/preferences")
    return render(
        request,
        "preferences.html",
        chosen=chosen,
        languages=LANGUAGES,
        date_formats=DATE_FORMATS,
        time_zones=TIME_ZONES,
        appearances=APPEARANCES,
        text_sizes=TEXT_SIZES,
        sizes=SIZES,
    )


def _save_preferences(request: Request, preference_id: int) -> None:
    """Every field at once; a choice that was not offered is left as it was."""
    offered = {
        "language": [key for key, _ in LANGUAGES],
        "date_format": [key for key, _ in DATE_FORMATS],
        "time_zone": [key for key, _ in TIME_ZONES],
        "appearance": [key for key, _ in APPEARANCES],
        "text_size": [key for key, _ in TEXT_SIZES],
        "results_per_page": [str(size) for size in SIZES],
    }
    values: dict[str, str | int] = {name: int(field(request, name) == "1") for name in SWITCHES}
    values["signature"] = field(request, "signature")[:80]
    for name, keys in offered.items():
        sent = field(request, name)
        if sent in keys:
            values[name] = int(sent) if name == "results_per_page" else sent
    columns = ", ".join(f"{name} = ?" for name in values)
    execute(request, f"UPDATE preference SET {columns} WHERE id = ?", *values.values(), preference_id)


ROUTES = [
    Route("/login", login, methods=["GET", "POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/user/{name}", member_page),
    Route("/user/{name}/edit", edit_member, methods=["GET", "POST"]),
    Route("/preferences", change_preferences, methods=["GET", "POST"]),
]
