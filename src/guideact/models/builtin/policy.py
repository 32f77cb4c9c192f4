"""From a view to an action and a sentence, each with its probability.

A step is a chain of choices: the act (verb and target together), the value that goes with it, and the sentence. Three
orders of the chain, which differ in what is chosen first:

    action, then guide     p(act) p(value | act) p(guide | act, value)
    guide, then action     p(guide) p(act | guide) p(value | act, guide),
                           p(guide) = the sum of p(act) p(value | act) p(guide | act, value) over all acts and values
    no guide               p(act) p(value | act)

So a guide is planned with the same heads that act, and then read like a guide that somebody else has written: forced
guides and the agent's own ones enter by the same features.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import numpy.typing as npt

from guideact.models.builtin.acts import Act, act_bag, acts_of
from guideact.models.builtin.bags import Bag
from guideact.models.builtin.frames import Frame, fillers_of, fitting, frame_bag, plain_sentence
from guideact.models.builtin.lore import Lore
from guideact.models.builtin.network import Network, log_softmax
from guideact.models.builtin.recall import Recall
from guideact.models.builtin.values import answers_on, options_of, texts_to_type
from guideact.models.builtin.view import NO_PLANS, NOTHING, View, Views
from guideact.types import Observation

Logs = npt.NDArray[np.float64]

VALUE_HEADS = {"type": "text", "select": "option", "finish": "answer"}
"""Verbs that a value goes with, and the head that chooses it."""

CAUTION = 0.15
"""What the probability of finishing counts at temperature 0: to stop too early cannot be mended, one step too many
mostly can."""


_views = Views(32)
"""More than a task has steps."""


@dataclass(frozen=True)
class Chosen:
    """What is done: an act with its value, and the natural logarithms of the probabilities of both."""

    act: Act
    value: str = ""
    log_verb: float = 0.0
    log_target: float = 0.0
    """Given the verb."""
    log_value: float = 0.0
    """Given the act."""

    @property
    def log_probability(self) -> float:
        return self.log_verb + self.log_target + self.log_value


@dataclass(frozen=True)
class Said:
    """A sentence, and the natural logarithm of its probability; nan where that was not asked for."""

    text: str
    log_probability: float = 0.0


@dataclass(frozen=True)
class Policy:
    """A network and the sentences it can say."""

    network: Network
    frames: tuple[Frame, ...]
    lore: Lore = NOTHING
    recall: Recall = NO_PLANS
    _fits: dict[tuple[str, frozenset[str]], list[Frame]] = field(default_factory=dict, repr=False, compare=False)
    """The frames of a verb that some slots can fill: for a handful of sets of slots."""

    def view(self, intent: str, observation: Observation, memory: Sequence[str], guide: str = "") -> View:
        """What it reads of a step."""
        view = _views.of(intent, observation, memory, self.lore, self.recall)
        return view.guided(guide) if guide else view

    # --- choosing -----------------------------------------------------------------------------------------------

    def choose(self, view: View, temperature: float = 0.0, rng: np.random.Generator | None = None) -> Chosen:
        """An act and its value: drawn at the temperature, or at 0 the likeliest target of the likeliest verb.

        The verb comes first there: what is sure to be a click must not give way to a scroll because it might be a click
        on any of ten things.
        """
        acts = acts_of(view)
        logs = self.act_logs(view, acts, temperature)
        number = _pick(logs, temperature, rng) if temperature > 0 else _likeliest(acts, logs)
        act = acts[number]
        of_verb = [each for each, other in enumerate(acts) if other.verb == act.verb]
        log_verb = _log_sum(logs[of_verb])
        value, log_value = "", 0.0
        if act.verb in VALUE_HEADS:
            values, bag = values_of(view, act)
            of_values = self._logs(bag, VALUE_HEADS[act.verb], temperature)
            place = _pick(of_values, temperature, rng)
            value, log_value = values[place], _log_sum(of_values[[v == values[place] for v in values]])
        return Chosen(act, value, log_verb, float(logs[number]) - log_verb, log_value)

    def say(
        self,
        view: View,
        act: Act,
        value: str,
        temperature: float = 0.0,
        rng: np.random.Generator | None = None,
        *,
        probability: bool = True,
    ) -> Said:
        """A sentence for what is done. Its probability takes longer than itself: all frames have to be filled."""
        fillers = fillers_of(view, act, value)
        frames = self._fitting(act, fillers)
        if not frames:
            return Said(plain_sentence(act, fillers))
        logs = self._logs(frame_bag(view, act, value, frames), "sentence", temperature)
        text = frames[_pick(logs, temperature, rng)].fill(fillers)
        if not probability:
            return Said(text, math.nan)
        return Said(text, _log_sum(logs[[frame.says(text, fillers) for frame in frames]]))

    def plan(
        self,
        view: View,
        temperature: float = 0.0,
        rng: np.random.Generator | None = None,
        *,
        probability: bool = True,
    ) -> Said:
        """A sentence before anything is done: that of an act which is chosen for it. `view` must hold no guide.

        Its probability takes longer than itself; without `probability` it is nan.
        """
        chosen = self.choose(view, temperature, rng)
        text = self.say(view, chosen.act, chosen.value, temperature, rng, probability=False).text
        return Said(text, self.log_guide(view, text, temperature) if probability else math.nan)

    # --- probabilities ------------------------------------------------------------------------------------------

    def act_logs(self, view: View, acts: list[Act], temperature: float = 0.0) -> Logs:
        """The log-probability of each act; at temperature 0, as at 1, the network's own."""
        return self._logs(act_bag(view, acts), "act", temperature)

    def sentences(self, view: View, act: Act, value: str, temperature: float = 0.0) -> tuple[list[str], Logs]:
        """The sentences that can be said of an act, and their log-probabilities."""
        fillers = fillers_of(view, act, value)
        frames = self._fitting(act, fillers)
        if not frames:
            return [plain_sentence(act, fillers)], np.zeros(1)
        logs = self._logs(frame_bag(view, act, value, frames), "sentence", temperature)
        return [frame.fill(fillers) for frame in frames], logs

    def log_action(self, view: View, act: Act, value: str, temperature: float = 0.0) -> float:
        """The log-probability of an act with its value, given the guide of the view if it has one; -inf for an act or
        a value that cannot be chosen."""
        acts = acts_of(view)
        if act not in acts:
            return -math.inf
        log_act = float(self.act_logs(view, acts, temperature)[acts.index(act)])
        return log_act + self._log_value(view, act, value, temperature)

    def log_said(self, view: View, act: Act, value: str, guide: str, temperature: float = 0.0) -> float:
        """The log-probability of a sentence, given what is done; -inf for a sentence that cannot be said."""
        sentences, logs = self.sentences(view, act, value, temperature)
        same = [sentence == guide for sentence in sentences]
        return _log_sum(logs[same])

    def log_guide(self, view: View, guide: str, temperature: float = 0.0) -> float:
        """The log-probability that a guide is planned: the sum over all acts and values that it can be said of."""
        view = replace(view, guide="") if view.guide else view
        acts = acts_of(view)
        logs = self.act_logs(view, acts, temperature)
        possible = [frame for frame in self.frames if _may_be(frame, guide)]
        found: list[float] = []
        for act, log_act in zip(acts, logs, strict=True):
            said = self._logs_said_with_values(view, act, guide, possible, temperature)
            found += [float(log_act) + each for each in said]
        return _log_sum(np.array(found))

    def _logs_said_with_values(
        self, view: View, act: Act, guide: str, possible: list[Frame], temperature: float
    ) -> list[float]:
        """log p(value | act) + log p(guide | act, value) for each value that the guide can be said of.

        What is said depends on a value only where it is said, and on what kind of value it is otherwise; an answer is
        never said, so all answers count as one.
        """
        if act.verb not in ("type", "select"):
            said = self._log_if_said(view, act, "", guide, possible, temperature)
            return [] if said == -math.inf else [said]
        values, bag = values_of(view, act)
        speaking = [value for value in values if value and value in guide]
        if not speaking and all("value" in frame.slots for frame in possible if frame.verb == act.verb):
            return []
        logs = self._logs(bag, VALUE_HEADS[act.verb], temperature)
        known: dict[tuple[str, str], float] = {}
        found = []
        for value, log_value in zip(values, logs, strict=True):
            key = (view.goal.match(value).kind if value else "", value if value in guide else "")
            if key not in known:
                known[key] = self._log_if_said(view, act, value, guide, possible, temperature)
            if known[key] > -math.inf:
                found.append(float(log_value) + known[key])
        return found

    def _log_if_said(
        self, view: View, act: Act, value: str, guide: str, possible: list[Frame], temperature: float
    ) -> float:
        """log p(guide | act, value), asking the network only where the sentence can be said at all."""
        fillers = fillers_of(view, act, value)
        if any(frame.says(guide, fillers) for frame in fitting(possible, act, fillers)):
            return self.log_said(view, act, value, guide, temperature)
        if plain_sentence(act, fillers) == guide and not self._fitting(act, fillers):
            return 0.0
        return -math.inf

    def _log_value(self, view: View, act: Act, value: str, temperature: float) -> float:
        if act.verb not in VALUE_HEADS:
            return 0.0
        values, bag = values_of(view, act)
        if value not in values:
            return -math.inf
        logs = self._logs(bag, VALUE_HEADS[act.verb], temperature)
        return _log_sum(logs[[each == value for each in values]])

    def _logs(self, bag: Bag, head: str, temperature: float) -> Logs:
        return log_softmax(self.network.scores(bag, head), temperature or 1.0)

    def _fitting(self, act: Act, fillers: Mapping[str, str]) -> list[Frame]:
        """The frames that can be filled for an act, in order."""
        key = (act.verb, frozenset(fillers))
        if key not in self._fits:
            self._fits[key] = fitting(self.frames, act, fillers)
        return self._fits[key]


