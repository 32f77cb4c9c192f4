"""`guideact gold`: the gold guides that come with the package."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import note, say

if TYPE_CHECKING:
    from guideact.tasks.gold import Gold

app = App(name="gold", help=VERBS["gold"], help_format="plaintext")


@app.command
def record(*patterns: str, out: Path | None = None, max_samples: int = 2) -> int:
    """Run the solvers of embedded tasks, and write what they did and said.

    The guides of other tasks stay as they are in the file; those of tasks that are gone are dropped. A task whose gold
    fails is named and has no guide; the others are written all the same, and the exit status is 1.

    Parameters
    ----------
    patterns
        Ids of tasks or templates, or patterns such as 'shopping.*'. Default: all tasks.
    out
        The file to write. Default: the one in the package.
    max_samples
        Tasks at a time.
    """
    from guideact import tasks as package
    from guideact.gold.record import write_gold
    from guideact.tasks.catalogue import all_tasks, entries, find
    from guideact.tasks.gold import shipped

    chosen = [task.id for task in (find(patterns) if patterns else all_tasks())]
    kept = {task_id: gold for task_id, gold in shipped().items() if task_id in entries() and task_id not in chosen}
    recorded, failed = asyncio.run(_record(chosen, max_samples))
    path = out if out is not None else Path(next(iter(package.__path__))) / "gold.jsonl"
    write_gold(path, [*kept.values(), *recorded])
    say(f"{path}: {len(recorded)} recorded, {len(kept)} kept" + (f", {failed} failed" if failed else ""))
    return 1 if failed else 0


async def _record(task_ids: Sequence[str], workers: int) -> tuple[list[Gold], int]:
    """The guides of all tasks whose gold passes, and how many do not."""
    from guideact.errors import GuideActError, InfrastructureError
    from guideact.gold.record import record_task
    from guideact.harness.pool import Workplace, on_instances

    done = 0

    async def record_one(task_id: str, place: Workplace) -> Gold | None:
        nonlocal done
        try:
            gold = await record_task(task_id, place.env)
        except InfrastructureError:
            raise
        except GuideActError as error:
            done += 1
            note(f"{done}/{len(task_ids)} {error}")
            return None
        done += 1
        note(f"{done}/{len(task_ids)} {task_id}: {len(gold.steps)} steps")
        return gold

    found = await on_instances(
        task_ids,
        record_one,
        workers=workers,
        begun_anew=lambda task_id, error: note(f"{task_id}: begun anew, for {error}"),
    )
    recorded = [gold for gold in found.values() if gold is not None]
    return recorded, len(task_ids) - len(recorded)
