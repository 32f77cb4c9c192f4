"""Task files: JSON (a list, or an object with "tasks"), JSONL (a task a line) or TOML (`[[tasks]]`).

Fields are those of `guideact.types.Task`. Whatever cannot work is an InputError that names the file, the line or the
task and field, and the fix.
"""

from __future__ import annotations

import difflib
import json
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from guideact import types
from guideact.errors import InputError
from guideact.jsonl import numbered_lines
from guideact.sites.registry import SITES, database_of
from guideact.sites.state import pristine_snapshot
from guideact.tasks.checks.answer import expectation_fault
from guideact.tasks.checks.state import PRIMARY_KEYS
from guideact.types import Check, Task

_MODELS = {
    model.__name__: model for model in vars(types).values() if isinstance(model, type) and issubclass(model, BaseModel)
}
_PARTS = {"answer": "AnswerCheck", "judge": "JudgeCheck", "url": "UrlCheck", "page": "PageCheck", "state": "StateCheck"}
_CHANGES = ("required", "allowed", "forbidden")


def load_tasks(path: Path) -> tuple[Task, ...]:
    """All tasks of a file, in its order."""
    text = _read(path)
    tasks: list[Task] = []
    seen: dict[str, str] = {}
    for place, record in _records(path, text):
        task = _task(f"{path}, {place}", record)
        if task.id in seen:
            raise InputError(f"{path}, {place}: the id {task.id!r} was used by {seen[task.id]}", fix="Rename one.")
        seen[task.id] = place
        tasks.append(task)
    if not tasks:
        raise InputError(f"{path} holds no task", fix="Add at least one.")
    return tuple(tasks)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError(f"there is no task file {path}", fix="Check the path.") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder", fix="Name a .json, .jsonl or .toml file in it.") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not UTF-8 (byte {error.start})", fix="Save it as UTF-8.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Check its permissions.") from None


def _records(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """(place, record) pairs; the place names a line (JSONL) or the task's number in the file."""
    if path.suffix == ".jsonl":
        for number, line in numbered_lines(text):
            yield f"line {number}", _json(path, line, number)
        return
    if path.suffix == ".json":
        data = _json(path, text, 1)
    elif path.suffix == ".toml":
        try:
            data = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path} is no TOML: {error}", fix="Mend that place.") from None
        except (ValueError, RecursionError) as error:
            raise _beyond(str(path), error) from None
    else:
        raise InputError(f"{path} has no known ending", fix="Use .json, .jsonl or .toml.")
    records = data.get("tasks") if isinstance(data, dict) else data
    if not isinstance(records, list):
        raise InputError(f"{path} holds no list of tasks", fix='Use a list, or an object whose "tasks" is one.')
    for number, record in enumerate(records, 1):
        yield f"task {number}", record


def _json(path: Path, text: str, first_line: int) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        line = first_line + error.lineno - 1
        raise InputError(
            f"{path}, line {line}, column {error.colno}: {error.msg}", fix="Mend the JSON there."
        ) from None
    except (ValueError, RecursionError) as error:
        raise _beyond(f"{path}, line {first_line}" if path.suffix == ".jsonl" else str(path), error) from None


def _beyond(place: str, error: Exception) -> InputError:
    """What is well written, and yet more than Python reads."""
    if isinstance(error, RecursionError):
        return InputError(f"{place}: lists or objects are nested too deeply to be read", fix="Nest them less.")
    return InputError(f"{place}: a number has too many digits to be read", fix="Shorten it, or write it as a string.")


