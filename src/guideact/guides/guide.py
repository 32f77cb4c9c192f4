"""A guide as data, and the folder it lies in.

    cancel-an-order/
        guide.json      one `Guide`: what a person reviews, and edits by hand
        images/         the screenshots, <sha256>.png, each once

Addresses are canonical where the site is an embedded one (`http://shopping.localhost/cart`, without instance and port)
and as they are everywhere else. Boxes and points are CSS px of the viewport that the step was taken in.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, FiniteFloat, ValidationError

from guideact.errors import InputError, first_fault
from guideact.types import Box, Frozen, Verb, Viewport

FORMAT: Literal[1] = 1
FILE, IMAGES = "guide.json", "images"


def _one_line(text: str) -> str:
    return " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())


def of_a_site(url: str) -> bool:
    """Whether an address can be the start of a guide: http, https, or a place on an embedded site."""
    return re.match(r"https?://|__[A-Z_]+__", url, re.IGNORECASE) is not None


def _start(url: str) -> str:
    if not of_a_site(url):
        raise ValueError("should begin with https://, http:// or, on an embedded site, such as __SHOPPING__/")
    return url


def _in_the_plane(box: Box) -> Box:
    # Said of each, since NaN is neither more nor less than anything.
    if not all(-1e6 <= side <= 1e6 for side in (box.x, box.y)) or not all(
        0 <= side <= 1e6 for side in (box.width, box.height)
    ):
        raise ValueError("should have a size of 0 or more, and lie within a million px")
    return box


Line = Annotated[str, AfterValidator(_one_line)]
"""Text on one line: others may have written the file, and what becomes a comment, a heading or a header in what is
published must not go on in a line of its own."""

_SHA256 = re.compile(r"[0-9a-f]{64}")


class GuideTarget(Frozen):
    """What a step is about, said in several ways, so that it is found again when some of them no longer hold."""

    role: str = ""
    """ARIA role; "" where only a selector is known."""
    name: str = ""
    """Accessible name."""
    ordinal: int = Field(default=0, ge=0)
    """0-based position among the elements of the same role and name."""
    css: str = ""
    """Selector; ` >>> ` stands before what lies in a shadow root."""
    text: str = ""
    """Visible text of the element."""
    near: tuple[str, ...] = ()
    """Texts that stand around it, the nearest first: its label, its row, the heading above."""
    row: str = ""
    """Where the page had several of its role and name: what its row says, as in `Locator.row`."""
    frame: str = Field(default="", pattern=r"^(\d+(/\d+)*)?$")
    """Path of the frame, as in `Candidate.frame`."""


class GuideStep(Frozen):
    """One thing to do, and the sentence that says so."""

    sentence: Line
    verb: Verb
    target: GuideTarget | None = None
    value: str = ""
    """What is typed or selected, or the direction of a scroll. What `finish` answers is not kept: it ages."""
    secret: str = ""
    """The name of the secret that is typed here instead of `value`: a guide never holds a password."""
    url: str = ""
    """Of the page that the step is taken on."""
    title: str = ""
    box: Annotated[Box, AfterValidator(_in_the_plane)] | None = None
    """Where the target stood."""
    point: tuple[FiniteFloat, FiniteFloat] | None = None
    """Where it was hit."""
    viewport: Viewport = Viewport()
    image: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")
    """SHA-256 of the screenshot that the step was decided on; "" without one."""


class Guide(Frozen):
    """How to do one thing on a site, step by step."""

    format: Literal[1] = FORMAT
    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_.-]*$", max_length=200)
    """Also the usual name of the folder."""
    title: Line = Field(min_length=1)
    """What the guide is for, as a person would ask for it."""
    language: str = "en"
    start_url: Annotated[str, AfterValidator(_start)]
    """Where the first step is taken: an address, or `__SHOPPING__/path` on an embedded site."""
    signed_in: dict[str, str] = Field(default_factory=dict)
    """Embedded sites on which somebody is signed in at the start: site -> user name."""
    steps: tuple[GuideStep, ...] = Field(min_length=1)
    task_id: str = ""
    """The embedded task that it does, whose check can tell whether it does."""
    source: Line = ""
    """Where it comes from: `gold`, `run: openai/gpt-4o`, `recorder`, ..."""
    note: Line = ""
    """What whoever reads it should know, such as what an import left out."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """The names of the secrets that its steps type, each once."""
        return tuple(dict.fromkeys(step.secret for step in self.steps if step.secret))


def slug(text: str) -> str:
    """A name for a folder, made from a title; `guide` where nothing of it can be used."""
    words = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")
    return words[:60].strip("-") or "guide"


def read_guide(path: Path) -> Guide:
    """Read a guide from its folder or its guide.json. Raises InputError where it is none, naming the field."""
    file = path / FILE if path.is_dir() else path
    try:
        data = file.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{path} is no guide: it holds no {FILE}", fix="Give the folder of a guide.") from error
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error.strerror}", fix="Check who may read it.") from error
    try:
        loaded = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file} is no JSON: {error}", fix="Mend that place.") from error
    found = loaded.get("format", FORMAT) if isinstance(loaded, dict) else FORMAT
    if found != FORMAT:
        raise InputError(f"{file} is of format {found}, and this guideact reads {FORMAT}", fix="Make it again.")
    try:
        return Guide.model_validate(loaded)
    except ValidationError as error:
        raise InputError(f"{file}: {first_fault(error)}", fix="Mend that field.") from error


def write_guide(folder: Path, guide: Guide, pictures: Mapping[str, bytes]) -> None:
    """Write a guide into a folder that is not there yet, is empty, or holds a guide, which it replaces.

    `pictures` are PNGs by SHA-256; those that no step shows are left out, and those the folder holds already may be
    missing. Raises InputError where the folder holds something else, or cannot be written.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file, and a guide is a folder", fix="Give another --out.")
    if folder.exists() and any(folder.iterdir()) and not (folder / FILE).exists():
        raise InputError(f"{folder} is not empty and holds no guide", fix="Give a new folder with --out.")
    images = folder / IMAGES
    shown = {step.image for step in guide.steps if step.image}
    try:
        images.mkdir(parents=True, exist_ok=True)
        for sha256 in sorted(shown):
            if sha256 in pictures:
                _write_whole(images / f"{sha256}.png", pictures[sha256])
            elif not (images / f"{sha256}.png").exists():
                raise ValueError(f"the picture {sha256} of guide {guide.id} was not given")
        for old in images.glob("*.png"):
            if old.stem not in shown:
                old.unlink()
        said = {"format": FORMAT, **guide.model_dump(mode="json", exclude_defaults=True)}
        text = json.dumps(said, indent=2, ensure_ascii=False)
        _write_whole(folder / FILE, (text + "\n").encode())
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another --out.") from error


def picture_of(folder: Path, sha256: str) -> bytes:
    """The PNG of a step's screenshot. Raises InputError where it is gone, or is not the picture its name says."""
    if not _SHA256.fullmatch(sha256):
        raise ValueError(f"{sha256!r} is no SHA-256")
    path = folder / IMAGES / f"{sha256}.png"
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Make the guide again.") from error
    if hashlib.sha256(data).hexdigest() != sha256:
        raise InputError(f"{path} was changed since it was made", fix="Make the guide again.")
    return data


def _write_whole(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    part.write_bytes(data)
    os.replace(part, path)
