"""Choosing the tokens of an answer, one at a time, and the probability of a text that is given.

Each answer is decoded by itself. In a batch the sums of floating-point numbers are added up in another order, and where
two tokens are nearly level another one wins: alone, an answer depends on its own prompt and seed and on nothing else.

A start that is forced ends where its text ends, which need not be where a token of the model ends. So its last word is
taken back, and the model writes it anew, held to tokens that say what is still owed of the start: it may then write
`":` where the start ends in `"`, as it would have by itself.
"""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass
from typing import Any

from guideact.models.hf_encode import Encoded, plain, text_of
from guideact.models.hf_load import Loaded


class Stopped(Exception):
    """Nobody waits for the answer any more."""


@dataclass(frozen=True)
class Written:
    """What a model wrote after its prompt."""

    ids: tuple[int, ...]
    """Of the whole answer, a forced start included, without the token that ended it."""
    text: str
    """What they say, without the forced start."""
    chosen: tuple[tuple[int, str, float], ...]
    """The tokens that the model chose itself, the end included: id, text without what was owed, log-probability."""
    ended: bool
    """False where the limit was reached first."""


@dataclass(frozen=True)
class Start:
    """A forced start as tokens."""

    ids: tuple[int, ...]
    owed: str
    """What is still to be written of it."""


def start_of(loaded: Loaded, prefix: str) -> Start:
    """The tokens of a forced start, but for its last word, whose text is owed.

    Tokens never reach over the borders of what the tokeniser takes as words, so those before the last one are the same
    whatever follows. A last word that cannot be spelled in single characters is kept as it is cut.
    """
    splitter = loaded.tokenizer.backend_tokenizer.pre_tokenizer
    words = splitter.pre_tokenize_str(prefix) if splitter is not None else []
    if words:
        kept, owed = prefix[: words[-1][1][0]], prefix[words[-1][1][0] :]
        ids = plain(loaded, kept)
        if text_of(loaded, ids) == kept and set(owed) <= loaded.characters:
            return Start(tuple(ids), owed)
    return Start(tuple(plain(loaded, prefix)), "")


def write(
    loaded: Loaded,
    encoded: Encoded,
    *,
    prefix: str,
    limit: int,
    temperature: float,
    seed: str,
    stop: threading.Event,
) -> Written:
    """Let the model answer.

    Args:
        limit: the most tokens it may choose.
        temperature: 0 takes the likeliest token each time.
        seed: what the choices are drawn from, where there are any; the same text gives the same answer.
        stop: set by whoever does not want the answer any more.

    Raises:
        Stopped: `stop` was set.
    """
    import torch

    start = start_of(loaded, prefix) if prefix else Start((), "")
    chooser = _Chooser(loaded, start.owed, temperature, seed, stop)
    image_token = getattr(loaded.config, "image_token_id", None)
    with torch.inference_mode():
        found = loaded.model.generate(
            **encoded.tensors(start.ids, image_token, loaded.device),
            max_new_tokens=limit,
            do_sample=False,
            logits_processor=[chooser],
        )
    new = found[0, len(encoded.ids) + len(start.ids) :].tolist()
    ended = bool(new) and new[-1] in loaded.ends()
    own = new[:-1] if ended else new
    chosen = tuple(chooser.chosen[each] for each in range(len(new)) if chooser.chosen[each] is not None)
    return Written(
        ids=(*start.ids, *own),
        text=text_of(loaded, own)[len(start.owed) :],
        chosen=tuple(each for each in chosen if each is not None),
        ended=ended,
    )


def score(loaded: Loaded, encoded: Encoded, prefix: str, text: str) -> tuple[tuple[str, float], ...]:
    """The tokens of `text` after a forced start, each with its log-probability (natural, at temperature 1).

    `text` is not empty. Start and text are cut into tokens as one; a token that reaches over from the one into the
    other counts whole.
    """
    import torch

    found = loaded.tokenizer(
        prefix + text, add_special_tokens=False, split_special_tokens=True, return_offsets_mapping=True
    )
    ids, ends = found["input_ids"], [end for _, end in found["offset_mapping"]]
    first = next(place for place, end in enumerate(ends) if end > len(prefix))
    image_token = getattr(loaded.config, "image_token_id", None)
    with torch.inference_mode():
        wanted = len(ids) - first
        logits = loaded.model(
            **encoded.tensors(tuple(ids), image_token, loaded.device), logits_to_keep=wanted + 1
        ).logits[0, :-1]
        logs = allowed_log_softmax(logits, loaded.barred())
    return tuple((text_of(loaded, [token]), float(row[token])) for token, row in zip(ids[first:], logs, strict=True))


def allowed_log_softmax(logits: Any, barred: tuple[int, ...]) -> Any:
    """Log-probabilities (..., vocabulary) in float32, of what is drawn from: tokens that are barred have none."""
    import torch

    logits = logits.float()
    if barred:
        logits = logits.index_fill(-1, torch.tensor(barred, device=logits.device), float("-inf"))
    return torch.log_softmax(logits, dim=-1)


class _Chooser:
    """Chooses each token itself, and leaves it to `generate` as the only one possible."""

    def __init__(self, loaded: Loaded, owed: str, temperature: float, seed: str, stop: threading.Event) -> None:
        import torch

        self._loaded = loaded
        self._owed = owed
        self._temperature = temperature
        self._stop = stop
        self._chance = torch.Generator().manual_seed(int.from_bytes(hashlib.sha256(seed.encode()).digest()[:7]))
        self.chosen: list[tuple[int, str, float] | None] = []
        """Of each token; None for one that was owed."""

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        import torch

        if self._stop.is_set():
            raise Stopped
        logs = allowed_log_softmax(scores[0], self._loaded.barred())
        if self._owed:
            able = torch.tensor(self._able(len(logs)), device=logs.device)
            logs = torch.log_softmax(torch.full_like(logs, float("-inf")).index_copy(0, able, logs[able]), dim=-1)
        token = self._draw(logs)
        text = text_of(self._loaded, [token])
        log = float(logs[token])
        if self._owed:
            owed, self._owed = self._owed, self._owed[len(text) :]
            self.chosen.append((token, text[len(owed) :], log) if len(text) > len(owed) else None)
        else:
            self.chosen.append((token, "" if token in self._loaded.ends() else text, log))
        only = torch.full_like(scores, float("-inf"))
        only[0, token] = 0.0
        return only

    def _draw(self, logs: Any) -> int:
        import torch

        if self._temperature <= 0:
            return int(logs.argmax())
        heights = torch.softmax(logs.double().cpu() / self._temperature, dim=-1).cumsum(0)
        at = torch.rand((), generator=self._chance, dtype=torch.float64) * heights[-1]
        # The first token whose stretch holds the point: one of no probability has no stretch.
        return int(torch.searchsorted(heights, at, right=True).clamp(max=len(heights) - 1))

    def _able(self, size: int) -> list[int]:
        """Tokens that say the owed text, a beginning of it, or it and more."""
        owed = self._owed
        texts = self._loaded.vocabulary[:size]
        return [i for i, text in enumerate(texts) if text and (owed.startswith(text) or text.startswith(owed))]
