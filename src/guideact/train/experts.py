"""Cached expert episodes: successes at train tasks that somebody else had, to stand beside the policy's own rollouts.

A cache is no format of its own. It is a run (`guideact train experts`, or any run with train tasks), of which the
successes count, or a dataset, each of whose demonstrations was checked when it was frozen. Both say where they come
from: `run.json` names model, settings and versions, `manifest.json` the data's signature.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from guideact.config import RunConfig
from guideact.data import DemoStep, open_dataset
from guideact.data.manifest import FILE as DATASET_FILE
from guideact.errors import InputError
from guideact.harness.choose import choose_tasks
from guideact.harness.log import EPISODES, MANIFEST, read_episodes, read_manifest
from guideact.types import Action, Episode, Frozen, Grounding, Observation, Sampled


@dataclass(frozen=True)
class ExpertStep:
    """What was seen, what was done then, and sentences that say it; the first is what was remembered."""

    observation: Observation
    action: Action
    guides: tuple[str, ...]
    sampled: tuple[Sampled, ...] = ()
    """The expert's own tokens, where it kept them."""


@dataclass(frozen=True)
class Expert:
    """A successful episode of somebody else."""

    task_id: str
    key: str
    """Names it among all episodes of a training."""
    source: str
    """Where it comes from: `run scripted/gold sample 0`, `dataset embedded 0123abcd`."""
    steps: tuple[ExpertStep, ...]


@dataclass(frozen=True)
class Experts:
    """Experts by task. Their steps are read when they are asked for."""

    _by_task: Mapping[str, tuple[Callable[[], Expert], ...]]
    sources: tuple[str, ...] = ()
    """What the runs and datasets are, by their content: two caches with the same ones hold the same experts."""

    @property
    def tasks(self) -> tuple[str, ...]:
        """Ids of the tasks that have an expert, sorted."""
        return tuple(sorted(self._by_task))

    def of(self, task_id: str) -> tuple[Expert, ...]:
        """The experts of a task, in the order of the sources and, in each, of its passes."""
        return tuple(read() for read in self._by_task.get(task_id, ()))

    def covering(self, share: float, tasks: Iterable[str]) -> Experts:
        """These experts for a share (0..1) of the tasks alone, drawn by the tasks' names.

        What covers less is a part of what covers more.
        """
        order = sorted(tasks, key=lambda task_id: hashlib.sha256(f"coverage/{task_id}".encode()).digest())
        kept = set(order[: round(share * len(order))])
        covered = {task_id: readers for task_id, readers in self._by_task.items() if task_id in kept}
        return Experts(covered, self.sources)


NO_EXPERTS = Experts({})


def read_experts(sources: Sequence[Path], tasks: Iterable[str]) -> Experts:
    """The experts that some runs and datasets hold for these tasks.

    Raises InputError for a folder that is neither, or damaged; for a run in another grounding than `som`; and where
    none of the sources has an expert for any of the tasks.
    """
    wanted = set(tasks)
    by_task: dict[str, list[Callable[[], Expert]]] = {}
    named: list[str] = []
    for number, folder in enumerate(sources):
        if (folder / MANIFEST).is_file():
            found = _of_run(folder, number, wanted)
            named.append(f"run {hashlib.sha256((folder / EPISODES).read_bytes()).hexdigest()}")
        elif (folder / DATASET_FILE).is_file():
            found = _of_dataset(folder, number, wanted)
            named.append(f"dataset {open_dataset(folder).manifest.signature}")
        else:
            raise InputError(f"{folder} is neither a run nor a dataset", fix="Make one with `guideact train experts`.")
        for task_id, reader in found:
            by_task.setdefault(task_id, []).append(reader)
    if sources and not by_task:
        raise InputError(
            f"{', '.join(map(str, sources))} holds no success at any of the tasks", fix="Give other --experts."
        )
    return Experts({task_id: tuple(readers) for task_id, readers in by_task.items()}, tuple(named))


# --- a run --------------------------------------------------------------------------------------------------------


