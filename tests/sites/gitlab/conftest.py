"""The forge driven over HTTP inside the test's own process: no socket, no browser."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from guideact.sites.server import SiteServer

CSRF = re.compile(r'<meta name="csrf" content="([^"]+)"')


@dataclass
class Forge:
    """One person's view of the forge, and the database behind it."""

    client: httpx.AsyncClient
    server: SiteServer

    @property
    def db(self) -> sqlite3.Connection:
        return self.server.database(0, "gitlab").connection

    def value(self, sql: str, *parameters: Any) -> Any:
        return self.db.execute(sql, parameters).fetchall()[0][0]

    async def get(self, path: str, status: int = 200) -> str:
        response = await self.client.get(path)
        assert self.server.faults(0) == []
        assert response.status_code == status, (path, response.status_code)
        return response.text

    async def post(self, path: str, expected: int = 303, /, **data: Any) -> httpx.Response:
        found = CSRF.search(await self.get("/explore"))
        assert found is not None
        response = await self.client.post(path, data={"csrf": found[1], **data})
        assert self.server.faults(0) == []
        assert response.status_code == expected, (path, response.status_code)
        return response

    def changes(self) -> list[tuple[str, str]]:
        """What differs from the pristine data, as (table, operation)."""
        return [(change.table, change.op) for change in self.server.database(0, "gitlab").changes()]

    def signed_in(self, username: str) -> Forge:
        """Another person on the same data; empty for a guest."""
        return Forge(make_client(self.server, username), self.server)


def make_client(server: SiteServer, username: str) -> httpx.AsyncClient:
    cookies = {}
    if username:
        cookie = server.cookie(0, "gitlab", username)
        cookies = {cookie["name"]: cookie["value"]}
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=server), base_url=server.url("gitlab"), cookies=cookies)


@pytest.fixture
async def forge() -> AsyncIterator[Forge]:
    """Emma's view."""
    server = SiteServer(8080)
    async with make_client(server, "emma_l") as client:
        yield Forge(client, server)
    server.close()
