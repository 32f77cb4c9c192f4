"""`guideact report`: the report of a run."""

from __future__ import annotations

from pathlib import Path

from guideact.cli.show import say


def report(run: Path, /) -> None:
    """Write report.html into the folder of a run, and print its path.

    Parameters
    ----------
    run
        The folder of the run; it may still be going on.
    """
    from guideact.report import build

    say(str(build(run).resolve()))
