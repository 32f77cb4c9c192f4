"""From an observation to an answer: prompts, memory, faults, and the gold agent."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError, ModelError
from guideact.harness.agent import GoldAgents, ModelAgents, agents_for, read_answer
from guideact.models.base import Unusable
from guideact.models.schema import answer_schema
from guideact.prompts import build_prompt
from guideact.tasks.catalogue import all_tasks
from guideact.types import Box, Candidate, Click, Finish, Locator, Mark, Observation, Step, Task, Usage

from .actors import FINISH, Says, agents

TASK = Task(id="t.1", intent="Buy it", sites=("shopping",), start_url="__SHOPPING__/", max_steps=7)
BOX = Box(x=10, y=10, width=100, height=30)
PAGE = Observation(
    url="http://shopping.localhost/",
    title="Shop",
    candidates=(
        Candidate(
            mark=1, role="button", name="Buy", box=BOX, point=BOX.centre, locator=Locator(role="button", name="Buy")
        ),
    ),
)


async def test_a_model_is_asked_with_the_prompt_and_everything_it_was_made_of() -> None:
    model = Says(lambda request: FINISH)
    agent = agents(model, seed=40, temperature=0.5, max_tokens=99).agent(TASK, 2)
    decision = await agent.decide(PAGE, b"png", 3)
    (request,) = model.requests
    assert request.prompt == build_prompt("Buy it", PAGE, (), "som", max_steps=7)
    assert decision.prompt_sha256 == request.prompt.sha256
    assert (request.image, request.task, request.observation, request.step) == (b"png", TASK, PAGE, 3)
    assert (request.sampling.seed, request.sampling.temperature, request.sampling.max_tokens) == (42, 0.5, 99)
    assert decision.answer.action == Finish(answer="done")
    assert decision.raw == FINISH


@pytest.mark.parametrize(
    ("memory", "lines"),
    [("guides", ("Click Buy.",)), ("actions", ('click "Buy" (button)',)), ("none", ()), ("corrupted", ("Buy. Click",))],
)
async def test_the_memory_of_an_agent_is_what_the_config_says(memory: str, lines: tuple[str, ...]) -> None:
    model = Says(lambda request: FINISH)
    agent = agents(model, memory=memory).agent(TASK, 0)
    step = Step(
        index=0, url="", title="", action=Click(target=Mark(mark=1)), guide="Click Buy.", target=PAGE.candidates[0]
    )
    agent.remember(step, PAGE)
    await agent.decide(PAGE, None, 1)
    assert model.requests[0].memory == lines
    assert model.requests[0].prompt == build_prompt("Buy it", PAGE, lines, "som", max_steps=7)


@pytest.mark.parametrize("kind", ["refusal", "empty", "cut", "context_overflow"])
async def test_a_models_own_failure_is_an_answer_with_a_fault(kind: str) -> None:
    model = Says(lambda request: ModelError(kind, "it failed", text="half an ans"))
    decision = await agents(model).agent(TASK, 0).decide(PAGE, None, 0)
    assert decision.raw == "half an ans"
    assert decision.answer.action is None
    assert [fault.kind for fault in decision.answer.faults] == [kind]


async def test_a_failure_that_was_paid_for_is_counted() -> None:
    usage = Usage(input_tokens=900, output_tokens=30, cost=0.002)
    model = Says(lambda request: Unusable("cut", "it was cut", text="{", usage=usage))
    decision = await agents(model).agent(TASK, 0).decide(PAGE, None, 0)
    assert decision.usage == usage


async def test_constrained_decoding_is_asked_for_at_every_step_only_if_wanted() -> None:
    for wanted, schema in ((True, answer_schema()), (False, None)):
        model = Says(lambda request: FINISH)
        await agents(model, structured_output=wanted).agent(TASK, 0).decide(PAGE, None, 0)
        assert model.requests[0].schema == schema


def test_leaks_are_faults_and_leave_the_action_alone() -> None:
    text = json.dumps({"action": "click", "target": [1], "value": None, "guide": "Click element 12 now."})
    answer = read_answer(text, PAGE, "som")
    assert answer.action == Click(target=Mark(mark=1))
    assert [fault.kind for fault in answer.faults] == ["leak_mark"]


def test_marks_that_were_not_shown_are_faults() -> None:
    answer = read_answer('{"action": "click", "target": [2], "guide": "Go."}', PAGE, "som")
    assert answer.action is None
    assert [fault.kind for fault in answer.faults] == ["bad_target"]


# --- which agents there are --------------------------------------------------------------------------------------


def test_every_model_of_the_help_text_can_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-x")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-y")
    monkeypatch.setenv("GOOGLE_API_KEY", "z")
    for name in (
        "scripted/noop",
        "scripted/random",
        "scripted/overlap",
        "builtin/small",
        "builtin/large",
        "openai/gpt-4o",
        "anthropic/claude-x",
        "google/gemini-x",
    ):
        made = agents_for(RunConfig(model=name), (TASK,))
        assert isinstance(made, ModelAgents)
        assert made.name == name
    gold = agents_for(RunConfig(), all_tasks()[:2])
    assert isinstance(gold, GoldAgents)
    assert not gold.reads_pixels


@pytest.mark.parametrize("name", ["gpt-4o", "scripted/best", "openai/", "cohere/command", ""])
def test_a_model_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InputError, match="scripted/gold"):
        agents_for(RunConfig(model=name), (TASK,))


@pytest.mark.parametrize(
    ("asked", "said"),
    [({"grounding": "coord"}, "has not learned to name pixels"), ({"structured_output": True}, "--structured-output")],
)
def test_the_built_in_agent_refuses_what_it_has_not_learned(asked: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=said):
        agents_for(RunConfig.model_validate({"model": "builtin/small", **asked}), (TASK,))


@pytest.mark.parametrize("model", ["scripted/noop", "scripted/gold"])
@pytest.mark.parametrize(
    ("asked", "said"),
    [({"structured_output": True}, "--structured-output"), ({"reasoning_effort": "low"}, "--reasoning-effort")],
)
def test_a_script_refuses_what_only_a_real_model_has(model: str, asked: dict[str, object], said: str) -> None:
    with pytest.raises(InputError, match=f"{model} .*Leave out {said}"):
        agents_for(RunConfig.model_validate({"model": model, **asked}), all_tasks()[:1])


def test_a_seed_is_refused_where_the_model_takes_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    with pytest.raises(InputError, match="takes no seed"):
        agents_for(RunConfig(model="anthropic/m", seed=3), (TASK,))


def test_gold_refuses_tasks_that_it_has_no_solver_for(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.1 is none.*--model"):
        agents_for(RunConfig(), (TASK,))
    changed = all_tasks()[0].model_copy(update={"intent": "Something else"})
    with pytest.raises(InputError, match="embedded tasks alone"):
        agents_for(RunConfig(), (changed,))


@pytest.mark.parametrize("grounding", ["som", "coord"])
async def test_a_gold_agent_that_is_stuck_says_so_and_finishes(grounding: str) -> None:
    task = all_tasks()[0]
    agent = agents_for(RunConfig.model_validate({"grounding": grounding}), (task,)).agent(task, 0)
    empty = Observation(url="http://shopping.localhost/", title="Nothing here")
    stuck = await agent.decide(empty, None, 0)
    assert stuck.answer.action is None
    assert [fault.kind for fault in stuck.answer.faults] == ["not_json"]
    assert task.id in stuck.answer.faults[0].detail
    assert re.search(r" \(guideact/tasks/templates/\w+\.py:\d+\)$", stuck.answer.faults[0].detail)
    then = await agent.decide(empty, None, 1)
    assert then.answer.action == Finish()
    assert then.answer.faults == ()
