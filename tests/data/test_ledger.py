"""Every task is accounted for at every stage, and the totals add up."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.data import Entry, Ledger
from guideact.data.ledger import read_ledger, write_ledger
from guideact.errors import InputError

STAGES = ("listed", "performed", "solved", "frozen")


def fate(number: int, stage: str, reason: str = "") -> Entry:
    return Entry(task_id=f"t.{number}", stage=stage, reason=reason, steps={"kept": number, "dropped:hover": 1})


SMALL = Ledger(
    stages=STAGES,
    entries=(fate(1, "frozen"), fate(2, "listed", "stuck"), fate(3, "performed", "check_failed"), fate(4, "frozen")),
)


def test_totals() -> None:
    assert [(total.stage, total.came, total.lost) for total in SMALL.totals()] == [
        ("listed", 4, 0),
        ("performed", 4, 1),
        ("solved", 3, 1),
        ("frozen", 2, 0),
    ]
    assert [total.reasons for total in SMALL.totals()] == [{}, {"stuck": 1}, {"check_failed": 1}, {}]
    assert SMALL.step_totals() == {"dropped:hover": 4, "kept": 10}
    said = json.loads(SMALL.to_json())
    assert said["stages"][1] == {"stage": "performed", "came": 4, "lost": 1, "reasons": {"stuck": 1}}
    assert len(said["tasks"]) == 4


@given(st.lists(st.sampled_from(STAGES)))
def test_totals_add_up_whatever_happened(stages: list[str]) -> None:
    entries = tuple(fate(n, stage, "" if stage == "frozen" else "why") for n, stage in enumerate(stages))
    ledger = Ledger(stages=STAGES, entries=entries)
    ledger.check()
    totals = ledger.totals()
    assert totals[0].came == len(stages)
    for before, after in pairwise(totals):
        assert after.came == before.came - before.lost
    for total in totals:
        assert total.lost == sum(total.reasons.values())
    assert totals[-1].came - totals[-1].lost == stages.count("frozen")


def test_it_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_ledger(tmp_path / "l", SMALL)
    assert read_ledger(tmp_path / "l") == SMALL
    with pytest.raises(InputError, match="cannot be read: No such file"):
        read_ledger(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([], "does not add up"),
        (["{}"], "line 1 of .* is damaged: stages: Field required"),
        (['{"stages": 5}'], "line 1 of .* is damaged: stages: Input should be a valid array"),
        (["[" * 100_000], "line 1 of .* is damaged: Invalid JSON: recursion limit exceeded"),
        (["\udcff"], "line 1 of .* is damaged: Invalid JSON"),
        (['{"stages": ["a"]}', '{"task_id": 3}'], "line 2 of .* is damaged"),
        (['{"stages": ["a"]}', "{"], "line 2 of .* is damaged"),
        (['{"stages": ["a", "b"]}', '{"task_id": "t", "stage": "c"}'], "t: there is no stage 'c'"),
        (['{"stages": ["a", "b"]}', '{"task_id": "t", "stage": "a"}'], "ends at 'a' has the reason ''"),
        (['{"stages": ["a"]}', *['{"task_id": "t", "stage": "a"}'] * 2], "t stands in the ledger twice"),
    ],
)
def test_what_does_not_add_up_is_refused(tmp_path: Path, lines: list[str], said: str) -> None:
    path = tmp_path / "ledger.jsonl"
    path.write_bytes("\n".join(lines).encode(errors="surrogateescape"))
    with pytest.raises(InputError, match=said):
        read_ledger(path)
