"""`guideact studio`: review guide sentences, look at runs, and audit verdicts in a local web application."""

from __future__ import annotations

import asyncio
import getpass
import json as jsons
import os
import sys
from pathlib import Path
from typing import Literal

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import say
from guideact.errors import InputError
from guideact.types import Split

app = App(name="studio", help=VERBS["studio"], help_format="plaintext")
PASSWORD = "GUIDEACT_STUDIO_PASSWORD"


@app.command
def add(folder: Path, source: Path, *, split: Split | None = None, limit: int | None = None) -> None:
    """Put the steps of a dataset or a guide up for review; begins the studio if there is none in FOLDER.

    Parameters
    ----------
    folder
        The studio's own folder.
    source
        The folder of a dataset (`guideact data build`) or of a guide (`guideact guide make`).
    split
        Of a dataset: train or test alone.
    limit
        Of a dataset: at most that many tasks.
    """
    from guideact.studio.items import read_source
    from guideact.studio.store import Store

    found, items, picture = read_source(source, split, limit)
    store = Store.open(folder, make=True)
    try:
        added = store.add_source(found, items, picture)
    finally:
        store.close()
    say(f"{added} of {len(items)} steps were added to {folder}; the others were there already.")


@app.command
def user(
    folder: Path, name: str, *, role: Literal["annotator", "lead"] = "annotator", language: Literal["en", "zh"] = "en"
) -> None:
    """Make an account, or give it another password.

    The password is asked for, or read from GUIDEACT_STUDIO_PASSWORD. A lead assigns tasks, settles what people differ
    about, and sees progress and agreement.
    """
    from guideact.studio.accounts import add_person
    from guideact.studio.store import Store

    store = Store.open(folder)
    try:
        add_person(store, name, _password(name), role, language)
    finally:
        store.close()
    say(f"{name} can sign in as {role}.")


@app.command
def serve(
    folder: Path, *, runs: Path | None = None, port: int = 8600, annotators: int = 2, overlap: float = 0.2
) -> None:
    """Serve the studio on 127.0.0.1 until Ctrl-C.

    Parameters
    ----------
    folder
        The studio's folder.
    runs
        A run folder, or a folder of them: for the leaderboard, comparisons and the blind audit.
    port
        Where to listen; 0 takes any free port.
    annotators
        How many people review a task of the overlap.
    overlap
        Share of the tasks, 0 to 1, that so many people review; the others are reviewed by one.
    """
    if annotators < 1:
        raise InputError(f"--annotators is {annotators}", fix="Give 1 or more.")
    if not 0 <= overlap <= 1:
        raise InputError(f"--overlap is {overlap:g}", fix="Give a share from 0 to 1.")
    if runs is not None and not runs.is_dir():
        raise InputError(f"--runs {runs} is no folder", fix="Give the folder that holds the runs.")
    asyncio.run(_serve(folder, runs, port, annotators, overlap))


@app.command
def progress(folder: Path, *, json: bool = False) -> None:
    """How far the reviews have come, and how far people agree (Krippendorff's alpha, with its interval)."""
    from guideact.studio.store import Store
    from guideact.studio.work import agreement, outcomes, to_settle

    store = Store.open(folder)
    try:
        found = outcomes(store)
    finally:
        store.close()
    agreed = agreement(found)
    data = {
        "steps": len(found),
        "reviewed": sum(bool(each.reviews) for each in found),
        "by_two_or_more": sum(len(each.reviews) > 1 for each in found),
        "to_settle": len(to_settle(found)),
        "alpha_decision": agreed.decision.model_dump(),
        "alpha_flag": agreed.flag.model_dump(),
        "same_sentence": agreed.sentence,
    }
    if json:
        sys.stdout.write(jsons.dumps(data) + "\n")
        return
    say(f"{data['reviewed']} of {data['steps']} steps reviewed, {data['by_two_or_more']} by two people or more.")
    say(f"{data['to_settle']} wait for a lead.")
    for name, estimate in (("accept, edit or reject", agreed.decision), ("whether the action is right", agreed.flag)):
        ends = "" if estimate.low is None else f" [{estimate.low:.3f}, {estimate.high:.3f}]"
        said = (
            "not defined: all labels are alike, or no step has two"
            if estimate.value is None
            else (f"{estimate.value:.3f}{ends} over {estimate.n} steps in {estimate.clusters} tasks")
        )
        say(f"Krippendorff's alpha, {name}: {said}.")


@app.command
def export(folder: Path, out: Path) -> None:
    """Write what was reviewed in the form it came in, into OUT/NAME, with every label's history in labels.jsonl."""
    from guideact.studio.export import export as write
    from guideact.studio.store import Store

    store = Store.open(folder)
    try:
        counts = write(store, out)
    finally:
        store.close()
    say(", ".join(f"{number} {kind}" for kind, number in counts.items()) + f": {out}")


def _password(name: str) -> str:
    given = os.environ.get(PASSWORD)
    if given is not None:
        return given
    if not sys.stdin.isatty():
        raise InputError("no password was given", fix=f"Set {PASSWORD}, or run it in a terminal.")
    first = getpass.getpass(f"Password for {name}: ")
    if getpass.getpass("Once more: ") != first:
        raise InputError("the two passwords differ", fix="Try again.")
    return first


async def _serve(folder: Path, runs: Path | None, port: int, annotators: int, overlap: float) -> None:
    from guideact.sites.listen import answering, bind
    from guideact.studio.app import make_app
    from guideact.studio.runs import Runs
    from guideact.studio.store import Store
    from guideact.studio.work import Plan

    store = Store.open(folder)
    try:
        if not store.people():
            raise InputError("nobody can sign in yet", fix=f"guideact studio user {folder} NAME --role lead")
        application = make_app(store, Plan(annotators, overlap), Runs(runs))
        listener = bind(port)
        async with answering(application, listener):
            say(f"The studio: http://127.0.0.1:{listener.getsockname()[1]}  Ctrl-C ends.")
            await asyncio.Event().wait()
    finally:
        store.close()
