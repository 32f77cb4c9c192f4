"""The tour over the live page, in a real browser on the embedded sites, done by a user's mouse and keys."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Page

from guideact.browser import Browser, launch
from guideact.env import WebEnv
from guideact.guides.guide import Guide, GuideStep, GuideTarget
from guideact.guides.make import from_gold
from guideact.guides.publish.tour import tour
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import parse_skin
from tests.guides.hostile import ATTACK, hostile


class User:
    """Somebody who follows the light."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.problems: list[str] = []
        page.on("pageerror", lambda error: self.problems.append(str(error)))
        page.on("dialog", lambda dialog: self.problems.append(dialog.message))

    async def start(self) -> None:
        await self.page.locator(".guideact-start").click()

    async def bubble(self, number: int, of: int) -> str:
        """What the bubble says once it is at that step."""
        await self.page.locator(".driver-popover-title", has_text=f"Step {number} of {of}").wait_for()
        return await self.page.locator(".driver-popover-description").inner_text()

    async def click_the_light(self) -> None:
        box = await self.page.locator(".guideact-light").bounding_box()
        assert box is not None
        await self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    async def do(self, step: GuideStep) -> None:
        if step.verb == "press_enter":
            await self.page.keyboard.press("Enter")
        elif step.verb == "go_back":
            await self.page.go_back()
        elif step.verb == "select":
            assert step.target is not None
            await self.page.locator(step.target.css).select_option(label=step.value)
        else:
            await self.click_the_light()
        if step.verb == "type":
            await self.page.keyboard.press("ControlOrMeta+a")
            await self.page.keyboard.type(step.value)


@pytest.fixture
async def at() -> AsyncIterator[tuple[SiteServer, Browser]]:
    async with serve(port=0) as server, launch() as browser:
        yield server, browser


@asynccontextmanager
async def touring(guide: Guide, server: SiteServer, browser: Browser) -> AsyncIterator[User]:
    cookies = [server.cookie(0, site, user) for site, user in guide.signed_in.items()]
    async with browser.session(allow=server.allow(0), cookies=cookies) as session:
        await session.active_page.add_init_script(tour(guide))
        await session.active_page.goto(server.actual(guide.start_url))
        yield User(session.active_page)


@pytest.mark.parametrize("task", ["map.list_rename.1", "gitlab.release_new.2"])
async def test_a_user_gets_through_across_pages(task: str, at: tuple[SiteServer, Browser]) -> None:
    server, browser = at
    env = WebEnv(browser, server, instance=1, screenshots=False)
    guide, _ = await from_gold(task, env)
    await env.close()
    pages = set()
    async with touring(guide, server, browser) as user:
        await user.start()
        for number, step in enumerate(guide.steps, 1):
            if step.verb == "scroll":
                continue
            said = await user.bubble(number, len(guide.steps))
            assert said.startswith(step.sentence)
            assert "is not on this page" not in said
            pages.add(user.page.url)
            if step.verb != "finish":
                await user.do(step)
        assert user.page.url.split("?")[0].endswith(guide.steps[-1].url.split("localhost")[-1].split("?")[0])
        await user.page.get_by_role("button", name="Done", exact=True).click()
        await user.page.locator(".guideact-start").wait_for()
        assert user.problems == []
    assert len(pages) >= 2


def _one(target: GuideTarget, sentence: str = "Press it.") -> Guide:
    first = GuideStep(sentence=sentence, verb="click", target=target)
    return Guide(
        id="one",
        title="One",
        start_url="__SHOPPING__/",
        steps=(first, GuideStep(sentence="Done.", verb="finish")),
    )


async def test_it_says_so_when_its_element_is_gone_and_when_it_is_called_otherwise(
    at: tuple[SiteServer, Browser],
) -> None:
    server, browser = at
    async with touring(_one(GuideTarget(role="button", name="Launch rocket")), server, browser) as user:
        await user.start()
        gone = user.page.locator(".guideact-gone")
        await gone.wait_for()
        assert "“Launch rocket” is not on this page." in await gone.inner_text()
        await user.page.get_by_role("button", name="Skip", exact=True).click()
        assert await user.bubble(2, 2) == "Done."
        await user.page.reload()
        assert await user.bubble(2, 2) == "Done.", "where the user is survives a page load"
        await user.page.get_by_role("button", name="Back", exact=True).click()
        await user.page.get_by_role("button", name="Stop", exact=True).click()
        await user.page.reload()
        await user.page.locator(".guideact-start").wait_for()
    server.dress(0, parse_skin("relabel-1"))
    target = GuideTarget(role="combobox", name="Search products", css="#search-box")
    async with touring(_one(target), server, browser) as user:
        shown = await user.page.locator("#search-box").evaluate(
            "e => e.getAttribute('aria-label') || e.labels[0].innerText"
        )
        assert shown.strip() != "Search products", "the skin changes it"
        await user.start()
        assert f"It is called “{shown.strip()}” here." in await user.bubble(1, 2)


async def test_hostile_guides_are_text_and_the_page_stays_usable(at: tuple[SiteServer, Browser]) -> None:
    server, browser = at
    guide = _one(GuideTarget(role="combobox", name="Search products"), f"Press {ATTACK}").model_copy(
        update={"title": ATTACK}
    )
    async with touring(guide, server, browser) as user:
        await user.start()
        said = await user.bubble(1, 2)
        assert "<script>alert(1)</script>" in said
        assert await user.page.locator(".driver-popover script, .driver-popover img").count() == 0
        # Nothing that is not lit is blocked, and the Tab key moves on.
        await user.page.get_by_label("Email address for the newsletter").click()
        await user.page.keyboard.type("Emma")
        await user.page.keyboard.press("Tab")
        assert await user.page.evaluate("document.activeElement.tagName") == "BUTTON"
        assert await user.page.get_by_label("Email address for the newsletter").input_value() == "Emma"
        assert user.problems == []


def test_the_header_names_the_sites_on_lines_of_its_own() -> None:
    guide = _one(GuideTarget(role="button", name="x")).model_copy(update={"title": "A\n// @match *://evil/*"})
    head = tour(guide).split("// ==/UserScript==")[0].splitlines()
    assert [line for line in head if line.startswith("// @match")] == ["// @match       *://shopping.localhost/*"]


def test_nothing_of_a_guide_ends_the_script_tag_that_holds_its_tour(tmp_path: Path) -> None:
    assert "</script" not in tour(hostile(tmp_path)).casefold()
