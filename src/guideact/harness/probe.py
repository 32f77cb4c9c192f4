"""What only the running sites and the browser can tell of tasks: found out before the first episode begins."""

from __future__ import annotations

from collections.abc import Sequence

import httpx

from guideact.browser import Browser
from guideact.errors import InputError
from guideact.sites.server import SiteServer
from guideact.sites.transport import LocalhostTransport
from guideact.types import Task

_INSTANCE = 0
"""Where it is tried out; a run puts an instance back before each episode."""


async def probe_tasks(tasks: Sequence[Task], server: SiteServer, browser: Browser) -> None:
    """Raise InputError, naming the task, for a user no site knows, a start page that is not there, a bad selector."""
    cookies = _cookies(tasks, server)
    await _start_pages(tasks, server, cookies)
    await _selectors(tasks, server, browser)
    server.reset(_INSTANCE)


def _cookies(tasks: Sequence[Task], server: SiteServer) -> dict[tuple[str, str], dict[str, str]]:
    """One cookie for each (site, user)."""
    cookies: dict[tuple[str, str], dict[str, str]] = {}
    for task in tasks:
        for login in task.logins.items():
            if login not in cookies:
                try:
                    cookies[login] = server.cookie(_INSTANCE, *login)
                except InputError as error:
                    raise InputError(f"task {task.id}: {error.message}", fix=error.fix) from error
    return cookies


async def _start_pages(
    tasks: Sequence[Task], server: SiteServer, cookies: dict[tuple[str, str], dict[str, str]]
) -> None:
    # Embedded tasks begin where a test has been; a page is asked for once, whoever begins there.
    seen: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    async with httpx.AsyncClient(transport=LocalhostTransport(), follow_redirects=True) as client:
        for task in tasks:
            key = (task.start_url, tuple(task.logins.items()))
            if (task.source == "embedded" and task.template_id) or key in seen:
                continue
            seen.add(key)
            url = server.actual(task.start_url, _INSTANCE)
            signed_in = [cookies[login] for login in task.logins.items() if url.startswith(cookies[login]["url"])]
            header = "; ".join(f"{cookie['name']}={cookie['value']}" for cookie in signed_in)
            answer = await client.get(url, headers={"Cookie": header} if header else {})
            if answer.status_code >= 400:
                raise InputError(
                    f"task {task.id}: its start_url {task.start_url!r} answers {answer.status_code}",
                    fix="Give the address of a page that is there, or sign in who may see it (logins).",
                )


async def _selectors(tasks: Sequence[Task], server: SiteServer, browser: Browser) -> None:
    named = {page.selector: task.id for task in reversed(tasks) for page in task.check.page}
    if not named:
        return
    async with browser.session(allow=server.allow(_INSTANCE)) as session:
        for selector, task_id in named.items():
            if fault := await session.selector_fault(selector):
                raise InputError(
                    f"task {task_id}: check.page has the selector {selector!r}, which cannot be used: {fault}",
                    fix="Write it as CSS.",
                )