def _task(place: str, record: Any) -> Task:
    if not isinstance(record, dict):
        raise InputError(f"{place}: a task is an object, not {type(record).__name__}", fix="Wrap it in braces.")
    if isinstance(record.get("id"), str):
        place += f" ({record['id']})"
    try:
        task = Task.model_validate(record)
    except ValidationError as error:
        raise _field_error(place, error.errors()) from None
    for site in [*task.sites, *task.logins, *_check_sites(task)]:
        if site not in SITES:
            raise InputError(f"{place}: unknown site {site!r}", fix=_did_you_mean(site, list(SITES), "Sites"))
    placeholder = re.match(r"__([A-Z_]+?)__(/|$)", task.start_url)
    if placeholder is None or placeholder.group(1).lower() not in task.sites:
        raise InputError(
            f"{place}: start_url {task.start_url!r} is on none of the task's sites",
            fix=f"Begin it with __{task.sites[0].upper()}__/.",
        )
    if strangers := set(task.logins) - set(task.sites):
        raise InputError(
            f"{place}: logins names {', '.join(sorted(strangers))}, which is none of the task's sites",
            fix="Add it to sites, or leave the login out.",
        )
    if task.check == Check():
        raise InputError(
            f"{place}: nothing is checked, so an agent that does nothing would succeed",
            fix=f"Give the check at least one of {', '.join(_PARTS)}.",
        )
    if task.check.answer and not task.check.answer.expected:
        raise InputError(f"{place}: check.answer.expected is empty", fix="Give at least one value.")
    if task.check.answer and (fault := expectation_fault(task.check.answer)):
        raise InputError(f"{place}: check.answer.expected: {fault}", fix="No answer could ever be right: change one.")
    _check_changes(place, task)
    return task


def _check_sites(task: Task) -> list[str]:
    sites = [page.site for page in task.check.page] + [state.site for state in task.check.state]
    return [*sites, task.check.url.site] if task.check.url else sites


def _check_changes(place: str, task: Task) -> None:
    """What could never match: a table that is not there, or, as an update knows its changed columns and its key only,
    anything else in its `where`.
    """
    for at, state in enumerate(task.check.state):
        tables = pristine_snapshot(database_of(state.site)).tables
        for part in _CHANGES:
            for index, change in enumerate(getattr(state, part)):
                if change.table not in tables:
                    raise InputError(
                        f"{place}: check.state.{at}.{part}.{index}.table: there is no table {change.table!r}",
                        fix=_did_you_mean(change.table, list(tables), "Tables"),
                    )
                known = {PRIMARY_KEYS.get(change.table, "id"), *change.values, *change.any_columns}
                if change.op == "update" and (unknown := set(change.where) - known):
                    raise InputError(
                        f"{place}: check.state.{at}.{part}.{index}.where names {', '.join(sorted(unknown))}, "
                        "which the update does not change",
                        fix=f"Identify the row by {PRIMARY_KEYS.get(change.table, 'id')}.",
                    )


def _field_error(place: str, errors: Sequence[ErrorDetails]) -> InputError:
    error, *others = errors
    field = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        return InputError(f"{place}: unknown field {field!r}", fix=_known_field(error))
    if error["type"] == "missing":
        # Most often it is there, and misspelt: of the unknown fields beside it, the one whose name comes closest.
        unknown = {
            str(one["loc"][-1]): one
            for one in others
            if one["type"] == "extra_forbidden" and one["loc"][:-1] == error["loc"][:-1]
        }
        if unknown:
            close = difflib.get_close_matches(str(error["loc"][-1]), list(unknown), n=1, cutoff=0)
            return InputError(
                f"{place}: the field {field!r} is missing, and {close[0]!r} is unknown",
                fix=_known_field(unknown[close[0]]),
            )
        return InputError(f"{place}: the field {field!r} is missing", fix="Add it.")
    return InputError(f"{place}: field {field!r}: {error['msg']}", fix=f"It is {error['input']!r} now.")


def _known_field(error: ErrorDetails) -> str:
    """What to write in place of an unknown field."""
    return _did_you_mean(str(error["loc"][-1]), list(_MODELS[_owner(error["loc"])].model_fields), "Fields")


def _owner(location: Sequence[int | str]) -> str:
    """The record that a field belongs to."""
    owner = "Task"
    for part in location[:-1]:
        if part == "check":
            owner = "Check"
        elif owner == "Check" and part in _PARTS:
            owner = _PARTS[str(part)]
        elif part in _CHANGES:
            owner = "Change"
    return owner


def _did_you_mean(name: str, known: list[str], noun: str) -> str:
    close = difflib.get_close_matches(name, known, n=1, cutoff=0.5)
    return f"Did you mean {close[0]!r}?" if close else f"{noun}: {', '.join(known)}."
