"""The examples run as they stand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_an_agent_of_ones_own() -> None:
    command = [sys.executable, str(EXAMPLES / "own_agent.py"), "shopping.*"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) > 2
    assert any(line in ("solved", "failed") for line in lines)
