"""How a run shows that it gets on."""

from __future__ import annotations

import io
import shlex
import sys

import pytest

from guideact.cli.live import LiveWatcher
from guideact.cli.progress import Counts, PlainWatcher, result, watcher
from guideact.cli.run import again, new_folder
from guideact.types import CheckPart, CheckResult, Episode


def episode(passed: bool | None, *, task: str = "t.1", sample: int = 0, reason: str = "") -> Episode:
    parts = (CheckPart(part="answer", passed=bool(passed), reason=reason),)
    return Episode(
        task_id=task,
        sample=sample,
        end="infrastructure_error" if passed is None else "finished",
        check=None if passed is None else CheckResult(passed=passed, parts=parts),
        error="the site answered 503" if passed is None else "",
        attempts=3 if passed is None else 1,
    )


def test_the_counts_hold_what_was_done_before() -> None:
    counts = Counts()
    counts.begin({("a", 0): True, ("b", 0): False}, 6)
    assert counts.line().startswith("2/6 episodes, SR 0.500 so far, 0 errors, 0.0 steps/s")
    assert "left" not in counts.line()
    counts.episode(episode(True))
    assert counts.line().startswith("3/6 episodes, SR 0.667 so far, 0 errors")
    assert counts.line().endswith("left")


def test_nothing_is_scored_before_anything_was() -> None:
    counts = Counts()
    counts.begin({}, 2)
    counts.episode(episode(None))
    assert counts.line().startswith("1/2 episodes, no score yet, 1 error")


def test_plain_lines_are_whole_and_one_an_episode() -> None:
    out = io.StringIO()
    watching = PlainWatcher(out)
    watching.begin({("t.0", 0): True}, 4, 0)
    watching.step()
    watching.episode(episode(True))
    watching.retry(("t.2", 1), "the site answered 503", 120.0)
    watching.retry(("t.2", 1), "the browser died", 0.0)
    watching.episode(episode(False, task="t.2", sample=1, reason="the answer is\n'x'"))
    watching.episode(episode(None, task="t.3"))
    lines = out.getvalue().splitlines()
    assert lines[0] == "1 of 4 episodes are finished already: going on from there."
    assert lines[1].startswith("t.1: solved in 0 steps. 2/4 episodes, SR 1.000 so far, 0 errors, ")
    assert lines[2] == "t.2 (repetition 2): begun anew in 2 min 0 s: the site answered 503"
    assert lines[3] == "t.2 (repetition 2): begun anew: the browser died"
    assert lines[4].startswith("t.2 (repetition 2): not solved in 0 steps: the answer is 'x'. 3/4 episodes, SR 0.667")
    assert lines[5].startswith("t.3: infrastructure error after 3 attempts: the site answered 503. 4/4 episodes")


def test_episodes_that_are_done_again_are_counted_on_one_line() -> None:
    out, terminal = io.StringIO(), Terminal()
    PlainWatcher(out).begin({("t.0", 0): True}, 40, 2)
    assert out.getvalue() == (
        "1 of 40 episodes are finished already: going on from there. "
        "Done again: 2 that ended in an infrastructure error (now in redone.jsonl).\n"
    )
    with LiveWatcher(terminal) as watching:
        watching.begin({}, 40, 2)
    assert "Done again: 2 that" in terminal.getvalue()


def test_a_long_reason_is_cut_to_the_width_and_the_counts_and_errors_stay_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "140")
    out = io.StringIO()
    watching = PlainWatcher(out)
    watching.begin({}, 2, 0)
    watching.episode(episode(False, reason=f"missing: insert contact, body={'x' * 400}"))
    long = "the endpoint said " + "y" * 400
    watching.episode(episode(None, task="t.3").model_copy(update={"error": long}))
    failed, lost = out.getvalue().splitlines()
    assert len(failed) == 140
    assert failed.startswith("t.1: not solved in 0 steps: missing: insert contact, body=xxxx")
    assert "x…. 1/2 episodes, SR 0.000 so far, 0 errors" in failed
    assert long in lost


def test_out_of_steps_is_said() -> None:
    ended = episode(False).model_copy(update={"end": "out_of_steps"})
    assert result(ended) == "out of steps"


def test_what_is_no_terminal_gets_plain_lines() -> None:
    with watcher(io.StringIO()) as watching:
        assert isinstance(watching, PlainWatcher)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_gets_a_moving_line_and_errors_stay_above_it() -> None:
    out = Terminal()
    with watcher(out) as watching:
        assert isinstance(watching, LiveWatcher)
        watching.begin({}, 2, 0)
        watching.step()
        watching.retry(("t.1", 0), "[red]not markup[/red]", 0.0)
        watching.episode(episode(None))
        watching.episode(episode(True, task="t.2"))
    text = out.getvalue()
    assert "t.1: begun anew: [red]not markup[/red]" in text
    assert "t.1: infrastructure error after 3 attempts: the site answered 503" in text
    assert "2/2 episodes" in text


def test_a_new_folder_is_named_by_time_and_model(tmp_path) -> None:  # type: ignore[no-untyped-def]
    first = new_folder("openai/Qwen/Qwen3.5-9B", tmp_path)
    assert first.parent == tmp_path
    assert first.name.endswith("-openai-Qwen-Qwen3.5-9B")
    first.mkdir()
    assert new_folder("openai/Qwen/Qwen3.5-9B", tmp_path) != first


def test_the_command_that_goes_on_names_the_folder_once(tmp_path) -> None:  # type: ignore[no-untyped-def]
    argv = [".my venv/bin/guideact", "run", "--sample-id", "a b"]
    assert again(argv, tmp_path / "r") == f"'.my venv/bin/guideact' run --sample-id 'a b' --log-dir {tmp_path}/r"
    assert again([*argv, "--log-dir", "x"], tmp_path / "r").endswith("guideact' run --sample-id 'a b' --log-dir x")


def test_the_command_that_goes_on_is_a_module_where_it_was_one(tmp_path) -> None:  # type: ignore[no-untyped-def]
    said = again(["/lib/guideact/__main__.py", "run"], tmp_path)
    assert said == shlex.join([sys.executable, "-m", "guideact", "run", "--log-dir", str(tmp_path)])


def test_what_an_endpoint_said_cannot_steer_the_terminal() -> None:
    out = io.StringIO()
    PlainWatcher(out).retry(("t.1", 0), "\x1b]0;title\x07\x1b[2J gone", 0.0)
    assert "\x1b" not in out.getvalue()
    assert "gone" in out.getvalue()
    shown = io.StringIO()
    with LiveWatcher(shown) as live:
        live.retry(("t.1", 0), "\x1b]0;title\x07 gone", 0.0)
    assert "\x1b]0;" not in shown.getvalue()
    assert "gone" in shown.getvalue()
