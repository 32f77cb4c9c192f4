"""Anthropic's Messages API.

`POST {base_url}/messages` with the key in `x-api-key`, and always as a stream, which keeps a long answer from looking
like a dead connection. Source: Anthropic's API reference (version 2023-06-01 of the interface), its pages on streaming,
stop reasons, errors, structured outputs, extended and adaptive thinking.

Models up to Claude 4.5 think with a budget of tokens, later ones as their `effort` says; the former can be given the
start of an answer unless they think or are held to a schema, the latter not. There are neither seeds nor
log-probabilities.

Images: older models see what is larger than about 1.15 megapixels made smaller (1440 x 900 are 1.3), and give pixels of
what they see. Neither request nor answer says whether that happened, so coordinates are taken as they come: the
grounding `coord` suits models that see the whole resolution.
"""

from __future__ import annotations

import base64
import re
from typing import Any

from guideact.errors import InputError
from guideact.models.api import ApiModel, Ask, Said
from guideact.models.base import Abilities, Sampling
from guideact.models.http import BROKEN_OFF, Passing, count_of, dict_of, events, text_of
from guideact.models.prices import Tokens
from guideact.types import Effort

VERSION = "2023-06-01"
SMALLEST_BUDGET = 1024
"""Tokens that a model which thinks with a budget must be given at least."""

_WITH_BUDGET = re.compile(r"claude-(?:[23]|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:-\d{8}|$))")
"""Names of the generations before adaptive thinking."""
_SHARE: dict[Effort, float] = {"low": 0.25, "medium": 0.5, "high": 0.75}
"""Of the output limit, which the budget is a part of."""
_USED_UP = "You have reached your specified API usage limits"
_STATUS = {
    "invalid_request_error": 400,
    "authentication_error": 401,
    "billing_error": 402,
    "permission_error": 403,
    "not_found_error": 404,
    "request_too_large": 413,
    "rate_limit_error": 429,
    "api_error": 500,
    "timeout_error": 504,
    "overloaded_error": 529,
}
"""What an error's type stands for: one that comes within a stream has no status."""


