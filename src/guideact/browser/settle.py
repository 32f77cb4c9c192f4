"""Waiting until a page has come to rest: no fixed sleep, but what the page itself is doing.

At rest means: the document is complete, no request is under way, no DOM change for a short window, and two frames
drawn. A page that never rests (a ticker, a long poll) is left after a cap.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

from guideact.browser.tab import Tab, Vanished

QUIET = 40
"""Milliseconds without a DOM change."""
EAGER = 320
"""The same after typing into a field whose page may answer after a pause in typing, unless it has asked its server and
shown the answer before."""
RESTLESS_CAP = 1000
"""Milliseconds after which DOM changes alone no longer hold up a step."""
CAP = 10.0
"""Seconds after which requests no longer do."""


async def settle(tab: Tab, *, eager: bool = False, cap: float = CAP) -> bool:
    """Wait for a tab to come to rest; False when the cap ended the wait. Never longer than `cap` seconds.

    `eager`: something was typed into a field whose page may answer after a pause in typing.
    """
    end = time.monotonic() + cap
    while not tab.closed:
        left = end - time.monotonic()
        if left <= 0:
            return False
        tab.changed.clear()
        commits = tab.commits
        # What is being done to a new document (its animations are stopped) takes less time than its quiet.
        work = tab.tasks
        try:
            async with asyncio.timeout(left):
                replies = await asyncio.gather(*(_quiet(tab, f, eager, left) for f in (tab.main, *list(tab.parents))))
        except TimeoutError:
            return False
        if work:
            await asyncio.wait(work, timeout=max(0, end - time.monotonic()))
        if tab.tasks:
            continue
        main = replies[0]
        if main is None or commits != tab.commits:
            # The document is being replaced: wait for the next one's world.
            await _change(tab, min(left, 0.25))
            continue
        if main["status"]:
            tab.status = main["status"]
        if tab.busy:
            await _change(tab, min(left, 0.5))
            continue
        if main["calm"] or main["ready"] == "complete":
            return True
    return True


async def _quiet(tab: Tab, frame: str, eager: bool, left: float) -> dict[str, Any] | None:
    try:
        reply: dict[str, Any] = await tab.call(
            frame, "quiet", QUIET, min(RESTLESS_CAP, left * 1000), EAGER if eager else 0
        )
    except Vanished:
        return None
    return reply


async def _change(tab: Tab, seconds: float) -> None:
    try:
        async with asyncio.timeout(seconds):
            await tab.changed.wait()
    except TimeoutError:
        return
