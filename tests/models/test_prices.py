"""Costs: exact names, dated tables, and nothing that is unknown counted as zero."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.errors import InputError
from guideact.models.make import CLIENTS
from guideact.models.prices import Tokens, load_prices, shipped


def test_the_shipped_table_is_dated_and_names_models_of_every_provider() -> None:
    table = shipped()
    assert table.date.year >= 2026
    assert len(table.models) >= 12
    assert {name.partition("/")[0] for name in table.models} == set(CLIENTS)
    for name, price in table.models.items():
        assert 0 < price.input < price.output, name
        assert price.cached is not None, name
        assert price.cached < price.input, name


def test_parts_of_the_input_have_prices_of_their_own() -> None:
    table = load_prices()
    tokens = Tokens(1_000_000, 100_000, cached=400_000)
    assert table.cost("openai/gpt-4.1", tokens, at_home=True) == pytest.approx(0.6 * 2 + 0.4 * 0.5 + 0.1 * 8)


@pytest.mark.parametrize(
    ("model", "tokens", "at_home"),
    [
        ("openai/no-such-model", Tokens(10, 10), True),
        ("openai/gpt-4.1-2025-04-14", Tokens(10, 10), True),
        ("openai/gpt-4.1", Tokens(10, 10), False),
        ("openai/gpt-4.1", Tokens(10), True),
        ("openai/gpt-4.1", Tokens(output=10), True),
        ("google/gemini-2.5-pro", Tokens(200_001, 1), True),
    ],
    ids=["no price", "a snapshot", "another endpoint", "no output", "no input", "a long prompt"],
)
def test_what_is_not_known_is_none_and_never_zero(model: str, tokens: Tokens, at_home: bool) -> None:
    assert load_prices().cost(model, tokens, at_home=at_home) is None


def test_a_file_of_the_users_wins_and_holds_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(
        """date = 2026-11-30
[models."openai/gpt-4.1"]
input = 1
output = 3
[models."openai/mine"]
input = 0
output = 0
"""
    )
    table = load_prices(path)
    tokens = Tokens(1_000_000, 1_000_000, cached=500_000, stored=100_000)
    for at_home in (True, False):
        assert table.cost("openai/gpt-4.1", tokens, at_home=at_home) == pytest.approx(4)
        assert table.cost("openai/mine", tokens, at_home=at_home) == 0
    assert table.cost("openai/gpt-4o", Tokens(1_000_000, 0), at_home=True) == 2.5
    assert table.label.startswith("2026-11-30")
    assert f"{shipped().date}" in table.label


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("date = ", "is no TOML"),
        ("", "date: field required"),
        ("date = 2026-01-01", "models: field required"),
        ('date = 2026-01-01\n[models."openai/m"]\ninput = 1', "models.openai/m.output: field required"),
        ('date = 2026-01-01\n[models."openai/m"]\ninput = -1\noutput = 1', "models.openai/m.input: input should be"),
        ('date = 2026-01-01\n[models."openai/m"]\ninput = nan\noutput = 1', "models.openai/m.input: input should be"),
        ('date = 2026-01-01\n[models."openai/m"]\ninput = 1\noutput = 1\nx = 1', "models.openai/m.x: extra inputs"),
        ("date = 2026-01-01\n[models.m]\ninput = 1\noutput = 1", "models.m is no provider/name"),
    ],
)
def test_a_file_that_cannot_be_used_is_named_with_the_field(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(text)
    with pytest.raises(InputError, match=f"prices.toml.*{said}") as raised:
        load_prices(path)
    assert raised.value.fix


def test_a_file_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match=r"/nope\.toml cannot be read: No such file.*--prices"):
        load_prices(Path("/nope.toml"))
