"""Reading run folders, whole and damaged."""

import json
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.harness.read import read_run
from guideact.types import CheckResult, Episode
from tests.harness.made_runs import made_episodes, write_run


def refused(folder: Path) -> str:
    with pytest.raises(InputError) as caught:
        read_run(folder)
    assert "\n" not in str(caught.value)
    assert caught.value.fix
    return str(caught.value)


def test_episodes_come_sorted_whatever_order_they_ended_in(tmp_path: Path) -> None:
    episodes = made_episodes(1, tasks=6, samples=2)
    run = read_run(write_run(tmp_path / "run", episodes[::-1]))
    assert [(e.task_id, e.sample) for e in run.episodes] == sorted((e.task_id, e.sample) for e in episodes)
    assert all(episode in episodes for episode in run.episodes)
    assert run.notes == ()
    assert run.name == "run"


def test_scores_of_the_built_in_agent_say_what_it_is_not(tmp_path: Path) -> None:
    run = read_run(write_run(tmp_path / "run", made_episodes(1, tasks=2), model="builtin/small"))
    assert len(run.notes) == 1
    assert "no number of it says anything about WebArena" in run.notes[0]


def test_a_folder_that_is_missing_or_no_run(tmp_path: Path) -> None:
    assert "run.json" in refused(tmp_path / "nowhere")
    assert "run.json" in refused(tmp_path)


def test_a_run_of_another_version(tmp_path: Path) -> None:
    message = refused(write_run(tmp_path / "run", made_episodes(1, tasks=2), format=2))
    assert "format 2" in message
    assert "format 1" in message


def test_a_manifest_that_is_no_json(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(1, tasks=2))
    (folder / "run.json").write_text("{", encoding="utf-8")
    refused(folder)


def test_no_episode_yet(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [])
    assert "no finished episode" in refused(folder)
    (folder / "episodes.jsonl").unlink()
    assert "no finished episode" in refused(folder)


def test_episodes_that_cannot_be_read(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [])
    (folder / "episodes.jsonl").unlink()
    (folder / "episodes.jsonl").mkdir()
    assert "cannot be read" in refused(folder)


@pytest.mark.parametrize("kept", [1, 40, -2])
def test_a_torn_last_line_is_left_out_and_mentioned(tmp_path: Path, kept: int) -> None:
    episodes = made_episodes(1, tasks=4)
    folder = write_run(tmp_path / "run", episodes)
    lines = (folder / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "episodes.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:kept])
    run = read_run(folder)
    assert len(run.episodes) == 3
    assert "torn" in run.notes[0]
    assert "1 of 4 episodes" in run.notes[1]


def test_a_last_line_that_lacks_its_end_alone_is_whole(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(1, tasks=4))
    path = folder / "episodes.jsonl"
    path.write_bytes(path.read_bytes().rstrip(b"\n"))
    run = read_run(folder)
    assert len(run.episodes) == 4
    assert run.notes == ()


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(1, tasks=4))
    lines = (folder / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    lines[1] = lines[1][:50] + b"\n"
    (folder / "episodes.jsonl").write_bytes(b"".join(lines))
    assert "line 2" in refused(folder)


def test_a_task_and_sample_that_stand_there_twice(tmp_path: Path) -> None:
    episodes = made_episodes(1, tasks=3)
    message = refused(write_run(tmp_path / "run", [*episodes, episodes[1]]))
    assert episodes[1].task_id in message
    assert "twice" in message


@pytest.mark.parametrize("change", [{"task_id": "of.another"}, {"sample": 7}])
def test_an_episode_of_another_run_is_named(tmp_path: Path, change: dict[str, object]) -> None:
    episodes = made_episodes(1, tasks=2)
    folder = write_run(tmp_path / "run", episodes)
    foreign = episodes[0].model_copy(update=change)
    with open(folder / "episodes.jsonl", "a") as file:
        file.write(foreign.model_dump_json() + "\n")
    message = refused(folder)
    assert f"{foreign.task_id}, sample {foreign.sample}, which is no episode of this run" in message


def test_a_run_planned_beyond_measure_is_read_at_once(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(1, tasks=2))
    manifest = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps({**manifest, "epochs": 10**9}))
    assert any("1,999,999,99" in note for note in read_run(folder).notes)


def test_an_end_without_a_verdict_and_a_verdict_without_an_end(tmp_path: Path) -> None:
    episode = made_episodes(1, tasks=1, infrastructure=0)[0]
    unjudged = episode.model_copy(update={"check": None})
    assert "without a verdict" in refused(write_run(tmp_path / "a", [unjudged]))
    broken: Episode = episode.model_copy(
        update={"end": "infrastructure_error", "check": CheckResult(passed=True), "error": "503"}
    )
    assert "with a verdict" in refused(write_run(tmp_path / "b", [broken]))
