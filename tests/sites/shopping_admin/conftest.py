"""The back office driven over HTTP inside the test's own process: no socket, no browser."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator
from dataclasses import dataclass
from html import unescape
from typing import Any

import httpx
import pytest

from guideact.sites.server import SiteServer

CSRF = re.compile(r'<meta name="csrf" content="([^"]+)"')


@dataclass
class Office:
    """One signed-in person's view of the back office, and the database behind it."""

    client: httpx.AsyncClient
    server: SiteServer

    @property
    def db(self) -> sqlite3.Connection:
        return self.server.database(0, "shopping_admin").connection

    def value(self, sql: str, *parameters: Any) -> Any:
        return self.db.execute(sql, parameters).fetchall()[0][0]

    def row(self, sql: str, *parameters: Any) -> dict[str, Any]:
        return dict(self.db.execute(sql, parameters).fetchall()[0])

    async def get(self, path: str, status: int = 200) -> str:
        response = await self.client.get(path)
        assert self.server.faults(0) == []
        assert response.status_code == status, (path, response.status_code)
        return response.text

    async def post(self, path: str, expected: int = 303, /, csrf: str | None = None, **data: Any) -> httpx.Response:
        if csrf is None:
            found = CSRF.search(await self.get("/account"))
            assert found is not None
            csrf = found[1]
        named = {key.replace("__", "-"): value for key, value in data.items()}
        response = await self.client.post(path, data={"csrf": csrf, **named})
        assert self.server.faults(0) == []
        assert response.status_code == expected, (path, response.status_code)
        return response

    async def changes(self) -> list[tuple[str, str]]:
        """What differs from the pristine data, as (table, operation)."""
        return [(change.table, change.op) for change in self.server.database(0, "shopping_admin").changes()]

    def signed_in(self, username: str) -> Office:
        """Another person on the same data."""
        return Office(make_client(self.server, username), self.server)


def make_client(server: SiteServer, username: str = "") -> httpx.AsyncClient:
    cookies = {}
    if username:
        cookie = server.cookie(0, "shopping_admin", username)
        cookies = {cookie["name"]: cookie["value"]}
    return httpx.AsyncClient(
        transport=httpx.ASGITransport(app=server), base_url=server.url("shopping_admin"), cookies=cookies
    )


@pytest.fixture
async def office() -> AsyncIterator[Office]:
    server = SiteServer(8080)
    async with make_client(server, "admin") as client:
        yield Office(client, server)
    server.close()


def names(markup: str, pattern: str) -> list[str]:
    """All first groups of a pattern in a page, entities decoded."""
    return [unescape(found) for found in re.findall(pattern, markup)]
