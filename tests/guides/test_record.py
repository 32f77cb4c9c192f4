"""Recording: real mouse and key events in a real browser become the steps that a person would name."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest
import pytest_asyncio
from playwright.async_api import Page

from guideact.browser import Browser, Session, launch
from guideact.cli.recording import Shown, command, sentences
from guideact.errors import InputError
from guideact.guides.guide import Guide
from guideact.guides.make import Moment
from guideact.guides.record import Recorder, record
from guideact.sites.server import serve
from guideact.types import GoBack, Observation, PressEnter
from tests.browser.conftest import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with launch() as browser:
        yield browser


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def site() -> AsyncIterator[Site]:
    site = Site()
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    yield site
    await site.close(server)


class Person:
    """Somebody at the window; waits after each act until the recorder has seen what came of it, as a person would."""

    def __init__(self, session: Session, recorder: Recorder) -> None:
        self.session, self.recorder = session, recorder

    @property
    def page(self) -> Page:
        return self.session.active_page

    async def rest(self) -> None:
        await asyncio.sleep(0.05)
        async with asyncio.timeout(20):
            await self.recorder.idle.wait()

    async def arrive(self, page: str) -> None:
        """Wait until the recorder has seen a page."""
        arrived = asyncio.Event()
        self.recorder.changed = arrived.set
        async with asyncio.timeout(20):
            while not self.recorder.url.endswith(page):
                arrived.clear()
                await arrived.wait()

    async def click(self, text: str) -> None:
        await self.page.get_by_text(text, exact=True).click()
        await self.rest()

    async def keys(self, *keys: str) -> None:
        for key in keys:
            await self.page.keyboard.press(key)
        await self.rest()


@asynccontextmanager
async def recording(browser: Browser, url: str) -> AsyncIterator[tuple[Person, Callable[[], Awaitable[Guide]]]]:
    """A recording on a page, and what ends it."""
    async with browser.session() as session:
        await session.goto(url)
        recorder = Recorder(session, "Sign up", url)
        stop = asyncio.Event()
        running = asyncio.create_task(record(session, recorder, stop))
        person = Person(session, recorder)
        async with asyncio.timeout(20):
            await recorder.idle.wait()

        async def end() -> Guide:
            await person.rest()
            stop.set()
            guide, pictures = await running
            assert all(step.image in pictures for step in guide.steps)
            return guide

        try:
            yield person, end
        finally:
            stop.set()
            if not running.done():
                running.cancel()


def told(guide: Guide) -> list[tuple[str, str, str]]:
    return [(step.verb, step.target.name if step.target else "", step.value) for step in guide.steps]


async def test_what_a_person_does_becomes_steps(browser: Browser, site: Site) -> None:
    async with recording(browser, site.url("recorded.html")) as (person, end):
        await person.page.locator("#name").click()
        await person.page.keyboard.type("Ada Lovelace")
        await person.rest()
        await person.page.locator("#password").click()
        await person.page.keyboard.type("enigma-1843")
        await person.rest()
        await person.page.locator("#country").focus()
        await person.keys("ArrowDown")
        await person.click("Send me news")
        await person.click("More")
        await person.click("Inside")
        await person.page.locator("#search").click()
        await person.page.keyboard.type("cats")
        await person.keys("Enter")
        await person.page.mouse.move(400, 500)
        for _ in range(3):
            await person.page.mouse.wheel(0, 300)
            await person.rest()
        guide = await end()
    assert told(guide) == [
        ("type", "Your name", "Ada Lovelace"),
        ("type", "Password", ""),
        ("select", "Country", "Sweden"),
        ("click", "Send me news", ""),
        ("click", "More", ""),
        ("click", "Inside", ""),
        ("type", "Search", "cats"),
        ("press_enter", "", ""),
        ("scroll", "", "down"),
        ("finish", "", ""),
    ]
    assert guide.steps[1].secret == "password"
    assert "enigma" not in f"{guide.model_dump_json()} {person.recorder.moments}"
    assert guide.steps[0].sentence == "Type “Ada Lovelace” into the field “Your name”."
    assert guide.steps[3].sentence.startswith("Tick")
    inside = guide.steps[5]
    assert inside.box is not None  # it stood there when the mouse went down, and was gone with the click


async def test_going_back_and_other_tabs_are_noticed(browser: Browser, site: Site) -> None:
    async with recording(browser, site.url("recorded.html")) as (person, end):
        await person.click("Second")
        await person.arrive("/second.html")
        history = await person.session.tabs[0].send("Page.getNavigationHistory")
        await person.session.tabs[0].send(
            "Page.navigateToHistoryEntry", {"entryId": history["entries"][history["currentIndex"] - 1]["id"]}
        )  # what the browser's own button does
        await person.arrive("/recorded.html")
        async with person.page.context.expect_page():
            await person.click("In a new tab")
        await person.rest()
        guide = await end()
    assert told(guide)[:3] == [("click", "Second", ""), ("go_back", "", ""), ("click", "In a new tab", "")]
    assert guide.steps[-1].url.endswith("/second.html")


async def test_steps_are_taken_back_and_renamed(browser: Browser, site: Site) -> None:
    async with recording(browser, site.url("recorded.html")) as (person, end):
        await person.click("More")
        await person.click("Send me news")
        assert person.recorder.undo()
        assert person.recorder.rename(1, "Open  the rest of the menu.")
        assert not person.recorder.rename(2, "x")
        person.recorder.title = "Another title"
        guide = await end()
    assert guide.steps[0].sentence == "Open the rest of the menu."
    assert len(guide.steps) == 2
    assert guide.title == "Another title"


async def test_a_recording_of_nothing_is_no_guide(browser: Browser, site: Site) -> None:
    async with recording(browser, site.url("recorded.html")) as (person, end):
        assert not person.recorder.undo()
        with pytest.raises(InputError, match="nothing was done in the window"):
            await end()


async def test_an_embedded_site_is_recorded(browser: Browser) -> None:
    async with serve() as server:
        async with recording(browser, server.url("shopping")) as (person, end):
            await person.page.get_by_role("combobox", name="Search").first.click()
            await person.page.keyboard.type("kettle")
            await person.rest()
            await person.keys("Enter")
            await person.page.wait_for_url("**/search*")
            await person.rest()
            guide = await end()
    assert [(verb, value) for verb, _, value in told(guide)] == [
        ("type", "kettle"),
        ("press_enter", ""),
        ("finish", ""),
    ]


async def test_what_is_typed_while_recording(capsys: pytest.CaptureFixture[str]) -> None:
    seen = Observation(url="http://a.test/", title="A")
    recorder = Recorder(cast(Session, None), "Old", "http://a.test/")  # words need no window
    recorder.moments = [Moment(seen, PressEnter()), Moment(seen, GoBack())]
    shown = Shown(recorder)
    recorder.changed = shown.show
    stop = asyncio.Event()
    for line in ("", "r 1 Send it.", "r 9 x", "r one x", "t New title", "u", "what", "s"):
        command(recorder, line + "\n", stop)
    assert stop.is_set()
    assert recorder.title == "New title"
    assert sentences(recorder) == ["Send it."]
    command(recorder, "u", stop)
    command(recorder, "u", stop)
    out = capsys.readouterr()
    assert "1. Send it." in out.out
    assert "Taken back; 0 steps are left." in out.out
    for said in ("r takes the number of a step, 1 to 2", "'what' is no command", "There is no step to take back"):
        assert said in out.err


async def test_the_command_without_a_person(tmp_path: Path) -> None:
    words = ("guide", "record", "http://shopping.localhost/", "Look", "--headless", "--out", str(tmp_path / "g"))
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "guideact", *words, stdin=pipe, stdout=pipe, stderr=pipe
    )
    _, err = await process.communicate(b"s\n")
    assert process.returncode == 2
    assert b"nothing was done in the window" in err
    assert not (tmp_path / "g").exists()
