"""The shop's back office: what the shop's staff sees of the data that the storefront sells from."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup

from guideact.sites.shopping_admin import (
    auth,
    categories,
    content,
    customers,
    dashboard,
    fulfilment,
    orders,
    products,
    promotions,
    reports,
    reviews,
    settings,
    shell,
)
from guideact.sites.shopping_admin.grid import TONES
from guideact.sites.shopping_admin.richtext import plain_text, sanitise
from guideact.sites.web import Site

SITE = Site(
    name="shopping_admin",
    title="Lumo Market Admin",
    database="shop",
    routes=[
        *auth.ROUTES,
        *dashboard.ROUTES,
        *orders.ROUTES,
        *fulfilment.ROUTES,
        *products.ROUTES,
        *categories.ROUTES,
        *customers.ROUTES,
        *reviews.ROUTES,
        *promotions.ROUTES,
        *content.ROUTES,
        *reports.ROUTES,
        *settings.ROUTES,
    ],
    folder=Path(__file__).parent,
    user_table="staff",
    user_key="username",
    login_path="/login",
    context=shell.context,
)
SITE.environment.filters["sanitised"] = lambda markup: Markup(sanitise(markup))
SITE.environment.filters["plain_text"] = plain_text
SITE.environment.globals["tone"] = lambda value: TONES.get(value, "grey")
