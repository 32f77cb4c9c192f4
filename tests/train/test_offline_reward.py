"""Training guides without a site: what earns more is said more, unless rewards are shuffled; a kill costs nothing."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from guideact.errors import InputError
from guideact.models.builtin.weights import load_weights, save_weights
from guideact.train.builtin import train_builtin
from guideact.train.offline_reward import read_guide_rounds, train_guides
from guideact.train.settings import OfflineSettings

from .trained import shop


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A beginner, whose guides have much to gain."""
    path = tmp_path_factory.mktemp("start") / "start.npz"
    save_weights(path, train_builtin(shop(), size="small", seed=0, epochs=2, hold_out=False))
    return path


def settings(start: Path, out: Path, **more: object) -> OfflineSettings:
    given = {"rounds": 3, "steps_per_round": 24, "rate": 0.005, "updates": 4, **more}
    return OfflineSettings.model_validate({"model": f"builtin/{start}", "out": out, **given})


def test_guides_come_to_earn_more_and_not_by_shuffled_rewards(start: Path, tmp_path: Path) -> None:
    gained = {}
    for reward in ("log", "shuffled"):
        train_guides(shop(), settings(start, tmp_path / reward, reward=reward, rounds=5))
        first, *_, last = (record.reward for record in read_guide_rounds(tmp_path / reward))
        assert first is not None
        assert last is not None
        assert first > 0
        gained[reward] = last / first
    assert gained["log"] > 1.5
    assert gained["shuffled"] < 1.2


@pytest.mark.parametrize(("reward", "epochs"), [("zero_one", 0), ("success", 1)])
def test_other_rewards_are_learned_from_as_well(tmp_path: Path, reward: str, epochs: int) -> None:
    """An untrained scorer needs every guide; one that acts rightly without any has no 0/1 reward to give."""
    start = tmp_path / "start.npz"
    save_weights(start, train_builtin(shop(), size="small", seed=0, epochs=epochs, hold_out=False))
    train_guides(shop(), settings(start, tmp_path / "out", reward=reward, rounds=1))
    (record,) = read_guide_rounds(tmp_path / "out")
    assert record.groups == 24
    assert record.live > 0
    assert record.updates == 4
    assert record.reward is not None
    assert -1 <= record.reward <= 1
    was, now = (load_weights(path).policy.network.table for path in (start, tmp_path / "out" / "weights.npz"))
    assert not np.array_equal(was, now)


def test_a_killed_training_ends_where_one_that_was_not_does(start: Path, tmp_path: Path) -> None:
    class Killed(Exception):
        pass

    def kill(record: object) -> None:
        raise Killed

    small = {"steps_per_round": 6}
    train_guides(shop(), settings(start, tmp_path / "whole", **small))
    for _ in range(2):
        with pytest.raises(Killed):
            train_guides(shop(), settings(start, tmp_path / "killed", **small), kill)
    train_guides(shop(), settings(start, tmp_path / "killed", **small))
    assert (tmp_path / "killed" / "weights.npz").read_bytes() == (tmp_path / "whole" / "weights.npz").read_bytes()
    assert read_guide_rounds(tmp_path / "killed") == read_guide_rounds(tmp_path / "whole")
    with pytest.raises(InputError, match="holds a training of other settings"):
        train_guides(shop(), settings(start, tmp_path / "killed", **{**small, "seed": 1}))


@pytest.mark.parametrize(("text", "said"), [("", "it is no JSON"), ("[]", "it holds no settings")])
def test_a_damaged_beginning_is_named(start: Path, tmp_path: Path, text: str, said: str) -> None:
    train_guides(shop(), settings(start, tmp_path, rounds=0))
    (tmp_path / "training.json").write_text(text)
    with pytest.raises(InputError, match=rf"training\.json is damaged: {said}"):
        train_guides(shop(), settings(start, tmp_path, rounds=0))
