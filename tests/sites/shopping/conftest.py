"""A storefront without a network: a `SiteServer` called in process, and a visitor who fills in forms."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from guideact.sites.server import SiteServer
from guideact.types import RowChange

EMMA = "emma.lopez@example.com"
HOST = "http://shopping.localhost:8000"


class Visitor:
    """A browser without scripts: keeps its cookie, sends the session's token with every form."""

    def __init__(self, server: SiteServer) -> None:
        self.server = server
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=server), base_url=HOST)
        self.csrf = ""

    @property
    def db(self) -> sqlite3.Connection:
        return self.server.database(0, "shopping").connection

    def rows(self, sql: str, *parameters: Any) -> list[dict[str, Any]]:
        return [dict(row) for row in self.db.execute(sql, parameters).fetchall()]

    def value(self, sql: str, *parameters: Any) -> Any:
        return self.db.execute(sql, parameters).fetchall()[0][0]

    def write(self, sql: str, *parameters: Any) -> None:
        self.db.execute(sql, parameters)
        self.db.commit()

    def changes(self) -> tuple[RowChange, ...]:
        return self.server.database(0, "shopping").changes("shopping")

    async def get(self, path: str, status: int = 200) -> str:
        """The page, redirects followed."""
        response = await self.client.get(path, follow_redirects=True)
        assert response.status_code == status, (path, response.status_code, self.server.faults())
        self._remember(response)
        return response.text

    async def post(self, path: str, status: int = 303, /, **fields: Any) -> httpx.Response:
        if not self.csrf:
            await self.get("/cart")
        response = await self.client.post(path, data={"csrf": self.csrf, **fields})
        assert response.status_code == status, (path, response.status_code, response.text[:300], self.server.faults())
        self._remember(response)
        return response

    async def sign_in(self, email: str = EMMA, password: str = "password123") -> None:
        await self.post("/login", email=email, password=password)

    def _remember(self, response: httpx.Response) -> None:
        token = re.search(r'name="csrf" value="([^"]+)"', response.text)
        if token:
            self.csrf = token[1]

    def product(self, *, options: bool = False, at_least: int = 6) -> dict[str, Any]:
        """Some product with stock, with or without options."""
        found = self.rows(
            "SELECT * FROM product p WHERE stock >= ? AND special_price_cents IS NULL"
            " AND EXISTS (SELECT 1 FROM product_option o WHERE o.product_id = p.id) = ? ORDER BY id LIMIT 1",
            at_least,
            int(options),
        )
        return found[0]


@pytest.fixture
def server() -> Iterator[SiteServer]:
    server = SiteServer(8000)
    yield server
    assert server.faults() == []
    server.close()


@pytest.fixture
async def guest(server: SiteServer) -> AsyncIterator[Visitor]:
    visitor = Visitor(server)
    yield visitor
    await visitor.client.aclose()


@pytest.fixture
async def emma(server: SiteServer) -> AsyncIterator[Visitor]:
    visitor = Visitor(server)
    await visitor.sign_in()
    yield visitor
    await visitor.client.aclose()
