"""Product pictures, drawn from three words of the product's row: shape, colour, pattern."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.web import not_found, row

COLOURS = {"red": "#d64545"}


def draw(shape: str, colour: str, pattern: str) -> str:
    """The picture as SVG."""
    fill = COLOURS.get(colour, "#888")
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><rect width="400" height="400" fill="#f4f4f2"/>'
        f'<circle cx="200" cy="200" r="110" fill="{fill}"/></svg>'
    )


async def picture(request: Request) -> Response:
    """A product's picture; the address tells its number only."""
    found = row(
        request,
        "SELECT picture_shape, picture_colour, picture_pattern FROM product WHERE id = ?",
        request.path_params["number"],
    )
    if found is None:
        not_found()
    return Response(draw(*found), media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


ROUTES = [Route("/media/product/{number:int}.svg", picture)]
