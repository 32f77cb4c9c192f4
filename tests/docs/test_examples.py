"""The examples run as they stand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def own_agent(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(EXAMPLES / "own_agent.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)


def test_an_agent_of_ones_own() -> None:
    done = own_agent()
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert sum(line.startswith("  Click “") for line in lines) > 2
    assert any(line in ("solved", "failed") for line in lines)


def test_a_pattern_that_fits_nothing_is_one_line() -> None:
    done = own_agent("shoping.*")
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "there is no task 'shoping.*'" in done.stderr
