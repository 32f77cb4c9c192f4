"""What a training on rewards is told, and what it says of each of its rounds."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from guideact.config import Executor
from guideact.train.objective import EXPERTS, ROLLOUTS, ExpertLoss, Objective, Unit
from guideact.types import Frozen

FREE_ON_RESUME = frozenset({"out", "max_samples", "rounds", "executor", "ray_address"})
"""Settings that change nothing in what was done so far: a training may go on with other values of these."""


class GrpoSettings(Frozen):
    """All settings of `guideact train grpo`."""

    model: str = Field(default="builtin/small", description="Where it begins: builtin/small, large or FILE.npz.")
    out: Path = Field(default=Path("grpo"), description="The training's folder; an unfinished training in it goes on.")
    rounds: int = Field(default=10, ge=0, description="Rounds in all; more of them go on with what is there.")
    tasks_per_round: int = Field(default=24, ge=1, description="Train tasks of a round, each once before any twice.")
    rollouts: int = Field(
        default=ROLLOUTS,
        ge=0,
        le=64,
        description="On-policy episodes of each. 0: none at all, only imitation of the experts, for comparison.",
    )
    experts: tuple[Path, ...] = Field(
        default=(), description="Runs or datasets whose successes stand beside the rollouts."
    )
    most_experts: int = Field(default=EXPERTS, ge=1, description="Of them, the most beside the rollouts of a task.")
    coverage: float = Field(
        default=1.0, gt=0, le=1, allow_inf_nan=False, description="Share of the train tasks whose experts are used."
    )
    expert_loss: ExpertLoss = Field(
        default="plain",
        description="How experts count: plain (as if sampled: MAG), importance (by how likely the policy finds them) "
        "or cross_entropy (imitated, whatever the group did).",
    )
    unit: Unit = Field(default="episodes", description="What counts the same in the loss: episodes, rows or tokens.")
    clip: float | None = Field(
        default=None, gt=0, lt=1, description="How far the ratio of probabilities may go; default: as far as it likes."
    )
    kl: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Weight of the divergence from the start.")
    reward: Literal["success", "shuffled"] = Field(
        default="success",
        description="The functional check, or (a control) the same rewards dealt out anew among a round's episodes.",
    )
    updates: int = Field(default=8, ge=1, description="Steps of the optimiser in a round.")
    rate: float = Field(default=0.001, gt=0, allow_inf_nan=False, description="Learning rate of Adam.")
    seed: int = Field(default=0, ge=0, description="Of the order of tasks, of the rollouts and of the updates.")
    sites: tuple[str, ...] = Field(default=(), description="Only tasks that use these sites and no others.")
    sample_id: tuple[str, ...] = Field(default=(), description="Only these train tasks, by id or pattern.")
    limit: int | None = Field(default=None, ge=1, description="Only so many train tasks, taken in turn.")
    eval_every: int = Field(default=0, ge=0, description="Evaluate after every so many rounds; 0: never.")
    eval_limit: int | None = Field(default=None, ge=1, description="Only so many test tasks, taken in turn.")
    max_samples: int = Field(default=4, ge=1, le=64, description="Episodes at a time, each on a copy of the sites.")
    executor: Executor = Field(default="local", description="Where episodes are done, as in guideact run.")
    ray_address: str | None = Field(default=None, description="The Ray cluster, as in guideact run.")

    @property
    def objective(self) -> Objective:
        return Objective(unit=self.unit, clip=self.clip, kl=self.kl, experts=self.expert_loss)

    def measured(self) -> dict[str, Any]:
        """What must not change within a training, as JSON."""
        return self.model_dump(mode="json", exclude=set(FREE_ON_RESUME))


class RoundRecord(Frozen):
    """One line of rounds.jsonl. Rates are 0..1, None where there is nothing to divide by."""

    round: int
    """0-based."""
    tasks: tuple[str, ...]
    success_rate: float | None
    """Of the on-policy episodes."""
    reward_variance: float
    """Mean over the groups."""
    groups: int
    live: int
    all_failed: int
    all_solved: int
    lost: int
    dead_share: float
    episodes: int
    errors: int
    trained: int
    """Episodes that were learned from."""
    expert_share: float
    """Of these."""
    expert_choices_missed: int
    """Choices of the experts that this policy cannot take, and hence does not learn."""
    actions: dict[str, float]
    """Share of each verb among the on-policy steps."""
    steps: float | None
    """Of an on-policy episode, mean."""
    entropy: float | None
    kl: float | None
    updates: int
    loss: float
    clipped: float
    seconds_rollouts: float
    seconds_update: float
    test_success_rate: float | None = None
    """Where the round ended with an evaluation."""
    test_tasks: int = 0


class OfflineSettings(Frozen):
    """All settings of `guideact train guides`."""

    model: str = Field(default="builtin/small", description="Where it begins: builtin/small, large or FILE.npz.")
    out: Path = Field(default=Path("guides"), description="The training's folder; an unfinished training goes on.")
    reward: Literal["log", "zero_one", "success", "shuffled"] = Field(
        default="log",
        description="log and zero_one: the offline reward of each guide; success: whether the agent, reading it, does "
        "the right thing; shuffled (a control): the rewards of log, dealt out anew among a round's guides.",
    )
    rounds: int = Field(default=20, ge=0, description="Rounds in all.")
    steps_per_round: int = Field(default=64, ge=1, description="Steps of train demonstrations in a round.")
    samples: int = Field(default=6, ge=2, le=64, description="Guides that are planned at each.")
    updates: int = Field(default=4, ge=1, description="Steps of the optimiser in a round.")
    rate: float = Field(default=0.0005, gt=0, allow_inf_nan=False, description="Learning rate of Adam.")
    kl: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Weight of the divergence from the start.")
    seed: int = Field(default=0, ge=0, description="Of the order of steps, of the guides and of the updates.")

    def measured(self) -> dict[str, Any]:
        """What must not change within a training, as JSON."""
        return self.model_dump(mode="json", exclude={"out", "rounds"})


class OfflineRound(Frozen):
    """One line of rounds.jsonl."""

    round: int
    """0-based."""
    groups: int
    live: int
    reward: float | None
    """The mean over the guides; of `shuffled` too the real one."""
    reward_variance: float
    updates: int
    entropy: float | None
    kl: float | None
    unscorable: int
    """Steps whose gold action the scorer cannot choose at all: in no group."""
