"""An OpenAI-compatible endpoint over real HTTP: what is sent, and who is blamed for what goes wrong."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
import time
from email.utils import formatdate
from typing import Any

import pytest
from starlette.requests import Request as HttpRequest
from starlette.responses import Response

from guideact.errors import DeadlineExceeded, InputError, ModelError, ModelUnavailable
from guideact.models.base import Request, Sampling
from guideact.models.http import Patience, key_from_environment
from guideact.models.openai import OpenAIModel
from guideact.prompts import build_prompt
from guideact.types import Observation, Task, Usage

from .endpoint import Behaviour, Endpoint, cut, endpoint, fails, hangs, raw, says

TASK = Task(id="t.1", intent="Find the price", sites=("shopping",), start_url="__SHOPPING__/")
OBSERVATION = Observation(url="http://shopping.localhost/", title="Shop")
QUICK = Patience(attempts=3, first_wait=0.001, longest_wait=30, request=20, total=40)


def request(image: bytes | None = b"\x89PNG image", *, temperature: float | None = 0.5, seed: int = 7) -> Request:
    return Request(
        prompt=build_prompt(TASK.intent, OBSERVATION, ("Open the shop.",), "som"),
        image=image,
        task=TASK,
        observation=OBSERVATION,
        memory=("Open the shop.",),
        step=1,
        grounding="som",
        sampling=Sampling(temperature=temperature, seed=seed, max_tokens=900),
    )


class Waits:
    """Stands for the clock: notes how long the client would wait, and does not wait."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def client(there: Endpoint, *, key: str | None = "sk-secret", patience: Patience = QUICK) -> tuple[OpenAIModel, Waits]:
    waits = Waits()
    return OpenAIModel("m-1", base_url=there.url, key=key, patience=patience, sleep=waits), waits


def garbled() -> Behaviour:
    """Promise gzip, send something else."""

    async def respond(request: HttpRequest) -> Response:
        return Response("{}", headers={"content-encoding": "gzip"}, media_type="application/json")

    return respond


def completes(content: Any, usage: Any) -> Behaviour:
    """A reply whose fields may hold anything."""
    return raw(json.dumps({"choices": [{"message": {"content": content}, "finish_reason": "stop"}], "usage": usage}))


async def test_a_step_is_one_system_and_one_user_message_with_the_image() -> None:
    async with endpoint(says('{"action": "finish"}')) as there:
        model, _ = client(there)
        reply = await model.answer(request())
        await model.close()
    assert reply.text == '{"action": "finish"}'
    assert reply.usage == Usage(input_tokens=1300, output_tokens=42)
    body = there.bodies[0]
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("m-1", 0.5, 7, 900)
    system, user = body["messages"]
    assert (system["role"], system["content"]) == ("system", request().prompt.system)
    assert user["content"][0] == {"type": "text", "text": request().prompt.user}
    url = user["content"][1]["image_url"]["url"]
    assert base64.b64decode(url.removeprefix("data:image/png;base64,")) == b"\x89PNG image"
    assert there.headers[0]["authorization"] == "Bearer sk-secret"


async def test_what_is_not_wanted_is_not_sent() -> None:
    async with endpoint(says("{}")) as there:
        model, _ = client(there, key=None)
        await model.answer(request(image=None, temperature=None))
        await model.close()
    assert "temperature" not in there.bodies[0]
    assert len(there.bodies[0]["messages"][1]["content"]) == 1
    assert "authorization" not in there.headers[0]


async def test_a_text_in_parts_is_joined() -> None:
    async with endpoint(says([{"type": "text", "text": "{"}, {"type": "text", "text": "}"}])) as there:  # type: ignore[arg-type]
        model, _ = client(there)
        assert (await model.answer(request())).text == "{}"
        await model.close()


@pytest.mark.parametrize(
    ("usage", "counted"),
    [
        (None, (None, None)),
        ("many", (None, None)),
        ([1, 2], (None, None)),
        ({"prompt_tokens": "12", "completion_tokens": None}, (None, None)),
        ({"prompt_tokens": 12.0, "completion_tokens": True}, (12, None)),
        ({"prompt_tokens": float("nan"), "completion_tokens": float("inf")}, (None, None)),
        ({"prompt_tokens": -3, "completion_tokens": 10**400}, (None, None)),
        ({"prompt_tokens": {}, "completion_tokens": 5}, (None, 5)),
    ],
)
async def test_tokens_that_are_no_numbers_are_not_known_and_not_zero(
    usage: Any, counted: tuple[int | None, int | None]
) -> None:
    async with endpoint(completes("{}", usage)) as there:
        model, _ = client(there)
        reply = await model.answer(request())
        await model.close()
    assert reply.usage == Usage(input_tokens=counted[0], output_tokens=counted[1])


