"""The pictures of articles, drawn from short descriptions: emblems, flags, lighthouses, charts, diagrams.

What a picture shows (colours, numbers of stripes, heights of bars) is said in no article, so a task may ask for what
only the eye sees. `drawing(name)` gives the SVG of "emblem-Nordvik", "flag-Tarnholm", "visitors-Gravel_Sunday", ...
"""

# ruff: noqa: E501 (the paths of drawings are not made clearer by being broken)
from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from markupsafe import escape
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.companies import EVENTS
from guideact.sites.web import not_found
from guideact.sites.wikipedia.markup import slug_of
from guideact.sites.wikipedia.records import RECORDS, THINGS

__all__ = ["BRIDGES", "CHARTS", "DIAGRAMS", "EMBLEMS", "FLAGS", "LIGHTHOUSES", "ROUTES", "SHIPS", "drawing", "visitors"]

COLOURS = {
    "red": "#b8322a", "orange": "#d9772b", "yellow": "#e8b92f", "green": "#3f7d4e", "teal": "#2a7f83",
    "blue": "#2f5f9e", "navy": "#22335a", "purple": "#6b4a8f", "pink": "#d7859b", "brown": "#7a5636",
    "grey": "#7d838c", "black": "#23262b", "white": "#f7f5ef",
}  # fmt: skip


def _table(lines: str) -> dict[str, tuple[str, ...]]:
    parts = [[part.strip() for part in line.split("|")] for line in lines.strip().splitlines()]
    return {slug_of(name): tuple(rest) for name, *rest in parts}


EMBLEMS = _table("""
    Bimbo & Bo | star | pink | white
    Cafeo | cup | brown | white
    Decibel | waves | black | yellow
    Fairline | ring | teal | white
    Ferro | pan | red | black
    Fjord Press | mountain | navy | white
    Greenhouse 9 | leaf | white | green
    Hellbach | lamp | grey | orange
    Holzig | wheel | yellow | brown
    Hoshi | star | white | red
    Inkwell | drop | purple | white
    Kickers | ball | green | white
    Kiln & Co | flame | white | orange
    Ladle Books | book | orange | white
    Lumina | lamp | navy | yellow
    Maren | anchor | white | blue
    Meridian House | ring | white | purple
    Mono | square | white | black
    Nordvik | waves | white | navy
    Optima | eye | black | white
    Pacer | arrow | yellow | blue
    Papier | book | white | red
    Plain Goods | square | grey | white
    Rosenhof | flower | green | pink
    Sonora | waves | purple | orange
    Stratos | arrow | teal | white
    Tempora | clock | white | brown
    Trailhead | mountain | green | yellow
    Velora | wheel | white | teal
    Volta | bolt | blue | yellow
    Lumo Market | sun | purple | yellow
    Harbour Code | anchor | teal | white
    Esplanadi Reading Room | book | white | green
    Töölö Bicycle Workshop | wheel | orange | black
    Slow Kettle Society | cup | white | teal
    North Star Orienteering | star | orange | white
    Open Atlas Foundation | ring | blue | green
    Institute for Plain Text | square | yellow | black
""")
"""Slug -> shape, colour of the field, colour of the shape."""

FLAGS = _table("""
    Morrow Islands | horizontal | blue white blue | yellow star
    Tarnholm | vertical | green white green | black anchor
    Gullhaven | horizontal | red white red | blue waves
    Oldfall | vertical | navy yellow navy | red house
    Brackle | cross | teal white | orange sun
    Skerrow | cross | purple yellow | white bird
""")
"""Slug -> pattern, colours, colour and shape of the charge."""

LIGHTHOUSES = _table("""
    Tarn Point Light | red white | 3
    Skerrow Light | black white | 2
    Long Ness Light | white | 0
    Gullhaven Light | green white | 1
    Old Fall Light | red white | 4
    Ember Rock Light | grey | 0
    Quiet Head Light | yellow black | 2
    Seven Oars Light | blue white | 3
""")
"""Slug -> colours of the tower, number of bands in the first colour (0: plain)."""

