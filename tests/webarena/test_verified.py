"""What WebArena-Verified's evaluator reads, and its verdicts where its program is to be had."""

from __future__ import annotations

import json
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from guideact.errors import BrowserError, InfrastructureError, InputError
from guideact.harness.read import read_run
from guideact.tasks.webarena import verified
from guideact.tasks.webarena.setup import Setup
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.types import CheckResult
from guideact.webarena import Record, WebArenaEnv
from tests.cli.calling import spawn
from tests.models.endpoint import endpoint

from .answers import Script, answering
from .standin import serve_standin

DONE = json.dumps({"task_type": "MUTATE", "status": "SUCCESS", "retrieved_data": None, "error_details": None})
SHOWN = json.dumps({"task_type": "NAVIGATE", "status": "SUCCESS", "retrieved_data": None, "error_details": None})


@pytest.mark.parametrize(
    ("answer", "changed", "said"),
    [
        ("", False, ("NAVIGATE", "SUCCESS", None)),
        ("", True, ("MUTATE", "SUCCESS", None)),
        ("Quest Band", False, ("RETRIEVE", "SUCCESS", ["Quest Band"])),
        ("12", False, ("RETRIEVE", "SUCCESS", [12])),
        ('["a", "b"]', False, ("RETRIEVE", "SUCCESS", ["a", "b"])),
        ('{"month": "May"}', False, ("RETRIEVE", "SUCCESS", [{"month": "May"}])),
        ("n/a", False, ("RETRIEVE", "NOT_FOUND_ERROR", None)),
        (DONE, False, ("MUTATE", "SUCCESS", None)),
    ],
)
def test_an_answer_as_the_evaluator_wants_it(answer: str, changed: bool, said: tuple[str, str, Any]) -> None:
    response = verified.response_of(answer, changed)
    assert (response["task_type"], response["status"], response["retrieved_data"]) == said


def entry(url: str, **more: Any) -> dict[str, Any]:
    request = {"method": "GET", "url": url, "headers": [], "cookies": [], **more.pop("request", {})}
    response = {"status": 200, "headers": [], "cookies": [], "content": {}, **more.pop("response", {})}
    return {"request": request, "response": response}


def test_a_recording_lets_nobody_sign_in() -> None:
    secret = "s3cret-word"
    form = f"_username=me&_password={secret}&title=a"
    har = {
        "log": {
            "entries": [
                entry("http://h/a.css?v=1"),
                entry(
                    "http://h/login",
                    request={
                        "method": "POST",
                        "headers": [
                            {"name": "Cookie", "value": f"PHPSESSID={secret}; _osm_directions_engine=car"},
                            {"name": "Authorization", "value": f"Bearer {secret}"},
                            {"name": "Referer", "value": "http://h/"},
                        ],
                        "cookies": [{"name": "PHPSESSID", "value": secret}],
                        "postData": {
                            "mimeType": "application/x-www-form-urlencoded",
                            "text": form,
                            "params": [{"name": "_password", "value": secret}, {"name": "title", "value": "a"}],
                        },
                    },
                    response={
                        "headers": [{"name": "Set-Cookie", "value": f"PHPSESSID={secret}; path=/\nmage-messages=hi"}],
                        "cookies": [{"name": "mage-messages", "value": "hi"}, {"name": "sid", "value": secret}],
                        "content": {"mimeType": "text/html", "text": f"<p>{secret}</p>"},
                    },
                ),
                entry("http://h/api", response={"content": {"mimeType": "application/json", "text": '{"stars": 1}'}}),
                entry(
                    "http://h/json",
                    request={"postData": {"mimeType": "application/json", "text": json.dumps({"password": secret})}},
                ),
            ]
        }
    }
    cleaned = verified.cleaned(har)
    assert secret not in json.dumps(cleaned)
    login, api, _ = cleaned["log"]["entries"]
    assert [header["value"] for header in login["request"]["headers"]] == [
        "PHPSESSID=(cut); _osm_directions_engine=car",
        "(cut)",
        "http://h/",
    ]
    assert login["request"]["postData"]["text"] == "_username=me&_password=(cut)&title=a"
    assert login["response"]["headers"][0]["value"] == "PHPSESSID=(cut); path=/\nmage-messages=hi"
    assert login["response"]["cookies"][0]["value"] == "hi"
    assert "text" not in login["response"]["content"]
    assert api["response"]["content"]["text"] == '{"stars": 1}'
    assert json.dumps(har).count(secret) == 9  # the recording itself is left as it was


