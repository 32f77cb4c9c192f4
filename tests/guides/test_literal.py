"""The literal follower: what it reads in a sentence, what it finds, and where it gives up."""

from __future__ import annotations

import pytest

from guideact.guides.literal.find import Before, choices
from guideact.guides.literal.follow import Follower, Line
from guideact.guides.literal.read import read
from guideact.types import Box, Finish, GoBack, Observation, Outcome, PressEnter, Scroll, Scroll2D, Select, Type
from tests.guides.pages import page, thing

SHOP = page(
    thing("link", "Lumo", (20, 10)),
    thing("combobox", "Search products", (300, 10), size=(400, 40), tag="input"),
    thing("button", "Emma", (1200, 10), states=("collapsed",)),
    thing("link", "Garden Plate", (300, 300)),
    thing("link", "Garden Plate Deluxe", (600, 300)),
    thing("textbox", "Quantity", (300, 400), size=(60, 30), value="1"),
    thing("textbox", "Note", (300, 460), size=(300, 120), tag="textarea"),
    thing("combobox", "Sort by", (900, 200), options=("Price", "Name", "Rating"), value="Price"),
    thing("button", "Edit", (900, 500)),
    thing("button", "Edit", (900, 600)),
    thing("button", "Remove blue mug", (900, 700)),
    thing("checkbox", "I accept the terms", (300, 800), states=("unchecked",)),
    texts=(("red mug", (300, 505)), ("green mug", (300, 605)), ("blue mug", (300, 705))),
)  # fmt: skip


def done(
    sentence: str, seen: Observation = SHOP, before: Before | None = None, enter: str = ""
) -> tuple[str, int, str]:
    """What the best choice does: verb, mark, value."""
    best = choices(read(sentence), seen, before, enter)[0]
    value = getattr(best.action, "text", getattr(best.action, "option", ""))
    return best.action.verb, best.target.mark, value


@pytest.mark.parametrize(
    ("sentence", "act"),
    [
        ("Click “Garden Plate”.", ("click", 4, "")),
        ("Open the product “Garden Plate Deluxe” in the list.", ("click", 5, "")),
        ("Type “tea pot” into the search box at the top.", ("type", 2, "tea pot")),
        ("“tea pot” goes into the search field of the header.", ("type", 2, "tea pot")),
        ("Replace the number in “Quantity” by 4.", ("type", 6, "4")),
        ("“Quantity” should read 4.", ("type", 6, "4")),
        ("Write “Ring twice.” into the large field.", ("type", 7, "Ring twice.")),
        ("Under “Note” write “Ring twice.”", ("type", 7, "Ring twice.")),
        ("Set “Sort by” to “Rating”.", ("select", 8, "Rating")),
        ("Choose “Name” in the list.", ("select", 8, "Name")),
        ("Click the 'Garden Plate' link on the shopper's list.", ("click", 4, "")),
        ("Type 'Ada's mug' into the \"Search\" box.", ("type", 2, "Ada's mug")),
        ("Press “Edit” in the row of “green mug”.", ("click", 10, "")),
        ("Press the first “Edit”.", ("click", 9, "")),
        ("Take “blue mug” out with the bin beside it.", ("click", 11, "")),
        ("Tick the box that says you accept the terms.", ("click", 12, "")),
        ("Open the menu behind your name at the top right.", ("click", 3, "")),
    ],
)
def test_a_sentence_finds_what_it_names(sentence: str, act: tuple[str, int, str]) -> None:
    assert done(sentence) == act


def test_what_stands_beside_the_sentence_is_what_is_entered() -> None:
    assert done("Fill in the note.", enter="4 eggs\n2 spoons") == ("type", 7, "4 eggs\n2 spoons")
    assert done("Change the order of the list.", enter="Rating") == ("select", 8, "Rating")


def test_suggestions_are_taken_right_after_typing() -> None:
    seen = page(thing("link", "Tide / Water", (600, 400)), thing("option", "tide/water Tidewater", (300, 60)))
    typed = Before(Box(x=0, y=0, width=9, height=9), "", "tide/water")
    assert done("Pick “tide/water” below the search box.", seen, typed) == ("click", 2, "")


