"""A run whose every text attacks the page: nothing runs, nothing is injected, and all of it can be read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Page

from guideact.report import build
from guideact.report.episodes import island
from guideact.types import Episode
from tests.harness.made_runs import made_episodes, write_run
from tests.report.conftest import Open

ATTACKS = (
    "<script>window.hit = 1</script>",
    "</script><script>window.hit = 1</script>",
    "<!--<script>",
    "--><img src=x onerror='window.hit = 1'>",
    '"><svg onload="window.hit = 1">',
    "' autofocus onfocus='window.hit = 1' x='",
    "</style><x-injected></x-injected>",
    "</textarea></title></noscript><x-injected>",
    "<iframe srcdoc='<script>parent.hit = 1</script>'></iframe>",
    "<a href='javascript:window.hit = 1'>x-link</a>",
    "<meta http-equiv=refresh content='0;url=data:text/html,x'>",
    "<base href='https://example.invalid/'>",
    "{{ 7 * 7 }}{% raw %}${7 * 7}",
    "javascript:window.hit = 1",
    "__proto__",
    "\u202egnp.exe \u2028\u2029 \x00 \x1b[31m &lt;b&gt; &amp;",
    "x" * 3000,
)
KEPT = {"verb", "end", "split", "op", "direction"}
"""Fields that only take certain words."""


Record = dict[str, Any]


def attacked(value: Any, attack: str, key: str = "") -> Any:
    """The same record with the attack in every text, the keys of rows of data included."""
    if isinstance(value, dict):
        rows = key in ("before", "after")
        return {(attack if rows else name): attacked(item, attack, name) for name, item in value.items()}
    if isinstance(value, list):
        return [attacked(item, attack, key) for item in value]
    if not isinstance(value, str) or (key in KEPT and key not in ("kind", "role")):
        return value
    return attack


def hostile_run(folder: Path) -> Path:
    """One episode an attack; the manifest is attacked as well. Pictures stay, so every part of the page is built."""
    episodes = []
    whole = [e for e in made_episodes(5, tasks=40, infrastructure=0, without_gold=0) if len(e.steps) > 3]
    made = write_run(folder / "made", [e for e in whole if e.changes and any(s.outcome for s in e.steps)], files=True)
    honest = [Episode.model_validate_json(line) for line in (made / "episodes.jsonl").read_text().splitlines()]
    for number, attack in enumerate(ATTACKS):
        source = honest[number % len(honest)]
        record = attacked(source.model_dump(mode="json"), attack)
        record["task_id"] = f"{number:02} {attack}"  # the list is sorted by it
        for step, kept in zip(record["steps"], source.steps, strict=True):
            step["screenshot"] = kept.screenshot
        episodes.append(Episode.model_validate(record))
    evil = "".join(ATTACKS[:-1])
    manifest: Record = {
        "model": evil,
        "config": {evil: evil, "nested": {evil: [evil]}},
        "versions": {evil: evil},
        "hashes": {evil: evil},
        "platform": evil,
        "created": evil,
        "tasks": [episode.task_id for episode in episodes],
    }
    run = write_run(folder / "run", episodes, **manifest)
    (made / "images").rename(run / "images")
    return run


KNOWN = [
    *("html", "head", "meta", "title", "link", "style", "script", "noscript", "body", "header", "main", "section"),
    *("article", "nav", "footer", "figure", "figcaption", "dialog", "form", "button", "label", "input", "select"),
    *("option", "output", "a", "p", "b", "span", "div", "strong", "del", "ins", "pre", "img", "h1", "h2", "h3", "ol"),
    *("ul", "li", "dl", "dt", "dd", "details", "summary", "table", "caption", "thead", "tbody", "tr", "th", "td"),
    *("svg", "wbr", "desc", "rect", "line", "circle", "text", "path", "polyline", "polygon"),
]
"""Every element that a report is made of."""

STRANGE = """(known) => {
  const strange = [];
  for (const node of document.querySelectorAll("*")) {
    if (!known.includes(node.localName)) strange.push(node.outerHTML.slice(0, 200));
    for (const { name, value } of node.attributes) {
      if (name.startsWith("on") || ["srcdoc", "style", "action"].includes(name)) strange.push(name);
      if (["href", "src"].includes(name) && !/^(#|data:)/.test(value)) strange.push(value);
    }
  }
  return strange;
}"""


async def expect_unharmed(page: Page, scripts: int) -> None:
    assert await page.evaluate("window.hit") is None
    assert await page.evaluate("({}).polluted") is None
    assert await page.evaluate(STRANGE, KNOWN) == []
    assert await page.locator("script:not([type])").count() == 1
    assert await page.locator("script").count() == scripts
    assert await page.locator("meta[http-equiv]").count() == 1


async def test_nothing_of_a_hostile_run_becomes_part_of_the_page(tmp_path: Path, open_report: Open) -> None:
    page = await open_report(build(hostile_run(tmp_path)), viewport={"width": 390, "height": 844})
    scripts = await page.locator("script").count()
    await expect_unharmed(page, scripts)
    listed = await page.locator("#list").inner_text()
    for number, attack in enumerate(ATTACKS):
        await page.evaluate(f"location.hash = '#episode-{number}'")
        await page.locator("#episode .steps > li").first.wait_for()
        await page.evaluate(
            "document.querySelectorAll('#episode details').forEach((folded) => { folded.open = true; })"
        )
        await expect_unharmed(page, scripts)
        said = await page.locator("#episode .guide").first.text_content()
        assert said == attack
        assert attack.split()[0] in listed
        assert await page.evaluate("document.documentElement.scrollWidth") <= 390, attack
        await page.keyboard.press("Escape")
        await page.locator("#overview").wait_for()


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_island_holds_any_text_and_cannot_be_left(attack: str) -> None:
    written = str(island({"a": attack}))
    assert json.loads(written) == {"a": attack}
    assert "<" not in written
    assert "-->" not in written


@given(st.dictionaries(st.text(), st.text() | st.lists(st.text() | st.integers() | st.none())))
def test_every_island_reads_back_as_it_was(value: dict[str, Any]) -> None:
    written = str(island(value))
    assert json.loads(written) == value
    assert not set("<>&\u2028\u2029") & set(written)


def test_half_a_character_becomes_a_question_mark() -> None:
    assert json.loads(str(island({"a": "x\ud800y"}))) == {"a": "x?y"}
