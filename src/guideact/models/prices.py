"""What a call costs: a dated table of prices, which a file of the user's adds to or overrides.

    date = 2026-10-14                  # when the prices were looked up
    [models."openai/gpt-4.1"]
    input = 2.0                        # US dollars for a million tokens
    cached = 0.5                       # of input that the provider had cached; left out: as input
    stored = 2.5                       # of input that went into its cache; left out: as input
    output = 8.0                       # reasoning included
    most_input = 200000                # prompts longer than this cost something else, which is not in the table

Names are exact, since snapshots of a model can differ in price. The table that comes with the package holds for the
providers' own endpoints alone; a file of the user's holds wherever the model is. What has no price has no cost: None,
never zero.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import Field, ValidationError

from guideact.errors import InputError
from guideact.types import Frozen

MILLION = 1_000_000


@dataclass(frozen=True)
class Tokens:
    """Tokens of one call, as its endpoint counts them. `cached` and `stored` are parts of `input`."""

    input: int | None = None
    """None where it was not counted, as with `output`: then no cost follows."""
    output: int | None = None
    cached: int = 0
    """Read from the provider's cache."""
    stored: int = 0
    """Written to the provider's cache."""


class Price(Frozen):
    """US dollars for a million tokens."""

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)
    cached: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    stored: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    most_input: int | None = Field(default=None, ge=1)

    def of(self, tokens: Tokens) -> float | None:
        """US dollars; None for a prompt that the price does not hold for, and for incomplete counts."""
        if tokens.input is None or tokens.output is None:
            return None
        if self.most_input is not None and tokens.input > self.most_input:
            return None
        cached = self.input if self.cached is None else self.cached
        stored = self.input if self.stored is None else self.stored
        fresh = tokens.input - tokens.cached - tokens.stored
        dollars = fresh * self.input + tokens.cached * cached + tokens.stored * stored + tokens.output * self.output
        return dollars / MILLION


class PriceFile(Frozen):
    """A file of prices."""

    date: date
    models: dict[str, Price]


@dataclass(frozen=True)
class PriceTable:
    """The prices of a run."""

    shipped: PriceFile
    own: PriceFile | None = None

    @property
    def label(self) -> str:
        """The date of the prices, for the manifest of a run."""
        return f"{self.shipped.date}" if self.own is None else f"{self.own.date} (own) and {self.shipped.date}"

    def cost(self, model: str, tokens: Tokens, *, at_home: bool) -> float | None:
        """US dollars of a call to the model `provider/name`; None where that is not known.

        `at_home` says whether the provider's own endpoint was asked.
        """
        price = self.own.models.get(model) if self.own is not None else None
        if price is None and at_home:
            price = self.shipped.models.get(model)
        return None if price is None else price.of(tokens)


def load_prices(path: Path | None = None) -> PriceTable:
    """The shipped prices, with those of a file before them. Raises InputError for a file that cannot be read."""
    if path is None:
        return PriceTable(shipped())
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Give another file with --prices.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no TOML: {error}", fix="Mend it there.") from error
    return PriceTable(shipped(), _read(data, path))


@cache
def shipped() -> PriceFile:
    """The prices that come with the package."""
    text = files("guideact.models").joinpath("prices.toml").read_text(encoding="utf-8")
    return PriceFile.model_validate(tomllib.loads(text))


def _read(data: Mapping[str, object], path: Path) -> PriceFile:
    try:
        found = PriceFile.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise InputError(
            f"{path}: {where}: {first['msg'][:1].lower()}{first['msg'][1:]}",
            fix='It needs a date, and for each [models."provider/name"] input and output in US dollars a million.',
        ) from error
    for name in found.models:
        maker, _, model = name.partition("/")
        if not maker or not model:
            raise InputError(f"{path}: models.{name} is no provider/name", fix='Write [models."openai/NAME"].')
    return found
