"""Writing a post: text, link or picture; crossposting, editing and deleting one."""

from __future__ import annotations

import base64
import re
import sqlite3
from typing import Any

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from guideact.sites.reddit.markdown import markdown
from guideact.sites.reddit.pictures import PICTURES
from guideact.sites.reddit.posts import banned, post_url
from guideact.sites.web import (
    execute,
    field,
    flash,
    forbidden,
    form,
    integer,
    not_found,
    now_text,
    redirect,
    render,
    row,
    rows,
    signed_in,
)

__all__ = ["ROUTES"]

KINDS = ("text", "link", "picture")
LONGEST_TITLE = 200
LARGEST_UPLOAD = 300_000
"""Bytes of a picture that a member sends."""

_MIMES = {b"\x89PNG": "image/png", b"\xff\xd8\xff": "image/jpeg", b"GIF8": "image/gif"}
_URL = re.compile(r"https?://[^\s/]+\.?[^\s/]*(/\S*)?")


def _choices(request: Request) -> list[sqlite3.Row]:
    """Forums to post in, those that the member reads first."""
    return rows(
        request,
        "SELECT f.id, f.slug, f.name, s.id IS NOT NULL AS mine FROM forum f"
        " LEFT JOIN subscription s ON s.forum_id = f.id AND s.member_id = ? ORDER BY mine DESC, f.name",
        request.state.session.user_id,
    )


def _typed(request: Request) -> dict[str, str]:
    names = ("kind", "forum", "flair", "title", "body", "url", "picture")
    typed = {name: field(request, name) for name in names}
    if typed["kind"] not in KINDS:
        typed["kind"] = "text"
    return typed


@signed_in
async def submit(request: Request) -> Response:
    typed = _typed(request)
    errors: dict[str, str] = {}
    if request.method == "POST":
        forum, errors = _check(request, typed)
        picture = typed["picture"]
        sent, fault = await _upload(request)
        if typed["kind"] == "picture":
            if fault:
                errors["upload"] = fault
            elif sent is not None and not errors:
                picture = f"upload:{_keep(request, *sent)}"
            elif sent is None and picture not in PICTURES:
                errors["picture"] = "Choose one of the pictures or send one of your own."
        if not errors and forum is not None:
            number = execute(
                request,
                "INSERT INTO post (forum_id, author_id, kind, title, body, url, picture, flair_id, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                forum["id"],
                request.state.session.user_id,
                typed["kind"],
                typed["title"],
                typed["body"] if typed["kind"] != "link" else "",
                typed["url"] if typed["kind"] == "link" else "",
                picture if typed["kind"] == "picture" else "",
                integer(request, "flair"),
                now_text(),
            )
            flash(request, "Your post is published.")
            return redirect(post_url(forum["slug"], number))
    return render(
        request,
        "submit.html",
        typed=typed,
        errors=errors,
        forums=_choices(request),
        flairs=_flairs(request, typed["forum"]),
        pictures=PICTURES,
        status=422 if errors else 200,
    )


def _flairs(request: Request, slug: str) -> list[sqlite3.Row]:
    return rows(
        request,
        "SELECT x.id, x.name FROM flair x JOIN forum f ON f.id = x.forum_id WHERE f.slug = ? ORDER BY x.id",
        slug,
    )


def _check(request: Request, typed: dict[str, str]) -> tuple[sqlite3.Row | None, dict[str, str]]:
    errors: dict[str, str] = {}
    forum = row(request, "SELECT * FROM forum WHERE slug = ?", typed["forum"])
    if forum is None:
        errors["forum"] = "Choose the forum to post in."
    else:
        errors |= _allowed(request, forum)
        if typed["flair"] and not row(
            request, "SELECT 1 FROM flair WHERE id = ? AND forum_id = ?", integer(request, "flair"), forum["id"]
        ):
            errors["flair"] = "This forum has no such flair."
    errors |= _title_fault(typed["title"])
    if len(typed["body"]) > 20_000:
        errors["body"] = "Use at most 20,000 characters."
    if typed["kind"] == "link" and not _URL.fullmatch(typed["url"]):
        errors["url"] = "Enter an address that begins with http:// or https://."
    return forum, errors


def _allowed(request: Request, forum: sqlite3.Row) -> dict[str, str]:
    me = request.state.session.user_id
    if banned(request, forum["id"]):
        return {"forum": "You are banned from this forum at the moment."}
    if row(request, "SELECT 1 FROM moderator WHERE forum_id = ? AND member_id = ?", forum["id"], me):
        return {}
    if forum["posting"] == "moderators":
        return {"forum": "Only moderators post in this forum."}
    if forum["posting"] == "subscribers" and not row(
        request, "SELECT 1 FROM subscription WHERE forum_id = ? AND member_id = ?", forum["id"], me
    ):
        return {"forum": "Join this forum before you post in it."}
    return {}


def _title_fault(title: str) -> dict[str, str]:
    if not title:
        return {"title": "Give your post a title."}
    if len(title) > LONGEST_TITLE:
        return {"title": f"Use at most {LONGEST_TITLE} characters."}
    return {}


