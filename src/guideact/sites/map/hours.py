"""Opening hours as OpenStreetMap writes them, read into a week: `Mo-Fr 09:00-18:00; Sa 10:00-16:00; PH off`.

Only the common part of that notation is read. What is not understood is shown as it was written.
"""

from __future__ import annotations

import functools
import re

from guideact.sites.world import NOW

__all__ = ["DAYS", "Week", "is_open", "status", "week"]

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
Week = tuple[tuple[tuple[int, int], ...], ...]
"""For each day from Monday the spans in minutes after midnight; an end past 1440 is on the next day."""

_SHORT = ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
_DAY = "(?:Mo|Tu|We|Th|Fr|Sa|Su|PH)"
_SPAN = r"\d{1,2}:\d{2}\s*-\s*\d{1,2}:\d{2}"
_RULE = re.compile(
    rf"(?P<days>{_DAY}(?:\s*-\s*{_DAY})?(?:\s*,\s*{_DAY}(?:\s*-\s*{_DAY})?)*)?:?\s*"
    rf"(?P<times>{_SPAN}(?:\s*,\s*{_SPAN})*|off|closed)"
)


@functools.cache
def week(text: str) -> Week | None:
    """The opening hours of a week; None where the text is not understood."""
    if text.strip() == "24/7":
        return tuple(((0, 1440),) for _ in DAYS)
    spans: list[tuple[tuple[int, int], ...]] = [() for _ in DAYS]
    for part in text.split(";"):
        if not part.strip():
            continue
        for rule in re.split(rf"(?<=\d)\s*,\s*(?={_DAY})", part):
            found = _RULE.fullmatch(rule.strip())
            if found is None:
                return None
            times = _times(found["times"])
            for day in _days(found["days"] or "Mo-Su"):
                spans[day] = times
    return tuple(spans)


def _times(text: str) -> tuple[tuple[int, int], ...]:
    spans = []
    for span in re.findall(r"(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})", text):
        first, last = int(span[0]) * 60 + int(span[1]), int(span[2]) * 60 + int(span[3])
        spans.append((first, last if last > first else last + 1440))
    return tuple(spans)


def _days(text: str) -> list[int]:
    days: list[int] = []
    for part in re.split(r"\s*,\s*", text):
        ends = [_SHORT.index(day) for day in re.split(r"\s*-\s*", part) if day in _SHORT]
        if len(ends) == 2:
            first, last = ends
            days += [day % 7 for day in range(first, last + 1 if last >= first else last + 8)]
        else:
            days += ends
    return days


def clock(minutes: int) -> str:
    """Minutes after midnight: 570 -> 09:30, 1440 -> 24:00, 1500 -> 01:00."""
    if minutes > 1440:
        minutes -= 1440
    return f"{minutes // 60:02}:{minutes % 60:02}"


def span_text(spans: tuple[tuple[int, int], ...]) -> str:
    """The hours of one day: 09:00–18:00."""
    if spans == ((0, 1440),):
        return "Open all day"
    return ", ".join(f"{clock(first)}–{clock(last)}" for first, last in spans) or "Closed"


def is_open(text: str) -> bool:
    """Whether it is open now, as far as can be told."""
    known = week(text)
    if known is None:
        return False
    today, minute = NOW.weekday(), NOW.hour * 60 + NOW.minute
    return any(first <= minute < last for first, last in known[today]) or any(
        minute + 1440 < last for _, last in known[today - 1]
    )


def status(text: str) -> str:
    """One line about now: Open until 18:00; Closed, opens at 11:00; Closed today. Empty for hours not understood."""
    known = week(text)
    if known is None:
        return ""
    today, minute = NOW.weekday(), NOW.hour * 60 + NOW.minute
    for first, last in known[today]:
        if first <= minute < last:
            return "Open all day" if (first, last) == (0, 1440) else f"Open until {clock(last)}"
    later = [first for first, _ in known[today] if first > minute]
    return f"Closed, opens at {clock(min(later))}" if later else "Closed today" if not known[today] else "Closed now"
