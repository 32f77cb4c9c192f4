"""The page in use: finding, sorting, opening an episode, keyboard, phone, paper, and no script at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from guideact.report import build
from guideact.types import Episode
from tests.harness.made_runs import made_episodes, write_run
from tests.report.conftest import Open

PHONE = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with its report, which no test changes."""
    folder = write_run(
        tmp_path_factory.mktemp("page") / "run", made_episodes(8, tasks=10, infrastructure=0.2), files=True
    )
    build(folder)
    return folder


def episodes_of(run: Path) -> list[Episode]:
    """In the report's order: by task."""
    lines = (run / "episodes.jsonl").read_text(encoding="utf-8").splitlines()
    return sorted((Episode.model_validate_json(line) for line in lines), key=lambda e: (e.task_id, e.sample))


async def test_an_episode_shows_all_its_steps(run: Path, open_report: Open) -> None:
    page = await open_report(run / "report.html")
    for number, episode in enumerate(episodes_of(run)):
        await page.evaluate(f"location.hash = '#episode-{number}'")
        await page.wait_for_function(
            "intent => document.querySelector('#episode h2')?.textContent === intent", arg=episode.intent
        )
        assert not await page.locator("#overview").is_visible()
        steps = page.locator("#episode .steps > li")
        assert await steps.count() == len(episode.steps)
        guides = await page.locator("#episode .guide").all_text_contents()
        assert guides == [step.guide or "No guide sentence" for step in episode.steps]
        for i, step in enumerate(episode.steps):
            item = steps.nth(i)
            troubles = await item.locator(".trouble").all_text_contents()
            wanted = [f"{fault.kind}: {fault.detail}" for fault in step.faults]
            wanted += [f"{step.outcome.code}: {step.outcome.detail}"] if step.outcome else []
            assert troubles == wanted
            assert await item.locator(".change").count() == len(step.changes)
            references = list(episode.references[i]) if i < len(episode.references) else []
            assert await item.locator(".references p").all_text_contents() == references
            assert await item.locator("pre").last.text_content() == step.raw
            assert await item.locator(".lit").count() == (1 if step.target else 0)
        later = [text for texts in episode.references[len(episode.steps) :] for text in texts]
        assert await page.locator("#episode > details.more .references p").all_text_contents() == later
        parts = await page.locator("#episode .parts li").all_text_contents()
        checked = episode.check.parts if episode.check else ()
        assert parts == [f"{part.part}: {part.reason}" if part.reason else part.part for part in checked]
        if episode.error:
            assert await page.get_by_text(episode.error).is_visible()
        await page.wait_for_function(
            "[...document.querySelectorAll('#episode img')].every((img) => img.complete && img.naturalWidth > 0)"
        )


async def test_the_light_lies_on_the_target(run: Path, open_report: Open) -> None:
    page = await open_report(run / "report.html", viewport={"width": 1440, "height": 900})
    for number, episode in enumerate(episodes_of(run)):
        for i, step in enumerate(episode.steps):
            if step.target is None:
                continue
            await page.evaluate(f"location.hash = '#episode-{number}'")
            item = page.locator("#episode .steps > li").nth(i)
            shot = await item.locator("img").bounding_box()
            lit = await item.locator(".lit").bounding_box()
            assert shot is not None
            assert lit is not None
            scale = shot["width"] / 1440
            middle = (lit["x"] + lit["width"] / 2 - shot["x"], lit["y"] + lit["height"] / 2 - shot["y"])
            assert middle == pytest.approx([scale * value for value in step.target.box.centre], abs=1.5)
            return
    pytest.fail("no made step points at anything")


async def test_the_list_can_be_searched_filtered_and_sorted(run: Path, open_report: Open) -> None:
    page = await open_report(run / "report.html")
    episodes = episodes_of(run)
    visible = page.locator("#list tbody tr:not([hidden])")
    assert await visible.count() == len(episodes)

    await page.locator("#result").select_option("solved")
    assert await visible.count() == sum(episode.success for episode in episodes)
    assert await page.locator("#count").text_content() == f"{sum(e.success for e in episodes)} of {len(episodes)}"
    await page.locator("#result").select_option("")

    await page.locator("#site").select_option("shopping_admin")
    assert await visible.count() == sum("shopping_admin" in episode.sites for episode in episodes)
    await page.locator("#site").select_option("")

    await page.get_by_label("Find").fill(f"{episodes[4].task_id.upper()} mug")
    assert await visible.locator("a").all_text_contents() == [episodes[4].task_id]
    await page.get_by_label("Find").fill("")

    steps = page.get_by_role("button", name="Steps")
    await steps.click()
    assert await page.locator("th[data-sort=steps]").get_attribute("aria-sort") == "ascending"
    order = [int(text) for text in await visible.locator("td:nth-child(4)").all_text_contents()]
    assert order == sorted(len(episode.steps) for episode in episodes)
    await steps.click()
    order = [int(text) for text in await visible.locator("td:nth-child(4)").all_text_contents()]
    assert order == sorted((len(episode.steps) for episode in episodes), reverse=True)


async def test_it_works_without_a_mouse(run: Path, open_report: Open) -> None:
    page = await open_report(run / "report.html")
    await page.get_by_label("Find").focus()
    for _ in range(40):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.hash === '#episode-0'"):
            break
    await page.keyboard.press("Enter")
    await page.locator("#episode h2").wait_for()
    assert await page.evaluate("document.activeElement.localName") == "h2"
    for _ in range(10):
        await page.keyboard.press("Tab")
        if await page.evaluate("document.activeElement.className === 'shot'"):
            break
    await page.keyboard.press("Enter")
    assert await page.locator("dialog").is_visible()
    await page.keyboard.press("Escape")
    assert not await page.locator("dialog").is_visible()
    assert await page.locator("#episode").is_visible()
    await page.keyboard.press("Escape")
    await page.locator("#overview").wait_for()
    assert await page.evaluate("document.activeElement.hash") == "#episode-0"


