"""Choices and their probabilities: they add up, they are those of what is done, and a guide changes them."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from guideact.models.builtin.acts import Act, act_bag, acts_of
from guideact.models.builtin.policy import VALUE_HEADS, Policy, _likeliest, values_of
from guideact.models.builtin.view import View, Views, view_of
from tests.tasks.pages import candidate, line, page
from tests.train.small_shop import home, product_page, results
from tests.train.trained import trained

GOAL = "Add the Cedar Stool to my cart."


@pytest.fixture(scope="module")
def policy() -> Policy:
    return trained().policy


def views() -> list[View]:
    return [
        view_of(GOAL, home(), ()),
        view_of(GOAL, results("Cedar Stool"), ("Type “Cedar Stool” into the search field.", "Press Enter to search.")),
        view_of(GOAL, product_page("Cedar Stool"), ("Open “Cedar Stool” in the list.",)),
        view_of("", page(line("Nothing", 10, 10)), ()),
        view_of(
            "Sort by price.",
            page(
                candidate(1, "combobox", "Sort by", 10, 10, options=("Name", "Price")),
                candidate(2, "textbox", "", 10, 40, states=("disabled",)),
                candidate(3, "textbox", "", 10, 70),
                candidate(4, "list", "", 10, 100, states=("scrollable",)),
                y=10,
                max_y=500,
            ),
            ("", "Scroll down."),
        ),
    ]


@pytest.mark.parametrize("number", range(5))
def test_probabilities_add_up_to_one(policy: Policy, number: int) -> None:
    view = views()[number]
    acts = acts_of(view)
    assert np.exp(policy.act_logs(view, acts)).sum() == pytest.approx(1)
    total = 0.0
    guides: set[str] = set()
    for act in acts:
        sure = list(dict.fromkeys(values_of(view, act)[0])) if act.verb in VALUE_HEADS else [""]
        for value in sure:
            total += math.exp(policy.log_action(view, act, value))
            sentences, logs = policy.sentences(view, act, value)
            assert np.exp(logs).sum() == pytest.approx(1)
            guides.update(sentences)
    assert total == pytest.approx(1)
    assert sum(math.exp(policy.log_guide(view, guide)) for guide in guides) == pytest.approx(1)


GUIDE = "Choose “Price” in “Sort by”."


@pytest.mark.parametrize("number", range(5))
def test_a_guide_that_comes_later_is_read_like_one_that_was_there(number: int) -> None:
    plain = views()[number]
    acts = acts_of(plain)
    act_bag(plain, acts)  # what is kept of the step must hold nothing that the guide changes
    for act in acts:
        if act.verb in VALUE_HEADS:
            values_of(plain, act)
    once = view_of(plain.goal.text, plain.observation, plain.memory, GUIDE)
    later = plain.guided(GUIDE)
    assert later == once
    bags = [(act_bag(once, acts), act_bag(later, acts))]
    bags += [(values_of(once, act)[1], values_of(later, act)[1]) for act in acts if act.verb in VALUE_HEADS]
    for one, other in bags:
        for name in ("features", "offsets", "pairs", "pair_offsets", "members"):
            assert (getattr(one, name) == getattr(other, name)).all(), name


def test_a_step_is_read_once_for_agents_of_the_same_lore(policy: Policy) -> None:
    seen = home()
    other = Policy(policy.network, policy.frames[:1], policy.lore, policy.recall)
    assert policy.view(GOAL, seen, ()) is other.view(GOAL, seen, ())
    assert policy.view(GOAL, seen, ()) is not policy.view(GOAL, seen, ("Press Enter.",))
    assert policy.view(GOAL, home("Cedar"), ()).observation.candidates != seen.candidates
    kept = Views(1)
    first = kept.of(GOAL, seen, (), policy.lore)
    kept.of("Something else.", seen, (), policy.lore)
    assert kept.of(GOAL, seen, (), policy.lore) is not first


def test_it_does_the_task_and_says_how(policy: Policy) -> None:
    seen = [home(), home("Cedar Stool"), results("Cedar Stool"), product_page("Cedar Stool")]
    seen.append(product_page("Cedar Stool", "You added Cedar Stool to your cart"))
    memory: list[str] = []
    done = []
    for observation in seen:
        view = view_of(GOAL, observation, memory)
        chosen = policy.choose(view)
        said = policy.say(view, chosen.act, chosen.value)
        done.append((chosen.act.verb, chosen.act.target.name if chosen.act.target else "", chosen.value))
        memory.append(said.text)
    assert done == [
        ("type", "Search products", "Cedar Stool"),
        ("press_enter", "", ""),
        ("click", "Cedar Stool", ""),
        ("click", "Add to cart", ""),
        ("finish", "", ""),
    ]
    assert "“Cedar Stool”" in memory[0]
    assert "“Cedar Stool”" in memory[2]


def test_what_is_chosen_has_the_probability_it_is_given(policy: Policy) -> None:
    rng = np.random.default_rng(1)
    for view, temperature in itertools.product(views(), (0.0, 0.7, 3.0)):
        chosen = policy.choose(view, temperature, rng)
        again = policy.log_action(view, chosen.act, chosen.value, temperature)
        assert chosen.log_probability == pytest.approx(again, abs=1e-6)
        said = policy.say(view, chosen.act, chosen.value, temperature, rng)
        assert said.log_probability == pytest.approx(
            policy.log_said(view, chosen.act, chosen.value, said.text, temperature), abs=1e-6
        )
        planned = policy.plan(view, temperature, rng)
        assert planned.log_probability == policy.log_guide(view, planned.text, temperature)


def test_what_cannot_be_has_no_probability(policy: Policy) -> None:
    view = views()[0]
    typed = policy.choose(view).act
    assert policy.log_action(view, typed, "Something that stands nowhere") == -math.inf
    assert policy.log_action(view, acts_of(views()[2])[1], "") == -math.inf
    assert policy.log_said(view, typed, "Cedar Stool", "Dance.") == -math.inf
    assert policy.log_guide(view, "Dance.") == -math.inf


def test_samples_come_as_often_as_their_probabilities_say(policy: Policy) -> None:
    view = views()[0]
    rng = np.random.default_rng(0)
    drawn = Counter(
        (c.act.verb, c.act.target and c.act.target.mark) for c in (policy.choose(view, 4, rng) for _ in range(400))
    )
    acts = acts_of(view)
    for act, log in zip(acts, policy.act_logs(view, acts, 4), strict=True):
        expected = math.exp(log)
        got = drawn[(act.verb, act.target and act.target.mark)] / 400
        assert abs(got - expected) < 4 * math.sqrt(expected * (1 - expected) / 400) + 1e-3


def test_a_forced_guide_changes_what_is_done(policy: Policy) -> None:
    plain = views()[2]
    acts = acts_of(plain)
    named = [act.target.name if act.target else act.verb for act in acts]
    before = policy.act_logs(plain, acts)
    for name in ("Add to cart", "Add to wish list"):
        told = view_of(plain.goal.text, plain.observation, plain.memory, f"Press “{name}”.")
        after = policy.act_logs(told, acts)
        assert not np.allclose(before, after)
        others = [n for n, other in enumerate(named) if other != name]
        place = named.index(name)
        gain = after[place] - before[place]
        assert gain >= max(after[n] - before[n] for n in others if named[n].startswith("Add to"))


def test_sampling_needs_a_generator(policy: Policy) -> None:
    with pytest.raises(ValueError, match="random generator"):
        policy.choose(views()[0], 1.0)


def test_what_is_sure_to_be_a_click_is_a_click_even_where_a_scroll_beats_each_of_many() -> None:
    seen = page(*(candidate(n, "link", f"Link {n}", 10, 20 * n) for n in range(1, 6)), y=0, max_y=900)
    view = view_of("Open the seventh link.", seen, ())
    acts = acts_of(view)
    shares = [{"scroll": 0.2, "finish": 0.1, "click": 0.14}.get(act.verb, 0.0001) + act_bonus(act) for act in acts]
    logs = np.log(np.array(shares) / sum(shares))
    assert acts[int(logs.argmax())].verb == "scroll"
    chosen = acts[_likeliest(acts, logs)]
    assert (chosen.verb, chosen.target and chosen.target.name) == ("click", "Link 3")


def act_bonus(act: Act) -> float:
    return 0.01 if act.target is not None and act.target.name == "Link 3" else 0.0


@pytest.mark.parametrize("text", ["Press “#” for a list", 'The sign "#"', "““”", "“”“"])
def test_quotation_marks_around_nothing_are_no_answer(text: str) -> None:
    view = view_of("Which sign is it?", page(line(text, 10, 10)), ())
    values, _ = values_of(view, Act("finish"))
    assert values[0] == ""
    assert text in values
    assert "" not in values[1:]
