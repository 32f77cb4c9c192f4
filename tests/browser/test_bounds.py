"""A session reaches the hosts it may reach, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from guideact.browser.bounds import allowed
from tests.browser.conftest import Hand, code

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("url", "verdict"),
    [
        ("http://shopping.localhost:8080/a?b", True),
        ("http://shopping-i7.localhost:8080/", True),
        ("http://SHOPPING.localhost:8080/", True),
        ("http://shopping.localhost:8081/", False),
        ("http://shopping.localhost/", False),
        ("http://localhost:8080/", False),
        ("http://shopping.localhost:8080@evil.test/", False),
        ("http://evil.test:8080/", False),
        ("http://evil.test/?.localhost:8080", False),
        ("http://x.localhost:99999/", False),
        ("data:text/html,x", False),
        ("blob:http://shopping.localhost:8080/1", False),
        ("file:///etc/passwd", False),
        ("javascript:1", False),
        ("about:blank", True),
    ],
)
async def test_addresses(url: str, verdict: bool) -> None:
    assert allowed(url, ("*.localhost:8080",)) is verdict


@pytest.mark.parametrize(
    "name", ["Foreign host", "Userinfo", "Other port", "Redirect", "Blob", "Blob tab", "Foreign tab"]
)
async def test_the_allow_list_is_bypassed(hand: Hand, name: str) -> None:
    await hand.open("escapes.html")
    outcome = await hand.click(name)
    assert code(outcome) == "refused_host"
    assert hand.seen.title == "Escapes"
    assert hand.seen.url == hand.site.url("escapes.html")
    assert len(hand.seen.tabs) == 1
    await hand.type("Kept", "still works")
    assert hand.find("Kept").value == "still works"


async def test_a_page_that_replaces_itself_is_taken_back(hand: Hand) -> None:
    await hand.open("escapes.html")
    assert code(await hand.click("Replace")) == "refused_host"
    assert hand.seen.url == hand.site.url("escapes.html")


async def test_a_foreign_frame_stays_empty(hand: Hand) -> None:
    await hand.open("escapes.html")
    assert await hand.click("Frame") is None
    assert hand.seen.title == "Escapes"


async def test_a_data_url_never_becomes_the_page(hand: Hand) -> None:
    await hand.open("escapes.html")
    await hand.click("Data")
    assert hand.seen.url == hand.site.url("escapes.html")


@pytest_asyncio.fixture(loop_scope="module")
async def spy() -> AsyncIterator[tuple[int, list[bytes]]]:
    """A server that is out of bounds, and what reached it."""
    heard: list[bytes] = []

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heard.append(await reader.read(200))
        writer.close()

    server = await asyncio.start_server(hear, "127.0.0.1", 0)
    yield server.sockets[0].getsockname()[1], heard
    server.close()


async def test_nothing_leaks_by_fetch_redirect_image_or_websocket(hand: Hand, spy: tuple[int, list[bytes]]) -> None:
    port, heard = spy
    await hand.open(f"escapes.html?spy={port}")
    await hand.click("Leak")
    assert "leaks: 0 of 7" in hand.text()
    assert heard == []
