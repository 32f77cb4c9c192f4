"""A post in a list, as markup: lists hold twenty of them, and a template's macro would take most of a page's time."""

from __future__ import annotations

import functools
import sqlite3
from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

from markupsafe import Markup, escape

from guideact.sites.reddit.markdown import excerpt
from guideact.sites.web import datetime_text, plural
from guideact.sites.world import NOW

__all__ = ["ago", "card", "domain"]

_NOW = NOW.replace(tzinfo=None)


@functools.lru_cache(maxsize=4096)
def ago(text: str) -> str:
    """How long before the sites' now a moment was: 5 minutes ago, 3 hours ago, 2 days ago, 4 months ago."""
    minutes = int((_NOW - datetime.fromisoformat(text)).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    for size, word in ((60, "minute"), (24, "hour"), (30, "day"), (12, "month")):
        if minutes < size:
            return f"{minutes} {word}{'' if minutes == 1 else 's'} ago"
        minutes //= size
    return f"{minutes} year{'' if minutes == 1 else 's'} ago"


def domain(url: str) -> str:
    """The host of a link, as its card shows it; a page of another site of the world is named so."""
    if url.startswith("__"):
        name = url.strip("_").partition("__")[0]
        return {"SHOPPING": "Lumo Market"}.get(name, name.lower())
    return url.partition("://")[2].partition("/")[0].removeprefix("www.")


@functools.lru_cache(maxsize=256)
def _icon(icons: str, name: str, size: int) -> str:
    return (
        f'<svg class="icon" width="{size}" height="{size}" aria-hidden="true" focusable="false">'
        f'<use href="{escape(icons)}#{name}"></use></svg>'
    )


def _vote(post: sqlite3.Row, way: str, pressed: bool, icons: str) -> str:
    return (
        f'<button type="submit" form="deeds" formaction="/post/{post["id"]}/vote/{way}" class="vote vote-{way}"'
        f' aria-pressed="{str(pressed).lower()}" aria-label="{way.capitalize()}vote" data-deed>'
        f"{_icon(icons, way, 20)}</button>"
    )


def _toggle(post: sqlite3.Row, what: str, pressed: bool, icons: str) -> str:
    off = what.capitalize()
    return (
        f'<button type="submit" form="deeds" formaction="/post/{post["id"]}/{what}" class="deed"'
        f' aria-pressed="{str(pressed).lower()}" data-deed>{_icon(icons, what, 18)}<span class="off">{off}</span>'
        f'<span class="on">Un{what}</span></button>'
    )


@functools.lru_cache(maxsize=4096)
def _when(text: str) -> str:
    return f'<time datetime="{text}" title="{datetime_text(text)}">{ago(text)}</time>'


def _tags(post: sqlite3.Row, href: Callable[[str], str], icons: str) -> str:
    parts = []
    if post["is_pinned"]:
        parts.append(f'<span class="badge badge-pin">{_icon(icons, "pin", 14)}<span>Pinned</span></span>')
    if post["is_locked"]:
        parts.append(f'<span class="badge badge-lock">{_icon(icons, "lock", 14)}<span>Locked</span></span>')
    if post["status"] == "removed":
        parts.append('<span class="badge badge-bad">Removed</span>')
    if post["flair"]:
        address = f"/f/{post['forum_slug']}?flair={quote(post['flair'])}"
        parts.append(f'<a class="flair" href="{escape(address)}">{escape(post["flair"])}</a>')
    if post["kind"] == "link":
        parts.append(f'<a class="domain" href="{escape(href(post["url"]))}">{escape(domain(post["url"]))}</a>')
    return f'<p class="post-tags">{" ".join(parts)}</p>' if parts else ""


def _body(post: sqlite3.Row) -> str:
    crossed = ""
    if post["cross_id"]:
        crossed = (
            '<p class="crossed"><span>Crossposted from</span>'
            f' <a href="/f/{post["cross_forum"]}">{escape(post["cross_forum_name"])}</a></p>'
        )
    text = f'<p class="post-excerpt">{escape(excerpt(post["body"]))}</p>' if post["body"] else ""
    return crossed + text


def _thumb(post: sqlite3.Row, address: str) -> str:
    if post["kind"] != "picture":
        return ""
    name = post["picture"]
    source = f"/upload/{name[7:]}" if name.startswith("upload:") else f"/picture/{name}.svg"
    return (
        f'<a class="thumb" href="{address}" tabindex="-1" aria-hidden="true"><img class="picture"'
        f' src="{escape(source)}"'
        ' alt="" width="400" height="225" loading="lazy"></a>'
    )


def card(post: sqlite3.Row, show_forum: bool, signed_in: bool, href: Callable[[str], str], icons: str) -> Markup:
    """One post in a list. `href` turns a stored address into one that leads there."""
    number, slug, author = post["id"], post["forum_slug"], escape(post["author"])
    address = f"/f/{slug}/comments/{number}"
    forum = (
        f'<a class="forum-chip" href="/f/{slug}" style="--c: {post["forum_colour"]}">{escape(post["forum_name"])}</a>'
        if show_forum
        else ""
    )
    deeds = (
        _toggle(post, "save", bool(post["is_saved"]), icons) + _toggle(post, "hide", bool(post["is_hidden"]), icons)
        if signed_in
        else ""
    )
    return Markup(
        f'<li><article class="post-card" aria-labelledby="t{number}"><div class="votes" data-votes>'
        f"{_vote(post, 'up', post['my_vote'] == 1, icons)}"
        f'<b class="score" title="Score">{post["score"]}</b>{_vote(post, "down", post["my_vote"] == -1, icons)}</div>'
        f'<div class="post-main"><p class="meta">{forum}'
        f'<a class="person" href="/user/{author}" data-card="{author}">{author}</a>{_when(post["created_at"])}</p>'
        f'<h2 id="t{number}"><a href="{address}">{escape(post["title"])}</a></h2>'
        f"{_tags(post, href, icons)}{_body(post)}"
        f'<div class="deeds"><a class="deed" href="{address}#comments">{_icon(icons, "comment", 18)}'
        f"<span>{plural(post['comments'], 'comment')}</span></a>{deeds}</div></div>"
        f"{_thumb(post, address)}</article></li>"
    )
