"""`runs/mag_grpo.sh`: what it is asked is read before anything is done."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def script(tmp_path: Path) -> Command:
    """Runs the script with this Python's guideact."""
    guideact = tmp_path / "guideact"
    guideact.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m guideact "$@"\n')
    guideact.chmod(0o755)

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "runs/mag_grpo.sh", *words],
            cwd=ROOT,
            env={**os.environ, "GUIDEACT": str(guideact)},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )

    return run


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--arms", "sft grpo-50"), "there is no arm grpo-50"),
        (("--start", "few"), "--start is a number, not few"),
        (("--seeds",), "--seeds needs a value"),
        (("--fast",), "there is no option --fast"),
    ],
)
def test_a_slip_is_named_before_anything_is_done(
    script: Command, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    found = script("--out", str(tmp_path / "out"), *words)
    assert found.returncode == 2
    assert said in found.stderr
    assert not (tmp_path / "out").exists()
