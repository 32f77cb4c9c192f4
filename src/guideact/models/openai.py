"""Any endpoint that speaks OpenAI's chat completions, with images: hosted providers, vLLM, Ollama, llama.cpp, SGLang.

`POST {base_url}/chat/completions` with one system and one user message, and the screenshot as a data URL. The key comes
from the environment alone (`GUIDEACT_API_KEY`, or else `OPENAI_API_KEY`), is sent in the Authorization header and
nowhere else, and is cut out of everything an error repeats.

What can go wrong is told apart by who has to act:

    the user     InputError         401, 402, 403, 404, a used-up quota, an address that is none; in the probe, any 4xx
    the weather  ModelUnavailable   429, 5xx, no connection, a cut body, no JSON, a slow answer: after retries, each as
                                    late as the server's Retry-After asks, or else with exponential waits
                 DeadlineExceeded   all tries together took too long
    the model    ModelError         refusal, empty, cut (the output limit was reached), context_overflow
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import email.utils
import io
import math
import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from guideact.errors import DeadlineExceeded, GuideActError, InputError, ModelError, ModelUnavailable
from guideact.models.base import Reply, Request, Sampling
from guideact.types import Usage

OPENAI_URL = "https://api.openai.com/v1"
KEY_VARIABLES = ("GUIDEACT_API_KEY", "OPENAI_API_KEY")

_OVERFLOW = re.compile(
    r"context[_ ](?:length|window|size)|maximum model length|prompt is too long|too many (?:input )?tokens"
    r"|input token count .* exceeds|exceeds? the maximum number of (?:input )?tokens",
    re.IGNORECASE | re.DOTALL,
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")
_REFUSED = re.compile(r"content_(?:policy|filter)|content (?:policy|filter|management)|safety system", re.IGNORECASE)
_RETRIED = frozenset({408, 409, 425, 429})
_USERS = frozenset({401, 402, 403, 404})


@dataclass(frozen=True)
class Patience:
    """How long an endpoint is waited for, in seconds."""

    attempts: int = 6
    first_wait: float = 1
    longest_wait: float = 60
    """A server that asks for a longer wait than this is taken as gone."""
    request: float = 120
    """One request, from the first byte sent to the last one read."""
    total: float = 300
    """All attempts at one answer, waits included."""


class _Passing(ModelUnavailable):
    """A failure that may be gone in a moment; `wait` is what the server asked for, in seconds."""

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint."""

    reads_pixels = True

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        sampling: Sampling | None = None,
        images: bool = True,
        patience: Patience | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`images` says whether the run will send any: the probe then finds out whether the model takes them.

        Raises InputError for an address that is none and for a missing key where OpenAI's own endpoint is used.
        """
        self.name = f"openai/{model}"
        self._model = model
        self._url = _completions_url(base_url or OPENAI_URL)
        self._key = key
        self._sampling = sampling or Sampling()
        self._images = images
        self._patience = patience or Patience()
        self._sleep = sleep
        self._limit_field = "max_tokens"
        self._send_seed = True
        if not key and self._url.startswith(OPENAI_URL):
            raise InputError(
                f"{self.name} needs a key",
                fix="Set GUIDEACT_API_KEY (or OPENAI_API_KEY), or name another endpoint with --model-base-url.",
            )
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self._client = httpx.AsyncClient(headers=headers, timeout=httpx.Timeout(self._patience.request, connect=10))

    async def probe(self) -> None:
        """Ask for one word, with a small picture if the run will send any.

        Raises InputError for what would fail every answer, and ModelUnavailable for an endpoint that cannot be reached.
        """
        content: list[dict[str, Any]] = [{"type": "text", "text": "Answer with the word ok."}]
        if self._images:
            content.append(_image_part(_small_png()))
        try:
            await self._complete([{"role": "user", "content": content}], self._sampling, probing=True)
        except ModelError as error:
            if error.kind == "context_overflow":
                raise InputError(
                    f"{self.name} has no room for an answer: {error.message}", fix="Lower --max-tokens."
                ) from error

    async def answer(self, request: Request) -> Reply:
        content: list[dict[str, Any]] = [{"type": "text", "text": request.prompt.user}]
        if request.image is not None:
            content.append(_image_part(request.image))
        return await self._ask(request.prompt.system, content, request.sampling)

    async def ask(self, system: str, user: str) -> str:
        """The answer to a question in words alone, sampled as the model was made to."""
        return (await self._ask(system, user, self._sampling)).text

    async def _ask(self, system: str, content: str | list[dict[str, Any]], sampling: Sampling) -> Reply:
        messages: list[dict[str, Any]] = [{"role": "system", "content": system}, {"role": "user", "content": content}]
        return await self._complete(messages, sampling, probing=False)

    async def close(self) -> None:
        await self._client.aclose()

    # --- one answer, with all its tries -------------------------------------------------------------------------

    async def _complete(self, messages: list[dict[str, Any]], sampling: Sampling, *, probing: bool) -> Reply:
        patience = self._patience
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(_Passing),
            stop=stop_after_attempt(2 if probing else patience.attempts),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            async with asyncio.timeout(patience.total):
                return await retrying(self._try, messages, sampling, probing)
        except _Passing as error:
            tries = retrying.statistics.get("attempt_number", 1)
            raise ModelUnavailable(
                f"{self.name} at {self._url} {error.message} ({tries} {'try' if tries == 1 else 'tries'})",
                fix="See whether the endpoint runs and can be reached; "
                + ("then run the same command again." if probing else "the same command goes on from here."),
            ) from error
        except TimeoutError as error:
            raise DeadlineExceeded("model", patience.total) from error

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        if isinstance(error, _Passing) and error.wait is not None:
            return error.wait
        patience = self._patience
        return wait_random_exponential(multiplier=patience.first_wait, max=patience.longest_wait)(state)

    async def _try(self, messages: list[dict[str, Any]], sampling: Sampling, probing: bool) -> Reply:
        body: dict[str, Any] = {"model": self._model, "messages": messages, self._limit_field: sampling.max_tokens}
        if sampling.temperature is not None:
            body["temperature"] = sampling.temperature
        if self._send_seed:
            body["seed"] = sampling.seed
        response = await self._post(body)
        if response.status_code in (400, 422) and self._adapt(self._error_text(response)):
            return await self._try(messages, sampling, probing)
        if response.status_code != 200:
            raise self._failure(
                response.status_code, self._error_text(response), _retry_after(response.headers), probing=probing
            )
        try:
            data = response.json()
        except (ValueError, RecursionError) as error:  # the latter for JSON that is nested too deep
            if probing:
                raise InputError(
                    f"{self._url} answers with something else than JSON", fix="Check --model-base-url."
                ) from error
            raise _Passing("answered with something that is no JSON") from error
        if isinstance(data, dict) and data.get("error"):
            # Some relays answer 200 and put the failure of the provider behind them into the body.
            code = data["error"].get("code") if isinstance(data["error"], dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 502
            raise self._failure(status, self._error_text(response), None, probing=probing)
        return _read_reply(data, self.name)

    async def _post(self, body: dict[str, Any]) -> httpx.Response:
        try:
            async with asyncio.timeout(self._patience.request):
                return await self._client.post(self._url, json=body)
        except (TimeoutError, httpx.TimeoutException) as error:
            raise _Passing(f"did not answer within {self._patience.request:g} s") from error
        except httpx.ConnectError as error:
            raise _Passing("cannot be reached") from error
        except httpx.DecodingError as error:
            raise _Passing("answered with a body that cannot be decompressed") from error
        except httpx.RequestError as error:
            raise _Passing(f"broke off in the middle of an answer ({type(error).__name__})") from error

    def _error_text(self, response: httpx.Response) -> str:
        """What the server says went wrong: without the key, on one line of at most 300 characters."""
        # The key goes before the cut, which could otherwise leave half of it.
        text = _one_line(_complaint(response))
        return (text.replace(self._key, "[key]") if self._key else text)[:300]

    def _adapt(self, text: str) -> bool:
        """Change the request to what this endpoint can read, if that is what it complains about."""
        if self._limit_field == "max_tokens" and "max_completion_tokens" in text and "unsupported" in text.lower():
            self._limit_field = "max_completion_tokens"
            return True
        if self._send_seed and re.search(r"\bseed\b", text):
            self._send_seed = False
            return True
        return False

    def _failure(self, status: int, text: str, wait: float | None, *, probing: bool) -> GuideActError:
        said = f": {text}" if text else ""
        if status == 429 and "insufficient_quota" in text:
            return InputError(f"the quota of the key for {self.name} is used up{said}", fix="Top it up, then go on.")
        if status in _RETRIED or status >= 500:
            what = "limits the rate" if status == 429 else f"answers {status}"
            if wait is not None and wait > self._patience.longest_wait:
                return ModelUnavailable(f"{self.name} {what} and asks to wait {wait:.0f} s{said}")
            return _Passing(f"{what}{said}", wait=wait)
        if status in _USERS:
            return InputError(_USER_FAULTS[status].format(name=self.name, url=self._url) + said, fix=_FIXES[status])
        if status == 413 or _OVERFLOW.search(text):
            return ModelError("context_overflow", f"the prompt is too long for {self.name}{said}")
        if _REFUSED.search(text):
            return ModelError("refusal", f"{self.name} refused{said}")
        if probing:
            return InputError(
                f"{self.name} cannot be used as configured, it answers {status}{said}", fix=self._fix(text)
            )
        return ModelUnavailable(f"{self.name} answers {status}{said}")

    def _fix(self, text: str) -> str:
        """What to change about the run when the endpoint says this to the probe."""
        if "temperature" in text:
            return "Leave out --temperature."
        if re.search(r"\bmax_(?:completion_)?tokens\b", text):
            return "Lower --max-tokens."
        return "If the model reads no images, pass --no-screenshots." if self._images else ""


_USER_FAULTS = {
    401: "{url} does not accept the key",
    402: "{url} wants to be paid first",
    403: "{url} does not let this key use {name}",
    404: "{url} does not know {name}",
}
_FIXES = {
    401: "Set GUIDEACT_API_KEY (or OPENAI_API_KEY) to a valid key.",
    402: "Top up the account behind the key.",
    403: "Use a key that may, or another model.",
    404: "Check the name after openai/ and --model-base-url (it mostly ends in /v1).",
}


def key_from_environment() -> str | None:
    """The key that the environment holds, GUIDEACT_API_KEY first; None without one.

    Raises InputError for a key that no header can carry; the message does not repeat it.
    """
    for variable in KEY_VARIABLES:
        key = os.environ.get(variable, "").strip()
        if key:
            if not key.isascii() or not key.isprintable() or " " in key:
                raise InputError(f"{variable} holds characters that no key has", fix="Set it again, without quotes.")
            return key
    return None


# --- reading what comes back ------------------------------------------------------------------------------------


def _read_reply(data: Any, name: str) -> Reply:
    """The text of the first choice. Raises ModelError where the model gave none that can be used."""
    try:
        choice = data["choices"][0]
        message = choice["message"]
        content, refusal, reason = message.get("content"), message.get("refusal"), choice.get("finish_reason")
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise _Passing("answered with JSON that is no chat completion") from error
    if isinstance(content, list):
        content = "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    text, refusal = _text(content), _text(refusal)
    if refusal or reason == "content_filter":
        why = _one_line(refusal)[:300] or "its content filter cut in"
        raise ModelError("refusal", f"{name} refused: {why}", text=refusal or text)
    if reason == "length":
        raise ModelError("cut", f"{name} reached its output limit before the end of the answer", text=text)
    if not text.strip():
        raise ModelError("empty", f"{name} gave an empty answer")
    usage = data.get("usage")
    if not isinstance(usage, dict):
        usage = {}
    return Reply(
        text=text,
        usage=Usage(
            input_tokens=_count(usage.get("prompt_tokens")), output_tokens=_count(usage.get("completion_tokens"))
        ),
    )


def _text(value: Any) -> str:
    """A string that UTF-8 can write: JSON may escape half of a surrogate pair. Empty for what is no string."""
    return _SURROGATES.sub("\ufffd", value) if isinstance(value, str) else ""


def _count(value: Any) -> int:
    """A number of tokens; 0 for what cannot be one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53:
        return int(value)
    return 0


