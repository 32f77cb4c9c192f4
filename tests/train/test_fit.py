"""Fitting: what is masked is neither seen nor changed."""

from __future__ import annotations

import numpy as np

from guideact.models.builtin.bags import BagBuilder
from guideact.models.builtin.network import Size, new_network
from guideact.models.builtin.words import hashes
from guideact.train.examples import Choice
from guideact.train.fit import Mask, forward, gradients

SIZE = Size(bits=8, width=5, pair_bits=9)


def choice() -> Choice:
    builder = BagBuilder()
    shared = builder.row(["page"])
    rows = [builder.row([f"name {n}", "link"], [f"name {n}"], hashes(["goal", "place"])) for n in range(4)]
    return Choice("act", builder.bag([(shared, row) for row in rows]), (2,))


def test_forward_gives_what_the_network_itself_gives() -> None:
    network, asked = new_network(SIZE, 1), choice()
    network.pairs[:] = np.random.default_rng(0).normal(size=len(network.pairs))
    scores = network.scores(asked.bag, "act").astype(np.float64)
    logs = scores - np.log(np.exp(scores).sum())
    np.testing.assert_allclose(forward(network, [asked]).logs[0], logs, atol=1e-5)


def test_what_is_masked_is_not_seen_and_gets_no_gradient() -> None:
    network, asked = new_network(SIZE, 1), choice()
    network.pairs[:] = np.random.default_rng(0).normal(size=len(network.pairs))
    all_seen = Mask(np.ones(len(network.table), np.float32), np.ones(len(network.pairs), np.float32))
    np.testing.assert_array_equal(forward(network, [asked], all_seen).logs[0], forward(network, [asked]).logs[0])
    blind = Mask(np.zeros(len(network.table), np.float32), np.zeros(len(network.pairs), np.float32))
    np.testing.assert_allclose(forward(network, [asked], blind).logs[0], np.log(0.25))
    half = Mask(all_seen.table, all_seen.pairs.copy())
    hidden = network.pair_place(asked.bag.pairs)[:3]
    half.pairs[hidden] = 0
    _, pairs, _, _ = gradients(network, [asked], half).arrays
    assert (pairs[hidden] == 0).all()
    assert (pairs != 0).any()
    changed = new_network(SIZE, 1)
    changed.pairs[:] = network.pairs
    changed.pairs[hidden] += 100
    np.testing.assert_array_equal(forward(changed, [asked], half).logs[0], forward(network, [asked], half).logs[0])
