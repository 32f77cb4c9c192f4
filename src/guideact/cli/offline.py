"""`guideact offline`: studies over frozen demonstrations, without any site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, resumable, say, show
from guideact.errors import InputError
from guideact.outputs import refuse_unwritable_file
from guideact.types import Effort, Grounding, Split

if TYPE_CHECKING:
    from guideact.data import Dataset
    from guideact.offline.mediation import Mediation

app = App(name="offline", help=VERBS["offline"], help_format="plaintext")


@app.command
def predict(
    dataset: Path,
    /,
    *,
    out: Path | None = None,
    model: str | None = None,
    jobs: Path | None = None,
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
    jobs
        In place of --out and --model, a file with an object of JSON a line: out, model, and what differs of arm,
        history and force. Built-in agents are asked together, and read each step once.
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
    from guideact.offline.predict import Line, PredictConfig, plan_all, predict_all, read_jobs
    from guideact.offline.predict import predict as ask

    if jobs is not None:
        if out is not None or model is not None:
            raise InputError("--jobs names files and models itself", fix="Leave out --out and --model.")
        lines = read_jobs(jobs)
    elif out is None or model is None:
        missing = "--out" if out is None else "--model"
        raise InputError(f"{missing} is missing", fix="Give --out and --model, or --jobs.")
    else:
        lines = [Line(out=out, model=model)]
    wanted = [
        (
            _checked(
                PredictConfig,
                split=split,
                grounding=grounding,
                arm=line.arm or arm,
                history=line.history or history,
                force=line.force or force,
                paraphrases=paraphrases,
                tasks=tasks,
                limit=limit,
                shard=shard,
                screenshots=screenshots,
            ),
            _checked(
                RunConfig,
                model=line.model,
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
            ),
            line.out,
        )
        for line in lines
    ]
    planned = plan_all(open_dataset(dataset), wanted)
    with resumable(out or jobs):
        until_stopped(ask(planned[0], note) if jobs is None else predict_all(planned, note))
    for job in planned:
        say(f"{job.out}: {job.steps} steps of {len(job.demos)} tasks, shard {shard}")


@app.command
def score(
    dataset: Path, /, *predictions: Path, json: bool = False, tasks: bool = False, rows: Path | None = None
) -> None:
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
    rows
        A file for the scores of each step, one line of JSON each.
    """
    from guideact.data import open_dataset
    from guideact.offline.predictions import read_predictions
    from guideact.offline.score import score as score_predictions
    from guideact.offline.score import step_rows
    from guideact.offline.tables import score_table, task_table

    found = open_dataset(dataset)
    _refuse_output(rows, "--rows", found, predictions)
    said = read_predictions(_some(predictions))
    scored = score_predictions(found, said)
    if rows is not None:
        _write(rows, "".join(f"{row.model_dump_json()}\n" for row in step_rows(found, said)), "--rows")
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


@app.command
def mre(
    dataset: Path,
    /,
    *,
    joint: tuple[Path, ...],
    action: tuple[Path, ...],
    guide: tuple[Path, ...],
    json: bool = False,
) -> None:
    """Say whether acting and guiding make each other better: the joint arm less the single ones, on both sides.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    joint
        Predictions of a joint arm, a file a seed.
    action
        Predictions of the arm that only acts, a file a seed, in the same order of seeds.
    guide
        Predictions of the arm that only guides.
    json
        Print one JSON object with everything there is.
    """
    from guideact.data import open_dataset
    from guideact.offline.mre import mre as effect
    from guideact.offline.predictions import group_runs
    from guideact.offline.tables import mre_table

    found = effect(open_dataset(dataset), group_runs(joint), group_runs(action), group_runs(guide))
    if json:
        say(found.model_dump_json())
    else:
        show(mre_table(found))


@app.command
def mediate(dataset: Path, /, *predictions: Path, plot: Path | None = None, json: bool = False) -> None:
    """Say how much of an action goes through the guide, from runs that differ in the guide that was forced.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    predictions
        Predictions with --force, one kind each, and those without, which are the model's own guides.
    plot
        An SVG file to draw accuracy beside the baseline in.
    json
        Print one JSON object with everything, every flip included.
    """
    from guideact.data import open_dataset
    from guideact.offline.mediation import mediation
    from guideact.offline.predictions import group_runs
    from guideact.offline.tables import mediation_table

    demos = open_dataset(dataset)
    _refuse_output(plot, "--plot", demos, predictions)
    found = mediation(demos, group_runs(_some(predictions)))
    if plot is not None:
        _draw(plot, found)
    if json:
        say(found.model_dump_json())
    else:
        show(mediation_table(found))


