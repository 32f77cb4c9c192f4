"""Models for tests of the harness: real implementations of the protocol, that answer what a test wants."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from guideact.actions import format_answer
from guideact.config import RunConfig
from guideact.harness.agent import ModelAgents
from guideact.models.base import Abilities, Reply, Request
from guideact.types import Episode, Finish

FINISH = format_answer(Finish(answer="done"), "Finish here.")


class Says:
    """Answers what a function of the request gives: a text, or an exception to raise."""

    name = "test/says"
    can = Abilities()

    def __init__(self, answer: Callable[[Request], str | BaseException], *, probe: BaseException | None = None) -> None:
        self._answer = answer
        self._probe = probe
        self.requests: list[Request] = []

    async def probe(self) -> None:
        if self._probe is not None:
            raise self._probe

    async def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        said = self._answer(request)
        if isinstance(said, BaseException):
            raise said
        return Reply(text=said)

    async def close(self) -> None:
        pass


class Hangs(Says):
    """Never answers."""

    def __init__(self) -> None:
        super().__init__(lambda request: "")

    async def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        await asyncio.Event().wait()
        raise AssertionError("nobody sets that event")


def agents(model: Says, **config: object) -> ModelAgents:
    return ModelAgents(model, RunConfig.model_validate(config))


class Notes:
    """A watcher that writes down what it is told."""

    def __init__(self) -> None:
        self.begun: list[tuple[int, int]] = []
        self.redone = 0
        self.steps = 0
        self.retries: list[tuple[str, int, str]] = []
        self.waits: list[tuple[str, int, float]] = []
        self.episodes: list[Episode] = []
        self.said: list[str] = []

    def begin(self, done: object, total: int, redone: int) -> None:
        self.begun.append((len(done), total))  # type: ignore[arg-type]
        self.redone = redone

    def step(self) -> None:
        self.steps += 1

    def retry(self, key: tuple[str, int], error: str, seconds: float) -> None:
        self.retries.append((*key, error))
        self.waits.append((*key, seconds))

    def episode(self, episode: Episode) -> None:
        self.episodes.append(episode)

    def say(self, text: str) -> None:
        self.said.append(text)
