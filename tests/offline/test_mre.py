"""Comparing runs, and the verdict on mutual reinforcement."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from guideact.actions import format_answer
from guideact.data import Dataset
from guideact.errors import InputError
from guideact.offline.compare import compare_runs, labels
from guideact.offline.measure import StepScore
from guideact.offline.mre import Gain, detectable, mre, verdict
from guideact.offline.predictions import ORDERS, Arm, Predictions, group_runs, read_predictions
from guideact.stats import Estimate, Resampling
from guideact.types import Click, Mark
from tests.cli.calling import call, one_line
from tests.harness.independent_scores import estimate

from .made import header, made, write_predictions

QUICK = Resampling(resamples=200)


def answered(dataset: Dataset, folder: Path, arm: Arm, seed: int, right: float, good: float) -> Predictions:
    """Answers right in a share of the steps, with the reference as guide in a share of them."""
    rng = random.Random(f"{arm}/{seed}")
    lines = [header(dataset, arm, seed=seed).model_dump_json()]
    for step in dataset.steps("test"):
        action = step.action if rng.random() < right else Click(target=Mark(mark=1))
        guide = step.guides[0] if rng.random() < good else "Do something."
        raw = format_answer(action, guide, order=ORDERS[arm])
        lines.append(json.dumps({"task": step.task_id, "index": step.index, "prompt_sha256": "", "raw": raw}))
    path = folder / f"{arm}-{seed}-{right}-{good}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return read_predictions([path])


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return made(tmp_path_factory.mktemp("made") / "made", tasks=120, templates=40)


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [("history", "none", "--history"), ("tasks_sha256", "0" * 64, "--limit"), ("images", True, "--screenshots")],
)
def test_arms_that_were_asked_differently_are_not_compared(
    field: str, value: object, told: str, dataset: Dataset, tmp_path: Path
) -> None:
    joint, single = (answered(dataset, tmp_path, arm, 0, 0.5, 0.5) for arm in ("guide-action", "action"))
    guide = answered(dataset, tmp_path, "guide", 0, 0, 0.5)
    odd = guide.model_copy(update={"header": guide.header.model_copy(update={field: value})})
    mre(dataset, [joint], [single], [guide], QUICK)
    with pytest.raises(InputError, match=told):
        mre(dataset, [joint], [single], [odd], QUICK)


def effect(dataset: Dataset, folder: Path, joint: tuple[float, float], action: float, guide: float) -> str:
    seeds = range(2)
    found = mre(
        dataset,
        [answered(dataset, folder, "guide-action", seed, *joint) for seed in seeds],
        [answered(dataset, folder, "action", seed, action, 0) for seed in seeds],
        [answered(dataset, folder, "guide", seed, 0, guide) for seed in seeds],
        QUICK,
    )
    assert found.seeds == 2
    return found.verdict


@pytest.mark.parametrize(
    ("joint", "action", "guide", "said"),
    [
        ((0.9, 0.9), 0.4, 0.4, "reinforcement"),
        ((0.4, 0.4), 0.9, 0.9, "interference"),
        ((0.9, 0.4), 0.4, 0.9, "trade-off"),
        ((0.9, 0.5), 0.4, 0.5, "one side gains"),
        ((0.4, 0.5), 0.9, 0.5, "one side loses"),
        ((0.5, 0.5), 0.5, 0.5, "inconclusive"),
    ],
)
def test_both_sides_must_gain(
    joint: tuple[float, float], action: float, guide: float, said: str, dataset: Dataset, tmp_path: Path
) -> None:
    assert effect(dataset, tmp_path, joint, action, guide) == said


def test_an_effect_below_the_smallest_of_the_plan_is_inconclusive() -> None:
    def gain(side: str, name: str, value: float) -> Gain:
        small = Estimate(value=value, low=value - 0.005, high=value + 0.005)
        return Gain(
            side=side, name=name, joint=0.5, single=0.5, gain=small, macro_gain=small, by_seed=(value,), detectable=0.01
        )

    gains = [gain("action", "element", 0.02), gain("guide", "g", 0.03)]
    assert verdict(gains) == "reinforcement"
    assert verdict(gains, {"element": 0.03, "g": 0.02}) == "one side gains"
    assert verdict(gains, {"element": 0.03, "g": 0.04}) == "inconclusive"


def test_gains_are_paired_means_over_seeds_with_clustered_intervals(dataset: Dataset, tmp_path: Path) -> None:
    joint = [answered(dataset, tmp_path, "action-guide", seed, 0.7, 0.5) for seed in range(2)]
    single = [answered(dataset, tmp_path, "action", seed, 0.5, 0) for seed in range(2)]
    guide = [answered(dataset, tmp_path, "guide", seed, 0, 0.5) for seed in range(2)]
    found = mre(dataset, joint, single, guide).gain("element")
    assert found is not None
    steps = {(step.task_id, step.index): step for step in dataset.steps("test")}
    templates = {task.id: task.task.template_id for task in dataset.tasks()}

    def sides(runs: list[Predictions]) -> list[tuple[str, Fraction | float, Fraction | float]]:
        rows: list[tuple[str, Fraction | float, Fraction | float]] = []
        for key, step in steps.items():
            mark = getattr(getattr(step.action, "target", None), "mark", None)
            if mark is None:
                continue
            hits = []
            for run in runs:
                raw = next(row.raw for row in run.rows if row.key == key)
                hits.append(float(json.loads(raw)["target"] == [mark]))
            rows.append((templates[key[0]], sum(hits) / 2, 1))
        return rows

    expected = estimate([sides(joint), sides(single)], (-1, 1))
    assert found.gain.value == pytest.approx(expected["value"], abs=1e-8)
    assert (found.gain.low, found.gain.high) == pytest.approx((expected["low"], expected["high"]), abs=1e-8)
    assert found.joint - found.single == pytest.approx(found.gain.value)
    assert sum(found.by_seed) / 2 == pytest.approx(found.gain.value)


def test_the_smallest_detectable_effect_is_found_four_times_in_five() -> None:
    rng = np.random.default_rng(0)
    clusters, size, found, effects = 60, 5, 0, []
    for _ in range(300):
        levels = rng.normal(0, 0.2, clusters)
        pairs = [(f"t{c:02}", 0.5 + levels[c] + rng.normal(0, 0.3)) for c in range(clusters) for _ in range(size)]
        ours = [StepScore(c, n, c, {"x": v}, "", ()) for n, (c, v) in enumerate(pairs)]
        theirs = [StepScore(c, n, c, {"x": 0.5}, "", ()) for n, (c, v) in enumerate(pairs)]
        smallest = detectable(ours, theirs, "x")
        assert smallest is not None
        effects.append(smallest)
        mean = math.fsum(v - 0.5 for _, v in pairs) / len(pairs)
        # With a true effect of that size added, a test at 5 % sees it where the mean lies 1.96 errors off 0.
        found += abs(mean + smallest) > 1.96 * smallest / 2.8
    assert 0.74 < found / 300 < 0.86
    assert detectable(ours[:5], theirs[:5], "x") is None
    assert detectable(theirs, theirs, "x") is None


def test_runs_side_by_side_are_paired_and_labelled(dataset: Dataset, tmp_path: Path) -> None:
    runs = [answered(dataset, tmp_path, "action-guide", seed, right, 0.5) for seed, right in ((0, 0.5), (1, 0.8))]
    found = compare_runs(dataset, runs, 0, QUICK)
    assert [row.label for row in found.rows] == ["made/up, action-guide, seed 0", "made/up, action-guide, seed 1"]
    base, other = found.rows
    for name in ("element", "verb", "g"):
        one, two = base.cell(name), other.cell(name)
        assert one is not None
        assert two is not None
        assert one.difference is None
        assert two.difference is not None
        assert one.micro.value is not None
        assert two.micro.value is not None
        assert two.difference.value == pytest.approx(two.micro.value - one.micro.value)
        assert two.sign_flip is not None
    element = other.cell("element")
    assert element is not None
    assert element.difference is not None
    assert element.difference.low is not None
    assert element.difference.low > 0
    assert labels([runs[0]]) == ["made/up, action-guide"]


def test_shards_of_a_run_are_one_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = made(tmp_path / "made", tasks=8)
    whole = write_predictions(dataset, tmp_path / "whole.jsonl", header(dataset))
    first, *rows = whole.read_text(encoding="utf-8").splitlines()
    for number in (1, 2):
        head = json.dumps(json.loads(first) | {"shard": f"{number}/2"})
        (tmp_path / f"{number}.jsonl").write_text("\n".join([head, *rows[number - 1 :: 2]]) + "\n", encoding="utf-8")
    other = write_predictions(dataset, tmp_path / "other.jsonl", header(dataset, history="none"), seed=2)
    files = [tmp_path / "1.jsonl", other, tmp_path / "2.jsonl"]
    assert [len(run.rows) for run in group_runs(files)] == [len(rows), len(rows)]
    said = call(capsys, "offline", "compare", str(dataset.folder), *map(str, files), "--json")
    assert said.status == 0, said.err
    table = json.loads(said.out)
    assert [row["files"] for row in table["rows"]] == [["1.jsonl", "2.jsonl"], ["other.jsonl"]]
    said = call(capsys, "offline", "compare", str(dataset.folder), *map(str, files), "--against", "2")
    assert said.status == 0, said.err
    assert "history gold" in said.out
    assert "less run 2" in said.out
    said = call(capsys, "offline", "compare", str(dataset.folder), str(other), "--against", "2")
    assert one_line(said) == "--against 2 is none of the 1 runs. Count from 1."


def test_arms_that_are_mixed_up_are_refused(dataset: Dataset, tmp_path: Path) -> None:
    action = [answered(dataset, tmp_path, "action", 0, 0.5, 0)]
    guide = [answered(dataset, tmp_path, "guide", 0, 0, 0.5)]
    joint = [answered(dataset, tmp_path, "guide-action", 0, 0.5, 0.5)]
    with pytest.raises(InputError, match="--joint wants runs of one arm"):
        mre(dataset, action, action, guide, QUICK)
    with pytest.raises(InputError, match="--guide wants runs of the arm guide"):
        mre(dataset, joint, action, action, QUICK)
    with pytest.raises(InputError, match="1 joint runs and 2 of the arm action"):
        mre(dataset, joint, [*action, *action], guide, QUICK)
