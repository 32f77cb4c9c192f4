"""What the training of a real model is told, without anything heavy behind it."""

from __future__ import annotations

from pathlib import Path

from pydantic import Field

from guideact.offline.predictions import Arm
from guideact.train.objective import EXPERTS, ExpertLoss, Objective, Unit
from guideact.types import Frozen, Grounding


class SftSettings(Frozen):
    """How a real model is fine-tuned."""

    model: str
    """Without `hf/`."""
    grounding: Grounding = "som"
    arm: Arm = "action-guide"
    screenshots: bool = True
    epochs: float = Field(default=1.0, gt=0, allow_inf_nan=False)
    rate: float = Field(default=1e-4, gt=0, allow_inf_nan=False)
    batch: int = Field(default=1, ge=1)
    """Rows of a forward pass, on each GPU."""
    accumulate: int = Field(default=16, ge=1)
    """Forward passes of a step of the optimiser."""
    lora_rank: int = Field(default=16, ge=0)
    """Of a new adapter; 0 trains all weights. A model that is an adapter already goes on with that one."""
    seed: int = Field(default=0, ge=0)
    limit: int | None = Field(default=None, ge=1)
    """Only so many train tasks, taken in turn over templates."""


class UpdateSettings(Frozen):
    """All settings of `guideact train update`."""

    model: str = Field(description="Where the round began, and what its rollouts were made with: hf/FOLDER.")
    rollouts: tuple[Path, ...] = Field(
        default=(), description="Runs of this round at train tasks, made with --keep-tokens and --temperature 1."
    )
    experts: tuple[Path, ...] = Field(
        default=(), description="Runs or datasets whose successes stand beside the rollouts."
    )
    out: Path = Field(default=Path("update"), description="The folder to write: a model, or its adapter.")
    round: int = Field(default=0, ge=0, description="Number of the round: experts take turns by it.")
    most_experts: int = Field(default=EXPERTS, ge=1, description="Experts beside the rollouts of a task, at most.")
    coverage: float = Field(
        default=1.0, gt=0, le=1, allow_inf_nan=False, description="Share of the tasks whose experts are used."
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
    kl: float = Field(default=0.0, ge=0, allow_inf_nan=False, description="Weight of the divergence from --reference.")
    reference: str | None = Field(default=None, description="What the training began with, as hf/FOLDER, for --kl.")
    updates: int = Field(default=8, ge=1, description="Steps of the optimiser.")
    rate: float = Field(default=1e-5, gt=0, allow_inf_nan=False, description="Learning rate of AdamW.")
    lora_rank: int = Field(
        default=16, ge=0, description="Of a new adapter, where the model is none yet; 0 trains all weights."
    )
    seed: int = Field(default=0, ge=0, description="Of the order of rows, and of a new adapter.")

    @property
    def objective(self) -> Objective:
        return Objective(unit=self.unit, clip=self.clip, kl=self.kl, experts=self.expert_loss)
