"""Are the sites there, and how are they put back?"""

from __future__ import annotations

import asyncio
import shlex
import time
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Iterable

import httpx

from guideact.errors import SiteError
from guideact.tasks.webarena.setup import SITE_WORD, Reset, Setup

HEALTH_SECONDS = 30.0
"""How long a site may take to answer before it counts as unreachable."""
POLL_SECONDS = 2.0


def client() -> httpx.AsyncClient:
    """How Python asks the sites. Proxies of the environment are passed by, as the browser does."""
    return httpx.AsyncClient(timeout=HEALTH_SECONDS, follow_redirects=True, trust_env=False)


async def site_fault(setup: Setup, site: str) -> str:
    """What is wrong with a site: it cannot be reached, or answers 5xx. Empty where it answers."""
    address = setup.addresses[site]
    async with client() as asking:
        try:
            answer = await asking.get(address)
        except httpx.HTTPError as error:
            return f"{site} at {address} cannot be reached: {str(error) or type(error).__name__}"
    return f"{site} at {address} answers {answer.status_code}" if answer.status_code >= 500 else ""


async def check_health(setup: Setup, sites: Iterable[str]) -> None:
    """Raise SiteError unless all of these sites answer."""
    faults = await asyncio.gather(*(site_fault(setup, site) for site in sites))
    if found := [fault for fault in faults if fault]:
        raise SiteError("; ".join(found))


async def check_any(setup: Setup, sites: Iterable[str]) -> None:
    """Raise SiteError where none of these sites answers."""
    faults = await asyncio.gather(*(site_fault(setup, site) for site in sites))
    if faults and all(faults):
        raise SiteError(f"no site answers any more: {'; '.join(faults)}", fix="Start them and run the same command.")


async def put_back(setup: Setup, reset: Reset, sites: tuple[str, ...]) -> None:
    """Put sites back and wait until they answer again. Raises SiteError where that fails or takes too long."""
    end = time.monotonic() + reset.seconds
    known = tuple(site for site in sites if site in setup.addresses)
    try:
        async with asyncio.timeout(reset.seconds):
            for site in known if reset.by_site else ("",):
                await (_run(reset, site) if reset.command else _ask(reset, site))
            await _until_healthy(setup, known, end)
    except TimeoutError as error:
        raise SiteError(f"the reset of {', '.join(known)} took more than {reset.seconds:g} s") from error


async def _run(reset: Reset, site: str) -> None:
    words = [word.replace(SITE_WORD, site) for word in shlex.split(reset.command)]
    try:
        process = await asyncio.create_subprocess_exec(*words, stdin=DEVNULL, stdout=DEVNULL, stderr=PIPE)
    except OSError as error:
        raise SiteError(f"the reset command {words[0]} does not start: {error.strerror}") from error
    try:
        _, said = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode:
        last = (said.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1][:200]
        raise SiteError(f"the reset command ended with status {process.returncode}: {last}")


async def _ask(reset: Reset, site: str) -> None:
    async with client() as asking:
        url = reset.url.replace(SITE_WORD, site)
        try:
            answer = await asking.get(url, timeout=reset.seconds)
            # 418 is how WebArena's reset servers say that one is under way.
            if answer.status_code >= 400 and answer.status_code != 418:
                raise SiteError(f"the reset at {url} answers {answer.status_code}")
            while reset.status:
                answer = await asking.get(reset.status.replace(SITE_WORD, site))
                if answer.status_code == 200 and reset.ready in answer.text:
                    return
                await asyncio.sleep(POLL_SECONDS)
        except httpx.HTTPError as error:
            raise SiteError(f"the reset at {url} cannot be reached: {str(error) or type(error).__name__}") from error


async def _until_healthy(setup: Setup, sites: tuple[str, ...], end: float) -> None:
    while True:
        try:
            await check_health(setup, sites)
        except SiteError:
            if time.monotonic() + POLL_SECONDS > end:
                raise
            await asyncio.sleep(POLL_SECONDS)
        else:
            return
