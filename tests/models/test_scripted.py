"""The baselines: they speak the grammar, leak nothing, and do what their docstrings say."""

from __future__ import annotations

import pytest

from guideact.actions import parse_answer
from guideact.errors import InputError
from guideact.leaks import find_leaks
from guideact.models.base import Request, Sampling
from guideact.models.scripted import POLICIES, scripted
from guideact.prompts import build_prompt
from guideact.types import (
    Action,
    Box,
    Candidate,
    Click,
    Finish,
    Grounding,
    Locator,
    Mark,
    Observation,
    Point,
    PressEnter,
    Select,
    Task,
    TextLine,
    Type,
)

BOX = Box(x=10, y=20, width=100, height=30)


def candidate(mark: int, role: str, name: str, *, options: tuple[str, ...] = (), disabled: bool = False) -> Candidate:
    return Candidate(
        mark=mark,
        role=role,
        name=name,
        options=options,
        states=("disabled",) if disabled else (),
        box=BOX,
        point=(60, 35),
        locator=Locator(role=role, name=name),
    )


PAGE = Observation(
    url="http://shopping.localhost/",
    title="Shop",
    candidates=(
        candidate(1, "link", "Home"),
        candidate(2, "searchbox", "Search the shop"),
        candidate(3, "combobox", "Sort by", options=("Position", "Price, lowest first", "Name")),
        candidate(4, "button", "Checkout", disabled=True),
        candidate(5, "link", "My Orders"),
    ),
    texts=(TextLine(text="Orders: 12 in all", box=BOX), TextLine(text="Your orders are listed here", box=BOX)),
)


def request(
    intent: str = "Open my orders",
    *,
    memory: tuple[str, ...] = (),
    step: int = 0,
    grounding: Grounding = "som",
    seed: int = 0,
    page: Observation = PAGE,
) -> Request:
    task = Task(id="t.1", intent=intent, sites=("shopping",), start_url="__SHOPPING__/")
    prompt = build_prompt(intent, page, memory, grounding)
    return Request(prompt, None, task, page, memory, step, grounding, Sampling(seed=seed))


async def decide(name: str, asked: Request) -> tuple[Action, str]:
    model = scripted(name)
    reply = await model.answer(asked)
    page = asked.observation
    answer = parse_answer(reply.text, asked.grounding, viewport=page.viewport, marks=len(page.candidates))
    assert answer.faults == ()
    assert find_leaks(answer.guide) == ()
    assert answer.action is not None
    await model.close()
    return answer.action, answer.guide


@pytest.mark.parametrize("name", sorted(POLICIES))
@pytest.mark.parametrize("grounding", ["som", "coord"])
async def test_every_step_is_well_formed_in_both_groundings(name: str, grounding: Grounding) -> None:
    for step in range(60):
        await decide(name, request(step=step, grounding=grounding))
        await decide(name, request(step=step, grounding=grounding, page=Observation(url="http://a.b/", title="")))


async def test_noop_finishes_at_once_with_nothing() -> None:
    assert (await decide("noop", request()))[0] == Finish(answer="")


async def test_random_depends_on_seed_and_step_alone() -> None:
    first = [await decide("random", request(step=step)) for step in range(40)]
    again = [await decide("random", request(step=step)) for step in range(40)]
    other = [await decide("random", request(step=step, seed=1)) for step in range(40)]
    assert first == again
    assert first != other
    assert {action.verb for action, _ in first} >= {"click", "type", "select", "scroll"}


async def test_random_leaves_disabled_candidates_alone() -> None:
    actions = [(await decide("random", request(step=step)))[0] for step in range(200)]
    assert all(getattr(action, "target", None) != Mark(mark=4) for action in actions)


async def test_overlap_takes_the_candidate_that_shares_most_words() -> None:
    assert await decide("overlap", request()) == (Click(target=Mark(mark=5)), 'Click "My Orders".')
    assert (await decide("overlap", request(grounding="coord")))[0] == Click(target=Point(x=60, y=35))


async def test_overlap_types_the_quoted_phrase_and_presses_enter() -> None:
    intent = 'Search for "green tea"'
    action, guide = await decide("overlap", request(intent))
    assert action == Type(target=Mark(mark=2), text="green tea")
    assert (await decide("overlap", request(intent, memory=(guide,), step=1)))[0] == PressEnter()


async def test_overlap_selects_the_option_that_shares_most() -> None:
    action, _ = await decide("overlap", request("Sort the list by lowest price"))
    assert action == Select(target=Mark(mark=3), option="Price, lowest first")


async def test_overlap_finishes_with_a_line_of_the_page_when_nothing_is_left() -> None:
    done = ('Click "My Orders".',)
    assert (await decide("overlap", request(memory=done)))[0] == Finish(answer="Orders: 12 in all")
    action, _ = await decide("overlap", request("How many orders are listed here?", memory=done))
    assert action == Finish(answer="Orders: 12 in all")


def test_an_unknown_baseline_is_named_together_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"scripted/best.*scripted/gold, scripted/noop, scripted/random"):
        scripted("best")
