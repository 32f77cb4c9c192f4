"""What is said of WebArena's tasks before anything starts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.harness.choose import choose_tasks
from guideact.tasks.webarena.setup import SITES
from guideact.tasks.webarena.tasks import RESPONSE
from tests.cli.calling import call, one_line

from .cases import CASES, raw_tasks
from .test_tasks import VERIFIED


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No site has an address, and no browser can be started."""
    for site in (*SITES, "homepage"):
        for name in (site.upper(), f"WA_{site.upper()}"):
            monkeypatch.delenv(name, raising=False)
    monkeypatch.delenv("WA_FULL_RESET", raising=False)
    monkeypatch.delenv("GUIDEACT_WEBARENA_VERIFIED", raising=False)
    monkeypatch.setenv("GUIDEACT_CHROMIUM", "/nope/chromium")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tasks.json"
    path.write_text(json.dumps(raw_tasks()), encoding="utf-8")
    return path


def test_the_tasks_of_a_file_are_listed(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "tasks", "--tasks", f"webarena:{file}", "--json")
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert len(rows) == 2 * len(CASES)
    assert rows[0] == {
        "id": "webarena.7000",
        "sites": ["shopping_admin"],
        "template_id": "webarena.template.0",
        "split": rows[0]["split"],
        "gold_steps": None,
        "intent": "What is the best-selling product?",
    }
    one = call(capsys, "tasks", "webarena.8000", "--tasks", f"webarena:{file}")
    assert one.out.splitlines() == [
        f"webarena.8000  {rows[1]['split']}, ? steps: What is the best-selling product?, please"
    ]
    unknown = call(capsys, "tasks", "webarena.1", "--tasks", f"webarena:{file}")
    assert "has no task 'webarena.1'" in one_line(unknown)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--address", *(f"{site}=http://h:1" for site in SITES)], "webarena.7003 and 3 more can only be judged by a"),
        (["--judge", "none"], "no address is known of shopping (needed by webarena.7001, webarena.8001 and"),
        (["--judge", "none", "--sites", "map"], "no address is known of map (needed by webarena.7016, webarena.8016)"),
        (["--sample-id", "webarena.9*"], "has no task 'webarena.9*'"),
        (["--sample-id", "webarena.7000", "--address", "shopping_admin=nowhere:0"], "which is no address"),
        (["--sample-id", "webarena.7000", "--webarena", "/nope.toml"], "--webarena /nope.toml cannot be read"),
        (["--sample-id", "webarena.7000", "--skin", "relabel-1"], "--skin dresses the embedded sites alone"),
        (["--sample-id", "webarena.7000", "--model", "scripted/gold"], "scripted/gold solves embedded tasks alone"),
    ],
)
def test_what_cannot_work_is_said_in_one_line_before_anything_starts(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    given = ["--tasks", f"webarena:{file}", "--log-dir", str(tmp_path / "run")]
    model = [] if "--model" in words else ["--model", "scripted/noop"]
    if "scripted/gold" in words:
        given += ["--address", "shopping_admin=http://h:1"]
    result = call(capsys, "run", *given, *model, *words)
    assert result.status == 2
    assert said in one_line(result)
    assert not (tmp_path / "run").exists()


def test_addresses_are_for_webarenas_tasks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = call(capsys, "run", "--address", "map=http://h", "--log-dir", str(tmp_path / "run"))
    assert "--webarena and --address are for WebArena's tasks" in one_line(result)


def test_tasks_of_webarena_verified_need_its_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "verified.json"
    path.write_text(json.dumps([VERIFIED]))
    addresses = ["--address", "map=http://h:1", "wikipedia=http://h:2"]
    result = call(capsys, "run", "--tasks", f"webarena:{path}", "--model", "scripted/noop", *addresses)
    assert "and webarena-verified is not there. Install webarena-verified in an environment of its own" in one_line(
        result
    )
    assert RESPONSE not in result.out


def test_tasks_are_chosen_by_pattern_and_without_a_judge(file: Path) -> None:
    def chosen(**config: object) -> list[str]:
        return [task.id for task in choose_tasks(RunConfig.model_validate({"tasks": f"webarena:{file}", **config}))]

    assert len(chosen()) == 2 * len(CASES)
    assert len(chosen(judge="none")) == 2 * (len(CASES) - 2)
    assert chosen(sample_id=["webarena.700[01]"]) == ["webarena.7000", "webarena.7001"]
    assert len(chosen(limit=3)) == 3
