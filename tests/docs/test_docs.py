"""What the documentation says is so: commands, flags, files, fields, links, and the tests that it names."""

from __future__ import annotations

import ast
import os
import re
from pathlib import Path
from typing import get_args

import pytest

from guideact.actions import KEYS
from guideact.cli import VERBS
from guideact.config import RunConfig
from guideact.harness.log import Manifest
from guideact.tasks.catalogue import database, entries
from guideact.tasks.gold import shipped
from guideact.types import VERBS as ACTIONS
from guideact.types import Episode, Outcome, Step

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")])


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def section(text: str, heading: str) -> str:
    """What stands under a heading, up to the next one of any level."""
    found = re.search(rf"^#+ {re.escape(heading)}$(.*?)(?=^#+ |\Z)", text, flags=re.MULTILINE | re.DOTALL)
    assert found, f"no section {heading!r}"
    return found[1]


def table(text: str) -> list[list[str]]:
    """Cells of the table's rows, the head left out."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def names(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def test_every_command_has_a_section_and_every_section_a_command() -> None:
    found = re.findall(r"^### `guideact (\w+)", text_of("docs/reference.md"), flags=re.MULTILINE)
    assert found == list(VERBS)


def test_the_flags_of_run_and_their_defaults() -> None:
    rows = table(section(text_of("docs/reference.md"), "`guideact run`"))
    documented = {names(flag)[0]: (names(default) or [""])[0] for flag, default, _ in rows}
    real = {
        f"--{name.replace('_', '-')}": "" if field.default in (None, ()) else str(field.default)
        for name, field in RunConfig.model_fields.items()
    }
    assert documented == real


def test_the_choices_of_flags() -> None:
    rows = {names(row[0])[0]: row[2] for row in table(section(text_of("docs/reference.md"), "`guideact run`"))}
    for flag in ("grounding", "memory", "split"):
        choices = get_args(RunConfig.model_fields[flag].annotation)
        assert set(names(rows[f"--{flag}"])) == set(choices)


@pytest.mark.parametrize(("heading", "model"), [("An episode", Episode), ("A step", Step)])
def test_the_fields_of_the_log(heading: str, model: type[Episode | Step]) -> None:
    documented = [name for row in table(section(text_of("docs/reference.md"), heading)) for name in names(row[0])]
    assert sorted(documented) == sorted(model.model_fields)


def test_the_manifest_the_keys_and_the_verbs() -> None:
    reference = text_of("docs/reference.md")
    files = {names(row[0])[0]: row[1] for row in table(section(reference, "The run folder"))}
    assert set(names(files["run.json"])) == set(Manifest.model_fields)
    keys = {names(row[0])[0]: row[1] for row in table(section(reference, "The answer of a model"))}
    assert tuple(keys) == KEYS
    assert tuple(names(keys["action"])) == ACTIONS


def test_the_codes_of_outcomes() -> None:
    documented = [
        names(row[0])[0] for row in table(section(text_of("docs/reference.md"), "What can stand in an action's way"))
    ]
    described = re.search(r"`code`: (.*?)\. `detail`", Outcome.__doc__ or "", flags=re.DOTALL)
    assert described
    assert documented == re.split(r",\s+", described[1])


def test_the_variables_are_read_somewhere() -> None:
    documented = {names(row[0])[0] for row in table(section(text_of("docs/reference.md"), "Variables"))}
    code = "\n".join(path.read_text(encoding="utf-8") for path in ROOT.glob("src/**/*.py"))
    read = set(re.findall(r"""["'](GUIDEACT_[A-Z]+(?:_[A-Z]+)*)["']""", code))
    assert documented == read


def test_forty_problems_and_every_named_test_exists() -> None:
    rows = table(text_of("docs/problems.md"))
    assert [int(row[0]) for row in rows] == list(range(1, 41))
    for number, _, _, cell in rows:
        assert names(cell), f"problem {number} names no test"
        for name in names(cell):
            file, _, function = name.partition("::")
            assert (ROOT / file).is_file(), f"problem {number}: there is no {file}"
            defined = {
                node.name
                for node in ast.walk(ast.parse(text_of(file)))
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            }
            assert not function or function in defined, f"problem {number}: {file} has no {function}"
            assert any(each.startswith("test_") for each in defined)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        found = (page.parent / path).resolve() if path else page
        assert found.is_file(), f"{page.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", found.read_text(encoding="utf-8"), flags=re.MULTILINE)
            slugs = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
            assert anchor in slugs, f"{page.name} links to {target}"


def test_the_first_screen_of_the_readme() -> None:
    first = text_of("README.md").split("## ", 1)[0]
    commands = re.findall(r"^    (\S+)", first, flags=re.MULTILINE)
    assert commands == ["scripts/try", "scripts/check"]
    for command in [*commands, "scripts/setup", "scripts/lock", ".ci/run"]:
        assert os.access(ROOT / command, os.X_OK), command


def test_the_python_of_the_readme_uses_names_that_exist() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", text_of("README.md"), flags=re.DOTALL)
    scope: dict[str, object] = {}
    code, run = code.split("\nasyncio.run(")
    exec(compile(code, "README.md", "exec"), scope)
    assert run.rstrip(")\n") == "look("
    assert "look" in scope


def test_the_lock_file_has_hashes_and_names_no_address() -> None:
    lock = text_of("requirements.lock")
    assert "://" not in lock
    assert "--index" not in lock
    pins = re.findall(r"^[a-z0-9][\w.\-]*(?:\[[\w,]+\])?==[^\s\\]+.*\\$", lock, flags=re.MULTILINE)
    entries = re.findall(r"^[a-zA-Z0-9]", lock, flags=re.MULTILINE)
    assert len(pins) == len(entries) > 50
    assert not re.search(r"^(torch|triton|nvidia)", lock, flags=re.MULTILINE)


def test_the_counts_in_the_readme() -> None:
    found = entries().values()
    gold = shipped()
    steps = [len(gold[entry.task.id].steps) for entry in found]
    sentences = sum(len(step.references) for guide in gold.values() for step in guide.steps)
    said = " ".join(section(text_of("README.md"), "What there is to do").split())
    assert f"{len(found)} tasks from {len({entry.template.id for entry in found})} templates" in said
    assert f"{min(steps)} to {max(steps)} gold steps, {sum(length > 9 for length in steps)} of them more than 9" in said
    assert f"{sum(entry.template.picture for entry in found)} need the picture" in said
    assert f"{sum(len(entry.task.sites) > 1 for entry in found)} cross from site to site" in said
    assert f"{sentences:,} in all" in said
    assert f"{sum(entry.task.split == 'test' for entry in found)} tasks are the test split" in said
    (products,) = database("shopping").execute("SELECT COUNT(*) FROM product").fetchone()
    assert f"{products} products" in said
