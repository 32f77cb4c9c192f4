"""The walk-through of docs/add-a-task.md, done as it says."""

from __future__ import annotations

import re
from pathlib import Path
from types import ModuleType

import pytest

from guideact.tasks.catalogue import instantiate
from guideact.tasks.phrases import BANKS
from guideact.tasks.prove import prove_entry
from guideact.tasks.solve import Page
from guideact.tasks.template import Template
from tests.tasks.conftest import Bench

TEXT = Path(__file__).parents[2].joinpath("docs", "add-a-task.md").read_text(encoding="utf-8")


def example() -> Template:
    (code,) = re.findall(r"```python\n(\"\"\".+?)```", TEXT, re.DOTALL)
    module = ModuleType("shopping_example")
    exec(compile(code, "docs/add-a-task.md", "exec"), module.__dict__)
    (template,) = module.TEMPLATES
    assert isinstance(template, Template)
    return template


@pytest.mark.slow
async def test_the_example_is_proved(bench: Bench) -> None:
    first, *others = instantiate(example())
    assert len(others) == 2
    proof = await prove_entry(first, bench.env, browser=bench.browser, server=bench.server)
    assert proof.passed, "\n".join(proof.lines())
    # What the page shows of a proof is what a proof prints.
    shown = TEXT.split("```\nshopping.sku.1: proved")[1].split("```")[0]
    printed = "\n".join(proof.lines())
    for line in re.findall(r"^  ok  ([^:(]+)", shown, re.MULTILINE):
        assert f"  ok  {line.strip()}" in printed


def test_every_deed_of_the_page_is_named_as_it_is() -> None:
    for name in re.findall(r"`page\.(\w+)", TEXT):
        assert name == "seen" or hasattr(Page, name), name
    assert "search_type" in BANKS


def test_every_field_of_a_template_is_explained() -> None:
    rows = set(
        re.findall(r"^\| `(\w+)", TEXT.split("## What each field is for")[1].split("## The check")[0], re.MULTILINE)
    )
    assert rows == set(Template.__dataclass_fields__) - {"max_steps"}
