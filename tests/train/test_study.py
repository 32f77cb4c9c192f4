"""The tables of a study are what its episodes and rounds say: by hand on a small one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog
from guideact.stats import Estimate
from guideact.train.attempts import Found, find, keep_in
from guideact.train.study import ARMS, Difference, difference, read_study, tables
from guideact.types import CheckResult, Click, Episode, Finish, Mark, Scroll, Step
from tests.cli.test_curves import record

from .lamps import lamp_task

TASKS = [lamp_task(number, "test") for number in range(4)]


def made_run(folder: Path, solved: Sequence[Sequence[bool | None]]) -> None:
    """A run in which task t's sample s was solved, not, or ended in an error (None)."""
    config = RunConfig(model="builtin/x.npz", epochs=len(solved[0]))
    with RunLog.open(folder, make_manifest(config, TASKS, "none")) as log:
        for task, samples in zip(TASKS, solved, strict=True):
            for sample, success in enumerate(samples):
                log.append(episode(task.id, sample, success))


def episode(task_id: str, sample: int, success: bool | None) -> Episode:
    number = int(task_id.rsplit(".", 1)[1])
    actions = (Scroll(), Click(target=Mark(mark=1)), Finish())[number % 2 :]
    return Episode(
        task_id=task_id,
        sample=sample,
        template_id=f"t{number}",
        steps=tuple(Step(index=i, url="", title="", action=action) for i, action in enumerate(actions)),
        end="infrastructure_error" if success is None else "finished",
        check=None if success is None else CheckResult(passed=success),
        gold_steps=12 if number == 3 else 4,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    made_run(folder / "sft" / "0" / "test", [[False, False]] * 4)
    made_run(folder / "grpo" / "0" / "test", [[True, True], [True, False], [False, None], [False, False]])
    made_run(folder / "grpo" / "1" / "test", [[True, True], [False, False], [False, False], [False, False]])
    for seed in ("0", "1"):
        training = folder / "grpo" / seed / "train"
        training.mkdir()
        (training / "training.json").write_text("{}")
        lines = [record(number, success_rate=0.1 * (number + 1)).model_dump_json() for number in range(3)]
        (training / "rounds.jsonl").write_text("\n".join(lines) + "\n")
    return folder


def rows(text: str, title: str) -> dict[str, list[str]]:
    table = text.split(f"### {title}")[1].split("###")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return {line[0]: line[1:] for line in lines}


def test_an_arm_is_the_mean_over_its_tasks_of_seeds_and_samples(folder: Path) -> None:
    found = rows(tables(read_study(folder)), "Test tasks")
    seeds, tasks, rate, one, three, *_ = found["`grpo`"]
    assert (seeds, tasks) == ("2", "4")
    assert rate.startswith(f"{(1 + 0.25 + 0 + 0) / 4:.3f} [")
    assert one == f"{(1 + 0.5 + 0 + 0 + 1 + 0 + 0 + 0) / 8:.3f}"
    assert three == "–", "nobody tried three times"
    by_length = dict(zip(found["arm"], found["`grpo`"], strict=True))
    assert by_length["gold up to 9"] == f"{1.25 / 3:.3f} (3)"
    assert by_length["longer"] == "0.000 (1)"
    assert by_length["seen"] == "–", "templates of no embedded task were not seen"
    assert by_length["errors"] == "1"


def test_a_difference_is_paired_and_small_ones_say_nothing(folder: Path) -> None:
    found = difference(read_study(folder), "grpo", "sft")
    assert found.tasks == 4
    assert found.estimate.value == pytest.approx(1.25 / 4)
    assert found.verdict == "inconclusive", "four templates show nothing"
    same = difference(read_study(folder), "sft", "sft")
    assert (same.estimate.value, same.verdict) == (0, "inconclusive")


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (0.2, 0.1, 0.3, "higher"),
        (-0.2, -0.3, -0.1, "lower"),
        (0.2, -0.01, 0.4, "inconclusive"),
        (0.08, 0.01, 0.15, "inconclusive"),
        (None, None, None, "inconclusive"),
    ],
)
def test_a_verdict_wants_an_interval_without_0_and_an_effect_that_counts(
    value: float | None, low: float | None, high: float | None, verdict: str
) -> None:
    assert Difference("a", "b", 60, Estimate(value=value, low=low, high=high)).verdict == verdict


def test_rounds_and_actions_are_counted(folder: Path) -> None:
    text = tables(read_study(folder))
    training = dict(zip(rows(text, "Training")["arm"], rows(text, "Training")["`grpo`"], strict=True))
    assert training["rounds"] == "3 + 3"
    assert training["dead groups"] == "0.750"
    assert training["of them failed"] == f"{2 / 3:.3f}"
    assert (training["SR first 2"], training["SR last 2"]) == ("0.150", "0.250")
    assert training["updates"] == str(6 * 8)
    mix = dict(zip(rows(text, "What")["arm"], rows(text, "What")["`sft`"], strict=True))
    assert mix["scroll"] == f"{4 / 20:.3f}"
    assert mix["steps an episode"] == "2.5"


def test_the_same_folder_gives_the_same_bytes(folder: Path) -> None:
    assert tables(read_study(folder)) == tables(read_study(folder))


def test_a_folder_without_an_arm_is_no_study(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no tested arm"):
        read_study(tmp_path)


# --- kept in a small folder ---------------------------------------------------------------------------------------


def test_what_was_kept_gives_the_same_tables_without_the_episodes(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    both = keep_in(kept, find(folder, ARMS), ARMS)
    assert find(kept, ARMS) == both == find(folder, ARMS)
    assert tables(read_study(kept)) == tables(read_study(folder))
    first = (kept / "attempts.parquet").read_bytes()
    keep_in(kept, find(folder, ARMS), ARMS)
    assert (kept / "attempts.parquet").read_bytes() == first, "again, and nothing has changed"


def test_a_study_is_kept_in_parts(folder: Path, tmp_path: Path) -> None:
    whole = find(folder, ARMS)
    for arm, seed in whole.attempts:
        part = Found(
            {(arm, seed): whole.attempts[arm, seed]},
            {key: own for key, own in whole.rounds.items() if key == (arm, seed)},
        )
        keep_in(tmp_path / "kept", part, ARMS)
    assert tables(read_study(tmp_path / "kept")) == tables(read_study(folder))


def test_nothing_that_was_kept_is_written_over(folder: Path, tmp_path: Path) -> None:
    keep_in(tmp_path, find(folder, ARMS), ARMS)
    other = Found({("grpo", "1"): find(folder, ARMS).attempts["grpo", "0"]})
    with pytest.raises(InputError, match="keeps other attempts of the arm grpo, seed 1"):
        keep_in(tmp_path, other, ARMS)
    assert find(tmp_path, ARMS) == find(folder, ARMS)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("attempts.parquet", b"PAR1", "attempts.parquet cannot be read"),
        ("rounds.jsonl", b'{"arm": "grpo"}\n', "line 1 of .*rounds.jsonl is no round"),
    ],
)
def test_damage_of_what_was_kept_is_named(folder: Path, tmp_path: Path, name: str, content: bytes, said: str) -> None:
    keep_in(tmp_path, find(folder, ARMS), ARMS)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=said):
        read_study(tmp_path)


def test_an_arm_that_the_study_has_not_is_named(folder: Path, tmp_path: Path) -> None:
    found = find(folder, ARMS)
    keep_in(tmp_path, Found({("other", "0"): found.attempts["sft", "0"]}), ("other",))
    with pytest.raises(InputError, match="holds an arm 'other'"):
        read_study(tmp_path)
