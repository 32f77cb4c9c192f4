"""`guideact study`: people follow guides, from the plan to the table."""

from __future__ import annotations

import asyncio
import json as jsons
from collections import Counter
from pathlib import Path

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import note, say

app = App(name="study", help=VERBS["study"], help_format="plaintext")


@app.command
def build(
    study: Path,
    /,
    *,
    contact: str,
    tasks: tuple[str, ...] = (),
    limit: int = 8,
    guides: str = "gold",
    conditions: tuple[str, ...] = ("as_is", "drop"),
    participants: int = 16,
    each: int | None = None,
    goals: bool = False,
    minutes: float = 8,
    seed: int = 0,
) -> None:
    """Plan a study: frozen guides, a balanced assignment, protocol, consent, questions, and a code for each person.

    Read protocol.md, consent.en.md, consent.zh.md and questions.json, edit them where you like, and serve the folder.

    Parameters
    ----------
    study
        The folder to write.
    contact
        Whom participants can ask, with an address: it stands in the consent text.
    tasks
        Embedded tasks: ids, templates or patterns (shopping.*). Default: the test tasks in turn. Those that ask for an
        answer cannot be used: a guide leads to where it is, and does not give it.
    limit
        The most tasks to take.
    guides
        gold, or the folder of a run, a dataset, or guides, as for `guideact run --guides`. Guides have pictures.
    conditions
        Treatments of the guides (as_is, complete, other, drop, rename, second, plain) and none, the first of which the
        others are compared with.
    participants
        How many codes there are: a multiple of the number of conditions.
    each
        How many tasks a participant does. Default: all.
    goals
        Tell participants, under every condition, what the task wants.
    minutes
        The time limit of a task.
    seed
        Of the assignment.
    """
    from guideact.study.build import build as write

    built = write(
        study,
        patterns=tasks,
        limit=limit,
        guides=guides,
        conditions=conditions,
        participants=participants,
        each=each,
        goals=goals,
        minutes=minutes,
        seed=seed,
        contact=contact,
    )
    settings = built.settings
    say(
        f"{study}: {len(settings.tasks)} tasks under {len(conditions)} conditions for {participants} participants, "
        f"{len(settings.assignment[0])} tasks each"
    )
    for why, count in built.left_out.items():
        note(f"Left out: {count} {'task' if count == 1 else 'tasks'} {why}.")
    say(f"{study / 'codes.csv'} holds the codes. Read {study / 'protocol.md'} and the consent texts before you begin.")


@app.command
def serve(study: Path, /, *, port: int = 8700) -> None:
    """Serve a study on this machine until Ctrl-C. Killed and started again, everybody goes on where they were.

    Parameters
    ----------
    study
        The folder of the study.
    port
        Where to listen on 127.0.0.1; 0 takes any free port.
    """
    asyncio.run(_serve(study, port))


@app.command
def progress(study: Path, /, *, json: bool = False) -> None:
    """How far the participants have come, and how many trials have ended under each condition.

    Parameters
    ----------
    study
        The folder of the study.
    json
        Print one JSON object.
    """
    from guideact.study.export import people
    from guideact.study.folder import read_study
    from guideact.study.store import Store

    read = read_study(study)
    store = Store.open(study)
    try:
        found = people(read, store)
    finally:
        store.close()
    states = {"withdrawn": "withdrawn", "thanks": "finished", "consent": "not begun"}
    counts = Counter(states.get(each.place, "under way") for each in found)
    ended = Counter(tried.trial.condition for each in found for tried in each.trials if tried.ended is not None)
    planned = Counter(trial.condition for trials in read.settings.assignment for trial in trials)
    if json:
        by_condition = {name: {"ended": ended[name], "planned": planned[name]} for name in read.settings.conditions}
        say(jsons.dumps({"participants": dict(counts), "conditions": by_condition}))
        return
    say(", ".join(f"{count} {state}" for state, count in counts.items()) + f", of {len(found)} participants")
    for name in read.settings.conditions:
        say(f"{name:9} {ended[name]:4} of {planned[name]} trials")


@app.command
def export(study: Path, out: Path, /) -> None:
    """Write what happened: OUT/trials.csv (a row a trial), trials.jsonl (with pages and checks), participants.csv.

    Parameters
    ----------
    study
        The folder of the study.
    out
        The folder to write.
    """
    from guideact.study.export import export as write
    from guideact.study.folder import read_study
    from guideact.study.store import Store

    read = read_study(study)
    store = Store.open(study)
    try:
        counts = write(read, store, out)
    finally:
        store.close()
    say(", ".join(f"{count} {what}" for what, count in counts.items()) + f": {out}")


async def _serve(folder: Path, port: int) -> None:
    from guideact.sites.listen import answering, bind
    from guideact.sites.server import SiteServer
    from guideact.study.app import make_app
    from guideact.study.desk import Desk
    from guideact.study.folder import read_study
    from guideact.study.store import Store

    study = read_study(folder)
    listener = bind(port)
    store = Store.open(folder, make=True)
    server = SiteServer(listener.getsockname()[1])
    try:
        async with answering(make_app(Desk(study, store, server)), listener):
            say(f"The study: http://127.0.0.1:{server.port}  Ctrl-C ends.")
            await asyncio.Event().wait()
    finally:
        server.close()
        store.close()
