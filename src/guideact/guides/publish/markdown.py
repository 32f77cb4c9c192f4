"""A guide as Markdown with pictures beside it."""

from __future__ import annotations

import re
from pathlib import Path

from guideact.guides.guide import Guide, picture_of
from guideact.guides.publish.pictures import cut
from guideact.guides.publish.words import lit_box, needs, parts, picture_text, value_of, words_of

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>()#+\-!|~&$])")
_START = re.compile(r"^(\s*)(\d+)([.)])")


def markdown(guide: Guide, folder: Path) -> tuple[str, dict[str, bytes]]:
    """The text, and the pictures it names by their paths: `images/step-01.png`.

    Nothing of the guide can become markup: every sign that could is escaped.
    """
    words = words_of(guide)
    count = len(guide.steps)
    lines = [f"# {escape(guide.title)}", "", words["step" if count == 1 else "steps"].format(n=count), ""]
    lines += [f"- {name}: {escape(value)}" for name, value in needs(guide)]
    if guide.note:
        lines += ["", f"> {escape(guide.note)}"]
    lines += ["", f"## {words['contents']}", ""]
    lines += [f"{n}. [{escape(step.sentence)}](#step-{n})" for n, step in enumerate(guide.steps, 1)]
    pictures: dict[str, bytes] = {}
    for number, step in enumerate(guide.steps, 1):
        said = "".join(f"**{escape(piece)}**" if quoted else escape(piece) for piece, quoted in parts(step.sentence))
        lines += ["", f'<a id="step-{number}"></a>', "", f"## {number}. {said}"]
        word, value = value_of(guide, step)
        if value:
            lines += ["", f"{word}: {code(value)}"]
        if step.image:
            name = f"images/step-{number:02}.png"
            picture = cut(picture_of(folder, step.image), step, box=lit_box(guide, number - 1), kind="png")
            pictures[name] = picture.data
            lines += ["", f"![{escape(picture_text(guide, step))}]({name})"]
    if guide.source:
        lines += ["", "---", "", escape(words["made"].format(source=guide.source))]
    return "\n".join(lines) + "\n", pictures


def escape(text: str) -> str:
    """Text that Markdown shows as it is, on one line; a blank at either end stays, since a piece may follow."""
    one = _SPECIAL.sub(r"\\\1", re.sub(r"\s+", " ", text))
    return _START.sub(r"\1\2\\\3", one)


def code(text: str) -> str:
    """Text as inline code, whatever backticks it holds; line breaks become spaces."""
    one = " ".join(text.split())
    longest = max((len(run) for run in re.findall(r"`+", one)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if one.startswith("`") or one.endswith("`") else ""
    return f"{fence}{pad}{one}{pad}{fence}"
