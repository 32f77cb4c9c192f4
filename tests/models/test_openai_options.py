"""What OpenAI-compatible servers do differently: schemas, forced starts, log-probabilities, effort, seeds, streams."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from guideact.errors import InputError, ModelError, ModelUnavailable
from guideact.models.api import Ask
from guideact.models.base import Sampling, TokenLogprob, Unusable
from guideact.models.openai import OpenAIModel
from guideact.models.schema import answer_schema

from .dialects import OPENAI, client, request, serving
from .wire import VllmBody, completion, gives, openai_error, openai_server, streams

SCHEMA = answer_schema()


async def test_effort_is_sent_as_it_is() -> None:
    sampling = Sampling(effort="xhigh")
    async with serving(OPENAI, gives(completion("{}"))) as there:
        model = client(there, OPENAI, sampling=sampling)
        await model.answer(request(sampling=sampling))
        await model.close()
    assert there.bodies[0]["reasoning_effort"] == "xhigh"


async def test_an_effort_that_the_model_has_not_is_found_out_by_the_probe() -> None:
    no = gives(openai_error(400, "Unsupported value: 'reasoning_effort' does not support 'max'"), 400)
    async with serving(OPENAI, no) as there:
        model = client(there, OPENAI, sampling=Sampling(effort="high"))
        with pytest.raises(InputError, match="Give another --reasoning-effort, or none"):
            await model.probe()
        await model.close()


async def test_a_schema_is_a_strict_response_format() -> None:
    async with serving(OPENAI, gives(completion("{}"))) as there:
        model = client(there, OPENAI, schema=SCHEMA)
        await model.answer(request(schema=SCHEMA))
        await model.close()
    sent = there.bodies[0]["response_format"]
    assert sent == {
        "type": "json_schema",
        "json_schema": {"name": "answer", "strict": True, "schema": SCHEMA},
    }


async def test_older_names_of_a_schema_are_learnt_from_the_server() -> None:
    no = [gives(openai_error(400, f"{name}: extra fields not permitted"), 400) for name in ("response_format",)]
    async with serving(OPENAI, *no, gives(completion("{}")), server=openai_server(VllmBody)) as there:
        model = client(there, OPENAI, schema=SCHEMA)
        await model.probe()
        await model.answer(request(schema=SCHEMA))
        await model.close()
    assert ["response_format" in body for body in there.bodies] == [True, False, False]
    assert there.bodies[2]["structured_outputs"] == {"json": SCHEMA}


async def test_a_server_that_knows_no_schema_is_found_out_by_the_probe() -> None:
    def refuse(body: dict[str, Any]) -> str:
        return next(name for name in ("response_format", "structured_outputs", "guided_json") if name in body)

    async def never(asked):  # type: ignore[no-untyped-def]
        return await gives(openai_error(400, f"{refuse(await asked.json())} is not supported: response_format"), 400)(
            asked
        )

    server = openai_server(VllmBody)
    server.check = lambda asked, body: None  # type: ignore[assignment, method-assign]
    async with serving(OPENAI, never, server=server) as there:
        model = client(there, OPENAI, schema=SCHEMA)
        with pytest.raises(InputError, match="Leave out --structured-output"):
            await model.probe()
        await model.close()
    assert [refuse(body) for body in there.bodies] == ["response_format", "structured_outputs", "guided_json"]


@pytest.mark.parametrize("echoed", [True, False])
async def test_an_answer_goes_on_from_a_forced_start(echoed: bool) -> None:
    said = '"", "action": "finish"}'
    start = '{"think": '
    behaviour = gives(completion(start + said if echoed else said))
    async with serving(OPENAI, behaviour, server=openai_server(VllmBody)) as there:
        model = client(there, OPENAI)
        reply = await model.answer(request(prefix=start))
        await model.close()
    assert reply.text == start + said
    (body,) = there.bodies
    assert body["messages"][-1] == {"role": "assistant", "content": start}
    assert (body["add_generation_prompt"], body["continue_final_message"]) == (False, True)


def test_openai_itself_cannot_be_given_a_start() -> None:
    assert not OpenAIModel("gpt-x", key="k").can.prefix


async def test_log_probabilities() -> None:
    data = completion("{}")
    data["choices"][0]["logprobs"] = {"content": [{"token": "{", "logprob": -0.25}, {"token": "}", "logprob": 0}, 5]}
    no = gives({"error": {"message": "return_token_ids: Extra inputs are not permitted"}}, status=400)
    async with serving(OPENAI, no, gives(data), server=openai_server(VllmBody)) as there:
        model = client(there, OPENAI)
        reply = await model.answer(request(logprobs=True))
        await model.close()
    # A server that knows no numbers of tokens says so, and is asked without.
    assert [body.get("return_token_ids") for body in there.bodies] == [True, None]
    assert there.bodies[1]["logprobs"] is True
    assert reply.logprobs == (TokenLogprob("{", -0.25), TokenLogprob("}", 0.0))


async def test_what_one_request_learns_holds_for_those_in_flight() -> None:
    """They were all sent before the first was refused."""
    there_are_all = asyncio.Barrier(4)

    async def strict(asked: HttpRequest) -> Response:
        if "return_token_ids" not in await asked.json():
            return await gives(completion("{}"))(asked)
        await there_are_all.wait()
        return await gives({"error": {"message": "return_token_ids: Extra inputs are not permitted"}}, status=400)(
            asked
        )

    async with serving(OPENAI, strict, server=openai_server(VllmBody)) as there:
        model = client(there, OPENAI)
        replies = await asyncio.gather(*(model.answer(request(logprobs=True)) for _ in range(4)))
        await model.close()
    assert [reply.text for reply in replies] == ["{}"] * 4
    assert len(there.bodies) == 8


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (gives(openai_error(400, "logprobs are not supported with reasoning models."), 400), "answers 400: logprobs"),
        (gives(completion("ok")), "gives no log-probabilities"),
    ],
    ids=["says so", "passes over it"],
)
async def test_a_model_without_log_probabilities_is_found_out_by_the_probe(behaviour: Any, said: str) -> None:
    async with serving(OPENAI, behaviour, server=openai_server(VllmBody)) as there:
        model = client(there, OPENAI, logprobs=True)
        with pytest.raises(InputError, match=rf"{said}.*Leave out --keep-tokens"):
            await model.probe()
        await model.close()
    assert there.bodies[-1]["logprobs"] is True


async def test_a_cut_answer_keeps_its_tokens_and_its_forced_start() -> None:
    data = completion('x", "action"', reason="length")
    data["choices"][0]["logprobs"] = {"content": [{"token": "x", "logprob": -0.25}]}
    async with serving(OPENAI, gives(data), server=openai_server(VllmBody)) as there:
        model = client(there, OPENAI)
        with pytest.raises(Unusable) as raised:
            await model.answer(request(logprobs=True, prefix='{"guide": "'))
        await model.close()
    assert (raised.value.kind, raised.value.text) == ("cut", '{"guide": "x", "action"')
    assert raised.value.logprobs == (TokenLogprob("x", -0.25),)


async def test_tokens_come_with_their_numbers_where_a_server_knows_them() -> None:
    """vLLM's `return_token_ids`; what does not fit the tokens one by one is not believed."""
    data = completion("{}")
    data["choices"][0]["logprobs"] = {"content": [{"token": "{", "logprob": -0.25}, {"token": "}", "logprob": 0}]}
    said = []
    for ids in ([90, 92], [90], None, ["90", "92"]):
        data["choices"][0]["token_ids"] = ids
        async with serving(OPENAI, gives(data), server=openai_server(VllmBody)) as there:
            model = client(there, OPENAI)
            reply = await model.answer(request(logprobs=True))
            await model.close()
        assert there.bodies[0]["return_token_ids"] is True
        said.append([each.id for each in reply.logprobs])
    assert said == [[90, 92], [None, None], [None, None], [None, None]]


