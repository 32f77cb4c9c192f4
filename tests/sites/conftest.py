"""A running server, and clients that reach its hosts as a browser would."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from guideact.sites.server import SiteServer, serve
from guideact.sites.state import Database
from guideact.sites.transport import LocalhostTransport

EMMA = "emma.lopez@example.com"


@pytest.fixture
async def server() -> AsyncIterator[SiteServer]:
    async with serve() as running:
        yield running


@pytest.fixture
async def client(server: SiteServer) -> AsyncIterator[httpx.AsyncClient]:
    """A browser without a history: cookies are kept by host."""
    async with httpx.AsyncClient(transport=LocalhostTransport()) as browser:
        yield browser


@pytest.fixture
async def emma(server: SiteServer, client: httpx.AsyncClient) -> httpx.AsyncClient:
    """A browser in which Emma is signed in to the shop of instance 0."""
    cookie = server.cookie(0, "shopping", EMMA)
    client.cookies.set(cookie["name"], cookie["value"], domain="shopping.localhost")
    return client


@pytest.fixture
def shop() -> Iterator[Database]:
    """The shop's database as it is at the start."""
    with ExitStack() as stack:
        database = Database("shop")
        stack.callback(database.close)
        yield database


@pytest.fixture
def token() -> Callable[[str], str]:
    """Finds the token of the forms of a page."""

    def find(page: str) -> str:
        found = re.search(r'name="csrf" value="([^"]+)"', page)
        assert found is not None, "the page has no form"
        return found[1]

    return find
