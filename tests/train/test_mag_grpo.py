"""`runs/mag_grpo.sh`: what it is asked is read before anything is done, and its quick form goes through."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
Command = Callable[..., subprocess.CompletedProcess[str]]
QUICK = ("--quick", "--arms", "sft grpo-100 ce")


@pytest.fixture
def script(tmp_path: Path) -> Command:
    """Runs the script with this Python's guideact."""
    guideact = tmp_path / "guideact"
    guideact.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m guideact "$@"\n')
    guideact.chmod(0o755)

    def run(*words: str, seconds: float = 60) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "runs/mag_grpo.sh", *words],
            cwd=ROOT,
            env={**os.environ, "GUIDEACT": str(guideact)},
            capture_output=True,
            text=True,
            timeout=seconds,
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


def test_a_start_that_was_not_found_leaves_no_file_that_passes_for_one(script: Command, tmp_path: Path) -> None:
    """Whatever ends the script as it chooses: the same command must look again, and not take nothing for an answer."""
    (tmp_path / "guideact").write_text('#!/bin/sh\n[ "$1" != score ] || echo \'{"sr": {"value": null}}\'\n')
    found = script("--quick", "--out", str(tmp_path / "out"), seconds=300)
    assert found.returncode != 0
    assert "None on 4 train tasks" in found.stderr
    assert not (tmp_path / "out" / "start.txt").exists()


def test_the_quick_study_goes_through_and_its_tables_come_from_what_is_kept(script: Command, tmp_path: Path) -> None:
    out, kept = tmp_path / "out", tmp_path / "kept"
    first = script(*QUICK, "--out", str(out), seconds=1500)
    assert first.returncode == 0, first.stderr[-2000:]
    made = (out / "tables.md").read_text("utf-8")
    for arm in ("sft", "grpo-100", "ce"):
        assert f"| `{arm}` |" in made
    assert first.stdout.endswith(made)

    # The same again does nothing twice.
    again = script(*QUICK, "--out", str(out), seconds=120)
    assert again.returncode == 0, again.stderr[-2000:]
    assert not [line for line in again.stderr.splitlines() if line.startswith("+ ")]
    assert (out / "tables.md").read_text("utf-8") == made

    def study(folder: Path, *flags: str) -> str:
        file = tmp_path / f"{folder.name}.md"
        done = subprocess.run(
            [sys.executable, "-m", "guideact", "train", "study", str(folder), *flags, "--out", str(file)],
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return file.read_text("utf-8")

    assert study(out, "--keep", str(kept)) == made
    assert study(kept) == made
