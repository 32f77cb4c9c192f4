"""Step-aligned guide scores."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guideact.metrics import align, guide_score

STEPS = ("Click the search box.", "Type red mug.", "Press Enter.", "Open the first result.", "点击加入购物车。")
lists = st.lists(st.sampled_from(STEPS), min_size=1, max_size=4)


def gold(*texts: str) -> list[list[str]]:
    return [[text] for text in texts]


def test_the_same_sentences_at_their_steps_score_1() -> None:
    found = align(STEPS, gold(*STEPS))
    assert found.score == 1
    assert found.pairs == tuple((i, i, 1.0) for i in range(5))


def test_a_missing_and_a_superfluous_sentence_cost_the_same() -> None:
    assert align(STEPS[:4], gold(*STEPS)).score == pytest.approx(8 / 9)
    assert align(STEPS, gold(*STEPS[:4])).score == pytest.approx(8 / 9)


def test_the_order_of_steps_counts_which_joined_text_hardly_sees() -> None:
    one, two = "Open the customer menu.", "Choose Sign Out."
    swapped = align([two, one], gold(one, two))
    # No crossing: one of the two can be paired with itself, and nothing is left for the other.
    assert swapped.score == pytest.approx(1 / 2)
    assert guide_score(f"{two} {one}", [f"{one} {two}"]).rouge1 == 1


def test_sentences_that_are_not_there_take_no_part() -> None:
    found = align(["", STEPS[0], "!"], [[], [STEPS[0], STEPS[1]], [""]])
    assert found.score == 1
    assert found.pairs == ((1, 1, 1.0),)
    assert align([], gold(STEPS[0])).score == 0


def test_each_step_takes_all_its_references() -> None:
    assert align(["Press Enter."], [["Submit the form.", "Press Enter."]]).score == 1


def test_without_references_there_is_nothing_to_align() -> None:
    with pytest.raises(ValueError, match="gold step"):
        align(["Click."], [[], ["?"]])


@settings(max_examples=60)
@given(lists, lists)
def test_no_other_alignment_is_better(predicted: list[str], wanted: list[str]) -> None:
    best = 0.0
    for size in range(min(len(predicted), len(wanted)) + 1):
        for left in itertools.combinations(range(len(predicted)), size):
            for right in itertools.combinations(range(len(wanted)), size):
                total = sum(guide_score(predicted[i], [wanted[j]]).g for i, j in zip(left, right, strict=True))
                best = max(best, total)
    found = align(predicted, gold(*wanted))
    assert found.score == pytest.approx(2 * best / (len(predicted) + len(wanted)))
    assert 0 <= found.score <= 1
    assert all(a[0] < b[0] and a[1] < b[1] for a, b in itertools.pairwise(found.pairs))


@given(lists, lists)
def test_it_is_the_same_backwards(predicted: list[str], wanted: list[str]) -> None:
    forwards = align(predicted, gold(*wanted)).score
    assert align(predicted[::-1], gold(*wanted[::-1])).score == pytest.approx(forwards)
