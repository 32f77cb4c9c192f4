"""Work on many embedded tasks at a time: one browser, one server, and an instance of the sites for each worker.

For what is no run of an agent (proofs, recordings, datasets): results come back by task, and whatever the surroundings
break is begun anew.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from guideact.browser import Browser, launch
from guideact.env import WebEnv
from guideact.errors import InfrastructureError
from guideact.harness.browsers import SharedBrowser
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import Skin

TRIES = 3
T = TypeVar("T")


@dataclass(frozen=True)
class Workplace:
    """What one worker works with."""

    env: WebEnv
    browser: Browser
    server: SiteServer
    instance: int
    last_try: bool = False
    """Whether the task is not begun anew, whatever breaks now."""


async def browser_version() -> str:
    """The name and the version of the browser that all work is done with. Raises what `launch` does."""
    async with launch() as browser:
        return f"{browser.executable.name} {browser.version}"


async def on_instances(
    task_ids: Sequence[str],
    do: Callable[[str, Workplace], Awaitable[T]],
    *,
    workers: int,
    screenshots: bool = False,
    skin: Skin | None = None,
    begun_anew: Callable[[str, InfrastructureError], None],
    given_up: Callable[[str, InfrastructureError], T],
) -> dict[str, T]:
    """Do something with every task; the results by task id, in the order in which they were named.

    What `do` raises as an InfrastructureError is tried three times; then the task has the result that `given_up` makes
    of it, and the others go on. Raises whatever else `do` raises, with all other work ended first.
    """
    queue = deque(task_ids)
    results: dict[str, T] = {}

    async def one(task_id: str, server: SiteServer, browsers: SharedBrowser, instance: int) -> T:
        tries = 0
        while True:
            tries += 1
            browser = await browsers.get()
            env = WebEnv(browser, server, instance=instance, screenshots=screenshots, steady=True, skin=skin)
            try:
                return await do(task_id, Workplace(env, browser, server, instance, tries == TRIES))
            except InfrastructureError as error:
                if tries == TRIES:
                    return given_up(task_id, error)
                begun_anew(task_id, error)
            finally:
                await env.close()

    async def work(server: SiteServer, browsers: SharedBrowser, instance: int) -> None:
        while queue:
            task_id = queue.popleft()
            results[task_id] = await one(task_id, server, browsers, instance)

    async with serve(port=0) as server, SharedBrowser() as browsers:
        numbers = range(max(1, min(workers, len(queue))))
        running = [asyncio.create_task(work(server, browsers, number)) for number in numbers]
        try:
            await asyncio.gather(*running)
        finally:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
    return {task_id: results[task_id] for task_id in task_ids}
