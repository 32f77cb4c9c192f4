"""Drawing numbered marks on a screenshot, with a font we ship: the same bytes for the same input.

Each label goes where it lies neither on another label, nor on anything drawn (text shows as contrast in the pixels
under it), nor on somebody else's box, and as near to its own box as that allows.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from guideact.types import Candidate, Viewport

FONT = "Inter-Bold.ttf"
SIZE = 12
"""Font size, px."""
_PAD = 2
# Dark enough for white digits (contrast at least 4.5 to 1), and told apart by most kinds of colour sight.
_COLOURS = ("#b3261e", "#1a56c4", "#0b6b3a", "#7a3ea8", "#8a4b00", "#00626b", "#a3195b", "#3d4a5c")
_EDGE = 24
"""Difference of grey levels between neighbours from which on something is drawn there."""
_LARGE = 0.2
"""Share of the picture from which on a box is a region: labels may lie on it."""

Rect = tuple[int, int, int, int]
"""Left, top, right, bottom in px of the picture; right and bottom exclusive."""


def draw_marks(png: bytes, candidates: Sequence[Candidate], viewport: Viewport) -> bytes:
    """A PNG of the same size with a box around each candidate and its number beside it.

    Args:
        png: the screenshot of the observation.
        candidates: those of the same observation.
        viewport: size the boxes refer to; a screenshot at another scale is drawn on at its own.
    """
    image = Image.open(io.BytesIO(png)).convert("RGB")
    boxes = [_pixels(candidate, image.width / viewport.width, image.size) for candidate in candidates]
    tiles = [_tile(candidate.mark) for candidate in candidates]
    labels = place_labels(np.asarray(image.convert("L")), boxes, [tile.size for tile in tiles])
    draw = ImageDraw.Draw(image)
    for (left, top, right, bottom), candidate in zip(boxes, candidates, strict=True):
        line = 2 if min(right - left, bottom - top) > 12 else 1
        draw.rectangle((left, top, right - 1, bottom - 1), outline=_colour(candidate.mark), width=line)
    for (left, top, _, _), tile in zip(labels, tiles, strict=True):
        image.paste(tile, (left, top))
    return _png(image)


def _png(image: Image.Image) -> bytes:
    """An RGB picture as a PNG whose lines are stored as they are.

    Pillow filters each line first: three times the time, and pictures of pages come out larger.
    """
    lines = np.zeros((image.height, image.width * 3 + 1), np.uint8)  # each begins with the number of its filter: none
    lines[:, 1:] = np.asarray(image).reshape(image.height, -1)
    header = struct.pack(">IIBBBBB", image.width, image.height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 1)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


def place_labels(grey: NDArray[np.uint8], boxes: Sequence[Rect], sizes: Sequence[tuple[int, int]]) -> list[Rect]:
    """Where each label goes.

    Args:
        grey: the picture, (height, width).
        boxes: one for each candidate.
        sizes: width and height of each label, px.
    """
    height, width = grey.shape
    ink = _ink(grey)
    taken = np.zeros((height, width), np.bool_)
    framed = np.zeros((height, width), np.int16)
    small = [(b[2] - b[0]) * (b[3] - b[1]) < _LARGE * width * height for b in boxes]
    for box, counts in zip(boxes, small, strict=True):
        if counts:
            framed[box[1] : box[3], box[0] : box[2]] += 1
    labels: dict[int, Rect] = {}
    # Small boxes first: they have the fewest places for their label.
    for i in sorted(range(len(boxes)), key=lambda i: (_area(boxes[i]), i)):
        box = boxes[i]
        own = framed[box[1] : box[3], box[0] : box[2]]
        if small[i]:
            own -= 1
        labels[i] = rect = _place(box, sizes[i], ink, taken, framed)
        if small[i]:
            own += 1
        taken[rect[1] : rect[3], rect[0] : rect[2]] = True
    return [labels[i] for i in range(len(boxes))]


def _ink(grey: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which pixels differ from their right or lower neighbour, (height, width)."""
    level = grey.astype(np.int16)
    edges = np.zeros(grey.shape, np.bool_)
    edges[:, :-1] |= np.abs(np.diff(level, axis=1)) > _EDGE
    edges[:-1, :] |= np.abs(np.diff(level, axis=0)) > _EDGE
    return edges


def _place(
    box: Rect,
    size: tuple[int, int],
    ink: NDArray[np.bool_],
    taken: NDArray[np.bool_],
    framed: NDArray[np.int16],
) -> Rect:
    width, height = size
    limit_y, limit_x = taken.shape[0] - height, taken.shape[1] - width
    best: tuple[float, Rect] | None = None
    for order, (x, y) in enumerate(_spots(box, width, height)):
        left, top = min(max(x, 0), max(limit_x, 0)), min(max(y, 0), max(limit_y, 0))
        right, bottom = left + width, top + height
        cost = (abs(left - x) + abs(top - y)) * 20.0 + order * 3
        if best is not None and cost >= best[0]:
            continue
        free = cost
        cost += 1000.0 * np.count_nonzero(taken[top:bottom, left:right])
        cost += 2.0 * np.count_nonzero(framed[top:bottom, left:right])
        drawn = int(np.count_nonzero(ink[top:bottom, left:right]))
        # A box's own border is a line along the label's edge; text is more.
        cost += 6.0 * max(0, drawn - width - height)
        rect = (left, top, right, bottom)
        if cost == free and left == x and top == y:
            return rect
        if best is None or cost < best[0]:
            best = (cost, rect)
    if best is None:
        raise ValueError("no place for a label")
    return best[1]


def _spots(box: Rect, width: int, height: int) -> Iterator[tuple[int, int]]:
    """Top left corners to try, best first: around the corners, then inside, along the sides, and farther off."""
    left, top, right, bottom = box
    middle = (top + bottom - height) // 2
    yield (left, top - height)
    yield (left - width, top)
    if right - left > 2 * width and bottom - top >= height:
        yield (right - width, middle)
        yield (left, middle)
        yield (right - width, top)
        yield (right - width, bottom - height)
    yield (right, top)
    yield (right - width, top - height)
    yield (left, bottom)
    yield (right - width, bottom)
    yield (left - width, bottom - height)
    yield (right, bottom - height)
    for step in range(width, min(right - left - width, 8 * width), width):
        yield (left + step, top - height)
        yield (left + step, bottom)
    for far in (1, 2):
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
    return (left, top, right, bottom)


def _area(rect: Rect) -> int:
    return (rect[2] - rect[0]) * (rect[3] - rect[1])


def _colour(mark: int) -> str:
    return _COLOURS[mark % len(_COLOURS)]


@lru_cache(1)
def _font() -> ImageFont.FreeTypeFont:
    data = files("guideact.browser").joinpath("fonts", FONT).read_bytes()
    return ImageFont.truetype(io.BytesIO(data), SIZE, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(4096)
def _tile(mark: int) -> Image.Image:
    """The label of a mark, ready to paste."""
    text = str(mark)
    left, _, right, _ = _font().getbbox(text)
    _, top, _, bottom = _font().getbbox("0123456789")
    tile = Image.new("RGB", (round(right - left) + 2 * _PAD, round(bottom - top) + 2 * _PAD), _colour(mark))
    ImageDraw.Draw(tile).text((_PAD - left, _PAD - top), text, fill="white", font=_font())
    return tile
