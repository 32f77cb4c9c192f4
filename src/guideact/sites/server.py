"""One server for all embedded sites and any number of instances, in the caller's own event loop.

`http://shopping.localhost:PORT` is instance 0, `http://shopping-i7.localhost:PORT` instance 7: every site of every
instance is an origin of its own, so browsers keep their cookies apart. Instances are made when first asked for.

By hand: `python -m guideact.sites.server --port 8080`.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import mimetypes
import re
import secrets
import sqlite3
import sys
import traceback
from collections.abc import AsyncIterator
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Match
from starlette.types import Receive, Scope, Send

from guideact.errors import InputError
from guideact.sites.listen import answering, bind
from guideact.sites.registry import SITES, database_of, home_of
from guideact.sites.skins import Skin, dress, parse_skin, shown_file
from guideact.sites.state import Database, Snapshot
from guideact.sites.web import CONTENT_SECURITY_POLICY, Session, Site, render

__all__ = ["COOKIE", "SiteServer", "place", "serve"]

COOKIE = "sid"
_HOST = re.compile(
    r"(?P<host>[a-z]+(?:-[a-z]+)*?)(?:-i(?P<instance>[1-9][0-9]{0,8}))?\.localhost(?::[0-9]+)?", re.IGNORECASE
)
_PLACEHOLDER = re.compile(r"__(?P<site>[A-Z]+(?:_[A-Z]+)*)__(?P<rest>.*)", re.DOTALL)
_SITE_BY_HOST = {name.replace("_", "-"): name for name in SITES}
_UNREADABLE = "The form could not be read."
_EXPIRED = "This form is out of date. Go back, reload the page and send it again."


class Instance:
    """One isolated copy of all sites' data."""

    def __init__(self) -> None:
        self.databases: dict[str, Database] = {}
        self.faults: list[str] = []
        self.skin: Skin | None = None

    def database(self, site: str) -> Database:
        name = database_of(site)
        if name not in self.databases:
            self.databases[name] = Database(name)
        return self.databases[name]


