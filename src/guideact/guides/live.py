"""Making guides where something runs: an agent on any site, or something on the embedded sites."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import TypeVar

from guideact.browser import launch
from guideact.browser.draw import draw_marks
from guideact.config import RunConfig
from guideact.env import WebEnv
from guideact.errors import InputError, SiteError
from guideact.guides.guide import Guide, slug
from guideact.guides.make import from_agent, guide_of
from guideact.guides.places import WebStage, hosts_of
from guideact.harness.agent import agents_for
from guideact.sites.server import serve
from guideact.sites.skins import parse_skin
from guideact.types import Action, Candidate, Observation, Step, Task, Viewport

T = TypeVar("T")


async def make_guide(
    url: str, goal: str, config: RunConfig, *, allow: Sequence[str] = (), most: int
) -> tuple[Guide, dict[str, bytes], bool]:
    """Let the model of `config` do something at an address; the guide, its pictures, and whether the agent ended it.

    Raises InputError where the address is none or cannot be opened, for a model that cannot be, and where it did
    nothing at all.
    """
    hosts = hosts_of(url, allow)
    task = Task(id=slug(goal), intent=goal, sites=("web",), start_url=url, source="web", max_steps=most)
    agents = agents_for(config, (task,))
    async with AsyncExitStack() as stack:
        stack.push_async_callback(agents.close)
        await agents.probe()
        browser = await stack.enter_async_context(launch())
        stage = WebStage(browser, url, hosts, Viewport())
        stack.push_async_callback(stage.close)
        try:
            seen = await stage.begin()
        except SiteError as error:
            raise InputError(error.message, fix="Check the address.") from error
        agent = agents.agent(task, 0)
        last: list[Step] = []

        async def decide(seen: Observation, index: int) -> tuple[Action | None, str]:
            shot = seen.screenshot
            image = draw_marks(shot.png, seen.candidates, seen.viewport) if shot is not None else None
            decision = await agent.decide(seen, image, index)
            answer = decision.answer
            target = stage.target_of(answer.action) if answer.action is not None else None
            step = Step(
                index=index, url=seen.url, title=seen.title, action=answer.action, guide=answer.guide, target=target
            )
            last.append(step)
            agent.remember(step, seen)
            return answer.action, answer.guide

        async def act(action: Action) -> tuple[Observation, bool, Candidate | None]:
            done = await stage.do(action)
            return done.seen, done.outcome is None, last[-1].target

        moments, _, ended = await from_agent(seen, decide, act, most=most)
    guide, pictures = guide_of(moments, title=goal, start_url=url, source=f"agent: {config.model}")
    return guide, pictures, ended


async def on_sites(work: Callable[[WebEnv], Awaitable[T]], *, skin: str | None = None) -> T:
    """Do something in an environment on the embedded sites, with screenshots."""
    worn = parse_skin(skin) if skin is not None else None
    async with serve(port=0) as server, launch() as browser:
        env = WebEnv(browser, server, skin=worn)
        try:
            return await work(env)
        finally:
            await env.close()