def _of_run(folder: Path, number: int, wanted: set[str]) -> list[tuple[str, Callable[[], Expert]]]:
    manifest = read_manifest(folder)
    _refuse_grounding(folder, manifest.grounding)
    successes = sorted(
        (episode for episode in read_episodes(folder) if episode.success and episode.task_id in wanted),
        key=lambda episode: (episode.sample, episode.task_id),
    )

    def reader(episode: Episode) -> Callable[[], Expert]:
        source = f"run {manifest.model} sample {episode.sample}"
        return lambda: _expert(folder, episode, f"expert/{number}/{episode.task_id}/{episode.sample}", source)

    return [(episode.task_id, reader(episode)) for episode in successes]


def _refuse_grounding(folder: Path, grounding: Grounding) -> None:
    if grounding != "som":
        raise InputError(f"{folder} is a run in {grounding}, and the built-in agent acts on marks", fix="Use som.")


def _expert(folder: Path, episode: Episode, key: str, source: str) -> Expert:
    steps = tuple(
        ExpertStep(observation_of(folder, step.observation), step.action, (step.guide,), step.sampled)
        for step in episode.steps
        if step.action is not None
    )
    return Expert(episode.task_id, key, source, steps)


def observation_of(folder: Path, path: str) -> Observation:
    """An observation that a run kept. Raises InputError where it is missing or damaged."""
    try:
        return Observation.model_validate_json((folder / path).read_bytes())
    except OSError as error:
        raise InputError(
            f"{folder / path} cannot be read: {error.strerror}", fix="Training needs the steps of a run: keep them."
        ) from error
    except ValidationError as error:
        raise InputError(f"{folder / path} is damaged", fix="Make the run again.") from error


# --- a dataset ----------------------------------------------------------------------------------------------------


def _of_dataset(folder: Path, number: int, wanted: set[str]) -> list[tuple[str, Callable[[], Expert]]]:
    dataset = open_dataset(folder)
    if dataset.manifest.grounding != "both":
        raise InputError(f"{folder} has points and no marks", fix="Give another dataset as --experts.")
    source = f"dataset {dataset.manifest.source} {dataset.manifest.signature[:8]}"
    texts: dict[str, list[str]] = {}
    for task_id, _, text in dataset.step_texts("train"):
        if task_id in wanted:
            texts.setdefault(task_id, []).append(text)

    def reader(task_id: str, steps: list[str]) -> Callable[[], Expert]:
        return lambda: _demonstrated(task_id, f"expert/{number}/{task_id}", source, steps)

    return [(task_id, reader(task_id, steps)) for task_id, steps in texts.items()]


def _demonstrated(task_id: str, key: str, source: str, texts: Sequence[str]) -> Expert:
    steps = (DemoStep.model_validate_json(text) for text in texts)
    return Expert(task_id, key, source, tuple(ExpertStep(step.observation, step.action, step.guides) for step in steps))


def train_config(config: RunConfig) -> RunConfig:
    """The same run on train tasks alone, named ones included. Raises InputError where none is left."""
    config = config.model_copy(update={"split": "train"})
    if not config.sample_id and config.tasks is None:
        return config
    kept = tuple(task.id for task in choose_tasks(config) if task.split == "train")
    if not kept:
        raise InputError("none of these tasks is of the train split", fix="Name train tasks: `guideact tasks`.")
    return config.model_copy(update={"sample_id": kept})


# --- counts -------------------------------------------------------------------------------------------------------


class Passes(Frozen):
    """What some passes of an expert over the tasks came to, as MAG counts it (112 + 122 successes, union 139)."""

    model: str
    tasks: int
    passes: tuple[int, ...]
    """Tasks solved in each pass."""
    union: int
    """Tasks solved in any pass."""
    every: int
    """Tasks solved in all passes."""
    errors: int
    """Episodes that ended in an infrastructure error: in no count."""
    missing: int
    """Episodes that are still to be done."""


def count_passes(folder: Path) -> Passes:
    """Count the successes of a run, pass by pass. Raises InputError for a folder that is no run."""
    manifest = read_manifest(folder)
    episodes = tuple(read_episodes(folder))
    solved = [
        {each.task_id for each in episodes if each.success and each.sample == number}
        for number in range(manifest.epochs)
    ]
    return Passes(
        model=manifest.model,
        tasks=len(manifest.tasks),
        passes=tuple(map(len, solved)),
        union=len(set().union(*solved)),
        every=len(set.intersection(*solved)) if solved else 0,
        errors=sum(each.check is None for each in episodes),
        missing=len(manifest.tasks) * manifest.epochs - len(episodes),
    )
