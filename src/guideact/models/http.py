"""The HTTP side of every API client: keys, addresses, sending, patience, and what a server said made fit to show.

Nothing in here knows a provider. A key is read from the environment alone, sent in one header, and cut out of
everything that comes back, so that neither an error nor an answer that repeats it can put it into a log.
"""

from __future__ import annotations

import asyncio
import contextlib
import email.utils
import html
import io
import json
import math
import os
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, stop_after_attempt, wait_random_exponential

from guideact.errors import InputError, ModelUnavailable

COMMON_KEY = "GUIDEACT_API_KEY"
"""The variable that wins over a provider's own."""
SECRET_LENGTH = 8
"""Shorter keys are no secrets but words that local servers are content with, and may well stand in an answer."""

SLOWEST = 20
"""Tokens a second. A model that writes more slowly is waited for a minute or two as well, whatever it may write."""

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_SURROGATES = re.compile(r"[\ud800-\udfff]")

T = TypeVar("T")


@dataclass(frozen=True)
class Patience:
    """How long an endpoint is waited for, in seconds."""

    attempts: int = 6
    first_wait: float = 1
    longest_wait: float = 60
    """A server that asks for a longer wait than this is taken as gone."""
    request: float = 120
    """One request, from the first byte sent to the last one read; of a streamed answer, the longest silence."""
    total: float = 300
    """All attempts at one answer, waits included."""

    @classmethod
    def for_answers_of(cls, tokens: int) -> Patience:
        """Enough for an answer of so many tokens, written as slowly as endpoints that work do."""
        request = max(cls.request, tokens / SLOWEST)
        return cls(request=request, total=max(cls.total, 2 * request + cls.longest_wait))


class Passing(ModelUnavailable):
    """A failure that may be gone in a moment.

    `wait` is what the server asked for, in seconds; `page` says that a web page answered.
    """

    def __init__(self, message: str, *, wait: float | None = None, page: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.page = page


BROKEN_OFF = "broke off in the middle of an answer"


# --- keys and addresses -----------------------------------------------------------------------------------------


def key_from_environment(variables: Sequence[str]) -> str | None:
    """The key that the environment holds: GUIDEACT_API_KEY, or else the first of `variables`; None without one.

    Raises InputError for a key that no header can carry; the message does not repeat it.
    """
    for variable in (COMMON_KEY, *variables):
        key = os.environ.get(variable, "").strip()
        if key:
            if not key.isascii() or not key.isprintable() or " " in key:
                raise InputError(f"{variable} holds characters that no key has", fix="Set it again, without quotes.")
            return key
    return None


def check_address(base_url: str) -> None:
    """Raise InputError for a base address that is none, or that holds a secret."""
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


# --- sending ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answered:
    """A whole answer of a server."""

    status: int
    headers: Mapping[str, str]
    text: str

    @property
    def streamed(self) -> bool:
        """Whether it is a stream of events (`events` reads it)."""
        return self.headers.get("content-type", "").startswith("text/event-stream")

    @property
    def page(self) -> bool:
        """Whether it is a page for people, as a web server or a proxy sends it where no model answers."""
        return bool(_HTML.match(self.text))


async def post(client: httpx.AsyncClient, url: str, body: Mapping[str, Any], patience: Patience) -> Answered:
    """Send JSON and read the answer to its end. Raises Passing where none comes, or not all of it.

    A stream may take as long as it likes while it says something: servers send it so that a long answer does not look
    like a dead connection. Whoever calls bounds the whole.
    """
    try:
        async with asyncio.timeout(patience.request) as deadline:
            async with client.stream("POST", url, json=body) as response:
                streamed = response.headers.get("content-type", "").startswith("text/event-stream")
                if streamed and not deadline.expired():
                    deadline.reschedule(None)  # each silence is bounded by the client's own timeout
                await response.aread()
                return Answered(response.status_code, response.headers, response.text)
    except (TimeoutError, httpx.TimeoutException) as error:
        raise Passing(f"did not answer within {patience.request:g} s") from error
    except httpx.ConnectError as error:
        raise Passing("cannot be reached") from error
    except httpx.DecodingError as error:
        raise Passing("answered with a body that cannot be decompressed") from error
    except httpx.RequestError as error:
        raise Passing(f"{BROKEN_OFF} ({type(error).__name__})") from error


def open_client(headers: Mapping[str, str], patience: Patience, connections: int) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        headers=dict(headers),
        timeout=httpx.Timeout(patience.request, connect=10),
        limits=httpx.Limits(max_connections=connections, max_keepalive_connections=connections),
    )


