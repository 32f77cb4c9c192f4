"""Episodes on a local Ray cluster: the same records as in one process; a worker that is killed takes none along."""

from __future__ import annotations

import os
import pickle
import signal
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError, MissingDependency
from guideact.guides.kept import trial_cast
from guideact.harness import ray_crew
from guideact.harness.choose import choose_tasks
from guideact.harness.evaluate import cast_of, evaluate, made_already, refuse_on_cluster
from guideact.harness.log import read_episodes, read_manifest
from guideact.harness.ray_crew import open_cluster
from guideact.harness.remote import RemoteWorker, code_sha256
from guideact.train.grpo import train_grpo
from guideact.train.settings import GrpoSettings
from guideact.types import AnswerCheck, Check, Episode, JudgeCheck, Task
from tests.cli.calling import one_line, spawn
from tests.train.lamps import Silent

from .actors import Notes

TASKS = ("shopping.price.1", "shopping.price.2", "shopping.price.3", "shopping.price.4")

# Ray ends its processes and leaves what Python knew of them to be collected.
pytestmark = [
    pytest.mark.filterwarnings("ignore:subprocess .* is still running:ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed: scripts/setup --train")


def rows(folder: Path, *, attempts: bool = True) -> list[dict[str, Any]]:
    """What was put down, by task and sample, without anything that a clock measured."""
    found = []
    for episode in sorted(read_episodes(folder), key=lambda each: (each.task_id, each.sample)):
        row = episode.model_dump(mode="json", exclude={"seconds"} if attempts else {"seconds", "attempts"})
        for step in row["steps"]:
            del step["timings"]
        found.append(row)
    return found


def kept(folder: Path) -> dict[str, bytes]:
    """The observations and images of a run, by path."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for kind in ("steps", "images")
        for path in sorted((folder / kind).rglob("*"))
        if path.is_file()
    }


def actors() -> list[int]:
    """The processes of workers that this process's cluster runs."""
    parents, named = {}, []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                if (entry / "cmdline").read_bytes().startswith(b"ray::RemoteWorker"):
                    named.append(int(entry.name))
            except (FileNotFoundError, ProcessLookupError):
                continue

    def ours(pid: int) -> bool:
        while pid in parents and pid != os.getpid():
            pid = parents[pid]
        return pid == os.getpid()

    return [pid for pid in named if ours(pid)]


# --- the same as in one process -----------------------------------------------------------------------------------


@needs_ray
@pytest.mark.slow
async def test_a_run_on_two_actors_is_the_run_of_one_process(tmp_path: Path) -> None:
    words = [word for task in TASKS for word in ("--sample-id", task)]
    for executor in ("local", "ray"):
        said = await spawn(
            "run", *words, "--executor", executor, "--max-samples", "2", "--log-dir", str(tmp_path / executor),
            RAY_ADDRESS="local",
        )  # fmt: skip
        assert said.status == 0, said.err
    here, there = tmp_path / "local", tmp_path / "ray"
    assert rows(there) == rows(here)
    assert kept(there) == kept(here)
    assert [row["check"]["passed"] for row in rows(there)] == [True] * len(TASKS)
    one, other = read_manifest(here), read_manifest(there)
    free = {"log_dir", "executor"}
    assert {k: v for k, v in one.config.items() if k not in free} == {
        k: v for k, v in other.config.items() if k not in free
    }
    assert (one.hashes, one.versions, one.tasks) == (other.hashes, other.versions, other.tasks)
    # What one executor began, the other takes for its own: here, that nothing is left to do.
    again = await spawn("run", *words, "--max-samples", "2", "--log-dir", str(there))
    assert again.status == 0, again.err
    assert "4 of 4 episodes are finished already" in again.err


class Kills(Notes):
    """Kills every worker's process when the first episode has ended: the other worker is in the middle of one."""

    def __init__(self) -> None:
        super().__init__()
        self.killed: list[int] = []

    def episode(self, episode: Episode) -> None:
        super().episode(episode)
        if not self.killed:
            self.killed = actors()
            for pid in self.killed:
                os.kill(pid, signal.SIGKILL)


@needs_ray
@pytest.mark.slow
@pytest.mark.parametrize("retries", [2, 0])
async def test_workers_that_are_killed_lose_and_double_no_episode(tmp_path: Path, retries: int) -> None:
    config = RunConfig(
        sample_id=TASKS, screenshots=False, max_samples=2, retry_on_error=retries, executor="ray", ray_address="local"
    )
    notes = Kills()
    await evaluate(config, tmp_path / "run", notes)
    assert len(notes.killed) == 2
    found = rows(tmp_path / "run", attempts=False)
    assert [row["task_id"] for row in found] == list(TASKS)
    episodes = list(read_episodes(tmp_path / "run"))
    assert sum(episode.attempts - 1 for episode in episodes) == len(notes.retries)
    errors = [episode.error for episode in episodes if episode.end == "infrastructure_error"]
    if retries:
        assert all(episode.success for episode in episodes), errors
        assert any("was lost" in error for *_, error in notes.retries)
    else:
        assert 1 <= len(errors) <= 2
        assert all("its worker on" in error and "was lost" in error for error in errors)
        assert sum(episode.success for episode in episodes) == len(TASKS) - len(errors)


@needs_ray
@pytest.mark.slow
async def test_rollouts_and_the_weights_learned_from_them_are_the_same(tmp_path: Path) -> None:
    for executor in ("local", "ray"):
        settings = GrpoSettings.model_validate(
            {
                "out": tmp_path / executor,
                "rounds": 1,
                "rollouts": 3,
                "updates": 2,
                "max_samples": 2,
                "seed": 4,
                "sample_id": TASKS[:1],
                "executor": executor,
                "ray_address": "local",
            }
        )
        await train_grpo(settings, Silent())
    here, there = tmp_path / "local", tmp_path / "ray"
    assert rows(there / "rounds" / "000") == rows(here / "rounds" / "000")
    assert (there / "weights.npz").read_bytes() == (here / "weights.npz").read_bytes()


@pytest.mark.parametrize(
    "config",
    [
        {"model": "scripted/gold", "skin": "redesign-3"},
        {"model": "scripted/random"},
        {"model": "scripted/overlap"},
        {"model": "builtin/small"},
        {"model": "literal", "recipient": "literal", "skin": "relabel-1"},
    ],
)
def test_agents_without_keys_can_travel_to_workers(config: dict[str, Any]) -> None:
    settings = RunConfig.model_validate({**config, "sample_id": TASKS, "screenshots": False})
    tasks = choose_tasks(settings)
    cast = (trial_cast if settings.recipient else cast_of)(settings, tasks)
    arrived = pickle.loads(pickle.dumps(made_already(cast.make())))()
    assert arrived.name
    assert arrived.agent(tasks[0], 0)


# --- what is refused ----------------------------------------------------------------------------------------------


@needs_ray
async def test_a_worker_with_another_guideact_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_crew, "code_sha256", lambda: "0" * 64)
    config = RunConfig(sample_id=TASKS[:1], screenshots=False, executor="ray", ray_address="local")
    with pytest.raises(InputError, match=r"has another guideact: .* \(000000000000\)\. Install the same"):
        await evaluate(config, tmp_path / "run", Notes())
    assert not (tmp_path / "run").exists()


