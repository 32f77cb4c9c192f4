"""`guideact run --tasks webarena:...` from start to scores, on a stand-in for WebArena's sites."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.harness.read import read_run
from guideact.tasks.webarena.setup import ACCOUNTS
from tests.cli.calling import Said, spawn
from tests.models.endpoint import endpoint

from .answers import answering
from .cases import CASES, raw_tasks, scripts
from .standin import StandIn, serve_standin


async def run(there: StandIn, folder: Path, *words: str, tasks: list[dict[str, object]] | None = None) -> Said:
    """A run with recorded answers; `folder/run` is what it leaves."""
    path = folder / "tasks.json"
    path.write_text(json.dumps(raw_tasks() if tasks is None else tasks), encoding="utf-8")
    async with endpoint(answering(scripts())) as model:
        url = ["--model-base-url", model.url, "--judge-base-url", model.url]
        settings = ["--model", "openai/agent", "--judge", "openai/judge", "--no-screenshots", "--log-dir"]
        task_file = ["--tasks", f"webarena:{path}"]
        return await spawn(
            "run", *task_file, *url, *settings, str(folder / "run"), *words, folder=None, **there.environ
        )


@pytest.mark.slow
async def test_every_kind_of_check_passes_what_is_right_and_fails_what_is_wrong(tmp_path: Path) -> None:
    setup = tmp_path / "sites.toml"
    async with serve_standin() as there:
        setup.write_text(f'[reset]\nurl = "{there.control}/reset?site={{site}}"\n')
        said = await run(there, tmp_path, "--webarena", str(setup))
    assert said.status == 0, said
    episodes = {episode.task_id: episode for episode in read_run(tmp_path / "run").episodes}
    names = list(CASES)
    told = {
        (names[int(task_id.split(".")[1]) % 1000], "right" if ".7" in task_id else "wrong"): episode
        for task_id, episode in episodes.items()
    }
    otherwise = [
        (name, way, episode.error, [step.outcome for step in episode.steps if step.outcome], episode.check)
        for (name, way), episode in told.items()
        if episode.check is None or episode.success != (way == "right")
    ]
    assert not otherwise
    assert len(told) == 2 * len(CASES)
    # Each was put back before it was used at all, and those that tasks had changed once more.
    assert {site for site in there.resets if there.resets.count(site) == 1} == {"wikipedia"}
    passwords = [account.password.get_secret_value() for account in ACCOUNTS.values()]
    files = [path for path in (tmp_path / "run").rglob("*") if path.is_file()]
    assert not [(path, word) for path in files for word in passwords if word.encode() in path.read_bytes()]


async def test_a_site_that_goes_down_is_no_failure_of_the_agent(tmp_path: Path) -> None:
    names = list(CASES)
    exact, place = CASES["exact"].raw(7000, ""), CASES["place"].raw(7000 + names.index("place"), "")
    async with serve_standin() as there:
        # It answers when the run begins, and then no more.
        there.down_after["map"] = 1
        said = await run(there, tmp_path, "--retry-on-error", "0", tasks=[exact, place])
    assert said.status == 0, said
    solved, failed = sorted(read_run(tmp_path / "run").episodes, key=lambda episode: episode.task_id)
    assert solved.success
    assert (failed.end, failed.check, failed.attempts) == ("infrastructure_error", None, 1)
    assert "map at http://127.0.0.1" in failed.error
    assert "answers 503" in failed.error
    assert "1 episode ended in an infrastructure error; to do it again: " in said.err
