"""What WebArena-Verified's own evaluator reads, and the asking of it.

For each task there is a folder named by its number, with the agent's last word (`agent_response.json`) and all that the
browser asked of the sites (`network.har`). Cookies and passwords are cut out of the latter, but for two cookies that
checks look at. The evaluator pins its dependencies, so it lives in an environment of its own, and is called as a
program.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from guideact.errors import BrowserError, InfrastructureError, InputError
from guideact.tasks.webarena.setup import Setup
from guideact.types import CheckPart, CheckResult

VARIABLE = "GUIDEACT_WEBARENA_VERIFIED"
PROGRAM = "webarena-verified"
SECONDS = 120.0
WHOLE = 812
"""Tasks of a file that the evaluator takes."""
RESPONSE, HAR, RESULT, CONFIG = "agent_response.json", "network.har", "eval_result.json", "config.json"
STATUSES = (
    "SUCCESS",
    "ACTION_NOT_ALLOWED_ERROR",
    "PERMISSION_DENIED_ERROR",
    "NOT_FOUND_ERROR",
    "DATA_VALIDATION_ERROR",
    "UNKNOWN_ERROR",
)
KINDS = ("RETRIEVE", "MUTATE", "NAVIGATE")
_CUT = "(cut)"
_CHECKED_COOKIES = ("mage-messages", "_osm_directions_engine")
_STATIC = (".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".woff", ".woff2", ".ttf", ".ico", ".webp")
_SECRET_FIELD = re.compile(r"passw|secret|private_token", re.IGNORECASE)


def find_program() -> str:
    """The evaluator's program. Raises InputError where there is none."""
    named = os.environ.get(VARIABLE) or PROGRAM
    found = shutil.which(named)
    if found is None:
        raise InputError(
            f"tasks of WebArena-Verified are scored by its own program, and {named} is not there",
            fix=f"Install {PROGRAM} in an environment of its own, and set {VARIABLE} to its {PROGRAM}.",
        )
    return found


def response_of(answer: str, changed: bool) -> dict[str, Any]:
    """The agent's answer as WebArena-Verified wants it.

    An answer that is such an object stays as it is. Any other becomes one: "N/A" is NOT_FOUND_ERROR, words are what was
    retrieved, and nothing means that something was done (`changed`: a form was sent) or shown.
    """
    try:
        said = json.loads(answer)
    except (ValueError, RecursionError):
        said = None
    if isinstance(said, dict) and "status" in said and "task_type" in said:
        return said
    kind = "RETRIEVE" if answer.strip() else "MUTATE" if changed else "NAVIGATE"
    if answer.strip().upper() == "N/A":
        return {"task_type": kind, "status": "NOT_FOUND_ERROR", "retrieved_data": None, "error_details": answer}
    data: Any = None
    if answer.strip():
        data = said if isinstance(said, list) else [said if isinstance(said, int | float | dict) else answer]
    return {"task_type": kind, "status": "SUCCESS", "retrieved_data": data, "error_details": None}