async def test_parts_without_words_are_left_out() -> None:
    parts = [{"text": 5}, {"text": ["x"]}, "loose", None, {"text": "{}"}]
    async with endpoint(completes(parts, None)) as there:
        model, _ = client(there)
        assert (await model.answer(request())).text == "{}"
        await model.close()


async def test_half_a_surrogate_pair_is_replaced() -> None:
    async with endpoint(completes("a\ud83db\U0001f600", None)) as there:
        model, _ = client(there)
        assert (await model.answer(request())).text == "a\ufffdb\U0001f600"
        await model.close()


@pytest.mark.parametrize(
    ("behaviour", "kind", "text"),
    [
        (says(None, refusal="I cannot help with that."), "refusal", "I cannot help with that."),
        (says("", reason="content_filter"), "refusal", ""),
        (fails(400, "blocked", code="content_policy_violation"), "refusal", ""),
        (says(""), "empty", ""),
        (says(None), "empty", ""),
        (says('{"think": "so lo', reason="length"), "cut", '{"think": "so lo'),
        (fails(400, "too long", code="context_length_exceeded"), "context_overflow", ""),
        (fails(400, "This model's maximum context length is 4096 tokens."), "context_overflow", ""),
        (fails(400, "the request exceeds the available context size"), "context_overflow", ""),
        (fails(400, "prompt is too long: 208310 tokens > 200000 maximum"), "context_overflow", ""),
        (fails(413, "Payload Too Large"), "context_overflow", ""),
        (fails(400, "This model's maximum prompt length is 131072 but 537812 came"), "context_overflow", ""),
        (fails(400, "Your request exceeded model token limit: 128000"), "context_overflow", ""),
        (fails(400, "Range of input length should be [1, 131072]"), "context_overflow", ""),
        (fails(400, "Prompt exceeds max length", code="1261"), "context_overflow", ""),
        (
            fails(400, "Invalid prompt: your prompt was flagged as potentially violating our usage policy"),
            "refusal",
            "",
        ),
        (fails(403, 'm-1 requires moderation. Your input was flagged for "violence".'), "refusal", ""),
    ],
)
async def test_the_models_own_failures_are_told_apart_and_not_retried(behaviour, kind, text) -> None:  # type: ignore[no-untyped-def]
    async with endpoint(behaviour) as there:
        model, _ = client(there)
        with pytest.raises(ModelError) as raised:
            await model.answer(request())
        await model.close()
    assert (raised.value.kind, raised.value.text) == (kind, text)
    assert len(there.bodies) == 1


@pytest.mark.parametrize("behaviour", [fails(500), fails(503), fails(529), fails(408), cut(), raw("<html>"), garbled()])
async def test_the_weather_is_retried_until_it_clears(behaviour) -> None:  # type: ignore[no-untyped-def]
    async with endpoint(behaviour, behaviour, says("{}")) as there:
        model, waits = client(there)
        assert (await model.answer(request())).text == "{}"
        await model.close()
    assert len(there.bodies) == 3
    assert len(waits.seconds) == 2


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (fails(502, "bad gateway"), "answers 502: bad gateway"),
        (cut(), "broke off in the middle"),
        (raw("<html>"), "no JSON"),
        (raw("[" * 200_000), "no JSON"),
        (garbled(), "cannot be decompressed"),
        (raw("[" * 200_000, 500), r"answers 500: \[{300} "),
        (raw('{"error": {"message": {"a": ["b"]}, "code": true}}'), "answers 502: "),
        (raw('{"choices": "none"}'), "no chat completion"),
        (raw('{"choices": [{"message": "hi"}]}'), "no chat completion"),
        (raw('{"hello": 1}'), "no chat completion"),
        (raw('{"error": {"message": "upstream", "code": 503}}'), "answers 503: upstream"),
        (says("", reason="error"), "broke off in the middle of an answer .finish_reason error"),
        (says('{"think": "', reason="abort"), "broke off in the middle of an answer .finish_reason abort"),
    ],
)
async def test_weather_that_stays_is_an_infrastructure_error(behaviour, said: str) -> None:  # type: ignore[no-untyped-def]
    async with endpoint(behaviour) as there:
        model, _ = client(there)
        with pytest.raises(ModelUnavailable, match=said) as raised:
            await model.answer(request())
        await model.close()
    assert "(3 tries)" in str(raised.value)
    assert len(there.bodies) == 3


