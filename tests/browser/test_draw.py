"""Marks that can be read: labels apart from each other, off the text, near their box, and always the same."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from guideact.browser.draw import _tile, draw_marks, place_labels
from guideact.browser.observe import reading_order
from guideact.types import Box, Candidate, Locator, Viewport
from tests.browser.conftest import Hand

VIEWPORT = Viewport(width=400, height=300)


def candidate(mark: int, x: float, y: float, width: float, height: float) -> Candidate:
    return Candidate(
        mark=mark,
        role="button",
        name=str(mark),
        box=Box(x=x, y=y, width=width, height=height),
        point=(x, y),
        locator=Locator(role="button", name=str(mark)),
    )


def blank(width: int = 400, height: int = 300) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (width, height), "white").save(out, "PNG")
    return out.getvalue()


def overlap(a: tuple[int, int, int, int], b: tuple[int, int, int, int]) -> bool:
    return min(a[2], b[2]) > max(a[0], b[0]) and min(a[3], b[3]) > max(a[1], b[1])


def test_overlapping_mark_labels_hide_each_other() -> None:
    grey = np.full((300, 400), 255, np.uint8)
    boxes = [(100 + 4 * i, 100, 104 + 4 * i, 112) for i in range(12)] + [(90, 90, 300, 200)]
    sizes = [_tile(i + 1).size for i in range(len(boxes))]
    labels = place_labels(grey, boxes, sizes)
    for i, one in enumerate(labels):
        assert not any(overlap(one, other) for other in labels[:i])


def test_labels_hide_the_text() -> None:
    grey = np.full((300, 400), 255, np.uint8)
    rng = np.random.default_rng(0)
    grey[80:100, 100:200] = rng.choice([0, 255], (20, 100))  # text right above the box
    label = place_labels(grey, [(100, 100, 200, 120)], [(12, 13)])[0]
    assert not overlap(label, (100, 80, 200, 100))


def test_labels_stay_inside_the_picture() -> None:
    grey = np.full((300, 400), 255, np.uint8)
    for label in place_labels(grey, [(0, 0, 400, 300), (0, 0, 5, 5), (395, 295, 400, 300)], [(20, 13)] * 3):
        assert label[0] >= 0
        assert label[1] >= 0
        assert label[2] <= 400
        assert label[3] <= 300


def test_the_same_input_gives_the_same_bytes() -> None:
    marks = [candidate(i, 30 * i, 20 * i, 25, 15) for i in range(1, 12)]
    first = draw_marks(blank(), marks, VIEWPORT)
    assert first == draw_marks(blank(), marks, VIEWPORT)
    assert Image.open(io.BytesIO(first)).size == (400, 300)
    assert first != blank()


def test_a_picture_at_twice_the_scale() -> None:
    picture = Image.open(io.BytesIO(draw_marks(blank(800, 600), [candidate(1, 100, 100, 50, 50)], VIEWPORT)))
    assert picture.convert("RGB").getpixel((200, 250)) != (255, 255, 255)
    assert picture.convert("RGB").getpixel((100, 125)) == (255, 255, 255)


def test_no_candidates_change_nothing() -> None:
    picture = Image.open(io.BytesIO(draw_marks(blank(), [], VIEWPORT)))
    assert picture.convert("RGB").getextrema() == ((255, 255), (255, 255), (255, 255))


def test_reading_order() -> None:
    sides = [(300, 12, 50, 20), (10, 10, 50, 20), (10, 100, 50, 20), (100, 98, 300, 500), (10, 60, 20, 20)]
    boxes = [dict(zip(("x", "y", "width", "height"), box, strict=True)) for box in sides]
    assert reading_order(boxes) == [1, 0, 4, 2, 3]
    assert reading_order([]) == []


@pytest.mark.asyncio(loop_scope="module")
async def test_marks_drawn_on_a_real_page_lie_beside_their_boxes(hand: Hand) -> None:
    await hand.open("names.html")
    seen = await hand.look(screenshot=True)
    assert seen.screenshot is not None
    marked = Image.open(io.BytesIO(draw_marks(seen.screenshot.png, seen.candidates, seen.viewport))).convert("RGB")
    plain = Image.open(io.BytesIO(seen.screenshot.png)).convert("RGB")
    assert marked.size == plain.size == (1440, 900)
    for c in seen.candidates:
        edge = (round(c.box.x + c.box.width / 2), round(c.box.y))
        assert marked.getpixel(edge) != plain.getpixel(edge), c.name
