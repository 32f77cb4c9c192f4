"""Scores of single steps, at their edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.metrics.offline import Place, action_scores, element, operation, operation_f1, same_value
from guideact.types import Box, Click, Finish, Mark, Point, PressEnter, Scroll, Select, Type

BOX = Box(x=100, y=50, width=80, height=20)
MARKED = Place(marks=frozenset({3}), boxes=(BOX,), point=(140, 60))
POINT = Place(point=(140, 60))


@pytest.mark.parametrize(
    ("x", "y", "hit"),
    [(100, 50, True), (180, 70, True), (140, 60, True), (99.9, 60, False), (180.1, 60, False), (140, 70.1, False)],
)
def test_a_point_hits_a_box_edges_included(x: float, y: float, hit: bool) -> None:
    assert element(MARKED, Point(x=x, y=y)) == {"element": hit}


def test_a_mark_hits_the_gold_one_or_one_as_good() -> None:
    assert element(MARKED, Mark(mark=3)) == {"element": True}
    assert element(MARKED, Mark(mark=4)) == {"element": False}
    assert element(Place(marks=frozenset({3, 4}), boxes=(BOX, BOX)), Mark(mark=4)) == {"element": True}
    assert element(MARKED, None) == {"element": False}


@pytest.mark.parametrize(
    ("x", "hits"),
    [(154, (True, True, True)), (154.1, (False, True, True)), (165, (False, True, True)), (190, (False, False, True))],
)
def test_where_only_a_point_is_known_all_three_distances_are_told(x: float, hits: tuple[bool, ...]) -> None:
    assert tuple(element(POINT, Point(x=x, y=60)).values()) == hits
    assert tuple(element(POINT, None).values()) == (False, False, False)
    with pytest.raises(ValueError, match="mark cannot be judged"):
        element(POINT, Mark(mark=1))


@pytest.mark.parametrize(
    ("predicted", "gold", "f1"),
    [
        ("", "", 1.0),
        ("CLICK", "", 0.0),
        ("", "CLICK", 0.0),
        ("CLICK", "CLICK", 1.0),
        ("TYPE blue mug", "TYPE mug blue", 1.0),
        ("TYPE blue blue mug", "TYPE blue mug", 1.0),
        ("TYPE red mug", "TYPE blue mug", 2 / 3),
        ("CLICK", "TYPE blue mug", 0.0),
        ("TYPE Blue", "TYPE blue", 0.5),
    ],
)
def test_operation_f1_is_over_sets_of_tokens(predicted: str, gold: str, f1: float) -> None:
    assert operation_f1(predicted, gold) == pytest.approx(f1)


@given(st.text(max_size=12), st.text(max_size=12))
def test_operation_f1_is_symmetric_and_a_share(one: str, other: str) -> None:
    assert operation_f1(one, other) == operation_f1(other, one)
    assert 0 <= operation_f1(one, other) <= 1
    assert operation_f1(one, one) == 1


def test_an_operation_is_written_as_mind2web_writes_it() -> None:
    assert operation("type", "blue mug") == "TYPE blue mug"
    assert operation("click", "") == "CLICK"


def test_values_are_one_but_for_width_case_and_white_space() -> None:
    assert same_value(" Blue  Mug ", "blue mug")
    assert same_value("ＡＢＣ", "abc")
    assert not same_value("bluemug", "blue mug")
    assert not same_value("", "blue mug")


def test_a_step_is_right_as_a_whole_only_where_each_part_is() -> None:
    gold = Type(target=Mark(mark=3), text="blue mug")
    right = action_scores(gold, MARKED, gold)
    assert set(right) == {"element", "verb", "operation_f1", "step_success", "value", "action"}
    assert set(right.values()) == {1.0}
    other = action_scores(gold, MARKED, Type(target=Mark(mark=4), text="blue mug"))
    assert (other["element"], other["operation_f1"], other["step_success"], other["action"]) == (0, 1, 0, 0)
    # Mind2Web's step success looks at the letters, the whole action at what the value means.
    capital = action_scores(gold, MARKED, Type(target=Mark(mark=3), text="Blue mug"))
    assert (capital["step_success"], capital["value"], capital["action"]) == (0, 1, 1)


def test_an_answer_that_could_not_be_read_is_wrong_in_all_that_applies() -> None:
    found = action_scores(Select(target=Mark(mark=3), option="Price"), MARKED, None)
    assert set(found.values()) == {0.0}
    assert action_scores(PressEnter(), None, None) == {"verb": 0, "operation_f1": 0, "step_success": 0, "action": 0}


def test_steps_without_a_target_have_no_element() -> None:
    assert "element" not in action_scores(PressEnter(), None, Click(target=Mark(mark=1)))
    assert action_scores(PressEnter(), None, PressEnter())["step_success"] == 1
    # A scroll that points somewhere is not the scroll of the page.
    found = action_scores(Scroll(direction="down"), None, Scroll(direction="down", target=Mark(mark=2)))
    assert (found["verb"], found["value"], found["step_success"]) == (1, 1, 0)


def test_answers_count_only_where_one_is_asked_for() -> None:
    asked = action_scores(Finish(answer="12"), None, Finish(answer="twelve"), answer_right=True)
    assert (asked["answer"], asked["action"], asked["step_success"]) == (1, 1, 0)
    assert action_scores(Finish(answer="12"), None, PressEnter(), answer_right=True)["answer"] == 0
    free = action_scores(Finish(), None, Finish(answer="all done"))
    assert "answer" not in free
    assert free["action"] == 1


def test_points_give_each_distance_its_own_step_success() -> None:
    gold = Click(target=Point(x=140, y=60))
    found = action_scores(gold, POINT, Click(target=Point(x=160, y=60)))
    assert [found[f"step_success@{radius}"] for radius in (14, 25, 50)] == [0, 1, 1]
    assert [found[f"action@{radius}"] for radius in (14, 25, 50)] == [0, 1, 1]
    assert "step_success" not in found
    assert found["verb"] == 1
    still = action_scores(PressEnter(), None, PressEnter(), points_alone=True)
    assert still == {"verb": 1, "operation_f1": 1} | {
        f"{name}@{radius}": 1 for name in ("step_success", "action") for radius in (14, 25, 50)
    }