async def test_what_the_provider_had_cached_is_counted() -> None:
    data = completion("{}")
    data["usage"]["prompt_tokens_details"] = {"cached_tokens": 1024}
    async with serving(OPENAI, gives(data)) as there:
        model = client(there, OPENAI)
        reply = await model.answer(request())
        await model.close()
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.cached_tokens) == (1300, 1024)


async def test_a_seed_that_is_a_wish_is_not_dropped_silently() -> None:
    no = gives(openai_error(400, "seed: extra fields not permitted"), 400)
    async with serving(OPENAI, no) as there:
        model = client(there, OPENAI, sampling=Sampling(seed=5))
        with pytest.raises(InputError, match=r"takes no seed.*Leave out --seed"):
            await model.probe()
        await model.close()


def chunk(reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "choices": [{"index": 0, "delta": delta, "finish_reason": reason}]}


WHOLE: list[Any] = [
    chunk(role="assistant", content=""),
    chunk(content='{"a": '),
    chunk(content="1}"),
    chunk("stop"),
    {"object": "chat.completion.chunk", "choices": [], "usage": {"prompt_tokens": 3, "completion_tokens": 4}},
    "[DONE]",
]


async def test_a_stream_that_nobody_asked_for_is_read() -> None:
    async with serving(OPENAI, streams(WHOLE, named=False)) as there:
        model = client(there, OPENAI)
        reply = await model.answer(request())
        await model.close()
    assert reply.text == '{"a": 1}'
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (3, 4)


