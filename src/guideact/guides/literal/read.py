"""What a sentence of a guide says: what it quotes, which act it asks for, what stands where, and what to enter.

Words only, by rules of English guides: imperatives ("Type “tea” into “Search”") and descriptions that stand for one
("“Search” should read “tea”"). Nothing here knows a page.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from guideact.guides.literal import wording
from guideact.guides.literal.values import values

QUOTE = re.compile(r"“([^“”]+)”|「([^「」]+)」")
_STRAIGHT = re.compile(
    # Those within other quotation marks belong to the name.
    r"""“[^“”]+”|「[^「」]+」|(?<!\w)"([^"“”]+)"(?!\w)"""
    # An apostrophe within a word ends nothing, and one after a word begins nothing.
    r"""|(?<![\w'])'((?:[^'“”]|(?<=\w)'(?=\w))+)'(?![\w'])"""
)
_WORD = re.compile(r"[^\W_]+(?:[-'’][^\W_]+)*")

_STOPWORDS = """
a about after again all already also an and any are as at be because been before being below both box
but button by can choose click come comes do does done down each either else enter entry every few field
fill find first follow for from further get gets go goes going has have here him his how i if in inside
into is it item its itself just last leads least left less like likes link list lists made make makes
mark menu more most much must need needed needs new next no not now of off on once one ones only onto
open opened opens or other others out over own page pages part pick place press put right same say says
screen scroll second see select set show shows so some something sort stand stands start such take takes
tell than that the their them then there these thing things this those through tick to too top turn type
under until up use very want wants was way what when where which while who whole will with without words
would write you your yours
"""
STOPWORDS = frozenset(_WORD.findall(_STOPWORDS))
"""Words that name no thing of a page; they still say which act is meant, and where."""


KINDS: dict[str, tuple[str, ...]] = {
    "button": ("button", "menuitem"),
    "link": ("link",),
    "title": ("link",),
    "headline": ("link",),
    "name": ("link",),
    "tab": ("tab", "link"),
    "field": ("textbox", "searchbox", "combobox", "spinbutton"),
    "box": ("textbox", "searchbox", "combobox", "spinbutton", "checkbox"),
    "editor": ("textbox",),
    "list": ("combobox", "listbox"),
    "drop-down": ("combobox", "listbox"),
    "dropdown": ("combobox", "listbox"),
    "check": ("checkbox",),
    "checkbox": ("checkbox",),
    "tick": ("checkbox", "radio"),
    "circle": ("radio",),
    "switch": ("switch", "checkbox"),
    "radio": ("radio",),
    "menu": ("button", "link", "menuitem"),
    "suggestion": ("option", "link"),
    "suggestions": ("option", "link"),
    "suggested": ("option", "link"),
    "dropped": ("option", "link"),
    "entry": ("option", "link", "menuitem"),
    "entries": ("option", "menuitem", "link"),
    "section": ("button", "link"),
    "picture": ("link", "button", "option"),
    "pin": ("link", "button"),
    "day": ("button", "gridcell"),
    "calendar": ("button", "gridcell"),
}
"""What kinds of control a word may mean."""

_PLACES: dict[str, tuple[str, ...]] = {
    "top": (
        r"at the (?:very )?top",
        "topmost",
        "upper",
        "header",
        "top bar",
        "bar at the top",
        "dark bar",
        "in the head",
    ),
    "bottom": (r"at the (?:very )?(?:bottom|foot|end)", "lower half", "foot of", "bottom"),
    "left": (
        *("at the left", "left-hand", r"left (?:side|edge|column|of the list)", "on the left", "down the left"),
        *("column on the left", "side menu"),
    ),
    "right": (
        *(r"at the (?:top )?right", "right-hand", r"right (?:side|edge|column|end|corner)", "on the right"),
        "to its right",
    ),
}
_PLACE_PATTERNS = tuple(
    (name, re.compile(rf"\b(?:{'|'.join(said)})\b", re.IGNORECASE)) for name, said in _PLACES.items()
)
_ORDINALS = {
    "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "topmost": 1, "last": -1, "lowest": -1,
}  # fmt: skip


