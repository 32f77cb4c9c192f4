"""How far a judge agrees with labels: counted as by hand, and labels that are none are named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.harness.agreement import agreed, read_labels


def guide(name: str, **labels: bool) -> str:
    return json.dumps({"id": name, "task": "t", "steps": [{"guide": "Open it."}], "labels": labels})


def answer(name: str) -> str:
    return json.dumps({"id": name, "question": "q", "reference": "r", "answer": "a", "correct": True})


def test_agreement_is_counted_as_by_hand() -> None:
    """Cohen's kappa of the table 20 / 5 / 10 / 15 is .4, the example of many a textbook."""
    rows = [("yes", True, True)] * 20 + [("label", True, False)] * 5
    rows += [("judge", False, True)] * 10 + [("no", False, False)] * 15
    found = agreed("right", [(f"{name}{number}", *said) for number, (name, *said) in enumerate(rows)])  # type: ignore[misc]
    assert (found.both_yes, found.only_label, found.only_judge, found.both_no, found.cases) == (20, 5, 10, 15, 50)
    assert found.share.value == pytest.approx(0.7)
    assert found.kappa == pytest.approx(0.4)
    assert found.share.low is not None
    assert found.share.high is not None
    assert 0.5 < found.share.low < 0.7 < found.share.high < 0.85


def test_kappa_is_not_given_where_chance_alone_agrees() -> None:
    assert agreed("clean", [("a", True, True), ("b", True, True)]).kappa is None
    assert agreed("clean", [("a", True, False), ("b", False, True)]).kappa == pytest.approx(-1)


def test_cases_of_a_group_are_resampled_together() -> None:
    rows = [(True, True)] * 30 + [(True, False)] * 30
    alone = agreed("right", [(str(number), *row) for number, row in enumerate(rows)]).share
    grouped = agreed("right", [(str(number // 10), *row) for number, row in enumerate(rows)]).share
    assert None not in (alone.low, alone.high, grouped.low, grouped.high)
    assert grouped.high - grouped.low > alone.high - alone.low  # type: ignore[operator]


def test_labels_of_both_kinds_are_read(tmp_path: Path) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(f"{guide('g', right=True)}\n\n{answer('a')}\n", encoding="utf-8")
    assert [label.id for label in read_labels(path)] == ["g", "a"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "holds no labels"),
        ("{", "line 1: Invalid JSON"),
        (answer("a") + "\n" + answer("a"), "two lines with the id 'a'"),
        (guide("g"), "line 1: a guide needs steps and labels"),
        (guide("g", nice=True), "line 1: labels.nice"),
        (answer("a").replace("true", '"perhaps"'), "line 1: correct: "),
        (answer("a").replace('"question"', '"asked"'), "line 1: question: "),
    ],
)
def test_a_file_that_is_wrong_is_told_by_line_and_field(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "labels.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_labels(path)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_missing_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nope\.jsonl cannot be read"):
        read_labels(tmp_path / "nope.jsonl")
