"""From `provider/name` to a client, with the provider's own key."""

from __future__ import annotations

import pytest

from guideact.actions import KEYS, parse_answer
from guideact.errors import InputError
from guideact.models.base import Abilities, Sampling, refuse_beyond
from guideact.models.http import Patience
from guideact.models.make import CLIENTS, api_model, is_named, named_clients
from guideact.models.schema import answer_schema
from guideact.types import VERBS

VARIABLES = ("GUIDEACT_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)


@pytest.mark.parametrize(
    ("name", "keys", "header"),
    [
        ("openai/m", {"OPENAI_API_KEY": "o"}, ("authorization", "Bearer o")),
        ("openai/m", {"OPENAI_API_KEY": "o", "GUIDEACT_API_KEY": "g"}, ("authorization", "Bearer g")),
        ("anthropic/m", {"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}, ("x-api-key", "a")),
        ("anthropic/m", {"ANTHROPIC_API_KEY": "a", "GUIDEACT_API_KEY": "g"}, ("x-api-key", "g")),
        ("google/m", {"GOOGLE_API_KEY": "x"}, ("x-goog-api-key", "x")),
        ("google/m", {"GOOGLE_API_KEY": "x", "GEMINI_API_KEY": "y"}, ("x-goog-api-key", "y")),
    ],
)
async def test_the_key_is_the_providers_or_the_one_over_all(
    monkeypatch: pytest.MonkeyPatch, name: str, keys: dict[str, str], header: tuple[str, str]
) -> None:
    for variable, key in keys.items():
        monkeypatch.setenv(variable, key)
    model = api_model(name)
    assert model.name == name
    assert model._client.headers[header[0]] == header[1]
    await model.close()


@pytest.mark.parametrize(("name", "known"), [("openai/a/b", True), ("openai/", False), ("gold", False), ("x/y", False)])
def test_which_names_are_models_of_providers(name: str, known: bool) -> None:
    assert is_named(name) is known
    assert named_clients() == "openai/NAME, anthropic/NAME or google/NAME"
    assert set(CLIENTS) == {"openai", "anthropic", "google"}


@pytest.mark.parametrize(
    ("sampling", "asked", "said"),
    [
        (Sampling(effort="low"), {}, "has no reasoning effort low. Leave out --reasoning-effort"),
        (Sampling(seed=1), {}, "takes no seed. Leave out --seed"),
        (Sampling(), {"structured_output": True}, "cannot be held to a schema. Leave out --structured-output"),
        (Sampling(), {"prefix": True}, "start of an answer of m cannot be forced"),
        (Sampling(), {"logprobs": True}, "m gives no log-probabilities"),
    ],
)
def test_what_a_model_cannot_do_is_said(sampling: Sampling, asked: dict[str, bool], said: str) -> None:
    with pytest.raises(InputError, match=said):
        refuse_beyond("m", Abilities(), sampling, **asked)
    able = Abilities(seed=True, logprobs=True, prefix=True, structured_output=True, efforts=("low",))
    refuse_beyond("m", able, sampling, **asked)


def test_the_schema_asks_for_the_keys_in_their_order_and_for_every_verb() -> None:
    schema = answer_schema()
    assert list(schema["properties"]) == schema["required"] == list(KEYS)
    assert tuple(schema["properties"]["action"]["enum"]) == VERBS
    assert list(answer_schema(("guide", "action"))["properties"]) == ["guide", "action"]
    said = '{"think": "", "action": "click", "target": [3], "value": null, "guide": "Click Buy."}'
    assert parse_answer(said, "som", marks=3).faults == ()


def test_longer_answers_are_waited_for_longer() -> None:
    assert Patience.for_answers_of(100) == Patience()
    long = Patience.for_answers_of(32_000)
    assert long.request == 1600
    assert long.total > 2 * long.request
