"""WebArena's tasks, as it publishes them, and those of WebArena-Verified: read, checked, and made into ours.

A task keeps its placeholders (`__SHOPPING__`): where the sites run is known when a run begins, and says nothing of the
task. Files of both kinds are told apart by what is in them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from guideact.errors import InputError
from guideact.tasks.catalogue import split_of
from guideact.tasks.checks.webarena import Eval
from guideact.tasks.webarena.setup import ACCOUNTS, SITES, placeholders
from guideact.types import Frozen, Task

PREFIX = "webarena:"
"""Before a path, says that its tasks are WebArena's."""
AND = " |AND| "
RESPONSE = """

Finish with one JSON object as the answer, of this form:
{"task_type": "RETRIEVE" or "MUTATE" or "NAVIGATE", "status": "SUCCESS" or "NOT_FOUND_ERROR" or \
"ACTION_NOT_ALLOWED_ERROR" or "PERMISSION_DENIED_ERROR" or "DATA_VALIDATION_ERROR" or "UNKNOWN_ERROR", \
"retrieved_data": a list of what was asked for or null, "error_details": null or what went wrong}"""
"""What WebArena-Verified's evaluator reads, told to the agent at the end of the request."""


class Geolocation(Frozen):
    """Where the browser says that it is, degrees."""

    latitude: float = Field(ge=-90, le=90)
    longitude: float = Field(ge=-180, le=180)
    accuracy: float = Field(default=0, ge=0)


class WebArenaTask(Task):
    """A task on WebArena's sites. Its check is WebArena's own `eval` block, or WebArena-Verified's evaluator."""

    number: int
    """WebArena's own `task_id`."""
    start_urls: tuple[str, ...] = Field(min_length=1)
    """The pages that are open at the start, each in a tab; the agent begins on the first one."""
    signs_in: tuple[str, ...] = ()
    """Sites that the task is signed in to, as its storage state names them."""
    storage_state: str | None = None
    """As the task file has it."""
    geolocation: Geolocation | None = None
    require_reset: bool = False
    eval: Eval | None = None
    """None for a task of WebArena-Verified."""
    kind: Literal["retrieve", "navigate", "mutate"]
    """What the task asks for. Only a `mutate` task is expected to change anything."""

    @property
    def needs_judge(self) -> bool:
        return self.eval is not None and self.eval.needs_judge

    @property
    def writes(self) -> bool:
        """Whether doing it may change a site."""
        return self.kind == "mutate"

    @property
    def needed_sites(self) -> tuple[str, ...]:
        """The sites without which it cannot be done or checked."""
        named = placeholders([*self.start_urls, self.eval.model_dump_json() if self.eval is not None else ""])
        helper = self.eval is not None and any(
            "func:shopping_" in target.url + target.locator for target in self.eval.program_html
        )
        return tuple(dict.fromkeys([*self.sites, *named, *(["shopping"] if helper else [])]))


class _Raw(Frozen):
    """A task of WebArena's file."""

    task_id: int = Field(ge=0)
    sites: tuple[Literal["shopping", "shopping_admin", "reddit", "gitlab", "wikipedia", "map"], ...] = Field(
        min_length=1
    )
    require_login: bool = True
    storage_state: str | None = None
    start_url: str = Field(min_length=1)
    geolocation: Geolocation | None = None
    intent: str = Field(min_length=1)
    intent_template: str = ""
    intent_template_id: int | Literal[""] = ""
    instantiation_dict: dict[str, Any] = Field(default_factory=dict)
    require_reset: bool = False
    string_note: str = ""
    eval: Eval


class _Verified(Frozen):
    """A task of WebArena-Verified's file. Its evaluators are for its own program to read."""

    task_id: int = Field(ge=0)
    sites: tuple[Literal["shopping", "shopping_admin", "reddit", "gitlab", "wikipedia", "map"], ...] = Field(
        min_length=1
    )
    start_urls: tuple[str, ...] = Field(min_length=1)
    intent: str = Field(min_length=1)
    intent_template: str = ""
    intent_template_id: int | Literal[""] = ""
    instantiation_dict: dict[str, Any] = Field(default_factory=dict)
    revision: int = 1
    eval: tuple[dict[str, Any], ...] = Field(min_length=1)


