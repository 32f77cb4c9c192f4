"""What docs/webarena.md says is so."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from guideact.tasks.webarena.setup import read_setup

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "webarena.md").read_text(encoding="utf-8")


def test_the_file_of_the_example_is_read(tmp_path: Path) -> None:
    found = re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    path = tmp_path / "sites.toml"
    path.write_text(found[1], encoding="utf-8")
    setup = read_setup(path, [], {})
    assert setup.addresses == {"shopping": "http://localhost:7770"}
    assert setup.homepage == "http://localhost:4399"
    assert setup.hosts == ("tiles.example:443",)
    assert setup.states == Path(".auth")
    assert setup.accounts["gitlab"].username == "me"
    assert setup.reset is not None
    assert (setup.reset.by_site, setup.reset.when, setup.reset.seconds) == (True, "changed", 600)


def wanted(check: dict[str, Any]) -> list[str]:
    return list((check.get("reference_answers") or {}).get("must_include", []))


@pytest.mark.corpora
@pytest.mark.skipif("GUIDEACT_DATA" not in os.environ, reason="GUIDEACT_DATA points at no corpora")
def test_the_tasks_that_each_fault_touches() -> None:
    path = Path(os.environ["GUIDEACT_DATA"]) / "webarena" / "test.raw.json"
    tasks: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    checks = {task["task_id"]: task["eval"] for task in tasks}
    rows = {
        row[0]: row[2] for row in (line.strip("|").split("|") for line in PAGE.splitlines() if line.startswith("| "))
    }

    def told(words: str) -> str:
        return next(cell for fault, cell in rows.items() if words in fault)

    def listed(words: str) -> list[int]:
        return [int(number) for number in re.findall(r"\d+", told(words))]

    def those(holds: Any) -> list[int]:
        return [number for number, check in checks.items() if holds(check)]

    strings = those(lambda check: "string_match" in check["eval_types"])
    assert listed("alternatives of an answer") == [
        n for n in strings if any(" |OR| " in one for one in wanted(checks[n]))
    ]
    numbers = [n for n in strings if any(re.search(r"^\d|\d$", one.strip()) for one in wanted(checks[n]))]
    assert listed("a number is found") == [len(numbers)]
    assert listed("an address is found") == [len(those(lambda check: "url_match" in check["eval_types"]))]
    assert listed("the latest order") == those(
        lambda check: any("latest_order" in each["url"] for each in check["program_html"])
    )
    judged = those(lambda check: "fuzzy_match" in (check["reference_answers"] or {}))
    assert listed("a judge's verdict") == [len(judged)]
    impossible = [n for n in judged if checks[n]["reference_answers"]["fuzzy_match"] == "N/A"]
    assert listed("cannot be done is judged") == [len(impossible)]
    assert listed("stands where nobody reads it") == [task["task_id"] for task in tasks if "string_note" in task]
    assert listed("three seconds") == [len(those(lambda check: "program_html" in check["eval_types"]))]
    functions = those(lambda check: any("func:" in each["url"] + each["locator"] for each in check["program_html"]))
    assert listed("helper functions") == [len(functions)]
    driven = [
        n for n, check in checks.items() if {each["url"] == "last" for each in check["program_html"]} == {True, False}
    ]
    assert driven == []
