"""What several sites' pages do in the browser."""

from __future__ import annotations

import asyncio
from pathlib import Path

import guideact.sites
from guideact.browser import launch

COMMON = Path(guideact.sites.__file__).parent / "static" / "common.js"

SCRIPT = "<script src=/common.js defer></script>"
PAGE = "<!doctype html><select><option>Best</option><option>Controversial</option></select>"


async def test_a_list_is_as_wide_as_its_entries_wherever_the_page_was_cut_on_its_way() -> None:
    cut = PAGE.index("troversial")
    halves = {
        "/whole": (SCRIPT + PAGE, ""),
        "/cut": (SCRIPT + PAGE[:cut], PAGE[cut:]),
    }
    drawn = asyncio.Event()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        path = (await reader.readuntil(b"\r\n\r\n")).split()[1].decode()
        writer.write(b"HTTP/1.1 200 OK\r\nConnection: close\r\n")
        if path == "/common.js":
            writer.write(b"Content-Type: text/javascript\r\n\r\n" + COMMON.read_bytes())
        elif path in halves:
            before, after = halves[path]
            writer.write(b"Content-Type: text/html\r\n\r\n" + before.encode())
            await writer.drain()
            if after:
                await drawn.wait()
            writer.write(after.encode())
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    widths = {}
    async with server, launch() as browser, browser.session(allow=(address,)) as session:
        page = session.active_page
        for path, (_, after) in halves.items():
            drawn.clear()
            loading = asyncio.create_task(page.goto(f"http://{address}{path}"))
            if after:
                await page.wait_for_url(f"**{path}", wait_until="commit")
                await page.wait_for_function("document.querySelector('select')?.getBoundingClientRect().width > 0")
                drawn.set()
            await loading
            widths[path] = await page.evaluate("document.querySelector('select').getBoundingClientRect().width")
    assert widths["/cut"] == widths["/whole"]
