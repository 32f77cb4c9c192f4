"""What an agent is told of its earlier steps, and how a guide is corrupted."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guideact.harness.memory import UNREADABLE, corrupt, describe, memory_line
from guideact.types import (
    Action,
    Box,
    Candidate,
    Click,
    Finish,
    GoBack,
    Locator,
    Mark,
    Observation,
    PressEnter,
    Scroll,
    Select,
    Step,
    Type,
)


def candidate(mark: int, role: str, name: str) -> Candidate:
    box = Box(x=10, y=40 * mark, width=100, height=30)
    return Candidate(mark=mark, role=role, name=name, box=box, point=box.centre, locator=Locator(role=role, name=name))


CART, SEARCH, ACCOUNT = (
    candidate(1, "button", "Add to Cart"),
    candidate(2, "searchbox", "Search"),
    candidate(3, "button", "My Account"),
)
PAGE = Observation(url="http://shopping.localhost/", title="Shop", candidates=(CART, SEARCH, ACCOUNT))
CLICK = Click(target=Mark(mark=1))


def step(action: Action | None = CLICK, guide: str = "Click Add to Cart below the price.", index: int = 0) -> Step:
    return Step(index=index, url="", title="", action=action, guide=guide, target=CART)


def test_guides_are_remembered_as_they_are() -> None:
    assert memory_line(step(), PAGE, "guides", "t/0") == "Click Add to Cart below the price."
    assert memory_line(step(guide=""), PAGE, "guides", "t/0") == UNREADABLE


def test_actions_are_remembered_in_words_without_marks() -> None:
    assert memory_line(step(), PAGE, "actions", "t/0") == 'click "Add to Cart" (button)'
    assert memory_line(step(action=None), PAGE, "actions", "t/0") == UNREADABLE


def test_nothing_is_remembered_when_told_so() -> None:
    assert memory_line(step(), PAGE, "none", "t/0") is None


def test_a_corrupted_guide_names_another_thing_of_the_same_kind() -> None:
    assert memory_line(step(), PAGE, "corrupted", "t/0") == "Click My Account below the price."


def test_case_does_not_hide_the_name() -> None:
    assert corrupt("Press the ADD TO CART button.", CART, PAGE, "k") == "Press the My Account button."


def test_every_mention_of_the_name_goes_and_no_part_of_a_word() -> None:
    order, cancel = candidate(1, "button", "Order"), candidate(2, "button", "Cancel")
    page = PAGE.model_copy(update={"candidates": (order, cancel)})
    assert corrupt("To reorder the mugs, click Order.", order, page, "k") == "To reorder the mugs, click Cancel."
    assert corrupt("Click “Order”: an order (ORDER) is made.", order, page, "k") == (
        "Click “Cancel”: an Cancel (Cancel) is made."
    )
    moved = corrupt("To reorder, scroll down.", order, page, "k")
    assert "Cancel" not in moved
    assert moved != "To reorder, scroll down."


@pytest.mark.parametrize(
    ("name", "guide", "corrupted"),
    [
        ("下单", "请点击下单按钮。", "请点击Cancel按钮。"),
        ("Pay (2)", "Click Pay (2)now or Pay (2).", "Click Cancelnow or Cancel."),
        ("Über uns", "Öffne Über uns, nicht Über unsere.", "Öffne Cancel, nicht Über unsere."),
        (r"\1", r"Click \1.", "Click Cancel."),
    ],
)
def test_names_of_any_script_and_with_any_sign_are_found(name: str, guide: str, corrupted: str) -> None:
    named, cancel = candidate(1, "button", name), candidate(2, "button", "Cancel")
    page = PAGE.model_copy(update={"candidates": (named, cancel)})
    assert corrupt(guide, named, page, "k") == corrupted
    # What takes its place is no pattern either.
    assert name in corrupt("Click Cancel.", cancel, page, "k")


def test_with_no_other_of_its_kind_any_other_name_will_do() -> None:
    page = PAGE.model_copy(update={"candidates": (CART, SEARCH)})
    assert corrupt("Click Add to Cart.", CART, page, "k") == "Click Search."


def test_a_guide_that_does_not_name_its_target_has_its_words_moved() -> None:
    guide = "Buy the item now and then look at the cart."
    corrupted = corrupt(guide, CART, PAGE, "k")
    assert corrupted != guide
    assert sorted(corrupted.split()) == sorted(guide.split())
    assert corrupt(guide, None, PAGE, "k") == corrupted


def test_corruption_depends_on_episode_and_step_alone() -> None:
    guide = "One two three four five six seven eight."
    assert corrupt(guide, None, PAGE, "t/0/1") == corrupt(guide, None, PAGE, "t/0/1")
    assert len({corrupt(guide, None, PAGE, f"t/0/{index}") for index in range(20)}) > 1


@settings(deadline=None)
@given(words=st.lists(st.text(alphabet="abcdé中", min_size=1), min_size=1, max_size=8), key=st.text(max_size=5))
def test_corruption_always_changes_a_guide_of_two_different_words(words: list[str], key: str) -> None:
    guide = " ".join(words)
    corrupted = corrupt(guide, None, PAGE, key)
    assert sorted(corrupted.split()) == sorted(words)
    assert (corrupted != guide) == (len(set(words)) > 1)


@pytest.mark.parametrize(
    ("action", "target", "words"),
    [
        (Type(target=Mark(mark=2), text="blue mug"), SEARCH, 'type "blue mug" into "Search" (searchbox)'),
        (Select(target=Mark(mark=2), option="Red"), SEARCH, 'select "Red" in "Search" (searchbox)'),
        (Scroll(direction="up"), None, "scroll up"),
        (Scroll(direction="down", target=Mark(mark=2)), SEARCH, 'scroll down in "Search" (searchbox)'),
        (PressEnter(), None, "press Enter"),
        (GoBack(), None, "go back"),
        (Finish(), None, "finish"),
        (Finish(answer="12"), None, 'finish with "12"'),
        (CLICK, None, "click an empty place"),
        (CLICK, candidate(4, "link", ""), "click a link without a name"),
    ],
)
def test_actions_in_words(action: Action, target: Candidate | None, words: str) -> None:
    assert describe(action, target) == words