@dataclass
class Attempts:
    """Tries again what fails in passing, as late as the server asks, or else with exponential waits.

    `made` says how often it was tried.
    """

    patience: Patience
    sleep: Callable[[float], Awaitable[None]]
    made: int = 0

    async def __call__(self, work: Callable[[], Awaitable[T]], most: int) -> T:
        """Raises the last `Passing`, anything else at once, and TimeoutError after `patience.total` seconds."""
        retrying = AsyncRetrying(
            retry=retry_if_exception_type(Passing),
            stop=stop_after_attempt(most),
            wait=self._wait,
            sleep=self.sleep,
            reraise=True,
        )
        async with asyncio.timeout(self.patience.total):
            return await retrying(self._counted, work)

    async def _counted(self, work: Callable[[], Awaitable[T]]) -> T:
        self.made += 1
        return await work()

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome is not None else None
        if isinstance(error, Passing) and error.wait is not None:
            return error.wait
        patience = self.patience
        return wait_random_exponential(multiplier=patience.first_wait, max=patience.longest_wait)(state)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that the server asks to wait: retry-after-ms, or Retry-After as seconds or as a date.

    What is negative, infinite or not a number says nothing, and neither does zero: asking again at once would only use
    up the tries.
    """
    value = headers.get("retry-after", "")
    asked: list[float] = []
    with contextlib.suppress(ValueError):
        asked.append(float(headers.get("retry-after-ms", "")) / 1000)
    with contextlib.suppress(ValueError):
        asked.append(float(value))
    with contextlib.suppress(ValueError, OverflowError):
        asked.append(email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    return next((seconds for seconds in asked if is_wait(seconds)), None)


def is_wait(seconds: float) -> bool:
    return math.isfinite(seconds) and seconds > 0


# --- reading what comes back ------------------------------------------------------------------------------------


def load_json(text: str) -> Any:
    """Raises ValueError for what is no JSON, or is nested too deep."""
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def cleaned(data: Any, key: str | None) -> Any:
    """JSON as the rest may use it: every string one that UTF-8 can write, and without the key.

    Raises ValueError for what is nested too deep.
    """
    try:
        return _cleaned(data, secret(key))
    except RecursionError as error:
        raise ValueError("nested too deep") from error


def secret(key: str | None) -> str | None:
    """The key, if it is long enough to be one."""
    return key if key and len(key) >= SECRET_LENGTH else None


def _cleaned(value: Any, key: str | None) -> Any:
    if isinstance(value, str):
        # JSON may escape half of a surrogate pair.
        text = _SURROGATES.sub("\ufffd", value)
        return text.replace(key, "[key]") if key else text
    if isinstance(value, list):
        return [_cleaned(each, key) for each in value]
    if isinstance(value, dict):
        return {_cleaned(name, key): _cleaned(each, key) for name, each in value.items()}
    return value


def events(text: str) -> list[Any]:
    """The JSON of a stream of server-sent events, in order; `[DONE]` and comments are left out.

    Raises Passing for an event that is no JSON: that is how a stream looks that was cut within one.
    """
    found: list[Any] = []
    for block in re.split(r"\r\n\r\n|\n\n|\r\r", text):
        # Not `splitlines`: JSON may hold what Python, but no stream of events, takes for the end of a line.
        lines = re.split(r"\r\n|\n|\r", block)
        data = "\n".join(line[5:].removeprefix(" ") for line in lines if line.startswith("data:"))
        if data and data.strip() != "[DONE]":
            try:
                found.append(load_json(data))
            except ValueError as error:
                raise Passing(f"{BROKEN_OFF} (the stream holds what is no JSON)") from error
    return found


def one_line(text: Any, key: str | None) -> str:
    """Fit for a terminal and a log: no line breaks, no control characters, hence no escape sequences, and no key."""
    if not isinstance(text, str):
        return ""
    line = _CONTROLS.sub("", " ".join(_SURROGATES.sub("\ufffd", text).split()))
    return line.replace(key, "[key]") if key else line


def json_or_none(text: str) -> Any:
    """The JSON of an error; None where it is none."""
    try:
        return load_json(text)
    except ValueError:
        return None


_HTML = re.compile(r"\s*<(?:!doctype html|html)\b", re.IGNORECASE)


def title_of(page: str) -> str:
    """The title of a web page, or else its text."""
    found = re.search(r"<title[^>]*>(.*?)</title>", page, re.IGNORECASE | re.DOTALL)
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]*>", " ", page, flags=re.IGNORECASE | re.DOTALL)
    return html.unescape(found[1] if found and found[1].strip() else text)


def complaint(data: Any) -> str:
    """What the JSON of an error says: its message, code, type and status, and what a relay was told by the provider."""
    error = data.get("error", data) if isinstance(data, dict) else data
    if not isinstance(error, dict):
        return str(error)
    # OpenRouter's own message is then "Provider returned error" and no more.
    behind = dict_of(error.get("metadata")).get("raw")
    if isinstance(behind, str):
        behind = json_or_none(behind) or behind
    told = dict_of(behind).get("error", behind)
    parts = [
        error.get("message") or error.get("detail") or "",
        dict_of(told).get("message") or told,
        *(error.get(k) for k in ("code", "type", "status")),
    ]
    return " ".join(str(part) for part in parts if part)


def text_of(value: Any) -> str:
    """A string, or an empty one for what is none."""
    return value if isinstance(value, str) else ""


def count_of(value: Any) -> int | None:
    """A number of tokens; None for what cannot be one."""
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53:
        return int(value)
    return None


def dict_of(value: Any) -> dict[str, Any]:
    """An object, or an empty one for what is none."""
    return value if isinstance(value, dict) else {}


def small_png() -> bytes:
    """A picture to ask with whether pictures are taken."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(buffer, "PNG")
    return buffer.getvalue()
