"""What every storefront page shows around its content: menu, counts in the header, mini cart, footer."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request

from guideact.sites.shopping.carts import CartLine, find_cart, lines_of
from guideact.sites.shopping.compared import compared_ids
from guideact.sites.shopping.pricing import Rates
from guideact.sites.web import money, rows, static_url, user, value

FOOTER_PAGES = 6


@dataclass(frozen=True)
class MenuEntry:
    """A category of the menu. `active` marks the one that the page lies in."""

    id: int
    name: str
    url: str
    description: str
    active: bool
    children: tuple[MenuEntry, ...] = ()


@dataclass(frozen=True)
class Shop:
    """The frame of a page; see `templates/base.html`."""

    store_name: str
    contact: tuple[str, ...]
    """The shop's address, phone number and e-mail address."""
    free_over: str
    menu: tuple[MenuEntry, ...]
    pages: tuple[tuple[str, str], ...]
    """(title, url) of the shop's own pages."""
    cart_lines: tuple[CartLine, ...]
    wish_count: int
    compare_count: int
    cookies_closed: bool
    here: str

    @property
    def cart_count(self) -> int:
        return sum(line.quantity for line in self.cart_lines)

    @property
    def cart_subtotal(self) -> str:
        return money(sum(line.total_cents for line in self.cart_lines))


def settings(request: Request) -> dict[str, str]:
    """The table `setting` as key -> value."""
    return {found["key"]: found["value"] for found in rows(request, "SELECT key, value FROM setting")}


def category_url(slug: str) -> str:
    return f"/c/{slug}"


def product_url(slug: str) -> str:
    return f"/p/{slug}"


def _contact(known: dict[str, str]) -> tuple[str, ...]:
    street, postcode, city, phone, email = (
        known.get(f"store.{name}", "") for name in ("street", "postcode", "city", "phone", "email")
    )
    return tuple(part for part in (f"{street}, {postcode} {city}".strip(", "), phone, email) if part)


def _menu(request: Request) -> tuple[MenuEntry, ...]:
    found = rows(
        request,
        "SELECT id, parent_id, name, slug, description FROM category WHERE is_active = 1 ORDER BY position, id",
    )
    children: dict[int | None, list[sqlite3.Row]] = {}
    for category in found:
        children.setdefault(category["parent_id"], []).append(category)
    path = request.url.path

    def entry(category: sqlite3.Row) -> MenuEntry:
        below = tuple(entry(child) for child in children.get(category["id"], ()))
        url = category_url(category["slug"])
        return MenuEntry(
            id=category["id"],
            name=category["name"],
            url=url,
            description=category["description"],
            active=path == url or any(child.active for child in below),
            children=below,
        )

    return tuple(entry(category) for category in children.get(None, ()))


def site_context(request: Request) -> dict[str, Any]:
    """For every template: `shop`, and `icons`, the address of the sprite that the icons are taken from."""
    known = settings(request)
    session = request.state.session
    customer = user(request)
    cart = find_cart(request)
    pages = rows(request, "SELECT title, slug FROM cms_page WHERE is_active = 1 ORDER BY id LIMIT ?", FOOTER_PAGES)
    wishes = (
        0
        if customer is None
        else value(request, "SELECT COUNT(*) FROM wishlist_item WHERE customer_id = ?", customer["id"])
    )
    query = request.url.query
    shop = Shop(
        store_name=known.get("general.store_name", request.state.site.title),
        contact=_contact(known),
        free_over=money(Rates.from_settings(known).free_over_cents),
        menu=_menu(request),
        pages=tuple((page["title"], f"/page/{page['slug']}") for page in pages),
        cart_lines=() if cart is None else lines_of(request, cart["id"]),
        wish_count=wishes,
        compare_count=len(compared_ids(request)),
        cookies_closed="cookies" in session.data,
        here=f"{request.url.path}?{query}" if query else request.url.path,
    )
    return {"shop": shop, "icons": static_url(request.state.site, "icons.svg")}
