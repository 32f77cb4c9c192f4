"""Where something is to be written: what is wrong with the place is said before any work is done."""

import os
from collections.abc import Iterable
from pathlib import Path

from guideact.errors import InputError


def refuse_unwritable(path: Path) -> None:
    """Raise InputError where a file or folder could not be made at `path`."""
    there = next(above for above in (path.absolute(), *path.absolute().parents) if above.exists())
    if there != path.absolute() and not there.is_dir():
        raise InputError(f"{path} cannot be written: {there} is no folder", fix="Give another place.")
    if not os.access(there, os.W_OK | os.X_OK if there.is_dir() else os.W_OK):
        raise InputError(f"{path} cannot be written: {there} may not be written to", fix="Give another place.")


def refuse_unwritable_file(path: Path, flag: str, reads: Iterable[Path] = ()) -> None:
    """Raise InputError where the file that a flag names could not be written, or is one of those that are read."""
    if path.is_dir() or not path.parent.is_dir():
        what = f"{path.parent} is no folder" if not path.is_dir() else "it is a folder"
        raise InputError(f"{path} cannot be written: {what}", fix=f"Give another {flag}.")
    refuse_unwritable(path)
    for read in reads:
        if path.exists() and read.exists() and path.samefile(read):
            raise InputError(f"{path} cannot be written: it is read from", fix=f"Give another {flag}.")


def refuse_taken(folder: Path) -> None:
    """Raise InputError where a new folder could not be made: a file stands there, or one that holds something."""
    refuse_unwritable(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty", fix="Give another folder, or remove this one.")
