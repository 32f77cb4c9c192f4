"""Fit the network to choices: minibatches, gradients by hand, and Adam.

The loss of a choice is -weight * log p(one of the wanted items). Everything is a function of its arguments: the same
choices in the same order from the same network give the same weights.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from guideact.models.builtin.bags import Index
from guideact.models.builtin.network import HEADS, Floats, Network, log_softmax
from guideact.train.examples import Choice


@dataclass
class Adam:
    """Adam with decoupled weight decay (Kingma and Ba 2015; Loshchilov and Hutter 2019) over some arrays."""

    arrays: list[Floats]
    decay: float = 0.0
    betas: tuple[float, float] = (0.9, 0.99)
    steps: int = 0
    _first: list[Floats] = field(default_factory=list)
    _second: list[Floats] = field(default_factory=list)

    def step(self, gradients: Sequence[Floats], rate: float) -> None:
        """Move every array against its gradient, in place."""
        all_first, all_second = self.moments()
        self.steps += 1
        one, two = self.betas
        scale = np.float32(rate * np.sqrt(1 - two**self.steps) / (1 - one**self.steps))
        for array, gradient, first, second in zip(self.arrays, gradients, all_first, all_second, strict=True):
            first *= np.float32(one)
            first += np.float32(1 - one) * gradient
            second *= np.float32(two)
            second += np.float32(1 - two) * np.square(gradient)
            array -= scale * first / (np.sqrt(second) + np.float32(1e-8))
            if self.decay:
                array *= np.float32(1 - rate * self.decay)

    def moments(self) -> tuple[list[Floats], list[Floats]]:
        """The running means of gradients and of their squares, shaped like the arrays; zero before the first step."""
        if not self._first:
            self._first = [np.zeros_like(array) for array in self.arrays]
            self._second = [np.zeros_like(array) for array in self.arrays]
        return self._first, self._second

    def restore(self, steps: int, first: Sequence[Floats], second: Sequence[Floats]) -> None:
        """Go on after so many steps with these moments."""
        self.steps, self._first, self._second = steps, list(first), list(second)


@dataclass(frozen=True)
class Forward:
    """What the network makes of some choices, and what the way back needs of it."""

    log_p: npt.NDArray[np.float64]
    """The log-probability of each choice's wanted items together. Shape (choices,)."""
    logs: tuple[npt.NDArray[np.float64], ...]
    """Of each choice, the log-probabilities of all its items."""
    _lookup: Any
    _summed: Floats
    _hidden: tuple[Floats, ...]

    @property
    def entropy(self) -> npt.NDArray[np.float64]:
        """Of each choice, in nats. Shape (choices,)."""
        return np.array([-float((np.exp(logs) * logs).sum()) for logs in self.logs])

    def divergence(self, other: Forward) -> npt.NDArray[np.float64]:
        """KL(this || other) of each choice, exact, in nats, where both saw the same choices. Shape (choices,)."""
        pairs = zip(self.logs, other.logs, strict=True)
        return np.array([float((np.exp(own) * (own - theirs)).sum()) for own, theirs in pairs])


@dataclass(frozen=True)
class Gradients:
    """Of a loss, which is given with them. Shapes are those of the network's arrays."""

    loss: float
    table: Floats
    out: Floats
    bias: Floats


def forward(network: Network, choices: Sequence[Choice]) -> Forward:
    """Score all items of the choices, of which there is at least one."""
    from scipy import sparse

    features = np.concatenate([choice.bag.features for choice in choices])
    lengths = np.concatenate([np.diff(choice.bag.offsets) for choice in choices])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    width = network.size.width
    ones = np.ones(len(features), np.float32)
    lookup = sparse.csr_matrix((ones, network.place(features), offsets), shape=(len(lengths), len(network.table)))
    summed: Floats = lookup @ network.table
    all_logs, all_hidden, log_p = [], [], []
    for choice, members in zip(choices, _members(choices), strict=True):
        head = HEADS.index(choice.head)
        whole = summed[members].sum(axis=1)
        hidden = np.maximum(whole[:, :width] + network.bias[head], 0)
        logs = log_softmax(hidden @ network.out[head] + whole[:, width])
        wanted = logs[np.array(choice.wanted)]
        top = wanted.max()
        log_p.append(float(top + np.log(np.exp(wanted - top).sum())))
        all_logs.append(logs)
        all_hidden.append(hidden)
    return Forward(np.array(log_p), tuple(all_logs), lookup, summed, tuple(all_hidden))


