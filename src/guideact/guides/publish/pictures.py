"""A step's screenshot for a reader: cut to what matters, the target lit and the rest dimmed."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Literal

from PIL import Image, ImageChops, ImageDraw, UnidentifiedImageError

from guideact.errors import InputError
from guideact.guides.guide import GuideStep
from guideact.types import Box

Format = Literal["webp", "png"]
MARGIN = 6
"""CSS px between a target and the edge of its light."""
SMALLEST = (860, 480)
"""CSS px that a cut shows at least: enough of the page around a target to know where one is."""
_AROUND = 90
_DIM = 80
"""How dark the rest becomes, 0 to 255."""
_RING = (217, 72, 15)
_SCALE = 4
"""The light is drawn at this scale and shrunk, for smooth corners."""


@dataclass(frozen=True)
class Cut:
    """A picture that is ready to be shown. Sizes are px."""

    data: bytes
    width: int
    height: int
    whole: bool
    """It is the whole screenshot: nothing was cut off."""


def cut(png: bytes, step: GuideStep, *, box: Box | None = None, kind: Format = "webp", whole: bool = False) -> Cut:
    """The picture of a step. `box` is what to light, the step's own by default; `whole` cuts nothing off.

    Raises InputError where the bytes are no picture.
    """
    try:
        with Image.open(io.BytesIO(png)) as opened:
            image = opened.convert("RGB")
    except (OSError, UnidentifiedImageError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise InputError("a picture of the guide cannot be read", fix="Make the guide again.") from error
    scale = image.width / step.viewport.width
    lit = _lit(step, box, scale)
    if lit is not None:
        image = light(image, lit, scale)
    window = (0, 0, image.width, image.height)
    if not whole and lit is not None:
        window = _window(lit, image.size, scale)
        image = image.crop(window)
    return Cut(
        encode(image, kind), image.width, image.height, window[2] - window[0] == round(scale * step.viewport.width)
    )


def encode(image: Image.Image, kind: Format) -> bytes:
    out = io.BytesIO()
    if kind == "webp":
        image.save(out, "WEBP", quality=80, method=4)
    else:
        image.quantize(256, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def light(image: Image.Image, lit: tuple[float, float, float, float], scale: float) -> Image.Image:
    """The picture with all but one rectangle (left, top, right, bottom, in its px) dimmed, and a ring around that."""
    left, top, right, bottom = lit
    pad = 4 * scale
    region = (
        max(0, int(left - 3 * pad)), max(0, int(top - 3 * pad)),
        min(image.width, int(right + 3 * pad) + 1), min(image.height, int(bottom + 3 * pad) + 1),
    )  # fmt: skip
    size = ((region[2] - region[0]) * _SCALE, (region[3] - region[1]) * _SCALE)
    shape = [
        (left - region[0]) * _SCALE,
        (top - region[1]) * _SCALE,
        (right - region[0]) * _SCALE,
        (bottom - region[1]) * _SCALE,
    ]
    small = (region[2] - region[0], region[3] - region[1])

    def mask(grow: float) -> Image.Image:
        drawn = Image.new("L", size, 0)
        grown = grow * scale * _SCALE
        ImageDraw.Draw(drawn).rounded_rectangle(
            (shape[0] - grown, shape[1] - grown, shape[2] + grown, shape[3] + grown),
            radius=(6 + grow) * scale * _SCALE,
            fill=255,
        )
        return drawn.resize(small, Image.Resampling.LANCZOS)

    hole = Image.new("L", image.size, 0)
    hole.paste(mask(0), region[:2])
    dark = Image.blend(image, Image.new("RGB", image.size, (15, 23, 42)), _DIM / 255)
    out = Image.composite(image, dark, hole)
    ring = Image.new("L", image.size, 0)
    ring.paste(ImageChops.subtract(mask(3), mask(0)), region[:2])
    out.paste(Image.new("RGB", image.size, _RING), (0, 0), ring)
    return out


def _lit(step: GuideStep, box: Box | None, scale: float) -> tuple[float, float, float, float] | None:
    box = box or step.box
    if box is None and step.point is not None:
        x, y = step.point
        box = Box(x=x - 14, y=y - 14, width=28, height=28)
    if box is None or box.width * box.height > 0.6 * step.viewport.width * step.viewport.height:
        return None
    return (
        max(1.0, (box.x - MARGIN) * scale),
        max(1.0, (box.y - MARGIN) * scale),
        min(step.viewport.width * scale - 2, (box.x + box.width + MARGIN) * scale),
        min(step.viewport.height * scale - 2, (box.y + box.height + MARGIN) * scale),
    )


def _window(lit: tuple[float, float, float, float], size: tuple[int, int], scale: float) -> tuple[int, int, int, int]:
    """What to show of a picture of this size: the lit rectangle in the middle as far as the edges allow."""
    width = min(size[0], max(SMALLEST[0] * scale, lit[2] - lit[0] + 2 * _AROUND * scale))
    height = min(size[1], max(SMALLEST[1] * scale, lit[3] - lit[1] + 2 * _AROUND * scale))
    left = min(max(0, (lit[0] + lit[2] - width) / 2), size[0] - width)
    top = min(max(0, (lit[1] + lit[3] - height) / 2), size[1] - height)
    return (round(left), round(top), round(left + width), round(top + height))
