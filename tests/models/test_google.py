"""Google's Gemini API: what is sent, how a candidate is read, and what its errors mean."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from guideact.errors import InputError, ModelError, ModelUnavailable
from guideact.models.base import Sampling, TokenLogprob
from guideact.models.google import GoogleModel, schema_of_google
from guideact.models.schema import answer_schema

from .dialects import GOOGLE, Waits, client, request, serving
from .wire import PNG, candidate, gives, google_error, google_server, streams

RETRY = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "12.5s"}


def quota(name: str) -> dict[str, Any]:
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": name}]}


async def test_a_step_is_an_instruction_and_one_content_with_the_image() -> None:
    async with serving(GOOGLE, gives(candidate("{", "}"))) as there:
        model = client(there, GOOGLE)
        reply = await model.answer(request(sampling=Sampling(temperature=0.5, seed=7, max_tokens=900)))
        await model.close()
    assert reply.text == "{}"
    (body,) = there.bodies
    assert body["systemInstruction"] == {"parts": [{"text": request().prompt.system}]}
    (asked,) = body["contents"]
    text, image = asked["parts"]
    assert (asked["role"], text) == ("user", {"text": request().prompt.user})
    assert image["inlineData"]["mimeType"] == "image/png"
    assert base64.b64decode(image["inlineData"]["data"]) == PNG
    assert body["generationConfig"] == {"maxOutputTokens": 900, "seed": 7, "temperature": 0.5}


@pytest.mark.parametrize("name", ["gemini-x", "models/gemini-x"])
async def test_the_name_may_be_written_as_google_writes_it(name: str) -> None:
    async with serving(GOOGLE, gives(candidate("{}"))) as there:
        model = client(there, GOOGLE, model=name)
        assert (await model.answer(request())).text == "{}"
        await model.close()


async def test_a_name_cannot_lead_elsewhere() -> None:
    model = GoogleModel("../x?y#z", key="k")
    assert model._url.endswith("/v1beta/models/..%2Fx%3Fy%23z:generateContent")
    await model.close()


async def test_thoughts_are_counted_as_output_and_are_no_part_of_the_answer() -> None:
    usage = {
        "promptTokenCount": 1300,
        "cachedContentTokenCount": 1024,
        "candidatesTokenCount": 42,
        "thoughtsTokenCount": 300,
    }
    async with serving(GOOGLE, gives(candidate({"text": "Let me see.", "thought": True}, "{}", usage=usage))) as there:
        model = client(there, GOOGLE)
        reply = await model.answer(request())
        await model.close()
    assert reply.text == "{}"
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.output_tokens) == (1300, 1024, 342)


BLOCKED = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 9}}


@pytest.mark.parametrize(
    ("data", "kind", "said"),
    [
        (candidate("Well", reason="SAFETY"), "refusal", "SAFETY"),
        (candidate(reason="RECITATION"), "refusal", "RECITATION"),
        (candidate(reason="PROHIBITED_CONTENT"), "refusal", "PROHIBITED_CONTENT"),
        (BLOCKED, "refusal", "the prompt was blocked, PROHIBITED_CONTENT"),
        (candidate('{"thi', reason="MAX_TOKENS"), "cut", "output limit"),
        (candidate({"text": "hm", "thought": True}, reason="MAX_TOKENS"), "cut", "output limit"),
        (candidate(), "empty", "empty answer"),
        (candidate(reason="OTHER"), "empty", "empty answer"),
    ],
)
async def test_finish_reasons_are_told_apart(data: Any, kind: str, said: str) -> None:
    async with serving(GOOGLE, gives(data)) as there:
        model = client(there, GOOGLE)
        with pytest.raises(ModelError, match=said) as raised:
            await model.answer(request())
        await model.close()
    assert raised.value.kind == kind
    assert len(there.bodies) == 1


async def test_a_rate_limit_is_waited_for_as_its_details_say() -> None:
    limit = gives(google_error(429, "Quota exceeded", quota("RequestsPerMinutePerProject"), RETRY), 429)
    async with serving(GOOGLE, limit, gives(candidate("{}"))) as there:
        waits = Waits()
        model = client(there, GOOGLE, waits=waits)
        await model.answer(request())
        await model.close()
    assert waits.seconds == [12.5]


@pytest.mark.parametrize("delay", ["soon", "-3s", "0s", "", None, {"seconds": 3}])
async def test_a_delay_that_is_none_is_ignored(delay: Any) -> None:
    limit = gives(google_error(429, "later", {**RETRY, "retryDelay": delay}, "loose"), 429)
    async with serving(GOOGLE, limit, gives(candidate("{}"))) as there:
        waits = Waits()
        model = client(there, GOOGLE, waits=waits)
        await model.answer(request())
        await model.close()
    assert len(waits.seconds) == 1
    assert waits.seconds[0] < 1


async def test_a_days_quota_is_not_waited_for() -> None:
    limit = gives(google_error(429, "Quota exceeded", quota("GenerateRequestsPerDayPerProject"), RETRY), 429)
    async with serving(GOOGLE, limit) as there:
        model = client(there, GOOGLE)
        with pytest.raises(InputError, match="quota of the key for google/gemini-x is used up"):
            await model.answer(request())
        await model.close()
    assert len(there.bodies) == 1


async def test_an_overload_that_stays_is_an_infrastructure_error() -> None:
    async with serving(GOOGLE, gives(google_error(503, "The model is overloaded."), 503)) as there:
        model = client(there, GOOGLE)
        with pytest.raises(ModelUnavailable, match=r"answers 503: The model is overloaded\. .*\(3 tries\)"):
            await model.answer(request())
        await model.close()


INVALID = {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (google_error(400, "API key not valid. Please pass a valid API key.", INVALID), "does not accept the key"),
        (google_error(400, "bad", INVALID), "does not accept the key"),
        (
            {"error": {"code": 400, "message": "User location is not supported.", "status": "FAILED_PRECONDITION"}},
            "does not let this key use",
        ),
    ],
)
async def test_what_it_calls_400_may_be_the_users(body: Any, said: str) -> None:
    async with serving(GOOGLE, gives(body, 400)) as there:
        model = client(there, GOOGLE)
        with pytest.raises(InputError, match=said):
            await model.answer(request())
        await model.close()


@pytest.mark.parametrize(
    ("model", "effort", "thinking"),
    [
        ("gemini-2.5-flash", "none", {"thinkingBudget": 0}),
        ("gemini-2.5-flash", "low", {"thinkingBudget": 1024}),
        ("gemini-2.5-pro", "high", {"thinkingBudget": 3000}),
        ("gemini-3.8-flash", "high", {"thinkingLevel": "HIGH"}),
    ],
)
async def test_effort_is_a_budget_or_a_level(model: str, effort: Any, thinking: Any) -> None:
    sampling = Sampling(max_tokens=4000, effort=effort)
    async with serving(GOOGLE, gives(candidate("{}")), server=google_server(model)) as there:
        made = client(there, GOOGLE, model=model, sampling=sampling)
        await made.answer(request(sampling=sampling))
        await made.close()
    assert there.bodies[0]["generationConfig"]["thinkingConfig"] == thinking


async def test_a_schema_is_sent_in_googles_form_with_the_order_of_its_keys() -> None:
    order = ("guide", "think", "action", "target", "value")
    schema = answer_schema(order)
    async with serving(GOOGLE, gives(candidate("{}"))) as there:
        model = client(there, GOOGLE, schema=schema)
        await model.answer(request(schema=schema))
        await model.close()
    config = there.bodies[0]["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    found = config["responseSchema"]
    assert found == schema_of_google(schema)
    assert found["propertyOrdering"] == list(order)
    assert found["properties"]["target"] == {"type": "ARRAY", "nullable": True, "items": {"type": "INTEGER"}}
    assert found["properties"]["action"]["enum"][0] == "click"


async def test_log_probabilities() -> None:
    chosen = [{"token": "{", "tokenId": 1, "logProbability": -0.5}, {"token": "}", "logProbability": -1}, {}]
    data = candidate("{}", logprobsResult={"chosenCandidates": chosen})
    async with serving(GOOGLE, gives(data)) as there:
        model = client(there, GOOGLE)
        reply = await model.answer(request(logprobs=True))
        await model.close()
    assert there.bodies[0]["generationConfig"]["responseLogprobs"] is True
    assert reply.logprobs == (TokenLogprob("{", -0.5), TokenLogprob("}", -1.0))


@pytest.mark.parametrize(
    ("pieces", "whole"),
    [
        ([candidate("{", reason=None), candidate("}")], True),
        ([candidate("{", reason=None)], False),
        ([candidate("{", reason=None), google_error(503, "gone")], False),
    ],
)
async def test_a_stream_is_read_to_its_end_or_not_at_all(pieces: list[Any], whole: bool) -> None:
    async with serving(GOOGLE, streams(pieces, named=False), gives(candidate("again"))) as there:
        model = client(there, GOOGLE)
        assert (await model.answer(request())).text == ("{}" if whole else "again")
        await model.close()
