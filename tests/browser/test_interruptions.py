"""Tabs, dialogs, files and crashes: nothing leaves the agent behind or hangs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from guideact.browser import Browser, launch
from guideact.browser import session as sessions
from guideact.errors import BrowserError, DeadlineExceeded, InputError, SiteError
from guideact.types import Click, GoBack
from tests.browser.conftest import Hand, Site, code

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize("name", ["New tab", "Popup"])
async def test_a_new_tab_leaves_the_agent_behind(hand: Hand, name: str) -> None:
    await hand.open("tabs.html")
    assert await hand.click(name) is None
    assert hand.seen.title == "Second"
    assert [(tab.title, tab.active) for tab in hand.seen.tabs] == [("Opener", False), ("Second", True)]
    assert "A new tab opened" in hand.seen.notices[0]
    await hand.click("Further")
    assert hand.seen.title == "Third"
    assert await hand.do(GoBack()) is None
    assert hand.seen.title == "Second"
    assert await hand.do(GoBack()) is None
    assert hand.seen.title == "Opener"
    assert len(hand.seen.tabs) == 1
    assert code(await hand.do(GoBack())) == "no_history"


async def test_a_popup_that_is_slow_to_answer_is_followed(hand: Hand) -> None:
    await hand.open("tabs.html")
    await hand.click("Slow popup")
    assert hand.seen.title == "Slow"


async def test_a_frame_of_a_new_tab_is_read_whose_page_comes_later(hand: Hand) -> None:
    await hand.open("frame_later.html")
    assert "Slow page" in hand.text()
    await hand.click("Once more")
    assert len(hand.seen.tabs) == 2
    assert "Slow page" in hand.text()


async def test_a_popup_that_is_written_by_script_is_followed(hand: Hand) -> None:
    await hand.open("tabs.html")
    await hand.click("Written popup")
    assert "Written by script" in hand.text()


async def test_a_tab_that_closes_itself_returns_to_the_opener(hand: Hand) -> None:
    await hand.open("tabs.html")
    await hand.click("Popup")
    await hand.click("Close")
    assert hand.seen.title == "Opener"
    assert "The tab closed" in hand.seen.notices[0]


async def test_going_back_in_the_same_tab(hand: Hand) -> None:
    await hand.open("tabs.html")
    assert code(await hand.do(GoBack())) == "no_history"
    await hand.click("Same tab")
    assert hand.seen.title == "Second"
    assert await hand.do(GoBack()) is None
    assert hand.seen.title == "Opener"


async def test_dialogs_block_the_page(hand: Hand) -> None:
    await hand.open("dialogs.html")
    for name, message, text in (
        ("Alert", "Saved.", "alerted"),
        ("Confirm", "Delete it?", "confirm:true"),
        ("Prompt", "Your name?", "prompt:Emma"),
    ):
        assert await hand.click(name) is None
        assert [(d.kind, d.message, d.answer) for d in hand.seen.dialogs] == [(name.lower(), message, "accepted")]
        assert text in hand.text()
    assert (await hand.look()).dialogs == ()


async def test_dialogs_are_dismissed_where_the_task_says_so(browser: Browser, site: Site) -> None:
    async with browser.session(allow=site.allow, dialogs="dismiss") as session:
        hand = Hand(session, site)
        await hand.open("dialogs.html")
        await hand.click("Confirm")
        assert "confirm:false" in hand.text()
        assert hand.seen.dialogs[0].answer == "dismissed"
        await hand.type("Draft", "words")
        await hand.click("Leave")
        assert [(d.kind, d.answer) for d in hand.seen.dialogs] == [("beforeunload", "dismissed")]
        assert hand.seen.title == "Dialogs"


async def test_a_page_that_asks_whether_to_leave_is_left(hand: Hand) -> None:
    await hand.open("dialogs.html")
    await hand.type("Draft", "words")
    await hand.click("Leave")
    assert hand.seen.dialogs[0].kind == "beforeunload"
    assert hand.seen.title == "Second"


async def test_file_chooser_download_and_print_hang(browser: Browser, site: Site, tmp_path: Path) -> None:
    async with browser.session(allow=site.allow, downloads=tmp_path / "kept") as session:
        hand = Hand(session, site)
        await hand.open("files.html")
        await hand.click("Choose a file")
        assert "file chooser" in hand.seen.notices[0]
        await hand.click("Upload")
        assert "file chooser" in hand.seen.notices[0]
        await hand.click("Download")
        assert 'downloaded: "orders.csv"' in hand.seen.notices[0]
        await hand.click("Download data")
        assert 'downloaded: "hello.txt"' in hand.seen.notices[0]
        await hand.click("Download in a new tab")
        assert hand.seen.title == "Files"
        await hand.click("Print")
        assert "printed" in hand.text()
    assert (tmp_path / "kept" / "orders.csv").read_bytes() == b"a,b\n1,2\n"
    assert (tmp_path / "kept" / "orders-1.csv").exists()
    assert (tmp_path / "kept" / "hello.txt").read_text() == "hello"


async def test_a_download_nobody_wants_is_thrown_away(hand: Hand) -> None:
    await hand.open("files.html")
    await hand.click("Download")
    assert "was not kept" in hand.seen.notices[0]


async def test_a_page_that_hangs(browser: Browser, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "ACT", 1.0)
    monkeypatch.setattr(sessions, "LOOK", 1.0)
    monkeypatch.setattr(sessions, "SETTLE", 1.0)
    async with browser.session(allow=site.allow) as session:
        hand = Hand(session, site)
        await hand.open("late.html")
        assert code(await session.execute(Click(target=hand.mark("Hang")))) == "timeout"
        with pytest.raises(DeadlineExceeded):
            await session.observe(screenshot=False)
    async with browser.session(allow=site.allow) as session:
        await session.goto(site.url("third.html"))
        assert (await session.observe(screenshot=False)).title == "Third"


async def test_a_page_that_crashes_is_a_browser_error(site: Site) -> None:
    async with launch() as browser, browser.session(allow=None) as session:
        await session.goto(site.url("third.html"))
        crash = asyncio.ensure_future(session.active_page.goto("chrome://crash"))
        await asyncio.wait([crash])
        assert crash.exception() is not None
        with pytest.raises(BrowserError):
            await session.observe()


async def test_sites_that_fail(hand: Hand) -> None:
    with pytest.raises(SiteError, match="answered 503"):
        await hand.session.goto(hand.site.url("status/503"))
    assert hand.session.last_status == 503
    await hand.open("tabs.html")
    assert hand.session.last_status == 200
    with pytest.raises(InputError, match="foreign"):
        await hand.session.goto("http://foreign.test/")
    await hand.session.goto(hand.site.url("status/404"))
    assert hand.session.last_status == 404


async def test_page_text_for_the_checker(hand: Hand) -> None:
    await hand.open("tabs.html")
    assert await hand.session.page_text(hand.site.url("third.html"), "h1") == "Third page"
    assert await hand.session.page_text(hand.site.url("third.html"), ".nowhere") == ""
    with pytest.raises(SiteError):
        await hand.session.page_text(hand.site.url("status/500"), "body")
    assert (await hand.look()).title == "Opener"
    assert len(hand.seen.tabs) == 1


async def test_two_sessions_at_once_in_one_event_loop_share_nothing(browser: Browser, site: Site) -> None:
    cookie = {"name": "who", "value": "emma", "url": site.url("")}
    async with browser.session(allow=site.allow, cookies=[cookie]) as one, browser.session(allow=site.allow) as two:
        first, second = Hand(one, site), Hand(two, site)
        await asyncio.gather(first.open("typing.html"), second.open("tabs.html"))
        await asyncio.gather(first.type("Text", "mine"), second.click("Popup"))
        assert first.find("Text").value == "mine"
        assert second.seen.title == "Second"
        assert await one.active_page.evaluate("document.cookie") == "who=emma"
        assert await two.active_page.evaluate("document.cookie") == ""
