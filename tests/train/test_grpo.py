"""Training on rewards: a planted signal is learned, shuffled rewards are not, and a killed training ends as if not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from guideact.config import RunConfig
from guideact.errors import InputError
from guideact.harness.agent import Agents, ModelAgents
from guideact.harness.choose import choose_tasks
from guideact.harness.log import read_episodes
from guideact.harness.runner import Watcher
from guideact.models.builtin import BuiltinModel
from guideact.models.builtin.acts import Act
from guideact.models.builtin.policy import Policy
from guideact.models.builtin.view import view_of
from guideact.models.builtin.weights import load_weights
from guideact.train.chain import sampled_chain
from guideact.train.examples import demos_of
from guideact.train.experts import NO_EXPERTS, Experts, count_passes, observation_of, read_experts, train_config
from guideact.train.fit import forward
from guideact.train.groups import Group, Rollout, rows_of
from guideact.train.grpo import experts_for, read_rounds, train, train_tasks
from guideact.train.learner import learn, new_learner
from guideact.train.objective import ExpertLoss, Objective
from guideact.train.rounds import expert_chains, rewards_of, tasks_of_round
from guideact.train.settings import GrpoSettings
from guideact.types import Task

from .bare_shop import without_guides
from .experts import taught
from .lamps import RIGHT, Lamps, Silent, Stopped, lamp_task, lamps, untrained
from .trained import shop
from .trained import trained as trained_on_shop

TASKS = [lamp_task(number) for number in range(2)]


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return untrained(tmp_path_factory.mktemp("start") / "start.npz")


def settings(start: Path, out: Path, **more: object) -> GrpoSettings:
    given = {"rounds": 2, "tasks_per_round": 2, "updates": 2, "rate": 0.01, **more}
    return GrpoSettings.model_validate({"model": f"builtin/{start}", "out": out, **given})


def trained(
    wanted: GrpoSettings,
    play: Lamps | None = None,
    experts: Experts = NO_EXPERTS,
    tasks: Sequence[Task] = TASKS,
    test: Sequence[Task] = (),
) -> Silent:
    watcher = Silent()
    asyncio.run(train(wanted, tasks, test, experts, watcher, play or Lamps()))
    return watcher


# --- what is learned ----------------------------------------------------------------------------------------------


def test_a_planted_signal_is_learned_and_shuffled_rewards_teach_nothing(start: Path, tmp_path: Path) -> None:
    rates = {}
    for reward in ("success", "shuffled"):
        found = trained(settings(start, tmp_path / reward, rounds=4, rollouts=10, reward=reward)).records
        rates[reward] = [record.success_rate for record in found]
    learned, shuffled = rates["success"], rates["shuffled"]
    assert learned[0] == shuffled[0], "both begin with the same episodes"
    assert learned[0] is not None
    assert learned[0] < 0.4
    assert learned[-1] is not None
    assert learned[-1] >= 0.9
    assert shuffled[-1] is not None
    assert shuffled[-1] < 0.4


def test_a_group_that_never_succeeds_is_woken_by_an_expert_and_by_nothing_else(start: Path, tmp_path: Path) -> None:
    """The right lamp has to be pressed, and then nothing else: by chance that happens once in a hundred episodes."""
    hard = [lamp_task(0, max_steps=2)]
    experts = read_experts([expert_run(tmp_path / "experts")], [hard[0].id])
    plain = trained(settings(start, tmp_path / "plain"), Lamps(must_stop=True), tasks=hard)
    wanted = settings(start, tmp_path / "helped", rounds=8, rate=0.02)
    helped = trained(wanted, Lamps(must_stop=True), experts, hard)
    first = plain.records[0]
    assert (first.dead_share, first.updates, first.success_rate, first.expert_share) == (1, 0, 0, 0)
    assert first.entropy is not None, "measured in dead groups too"
    assert helped.records[0].dead_share == 0
    assert helped.records[0].expert_share == pytest.approx(1 / 7)
    assert helped.records[0].expert_choices_missed == 0
    assert helped.records[-1].success_rate is not None
    assert helped.records[-1].success_rate > 0.5
    assert plain.records[-1].success_rate is not None
    assert plain.records[-1].success_rate <= 1 / 6, "one of six by luck, and no more"


def expert_run(folder: Path) -> Path:
    """A run of an agent that was trained to press the right lamp, and then to stop."""
    config = RunConfig(model="builtin/taught.npz", temperature=1.0, screenshots=False, epochs=1)
    agents = ModelAgents(BuiltinModel("builtin/taught.npz", taught()), config, logprobs=True)
    asyncio.run(Lamps()([lamp_task(number, max_steps=2) for number in range(2)], agents, config, folder, Silent()))
    return folder


@pytest.mark.parametrize("kind", get_args(ExpertLoss))
def test_experts_are_learned_from_in_each_of_three_ways(start: Path, tmp_path: Path, kind: ExpertLoss) -> None:
    (expert,) = read_experts([expert_run(tmp_path / "experts")], [TASKS[0].id]).of(TASKS[0].id)
    learner = new_learner(load_weights(start))
    before = log_right(learner.policy)
    made = expert_chains(learner.policy, TASKS[0], expert)
    assert all(log < 0 for chain in made for log in chain.behaviour[:1]), "what the expert gave its acts is known"
    rollout = Rollout(TASKS[0].id, expert.key, 1.0, tuple(map(len, made)), expert=True)
    rows = rows_of([Group(TASKS[0].id, (rollout,), np.array([0.75]))], "episodes")
    chains = {(expert.key, step): chain for step, chain in enumerate(made)}
    learned = learn(learner, chains, rows, Objective(experts=kind), updates=1, rate=0.01, seed=(0, 0))
    assert learned.updates == 1
    assert (learned.entropy, learned.kl) == (None, None), "nothing was on-policy"
    assert log_right(learner.policy) > before + 0.01


def test_imitation_alone_needs_no_rollouts(start: Path, tmp_path: Path) -> None:
    experts = read_experts([expert_run(tmp_path / "experts")], [task.id for task in TASKS])
    play = Lamps()
    wanted = settings(start, tmp_path / "out", rounds=3, rollouts=0, expert_loss="cross_entropy")
    records = trained(wanted, play, experts=experts).records
    assert play.played == []
    assert [record.expert_share for record in records] == [1, 1, 1]
    assert [record.updates for record in records] == [2, 2, 2]
    was, now = (load_weights(path).policy for path in (start, tmp_path / "out" / "weights.npz"))
    assert log_right(now) > log_right(was)


def log_right(policy: Policy) -> float:
    """The log-probability that a policy presses the right lamp first."""
    seen = lamps()
    right = next(each for each in seen.candidates if each.name == RIGHT)
    return policy.log_action(view_of(TASKS[0].intent, seen, ()), Act("click", right), "")


# --- what a round keeps -------------------------------------------------------------------------------------------


def test_what_was_sampled_is_what_is_trained(start: Path, tmp_path: Path) -> None:
    """The log-probabilities that a rollout kept are those that training computes anew from the stored episode."""
    policy = load_weights(start).policy
    config = RunConfig(model="builtin/x.npz", temperature=1.0, screenshots=False, epochs=3, seed=7)
    agents = ModelAgents(BuiltinModel("builtin/x.npz", policy), config, logprobs=True)
    tasks = [lamp_task(number, max_steps=4) for number in range(3)]
    asyncio.run(Lamps()(tasks, agents, config, tmp_path / "run", Silent()))
    verbs = set()
    for episode in read_episodes(tmp_path / "run"):
        memory: list[str] = []
        for step in episode.steps:
            seen = observation_of(tmp_path / "run", step.observation)
            chain = sampled_chain(policy, episode.intent, seen, tuple(memory), step)
            again = forward(policy.network, chain.choices).log_p
            assert again == pytest.approx(chain.behaviour, abs=1e-5)
            assert sum(each.logprob for each in step.sampled) == pytest.approx(float(again.sum()), abs=1e-5)
            verbs.add(json.loads(step.raw)["action"])
            memory.append(step.guide)
    assert {"click", "finish"} <= verbs


def test_errors_are_in_no_rate_and_no_group(start: Path, tmp_path: Path) -> None:
    broken = frozenset(("000", TASKS[0].id, sample) for sample in range(6))
    (record,) = trained(settings(start, tmp_path / "out", rounds=1), Lamps(broken=broken)).records
    assert (record.episodes, record.errors, record.lost) == (12, 6, 1)
    whole = trained(settings(start, tmp_path / "whole", rounds=1), tasks=TASKS[1:]).records[0]
    assert record.success_rate == whole.success_rate, "that of the other task alone"


def test_a_round_says_what_it_was(start: Path, tmp_path: Path) -> None:
    wanted = settings(start, tmp_path / "out", eval_every=2, rollouts=10)
    watcher = trained(wanted, test=[lamp_task(7, "test"), lamp_task(8, "test")])
    first, second = read_rounds(tmp_path / "out")
    assert watcher.records == [first, second]
    assert watcher.phases == [
        (0, "rollouts"), (0, "update"), (1, "rollouts"), (1, "update"), (1, "evaluation"),
    ]  # fmt: skip
    assert sum(first.actions.values()) == pytest.approx(1)
    assert (first.kl, first.updates, first.steps) == (0, 2, 1)
    assert second.kl is not None
    assert second.kl > 0
    assert (first.test_success_rate, first.test_tasks) == (None, 0)
    assert second.test_success_rate in (0.0, 0.5, 1.0)
    assert second.test_tasks == 2
    assert len(list(read_episodes(tmp_path / "out" / "evals" / "001"))) == 2
    assert load_weights(tmp_path / "out" / "weights-001.npz").about["grpo"]["rounds"] == 2
    assert not list((tmp_path / "out" / "rounds").glob("*/steps")), "observations go when they are learned from"
    assert len(list(read_episodes(tmp_path / "out" / "rounds" / "000"))) == 20, "episodes stay"


# --- going on -----------------------------------------------------------------------------------------------------


def test_an_interrupted_training_ends_bit_for_bit_where_an_uninterrupted_one_does(start: Path, tmp_path: Path) -> None:
    """Killed in the first round, at the end of its rollouts, in the second round, and between two rounds."""
    trained(settings(start, tmp_path / "whole"))
    whole = (tmp_path / "whole" / "weights.npz").read_bytes()
    out = tmp_path / "killed"
    for stop_after in (3, 8, 5):
        with pytest.raises(Stopped):
            trained(settings(start, out), Lamps(stop_after))
    watcher = trained(settings(start, out))
    assert watcher.began == [1]
    assert (out / "weights.npz").read_bytes() == whole
    strip = {"seconds_rollouts": 0, "seconds_update": 0}
    assert [r.model_copy(update=strip) for r in read_rounds(out)] == [
        r.model_copy(update=strip) for r in read_rounds(tmp_path / "whole")
    ]
    by_rounds = tmp_path / "by_rounds"
    trained(settings(start, by_rounds, rounds=1))
    trained(settings(start, by_rounds, rounds=2))
    assert (by_rounds / "weights.npz").read_bytes() == whole
    again = Lamps()
    trained(settings(start, by_rounds), again)
    assert again.played == [], "what is finished is not done again"


def test_episodes_that_vanish_are_no_round_without_episodes(start: Path, tmp_path: Path) -> None:
    class Meddled(Lamps):
        async def __call__(
            self, tasks: Sequence[Task], agents: Agents, config: RunConfig, folder: Path, watcher: Watcher
        ) -> None:
            await super().__call__(tasks, agents, config, folder, watcher)
            (folder / "episodes.jsonl").unlink()

    with pytest.raises(InputError, match="holds 0 of 12 episodes"):
        trained(settings(start, tmp_path / "out"), Meddled())
    assert not (tmp_path / "out" / "checkpoint.npz").exists()


def test_another_seed_ends_elsewhere(start: Path, tmp_path: Path) -> None:
    for seed in (0, 1):
        trained(settings(start, tmp_path / str(seed), seed=seed, rounds=1))
    first, second = (load_weights(tmp_path / str(seed) / "weights.npz").policy.network.table for seed in (0, 1))
    assert not np.array_equal(first, second)


def test_a_folder_of_another_training_is_refused(start: Path, tmp_path: Path) -> None:
    trained(settings(start, tmp_path / "out", rounds=0))
    with pytest.raises(InputError, match="unit is rows and was episodes"):
        trained(settings(start, tmp_path / "out", unit="rows"))
    with pytest.raises(InputError, match="the tasks changed"):
        trained(settings(start, tmp_path / "out"), tasks=TASKS[:1])
    experts = read_experts([expert_run(tmp_path / "experts")], [TASKS[0].id])
    with pytest.raises(InputError, match="the experts changed"):
        trained(settings(start, tmp_path / "out"), experts=experts)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    with pytest.raises(InputError, match="is not empty"):
        trained(settings(start, tmp_path / "other"))
    (tmp_path / "out" / "checkpoint.npz").write_bytes(b"torn")
    with pytest.raises(InputError, match="checkpoint of this training, or damaged"):
        trained(settings(start, tmp_path / "out"))


def test_a_training_that_was_killed_as_it_began_goes_on(start: Path, tmp_path: Path) -> None:
    """Its first file is written whole: a piece of it stands beside its place, and is written over."""
    out = tmp_path / "out"
    out.mkdir()
    (out / "training.json.part").write_text('{"settings": {')
    trained(settings(start, out, rounds=0))
    assert (out / "weights.npz").is_file()
    assert sorted(path.name for path in out.glob("training*")) == ["training.json"]


@pytest.mark.parametrize(
    ("text", "said"), [("", "it is no JSON"), ("[]", "it holds no settings"), ('{"settings": []}', "it holds no set")]
)
def test_a_damaged_beginning_is_named(start: Path, tmp_path: Path, text: str, said: str) -> None:
    trained(settings(start, tmp_path / "out", rounds=0))
    (tmp_path / "out" / "training.json").write_text(text)
    with pytest.raises(InputError, match=rf"training\.json is damaged: {said}"):
        trained(settings(start, tmp_path / "out", rounds=0))


def test_no_test_task_is_trained_on_and_nothing_is_learned_from_nothing(tmp_path: Path) -> None:
    tasks = train_tasks(GrpoSettings(sample_id=("shopping.price.*",)))
    assert tasks
    assert all(task.split == "train" for task in tasks)
    assert {task.split for task in train_tasks(GrpoSettings(limit=5))} == {"train"}
    assert len(train_tasks(GrpoSettings(limit=5))) == 5
    with pytest.raises(InputError, match="learns from nothing"):
        experts_for(GrpoSettings(rollouts=0), tasks)
    with pytest.raises(InputError, match="neither a run nor a dataset"):
        experts_for(GrpoSettings(experts=(tmp_path,)), tasks)


# --- tasks and rewards --------------------------------------------------------------------------------------------


MANY = [lamp_task(number) for number in range(12)]


@hypothesis.settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 3))
def test_every_task_comes_once_before_any_comes_twice(count: int, each: int, seed: int) -> None:
    tasks = MANY[:count]
    per_round = min(each, count)
    rounds = [tasks_of_round(tasks, each, number, seed) for number in range(3 * count)]
    assert all(len({task.id for task in chosen}) == len(chosen) <= per_round for chosen in rounds)
    seen = [task.id for chosen in rounds[: count // per_round] for task in chosen]
    assert len(set(seen)) == len(seen)
    assert {task.id for chosen in rounds for task in chosen} == {task.id for task in tasks}
    assert rounds == [tasks_of_round(tasks, each, number, seed) for number in range(3 * count)]


def test_shuffled_rewards_are_as_many_successes_at_other_episodes(start: Path, tmp_path: Path) -> None:
    wanted = settings(start, tmp_path / "out", rounds=1, rollouts=30)
    trained(wanted, Lamps(broken=frozenset({("000", TASKS[0].id, 3)})), tasks=TASKS)
    episodes = list(read_episodes(tmp_path / "out" / "rounds" / "000"))
    real = rewards_of(episodes, wanted, 0)
    dealt = rewards_of(episodes, wanted.model_copy(update={"reward": "shuffled"}), 0)
    assert real != dealt
    assert sorted(map(str, real)) == sorted(map(str, dealt))
    assert [each is None for each in real] == [each is None for each in dealt]
    assert real == [None if each.check is None else float(each.success) for each in episodes]


def test_a_dataset_is_a_cache_of_experts_too(tmp_path: Path) -> None:
    demos = demos_of(shop(), "train")
    ids = [demo.id for demo in demos]
    run = expert_run(tmp_path / "experts")
    experts = read_experts([shop().folder, run], [*ids, TASKS[0].id])
    assert set(experts.tasks) == {*ids, TASKS[0].id}, "one that is not trained on is left out"
    (expert,) = experts.of(ids[0])
    assert expert.source.startswith("dataset embedded ")
    assert [step.action for step in expert.steps] == [step.action for step in demos[0].steps]
    task = lamp_task(0).model_copy(update={"id": ids[0], "intent": demos[0].intent})
    chains = expert_chains(trained_on_shop().policy, task, expert)
    assert all(len(chain) >= 2 for chain in chains), "what gold does and says, this agent could too"
    assert {log for chain in chains for log in chain.behaviour} == {0.0}, "gold never does otherwise"


def test_experts_of_whom_no_guide_was_kept_are_learned_from_all_the_same(tmp_path: Path) -> None:
    """As in a dataset that reviewers have rejected sentences of: their acts are left."""
    bare = without_guides(tmp_path / "bare")
    demo = demos_of(bare, "train")[0]
    (expert,) = read_experts([bare.folder], [demo.id]).of(demo.id)
    task = lamp_task(0).model_copy(update={"id": demo.id, "intent": demo.intent})
    chains = expert_chains(trained_on_shop().policy, task, expert)
    assert len(chains) == len(demo.steps)
    assert {choice.head for chain in chains for choice in chain.choices} == {"act", "text", "answer"}


@hypothesis.settings(max_examples=20, deadline=None)
@given(st.floats(0.01, 1), st.floats(0.01, 1))
def test_what_covers_less_is_a_part_of_what_covers_more(one: float, other: float) -> None:
    ids = [demo.id for demo in demos_of(shop(), "train")]
    experts = read_experts([shop().folder], ids)
    less, more = (set(experts.covering(share, ids).tasks) for share in sorted((one, other)))
    assert less <= more
    assert len(more) == round(max(one, other) * len(ids))


def test_experts_are_of_train_tasks_even_where_they_are_named() -> None:
    config = train_config(RunConfig(sample_id=("shopping.*",)))
    chosen = choose_tasks(config)
    assert 0 < len(chosen) < len(choose_tasks(RunConfig(sample_id=("shopping.*",))))
    assert {task.split for task in chosen} == {"train"}
    test = next(task.id for task in choose_tasks(RunConfig(split="test")))
    with pytest.raises(InputError, match="none of these tasks is of the train split"):
        train_config(RunConfig(sample_id=(test,)))


def test_passes_are_counted_as_the_paper_does(tmp_path: Path) -> None:
    run = expert_run(tmp_path / "experts")
    counts = count_passes(run)
    assert (counts.tasks, counts.passes, counts.union, counts.every) == (2, (2,), 2, 2)
    assert (counts.errors, counts.missing) == (0, 0)
