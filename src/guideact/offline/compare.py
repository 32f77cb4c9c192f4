"""Any number of runs over the same steps, each against one of them, paired step by step."""

from __future__ import annotations

from collections.abc import Sequence

from guideact.data import Dataset
from guideact.offline.gold import Gold
from guideact.offline.measure import NAMES, StepScore, measure
from guideact.offline.predictions import Predictions
from guideact.offline.score import OfflineSignature, check, gold_of, macro_rows, micro_rows, rounded_as, sign
from guideact.stats import Estimate, Resampling, SignFlip, ratio_interval, sign_flip
from guideact.stats.bootstrap import DIFFERENCE
from guideact.types import Frozen


class Cell(Frozen):
    """A score of one run, and its difference from that of the run it is held against, over the steps of both."""

    name: str
    micro: Estimate
    macro: Estimate
    difference: Estimate | None = None
    """Micro; this run less the other. None in the row of the other itself, or where the score is not of both."""
    macro_difference: Estimate | None = None
    sign_flip: SignFlip | None = None
    """Of the micro difference, over templates."""
    steps: int = 0
    """That both have."""


class RunRow(Frozen):
    """A run of a comparison."""

    label: str
    files: tuple[str, ...]
    signature: OfflineSignature
    steps: int
    cells: tuple[Cell, ...]

    def cell(self, name: str) -> Cell | None:
        return next((each for each in self.cells if each.name == name), None)


class RunTable(Frozen):
    """Runs side by side."""

    dataset: str
    against: int
    """0-based."""
    rows: tuple[RunRow, ...]


def compare_runs(
    dataset: Dataset, runs: Sequence[Predictions], against: int = 0, resampling: Resampling | None = None
) -> RunTable:
    """Compare runs over a dataset. Raises InputError as scoring does, and where two have no step in common."""
    resampling = resampling or Resampling()
    gold = gold_of(dataset, runs)
    measured = []
    for run in runs:
        check(gold, run)
        measured.append(measure(gold, run))
    names = labels(runs)
    base = measured[against]
    rows = tuple(
        _row(gold, run, label, steps, base if number != against else None, resampling)
        for number, (run, label, steps) in enumerate(zip(runs, names, measured, strict=True))
    )
    return rounded_as(RunTable, RunTable(dataset=dataset.manifest.name, against=against, rows=rows))


def labels(runs: Sequence[Predictions]) -> list[str]:
    """What tells runs apart: the fields of their headers that differ, beginning with model and arm."""
    headers = [run.header for run in runs]
    first = ["model", "arm"]
    others = ["grounding", "history", "force", "seed", "temperature", "images", "effort", "model_sha256"]
    differing = [name for name in others if len({str(getattr(header, name)) for header in headers}) > 1]
    found = []
    for header, run in zip(headers, runs, strict=True):
        words = [str(getattr(header, name)) for name in first]
        for name in differing:
            words.append(f"{'weights' if name == 'model_sha256' else name} {str(getattr(header, name))[:12] or 'none'}")
        label = ", ".join(words)
        found.append(label if label not in found else f"{label} ({', '.join(run.files)})")
    return found


def _row(
    gold: Gold,
    run: Predictions,
    label: str,
    steps: Sequence[StepScore],
    base: Sequence[StepScore] | None,
    resampling: Resampling,
) -> RunRow:
    cells = []
    for name in NAMES:
        own = [step for step in steps if name in step.scores]
        if not own:
            continue
        cell = Cell(
            name=name,
            micro=ratio_interval(micro_rows(own, name), resampling=resampling),
            macro=ratio_interval(macro_rows(own, name), resampling=resampling),
        )
        if base is not None:
            cell = _against(cell, name, own, base, resampling)
        cells.append(cell)
    return RunRow(
        label=label,
        files=run.files,
        signature=sign(gold, run.header, resampling),
        steps=len(steps),
        cells=tuple(cells),
    )


def _against(
    cell: Cell, name: str, steps: Sequence[StepScore], base: Sequence[StepScore], resampling: Resampling
) -> Cell:
    theirs = {step.key: step for step in base if name in step.scores}
    pairs = [(step, theirs[step.key]) for step in steps if step.key in theirs]
    if not pairs:
        return cell
    ours, others = [a for a, _ in pairs], [b for _, b in pairs]
    return cell.model_copy(
        update={
            "difference": difference(ours, others, name, resampling),
            "macro_difference": ratio_interval(
                macro_rows(ours, name), macro_rows(others, name), span=DIFFERENCE, resampling=resampling
            ),
            "sign_flip": sign_flip(((a.cluster, a.scores[name] - b.scores[name]) for a, b in pairs), resampling),
            "steps": len(pairs),
        }
    )


def difference(ours: Sequence[StepScore], others: Sequence[StepScore], name: str, resampling: Resampling) -> Estimate:
    """The micro difference of a score over steps that both sides have, templates resampled together."""
    return ratio_interval(micro_rows(ours, name), micro_rows(others, name), span=DIFFERENCE, resampling=resampling)
