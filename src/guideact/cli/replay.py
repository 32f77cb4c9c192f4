"""`guideact gold replay`, from its settings to what is printed."""

from __future__ import annotations

import asyncio
import json as encoder
import shutil
import tempfile
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from guideact.cli.show import note, say
from guideact.config import RunConfig
from guideact.data import Dataset, open_dataset, write_dataset
from guideact.data.card import card
from guideact.errors import InputError
from guideact.gold.replay import Replayed, ledger_of, manifest_of
from guideact.gold.replays import Demonstrations, demonstrations_of, replay_embedded, replay_webarena
from guideact.harness.evaluate import judge_for
from guideact.harness.pool import browser_version
from guideact.outputs import refuse_taken
from guideact.sites.skins import Skin, parse_skin
from guideact.tasks.webarena.setup import Setup, read_setup
from guideact.tasks.webarena.tasks import PREFIX, WebArenaTask, load_webarena


@dataclass(frozen=True)
class Wanted:
    """The settings; see `guideact.cli.gold.replay`."""

    dataset: Path
    out: Path
    patterns: Sequence[str]
    tasks: Path | None
    webarena: Path | None
    address: tuple[str, ...]
    judge: str | None
    judge_base_url: str | None
    strict: bool
    skin: str | None
    name: str
    workers: int
    screenshots: bool
    json: bool


def replay_all(wanted: Wanted) -> None:
    """Perform, write, and tell. Raises InputError for what the user has to mend, before anything is performed."""
    if wanted.workers < 1:
        raise InputError(f"--max-samples {wanted.workers} is no number of tasks", fix="Give 1 or more.")
    dataset = open_dataset(wanted.dataset)
    refuse_taken(wanted.out)
    real = not dataset.manifest.source.startswith("embedded")
    if real and (wanted.tasks is None or not str(wanted.tasks).startswith(PREFIX)):
        raise InputError(
            f"{wanted.dataset} holds demonstrations on WebArena's sites, and their checks are not in it",
            fix="Name the task file with --tasks webarena:test.raw.json.",
        )
    if not real and wanted.tasks is not None:
        raise InputError("--tasks is for demonstrations on WebArena's sites", fix="Leave it out.")
    if real and wanted.skin is not None:
        raise InputError("--skin dresses the embedded sites alone", fix="Leave it out.")
    look = wanted.skin or dataset.manifest.skin
    skin = parse_skin(look) if look and look != "none" else None
    demos = demonstrations_of(dataset, wanted.patterns)
    there = _webarena(wanted, demos) if real else None
    try:
        wanted.out.absolute().parent.mkdir(parents=True, exist_ok=True)
        # A name that nobody has: what lies beside the folder is somebody's, an unfinished build say.
        beside = f"{wanted.out.absolute().name}.replay-"
        scratch = Path(tempfile.mkdtemp(prefix=beside, dir=wanted.out.absolute().parent))
    except OSError as error:
        raise InputError(f"{wanted.out} cannot be written: {error.strerror}", fix="Give another folder.") from error
    try:
        replayed = asyncio.run(_perform(wanted, demos, skin, there, scratch))
        _write(wanted, dataset, replayed, skin, scratch)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    _tell(wanted, replayed)


def _webarena(wanted: Wanted, demos: Demonstrations) -> tuple[Sequence[WebArenaTask], Setup]:
    """The tasks of the file that the demonstrations are of, and where WebArena's sites are."""
    tasks = load_webarena(Path(str(wanted.tasks).removeprefix(PREFIX)))
    return [task for task in tasks if task.id in demos.tasks], read_setup(wanted.webarena, wanted.address)


async def _perform(
    wanted: Wanted,
    demos: Demonstrations,
    skin: Skin | None,
    there: tuple[Sequence[WebArenaTask], Setup] | None,
    scratch: Path,
) -> list[Replayed]:
    pictures = scratch if wanted.screenshots else None
    done = 0

    def told(replayed: Replayed) -> None:
        nonlocal done
        done += 1
        entry = replayed.entry
        drifts = f", {len(replayed.drifts)} drifts" if replayed.drifts else ""
        note(f"{done}/{len(demos.tasks)} {entry.task_id}: {entry.reason or f'{len(replayed.steps)} steps'}{drifts}")

    if there is None:
        return await replay_embedded(demos, workers=wanted.workers, pictures=pictures, skin=skin, told=told)
    asked, setup = there
    config = RunConfig(judge=wanted.judge, judge_base_url=wanted.judge_base_url)
    judge = judge_for(config, asked, scratch) if wanted.judge is not None else None
    try:
        if judge is not None:
            await judge.probe()
        return await replay_webarena(
            demos,
            asked,
            setup,
            workers=wanted.workers,
            pictures=pictures,
            judge=judge,
            strict=wanted.strict,
            told=told,
        )
    finally:
        if judge is not None:
            await judge.close()


def _write(wanted: Wanted, dataset: Dataset, replayed: Sequence[Replayed], skin: Skin | None, scratch: Path) -> None:
    source = dataset.manifest
    demos = [one.task for one in replayed if one.task is not None]
    steps = [step for one in replayed for step in one.steps]
    ledger = ledger_of(replayed)
    browser = asyncio.run(browser_version())
    written = write_dataset(
        wanted.out,
        manifest_of(wanted.name or f"{source.name}-replayed", source, browser, skin.name if skin else ""),
        demos,
        steps,
        ledger,
        picture=(lambda name: (scratch / f"{name}.png").read_bytes()) if wanted.screenshots else None,
        card=lambda manifest, verbs: card(manifest, verbs, demos, ledger),
    )
    note(f"Signature: {written.manifest.signature}")


def _tell(wanted: Wanted, replayed: Sequence[Replayed]) -> None:
    lost = [one.entry for one in replayed if one.entry.reason]
    drifts = [drift for one in replayed for drift in one.drifts]
    unmapped = [each for one in replayed for each in one.unmapped]
    steps = sum(len(one.steps) for one in replayed)
    if wanted.json:
        said = {
            "tasks": len(replayed),
            "passed": len(replayed) - len(lost),
            "steps": steps,
            "drifts": [drift.model_dump() for drift in drifts],
            "unmapped": [each.model_dump(exclude={"kind"}) for each in unmapped],
            "lost": [entry.model_dump() for entry in lost],
        }
        say(encoder.dumps(said, ensure_ascii=False))
        return
    say(f"{wanted.out}: {len(replayed) - len(lost)} of {len(replayed)} demonstrations pass, {steps} steps")
    for kind, count in Counter(drift.kind for drift in drifts).items():
        say(f"  drift {kind}: {count}")
    for reason, count in Counter(each.detail for each in unmapped).items():
        say(f"  unmapped, {reason}: {count}")
    for entry in lost:
        say(f"  lost {entry.task_id}: {entry.reason} {entry.detail}".rstrip())
