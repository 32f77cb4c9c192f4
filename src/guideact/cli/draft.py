"""`guideact gold draft`, from its settings to what is printed."""

from __future__ import annotations

import asyncio
import json as encoder
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from guideact.cli.show import note, say
from guideact.config import RunConfig
from guideact.data import Dataset, open_dataset, write_dataset
from guideact.data.card import card
from guideact.errors import InputError
from guideact.gold.draft import Drafted, draft_all, ledger_of
from guideact.gold.replays import demonstrations_of
from guideact.harness.agent import sampling_of
from guideact.models.make import api_model, is_named, named_clients
from guideact.outputs import refuse_taken


@dataclass(frozen=True)
class Wanted:
    """The settings; see `guideact.cli.gold.draft`."""

    dataset: Path
    out: Path
    patterns: Sequence[str]
    config: RunConfig
    name: str
    json: bool


def draft(wanted: Wanted) -> None:
    """Ask, write, and tell. Raises InputError for what the user has to mend, before anything is asked."""
    dataset = open_dataset(wanted.dataset)
    refuse_taken(wanted.out)
    if not is_named(wanted.config.model):
        raise InputError(f"there is no model {wanted.config.model!r}", fix=f"Use --model with {named_clients()}.")
    drafted = asyncio.run(_ask(wanted, dataset))
    _write(wanted, dataset, drafted)
    _tell(wanted, drafted)


async def _ask(wanted: Wanted, dataset: Dataset) -> list[Drafted]:
    demos = demonstrations_of(dataset, wanted.patterns)
    config, done = wanted.config, 0
    sampling = sampling_of(config)
    pictures = bool(dataset.manifest.counts.get("images")) and config.screenshots
    model = api_model(
        config.model,
        base_url=config.model_base_url,
        sampling=sampling,
        images=pictures,
        max_connections=config.max_connections,
        cache=config.cache,
    )

    def told(drafted: Drafted) -> None:
        nonlocal done
        done += 1
        counts = drafted.entry.steps
        note(
            f"{done}/{len(demos.tasks)} {drafted.entry.task_id}: {counts['drafted']} of {counts['kept']} steps, "
            f"{len(drafted.rejections)} rejections"
        )

    try:
        await model.probe()
        return await draft_all(
            demos.tasks,
            demos.steps,
            model,
            workers=config.max_connections,
            picture=dataset.image if pictures else None,
            sampling=sampling,
            # The sentences of embedded tasks are references; those of an import are themselves no more than drafts.
            keep=dataset.manifest.source.startswith("embedded"),
            told=told,
        )
    finally:
        await model.close()


def _write(wanted: Wanted, dataset: Dataset, drafted: Sequence[Drafted]) -> None:
    source = dataset.manifest
    kept = {one.entry.task_id for one in drafted}
    demos = [task for task in dataset.tasks() if task.id in kept]
    steps = [step for one in drafted for step in one.steps]
    ledger = ledger_of(drafted)
    written = write_dataset(
        wanted.out,
        source.model_copy(
            update={
                "name": wanted.name or f"{source.name}-drafted",
                "source": f"{source.source}+draft",
                "versions": {**source.versions, "drafted_by": wanted.config.model},
                "files": (),
                "counts": {},
            }
        ),
        demos,
        steps,
        ledger,
        picture=dataset.image if source.counts.get("images") else None,
        card=lambda manifest, verbs: card(manifest, verbs, demos, ledger),
    )
    note(f"Signature: {written.manifest.signature}")


def _tell(wanted: Wanted, drafted: Sequence[Drafted]) -> None:
    ledger = ledger_of(drafted)
    counts = ledger.step_totals()
    if wanted.json:
        said = {
            "tasks": len(drafted),
            "steps": counts.get("kept", 0),
            "drafted": counts.get("drafted", 0),
            "rejections": [
                {"task_id": one.entry.task_id, **each.model_dump()} for one in drafted for each in one.rejections
            ],
        }
        say(encoder.dumps(said, ensure_ascii=False))
        return
    say(f"{wanted.out}: {counts.get('drafted', 0)} of {counts.get('kept', 0)} steps of {len(drafted)} tasks drafted")
    for what, count in counts.items():
        if what.startswith("rejected:"):
            say(f"  {what.replace(':', ', ')}: {count}")