class AnthropicModel(ApiModel):
    """A Claude model."""

    maker = "anthropic"
    home = "https://api.anthropic.com/v1"
    variables = ("ANTHROPIC_API_KEY",)

    @property
    def _budgeted(self) -> bool:
        return _WITH_BUDGET.match(self._model) is not None

    @property
    def can(self) -> Abilities:
        return Abilities(
            images=True,
            prefix=self._budgeted and self._sampling.effort is None and self._schema is None,
            structured_output=True,
            efforts=("low", "medium", "high") if self._budgeted else ("low", "medium", "high", "xhigh", "max"),
        )

    def _excluded(self, sampling: Sampling) -> InputError | None:
        if sampling.effort is None:
            return None
        if sampling.temperature is not None:
            return InputError(
                f"{self.name} takes no temperature while it reasons",
                fix="Leave out --temperature or --reasoning-effort.",
            )
        if self._budgeted and sampling.max_tokens <= SMALLEST_BUDGET:
            return InputError(
                f"{self.name} reasons with {SMALLEST_BUDGET} tokens at least, and --max-tokens includes them",
                fix=f"Give more than --max-tokens {SMALLEST_BUDGET}, or leave out --reasoning-effort.",
            )
        return None

    def _address(self) -> str:
        return self._base.removesuffix("/messages") + "/messages"

    def _headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": VERSION} | ({"x-api-key": key} if key else {})

    def _body(self, ask: Ask) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": ask.user}]
        if ask.image is not None:
            data = base64.b64encode(ask.image).decode("ascii")
            content.append({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}})
        sampling = ask.sampling
        body: dict[str, Any] = {
            "model": self._model,
            "max_tokens": sampling.max_tokens,
            "messages": [{"role": "user", "content": content}],
            "stream": True,
        }
        if ask.system:
            body["system"] = ask.system
        if ask.prefix:
            # White space at its end is refused; the answer goes on with its own.
            body["messages"].append({"role": "assistant", "content": ask.prefix.rstrip()})
        if (temperature := self._temperature(sampling)) is not None:
            body["temperature"] = temperature
        output: dict[str, Any] = {}
        if sampling.effort is not None and self._budgeted:
            budget = max(SMALLEST_BUDGET, int(_SHARE[sampling.effort] * sampling.max_tokens))
            body["thinking"] = {"type": "enabled", "budget_tokens": budget}
        elif sampling.effort is not None:
            body["thinking"] = {"type": "adaptive"}
            output["effort"] = sampling.effort
        if ask.schema is not None:
            output["format"] = {"type": "json_schema", "schema": dict(ask.schema)}
        if output:
            body["output_config"] = output
        return body

    def _meant(self, status: int, data: Any, text: str) -> int:
        kind = text_of(dict_of(dict_of(data).get("error")).get("type"))
        if kind == "invalid_request_error" and "credit balance" in text:
            return 402
        if kind == "invalid_request_error" and _USED_UP in text:
            return 429
        # A status of the protocol says more than a type of error, which several share.
        return _STATUS.get(kind, status) if status == 502 else status

    def _used_up(self, data: Any, text: str) -> bool:
        """The limit that an account sets itself, which lasts to the end of the month."""
        return _USED_UP in text

    def _read(self, data: Any) -> Said:
        """The text blocks, joined; what the model thought is left out."""
        message = dict_of(data)
        content, reason = message.get("content"), message.get("stop_reason")
        if not isinstance(content, list):
            raise Passing("answered with JSON that is no message")
        blocks = [block for block in content if isinstance(block, dict) and block.get("type") == "text"]
        text = "".join(text_of(block.get("text")) for block in blocks)
        tokens = _tokens(message.get("usage"))
        match reason:
            case "refusal":
                details = dict_of(message.get("stop_details"))
                why = text_of(details.get("explanation")) or text or text_of(details.get("category"))
                return Said(text, "refusal", why=why, tokens=tokens)
            case "max_tokens":
                return Said(text, "cut", tokens=tokens)
            case "model_context_window_exceeded":
                return Said(text, "context_overflow", tokens=tokens)
            case _:
                return Said(text, tokens=tokens)

    def _gather(self, text: str) -> Any:
        message: dict[str, Any] | None = None
        blocks: dict[int, dict[str, Any]] = {}
        whole = False
        for event in events(text):
            event = dict_of(event)
            match event.get("type"):
                case "error":
                    return {"error": event.get("error")}
                case "message_start":
                    message = dict_of(event.get("message"))
                case "content_block_start":
                    blocks[count_of(event.get("index")) or 0] = dict(dict_of(event.get("content_block")))
                case "content_block_delta":
                    block = blocks.setdefault(count_of(event.get("index")) or 0, {"type": "text"})
                    delta = dict_of(event.get("delta"))
                    if delta.get("type") == "text_delta":
                        block["text"] = text_of(block.get("text")) + text_of(delta.get("text"))
                case "message_delta" if message is not None:
                    message |= {k: v for k, v in dict_of(event.get("delta")).items() if v is not None}
                    # Counts of a stream are running totals; those that are not repeated keep their first value.
                    counted = {k: v for k, v in dict_of(event.get("usage")).items() if v is not None}
                    message["usage"] = dict_of(message.get("usage")) | counted
                case "message_stop":
                    whole = True
        if message is None or not whole:
            raise Passing(f"{BROKEN_OFF} (the stream ended early)")
        return message | {"content": [blocks[index] for index in sorted(blocks)]}


def _tokens(usage: Any) -> Tokens | None:
    """Anthropic counts apart what came from its cache and what went into it; here they are part of the input."""
    found = dict_of(usage)
    fresh, written = count_of(found.get("input_tokens")), count_of(found.get("output_tokens"))
    if fresh is None and written is None:
        return None
    cached = count_of(found.get("cache_read_input_tokens")) or 0
    stored = count_of(found.get("cache_creation_input_tokens")) or 0
    return Tokens(None if fresh is None else fresh + cached + stored, written, cached=cached, stored=stored)
