"""`guideact run`, whole: from the command to the report, and everything that can be wrong before it begins."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import signal
from pathlib import Path

import pytest

from guideact.actions import format_answer
from guideact.cli.run import until_stopped
from guideact.errors import ModelUnavailable
from guideact.harness.log import read_manifest
from guideact.harness.read import read_run
from guideact.types import Finish
from tests.models.endpoint import endpoint, fails, says

from .calling import call, one_line, spawn

KEY = "sk-this-must-stay-secret"
FINISH = format_answer(Finish(answer="done"), "Finish here: the page says that it is done.")


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    common = {"intent": "Say that it is done", "sites": ["shopping"], "start_url": "__SHOPPING__/"}
    path.write_text(json.dumps([{"id": f"t.{n}", "check": {"answer": {"expected": ["done"]}}, **common} for n in "12"]))
    return path


async def test_a_model_behind_an_endpoint_is_run_scored_and_reported(tmp_path: Path, tasks: Path) -> None:
    run = tmp_path / "run"
    async with endpoint(says(FINISH)) as there:
        words = ["run", "--model", "openai/m-1", "--model-base-url", there.url, "--tasks", str(tasks)]
        said = await spawn(*words, "--log-dir", str(run), OPENAI_API_KEY=KEY)
        bodies = list(there.bodies)
        assert there.headers[0]["authorization"] == f"Bearer {KEY}"
    assert said.status == 0, said.err
    assert "SR" in said.out
    assert "1.000" in said.out
    assert f"Report: {run / 'report.html'}" in said.err
    assert (run / "report.html").read_text().startswith("<!doctype html>")
    assert len(bodies) == 3  # the probe, and a step for each task
    assert all(body["messages"][-1]["content"][1]["type"] == "image_url" for body in bodies)
    episodes = read_run(run).episodes
    assert [(episode.task_id, episode.success) for episode in episodes] == [("t.1", True), ("t.2", True)]
    assert all(episode.steps[0].usage for episode in episodes)
    manifest = read_manifest(run)
    assert (manifest.model, manifest.tasks, manifest.config["model_base_url"]) == (
        "openai/m-1",
        ("t.1", "t.2"),
        there.url,
    )
    assert manifest.hashes.keys() == {"tasks", "prompts", "font"}
    assert {"guideact", "python", "browser", "playwright"} <= manifest.versions.keys()
    kept = [path for path in run.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
    assert kept == []
    assert KEY not in said.out + said.err


@pytest.fixture
def judged(tasks: Path) -> Path:
    first, _ = json.loads(tasks.read_text())
    tasks.write_text(json.dumps([{**first, "check": {"judge": {"reference": "It is done."}}}]))
    return tasks


async def test_a_judge_is_probed_before_the_run_and_asked_at_the_end(tmp_path: Path, judged: Path) -> None:
    verdict = json.dumps({"reason": "It says the same.", "verdict": "correct"})
    async with endpoint(says("ok"), says("ok"), says(FINISH), says(verdict)) as there:
        words = ["run", "--model", "openai/m-1", "--model-base-url", there.url, "--tasks", str(judged)]
        words += ["--judge", "openai/j-1", "--judge-base-url", there.url, "--no-screenshots"]
        said = await spawn(*words, "--log-dir", str(tmp_path / "run"))
        assert [body["model"] for body in there.bodies] == ["m-1", "j-1", "m-1", "j-1"]
    assert said.status == 0, said.err
    (episode,) = read_run(tmp_path / "run").episodes
    assert episode.success, episode.check


@pytest.mark.parametrize(
    ("status", "said"), [(401, "does not accept the key"), (404, "does not know openai/m-1"), (400, "answers 400")]
)
async def test_what_the_probe_finds_ends_the_run_before_it_begins(
    tmp_path: Path, tasks: Path, status: int, said: str
) -> None:
    run = tmp_path / "run"
    async with endpoint(fails(status, f"not with {KEY}")) as there:
        words = ["run", "--model", "openai/m-1", "--model-base-url", there.url, "--tasks", str(tasks)]
        result = await spawn(*words, "--log-dir", str(run), GUIDEACT_API_KEY=KEY)
        assert len(there.bodies) == 1
    assert result.status == 2
    assert said in one_line(result)
    assert len(result.err.splitlines()) == 1
    assert KEY not in result.err
    assert not run.exists()


def test_an_endpoint_that_cannot_be_reached_is_said_before_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tasks: Path
) -> None:
    words = ["run", "--model", "openai/m-1", "--model-base-url", "http://127.0.0.1:9/v1", "--tasks", str(tasks)]
    result = call(capsys, *words, "--log-dir", str(tmp_path / "run"))
    assert result.status == 1
    assert "http://127.0.0.1:9/v1/chat/completions cannot be reached" in one_line(result)
    assert "then run the same command again" in one_line(result)
    assert "goes on from here" not in result.err
    assert not (tmp_path / "run").exists()


def test_openai_without_a_key_is_said_before_anything_starts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tasks: Path
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("GUIDEACT_API_KEY", raising=False)
    result = call(capsys, "run", "--model", "openai/gpt-4o", "--tasks", str(tasks))
    assert result.status == 2
    assert "openai/gpt-4o needs a key. Set GUIDEACT_API_KEY (or OPENAI_API_KEY)" in one_line(result)


def test_a_missing_chromium_is_said_before_anything_is_written(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tasks: Path
) -> None:
    monkeypatch.setenv("GUIDEACT_CHROMIUM", "/nope/chromium")
    words = ["run", "--model", "scripted/noop", "--tasks", str(tasks), "--log-dir", str(tmp_path / "run")]
    result = call(capsys, *words)
    assert result.status == 2
    assert "GUIDEACT_CHROMIUM is '/nope/chromium'" in one_line(result)
    assert not (tmp_path / "run").exists()


def test_a_program_that_is_no_chromium_is_said_to_be_none(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tasks: Path
) -> None:
    monkeypatch.setenv("GUIDEACT_CHROMIUM", "/bin/true")
    words = ["run", "--model", "scripted/noop", "--tasks", str(tasks), "--log-dir", str(tmp_path / "run")]
    result = call(capsys, *words)
    assert result.status == 2
    assert "GUIDEACT_CHROMIUM is '/bin/true', which is no Chromium" in one_line(result)


def test_folders_that_cannot_be_used_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path, tasks: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "thesis.txt").touch()
    (tmp_path / "file").touch()
    for folder, said in (
        ("/proc/guideact", "/proc/guideact cannot be"),
        (str(tmp_path / "full"), "holds no run"),
        (str(tmp_path / "file"), "file is a file, and a run is a folder"),
        (str(tmp_path / "file" / "below"), "below cannot be made: "),
    ):
        result = call(capsys, "run", "--model", "scripted/noop", "--tasks", str(tasks), "--log-dir", folder)
        assert result.status == 2
        assert said in one_line(result)
        assert "--log-dir" in one_line(result)


async def test_a_run_goes_on_only_with_the_same_settings(tmp_path: Path, tasks: Path) -> None:
    words = ["run", "--model", "scripted/noop", "--no-screenshots", "--tasks", str(tasks)]
    words += ["--log-dir", str(tmp_path / "r")]
    assert (await spawn(*words)).status == 0
    before = (tmp_path / "r" / "episodes.jsonl").read_bytes()
    again = await spawn(*words, "--max-samples", "1")
    assert again.status == 0
    assert "2 of 2 episodes are finished already" in again.err
    other = await spawn(*words, "--memory", "none")
    assert other.status == 2
    assert 'memory is "none" and was "guides"' in one_line(other)
    assert "To go on" not in other.err
    assert (tmp_path / "r" / "episodes.jsonl").read_bytes() == before


async def test_without_a_folder_a_run_makes_one_under_runs(tmp_path: Path, tasks: Path) -> None:
    said = await spawn("run", "--model", "scripted/noop", "--no-screenshots", "--tasks", str(tasks), folder=tmp_path)
    assert said.status == 0, said.err
    (run,) = (tmp_path / "runs").iterdir()
    assert run.name.endswith("-scripted-noop")
    assert f"Run: runs/{run.name}" in said.err
    assert len(read_run(run).episodes) == 2


def test_a_login_that_no_site_knows_is_named_with_its_task(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tasks: Path
) -> None:
    first, *rest = json.loads(tasks.read_text())
    tasks.write_text(json.dumps([{**first, "logins": {"shopping": "nobody@example.com"}}, *rest]))
    words = ["run", "--model", "scripted/noop", "--tasks", str(tasks), "--log-dir", str(tmp_path / "run")]
    result = call(capsys, *words)
    assert result.status == 2
    assert "task t.1: shopping has no user 'nobody@example.com'" in one_line(result)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"start_url": "__SHOPPING__/nope"}, "task t.1: its start_url '__SHOPPING__/nope' answers 404"),
        (
            {"check": {"page": [{"site": "shopping", "path": "/", "selector": "h1[", "contains": ["x"]}]}},
            "task t.1: check.page has the selector 'h1[', which cannot be used: ",
        ),
    ],
)
def test_what_only_the_running_sites_can_tell_of_a_task_is_told_before_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, tasks: Path, wrong: dict[str, object], said: str
) -> None:
    first, *rest = json.loads(tasks.read_text())
    tasks.write_text(json.dumps([{**first, **wrong}, *rest]))
    words = ["run", "--model", "scripted/noop", "--tasks", str(tasks), "--log-dir", str(tmp_path / "run")]
    result = call(capsys, *words)
    assert result.status == 2
    assert said in one_line(result)
    assert not (tmp_path / "run").exists()


def test_the_failure_of_one_of_several_tasks_is_no_stop() -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise ModelUnavailable("the endpoint stays away")

    async def work() -> None:
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(fail())
        except ExceptionGroup as several:
            raise several.exceptions[0] from None

    with pytest.raises(ModelUnavailable, match="stays away"):
        until_stopped(work())


def test_what_asyncio_says_is_told_until_the_stop_and_not_after_it(caplog: pytest.LogCaptureFixture) -> None:
    log = logging.getLogger("asyncio")

    async def work() -> None:
        log.warning("before")
        os.kill(os.getpid(), signal.SIGTERM)
        try:
            await asyncio.sleep(60)
        finally:
            log.warning("after")

    with pytest.raises(KeyboardInterrupt):
        until_stopped(work())
    log.warning("later")
    assert [record.message for record in caplog.records] == ["before", "later"]
