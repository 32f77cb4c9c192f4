"""`guideact train`: weights from a dataset, and what is said of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.models.builtin.model import builtin
from tests.train.small_shop import small_shop

from .calling import call


def test_weights_are_trained_and_can_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_shop(tmp_path / "shop")
    out = tmp_path / "mine.npz"
    said = call(capsys, "train", "builtin", str(tmp_path / "shop"), "--epochs", "1", "--out", str(out))
    assert said.status == 0, said.err
    assert said.out.startswith(f"{out}: builtin/small, 524,598 parameters, ")
    assert "20 tasks, 90 steps" in said.err
    assert "epoch 1: loss" in said.err
    assert builtin(str(out)).name == f"builtin/{out}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "nope is no dataset"),
        (["shop", "--size", "huge"], "there is no size 'huge'. Sizes are small, large."),
        (["shop", "--epochs", "1", "--out", "nowhere/w.npz"], "nowhere/w.npz cannot be written"),
    ],
)
def test_what_cannot_be_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_shop(tmp_path / "shop")
    monkeypatch.chdir(tmp_path)
    found = call(capsys, "train", "builtin", *words)
    assert found.status == 2
    assert said in found.err.splitlines()[-1]
