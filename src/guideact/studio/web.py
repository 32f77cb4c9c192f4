"""What every page of the studio shares: templates, languages, sessions, forms that nobody else can send, headers.

The pages show text that came from other people's websites. All of it is escaped, and the content security policy lets
no script run but the studio's own file. The server listens on this machine alone and answers to no other name, so a
page elsewhere cannot reach it by a name that it controls.
"""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from guideact.errors import MissingDependency
from guideact.studio.accounts import SignIn
from guideact.studio.runs import Runs
from guideact.studio.store import Person, Store
from guideact.studio.words import LANGUAGES, translate
from guideact.studio.work import Plan

HOURS = 12
"""For which a session lasts; after it one signs in again."""
POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; font-src 'self'; form-action 'self'; "
    "frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
FORM_BYTES = 200_000


@dataclass(frozen=True)
class Studio:
    """What the handlers work on; `request.app.state.studio`."""

    store: Store
    plan: Plan
    runs: Runs
    sign_in: SignIn


def studio_of(request: Request) -> Studio:
    found: Studio = request.app.state.studio
    return found


def person_of(request: Request) -> Person | None:
    """Who is signed in. An account that has gone is signed out."""
    name = request.session.get("person")
    return studio_of(request).store.person(name) if isinstance(name, str) else None


def language_of(request: Request) -> str:
    """The account's, else the one chosen before signing in, else what the browser asks for first."""
    person = person_of(request)
    asked = request.session.get("language") or request.headers.get("accept-language", "")[:2].lower()
    found = person.language if person is not None else asked
    return found if found in LANGUAGES else "en"


Handler = Callable[[Request, Person], Awaitable[Response]]


def signed_in(handler: Handler, *, lead: bool = False) -> Callable[[Request], Awaitable[Response]]:
    """A page for people with an account, or for leads alone."""

    async def answer(request: Request) -> Response:
        person = person_of(request)
        if person is None:
            return RedirectResponse("/sign-in?to=" + quote(request.url.path), 303)
        if lead and person.role != "lead":
            raise HTTPException(403)
        return await handler(request, person)

    return answer


async def form_of(request: Request) -> dict[str, str]:
    """The fields of a posted form. Raises 403 where it was not made by a page of this session, 413 for a huge one."""
    if int(request.headers.get("content-length") or 0) > FORM_BYTES:
        raise HTTPException(413)
    async with request.form(max_files=0, max_fields=50) as form:
        fields = {name: value for name, value in form.items() if isinstance(value, str)}
    if not secrets.compare_digest(fields.pop("csrf", "").encode(), csrf(request).encode()):
        raise HTTPException(403)
    return fields


def sessions(key: bytes, cookie: str, what: str) -> Middleware:
    """Signed sessions in a cookie of that name. Raises MissingDependency, saying `what` needs it, without the extra."""
    try:
        from starlette.middleware.sessions import SessionMiddleware
    except ImportError as error:
        raise MissingDependency(f"{what} needs itsdangerous", fix="pip install 'guideact[studio]'") from error
    return Middleware(
        SessionMiddleware, secret_key=key.hex(), session_cookie=cookie, max_age=HOURS * 3600, same_site="strict"
    )


def csrf(request: Request) -> str:
    """The token of this session's forms."""
    token = request.session.get("csrf")
    if not isinstance(token, str):
        token = request.session["csrf"] = secrets.token_urlsafe(24)
    return token


def begin_session(request: Request, person: Person) -> None:
    """Sign somebody in, in a session of their own."""
    language = request.session.get("language")
    request.session.clear()
    request.session["person"] = person.name
    if language:
        request.session["language"] = language


def page(request: Request, template: str, status: int = 200, **values: Any) -> HTMLResponse:
    """A page in the reader's language."""
    language = language_of(request)
    text = (
        _environment()
        .get_template(template)
        .render(
            t=partial(translate, language),
            language=language,
            languages=LANGUAGES,
            person=person_of(request),
            csrf=csrf(request),
            path=request.url.path,
            has_runs=bool(studio_of(request).runs.folder),
            **values,
        )
    )
    return HTMLResponse(text, status)


def static(name: str) -> bytes | None:
    """A file of the studio's own; None where there is none."""
    if name not in ("studio.css", "studio.js"):
        return None
    return files(__package__).joinpath("static", name).read_bytes()


@lru_cache(1)
def _environment() -> Environment:
    loader = PackageLoader("guideact.studio", "templates")
    return Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


class Headers:
    """Puts `HEADERS` on every answer, and answers to the names of this machine alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        host = Request(scope).headers.get("host", "").rsplit(":", 1)[0]

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        if host not in ("127.0.0.1", "localhost"):
            await Response("Open this page as http://127.0.0.1.", 421)(scope, receive, with_headers)
            return
        await self._app(scope, receive, with_headers)
