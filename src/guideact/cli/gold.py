"""`guideact gold`: the gold guides that come with the package."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, say
from guideact.errors import InputError
from guideact.outputs import refuse_taken, refuse_unwritable

if TYPE_CHECKING:
    from guideact.config import RunConfig
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
        The file to write; a new one begins with the guides of the package. Default: the one in the package.
    max_samples
        Tasks at a time.
    """
    from guideact import tasks as package
    from guideact.gold.record import read_gold, write_gold
    from guideact.tasks.catalogue import all_tasks, entries, find
    from guideact.tasks.gold import shipped

    path = out if out is not None else Path(next(iter(package.__path__))) / "gold.jsonl"
    refuse_unwritable(path)
    chosen = [task.id for task in (find(patterns) if patterns else all_tasks())]
    there = read_gold(path) if path.exists() else shipped()
    kept = {task_id: gold for task_id, gold in there.items() if task_id in entries() and task_id not in chosen}
    recorded, failed = asyncio.run(_record(chosen, max_samples))
    write_gold(path, [*kept.values(), *recorded])
    say(f"{path}: {len(recorded)} recorded, {len(kept)} kept" + (f", {failed} failed" if failed else ""))
    return 1 if failed else 0


@app.command
def import_opagent(
    folder: Path,
    out: Path,
    /,
    *,
    name: str = "opagent-webarena",
    drop_task: bool = False,
    keep_note: bool = False,
    join_enter: bool = False,
    trim_loops: bool = False,
) -> None:
    """Read OpAgent's runs on WebArena into a dataset, with a ledger of what every rule cost.

    Parameters
    ----------
    folder
        Holds val_1, val_2, ..., each with its trajectory.json.
    out
        The folder to write; it must not be there yet.
    name
        What the dataset is called.
    drop_task
        Leave out a task one of whose steps has no counterpart. Default: only the step is dropped.
    keep_note
        Let the instruction of a dropped step begin the guide of the next one.
    join_enter
        Drop the Enter after typing. Default: it becomes a step of its own.
    trim_loops
        Cut out what lies between a step and its repetition after other pages.
    """
    from guideact.data import write_dataset
    from guideact.data.card import card
    from guideact.gold.opagent import Choices, import_runs, ledger_of, manifest_of, picture_of

    if drop_task and keep_note:
        raise InputError("--drop-task and --keep-note exclude each other", fix="Give one of them.")
    refuse_taken(out)
    imported = import_runs(folder, Choices(drop_task, keep_note, join_enter, trim_loops))
    demos = [one.task for one in imported if one.task is not None]
    steps = [step for one in imported for step in one.steps]
    ledger = ledger_of(imported)
    dataset = write_dataset(
        out,
        manifest_of(name),
        demos,
        steps,
        ledger,
        picture=picture_of(imported),
        card=lambda manifest, verbs: card(manifest, verbs, demos, ledger),
    )
    counts = dataset.manifest.counts
    say(f"{out}: {counts['tasks']} of {len(imported)} tasks, {counts['steps']} steps, {counts['images']} images")
    for total in ledger.totals():
        if total.lost:
            say(f"  lost at {total.stage}: {', '.join(f'{reason} {n}' for reason, n in total.reasons.items())}")
    for what, count in ledger.step_totals().items():
        say(f"  steps {what}: {count}")
    for entry in ledger.entries:
        if entry.detail and not entry.reason:
            note(f"{entry.task_id}: {entry.detail}")


@app.command
def rescore(folder: Path, /, *, strict_webarena: bool = False, json: bool = False) -> None:
    """Score OpAgent's stored answers and addresses with our evaluators, and compare with the stored scores.

    Parameters
    ----------
    folder
        Holds val_1, val_2, ..., each with its trajectory.json.
    strict_webarena
        Keep the faults of the published evaluator.
    json
        Print one JSON object.
    """
    from guideact.gold.rescore import rescore as score_again

    found = asyncio.run(score_again(folder, strict=strict_webarena))
    if json:
        say(found.model_dump_json())
        return
    say(f"{found.agreements} of {found.tasks} agree ({found.agreements / max(found.tasks, 1):.1%})")
    say(f"not scored: {found.needs_judge} need a judge, {found.needs_page} need a page")
    for one in found.disagreements:
        say(f"  {one.task_id}: stored {one.stored:d}, ours {one.ours:d} {one.reason}".rstrip())


