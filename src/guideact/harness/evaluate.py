"""A whole evaluation: everything that can be found wrong is, before the first episode begins; then the run."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from importlib.resources import files
from pathlib import Path

from guideact import __version__
from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.errors import InputError
from guideact.harness.agent import Agent, Agents, agents_for, skin_of
from guideact.harness.browsers import SharedBrowser
from guideact.harness.choose import NO_JUDGE, choose_tasks, needs_judge
from guideact.harness.log import Manifest, RunLog, check_folder
from guideact.harness.probe import probe_tasks
from guideact.harness.ray_crew import Cluster, open_cluster
from guideact.harness.real import webarena_of
from guideact.harness.remote import Job, package_versions
from guideact.harness.runner import Watcher, run, run_with
from guideact.harness.world import EmbeddedWorld, World
from guideact.models.base import Sampling
from guideact.models.builtin.model import weights_sha256
from guideact.models.hf_load import locate, model_sha256
from guideact.models.judge import ModelJudge
from guideact.models.make import api_model, is_named, named_clients
from guideact.models.prices import load_prices
from guideact.prompts import PROMPT_VERSION, build_prompt
from guideact.sites.server import serve
from guideact.tasks.webarena.tasks import WebArenaTask
from guideact.types import Grounding, Observation, Task


@dataclass(frozen=True)
class Cast:
    """Who acts in a run, and what they are made from that might have changed when the run goes on."""

    make: Callable[[], Agents]
    """Called where they act. Raises InputError as `agents_for` does."""
    hashes: Mapping[str, str] = field(default_factory=dict)
    """For the manifest, by what was hashed: a run goes on with the same alone."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Kept in the run's folder from its beginning, by name."""


def cast_of(config: RunConfig, tasks: tuple[Task, ...]) -> Cast:
    """The agents that the config asks for."""
    return Cast(partial(agents_for, config, tasks))


async def evaluate(
    config: RunConfig,
    folder: Path,
    watcher: Watcher,
    casting: Callable[[RunConfig, tuple[Task, ...]], Cast] = cast_of,
) -> None:
    """Run what the config says into `folder`, or go on with the run that lies there. `casting` says who acts.

    Raises InputError for whatever the user can mend (unknown tasks, no Chromium, a key that is wrong, a folder that
    cannot be used): before the first episode as far as it can be known then. Raises ModelUnavailable for an endpoint
    that cannot be reached.
    """
    # What can be told at once comes first: making the tasks takes seconds.
    check_folder(folder)
    skin_of(config)
    tasks = choose_tasks(config)
    if config.executor == "ray":
        refuse_on_cluster(config, tasks)
        cast = casting(config, tasks)
        if not is_named(config.model):
            # Whatever files they are made from lie here; those of providers are made where the keys are.
            cast = replace(cast, make=made_already(cast.make()))
        async with open_cluster(config.ray_address, config.max_samples) as cluster:
            await run_on_cluster(cluster, tasks, cast, config, folder, watcher)
        return
    webarena = webarena_of(config, tasks)
    cast = casting(config, tasks)
    agents = cast.make()
    judge = judge_for(config, tasks, folder)
    if judge is not None:
        agents = Judged(agents, judge)
    try:
        async with AsyncExitStack() as stack:
            browsers = await stack.enter_async_context(SharedBrowser())
            browser = await browsers.get()
            if webarena is None:
                server = await stack.enter_async_context(serve(port=0))
                await probe_tasks(tasks, server, browser)
                world: World = EmbeddedWorld(server, config.screenshots, judge, skin_of(config))
            else:
                world = await stack.enter_async_context(webarena.world(config, folder, browser, judge))
            await agents.probe()
            manifest = make_manifest(config, tasks, f"{browser.executable.name} {browser.version}", cast.hashes)
            with RunLog.open(folder, manifest, FREE_ON_RESUME) as log:
                for name, data in cast.files.items():
                    log.keep_file(name, data)
                await run(tasks, agents, config, world=world, browsers=browsers, log=log, watcher=watcher)
    finally:
        await agents.close()


@dataclass(frozen=True)
class Judged:
    """Agents together with the judge of their answers: a run can begin and go on only with both."""

    agents: Agents
    judge: ModelJudge

    @property
    def name(self) -> str:
        return self.agents.name

    @property
    def reads_pixels(self) -> bool:
        return self.agents.reads_pixels

    async def probe(self) -> None:
        """Raises what either's probe does."""
        await self.agents.probe()
        await self.judge.probe()

    def agent(self, task: Task, sample: int) -> Agent:
        return self.agents.agent(task, sample)

    async def close(self) -> None:
        try:
            await self.agents.close()
        finally:
            await self.judge.close()


async def run_on_cluster(
    cluster: Cluster,
    tasks: Sequence[Task],
    cast: Cast,
    config: RunConfig,
    folder: Path,
    watcher: Watcher,
) -> None:
    """Do every (task, sample) that does not lie in the folder yet on a cluster. Raises what `run` and `crew` do."""
    workers = min(config.max_samples, len(tasks) * config.epochs)
    async with cluster.crew(Job(config, tuple(tasks), cast.make), workers) as crew:
        with RunLog.open(folder, make_manifest(config, tasks, crew.browser, cast.hashes), FREE_ON_RESUME) as log:
            for name, data in cast.files.items():
                log.keep_file(name, data)
            await run_with(tasks, config, crew.hands(log, watcher), log, watcher)


