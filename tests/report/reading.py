"""Reading a report as a program: its tags, its score table, its policy. Nothing of it is shared with what writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Tag:
    name: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Tags(HTMLParser):
    """Every start tag of a page, with the text up to the next tag."""

    tags: list[Tag] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        if self.tags:
            self.tags[-1].text += data


def tags_of(page: str) -> list[Tag]:
    parser = Tags()
    parser.feed(page)
    parser.close()
    return parser.tags


def table_of(page: str) -> dict[str, tuple[str, str, str]]:
    """Key of the measure -> (value, interval, what it is averaged over), as printed."""
    rows: dict[str, tuple[str, str, str]] = {}
    for chunk in re.findall(r'<tr data-key="[^"]*">.*?</tr>', page, flags=re.DOTALL):
        tags = tags_of(chunk)
        cells = {css: tag.text.strip() for tag in tags for css in tag.attributes.get("class", "").split()}
        rows[tags[0].attributes["data-key"]] = (cells["value"], cells["range"], cells["basis"])
    return rows


def lines_of(table: str) -> list[list[str]]:
    """The cells of a table's body."""
    body = table[table.index("<tbody>") :]
    rows = re.findall(r"<tr>.*?</tr>", body, flags=re.DOTALL)
    return [[tag.text.strip() for tag in tags_of(row) if tag.name in ("td", "th")] for row in rows]


def policy_of(page: str) -> dict[str, list[str]]:
    """The Content-Security-Policy as directive -> values."""
    metas = [tag for tag in tags_of(page) if tag.name == "meta" and "http-equiv" in tag.attributes]
    assert [meta.attributes["http-equiv"] for meta in metas] == ["Content-Security-Policy"]
    directives = (part.split() for part in metas[0].attributes["content"].split(";"))
    return {name: values for name, *values in directives}
