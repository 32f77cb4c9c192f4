"""`guideact sites`: the embedded sites, to look at by hand."""

from __future__ import annotations

import asyncio

from guideact.cli.show import say

CUSTOMER = "emma.lopez@example.com (password123)"
STAFF = "admin (admin1234)"


def sites(*, port: int = 8080, skin: str | None = None) -> None:
    """Serve the embedded sites until Ctrl-C. What you change there lasts until then.

    Parameters
    ----------
    port
        Where to listen on 127.0.0.1; 0 takes any free port.
    skin
        A changed look, made from a seed: relabel-N, relayout-N or redesign-N. Only instance 0 wears it.
    """
    asyncio.run(_serve(port, skin))


async def _serve(port: int, skin: str | None) -> None:
    from guideact.sites.registry import SITES
    from guideact.sites.server import serve
    from guideact.sites.skins import parse_skin

    worn = parse_skin(skin) if skin is not None else None
    async with serve(port) as server:
        server.dress(0, worn)
        for site in SITES:
            say(f"{site:16} {server.url(site)}")
        say(f"Sign in as {CUSTOMER} in the shop and as {STAFF} in its back office. Ctrl-C ends.")
        await asyncio.Event().wait()
