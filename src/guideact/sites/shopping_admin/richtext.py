"""Sanitiser for what the rich-text editor sends: markup is parsed and written anew from an allow-list.

Nothing of the input is copied through: tags are written by us, text is escaped by us, and every element is closed. What
browsers would read differently (comments, doctypes, processing instructions, raw-text elements) is dropped with its
content, so there is no second reading of the output.
"""

from __future__ import annotations

import html
import re
from html.parser import HTMLParser

TABLE = frozenset({"table", "thead", "tbody", "tr", "th", "td"})
ALLOWED = frozenset({"p", "br", "strong", "em", "u", "h2", "h3", "ul", "ol", "li", "blockquote", "a"}) | TABLE
RENAMED = {"b": "strong", "i": "em", "h1": "h2", "h4": "h3", "h5": "h3", "h6": "h3", "div": "p"}
DROPPED = frozenset(
    {"script", "style", "iframe", "object", "embed", "noscript", "noembed", "noframes", "template", "textarea", "title"}
    | {"xmp", "plaintext", "svg", "math", "select", "option", "head", "audio", "video", "canvas"}
)
"""Elements whose content goes too: text of these is code, not words."""
BLOCKS = frozenset({"p", "h2", "h3", "ul", "ol", "li", "blockquote"}) | TABLE
CELLS = ("td", "th")
TABLE_PARENTS = {
    "thead": ("table",),
    "tbody": ("table",),
    "tr": ("thead", "tbody", "table"),
    "td": ("tr",),
    "th": ("tr",),
}
SAFE_LINK = re.compile(r"(?:https?://|mailto:|/(?!/)|#)[^\s\\]*\Z", re.IGNORECASE)
VOID_DROPPED = frozenset({"embed"})


class _Writer(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.out: list[str] = []
        self.open: list[str] = []
        self.dropping: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.dropping or tag in DROPPED:
            if tag in DROPPED and tag not in VOID_DROPPED:
                self.dropping.append(tag)
            return
        tag = RENAMED.get(tag, tag)
        if tag not in ALLOWED:
            return
        if tag not in BLOCKS and not self._inline_place():
            return
        if tag == "br":
            self.out.append("<br>")
            return
        if tag in BLOCKS and not self._make_room(tag):
            return
        if tag in self.open and tag in ("a", "strong", "em", "u"):
            return
        if tag == "a":
            href = next((value or "" for name, value in attrs if name == "href"), "").strip()
            if not SAFE_LINK.match(href):
                return
            self.out.append(f'<a href="{html.escape(href)}">')
        else:
            self.out.append(f"<{tag}>")
        self.open.append(tag)

    def _inline_place(self) -> bool:
        """Whether words may stand here: never between the rows of a table; outside of all blocks in a new paragraph."""
        if self.open and self.open[-1] in TABLE and self.open[-1] not in CELLS:
            return False
        if not any(name in BLOCKS for name in self.open):
            self.out.append("<p>")
            self.open.append("p")
        return True

    def _make_room(self, tag: str) -> bool:
        """Close what the new block must not stand in, as a browser would; False where it cannot stand at all."""
        if tag in TABLE_PARENTS:
            at = next((i for i in range(len(self.open) - 1, -1, -1) if self.open[i] in TABLE_PARENTS[tag]), -1)
            if at < 0:
                return False
            self._close_down_to(at + 1)
            return True
        cell = next((i + 1 for i in range(len(self.open) - 1, -1, -1) if self.open[i] in CELLS), 0)
        if tag == "li":
            lists = [i for i, name in enumerate(self.open) if name in ("ul", "ol") and i >= cell]
            if not lists:
                self._close_down_to(cell)
                self.out.append("<ul>")
                self.open.append("ul")
            else:
                self._close_down_to(lists[-1] + 1)
            return True
        boundaries = ("li", "blockquote", *CELLS)
        keep = next((i + 1 for i in range(len(self.open) - 1, -1, -1) if self.open[i] in boundaries), 0)
        self._close_down_to(keep)
        return True

    def _close_down_to(self, depth: int) -> None:
        while len(self.open) > depth:
            self.out.append(f"</{self.open.pop()}>")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("br",):
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.dropping:
            if tag in self.dropping:
                while self.dropping.pop() != tag:
                    pass
            return
        tag = RENAMED.get(tag, tag)
        if tag in self.open:
            depth = len(self.open) - 1 - self.open[::-1].index(tag)
            self._close_down_to(depth)

    def handle_data(self, data: str) -> None:
        if self.dropping:
            return
        if not data.strip():
            # White space between blocks stays as it is, so that clean markup comes back unchanged.
            if self.open or self.out:
                self.out.append(data)
        elif self._inline_place():
            self.out.append(html.escape(data, quote=False))

    def finish(self) -> str:
        self.close()
        self._close_down_to(0)
        return "".join(self.out).strip()


def sanitise(markup: str) -> str:
    """Markup with the allowed elements only; links keep an http(s), mailto or site-relative `href`.

    Loose text becomes a paragraph. `sanitise(sanitise(x)) == sanitise(x)`, and a clean text comes back unchanged.
    """
    text = markup.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "").replace("\xa0", " ")
    for _ in range(4):
        writer = _Writer()
        writer.feed(text)
        result = re.sub(r"<(p|h2|h3|li|blockquote|strong|em|u|a)(?: href=\"[^\"]*\")?>\s*</\1>", "", writer.finish())
        if result == text:
            break
        text = result
    return text


def plain_text(markup: str) -> str:
    """The words of some markup, white space folded: for excerpts."""
    writer = _Writer()
    writer.feed(markup)
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", writer.finish())).split())
