"""`guideact compare`: two runs, task by task."""

from __future__ import annotations

from pathlib import Path

from guideact.cli.show import say, show


def compare(a: Path, b: Path, /, *, json: bool = False) -> None:
    """Compare two runs over the tasks that both have.

    Parameters
    ----------
    a
        The folder of one run.
    b
        The folder of the other; differences are A less B.
    json
        Print one JSON object with everything there is.
    """
    from guideact.harness.compare import compare_runs
    from guideact.harness.tables import comparison_table

    comparison = compare_runs(a, b)
    if json:
        say(comparison.model_dump_json())
    else:
        show(comparison_table(comparison))
