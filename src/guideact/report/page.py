"""The page around the content: template, style, script, and the policy that allows those two and nothing else.

The page trusts nothing that a run holds. Task texts, page titles, model output and rows of the sites' data reach it as
escaped text, or as JSON that a small script turns into text nodes; and its Content-Security-Policy allows that script
and that style sheet (by their hashes) and `data:` images. So it makes no request, and needs none.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup


def render(**content: Any) -> str:
    """The page as text. `content` fills `page.html`, which names what it needs; a missing name is an error."""
    style, script = _shipped("page.css"), _shipped("page.js")
    policy = (
        "default-src 'none'; img-src data:; "
        f"style-src '{_hash(style)}'; script-src '{_hash(script)}'; base-uri 'none'; form-action 'none'"
    )
    return _template().render(policy=policy, style=Markup(style), script=Markup(script), **content)


@cache
def _shipped(name: str) -> str:
    return (files("guideact.report") / name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["breakable"] = breakable
    return environment.from_string(_shipped("page.html"))


def breakable(name: str) -> Markup:
    """A name that may go on in the next line after each of its dots and underscores."""
    return Markup("<wbr>").join(re.split(r"(?<=[._])(?=.)", name))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("utf-8")).digest()).decode("ascii")
