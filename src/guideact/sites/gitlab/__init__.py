"""Quayside, a forge for code: projects, issues, merge requests, and the people who work on them."""

from __future__ import annotations

from pathlib import Path

from guideact.sites.gitlab import (
    auth,
    commits,
    dashboard,
    editing,
    files,
    groups,
    issues,
    markdown,
    members,
    merges,
    people,
    pieces,
    planning,
    projects,
    search,
    settings,
    shell,
    snippets,
)
from guideact.sites.web import Site

SITE = Site(
    name="gitlab",
    title="Quayside",
    database="gitlab",
    # Pages of the forge itself come before those whose address begins with a namespace.
    routes=[
        *auth.ROUTES,
        *dashboard.ROUTES,
        *search.ROUTES,
        *snippets.ROUTES,
        *people.ROUTES,
        *groups.ROUTES,
        *projects.ROUTES,
        *files.ROUTES,
        *commits.ROUTES,
        *editing.ROUTES,
        *issues.ROUTES,
        *merges.ROUTES,
        *planning.ROUTES,
        *members.ROUTES,
        *settings.ROUTES,
    ],
    folder=Path(__file__).parent,
    user_table="account",
    user_key="username",
    login_path="/login",
    context=shell.context,
)
SITE.environment.filters["ago"] = shell.ago
SITE.environment.filters["markdown"] = markdown.render
SITE.environment.globals |= {"emoji_choices": people.EMOJI, **pieces.PIECES}
