"""The command line as such: help at once, errors on one line, exit statuses, flags and variables and files."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.app import command_line
from guideact.config import RunConfig

from .calling import call, one_line

HEAVY = ("cyclopts", "pydantic", "rich", "httpx", "playwright", "starlette", "scipy", "matplotlib", "sacrebleu")


def modules_after(code: str) -> list[str]:
    """Which of the heavy packages a fresh Python has loaded after running some code."""
    report = f"\nimport sys\nsys.stderr.write(' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=True)
    return done.stderr.split()


@pytest.mark.parametrize("flag", ["--help", "-h", "--version"])
def test_a_first_look_loads_nothing_heavy(flag: str) -> None:
    assert modules_after(f"from guideact.cli import main\nmain([{flag!r}])") == []


def test_the_help_of_a_verb_loads_no_browser_and_no_sites() -> None:
    code = "from guideact.cli import main\ntry:\n    main(['run', '--help'])\nexcept SystemExit:\n    pass"
    assert set(modules_after(code)) <= {"cyclopts", "pydantic", "rich"}


def test_help_names_every_verb(capsys: pytest.CaptureFixture[str]) -> None:
    for words in ((), ("--help",), ("-h",)):
        said = call(capsys, *words)
        assert said.status == 0
        assert all(f"  {verb} " in said.out and says in said.out for verb, says in VERBS.items())


def test_every_verb_has_help_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    for verb in (*VERBS, "tasks prove", "gold record"):
        said = call(capsys, *verb.split(), "--help")
        assert said.status == 0
        assert said.out.startswith(f"Usage: guideact {verb}")


def test_every_setting_has_a_flag_with_a_text(capsys: pytest.CaptureFixture[str]) -> None:
    said = call(capsys, "run", "--help")
    for name, field in RunConfig.model_fields.items():
        assert f"--{name.replace('_', '-')}" in said.out
        assert field.description


def test_the_version_is_the_packages(capsys: pytest.CaptureFixture[str]) -> None:
    assert call(capsys, "--version").out == "guideact 0.1.0\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bogus"], 'Unknown command "bogus"'),
        (["bogus"], " `guideact --help` lists what there is."),
        (["tasks", "bogus", "--blah"], "Unknown option: --blah. `guideact tasks --help` lists what there is."),
        (["run", "--blah"], "Unknown option: --blah. `guideact run --help` lists what there is."),
        (["sites", "--port", "80000"], "port 80000 is none: they go from 0 to 65535. Give another one with --port"),
        (["run", "--limt", "3"], "Unknown option: --limt. Did you mean --limit?"),
        (
            ["run", "--limit", "x"],
            "--limit 'x': input should be a valid integer, unable to parse string as an integer. Give a whole number.",
        ),
        (["run", "--limit", "0"], "--limit '0': input should be greater than or equal to 1. Give 1 or more."),
        (["run", "--epochs", "0"], "--epochs '0': input should be greater than or equal to 1. Give 1 or more."),
        (["run", "--memory", "all"], "--memory 'all': input should be 'guides'"),
        (["run", "--config", "/nope.toml"], "--config /nope.toml cannot be read: No such file"),
        (["run", "--sites", "shoping"], "there is no site 'shoping'. Did you mean shopping?"),
        (["run", "--model", "gpt-4o"], "there is no model 'gpt-4o'"),
        (["run", "--model", "scripted/best"], "there is no model scripted/best"),
        (["run", "--sample-id", "no.such"], "there is no task 'no.such'"),
        (["run", "--tasks", "/nope.json"], "there is no task file /nope.json"),
        (["run", "--model", "openai/m", "--model-base-url", "host"], "--model-base-url 'host' is no address"),
        (["score"], "RUN requires an argument"),
        (["score", "/nope"], "/nope is no run: it holds no run.json"),
        (["score", "/nope", "--gamma", "2"], "--gamma 2 is not between 0 and 1"),
        (["compare", "/nope", "/nope"], "/nope is no run"),
        (["report", "/nope"], "/nope is no run"),
        (["tasks", "no.such"], "there is no task 'no.such'"),
        (["tasks", "prove"], "no task is named"),
        (["tasks", "prove", "--sample", "0"], "--sample 0"),
        (["gold", "record", "no.such"], "there is no task 'no.such'"),
    ],
)
def test_what_the_user_can_mend_is_one_line_and_status_two(
    capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    result = call(capsys, *words)
    assert result.status == 2
    assert result.out == ""
    assert said in one_line(result)
    assert len(result.err.splitlines()) == 1


def test_a_task_file_with_a_wrong_field_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    task = {"id": "a", "intent": "x", "sites": ["shopping"], "start_url": "__SHOPPING__/", "chek": {}}
    path.write_text(json.dumps([task]))
    result = call(capsys, "run", "--tasks", str(path))
    assert result.status == 2
    assert "task 1 (a): unknown field 'chek'. Did you mean 'check'?" in one_line(result)


@pytest.mark.parametrize("verb", ["score", "report"])
def test_a_damaged_run_is_named_with_file_line_and_fix(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, verb: str
) -> None:
    manifest = {"format": 1, "model": "m", "grounding": "som", "memory": "none", "config": {}, "tasks": ["a"]}
    (tmp_path / "run.json").write_text(json.dumps(manifest))
    episodes = tmp_path / "episodes.jsonl"
    episodes.write_text("{broken \x1b[31m\n{}\n")
    result = call(capsys, verb, str(tmp_path))
    assert result.status == 2
    assert one_line(result).startswith(f"line 1 of {episodes} is no episode: Invalid JSON: ")
    assert one_line(result).endswith("Delete that line: the run then does the episode again.")
    (tmp_path / "run.json").write_text(json.dumps({**manifest, "new": 1}))
    said = one_line(call(capsys, verb, str(tmp_path)))
    assert said.startswith(f"{tmp_path / 'run.json'} is damaged: new: Extra inputs are not permitted. Mend it")


def test_nothing_that_is_quoted_can_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    from rich.table import Table

    from guideact.cli.show import complain, note, say, show

    hostile = "a\x1b[2J\x07\x9b31m\r\x7f\ud800\tb\nc"
    plain = r"a\u001b[2J\u0007\u009b31m\u000d\u007f\ud800" + "\tb\nc\n"
    say(hostile)
    assert capsys.readouterr().out == plain
    for write in (note, complain):
        write(hostile)
        assert capsys.readouterr().err == plain
    table = Table("Name\x1b]0;x\x07")
    table.add_row("cell\x1b[2J\x9b")
    show(table)
    out = capsys.readouterr().out
    assert r"cell\u001b[2J\u009b" in out
    assert not set("\x1b\x07\x9b") & set(out)


def test_a_line_of_json_says_the_same_when_it_is_cleaned() -> None:
    from guideact.cli.show import clean

    found = {"title": "a\x9b\x1b\x7f\n"}
    assert json.loads(clean(json.dumps(found, ensure_ascii=False))) == found


def test_debugging_shows_the_traceback(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    from guideact.errors import InputError

    monkeypatch.setenv("GUIDEACT_DEBUG", "1")
    with pytest.raises(InputError, match="no task is named"):
        call(capsys, "tasks", "prove")


# --- where settings come from ------------------------------------------------------------------------------------


def settings(*words: str) -> RunConfig:
    """What `guideact run` with these words would be told."""
    app = command_line()
    _, bound, _ = app.parse_args(["run", *words], exit_on_error=False, print_error=False)
    found = bound.arguments.get("settings")
    return found if isinstance(found, RunConfig) else RunConfig()


def test_a_flag_wins_over_a_variable_and_a_variable_over_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.toml"
    path.write_text(
        'limit = 1\nseed = 1\nmodel = "scripted/noop"\nsites = ["shopping"]\nscreenshots = false\nretry_on_error = 9\n'
    )
    monkeypatch.setenv("GUIDEACT_LIMIT", "2")
    monkeypatch.setenv("GUIDEACT_SEED", "2")
    monkeypatch.setenv("GUIDEACT_API_KEY", "sk-not-a-setting")
    monkeypatch.setenv("GUIDEACT_CHROMIUM", "/not/a/setting")
    found = settings("--config", str(path), "--limit", "3")
    assert (found.limit, found.seed, found.model) == (3, 2, "scripted/noop")
    assert (found.sites, found.screenshots, found.retry_on_error) == (("shopping",), False, 9)


def test_all_settings_can_be_flags() -> None:
    words = "--model m --temperature 0.5 --max-tokens 9 --seed 4 --grounding coord --memory none --no-screenshots "
    words += "--tasks t.json --sites a b --split all --sample-id x y --limit 2 --epochs 3 --max-samples 5 "
    words += "--retry-on-error 0 --log-dir d --model-base-url http://h/v1 --judge j --judge-base-url http://j/v1"
    assert settings(*words.split()) == RunConfig(
        model="m",
        temperature=0.5,
        max_tokens=9,
        seed=4,
        grounding="coord",
        memory="none",
        screenshots=False,
        tasks=Path("t.json"),
        sites=("a", "b"),
        split="all",
        sample_id=("x", "y"),
        limit=2,
        epochs=3,
        max_samples=5,
        retry_on_error=0,
        log_dir=Path("d"),
        model_base_url="http://h/v1",
        judge="j",
        judge_base_url="http://j/v1",
    )


def test_several_values_may_be_given_one_by_one() -> None:
    assert settings("--sites", "a", "--sites", "b").sites == ("a", "b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limt = 3", "run.toml: 'limt' is not a setting. Did you mean 'limit'?"),
        ("limit = 3\nmax_sample = 3", "run.toml: 'max_sample' is not a setting. Did you mean 'max_samples'?"),
        ("[run]\nlimit = 3", "run.toml: 'run' is not a setting. `guideact run --help` lists what there is."),
        ("[limit]\nof = 3", "run.toml: 'limit' is a table. Give it a value: limit = ..."),
        ("zzz = 3", "run.toml: 'zzz' is not a setting. `guideact run --help` lists what there is."),
        ("limit = ", "is no TOML: Invalid value"),
        ("limit = 0", "run.toml: limit '0': input should be greater"),
        ('max_samples = "many"', "run.toml: max_samples 'many': input should be a valid integer"),
    ],
)
def test_a_file_with_a_mistake_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, said: str
) -> None:
    path = tmp_path / "run.toml"
    path.write_text(text)
    result = call(capsys, "run", "--config", str(path))
    assert result.status == 2
    assert said in one_line(result)


def test_a_variable_with_a_mistake_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUIDEACT_MAX_SAMPLES", "100")
    result = call(capsys, "run")
    assert result.status == 2
    assert one_line(result).startswith("GUIDEACT_MAX_SAMPLES '100': input should be less than or equal to 64")
    assert one_line(call(capsys, "run", "--max-samples=0")).startswith("--max-samples '0': ")


@pytest.mark.parametrize("words", [("--model-base-url", ""), ("--model-base-url=",), ("--log-dir", "")])
def test_a_flag_that_says_nothing_is_refused(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    # As a shell gives it for a variable that is not set: the provider's own address is not meant, nor this folder.
    result = call(capsys, "run", *words)
    assert result.status == 2
    assert f"{words[0].rstrip('=')} is empty" in one_line(result)


def test_a_variable_that_says_nothing_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GUIDEACT_MODEL_BASE_URL", "")
    assert "GUIDEACT_MODEL_BASE_URL is empty" in one_line(call(capsys, "run"))


def test_the_app_knows_the_verbs_that_help_lists() -> None:
    assert {name for name in command_line() if not name.startswith("-")} == set(VERBS)
    assert isinstance(command_line(), App)
