"""Which unrelated deed is tried beside a task's gold."""

from __future__ import annotations

import pytest

from guideact.tasks.disturb import disturbance_for
from guideact.types import Change, Check, StateCheck, Task


def _task(site: str, table: str) -> Task:
    change = Change(table=table, op="update", values={"status": "*"})
    return Task(
        id="t.1",
        intent="Do it.",
        sites=(site,),
        start_url="__SHOPPING__/",
        check=Check(state=(StateCheck(site="shopping", required=(change,)),)),
    )


@pytest.mark.parametrize(
    ("site", "table", "expected"),
    [
        ("shopping", "review", "newsletter_subscriber"),
        ("shopping", "newsletter_subscriber", "contact_message"),
        ("shopping_admin", "review", "contact_message"),
        ("shopping_admin", "contact_message", "review"),
    ],
)
def test_it_keeps_clear_of_the_tables_that_a_task_is_about(site: str, table: str, expected: str) -> None:
    assert disturbance_for(_task(site, table)).table == expected


def test_a_site_without_a_deed_left_says_where_to_add_one() -> None:
    with pytest.raises(ValueError, match=r"tasks/disturb\.py"):
        disturbance_for(_task("no_such_site", "review"))
