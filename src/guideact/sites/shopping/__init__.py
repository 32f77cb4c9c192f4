"""The storefront: a catalogue, a cart, a checkout and the customer's account."""

from __future__ import annotations

from pathlib import Path

from guideact.sites.shopping import (
    account,
    cardview,
    cart,
    catalog,
    checkout,
    compare,
    information,
    latest_reviews,
    pictures,
    product,
    signin,
)
from guideact.sites.shopping.layout import site_context
from guideact.sites.web import Site

SITE = Site(
    name="shopping",
    title="Lumo Market",
    database="shop",
    routes=[
        *catalog.ROUTES,
        *product.ROUTES,
        *cart.ROUTES,
        *checkout.ROUTES,
        *compare.ROUTES,
        *signin.ROUTES,
        *account.ROUTES,
        *information.ROUTES,
        *latest_reviews.ROUTES,
        *pictures.ROUTES,
    ],
    folder=Path(__file__).parent,
    user_table="customer",
    user_key="email",
    login_path="/login",
    context=site_context,
)
SITE.environment.filters |= {"card": cardview.card, "stars": cardview.stars, "menu": cardview.menu}