def write_output(folder: Path, number: int, answer: str, har: Path, setup: Setup, tasks: Path | None = None) -> None:
    """Write the files of a task into its folder, and beside them where the sites were.

    Args:
        folder: of all tasks.
        har: what the browser recorded.
        tasks: the task file of WebArena-Verified; None for the one that comes with the evaluator.

    Raises BrowserError where the browser's recording is missing or broken, InputError where the folder cannot be
    written.
    """
    try:
        recorded = cleaned(json.loads(har.read_text(encoding="utf-8")))
        changed = any(entry["request"]["method"] != "GET" for entry in recorded["log"]["entries"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise BrowserError(f"the browser's recording of task {number} cannot be read: {error!r}") from error
    own = folder / str(number)
    response = json.dumps(response_of(answer, changed), ensure_ascii=False, indent=2)
    sites = {f"__{site.upper()}__": {"urls": [url], "active_url_idx": 0} for site, url in setup.addresses.items()}
    config = {"environments": sites} | ({"test_data_file": str(tasks.resolve())} if tasks is not None else {})
    try:
        own.mkdir(parents=True, exist_ok=True)
        (own / HAR).write_text(json.dumps(recorded, ensure_ascii=False), encoding="utf-8")
        (own / RESPONSE).write_text(response + "\n", encoding="utf-8")
        (folder / CONFIG).write_text(json.dumps(config, indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(
            f"{own} cannot be written: {error.strerror or error}",
            fix="Make room, or see its permissions; the same command goes on, no finished episode is lost.",
        ) from error


async def score(program: str, folder: Path, number: int) -> CheckResult:
    """The evaluator's verdict on one task of a folder that holds config.json and the task's own folder.

    Raises InfrastructureError where it gives none.
    """
    result = folder / str(number) / RESULT
    result.unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        program,
        "eval-tasks",
        "--task-ids",
        str(number),
        "--output-dir",
        str(folder),
        "--config",
        str(folder / CONFIG),
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
    )
    try:
        async with asyncio.timeout(SECONDS):
            _, said = await process.communicate()
    except TimeoutError as error:
        raise InfrastructureError(f"{program} took more than {SECONDS:g} s") from error
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    try:
        verdict = json.loads(result.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        last = (said.decode(errors="replace").strip().splitlines() or ["it said nothing"])[-1][:200]
        raise InfrastructureError(f"{program} gave no verdict on task {number}: {last}") from error
    return verdict_of(verdict, number)


def verdict_of(verdict: Mapping[str, Any], number: int) -> CheckResult:
    """The evaluator's result as ours. Raises InfrastructureError for one that says that it failed itself."""
    if verdict.get("status") == "error" or verdict.get("error_msg"):
        raise InfrastructureError(f"the evaluator failed on task {number}: {verdict.get('error_msg')}")
    parts = tuple(
        CheckPart(
            part=str(each.get("evaluator_name", "evaluator")),
            passed=each.get("score") == 1,
            reason="; ".join(
                str(message)
                for assertion in each.get("assertions") or ()
                for message in assertion.get("assertion_msgs") or ()
            )[:500],
        )
        for each in verdict.get("evaluators_results", ())
    )
    return CheckResult(passed=verdict.get("score") == 1, parts=parts)


# --- what the browser recorded ----------------------------------------------------------------------------------


def cleaned(har: dict[str, Any]) -> dict[str, Any]:
    """A recording without style, scripts and pictures, and without what would let a reader sign in."""
    entries = [_without_secrets(entry) for entry in har["log"]["entries"] if not _is_static(entry)]
    return {"log": {**har["log"], "entries": entries}}


def _is_static(entry: Mapping[str, Any]) -> bool:
    path: str = entry["request"]["url"].partition("?")[0].partition("#")[0]
    return path.lower().endswith(_STATIC)


def _without_secrets(entry: dict[str, Any]) -> dict[str, Any]:
    request, response = dict(entry["request"]), dict(entry["response"])
    for message in (request, response):
        message["headers"] = [_header(header) for header in message["headers"]]
        message["cookies"] = [
            each if each["name"] in _CHECKED_COOKIES else {**each, "value": _CUT} for each in message["cookies"]
        ]
    if "postData" in request:
        request["postData"] = _post(request["postData"])
    content = response.get("content", {})
    if "json" not in content.get("mimeType", ""):
        response["content"] = {key: value for key, value in content.items() if key not in ("text", "encoding")}
    return {**entry, "request": request, "response": response}


def _header(header: Mapping[str, str]) -> dict[str, str]:
    name, value = header["name"], header["value"]
    if name.lower() == "cookie":
        value = "; ".join(_cookie(each) for each in value.split("; "))
    elif name.lower() == "set-cookie":
        value = "\n".join(_cookie(each) for each in value.split("\n"))
    elif re.search(r"auth|token|secret|api-?key", name, re.IGNORECASE):
        value = _CUT
    return {"name": name, "value": value}


def _cookie(text: str) -> str:
    name, equals, value = text.partition("=")
    if name.strip() in _CHECKED_COOKIES or not equals:
        return text
    return f"{name}={_CUT}" + ("" if ";" not in value else ";" + value.partition(";")[2])


def _post(data: Mapping[str, Any]) -> dict[str, Any]:
    cut = dict(data)
    if "params" in cut:
        cut["params"] = [
            {**each, "value": _CUT} if _SECRET_FIELD.search(each.get("name", "")) else each for each in cut["params"]
        ]
    if _SECRET_FIELD.search(cut.get("text", "")):
        cut["text"] = "&".join(
            f"{pair.partition('=')[0]}={_CUT}" if _SECRET_FIELD.search(pair.partition("=")[0]) else pair
            for pair in cut["text"].split("&")
        )
        if _SECRET_FIELD.search(cut.get("mimeType", "")) or not cut.get("mimeType", "").startswith(
            "application/x-www-form-urlencoded"
        ):
            cut["text"] = _CUT
    return cut
