"""The counts of the benchmark, on tasks made by hand and on the real ones."""

from __future__ import annotations

import json
import re

import pytest

from guideact.data import skeleton
from guideact.sites.registry import SITES
from guideact.tasks.catalogue import Entry, all_tasks, entries, entry
from guideact.tasks.census import census, kind_of, overlap
from guideact.tasks.gold import Gold, GoldStep, shipped
from guideact.types import AnswerCheck, Change, Check, Split, StateCheck, Task, UrlCheck
from tests.cli.calling import call

CHANGE = Change(table="cart_item", op="insert")


def task(number: int, intent: str, split: Split, check: Check | None = None, template: str = "made") -> Task:
    return Task(
        id=f"{template}.{number}",
        intent=intent,
        sites=("shopping",),
        start_url="__SHOPPING__/",
        template_id=template,
        check=check or Check(answer=AnswerCheck(expected=(str(number),))),
        split=split,
    )


def gold(of: Task, *steps: tuple[str, str, str, str]) -> Gold:
    made = tuple(GoldStep(verb=v, references=("One.", "Two."), url=u, role=r, name=n) for v, u, r, n in steps)
    return Gold(task_id=of.id, task_sha256="", steps=made)


@pytest.mark.parametrize(
    ("check", "kind"),
    [
        (Check(answer=AnswerCheck(expected=("1",))), "answer"),
        (Check(state=(StateCheck(site="shopping", required=(CHANGE,)),)), "one change"),
        (Check(state=(StateCheck(site="shopping", required=(CHANGE, CHANGE)),)), "several changes"),
        (Check(url=UrlCheck(site="shopping", path="/cart")), "page"),
        (
            Check(answer=AnswerCheck(expected=("1",)), state=(StateCheck(site="shopping", required=(CHANGE,)),)),
            "answer and change",
        ),
    ],
)
def test_kinds(check: Check, kind: str) -> None:
    assert kind_of(task(1, "Do it", "test", check)) == kind


def test_overlap_of_train_and_test() -> None:
    known = task(1, "What does the red mug cost in the shop today, please", "train")
    same = task(2, "What does the blue mug cost in the shop today, please", "test", known.check)
    other = task(9, "Write a review", "test", template="unseen")
    golds = {
        known.id: gold(known, ("click", "http://shopping.localhost/p/1", "link", "Red mug")),
        same.id: gold(same, ("click", "http://shopping.localhost/p/2", "link", "Blue mug")),
        other.id: gold(other, ("click", "http://shopping.localhost/p/1", "link", "Red mug")),
    }
    found = overlap([known, same, other], golds)
    assert (found.seen_templates, found.unseen_templates) == (1, 1)
    assert found.nearest_intent == pytest.approx(9 / 11 / 2)
    assert found.alike_intents == 1
    assert found.same_checks == 1
    assert found.same_skeletons == 2
    assert found.same_trajectories == 1


KINDS, NUMBERS = {"tab", "part", "section", "key", "kind"}, {"number", "id", "at", "sha"}
"""Parts of addresses that say which of a few kinds of page it is, and those that always hold a digit."""


def at(site: str, route: str, name: str) -> str:
    """The skeleton of a page of a site, with `name` wherever its address names a thing."""

    def filled(part: re.Match[str]) -> str:
        if part[1] in KINDS:
            return part[1]
        if part[1] in NUMBERS or part[2] in ("int", "row"):
            return "7"
        return f"{name}/core" if part[2] == "path" else name

    path = re.sub(r"{(\w+):?(\w*)}", filled, route)
    return skeleton(f"http://{site.replace('_', '-')}.localhost{path}", "click", "link")


@pytest.mark.parametrize("site", sorted(SITES))
def test_pages_that_show_different_things_are_one_kind_of_page(site: str) -> None:
    pages = {route.path for route in SITES[site].routes if "GET" in (route.methods or ())}
    for page in sorted(page for page in pages if not page.endswith(".svg")):
        assert at(site, page, "apple") == at(site, page, "pear"), page


def test_pages_that_are_there_once_keep_their_names() -> None:
    for path in ("dashboard/todos", "snippets/new", "search", "groups", "profile", "new", "search/people"):
        assert skeleton(f"http://gitlab.localhost/{path}", "click", "") == f"gitlab/{path} click"
    assert skeleton("http://gitlab.localhost/a/b/issues/new", "click", "") == "gitlab/*/*/issues/new click"
    assert skeleton("http://reddit.localhost/f/tea/wiki/new", "click", "") == "reddit/f/*/wiki/new click"


def test_the_real_tasks_are_counted_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    found = census(entries().values(), shipped())
    assert found.tasks == len(all_tasks()) == sum(found.by_sites.values()) == sum(found.by_kind.values())
    assert found.train + found.test == found.tasks
    assert found.overlap.seen_templates + found.overlap.unseen_templates == found.test
    assert found.by_kind.get("nothing") is None
    assert found.fewest_references >= 2
    assert found.common_share < 0.3
    assert json.loads(call(capsys, "tasks", "census", "--json").out) == json.loads(found.model_dump_json())


def test_counts_of_a_part(capsys: pytest.CaptureFixture[str]) -> None:
    first = all_tasks()[0]
    table = call(capsys, "tasks", "census", first.id).out
    assert "from 1 templates" in table
    with pytest.raises(ValueError, match="nothing to count"):
        census([], {})
    alone: list[Entry] = [entry(first.id)]
    assert census(alone, {}).without_gold == 1
