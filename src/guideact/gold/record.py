"""Record gold guides: run each task's solver through `env.step`, keep what it did and what it said about it.

The file is JSON Lines, one `guideact.tasks.gold.Gold` a task, ordered by task id. A task whose gold does not pass, or
whose guide has a fault, stops the recording: a file never holds a guide that its own check would refuse.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from guideact.errors import GuideActError, InputError, first_fault
from guideact.jsonl import numbered_lines
from guideact.tasks.catalogue import entry
from guideact.tasks.gold import Gold, GoldStep, fingerprint
from guideact.tasks.prove import Done, Environment, walk
from guideact.tasks.references import reference_faults
from guideact.types import Mark, Scroll, Select, Type


async def record_task(task_id: str, env: Environment) -> Gold:
    """The gold guide of one task. Raises GuideActError where its gold does not pass or its guide has a fault."""
    found = entry(task_id)
    walked = await walk(env, found.task, lambda page: found.template.solve(page, found.params))
    if not walked.verdict.passed:
        reasons = "; ".join(part.reason for part in walked.verdict.parts if not part.passed)
        raise GuideActError(f"the gold of {task_id} fails: {reasons}", fix=f"Run `guideact tasks prove {task_id}`.")
    faults = reference_faults(found.task, [(step.act, step.seen) for step in walked.steps])
    if faults:
        raise GuideActError(f"the guide of {task_id}, {faults[0]}", fix="Mend the sentence in its template.")
    return Gold(
        task_id=task_id, task_sha256=fingerprint(found.task), steps=tuple(_gold_step(step) for step in walked.steps)
    )


def _gold_step(done: Done) -> GoldStep:
    action = done.act.action
    target = getattr(action, "target", None)
    candidate = done.seen.candidate(target.mark) if isinstance(target, Mark) else None
    value = ""
    if isinstance(action, Type):
        value = action.text
    elif isinstance(action, Select):
        value = action.option
    elif isinstance(action, Scroll):
        value = action.direction
    return GoldStep(
        verb=action.verb,
        references=done.act.references,
        url=done.seen.url,
        role=candidate.role if candidate else "",
        name=(candidate.name or candidate.text) if candidate else "",
        box=candidate.box if candidate else None,
        point=candidate.point if candidate else None,
        value=value,
    )


def read_gold(path: Path) -> dict[str, Gold]:
    """The guides of a gold file by task id. Raises InputError, naming the line, for one that is damaged."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}", fix="Give another file.") from error
    found = {}
    for number, line in numbered_lines(text):
        try:
            gold = Gold.model_validate_json(line)
        except ValidationError as error:
            what = first_fault(error)
            raise InputError(f"line {number} of {path} is no gold guide: {what}", fix="Give another file.") from error
        found[gold.task_id] = gold
    return found


def write_gold(path: Path, golds: Iterable[Gold]) -> None:
    """Write a gold file, whole or not at all. Numbers are rounded to a tenth of a pixel."""
    lines = [gold.model_dump_json(exclude_defaults=True) for gold in sorted(golds, key=lambda gold: gold.task_id)]
    part = path.with_name(path.name + ".part")
    part.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    os.replace(part, path)
