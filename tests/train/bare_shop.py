"""The small shop without a single guide, as reviewers leave a dataset all of whose sentences they reject."""

from __future__ import annotations

from pathlib import Path

from guideact.data import Dataset, write_dataset

from .small_shop import small_shop


def without_guides(folder: Path) -> Dataset:
    whole = small_shop(folder.with_name(folder.name + "-whole"))
    return write_dataset(
        folder,
        whole.manifest.model_copy(update={"files": (), "counts": {}}),
        whole.tasks(),
        [step.model_copy(update={"guides": ()}) for step in whole.steps()],
        whole.ledger(),
        picture=None,
        card=lambda manifest, verbs: "# small shop\n",
    )
