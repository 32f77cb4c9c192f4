"""The runner on a real browser and the real sites: what is put down, what is begun anew, and what ends a run."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from guideact.actions import format_answer
from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.errors import DeadlineExceeded, InputError, ModelError, ModelUnavailable
from guideact.harness import runner
from guideact.harness.agent import Agents, agents_for
from guideact.harness.browsers import SharedBrowser
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog, read_episodes
from guideact.models.base import Request
from guideact.sites.server import serve
from guideact.tasks.catalogue import all_tasks
from guideact.types import Click, Episode, Finish, GoBack, Mark, Observation, Task

from .actors import FINISH, Hangs, Notes, Says, agents


def task(number: int = 1, *, max_steps: int = 25, answer: str = "done") -> Task:
    return Task.model_validate(
        {
            "id": f"t.{number}",
            "intent": "Say that it is done",
            "sites": ["shopping"],
            "start_url": "__SHOPPING__/",
            "max_steps": max_steps,
            "check": {"answer": {"expected": [answer]}},
        }
    )


async def do(
    folder: Path, tasks: tuple[Task, ...], acting: Agents, notes: Notes | None = None, **config: object
) -> list[Episode]:
    """Run, and read back what was put down."""
    settings = RunConfig.model_validate({"screenshots": False, "max_samples": 2, **config})
    try:
        with RunLog.open(folder, make_manifest(settings, tasks, "test"), FREE_ON_RESUME) as log:
            async with serve(port=0) as server, SharedBrowser() as browsers:
                await runner.run(
                    tasks, acting, settings, server=server, browsers=browsers, log=log, watcher=notes or Notes()
                )
    finally:
        await acting.close()
    return sorted(read_episodes(folder), key=lambda episode: (episode.task_id, episode.sample))


def first(calls: int, trouble: Callable[[], BaseException], then: str = FINISH) -> Callable[[Request], object]:
    """Trouble at the first so many calls, and then an answer."""
    left = [calls]

    def answer(request: Request) -> str | BaseException:
        left[0] -= 1
        return trouble() if left[0] >= 0 else then

    return answer


# --- what is put down --------------------------------------------------------------------------------------------


async def test_an_episode_is_put_down_with_everything_it_was(tmp_path: Path) -> None:
    notes = Notes()
    (episode,) = await do(tmp_path, (task(),), agents(Says(lambda request: FINISH)), notes, screenshots=True)
    assert (episode.end, episode.answer, episode.success, episode.attempts) == ("finished", "done", True, 1)
    (step,) = episode.steps
    assert step.action == Finish(answer="done")
    assert step.guide == "Finish here."
    assert step.raw == FINISH
    assert step.url == "http://shopping.localhost/"
    assert {"reset", "model"} <= step.timings.keys()
    seen = Observation.model_validate_json((tmp_path / step.observation).read_bytes())
    assert seen.url == step.url
    assert seen.candidates
    assert (tmp_path / step.screenshot).read_bytes().startswith(b"\x89PNG")
    assert Path(step.screenshot).stem != seen.screenshot.sha256 if seen.screenshot else False  # marks were drawn
    assert notes.begun == [(0, 1)]
    assert (notes.steps, notes.episodes) == (1, [episode])


async def test_without_screenshots_no_image_is_kept_or_shown(tmp_path: Path) -> None:
    model = Says(lambda request: FINISH)
    (episode,) = await do(tmp_path, (task(),), agents(model), screenshots=False)
    assert episode.steps[0].screenshot == ""
    assert model.requests[0].image is None
    assert not (tmp_path / "images").exists()


async def test_a_step_holds_its_target_and_what_came_of_it(tmp_path: Path) -> None:
    clicked = format_answer(Click(target=Mark(mark=1)), "Click the first thing.")
    model = Says(lambda request: clicked if request.step == 0 else FINISH)
    (episode,) = await do(tmp_path, (task(),), agents(model))
    click, finish = episode.steps
    assert click.target == model.requests[0].observation.candidate(1)
    assert {"act", "settle"} <= click.timings.keys()
    assert "observe" in finish.timings
    assert model.requests[1].memory == ("Click the first thing.",)


async def test_a_malformed_step_uses_budget_and_executes_nothing(tmp_path: Path) -> None:
    texts = ["no json at all", '{"action": "click", "target": [9999], "guide": "Click it."}', ""]
    model = Says(lambda request: texts[request.step] or ModelError("refusal", "it would not", text="No."))
    (episode,) = await do(tmp_path, (task(max_steps=3),), agents(model))
    assert (episode.end, episode.success, len(episode.steps)) == ("out_of_steps", False, 3)
    assert [step.faults[0].kind for step in episode.steps] == ["not_json", "bad_target", "refusal"]
    assert [step.outcome.code if step.outcome else "" for step in episode.steps] == ["malformed"] * 3
    assert [step.raw for step in episode.steps] == [*texts[:2], "No."]
    assert len({step.url for step in episode.steps}) == 1
    assert model.requests[2].memory == ("(an answer that could not be read)", "Click it.")


async def test_each_repetition_is_an_episode_with_a_seed_of_its_own(tmp_path: Path) -> None:
    model = Says(lambda request: FINISH)
    episodes = await do(tmp_path, (task(1), task(2)), agents(model, seed=5), epochs=3, seed=5, max_samples=1)
    assert [(episode.task_id, episode.sample) for episode in episodes] == [
        (name, sample) for name in ("t.1", "t.2") for sample in range(3)
    ]
    assert [request.sampling.seed for request in model.requests] == [5, 5, 6, 6, 7, 7]
    assert [request.task.id for request in model.requests] == ["t.1", "t.2"] * 3


async def test_workers_have_instances_of_the_sites_of_their_own(tmp_path: Path) -> None:
    tasks = tuple(task(number) for number in range(4))
    together = asyncio.Barrier(4)

    class Waits(Says):
        async def answer(self, request: Request) -> object:  # type: ignore[override]
            if request.step == 0:
                await together.wait()  # all four are in the middle of an episode at once, or this never ends
            return await super().answer(request)

    back = format_answer(GoBack(), "Go back to the page before.")
    model = Waits(lambda request: back if request.step == 0 else FINISH)
    episodes = await do(tmp_path, tasks, agents(model), max_samples=4)
    assert [episode.success for episode in episodes] == [True] * 4
    assert {step.url for episode in episodes for step in episode.steps} == {"http://shopping.localhost/"}


async def test_gold_solves_an_embedded_task_in_both_groundings(tmp_path: Path) -> None:
    tasks = all_tasks()[:1]
    for grounding in ("som", "coord"):
        config = RunConfig.model_validate({"grounding": grounding})
        (episode,) = await do(tmp_path / grounding, tasks, agents_for(config, tasks), grounding=grounding)
        assert episode.success, episode.check
        assert all(step.well_formed for step in episode.steps)


# --- what is begun anew ------------------------------------------------------------------------------------------


async def test_an_episode_is_begun_anew_after_an_infrastructure_error(tmp_path: Path) -> None:
    notes = Notes()
    model = Says(first(2, lambda: ModelUnavailable("gone")))  # type: ignore[arg-type]
    (episode,) = await do(tmp_path, (task(),), agents(model), notes)
    assert (episode.success, episode.attempts, len(episode.steps)) == (True, 3, 1)
    assert notes.retries == [("t.1", 0, "gone"), ("t.1", 0, "gone")]


async def test_an_episode_that_keeps_failing_is_put_down_as_such_and_the_others_go_on(tmp_path: Path) -> None:
    model = Says(lambda request: ModelUnavailable("gone") if request.task.id == "t.1" else FINISH)
    bad, good = await do(tmp_path, (task(1), task(2)), agents(model), retry_on_error=1)
    assert (bad.end, bad.check, bad.attempts, bad.error) == ("infrastructure_error", None, 2, "gone")
    assert good.success
    assert Counter(request.task.id for request in model.requests) == {"t.1": 2, "t.2": 1}


async def test_the_steps_of_an_attempt_that_failed_are_not_mixed_with_the_next(tmp_path: Path) -> None:
    back = format_answer(GoBack(), "Go back.")
    plan: list[str | BaseException] = [back, back, ModelUnavailable("gone"), FINISH]
    model = Says(lambda request: plan.pop(0))
    (episode,) = await do(tmp_path, (task(),), agents(model))
    assert len(episode.steps) == 1
    assert [path.name for path in (tmp_path / "steps" / "t.1" / "0").iterdir()] == ["00.json"]
    assert model.requests[-1].memory == ()


async def test_an_episode_that_hangs_runs_into_its_deadline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "EPISODE_SECONDS", 3)
    model = Hangs()
    (episode,) = await do(tmp_path, (task(),), agents(model), retry_on_error=0)
    assert episode.end == "infrastructure_error"
    assert episode.error == str(DeadlineExceeded("episode", 3))
    assert len(model.requests) == 1


async def test_a_bug_in_one_episode_is_put_down_with_its_place_and_ends_no_run(tmp_path: Path) -> None:
    model = Says(lambda request: ZeroDivisionError("a bug") if request.task.id == "t.1" else FINISH)
    bad, good = await do(tmp_path, (task(1), task(2)), agents(model), retry_on_error=0)
    assert bad.end == "infrastructure_error"
    assert bad.error.startswith("ZeroDivisionError: a bug (")
    assert good.success


@pytest.mark.parametrize("driver", [False, True])
async def test_a_browser_that_is_killed_is_replaced_and_the_episode_done_again(tmp_path: Path, driver: bool) -> None:
    killed: list[int] = []

    def answer(request: Request) -> str:
        if not killed:
            killed.extend(kill_chromium(driver=driver))
            return format_answer(GoBack(), "Go back.")
        return FINISH

    notes = Notes()
    tasks = tuple(task(number) for number in range(4))
    episodes = await do(tmp_path, tasks, agents(Says(answer)), notes, max_samples=1)
    assert [episode.success for episode in episodes] == [True] * 4, [episode.error for episode in episodes]
    assert killed
    # That the driver has died is seen only when the next context is to be opened.
    assert len(notes.retries) <= (2 if driver else 1)


async def test_episodes_that_fall_with_the_browser_of_another_do_not_pay_for_it(tmp_path: Path) -> None:
    """Three episodes are under way when the browser dies, and no retry is allowed: one pays, two are done again."""
    together = asyncio.Barrier(3)
    killed: list[int] = []

    class Kills(Says):
        async def answer(self, request: Request) -> object:  # type: ignore[override]
            if not killed:
                await together.wait()
                if not killed:
                    killed.extend(kill_chromium())
                return (await super().answer(request)).__class__(text=format_answer(GoBack(), "Go back."))
            return await super().answer(request)

    tasks = tuple(task(number) for number in range(3))
    episodes = await do(tmp_path, tasks, agents(Kills(lambda request: FINISH)), max_samples=3, retry_on_error=0)
    assert sum(episode.end == "infrastructure_error" for episode in episodes) <= 1, [e.error for e in episodes]
    assert sum(episode.success for episode in episodes) >= 2


def kill_chromium(*, driver: bool = False) -> list[int]:
    """Kill the browsers that this process started, or Playwright's driver, which stands between."""
    found: dict[int, tuple[int, list[bytes]]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                found[int(entry.name)] = (parent, (entry / "cmdline").read_bytes().split(b"\0"))
            except (FileNotFoundError, ProcessLookupError):
                continue

    def ours(pid: int) -> bool:
        while pid in found:
            pid = found[pid][0]
            if pid == os.getpid():
                return True
        return False

    def meant(words: list[bytes]) -> bool:
        return b"run-driver" in words if driver else b"--remote-debugging-pipe" in words

    browsers = [pid for pid, (_, words) in found.items() if meant(words) and ours(pid)]
    for pid in browsers:
        os.kill(pid, signal.SIGKILL)
    return browsers


# --- what ends a run ---------------------------------------------------------------------------------------------


async def test_an_error_that_only_the_user_can_mend_ends_the_run(tmp_path: Path) -> None:
    model = Says(lambda request: InputError("the key was revoked") if request.task.id == "t.2" else FINISH)
    tasks = tuple(task(number) for number in range(1, 5))
    with pytest.raises(InputError, match="revoked"):
        await do(tmp_path, tasks, agents(model), max_samples=1)
    assert [episode.task_id for episode in read_episodes(tmp_path)] == ["t.1"]


async def test_an_endpoint_that_is_gone_for_all_ends_the_run_and_costs_no_episode(tmp_path: Path) -> None:
    gone = ModelUnavailable("nobody answers")
    model = Says(lambda request: gone if request.task.id == "t.2" else FINISH, probe=gone)
    with pytest.raises(ModelUnavailable, match="nobody answers"):
        await do(tmp_path, (task(1), task(2), task(3)), agents(model), max_samples=1, retry_on_error=1)
    assert [episode.task_id for episode in read_episodes(tmp_path)] == ["t.1"]


async def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    tasks = (task(1), task(2), task(3))
    broken = Says(lambda request: InputError("stop") if request.task.id == "t.3" else FINISH)
    with pytest.raises(InputError, match="stop"):
        await do(tmp_path, tasks, agents(broken), max_samples=1)
    notes, model = Notes(), Says(lambda request: FINISH)
    episodes = await do(tmp_path, tasks, agents(model), notes)
    assert [episode.task_id for episode in episodes] == ["t.1", "t.2", "t.3"]
    assert [request.task.id for request in model.requests] == ["t.3"]
    assert notes.begun == [(2, 3)]
    again = Says(lambda request: FINISH)
    assert len(await do(tmp_path, tasks, agents(again))) == 3
    assert again.requests == []


async def test_a_run_that_is_cancelled_keeps_what_had_ended(tmp_path: Path) -> None:
    tasks = (task(1), task(2))
    reached = asyncio.Event()

    class Stops(Says):
        async def answer(self, request: Request) -> object:  # type: ignore[override]
            if request.task.id == "t.2":
                reached.set()
                await asyncio.Event().wait()
            return await super().answer(request)

    running = asyncio.create_task(do(tmp_path, tasks, agents(Stops(lambda request: FINISH)), max_samples=1))
    await reached.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    assert [json.loads(line)["task_id"] for line in (tmp_path / "episodes.jsonl").read_text().splitlines()] == ["t.1"]


async def test_a_stop_that_an_attempt_hides_ends_the_run_all_the_same(tmp_path: Path) -> None:
    begun = asyncio.Event()

    class Hides:
        """Its browser dies of the signal that ends the run, and the failure takes the place of the cancellation."""

        attempts = 0

        async def ready(self) -> None: ...
        async def probe(self) -> None: ...
        async def close(self) -> None: ...

        async def attempt(self, task: Task, sample: int) -> runner.Tried:
            self.attempts += 1
            begun.set()
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            return runner.lost(task, sample, None, "the browser is gone")

    tasks, settings, hands = (task(1), task(2)), RunConfig(screenshots=False), Hides()
    with RunLog.open(tmp_path, make_manifest(settings, tasks, "test"), FREE_ON_RESUME) as log:
        running = asyncio.create_task(runner.run_with(tasks, settings, [hands], log, Notes()))
        await begun.wait()
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(running, 20)
    assert hands.attempts == 1
    assert list(read_episodes(tmp_path)) == []
