"""The guides of a trial, kept in its folder from the beginning: their source may change, or be gone, when it is scored.

They are read once, where the command was given, and travel to whoever follows them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from guideact.config import RunConfig
from guideact.guides.literal.follow import Line
from guideact.guides.trials import GuideSet, Key, guide_set, recipient_agents
from guideact.harness.evaluate import Cast
from guideact.harness.read import read_run
from guideact.types import Frozen, Task

GUIDES = "guides.jsonl"
"""What a trial keeps of the guides that were followed: one `Kept` a line."""


class Kept(Frozen):
    """The guide of a task in a trial."""

    task_id: str
    lines: tuple[Line, ...]
    key: tuple[Key, ...]
    solved: bool = True
    """Whether whoever wrote the guide solved the task with it."""


def trial_cast(config: RunConfig, tasks: tuple[Task, ...]) -> Cast:
    """The recipients of a trial, and their guides. Raises InputError for a recipient or guides that cannot be."""
    task_ids = [task.id for task in tasks]
    guides = guide_set(config.guides, config.treatment, task_ids)
    kept = _lines(guides, config.guides, task_ids)
    return Cast(
        partial(recipient_agents, config, tasks, guides), {"guides": hashlib.sha256(kept).hexdigest()}, {GUIDES: kept}
    )


def keep_guides(folder: Path) -> None:
    """Write down what a trial of an earlier version followed, from where its guides came from."""
    run = read_run(folder)
    source, task_ids = str(run.manifest.config["guides"]), run.manifest.tasks
    guides = guide_set(source, run.manifest.config["treatment"], task_ids)
    (folder / GUIDES).write_bytes(_lines(guides, source, task_ids))


def _lines(guides: GuideSet, source: str, task_ids: Sequence[str]) -> bytes:
    solved = (
        {e.task_id: e.success for e in read_run(Path(source)).episodes} if (Path(source) / "run.json").exists() else {}
    )
    lines = []
    for task_id in task_ids:
        guide = guides.guide(task_id)
        if guide is not None:
            kept = Kept(task_id=task_id, lines=guide.lines, key=guide.key, solved=solved.get(task_id, True))
            lines.append(kept.model_dump_json(exclude_defaults=True) + "\n")
    return "".join(lines).encode()
