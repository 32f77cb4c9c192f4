"""The manifest: what a dataset says of itself. It holds no time and no path: the same data are the same bytes."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from guideact.errors import InputError, first_fault
from guideact.types import Frozen, Viewport

FILE = "manifest.json"
FORMAT = 1


class File(Frozen):
    """A file of the dataset."""

    path: str
    sha256: str
    bytes: int
    rows: int | None = None
    """Of a table."""


class Manifest(Frozen):
    """The content of manifest.json."""

    format: Literal[1] = 1
    name: str
    licence: str
    source: str
    """Where the demonstrations come from, and what was done to them since: `embedded`, `opagent+replay+draft`, ..."""
    grounding: Literal["both", "coord"] = "both"
    """`coord` where only points are known."""
    skin: str = ""
    """The changed look of the embedded sites in which they were made; "" for none."""
    viewport: Viewport = Viewport()
    counts: dict[str, int] = Field(default_factory=dict)
    """tasks, steps, images; tasks and steps of each split."""
    versions: dict[str, str] = Field(default_factory=dict)
    files: tuple[File, ...] = ()

    @property
    def signature(self) -> str:
        """A hash of all the data: two datasets with the same one hold the same bytes."""
        return hashlib.sha256("\n".join(f"{file.path} {file.sha256}" for file in self.files).encode()).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """Raises InputError where the folder holds no dataset, a damaged one, or one of another format."""
    path = folder / FILE
    try:
        data = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError) as error:
        raise InputError(f"{folder} is no dataset: it holds no {FILE}", fix="Give the folder of a dataset.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check its permissions.") from error
    try:
        loaded = json.loads(data)
        found = loaded.get("format") if isinstance(loaded, dict) else None
        if found == FORMAT:
            return Manifest.model_validate(loaded)
    except (ValueError, RecursionError) as error:
        what = first_fault(error) if isinstance(error, ValidationError) else "it is no JSON"
        raise InputError(f"{path} is damaged: {what}", fix="Build the dataset again.") from error
    raise InputError(
        f"{folder} holds a dataset of format {found!r}, and this guideact reads and writes format {FORMAT}",
        fix="Use the guideact that made it, or build it again.",
    )
