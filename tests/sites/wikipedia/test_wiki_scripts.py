"""What the encyclopedia's scripts do, in a real browser, by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from playwright.async_api import Page, async_playwright, expect

from guideact.browser.launch import find_chromium
from guideact.sites.server import SiteServer, serve


@pytest.fixture
async def server() -> AsyncIterator[SiteServer]:
    async with serve() as running:
        yield running
        assert running.faults() == []


@pytest.fixture
async def page(server: SiteServer) -> AsyncIterator[Page]:
    """A browser in which Emma is signed in; a script that fails or breaks the security policy fails the test."""
    faults: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        context = await browser.new_context(
            base_url=server.url("wikipedia"), viewport={"width": 1440, "height": 900}, reduced_motion="reduce"
        )
        cookie = server.cookie(0, "wikipedia", "emma_l")
        await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
        opened = await context.new_page()
        opened.on("pageerror", lambda error: faults.append(str(error)))
        opened.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
        yield opened
        await browser.close()
    assert faults == []


async def test_reading(page: Page) -> None:
    await page.goto("/")
    box = page.get_by_role("combobox", name="Search the encyclopedia")
    await box.fill("list of li")
    await expect(page.get_by_role("option")).to_have_count(1)
    await box.press("ArrowDown")
    await box.press("Enter")
    await expect(page.get_by_role("heading", level=1)).to_have_text("List of lighthouses of the Morrow Islands")
    first = page.locator("table.sortable tbody tr").first
    await page.get_by_role("button", name="Height (m)").click()
    await expect(first).to_contain_text("Gullhaven Light")
    await page.get_by_role("button", name="Height (m)").press("Enter")
    await expect(first).to_contain_text("Ember Rock Light")
    await expect(page.locator("th[aria-sort=descending]")).to_have_count(1)

    link = page.get_by_role("link", name="Brackle", exact=True)
    await link.hover()
    await expect(page.get_by_role("tooltip")).to_contain_text("Brackle is a flat island")
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("tooltip")).to_have_count(0)
    await link.focus()
    await expect(page.get_by_role("tooltip")).to_have_count(1)


async def test_dialogs(page: Page) -> None:
    await page.goto("/wiki/Kettle")
    await page.get_by_role("link", name="Cite this article").click()
    dialog = page.get_by_role("dialog", name="Cite this article")
    await expect(dialog).to_contain_text("Retrieved 16 March 2026")
    await dialog.get_by_role("tab", name="BibTeX").click()
    await expect(dialog.get_by_role("tabpanel", name="BibTeX")).to_contain_text("@misc")
    await dialog.get_by_role("button", name="Close citation").click()
    await page.get_by_role("link", name="Enlarge picture: Parts of a stovetop kettle").click()
    viewer = page.get_by_role("dialog", name="Picture")
    await expect(viewer).to_contain_text("Parts of a stovetop kettle")
    await page.keyboard.press("Escape")
    await expect(viewer).to_be_hidden()
    await page.get_by_role("link", name="Save to a reading list").click()
    await page.get_by_label("Reading list", exact=True).select_option(label="Pens and paper")
    await page.get_by_role("button", name="Add to list").click()
    await expect(page.get_by_role("status")).to_contain_text("was put on the list")


async def test_the_editor_s_buttons(page: Page, server: SiteServer) -> None:
    await page.goto("/edit/Isar?section=1")
    area = page.get_by_label("Section text")
    await area.fill("== In Munich ==\nriver")
    await area.evaluate("area => area.setSelectionRange(16, 21)")
    await page.get_by_role("button", name="Bold").click()
    await expect(area).to_have_value("== In Munich ==\n'''river'''")
    await page.get_by_role("button", name="Save changes").click()
    await expect(page.locator(".prose")).to_contain_text("river")
    assert any(change.table == "revision" for change in server.database(0, "wikipedia").changes())
