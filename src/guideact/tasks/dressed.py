"""How a solver reads a page in a skin: as the page without one, and how what it does and says is put into the skin's.

Solvers know the words and widgets of the sites and no skins. Whoever drives one undresses each observation before the
solver looks at it, and dresses its action before it is done: where a skin shows radio buttons instead of a list, the
solver sees the list, and what it selects there becomes a click. Boxes and values stay.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from urllib.parse import urlsplit

from guideact.sites.registry import SITES
from guideact.sites.skins import Skin, widgets, words
from guideact.types import Action, Box, Candidate, Click, Mark, Observation, Select, TextLine

_INSTANCE = re.compile(r"-i[0-9]+$")
_QUOTED = re.compile(r"“([^“”]+)”")
_AFTER = r"(?=\s*[:*(]|\s+[\d$–·]|$)"
"""What may follow a word in one line of text: its value, its count, the star of a field that must be filled in."""
_LISTED = re.compile(r"#skin-set-(radio|tab|link)-\d+$")
"""A native list that a skin shows instead of radio buttons, tabs or links (`sites/static/skin.js`)."""
_PICKED = re.compile(r"#skin-pick-(\d+)-\d+-of-(\d+)$")
"""A radio button that a skin shows instead of an entry of a native list: which list, of how many entries."""
_APART = 1000
"""Marks of what is an entry of a list on the page: 1000 for each entry before it and itself, and the list's mark."""


def site_of(url: str) -> str:
    """The embedded site that an address belongs to, "" for none: http://shopping-admin.localhost/ -> shopping_admin."""
    host = (urlsplit(url).hostname or "").removesuffix(".localhost")
    name = _INSTANCE.sub("", host).replace("-", "_")
    return name if name in SITES else ""


def undress(seen: Observation, skin: Skin | None) -> Observation:
    """The same observation with the site's own words and widgets instead of the skin's."""
    if skin is None or not (site := site_of(seen.url)):
        return seen
    if skin.moves:
        seen = _own_widgets(seen)
    if _words(skin, seen.url):
        seen = _own_words(seen, skin, site)
    made = widgets(skin, site)
    if made is None or not made.swaps:
        return seen
    turned = {"link": "button", "button": "link"}
    return seen.model_copy(
        update={
            "candidates": tuple(
                one.model_copy(update={"role": turned[one.role]})
                if one.role in turned and one.name in made.swaps
                else one
                for one in seen.candidates
            )
        }
    )


def dressed(action: Action, seen: Observation) -> Action:
    """What a solver does on an undressed page, as it is done on the page `seen`."""
    if not isinstance(action, Click | Select) or not isinstance(action.target, Mark):
        return action
    entry, mark = divmod(action.target.mark, _APART)
    if (found := seen.candidate(mark)) is None:
        return action
    if entry and isinstance(action, Click):
        return Select(target=Mark(mark=mark), option=found.options[entry - 1])
    picked = _PICKED.search(found.locator.css)
    if picked is not None and isinstance(action, Select):
        for one in seen.candidates:
            other = _PICKED.search(one.locator.css)
            if other is not None and other[1] == picked[1] and one.name == action.option:
                return Click(target=Mark(mark=one.mark))
    return action


def _own_words(seen: Observation, skin: Skin, site: str) -> Observation:
    back, pattern, within = _back(skin, site)

    def read(text: str) -> str:
        if (found := pattern.match(text)) is None:
            return text
        return back[found[1]] + text[found.end() :]

    def candidate(one: Candidate) -> Candidate:
        name, text, placeholder = read(one.name), read(one.text), read(one.placeholder)
        row = _own_row(one.locator.row, back, within)
        if (name, text, placeholder, row) == (one.name, one.text, one.placeholder, one.locator.row):
            return one
        locator = one.locator.model_copy(update={"row": row})
        return one.model_copy(update={"name": name, "text": text, "placeholder": placeholder, "locator": locator})

    return seen.model_copy(
        update={
            "candidates": tuple(candidate(one) for one in seen.candidates),
            "texts": tuple(TextLine(text=read(line.text), box=line.box) for line in seen.texts),
        }
    )


def _own_row(row: str, back: Mapping[str, str], within: re.Pattern[str]) -> str:
    """A row in the site's own words, then as it is shown: amid other words nothing tells a label from data."""
    own = within.sub(lambda found: back[found[0]], row)
    return row if own == row else f"{own} {row}"


