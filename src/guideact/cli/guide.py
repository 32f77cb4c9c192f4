"""`guideact guide`: guides made, published, followed, and kept true."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import note, say

if TYPE_CHECKING:
    from guideact.guides.guide import Guide

app = App(name="guide", help=VERBS["guide"], help_format="plaintext")


# --- made -----------------------------------------------------------------------------------------------------------


@app.command
def make(
    url: str,
    goal: str,
    /,
    *,
    model: str = "builtin/small",
    model_base_url: str | None = None,
    allow: tuple[str, ...] = (),
    max_steps: int = 25,
    out: Path | None = None,
) -> int:
    """Let an agent do something on a site, and write the guide of what it did.

    The exit status is 1 where the agent did not say that it was done; what it did until then is written all the same.

    Parameters
    ----------
    url
        Where it starts. It may reach this host alone.
    goal
        What it is to do: the guide's title.
    model
        Who acts: builtin/small, openai/NAME, anthropic/NAME, google/NAME, scripted/overlap.
    model_base_url
        Address of the endpoint. Default: the provider's own.
    allow
        More hosts that it may reach (host or host:port, * for a part of one); * alone for all.
    max_steps
        The most it may do.
    out
        The folder to write. Default: guides/ and a name made from the goal.
    """
    from guideact.config import RunConfig
    from guideact.guides.guide import slug
    from guideact.guides.live import make_guide

    folder = out if out is not None else Path("guides") / slug(goal)
    _refuse_taken(folder)
    config = RunConfig(model=model, model_base_url=model_base_url)
    guide, pictures, ended = asyncio.run(make_guide(url, goal, config, allow=allow, most=max_steps))
    _keep(folder, guide, pictures)
    if not ended:
        note(
            f"{model} did not say that it was done within {max_steps} steps: read the guide before anybody follows it."
        )
    return 0 if ended else 1


@app.command
def from_run(run: Path, /, *, task: str, sample: int = 0, out: Path | None = None) -> None:
    """Make a guide of an episode of a run on the embedded sites.

    Parameters
    ----------
    run
        The folder of the run.
    task
        Id of the task.
    sample
        Which repetition of it, from 0 on.
    out
        The folder to write. Default: guides/ and the task's id.
    """
    from guideact.errors import InputError
    from guideact.guides.live import on_sites
    from guideact.guides.make import from_episode
    from guideact.harness.read import read_run

    folder = out if out is not None else Path("guides") / task
    _refuse_taken(folder)
    read = read_run(run)
    found = [each for each in read.episodes if (each.task_id, each.sample) == (task, sample)]
    if not found:
        raise InputError(f"{run} has no episode of {task!r}, sample {sample}", fix=f"`guideact score {run} --details`.")
    model, skin = read.manifest.model, read.manifest.config.get("skin")
    guide, pictures = asyncio.run(on_sites(lambda env: from_episode(found[0], model, env), skin=skin))
    _keep(folder, guide, pictures)


@app.command
def from_gold(task: str, /, *, skin: str | None = None, out: Path | None = None) -> None:
    """Make a guide of an embedded task's gold route.

    Parameters
    ----------
    task
        Id of the task.
    skin
        A changed look of the sites: relabel-N, relayout-N or redesign-N.
    out
        The folder to write. Default: guides/ and the task's id.
    """
    from guideact.guides.live import on_sites
    from guideact.guides.make import from_gold as make_from_gold
    from guideact.tasks.catalogue import entry

    entry(task)
    folder = out if out is not None else Path("guides") / task
    _refuse_taken(folder)
    guide, pictures = asyncio.run(on_sites(lambda env: make_from_gold(task, env), skin=skin))
    _keep(folder, guide, pictures)


@app.command
def from_dataset(dataset: Path, /, *, task: str, out: Path | None = None) -> None:
    """Make a guide of a demonstration in a dataset.

    Parameters
    ----------
    dataset
        The folder of the dataset.
    task
        Id of the task.
    out
        The folder to write. Default: guides/ and the task's id.
    """
    from guideact.data import open_dataset
    from guideact.guides.make import from_dataset as make_from_dataset

    folder = out if out is not None else Path("guides") / task
    _refuse_taken(folder)
    _keep(folder, *make_from_dataset(open_dataset(dataset), task))


def _refuse_taken(folder: Path) -> None:
    """Raise InputError, before anything is done, where a guide could not be written."""
    from guideact.errors import InputError

    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} is not empty", fix="Give another folder with --out, or remove this one.")


def _keep(folder: Path, guide: Guide, pictures: dict[str, bytes]) -> None:
    from guideact.guides.guide import write_guide

    write_guide(folder, guide, pictures)
    say(f"{folder}: {len(guide.steps)} steps, {len({step.image for step in guide.steps if step.image})} pictures")
    for secret in guide.secrets:
        note(f"The {secret} that was typed is not in the guide.")


@app.command(name="import")
def import_(file: Path, /, *, out: Path | None = None, language: str = "en") -> None:
    """Make a guide of a recording: Chrome Recorder's JSON, or the Python of `playwright codegen`.

    Parameters
    ----------
    file
        A .json or .py file. A script is read, never run.
    out
        The folder to write. Default: guides/ and the recording's title.
    language
        Of the sentences that are drafted: en or zh.
    """
    from guideact.guides.exchange import read_foreign

    guide = read_foreign(file, language)
    folder = out if out is not None else Path("guides") / guide.id
    _refuse_taken(folder)
    _keep(folder, guide, {})
    if guide.note:
        note(guide.note)


# --- published ------------------------------------------------------------------------------------------------------


@app.command
def publish(guide: Path, /, *, format: tuple[str, ...] = ("html",), out: Path | None = None) -> None:  # noqa: A002
    """Write a guide in forms that people read or machines run.

    Parameters
    ----------
    guide
        The folder of the guide.
    format
        html, markdown, pdf, tour, recorder or codegen; several, or all.
    out
        The folder to write into. Default: `published` in the guide's own.
    """
    from guideact.errors import InputError
    from guideact.guides.guide import read_guide
    from guideact.guides.publish import FORMATS
    from guideact.guides.publish import publish as write

    chosen = [known for known in FORMATS if known in format or "all" in format]
    unknown = [each for each in format if each not in (*FORMATS, "all")]
    if unknown or not chosen:
        raise InputError(f"there is no format {(*unknown, '')[0]!r}", fix=f"Formats are: {', '.join(FORMATS)} and all.")
    for path in asyncio.run(write(read_guide(guide), guide, chosen, out if out is not None else guide / "published")):
        say(f"{path}")


# --- followed -------------------------------------------------------------------------------------------------------


@app.command
def follow(
    guide: Path,
    /,
    *,
    model: str = "literal",
    model_base_url: str | None = None,
    skin: str | None = None,
    allow: tuple[str, ...] = (),
) -> int:
    """Let somebody follow a guide who knows nothing else, and see where it breaks.

    The exit status is 1 where it broke, or the task's check failed. Secrets are read from variables such as
    GUIDEACT_SECRET_PASSWORD.

    Parameters
    ----------
    guide
        The folder of the guide.
    model
        Who follows: literal, or a model: openai/NAME, anthropic/NAME, google/NAME, builtin/small.
    model_base_url
        Address of the endpoint. Default: the provider's own.
    skin
        A changed look of the embedded sites: relabel-N, relayout-N or redesign-N.
    allow
        More hosts that may be reached (host or host:port); * alone for all.
    """
    import os

    from guideact.config import RunConfig
    from guideact.guides.following import follow_guide
    from guideact.guides.guide import read_guide
    from guideact.guides.stage import secrets_from
    from guideact.sites.skins import parse_skin

    read = read_guide(guide)
    config = RunConfig(model=model if model != "literal" else "scripted/noop", model_base_url=model_base_url)
    worn = parse_skin(skin) if skin is not None else None
    secrets = secrets_from(os.environ, read)
    done = asyncio.run(
        follow_guide(read, config, literal=model == "literal", secrets=secrets, skin=worn, allow=allow, tell=say)
    )
    if done.broke:
        say(f"Broke: {done.broke}")
    if done.passed is not None:
        say("The check passed." if done.passed else f"The check failed: {done.reason}")
    elif not done.broke:
        say("Followed to its end. Nothing can tell here whether that is what was wanted.")
    return 1 if done.broke or done.passed is False else 0


@app.command
def trials(*runs: Path, json: bool = False) -> None:
    """Print the scores of recipient trials: runs made with `guideact run --recipient`.

    Parameters
    ----------
    runs
        The folders of the runs, one a condition.
    json
        Print one JSON object with everything there is.
    """
    from guideact.cli.trials import print_trials
    from guideact.errors import InputError

    if not runs:
        raise InputError("no run is named", fix="Give the folders of runs made with `guideact run --recipient`.")
    print_trials(runs, json=json)
