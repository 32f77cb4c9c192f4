"""The command line: one file a verb, each imported only when it is called.

Every error of ours is one line on stderr. The exit status is 2 where the user has to mend something (a flag, a file, a
key), 1 where something else went wrong or a proof failed, 130 after Ctrl-C. GUIDEACT_DEBUG=1 shows the traceback.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence

VERBS = {
    "run": "Run an agent over tasks and score it.",
    "score": "Print the scores of a run.",
    "compare": "Compare two runs, task by task.",
    "report": "Write the report of a run, one HTML file.",
    "tasks": "List the embedded tasks, or prove that they are sound.",
    "sites": "Serve the embedded sites, to look at them by hand.",
    "gold": "Record gold guides; import, replay, describe and rescore demonstrations.",
    "data": "Freeze demonstrations into a dataset, and look at one.",
    "offline": "Measure a model over frozen demonstrations, without any site.",
    "train": "Train an agent on a dataset.",
    "judge": "Measure how far a model as a judge agrees with labels.",
    "guide": "Make, publish, follow, verify and repair guides.",
    "study": "Plan, serve and export a study with people who follow guides.",
    "studio": "Review guides, look at runs and audit verdicts in a local web application.",
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
    except KeyboardInterrupt as stop:
        from guideact.cli.show import note

        # A run that has begun says itself how to go on.
        note(
            "Stopped before the first episode; nothing was kept."
            if arguments[0] == "run"
            else f"Stopped. {stop}".rstrip()
        )
        status = 130
    sys.exit(status)


def _call(arguments: Sequence[str]) -> int:
    from cyclopts import CycloptsError

    from guideact.cli.app import command_line
    from guideact.errors import GuideActError, InputError

    try:
        _refuse_empty(arguments)
        result = command_line()(arguments, exit_on_error=False, print_error=False)
        # Here, and not when the interpreter ends: what cannot be written is then told like any other error.
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read our output has read enough (`guideact tasks | head`).
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except (GuideActError, CycloptsError) as error:
        if os.environ.get("GUIDEACT_DEBUG") == "1":
            raise
        from guideact.cli.show import complain

        complain(_in_one_line(error, arguments))
        return 2 if isinstance(error, InputError | CycloptsError) else 1
    except OSError as error:
        # What our own files refuse has been told by their owners; a full or broken standard output has none.
        if os.environ.get("GUIDEACT_DEBUG") == "1" or error.filename is not None:
            raise
        from guideact.cli.show import complain

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        complain(f"the output cannot be written: {error.strerror}")
        return 1
    return result if isinstance(result, int) else 0


def _refuse_empty(arguments: Sequence[str]) -> None:
    """Raise InputError for a flag or variable that says nothing.

    It comes of a variable of the shell that is not set. Taken at its word, an empty address would mean the provider's
    own, and an empty path the current folder.
    """
    from guideact.errors import InputError

    flag = ""
    for word in arguments:
        if word == "" and flag:
            raise InputError(f"{flag} is empty", fix="Give a value, or leave the flag out.")
        name, given, value = word.partition("=")
        if name.startswith("--") and given and not value:
            raise InputError(f"{name} is empty", fix="Give a value, or leave the flag out.")
        flag = word if word.startswith("--") and not given else ""
    for name, value in os.environ.items():
        if name.startswith("GUIDEACT_") and not value:
            raise InputError(f"{name} is empty", fix="Give it a value, or unset it.")


def _in_one_line(error: Exception, arguments: Sequence[str]) -> str:
    from cyclopts import CycloptsError
    from pydantic import ValidationError

    cause = error.__cause__
    # Our own errors have said what is wrong, whatever they were raised from; these fields are settings.
    if isinstance(error, CycloptsError) and isinstance(cause, ValidationError):
        first = cause.errors()[0]
        where = _where_set(str(first["loc"][0]) if first["loc"] else "", arguments)
        advice = _ADVICE.get(first["type"], "").format(**first.get("ctx", {}))
        return f"{where} {first['input']!r}: {first['msg'][0].lower()}{first['msg'][1:]}{advice}"
    text = " ".join(str(error).split())
    text = re.sub(r"^(Unknown option: --(\S+)\.) Did you mean --([\w-]+)\?", _if_alike, text)
    if text.startswith(("Unknown option", "Unknown command")) and "Did you mean" not in text:
        known = [word for word in arguments[:1] if word in VERBS]
        text += f" `{' '.join(['guideact', *known, '--help'])}` lists what there is."
    return text


_ADVICE = {
    "greater_than_equal": ". Give {ge} or more.",
    "greater_than": ". Give more than {gt}.",
    "less_than_equal": ". Give {le} or less.",
    "less_than": ". Give less than {lt}.",
    "int_parsing": ". Give a whole number.",
    "int_from_float": ". Give a whole number.",
    "float_parsing": ". Give a number.",
    "bool_parsing": ". Give true or false.",
}
"""What to give instead of a value that a setting does not take, by pydantic's kind of error."""


def _if_alike(found: re.Match[str]) -> str:
    """The suggestion only where the words are alike, since the dashes that cyclopts compares too always are."""
    from difflib import SequenceMatcher

    said, wrong, near = found[1], found[2], found[3]
    return found[0] if SequenceMatcher(None, wrong, near).ratio() >= 0.6 else said


def _where_set(field: str, arguments: Sequence[str]) -> str:
    """Where the user wrote a setting: the flag, or else the variable, or else the line of the file."""
    flag, variable = f"--{field.replace('_', '-')}", f"GUIDEACT_{field.upper()}"
    if any(word == flag or word.startswith(f"{flag}=") for word in arguments):
        return flag
    if variable in os.environ:
        return variable
    for at, word in enumerate(arguments):
        if word.split("=")[0] == "--config":
            return f"{word.partition('=')[2] or ''.join(arguments[at + 1 : at + 2])}: {field}"
    return flag
