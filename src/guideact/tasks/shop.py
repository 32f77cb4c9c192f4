"""Deeds on the storefront that many solvers have, in steps with varied sentences."""

from __future__ import annotations

from collections.abc import Generator

from guideact.tasks.solve import Act, Page
from guideact.types import Observation

Deed = Generator[Act, Observation, None]

PRICE = r"\$[\d,]+\.\d\d"
"""An amount as the sites write it."""

_COLUMN = 300
"""How far from the left edge of a list of products the name of its first one begins at most, px."""


def open_product(page: Page, name: str, *, query: str = "") -> Deed:
    """Search for a product (by its name, or by `query`) and open its page: three steps and scrolls."""
    yield from page.search(query or name)
    yield from open_listed(page, name)


def open_listed(page: Page, name: str, *, what: str = "") -> Deed:
    """Open a product that is listed on this page."""
    say = page.phrase("open_result", name=name)
    yield from page.click("link", name, say=say, what=what or f"the card of “{name}”")


def open_category(page: Page, department: str, category: str) -> Deed:
    """Go to a category through its department: two steps."""
    say = page.phrase("open_department", name=department)
    yield from page.click("link", department, say=say, direction="up", menu="Categories")
    yield from page.click("link", category, say=page.phrase("open_category", name=category))


def filter_by(page: Page, group: str, value: str) -> Deed:
    """Choose a value of a filter in the left column of a list."""
    # The filters have a scroll bar of their own where they are longer than the screen.
    column = page.find("region", "Filters")
    yield from page.reach("link", value, near=group, what=f"“{value}” under “{group}”", inside=column)
    yield from page.click("link", value, near=group, say=page.phrase("filter", filter=group, value=value))


def first_listed(page: Page) -> str:
    """The name of the first product of the list in view."""
    count = next((line.box for line in page.lines() if line.text.startswith("Items ")), None)
    if count is None:
        raise page.stuck("no list of products")
    names = [
        link
        for link in page.find_all("link")
        if link.box.y > count.y + 2 * count.height and 0 <= link.box.x - count.x + 2 < _COLUMN and link.name
    ]
    return names[0].name


def choose_option(page: Page, option: str, value: str) -> Deed:
    """Choose the value of a product's option, whichever control the product page gives it."""
    native = page.find("combobox", option)
    if native is not None and native.options:
        # A surcharge stands behind the value: "XL (+$2.00)".
        label = next(one for one in native.options if one == value or one.startswith(f"{value} (+"))
        yield from page.select(option, label, say=page.phrase("option_select", option=option, value=value))
    elif native is not None:
        yield from page.click("combobox", option, say=page.phrase("option_open", option=option))
        yield from page.click("option", value, say=page.phrase("option_pick", value=value))
    else:
        yield from page.click("radio", value, say=page.phrase("option_swatch", option=option, value=value))


def add_to_cart(page: Page, name: str, options: dict[str, str] | None = None, quantity: int = 1) -> Deed:
    """On a product's page: choose its options and the quantity, and put it in the cart."""
    for option, value in (options or {}).items():
        yield from choose_option(page, option, value)
    if quantity != 1:
        yield from page.type("Quantity", str(quantity), say=page.phrase("quantity", quantity=str(quantity)))
    yield from page.click("button", "Add to cart", say=page.phrase("add_to_cart", name=name))


def open_account(page: Page, name: str) -> Deed:
    """Go to a page of the signed-in customer's account by the menu in the header: two steps.

    `name`: My account, My orders, My wish list, Address book, My product reviews.
    """
    yield from page.click("button", "Emma", say=page.phrase("account_menu"), what="your name", direction="up")
    yield from page.click("link", name, say=page.phrase("account_page", name=name))
