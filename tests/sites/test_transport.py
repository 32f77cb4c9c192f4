"""Python's way to `*.localhost`."""

from __future__ import annotations

import httpx
import pytest

from guideact.sites.server import SiteServer
from guideact.sites.transport import LocalhostTransport


async def test_cookies_stay_with_the_host_that_set_them(server: SiteServer, client: httpx.AsyncClient) -> None:
    await client.get(server.url("shopping", 1))
    await client.get(server.url("shopping", 2))
    domains = sorted(cookie.domain for cookie in client.cookies.jar)
    assert domains == ["shopping-i1.localhost", "shopping-i2.localhost"]
    answer = await client.get(server.url("shopping", 1))
    assert str(answer.request.url).startswith(server.url("shopping", 1))


async def test_a_redirect_stays_on_the_host(server: SiteServer, client: httpx.AsyncClient) -> None:
    answer = await client.get(server.url("shopping", 1) + "/account", follow_redirects=True)
    assert answer.status_code == 200
    assert answer.url == server.url("shopping", 1) + "/login?next=%2Faccount"


async def test_nothing_but_localhost_is_reached() -> None:
    async with httpx.AsyncClient(transport=LocalhostTransport()) as client:
        with pytest.raises(httpx.UnsupportedProtocol, match=r"example\.com"):
            await client.get("http://example.com/")
