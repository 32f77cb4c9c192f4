"""Items to choose among, as bags of hashed features.

An item's features are the union of those of some rows; rows that many items share (the page, the word a span begins
with) are summed up once. A row has features of its own, which the network embeds, and pairs of features, which have a
weight each and no more. `Bag` holds hashes; the network turns them into places of its tables.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from guideact.models.builtin.words import Hashes, hashes, mixed

Index = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Bag:
    """Features of the items of one choice."""

    features: Hashes
    """Hashes of all rows' own features, one row after the other."""
    offsets: Index
    """Where each row begins; one more at the end. Shape (rows + 1,)."""
    pairs: Hashes
    """Hashes of all rows' pairs, one row after the other."""
    pair_offsets: Index
    """Where each row's pairs begin; one more at the end. Shape (rows + 1,)."""
    members: Index
    """The rows of each item. Shape (items, rows an item has)."""

    def __len__(self) -> int:
        return len(self.members)

    def with_last(self, other: Bag) -> Bag:
        """The same items, the last row of each replaced by the last of `other`."""
        rows = len(self.offsets) - 1
        return Bag(
            np.concatenate([self.features, other.features]),
            np.concatenate([self.offsets, self.offsets[-1] + other.offsets[1:]]),
            np.concatenate([self.pairs, other.pairs]),
            np.concatenate([self.pair_offsets, self.pair_offsets[-1] + other.pair_offsets[1:]]),
            np.concatenate([self.members[:, :-1], rows + other.members[:, -1:]], axis=1),
        )


@dataclass(frozen=True)
class _Row:
    own: Sequence[str]
    keys: Sequence[str]
    around: Hashes | None


class BagBuilder:
    """Collects rows, then items made of them. All hashing is done at the end, in few large steps."""

    def __init__(self) -> None:
        self._rows: list[_Row] = []

    def row(self, own: Sequence[str], keys: Sequence[str] = (), around: Hashes | None = None) -> int:
        """A row with its own features and all pairs of a key and a feature of `around`. Returns its number."""
        self._rows.append(_Row(own, keys, around))
        return len(self._rows) - 1

    def bag(self, members: Sequence[Sequence[int]]) -> Bag:
        """The items, each given by its rows; all of them have the same number of rows."""
        owns = hashes(list(itertools.chain.from_iterable(row.own for row in self._rows)))
        pairs = {id(row.around): row.around for row in self._rows if row.around is not None}
        crossed = {
            place: mixed(hashes([key for row in self._rows if id(row.around) == place for key in row.keys]), around)
            for place, around in pairs.items()
        }
        done = dict.fromkeys(crossed, 0)
        none = np.zeros(0, np.uint32)
        pieces = []
        for row in self._rows:
            if row.around is None or not len(row.keys):
                pieces.append(none)
                continue
            place = id(row.around)
            pieces.append(crossed[place][done[place] : done[place] + len(row.keys)].ravel())
            done[place] += len(row.keys)
        return Bag(
            owns,
            _starts([len(row.own) for row in self._rows]),
            np.concatenate(pieces) if pieces else none,
            _starts([len(piece) for piece in pieces]),
            np.array(members, np.int64).reshape(len(members), -1),
        )


def _starts(lengths: list[int]) -> Index:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(lengths, dtype=np.int64)])
