"""What the check of gold guides refuses."""

from __future__ import annotations

import string

import pytest

from guideact.tasks.phrases import BANKS, sentences
from guideact.tasks.references import common_share, reference_faults, skeleton
from guideact.tasks.solve import Act
from guideact.types import Action, AnswerCheck, Check, Click, Finish, Mark, Task, Type
from tests.tasks.pages import candidate, page

SEEN = page(candidate(1, "button", "Save", 0, 0), candidate(2, "textbox", "Password", 0, 30))
TASK = Task(
    id="t.1",
    intent="How many reviews does it have?",
    sites=("shopping",),
    start_url="__SHOPPING__/",
    check=Check(answer=AnswerCheck(kind="number", expected=("12",))),
)
FIRST = "Click “Save” at the foot of the form."
SECOND = "The form is stored by the button below it, and a green note confirms that."


def faults(*references: str, action: Action | None = None) -> str:
    act = Act(action or Click(target=Mark(mark=1)), references)
    return "\n".join(reference_faults(TASK, [(act, SEEN)]))


def test_two_good_sentences() -> None:
    assert faults(FIRST, SECOND) == ""


@pytest.mark.parametrize(
    ("references", "fault"),
    [
        ((FIRST,), "needs two reference sentences, has 1"),
        ((FIRST, "click it please, now."), "not a whole sentence"),
        ((FIRST, "The form is stored by it"), "not a whole sentence"),
        ((FIRST, "Done."), "5 characters, wanted 15 to 260"),
        ((FIRST, "The form {what} is stored by the button."), "a placeholder"),
        ((FIRST, "Click “Store” at the foot of the form."), "two references are built alike (1.00)"),
        ((FIRST, "There are 12 of them, as the heading says."), "gives away '12'"),
        ((FIRST, "The button with the mark [12] stores it."), "the guide says"),
    ],
)
def test_faults(references: tuple[str, ...], fault: str) -> None:
    assert f"step 1 (click): {fault}" in faults(*references)


def test_a_number_inside_another_gives_nothing_away() -> None:
    assert faults(FIRST, "Order 000123 has a button that stores it, at 9.12 in the list.") == ""


def test_a_value_may_be_named_where_it_is_typed_only() -> None:
    typed = Type(target=Mark(mark=2), text="s3cret")
    say = "The field “Password” takes s3cret."
    assert faults("Enter s3cret where dots appear.", say, action=typed) == ""
    steps = [(Act(typed, (FIRST, SECOND)), SEEN), (Act(Finish(), (FIRST, say)), SEEN)]
    assert reference_faults(TASK, steps) == (f"step 2 (finish): gives away 's3cret': {say!r}",)


def test_what_the_request_names_is_no_secret() -> None:
    task = TASK.model_copy(update={"intent": "Are there 12 reviews or fewer?"})
    act = Act(Finish(answer="12"), (FIRST, "Compare with the 12 of the question, and you are done."))
    assert reference_faults(task, [(act, SEEN)]) == ()


def test_a_skeleton_has_blanks_for_what_a_sentence_is_about() -> None:
    assert skeleton("Type “blue mug” for $12.50, 3 pieces.") == "type _ for _ _ pieces"
    assert skeleton("Write to emma@example.com!") == "write to _"
    assert common_share([FIRST, "Click “Store” at the foot of the form.", SECOND, "Go on."], top=1) == 0.5
    assert common_share([]) == 0.0


def test_banks_pair_sentences_that_differ() -> None:
    for bank, (first, second) in BANKS.items():
        slots = {
            name: "the “Save” button"
            for sentence in (*first, *second)
            for _, name, _, _ in string.Formatter().parse(sentence)
            if name and name != "What"
        }
        assert len(set(first)) == len(first) >= 3, bank
        assert len(set(second)) == len(second) >= 3, bank
        seen: set[str] = set()
        for number in range(200):
            pair = sentences(bank, str(number), **slots)
            seen.update(pair)
            assert reference_faults(TASK, [(Act(Finish(), pair), SEEN)]) == (), pair
        assert len(seen) == len(first) + len(second), f"{bank}: some wordings are never chosen"


def test_wordings_depend_on_the_seed_alone() -> None:
    assert sentences("cookies", "a/1", button="x") == sentences("cookies", "a/1", button="x")