async def test_an_address_opens_its_episode_and_next_goes_on_in_the_filtered_order(
    run: Path, open_report: Open
) -> None:
    episodes = episodes_of(run)
    page = await open_report(run / "report.html")
    await page.locator("#result").select_option("failed")
    await page.locator("#list tbody tr:not([hidden]) a").first.click()
    failed = [episode for episode in episodes if not episode.success and episode.error == ""]
    await page.get_by_role("link", name="Next").click()
    await page.wait_for_function(
        "id => document.querySelector('#episode .meta').textContent.includes(id)", arg=failed[1].task_id
    )
    address = page.url
    await page.goto("about:blank")
    await page.goto(address)
    assert failed[1].task_id in (await page.locator("#episode .meta").first.text_content() or "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_a_phone_needs_no_sideways_scrolling(run: Path, open_report: Open, scheme: str) -> None:
    page = await open_report(run / "report.html", viewport=PHONE, color_scheme=scheme)
    width = "document.documentElement.scrollWidth"
    assert await page.evaluate(width) == PHONE["width"]
    await page.locator("#list a").first.click()
    await page.locator("#episode h2").wait_for()
    assert await page.evaluate(width) == PHONE["width"]
    ground = await page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (max(ground) < 60) == (scheme == "dark")


async def test_names_break_where_a_name_can(tmp_path: Path, open_report: Open) -> None:
    template = "gitlab.file_edit.with_several_parts"
    episodes = [
        episode.model_copy(update={"template_id": template, "sites": ("shopping_admin", "wikipedia")})
        for episode in made_episodes(8, tasks=3)
    ]
    page = await open_report(build(write_run(tmp_path / "run", episodes)), viewport=PHONE)
    await page.get_by_text("By template").click()
    name = page.locator("table.plain th[scope=row]", has_text=template)
    lines = await name.evaluate(LINES)
    assert len(lines) > 1
    assert "".join(lines) == template
    assert all(line.endswith((".", "_")) for line in lines[:-1])
    scrolled = page.locator("#episodes .scroll")
    assert await scrolled.evaluate("box => box.scrollWidth <= box.clientWidth")


LINES = """cell => {
  const found = new Map();
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (let i = 0; i < node.length; i++) {
      const range = document.createRange();
      range.setStart(node, i);
      range.setEnd(node, i + 1);
      const top = range.getBoundingClientRect().top;
      found.set(top, (found.get(top) || "") + node.data[i]);
    }
  }
  return [...found.values()];
}"""
"""The text of an element as its lines are broken."""


async def test_paper_is_light_and_shows_no_controls(run: Path, open_report: Open) -> None:
    page = await open_report(run / "report.html", color_scheme="dark")
    await page.emulate_media(media="print", color_scheme="dark")
    await page.set_viewport_size({"width": 690, "height": 900})  # A4 less its margins: a table, and not a phone's list
    assert await page.locator(".scores thead").first.is_visible()
    assert await page.evaluate("document.documentElement.scrollWidth") == 690
    assert not await page.locator("#filters").is_visible()
    assert await page.locator(".scores").first.is_visible()
    assert await page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


async def test_without_a_script_scores_plots_and_list_are_readable(run: Path, open_report: Open) -> None:
    page = await open_report(run / "report.html", java_script_enabled=False)
    text = await page.locator("body").inner_text()
    for episode in episodes_of(run):
        assert episode.task_id in text
        assert episode.intent in text
    assert "GGS" in text
    assert await page.locator("figure svg").first.is_visible()
    assert not await page.locator("#filters").is_visible()
    assert "needs JavaScript" in text


async def test_a_screenshot_that_is_missing_cut_strange_or_was_never_taken_is_said(
    tmp_path: Path, open_report: Open
) -> None:
    episode = next(e for e in made_episodes(9, tasks=30, infrastructure=0) if len(e.steps) >= 5)
    made = write_run(tmp_path / "run", [episode], files=True)
    (episode,) = (Episode.model_validate_json(line) for line in (made / "episodes.jsonl").read_text().splitlines())
    paths = [step.screenshot for step in episode.steps]
    (made / paths[0]).unlink()
    (made / paths[1]).write_bytes((made / paths[1]).read_bytes()[:300])
    outside = tmp_path / "outside.png"
    outside.write_bytes((made / paths[4]).read_bytes())
    steps = list(episode.steps)
    steps[2] = steps[2].model_copy(update={"screenshot": "../outside.png"})
    steps[3] = steps[3].model_copy(update={"screenshot": ""})
    write_run(made, [episode.model_copy(update={"steps": tuple(steps)})])
    page = await open_report(build(made))
    await page.evaluate("location.hash = '#episode-0'")
    notes = page.locator("#episode .missing")
    await notes.first.wait_for()
    said = {
        paths[0]: "The screenshot is not in the run folder any more.",
        paths[1]: "The screenshot's file cannot be read.",
        "../outside.png": "The screenshot's path leads out of the run folder, so it is left out.",
        "": "No screenshot was taken: the agent reads no pixels.",
    }
    wanted = [said[step.screenshot] for step in steps if step.screenshot in said]
    assert set(wanted) == set(said.values())
    assert await notes.all_text_contents() == wanted
    assert await page.locator("#episode img").count() == len(steps) - len(wanted) > 0


async def test_an_empty_run_opens(tmp_path: Path, open_report: Open) -> None:
    page = await open_report(build(write_run(tmp_path / "run", [])))
    assert "No episode has finished yet" in await page.locator("main").inner_text()
