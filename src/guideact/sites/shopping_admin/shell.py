"""The frame around every page of the back office: who may see what, the side menu, notifications, common look-ups."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.requests import Request

from guideact.sites import web
from guideact.sites.web import Handler

LOW_STOCK = 5
"""Units at or below which a product is low on stock, unless the setting `catalog.low_stock` says otherwise."""

AREAS = {
    "sales": ("Administrator", "Sales"),
    "customers": ("Administrator", "Sales"),
    "messages": ("Administrator", "Sales"),
    "catalog": ("Administrator", "Catalog"),
    "content": ("Administrator", "Catalog"),
    "reports": ("Administrator", "Sales", "Catalog"),
    "system": ("Administrator",),
}
"""The roles that each area is open to."""
ROLES = ("Administrator", "Catalog", "Sales")


@dataclass(frozen=True)
class Group:
    """An entry of the side menu: with an address a link, with items a button that opens them."""

    label: str
    icon: str
    url: str = ""
    items: tuple[tuple[str, str, str], ...] = ()
    """(label, address, area)."""


MENU = (
    Group("Dashboard", "layout-dashboard", "/"),
    Group(
        "Sales",
        "receipt-text",
        items=(
            ("Orders", "/orders", "sales"),
            ("Invoices", "/invoices", "sales"),
            ("Shipments", "/shipments", "sales"),
            ("Refunds", "/refunds", "sales"),
        ),
    ),
    Group(
        "Catalog",
        "package",
        items=(
            ("Products", "/products", "catalog"),
            ("Categories", "/categories", "catalog"),
            ("Reviews", "/reviews", "catalog"),
        ),
    ),
    Group(
        "Customers",
        "users",
        items=(("All customers", "/customers", "customers"), ("New customer", "/customers/new", "customers")),
    ),
    Group(
        "Marketing",
        "megaphone",
        items=(
            ("Promotions", "/promotions", "content"),
            ("Newsletter subscribers", "/subscribers", "content"),
            ("Search terms", "/search-terms", "content"),
        ),
    ),
    Group(
        "Content", "file-text", items=(("Pages", "/pages", "content"), ("Contact messages", "/messages", "messages"))
    ),
    Group(
        "Reports",
        "chart-column",
        items=(
            ("Sales report", "/reports/sales", "reports"),
            ("Bestsellers", "/reports/bestsellers", "reports"),
            ("Most viewed", "/reports/most-viewed", "reports"),
            ("Low stock", "/reports/low-stock", "reports"),
            ("Coupon usage", "/reports/coupons", "reports"),
            ("Search term report", "/reports/search-terms", "reports"),
            ("Best customers", "/reports/best-customers", "reports"),
            ("Reviews by product", "/reports/reviews", "reports"),
        ),
    ),
    Group("System", "settings", items=(("Settings", "/settings", "system"), ("Staff accounts", "/staff", "system"))),
)


def guard(area: str) -> Callable[[Handler], Handler]:
    """The guard of an area, for `grid.routes` and as a decorator of handlers."""
    return web.roles(*AREAS[area])


def _matches(path: str, url: str) -> bool:
    return path == url or path.startswith(url + "/")


@functools.lru_cache(maxsize=512)
def menu(role: str, path: str) -> Markup:
    """The side menu as markup, for a role on a page. Cached: it is the largest part of every page and never changes."""
    best = max((url for group in MENU for _, url, _ in group.items if _matches(path, url)), key=len, default=path)
    entries = []
    for at, group in enumerate(MENU):
        icon = Markup('<svg class="icon" aria-hidden="true"><use href="/static/icons.svg#{}"/></svg>').format(
            group.icon
        )
        if group.url:
            current = Markup(' aria-current="page"') if path == group.url else ""
            entries.append(Markup('<li><a href="{}"{}>{}{}</a></li>').format(group.url, current, icon, group.label))
            continue
        items = [(label, url) for label, url, area in group.items if role in AREAS[area]]
        if not items:
            continue
        inside = any(url == best for _, url in items)
        links = Markup("").join(
            Markup('<li><a href="{}"{}>{}</a></li>').format(
                url, Markup(' aria-current="page"') if url == best else "", label
            )
            for label, url in items
        )
        low = " low" if at >= 5 else ""
        entries.append(
            Markup(
                '<li class="{}{}"><button type="button" aria-expanded="false" aria-controls="menu-{}">{}{}'
                '<svg class="icon chevron" aria-hidden="true"><use href="/static/icons.svg#chevron-right"/></svg>'
                "</button>"
                '<div class="flyout" id="menu-{}"><h2>{}</h2><ul>{}</ul></div></li>'
            ).format("current" if inside else "group", low, at, icon, group.label, at, group.label, links)
        )
    return Markup('<nav aria-label="Main"><ul class="menu">{}</ul></nav>').format(Markup("").join(entries))


def setting(request: Request, key: str, default: str = "") -> str:
    """One setting's text."""
    found = web.value(request, "SELECT value FROM setting WHERE key = ?", key)
    return default if found is None else str(found)


