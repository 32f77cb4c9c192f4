"""`guideact data`: datasets of demonstrations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, resumable, say, show
from guideact.outputs import refuse_taken, refuse_unwritable_file
from guideact.types import Split

if TYPE_CHECKING:
    from guideact.errors import InfrastructureError
    from guideact.sites.skins import Skin

app = App(name="data", help=VERBS["data"], help_format="plaintext")


@app.command
def build(
    out: Path,
    /,
    *patterns: str,
    name: str = "guideact-embedded",
    max_samples: int = 2,
    screenshots: Annotated[bool, Parameter(negative="--no-screenshots")] = True,
    skin: str | None = None,
    split: Split | None = None,
) -> None:
    """Freeze the gold demonstrations of embedded tasks into a dataset.

    Every solver is run on the live sites. A build that was interrupted goes on with the same command, with the same
    guideact and browser. Built again from the same code with the same browser, the dataset is the same byte for byte.

    Parameters
    ----------
    out
        The folder to write; it must not be there yet.
    patterns
        Ids of tasks or templates, or patterns such as 'shopping.*'. Default: all tasks.
    name
        What the dataset is called.
    max_samples
        Tasks at a time.
    screenshots
        Keep the screenshot of each step.
    skin
        Freeze them in a changed look of the sites, such as redesign-3: the guides name what it shows.
    split
        Of these, only the tasks of train or of test. Default: both.
    """
    from guideact.cli.run import until_stopped
    from guideact.data import write_dataset
    from guideact.data.card import card
    from guideact.errors import InfrastructureError, InputError
    from guideact.gold.freeze import Workshop, ledger_of, manifest_of, settings_of
    from guideact.harness.pool import browser_version
    from guideact.sites.skins import parse_skin
    from guideact.tasks.catalogue import all_tasks, find

    if max_samples < 1:
        raise InputError(f"--max-samples {max_samples} is no number of tasks", fix="Give 1 or more.")
    worn = parse_skin(skin) if skin is not None else None
    refuse_taken(out)
    tasks = [task for task in (find(patterns) if patterns else all_tasks()) if split in (None, task.split)]
    if not tasks:
        raise InputError(f"none of {', '.join(patterns)} is of the {split} split", fix="Give others, or no --split.")
    whole = out.absolute()
    workshop = Workshop(whole.with_name(whole.name + ".unfinished"))
    browser = until_stopped(browser_version())
    workshop.open(settings_of(tasks, screenshots, worn, browser))
    with resumable(out):
        failed = until_stopped(
            _freeze([task.id for task in tasks if not workshop.done(task)], workshop, max_samples, screenshots, worn)
        )
    if failed:
        raise InfrastructureError(
            f"{len(failed)} of {len(tasks)} tasks could not be frozen: {', '.join(failed)}",
            fix="The same command tries them again, and them alone.",
        )
    fates = [workshop.fate(task) for task in tasks]
    demos = [fate.task for fate in fates if fate.task is not None]
    ledger = ledger_of(fates)
    dataset = write_dataset(
        out,
        manifest_of(name, browser, worn),
        demos,
        (step for task in tasks for step in workshop.load(task).steps),
        ledger,
        picture=workshop.picture if screenshots else None,
        card=lambda manifest, verbs: card(manifest, verbs, demos, ledger),
    )
    workshop.remove()
    counts = dataset.manifest.counts
    say(f"{out}: {counts['tasks']} of {len(tasks)} tasks, {counts['steps']} steps, {counts['images']} images")
    note(f"Signature: {dataset.manifest.signature}")
    for entry in ledger.entries:
        if entry.reason:
            note(f"lost: {entry.task_id} after {entry.stage}, {entry.reason}: {entry.detail}")
        elif entry.detail:
            note(f"{entry.task_id}: {entry.detail}")


async def _freeze(
    task_ids: list[str], workshop: object, workers: int, screenshots: bool, skin: Skin | None
) -> list[str]:
    """Freeze what is not frozen yet; the tasks that the surroundings failed every time."""
    from guideact.gold.freeze import Workshop, freeze_task
    from guideact.harness.pool import Workplace, on_instances
    from guideact.tasks.catalogue import entry

    assert isinstance(workshop, Workshop)
    done = 0
    failed: list[str] = []

    async def freeze(task_id: str, place: Workplace) -> None:
        # Nothing is given back: the workshop has it, and all demonstrations together fill gigabytes of memory.
        nonlocal done
        frozen = await freeze_task(
            task_id, place.env, workshop.pictures if screenshots else None, moving=place.last_try
        )
        workshop.keep(entry(task_id).task, frozen)
        done += 1
        note(f"{done}/{len(task_ids)} {task_id}: {frozen.entry.reason or f'{len(frozen.steps)} steps'}")

    def given_up(task_id: str, error: InfrastructureError) -> None:
        note(f"{task_id}: given up, for {error}")
        failed.append(task_id)

    await on_instances(
        task_ids,
        freeze,
        workers=workers,
        screenshots=screenshots,
        skin=skin,
        begun_anew=lambda task_id, error: note(f"{task_id}: begun anew, for {error}"),
        given_up=given_up,
    )
    return failed


@app.command
def ledger(dataset: Path, /, *, json: bool = False) -> None:
    """Print what became of every task at every stage.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    json
        Print one JSON object with the totals and every task.
    """
    from rich.table import Table

    from guideact.data import open_dataset

    found = open_dataset(dataset).ledger()
    if json:
        say(found.to_json())
        return
    table = Table("stage", "came", "lost", "why", title=str(dataset), title_justify="left")
    for total in found.totals():
        why = ", ".join(f"{reason} {count}" for reason, count in total.reasons.items())
        table.add_row(total.stage, str(total.came), str(total.lost), why)
    show(table)
    for name, count in found.step_totals().items():
        say(f"steps {name}: {count}")


@app.command
def verify(dataset: Path, /) -> None:
    """Check that every file of a dataset is what its manifest says.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    """
    from guideact.data import open_dataset

    found = open_dataset(dataset)
    found.verify()
    say(f"{dataset}: {len(found.manifest.files)} files, {found.manifest.signature}")


@app.command
def audit(
    dataset: Path,
    /,
    *,
    split: Split | None = None,
    out: Path | None = None,
    settle: Path | None = None,
    json: bool = False,
) -> None:
    """List labels that a person should look at before they are believed, or take in what was settled about them.

    Decisions lie beside the dataset, in settled.jsonl: who settled what, and how. Scores take them in.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    split
        train or test. Default: both.
    out
        A file for the suspects, one line of JSON each.
    settle
        A file of decisions to take in, one line of JSON each: task_id, index, kind, verdict (fine, also, drop), also
        (marks that are as good), by, how.
    json
        Print the suspects as JSON, one a line.
    """
    from rich.table import Table
    from rich.text import Text

    from guideact.data import open_dataset
    from guideact.errors import InputError
    from guideact.offline.audit import KINDS, suspects
    from guideact.offline.audit import settle as take_in
    from guideact.offline.gold import demos_in
    from guideact.offline.settled import Settled, files_of

    found = open_dataset(dataset)
    if out is not None:
        refuse_unwritable_file(out, "--out", files_of(found))
    demos = demos_in(found, split)
    if settle is not None:
        say(f"{settle}: {len(take_in(dataset, settle, demos))} decisions taken in")
        return
    listed = suspects(demos, Settled.read(dataset))
    lines = "".join(f"{suspect.model_dump_json()}\n" for suspect in listed)
    if out is not None:
        try:
            out.write_text(lines, encoding="utf-8")
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}", fix="Give another --out.") from error
    if json:
        for suspect in listed:
            say(suspect.model_dump_json())
        return
    steps = sum(len(demo.steps) for demo in demos)
    table = Table("suspicion", "steps", "settled", "such as", title=f"{dataset}: {steps} steps", title_justify="left")
    for kind in KINDS:
        of_kind = [suspect for suspect in listed if suspect.kind == kind]
        first = next((s for s in of_kind if not s.settled), None)
        example = "" if first is None else f"{first.task_id}, step {first.index}: {first.detail}"
        table.add_row(kind, str(len(of_kind)), str(sum(bool(s.settled) for s in of_kind)), Text(example))
    show(table)
