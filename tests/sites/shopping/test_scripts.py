"""What the storefront's scripts do, in a real browser: by mouse, by keyboard, and what is left without them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
from playwright.async_api import Dialog, Page, async_playwright, expect

from guideact.browser.launch import find_chromium
from guideact.sites.server import SiteServer, serve

Open = Callable[..., AbstractAsyncContextManager[Page]]


@pytest.fixture
async def server() -> AsyncIterator[SiteServer]:
    async with serve() as running:
        yield running
        assert running.faults() == []


@pytest.fixture
def opened(server: SiteServer) -> Open:
    """Opens a page of the shop; a script that fails or breaks the security policy fails the test."""

    @asynccontextmanager
    async def visit(
        path: str, *, scripts: bool = True, width: int = 1440, signed_in: bool = False
    ) -> AsyncIterator[Page]:
        faults: list[str] = []
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
            context = await browser.new_context(
                base_url=server.url("shopping"),
                viewport={"width": width, "height": 900},
                java_script_enabled=scripts,
                reduced_motion="reduce",
            )
            if signed_in:
                cookie = server.cookie(0, "shopping", "emma.lopez@example.com")
                await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
            page = await context.new_page()
            page.on("pageerror", lambda error: faults.append(str(error)))
            page.on("console", lambda line: faults.append(line.text) if "Content Security" in line.text else None)
            await page.goto(path)
            yield page
            await browser.close()
        assert faults == []

    return visit


def quantity_of(server: SiteServer) -> list[tuple[int, str]]:
    found = server.database(0, "shopping").connection.execute(
        "SELECT i.quantity, i.options FROM cart_item i JOIN cart c ON c.id = i.cart_id WHERE c.customer_id = 1"
    )
    return [(row["quantity"], row["options"]) for row in found.fetchall()]


async def test_buying_with_custom_controls(server: SiteServer, opened: Open) -> None:
    async with opened("/p/everyday-tee", signed_in=True) as page:
        price = page.locator("[data-price-now]")
        await expect(price).to_have_text("$24.00")
        await page.get_by_role("combobox", name="Size", exact=True).select_option("XL")
        await page.get_by_role("radio", name="Sand").check()
        await expect(price).to_have_text("$26.00")
        await page.get_by_role("button", name="Increase quantity").click()
        await page.get_by_role("button", name="Increase quantity").click()
        await page.get_by_role("button", name="Decrease quantity").click()
        await page.get_by_role("button", name="Add to cart", exact=True).click()
        await expect(page.get_by_role("status").filter(has_text="You added Everyday Tee")).to_be_visible()
        assert quantity_of(server) == [(2, '{"Colour": "Sand", "Size": "XL"}')]
        await page.get_by_role("button", name="Dismiss message").click()
        await expect(page.get_by_text("You added Everyday Tee")).to_have_count(0)
        await page.get_by_role("textbox", name="Quantity").fill("3")
        await page.get_by_role("combobox", name="Size", exact=True).select_option("S")
        await page.get_by_role("radio", name="Sand").check()
        await page.get_by_role("textbox", name="Quantity").press("Enter")
        await page.get_by_role("button", name="My cart, 5 items").click()
        await expect(page.get_by_role("link", name="View and edit cart")).to_be_visible()


async def test_the_list_box_by_mouse_and_by_keyboard(server: SiteServer, opened: Open) -> None:
    async with opened("/p/trail-pack-35-l", signed_in=True) as page:
        box = page.get_by_role("combobox", name="Length")
        await box.click()
        await page.get_by_role("option", name="Regular").click()
        await expect(box).to_have_text("Regular")
        await box.press("ArrowDown")
        await expect(box).to_have_attribute("aria-expanded", "true")
        await box.press("ArrowDown")
        await box.press("Enter")
        await expect(box).to_have_text("Long (+$5.00)")
        await expect(box).to_have_attribute("aria-expanded", "false")
        await page.get_by_role("button", name="Add to cart", exact=True).click()
        await expect(page.get_by_text("You added Trail Pack 35 L")).to_be_visible()
        assert quantity_of(server) == [(1, '{"Length": "Long"}')]


async def test_menus_and_suggestions_by_keyboard(opened: Open) -> None:
    async with opened("/") as page:
        await page.get_by_role("link", name="Clothing", exact=True).first.focus()
        inside = page.get_by_role("link", name="Jackets & Hoodies").first
        await expect(inside).to_be_hidden()
        await page.keyboard.press("ArrowDown")
        await expect(inside).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(inside).to_be_hidden()
        search = page.get_by_role("combobox", name="Search products")
        await search.press_sequentially("harbour mug no. 1")
        await expect(page.get_by_role("option", name="Harbour Mug No. 1")).to_be_visible()
        await search.press("ArrowDown")
        await expect(page.get_by_role("option", name="Harbour Mug No. 1")).to_have_attribute("aria-selected", "true")
        await search.press("Enter")
        await page.wait_for_url("**/p/harbour-mug-no-1")


async def test_a_menu_opens_under_a_moving_mouse_only(opened: Open) -> None:
    async with opened("/") as page:
        link = page.get_by_role("link", name="Clothing", exact=True).first
        await link.click()
        await page.wait_for_url("**/c/clothing")
        inside = page.locator(".mega").get_by_role("link", name="Jackets & Hoodies")
        await expect(inside).to_be_hidden()
        await link.hover()
        await page.mouse.move(700, 600)
        await link.hover()
        await expect(inside).to_be_visible()
        await page.mouse.move(700, 800)
        await expect(inside).to_be_hidden()


async def test_tabs_dialogs_and_the_frame(opened: Open) -> None:
    async with opened("/p/everyday-tee") as page:
        await page.get_by_role("tab", name="Reviews").click()
        await expect(page.get_by_role("heading", name="Write a review")).to_be_visible()
        await page.get_by_role("tab", name="Reviews").press("ArrowLeft")
        await expect(page.get_by_role("tabpanel", name="More information")).to_be_visible()
        await page.get_by_role("button", name="Size guide").click()
        await expect(page.get_by_role("dialog", name="Size guide")).to_be_visible()
        await page.keyboard.press("Escape")
        await expect(page.get_by_role("dialog", name="Size guide")).to_be_hidden()
        frame = page.frame_locator("iframe[title='Delivery estimate']")
        await frame.get_by_role("combobox", name="Country").select_option("Finland")
        await frame.get_by_role("textbox", name="Postcode").fill("00100")
        await frame.get_by_role("button", name="Estimate delivery").click()
        await expect(frame.get_by_text("Wednesday, Mar 18, 2026")).to_be_visible()
        await page.get_by_role("button", name="Accept all cookies").click()
        await expect(page.get_by_role("button", name="Accept all cookies")).to_have_count(0)


async def test_a_question_before_emptying_the_cart(server: SiteServer, opened: Open) -> None:
    async with opened("/p/harbour-mug-no-1", signed_in=True) as page:
        await page.get_by_role("button", name="Only necessary").click()
        await page.get_by_role("button", name="Add to cart", exact=True).click()
        await page.goto("/cart")
        asked: list[str] = []

        async def refuse(dialog: Dialog) -> None:
            asked.append(dialog.message)
            await dialog.dismiss()

        page.once("dialog", refuse)
        await page.get_by_role("button", name="Empty cart").click()
        assert asked == ["Remove all items from your cart?"]
        assert len(quantity_of(server)) == 1
        page.once("dialog", lambda dialog: dialog.accept())
        await page.get_by_role("button", name="Empty cart").click()
        await expect(page.get_by_role("heading", name="Your cart is empty")).to_be_visible()
        assert quantity_of(server) == []


async def test_the_shop_works_without_scripts(server: SiteServer, opened: Open) -> None:
    async with opened("/p/trail-pack-35-l", scripts=False, signed_in=True) as page:
        await page.get_by_role("button", name="Only necessary").click()
        await page.get_by_role("combobox", name="Length").select_option("Short")
        await page.get_by_role("textbox", name="Quantity").fill("2")
        await page.get_by_role("button", name="Add to cart", exact=True).click()
        assert quantity_of(server) == [(2, '{"Length": "Short"}')]
        await page.goto("/checkout/address")
        await page.get_by_role("button", name="Continue to delivery method").click()
        await page.get_by_role("button", name="Continue to payment").click()
        await page.get_by_role("radio", name="Invoice").check()
        await page.get_by_role("button", name="Continue to review").click()
        await page.get_by_role("checkbox", name="I accept the terms and conditions").check()
        await page.get_by_role("button", name="Place order").click()
        await expect(page.get_by_role("heading", name="Thank you for your purchase!")).to_be_visible()


@pytest.mark.parametrize("width", [1440, 390])
async def test_no_page_is_wider_than_the_window(opened: Open, width: int) -> None:
    async with opened("/", width=width, signed_in=True) as page:
        await page.goto("/c/sneakers")
        for number in range(3):
            await page.get_by_role("button", name="to compare").nth(number).click()
        for path in (
            "/",
            "/c/clothing",
            "/sale?view=list",
            "/p/everyday-tee",
            "/cart",
            "/compare",
            "/login",
            "/search?q=mug",
        ):
            await page.goto(path)
            assert await page.evaluate("document.documentElement.scrollWidth") <= width, path
