"""Put the steps of a split to a model, one at a time, and keep what it says.

Tasks are independent; within a task the steps come in order, for with the history `own` a step is told what the model
said before. Several tasks are under way at a time where the model's endpoint allows it. The same command goes on where
an earlier one stopped. A study asks the same steps of many built-in agents: it reads them once.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import re
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from guideact import __version__
from guideact.actions import format_answer, parse_answer
from guideact.config import RunConfig
from guideact.data import Dataset, DemoStep
from guideact.errors import InputError, ModelError
from guideact.harness.agent import GOLD, model_of, sampling_of
from guideact.harness.choose import in_turn
from guideact.jsonl import numbered_lines
from guideact.models.base import Model, Reply, Unusable, refuse_beyond
from guideact.models.builtin.model import weights_sha256
from guideact.offline.gold import Demo, demos_of
from guideact.offline.interventions import Interventions, Kind
from guideact.offline.predictions import ORDERS, Arm, Header, History, Prediction, Writer
from guideact.offline.questions import Question, Way, question, source_sha256
from guideact.offline.rename import read_audited
from guideact.prompts import PROMPT_VERSION, build_prompt
from guideact.types import Fault, Frozen, Grounding, Observation, Split

BY_CHANCE = "no: the model's endpoint may answer the same question differently; what it said is scored the same always"
BY_MACHINE = "no: another machine or library may decode differently; what was said is scored the same always"


class Line(Frozen):
    """A line of a file of jobs: what differs between them."""

    out: Path
    model: str
    arm: Arm | None = None
    history: History | None = None
    force: Kind | None = None


def read_jobs(path: Path) -> list[Line]:
    """The jobs of a file, an object of JSON a line. Raises InputError for the first line that is none."""
    jobs = []
    for number, line in _lines("--jobs", path, "an object of JSON"):
        try:
            jobs.append(Line.model_validate_json(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = f", {first['loc'][0]}" if first["loc"] else ""
            raise InputError(
                f"--jobs {path}, line {number}{where}: {first['msg']}",
                fix='Write lines such as {"out": "a.jsonl", "model": "builtin/a.npz", "arm": "action"}.',
            ) from error
    if not jobs:
        raise InputError(f"--jobs {path} names no job", fix="Give an object of JSON a line.")
    return jobs


class PredictConfig(Frozen):
    """What `guideact offline predict` is told, besides what a model needs."""

    split: Split = "test"
    grounding: Grounding = "som"
    arm: Arm = "action-guide"
    history: History = "gold"
    force: Kind | None = None
    paraphrases: Path | None = None
    tasks: Path | None = None
    limit: int | None = None
    shard: str = "1/1"
    screenshots: bool = True


@dataclass(frozen=True)
class Job:
    """All that is to be asked of a model, checked before anything is."""

    dataset: Dataset
    demos: tuple[Demo, ...]
    """Of this shard."""
    config: PredictConfig
    run: RunConfig
    out: Path
    """The file that the answers are put into."""
    header: Header
    interventions: Interventions | None

    @property
    def steps(self) -> int:
        return sum(len(demo.steps) for demo in self.demos)


def plan(dataset: Dataset, config: PredictConfig, run: RunConfig, out: Path) -> Job:
    """What is to be asked. Raises InputError for settings that cannot work."""
    return plan_all(dataset, [(config, run, out)])[0]


def plan_all(dataset: Dataset, wanted: Sequence[tuple[PredictConfig, RunConfig, Path]]) -> list[Job]:
    """What is to be asked of several models, or of one in several ways. Steps and replaced guides are held once.

    Raises InputError for settings that cannot work, and for two that write the same file.
    """
    splits: dict[Split, tuple[Demo, ...]] = {}
    replaced: dict[tuple[Split, Path | None], Interventions] = {}
    jobs: list[Job] = []
    for config, run, out in wanted:
        _refuse(dataset, config)
        if any(out.resolve() == job.out.resolve() for job in jobs):
            raise InputError(f"{out} is to be written twice", fix="Give each its own file.")
        if config.split not in splits:
            splits[config.split] = demos_of(dataset, config.split)
        everything = splits[config.split]
        key = (config.split, config.paraphrases)
        if config.force is not None and key not in replaced:
            audited = read_audited(config.paraphrases) if config.paraphrases is not None else {}
            # Other tasks' guides come from the whole split, so that a limit or a shard draws the same ones.
            replaced[key] = Interventions(everything, 0, audited)
        chosen = _chosen(everything, config)
        number, count = _shard(config.shard)
        jobs.append(
            Job(
                dataset=dataset,
                demos=chosen[number - 1 :: count],
                config=config,
                run=run,
                out=out,
                header=_header(dataset, chosen, len(chosen) == len(everything), config, run),
                interventions=None if config.force is None else replaced[key],
            )
        )
    return jobs


def _refuse(dataset: Dataset, config: PredictConfig) -> None:
    if config.history == "own" and "guide" not in ORDERS[config.arm]:
        raise InputError(
            f"--arm {config.arm} writes no guides to remember", fix="Use another --arm, or --history gold."
        )
    if config.force is not None and config.arm != "guide-action":
        raise InputError(f"--arm {config.arm} does not begin with a guide", fix="Use --arm guide-action with --force.")
    if config.paraphrases is not None and config.force != "rename":
        raise InputError("--paraphrases are for --force rename", fix="Leave one of them out.")
    if config.grounding == "som" and dataset.manifest.grounding == "coord":
        raise InputError(f"{dataset.folder} knows points and no candidates", fix="Use --grounding coord.")


def _chosen(demos: tuple[Demo, ...], config: PredictConfig) -> tuple[Demo, ...]:
    if config.tasks is not None:
        demos = _named(demos, config.tasks)
    if config.limit is not None:
        if config.limit < 1:
            raise InputError(f"--limit {config.limit} leaves no task", fix="Give 1 or more.")
        first = {task.id for task in in_turn([demo.task for demo in demos])[: config.limit]}
        demos = tuple(demo for demo in demos if demo.id in first)
    return demos


def _lines(flag: str, path: Path, what: str) -> list[tuple[int, str]]:
    try:
        return list(numbered_lines(path.read_text(encoding="utf-8")))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{flag} {path} cannot be read: {error}", fix=f"Give a file with {what} a line.") from error


def _named(demos: tuple[Demo, ...], path: Path) -> tuple[Demo, ...]:
    lines = _lines("--tasks", path, "a task id")
    wanted = [line.strip() for _, line in lines if not line.startswith("#")]
    known = {demo.id for demo in demos}
    for name in wanted:
        if name not in known:
            raise InputError(f"--tasks {path}: the split has no task {name!r}", fix="Check the id and --split.")
    if not wanted:
        raise InputError(f"--tasks {path} names no task", fix="Give task ids, one a line.")
    return tuple(demo for demo in demos if demo.id in set(wanted))


def _shard(text: str) -> tuple[int, int]:
    found = re.fullmatch("([0-9]{1,6})/([0-9]{1,6})", text)
    number, count = (0, 0) if found is None else map(int, found.groups())
    if not 1 <= number <= count:
        raise InputError(f"--shard {text} is no part of a whole", fix="Give one such as 1/4, up to 4/4.")
    return number, count


def _header(dataset: Dataset, chosen: Sequence[Demo], whole: bool, config: PredictConfig, run: RunConfig) -> Header:
    ids = "".join(f"{demo.id}\n" for demo in chosen)
    empty = Observation(url="", title="", viewport=dataset.manifest.viewport)
    system = build_prompt("", empty, (), config.grounding, ORDERS[config.arm]).system
    maker, _, name = run.model.partition("/")
    return Header(
        dataset=dataset.manifest.name,
        dataset_sha256=dataset.manifest.signature,
        split=config.split,
        tasks_sha256="" if whole else hashlib.sha256(ids.encode()).hexdigest(),
        shard=config.shard,
        model=run.model,
        # The weights of other models are not ours to see.
        model_sha256=weights_sha256(name) if maker == "builtin" else "",
        grounding=config.grounding,
        arm=config.arm,
        history=config.history,
        force=config.force or "",
        force_sha256="" if config.paraphrases is None else hashlib.sha256(config.paraphrases.read_bytes()).hexdigest(),
        images=config.screenshots,
        temperature=run.temperature,
        seed=run.seed,
        max_tokens=run.max_tokens,
        effort=run.reasoning_effort,
        prompt_version=PROMPT_VERSION,
        system_sha256=hashlib.sha256(system.encode()).hexdigest(),
        code_sha256=source_sha256(),
        deterministic="yes" if maker in ("scripted", "builtin") else BY_MACHINE if maker == "hf" else BY_CHANCE,
        guideact=__version__,
    )


# --- asking -------------------------------------------------------------------------------------------------------


async def predict(job: Job, say: Callable[[str], None] = lambda line: None) -> None:
    """Ask all that is not answered yet, and append the answers to the job's file.

    Raises InputError for a file of other settings, and ModelUnavailable where the endpoint stays away: what was
    answered before is kept, and the same call goes on from there.
    """
    async with _begun(job, say) as asking:
        await _all(asking, say)


async def predict_all(jobs: Sequence[Job], say: Callable[[str], None] = lambda line: None) -> None:
    """The same for several jobs. Built-in agents are shown a task one after the other, since most of what they read
    of it is the same for all; other models, of which one may fill a machine, are asked job by job."""
    for job in jobs:
        # The last file may be of other settings, which must not show after hours of asking the first.
        if not _is_builtin(job):
            async with _opened(job):
                pass
    async with contextlib.AsyncExitStack() as stack:
        together = [await stack.enter_async_context(_begun(job, lambda line: None)) for job in jobs if _is_builtin(job)]
        asked_of = [(asking, {demo.id for demo in asking.waiting}) for asking in together]
        waiting = {demo.id: demo for asking in together for demo in asking.waiting}
        for done, demo in enumerate(waiting.values(), 1):
            for asking, ids in asked_of:
                if demo.id in ids:
                    await _task(demo, asking)
            _tell(done, len(waiting), say)
    for job in jobs:
        if not _is_builtin(job):
            say(f"{job.out}, by {job.run.model}")
            await predict(job, say)


def _is_builtin(job: Job) -> bool:
    return job.run.model.startswith("builtin/")


@dataclass(frozen=True)
class _Asking:
    """A job under way."""

    job: Job
    model: Model | None
    writer: Writer
    waiting: tuple[Demo, ...]


@contextlib.asynccontextmanager
async def _begun(job: Job, say: Callable[[str], None]) -> AsyncIterator[_Asking]:
    async with _opened(job) as asking:
        say(f"{job.steps - sum(len(demo.steps) for demo in asking.waiting)} of {job.steps} steps are there already")
        if asking.model is not None and asking.waiting:
            await asking.model.probe()
        yield asking


@contextlib.asynccontextmanager
async def _opened(job: Job) -> AsyncIterator[_Asking]:
    """The model and the file of a job. Raises InputError where one of them cannot be used."""
    run = job.run
    model = None if run.model == GOLD else model_of(run, sampling_of(run))
    if model is not None and job.interventions is not None:
        refuse_beyond(model.name, model.can, sampling_of(run), prefix=True)
    shows = model is not None and model.can.images and job.config.screenshots
    header = job.header.model_copy(update={"images": shows})
    with Writer(job.out, header) as writer:
        _refuse_foreign(job, writer)
        waiting = tuple(demo for demo in job.demos if any((demo.id, s.index) not in writer.done for s in demo.steps))
        try:
            yield _Asking(job, model, writer, waiting)
        finally:
            if model is not None:
                await model.close()


def _refuse_foreign(job: Job, writer: Writer) -> None:
    asked = {(demo.id, step.index) for demo in job.demos for step in demo.steps}
    for task, index in writer.done:
        if (task, index) not in asked:
            raise InputError(
                f"{job.out}: step {index} of {task} is none of those that are asked about", fix="Delete that line."
            )


def _tell(done: int, count: int, say: Callable[[str], None]) -> None:
    if done % 20 == 0 or done == count:
        say(f"{done} of {count} tasks")


async def _all(asking: _Asking, say: Callable[[str], None]) -> None:
    """At most `max_connections` tasks at a time; the first error stops all of them."""
    queue = list(reversed(asking.waiting))
    done = 0

    async def work() -> None:
        nonlocal done
        while queue:
            await _task(queue.pop(), asking)
            done += 1
            _tell(done, len(asking.waiting), say)

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(asking.job.run.max_connections, len(asking.waiting))):
                group.create_task(work())
    except ExceptionGroup as several:
        raise several.exceptions[0] from None


async def _task(demo: Demo, asking: _Asking) -> None:
    job, config, writer = asking.job, asking.job.config, asking.writer
    way = Way(config.arm, config.grounding, config.history)
    own: list[str] = []
    for step in demo.steps:
        kept = writer.done.get((demo.id, step.index))
        if kept is None:
            forced = None
            if job.interventions is not None and config.force is not None:
                forced = job.interventions.guide(config.force, demo, step.index)
                if forced is None:
                    continue
            asked = question(demo, step.index, way, own=own, forced=forced)
            kept = await _answer(asked, step, job, asking.model)
            writer.add(kept)
        if config.history == "own":
            own.append(parse_answer(kept.raw, config.grounding, order=ORDERS[config.arm]).guide)


async def _answer(asked: Question, step: DemoStep, job: Job, model: Model | None) -> Prediction:
    common = {"task": step.task_id, "index": step.index, "prompt_sha256": asked.prompt.sha256}
    if model is None:
        return Prediction(**common, raw=gold_answer(step, job.config.grounding, asked.prompt.order))
    image = _image(job.dataset, step) if model.can.images and job.config.screenshots else None
    try:
        reply: Reply = await model.answer(asked.request(sampling_of(job.run), image))
    except ModelError as error:
        fault = Fault(kind=error.kind, detail=error.message)
        usage = error.usage if isinstance(error, Unusable) else None
        return Prediction(**common, raw=error.text, fault=fault, usage=usage)
    return Prediction(**common, raw=reply.text, usage=reply.usage)


def gold_answer(step: DemoStep, grounding: Grounding, order: Sequence[str]) -> str:
    """The demonstration's own answer: what `scripted/gold` says, to prove the scorer."""
    action = step.action_som if grounding == "som" else step.action_coord
    if action is None:
        raise InputError(f"step {step.index} of {step.task_id} has no mark", fix="Use --grounding coord.")
    return format_answer(action, step.guides[0] if step.guides else "", grounding=grounding, order=order)


def _image(dataset: Dataset, step: DemoStep) -> bytes | None:
    """The screenshot as a PNG with the marks drawn; None where none was kept."""
    from guideact.browser.draw import draw_marks

    seen = step.observation
    if seen.screenshot is None or not any(file.path.startswith("images-") for file in dataset.manifest.files):
        return None
    return draw_marks(dataset.image(seen.screenshot.sha256), seen.candidates, seen.viewport)
