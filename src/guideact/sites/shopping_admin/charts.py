"""Charts drawn as SVG: bars and lines over labelled periods, with axis ticks and no numbers at the data.

What a bar stands for must be read off the axis, as on paper: some tasks can only be solved by somebody who sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from html import escape

from markupsafe import Markup

WIDTH, HEIGHT = 880, 270
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 14, 34
LABELS = 13
"""At most so many labels stand under the axis."""


def nice_step(top: float, steps: int = 5) -> float:
    """The round distance between ticks (1, 2, 2.5 or 5 times a power of ten) that needs at most `steps` of them.

    1 where the top is nothing, or less than a millionth of a cent: powers of ten end somewhere.
    """
    if top < 1e-8:
        return 1
    rough = top / steps
    power = 10.0 ** math.floor(math.log10(rough))
    return next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power >= rough * (1 - 1e-9))


def draw(
    kind: str,
    labels: Sequence[str],
    values: Sequence[float],
    title: str,
    tick: Callable[[float], str],
    whole: bool = False,
) -> Markup:
    """An SVG of `kind` bar or line. `values` are not negative; `tick` writes an axis label; `whole` wants whole ticks.

    `title` is the picture's accessible name and says what is drawn, not how much.
    """
    top = max(values, default=0)
    step = nice_step(top)
    if whole:
        step = max(1.0, math.ceil(step))
    ceiling = max(step, math.ceil(top / step - 1e-9) * step)
    width, height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def y(value: float) -> float:
        return TOP + height * (1 - value / ceiling)

    slot = width / max(1, len(values))
    centres = [LEFT + slot * (at + 0.5) for at in range(len(values))]
    parts: list[str] = []
    for at in range(round(ceiling / step) + 1):
        height_at = y(at * step)
        line = "rule" if at else "base"
        parts.append(
            f'<line class="{line}" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{height_at:.1f}" y2="{height_at:.1f}"/>'
            f'<text x="{LEFT - 9}" y="{height_at + 4:.1f}" text-anchor="end">{escape(tick(at * step))}</text>'
        )
    every = max(1, math.ceil(len(labels) / LABELS))
    for centre, label in list(zip(centres, labels, strict=True))[::every]:
        parts.append(f'<text x="{centre:.1f}" y="{HEIGHT - 12}" text-anchor="middle">{escape(label)}</text>')
    floor = TOP + height
    if kind == "bar":
        thick = min(46.0, slot * 0.64)
        round_by = min(3.0, thick / 4)
        parts += [
            f'<rect class="bar" x="{centre - thick / 2:.1f}" y="{y(value):.1f}" width="{thick:.1f}"'
            f' height="{floor - y(value):.1f}" rx="{round_by:.1f}"/>'
            for centre, value in zip(centres, values, strict=True)
            if value > 0
        ]
    elif values:
        points = [f"{centre:.1f},{y(value):.1f}" for centre, value in zip(centres, values, strict=True)]
        line = " ".join(points)
        parts.append(f'<polygon class="area" points="{centres[0]:.1f},{floor} {line} {centres[-1]:.1f},{floor}"/>')
        parts.append(f'<polyline class="line" points="{line}"/>')
        if len(values) <= 40:
            for centre, value in zip(centres, values, strict=True):
                parts.append(f'<circle class="point" cx="{centre:.1f}" cy="{y(value):.1f}" r="3.2"/>')
    head = f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}">'
    return Markup(f"{head}{''.join(parts)}</svg>")


def dollars(cents: float) -> str:
    """A tick of a money axis: 250000 -> $2,500, 1250000 -> $12.5k."""
    amount = cents / 100
    if amount >= 10_000:
        return f"${amount / 1000:,.1f}".removesuffix(".0") + "k"
    return f"${amount:,.2f}".removesuffix(".00")


def number(value: float) -> str:
    """A tick of a counting axis."""
    return f"{value:,.0f}"
