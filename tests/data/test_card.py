"""The card of a dataset: what hubs read of it before anybody does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from guideact.data import Dataset, DemoTask, Manifest, write_dataset
from guideact.data.card import card
from guideact.types import Split

from .made_data import made_ledger, made_task

yaml: Any = pytest.importorskip("yaml")


def written(folder: Path, name: str, *splits: Split) -> Dataset:
    made = [made_task(number, split) for number, split in enumerate(splits, 1)]
    tasks: list[DemoTask] = [task for task, _ in made]
    ledger = made_ledger(*tasks)
    return write_dataset(
        folder,
        Manifest(name=name, licence="Apache-2.0", source="embedded"),
        tasks,
        [step for _, steps in made for step in steps],
        ledger,
        card=lambda manifest, verbs: card(manifest, verbs, tasks, ledger),
    )


def head_of(dataset: Dataset) -> dict[str, Any]:
    text = (dataset.folder / "README.md").read_text(encoding="utf-8")
    begin, head, _ = text.split("---\n", 2)
    assert begin == ""
    found: dict[str, Any] = yaml.safe_load(head)
    return found


@pytest.mark.parametrize("splits", [("train", "test"), ("train",), ("test",), ()])
def test_the_loader_of_a_hub_is_told_of_the_files_that_are_there(tmp_path: Path, splits: tuple[Split, ...]) -> None:
    dataset = written(tmp_path / "d", "made", *splits)
    head = head_of(dataset)
    assert (head["license"], head["pretty_name"]) == ("apache-2.0", "made")
    configs = head.get("configs", [])
    told = {each["split"]: each["path"] for config in configs for each in config["data_files"]}
    assert tuple(told) == splits
    for split, pattern in told.items():
        assert list(dataset.folder.glob(pattern)), split
    steps = {path.name for path in dataset.folder.glob("steps-*")}
    assert steps == {path.name for pattern in told.values() for path in dataset.folder.glob(pattern)}


@pytest.mark.parametrize("name", ["Demos: shop", "[x", "#1", 'a "b" {c}', "yes", "Töölö 桌 🙂", "--- a"])
def test_a_name_may_be_any_words(tmp_path: Path, name: str) -> None:
    dataset = written(tmp_path / "d", name, "train")
    assert head_of(dataset)["pretty_name"] == name
    assert f"\n# {name}\n" in (dataset.folder / "README.md").read_text(encoding="utf-8")
