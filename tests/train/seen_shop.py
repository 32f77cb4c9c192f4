"""The small shop with a picture of every page: what a model that looks is trained on."""

from __future__ import annotations

import hashlib
from pathlib import Path

from guideact.data import Dataset, write_dataset
from guideact.types import Screenshot, Viewport
from tests.models.tiny import png

from .small_shop import small_shop


def seen_shop(folder: Path) -> Dataset:
    """Its tasks and steps, each step with one of a few pictures of 720 x 450."""
    bare = small_shop(folder.with_name(folder.name + "-bare"))
    pictures = {hashlib.sha256(each).hexdigest(): each for each in (png(720, 450, shade) for shade in (90, 150, 210))}
    names = sorted(pictures)
    steps = [
        step.model_copy(
            update={
                "observation": step.observation.model_copy(
                    update={
                        "viewport": Viewport(width=720, height=450),
                        "screenshot": Screenshot(sha256=names[step.index % len(names)], width=720, height=450),
                    }
                )
            }
        )
        for step in bare.steps()
    ]
    return write_dataset(
        folder,
        bare.manifest.model_copy(update={"files": (), "counts": {}}),
        bare.tasks(),
        steps,
        bare.ledger(),
        picture=pictures.__getitem__,
        card=lambda manifest, verbs: "# small shop\n",
    )
