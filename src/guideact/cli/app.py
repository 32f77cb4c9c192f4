"""How flags, variables and files become the arguments of a command."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path

from cyclopts import App, ArgumentCollection, Parameter
from cyclopts.config import Dict, Env

from guideact import __version__
from guideact.cli import VERBS
from guideact.errors import InputError

SUBCOMMANDS = frozenset({"tasks", "gold", "data", "offline", "train", "guide", "judge", "study", "studio"})
"""Verbs with verbs of their own: their module holds an `app`, the others' a function of the verb's name."""


def command_line() -> App:
    """The whole command line; no verb's module is imported before it is called."""
    app = App(
        name="guideact",
        help="Web agents that do a task and teach it.",
        version=__version__,
        help_format="plaintext",
        default_parameter=_FLAGS,
        suppress_keyboard_interrupt=False,  # cyclopts would leave without a word
    )
    for verb in VERBS:
        if verb in SUBCOMMANDS:
            app.command(f"guideact.cli.{verb}:app", name=verb)
        elif verb == "run":
            app.command(
                "guideact.cli.run:run",
                name=verb,
                config=[Env("GUIDEACT_", command=False), _from_file],
                default_parameter=_SETTINGS,
            )
        else:
            app.command(f"guideact.cli.{verb}:{verb}", name=verb)
    return app


# Several values may follow one flag (`--sites shopping wikipedia`), and no flag to empty a list is offered.
_FLAGS = Parameter(consume_multiple=True, negative_iterable=(), negative_bool=())
_SETTINGS = Parameter(consume_multiple=True, negative_iterable=(), negative_bool="no-")


def _from_file(app: App, commands: tuple[str, ...], arguments: ArgumentCollection) -> None:
    """Fill in what the file given with `--config` says, where neither a flag nor a variable has said it."""
    for argument in arguments:
        if argument.name == "--config" and argument.tokens:
            path = Path(argument.tokens[0].value)
            try:
                found = tomllib.loads(path.read_text(encoding="utf-8"))
            except OSError as error:
                raise InputError(f"--config {path} cannot be read: {error.strerror}", fix="Check the path.") from error
            except ValueError as error:
                raise InputError(f"--config {path} is no TOML: {error}", fix="Mend that place.") from error
            _refuse_unknown(found, path, commands[-1], arguments)
            # Under the verb's name, for keys that are named like a verb (`sites`, `tasks`) would be passed over.
            Dict({commands[-1]: found}, source=str(path))(app, commands, arguments)


def _refuse_unknown(found: Mapping[str, object], path: Path, verb: str, arguments: ArgumentCollection) -> None:
    """Raise InputError for a key that is no setting, or a table: cyclopts would tell it as a flag in brackets."""
    known = [argument.name.removeprefix("--").replace("-", "_") for argument in arguments]
    for key, value in found.items():
        try:
            arguments.match(f"--{key.replace('_', '-')}")
        except ValueError:
            close = difflib.get_close_matches(key, known, n=1)
            fix = f"Did you mean {close[0]!r}?" if close else f"`guideact {verb} --help` lists what there is."
            raise InputError(f"--config {path}: {key!r} is not a setting", fix=fix) from None
        if isinstance(value, dict):
            raise InputError(f"--config {path}: {key!r} is a table", fix=f"Give it a value: {key} = ...")
