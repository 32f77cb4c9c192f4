"""Google's Gemini API.

`POST {base_url}/models/NAME:generateContent` with the key in `x-goog-api-key`. Source: the API reference of
generateContent (v1beta), its guides on thinking and structured output, and google.rpc for errors.

Gemini 2.5 thinks with a budget of tokens, later models at a level; both count as output. A schema has Google's own form
(a part of OpenAPI), which says the order of its keys. The start of an answer cannot be forced.

Images: Gemini cuts a picture that is larger than 384 px a side into tiles of 768 px, or spends a fixed number of tokens
on it (Gemini 3). The answer does not tell, so coordinates are taken as they come: pixels of the picture that was sent,
which the prompt asks for. Models that were trained to give thousandths of its sides may not heed that.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from guideact.models.api import ApiModel, Ask, Said
from guideact.models.base import Abilities, TokenLogprob
from guideact.models.http import BROKEN_OFF, Passing, count_of, dict_of, events, is_wait, text_of
from guideact.models.prices import Tokens
from guideact.types import Effort

_WITH_BUDGET = re.compile(r"gemini-2\.5")
_BUDGETS: dict[Effort, int] = {"none": 0, "minimal": 1024, "low": 1024, "medium": 8192, "high": 24576}
"""Tokens, as Google's own compatibility layer has them."""
_LEVELS: tuple[Effort, ...] = ("minimal", "low", "medium", "high", "xhigh")
_REFUSALS = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "LANGUAGE",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "MODEL_ARMOR",
        "IMAGE_SAFETY",
        "IMAGE_PROHIBITED_CONTENT",
        "IMAGE_RECITATION",
    }
)


