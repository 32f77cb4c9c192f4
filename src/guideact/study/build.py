"""A study folder made from a choice of tasks, guides and conditions."""

from __future__ import annotations

import hashlib
import os
import secrets
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast, get_args

from guideact import __version__
from guideact.errors import InputError
from guideact.guides.guide import picture_of
from guideact.guides.publish.pictures import cut
from guideact.guides.trials import GuideSet, Picture, Treatment, TrialGuide, guide_set
from guideact.harness.choose import in_turn
from guideact.harness.read import read_run
from guideact.outputs import refuse_taken
from guideact.study.design import assign
from guideact.study.folder import (
    CODES,
    GUIDES,
    LANGUAGES,
    PICTURES,
    PROTOCOL,
    QUESTIONS,
    STUDY,
    Settings,
    Shown,
    ShownStep,
)
from guideact.study.texts import QUESTIONS_AT_FIRST, consent, protocol
from guideact.tasks.catalogue import all_tasks, find
from guideact.types import Task

NONE = "none"
CONDITIONS: tuple[str, ...] = (*get_args(Treatment), NONE)
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of the codes: nothing that looks like something else. Ten letters are 50 bits: too many to guess over HTTP."""


@dataclass(frozen=True)
class Built:
    """A study that was written."""

    settings: Settings
    left_out: dict[str, int]
    """Why tasks were left out, with how many."""


def build(
    folder: Path,
    *,
    patterns: Sequence[str],
    limit: int,
    guides: str,
    conditions: Sequence[str],
    participants: int,
    each: int | None,
    goals: bool,
    minutes: float,
    seed: int,
    contact: str,
) -> Built:
    """Write a study into a new folder; the same arguments give the same study, but for its codes.

    Tasks that cannot be used are left out: those that ask for an answer or for a page to be looked at, and those
    without a guide under each condition. Raises InputError where none is left, and for what cannot be.
    """
    refuse_taken(folder)
    _check(conditions, goals, limit, minutes, contact)
    pool = find(patterns) if patterns else tuple(task for task in all_tasks() if task.split == "test")
    tasks, found, left_out = _usable(in_turn(pool), guides, conditions, limit)
    if not tasks:
        why = "; ".join(f"{count} {reason}" for reason, count in left_out.items())
        raise InputError(f"none of the {len(pool)} tasks can be used: {why}", fix="Choose other --tasks or --guides.")
    ids = [task.id for task in tasks]
    trials = assign(ids, conditions, participants=participants, each=each or len(ids), seed=seed)
    settings = Settings(
        version=__version__,
        guides=guides if guides == "gold" else Path(guides).name,
        conditions=tuple(conditions),
        goals=goals,
        minutes=minutes,
        seed=seed,
        contact=contact.strip(),
        tasks=tasks,
        assignment=trials,
    )
    _write(folder, settings, found, _solved(guides))
    return Built(settings, left_out)


def _check(conditions: Sequence[str], goals: bool, limit: int, minutes: float, contact: str) -> None:
    for condition in conditions:
        if condition not in CONDITIONS:
            raise InputError(f"there is no condition {condition!r}", fix=f"Conditions are: {', '.join(CONDITIONS)}.")
    if len(set(conditions)) < len(conditions) or not conditions:
        raise InputError("a condition is named twice, or none is", fix="Name each once after --conditions.")
    if NONE in conditions and not goals:
        raise InputError("without a guide and without a goal nobody knows what to do", fix="Add --goals.")
    if limit < 1:
        raise InputError(f"--limit is {limit}", fix="Give 1 or more.")
    if not 0 < minutes <= 600:
        raise InputError(f"--minutes is {minutes:g}", fix="Give more than 0 and at most 600.")
    if not contact.strip():
        raise InputError("--contact is empty", fix="Give a name and an address: participants need it to ask.")


def _usable(
    pool: Sequence[Task], source: str, conditions: Sequence[str], limit: int
) -> tuple[tuple[Task, ...], dict[tuple[str, str], TrialGuide], dict[str, int]]:
    """The first tasks that have a guide under each condition, these guides, and why others were left out."""
    left_out: Counter[str] = Counter()
    askable = []
    for task in pool:
        check = task.check
        if check.answer is not None or check.judge is not None:
            left_out["asking for an answer"] += 1
        elif check.page:
            left_out["whose check opens a page of its own"] += 1
        else:
            askable.append(task)
    if not askable:
        return (), {}, dict(left_out)
    ids = [task.id for task in askable]
    sets = {each: guide_set(source, cast("Treatment", each), ids) for each in conditions if each not in (NONE, "other")}
    plain = guide_set(source, "as_is", ids)
    tasks: list[Task] = []
    found: dict[tuple[str, str], TrialGuide] = {}
    for task in askable:
        if len(tasks) == limit:
            break
        made = {condition: sets[condition].guide(task.id) for condition in sets}
        own = plain.guide(task.id)
        if own is None or None in made.values():
            left_out["without a guide under each condition"] += 1
        elif any(picture is not None and picture.step.secret for picture in own.pictures):
            left_out["whose guide types a secret"] += 1
        else:
            tasks.append(task)
            found.update({(task.id, name): guide for name, guide in made.items() if guide is not None})
    if "other" in conditions:
        found.update(_of_others(tasks, source, plain))
    return tuple(tasks), found, dict(left_out)


def _of_others(tasks: Sequence[Task], source: str, plain: GuideSet) -> dict[tuple[str, str], TrialGuide]:
    """For each task the guide of one that nobody in the study does, so that no guide is met twice."""
    templates = {task.template_id for task in tasks}
    outside = guide_set(source, "as_is", [task.id for task in all_tasks() if task.template_id not in templates])
    order = sorted(outside.tasks)
    found = {}
    for task in tasks:
        other = next((each for each in order if each > task.id), order[0])
        guide, own = outside.guide(other), plain.guide(task.id)
        assert guide is not None
        assert own is not None
        found[task.id, "other"] = TrialGuide(guide.lines, own.key, guide.pictures)
    return found


def _solved(source: str) -> dict[str, bool]:
    """Whether the run that the guides come from solved each of its tasks."""
    if not (Path(source) / "run.json").exists():
        return {}
    return {episode.task_id: episode.success for episode in read_run(Path(source)).episodes}


def _write(folder: Path, settings: Settings, found: dict[tuple[str, str], TrialGuide], solved: dict[str, bool]) -> None:
    try:
        (folder / PICTURES).mkdir(parents=True)
        lines = []
        for task in settings.tasks:
            for condition in settings.conditions:
                guide = found.get((task.id, condition), TrialGuide((), ()))
                shown = Shown(
                    task=task.id,
                    condition=condition,
                    steps=_steps(folder, guide),
                    solved=solved.get(task.id, True),
                )
                lines.append(shown.model_dump_json(exclude_defaults=True) + "\n")
        _put(folder / GUIDES, "".join(lines))
        for language in LANGUAGES:
            _put(folder / f"consent.{language}.md", consent(settings, language))
        _put(folder / QUESTIONS, QUESTIONS_AT_FIRST)
        _put(folder / PROTOCOL, protocol(settings))
        codes = "".join(f"{number},{code()}\n" for number in range(1, len(settings.assignment) + 1))
        _put(folder / CODES, "participant,code\n" + codes, mode=0o600)
        _put(folder / STUDY, settings.model_dump_json(indent=1) + "\n")
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another folder.") from error


def code() -> str:
    """A new code: ABCDE-FGHJK."""
    letters = [secrets.choice(ALPHABET) for _ in range(10)]
    return "".join(letters[:5]) + "-" + "".join(letters[5:])


def _steps(folder: Path, guide: TrialGuide) -> tuple[ShownStep, ...]:
    pictures = guide.pictures or (None,) * len(guide.lines)
    return tuple(
        _with_picture(folder, ShownStep(sentence=line.sentence, enter=line.enter), picture)
        for line, picture in zip(guide.lines, pictures, strict=True)
    )


def _with_picture(folder: Path, step: ShownStep, picture: Picture | None) -> ShownStep:
    if picture is None:
        return step
    made = cut(picture_of(picture.folder, picture.step.image), picture.step)
    name = f"{hashlib.sha256(made.data).hexdigest()}.webp"
    (folder / PICTURES / name).write_bytes(made.data)
    return step.model_copy(update={"picture": name, "width": made.width, "height": made.height})


def _put(path: Path, text: str, mode: int = 0o644) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode), "w", encoding="utf-8") as file:
        file.write(text)
