"""The one browser that all workers of a run share, replaced when it has died.

One, because Playwright's driver lets the event loop run dry after every message: two drivers on a loop keep each other
waiting, and four cost more than the pages do. Episodes are kept apart by their contexts, each in a process of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from guideact.browser import Browser, launch
from guideact.errors import InfrastructureError

CLOSE_SECONDS = 20.0
REST_SECONDS = (5.0, 30.0)
"""Between the starts of a browser that has to take the place of another one."""


class SharedBrowser:
    """Hands out the living browser. Safe to use from every task of an event loop."""

    def __init__(self) -> None:
        self._browser: Browser | None = None
        self._stack = AsyncExitStack()
        self._lock = asyncio.Lock()
        self._started = False

    async def get(self) -> Browser:
        """The browser; a new one if there is none or it has died.

        Raises what `launch` does: at once for the first browser, since what is wrong then is wrong with the machine;
        later ones are tried three times, for a machine may be short of memory or processes for a while.
        """
        async with self._lock:
            if self._browser is not None and not self._browser.alive:
                await self._drop()
            if self._browser is None:
                self._browser = await self._start(REST_SECONDS if self._started else ())
                self._started = True
            return self._browser

    async def _start(self, rests: Sequence[float]) -> Browser:
        for seconds in rests:
            try:
                return await self._stack.enter_async_context(launch())
            except InfrastructureError:
                await asyncio.sleep(seconds)
        return await self._stack.enter_async_context(launch())

    async def discard(self, broken: Browser) -> bool:
        """Never hand out `broken` again. False where somebody has replaced it already."""
        async with self._lock:
            if self._browser is not broken:
                return False
            await self._drop()
            return True

    def is_current(self, browser: Browser) -> bool:
        """Whether this is still the browser that is handed out, and alive."""
        return self._browser is browser and browser.alive

    async def _drop(self) -> None:
        self._browser = None
        stack, self._stack = self._stack, AsyncExitStack()
        # A browser that has died or hangs cannot be asked to end; its pipe is closed all the same, which ends it.
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSE_SECONDS):
                await stack.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        async with self._lock:
            await self._drop()