def load_webarena(path: Path) -> tuple[WebArenaTask, ...]:
    """All tasks of a file: one task, or a list of them.

    Raises InputError, naming file, task and field, for what is none.
    """
    records = _records(path)
    tasks = [_task(path, place, record) for place, record in records]
    seen: set[str] = set()
    for task in tasks:
        if task.id in seen:
            raise InputError(f"{path}: the task {task.number} stands there twice", fix="Rename one.")
        seen.add(task.id)
    return tuple(tasks)


def needs(tasks: Iterable[WebArenaTask]) -> dict[str, list[str]]:
    """For each site, the ids of the tasks that need it."""
    needed: dict[str, list[str]] = {}
    for task in tasks:
        for site in task.needed_sites:
            needed.setdefault(site, []).append(task.id)
    return {site: needed[site] for site in SITES if site in needed}


def _records(path: Path) -> list[tuple[str, Any]]:
    try:
        data = json.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError:
        raise InputError(f"there is no task file {path}", fix="Check the path after webarena:.") from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}", fix="Name WebArena's test.raw.json.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path} is no JSON: {error}", fix="Name WebArena's test.raw.json.") from None
    if isinstance(data, dict):
        data = [data]
    if not isinstance(data, list) or not data:
        raise InputError(f"{path} holds no list of tasks", fix="Name WebArena's test.raw.json.")
    return [(f"task {number}", record) for number, record in enumerate(data, 1)]


def _task(path: Path, place: str, record: Any) -> WebArenaTask:
    if not isinstance(record, dict):
        raise InputError(f"{path}, {place}: a task is an object", fix="Name WebArena's test.raw.json.")
    where = f"{path}, {place}" + (f" (task_id {str(record['task_id'])[:40]})" if "task_id" in record else "")
    try:
        verified = "start_urls" in record
        task = _verified(_Verified.model_validate(record)) if verified else _published(_Raw.model_validate(record))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{where}: field {field!r}: {first['msg']}", fix="Fetch the file anew.") from None
    for url in task.start_urls:
        if not url.startswith(("http://", "https://", *(f"__{site.upper()}__" for site in SITES))):
            field = "start_urls" if verified else "start_url"
            raise InputError(
                f"{where}: field {field!r}: {url[:80]!r} is on none of the sites",
                fix="Begin it with a placeholder such as __SHOPPING__.",
            )
    return task


def _published(raw: _Raw) -> WebArenaTask:
    check = raw.eval
    if raw.string_note and not check.string_note:
        # One task has its note beside the block that needs it.
        check = check.model_copy(update={"string_note": raw.string_note})
    kind: Literal["retrieve", "navigate", "mutate"] = "navigate"
    if "program_html" in check.eval_types:
        kind = "mutate"
    elif "string_match" in check.eval_types:
        kind = "retrieve"
    return WebArenaTask(
        **_common(raw.task_id, raw.intent_template_id, raw.sites),
        intent=raw.intent,
        number=raw.task_id,
        start_url=raw.start_url.split(AND)[0],
        start_urls=tuple(raw.start_url.split(AND)),
        signs_in=_signed_in(raw.storage_state) if raw.require_login else (),
        storage_state=raw.storage_state,
        geolocation=raw.geolocation,
        require_reset=raw.require_reset,
        eval=check,
        kind=kind,
    )


def _verified(raw: _Verified) -> WebArenaTask:
    expected = [block.get("expected") for block in raw.eval if block.get("evaluator") == "AgentResponseEvaluator"]
    kind = str(expected[0].get("task_type", "mutate")) if expected and isinstance(expected[0], dict) else "mutate"
    return WebArenaTask(
        **_common(raw.task_id, raw.intent_template_id, raw.sites),
        intent=raw.intent + RESPONSE,
        number=raw.task_id,
        start_url=raw.start_urls[0],
        start_urls=raw.start_urls,
        signs_in=tuple(site for site in raw.sites if site in ACCOUNTS),
        kind=kind.lower(),
    )


def _common(number: int, template: int | str, sites: Sequence[str]) -> Mapping[str, Any]:
    task_id, template_id = f"webarena.{number}", f"webarena.template.{template}" if template != "" else ""
    return {
        "id": task_id,
        "sites": tuple(sites),
        "template_id": template_id,
        "split": split_of(template_id or task_id, task_id),
        "source": "webarena",
    }


def _signed_in(state: str | None) -> tuple[str, ...]:
    """The sites that a storage state is of: `./.auth/gitlab.reddit_state.json` is of two."""
    if state is None:
        return ()
    names = Path(state).name.rsplit("_", 1)[0].split(".")
    return tuple(name for name in names if name in ACCOUNTS)
