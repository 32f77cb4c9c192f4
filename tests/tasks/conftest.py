"""A browser over running sites, for tests that do tasks."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

import pytest

from guideact.browser import Browser, launch
from guideact.env import WebEnv
from guideact.sites.server import SiteServer, serve


@dataclass(frozen=True)
class Bench:
    """What a proof needs."""

    env: WebEnv
    browser: Browser
    server: SiteServer


@pytest.fixture
async def bench() -> AsyncIterator[Bench]:
    async with serve() as server, launch() as browser:
        env = WebEnv(browser, server, screenshots=False)
        yield Bench(env, browser, server)
        await env.close()