@pytest.mark.parametrize(
    ("sentence", "verb"),
    [
        ("Press Enter to see the results.", "press_enter"),
        ("With Enter the article comes up.", "press_enter"),
        ("Go back to the list.", "go_back"),
        ("Return to the page before.", "go_back"),
        ("Scroll down until you can see “Save”.", "scroll"),
        ("There is more below. Scroll until “Save” shows up.", "scroll"),
    ],
)
def test_acts_without_a_target(sentence: str, verb: str) -> None:
    assert verb in read(sentence).verbs


@pytest.mark.parametrize(
    ("sentence", "value"),
    [
        ("The postcode is 60614.", "60614"),
        ("Enter Lopez as the last name.", "Lopez"),
        ("Put 77 Maple Avenue in the field for the street.", "77 Maple Avenue"),
        ("Set the date to March 12, 2026.", "2026-03-12"),
        ("Overwrite the phone number with +358 40 555 0170.", "+358 40 555 0170"),
        ("Enter piet@example.org in the field at the foot of the page.", "piet@example.org"),
    ],
)
def test_values_that_are_not_quoted(sentence: str, value: str) -> None:
    assert read(sentence).values[0] == value


def test_quotation_marks_within_a_name_are_its_own() -> None:
    sentence = "Open “Searching for \"mug\" doesn't find 'mugs'” in the 'Issues' list."
    assert [quote.text for quote in read(sentence).quotes] == ["Searching for \"mug\" doesn't find 'mugs'", "Issues"]


def test_it_gives_up_where_nothing_bears_the_name() -> None:
    follower = Follower([Line(sentence="Click “Launch rocket”."), Line(sentence="You are done.")])
    move = follower.next(SHOP)
    assert isinstance(move.action, Finish)
    assert move.line == 0
    assert move.why == "nothing is called “Launch rocket”"


def test_it_looks_below_and_then_above_before_it_gives_up() -> None:
    follower = Follower([Line(sentence="Click “Launch rocket”."), Line(sentence="Done.")])
    moves = []
    y = 300.0
    for _ in range(10):
        texts = (("at", (0.0, y)),)
        seen = page(thing("link", "Home"), texts=texts, scroll=Scroll2D(y=y, max_y=900))
        move = follower.next(seen)
        moves.append(getattr(move.action, "direction", "stop"))
        if not isinstance(move.action, Scroll):
            break
        y = min(900.0, y + 600) if move.action.direction == "down" else max(0.0, y - 600)
    assert moves == ["down", "up", "up", "stop"]


def test_a_guide_is_followed_line_by_line() -> None:
    follower = Follower(
        [
            Line(sentence="Type “plate” into “Search products”."),
            Line(sentence="Press Enter."),
            Line(sentence="Scroll down until you can see “Garden Plate”."),
            Line(sentence="Set “Sort by” to “Name”."),
            Line(sentence="Go back one page."),
            Line(sentence="The list is in order now."),
        ]
    )
    moves = [follower.next(SHOP) for _ in range(5)]
    assert isinstance(moves[0].action, Type)
    assert isinstance(moves[1].action, PressEnter)
    assert isinstance(moves[2].action, Select), "what is in view already needs no scrolling"
    assert moves[2].line == 3
    assert isinstance(moves[3].action, GoBack)
    assert isinstance(moves[4].action, Finish)
    assert moves[4].why == ""


def test_a_covered_target_is_tried_again_after_a_scroll() -> None:
    follower = Follower([Line(sentence="Click “Edit”."), Line(sentence="Done.")])
    first = follower.next(SHOP)
    again = follower.next(SHOP, Outcome(code="covered", detail="A bar lies over it."))
    assert isinstance(again.action, Scroll)
    assert follower.next(SHOP).action == first.action


def test_secrets_are_known_by_heart() -> None:
    seen = page(thing("textbox", "Password"))
    follower = Follower(
        [Line(sentence="Type your password into “Password”.", enter="x"), Line(sentence="Done.")],
        {"password": "s3cret"},
    )
    action = follower.next(seen).action
    assert isinstance(action, Type)
    assert action.text == "s3cret"


def test_a_list_that_was_just_opened_is_typed_into() -> None:
    seen = page(
        thing("combobox", "Forum", (300, 300), tag="input"), thing("combobox", "Flair", (300, 360), tag="input")
    )
    opened = Before(Box(x=300, y=300, width=120, height=30), "Forum", "", "combobox")
    assert done("The list is long, so type “Open Source Desk” to narrow it down.", seen, opened)[1] == 1
