"""Each changed row of gold has mutants: left out, of another object, with another value, twice."""

from __future__ import annotations

from typing import Any

import pytest

from guideact.tasks.near_changes import NearMiss, near_changes
from guideact.tasks.template import EMMA_GITLAB
from guideact.types import Change, Check, RowChange, StateCheck, Task

ISSUE: dict[str, Any] = {
    "project_id": 18,
    "title": "Watch the Porch Speaker",
    "weight": 3,
    "state": "open",
    "author_id": 1,
}
"""What is asked of an issue; the id of the new one is 128."""
MADE = RowChange(
    site="gitlab", table="issue", op="insert", key="128", after={"id": 128, "iid": 3, "body": "SKU AUD-1094", **ISSUE}
)
LABELLED = RowChange(
    site="gitlab", table="issue_label", op="insert", key="159", after={"id": 159, "issue_id": 128, "label_id": 46}
)


def task(*required: Change, allowed: tuple[Change, ...] = ()) -> Task:
    return Task(
        id="gitlab.near.1",
        template_id="gitlab.near",
        sites=("gitlab",),
        intent="Open an issue “Watch the Porch Speaker” of weight 3 in Price Watch, and label it “wish”.",
        start_url="__GITLAB__/",
        logins={"gitlab": EMMA_GITLAB},
        check=Check(state=(StateCheck(site="gitlab", required=required, allowed=allowed),)),
    )


def wish(table: str, op: Any = "insert", where: dict[str, Any] | None = None, **values: Any) -> Change:
    return Change(table=table, op=op, where=where or {}, values=values)


def living(of: Task, *changes: RowChange) -> list[str]:
    return [near.name for near in near_changes(of, changes) if not near.reason(of)]


def named(of: Task, *changes: RowChange) -> list[str]:
    return [near.name for near in near_changes(of, changes)]


LABEL: dict[str, Any] = {"issue_id": {"new": "issue"}, "label_id": 46}


def test_a_check_that_names_all_takes_none() -> None:
    whole = task(wish("issue", **ISSUE), wish("issue_label", **LABEL))
    assert living(whole, MADE, LABELLED) == []
    assert named(whole, MADE, LABELLED) == [
        "without insert issue[128]",
        "insert issue[128] with project_id 19",
        "insert issue[128] with title 'Watch the Porch Speaker, or so'",
        "insert issue[128] with weight 4",
        "insert issue[128] with state 'open, or so'",
        "insert issue[128] twice",
        "without insert issue_label[159]",
        "insert issue_label[159] with issue_id 1",
        "insert issue_label[159] with label_id 47",
        "insert issue_label[159] twice",
    ]


def test_a_label_on_another_issue_lives_where_the_check_does_not_say_whose_it_is() -> None:
    lax = task(wish("issue", **ISSUE), wish("issue_label", label_id=46))
    assert living(lax, MADE, LABELLED) == ["insert issue_label[159] with issue_id 1"]


@pytest.mark.parametrize(
    ("left_open", "lives"),
    [
        ("project_id", ["insert issue[128] with project_id 19"]),
        ("title", ["insert issue[128] with title 'Watch the Porch Speaker, or so'"]),
        # The third issue of the project is not what “weight 3” means, unless nothing else is.
        ("weight", ["insert issue[128] with iid 4", "insert issue[128] with weight 4"]),
        ("author_id", []),
    ],
)
def test_a_column_that_is_left_open_lets_its_mutant_live(left_open: str, lives: list[str]) -> None:
    values = {column: value for column, value in ISSUE.items() if column != left_open}
    assert sorted(living(task(wish("issue", **values)), MADE)) == lives


def test_a_column_that_may_hold_anything_is_left_alone() -> None:
    assert living(task(wish("issue", **{**ISSUE, "title": "*"})), MADE) == []


def test_what_is_allowed_is_not_asked_for() -> None:
    assert named(task(allowed=(wish("issue_label"),)), LABELLED) == []
    twice = Change(table="issue_label", op="insert", count=None)
    assert living(task(wish("issue_label", **LABEL), allowed=(twice,)), MADE, LABELLED) == []


def test_updates_and_deletes_are_of_another_row_that_gold_left_alone() -> None:
    closed = RowChange(
        site="gitlab", table="issue", op="update", key="5", before={"state": "open"}, after={"state": "closed"}
    )
    gone = RowChange(site="gitlab", table="star", op="delete", key="2", before={"id": 2})
    of = task(wish("issue", "update", {"id": 5}, state="closed"), wish("star", "delete", {"id": 2}))
    assert living(of, closed, gone) == []
    others = [near for near in near_changes(of, (closed, gone)) if near.name.endswith("instead")]
    assert [near.name.split(" of ")[0] for near in others] == ["update issue[5]", "delete star[2]"]
    lax = task(wish("issue", "update", {"state": "open"}, state="closed"), wish("star", "delete"))
    assert [name.split(" of ")[0] for name in living(lax, closed, gone)] == ["update issue[5]", "delete star[2]"]


def test_a_reason_is_that_of_the_check() -> None:
    of = task(wish("issue", **ISSUE))
    assert NearMiss("nothing", ()).reason(of).startswith("missing: insert issue project_id=18")
    assert NearMiss("gold", (MADE,)).reason(of) == ""
