"""The built-in agent as a model: the grammar, the orders of keys, forced guides, seeds, and what it refuses."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence

import pytest

from guideact.actions import KEYS, parse_answer
from guideact.errors import InputError
from guideact.leaks import find_leaks
from guideact.models.base import Reply, Request, Sampling
from guideact.models.builtin import BuiltinModel
from guideact.prompts import build_prompt
from guideact.types import Click, Grounding, Observation, Task, Type
from tests.train.small_shop import home, product_page
from tests.train.trained import trained

TASK = Task(id="t", intent="Add the Cedar Stool to my cart.", sites=("shopping",), start_url="__SHOPPING__/")
GUIDE_FIRST = ("think", "guide", "action", "target", "value")


def model() -> BuiltinModel:
    return BuiltinModel("builtin/test", trained().policy)


def request(
    seen: Observation,
    order: Sequence[str] = KEYS,
    *,
    memory: tuple[str, ...] = (),
    temperature: float | None = None,
    seed: int = 0,
    prefix: str = "",
    grounding: Grounding = "som",
) -> Request:
    return Request(
        prompt=build_prompt(TASK.intent, seen, memory, grounding, order),
        image=None,
        task=TASK,
        observation=seen,
        memory=memory,
        step=len(memory),
        grounding=grounding,
        sampling=Sampling(temperature=temperature, seed=seed),
        prefix=prefix,
        logprobs=True,
    )


async def ask(asked: Request) -> Reply:
    return await model().answer(asked)


@pytest.mark.parametrize("order", [KEYS, GUIDE_FIRST, ("action", "target", "value")])
async def test_it_speaks_the_grammar_in_every_order(order: tuple[str, ...]) -> None:
    reply = await ask(request(home(), order))
    assert tuple(json.loads(reply.text)) == order
    answer = parse_answer(reply.text, "som", marks=3, order=order)
    assert not answer.faults
    assert isinstance(answer.action, Type)
    assert answer.action.text == "Cedar Stool"
    assert not find_leaks(answer.guide)
    assert ("guide" in order) == bool(answer.guide)


@pytest.mark.parametrize("order", [KEYS, GUIDE_FIRST])
async def test_the_pieces_are_the_text_and_have_probabilities(order: tuple[str, ...]) -> None:
    reply = await ask(request(home(), order, temperature=1.5, seed=3))
    assert "".join(piece.token for piece in reply.logprobs) == reply.text
    assert all(piece.logprob <= 1e-9 and math.isfinite(piece.logprob) for piece in reply.logprobs)


async def test_a_forced_guide_is_followed_and_is_part_of_the_text() -> None:
    seen = product_page("Cedar Stool")
    prefix = '{"guide": "Press “Add to wish list”.",'
    reply = await ask(request(seen, ("guide", "action", "target", "value"), prefix=prefix))
    assert reply.text.startswith(prefix)
    answer = parse_answer(reply.text, "som", marks=3)
    assert answer.guide == "Press “Add to wish list”."
    assert [piece.token.split(":")[0].strip(', "') for piece in reply.logprobs] == ["action", "target", "value"]
    free = await ask(request(seen, ("guide", "action", "target", "value")))
    forced, own = reply.logprobs[0].logprob, free.logprobs[1].logprob
    assert forced != own, "the guide is read"
    whole = await ask(request(seen, ("guide", "action", "target", "value"), prefix='{"guide": "Press “Add to cart”."'))
    parsed = parse_answer(whole.text, "som", marks=3)
    assert isinstance(parsed.action, Click)
    assert parsed.action.target == seen_mark(seen, "Add to cart")


def seen_mark(seen: Observation, name: str) -> object:
    from tests.train.small_shop import mark_of

    return mark_of(seen, name)


@pytest.mark.parametrize("prefix", ['{"guide": "Press', '{"action": "click",', "Sure! {", '{"guide": 3,'])
async def test_other_starts_are_refused(prefix: str) -> None:
    with pytest.raises(InputError, match="begin with a whole guide"):
        await ask(request(home(), GUIDE_FIRST, prefix=prefix))


async def test_the_same_seed_draws_the_same() -> None:
    texts = [(await ask(request(home(), temperature=3.0, seed=seed))).text for seed in (0, 0, 1, 2, 3, 4)]
    assert texts[0] == texts[1]
    assert len(set(texts)) > 2
    greedy = {(await ask(request(home(), seed=seed))).text for seed in range(3)}
    assert len(greedy) == 1


async def test_pixels_are_refused() -> None:
    with pytest.raises(InputError, match=r"has not learned to name pixels\. Use --grounding som"):
        await ask(request(home(), grounding="coord"))
