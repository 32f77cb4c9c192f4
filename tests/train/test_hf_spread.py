"""Two processes of torchrun, weights divided by FSDP2 over gloo, learn what one process learns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from guideact.models.hf_load import locate
from guideact.train.hf_spread import Spread
from tests.models.tiny import tiny

from .made_round import made_round

pytest.importorskip("trl", reason="training needs trl, which is not installed here")


@pytest.mark.parametrize(("rows", "size"), [(7, 2), (8, 2), (3, 4), (1, 2), (5, 1)])
def test_rows_are_dealt_out_evenly_and_each_once(rows: int, size: int) -> None:
    part = np.arange(10, 10 + rows)
    shares = [Spread(rank, size).share(part) for rank in range(size)]
    assert len({len(share) for share in shares}) == 1
    dealt = [row for share in shares for row in share if row is not None]
    assert sorted(dealt) == list(part)


def test_one_process_adds_nothing() -> None:
    assert Spread().added({"loss": 1.5}) == {"loss": 1.5}
    assert Spread().first


@pytest.mark.parametrize("rank", [2, 0])
def test_two_processes_learn_what_one_does(tmp_path: Path, rank: int) -> None:
    """An adapter, and all weights; with pictures, experts, and numbers of rows that do not come out even."""
    rollouts = made_round(tmp_path / "rollouts", tiny(), tokens=8)
    said = {}
    for size in (1, 2):
        launcher = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(size)] if size > 1 else []
        words = [
            "-m", "guideact", "train", "update", "--model", f"hf/{tiny()}", "--rollouts", str(rollouts), "--experts",
            str(rollouts), "--updates", "2", "--rate", "0.001", "--lora-rank", str(rank),
            "--out", str(tmp_path / str(size)),
        ]  # fmt: skip
        found = subprocess.run(
            [sys.executable, *launcher, *words],
            env={**os.environ, "PYTHONWARNINGS": "ignore"},
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert found.returncode == 0, found.stderr[-3000:]
        said[size] = json.loads(found.stdout)
    for name, value in said[1].items():
        if value is None:
            assert said[2][name] is None
            continue
        assert said[2][name] == pytest.approx(value, rel=1e-4, abs=1e-6), name
    assert said[1]["rows"] % 2 == 1
    one, two = (weights(tmp_path / str(size)) for size in (1, 2))
    assert one.keys() == two.keys()
    start = weights(Path(locate(str(tiny())).place))
    moved = 0
    for name, values in one.items():
        assert np.allclose(values, two[name], atol=2e-4), name
        moved += name not in start or not np.allclose(values, start[name], atol=1e-5)
    assert moved > 10


def weights(folder: Path) -> dict[str, np.ndarray]:
    from safetensors.numpy import load_file

    return dict(load_file(next(folder.glob("*.safetensors"))))
