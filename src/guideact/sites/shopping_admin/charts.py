"""Charts drawn as SVG: bars and lines over labelled periods, with axis ticks and no numbers at the data.

What a bar stands for must be read off the axis, as on paper: some tasks can only be solved by somebody who sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from markupsafe import Markup

WIDTH, HEIGHT = 880, 270
LEFT, RIGHT, TOP, BOTTOM = 66, 14, 14, 34
LABELS = 13
"""At most so many labels stand under the axis."""


def nice_step(top: float, steps: int = 5) -> float:
    """The round distance between ticks (1, 2, 2.5 or 5 times a power of ten) that needs at most `steps` of them."""
    if top <= 0:
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
    parts: list[Markup] = []
    for at in range(round(ceiling / step) + 1):
        value = at * step
        line = "base" if at == 0 else "rule"
        parts.append(
            Markup('<line class="{}" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>').format(
                line, LEFT, WIDTH - RIGHT, y(value), y(value)
            )
        )
        parts.append(
            Markup('<text x="{}" y="{:.1f}" text-anchor="end">{}</text>').format(LEFT - 9, y(value) + 4, tick(value))
        )
    every = max(1, math.ceil(len(labels) / LABELS))
    for at, label in enumerate(labels):
        if at % every == 0:
            parts.append(
                Markup('<text x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(centres[at], HEIGHT - 12, label)
            )
    if kind == "bar":
        thick = min(46.0, slot * 0.64)
        for centre, value in zip(centres, values, strict=True):
            if value > 0:
                parts.append(
                    Markup(
                        '<rect class="bar" x="{:.1f}" y="{:.1f}" width="{:.1f}" height="{:.1f}" rx="{:.1f}"/>'
                    ).format(centre - thick / 2, y(value), thick, TOP + height - y(value), min(3.0, thick / 4))
                )
    elif values:
        points = " ".join(f"{centre:.1f},{y(value):.1f}" for centre, value in zip(centres, values, strict=True))
        floor = TOP + height
        parts.append(
            Markup('<polygon class="area" points="{:.1f},{} {} {:.1f},{}"/>').format(
                centres[0], floor, points, centres[-1], floor
            )
        )
        parts.append(Markup('<polyline class="line" points="{}"/>').format(points))
        if len(values) <= 40:
            for centre, value in zip(centres, values, strict=True):
                parts.append(Markup('<circle class="point" cx="{:.1f}" cy="{:.1f}" r="3.2"/>').format(centre, y(value)))
    return Markup('<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        WIDTH, HEIGHT, title, Markup("").join(parts)
    )


def dollars(cents: float) -> str:
    """A tick of a money axis: 250000 -> $2,500, 1250000 -> $12.5k."""
    amount = cents / 100
    if amount >= 10_000:
        return f"${amount / 1000:,.1f}".removesuffix(".0") + "k"
    return f"${amount:,.2f}".removesuffix(".00")


def number(value: float) -> str:
    """A tick of a counting axis."""
    return f"{value:,.0f}"