def values_of(view: View, act: Act) -> tuple[Sequence[str], Bag]:
    """What can go with an act whose verb takes a value, and the features of each."""
    if view.guide:
        return _values_of(view, act)
    key = (act.verb, 0 if act.target is None else act.target.mark)
    if key not in view.values:
        view.values[key] = _values_of(view, act)
    return view.values[key]


def _values_of(view: View, act: Act) -> tuple[Sequence[str], Bag]:
    match act.verb:
        case "type":
            return texts_to_type(view, act)
        case "select":
            return options_of(view, act)
        case "finish":
            return answers_on(view)
        case _:
            raise ValueError(f"{act.verb} takes no value")


def _may_be(frame: Frame, guide: str) -> bool:
    """Whether the guide begins and ends as the frame does: a quick test before it is filled."""
    head, _, rest = frame.text.partition("{")
    tail = frame.text.rpartition("}")[2] if rest else frame.text
    return guide.startswith(head) and guide.endswith(tail)


def _likeliest(acts: Sequence[Act], logs: Logs) -> int:
    """The likeliest act of the verb that is likeliest over all its targets, with caution about the end."""
    shares: dict[str, float] = {}
    for act, share in zip(acts, np.exp(logs), strict=True):
        shares[act.verb] = shares.get(act.verb, 0.0) + float(share)
    shares["finish"] *= CAUTION
    verb = max(shares, key=shares.__getitem__)
    return max((n for n, act in enumerate(acts) if act.verb == verb), key=lambda n: float(logs[n]))


def _pick(logs: Logs, temperature: float, rng: np.random.Generator | None) -> int:
    if temperature <= 0:
        return int(logs.argmax())
    if rng is None:
        raise ValueError("sampling needs a random generator")
    cumulated = np.exp(logs).cumsum()
    return int(min(np.searchsorted(cumulated, rng.random() * cumulated[-1], side="right"), len(logs) - 1))


def _log_sum(logs: Logs) -> float:
    """The logarithm of the sum of probabilities; -inf for none."""
    if not len(logs):
        return -math.inf
    top = float(logs.max())
    return top if top == -math.inf else min(top + math.log(float(np.exp(logs - top).sum())), 0.0)
