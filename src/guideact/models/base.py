"""What the harness asks a model, and what comes back.

A model is a function from a `Request` to a `Reply`, and keeps nothing between calls: one object serves every worker of
a run, and everything it may know about the episode is in the request. The scripted baselines live here beside the real
ones, so that both go through the same prompts, the same parsing and the same counting.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from guideact.prompts import Prompt
from guideact.types import Frozen, Grounding, Observation, Task, Usage


class Sampling(Frozen):
    """How an answer is sampled."""

    temperature: float | None = None
    """None leaves it to the endpoint, whose default is mostly 1."""
    seed: int = 0
    """Repetition k of a task is asked with the run's seed + k. An endpoint may take it as a wish."""
    max_tokens: int = 4096
    """Output tokens of one answer, reasoning included."""


@dataclass(frozen=True)
class Request:
    """One step to decide: what a real model reads (`prompt`, `image`), and what that was made of."""

    prompt: Prompt
    image: bytes | None
    """PNG of the viewport with the marks drawn; None where screenshots are skipped."""
    task: Task
    observation: Observation
    memory: tuple[str, ...]
    """What the agent is told of its earlier steps, oldest first, as the prompt shows it."""
    step: int
    """0-based."""
    grounding: Grounding
    sampling: Sampling


@dataclass(frozen=True)
class Reply:
    """The text that a model answered with, unparsed, and what it cost."""

    text: str
    usage: Usage | None = None
    """None where nothing was counted, as with the scripted baselines."""


class Model(Protocol):
    """Anything that can answer a request.

    Raises `ModelError` when the model itself failed (a refusal, an empty or cut answer, too long a prompt),
    `ModelUnavailable` when its surroundings did, and `InputError` for what only the user can mend (a wrong key).
    """

    @property
    def name(self) -> str:
        """As the user wrote it: `scripted/noop`, `openai/gpt-4o`."""
        ...

    @property
    def reads_pixels(self) -> bool:
        """Whether the image makes a difference: a model that reads none lets the harness skip the screenshot."""
        ...

    async def probe(self) -> None:
        """Find out, before a run starts, what would make every answer fail: the key, the name, the address."""
        ...

    async def answer(self, request: Request) -> Reply:
        """Decide one step."""
        ...

    async def close(self) -> None:
        """Release what is held open."""
        ...
