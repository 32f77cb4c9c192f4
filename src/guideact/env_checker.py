"""Does an environment keep the contract of `guideact.env`? Run it on an environment of your own before you trust it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Protocol

from guideact.types import Action, CheckResult, Finish, GoBack, Observation, RowChange, Task


class _Result(Protocol):
    """What `step` returns: see `guideact.env.StepResult`."""

    @property
    def observation(self) -> Observation: ...
    @property
    def terminated(self) -> bool: ...
    @property
    def truncated(self) -> bool: ...
    @property
    def outcome(self) -> Any: ...


class Environment(Protocol):
    """The methods that the contract names."""

    async def reset(self, task: Task) -> Observation: ...
    async def step(self, action: Action | None) -> _Result: ...
    async def check(self) -> CheckResult: ...
    def changes(self) -> tuple[RowChange, ...]: ...


async def check_env(env: Environment, task: Task) -> tuple[str, ...]:
    """Every breach of the contract found with `task`, one sentence each; empty if there is none.

    The task must not be solved by doing nothing. The environment is left after a finished episode.
    """
    found: list[str] = []
    short = task.model_copy(update={"max_steps": 2})

    first = await env.reset(short)
    found += _faults_of(first)
    if await _accepts(env.check()):
        found.append("check gives a verdict before the episode is over")
    malformed = await env.step(None)
    if malformed.outcome is None or malformed.outcome.code != "malformed":
        found.append("a malformed step has no outcome of the code malformed")
    if malformed.observation.url != first.url:
        found.append("a malformed step moves the page")
    if malformed.terminated or malformed.truncated:
        found.append("the first of two steps ends the episode")
    second = await env.step(GoBack())
    if not second.truncated or second.terminated:
        found.append("a spent budget does not truncate the episode, or terminates it")
    if await _accepts(env.step(GoBack())):
        found.append("a step is accepted after the end of the episode")
    if (await env.check()).passed:
        found.append("doing nothing passes the task's check")

    again = await env.reset(task)
    if _shape(again) != _shape(first):
        found.append("two resets of one task show different pages")
    if env.changes():
        found.append("the sites' data has changed though nothing was done")
    finished = await env.step(Finish())
    if not finished.terminated or finished.truncated:
        found.append("finish does not terminate the episode, or truncates it")
    if await env.check() != await env.check():
        found.append("check asked twice gives two verdicts")
    return tuple(found)


def _faults_of(observation: Observation) -> list[str]:
    found = []
    if [candidate.mark for candidate in observation.candidates] != list(range(1, len(observation.candidates) + 1)):
        found.append("marks are not numbered 1 to n in the order of the candidates")
    width, height = observation.viewport.width, observation.viewport.height
    for candidate in observation.candidates:
        x, y = candidate.point
        if not (0 <= x <= width and 0 <= y <= height):
            found.append(f"the point of mark {candidate.mark} lies outside the viewport")
    if not observation.url:
        found.append("the observation has no url")
    return found


def _shape(observation: Observation) -> tuple[Any, ...]:
    return (observation.url, observation.title, observation.candidates)


async def _accepts(call: Awaitable[Any]) -> bool:
    try:
        await call
    except ValueError:
        return False
    return True