class GoogleModel(ApiModel):
    """A Gemini model."""

    maker = "google"
    home = "https://generativelanguage.googleapis.com/v1beta"
    variables = ("GEMINI_API_KEY", "GOOGLE_API_KEY")

    @property
    def _budgeted(self) -> bool:
        return _WITH_BUDGET.match(self._model.removeprefix("models/")) is not None

    @property
    def can(self) -> Abilities:
        return Abilities(
            images=True,
            seed=True,
            logprobs=True,
            structured_output=True,
            efforts=tuple(_BUDGETS) if self._budgeted else _LEVELS,
        )

    def _address(self) -> str:
        name = quote(self._model.removeprefix("models/"), safe="-._~")
        return f"{self._base.removesuffix('/models')}/models/{name}:generateContent"

    def _headers(self, key: str | None) -> dict[str, str]:
        return {"x-goog-api-key": key} if key else {}

    def _body(self, ask: Ask) -> dict[str, Any]:
        parts: list[dict[str, Any]] = [{"text": ask.user}]
        if ask.image is not None:
            data = base64.b64encode(ask.image).decode("ascii")
            parts.append({"inlineData": {"mimeType": "image/png", "data": data}})
        sampling = ask.sampling
        config: dict[str, Any] = {"maxOutputTokens": sampling.max_tokens, "seed": sampling.seed}
        if (temperature := self._temperature(sampling)) is not None:
            config["temperature"] = temperature
        if sampling.effort is not None and self._budgeted:
            # A budget as large as the limit would leave nothing for the answer.
            config["thinkingConfig"] = {"thinkingBudget": min(_BUDGETS[sampling.effort], sampling.max_tokens * 3 // 4)}
        elif sampling.effort is not None:
            config["thinkingConfig"] = {"thinkingLevel": sampling.effort.upper()}
        if ask.logprobs:
            config["responseLogprobs"] = True
        if ask.schema is not None:
            config |= {"responseMimeType": "application/json", "responseSchema": schema_of_google(ask.schema)}
        body: dict[str, Any] = {"contents": [{"role": "user", "parts": parts}], "generationConfig": config}
        if ask.system:
            body["systemInstruction"] = {"parts": [{"text": ask.system}]}
        return body

    def _meant(self, status: int, data: Any, text: str) -> int:
        error = dict_of(dict_of(data).get("error"))
        if status == 400 and ("API key not valid" in text or "API_KEY_INVALID" in _reasons(error)):
            return 401
        if status == 400 and error.get("status") == "FAILED_PRECONDITION":
            return 403  # billing is not enabled, or the service is not offered where the caller is
        return status

    def _wait_in(self, data: Any) -> float | None:
        for detail in _details(dict_of(dict_of(data).get("error"))):
            delay = re.fullmatch(r"(\d+(?:\.\d+)?)s", text_of(detail.get("retryDelay")))
            if text_of(detail.get("@type")).endswith("google.rpc.RetryInfo") and delay and is_wait(float(delay[1])):
                return float(delay[1])
        return None

    def _used_up(self, data: Any, text: str) -> bool:
        """A day's quota is not waited for, whatever the server asks for."""
        for detail in _details(dict_of(dict_of(data).get("error"))):
            violations = detail.get("violations")
            for violation in violations if isinstance(violations, list) else ():
                if "PerDay" in text_of(dict_of(violation).get("quotaId")):
                    return True
        return False

    def _read(self, data: Any) -> Said:
        """The text of the first candidate; what the model thought is left out."""
        answer = dict_of(data)
        candidates, feedback = answer.get("candidates"), dict_of(answer.get("promptFeedback"))
        tokens = _tokens(answer.get("usageMetadata"))
        if not candidates and feedback.get("blockReason"):
            return Said("", "refusal", why=f"the prompt was blocked, {feedback['blockReason']}", tokens=tokens)
        if not isinstance(candidates, list) or not candidates or not isinstance(candidates[0], dict):
            raise Passing("answered with JSON that holds no candidate")
        candidate = candidates[0]
        parts = dict_of(candidate.get("content")).get("parts")
        said = [part for part in (parts if isinstance(parts, list) else ()) if isinstance(part, dict)]
        text = "".join(text_of(part.get("text")) for part in said if not part.get("thought"))
        reason = candidate.get("finishReason")
        if reason in _REFUSALS:
            why = text_of(candidate.get("finishMessage"))
            return Said(text, "refusal", why=f"{reason} {why}".strip(), tokens=tokens)
        return Said(text, "cut" if reason == "MAX_TOKENS" else "done", tokens=tokens, logprobs=_logprobs(candidate))

    def _gather(self, text: str) -> Any:
        """Streams are not asked for, but a relay may send one: pieces of the same form, the last of which ends it."""
        parts: list[Any] = []
        whole: dict[str, Any] = {}
        reason = None
        for event in events(text):
            piece = dict_of(event)
            if piece.get("error"):
                return piece
            whole |= {name: piece[name] for name in ("usageMetadata", "promptFeedback") if name in piece}
            candidates = piece.get("candidates")
            for candidate in candidates[:1] if isinstance(candidates, list) else ():
                candidate = dict_of(candidate)
                reason = candidate.get("finishReason") or reason
                found = dict_of(candidate.get("content")).get("parts")
                parts += found if isinstance(found, list) else []
        if reason is None and not dict_of(whole.get("promptFeedback")).get("blockReason"):
            raise Passing(f"{BROKEN_OFF} (the stream ended early)")
        return whole | ({"candidates": [{"content": {"parts": parts}, "finishReason": reason}]} if reason else {})


def schema_of_google(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema of `models.schema` in Google's form: types in capitals, `nullable`, and the order of the keys.

    Knows objects, arrays, enumerations, and what may be null instead.
    """
    if "anyOf" in schema:
        (named,) = [each for each in schema["anyOf"] if each["type"] != "null"]
        return {**schema_of_google(named), "nullable": True}
    found: dict[str, Any] = {"type": schema["type"].upper()}
    if "enum" in schema:
        found["enum"] = list(schema["enum"])
    if "items" in schema:
        found["items"] = schema_of_google(schema["items"])
    if "properties" in schema:
        found["properties"] = {name: schema_of_google(each) for name, each in schema["properties"].items()}
        found["required"] = list(schema["required"])
        found["propertyOrdering"] = list(schema["properties"])
    return found


def _details(error: dict[str, Any]) -> list[dict[str, Any]]:
    details = error.get("details")
    return [each for each in (details if isinstance(details, list) else ()) if isinstance(each, dict)]


def _reasons(error: dict[str, Any]) -> set[str]:
    return {text_of(each.get("reason")) for each in _details(error)}


def _tokens(usage: Any) -> Tokens | None:
    """The prompt's tokens include cached ones; thoughts are counted apart from the answer, and paid like it."""
    found = dict_of(usage)
    read, written = count_of(found.get("promptTokenCount")), count_of(found.get("candidatesTokenCount"))
    thought = count_of(found.get("thoughtsTokenCount")) or 0
    if read is None and written is None:
        return None
    cached = min(count_of(found.get("cachedContentTokenCount")) or 0, read or 0)
    # A prompt that was blocked, or an answer that was all thought, has no tokens of candidates.
    return Tokens(read, (written or 0) + thought, cached=cached)


def _logprobs(candidate: dict[str, Any]) -> tuple[TokenLogprob, ...]:
    chosen = dict_of(candidate.get("logprobsResult")).get("chosenCandidates")
    return tuple(
        TokenLogprob(text_of(each.get("token")), float(each["logProbability"]))
        for each in (chosen if isinstance(chosen, list) else ())
        if isinstance(each, dict) and isinstance(each.get("logProbability"), int | float)
    )
