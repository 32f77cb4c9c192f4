"""Any endpoint that speaks OpenAI's chat completions, with images: hosted providers, vLLM, Ollama, llama.cpp, SGLang.

`POST {base_url}/chat/completions` with one system and one user message, the screenshot as a data URL, and the key as a
bearer token. What servers call differently is learnt from what they complain about: `max_completion_tokens`, a seed
that is not taken, and vLLM's own names for a schema. Source: OpenAI's API reference, vLLM's OpenAI-compatible server.

Images: OpenAI's older models fit a picture into 2048 x 2048 and then bring its short side to 768 px, newer ones count
patches of 32 px up to a budget; compatible servers do what their model does. The answer does not tell which, so that
coordinates are taken as they come: pixels of the picture that was sent.
"""

from __future__ import annotations

import base64
import re
from typing import Any

from guideact.errors import InputError
from guideact.models.api import ApiModel, Ask, Said
from guideact.models.base import Abilities, TokenLogprob
from guideact.models.http import BROKEN_OFF, Passing, count_of, dict_of, events, one_line, text_of
from guideact.models.prices import Tokens

_BROKEN_OFF = ("error", "abort")
"""Reasons to finish that no model has."""


class OpenAIModel(ApiModel):
    """A model behind an OpenAI-compatible endpoint."""

    maker = "openai"
    home = "https://api.openai.com/v1"
    variables = ("OPENAI_API_KEY",)

    _newer_limit = False
    _send_seed = True
    _ask_token_ids = True
    _schema_field = "response_format"

    @property
    def can(self) -> Abilities:
        """OpenAI itself begins every answer anew; servers of open models go on with one (vLLM's way of asking)."""
        return Abilities(
            images=True,
            seed=True,
            logprobs=True,
            prefix=not self._at_home,
            structured_output=True,
            efforts=("none", "minimal", "low", "medium", "high", "xhigh", "max"),
        )

    def _address(self) -> str:
        return self._base.removesuffix("/chat/completions") + "/chat/completions"

    def _headers(self, key: str | None) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def _body(self, ask: Ask) -> dict[str, Any]:
        content: str | list[dict[str, Any]] = ask.user if ask.plain else [{"type": "text", "text": ask.user}]
        if ask.image is not None and isinstance(content, list):
            data = base64.b64encode(ask.image).decode("ascii")
            content.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}})
        messages: list[dict[str, Any]] = [{"role": "system", "content": ask.system}] if ask.system else []
        messages.append({"role": "user", "content": content})
        sampling = ask.sampling
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            self._limit_field(): sampling.max_tokens,
        }
        if (temperature := self._temperature(sampling)) is not None:
            body["temperature"] = temperature
        if self._send_seed:
            body["seed"] = sampling.seed
        if sampling.effort is not None:
            body["reasoning_effort"] = sampling.effort
        if ask.logprobs:
            body["logprobs"] = True
            if self._ask_token_ids and not self._at_home:
                body["return_token_ids"] = True  # vLLM's name; most others pass over it
        if ask.prefix:
            messages.append({"role": "assistant", "content": ask.prefix})
            body |= {"add_generation_prompt": False, "continue_final_message": True}
        if ask.schema is not None:
            body |= self._held_to(dict(ask.schema))
        return body

    def _limit_field(self) -> str:
        """OpenAI has renamed it; most servers know the older name, and some of them no other."""
        return "max_completion_tokens" if self._at_home or self._newer_limit else "max_tokens"

    def _held_to(self, schema: dict[str, Any]) -> dict[str, Any]:
        match self._schema_field:
            case "response_format":
                described = {"name": "answer", "strict": True, "schema": schema}
                return {"response_format": {"type": "json_schema", "json_schema": described}}
            case "structured_outputs":
                return {"structured_outputs": {"json": schema}}
            case _:
                return {"guided_json": schema}

    def _adapt(self, text: str) -> bool:
        if self._limit_field() == "max_tokens" and "max_completion_tokens" in text and "unsupported" in text.lower():
            self._newer_limit = True
            return True
        if self._send_seed and re.search(r"\bseed\b", text):
            if self._sampling.seed and not self._lenient:
                raise InputError(f"{self.name} takes no seed: {one_line(text, self._key)}", fix="Leave out --seed.")
            self._send_seed = False
            return True
        if self._ask_token_ids and "return_token_ids" in text:
            self._ask_token_ids = False
            return True
        if self._schema is not None and self._schema_field in text:
            # vLLM's names, newest first; it knows response_format too, but not in every version and not for any model.
            after = {"response_format": "structured_outputs", "structured_outputs": "guided_json"}
            if self._schema_field in after and not self._at_home:
                self._schema_field = after[self._schema_field]
                return True
        return False

    def _used_up(self, data: Any, text: str) -> bool:
        return re.search("insufficient_quota|billing_not_active", text) is not None

    def _read(self, data: Any) -> Said:
        """The text of the first choice."""
        try:
            choice = data["choices"][0]
            message = choice["message"]
            content, refusal, reason = message.get("content"), message.get("refusal"), choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError) as error:
            raise Passing("answered with JSON that is no chat completion") from error
        if reason in _BROKEN_OFF:
            # OpenRouter and vLLM say so where the failure is not the model's: of a provider, or of a server that stops.
            raise Passing(f"{BROKEN_OFF} (finish_reason {reason})")
        if isinstance(content, list):
            content = "".join(text_of(part.get("text")) for part in content if isinstance(part, dict))
        text, refusal = text_of(content), text_of(refusal)
        tokens = _tokens(data.get("usage"))
        if refusal or reason == "content_filter":
            return Said(refusal or text, "refusal", why=refusal, tokens=tokens)
        return Said(text, "cut" if reason == "length" else "done", tokens=tokens, logprobs=_logprobs(choice))

    def _gather(self, text: str) -> Any:
        """Streams are not asked for, but some relays send nothing else."""
        said: dict[str, str] = {"content": "", "refusal": ""}
        reason, usage = None, None
        for event in events(text):
            chunk = dict_of(event)
            if chunk.get("error"):
                return chunk
            usage = chunk.get("usage") or usage
            choices = chunk.get("choices")
            for choice in choices[:1] if isinstance(choices, list) else ():
                reason = dict_of(choice).get("finish_reason") or reason
                delta = dict_of(dict_of(choice).get("delta"))
                for name in said:
                    said[name] += text_of(delta.get(name))
        if reason is None:
            raise Passing(f"{BROKEN_OFF} (the stream ended early)")
        return {"choices": [{"message": said, "finish_reason": reason}], "usage": usage}


def _tokens(usage: Any) -> Tokens | None:
    found = dict_of(usage)
    read, written = count_of(found.get("prompt_tokens")), count_of(found.get("completion_tokens"))
    if read is None and written is None:
        return None
    cached = count_of(dict_of(found.get("prompt_tokens_details")).get("cached_tokens")) or 0
    return Tokens(read, written, cached=min(cached, read or 0))


def _logprobs(choice: dict[str, Any]) -> tuple[TokenLogprob, ...]:
    content = dict_of(choice.get("logprobs")).get("content")
    found = [each for each in (content if isinstance(content, list) else ()) if isinstance(each, dict)]
    ids = choice.get("token_ids")
    known = isinstance(ids, list) and len(ids) == len(found) and all(isinstance(each, int) for each in ids)
    return tuple(
        TokenLogprob(text_of(each.get("token")), float(each["logprob"]), number)
        for each, number in zip(found, ids if known and ids else [None] * len(found), strict=True)
        if isinstance(each.get("logprob"), int | float)
    )
