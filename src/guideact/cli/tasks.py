"""`guideact tasks`: what there is to do, and the proof that it is sound."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, say, show

if TYPE_CHECKING:
    from guideact.errors import InfrastructureError
    from guideact.sites.skins import Skin

app = App(name="tasks", help=VERBS["tasks"], help_format="plaintext")


@app.default
def tasks(*patterns: str, file: Annotated[Path | None, Parameter(name="--tasks")] = None, json: bool = False) -> None:
    """List the embedded tasks, or those of a file.

    Parameters
    ----------
    patterns
        Ids of tasks or templates, or patterns such as 'shopping.*'. Default: all tasks.
    file
        A file of tasks instead of the embedded ones, or webarena:PATH for WebArena's.
    json
        Print one JSON object a line: id, sites, template_id, split, gold_steps, intent.
    """
    import json as encoder

    from guideact.harness.choose import load_file, named
    from guideact.tasks.catalogue import all_tasks, find
    from guideact.tasks.gold import gold_for

    embedded = find(patterns) if patterns and file is None else all_tasks()
    for task in embedded if file is None else named(load_file(file), patterns, file):
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
            say(f"{task.id}  {task.split}, {row['gold_steps'] or '?'} steps: {' '.join(task.intent.split())}")


@app.command
def census(*patterns: str, json: bool = False) -> None:
    """Count what the embedded tasks are: sizes, kinds, lengths, the split, and how alike train and test are.

    Parameters
    ----------
    patterns
        Ids of tasks or templates, or patterns such as 'shopping.*'. Default: all tasks.
    json
        Print one JSON object.
    """
    from rich.table import Table

    from guideact.tasks.catalogue import all_tasks, entry, find
    from guideact.tasks.census import ALIKE, LONG
    from guideact.tasks.census import census as count
    from guideact.tasks.gold import shipped

    found = count([entry(task.id) for task in (find(patterns) if patterns else all_tasks())], shipped())
    if json:
        say(found.model_dump_json())
        return
    table = Table("what", "count", "of", show_header=False)
    of_tasks = f"of {found.tasks}"
    near = found.overlap
    of_test = f"of {found.test} test tasks"

    def listed(counts: dict[str, int]) -> str:
        return ", ".join(f"{name} {count}" for name, count in counts.items())

    rows: list[tuple[str, object, str]] = [
        ("tasks", found.tasks, f"from {found.templates} templates"),
        ("by sites", "", listed(found.by_sites)),
        ("across sites", found.across_sites, of_tasks),
        ("by kind", "", listed(found.by_kind)),
        ("need the picture", found.picture, of_tasks),
        ("have a second route", found.second_route, of_tasks),
        ("gold steps", found.gold_steps, f"{found.shortest} to {found.longest} a task; {listed(found.verbs)}"),
        (f"more than {LONG} gold steps", found.long, of_tasks),
        ("gold goes back", found.going_back, of_tasks),
        ("without gold", found.without_gold, of_tasks),
        ("skeletons", found.skeletons, "kinds of page, verb and control"),
        ("reference sentences", found.references, f"at least {found.fewest_references} a step"),
        ("ten commonest patterns", f"{found.common_share:.1%}", "of the reference sentences"),
        ("train, test", f"{found.train}, {found.test}", f"{found.test / found.tasks:.0%} test"),
        ("template unseen in train", near.unseen_templates, of_test),
        ("closest train intent", f"{near.nearest_intent:.2f}", "mean share of words, Jaccard"),
        (f"train intent shares {ALIKE:.0%} of words", near.alike_intents, of_test),
        ("same check as a train task", near.same_checks, of_test),
        ("same skeletons as a train gold", near.same_skeletons, of_test),
        ("same trajectory as a train gold", near.same_trajectories, of_test),
    ]
    for name, number, more in rows:
        table.add_row(name, str(number), more)
    show(table)


@app.command
def prove(
    *patterns: str,
    every: Annotated[bool, Parameter(name="--all", negative="")] = False,
    sample: int | None = None,
    seed: int = 0,
    max_samples: int = 4,
    skin: str | None = None,
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
    skin
        A changed look of the sites to prove them in: relabel-N, relayout-N or redesign-N.
    """
    from guideact.errors import InputError
    from guideact.sites.skins import parse_skin
    from guideact.tasks.catalogue import all_tasks, find

    worn = parse_skin(skin) if skin is not None else None
    if not patterns and not every and sample is None:
        raise InputError("no task is named", fix="Give ids, --all, or --sample N.")
    chosen = [task.id for task in (find(patterns) if patterns else all_tasks())]
    if sample is not None:
        if sample < 1:
            raise InputError(f"--sample {sample} is no number of tasks", fix="Give 1 or more.")
        chosen = sorted(random.Random(seed).sample(chosen, k=min(sample, len(chosen))))
    unproved = asyncio.run(_prove(chosen, max_samples, worn))
    note(f"{len(chosen) - unproved} of {len(chosen)} tasks are proved.")
    return 1 if unproved else 0


async def _prove(task_ids: list[str], workers: int, skin: Skin | None) -> int:
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

    def given_up(task_id: str, error: InfrastructureError) -> bool:
        say(f"{task_id}: NOT PROVED: {error}")
        return False

    passed = await on_instances(
        task_ids,
        prove_one,
        workers=workers,
        skin=skin,
        begun_anew=lambda task_id, error: note(f"{task_id}: begun anew, for {error}"),
        given_up=given_up,
    )
    return sum(not one for one in passed.values())
