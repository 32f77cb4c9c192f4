"""The folder of a training on rewards: what it began with, put down before anything else is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from guideact.errors import InputError
from guideact.outputs import refuse_taken

TRAINING = "training.json"
_PART = f"{TRAINING}.part"


def begun(folder: Path) -> dict[str, Any] | None:
    """What the training in a folder began with; None where none was begun.

    Raises InputError for a file that is damaged, OSError for one that cannot be read.
    """
    path = folder / TRAINING
    if not path.is_file():
        return None
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise InputError(f"{path} is damaged: it is no JSON", fix="Give another --out.") from error
    if not isinstance(found, dict) or not isinstance(found.get("settings"), dict):
        raise InputError(f"{path} is damaged: it holds no settings", fix="Give another --out.")
    return found


def begin(folder: Path, about: Mapping[str, Any]) -> None:
    """Make a folder for a new training, with what it begins with: all of it or nothing.

    Raises InputError for a folder that holds something else, OSError for one that cannot be written.
    """
    if folder.is_dir():
        # What a training leaves behind that was killed here.
        (folder / _PART).unlink(missing_ok=True)
    refuse_taken(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _PART).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")
    os.replace(folder / _PART, folder / TRAINING)


def is_of_guides(folder: Path) -> bool:
    """Whether the training in a folder is one of guides (`offline_reward`). Raises as `begun` does."""
    found = begun(folder)
    return found is not None and "steps_per_round" in found["settings"]
