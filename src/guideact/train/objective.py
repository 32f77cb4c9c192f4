"""The choices that make a training on rewards what it is, without anything heavy behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from guideact.offline.predictions import Arm

TrainArm = Arm | Literal["any"]
"""What an agent is trained to answer; `any` is all arms at once."""
Guides = Literal["gold", "shuffled", "neutral"]
"""What the guides of the steps are replaced by; all but `gold` are controls (`arms`)."""
Unit = Literal["episodes", "rows", "tokens"]
"""What counts the same in the loss; see `advantages.token_weights`."""
ExpertLoss = Literal["plain", "importance", "cross_entropy"]
"""How experts are learned from; see `advantages`."""

ROLLOUTS, EXPERTS = 6, 2
"""On-policy rollouts of a task, and the most cached experts beside them (MAG)."""


@dataclass(frozen=True)
class Objective:
    """How rewards become a loss. The defaults are MAG's where it says, and the plainest otherwise."""

    unit: Unit = "episodes"
    clip: float | None = None
    """How far a ratio may go before a token has no slope; None for no clipping."""
    kl: float = 0.0
    """How much the divergence from the reference policy counts; 0 needs no reference."""
    experts: ExpertLoss = "plain"
