"""Almanach, an encyclopedia that its readers write: articles, their histories, talk pages and reading lists."""

from __future__ import annotations

from pathlib import Path

from guideact.sites.web import Site
from guideact.sites.wikipedia import (
    browsing,
    editing,
    history,
    members,
    pictures,
    reading,
    reading_lists,
    searching,
    talk,
)
from guideact.sites.wikipedia.frame import site_context
from guideact.sites.wikipedia.markup import slug_of

SITE = Site(
    name="wikipedia",
    title="Almanach",
    database="wikipedia",
    routes=[
        *browsing.ROUTES,
        *searching.ROUTES,
        *reading.ROUTES,
        *history.ROUTES,
        *editing.ROUTES,
        *talk.ROUTES,
        *members.ROUTES,
        *reading_lists.ROUTES,
        *pictures.ROUTES,
    ],
    folder=Path(__file__).parent,
    user_table="user",
    user_key="username",
    login_path="/login",
    context=site_context,
)
SITE.environment.filters |= {"slug": slug_of}
