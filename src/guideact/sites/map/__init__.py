"""Wayfinder, the map: places, search, directions, measuring, and what its members keep and write."""

from __future__ import annotations

from pathlib import Path

from guideact.sites.map import account, directions, explore, place, saved
from guideact.sites.map.hours import status
from guideact.sites.map.layout import site_context
from guideact.sites.web import Site

SITE = Site(
    name="map",
    title="Wayfinder",
    database="map",
    routes=[
        *explore.ROUTES,
        *place.ROUTES,
        *directions.ROUTES,
        *saved.ROUTES,
        *account.ROUTES,
    ],
    folder=Path(__file__).parent,
    user_table="member",
    user_key="username",
    login_path="/login",
    context=site_context,
)
SITE.environment.filters |= {"open_now": status}
