"""A model behind a provider's HTTP interface: what all of them have in common. A dialect adds its wire format alone.

The key comes from the environment (`GUIDEACT_API_KEY`, or else the provider's own variables), is sent in one header and
nowhere else, and is cut out of everything that comes back. What can go wrong is told apart by who has to act:

    the user     InputError         401, 402, 403, 404, a used-up quota, an address that is none, asking a model for
                                    what it cannot do; in the probe, any 4xx
    the weather  ModelUnavailable   429, 5xx, no connection, a cut body or stream, no JSON, a slow answer: after
                                    retries, each as late as the server asks, or else with exponential waits
                 DeadlineExceeded   all tries together took too long
    the model    ModelError         refusal, empty, cut (the output limit was reached), context_overflow
"""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

from guideact.errors import DeadlineExceeded, GuideActError, InputError, ModelError, ModelUnavailable
from guideact.models.base import Abilities, Reply, Request, Sampling, TokenLogprob, Unusable, refuse_beyond
from guideact.models.cache import ResponseCache
from guideact.models.http import (
    COMMON_KEY,
    Answered,
    Attempts,
    Passing,
    Patience,
    check_address,
    cleaned,
    complaint,
    json_or_none,
    load_json,
    one_line,
    open_client,
    post,
    retry_after,
    secret,
    small_png,
    title_of,
)
from guideact.models.prices import PriceTable, Tokens
from guideact.types import Usage

CONNECTIONS = 10
"""Requests in flight to an endpoint, unless told otherwise."""

_OVERFLOW = re.compile(
    r"context[_ ](?:length|window|size|limit)|maximum (?:model|prompt) length|prompt is too long"
    r"|too many (?:input )?tokens|input token count .* exceeds|exceeds? the maximum number of (?:input )?tokens"
    r"|prompt exceeds max length|exceeded model token limit|range of input length should be",
    re.IGNORECASE | re.DOTALL,
)
_REFUSED = re.compile(
    r"content_(?:policy|filter)|content (?:policy|filter|management)|safety system|(?:prompt|input|output) was flagged",
    re.IGNORECASE,
)
_NO_LOGPROBS = "Leave out --keep-tokens, or use a model that does."
_RETRIED = frozenset({408, 409, 425, 429})
_USER_FAULTS = {
    401: "{url} does not accept the key",
    402: "{url} wants to be paid first",
    403: "{url} does not let this key use {name}",
    404: "{url} does not know {name}",
}


@dataclass(frozen=True)
class Ask:
    """One question in words that every dialect can put into its own."""

    system: str
    user: str
    sampling: Sampling
    image: bytes | None = None
    schema: Mapping[str, Any] | None = None
    prefix: str = ""
    logprobs: bool = False
    plain: bool = False
    """In words alone, for endpoints that may take nothing else."""


@dataclass(frozen=True)
class Said:
    """What a dialect reads from a whole answer. `end` says how it ended, `why` what the provider says of a refusal."""

    text: str
    end: Literal["done", "cut", "refusal", "context_overflow"] = "done"
    why: str = ""
    tokens: Tokens | None = None
    """None where the endpoint did not count."""
    logprobs: tuple[TokenLogprob, ...] = ()


