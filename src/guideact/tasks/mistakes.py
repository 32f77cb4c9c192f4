"""Where in a template its solver failed, for those who have to mend it."""

from __future__ import annotations

import traceback
from collections.abc import Generator
from pathlib import Path
from types import GeneratorType
from typing import Any

_ROOT = Path(__file__).parents[2]
_DRIVER = str(Path(__file__).with_name("solve.py"))


def place_of(error: Exception, solver: Generator[Any, Any, Any] | None) -> str:
    """“ (FILE:LINE)” of the template that was running, and not of what it called, which did as it was told.

    `solver` is the generator that was asked for its next act; None where calling its function failed already. The empty
    string where there is no telling.
    """
    frames = [(frame.filename, frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    if not isinstance(solver, GeneratorType):
        place = next((each for each in reversed(frames) if each[0] != _DRIVER), None)
    else:
        file = solver.gi_code.co_filename
        place = next((each for each in reversed(frames) if each[0] == file), None)
        if place is None and solver.gi_frame is not None:
            # It has not failed itself, but waits for what comes of an act that cannot be.
            place = file, solver.gi_frame.f_lineno
    if place is None:
        return ""
    path = Path(place[0])
    # From the package on: what is kept of a solver that failed should be the same on every machine.
    return f" ({path.relative_to(_ROOT) if path.is_relative_to(_ROOT) else path}:{place[1]})"
