"""`guideact judge`: a model as a judge, and how far it is to be believed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import note, say, show
from guideact.errors import InputError

if TYPE_CHECKING:
    from guideact.harness.agreement import AnswerLabel, GuideLabel, Report

app = App(name="judge", help=VERBS["judge"], help_format="plaintext")


@app.command
def agreement(
    labels: Path,
    /,
    *,
    judge: str,
    judge_base_url: str | None = None,
    seed: int = 0,
    kept: Path | None = None,
    json: bool = False,
) -> None:
    """Ask a judge about cases that somebody has labelled, and count how often it says the same.

    Verdicts are kept: the same command asks nothing twice.

    Parameters
    ----------
    labels
        A file of one JSON object a line, guides or answers with their labels. docs/guide.md says what is in it.
    judge
        Who judges: openai/NAME, anthropic/NAME or google/NAME.
    judge_base_url
        Address of the judge's endpoint, as for a model.
    seed
        Sent to the judge where it takes one.
    kept
        The folder of verdicts. Default: beside the labels, with .verdicts at the end.
    json
        Print one JSON object.
    """
    import asyncio

    from guideact.harness.agreement import agreement_table, read_labels
    from guideact.models.make import is_named, named_clients

    cases = read_labels(labels)
    if not is_named(judge):
        raise InputError(f"there is no judge {judge!r}", fix=f"Use --judge with {named_clients()}.")
    folder = kept if kept is not None else labels.with_name(labels.name + ".verdicts")
    report = asyncio.run(_ask(judge, judge_base_url, seed, folder, cases))
    if json:
        say(report.model_dump_json())
        return
    show(agreement_table(report))
    for name, question, reason in report.disagreements:
        note(f"{name}: {question}: {reason}")


async def _ask(
    judge: str, base_url: str | None, seed: int, folder: Path, cases: Sequence[GuideLabel | AnswerLabel]
) -> Report:
    from guideact.harness.agreement import Judges, agreement
    from guideact.models.base import Sampling
    from guideact.models.make import api_model

    # Room for models that reason whether told to or not; some of them take no temperature, and nobody asked for one.
    sampling = Sampling(temperature=0, seed=seed, max_tokens=4096)
    model = api_model(judge, base_url=base_url, sampling=sampling, images=False, lenient=True)
    judges = Judges(model, folder)
    try:
        _make(folder)
        await judges.probe()
        return await agreement(judges, cases)
    finally:
        await judges.close()


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"{folder} cannot be written: {error.strerror}", fix="Give another --kept.") from error
