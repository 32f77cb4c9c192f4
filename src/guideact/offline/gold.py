"""What offline studies read of a dataset: whole demonstrations to ask about, and the little that scoring needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from pydantic import TypeAdapter

from guideact.data import Dataset, DemoStep
from guideact.errors import InputError
from guideact.metrics.offline import Place, target_of
from guideact.offline.settled import FILE, Settled
from guideact.types import Action, Box, Mark, Point, Split, Task, Viewport


@dataclass(frozen=True)
class Demo:
    """A demonstrated task."""

    task: Task
    steps: tuple[DemoStep, ...]

    @property
    def id(self) -> str:
        return self.task.id

    @property
    def template(self) -> str:
        """The cluster of the task: its template, or else itself."""
        return self.task.template_id or self.task.id


def demos_in(dataset: Dataset, split: Split | None) -> tuple[Demo, ...]:
    """The demonstrations of a split, or of both, by id. Raises InputError for files that are not the manifest's."""
    dataset.verify(("tasks", "steps-" if split is None else f"steps-{split}"))
    by_task: dict[str, list[DemoStep]] = {}
    for step in dataset.steps(split):
        by_task.setdefault(step.task_id, []).append(step)
    return tuple(Demo(each.task, tuple(by_task[each.id])) for each in dataset.tasks() if each.id in by_task)


def demos_of(dataset: Dataset, split: Split) -> tuple[Demo, ...]:
    """The demonstrations of a split, by id. Raises InputError where it has none."""
    found = demos_in(dataset, split)
    if not found:
        raise InputError(f"{dataset.folder} has no {split} split", fix="Give another --split, or build it with one.")
    return found


# --- what scoring reads -------------------------------------------------------------------------------------------


# Most of a step is page text that no score looks at, and a split has some hundred thousand candidates. They are decoded
# by msgspec, which builds nothing for what is left out; the dataset was validated when it was written.


class _Corners(msgspec.Struct, frozen=True):
    x: float
    y: float
    width: float
    height: float


class GoldCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate as scores see it."""

    mark: int
    role: str
    name: str
    text: str = ""
    placeholder: str = ""
    options: tuple[str, ...] = ()
    corners: _Corners = msgspec.field(name="box")

    @property
    def box(self) -> Box:
        return _box(self.corners)

    @property
    def label(self) -> str:
        """What a person would call it."""
        return self.name or self.text or self.placeholder

    @property
    def words(self) -> str:
        """All that a guide could name it by."""
        return " ".join((self.name, self.text, self.placeholder, *self.options))


class _Size(msgspec.Struct, frozen=True):
    width: int
    height: int


class _Seen(msgspec.Struct, frozen=True):
    viewport: _Size
    candidates: tuple[GoldCandidate, ...] = ()


class _Row(msgspec.Struct, frozen=True):
    task_id: str
    index: int
    observation: _Seen
    action: msgspec.Raw
    point: tuple[float, float] | None = None
    box: _Corners | None = None
    guides: tuple[str, ...] = ()


_ROW = msgspec.json.Decoder(_Row)
_ACTION: TypeAdapter[Action] = TypeAdapter(Action)


def _box(corners: _Corners) -> Box:
    return Box(x=corners.x, y=corners.y, width=corners.width, height=corners.height)


@dataclass(frozen=True, slots=True)
class GoldStep:
    """A gold step as scores see it."""

    task_id: str
    index: int
    viewport: Viewport
    candidates: tuple[GoldCandidate, ...]
    action: Action
    point: tuple[float, float] | None
    box: Box | None
    guides: tuple[str, ...]

    @property
    def key(self) -> tuple[str, int]:
        return (self.task_id, self.index)

    def place(self, also: frozenset[int] = frozenset()) -> Place | None:
        """Where the gold action points; `also` are marks that were settled to be as good. None where at nothing."""
        target = target_of(self.action)
        if target is None:
            return None
        if isinstance(target, Point):
            point = self.point or (target.x, target.y)
            return Place(boxes=() if self.box is None else (self.box,), point=point)
        marks = frozenset({target.mark}) | also
        boxes = tuple(self.candidates[mark - 1].box for mark in sorted(marks))
        return Place(marks=marks, boxes=boxes, point=self.point)

    @property
    def target(self) -> GoldCandidate | None:
        """The candidate that the gold action names, if it names one."""
        target = target_of(self.action)
        return self.candidates[target.mark - 1] if isinstance(target, Mark) else None


@dataclass(frozen=True)
class Gold:
    """A split as scores see it."""

    dataset: Dataset
    split: Split
    tasks: dict[str, Task]
    texts: dict[tuple[str, int], str]
    """The JSON of each step."""
    settled: Settled

    def step(self, key: tuple[str, int]) -> GoldStep:
        row = _ROW.decode(self.texts[key])
        size = row.observation.viewport
        return GoldStep(
            task_id=row.task_id,
            index=row.index,
            viewport=Viewport(width=size.width, height=size.height),
            candidates=row.observation.candidates,
            action=_ACTION.validate_json(bytes(row.action)),
            point=row.point,
            box=None if row.box is None else _box(row.box),
            guides=row.guides,
        )

    def whole_step(self, key: tuple[str, int]) -> DemoStep:
        return DemoStep.model_validate_json(self.texts[key])

    def cluster(self, task_id: str) -> str:
        return self.tasks[task_id].template_id or task_id


def read_gold(dataset: Dataset, split: Split) -> Gold:
    """Read a split for scoring.

    Raises InputError where it has none, its files are not those of the manifest, or something was settled about a step
    or a mark that is not there.
    """
    dataset.verify(("tasks", f"steps-{split}"))
    texts = {(task_id, index): text for task_id, index, text in dataset.step_texts(split)}
    if not texts:
        raise InputError(f"{dataset.folder} has no {split} split", fix="Give another --split, or build it with one.")
    there = {task_id for task_id, _ in texts}
    known = {each.id: each for each in dataset.tasks()}
    tasks = {name: each.task for name, each in known.items() if name in there}
    gold = Gold(dataset, split, tasks, texts, Settled.read(dataset.folder))
    _refuse_strange(gold, {name: each.steps for name, each in known.items()})
    return gold


def _refuse_strange(gold: Gold, steps: Mapping[str, int]) -> None:
    """Raise InputError where something was settled about what the dataset, of so many steps a task, does not hold."""
    path, settled = gold.dataset.folder / FILE, gold.settled
    for decision in settled.decisions:
        if not 0 <= decision.index < steps.get(decision.task_id, 0):
            raise InputError(
                f"{path}: there is no step {decision.index} of {decision.task_id}", fix="Mend that line, or delete it."
            )
    for (task, index), marks in settled.also.items():
        if (task, index) not in gold.texts:
            continue  # of the other split
        count = len(gold.step((task, index)).candidates)
        strange = [mark for mark in sorted(marks) if not 1 <= mark <= count]
        if strange:
            raise InputError(
                f"{path}: also: step {index} of {task} has no mark {strange[0]}", fix="Mend that line, or delete it."
            )
