"""What becomes of a file that a page hands out."""

from __future__ import annotations

from pathlib import Path

from playwright.async_api import Download
from playwright.async_api import Error as PlaywrightError


async def keep(download: Download, folder: Path | None) -> str:
    """Save a file in `folder`, or throw it away where there is none; returns the sentence that tells of it."""
    name = Path(download.suggested_filename).name or "download"
    try:
        if folder is None:
            await download.cancel()
            return f'The download of "{name}" was not kept.'
        await download.save_as(_unused(folder, name))
        return f'A file was downloaded: "{name}".'
    except PlaywrightError as error:
        return f'The download of "{name}" failed: {error.message.splitlines()[0]}'


def _unused(folder: Path, name: str) -> Path:
    """A path in the folder that no file has yet: `name`, else `name-1`, ...; taken by an empty file."""
    folder.mkdir(parents=True, exist_ok=True)
    path, number = folder / name, 0
    while True:
        try:
            path.touch(exist_ok=False)
        except FileExistsError:
            number += 1
            path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
        else:
            return path
