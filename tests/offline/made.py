"""A dataset with every verb, several references, Chinese, typed answers, equal names; and predictions for it.

All of it is drawn from a seed. `coord_dataset` has points and nothing else, as imported runs do.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from guideact.actions import format_answer
from guideact.data import Dataset, DemoStep, DemoTask, Entry, Ledger, Manifest, skeleton_of, write_dataset
from guideact.offline.predictions import ORDERS, Arm, Header
from guideact.types import (
    VERBS,
    Action,
    AnswerCheck,
    Box,
    Candidate,
    Check,
    Click,
    Finish,
    GoBack,
    Locator,
    Mark,
    Observation,
    Point,
    PressEnter,
    Scroll,
    Select,
    Split,
    Task,
    TextLine,
    Type,
)

NAMES = (
    "Add to cart",
    "Save changes",
    "Search products",
    "Glass Tea Kettle",
    "Polka Tee",
    "Sort by",
    "加入购物车",
    "保存更改",
    "Next page",
    "Write a review",
    "Home & Garden",
    "My orders",
)
WAYS = ("Press {}.", "Use {} to go on with it.", "点击{}按钮。", "Below the list you find {}; click it.")
ANSWERS = {"money": "$19.50", "number": "12", "date": "2026-03-16", "text": "Polka Tee"}


def seen(rng: random.Random, task: str) -> Observation:
    """A page of some candidates in rows, two of which may have one name."""
    candidates = []
    for mark in range(1, rng.randint(4, 9)):
        name = rng.choice(NAMES)
        role = "combobox" if name == "Sort by" else "searchbox" if name == "Search products" else "button"
        x, y = 40.0 + 300 * (mark % 3), 60.0 * mark
        candidates.append(
            Candidate(
                mark=mark,
                role=role,
                name=name,
                options=("Price", "Name", "Newest first") if role == "combobox" else (),
                box=Box(x=x, y=y, width=120, height=24),
                point=(x + 60, y + 12),
                locator=Locator(role=role, name=name),
            )
        )
    texts = (TextLine(text=f"Page of {task} [7]", box=Box(x=10, y=10, width=200, height=20)),)
    return Observation(url=f"http://shopping.localhost/{task}", title="Shop", candidates=tuple(candidates), texts=texts)


def action(rng: random.Random, page: Observation, answer: str, *, last: bool) -> Action:
    if last:
        return Finish(answer=answer)
    candidate = rng.choice(page.candidates)
    target = Mark(mark=candidate.mark)
    match rng.choice([verb for verb in VERBS if verb != "finish"]):
        case "type":
            return Type(target=target, text=rng.choice(["blue mug", "Oak", "红色 杯子"]))
        case "select":
            return Select(target=target, option=rng.choice(["Price", "Newest first"]))
        case "scroll":
            return Scroll(direction=rng.choice(["up", "down"]), target=rng.choice([None, target]))
        case "press_enter":
            return PressEnter()
        case "go_back":
            return GoBack()
        case _:
            return Click(target=target)


def made(folder: Path, *, tasks: int = 24, templates: int = 8, seed: int = 0, split: Split = "test") -> Dataset:
    """A dataset of so many tasks of each split."""
    rng = random.Random(seed)
    demos: list[DemoTask] = []
    steps: list[DemoStep] = []
    for number in range(tasks):
        kind, answer = rng.choice([*ANSWERS.items(), ("", "")])
        name = f"made.{number:04}"
        check = Check(answer=AnswerCheck(kind=kind, expected=(answer,))) if kind else Check()
        task = Task(
            id=name,
            intent=f"Look after number {number}",
            sites=("shopping",),
            start_url="__SHOPPING__/",
            template_id=f"made.{number % templates}",
            check=check,
            split=split,
        )
        count = rng.randint(2, 6)
        own = []
        for index in range(count):
            page = seen(rng, name)
            act = action(rng, page, answer, last=index == count - 1)
            target = getattr(act, "target", None)
            candidate = page.candidate(target.mark) if isinstance(target, Mark) else None
            about = f"“{candidate.name}”" if candidate is not None else f"the page {index}"
            ways = rng.sample(WAYS, 3)
            own.append(
                DemoStep(
                    task_id=name,
                    index=index,
                    split=split,
                    observation=page,
                    action=act,
                    point=None if candidate is None else candidate.point,
                    box=None if candidate is None else candidate.box,
                    guides=tuple(way.format(about) for way in ways),
                )
            )
        demos.append(DemoTask(task=task, steps=count, skeleton=tuple(map(skeleton_of, own))))
        steps += own
    return _write(folder, Manifest(name="made", licence="Apache-2.0", source="embedded"), demos, steps)


def coord_dataset(folder: Path, *, tasks: int = 30) -> Dataset:
    """Points alone: no candidates, no boxes, drafts of guides."""
    rng = random.Random(5)
    demos, steps = [], []
    for number in range(tasks):
        task = Task(
            id=f"points.{number}",
            intent="Find it",
            sites=("shopping",),
            start_url="__SHOPPING__/",
            template_id=f"points.{number % 4}",
            source="opagent",
        )
        acts: list[Action] = [
            Click(target=Point(x=rng.randint(30, 1100), y=rng.randint(30, 700))),
            Type(target=Point(x=rng.randint(30, 1100), y=rng.randint(30, 700)), text="blue mug"),
            Finish(answer="$19.50"),
        ]
        own = [
            DemoStep(
                task_id=task.id,
                index=index,
                split="test",
                observation=Observation(url="__SHOPPING__/", title=""),
                action=act,
                point=(act.target.x, act.target.y) if isinstance(getattr(act, "target", None), Point) else None,  # type: ignore[union-attr]
                guides=(f"Do what number {index} says.",),
            )
            for index, act in enumerate(acts)
        ]
        demos.append(DemoTask(task=task, steps=len(own), skeleton=tuple(map(skeleton_of, own))))
        steps += own
    manifest = Manifest(name="points", licence="Apache-2.0", source="opagent", grounding="coord")
    return _write(folder, manifest, demos, steps)


def _write(folder: Path, manifest: Manifest, tasks: list[DemoTask], steps: list[DemoStep]) -> Dataset:
    ledger = Ledger(stages=("frozen",), entries=tuple(Entry(task_id=task.id, stage="frozen") for task in tasks))
    return write_dataset(folder, manifest, tasks, steps, ledger, card=lambda manifest, verbs: f"# {manifest.name}\n")


# --- predictions --------------------------------------------------------------------------------------------------


def header(dataset: Dataset, arm: Arm = "action-guide", **more: object) -> Header:
    return Header.model_validate(
        {
            "dataset": dataset.manifest.name,
            "dataset_sha256": dataset.manifest.signature,
            "split": "test",
            "model": "made/up",
            "grounding": "som",
            "arm": arm,
            "history": "gold",
            "images": False,
            "prompt_version": "1",
            "system_sha256": "0" * 64,
            "code_sha256": "0" * 64,
            "deterministic": "yes",
            "guideact": "0",
            **more,
        }
    )


def write_predictions(dataset: Dataset, path: Path, head: Header, *, seed: int = 1) -> Path:
    """Predictions that are right at times, and wrong in every way at others."""
    rng = random.Random(seed)
    lines = [head.model_dump_json()]
    for step in dataset.steps("test"):
        row = {"task": step.task_id, "index": step.index, "prompt_sha256": "", "raw": said(rng, step, head)}
        lines.append(json.dumps(row, ensure_ascii=False))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def said(rng: random.Random, step: DemoStep, head: Header) -> str:
    """One answer."""
    gold = step.action_som if head.grounding == "som" else step.action_coord
    assert gold is not None
    guide = rng.choice(
        [*step.guides, "Click the button on the page.", "点击按钮", "", "Press [3] now.", "Look at [7]."]
    )
    match rng.randrange(7):
        case 0:
            return rng.choice(["I cannot do that.", '{"action": "fly", "guide": "Fly."}', ""])
        case 1 | 2:
            act: Action = gold
        case 3:
            act = moved(rng, gold)
        case 4:
            act = valued(gold)
        case 5:
            act = Finish(answer=rng.choice(["19.50 dollars", "it is 12", "", "Polka Tee", "March 16, 2026"]))
        case _:
            others: list[Action] = [PressEnter(), GoBack(), Scroll(direction="down")]
            act = rng.choice(others)
    return format_answer(act, guide, grounding=head.grounding, order=ORDERS[head.arm])


def moved(rng: random.Random, gold: Any) -> Any:
    """The same with another target."""
    target = getattr(gold, "target", None)
    if isinstance(target, Mark):
        return gold.model_copy(update={"target": Mark(mark=rng.randint(1, 3))})
    if isinstance(target, Point):
        off = rng.choice([(12, 0), (0, 20), (30, 30), (60, 0), (0.0, 12)])
        return gold.model_copy(update={"target": Point(x=target.x + off[0], y=target.y + off[1])})
    return gold


def valued(gold: Any) -> Any:
    """The same with another value, or the same one written otherwise."""
    match gold:
        case Type(text=text):
            return gold.model_copy(update={"text": text.upper() if text == "Oak" else f"{text} please"})
        case Select():
            return gold.model_copy(update={"option": "price"})
        case Scroll():
            return gold.model_copy(update={"direction": "up"})
        case _:
            return gold