async def _upload(request: Request) -> tuple[tuple[str, bytes] | None, str]:
    """The picture that was sent (mime type, bytes) or None, and what is wrong with it."""
    sent = form(request).get("upload")
    if not isinstance(sent, UploadFile):
        return None, ""
    content = await sent.read()
    await sent.close()
    if not sent.filename:
        return None, ""
    if len(content) > LARGEST_UPLOAD:
        return None, f"The picture is too large: {LARGEST_UPLOAD // 1000} kB at most."
    mime = next((mime for start, mime in _MIMES.items() if content.startswith(start)), None)
    if mime is None:
        return None, "Send a PNG, JPEG or GIF picture."
    return (mime, content), ""


def _keep(request: Request, mime: str, content: bytes) -> int:
    return execute(
        request,
        "INSERT INTO upload (member_id, mime, content) VALUES (?, ?, ?)",
        request.state.session.user_id,
        mime,
        base64.b64encode(content).decode(),
    )


def _own(request: Request) -> sqlite3.Row:
    found = row(
        request,
        "SELECT p.*, f.slug, f.name AS forum_name FROM post p JOIN forum f ON f.id = p.forum_id"
        " WHERE p.id = ? AND p.status <> 'deleted'",
        request.path_params["number"],
    )
    if found is None:
        not_found("This post is not there any more.")
    if found["author_id"] != request.state.session.user_id:
        forbidden("Only its author can do this.")
    return found


@signed_in
async def edit(request: Request) -> Response:
    """Text and flair can change; the title stays what people answered to."""
    post = _own(request)
    typed: dict[str, Any] = {"body": post["body"], "flair": str(post["flair_id"] or "")}
    errors: dict[str, str] = {}
    if request.method == "POST":
        typed = {"body": field(request, "body"), "flair": field(request, "flair")}
        flair = integer(request, "flair")
        if flair is not None and not row(
            request, "SELECT 1 FROM flair WHERE id = ? AND forum_id = ?", flair, post["forum_id"]
        ):
            errors["flair"] = "This forum has no such flair."
        if len(typed["body"]) > 20_000:
            errors["body"] = "Use at most 20,000 characters."
        if not errors:
            execute(
                request,
                "UPDATE post SET body = ?, flair_id = ?, edited_at = ? WHERE id = ?",
                typed["body"],
                flair,
                now_text(),
                post["id"],
            )
            flash(request, "Your changes are saved.")
            return redirect(post_url(post["slug"], post["id"]))
    return render(
        request,
        "post_edit.html",
        post=post,
        typed=typed,
        errors=errors,
        flairs=_flairs(request, post["slug"]),
        status=422 if errors else 200,
    )


@signed_in
async def delete(request: Request) -> Response:
    post = _own(request)
    execute(request, "UPDATE post SET status = 'deleted' WHERE id = ?", post["id"])
    flash(request, "Your post is deleted.")
    return redirect(f"/f/{post['slug']}")


@signed_in
async def crosspost(request: Request) -> Response:
    """The same post in another forum, under a title of one's own."""
    found = row(
        request,
        "SELECT p.*, f.slug, f.name AS forum_name, m.username AS author FROM post p JOIN forum f ON f.id = p.forum_id"
        " JOIN member m ON m.id = p.author_id WHERE p.id = ? AND p.status = 'visible'",
        request.path_params["number"],
    )
    if found is None:
        not_found("This post is not there any more.")
    typed = {"forum": field(request, "forum"), "title": field(request, "title") or found["title"]}
    errors: dict[str, str] = {}
    if request.method == "POST":
        forum = row(request, "SELECT * FROM forum WHERE slug = ?", typed["forum"])
        if forum is None:
            errors["forum"] = "Choose the forum to post in."
        elif forum["id"] == found["forum_id"]:
            errors["forum"] = "The post is in this forum already: choose another one."
        else:
            errors |= _allowed(request, forum)
        errors |= _title_fault(typed["title"])
        if not errors and forum is not None:
            number = execute(
                request,
                "INSERT INTO post (forum_id, author_id, kind, title, body, url, picture, crosspost_id, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                forum["id"],
                request.state.session.user_id,
                found["kind"],
                typed["title"],
                found["body"],
                found["url"],
                found["picture"],
                found["id"],
                now_text(),
            )
            flash(request, f"Your crosspost is published in {forum['name']}.")
            return redirect(post_url(forum["slug"], number))
    return render(
        request,
        "crosspost.html",
        post=found,
        typed=typed,
        errors=errors,
        forums=[one for one in _choices(request) if one["id"] != found["forum_id"]],
        status=422 if errors else 200,
    )


@signed_in
async def preview(request: Request) -> Response:
    """How a text will look, for the editor's second tab."""
    made = markdown(field(request, "text")[:20_000])
    return HTMLResponse(made or '<p class="muted">Nothing to show yet.</p>')


ROUTES = [
    Route("/submit", submit, methods=["GET", "POST"]),
    Route("/preview", preview, methods=["POST"]),
    Route("/post/{number:int}/edit", edit, methods=["GET", "POST"]),
    Route("/post/{number:int}/delete", delete, methods=["POST"]),
    Route("/post/{number:int}/crosspost", crosspost, methods=["GET", "POST"]),
]
