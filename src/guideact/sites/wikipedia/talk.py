"""Talk pages: what people say about an article, by topic."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import execute, field, flash, not_found, now_text, redirect, render, row, rows, signed_in
from guideact.sites.wikipedia import shelf
from guideact.sites.wikipedia.reading import article_context
from guideact.sites.wikipedia.shelf import Page

__all__ = ["ROUTES"]

LONGEST_COMMENT = 4000


async def talk(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    return _talk(request, page, {}, {"title": "", "body": ""})


def _talk(request: Request, page: Page, errors: dict[str, str], typed: dict[str, str]) -> Response:
    topics = rows(request, "SELECT * FROM talk_topic WHERE article_id = ? ORDER BY id", page.id)
    comments = rows(
        request,
        "SELECT c.*, u.username, p.signature FROM talk_comment c JOIN talk_topic t ON t.id = c.topic_id"
        " JOIN user u ON u.id = c.user_id JOIN preference p ON p.user_id = u.id"
        " WHERE t.article_id = ? ORDER BY c.created_at, c.id",
        page.id,
    )
    return render(
        request,
        "talk.html",
        status=422 if errors else 200,
        topics=[(topic, [one for one in comments if one["topic_id"] == topic["id"]]) for topic in topics],
        errors=errors,
        typed=typed,
        **article_context(request, page, "talk"),
    )


@signed_in
async def new_topic(request: Request) -> Response:
    page = shelf.page(request, request.path_params["slug"])
    if request.method == "GET":
        return redirect(f"/talk/{page.slug}")
    typed = {"title": field(request, "title")[:120], "body": field(request, "body")[:LONGEST_COMMENT]}
    errors = {}
    if not typed["title"]:
        errors["title"] = "Give the topic a title."
    if not typed["body"]:
        errors["body"] = "Write a comment."
    if errors:
        return _talk(request, page, errors, typed)
    topic = execute(request, "INSERT INTO talk_topic (article_id, title) VALUES (?, ?)", page.id, typed["title"])
    _comment(request, topic, typed["body"])
    flash(request, "Your topic was added.")
    return redirect(f"/talk/{page.slug}#topic-{topic}")


def _comment(request: Request, topic_id: int, body: str) -> int:
    return execute(
        request,
        "INSERT INTO talk_comment (topic_id, user_id, body, created_at) VALUES (?, ?, ?, ?)",
        topic_id,
        request.state.session.user_id,
        body,
        now_text(),
    )


@signed_in
async def reply(request: Request) -> Response:
    topic = row(
        request,
        "SELECT t.*, a.slug FROM talk_topic t JOIN article a ON a.id = t.article_id WHERE t.id = ?",
        request.path_params["id"],
    )
    if topic is None:
        not_found("There is no topic with this number.")
    onward = f"/talk/{topic['slug']}#topic-{topic['id']}"
    if request.method == "GET":
        return redirect(onward)
    body = field(request, "body")[:LONGEST_COMMENT]
    if topic["is_closed"]:
        flash(request, "This topic is closed.", "error")
    elif not body:
        flash(request, "Write something before you reply.", "error")
    else:
        _comment(request, topic["id"], body)
        flash(request, "Your reply was added.")
    return redirect(onward)


ROUTES = [
    Route("/talk/{slug}", talk),
    Route("/talk/{slug}/new", new_topic, methods=["GET", "POST"]),
    Route("/reply/{id:int}", reply, methods=["GET", "POST"]),
]