class ApiModel(ABC):
    """A model of a provider. Subclasses say how its wire format is written and read."""

    maker: ClassVar[str]
    """What stands before the slash."""
    home: ClassVar[str]
    """The provider's own base address."""
    variables: ClassVar[tuple[str, ...]]
    """The environment variables of the provider's keys."""

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key: str | None = None,
        sampling: Sampling | None = None,
        images: bool = True,
        schema: Mapping[str, Any] | None = None,
        logprobs: bool = False,
        lenient: bool = False,
        max_connections: int = CONNECTIONS,
        prices: PriceTable | None = None,
        cache: Path | None = None,
        patience: Patience | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`images`, `schema` and `logprobs` say what the run will ask: the probe finds out whether the model takes it.

        `lenient` leaves out a temperature that the endpoint does not take, where it is refused otherwise. Without
        `prices` no cost is known. `cache` is a file of answers to use (see `models.cache`). Raises InputError for an
        address that is none, for a missing key where the provider's own endpoint is used, for what the model cannot
        do, and for a cache that cannot be used.
        """
        self.name = f"{self.maker}/{model}"
        self._model = model
        check_address(base_url or self.home)
        self._base = (base_url or self.home).rstrip("/")
        self._at_home = self._base.startswith(self.home)
        self._url = self._address()
        self._key = key
        self._sampling = sampling or Sampling()
        self._images = images
        self._schema = schema
        self._logprobs = logprobs
        self._lenient = lenient
        self._send_temperature = True
        self._prices = prices
        self._patience = patience or Patience.for_answers_of(self._sampling.max_tokens)
        self._sleep = sleep
        self._slots = asyncio.Semaphore(max_connections)
        if not key and self._at_home:
            raise InputError(
                f"{self.name} needs a key",
                fix=f"Set {self._key_names()}, or name another endpoint with --model-base-url.",
            )
        if not lenient:
            refuse_beyond(self.name, self.can, self._sampling, structured_output=schema is not None, logprobs=logprobs)
        if (excluded := self._excluded(self._sampling)) is not None:
            raise excluded
        self._cache = ResponseCache.open(cache) if cache is not None else None
        self._client = open_client(self._headers(key), self._patience, max_connections)

    # --- what a dialect says ------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def can(self) -> Abilities:
        """What the model may be asked for, as far as its name and address tell."""

    @abstractmethod
    def _address(self) -> str:
        """Where to post to, from `self._base` and `self._model`."""

    @abstractmethod
    def _headers(self, key: str | None) -> dict[str, str]:
        """How the key is sent, if there is one, and what else every request says of itself."""

    @abstractmethod
    def _body(self, ask: Ask) -> dict[str, Any]:
        """The question in the wire format."""

    @abstractmethod
    def _read(self, data: Any) -> Said:
        """What a whole answer says. Raises Passing for JSON of another form."""

    @abstractmethod
    def _gather(self, text: str) -> Any:
        """A whole stream of events as the JSON that would have come without one. Raises Passing where it was cut."""

    def _excluded(self, sampling: Sampling) -> InputError | None:
        """What to raise for settings that exclude each other."""
        return None

    def _adapt(self, text: str) -> bool:
        """Change what is sent to what this endpoint can read, if that is what it complains about."""
        return False

    def _meant(self, status: int, data: Any, text: str) -> int:
        """The status that an error stands for, where the provider uses another one."""
        return status

    def _wait_in(self, data: Any) -> float | None:
        """How long the body of an error asks to wait, in seconds."""
        return None

    def _used_up(self, data: Any, text: str) -> bool:
        """Whether a 429 is about a quota that no waiting brings back."""
        return False

    # --- the seam -----------------------------------------------------------------------------------------------

    async def probe(self) -> None:
        """Ask for one word, with a small picture if the run will send any.

        Raises InputError for what would fail every answer, and ModelUnavailable for an endpoint that cannot be reached.
        """
        ask = Ask(
            system="",
            user="Answer with the word ok.",
            sampling=self._sampling,
            image=small_png() if self._images else None,
            schema=self._schema,
            logprobs=self._logprobs,
        )
        try:
            reply = await self._complete(ask, probing=True)
        except ModelError as error:
            if error.kind == "context_overflow":
                raise InputError(
                    f"{self.name} has no room for an answer: {error.message}", fix="Lower --max-tokens."
                ) from error
            return
        if self._logprobs and not reply.logprobs:
            # Servers that know no log-probabilities mostly pass over the wish.
            raise InputError(f"{self.name} gives no log-probabilities", fix=_NO_LOGPROBS)

    async def answer(self, request: Request) -> Reply:
        """Decide one step. Raises InputError too for what the model cannot do (see `can`)."""
        refuse_beyond(
            self.name,
            self.can,
            # Repetitions count the seed up by themselves: that alone is no wish for one.
            request.sampling.model_copy(update={"seed": self._sampling.seed}),
            structured_output=request.schema is not None,
            prefix=bool(request.prefix),
            logprobs=request.logprobs,
        )
        ask = Ask(
            system=request.prompt.system,
            user=request.prompt.user,
            sampling=request.sampling,
            image=request.image,
            schema=request.schema,
            prefix=request.prefix,
            logprobs=request.logprobs,
        )
        return await self._complete(ask, probing=False)

    async def ask(self, system: str, user: str) -> str:
        """The answer to a question in words alone, sampled as the model was made to."""
        ask = Ask(system=system, user=user, sampling=self._sampling, plain=True)
        return (await self._complete(ask, probing=False)).text

    async def close(self) -> None:
        await self._client.aclose()
        if self._cache is not None:
            self._cache.close()

    # --- one answer ---------------------------------------------------------------------------------------------

    async def _complete(self, ask: Ask, *, probing: bool) -> Reply:
        if self._cache is None or probing:
            return self._reply(ask, (await self._fetch(ask, probing=probing))[1])
        kept = await self._cache.get(self._asked(ask))
        if kept is not None:
            return self._reply(ask, self._read(kept), kept=True)
        data, said = await self._fetch(ask, probing=False)
        await self._cache.put(self._asked(ask), data)
        return self._reply(ask, said)

    def _asked(self, ask: Ask) -> dict[str, Any]:
        """Everything that an answer depends on. The seed stands there even where it is not sent, as a repetition is."""
        return {"maker": self.maker, "url": self._url, "seed": ask.sampling.seed, "body": self._body(ask)}

    def _reply(self, ask: Ask, said: Said, *, kept: bool = False) -> Reply:
        """The text, counted. Raises Unusable where the model gave none that can be used."""
        tokens = said.tokens or Tokens()
        cost = 0.0 if kept else self._cost(said.tokens)
        usage = Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cached_tokens=tokens.cached,
            cost=cost,
            from_cache=kept,
        )
        if said.end == "refusal":
            why = one_line(said.why, self._key)[:300] or "its content filter cut in"
            words = said.text.replace(self._key, "[key]") if self._key else said.text
            raise Unusable("refusal", f"{self.name} refused: {why}", text=words, usage=usage)
        # Some servers give back the forced start, others what follows it.
        text = said.text if said.text.startswith(ask.prefix) else ask.prefix + said.text
        if said.end == "cut":
            reached = f"{self.name} reached its output limit before the end of the answer"
            raise Unusable("cut", reached, text=text, usage=usage, logprobs=said.logprobs)
        if said.end == "context_overflow":
            filled = f"the answer of {self.name} filled its context window"
            raise Unusable("context_overflow", filled, text=text, usage=usage, logprobs=said.logprobs)
        if not said.text.strip():
            raise Unusable("empty", f"{self.name} gave an empty answer", usage=usage, logprobs=said.logprobs)
        return Reply(text=text, usage=usage, logprobs=said.logprobs)

    def _cost(self, tokens: Tokens | None) -> float | None:
        if self._prices is None or tokens is None:
            return None
        return self._prices.cost(self.name, tokens, at_home=self._at_home)

    async def _fetch(self, ask: Ask, *, probing: bool) -> tuple[Any, Said]:
        """Ask the endpoint, with all tries. The clock of the tries starts when there is a connection free."""
        attempts = Attempts(self._patience, self._sleep)
        async with self._slots:
            try:
                return await attempts(lambda: self._try(ask, probing), 2 if probing else self._patience.attempts)
            except Passing as error:
                tries = "1 try" if attempts.made == 1 else f"{attempts.made} tries"
                raise ModelUnavailable(
                    f"{self.name} at {self._url} {error.message} ({tries})",
                    fix=(
                        "See whether the endpoint runs and --model-base-url leads to it; "
                        if error.page
                        else "See whether the endpoint runs and can be reached; "
                    )
                    + ("then run the same command again." if probing else "the same command goes on from here."),
                ) from error
            except TimeoutError as error:
                raise DeadlineExceeded("model", self._patience.total) from error

    async def _try(self, ask: Ask, probing: bool) -> tuple[Any, Said]:
        body = self._body(ask)
        answered = await post(self._client, self._url, body, self._patience)
        # Of several requests that are in flight, the first that is refused learns for all.
        if answered.status in (400, 422) and (self._body(ask) != body or self._adapts(self._error(answered)[0])):
            return await self._try(ask, probing)
        if answered.status != 200:
            raise self._failure(answered, answered.status, probing=probing)
        try:
            # Cleaned as a whole: a stream may spread the key over several pieces.
            data = cleaned(self._gather(answered.text) if answered.streamed else load_json(answered.text), self._key)
        except ValueError as error:
            if probing:
                raise InputError(
                    f"{self._url} answers with something else than JSON", fix="Check --model-base-url."
                ) from error
            raise Passing("answered with something that is no JSON") from error
        if isinstance(data, dict) and data.get("error"):
            # Some relays answer 200 and put the failure of the provider behind them into the body; so does a stream
            # that fails on its way.
            code = data["error"].get("code") if isinstance(data["error"], dict) else None
            status = code if isinstance(code, int) and 400 <= code < 600 else 502
            raise self._failure(answered, status, data=data, probing=probing)
        return data, self._read(data)

    # --- what goes wrong ----------------------------------------------------------------------------------------

    def _error(self, answered: Answered, data: Any = None) -> tuple[str, str, Any]:
        """What the server says went wrong, on one line of at most 300 characters, as it is judged and as it is shown;
        and its JSON."""
        found = json_or_none(answered.text) if data is None else data
        if found is not None:
            return *self._short(complaint(found), 300), found
        if answered.page:
            said, shown = self._short(title_of(answered.text), 200)
            return said, f"a web page, “{shown}”", None
        return *self._short(answered.text, 300), None

    def _short(self, text: str, most: int) -> tuple[str, str]:
        """The start of a text, first as it is judged: there a key of a letter or two, as local servers are content
        with, stays where it is, since it is a part of many a word. A key goes before the cut, which could leave half.
        """
        return one_line(text, secret(self._key))[:most], one_line(text, self._key)[:most]

    def _adapts(self, text: str) -> bool:
        if self._lenient and self._send_temperature and "temperature" in text:
            self._send_temperature = False
            return True
        return self._adapt(text)

    def _temperature(self, sampling: Sampling) -> float | None:
        """The temperature to send."""
        return sampling.temperature if self._send_temperature else None

    def _failure(self, answered: Answered, status: int, *, data: Any = None, probing: bool) -> GuideActError:
        text, shown, found = self._error(answered, data)
        status = self._meant(status, found, text)
        said = f": {shown}" if shown else ""
        if status == 429 and self._used_up(found, text):
            return InputError(f"the quota of the key for {self.name} is used up{said}", fix="Top it up, then go on.")
        if status in _RETRIED or status >= 500:
            what = "limits the rate" if status == 429 else f"answers {status}"
            wait = retry_after(answered.headers)
            wait = self._wait_in(found) if wait is None else wait
            if wait is not None and wait > self._patience.longest_wait:
                return ModelUnavailable(f"{self.name} {what} and asks to wait {wait:.0f} s{said}")
            return Passing(f"{what}{said}", wait=wait, page=answered.page)
        if status == 403 and _REFUSED.search(text):  # so a relay says that a provider's moderation cut in
            return ModelError("refusal", f"{self.name} refused{said}")
        if status in _USER_FAULTS:
            fault = _USER_FAULTS[status].format(name=self.name, url=self._url)
            return InputError(fault + said, fix=self._user_fix(status))
        if status == 413 or _OVERFLOW.search(text):
            return ModelError("context_overflow", f"the prompt is too long for {self.name}{said}")
        if _REFUSED.search(text):
            return ModelError("refusal", f"{self.name} refused{said}")
        if probing:
            return InputError(
                f"{self.name} cannot be used as configured, it answers {status}{said}",
                fix="Check --model-base-url." if answered.page else self._fix(text),
            )
        return ModelUnavailable(f"{self.name} answers {status}{said}")

    def _key_names(self) -> str:
        return f"{COMMON_KEY} (or {' or '.join(self.variables)})"

    def _user_fix(self, status: int) -> str:
        version = self.home.rsplit("/", 1)[1]
        return {
            401: f"Set {self._key_names()} to a valid key.",
            402: "Top up the account behind the key.",
            403: "Use a key that may, or another model.",
            404: f"Check the name after {self.maker}/ and --model-base-url (it mostly ends in /{version}).",
        }[status]

    def _fix(self, text: str) -> str:
        """What to change about the run when the endpoint says this to the probe."""
        if "temperature" in text:
            return "Leave out --temperature."
        if self._logprobs and re.search(r"log_?prob", text, re.IGNORECASE):
            return _NO_LOGPROBS
        if self._schema is not None and re.search(
            r"response_?(?:format|schema)|output_config|json_?schema", text, re.I
        ):
            return "Leave out --structured-output."
        if self._sampling.effort is not None and re.search(r"reasoning|thinking|effort", text, re.IGNORECASE):
            return "Give another --reasoning-effort, or none."
        if re.search(r"\bmax_?(?:completion_|output_?)?tokens\b", text, re.IGNORECASE):
            return "Lower --max-tokens."
        return "If the model reads no images, pass --no-screenshots." if self._images else ""
