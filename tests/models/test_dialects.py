"""What holds for every provider: who is blamed for what goes wrong, what is waited for, and that no key gets out."""

from __future__ import annotations

import asyncio
import json

import pytest

from guideact.errors import InputError, ModelError, ModelUnavailable
from guideact.models.api import ApiModel
from guideact.models.base import Sampling, Unusable
from guideact.models.prices import Price, PriceFile, PriceTable
from guideact.models.schema import answer_schema

from .dialects import ALL, Dialect, Waits, client, request, serving
from .endpoint import Behaviour, Endpoint, cut, raw
from .wire import KEY, gives

ANSWER = '{"think": "", "action": "finish", "target": null, "value": "ok", "guide": "Finish here."}'
each = pytest.mark.parametrize("dialect", ALL, ids=lambda dialect: dialect.client.maker)


@each
async def test_an_answer_is_read_and_counted(dialect: Dialect) -> None:
    async with serving(dialect, dialect.says(ANSWER)) as there:
        model = client(there, dialect)
        reply = await model.answer(request())
        await model.close()
    assert model.name == dialect.name
    assert reply.text == ANSWER
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens, reply.usage.cost) == (1300, 42, None)
    assert len(there.bodies) == 1


@each
async def test_the_probe_sends_what_the_run_will(dialect: Dialect) -> None:
    async with serving(dialect, dialect.says("ok")) as there:
        for images, schema in ((True, answer_schema()), (False, None)):
            model = client(there, dialect, images=images, schema=schema)
            await model.probe()
            await model.close()
    sent = [json.dumps(body) for body in there.bodies]
    assert ["image/png" in text for text in sent] == [True, False]
    assert ["propert" in text for text in sent] == [True, False]


@each
async def test_the_models_own_failures_are_told_apart_and_paid_for(dialect: Dialect) -> None:
    behaviours = dialect.refuses("I will not."), dialect.cut('{"think": "so lo'), dialect.says("")
    async with serving(dialect, *behaviours) as there:
        model = client(there, dialect, prices=priced(dialect))
        for kind in ("refusal", "cut", "empty"):
            with pytest.raises(Unusable) as raised:
                await model.answer(request())
            assert raised.value.kind == kind
            assert raised.value.usage.input_tokens == 1300
            assert raised.value.usage.cost == pytest.approx((1300 * 2 + 42 * 10) / 1e6)
            if kind == "refusal":
                assert "I will not." in raised.value.message
            if kind == "cut":
                assert raised.value.text == '{"think": "so lo'
        await model.close()
    assert len(there.bodies) == 3


@each
async def test_too_long_a_prompt_is_the_models_failure(dialect: Dialect) -> None:
    async with serving(dialect, dialect.too_long) as there:
        model = client(there, dialect)
        with pytest.raises(ModelError) as raised:
            await model.answer(request())
        with pytest.raises(InputError, match="--max-tokens"):
            await model.probe()
        await model.close()
    assert raised.value.kind == "context_overflow"


@each
@pytest.mark.parametrize("status", [429, 500, 503, 529])
async def test_the_weather_is_retried_as_late_as_the_server_asks(dialect: Dialect, status: int) -> None:
    body = dialect.error(status if status != 529 or dialect.client.maker == "anthropic" else 503, "later")
    async with serving(dialect, gives(body, status, {"retry-after": "17"}), dialect.says("{}")) as there:
        waits = Waits()
        model = client(there, dialect, waits=waits)
        assert (await model.answer(request())).text == "{}"
        await model.close()
    assert waits.seconds == [17]


@each
@pytest.mark.parametrize("behaviour", [cut(), raw("<html>"), raw("{}"), raw("[1]")], ids=["cut", "html", "{}", "[1]"])
async def test_nonsense_is_weather(dialect: Dialect, behaviour: Behaviour) -> None:
    async with serving(dialect, behaviour) as there:
        model = client(there, dialect)
        with pytest.raises(ModelUnavailable, match=r"\(3 tries\)"):
            await model.answer(request())
        await model.close()
    assert len(there.bodies) == 3


@each
@pytest.mark.parametrize(
    ("status", "said"), [(401, "does not accept the key"), (403, "does not let this key use"), (404, "does not know")]
)
async def test_what_only_the_user_can_mend(dialect: Dialect, status: int, said: str) -> None:
    async with serving(dialect, gives(dialect.error(status, f"no, {KEY}"), status)) as there:
        model = client(there, dialect)
        with pytest.raises(InputError, match=said) as raised:
            await model.answer(request())
        await model.close()
    assert KEY not in str(raised.value)
    assert "no, [key]" in str(raised.value)
    if status == 401:
        assert all(variable in str(raised.value) for variable in ("GUIDEACT_API_KEY", *dialect.client.variables))
    if status == 404:
        assert f"after {dialect.client.maker}/" in str(raised.value)


@each
async def test_a_server_of_ones_own_may_do_without_a_key(dialect: Dialect) -> None:
    server = dialect.server()
    server.authorised = lambda asked: not {"authorization", "x-api-key", "x-goog-api-key"} & set(asked.headers)
    async with serving(dialect, dialect.says("{}"), server=server) as there:
        model = client(there, dialect, key=None)
        assert (await model.answer(request())).text == "{}"
        await model.close()


