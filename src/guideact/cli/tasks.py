"""`guideact tasks`: what there is to do, and the proof that it is sound."""

from __future__ import annotations

import asyncio
import random
from typing import Annotated, Any

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, say

app = App(name="tasks", help=VERBS["tasks"], help_format="plaintext")


@app.default
def tasks(*patterns: str, json: bool = False) -> None:
    """List the embedded tasks.

    Parameters
    ----------
    patterns
        Ids of tasks or templates, or patterns such as 'shopping.*'. Default: all tasks.
    json
        Print one JSON object a line: id, sites, template_id, split, gold_steps, intent.
    """
    import json as encoder

    from guideact.tasks.catalogue import all_tasks, find
    from guideact.tasks.gold import gold_for

    for task in find(patterns) if patterns else all_tasks():
        gold = gold_for(task.id)
        row: dict[str, Any] = {
            "id": task.id,
            "sites": task.sites,
            "template_id": task.template_id,
            "split": task.split,
            "gold_steps": len(gold.steps) if gold is not None else None,
            "intent": task.intent,
        }
        if json:
            say(encoder.dumps(row, ensure_ascii=False))
        else:
            say(f"{task.id}  {task.split}, {row['gold_steps'] or '?'} steps: {task.intent}")


@app.command
def prove(
    *patterns: str,
    every: Annotated[bool, Parameter(name="--all", negative="")] = False,
    sample: int | None = None,
    seed: int = 0,
    max_samples: int = 4,
) -> int:
    """Prove tasks: the gold passes, and everything close to it fails.

    The exit status is 1 if a task is not proved.

    Parameters
    ----------
    patterns
        Ids of tasks or templates, or patterns such as 'shopping.*'.
    every
        All tasks.
    sample
        That many tasks, drawn at random.
    seed
        Which ones are drawn.
    max_samples
        Tasks at a time.
    """
    from guideact.errors import InputError
    from guideact.tasks.catalogue import all_tasks, find

    if not patterns and not every and sample is None:
        raise InputError("no task is named", fix="Give ids, --all, or --sample N.")
    chosen = [task.id for task in (find(patterns) if patterns else all_tasks())]
    if sample is not None:
        if sample < 1:
            raise InputError(f"--sample {sample} is no number of tasks", fix="Give 1 or more.")
        chosen = sorted(random.Random(seed).sample(chosen, k=min(sample, len(chosen))))
    unproved = asyncio.run(_prove(chosen, max_samples))
    note(f"{len(chosen) - unproved} of {len(chosen)} tasks are proved.")
    return 1 if unproved else 0


async def _prove(task_ids: list[str], workers: int) -> int:
    """Prove these tasks; how many are not proved."""
    from guideact.harness.pool import Workplace, on_instances
    from guideact.tasks.prove import prove as prove_task

    async def prove_one(task_id: str, place: Workplace) -> bool:
        proof = await prove_task(
            task_id, place.env, browser=place.browser, server=place.server, instance=place.instance
        )
        for line in proof.lines() if not proof.passed else proof.lines()[:1]:
            say(line)
        return proof.passed

    passed = await on_instances(
        task_ids,
        prove_one,
        workers=workers,
        begun_anew=lambda task_id, error: note(f"{task_id}: begun anew, for {error}"),
    )
    return sum(not one for one in passed.values())
