"""The smallest thing to learn: a page with eight buttons, one of which is what every task wants. Chance is low."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from guideact.config import FREE_ON_RESUME, RunConfig
from guideact.harness.agent import Agents
from guideact.harness.evaluate import make_manifest
from guideact.harness.log import RunLog
from guideact.harness.runner import Watcher
from guideact.models.builtin.frames import Frame
from guideact.models.builtin.network import SIZES, new_network
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.weights import Weights, save_weights
from guideact.train.settings import RoundRecord
from guideact.types import CheckResult, Click, Episode, Finish, Mark, Observation, Split, Step, Task
from tests.tasks.pages import candidate, line, page

LAMPS = ("Amber", "Birch", "Cedar", "Dune", "Ember", "Fern", "Grove", "Heath")
RIGHT = "Ember"
SAID = (Frame("click", "Press “{name}”."), Frame("finish", "Stop here."), Frame("finish", "That is all."))


def lamps() -> Observation:
    buttons = [candidate(number, "button", name, 10, 40 * number) for number, name in enumerate(LAMPS, 1)]
    return page(line("Which lamp is it today?", 10, 10), *buttons)


def lamp_task(number: int, split: Split = "train", max_steps: int = 1) -> Task:
    return Task(
        id=f"lamps.{number}",
        intent=f"Switch on what room {number} needs.",
        sites=("shopping",),
        start_url="__SHOPPING__/",
        template_id="lamps",
        split=split,
        max_steps=max_steps,
    )


def untrained(path: Path) -> Path:
    """A weights file of an agent that knows nothing but three sentences."""
    save_weights(path, Weights(Policy(new_network(SIZES["small"], 0), SAID), {}))
    return path


class Stopped(Exception):
    """The process was killed here."""


class Lamps:
    """Plays there, through the classes that live episodes go through; only the browser is missing.

    After `stop_after` episodes it is killed in the middle of the next one. Episodes named in `broken`, as (folder,
    task, sample), end in an infrastructure error.
    """

    def __init__(
        self,
        stop_after: int | None = None,
        broken: frozenset[tuple[str, str, int]] = frozenset(),
        must_stop: bool = False,
    ) -> None:
        """`must_stop`: the right lamp alone is no success, the agent has to finish then."""
        self.left = stop_after
        self.must_stop = must_stop
        self.broken = broken
        self.played: list[tuple[str, str, int]] = []

    async def __call__(
        self, tasks: Sequence[Task], agents: Agents, config: RunConfig, folder: Path, watcher: Watcher
    ) -> None:
        with RunLog.open(folder, make_manifest(config, tasks, "paper"), FREE_ON_RESUME) as log:
            watcher.begin(log.done, len(tasks) * config.epochs, log.redone)
            for sample in range(config.epochs):
                for task in tasks:
                    if (task.id, sample) not in log.done:
                        episode = await self._episode(task, sample, agents, log)
                        log.append(episode)
                        watcher.episode(episode)
                        self.played.append((folder.name, task.id, sample))

    async def _episode(self, task: Task, sample: int, agents: Agents, log: RunLog) -> Episode:
        agent, seen = agents.agent(task, sample), lamps()
        steps: list[Step] = []
        pressed: list[str] = []
        while len(steps) < task.max_steps:
            decision = await agent.decide(seen, None, len(steps))
            action = decision.answer.action
            steps.append(
                Step(
                    index=len(steps),
                    url=seen.url,
                    title=seen.title,
                    observation=log.keep_observation(task.id, sample, len(steps), seen),
                    raw=decision.raw,
                    action=action,
                    guide=decision.answer.guide,
                    sampled=decision.sampled,
                )
            )
            agent.remember(steps[-1], seen)
            if isinstance(action, Click) and isinstance(action.target, Mark):
                pressed.append(seen.candidates[action.target.mark - 1].name)
            if isinstance(action, Finish):
                break
        if self.left is not None:
            self.left -= 1
            if self.left < 0:
                raise Stopped
        error = "the browser died" if (log.folder.name, task.id, sample) in self.broken else ""
        finished = isinstance(steps[-1].action, Finish)
        return Episode(
            task_id=task.id,
            sample=sample,
            template_id=task.template_id,
            sites=task.sites,
            split=task.split,
            intent=task.intent,
            steps=tuple(steps),
            end="infrastructure_error" if error else "finished" if finished else "out_of_steps",
            check=None if error else CheckResult(passed=pressed == [RIGHT] and (finished or not self.must_stop)),
            error=error,
        )


class Silent:
    """A watcher that keeps what it is told."""

    def __init__(self) -> None:
        self.records: list[RoundRecord] = []
        self.began: list[int] = []
        self.phases: list[tuple[int, str]] = []

    def training(self, records: Sequence[RoundRecord], rounds: int) -> None:
        self.began.append(len(records))

    def phase(self, number: int, what: str) -> None:
        self.phases.append((number, what))

    def round(self, record: RoundRecord) -> None:
        self.records.append(record)

    def begin(self, done: object, total: int, redone: int) -> None: ...
    def step(self) -> None: ...
    def retry(self, key: object, error: str, seconds: float) -> None: ...
    def episode(self, episode: Episode) -> None: ...
    def say(self, text: str) -> None: ...
