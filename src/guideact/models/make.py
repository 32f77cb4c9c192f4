"""From `provider/name` to a client."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from guideact.models.anthropic import AnthropicModel
from guideact.models.api import CONNECTIONS, ApiModel
from guideact.models.base import Sampling
from guideact.models.google import GoogleModel
from guideact.models.http import key_from_environment
from guideact.models.openai import OpenAIModel
from guideact.models.prices import PriceTable

CLIENTS: dict[str, type[ApiModel]] = {each.maker: each for each in (OpenAIModel, AnthropicModel, GoogleModel)}
"""The clients by what stands before the slash."""


def api_model(
    name: str,
    *,
    base_url: str | None = None,
    sampling: Sampling | None = None,
    images: bool = True,
    schema: Mapping[str, Any] | None = None,
    logprobs: bool = False,
    lenient: bool = False,
    max_connections: int = CONNECTIONS,
    prices: PriceTable | None = None,
    cache: Path | None = None,
) -> ApiModel:
    """The client for `provider/name` (see `is_named`), with the key from the environment.

    The arguments are those of `ApiModel`. Raises InputError as its constructor does.
    """
    maker, _, model = name.partition("/")
    client = CLIENTS[maker]
    return client(
        model,
        base_url=base_url,
        key=key_from_environment(client.variables),
        sampling=sampling,
        images=images,
        schema=schema,
        logprobs=logprobs,
        lenient=lenient,
        max_connections=max_connections,
        prices=prices,
        cache=cache,
    )


def is_named(name: str) -> bool:
    """Whether the name is one of a provider's model."""
    maker, _, model = name.partition("/")
    return maker in CLIENTS and bool(model)


def named_clients() -> str:
    """How the models of providers are written: `openai/NAME, anthropic/NAME or google/NAME`."""
    *first, last = (f"{maker}/NAME" for maker in CLIENTS)
    return f"{', '.join(first)} or {last}"