def low_stock(request: Request) -> int:
    """Units at or below which a product counts as low on stock."""
    text = setting(request, "catalog.low_stock", str(LOW_STOCK))
    return int(text) if text.isdecimal() else LOW_STOCK


def notices(request: Request, role: str) -> list[tuple[str, str, str]]:
    """What waits for somebody: (sentence, address, icon)."""
    counts = web.rows(
        request,
        "SELECT (SELECT count(*) FROM sales_order WHERE status = 'pending'),"
        " (SELECT count(*) FROM review WHERE status = 'pending'),"
        " (SELECT count(*) FROM contact_message WHERE is_read = 0),"
        " (SELECT count(*) FROM product WHERE status = 'enabled' AND stock <= 0)",
    )[0]
    waiting = (
        ("sales", counts[0], "pending order", "/orders?status=pending", "receipt-text"),
        ("catalog", counts[1], "review to moderate", "/reviews?status=pending", "star"),
        ("messages", counts[2], "unread message", "/messages?is_read=0", "mail"),
        ("catalog", counts[3], "product out of stock", "/products?stock_to=0&status=enabled", "package"),
    )
    forms = {
        "review to moderate": "reviews to moderate",
        "product out of stock": "products out of stock",
    }
    return [
        (web.plural(count, noun, forms.get(noun, "")), url, icon)
        for area, count, noun, url, icon in waiting
        if count and role in AREAS[area]
    ]


def context(request: Request) -> dict[str, Any]:
    """What every template of the site needs besides the common names."""
    person = web.user(request)
    base = {
        "store_name": setting(request, "general.store_name", "Shop"),
        "global_query": "",
    }
    if person is None:
        return base
    return {
        **base,
        "menu": menu(person["role"], request.url.path),
        "notices": notices(request, person["role"]),
        "may": {area: person["role"] in allowed for area, allowed in AREAS.items()},
    }


def author(request: Request) -> str:
    """The signed-in person's name, as written under what they do."""
    person = web.user(request)
    assert person is not None
    return str(person["full_name"])


def whole_id(request: Request) -> int:
    """The id in the address; too many digits for a row is a page that does not exist."""
    number = int(request.path_params["id"])
    if number > 2**62:
        web.not_found()
    return number


def changed(row: Any, values: dict[str, Any]) -> dict[str, Any]:
    """The values that differ from the row's, so that a save writes what was changed and nothing else."""
    return {key: value for key, value in values.items() if row[key] != value}


def update(request: Request, table: str, row_id: int, values: dict[str, Any]) -> None:
    """UPDATE the given columns of one row; none is fine. Names come from our own code, never from a request."""
    if values:
        sets = ", ".join(f"{key} = ?" for key in values)
        web.execute(request, f"UPDATE {table} SET {sets} WHERE id = ?", *values.values(), row_id)


def insert(request: Request, table: str, values: dict[str, Any]) -> int:
    """INSERT one row; its id."""
    names = ", ".join(values)
    return web.execute(
        request, f"INSERT INTO {table} ({names}) VALUES ({', '.join('?' * len(values))})", *values.values()
    )
