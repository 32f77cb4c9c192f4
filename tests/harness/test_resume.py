"""A run that is killed at any moment loses no finished episode and doubles none; nothing of it stays alive."""

from __future__ import annotations

import asyncio
import json
import os
import random
import shlex
import signal
import sys
import tempfile
import time
from pathlib import Path

import pytest

from guideact.harness.log import read_episodes, read_manifest
from guideact.harness.read import read_run

KILLS = 10


def task_file(folder: Path, count: int) -> Path:
    path = folder / "tasks.json"
    common = {"intent": "Say that it is done", "sites": ["shopping"], "start_url": "__SHOPPING__/", "max_steps": 4}
    check = {"answer": {"expected": ["done"]}}
    path.write_text(json.dumps([{"id": f"t.{number:02}", "check": check, **common} for number in range(count)]))
    return path


def command(run: Path, tasks: Path) -> list[str]:
    words = ["run", "--tasks", str(tasks), "--model", "scripted/random", "--epochs", "2", "--max-samples", "3"]
    return [sys.executable, "-m", "guideact", *words, "--no-screenshots", "--log-dir", str(run)]


async def start(run: Path, tasks: Path, scratch: Path) -> asyncio.subprocess.Process:
    # TMPDIR marks everything that this run starts: browsers keep their profiles there, and inherit it.
    return await asyncio.create_subprocess_exec(
        *command(run, tasks),
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # so that a signal to its group is none to ours
    )


async def episodes_put_down(process: asyncio.subprocess.Process, count: int) -> bool:
    """Wait until the run has told of so many episodes; False if it ended before."""
    assert process.stderr is not None
    while count > 0:
        line = await process.stderr.readline()
        if not line:
            return False
        count -= b" episodes, " in line
    return True


def whole_lines(run: Path) -> list[str]:
    """The lines of the log that are there for good."""
    path = run / "episodes.jsonl"
    return path.read_text().splitlines(keepends=True)[: path.read_bytes().count(b"\n")] if path.exists() else []


def alive(scratch: Path) -> list[int]:
    """Processes whose command line or environment names the scratch folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if str(scratch).encode() in (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes():
                found.append(int(entry.name))
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
    return found


def there(folder: Path, pattern: str) -> bool:
    return any(folder.glob(pattern))


async def gone(scratch: Path, seconds: float) -> bool:
    """Whether everything that names the folder has gone within so many seconds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not alive(scratch):
            return True
        await asyncio.sleep(0.05)
    return not alive(scratch)


@pytest.mark.slow
async def test_ten_kills_lose_and_double_no_episode(tmp_path: Path) -> None:
    scratch, run, tasks = Path(tempfile.mkdtemp(dir=tmp_path)), tmp_path / "run", task_file(tmp_path, 12)
    rng = random.Random(20260316)
    kept: list[str] = []
    for _ in range(KILLS):
        process = await start(run, tasks, scratch)
        # At a random moment: before the first episode, or after a few, and then a little later.
        running = await episodes_put_down(process, rng.choice((0, 1, 1, 2, 2)))
        if running:
            await asyncio.sleep(rng.random() * 1.5)
            process.send_signal(signal.SIGKILL)
        await process.wait()
        assert await gone(scratch, 10), f"left behind: {alive(scratch)}"
        now = whole_lines(run)
        assert now[: len(kept)] == kept, "what was put down has changed"
        kept = now
    process = await start(run, tasks, scratch)
    assert process.stderr is not None
    said = await process.stderr.read()
    assert await process.wait() == 0, said.decode()
    assert whole_lines(run)[: len(kept)] == kept
    ended = [(episode.task_id, episode.sample) for episode in read_run(run).episodes]
    assert ended == sorted((f"t.{number:02}", sample) for number in range(12) for sample in range(2))
    assert len(whole_lines(run)) == 24
    assert read_run(run).notes == ()
    assert (run / "report.html").exists()


async def test_nothing_survives_the_parent(tmp_path: Path) -> None:
    scratch = Path(tempfile.mkdtemp(dir=tmp_path))
    process = await start(tmp_path / "run", task_file(tmp_path, 8), scratch)
    assert await episodes_put_down(process, 1)
    assert len(alive(scratch)) > 3  # the run, Playwright's driver, Chromium and its processes
    process.kill()
    await process.wait()
    assert await gone(scratch, 3), f"left behind: {alive(scratch)}"


@pytest.mark.parametrize(("stop", "group"), [(signal.SIGINT, False), (signal.SIGTERM, False), (signal.SIGTERM, True)])
async def test_a_run_that_is_asked_to_stop_says_how_to_go_on(tmp_path: Path, stop: signal.Signals, group: bool) -> None:
    scratch, run = Path(tempfile.mkdtemp(dir=tmp_path)), tmp_path / "run"
    process = await start(run, task_file(tmp_path, 20), scratch)
    assert await episodes_put_down(process, 1)
    kept = len(whole_lines(run))
    if group:
        os.killpg(process.pid, stop)  # the browser's driver gets it too
    else:
        process.send_signal(stop)
    assert process.stderr is not None
    said = (await process.stderr.read()).decode()
    assert await process.wait() == 130, said
    assert "Traceback" not in said
    assert f"To go on from here: {shlex.join(command(run, tmp_path / 'tasks.json'))}\n" in said
    assert await gone(scratch, 3)
    assert os.listdir(scratch) == []  # profiles are swept too
    # What the workers had in hand may have ended meanwhile; nothing is begun after the stop.
    assert kept <= len(whole_lines(run)) <= kept + 4
    assert all(episode.end != "infrastructure_error" for episode in read_episodes(run))
    assert read_manifest(run).epochs == 2


@pytest.mark.parametrize("driver", [False, True])
async def test_ctrl_c_while_the_browser_starts_says_that_nothing_was_kept(tmp_path: Path, driver: bool) -> None:
    scratch, run = Path(tempfile.mkdtemp(dir=tmp_path)), tmp_path / "run"
    process = await asyncio.create_subprocess_exec(
        *command(run, task_file(tmp_path, 2)),
        env={**os.environ, "TMPDIR": str(scratch)},
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    # The browser's folder is made first, then the driver is started, and the driver makes Chromium's profile in it.
    while not there(scratch, "guideact-browser-*/playwright*" if driver else "guideact-browser-*"):
        assert process.returncode is None
        await asyncio.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of the group
    assert process.stderr is not None
    said = (await process.stderr.read()).decode()
    assert await process.wait() == 130, said
    assert said == "Stopped before the first episode; nothing was kept.\n"
    assert not run.exists()
    assert await gone(scratch, 3)
    assert os.listdir(scratch) == []
