"""Anthropic's Messages API: what is sent, how a stream is read, and what its errors mean."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from guideact.errors import InputError, ModelError, ModelUnavailable
from guideact.models.anthropic import AnthropicModel
from guideact.models.base import Sampling
from guideact.models.prices import Tokens, shipped
from guideact.models.schema import answer_schema

from .dialects import ANTHROPIC, Waits, client, request, serving
from .wire import PNG, anthropic_error, breaks_off, gives, message, message_events, streams

ANSWER = '{"think": "ü", "action": "finish", "target": null, "value": "", "guide": "Finish."}'


async def test_a_step_is_a_system_prompt_and_one_message_with_the_image() -> None:
    async with serving(ANTHROPIC, message(ANSWER)) as there:
        model = client(there, ANTHROPIC)
        reply = await model.answer(request(sampling=Sampling(temperature=0.5, max_tokens=900)))
        await model.close()
    assert reply.text == ANSWER
    (body,) = there.bodies
    assert (body["model"], body["max_tokens"], body["temperature"], body["stream"]) == ("claude-x", 900, 0.5, True)
    assert body["system"] == request().prompt.system
    (asked,) = body["messages"]
    text, image = asked["content"]
    assert text == {"type": "text", "text": request().prompt.user}
    assert (image["source"]["type"], image["source"]["media_type"]) == ("base64", "image/png")
    assert base64.b64decode(image["source"]["data"]) == PNG
    assert there.headers[0]["anthropic-version"] == "2023-06-01"


async def test_an_answer_that_comes_whole_is_read_as_well() -> None:
    whole = {
        "type": "message",
        "content": [{"type": "text", "text": "{"}, {"type": "text", "text": "}"}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 3, "output_tokens": 4},
    }
    async with serving(ANTHROPIC, gives(whole)) as there:
        model = client(there, ANTHROPIC)
        reply = await model.answer(request())
        await model.close()
    assert reply.text == "{}"
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.output_tokens) == (3, 4)


@pytest.mark.parametrize("mark", ["\u2028", "\u2029", "\x85"])
async def test_what_python_takes_for_the_end_of_a_line_ends_none_of_a_stream(mark: str) -> None:
    """JSON may hold these as they are, and a page with one of them makes the model say it."""
    said = "".join(
        f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n"
        for event in message_events(f"a{mark}b")
    )

    async def respond(asked: HttpRequest) -> Response:
        return Response(said, media_type="text/event-stream")

    async with serving(ANTHROPIC, respond) as there:
        model = client(there, ANTHROPIC)
        assert (await model.answer(request())).text == f"a{mark}b"
        await model.close()


async def test_a_limit_that_an_account_has_set_itself_is_the_users() -> None:
    said = "You have reached your specified API usage limits. You will regain access on 2026-04-01 at 00:00 UTC."
    async with serving(ANTHROPIC, gives(anthropic_error(400, said), 400)) as there:
        model = client(there, ANTHROPIC)
        with pytest.raises(InputError, match=r"quota of the key for anthropic/claude-x is used up: You have reached"):
            await model.answer(request())
        await model.close()
    assert len(there.bodies) == 1


async def test_thoughts_are_no_part_of_the_answer() -> None:
    async with serving(ANTHROPIC, message("{}", thought="Let me see.")) as there:
        model = client(there, ANTHROPIC)
        assert (await model.answer(request())).text == "{}"
        await model.close()


async def test_what_its_cache_gave_is_part_of_the_input_and_cheaper() -> None:
    usage = {"input_tokens": 100, "cache_creation_input_tokens": 200, "cache_read_input_tokens": 1000}
    async with serving(ANTHROPIC, message("{}", usage=usage)) as there:
        model = client(there, ANTHROPIC)
        reply = await model.answer(request())
        await model.close()
    assert reply.usage is not None
    assert (reply.usage.input_tokens, reply.usage.cached_tokens, reply.usage.output_tokens) == (1300, 1000, 42)
    cost = shipped().models["anthropic/claude-haiku-4-5"].of(Tokens(1300, 42, cached=1000, stored=200))
    assert cost == pytest.approx((100 * 1 + 200 * 1.25 + 1000 * 0.1 + 42 * 5) / 1e6)


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.995])
@pytest.mark.parametrize("gone", [True, False], ids=["the connection breaks", "the stream just ends"])
async def test_a_stream_that_is_cut_is_weather_and_no_answer(share: float, gone: bool) -> None:
    events = message_events(ANSWER)
    after = int(share * sum(len(f"event: {e['type']}\ndata: {e}\n\n") for e in events))
    broken = breaks_off(events, after) if gone else streams(events, cut_after=after)
    async with serving(ANTHROPIC, broken, message(ANSWER)) as there:
        waits = Waits()
        model = client(there, ANTHROPIC, waits=waits)
        assert (await model.answer(request())).text == ANSWER
        await model.close()
    assert len(there.bodies) == 2
    assert len(waits.seconds) == 1


async def test_a_stream_that_stays_cut_is_told_apart_from_a_cut_answer() -> None:
    async with serving(ANTHROPIC, streams(message_events(ANSWER)[:-1]), message(ANSWER, reason="max_tokens")) as there:
        model = client(there, ANTHROPIC)
        with pytest.raises(ModelError) as cut:
            await model.answer(request())
        assert cut.value.kind == "cut"
        there.behaviours = [streams(message_events(ANSWER)[:-1])]
        with pytest.raises(ModelUnavailable, match=r"broke off in the middle of an answer .*ended early.*3 tries"):
            await model.answer(request())
        await model.close()


@pytest.mark.parametrize(("kind", "waits"), [("overloaded_error", 1), ("api_error", 1), ("rate_limit_error", 1)])
async def test_an_error_within_a_stream_is_retried(kind: str, waits: int) -> None:
    error = {"type": "error", "error": {"type": kind, "message": "Overloaded"}}
    async with serving(ANTHROPIC, streams([*message_events(ANSWER)[:4], error]), message(ANSWER)) as there:
        clock = Waits()
        model = client(there, ANTHROPIC, waits=clock)
        assert (await model.answer(request())).text == ANSWER
        await model.close()
    assert len(clock.seconds) == waits


async def test_an_overload_that_stays_says_its_number() -> None:
    async with serving(ANTHROPIC, gives(anthropic_error(529, "Overloaded"), 529)) as there:
        model = client(there, ANTHROPIC)
        with pytest.raises(ModelUnavailable, match=r"answers 529: Overloaded overloaded_error \(3 tries\)"):
            await model.answer(request())
        await model.close()


async def test_credit_that_is_used_up_is_the_users() -> None:
    said = "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing."
    async with serving(ANTHROPIC, gives(anthropic_error(400, said), 400)) as there:
        model = client(there, ANTHROPIC)
        with pytest.raises(InputError, match=r"wants to be paid first.*Top up"):
            await model.answer(request())
        await model.close()


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (message("I cannot", reason="refusal"), "refusal"),
        (message("{", reason="model_context_window_exceeded"), "context_overflow"),
        (message("{", reason="max_tokens"), "cut"),
        (message("", thought="hm"), "empty"),
        (
            gives(
                anthropic_error(400, "input length and `max_tokens` exceed context limit: 1 + 2 > 2"),
                400,
            ),
            "context_overflow",
        ),
        (gives(anthropic_error(413, "Request exceeds the maximum size"), 413), "context_overflow"),
    ],
)
async def test_stop_reasons_are_told_apart(behaviour: Any, kind: str) -> None:
    async with serving(ANTHROPIC, behaviour) as there:
        model = client(there, ANTHROPIC)
        with pytest.raises(ModelError) as raised:
            await model.answer(request())
        await model.close()
    assert raised.value.kind == kind
    assert len(there.bodies) == 1


@pytest.mark.parametrize(
    ("text", "details", "why"),
    [
        ("", {"type": "refusal", "category": "cyber", "explanation": "It looks like an attack."}, "It looks like an"),
        ("I would rather", {"type": "refusal", "category": "bio", "explanation": None}, "refused: I would rather"),
        ("", {"type": "refusal", "category": "bio"}, "refused: bio"),
        ("", None, "its content filter cut in"),
    ],
)
async def test_a_refusal_says_why_as_far_as_it_is_told(text: str, details: Any, why: str) -> None:
    async with serving(ANTHROPIC, message(text, reason="refusal", details=details)) as there:
        model = client(there, ANTHROPIC)
        with pytest.raises(ModelError, match=why) as raised:
            await model.answer(request())
        await model.close()
    assert (raised.value.kind, raised.value.text) == ("refusal", text)


@pytest.mark.parametrize(
    ("model", "effort", "thinking", "output"),
    [
        ("claude-haiku-4-5", "low", {"type": "enabled", "budget_tokens": 1024}, None),
        ("claude-sonnet-4-5-20250929", "high", {"type": "enabled", "budget_tokens": 3000}, None),
        ("claude-opus-4-20250514", "medium", {"type": "enabled", "budget_tokens": 2000}, None),
        ("claude-3-7-sonnet-latest", "medium", {"type": "enabled", "budget_tokens": 2000}, None),
        ("claude-opus-4-6", "max", {"type": "adaptive"}, {"effort": "max"}),
        ("claude-opus-5-5", "low", {"type": "adaptive"}, {"effort": "low"}),
    ],
)
async def test_effort_is_a_budget_or_a_level(model: str, effort: Any, thinking: Any, output: Any) -> None:
    sampling = Sampling(max_tokens=4000, effort=effort)
    async with serving(ANTHROPIC, message("{}")) as there:
        made = client(there, ANTHROPIC, model=model, sampling=sampling)
        await made.answer(request(sampling=sampling))
        await made.close()
    assert there.bodies[0]["thinking"] == thinking
    assert there.bodies[0].get("output_config") == output


def test_temperature_and_thinking_exclude_each_other_before_anything_is_sent() -> None:
    with pytest.raises(InputError, match=r"no temperature while it reasons\. Leave out --temperature"):
        AnthropicModel("claude-x", key="k", sampling=Sampling(temperature=0.5, effort="low"))


def test_a_budget_needs_room() -> None:
    with pytest.raises(InputError, match=r"more than --max-tokens 1024"):
        AnthropicModel("claude-haiku-4-5", key="k", sampling=Sampling(max_tokens=1024, effort="low"))


def test_a_seed_is_refused_where_it_is_a_wish() -> None:
    with pytest.raises(InputError, match=r"anthropic/claude-x takes no seed\. Leave out --seed"):
        AnthropicModel("claude-x", key="k", sampling=Sampling(seed=7))


async def test_repetitions_are_asked_without_a_seed() -> None:
    async with serving(ANTHROPIC, message("{}")) as there:
        model = client(there, ANTHROPIC)
        await model.answer(request(seed=2))
        await model.close()
    assert "seed" not in there.bodies[0]


async def test_a_schema_goes_into_the_output_format() -> None:
    schema = answer_schema()
    async with serving(ANTHROPIC, message(ANSWER)) as there:
        model = client(there, ANTHROPIC, schema=schema, sampling=Sampling(effort="low"))
        await model.answer(request(schema=schema, sampling=Sampling(effort="low")))
        await model.close()
    assert there.bodies[0]["output_config"] == {"effort": "low", "format": {"type": "json_schema", "schema": schema}}


async def test_a_model_without_schemas_is_found_out_by_the_probe() -> None:
    no = gives(anthropic_error(400, "output_config.format: not supported by this model"), 400)
    async with serving(ANTHROPIC, no) as there:
        model = client(there, ANTHROPIC, schema=answer_schema())
        with pytest.raises(InputError, match="Leave out --structured-output"):
            await model.probe()
        await model.close()


async def test_the_start_of_an_answer_can_be_forced_on_older_models() -> None:
    async with serving(ANTHROPIC, message('"", "action": "finish"}')) as there:
        model = client(there, ANTHROPIC, model="claude-sonnet-4-5")
        reply = await model.answer(request(prefix='{"think": '))
        await model.close()
    assert reply.text == '{"think": "", "action": "finish"}'
    assert there.bodies[0]["messages"][-1] == {"role": "assistant", "content": '{"think":'}
    assert not AnthropicModel("claude-opus-4-6", key="k").can.prefix


@pytest.mark.parametrize("more", [{"sampling": Sampling(effort="low")}, {"schema": answer_schema()}])
def test_no_start_is_forced_on_a_model_that_thinks_or_is_held_to_a_schema(more: dict[str, Any]) -> None:
    assert AnthropicModel("claude-sonnet-4-5", key="k").can.prefix
    assert not AnthropicModel("claude-sonnet-4-5", key="k", **more).can.prefix
