"""Plots as inline SVG: small, sharp on paper, readable by a screen reader, and coloured by the page's style sheet.

Drawn 360 units wide, so that their text is about 12 px on a phone and larger on a wide screen.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from guideact.stats.bootstrap import Estimate

WIDTH = 360


@dataclass(frozen=True)
class Chart:
    """A plot and the same numbers as a table."""

    title: str
    svg: Markup
    head: tuple[str, ...]
    lines: tuple[tuple[str, ...], ...]
    height: float
    """Of the plot, where it is `WIDTH` wide."""


def _figure(height: float, title: str, description: str, parts: Sequence[str]) -> Markup:
    name = "chart-" + re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    body = Markup("").join(Markup(part) for part in parts)  # each part was escaped where it was made
    return Markup(
        '<svg viewBox="0 0 {width} {height:g}" role="img" aria-labelledby="{name}-t {name}-d">'
        '<title id="{name}-t">{title}</title><desc id="{name}-d">{description}</desc>{body}</svg>'
    ).format(width=WIDTH, height=height, name=name, title=title, description=description, body=body)


def _text(x: float, y: float, text: str, *, anchor: str = "start", css: str = "") -> str:
    kind = f' class="{css}"' if css else ""
    return f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}"{kind}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, css: str) -> str:
    return f'<line x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" class="{css}"/>'


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def interval_picture(estimate: Estimate) -> Markup:
    """A row's value as a dot with its interval on a line from 0 to 1; decoration, since the numbers stand beside."""
    if estimate.value is None:
        return Markup("")
    parts = ['<rect x="0" y="6" width="176" height="4" rx="2" class="track"/>']
    if estimate.low is not None and estimate.high is not None:
        parts.append(_line(6 + 164 * estimate.low, 8, 6 + 164 * estimate.high, 8, "whisker-a"))
    parts.append(f'<circle cx="{6 + 164 * estimate.value:g}" cy="8" r="5" class="a"/>')
    return Markup('<svg viewBox="0 0 176 16" aria-hidden="true">{}</svg>').format(Markup("").join(map(Markup, parts)))


def rates(
    title: str,
    first: str,
    groups: Sequence[tuple[str, int, Estimate, Estimate]],
    names: tuple[str, str] = ("SR", "GGS"),
    units: str = "tasks",
) -> Chart:
    """Two shares a group, as dots with whiskers. `groups`: (label, number of units, first share, second share)."""
    left, right, top, pitch = 8, WIDTH - 40, 26, 46
    scale = right - left
    beside = 42 + 7 * len(names[0])
    parts = [
        f'<circle cx="{left + 5}" cy="9" r="4.5" class="a"/>',
        _text(left + 15, 13, names[0]),
        f'<rect x="{left + beside}" y="5" width="8" height="8" class="b"/>',
        _text(left + beside + 14, 13, names[1]),
    ]
    height = top + pitch * len(groups) + 18
    for i in range(5):
        x = left + scale * i / 4
        parts += [
            _line(x, top, x, height - 16, "rule"),
            _text(x, height - 3, f"{i / 4:g}", anchor="middle", css="quiet"),
        ]
    for i, (label, tasks, one, two) in enumerate(groups):
        y = top + pitch * i
        parts.append(_text(left, y + 13, f"{_cut(label, 34)} ({tasks})"))
        for mark, estimate, dy in (("a", one, 22), ("b", two, 34)):
            if estimate.value is None:
                continue
            if estimate.low is not None and estimate.high is not None:
                parts.append(
                    _line(left + scale * estimate.low, y + dy, left + scale * estimate.high, y + dy, f"whisker-{mark}")
                )
            x = left + scale * estimate.value
            parts.append(
                f'<circle cx="{x:g}" cy="{y + dy:g}" r="4.5" class="a"/>'
                if mark == "a"
                else f'<rect x="{x - 4:g}" y="{y + dy - 4:g}" width="8" height="8" class="b"/>'
            )
            parts.append(_text(WIDTH - 2, y + dy + 4, f"{estimate.value:.3f}", anchor="end", css="quiet"))
    said = "; ".join(
        f"{label}: {names[0]} {_say(one)}, {names[1]} {_say(two)}, {tasks} {units}" for label, tasks, one, two in groups
    )
    return Chart(
        title,
        _figure(height, title, said, parts),
        (first, units.capitalize(), names[0], f"{names[0]} interval", names[1], f"{names[1]} interval"),
        tuple(
            (label, str(tasks), _number(one), span(one), _number(two), span(two)) for label, tasks, one, two in groups
        ),
        height,
    )


