"""The stages there are: any site by its address, or the embedded ones, which can be put back and can judge."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

from guideact.browser import Browser, Session, launch
from guideact.env import WebEnv
from guideact.errors import InputError
from guideact.guides.guide import Guide
from guideact.guides.stage import Done, Stage
from guideact.sites.registry import SITES
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import Skin
from guideact.tasks.catalogue import entries
from guideact.types import Action, Candidate, CheckResult, Finish, Observation, Task, Viewport

MOST_STEPS = 1000
"""A stage sets no budget of its own; this one is never reached by what is done here."""
_PORTS = {"http": 80, "https": 443}
_PLACEHOLDER = re.compile(r"__[A-Z]+(?:_[A-Z]+)*__(/.*)?", re.DOTALL)


class EmbeddedStage:
    """The embedded sites, in an environment."""

    def __init__(self, env: WebEnv, task: Task) -> None:
        self._env = env
        self._task = task.model_copy(update={"max_steps": MOST_STEPS})
        self._judges = task.id in entries()

    async def begin(self) -> Observation:
        return await self._env.reset(self._task)

    async def do(self, action: Action) -> Done:
        result = await self._env.step(action)
        return Done(result.observation, result.outcome)

    def target_of(self, action: Action) -> Candidate | None:
        return self._env.target_of(action)

    async def check(self) -> CheckResult | None:
        if not self._judges:
            return None
        await self._env.step(Finish())
        return await self._env.check()


class WebStage:
    """Any site that the browser reaches."""

    def __init__(self, browser: Browser, url: str, allow: Sequence[str] | None, viewport: Viewport) -> None:
        self._browser, self._url, self._viewport = browser, url, viewport
        self._allow = allow
        self._stack = AsyncExitStack()
        self._session: Session | None = None

    async def begin(self) -> Observation:
        await self.close()
        session = await self._stack.enter_async_context(
            self._browser.session(allow=self._allow, viewport=self._viewport)
        )
        self._session = session
        await session.goto(self._url)
        return await session.observe()

    async def do(self, action: Action) -> Done:
        session = self._open()
        outcome = await session.execute(action)
        return Done(await session.observe(), outcome)

    def target_of(self, action: Action) -> Candidate | None:
        return self._open().target_of(action)

    async def check(self) -> CheckResult | None:
        return None

    async def close(self) -> None:
        """End the context; the browser stays."""
        self._session = None
        stack, self._stack = self._stack, AsyncExitStack()
        await stack.aclose()

    def _open(self) -> Session:
        if self._session is None:
            raise ValueError("nothing was begun yet")
        return self._session


def embedded_site(url: str) -> str:
    """The embedded site that an address is on (`__SHOPPING__/`, `http://shopping.localhost/`), "" for any other.

    With a port it is some running server's, and hence any site.
    """
    if (found := _PLACEHOLDER.fullmatch(url)) is not None:
        name = url.strip("_").split("__")[0].lower()
        return name if found and name in SITES else ""
    parts = urlsplit(url)
    host = parts.netloc.lower()
    name = host.removesuffix(".localhost").replace("-", "_")
    return name if host.endswith(".localhost") and name in SITES else ""


def task_of(guide: Guide) -> Task:
    """The task that a guide of an embedded site is for: the embedded one it names, or one that nothing judges."""
    if guide.task_id:
        if guide.task_id not in entries():
            raise InputError(
                f"guide {guide.id} is for the task {guide.task_id!r}, which there is not",
                fix="Mend or remove task_id in its guide.json.",
            )
        task = entries()[guide.task_id].task
        return task.model_copy(update={"start_url": guide.start_url, "logins": guide.signed_in})
    sites = tuple(dict.fromkeys((embedded_site(guide.start_url), *guide.signed_in)))
    return Task(
        id=guide.id, intent=guide.title, sites=sites, start_url=guide.start_url, logins=guide.signed_in, max_steps=1
    )


def hosts_of(url: str, more: Sequence[str] = ()) -> tuple[str, ...] | None:
    """What a browser at an address may reach: its own host and port, and more `host:port` patterns; None for `*`.

    Raises InputError for what is no http address.
    """
    parts = urlsplit(url)
    try:
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        port = 0
    if not parts.hostname or not port:
        raise InputError(f"{url!r} is no address of a site", fix="Write it whole: https://example.org/page.")
    if "*" in more:
        return None
    return (f"{parts.hostname.lower()}:{port}", *(host if ":" in host else f"{host}:*" for host in more))


@asynccontextmanager
async def open_stage(
    guide: Guide, *, skin: Skin | None = None, allow: Sequence[str] = (), screenshots: bool = True
) -> AsyncIterator[Stage]:
    """A browser on the guide's site; embedded sites are served for it, in a skin if there is one.

    Raises InputError where the start is no address, or a skin is given for a site that is not embedded.
    """
    async with AsyncExitStack() as stack:
        if embedded_site(guide.start_url):
            server: SiteServer = await stack.enter_async_context(serve(port=0))
            browser = await stack.enter_async_context(launch())
            env = WebEnv(browser, server, screenshots=screenshots, skin=skin)
            stack.push_async_callback(env.close)
            yield EmbeddedStage(env, task_of(guide))
            return
        if skin is not None:
            raise InputError(f"{guide.start_url} is no embedded site, so it has no skin", fix="Leave out --skin.")
        hosts = hosts_of(guide.start_url, allow)
        browser = await stack.enter_async_context(launch())
        stage = WebStage(browser, guide.start_url, hosts, guide.steps[0].viewport)
        stack.push_async_callback(stage.close)
        yield stage