BRIDGES = _table("""
    Tarnholm Bridge | suspension | 2
    Ferrymen's Bridge | arches | 7
    Oldfall Viaduct | arches | 13
    Lantern Bridge | bascule | 2
    Brackle Causeway | piers | 11
    Ladder Bridge | truss | 8
""")
"""Slug -> drawing, number of towers, arches, piers or fields."""

SHIPS = _table("""
    Morrow Star | white | 2 | red
    Quiet Venture | black | 1 | yellow
    Harbour Queen | green | 2 | black
    Amber Lark | brown | 0 | white
    Hark | navy | 1 | orange
    Second Thought | orange | 0 | blue
""")
"""Slug -> colour of the hull, number of funnels, colour of the funnels (without any: of the sails or the cabin)."""

POSTERS = _table("""
    The Slow Ferry | teal | ship | white
    Murder on Pier Nine (film) | black | drop | red
    Eleven Umbrellas | grey | umbrella | yellow
    A Kettle for Two | orange | cup | white
    Night on the Viaduct | navy | moon | white
    The Cartographer's Daughter (film) | red | ring | white
    Winter Timetable | white | clock | blue
""")

COVERS = _table("""
    The Lighthouse Keeper's Almanac | blue | sun | white
    A Short History of Bread | brown | ball | yellow
    The Cartographer's Daughter | red | ring | white
    Small Houses | white | house | grey
    The Clockmaker's Paradox | purple | clock | white
    Murder on Pier Nine | black | drop | white
    Maths for Curious Parents | grey | square | yellow
    Forty Soups | orange | cup | white
    Salads After Dark | green | moon | yellow
    Night Trains of Europe | navy | moon | white
    The Patient Gardener | green | leaf | white
    Birds You Already Know | yellow | bird | black
    Knots and Where to Use Them | teal | anchor | white
    The Bear Who Counted to Ten | pink | ball | brown
""")

TROPHIES = _table("""
    Harbour Cup | grey | 2
    Golden Kettle | yellow | 1
    Inspector's Lantern | black | 0
    Midnight Sun Relay | orange | 2
    Gravel Sunday | brown | 0
    Half-Frame Prize | blue | 1
    Nordic Lamp Prize | white | 2
    Three Rivers Chess Cup | navy | 2
    Silent Pour | teal | 1
    Long Table Award | red | 2
""")


@dataclass(frozen=True)
class Chart:
    """A bar chart: title, unit, and a bar for each label."""

    title: str
    unit: str
    bars: tuple[tuple[str, int], ...]


def _chart(title: str, unit: str, bars: str) -> Chart:
    pairs = [part.rsplit(" ", 1) for part in bars.split(", ")]
    return Chart(title, unit, tuple((label, int(number)) for label, number in pairs))


CHARTS: dict[str, Chart] = {
    "chart-kettles-sold": _chart(
        "Kettles sold by kind, 2025", "thousand", "Stovetop 42, Electric 118, Gooseneck 27, Glass 35, Enamel 19"
    ),
    "chart-rain-days": _chart(
        "Days with rain, Gullhaven", "days a month", "Jan 21, Mar 17, May 11, Jul 9, Sep 15, Nov 24"
    ),
    "chart-ferry-passengers": _chart(
        "Passengers of the Morrow ferries", "thousand", "2019 310, 2020 96, 2021 142, 2022 255, 2023 338, 2024 361, 2025 327"
    ),
    "chart-repairs": _chart(
        "Repairs at the bicycle workshop, 2025", "repairs", "Brakes 640, Gears 410, Tyres 880, Wheels 290, Lights 175"
    ),
    "chart-grip": _chart("Grip of tread patterns on wet gravel", "points", "Slick 31, Fine 58, Knobbly 74, Mixed 66"),
    "chart-wool-warmth": _chart("Warmth of fibres of equal weight", "points", "Cotton 22, Linen 18, Wool 61, Down 93, Fleece 55"),
    "chart-lamp-hours": _chart("Hours of light a day, Helsinki", "hours", "Jan 7, Mar 12, May 17, Jun 19, Aug 16, Oct 10, Dec 6"),
    "chart-loans": _chart("Loans of the reading room by shelf, 2025", "loans", "Novels 8200, Travel 3100, Cookery 4700, Music 2600, Maps 1900"),
    "chart-island-people": _chart("Inhabitants of the Morrow Islands", "people", "Tarnholm 2140, Gullhaven 5320, Oldfall 3870, Brackle 990, Skerrow 610"),
    "chart-boil": _chart("Minutes to boil one litre", "minutes", "Electric 3, Gas 6, Induction 4, Spirit stove 11, Campfire 14"),
}  # fmt: skip
"""Charts whose numbers stand in no text."""

DIAGRAMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "diagram-kettle": ("kettle", ("Spout", "Whistle", "Lid", "Knob", "Handle", "Shoulder", "Base")),
    "diagram-pen": ("pen", ("Nib", "Feed", "Section", "Barrel", "Converter", "Cap", "Clip")),
    "diagram-bicycle": ("bicycle", ("Rear wheel", "Saddle", "Seat post", "Down tube", "Bracket", "Fork", "Drop bar")),
    "diagram-camera": ("camera", ("Shutter", "Winder", "Viewfinder", "Lens", "Film gate", "Spool", "Back door")),
    "diagram-tent": ("tent", ("Ridge pole", "Flysheet", "Inner tent", "Guy line", "Peg", "Porch", "Groundsheet")),
    "diagram-lamp": ("lamp", ("Shade", "Socket", "Arm", "Spring", "Joint", "Base", "Switch")),
}  # fmt: skip
"""Name -> outline, and the names of the parts numbered 1 to 7: only the picture tells which number is which part."""


def visitors(event: str) -> tuple[tuple[int, int], ...]:
    """(year, visitors) of an event for 2018 to 2025; the last is what its article says."""
    last = next(one.visitors for one in EVENTS if one.name == event)
    chance = random.Random(f"20260316/wikipedia/visitors/{event}")
    shares = chance.sample(range(38, 97, 4), 7)
    best = chance.randrange(0, 7)
    shares[best] = 118
    return (*((2018 + at, last * share // 100) for at, share in enumerate(shares)), (2025, last))


# --- drawing ----------------------------------------------------------------------------------------------------


def _svg(width: int, height: int, inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
        f' font-family="Inter, Helvetica, Arial, sans-serif">{inside}</svg>'
    )


def _shape(shape: str, colour: str) -> str:
    """A figure in a box from -50 to 50."""
    fill = COLOURS[colour]
    line = f'fill="none" stroke="{fill}" stroke-width="9" stroke-linecap="round" stroke-linejoin="round"'
    spokes = "".join(
        f'<path d="M0 0L{34 * math.cos(at * math.pi / 4):.1f} {34 * math.sin(at * math.pi / 4):.1f}" {line} stroke-width="4"/>'
        for at in range(8)
    ).replace('stroke-width="9" ', "")
    star = " ".join(
        f"{(42 if at % 2 == 0 else 17) * math.sin(at * math.pi / 5):.1f},{-(42 if at % 2 == 0 else 17) * math.cos(at * math.pi / 5):.1f}"
        for at in range(10)
    )
    rays = "".join(
        f'<path d="M{26 * math.cos(at * math.pi / 4):.1f} {26 * math.sin(at * math.pi / 4):.1f}L{42 * math.cos(at * math.pi / 4):.1f} {42 * math.sin(at * math.pi / 4):.1f}" {line}/>'
        for at in range(8)
    )
    petals = "".join(
        f'<circle cx="{24 * math.cos(at * math.pi / 3):.1f}" cy="{24 * math.sin(at * math.pi / 3):.1f}" r="14" fill="{fill}"/>'
        for at in range(6)
    )
    drawn = {
        "star": f'<polygon points="{star}" fill="{fill}"/>',
        "cup": f'<path d="M-34-22H20V10a22 22 0 0 1-22 22H-12a22 22 0 0 1-22-22Z" fill="{fill}"/><path d="M20-12h8a12 12 0 0 1 0 24h-9" {line}/>',
        "waves": "".join(f'<path d="M-40 {y}q10-16 20 0t20 0t20 0t20 0" {line}/>' for y in (-22, 0, 22)),
        "ring": f'<circle r="32" {line}/><path d="M-32 0H32M0-32V32" {line}/>',
        "pan": f'<path d="M-42-8H18v14a18 18 0 0 1-18 18h-24a18 18 0 0 1-18-18Z" fill="{fill}"/><path d="M18-4h28" {line}/>',
        "mountain": f'<path d="M-46 32L-12-30 8 4 18-10 46 32Z" fill="{fill}"/>',
        "leaf": f'<path d="M-30 34C-40-20 0-40 38-38 40 6 14 40-30 34Z" fill="{fill}"/>',
        "lamp": f'<path d="M-14-38H14L34 6H-34Z" fill="{fill}"/><path d="M0 6V34M-20 36H20" {line}/>',
        "wheel": f'<circle r="36" {line}/>{spokes}',
        "drop": f'<path d="M0-42C14-16 28-4 28 14a28 28 0 0 1-56 0C-28-4-14-16 0-42Z" fill="{fill}"/>',
        "ball": f'<circle r="36" fill="{fill}"/>',
        "flame": f'<path d="M2-44C26-16 32 0 30 14A30 30 0 0 1-30 14C-30-4-14-6-14-22-4-18-2-10 0-4 8-16 6-30 2-44Z" fill="{fill}"/>',
        "book": f'<path d="M0-22C-12-32-28-34-44-30V26c16-4 32-2 44 8 12-10 28-12 44-8V-30C28-34 12-32 0-22Z" fill="{fill}"/>',
        "anchor": f'<circle cy="-30" r="9" {line}/><path d="M0-20V36M-18-6H18M-36 10a36 28 0 0 0 72 0" {line}/>',
        "square": f'<rect x="-32" y="-32" width="64" height="64" fill="{fill}"/>',
        "eye": f'<path d="M-44 0Q0-44 44 0Q0 44-44 0Z" {line}/><circle r="14" fill="{fill}"/>',
        "arrow": f'<path d="M-40 0H36M10-26L38 0 10 26" {line}/>',
        "flower": petals,
        "clock": f'<circle r="36" {line}/><path d="M0-20V0L16 10" {line}/>',
        "bolt": f'<path d="M8-46L-28 8H-4L-10 46 28-12H4Z" fill="{fill}"/>',
        "sun": f'<circle r="17" fill="{fill}"/>{rays}',
        "key": f'<circle cx="-22" r="15" {line}/><path d="M-7 0H40V16M22 0V12" {line}/>',
        "bird": f'<path d="M-44-16Q-22-34 0 0Q22-34 44-16" {line}/><path d="M-26 20Q-13 8 0 28Q13 8 26 20" {line}/>',
        "umbrella": f'<path d="M-42 4A42 42 0 0 1 42 4Z" fill="{fill}"/><path d="M0 0V34a10 10 0 0 0 18 0" {line}/>',
        "moon": f'<path d="M14-40A42 42 0 1 0 40 14 34 34 0 0 1 14-40Z" fill="{fill}"/>',
        "ship": f'<path d="M-44 8H44L30 34H-30Z" fill="{fill}"/><path d="M0 4V-38L30-4Z" fill="{fill}"/>',
        "house": f'<path d="M-36 36V-4L0-38 36-4V36Z" fill="{fill}"/>',
    }  # fmt: skip
    return drawn[shape]


def _emblem(slug: str) -> str:
    shape, field, figure = EMBLEMS[slug]
    edge = "#c9c4b6" if field == "white" else COLOURS[field]
    return _svg(
        280,
        220,
        '<rect width="280" height="220" fill="#f1efe8"/>'
        f'<circle cx="140" cy="110" r="86" fill="{COLOURS[field]}" stroke="{edge}" stroke-width="2"/>'
        f'<g transform="translate(140 110) scale(1.15)">{_shape(shape, figure)}</g>',
    )


def _flag(slug: str) -> str:
    pattern, colours, charge = FLAGS[slug]
    fills = [COLOURS[one] for one in colours.split()]
    if pattern == "cross":
        field = f'<rect width="300" height="200" fill="{fills[0]}"/><path d="M0 100H300M105 0V200" stroke="{fills[1]}" stroke-width="44"/>'
        at = (105, 100)
    elif pattern == "horizontal":
        field = "".join(
            f'<rect y="{at * 200 / 3:.2f}" width="300" height="67" fill="{fill}"/>' for at, fill in enumerate(fills)
        )
        at = (150, 100)
    else:
        field = "".join(
            f'<rect x="{at * 100}" width="100" height="200" fill="{fill}"/>' for at, fill in enumerate(fills)
        )
        at = (150, 100)
    colour, shape = charge.split()
    scale = 0.42 if pattern == "cross" else 0.62
    return _svg(
        300,
        200,
        f'{field}<g transform="translate({at[0]} {at[1]}) scale({scale})">{_shape(shape, colour)}</g>'
        '<rect x=".5" y=".5" width="299" height="199" fill="none" stroke="#0002"/>',
    )


def _sea(width: int, height: int, top: int) -> str:
    return (
        f'<rect width="{width}" height="{height}" fill="#dfe9ee"/><rect y="{top}" width="{width}" height="{height - top}" fill="#8fb2c2"/>'
        + "".join(
            f'<path d="M{x} {top + 14 + x % 22}q8-6 16 0t16 0" fill="none" stroke="#fff8" stroke-width="2"/>'
            for x in range(10, width - 30, 47)
        )
    )


def _lighthouse(slug: str) -> str:
    colours, bands = LIGHTHOUSES[slug]
    fills = [COLOURS[one] for one in colours.split()]
    count = int(bands)
    base = fills[-1]
    tower = f'<path d="M118 100H162L174 280H106Z" fill="{base}" stroke="#0003"/>'
    stripes = ""
    step = 180 / (2 * count + 1) if count else 0
    for at in range(count):
        y = 100 + step * (2 * at + 1)
        left, right = 118 - (y - 100) / 15, 162 + (y - 100) / 15
        low = y + step
        stripes += f'<path d="M{left:.1f} {y:.1f}H{right:.1f}L{162 + (low - 100) / 15:.1f} {low:.1f}H{118 - (low - 100) / 15:.1f}Z" fill="{fills[0]}"/>'
    return _svg(
        280,
        340,
        _sea(280, 340, 270)
        + '<path d="M40 340Q70 268 140 272T246 340Z" fill="#6d6a61"/>'
        + tower
        + stripes
        + '<rect x="110" y="92" width="60" height="9" fill="#2b2e33"/><rect x="122" y="62" width="36" height="30" fill="#ffe59a" stroke="#2b2e33" stroke-width="3"/>'
        '<path d="M114 62H166L140 40Z" fill="#2b2e33"/><path d="M158 70L270 40V104Z" fill="#ffe59a66"/>',
    )


def _bridge(slug: str) -> str:
    kind, number = BRIDGES[slug]
    count = int(number)
    deck = '<rect y="96" width="420" height="12" fill="#5b554b"/>'
    parts = ""
    if kind == "arches":
        wide = 400 / count
        parts = '<rect x="8" y="104" width="404" height="86" fill="#a68e6d"/>' + "".join(
            f'<path d="M{10 + at * wide + 3:.1f} 192V{150 - min(20, wide / 4):.1f}a{(wide - 6) / 2:.1f} {(wide - 6) / 2:.1f} 0 0 1 {wide - 6:.1f} 0V192Z" fill="#cfe0e6"/>'
            for at in range(count)
        )
    elif kind == "suspension":
        parts = (
            '<path d="M0 96Q55 90 110 30Q210 130 310 30Q365 90 420 96" fill="none" stroke="#7c2f28" stroke-width="4"/>'
            + "".join(f'<rect x="{x}" y="24" width="14" height="166" fill="#7c2f28"/>' for x in (103, 303))
            + "".join(
                f'<path d="M{x} {96 - abs(210 - x) * abs(210 - x) / 165:.0f}V98" stroke="#7c2f28" stroke-width="1.5"/>'
                for x in range(130, 300, 20)
            )
        )
    elif kind == "bascule":
        parts = (
            '<path d="M60 96L196 34M360 96L224 34" stroke="#3d5a6c" stroke-width="12"/>'
            '<rect x="40" y="60" width="34" height="130" fill="#8b7a60"/><rect x="346" y="60" width="34" height="130" fill="#8b7a60"/>'
        )
        deck = '<path d="M0 102H52M368 102H420" stroke="#5b554b" stroke-width="12"/>'
    elif kind == "piers":
        parts = "".join(
            f'<rect x="{18 + at * 384 / (count - 1):.1f}" y="104" width="8" height="90" fill="#7b7568"/>'
            for at in range(count)
        )
    else:
        wide = 360 / count
        parts = '<path d="M30 46H390V100H30Z" fill="none" stroke="#46505a" stroke-width="5"/>' + "".join(
            f'<path d="M{30 + at * wide:.1f} 100L{30 + (at + 1) * wide:.1f} 46V100" fill="none" stroke="#46505a" stroke-width="3"/>'
            for at in range(count)
        )
    return _svg(420, 230, _sea(420, 230, 180) + parts + deck)


def _ship(slug: str) -> str:
    hull, number, colour = SHIPS[slug]
    count = int(number)
    if count:
        upper = '<rect x="110" y="96" width="200" height="34" fill="#f4f1e8" stroke="#0003"/>' + "".join(
            f'<circle cx="{x}" cy="113" r="5" fill="#5d7f92"/>' for x in range(126, 304, 22)
        )
        upper += "".join(
            f'<rect x="{210 - count * 30 + at * 62}" y="48" width="30" height="48" fill="{COLOURS[colour]}" stroke="#0004"/>'
            for at in range(count)
        )
    elif slug == "Amber_Lark":
        upper = (
            '<path d="M170 130V20M260 130V52" stroke="#4c3a26" stroke-width="6"/>'
            f'<path d="M176 26V122H250Z" fill="{COLOURS[colour]}" stroke="#0003"/><path d="M164 26V122H96Z" fill="{COLOURS[colour]}" stroke="#0003"/>'
            f'<path d="M266 58V122H320Z" fill="{COLOURS[colour]}" stroke="#0003"/>'
        )
    else:
        upper = f'<path d="M150 130V88H270L296 130Z" fill="{COLOURS[colour]}" stroke="#0004"/>'
    return _svg(
        420,
        240,
        _sea(420, 240, 176) + upper + f'<path d="M40 130H390L352 196H84Z" fill="{COLOURS[hull]}" stroke="#0004"/>',
    )


def _sheet(table: dict[str, tuple[str, ...]], slug: str, title: str, is_poster: bool) -> str:
    field, shape, figure = table[slug]
    ink = "#23262b" if field in ("white", "yellow", "pink", "orange") else "#fbf8ef"
    words = title.replace(" (film)", "").split()
    lines: list[str] = []
    for word in words:
        if lines and len(lines[-1]) + len(word) < 15:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    top = 262 if is_poster else 60
    text = "".join(
        f'<text x="120" y="{top + at * 26}" font-size="21" font-weight="700" text-anchor="middle" fill="{ink}">{escape(line)}</text>'
        for at, line in enumerate(lines)
    )
    middle = 130 if is_poster else 230
    return _svg(
        240,
        340,
        f'<rect width="240" height="340" fill="{COLOURS[field]}"/><rect x="8" y="8" width="224" height="324" fill="none" stroke="{ink}" stroke-opacity=".35"/>'
        f'<g transform="translate(120 {middle}) scale(1.5)">{_shape(shape, figure)}</g>{text}',
    )


def _trophy(slug: str) -> str:
    colour, handles = TROPHIES[slug]
    fill = COLOURS[colour]
    arms = (
        "",
        '<path d="M176 66h22a20 20 0 0 1 0 44h-28"',
        '<path d="M176 66h22a20 20 0 0 1 0 44h-28M104 66H82a20 20 0 0 0 0 44h28"',
    )[int(handles)]
    arms += f' fill="none" stroke="{fill}" stroke-width="10"/>' if arms else ""
    return _svg(
        280,
        220,
        '<rect width="280" height="220" fill="#ece7da"/>'
        f'{arms}<path d="M100 40H180V92a40 40 0 0 1-80 0Z" fill="{fill}" stroke="#0003"/><rect x="134" y="128" width="12" height="36" fill="{fill}"/>'
        '<rect x="100" y="164" width="80" height="20" fill="#5a4a38"/><rect x="90" y="184" width="100" height="10" fill="#43372a"/>',
    )


def _bars(chart: Chart) -> str:
    top = max(number for _, number in chart.bars)
    step = next(one for one in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000) if top / one <= 6)
    ceiling = step * math.ceil(top / step)
    wide = 340 / len(chart.bars)
    grid = ""
    for at in range(0, ceiling + 1, step):
        y = 220 - 160 * at / ceiling
        grid += f'<path d="M50 {y:.1f}H400" stroke="#d9d5ca"/><text x="44" y="{y + 4:.1f}" font-size="11" text-anchor="end" fill="#5d5a52">{at:,}</text>'
    bars = ""
    for at, (label, number) in enumerate(chart.bars):
        x, tall = 56 + at * wide, 160 * number / ceiling
        bars += (
            f'<rect x="{x + wide * 0.16:.1f}" y="{220 - tall:.1f}" width="{wide * 0.62:.1f}" height="{tall:.1f}" fill="#2f6f73"/>'
            f'<text x="{x + wide * 0.47:.1f}" y="238" font-size="11" text-anchor="middle" fill="#33312c">{escape(label)}</text>'
        )
    return _svg(
        420,
        260,
        f'<rect width="420" height="260" fill="#fffdf8"/><text x="16" y="24" font-size="14" font-weight="700" fill="#23262b">{escape(chart.title)}</text>'
        f'<text x="16" y="42" font-size="11" fill="#5d5a52">{escape(chart.unit)}</text>{grid}{bars}',
    )


_OUTLINES = {
    "kettle": '<path d="M120 220Q110 150 150 120Q185 98 220 98T290 120Q330 150 320 220Q316 240 296 240H144Q124 240 120 220Z"/><path d="M318 168L372 112L386 122L326 204Z"/><path d="M360 96L392 118L384 128L352 106Z"/><path d="M178 104Q180 84 220 84T262 104Z"/><circle cx="220" cy="74" r="10"/><path d="M146 122Q140 24 220 22T296 122" fill="none" stroke-width="9"/>',
    "pen": '<path d="M40 150L96 132V168ZM40 150H78"/><path d="M96 128H150V172H96Z"/><path d="M150 124H300Q318 124 318 150T300 176H150Z"/><path d="M180 138H262V162H180Z"/><path d="M150 40H330Q348 40 348 64T330 88H150Z"/><path d="M168 48H300" stroke-width="8"/><path d="M60 196H128L120 216H60Z"/>',
    "bicycle": '<circle cx="120" cy="190" r="62" fill="none"/><circle cx="318" cy="190" r="62" fill="none"/><path d="M120 190L182 96H288L216 190ZM182 96L216 190M288 96L318 190" fill="none"/><path d="M182 96L174 62M150 60H204M284 84Q318 66 322 92T296 108" fill="none" stroke-width="5"/><circle cx="216" cy="190" r="16"/>',
    "camera": '<rect x="80" y="80" width="270" height="150" rx="12"/><path d="M80 116H350"/><circle cx="226" cy="172" r="50"/><circle cx="226" cy="172" r="30"/><rect x="106" y="60" width="42" height="20"/><rect x="280" y="56" width="52" height="24"/><rect x="206" y="90" width="40" height="18"/><path d="M338 116V230M92 116V230" fill="none"/>',
    "tent": '<path d="M60 226L215 52 370 226Z"/><path d="M215 52L150 226H280Z" fill="#fffdf8"/><path d="M215 90L182 226H248Z"/><path d="M215 52V30M60 226L26 240M370 226L404 240M52 226H380" fill="none"/>',
    "lamp": '<path d="M262 40L352 96 300 150Z"/><path d="M276 92L150 122 196 226" fill="none" stroke-width="8"/><circle cx="150" cy="122" r="11"/><path d="M128 226H272Q272 244 256 244H144Q128 244 128 226Z"/><circle cx="282" cy="92" r="13"/><path d="M170 132Q176 150 184 160T194 190" fill="none" stroke-width="3" stroke-dasharray="4 3"/>',
}
_PLACES = {
    "kettle": ((350, 168), (374, 108), (196, 96), (238, 72), (160, 48), (134, 152), (220, 230)),
    "pen": ((48, 150), (92, 206), (122, 150), (292, 150), (220, 150), (322, 64), (230, 48)),
    "bicycle": ((76, 146), (196, 60), (178, 80), (252, 143), (216, 190), (308, 158), (322, 82)),
    "camera": ((127, 62), (306, 60), (226, 98), (226, 172), (172, 208), (338, 190), (92, 150)),
    "tent": ((215, 42), (110, 190), (168, 196), (36, 236), (398, 238), (262, 206), (216, 224)),
    "lamp": ((318, 100), (284, 92), (214, 106), (184, 160), (150, 122), (200, 236), (252, 236)),
}


def _diagram(name: str) -> str:
    """An outline with numbered dots, and a key whose numbers are dealt anew for each picture."""
    outline, parts = DIAGRAMS[name]
    dots = key = ""
    for at, part in enumerate(parts):
        x, y = _PLACES[outline][at]
        dots += (
            f'<circle cx="{x}" cy="{y}" r="12" fill="#b8322a"/>'
            f'<text x="{x}" y="{y + 5}" font-size="14" font-weight="700" text-anchor="middle" fill="#fff">{at + 1}</text>'
        )
        key += f'<text x="{16 + at % 4 * 106}" y="{280 + at // 4 * 24}" font-size="13" fill="#23262b">{at + 1} {escape(part)}</text>'
    return _svg(
        430,
        310,
        f'<rect width="430" height="310" fill="#fffdf8"/><g fill="#eee8d8" stroke="#3b3a36" stroke-width="3" stroke-linejoin="round">{_OUTLINES[outline]}</g>{dots}{key}',
    )


def _event_chart(slug: str) -> str:
    name = next(one.name for one in EVENTS if slug_of(one.name) == slug)
    return _bars(Chart(name, "visitors", tuple((str(year), number) for year, number in visitors(name))))


def _titles(kind: str) -> dict[str, str]:
    return {slug_of(title): title for title in THINGS[kind].rows}


_MAKERS: dict[str, Callable[[str], str]] = {
    "emblem": _emblem,
    "flag": _flag,
    "lighthouse": _lighthouse,
    "bridge": _bridge,
    "ship": _ship,
    "poster": lambda slug: _sheet(POSTERS, slug, _titles("films")[slug], is_poster=True),
    "cover": lambda slug: _sheet(COVERS, slug, _titles("books")[slug], is_poster=False),
    "trophy": _trophy,
    "visitors": _event_chart,
}


@functools.lru_cache(maxsize=300)
def drawing(name: str) -> str:
    """The SVG of a picture. Raises KeyError for a name that is none."""
    if name in CHARTS:
        return _bars(CHARTS[name])
    if name in DIAGRAMS:
        return _diagram(name)
    kind, _, slug = name.partition("-")
    try:
        return _MAKERS[kind](slug)
    except StopIteration as error:
        raise KeyError(name) from error


def all_pictures() -> tuple[str, ...]:
    """The names of all pictures."""
    tables = {"emblem": EMBLEMS, "flag": FLAGS, "lighthouse": LIGHTHOUSES, "bridge": BRIDGES, "ship": SHIPS}
    tables |= {"poster": POSTERS, "cover": COVERS}
    named = [f"{kind}-{slug}" for kind, table in tables.items() for slug in table]
    named += [f"trophy-{slug_of(title)}" for title in RECORDS]
    named += [f"visitors-{slug_of(one.name)}" for one in EVENTS]
    return (*named, *CHARTS, *DIAGRAMS)


async def media(request: Request) -> Response:
    try:
        picture = drawing(request.path_params["name"])
    except KeyError:
        not_found("There is no picture with this name.")
    return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "max-age=3600"})


ROUTES = [Route("/media/{name}.svg", media)]
