"""The run folder: nothing finished is lost or doubled, and every refusal is one line that says what to do."""

from __future__ import annotations

import fcntl
import json
import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.errors import InputError
from guideact.harness.log import FORMAT, Manifest, RunLog, read_episodes, read_manifest
from guideact.types import CheckResult, Episode, Observation


def manifest(
    *,
    tasks: tuple[str, ...] = ("a", "b"),
    hashes: dict[str, str] | None = None,
    versions: dict[str, str] | None = None,
    **config: object,
) -> Manifest:
    settings = RunConfig.model_validate(config)
    return Manifest(
        model=settings.model,
        grounding=settings.grounding,
        memory=settings.memory,
        config=settings.model_dump(mode="json"),
        tasks=tasks,
        epochs=settings.epochs,
        hashes={"tasks": "1", "prompts": "2"} if hashes is None else hashes,
        versions=versions or {},
    )


def episode(
    task_id: str, sample: int = 0, *, passed: bool | None = True, intent: str = "Écrire “naïve” 中文"
) -> Episode:
    return Episode(
        task_id=task_id,
        sample=sample,
        intent=intent,
        end="infrastructure_error" if passed is None else "finished",
        check=None if passed is None else CheckResult(passed=passed),
    )


def refuse(folder: Path, wanted: Manifest) -> str:
    """The one line with which opening the folder is refused."""
    with pytest.raises(InputError) as raised:
        RunLog.open(folder, wanted, FREE_ON_RESUME)
    assert "\n" not in str(raised.value)
    return str(raised.value)


# --- what is kept ------------------------------------------------------------------------------------------------


