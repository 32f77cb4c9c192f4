"""`guideact run` with the models of providers: what is said before anything starts, and a run that is paid for once."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.actions import format_answer
from guideact.harness.read import read_run
from guideact.types import Finish
from tests.models.dialects import ANTHROPIC, serving
from tests.models.wire import KEY, message

from .calling import call, one_line, spawn

FINISH = format_answer(Finish(answer="done"), "Finish here: the page says that it is done.")
VARIABLES = ("GUIDEACT_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture
def tasks(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    common = {"sites": ["shopping"], "start_url": "__SHOPPING__/", "check": {"answer": {"expected": ["done"]}}}
    path.write_text(json.dumps([{"id": f"t.{n}", "intent": f"Say that {n} is done", **common} for n in "12"]))
    return path


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "anthropic/m"], "anthropic/m needs a key. Set GUIDEACT_API_KEY (or ANTHROPIC_API_KEY)"),
        (["--model", "google/m"], "google/m needs a key. Set GUIDEACT_API_KEY (or GEMINI_API_KEY or GOOGLE_API_KEY)"),
        (["--model", "scripted/noop", "--structured-output"], "cannot be held to a schema. Leave out --structured-out"),
        (["--model", "scripted/gold", "--reasoning-effort", "low"], "Leave out --reasoning-effort"),
        (["--model", "anthropic/m", "--seed", "4"], "anthropic/m takes no seed. Leave out --seed"),
        (
            ["--model", "anthropic/m", "--temperature", "0", "--reasoning-effort", "low"],
            "no temperature while it reasons",
        ),
        (["--model", "google/gemini-2.5-pro", "--reasoning-effort", "max"], "one of none, minimal, low, medium, high"),
        (["--model", "openai/m", "--reasoning-effort", "lots"], "--reasoning-effort 'lots': input should be 'none'"),
        (["--model", "openai/m", "--max-connections", "0"], "--max-connections '0': input should be greater"),
        (["--model", "openai/m", "--prices", "/nope.toml"], "/nope.toml cannot be read"),
        (["--model", "openai/m", "--cache", "/proc/guideact/a"], "/proc/guideact/a cannot be opened"),
        (["--model", "cohere/m"], "openai/NAME, anthropic/NAME or google/NAME"),
        (["--model", "scripted/noop", "--judge", "cohere/m"], "Use --judge with openai/NAME, anthropic/NAME or"),
    ],
)
def test_what_cannot_work_is_said_before_anything_starts(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    tasks: Path,
    words: list[str],
    said: str,
) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("GUIDEACT_CHROMIUM", "/nope/chromium")
    if "needs a key" not in said:
        words = [*words, "--model-base-url", "http://127.0.0.1:9/v1"]
    chosen = [] if "scripted/gold" in words else ["--tasks", str(tasks)]
    result = call(capsys, "run", *words, *chosen, "--log-dir", str(tmp_path / "run"))
    assert result.status == 2
    assert said in one_line(result)
    assert not (tmp_path / "run").exists()


def holding(text: str, folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file() and text.encode() in path.read_bytes()]


async def test_a_run_is_paid_for_once_and_says_what_it_cost(tmp_path: Path, tasks: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('date = 2026-11-30\n[models."anthropic/claude-x"]\ninput = 2.0\noutput = 10.0\n')
    async with serving(ANTHROPIC, message(FINISH)) as there:
        words = ["run", "--model", "anthropic/claude-x", "--model-base-url", there.url, "--tasks", str(tasks)]
        words += ["--no-screenshots", "--structured-output", "--max-connections", "1", "--prices", str(prices)]
        words += ["--cache", str(tmp_path / "answers.sqlite")]
        runs = [tmp_path / name for name in "ab"]
        said = [await spawn(*words, "--log-dir", str(run), ANTHROPIC_API_KEY=KEY) for run in runs]
        assert [each.status for each in said] == [0, 0], said
        # Each run probes; the answers to the two tasks were asked for once.
        assert len(there.bodies) == 4
        assert all("output_config" in body for body in there.bodies)
        assert there.most_in_flight == 1
    once = (1300 * 2 + 42 * 10) / 1e6
    usages = [[step.usage for episode in read_run(run).episodes for step in episode.steps] for run in runs]
    assert [usage.cost for usage in usages[0] if usage] == pytest.approx([once, once])
    assert [(usage.cost, usage.from_cache) for usage in usages[1] if usage] == [(0, True), (0, True)]
    assert f"Cost: US$ {2 * once:.4f}, US$ {once:.4f} per solved attempt, at prices of 2026-11-30" in said[0].out
    assert "2 of 2 answers came from the response cache, at no cost" in " ".join(said[1].out.split())
    assert "OFCR       well-formed, constrained" in said[0].out
    report = (runs[0] / "report.html").read_text()
    assert "decoding constrained" in report
    assert f"US$ {once:.4f}" in report
    assert holding(KEY, tmp_path) == []
    assert KEY not in "".join(each.out + each.err for each in said)
