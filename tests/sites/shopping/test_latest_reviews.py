"""The page of all reviews: order, stars, and the pieces that scrolling loads."""

from __future__ import annotations

import re

from tests.sites.shopping.conftest import Visitor


def _titles(page: str) -> list[str]:
    return re.findall(r"<h2>([^<]+)</h2>\s*<p>", page.split('class="site-footer"')[0])


async def test_published_reviews_newest_first(guest: Visitor) -> None:
    known = [
        row["title"].replace("'", "&#39;")
        for row in guest.rows("SELECT title FROM review WHERE status = 'approved' ORDER BY created_at DESC, id DESC")
    ]
    first = await guest.get("/reviews")
    assert _titles(first) == known[:12]
    assert _titles(await guest.get("/reviews?page=2")) == known[12:24]
    assert f"{len(known)} reviews" in first
    last = await guest.get("/reviews?page=9999")
    assert "These are all reviews." in last
    assert _titles(last)[-1] == known[-1]


async def test_only_so_many_stars(guest: Visitor) -> None:
    page = await guest.get("/reviews?stars=2")
    assert page.count('aria-label="2.0 out of 5 stars"') == 12
    assert "stars=2&amp;page=2" in page
    assert _titles(await guest.get("/reviews?stars=9")) == _titles(await guest.get("/reviews"))


async def test_scrolling_loads_the_reviews_alone(guest: Visitor) -> None:
    piece = (await guest.client.get("/reviews?page=2", headers={"HX-Request": "true"})).text
    assert _titles(piece) == _titles(await guest.get("/reviews?page=2"))
    assert "<html" not in piece
    assert 'hx-trigger="click, intersect once"' in piece
    third = (await guest.client.get("/reviews?page=3", headers={"HX-Request": "true"})).text
    assert 'hx-trigger="click"' in third


async def test_reviews_that_wait_or_were_rejected_are_not_shown(guest: Visitor) -> None:
    guest.write("UPDATE review SET status = 'rejected'")
    assert "No reviews yet" in await guest.get("/reviews")
