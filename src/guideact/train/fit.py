"""Fit the network to choices: minibatches, gradients by hand, and Adam.

The loss of a choice is -weight * log p(one of the wanted items). Everything is a function of its arguments: the same
choices in the same order from the same network give the same weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

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
        if not self._first:
            self._first = [np.zeros_like(array) for array in self.arrays]
            self._second = [np.zeros_like(array) for array in self.arrays]
        self.steps += 1
        one, two = self.betas
        scale = np.float32(rate * np.sqrt(1 - two**self.steps) / (1 - one**self.steps))
        for array, gradient, first, second in zip(self.arrays, gradients, self._first, self._second, strict=True):
            first *= np.float32(one)
            first += np.float32(1 - one) * gradient
            second *= np.float32(two)
            second += np.float32(1 - two) * np.square(gradient)
            array -= scale * first / (np.sqrt(second) + np.float32(1e-8))
            if self.decay:
                array *= np.float32(1 - rate * self.decay)


@dataclass(frozen=True)
class Gradients:
    """Of the mean loss of some choices."""

    loss: float
    table: Floats
    out: Floats
    bias: Floats


def gradients(network: Network, choices: Sequence[Choice]) -> Gradients:
    """The mean loss of the choices and its gradients. Shapes are those of the network's arrays."""
    from scipy import sparse

    features = np.concatenate([choice.bag.features for choice in choices])
    lengths = np.concatenate([np.diff(choice.bag.offsets) for choice in choices])
    offsets = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    width = network.size.width
    ones = np.ones(len(features), np.float32)
    lookup = sparse.csr_matrix((ones, network.place(features), offsets), shape=(len(lengths), len(network.table)))
    summed: Floats = lookup @ network.table
    d_summed = np.zeros_like(summed)
    d_out, d_bias = np.zeros_like(network.out), np.zeros_like(network.bias)
    loss, first_row = 0.0, 0
    for choice in choices:
        members = choice.bag.members + first_row
        first_row += len(choice.bag.offsets) - 1
        head = HEADS.index(choice.head)
        whole = summed[members].sum(axis=1)
        hidden = np.maximum(whole[:, :width] + network.bias[head], 0)
        lost, d_scores = _loss(hidden @ network.out[head] + whole[:, width], choice)
        loss += lost
        d_hidden = np.outer(d_scores, network.out[head]) * (hidden > 0)
        d_out[head] += d_scores @ hidden
        d_bias[head] += d_hidden.sum(axis=0)
        d_whole = np.concatenate([d_hidden, d_scores[:, None]], axis=1)
        for column in members.T:
            if (column == column[0]).all():
                d_summed[column[0]] += d_whole.sum(axis=0)
            else:
                np.add.at(d_summed, column, d_whole)
    share = np.float32(1 / len(choices))
    d_table: Floats = (lookup.T @ d_summed) * share
    return Gradients(loss / len(choices), d_table, d_out * share, d_bias * share)


def _loss(scores: Floats, choice: Choice) -> tuple[float, Floats]:
    """The loss of a choice and its derivatives by the scores."""
    logs = log_softmax(scores)
    chances: npt.NDArray[np.float64] = np.exp(logs)
    wanted = np.array(choice.wanted)
    held = np.zeros_like(chances)
    top = logs[wanted].max()
    among = np.exp(logs[wanted] - top)
    held[wanted] = among / among.sum()
    loss = -choice.weight * float(top + np.log(among.sum()))
    return loss, (choice.weight * (chances - held)).astype(np.float32)


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
