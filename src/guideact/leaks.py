"""The leak check of guides: a sentence for a person must not speak of marks, pixels, selectors or the DOM.

Part of OFCR (MAG). The rules aim at what models write when they leak ("click [12]", "the button at (640, 360)",
"#add-to-cart", "the div") and leave alone what people write: quantities, order numbers, sizes, prices, house numbers,
channels and hashtags, geographic coordinates. A snippet that the page itself shows (a citation "[12]", a setting in
px) is no leak: pass the observation, and it is let through.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from guideact.types import Fault, Observation

_TAGS = "div|span|button|input|select|textarea|form|ul|ol|li|td|tr|th|table|section|nav|img|label|svg|iframe|body"
_PLACE = r"(?:\b(?:the|on|at|of|with|click|select|press|tap|choose|use|in|into|open|numbered|labell?ed)\s+|[(\"'“])"


class _Rule(NamedTuple):
    kind: str
    pattern: re.Pattern[str]


def _rule(kind: str, pattern: str, flags: int = re.IGNORECASE) -> _Rule:
    return _Rule(kind, re.compile(pattern, flags))


_RULES = (
    # "[12]", "【12】": how the menu writes a mark. One to three digits, for years and order numbers are longer.
    _rule("leak_mark", r"[\[【]\s*\d{1,3}\s*[\]】]"),
    # "the mark 12", "(mark 12)": not "Mark 3 reviews as approved", where mark is what to do.
    _rule("leak_mark", _PLACE + r"(?:mark|marker)\s*(?:#|no\.?\s*|number\s+)?\d{1,3}\b(?!\s*(?:stars?|out of|of \d))"),
    _rule("leak_mark", r"\b(?:element|candidate|node|bid)\s*(?:#|no\.?\s*|number\s+|id\s*[:=]?\s*)?\d{1,3}\b"),
    _rule("leak_mark", r"(?:标记|元素)\s*(?:#|编号|为)?\s*\d{1,3}"),
    # A pair of pixels: at least one of three digits, and not the two halves of a number such as (1,234).
    _rule(
        "leak_coordinate",
        r"[(\[（]\s*(?!\d{1,3},\d{3}\s*[)\]）])(?=[^)\]）]*\b\d{3,4}(?:\.\d+)?\b)"
        r"\d{1,4}(?:\.\d{1,2})?\s*[,，]\s*\d{1,4}(?:\.\d{1,2})?\s*[)\]）]",
    ),
    _rule("leak_coordinate", r"\bx\s*[=:]\s*\d+[^a-z0-9]{1,6}y\s*[=:]\s*\d+"),
    _rule("leak_coordinate", r"\b(?:coordinates?|position|pixel|point)\s+\d{1,4}\s*[,/x]\s*\d{1,4}\b"),
    _rule("leak_coordinate", r"\b\d+\s?(?:px\b|pixels\b)"),
    _rule("leak_coordinate", r"坐标\s*(?:为|是|:|：)?\s*\d{1,4}\s*[,，]\s*\d{1,4}"),
    _rule("leak_selector", rf"\b(?:{_TAGS})[.#][a-z_][\w-]*|\b(?:{_TAGS})\[[^\]]*\]"),
    # An id or a class has a dash, an underscore or a hump where a hashtag has none. Case counts here.
    _rule("leak_selector", r"(?<![\w/&])#(?:[a-z]+[-_][\w-]+|[a-z]+[A-Z]\w*)(?!\w)", 0),
    _rule("leak_selector", r"(?<![\w/.])\.(?:[a-z]+[-_]{1,2}[\w-]+)\b", 0),
    _rule("leak_selector", r"\[@?[a-z][\w-]*\s*[~|^$*]?=\s*['\"]?[^\]]*\]"),
    _rule("leak_selector", r"//[a-z*]+\[|:nth-(?:child|of-type)\(|\bxpath\b|\bcss\s+selectors?\b"),
    _rule("leak_selector", r"\bquerySelector|\bgetElement|\bdata-[a-z]+(?:-[a-z]+)*\s*=|\baria-[a-z]+\b"),
    _rule("leak_dom", rf"</?(?:{_TAGS}|a|p|h[1-6])(?:\s[^>]*)?/?>"),
    _rule("leak_dom", r"\bDOM\b|\binnerHTML\b", 0),
    _rule("leak_dom", r"\b(?:div|iframe|textarea|combobox|listbox|shadow\s+root)s?\b"),
    _rule("leak_dom", rf"\b(?:{_TAGS}|anchor|html|link)\s+(?:element|node|tag)s?\b"),
    _rule("leak_dom", r"\b(?:css|html)\s+(?:class|id|attribute)(?:es|s)?\b|\b(?:class|id)\s*=\s*['\"]"),
)


def find_leaks(guide: str, observation: Observation | None = None) -> tuple[Fault, ...]:
    """What the guide gives away of the machinery: one fault for each kind, naming the first snippet found.

    With an observation, a snippet that stands on the page, word for word, is let through.
    """
    shown: str | None = None
    found: dict[str, Fault] = {}
    for rule in _RULES:
        if rule.kind in found:
            continue
        for match in rule.pattern.finditer(guide):
            snippet = match[0].strip(" (\"'“")
            if observation is not None:
                shown = shown if shown is not None else _shown_text(observation)
                if snippet.casefold() in shown:
                    continue
            found[rule.kind] = Fault(kind=rule.kind, detail=f"the guide says {snippet!r}")
            break
    return tuple(found.values())


def _shown_text(observation: Observation) -> str:
    pieces = [line.text for line in observation.texts]
    for candidate in observation.candidates:
        pieces += [candidate.name, candidate.text, *candidate.options]
    return "\n".join(pieces).casefold()
