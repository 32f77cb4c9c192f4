"""The gold guides that the package ships."""

from __future__ import annotations

from guideact.tasks.catalogue import entries
from guideact.tasks.gold import fingerprint, gold_for, shipped
from guideact.tasks.references import common_share, skeleton


def test_every_embedded_task_has_gold_and_nothing_else_has() -> None:
    assert set(shipped()) == set(entries()), "run `guideact gold record`"


def test_gold_is_that_of_the_task_as_it_is_now() -> None:
    stale = [
        found.task.id
        for found in entries().values()
        if (gold := gold_for(found.task.id)) is not None and gold.task_sha256 != fingerprint(found.task)
    ]
    assert stale == [], "run `guideact gold record` for these"


def test_tasks_take_from_2_to_20_odd_steps_and_a_quarter_are_long() -> None:
    lengths = [len(gold.steps) for gold in shipped().values()]
    assert min(lengths) >= 2
    assert max(lengths) <= 25
    assert sum(length > 9 for length in lengths) * 4 >= len(lengths)


def test_every_step_has_two_sentences_that_differ() -> None:
    for gold in shipped().values():
        for number, step in enumerate(gold.steps, 1):
            place = f"{gold.task_id}, step {number}"
            assert len(step.references) >= 2, place
            assert len({skeleton(sentence) for sentence in step.references}) == len(step.references), place


def test_no_wording_is_everywhere() -> None:
    sentences = [sentence for gold in shipped().values() for step in gold.steps for sentence in step.references]
    assert common_share(sentences) <= 0.30


def test_steps_that_need_a_target_have_one_in_both_groundings() -> None:
    for gold in shipped().values():
        for step in gold.steps:
            if step.verb in ("click", "type", "select"):
                assert step.box is not None
                assert step.point is not None
                assert step.role


def test_an_unknown_task_has_no_gold() -> None:
    assert gold_for("no.such.task") is None


def test_answers_are_not_kept() -> None:
    assert all(step.value == "" for gold in shipped().values() for step in gold.steps if step.verb == "finish")
