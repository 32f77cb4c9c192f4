"""The command line: one file a verb, each imported only when it is called.

Every error of ours is one line on stderr. The exit status is 2 where the user has to mend something (a flag, a file, a
key), 1 where something else went wrong or a proof failed, 130 after Ctrl-C. GUIDEACT_DEBUG=1 shows the traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

VERBS = {
    "run": "Run an agent over tasks and score it.",
    "score": "Print the scores of a run.",
    "compare": "Compare two runs, task by task.",
    "report": "Write the report of a run, one HTML file.",
    "tasks": "List the embedded tasks, or prove that they are sound.",
    "sites": "Serve the embedded sites, to look at them by hand.",
    "gold": "Record the gold guides of the embedded tasks.",
}
"""What can be done, in the order in which it is listed."""

_HELP = """\
Usage: guideact COMMAND [OPTIONS]

Web agents that do a task and teach it: a live benchmark on embedded sites.

Commands:
{verbs}

`guideact COMMAND --help` says more. `guideact run` alone runs the built-in gold agent on the embedded test tasks.
"""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit status."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    # The first look at a command must not wait for what only the commands need.
    if not arguments or arguments[0] in ("--help", "-h"):
        width = max(map(len, VERBS)) + 2
        sys.stdout.write(_HELP.format(verbs="\n".join(f"  {verb:{width}}{says}" for verb, says in VERBS.items())))
        return
    if arguments[0] == "--version":
        from guideact import __version__

        sys.stdout.write(f"guideact {__version__}\n")
        return
    try:
        status = _call(arguments)
    except KeyboardInterrupt:
        from guideact.cli.show import note

        # A run that has begun says itself how to go on.
        note("Stopped before the first episode; nothing was kept." if arguments[0] == "run" else "Stopped.")
        status = 130
    sys.exit(status)


def _call(arguments: Sequence[str]) -> int:
    from cyclopts import CycloptsError

    from guideact.cli.app import command_line
    from guideact.errors import GuideActError, InputError

    try:
        result = command_line()(arguments, exit_on_error=False, print_error=False)
    except BrokenPipeError:
        # Whoever read our output has read enough (`guideact tasks | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (GuideActError, CycloptsError) as error:
        if os.environ.get("GUIDEACT_DEBUG") == "1":
            raise
        from guideact.cli.show import complain

        complain(_in_one_line(error))
        return 2 if isinstance(error, InputError | CycloptsError) else 1
    return result if isinstance(result, int) else 0


def _in_one_line(error: Exception) -> str:
    from cyclopts import CycloptsError
    from pydantic import ValidationError

    cause = error.__cause__
    # Our own errors have said what is wrong, whatever they were raised from; these fields are flags.
    if isinstance(error, CycloptsError) and isinstance(cause, ValidationError):
        first = cause.errors()[0]
        field = "-".join(str(part) for part in first["loc"]).replace("_", "-")
        return f"--{field} {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}"
    return " ".join(str(error).split())
