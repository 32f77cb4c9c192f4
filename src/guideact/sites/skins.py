"""Skins: changed looks of the same sites, made from a seed.

    skin = parse_skin("redesign-3")
    words(skin, "shopping")["Add to cart"]     # 'Put in the bag'
    server.dress(instance, skin)

| kind       | what is different                                                                          |
|------------|--------------------------------------------------------------------------------------------|
| `relabel`  | the words of controls, heads and headings                                                  |
| `relayout` | where things stand, what is folded away, spacing, type, corners, colours                   |
| `redesign` | both, and the widgets, as `Widgets` says                                                   |

What can be done stays the same, and so do the data. Words are drawn from `skin_words.txt`, looks from the style sheets
in `looks/`, one a site, in which `/* = group: alternative */` begins an alternative; each group gives one of its
alternatives, and the hue is drawn from the whole circle; colours of at most half the lightness are darkened as far as
that hue needs to be read on white. So a skin that nobody has looked at can be made at any time.

A page is dressed in the browser: the server puts a style sheet and a script (`static/skin.js`) into its head and leaves
the rest as it is.
"""

from __future__ import annotations

import colorsys
import functools
import hashlib
import json
import random
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, get_args

from guideact.errors import InputError

__all__ = [
    "KINDS",
    "Skin",
    "Widgets",
    "dress",
    "parse_skin",
    "shown_file",
    "swappable",
    "vocabulary",
    "widgets",
    "words",
]

Kind = Literal["relabel", "relayout", "redesign"]
KINDS: tuple[Kind, ...] = get_args(Kind)
MOST = 999_999
"""The highest seed."""

_HERE = Path(__file__).parent
_NAME = re.compile(r"(?P<kind>[a-z]+)-(?P<seed>[0-9]{1,6})")
_ALTERNATIVE = re.compile(
    r"^/\* = (?P<group>[\w-]+): (?P<name>[\w, -]+?)(?:; fold (?P<folds>[^;*]+))?(?:; jump (?P<jumps>[^;*]+))? \*/$",
    re.MULTILINE,
)

_COLOUR = re.compile(
    r"hsl\((?P<of>var\(--skin-hue\)|calc\(var\(--skin-hue\) \+ var\(--skin-turn\)\))"
    r" (?P<saturation>[0-9]+)% (?P<lightness>[0-9]+)%\)"
)
_READABLE = 6.0
"""Contrast with white that a dark colour has at least: on the washes, which are not quite white, it keeps 4.5."""


@dataclass(frozen=True)
class Skin:
    """A look. `name` is how flags, addresses and run folders write it."""

    kind: Kind
    seed: int

    @property
    def name(self) -> str:
        return f"{self.kind}-{self.seed}"

    @property
    def relabels(self) -> bool:
        """Whether words differ."""
        return self.kind != "relayout"

    @property
    def moves(self) -> bool:
        """Whether the style sheet differs."""
        return self.kind != "relabel"

    def draw(self, what: str) -> random.Random:
        """A source of chance for one choice: choices do not depend on each other, nor on their order."""
        return random.Random(f"{self.name}/{what}")


def parse_skin(text: str) -> Skin:
    """`redesign-3` -> Skin. Raises InputError for anything else."""
    match = _NAME.fullmatch(text.strip())
    kind = next((kind for kind in KINDS if match is not None and match["kind"] == kind), None)
    if match is None or kind is None:
        raise InputError(
            f"there is no skin {text!r}", fix=f"Write a kind ({', '.join(KINDS)}), a dash and a number: redesign-3."
        )
    return Skin(kind, int(match["seed"]))


# --- words ------------------------------------------------------------------------------------------------------


