"""Local servers that speak the providers' wire formats: a body of another form is a 400 as the provider words it.

The forms are written down from the providers' references, apart from the clients: every field that is not named there
is refused, as are keys and headers that are missing. `behaviours` of `endpoint` then say what a valid request gets.
"""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from .endpoint import Behaviour

KEY = "key-of-the-tests/+8"
PNG = b"\x89PNG image"


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


def _decoded(data: str) -> str:
    base64.b64decode(data, validate=True)
    return data


# --- OpenAI -----------------------------------------------------------------------------------------------------


class OpenAIUrl(Strict):
    url: str = Field(pattern=r"^data:image/png;base64,[A-Za-z0-9+/]+=*$")


class OpenAIPart(Strict):
    type: Literal["text", "image_url"]
    text: str | None = None
    image_url: OpenAIUrl | None = None


class OpenAIMessage(Strict):
    role: Literal["system", "user", "assistant"]
    content: str | list[OpenAIPart]


class OpenAISchema(Strict):
    name: str = Field(pattern=r"^[\w-]{1,64}$")
    strict: bool
    schema_: dict[str, Any] = Field(alias="schema")


class OpenAIFormat(Strict):
    type: Literal["json_schema"]
    json_schema: OpenAISchema


class OpenAIBody(Strict):
    """As OpenAI itself takes it."""

    model: str
    messages: list[OpenAIMessage] = Field(min_length=1)
    temperature: float | None = Field(default=None, ge=0, le=2)
    seed: int | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    max_completion_tokens: int | None = Field(default=None, ge=1)
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = None
    logprobs: bool | None = None
    response_format: OpenAIFormat | None = None


class VllmBody(OpenAIBody):
    """As vLLM takes it besides."""

    add_generation_prompt: bool = True
    continue_final_message: bool = False
    structured_outputs: dict[Literal["json"], dict[str, Any]] | None = None
    return_token_ids: bool = False

    @model_validator(mode="after")
    def _one_of_them(self) -> VllmBody:
        if self.continue_final_message and (self.add_generation_prompt or self.messages[-1].role != "assistant"):
            raise ValueError("continue_final_message needs a last message of the assistant, and no generation prompt")
        return self


# --- Anthropic --------------------------------------------------------------------------------------------------


class AnthropicSource(Strict):
    type: Literal["base64"]
    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]
    data: str
    _data = field_validator("data")(_decoded)


class AnthropicBlock(Strict):
    type: Literal["text", "image"]
    text: str | None = Field(default=None, min_length=1)
    source: AnthropicSource | None = None


class AnthropicMessage(Strict):
    role: Literal["user", "assistant"]
    content: str | list[AnthropicBlock]


class AnthropicThinking(Strict):
    type: Literal["enabled", "adaptive"]
    budget_tokens: int | None = Field(default=None, ge=1024)


class AnthropicFormat(Strict):
    type: Literal["json_schema"]
    schema_: dict[str, Any] = Field(alias="schema")


class AnthropicOutput(Strict):
    effort: Literal["low", "medium", "high", "xhigh", "max"] | None = None
    format: AnthropicFormat | None = None


class AnthropicBody(Strict):
    model: str
    max_tokens: int = Field(ge=1)
    messages: list[AnthropicMessage] = Field(min_length=1)
    system: str | None = None
    temperature: float | None = Field(default=None, ge=0, le=1)
    thinking: AnthropicThinking | None = None
    output_config: AnthropicOutput | None = None
    stream: bool = False

    @model_validator(mode="after")
    def _together(self) -> AnthropicBody:
        thinking = self.thinking
        if thinking is not None and self.temperature not in (None, 1):
            raise ValueError("`temperature` may only be set to 1 when thinking is enabled.")
        if thinking is not None and (thinking.type == "enabled") != (thinking.budget_tokens is not None):
            raise ValueError("thinking.budget_tokens belongs to thinking.type enabled")
        if thinking is not None and thinking.budget_tokens is not None and thinking.budget_tokens >= self.max_tokens:
            raise ValueError("`max_tokens` must be greater than `thinking.budget_tokens`.")
        last = self.messages[-1]
        if last.role == "assistant" and isinstance(last.content, str) and last.content != last.content.rstrip():
            raise ValueError("final assistant content cannot end with trailing whitespace")
        return self


# --- Google -----------------------------------------------------------------------------------------------------


