"""`runs/mag_qwen.sh`: every command of its dry run is one that there is, and with a tiny model each stage is done."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from guideact.config import RunConfig
from guideact.harness.choose import choose_tasks
from tests.models.tiny import taught

pytest.importorskip("trl", reason="training needs trl, which is not installed here")

ROOT = Path(__file__).resolve().parents[2]
ANSWER = '{"think": "", "action": "finish", "target": null, "value": "", "guide": "Finish here."}'


def study(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "runs/mag_qwen.sh", *words],
        cwd=ROOT,
        env={**os.environ, "PYTHON": sys.executable, "PYTHONWARNINGS": "ignore", **environment},
        capture_output=True,
        text=True,
        timeout=1200,
        check=False,
    )


def test_a_dry_run_names_every_command(tmp_path: Path) -> None:
    found = study("--dry-run", "--rounds", "2", "--gpus", "4", "--out", str(tmp_path / "out"), "--tasks-per-round", "3")
    assert found.returncode == 0, found.stderr
    commands = [shlex.split(line.removeprefix("+ ")) for line in found.stderr.splitlines()]
    assert not (tmp_path / "out").exists()
    called = [command[command.index("guideact") + 1 :] for command in commands if "guideact" in command]
    verbs = [" ".join(words[:2]) if words[0] in ("train", "data") else words[0] for words in called]
    rounds = ["run", "train update"] * 2 + ["run", "run"]
    assert verbs == [
        "data build", "train sft", *["run"] * 4, *rounds, *rounds, *["score"] * 4, *["compare"] * 2
    ]  # fmt: skip
    served = [command for command in commands if command[0] == "vllm"]
    assert len(served) == verbs.count("run")
    assert all("--data-parallel-size 4" in " ".join(command) for command in served)
    assert json.loads(served[0][-1]) == {"enable_thinking": False}
    assert served[0][2] == "Qwen/Qwen3.5-9B"
    assert "--lora-modules" not in served[0]
    assert f"policy={tmp_path}/out/sft" in served[2]
    trained = [command for command in commands if "torch.distributed.run" in command]
    assert len(trained) == 5
    injected = [words for words in called if words[:2] == ["train", "update"] and "--experts" in words]
    assert len(injected) == 2


def test_a_server_that_a_kill_has_left_behind_is_not_taken_for_the_new_one(tmp_path: Path) -> None:
    """It would answer with the weights of another round."""
    out = tmp_path / "out"
    (out / "demos").mkdir(parents=True)
    (out / "sft").mkdir()
    (out / "demos" / "manifest.json").touch()
    for name in ("vllm", "python"):
        (tmp_path / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/called-{name}\n")
        (tmp_path / name).chmod(0o755)

    class Health(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()

    with HTTPServer(("127.0.0.1", 0), Health) as left:
        Thread(target=left.serve_forever, daemon=True).start()
        found = study(
            "--out", str(out), "--port", str(left.server_port),
            PYTHON=str(tmp_path / "python"), PATH=f"{tmp_path}:{os.environ['PATH']}",
        )  # fmt: skip
        left.shutdown()
    assert found.returncode == 2
    assert f"something answers at port {left.server_port} already" in found.stderr
    assert not [*tmp_path.glob("called-*")], "nothing was served, and nobody was asked"


@pytest.mark.slow
def test_each_stage_is_done_with_a_tiny_model(tmp_path: Path) -> None:
    out, model = tmp_path / "out", taught(ANSWER)
    words = (
        "--model", str(model), "--in-process", "--gpus", "1", "--rounds", "1", "--tasks-per-round", "1",
        "--rollouts", "2", "--arms", "inject", "--passes", "0", "--limit", "1", "--eval-limit", "1",
        "--max-tokens", "60", "--workers", "1", "--out", str(out), "--demos", str(tmp_path / "demos"),
    )  # fmt: skip
    built = subprocess.run(
        [sys.executable, "-m", "guideact", "data", "build", str(tmp_path / "demos"), _first_task()],
        capture_output=True, text=True, timeout=600, check=False,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    found = study(*words)
    assert found.returncode == 0, found.stderr[-4000:]
    about = json.loads((out / "inject" / "000" / "guideact.json").read_text())
    # Nobody who finishes at once succeeds; beside the expert that is something to learn from.
    assert (about["found"]["episodes"], about["found"]["live"], about["found"]["success_rate"]) == (2, 1, 0)
    assert about["found"]["updates"] > 0
    assert (out / "inject" / "000" / "adapter_config.json").is_file()
    assert all((out / "eval" / each / "report.html").is_file() for each in ("base", "sft", "inject"))
    again = study(*words)
    assert again.returncode == 0, again.stderr[-4000:]
    assert "train update" not in again.stderr


def _first_task() -> str:
    """The task that `--limit 1` takes of the train split."""
    return choose_tasks(RunConfig(split="train", limit=1))[0].id
