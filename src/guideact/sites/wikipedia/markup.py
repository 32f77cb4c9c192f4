"""The language that articles are written in, and the safe way from it to a page.

    {{infobox               '''bold''' and ''italic''        == Heading ==      === Smaller heading ===
    kind = Company          [[Title]] or [[Title|words]]     * a list           # a numbered list
    Founded = 1947          words<ref>Source</ref>           {{note For the lamp, see [[Lumina]].}}
    }}                                                       {{main History of tea}}
    {| Caption              {{image name | Caption}}         {{collapse Title}} ... {{end}}
    ! Year ! Winner         {{map Helsinki}}                 {{quote Words | Who said them}}
    | 2024 | [[Title]]      {{disambiguation}}               [[Category:Name]]
    |}                      #redirect [[Title]]

Blank lines separate paragraphs. Whatever is not understood is shown as it stands: no input is an error, and no input
becomes markup of its own, for every piece of text goes through `escape`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from markupsafe import Markup, escape

from guideact.sites.world import plain

__all__ = [
    "Heading",
    "Infobox",
    "Rendered",
    "categories_of",
    "lead_text",
    "links_of",
    "plain_text",
    "redirect_target",
    "render_article",
    "sections",
    "slug_of",
    "with_section",
]

_INLINE = re.compile(
    r"\[\[(?P<title>[^\]|\n]+)(?:\|(?P<words>[^\]\n]+))?\]\]"
    r"|'''''(?P<both>.+?)'''''|'''(?P<bold>.+?)'''|''(?P<italic>.+?)''|<ref>(?P<ref>.*?)</ref>"
)
_HEADING = re.compile(r"(={2,3})\s*(.+?)\s*\1\s*$")
_CATEGORY = re.compile(r"\[\[Category:([^\]|\n]+)\]\]")
_LINK = re.compile(r"\[\[([^\]|\n]+)(?:\|[^\]\n]+)?\]\]")
_REDIRECT = re.compile(r"#redirect\s*\[\[([^\]|\n]+)\]\]", re.IGNORECASE)
_ONE_LINE = re.compile(r"\{\{(image|note|main|map|collapse|end|disambiguation|quote)\b\s*(.*?)\s*\}\}\s*$")


@functools.lru_cache(maxsize=4000)
def slug_of(title: str) -> str:
    """A title as addresses write it: "Kiln & Co" -> "Kiln_Co", "Töölö Bay" -> "Toolo_Bay", "kettle" -> "Kettle"."""
    slug = re.sub(r"[^A-Za-z0-9().,-]+", "_", plain(title.replace(" ", "_"))).strip("_")
    return slug[:1].upper() + slug[1:]


@dataclass(frozen=True)
class Heading:
    """A line of the table of contents. `number` is "2" or "2.1"; `section` the number by which it is edited."""

    level: int
    text: str
    anchor: str
    number: str
    section: int


@dataclass(frozen=True)
class Infobox:
    """The facts beside the lead, as written: (name, value) in order; `kind`, `image` and `caption` stand apart."""

    kind: str
    image: str
    caption: str
    facts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Rendered:
    """An article ready to be put on a page."""

    body: Markup
    lead: Markup
    """What stands before the first heading, the infobox first."""
    headings: tuple[Heading, ...]
    references: int
    is_disambiguation: bool


@dataclass
class _State:
    """What one pass over an article gathers."""

    known: Callable[[str], bool]
    slug: str
    title: str
    references: list[Markup] = dataclass_field(default_factory=list)
    reference_keys: dict[str, int] = dataclass_field(default_factory=dict)
    reference_uses: list[int] = dataclass_field(default_factory=list)
    headings: list[Heading] = dataclass_field(default_factory=list)
    tables: int = 0
    disambiguation: bool = False


# --- questions about a source, without a page -------------------------------------------------------------------


def redirect_target(source: str) -> str | None:
    """The title that a redirect leads to, or None for an article."""
    found = _REDIRECT.match(source.lstrip())
    return found[1].strip() if found else None


def categories_of(source: str) -> tuple[str, ...]:
    """The categories in the order in which they are written, each once."""
    return tuple(dict.fromkeys(name.strip() for name in _CATEGORY.findall(source)))


def links_of(source: str) -> frozenset[str]:
    """The titles that an article links to."""
    return frozenset(title.strip() for title in _LINK.findall(source) if not title.startswith("Category:"))


def plain_text(source: str) -> str:
    """The words of an article without its markup, for searching: facts and cells are words as well."""
    text = _CATEGORY.sub("", source)
    text = re.sub(r"<ref>.*?</ref>", "", text)
    text = re.sub(r"\{\{(?:image|map|main|end|disambiguation)\b[^}]*\}\}", "", text)
    text = re.sub(r"\[\[(?:[^\]|\n]+\|)?([^\]\n]+)\]\]", r"\1", text)
    text = re.sub(r"(?ms)^\{\{infobox$(.*?)^\}\}$", _facts_in_words, text)
    text = re.sub(r"\{\{(?:note|collapse|quote)?\s*|\}\}", "", text)
    text = re.sub(r"(?m)^(?:\{\||\|\}|={2,3}|[|!*#])\s*|\s*={2,3}$", "", text)
    text = re.sub(r"(?m) [|!] ", ", ", text)
    text = re.sub(r"'{2,5}", "", text)
    return re.sub(r"\s+", " ", text).strip()


def _facts_in_words(found: re.Match[str]) -> str:
    box = infobox_of(["{{infobox", *found[1].splitlines(), "}}"])
    return "\n".join(f"{name}: {value}." for name, value in box.facts)


def lead_text(source: str, longest: int = 320) -> str:
    """The first paragraph in plain words, cut at the end of a sentence where it is long."""
    for block in _blocks(sections(source)[0]):
        first = block[0]
        if first.startswith(("{", "|", "=", "*", "#", "[[Category:")):
            continue
        words = plain_text(" ".join(block))
        if len(words) <= longest:
            return words
        cut = words.rfind(". ", 0, longest)
        return words[: cut + 1] if cut > 60 else words[:longest].rsplit(" ", 1)[0] + " …"
    return ""


@functools.lru_cache(maxsize=600)
def sections(source: str) -> tuple[str, ...]:
    """The source cut before every heading; number 0 is what stands before the first. Joined they are the source."""
    parts: list[list[str]] = [[]]
    for line in source.splitlines(keepends=True):
        if line[0] == "=" and _HEADING.match(line):
            parts.append([])
        parts[-1].append(line)
    return tuple("".join(part) for part in parts)


def with_section(source: str, number: int, text: str) -> str:
    """The source with one section replaced. Raises IndexError for a section that is not there."""
    parts = list(sections(source))
    last = number == len(parts) - 1
    parts[number] = text.rstrip() + ("\n" if last else "\n\n")
    return "".join(parts).rstrip() + "\n"


# --- pages ------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=600)
def render_article(source: str, title: str, known: Callable[[str], bool], *, editable: bool = True) -> Rendered:
    """The page of a source. `known` tells whether a title has an article; links to others are marked.

    Headings carry a link that edits their section unless `editable` is off.
    """
    state = _State(known=known, slug=slug_of(title), title=title)
    pieces: list[list[Markup]] = [[]]
    for number, part in enumerate(sections(source)):
        lines = part.splitlines()
        if number:
            found = _HEADING.match(lines[0])
            assert found is not None
            pieces.append([_heading(found[2], len(found[1]), number, state, editable)])
            lines = lines[1:]
        pieces[-1] += _render_lines(lines, state)
    lead = Markup("").join(pieces[0])
    body = Markup("").join(markup for piece in pieces[1:] for markup in piece)
    return Rendered(
        body=body + _references(state),
        lead=lead,
        headings=tuple(state.headings),
        references=len(state.references),
        is_disambiguation=state.disambiguation,
    )


def _heading(text: str, level: int, section: int, state: _State, editable: bool) -> Markup:
    top = [one for one in state.headings if one.level == 2]
    if level == 2 or not top:
        number, level = str(len(top) + 1), 2
    else:
        under = state.headings[state.headings.index(top[-1]) + 1 :]
        number = f"{top[-1].number}.{len(under) + 1}"
    words = plain_text(text)
    anchor = slug_of(words) or f"section-{section}"
    if any(one.anchor == anchor for one in state.headings):
        anchor = f"{anchor}-{section}"
    state.headings.append(Heading(level, words, anchor, number, section))
    edit = (
        Markup(
            '<a class="section-edit no-print" href="/edit/{}?section={}"><span>Edit</span>'
            '<span class="visually-hidden"> “{}”</span></a>'
        ).format(state.slug, section, words)
        if editable
        else Markup("")
    )
    return Markup('<div class="section-head"><h{0} id="{1}">{2}</h{0}>{3}</div>').format(
        level, anchor, _inline(text, state), edit
    )


def _blocks(source: str) -> Iterator[list[str]]:
    return _gather(source.splitlines())


def _gather(lines: list[str]) -> Iterator[list[str]]:
    """Lines in groups that belong together: a table, an infobox, a list, a paragraph, a one-line template."""
    at = 0
    while at < len(lines):
        line = lines[at].rstrip()
        if not line.strip():
            at += 1
            continue
        end = at + 1
        if line.startswith("{|"):
            end = _until(lines, at, "|}")
        elif line.startswith("{{infobox"):
            end = _until(lines, at, "}}")
        elif line[0] in "*#" and not _REDIRECT.match(line):
            while end < len(lines) and lines[end].startswith(line[0]):
                end += 1
        elif not _alone(line):
            while end < len(lines) and lines[end].strip() and not _alone(lines[end]) and lines[end][0] not in "*#":
                end += 1
        yield [one.rstrip() for one in lines[at:end]]
        at = end


def _alone(line: str) -> bool:
    return bool(line.startswith(("{|", "{{infobox")) or _ONE_LINE.match(line) or _CATEGORY.match(line))


def _until(lines: list[str], at: int, mark: str) -> int:
    for end in range(at + 1, len(lines)):
        if lines[end].strip() == mark:
            return end + 1
    return len(lines)


def _render_lines(lines: list[str], state: _State) -> list[Markup]:
    made: list[Markup] = []
    open_boxes = 0
    for block in _gather(lines):
        first = block[0]
        if first.startswith("{{infobox"):
            made.append(_infobox(block, state))
        elif first.startswith("{|"):
            made.append(_table(block, state))
        elif _CATEGORY.match(first) and len(block) == 1:
            continue
        elif found := _ONE_LINE.match(first):
            if found[1] == "collapse":
                open_boxes += 1
            if found[1] == "end":
                if not open_boxes:
                    continue
                open_boxes -= 1
            made.append(_template(found[1], found[2], state))
        elif first[0] == "*":
            made.append(_list("ul", block, state))
        elif first[0] == "#" and not _REDIRECT.match(first):
            made.append(_list("ol", block, state))
        else:
            made.append(Markup("<p>{}</p>").format(_inline(" ".join(block), state)))
    made.extend([Markup("</div></details>")] * open_boxes)
    return made


def _list(tag: str, lines: list[str], state: _State) -> Markup:
    entries = Markup("").join(Markup("<li>{}</li>").format(_inline(line[1:].strip(), state)) for line in lines)
    return Markup("<{0}>{1}</{0}>").format(Markup(tag), entries)


def _infobox(lines: list[str], state: _State) -> Markup:
    box = infobox_of(lines)
    rows = Markup("").join(
        Markup('<tr><th scope="row">{}</th><td>{}</td></tr>').format(name, _inline(value, state))
        for name, value in box.facts
    )
    picture = _figure_image(box.image, box.caption or state.title, 280) if box.image else Markup("")
    caption = (
        Markup('<p class="infobox-caption">{}</p>').format(_inline(box.caption, state)) if box.caption else Markup("")
    )
    kind = Markup('<p class="infobox-kind">{}</p>').format(box.kind) if box.kind else Markup("")
    return Markup(
        '<aside class="infobox" aria-label="Facts"><p class="infobox-title">{}</p>{}{}{}'
        "<table><tbody>{}</tbody></table>"
        "</aside>"
    ).format(state.title, kind, picture, caption, rows)


def infobox_of(lines: list[str]) -> Infobox:
    """Read the lines of an infobox, its first and last line included."""
    pairs = [tuple(part.strip() for part in line.split("=", 1)) for line in lines[1:] if "=" in line]
    special = {"kind": "", "image": "", "caption": ""}
    facts: list[tuple[str, str]] = []
    for name, value in pairs:
        if name in special:
            special[name] = value
        elif value:
            facts.append((name, value))
    return Infobox(special["kind"], special["image"], special["caption"], tuple(facts))


def _table(lines: list[str], state: _State) -> Markup:
    state.tables += 1
    caption = lines[0][2:].strip()
    head: list[str] = []
    rows: list[list[str]] = []
    for line in lines[1:]:
        if line.startswith("!"):
            head = [cell.strip() for cell in line[1:].split(" ! ")]
        elif line.startswith("|") and line.strip() != "|}":
            rows.append([cell.strip() for cell in re.split(r"\s\|\s", line[1:].strip())])
    sortable = len(rows) > 3
    cells = Markup("").join(
        Markup('<th scope="col">{}</th>').format(
            Markup('<button type="button" class="sort-button">{}</button>').format(_inline(name, state))
            if sortable
            else _inline(name, state)
        )
        for name in head
    )
    body = Markup("").join(
        Markup("<tr>{}</tr>").format(
            Markup("").join(Markup("<td>{}</td>").format(_inline(cell, state)) for cell in row)
        )
        for row in rows
    )
    return Markup(
        '<div class="table-wrap"><table class="wikitable{}">{}<thead><tr>{}</tr></thead><tbody>{}</tbody></table></div>'
    ).format(
        " sortable" if sortable else "",
        Markup("<caption>{}</caption>").format(_inline(caption, state)) if caption else "",
        cells,
        body,
    )


def _figure_image(name: str, alt: str, width: int) -> Markup:
    slug = re.sub(r"[^A-Za-z0-9().,_-]+", "", name)
    return Markup(
        '<a class="image" href="/file/{0}" data-viewer="/media/{0}.svg" aria-label="Enlarge picture: {1}">'
        '<img src="/media/{0}.svg" alt="" width="{2}" loading="lazy"></a>'
    ).format(slug, plain_text(alt), width)


def _template(kind: str, text: str, state: _State) -> Markup:
    first, _, rest = (part.strip() for part in text.partition(" | "))
    if kind == "image":
        return Markup("<figure>{}<figcaption>{}</figcaption></figure>").format(
            _figure_image(first, rest or first, 300), _inline(rest, state)
        )
    if kind == "map":
        return Markup(
            '<figure class="map"><iframe src="/embed/map/{}" title="Map: {}" width="320" height="260" loading="lazy">'
            "</iframe><figcaption>Where {} lies</figcaption></figure>"
        ).format(slug_of(first), first, first)
    if kind == "note":
        return Markup('<p class="hatnote" role="note">{}</p>').format(_inline(text, state))
    if kind == "main":
        link = _inline(f"[[{text}]]", state)
        return Markup('<p class="hatnote" role="note"><span>Main article:</span> {}</p>').format(link)
    if kind == "collapse":
        return Markup('<details class="collapse"><summary>{}</summary><div>').format(text)
    if kind == "end":
        return Markup("</div></details>")
    if kind == "quote":
        return Markup("<blockquote><p>{}</p><footer>{}</footer></blockquote>").format(
            _inline(first, state), _inline(rest, state)
        )
    state.disambiguation = True
    return Markup(
        '<p class="hatnote disambiguation" role="note"><span>Several articles share this name. '
        "Choose the one you were looking for.</span></p>"
    )


def _inline(text: str, state: _State) -> Markup:
    made: list[Markup] = []
    at = 0
    for found in _INLINE.finditer(text):
        made.append(escape(text[at : found.start()]))
        at = found.end()
        if found["title"] is not None:
            made.append(_link(found["title"].strip(), found["words"], state))
        elif found["both"] is not None:
            made.append(Markup("<b><i>{}</i></b>").format(_inline(found["both"], state)))
        elif found["bold"] is not None:
            made.append(Markup("<b>{}</b>").format(_inline(found["bold"], state)))
        elif found["italic"] is not None:
            made.append(Markup("<i>{}</i>").format(_inline(found["italic"], state)))
        else:
            made.append(_reference(found["ref"].strip(), state))
    made.append(escape(text[at:]))
    return Markup("").join(made)


def _link(title: str, words: str | None, state: _State) -> Markup:
    if title.startswith("Category:"):
        name = title.removeprefix("Category:").strip()
        return Markup('<a href="/category/{}">{}</a>').format(slug_of(name), words or name)
    page, _, anchor = title.partition("#")
    href = f"/wiki/{slug_of(page)}" + (f"#{slug_of(anchor)}" if anchor else "")
    if not state.known(page):
        return Markup('<a class="missing" href="{}" title="This page does not exist yet">{}</a>').format(
            href, words or title
        )
    return Markup('<a class="wl" href="{}">{}</a>').format(href, words or title)


def _reference(text: str, state: _State) -> Markup:
    if text not in state.reference_keys:
        state.reference_keys[text] = len(state.references) + 1
        state.references.append(Markup(""))
        state.reference_uses.append(0)
        state.references[-1] = _inline(text, state)
    number = state.reference_keys[text]
    state.reference_uses[number - 1] += 1
    use = state.reference_uses[number - 1]
    return Markup(
        '<sup class="ref" id="ref-{0}-{1}"><a href="#note-{0}" aria-label="Reference {0}">[{0}]</a></sup>'
    ).format(number, use)


def _references(state: _State) -> Markup:
    if not state.references:
        return Markup("")
    entries = Markup("").join(
        Markup('<li id="note-{0}"><span class="back">{1}</span> {2}</li>').format(
            number,
            Markup(" ").join(
                Markup(
                    '<a href="#ref-{0}-{1}" aria-label="Back to the text from reference {0}, place {1}">↑</a>'
                ).format(number, use + 1)
                for use in range(state.reference_uses[number - 1])
            ),
            text,
        )
        for number, text in enumerate(state.references, 1)
    )
    state.headings.append(
        Heading(2, "References", "References", str(len([h for h in state.headings if h.level == 2]) + 1), -1)
    )
    return Markup(
        '<section class="references" aria-labelledby="References"><h2 id="References">References</h2>'
        "<ol>{}</ol></section>"
    ).format(entries)
