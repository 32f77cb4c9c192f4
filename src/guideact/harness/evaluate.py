"""A whole evaluation: everything that can be found wrong is, before the first episode begins; then the run."""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from datetime import UTC, datetime
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from guideact import __version__
from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.errors import InputError
from guideact.harness.agent import Agents, agents_for, skin_of
from guideact.harness.browsers import SharedBrowser
from guideact.harness.choose import NO_JUDGE, choose_tasks, needs_judge
from guideact.harness.log import Manifest, RunLog, check_folder
from guideact.harness.probe import probe_tasks
from guideact.harness.real import webarena_of
from guideact.harness.runner import Watcher, run
from guideact.harness.world import EmbeddedWorld, World
from guideact.models.base import Sampling
from guideact.models.builtin.model import weights_sha256
from guideact.models.judge import ModelJudge
from guideact.models.make import api_model, is_named, named_clients
from guideact.models.prices import load_prices
from guideact.prompts import PROMPT_VERSION, build_prompt
from guideact.sites.server import serve
from guideact.types import Grounding, Observation, Task

PACKAGES = ("httpx", "pillow", "playwright", "pydantic", "sacrebleu", "starlette", "uvicorn")
"""Packages whose version may show in what a run measures."""


async def evaluate(
    config: RunConfig,
    folder: Path,
    watcher: Watcher,
    make_agents: Callable[[RunConfig, tuple[Task, ...]], Agents] = agents_for,
) -> None:
    """Run what the config says into `folder`, or go on with the run that lies there. `make_agents` gives who acts.

    Raises InputError for whatever the user can mend (unknown tasks, no Chromium, a key that is wrong, a folder that
    cannot be used): before the first episode as far as it can be known then. Raises ModelUnavailable for an endpoint
    that cannot be reached.
    """
    tasks = choose_tasks(config)
    skin_of(config)
    check_folder(folder)
    webarena = webarena_of(config, tasks)
    agents = make_agents(config, tasks)
    judge = judge_for(config, tasks, folder)
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
            if judge is not None:
                await judge.probe()
            manifest = make_manifest(config, tasks, f"{browser.executable.name} {browser.version}")
            with RunLog.open(folder, manifest, FREE_ON_RESUME) as log:
                await run(tasks, agents, config, world=world, browsers=browsers, log=log, watcher=watcher)
    finally:
        await agents.close()
        if judge is not None:
            await judge.close()


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


def make_manifest(config: RunConfig, tasks: Sequence[Task], browser: str) -> Manifest:
    """What a new run folder says of itself."""
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
        },
        versions={
            "guideact": __version__,
            "python": platform.python_version(),
            "browser": browser,
            "prices": load_prices(config.prices).label,
            **{package: version(package) for package in PACKAGES},
        },
        platform=f"{platform.system()} {platform.release()} {platform.machine()} {sys.implementation.name}",
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _weights(model: str) -> dict[str, str]:
    """Of a built-in agent's weights; those of other models are not ours to see."""
    maker, _, name = model.partition("/")
    return {"weights": weights_sha256(name)} if maker == "builtin" else {}


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