async def test_a_worker_with_another_package_is_refused_by_name() -> None:
    hands = ray_crew.RayHands(None, RunConfig(), None, code_sha256(), ray_crew.Places(), probe=False)
    about = await RemoteWorker().about()
    hands._refuse_another(about)
    with pytest.raises(InputError, match=rf"^far has pillow 0\.1, and here is {about['pillow']}\. Install the same"):
        hands._refuse_another({**about, "host": "far", "pillow": "0.1"})


@needs_ray
async def test_a_cluster_that_cannot_be_reached_is_one_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens there
        said = await spawn(
            "run", "--sample-id", TASKS[0], "--executor", "ray", "--log-dir", str(tmp_path / "run"),
            "--ray-address", f"127.0.0.1:{taken.getsockname()[1]}", RAY_AUTH_TOKEN="of-nobody",
        )  # fmt: skip
    assert said.status == 2, said.err
    assert "cannot be reached" in one_line(said)
    assert "of-nobody" not in said.out + said.err
    assert not (tmp_path / "run").exists()


async def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingDependency, match=r"Ray, which is not installed. pip install 'guideact\[ray\]'"):
        async with open_cluster(None, 1):
            pass


async def test_ray_client_is_refused() -> None:
    with pytest.raises(InputError, match="ray://head:10001 is Ray Client"):
        async with open_cluster("ray://head:10001", 1):
            pass


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"cache": "answers.db"}, "--cache is one file"),
        ({"model": "hf/folder"}, "would be loaded once for each worker"),
        ({"address": ["shopping=http://host"]}, "are for WebArena's tasks"),
    ],
)
def test_what_is_bound_to_one_machine_is_refused(config: dict[str, Any], said: str) -> None:
    plain = Task(id="a", intent="Why?", sites=("shopping",), start_url="__SHOPPING__/")
    refuse_on_cluster(RunConfig(), (plain,))
    with pytest.raises(InputError, match=said):
        refuse_on_cluster(RunConfig.model_validate(config), (plain,))


def test_more_workers_than_connections_are_refused() -> None:
    tasks = tuple(Task(id=f"a{n}", intent="Why?", sites=("shopping",), start_url="__SHOPPING__/") for n in range(3))
    wants: dict[str, Any] = {"model": "openai/m", "max_samples": 8, "max_connections": 5}
    refuse_on_cluster(RunConfig.model_validate(wants), tasks)
    refuse_on_cluster(RunConfig.model_validate({**wants, "model": "scripted/gold", "epochs": 2}), tasks)
    with pytest.raises(
        InputError, match=r"each of 6 workers .* allows 5\. Give --max-connections 6, or --max-samples 5"
    ):
        refuse_on_cluster(RunConfig.model_validate({**wants, "epochs": 2}), tasks)


def test_tasks_that_need_a_judge_are_refused() -> None:
    check = Check(judge=JudgeCheck(reference="r"), answer=AnswerCheck(expected=("x",)))
    judged = Task(id="a", intent="Why?", sites=("shopping",), start_url="__SHOPPING__/", check=check)
    with pytest.raises(InputError, match="verdicts of a judge"):
        refuse_on_cluster(RunConfig(judge="openai/m"), (judged,))