def made_already(agents: Agents) -> Callable[[], Agents]:
    """For agents that can travel as they are: without keys or connections."""
    return partial(_same, agents)


def _same(agents: Agents) -> Agents:
    return agents


def refuse_on_cluster(config: RunConfig, tasks: Sequence[Task]) -> None:
    """Raise InputError for what is bound to one machine."""
    fix = "Leave out --executor ray."
    if any(isinstance(task, WebArenaTask) for task in tasks):
        raise InputError("WebArena's sites stand once, and workers on a cluster cannot take turns at them", fix=fix)
    webarena_of(config, tasks)
    if config.judge != NO_JUDGE and any(map(needs_judge, tasks)):
        raise InputError("verdicts of a judge are kept in one file, which workers on a cluster do not share", fix=fix)
    if config.cache is not None:
        raise InputError("--cache is one file, which workers on a cluster do not share", fix="Leave it out.")
    if config.model.startswith("hf/"):
        raise InputError(
            f"{config.model} would be loaded once for each worker of the cluster",
            fix="Serve it, and give --model openai/NAME with --model-base-url.",
        )
    workers = min(config.max_samples, len(tasks) * config.epochs)
    if is_named(config.model) and workers > config.max_connections:
        raise InputError(
            f"each of {workers} workers on a cluster has a connection of its own, and --max-connections allows "
            f"{config.max_connections}",
            fix=f"Give --max-connections {workers}, or --max-samples {config.max_connections}.",
        )


def judge_for(config: RunConfig, tasks: Sequence[Task], folder: Path) -> ModelJudge | None:
    """The judge of a run, if any of its tasks needs one. Raises InputError where none is configured."""
    if config.judge == NO_JUDGE:
        return None
    if config.judge is not None and not is_named(config.judge):
        raise InputError(f"there is no judge {config.judge!r}", fix=f"Use --judge with {named_clients()}.")
    needing = [task.id for task in tasks if needs_judge(task)]
    if not needing:
        return None
    if config.judge is None:
        more = f" and {len(needing) - 1} more" if len(needing) > 1 else ""
        raise InputError(
            f"{needing[0]}{more} can only be judged by a model, and none is configured",
            fix="Name one with --judge openai/NAME, or leave these tasks out with --judge none.",
        )
    # Room for models that reason whether told to or not; some of them take no temperature, and nobody asked for one.
    sampling = Sampling(temperature=0, seed=config.seed, max_tokens=4096)
    model = api_model(config.judge, base_url=config.judge_base_url, sampling=sampling, images=False, lenient=True)
    return ModelJudge(model, folder / "verdicts.jsonl")


def make_manifest(
    config: RunConfig, tasks: Sequence[Task], browser: str, hashes: Mapping[str, str] | None = None
) -> Manifest:
    """What a new run folder says of itself; `hashes` are told besides those of what every run has."""
    return Manifest(
        model=config.model,
        grounding=config.grounding,
        memory=config.memory,
        config=config.model_dump(mode="json"),
        tasks=tuple(task.id for task in tasks),
        epochs=config.epochs,
        hashes={
            "tasks": _sha256(*(task.model_dump_json().encode() for task in tasks)),
            "prompts": _prompts_sha256(config.grounding),
            "font": _sha256(*_font_bytes()),
            **_weights(config.model),
            **(hashes or {}),
        },
        versions={
            "guideact": __version__,
            "python": platform.python_version(),
            "browser": browser,
            "prices": load_prices(config.prices).label,
            **package_versions(),
        },
        platform=f"{platform.system()} {platform.release()} {platform.machine()} {sys.implementation.name}",
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _weights(model: str) -> dict[str, str]:
    """Of a built-in agent's weights, or the files of a model that lies here; others are not ours to see."""
    maker, _, name = model.partition("/")
    if maker == "builtin":
        return {"weights": weights_sha256(name)}
    found = model_sha256(locate(name)) if maker == "hf" else ""
    return {"weights": found} if found else {}


def _prompts_sha256(grounding: Grounding) -> str:
    """Of the wording: the prompt of an empty page, which holds every rule and nothing of a task."""
    prompt = build_prompt("", Observation(url="", title=""), (), grounding)
    return _sha256(PROMPT_VERSION.encode(), prompt.system.encode(), prompt.user.encode())


def _font_bytes() -> list[bytes]:
    fonts = files("guideact.browser").joinpath("fonts")
    named = sorted((font.name, font) for font in fonts.iterdir() if font.name.endswith((".ttf", ".otf", ".woff2")))
    return [font.read_bytes() for _, font in named]


def _sha256(*pieces: bytes) -> str:
    digest = hashlib.sha256()
    for piece in pieces:
        digest.update(len(piece).to_bytes(8, "big"))
        digest.update(piece)
    return digest.hexdigest()
