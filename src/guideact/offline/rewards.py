"""The offline reward of the guides of a run: a column, and its mean with intervals."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.data import Dataset
from guideact.errors import InputError
from guideact.offline.gold import demos_of
from guideact.offline.measure import read
from guideact.offline.predictions import Header, Predictions
from guideact.offline.questions import remembered
from guideact.offline.reward import Scorer, step_reward
from guideact.offline.score import OfflineSignature, check, gold_of, rounded_as, sign
from guideact.stats import Estimate, Resampling, Row, ratio_interval
from guideact.types import Frozen


class RewardRow(Frozen):
    """A step's guide and what it earned; terms are natural logarithms."""

    task: str
    index: int
    template: str
    guide: str
    lift: float
    naming_lift: float
    log: float
    """`lift` - `naming_lift`; nothing above 0 for a guide that leaks."""
    flip: int
    naming_flip: int
    zero_one: float
    leaks: bool


class RewardReport(Frozen):
    """What the guides of a run earned."""

    header: Header
    signature: OfflineSignature
    scorer: str
    steps: int
    unscorable: int
    """Steps whose gold action the scorer cannot choose at all, or whose guide is missing. They are in no mean."""
    means: dict[str, Estimate]
    """Micro, of `lift`, `naming_lift`, `log`, `flip`, `naming_flip`, `zero_one`."""
    macro: dict[str, Estimate]
    rows: tuple[RewardRow, ...]


MEANS = ("lift", "naming_lift", "log", "flip", "naming_flip", "zero_one")


def reward_report(
    dataset: Dataset, predictions: Predictions, scorer: Scorer, resampling: Resampling | None = None
) -> RewardReport:
    """Score the guides of a run with a frozen scorer, which is told the same history as the run was.

    Raises InputError as scoring does.
    """
    resampling = resampling or Resampling()
    header = predictions.header
    if "guide" not in header.order:
        raise InputError(
            f"{', '.join(predictions.files)}: arm {header.arm} writes no guides to reward",
            fix="Predict with another --arm.",
        )
    gold = gold_of(dataset, [predictions])
    check(gold, predictions)
    said = {row.key: read(gold, gold.step(row.key), header, row).guide for row in predictions.rows}
    rows: list[RewardRow] = []
    for demo in demos_of(dataset, header.split):
        for step in demo.steps:
            guide = said.get((demo.id, step.index), "")
            if not guide:
                continue
            own = [said.get((demo.id, index), "") for index in range(step.index)]
            found = step_reward(
                scorer, demo, step.index, remembered(demo.id, demo.steps[: step.index], header.history, own)
            )
            if found is None:
                continue
            earned = found.of(guide)
            rows.append(
                RewardRow(
                    task=demo.id,
                    index=step.index,
                    template=demo.template,
                    guide=guide,
                    lift=_bounded(earned.lift),
                    naming_lift=_bounded(earned.naming_lift),
                    log=_bounded(earned.log),
                    flip=int(earned.flip),
                    naming_flip=int(earned.naming_flip),
                    zero_one=earned.zero_one,
                    leaks=earned.leaks,
                )
            )
    result = RewardReport(
        header=header,
        signature=sign(gold, header, resampling),
        scorer=scorer.name,
        steps=len(rows),
        unscorable=len(predictions.rows) - len(rows),
        means={name: ratio_interval(_micro(rows, name), span=None, resampling=resampling) for name in MEANS},
        macro={name: ratio_interval(_macro(rows, name), span=None, resampling=resampling) for name in MEANS},
        rows=tuple(rows),
    )
    return rounded_as(RewardReport, result)


def _bounded(log: float) -> float:
    """At most e**50 to one either way: a scorer that is quite sure must not outweigh all other steps."""
    return max(-50.0, min(50.0, log))


def _micro(rows: Sequence[RewardRow], name: str) -> list[Row]:
    return [Row(row.template, float(getattr(row, name))) for row in rows]


def _macro(rows: Sequence[RewardRow], name: str) -> list[Row]:
    own: dict[tuple[str, str], list[float]] = {}
    for row in rows:
        own.setdefault((row.template, row.task), []).append(float(getattr(row, name)))
    return [Row(template, sum(values) / len(values)) for (template, _), values in sorted(own.items())]
