"""`guideact judge agreement`: a judge is asked about labelled cases once, and what it says is counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guideact.models.judge import CRITERIA
from tests.models.endpoint import endpoint, says

from .calling import call, one_line, spawn

LABELS = (
    {
        "id": "g1",
        "task": "Close the issue.",
        "steps": [{"guide": "Press “Close issue”.", "done": "click the button “Close issue”"}],
        "labels": dict.fromkeys(CRITERIA, True),
    },
    {"id": "g2", "task": "Close it.", "steps": [{"guide": "Close."}], "labels": {"unique": False, "right": True}},
    {"id": "a1", "question": "Which size?", "reference": "Small", "answer": "Large", "correct": False},
)


def written(folder: Path) -> Path:
    path = folder / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(label)}\n" for label in LABELS), encoding="utf-8")
    return path


async def test_agreement_is_told_and_nothing_is_asked_twice(tmp_path: Path) -> None:
    good = json.dumps({"reason": "All is well.", **dict.fromkeys(CRITERIA, "yes")})
    wrong = json.dumps({"reason": "Another size.", "verdict": "incorrect"})
    async with endpoint(says(good), says(good), says(good), says(wrong)) as there:
        words = ("judge", "agreement", str(written(tmp_path)), "--judge", "openai/m", "--judge-base-url", there.url)
        told = await spawn(*words, OPENAI_API_KEY="k")
        assert told.status == 0, told.err
        assert "How far openai/m agrees with the labels" in told.out
        assert "g2: unique: All is well." in told.err
        found = json.loads((await spawn(*words, "--json", OPENAI_API_KEY="k")).out)
        assert len(there.bodies) == 5, "each command tries the judge out; verdicts are kept beside the labels"
    counts = {one["question"]: (one["both_yes"], one["both_no"], one["only_judge"]) for one in found["agreements"]}
    assert counts == {
        "unique": (1, 0, 1),
        "right": (2, 0, 0),
        "complete": (1, 0, 0),
        "ordered": (1, 0, 0),
        "clean": (1, 0, 0),
        "good": (1, 0, 0),
        "correct": (0, 1, 0),
    }
    assert found["disagreements"] == [["g2", "unique", "All is well."]]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nope.jsonl", "--judge", "openai/m"], "nope.jsonl cannot be read"),
        (["labels.jsonl", "--judge", "cohere/m"], "Use --judge with openai/NAME"),
        (["labels.jsonl", "--judge", "anthropic/m"], "anthropic/m needs a key"),
    ],
)
def test_what_cannot_be_is_one_line(
    words: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GUIDEACT_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    written(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = call(capsys, "judge", "agreement", *words)
    assert found.status == 2
    assert said in one_line(found)
