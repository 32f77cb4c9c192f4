"""A reward for a guide that needs no environment: does it make the right action more likely, beyond naming its target?

    lift(g) = log p(gold action | g) - log p(gold action | no guide)        both from a frozen scorer
    reward  = lift(g) - lift(t)                                             t: a guide that only names the target

and its 0/1 form, flip(g) = 1 where the scorer picks the gold action with g and not without; the reward is then
flip(g) - flip(t).

Two ways to earn without teaching do not pay. *Naming the answer*: a guide that is only the target's name (or, at a
`finish`, only the answer) has the reward 0, by definition. *Spoiling the no-guide term*: log p(gold | no guide) stands
in both lifts and cancels out; and the scorer is a copy that training cannot reach. A guide that leaks a mark or a pixel
(OFCR) earns nothing above 0. What is left to earn is what else a guide says: what to do, what to type, which one of
several.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from guideact.data import DemoStep
from guideact.errors import InputError
from guideact.leaks import find_leaks
from guideact.metrics.offline import value_of
from guideact.models.builtin.acts import Act
from guideact.models.builtin.model import action_of, load_named
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.view import View
from guideact.offline.gold import Demo
from guideact.offline.interventions import target_only
from guideact.offline.questions import remembered
from guideact.types import Action, Finish, Observation


@dataclass(frozen=True)
class Situation:
    """What a scorer is shown besides the guide."""

    intent: str
    seen: Observation
    memory: tuple[str, ...]


class Scorer(Protocol):
    """A frozen model with exact probabilities. `guide` is empty for none."""

    @property
    def name(self) -> str: ...

    def log_p(self, situation: Situation, action: Action, guide: str) -> float:
        """The natural logarithm of p(action | guide); -inf for an action that it cannot choose at all."""
        ...

    def pick(self, situation: Situation, guide: str) -> Action:
        """The action that it finds likeliest."""
        ...


class BuiltinScorer:
    """The built-in agent as a scorer: a copy of its weights, out of reach of whatever trains the original."""

    def __init__(self, name: str, policy: Policy) -> None:
        self.name = name
        self._policy = copy.deepcopy(policy)

    def log_p(self, situation: Situation, action: Action, guide: str) -> float:
        target = getattr(action, "target", None)
        candidate = None if target is None else situation.seen.candidate(target.mark)
        act = Act(action.verb, candidate, getattr(action, "direction", None))
        value = "" if action.verb == "scroll" else value_of(action)
        return self._policy.log_action(self._view(situation, guide), act, value)

    def pick(self, situation: Situation, guide: str) -> Action:
        return action_of(self._policy.choose(self._view(situation, guide)))

    def _view(self, situation: Situation, guide: str) -> View:
        return self._policy.view(situation.intent, situation.seen, situation.memory, guide)


def scorer_named(name: str) -> Scorer:
    """The scorer `builtin/NAME`. Raises InputError for one that is none, or has no exact probabilities."""
    maker, _, rest = name.partition("/")
    if maker != "builtin":
        raise InputError(f"{name} gives no probabilities of actions", fix="Use --scorer builtin/small, or weights.")
    return BuiltinScorer(name, load_named(rest).policy)


@dataclass(frozen=True)
class Reward:
    """What a guide earned at a step, in both forms, with its terms."""

    lift: float
    naming_lift: float
    flip: bool
    naming_flip: bool
    leaks: bool

    @property
    def log(self) -> float:
        """lift - naming lift; nothing above 0 for a guide that leaks."""
        return self._kept(self.lift - self.naming_lift)

    @property
    def zero_one(self) -> float:
        """flip - naming flip: -1, 0 or 1."""
        return self._kept(float(self.flip) - float(self.naming_flip))

    def _kept(self, reward: float) -> float:
        return min(reward, 0.0) if self.leaks else reward


@dataclass(frozen=True)
class StepReward:
    """The reward of any guide at one step. What does not depend on the guide is asked of the scorer once."""

    scorer: Scorer
    situation: Situation
    gold: Action
    log_none: float
    naming_lift: float
    picked_without: bool
    naming_flip: bool

    def of(self, guide: str) -> Reward:
        """What a guide earns here."""
        return Reward(
            lift=self.scorer.log_p(self.situation, self.gold, guide) - self.log_none,
            naming_lift=self.naming_lift,
            flip=not self.picked_without and self.scorer.pick(self.situation, guide) == self.gold,
            naming_flip=self.naming_flip,
            leaks=bool(find_leaks(guide, self.situation.seen)),
        )


def step_reward(scorer: Scorer, demo: Demo, index: int, memory: Sequence[str] | None = None) -> StepReward | None:
    """The reward at a step of a demonstration, with gold guides as its memory unless another is given.

    None where the scorer cannot choose the gold action at all, or the action has no mark: such a step teaches nothing.
    """
    step = demo.steps[index]
    gold = step.action_som
    if gold is None:
        return None
    told = remembered(demo.id, demo.steps[:index], "gold") if memory is None else tuple(memory)
    situation = Situation(demo.task.intent, step.observation, told)
    log_none = scorer.log_p(situation, gold, "")
    if not math.isfinite(log_none):
        return None
    naming = naming_guide(step)
    picked = scorer.pick(situation, "") == gold
    return StepReward(
        scorer=scorer,
        situation=situation,
        gold=gold,
        log_none=log_none,
        naming_lift=scorer.log_p(situation, gold, naming) - log_none if naming else 0.0,
        picked_without=picked,
        naming_flip=bool(naming) and not picked and scorer.pick(situation, naming) == gold,
    )


def naming_guide(step: DemoStep) -> str:
    """The guide that only names: the target, or at a `finish` the answer. Empty where there is nothing to name."""
    if isinstance(step.action, Finish):
        return f"“{step.action.answer}”." if step.action.answer.strip() else ""
    return target_only(step) or ""
