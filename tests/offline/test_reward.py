"""The offline reward: what pays and what does not."""

from __future__ import annotations

import asyncio
import json
import math
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.models.builtin.model import builtin
from guideact.models.builtin.weights import save_weights
from guideact.offline.gold import Demo, demos_of
from guideact.offline.predict import PredictConfig, plan, predict
from guideact.offline.predictions import read_predictions
from guideact.offline.reward import (
    BuiltinScorer,
    Scorer,
    Situation,
    StepReward,
    naming_guide,
    scorer_named,
    step_reward,
)
from guideact.offline.rewards import reward_report
from guideact.stats import Resampling
from guideact.types import Action
from tests.cli.calling import call, one_line
from tests.train.trained import shop, trained

QUICK = Resampling(resamples=200)


def scorer() -> BuiltinScorer:
    return BuiltinScorer("builtin/shop", trained().policy)


def steps() -> list[tuple[Demo, int, StepReward]]:
    frozen = scorer()
    found = []
    for demo in demos_of(shop(), "test"):
        for step in demo.steps:
            reward = step_reward(frozen, demo, step.index)
            if reward is not None:
                found.append((demo, step.index, reward))
    assert len(found) > 10
    return found


def test_it_is_the_difference_of_the_logarithms_of_exact_probabilities() -> None:
    frozen = scorer()
    for demo, index, reward in steps():
        step = demo.steps[index]
        situation = Situation(demo.task.intent, step.observation, tuple(s.guides[0] for s in demo.steps[:index]))
        guide = step.guides[0]
        with_guide = frozen.log_p(situation, step.action, guide)
        without = frozen.log_p(situation, step.action, "")
        earned = reward.of(guide)
        assert earned.lift == pytest.approx(with_guide - without)
        naming = naming_guide(step)
        if naming:
            assert earned.log == pytest.approx(with_guide - frozen.log_p(situation, step.action, naming))
        assert earned.flip == (
            frozen.pick(situation, guide) == step.action and frozen.pick(situation, "") != step.action
        )


def test_naming_the_target_or_the_answer_earns_nothing() -> None:
    named = 0
    for demo, index, reward in steps():
        naming = naming_guide(demo.steps[index])
        if naming:
            named += 1
            assert reward.of(naming).log == 0
            assert reward.of(naming).zero_one == 0
        assert reward.of("").log <= max(0.0, -reward.naming_lift)
    assert named > 5


def test_a_guide_that_leaks_earns_nothing_above_zero() -> None:
    for demo, index, reward in steps():
        guide = demo.steps[index].guides[0]
        honest, leaking = reward.of(guide), reward.of(f"{guide} It is the mark 2, [2].")
        assert leaking.leaks
        assert not honest.leaks
        assert leaking.log <= 0
        assert leaking.zero_one <= 0


@dataclass(frozen=True)
class Spoiled:
    """A scorer that was made to be bad at steps without a guide."""

    inner: Scorer
    name: str = "spoiled"

    def log_p(self, situation: Situation, action: Action, guide: str) -> float:
        return self.inner.log_p(situation, action, guide) - (30 if not guide else 0)

    def pick(self, situation: Situation, guide: str) -> Action:
        from guideact.types import GoBack

        return self.inner.pick(situation, guide) if guide else GoBack()


def test_spoiling_the_term_without_a_guide_earns_nothing() -> None:
    bad = Spoiled(scorer())
    for demo, index, reward in steps():
        spoiled = step_reward(bad, demo, index)
        assert spoiled is not None
        step = demo.steps[index]
        for guide in (*step.guides, "Press Enter.", "Go back to the page before."):
            if naming_guide(step):
                assert spoiled.of(guide).log == pytest.approx(reward.of(guide).log)
            assert spoiled.of(guide).zero_one <= 1 - float(spoiled.naming_flip)


def test_the_scorer_is_out_of_reach_of_what_trains_the_agent() -> None:
    policy = trained().policy
    network = replace(policy.network, table=policy.network.table.copy())
    mine = replace(policy, network=network)
    frozen = BuiltinScorer("mine", mine)
    demo = demos_of(shop(), "test")[0]
    before = step_reward(frozen, demo, 0)
    network.table[:] = 0
    after = step_reward(frozen, demo, 0)
    assert before is not None
    assert after is not None
    assert before.log_none == after.log_none
    assert after.log_none != pytest.approx(BuiltinScorer("now", mine).log_p(after.situation, after.gold, ""))


def test_a_step_that_the_scorer_cannot_do_is_no_step_of_the_reward() -> None:
    frozen = scorer()
    demo = demos_of(shop(), "test")[0]
    from guideact.types import Click, Point

    pointed = demo.steps[0].model_copy(update={"action": Click(target=Point(x=1, y=1))})
    assert step_reward(frozen, Demo(demo.task, (pointed, *demo.steps[1:])), 0) is None

    class Never(Spoiled):
        def log_p(self, situation: Situation, action: Action, guide: str) -> float:
            return -math.inf

    assert step_reward(Never(frozen), demo, 0) is None


def test_a_run_has_a_column_and_a_mean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weights = tmp_path / "shop.npz"
    save_weights(weights, trained())
    name = f"builtin/{weights}"
    run, out = RunConfig(model="scripted/gold"), tmp_path / "gold.jsonl"
    asyncio.run(predict(plan(shop(), PredictConfig(arm="guide-action"), run, out)))
    found = reward_report(shop(), read_predictions([out]), scorer_named(name), QUICK)
    assert found.steps + found.unscorable == 18
    earned = {(row.task, row.index): row for row in found.rows}
    for demo in demos_of(shop(), "test"):
        for step in demo.steps:
            reward = step_reward(scorer_named(name), demo, step.index)
            assert (reward is not None) == ((demo.id, step.index) in earned)
            if reward is not None:
                expected = reward.of(step.guides[0])
                assert earned[demo.id, step.index].log == pytest.approx(expected.log, abs=1e-8)
    mean = sum(row.log for row in found.rows) / len(found.rows)
    assert found.means["log"].value == pytest.approx(mean, abs=1e-8)
    column = tmp_path / "column.jsonl"
    said = call(
        capsys, "offline", "reward", str(shop().folder), str(out), "--scorer", name, "--out", str(column), "--json"
    )
    assert said.status == 0, said.err
    assert json.loads(said.out)["means"]["log"]["value"] == pytest.approx(mean, abs=1e-8)
    assert len(column.read_text(encoding="utf-8").splitlines()) == found.steps
    said = call(capsys, "offline", "reward", str(shop().folder), str(out), "--scorer", "openai/x")
    assert one_line(said).startswith("openai/x gives no probabilities of actions")
    acts = tmp_path / "acts.jsonl"
    asyncio.run(predict(plan(shop(), PredictConfig(arm="action"), run, acts)))
    said = call(capsys, "offline", "reward", str(shop().folder), str(acts), "--scorer", name)
    assert one_line(said) == "acts.jsonl: arm action writes no guides to reward. Predict with another --arm."


def test_only_scorers_with_probabilities_are_known() -> None:
    with pytest.raises(InputError, match="gives no probabilities"):
        scorer_named("scripted/overlap")
    assert builtin("small").name == scorer_named("builtin/small").name
