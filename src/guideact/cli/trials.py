"""The table of recipient trials."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from guideact.cli.show import say, show

if TYPE_CHECKING:
    from guideact.guides.trial_scores import TrialScore
    from guideact.stats import Estimate


def print_trials(folders: Sequence[Path], *, json: bool = False) -> None:
    """Score trials and print one line for each, and under them why tasks failed."""
    from rich import box
    from rich.table import Table

    from guideact.guides.trial_scores import as_json

    scores = [score for folder in folders for score in _scores(folder)]
    if json:
        say(as_json(scores))
        return
    table = Table(box=box.SIMPLE_HEAD, title="Recipient trials", title_justify="left", title_style="bold")
    for name in ("recipient", "guides", "treatment"):
        table.add_column(name)
    for name in ("tasks", "success", "follow rate", "answers", "GGS", "GGS measured", "r(G, F)", "steps", "s"):
        table.add_column(name, justify="right")
    for score in scores:
        table.add_row(
            score.recipient,
            score.guides,
            score.treatment,
            f"{score.success.n}+{score.answers.n}",
            _with_interval(score.success),
            _with_interval(score.follow_rate),
            _plain(score.answers.value),
            _plain(score.ggs),
            _plain(score.ggs_measured),
            _plain(score.correlation),
            "–" if score.steps is None else f"{score.steps:.1f}",
            "–" if score.seconds is None else f"{score.seconds:.1f}",
        )
    show(table)
    for score in scores:
        if score.broke:
            why = ", ".join(f"{reason} {count}" for reason, count in score.broke.items())
            far = f", on average {score.broke_at:.0%} into the guide" if score.broke_at is not None else ""
            say(f"{score.guides}, {score.treatment}: failed for {why}{far}")
    say("Success over tasks that ask for no answer (first number); those that do (second) stand under answers.")


def _scores(folder: Path) -> list[TrialScore]:
    """The scores of a run, or of the people of a study by condition."""
    from guideact.guides.trial_scores import score_trial
    from guideact.study.export import scores
    from guideact.study.folder import is_study, read_study
    from guideact.study.store import Store

    if not is_study(folder):
        return [score_trial(folder)]
    study = read_study(folder)
    store = Store.open(folder)
    try:
        return scores(study, store)
    finally:
        store.close()


def _with_interval(estimate: Estimate) -> str:
    if estimate.value is None:
        return "–"
    if estimate.low is None or estimate.high is None:
        return f"{estimate.value:.3f}"
    return f"{estimate.value:.3f} [{estimate.low:.2f}, {estimate.high:.2f}]"


def _plain(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"