class SiteServer:
    """The running server. All methods are synchronous and belong on the event loop's thread."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._instances: dict[int, Instance] = {}

    def _instance(self, instance: int) -> Instance:
        if instance not in self._instances:
            self._instances[instance] = Instance()
        return self._instances[instance]

    # --- what the callers use

    def host(self, site: str, instance: int = 0) -> str:
        """Host name and port of a site: shopping-i7.localhost:8080."""
        suffix = f"-i{instance}" if instance else ""
        return f"{_known(site).replace('_', '-')}{suffix}.localhost:{self.port}"

    def url(self, site: str, instance: int = 0) -> str:
        """Origin of a site, without a slash at its end."""
        return f"http://{self.host(site, instance)}"

    def allow(self, instance: int = 0) -> tuple[str, ...]:
        """What a browser that works on this instance may reach, as host:port."""
        return tuple(self.host(site, instance) for site in SITES)

    def reset(self, instance: int = 0) -> None:
        """All data of the instance back to the pristine image; nobody is signed in, no fault is remembered."""
        found = self._instance(instance)
        for database in found.databases.values():
            database.reset()
        found.faults.clear()

    def dress(self, instance: int, skin: Skin | None) -> None:
        """Serve all pages of the instance in a skin from now on, or in the sites' own look. A reset keeps it."""
        self._instance(instance).skin = skin

    def skin(self, instance: int) -> Skin | None:
        """The skin that the instance wears."""
        return self._instance(instance).skin

    def database(self, instance: int, site: str) -> Database:
        """The database of a site; sites that share their data give the same one."""
        return self._instance(instance).database(_known(site))

    def forget(self, instance: int) -> None:
        """Let go of an instance's data; it is pristine when it is asked for again."""
        found = self._instances.pop(instance, None)
        if found is not None:
            for database in found.databases.values():
                database.close()
            # A request that is still being read works on data that nobody sees.
            found.databases.clear()

    def cookie(self, instance: int, site: str, user: str) -> dict[str, str]:
        """Sign a user in and give the cookie that a browser needs: name, value, url.

        Customers are named by their e-mail address, staff by their user name. Raises InputError for an unknown one.
        """
        known = SITES[_known(site)]
        connection = self.database(instance, site).connection
        found = connection.execute(f"SELECT id FROM {known.user_table} WHERE {known.user_key} = ?", (user,)).fetchall()
        if not found:
            raise InputError(f"{site} has no user {user!r}", fix=f"Users are named by their {known.user_key}.")
        session = _new_session(connection, known, found[0]["id"])
        connection.commit()
        return {"name": COOKIE, "value": session.token, "url": self.url(site, instance)}

    def signed_in(self, instance: int, site: str, token: str) -> bool:
        """Whether the session that a cookie names still has its user."""
        rows = self.database(instance, site).connection.execute(
            "SELECT 1 FROM session WHERE token = ? AND site = ? AND user_id IS NOT NULL", (token, site)
        )
        return bool(rows.fetchall())

    def snapshots(self, instance: int = 0) -> dict[str, Snapshot]:
        """The data of the databases in use, each by the first site that it serves. Those left out are pristine."""
        databases = self._instance(instance).databases
        return {
            site: databases[database_of(site)].snapshot()
            for site in SITES
            if home_of(site) == site and database_of(site) in databases
        }

    def canonical(self, url: str) -> str:
        """The address without instance and port: http://shopping.localhost/path. Others' addresses stay as they are."""
        parts = urlsplit(url)
        match = _HOST.fullmatch(parts.netloc)
        if match is None or match["host"].lower() not in _SITE_BY_HOST:
            return url
        return urlunsplit(("http", f"{match['host'].lower()}.localhost", parts.path, parts.query, parts.fragment))

    def actual(self, url: str, instance: int = 0) -> str:
        """The address on this server of a canonical one, or of `__SHOPPING__/path`; any other stays as it is."""
        match = _PLACEHOLDER.fullmatch(url)
        if match is not None:
            return self.url(match["site"].lower(), instance) + match["rest"]
        parts = urlsplit(url)
        host = _HOST.fullmatch(parts.netloc)
        if host is None or host["host"].lower() not in _SITE_BY_HOST:
            return url
        site = _SITE_BY_HOST[host["host"].lower()]
        return urlunsplit(("http", self.host(site, instance), parts.path, parts.query, parts.fragment))

    def faults(self, instance: int = 0) -> list[str]:
        """Tracebacks of the requests that ended in a 500 since the last reset."""
        return list(self._instance(instance).faults)

    def close(self) -> None:
        for instance in self._instances.values():
            for database in instance.databases.values():
                database.close()
        self._instances.clear()

    # --- the application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise RuntimeError(f"the sites speak HTTP only, not {scope['type']}")
        request = Request(scope, receive)
        found = place(request.headers.get("host", ""))
        if found is None:
            await PlainTextResponse("No such site.", status_code=404)(scope, receive, send)
            return
        site = SITES[found[0]]
        if request.url.path.startswith("/static/") or request.url.path == "/favicon.ico":
            name = request.url.path.removeprefix("/static").lstrip("/")
            response: Response = _skin_file(site, name) if name.startswith("skin/") else _static(site, name)
        else:
            response = await self._page(request, site, found[1])
        await response(scope, receive, send)

    async def _page(self, request: Request, site: Site, number: int) -> Response:
        instance = self._instance(number)
        state = request.state
        state.site = site
        state.form = FormData()
        refused = ""
        if request.method == "POST":
            try:
                state.form = await request.form()
            except (MultiPartException, HTTPException):
                refused = _UNREADABLE
        # From here to the commit nothing gives up the event loop, so requests of an instance never interleave.
        connection = state.db = instance.database(site.name).connection
        state.site_url = lambda other, path: self.url(other, number) + path
        session = state.session = _find_session(connection, site, request.cookies.get(COOKIE, ""))
        kept = _packed(session)
        try:
            if refused:
                raise HTTPException(400, refused)
            response = await _answer(request, site)
            _keep_session(connection, session, kept)
            connection.commit()
        except HTTPException as error:
            connection.rollback()
            session = state.session = _find_session(connection, site, session.token)
            kept = _packed(session)
            response = self._error(request, instance, error.status_code, str(error.detail))
            _keep_session(connection, session, kept)
            connection.commit()
        except Exception:  # noqa: BLE001  whatever a page did wrong is kept and shown as what it is, a 500
            connection.rollback()
            instance.faults.append(traceback.format_exc())
            response = _plain_error(500)
        if request.cookies.get(COOKIE) != session.token:
            response.set_cookie(COOKIE, session.token, httponly=True, samesite="lax", path="/")
        headers = response.headers
        if instance.skin is not None and headers.get("content-type", "").startswith("text/html"):
            response.body = dress(bytes(response.body), instance.skin, site.name)
            headers["content-length"] = str(len(response.body))
        headers.setdefault("Content-Security-Policy", CONTENT_SECURITY_POLICY)
        headers.setdefault("X-Content-Type-Options", "nosniff")
        headers.setdefault("Referrer-Policy", "same-origin")
        headers.setdefault("Cache-Control", "no-store")
        return response

    def _error(self, request: Request, instance: Instance, code: int, text: str) -> Response:
        title = HTTPStatus(code).phrase.capitalize()
        try:
            return render(request, "error.html", status=code, code=code, title=title, text=text)
        except Exception:  # noqa: BLE001  an error page that fails is a fault of its own
            instance.faults.append(traceback.format_exc())
            return _plain_error(500)


