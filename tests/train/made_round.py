"""A round's rollouts at tasks of the small shop: a run folder with every token that a tiny model sampled."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from guideact.actions import parse_answer
from guideact.config import RunConfig
from guideact.harness.agent import read_answer
from guideact.harness.log import Manifest, RunLog
from guideact.harness.memory import memory_line
from guideact.models.base import Request, Sampling, TokenLogprob, Unusable
from guideact.models.hf import HfModel, hf_model
from guideact.prompts import build_prompt
from guideact.types import AnswerCheck, Check, CheckResult, Episode, Fault, Observation, Sampled, Step, Task, Viewport
from tests.models.tiny import png

from .small_shop import home, product_page, results

TASKS = tuple(
    Task(
        id=f"shop.{number}",
        intent=intent,
        sites=("shopping",),
        start_url="__SHOPPING__/",
        split="train",
        check=Check(answer=AnswerCheck(expected=("12",))),
    )
    for number, intent in enumerate(("Find the mug.", "Put the rice pot into my cart.", "How much is the lamp?"))
)
PAGES = (home(), results("Harbour Mug"), product_page("Harbour Mug"))
REWARDS = ((1, 0, 0), (0, 0, 0), (1, None, 0))
"""Of each task's rollouts: a group that differs, a dead one, and one with an infrastructure error."""


def made_round(folder: Path, model: Path, *, pictures: bool = True, tokens: int = 16) -> Path:
    """Sample one to three steps for each rollout and write them as a run of that model."""
    asyncio.run(_made(folder, hf_model(str(model)), model, pictures, tokens))
    return folder


async def _made(folder: Path, model: HfModel, path: Path, pictures: bool, tokens: int) -> None:
    tasks = folder.with_name(folder.name + "-tasks.json")
    tasks.write_text(json.dumps([task.model_dump(mode="json") for task in TASKS]))
    config = RunConfig(
        model=f"hf/{path}", tasks=tasks, temperature=1.0, epochs=3, keep_tokens=True, screenshots=pictures
    )
    manifest = Manifest(
        model=config.model,
        grounding="som",
        memory="guides",
        config=config.model_dump(mode="json"),
        tasks=tuple(task.id for task in TASKS),
        epochs=3,
    )
    with RunLog.open(folder, manifest) as log:
        for number, task in enumerate(TASKS):
            for sample, reward in enumerate(REWARDS[number]):
                steps = await _steps(log, model, task, sample, 1 + (number + sample) % 3, pictures, tokens)
                log.append(
                    Episode(
                        task_id=task.id,
                        sample=sample,
                        split="train",
                        steps=steps,
                        end="infrastructure_error" if reward is None else "out_of_steps",
                        check=None if reward is None else CheckResult(passed=bool(reward)),
                        error="the browser died" if reward is None else "",
                    )
                )


async def _steps(
    log: RunLog, model: HfModel, task: Task, sample: int, count: int, pictures: bool, tokens: int
) -> tuple[Step, ...]:
    steps: list[Step] = []
    memory: list[str] = []
    for index in range(count):
        seen = PAGES[index].model_copy(update={"viewport": Viewport(width=480, height=300)})
        image = png(480, 300, shade=100 + 40 * index) if pictures else None
        prompt = build_prompt(task.intent, seen, memory, "som")
        request = Request(
            prompt=prompt, image=image, task=task, observation=seen, memory=tuple(memory), step=index, grounding="som",
            sampling=Sampling(temperature=1.0, seed=sample, max_tokens=tokens), logprobs=True,
        )  # fmt: skip
        raw, drawn, faults = await _said(model, request)
        step = Step(
            index=index,
            url=seen.url,
            title=seen.title,
            observation=log.keep_observation(task.id, sample, index, seen),
            screenshot=log.keep_image(image) if image is not None else "",
            prompt_sha256=prompt.sha256,
            raw=raw,
            guide=parse_answer(raw, "som").guide,
            faults=faults,
            sampled=tuple(Sampled(token=each.token, logprob=each.logprob, id=each.id) for each in drawn),
        )
        steps.append(step)
        if (line := _line(step, seen, task.id, sample)) is not None:
            memory.append(line)
    return tuple(steps)


async def _said(model: HfModel, request: Request) -> tuple[str, tuple[TokenLogprob, ...], tuple[Fault, ...]]:
    try:
        reply = await model.answer(request)
    except Unusable as error:
        return error.text, error.logprobs, (Fault(kind=error.kind, detail=error.message),)
    return reply.text, reply.logprobs, read_answer(reply.text, request.observation, "som").faults


def _line(step: Step, seen: Observation, task_id: str, sample: int) -> str | None:
    return memory_line(step, seen, "guides", f"{task_id}/{sample}")
