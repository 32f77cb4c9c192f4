"""Demonstrations as plans: values are out of them, and none is shown to the task that it was made from."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from guideact.models.builtin.view import view_of
from guideact.models.builtin.weights import save_weights
from guideact.train.builtin import accuracy, drawn, train_builtin
from guideact.train.examples import choices_at, demos_of, frames_in, view_at
from guideact.train.plans import NOTHING_RECALLED, plan_of, recalled_in

from .small_shop import PRODUCTS
from .trained import shop, trained


def test_a_plan_has_no_values() -> None:
    demos = demos_of(shop(), "train")
    plans = {plan_of(demo) for demo in demos}
    assert len(plans) == 2, "one of each kind of task, whatever the product"
    text = repr(plans).casefold()
    assert not any(product.casefold() in text for product in PRODUCTS)
    price = next(plan for plan in plans if plan.form[0] == "how")
    assert [step.what for step in price.steps] == [
        ("type", "searchbox", "search product"),
        ("press_enter", "", ""),
        ("click", "link", "*0"),
        ("finish", "", ""),
    ]
    assert (price.steps[0].value, price.steps[0].source) == ("*0", ("words", "the", ""))
    assert all("$" in source for source in price.steps[-1].source)


def test_a_task_is_never_shown_its_own_plan_and_in_a_share_of_the_steps_none_of_its_template() -> None:
    demos = demos_of(shop(), "train")
    recalled = recalled_in(demos)
    rng = random.Random(0)
    shares = []
    for number, demo in enumerate(demos):
        template = {n for n, other in enumerate(demos) if other.template == demo.template}
        for _ in range(20):
            hidden = recalled.drawn(demo, rng)
            assert hidden in ({number}, template)
            shares.append(hidden == template)
            found = view_at(demo, 0, recall=recalled.recall, without=hidden).recalled
            assert not any(plan is recalled.recall.plans[n] for plan, _ in found for n in hidden)
    assert 0.15 < np.mean(shares) < 0.35
    assert recalled.without(demos_of(shop(), "test")[0], template=False) == frozenset()


def test_without_plans_nothing_is_drawn_and_no_feature_changes() -> None:
    demos = demos_of(shop(), "train")[:4]
    frames = frames_in(demos)
    rng = random.Random(3)
    NOTHING_RECALLED.drawn(demos[0], rng)
    assert rng.random() == random.Random(3).random()
    for demo in demos:
        plain, none, some = (
            choices_at(demo, 1, frames, random.Random(1), recall=recall)
            for recall in (NOTHING_RECALLED.recall, recalled_in([]).recall, recalled_in(demos).recall)
        )
        for one, other in zip(plain, none, strict=True):
            assert np.array_equal(one.bag.features, other.bag.features)
        assert plain[0].head == some[0].head == "act"
        assert set(plain[0].bag.features.tolist()) <= set(some[0].bag.features.tolist())


def test_the_same_plans_come_to_mind_every_time() -> None:
    demos = demos_of(shop(), "train")
    one, other = (drawn(demos[:3], frames_in(demos), 5, 1, recalled=recalled_in(demos)) for _ in range(2))
    for task, steps in one[0].items():
        for a, b in zip(steps, other[0][task], strict=True):
            assert all(np.array_equal(x.bag.features, y.bag.features) for x, y in zip(a, b, strict=True))


def test_plans_come_with_the_weights_unless_they_are_not_wanted(tmp_path: Path) -> None:
    recalling = train_builtin(shop(), size="small", seed=0, epochs=1, hold_out=False, recall=True)
    assert len(recalling.policy.recall.plans) == len(demos_of(shop(), "train"))
    assert recalling.about["recall"] is True
    without = train_builtin(shop(), size="small", seed=0, epochs=1, hold_out=False)
    assert without.policy.recall.plans == ()
    assert "recall" not in without.about
    save_weights(tmp_path / "w.npz", without)
    assert b"recall" not in (tmp_path / "w.npz").read_bytes()


@pytest.mark.parametrize("template", [True, False])
def test_accuracy_hides_the_plans_of_the_template(template: bool) -> None:
    demos = demos_of(shop(), "train")
    recalled = recalled_in(demos)
    view = view_at(demos[0], 0, recall=recalled.recall, without=recalled.without(demos[0], template))
    forms = {plan.form for plan, _ in view.recalled}
    assert (view.goal.form[0] in {form[0] for form in forms}) != template
    assert accuracy(trained().policy, demos[:2], recalled=recalled).steps == sum(len(demo.steps) for demo in demos[:2])
    assert view_of("", view.observation, (), recall=recalled.recall).recalled == ()
