"""`guideact train`: weights from a dataset or from rewards, and what is said of it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from guideact.models.builtin.model import builtin
from guideact.train.experts import NO_EXPERTS
from guideact.train.grpo import read_rounds, train
from guideact.train.offline_reward import train_guides
from guideact.train.settings import GrpoSettings, OfflineRound, OfflineSettings, RoundRecord
from tests.train.lamps import Lamps, Silent, lamp_task, untrained
from tests.train.small_shop import small_shop

from .calling import call, spawn


def test_weights_are_trained_and_can_be_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    small_shop(tmp_path / "shop")
    out = tmp_path / "mine.npz"
    said = call(capsys, "train", "sft", str(tmp_path / "shop"), "--epochs", "1", "--out", str(out))
    assert said.status == 0, said.err
    assert said.out.startswith(f"{out}: builtin/small, 524,753 parameters, ")
    assert "20 tasks, 90 steps" in said.err
    assert "epoch 1: loss" in said.err
    assert builtin(str(out)).name == f"builtin/{out}"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope"], "nope is no dataset"),
        (["shop", "--model", "builtin/huge"], "there is no size 'huge'. Sizes are small, large."),
        (["shop", "--epochs", "1", "--out", "nowhere/w.npz"], "nowhere/w.npz cannot be written"),
        (["shop", "--grounding", "coord"], "builtin/small has not learned to name pixels"),
        (["shop", "--model", "openai/gpt"], "openai/gpt is not trained here"),
        (["shop", "--arm", "think"], "Invalid value"),
        (["shop", "--limit", "-1"], "--limit -1 is too small. Give 1 or more."),
        (["shop", "--limit", "0"], "--limit 0 is too small. Give 1 or more."),
        (["shop", "--seed", "-1"], "--seed -1 is too small. Give 0 or more."),
        (["shop", "--model", "hf/x", "--recall"], "hf/x recalls no plans. Leave out --recall."),
        (["shop", "--model", "hf/x", "--no-hold-out"], "hf/x holds no templates out. Leave out --no-hold-out."),
    ],
)
def test_what_cannot_be_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small_shop(tmp_path / "shop")
    monkeypatch.chdir(tmp_path)
    found = call(capsys, "train", "sft", *words)
    assert found.status == 2
    assert said in found.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["grpo", "--model", "openai/gpt"], "openai/gpt is not trained here"),
        (["grpo", "--rollouts", "0"], "--rollouts 0 without --experts learns from nothing. Give one of them."),
        (["grpo", "--experts", "nowhere"], "nowhere is neither a run nor a dataset"),
        (["grpo", "--coverage", "2"], "--coverage '2': input should be less than or equal to 1"),
        (["grpo", "--sample-id", "no.such.task"], "there is no task 'no.such.task'"),
        (["rounds", "."], "is no training: it holds no training.json"),
        (["study", "."], "holds no tested arm"),
        (["tasks", "-1"], "there is no round -1. The first one is 0."),
        (["tasks", "0", "--tasks-per-round", "0"], "--tasks-per-round 0 is too small. Give 1 or more."),
        (["tasks", "0", "--limit", "0"], "--limit 0 is too small. Give 1 or more."),
        (["tasks", "0", "--seed", "-1"], "--seed -1 is too small. Give 0 or more."),
        (["experts", "out", "--passes", "0"], "--passes 0 is too small. Give 1 or more."),
    ],
)
def test_what_no_training_can_begin_with_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = call(capsys, "train", *words)
    assert found.status == 2
    assert said in found.err.splitlines()[-1]
    assert not list(tmp_path.iterdir()), "nothing was begun"


def test_the_rounds_of_a_training_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start = untrained(tmp_path / "start.npz")
    settings = GrpoSettings(model=f"builtin/{start}", out=tmp_path / "out", rounds=2, rollouts=3, updates=1)
    asyncio.run(train(settings, [lamp_task(0)], (), NO_EXPERTS, Silent(), Lamps()))
    said = call(capsys, "train", "rounds", str(tmp_path / "out"))
    assert said.status == 0
    assert said.out.split()[:4] == ["round", "SR", "test", "SR"]
    assert len(said.out.splitlines()) == 3
    lines = call(capsys, "train", "rounds", str(tmp_path / "out"), "--json").out.splitlines()
    assert [RoundRecord.model_validate_json(line).round for line in lines] == [0, 1]


def test_the_rounds_of_a_training_of_guides_are_printed_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    start, out = untrained(tmp_path / "start.npz"), tmp_path / "out"
    wanted = OfflineSettings(model=f"builtin/{start}", out=out, rounds=2, steps_per_round=2, samples=2, updates=1)
    train_guides(small_shop(tmp_path / "shop"), wanted)
    said = call(capsys, "train", "rounds", str(out))
    assert said.status == 0, said.err
    assert [line.split(": reward")[0] for line in said.out.splitlines()] == ["round 1", "round 2"]
    lines = call(capsys, "train", "rounds", str(out), "--json").out.splitlines()
    assert [OfflineRound.model_validate_json(line).round for line in lines] == [0, 1]


@pytest.mark.slow
def test_a_training_on_live_sites_from_experts_to_rounds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Gold as the expert, two rounds of two episodes each at one task, and an evaluation: all of it in a browser."""
    task, experts, out = "shopping.price.1", tmp_path / "experts", tmp_path / "out"
    # In a process of its own: the flags of a settings object are worked out once in a process, for its first command.
    run = asyncio.run(spawn("train", "experts", str(experts), "--passes", "1", "--sample-id", task, "--no-screenshots"))
    assert run.status == 0, run.err
    assert run.out == "scripted/gold on 1 train tasks: 1 successes, union 1, in all 1\n"
    said = call(
        capsys, "train", "grpo", "--out", str(out), "--rounds", "1", "--rollouts", "2", "--updates", "2",
        "--experts", str(experts), "--sample-id", task, "--eval-every", "1", "--eval-limit", "1", "--sites", "shopping",
    )  # fmt: skip
    assert said.status == 0, said.err
    assert "round 1: SR" in said.err
    (record,) = read_rounds(out)
    assert (record.episodes, record.groups, record.tasks) == (2, 1, (task,))
    assert record.test_tasks == 1
    assert builtin(str(out / "weights.npz")).name
