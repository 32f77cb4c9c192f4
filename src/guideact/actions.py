"""Text <-> `Answer`: the grammar of what a model sends, one JSON object with five keys.

    {"think": "...", "action": "click", "target": [12], "value": null, "guide": "Click the Save button."}

`action` is one of the seven verbs. `target` is `[mark]` under the grounding `som` and `[x, y]` under `coord`. `value`
is the text to type, the option to select, the direction to scroll, or the answer to finish with. The order of the
keys is the order in which a model decodes them, and nothing else depends on it.

`parse_answer` forgives what models really send: code fences, text around the object, single quotes, trailing commas,
Python's None/True/False, line breaks and unescaped quotes inside strings, numbers as strings, `12` for `[12]`,
`"(3, 4)"` for `[3, 4]`, capital letters, and `press enter` for `press_enter`. What it cannot forgive it names as a
`Fault`. An answer with any fault does not count for OFCR, and one without an action executes nothing.
"""

from __future__ import annotations

import bisect
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, assert_never

from guideact.types import (
    VERBS,
    Action,
    Answer,
    Click,
    Fault,
    Finish,
    GoBack,
    Grounding,
    Mark,
    Point,
    PressEnter,
    Scroll,
    Select,
    Target,
    Type,
    Verb,
    Viewport,
)

KEYS = ("think", "action", "target", "value", "guide")
"""The five keys in MAG's order: act first, then say it."""

_DIRECTIONS = ("up", "down", "left", "right")
_VERB_BY_LETTERS: dict[str, Verb] = {verb.replace("_", ""): verb for verb in VERBS}

_SPECIAL = re.compile(r"[{}\"']")
# A string ends at a quote that a JSON delimiter follows: an apostrophe or a stray quote inside does not end it.
_CLOSING = re.compile(r"(?<!\\)(?:\\\\)*([\"'])(?=\s{0,99}[,:}\]])")
_MOST_WORK = 200_000
"""Braces and quotes looked at in one text, all starts together: what is longer than that is no answer."""
_LONGEST_TARGET = 100
_BEYOND_ANY_SCREEN = 1e9
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_CONSTANT = re.compile(r"\b(None|True|False|undefined)\b")
_JSON_CONSTANT = {"None": "null", "True": "true", "False": "false", "undefined": "null"}
_MASK = re.compile("\0([0-9]+)\0")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_NUMBER = r"[+-]?\d+(?:\.\d+)?"
_MARK_TEXT = re.compile(rf"^\s*\[?\s*({_NUMBER})\s*\]?\s*$")
_POINT_TEXT = re.compile(rf"^\s*[\[(]?\s*({_NUMBER})\s*[,;\s]\s*({_NUMBER})\s*[\])]?\s*$")


class _Unforgivable(Exception):
    """Carries the fault out of the reading of one field."""

    def __init__(self, kind: str, detail: str) -> None:
        self.fault = Fault(kind=kind, detail=detail)


def format_answer(
    action: Action, guide: str, think: str = "", grounding: Grounding = "som", order: Sequence[str] = KEYS
) -> str:
    """The one JSON object that says `action` and `guide`, keys in `order` (a subset drops the others).

    Raises ValueError if the action's target is not of this grounding, for that would make a wrong training label.
    """
    target = getattr(action, "target", None)
    if target is not None and isinstance(target, Mark) != (grounding == "som"):
        raise ValueError(f"{action!r} has no target of the grounding {grounding}")
    fields = {
        "think": think,
        "action": action.verb,
        "target": _format_target(target),
        "value": _value_of(action),
        "guide": guide,
    }
    return json.dumps({key: fields[key] for key in order}, ensure_ascii=False)


def parse_answer(
    text: str,
    grounding: Grounding,
    *,
    viewport: Viewport | None = None,
    marks: int | None = None,
    order: Sequence[str] = KEYS,
) -> Answer:
    """Read a model's output.

    `viewport` bounds the points and `marks` (how many candidates there are) the marks, where they are given. Keys
    that are not in `order` are not missed. Leaks of the guide are not looked for here: see `guideact.leaks.find_leaks`.
    """
    fields = find_object(text, ("action", "guide"))
    if fields is None:
        return Answer(faults=(Fault(kind="not_json", detail=_why_not_json(text)),))
    faults: list[Fault] = []
    guide = ""
    if "guide" in order:
        guide = _text_of(fields.get("guide")).strip()
        if not guide:
            faults.append(Fault(kind="no_guide", detail="the key guide is missing or empty"))
    action: Action | None = None
    if "action" in order:
        try:
            action = _read_action(fields, grounding, viewport, marks)
        except _Unforgivable as error:
            faults.append(error.fault)
    return Answer(think=_text_of(fields.get("think")), action=action, guide=guide, faults=tuple(faults))


