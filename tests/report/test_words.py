"""Actions, rows and numbers in words."""

from __future__ import annotations

from typing import Any

import pytest

from guideact.report.words import action_in_words, count, listed, row_change, timing_in_words
from guideact.types import (
    Action,
    Box,
    Candidate,
    Click,
    Finish,
    GoBack,
    Locator,
    Mark,
    Point,
    PressEnter,
    RowChange,
    Scroll,
    Select,
    Step,
    Type,
    Usage,
)

ORDERS = Candidate(
    mark=12,
    role="link",
    name="Orders",
    box=Box(x=0, y=0, width=9, height=9),
    point=(4, 4),
    locator=Locator(role="link", name="Orders"),
)
BARE = ORDERS.model_copy(update={"role": "button", "name": "", "text": ""})


@pytest.mark.parametrize(
    ("action", "target", "words"),
    [
        (Click(target=Mark(mark=12)), ORDERS, "Click the link “Orders” (mark 12)."),
        (Click(target=Mark(mark=99)), None, "Click mark 99."),
        (Click(target=Point(x=10.5, y=20)), ORDERS, "Click the link “Orders” at (10.5, 20)."),
        (Click(target=Point(x=10.5, y=20)), None, "Click the point (10.5, 20)."),
        (Click(target=Mark(mark=12)), BARE, "Click the button without a name (mark 12)."),
        (Type(target=Mark(mark=12), text="red"), ORDERS, "Type “red” into the link “Orders” (mark 12)."),
        (Select(target=Mark(mark=12), option="Blue"), ORDERS, "Select “Blue” in the link “Orders” (mark 12)."),
        (Scroll(direction="down"), None, "Scroll down."),
        (Scroll(direction="up", target=Mark(mark=12)), ORDERS, "Scroll up over the link “Orders” (mark 12)."),
        (PressEnter(), None, "Press Enter."),
        (GoBack(), None, "Go back."),
        (Finish(), None, "Finish."),
        (Finish(answer="$5"), None, "Finish with the answer “$5”."),
        (None, None, "No action: the answer could not be read."),
    ],
)
def test_an_action_in_words(action: Action | None, target: Candidate | None, words: str) -> None:
    assert action_in_words(action, target) == words


def test_an_update_shows_every_changed_column_and_an_insert_only_what_it_fills() -> None:
    update = RowChange(site="shopping", table="orders", op="update", key="7", before={"a": None}, after={"a": "x"})
    assert row_change(update)["columns"] == [("a", None, "x")]
    insert = RowChange(site="shopping", table="orders", op="insert", key="8", after={"a": 1, "b": None, "c": ""})
    assert row_change(insert)["columns"] == [("a", None, 1)]
    delete = RowChange(site="shopping", table="orders", op="delete", key="9", before={"a": 0, "b": ""})
    assert row_change(delete)["columns"] == [("a", 0, None)]


def test_numbers_and_lists_in_words() -> None:
    assert [count(1, "step"), count(2, "step"), count(1200, "step")] == ["1 step", "2 steps", "1,200 steps"]
    assert count(2, "task has", "tasks have") == "2 tasks have"
    assert [listed([]), listed(["a"]), listed(["a", "b", "c"])] == ["", "a", "a, b and c"]


def test_the_cost_of_a_step_is_said_where_it_is_known() -> None:
    def said(**usage: Any) -> str:
        counted = Usage(**{"input_tokens": 1300, "output_tokens": 42, **usage})
        return timing_in_words(Step(index=0, url="", title="", timings={"model": 812.4}, usage=counted))

    assert said() == "model 812 ms · 1,300 + 42 tokens"
    assert said(cost=0.00302) == "model 812 ms · 1,300 + 42 tokens · US$ 0.0030"
    assert said(output_tokens=None) == "model 812 ms · 1,300 + ? tokens"
    assert said(input_tokens=None, output_tokens=None) == "model 812 ms"
    assert said(cost=0.0, from_cache=True) == "model 812 ms · 1,300 + 42 tokens · from the response cache"
