"""From a stored step of an episode back to the choices of the built-in agent that it was made of.

A step is a chain of choices in the order of the prompt's keys: the act (verb and target), its value, the sentence. Each
choice has one log-probability and is one *token* in the sense of `advantages`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from guideact.models.builtin.acts import Act, act_bag, acts_of
from guideact.models.builtin.frames import fillers_of, fitting, frame_bag
from guideact.models.builtin.policy import VALUE_HEADS, Policy, values_of
from guideact.models.builtin.view import View
from guideact.train.examples import Choice, choices_in
from guideact.types import Action, Mark, Observation, Sampled, Step

KEYS_OF = {"act": ("action", "target"), "sentence": ("guide",), **dict.fromkeys(VALUE_HEADS.values(), ("value",))}
"""The keys of an answer whose log-probabilities make up that of a choice."""


@dataclass(frozen=True)
class Chain:
    """The choices of a step, and what each was given as log-probability by whoever took it."""

    choices: tuple[Choice, ...] = ()
    """Those that the policy could take too."""
    behaviour: tuple[float, ...] = ()
    """Natural logarithms; 0 where nothing is known, as of an expert that never does otherwise."""
    expert: bool = False

    def __len__(self) -> int:
        return len(self.choices)


def act_of(action: Action, seen: Observation) -> Act | None:
    """What an action does to which candidate; None for a target that is no mark of the observation."""
    target = getattr(action, "target", None)
    candidate = seen.candidate(target.mark) if isinstance(target, Mark) else None
    if target is not None and candidate is None:
        return None
    return Act(action.verb, candidate, getattr(action, "direction", None))


def value_of(action: Action) -> str:
    """What is typed, selected or answered; empty for other verbs."""
    return next((str(getattr(action, name)) for name in ("text", "option", "answer") if hasattr(action, name)), "")


def sampled_chain(policy: Policy, intent: str, seen: Observation, memory: Sequence[str], step: Step) -> Chain:
    """The choices of a step that the built-in agent sampled itself at temperature 1, action before guide.

    They are read from the raw answer, so that one which the harness could not use teaches too.

    Raises ValueError for a step that it cannot have sampled: one of another agent, or of other frames.
    """
    answer = json.loads(step.raw)
    verb, value, guide = answer["action"], answer["value"] or "", answer["guide"]
    target = seen.candidate(answer["target"][0]) if answer["target"] else None
    direction = answer["value"] if verb == "scroll" else None
    view, act = policy.view(intent, seen, memory), Act(verb, target, direction)
    if act not in acts_of(view):
        raise ValueError(f"step {step.index} does what this policy cannot: {step.raw}")
    spoken = value if verb in VALUE_HEADS else ""
    choices = [*done_choices(view, act, spoken), *said_choices(policy, view, act, spoken, guide)]
    if not all(choice.wanted for choice in choices):
        raise ValueError(f"step {step.index} says what this policy cannot: {step.raw}")
    return Chain(tuple(choices), _behaviour(choices, step.sampled))


def done_choices(view: View, act: Act, value: str) -> list[Choice]:
    """The choices of an act that can be chosen at a view, and of its value; exactly these."""
    acts = acts_of(view)
    choices = [Choice("act", act_bag(view, acts), (acts.index(act),))]
    if act.verb in VALUE_HEADS:
        values, bag = values_of(view, act)
        wanted = tuple(number for number, each in enumerate(values) if each == value)
        choices.append(Choice(VALUE_HEADS[act.verb], bag, wanted))
    return choices


def said_choices(policy: Policy, view: View, act: Act, value: str, guide: str) -> list[Choice]:
    """The choice of a sentence for what is done; none where only the plain sentence can be said."""
    fillers = fillers_of(view, act, value)
    frames = fitting(policy.frames, act, fillers)
    if not frames:
        return []
    wanted = tuple(number for number, frame in enumerate(frames) if frame.says(guide, fillers))
    return [Choice("sentence", frame_bag(view, act, value, frames), wanted)]


def expert_chain(
    policy: Policy,
    intent: str,
    seen: Observation,
    memory: Sequence[str],
    action: Action,
    guides: Sequence[str],
    sampled: Sequence[Sampled] = (),
) -> Chain:
    """The choices that lead to what an expert did and said; those that the policy cannot take are left out.

    Any of `guides` will do, and so will an answer that differs in signs of money and number alone.
    """
    act = act_of(action, seen)
    if act is None:
        return Chain(expert=True)
    choices = tuple(choices_in(policy.view(intent, seen, memory), act, value_of(action), guides, policy.frames))
    return Chain(choices, _behaviour(choices, sampled), expert=True)


def _behaviour(choices: Sequence[Choice], sampled: Sequence[Sampled]) -> tuple[float, ...]:
    logs = _by_key(sampled)
    return tuple(sum(logs.get(key, 0.0) for key in KEYS_OF[choice.head]) for choice in choices)


def _by_key(sampled: Sequence[Sampled]) -> Mapping[str, float]:
    """Log-probabilities by the answer's key, where the tokens are those of the built-in agent; otherwise nothing."""
    found: dict[str, float] = {}
    for each in sampled:
        key, colon, _ = each.token.lstrip("{, ").partition(":")
        if colon:
            found[key.strip('"')] = each.logprob
    return found if set(found) >= {"action", "target", "value", "guide"} else {}
