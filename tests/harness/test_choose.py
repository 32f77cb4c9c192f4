"""Which tasks a run does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.choose import choose_tasks
from guideact.tasks.catalogue import all_tasks


def ids(**config: object) -> list[str]:
    return [task.id for task in choose_tasks(RunConfig.model_validate(config))]


def task_file(folder: Path) -> Path:
    path = folder / "tasks.json"
    check = {"answer": {"expected": ["done"]}}
    common = {"intent": "Do it", "sites": ["shopping"], "start_url": "__SHOPPING__/", "check": check}
    tasks = [{"id": "f.one", "split": "train", **common}, {"id": "f.two", **common}]
    path.write_text(json.dumps(tasks))
    return path


def test_the_embedded_test_tasks_are_what_is_done_by_default() -> None:
    assert ids() == [task.id for task in all_tasks() if task.split == "test"]
    assert ids(split="train") == [task.id for task in all_tasks() if task.split == "train"]
    assert ids(split="all") == [task.id for task in all_tasks()]


def test_the_limit_takes_templates_in_turn_and_sites_by_turns() -> None:
    groups = {task.sites for task in all_tasks()}
    first = choose_tasks(RunConfig(split="all", limit=2 * len(groups)))
    assert len({task.template_id for task in first}) == len(first) == 2 * len(groups)
    assert {task.sites for task in first[: len(groups)]} == groups
    several = {sites for sites in groups if len({task.template_id for task in all_tasks() if task.sites == sites}) > 1}
    again = [task.sites for task in first[: len(groups)] if task.sites in several]
    assert [task.sites for task in first[len(groups) :][: len(again)]] == again
    templates = {task.template_id: task for task in reversed(all_tasks())}  # the first task of each
    some = choose_tasks(RunConfig(split="all", limit=len(templates)))
    assert {task.id for task in some} == {task.id for task in templates.values()}
    further = choose_tasks(RunConfig(split="all", limit=len(templates) + 1))
    assert further[:-1] == some
    assert further[-1].template_id in templates
    everything = choose_tasks(RunConfig(split="all", limit=10_000))
    assert sorted(task.id for task in everything) == sorted(task.id for task in all_tasks())


def test_tasks_without_a_template_keep_their_order_under_a_limit(tmp_path: Path) -> None:
    assert ids(tasks=task_file(tmp_path), limit=1) == ["f.one"]
    assert ids(tasks=task_file(tmp_path), limit=2) == ["f.one", "f.two"]


def test_named_tasks_are_taken_whatever_their_split() -> None:
    train = next(task for task in all_tasks() if task.split == "train")
    assert ids(sample_id=[train.id]) == [train.id]
    same_template = [task.id for task in all_tasks() if task.template_id == train.template_id]
    assert ids(sample_id=[train.template_id]) == same_template


def test_tasks_of_a_site_use_no_other() -> None:
    assert ids(split="all", sites=["shopping"]) == [task.id for task in all_tasks() if task.sites == ("shopping",)]


def test_a_file_takes_the_place_of_the_embedded_tasks(tmp_path: Path) -> None:
    path = task_file(tmp_path)
    assert ids(tasks=path) == ["f.one", "f.two"]
    assert ids(tasks=path, sample_id=["f.two"]) == ["f.two"]


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"sites": ["shoping"]}, "there is no site 'shoping'. Did you mean shopping?"),
        ({"sites": ["zzz"]}, "Sites are: shopping, shopping_admin"),
        ({"sample_id": ["no.such.task"]}, "there is no task 'no.such.task'"),
        ({"tasks": "/nope/tasks.json"}, "there is no task file /nope/tasks.json"),
    ],
)
def test_what_is_not_there_is_named(config: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        ids(**config)


def test_a_task_that_the_file_lacks_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"has no task 'f\.tow'\. Did you mean f\.two\?"):
        ids(tasks=task_file(tmp_path), sample_id=["f.tow"])


def test_nothing_left_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no task is left"):
        ids(tasks=task_file(tmp_path), sites=["shopping_admin"])