@dataclass(frozen=True)
class Quote:
    """Something between quotation marks, and where it stands in the sentence."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Reading:
    """What a sentence says."""

    sentence: str
    quotes: tuple[Quote, ...] = ()
    words: tuple[tuple[str, float], ...] = ()
    """The other words that may name something, stemmed, each with its weight: what comes after the first clause is
    mostly about what happens then."""
    said: frozenset[str] = frozenset()
    """All words outside quotation marks, in small letters."""
    roles: frozenset[str] = frozenset()
    """Roles that the words speak of."""
    verbs: frozenset[str] = frozenset()
    """Acts that the wording allows: type, select, click, press_enter, go_back, scroll, finish."""
    values: tuple[str, ...] = ()
    """What may have to be entered that is not quoted: numbers, dates, addresses, codes."""
    places: frozenset[str] = frozenset()
    mine: bool = False
    """It is about what belongs to whoever is signed in: the menu behind one's own name."""
    large: bool = False
    """A field of several lines is meant."""
    listed: bool = False
    """It stands in or by a list or a table of the page, hence not in its header."""
    ordinal: int = 0
    """1 for the first, 2 for the second, -1 for the last; 0 where none is said."""
    up: bool = False
    """A scroll goes up."""
    given: bool = False
    """`values` holds the one thing that is to be entered, said beside the sentence."""

    def is_beside(self, quote: Quote) -> bool:
        """Whether a quotation says where, and not what."""
        return bool(wording.BESIDE.search(self.sentence[: quote.start]))


@lru_cache(4096)
def read(sentence: str) -> Reading:
    """Read one sentence. Straight quotation marks, double or single, are as good as others."""
    sentence = _STRAIGHT.sub(lambda m: f"“{m[1] or m[2]}”" if m[1] or m[2] else m[0], sentence)
    quotes = tuple(Quote(next(filter(None, m.groups())).strip(), m.start(), m.end()) for m in QUOTE.finditer(sentence))
    bare = QUOTE.sub(" “ ", sentence)
    said = [re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", word.casefold()) for word in _WORD.findall(bare)]
    roles = frozenset(role for word in said for role in KINDS.get(word, ()))
    counted = re.sub(
        r"\b(?:first|last|second) (?:name|of all|part|thing)\b|\bat (?:first|last)\b", " ", bare.casefold()
    )
    ordinal = next((_ORDINALS[word] for word in _WORD.findall(counted) if word in _ORDINALS), 0)
    return Reading(
        sentence=sentence,
        quotes=quotes,
        words=_words(bare),
        said=frozenset(said),
        roles=roles,
        verbs=_verbs(sentence, bare, bool(quotes)),
        values=tuple(dict.fromkeys(values(bare))),
        places=frozenset(name for name, pattern in _PLACE_PATTERNS if pattern.search(bare)),
        mine=bool(wording.MINE.search(bare)),
        large=bool(re.search(r"\b(?:large|big|wide white|white box|editor|several lines|area)\b", bare, re.IGNORECASE)),
        listed=bool(re.search(r"\b(?:of|above|over|in|under) the (?:list|table|results|rows)\b", bare)),
        ordinal=ordinal,
        up=bool(re.search(r"\b(?:up|upwards|above|back up)\b", bare, re.IGNORECASE))
        and not re.search(
            r"\b(?:down|lower|downwards|below)\b", re.sub(r"(?:on the )?way down", "", bare), re.IGNORECASE
        ),
    )


def _words(bare: str) -> tuple[tuple[str, float], ...]:
    found: dict[str, float] = {}
    for at, clause in enumerate(re.split(r"[;.:]", bare)):
        for word in _WORD.findall(clause):
            plain = re.sub(r"^(\d+)(?:st|nd|rd|th)$", r"\1", word.casefold())
            if plain not in STOPWORDS and (len(plain) > 1 or plain.isdigit()):
                found.setdefault(stem(plain), 1.0 if at == 0 else 0.5)
    return tuple(found.items())


def _verbs(sentence: str, bare: str, quoted: bool) -> frozenset[str]:
    found = set()
    if wording.ENTER.search(bare):
        found.add("press_enter")
    if wording.BACK.search(bare):
        found.add("go_back")
    if wording.SCROLL.search(bare):
        found.add("scroll")
    if wording.TYPE.search(sentence):
        found.add("type")
    if wording.TYPE_SURELY.search(bare):
        found |= {"type", "type_surely"}
    if re.search(r"“[^”]+”[^“”]{0,12}: “|\bis: “", sentence):
        found |= {"type", "type_surely"}
    if values(bare) and re.search(r"\b(?:field|box)\b", bare):
        found.add("type")
    if wording.SELECT.search(bare):
        found.add("select")
    if wording.DONE.search(bare):
        found.add("finish")
    if quoted or wording.CLICK.search(bare):
        found.add("click")
    return frozenset(found)


def stem(word: str) -> str:
    """A word without its plural or its ending, so that forms of one word meet."""
    word = word.casefold().replace("’", "'").removesuffix("'s")
    for ending in ("ing", "ies", "es", "s", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            base = word[: -len(ending)]
            return base + "y" if ending == "ies" else base.rstrip("e")
    return word.rstrip("e") if len(word) > 3 else word


def stems(text: str) -> list[str]:
    """The words of a text, stemmed."""
    return [stem(word) for word in _WORD.findall(text)]


def fold(text: str) -> str:
    """For comparing names: case, white space and the signs around them folded."""
    return " ".join(text.split()).casefold().strip(" *:…")