def test_a_run_is_written_and_read_again(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "run"
    with RunLog.open(folder, manifest(epochs=2)) as log:
        log.append(episode("a"))
        log.append(episode("b", passed=False))
        log.append(episode("a", 1, passed=None))
    assert read_manifest(folder) == manifest(epochs=2)
    assert json.loads((folder / "run.json").read_text())["format"] == FORMAT
    assert list(read_episodes(folder)) == [episode("a"), episode("b", passed=False), episode("a", 1, passed=None)]
    with RunLog.open(folder, manifest(epochs=2)) as log:
        assert log.done == {("a", 0): True, ("b", 0): False}


def test_an_episode_is_on_the_disk_when_append_returns(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a"))
        assert (tmp_path / "episodes.jsonl").read_bytes() == episode("a").model_dump_json().encode() + b"\n"


def test_images_are_named_by_their_content_and_written_once(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        first, again, other = log.keep_image(b"one"), log.keep_image(b"one"), log.keep_image(b"two")
        assert first == again != other
        assert (tmp_path / first).read_bytes() == b"one"
        assert sorted(path.name for path in (tmp_path / "images").iterdir()) == sorted(
            Path(path).name for path in (first, other)
        )


def test_an_image_that_a_power_cut_left_short_is_written_again(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        path = tmp_path / log.keep_image(b"one")
    path.write_bytes(b"")
    with RunLog.open(tmp_path, manifest()) as log:
        log.keep_image(b"one")
    assert path.read_bytes() == b"one"


def test_steps_of_an_attempt_that_came_to_nothing_are_cleared(tmp_path: Path) -> None:
    seen = Observation(url="http://shopping.localhost/", title="Shop")
    with RunLog.open(tmp_path, manifest()) as log:
        for index in range(3):
            log.keep_observation("a", 0, index, seen)
        kept = log.keep_observation("b", 0, 0, seen)
        log.begin("a", 0)
        path = log.keep_observation("a", 0, 0, seen)
    assert path == "steps/a/0/00.json"
    assert [each.name for each in (tmp_path / "steps/a/0").iterdir()] == ["00.json"]
    assert Observation.model_validate_json((tmp_path / kept).read_bytes()) == seen


# --- going on ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [1, 20, -2])
def test_a_torn_last_line_is_cut_off_and_its_episode_done_again(tmp_path: Path, kept: int) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a"))
    whole = (tmp_path / "episodes.jsonl").read_bytes()
    (tmp_path / "episodes.jsonl").write_bytes(whole + episode("b").model_dump_json().encode()[:kept])
    assert [each.task_id for each in read_episodes(tmp_path)] == ["a"]
    with RunLog.open(tmp_path, manifest()) as log:
        assert set(log.done) == {("a", 0)}
        log.append(episode("b"))
    assert (tmp_path / "episodes.jsonl").read_bytes() == whole + episode("b").model_dump_json().encode() + b"\n"


def test_a_last_line_that_lacks_nothing_but_its_end_counts(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a"))
    whole = (tmp_path / "episodes.jsonl").read_bytes()
    (tmp_path / "episodes.jsonl").write_bytes(whole[:-1])
    with RunLog.open(tmp_path, manifest()) as log:
        assert set(log.done) == {("a", 0)}
    assert (tmp_path / "episodes.jsonl").read_bytes() == whole


def test_infrastructure_errors_are_due_again_and_their_lines_set_aside(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest(epochs=2)) as log:
        for each in (episode("a", passed=None), episode("b"), episode("b", 1, passed=None)):
            log.append(each)
    first, second, third = (tmp_path / "episodes.jsonl").read_bytes().splitlines(keepends=True)
    with RunLog.open(tmp_path, manifest(epochs=2)) as log:
        assert (log.done, log.redone) == ({("b", 0): True}, 2)
        assert (tmp_path / "episodes.jsonl").read_bytes() == second
        assert (tmp_path / "redone.jsonl").read_bytes() == first + third
        # The file that took the other's place is locked like it, and is the one that is written to.
        assert "another guideact run is writing" in refuse(tmp_path, manifest(epochs=2))
        log.append(episode("a"))
        log.append(episode("a", 1, passed=None))
    assert [(each.task_id, each.sample) for each in read_episodes(tmp_path)] == [("b", 0), ("a", 0), ("a", 1)]
    with RunLog.open(tmp_path, manifest(epochs=2)) as log:
        assert (log.done, log.redone) == ({("b", 0): True, ("a", 0): True}, 1)
    assert len((tmp_path / "redone.jsonl").read_bytes().splitlines()) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["episodes.jsonl", "redone.jsonl", "run.json"]


def test_a_full_disk_leaves_infrastructure_errors_in_their_place(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a", passed=None))
        log.append(episode("b", intent="x" * 3000))
    before = (tmp_path / "episodes.jsonl").read_bytes()
    with file_size_limit(1500):
        assert "is full" in refuse(tmp_path, manifest())
    assert (tmp_path / "episodes.jsonl").read_bytes() == before
    with RunLog.open(tmp_path, manifest()) as log:
        assert (set(log.done), log.redone) == ({("b", 0)}, 1)


def test_a_file_that_was_replaced_before_it_was_locked_is_not_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a", passed=None))
    taken: list[RunLog] = []
    lock = fcntl.flock

    def late(file: object, how: int) -> None:
        """Another process opens the run, and sets a line aside, between our opening and our locking."""
        if not taken:
            taken.append(None)  # type: ignore[arg-type]
            taken[0] = RunLog.open(tmp_path, manifest())
            taken[0].close()
        lock(file, how)  # type: ignore[arg-type]

    monkeypatch.setattr(fcntl, "flock", late)
    assert "another guideact run is writing" in refuse(tmp_path, manifest())


def test_a_kill_before_the_manifest_leaves_a_folder_that_can_be_begun(tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").touch()
    (tmp_path / "run.json.part").write_text('{"form')
    with RunLog.open(tmp_path, manifest()) as log:
        assert log.done == {}
    assert read_manifest(tmp_path) == manifest()
    assert not (tmp_path / "run.json.part").exists()


def test_workers_retries_and_folder_may_change_on_the_way(tmp_path: Path) -> None:
    RunLog.open(tmp_path, manifest(max_samples=4), FREE_ON_RESUME).close()
    RunLog.open(tmp_path, manifest(max_samples=1, retry_on_error=0, log_dir="x"), FREE_ON_RESUME).close()
    assert read_manifest(tmp_path).config["max_samples"] == 4


# --- refusals ----------------------------------------------------------------------------------------------------


def test_other_settings_are_refused_and_named(tmp_path: Path) -> None:
    RunLog.open(tmp_path, manifest(memory="guides", limit=3)).close()
    said = refuse(tmp_path, manifest(memory="none", limit=None))
    assert 'limit is unset and was 3; memory is "none" and was "guides"' in said
    assert "--log-dir" in said


def test_other_tasks_and_prompts_are_refused_and_named(tmp_path: Path) -> None:
    RunLog.open(tmp_path, manifest()).close()
    assert "the list of tasks has changed" in refuse(tmp_path, manifest(tasks=("a",)))
    assert "the prompts changed since" in refuse(tmp_path, manifest(hashes={"tasks": "1", "prompts": "3"}))
    assert "the prompts changed since" in refuse(tmp_path, manifest(hashes={"tasks": "1"}))


def test_a_run_from_before_something_was_hashed_goes_on(tmp_path: Path) -> None:
    RunLog.open(tmp_path / "old", manifest()).close()
    hashes = {"tasks": "1", "prompts": "2", "guides": "3"}
    RunLog.open(tmp_path / "old", manifest(hashes=hashes)).close()
    RunLog.open(tmp_path / "new", manifest(hashes=hashes)).close()
    assert "the guides changed since" in refuse(tmp_path / "new", manifest(hashes={**hashes, "guides": "4"}))


def test_a_file_of_the_run_stays_as_it_was_when_the_run_began(tmp_path: Path) -> None:
    for said in (b"first", b"second"):
        with RunLog.open(tmp_path, manifest()) as log:
            log.keep_file("guides.jsonl", said)
    assert (tmp_path / "guides.jsonl").read_bytes() == b"first"


def test_a_run_of_another_format_is_refused(tmp_path: Path) -> None:
    RunLog.open(tmp_path, manifest()).close()
    written = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps({**written, "format": 2}))
    assert "a run of format 2, and this guideact reads and writes format 1" in refuse(tmp_path, manifest())
    with pytest.raises(InputError, match="format 2"):
        read_manifest(tmp_path)


@pytest.mark.parametrize("content", ["[]", '{"hello": 1}'])
def test_a_manifest_of_something_else_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    assert "format" in refuse(tmp_path, manifest())


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000])
def test_a_manifest_that_is_no_json_is_damaged(tmp_path: Path, content: str) -> None:
    (tmp_path / "run.json").write_text(content)
    assert f"{tmp_path / 'run.json'} is damaged: it is no JSON" in refuse(tmp_path, manifest())


def test_a_run_of_another_guideact_or_browser_is_refused_and_both_are_named(tmp_path: Path) -> None:
    RunLog.open(tmp_path, manifest(versions={"guideact": "1", "browser": "chromium 1", "python": "3.11.1"})).close()
    said = refuse(tmp_path, manifest(versions={"guideact": "2", "browser": "chromium 1", "python": "3.11.1"}))
    assert "a run of other versions: guideact is 2 and was 1. Install those" in said
    said = refuse(tmp_path, manifest(versions={"guideact": "1", "browser": "chromium 2", "python": "3.12.0"}))
    assert "a run of other versions: browser is chromium 2 and was chromium 1." in said
    # Another Python changes nothing in what is measured.
    RunLog.open(tmp_path, manifest(versions={"guideact": "1", "browser": "chromium 1", "python": "3.12.0"})).close()


def test_a_damaged_manifest_is_named(tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text('{"format": 1, "model": 3}')
    assert "run.json is damaged: model" in refuse(tmp_path, manifest())


def test_a_damaged_line_in_the_middle_is_named(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a"))
    text = (tmp_path / "episodes.jsonl").read_text()
    (tmp_path / "episodes.jsonl").write_text("{}\n" + text)
    said = refuse(tmp_path, manifest())
    assert f"line 1 of {tmp_path / 'episodes.jsonl'} is no episode: task_id: Field required. Delete that line" in said
    (tmp_path / "episodes.jsonl").write_text("{broken\n" + text)
    with pytest.raises(
        InputError, match=r"line 1 of .*episodes\.jsonl is no episode: Invalid JSON: .* Delete that line"
    ):
        list(read_episodes(tmp_path))


def test_a_folder_in_the_place_of_the_episodes_is_named(tmp_path: Path) -> None:
    (tmp_path / "episodes.jsonl").mkdir()
    with pytest.raises(InputError, match=r"episodes\.jsonl cannot be read: Is a directory\. Check"):
        list(read_episodes(tmp_path))


def test_a_folder_that_is_no_run_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("precious")
    assert "is not empty and holds no run" in refuse(tmp_path, manifest())
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.txt"]
    with pytest.raises(InputError, match=r"is no run: it holds no run\.json"):
        read_manifest(tmp_path)


def test_a_setting_that_is_younger_than_the_run_had_its_default(tmp_path: Path) -> None:
    RunLog.open(tmp_path, manifest()).close()
    path = tmp_path / "run.json"
    kept = json.loads(path.read_text())
    del kept["config"]["memory"]
    path.write_text(json.dumps(kept))
    RunLog.open(tmp_path, manifest(), FREE_ON_RESUME).close()
    assert 'memory is "none" and was "guides"' in refuse(tmp_path, manifest(memory="none"))


def test_two_runs_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()):
        assert "another guideact run is writing" in refuse(tmp_path, manifest())
    RunLog.open(tmp_path, manifest()).close()


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "cannot be used" in refuse(tmp_path / "file", manifest())
    assert "cannot be used" in refuse(tmp_path / "file" / "below", manifest())


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without the rights of root, for whom no folder is read-only."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    for folder in (*reversed(tmp_path.parents[:2]), tmp_path):
        folder.chmod(0o755)
    run = tmp_path / "run"
    RunLog.open(run, manifest()).close()
    for path in (run / "episodes.jsonl", run):
        path.chmod(path.stat().st_mode & ~0o222)
    with as_nobody():
        assert "cannot be written: Permission denied" in refuse(run, manifest())
        assert "cannot be written: Permission denied" in refuse(run / "below", manifest())
    run.chmod(0o755)


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Files of this process end at `size` bytes: writes stop half way, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_disk_that_fills_up_in_the_middle_of_a_line_loses_nothing(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        log.append(episode("a"))
        before = (tmp_path / "episodes.jsonl").read_bytes()
        with file_size_limit(len(before) + 40), pytest.raises(InputError, match=r"disk of .* is full.*Make room"):
            log.append(episode("b"))
        assert (tmp_path / "episodes.jsonl").read_bytes() == before
        log.append(episode("b"))
    assert [each.task_id for each in read_episodes(tmp_path)] == ["a", "b"]


def test_a_disk_that_is_full_for_images_leaves_no_half_image(tmp_path: Path) -> None:
    with RunLog.open(tmp_path, manifest()) as log:
        with file_size_limit(1000), pytest.raises(InputError, match="is full"):
            log.keep_image(b"x" * 5000)
        assert list((tmp_path / "images").iterdir()) == []


def test_no_space_left_on_a_real_device(tmp_path: Path) -> None:
    run = tmp_path / "run"
    RunLog.open(run, manifest()).close()
    log = RunLog(run, manifest(), open("/dev/full", "ab", buffering=0), {})  # noqa: SIM115  closed by the log
    with log, pytest.raises(InputError, match="is full"):
        log.append(episode("a"))
