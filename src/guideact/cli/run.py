"""`guideact run`: an evaluation from start to report."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import shlex
import signal
import sys
from collections.abc import Coroutine
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, TypeVar

from cyclopts import Parameter

from guideact.cli.show import note
from guideact.config import RunConfig

T = TypeVar("T")


def run(
    *,
    settings: Annotated[RunConfig | None, Parameter(name="*")] = None,
    config: Path | None = None,
) -> int | None:
    """Run an agent over tasks, score it, and write a report.

    Everything that happens goes into one folder. A run that was interrupted
    goes on with the same command and --log-dir: finished episodes are kept,
    and none is done twice. Those that ended in an infrastructure error are
    done again.

    Each setting can also be a variable (GUIDEACT_MAX_SAMPLES=2) or a line of a
    TOML file (max_samples = 2). A flag wins over a variable, and a variable
    over the file.

    Parameters
    ----------
    config
        A TOML file with any of these settings.
    """
    from guideact.cli.progress import watcher
    from guideact.harness.evaluate import cast_of, evaluate

    settings = settings or RunConfig()
    casting = cast_of
    if settings.recipient is not None:
        from guideact.guides.kept import trial_cast

        casting = trial_cast
        settings = settings.model_copy(update={"model": settings.recipient})
    folder = settings.log_dir or new_folder(settings.model)
    begun, begun_now = (folder / "run.json").exists(), False
    try:
        # What is noted below comes after the moving line is gone, which would wrap it.
        with watcher(sys.stderr) as watching:
            try:
                until_stopped(evaluate(settings, folder, watching, casting))
            finally:
                begun_now = watching.counts.total > 0
        finish(folder)
        if errors := watching.counts.errors:
            ended = f"{errors} episode{'' if errors == 1 else 's'} ended in an infrastructure error"
            note(f"{ended}; to do {'it' if errors == 1 else 'them'} again: {again(sys.argv, folder)}")
    except KeyboardInterrupt:
        if not begun and not begun_now:
            raise
        note(f"To go on from here: {again(sys.argv, folder)}")
        return 130
    except Exception:
        if begun_now:
            note(f"To go on from here: {again(sys.argv, folder)}")
        raise
    return None


def finish(folder: Path) -> None:
    """Print the scores of a run that has ended, and where its report lies."""
    from guideact.cli.score import print_scores
    from guideact.harness.log import read_manifest
    from guideact.report import build

    note("Scoring the run, then writing its report ...")
    if read_manifest(folder).config.get("recipient"):
        from guideact.cli.trials import print_trials

        print_trials([folder])
    else:
        print_scores(folder)
    note(f"Run: {folder}")
    note(f"Report: {build(folder).resolve()}")


def new_folder(model: str, root: Path = Path("runs")) -> Path:
    """A folder that is not there yet: runs/20260316-100000-scripted-gold, in local time."""
    name = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}-{re.sub(r'[^A-Za-z0-9.]+', '-', model).strip('-')}"
    folder, number = root / name, 1
    while folder.exists():
        number += 1
        folder = root / f"{name}-{number}"
    return folder


def again(argv: list[str], folder: Path) -> str:
    """The command that goes on with the run in `folder`, with the program as it was called."""
    program = [sys.executable, "-m", "guideact"] if Path(argv[0]).name == "__main__.py" else [argv[0]]
    words = [*program, *argv[1:]]
    if not any(word == "--log-dir" or word.startswith("--log-dir=") for word in words):
        words += ["--log-dir", str(folder)]
    return shlex.join(words)


def until_stopped(work: Coroutine[None, None, T]) -> T:
    """Run to the end. SIGINT (Ctrl-C) and SIGTERM both cancel the work, so that all it holds open is closed."""

    running: list[asyncio.Task[None]] = []

    def is_news(told: object) -> bool:
        # Ctrl-C reaches the browser's driver too, so after it, what was under way in there fails unawaited, and asyncio
        # may look for a process in vain: while the work is being cancelled, or later still, when the runner has taken
        # note of that.
        return not any(task.cancelling() or task.cancelled() for task in running)

    def report(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if is_news(context):
            loop.default_exception_handler(context)

    async def guarded() -> T:
        task = asyncio.current_task()
        assert task is not None
        running.append(task)
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(report)
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(signal.SIGTERM, task.cancel)
        try:
            # In a task of its own: a TaskGroup in the work that fails cancels the task it runs in, and before Python
            # 3.13 leaves it marked so, which would pass for a stop and hide what failed.
            return await asyncio.create_task(work)
        except Exception as error:
            # The driver may die of the signal before the cancellation is seen: that is the stop, and no failure.
            if task.cancelling():
                raise asyncio.CancelledError from error
            raise

    log = logging.getLogger("asyncio")
    log.addFilter(is_news)
    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None
    finally:
        log.removeFilter(is_news)
