"""The boards without a network: a `SiteServer` called in process, and a member who fills in forms."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from guideact.sites.server import SiteServer
from guideact.types import RowChange

HOST = "http://reddit.localhost:8000"


class Member:
    """A browser without scripts: keeps its cookie, sends the session's token with every form."""

    def __init__(self, server: SiteServer) -> None:
        self.server = server
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=server), base_url=HOST)
        self.csrf = ""

    @property
    def db(self) -> sqlite3.Connection:
        return self.server.database(0, "reddit").connection

    def rows(self, sql: str, *parameters: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in self.db.execute(sql, parameters).fetchall()]

    def value(self, sql: str, *parameters: Any) -> Any:
        return self.db.execute(sql, parameters).fetchall()[0][0]

    def changes(self) -> tuple[RowChange, ...]:
        """What changed, the time of the sign-in left out."""
        return tuple(
            change
            for change in self.server.database(0, "reddit").changes("reddit")
            if "last_login_at" not in (change.after or {})
        )

    async def get(self, path: str, status: int = 200) -> str:
        """The page, redirects followed."""
        response = await self.client.get(path, follow_redirects=True)
        assert response.status_code == status, (path, response.status_code, self.server.faults())
        token = re.search(r'name="csrf" value="([^"]+)"', response.text)
        if token:
            self.csrf = token[1]
        return response.text

    async def post(self, path: str, status: int = 303, /, **fields: Any) -> httpx.Response:
        if not self.csrf:
            await self.get("/login")
        response = await self.client.post(path, data={"csrf": self.csrf, **fields})
        assert response.status_code == status, (path, response.status_code, response.text[:300], self.server.faults())
        return response

    async def sign_in(self, username: str = "emma_l") -> None:
        await self.post("/login", username=username, password="password123")
        await self.get("/about")


@pytest.fixture
def server() -> Iterator[SiteServer]:
    server = SiteServer(8000)
    yield server
    assert server.faults() == []
    server.close()


@pytest.fixture
async def guest(server: SiteServer) -> AsyncIterator[Member]:
    member = Member(server)
    yield member
    await member.client.aclose()


@pytest.fixture
async def emma(server: SiteServer) -> AsyncIterator[Member]:
    member = Member(server)
    await member.sign_in()
    yield member
    await member.client.aclose()


@pytest.fixture
async def other(server: SiteServer) -> AsyncIterator[Member]:
    """Somebody who moderates nothing of Emma's."""
    member = Member(server)
    await member.sign_in("ruthg")
    yield member
    await member.client.aclose()
