"""The folder of a study, as `build` leaves it and the researcher may edit it.

study/
    study.json        settings, the tasks with their checks, and who does what
    guides.jsonl      what is shown for each task under each condition
    pictures/         of the guides' steps, where they have any
    codes.csv         the code by which each participant enters, readable by its owner alone
    consent.en.md, consent.zh.md, questions.json, protocol.md
    responses.sqlite  what happened; made by `serve`
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar

from pydantic import BaseModel, Field, ValidationError, model_validator

from guideact.errors import InputError, first_fault
from guideact.study.design import Trial
from guideact.types import Frozen, Task

STUDY, GUIDES, CODES, QUESTIONS, PROTOCOL = "study.json", "guides.jsonl", "codes.csv", "questions.json", "protocol.md"
PICTURES = "pictures"
LANGUAGES = ("en", "zh")
M = TypeVar("M", bound=BaseModel)


class ShownStep(Frozen):
    """A step of a guide as a participant reads it."""

    sentence: str
    enter: str = ""
    """What is to be typed or chosen, where the guide shows it beside the sentence."""
    picture: str = Field(default="", pattern=r"^([0-9a-f]{64}\.webp)?$")
    width: int = 0
    height: int = 0
    """Of the picture, px."""


class Shown(Frozen):
    """The guide of a task under a condition."""

    task: str
    condition: str
    steps: tuple[ShownStep, ...]
    solved: bool = True
    """Whether whoever wrote the guide solved the task with it."""


class Settings(Frozen):
    """All of study.json."""

    format: Literal[1] = 1
    version: str
    """Of guideact, which fixes the sites and their data."""
    guides: str
    conditions: tuple[str, ...] = Field(min_length=1)
    goals: bool
    """Whether participants are told what the task wants."""
    minutes: float = Field(gt=0, le=600)
    """The time limit of a trial."""
    seed: int
    contact: str = Field(min_length=1)
    tasks: tuple[Task, ...] = Field(min_length=1)
    assignment: tuple[tuple[Trial, ...], ...] = Field(min_length=1)
    """For participant 1, 2, ... their trials in order."""


class Words(Frozen):
    """A text in both languages."""

    en: str = Field(min_length=1)
    zh: str = Field(min_length=1)


class Question(Frozen):
    """One question. `scale` is answered by 1 to 7, `step` by a step of the guide (0: at none), `text` in words."""

    id: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    kind: Literal["scale", "step", "text"]
    text: Words
    low: Words | None = None
    high: Words | None = None
    """What 1 and 7 mean."""

    @model_validator(mode="after")
    def _ends(self) -> Question:
        if self.kind == "scale" and (self.low is None or self.high is None):
            raise ValueError("a scale needs low and high")
        return self


class Questions(Frozen):
    """All of questions.json."""

    after_task: tuple[Question, ...]
    at_end: tuple[Question, ...]

    @model_validator(mode="after")
    def _once(self) -> Questions:
        for asked in (self.after_task, self.at_end):
            if len({question.id for question in asked}) < len(asked):
                raise ValueError("two questions have the same id")
        if any(question.kind == "step" for question in self.at_end):
            raise ValueError("a question about a step can only be asked after a task")
        return self


@dataclass(frozen=True)
class Study:
    """A study that was read."""

    folder: Path
    settings: Settings
    shown: dict[tuple[str, str], Shown]
    """By task and condition."""
    codes: dict[str, int]
    """Participants by their codes."""
    consent: dict[str, str]
    questions: Questions

    def task(self, task_id: str) -> Task:
        return next(task for task in self.settings.tasks if task.id == task_id)

    def trials(self, participant: int) -> tuple[Trial, ...]:
        """Of participant 1, 2, ..."""
        return self.settings.assignment[participant - 1]


def is_study(folder: Path) -> bool:
    return (folder / STUDY).is_file()


def read_study(folder: Path) -> Study:
    """Read a study. Raises InputError, naming file and field, for whatever is missing or wrong."""
    if not is_study(folder):
        raise InputError(f"{folder} is no study: it holds no {STUDY}", fix="Make one: guideact study build.")
    settings = _parse(Settings, folder / STUDY, _text(folder / STUDY))
    lines = [line for line in _text(folder / GUIDES).split("\n") if line.strip()]
    shown = {(each.task, each.condition): each for each in (_parse(Shown, folder / GUIDES, line) for line in lines)}
    wanted = {(trial.task, trial.condition) for trials in settings.assignment for trial in trials}
    if missing := sorted(wanted - shown.keys()):
        task, condition = missing[0]
        raise InputError(f"{folder / GUIDES}: no guide of {task} for {condition}", fix="Build the study again.")
    if unknown := sorted({task for task, _ in wanted} - {task.id for task in settings.tasks}):
        raise InputError(f"{folder / STUDY}: {unknown[0]} is assigned and no task", fix="Build the study again.")
    return Study(
        folder=folder,
        settings=settings,
        shown=shown,
        codes=_codes(folder / CODES, len(settings.assignment)),
        consent={language: _text(folder / f"consent.{language}.md") for language in LANGUAGES},
        questions=_parse(Questions, folder / QUESTIONS, _text(folder / QUESTIONS)),
    )


def _codes(path: Path, participants: int) -> dict[str, int]:
    found: dict[str, int] = {}
    for row in csv.DictReader(io.StringIO(_text(path), newline="")):
        number = row.get("participant") or ""
        if not number.isdecimal() or not 1 <= int(number) <= participants or not row.get("code"):
            raise InputError(f"{path}: {number!r} is no participant of this study", fix="Put the file back.")
        found[row["code"].upper()] = int(number)
    if len(set(found.values())) != participants:
        raise InputError(f"{path} has not one code for each participant", fix="Put the file back.")
    return found


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", fix="Put the file back.") from error


def _parse(model: type[M], path: Path, text: str) -> M:
    try:
        return model.model_validate(json.loads(text))
    except ValidationError as error:
        raise InputError(f"{path}: {first_fault(error)}", fix="Mend that field.") from error
    except ValueError as error:
        raise InputError(f"{path} is no JSON: {error}", fix="Mend that place.") from error
