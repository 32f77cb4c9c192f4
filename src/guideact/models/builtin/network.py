"""The network: embeddings of features, weights of pairs of features, and for each kind of choice a small layer.

    sum    = the embeddings of an item's own features, added up              (width + 1 numbers)
    first  = the part of the sum that comes from the item's first row, which is what all items share
    pairs  = the weights of the item's pairs of features, added up           (1 number)
    score  = out[head] . [relu(sum[:width] + bias[head]), first * (sum - first)] + sum[width] + pairs
    p      = softmax over the items of the choice

The last column of the embeddings and the pairs make the score linear in the features, which is what learns fastest from
few demonstrations; the layer is for what they mean together, where no demonstration showed the very pair.
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
    """How large a network is: 2**bits embeddings of this width, and 2**pair_bits pairs."""

    bits: int
    width: int
    pair_bits: int

    @property
    def parameters(self) -> int:
        return int(2**self.bits) * (self.width + 1) + int(2**self.pair_bits) + 3 * len(HEADS) * self.width


SIZES = {"small": Size(bits=13, width=31, pair_bits=18), "large": Size(bits=15, width=32, pair_bits=20)}
"""524,753 and 2,130,400 parameters."""


@dataclass
class Network:
    """The parameters; the trainer changes them in place."""

    size: Size
    table: Floats
    """Shape (2**bits, width + 1)."""
    pairs: Floats
    """Shape (2**pair_bits,)."""
    out: Floats
    """Shape (heads, 2 * width)."""
    bias: Floats
    """Shape (heads, width)."""

    @property
    def arrays(self) -> tuple[Floats, ...]:
        """All parameters, in the order of `ARRAYS`."""
        return tuple(getattr(self, name) for name in ARRAYS)

    def place(self, features: Hashes) -> Index:
        """The rows of the table that features stand in."""
        return _place(features, self.size.bits)

    def pair_place(self, pairs: Hashes) -> Index:
        """Where the weights of pairs stand."""
        return _place(pairs, self.size.pair_bits)

    def scores(self, bag: Bag, head: str) -> Floats:
        """The score of each item, shape (items,): natural logarithms of probabilities but for a constant."""
        rows = self.sums(bag)
        first = rows[bag.members[:, 0]]
        summed = first + rows[bag.members[:, 1:]].sum(axis=1)
        number, width = HEADS.index(head), self.size.width
        hidden = np.maximum(summed[:, :width] + self.bias[number], 0)
        met = first[:, :width] * (summed - first)[:, :width]
        scored: Floats = hidden @ self.out[number, :width] + met @ self.out[number, width:] + summed[:, width]
        return scored

    def sums(self, bag: Bag) -> Floats:
        """Of each row, the summed embeddings, its pairs added to the last of them. Shape (rows, width + 1)."""
        summed = np.zeros((len(bag.offsets) - 1, self.size.width + 1), np.float32)
        filled = bag.offsets[1:] > bag.offsets[:-1]
        if filled.any():
            summed[filled] = np.add.reduceat(self.table[self.place(bag.features)], bag.offsets[:-1][filled], axis=0)
        filled = bag.pair_offsets[1:] > bag.pair_offsets[:-1]
        if filled.any():
            weights = self.pairs[self.pair_place(bag.pairs)]
            summed[filled, -1] += np.add.reduceat(weights, bag.pair_offsets[:-1][filled])
        return summed


ARRAYS = ("table", "pairs", "out", "bias")
"""Names of a network's arrays."""


def _place(hashes: Hashes, bits: int) -> Index:
    return ((hashes * np.uint32(0x9E3779B1)) >> np.uint32(32 - bits)).astype(np.int64)


def new_network(size: Size, seed: int) -> Network:
    """A network before training: every score is near 0. The same for the same seed."""
    rng = np.random.default_rng(seed)
    table = rng.normal(0, 0.05, (2**size.bits, size.width + 1)).astype(np.float32)
    table[:, -1] = 0
    out = rng.normal(0, 0.3, (len(HEADS), 2 * size.width)).astype(np.float32)
    return Network(
        size, table, np.zeros(2**size.pair_bits, np.float32), out, np.zeros((len(HEADS), size.width), np.float32)
    )


def log_softmax(scores: Floats, temperature: float = 1.0) -> npt.NDArray[np.float64]:
    """Natural logarithms of the probabilities at a temperature > 0, shape as given. Never empty."""
    scaled = scores.astype(np.float64) / temperature
    scaled -= scaled.max()
    logs: npt.NDArray[np.float64] = scaled - np.log(np.exp(scaled).sum())
    return logs
