"""Pages that are replaced by another document of the same frame tree."""

from __future__ import annotations

import pytest

from guideact.types import Click
from tests.browser.conftest import Hand

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_points_hit_after_a_page_with_frames_was_loaded_again(hand: Hand) -> None:
    """Chromium does not report every frame of the old document as gone."""
    await hand.open("frames.html")
    await hand.session.active_page.reload()
    await hand.look()
    assert await hand.do(Click(target=hand.point("Outside"))) is None
    assert await hand.do(Click(target=hand.point("Press same"))) is None
    assert "pressed" in hand.text()


async def test_a_choice_that_takes_the_page_away_has_been_made(hand: Hand) -> None:
    for _ in range(5):
        await hand.open("leaving.html")
        assert await hand.choose("Sort by", "Cheapest") is None
        assert hand.seen.url.endswith("/second.html")
        await hand.open("leaving.html")
        assert await hand.type("Day", "2026-03-17") is None
        assert hand.seen.url.endswith("/second.html")
