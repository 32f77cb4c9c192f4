"""What is reviewed: one step with the sentence drafted for it, taken from a dataset or from a guide."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from guideact.data.records import DemoStep
from guideact.data.shards import Dataset, open_dataset
from guideact.errors import InputError
from guideact.guides.guide import FILE as GUIDE
from guideact.guides.guide import picture_of, read_guide
from guideact.types import Box, Frozen, Split, Verb, Viewport

_SECRET = re.compile(r"pass(word|code|phrase)|\bpin\b|密码|口令", re.IGNORECASE)


class Item(Frozen):
    """One step to review. Boxes and points are CSS px of the viewport."""

    task: str
    """Id of the task or guide that the step belongs to."""
    title: str
    """What that is for, as a person would ask for it."""
    position: int
    """0-based."""
    draft: str
    verb: Verb
    value: str = ""
    """What is typed, selected or answered; masked where the field takes a password."""
    role: str = ""
    name: str = ""
    url: str = ""
    page: str = ""
    """Title of the page."""
    box: Box | None = None
    point: tuple[float, float] | None = None
    viewport: Viewport = Viewport()
    image: str = ""
    """SHA-256 of the screenshot; empty without one."""


class Source(Frozen):
    """Where items come from."""

    kind: str
    """`dataset` or `guide`."""
    path: str
    """Absolute."""
    name: str


Picture = Callable[[str], bytes]


def read_source(path: Path, split: Split | None, limit: int | None) -> tuple[Source, list[Item], Picture]:
    """The items of a dataset or guide folder, and what gives their pictures by SHA-256.

    `split` and `limit` (tasks, in the order of their ids) choose from a dataset. Raises InputError for a folder that
    is neither, or that holds nothing to review.
    """
    if (path / GUIDE).is_file():
        guide = read_guide(path)
        steps = [
            Item(
                task=guide.id,
                title=guide.title,
                position=i,
                draft=step.sentence,
                verb=step.verb,
                value="••••••" if step.secret else step.value,
                role=step.target.role if step.target else "",
                name=step.target.name if step.target else "",
                url=step.url,
                page=step.title,
                box=step.box,
                point=step.point,
                viewport=step.viewport,
                image=step.image,
            )
            for i, step in enumerate(guide.steps)
        ]
        name = guide.id
        return (
            Source(kind="guide", path=str(path.resolve()), name=name),
            steps,
            lambda sha256: picture_of(path, sha256),
        )
    dataset = open_dataset(path)
    dataset.verify()
    items = list(_of_dataset(dataset, split, limit))
    if not items:
        raise InputError(f"{path} holds no step to review", fix="Give another --split, or another dataset.")
    source = Source(kind="dataset", path=str(path.resolve()), name=dataset.manifest.name)
    return source, items, dataset.image


def _of_dataset(dataset: Dataset, split: Split | None, limit: int | None) -> Iterator[Item]:
    titles = {task.id: task.task.intent for task in dataset.tasks()}
    chosen: set[str] = set()
    pictures = dataset.manifest.counts.get("images", 0) > 0
    for step in dataset.steps(split):
        if step.task_id not in chosen and limit is not None and len(chosen) == limit:
            continue
        chosen.add(step.task_id)
        yield _item(step, titles[step.task_id], pictures)


def _item(step: DemoStep, title: str, pictures: bool) -> Item:
    target = step.target
    shot = step.observation.screenshot
    hidden = target is not None and step.verb == "type" and _SECRET.search(target.name) is not None
    return Item(
        task=step.task_id,
        title=title,
        position=step.index,
        draft=step.guides[0] if step.guides else "",
        verb=step.verb,
        value="••••••" if hidden else step.value,
        role=target.role if target is not None else "",
        name=target.name if target is not None else "",
        url=step.observation.url,
        page=step.observation.title,
        box=step.box,
        point=step.point,
        viewport=step.observation.viewport,
        image=shot.sha256 if pictures and shot is not None else "",
    )
