"""A browser and a tiny server of the pages in tests/pages, both in the test's own event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest_asyncio

from guideact.browser import Browser, Session, launch
from guideact.types import Action, Candidate, Click, Mark, Observation, Outcome, Point, Select, Type

PAGES = Path(__file__).parents[1] / "pages"


class Site:
    """Serves tests/pages, and a few answers that need a server: slow, failing, redirecting, downloading."""

    def __init__(self) -> None:
        self.port = 0
        self.requests: list[str] = []
        self.stop = asyncio.Event()
        self.open: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

    def url(self, path: str, host: str = "a.localhost") -> str:
        return f"http://{host}:{self.port}/{path}"

    @property
    def allow(self) -> tuple[str, ...]:
        return (f"a.localhost:{self.port}", f"b.localhost:{self.port}")

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self.open[task] = writer
        try:
            await self._answer(reader, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the browser went away, as it may
        finally:
            del self.open[task]
            writer.transport.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        target = head.split()[1].decode()
        self.requests.append(target)
        parts = urlsplit(target)
        query = {k: v[0] for k, v in parse_qs(parts.query).items()}
        status, headers, body = "200 OK", ["Content-Type: text/html; charset=utf-8"], b""
        if parts.path == "/slow":
            try:
                async with asyncio.timeout(int(query["ms"]) / 1000):
                    await self.stop.wait()
            except TimeoutError:
                pass
            body = b"<!doctype html><title>Slow</title><h1>Slow page</h1>"
        elif parts.path == "/redirect":
            status, headers = "302 Found", [f"Location: {query['to']}"]
        elif parts.path.startswith("/status/"):
            status, body = f"{parts.path[8:]} Told so", b"<title>Trouble</title>trouble"
        elif parts.path == "/download":
            headers = ["Content-Type: text/csv", 'Content-Disposition: attachment; filename="orders.csv"']
            body = b"a,b\n1,2\n"
        elif (PAGES / parts.path.lstrip("/")).is_file():
            body = (PAGES / parts.path.lstrip("/")).read_bytes()
        else:
            status = "404 Not Found"
        lines = [f"HTTP/1.1 {status}", *headers, f"Content-Length: {len(body)}", "Connection: close", "", ""]
        writer.write("\r\n".join(lines).encode() + body)
        await writer.drain()

    async def close(self, server: asyncio.Server) -> None:
        server.close()
        self.stop.set()
        for writer in self.open.values():
            writer.transport.abort()
        if self.open:
            await asyncio.wait(list(self.open))


class Hand:
    """A session with short words for what tests do."""

    def __init__(self, session: Session, site: Site) -> None:
        self.session = session
        self.site = site
        self.seen = Observation(url="", title="")

    async def open(self, page: str) -> Observation:
        await self.session.goto(self.site.url(page))
        return await self.look()

    async def look(self, screenshot: bool = False) -> Observation:
        self.seen = await self.session.observe(screenshot=screenshot)
        return self.seen

    def find(self, name: str, role: str = "") -> Candidate:
        found = [c for c in self.seen.candidates if c.name == name and role in ("", c.role)]
        assert found, f"no {role or 'candidate'} {name!r} among {[(c.role, c.name) for c in self.seen.candidates]}"
        return found[0]

    def names(self) -> list[str]:
        return [c.name for c in self.seen.candidates]

    def text(self) -> str:
        return "\n".join(line.text for line in self.seen.texts)

    def mark(self, name: str, role: str = "") -> Mark:
        return Mark(mark=self.find(name, role).mark)

    def point(self, name: str, role: str = "") -> Point:
        x, y = self.find(name, role).point
        return Point(x=x, y=y)

    async def do(self, action: Action) -> Outcome | None:
        """Act, then look."""
        outcome = await self.session.execute(action)
        await self.look()
        return outcome

    async def click(self, name: str, role: str = "") -> Outcome | None:
        return await self.do(Click(target=self.mark(name, role)))

    async def type(self, name: str, text: str) -> Outcome | None:
        return await self.do(Type(target=self.mark(name), text=text))

    async def choose(self, name: str, option: str) -> Outcome | None:
        return await self.do(Select(target=self.mark(name), option=option))


def code(outcome: Outcome | None) -> str:
    return "" if outcome is None else outcome.code


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launch() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def site() -> AsyncIterator[Site]:
    site = Site()
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    yield site
    await site.close(server)


@pytest_asyncio.fixture(loop_scope="module")
async def hand(browser: Browser, site: Site) -> AsyncIterator[Hand]:
    async with browser.session(allow=site.allow) as session:
        yield Hand(session, site)
