"""Guides from and to other tools' recordings: Chrome's Recorder (JSON) and Playwright's codegen (Python)."""

from __future__ import annotations

from pathlib import Path

from guideact.errors import InputError
from guideact.guides.exchange.codegen import read_codegen
from guideact.guides.exchange.recorder import read_recording
from guideact.guides.guide import Guide


def read_foreign(path: Path, language: str = "en") -> Guide:
    """The guide of a file: `.json` of Chrome's Recorder, `.py` of Playwright's codegen.

    It has no pictures, and a sentence by rule for each step. Raises InputError for a file that is neither.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no text"
        raise InputError(f"{path} cannot be read: {reason}", fix="Check the path.") from error
    if path.suffix == ".json":
        return read_recording(text, str(path), language)
    if path.suffix == ".py":
        return read_codegen(text, str(path), language)
    raise InputError(
        f"{path} is neither a .json of Chrome's Recorder nor a .py of Playwright's codegen", fix="Export it as one."
    )
