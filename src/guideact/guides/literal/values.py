"""What a sentence says is to be entered, where it does not quote it: dates, numbers, addresses, codes, plain words."""

from __future__ import annotations

import re

_NAMES = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_MONTHS = {name: number for number, name in enumerate(_NAMES, 1)}
_MONTH = "|".join(_NAMES)
_DATE = re.compile(
    rf"\b(?P<month>{_MONTH}) (?P<day>\d{{1,2}}),? (?P<year>\d{{4}})\b"
    rf"|\b(?P<day2>\d{{1,2}}) (?P<month2>{_MONTH}) (?P<year2>\d{{4}})\b"
)
_VALUES = re.compile(
    r"[\w.+-]+@[\w-]+\.[\w.-]*\w|\+?\d[\d ]{6,}\d|\d{4}-\d{2}-\d{2}|[A-Z0-9]+-\d[\w-]*|[A-Z]{2,}\d+"
    r"|(?<![\w“])[-+]?\d[\d,.:/]*\d(?!\w)|(?<!\w)\d(?!\w)"
)
"""E-mail addresses, telephone numbers, dates, codes, numbers."""
_SAID = (
    re.compile(
        r"^(?:\w+ ){0,4}?(?:Type|Write|Enter|Put|Add|Insert|type|write|enter|put) (?P<v>[^“.;]{1,80}?) "
        r"(?:into|in|as|for|below|under|beside|on|to the)\s+(?:the\b|your\b|“|it\b|its\b|this\b|a\b|stop\b)"
    ),
    re.compile(r"\b(?:by|with) (?P<v>[A-Z0-9+#$€][^“.;]*?)(?:[.;]| in the| below| beside|$)"),
    re.compile(
        r"\b(?:is|are|reads?|be|becomes?|read|to|into|as|say|says)"
        r" (?P<v>[A-Z0-9+#$€][^“;]*?)(?:\.$|;|, (?:which|as|and)\b|$)"
    ),
    re.compile(r"[:,] (?P<v>[A-Z0-9+#$€][^“;:]*?)\.?$"),
    re.compile(r"(?:^|[:,] )(?P<v>[A-Z0-9+][^“.;:,]*?) (?:belongs|goes|is what|should stand|has to stand)\b"),
    re.compile(r"^Fill in (?P<v>[^“.;]{1,60}?) (?:below|under|beside|next|on|at|as)\b"),
)
"""Where a text to enter stands that is not quoted."""
_NO_VALUE = re.compile(r"^(?:the|your|a|an|it|its|this|that|what|every|all|some|one|Enter)\b", re.IGNORECASE)


def values(bare: str) -> list[str]:
    """What may be the text to enter, likeliest first; `bare` is a sentence with “ in place of each quotation."""
    found = [
        f"{match['year'] or match['year2']}-{_MONTHS[match['month'] or match['month2']]:02}-"
        f"{int(match['day'] or match['day2']):02}"
        for match in _DATE.finditer(bare)
    ]
    bare = _DATE.sub(" ", bare)
    for pattern in _SAID:
        if (match := pattern.search(bare)) is not None and not _NO_VALUE.match(match["v"]):
            found.append(match["v"].strip(" .,"))
    found += [value.strip(" .,:") for value in _VALUES.findall(bare)]
    return found
