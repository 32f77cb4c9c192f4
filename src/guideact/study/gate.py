"""The websites of a study's trials: each trial's own, open to the browser of its participant while it goes on.

In front of the embedded sites it
- lets in who comes by `/.study/enter` with the trial's pass, which signs them in as the task says,
- notes the pages that are loaded, and (told by a script of ours on each page) those that are shown without a load,
- sets the page's clock to the moment at which the sites stand, as it is for every other recipient,
- keeps the sites' data after each request that changed them, before it is answered.
"""

from __future__ import annotations

import hmac
import json
from importlib.resources import files
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import Message, Receive, Scope, Send

from guideact.sites.registry import SITES
from guideact.sites.server import COOKIE, place
from guideact.sites.world import NOW
from guideact.study.desk import Desk
from guideact.study.state import Person, Tried
from guideact.types import Task

OWN = "/.study/"
PASS = "study_pass"
_SCRIPT = b'<script src="/.study/page.js"></script>'
_OVER = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>This task is over</title>
<h1>This task is over</h1><p>Close this tab and go on in the tab of the study.</p>
<p lang="zh">本任务已结束。请关闭此标签页，回到研究页面继续。</p></html>"""

_NOT_HERE = """<!doctype html><html lang="en"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>Open the website from the study</title>
<h1>Open the website from the study</h1><p>Go to the tab of the study and press the button for the website there.</p>
<p lang="zh">请回到研究页面，点击其中的按钮打开该网站。</p></html>"""


class Gate:
    """An ASGI application over the sites."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        found = place(request.headers.get("host", ""))
        going_on = await self._desk.going_on(found[1]) if found is not None else None
        if found is None or going_on is None:
            await HTMLResponse(_OVER, 410)(scope, receive, send)
            return
        site, instance = found
        person, tried, task = going_on
        path = request.url.path
        if path == f"{OWN}enter":
            await self._enter(request, site, person, tried, task)(scope, receive, send)
        elif path.startswith(("/static/", "/favicon.ico")):
            await self._desk.server(scope, receive, send)
        elif not _same(request.cookies.get(PASS, ""), self._desk.pass_of(instance)):
            await HTMLResponse(_NOT_HERE, 403)(scope, receive, send)
        elif path == f"{OWN}page.js":
            await Response(_script(), media_type="text/javascript")(scope, receive, send)
        elif path == f"{OWN}page":
            await (await self._told(request, site, instance))(scope, receive, send)
        else:
            await self._page(request, send, site, instance)

    def _enter(self, request: Request, site: str, person: Person, tried: Tried, task: Task) -> Response:
        """Give this host its cookies and go on to the next; from the last one to where the task begins."""
        instance, given = tried.instance, request.query_params.get("pass", "")
        if not _same(given, self._desk.pass_of(instance)):
            return HTMLResponse(_NOT_HERE, 403)
        server = self._desk.server
        names = list(SITES)
        following = names[names.index(site) + 1 :]
        to = entrance(self._desk, instance, following[0]) if following else server.actual(task.start_url, instance)
        response = RedirectResponse(to, 303, headers={"referrer-policy": "no-referrer", "cache-control": "no-store"})
        response.set_cookie(PASS, given, httponly=True, samesite="lax", path="/")
        user = task.logins.get(site)
        if user is not None and not server.signed_in(instance, site, request.cookies.get(COOKIE, "")):
            cookie = server.cookie(instance, site, user)
            response.set_cookie(COOKIE, cookie["value"], httponly=True, samesite="lax", path="/")
            self._desk.keep(person, tried, site)
        return response

    async def _told(self, request: Request, site: str, instance: int) -> Response:
        """Another address that came into view on this host."""
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > 4096:
                return Response(status_code=413)
        try:
            path = json.loads(body)["path"]
        except (ValueError, KeyError, TypeError):
            return Response(status_code=400)
        if request.method != "POST" or not isinstance(path, str) or not path.startswith("/"):
            return Response(status_code=400)
        going_on = await self._desk.going_on(instance)
        if going_on is not None:
            person, tried, _ = going_on
            self._desk.page(person, tried, self._desk.server.url(site, instance) + path, loaded=False)
        return Response(status_code=204)

    async def _page(self, request: Request, send: Send, site: str, instance: int) -> None:
        start: Message = {}
        body = b""

        async def collect(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
            else:
                body += message.get("body", b"")

        await self._desk.server(request.scope, request.receive, collect)
        going_on = await self._desk.going_on(instance)
        if going_on is None:
            # The trial ended, or its participant withdrew, while the request was read: nothing of it is kept.
            await HTMLResponse(_OVER, 410)(request.scope, request.receive, send)
            return
        person, tried, _ = going_on
        headers = {name.lower(): value for name, value in start["headers"]}
        html = headers.get(b"content-type", b"").startswith(b"text/html")
        if html and _is_document(request) and not 300 <= start["status"] < 400:
            self._desk.page(person, tried, str(request.url), loaded=True)
            body = body.replace(b"<head>", b"<head>" + _SCRIPT, 1)
        self._desk.keep(person, tried, site)
        kept = [(name, value) for name, value in start["headers"] if name.lower() != b"content-length"]
        await send({**start, "headers": [*kept, (b"content-length", str(len(body)).encode())]})
        await send({"type": "http.response.body", "body": body})


def entrance(desk: Desk, instance: int, site: str = next(iter(SITES))) -> str:
    """Where a participant's browser is let into the websites of a trial."""
    return f"{desk.server.url(site, instance)}{OWN}enter?{urlencode({'pass': desk.pass_of(instance)})}"


def _is_document(request: Request) -> bool:
    """Whether it is a page and no part of one that a script asked for."""
    wanted = request.headers.get("sec-fetch-dest")
    return wanted == "document" if wanted is not None else "hx-request" not in request.headers


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode(), wanted.encode())


def _script() -> str:
    text = files(__package__).joinpath("static", "page.js").read_text("utf-8")
    # Local time, as the sites' pages read it, wherever the participant is.
    return text.replace("__NOW__", f"{NOW.year}, {NOW.month - 1}, {NOW.day}, {NOW.hour}, {NOW.minute}")
