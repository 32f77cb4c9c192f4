"""What the harness asks a model, and what comes back.

A model is a function from a `Request` to a `Reply`, and keeps nothing between calls: one object serves every worker of
a run, and everything it may know about the episode is in the request. The scripted baselines live here beside the real
ones, so that both go through the same prompts, the same parsing and the same counting. What a model can do besides
answering it declares (`Abilities`), so that asking for more is refused before a run starts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from guideact.errors import InputError, ModelError
from guideact.prompts import Prompt
from guideact.types import Effort, Frozen, Grounding, Observation, Task, Usage


class Sampling(Frozen):
    """How an answer is sampled."""

    temperature: float | None = None
    """None leaves it to the endpoint, whose default is mostly 1."""
    seed: int = 0
    """Repetition k of a task is asked with the run's seed + k. An endpoint may take it as a wish."""
    max_tokens: int = 4096
    """Output tokens of one answer, reasoning included."""
    effort: Effort | None = None
    """How much a reasoning model reasons; None leaves it to the endpoint."""


@dataclass(frozen=True)
class Abilities:
    """What a model can do besides answering in words."""

    images: bool = False
    """The image makes a difference: a model that reads none lets the harness skip the screenshot."""
    seed: bool = False
    logprobs: bool = False
    """Log-probabilities of the tokens it chose."""
    prefix: bool = False
    """The start of its answer can be forced."""
    structured_output: bool = False
    """Its decoding can be held to a JSON schema."""
    efforts: tuple[Effort, ...] = ()
    """Levels of reasoning effort that it may be asked for."""


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
    schema: Mapping[str, Any] | None = None
    """JSON schema that the answer is held to while it is decoded (`models.schema`)."""
    prefix: str = ""
    """How the answer has to begin. It is part of the reply's text."""
    logprobs: bool = False


@dataclass(frozen=True)
class TokenLogprob:
    """A token of an answer, as text, and the natural logarithm of its probability."""

    token: str
    logprob: float
    id: int | None = None
    """Its number in the model's vocabulary, where that is known."""


@dataclass(frozen=True)
class Reply:
    """The text that a model answered with, unparsed, and what it cost."""

    text: str
    usage: Usage | None = None
    """None where nothing was counted, as with the scripted baselines."""
    logprobs: tuple[TokenLogprob, ...] = field(default=())
    """Of the tokens that the model chose, a forced start left out; empty where none were asked for."""


class Unusable(ModelError):
    """A model's own failure that was answered, and hence counted and paid for: a refusal, a cut or an empty answer."""

    def __init__(
        self, kind: str, message: str, *, text: str = "", usage: Usage, logprobs: tuple[TokenLogprob, ...] = ()
    ) -> None:
        super().__init__(kind, message, text=text)
        self.usage = usage
        self.logprobs = logprobs
        """Of its tokens, as in a `Reply`."""


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
    def can(self) -> Abilities:
        """What it may be asked for."""
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


def refuse_beyond(
    name: str,
    can: Abilities,
    sampling: Sampling,
    *,
    structured_output: bool = False,
    prefix: bool = False,
    logprobs: bool = False,
) -> None:
    """Raise InputError where the model `name` is asked for what it cannot do.

    A seed of 0 is the default and no wish; any other one is.
    """
    if sampling.effort is not None and sampling.effort not in can.efforts:
        known = f"one of {', '.join(can.efforts)}, or leave it out" if can.efforts else ""
        raise InputError(
            f"{name} has no reasoning effort {sampling.effort}",
            fix=f"Give --reasoning-effort {known}." if known else "Leave out --reasoning-effort.",
        )
    if sampling.seed and not can.seed:
        raise InputError(
            f"{name} takes no seed", fix="Leave out --seed: its repetitions differ by chance, and cannot be repeated."
        )
    if structured_output and not can.structured_output:
        raise InputError(f"{name} cannot be held to a schema", fix="Leave out --structured-output.")
    if prefix and not can.prefix:
        raise InputError(f"the start of an answer of {name} cannot be forced", fix="Use a model that allows it.")
    if logprobs and not can.logprobs:
        raise InputError(f"{name} gives no log-probabilities", fix="Use a model that does.")
