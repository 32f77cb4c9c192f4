"""The verbs that need no browser: score, compare, report, tasks, sites."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from guideact.sites.registry import SITES
from guideact.tasks.catalogue import all_tasks
from tests.harness.made_runs import made_episodes, write_run

from .calling import call, one_line


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", made_episodes(seed=1, tasks=8, samples=2))


def test_score_prints_a_table_and_json(capsys: pytest.CaptureFixture[str], run_folder: Path) -> None:
    table = call(capsys, "score", str(run_folder))
    assert table.status == 0
    assert all(word in table.out for word in ("SR", "GGS", "Guide Tax", "OFCR", "infrastructure errors"))
    said = call(capsys, "score", str(run_folder), "--json")
    scored = json.loads(said.out)
    assert len(said.out.splitlines()) == 1
    assert {"n", "sr", "g", "ggs", "ofcr", "guide_tax", "infrastructure_errors"} <= scored.keys()
    more = call(capsys, "score", str(run_folder), "--details")
    assert more.out.startswith(table.out)
    assert "by template" in more.out


def test_gamma_changes_ggs_alone(capsys: pytest.CaptureFixture[str], run_folder: Path) -> None:
    plain = json.loads(call(capsys, "score", str(run_folder), "--json").out)
    whole = json.loads(call(capsys, "score", str(run_folder), "--json", "--gamma", "1").out)
    assert whole["sr"] == plain["sr"]
    assert whole["ggs"]["value"] == whole["sr"]["value"] != plain["ggs"]["value"]


def test_compare_prints_a_table_and_json(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", made_episodes(seed=1, tasks=8, skill=1, success=0.9))
    b = write_run(tmp_path / "b", made_episodes(seed=1, tasks=8, skill=2, success=0.3))
    table = call(capsys, "compare", str(a), str(b))
    assert table.status == 0
    assert "A - B" in table.out
    assert isinstance(json.loads(call(capsys, "compare", str(a), str(b), "--json").out), dict)


def test_report_writes_the_file_it_names(capsys: pytest.CaptureFixture[str], run_folder: Path) -> None:
    said = call(capsys, "report", str(run_folder))
    assert said.status == 0
    assert Path(said.out.strip()) == run_folder / "report.html"
    assert (run_folder / "report.html").read_text().startswith("<!doctype html>")


def test_a_run_of_another_version_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(seed=1, tasks=2), format=7)
    for words in (("score",), ("report",), ("run", "--limit", "1", "--log-dir")):
        said = call(capsys, *words, str(folder))
        assert said.status == 2
        assert "a run of format 7, and this guideact reads and writes format 1" in one_line(said)


def test_tasks_are_listed_as_json_lines(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [json.loads(line) for line in call(capsys, "tasks", "--json").out.splitlines()]
    assert [row["id"] for row in rows] == [task.id for task in all_tasks()]
    assert all(row.keys() == {"id", "sites", "template_id", "split", "gold_steps", "intent"} for row in rows)


def test_tasks_are_listed_for_readers_by_pattern(capsys: pytest.CaptureFixture[str]) -> None:
    task = all_tasks()[0]
    said = call(capsys, "tasks", task.id)
    assert len(said.out.splitlines()) == 1
    assert said.out.startswith(f"{task.id}  {task.split}, ")
    assert said.out.rstrip().endswith(task.intent)


def test_a_port_in_use_is_named_with_the_flag(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        said = call(capsys, "sites", "--port", str(port))
    assert said.status == 2
    assert f"port {port} is already in use" in one_line(said)
    assert "--port" in one_line(said)


async def test_sites_are_served_until_they_are_stopped() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "guideact", "sites", "--port", "0", stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        lines = [(await process.stdout.readline()).decode().split() for _ in SITES]
        assert [line[0] for line in lines] == list(SITES)
        host = lines[0][1].removeprefix("http://")
        async with httpx.AsyncClient() as client:
            answer = await client.get(f"http://127.0.0.1:{host.rpartition(':')[2]}/", headers={"host": host})
        assert answer.status_code == 200
    finally:
        process.send_signal(2)
        assert await process.wait() == 130


def test_a_reader_that_has_read_enough_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m guideact tasks --json | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert len(done.stdout.splitlines()) == 1
    assert done.stderr == ""


def test_a_table_whose_reader_has_read_enough_ends_like_any_output() -> None:
    reads, writes = os.pipe()
    os.close(reads)
    with os.fdopen(writes, "w") as gone:
        done = subprocess.run(
            [sys.executable, "-m", "guideact", "tasks", "census"], stdout=gone, stderr=subprocess.PIPE, text=True
        )
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
def test_an_output_that_cannot_be_written_is_said_in_one_line() -> None:
    done = subprocess.run(
        f"{sys.executable} -m guideact tasks --json > /dev/full",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "the output cannot be written: No space left on device\n"
