"""A small, safe subset of Markdown: everything is escaped first, and only what is named here becomes markup.

Headings, paragraphs, lists, quotations, tables, fenced code; `code`, **bold**, *italics*, [links](/path), @people, and
#1 or !1 for issues and merge requests of the project that the text stands in.
"""

from __future__ import annotations

import functools
import re

from markupsafe import Markup, escape

__all__ = ["render"]

_FENCE = re.compile(r"^```\w*$")
_HEADING = re.compile(r"^(#{1,4}) (.+)$")
_ITEM = re.compile(r"^[-*] (.+)$")
_NUMBERED = re.compile(r"^\d+[.)] (.+)$")
_RULE = re.compile(r"^\|?[\s:|-]+\|$")
_CODE = re.compile(r"`([^`]+)`")
_LINK = re.compile(r"\[([^\]]+)\]\(((?:https?://|/|#)?[\w./#?=&;%~+-]*)\)")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_ITALIC = re.compile(r"(?<![\w*])\*([^*\s][^*]*?)\*(?![\w*])")
_PERSON = re.compile(r"(?<![\w/@.])@([a-z][\w.]*[\w])")
_ISSUE = re.compile(r"(?<![\w&/#])#(\d+)\b")
_MERGE = re.compile(r"(?<![\w&/])!(\d+)\b")


def _inline(text: str, project: str) -> str:
    """One line's marks. Code is set aside first, so that nothing in it counts as a mark."""
    kept: list[str] = []

    def aside(markup: str) -> str:
        kept.append(markup)
        return f"\x00{len(kept) - 1}\x00"

    out = str(escape(text.replace("\x00", "")))
    out = _CODE.sub(lambda found: aside(f"<code>{found[1]}</code>"), out)
    out = _LINK.sub(lambda found: aside(f'<a href="{found[2]}">{found[1]}</a>'), out)
    out = _PERSON.sub(lambda found: aside(f'<a class="mention" href="/users/{found[1]}">@{found[1]}</a>'), out)
    if project:
        out = _ISSUE.sub(lambda found: aside(f'<a href="/{project}/issues/{found[1]}">#{found[1]}</a>'), out)
        out = _MERGE.sub(lambda found: aside(f'<a href="/{project}/merge_requests/{found[1]}">!{found[1]}</a>'), out)
    out = _BOLD.sub(r"<strong>\1</strong>", out)
    out = _ITALIC.sub(r"<em>\1</em>", out)
    return re.sub(r"\x00(\d+)\x00", lambda found: kept[int(found[1])], out)


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _table(lines: list[str], project: str) -> str:
    head = "".join(f'<th scope="col">{_inline(cell, project)}</th>' for cell in _cells(lines[0]))
    rows = "".join(
        f"<tr>{''.join(f'<td>{_inline(cell, project)}</td>' for cell in _cells(line))}</tr>" for line in lines[2:]
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"


@functools.lru_cache(maxsize=512)
def render(text: str, project: str = "") -> Markup:
    """Markup of a text. `project` is the full path of the project in which #1 and !1 are looked for."""
    out: list[str] = []
    lines = text.replace("\r\n", "\n").split("\n")
    at = 0

    def run(pattern: re.Pattern[str]) -> list[str]:
        nonlocal at
        found = []
        while at < len(lines) and (match := pattern.match(lines[at])):
            found.append(match[1])
            at += 1
        return found

    while at < len(lines):
        line = lines[at]
        if not line.strip():
            at += 1
        elif _FENCE.match(line):
            at += 1
            start = at
            while at < len(lines) and not _FENCE.match(lines[at]):
                at += 1
            out.append(f"<pre><code>{escape(chr(10).join(lines[start:at]))}</code></pre>")
            at += 1
        elif heading := _HEADING.match(line):
            # The page has its own first heading.
            level = len(heading[1]) + 1
            out.append(f"<h{level}>{_inline(heading[2], project)}</h{level}>")
            at += 1
        elif _ITEM.match(line):
            out.append("<ul>" + "".join(f"<li>{_inline(item, project)}</li>" for item in run(_ITEM)) + "</ul>")
        elif _NUMBERED.match(line):
            out.append("<ol>" + "".join(f"<li>{_inline(item, project)}</li>" for item in run(_NUMBERED)) + "</ol>")
        elif line.startswith("> "):
            quoted = run(re.compile(r"^> ?(.*)$"))
            out.append(f"<blockquote>{render(chr(10).join(quoted), project)}</blockquote>")
        elif line.startswith("|") and at + 1 < len(lines) and _RULE.match(lines[at + 1]):
            start = at
            while at < len(lines) and lines[at].startswith("|"):
                at += 1
            out.append(_table(lines[start:at], project))
        else:
            words = [line]
            at += 1
            while (
                at < len(lines)
                and lines[at].strip()
                and not re.match(r"^(```|#{1,4} |[-*] |\d+[.)] |> |\|)", lines[at])
            ):
                words.append(lines[at])
                at += 1
            out.append(f"<p>{_inline(' '.join(words), project)}</p>")
    return Markup("".join(out))