SITES = Setup(addresses={"shopping": "http://h:7770"})


def recording(folder: Path) -> Path:
    har = folder / "recorded.har"
    har.write_text(json.dumps({"log": {"entries": [entry("http://h:7770/")]}}), encoding="utf-8")
    return har


def test_what_the_evaluator_reads_is_written(tmp_path: Path) -> None:
    verified.write_output(tmp_path / "out", 7, "12", recording(tmp_path), SITES)
    assert json.loads((tmp_path / "out" / "7" / verified.RESPONSE).read_text())["retrieved_data"] == [12]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["7", verified.CONFIG]


def test_a_folder_that_cannot_be_written_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match=r"out/7 cannot be written: .*the same command goes on"):
        verified.write_output(tmp_path / "out", 7, "12", recording(tmp_path), SITES)


@pytest.mark.parametrize("recorded", [None, "", "{}", '{"log": {"entries": [{"request": {}}]}}'])
def test_a_recording_that_is_missing_or_broken_is_the_browsers_failure(tmp_path: Path, recorded: str | None) -> None:
    if recorded is not None:
        (tmp_path / "recorded.har").write_text(recorded)
    with pytest.raises(BrowserError, match="the browser's recording of task 7 cannot be read"):
        verified.write_output(tmp_path / "out", 7, "12", tmp_path / "recorded.har", SITES)
    assert not (tmp_path / "out").exists()


async def test_the_output_is_written_with_the_verdict_and_not_at_the_close(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def judged(*_: object) -> CheckResult:
        return CheckResult(passed=True)

    place = SimpleNamespace(setup=SITES)
    env = WebArenaEnv(None, place, record=Record(tmp_path / "out"))  # type: ignore[arg-type]
    monkeypatch.setattr(env, "_judged", judged)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / verified.HAR).write_bytes(recording(tmp_path).read_bytes())
    page = "__SHOPPING__"
    task = WebArenaTask(
        id="t", intent="Look", sites=("shopping",), start_url=page, number=7, start_urls=(page,), kind="retrieve"
    )
    env._task, env._over, env._scratch = task, True, scratch
    assert (await env.check()).passed
    assert (tmp_path / "out" / "7" / verified.RESPONSE).exists()
    (tmp_path / "out" / "7" / verified.RESPONSE).unlink()
    assert (await env.check()).passed
    await env.close()
    assert not (tmp_path / "out" / "7" / verified.RESPONSE).exists()
    assert not scratch.exists()


def test_verdicts() -> None:
    part = {"evaluator_name": "AgentResponseEvaluator", "score": 0, "assertions": [{"assertion_msgs": ["no", "not"]}]}
    result = verified.verdict_of({"status": "failure", "score": 0, "evaluators_results": [part]}, 1)
    assert not result.passed
    assert (result.parts[0].part, result.parts[0].reason) == ("AgentResponseEvaluator", "no; not")
    assert verified.verdict_of({"status": "success", "score": 1.0, "evaluators_results": []}, 1).passed
    with pytest.raises(InfrastructureError, match="failed on task 1: it broke"):
        verified.verdict_of({"status": "error", "error_msg": "it broke", "score": 0}, 1)


async def test_a_program_without_a_verdict_is_the_surroundings_failure(tmp_path: Path) -> None:
    program = tmp_path / "evaluator"
    program.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    program.chmod(0o755)
    (tmp_path / "7").mkdir()
    with pytest.raises(InfrastructureError, match="gave no verdict on task 7: broken"):
        await verified.score(str(program), tmp_path, 7)


def test_a_missing_program_is_told_before_anything_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(verified.VARIABLE, "/nope/webarena-verified")
    with pytest.raises(InputError, match="set GUIDEACT_WEBARENA_VERIFIED"):
        verified.find_program()


# --- with the evaluator itself ----------------------------------------------------------------------------------


def block(kind: str, data: Any = None, schema: Any = None) -> dict[str, Any]:
    return {
        "evaluator": "AgentResponseEvaluator",
        "results_schema": schema or {"type": "null"},
        "expected": {"task_type": kind, "status": "SUCCESS", "retrieved_data": data},
    }


def event(url: str, **expected: Any) -> dict[str, Any]:
    return {"evaluator": "NetworkEventEvaluator", "expected": {"url": url, **expected}}


