"""`guideact offline`: studies over frozen demonstrations, without any site."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, say, show
from guideact.errors import InputError
from guideact.types import Effort, Grounding, Split

app = App(name="offline", help=VERBS["offline"], help_format="plaintext")


@app.command
def predict(
    dataset: Path,
    /,
    *,
    out: Path,
    model: str,
    split: Split = "test",
    grounding: Grounding = "som",
    arm: str = "action-guide",
    history: str = "gold",
    force: str | None = None,
    paraphrases: Path | None = None,
    tasks: Path | None = None,
    limit: int | None = None,
    shard: str = "1/1",
    screenshots: Annotated[bool, Parameter(negative="--no-screenshots")] = True,
    model_base_url: str | None = None,
    temperature: float | None = None,
    max_tokens: int = 4096,
    seed: int = 0,
    reasoning_effort: Effort | None = None,
    max_connections: int = 10,
    prices: Path | None = None,
    cache: Path | None = None,
) -> None:
    """Put each step of a split to a model, as the demonstration saw it, and keep what it says.

    Answers are appended as they come. A run that was stopped goes on with the same command.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    out
        The file of predictions; one that is there already is gone on with.
    model
        Who answers: as for `guideact run`. scripted/gold repeats the demonstration.
    split
        train or test.
    grounding
        How actions name their target: by mark (som) or by pixel (coord).
    arm
        What is asked for, in the order of decoding: action, guide, guide-action or action-guide.
    history
        What is told of earlier steps: gold guides, the model's own, gold actions, corrupted gold guides, or none.
    force
        Make every answer begin with a guide of this kind (arm guide-action): gold, paraphrase, rename, target, verb,
        shuffled, other-step, other-task, neutral or none.
    paraphrases
        A file of audited paraphrases for --force rename.
    tasks
        A file of task ids, one a line: only these.
    limit
        Only so many tasks, taken in turn over templates.
    shard
        Which part of the tasks, such as 2/4: four processes with a file each share the work.
    screenshots
        Show the model the screenshots that the dataset has.
    model_base_url
        Address of the endpoint.
    temperature
        Sampling temperature. Default: the endpoint's own.
    max_tokens
        Output tokens of one step.
    seed
        Of sampling.
    reasoning_effort
        How much a reasoning model reasons.
    max_connections
        Tasks, hence requests, under way at a time.
    prices
        A TOML file of prices.
    cache
        A file that answers are kept in.
    """
    from guideact.cli.run import until_stopped
    from guideact.config import RunConfig
    from guideact.data import open_dataset
    from guideact.offline.predict import PredictConfig, plan
    from guideact.offline.predict import predict as ask

    config = _checked(
        PredictConfig,
        split=split,
        grounding=grounding,
        arm=arm,
        history=history,
        force=force,
        paraphrases=paraphrases,
        tasks=tasks,
        limit=limit,
        shard=shard,
        screenshots=screenshots,
    )
    run = _checked(
        RunConfig,
        model=model,
        model_base_url=model_base_url,
        temperature=temperature,
        max_tokens=max_tokens,
        seed=seed,
        reasoning_effort=reasoning_effort,
        max_connections=max_connections,
        prices=prices,
        cache=cache,
        grounding=grounding,
        screenshots=screenshots,
    )
    job = plan(open_dataset(dataset), config, run)
    until_stopped(ask(job, run, out, note))
    say(f"{out}: {job.steps} steps of {len(job.demos)} tasks, shard {shard}")


@app.command
def score(dataset: Path, /, *predictions: Path, json: bool = False, tasks: bool = False) -> None:
    """Score predictions: a pure function of the dataset and of them, the same bytes every time.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    predictions
        A file of predictions, or all the shards of one run.
    json
        Print one JSON object with everything there is.
    tasks
        Print the scores of each task too.
    """
    from guideact.data import open_dataset
    from guideact.offline.predictions import read_predictions
    from guideact.offline.score import score as score_predictions
    from guideact.offline.tables import score_table, task_table

    scored = score_predictions(open_dataset(dataset), read_predictions(_some(predictions)))
    if json:
        say(scored.model_dump_json())
        return
    show(score_table(scored))
    if tasks:
        show(task_table(scored))


@app.command
def compare(dataset: Path, /, *predictions: Path, against: int = 1, json: bool = False) -> None:
    """Table any number of predictions side by side, each against one of them, step by step.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    predictions
        Files of predictions; shards of one run are put together.
    against
        Which of them the others are held against, counted from 1.
    json
        Print one JSON object with everything there is.
    """
    from guideact.data import open_dataset
    from guideact.offline.compare import compare_runs
    from guideact.offline.predictions import group_runs
    from guideact.offline.tables import comparison_table

    runs = group_runs(_some(predictions))
    if not 1 <= against <= len(runs):
        raise InputError(f"--against {against} is none of the {len(runs)} runs", fix="Count from 1.")
    found = compare_runs(open_dataset(dataset), runs, against - 1)
    if json:
        say(found.model_dump_json())
    else:
        show(comparison_table(found))


def _some(paths: tuple[Path, ...]) -> tuple[Path, ...]:
    if not paths:
        raise InputError("no file of predictions is named", fix="Name what `guideact offline predict` has written.")
    return paths


def _checked(kind: type[Any], **fields: Any) -> Any:
    """A frozen record of settings. Raises InputError for the first that is none of its kind."""
    from pydantic import ValidationError

    try:
        return kind(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]).replace("_", "-")
        raise InputError(f"--{name} {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}") from None
