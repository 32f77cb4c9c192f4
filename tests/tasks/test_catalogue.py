"""All embedded tasks: the same everywhere, well formed, and enough of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from guideact.errors import InputError
from guideact.sites.registry import SITES
from guideact.tasks import catalogue
from guideact.tasks.catalogue import all_tasks, entries, entry, find, instantiate, solution, split_of
from guideact.tasks.checks.answer import check_answer, near_misses
from guideact.tasks.checks.state import PRIMARY_KEYS
from guideact.tasks.prove import other_entity
from guideact.tasks.template import Params, Query, Template
from guideact.tasks.templates import all_templates
from guideact.types import Check, StateCheck

TEMPLATES = pytest.mark.parametrize("template", all_templates(), ids=lambda template: template.id)


def test_there_are_as_many_as_promised() -> None:
    tasks = all_tasks()
    assert len(tasks) >= 90
    assert len(all_templates()) >= 25
    assert {site for task in tasks for site in task.sites} == set(SITES)
    assert len({task.id for task in tasks}) == len(tasks)


def test_one_task_in_five_has_a_second_route_and_some_need_eyes() -> None:
    tasks = list(entries().values())
    assert sum(found.template.second_route is not None for found in tasks) * 5 >= len(tasks)
    assert sum(found.template.picture for found in tasks) >= 5


@TEMPLATES
def test_instantiation_is_deterministic(template: Template) -> None:
    """Another connection to another pristine database gives the same tasks, byte for byte."""
    first = [found.task.model_dump_json() for found in instantiate(template)]
    catalogue.database(*template.sites).close()
    catalogue._open.cache_clear()
    assert [found.task.model_dump_json() for found in instantiate(template)] == first


@TEMPLATES
def test_a_template_holds_together(template: Template) -> None:
    assert re.fullmatch(rf"({'|'.join(SITES)}|admin)\.[a-z_]+", template.id)
    assert set(template.sites) <= set(SITES)
    assert set(template.logins) <= set(template.sites)
    assert len(set(template.intents)) == len(template.intents) >= 2, "give the request in several wordings"
    found = instantiate(template)
    assert 2 <= len(found) <= 6
    assert len({one.task.intent for one in found}) == len(found)
    for one in found:
        task = one.task
        assert task.start_url.startswith(tuple(f"__{site.upper()}__/" for site in task.sites))
        assert "{" not in task.intent
        assert task.check != Check()


@TEMPLATES
def test_checks_can_fail_and_can_pass(template: Template) -> None:
    for found in instantiate(template):
        answer = found.task.check.answer
        if answer is not None:
            joined = "; ".join(answer.expected) if answer.kind in ("list", "set") else answer.expected[0]
            assert check_answer(answer, joined).passed
            for wrong in ("", *near_misses(answer)):
                assert not check_answer(answer, wrong).passed, (found.task.id, wrong)
        for state in found.task.check.state:
            for change in (*state.required, *state.allowed, *state.forbidden):
                columns = _columns(state.site, change.table)
                named = {*change.where, *change.values, *change.any_columns}
                assert named <= columns, f"{found.task.id}: {change.table} has no {named - columns}"
                if change.op == "update":
                    key = PRIMARY_KEYS.get(change.table, "id")
                    assert set(change.where) <= {key, *change.values, *change.any_columns}, found.task.id


@TEMPLATES
def test_there_is_something_wrong_to_do(template: Template) -> None:
    """Every task has a wrong object, and a wrong value where it sets one, that its check tells from the right one."""
    query = catalogue.database(*template.sites)
    for found in instantiate(template):
        other = other_entity(found)
        assert other is not None, f"{found.task.id}: give the template a wrong_entity or more varied tasks"
        assert template.check(query, other) != found.task.check
        if template.wrong_value is not None:
            assert dict(template.wrong_value(query, found.params)) != dict(found.params)


def _columns(site: str, table: str) -> set[str]:
    return {row["name"] for row in catalogue.database(site).execute(f"PRAGMA table_info({table})")}


def test_what_a_picture_tells_is_told_nowhere_else() -> None:
    for found in entries().values():
        if not found.template.picture or "seen" not in found.params or "colour" not in found.params:
            continue
        seen = found.params["seen"]
        assert seen.casefold() not in found.task.intent.casefold()
        row = catalogue.database("shopping").execute(
            "SELECT name || ' ' || slug || ' ' || description AS words FROM product WHERE name = ?", (seen,)
        )
        words = row.fetchone()["words"].casefold()
        assert found.params["colour"] not in re.findall(r"[a-z]+", words), found.task.id


def test_the_split_is_fixed_by_names() -> None:
    """Pinned: a change of the rule would move published tasks between train and test."""
    splits = [split_of("shopping.wish_note", f"shopping.wish_note.{number}") for number in range(1, 9)]
    assert splits == ["train", "train", "test", "test", "train", "train", "test", "test"]
    assert split_of("shopping.order_of_a_day", "shopping.order_of_a_day.1") == "test"
    names = [(f"s.t{template}", f"s.t{template}.{number}") for template in range(400) for number in range(4)]
    share = sum(split_of(*name) == "test" for name in names) / len(names)
    assert 0.27 < share < 0.33


def test_tasks_are_found_by_id_template_and_pattern() -> None:
    (one,) = find(["shopping.price.2"])
    assert one.id == "shopping.price.2"
    assert {task.template_id for task in find(["shopping.price"])} == {"shopping.price"}
    assert {task.template_id for task in find(["shopping.review*"])} >= {
        "shopping.review_stars",
        "shopping.review_write",
    }
    assert [task.id for task in find(["shopping.price.2", "shopping.price.1", "shopping.price"])] == [
        task.id for task in find(["shopping.price"])
    ]


@pytest.mark.parametrize("ask", [lambda name: find([name]), entry, solution])
def test_an_unknown_id_names_the_closest(ask: object) -> None:
    assert callable(ask)
    with pytest.raises(InputError, match=r"there is no task 'shopping\.prise\.1'\. Did you mean shopping\.price\.1"):
        ask("shopping.prise.1")


def test_placeholders_that_params_lack_are_named() -> None:
    template = all_templates()[0]
    with pytest.raises(ValueError, match="params lack nothing_like_it"):
        template.fill("{nothing_like_it}", {})


def _untupled(db: Query, p: Params) -> Check:
    wrong: Any = StateCheck(site="shopping")
    return Check(state=wrong)


def _fails(db: Query, *rest: object) -> Any:
    raise KeyError("proudct")


@pytest.mark.parametrize(
    ("mistake", "told"),
    [
        (
            {"check": _untupled},
            r"check \(_untupled at .*test_catalogue\.py:LINE\) .* state must be a tuple\. .* comma: state=\(",
        ),
        ({"check": _fails}, r"check \(_fails at .*test_catalogue\.py:LINE\) failed, KeyError: 'proudct'\. Mend it"),
        ({"params": _fails}, r"params \(_fails at .*test_catalogue\.py:LINE\) failed, KeyError: 'proudct'\. Mend it"),
        ({"params": lambda db: []}, r"params \(<lambda> at .*test_catalogue\.py:\d+\) failed, ValueError: it gave no"),
        ({"intents": ("{colour}?",)}, r"intents and start \(\w+ at .*\.py:\d+\) .*: params lack colour"),
        ({"sites": ("shoping",)}, r"sites \(\w+ at .*\.py:\d+\) failed, KeyError: 'shoping'"),
        ({"max_steps": 0}, r"fields \(\w+ at .*\.py:\d+\) .*max_steps: .*, not 0"),
    ],
)
def test_a_mistake_in_a_template_is_told_in_one_line(mistake: dict[str, Any], told: str) -> None:
    """With the template, the function and the line of it that was running."""
    broken = replace(all_templates()[0], **mistake)
    running = next((function for function in mistake.values() if function in (_untupled, _fails)), None)
    if running is not None:
        told = told.replace("LINE", str(max(line for *_, line in running.__code__.co_lines() if line)))
    with pytest.raises(InputError, match=told) as caught:
        instantiate(broken)
    assert str(caught.value).startswith(f"template {broken.id}: ")
    assert "\n" not in str(caught.value)