class GoogleBlob(Strict):
    mimeType: Literal["image/png", "image/jpeg", "image/webp"]
    data: str
    _data = field_validator("data")(_decoded)


class GooglePart(Strict):
    text: str | None = None
    inlineData: GoogleBlob | None = None


class GoogleContent(Strict):
    role: Literal["user", "model"] | None = None
    parts: list[GooglePart] = Field(min_length=1)


class GoogleSchema(Strict):
    type: Literal["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT"]
    nullable: bool | None = None
    enum: list[str] | None = None
    items: GoogleSchema | None = None
    properties: dict[str, GoogleSchema] | None = None
    required: list[str] | None = None
    propertyOrdering: list[str] | None = None


class GoogleThinking(Strict):
    thinkingBudget: int | None = Field(default=None, ge=-1)
    thinkingLevel: Literal["MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"] | None = None

    @model_validator(mode="after")
    def _either(self) -> GoogleThinking:
        if (self.thinkingBudget is None) == (self.thinkingLevel is None):
            raise ValueError("You can only set one of thinking_budget and thinking_level.")
        return self


class GoogleConfig(Strict):
    maxOutputTokens: int | None = Field(default=None, ge=1)
    seed: Annotated[int, Field(ge=-(2**31), lt=2**31)] | None = None
    temperature: float | None = Field(default=None, ge=0, le=2)
    thinkingConfig: GoogleThinking | None = None
    responseLogprobs: bool | None = None
    responseMimeType: Literal["text/plain", "application/json"] | None = None
    responseSchema: GoogleSchema | None = None

    @model_validator(mode="after")
    def _json(self) -> GoogleConfig:
        if self.responseSchema is not None and self.responseMimeType != "application/json":
            raise ValueError("response_schema needs response_mime_type application/json")
        return self


class GoogleBody(Strict):
    contents: list[GoogleContent] = Field(min_length=1)
    systemInstruction: GoogleContent | None = None
    generationConfig: GoogleConfig | None = None


# --- what every server checks -----------------------------------------------------------------------------------


@dataclass
class Server:
    """One provider's interface: where it is, what it takes, and how it says no."""

    path: str
    body: type[Strict]
    authorised: Callable[[Request], bool]
    error: Callable[[int, str], Any]
    headers: tuple[str, ...] = ()
    refused: list[str] = field(default_factory=list)
    """What was said to bodies of another form."""

    def check(self, request: Request, body: Any) -> Response | None:
        """The provider's no, or None for a request that it takes."""
        if not self.authorised(request):
            return JSONResponse(self.error(401, "invalid key"), status_code=401)
        if missing := [name for name in self.headers if name not in request.headers]:
            return self._no(f"{missing[0]}: header is required")
        try:
            self.body.model_validate(body)
        except ValidationError as error:
            first = error.errors()[0]
            return self._no(f"{'.'.join(map(str, first['loc']))}: {first['msg']}")
        return None

    def _no(self, said: str) -> Response:
        self.refused.append(said)
        return JSONResponse(self.error(400, said), status_code=400)


def openai_error(status: int, said: str) -> Any:
    kinds = {400: "invalid_request_error", 401: "invalid_request_error", 429: "requests", 503: "server_error"}
    return {"error": {"message": said, "type": kinds.get(status, "invalid_request_error"), "param": None, "code": None}}


def anthropic_error(status: int, said: str) -> Any:
    kinds = {
        400: "invalid_request_error",
        401: "authentication_error",
        403: "permission_error",
        404: "not_found_error",
        413: "request_too_large",
        429: "rate_limit_error",
        500: "api_error",
        529: "overloaded_error",
    }
    kind = kinds.get(status, "api_error")
    return {"type": "error", "error": {"type": kind, "message": said}, "request_id": "req_011"}


def google_error(status: int, said: str, *details: Any) -> Any:
    names = {
        400: "INVALID_ARGUMENT",
        401: "UNAUTHENTICATED",
        403: "PERMISSION_DENIED",
        404: "NOT_FOUND",
        429: "RESOURCE_EXHAUSTED",
        500: "INTERNAL",
        503: "UNAVAILABLE",
        504: "DEADLINE_EXCEEDED",
    }
    return {"error": {"code": status, "message": said, "status": names[status], "details": list(details)}}


