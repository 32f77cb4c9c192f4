"""What a demonstration may be seen on: a page as it is now, seen whole, whose screenshot is kept once."""

from __future__ import annotations

from pathlib import Path

from guideact.browser.observe import MOVING, STALE
from guideact.errors import BrowserError
from guideact.types import Observation


def refuse_partial(seen: Observation, where: str, *, moving: bool = False) -> None:
    """Raise BrowserError, naming the step by `where`, for a page that was not seen whole, or by an earlier picture.

    A page that does not stand still passes where it may be `moving`: begun anew for ever, it would never be had.
    """
    if seen.partial and not (moving and seen.partial == MOVING):
        raise BrowserError(f"{where} was not seen as it was: {seen.partial}")


def keep_picture(folder: Path, seen: Observation, where: str) -> None:
    """Write the screenshot to `folder/<sha256>.png`. Raises BrowserError where there is none, or an earlier one."""
    shot = seen.screenshot
    if shot is None or STALE in seen.partial:
        raise BrowserError(f"{where} has no screenshot: {seen.partial}")
    path = folder / f"{shot.sha256}.png"
    # The same picture of another step. Written anew, a kill would leave half of what a finished task counts on.
    if not path.exists():
        part = path.with_suffix(".part")
        part.write_bytes(shot.png)
        part.replace(path)
