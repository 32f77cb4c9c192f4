"""Offline scores: equal to an independent computation, and the same bytes always."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.offline.gold import read_gold
from guideact.offline.predictions import Arm, read_predictions
from guideact.offline.score import OfflineScore, score
from guideact.stats import Resampling
from guideact.types import Grounding
from tests.cli.calling import call, one_line, spawn
from tests.harness.independent_scores import unlike

from .independent import WITH_INTERVALS, recompute
from .made import coord_dataset, header, made, write_predictions

QUICK = Resampling(resamples=200)


def comparable(scored: OfflineScore) -> dict[str, Any]:
    found = json.loads(scored.model_dump_json())
    return {
        **{name: found[name] for name in ("steps", "tasks", "clusters", "faults")},
        "measures": {
            each["name"]: {kind: part(each["name"], each[kind]) for kind in ("micro", "macro")}
            for each in found["measures"]
        },
        "by_task": {each["task"]: each["scores"] for each in found["by_task"]},
    }


def part(name: str, estimate: dict[str, Any]) -> dict[str, Any]:
    return estimate if name in WITH_INTERVALS else {"value": estimate["value"], "n": estimate["n"]}


@pytest.mark.parametrize("arm", ["action", "guide", "guide-action", "action-guide"])
@pytest.mark.parametrize("grounding", ["som", "coord"])
def test_every_score_equals_an_independent_computation(arm: Arm, grounding: Grounding, tmp_path: Path) -> None:
    dataset = made(tmp_path / "made")
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset, arm, grounding=grounding), seed=len(arm))
    scored = comparable(score(dataset, read_predictions([file])))
    assert not unlike(scored, recompute(tmp_path / "made", [file]), "score", 1e-8)


@pytest.mark.parametrize("dataset", [made, coord_dataset])
def test_scoring_reads_of_a_step_what_the_dataset_holds(dataset: Callable[[Path], Dataset], tmp_path: Path) -> None:
    gold = read_gold(dataset(tmp_path / "made"), "test")
    for key in gold.texts:
        step, whole = gold.step(key), gold.whole_step(key)
        page = whole.observation
        assert (step.key, step.viewport, step.action) == (key, page.viewport, whole.action)
        assert (step.point, step.box, step.guides) == (whole.point, whole.box, whole.guides)
        assert len(step.candidates) == len(page.candidates)
        for seen, candidate in zip(step.candidates, page.candidates, strict=True):
            for name in ("mark", "role", "name", "text", "placeholder", "options", "box"):
                assert getattr(seen, name) == getattr(candidate, name)


def test_scores_by_points_equal_an_independent_computation(tmp_path: Path) -> None:
    dataset = coord_dataset(tmp_path / "points")
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset, grounding="coord"))
    scored = score(dataset, read_predictions([file]))
    assert not unlike(comparable(scored), recompute(tmp_path / "points", [file]), "score", 1e-8)
    values = [scored.measure(f"element@{radius}") for radius in (14, 25, 50)]
    assert all(each is not None and each.micro.value is not None for each in values)
    near, middle, far = (each.micro.value for each in values if each is not None)
    assert near is not None
    assert middle is not None
    assert far is not None
    assert near < middle < far
    assert scored.measure("element") is None


async def test_scores_are_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made")
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset))
    first, *rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
    random.Random(3).shuffle(rows)
    shards = []
    for number in range(3):
        head = json.loads(first) | {"shard": f"{number + 1}/3"}
        shards.append(tmp_path / f"shard{number}.jsonl")
        shards[-1].write_text(json.dumps(head) + "\n" + "".join(rows[number::3]), encoding="utf-8")
    printed = set()
    for seed, files in (("0", [file]), ("12345", list(reversed(shards)))):
        said = await spawn("offline", "score", str(tmp_path / "made"), *map(str, files), "--json", PYTHONHASHSEED=seed)
        assert said.status == 0, said.err
        printed.add(said.out)
    assert len(printed) == 1
    scored = json.loads(printed.pop())
    assert scored["steps"] == dataset.manifest.counts["steps"]
    assert scored["signature"]["dataset"] == dataset.manifest.signature


def test_predictions_that_were_moved_to_other_steps_fall_to_chance(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=80)
    steps = list(dataset.steps("test"))
    gold = {(step.task_id, step.index): step for step in steps}
    head = header(dataset)
    from guideact.offline.predict import gold_answer

    raws = [gold_answer(step, "som", head.order) for step in steps]
    moved = list(raws)
    random.Random(0).shuffle(moved)

    def of(texts: list[str], name: str) -> OfflineScore:
        path = tmp_path / name
        rows = [
            json.dumps({"task": s.task_id, "index": s.index, "prompt_sha256": "", "raw": raw})
            for s, raw in zip(steps, texts, strict=True)
        ]
        path.write_text("\n".join([head.model_dump_json(), *rows]) + "\n", encoding="utf-8")
        return score(dataset, read_predictions([path]), QUICK)

    right, wrong = of(raws, "right.jsonl"), of(moved, "moved.jsonl")
    element, by_chance = right.measure("element"), wrong.measure("element")
    assert element is not None
    assert element.micro.value == 1
    assert by_chance is not None
    assert by_chance.micro.low is not None
    assert by_chance.micro.high is not None
    # Chance: the mark of any step, or none, against the marks that the gold has.
    marks = [getattr(getattr(step.action, "target", None), "mark", None) for step in steps]
    pointing = [mark for mark in marks if mark is not None]
    chance = sum(marks.count(mark) / len(marks) for mark in pointing) / len(pointing)
    assert by_chance.micro.low < chance < by_chance.micro.high
    assert len(gold) == len(steps)


def test_the_scores_of_each_step_can_be_had(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    dataset = made(tmp_path / "made", tasks=6)
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset))
    rows, where = tmp_path / "rows.jsonl", str(tmp_path / "made")
    said = call(capsys, "offline", "score", where, str(file), "--rows", str(rows), "--tasks")
    assert said.status == 0, said.err
    assert "made.0005" in said.out
    found = [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()]
    assert [(row["task"], row["index"]) for row in found] == [(s.task_id, s.index) for s in dataset.steps("test")]
    scored = score(dataset, read_predictions([file]), QUICK)
    for measure in scored.measures:
        values = [row["scores"][measure.name] for row in found if measure.name in row["scores"]]
        assert measure.micro.value == pytest.approx(sum(values) / len(values))
    said = call(capsys, "offline", "score", where, str(file), "--rows", str(tmp_path / "nowhere" / "x"))
    assert "cannot be written" in one_line(said)
    for read in (file, tmp_path / "made" / "tasks.parquet"):
        before = read.read_bytes()
        said = call(capsys, "offline", "score", where, str(file), "--rows", str(read))
        assert said.status == 2
        assert one_line(said) == f"{read} cannot be written: it is read from. Give another --rows."
        assert read.read_bytes() == before


def test_what_people_settled_changes_scores_and_their_signature(tmp_path: Path) -> None:
    dataset = made(tmp_path / "made")
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset))
    before = score(dataset, read_predictions([file]), QUICK)
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()[1:]]
    steps = {(step.task_id, step.index): step for step in dataset.steps("test")}
    missed = next(
        row
        for row in rows
        if row["raw"].startswith("{")
        and (said := json.loads(row["raw"]))["target"]
        and (target := getattr(steps[row["task"], row["index"]].action, "target", None))
        and said["target"] != [target.mark]
        and said["target"][0] <= len(steps[row["task"], row["index"]].observation.candidates)
    )
    common = {"task_id": missed["task"], "index": missed["index"], "kind": "equal", "by": "A", "how": "looked"}
    also = json.loads(missed["raw"])["target"]
    (tmp_path / "made" / "settled.jsonl").write_text(json.dumps({**common, "verdict": "also", "also": also}) + "\n")
    after = score(dataset, read_predictions([file]), QUICK)
    one, other = before.measure("element"), after.measure("element")
    assert one is not None
    assert other is not None
    assert one.micro.value is not None
    assert other.micro.value == pytest.approx(one.micro.value + 1 / one.micro.n)
    assert after.signature.settled != before.signature.settled == ""
    (tmp_path / "made" / "settled.jsonl").write_text(json.dumps({**common, "verdict": "drop"}) + "\n")
    dropped = score(dataset, read_predictions([file]), QUICK)
    assert (dropped.steps, dropped.dropped) == (before.steps - 1, 1)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"index": 99}, "there is no step 99 of made.0000"),
        ({"index": -1}, "there is no step -1 of made.0000"),
        ({"task_id": "made.9999"}, "there is no step 0 of made.9999"),
        ({"also": [999]}, "also: step 0 of made.0000 has no mark 999"),
        ({"also": [0]}, "also: step 0 of made.0000 has no mark 0"),
    ],
)
def test_what_was_settled_about_nothing_is_refused(change: dict[str, object], said: str, tmp_path: Path) -> None:
    dataset = made(tmp_path / "made", tasks=3)
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset))
    whole = {"task_id": "made.0000", "index": 0, "kind": "equal", "verdict": "also", "also": [1], "by": "A", "how": "B"}
    (tmp_path / "made" / "settled.jsonl").write_text(json.dumps(whole | change) + "\n")
    with pytest.raises(InputError, match=rf"settled\.jsonl: {said}"):
        score(dataset, read_predictions([file]))


def test_what_cannot_be_scored_is_refused(tmp_path: Path) -> None:
    dataset, other = made(tmp_path / "made"), made(tmp_path / "other", seed=9)
    file = write_predictions(dataset, tmp_path / "p.jsonl", header(dataset))
    with pytest.raises(InputError, match="predictions for another dataset"):
        score(other, read_predictions([file]))
    with pytest.raises(InputError, match="predictions for another dataset"):
        score(made(tmp_path / "train", tasks=3, split="train"), read_predictions([file]))
    strange = tmp_path / "strange.jsonl"
    first, second, *_ = file.read_text(encoding="utf-8").splitlines()
    strange.write_text("\n".join([first, second.replace("made.0000", "made.9999")]) + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"no step 0 of made.9999"):
        score(dataset, read_predictions([strange]))
    with pytest.raises(InputError, match=r"holds step 0 of made\.0000 again"):
        read_predictions([file, file])
    table = next((tmp_path / "made").glob("steps-test-*.parquet"))
    table.write_bytes(table.read_bytes() + b"x")
    with pytest.raises(InputError, match="was changed since it was built"):
        score(dataset, read_predictions([file]))