def bars(title: str, first: str, shares: Sequence[tuple[str, int, float]]) -> Chart:
    """One bar a row, with its share of the whole. `shares`: (label, count, share 0..1)."""
    pitch, left = 24, 104
    long = WIDTH - 74 - left
    parts = []
    top = max((share for _, _, share in shares), default=0) or 1
    for i, (label, number, share) in enumerate(shares):
        y = pitch * i
        parts.append(_text(left - 8, y + 16, _cut(label, 16), anchor="end"))
        parts.append(
            f'<rect x="{left}" y="{y + 5}" width="{max(1, long * share / top):.1f}" height="14" rx="2" class="a"/>'
        )
        parts.append(_text(WIDTH - 2, y + 16, f"{share:.1%} ({number:,})", anchor="end", css="quiet"))
    said = "; ".join(f"{label}: {share:.1%}, {number}" for label, number, share in shares)
    lines = tuple((label, f"{number:,}", f"{share:.1%}") for label, number, share in shares)
    height = pitch * len(shares) + 4
    return Chart(title, _figure(height, title, said, parts), (first, "Steps", "Share"), lines, height)


def sweep(title: str, points: Sequence[tuple[float, Estimate]], at: float) -> Chart:
    """A share over gamma 0..1, with its band, and the gamma that the score table uses marked."""
    left, right, top, bottom = 34, WIDTH - 14, 12, 186

    def place(gamma: float, value: float) -> tuple[float, float]:
        return left + (right - left) * gamma, bottom - (bottom - top) * value

    parts = []
    for i in range(5):
        _, y = place(0, i / 4)
        x, _ = place(i / 4, 0)
        parts += [
            _line(left, y, right, y, "rule"),
            _text(left - 6, y + 4, f"{i / 4:g}", anchor="end", css="quiet"),
            _text(x, bottom + 16, f"{i / 4:g}", anchor="middle", css="quiet"),
        ]
    drawn = [(gamma, estimate, estimate.value) for gamma, estimate in points if estimate.value is not None]
    band = [(gamma, e.low, e.high) for gamma, e, _ in drawn if e.low is not None and e.high is not None]
    if band:
        outline = [place(gamma, high) for gamma, _, high in band] + [
            place(gamma, low) for gamma, low, _ in reversed(band)
        ]
        parts.append('<polygon class="band-a" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in outline) + '"/>')
    track = [place(gamma, value) for gamma, _, value in drawn]
    parts.append('<polyline class="line-a" points="' + " ".join(f"{x:.1f},{y:.1f}" for x, y in track) + '"/>')
    for gamma, _, value in drawn:
        if abs(gamma - at) < 1e-9:
            x, y = place(gamma, value)
            below = y < top + 26
            parts += [
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" class="a"/>',
                _text(x + 8, y + (20 if below else -9), f"{value:.3f} at {at:g}"),
            ]
    parts.append(_text((left + right) / 2, bottom + 32, "gamma: weight of success alone", anchor="middle", css="quiet"))
    said = "; ".join(f"gamma {gamma:g}: {_say(estimate)}" for gamma, estimate in points)
    lines = tuple((f"{gamma:g}", _number(estimate), span(estimate)) for gamma, estimate in points)
    height = bottom + 40
    return Chart(title, _figure(height, title, said, parts), ("gamma", "GGS", "Interval"), lines, height)


def _number(estimate: Estimate) -> str:
    return "–" if estimate.value is None else f"{estimate.value:.3f}"


def span(estimate: Estimate) -> str:
    """`0.912 to 0.988`, or nothing where no interval is known."""
    return "" if estimate.low is None or estimate.high is None else f"{estimate.low:.3f} to {estimate.high:.3f}"


def _say(estimate: Estimate) -> str:
    return _number(estimate) + (f" ({span(estimate)})" if span(estimate) else "")
