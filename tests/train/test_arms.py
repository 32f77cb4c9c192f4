"""Guides learned without the actions, and controls whose guides say something else or nothing."""

from __future__ import annotations

import random

import numpy as np
import pytest

from guideact.models.builtin.acts import acts_of
from guideact.models.builtin.frames import Frame
from guideact.models.builtin.view import view_of
from guideact.offline.interventions import NEUTRAL
from guideact.train.arms import acts_told, neutral_frames, value_told
from guideact.train.builtin import train_builtin
from guideact.train.examples import Demo, act_in, choices_at, demos_of, frames_in, guides_of, view_at
from guideact.train.objective import Guides, TrainArm
from guideact.types import VERBS, Click, Mark

from .trained import shop


@pytest.fixture(scope="module")
def demos() -> tuple[Demo, ...]:
    return demos_of(shop(), "train")


def test_the_acts_of_a_sentence_are_those_it_can_be_said_of(demos: tuple[Demo, ...]) -> None:
    frames = frames_in(demos)
    alone = 0
    for demo in demos:
        for step in demo.steps:
            found = acts_told(view_at(demo, step.index), step.guides, step.value, frames)
            if found:
                assert act_in(step) in found, (demo.id, step.index)
                alone += len(found) == 1
    assert alone > 50


def test_guides_alone_are_learned_without_a_look_at_the_action(demos: tuple[Demo, ...]) -> None:
    """With another action in its place, what is learned stays the same."""
    frames = frames_in(demos)
    looked_at = 0
    for demo in demos:
        for step in demo.steps:
            if step.verb not in ("click", "press_enter"):
                continue
            other = next(c.mark for c in step.observation.candidates if c != step.target)
            moved = step.model_copy(update={"action": Click(target=Mark(mark=other))})
            steps = tuple(moved if each.index == step.index else each for each in demo.steps)
            changed = Demo(demo.id, demo.template, demo.intent, steps)
            one = choices_at(demo, step.index, frames, random.Random(7), arm="guide")
            same = choices_at(changed, step.index, frames, random.Random(7), arm="guide")
            assert [(c.head, c.wanted) for c in one] == [(c.head, c.wanted) for c in same]
            looked_at += bool(one)
    assert looked_at > 30


def test_a_value_is_known_only_where_a_sentence_says_it() -> None:
    assert value_told(["Type “Oak” here."], "Oak") == "Oak"
    assert value_told(["Type it here."], "Oak") == ""
    assert value_told(["Type it here."], "") == ""


def test_shuffled_guides_are_those_of_another_step(demos: tuple[Demo, ...]) -> None:
    told, again, other = (guides_of(demos, "shuffled", seed) for seed in (0, 0, 1))
    assert told == again != other
    true = guides_of(demos, "gold", 0)
    by_key = {(demo.id, step.index): step for demo in demos for step in demo.steps}
    assert sum(told[key].sentences != step.guides for key, step in by_key.items()) > len(by_key) / 2
    assert sorted(each.sentences for each in told.values()) == sorted(step.guides for step in by_key.values())
    assert all({frame.verb for frame in told[key].frames} <= {step.verb} for key, step in by_key.items())
    assert sum(told[key].frames != true[key].frames for key in by_key) > len(by_key) / 4


def test_the_memory_keeps_the_true_guides(demos: tuple[Demo, ...]) -> None:
    frames = (*frames_in(demos), *neutral_frames())
    told = guides_of(demos, "neutral", 0)
    for demo in demos[:4]:
        for step in demo.steps:
            plain, control = (
                choices_at(demo, step.index, frames, random.Random(0), arm="action-guide", told=each)
                for each in (None, told[demo.id, step.index])
            )
            assert plain[0].head == control[0].head == "act"
            assert np.array_equal(plain[0].bag.features, control[0].bag.features)
            assert [c.wanted for c in plain if c.head == "sentence"] != [
                c.wanted for c in control if c.head == "sentence"
            ]


def test_an_agent_of_the_neutral_control_says_the_neutral_sentence(demos: tuple[Demo, ...]) -> None:
    trained = train_builtin(
        shop(), size="small", seed=0, epochs=3, arm="guide-action", hold_out=False, guides="neutral"
    )
    assert trained.about["guides"] == "neutral"
    assert all(Frame(verb, NEUTRAL) in trained.policy.frames for verb in VERBS)
    demo = demos[0]
    assert trained.policy.plan(view_at(demo, 0)).text == NEUTRAL


def test_an_agent_of_the_shuffled_control_hardly_minds_what_a_guide_says() -> None:
    """On unseen products, with no memory: how much likelier the act is with its own guide than with another step's."""
    found = {}
    kinds: tuple[Guides, ...] = ("gold", "shuffled")
    for guides in kinds:
        policy = train_builtin(
            shop(), size="small", seed=0, epochs=8, arm="guide-action", hold_out=False, guides=guides
        ).policy
        gaps = []
        for demo in demos_of(shop(), "test"):
            for step in demo.steps:
                other = next(each for each in demo.steps if each.guides != step.guides)
                own, wrong = (view_of(demo.intent, step.observation, (), each.guides[0]) for each in (step, other))
                acts = acts_of(own)
                place = acts.index(act_in(step))
                gaps.append(policy.act_logs(own, acts)[place] - policy.act_logs(wrong, acts)[place])
        found[guides] = float(np.mean(gaps))
    assert found["gold"] > 0.5
    assert abs(found["shuffled"]) < found["gold"] / 3


def test_an_arm_without_its_guides_is_the_arm_as_it_was(demos: tuple[Demo, ...]) -> None:
    frames = frames_in(demos)
    told = guides_of(demos, "gold", 0)
    arms: tuple[TrainArm, ...] = ("action", "action-guide", "guide-action")
    for demo in demos[:4]:
        for step in demo.steps:
            for arm in arms:
                plain = choices_at(demo, step.index, frames, random.Random(3), arm=arm)
                same = choices_at(demo, step.index, frames, random.Random(3), arm=arm, told=told[demo.id, step.index])
                assert [c.head for c in plain] == [c.head for c in same]
                assert [c.wanted for c in plain if c.head != "sentence"] == [
                    c.wanted for c in same if c.head != "sentence"
                ]