def backward(
    network: Network, choices: Sequence[Choice], found: Forward, slopes: npt.NDArray[np.float64]
) -> tuple[Floats, Floats, Floats]:
    """The gradients of sum(slopes * found.log_p) by table, out and bias. `slopes` has the shape (choices,)."""
    d_summed = np.zeros_like(found._summed)
    d_out, d_bias = np.zeros_like(network.out), np.zeros_like(network.bias)
    each = zip(choices, _members(choices), found.logs, found._hidden, slopes, strict=True)
    for choice, members, logs, hidden, slope in each:
        head = HEADS.index(choice.head)
        d_scores = _by_scores(logs, choice.wanted, slope)
        d_hidden = np.outer(d_scores, network.out[head]) * (hidden > 0)
        d_out[head] += d_scores @ hidden
        d_bias[head] += d_hidden.sum(axis=0)
        d_whole = np.concatenate([d_hidden, d_scores[:, None]], axis=1)
        for column in members.T:
            if (column == column[0]).all():
                d_summed[column[0]] += d_whole.sum(axis=0)
            else:
                np.add.at(d_summed, column, d_whole)
    d_table: Floats = found._lookup.T @ d_summed
    return d_table, d_out, d_bias


def _members(choices: Sequence[Choice]) -> Iterator[Index]:
    """Of each choice, the rows of its items among the rows of all choices."""
    first_row = 0
    for choice in choices:
        yield choice.bag.members + first_row
        first_row += len(choice.bag.offsets) - 1


def _by_scores(logs: npt.NDArray[np.float64], wanted: tuple[int, ...], slope: float) -> Floats:
    """The derivatives of slope * log p(wanted) by the scores of a choice's items."""
    places = np.array(wanted)
    held = np.zeros_like(logs)
    among = np.exp(logs[places] - logs[places].max())
    held[places] = among / among.sum()
    derivatives: Floats = (-slope * (np.exp(logs) - held)).astype(np.float32)
    return derivatives


def gradients(network: Network, choices: Sequence[Choice]) -> Gradients:
    """The mean loss of the choices and its gradients."""
    found = forward(network, choices)
    weights = np.array([choice.weight for choice in choices])
    share = np.float32(1 / len(choices))
    table, out, bias = backward(network, choices, found, -weights)
    return Gradients(float(-(weights * found.log_p).sum()) / len(choices), table * share, out * share, bias * share)


def fit_epoch(
    network: Network, adam: Adam, steps: Sequence[Sequence[Choice]], *, rate: float, batch: int, seed: int
) -> float:
    """Go once through the steps, in an order drawn from the seed, `batch` of them at a time. The mean loss a choice."""
    order = np.random.default_rng(seed).permutation(len(steps))
    losses, counts = 0.0, 0
    for start in range(0, len(order), batch):
        choices = [choice for number in order[start : start + batch] for choice in steps[number]]
        if not choices:
            continue
        found = gradients(network, choices)
        adam.step([found.table, found.out, found.bias], rate)
        losses += found.loss * len(choices)
        counts += len(choices)
    return losses / max(counts, 1)


def optimiser(network: Network, decay: float) -> Adam:
    """Adam over all of a network's arrays, in the order of `Gradients`."""
    return Adam([network.table, network.out, network.bias], decay)