STRINGS = {"type": "array", "items": {"type": "string"}}
TASKS: dict[str, tuple[tuple[str, ...], list[dict[str, Any]], Script, Script]] = {
    "Get the best-selling product": (
        ("shopping_admin",),
        [block("retrieve", ["Push It Messenger Bag"], STRINGS)],
        (
            (
                "finish",
                json.dumps({**json.loads(DONE), "task_type": "RETRIEVE", "retrieved_data": ["Push It Messenger Bag"]}),
            ),
        ),
        (("finish", json.dumps({**json.loads(DONE), "task_type": "RETRIEVE", "retrieved_data": ["Another Bag"]})),),
    ),
    "Open my todos page": (
        ("gitlab",),
        [block("navigate"), event("__GITLAB__/dashboard/todos")],
        (("click", "To-Do List"), ("finish", SHOWN)),
        (("click", "dotfiles"), ("finish", SHOWN)),
    ),
    "Put the red candles into the cart": (
        ("shopping",),
        [
            block("mutate"),
            event(
                "^__SHOPPING__/checkout/cart/add/uenc/.*/product/12$",
                http_method="POST",
                post_data={"qty": "1", "key": "red-candle-12-pack"},
                response_status=302,
                response_cookies={"mage-messages": "^.*You added it to your cart.*$"},
            ),
        ],
        (("click", "Red Candle"), ("click", "Add Red"), ("finish", DONE)),
        (("click", "Blue Candle"), ("click", "Add Blue"), ("finish", DONE)),
    ),
    "Star the dotfiles": (
        ("gitlab",),
        [
            block("mutate"),
            event(
                "__GITLAB__/byteblaze/dotfiles/toggle_star.json", http_method="POST", response_content={"star_count": 1}
            ),
        ],
        (("click", "dotfiles"), ("click", "Star"), ("finish", DONE)),
        (("click", "dotfiles"), ("finish", DONE)),
    ),
    "Search for CMU by car": (
        ("map",),
        [
            block("navigate"),
            event("__MAP__/search?query=CMU", headers={"Cookie": "^.*_osm_directions_engine=fossgis_osrm_car.*$"}),
        ],
        (("type", "Search", "CMU"), ("enter",), ("finish", SHOWN)),
        (("type", "Search", "MIT"), ("enter",), ("finish", SHOWN)),
    ),
}


@pytest.mark.slow
@pytest.mark.skipif(verified.VARIABLE not in os.environ, reason=f"{verified.VARIABLE} names no program")
async def test_its_own_evaluator_scores_our_runs(tmp_path: Path) -> None:
    program = Path(verified.find_program())
    (published,) = program.parent.parent.glob(
        "lib/python*/site-packages/webarena_verified/assets/dataset/*-verified.json"
    )
    # The evaluator takes none but a whole file: ours stand at its end.
    rows = json.loads(published.read_text(encoding="utf-8"))[: -2 * len(TASKS)]
    scripts: dict[str, Script] = {}
    for number, (intent, (sites, checks, right, wrong)) in enumerate(TASKS.items()):
        for base, script in ((7000, right), (8000, wrong)):
            named = intent if base == 7000 else f"{intent}, please"
            rows.append(
                {
                    "sites": list(sites),
                    "task_id": base + number,
                    "intent_template_id": number,
                    "start_urls": [f"__{sites[0].upper()}__"],
                    "intent": named,
                    "intent_template": named,
                    "instantiation_dict": {},
                    "eval": checks,
                    "revision": 1,
                }
            )
            scripts[named] = script
    file = tmp_path / "verified.json"
    file.write_text(json.dumps(rows))
    async with serve_standin() as there, endpoint(answering(scripts)) as model:
        words = ["--model", "openai/agent", "--model-base-url", model.url, "--no-screenshots", "--max-samples", "2"]
        log = ["--log-dir", str(tmp_path / "run")]
        chosen = ["--tasks", f"webarena:{file}", "--sample-id", "webarena.700?", "webarena.800?"]
        said = await spawn("run", *chosen, *words, *log, folder=None, **there.environ)
    assert said.status == 0, said
    episodes = read_run(tmp_path / "run").episodes
    otherwise = [
        (episode.intent, episode.error, episode.check)
        for episode in episodes
        if episode.check is None or episode.success != episode.task_id.startswith("webarena.7")
    ]
    assert not otherwise
    assert len(episodes) == 2 * len(TASKS)
    for path in (tmp_path / "run" / "verified").glob("*/network.har"):
        assert b"PHPSESSID=(cut)" in path.read_bytes() or b"PHPSESSID" not in path.read_bytes()
