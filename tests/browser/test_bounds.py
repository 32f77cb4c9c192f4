"""A session reaches the hosts it may reach, and no others."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.browser.conftest import Hand, code

pytestmark = pytest.mark.asyncio(loop_scope="module")


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
