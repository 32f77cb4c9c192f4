"""Scores of single episodes: pure functions of text and steps, without files, clocks or chance."""

from guideact.metrics.align import Alignment, align
from guideact.metrics.format import FormatCount, action_mix, format_count, outcome_codes
from guideact.metrics.guide import GuideScore, GuideScoring, ceiling, concatenate, floor, guide_score
from guideact.metrics.signature import Signature, sign
from guideact.metrics.success import GAMMA, SWEEP, ggs, guide_tax

__all__ = [
    "GAMMA",
    "SWEEP",
    "Alignment",
    "FormatCount",
    "GuideScore",
    "GuideScoring",
    "Signature",
    "action_mix",
    "align",
    "ceiling",
    "concatenate",
    "floor",
    "format_count",
    "ggs",
    "guide_score",
    "guide_tax",
    "outcome_codes",
    "sign",
]
