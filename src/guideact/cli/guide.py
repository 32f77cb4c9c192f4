"""`guideact guide`: guides made, published, followed, and kept true."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from cyclopts import App

from guideact.cli import VERBS
from guideact.cli.show import complain, note, say
from guideact.outputs import refuse_taken, refuse_unwritable

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
    refuse_taken(folder)
    config = RunConfig(model=model, model_base_url=model_base_url)
    guide, pictures, ended = asyncio.run(make_guide(url, goal, config, allow=allow, most=max_steps))
    _keep(folder, guide, pictures)
    if not ended:
        note(
            f"{model} did not say that it was done within {max_steps} steps: read the guide before anybody follows it."
        )
    return 0 if ended else 1


@app.command
def record(
    url: str,
    title: str,
    /,
    *,
    allow: tuple[str, ...] = (),
    skin: str | None = None,
    language: str = "en",
    out: Path | None = None,
    headless: bool = False,
) -> None:
    """Do something in a browser window, and get the guide of it.

    Each act becomes a step, printed as it happens. While recording, type here: `u` takes the last step back, `r 3 TEXT`
    puts step 3 into other words, `t TEXT` changes the title, `s` (or closing the window, or Ctrl-C) stops.

    Parameters
    ----------
    url
        Where it starts: any site, or an embedded one without a port (http://shopping.localhost/), which is then served.
        The window may reach this host alone.
    title
        What the guide is for, as a person would ask for it.
    allow
        More hosts that it may reach (host or host:port, * for a part of one); * alone for all.
    skin
        A changed look of the embedded sites: relabel-N, relayout-N or redesign-N.
    language
        Of the draft sentences: en or zh.
    out
        The folder to write. Default: guides/ and a name made from the title.
    headless
        Open no window: for programs that send the events themselves.
    """
    from guideact.cli.recording import run
    from guideact.guides.guide import slug
    from guideact.sites.skins import parse_skin

    folder = out if out is not None else Path("guides") / slug(title)
    refuse_taken(folder)
    worn = parse_skin(skin) if skin is not None else None
    guide, pictures = asyncio.run(run(url, title, allow=allow, skin=worn, language=language, headless=headless))
    _keep(folder, guide, pictures)
    if guide.note:
        note(guide.note)


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
    refuse_taken(folder)
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
    refuse_taken(folder)
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
    refuse_taken(folder)
    _keep(folder, *make_from_dataset(open_dataset(dataset), task))


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
    refuse_taken(folder)
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
    """Print the scores of recipient trials: runs made with `guideact run --recipient`, and studies with people.

    Parameters
    ----------
    runs
        The folders of the runs, one a condition, and of studies, which give a line a condition.
    json
        Print one JSON object with everything there is.
    """
    from guideact.cli.trials import print_trials
    from guideact.errors import InputError

    if not runs:
        raise InputError("no run is named", fix="Give the folders of runs made with `guideact run --recipient`.")
    print_trials(runs, json=json)


# --- kept true ------------------------------------------------------------------------------------------------------


@app.command
def verify(
    *guides: Path,
    skin: str | None = None,
    allow: tuple[str, ...] = (),
    junit: Path | None = None,
    out: Path | None = None,
) -> int:
    """Carry guides out on their live sites, and tell which of them no longer hold.

    Made for CI: the exit status is 0 where all hold, 1 where one does not. For each that does not it names the step,
    what is there now, and writes a picture of before and after. Secrets are read from variables such as
    GUIDEACT_SECRET_PASSWORD. Whatever a guide does is done: use a site that is there for tests.

    Parameters
    ----------
    guides
        The folders of the guides.
    skin
        A changed look of the embedded sites: relabel-N, relayout-N or redesign-N.
    allow
        More hosts that may be reached (host or host:port); * alone for all.
    junit
        A file for the results as JUnit XML.
    out
        A folder for pictures of what broke.
    """
    import os

    from guideact.errors import InfrastructureError, InputError, MissingDependency
    from guideact.guides.ci import junit as as_junit
    from guideact.guides.ci import lines_of, pictures
    from guideact.guides.guide import read_guide
    from guideact.guides.places import open_stage
    from guideact.guides.stage import secrets_from
    from guideact.guides.verify import Verdict
    from guideact.guides.verify import verify as check
    from guideact.sites.skins import parse_skin

    if not guides:
        raise InputError("no guide is named", fix="Give the folders of guides.")
    worn = parse_skin(skin) if skin is not None else None
    read = [(path, read_guide(path)) for path in guides]
    for wanted in filter(None, (junit, out)):
        # Beforehand: what a guide does is done, whether or not somebody can read of it.
        refuse_unwritable(wanted)
    secrets = {path: secrets_from(os.environ, guide) for path, guide in read}
    verdicts: list[Verdict] = []
    errors: list[tuple[str, str]] = []
    to_mend = False

    async def all_of_them() -> None:
        nonlocal to_mend
        for path, guide in read:
            try:
                async with open_stage(guide, skin=worn, allow=allow) as stage:
                    verdict = await check(guide, stage, secrets[path])
            except InfrastructureError as error:
                errors.append((guide.id, str(error)))
                say(f"ERROR  {guide.id}: {error}")
                continue
            except MissingDependency:
                raise
            except InputError as error:
                # What is wrong with one guide is no reason to say nothing of the others, whose acts are done.
                errors.append((guide.id, f"{path}: {error}"))
                complain(f"{path}: {error}")
                to_mend = True
                continue
            verdicts.append(verdict)
            for line in lines_of(verdict):
                say(line)
            if out is not None:
                try:
                    files = pictures(verdict, path if path.is_dir() else path.parent, out)
                except InputError as error:
                    complain(str(error))
                    to_mend = True
                    continue
                for file in files:
                    say(f"       {file}")

    asyncio.run(all_of_them())
    if junit is not None:
        try:
            junit.parent.mkdir(parents=True, exist_ok=True)
            junit.write_text(as_junit(verdicts, errors), encoding="utf-8")
        except OSError as error:
            raise InputError(f"{junit} cannot be written: {error.strerror}", fix="Give another --junit.") from error
    if to_mend:
        return 2
    return 1 if errors or any(not verdict.holds for verdict in verdicts) else 0


@app.command
def repair(
    guide: Path,
    /,
    *,
    out: Path | None = None,
    apply: bool = False,
    skin: str | None = None,
    allow: tuple[str, ...] = (),
) -> int:
    """Mend a guide that no longer holds, and write the change for review.

    What is most like a missing target is tried in its place on the site, and the rest of the guide after it. The mended
    guide is written beside the old one, with changes.md: each changed step, why, and pictures of before and after. The
    exit status is 1 where it could not be mended.

    Parameters
    ----------
    guide
        The folder of the guide.
    out
        The folder for the mended guide. Default: `mended` in the guide's own.
    apply
        Replace the guide by the mended one as well.
    skin
        A changed look of the embedded sites: relabel-N, relayout-N or redesign-N.
    allow
        More hosts that may be reached (host or host:port); * alone for all.
    """
    import os

    from guideact.errors import InputError
    from guideact.guides.guide import picture_of, read_guide, write_guide
    from guideact.guides.places import open_stage
    from guideact.guides.repair import Repaired
    from guideact.guides.repair import repair as mend
    from guideact.guides.review import write_review
    from guideact.guides.stage import secrets_from
    from guideact.sites.skins import parse_skin

    read, worn = read_guide(guide), parse_skin(skin) if skin is not None else None
    secrets = secrets_from(os.environ, read)
    folder = out if out is not None else guide / "mended"
    if out is not None:
        refuse_taken(folder)

    async def work() -> Repaired:
        async with open_stage(read, skin=worn, allow=allow) as stage:
            return await mend(read, stage, lambda sha256: picture_of(guide, sha256), secrets)

    repaired = asyncio.run(work())
    if repaired.problem is not None:
        step = repaired.problem.step
        say(f"{read.id} could not be mended: step {step + 1}, {repaired.problem.message}.")
        for each in repaired.problem.here:
            note(f"There now: {each}")
        return 1
    if not repaired.changes:
        say(f"{read.id} holds: nothing to mend.")
        return 0
    write_guide(folder, repaired.guide, repaired.pictures)
    path = write_review(folder, read, guide, repaired)
    for change in repaired.changes:
        was = f"was: {change.before.sentence}" if change.before is not None else "added"
        say(f"{change.step + 1:3} {change.after.sentence}  ({was})")
    say(f"{path}: {len(repaired.changes)} changes to review")
    if apply:
        if not guide.is_dir():
            raise InputError(f"{guide} is a file", fix="Give the guide's folder to --apply.")
        write_guide(guide, repaired.guide, repaired.pictures)
        say(f"{guide}: replaced")
    return 0
