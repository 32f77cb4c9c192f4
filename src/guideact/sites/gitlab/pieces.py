"""Small pieces of markup that stand many times on a page: cached, since templates would make them anew each time."""

from __future__ import annotations

import functools

from markupsafe import Markup

__all__ = ["PIECES"]

_STATES = {
    "open": ("circle-dot", "Open"),
    "closed": ("circle-check", "Closed"),
    "merged": ("merge", "Merged"),
    "active": ("circle-dot", "Active"),
}
_LEVELS = {
    "private": ("lock", "Private", "Members only"),
    "internal": ("shield", "Internal", "Everybody signed in"),
    "public": ("globe", "Public", "Everybody"),
}


@functools.lru_cache(maxsize=256)
def icon(name: str, more: str = "") -> Markup:
    """A symbol of `icons.svg`, for decoration."""
    classes = f"icon {more}".strip()
    return Markup(
        '<svg class="{}" aria-hidden="true" focusable="false"><use href="/static/icons.svg#{}"/></svg>'
    ).format(classes, name)


@functools.lru_cache(maxsize=512)
def avatar(name: str, size: str = "") -> Markup:
    """A coloured disc with the first letter of a name."""
    classes = f"avatar hue-{len(name) % 6} {size}".strip()
    return Markup('<span class="{}" aria-hidden="true">{}</span>').format(classes, name[0])


@functools.lru_cache(maxsize=512)
def person(username: str, name: str) -> Markup:
    return Markup('<a class="person" href="/users/{}">{}</a>').format(username, name)


@functools.cache
def state(value: str) -> Markup:
    """Whether an issue, a merge request or a milestone is open."""
    symbol, words = _STATES[value]
    return Markup('<span class="state {}">{}<span>{}</span></span>').format(value, icon(symbol), words)


@functools.cache
def visibility(value: str) -> Markup:
    symbol, words, meaning = _LEVELS[value]
    return Markup('<span class="visibility" title="{}">{}<span>{}</span></span>').format(meaning, icon(symbol), words)


PIECES = {"icon": icon, "avatar": avatar, "person": person, "state_mark": state, "level": visibility}
"""By the names under which templates know them."""
