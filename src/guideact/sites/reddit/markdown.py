"""The small markdown that posts, comments, messages and wiki pages are written in.

Everything is escaped first, so that a text can hold any characters and never any markup of its own. Known: paragraphs,
`## headings`, lists, `> quotes`, **bold**, *italic*, ~~struck~~, `code`, [links](https://...), @names and f/forums.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable

from markupsafe import Markup

__all__ = ["excerpt", "markdown"]

_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\(([^()\s]+)\)")
_INLINE: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\*\*(.+?)\*\*"), r"<strong>\1</strong>"),
    (re.compile(r"(?<![\w*])\*(?!\s)(.+?)(?<!\s)\*(?![\w*])"), r"<em>\1</em>"),
    (re.compile(r"~~(.+?)~~"), r"<del>\1</del>"),
    (re.compile(r"(?<![\w/])f/([a-z]+)\b"), r'<a href="/f/\1">f/\1</a>'),
    (re.compile(r"(?<![\w.])@([a-z][\w.]*\w)"), r'<a href="/user/\1" data-card="\1">@\1</a>'),
)
_ITEM = re.compile(r"^(?:[-*]|(\d+)\.)\s+(.*)")


@functools.lru_cache(maxsize=4096)
def markdown(text: str) -> Markup:
    """The markup of a text. Other sites' pages are written `__SHOPPING__/p/...` and stay so until `with_sites`."""
    blocks: list[str] = []
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif line.startswith("#"):
            level = min(4, max(2, len(line) - len(line.lstrip("#"))))
            blocks.append(f"<h{level + 1}>{_inline(line.lstrip('# '))}</h{level + 1}>")
            at += 1
        elif line.startswith("```"):
            end = next((n for n in range(at + 1, len(lines)) if lines[n].startswith("```")), len(lines))
            blocks.append(f"<pre><code>{html.escape(chr(10).join(lines[at + 1 : end]))}</code></pre>")
            at = end + 1
        elif line.startswith(">"):
            at, taken = _take(lines, at, lambda one: one.startswith(">"))
            blocks.append(f"<blockquote>{_inline(' '.join(one.lstrip('> ') for one in taken))}</blockquote>")
        elif found := _ITEM.match(line):
            numbered = found[1] is not None
            at, taken = _take(lines, at, functools.partial(_is_item, numbered=numbered))
            items = "".join(f"<li>{_inline(match[2])}</li>" for one in taken if (match := _ITEM.match(one)))
            tag = "ol" if numbered else "ul"
            blocks.append(f"<{tag}>{items}</{tag}>")
        else:
            at, taken = _take(
                lines,
                at,
                lambda one: bool(one.strip()) and not one.startswith((">", "#", "```")) and _ITEM.match(one) is None,
            )
            blocks.append("<p>" + "<br>".join(_inline(one) for one in taken) + "</p>")
    return Markup("".join(blocks))


def _is_item(line: str, numbered: bool) -> bool:
    found = _ITEM.match(line)
    return found is not None and (found[1] is not None) == numbered


def _take(lines: list[str], at: int, fits: Callable[[str], bool]) -> tuple[int, list[str]]:
    end = at + 1
    while end < len(lines) and fits(lines[end]):
        end += 1
    return end, lines[at:end]


def _inline(text: str) -> str:
    # Code and links are set aside, so that nothing inside them is taken for markup.
    kept: list[str] = []

    def keep(markup: str) -> str:
        kept.append(markup)
        return f"\0{len(kept) - 1}\0"

    def link(found: re.Match[str]) -> str:
        words, address = found[1], found[2]
        if not re.match(r"https?://|/(?!/)|__[A-Z_]+__/", address):
            return found[0]
        return keep(f'<a href="{address}" rel="nofollow">') + words + keep("</a>")

    text = html.escape(text.replace("\0", ""))
    text = _CODE.sub(lambda found: keep(f"<code>{found[1]}</code>"), text)
    text = _LINK.sub(link, text)
    for pattern, markup in _INLINE:
        text = pattern.sub(markup, text)
    return re.sub(r"\0(\d+)\0", lambda found: kept[int(found[1])], text)


@functools.lru_cache(maxsize=2048)
def excerpt(text: str, length: int = 260) -> str:
    """The beginning of a text without its marks, cut at a word."""
    plain = _LINK.sub(r"\1", text)
    plain = re.sub(r"(^|\n)\s*(#+|>|[-*]|\d+\.)\s+", r"\1", plain)
    plain = re.sub(r"\*\*|~~|`", "", plain)
    plain = re.sub(r"\s+", " ", plain).strip()
    if len(plain) <= length:
        return plain
    return plain[:length].rsplit(" ", 1)[0].rstrip(",.;:") + "…"
