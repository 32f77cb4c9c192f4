"""What customers say about the whole shop: the published reviews, newest first, loaded as one scrolls."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from guideact.sites.shopping.carts import picture_url
from guideact.sites.web import Pager, render, rows, value

__all__ = ["ROUTES"]

PER_LOAD = 12
LOADS_BEFORE_A_BUTTON = 3
"""After so many loads by scrolling a button asks for more, so that the end of the page can be reached."""

STARS = (("5", "5 stars"), ("4", "4 stars"), ("3", "3 stars"), ("2", "2 stars"), ("1", "1 star"))


async def latest(request: Request) -> Response:
    """All published reviews, by stars where asked; htmx gets the next ones alone."""
    stars = request.query_params.get("stars", "")
    if stars not in dict(STARS):
        stars = ""
    condition = "r.status = 'approved' AND p.status = 'enabled' AND (? = '' OR r.rating = ?)"
    joined = f"review r JOIN product p ON p.id = r.product_id WHERE {condition}"
    pager = Pager.of(request, value(request, f"SELECT count(*) FROM {joined}", stars, stars), PER_LOAD)
    found = rows(
        request,
        f"SELECT r.rating, r.title, r.body, r.nickname, r.created_at, p.id AS product_id, p.name, p.slug FROM {joined}"
        " ORDER BY r.created_at DESC, r.id DESC LIMIT ? OFFSET ?",
        stars,
        stars,
        pager.size,
        pager.offset,
    )
    return render(
        request,
        "_latest_reviews.html" if "hx-request" in request.headers else "latest_reviews.html",
        reviews=[(review, picture_url(review["product_id"])) for review in found],
        pager=pager,
        by_scrolling=pager.page % LOADS_BEFORE_A_BUTTON != 0,
        stars=stars,
        choices=STARS,
    )


ROUTES = [Route("/reviews", latest)]