# --- finding the object -----------------------------------------------------------------------------------------


def find_object(text: str, keys: Sequence[str]) -> dict[str, Any] | None:
    """The last JSON object in a model's text that has one of the keys: models think aloud, and correct themselves.

    Keys are given back in small letters. None where there is no such object, even after all that is forgiven.
    """
    whole = _json(text)
    if isinstance(whole, dict) and any(key in (lowered := _lowered(whole)) for key in keys):
        return lowered
    found: dict[str, Any] | None = None
    for piece in _balanced_objects(text):
        loaded = _load(piece)
        if isinstance(loaded, dict) and any(key in (lowered := _lowered(loaded)) for key in keys):
            found = lowered
    return found


def _lowered(loaded: Mapping[Any, Any]) -> dict[str, Any]:
    return {str(key).strip().lower(): value for key, value in loaded.items()}


def _balanced_objects(text: str) -> Iterator[str]:
    """The outermost `{...}` of a text, from left to right. A brace that is never closed is passed over."""
    closers = _closing_quotes(text)
    work = 0
    start = text.find("{")
    while start >= 0 and work < _MOST_WORK:
        depth, end = 0, -1
        for at, after in _tokens(text, start, closers):
            work += 1
            if after == at + 1 and text[at] == "{":
                depth += 1
            elif after == at + 1 and text[at] == "}":
                depth -= 1
                if depth == 0:
                    end = after
                    break
        if end < 0:
            start = text.find("{", start + 1)
        else:
            yield text[start:end]
            start = text.find("{", end)


def _closing_quotes(text: str) -> dict[str, list[int]]:
    """Where a string may end, for each kind of quote."""
    found: dict[str, list[int]] = {'"': [], "'": []}
    for match in _CLOSING.finditer(text):
        found[match[1]].append(match.start(1))
    return found


