"""What the map's script does, in a real browser: by mouse, by keyboard, and what is left without it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, async_playwright, expect

from guideact.browser.launch import find_chromium
from guideact.sites.server import SiteServer, serve


@pytest.fixture
async def server() -> AsyncIterator[SiteServer]:
    async with serve() as running:
        yield running
        assert running.faults() == []


@asynccontextmanager
async def opened(
    server: SiteServer, path: str, *, scripts: bool = True, signed_in: bool = False
) -> AsyncIterator[Page]:
    """A page of the map, drawn; a script that fails or breaks the security policy fails the test."""
    faults: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        context = await browser.new_context(
            base_url=server.url("map"), viewport={"width": 1440, "height": 900}, java_script_enabled=scripts
        )
        if signed_in:
            cookie = server.cookie(0, "map", "emma_l")
            await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
        page = await context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
        await page.goto(path)
        if scripts:
            await expect(page.locator("#map")).to_have_attribute("data-ready", "yes")
        yield page
        await browser.close()
    assert faults == []


async def colours(page: Page) -> int:
    """How many colours the canvas has, in a sample of its pixels."""
    return int(
        await page.evaluate(
            "() => { const c = document.querySelector('#map canvas');"
            " const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; const seen = new Set();"
            " for (let i = 0; i < d.length; i += 4 * 97) seen.add((d[i] << 16) | (d[i + 1] << 8) | d[i + 2]);"
            " return seen.size; }"
        )
    )


async def picture(page: Page) -> str:
    return str(await page.evaluate("() => document.querySelector('#map canvas').toDataURL()"))


async def test_the_map_is_drawn_the_same_each_time(server: SiteServer) -> None:
    async with opened(server, "/place/b3") as page:
        assert await colours(page) > 40
        first = await picture(page)
        await page.reload()
        await expect(page.locator("#map")).to_have_attribute("data-ready", "yes")
        assert await picture(page) == first


async def test_it_moves_by_buttons_keys_and_dragging(server: SiteServer) -> None:
    async with opened(server, "/place/b3") as page:
        await page.get_by_role("button", name="Zoom in").click()
        assert "view=60.16702,24.94678,18" in page.url
        await page.get_by_role("button", name="Move north").click()
        north = re.search(r"view=([\d.]+),", page.url)
        assert north is not None
        assert float(north[1]) > 60.1671
        await page.get_by_role("application").focus()
        await page.keyboard.press("ArrowDown")
        await page.keyboard.press("-")
        assert "view=60.16702,24.94678,17" in page.url
        box = await page.locator("#map").bounding_box()
        assert box is not None
        await page.mouse.move(box["x"] + 300, box["y"] + 300)
        await page.mouse.down()
        await page.mouse.move(box["x"] + 400, box["y"] + 300, steps=3)
        await page.mouse.up()
        west = re.search(r"view=[\d.]+,([\d.]+),", page.url)
        assert west is not None
        assert float(west[1]) < 24.9464
        await page.get_by_role("button", name="Back to the first view").click()
        assert "view=60.16702,24.94678,17" in page.url
        await page.mouse.move(box["x"] + 500, box["y"] + 400)
        await page.mouse.wheel(0, -100)
        await page.wait_for_url(re.compile(r",18$"))


async def test_a_click_opens_what_is_there(server: SiteServer) -> None:
    async with opened(server, "/?view=60.16702,24.94678,18") as page:
        await page.locator("#map").click(position={"x": 510, "y": 420})
        await page.wait_for_url(re.compile(r"/place/b3\?view=|/at/60\.16702,24\.94678"))
        await page.goto("/?view=60.17430,24.94480,18")
        await expect(page.locator("#map")).to_have_attribute("data-ready", "yes")
        await page.locator("#map").click(position={"x": 300, "y": 300})
        await page.wait_for_url(re.compile(r"/(at|place)/"))


async def test_markers_are_links_with_names(server: SiteServer) -> None:
    async with opened(server, "/category/museums?near=b2") as page:
        marker = page.get_by_role("link", name="Marker 1: ")
        await marker.focus()
        await page.keyboard.press("Enter")
        await page.wait_for_url(re.compile(r"/place/"))


async def test_the_search_suggests_by_keyboard_and_mouse(server: SiteServer) -> None:
    async with opened(server, "/") as page:
        box = page.get_by_role("combobox", name="Search the map")
        await box.fill("cable")
        await expect(page.get_by_role("option").first).to_be_visible()
        await box.press("ArrowDown")
        await box.press("Enter")
        await page.wait_for_url(re.compile(r"/place/b6"))
        await page.get_by_role("combobox", name="Search the map").fill("mikonkatu 1")
        await page.get_by_role("option", name="Mikonkatu 17").click()
        await page.wait_for_url(re.compile(r"/at/"))


async def test_clicks_fill_in_directions_and_measure(server: SiteServer) -> None:
    async with opened(server, "/directions?view=60.17000,24.94400,16") as page:
        await page.locator("#map").click(position={"x": 400, "y": 500})
        await page.wait_for_url(re.compile(r"from=\w"))
        await expect(page.locator("#map")).to_have_attribute("data-ready", "yes")
        await page.locator("#map").click(position={"x": 600, "y": 200})
        await expect(page.get_by_role("heading", name="Step by step")).to_be_visible()
        await page.get_by_role("radio", name="Bicycle").check()
        await page.wait_for_url(re.compile(r"mode=bicycle"))
        await page.goto("/measure?view=60.17000,24.94400,16")
        for at in ((400, 500), (600, 200)):
            await expect(page.locator("#map")).to_have_attribute("data-ready", "yes")
            await page.locator("#map").click(position={"x": at[0], "y": at[1]})
            await page.wait_for_url(re.compile(r"p="))
        await expect(page.locator("#total")).to_have_text(re.compile(r"^\d+ m$"))


async def test_suggestions_fill_a_field_with_the_right_one(server: SiteServer) -> None:
    async with opened(server, "/directions") as page:
        await page.get_by_role("combobox", name="Start").fill("robert")
        option = page.get_by_role("option").nth(1)
        reference = await option.get_attribute("data-ref")
        await option.click()
        await page.get_by_role("combobox", name="Destination").fill("Cable Hall")
        await page.get_by_role("button", name="Get directions").click()
        await page.wait_for_url(re.compile(f"from_ref={reference}"))


async def test_layers_change_the_picture_and_are_kept(server: SiteServer) -> None:
    async with opened(server, "/place/b3") as page:
        first = await picture(page)
        await page.get_by_text("Layers").click()
        async with page.expect_response("**/layers"):
            await page.get_by_role("checkbox", name="Buildings").uncheck()
        second = await picture(page)
        assert second != first
        async with page.expect_response("**/layers"):
            await page.get_by_role("radio", name="Night").check()
        assert await picture(page) != second
        await page.reload()
        await page.get_by_text("Layers").click()
        await expect(page.get_by_role("radio", name="Night")).to_be_checked()


async def test_a_place_is_saved_and_shared_from_dialogs(server: SiteServer) -> None:
    async with opened(server, "/place/b9", signed_in=True) as page:
        await page.get_by_role("button", name="Share").click()
        await expect(page.get_by_role("textbox", name="Link")).to_have_value(re.compile(r"/place/b9$"))
        await expect(page.frame_locator("iframe").locator("#map")).to_have_attribute("data-ready", "yes")
        await page.get_by_role("button", name="Close").click()
        await page.get_by_role("button", name="Save", exact=True).click()
        await page.get_by_role("combobox", name="List").select_option("Lamp Week")
        await page.get_by_role("button", name="Save place").click()
        await expect(page.get_by_role("status")).to_contain_text("was saved to “Lamp Week”")
        page.on("dialog", lambda dialog: dialog.dismiss())
        await page.goto("/saved")
        await page.get_by_role("button", name="Delete list Lamp Week").click()
        await expect(page.get_by_role("link", name="Lamp Week", exact=True)).to_be_visible()


async def test_everything_is_there_without_scripts(server: SiteServer) -> None:
    async with opened(server, "/place/b4", scripts=False) as page:
        await expect(page.get_by_text("The map is drawn by a script")).to_be_visible()
        await expect(page.get_by_text("My brakes squeal no more")).to_be_visible()
        await page.goto("/directions")
        await page.get_by_role("combobox", name="Start").fill("Ateneum")
        await page.get_by_role("combobox", name="Destination").fill("Kiasma")
        await page.get_by_role("button", name="Get directions").click()
        await expect(page.get_by_text("Arrive at Kiasma")).to_be_visible()
