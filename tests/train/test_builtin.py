"""Training the built-in agent: it learns from few demonstrations, what is held out counts, and seeds decide."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.models.builtin.network import SIZES, new_network
from guideact.models.builtin.weights import Weights, save_weights
from guideact.models.builtin.words import hashed
from guideact.train.builtin import accuracy, drawn, held_out_templates, train_builtin
from guideact.train.examples import Demo, act_in, choices_at, demos_of, frames_in
from guideact.train.objective import TrainArm

from .bare_shop import without_guides
from .small_shop import small_shop


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Dataset:
    return small_shop(tmp_path_factory.mktemp("data") / "shop")


@pytest.fixture(scope="module")
def weights(dataset: Dataset) -> Weights:
    return train_builtin(dataset, size="small", seed=0, epochs=6)


def test_it_learns_what_holds_for_products_it_has_never_seen(dataset: Dataset, weights: Weights) -> None:
    found = accuracy(weights.policy, demos_of(dataset, "test"))
    assert found.steps == 18
    assert found.whole == 1.0, found
    assert found.by_verb == {"click": (6, 6), "finish": (4, 4), "press_enter": (4, 4), "type": (4, 4)}


def test_an_untrained_one_knows_nothing(dataset: Dataset, weights: Weights) -> None:
    from guideact.models.builtin.policy import Policy

    found = accuracy(Policy(new_network(SIZES["small"], 0), weights.policy.frames), demos_of(dataset, "test"))
    assert found.whole < 0.5


def test_the_loss_falls(dataset: Dataset) -> None:
    said: list[str] = []
    train_builtin(dataset, size="small", seed=0, epochs=3, say=said.append)
    losses = [float(line.rsplit(" ", 1)[1]) for line in said if line.startswith("epoch")]
    assert len(losses) == 3
    assert losses[0] > losses[1] > losses[2]


def test_the_same_seed_gives_the_same_bytes_and_another_seed_others(dataset: Dataset, tmp_path: Path) -> None:
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        save_weights(tmp_path / name, train_builtin(dataset, size="small", seed=seed, epochs=1))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_no_test_task_is_learned_from(dataset: Dataset, weights: Weights) -> None:
    assert weights.about["tasks"] == 20
    assert weights.about["steps"] == 90
    assert weights.about["signature"] == dataset.manifest.signature
    assert not any("Cedar" in frame.text or "Linen" in frame.text for frame in weights.policy.frames)


def test_frames_have_slots_where_data_stood(dataset: Dataset) -> None:
    texts = {frame.text for frame in frames_in(demos_of(dataset, "train"))}
    assert "Type “{value}” into the search field." in texts
    assert "Press Enter to search." in texts
    assert "Open “{name}” in the list." in texts
    assert not any("Polka" in text or "$" in text for text in texts)


def test_an_eighth_of_the_templates_is_held_out() -> None:
    demos = [Demo(id=f"t.{n}", template=f"t{n % 16}", intent="", steps=()) for n in range(40)]
    assert len(held_out_templates(demos, 0)) == 2
    assert held_out_templates(demos, 0) == held_out_templates(demos, 0)
    assert held_out_templates(demos[:4], 0) == frozenset()


def test_the_epoch_is_the_one_that_is_best_on_held_out_templates(tmp_path: Path) -> None:
    said: list[str] = []
    weights = train_builtin(small_shop(tmp_path / "shop", templates=8), size="small", seed=0, epochs=3, say=said.append)
    assert said[1] in ("17 tasks; held out 3 tasks of 1 templates", "18 tasks; held out 2 tasks of 1 templates")
    scores = [float(line.rsplit(" ", 1)[1]) for line in said if "held out: act" in line]
    assert len(scores) == 3
    assert scores[weights.about["epochs"] - 1] >= max(scores) - 0.03
    assert all(score < max(scores) - 0.03 for score in scores[weights.about["epochs"] :])
    assert sum(line.startswith("epoch") and "held out" not in line for line in said) == weights.about["epochs"]


@pytest.mark.parametrize(
    ("size", "epochs", "said"),
    [("huge", 1, "there is no size 'huge'. Sizes are small, large."), ("small", 0, "--epochs 0 trains nothing")],
)
def test_what_cannot_be_trained_is_refused(dataset: Dataset, size: str, epochs: int, said: str) -> None:
    with pytest.raises(InputError, match=said):
        train_builtin(dataset, size=size, seed=0, epochs=epochs)


def test_a_site_can_be_left_out(dataset: Dataset) -> None:
    with pytest.raises(InputError, match=r"no train task needs a site 'map'\. Sites are shopping\."):
        train_builtin(dataset, size="small", seed=0, epochs=1, without="map")
    with pytest.raises(InputError, match="all train tasks need shopping"):
        train_builtin(dataset, size="small", seed=0, epochs=1, without="shopping")


def test_gradients_are_those_of_the_loss(dataset: Dataset) -> None:
    """Against differences: a step along the gradient changes the loss by what the gradient says."""
    from guideact.models.builtin.network import ARRAYS, Size
    from guideact.train.fit import gradients

    demos = demos_of(dataset, "train")[:3]
    frames = frames_in(demos)
    choices = [c for d in demos for i in range(len(d.steps)) for c in choices_at(d, i, frames, random.Random(0))]
    assert {choice.head for choice in choices} == {"act", "text", "answer", "sentence"}
    network = new_network(Size(bits=8, width=5, pair_bits=9), 3)
    found = gradients(network, choices)
    rng = np.random.default_rng(0)
    for name, slope in zip(ARRAYS, found.arrays, strict=True):
        array = getattr(network, name)
        direction = rng.normal(0, 1, array.shape).astype(np.float32)
        was = array.copy()
        step = np.float32(1e-4)
        array[:] = was + step * direction
        above = gradients(network, choices).loss
        array[:] = was - step * direction
        below = gradients(network, choices).loss
        array[:] = was
        expected = float((slope * direction).sum())
        assert (above - below) / (2 * float(step)) == pytest.approx(expected, rel=0.05, abs=2e-3), name


# --- arms ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arm", "heads", "guided"),
    [
        ("action", {"act", "text", "answer"}, {False}),
        ("guide", {"act", "text", "sentence"}, {False}),
        ("action-guide", {"act", "text", "answer", "sentence"}, {False}),
        ("guide-action", {"act", "text", "answer", "sentence"}, {False, True}),
        ("any", {"act", "text", "answer", "sentence"}, {False, True}),
    ],
)
def test_an_arm_is_trained_on_what_its_answers_are_made_of(
    dataset: Dataset, arm: TrainArm, heads: set[str], guided: set[bool]
) -> None:
    demos = demos_of(dataset, "train")
    frames = frames_in(demos)
    rng = random.Random(0)
    choices = [c for demo in demos for at in range(len(demo.steps)) for c in choices_at(demo, at, frames, rng, arm=arm)]
    assert {choice.head for choice in choices} == heads
    said = {hashed(f"h:{kind}") for kind in ("quoted", "not", "said", "half said")}
    found = {bool(said & set(choice.bag.features.tolist())) for choice in choices if choice.head == "act"}
    assert found == guided, "the act is chosen with a guide before its eyes, or without"


def test_arms_make_the_same_number_of_updates(dataset: Dataset) -> None:
    demos = demos_of(dataset, "train")
    frames = frames_in(demos)
    for arm in ("action", "guide-action"):
        assert sum(map(len, drawn(demos, frames, 0, 1, arm)[0].values())) == 90, "a step is one row in any arm"


def test_a_guide_that_was_trained_on_is_followed_by_the_arm_that_reads_guides(dataset: Dataset) -> None:
    demos = demos_of(dataset, "test")
    reads = train_builtin(dataset, size="small", seed=0, epochs=4, arm="guide-action", hold_out=False)
    followed = 0
    for demo in demos:
        for step in demo.steps:
            memory = [before.guides[0] for before in demo.steps[: step.index]]
            view = reads.policy.view(demo.intent, step.observation, memory, step.guides[0])
            followed += reads.policy.choose(view).act == act_in(step)
    assert followed >= 17
    assert reads.about["arm"] == "guide-action"


def test_exactly_so_many_epochs_and_tasks_when_told_so(dataset: Dataset) -> None:
    few = train_builtin(dataset, size="small", seed=0, epochs=1, hold_out=False, limit=6)
    assert (few.about["epochs"], few.about["tasks"]) == (1, 6)
    none = train_builtin(dataset, size="small", seed=3, epochs=0, hold_out=False)
    assert np.array_equal(none.policy.network.table, new_network(SIZES["small"], 3).table)
    assert none.policy.frames


def test_steps_without_a_guide_are_learned_from_by_what_was_done(tmp_path: Path) -> None:
    bare = without_guides(tmp_path / "bare")
    found = train_builtin(bare, size="small", seed=0, epochs=5, hold_out=False, recall=True).policy
    assert found.frames == ()
    assert accuracy(found, demos_of(bare, "train")).act > 0.8
