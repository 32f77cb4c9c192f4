"""Colours for code: comments, texts, numbers and the words of a language, told apart by one expression a family."""

from __future__ import annotations

import functools
import re

from markupsafe import Markup, escape

__all__ = ["language", "lines"]

_WORDS = {
    "py": "False None True and as assert break class continue def del elif else except finally for"
    " from global if import"
    " in is lambda nonlocal not or pass raise return try while with yield",
    "js": "await break case class const continue default else export false for from function if import in let new null"
    " return this throw true try while with",
    "sh": "do done echo else fi for if in set then while",
    "sql": "AND AS BY CREATE FROM GROUP INSERT INTO JOIN ON ORDER SELECT SET TABLE UPDATE VALUES WHERE",
}
_NAMES = {
    "py": "Python",
    "js": "JavaScript",
    "sh": "Shell",
    "css": "CSS",
    "html": "HTML",
    "md": "Markdown",
    "json": "JSON",
    "toml": "TOML",
    "csv": "CSV",
    "txt": "Text",
    "sql": "SQL",
}
_HASH = r"\#[^\n]*"
_SLASH = r"//[^\n]*|/\*.*?\*/"
_TEXTS = r'"""(?:.*?)"""|"(?:\\.|[^"\\\n])*"|' + r"'(?:\\.|[^'\\\n])*'"
_COMMENTS = {"py": _HASH, "sh": _HASH, "toml": _HASH, "js": _SLASH, "css": r"/\*.*?\*/", "html": r"<!--.*?-->"}


def language(path: str) -> str:
    """What a file is written in, by its ending; empty where nobody knows."""
    name = path.rsplit("/", 1)[-1]
    return "Docker" if name == "Dockerfile" else _NAMES.get(name.rpartition(".")[2], "")


@functools.lru_cache(maxsize=64)
def _pattern(family: str) -> re.Pattern[str] | None:
    if family not in ("py", "js", "sh", "sql", "toml", "json", "css", "html"):
        return None
    parts = [f"(?P<c>{_COMMENTS[family]})"] if family in _COMMENTS else []
    parts.append(f"(?P<s>{_TEXTS})")
    if family in _WORDS:
        parts.append(rf"(?P<k>\b(?:{'|'.join(_WORDS[family].split())})\b)")
    parts.append(r"(?P<n>(?<![\w#.])\d[\d_.]*\b)")
    return re.compile("|".join(parts), re.DOTALL)


@functools.lru_cache(maxsize=256)
def lines(path: str, text: str) -> tuple[Markup, ...]:
    """The lines of a file as markup; a text that runs over several lines is coloured in each."""
    family = "sh" if path.endswith(("Dockerfile", ".aliases")) else path.rpartition(".")[2]
    pattern = _pattern(family)
    if pattern is None:
        return tuple(escape(line) for line in text.splitlines())
    out: list[str] = []
    at = 0
    for found in pattern.finditer(text):
        out.append(str(escape(text[at : found.start()])))
        kind = found.lastgroup
        pieces = [f'<i class="{kind}">{escape(piece)}</i>' if piece else "" for piece in found.group().split("\n")]
        out.append("\n".join(pieces))
        at = found.end()
    out.append(str(escape(text[at:])))
    return tuple(Markup(line) for line in "".join(out).rstrip("\n").split("\n"))
