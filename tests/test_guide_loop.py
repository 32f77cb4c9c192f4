"""The life of a guide in the hands of people: recorded, reviewed, published, followed, broken by a new look, mended."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from playwright.async_api import Page

from guideact.browser import Browser, launch
from guideact.guides.guide import Guide, picture_of, read_guide, write_guide
from guideact.guides.places import open_stage
from guideact.guides.publish import FORMATS, publish
from guideact.guides.publish.tour import tour
from guideact.guides.record import Recorder, record
from guideact.guides.repair import repair
from guideact.guides.verify import verify
from guideact.sites.listen import answering, bind
from guideact.sites.server import SiteServer, serve
from guideact.sites.skins import parse_skin
from guideact.studio.app import make_app
from guideact.studio.export import export
from guideact.studio.items import read_source
from guideact.studio.runs import Runs
from guideact.studio.store import Store
from guideact.studio.work import Plan
from tests.guides.test_tour import User
from tests.studio.conftest import PASSWORD, hashed

SKIN = "redesign-3"
START = "http://shopping.localhost/"


async def test_a_guide_is_made_reviewed_published_followed_and_kept_true(tmp_path: Path) -> None:
    async with serve() as server, launch() as browser:
        guide = await _recorded(server, browser, tmp_path / "recorded")
        assert [step.verb for step in guide.steps] == ["type", "press_enter", "click", "click", "finish"]

        reviewed = await _reviewed(browser, tmp_path)
        assert reviewed.steps[0].sentence == "Type the word “kettle” into the field “Search products” at the top."
        assert [step.sentence for step in reviewed.steps[1:]] == [step.sentence for step in guide.steps[1:]]

        out = tmp_path / "published"
        written = await publish(reviewed, tmp_path / "out" / guide.id, FORMATS, out)
        assert {path.suffix for path in written} == {".html", ".md", ".pdf", ".js", ".json", ".py"}
        assert all(path.stat().st_size > 500 for path in written)

        await _toured(server, browser, reviewed)

    folder = tmp_path / "out" / guide.id
    async with open_stage(reviewed) as stage:
        assert (await verify(reviewed, stage)).holds
    skin = parse_skin(SKIN)
    async with open_stage(reviewed, skin=skin) as stage:
        verdict = await verify(reviewed, stage)
    assert not verdict.holds
    async with open_stage(reviewed, skin=skin) as stage:
        mended = await repair(reviewed, stage, lambda sha256: picture_of(folder, sha256))
    assert mended.problem is None
    assert mended.changes
    async with open_stage(mended.guide, skin=skin) as stage:
        assert (await verify(mended.guide, stage)).holds


async def _recorded(server: SiteServer, browser: Browser, folder: Path) -> Guide:
    """A person puts a kettle into the cart, and is watched."""
    async with browser.session(allow=server.allow(0)) as session:
        await session.goto(server.actual(START))
        recorder = Recorder(session, "Put the gooseneck kettle into the cart", START, canonical=server.canonical)
        stop = asyncio.Event()
        running = asyncio.create_task(record(session, recorder, stop))
        page = session.active_page

        async def rest() -> None:
            await asyncio.sleep(0.1)
            async with asyncio.timeout(20):
                await recorder.idle.wait()

        await recorder.idle.wait()
        await page.get_by_role("combobox", name="Search").first.click()
        await page.keyboard.type("kettle")
        await rest()
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/search*")
        await rest()
        await page.get_by_role("link", name="Gooseneck Pour-Over Kettle").last.click()
        await page.wait_for_url("**/p/*")
        await rest()
        await page.get_by_role("button", name="Add to cart").first.click()
        await rest()
        stop.set()
        guide, pictures = await running
    write_guide(folder, guide, pictures)
    return read_guide(folder)


async def _reviewed(browser: Browser, folder: Path) -> Guide:
    """A reviewer rewords the first sentence and accepts the others, by keyboard."""
    store = Store.open(folder / "studio", make=True)
    store.add_source(*read_source(folder / "recorded", None, None))
    store.add_person("rae", hashed(), "annotator", "en")
    listener = bind(0)
    origin = f"http://127.0.0.1:{listener.getsockname()[1]}"
    async with answering(make_app(store, Plan(), Runs(None)), listener), browser.session() as session:
        page = session.active_page
        await page.goto(origin)
        await page.get_by_label("Name").fill("rae")
        await page.get_by_label("Password").fill(PASSWORD)
        await page.keyboard.press("Enter")
        await page.wait_for_url(f"{origin}/work")
        await page.get_by_role("button", name="Go on").click()
        await page.wait_for_url("**/review/1")
        assert await _shown(page)
        await page.keyboard.press("e")
        await page.keyboard.type("Type the word “kettle” into the field “Search products” at the top.")
        await page.keyboard.press("Control+Enter")
        for number in range(2, 6):
            await page.wait_for_url(f"**/review/{number}")
            await page.keyboard.press("a")
        await page.wait_for_url("**/work?finished=*")
    export(store, folder / "out")
    store.close()
    (reviewed,) = (folder / "out").iterdir()
    history = [json.loads(line) for line in (reviewed / "labels.jsonl").read_text().splitlines()]
    assert [label["decision"] for label in history] == ["edit", "accept", "accept", "accept", "accept"]
    return read_guide(reviewed)


async def _shown(page: Page) -> bool:
    """Whether the picture of the step has come, with its light."""
    await page.locator("svg .lit").wait_for()
    source = await page.locator("svg image").get_attribute("href")
    return (await page.request.get(page.url.rsplit("/review", 1)[0] + str(source))).ok


async def _toured(server: SiteServer, browser: Browser, guide: Guide) -> None:
    """Somebody new is led through the live page."""
    async with browser.session(allow=server.allow(1)) as session:
        await session.active_page.add_init_script(tour(guide))
        await session.active_page.goto(server.actual(START, 1))
        user = User(session.active_page)
        await user.start()
        for number, step in enumerate(guide.steps, 1):
            said = await user.bubble(number, len(guide.steps))
            assert said.startswith(step.sentence)
            if step.verb != "finish":
                await user.do(step)
        assert user.problems == []