def _one_line(text: str) -> str:
    """Fit for a terminal: no line breaks, no control characters, so no escape sequences either."""
    return _CONTROLS.sub("", " ".join(_text(text).split()))


def _complaint(response: httpx.Response) -> str:
    """The message, code and type of an error in JSON; the whole body of any other."""
    try:
        data = response.json()
        error = data.get("error", data) if isinstance(data, dict) else data
        if not isinstance(error, dict):
            return str(error)
        parts = [error.get("message") or error.get("detail") or "", error.get("code"), error.get("type")]
        return " ".join(str(part) for part in parts if part)
    except (ValueError, RecursionError):
        return response.text


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: retry-after-ms, or Retry-After as seconds or as a date.

    What is negative, infinite or not a number says nothing.
    """
    value = headers.get("retry-after", "")
    asked: list[float] = []
    with contextlib.suppress(ValueError):
        asked.append(float(headers.get("retry-after-ms", "")) / 1000)
    with contextlib.suppress(ValueError):
        asked.append(float(value))
    with contextlib.suppress(ValueError, OverflowError):
        asked.append(email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    return next((seconds for seconds in asked if math.isfinite(seconds) and seconds >= 0), None)


# --- making what is sent ----------------------------------------------------------------------------------------


def _completions_url(base_url: str) -> str:
    # Before anything else, since the messages below repeat the address, and a password is not to be shown.
    if re.search("[@?#]", base_url):
        raise InputError(
            "--model-base-url holds a user name, a query or a fragment",
            fix="Leave out what has to do with @, ? or #; a key goes into GUIDEACT_API_KEY.",
        )
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL as error:
        raise InputError(f"--model-base-url {base_url!r} is no address: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise InputError(f"--model-base-url {base_url!r} is no address", fix="It looks like http://localhost:8000/v1.")
    return base_url.rstrip("/").removesuffix("/chat/completions") + "/chat/completions"


def _image_part(png: bytes) -> dict[str, Any]:
    data = base64.b64encode(png).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{data}"}}


def _small_png() -> bytes:
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(buffer, "PNG")
    return buffer.getvalue()
