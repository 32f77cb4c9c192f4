"""Finding a step's target: to the letter, and by likeness."""

from __future__ import annotations

import pytest

from guideact.guides.guide import GuideStep, GuideTarget
from guideact.guides.locate import CLUES, alike, related, same_name, to_the_letter
from guideact.guides.repair import renamed
from guideact.types import Box, Verb
from tests.guides.pages import page, thing


def step(
    role: str,
    name: str,
    *,
    verb: Verb = "click",
    value: str = "",
    css: str = "",
    near: tuple[str, ...] = (),
    ordinal: int = 0,
) -> GuideStep:
    target = GuideTarget(role=role, name=name, css=css, near=near, ordinal=ordinal)
    return GuideStep(
        sentence="Do it.", verb=verb, target=target, value=value, box=Box(x=100, y=100, width=120, height=30)
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Save", "save ", True),
        ("Cart, 4 items", "Cart, 12 items", True),
        ("Save", "Save all", False),
        ("4", "5", False),
    ],
)
def test_counts_in_names_may_differ(one: str, other: str, same: bool) -> None:
    assert same_name(one, other) is same


def test_roles_that_a_sentence_does_not_tell_apart() -> None:
    assert related("checkbox", "switch")
    assert related("textbox", "combobox")
    assert not related("button", "textbox")


def test_to_the_letter_is_by_role_and_name() -> None:
    seen = page(thing("link", "Save"), thing("button", "Save all"), thing("button", "Save"))
    found = to_the_letter(step("button", "Save"), seen)
    assert found is not None
    assert found.candidate.mark == 3
    assert to_the_letter(step("button", "Store"), seen) is None
    assert to_the_letter(step("button", "Save", css="b"), page(thing("button", "Store", css="b"))) is None


def test_of_several_the_one_with_the_same_surroundings() -> None:
    rows = page(
        thing("button", "Edit", (900, 500)),
        thing("button", "Edit", (900, 600)),
        texts=(("red mug", (700, 505)), ("green mug", (700, 605))),
    )
    found = to_the_letter(step("button", "Edit", near=("green mug",)), rows)
    assert found is not None
    assert found.candidate.mark == 2


def test_a_list_must_have_the_option_and_a_disabled_thing_is_none() -> None:
    seen = page(thing("combobox", "Size", options=("S", "M")), thing("button", "Go", states=("disabled",)))
    assert to_the_letter(step("combobox", "Size", verb="select", value="XL"), seen) is None
    assert to_the_letter(step("combobox", "Size", verb="select", value="m"), seen) is not None
    assert to_the_letter(step("button", "Go"), seen) is None


def test_likeness_weighs_locator_name_and_place() -> None:
    assert sum(CLUES.values()) == pytest.approx(1)
    seen = page(
        thing("button", "Put in the bag", (110, 105), css="main > button:nth-of-type(1)"),
        thing("button", "Add to list", (600, 700), css="aside > button"),
        thing("textbox", "Add to cart", (100, 100)),
    )
    found = alike(step("button", "Add to cart", css="main > button:nth-of-type(1)"), seen)
    assert [each.candidate.mark for each in found] == [1, 2]
    assert found[0].score > 0.5 > found[1].score


@pytest.mark.parametrize(
    ("sentence", "old", "new", "said"),
    [
        ("Press “Add to cart” now.", "Add to cart", "Into the bag", "Press “Into the bag” now."),
        ("Press “Fork” now.", "Fork 0", "Copy 0", "Press “Copy 0” now."),
        ("Press Save.", "Save", "Store", "Press Store."),
        ("Press the green one.", "Save", "Save", "Press the green one."),
        ("Press the green one.", "Save", "Store", "Click the button “Store”."),
    ],
)
def test_a_sentence_is_mended_where_it_quotes_the_name(sentence: str, old: str, new: str, said: str) -> None:
    seen = page(thing("button", new))
    before = step("button", old)
    target = GuideTarget(role="button", name=new)
    assert renamed(sentence, old, new, before, target, seen, seen.candidates[0]) == said