def _tokens(text: str, start: int, closers: Mapping[str, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Braces and whole strings from `start` on, as (begin, end); a quote that opens no string is empty."""
    at = start
    while (special := _SPECIAL.search(text, at)) is not None:
        begin = at = special.start()
        if text[begin] in closers:
            ends = closers[text[begin]]
            place = bisect.bisect_right(ends, begin)
            if place == len(ends):
                at = begin + 1
                yield begin, begin
                continue
            at = ends[place]
        at += 1
        yield begin, at


def _load(piece: str) -> Any:
    loaded = _json(piece)
    return loaded if loaded is not None else _json(_repair(piece))


def _json(text: str) -> Any:
    """What a text says as JSON; None for one that is none."""
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None


def _repair(piece: str) -> str:
    """JSON for an object written with single quotes, trailing commas, Python constants or stray quotes."""
    strings: list[str] = []
    masked: list[str] = []
    done = 0
    for begin, end in _tokens(piece, 0, _closing_quotes(piece)):
        if begin == end or piece[begin] in "{}":
            continue
        # Strings are masked while the rest is mended, so that a comma or a word inside one survives.
        masked += [piece[done:begin], f"\0{len(strings)}\0"]
        strings.append(_requote(piece[begin:end]))
        done = end
    masked.append(piece[done:])
    mended = _CONSTANT.sub(lambda match: _JSON_CONSTANT[match[0]], "".join(masked))
    return _MASK.sub(lambda match: strings[int(match[1])], _TRAILING_COMMA.sub(r"\1", mended))


def _requote(literal: str) -> str:
    quote, inner = literal[0], literal[1:-1]
    if quote == "'":
        inner = inner.replace("\\'", "'")
    inner = re.sub(r'(?<!\\)((?:\\\\)*)"', r'\1\\"', inner)
    return f'"{inner}"'


def _why_not_json(text: str) -> str:
    if not text.strip():
        return "the answer is empty"
    if "{" not in text:
        return "the answer holds no JSON object"
    if text.count("{") > text.count("}"):
        return "the JSON object is cut off before its end"
    return "no JSON object in the answer has the key action"


# --- reading the fields -----------------------------------------------------------------------------------------


def _read_action(
    fields: Mapping[str, Any], grounding: Grounding, viewport: Viewport | None, marks: int | None
) -> Action:
    verb = _read_verb(fields)
    value, raw_target = fields.get("value"), fields.get("target")

    def target() -> Target:
        return _read_target(raw_target, grounding, viewport, marks)

    match verb:
        case "click":
            return Click(target=target())
        case "type":
            return Type(target=target(), text=_required_text(value, "type needs the text in value"))
        case "select":
            option = _required_text(value, "select needs the option's label in value")
            if not option.strip():
                raise _Unforgivable("bad_value", "select needs the option's label in value, and it is empty")
            return Select(target=target(), option=option)
        case "scroll":
            direction = str(value).strip().lower().removeprefix("scroll").strip(" _-")
            if direction not in _DIRECTIONS:
                raise _Unforgivable("bad_value", f"scroll needs up, down, left or right in value, not {value!r}")
            return Scroll(direction=direction, target=None if _is_absent(raw_target) else target())
        case "press_enter":
            return PressEnter()
        case "go_back":
            return GoBack()
        case "finish":
            return Finish(answer=_text_of(value))
        case _:
            assert_never(verb)


def _read_verb(fields: Mapping[str, Any]) -> Verb:
    raw = fields.get("action")
    if not isinstance(raw, str) or not raw.strip():
        raise _Unforgivable("missing_key", "the key action is missing or is no text")
    verb = _VERB_BY_LETTERS.get(re.sub(r"[^a-z]", "", raw.lower()))
    if verb is None:
        raise _Unforgivable("unknown_verb", f"{raw!r} is none of {', '.join(VERBS)}")
    return verb


def _is_absent(target: Any) -> bool:
    return target is None or target == [] or (isinstance(target, str) and target.strip().lower() in ("", "null", "[]"))


def _read_target(raw: Any, grounding: Grounding, viewport: Viewport | None, marks: int | None) -> Target:
    if _is_absent(raw):
        raise _Unforgivable("bad_target", "the key target is missing or empty")
    numbers = _numbers_of(raw)
    if grounding == "som":
        if len(numbers) == 2:
            raise _Unforgivable("wrong_grounding", f"target must be one mark such as [12], not the point {raw!r}")
        if len(numbers) != 1 or numbers[0] != int(numbers[0]):
            raise _Unforgivable("bad_target", f"target must be one mark such as [12], not {raw!r}")
        mark = int(numbers[0])
        if mark < 1 or (marks is not None and mark > marks):
            raise _Unforgivable("bad_target", f"there is no mark {mark}" + (f" among 1 to {marks}" if marks else ""))
        return Mark(mark=mark)
    if len(numbers) == 1:
        raise _Unforgivable("wrong_grounding", f"target must be a point such as [640, 360], not the mark {raw!r}")
    if len(numbers) != 2:
        raise _Unforgivable("bad_target", f"target must be a point such as [640, 360], not {raw!r}")
    x, y = numbers
    if x < 0 or y < 0 or (viewport is not None and (x > viewport.width or y > viewport.height)):
        size = f"{viewport.width}x{viewport.height} " if viewport else ""
        raise _Unforgivable("bad_target", f"the point {raw!r} lies outside the {size}screenshot")
    return Point(x=x, y=y)


def _numbers_of(raw: Any) -> list[float]:
    """The one or two numbers that a target holds, however it is wrapped; empty when it holds something else."""
    if isinstance(raw, bool):
        return []
    if isinstance(raw, int | float):
        return [float(raw)] if abs(raw) < _BEYOND_ANY_SCREEN else []
    if isinstance(raw, str) and len(raw) <= _LONGEST_TARGET:
        for pattern in (_MARK_TEXT, _POINT_TEXT):
            if match := pattern.match(raw):
                return [number for group in match.groups() if abs(number := float(group)) < _BEYOND_ANY_SCREEN]
        return []
    if isinstance(raw, Mapping):
        lowered = {str(key).strip().lower(): value for key, value in raw.items()}
        if set(lowered) == {"x", "y"}:
            return _numbers_of([lowered["x"], lowered["y"]])
        return _numbers_of(lowered["mark"]) if set(lowered) == {"mark"} else []
    if isinstance(raw, list):
        if len(raw) == 1:
            return _numbers_of(raw[0])
        if len(raw) == 2:
            first, second = _numbers_of(raw[0]), _numbers_of(raw[1])
            return [*first, *second] if len(first) == len(second) == 1 else []
    return []


def _required_text(value: Any, message: str) -> str:
    if value is None or isinstance(value, list | dict):
        raise _Unforgivable("bad_value", f"{message}, not {value!r}")
    return _text_of(value)


def _text_of(value: Any) -> str:
    """Text as it is; a number or a list as JSON would write it, so that no item of an answer is lost.

    Half a character, which no file can hold, becomes the sign for one that is missing.
    """
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _LONE_SURROGATE.sub("\ufffd", text)


# --- writing the fields -----------------------------------------------------------------------------------------


def _format_target(target: Target | None) -> list[int | float] | None:
    if target is None:
        return None
    if isinstance(target, Mark):
        return [target.mark]
    return [int(n) if n == int(n) else n for n in (target.x, target.y)]


def _value_of(action: Action) -> str | None:
    match action:
        case Type(text=text):
            return text
        case Select(option=option):
            return option
        case Scroll(direction=direction):
            return direction
        case Finish(answer=answer):
            return answer
        case _:
            return None