@app.command
def replay(
    dataset: Path,
    out: Path,
    /,
    *patterns: str,
    tasks: Path | None = None,
    webarena: Path | None = None,
    address: tuple[str, ...] = (),
    judge: str | None = None,
    judge_base_url: str | None = None,
    strict_webarena: bool = False,
    skin: str | None = None,
    name: str = "",
    max_samples: int = 2,
    screenshots: Annotated[bool, Parameter(negative="--no-screenshots")] = True,
    json: bool = False,
) -> None:
    """Perform the demonstrations of a dataset again on live sites, and write down what is seen, hit and checked.

    The new dataset holds both groundings of each step, and those demonstrations alone that pass the check. What
    differed from the record is counted, and with --json listed.

    Parameters
    ----------
    dataset
        A dataset: of embedded tasks, or of imported runs.
    out
        The folder to write; it must not be there yet.
    patterns
        Ids of its tasks, or patterns. Default: all of them.
    tasks
        For imported runs: webarena:PATH, the file of WebArena's tasks.
    webarena
        A TOML file of where WebArena's sites run. Otherwise the variables of `guideact run` say so.
    address
        Where one of them runs, as shopping=http://HOST:7770.
    judge
        Who judges answers that only a reader can judge; without one, such tasks are left out.
    judge_base_url
        Address of the judge's endpoint.
    strict_webarena
        Keep the faults of WebArena's published evaluators.
    skin
        The look of the embedded sites to perform in: relabel-N, relayout-N or redesign-N, or none for the plain one.
        Default: that of the dataset.
    name
        What the dataset is called. Default: the name of the old one with -replayed.
    max_samples
        Tasks at a time.
    screenshots
        Keep the screenshot of each step.
    json
        Print one JSON object: tasks, steps, drifts, unmapped steps, lost tasks.
    """
    from guideact.cli.replay import Wanted, replay_all

    refuse_unwritable(out)
    replay_all(
        Wanted(
            dataset=dataset,
            out=out,
            patterns=patterns,
            tasks=tasks,
            webarena=webarena,
            address=address,
            judge=judge,
            judge_base_url=judge_base_url,
            strict=strict_webarena,
            skin=skin,
            name=name,
            workers=max_samples,
            screenshots=screenshots,
            json=json,
        )
    )


@app.command
def draft(
    dataset: Path,
    out: Path,
    /,
    *patterns: str,
    model: str,
    model_base_url: str | None = None,
    temperature: float | None = None,
    max_tokens: int = 1024,
    seed: int = 0,
    max_connections: int = 4,
    cache: Path | None = None,
    screenshots: Annotated[bool, Parameter(negative="--no-screenshots")] = True,
    name: str = "",
    json: bool = False,
) -> None:
    """Have a model write a rationale and a guide sentence for each step of a dataset; rules reject what will not do.

    A sentence that is rejected is asked for again, with the reason; after three the step keeps what it had. The new
    dataset's ledger counts and quotes the rejections.

    Parameters
    ----------
    dataset
        A dataset.
    out
        The folder to write; it must not be there yet.
    patterns
        Ids of its tasks, or patterns. Default: all of them.
    model
        Who writes: openai/NAME, anthropic/NAME or google/NAME.
    model_base_url
        Address of the endpoint. Default: the provider's own.
    temperature
        Sampling temperature. Default: the endpoint's own.
    max_tokens
        Output tokens of one answer, reasoning included.
    seed
        The first try of a step is sampled with it, the second with the next, and so on.
    max_connections
        Tasks at a time; the steps of a task are described one after the other.
    cache
        A file that answers are kept in: what was asked before is not asked again.
    screenshots
        Show the model the pages, where the dataset holds them.
    name
        What the dataset is called. Default: the name of the old one with -drafted.
    json
        Print one JSON object: tasks, steps, drafted, rejections.
    """
    from guideact.cli.draft import Wanted
    from guideact.cli.draft import draft as draft_dataset

    refuse_unwritable(out)
    config = _settings(
        model=model,
        model_base_url=model_base_url,
        temperature=temperature,
        max_tokens=max_tokens,
        seed=seed,
        max_connections=max_connections,
        cache=cache,
        screenshots=screenshots,
    )
    draft_dataset(Wanted(dataset=dataset, out=out, patterns=patterns, config=config, name=name, json=json))


def _settings(**given: Any) -> RunConfig:
    """The settings of a model. Raises InputError, naming the flag, for the first value that is none."""
    from pydantic import ValidationError

    from guideact.config import RunConfig

    try:
        return RunConfig(**given)
    except ValidationError as error:
        first = error.errors()[0]
        flag = f"--{str(first['loc'][0]).replace('_', '-')}"
        said = f"{first['msg'][0].lower()}{first['msg'][1:]}"
        raise InputError(f"{flag} {first['input']!r}: {said}", fix="Give another value.") from None


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

    def given_up(task_id: str, error: InfrastructureError) -> None:
        nonlocal done
        done += 1
        note(f"{done}/{len(task_ids)} {task_id}: given up, for {error}")

    found = await on_instances(
        task_ids,
        record_one,
        workers=workers,
        begun_anew=lambda task_id, error: note(f"{task_id}: begun anew, for {error}"),
        given_up=given_up,
    )
    recorded = [gold for gold in found.values() if gold is not None]
    return recorded, len(task_ids) - len(recorded)