@functools.cache
def vocabulary(site: str) -> Mapping[str, tuple[str, ...]]:
    """The words of a site that skins change, each with what may be shown instead.

    No alternative stands for two words, or is itself a word of the site: whichever are drawn, they can be told apart.
    Raises ValueError where the file breaks that.
    """
    found: dict[str, tuple[str, ...]] = {}
    owner: dict[str, str] = {}
    section = ""
    for number, line in enumerate((_HERE / "skin_words.txt").read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("["):
            section = text.strip("[]")
            continue
        if section not in ("common", site):
            continue
        word, *others = (part.strip() for part in text.split("|"))
        if not others:
            raise ValueError(f"skin_words.txt:{number}: {word!r} has no alternative")
        for each in (word, *others):
            if owner.setdefault(each.casefold(), word) != word or found.get(word):
                raise ValueError(f"skin_words.txt:{number}: {each!r} is said of {owner[each.casefold()]!r} too")
        found[word] = tuple(others)
    return MappingProxyType(found)


@functools.lru_cache(maxsize=256)
def words(skin: Skin, site: str) -> Mapping[str, str]:
    """What a skin shows on a site instead of each word; empty where it changes none."""
    if not skin.relabels:
        return MappingProxyType({})
    return MappingProxyType(
        {word: skin.draw(f"{site}/{word}").choice(others) for word, others in vocabulary(site).items()}
    )


# --- widgets ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Widgets:
    """What a redesign shows instead of a control. What is chosen, and what a form sends, stays the same."""

    few: Literal["list", "rows", "pills"]
    """A native list of at most five entries: a list box of our own, radio buttons below or beside each other."""
    many: Literal["list", "native"]
    """A longer native list: a list box of our own, or as it was."""
    choices: Literal["radios", "list"]
    """Radio buttons: as they were, or a native list."""
    tabs: Literal["tabs", "list"]
    """Three tabs or more: as they were, or a native list."""
    ticks: Literal["switches", "chips"]
    """Check boxes outside of tables: switches, or boxes on chips."""
    swaps: tuple[str, ...]
    """Names of links that become buttons, and of buttons that become links."""


@functools.lru_cache(maxsize=256)
def widgets(skin: Skin, site: str) -> Widgets | None:
    """The widgets of a skin on a site; None where it changes none."""
    if skin.kind != "redesign":
        return None

    def draw(what: str) -> random.Random:
        return skin.draw(f"{site}/widgets/{what}")

    return Widgets(
        few=draw("few").choice(("list", "rows", "pills")),
        many=draw("many").choice(("list", "list", "native")),
        choices=draw("choices").choice(("radios", "list")),
        tabs=draw("tabs").choice(("tabs", "list")),
        ticks=draw("ticks").choice(("switches", "chips")),
        swaps=tuple(word for word in swappable(site) if draw(f"swap/{word}").random() < 0.5),
    )


@functools.cache
def swappable(site: str) -> tuple[str, ...]:
    """The names of links that may become buttons, and of buttons that may become links."""
    text = (_HERE / "skin_swaps.txt").read_text(encoding="utf-8")
    section, found = "", []
    for line in (line.strip() for line in text.splitlines()):
        if line.startswith("["):
            section = line.strip("[]")
        elif section == site and line and not line.startswith("#"):
            found.append(line)
    return tuple(found)


# --- looks ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Alternative:
    css: str
    folds: tuple[str, ...]
    """Selectors of the lists of links that it folds into a menu."""
    jumps: tuple[str, ...]
    """Selectors of the rows of links that it makes native lists of."""


@functools.cache
def _looks(site: str) -> Mapping[str, tuple[_Alternative, ...]]:
    """The groups of a site's looks; none where nobody has written any."""
    path = _HERE / "looks" / f"{site}.css"
    if not path.is_file():
        return MappingProxyType({})
    text = path.read_text(encoding="utf-8")
    heads = list(_ALTERNATIVE.finditer(text))
    groups: dict[str, list[_Alternative]] = {}
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        css = text[head.end() : following.start() if following is not None else len(text)].strip()
        groups.setdefault(head["group"], []).append(_Alternative(css, _parts(head["folds"]), _parts(head["jumps"])))
    return MappingProxyType({group: tuple(found) for group, found in groups.items()})


def _parts(selectors: str | None) -> tuple[str, ...]:
    return tuple(part.strip() for part in (selectors or "").split(",") if part.strip())


def _drawn(skin: Skin, site: str) -> list[_Alternative]:
    if not skin.moves:
        return []
    return [skin.draw(f"{site}/look/{group}").choice(found) for group, found in _looks(site).items()]


@functools.lru_cache(maxsize=256)
def shown_file(skin: Skin, site: str, name: str) -> bytes:
    """What the server gives for `/static/skin/<skin>/<name>`: skin.css or skin.js. Raises KeyError for another name."""
    drawn = _drawn(skin, site)
    if name == "skin.js":
        made = widgets(skin, site)
        told = {
            "words": dict(words(skin, site)),
            "folds": [fold for each in drawn for fold in each.folds],
            "jumps": [jump for each in drawn for jump in each.jumps],
            "widgets": asdict(made) if made is not None else None,
        }
        text = f"const SKIN = {json.dumps(told, ensure_ascii=False)};\n"
        return (text + _static("skin.js")).encode()
    if name == "skin.css":
        # The hues of warnings and sales stay what they are everywhere.
        hue = skin.draw(f"{site}/hue").randrange(360)
        turn = skin.draw(f"{site}/turn").choice((30, 60, 150, 180, 210))
        head = f":root {{ --skin-hue: {hue}; --skin-turn: {turn}; }}\n"
        return _deepened("\n".join([head + _static("skin.css"), *(each.css for each in drawn)]), hue, turn).encode()
    raise KeyError(name)


def _deepened(css: str, hue: int, turn: int) -> str:
    """The sheet, its dark colours dark enough in these hues: yellow is far lighter than blue of the same numbers."""

    def deepened(match: re.Match[str]) -> str:
        of, saturation, lightness = match["of"], int(match["saturation"]), int(match["lightness"])
        angle = hue if of == "var(--skin-hue)" else hue + turn
        deep = lightness
        while lightness <= 50 and _contrast_with_white(angle, saturation, deep) < _READABLE:
            deep -= 1
        return f"hsl({of} {saturation}% {deep}%)"

    return _COLOUR.sub(deepened, css)


def _contrast_with_white(hue: int, saturation: int, lightness: int) -> float:
    """The contrast ratio of WCAG, 1 to 21; hue in degrees, the others in percent."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in colorsys.hls_to_rgb(hue % 360 / 360, lightness / 100, saturation / 100)
    )
    return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05)


def _static(name: str) -> str:
    return (_HERE / "static" / name).read_text(encoding="utf-8")


@functools.lru_cache(maxsize=256)
def _tags(skin: Skin, site: str) -> bytes:
    def address(name: str) -> str:
        version = hashlib.sha256(shown_file(skin, site, name)).hexdigest()[:12]
        return f"/static/skin/{skin.name}/{name}?v={version}"

    sheet = f'<link rel="stylesheet" href="{address("skin.css")}">\n' if skin.moves else ""
    return f'{sheet}<script src="{address("skin.js")}"></script>\n</head>'.encode()


def dress(page: bytes, skin: Skin, site: str) -> bytes:
    """A page of a site with the skin's style sheet and script in its head; one without a head stays as it is.

    The script runs before the page's body is read, so that no word is ever seen that the skin does not show.
    """
    return page.replace(b"</head>", _tags(skin, site), 1)