def _draw(path: Path, found: Mediation) -> None:
    from guideact.report.charts import rates
    from guideact.report.drawing import drawing

    groups = [(row.kind, row.element.n, row.element, row.baseline) for row in found.rows]
    chart = rates("Elements right, by the guide that was forced", "Guide", groups, ("model", "word overlap"), "steps")
    _write(path, drawing(chart), "--plot")
    note(f"Plot: {path}")


@app.command
def reward(
    dataset: Path, /, *predictions: Path, scorer: str = "builtin/small", out: Path | None = None, json: bool = False
) -> None:
    """Score the guides of predictions by how much likelier they make the right action, beyond naming its target.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    predictions
        A file of predictions, or all the shards of one run.
    scorer
        The frozen model that is asked: builtin/small, builtin/large, or builtin/FILE.npz.
    out
        A file for one line of JSON a step.
    json
        Print one JSON object with the means.
    """
    from guideact.data import open_dataset
    from guideact.offline.predictions import read_predictions
    from guideact.offline.reward import scorer_named
    from guideact.offline.rewards import reward_report
    from guideact.offline.tables import reward_table

    demos = open_dataset(dataset)
    _refuse_output(out, "--out", demos, predictions)
    found = reward_report(demos, read_predictions(_some(predictions)), scorer_named(scorer))
    if out is not None:
        _write(out, "".join(f"{row.model_dump_json()}\n" for row in found.rows), "--out")
    if json:
        say(found.model_dump_json(exclude={"rows"}))
    else:
        show(reward_table(found))


@app.command
def leaks(dataset: Path, /, *, split: Split = "test", json: bool = False) -> int:
    """Check that no gold text reaches a question that should not hold it, in every arm and history.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    split
        train or test.
    json
        Print one JSON object a leak.
    """
    from typing import get_args

    from guideact.data import open_dataset
    from guideact.offline.gold import demos_of
    from guideact.offline.leakage import leaks as find
    from guideact.offline.predictions import Arm, History
    from guideact.offline.questions import Way

    held = open_dataset(dataset)
    demos = demos_of(held, split)
    grounding: Grounding = "coord" if held.manifest.grounding == "coord" else "som"
    ways = [Way(arm, grounding, history) for arm in get_args(Arm) for history in get_args(History)]
    found = {leak: None for way in ways for leak in find(demos, way)}
    for leak in found:
        say(leak.model_dump_json() if json else f"{leak.task_id}, step {leak.index}: {leak.kind}: {leak.detail}")
    if not json:
        say(f"{sum(len(demo.steps) for demo in demos)} steps, {len(ways)} ways to ask: {len(found)} leaks")
    return 1 if found else 0


@app.command
def study(dataset: Path, folder: Path, /, *, of: Literal["arms", "mediation"], out: Path | None = None) -> None:
    """Write the tables of a WebMRE study from the folder that its script fills; it may still be going on.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    folder
        What runs/webmre_arms.sh or runs/webmre_mediation.sh writes.
    of
        arms, or mediation.
    out
        A file of Markdown; of a mediation, a plot for each model is drawn beside it. Default: print it.
    """
    from guideact.data import open_dataset
    from guideact.offline.study import arms_report, mediation_report, mediations

    demos = open_dataset(dataset)
    _refuse_output(out, "--out", demos, ())
    found = mediations(demos, folder) if of == "mediation" else {}
    text = mediation_report(demos, found) if of == "mediation" else arms_report(demos, folder)
    if out is None:
        say(text)
        return
    _write(out, text, "--out")
    for model, mediated in found.items():
        _draw(out.with_name(f"{out.stem}_{model}.svg"), mediated)
    note(f"Tables: {out}")


def _refuse_output(path: Path | None, flag: str, dataset: Dataset, predictions: tuple[Path, ...]) -> None:
    """Before any work is done, and before a slip of the hand writes over what cannot be made again."""
    from guideact.offline.settled import files_of

    if path is not None:
        refuse_unwritable_file(path, flag, [*predictions, *files_of(dataset)])


def _write(path: Path, text: str, flag: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}", fix=f"Give another {flag}.") from error


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
