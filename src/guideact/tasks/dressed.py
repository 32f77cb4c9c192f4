"""How a solver reads a page in a skin: as the page without one, and how what it says is put into the skin's words.

Solvers know the words of the sites and no skins. Whoever drives one undresses each observation before the solver looks
at it; marks, boxes and values stay, so what it does is done on the page as it is.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from guideact.sites.registry import SITES
from guideact.sites.skins import Skin, words
from guideact.types import Candidate, Observation, TextLine

_INSTANCE = re.compile(r"-i[0-9]+$")
_QUOTED = re.compile(r"“([^“”]+)”")
_AFTER = r"(?=\s*[:*(]|\s+[\d$–·]|$)"
"""What may follow a word in one line of text: its value, its count, the star of a field that must be filled in."""


def site_of(url: str) -> str:
    """The embedded site that an address belongs to, "" for none: http://shopping-admin.localhost/ -> shopping_admin."""
    host = (urlsplit(url).hostname or "").removesuffix(".localhost")
    name = _INSTANCE.sub("", host).replace("-", "_")
    return name if name in SITES else ""


def undress(seen: Observation, skin: Skin | None) -> Observation:
    """The same observation with the site's own words instead of the skin's."""
    known = _words(skin, seen.url)
    if not known:
        return seen
    assert skin is not None
    back, pattern = _back(skin, site_of(seen.url))

    def read(text: str) -> str:
        if (found := pattern.match(text)) is None:
            return text
        return back[found[1]] + text[found.end() :]

    def candidate(one: Candidate) -> Candidate:
        name, text, placeholder = read(one.name), read(one.text), read(one.placeholder)
        if (name, text, placeholder) == (one.name, one.text, one.placeholder):
            return one
        return one.model_copy(update={"name": name, "text": text, "placeholder": placeholder})

    return seen.model_copy(
        update={
            "candidates": tuple(candidate(one) for one in seen.candidates),
            "texts": tuple(TextLine(text=read(line.text), box=line.box) for line in seen.texts),
        }
    )


def reword(sentence: str, skin: Skin | None, url: str) -> str:
    """A guide's sentence about a page, with the quoted words of its site replaced by those that the skin shows."""
    known = _words(skin, url)
    return _QUOTED.sub(lambda found: f"“{known.get(found[1], found[1])}”", sentence) if known else sentence


def _words(skin: Skin | None, url: str) -> Mapping[str, str]:
    site = site_of(url) if skin is not None else ""
    return words(skin, site) if skin is not None and site else {}


@functools.lru_cache(maxsize=64)
def _back(skin: Skin, site: str) -> tuple[Mapping[str, str], re.Pattern[str]]:
    """Shown words to the site's own, and what finds one at the beginning of a text; the longer word first."""
    back = {shown: word for word, shown in words(skin, site).items()}
    longest = sorted(map(re.escape, back), key=len, reverse=True)
    return back, re.compile(rf"({'|'.join(longest)}){_AFTER}")
