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
    _pairs: Any
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
    arrays: tuple[Floats, ...]


@dataclass(frozen=True)
class Mask:
    """Which features are seen: 1 or 0 for each place of the table and of the pairs."""

    table: Floats
    pairs: Floats


def forward(network: Network, choices: Sequence[Choice], mask: Mask | None = None) -> Forward:
    """Score all items of the choices, of which there is at least one, by the features that the mask lets through."""
    width = network.size.width
    lookup = _matrix(
        [network.place(choice.bag.features) for choice in choices],
        [choice.bag.offsets for choice in choices],
        len(network.table),
        None if mask is None else mask.table,
    )
    pairs = _matrix(
        [network.pair_place(choice.bag.pairs) for choice in choices],
        [choice.bag.pair_offsets for choice in choices],
        len(network.pairs),
        None if mask is None else mask.pairs,
    )
    summed: Floats = lookup @ network.table
    summed[:, width] += pairs @ network.pairs
    all_logs, all_hidden, log_p = [], [], []
    for choice, members in zip(choices, _members(choices), strict=True):
        head = HEADS.index(choice.head)
        first, whole = _first_and_whole(summed, members)
        hidden = np.maximum(whole[:, :width] + network.bias[head], 0)
        met = first[:, :width] * (whole - first)[:, :width]
        logs = log_softmax(hidden @ network.out[head, :width] + met @ network.out[head, width:] + whole[:, width])
        wanted = logs[np.array(choice.wanted)]
        top = wanted.max()
        log_p.append(float(top + np.log(np.exp(wanted - top).sum())))
        all_logs.append(logs)
        all_hidden.append(hidden)
    return Forward(np.array(log_p), tuple(all_logs), lookup, pairs, summed, tuple(all_hidden))


def backward(
    network: Network, choices: Sequence[Choice], found: Forward, slopes: npt.NDArray[np.float64]
) -> tuple[Floats, ...]:
    """The gradients of sum(slopes * found.log_p) by the network's arrays. `slopes` has the shape (choices,)."""
    width = network.size.width
    d_summed = np.zeros_like(found._summed)
    d_out, d_bias = np.zeros_like(network.out), np.zeros_like(network.bias)
    each = zip(choices, _members(choices), found.logs, found._hidden, slopes, strict=True)
    for choice, members, logs, hidden, slope in each:
        head = HEADS.index(choice.head)
        d_scores = _by_scores(logs, choice.wanted, slope)
        first, whole = _first_and_whole(found._summed, members)
        rest = (whole - first)[:, :width]
        d_hidden = np.outer(d_scores, network.out[head, :width]) * (hidden > 0)
        d_met = np.outer(d_scores, network.out[head, width:])
        d_out[head, :width] += d_scores @ hidden
        d_out[head, width:] += d_scores @ (first[:, :width] * rest)
        d_bias[head] += d_hidden.sum(axis=0)
        last = d_scores[:, None]
        d_first = np.concatenate([d_hidden + d_met * rest, last], axis=1)
        d_rest = np.concatenate([d_hidden + d_met * first[:, :width], last], axis=1)
        for number, column in enumerate(members.T):
            d_column = d_rest if number else d_first
            if (column == column[0]).all():
                d_summed[column[0]] += d_column.sum(axis=0)
            elif (np.diff(column) > 0).all():
                d_summed[column] += d_column
            else:
                np.add.at(d_summed, column, d_column)
    d_table: Floats = found._lookup.T @ d_summed
    d_pairs: Floats = found._pairs.T @ d_summed[:, width]
    return d_table, d_pairs, d_out, d_bias


def _first_and_whole(summed: Floats, members: Index) -> tuple[Floats, Floats]:
    """Of each item, the sum of its first row and that of all its rows."""
    first = summed[members[:, 0]]
    return first, first + summed[members[:, 1:]].sum(axis=1)


def _matrix(places: list[Index], offsets: list[Index], columns: int, seen: Floats | None) -> Any:
    """A sparse matrix of ones: which places each row of the choices' bags has. Shape (rows, columns)."""
    from scipy import sparse

    whole = np.concatenate(places)
    lengths = np.concatenate([np.diff(each) for each in offsets])
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths)])
    ones = np.ones(len(whole), np.float32) if seen is None else seen[whole]
    return sparse.csr_matrix((ones, whole, starts), shape=(len(lengths), columns))


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


def gradients(network: Network, choices: Sequence[Choice], mask: Mask | None = None) -> Gradients:
    """The mean loss of the choices and its gradients."""
    found = forward(network, choices, mask)
    weights = np.array([choice.weight for choice in choices])
    share = np.float32(1 / len(choices))
    arrays = backward(network, choices, found, -weights)
    return Gradients(float(-(weights * found.log_p).sum()) / len(choices), tuple(array * share for array in arrays))


def fit_epoch(
    network: Network, adam: Adam, steps: Sequence[Sequence[Choice]], *, rate: float, batch: int, seed: int
) -> float:
    """Go once through the steps, in an order drawn from the seed, `batch` of them at a time. The mean loss a choice."""
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(steps))
    losses, counts = 0.0, 0
    for start in range(0, len(order), batch):
        choices = [choice for number in order[start : start + batch] for choice in steps[number]]
        if not choices:
            continue
        found = gradients(network, choices, _drawn_mask(network, rng))
        adam.step(found.arrays, rate)
        losses += found.loss * len(choices)
        counts += len(choices)
    return losses / max(counts, 1)


UNSEEN = ((0.0, 0.0), (0.1, 0.3), (0.2, 0.6), (0.4, 0.9))
"""Shares of own features and of pairs that are not seen; one of these pairs of shares is drawn for each batch."""


def _drawn_mask(network: Network, rng: np.random.Generator) -> Mask:
    """Hides features all over a batch, as if no demonstration had ever shown them: so the agent learns not to lean on
    any one of them, and what to do on pages where it knows few."""
    own, pairs = UNSEEN[rng.integers(len(UNSEEN))]
    return Mask(
        (rng.random(len(network.table), np.float32) >= own).astype(np.float32),
        (rng.random(len(network.pairs), np.float32) >= pairs).astype(np.float32),
    )


def optimiser(network: Network, decay: float) -> Adam:
    """Adam over all of a network's arrays, in the order of `Gradients`."""
    return Adam(list(network.arrays), decay)
