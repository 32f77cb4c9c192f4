"""The studio in a real browser: by keyboard alone, on a phone, and with items whose every text attacks the page."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Page

from guideact.browser import launch
from guideact.sites.listen import answering, bind
from guideact.studio.app import make_app
from guideact.studio.items import Item, Source, read_source
from guideact.studio.runs import Runs
from guideact.studio.store import Store
from guideact.studio.work import Plan
from guideact.types import Box
from tests.data.made_data import made_dataset
from tests.studio.conftest import PASSWORD, hashed

pytestmark = pytest.mark.asyncio
ATTACKS = (
    "<script>window.hit = 1</script>",
    "\"><img src=x onerror='window.hit = 1'>",
    "</textarea><svg onload='window.hit = 1'>",
    "javascript:window.hit = 1",
    "{{ 7 * 7 }}",
)


@pytest_asyncio.fixture
async def studio(tmp_path: Path) -> AsyncIterator[tuple[Store, Page, str]]:
    """A served studio over the small dataset and a hostile task, and a page in a browser."""
    store = Store.open(tmp_path / "studio", make=True)
    store.add_source(*read_source(made_dataset(tmp_path / "data").folder, None, None))
    hostile = [
        Item(
            task="z.hostile", title=text, position=i, draft=text, verb="type", value=text, role="textbox", name=text,
            url=text, page=text, box=Box(x=10, y=10, width=50, height=20),
        )
        for i, text in enumerate(ATTACKS)
    ]  # fmt: skip
    store.add_source(Source(kind="guide", path="/nowhere", name="hostile"), hostile, lambda _: b"")
    store.add_person("ann", hashed(), "lead", "en")
    listener = bind(0)
    origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with answering(make_app(store, Plan(), Runs(None)), listener), launch() as browser:
        async with browser.session() as session:
            yield store, session.active_page, origin
    store.close()


async def sign_in(page: Page, origin: str) -> None:
    await page.goto(origin)
    await page.wait_for_function("document.activeElement.name === 'name'")
    await page.keyboard.type("ann")
    await page.keyboard.press("Tab")
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"{origin}/work")
    await page.wait_for_function("document.activeElement.matches('button.main')")  # it is focused with the first frame


async def test_a_task_is_reviewed_by_keyboard_alone(studio: tuple[Store, Page, str]) -> None:
    store, page, origin = studio
    await sign_in(page, origin)
    await page.keyboard.press("Enter")  # the button to go on has the focus
    await page.wait_for_url("**/review/1")
    assert await page.locator("svg .lit").count() == 1
    await page.keyboard.press("e")
    await page.keyboard.type("Search for it.")
    await page.keyboard.press("Control+Enter")
    await page.wait_for_url("**/review/2")
    await page.keyboard.press("f")
    await page.keyboard.press("r")  # a reason is missing: the list of them gets the focus
    await page.keyboard.press("n")
    await page.keyboard.press("Escape")
    await page.keyboard.press("r")
    await page.wait_for_url("**/review/3")
    await page.keyboard.press("a")
    await page.wait_for_url("**/work?finished=made.1")
    labels = store.labels()
    assert [(label.decision, label.flagged) for label in labels] == [
        ("edit", False),
        ("reject", True),
        ("accept", False),
    ]
    assert labels[0].text == "Search for it."
    assert labels[1].reason == "names another element"
    assert labels[0].seconds > 0


async def test_hostile_text_stays_text(studio: tuple[Store, Page, str]) -> None:
    store, page, origin = studio
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    await sign_in(page, origin)
    for number, item in store.items("z.hostile").items():  # a lead may look at any
        await page.goto(f"{origin}/review/{number}")
        assert await page.locator("h1").inner_text() == item.title
        assert await page.locator("textarea").input_value() == item.draft
        assert await page.evaluate("window.hit") is None
    await page.goto(f"{origin}/work")
    await page.goto(f"{origin}/progress")
    assert await page.evaluate("window.hit") is None
    assert problems == []


async def test_nothing_is_cut_off_on_a_phone(studio: tuple[Store, Page, str]) -> None:
    _, page, origin = studio
    await page.set_viewport_size({"width": 375, "height": 740})
    await sign_in(page, origin)
    for path in ("/work", "/review/1", "/progress", "/settle"):
        await page.goto(origin + path)
        overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0, path
