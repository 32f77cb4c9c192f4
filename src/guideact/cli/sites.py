"""`guideact sites`: the embedded sites, to look at by hand."""

from __future__ import annotations

import asyncio

from guideact.cli.show import say

CUSTOMER = "emma.lopez@example.com (password123)"
STAFF = "admin (admin1234)"


def sites(*, port: int = 8080) -> None:
    """Serve the embedded sites until Ctrl-C. What you change there lasts until then.

    Parameters
    ----------
    port
        Where to listen on 127.0.0.1; 0 takes any free port.
    """
    asyncio.run(_serve(port))


async def _serve(port: int) -> None:
    from guideact.sites.registry import SITES
    from guideact.sites.server import serve

    async with serve(port) as server:
        for site in SITES:
            say(f"{site:16} {server.url(site)}")
        say(f"Sign in as {CUSTOMER} in the shop and as {STAFF} in its back office. Ctrl-C ends.")
        await asyncio.Event().wait()
