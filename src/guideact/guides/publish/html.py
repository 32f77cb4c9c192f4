"""A guide as one HTML file that loads nothing, runs nothing and trusts nothing.

Everything in it is escaped text, and its Content-Security-Policy allows one style sheet, by its hash, and `data:`
pictures: no script at all.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from guideact import __version__
from guideact.guides.guide import Guide, GuideStep, picture_of
from guideact.guides.publish.pictures import Cut, cut
from guideact.guides.publish.words import address, linked, lit_box, needs, parts, picture_text, value_of, words_of


def html(guide: Guide, folder: Path) -> str:
    """The page. `folder` holds the guide's pictures. Raises InputError where one of them is gone."""
    words = words_of(guide)
    style = _shipped("page.css")
    policy = f"default-src 'none'; img-src data:; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    count = len(guide.steps)
    return _template().render(
        guide=guide,
        words=words,
        policy=policy,
        style=Markup(style),
        version=__version__,
        count=words["step" if count == 1 else "steps"].format(n=count),
        needs=[
            (name, value, linked(value) if value == address(guide.start_url) else "") for name, value in needs(guide)
        ],
        made=words["made"].format(source=guide.source) if guide.source else "",
        steps=[_shown(guide, folder, index) for index in range(count)],
    )


def _shown(guide: Guide, folder: Path, index: int) -> dict[str, Any]:
    step = guide.steps[index]
    word, value = value_of(guide, step)
    shown: dict[str, Any] = {
        "sentence": step.sentence,
        "parts": parts(step.sentence),
        "value_word": word,
        "value": value,
        "title": step.title or step.url,
        "alt": picture_text(guide, step),
        "picture": "",
        "whole": "",
    }
    if not step.image:
        return shown
    png = picture_of(folder, step.image)
    main = cut(png, step, box=lit_box(guide, index))
    shown |= {"picture": _data(main), "width": main.width, "height": main.height}
    if not main.whole:
        whole = _whole(png, step, guide, index)
        shown |= {"whole": _data(whole), "whole_width": whole.width, "whole_height": whole.height}
    return shown


def _whole(png: bytes, step: GuideStep, guide: Guide, index: int) -> Cut:
    return cut(png, step, box=lit_box(guide, index), whole=True)


def _data(picture: Cut) -> str:
    return "data:image/webp;base64," + base64.b64encode(picture.data).decode("ascii")


@cache
def _shipped(name: str) -> str:
    return (files("guideact.guides.publish") / name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_shipped("page.html"))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
