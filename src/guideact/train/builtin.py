"""Train the built-in agent on the train split of a dataset.

Some templates are held out first, to find the epoch after which new ones gain nothing any more; then it is trained anew
on all of the split for as many epochs.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.models.builtin.frames import Frame
from guideact.models.builtin.lore import Lore
from guideact.models.builtin.network import SIZES, Floats, Network, new_network
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.view import NOTHING
from guideact.models.builtin.weights import Weights
from guideact.train.arms import Told, neutral_frames
from guideact.train.examples import (
    Choice,
    Demo,
    act_in,
    choices_at,
    demos_of,
    frames_in,
    guides_of,
    lore_in,
    same_value,
    view_at,
)
from guideact.train.fit import fit_epoch, optimiser
from guideact.train.objective import Guides, TrainArm
from guideact.train.plans import NOTHING_RECALLED, Recalled, recalled_in

VARIANTS = 1
"""How often each step is drawn with noise; epochs take turns with them."""
BATCH = 16
"""Steps at a time."""
DECAY = 0.5
AVERAGED = 3
"""Of so many last epochs the weights are averaged."""
SLACK = 0.03
"""Of the epochs whose held-out accuracy is this close to the best one, the last is taken: templates that are not held
out go on gaining."""


@dataclass(frozen=True)
class Accuracy:
    """Shares of steps that the agent gets right with reference guides as memory, 0..1."""

    steps: int
    act: float
    """Verb and target."""
    whole: float
    """The value too."""
    by_verb: dict[str, tuple[int, int]]
    """Right ones and all, verb by verb."""


def train_builtin(
    dataset: Dataset,
    *,
    size: str,
    seed: int,
    epochs: int,
    arm: TrainArm = "any",
    hold_out: bool = True,
    limit: int | None = None,
    guides: Guides = "gold",
    without: str = "",
    recall: bool = False,
    say: Callable[[str], None] = lambda line: None,
) -> Weights:
    """Weights trained on the dataset's train split. `say` is told how it goes.

    Args:
        arm: see `examples.choices_at`.
        hold_out: find the number of epochs, up to `epochs`, on templates that are held out. Without it there are
            exactly so many, so that two arms make the same number of updates; 0 is an untrained agent.
        limit: only so many tasks, taken in turn over templates.
        guides: what the guides of the steps are replaced by; see `arms`.
        without: a site; tasks that need it are left out.
        recall: the agent recalls the plans of the demonstrations (`recall`).

    Raises InputError for an unknown size or site, and for a dataset without steps to train on.
    """
    if size not in SIZES:
        raise InputError(f"there is no size {size!r}", fix=f"Sizes are {', '.join(SIZES)}.")
    if epochs < (1 if hold_out else 0):
        raise InputError(
            f"--epochs {epochs} trains nothing", fix="Give 1 or more; 0 with --no-hold-out makes an untrained agent."
        )
    demos = demos_of(dataset, "train", limit)
    if not demos:
        raise InputError(f"{dataset.folder} has no train split", fix="Build it of train tasks too.")
    if without:
        demos = _without(demos, without)
    frames, lore = frames_in(demos), lore_in(demos)
    told = None
    if guides != "gold":
        told = guides_of(demos, guides, seed)
        frames += neutral_frames() if guides == "neutral" else ()
    recalled = recalled_in(demos) if recall else NOTHING_RECALLED
    rounds = drawn(demos, frames, seed, min(epochs, VARIANTS), arm, told, lore, recalled)
    say(f"{len(demos)} tasks, {sum(len(demo.steps) for demo in demos)} steps, {len(frames)} sentence frames")
    held_out = held_out_templates(demos, seed) if hold_out else frozenset()
    best = epochs
    if held_out:
        best = _best_epoch(demos, held_out, rounds, frames, lore, recalled, size, seed, epochs, say)
    say(f"all tasks, {best} epochs")
    network = _fit(
        new_network(SIZES[size], seed), rounds, seed, best, lambda epoch, loss: say(f"epoch {epoch}: loss {loss:.4f}")
    )
    about = {
        "size": size,
        "seed": seed,
        "epochs": best,
        "dataset": dataset.manifest.name,
        "signature": dataset.manifest.signature,
        "tasks": len(demos),
        "steps": sum(len(demo.steps) for demo in demos),
        "versions": dataset.manifest.versions,
    }
    # Said only where it is not the plain case, whose weights are to stay the bytes that they were.
    if arm != "any":
        about["arm"] = arm
    if guides != "gold":
        about["guides"] = guides
    if without:
        about["without"] = without
    if recall:
        about["recall"] = True
    return Weights(Policy(network, frames, lore[""], recalled.recall), about)


def _without(demos: Sequence[Demo], site: str) -> tuple[Demo, ...]:
    sites = sorted({each for demo in demos for each in demo.sites})
    if site not in sites:
        raise InputError(f"no train task needs a site {site!r}", fix=f"Sites are {', '.join(sites)}.")
    rest = tuple(demo for demo in demos if site not in demo.sites)
    if not rest:
        raise InputError(f"all train tasks need {site}", fix="Train on a dataset of several sites.")
    return rest


def held_out_templates(demos: Sequence[Demo], seed: int) -> frozenset[str]:
    """An eighth of the templates, drawn from the seed; none where there are fewer than eight."""
    templates = sorted({demo.template for demo in demos})
    return frozenset(random.Random(seed).sample(templates, len(templates) // 8))


Steps = list[list[Choice]]
"""The choices of each step."""


def drawn(
    demos: Sequence[Demo],
    frames: Sequence[Frame],
    seed: int,
    rounds: int,
    arm: TrainArm = "any",
    told: Mapping[tuple[str, int], Told] | None = None,
    lore: Mapping[str, Lore] | None = None,
    recalled: Recalled = NOTHING_RECALLED,
) -> list[dict[str, Steps]]:
    """The choices of all steps, task by task, so many times, each time with other noise."""
    rng = random.Random(seed)

    def at(demo: Demo, index: int) -> list[Choice]:
        replaced = None if told is None else told[demo.id, index]
        known = NOTHING if lore is None else lore[demo.template]
        hidden = recalled.drawn(demo, rng)
        return choices_at(
            demo, index, frames, rng, arm=arm, told=replaced, lore=known, recall=recalled.recall, without=hidden
        )

    return [{demo.id: [at(demo, index) for index in range(len(demo.steps))] for demo in demos} for _ in range(rounds)]


def _best_epoch(
    demos: Sequence[Demo],
    held_out: frozenset[str],
    rounds: Sequence[dict[str, Steps]],
    frames: tuple[Frame, ...],
    lore: Mapping[str, Lore],
    recalled: Recalled,
    size: str,
    seed: int,
    epochs: int,
    say: Callable[[str], None],
) -> int:
    rest = [demo for demo in demos if demo.template in held_out]
    kept = {demo.id for demo in demos} - {demo.id for demo in rest}
    say(f"{len(kept)} tasks; held out {len(rest)} tasks of {len(held_out)} templates")
    network = new_network(SIZES[size], seed)
    scores: list[float] = []

    def after(epoch: int, loss: float) -> None:
        found = accuracy(Policy(network, frames, recall=recalled.recall), rest, lore, recalled)
        say(f"epoch {epoch}: loss {loss:.4f}, held out: act {found.act:.3f}, with value {found.whole:.3f}")
        scores.append(found.whole)

    _fit(network, [{i: steps for i, steps in drawn.items() if i in kept} for drawn in rounds], seed, epochs, after)
    return max(epoch for epoch, score in enumerate(scores, 1) if score >= max(scores) - SLACK)


def _fit(
    network: Network,
    rounds: Sequence[dict[str, Steps]],
    seed: int,
    epochs: int,
    after: Callable[[int, float], None],
) -> Network:
    """Train; `after` is told each epoch's number, from 1, and its loss. Gives back the mean of the network after its
    last epochs."""
    adam = optimiser(network, DECAY)
    last: list[tuple[Floats, ...]] = []
    for epoch in range(epochs):
        steps = [step for task in rounds[epoch % len(rounds)].values() for step in task]
        loss = fit_epoch(network, adam, steps, rate=_rate(epoch / epochs), batch=BATCH, seed=seed * 1000 + epoch)
        after(epoch + 1, loss)
        last = [*last, tuple(array.copy() for array in network.arrays)][-AVERAGED:]
    if not last:
        return network
    return Network(network.size, *(np.mean(arrays, axis=0) for arrays in zip(*last, strict=True)))


def _rate(done: float) -> float:
    """The learning rate when a share of the training is done: it falls to a tenth."""
    return 0.004 * (1 - 0.9 * done)


# --- how good it is -----------------------------------------------------------------------------------------------


def accuracy(
    policy: Policy,
    demos: Sequence[Demo],
    lore: Mapping[str, Lore] | None = None,
    recalled: Recalled = NOTHING_RECALLED,
) -> Accuracy:
    """How many of the demonstrated steps the agent would do, each seen as it was demonstrated.

    With `lore`, each is seen with that of its template instead of the policy's own; with `recalled`, without plans of
    its template.
    """
    right_acts = right = 0
    by_verb: Counter[str] = Counter()
    of_verb: Counter[str] = Counter()
    for demo in demos:
        known = policy.lore if lore is None else lore[demo.template]
        for step in demo.steps:
            hidden = recalled.without(demo, template=True)
            chosen = policy.choose(view_at(demo, step.index, lore=known, recall=policy.recall, without=hidden))
            of_verb[step.verb] += 1
            if chosen.act == act_in(step):
                right_acts += 1
                if step.verb in ("scroll",) or same_value(step.verb, chosen.value, step.value):
                    right += 1
                    by_verb[step.verb] += 1
    count = of_verb.total()
    return Accuracy(
        steps=count,
        act=right_acts / count if count else 0.0,
        whole=right / count if count else 0.0,
        by_verb={verb: (by_verb[verb], of_verb[verb]) for verb in sorted(of_verb)},
    )
