"""WebArena's evaluators, as they are: strings, addresses, and what pages hold.

`strict=True` keeps the behaviour of the published evaluator, faults included. By default these are mended:

| fault of the original                                        | here                                              |
|--------------------------------------------------------------|---------------------------------------------------|
| the alternatives of an answer are read as one text, which no | each alternative will do (task 386)               |
| answer can hold                                              |                                                   |
| a number is found inside another: "7" in "2017"              | digits may not go on before it (but zeros) and    |
|                                                              | after it                                          |
| an address is found inside another: `/f/book` in             | a reference must end where a part of the path     |
| `/f/bookshelf`                                               | ends                                              |

`docs/webarena.md` lists the tasks that each touches, and the faults of other parts than these. What a judge decides
(`fuzzy_match`) is asked of the judge that is given; one that is missing makes the task unscored, which is neither a
success nor a failure.
"""

from __future__ import annotations

import html
import re
from collections.abc import Awaitable, Callable
from typing import Literal, Protocol
from urllib.parse import parse_qs, urlsplit

from pydantic import Field, model_validator

from guideact.types import Frozen

OR = " |OR| "
LAST = "last"


class Target(Frozen):
    """A page to look at, what to read there, and what it must hold."""

    url: str
    """`last`, an address with placeholders, or `func:` with a call."""
    locator: str = ""
    """Empty for the whole page, JavaScript that begins with `document` or `[...document`, or `func:` with a call."""
    required_contents: dict[Literal["exact_match", "must_include"], str | tuple[str, ...]] = Field(min_length=1)
    prep_actions: tuple[str, ...] = ()
    """JavaScript that is run first, whether it works or not."""


class Eval(Frozen):
    """The `eval` block of a WebArena task."""

    eval_types: tuple[Literal["string_match", "url_match", "program_html"], ...] = Field(min_length=1)
    reference_answers: dict[Literal["exact_match", "must_include", "fuzzy_match"], str | tuple[str, ...]] | None = None
    reference_url: str | None = ""
    program_html: tuple[Target, ...] = ()
    url_note: str | None = None
    string_note: str = ""
    reference_answer_raw_annotation: str | None = None
    annotation_note: str | None = Field(default=None)

    @model_validator(mode="after")
    def _asks_for_something(self) -> Eval:
        """Whatever is done would pass a check that asks for nothing."""
        asked = {
            "string_match": self.reference_answers,
            "url_match": self.reference_url,
            "program_html": self.program_html,
        }
        fields = {"string_match": "reference_answers", "url_match": "reference_url", "program_html": "program_html"}
        for kind in self.eval_types:
            if not asked[kind]:
                raise ValueError(f"{kind} has nothing to look for, since {fields[kind]} is empty")
        contents = [*(self.reference_answers or {}).items()]
        for target in self.program_html:
            contents += target.required_contents.items()
        for way, value in contents:
            if value == () or (way == "exact_match" and not isinstance(value, str)):
                raise ValueError(f"{way} has {'nothing' if value == () else 'no single text'} to look for")
        for reference in (self.reference_url or "").split(OR):
            urlsplit(reference)  # raises ValueError for what is no address
        return self

    @property
    def needs_judge(self) -> bool:
        return bool(self.reference_answers and "fuzzy_match" in self.reference_answers)

    @property
    def needs_pages(self) -> bool:
        return "program_html" in self.eval_types


class PartScore(Frozen):
    """The verdict of one evaluator. `passed` is None where it could not be decided without a judge."""

    part: str
    passed: bool | None
    reason: str = ""


class Pages(Protocol):
    """Reads pages of the sites at the end of an episode, signed in as the task was."""

    async def read(self, target: Target) -> str:
        """What a target's locator finds on its page: a string, empty where there is nothing."""
        ...


Judge = Callable[[str, str], Awaitable[bool]]
"""(reference, answer) -> whether the answer says the same; for `N/A`, the reference is the reason given in the task."""


async def evaluate(
    check: Eval,
    *,
    answer: str,
    url: str,
    pages: Pages | None = None,
    judge: Judge | None = None,
    strict: bool = False,
) -> tuple[PartScore, ...]:
    """The verdicts of all evaluators of a task. It has succeeded when every one of them passed.

    Args:
        answer: what the agent said at the end; "" for nothing.
        url: the last address, with the sites' addresses as the references have them (placeholders or real ones).
        pages: needed where `needs_pages`.
        judge: asked where `needs_judge`.
        strict: keep the faults of the original.

    Raises:
        ValueError: pages are needed and none were given.
    """
    parts: list[PartScore] = []
    for kind in check.eval_types:
        if kind == "string_match":
            parts.append(await _string_match(check, answer, judge, strict))
        elif kind == "url_match":
            parts.append(_url_match(check, url, strict))
        else:
            if pages is None:
                raise ValueError("program_html needs pages to look at")
            parts.extend([await _program_html(target, pages, strict) for target in check.program_html])
    return tuple(parts)


def passed(parts: tuple[PartScore, ...]) -> bool | None:
    """The verdict over all parts: None where nothing failed, but something could not be decided."""
    if any(part.passed is False for part in parts):
        return False
    return None if any(part.passed is None for part in parts) else True


