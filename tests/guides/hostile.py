"""Guides for tests: one whose every text attacks whatever shows it, and pictures to go with it."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path

from PIL import Image

from guideact.guides.guide import Guide, GuideStep, GuideTarget, write_guide
from guideact.types import Box

ATTACK = (
    "</script></style><script>alert(1)</script><img src=x onerror=alert(2)>` \\` ![x](javascript:alert(3)) "
    "\u2028\"'{{7*7}}*/"
)
LINES = '\n    raise SystemExit("mine")\r    raise SystemExit\u2029    raise SystemExit\x85    raise SystemExit\n'


def picture(colour: str = "white", size: tuple[int, int] = (1440, 900)) -> tuple[str, bytes]:
    """A PNG of one colour, with its SHA-256."""
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG")
    return hashlib.sha256(out.getvalue()).hexdigest(), out.getvalue()


def hostile(folder: Path) -> Guide:
    """Write the guide into a folder, and give it."""
    sha256, png = picture()
    target = GuideTarget(role="button", name=ATTACK, css=ATTACK, text=ATTACK, near=(ATTACK,), ordinal=2)
    box = Box(x=700, y=400, width=90, height=30)
    common = {"url": f"javascript:{ATTACK}", "title": ATTACK, "image": sha256}
    guide = Guide(
        id="hostile",
        title=ATTACK + LINES,
        start_url=f"https://x.example/{ATTACK}",
        source=ATTACK + LINES,
        note=ATTACK + LINES,
        steps=(
            GuideStep(sentence=f"Click “{ATTACK}”.", verb="click", target=target, box=box, point=(710, 410), **common),
            GuideStep(sentence=f"1. Type {ATTACK}", verb="type", target=target, value=ATTACK, box=box, **common),
            GuideStep(sentence=ATTACK + LINES, verb="finish", **common),
        ),
    )
    write_guide(folder, guide, {sha256: png})
    return guide