@each
async def test_a_wrong_key_is_refused_by_the_probe(dialect: Dialect) -> None:
    async with serving(dialect, dialect.says("ok")) as there:
        model = client(there, dialect, key="another-key")
        with pytest.raises(InputError, match="does not accept the key"):
            await model.probe()
        await model.close()


@each
async def test_a_key_that_an_answer_repeats_is_cut_out(dialect: Dialect) -> None:
    behaviours = dialect.says(f"my key is {KEY}"), dialect.cut(f"it is {KEY}"), dialect.refuses(f"not with {KEY}!")
    async with serving(dialect, *behaviours) as there:
        model = client(there, dialect)
        assert (await model.answer(request())).text == "my key is [key]"
        for text in ("it is [key]", "not with [key]!"):
            with pytest.raises(ModelError) as raised:
                await model.answer(request())
            assert KEY not in raised.value.message + raised.value.text
            assert text in raised.value.message + raised.value.text
        await model.close()


@each
async def test_a_short_key_is_cut_out_of_refusals_and_left_in_answers(dialect: Dialect) -> None:
    server = dialect.server()
    server.authorised = lambda request: True
    async with serving(dialect, dialect.says("a none"), dialect.refuses("x none y"), server=server) as there:
        model = client(there, dialect, key="none")
        assert (await model.answer(request())).text == "a none"
        with pytest.raises(ModelError) as raised:
            await model.answer(request())
        await model.close()
    assert "none" not in raised.value.message.replace(dialect.name, "") + raised.value.text


@each
async def test_no_more_requests_are_in_flight_than_told(dialect: Dialect) -> None:
    entered, released = asyncio.Semaphore(0), asyncio.Event()
    says = dialect.says("{}")

    async def held(asked):  # type: ignore[no-untyped-def]
        entered.release()
        await released.wait()
        return await says(asked)

    async with serving(dialect, held) as there:
        model = client(there, dialect, max_connections=2)
        asking = [asyncio.create_task(model.answer(request())) for _ in range(5)]
        await entered.acquire()
        await entered.acquire()
        for _ in range(200):
            await asyncio.sleep(0)
        released.set()
        replies = await asyncio.gather(*asking)
        await model.close()
    assert [reply.text for reply in replies] == ["{}"] * 5
    assert there.most_in_flight == 2


@each
@pytest.mark.parametrize("ability", ["logprobs", "prefix"])
async def test_what_a_model_cannot_do_is_refused_before_it_is_asked(dialect: Dialect, ability: str) -> None:
    async with serving(dialect, dialect.says("{}")) as there:
        model = client(there, dialect)
        wanted = {"logprobs": True} if ability == "logprobs" else {"prefix": "{"}
        if not getattr(model.can, ability):
            with pytest.raises(InputError, match=model.name):
                await model.answer(request(**wanted))
            assert there.bodies == []
        await model.close()


@each
def test_an_effort_that_it_has_not_is_refused_with_those_it_has(dialect: Dialect) -> None:
    model = "claude-haiku-4-5" if dialect.client.maker == "anthropic" else "gemini-3"
    if dialect.client.maker != "openai":
        with pytest.raises(InputError, match=r"no reasoning effort max.*--reasoning-effort one of .*low"):
            dialect.client(model, base_url="http://localhost/v1", sampling=Sampling(effort="max"))


@each
def test_the_providers_own_endpoint_needs_a_key(dialect: Dialect) -> None:
    names = " or ".join(dialect.client.variables)
    with pytest.raises(InputError, match=rf"needs a key\. Set GUIDEACT_API_KEY \(or {names}\)"):
        dialect.client(dialect.model)


@each
async def test_its_own_endpoint_is_where_the_provider_has_it(dialect: Dialect) -> None:
    made = dialect.client(dialect.model, key=KEY)
    assert (
        made._url
        == {
            "openai": "https://api.openai.com/v1/chat/completions",
            "anthropic": "https://api.anthropic.com/v1/messages",
            "google": "https://generativelanguage.googleapis.com/v1beta/models/gemini-x:generateContent",
        }[dialect.client.maker]
    )
    await made.close()


@each
async def test_a_judge_drops_a_temperature_that_is_not_taken_and_nobody_else_does(dialect: Dialect) -> None:
    def told(body: object) -> bool:
        return '"temperature"' in json.dumps(body)

    no = gives(dialect.error(400, "temperature is not supported with this model"), 400)
    async with serving(dialect, no, dialect.says("ok"), dialect.says("yes"), no) as there:
        judge = client(there, dialect, lenient=True, sampling=Sampling(temperature=0, seed=3), images=False)
        await judge.probe()
        assert await judge.ask("You judge.", "Is it so?") == "yes"
        await judge.close()
        assert [told(body) for body in there.bodies] == [True, False, False]
        model: ApiModel = client(there, dialect, sampling=Sampling(temperature=0), images=False)
        with pytest.raises(InputError, match="Leave out --temperature"):
            await model.probe()
        await model.close()


def priced(dialect: Dialect) -> PriceTable:
    own = PriceFile.model_validate({"date": "2026-01-02", "models": {dialect.name: Price(input=2, output=10)}})
    return PriceTable(shipped=own, own=own)


@each
async def test_as_many_connections_as_told_can_be_open(dialect: Dialect) -> None:
    """More than the hundred that HTTP clients mostly allow, too."""
    model = client(Endpoint([]), dialect, max_connections=300)
    assert model._client._transport._pool._max_connections == 300  # type: ignore[attr-defined]
    await model.close()