def openai_server(body: type[OpenAIBody] = OpenAIBody) -> Server:
    return Server(
        "/v1/chat/completions",
        body,
        lambda request: request.headers.get("authorization") == f"Bearer {KEY}",
        openai_error,
    )


def anthropic_server() -> Server:
    return Server(
        "/v1/messages",
        AnthropicBody,
        lambda request: request.headers.get("x-api-key") == KEY,
        anthropic_error,
        headers=("anthropic-version",),
    )


def google_server(model: str = "gemini-x") -> Server:
    return Server(
        f"/v1beta/models/{model}:generateContent",
        GoogleBody,
        lambda request: request.headers.get("x-goog-api-key") == KEY,
        google_error,
    )


# --- what they answer -------------------------------------------------------------------------------------------


def gives(data: Any, status: int = 200, headers: dict[str, str] | None = None) -> Behaviour:
    """JSON."""

    async def respond(request: Request) -> Response:
        return JSONResponse(data, status_code=status, headers=headers)

    return respond


def streams(events: list[Any], *, cut_after: int | None = None, named: bool = True) -> Behaviour:
    """Server-sent events; with `cut_after`, so many bytes of them and then an orderly end."""
    text = "".join(
        (f"event: {event['type']}\n" if named and isinstance(event, dict) else "")
        + f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n"
        for event in events
    )

    async def respond(request: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            data = text.encode()[:cut_after]
            for start in range(0, len(data), 40):
                yield data[start : start + 40]

        return StreamingResponse(pieces(), media_type="text/event-stream")

    return respond


def breaks_off(events: list[Any], after: int) -> Behaviour:
    """So many bytes of a stream, and then the connection is gone."""
    text = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)

    async def respond(request: Request) -> Response:
        async def pieces() -> AsyncIterator[bytes]:
            yield text.encode()[:after]

        return StreamingResponse(pieces(), media_type="text/event-stream", headers={"content-length": "99999"})

    return respond


def message_events(
    text: str,
    *,
    reason: str = "end_turn",
    details: dict[str, Any] | None = None,
    thought: str = "",
    usage: dict[str, int] | None = None,
    written: int = 42,
) -> list[Any]:
    """A whole answer of Anthropic's, as it is streamed: in pieces, with a ping among them."""
    counted = {"input_tokens": 1300, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0, "output_tokens": 1}
    start: dict[str, Any] = {
        "id": "msg_01",
        "type": "message",
        "role": "assistant",
        "model": "claude-x",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": counted | (usage or {}),
    }
    events: list[Any] = [{"type": "message_start", "message": start}, {"type": "ping"}]
    blocks: list[tuple[dict[str, Any], list[dict[str, Any]]]] = []
    if thought:
        blocks.append(
            (
                {"type": "thinking", "thinking": "", "signature": ""},
                [{"type": "thinking_delta", "thinking": thought}, {"type": "signature_delta", "signature": "c2ln"}],
            )
        )
    pieces = [text[at : at + 7] for at in range(0, len(text), 7)]
    blocks.append(({"type": "text", "text": ""}, [{"type": "text_delta", "text": piece} for piece in pieces]))
    for index, (block, deltas) in enumerate(blocks):
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": index})
    delta = {"stop_reason": reason, "stop_sequence": None, "stop_details": details}
    events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": written}})
    return [*events, {"type": "message_stop"}]


def message(text: str, **more: Any) -> Behaviour:
    """An answer of Anthropic's."""
    return streams(message_events(text, **more))


def candidate(
    *parts: Any, reason: str | None = "STOP", usage: dict[str, int] | None = None, **more: Any
) -> dict[str, Any]:
    """An answer of Google's, as JSON."""
    counted = {"promptTokenCount": 1300, "candidatesTokenCount": 42, "totalTokenCount": 1342}
    content = {"role": "model", "parts": [{"text": part} if isinstance(part, str) else part for part in parts]}
    return {
        "candidates": [{"content": content, "finishReason": reason, "index": 0, **more}],
        "usageMetadata": counted if usage is None else usage,
        "modelVersion": "gemini-x",
    }


def completion(text: str | None, *, reason: str = "stop", **message: Any) -> dict[str, Any]:
    """An answer of OpenAI's, as JSON."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, "refusal": None, **message},
                "finish_reason": reason,
            }
        ],
        "usage": {"prompt_tokens": 1300, "completion_tokens": 42, "total_tokens": 1342},
    }


GoogleSchema.model_rebuild()
