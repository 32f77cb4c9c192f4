"""`guideact score`: the scores of a run, from its folder alone."""

from __future__ import annotations

from pathlib import Path

from guideact.cli.show import say, show


def score(run: Path, /, *, json: bool = False, details: bool = False, gamma: float | None = None) -> None:
    """Print the scores of a run.

    Parameters
    ----------
    run
        The folder of the run.
    json
        Print one JSON object with everything there is.
    details
        Print the groups, repeats and counts behind the scores too.
    gamma
        What a solved task is worth without its guide, 0 to 1. Default: 0.4.
    """
    print_scores(run, json=json, details=details, gamma=gamma)


def print_scores(folder: Path, *, json: bool = False, details: bool = False, gamma: float | None = None) -> None:
    """Score the run in a folder and print what was asked for."""
    from guideact.errors import InputError
    from guideact.harness.score import score_run
    from guideact.harness.tables import detail_table, score_table
    from guideact.metrics import GAMMA

    if gamma is not None and not 0 <= gamma <= 1:
        raise InputError(f"--gamma {gamma:g} is not between 0 and 1", fix="The published value is 0.4.")
    scored = score_run(folder, gamma=GAMMA if gamma is None else gamma)
    if json:
        say(scored.model_dump_json())
        return
    show(score_table(scored))
    if details:
        show(detail_table(scored))
