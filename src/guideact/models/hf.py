"""A model that runs in this process, on transformers: `hf/FOLDER`, `hf/FILE.gguf`, `hf/OWNER/NAME`.

It answers one request at a time, so that an answer never depends on what else is asked (`hf_decode.py`); for many
requests at once there are servers such as vLLM, which `openai/NAME` speaks to. Unless told a temperature it is greedy.
Points are told to the model and read from it in pixels of the picture that it sees; the reply's text has them in pixels
of the screenshot (`hf_encode.py`).
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from guideact.errors import InputError, ModelError
from guideact.models.base import Abilities, Reply, Request, Sampling, TokenLogprob, Unusable, refuse_beyond
from guideact.models.hf_decode import Written, score, write
from guideact.models.hf_encode import Encoded, encode, rescaled
from guideact.models.hf_load import Loaded, Source, load, locate
from guideact.types import Usage

T = TypeVar("T")


class HfModel:
    """A model of transformers behind the seam of every model."""

    def __init__(self, name: str, source: Source, sampling: Sampling | None = None) -> None:
        """`sampling` says what the run will ask for. Raises InputError for what the model cannot do."""
        self.name = name
        self.can = Abilities(images=source.images, seed=True, logprobs=True, prefix=True)
        self._source = source
        self._sampling = sampling or Sampling()
        self._loaded: Loaded | None = None
        self._turn = asyncio.Lock()
        # What was given up ends some time later, and a model holds state of the answer it is at: the next waits.
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="hf")
        refuse_beyond(name, self.can, self._sampling)

    async def probe(self) -> None:
        """Load the weights and ask for one word. Raises InputError where either fails."""
        await self._ask("", "Answer with the word ok.", None, limit=1)

    async def answer(self, request: Request) -> Reply:
        """Decide one step.

        Raises ModelError for a prompt that leaves no room for an answer, and Unusable for an answer that reached its
        limit or is empty.
        """
        refuse_beyond(self.name, self.can, Sampling(), structured_output=request.schema is not None)
        loaded = await self._ready()
        async with self._turn:
            encoded = await self._run(lambda stop: encode(loaded, *_words(request), request.image))
            prefix = rescaled(request.prefix, 1 / encoded.scale[0], 1 / encoded.scale[1])
            limit = self._limit(loaded, encoded, request.sampling.max_tokens)
            written = await self._run(
                lambda stop: write(
                    loaded,
                    encoded,
                    prefix=prefix,
                    limit=limit,
                    temperature=request.sampling.temperature or 0.0,
                    seed=f"{request.sampling.seed}/{request.task.id}/{request.step}",
                    stop=stop,
                )
            )
        return self._reply(request, encoded, prefix, written)

    async def score(self, request: Request, text: str) -> tuple[TokenLogprob, ...]:
        """The log-probability of each token of `text`, as what follows the request's forced start.

        Points in both are pixels of the screenshot. Raises ValueError for an empty text, and where the start ends
        within a point.
        """
        if not text:
            raise ValueError("an empty text has no tokens")
        loaded = await self._ready()
        async with self._turn:
            encoded = await self._run(lambda stop: encode(loaded, *_words(request), request.image))
            across, down = 1 / encoded.scale[0], 1 / encoded.scale[1]
            whole, prefix = rescaled(request.prefix + text, across, down), rescaled(request.prefix, across, down)
            if not whole.startswith(prefix):
                raise ValueError("the forced start ends within a number")
            found = await self._run(lambda stop: score(loaded, encoded, prefix, whole[len(prefix) :]))
        return tuple(TokenLogprob(token, log) for token, log in found)

    async def ask(self, system: str, user: str) -> str:
        """The answer to a question in words alone, sampled as the model was made to."""
        return (await self._ask(system, user, None, limit=self._sampling.max_tokens)).text

    async def close(self) -> None:
        """Let go of the weights."""
        self._loaded = None
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _ask(self, system: str, user: str, image: bytes | None, *, limit: int) -> Written:
        loaded = await self._ready()
        async with self._turn:
            encoded = await self._run(lambda stop: encode(loaded, system, user, image))
            limit = self._limit(loaded, encoded, limit)
            temperature, seed = self._sampling.temperature or 0.0, f"{self._sampling.seed}/{system}/{user}"
            return await self._run(
                lambda stop: write(
                    loaded, encoded, prefix="", limit=limit, temperature=temperature, seed=seed, stop=stop
                )
            )

    async def _ready(self) -> Loaded:
        async with self._turn:
            if self._loaded is None:
                self._loaded = await self._run(lambda stop: load(self._source))
            return self._loaded

    async def _run(self, work: Callable[[threading.Event], T]) -> T:
        """In the model's thread, which is told when nobody waits for it any more."""
        stop = threading.Event()
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work, stop)
        except asyncio.CancelledError:
            stop.set()
            raise

    def _limit(self, loaded: Loaded, encoded: Encoded, wanted: int) -> int:
        room = loaded.context() - len(encoded.ids)
        if room < 1:
            raise ModelError(
                "context_overflow",
                f"the prompt of {len(encoded.ids)} tokens is too long for {self.name}, which takes {loaded.context()}",
            )
        return min(wanted, room)

    def _reply(self, request: Request, encoded: Encoded, prefix: str, written: Written) -> Reply:
        usage = Usage(input_tokens=len(encoded.ids), output_tokens=len(written.chosen))
        start, text = rescaled(prefix, *encoded.scale), rescaled(prefix + written.text, *encoded.scale)
        if text.startswith(start):
            # Word for word as it was forced, whatever rounding did to its points.
            text = request.prefix + text[len(start) :]
        tokens = tuple(TokenLogprob(said, log, token) for token, said, log in written.chosen if request.logprobs)
        if not written.ended:
            reached = f"{self.name} reached its output limit before the end of the answer"
            raise Unusable("cut", reached, text=text, usage=usage, logprobs=tokens)
        if not text.strip():
            raise Unusable("empty", f"{self.name} gave an empty answer", usage=usage, logprobs=tokens)
        return Reply(text=text, usage=usage, logprobs=tokens)


def _words(request: Request) -> tuple[str, str]:
    return request.prompt.system, request.prompt.user


def hf_model(name: str, sampling: Sampling | None = None) -> HfModel:
    """The model of this name (without `hf/`), not loaded yet. Raises InputError as `hf_load.locate` does."""
    if not name:
        raise InputError("hf/ names no model", fix="Give a folder, a GGUF file, or OWNER/NAME of a hub.")
    return HfModel(f"hf/{name}", locate(name), sampling)
