"""How a guide sentence becomes tokens. BLEU and ROUGE here count the same tokens, in every language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Literal

Tokeniser = Literal["words", "13a", "zh"]

# Scripts that are written without spaces between words and read character by character: Han, kana, bopomofo.
_CHARACTER_RANGES = (
    (0x3005, 0x3007),
    (0x3041, 0x312F),
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFD),
)
_SIGNS = dict.fromkeys(map(ord, "“”‘’–—…·•→←↑↓×€£"), " ")
"""Signs that are common in English guides; like any other they separate."""
_ASCII_WORD = re.compile("[0-9A-Za-z]+")


def tokenise(text: str, tokeniser: Tokeniser = "words", *, lowercase: bool = True) -> tuple[str, ...]:
    """The tokens of `text`.

    `words`, the default: Unicode NFKC; each Han or kana character is a token, and so is each longest run of other
    letters, digits and the marks that belong to them; everything else separates and is dropped. On ASCII text these
    are exactly the tokens of the ROUGE reference implementation without stemming. `13a` and `zh` are sacrebleu's
    tokenisers, which keep punctuation.

    `lowercase` applies `str.lower` before anything else is split.
    """
    if tokeniser == "words":
        text = unicodedata.normalize("NFKC", text)
        return _words(text.lower() if lowercase else text)
    return tuple(_sacrebleu(tokeniser)((text.lower() if lowercase else text).strip()).split())


@lru_cache(maxsize=4096)  # each score of a step asks anew
def _words(text: str) -> tuple[str, ...]:
    plain = text.translate(_SIGNS)
    if plain.isascii():
        return tuple(_ASCII_WORD.findall(plain))  # the same, ten times as fast
    tokens: list[str] = []
    word = ""
    for character in text:
        if character.isalnum() and not _stands_alone(character):
            word += character
        elif word and unicodedata.category(character).startswith("M"):
            word += character  # a vowel sign or an accent that has no composed form
        else:
            if word:
                tokens.append(word)
                word = ""
            if character.isalnum():
                tokens.append(character)
    if word:
        tokens.append(word)
    return tuple(tokens)


def _stands_alone(character: str) -> bool:
    code = ord(character)
    return code >= 0x3005 and any(low <= code <= high for low, high in _CHARACTER_RANGES)


@lru_cache(maxsize=2)
def _sacrebleu(name: Literal["13a", "zh"]) -> Callable[[str], str]:
    from sacrebleu.metrics.bleu import BLEU

    tokenizer: Callable[[str], str] = BLEU(tokenize=name).tokenizer
    return tokenizer
