"""The walk-through of docs/add-a-task.md, done as it says."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from guideact.tasks import across, backoffice, shop
from guideact.tasks.catalogue import database, instantiate
from guideact.tasks.phrases import BANKS
from guideact.tasks.prove import prove_entry, walk
from guideact.tasks.references import reference_faults
from guideact.tasks.solve import Page
from guideact.tasks.template import EMMA, Template
from guideact.types import Task
from tests.tasks.conftest import Bench

TEXT = Path(__file__).parents[2].joinpath("docs", "add-a-task.md").read_text(encoding="utf-8")


def example(name: str) -> Template:
    """The template of a file that the page shows, by the file's name."""
    code = TEXT.split(f"/{name}.py`")[1].split("```python\n")[1].split("```")[0]
    module = ModuleType(name)
    exec(compile(code, "docs/add-a-task.md", "exec"), module.__dict__)
    (template,) = module.TEMPLATES
    assert isinstance(template, Template)
    return template


@pytest.mark.slow
async def test_the_example_is_proved(bench: Bench) -> None:
    first, *others = instantiate(example("shopping_example"))
    assert len(others) == 2
    proof = await prove_entry(first, bench.env, browser=bench.browser, server=bench.server)
    assert proof.passed, "\n".join(proof.lines())
    # What the page shows of a proof is what a proof prints.
    shown = TEXT.split("```\nshopping.sku.1: proved")[1].split("```")[0]
    printed = "\n".join(proof.lines())
    for line in re.findall(r"^  ok  ([^:(]+)", shown, re.MULTILINE):
        assert f"  ok  {line.strip()}" in printed


async def test_the_gold_of_the_example_that_changes_something_passes(bench: Bench) -> None:
    template = example("admin_example")
    first, *others = instantiate(template)
    assert len(others) == 2
    done = await walk(bench.env, first.task, lambda page: template.solve(page, first.params))
    assert done.verdict.passed, done.verdict
    assert all(step.outcome is None for step in done.steps)
    assert reference_faults(first.task, [(step.act, step.seen) for step in done.steps]) == ()


async def test_links_are_no_lines_but_in_cells_and_reviews_that_wait_are_not_shown(bench: Bench) -> None:
    """What the page says of lines, and of what a check must leave out."""
    slug, approved, every = (
        database("shopping")
        .execute(
            "SELECT slug, SUM(review.status = 'approved') AS approved, COUNT(*) AS every FROM review"
            " JOIN product ON product.id = product_id WHERE product.status = 'enabled' GROUP BY product_id"
            " HAVING every > approved AND approved > 1 ORDER BY product_id LIMIT 1"
        )
        .fetchone()
    )
    assert every > approved
    look = Task(id="look", intent="Look.", sites=("shopping",), start_url=f"__SHOPPING__/p/{slug}")
    page = Page("look", await bench.env.reset(look))
    assert page.matches(r"\d+ reviews") == []
    assert not page.shows(f"{approved} reviews")
    link = page.find("link", "reviews")
    assert link is not None
    assert link.name == f"{approved} reviews"
    orders = look.model_copy(update={"start_url": "__SHOPPING__/account/orders", "logins": {"shopping": EMMA}})
    page = Page("look", await bench.env.reset(orders))
    assert page.find("link", "View order") is not None
    assert page.shows("View order"), "in a cell"


@pytest.mark.slow
def test_the_candidates_of_an_address_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    code = TEXT.split("## Look at the page")[1].split("```python\n")[1].split("```")[0]
    exec(compile(code, "docs/add-a-task.md", "exec"), {})
    printed = capsys.readouterr().out
    assert "link 'New product'" in printed


@pytest.mark.parametrize("module", [shop, backoffice, across])
def test_every_shared_deed_is_listed_with_its_signature(module: ModuleType) -> None:
    rows = TEXT.split(f"`from {module.__name__} import ...`")[1].split("\n\n")[0]
    listed = set(re.findall(r"^\| `(\w+\(.*?\))` \| \S", rows, re.MULTILINE))
    real = set()
    for name, function in inspect.getmembers(module, inspect.isfunction):
        if function.__module__ == module.__name__ and not name.startswith("_"):
            signature = inspect.signature(function)
            bare = [each.replace(annotation=each.empty) for each in signature.parameters.values()]
            short = signature.replace(parameters=bare, return_annotation=signature.empty)
            real.add(f"{name}{short}".replace("'", '"'))
    assert listed == real


def test_every_deed_of_the_page_is_named_as_it_is() -> None:
    for name in re.findall(r"`page\.(\w+)", TEXT):
        assert name == "seen" or hasattr(Page, name), name
    assert "search_type" in BANKS


def test_every_field_of_a_template_is_explained() -> None:
    rows = set(
        re.findall(r"^\| `(\w+)", TEXT.split("## What each field is for")[1].split("## The check")[0], re.MULTILINE)
    )
    assert rows == set(Template.__dataclass_fields__) - {"max_steps"}
