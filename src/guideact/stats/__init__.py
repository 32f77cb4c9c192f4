"""What can be concluded from scores: intervals over clusters of tasks, paired tests, pass@k, the noise floor."""

from guideact.stats.bootstrap import Estimate, Resampling, Row, clopper_pearson, mean_interval, ratio_interval
from guideact.stats.noise import NoiseFloor, noise_floor
from guideact.stats.paired import HeadRoom, SignFlip, head_room, mcnemar, mean_head_room, sign_flip
from guideact.stats.pass_at_k import pass_at_k

__all__ = [
    "Estimate",
    "HeadRoom",
    "NoiseFloor",
    "Resampling",
    "Row",
    "SignFlip",
    "clopper_pearson",
    "head_room",
    "mcnemar",
    "mean_head_room",
    "mean_interval",
    "noise_floor",
    "pass_at_k",
    "ratio_interval",
    "sign_flip",
]
