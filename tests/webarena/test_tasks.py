"""Task files of WebArena and of WebArena-Verified, and what is said of damaged ones."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from guideact.errors import InputError
from guideact.tasks.webarena.pages import refuse_unknown_helpers
from guideact.tasks.webarena.tasks import RESPONSE, WebArenaTask, load_webarena, needs

RAW: dict[str, Any] = {
    "sites": ["shopping"],
    "task_id": 7001,
    "require_login": True,
    "storage_state": "./.auth/shopping_state.json",
    "start_url": "__SHOPPING__/a.html |AND| __SHOPPING__/b.html",
    "geolocation": {"latitude": 60.17, "longitude": 24.94},
    "intent_template": "Add the {{what}}",
    "intent_template_id": 145,
    "instantiation_dict": {"what": "cheaper one"},
    "intent": "Add the cheaper one",
    "require_reset": False,
    "eval": {
        "eval_types": ["program_html"],
        "reference_answers": None,
        "reference_url": "",
        "program_html": [
            {"url": "__REDDIT__/f/a/1/", "locator": "", "required_contents": {"must_include": ["b"]}},
            {
                "url": "func:shopping_get_latest_order_url()",
                "locator": "",
                "required_contents": {"must_include": ["b"]},
            },
        ],
    },
}
VERIFIED: dict[str, Any] = {
    "sites": ["map", "wikipedia"],
    "task_id": 97,
    "intent_template_id": 120,
    "start_urls": ["__MAP__", "__WIKIPEDIA__"],
    "intent": "Get the distance",
    "intent_template": "Get the distance",
    "instantiation_dict": {},
    "eval": [{"evaluator": "AgentResponseEvaluator", "expected": {"task_type": "retrieve", "status": "SUCCESS"}}],
    "revision": 2,
}


def load(folder: Path, *records: Any) -> tuple[WebArenaTask, ...]:
    path = folder / "tasks.json"
    path.write_text(json.dumps(list(records)), encoding="utf-8")
    return load_webarena(path)


def test_a_published_task(tmp_path: Path) -> None:
    (task,) = load(tmp_path, RAW)
    assert (task.id, task.template_id, task.source, task.kind) == (
        "webarena.7001",
        "webarena.template.145",
        "webarena",
        "mutate",
    )
    assert task.start_urls == ("__SHOPPING__/a.html", "__SHOPPING__/b.html")
    assert task.signs_in == ("shopping",)
    assert task.geolocation is not None
    assert (task.geolocation.latitude, task.geolocation.longitude) == (60.17, 24.94)
    assert task.writes
    assert needs([task]) == {"shopping": ["webarena.7001"], "reddit": ["webarena.7001"]}


def test_a_storage_state_of_two_sites_and_none(tmp_path: Path) -> None:
    both = {**RAW, "storage_state": "./.auth/gitlab.reddit_state.json"}
    none = {**RAW, "task_id": 1, "storage_state": None}
    assert [task.signs_in for task in load(tmp_path, both, none)] == [("gitlab", "reddit"), ()]


def test_a_task_of_webarena_verified_asks_for_the_answer_its_evaluator_reads(tmp_path: Path) -> None:
    (task,) = load(tmp_path, VERIFIED)
    assert task.intent == "Get the distance" + RESPONSE
    assert (task.eval, task.kind, task.start_urls) == (None, "retrieve", ("__MAP__", "__WIKIPEDIA__"))
    assert not task.needs_judge


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"eval": {"eval_types": ["guess"]}}, "task 1 (task_id 7001): field 'eval.eval_types.0'"),
        ({"sites": ["amazon"]}, "field 'sites.0'"),
        ({"geolocation": {"latitude": 99, "longitude": 0}}, "field 'geolocation.latitude'"),
        ({"colour": "red"}, "field 'colour'"),
        ({"intent": ""}, "field 'intent'"),
        ({"start_url": "file:///etc/passwd"}, "field 'start_url': 'file:///etc/passwd' is on none of the sites"),
        ({"start_url": "__SHOPPING__ |AND| __AMAZON__/x"}, "field 'start_url': '__AMAZON__/x' is on none of the sites"),
        ({"eval": {"eval_types": []}}, "field 'eval.eval_types'"),
        ({"eval": {"eval_types": ["string_match"]}}, "string_match has nothing to look for"),
        ({"eval": {"eval_types": ["url_match"], "reference_url": ""}}, "url_match has nothing to look for"),
        ({"eval": {"eval_types": ["url_match"], "reference_url": "http://[x"}}, "Invalid IPv6 URL"),
        ({"eval": {"eval_types": ["program_html"]}}, "program_html has nothing to look for"),
        (
            {"eval": {"eval_types": ["string_match"], "reference_answers": {"must_inclde": ["b"]}}},
            "field 'eval.reference_answers.must_inclde",
        ),
        (
            {"eval": {"eval_types": ["string_match"], "reference_answers": {"must_include": []}}},
            "must_include has nothing to look for",
        ),
        (
            {"eval": {"eval_types": ["string_match"], "reference_answers": {"exact_match": ["a", "b"]}}},
            "exact_match has no single text to look for",
        ),
        (
            {
                "eval": {
                    "eval_types": ["program_html"],
                    "program_html": [{"url": "last", "locator": "", "required_contents": {}}],
                }
            },
            "field 'eval.program_html.0.required_contents'",
        ),
    ],
)
def test_a_field_that_is_wrong_is_named(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as caught:
        load(tmp_path, {**RAW, **changed})
    assert said in str(caught.value)


def test_files_that_hold_no_tasks(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    for text, said in (("{", "is no JSON"), ("[]", "holds no list of tasks"), ("[3]", "a task is an object")):
        path.write_text(text)
        with pytest.raises(InputError, match=said):
            load_webarena(path)
    with pytest.raises(InputError, match="there is no task file"):
        load_webarena(tmp_path / "nope.json")
    with pytest.raises(InputError, match="stands there twice"):
        load(tmp_path, RAW, RAW)


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("url", "func:__import__('os').system('true')"),
        ("url", "func:shopping_get_latest_order_url('x')"),
        ("locator", "func:gitlab_get_project_memeber_role(__page__, open)"),
        ("locator", "func:reddit_get_post_url(url='x')"),
        ("locator", "func:("),
        ("locator", "alert(1)"),
        ("url", "file:///etc/passwd"),
        ("url", "__AMAZON__/x"),
    ],
)
def test_only_helpers_that_are_known_can_be_called(tmp_path: Path, field: str, text: str) -> None:
    target = {"url": "last", "locator": "", "required_contents": {"must_include": ["b"]}, field: text}
    (task,) = load(tmp_path, {**RAW, "eval": {**RAW["eval"], "program_html": [target]}})
    assert task.eval is not None
    with pytest.raises(InputError, match="task t: "):
        refuse_unknown_helpers(task.eval, "task t")


@pytest.mark.corpora
@pytest.mark.skipif("GUIDEACT_DATA" not in os.environ, reason="GUIDEACT_DATA points at no corpora")
def test_all_published_tasks_are_read_and_can_be_checked() -> None:
    tasks = load_webarena(Path(os.environ["GUIDEACT_DATA"]) / "webarena" / "test.raw.json")
    assert len(tasks) == 812
    assert len({task.template_id for task in tasks}) == 190
    assert Counter(len(task.start_urls) for task in tasks) == {1: 807, 2: 4, 3: 1}
    assert sum(task.needs_judge for task in tasks) == 118
    assert Counter(task.kind for task in tasks) == {"mutate": 411, "retrieve": 335, "navigate": 66}
    assert Counter(task.signs_in for task in tasks)[()] == 128
    for task in tasks:
        assert task.eval is not None
        refuse_unknown_helpers(task.eval, task.id)
