"""Put the steps of a split to a model, one at a time, and keep what it says.

Tasks are independent; within a task the steps come in order, for with the history `own` a step is told what the model
said before. Several tasks are under way at a time where the model's endpoint allows it. The same command goes on where
an earlier one stopped.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from guideact import __version__
from guideact.actions import format_answer, parse_answer
from guideact.config import RunConfig
from guideact.data import Dataset, DemoStep
from guideact.errors import InputError, ModelError
from guideact.harness.agent import GOLD, model_of, sampling_of
from guideact.harness.choose import in_turn
from guideact.models.base import Model, Reply, Unusable, refuse_beyond
from guideact.offline.gold import Demo, demos_of
from guideact.offline.interventions import Interventions, Kind
from guideact.offline.predictions import ORDERS, Arm, Header, History, Prediction, Writer
from guideact.offline.questions import Question, Way, question, source_sha256
from guideact.offline.rename import read_audited
from guideact.prompts import PROMPT_VERSION, build_prompt
from guideact.types import Fault, Frozen, Grounding, Observation, Split

BY_CHANCE = "no: the model's endpoint may answer the same question differently; what it said is scored the same always"
BY_MACHINE = "no: another machine or library may decode differently; what was said is scored the same always"


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
    """All that is to be asked, checked before anything is."""

    dataset: Dataset
    demos: tuple[Demo, ...]
    """Of this shard."""
    config: PredictConfig
    header: Header
    interventions: Interventions | None

    @property
    def steps(self) -> int:
        return sum(len(demo.steps) for demo in self.demos)


def plan(dataset: Dataset, config: PredictConfig, run: RunConfig) -> Job:
    """What is to be asked. Raises InputError for settings that cannot work."""
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
    everything = demos_of(dataset, config.split)
    chosen = _chosen(everything, config)
    number, count = _shard(config.shard)
    audited = read_audited(config.paraphrases) if config.paraphrases is not None else {}
    return Job(
        dataset=dataset,
        demos=chosen[number - 1 :: count],
        config=config,
        header=_header(dataset, chosen, len(chosen) == len(everything), config, run),
        # Other tasks' guides come from the whole split, so that a limit or a shard draws the same ones.
        interventions=None if config.force is None else Interventions(everything, 0, audited),
    )


def _chosen(demos: tuple[Demo, ...], config: PredictConfig) -> tuple[Demo, ...]:
    if config.tasks is not None:
        demos = _named(demos, config.tasks)
    if config.limit is not None:
        if config.limit < 1:
            raise InputError(f"--limit {config.limit} leaves no task", fix="Give 1 or more.")
        first = {task.id for task in in_turn([demo.task for demo in demos])[: config.limit]}
        demos = tuple(demo for demo in demos if demo.id in first)
    return demos


def _named(demos: tuple[Demo, ...], path: Path) -> tuple[Demo, ...]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"--tasks {path} cannot be read: {error}", fix="Give a file of task ids, one a line."
        ) from error
    wanted = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    known = {demo.id for demo in demos}
    for name in wanted:
        if name not in known:
            raise InputError(f"--tasks {path}: the split has no task {name!r}", fix="Check the id and --split.")
    if not wanted:
        raise InputError(f"--tasks {path} names no task", fix="Give task ids, one a line.")
    return tuple(demo for demo in demos if demo.id in set(wanted))


def _shard(text: str) -> tuple[int, int]:
    number, slash, count = text.partition("/")
    if not (slash and number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise InputError(f"--shard {text} is no part of a whole", fix="Give one such as 1/4, up to 4/4.")
    return int(number), int(count)


def _header(dataset: Dataset, chosen: Sequence[Demo], whole: bool, config: PredictConfig, run: RunConfig) -> Header:
    ids = "".join(f"{demo.id}\n" for demo in chosen)
    empty = Observation(url="", title="", viewport=dataset.manifest.viewport)
    system = build_prompt("", empty, (), config.grounding, ORDERS[config.arm]).system
    maker = run.model.partition("/")[0]
    return Header(
        dataset=dataset.manifest.name,
        dataset_sha256=dataset.manifest.signature,
        split=config.split,
        tasks_sha256="" if whole else hashlib.sha256(ids.encode()).hexdigest(),
        shard=config.shard,
        model=run.model,
        model_sha256=_weights_sha256(run.model),
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


def _weights_sha256(name: str) -> str:
    """Of the weights of a built-in agent; the weights of other models are not ours to see."""
    maker, _, rest = name.partition("/")
    if maker != "builtin":
        return ""
    path = Path(rest)
    if not rest.endswith(".npz"):
        path = Path(str(files("guideact.models.builtin").joinpath("weights", f"{rest}.npz")))
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


# --- asking -------------------------------------------------------------------------------------------------------


async def predict(job: Job, run: RunConfig, out: Path, say: Callable[[str], None] = lambda line: None) -> None:
    """Ask all that is not answered yet, and append the answers to `out`.

    Raises InputError for a file of other settings, and ModelUnavailable where the endpoint stays away: what was
    answered before is kept, and the same call goes on from there.
    """
    model = None if run.model == GOLD else model_of(run, sampling_of(run))
    if model is not None and job.interventions is not None:
        refuse_beyond(model.name, model.can, sampling_of(run), prefix=True)
    shows = model is not None and model.can.images and job.config.screenshots
    header = job.header.model_copy(update={"images": shows})
    with Writer(out, header) as writer:
        waiting = [demo for demo in job.demos if any((demo.id, s.index) not in writer.done for s in demo.steps)]
        say(f"{job.steps - sum(len(demo.steps) for demo in waiting)} of {job.steps} steps are there already")
        try:
            if model is not None and waiting:
                await model.probe()
            await _all(waiting, job, run, model, writer, say)
        finally:
            if model is not None:
                await model.close()


async def _all(
    demos: Sequence[Demo],
    job: Job,
    run: RunConfig,
    model: Model | None,
    writer: Writer,
    say: Callable[[str], None],
) -> None:
    """At most `max_connections` tasks at a time; the first error stops all of them."""
    queue = list(reversed(demos))
    done = 0

    async def work() -> None:
        nonlocal done
        while queue:
            demo = queue.pop()
            await _task(demo, job, run, model, writer)
            done += 1
            if done % 20 == 0 or done == len(demos):
                say(f"{done} of {len(demos)} tasks")

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(run.max_connections, len(demos))):
                group.create_task(work())
    except ExceptionGroup as several:
        raise several.exceptions[0] from None


async def _task(demo: Demo, job: Job, run: RunConfig, model: Model | None, writer: Writer) -> None:
    config = job.config
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
            kept = await _answer(asked, step, job, run, model)
            writer.add(kept)
        if config.history == "own":
            own.append(parse_answer(kept.raw, config.grounding, order=ORDERS[config.arm]).guide)


async def _answer(asked: Question, step: DemoStep, job: Job, run: RunConfig, model: Model | None) -> Prediction:
    common = {"task": step.task_id, "index": step.index, "prompt_sha256": asked.prompt.sha256}
    if model is None:
        return Prediction(**common, raw=gold_answer(step, job.config.grounding, asked.prompt.order))
    image = _image(job.dataset, step) if model.can.images and job.config.screenshots else None
    try:
        reply: Reply = await model.answer(asked.request(sampling_of(run), image))
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
