"""A small dataset made by hand: two tasks of three steps, with pictures."""

from __future__ import annotations

import hashlib
from pathlib import Path

from guideact.data import Dataset, DemoStep, DemoTask, Entry, Ledger, Manifest, skeleton_of, write_dataset
from guideact.types import AnswerCheck, Check, Click, Finish, Mark, Observation, Screenshot, Split, Task, Type
from tests.tasks.pages import candidate, line, page

STAGES = ("listed", "performed", "frozen")
PICTURES = {hashlib.sha256(png).hexdigest(): png for png in (b"\x89PNG one", b"\x89PNG two")}


def seen(path: str, picture: str | None = None) -> Observation:
    base = page(
        candidate(1, "searchbox", "Search", 10, 10), candidate(2, "button", "Go", 120, 10), line("Hello", 10, 60)
    )
    shot = None if picture is None else Screenshot(sha256=picture, width=1440, height=900)
    return base.model_copy(update={"url": f"http://shopping.localhost/{path}", "screenshot": shot})


def made_task(number: int, split: Split = "train") -> tuple[DemoTask, list[DemoStep]]:
    task = Task(
        id=f"made.{number}",
        intent=f"Look for number {number}",
        sites=("shopping",),
        start_url="__SHOPPING__/",
        template_id="made",
        check=Check(answer=AnswerCheck(expected=(str(number),))),
        split=split,
    )
    pictures = list(PICTURES)
    acts = (
        (seen("", pictures[0]), Type(target=Mark(mark=1), text=f"№ {number}"), 1),
        (seen("", pictures[1]), Click(target=Mark(mark=2)), 2),
        (seen(f"things/{number}", pictures[0]), Finish(answer=str(number)), None),
    )
    steps = []
    for index, (observation, action, mark) in enumerate(acts):
        target = None if mark is None else observation.candidates[mark - 1]
        steps.append(
            DemoStep(
                task_id=task.id,
                index=index,
                split=split,
                observation=observation,
                action=action,
                point=None if target is None else target.point,
                box=None if target is None else target.box,
                guides=(f"Do step {index + 1}.", f"Step {index + 1} is what to do now."),
            )
        )
    return DemoTask(task=task, steps=len(steps), skeleton=tuple(map(skeleton_of, steps))), steps


def made_ledger(*tasks: DemoTask, lost: tuple[Entry, ...] = ()) -> Ledger:
    kept = tuple(Entry(task_id=task.id, stage="frozen", steps={"kept": task.steps}) for task in tasks)
    return Ledger(stages=STAGES, entries=(*kept, *lost))


def made_dataset(folder: Path) -> Dataset:
    first, second = made_task(1), made_task(2, "test")
    lost = Entry(task_id="made.3", stage="listed", reason="stuck", detail="no button")
    return write_dataset(
        folder,
        Manifest(name="made", licence="Apache-2.0", source="embedded"),
        [second[0], first[0]],
        [*reversed(second[1]), *first[1]],
        made_ledger(first[0], second[0], lost=(lost,)),
        picture=PICTURES.__getitem__,
        card=lambda manifest, verbs: f"# {manifest.name}\n",
    )
