"""`guideact train`: weights from demonstrations, from experts, and from rewards."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import App, Parameter

from guideact.cli import VERBS
from guideact.cli.show import note, resumable, say
from guideact.config import RunConfig
from guideact.train.hf_settings import UpdateSettings
from guideact.train.objective import Guides, TrainArm
from guideact.train.settings import GrpoSettings, OfflineSettings
from guideact.types import Grounding

if TYPE_CHECKING:
    from guideact.train.experts import Passes

app = App(name="train", help=VERBS["train"], help_format="plaintext")


def _refuse_below(least: int, **flags: int | None) -> None:
    """Raise InputError for the first flag whose number is too small."""
    from guideact.errors import InputError

    for name, value in flags.items():
        if value is not None and value < least:
            raise InputError(f"--{name.replace('_', '-')} {value} is too small", fix=f"Give {least} or more.")


@app.command
def sft(
    dataset: Path,
    /,
    *,
    model: str = "builtin/small",
    arm: TrainArm | None = None,
    grounding: Grounding = "som",
    seed: int = 0,
    epochs: int | None = None,
    hold_out: Annotated[bool, Parameter(negative="--no-hold-out")] = True,
    limit: int | None = None,
    guides: Guides = "gold",
    without: str = "",
    recall: bool = False,
    rate: float = 1e-4,
    batch: int = 1,
    accumulate: int = 16,
    lora_rank: int = 16,
    screenshots: Annotated[bool, Parameter(negative="--no-screenshots")] = True,
    out: Path | None = None,
) -> None:
    """Train an agent on the demonstrations of a dataset's train split: the built-in one, or a real model.

    For the built-in agent some templates are held out first, to find after how many epochs to stop; then it is trained
    on the whole split. The same dataset, model, arm and seed give the same weights on the same machine. A real model
    gets an adapter (LoRA), or is trained as a whole, with TRL; under torchrun on several GPUs.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    model
        builtin/small (half a million parameters) or builtin/large (four times as many), which begin anew; or
        hf/FOLDER, which goes on from what it is.
    arm
        What it is to answer: action, guide, guide-action, action-guide, or any of these (any). Default: any for the
        built-in agent, action-guide for a real model, which is trained in one at a time.
    grounding
        How it names its target: som or coord. The built-in agent has not learned to name pixels.
    seed
        Of the first weights, the order of steps and the noise.
    epochs
        Built-in agent: the most epochs (12), exactly so many with --no-hold-out. Real models: so many (1).
    hold_out
        Find the number of epochs on templates that are held out; for the built-in agent.
    limit
        Only so many train tasks, taken in turn over templates.
    guides
        Replace the guides of the steps, for the built-in agent: shuffled (those of another step) or neutral (one that
        says nothing); both are controls.
    without
        A site; tasks that need it are left out. For the built-in agent.
    recall
        Keep the demonstrations as plans, which the built-in agent recalls where a request is worded alike.
    rate
        Learning rate at its height; for real models, as all that follows.
    batch
        Steps of a forward pass, on each GPU.
    accumulate
        Forward passes of a step of the optimiser.
    lora_rank
        Of the adapter; 0 trains all weights.
    screenshots
        Show the model the pictures of the dataset.
    out
        What to write. Default: the file small.npz or large.npz, run as builtin/FILE.npz; of a real model the folder
        sft, run as hf/FOLDER.
    """
    _refuse_below(1, limit=limit)
    _refuse_below(0, seed=seed)
    if model.startswith("hf/"):
        from guideact.cli.train_hf import sft_of
        from guideact.errors import InputError

        if guides != "gold":
            raise InputError(f"{model} is trained on gold guides alone", fix="Leave out --guides.")
        if without:
            raise InputError(f"{model} is trained on all sites of the dataset", fix="Leave out --without.")
        if recall:
            raise InputError(f"{model} recalls no plans", fix="Leave out --recall.")
        if not hold_out:
            raise InputError(f"{model} holds no templates out", fix="Leave out --no-hold-out.")

        sft_of(
            dataset,
            model,
            out if out is not None else Path("sft"),
            arm=arm or "action-guide",
            grounding=grounding,
            seed=seed,
            epochs=1 if epochs is None else epochs,
            limit=limit,
            rate=rate,
            batch=batch,
            accumulate=accumulate,
            lora_rank=lora_rank,
            screenshots=screenshots,
        )
        return
    from guideact.data import open_dataset
    from guideact.errors import InputError
    from guideact.models.builtin.weights import save_weights
    from guideact.outputs import refuse_unwritable_file
    from guideact.train.builtin import train_builtin

    maker, _, size = model.partition("/")
    if maker != "builtin":
        raise InputError(f"{model} is not trained here", fix="Give --model builtin/small, builtin/large or hf/FOLDER.")
    if grounding != "som":
        raise InputError(f"{model} has not learned to name pixels", fix="Use --grounding som.")
    path = out if out is not None else Path(f"{size}.npz")
    refuse_unwritable_file(path, "--out")
    weights = train_builtin(
        open_dataset(dataset),
        size=size,
        seed=seed,
        epochs=12 if epochs is None else epochs,
        arm=arm or "any",
        hold_out=hold_out,
        limit=limit,
        guides=guides,
        without=without,
        recall=recall,
        say=note,
    )
    save_weights(path, weights)
    say(f"{path}: {model}, {weights.policy.network.size.parameters:,} parameters, {path.stat().st_size:,} bytes")


@app.command
def experts(
    out: Path,
    /,
    *,
    passes: int = 2,
    settings: Annotated[RunConfig | None, Parameter(name="*", negative_bool="no-")] = None,
    json: bool = False,
) -> None:
    """Run a model over the train tasks and count its successes, which `train grpo --experts OUT` then uses.

    OUT is a run like any other, one repetition a pass, and goes on with the same command. All settings of `guideact
    run` are taken, but --split is train, --epochs is what --passes says, and --log-dir is OUT.

    Parameters
    ----------
    out
        The folder of the run.
    passes
        How often each task is done.
    json
        Print the counts as one JSON object.
    """
    from guideact.cli.progress import watcher
    from guideact.cli.run import until_stopped
    from guideact.harness.evaluate import evaluate
    from guideact.train.experts import count_passes, train_config

    _refuse_below(1, passes=passes)
    given = (settings or RunConfig()).model_dump()
    config = train_config(RunConfig.model_validate({**given, "epochs": passes, "log_dir": out}))
    with resumable(out), watcher(sys.stderr) as watching:
        until_stopped(evaluate(config, out, watching))
    found = count_passes(out)
    say(found.model_dump_json() if json else _passes(found))


def _passes(found: Passes) -> str:
    each = " + ".join(map(str, found.passes))
    lines = [f"{found.model} on {found.tasks} train tasks: {each} successes, union {found.union}, in all {found.every}"]
    if found.errors:
        lines.append(f"{found.errors} episodes ended in an infrastructure error and are in no count.")
    if found.missing:
        lines.append(f"{found.missing} episodes are still to be done: the same command goes on.")
    return "\n".join(lines)


@app.command
def grpo(*, settings: Annotated[GrpoSettings | None, Parameter(name="*")] = None) -> None:
    """Train the built-in agent on rewards: rounds of live episodes at train tasks, with experts beside them if given.

    The training's folder can be left and gone on with at any moment by the same command.
    """
    from guideact.cli.curves import curves
    from guideact.cli.run import until_stopped
    from guideact.train.grpo import WEIGHTS, train_grpo

    settings = settings or GrpoSettings()
    with resumable(settings.out), curves(sys.stderr) as watching:
        until_stopped(train_grpo(settings, watching))
    say(f"{settings.out / WEIGHTS}: run it as builtin/{settings.out / WEIGHTS}")


@app.command
def guides(dataset: Path, /, *, settings: Annotated[OfflineSettings | None, Parameter(name="*")] = None) -> None:
    """Train the built-in agent's guides on a reward that needs no site, at the train steps of a dataset.

    The training's folder can be left and gone on with at any moment by the same command.

    Parameters
    ----------
    dataset
        The folder of a dataset.
    """
    from guideact.cli.curves import guide_line
    from guideact.data import open_dataset
    from guideact.train.offline_reward import train_guides

    settings = settings or OfflineSettings()
    with resumable(settings.out):
        path = train_guides(open_dataset(dataset), settings, lambda record: note(guide_line(record)))
    say(f"{path}: run it as builtin/{path}")


@app.command
def tasks(
    round: int,  # noqa: A002  it is the word for it
    /,
    *,
    tasks_per_round: int = 24,
    seed: int = 0,
    sites: tuple[str, ...] = (),
    limit: int | None = None,
) -> None:
    """Print the train tasks of a round, one id a line: each comes once before any comes twice.

    Parameters
    ----------
    round
        Its number, from 0.
    tasks_per_round
        How many.
    seed
        Of the order.
    sites
        Only tasks that use these sites and no others.
    limit
        Only so many train tasks, taken in turn over templates.
    """
    from guideact.errors import InputError
    from guideact.harness.choose import choose_tasks
    from guideact.train.rounds import tasks_of_round

    if round < 0:
        raise InputError(f"there is no round {round}", fix="The first one is 0.")
    _refuse_below(1, tasks_per_round=tasks_per_round, limit=limit)
    _refuse_below(0, seed=seed)
    chosen = choose_tasks(RunConfig(split="train", sites=sites, limit=limit))
    for task in tasks_of_round(chosen, tasks_per_round, round, seed):
        say(task.id)


@app.command
def update(*, settings: Annotated[UpdateSettings, Parameter(name="*")]) -> None:
    """Teach a real model one round of episodes, with experts beside them if given, and say what came of it as JSON.

    The rollouts are runs of the model at train tasks: guideact run --keep-tokens --temperature 1 --epochs 6 --split
    train. Under torchrun the work is spread over processes, and the weights too.
    """
    from guideact.train.hf_spread import is_first
    from guideact.train.hf_update import update as learn_from

    found = learn_from(settings, note)
    if is_first():
        say(found.model_dump_json())


@app.command
def rounds(folder: Path, /, *, json: bool = False) -> None:
    """Print the rounds of a training, or write them as JSON lines.

    Parameters
    ----------
    folder
        The folder of a training.
    json
        Print the lines of rounds.jsonl.
    """
    from guideact.cli.curves import guide_line, table
    from guideact.cli.show import show
    from guideact.errors import InputError
    from guideact.train.folder import TRAINING, is_of_guides
    from guideact.train.grpo import read_rounds
    from guideact.train.offline_reward import read_guide_rounds

    if not (folder / TRAINING).is_file():
        raise InputError(f"{folder} is no training: it holds no {TRAINING}", fix="Give the folder of a training.")
    if is_of_guides(folder):
        for each in read_guide_rounds(folder):
            say(each.model_dump_json() if json else guide_line(each))
        return
    records = read_rounds(folder)
    if json:
        for record in records:
            say(record.model_dump_json())
        return
    show(table(records))


@app.command
def study(folder: Path, /, *, demos: Path | None = None, keep: Path | None = None, out: Path | None = None) -> None:
    """Print the tables of a study, computed anew from what its folder holds.

    Parameters
    ----------
    folder
        The folder of runs/mag_grpo.sh, or one that --keep wrote; with --demos, that of runs/webmre_reward.sh.
    demos
        The dataset whose steps the study was measured on.
    keep
        A small folder to write what the tables need of the study, beside the arms and seeds that it holds already; the
        tables are of all of them.
    out
        A Markdown file to write instead.
    """
    from guideact.data import open_dataset
    from guideact.errors import InputError
    from guideact.train.attempts import find, keep_in
    from guideact.train.guides_study import guides_tables, read_guides_study
    from guideact.train.study import ARMS, study_of, tables

    if demos is not None:
        if keep is not None:
            raise InputError("--keep is for a study of episodes, --demos for one of predictions", fix="Give one.")
        made = guides_tables(read_guides_study(open_dataset(demos), folder))
    else:
        found = find(folder, ARMS)
        of = study_of(found, folder)
        made = tables(of if keep is None else study_of(keep_in(keep, found, ARMS), keep))
    if out is None:
        say(made)
        return
    try:
        out.write_text(made, encoding="utf-8")
    except OSError as error:
        raise InputError(f"{out} cannot be written: {error.strerror}", fix="Give another --out.") from error
