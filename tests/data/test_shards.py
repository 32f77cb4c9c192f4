"""Datasets are written whole, read back as they were, and are the same bytes for the same rows."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pyarrow import parquet

from guideact.data import Entry, Manifest, open_dataset, write_dataset
from guideact.errors import InputError
from guideact.types import Click, Point

from .made_data import PICTURES, made_dataset, made_ledger, made_task


def test_what_is_written_is_read_back_in_order(tmp_path: Path) -> None:
    made_dataset(tmp_path / "d")
    dataset = open_dataset(tmp_path / "d")
    dataset.verify()
    assert dataset.manifest.counts == {
        "tasks": 2,
        "steps": 6,
        "references": 12,
        "train_tasks": 1,
        "train_steps": 3,
        "test_tasks": 1,
        "test_steps": 3,
        "images": 2,
    }
    assert dataset.tasks() == (made_task(1)[0], made_task(2, "test")[0])
    assert list(dataset.steps("train")) == made_task(1)[1]
    assert list(dataset.steps("test")) == made_task(2, "test")[1]
    assert [step.split for step in dataset.steps()] == ["train"] * 3 + ["test"] * 3
    assert {name: dataset.image(name) for name in PICTURES} == PICTURES
    with pytest.raises(KeyError):
        dataset.image("0" * 64)


def test_the_same_rows_are_the_same_bytes(tmp_path: Path) -> None:
    first, second = made_dataset(tmp_path / "a"), made_dataset(tmp_path / "b")
    assert first.manifest.signature == second.manifest.signature
    for file in sorted((tmp_path / "a").iterdir()):
        assert file.read_bytes() == (tmp_path / "b" / file.name).read_bytes(), file.name


def test_other_tools_find_plain_columns(tmp_path: Path) -> None:
    made_dataset(tmp_path / "d")
    rows = parquet.read_table(tmp_path / "d" / "steps-train-00000.parquet").to_pylist()
    assert [row["verb"] for row in rows] == ["type", "click", "finish"]
    assert json.loads(rows[0]["action_som"]) == {"verb": "type", "target": {"mark": 1}, "text": "№ 1"}
    assert json.loads(rows[1]["action_coord"]) == {"verb": "click", "target": {"x": 170.0, "y": 20.0}}
    assert rows[1]["target_role"] == "button"
    assert rows[1]["target_box"] == [120, 10, 100, 20]
    assert rows[2]["target_mark"] is rows[2]["target_box"] is None
    assert rows[2]["value"] == "1"
    (task,) = (row for row in parquet.read_table(tmp_path / "d" / "tasks.parquet").to_pylist() if row["id"] == "made.1")
    assert task["skeleton"] == ["shopping/ type searchbox", "shopping/ click button", "shopping/things/* finish"]


def test_a_step_that_knows_points_alone_has_no_action_by_mark() -> None:
    step = made_task(1)[1][1].model_copy(update={"action": Click(target=Point(x=3, y=4)), "point": (3, 4), "box": None})
    assert step.action_som is None
    assert step.action_coord == Click(target=Point(x=3, y=4))
    assert step.target is None


def test_nothing_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "thesis.txt").touch()
    with pytest.raises(InputError, match="d is not empty"):
        made_dataset(tmp_path / "d")
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["thesis.txt"]


def test_what_lies_beside_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "d.part").mkdir()
    (tmp_path / "d.part" / "thesis.txt").touch()
    made_dataset(tmp_path / "d")
    assert (tmp_path / "d.part" / "thesis.txt").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"d", "d.part"}


def test_the_empty_folder_that_somebody_stands_in_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "d").mkdir()
    monkeypatch.chdir(tmp_path / "d")
    made_dataset(Path())
    open_dataset(Path()).verify()
    assert (tmp_path / "d").samefile(Path.cwd())
    assert list(tmp_path.iterdir()) == [tmp_path / "d"]


def test_rows_that_do_not_fit_together_are_refused(tmp_path: Path) -> None:
    task, steps = made_task(1)

    def write(steps: list[object], ledger: object) -> None:
        manifest = Manifest(name="made", licence="Apache-2.0", source="embedded")
        write_dataset(tmp_path / "d", manifest, [task], steps, ledger, card=lambda m, v: "")  # type: ignore[arg-type]

    with pytest.raises(ValueError, match=r"made\.1 has the steps \[0, 2\], not 3"):
        write([steps[0], steps[2]], made_ledger(task))
    with pytest.raises(ValueError, match=r"belongs to made\.2, which is no task"):
        write([*steps, *made_task(2)[1]], made_ledger(task))
    with pytest.raises(ValueError, match="of another split"):
        write([step.model_copy(update={"split": "test"}) for step in steps], made_ledger(task))
    with pytest.raises(ValueError, match=r"the ledger and the tasks differ: \['made\.1'\]"):
        write(list(steps), made_ledger())
    assert not (tmp_path / "d").exists()


def test_a_picture_that_is_another_one_is_refused(tmp_path: Path) -> None:
    task, steps = made_task(1)
    manifest = Manifest(name="made", licence="Apache-2.0", source="embedded")
    with pytest.raises(ValueError, match="is another one than its name says"):
        write_dataset(
            tmp_path / "d", manifest, [task], steps, made_ledger(task), picture=lambda name: b"x", card=lambda m, v: ""
        )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["tasks.parquet", "steps-test-00000.parquet", "images-00000.parquet"])
def test_a_damaged_table_is_named(tmp_path: Path, name: str) -> None:
    dataset = made_dataset(tmp_path / "d")
    (tmp_path / "d" / name).write_bytes(b"PAR1 no more")
    with pytest.raises(InputError, match=f"{name} was changed since it was built"):
        dataset.verify()
    with pytest.raises(InputError, match=f"{name} is damaged: .* Build the dataset again"):
        (dataset.tasks(), list(dataset.steps()), dataset.image(next(iter(PICTURES))))
    (tmp_path / "d" / name).unlink()
    with pytest.raises(InputError, match=f"{name} is missing"):
        dataset.verify()


def test_a_folder_that_is_no_dataset(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"is no dataset: it holds no manifest\.json"):
        open_dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 9}')
    with pytest.raises(InputError, match="holds a dataset of format 9"):
        open_dataset(tmp_path)
    for text in ("{", '{"format": 1, "name": 3}', "[" * 100_000):
        (tmp_path / "manifest.json").write_text(text)
        with pytest.raises(InputError, match=r"manifest\.json is damaged: "):
            open_dataset(tmp_path)
    (tmp_path / "manifest.json").write_text('{"format": 1, "name": "n", "licence": "l", "source": "s", "files": [{}]}')
    with pytest.raises(InputError, match=r"manifest\.json is damaged: files\.0\.path: Field required"):
        open_dataset(tmp_path)


def test_reasons_are_kept(tmp_path: Path) -> None:
    ledger = made_dataset(tmp_path / "d").ledger()
    assert ledger.fates()["made.3"] == Entry(task_id="made.3", stage="listed", reason="stuck", detail="no button")
