"""The boards: forums with posts, comments and votes, messages, moderation and wikis."""

from __future__ import annotations

from pathlib import Path

from guideact.sites.reddit import (
    deeds,
    listing,
    messages,
    moderation,
    people,
    pictures,
    posts,
    search,
    settings,
    signin,
    submit,
    wiki,
)
from guideact.sites.reddit.layout import FILTERS, site_context
from guideact.sites.web import Site

SITE = Site(
    name="reddit",
    title="Harbour Boards",
    database="reddit",
    routes=[
        *listing.ROUTES,
        *search.ROUTES,
        *submit.ROUTES,
        *posts.ROUTES,
        *people.ROUTES,
        *messages.ROUTES,
        *moderation.ROUTES,
        *wiki.ROUTES,
        *settings.ROUTES,
        *signin.ROUTES,
        *pictures.ROUTES,
        *deeds.ROUTES,
    ],
    folder=Path(__file__).parent,
    user_table="member",
    user_key="username",
    login_path="/login",
    context=site_context,
)
SITE.environment.filters |= FILTERS