PAGE = "<!DOCTYPE html>\n<html><head><title>Error\n response &amp; more</title></head><body>%s</body></html>"


@pytest.mark.parametrize(
    ("page", "said"),
    [
        (PAGE % ("<p>Unsupported method</p>" * 50), "answers 501: a web page, “Error response & more” (3 tries). See"),
        ("<html><p>Unsupported <b>method</b></p></html>", "answers 501: a web page, “Unsupported method”"),
        (f"<html><title></title>{'word ' * 100}</html>", f"a web page, “{'word ' * 40}”"),
    ],
)
async def test_of_a_web_page_the_title_is_told_or_its_first_words(page: str, said: str) -> None:
    async with endpoint(raw(page, 501)) as there:
        model, _ = client(there)
        with pytest.raises(ModelUnavailable) as raised:
            await model.answer(request())
        await model.close()
    assert said in str(raised.value)
    assert "See whether the endpoint runs and --model-base-url leads to it" in str(raised.value)
    assert "<" not in str(raised.value)


@pytest.mark.parametrize(
    ("headers", "seconds"), [({"retry-after": "17"}, 17), ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5)]
)
async def test_a_rate_limit_is_waited_for_as_long_as_the_server_says(headers: dict[str, str], seconds: float) -> None:
    async with endpoint(fails(429, "slow down", headers=headers), says("{}")) as there:
        model, waits = client(there)
        await model.answer(request())
        await model.close()
    assert waits.seconds == [seconds]


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "-5", "0", "0.0", "soon", "Mon, 01 Jan 1990 00:00:00 GMT"])
async def test_a_wait_that_is_none_is_ignored(value: str) -> None:
    limits = [fails(429, headers={"retry-after": value}), fails(429, headers={"retry-after-ms": value})]
    async with endpoint(*limits, says("{}")) as there:
        model, waits = client(there)
        await model.answer(request())
        await model.close()
    assert len(waits.seconds) == 2
    assert all(0 < seconds < 1 for seconds in waits.seconds)


async def test_retry_after_counts_where_its_milliseconds_do_not() -> None:
    async with endpoint(fails(429, headers={"retry-after-ms": "nan", "retry-after": "9"}), says("{}")) as there:
        model, waits = client(there)
        await model.answer(request())
        await model.close()
    assert waits.seconds == [9]


async def test_retry_after_may_be_a_date() -> None:
    headers = {"retry-after": formatdate(time.time() + 20, usegmt=True)}
    async with endpoint(fails(429, headers=headers), says("{}")) as there:
        model, waits = client(there)
        await model.answer(request())
        await model.close()
    assert 15 <= waits.seconds[0] <= 20


async def test_a_server_that_asks_for_an_hour_is_not_waited_for() -> None:
    async with endpoint(fails(429, "later", headers={"retry-after": "3600"})) as there:
        model, waits = client(there)
        with pytest.raises(ModelUnavailable, match="asks to wait 3600 s"):
            await model.answer(request())
        await model.close()
    assert waits.seconds == []


async def test_an_endpoint_that_hangs_runs_into_the_deadline_of_a_request() -> None:
    released = asyncio.Event()
    async with endpoint(hangs(released)) as there:
        model, _ = client(there, patience=Patience(attempts=2, request=0.05, total=30))
        with pytest.raises(ModelUnavailable, match=r"did not answer within 0\.05 s \(2 tries\)"):
            await model.answer(request())
        await model.close()
        released.set()


async def test_all_tries_together_have_a_deadline() -> None:
    released = asyncio.Event()
    async with endpoint(hangs(released)) as there:
        model, _ = client(there, patience=Patience(request=30, total=0.05))
        with pytest.raises(DeadlineExceeded) as raised:
            await model.answer(request())
        await model.close()
        released.set()
    assert raised.value.layer == "model"


@pytest.mark.parametrize(
    ("behaviour", "said"),
    [
        (fails(401, "bad key"), "does not accept the key"),
        (fails(402, "pay"), "paid"),
        (fails(403, "not yours"), "does not let this key use openai/m-1"),
        (fails(404, "no such model"), "does not know openai/m-1"),
        (fails(429, "quota", code="insufficient_quota"), "quota"),
        (fails(429, "Your account is not active", code="billing_not_active"), "quota"),
    ],
)
@pytest.mark.parametrize("probing", [True, False])
async def test_what_only_the_user_can_mend(behaviour, said: str, probing: bool) -> None:  # type: ignore[no-untyped-def]
    async with endpoint(behaviour) as there:
        model, _ = client(there)
        with pytest.raises(InputError, match=said) as raised:
            await (model.probe() if probing else model.answer(request()))
        await model.close()
    assert len(there.bodies) == 1
    assert "\n" not in str(raised.value)


