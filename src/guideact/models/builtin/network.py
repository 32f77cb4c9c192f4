"""The network: a table of embeddings of hashed features, and for each kind of choice a small layer over their sum.

    sum    = the embeddings of an item's features, added up        (width + 1 numbers)
    score  = out[head] . relu(sum[:width] + bias[head]) + sum[width]
    p      = softmax over the items of the choice

The last column of the table makes the score linear in the features as well, which is what learns fastest from few
demonstrations; the hidden layer is for what they mean together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guideact.models.builtin.bags import Bag, Index
from guideact.models.builtin.words import Hashes

Floats = npt.NDArray[np.float32]

HEADS = ("act", "text", "option", "answer", "sentence")
"""The kinds of choices: verb and target, what is typed, which option, what is answered, which sentence."""


@dataclass(frozen=True)
class Size:
    """How large a network is. `bits`: the table has 2**bits rows."""

    bits: int
    width: int

    @property
    def parameters(self) -> int:
        return int(2**self.bits) * (self.width + 1) + 2 * len(HEADS) * self.width


SIZES = {"small": Size(bits=14, width=31), "large": Size(bits=16, width=32)}
"""524,598 and 2,163,008 parameters."""


@dataclass
class Network:
    """The parameters; the trainer changes them in place."""

    size: Size
    table: Floats
    """Shape (2**bits, width + 1)."""
    out: Floats
    """Shape (heads, width)."""
    bias: Floats
    """Shape (heads, width)."""

    def place(self, features: Hashes) -> Index:
        """The rows of the table that features stand in."""
        return ((features * np.uint32(0x9E3779B1)) >> np.uint32(32 - self.size.bits)).astype(np.int64)

    def scores(self, bag: Bag, head: str) -> Floats:
        """The score of each item, shape (items,): natural logarithms of probabilities but for a constant."""
        summed = self.sums(bag)[bag.members].sum(axis=1)
        number, width = HEADS.index(head), self.size.width
        hidden = np.maximum(summed[:, :width] + self.bias[number], 0)
        scored: Floats = hidden @ self.out[number] + summed[:, width]
        return scored

    def sums(self, bag: Bag) -> Floats:
        """The summed embeddings of each row, shape (rows, width + 1)."""
        starts = bag.offsets[:-1]
        filled = bag.offsets[1:] > starts
        summed = np.zeros((len(starts), self.size.width + 1), np.float32)
        if filled.any():
            looked_up = self.table[self.place(bag.features)]
            summed[filled] = np.add.reduceat(looked_up, starts[filled], axis=0)
        return summed


def new_network(size: Size, seed: int) -> Network:
    """A network before training: every score is near 0. The same for the same seed."""
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 0.05, (2**size.bits, size.width + 1)).astype(np.float32)
    table[:, -1] = 0
    out = rng.normal(0, 0.3, (len(HEADS), size.width)).astype(np.float32)
    return Network(size, table, out, np.zeros((len(HEADS), size.width), np.float32))


def log_softmax(scores: Floats, temperature: float = 1.0) -> npt.NDArray[np.float64]:
    """Natural logarithms of the probabilities at a temperature > 0, shape as given. Never empty."""
    scaled = scores.astype(np.float64) / temperature
    scaled -= scaled.max()
    logs: npt.NDArray[np.float64] = scaled - np.log(np.exp(scaled).sum())
    return logs