def _own_widgets(seen: Observation) -> Observation:
    """With the entries of lists that stand for other controls, and the lists that radio buttons stand for."""
    groups: dict[str, list[Candidate]] = {}
    shown: list[Candidate] = []
    for one in seen.candidates:
        if listed := _LISTED.search(one.locator.css):
            shown += _entries(one, listed[1])
        elif picked := _PICKED.search(one.locator.css):
            groups.setdefault(f"{picked[1]}/{picked[2]}", []).append(one)
        else:
            shown.append(one)
    texts = list(seen.texts)
    for key, radios in groups.items():
        # A group that is cut off is none yet: whoever needs it scrolls on.
        if len(radios) == int(key.partition("/")[2]) and (head := _head(radios, texts)) is not None:
            found = _list_of(radios, head)
            shown.append(found)
            texts = [line for line in texts if line.text not in found.options or not _meet(line.box, found.box)]
        else:
            shown += radios
    if len(shown) == len(seen.candidates) and not groups:
        return seen
    return seen.model_copy(update={"candidates": tuple(shown), "texts": tuple(texts)})


def _entries(box: Candidate, role: str) -> list[Candidate]:
    """The controls that a native list stands for, each with a mark of its own."""
    state = {"radio": "checked", "tab": "selected", "link": "current"}[role]
    return [
        box.model_copy(
            update={
                "mark": _APART * number + box.mark,
                "role": role,
                "name": option,
                "text": option,
                "tag": "",
                "value": "",
                "options": (),
                "states": (state,) if option == box.value else (),
                # The row of the list is written around it, and not what its entries stand among.
                "locator": box.locator.model_copy(update={"row": ""}),
            }
        )
        for number, option in enumerate(box.options, 1)
        if option != "…"
    ]


def _list_of(radios: list[Candidate], name: str) -> Candidate:
    left, top = min(one.box.x for one in radios), min(one.box.y for one in radios)
    right = max(one.box.x + one.box.width for one in radios)
    bottom = max(one.box.y + one.box.height for one in radios)
    return radios[0].model_copy(
        update={
            "role": "combobox",
            "name": name,
            "tag": "select",
            "value": next((one.name for one in radios if "checked" in one.states), ""),
            "options": tuple(one.name for one in radios),
            "states": (),
            "box": Box(x=left, y=top, width=right - left, height=bottom - top),
        }
    )


def _head(radios: list[Candidate], texts: list[TextLine]) -> str | None:
    """The line that names a group of radio buttons: the closest one above its first button, or left of it."""
    first = min(radios, key=lambda one: (one.box.y, one.box.x)).box
    names = {one.name for one in radios}
    found: list[tuple[float, str]] = []
    for line in texts:
        box = line.box
        above, before = first.y - (box.y + box.height), first.x - (box.x + box.width)
        if line.text in names:
            continue
        if -6 <= above < 40 and abs(box.x - first.x) < 60:
            found.append((above + abs(box.x - first.x) / 4, line.text))
        elif -2 <= before < 60 and abs(box.centre[1] - first.centre[1]) < 14:
            found.append((before, line.text))
    return min(found)[1] if found else None


def _meet(a: Box, b: Box) -> bool:
    """Whether a line stands in or right beside the box of a group."""
    return b.y - 4 <= a.centre[1] <= b.y + b.height + 4 and b.x <= a.x <= b.x + b.width + 60


def reword(sentence: str, skin: Skin | None, url: str) -> str:
    """A guide's sentence about a page, with the quoted words of its site replaced by those that the skin shows."""
    known = _words(skin, url)
    return _QUOTED.sub(lambda found: f"“{known.get(found[1], found[1])}”", sentence) if known else sentence


def _words(skin: Skin | None, url: str) -> Mapping[str, str]:
    site = site_of(url) if skin is not None else ""
    return words(skin, site) if skin is not None and site else {}


@functools.lru_cache(maxsize=64)
def _back(skin: Skin, site: str) -> tuple[Mapping[str, str], re.Pattern[str], re.Pattern[str]]:
    """Shown words to the site's own, what finds one at the beginning of a text, and anywhere; the longer word first."""
    back = {shown: word for word, shown in words(skin, site).items()}
    longest = "|".join(sorted(map(re.escape, back), key=len, reverse=True))
    return back, re.compile(rf"({longest}){_AFTER}"), re.compile(rf"(?<!\w)(?:{longest})(?!\w)")
