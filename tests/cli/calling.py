"""Calling the command line as a user does, in this process or in one of its own."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from guideact.cli import main


@dataclass(frozen=True)
class Said:
    """What a command wrote, and its exit status."""

    status: int
    out: str
    err: str


def call(capsys: pytest.CaptureFixture[str], *words: str) -> Said:
    """In this process."""
    status: Any = 0
    capsys.readouterr()
    try:
        main(words)
    except SystemExit as left:
        status = left.code or 0
    captured = capsys.readouterr()
    return Said(status, captured.out, captured.err)


async def spawn(*words: str, folder: Path | None = None, **environment: str) -> Said:
    """In a process of its own, in that folder, with more variables than ours."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "guideact",
        *words,
        cwd=folder,
        env={**os.environ, **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, err = await process.communicate()
    assert process.returncode is not None
    return Said(process.returncode, out.decode(), err.decode())


def one_line(said: Said) -> str:
    """The error, which must be the last line of stderr, and no traceback."""
    assert "Traceback" not in said.err, said.err
    lines = said.err.splitlines()
    assert lines, "nothing was said"
    return lines[-1]
