"""An agent that was shown what to do with the lamps: press the right one, then stop."""

from __future__ import annotations

import functools

from guideact.models.builtin.acts import Act
from guideact.models.builtin.network import SIZES, new_network
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.view import view_of
from guideact.train.examples import choices_in
from guideact.train.fit import fit_epoch, optimiser

from .lamps import RIGHT, SAID, lamp_task, lamps


@functools.cache
def taught() -> Policy:
    network = new_network(SIZES["small"], 1)
    seen = lamps()
    right = next(each for each in seen.candidates if each.name == RIGHT)
    said = f"Press “{RIGHT}”."
    steps = []
    for number in range(2):
        intent = lamp_task(number).intent
        steps.append(list(choices_in(view_of(intent, seen, ()), Act("click", right), "", (said,), SAID)))
        steps.append(list(choices_in(view_of(intent, seen, (said,)), Act("finish"), "", ("Stop here.",), SAID)))
    adam = optimiser(network, 0.0)
    for epoch in range(12):
        fit_epoch(network, adam, steps, rate=0.02, batch=4, seed=epoch)
    return Policy(network, SAID)