# --- strings ----------------------------------------------------------------------------------------------------


def clean(text: str) -> str:
    """As the original cleans answers and references: white space, one pair of quotes around, and case taken away."""
    text = text.strip()
    for quote in ("'", '"'):
        if text.startswith(quote) and text.endswith(quote):
            text = text[1:-1]
    return text.lower()


def exact_match(reference: str, said: str) -> bool:
    return clean(said) == clean(reference)


def must_include(reference: str, said: str, *, alone: bool = False, strict: bool = False) -> bool:
    """Whether a text holds the reference.

    `alone`: it is the only one asked for. The original then wants a single character to be a word of its own.
    """
    wanted, text = clean(reference), clean(said)
    if strict:
        return wanted in _words(text) if alone and len(wanted) == 1 else wanted in text
    before = r"(?<![\d.,])0*" if wanted[:1].isdigit() else ""
    after = r"(?!\d)" if wanted[-1:].isdigit() else ""
    return re.search(before + re.escape(wanted) + after, text) is not None


def _words(text: str) -> list[str]:
    """The words of a text with the punctuation around them apart, as a tokeniser for English leaves them."""
    return re.findall(r"[^\W_](?:\S*[^\W_])?|[^\w\s]|_", text)


async def _string_match(check: Eval, answer: str, judge: Judge | None, strict: bool) -> PartScore:
    reasons: list[str] = []
    undecided = False
    for kind, value in (check.reference_answers or {}).items():
        if kind == "exact_match":
            if not exact_match(str(value), answer):
                reasons.append(f"{answer!r} is not {value!r}")
        elif kind == "must_include":
            values = (value,) if isinstance(value, str) else value
            for one in values:
                choices = (one,) if strict else one.split(OR)
                if not any(must_include(each, answer, alone=len(values) == 1, strict=strict) for each in choices):
                    reasons.append(f"{answer!r} does not hold {one!r}")
        elif value == "N/A":
            if not exact_match("N/A", answer):
                verdict = await _asked(judge, check.string_note, answer)
                undecided = undecided or verdict is None
                if verdict is False:
                    reasons.append(f"{answer!r} does not say that it cannot be done because {check.string_note!r}")
        else:
            for one in (value,) if isinstance(value, str) else value:
                verdict = await _asked(judge, one, answer)
                undecided = undecided or verdict is None
                if verdict is False:
                    reasons.append(f"{answer!r} does not say {one!r}")
    if reasons:
        return PartScore(part="string_match", passed=False, reason="; ".join(reasons))
    return PartScore(part="string_match", passed=None if undecided else True, reason="no judge" if undecided else "")


async def _asked(judge: Judge | None, reference: str, answer: str) -> bool | None:
    """The judge's verdict; an empty answer says nothing, whoever judges."""
    if not answer.strip():
        return False
    return None if judge is None else await judge(reference, answer)


# --- addresses --------------------------------------------------------------------------------------------------


def _base(url: str) -> str:
    parts = urlsplit(url.rstrip("/"))
    return parts.netloc + parts.path


def _url_match(check: Eval, url: str, strict: bool) -> PartScore:
    references = [reference.rstrip("/") for reference in (check.reference_url or "").split(OR)]
    try:
        here = _base(url)
    except ValueError:
        return PartScore(part="url_match", passed=False, reason=f"{url} is no address")
    queries: dict[str, set[str]] = {}
    for reference in references:
        for name, values in parse_qs(urlsplit(reference).query).items():
            queries.setdefault(name, set()).update(values)
    if not any(_within(_base(reference), here, strict) for reference in references):
        return PartScore(part="url_match", passed=False, reason=f"{url} is not at {' or '.join(references)}")
    given = parse_qs(urlsplit(url.rstrip("/")).query)
    for name, possible in queries.items():
        if not possible & set(given.get(name, [])):
            return PartScore(
                part="url_match", passed=False, reason=f"{url} lacks {name}={' or '.join(sorted(possible))}"
            )
    return PartScore(part="url_match", passed=True)


def _within(reference: str, here: str, strict: bool) -> bool:
    if strict:
        return reference in here
    return re.search(re.escape(reference) + r"(?:$|/)", here) is not None


# --- pages ------------------------------------------------------------------------------------------------------


async def _program_html(target: Target, pages: Pages, strict: bool) -> PartScore:
    missing = shortfall(target, await pages.read(target))
    return PartScore(part="program_html", passed=not missing, reason=missing)


def shortfall(target: Target, found: str) -> str:
    """What a page lacks of what a target asks for, given what its locator found there; empty for nothing."""
    found = html.unescape(found)
    where = f"{target.locator or 'the page'} at {target.url}"
    for kind, value in target.required_contents.items():
        if kind == "exact_match":
            if not exact_match(str(value), found):
                return f"{where} is {found[:200]!r}, not {value!r}"
        else:
            for one in (value,) if isinstance(value, str) else value:
                # Pages are markup and long: there, a part of a word is what the references mean, also when mended.
                if not any(must_include(each, found, strict=True) for each in one.split(OR)):
                    return f"{where} does not hold {one!r}"
    return ""
