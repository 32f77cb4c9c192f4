"""The articles as the package ships them: read once, at the first use, and shared by all instances.

An article file in `articles/` holds many articles. Each begins with `@@ Title` and lines that say what is not text:

    @@ Kettle
    % short: Vessel for boiling water        under the title in suggestions
    % redirects: Kettles; Tea kettle         titles that lead here
    % de: Wasserkessel                       title of the German edition
    % created: 2019-05-02 ainov              first revision: day and editor
    % was: 2025-11-03 jweiss | Height corrected | 36 m | 63 m     a revision that put "36 m" where "63 m" had been

`{{company}}`, `{{event}}` and `{{table NAME}}` are written out when the file is read (`facts.py`), so that articles
never disagree with `companies.py` and an editor sees plain source.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from guideact.sites.wikipedia import facts
from guideact.sites.wikipedia.markup import categories_of, links_of, redirect_target, slug_of

__all__ = [
    "Article",
    "Category",
    "Known",
    "PastEdit",
    "article",
    "articles",
    "by_slug",
    "category",
    "category_tree",
    "german",
    "german_article",
    "links_to",
    "redirects",
]

_FOLDER = Path(__file__).parent / "articles"


@dataclass(frozen=True)
class PastEdit:
    """A revision written by hand: it put `new` where `old` had been. `new` stands once in the article."""

    day: str
    editor: str
    summary: str
    new: str
    old: str


@dataclass(frozen=True)
class Article:
    """One article. `id` is its place in the order of the files, from 1."""

    id: int
    slug: str
    title: str
    source: str
    short: str
    created: str
    """Day of the first revision, ISO."""
    creator: str
    """Handle of a person, or empty for anybody."""
    german: str
    """Title of the German edition, or empty."""
    past: tuple[PastEdit, ...]
    protected: bool


@dataclass(frozen=True)
class Category:
    """A category and where it hangs in the tree."""

    slug: str
    name: str
    parent: str
    """Name of the category above, or empty for the root's children."""
    description: str


@dataclass(frozen=True)
class Known:
    """Whether a title leads somewhere; `made` are titles that an instance has added. Hashable, so pages can be kept."""

    made: frozenset[str] = frozenset()

    def __call__(self, title: str) -> bool:
        slug = slug_of(title)
        return slug in by_slug() or slug in redirects() or slug in self.made


def _entries(path: Path) -> Iterator[tuple[str, dict[str, list[str]], str]]:
    """(title, what the % lines say, source) of every article of a file."""
    for part in re.split(r"(?m)^@@ ", path.read_text("utf-8"))[1:]:
        title, _, rest = part.partition("\n")
        said: dict[str, list[str]] = {}
        lines = rest.splitlines()
        while lines and lines[0].startswith("% "):
            key, _, value = lines.pop(0)[2:].partition(":")
            said.setdefault(key.strip(), []).append(value.strip())
        yield title.strip(), said, "\n".join(lines).strip() + "\n"


def _past(said: list[str]) -> tuple[PastEdit, ...]:
    made = []
    for line in said:
        head, summary, new, old = (part.strip() for part in line.split(" | "))
        day, editor = head.split()
        made.append(PastEdit(day, editor, summary, new, old))
    return tuple(sorted(made, key=lambda one: one.day))


@functools.cache
def articles() -> tuple[Article, ...]:
    """All articles of the English edition, in the order of the files."""
    made: list[Article] = []
    for path in sorted(_FOLDER.glob("*.txt")):
        if path.stem in ("categories", "german"):
            continue
        for title, said, source in _entries(path):
            day, _, creator = said.get("created", [""])[0].partition(" ")
            made.append(
                Article(
                    id=len(made) + 1,
                    slug=slug_of(title),
                    title=title,
                    source=facts.written_out(title, source),
                    short=said.get("short", [""])[0],
                    created=day,
                    creator=creator,
                    german=said.get("de", [""])[0],
                    past=_past(said.get("was", [])),
                    protected="protected" in said,
                )
            )
    return tuple(made)


@functools.cache
def by_slug() -> Mapping[str, Article]:
    return {one.slug: one for one in articles()}


@functools.cache
def article(article_id: int) -> Article:
    """The article with this number. Raises IndexError for one that the package does not ship."""
    if article_id < 1:
        raise IndexError(article_id)
    return articles()[article_id - 1]


@functools.cache
def redirects() -> Mapping[str, tuple[str, str]]:
    """Slug of a redirect -> (its title, slug of the article it leads to)."""
    made: dict[str, tuple[str, str]] = {}
    for path in sorted(_FOLDER.glob("*.txt")):
        if path.stem in ("categories", "german"):
            continue
        for title, said, source in _entries(path):
            for names in said.get("redirects", []):
                for name in names.split(";"):
                    made[slug_of(name.strip())] = (name.strip(), slug_of(title))
            target = redirect_target(source)
            if target is not None:
                raise ValueError(f"{path.name}: {title}: write redirects as a '% redirects:' line of {target}")
    return made


@functools.cache
def german() -> tuple[Article, ...]:
    """The short articles of the German edition."""
    made: list[Article] = []
    for title, said, source in _entries(_FOLDER / "german.txt"):
        english = said.get("en", [""])[0]
        made.append(Article(len(made) + 1, slug_of(title), title, source, english, "", "", "", (), True))
    return tuple(made)


def german_article(slug: str) -> Article | None:
    return next((one for one in german() if one.slug == slug), None)


@functools.cache
def category_tree() -> Mapping[str, Category]:
    """Slug -> category, in the order of `categories.txt`, where the indent tells what hangs under what."""
    made: dict[str, Category] = {}
    above: list[str] = []
    for line in (_FOLDER / "categories.txt").read_text("utf-8").splitlines():
        if not line.strip():
            continue
        depth = (len(line) - len(line.lstrip())) // 2
        name, _, description = (part.strip() for part in line.strip().partition(" | "))
        del above[depth:]
        made[slug_of(name)] = Category(slug_of(name), name, above[-1] if above else "", description)
        above.append(name)
    return made


def category(slug: str) -> Category | None:
    return category_tree().get(slug)


@functools.cache
def links_to() -> Mapping[str, tuple[int, ...]]:
    """Slug of an article -> the articles that link to it, also by way of a redirect."""
    found: dict[str, list[int]] = {}
    for one in articles():
        for slug in {target_slug(title) for title in links_of(one.source)}:
            found.setdefault(slug, []).append(one.id)
    return {slug: tuple(ids) for slug, ids in found.items()}


def target_slug(title: str) -> str:
    """The slug of the article that a link leads to, redirects followed."""
    slug = slug_of(title.partition("#")[0])
    return redirects()[slug][1] if slug in redirects() else slug


@functools.cache
def members() -> Mapping[str, tuple[int, ...]]:
    """Slug of a category -> its articles, by title."""
    found: dict[str, list[Article]] = {}
    for one in articles():
        for name in categories_of(one.source):
            found.setdefault(slug_of(name), []).append(one)
    return {
        slug: tuple(one.id for one in sorted(pages, key=lambda page: page.title.casefold()))
        for slug, pages in found.items()
    }
