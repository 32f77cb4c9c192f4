"""The custom controls as an agent meets them: seen in observations, worked by clicks, typing and Enter alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import async_playwright

from guideact.browser import Session, launch
from guideact.browser.launch import find_chromium
from guideact.sites.server import SiteServer, serve
from guideact.sites.world import NOW
from guideact.types import Action, Candidate, Click, Mark, Observation, PressEnter, Scroll, Select, Type


class Hands:
    """Finds controls by role and name, scrolling down where they are not in sight yet."""

    def __init__(self, session: Session, server: SiteServer) -> None:
        self.session = session
        self.server = server

    def value(self, sql: str) -> Any:
        return self.server.database(0, "shopping_admin").connection.execute(sql).fetchall()[0][0]

    async def open(self, path: str) -> None:
        await self.session.goto(self.server.url("shopping_admin") + path)

    async def see(self) -> Observation:
        return await self.session.observe(screenshot=False)

    async def find(self, role: str, name: str) -> Candidate:
        for _ in range(8):
            seen = await self.see()
            for candidate in seen.candidates:
                if candidate.role == role and candidate.name == name:
                    return candidate
            await self.session.execute(Scroll(direction="down"))
            await self.session.settle()
        raise AssertionError(f"no {role} {name!r} among {[(one.role, one.name) for one in seen.candidates]}")

    async def act(self, action: Action) -> None:
        assert await self.session.execute(action) is None
        await self.session.settle()

    async def click(self, role: str, name: str) -> None:
        await self.act(Click(target=Mark(mark=(await self.find(role, name)).mark)))

    async def type(self, role: str, name: str, text: str) -> None:
        await self.act(Type(target=Mark(mark=(await self.find(role, name)).mark), text=text))

    async def select(self, name: str, option: str) -> None:
        await self.act(Select(target=Mark(mark=(await self.find("combobox", name)).mark), option=option))

    async def says(self, text: str) -> bool:
        return any(text in line.text for line in (await self.see()).texts)


@pytest.fixture
async def hands() -> AsyncIterator[Hands]:
    async with serve(0) as server, launch() as browser:
        cookie = server.cookie(0, "shopping_admin", "admin")
        async with browser.session(allow=server.allow(0), now=NOW, cookies=[cookie]) as session:
            yield Hands(session, server)
            assert server.faults(0) == []


async def test_menu_lists_and_stock(hands: Hands) -> None:
    await hands.open("/")
    await hands.click("button", "Catalog")
    await hands.click("link", "Products")
    await hands.type("searchbox", "Name, SKU or brand", "MUG-1002")
    await hands.act(PressEnter())
    stock = hands.value("SELECT stock FROM product WHERE id = 2")
    await hands.click("button", f"Edit stock of Harbour Mug No. 2: {stock}")
    await hands.type("textbox", "Stock of Harbour Mug No. 2", "77")
    await hands.click("button", "Save stock of Harbour Mug No. 2")
    assert hands.value("SELECT stock FROM product WHERE id = 2") == 77
    assert await hands.says("77")


async def test_mass_action_with_its_question(hands: Hands) -> None:
    await hands.open("/reviews?status=pending")
    before = hands.value("SELECT count(*) FROM review WHERE status = 'rejected'")
    found = hands.server.database(0, "shopping_admin").connection.execute(
        "SELECT id, nickname FROM review WHERE status = 'pending' ORDER BY created_at DESC, id DESC LIMIT 2"
    )
    for number, nickname in found.fetchall():
        await hands.click("checkbox", f"Select review {number} by {nickname}")
    await hands.select("Mass action", "Reject")
    await hands.click("button", "Apply to selected")
    assert "Reject 2 reviews?" in [dialog.message for dialog in (await hands.see()).dialogs]
    assert hands.value("SELECT count(*) FROM review WHERE status = 'rejected'") == before + 2


async def test_filters_with_the_date_picker(hands: Hands) -> None:
    await hands.open("/orders")
    await hands.click("button", "Filters")
    await hands.click("button", "Choose placed on from")
    await hands.click("button", "Sunday, March 1, 2026")
    await hands.click("button", "Apply filters")
    assert (await hands.see()).url == hands.server.url("shopping_admin") + "/orders?created_at_from=2026-03-01"
    await hands.click("link", "Remove filter Placed on from: Mar 1, 2026")
    assert "created_at_from" not in (await hands.see()).url


async def test_the_date_picker_moves_by_month(hands: Hands) -> None:
    await hands.open("/promotions/2")
    await hands.click("button", "Choose last day")
    await hands.click("button", "Next month")
    await hands.click("button", "Wednesday, April 15, 2026")
    await hands.click("button", "Save promotion")
    assert hands.value("SELECT ends_on FROM promotion WHERE id = 2") == "2026-04-15"


async def test_product_form_with_category_rich_text_and_options(hands: Hands) -> None:
    await hands.open("/products/2")
    await hands.click("combobox", "Category")
    await hands.type("combobox", "Category", "boots")
    await hands.click("option", "Boots")
    await hands.type("textbox", "Description", "Warm & light")
    await hands.click("button", "Add option")
    await hands.type("textbox", "Option name", "Size")
    await hands.click("button", "Add value")
    await hands.type("textbox", "Value", "Large")
    await hands.type("textbox", "Extra price ($)", "2.50")
    await hands.select("Colour", "Green")
    await hands.click("button", "Save product")
    assert await hands.says("Product Harbour Mug No. 2 was saved.")
    assert hands.value("SELECT description FROM product WHERE id = 2") == "<p>Warm &amp; light</p>"
    assert hands.value("SELECT name FROM category WHERE id = (SELECT category_id FROM product WHERE id = 2)") == "Boots"
    assert hands.value("SELECT picture_colour FROM product WHERE id = 2") == "green"
    sql = (
        "SELECT o.name || v.label || v.extra_cents FROM product_option o, product_option_value v ON v.option_id = o.id"
    )
    assert hands.value(f"{sql} WHERE o.product_id = 2") == "SizeLarge250"


async def test_opening_and_saving_in_a_browser_changes_nothing(hands: Hands) -> None:
    for path, button in (
        ("/products/150", "Save product"),
        ("/pages/2", "Save page"),
        ("/promotions/3", "Save promotion"),
    ):
        await hands.open(path)
        await hands.click("button", button)
        assert await hands.says("was saved")
    assert hands.server.database(0, "shopping_admin").changes() == ()


async def test_global_search_and_order_steps(hands: Hands) -> None:
    number, order_id = (
        hands.server.database(0, "shopping_admin")
        .connection.execute("SELECT number, id FROM sales_order WHERE status = 'pending' ORDER BY id LIMIT 1")
        .fetchall()[0]
    )
    await hands.open("/")
    await hands.type("combobox", "Search orders, customers and products", number)
    seen = await hands.see()
    option = next(one for one in seen.candidates if one.role == "option" and one.name.startswith(f"Order {number}"))
    await hands.act(Click(target=Mark(mark=option.mark)))
    await hands.click("button", "Hold")
    assert hands.value(f"SELECT status FROM sales_order WHERE id = {order_id}") == "on_hold"
    tab = next(one for one in (await hands.see()).candidates if one.role == "link" and one.name.startswith("History"))
    await hands.act(Click(target=Mark(mark=tab.mark)))
    await hands.type("textbox", "Comment", "Waiting for the customer.")
    await hands.click("checkbox", "Visible to customer")
    await hands.click("button", "Add comment")
    assert await hands.says("Waiting for the customer.")


async def test_saving_a_view_in_its_dialog(hands: Hands) -> None:
    await hands.open("/customers?customer_group=Wholesale")
    await hands.click("button", "Save view")
    await hands.type("textbox", "View name", "Big buyers")
    await hands.click("button", "Save")
    await hands.click("link", "Big buyers")
    await hands.click("button", "Delete view Big buyers")
    assert all(one.name != "Big buyers" for one in (await hands.see()).candidates)


COVERED = """() => {
    const bar = document.querySelector(".save-bar"), found = new Set();
    for (const field of document.querySelectorAll("main input:not([type=hidden]), main select, main textarea"))
        for (let top = 0; top < document.body.scrollHeight - innerHeight && field.checkVisibility(); top += 40) {
            field.blur();
            scrollTo(0, top);
            field.focus();
            const at = field.getBoundingClientRect(), over = bar.getBoundingClientRect();
            // Of a text of several lines, the browser brings the one into view that the caret stands in.
            const bottom = field.localName === "textarea" ? at.top + 24 : at.bottom;
            if (bottom > over.top && at.top < over.bottom) found.add(field.name);
        }
    return [...found];
}"""


async def test_the_bar_with_save_covers_no_field_that_takes_the_focus() -> None:
    async with serve(0) as server, async_playwright() as playwright:
        cookie = server.cookie(0, "shopping_admin", "admin")
        browser = await playwright.chromium.launch(executable_path=find_chromium(playwright), args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": 800, "height": 640}, bypass_csp=True)
        await context.add_cookies([{"name": cookie["name"], "value": cookie["value"], "url": cookie["url"]}])
        page = await context.new_page()
        for path in ("/promotions/2", "/customers/new"):
            await page.goto(server.url("shopping_admin") + path)
            assert await page.evaluate(COVERED) == [], path
        await browser.close()
