"""Freeze the gold demonstrations of embedded tasks into a dataset.

Each solver goes through its task with every target named by a pixel, on the live sites, while the marks are written
down too: so a demonstration that passes holds both groundings of each of its steps. What becomes of every task is in
the ledger:

| stage       | a task is lost there when                                                |
|-------------|--------------------------------------------------------------------------|
| `listed`    | never: this is where all of them begin                                   |
| `performed` | its solver does not get to the end (`stuck`)                             |
| `solved`    | the check fails at the end (`check_failed`)                              |
| `described` | a step lacks two good guide sentences (`guide_fault`)                    |
| `grounded`  | a step was performed with an outcome, so its target was not hit (`missed`) |
| `frozen`    | it is in the dataset                                                     |
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, ValidationError

from guideact import __version__
from guideact.data import DemoStep, DemoTask, Entry, Ledger, Manifest, skeleton_of
from guideact.errors import InputError
from guideact.gold.pictures import keep_picture, refuse_partial
from guideact.harness.remote import code_sha256, package_versions
from guideact.sites.skins import Skin
from guideact.tasks.catalogue import entry
from guideact.tasks.gold import fingerprint
from guideact.tasks.prove import Done, Environment, Unmade, walk
from guideact.tasks.references import reference_faults
from guideact.types import Frozen, Mark, Task

STAGES = ("listed", "performed", "solved", "described", "grounded", "frozen")


class Fate(Frozen):
    """What came of one task: its line of the ledger, and what was demonstrated unless it was lost."""

    # Read from a task's file, it passes over the steps, which are nearly all of it.
    model_config = ConfigDict(extra="ignore")

    entry: Entry
    task: DemoTask | None = None


class FrozenTask(Fate):
    """With the steps of the demonstration."""

    model_config = ConfigDict(extra="forbid")

    steps: tuple[DemoStep, ...] = ()


async def freeze_task(task_id: str, env: Environment, pictures: Path | None, *, moving: bool = False) -> FrozenTask:
    """Go through a task and write it down; its screenshots go to `pictures/<sha256>.png`, None for none.

    Raises InfrastructureError for what is not the task's doing: a page that was not seen whole is one such thing, or a
    screenshot that could not be taken. One that nothing confirms is such a thing too, unless the page may be `moving`:
    then it is kept and named in the ledger.
    """
    found = entry(task_id)
    task = found.task
    try:
        walked = await walk(env, task, lambda page: found.template.solve(page, found.params), grounding="coord")
    except Unmade as unmade:
        _refuse_partial(task_id, unmade.steps, moving)
        return _lost(task, "listed", "stuck", str(unmade))
    _refuse_partial(task_id, walked.steps, moving)
    if not walked.verdict.passed:
        reasons = "; ".join(part.reason for part in walked.verdict.parts if not part.passed)
        return _lost(task, "performed", "check_failed", reasons)
    if faults := reference_faults(task, [(step.act, step.seen) for step in walked.steps]):
        return _lost(task, "solved", "guide_fault", faults[0])
    for number, done in enumerate(walked.steps, 1):
        if done.outcome is not None:
            return _lost(task, "described", "missed", f"step {number}: {done.outcome.code}")
    steps = tuple(_step(task, index, done) for index, done in enumerate(walked.steps))
    if pictures is not None:
        for number, step in enumerate(steps, 1):
            keep_picture(pictures, step.observation, f"step {number} of {task_id}")
    demo = DemoTask(task=task, steps=len(steps), skeleton=tuple(skeleton_of(step) for step in steps))
    moved = [number for number, done in enumerate(walked.steps, 1) if done.seen.partial]
    entry_of = Entry(
        task_id=task_id,
        stage=STAGES[-1],
        detail=f"the page of step {', '.join(map(str, moved))} does not stand still" if moved else "",
        steps={"kept": len(steps), **({"moving": len(moved)} if moved else {})},
    )
    return FrozenTask(entry=entry_of, task=demo, steps=steps)


def _refuse_partial(task_id: str, steps: Sequence[Done], moving: bool) -> None:
    for number, done in enumerate(steps, 1):
        refuse_partial(done.seen, f"step {number} of {task_id}", moving=moving)


def _lost(task: Task, stage: str, reason: str, detail: str) -> FrozenTask:
    return FrozenTask(entry=Entry(task_id=task.id, stage=stage, reason=reason, detail=" ".join(detail.split())))


def _step(task: Task, index: int, done: Done) -> DemoStep:
    target = getattr(done.act.action, "target", None)
    candidate = done.seen.candidate(target.mark) if isinstance(target, Mark) else None
    return DemoStep(
        task_id=task.id,
        index=index,
        split=task.split,
        # What is left there is told of the task: a reader of the step has the page whole.
        observation=done.seen.model_copy(update={"partial": ""}),
        action=done.act.action,
        point=None if candidate is None else candidate.point,
        box=None if candidate is None else candidate.box,
        guides=done.act.references,
    )


# --- work that can be gone on with ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Workshop:
    """What lies beside a dataset while it is being built: one file a task, and the pictures. Gone when it is built."""

    folder: Path

    @property
    def pictures(self) -> Path:
        return self.folder / "images"

    def open(self, settings: dict[str, object]) -> None:
        """Begin, or go on with what an earlier build of the same settings left.

        Raises InputError where it was of other settings, or the folder cannot be written.
        """
        kept = self.folder / "settings.json"
        try:
            self.pictures.mkdir(parents=True, exist_ok=True)
            if not kept.exists():
                _write_whole(kept, json.dumps(settings, sort_keys=True))
            found = json.loads(kept.read_bytes())
        except ValueError as error:
            raise InputError(f"{kept} is damaged: it is no JSON", fix=f"Remove {self.folder}.") from error
        except OSError as error:
            raise InputError(
                f"{self.folder} cannot be written: {error.strerror}", fix="Give another folder."
            ) from error
        if found != settings:
            was = found if isinstance(found, dict) else {}
            changed = sorted(name for name in {*was, *settings} if was.get(name) != settings.get(name))
            raise InputError(
                f"{self.folder} holds an unfinished build with other settings ({', '.join(changed)})",
                fix="Go on with those, or remove the folder.",
            )

    def done(self, task: Task) -> bool:
        """Whether a task, as it is now, is finished. One whose file is damaged is not."""
        try:
            self.fate(task)
        except (FileNotFoundError, ValidationError):
            return False
        return True

    def keep(self, task: Task, frozen: FrozenTask) -> None:
        _write_whole(self._path(task), frozen.model_dump_json())

    def fate(self, task: Task) -> Fate:
        """What came of a task that is finished."""
        return Fate.model_validate_json(self._path(task).read_bytes())

    def load(self, task: Task) -> FrozenTask:
        return FrozenTask.model_validate_json(self._path(task).read_bytes())

    def picture(self, sha256: str) -> bytes:
        return (self.pictures / f"{sha256}.png").read_bytes()

    def remove(self) -> None:
        shutil.rmtree(self.folder)

    def _path(self, task: Task) -> Path:
        return self.folder / f"{task.id}-{fingerprint(task)}.json"


def _write_whole(path: Path, text: str) -> None:
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def settings_of(tasks: Sequence[Task], screenshots: bool, skin: Skin | None, browser: str) -> dict[str, object]:
    """All that the demonstrations of a build depend on: gone on with, they are of one code and one browser."""
    return {
        "tasks": tasks_sha256(tasks),
        "screenshots": screenshots,
        "skin": skin.name if skin is not None else "",
        "browser": browser,
        "versions": package_versions(),
        "code": code_sha256(),
    }


def ledger_of(frozen: Iterable[Fate]) -> Ledger:
    """The ledger of a build."""
    return Ledger(stages=STAGES, entries=tuple(one.entry for one in frozen))


def manifest_of(name: str, browser: str, skin: Skin | None = None) -> Manifest:
    """What a dataset of embedded demonstrations says of itself, before its files are written."""
    from importlib.metadata import version

    return Manifest(
        name=name,
        licence="Apache-2.0",
        source="embedded",
        skin=skin.name if skin is not None else "",
        versions={"guideact": __version__, "pyarrow": version("pyarrow"), "browser": browser},
    )


def tasks_sha256(tasks: Sequence[Task]) -> str:
    """A hash of all that the tasks say."""
    return hashlib.sha256("".join(fingerprint(task) for task in tasks).encode()).hexdigest()
