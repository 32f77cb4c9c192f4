"""The three dialects side by side: how each says the same thing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from guideact.models.anthropic import AnthropicModel
from guideact.models.api import ApiModel
from guideact.models.base import Request, Sampling
from guideact.models.google import GoogleModel
from guideact.models.http import Patience
from guideact.models.openai import OpenAIModel
from guideact.prompts import build_prompt
from guideact.types import Observation, Task

from .endpoint import Behaviour, Endpoint, endpoint
from .wire import (
    KEY,
    PNG,
    Server,
    anthropic_error,
    anthropic_server,
    candidate,
    completion,
    gives,
    google_error,
    google_server,
    message,
    openai_error,
    openai_server,
)

TASK = Task(id="t.1", intent="Find the price", sites=("shopping",), start_url="__SHOPPING__/")
PAGE = Observation(url="http://shopping.localhost/", title="Shop")
QUICK = Patience(attempts=3, first_wait=0.001, longest_wait=30, request=20, total=40)


@dataclass(frozen=True)
class Dialect:
    client: type[ApiModel]
    server: Callable[[], Server]
    base: str
    model: str
    error: Callable[..., Any]
    says: Callable[[str], Behaviour]
    cut: Callable[[str], Behaviour]
    refuses: Callable[[str], Behaviour]
    """A refusal with these words."""
    too_long: Behaviour

    @property
    def name(self) -> str:
        return f"{self.client.maker}/{self.model}"


OPENAI = Dialect(
    OpenAIModel,
    openai_server,
    "/v1",
    "gpt-x",
    openai_error,
    lambda text: gives(completion(text)),
    lambda text: gives(completion(text, reason="length")),
    lambda text: gives(completion(None, refusal=text)),
    gives(openai_error(400, "This model's maximum context length is 4096 tokens."), 400),
)
ANTHROPIC = Dialect(
    AnthropicModel,
    anthropic_server,
    "/v1",
    "claude-x",
    anthropic_error,
    message,
    lambda text: message(text, reason="max_tokens"),
    lambda text: message(text, reason="refusal"),
    gives(anthropic_error(400, "prompt is too long: 208310 tokens > 200000 maximum"), 400),
)
GOOGLE = Dialect(
    GoogleModel,
    google_server,
    "/v1beta",
    "gemini-x",
    google_error,
    lambda text: gives(candidate(text)),
    lambda text: gives(candidate(text, reason="MAX_TOKENS")),
    lambda text: gives(candidate(reason="SAFETY", finishMessage=text)),
    gives(
        google_error(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
        400,
    ),
)
ALL = [OPENAI, ANTHROPIC, GOOGLE]


@asynccontextmanager
async def serving(dialect: Dialect, *behaviours: Behaviour, server: Server | None = None) -> AsyncIterator[Endpoint]:
    """A server of the dialect, that refuses what is not of its form."""
    server = server or dialect.server()
    async with endpoint(*behaviours, path=server.path, check=server.check) as there:
        yield there
    assert server.refused == []


class Waits:
    """Stands for the clock: notes how long the client would wait, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def client(there: Endpoint, dialect: Dialect, *, model: str = "", waits: Waits | None = None, **more: Any) -> ApiModel:
    settings: dict[str, Any] = {"key": KEY, "patience": QUICK, "sleep": waits or Waits(), **more}
    return dialect.client(model or dialect.model, base_url=there.root + dialect.base, **settings)


def request(image: bytes | None = PNG, *, seed: int = 0, **more: Any) -> Request:
    sampling = more.pop("sampling", None) or Sampling(seed=seed, max_tokens=900)
    return Request(
        prompt=build_prompt(TASK.intent, PAGE, ("Open the shop.",), "som"),
        image=image,
        task=TASK,
        observation=PAGE,
        memory=("Open the shop.",),
        step=1,
        grounding="som",
        sampling=sampling,
        **more,
    )
