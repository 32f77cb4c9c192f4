"""Drawing numbered marks on a screenshot, with a font we ship: the same bytes for the same input.

Each label goes where it neither lies on another label nor on anything drawn (text shows as contrast in the pixels under
it), as near to its box as that allows.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

from PIL import Image, ImageDraw, ImageFont

from guideact.types import Candidate, Viewport

FONT = "Inter-Bold.ttf"
SIZE = 12
"""Font size, px."""
_PAD = 2
# Dark enough for white digits (contrast at least 4.5 to 1), and told apart by most kinds of colour sight.
_COLOURS = ("#b3261e", "#1a56c4", "#0b6b3a", "#7a3ea8", "#8a4b00", "#00626b", "#a3195b", "#3d4a5c")
_FLAT = 40
"""Range of grey levels under a label up to which nothing counts as hidden."""

Rect = tuple[int, int, int, int]


def draw_marks(png: bytes, candidates: Sequence[Candidate], viewport: Viewport) -> bytes:
    """A PNG of the same size with a box around each candidate and its number beside it.

    Args:
        png: the screenshot of the observation.
        candidates: those of the same observation.
        viewport: size the boxes refer to; a screenshot at another scale is drawn on at its own.
    """
    image = Image.open(io.BytesIO(png)).convert("RGB")
    scale = image.width / viewport.width
    grey = image.convert("L")
    draw = ImageDraw.Draw(image)
    boxes = [_pixels(candidate, scale, image.size) for candidate in candidates]
    labels = place_labels(grey, boxes, [str(candidate.mark) for candidate in candidates])
    for box, candidate in zip(boxes, candidates, strict=True):
        draw.rectangle(
            box, outline=_colour(candidate.mark), width=2 if min(box[2] - box[0], box[3] - box[1]) > 12 else 1
        )
    for i, candidate in enumerate(candidates):
        left, top, right, bottom = labels[i]
        _, _, baseline = _measure(str(candidate.mark))
        draw.rectangle((left, top, right - 1, bottom - 1), fill=_colour(candidate.mark))
        draw.text((left + _PAD, top + _PAD - baseline), str(candidate.mark), fill="white", font=_font())
    out = io.BytesIO()
    image.save(out, "PNG", compress_level=1)
    return out.getvalue()


def place_labels(grey: Image.Image, boxes: Sequence[Rect], texts: Sequence[str]) -> list[Rect]:
    """Where each label goes: (left, top, right, bottom) in px of the picture, right and bottom exclusive."""
    labels: dict[int, Rect] = {}
    grid = _Grid()
    # Small boxes first: they have the fewest places for their label.
    for i in sorted(range(len(boxes)), key=lambda i: (_area(boxes[i]), i)):
        width, height, _ = _measure(texts[i])
        labels[i] = _place(boxes[i], width, height, grey, grid)
        grid.add(labels[i])
    return [labels[i] for i in range(len(boxes))]


class _Grid:
    """Rectangles, found again by the 64 px cells they touch."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], list[Rect]] = {}

    def add(self, rect: Rect) -> None:
        for cell in self._touched(rect):
            self._cells.setdefault(cell, []).append(rect)

    def overlap(self, rect: Rect) -> int:
        """Area shared with what is there, px."""
        near = {r for cell in self._touched(rect) for r in self._cells.get(cell, ())}
        return sum(_shared(rect, r) for r in near)

    @staticmethod
    def _touched(rect: Rect) -> Iterator[tuple[int, int]]:
        for x in range(rect[0] >> 6, ((rect[2] - 1) >> 6) + 1):
            for y in range(rect[1] >> 6, ((rect[3] - 1) >> 6) + 1):
                yield (x, y)


def _place(box: Rect, width: int, height: int, grey: Image.Image, grid: _Grid) -> Rect:
    size = grey.size
    best: tuple[float, Rect] | None = None
    for order, (x, y) in enumerate(_spots(box, width, height)):
        left = min(max(x, 0), max(size[0] - width, 0))
        top = min(max(y, 0), max(size[1] - height, 0))
        rect = (left, top, left + width, top + height)
        moved = abs(left - x) + abs(top - y)
        overlap = grid.overlap(rect)
        low, high = grey.crop(rect).getextrema()
        contrast = float(high) - float(low)  # type: ignore[arg-type]
        if not overlap and contrast <= _FLAT and not moved:
            return rect
        cost = overlap * 1000.0 + (contrast if contrast > _FLAT else 0) * 3 + moved * 20 + order * 4
        if best is None or cost < best[0]:
            best = (cost, rect)
    if best is None:
        raise ValueError("no place for a label")
    return best[1]


def _spots(box: Rect, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Top left corners to try, best first: around the corners, then along the sides, then inside, then farther off."""
    left, top, right, bottom = box
    yield (left, top - height)
    yield (left - width, top)
    yield (right, top)
    yield (right - width, top - height)
    yield (left, bottom)
    yield (right - width, bottom)
    yield (left - width, bottom - height)
    yield (right, bottom - height)
    if right - left > 2 * width and bottom - top > height:
        yield (right - width, top)
        yield (left, top)
        yield (right - width, bottom - height)
        yield (left, bottom - height)
    for step in range(width, max(right - left - width, 0), width):
        yield (left + step, top - height)
        yield (left + step, bottom)
        if step > 8 * width:
            break
    for far in (1, 2, 3):
        yield (left - width * (far + 1), top)
        yield (right + width * far, top)
        yield (left, top - height * (far + 1))
        yield (left, bottom + height * far)


def _pixels(candidate: Candidate, scale: float, size: tuple[int, int]) -> Rect:
    box = candidate.box
    left = min(max(round(box.x * scale), 0), size[0] - 1)
    top = min(max(round(box.y * scale), 0), size[1] - 1)
    right = min(max(round((box.x + box.width) * scale), left + 1), size[0])
    bottom = min(max(round((box.y + box.height) * scale), top + 1), size[1])
    return (left, top, right - 1, bottom - 1)


def _area(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _shared(a: Rect, b: Rect) -> int:
    return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))


def _colour(mark: int) -> str:
    return _COLOURS[mark % len(_COLOURS)]


@lru_cache(1)
def _font() -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(
        io.BytesIO(files("guideact.browser").joinpath("fonts", FONT).read_bytes()),
        SIZE,
        layout_engine=ImageFont.Layout.BASIC,
    )


@lru_cache(1024)
def _measure(text: str) -> tuple[int, int, int]:
    """Width and height of a label, px, and how far below the drawing origin its digits begin."""
    left, _, right, _ = _font().getbbox(text)
    _, top, _, bottom = _font().getbbox("0123456789")
    return (round(right - min(left, 0)) + 2 * _PAD, round(bottom - top) + 2 * _PAD, round(top))
