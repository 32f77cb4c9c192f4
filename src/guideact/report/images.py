"""The run's screenshots as small WebP pictures, each once in the report however often it is shown."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image, UnidentifiedImageError

WIDTH = 1080
"""Pixels. Of a 1440 px screenshot the numbers of the marks stay readable, at less than half the bytes."""
QUALITY = 60


@dataclass(frozen=True)
class Picture:
    """One image of the report. `width` and `height` are the original's, in px: the scale of boxes and points."""

    key: str
    width: int
    height: int
    base64: str


@dataclass(frozen=True)
class Missing:
    """An image that could not be shown, and the sentence that stands in its place."""

    note: str


def load_pictures(run_folder: Path, paths: Iterable[str]) -> dict[str, Picture | Missing]:
    """Read and re-encode the images of a run; several at a time, since the encoder runs outside the interpreter lock.

    `paths` are relative to the run folder. A file that is gone, cut, or outside the folder is a `Missing`.
    """
    wanted = sorted({path for path in paths if path})
    root = run_folder.resolve()
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        found = pool.map(lambda item: _load(root, item[1], f"{item[0]}"), enumerate(wanted))
        return dict(zip(wanted, found, strict=True))


def _load(root: Path, path: str, key: str) -> Picture | Missing:
    file = (root / path).resolve()
    if not file.is_relative_to(root):
        return Missing("The screenshot's path leads out of the run folder, so it is left out.")
    try:
        with Image.open(file, formats=("PNG",)) as opened:
            width, height = opened.size
            image = opened.convert("RGB")
    except FileNotFoundError:
        return Missing("The screenshot is not in the run folder any more.")
    except (OSError, UnidentifiedImageError, SyntaxError, ValueError, Image.DecompressionBombError):
        return Missing("The screenshot's file cannot be read.")
    if width > WIDTH:
        image = image.resize((WIDTH, max(1, round(height * WIDTH / width))), Image.Resampling.HAMMING)
    out = BytesIO()
    image.save(out, "WEBP", quality=QUALITY, method=2)
    return Picture(key, width, height, base64.b64encode(out.getvalue()).decode("ascii"))
