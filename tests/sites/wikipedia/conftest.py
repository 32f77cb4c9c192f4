"""The encyclopedia without a network: a `SiteServer` called in process, and a reader who fills in forms."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from guideact.sites.server import SiteServer
from guideact.types import RowChange

HOST = "http://wikipedia.localhost:8000"


class Reader:
    """A browser without scripts: keeps its cookie, sends the session's token with every form."""

    def __init__(self, server: SiteServer) -> None:
        self.server = server
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=server), base_url=HOST)
        self.csrf = ""

    def rows(self, sql: str, *parameters: Any) -> list[dict[str, Any]]:
        connection = self.server.database(0, "wikipedia").connection
        return [dict(row) for row in connection.execute(sql, parameters).fetchall()]

    def changes(self) -> tuple[RowChange, ...]:
        return self.server.database(0, "wikipedia").changes("wikipedia")

    async def get(self, path: str, status: int = 200) -> str:
        """The page, redirects followed."""
        response = await self.client.get(path, follow_redirects=True)
        assert response.status_code == status, (path, response.status_code, self.server.faults())
        self._remember(response)
        return response.text

    async def post(self, path: str, status: int = 303, /, **fields: Any) -> httpx.Response:
        if not self.csrf:
            await self.get("/login")
        response = await self.client.post(path, data={"csrf": self.csrf, **fields})
        assert response.status_code == status, (path, response.status_code, response.text[:300], self.server.faults())
        self._remember(response)
        return response

    async def sign_in(self, username: str = "emma_l") -> None:
        await self.post("/login", username=username, password="password123")

    def _remember(self, response: httpx.Response) -> None:
        token = re.search(r'name="csrf" value="([^"]+)"', response.text)
        if token:
            self.csrf = token[1]


@pytest.fixture
def server() -> Iterator[SiteServer]:
    server = SiteServer(8000)
    yield server
    assert server.faults() == []
    server.close()


@pytest.fixture
async def guest(server: SiteServer) -> AsyncIterator[Reader]:
    reader = Reader(server)
    yield reader
    await reader.client.aclose()


@pytest.fixture
async def emma(server: SiteServer) -> AsyncIterator[Reader]:
    reader = Reader(server)
    await reader.sign_in()
    yield reader
    await reader.client.aclose()