@pytest.mark.parametrize("events", [WHOLE[:2], [*WHOLE[:2], {"error": {"message": "upstream", "code": 503}}]])
async def test_a_stream_that_is_cut_is_weather(events: list[Any]) -> None:
    async with serving(OPENAI, streams(events, named=False)) as there:
        model = client(there, OPENAI)
        with pytest.raises(ModelUnavailable, match=r"broke off in the middle|answers 503: upstream"):
            await model.answer(request())
        await model.close()
    assert len(there.bodies) == 3


@pytest.mark.parametrize(
    ("base_url", "name"), [(None, "max_completion_tokens"), ("http://localhost:8000/v1", "max_tokens")]
)
async def test_the_output_limit_has_the_name_that_the_endpoint_knows(base_url: str | None, name: str) -> None:
    model = OpenAIModel("gpt-x", key="k", base_url=base_url)
    body = model._body(Ask(system="s", user="u", sampling=Sampling(max_tokens=9)))
    await model.close()
    assert {key: value for key, value in body.items() if key.startswith("max_")} == {name: 9}


@pytest.mark.parametrize(
    ("status", "body", "raises", "said"),
    [
        (
            400,
            {"object": "error", "message": "This model's maximum context length is 4096 tokens.", "code": 400},
            ModelError,
            "too long",
        ),
        (
            400,
            {"error": {"code": 400, "message": "the request exceeds the available context size", "type": "e"}},
            ModelError,
            "too long",
        ),
        (
            503,
            {"error": {"code": 503, "message": "Loading model", "type": "unavailable_error"}},
            ModelUnavailable,
            "3 tries",
        ),
        (
            404,
            {"error": {"message": "model 'm' not found", "type": "api_error", "param": None, "code": None}},
            InputError,
            "does not know",
        ),
        (
            404,
            {"object": "error", "message": "The model `m` does not exist.", "code": 404},
            InputError,
            "does not know",
        ),
        (400, {"error": "invalid image input"}, ModelUnavailable, "answers 400: invalid image input"),
        (422, {"detail": [{"loc": ["body", "x"], "msg": "extra"}]}, ModelUnavailable, "answers 422: .*extra"),
    ],
    ids=[
        "vllm long",
        "llama.cpp long",
        "llama.cpp loading",
        "ollama unknown",
        "vllm unknown",
        "ollama text",
        "fastapi",
    ],
)
async def test_what_servers_of_open_models_say(status: int, body: Any, raises: type[Exception], said: str) -> None:
    async with serving(OPENAI, gives(body, status)) as there:
        model = client(there, OPENAI)
        with pytest.raises(raises, match=said):
            await model.answer(request())
        await model.close()
