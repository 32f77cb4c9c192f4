"""Comparing two runs."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from guideact.errors import InputError
from guideact.harness.compare import compare_runs
from guideact.harness.score import score_run
from guideact.harness.scores import Comparison, Difference
from guideact.stats import Resampling
from tests.harness import independent_scores
from tests.harness.independent_scores import recompute_comparison, unlike
from tests.harness.made_runs import made_episodes, write_run
from tests.harness.test_score import episode


def measure(comparison: Comparison, name: str) -> Difference:
    return next(row for row in comparison.differences if row.name == name)


def test_by_hand(tmp_path: Path) -> None:
    text = ("Open the cart.", "Press Checkout.")
    a = [
        episode("1", *text, solved=True, template="x"),
        episode("2", *text, solved=True, template="x"),
        episode("3", *text, solved=True, template="y"),
        episode("4", *text, template="z"),
        episode("5", *text, template="z"),
        episode("only a", *text, solved=True),
        episode("broken in b", *text, solved=True),
    ]
    b = [
        episode("1", "Nothing alike.", template="x"),
        episode("2", "Nothing alike.", template="x"),
        episode("3", "Nothing alike.", solved=True, template="y"),
        episode("4", "Nothing alike.", solved=True, template="z"),
        episode("5", "Nothing alike.", template="z", faults=1),
        episode("only b", "Nothing alike."),
        episode("broken in b", end="infrastructure_error"),
    ]
    found = compare_runs(write_run(tmp_path / "a", a), write_run(tmp_path / "b", b))
    assert (found.n, found.clusters) == (5, 3)
    assert found.only_a == ("broken in b", "only a")
    assert found.only_b == ("only b",)
    assert (found.infrastructure_errors_a, found.infrastructure_errors_b) == (0, 1)
    assert (found.won, found.lost, found.both, found.neither) == (("1", "2"), ("4",), 1, 1)
    assert found.mcnemar_ignoring_clusters == 1
    sr = measure(found, "sr")
    assert (sr.a, sr.b) == (3 / 5, 2 / 5)
    assert sr.difference.value == pytest.approx(1 / 5)
    # Clusters x: +2, y: 0, z: -1. Patterns of x and z give 1, 3, 3, 1: all at least 1.
    assert sr.sign_flip is not None
    assert (sr.sign_flip.p, sr.sign_flip.clusters) == (1, 2)
    assert measure(found, "g").difference.value == 1
    assert measure(found, "ofcr").difference.value == pytest.approx(1 - 4 / 5)
    assert found.head_room.room == pytest.approx(4 / 5 - 3 / 5)
    assert found.head_room_repeats_a is None
    assert found.head_room_repeats_b is None


def test_a_run_against_itself_differs_in_nothing(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", made_episodes(1, tasks=20, templates=8))
    found = compare_runs(folder, folder)
    for row in found.differences:
        assert row.difference.value == 0
        assert row.difference.method == "clopper-pearson"
        assert row.sign_flip is None or row.sign_flip.p == 1
    assert found.won == found.lost == ()
    assert found.mcnemar_ignoring_clusters == 1
    assert found.head_room.room == 0


def test_swapping_the_arms_changes_signs_alone(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", made_episodes(2, tasks=20, templates=40, samples=2))
    b = write_run(tmp_path / "b", made_episodes(2, tasks=20, templates=40, success=0.2, skill=9))
    one, other = compare_runs(a, b), compare_runs(b, a)
    assert (one.won, one.lost, one.only_a) == (other.lost, other.won, other.only_b)
    for row, swapped in zip(one.differences, other.differences, strict=True):
        assert row.difference.value is not None
        assert row.difference.low is not None
        assert swapped.difference.high is not None
        assert row.difference.value == pytest.approx(-(swapped.difference.value or 0))
        assert row.difference.low == pytest.approx(-swapped.difference.high)
        assert row.sign_flip == swapped.sign_flip
    assert one.head_room.room == pytest.approx(other.head_room.room)
    assert one.head_room_repeats_a == other.head_room_repeats_b


CASES: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "one attempt": ({"tasks": 20, "templates": 7}, {"success": 0.2}),
    "unequal attempts": ({"tasks": 16, "samples": 2, "templates": 6}, {"success": 0.8, "samples": 3}),
    "many templates": ({"tasks": 50, "templates": 300}, {"success": 0.3}),
    "gold against nothing": ({"tasks": 10, "success": 1.0}, {"success": 0.0}),
    "errors": ({"tasks": 14, "samples": 2}, {"infrastructure": 0.6}),
    "no gold": ({"tasks": 8, "without_gold": 1.0}, {"success": 0.1}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_second_computation_agrees_on_every_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    monkeypatch.setattr(independent_scores, "RESAMPLES", 1000)
    arm, change = CASES[case]
    a = write_run(tmp_path / "a", made_episodes(8, **arm))
    b = write_run(tmp_path / "b", made_episodes(8, **{**arm, **change}, skill=5))
    printed = json.loads(compare_runs(a, b, resampling=Resampling(resamples=1000)).model_dump_json())
    assert unlike(printed, recompute_comparison(a, b)) == []


def test_the_arms_are_those_of_their_own_scores(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", made_episodes(3, tasks=15, infrastructure=0))
    b = write_run(tmp_path / "b", made_episodes(3, tasks=15, infrastructure=0, skill=1, success=0.9))
    found, score_a, score_b = compare_runs(a, b), score_run(a), score_run(b)
    for name in ("sr", "g", "ggs", "ggs_referenced", "guide_tax", "g_aligned", "ofcr"):
        row = measure(found, name)
        assert row.a == getattr(score_a, name).value
        assert row.b == getattr(score_b, name).value


def test_nothing_in_common_is_refused(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [episode("1", "x")])
    b = write_run(tmp_path / "b", [episode("2", "x"), episode("1", end="infrastructure_error")])
    with pytest.raises(InputError, match="no scored task in common"):
        compare_runs(a, b)


def test_what_else_differs_is_said(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", [episode("1", "x"), episode("2", "x")], hashes={"prompts": "1", "font": "1"})
    b = write_run(
        tmp_path / "b",
        [episode("1", "x"), episode("2", "x", references=(("Other.",),))],
        hashes={"prompts": "2", "font": "1", "weights": "3"},
        tasks=["1", "2", "3"],
    )
    notes = compare_runs(a, b).notes
    assert notes[0] == "b: 1 of 3 episodes are not finished."
    assert notes[1] == "The prompts of the two runs differ."
    assert notes[2].startswith("1 tasks have other reference guides")


def test_bytes_are_the_same_in_any_process(tmp_path: Path) -> None:
    a = write_run(tmp_path / "a", made_episodes(4, tasks=12, samples=2))
    b = write_run(tmp_path / "b", made_episodes(4, tasks=12, samples=2, skill=2))
    code = "import sys; from pathlib import Path; from guideact.harness.compare import compare_runs\n"
    code += "sys.stdout.write(compare_runs(*map(Path, sys.argv[1:])).model_dump_json())"
    seen = set()
    for hash_seed in ("0", "7"):
        command = [sys.executable, "-c", code, str(a), str(b)]
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        seen.add(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)
    assert len(seen) == 1
