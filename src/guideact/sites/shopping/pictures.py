"""Product pictures, drawn from three words of the product's row: shape, colour, pattern.

The address and the alternative text tell neither colour nor pattern, so that a task may ask for what only the eye sees.
A picture is a `Shape` (what lies under the coloured body, the body, what lies on it) on a soft background: the body is
filled with the colour, overlaid with the pattern, and shaded.
"""

# ruff: noqa: E501  pieces of markup, kept whole

from __future__ import annotations

import functools

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.shapes import SHAPES
from guideact.sites.web import not_found, row

__all__ = ["COLOURS", "PATTERNS", "ROUTES", "draw"]

COLOURS: dict[str, str] = {
    "red": "#d63c3c",
    "orange": "#ef8a2c",
    "yellow": "#f4c93a",
    "green": "#3e9b57",
    "teal": "#2aa5a0",
    "blue": "#3d7fe0",
    "navy": "#22386e",
    "purple": "#8455c4",
    "pink": "#ee8fb4",
    "brown": "#8c5a35",
    "black": "#2c2f36",
    "white": "#fbfbf9",
    "grey": "#9aa3ad",
}
"""Every colour a picture can have; no two look alike."""

_PALE = ("white", "yellow")

PATTERNS: dict[str, str] = {
    "plain": "",
    "stripes": '<pattern id="p" width="30" height="30" patternUnits="userSpaceOnUse"><rect width="30" height="12" fill="$i"/>'
    "</pattern>",
    "dots": '<pattern id="p" width="38" height="38" patternUnits="userSpaceOnUse"><circle cx="10" cy="10" r="8" fill="$i"/>'
    '<circle cx="29" cy="29" r="8" fill="$i"/></pattern>',
    "checks": '<pattern id="p" width="40" height="40" patternUnits="userSpaceOnUse"><path d="M0 0h20v20H0zM20 20h20v20H20z"'
    ' fill="$i"/></pattern>',
    "stars": '<pattern id="p" width="56" height="56" patternUnits="userSpaceOnUse"><path id="s" d="M14 3l3.6 7.4 8.2 1.2-5.9'
    ' 5.7 1.4 8.1-7.3-3.8-7.3 3.8 1.4-8.1-5.9-5.7 8.2-1.2z" fill="$i"/><use href="#s" x="28" y="28"/></pattern>',
    "zigzag": '<pattern id="p" width="40" height="40" patternUnits="userSpaceOnUse"><path d="M-2 26L10 10l20 20 12-16"'
    ' fill="none" stroke="$i" stroke-width="8"/></pattern>',
}
"""SVG pattern of each kind; `$i` is its ink."""

_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><defs>'
    '<radialGradient id="b" cx=".5" cy=".4" r=".8"><stop offset="0" stop-color="#f3f4f6"/>'
    '<stop offset="1" stop-color="#dcdfe4"/></radialGradient>'
    '<linearGradient id="g"><stop offset="0" stop-color="#fff" stop-opacity=".2"/>'
    '<stop offset=".4" stop-color="#fff" stop-opacity=".04"/><stop offset="1" stop-color="#000" stop-opacity=".2"/>'
    '</linearGradient><filter id="f" x="-.3" y="-2" width="1.6" height="5"><feGaussianBlur stdDeviation="9"/></filter>'
    '<clipPath id="c">$body</clipPath>$pattern</defs><rect width="400" height="400" fill="url(#b)"/>'
    '<ellipse cx="$x" cy="$y" rx="$r" ry="11" fill="#39424e" opacity=".3" filter="url(#f)"/>'
    '$under<g fill="$c">$body</g><g clip-path="url(#c)">$cover<rect width="400" height="400" fill="url(#g)"/></g>$over</svg>'
)


def _mix(colour: str, other: str, share: float) -> str:
    parts = (
        round(int(colour[at : at + 2], 16) * (1 - share) + int(other[at : at + 2], 16) * share) for at in (1, 3, 5)
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


@functools.cache
def draw(shape: str, colour: str, pattern: str) -> str:
    """The picture as SVG, 400 by 400. Raises KeyError for a shape, colour or pattern that there is none of."""
    drawn, fill = SHAPES[shape], COLOURS[colour]
    marks = {
        "$under": drawn.under,
        "$over": drawn.over,
        "$cover": '<rect width="400" height="400" fill="url(#p)"/>' if pattern != "plain" else "",
        "$body": drawn.body,
        "$pattern": PATTERNS[pattern],
        "$x": str(drawn.shadow[0]),
        "$y": str(drawn.shadow[1]),
        "$r": str(drawn.shadow[2]),
        "$c": fill,
        "$d": _mix(fill, "#ffffff" if colour == "black" else "#10131a", 0.2 if colour == "black" else 0.24),
        "$l": _mix(fill, "#ffffff", 0.4),
        "$i": _mix(fill, "#10131a", 0.55) if colour in _PALE else _mix(fill, "#ffffff", 0.82),
    }
    picture = _FRAME
    for mark, text in marks.items():
        picture = picture.replace(mark, text)
    return picture


async def picture(request: Request) -> Response:
    """A product's picture; the address tells its number only."""
    found = row(
        request,
        "SELECT picture_shape, picture_colour, picture_pattern FROM product WHERE id = ?",
        request.path_params["number"],
    )
    if found is None:
        not_found("There is no such picture.")
    return Response(draw(*found), media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


ROUTES = [Route("/media/product/{number:int}.svg", picture)]
