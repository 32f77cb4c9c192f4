"""How goals are taken apart and compared with pages."""

from __future__ import annotations

import numpy as np
import pytest

from guideact.models.builtin.words import hashed, hashes, mixed, padded, read_goal


def test_hashes_are_the_same_everywhere() -> None:
    assert hashed("a:click button save") == 3952022116
    assert mixed(hashes(["a", "b"]), hashes(["c", "d", "e"])).shape == (2, 3)
    assert len(np.unique(mixed(hashes(["a", "b"]), hashes(["a", "b"])))) == 4, "pairs are ordered"


@pytest.mark.parametrize(
    ("goal", "slots"),
    [
        ("Put 3 of the Polka Tee in my cart, Size M.", [" 3 ", " polka tee ", " size m "]),
        ("Update the stock: “Glass Tea Kettle” to 15.", [" glass tea kettle ", " 15 "]),
        ("How many 5-star reviews does the Cereal Bowl have?", [" 5 ", " cereal bowl "]),
        ("Subscribe nora.quist@example.net to the newsletter.", [" nora quist example net "]),
        ("Cancel my last order.", []),
        ("I'd like to follow it.", []),
    ],
)
def test_the_values_of_a_goal(goal: str, slots: list[str]) -> None:
    assert list(read_goal(goal).slots) == slots


@pytest.mark.parametrize(
    ("text", "kind", "blanked"),
    [
        ("Polka Tee", "whole", "*"),
        ("Save stock of Polka Tee", "part", "save stock of *"),
        ("Add to cart", "some", "add to cart"),
        ("my cart", "words", "my cart"),
        ("Harbour 12", "none", "harbour #"),
        ("", "none", ""),
    ],
)
def test_values_are_blanks_in_what_the_page_says(text: str, kind: str, blanked: str) -> None:
    found = read_goal("Put 3 of the Polka Tee in my cart.").match(text)
    assert (found.kind, found.blanked) == (kind, blanked)


@pytest.mark.parametrize(
    ("goal", "typed"),
    [
        ("Add two Insulated Flask III to the cart.", "2"),
        ("Say “It arrived on time, and works.” in the review.", "It arrived on time, and works."),
        ("Its only text is: Forty makers, one yard.", "Forty makers, one yard."),
        ("Set the price to $42.50.", "42.50"),
        ("I need the Dipping Bowls, Set of 3, please.", "Dipping Bowls, Set of 3"),
        ("My number is +1 512 555 0199.", "+1 512 555 0199"),
        ("Buy the Bud Vase No. 5 for me.", "Bud Vase No. 5"),
    ],
)
def test_what_has_to_be_typed_is_among_the_spans(goal: str, typed: str) -> None:
    assert typed in [span.text for span in read_goal(goal).spans]


@pytest.mark.parametrize(
    ("text", "asked", "content", "slot"),
    [
        ("Labels", ("label",), 1, 1),
        ("Weight", ("weigh",), 1, 2),
        ("Assignee", ("assig",), 1, 3),
        ("New issue 4", ("issue",), 2, 0),
        ("Milestone", (), 1, -1),
        ("of the", (), 0, -1),
    ],
)
def test_a_name_is_compared_with_the_words_of_the_request_by_their_roots(
    text: str, asked: tuple[str, ...], content: int, slot: int
) -> None:
    goal = read_goal("Open an issue “Stops”, give it the label “bug” and a weight of 3, and assign it to Ville.")
    found = goal.match(text)
    assert (found.asked, found.content, found.slot) == (asked, content, slot)


@pytest.mark.parametrize("name", ["docs/states.md", "60.16885", "emma_l", "#c2410c", "a@b.example"])
def test_what_is_written_like_a_name_of_a_file_an_account_or_a_number_is_a_value(name: str) -> None:
    assert [slot.strip() for slot in read_goal(f"Look at {name} for me.").slots] == [padded(name).strip()]


def test_names_can_be_typed_as_addresses_write_them() -> None:
    kinds = {span.text: span.kind for span in read_goal("Find the Steep Timer project.").spans}
    assert kinds["steep-timer"] == "slug"
    assert kinds["Steep Timer"] == "words"
    assert "steep-timer-project" not in kinds