async def test_a_key_that_the_server_repeats_is_cut_out() -> None:
    async with endpoint(fails(401, "Incorrect API key provided: sk-secret")) as there:
        model, _ = client(there)
        with pytest.raises(InputError) as raised:
            await model.probe()
        await model.close()
    assert "sk-secret" not in str(raised.value)
    assert "[key]" in str(raised.value)


async def test_a_key_of_one_letter_hides_nothing_that_has_to_be_known() -> None:
    """Local servers are content with any key, and an `x` is a part of `max_tokens` and of `context`."""
    renamed = fails(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
    async with endpoint(renamed, fails(400, "maximum context length is 4096")) as there:
        model, _ = client(there, key="x")
        with pytest.raises(ModelError) as raised:
            await model.answer(request())
        await model.close()
    assert raised.value.kind == "context_overflow"
    assert "conte[key]t" in raised.value.message
    assert "max_completion_tokens" in there.bodies[1]


async def test_a_key_beside_a_seed_that_is_not_taken_is_cut_out() -> None:
    async with endpoint(fails(422, "seed: not for sk-secret")) as there:
        model = OpenAIModel("m-1", base_url=there.url, key="sk-secret", sampling=Sampling(seed=3))
        with pytest.raises(InputError, match=r"takes no seed: seed: not for \[key\]"):
            await model.probe()
        await model.close()


async def test_what_a_relay_was_told_is_told_and_understood() -> None:
    """OpenRouter's own message is no more than "Provider returned error"."""
    long = '{"error": {"message": "This model\'s maximum context length is 4096 tokens.", "code": 400}}'
    for behind in (long, json.loads(long)):
        error = {"message": "Provider returned error", "code": 400, "metadata": {"raw": behind, "provider_name": "P"}}
        async with endpoint(raw(json.dumps({"error": error}), 400)) as there:
            model, _ = client(there)
            with pytest.raises(ModelError, match=r"Provider returned error This model's maximum") as raised:
                await model.answer(request())
            await model.close()
        assert raised.value.kind == "context_overflow"
    error = {"message": "Provider returned error", "code": 429, "metadata": {"raw": "m is limited upstream."}}
    async with endpoint(raw(json.dumps({"error": error}), 429)) as there:
        model, _ = client(there)
        with pytest.raises(ModelUnavailable, match=r"limits the rate: Provider returned error m is limited upstream"):
            await model.answer(request())
        await model.close()


@pytest.mark.parametrize("before", range(285, 300, 3))
async def test_a_key_across_the_cut_leaves_no_part(before: int) -> None:
    async with endpoint(fails(401, "." * before + "sk-secret")) as there:
        model, _ = client(there)
        with pytest.raises(InputError) as raised:
            await model.probe()
        await model.close()
    assert "sk-" not in str(raised.value)


async def test_what_a_terminal_would_obey_is_taken_out_of_errors() -> None:
    said = json.dumps({"error": {"message": "\x1b[31mred\x9b0m\x07 sk-\x00secret\r\nend\ud800"}})
    async with endpoint(raw(said, 401)) as there:
        model, _ = client(there)
        with pytest.raises(InputError) as raised:
            await model.probe()
        await model.close()
    assert "[31mred0m [key] end\ufffd" in str(raised.value)


async def test_a_refusal_is_told_on_one_line() -> None:
    async with endpoint(says(None, refusal="No.\n\x1b[2JNever.")) as there:
        model, _ = client(there)
        with pytest.raises(ModelError, match=r"refused: No\. \[2JNever\.") as raised:
            await model.answer(request())
        await model.close()
    assert raised.value.text == "No.\n\x1b[2JNever."


@pytest.mark.parametrize(
    ("behaviour", "error"),
    [
        (garbled(), ModelUnavailable),
        (raw("[" * 200_000), InputError),
        (raw("\x00"), InputError),
        (raw("[]"), ModelUnavailable),
        (raw("[" * 200_000, 400), InputError),
    ],
)
async def test_the_probe_takes_nonsense_for_what_it_is(behaviour: Behaviour, error: type[Exception]) -> None:
    async with endpoint(behaviour) as there:
        model, _ = client(there)
        with pytest.raises(error):
            await model.probe()
        await model.close()


async def test_the_probe_shows_a_picture_only_if_the_run_will() -> None:
    async with endpoint(says("ok")) as there:
        for images in (True, False):
            model = OpenAIModel("m-1", base_url=there.url, images=images)
            await model.probe()
            await model.close()
    kinds = [[part["type"] for part in body["messages"][0]["content"]] for body in there.bodies]
    assert kinds == [["text", "image_url"], ["text"]]


async def test_a_model_without_eyes_is_found_out_by_the_probe() -> None:
    async with endpoint(fails(400, "image input is not supported")) as there:
        model, _ = client(there)
        with pytest.raises(InputError, match=r"answers 400: image input is not supported.*--no-screenshots"):
            await model.probe()
        with pytest.raises(ModelUnavailable, match="answers 400"):
            await model.answer(request())
        await model.close()


@pytest.mark.parametrize(
    ("said", "fix"),
    [
        ("Unsupported value: 'temperature' does not support 0.5 with this model.", "Leave out --temperature"),
        ("max_tokens must be at most 1000", "Lower --max-tokens"),
    ],
)
async def test_the_probe_names_the_flag_to_change(said: str, fix: str) -> None:
    async with endpoint(fails(400, said)) as there:
        model, _ = client(there)
        with pytest.raises(InputError, match=fix):
            await model.probe()
        await model.close()


async def test_a_probe_that_finds_no_room_blames_max_tokens() -> None:
    async with endpoint(fails(400, "max_tokens is too large: maximum context length is 512")) as there:
        model, _ = client(there)
        with pytest.raises(InputError, match="--max-tokens"):
            await model.probe()
        await model.close()


async def test_a_probe_is_content_with_any_answer() -> None:
    async with endpoint(says(""), says("o", reason="length")) as there:
        model, _ = client(there)
        await model.probe()
        await model.probe()
        await model.close()
    assert len(there.bodies) == 2


async def test_nothing_listening_is_told_by_the_probe() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # bound, never listening: connections are refused
        model = OpenAIModel("m-1", base_url=f"http://127.0.0.1:{held.getsockname()[1]}/v1", sleep=Waits())
        with pytest.raises(ModelUnavailable, match="cannot be reached"):
            await model.probe()
        await model.close()


async def test_newer_names_of_the_output_limit_are_learnt() -> None:
    complaint = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    async with endpoint(fails(400, complaint), says("ok")) as there:
        model, _ = client(there)
        await model.probe()
        await model.answer(request())
        await model.close()
    assert [("max_tokens" in body, "max_completion_tokens" in body) for body in there.bodies] == [
        (True, False),
        (False, True),
        (False, True),
    ]


async def test_an_endpoint_without_seeds_is_asked_without_one() -> None:
    async with endpoint(fails(422, "seed: extra fields not permitted"), says("ok")) as there:
        model, _ = client(there)
        await model.probe()
        await model.close()
    assert ["seed" in body for body in there.bodies] == [True, False]


@pytest.mark.parametrize("url", ["localhost:8000/v1", "ftp://host/v1", "http://", "http://host:port/v1"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(InputError, match="--model-base-url"):
        OpenAIModel("m-1", base_url=url)


@pytest.mark.parametrize(
    "url",
    [
        "http://user:hunter2@host/v1",
        "http://user:hunter2@host:port/v1",
        "ftp://user:hunter2@host/v1",
        "user:hunter2@host/v1",
        "http://user:hunter2/x@host/v1",
        "https://host/v1?key=hunter2",
        "https://host/v1#hunter2",
    ],
)
def test_an_address_with_a_secret_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(InputError, match=r"--model-base-url.*GUIDEACT_API_KEY") as raised:
        OpenAIModel("m-1", base_url=url)
    assert "hunter2" not in str(raised.value)


def test_openai_itself_needs_a_key() -> None:
    with pytest.raises(InputError, match=r"Set GUIDEACT_API_KEY \(or OPENAI_API_KEY\)"):
        OpenAIModel("gpt-4o")


def test_the_key_comes_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GUIDEACT_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    assert key_from_environment(OpenAIModel.variables) is None
    monkeypatch.setenv("OPENAI_API_KEY", " sk-a\n")
    assert key_from_environment(OpenAIModel.variables) == "sk-a"
    monkeypatch.setenv("GUIDEACT_API_KEY", "sk-b")
    assert key_from_environment(OpenAIModel.variables) == "sk-b"
    monkeypatch.setenv("GUIDEACT_API_KEY", "“sk-b”")
    with pytest.raises(InputError) as raised:
        key_from_environment(OpenAIModel.variables)
    assert "sk-b" not in str(raised.value)