def place(host: str) -> tuple[str, int] | None:
    """The site and the instance that a Host header names; None where it names no site."""
    match = _HOST.fullmatch(host)
    name = _SITE_BY_HOST.get(match["host"].lower()) if match else None
    return None if match is None or name is None else (name, int(match["instance"] or 0))


def _known(site: str) -> str:
    if site not in SITES:
        raise InputError(f"there is no site {site!r}", fix=f"Sites are: {', '.join(SITES)}.")
    return site


async def _answer(request: Request, site: Site) -> Response:
    partial = False
    for route in site.routes:
        match, child = route.matches(request.scope)
        if match is Match.FULL:
            request.scope.update(child)
            if request.method == "POST":
                sent = request.headers.get("x-csrf-token") or request.state.form.get("csrf")
                if not isinstance(sent, str) or not secrets.compare_digest(
                    sent.encode(), request.state.session.csrf.encode()
                ):
                    raise HTTPException(403, _EXPIRED)
            response: Response = await route.endpoint(request)
            return response
        partial = partial or match is Match.PARTIAL
    if partial:
        raise HTTPException(405, "This page cannot be asked for in this way.")
    raise HTTPException(404, "The page you asked for does not exist.")


def _packed(session: Session) -> tuple[int | None, str, str]:
    return (session.user_id, json.dumps(session.flash), json.dumps(session.data, sort_keys=True))


def _keep_session(connection: sqlite3.Connection, session: Session, before: tuple[int | None, str, str]) -> None:
    after = _packed(session)
    if after != before:
        connection.execute(
            "UPDATE session SET user_id = ?, flash = ?, data = ? WHERE token = ?", (*after, session.token)
        )


def _find_session(connection: sqlite3.Connection, site: Site, token: str) -> Session:
    found = connection.execute("SELECT * FROM session WHERE token = ? AND site = ?", (token, site.name)).fetchall()
    if not found:
        return _new_session(connection, site, None)
    row = found[0]
    return Session(
        token=token,
        site=site.name,
        csrf=row["csrf"],
        user_id=row["user_id"],
        flash=json.loads(row["flash"]),
        data=json.loads(row["data"]),
    )


def _new_session(connection: sqlite3.Connection, site: Site, user_id: int | None) -> Session:
    session = Session(token=secrets.token_urlsafe(16), site=site.name, csrf=secrets.token_urlsafe(16), user_id=user_id)
    connection.execute(
        "INSERT INTO session (token, site, user_id, csrf) VALUES (?, ?, ?, ?)",
        (session.token, session.site, session.user_id, session.csrf),
    )
    return session


def _plain_error(code: int) -> Response:
    phrase = HTTPStatus(code).phrase
    return HTMLResponse(f"<!doctype html><title>{phrase}</title><h1>{phrase}</h1>", status_code=code)


def _static(site: Site, name: str) -> Response:
    """A file under one of the site's static folders, and nothing outside them."""
    for folder in site.static_folders:
        path = (folder / name).resolve()
        if path.is_relative_to(folder.resolve()) and path.is_file():
            return Response(
                path.read_bytes(), media_type=_media_type(path), headers={"Cache-Control": "public, max-age=86400"}
            )
    return PlainTextResponse("No such file.", status_code=404)


def _skin_file(site: Site, name: str) -> Response:
    """The style sheet or the script of a skin: `skin/redesign-3/skin.css`. Made when it is asked for."""
    _, _, rest = name.partition("/")
    skin, _, file = rest.partition("/")
    try:
        content = shown_file(parse_skin(skin), site.name, file)
    except (InputError, KeyError):
        return PlainTextResponse("No such skin.", status_code=404)
    return Response(content, media_type=_media_type(Path(file)), headers={"Cache-Control": "public, max-age=86400"})


def _media_type(path: Path) -> str:
    if path.suffix == ".woff2":
        return "font/woff2"
    if path.suffix == ".js":
        return "text/javascript"
    return mimetypes.guess_type(path.name)[0] or "application/octet-stream"


# --- running it -------------------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def serve(port: int = 0) -> AsyncIterator[SiteServer]:
    """Serve all sites on 127.0.0.1 while the block runs; port 0 takes a free one. InputError where it is taken."""
    listener = bind(port)
    server = SiteServer(listener.getsockname()[1])
    try:
        async with answering(server, listener):
            yield server
    finally:
        server.close()


async def _forever(port: int) -> None:
    async with serve(port) as server:
        for site in SITES:
            sys.stdout.write(f"{site:16} {server.url(site)}\n")
        sys.stdout.flush()
        await asyncio.Event().wait()


def main() -> None:
    """Serve the sites until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m guideact.sites.server", description="Serve the embedded sites.")
    parser.add_argument("--port", type=int, default=8080, help="0 takes any free port")
    arguments = parser.parse_args()
    try:
        asyncio.run(_forever(arguments.port))
    except KeyboardInterrupt:
        sys.stdout.write("\n")
    except InputError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
