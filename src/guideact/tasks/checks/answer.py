"""Does the answer of `finish` say what was asked? Typed, so that form does not matter and content does.

The rule behind every kind: **one claim**. Form is forgiven (case, quotes, currency signs, thousands separators, a
sentence around the value), a second value never is: "12 or 13", "$5.00, $6.00" and a list with one item too many
fail, so no answer passes by containing everything.

| kind   | the same                                                        | not the same                           |
|--------|-----------------------------------------------------------------|----------------------------------------|
| text   | `"Trail Tent."`, `The answer is Trail Tent`, `trail tent`       | `Trail Tent or City Tent`, `Tent`      |
| number | `12`, `12.0`, `There are 12 reviews`, `twelve`, `共12条`, `十二`  | `12 or 13`, `12 of 20`, `not 12`       |
| money  | `$1,234.00`, `1234`, `USD 1,234`, `1,234 dollars`               | `€1,234`, `$1,234 or $1,235`           |
| date   | `2026-03-16`, `16 March 2026`, `3/16/26`, `2026年3月16日`         | `March 16` (no year), two dates        |
| list   | `a, b and c`, `["a", "b", "c"]`, one a line, `a、b、c`            | another order, one missing, one extra  |
| set    | as list, in any order                                           | one missing, one extra                 |

Dates with slashes are read as en-US writes them, month first; `16/3/2026` has one reading only and is accepted.
An identifier (`#187`, `000000187`) beside a number is not counted as a second number.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from decimal import Decimal

from guideact.types import AnswerCheck, CheckPart

_QUOTES = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "–": "-", "−": "-"})
_HEDGE = re.compile(r"\b(?:or|either|maybe|perhaps|but|not|neither|nor)\b|n't\b|不是|或")
_NEGATION = re.compile(r"\b(?:not|never|neither|nor)\b|n't\b|不是|并非")
_LEAD_INS = (
    re.compile(r"^(?:(?:the|my|final|short|correct)\s+)*answer\s*(?:is|are|:|=)\s*"),
    re.compile(r"^答案\s*(?:是|为|:)?\s*"),
    re.compile(r"^(?:it|that|this|they)(?:'s|'re| is| are)\s+"),
    re.compile(r"^[^,;:\n]{1,120}?\b(?:is|are|was|were)\b\s*:?\s*"),
)


def fold(text: str) -> str:
    """Text with everything taken away that does not carry meaning: width, case, quotes around, final stops, spaces."""
    text = unicodedata.normalize("NFKC", text).translate(_QUOTES).casefold()
    text = re.sub(r"\s+", " ", text).strip()
    while text and (text[-1] in ".!?;,。" or (text[0] in "\"'`*_([" and text[-1] in "\"'`*_)]")):
        text = text[:-1].rstrip() if text[-1] in ".!?;,。" else text[1:-1].strip()
    return text


def _claims(text: str) -> Iterator[str]:
    """The folded answer, and what is left of it without a lead-in such as "The answer is"."""
    folded = fold(text)
    yield folded
    for lead_in in _LEAD_INS:
        found = lead_in.match(folded)
        if found and not _HEDGE.search(found.group()):
            yield fold(folded[found.end() :])


def same_text(answer: str, expected: str) -> bool:
    """Whether the answer is the expected text and nothing besides (a lead-in aside)."""
    wanted = fold(expected)
    return any(claim == wanted for claim in _claims(answer))


# --- numbers and money ------------------------------------------------------------------------------------------

_NUMBER = r"(?<![\w.,#])-?(?:\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?![\d])(?!,\d)(?!\.\d)"
# A CJK character counts as a letter for `\w`, but a number may well stand right after one.
_NUMBER_RE = re.compile(_NUMBER.replace(r"[\w.,#]", r"[0-9A-Za-z_.,#]"))
_CURRENCIES = {
    "USD": r"us\$|\$|usd\b|us dollars?\b|dollars?\b|bucks\b",
    "EUR": r"€|eur\b|euros?\b",
    "GBP": r"£|gbp\b|pounds?\b",
    "CNY": r"¥|cny\b|rmb\b|yuan\b|元|人民币",
}
_WORDS = {
    word: value
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ]
    )
}
_NOTHING = re.compile(r"\b(?:none|no|nothing|nil)\b|没有|无")
_CJK_DIGITS = {character: value for value, character in enumerate("零一二三四五六七八九")} | {"两": 2, "〇": 0}
_CJK_UNITS = {"十": 10, "百": 100, "千": 1000, "万": 10000}
_CJK_NUMBER = re.compile(f"[{''.join(_CJK_DIGITS)}{''.join(_CJK_UNITS)}]+")


def _cjk_value(text: str) -> int:
    total = section = digit = 0
    for character in text:
        if character in _CJK_DIGITS:
            digit = _CJK_DIGITS[character]
        elif character == "万":
            total, section, digit = total + (section + digit or 1) * 10000, 0, 0
        else:
            section, digit = section + (digit or 1) * _CJK_UNITS[character], 0
    return total + section + digit


def _is_identifier(token: str) -> bool:
    return len(token) > 5 and token.isdigit() and token.startswith("0")


def numbers(text: str) -> list[Decimal]:
    """Every number named in a text, digits first; words and Chinese numerals too. Identifiers are left out."""
    folded = fold(text)
    found = [Decimal(re.sub("[, ]", "", token)) for token in _NUMBER_RE.findall(folded) if not _is_identifier(token)]
    for word in re.findall(r"[a-z]+", folded):
        # "the one with 12 reviews" names one number.
        if word in _WORDS and not (word == "one" and found):
            found.append(Decimal(_WORDS[word]))
    if not found:
        found += [Decimal(_cjk_value(token)) for token in _CJK_NUMBER.findall(folded)]
    if not found and _NOTHING.search(folded):
        found.append(Decimal(0))
    return found


def number_of(text: str) -> Decimal | None:
    """The one number a text claims, or None where it claims none or several."""
    found = set(numbers(text))
    return found.pop() if len(found) == 1 and not _NEGATION.search(fold(text)) else None


def money_of(text: str) -> tuple[Decimal, str] | None:
    """The one amount a text claims and its currency ("" where it names none); None where it claims none or several."""
    folded = fold(text)
    if _NEGATION.search(folded):
        return None
    currencies = {name for name, pattern in _CURRENCIES.items() if re.search(pattern, folded)}
    bare = folded
    for pattern in _CURRENCIES.values():
        bare = re.sub(pattern, " ", bare)
    # "-$5.00" and "$-5.00" are one amount.
    amounts = set(numbers(re.sub(r"-\s+(?=[\d.])", "-", bare)))
    if len(amounts) != 1 or len(currencies) > 1:
        return None
    return amounts.pop(), next(iter(currencies), "")


# --- dates ------------------------------------------------------------------------------------------------------

_MONTHS = {
    name[:3]: index
    for index, name in enumerate(
        [
            "january",
            "february",
            "march",
            "april",
            "may",
            "june",
            "july",
            "august",
            "september",
            "october",
            "november",
            "december",
        ],
        1,
    )
}
_MONTH = r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>\d{4})"
_DATES = (
    re.compile(rf"\b{_YEAR}-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})"),
    re.compile(rf"\b{_YEAR}/(?P<month>\d{{1,2}})/(?P<day>\d{{1,2}})\b"),
    re.compile(rf"{_YEAR}\s*年\s*(?P<month>\d{{1,2}})\s*月\s*(?P<day>\d{{1,2}})\s*[日号]"),
    re.compile(rf"\b{_MONTH}\s+{_DAY}\s*,?\s+{_YEAR}\b"),
    re.compile(rf"\b{_DAY}\s+(?:of\s+)?{_MONTH}\s*,?\s+{_YEAR}\b"),
    re.compile(r"\b(?P<month>\d{1,2})/(?P<day>\d{1,2})/(?P<year>\d{4}|\d{2})\b"),
    re.compile(r"\b(?P<day>\d{1,2})\.(?P<month>\d{1,2})\.(?P<year>\d{4}|\d{2})\b"),
)
_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = re.compile(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?\b")
_TIME = re.compile(r"(?:t|\bat|,)?\s*\b\d{1,2}:\d{2}(?::\d{2})?(?:\s*[ap]\.?m\.?)?")


def date_of(text: str) -> date | None:
    """The one calendar date a text claims; None for none, several, no year, an impossible one or a wrong weekday."""
    folded = fold(text)
    if _NEGATION.search(folded):
        return None
    found: set[date] = set()
    for pattern in _DATES:
        for match in pattern.finditer(folded):
            parsed = _date(match)
            if parsed is None:
                return None
            found.add(parsed)
        folded = pattern.sub(" ", folded)
    # What is left may hold words, a time and an identifier, but no other number: "March 16 or 17, 2026" is no claim.
    if len(found) != 1 or any(value for value in numbers(_TIME.sub(" ", folded))):
        return None
    day = found.pop()
    weekdays = {match.group(1) for match in _WEEKDAY.finditer(folded)}
    return day if weekdays <= {_WEEKDAYS[day.weekday()]} else None


def _date(match: re.Match[str]) -> date | None:
    year, month, day = match["year"], match["month"], match["day"]
    number = _MONTHS[month[:3]] if month[:3] in _MONTHS else int(month)
    first, second = number, int(day)
    if first > 12 and month.isdigit() and "/" in match.group():
        first, second = second, first
    try:
        return date(int(year) if len(year) == 4 else 2000 + int(year), first, second)
    except ValueError:
        return None


# --- lists and sets ---------------------------------------------------------------------------------------------

_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.)])\s+")
_COMMA = re.compile(r"\s*(?:,\s*and\s+|,\s*|，\s*|、\s*|\s+and\s+|\s*&\s*|\s*和\s*)")
_BETWEEN = re.compile(r"\s*(?:,\s*and\s|[,;、\n]|\sand\s|&|和)\s*")


def _splits(answer: str) -> Iterator[list[str]]:
    """Every way of reading the answer as a list, the most explicit first."""
    text = answer.strip()
    if text.startswith("["):
        try:
            parsed = json.loads(text)
        except ValueError:
            parsed = None
        if isinstance(parsed, list):
            yield [str(item) for item in parsed]
    lines = [_BULLET.sub("", line) for line in text.splitlines() if line.strip()]
    if len(lines) > 1:
        yield lines
        if lines[0].rstrip().endswith((":", "：")):
            yield lines[1:]
    for claim in _claims(unicodedata.normalize("NFKC", text)):
        bare = claim.split(": ", 1)[1] if re.match(r"^[^,;]{1,120}: ", claim) else claim
        for version in dict.fromkeys((claim, bare)):
            yield [version]
            if ";" in version:
                yield version.split(";")
            yield _COMMA.split(version)


def same_item(answer: str, expected: str) -> bool:
    """Whether one item of a list is the expected one: as a date, an amount or a number where that is what it is."""
    if same_text(answer, expected):
        return True
    if re.fullmatch(r"\d{4}-\d{2}-\d{2}", expected):
        return date_of(answer) == date.fromisoformat(expected)
    if re.fullmatch(r"\$?-?[\d,]+(\.\d+)?", expected):
        return money_of(answer) == money_of(expected) or number_of(answer) == number_of(expected.lstrip("$"))
    return False


def _consumed(text: str, items: tuple[str, ...], *, ordered: bool) -> bool:
    """Whether the text is exactly these items with separators between: reads items that hold commas themselves."""
    if not items:
        return not text
    for index, item in enumerate(items[:1] if ordered else items):
        if not text.startswith(item):
            continue
        rest = text[len(item) :]
        others = items[:index] + items[index + 1 :]
        if not others:
            if not rest:
                return True
            continue
        separator = _BETWEEN.match(rest)
        if separator and _consumed(rest[separator.end() :], others, ordered=ordered):
            return True
    return False


def same_items(answer: str, expected: Sequence[str], *, ordered: bool) -> bool:
    """Whether the answer lists exactly the expected items; `ordered` for a list, else a set."""
    folded = tuple(fold(item) for item in expected)
    if any(_consumed(claim, folded, ordered=ordered) for claim in _claims(answer)):
        return True
    for items in _splits(answer):
        items = [item for item in items if item.strip()]
        if ordered:
            if len(items) == len(expected) and all(map(same_item, items, expected)):
                return True
        elif all(any(same_item(item, want) for want in expected) for item in items) and all(
            any(same_item(item, want) for item in items) for want in expected
        ):
            return True
    return False


# --- the check --------------------------------------------------------------------------------------------------


def check_answer(check: AnswerCheck, answer: str) -> CheckPart:
    """The verdict on an answer. The reason of a failure names both the answer and how it was read."""
    if not answer.strip():
        return CheckPart(part="answer", passed=False, reason="no answer was given")
    if check.kind in ("list", "set"):
        passed = same_items(answer, check.expected, ordered=check.kind == "list")
    else:
        passed = any(_same(check, answer, expected) for expected in check.expected)
    reason = "" if passed else f"answer {answer!r} is not the expected {check.kind}"
    return CheckPart(part="answer", passed=passed, reason=reason)


def expectation_fault(check: AnswerCheck) -> str:
    """Why no answer could pass: an expected value that is none of its kind. Empty where all is well."""
    if check.kind in ("list", "set"):
        return "" if check_answer(check, json.dumps(check.expected)).passed else "an item of the list is empty"
    wrong = [expected for expected in check.expected if not check_answer(check, expected).passed]
    return f"{wrong[0]!r} is no {check.kind}" if wrong else ""


def _same(check: AnswerCheck, answer: str, expected: str) -> bool:
    if check.kind == "text":
        return same_text(answer, expected)
    if check.kind == "number":
        read, wanted = number_of(answer), number_of(expected)
        return read is not None and wanted is not None and abs(read - wanted) <= Decimal(str(check.tolerance))
    if check.kind == "money":
        amount, wanted_amount = money_of(answer), money_of(expected)
        if amount is None or wanted_amount is None:
            return False
        return amount[1] in ("", wanted_amount[1] or "USD") and abs(amount[0] - wanted_amount[0]) <= Decimal(
            str(check.tolerance)
        )
    day, wanted_day = date_of(answer), date_of(expected)
    return day is not None and wanted_day is not None and abs(day - wanted_day) <= timedelta(days=check.tolerance)


def near_misses(check: AnswerCheck) -> tuple[str, ...]:
    """Wrong answers that lie close to the right one: off by a little, hedged, negated, one item more or fewer.

    Proofs give each of them in place of the right answer; every one must fail.
    """
    first = check.expected[0]
    if check.kind in ("list", "set"):
        more = (", ".join([*check.expected, "one more"]), f"not {', '.join(check.expected)}")
        fewer = (", ".join(check.expected[:-1]),) if len(check.expected) > 1 else ()
        swapped = (", ".join(reversed(check.expected)),) if check.kind == "list" and len(check.expected) > 1 else ()
        return more + fewer + swapped
    if check.kind == "text":
        return (f"not {first}", f"{first} or another one", f"{first}, Something Else", first[: len(first) // 2])
    if check.kind == "date":
        day = date_of(first)
        if day is None:
            raise ValueError(f"{first!r} is no date")
        other = (day + timedelta(days=1 + int(check.tolerance))).isoformat()
        return (other, f"{first} or {other}", f"not {first}")
    amount = money_of(first)
    if amount is None:
        raise ValueError(f"{first!r} is no {check.kind}")
    step = Decimal("0.01") if check.kind == "money" else Decimal(1)
    wrong = amount[0] + step + Decimal(str(check.tolerance))
    sign = "$" if check.kind == "money" else ""
    return (f"{sign}{wrong}", f"{sign}{amount[0]} or {sign}{wrong}", f"not {sign}{amount[0]}")
