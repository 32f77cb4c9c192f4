"""The curves of a training as TensorBoard reads them: every round once, however often the training was stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from guideact.train.board import FILE, Board, curves_of
from guideact.train.experts import NO_EXPERTS
from guideact.train.grpo import read_rounds, train
from guideact.train.settings import GrpoSettings

from .lamps import Lamps, Silent, Stopped, lamp_task, untrained

pytest.importorskip("tensorboard", reason="TensorBoard is not installed: scripts/setup --train")


def scalars(folder: Path) -> dict[str, list[tuple[int, float]]]:
    """(step, value) of every curve, as TensorBoard itself reads the folder."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    found = EventAccumulator(str((folder / FILE).parent), size_guidance={"scalars": 0})
    found.Reload()
    return {tag: [(each.step, each.value) for each in found.Scalars(tag)] for tag in found.Tags()["scalars"]}


def trained(start: Path, out: Path, rounds: int, play: Lamps | None = None) -> None:
    settings = GrpoSettings(
        model=f"builtin/{start}", out=out, rounds=rounds, tasks_per_round=2, rollouts=3, updates=1, eval_every=2
    )
    tasks = [lamp_task(number) for number in range(2)]
    asyncio.run(train(settings, tasks, [lamp_task(7, "test")], NO_EXPERTS, Silent(), play or Lamps()))


def rounded(values: dict[str, float]) -> dict[str, object]:
    """As float32 holds them, which is what the file does."""
    return {name: pytest.approx(value, rel=1e-6) for name, value in values.items()}


def test_every_curve_of_every_round_is_there(tmp_path: Path) -> None:
    start, out = untrained(tmp_path / "start.npz"), tmp_path / "out"
    trained(start, out, 2)
    found = scalars(out)
    records = read_rounds(out)
    for number, record in enumerate(records, 1):
        at = {tag: dict(points)[number] for tag, points in found.items() if number in dict(points)}
        assert at == rounded(curves_of(record))
    assert {
        "success_rate", "reward_variance", "dead_share", "expert_share", "entropy", "kl", "steps", "seconds/rollouts",
        "seconds/update", "actions/click",
    } <= found.keys()  # fmt: skip
    assert [step for step, _ in found["test/success_rate"]] == [2], "only the second round ended with an evaluation"


def test_a_training_that_was_stopped_goes_on_in_the_same_file_and_doubles_no_round(tmp_path: Path) -> None:
    start, out = untrained(tmp_path / "start.npz"), tmp_path / "out"
    trained(start, out, 1)
    begun = (out / FILE).read_bytes()
    with pytest.raises(Stopped):
        trained(start, out, 3, Lamps(stop_after=8))  # in the middle of the third round
    trained(start, out, 3)
    assert (out / FILE).read_bytes().startswith(begun)
    assert list((out / FILE).parent.iterdir()) == [out / FILE]
    assert [step for step, _ in scalars(out)["reward_variance"]] == [1, 2, 3]


@pytest.mark.parametrize("damage", [b"", b"\x18", b"\x18\0\0\0\0\0\0\0abcd", b"\0" * 40])
def test_a_torn_end_and_rounds_that_are_done_again_are_cut_off(tmp_path: Path, damage: bytes) -> None:
    board = Board(tmp_path, [])
    for value in (0.25, 0.5, 0.75):
        board.add({"success_rate": value})
    with open(tmp_path / FILE, "ab") as file:
        file.write(damage)
    again = Board(tmp_path, [{"success_rate": 0.25}, {"success_rate": 0.5}])
    again.add({"success_rate": 1.0})
    assert scalars(tmp_path) == {"success_rate": [(1, 0.25), (2, 0.5), (3, 1.0)]}


def test_rounds_that_the_file_lacks_are_written_from_the_record(tmp_path: Path) -> None:
    Board(tmp_path, []).add({"success_rate": 0.25})
    Board(tmp_path, [{"success_rate": 0.25}, {"success_rate": 0.5}, {"success_rate": 1.0}])
    assert scalars(tmp_path) == {"success_rate": [(1, 0.25), (2, 0.5), (3, 1.0)]}
    (tmp_path / FILE).write_bytes(b"no event file")
    Board(tmp_path, [{"success_rate": 0.25}])
    assert scalars(tmp_path) == {"success_rate": [(1, 0.25)]}
