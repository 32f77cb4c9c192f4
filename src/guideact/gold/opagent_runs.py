"""OpAgent's runs as they are stored: read whole, and refused by name of file and field where they are damaged.

A run is a folder `val_<id>` with a `trajectory.json`, a list of records: observations, actions, the answer, the
WebArena task under `configs`, and the score. What else the records hold is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, FiniteFloat, ValidationError, model_validator

from guideact.errors import InputError, first_fault
from guideact.types import Direction

_FIX = "Fetch it anew, or take its folder away."
_ANSWER = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.DOTALL)
_NEEDS = {"type": "content", "select_option": "option", "scroll": "direction", "press": "key"}
"""The parameter without which an action of this kind says nothing."""


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Params(_Read):
    """What an action acts with."""

    coords: tuple[FiniteFloat, FiniteFloat] | None = None
    """px of the run's own pictures, which were 1440 wide."""
    content: str | None = None
    option: str | None = None
    direction: Direction | None = None
    key: str | None = None
    press_enter: bool = False


class Performed(_Read):
    """An action as the runner performed it."""

    action_type: str
    params: Params


class Planned(_Read):
    """What the planner said of a step."""

    instruction: str | None = None


class ActionRecord(_Read):
    """One step of a run."""

    action: Performed
    planner_output: Planned | None = None
    page_url: str
    """The address after the action."""
    error_msg: str | None = None

    @model_validator(mode="after")
    def _says_what_it_does(self) -> ActionRecord:
        needed = _NEEDS.get(self.action.action_type)
        if needed is not None and not self.error_msg and getattr(self.action.params, needed) is None:
            raise ValueError(f"a {self.action.action_type} needs action.params.{needed}")
        return self


class Config(_Read):
    """The WebArena task of a run, with its addresses on `http://ecs_ip:PORT`."""

    task_id: int = Field(ge=0, lt=10**9)
    sites: tuple[str, ...] = Field(min_length=1)
    start_url: str = Field(min_length=1)
    """The pages that were open at the start, joined by ` |AND| `."""
    intent: str = Field(min_length=1)
    intent_template_id: int
    eval: Any = None
    """For whoever scores the run."""


class Run(_Read):
    """All that is read of a run."""

    folder: Path
    config: Config
    """The record's `configs`."""
    actions: tuple[ActionRecord, ...]
    answer: str | None
    """Without the chat markup around it; None where none was given."""
    score: FiniteFloat

    @property
    def file(self) -> Path:
        return self.folder / "trajectory.json"

    @property
    def task_id(self) -> str:
        return f"webarena.{self.config.task_id}"


def read_runs(folder: Path) -> tuple[Run, ...]:
    """All runs of a folder, in the order of their numbers.

    Raises InputError where there is none, for one that is damaged, and for two of the same task.
    """
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}", fix="Give the folder that holds val_1, val_2, ...")
    found = [path for path in folder.glob("val_*") if path.is_dir()]
    if not found:
        raise InputError(f"{folder} holds no run val_<id>/trajectory.json", fix="Give the folder that holds them.")
    runs = tuple(
        read_run(path) for path in sorted(found, key=lambda path: (int(re.sub(r"\D", "", path.name) or 0), path.name))
    )
    seen: dict[str, Path] = {}
    for run in runs:
        other = seen.setdefault(run.task_id, run.folder)
        if other != run.folder:
            raise InputError(f"{other} and {run.folder} are both of {run.task_id}", fix="Take one of them away.")
    return runs


def read_run(folder: Path) -> Run:
    """Read one run. Raises InputError, naming file, record and field, for a file that is none."""
    path = folder / "trajectory.json"
    records = _records(path)
    place, config = _only(records, "configs", path)
    scored, score = _only(records, "score", path)
    answers = [
        (number, record["generated_final_answer"])
        for number, record in records.items()
        if "generated_final_answer" in record
    ]
    for number, answer in answers:
        if not isinstance(answer, str):
            raise InputError(f"{path}, record {number}: generated_final_answer: it is no text", fix=_FIX)
    return _valid(
        Run,
        {
            "folder": folder,
            "config": _valid(Config, config, f"{path}, record {place}", "configs"),
            "actions": tuple(
                _valid(ActionRecord, record, f"{path}, record {number}")
                for number, record in records.items()
                if record.get("type") == "action"
            ),
            "answer": unwrapped(answers[0][1]) if answers else None,
            "score": score,
        },
        f"{path}, record {scored}",
    )


def unwrapped(text: str) -> str:
    """The answer without the chat markup around it."""
    found = _ANSWER.search(text)
    return (found.group(1) if found else re.sub(r"<\|im_(?:start|end)\|>(?:assistant)?", "", text)).strip()


def _records(path: Path) -> dict[int, dict[str, Any]]:
    """The records of a run by their place in the file, counted from 1."""
    try:
        records = json.loads(path.read_bytes())
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix=_FIX) from error
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}", fix=_FIX) from error
    if not isinstance(records, list) or not all(isinstance(record, dict) for record in records):
        raise InputError(f"{path} is no list of records", fix=_FIX)
    return dict(enumerate(records, 1))


def _only(records: Mapping[int, dict[str, Any]], key: str, path: Path) -> tuple[int, Any]:
    """The place of the one record with a key, and what it holds under it."""
    found = [(number, record[key]) for number, record in records.items() if key in record]
    if len(found) != 1:
        raise InputError(f"{path} holds {len(found)} records with {key!r}, not one", fix=_FIX)
    return found[0]


_Model = TypeVar("_Model", bound=BaseModel)


def _valid(kind: type[_Model], value: Any, where: str, *within: str) -> _Model:
    try:
        return kind.model_validate(value)
    except ValidationError as error:
        raise InputError(f"{where}: {first_fault(error, *within)}", fix=_FIX) from error
