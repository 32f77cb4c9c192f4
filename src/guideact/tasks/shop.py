"""Deeds on the storefront that many solvers have, in steps with varied sentences."""

from __future__ import annotations

from collections.abc import Generator

from guideact.tasks.solve import Act, Page
from guideact.types import Observation

Deed = Generator[Act, Observation, None]

PRICE = r"\$[\d,]+\.\d\d"
"""An amount as the sites write it."""


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
    yield from page.click("link", department, say=say, direction="up")
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
        if link.box.y > count.y + 2 * count.height and link.box.x >= count.x - 2 and link.name
    ]
    return names[0].name
