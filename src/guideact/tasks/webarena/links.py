"""A page of links to the sites, for tasks on more than one: the agent has no address bar.

It lies behind the start page of such a task, where `go_back` leads to it. WebArena's own homepage takes its place where
one is known.
"""

from __future__ import annotations

import asyncio
import html
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from guideact.tasks.webarena.setup import Setup

NAMES = {
    "shopping": "One Stop Market (shopping)",
    "shopping_admin": "Shop administration (shopping_admin)",
    "reddit": "Postmill forums (reddit)",
    "gitlab": "GitLab (gitlab)",
    "wikipedia": "Wikipedia (wikipedia)",
    "map": "OpenStreetMap (map)",
}


def links(setup: Setup) -> str:
    """The page, as HTML."""
    rows = "".join(
        f'<li><a href="{html.escape(address, quote=True)}">{html.escape(NAMES[site])}</a></li>'
        for site, address in setup.addresses.items()
    )
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>Sites</title>'
        "<style>body{font:18px/1.6 sans-serif;margin:48px}li{margin:12px 0}</style>"
        f"<h1>Sites</h1><p>Choose where to go. Going back leads here again.</p><ul>{rows}</ul></html>"
    )


@asynccontextmanager
async def serve_links(setup: Setup) -> AsyncIterator[str]:
    """The address of a page of links: the homepage of the setup, or else one that is served as long as this is open."""
    if setup.homepage:
        yield setup.homepage
        return
    body = links(setup).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {len(body)}\r\n"

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
            await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            # A browser opens connections that it then has no use for.
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
    finally:
        server.close()
        await server.wait_closed()
